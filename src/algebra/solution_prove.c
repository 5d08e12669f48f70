/* Existence of a solution in a box by Krawczyk's operator. */
#include "algebra/solution-priv.h"

enum { N_INFLATIONS = 4 };

typedef DaeSolutionWork Work;

enum { ROW_BITS = 64 }; /* of the rows of I - Y J(X): only their sizes matter */

typedef struct {
  arb_ptr
      inverse; /* m by m, approximate, of the square Jacobian at the midpoint: exact numbers */
  arb_ptr correction; /* inverse * f(m) */
  arb_ptr offset;     /* X - m */
  arb_ptr row;        /* one of I - Y J(X) */
  uint32_t *column;   /* by unknown: its place among the chosen + 1, or 0 */
} Krawczyk;

static void
krawczyk_init(const Work *work, Krawczyk *k)
{
  slong m = work->stage->n_equations;
  k->inverse = _arb_vec_init(m * m);
  k->correction = _arb_vec_init(m);
  k->offset = _arb_vec_init(m);
  k->row = _arb_vec_init(m);
  k->column = g_new0(uint32_t, (size_t)work->stage->n_unknowns + 1);
  for (uint32_t c = 0; c < work->stage->n_equations; c++) {
    k->column[work->chosen[c]] = c + 1;
  }
}

static void
krawczyk_clear(const Work *work, Krawczyk *k)
{
  slong m = work->stage->n_equations;
  _arb_vec_clear(k->inverse, m * m);
  _arb_vec_clear(k->correction, m);
  _arb_vec_clear(k->offset, m);
  _arb_vec_clear(k->row, m);
  g_free(k->column);
}

static bool
invert_with_balls(const Work *work, Krawczyk *k)
{
  uint32_t m = work->stage->n_equations;
  arb_mat_t full, square, inverse;
  arb_mat_init(full, m, work->stage->n_unknowns);
  arb_mat_init(square, m, m);
  arb_mat_init(inverse, m, m);
  dae_solution_jacobian(work, full);
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t c = 0; c < m; c++) {
      arb_set(arb_mat_entry(square, i, c), arb_mat_entry(full, i, work->chosen[c]));
    }
  }
  bool ok = arb_mat_approx_inv(inverse, square, work->solution->precision) != 0;
  for (uint32_t i = 0; i < m && ok; i++) {
    for (uint32_t c = 0; c < m; c++) {
      arb_get_mid_arb(k->inverse + (size_t)i * m + c, arb_mat_entry(inverse, i, c));
    }
  }
  arb_mat_clear(full);
  arb_mat_clear(square);
  arb_mat_clear(inverse);
  return ok;
}

static bool
invert_with_doubles(const Work *work, Krawczyk *k)
{
  uint32_t m = work->stage->n_equations;
  g_autofree double *square = dae_solution_middles(work, work->chosen);
  g_autofree double *inverse = g_new0(double, (size_t)m *m + 1);
  for (uint32_t i = 0; i < m; i++) {
    inverse[(size_t)i * m + i] = 1.0;
  }
  if (!dae_plain_solve(square, m, inverse, m)) {
    return false;
  }
  for (size_t e = 0; e < (size_t)m * m; e++) {
    arb_set_d(k->inverse + e, inverse[e]);
  }
  return true;
}

static bool
prepare_krawczyk(Work *work, Krawczyk *k)
{
  uint32_t m = work->stage->n_equations;
  if (!dae_solution_evaluate(work, work->x) ||
      !(work->with_balls ? invert_with_balls(work, k) : invert_with_doubles(work, k))) {
    return false;
  }
  for (uint32_t i = 0; i < m; i++) {
    arb_dot(k->correction + i, NULL, 0, k->inverse + (size_t)i * m, 1, work->values, 1, m,
            work->solution->precision);
  }
  return true;
}

/* Row i of I - Y J(X): J has few entries. */
static void
fill_row(const Work *work, Krawczyk *k, uint32_t i)
{
  uint32_t m = work->stage->n_equations;
  uint32_t n = work->stage->n_unknowns;
  slong bits = work->with_balls ? work->solution->precision : ROW_BITS;
  _arb_vec_zero(k->row, m);
  arb_one(k->row + i);
  for (guint e = 0; e < work->entries->len; e++) {
    uint32_t place = g_array_index(work->entries, uint32_t, e);
    uint32_t c = k->column[place % n];
    if (c > 0) {
      arb_submul(k->row + c - 1, k->inverse + (size_t)i * m + place / n, work->values + m + e,
                 bits);
    }
  }
}

/* Is m - Y f(m) + (I - Y J(X))(X - m) inside of X? Then the chosen unknowns of box become it. */
static bool
contracts(Work *work, Krawczyk *k, arb_srcptr wide, arb_ptr box)
{
  uint32_t m = work->stage->n_equations;
  slong precision = work->solution->precision;
  if (!dae_solution_evaluate(work, wide)) {
    return false;
  }
  work->solution->work += 2.0 * m * m * m;
  for (uint32_t c = 0; c < m; c++) {
    arb_sub(k->offset + c, wide + work->chosen[c], work->x + work->chosen[c], precision);
  }
  bool ok = true;
  for (uint32_t c = 0; c < m && ok; c++) {
    uint32_t j = work->chosen[c];
    fill_row(work, k, c);
    arb_dot(box + j, NULL, 0, k->row, 1, k->offset, 1, m, precision);
    arb_sub(box + j, box + j, k->correction + c, precision);
    arb_add(box + j, box + j, work->x + j, precision);
    ok = arb_contains_interior(wide + j, box + j);
  }
  return ok;
}

/* wide: the chosen unknowns a little wider than their correction, in later attempts much wider. */
static void
inflate(const Work *work, const Krawczyk *k, int attempt, arb_ptr wide)
{
  slong precision = work->solution->precision;
  for (uint32_t c = 0; c < work->stage->n_equations; c++) {
    uint32_t j = work->chosen[c];
    mag_t least;
    mag_init(least);
    arb_set(wide + j, work->x + j);
    arb_get_mag(arb_radref(wide + j), k->correction + c);
    arb_get_mag(least, work->x + j);
    mag_mul_2exp_si(least, least, -precision + 12);
    mag_add(arb_radref(wide + j), arb_radref(wide + j), least);
    mag_set_ui_2exp_si(least, 1, -precision + 8);
    mag_add(arb_radref(wide + j), arb_radref(wide + j), least);
    mag_mul_2exp_si(arb_radref(wide + j), arb_radref(wide + j), 2 + 12 * attempt);
    mag_clear(least);
  }
}

bool
dae_solution_prove(Work *work, arb_ptr box)
{
  uint32_t n = work->stage->n_unknowns;
  Krawczyk k;
  krawczyk_init(work, &k);
  arb_ptr wide = _arb_vec_init(n);
  bool proved = false;
  if (prepare_krawczyk(work, &k)) {
    _arb_vec_set(wide, work->x, n);
    _arb_vec_set(box, work->x, n);
    for (int attempt = 0; attempt < N_INFLATIONS && !proved; attempt++) {
      inflate(work, &k, attempt, wide);
      proved = contracts(work, &k, wide, box);
    }
  }
  _arb_vec_clear(wide, n);
  krawczyk_clear(work, &k);
  return proved;
}
