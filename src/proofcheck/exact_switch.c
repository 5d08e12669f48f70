/* Switching functions whose switch is open, in a form that does not depend on how they are
 * written: abs(2*x*y) is 2*abs(x)*abs(y), sign(-3*x) is -sign(x), and min, max and semiLinear are
 * made of abs. What is left inside of abs and sign has the leading coefficient 1. */
#include "proofcheck/kernels.h"

static const char name_abs[] = "abs(a)^2 = a^2";
static const char name_sign[] = "sign(a)^3 = sign(a)";
static const char name_product[] = "abs, sign of a*b by those of a and b";
static const char name_pair[] = "min, max, semiLinear by abs";

/* abs or sign of a fraction that is no product, and whose sign is open. */
static const VpFrac *
kernel_of(DaeExact *exact, DaeFunction f, const VpFrac *a, DaeTerm inside)
{
  VpRing *ring = exact->ring;
  KernelKind kind = f == DAE_FN_ABS ? KERNEL_ABS : KERNEL_SIGN;
  uint32_t kernel = dae_kernels_find(exact, kind, a);
  if (kernel == UINT32_MAX) {
    DaeTerm term = dae_term_call1(exact->terms, f, inside);
    if (term == DAE_NO_TERM) {
      return NULL;
    }
    kernel = dae_kernels_add(exact, kind, a, term);
    if (f == DAE_FN_ABS) {
      vp_ring_relate(ring, kernel, 2, vp_frac_mul(ring, a, a), name_abs);
    } else {
      vp_ring_relate(ring, kernel, 3, vp_frac_kernel(ring, kernel), name_sign);
    }
  }
  return vp_frac_kernel(ring, kernel);
}

/* Is t, which is the fraction a, above 0 (or, for abs, not below it), or the opposite? What the
 * steps of the proof assumed counts. */
static bool
is_side_known(DaeExact *exact, DaeFunction f, DaeTerm t, const VpFrac *a, int *side)
{
  DaeTerms *terms = exact->terms;
  if (dae_kernels_sign(exact, t, a, side)) {
    return true;
  }
  DaeTerm zero = dae_term_int(terms, 0);
  DaeTerm above = dae_term_relation(terms, f == DAE_FN_ABS ? DAE_REL_GE : DAE_REL_GT, t, zero);
  DaeTerm below = dae_term_relation(terms, DAE_REL_LT, t, zero);
  *side = dae_conditions_relation(exact, above) == KNOWN_TRUE   ? 1
          : dae_conditions_relation(exact, below) == KNOWN_TRUE ? -1
                                                                : 0;
  return *side != 0;
}

/* abs or sign of a factor. */
static const VpFrac *
of_factor(DaeExact *exact, DaeFunction f, const VpFrac *a)
{
  DaeTerm t = dae_kernels_term(exact, a);
  int side = 0;
  if (t == DAE_NO_TERM) {
    return NULL;
  }
  if (!is_side_known(exact, f, t, a, &side)) {
    return kernel_of(exact, f, a, t);
  }
  const VpFrac *s = vp_frac_int(exact->ring, side);
  return f == DAE_FN_SIGN ? s : vp_frac_mul(exact->ring, s, a);
}

/* abs or sign of kernel^e. */
static const VpFrac *
of_kernel(DaeExact *exact, DaeFunction f, uint32_t kernel, uint32_t e)
{
  VpRing *ring = exact->ring;
  KernelKind kind = g_array_index(exact->kernels, Kernel, kernel).kind;
  const VpFrac *own = vp_frac_kernel(ring, kernel);
  bool is_root_or_size = kind == KERNEL_ROOT || kind == KERNEL_ABS;
  if (f == DAE_FN_ABS && (e % 2 == 0 || is_root_or_size || kind == KERNEL_EXP)) {
    return vp_frac_power(ring, own, e);
  }
  if (f == DAE_FN_SIGN && kind == KERNEL_EXP) {
    return vp_frac_int(ring, 1);
  }
  const VpFrac *one = of_factor(exact, f, own);
  return one == NULL ? NULL : vp_frac_power(ring, one, e);
}

/* The least exponent of the kernel in all monomials. */
static uint32_t
common_exponent(VpPoly poly, uint32_t kernel)
{
  uint32_t least = UINT32_MAX;
  for (uint32_t i = 0; i < poly.n && least > 0; i++) {
    uint32_t e = 0;
    for (uint32_t k = 0; k < poly.monos[i].n; k++) {
      e = poly.monos[i].powers[k].kernel == kernel ? poly.monos[i].powers[k].e : e;
    }
    least = MIN(least, e);
  }
  return least;
}

/* abs or sign of a polynomial that is not 0: its leading coefficient, kernels that all monomials
 * share, and the rest. */
static const VpFrac *
of_poly(DaeExact *exact, DaeFunction f, VpPoly poly)
{
  VpRing *ring = exact->ring;
  const VpMono *first = &poly.monos[0];
  const VpFrac *result = vp_frac_int(ring, 1);
  VpPoly rest = poly;
  for (uint32_t k = 0; k < first->n && result != NULL; k++) {
    uint32_t e = common_exponent(poly, first->powers[k].kernel);
    if (e > 0) {
      const VpFrac *part = of_kernel(exact, f, first->powers[k].kernel, e);
      rest = vp_poly_without(ring, rest, first->powers[k].kernel, e);
      result = part == NULL ? NULL : vp_frac_mul(ring, result, part);
      vp_ring_use(ring, name_product);
    }
  }
  if (result == NULL || vp_is_spent(ring)) {
    return NULL;
  }
  const VpInt leading = rest.monos[0].c;
  const VpInt size = leading.sign < 0 ? vp_int_neg(leading) : leading;
  result = vp_frac_mul(ring, result,
                       f == DAE_FN_SIGN ? vp_frac_int(ring, leading.sign)
                                        : vp_frac_ratio(ring, size, vp_int(ring, 1)));
  if (rest.n == 1 && rest.monos[0].n == 0) {
    return result;
  }
  const VpFrac *below = vp_frac_inverse(ring, vp_frac_ratio(ring, leading, vp_int(ring, 1)));
  const VpFrac *part = of_factor(exact, f, vp_frac_mul(ring, vp_frac_poly(ring, rest), below));
  return part == NULL ? NULL : vp_frac_mul(ring, result, part);
}

const VpFrac *
dae_kernels_switch(DaeExact *exact, DaeFunction f, const VpFrac *a)
{
  VpRing *ring = exact->ring;
  if (vp_frac_is_zero(a)) {
    return vp_frac_int(ring, 0);
  }
  const VpFrac *result = of_poly(exact, f, a->num);
  if (f == DAE_FN_ABS && result != NULL) {
    result = vp_frac_mul(ring, result, vp_frac_ratio(ring, vp_int(ring, 1), a->den));
  }
  for (guint i = 0; a->factors != NULL && i < a->factors->len && result != NULL; i++) {
    VpPower power = g_array_index(a->factors, VpPower, i);
    const VpFrac *below = of_poly(exact, f, vp_ring_factor(ring, power.kernel));
    below = below != NULL && f == DAE_FN_ABS ? vp_frac_inverse(ring, below) : below;
    below = below == NULL ? NULL : vp_frac_power(ring, below, power.e);
    result = below == NULL ? NULL : vp_frac_mul(ring, result, below);
  }
  return result;
}

const VpFrac *
dae_kernels_pair(DaeExact *exact, DaeFunction f, const VpFrac *a, const VpFrac *b)
{
  VpRing *ring = exact->ring;
  const VpFrac *size = dae_kernels_switch(exact, DAE_FN_ABS, vp_frac_sub(ring, a, b));
  const VpFrac *half = vp_frac_ratio(ring, vp_int(ring, 1), vp_int(ring, 2));
  if (size == NULL) {
    return NULL;
  }
  vp_ring_use(ring, name_pair);
  const VpFrac *sum = vp_frac_add(ring, a, b);
  sum = (f == DAE_FN_MIN ? vp_frac_sub : vp_frac_add)(ring, sum, size);
  return vp_frac_mul(ring, half, sum);
}

const VpFrac *
dae_kernels_semi_linear(DaeExact *exact, const VpFrac *x, const VpFrac *above,
                        const VpFrac *below)
{
  VpRing *ring = exact->ring;
  const VpFrac *size = dae_kernels_switch(exact, DAE_FN_ABS, x);
  const VpFrac *half = vp_frac_ratio(ring, vp_int(ring, 1), vp_int(ring, 2));
  if (size == NULL) {
    return NULL;
  }
  vp_ring_use(ring, name_pair);
  const VpFrac *even = vp_frac_mul(ring, vp_frac_sub(ring, above, below), size);
  const VpFrac *odd = vp_frac_mul(ring, vp_frac_add(ring, above, below), x);
  return vp_frac_mul(ring, half, vp_frac_add(ring, odd, even));
}
