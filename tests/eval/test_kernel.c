/* Kernels: the bits of single instructions, for every number of lanes, and a tape whose length
 * does not grow with the number of equal cells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/eval-priv.h"
#include "random_terms.h"
#include "unity.h"

enum { CELLS = 150, MOST = CELLS + 4 };

void
setUp(void)
{
}

void
tearDown(void)
{
}

typedef struct {
  DaeTerms *terms;
  DaeTerm x[MOST], rhs[MOST], constraints[MOST];
  uint32_t start[MOST + 1], columns[MOST];
  DaeTerm coefficients[MOST];
  DaeTerm parameter;
  uint32_t n, n_con;
} Cells;

static void
cells_init(Cells *cells, uint32_t n)
{
  *cells = (Cells){.terms = dae_terms_new(), .n = n};
  cells->parameter = dae_term_parameter(
      cells->terms, dae_terms_add_symbol(cells->terms, DAE_SYMBOL_PARAMETER, "p"));
  for (uint32_t i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf("x%u", i);
    const DaeSymbol symbol = dae_terms_add_symbol(cells->terms, DAE_SYMBOL_VARIABLE, name);
    cells->x[i] = dae_term_variable(cells->terms, symbol, 0);
    cells->coefficients[i] = dae_term_int(cells->terms, 1);
    cells->columns[i] = i;
    cells->start[i] = i;
  }
  cells->start[n] = n;
}

static DaeSystem *
system_of(const Cells *cells, DaeSystemOptions options)
{
  static const double value = 1.25;
  const DaeSystemParts parts = {.unknowns = cells->x,
                                .n = cells->n,
                                .row_start = cells->start,
                                .columns = cells->columns,
                                .coefficients = cells->coefficients,
                                .rhs = cells->rhs,
                                .n_diff = cells->n,
                                .constraints = cells->constraints,
                                .n_con = cells->n_con,
                                .segment = &cells->parameter,
                                .n_segment = 1,
                                .segment_values = &value};
  DaeSystem *system = dae_system_new(cells->terms, &parts, &options, NULL);
  TEST_ASSERT_NOT_NULL(system);
  return system;
}

static double
value_at(uint32_t i)
{
  return 0.25 + (double)(i * 37u % 101u) / 128.0;
}

/* Values and Jacobians of both, bit by bit. */
static void
check_same_bits(const DaeSystem *one, const DaeSystem *other)
{
  enum { LONGEST = 80 * MOST };

  const DaeEvaluator *a = dae_system_evaluator(one);
  const DaeEvaluator *b = dae_system_evaluator(other);
  void *scratch_a = dae_aligned_new0(a->scratch_size);
  void *scratch_b = dae_aligned_new0(b->scratch_size);
  static double x[MOST * DAE_LANES_MAX], f[2][LONGEST], g[2][LONGEST], k[2][LONGEST];
  static double gx[2][LONGEST];
  double t[DAE_LANES_MAX];
  TEST_ASSERT_TRUE(a->dynamics.row_start[a->n_diff] <= LONGEST);
  for (unsigned lanes = 1; lanes <= DAE_LANES_MAX; lanes++) {
    for (uint32_t i = 0; i < a->n * lanes; i++) {
      x[i] = value_at(i + lanes);
    }
    for (unsigned l = 0; l < lanes; l++) {
      t[l] = 0.5 + l;
    }
    DaeOut out[2] = {{.f = f[0], .g = g[0]}, {.f = f[1], .g = g[1]}};
    TEST_ASSERT_EQUAL_INT(a->eval(a->self, scratch_a, lanes, t, x, &out[0]),
                          b->eval(b->self, scratch_b, lanes, t, x, &out[1]));
    TEST_ASSERT_EQUAL_UINT32(out[0].fault, out[1].fault);
    TEST_ASSERT_EQUAL_MEMORY(f[0], f[1], a->n_diff * lanes * sizeof(double));
    if (a->n_con > 0) {
      TEST_ASSERT_EQUAL_MEMORY(g[0], g[1], a->n_con * lanes * sizeof(double));
    }
  }
  DaeJac jac[2] = {{.k = k[0], .gx = gx[0]}, {.k = k[1], .gx = gx[1]}};
  TEST_ASSERT_EQUAL_INT(a->jac(a->self, scratch_a, 0.5, x, x, &jac[0]),
                        b->jac(b->self, scratch_b, 0.5, x, x, &jac[1]));
  if (a->dynamics.row_start[a->n_diff] > 0) {
    TEST_ASSERT_EQUAL_MEMORY(k[0], k[1], a->dynamics.row_start[a->n_diff] * sizeof(double));
  }
  const uint32_t n_gx = a->constraint.row_start[a->n_con];
  if (n_gx > 0) {
    TEST_ASSERT_EQUAL_MEMORY(gx[0], gx[1], n_gx * sizeof(double));
    const uint32_t chosen[2] = {0, n_gx - 1};
    double values[2];
    DaeChosen *entries = b->entries_new(b->self, NULL, 0, chosen, 2);
    TEST_ASSERT_NOT_NULL(entries);
    TEST_ASSERT_EQUAL_INT(0, b->entries_at(b->self, scratch_b, entries, 0.5, x, values));
    TEST_ASSERT_TRUE(values[0] == gx[1][0] && values[1] == gx[1][n_gx - 1]);
    b->entries_free(entries);
  }
  free(scratch_a);
  free(scratch_b);
}

static void
check_cells(const Cells *cells)
{
  g_autoptr(DaeSystem) single = system_of(cells, (DaeSystemOptions){.single = true});
  g_autoptr(DaeSystem) kernels = system_of(cells, (DaeSystemOptions){0});
  check_same_bits(single, kernels);
  DaeEvalCost cost[2] = {{0}, {0}};
  const DaeEvaluator *a = dae_system_evaluator(single);
  const DaeEvaluator *b = dae_system_evaluator(kernels);
  a->cost(a->self, DAE_COST_F, &cost[0]);
  b->cost(b->self, DAE_COST_F, &cost[1]);
  TEST_ASSERT_EQUAL_UINT64(cost[0].calls, cost[1].calls);
  TEST_ASSERT_TRUE(cost[1].flops >= cost[0].flops);
}

/* neighbour[k] of cell i is (i + offsets[k]) mod n, so that some lie side by side. */
static void
random_cells(Cells *cells, uint32_t seed, const uint32_t *offsets, bool is_scattered)
{
  for (uint32_t i = 0; i < cells->n; i++) {
    g_autoptr(GRand) random = g_rand_new_with_seed(seed + (i % 7 == 3));
    const uint32_t at = is_scattered ? i * 59u : i;
    const DaeTerm atoms[4] = {cells->x[(at + offsets[0]) % cells->n],
                              cells->x[(at + offsets[1]) % cells->n], cells->parameter,
                              dae_term_time(cells->terms)};
    const RandomTerms source = {
        .terms = cells->terms, .random = random, .atoms = atoms, .n_atoms = 4};
    cells->rhs[i] = random_term(&source, 4);
  }
}

static void
test_random_cells_have_the_bits_of_single_instructions(void)
{
  for (uint32_t seed = 0; seed < 60; seed++) {
    Cells cells;
    const uint32_t offsets[2] = {seed % 5, 1 + seed % 3};
    cells_init(&cells, CELLS);
    random_cells(&cells, 1000 + 10 * seed, offsets, seed % 2 == 1);
    check_cells(&cells);
    dae_terms_free(cells.terms);
  }
}

/* Flows between cells are used twice; they are constraints in the first place, then shared. */
static void
shared_flows(Cells *cells)
{
  DaeTerms *terms = cells->terms;
  DaeTerm flow[MOST];
  for (uint32_t i = 0; i + 1 < cells->n; i++) {
    const DaeTerm drop = dae_term_sub(terms, cells->x[i], cells->x[i + 1]);
    flow[i] =
        dae_term_mul(terms, dae_term_call1(terms, DAE_FN_SIN, drop),
                     dae_term_add(terms, cells->parameter, dae_term_mul(terms, drop, drop)));
    cells->constraints[i] = dae_term_sub(terms, flow[i], dae_term_int(terms, i));
  }
  cells->n_con = cells->n - 1;
  for (uint32_t i = 0; i < cells->n; i++) {
    const DaeTerm zero = dae_term_int(terms, 0);
    const DaeTerm in = i > 0 ? flow[i - 1] : zero;
    cells->rhs[i] = dae_term_sub(terms, in, i + 1 < cells->n ? flow[i] : zero);
  }
}

static void
test_values_that_several_cells_use_are_computed_first(void)
{
  Cells cells;
  cells_init(&cells, CELLS);
  shared_flows(&cells);
  check_cells(&cells);
  g_autoptr(DaeSystem) native = system_of(&cells, (DaeSystemOptions){.native = true});
  g_autoptr(DaeSystem) single = system_of(&cells, (DaeSystemOptions){.single = true});
  check_same_bits(single, native);
  dae_terms_free(cells.terms);
}

/* Each value follows from the one before: nothing can be done at once. */
static void
test_a_recurrence_has_no_kernels_and_its_users_have(void)
{
  Cells cells;
  cells_init(&cells, CELLS);
  DaeTerm last = cells.x[0];
  for (uint32_t i = 0; i < cells.n; i++) {
    last = dae_term_call1(cells.terms, DAE_FN_SIN, dae_term_add(cells.terms, last, cells.x[i]));
    cells.rhs[i] = dae_term_mul(cells.terms, dae_term_call1(cells.terms, DAE_FN_EXP, last),
                                cells.parameter);
  }
  check_cells(&cells);
  dae_terms_free(cells.terms);
}

/* sqrt of a negative in one cell: the same row is named. */
static void
test_the_row_without_a_value_is_named(void)
{
  Cells cells;
  cells_init(&cells, CELLS);
  for (uint32_t i = 0; i < cells.n; i++) {
    const DaeTerm limit = dae_term_div(cells.terms, dae_term_int(cells.terms, i == 77 ? 2 : 0),
                                       dae_term_int(cells.terms, 1));
    cells.rhs[i] = dae_term_sqrt(
        cells.terms, dae_term_add(cells.terms, dae_term_sub(cells.terms, cells.x[i], limit),
                                  dae_term_mul(cells.terms, cells.x[i], cells.parameter)));
  }
  check_cells(&cells);
  dae_terms_free(cells.terms);
}

static uint32_t
tape_length(uint32_t n)
{
  Cells cells;
  cells_init(&cells, n);
  for (uint32_t i = 0; i < n; i++) {
    const DaeTerm parts[3] = {
        i > 0 ? cells.x[i - 1] : dae_term_int(cells.terms, 1),
        i + 1 < n ? cells.x[i + 1] : cells.x[i],
        dae_term_mul(cells.terms, dae_term_int(cells.terms, -2), cells.x[i])};
    cells.rhs[i] =
        dae_term_mul(cells.terms, cells.parameter, dae_term_sum(cells.terms, parts, 3));
  }
  g_autoptr(DaeTape) tape = NULL;
  g_autoptr(GArray) inputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_vals(inputs, cells.x, n);
  g_array_append_val(inputs, cells.parameter);
  tape = dae_tape_new(cells.terms, (const DaeTerm *)(void *)inputs->data, inputs->len,
                      cells.rhs, n, NULL);
  const uint32_t length = tape->full.n_instructions + tape->full.n_loads;
  dae_terms_free(cells.terms);
  return length;
}

static void
test_the_length_of_a_tape_is_that_of_its_shapes(void)
{
  TEST_ASSERT_EQUAL_UINT32(tape_length(CELLS - 20), tape_length(CELLS));
  TEST_ASSERT_TRUE(tape_length(CELLS) < 20);
}

/* Outputs of one shape lie two apart; some values are outputs twice, or are inputs, or are read by
 * other cells: those go through registers. */
static void
cells_in_turns(Cells *cells)
{
  DaeTerms *terms = cells->terms;
  for (uint32_t i = 0; i < cells->n; i++) {
    const DaeTerm next = cells->x[(i + 2) % cells->n];
    const DaeTerm product = dae_term_mul(terms, cells->x[i], next);
    cells->rhs[i] = i % 2 == 0 ? dae_term_add(terms, product, cells->parameter)
                               : dae_term_call1(terms, DAE_FN_SIN, product);
  }
  cells->rhs[CELLS - 2] = cells->rhs[0];
  cells->rhs[CELLS - 1] = cells->x[3];
  for (uint32_t i = 0; i < 100; i++) {
    cells->constraints[i] = dae_term_call1(terms, DAE_FN_EXP, cells->rhs[(2 * i + 11) % 61]);
  }
  cells->n_con = 100;
}

static void
test_outputs_in_turns_twice_and_read_by_others(void)
{
  Cells cells;
  cells_init(&cells, CELLS);
  cells_in_turns(&cells);
  check_cells(&cells);
  dae_terms_free(cells.terms);
}

static DaeTape *
tape_of_cells(const Cells *cells)
{
  return dae_tape_new(cells->terms, cells->x, cells->n, cells->rhs, cells->n, NULL);
}

/* Products of one factor and one cell, which several cells share, in sums of every kind. */
static DaeTerm
sum_of_products(const Cells *cells, uint32_t i, uint32_t form)
{
  DaeTerms *terms = cells->terms;
  DaeTerm part[3];
  for (uint32_t k = 0; k < 3; k++) {
    part[k] = dae_term_mul(terms, cells->parameter, cells->x[(i + k) % CELLS]);
  }
  const DaeTerm square = dae_term_mul(terms, part[0], part[0]);
  const DaeTerm other = dae_term_call1(terms, DAE_FN_SIN, cells->x[(i + 5) % CELLS]);
  const DaeTerm forms[] = {
      dae_term_add(terms, part[0], part[1]),
      dae_term_sub(terms, part[0], part[2]),
      dae_term_add(terms, other, part[1]),
      dae_term_sub(terms, other, part[1]),
      dae_term_sub(terms, part[1], other),
      dae_term_mul(terms, part[1], other),
      dae_term_sum(terms, part, 3),
      dae_term_sum(terms, (const DaeTerm[]){other, part[0], part[2]}, 3),
      dae_term_sub(terms, dae_term_add(terms, part[0], other), part[1]),
      dae_term_sub(terms, dae_term_mul(terms, other, cells->x[i]), part[1]),
      dae_term_sub(terms, part[1], dae_term_mul(terms, other, cells->x[i])),
      dae_term_add(terms, dae_term_mul(terms, other, cells->x[i]), part[1]),
      dae_term_add(terms, dae_term_mul(terms, square, square), square),
  };
  return form < G_N_ELEMENTS(forms) ? forms[form] : DAE_NO_TERM;
}

static void
test_products_that_cells_share_are_part_of_their_sums(void)
{
  bool is_there = true;
  for (uint32_t form = 0; is_there; form++) {
    Cells cells;
    cells_init(&cells, CELLS);
    for (uint32_t i = 0; i < cells.n; i++) {
      const DaeTerm part = dae_term_mul(cells.terms, cells.parameter, cells.x[i]);
      cells.rhs[i] = sum_of_products(&cells, i, form);
      is_there = cells.rhs[i] != DAE_NO_TERM;
      cells.rhs[i] = is_there ? cells.rhs[i] : dae_term_int(cells.terms, 0);
      cells.constraints[i] = dae_term_call1(cells.terms, DAE_FN_COS, part);
    }
    cells.n_con = cells.n;
    check_cells(&cells);
    dae_terms_free(cells.terms);
  }
}

/* Four neighbours of a cell, which have their products with one number in common with others. */
static void
test_a_sum_of_shared_products_takes_few_steps(void)
{
  Cells cells;
  cells_init(&cells, CELLS);
  for (uint32_t i = 0; i < cells.n; i++) {
    const uint32_t around[4] = {i, i + 1, i + 12, i + 13};
    DaeTerm parts[4];
    for (uint32_t k = 0; k < 4; k++) {
      parts[k] =
          dae_term_mul(cells.terms, dae_term_int(cells.terms, 100), cells.x[around[k] % CELLS]);
    }
    cells.rhs[i] = dae_term_sum(cells.terms, parts, 4);
  }
  check_cells(&cells);
  g_autoptr(DaeTape) tape = tape_of_cells(&cells);
  for (guint k = 0; k < tape->kernels->len; k++) {
    const DaeKernel *kernel = g_ptr_array_index(tape->kernels, k);
    TEST_ASSERT_TRUE(kernel->n_steps <= 3); /* a*x + a*y, then twice + a*x */
    TEST_ASSERT_TRUE(kernel->n_places <= kernel->n_columns + 1);
  }
  dae_terms_free(cells.terms);
}

/* Each cell reads its neighbours: one that is overwritten too early is seen. */
static void
test_outputs_may_lie_in_the_inputs(void)
{
  Cells cells;
  cells_init(&cells, CELLS);
  for (uint32_t i = 0; i < cells.n; i++) {
    cells.rhs[i] = dae_term_mul(cells.terms, cells.x[(i + CELLS - 1) % CELLS], cells.x[i]);
  }
  g_autoptr(DaeTape) tape = tape_of_cells(&cells);
  TEST_ASSERT_TRUE(tape->is_direct);
  void *scratch = dae_aligned_new0(dae_tape_scratch_size(tape));
  for (unsigned lanes = 1; lanes <= DAE_LANES_MAX; lanes++) {
    for (uint32_t shift = 0; shift <= 3; shift += 3) {
      double apart[CELLS * DAE_LANES_MAX];
      double in[CELLS * DAE_LANES_MAX];
      double both[(CELLS + 3) * DAE_LANES_MAX];
      for (uint32_t i = 0; i < CELLS * lanes; i++) {
        in[i] = both[i] = value_at(i);
      }
      TEST_ASSERT_EQUAL_INT(0, dae_tape_eval(tape, scratch, lanes, in, apart, NULL));
      TEST_ASSERT_EQUAL_INT(0, dae_tape_eval(tape, scratch, lanes, both, both + shift, NULL));
      TEST_ASSERT_EQUAL_MEMORY(apart, both + shift, CELLS * lanes * sizeof(double));
    }
  }
  free(scratch);
  dae_terms_free(cells.terms);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_random_cells_have_the_bits_of_single_instructions);
  RUN_TEST(test_values_that_several_cells_use_are_computed_first);
  RUN_TEST(test_a_recurrence_has_no_kernels_and_its_users_have);
  RUN_TEST(test_the_row_without_a_value_is_named);
  RUN_TEST(test_the_length_of_a_tape_is_that_of_its_shapes);
  RUN_TEST(test_outputs_in_turns_twice_and_read_by_others);
  RUN_TEST(test_outputs_may_lie_in_the_inputs);
  RUN_TEST(test_products_that_cells_share_are_part_of_their_sums);
  RUN_TEST(test_a_sum_of_shared_products_takes_few_steps);
  return UNITY_END();
}
