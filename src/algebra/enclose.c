#include "algebra/enclose.h"

#include <math.h>

#include "algebra/enclose-priv.h"

#define N_NEWTON 60
#define N_HALVINGS 12
#define N_INFLATIONS 4
#define ROUGH_PRECISION 96 /* bits of the matrices: they only have to contract */

struct DaeEnclosure {
  uint32_t n;
  uint32_t digits;
  slong precision;
  DaeTerm *atoms;
  arb_ptr box;
};

/* ---- the program ------------------------------------------------------------------------- */

static uint32_t
position_of(const DaeSquareSystem *system, DaeTerm atom)
{
  for (uint32_t k = 0; k < system->n; k++) {
    if (system->unknowns[k] == atom) {
      return k;
    }
  }
  return UINT32_MAX;
}

/* false: an atom that is no unknown. Functions that jump inside of a ball have no value there. */
bool
dae_enclose_begin(DaeEncloseWork *work, DaeAlgebra *algebra, const DaeSquareSystem *system)
{
  uint32_t n = system->n;
  *work = (DaeEncloseWork){.algebra = algebra, .system = system};
  work->entries = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) roots = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_vals(roots, system->equations, n);
  bool ok = true;
  for (uint32_t i = 0; i < n && ok; i++) {
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    dae_term_collect_variables(algebra->terms, system->equations[i], atoms);
    dae_term_collect_parameters(algebra->terms, system->equations[i], atoms);
    for (guint k = 0; k < atoms->len && ok; k++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, k);
      uint32_t column = position_of(system, atom);
      DaeTerm d = dae_term_partial(algebra->terms, system->equations[i], atom);
      ok = column != UINT32_MAX && d != DAE_NO_TERM;
      uint32_t place = i * n + column;
      g_array_append_val(work->entries, place);
      g_array_append_val(roots, d);
    }
  }
  work->n_roots = roots->len;
  work->values = _arb_vec_init(roots->len);
  work->x = _arb_vec_init(n);
  if (ok) {
    work->plan = dae_plan_new(algebra, (const DaeTerm *)(void *)roots->data, roots->len, NULL);
  }
  return ok;
}

void
dae_enclose_end(DaeEncloseWork *work)
{
  g_clear_pointer(&work->plan, dae_plan_free);
  _arb_vec_clear(work->values, work->n_roots);
  _arb_vec_clear(work->x, work->system->n);
  g_array_unref(work->entries);
}

bool
dae_enclose_evaluate(DaeEncloseWork *work, arb_srcptr at, slong precision)
{
  DaeBallBinding binding = {
      .atoms = work->system->unknowns, .values = at, .n = work->system->n};
  return dae_ball_eval_bound(work->algebra, work->plan, work->n_roots, &binding, precision,
                             work->values);
}

void
dae_enclose_jacobian(const DaeEncloseWork *work, arb_mat_t jacobian)
{
  uint32_t n = work->system->n;
  arb_mat_zero(jacobian);
  for (guint k = 0; k < work->entries->len; k++) {
    uint32_t place = g_array_index(work->entries, uint32_t, k);
    arb_set(arb_mat_entry(jacobian, place / n, place % n), work->values + n + k);
  }
}

/* ---- Newton ------------------------------------------------------------------------------ */

static double
norm_of_residuals(const DaeEncloseWork *work)
{
  double sum = 0.0;
  for (uint32_t i = 0; i < work->system->n; i++) {
    double value = arf_get_d(arb_midref(work->values + i), ARF_RND_NEAR);
    sum += value * value;
  }
  return sqrt(sum);
}

/* Is the step below 2^(-precision/2), relative to the larger of 1 and the size of its unknown? */
static bool
is_tiny(const DaeEncloseWork *work, const arb_mat_t step, slong precision)
{
  bool tiny = true;
  arf_t limit;
  arf_t one;
  arf_init(limit);
  arf_init(one);
  arf_one(one);
  for (uint32_t i = 0; i < work->system->n && tiny; i++) {
    bool is_small = arf_cmpabs(arb_midref(work->x + i), one) < 0;
    arf_abs(limit, is_small ? one : arb_midref(work->x + i));
    arf_mul_2exp_si(limit, limit, -precision / 2);
    tiny = arf_cmpabs(arb_midref(arb_mat_entry(step, i, 0)), limit) <= 0;
  }
  arf_clear(limit);
  arf_clear(one);
  return tiny;
}

/* trial = x - step/2^k, without radii. */
static bool
set_trial(const DaeEncloseWork *work, const arb_mat_t step, int k, slong precision,
          arb_ptr trial)
{
  bool ok = true;
  for (uint32_t i = 0; i < work->system->n; i++) {
    arb_mul_2exp_si(trial + i, arb_mat_entry(step, i, 0), -k);
    arb_sub(trial + i, work->x + i, trial + i, precision);
    arb_get_mid_arb(trial + i, trial + i);
    ok = ok && arb_is_finite(trial + i);
  }
  return ok;
}

/* One step from a point that was evaluated: halved until the residual falls, unless it is tiny
 * already: then rounding is all there is, and the point has converged. false: no way down. */
bool
dae_enclose_step(DaeEncloseWork *work, arb_mat_t jacobian, arb_mat_t step, slong precision,
                 bool *converged)
{
  uint32_t n = work->system->n;
  double before = norm_of_residuals(work);
  dae_enclose_jacobian(work, jacobian);
  arb_mat_t rhs;
  arb_mat_init(rhs, n, 1);
  for (uint32_t i = 0; i < n; i++) {
    arb_get_mid_arb(arb_mat_entry(rhs, i, 0), work->values + i);
  }
  bool ok = arb_mat_approx_solve(step, jacobian, rhs, precision) != 0;
  arb_mat_clear(rhs);
  *converged = ok && is_tiny(work, step, precision);
  arb_ptr trial = _arb_vec_init(n);
  bool accepted = false;
  for (int k = 0; k < N_HALVINGS && ok && !accepted; k++) {
    accepted = set_trial(work, step, k, precision, trial) &&
               dae_enclose_evaluate(work, trial, precision) &&
               (*converged || norm_of_residuals(work) < before);
  }
  for (uint32_t i = 0; i < n && accepted; i++) {
    arb_set(work->x + i, trial + i);
  }
  _arb_vec_clear(trial, n);
  return accepted;
}

/* Newton from `near`: rough precision until the step is small, then
 * full precision until it is tiny. */
bool
dae_enclose_refine(DaeEncloseWork *work, slong precision)
{
  uint32_t n = work->system->n;
  arb_mat_t jacobian;
  arb_mat_t step;
  arb_mat_init(jacobian, n, n);
  arb_mat_init(step, n, 1);
  for (uint32_t i = 0; i < n; i++) {
    arb_set_d(work->x + i, work->system->near[i]);
  }
  slong at = MIN(ROUGH_PRECISION, precision);
  bool converged = false;
  bool ok = dae_enclose_evaluate(work, work->x, at);
  for (int k = 0; k < N_NEWTON && ok && !(converged && at == precision); k++) {
    bool moved = dae_enclose_step(work, jacobian, step, at, &converged);
    if (at < precision && (converged || !moved)) {
      at = MIN(2 * at,
               precision); /* rounding stands in the way, or half of the digits are right */
      converged = false;
      moved = dae_enclose_evaluate(work, work->x, at);
    }
    ok = moved && !dae_algebra_spent(work->algebra);
  }
  /* the last step was below 2^(-precision/2): one more makes it precision */
  bool last = false;
  ok = ok && converged && dae_enclose_evaluate(work, work->x, precision);
  if (ok) {
    dae_enclose_step(work, jacobian, step, precision, &last);
  }
  arb_mat_clear(jacobian);
  arb_mat_clear(step);
  return ok;
}

/* ---- proof ------------------------------------------------------------------------------- */

typedef struct {
  arb_mat_t inverse; /* approximate, of the Jacobian at the midpoint */
  arb_mat_t contraction;
  arb_mat_t correction; /* inverse * f(m) */
} Krawczyk;

static bool
prepare_krawczyk(DaeEncloseWork *work, Krawczyk *k, slong precision)
{
  uint32_t n = work->system->n;
  arb_mat_t f;
  arb_mat_t jacobian;
  arb_mat_init(f, n, 1);
  arb_mat_init(jacobian, n, n);
  bool ok = dae_enclose_evaluate(work, work->x, precision);
  for (uint32_t i = 0; i < n && ok; i++) {
    arb_set(arb_mat_entry(f, i, 0), work->values + i);
  }
  if (ok) {
    dae_enclose_jacobian(work, jacobian);
    ok = arb_mat_approx_inv(k->inverse, jacobian, ROUGH_PRECISION) != 0;
  }
  for (uint32_t i = 0; i < n && ok; i++) {
    for (uint32_t j = 0; j < n; j++) {
      arb_get_mid_arb(arb_mat_entry(k->inverse, i, j), arb_mat_entry(k->inverse, i, j));
    }
  }
  if (ok) {
    arb_mat_mul(k->correction, k->inverse, f, ROUGH_PRECISION);
  }
  arb_mat_clear(f);
  arb_mat_clear(jacobian);
  return ok;
}

/* Is m - Y f(m) + (I - Y J(X))(X - m) inside of X? Then box becomes
 * it, with one solution inside. */
static bool
contracts(DaeEncloseWork *work, Krawczyk *k, arb_srcptr wide, slong precision, arb_ptr box)
{
  uint32_t n = work->system->n;
  arb_mat_t jacobian;
  arb_mat_t image;
  arb_mat_t offset;
  arb_mat_init(jacobian, n, n);
  arb_mat_init(image, n, 1);
  arb_mat_init(offset, n, 1);
  bool ok = dae_enclose_evaluate(work, wide, precision);
  if (ok) {
    dae_enclose_jacobian(work, jacobian);
    arb_mat_mul(k->contraction, k->inverse, jacobian, ROUGH_PRECISION);
    arb_mat_neg(k->contraction, k->contraction);
    for (uint32_t i = 0; i < n; i++) {
      arb_ptr diagonal = arb_mat_entry(k->contraction, i, i);
      arb_add_si(diagonal, diagonal, 1, ROUGH_PRECISION);
      arb_sub(arb_mat_entry(offset, i, 0), wide + i, work->x + i, ROUGH_PRECISION);
    }
    arb_mat_mul(image, k->contraction, offset, ROUGH_PRECISION);
    arb_mat_sub(image, image, k->correction, ROUGH_PRECISION);
  }
  for (uint32_t i = 0; i < n && ok; i++) {
    arb_add(box + i, work->x + i, arb_mat_entry(image, i, 0), precision);
    ok = arb_contains_interior(wide + i, box + i);
  }
  arb_mat_clear(jacobian);
  arb_mat_clear(image);
  arb_mat_clear(offset);
  return ok;
}

bool
dae_enclose_prove(DaeEncloseWork *work, slong precision, arb_ptr box)
{
  uint32_t n = work->system->n;
  Krawczyk k;
  arb_mat_init(k.inverse, n, n);
  arb_mat_init(k.contraction, n, n);
  arb_mat_init(k.correction, n, 1);
  arb_ptr wide = _arb_vec_init(n);
  bool ok = prepare_krawczyk(work, &k, precision);
  bool proved = false;
  for (int attempt = 0; attempt < N_INFLATIONS && ok && !proved; attempt++) {
    for (uint32_t i = 0; i < n; i++) { /* a little wider than the correction, then much wider */
      mag_t radius;
      mag_t least;
      mag_init(radius);
      mag_init(least);
      arb_get_mag(radius, arb_mat_entry(k.correction, i, 0));
      arb_get_mag(least, work->x + i);
      mag_mul_2exp_si(least, least, -precision + 12);
      mag_add(radius, radius, least);
      mag_set_ui_2exp_si(least, 1, -precision + 8);
      mag_add(radius, radius, least);
      mag_mul_2exp_si(radius, radius, 2 + 12 * attempt);
      arb_set(wide + i, work->x + i);
      mag_swap(arb_radref(wide + i), radius);
      mag_clear(radius);
      mag_clear(least);
    }
    proved = contracts(work, &k, wide, precision, box);
  }
  _arb_vec_clear(wide, n);
  arb_mat_clear(k.inverse);
  arb_mat_clear(k.contraction);
  arb_mat_clear(k.correction);
  return proved;
}

/* ---- the service ------------------------------------------------------------------------- */

/* The binary exponent, kept to what decimal exponents of this room can be. */
static double
bits_of(const arf_t x)
{
  double bits = fmpz_get_d(ARF_EXPREF(x));
  return CLAMP(bits, -3e6, 3e6);
}

/* The least e with |x| < 10^e, from above; -1000000 for 0. */
static int
exponent_above(const mag_t size)
{
  if (mag_is_zero(size)) {
    return -1000000;
  }
  arf_t x;
  arf_init(x);
  arf_set_mag(x, size);
  double bits = bits_of(x); /* |x| <= 2^bits */
  arf_clear(x);
  return (int)ceil(bits * 0.30102999566398120);
}

static int
exponent_below(const mag_t size)
{
  arf_t x;
  arf_init(x);
  arf_set_mag(x, size);
  double bits = bits_of(x) - 1.0; /* |x| >= 2^bits */
  arf_clear(x);
  return (int)floor(bits * 0.30102999566398120) - 1;
}

DaeEnclosure *
dae_algebra_enclose(DaeAlgebra *algebra, const DaeSquareSystem *system, uint32_t digits)
{
  if (system->n == 0 || system->n > DAE_ENCLOSE_MAX) {
    return NULL;
  }
  DaeEnclosure *enclosure = g_new0(DaeEnclosure, 1);
  slong precision = (slong)ceil(digits * 3.3219280948873626) + 40;
  enclosure->n = system->n;
  enclosure->digits = digits;
  enclosure->precision = precision;
  enclosure->atoms = g_memdup2(system->unknowns, sizeof(DaeTerm) * system->n);
  enclosure->box = _arb_vec_init(system->n);
  DaeEncloseWork work;
  bool ok = dae_enclose_begin(&work, algebra, system) && dae_enclose_refine(&work, precision) &&
            dae_enclose_prove(&work, precision, enclosure->box);
  dae_enclose_end(&work);
  if (!ok) {
    g_clear_pointer(&enclosure, dae_enclosure_free);
  }
  return enclosure;
}

void
dae_enclosure_free(DaeEnclosure *enclosure)
{
  if (enclosure != NULL) {
    _arb_vec_clear(enclosure->box, enclosure->n);
    g_free(enclosure->atoms);
    g_free(enclosure);
  }
}

uint32_t
dae_enclosure_digits(const DaeEnclosure *enclosure)
{
  return enclosure->digits;
}

int
dae_enclosure_radius(const DaeEnclosure *enclosure)
{
  int largest = -1000000;
  for (uint32_t i = 0; i < enclosure->n; i++) {
    largest = MAX(largest, exponent_above(arb_radref(enclosure->box + i)));
  }
  return largest + 1; /* the decimal texts are rounded: room for that */
}

double
dae_enclosure_value(const DaeEnclosure *enclosure, uint32_t i)
{
  DAE_ASSERT(i < enclosure->n);
  return arf_get_d(arb_midref(enclosure->box + i), ARF_RND_NEAR);
}

char *
dae_enclosure_text(const DaeEnclosure *enclosure, uint32_t i)
{
  DAE_ASSERT(i < enclosure->n);
  /* correctly rounded midpoint: far below the radius */
  char *text = arb_get_str(enclosure->box + i, (slong)enclosure->digits + 25,
                           ARB_STR_MORE | ARB_STR_NO_RADIUS);
  char *copy = g_strdup(text);
  flint_free(text);
  return copy;
}

bool
dae_enclosure_overlaps(const DaeEnclosure *a, const DaeEnclosure *b)
{
  if (a->n != b->n) {
    return false;
  }
  for (uint32_t i = 0; i < a->n; i++) {
    if (a->atoms[i] != b->atoms[i] || !arb_overlaps(a->box + i, b->box + i)) {
      return false;
    }
  }
  return true;
}

static void
size_of_ball(const arb_t ball, DaeBallSize *size)
{
  mag_t bound;
  mag_init(bound);
  arb_get_mag(bound, ball);
  size->below = exponent_above(bound);
  size->excludes_zero = !arb_contains_zero(ball);
  if (size->excludes_zero) {
    arb_get_mag_lower(bound, ball);
    size->above = exponent_below(bound);
  }
  mag_clear(bound);
}

bool
dae_enclosure_size(DaeAlgebra *algebra, const DaeEnclosure *enclosure, DaeTerm t,
                   DaeBallSize *size)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  DaeBallBinding binding = {
      .atoms = enclosure->atoms, .values = enclosure->box, .n = enclosure->n};
  arb_t value;
  arb_init(value);
  *size = (DaeBallSize){.below = 1000000};
  bool ok = dae_ball_eval_bound(algebra, plan, 1, &binding, enclosure->precision, value);
  if (ok) {
    size_of_ball(value, size);
  }
  arb_clear(value);
  return ok;
}

bool
dae_algebra_constant_size(DaeAlgebra *algebra, DaeTerm t, uint32_t digits, DaeBallSize *size)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  DaeBallBinding binding = {.atoms = NULL, .values = NULL, .n = 0};
  arb_t value;
  arb_init(value);
  *size = (DaeBallSize){.below = 1000000};
  slong precision = (slong)ceil(digits * 3.3219280948873626) + 40;
  bool ok = dae_ball_eval_bound(algebra, plan, 1, &binding, precision, value);
  if (ok) {
    size_of_ball(value, size);
  }
  arb_clear(value);
  return ok;
}
