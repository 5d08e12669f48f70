/* What each operation means, on one lane. */
#include <math.h>

#include "eval/eval-priv.h"

uint32_t
dae_op_arity(DaeOp op)
{
  switch (op) {
  case DAE_OP_CONST:
  case DAE_OP_INPUT:
  case DAE_OP_COUNT:
    return 0;
  case DAE_OP_NEG:
  case DAE_OP_SQRT:
  case DAE_OP_SIN:
  case DAE_OP_COS:
  case DAE_OP_TAN:
  case DAE_OP_ASIN:
  case DAE_OP_ACOS:
  case DAE_OP_ATAN:
  case DAE_OP_SINH:
  case DAE_OP_COSH:
  case DAE_OP_TANH:
  case DAE_OP_EXP:
  case DAE_OP_LOG:
  case DAE_OP_LOG10:
  case DAE_OP_ABS:
  case DAE_OP_SIGN:
  case DAE_OP_FLOOR:
  case DAE_OP_CEIL:
  case DAE_OP_NOT:
  case DAE_OP_INTERVAL:
  case DAE_OP_LOOKUP:
  case DAE_OP_RUN:
  case DAE_OP_TAKE:
    return 1;
  case DAE_OP_ADD:
  case DAE_OP_SUB:
  case DAE_OP_MUL:
  case DAE_OP_DIV:
  case DAE_OP_DIV_GUARDED:
  case DAE_OP_POW:
  case DAE_OP_ATAN2:
  case DAE_OP_MIN:
  case DAE_OP_MAX:
  case DAE_OP_MOD:
  case DAE_OP_QUOTIENT:
  case DAE_OP_REM:
  case DAE_OP_LT:
  case DAE_OP_LE:
  case DAE_OP_EQ:
  case DAE_OP_NE:
  case DAE_OP_AND:
  case DAE_OP_OR:
  case DAE_OP_GIVE:
    return 2;
  case DAE_OP_MUL_ADD:
  case DAE_OP_MUL_SUB:
  case DAE_OP_MUL_RSUB:
  case DAE_OP_ADD3:
  case DAE_OP_MUL3:
  case DAE_OP_SELECT:
    return 3;
  case DAE_OP_DOT2:
  case DAE_OP_DET2:
    return 4;
  }
  dae_internal_error(__FILE__, __LINE__, "operation");
}

DaeOp
dae_op_of_function(DaeFunction function)
{
  static const DaeOp operations[DAE_FN_COUNT] = {
      [DAE_FN_SIN] = DAE_OP_SIN,     [DAE_FN_COS] = DAE_OP_COS,
      [DAE_FN_TAN] = DAE_OP_TAN,     [DAE_FN_ASIN] = DAE_OP_ASIN,
      [DAE_FN_ACOS] = DAE_OP_ACOS,   [DAE_FN_ATAN] = DAE_OP_ATAN,
      [DAE_FN_ATAN2] = DAE_OP_ATAN2, [DAE_FN_SINH] = DAE_OP_SINH,
      [DAE_FN_COSH] = DAE_OP_COSH,   [DAE_FN_TANH] = DAE_OP_TANH,
      [DAE_FN_EXP] = DAE_OP_EXP,     [DAE_FN_LOG] = DAE_OP_LOG,
      [DAE_FN_LOG10] = DAE_OP_LOG10, [DAE_FN_ABS] = DAE_OP_ABS,
      [DAE_FN_SIGN] = DAE_OP_SIGN,   [DAE_FN_MIN] = DAE_OP_MIN,
      [DAE_FN_MAX] = DAE_OP_MAX,     [DAE_FN_FLOOR] = DAE_OP_FLOOR,
      [DAE_FN_CEIL] = DAE_OP_CEIL,   [DAE_FN_INTEGER] = DAE_OP_FLOOR,
      [DAE_FN_MOD] = DAE_OP_MOD,     [DAE_FN_DIV] = DAE_OP_QUOTIENT,
      [DAE_FN_REM] = DAE_OP_REM,
  };
  DAE_ASSERT(function < DAE_FN_COUNT);
  return operations[function];
}

/* NaN unless both are finite (a - b may overflow, which is undefined as well). */
static double
defined_only(double value, double a, double b)
{
  return isfinite(a) && isfinite(b) ? value : NAN;
}

static double
apply_function(DaeOp op, double a, double b)
{
  double v = NAN;
  switch ((int)op) {
  case DAE_OP_SQRT:
    return sqrt(a);
  case DAE_OP_POW:
    v = pow(a, b);
    break;
  case DAE_OP_SIN:
    return sin(a);
  case DAE_OP_COS:
    return cos(a);
  case DAE_OP_TAN:
    return tan(a);
  case DAE_OP_ASIN:
    return asin(a);
  case DAE_OP_ACOS:
    return acos(a);
  case DAE_OP_ATAN:
    return defined_only(atan(a), a, a);
  case DAE_OP_ATAN2:
    v = a == 0.0 && b == 0.0 ? 0.0 : atan2(a, b);
    break;
  case DAE_OP_SINH:
    return sinh(a);
  case DAE_OP_COSH:
    return cosh(a);
  case DAE_OP_TANH:
    return defined_only(tanh(a), a, a);
  case DAE_OP_EXP:
    return defined_only(exp(a), a, a);
  case DAE_OP_LOG:
    return log(a);
  case DAE_OP_LOG10:
    return log10(a);
  case DAE_OP_MOD:
    v = a - floor(a / b) * b;
    break;
  case DAE_OP_QUOTIENT:
    v = trunc(a / b);
    break;
  case DAE_OP_REM:
    v = a - trunc(a / b) * b;
    break;
  default:
    dae_internal_error(__FILE__, __LINE__, "not a function");
  }
  return defined_only(v, a, b);
}

static double
apply_choice(DaeOp op, double a, double b, double c)
{
  switch ((int)op) {
  case DAE_OP_ABS:
    return fabs(a);
  case DAE_OP_SIGN:
    return defined_only((a > 0.0) - (a < 0.0), a, a);
  case DAE_OP_MIN:
    return defined_only(a < b ? a : b, a, b);
  case DAE_OP_MAX:
    return defined_only(a > b ? a : b, a, b);
  case DAE_OP_FLOOR:
    return floor(a);
  case DAE_OP_CEIL:
    return ceil(a);
  case DAE_OP_LT:
    return defined_only(a < b ? 1.0 : 0.0, a, b);
  case DAE_OP_LE:
    return defined_only(a <= b ? 1.0 : 0.0, a, b);
  case DAE_OP_EQ:
    return defined_only(a == b ? 1.0 : 0.0, a, b);
  case DAE_OP_NE:
    return defined_only(a != b ? 1.0 : 0.0, a, b);
  case DAE_OP_AND:
    return a == 0.0 || b == 0.0 ? 0.0 : a * b;
  case DAE_OP_OR:
    return a == 1.0 || b == 1.0 ? 1.0 : a + b;
  case DAE_OP_NOT:
    return 1.0 - a;
  case DAE_OP_SELECT:
    return a == 1.0 ? b : (a == 0.0 ? c : NAN);
  default:
    return apply_function(op, a, b);
  }
}

/* Operands that the operation does not have may be anything. */
double
dae_op_apply(DaeOp op, double a, double b, double c, double d)
{
  switch ((int)op) {
  case DAE_OP_NEG:
    return -a;
  case DAE_OP_ADD:
    return a + b;
  case DAE_OP_SUB:
    return a - b;
  case DAE_OP_MUL:
    return a * b;
  case DAE_OP_DIV:
    return a / b;
  case DAE_OP_DIV_GUARDED:
    return isfinite(b) ? a / b : NAN;
  case DAE_OP_MUL_ADD:
    return c + a * b;
  case DAE_OP_MUL_SUB:
    return c - a * b;
  case DAE_OP_MUL_RSUB:
    return a * b - c;
  case DAE_OP_ADD3:
    return (a + b) + c;
  case DAE_OP_MUL3:
    return (a * b) * c;
  case DAE_OP_DOT2:
    return a * b + c * d;
  case DAE_OP_DET2:
    return a * b - c * d;
  default:
    return apply_choice(op, a, b, c);
  }
}
