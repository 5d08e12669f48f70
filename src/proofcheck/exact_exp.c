/* Roots, exponential function and logarithm of the exact checker. */
#include "base/base.h"
#include "proofcheck/kernels.h"

static const char name_root[] = "(a^(1/q))^q = a";
static const char name_exp_sum[] = "exp(a + b) = exp(a)*exp(b)";
static const char name_exp_log[] = "exp(c*log(a)) = a^c";
static const char name_log_product[] = "log(a*b) = log(a) + log(b) for a, b > 0";
static const char name_log_exp[] = "log(exp(a)) = a";

/* ---- roots ------------------------------------------------------------------------------- */

/* base^(p/q) of a base that is a kernel of its own: r^p with r^unit = base. */
static const VpFrac *
root_of_kernel(DaeExact *exact, const VpFrac *base, int64_t p, int64_t q)
{
  Unit *unit = dae_kernels_unit(exact, UNIT_ROOT, base, q);
  if (unit == NULL) {
    return NULL;
  }
  if (unit->kernel == UINT32_MAX) {
    DaeTerm shown = dae_term_pow(exact->terms, dae_kernels_term(exact, base),
                                 dae_term_ratio(exact->terms, 1, unit->steps));
    uint32_t kernel = dae_kernels_add(exact, KERNEL_ROOT, base, shown);
    unit->kernel = kernel;
    unit->kernel_steps = unit->steps;
    vp_ring_relate(exact->ring, kernel, (uint32_t)unit->steps, base, name_root);
  }
  return vp_frac_power(exact->ring, vp_frac_kernel(exact->ring, unit->kernel),
                       p * (unit->kernel_steps / q));
}

/* Trial division ends here. */
enum { LARGEST_FACTOR = 20000 };

/* How often d divides n > 0; n is left without it. */
static int64_t
take_factor(VpRing *ring, VpInt *n, uint32_t d)
{
  VpInt one = vp_int(ring, 1);
  VpInt quotient = *n;
  int64_t e = 0;
  while (vp_int_compare(*n, one) > 0 && vp_int_divide_small(ring, *n, d, &quotient) == 0) {
    *n = quotient;
    e++;
  }
  return e;
}

/* n^(p/q) of a positive integer: prime by prime; what trial division does
 * not split counts as one prime. */
static const VpFrac *
root_of_integer(DaeExact *exact, VpInt n, int64_t p, int64_t q)
{
  VpRing *ring = exact->ring;
  const VpFrac *result = vp_frac_int(ring, 1);
  VpInt one = vp_int(ring, 1);
  for (uint32_t d = 2; d < LARGEST_FACTOR && vp_int_compare(n, one) > 0 && result != NULL;
       d++) {
    int64_t e = take_factor(ring, &n, d);
    if (e > 0) {
      int64_t whole = e * p / q;
      int64_t rest = e * p - whole * q;
      const VpFrac *prime = vp_frac_int(ring, d);
      result = vp_frac_mul(ring, result, vp_frac_power(ring, prime, whole));
      if (rest != 0) {
        int64_t g = dae_kernels_gcd(rest, q);
        const VpFrac *root = root_of_kernel(exact, prime, rest / g, q / g);
        result = root == NULL ? NULL : vp_frac_mul(ring, result, root);
      }
    }
  }
  if (result != NULL && vp_int_compare(n, one) > 0) {
    const VpFrac *root = root_of_kernel(exact, vp_frac_ratio(ring, n, one), p, q);
    result = root == NULL ? NULL : vp_frac_mul(ring, result, root);
  }
  return result;
}

/* A positive number times what has the leading coefficient 1 or -1, each by itself. */
static const VpFrac *
root_of_product(DaeExact *exact, const VpFrac *base, int64_t p, int64_t q)
{
  VpRing *ring = exact->ring;
  const VpInt one = vp_int(ring, 1);
  const VpInt leading = base->num.monos[0].c;
  const VpInt size = leading.sign < 0 ? vp_int_neg(leading) : leading;
  if (vp_int_compare(size, one) == 0 && vp_int_compare(base->den, one) == 0) {
    return root_of_kernel(exact, base, p, q);
  }
  const VpFrac *above = root_of_integer(exact, size, p, q);
  const VpFrac *below = root_of_integer(exact, base->den, -p, q);
  const VpFrac *bare = vp_frac_mul(ring, base, vp_frac_ratio(ring, base->den, size));
  const VpFrac *rest = root_of_kernel(exact, bare, p, q);
  return above == NULL || below == NULL || rest == NULL
             ? NULL
             : vp_frac_mul(ring, rest, vp_frac_mul(ring, above, below));
}

/* NOLINTBEGIN(misc-no-recursion): a logarithm's argument is no exp, so exp,
 * root, exp is as deep as it gets */
/* base^(p/q), q > 1, of a base that is not negative where it is defined. */
const VpFrac *
dae_kernels_root_of(DaeExact *exact, const VpFrac *base, int64_t p, int64_t q)
{
  VpRing *ring = exact->ring;
  if (vp_frac_is_zero(base)) {
    exact->is_undefined |= p < 0;
    return p < 0 ? NULL : base;
  }
  if (vp_frac_is_number(base)) {
    if (base->num.monos[0].c.sign < 0) {
      return NULL;
    }
    const VpFrac *above = root_of_integer(exact, base->num.monos[0].c, p, q);
    const VpFrac *below = root_of_integer(exact, base->den, -p, q);
    return above == NULL || below == NULL ? NULL : vp_frac_mul(ring, above, below);
  }
  const VpFrac *exponent = dae_kernels_log_of_exp(exact, base);
  if (exponent != NULL) { /* exp(a)^(p/q) = exp(a*p/q) */
    vp_ring_use(ring, name_exp_sum);
    return dae_kernels_exp_of(
        exact,
        vp_frac_mul(ring, exponent, vp_frac_ratio(ring, vp_int(ring, p), vp_int(ring, q))));
  }
  return root_of_product(exact, base, p, q);
}

/* ---- exp, log ---------------------------------------------------------------------------- */

static const VpFrac *
exp_of_part(DaeExact *exact, const Part *part)
{
  VpRing *ring = exact->ring;
  const VpFrac *argument = dae_kernels_argument(exact, part->key, KERNEL_LOG);
  if (argument != NULL) {
    vp_ring_use(ring, name_exp_log);
    return part->q == 1 ? vp_frac_power(ring, argument, part->p)
                        : dae_kernels_root_of(exact, argument, part->p, part->q);
  }
  Unit *unit = dae_kernels_unit(exact, UNIT_EXP, part->key, part->q);
  if (unit == NULL) {
    return NULL;
  }
  if (unit->kernel == UINT32_MAX) {
    DaeTerm shown =
        dae_term_call1(exact->terms, DAE_FN_EXP,
                       dae_term_div(exact->terms, dae_kernels_term(exact, part->key),
                                    dae_term_int(exact->terms, unit->steps)));
    uint32_t kernel = dae_kernels_add(exact, KERNEL_EXP, part->key, shown);
    unit->kernel = kernel;
    unit->kernel_steps = unit->steps;
    g_array_index(exact->kernels, Kernel, kernel).steps = unit->steps;
  }
  return vp_frac_power(ring, vp_frac_kernel(ring, unit->kernel),
                       part->p * (unit->kernel_steps / part->q));
}

const VpFrac *
dae_kernels_exp_of(DaeExact *exact, const VpFrac *a)
{
  VpRing *ring = exact->ring;
  g_autoptr(GArray) parts = dae_kernels_split(exact, a);
  const VpFrac *result = vp_frac_int(ring, 1);
  if (parts->len > 1) {
    vp_ring_use(ring, name_exp_sum);
  }
  for (guint i = 0; i < parts->len && result != NULL; i++) {
    const VpFrac *part = exp_of_part(exact, &g_array_index(parts, Part, i));
    result = part == NULL ? NULL : vp_frac_mul(ring, result, part);
  }
  return result;
}

/* NOLINTEND(misc-no-recursion) */

static const VpFrac *
log_kernel(DaeExact *exact, const VpFrac *a)
{
  uint32_t kernel = dae_kernels_find(exact, KERNEL_LOG, a);
  if (kernel == UINT32_MAX) {
    DaeTerm shown = dae_term_call1(exact->terms, DAE_FN_LOG, dae_kernels_term(exact, a));
    kernel = dae_kernels_add(exact, KERNEL_LOG, a, shown);
  }
  return vp_frac_kernel(exact->ring, kernel);
}

/* log of a positive integer, times sign. */
static const VpFrac *
log_of_integer(DaeExact *exact, VpInt n, int sign)
{
  VpRing *ring = exact->ring;
  const VpFrac *sum = vp_frac_int(ring, 0);
  VpInt one = vp_int(ring, 1);
  for (uint32_t d = 2; d < LARGEST_FACTOR && vp_int_compare(n, one) > 0; d++) {
    int64_t e = take_factor(ring, &n, d);
    if (e > 0) {
      const VpFrac *part = log_kernel(exact, vp_frac_int(ring, d));
      sum = vp_frac_add(ring, sum, vp_frac_mul(ring, vp_frac_int(ring, sign * e), part));
    }
  }
  if (vp_int_compare(n, one) > 0) {
    const VpFrac *part = log_kernel(exact, vp_frac_ratio(ring, n, one));
    sum = vp_frac_add(ring, sum, vp_frac_mul(ring, vp_frac_int(ring, sign), part));
  }
  return sum;
}

/* log of a positive number times powers of exp. */
static const VpFrac *
log_of_positive(DaeExact *exact, const VpFrac *a)
{
  VpRing *ring = exact->ring;
  VpInt one = vp_int(ring, 1);
  const VpFrac *number = vp_frac_ratio(ring, a->num.monos[0].c, a->den);
  const VpFrac *inverse = vp_frac_inverse(ring, number);
  const VpFrac *bare = vp_frac_mul(ring, a, inverse);
  /* c/d * d/c: the same number above and below */
  VpFrac *unit = vp_keep(ring, g_memdup2(bare, sizeof *bare));
  VpMono *mono = vp_keep(ring, g_memdup2(bare->num.monos, sizeof(VpMono)));
  mono->c = one;
  unit->num = (VpPoly){1, mono};
  unit->den = one;
  const VpFrac *exponent = dae_kernels_log_of_exp(exact, unit);
  const VpFrac *sum = vp_frac_add(ring, log_of_integer(exact, a->num.monos[0].c, 1),
                                  log_of_integer(exact, a->den, -1));
  return exponent == NULL ? sum : vp_frac_add(ring, sum, exponent);
}

/* n/d*x^2*y... as numbers and exponents of kernels; below[k]: of those in the denominator, 0 again
 * where the numerator has them too. false: it is no such product. */
static bool
split_product(DaeExact *exact, const VpFrac *a, int64_t *exponent)
{
  VpRing *ring = exact->ring;
  if (a->num.n != 1 || a->num.monos[0].c.sign < 0) {
    return false;
  }
  const VpMono *mono = &a->num.monos[0];
  for (guint i = 0; a->factors != NULL && i < a->factors->len; i++) {
    VpPower power = g_array_index(a->factors, VpPower, i);
    VpPoly poly = vp_ring_factor(ring, power.kernel);
    int64_t c = 0;
    if (poly.n != 1 || poly.monos[0].n != 1 || poly.monos[0].powers[0].e != 1 ||
        !vp_int_get(poly.monos[0].c, &c) || c != 1) {
      return false;
    }
    exponent[poly.monos[0].powers[0].kernel] -= power.e;
  }
  for (uint32_t i = 0; i < mono->n; i++) {
    exponent[mono->powers[i].kernel] += mono->powers[i].e;
  }
  return true;
}

static bool
is_positive_kernel(const DaeExact *exact, uint32_t number)
{
  const Kernel *kernel = &g_array_index(exact->kernels, Kernel, number);
  return kernel->kind == KERNEL_EXP ||
         (kernel->kind == KERNEL_ATOM &&
          g_hash_table_contains(exact->positive, GUINT_TO_POINTER(kernel->term)));
}

/* e*log(kernel), of its size where the kernel may be negative. */
static const VpFrac *
log_of_kernel(DaeExact *exact, uint32_t kernel, int64_t e, bool is_positive)
{
  VpRing *ring = exact->ring;
  const VpFrac *base = vp_frac_kernel(ring, kernel);
  if (!is_positive) {
    base = dae_kernels_switch(exact, DAE_FN_ABS, base);
  }
  const VpFrac *exponent = base == NULL ? NULL : dae_kernels_log_of_exp(exact, base);
  const VpFrac *log = exponent != NULL || base == NULL ? exponent : log_kernel(exact, base);
  return log == NULL ? NULL : vp_frac_mul(ring, vp_frac_int(ring, e), log);
}

/* log(n/d*y^e...): all atoms are positive, or exponents even, or one is left, which is positive
 * then. NULL: it is no such product. */
static const VpFrac *
log_of_atoms(DaeExact *exact, const VpFrac *a)
{
  VpRing *ring = exact->ring;
  const guint n_kernels = exact->kernels->len; /* logarithms are added */
  g_autofree int64_t *exponent = g_new0(int64_t, (size_t)n_kernels + 1);
  uint32_t n_odd = 0;
  if (!split_product(exact, a, exponent)) {
    return NULL;
  }
  for (uint32_t k = 0; k < n_kernels; k++) {
    n_odd += exponent[k] % 2 != 0 && !is_positive_kernel(exact, k);
  }
  if (n_odd > 1) {
    return NULL;
  }
  const VpFrac *sum = vp_frac_add(ring, log_of_integer(exact, a->num.monos[0].c, 1),
                                  log_of_integer(exact, a->den, -1));
  for (uint32_t k = 0; k < n_kernels && sum != NULL; k++) {
    bool is_positive = exponent[k] % 2 != 0 || is_positive_kernel(exact, k);
    const VpFrac *part =
        exponent[k] == 0 ? NULL : log_of_kernel(exact, k, exponent[k], is_positive);
    sum = exponent[k] == 0 ? sum : part == NULL ? NULL : vp_frac_add(ring, sum, part);
  }
  vp_ring_use(ring, name_log_product);
  return sum;
}

const VpFrac *
dae_kernels_log_of(DaeExact *exact, const VpFrac *a)
{
  VpRing *ring = exact->ring;
  if (vp_frac_is_number(a)) {
    if (vp_frac_is_zero(a) || a->num.monos[0].c.sign < 0) {
      return NULL;
    }
    vp_ring_use(ring, name_log_product);
    return vp_frac_add(ring, log_of_integer(exact, a->num.monos[0].c, 1),
                       log_of_integer(exact, a->den, -1));
  }
  const VpFrac *exponent = dae_kernels_log_of_exp(exact, a);
  if (exponent != NULL) {
    vp_ring_use(ring, name_log_exp);
    return exponent;
  }
  const VpFrac *of_atoms = log_of_atoms(exact, a);
  if (of_atoms != NULL) {
    return of_atoms;
  }
  const VpFrac *rest = NULL;
  const VpFrac *positive = dae_kernels_positive_part(exact, a, &rest);
  if (positive !=
      NULL) { /* log(p*r) = log(p) + log(r) where p is a number or a product of exp: positive */
    vp_ring_use(ring, name_log_product);
    const VpFrac *first = log_of_positive(exact, positive);
    return first == NULL ? NULL : vp_frac_add(ring, first, log_kernel(exact, rest));
  }
  return log_kernel(exact, a);
}
