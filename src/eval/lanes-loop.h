/* The interpreter loop for one width; lanes.c includes it once per width and instruction set.
 *
 * LANES_NAME: name of the function. LANES_WIDTH: lanes. LANES_VECTOR: the vector type (double for width 1).
 * LANES_TARGET: attribute, may be empty. One switch in one function: the compiler keeps everything in machine
 * registers, and an instruction costs one indirect jump for all its lanes. */

#define EACH_LANE(expression)                                                                  \
  do {                                                                                         \
    for (unsigned l = 0; l < LANES_WIDTH; l++) {                                               \
      to[l] = (expression);                                                                    \
    }                                                                                          \
  } while (0)

LANES_TARGET static void
LANES_NAME(const DaeInstruction *code, uint32_t n, double *restrict registers)
{
  LANES_VECTOR *const v = (LANES_VECTOR *)(void *)registers;
  for (const DaeInstruction *end = code + n; code < end; code++) {
    const double *const a = registers + (size_t)code->a * LANES_WIDTH;
    const double *const b = registers + (size_t)code->b * LANES_WIDTH;
    double *const to = registers + (size_t)code->to * LANES_WIDTH;
    switch (code->op) {
    case DAE_OP_NEG:
      v[code->to] = -v[code->a];
      break;
    case DAE_OP_ADD:
      v[code->to] = v[code->a] + v[code->b];
      break;
    case DAE_OP_SUB:
      v[code->to] = v[code->a] - v[code->b];
      break;
    case DAE_OP_MUL:
      v[code->to] = v[code->a] * v[code->b];
      break;
    case DAE_OP_DIV:
      v[code->to] = v[code->a] / v[code->b];
      break;
    case DAE_OP_MUL_ADD:
      v[code->to] = v[code->c] + v[code->a] * v[code->b];
      break;
    case DAE_OP_MUL_SUB:
      v[code->to] = v[code->c] - v[code->a] * v[code->b];
      break;
    case DAE_OP_MUL_RSUB:
      v[code->to] = v[code->a] * v[code->b] - v[code->c];
      break;
    case DAE_OP_ADD3:
      v[code->to] = (v[code->a] + v[code->b]) + v[code->c];
      break;
    case DAE_OP_MUL3:
      v[code->to] = (v[code->a] * v[code->b]) * v[code->c];
      break;
    case DAE_OP_DOT2:
      v[code->to] = v[code->a] * v[code->b] + v[code->c] * v[code->d];
      break;
    case DAE_OP_DET2:
      v[code->to] = v[code->a] * v[code->b] - v[code->c] * v[code->d];
      break;
    case DAE_OP_SQRT:
      EACH_LANE(sqrt(a[l]));
      break;
    case DAE_OP_SIN:
      EACH_LANE(sin(a[l]));
      break;
    case DAE_OP_COS:
      EACH_LANE(cos(a[l]));
      break;
    case DAE_OP_ABS:
      EACH_LANE(fabs(a[l]));
      break;
    default: { /* everything rarer goes through its one definition */
      const double *const c = registers + (size_t)code->c * LANES_WIDTH;
      EACH_LANE(dae_op_apply((DaeOp)code->op, a[l], b[l], c[l], 0.0));
      break;
    }
    }
  }
}

#undef EACH_LANE
#undef LANES_NAME
#undef LANES_WIDTH
#undef LANES_VECTOR
#undef LANES_TARGET
