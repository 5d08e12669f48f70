/* Factors of polynomials. Most that are met are irreducible, and that is seen at once: a
 * polynomial of degree 1 in some variable, A v + B, has no factors but those that A and B share. */
#include "algebra/algebra-priv.h"

#define FACTOR_WORK 500.0 /* operations for each term and variable */

/* Factoring has no way to stop in the middle, and its time grows steeply with the degree: (x +
 * y)^1000 - y keeps FLINT busy for hours. */
static bool
is_too_large_to_factor(const DaeRing *ring, const fmpz_mpoly_t p)
{
  slong length = fmpz_mpoly_length(p, ring->ctx);
  if (length <= 1) {
    return false;
  }
  return length > DAE_LIMIT_GCD / 4 || !fmpz_mpoly_total_degree_fits_si(p, ring->ctx) ||
         fmpz_mpoly_total_degree_si(p, ring->ctx) > DAE_LIMIT_FACTOR_DEGREE;
}

/* The variable of degree 1 that the fewest terms have; *n_terms: how many. -1: none. */
static slong
linear_variable(const DaeRing *ring, const fmpz_mpoly_t p, slong *n_terms)
{
  slong n = fmpz_mpoly_ctx_nvars(ring->ctx);
  slong length = fmpz_mpoly_length(p, ring->ctx);
  g_autofree ulong *exponent = g_new0(ulong, (size_t)n + 1);
  g_autofree slong *n_with = g_new0(slong, (size_t)n + 1); /* -1: of a higher degree */
  for (slong i = 0; i < length; i++) {
    fmpz_mpoly_get_term_exp_ui(exponent, p, i, ring->ctx);
    for (slong v = 0; v < n; v++) {
      n_with[v] = exponent[v] > 1 || n_with[v] < 0 ? -1 : n_with[v] + (slong)exponent[v];
    }
  }
  slong best = -1;
  for (slong v = 0; v < n; v++) {
    if (n_with[v] > 0 && (best < 0 || n_with[v] < n_with[best])) {
      best = v;
    }
  }
  *n_terms = best < 0 ? 0 : n_with[best];
  return best;
}

/* Is p, which no monomial divides, seen to be irreducible? */
static bool
is_linear_and_coprime(const DaeRing *ring, const fmpz_mpoly_t p)
{
  slong n_terms = 0;
  slong v = linear_variable(ring, p, &n_terms);
  if (v < 0 || n_terms == 1) {
    return v >= 0; /* a monomial A: what it shares with B would divide p */
  }
  fmpz_mpoly_t a, b, common;
  fmpz_mpoly_init(a, ring->ctx);
  fmpz_mpoly_init(b, ring->ctx);
  fmpz_mpoly_init(common, ring->ctx);
  ulong one = 1;
  ulong zero = 0;
  fmpz_mpoly_get_coeff_vars_ui(a, p, &v, &one, 1, ring->ctx);
  fmpz_mpoly_get_coeff_vars_ui(b, p, &v, &zero, 1, ring->ctx);
  bool is_coprime =
      fmpz_mpoly_gcd(common, a, b, ring->ctx) != 0 && fmpz_mpoly_is_one(common, ring->ctx) != 0;
  fmpz_mpoly_clear(a, ring->ctx);
  fmpz_mpoly_clear(b, ring->ctx);
  fmpz_mpoly_clear(common, ring->ctx);
  return is_coprime;
}

/* A number, powers of variables and one irreducible polynomial, if p is seen to be that. */
static bool
factor_at_once(const DaeRing *ring, fmpz_mpoly_factor_t f, const fmpz_mpoly_t p)
{
  slong n = fmpz_mpoly_ctx_nvars(ring->ctx);
  fmpz_mpoly_t monomial, rest;
  fmpz_mpoly_init(monomial, ring->ctx);
  fmpz_mpoly_init(rest, ring->ctx);
  fmpz_mpoly_term_content(monomial, p, ring->ctx);
  bool ok = fmpz_mpoly_divides(rest, p, monomial, ring->ctx) != 0 &&
            is_linear_and_coprime(ring, rest);
  if (ok) {
    g_autofree ulong *exponent = g_new0(ulong, (size_t)n + 1);
    fmpz_mpoly_get_term_exp_ui(exponent, monomial, 0, ring->ctx);
    fmpz_mpoly_get_term_coeff_fmpz(f->constant, monomial, 0, ring->ctx);
    if (fmpz_sgn(rest->coeffs) < 0) {
      fmpz_mpoly_neg(rest, rest, ring->ctx);
      fmpz_neg(f->constant, f->constant);
    }
    fmpz_mpoly_factor_fit_length(f, n + 1, ring->ctx);
    fmpz_mpoly_set(f->poly, rest, ring->ctx);
    fmpz_one(f->exp);
    f->num = 1;
    for (slong v = 0; v < n; v++) {
      if (exponent[v] > 0) {
        fmpz_mpoly_gen(f->poly + f->num, v, ring->ctx);
        fmpz_set_ui(f->exp + f->num, exponent[v]);
        f->num++;
      }
    }
  }
  fmpz_mpoly_clear(monomial, ring->ctx);
  fmpz_mpoly_clear(rest, ring->ctx);
  return ok;
}

bool
dae_ring_factor(const DaeRing *ring, fmpz_mpoly_factor_t f, const fmpz_mpoly_t p)
{
  slong length = fmpz_mpoly_length(p, ring->ctx);
  double work = length > 1 ? FACTOR_WORK * (double)length * (double)ring->n : 1;
  if (length == 0 || is_too_large_to_factor(ring, p) || !dae_work_spend(ring->algebra, work)) {
    return false;
  }
  fmpz_mpoly_factor_init(f, ring->ctx);
  if ((length > 1 && factor_at_once(ring, f, p)) || fmpz_mpoly_factor(f, p, ring->ctx)) {
    fmpz_mpoly_factor_sort(f, ring->ctx);
    return true;
  }
  fmpz_mpoly_factor_clear(f, ring->ctx);
  return false;
}
