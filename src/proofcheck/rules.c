/* Rules of the proof checker that look at the shape of polynomials. Kernels count as independent
 * symbols: what holds for independent symbols holds for the functions they stand for. */
#include "proofcheck/exact.h"

#define MAX_POWER 12

/* Is the atom in a kernel of the polynomial, other than its own? */
static bool
is_inside_kernel(const DaeExact *exact, VpPoly poly, DaeTerm atom)
{
  for (uint32_t i = 0; i < poly.n; i++) {
    for (uint32_t k = 0; k < poly.monos[i].n; k++) {
      uint32_t kernel = poly.monos[i].powers[k].kernel;
      if (!dae_exact_kernel_is_atom(exact, kernel) &&
          dae_exact_kernel_contains(exact, kernel, atom)) {
        return true;
      }
    }
  }
  return false;
}

bool
dae_exact_is_linear(DaeExact *exact, DaeTerm base, DaeTerm atom, DaeTerm *a)
{
  const VpFrac *frac = dae_exact_fraction(exact, base, NULL);
  uint32_t kernel = dae_exact_kernel(exact, atom);
  if (frac == NULL || kernel == UINT32_MAX || vp_poly_degree(frac->num, kernel) != 1 ||
      is_inside_kernel(exact, frac->num, atom)) {
    return false;
  }
  VpPoly slope = vp_poly_coefficient(dae_exact_ring(exact), frac->num, kernel, 1);
  *a = dae_exact_term(exact, slope);
  return true;
}

/* Kernels of the polynomial, each once, those with a numeric leading coefficient first. */
static GArray *
kernels_of(DaeExact *exact, VpPoly poly)
{
  GArray *first = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) later = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t k = 0; k < dae_exact_n_kernels(exact); k++) {
    uint32_t degree = vp_poly_degree(poly, k);
    if (degree == 0) {
      continue;
    }
    VpPoly leading = vp_poly_coefficient(dae_exact_ring(exact), poly, k, degree);
    bool is_number = leading.n == 1 && leading.monos[0].n == 0;
    g_array_append_val(is_number ? first : later, k);
  }
  g_array_append_vals(first, later->data, later->len);
  return first;
}

bool
dae_exact_divides(DaeExact *exact, DaeTerm own, DaeTerm base)
{
  VpRing *ring = dae_exact_ring(exact);
  const VpFrac *f = dae_exact_fraction(exact, own, NULL);
  const VpFrac *g = f == NULL ? NULL : dae_exact_fraction(exact, base, NULL);
  if (g == NULL || vp_frac_is_number(f)) {
    return false;
  }
  f = dae_exact_fraction(exact, own, NULL); /* again: units may have become finer */
  g_autoptr(GArray) kernels = kernels_of(exact, f->num);
  for (guint i = 0; i < kernels->len; i++) {
    uint32_t kernel = g_array_index(kernels, uint32_t, i);
    VpPoly rest = vp_poly_pseudo_remainder(ring, g->num, f->num, kernel);
    /* relations among kernels may show that the remainder is zero */
    if (!vp_is_spent(ring) &&
        vp_frac_is_zero(vp_frac_mul(ring, vp_frac_int(ring, 1), vp_frac_poly(ring, rest)))) {
      return true;
    }
  }
  return false;
}

/* base = c * own^n up to denominators. */
static bool
is_power_of(VpRing *ring, VpPoly base, VpPoly own)
{
  VpPoly power = own;
  for (int n = 1; n <= MAX_POWER && !vp_is_spent(ring); n++) {
    if (power.n > 0 && power.n == base.n) {
      VpPoly left = vp_poly_scale(ring, power.monos[0].c, base);
      VpPoly right = vp_poly_scale(ring, vp_int_neg(base.monos[0].c), power);
      if (vp_poly_add(ring, left, right).n == 0 && !vp_is_spent(ring)) {
        return true;
      }
    }
    power = vp_poly_mul(ring, power, own);
  }
  return false;
}

typedef struct {
  DaeExact *exact;
  DaeTerms *terms;
  DaeTerm own;
  DaeTerm a, b; /* base = a * (power of) kernel + b */
} Inversion;

/* own is u - w or w - u: does a*f(w) + b vanish? */
static bool
inverts_function(const Inversion *it, DaeFunction f, DaeTerm u)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    DaeTerm w =
        sign < 0 ? dae_term_sub(it->terms, u, it->own) : dae_term_add(it->terms, u, it->own);
    DaeTerm at = dae_term_call1(it->terms, f, w);
    DaeTerm t = dae_term_add(it->terms, dae_term_mul(it->terms, it->a, at), it->b);
    if (t != DAE_NO_TERM && dae_exact_is_zero(it->exact, t) == DAE_EXACT_ZERO) {
      return true;
    }
  }
  return false;
}

/* a*u^n + b = 0 with odd n, own is u - w: does a*w^n + b vanish? */
static bool
inverts_odd_power(const Inversion *it, DaeTerm u, uint32_t n)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    DaeTerm w =
        sign < 0 ? dae_term_sub(it->terms, u, it->own) : dae_term_add(it->terms, u, it->own);
    DaeTerm t = dae_term_add(
        it->terms, dae_term_mul(it->terms, it->a, dae_term_pow_int(it->terms, w, n)), it->b);
    if (t != DAE_NO_TERM && dae_exact_is_zero(it->exact, t) == DAE_EXACT_ZERO) {
      return true;
    }
  }
  return false;
}

/* a*u^(1/q) + b = 0, own is u - w: is w = (-b/a)^q? */
static bool
inverts_root(const Inversion *it, DaeTerm kernel)
{
  DaeTerm exponent = dae_term_operand(it->terms, kernel, 1);
  DaeTerm u = dae_term_operand(it->terms, kernel, 0);
  DaeTerm v = dae_term_div(it->terms, dae_term_neg(it->terms, it->b), it->a);
  int64_t q = 0;
  if (v == DAE_NO_TERM || !dae_term_is_number(it->terms, exponent) ||
      !dae_term_get_int64(it->terms, dae_term_pow_int(it->terms, exponent, -1), &q)) {
    return false;
  }
  for (int sign = -1; sign <= 1; sign += 2) {
    DaeTerm w =
        sign < 0 ? dae_term_sub(it->terms, u, it->own) : dae_term_add(it->terms, u, it->own);
    DaeTerm t = dae_term_sub(it->terms, w, dae_term_pow_int(it->terms, v, q));
    if (t != DAE_NO_TERM && dae_exact_is_zero(it->exact, t) == DAE_EXACT_ZERO) {
      return true;
    }
  }
  return false;
}

/* base = a*k^n + b in the kernel k. */
static bool
inverts_kernel(Inversion *it, VpPoly base, uint32_t kernel)
{
  VpRing *ring = dae_exact_ring(it->exact);
  uint32_t n = vp_poly_degree(base, kernel);
  VpPoly a = vp_poly_coefficient(ring, base, kernel, n);
  VpPoly b = vp_poly_coefficient(ring, base, kernel, 0);
  VpPoly whole = vp_poly_add(ring, vp_poly_mul(ring, a, vp_poly_kernel(ring, kernel, n)), b);
  if (vp_poly_add(ring, whole, vp_poly_scale(ring, vp_int(ring, -1), base)).n > 0) {
    return false;
  }
  it->a = dae_exact_term(it->exact, a);
  it->b = dae_exact_term(it->exact, b);
  DaeFunction f = DAE_FN_EXP;
  DaeTerm u = DAE_NO_TERM;
  if (n == 1 && dae_exact_kernel_inverse(it->exact, kernel, &f, &u)) {
    return inverts_function(it, f, u);
  }
  DaeTerm shown = dae_exact_term(it->exact, vp_poly_kernel(ring, kernel, 1));
  if (n == 1 && dae_term_kind(it->terms, shown) == DAE_KIND_POWER) {
    return inverts_root(it, shown);
  }
  return n % 2 == 1 && inverts_odd_power(it, shown, n);
}

bool
dae_exact_inverts(DaeExact *exact, DaeTerm base, DaeTerm own, DaeTerm *a)
{
  VpRing *ring = dae_exact_ring(exact);
  const VpFrac *f = dae_exact_fraction(exact, base, NULL);
  const VpFrac *g = dae_exact_fraction(exact, own, NULL);
  *a = DAE_NO_TERM;
  if (f == NULL || g == NULL || vp_frac_is_zero(f) || vp_frac_is_zero(g)) {
    return false;
  }
  if (is_power_of(ring, f->num, g->num)) {
    return true;
  }
  Inversion it = {.exact = exact, .terms = dae_exact_terms(exact), .own = own};
  g_autoptr(GArray) kernels = kernels_of(exact, f->num);
  for (guint i = 0; i < kernels->len; i++) {
    uint32_t kernel = g_array_index(kernels, uint32_t, i);
    if (!dae_exact_kernel_is_constant(exact, kernel) && inverts_kernel(&it, f->num, kernel)) {
      *a = it.a;
      return true;
    }
  }
  return false;
}

bool
dae_exact_is_nonzero_constant(DaeExact *exact, DaeTerm t)
{
  const VpFrac *frac = dae_exact_fraction(exact, t, NULL);
  int sign = 0;
  if (frac == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < frac->num.n; i++) {
    for (uint32_t k = 0; k < frac->num.monos[i].n; k++) {
      if (!dae_exact_kernel_is_constant(exact, frac->num.monos[i].powers[k].kernel)) {
        return false;
      }
    }
  }
  return dae_certifier_sign(dae_exact_signs(exact), dae_exact_term(exact, frac->num), &sign);
}

/* ---- real zeros -------------------------------------------------------------------------- */

/* The only kernel of the polynomial with atoms inside, an atom; UINT32_MAX: there is another. */
static uint32_t
only_atom(const DaeExact *exact, VpPoly poly, bool *has_constants)
{
  uint32_t found = UINT32_MAX;
  for (uint32_t i = 0; i < poly.n; i++) {
    for (uint32_t k = 0; k < poly.monos[i].n; k++) {
      uint32_t kernel = poly.monos[i].powers[k].kernel;
      if (dae_exact_kernel_is_constant(exact, kernel)) {
        *has_constants = true;
      } else if (!dae_exact_kernel_is_atom(exact, kernel) ||
                 (found != UINT32_MAX && found != kernel)) {
        return UINT32_MAX;
      } else {
        found = kernel;
      }
    }
  }
  return found;
}

static int
leading_sign(VpRing *ring, VpPoly p, uint32_t x, uint32_t *degree)
{
  *degree = vp_poly_degree(p, x);
  return vp_poly_coefficient(ring, p, x, *degree).monos[0].c.sign;
}

/* Number of distinct real zeros by Sturm's theorem; coefficients are integers. */
static int
count_real_zeros(VpRing *ring, VpPoly p, uint32_t x)
{
  /* derivative: the coefficients times their exponents */
  VpPoly d = {0, NULL};
  for (uint32_t e = 1; e <= vp_poly_degree(p, x); e++) {
    VpPoly c = vp_poly_scale(ring, vp_int(ring, e), vp_poly_coefficient(ring, p, x, e));
    d = vp_poly_add(ring, d, vp_poly_mul(ring, c, vp_poly_kernel(ring, x, e - 1)));
  }
  int changes[2] = {0, 0};
  int last[2] = {0, 0};
  while (p.n > 0 && !vp_is_spent(ring)) {
    uint32_t degree = 0;
    int above = leading_sign(ring, p, x, &degree);
    int at[2] = {degree % 2 == 0 ? above : -above, above}; /* at minus and plus infinity */
    for (int i = 0; i < 2; i++) {
      changes[i] += last[i] != 0 && last[i] != at[i];
      last[i] = at[i];
    }
    VpPoly rest = {0, NULL};
    if (d.n > 0) { /* divide by +-d with a positive leading coefficient: the sign is right */
      int sign = leading_sign(ring, d, x, &degree);
      VpPoly positive = vp_poly_scale(ring, vp_int(ring, sign), d);
      rest = degree == 0 ? rest : vp_poly_pseudo_remainder(ring, p, positive, x);
    }
    p = d;
    d = vp_poly_scale(ring, vp_int(ring, -1), rest);
  }
  return changes[0] - changes[1];
}

bool
dae_exact_has_no_real_zero(DaeExact *exact, DaeTerm t)
{
  VpRing *ring = dae_exact_ring(exact);
  const VpFrac *frac = dae_exact_fraction(exact, t, NULL);
  bool has_constants = false;
  uint32_t x = frac == NULL ? UINT32_MAX : only_atom(exact, frac->num, &has_constants);
  if (x == UINT32_MAX) {
    return false;
  }
  if (!has_constants) {
    return count_real_zeros(ring, frac->num, x) == 0 && !vp_is_spent(ring);
  }
  if (vp_poly_degree(frac->num, x) != 2) {
    return false;
  }
  VpPoly c[3];
  for (uint32_t e = 0; e < 3; e++) {
    c[e] = vp_poly_coefficient(ring, frac->num, x, e);
  }
  VpPoly four = vp_poly_scale(ring, vp_int(ring, -4), vp_poly_mul(ring, c[2], c[0]));
  VpPoly discriminant = vp_poly_add(ring, vp_poly_mul(ring, c[1], c[1]), four);
  int sign = 0;
  return dae_certifier_sign(dae_exact_signs(exact), dae_exact_term(exact, discriminant),
                            &sign) &&
         sign < 0;
}
