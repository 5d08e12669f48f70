#include <math.h>
#include <string.h>

#include "algebra/solution-priv.h"

enum { N_NEWTON = 50, N_HALVINGS = 10, ROUNDED_BITS = 10 };

enum { TORN_FROM = 60 }; /* equations */

typedef DaeSolutionWork Work;

DaeSolution *
dae_solution_new(DaeAlgebra *algebra, uint32_t digits)
{
  DaeSolution *solution = g_new0(DaeSolution, 1);
  solution->algebra = algebra;
  solution->digits = digits;
  solution->precision = (slong)ceil(digits * 3.3219280948873626) + 40;
  solution->index = g_hash_table_new(g_direct_hash, g_direct_equal);
  solution->balls = g_array_new(FALSE, TRUE, sizeof(arb_struct));
  solution->given = g_hash_table_new(g_direct_hash, g_direct_equal);
  return solution;
}

static arb_ptr
ball_at(const DaeSolution *solution, guint place)
{
  return &g_array_index(solution->balls, arb_struct, place);
}

void
dae_solution_free(DaeSolution *solution)
{
  if (solution != NULL) {
    for (guint k = 0; k < solution->balls->len; k++) {
      arb_clear(ball_at(solution, k));
    }
    g_array_unref(solution->balls);
    g_hash_table_unref(solution->index);
    g_hash_table_unref(solution->given);
    g_free(solution);
  }
}

static guint
place_of(const DaeSolution *solution, DaeTerm atom)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(solution->index, GUINT_TO_POINTER(atom)));
}

bool
dae_solution_has(const DaeSolution *solution, DaeTerm atom)
{
  return place_of(solution, atom) > 0;
}

/* The ball of an atom, a new one if it has none. */
static guint
claim_ball(DaeSolution *solution, DaeTerm atom)
{
  guint place = place_of(solution, atom);
  if (place == 0) {
    g_array_set_size(solution->balls, solution->balls->len + 1);
    place = solution->balls->len;
    arb_init(ball_at(solution, place - 1));
    g_hash_table_insert(solution->index, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(place));
  }
  return place - 1;
}

void
dae_solution_limit_work(DaeSolution *solution, double most)
{
  solution->most_work = most;
}

bool
dae_solution_is_spent(const DaeSolution *solution)
{
  return solution->most_work > 0 && solution->work > solution->most_work;
}

static bool
evaluate_roots(DaeSolution *solution, const DaePlan *plan, uint32_t n_roots, arb_ptr values)
{
  DaeBallBinding binding = {.values = (arb_srcptr)(void *)solution->balls->data,
                            .index = solution->index};
  DaeAlgebra *algebra = solution->algebra;
  double before = algebra->ball_nodes;
  if (dae_solution_is_spent(solution)) {
    return false;
  }
  algebra->ball_limit =
      solution->most_work > 0 ? before + solution->most_work - solution->work : 0;
  bool ok = dae_ball_eval_bound(algebra, plan, n_roots, &binding, solution->precision, values);
  algebra->ball_limit = 0;
  solution->work += algebra->ball_nodes - before;
  return ok;
}

bool
dae_solution_set(DaeSolution *solution, DaeTerm atom, DaeTerm value)
{
  g_autoptr(DaePlan) plan = dae_plan_new(solution->algebra, &value, 1, NULL);
  arb_t ball;
  arb_init(ball);
  bool ok = evaluate_roots(solution, plan, 1, ball);
  if (ok) {
    arb_set(ball_at(solution, claim_ball(solution, atom)), ball);
    g_hash_table_add(solution->given, GUINT_TO_POINTER(atom));
  }
  arb_clear(ball);
  return ok;
}

/* ---- the program ------------------------------------------------------------------------- */

static bool
work_init(Work *work, DaeSolution *solution, const DaeStage *stage)
{
  DaeTerms *terms = solution->algebra->terms;
  *work = (Work){.solution = solution, .stage = stage};
  work->entries = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  work->places = g_new(uint32_t, (size_t)stage->n_unknowns + 1);
  work->chosen = g_new(uint32_t, (size_t)stage->n_equations + 1);
  work->x = _arb_vec_init(stage->n_unknowns);
  g_autoptr(GHashTable) column = g_hash_table_new(g_direct_hash, g_direct_equal);
  for (uint32_t j = 0; j < stage->n_unknowns; j++) {
    g_hash_table_insert(column, GUINT_TO_POINTER(stage->unknowns[j]), GUINT_TO_POINTER(j + 1));
    work->places[j] = claim_ball(solution, stage->unknowns[j]);
  }
  g_autoptr(GArray) roots = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_vals(roots, stage->equations, stage->n_equations);
  /* by column: the equations of a torn stage share the terms that define what was torn out */
  g_autoptr(GPtrArray) diffs = g_ptr_array_new_with_free_func((GDestroyNotify)dae_diff_free);
  for (uint32_t j = 0; j < stage->n_unknowns; j++) {
    g_ptr_array_add(diffs, dae_diff_new(terms, stage->unknowns[j]));
  }
  bool ok = true;
  for (uint32_t i = 0; i < stage->n_equations && ok; i++) {
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_variables(terms, stage->equations[i], atoms);
    for (guint k = 0; k < atoms->len && ok; k++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, k);
      guint j = GPOINTER_TO_UINT(g_hash_table_lookup(column, GUINT_TO_POINTER(atom)));
      if (j == 0) {
        continue; /* known, or the evaluation says that it is not */
      }
      DaeTerm d = dae_diff_apply(g_ptr_array_index(diffs, j - 1), stage->equations[i]);
      ok = d != DAE_NO_TERM;
      uint32_t place = i * stage->n_unknowns + j - 1;
      g_array_append_val(work->entries, place);
      g_array_append_val(roots, d);
    }
  }
  work->n_roots = roots->len;
  work->values = _arb_vec_init(work->n_roots);
  if (ok) {
    work->plan =
        dae_plan_new(solution->algebra, (const DaeTerm *)(void *)roots->data, roots->len, NULL);
  }
  return ok;
}

static void
work_clear(Work *work)
{
  g_clear_pointer(&work->plan, dae_plan_free);
  _arb_vec_clear(work->values, work->n_roots);
  _arb_vec_clear(work->x, work->stage->n_unknowns);
  g_array_unref(work->entries);
  g_free(work->places);
  g_free(work->chosen);
}

/* Values of the equations and their derivatives with these balls for the unknowns. */
bool
dae_solution_evaluate(Work *work, arb_srcptr at)
{
  for (uint32_t j = 0; j < work->stage->n_unknowns; j++) {
    arb_set(ball_at(work->solution, work->places[j]), at + j);
  }
  return evaluate_roots(work->solution, work->plan, work->n_roots, work->values);
}

void
dae_solution_jacobian(const Work *work, arb_mat_t jacobian)
{
  uint32_t n = work->stage->n_unknowns;
  arb_mat_zero(jacobian);
  for (guint k = 0; k < work->entries->len; k++) {
    uint32_t place = g_array_index(work->entries, uint32_t, k);
    arb_set(arb_mat_entry(jacobian, place / n, place % n),
            work->values + work->stage->n_equations + k);
  }
}

static double
middle(arb_srcptr ball)
{
  return arf_get_d(arb_midref(ball), ARF_RND_NEAR);
}

double *
dae_solution_middles(const Work *work, const uint32_t *chosen)
{
  uint32_t n = work->stage->n_unknowns;
  uint32_t m = work->stage->n_equations;
  uint32_t width = chosen == NULL ? n : m;
  g_autofree uint32_t *column = g_new0(uint32_t, (size_t)n + 1); /* + 1; 0: not chosen */
  double *out = g_new0(double, (size_t)m *width + 1);
  for (uint32_t k = 0; k < width; k++) {
    column[chosen == NULL ? k : chosen[k]] = k + 1;
  }
  for (guint k = 0; k < work->entries->len; k++) {
    uint32_t place = g_array_index(work->entries, uint32_t, k);
    if (column[place % n] > 0) {
      out[(size_t)(place / n) * width + column[place % n] - 1] = middle(work->values + m + k);
    }
  }
  return out;
}

/* Of the residuals, each divided by the largest entry of its row: equations may have any scale. */
static double
norm_of_residuals(const Work *work)
{
  uint32_t m = work->stage->n_equations;
  g_autofree double *scale = g_new0(double, (size_t)m + 1);
  for (guint k = 0; k < work->entries->len; k++) {
    uint32_t row = g_array_index(work->entries, uint32_t, k) / work->stage->n_unknowns;
    scale[row] = fmax(scale[row], fabs(middle(work->values + m + k)));
  }
  double sum = 0.0;
  for (uint32_t i = 0; i < m; i++) {
    double value = middle(work->values + i) / (scale[i] > 0 ? scale[i] : 1.0);
    sum += value * value;
  }
  return sqrt(sum);
}

/* ---- Newton ------------------------------------------------------------------------------ */

static void
set_middle(arb_t out, const arb_t in)
{
  arb_set(out, in);
  mag_zero(arb_radref(out));
}

/* The same with balls, where doubles are too coarse: far from 1, or nearly singular. */
static bool
solve_with_balls(const Work *work, bool all, arb_mat_t step)
{
  uint32_t m = work->stage->n_equations;
  uint32_t n = all ? work->stage->n_unknowns : m;
  slong precision = work->solution->precision;
  arb_mat_t full, f, j, square, y;
  arb_mat_init(full, m, work->stage->n_unknowns);
  arb_mat_init(f, m, 1);
  arb_mat_init(j, m, n);
  arb_mat_init(square, m, m);
  arb_mat_init(y, m, 1);
  dae_solution_jacobian(work, full);
  for (uint32_t i = 0; i < m; i++) {
    set_middle(arb_mat_entry(f, i, 0), work->values + i);
    for (uint32_t k = 0; k < n; k++) {
      set_middle(arb_mat_entry(j, i, k), arb_mat_entry(full, i, all ? k : work->chosen[k]));
    }
  }
  bool ok = true;
  if (m == n) {
    ok = arb_mat_approx_solve(step, j, f, precision) != 0;
  } else {
    arb_mat_t transposed;
    arb_mat_init(transposed, n, m);
    arb_mat_transpose(transposed, j);
    arb_mat_approx_mul(square, j, transposed, precision);
    ok = arb_mat_approx_solve(y, square, f, precision) != 0;
    if (ok) {
      arb_mat_approx_mul(step, transposed, y, precision);
    }
    arb_mat_clear(transposed);
  }
  arb_mat_clear(full);
  arb_mat_clear(f);
  arb_mat_clear(j);
  arb_mat_clear(square);
  arb_mat_clear(y);
  return ok;
}

/* The least change that solves the linearized equations: J^T (J J^T)^-1 f; plain elimination
 * where J is square. With `all` false only the chosen columns move. */
static bool
solve_for_step(const Work *work, bool all, arb_mat_t step)
{
  uint32_t m = work->stage->n_equations;
  uint32_t n = all ? work->stage->n_unknowns : m;
  work->solution->work += (double)m * m * (m + n) / 3.0;
  if (work->with_balls) {
    return solve_with_balls(work, all, step);
  }
  g_autofree double *f = g_new(double, (size_t)m + 1);
  g_autofree double *change = g_new(double, (size_t)n + 1);
  g_autofree double *j = dae_solution_middles(work, all ? NULL : work->chosen);
  for (uint32_t i = 0; i < m; i++) {
    f[i] = middle(work->values + i);
  }
  bool ok = n == m ? dae_plain_solve(j, m, f, 1) : dae_plain_least_change(j, m, n, f, change);
  for (uint32_t k = 0; k < n && ok; k++) {
    arb_set_d(arb_mat_entry(step, k, 0), n == m ? f[k] : change[k]);
  }
  return ok;
}

/* Is the step below 2^(-bits), relative to the larger of 1 and the size of its unknown? */
static bool
is_tiny(const arb_mat_t step, arb_srcptr x, const uint32_t *column, slong bits)
{
  for (slong k = 0; k < arb_mat_nrows(step); k++) {
    double size = fmax(1.0, fabs(middle(x + (column == NULL ? (uint32_t)k : column[k]))));
    if (!(fabs(middle(arb_mat_entry(step, k, 0))) <= ldexp(size, (int)-bits))) {
      return false;
    }
  }
  return true;
}

/* From an evaluated point down: halved until the residual falls. */
static bool
newton_step(Work *work, bool all, slong bits, bool *converged)
{
  uint32_t n = work->stage->n_unknowns;
  uint32_t n_moved = all ? n : work->stage->n_equations;
  slong precision = work->solution->precision;
  double before = norm_of_residuals(work);
  arb_mat_t step;
  arb_mat_init(step, n_moved, 1);
  arb_ptr trial = _arb_vec_init(n);
  bool ok = solve_for_step(work, all, step);
  bool accepted = false;
  *converged = ok && is_tiny(step, work->x, all ? NULL : work->chosen, bits);
  for (int halving = 0; halving < N_HALVINGS && ok && !accepted; halving++) {
    _arb_vec_set(trial, work->x, n);
    for (uint32_t k = 0; k < n_moved; k++) {
      arb_ptr at = trial + (all ? k : work->chosen[k]);
      arb_t part;
      arb_init(part);
      arb_mul_2exp_si(part, arb_mat_entry(step, k, 0), -halving);
      arb_sub(at, at, part, precision);
      set_middle(at, at);
      arb_clear(part);
    }
    accepted = dae_solution_evaluate(work, trial) &&
               (*converged || norm_of_residuals(work) < 0.9999 * before);
  }
  if (accepted) {
    _arb_vec_set(work->x, trial, n);
  }
  _arb_vec_clear(trial, n);
  arb_mat_clear(step);
  return accepted;
}

/* Newton (Gauss-Newton while columns are free) until the step is below 2^-bits. */
static bool
iterate(Work *work, bool all, slong bits)
{
  bool converged = false;
  bool ok = dae_solution_evaluate(work, work->x);
  for (int k = 0; k < N_NEWTON && ok && !converged; k++) {
    ok =
        newton_step(work, all, bits, &converged) && !dae_algebra_spent(work->solution->algebra);
  }
  return ok && converged;
}

/* ---- which unknowns are solved for ------------------------------------------------------- */

/* The first of the largest. */
static uint32_t
place_of_largest(const double *row, uint32_t n)
{
  uint32_t at = 0;
  for (uint32_t j = 1; j < n; j++) {
    if (fabs(row[j]) > fabs(row[at])) {
      at = j;
    }
  }
  return at;
}

/* Gaussian elimination with full pivoting at the point: the pivot columns.
 * false: rank deficient there. */
static bool
choose_columns(Work *work)
{
  uint32_t m = work->stage->n_equations;
  uint32_t n = work->stage->n_unknowns;
  g_autofree double *a = g_new0(double, (size_t)m *n + 1);
  g_autofree bool *row_gone = g_new0(bool, (size_t)m + 1);
  for (guint k = 0; k < work->entries->len; k++) {
    a[g_array_index(work->entries, uint32_t, k)] = middle(work->values + m + k);
  }
  for (uint32_t i = 0; i < m; i++) { /* rows of one size */
    double largest = 0.0;
    for (uint32_t j = 0; j < n; j++) {
      largest = fmax(largest, fabs(a[(size_t)i * n + j]));
    }
    for (uint32_t j = 0; j < n && largest > 0; j++) {
      a[(size_t)i * n + j] /= largest;
    }
  }
  g_autofree uint32_t *largest_at = g_new(uint32_t, (size_t)m + 1); /* column, by row */
  for (uint32_t i = 0; i < m; i++) {
    largest_at[i] = place_of_largest(a + (size_t)i * n, n);
  }
  for (uint32_t step = 0; step < m; step++) {
    uint32_t row = 0;
    double best = 0.0;
    for (uint32_t i = 0; i < m; i++) {
      double candidate = row_gone[i] ? 0.0 : fabs(a[(size_t)i * n + largest_at[i]]);
      if (candidate > best) {
        best = candidate;
        row = i;
      }
    }
    if (!(best > 1e-13)) {
      return false;
    }
    uint32_t column = largest_at[row];
    row_gone[row] = true;
    work->chosen[step] = column;
    for (uint32_t i = 0; i < m; i++) {
      double factor =
          row_gone[i] ? 0.0 : a[(size_t)i * n + column] / a[(size_t)row * n + column];
      for (uint32_t j = 0; j < n && factor != 0.0; j++) {
        a[(size_t)i * n + j] -= factor * a[(size_t)row * n + j];
      }
      if (factor != 0.0) {
        largest_at[i] = place_of_largest(a + (size_t)i * n, n);
      }
    }
  }
  work->solution->work += (double)m * m * n / 3.0;
  return true;
}

/* Unknowns that are not solved for become simple: few bits, near where they are. */
static void
round_free_unknowns(Work *work)
{
  uint32_t n = work->stage->n_unknowns;
  g_autofree bool *is_chosen = g_new0(bool, (size_t)n + 1);
  for (uint32_t k = 0; k < work->stage->n_equations; k++) {
    is_chosen[work->chosen[k]] = true;
  }
  for (uint32_t j = 0; j < n; j++) {
    if (!is_chosen[j]) {
      int exponent = 0;
      double mantissa = frexp(middle(work->x + j), &exponent);
      arb_set_d(work->x + j,
                ldexp(round(ldexp(mantissa, ROUNDED_BITS)), exponent - ROUNDED_BITS));
    }
  }
}

/* ---- the service ------------------------------------------------------------------------- */

/* From the point of Gauss-Newton: simple values for what is free, all digits for the rest. */
static bool
settle(Work *work, bool is_rounded)
{
  uint32_t m = work->stage->n_equations;
  if (!dae_solution_evaluate(work, work->x) || !choose_columns(work)) {
    return false;
  }
  if (is_rounded) {
    round_free_unknowns(work);
  }
  return m == 0 || iterate(work, false, work->solution->precision / 2);
}

static bool
find_and_prove_once(Work *work, arb_ptr box)
{
  uint32_t n = work->stage->n_unknowns;
  uint32_t m = work->stage->n_equations;
  for (uint32_t j = 0; j < n; j++) {
    arb_set_d(work->x + j, work->stage->near[j]);
  }
  if (m == 0) {
    round_free_unknowns(work);
    _arb_vec_set(box, work->x, n);
    return true;
  }
  if (m < n && !iterate(work, true, 20)) {
    return false;
  }
  arb_ptr found = _arb_vec_init(n);
  _arb_vec_set(found, work->x, n);
  bool ok = settle(work, true);
  if (!ok &&
      m < n) { /* rounding may have left the solution set: the free ones exactly as found */
    _arb_vec_set(work->x, found, n);
    ok = settle(work, false);
  }
  _arb_vec_clear(found, n);
  return ok && dae_solution_prove(work, box);
}

/* With doubles, whose rounding no proof depends on; where that fails, with balls. */
static bool
find_and_prove(Work *work, arb_ptr box)
{
  double before = work->solution->work;
  work->with_balls = false;
  if (find_and_prove_once(work, box)) {
    return true;
  }
  if (dae_solution_is_spent(work->solution)) {
    return false;
  }
  work->solution->work = before; /* counted once */
  work->with_balls = true;
  return find_and_prove_once(work, box);
}

static bool
extend_dense(DaeSolution *solution, const DaeStage *stage)
{
  if (stage->n_equations > DAE_STAGE_MAX) {
    return false;
  }
  Work work;
  arb_ptr box = _arb_vec_init(stage->n_unknowns);
  bool ok = work_init(&work, solution, stage) && find_and_prove(&work, box);
  for (uint32_t j = 0; j < stage->n_unknowns; j++) {
    if (ok) {
      arb_set(ball_at(solution, work.places[j]), box + j);
      g_hash_table_add(solution->given, GUINT_TO_POINTER(stage->unknowns[j]));
    } else {
      g_hash_table_remove(solution->index, GUINT_TO_POINTER(stage->unknowns[j]));
    }
  }
  for (uint32_t k = 0; k < stage->n_equations && ok; k++) { /* these were solved for */
    g_hash_table_remove(solution->given, GUINT_TO_POINTER(stage->unknowns[work.chosen[k]]));
  }
  work_clear(&work);
  _arb_vec_clear(box, stage->n_unknowns);
  return ok;
}

/* The unknowns that the kept ones define: all of them, or none is set. */
static bool
set_defined(DaeSolution *solution, const DaeTorn *torn)
{
  uint32_t n = torn->defined->len;
  const DaeTerm *values = (const DaeTerm *)(void *)torn->values->data;
  g_autoptr(DaePlan) plan = dae_plan_new(solution->algebra, values, n, NULL);
  arb_ptr balls = _arb_vec_init(n);
  bool ok = evaluate_roots(solution, plan, n, balls);
  for (uint32_t k = 0; k < n && ok; k++) {
    DaeTerm x = g_array_index(torn->defined, DaeTerm, k);
    arb_set(ball_at(solution, claim_ball(solution, x)), balls + k);
    g_hash_table_remove(solution->given, GUINT_TO_POINTER(x));
  }
  _arb_vec_clear(balls, n);
  return ok;
}

static bool
extend_torn(DaeSolution *solution, const DaeTorn *torn)
{
  const DaeStage core = {.equations = (const DaeTerm *)(void *)torn->equations->data,
                         .n_equations = torn->equations->len,
                         .unknowns = (const DaeTerm *)(void *)torn->unknowns->data,
                         .n_unknowns = torn->unknowns->len,
                         .near = (const double *)(void *)torn->near->data};
  bool ok = extend_dense(solution, &core);
  if (ok && !set_defined(solution, torn)) {
    ok = false;
    for (uint32_t k = 0; k < core.n_unknowns; k++) {
      g_hash_table_remove(solution->index, GUINT_TO_POINTER(core.unknowns[k]));
    }
  }
  return ok;
}

bool
dae_solution_extend(DaeSolution *solution, const DaeStage *stage)
{
  DAE_ASSERT(stage->n_equations <= stage->n_unknowns);
  bool is_small = stage->n_equations < TORN_FROM;
  if (is_small && extend_dense(solution, stage)) {
    return true;
  }
  if (dae_solution_is_spent(solution)) {
    return false;
  }
  DaeTorn torn;
  dae_torn_init(&torn);
  bool is_torn = dae_solution_tear(solution, stage, &torn) && torn.defined->len > 0;
  bool ok = is_torn ? extend_torn(solution, &torn) : !is_small && extend_dense(solution, stage);
  dae_torn_clear(&torn);
  return ok;
}

bool
dae_solution_excludes_zero(DaeSolution *solution, DaeTerm t)
{
  g_autoptr(DaePlan) plan = dae_plan_new(solution->algebra, &t, 1, NULL);
  arb_t ball;
  arb_init(ball);
  bool ok = evaluate_roots(solution, plan, 1, ball) && !arb_contains_zero(ball);
  arb_clear(ball);
  return ok;
}

bool
dae_solution_is_given(const DaeSolution *solution, DaeTerm atom)
{
  return g_hash_table_contains(solution->given, GUINT_TO_POINTER(atom));
}

/* 0.2500 becomes 0.25. */
static void
trim_zeros(char *text)
{
  if (strchr(text, '.') != NULL && strchr(text, 'e') == NULL) {
    size_t n = strlen(text);
    while (text[n - 1] == '0') {
      n--;
    }
    n -= text[n - 1] == '.';
    text[n] = '\0';
  }
}

char *
dae_solution_text(const DaeSolution *solution, DaeTerm atom)
{
  guint place = place_of(solution, atom);
  DAE_ASSERT(place > 0);
  arb_t ball;
  arb_init(ball);
  set_middle(ball, ball_at(solution, place - 1));
  char *text =
      arb_get_str(ball, (slong)solution->digits + 25, ARB_STR_MORE | ARB_STR_NO_RADIUS);
  char *copy = g_strdup(text);
  flint_free(text);
  arb_clear(ball);
  trim_zeros(copy);
  return copy;
}

int
dae_solution_radius(const DaeSolution *solution)
{
  int largest = -(int)solution->digits - 20; /* what the decimal texts are rounded to */
  GHashTableIter iter;
  gpointer place = NULL;
  g_hash_table_iter_init(&iter, solution->index);
  while (g_hash_table_iter_next(&iter, NULL, &place)) {
    arb_srcptr ball = ball_at(solution, GPOINTER_TO_UINT(place) - 1);
    double size = mag_get_d_log2_approx(arb_radref(ball)) + 1.0;
    double least = mag_is_zero(arb_radref(ball)) ? -1e6 : ceil(size * 0.30103);
    largest = least > largest ? (int)fmin(least, 1e6) : largest;
  }
  return largest + 1;
}

double
dae_solution_work(const DaeSolution *solution)
{
  return solution->work;
}
