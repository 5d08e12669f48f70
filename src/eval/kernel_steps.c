/* The steps of a kernel: its cone as a list, in places.
 *
 * A single operation that several cones share is done again in each (kernel.c), so that there are
 * products that only one sum uses although the program has them once: they become part of it here,
 * as dae_fused_init does it, rounded as before. What a cone has twice is done once. Operands first,
 * the result last. */
#include <string.h>

#include "eval/kernel.h"

enum { MOST = DAE_KERNEL_STEPS, NONE = UINT16_MAX };

/* Steps are numbered from n_columns on, as temporary places. */
typedef struct {
  const DaeKernelStep *steps;
  uint32_t n_steps, n_columns;
  uint16_t same[MOST];  /* by step: the first one that does the same */
  uint8_t uses[MOST];   /* by step */
  uint16_t place[MOST]; /* by step: that of its result in the list, NONE: not written yet */
  DaeKernelStep list[2 * MOST];
  uint32_t n_list;
} Steps;

static bool
is_step(const Steps *steps, uint16_t place)
{
  return place >= steps->n_columns;
}

static const DaeKernelStep *
step_at(const Steps *steps, uint16_t place)
{
  return &steps->steps[place - steps->n_columns];
}

static uint16_t
first_of(const Steps *steps, uint16_t place)
{
  return is_step(steps, place) ? steps->same[place - steps->n_columns] : place;
}

static bool
is_same(const Steps *steps, const DaeKernelStep *a, const DaeKernelStep *b)
{
  bool same = a->op == b->op;
  for (uint32_t k = 0; same && k < dae_op_arity((DaeOp)a->op); k++) {
    same = first_of(steps, a->from[k]) == first_of(steps, b->from[k]);
  }
  return same;
}

static void
find_same(Steps *steps)
{
  for (uint32_t i = 0; i < steps->n_steps; i++) {
    uint32_t first = 0;
    while (first < i && !is_same(steps, &steps->steps[first], &steps->steps[i])) {
      first++;
    }
    steps->same[i] = (uint16_t)(steps->n_columns + first);
  }
}

static void
count_uses(Steps *steps)
{
  for (uint32_t i = 0; i < steps->n_steps; i++) {
    const DaeKernelStep *step = &steps->steps[i];
    const bool is_first = steps->same[i] == steps->n_columns + i;
    for (uint32_t k = 0; is_first && k < dae_op_arity((DaeOp)step->op); k++) {
      if (is_step(steps, step->from[k])) {
        steps->uses[first_of(steps, step->from[k]) - steps->n_columns]++;
      }
    }
  }
}

/* ---- what becomes one step --------------------------------------------------------------- */

static bool
is_product(const Steps *steps, uint16_t place)
{
  const uint16_t first = first_of(steps, place);
  return is_step(steps, place) && steps->uses[first - steps->n_columns] == 1 &&
         step_at(steps, first)->op == DAE_OP_MUL;
}

/* The product in place p and two other operands, in the order a*b, c, d. */
static DaeKernelStep
with_product(const Steps *steps, DaeOp op, uint16_t p, uint16_t c, uint16_t d)
{
  const DaeKernelStep *product = step_at(steps, first_of(steps, p));
  return (DaeKernelStep){.op = (uint16_t)op,
                         .from = {product->from[0], product->from[1], c, d}};
}

static DaeKernelStep
with_products(const Steps *steps, DaeOp op, uint16_t p, uint16_t q)
{
  const DaeKernelStep *other = step_at(steps, first_of(steps, q));
  return with_product(steps, op, p, other->from[0], other->from[1]);
}

/* The first row that fits. a, b, c are the operands. */
static DaeKernelStep
fused(const Steps *steps, DaeKernelStep step)
{
  const uint16_t a = step.from[0];
  const uint16_t b = step.from[1];
  const uint16_t c = step.from[2];
  const uint32_t arity = dae_op_arity((DaeOp)step.op);
  const bool of_a = arity > 0 && is_product(steps, a);
  const bool of_b = arity > 1 && is_product(steps, b);
  const bool of_c = arity > 2 && is_product(steps, c);
  switch ((int)step.op) {
  case DAE_OP_ADD:
    return of_a && of_b ? with_products(steps, DAE_OP_DOT2, a, b)
           : of_b       ? with_product(steps, DAE_OP_MUL_ADD, b, a, 0)
           : of_a       ? with_product(steps, DAE_OP_MUL_ADD, a, b, 0)
                        : step;
  case DAE_OP_SUB:
    return of_a && of_b ? with_products(steps, DAE_OP_DET2, a, b)
           : of_b       ? with_product(steps, DAE_OP_MUL_SUB, b, a, 0)
           : of_a       ? with_product(steps, DAE_OP_MUL_RSUB, a, b, 0)
                        : step;
  case DAE_OP_MUL:
    return of_a   ? with_product(steps, DAE_OP_MUL3, a, b, 0)
           : of_b ? with_product(steps, DAE_OP_MUL3, b, a, 0)
                  : step;
  case DAE_OP_MUL_ADD: /* c + a*b */
    return of_c ? with_product(steps, DAE_OP_DOT2, c, a, b) : step;
  case DAE_OP_MUL_SUB: /* c - a*b */
    return of_c ? with_product(steps, DAE_OP_DET2, c, a, b) : step;
  case DAE_OP_MUL_RSUB: { /* a*b - c */
    const DaeKernelStep *product = of_c ? step_at(steps, first_of(steps, c)) : NULL;
    return of_c ? (DaeKernelStep){.op = DAE_OP_DET2,
                                  .from = {a, b, product->from[0], product->from[1]}}
                : step;
  }
  default:
    return step;
  }
}

/* ---- the list ---------------------------------------------------------------------------- */

static uint16_t write_place(Steps *steps, uint16_t place);

static uint16_t
write_step(Steps *steps, DaeKernelStep step)
{
  const DaeKernelStep one = fused(steps, step);
  DaeKernelStep written = {.op = one.op};
  for (uint32_t k = 0; k < dae_op_arity((DaeOp)one.op); k++) {
    written.from[k] = write_place(steps, one.from[k]);
  }
  DAE_ASSERT(steps->n_list < G_N_ELEMENTS(steps->list));
  steps->list[steps->n_list] = written;
  return (uint16_t)(steps->n_columns + steps->n_list++);
}

/* (a + b) + c as two steps. */
static uint16_t
write_sum_of_three(Steps *steps, const DaeKernelStep *step)
{
  const DaeKernelStep sum = {.op = DAE_OP_ADD, .from = {step->from[0], step->from[1]}};
  DaeKernelStep last = {.op = DAE_OP_ADD, .from = {write_step(steps, sum)}};
  if (is_product(steps, step->from[2])) {
    const DaeKernelStep *product = step_at(steps, first_of(steps, step->from[2]));
    last.op = DAE_OP_MUL_ADD; /* c + a*b */
    last.from[2] = last.from[0];
    last.from[0] = write_place(steps, product->from[0]);
    last.from[1] = write_place(steps, product->from[1]);
  } else {
    last.from[1] = write_place(steps, step->from[2]);
  }
  DAE_ASSERT(steps->n_list < G_N_ELEMENTS(steps->list));
  steps->list[steps->n_list] = last;
  return (uint16_t)(steps->n_columns + steps->n_list++);
}

/* Two steps instead of three or four? */
static bool
has_products(const Steps *steps, const DaeKernelStep *step)
{
  uint32_t n = 0;
  for (uint32_t k = 0; k < 3; k++) {
    n += is_product(steps, step->from[k]);
  }
  return n > 1;
}

/* The place of a value in the list, where it is written if it is not there yet. */
static uint16_t
write_place(Steps *steps, uint16_t place)
{
  if (!is_step(steps, place)) {
    return place;
  }
  const uint16_t first = first_of(steps, place);
  uint16_t *written = &steps->place[first - steps->n_columns];
  if (*written == NONE) {
    const DaeKernelStep *step = step_at(steps, first);
    *written = step->op == DAE_OP_ADD3 && has_products(steps, step)
                   ? write_sum_of_three(steps, step)
                   : write_step(steps, *step);
  }
  return *written;
}

/* ---- places ------------------------------------------------------------------------------ */

/* Places that are free again are taken first: few of them stay in the first cache. A result may
 * take the place of an operand. */
static uint32_t
reuse_places(Steps *steps)
{
  uint32_t last_use[2 * MOST] = {0};
  uint16_t taken[2 * MOST]; /* by step of the list */
  uint32_t user[2 * MOST];  /* by temporary place: the last user of what is in it */
  uint32_t n_places = 0;
  for (uint32_t i = 0; i < steps->n_list; i++) {
    for (uint32_t k = 0; k < dae_op_arity((DaeOp)steps->list[i].op); k++) {
      if (is_step(steps, steps->list[i].from[k])) {
        last_use[steps->list[i].from[k] - steps->n_columns] = i;
      }
    }
  }
  for (uint32_t i = 0; i < steps->n_list; i++) {
    DaeKernelStep *step = &steps->list[i];
    for (uint32_t k = 0; k < dae_op_arity((DaeOp)step->op); k++) {
      if (is_step(steps, step->from[k])) {
        step->from[k] = (uint16_t)(steps->n_columns + taken[step->from[k] - steps->n_columns]);
      }
    }
    uint32_t place = 0;
    while (place < n_places && user[place] > i) {
      place++;
    }
    n_places = MAX(n_places, place + 1);
    user[place] = last_use[i];
    taken[i] = (uint16_t)place;
    step->to = (uint16_t)(steps->n_columns + place);
  }
  return n_places;
}

void
dae_kernel_set_steps(DaeKernel *kernel, const DaeKernelStep *given, uint32_t n_given)
{
  DAE_ASSERT(n_given > 0 && n_given <= MOST);
  Steps steps = {.steps = given, .n_steps = n_given, .n_columns = kernel->n_columns};
  memset(steps.place, 0xff, sizeof steps.place);
  find_same(&steps);
  count_uses(&steps);
  write_place(&steps, (uint16_t)(steps.n_columns + n_given - 1));
  kernel->n_places = kernel->n_columns + reuse_places(&steps);
  kernel->n_steps = steps.n_list;
  kernel->steps = g_memdup2(steps.list, steps.n_list * sizeof *steps.list);
}
