/* Elimination of linear initial equations against ranks modulo a prime and all subsets. */
#include "initcheck/initcheck-priv.h"

#include <math.h>
#include <string.h>
#include <unity.h>

#include "cases.h"
#include "inside.h"

#define MOST 7
#define PRIME 2147483647LL

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* ---- the other way: ranks modulo a prime ------------------------------------------------- */

typedef struct {
  int n, m;                  /* unknowns, equations */
  int64_t a[MOST][MOST + 1]; /* the last column: right side */
} System;

static int64_t
power(int64_t base, int64_t exponent)
{
  int64_t result = 1;
  base = (base % PRIME + PRIME) % PRIME;
  for (; exponent > 0; exponent /= 2) {
    result = exponent % 2 == 1 ? result * base % PRIME : result;
    base = base * base % PRIME;
  }
  return result;
}

/* Of the rows in the set, with or without the right side. */
static int
rank_of(const System *system, unsigned set, bool with_right_side)
{
  int64_t a[MOST][MOST + 1];
  int m = 0;
  for (int i = 0; i < system->m; i++) {
    if ((set >> i & 1u) != 0) {
      for (int j = 0; j <= system->n; j++) {
        a[m][j] = (system->a[i][j] % PRIME + PRIME) % PRIME;
      }
      m++;
    }
  }
  int rank = 0;
  for (int j = 0; j < system->n + (with_right_side ? 1 : 0) && rank < m; j++) {
    int pivot = rank;
    while (pivot < m && a[pivot][j] == 0) {
      pivot++;
    }
    if (pivot == m) {
      continue;
    }
    for (int k = 0; k <= system->n; k++) {
      int64_t swap = a[pivot][k];
      a[pivot][k] = a[rank][k];
      a[rank][k] = swap;
    }
    int64_t inverse = power(a[rank][j], PRIME - 2);
    for (int i = rank + 1; i < m; i++) {
      int64_t factor = a[i][j] * inverse % PRIME;
      for (int k = j; k <= system->n; k++) {
        a[i][k] = ((a[i][k] - factor * a[rank][k]) % PRIME + PRIME) % PRIME;
      }
    }
    rank++;
  }
  return rank;
}

static bool
is_consistent(const System *system, unsigned set)
{
  return rank_of(system, set, false) == rank_of(system, set, true);
}

/* The number of equations in the smallest set that contradicts itself; 0: none does. */
static int
smallest_conflict(const System *system)
{
  int smallest = 0;
  for (unsigned set = 1; set < 1u << system->m; set++) {
    int size = __builtin_popcount(set);
    if ((smallest == 0 || size < smallest) && !is_consistent(system, set)) {
      smallest = size;
    }
  }
  return smallest;
}

static char *
text_of(const System *system)
{
  GString *out = g_string_new(NULL);
  for (int j = 0; j < system->n; j++) {
    g_string_append_printf(out, "Real x%d; ", j);
  }
  g_string_append(out, "initial equation ");
  for (int i = 0; i < system->m; i++) {
    for (int j = 0; j < system->n; j++) {
      g_string_append_printf(out, "%s%" G_GINT64_FORMAT "*x%d", j > 0 ? " + " : "",
                             system->a[i][j], j);
    }
    g_string_append_printf(out, " = %" G_GINT64_FORMAT "; ", system->a[i][system->n]);
  }
  g_string_append(out, "equation ");
  for (int j = 0; j < system->n; j++) {
    g_string_append_printf(out, "der(x%d) = x%d; ", j, (j + 1) % system->n);
  }
  return g_string_free(out, FALSE);
}

/* Rows that are combinations of a few; the right side fits, unless it is spoiled. */
static System
random_system(GRand *random, bool spoil)
{
  System system = {.n = g_rand_int_range(random, 1, 5), .m = g_rand_int_range(random, 1, 6)};
  int64_t point[MOST];
  for (int j = 0; j < system.n; j++) {
    point[j] = g_rand_int_range(random, -4, 5);
  }
  for (int i = 0; i < system.m; i++) {
    bool combines = i > 1 && g_rand_int_range(random, 0, 3) == 0;
    int64_t s = g_rand_int_range(random, -2, 3);
    for (int j = 0; j < system.n; j++) {
      bool is_there = g_rand_int_range(random, 0, 3) > 0;
      system.a[i][j] = combines   ? system.a[i - 1][j] + s * system.a[i - 2][j]
                       : is_there ? g_rand_int_range(random, -3, 4)
                                  : 0;
    }
    for (int j = 0; j < system.n; j++) {
      system.a[i][system.n] += system.a[i][j] * point[j];
    }
  }
  if (spoil) {
    system.a[g_rand_int_range(random, 0, system.m)][system.n] += 1;
  }
  return system;
}

/* ---- verdicts ---------------------------------------------------------------------------- */

static void
check_random(int seed, bool spoil)
{
  g_autoptr(GRand) random = g_rand_new_with_seed((guint32)seed);
  System system = random_system(random, spoil);
  g_autofree char *text = text_of(&system);
  unsigned all = (1u << system.m) - 1;
  int rank = rank_of(&system, all, false);
  Checked checked = check_text("random", text, NULL);
  if (is_consistent(&system, all)) {
    TEST_ASSERT_EQUAL_UINT_MESSAGE(0, dae_init_n_conflicts(checked.init), text);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(system.m - rank, dae_init_n_redundant(checked.init), text);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(system.n - rank, dae_init_missing(checked.init), text);
  } else {
    TEST_ASSERT_GREATER_OR_EQUAL_UINT_MESSAGE(1, dae_init_n_conflicts(checked.init), text);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(smallest_conflict(&system),
                                   dae_init_conflict(checked.init, 0)->n_premises, text);
  }
  g_autofree char *why = NULL;
  TEST_ASSERT_TRUE_MESSAGE(checked_verifies(&checked, &why), why);
  checked_clear(&checked);
}

static void
test_consistent_systems_have_the_rank_of_their_matrix(void)
{
  for (int seed = 0; seed < 120; seed++) {
    check_random(seed, false);
  }
}

static void
test_the_smallest_conflict_is_the_smallest_of_all_subsets(void)
{
  for (int seed = 0; seed < 120; seed++) {
    check_random(1000 + seed, true);
  }
}

static void
test_each_conflict_contradicts_and_none_of_its_parts_does(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(77);
  for (int k = 0; k < 60; k++) {
    System system = random_system(random, true);
    g_autofree char *text = text_of(&system);
    Checked checked = check_text("random", text, NULL);
    for (uint32_t c = 0; c < dae_init_n_conflicts(checked.init); c++) {
      const DaeInitConflict *conflict = dae_init_conflict(checked.init, c);
      unsigned set = 0;
      for (uint32_t i = 0; i < conflict->n_premises; i++) {
        TEST_ASSERT_TRUE_MESSAGE(conflict->premises[i].is_initial, text);
        set |= 1u << conflict->premises[i].index;
      }
      TEST_ASSERT_FALSE_MESSAGE(is_consistent(&system, set), text);
      for (int i = 0; i < system.m; i++) {
        if ((set >> i & 1u) != 0) {
          TEST_ASSERT_TRUE_MESSAGE(is_consistent(&system, set & ~(1u << i)), text);
        }
      }
    }
    checked_clear(&checked);
  }
}

/* ---- the engine itself ------------------------------------------------------------------- */

static IcEngine *
run_all(const Inside *in)
{
  IcEngine *engine = ic_engine_new(in->sys, NULL, 0);
  for (uint32_t p = 0; p < in->sys->premises->len; p++) {
    ic_engine_add(engine, p, false);
  }
  ic_engine_run(engine);
  return engine;
}

static void
test_solutions_put_in_fulfil_every_premise(void)
{
  static const char *const texts[] = {
      "Real x; Real y; initial equation x + y = 3; x - y = 1; equation der(x) = y; der(y) = x;",
      "parameter Real p = 3; Real x; Real y; initial equation p*x + y = 3; x - p*y = 1;"
      "equation der(x) = y; der(y) = x;",
      "Real x; Real y; Real z; initial equation x = 2; equation der(x) = y; y = 3*z; z = x/6;",
      "Real u = 10; Real u1; Real u2; Real i; parameter Real C = 1; initial equation u1 = 5;"
      "equation i = C*der(u1); i = C*der(u2); u = u1 + u2;",
  };
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    Inside in = inside_new(texts[i]);
    IcEngine *engine = run_all(&in);
    for (uint32_t p = 0; p < in.sys->premises->len; p++) {
      DaeTerm residual = g_array_index(in.sys->premises, IcPremise, p).residual;
      DaeTerm reduced = ic_engine_reduce(engine, residual, NULL);
      TEST_ASSERT_TRUE_MESSAGE(inside_equal(&in, reduced, dae_term_int(in.terms, 0)), texts[i]);
    }
    for (uint32_t z = 0; z < in.sys->unknowns->len; z++) {
      TEST_ASSERT_TRUE_MESSAGE(engine->solved_by[z] != IC_NONE, texts[i]);
    }
    ic_engine_free(engine);
    inside_clear(&in);
  }
}

static void
test_values_are_those_of_cramers_rule(void)
{
  Inside in = inside_new("parameter Real a = 2; parameter Real b = 3; parameter Real c = 5;"
                         "parameter Real d = 7; Real x; Real y;"
                         "initial equation a*x + b*y = 1; c*x + d*y = 4;"
                         "equation der(x) = 1; der(y) = 1;");
  IcEngine *engine = run_all(&in);

  static const struct {
    const char *unknown, *value;
  } expected[] = {{"x", "(d - 4*b)/(a*d - b*c)"}, {"y", "(4*a - c)/(a*d - b*c)"}};

  for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
    DaeTerm got = ic_engine_reduce(engine, inside_term(&in, expected[i].unknown), NULL);
    g_autofree char *text = inside_text(&in, got);
    TEST_ASSERT_TRUE_MESSAGE(inside_equal(&in, got, inside_term(&in, expected[i].value)), text);
  }
  ic_engine_free(engine);
  inside_clear(&in);
}

static void
test_support_names_the_premises_that_were_used_and_no_others(void)
{
  Inside in =
      inside_new("Real x; Real y; Real z; initial equation x = 1; y = 2; z = 3; 2*x = 2;"
                 "x + y = 3; equation der(x) = 1; der(y) = 1; der(z) = 1;");
  IcEngine *engine = run_all(&in);
  int n_zero = 0;
  for (uint32_t r = 0; r < engine->rows->len; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->state != IC_ROW_ZERO) {
      continue;
    }
    n_zero++;
    g_autoptr(GArray) support = ic_engine_support(engine, row->line);
    g_autoptr(GArray) lines = ic_engine_lines_behind(engine, row->line);
    TEST_ASSERT_EQUAL_UINT32(row->line, g_array_index(lines, uint32_t, lines->len - 1));
    bool has_z = false;
    for (guint i = 0; i < support->len; i++) {
      const IcPremise *premise =
          &g_array_index(in.sys->premises, IcPremise, g_array_index(support, uint32_t, i));
      has_z |= dae_term_contains(in.terms, premise->residual, inside_term(&in, "z"));
      TEST_ASSERT_TRUE(i == 0 || g_array_index(support, uint32_t, i - 1) <
                                     g_array_index(support, uint32_t, i));
    }
    TEST_ASSERT_FALSE_MESSAGE(has_z, "z has nothing to do with it");
    TEST_ASSERT_TRUE(support->len == 2 || support->len == 3);
  }
  TEST_ASSERT_EQUAL_INT(2, n_zero);
  ic_engine_free(engine);
  inside_clear(&in);
}

static void
test_passive_rows_are_reduced_and_never_pivots(void)
{
  Inside in = inside_new("Real x; Real y; initial equation x = 1; y = 2; x + y = 3;"
                         "equation der(x) = 1; der(y) = 1;");
  IcEngine *engine = ic_engine_new(in.sys, NULL, 0);
  uint32_t passive = IC_NONE;
  for (uint32_t p = 0; p < in.sys->premises->len; p++) {
    const IcPremise *premise = &g_array_index(in.sys->premises, IcPremise, p);
    bool is_sum = premise->id.is_initial && premise->id.index == 2;
    uint32_t r = ic_engine_add(engine, p, is_sum);
    passive = is_sum ? r : passive;
  }
  ic_engine_run(engine);
  TEST_ASSERT_EQUAL_INT(IC_ROW_ZERO, ic_engine_row(engine, passive)->state);
  ic_engine_free(engine);
  inside_clear(&in);
}

static void
test_a_spent_budget_proves_nothing(void)
{
  static const char text[] = "Real x; Real y; Real z; initial equation x + y = 3; x - y = 1;"
                             "z = x*y; equation der(x) = -x; der(y) = -y; der(z) = sin(x);";
  int n_decided = 0;
  for (uint64_t steps = 1; steps < 400; steps = steps * 3 / 2 + 1) {
    g_autoptr(DaeBudget) budget = dae_budget_new(0, steps);
    DaeInitOptions options = {.budget = budget};
    Checked checked = check_text("budget", text, &options);
    DaeInitVerdict verdict = dae_init_verdict(checked.init);
    n_decided += verdict == DAE_INIT_WELL_DETERMINED;
    TEST_ASSERT_TRUE(verdict == DAE_INIT_UNDECIDED || verdict == DAE_INIT_WELL_DETERMINED);
    TEST_ASSERT_TRUE((verdict == DAE_INIT_UNDECIDED) ==
                     (dae_init_undecided_why(checked.init) != NULL));
    checked_clear(&checked);
  }
  TEST_ASSERT_GREATER_THAN_INT(0, n_decided);
}

/* Products of numbers of 10^6 bits are no steps of the budget: they are counted on their own. */
static void
test_work_on_long_numbers_ends_a_search(void)
{
  Inside inside = inside_new("Real x; equation x = 2;");
  g_autoptr(IcEngine) engine = ic_engine_new(inside.sys, NULL, 0);
  uint64_t before = dae_terms_long_work(inside.terms);
  DaeTerm t = dae_term_ratio(inside.terms, 3, 7);
  t = dae_term_pow(inside.terms, t, dae_term_int(inside.terms, 100000));
  TEST_ASSERT_TRUE(dae_terms_long_work(inside.terms) > before);
  TEST_ASSERT_FALSE(ic_engine_spent(engine));
  for (int k = 0; k < 4000; k++) {
    t = dae_term_add(inside.terms, t, dae_term_int(inside.terms, 1));
  }
  TEST_ASSERT_TRUE(dae_terms_long_work(inside.terms) - before > IC_LONG_WORK_LIMIT);
  TEST_ASSERT_TRUE(ic_engine_spent(engine));
  ic_engine_free(g_steal_pointer(&engine));
  inside_clear(&inside);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_consistent_systems_have_the_rank_of_their_matrix);
  RUN_TEST(test_the_smallest_conflict_is_the_smallest_of_all_subsets);
  RUN_TEST(test_each_conflict_contradicts_and_none_of_its_parts_does);
  RUN_TEST(test_solutions_put_in_fulfil_every_premise);
  RUN_TEST(test_values_are_those_of_cramers_rule);
  RUN_TEST(test_support_names_the_premises_that_were_used_and_no_others);
  RUN_TEST(test_passive_rows_are_reduced_and_never_pivots);
  RUN_TEST(test_a_spent_budget_proves_nothing);
  RUN_TEST(test_work_on_long_numbers_ends_a_search);
  return UNITY_END();
}
