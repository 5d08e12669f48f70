/* Zero modulo equations.
 *
 * First the equations that are linear in an atom with a provably nonzero coefficient are solved
 * for it and substituted: that settles most questions. What remains is membership in the ideal of
 * the numerators and of the relations of the kernels, or in its radical with everything nonzero
 * divided out (Rabinowitsch: z vanishes where I does and w does not, if 1 is in I + (1 - T*z*w)).
 * "Not zero" needs a common zero with t != 0, enclosed by Krawczyk's test (witness.c). */
#include "algebra/modulo.h"
#include "algebra/groebner.h"

#define LIMIT_SUBSTITUTED 4000 /* nodes of a substituted equation */

/* ---- substitution of linear equations ---------------------------------------------------- */

typedef struct {
  DaeTerm equation;
  DaeTerm atom;
  DaeTerm value;
  double cost;
} Solved;

/* Cheap coefficients first: numbers, then terms of known sign. */
static bool
coefficient_is_nonzero(DaeAlgebra *algebra, DaeTerm a, double *cost)
{
  if (dae_term_is_number(algebra->terms, a)) {
    *cost = 0;
    return !dae_term_is_zero(algebra->terms, a);
  }
  int sign = 0;
  *cost = 1000;
  return dae_algebra_sign(algebra, a, &sign) && sign != 0;
}

static bool
search_solution(DaeAlgebra *algebra, DaeTerm equation, Solved *best)
{
  DaeTerms *terms = algebra->terms;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, equation, atoms);
  guint n_variables = atoms->len;
  dae_term_collect_parameters(terms, equation, atoms);
  bool found = false;
  for (guint i = 0; i < atoms->len && !dae_algebra_spent(algebra); i++) {
    DaeTerm x = g_array_index(atoms, DaeTerm, i);
    DaeTerm a = DAE_NO_TERM;
    DaeTerm b = DAE_NO_TERM;
    double cost = 0;
    if (!dae_algebra_linear_in(algebra, equation, x, &a, &b) ||
        !coefficient_is_nonzero(algebra, a, &cost)) {
      continue;
    }
    cost += (double)dae_term_size(terms, b) + (i >= n_variables ? 500 : 0);
    if (!found || cost < best->cost) {
      found = true;
      DaeTerm value = dae_term_div(terms, dae_term_neg(terms, b), a);
      *best = (Solved){equation, x, value, cost};
    }
  }
  return found && best->value != DAE_NO_TERM;
}

/* The same equations come again with every question that is asked modulo them. */
static bool
solve_equation(DaeAlgebra *algebra, DaeTerm equation, Solved *best)
{
  const Solved *known = g_hash_table_lookup(algebra->solved, GUINT_TO_POINTER(equation));
  if (known != NULL) {
    *best = *known;
    return known->value != DAE_NO_TERM;
  }
  *best = (Solved){.equation = equation};
  bool found = search_solution(algebra, equation, best);
  if (!dae_algebra_spent(algebra)) { /* an answer, not an end of the budget */
    Solved *kept = g_memdup2(best, sizeof *best);
    g_hash_table_insert(algebra->solved, GUINT_TO_POINTER(equation), kept);
  }
  return found;
}

static bool
pick_solvable_equation(DaeAlgebra *algebra, const GArray *equations, guint *which, Solved *best)
{
  bool found = false;
  for (guint i = 0; i < equations->len; i++) {
    Solved candidate;
    if (solve_equation(algebra, g_array_index(equations, DaeTerm, i), &candidate) &&
        (!found || candidate.cost < best->cost)) {
      found = true;
      *best = candidate;
      *which = i;
    }
  }
  return found && dae_term_size(algebra->terms, best->value) <= LIMIT_SUBSTITUTED;
}

static bool
substitute_in_list(DaeTerms *terms, GArray *list, DaeTerm from, DaeTerm to)
{
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  dae_subst_set(subst, from, to);
  for (guint i = 0; i < list->len; i++) {
    DaeTerm *t = &g_array_index(list, DaeTerm, i);
    *t = dae_subst_apply(subst, *t);
    if (*t == DAE_NO_TERM) {
      return false;
    }
  }
  return true;
}

/* Drops equations that became 0. Returns false if one is a nonzero
 * number: there is no common zero. */
static bool
drop_trivial_equations(DaeAlgebra *algebra, GArray *equations)
{
  for (guint i = equations->len; i-- > 0;) {
    DaeTerm e = g_array_index(equations, DaeTerm, i);
    if (dae_algebra_is_zero(algebra, e) == DAE_ZERO) {
      g_array_remove_index(equations, i);
    } else if (dae_term_is_number(algebra->terms, e)) {
      return false;
    }
  }
  return true;
}

DaeReduction *
dae_modulo_reduce(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations, size_t n)
{
  DaeReduction *r = g_new0(DaeReduction, 1);
  r->t = t;
  r->equations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  r->atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  r->values = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_vals(r->equations, equations, (guint)n);
  guint which = 0;
  Solved solved;
  /* Each round uses up one equation. */
  while ((r->consistent = drop_trivial_equations(algebra, r->equations)) &&
         !dae_algebra_spent(algebra) &&
         pick_solvable_equation(algebra, r->equations, &which, &solved)) {
    g_autoptr(GArray) next = g_array_copy(r->equations);
    g_array_remove_index(next, which);
    g_array_append_val(next, r->t);
    if (!substitute_in_list(algebra->terms, next, solved.atom, solved.value)) {
      break;
    }
    r->t = g_array_index(next, DaeTerm, next->len - 1);
    g_array_set_size(next, next->len - 1);
    g_array_set_size(r->equations, 0);
    g_array_append_vals(r->equations, next->data, next->len);
    g_array_append_val(r->atoms, solved.atom);
    g_array_append_val(r->values, solved.value);
  }
  return r;
}

void
dae_reduction_free(DaeReduction *r)
{
  if (r != NULL) {
    g_array_unref(r->equations);
    g_array_unref(r->atoms);
    g_array_unref(r->values);
    g_free(r);
  }
}

/* ---- ideals ------------------------------------------------------------------------------ */

/* Numerators of t (first) and of the equations over one ring. */
typedef struct {
  DaeRing *ring;
  size_t n; /* fractions: t and the equations */
  fmpz_mpoly_q_struct *value;
} System;

static bool
system_init(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations, size_t n, System *s)
{
  g_autofree DaeTerm *all = g_new(DaeTerm, n + 1);
  all[0] = dae_algebra_rewrite(algebra, t);
  for (size_t i = 0; i < n; i++) {
    all[i + 1] = dae_algebra_rewrite(algebra, equations[i]);
  }
  s->n = n + 1;
  s->ring = dae_ring_new(algebra, all, s->n);
  if (s->ring == NULL) {
    return false;
  }
  s->value = dae_ring_values_new(s->ring, s->n);
  bool ok = true;
  for (size_t i = 0; i < s->n && ok; i++) {
    g_autoptr(DaeNormal) normal = dae_normal_of(algebra, all[i]);
    ok = normal != NULL && dae_normal_convert(normal, DAE_WORK_PROOF);
    if (ok) {
      dae_normal_export(normal, s->ring, s->value + i);
    }
  }
  return ok;
}

static void
system_clear(System *s)
{
  if (s->ring != NULL) {
    dae_ring_values_free(s->ring, s->value, s->n);
    dae_ring_free(s->ring);
  }
}

/* Equations first, then the relations kernel^degree - value. */
static DaeIdeal *
ideal_of_system(DaeAlgebra *algebra, const System *s, uint32_t n_spare, bool track)
{
  const DaeRing *ring = s->ring;
  uint32_t n_inputs = (uint32_t)s->n - 1 + ring->n_relations + n_spare;
  DaeIdeal *ideal = dae_ideal_new(algebra, MAX(1, ring->n) + n_spare, n_inputs, track);
  fmpz_mpoly_t p;
  fmpz_mpoly_t power;
  fmpz_mpoly_init(p, dae_ideal_ctx(ideal));
  fmpz_mpoly_init(power, dae_ideal_ctx(ideal));
  for (size_t i = 1; i < s->n; i++) {
    dae_ideal_import(ideal, p, fmpz_mpoly_q_numref(s->value + i), ring->ctx);
    dae_ideal_add_input(ideal, p);
  }
  for (uint32_t r = 0; r < ring->n_relations; r++) {
    dae_ideal_import(ideal, p, ring->relation_value + r, ring->ctx);
    fmpz_mpoly_gen(power, ring->relation_kernel[r], dae_ideal_ctx(ideal));
    fmpz_mpoly_pow_ui(power, power, ring->relation_degree[r], dae_ideal_ctx(ideal));
    fmpz_mpoly_sub(p, power, p, dae_ideal_ctx(ideal));
    dae_ideal_add_input(ideal, p);
  }
  fmpz_mpoly_clear(p, dae_ideal_ctx(ideal));
  fmpz_mpoly_clear(power, dae_ideal_ctx(ideal));
  return ideal;
}

static bool
numerator_is_member(DaeAlgebra *algebra, const System *s)
{
  g_autoptr(DaeIdeal) ideal = ideal_of_system(algebra, s, 0, false);
  fmpz_mpoly_t target;
  fmpz_t scale;
  fmpz_mpoly_init(target, dae_ideal_ctx(ideal));
  fmpz_init(scale);
  dae_ideal_import(ideal, target, fmpz_mpoly_q_numref(s->value), s->ring->ctx);
  bool is_member = dae_ideal_contains(ideal, target, scale, NULL) == DAE_MEMBER;
  fmpz_clear(scale);
  fmpz_mpoly_clear(target, dae_ideal_ctx(ideal));
  return is_member;
}

/* z * (denominators) * (kernels that are never 0), in the ring of the ideal. */
static void
product_of_nonzero_factors(DaeAlgebra *algebra, const System *s, DaeIdeal *ideal,
                           fmpz_mpoly_t z)
{
  const fmpz_mpoly_ctx_struct *ctx = dae_ideal_ctx(ideal);
  fmpz_mpoly_t factor;
  fmpz_mpoly_init(factor, ctx);
  for (size_t i = 0; i < s->n; i++) {
    if (!fmpz_mpoly_is_fmpz(fmpz_mpoly_q_denref(s->value + i), s->ring->ctx)) {
      dae_ideal_import(ideal, factor, fmpz_mpoly_q_denref(s->value + i), s->ring->ctx);
      fmpz_mpoly_mul(z, z, factor, ctx);
    }
  }
  for (uint32_t k = 0; k < s->ring->n; k++) {
    DaeRange range = dae_sign_range(algebra, s->ring->kernel[k]);
    if (range == DAE_RANGE_POSITIVE || range == DAE_RANGE_NEGATIVE) {
      fmpz_mpoly_gen(factor, k, ctx);
      fmpz_mpoly_mul(z, z, factor, ctx);
    }
  }
  fmpz_mpoly_clear(factor, ctx);
}

/* 1 in I + (1 - T*z*w)? */
static bool
numerator_is_in_radical(DaeAlgebra *algebra, const System *s)
{
  g_autoptr(DaeIdeal) ideal = ideal_of_system(algebra, s, 1, false);
  const fmpz_mpoly_ctx_struct *ctx = dae_ideal_ctx(ideal);
  fmpz_mpoly_t z;
  fmpz_mpoly_t one;
  fmpz_t scale;
  fmpz_mpoly_init(z, ctx);
  fmpz_mpoly_init(one, ctx);
  fmpz_init(scale);
  dae_ideal_import(ideal, z, fmpz_mpoly_q_numref(s->value), s->ring->ctx);
  product_of_nonzero_factors(algebra, s, ideal, z);
  fmpz_mpoly_gen(one, MAX(1, (slong)s->ring->n), ctx); /* T */
  fmpz_mpoly_mul(z, z, one, ctx);
  fmpz_mpoly_one(one, ctx);
  fmpz_mpoly_sub(z, one, z, ctx);
  dae_ideal_add_input(ideal, z);
  bool is_member = dae_ideal_contains(ideal, one, scale, NULL) == DAE_MEMBER;
  fmpz_clear(scale);
  fmpz_mpoly_clear(z, ctx);
  fmpz_mpoly_clear(one, ctx);
  return is_member;
}

/* The terms of a question, as the key of its answer. (transfer full) */
static GBytes *
key_of_question(DaeTerm t, const DaeTerm *equations, size_t n)
{
  DaeTerm *key = g_new(DaeTerm, n + 1);
  key[0] = t;
  memcpy(key + 1, equations, sizeof(DaeTerm) * n);
  return g_bytes_new_take(key, sizeof(DaeTerm) * (n + 1));
}

/* Denominators of t and of the equations are nonzero wherever they are defined, so only
 * numerators matter. Searches that leave out one premise after another ask the same again. */
static bool
is_zero_by_ideal(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations, size_t n)
{
  g_autoptr(GBytes) key = key_of_question(t, equations, n);
  if (g_hash_table_contains(algebra->open, key)) {
    return false;
  }
  System s = {0};
  bool is_zero = system_init(algebra, t, equations, n, &s) &&
                 (numerator_is_member(algebra, &s) || numerator_is_in_radical(algebra, &s));
  system_clear(&s);
  if (!is_zero && !dae_algebra_spent(algebra)) { /* an answer, not an end of the budget */
    g_hash_table_add(algebra->open, g_steal_pointer(&key));
  }
  return is_zero;
}

DaeZero
dae_algebra_is_zero_modulo(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations, size_t n)
{
  DaeZero plain = dae_algebra_is_zero(algebra, t);
  if (plain == DAE_ZERO || n == 0) {
    return plain;
  }
  g_autoptr(DaeReduction) r = dae_modulo_reduce(algebra, t, equations, n);
  if (!r->consistent) {
    return DAE_ZERO; /* there is no common zero at all */
  }
  DaeZero reduced = dae_algebra_is_zero(algebra, r->t);
  if (reduced == DAE_ZERO) {
    return DAE_ZERO;
  }
  if (reduced == DAE_NONZERO && dae_modulo_has_witness(algebra, r)) {
    return DAE_NONZERO;
  }
  if (r->equations->len == 0 || dae_algebra_spent(algebra)) {
    return DAE_UNKNOWN;
  }
  const DaeTerm *rest = (const DaeTerm *)(const void *)r->equations->data;
  return is_zero_by_ideal(algebra, r->t, rest, r->equations->len) ? DAE_ZERO : DAE_UNKNOWN;
}

bool
dae_algebra_vanishes_modulo(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations, size_t n)
{
  if (dae_algebra_is_zero(algebra, t) == DAE_ZERO) {
    return true;
  }
  g_autoptr(DaeReduction) r = dae_modulo_reduce(algebra, t, equations, n);
  if (!r->consistent || dae_algebra_is_zero(algebra, r->t) == DAE_ZERO) {
    return true; /* inconsistent: there is no common zero at all */
  }
  return r->equations->len > 0 && !dae_algebra_spent(algebra) &&
         is_zero_by_ideal(algebra, r->t, (const DaeTerm *)(const void *)r->equations->data,
                          r->equations->len);
}

bool
dae_algebra_is_nonzero_modulo(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations,
                              size_t n)
{
  DaeZero plain = dae_algebra_is_zero(algebra, t);
  if (plain == DAE_ZERO || n == 0) {
    return plain == DAE_NONZERO;
  }
  g_autoptr(DaeReduction) r = dae_modulo_reduce(algebra, t, equations, n);
  return r->consistent && dae_algebra_is_zero(algebra, r->t) == DAE_NONZERO &&
         dae_modulo_has_witness(algebra, r);
}

/* ---- cofactors --------------------------------------------------------------------------- */

/* scale * num(t) = sum c_i num(e_i) + (relations), so q_i = c_i den(e_i) / (scale den(t)). */
static bool
write_cofactors(const System *s, DaeIdeal *ideal, const fmpz_mpoly_struct *cofactor,
                const fmpz_t scale, DaeTerm *q)
{
  const DaeRing *ring = s->ring;
  fmpz_mpoly_q_t f;
  fmpz_mpoly_q_t factor;
  fmpz_mpoly_q_init(f, ring->ctx);
  fmpz_mpoly_q_init(factor, ring->ctx);
  bool ok = true;
  for (size_t i = 1; i < s->n && ok; i++) {
    fmpz_mpoly_one(fmpz_mpoly_q_denref(f), ring->ctx);
    dae_ideal_export(ideal, fmpz_mpoly_q_numref(f), cofactor + i - 1, ring->ctx);
    fmpz_mpoly_set(fmpz_mpoly_q_numref(factor), fmpz_mpoly_q_denref(s->value + i), ring->ctx);
    fmpz_mpoly_scalar_mul_fmpz(fmpz_mpoly_q_denref(factor), fmpz_mpoly_q_denref(s->value),
                               scale, ring->ctx);
    fmpz_mpoly_q_canonicalise(factor, ring->ctx);
    /* 1/den(t) of t = num/den goes to the denominator */
    ok = dae_ring_mul(ring, f, f, factor);
    if (ok) {
      q[i - 1] = dae_algebra_simplify(ring->algebra, dae_ring_fraction_term(ring, f));
    }
  }
  fmpz_mpoly_q_clear(f, ring->ctx);
  fmpz_mpoly_q_clear(factor, ring->ctx);
  return ok;
}

static bool
cofactors_are_proved(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations, size_t n,
                     const DaeTerm *q)
{
  DaeTerms *terms = algebra->terms;
  DaeTerm rest = t;
  for (size_t i = 0; i < n; i++) {
    rest = dae_term_sub(terms, rest, dae_term_mul(terms, q[i], equations[i]));
  }
  return dae_algebra_is_zero(algebra, rest) == DAE_ZERO;
}

bool
dae_algebra_cofactors(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations, size_t n,
                      DaeTerm *q)
{
  for (size_t i = 0; i < n; i++) {
    q[i] = dae_term_int(algebra->terms, 0);
  }
  if (dae_algebra_is_zero(algebra, t) == DAE_ZERO) {
    return true;
  }
  System s = {0};
  bool ok = n > 0 && system_init(algebra, t, equations, n, &s);
  if (ok) {
    g_autoptr(DaeIdeal) ideal = ideal_of_system(algebra, &s, 0, true);
    uint32_t n_inputs = (uint32_t)n + s.ring->n_relations;
    g_autofree fmpz_mpoly_struct *cofactor = g_new(fmpz_mpoly_struct, n_inputs + 1);
    fmpz_mpoly_t target;
    fmpz_t scale;
    fmpz_init(scale);
    fmpz_mpoly_init(target, dae_ideal_ctx(ideal));
    for (uint32_t i = 0; i < n_inputs; i++) {
      fmpz_mpoly_init(cofactor + i, dae_ideal_ctx(ideal));
    }
    dae_ideal_import(ideal, target, fmpz_mpoly_q_numref(s.value), s.ring->ctx);
    ok = dae_ideal_contains(ideal, target, scale, cofactor) == DAE_MEMBER &&
         write_cofactors(&s, ideal, cofactor, scale, q) &&
         cofactors_are_proved(algebra, t, equations, n, q);
    for (uint32_t i = 0; i < n_inputs; i++) {
      fmpz_mpoly_clear(cofactor + i, dae_ideal_ctx(ideal));
    }
    fmpz_mpoly_clear(target, dae_ideal_ctx(ideal));
    fmpz_clear(scale);
  }
  system_clear(&s);
  return ok;
}
