/* Independent check of the reduction on every model at hand: the constraints h are exactly the projection of the
 * derivative array of the model as written.
 *   nothing missing:  at points with h = 0 the derivative array has a solution with these values;
 *   nothing invented: every h vanishes at numerical solutions of the derivative array. */
#include "fixture.h"
#include "points.h"

#define MAX_VARIABLES 40u

void
setUp(void)
{
}

void
tearDown(void)
{
}

static DaeTerm
with_values(Fixture *f, DaeSubst *values, DaeTerm t)
{
  DaeTerm result = dae_subst_apply(values, t);
  TEST_ASSERT_NOT_EQUAL(DAE_NO_TERM, result);
  (void)f;
  return result;
}

/* All equations of the model that was read, each differentiated as often as `orders` says. */
static GArray *
derivative_array(Fixture *f, DaeSubst *values, const int32_t *orders)
{
  GArray *rows = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < dae_model_n_equations(f->model); i++) {
    const DaeEquation *equation = dae_model_equation(f->model, i);
    DaeTerm t = with_values(f, values, dae_term_sub(f->terms, equation->lhs, equation->rhs));
    for (int32_t order = 0; order <= orders[i]; order++) {
      g_array_append_val(rows, t);
      t = dae_term_total(f->terms, t);
    }
  }
  return rows;
}

static GArray *
constraint_rows(Fixture *f, DaeSubst *values)
{
  GArray *rows = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < dae_qlt_n_constraints(f->qlt); i++) {
    DaeTerm t = with_values(f, values, dae_qlt_constraint(f->qlt, i)->expression);
    g_array_append_val(rows, t);
  }
  return rows;
}

/* The derivative of a model variable that unknown j of the reduced system is. */
static DaeTerm
meaning_of(Fixture *f, DaeSymbol symbol)
{
  for (uint32_t i = 0; i < dae_qlt_n_introduced(f->qlt); i++) {
    if (dae_qlt_introduced(f->qlt, i)->symbol == symbol) {
      return dae_qlt_introduced(f->qlt, i)->meaning;
    }
  }
  return dae_term_variable(f->terms, symbol, 0);
}

static double
start_of(Fixture *f, DaeSubst *values, DaeTerm atom)
{
  uint32_t j = 0;
  int64_t integer = 0;
  if (dae_term_order(f->terms, atom) > 0 ||
      !dae_model_find_variable(f->model, dae_term_get_symbol(f->terms, atom), &j)) {
    return 0;
  }
  DaeTerm start = dae_model_variable(f->model, j)->start;
  if (start == DAE_NO_TERM) {
    return 0;
  }
  start = dae_terms_rewrite(f->terms, with_values(f, values, start));
  if (dae_term_get_int64(f->terms, start, &integer)) {
    return (double)integer;
  }
  return dae_term_is_number(f->terms, start) ? dae_term_get_double(f->terms, start) : 0.5;
}

static void
set_random(Fixture *f, DaeSubst *values, System *s, uint32_t attempt)
{
  s->state = 4711u + 101u * attempt;
  for (uint32_t k = 0; k < s->unknowns->len; k++) {
    double start = start_of(f, values, g_array_index(s->unknowns, DaeTerm, k));
    if (!s->is_fixed[k]) {
      s->x[k] = start + 0.2 * (1 + 0.3 * attempt) * (1 + fabs(start)) * system_random(s);
    }
  }
}

/* Late points fail for models with fast sources and diodes (exp(35)), where doubles see no rank: then a time near 0. */
static double
time_of(uint32_t attempt)
{
  return attempt < 6 ? 0.2 + 0.01 * attempt : 1e-6 * attempt;
}

/* Third derivatives of a 10 kHz source times diodes (ring modulator) span more digits than a double has: no verdict. */
static bool
is_beyond_doubles(const System *s)
{
  double largest = 0;
  for (uint32_t k = 0; k < s->unknowns->len; k++) {
    largest = fmax(largest, fabs(s->x[k]));
  }
  return largest > 1e10;
}

/* 1: checked, 0: no point found, -1: failed. */
static int
check_nothing_missing(Fixture *f, DaeSubst *values, const GArray *array)
{
  g_autoptr(GArray) rows = constraint_rows(f, values);
  System *h = system_new(f->terms, rows);
  System *a = system_new(f->terms, array);
  int verdict = 0;
  for (uint32_t attempt = 0; attempt < 12 && verdict < 1; attempt++) {
    uint32_t rank = 0;
    h->time = a->time = time_of(attempt);
    set_random(f, values, h, attempt);
    if (system_solve(h, &rank) > 1e-9) {
      continue;
    }
    memset(a->is_fixed, 0, a->unknowns->len);
    set_random(f, values, a, attempt);
    for (uint32_t j = 0; j < dae_qlt_n_unknowns(f->qlt); j++) {
      DaeSymbol symbol = dae_qlt_unknown(f->qlt, j);
      int from = system_find(h, dae_term_variable(f->terms, symbol, 0));
      int to = system_find(a, meaning_of(f, symbol));
      if (from >= 0 && to >= 0) {
        a->x[to] = h->x[from];
        a->is_fixed[to] = true;
      } else if (to >= 0) {
        a->is_fixed[to] = true; /* free in h: any value will do */
      }
    }
    double residual = system_solve(a, &rank);
    verdict = residual < 1e-7 ? 1 : residual == HUGE_VAL || is_beyond_doubles(a) ? verdict : -1;
  }
  system_free(h);
  system_free(a);
  return verdict;
}

static int
check_nothing_invented(Fixture *f, DaeSubst *values, const GArray *array)
{
  g_autoptr(GArray) rows = constraint_rows(f, values);
  System *h = system_new(f->terms, rows);
  System *a = system_new(f->terms, array);
  int verdict = 0;
  for (uint32_t attempt = 0; attempt < 12 && verdict == 0; attempt++) {
    uint32_t rank = 0;
    h->time = a->time = time_of(attempt);
    set_random(f, values, a, attempt);
    if (system_solve(a, &rank) > 1e-9) {
      continue;
    }
    verdict = 1;
    for (uint32_t k = 0; k < h->unknowns->len; k++) {
      DaeSymbol symbol = dae_term_get_symbol(f->terms, g_array_index(h->unknowns, DaeTerm, k));
      int place = system_find(a, meaning_of(f, symbol));
      h->x[k] = place >= 0 ? a->x[place] : 0;
    }
    g_autofree double *jacobian =
        g_new(double, (size_t)(rows->len + 1) * (h->unknowns->len + 1));
    if (!system_evaluate(h, jacobian)) {
      verdict = 0;
      continue;
    }
    for (uint32_t i = 0; i < rows->len; i++) {
      double value = jacobian[(size_t)i * (h->unknowns->len + 1) + h->unknowns->len];
      if (fabs(value) > 1e-6) {
        g_autofree char *text =
            dae_term_to_string(f->terms, dae_qlt_constraint(f->qlt, i)->expression);
        printf("invented (%g): %s\n", value, text);
        verdict = -1;
      }
    }
  }
  system_free(h);
  system_free(a);
  return verdict;
}

/* Offsets of the model as written; for an over-determined or repaired model the deepest level for all. */
static int32_t *
choose_orders(Fixture *f)
{
  uint32_t n = dae_model_n_equations(f->model);
  int32_t *orders = g_new0(int32_t, n + 1);
  bool is_plain =
      dae_sig_status(f->sig) == DAE_SIG_SUCCESS && n == dae_model_n_variables(f->model);
  for (uint32_t i = 0; i < n; i++) {
    orders[i] = is_plain ? dae_sig_c(f->sig)[i] : dae_qlt_max_level(f->qlt) + 2;
  }
  return orders;
}

/* Every column of [E; h_x] is needed and h_x has full row rank at a point on h (eqs. 6, 7). */
static bool
has_full_ranks(Fixture *f, DaeSubst *values, bool *is_checked)
{
  g_autoptr(GArray) h_rows = constraint_rows(f, values);
  System *h = system_new(f->terms, h_rows);
  uint32_t rank = 0;
  bool is_full = false;
  *is_checked = false;
  for (uint32_t attempt = 0; attempt < 12 && !is_full; attempt++) {
    h->time = time_of(attempt);
    set_random(f, values, h, attempt);
    if (system_solve(h, &rank) < 1e-9) {
      *is_checked = true;
      is_full = rank == h_rows->len;
    }
  }
  system_free(h);
  return is_full;
}

typedef struct {
  uint32_t n_checked;
  uint32_t n_points;
} Tally;

static void
check_model(const char *path, Tally *tally)
{
  g_autofree char *text = NULL;
  g_autofree char *name = g_path_get_basename(path);
  if (!g_file_get_contents(path, &text, NULL, NULL)) {
    return;
  }
  Fixture f = {0};
  f.terms = dae_terms_new();
  f.algebra = dae_algebra_new(f.terms, NULL);
  f.model = dae_model_read(f.terms, path, text, strlen(text), NULL, NULL, &f.error);
  bool is_usable = f.model != NULL && dae_model_n_variables(f.model) <= MAX_VARIABLES;
  if (is_usable) {
    DaeSigOptions options = dae_sig_default_options;
    options.overdetermined_ok = true;
    f.sig = dae_sig_analyze(f.algebra, f.model, &options, NULL, &f.error);
    is_usable = f.sig != NULL;
  }
  if (is_usable) {
    f.qlt = dae_qlt_reduce(f.algebra, f.sig, NULL, NULL, &f.error);
    is_usable = f.qlt != NULL;
  }
  if (is_usable) {
    DaeSubst *values = dae_model_parameter_subst(f.model, f.terms);
    g_autofree int32_t *orders = choose_orders(&f);
    g_autoptr(GArray) array = derivative_array(&f, values, orders);
    bool is_checked = false;
    bool is_full = has_full_ranks(&f, values, &is_checked);
    TEST_ASSERT_TRUE_MESSAGE(is_full || !is_checked, name);
    int missing = array->len <= 300 ? check_nothing_missing(&f, values, array) : 0;
    int invented = array->len <= 300 ? check_nothing_invented(&f, values, array) : 0;
    printf("%s: rank %s, missing %s, invented %s\n", name, is_checked ? "full" : "no point",
           missing == 1   ? "none"
           : missing == 0 ? "no point"
                          : "SOME",
           invented == 1   ? "none"
           : invented == 0 ? "no point"
                           : "SOME");
    TEST_ASSERT_MESSAGE(missing >= 0, name);
    TEST_ASSERT_MESSAGE(invented >= 0, name);
    tally->n_checked++;
    tally->n_points += missing == 1 && invented == 1 ? 1 : 0;
    dae_subst_free(values);
  }
  fixture_free(&f);
}

static int
compare_names(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
check_folder(const char *variable, Tally *tally)
{
  const char *folder = g_getenv(variable);
  GDir *dir = folder != NULL ? g_dir_open(folder, 0, NULL) : NULL;
  if (dir == NULL) {
    return;
  }
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  for (const char *name = g_dir_read_name(dir); name != NULL; name = g_dir_read_name(dir)) {
    if (g_str_has_suffix(name, ".mo")) {
      g_ptr_array_add(names, g_build_filename(folder, name, NULL));
    }
  }
  g_dir_close(dir);
  g_ptr_array_sort(names, compare_names);
  for (uint32_t i = 0; i < names->len; i++) {
    check_model(g_ptr_array_index(names, i), tally);
  }
}

static void
test_constraints_are_the_projection_for_every_example(void)
{
  Tally tally = {0, 0};
  check_folder("EXAMPLES", &tally);
  printf("examples: %u reduced, %u with points both ways\n", tally.n_checked, tally.n_points);
  TEST_ASSERT_GREATER_THAN_UINT32(4, tally.n_checked);
  TEST_ASSERT_GREATER_THAN_UINT32(3, tally.n_points);
}

static void
test_constraints_are_the_projection_for_every_test_model(void)
{
  Tally tally = {0, 0};
  check_folder("MODELS", &tally);
  printf("test models: %u reduced, %u with points both ways\n", tally.n_checked,
         tally.n_points);
}

int
main(void)
{
  dae_base_init();
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_constraints_are_the_projection_for_every_example);
  RUN_TEST(test_constraints_are_the_projection_for_every_test_model);
  return UNITY_END();
}
