#include "proofcheck/certify.h"

#include <math.h>

#include "base/base.h"
#include "proofcheck/ball_walk.h"
#include "proofcheck/certify_sparse.h"

#define BOX_PRECISION 1024
#define MAX_PRECISION 4096
#define MOST_DENSE 250u
#define CLOSE_ENOUGH 1e-60 /* the last step of Newton's method, relatively */

static void
free_ball(gpointer data)
{
  arb_clear((arb_ptr)data);
  g_free(data);
}

DaeCertifier *
dae_certifier_new(DaeTerms *terms)
{
  DaeCertifier *certifier = g_new0(DaeCertifier, 1);
  certifier->terms = terms;
  certifier->bound = g_hash_table_new(NULL, NULL);
  certifier->balls = g_hash_table_new_full(NULL, NULL, NULL, free_ball);
  return certifier;
}

void
dae_certifier_free(DaeCertifier *certifier)
{
  if (certifier != NULL) {
    g_hash_table_unref(certifier->bound);
    g_hash_table_unref(certifier->balls);
    g_free(certifier);
  }
}

void
dae_certifier_bind(DaeCertifier *certifier, DaeTerm atom, DaeTerm value)
{
  g_hash_table_insert(certifier->bound, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(value));
}

bool
dae_certifier_bind_ball(DaeCertifier *certifier, DaeTerm atom, const char *decimal, int radius)
{
  arb_ptr ball = g_new(arb_struct, 1);
  arb_init(ball);
  bool ok = arb_set_str(ball, decimal, BOX_PRECISION) == 0;
  arb_t width;
  arb_init(width);
  arb_set_si(width, 10);
  fmpz_t exponent;
  fmpz_init(exponent);
  fmpz_set_si(exponent, radius);
  arb_pow_fmpz(width, width, exponent, 64);
  arb_add_error(ball, width);
  fmpz_clear(exponent);
  arb_clear(width);
  g_hash_table_insert(certifier->balls, GUINT_TO_POINTER(atom), ball);
  return ok;
}

/* ---- questions --------------------------------------------------------------------------- */

bool
dae_certifier_sign(DaeCertifier *certifier, DaeTerm t, int *sign)
{
  for (slong precision = 64; precision <= MAX_PRECISION; precision *= 4) {
    Walk walk;
    dae_ball_walk_init(&walk, certifier, precision);
    const Value *value = dae_ball_walk_value(&walk, t);
    bool is_number = value->state == STATE_NUMBER;
    *sign = !is_number                      ? 0
            : arb_is_positive(value->value) ? 1
            : arb_is_negative(value->value) ? -1
                                            : 0;
    dae_ball_walk_clear(&walk);
    if (*sign != 0) {
      return true;
    }
  }
  return false;
}

bool
dae_certifier_is_regular(DaeCertifier *certifier, const DaeTerm *entries, uint32_t n)
{
  bool is_regular = false;
  bool is_defined = true;
  arb_mat_t matrix;
  arb_t determinant;
  arb_mat_init(matrix, n, n);
  arb_init(determinant);
  for (slong precision = 64; precision <= MAX_PRECISION && is_defined && !is_regular;
       precision *= 4) {
    Walk walk;
    dae_ball_walk_init(&walk, certifier, precision);
    for (uint32_t k = 0; k < n * n && is_defined; k++) {
      const Value *value = dae_ball_walk_value(&walk, entries[k]);
      is_defined = value->state == STATE_NUMBER;
      if (is_defined) {
        arb_set(arb_mat_entry(matrix, k / n, k % n), value->value);
      }
    }
    dae_ball_walk_clear(&walk);
    if (is_defined) {
      arb_mat_det(determinant, matrix, precision);
      is_regular = !arb_contains_zero(determinant);
    }
  }
  arb_mat_clear(matrix);
  arb_clear(determinant);
  return is_defined && is_regular;
}

static bool
compare_size(const DaeCertifier *certifier, DaeTerm t, int exponent, bool below)
{
  Walk walk;
  dae_ball_walk_init(&walk, certifier, BOX_PRECISION);
  const Value *value = dae_ball_walk_value(&walk, t);
  arb_t bound;
  arb_t size;
  arb_init(bound);
  arb_init(size);
  arb_set_si(bound, 10);
  fmpz_t e;
  fmpz_init(e);
  fmpz_set_si(e, exponent);
  arb_pow_fmpz(bound, bound, e, 64);
  fmpz_clear(e);
  arb_abs(size, value->value);
  bool ok = value->state == STATE_NUMBER && (below ? arb_le(size, bound) : arb_ge(size, bound));
  arb_clear(bound);
  arb_clear(size);
  dae_ball_walk_clear(&walk);
  return ok;
}

bool
dae_certifier_is_below_bits(DaeCertifier *certifier, DaeTerm t, int bits)
{
  bool is_below = false;
  for (slong precision = 64; precision <= 2 * (slong)bits + 256 && !is_below; precision *= 2) {
    Walk walk;
    dae_ball_walk_init(&walk, certifier, MIN(precision, (slong)bits + 128));
    const Value *value = dae_ball_walk_value(&walk, t);
    bool is_number = value->state == STATE_NUMBER;
    bool is_open = is_number && arb_contains_zero(value->value);
    is_below = is_open && arf_cmpabs_2exp_si(arb_midref(value->value), -(slong)bits - 1) <= 0 &&
               mag_cmp_2exp_si(arb_radref(value->value), -(slong)bits - 1) <= 0;
    dae_ball_walk_clear(&walk);
    if (is_number && !is_open) {
      return false;
    }
  }
  return is_below;
}

bool
dae_certifier_is_below(DaeCertifier *certifier, DaeTerm t, int exponent)
{
  return compare_size(certifier, t, exponent, true);
}

bool
dae_certifier_is_above(DaeCertifier *certifier, DaeTerm t, int exponent)
{
  return compare_size(certifier, t, exponent, false);
}

/* Row i of f at the midpoints, and of the Jacobian over the box. */
static bool
fill_row(const DaeCertifier *certifier, DaeTerm equation, const DaeTerm *atoms, uint32_t n,
         arb_ptr f, arb_ptr row)
{
  Walk walk;
  dae_ball_walk_init(&walk, certifier, BOX_PRECISION);
  walk.at_midpoint = true;
  const Value *value = dae_ball_walk_value(&walk, equation);
  bool ok = value->state == STATE_NUMBER;
  arb_set(f, value->value);
  dae_ball_walk_clear(&walk);
  dae_ball_walk_init(&walk, certifier, BOX_PRECISION);
  walk.directions = atoms;
  walk.n_directions = n;
  value = dae_ball_walk_value(&walk, equation);
  ok = ok && value->state == STATE_NUMBER && value->is_smooth;
  for (uint32_t k = 0; k < n && ok; k++) {
    arb_set(row + k, value->d + k);
    ok = arb_is_finite(row + k);
  }
  dae_ball_walk_clear(&walk);
  return ok;
}

/* step: J(X)^-1 f(m). Dense, for small systems: Arb's solver preconditions. */
static bool
newton_step_dense(DaeCertifier *certifier, const DaeTerm *equations, const DaeTerm *atoms,
                  uint32_t n, arb_ptr step)
{
  arb_mat_t jacobian;
  arb_mat_t f;
  arb_mat_t x;
  arb_mat_init(jacobian, n, n);
  arb_mat_init(f, n, 1);
  arb_mat_init(x, n, 1);
  arb_ptr row = _arb_vec_init((slong)n);
  bool ok = n > 0;
  for (uint32_t i = 0; i < n && ok; i++) {
    ok = fill_row(certifier, equations[i], atoms, n, arb_mat_entry(f, i, 0), row);
    certifier->open = ok ? DAE_NO_TERM : equations[i];
    for (uint32_t k = 0; k < n; k++) {
      arb_set(arb_mat_entry(jacobian, i, k), row + k);
    }
  }
  ok = ok && arb_mat_solve(x, jacobian, f, BOX_PRECISION) != 0;
  for (uint32_t i = 0; i < n && ok; i++) {
    arb_set(step + i, arb_mat_entry(x, i, 0));
  }
  _arb_vec_clear(row, (slong)n);
  arb_mat_clear(jacobian);
  arb_mat_clear(f);
  arb_mat_clear(x);
  return ok;
}

static gint
compare_places(gconstpointer a, gconstpointer b)
{
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Numbers of the atoms in an equation, rising. */
static void
collect_places(DaeTerms *terms, GHashTable *place_of, DaeTerm equation, GArray *places)
{
  g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_set_size(places, 0);
  dae_term_collect_variables(terms, equation, found);
  for (guint k = 0; k < found->len; k++) {
    gpointer key = GUINT_TO_POINTER(g_array_index(found, DaeTerm, k));
    uint32_t place = GPOINTER_TO_UINT(g_hash_table_lookup(place_of, key));
    if (place > 0) {
      place--;
      g_array_append_val(places, place);
    }
  }
  g_array_sort(places, compare_places);
}

/* The same where rows have few entries. */
static bool
newton_step_sparse(DaeCertifier *certifier, const DaeTerm *equations, const DaeTerm *atoms,
                   uint32_t n, arb_ptr step)
{
  DaeBallSystem *system = dae_ball_system_new(n);
  g_autoptr(GHashTable) place_of = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) directions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bool ok = true;
  for (uint32_t k = 0; k < n; k++) {
    g_hash_table_insert(place_of, GUINT_TO_POINTER(atoms[k]), GUINT_TO_POINTER(k + 1));
  }
  for (uint32_t i = 0; i < n && ok; i++) {
    collect_places(certifier->terms, place_of, equations[i], places);
    g_array_set_size(directions, 0);
    for (guint k = 0; k < places->len; k++) {
      g_array_append_val(directions, atoms[g_array_index(places, uint32_t, k)]);
    }
    arb_ptr row = _arb_vec_init((slong)places->len + 1); /* the last one is f */
    ok = fill_row(certifier, equations[i], (const DaeTerm *)(void *)directions->data,
                  directions->len, row + places->len, row);
    certifier->open = ok ? DAE_NO_TERM : equations[i];
    for (guint k = 0; k < places->len && ok; k++) {
      dae_ball_system_add(system, i, g_array_index(places, uint32_t, k), row + k);
    }
    dae_ball_system_set_right(system, i, row + places->len);
    _arb_vec_clear(row, (slong)places->len + 1);
  }
  ok = ok && dae_ball_system_solve(system, step);
  dae_ball_system_free(system);
  return ok;
}

static bool
newton_step(DaeCertifier *certifier, const DaeTerm *equations, const DaeTerm *atoms, uint32_t n,
            arb_ptr step)
{
  return n <= MOST_DENSE ? newton_step_dense(certifier, equations, atoms, n, step)
                         : newton_step_sparse(certifier, equations, atoms, n, step);
}

bool
dae_certifier_has_solution(DaeCertifier *certifier, const DaeTerm *equations,
                           const DaeTerm *atoms, uint32_t n)
{
  arb_ptr step = _arb_vec_init((slong)n);
  bool ok = newton_step(certifier, equations, atoms, n, step);
  for (uint32_t i = 0; i < n && ok; i++) { /* the image of the operator takes the place */
    arb_srcptr ball = g_hash_table_lookup(certifier->balls, GUINT_TO_POINTER(atoms[i]));
    arb_neg(step + i, step + i);
    if (ball != NULL) {
      arf_add(arb_midref(step + i), arb_midref(step + i), arb_midref(ball), ARF_PREC_EXACT,
              ARF_RND_NEAR);
    }
    ok = ball != NULL && arb_contains_interior(ball, step + i);
  }
  for (uint32_t i = 0; i < n && ok; i++) {
    arb_set(g_hash_table_lookup(certifier->balls, GUINT_TO_POINTER(atoms[i])), step + i);
  }
  _arb_vec_clear(step, (slong)n);
  return ok;
}

/* ---- from doubles ------------------------------------------------------------------------ */

/* The point less the step; *largest: the size of the step, of its variable or of 1. */
static void
move_point(const DaeCertifier *certifier, const DaeTerm *atoms, uint32_t n, arb_srcptr step,
           double *largest)
{
  *largest = 0;
  for (uint32_t i = 0; i < n; i++) {
    arb_ptr x = g_hash_table_lookup(certifier->balls, GUINT_TO_POINTER(atoms[i]));
    double size = 1 + fabs(arf_get_d(arb_midref(x), ARF_RND_NEAR));
    *largest = fmax(*largest, fabs(arf_get_d(arb_midref(step + i), ARF_RND_NEAR)) / size);
    arf_sub(arb_midref(x), arb_midref(x), arb_midref(step + i), BOX_PRECISION, ARF_RND_NEAR);
  }
}

/* Newton's method at points; what it finds is proved afterwards. */
static bool
refine(DaeCertifier *certifier, const DaeTerm *equations, const DaeTerm *atoms, uint32_t n)
{
  enum { MOST_STEPS = 12 };

  arb_ptr step = _arb_vec_init((slong)n);
  double largest = INFINITY;
  bool ok = true;
  for (int k = 0; k < MOST_STEPS && ok && largest > CLOSE_ENOUGH; k++) {
    ok = newton_step(certifier, equations, atoms, n, step);
    if (ok) {
      move_point(certifier, atoms, n, step, &largest);
    }
  }
  _arb_vec_clear(step, (slong)n);
  return ok && largest <= CLOSE_ENOUGH;
}

/* Balls of this relative size around where the atoms are. */
static void
set_radii(const DaeCertifier *certifier, const DaeTerm *atoms, uint32_t n, double radius)
{
  for (uint32_t i = 0; i < n; i++) {
    arb_ptr x = g_hash_table_lookup(certifier->balls, GUINT_TO_POINTER(atoms[i]));
    mag_set_d(arb_radref(x), radius * (1 + fabs(arf_get_d(arb_midref(x), ARF_RND_NEAR))));
  }
}

bool
dae_certifier_has_solution_near(DaeCertifier *certifier, const DaeTerm *equations,
                                const DaeTerm *atoms, const double *values, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    arb_ptr ball = g_new(arb_struct, 1);
    arb_init(ball);
    arb_set_d(ball, values[i]);
    g_hash_table_remove(certifier->bound, GUINT_TO_POINTER(atoms[i]));
    g_hash_table_insert(certifier->balls, GUINT_TO_POINTER(atoms[i]), ball);
  }
  if (!refine(certifier, equations, atoms, n)) {
    return false;
  }
  static const double radii[] = {1e-60, 1e-50, 1e-40, 1e-30, 1e-22};
  bool ok = false;
  for (size_t r = 0; r < G_N_ELEMENTS(radii) && !ok; r++) { /* beside what is known as a ball */
    set_radii(certifier, atoms, n, radii[r]);
    ok = dae_certifier_has_solution(certifier, equations, atoms, n);
  }
  return ok;
}

DaeTerm
dae_certifier_open_equation(const DaeCertifier *certifier)
{
  return certifier->open;
}

bool
dae_certifier_jacobian_is_regular(DaeCertifier *certifier, const DaeTerm *equations,
                                  const DaeTerm *atoms, uint32_t n)
{
  arb_ptr step = _arb_vec_init((slong)n);
  bool ok = n == 0 || newton_step(certifier, equations, atoms, n, step);
  _arb_vec_clear(step, (slong)n);
  return ok;
}

bool
dae_certifier_is_regular_sparse(DaeCertifier *certifier, const DaeCertifierEntry *entries,
                                size_t n_entries, uint32_t n)
{
  DaeBallSystem *system = dae_ball_system_new(n);
  arb_ptr solution = _arb_vec_init((slong)n);
  Walk walk;
  dae_ball_walk_init(&walk, certifier, BOX_PRECISION);
  bool ok = true;
  for (size_t e = 0; e < n_entries && ok; e++) {
    const Value *value = dae_ball_walk_value(&walk, entries[e].value);
    ok = value->state == STATE_NUMBER && arb_is_finite(value->value);
    if (ok) {
      dae_ball_system_add(system, entries[e].row, entries[e].column, value->value);
    }
  }
  dae_ball_walk_clear(&walk);
  ok = ok && dae_ball_system_solve(system, solution); /* with zeros on the right */
  _arb_vec_clear(solution, (slong)n);
  dae_ball_system_free(system);
  return ok;
}
