/* Systems as evaluators: exact Jacobians, patterns, faults, switches, native code. */
#include <math.h>
#include <string.h>

#include "eval/eval.h"
#include "random_terms.h"
#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* ---- a system under construction --------------------------------------------------------- */

typedef struct {
  DaeTerms *terms;
  GArray *unknowns, *row_start, *columns, *coefficients, *rhs, *constraints;
} Parts;

static void
parts_init(Parts *parts)
{
  const uint32_t zero = 0;
  parts->terms = dae_terms_new();
  parts->unknowns = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  parts->row_start = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  parts->columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  parts->coefficients = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  parts->rhs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  parts->constraints = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_val(parts->row_start, zero);
}

static void
parts_clear(Parts *parts)
{
  g_array_free(parts->unknowns, TRUE);
  g_array_free(parts->row_start, TRUE);
  g_array_free(parts->columns, TRUE);
  g_array_free(parts->coefficients, TRUE);
  g_array_free(parts->rhs, TRUE);
  g_array_free(parts->constraints, TRUE);
  dae_terms_free(parts->terms);
}

static DaeTerm
add_unknown(Parts *parts, const char *name)
{
  const DaeSymbol symbol = dae_terms_add_symbol(parts->terms, DAE_SYMBOL_VARIABLE, name);
  const DaeTerm t = dae_term_variable(parts->terms, symbol, 0);
  g_array_append_val(parts->unknowns, t);
  return t;
}

static void
add_entry(Parts *parts, uint32_t column, DaeTerm coefficient)
{
  g_array_append_val(parts->columns, column);
  g_array_append_val(parts->coefficients, coefficient);
}

static void
end_row(Parts *parts, DaeTerm rhs)
{
  g_array_append_val(parts->row_start, parts->columns->len);
  g_array_append_val(parts->rhs, rhs);
}

enum { TAPE, NATIVE_STAGES, NATIVE_STEPS };

static DaeSystem *
make_system(const Parts *parts, int kind)
{
  const DaeSystemParts system_parts = {
      .unknowns = (const DaeTerm *)(void *)parts->unknowns->data,
      .n = parts->unknowns->len,
      .row_start = (const uint32_t *)(void *)parts->row_start->data,
      .columns = (const uint32_t *)(void *)parts->columns->data,
      .coefficients = (const DaeTerm *)(void *)parts->coefficients->data,
      .rhs = (const DaeTerm *)(void *)parts->rhs->data,
      .n_diff = parts->rhs->len,
      .constraints = (const DaeTerm *)(void *)parts->constraints->data,
      .n_con = parts->constraints->len};
  const DaeSystemOptions options = {.native = kind != TAPE, .fixed_step = kind == NATIVE_STEPS};
  g_autoptr(GError) error = NULL;
  DaeSystem *system = dae_system_new(parts->terms, &system_parts, &options, &error);
  TEST_ASSERT_NULL_MESSAGE(error, error != NULL ? error->message : "");
  return system;
}

static void *
scratch_of(const DaeEvaluator *evaluator)
{
  return dae_aligned_new0(evaluator->scratch_size);
}

/* A random system of n unknowns with a state-dependent leading matrix, time and a wide gap
 * to singularities not assured. */
static void
random_parts(Parts *parts, GRand *random, uint32_t n, uint32_t n_diff, uint32_t n_con)
{
  DaeTerm atoms[16];
  for (uint32_t j = 0; j < n; j++) {
    g_autofree char *name = g_strdup_printf("x%u", j);
    atoms[j] = add_unknown(parts, name);
  }
  atoms[n] = dae_term_time(parts->terms);
  const RandomTerms source = {parts->terms, random, atoms, n + 1, true};
  for (uint32_t i = 0; i < n_diff; i++) {
    for (uint32_t j = 0; j < n; j++) {
      if (g_rand_int_range(random, 0, 3) == 0) {
        add_entry(parts, j, random_term(&source, 2));
      }
    }
    end_row(parts, random_term(&source, 3));
  }
  for (uint32_t i = 0; i < n_con; i++) {
    const DaeTerm g = random_term(&source, 3);
    g_array_append_val(parts->constraints, g);
  }
}

/* ---- Jacobians against differences ------------------------------------------------------- */

/* f - M x' at a point. */
static int
residual(const DaeEvaluator *evaluator, void *scratch, double t, const double *x,
         const double *xdot, double *r, double *g)
{
  g_autofree double *m = g_new0(double, evaluator->mass.row_start[evaluator->n_diff] + 1);
  DaeOut out = {.f = r, .g = g, .m = m};
  const int status = evaluator->eval(evaluator->self, scratch, 1, &t, x, &out);
  for (uint32_t i = 0; i < evaluator->n_diff; i++) {
    for (uint32_t e = evaluator->mass.row_start[i]; e < evaluator->mass.row_start[i + 1]; e++) {
      r[i] -= m[e] * xdot[evaluator->mass.column[e]];
    }
  }
  return status;
}

static double
entry_or_zero(const DaePattern *pattern, const double *values, uint32_t i, uint32_t j)
{
  for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
    if (pattern->column[e] == j) {
      return values[e];
    }
  }
  return 0.0;
}

typedef struct {
  double x[16], xdot[16], t;
} Point;

/* Central differences in direction j (j == n: time) against the Jacobian; false if a
 * neighbour is outside the domain. */
static bool
check_direction(const DaeEvaluator *evaluator, void *scratch, const Point *point, uint32_t j,
                const DaeJac *jac)
{
  double r[2][16];
  double g[2][16];
  const double step = 1e-6;
  for (int side = 0; side < 2; side++) {
    Point moved = *point;
    *(j < evaluator->n ? &moved.x[j] : &moved.t) += side == 0 ? -step : step;
    if (residual(evaluator, scratch, moved.t, moved.x, moved.xdot, r[side], g[side]) != 0) {
      return false;
    }
  }
  for (uint32_t i = 0; i < evaluator->n_diff; i++) {
    const double exact =
        j < evaluator->n ? entry_or_zero(&evaluator->dynamics, jac->k, i, j) : jac->ft[i];
    const double scale = 1.0 + fabs(exact) + fabs(r[0][i]) * 1e-3;
    if (fabs(exact) < 1e4 && fabs(r[0][i]) < 1e4) {
      TEST_ASSERT_DOUBLE_WITHIN(2e-4 * scale, exact, (r[1][i] - r[0][i]) / (2.0 * step));
    }
  }
  for (uint32_t i = 0; i < evaluator->n_con; i++) {
    const double exact =
        j < evaluator->n ? entry_or_zero(&evaluator->constraint, jac->gx, i, j) : jac->gt[i];
    const double scale = 1.0 + fabs(exact) + fabs(g[0][i]) * 1e-3;
    if (fabs(exact) < 1e4 && fabs(g[0][i]) < 1e4) {
      TEST_ASSERT_DOUBLE_WITHIN(2e-4 * scale, exact, (g[1][i] - g[0][i]) / (2.0 * step));
    }
  }
  return true;
}

typedef struct {
  double k[256], gx[256], gt[16], ft[16], m[256];
} JacobianStore;

static DaeJac
jac_of(JacobianStore *store)
{
  return (DaeJac){
      .k = store->k, .gx = store->gx, .gt = store->gt, .ft = store->ft, .m = store->m};
}

static void
random_state(Point *point, GRand *random)
{
  for (uint32_t j = 0; j < 16; j++) {
    point->x[j] = g_rand_double_range(random, 0.2, 1.5);
    point->xdot[j] = g_rand_double_range(random, -1.0, 1.0);
  }
  point->t = g_rand_double_range(random, 0.0, 1.0);
}

static void
test_jacobians_agree_with_differences_on_random_systems(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(5);
  uint32_t n_checked = 0;
  for (int round = 0; round < 60; round++) {
    Parts parts;
    parts_init(&parts);
    random_parts(&parts, random, 5, 4, 3);
    g_autoptr(DaeSystem) system = make_system(&parts, TAPE);
    const DaeEvaluator *evaluator = dae_system_evaluator(system);
    void *scratch = scratch_of(evaluator);
    Point point;
    JacobianStore store;
    DaeJac jac = jac_of(&store);
    random_state(&point, random);
    if (evaluator->jac(evaluator->self, scratch, point.t, point.x, point.xdot, &jac) == 0) {
      for (uint32_t j = 0; j <= evaluator->n; j++) {
        n_checked += check_direction(evaluator, scratch, &point, j, &jac);
      }
    }
    free(scratch);
    parts_clear(&parts);
  }
  TEST_ASSERT_GREATER_THAN(60, n_checked);
}

/* ---- lanes, subsets, native code --------------------------------------------------------- */

static void
compare_bits(const double *expected, const double *actual, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    TEST_ASSERT_TRUE(isnan(expected[i]) ? isnan(actual[i]) : expected[i] == actual[i]);
  }
}

/* All lanes, together and with each member alone, in both systems: the same bits. */
static void
compare_systems(const DaeEvaluator *one, const DaeEvaluator *other, GRand *random)
{
  void *scratch = scratch_of(one);
  void *other_scratch = scratch_of(other);
  const uint32_t n_mass = one->mass.row_start[one->n_diff];
  for (unsigned lanes = 1; lanes <= DAE_LANES_MAX; lanes++) {
    double x[16 * DAE_LANES_MAX];
    double t[DAE_LANES_MAX];
    double a[3][64 * DAE_LANES_MAX];
    double b[3][64 * DAE_LANES_MAX];
    for (uint32_t i = 0; i < one->n * lanes; i++) {
      x[i] = g_rand_double_range(random, 0.2, 1.5);
      t[i % lanes] = x[i];
    }
    DaeOut all = {.f = a[0], .g = a[1], .m = a[2]};
    const int status = one->eval(one->self, scratch, lanes, t, x, &all);
    for (uint32_t want = 1; want < 8; want++) {
      DaeOut some = {.f = (want & 1u) != 0 ? b[0] : NULL,
                     .g = (want & 2u) != 0 ? b[1] : NULL,
                     .m = (want & 4u) != 0 ? b[2] : NULL};
      const int other_status = other->eval(other->self, other_scratch, lanes, t, x, &some);
      TEST_ASSERT_TRUE(other_status <= status);
      compare_bits(a[0], b[0], (want & 1u) != 0 ? (size_t)one->n_diff * lanes : 0);
      compare_bits(a[1], b[1], (want & 2u) != 0 ? (size_t)one->n_con * lanes : 0);
      compare_bits(a[2], b[2], (want & 4u) != 0 ? (size_t)n_mass * lanes : 0);
    }
  }
  free(scratch);
  free(other_scratch);
}

static void
test_wanted_members_and_lanes_do_not_change_bits(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(17);
  for (int round = 0; round < 30; round++) {
    Parts parts;
    parts_init(&parts);
    random_parts(&parts, random, 5, 4, 3);
    g_autoptr(DaeSystem) system = make_system(&parts, TAPE);
    compare_systems(dae_system_evaluator(system), dae_system_evaluator(system), random);
    parts_clear(&parts);
  }
}

static void
test_native_code_gives_the_bits_of_the_tape(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(23);
  for (int round = 0; round < 3; round++) {
    Parts parts;
    parts_init(&parts);
    random_parts(&parts, random, 6, 5, 4);
    g_autoptr(DaeSystem) system = make_system(&parts, TAPE);
    g_autoptr(DaeSystem) native =
        make_system(&parts, round == 0 ? NATIVE_STEPS : NATIVE_STAGES);
    const DaeEvaluator *one = dae_system_evaluator(system);
    const DaeEvaluator *other = dae_system_evaluator(native);
    compare_systems(one, other, random);
    void *scratch = scratch_of(one);
    void *other_scratch = scratch_of(other);
    for (int i = 0; i < 20; i++) {
      Point point;
      JacobianStore a;
      JacobianStore b;
      DaeJac jac_a = jac_of(&a);
      DaeJac jac_b = jac_of(&b);
      random_state(&point, random);
      if (i % 2 == 0) { /* what is compiled; with all parts the tape runs */
        jac_a.ft = jac_b.ft = NULL;
        jac_a.gt = round == 0 ? NULL : jac_a.gt;
        jac_b.gt = round == 0 ? NULL : jac_b.gt;
      }
      TEST_ASSERT_EQUAL_INT(
          one->jac(one->self, scratch, point.t, point.x, point.xdot, &jac_a),
          other->jac(other->self, other_scratch, point.t, point.x, point.xdot, &jac_b));
      compare_bits(a.k, b.k, one->dynamics.row_start[one->n_diff]);
      compare_bits(a.gx, b.gx, one->constraint.row_start[one->n_con]);
      if (jac_a.ft != NULL) {
        compare_bits(a.gt, b.gt, one->n_con);
        compare_bits(a.ft, b.ft, one->n_diff);
      }
    }
    free(scratch);
    free(other_scratch);
    parts_clear(&parts);
  }
}

/* What a scratch remembers of earlier evaluations (constants, values of the time alone) shows in no
 * result: random members, lanes and times that often come again, against a new scratch for each. */
static void
check_memory(const DaeEvaluator *ev, GRand *random)
{
  void *used = scratch_of(ev);
  double times[3][DAE_LANES_MAX];
  for (uint32_t i = 0; i < 3 * DAE_LANES_MAX; i++) {
    times[i / DAE_LANES_MAX][i % DAE_LANES_MAX] = g_rand_double_range(random, 0.0, 1.0);
  }
  for (int round = 0; round < 60; round++) {
    static const unsigned usual[4] = {1, 4, 8, 3};
    const unsigned lanes = usual[g_rand_int_range(random, 0, 4)];
    const double *t = times[g_rand_int_range(random, 0, 3)];
    const uint32_t want = (uint32_t)g_rand_int_range(random, 1, 8);
    double x[16 * DAE_LANES_MAX];
    double a[3][64 * DAE_LANES_MAX] = {{0.0}};
    double b[3][64 * DAE_LANES_MAX] = {{0.0}};
    for (uint32_t i = 0; i < ev->n * lanes; i++) {
      x[i] = g_rand_double_range(random, 0.2, 1.5);
    }
    DaeOut out[2];
    for (uint32_t k = 0; k < 2; k++) {
      double(*to)[64 * DAE_LANES_MAX] = k == 0 ? a : b;
      out[k] = (DaeOut){.f = (want & 1u) != 0 ? to[0] : NULL,
                        .g = (want & 2u) != 0 ? to[1] : NULL,
                        .m = (want & 4u) != 0 ? to[2] : NULL};
    }
    void *fresh = scratch_of(ev);
    TEST_ASSERT_EQUAL_INT(ev->eval(ev->self, fresh, lanes, t, x, &out[0]),
                          ev->eval(ev->self, used, lanes, t, x, &out[1]));
    for (uint32_t g = 0; g < 3; g++) {
      compare_bits(a[g], b[g], G_N_ELEMENTS(a[g]));
    }
    free(fresh);
  }
  free(used);
}

static void
test_earlier_evaluations_leave_no_trace(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(31);
  for (int round = 0; round < 30; round++) {
    Parts parts;
    parts_init(&parts);
    random_parts(&parts, random, 5, 4, 3);
    g_autoptr(DaeSystem) system = make_system(&parts, TAPE);
    check_memory(dae_system_evaluator(system), random);
    if (round == 0) {
      g_autoptr(DaeSystem) native = make_system(&parts, NATIVE_STAGES);
      check_memory(dae_system_evaluator(native), random);
    }
    parts_clear(&parts);
  }
}

/* Every second entry, at two points: the bits of the whole Jacobian; entries that are said not to
 * depend on the unknowns keep theirs, whatever x is. */
static uint32_t
check_chosen_entries(const DaeEvaluator *ev, GRand *random)
{
  const uint32_t n_mass = ev->mass.row_start[ev->n_diff];
  const uint32_t n_gx = ev->constraint.row_start[ev->n_con];
  uint32_t mass[256];
  uint32_t gx[256];
  uint32_t of_mass = 0;
  uint32_t of_gx = 0;
  for (uint32_t e = 0; e < n_mass; e += 2) {
    mass[of_mass++] = e;
  }
  for (uint32_t e = 1; e < n_gx; e += 2) {
    gx[of_gx++] = e;
  }
  void *scratch = scratch_of(ev);
  DaeChosen *chosen = ev->entries_new(ev->self, mass, of_mass, gx, of_gx);
  TEST_ASSERT_NOT_NULL(chosen);
  uint32_t n_checked = 0;
  double before[256];
  double t_before = NAN;
  double t_of_before = NAN;
  for (int round = 0; round < 4; round++) {
    Point point;
    JacobianStore store;
    DaeJac jac = jac_of(&store);
    double values[512];
    random_state(&point, random);
    point.t = round % 2 == 1 ? t_before : point.t;
    t_before = point.t;
    const int code = ev->entries_at(ev->self, scratch, chosen, point.t, point.x, values);
    if (ev->jac(ev->self, scratch, point.t, point.x, point.xdot, &jac) != 0 || code != 0) {
      continue;
    }
    for (uint32_t e = 0; e < of_mass; e++) {
      TEST_ASSERT_TRUE(values[e] == store.m[mass[e]]);
    }
    for (uint32_t e = 0; e < of_gx; e++) {
      TEST_ASSERT_TRUE(values[of_mass + e] == store.gx[gx[e]]);
    }
    for (uint32_t e = 0; t_of_before == point.t && e < n_gx; e++) {
      TEST_ASSERT_TRUE(ev->constraint_depends[e] > DAE_DEPENDS_TIME ||
                       before[e] == store.gx[e]);
    }
    memcpy(before, store.gx, sizeof before);
    t_of_before = point.t;
    n_checked++;
  }
  ev->entries_free(chosen);
  free(scratch);
  return n_checked;
}

static void
test_chosen_entries_are_those_of_the_whole_jacobian(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(41);
  uint32_t n_checked = 0;
  for (int round = 0; round < 60; round++) {
    Parts parts;
    parts_init(&parts);
    random_parts(&parts, random, 5, 4, 3);
    g_autoptr(DaeSystem) system = make_system(&parts, TAPE);
    n_checked += check_chosen_entries(dae_system_evaluator(system), random);
    parts_clear(&parts);
  }
  TEST_ASSERT_GREATER_THAN(60, n_checked);
}

static void
test_a_constant_leading_matrix_is_known_as_one(void)
{
  for (int kind = 0; kind < 3; kind++) {
    Parts parts;
    parts_init(&parts);
    const DaeTerm x = add_unknown(&parts, "x");
    const DaeTerm entries[3] = {dae_term_ratio(parts.terms, 3, 2), x,
                                dae_term_time(parts.terms)};
    add_entry(&parts, 0, entries[kind]);
    end_row(&parts, x);
    g_autoptr(DaeSystem) system = make_system(&parts, false);
    TEST_ASSERT_TRUE(dae_system_evaluator(system)->mass_is_constant == (kind == 0));
    parts_clear(&parts);
  }
}

/* ---- faults, switches, size -------------------------------------------------------------- */

static void
test_a_fault_names_its_row(void)
{
  Parts parts;
  parts_init(&parts);
  const DaeTerm x = add_unknown(&parts, "x");
  const DaeTerm y = add_unknown(&parts, "y");
  const DaeTerm one = dae_term_int(parts.terms, 1);
  add_entry(&parts, 0, one);
  end_row(&parts, y);
  add_entry(&parts, 1, dae_term_call1(parts.terms, DAE_FN_LOG, x));
  end_row(&parts, x);
  const DaeTerm g = dae_term_sqrt(parts.terms, y);
  g_array_append_val(parts.constraints, x);
  g_array_append_val(parts.constraints, g);
  g_autoptr(DaeSystem) system = make_system(&parts, TAPE);
  const DaeEvaluator *evaluator = dae_system_evaluator(system);
  void *scratch = scratch_of(evaluator);
  double f[2];
  double gv[2];
  double m[2];
  DaeOut out = {.f = f, .g = gv, .m = m};
  const double t = 0.0;
  const double bad_m[2] = {-1.0, 1.0};
  TEST_ASSERT_EQUAL_INT(1, evaluator->eval(evaluator->self, scratch, 1, &t, bad_m, &out));
  TEST_ASSERT_EQUAL_UINT32(1, out.fault);
  const double bad_g[2] = {1.0, -1.0};
  TEST_ASSERT_EQUAL_INT(1, evaluator->eval(evaluator->self, scratch, 1, &t, bad_g, &out));
  TEST_ASSERT_EQUAL_UINT32(3, out.fault);
  free(scratch);
  parts_clear(&parts);
}

/* 2/(exp(u) + 1) - 1 of u = -1000*x + 3*y */
static DaeTerm
friction_of(Parts *parts, DaeTerm x, DaeTerm y)
{
  DaeTerms *terms = parts->terms;
  DaeTerm u = dae_term_sub(terms, dae_term_mul(terms, dae_term_int(terms, 3), y),
                           dae_term_mul(terms, dae_term_int(terms, 1000), x));
  DaeTerm divisor =
      dae_term_add(terms, dae_term_call1(terms, DAE_FN_EXP, u), dae_term_int(terms, 1));
  DaeTerm two = dae_term_int(terms, 2);
  return dae_term_sub(terms, dae_term_div(terms, two, divisor), dae_term_int(terms, 1));
}

/* (1 + x^2) x' = friction, y' = friction + y^2, 0 = friction - 2*x: where exp(u) is too large its
 * derivative is inf/inf, and that of the whole row is known all the same. */
static void
test_derivatives_that_overflow_are_taken_by_differences(void)
{
  Parts parts;
  parts_init(&parts);
  const DaeTerm x = add_unknown(&parts, "x");
  const DaeTerm y = add_unknown(&parts, "y");
  const DaeTerm friction = friction_of(&parts, x, y);
  const DaeTerm one = dae_term_int(parts.terms, 1);
  const DaeTerm two = dae_term_int(parts.terms, 2);
  add_entry(&parts, 0, dae_term_add(parts.terms, one, dae_term_mul(parts.terms, x, x)));
  end_row(&parts, friction);
  add_entry(&parts, 1, one);
  end_row(&parts, dae_term_add(parts.terms, friction, dae_term_mul(parts.terms, y, y)));
  DaeTerm g = dae_term_sub(parts.terms, friction, dae_term_mul(parts.terms, two, x));
  g_array_append_val(parts.constraints, g);
  g_autoptr(DaeSystem) system = make_system(&parts, TAPE);
  const DaeEvaluator *ev = dae_system_evaluator(system);
  void *scratch = scratch_of(ev);
  const double point[2] = {-2.0, 0.5};
  const double xdot[2] = {0.25, -1.0};
  double k[4];
  double gx[2];
  double m[2];
  DaeJac jac = {.k = k, .gx = gx, .m = m};
  TEST_ASSERT_EQUAL_INT(0, ev->jac(ev->self, scratch, 0.0, point, xdot, &jac));
  TEST_ASSERT_EQUAL_DOUBLE(5.0, m[0]);
  for (uint32_t i = 0; i < 2; i++) {
    for (uint32_t e = ev->dynamics.row_start[i]; e < ev->dynamics.row_start[i + 1]; e++) {
      /* d(friction - (1 + x^2) x')/dx = -2 x x', and d(friction + y^2)/dy = 2 y */
      bool is_diagonal = ev->dynamics.column[e] == i;
      double expected = !is_diagonal ? 0.0 : i == 0 ? -2.0 * point[0] * xdot[0] : 2 * point[1];
      TEST_ASSERT_DOUBLE_WITHIN(1e-8, expected, k[e]);
    }
  }
  for (uint32_t e = 0; e < ev->constraint.row_start[1]; e++) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, ev->constraint.column[e] == 0 ? -2.0 : 0.0, gx[e]);
  }
  const double outside[2] = {NAN, 0.5};
  TEST_ASSERT_NOT_EQUAL(0, ev->jac(ev->self, scratch, 0.0, outside, xdot, &jac));
  free(scratch);
  parts_clear(&parts);
}

static void
test_relations_give_switching_functions_except_inside_noevent(void)
{
  Parts parts;
  parts_init(&parts);
  DaeTerms *terms = parts.terms;
  const DaeTerm x = add_unknown(&parts, "x");
  const DaeTerm zero = dae_term_int(terms, 0);
  const DaeTerm two = dae_term_int(terms, 2);
  const DaeTerm seen =
      dae_term_if(terms, dae_term_relation(terms, DAE_REL_GT, x, two), x, zero);
  const DaeTerm hidden = dae_term_call1(
      terms, DAE_FN_NOEVENT,
      dae_term_if(terms, dae_term_relation(terms, DAE_REL_LT, x, zero), two, zero));
  add_entry(&parts, 0, dae_term_int(terms, 1));
  end_row(&parts, dae_term_add(terms, seen, hidden));
  g_autoptr(DaeSystem) system = make_system(&parts, TAPE);
  const DaeEvaluator *evaluator = dae_system_evaluator(system);
  TEST_ASSERT_EQUAL_UINT32(1, evaluator->n_switches);
  void *scratch = scratch_of(evaluator);
  double value;
  const double at = 5.0;
  TEST_ASSERT_EQUAL_INT(0, evaluator->switches(evaluator->self, scratch, 0.0, &at, &value));
  TEST_ASSERT_EQUAL_DOUBLE(3.0, fabs(value));
  free(scratch);
  parts_clear(&parts);
}

/* N masses on rods, one hanging from the next, in reduced form but
 * for the multipliers' equations. */
static void
chain_parts(Parts *parts, uint32_t n)
{
  DaeTerms *terms = parts->terms;
  const DaeTerm one = dae_term_int(terms, 1);
  DaeTerm before[2] = {dae_term_int(terms, 0), dae_term_int(terms, 0)};
  GArray *positions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < n; i++) {
    static const char *const names[] = {"x%u", "y%u", "u%u", "v%u", "l%u"};
    DaeTerm q[5];
    for (uint32_t k = 0; k < 5; k++) {
      char name[32];
      g_snprintf(name, sizeof name, names[k], i);
      q[k] = add_unknown(parts, name);
    }
    g_array_append_vals(positions, q, 5);
  }
  for (uint32_t i = 0; i < n; i++) {
    const DaeTerm *q = &g_array_index(positions, DaeTerm, (size_t)5 * i);
    const DaeTerm *next = i + 1 < n ? q + 5 : NULL;
    DaeTerm d[2];
    for (uint32_t k = 0; k < 2; k++) {
      d[k] = dae_term_sub(terms, q[k], before[k]);
      DaeTerm force = dae_term_mul(terms, q[4], d[k]);
      if (next != NULL) {
        force = dae_term_sub(terms, force,
                             dae_term_mul(terms, next[4], dae_term_sub(terms, next[k], q[k])));
      }
      add_entry(parts, 5 * i + k, one);
      end_row(parts, q[2 + k]);
      add_entry(parts, 5 * i + 2 + k, one);
      end_row(parts,
              k == 0 ? force : dae_term_sub(terms, force, dae_term_ratio(terms, 981, 100)));
      before[k] = q[k];
    }
    const DaeTerm g = dae_term_sub(
        terms,
        dae_term_add(terms, dae_term_pow_int(terms, d[0], 2), dae_term_pow_int(terms, d[1], 2)),
        one);
    g_array_append_val(parts->constraints, g);
  }
  g_array_free(positions, TRUE);
}

static size_t
scratch_of_chain(uint32_t n)
{
  Parts parts;
  parts_init(&parts);
  chain_parts(&parts, n);
  g_autoptr(DaeSystem) system = make_system(&parts, TAPE);
  const DaeEvaluator *evaluator = dae_system_evaluator(system);
  const size_t size =
      evaluator->scratch_size + evaluator->dynamics.row_start[evaluator->n_diff];
  parts_clear(&parts);
  return size;
}

static void
test_a_chain_of_1000_pendula_costs_twice_one_of_500(void)
{
  const size_t half = scratch_of_chain(500);
  const size_t whole = scratch_of_chain(1000);
  TEST_ASSERT_TRUE(whole < half * 21 / 10);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_jacobians_agree_with_differences_on_random_systems);
  RUN_TEST(test_wanted_members_and_lanes_do_not_change_bits);
  RUN_TEST(test_native_code_gives_the_bits_of_the_tape);
  RUN_TEST(test_earlier_evaluations_leave_no_trace);
  RUN_TEST(test_a_constant_leading_matrix_is_known_as_one);
  RUN_TEST(test_chosen_entries_are_those_of_the_whole_jacobian);
  RUN_TEST(test_a_fault_names_its_row);
  RUN_TEST(test_derivatives_that_overflow_are_taken_by_differences);
  RUN_TEST(test_relations_give_switching_functions_except_inside_noevent);
  RUN_TEST(test_a_chain_of_1000_pendula_costs_twice_one_of_500);
  return UNITY_END();
}
