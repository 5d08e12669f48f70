#include "proofcheck/squares.h"

enum { DEEPEST = 6, MOST_MONOMIALS = 400 };

/* NOLINTBEGIN(misc-no-recursion): a kernel less each time, at most DEEPEST deep */

/* p > 0 everywhere: by the range of what it stands for, or as a*x^2 + b*x + c with a > 0 and
 * 4*a*c - b^2 > 0, since 4*a*p = (2*a*x + b)^2 + 4*a*c - b^2. */
static bool
is_positive(DaeExact *exact, VpPoly p, int depth)
{
  VpRing *ring = dae_exact_ring(exact);
  if (p.n == 0 || p.n > MOST_MONOMIALS || depth > DEEPEST || vp_is_spent(ring)) {
    return false;
  }
  if (p.n == 1 && p.monos[0].n == 0) {
    return p.monos[0].c.sign > 0;
  }
  DaeTerm t = dae_exact_term(exact, p);
  int sign = 0;
  if (t != DAE_NO_TERM &&
      dae_range_sign(dae_exact_terms(exact), dae_exact_bindings(exact), t, &sign)) {
    return sign > 0;
  }
  for (uint32_t x = 0; x < dae_exact_n_kernels(exact); x++) {
    if (vp_poly_degree(p, x) != 2) {
      continue;
    }
    VpPoly a = vp_poly_coefficient(ring, p, x, 2);
    VpPoly b = vp_poly_coefficient(ring, p, x, 1);
    VpPoly c = vp_poly_coefficient(ring, p, x, 0);
    VpPoly square = vp_poly_scale(ring, vp_int(ring, -1), vp_poly_mul(ring, b, b));
    VpPoly four = vp_poly_scale(ring, vp_int(ring, 4), vp_poly_mul(ring, a, c));
    if (is_positive(exact, a, depth + 1) &&
        is_positive(exact, vp_poly_add(ring, four, square), depth + 1)) {
      return !vp_is_spent(ring);
    }
  }
  return false;
}

/* NOLINTEND(misc-no-recursion) */

bool
dae_squares_exclude_zero(DaeExact *exact, VpPoly p)
{
  VpRing *ring = dae_exact_ring(exact);
  return is_positive(exact, p, 0) ||
         is_positive(exact, vp_poly_scale(ring, vp_int(ring, -1), p), 0);
}
