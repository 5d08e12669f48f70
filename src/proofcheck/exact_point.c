/* A solution in exact numbers, where no ball around it tells: the edge of a domain (sqrt(x) at
 * 0), a condition at its edge (0 < 0), a root of higher multiplicity ((x - 1)^2).
 *
 * The equations vanish there exactly. They determine the unknowns one after another: an equation
 * with one unknown left, the others being numbers, does so where its slope is not 0 or where it is
 * a polynomial in that unknown, whose roots are isolated. What is left is asked for a regular
 * Jacobian, in all branches that meet at the point. */
#include "proofcheck/certify.h"

#include "proofcheck/ball_walk.h"
#include "proofcheck/exact.h"

typedef struct {
  DaeCertifier *certifier;
  DaeTerms *terms;
  const DaeTerm *equations, *atoms;
  uint32_t n;
  DaeTerm *value;      /* by atom */
  GHashTable *place;   /* atom -> place + 1 */
  GArray **inside;     /* by equation: places of the atoms in it */
  bool *is_determined; /* by atom */
  bool *is_used;       /* by equation */
  bool is_strict;
} Point;

/* Binds what the atoms in t stand for, chains followed. */
static void
bind_inside(DaeCertifier *certifier, DaeExact *exact, DaeTerm t, DaeTerm free, GHashTable *seen)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeTerm time = dae_term_time(certifier->terms);
  g_array_append_val(atoms, time);
  dae_term_collect_variables(certifier->terms, t, atoms);
  dae_term_collect_parameters(certifier->terms, t, atoms);
  for (guint k = 0; k < atoms->len; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    DaeTerm value =
        GPOINTER_TO_UINT(g_hash_table_lookup(certifier->bound, GUINT_TO_POINTER(atom)));
    if (atom != free && value != DAE_NO_TERM &&
        g_hash_table_add(seen, GUINT_TO_POINTER(atom))) {
      dae_exact_bind(exact, atom, value);
      dae_term_collect_variables(certifier->terms, value, atoms);
      dae_term_collect_parameters(certifier->terms, value, atoms);
    }
  }
}

bool
dae_certifier_is_exact_zero(DaeCertifier *certifier, DaeTerm equation)
{
  g_autoptr(DaeExact) exact = dae_exact_new(certifier->terms, certifier);
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  Walk walk;
  dae_ball_walk_init(&walk, certifier, 1024);
  const Value *value = dae_ball_walk_value(&walk, equation);
  bool is_zero =
      value->state == STATE_NUMBER && arb_is_zero(value->value); /* without a radius */
  dae_ball_walk_clear(&walk);
  if (is_zero) {
    return true;
  }
  bind_inside(certifier, exact, equation, DAE_NO_TERM, seen);
  return dae_exact_is_zero(exact, equation) == DAE_EXACT_ZERO;
}

/* A look in balls: most numbers that were rounded are no solutions, and that is cheap to see. */
static bool
may_be_zero(const Point *p, DaeTerm equation)
{
  enum { PRECISION = 160 };

  Walk walk;
  dae_ball_walk_init(&walk, p->certifier, PRECISION);
  const Value *value = dae_ball_walk_value(&walk, equation);
  bool ok = value->state != STATE_NUMBER || arb_contains_zero(value->value);
  dae_ball_walk_clear(&walk);
  return ok;
}

static bool
equations_hold(const Point *p)
{
  for (uint32_t i = 0; i < p->n; i++) {
    if (!may_be_zero(p, p->equations[i])) {
      return false;
    }
  }
  for (uint32_t i = 0; i < p->n; i++) {
    if (!dae_certifier_is_exact_zero(p->certifier, p->equations[i])) {
      return false;
    }
  }
  return true;
}

/* From a number to a ball around it, in whose direction derivatives are taken; or back. */
static bool
set_free(const Point *p, uint32_t k, bool is_free)
{
  GHashTable *bound = p->certifier->bound;
  gpointer key = GUINT_TO_POINTER(p->atoms[k]);
  if (!is_free) {
    g_hash_table_remove(p->certifier->balls, key);
    g_hash_table_insert(bound, key, GUINT_TO_POINTER(p->value[k]));
    return true;
  }

  enum { PRECISION = 1024 };

  Walk walk;
  arb_ptr ball = g_new(arb_struct, 1);
  arb_init(ball);
  dae_ball_walk_init(&walk, p->certifier, PRECISION);
  const Value *number = dae_ball_walk_value(&walk, p->atoms[k]);
  bool ok = number->state == STATE_NUMBER;
  arb_set(ball, number->value);
  dae_ball_walk_clear(&walk);
  g_hash_table_remove(bound, key);
  g_hash_table_insert(p->certifier->balls, key, ball);
  return ok;
}

/* In every branch that meets at the point: then none has another solution near it. */
static bool
is_regular_in_all_branches(const Point *p, const DaeTerm *equations, const DaeTerm *atoms,
                           uint32_t n)
{
  enum { MOST_EDGES = 8 };

  g_autoptr(GHashTable) edges = g_hash_table_new(NULL, NULL);
  bool ok = true;
  p->certifier->edges = edges;
  for (uint32_t mode = 0; ok && mode < UINT32_C(1) << g_hash_table_size(edges); mode++) {
    p->certifier->edge_mode = mode;
    ok = dae_certifier_jacobian_is_regular(p->certifier, equations, atoms, n) &&
         g_hash_table_size(edges) <= MOST_EDGES;
  }
  p->certifier->edges = NULL;
  p->certifier->edge_mode = 0;
  return ok;
}

static bool
has_slope(const Point *p, DaeTerm equation, uint32_t k)
{
  bool ok = set_free(p, k, true) && is_regular_in_all_branches(p, &equation, &p->atoms[k], 1);
  set_free(p, k, false);
  return ok;
}

/* The numerator is a polynomial in the atom that is not constant, and the atom is nowhere else. */
static bool
is_polynomial(const Point *p, DaeTerm equation, uint32_t k)
{
  g_autoptr(DaeExact) exact = dae_exact_new(p->terms, p->certifier);
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  bind_inside(p->certifier, exact, equation, p->atoms[k], seen);
  const VpFrac *fraction = dae_exact_fraction(exact, equation, NULL);
  uint32_t own = fraction == NULL ? UINT32_MAX : dae_exact_kernel(exact, p->atoms[k]);
  if (own == UINT32_MAX || vp_is_spent(dae_exact_ring(exact)) ||
      dae_term_has_break(p->terms, equation) || vp_poly_degree(fraction->num, own) == 0) {
    return false;
  }
  for (uint32_t other = 0; other < dae_exact_n_kernels(exact); other++) {
    if (other != own && vp_poly_degree(fraction->num, other) > 0) {
      return false;
    }
  }
  return true;
}

/* The place of the only atom of equation i that is not determined; UINT32_MAX: there are none or
 * several. */
static uint32_t
only_open(const Point *p, uint32_t i)
{
  uint32_t found = UINT32_MAX;
  for (guint a = 0; a < p->inside[i]->len; a++) {
    uint32_t k = g_array_index(p->inside[i], uint32_t, a);
    if (!p->is_determined[k]) {
      if (found != UINT32_MAX) {
        return UINT32_MAX;
      }
      found = k;
    }
  }
  return found;
}

bool
dae_certifier_is_discrete_value(DaeTerms *terms, DaeTerm equation, DaeTerm atom)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeTerm slope = dae_term_partial(terms, equation, atom);
  if (slope == DAE_NO_TERM || !dae_term_is_number(terms, slope) ||
      dae_term_is_zero(terms, slope)) {
    return false;
  }
  dae_term_collect_variables(terms, equation, atoms);
  dae_term_collect_parameters(terms, equation, atoms);
  for (guint a = 0; a < atoms->len; a++) {
    DaeTerm other = g_array_index(atoms, DaeTerm, a);
    slope = other == atom ? dae_term_int(terms, 0) : dae_term_partial(terms, equation, other);
    if (slope == DAE_NO_TERM || !dae_term_is_zero(terms, slope)) {
      return false;
    }
  }
  return true;
}

/* One after another, as long as that goes. */
static void
determine_alone(Point *p)
{
  bool goes_on = true;
  while (goes_on) { /* an atom is determined in each round but the last */
    goes_on = false;
    for (uint32_t i = 0; i < p->n; i++) {
      uint32_t k = p->is_used[i] ? UINT32_MAX : only_open(p, i);
      if (k != UINT32_MAX && (has_slope(p, p->equations[i], k) ||
                              (!p->is_strict && is_polynomial(p, p->equations[i], k)))) {
        p->is_used[i] = p->is_determined[k] = goes_on = true;
      }
    }
  }
}

static bool
rest_is_regular(const Point *p)
{
  g_autoptr(GArray) equations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bool ok = true;
  for (uint32_t i = 0; i < p->n; i++) {
    if (!p->is_used[i]) {
      g_array_append_val(equations, p->equations[i]);
    }
    if (!p->is_determined[i]) {
      g_array_append_val(atoms, p->atoms[i]);
      ok = ok && set_free(p, i, true);
    }
  }
  return ok && is_regular_in_all_branches(p, (const DaeTerm *)(void *)equations->data,
                                          (const DaeTerm *)(void *)atoms->data, atoms->len);
}

bool
dae_certifier_holds_exactly(DaeCertifier *certifier, const DaeTerm *equations,
                            const DaeTerm *atoms, uint32_t n, bool is_strict)
{
  enum { MOST_UNKNOWNS = 2000 };

  Point p = {.certifier = certifier,
             .terms = certifier->terms,
             .equations = equations,
             .atoms = atoms,
             .n = n,
             .is_strict = is_strict};
  g_autofree DaeTerm *value = g_new0(DaeTerm, (size_t)n + 1);
  g_autofree bool *is_determined = g_new0(bool, (size_t)n + 1);
  g_autofree bool *is_used = g_new0(bool, (size_t)n + 1);
  g_autoptr(GHashTable) place = g_hash_table_new(NULL, NULL);
  p.value = value;
  p.is_determined = is_determined;
  p.is_used = is_used;
  p.place = place;
  for (uint32_t k = 0; k < n; k++) {
    gpointer key = GUINT_TO_POINTER(atoms[k]);
    value[k] = GPOINTER_TO_UINT(g_hash_table_lookup(certifier->bound, key));
    g_hash_table_remove(certifier->balls, key);
    g_hash_table_insert(place, key, GUINT_TO_POINTER(k + 1));
  }
  if (n > MOST_UNKNOWNS || !equations_hold(&p)) {
    return false;
  }
  p.inside = g_new0(GArray *, (size_t)n + 1);
  for (uint32_t i = 0; i < n; i++) {
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    p.inside[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    dae_term_collect_variables(p.terms, equations[i], found);
    dae_term_collect_parameters(p.terms, equations[i], found);
    for (guint a = 0; a < found->len; a++) {
      gpointer key = GUINT_TO_POINTER(g_array_index(found, DaeTerm, a));
      uint32_t at = GPOINTER_TO_UINT(g_hash_table_lookup(place, key));
      if (at > 0) {
        at--;
        g_array_append_val(p.inside[i], at);
      }
    }
  }
  determine_alone(&p);
  bool ok = rest_is_regular(&p);
  for (uint32_t i = 0; i < n; i++) {
    set_free(&p, i, false);
    g_array_unref(p.inside[i]);
  }
  g_free(p.inside);
  return ok;
}
