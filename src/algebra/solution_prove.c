/* Existence of a solution in a box by Krawczyk's operator. */
#include "algebra/solution-priv.h"

enum { N_INFLATIONS = 4 };

typedef DaeSolutionWork Work;

typedef struct {
  arb_mat_t inverse; /* approximate, of the square Jacobian at the midpoint */
  arb_mat_t jacobian, full, product;
  arb_mat_t correction; /* inverse * f(m) */
  arb_mat_t offset, image;
} Krawczyk;

static void
krawczyk_init(Krawczyk *k, uint32_t m, uint32_t n)
{
  arb_mat_init(k->inverse, m, m);
  arb_mat_init(k->jacobian, m, m);
  arb_mat_init(k->full, m, n);
  arb_mat_init(k->product, m, m);
  arb_mat_init(k->correction, m, 1);
  arb_mat_init(k->offset, m, 1);
  arb_mat_init(k->image, m, 1);
}

static void
krawczyk_clear(Krawczyk *k)
{
  arb_mat_clear(k->inverse);
  arb_mat_clear(k->jacobian);
  arb_mat_clear(k->full);
  arb_mat_clear(k->product);
  arb_mat_clear(k->correction);
  arb_mat_clear(k->offset);
  arb_mat_clear(k->image);
}

static void
take_square(const Work *work, Krawczyk *k)
{
  uint32_t m = work->stage->n_equations;
  dae_solution_jacobian(work, k->full);
  for (uint32_t i = 0; i < m; i++) {
    for (uint32_t c = 0; c < m; c++) {
      arb_set(arb_mat_entry(k->jacobian, i, c), arb_mat_entry(k->full, i, work->chosen[c]));
    }
  }
}

static bool
prepare_krawczyk(Work *work, Krawczyk *k)
{
  uint32_t m = work->stage->n_equations;
  slong precision = work->solution->precision;
  if (!dae_solution_evaluate(work, work->x)) {
    return false;
  }
  take_square(work, k);
  if (arb_mat_approx_inv(k->inverse, k->jacobian, precision) == 0) {
    return false;
  }
  arb_mat_get_mid(k->inverse, k->inverse);
  arb_mat_t f;
  arb_mat_init(f, m, 1);
  for (uint32_t i = 0; i < m; i++) {
    arb_set(arb_mat_entry(f, i, 0), work->values + i);
  }
  arb_mat_mul(k->correction, k->inverse, f, precision);
  arb_mat_clear(f);
  return true;
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
  take_square(work, k);
  arb_mat_mul(k->product, k->inverse, k->jacobian, precision);
  arb_mat_neg(k->product, k->product);
  for (uint32_t c = 0; c < m; c++) {
    uint32_t j = work->chosen[c];
    arb_add_si(arb_mat_entry(k->product, c, c), arb_mat_entry(k->product, c, c), 1, precision);
    arb_sub(arb_mat_entry(k->offset, c, 0), wide + j, work->x + j, precision);
  }
  arb_mat_mul(k->image, k->product, k->offset, precision);
  arb_mat_sub(k->image, k->image, k->correction, precision);
  bool ok = true;
  for (uint32_t c = 0; c < m && ok; c++) {
    uint32_t j = work->chosen[c];
    arb_add(box + j, work->x + j, arb_mat_entry(k->image, c, 0), precision);
    ok = arb_contains_interior(wide + j, box + j);
  }
  work->solution->work += 2.0 * m * m * m;
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
    arb_get_mag(arb_radref(wide + j), arb_mat_entry(k->correction, c, 0));
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
  krawczyk_init(&k, work->stage->n_equations, n);
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
  krawczyk_clear(&k);
  return proved;
}
