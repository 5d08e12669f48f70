#include "proofcheck/exact.h"

#include "base/base.h"
#include "proofcheck/kernels.h"

#define WORK_LIMIT 400000u

static const char name_root[] = "(a^(1/q))^q = a";
static const char name_circle[] = "sin(a)^2 + cos(a)^2 = 1";
static const char name_angle_sum[] = "sin(a + b), cos(a + b)";
static const char name_angle_multiple[] = "sin(n*a), cos(n*a)";
static const char name_twelfths[] = "sin(k*pi/12), cos(k*pi/12)";
static const char name_exp_sum[] = "exp(a + b) = exp(a)*exp(b)";
static const char name_exp_log[] = "exp(c*log(a)) = a^c";
static const char name_log_product[] = "log(a*b) = log(a) + log(b) for a, b > 0";
static const char name_log_exp[] = "log(exp(a)) = a";
static const char name_log10[] = "log10(a) = log(a)/log(10)";
static const char name_arc[] = "sin, cos of asin(a), acos(a), atan(a)";
static const char name_arc_value[] = "asin, atan of sin, tan of k*pi/12";
static const char name_acos[] = "acos(a) = pi/2 - asin(a)";
static const char name_abs[] = "abs(a)^2 = a^2";
static const char name_square[] = "sqrt(a^2) = abs(a)";
static const char name_odd[] = "asin(-a) = -asin(a), atan(-a) = -atan(a)";
static const char name_by_exp[] = "tan, sinh, cosh, tanh by sin, cos, exp";

/* ---- life -------------------------------------------------------------------------------- */

DaeExact *
dae_exact_new(DaeTerms *terms, DaeCertifier *signs)
{
  DaeExact *exact = g_new0(DaeExact, 1);
  exact->terms = terms;
  exact->signs = signs;
  exact->ring = vp_ring_new(WORK_LIMIT);
  exact->bound = g_hash_table_new(NULL, NULL);
  exact->assumed = g_hash_table_new(NULL, NULL);
  exact->positive = g_hash_table_new(NULL, NULL);
  exact->memo = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  exact->kernels = g_array_new(FALSE, TRUE, sizeof(Kernel));
  exact->units = g_array_new(FALSE, TRUE, sizeof(Unit));
  return exact;
}

void
dae_exact_free(DaeExact *exact)
{
  if (exact == NULL) {
    return;
  }
  for (guint i = 0; i < exact->kernels->len; i++) {
    g_array_unref(g_array_index(exact->kernels, Kernel, i).atoms);
  }
  vp_ring_free(exact->ring);
  g_hash_table_unref(exact->bound);
  g_hash_table_unref(exact->assumed);
  g_hash_table_unref(exact->positive);
  g_hash_table_unref(exact->memo);
  g_array_unref(exact->kernels);
  g_array_unref(exact->units);
  g_free(exact);
}

void
dae_exact_bind(DaeExact *exact, DaeTerm atom, DaeTerm value)
{
  g_hash_table_insert(exact->bound, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(value));
  g_hash_table_remove_all(exact->memo);
}

void
dae_exact_assume(DaeExact *exact, DaeTerm condition, bool holds)
{
  g_hash_table_insert(exact->assumed, GUINT_TO_POINTER(condition), GUINT_TO_POINTER(1 + holds));
  g_hash_table_remove_all(exact->memo);
}

void
dae_exact_assume_positive(DaeExact *exact, DaeTerm atom)
{
  g_hash_table_add(exact->positive, GUINT_TO_POINTER(atom));
  g_hash_table_remove_all(exact->memo);
}

const GPtrArray *
dae_exact_used(const DaeExact *exact)
{
  return vp_ring_used(exact->ring);
}

DaeTerms *
dae_exact_terms(const DaeExact *exact)
{
  return exact->terms;
}

DaeCertifier *
dae_exact_signs(const DaeExact *exact)
{
  return exact->signs;
}

GHashTable *
dae_exact_bindings(DaeExact *exact)
{
  return exact->bound;
}

VpRing *
dae_exact_ring(DaeExact *exact)
{
  return exact->ring;
}

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

/* NOLINTBEGIN(misc-no-recursion): a logarithm's argument is no exp, so exp,
 * root, exp is as deep as it gets */
static const VpFrac *exp_of(DaeExact *exact, const VpFrac *a);

/* base^(p/q), q > 1, of a base that is not negative where it is defined. */
static const VpFrac *
root_of(DaeExact *exact, const VpFrac *base, int64_t p, int64_t q)
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
    return exp_of(exact, vp_frac_mul(ring, exponent,
                                     vp_frac_ratio(ring, vp_int(ring, p), vp_int(ring, q))));
  }
  return root_of_kernel(exact, base, p, q);
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
                        : root_of(exact, argument, part->p, part->q);
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

static const VpFrac *
exp_of(DaeExact *exact, const VpFrac *a)
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

/* sum += e*log(kernel) where the kernel is a positive atom; false: it is not. */
static bool
add_log_of_atom(DaeExact *exact, uint32_t number, int64_t e, const VpFrac **sum)
{
  VpRing *ring = exact->ring;
  const Kernel kernel = g_array_index(exact->kernels, Kernel, number);
  if (kernel.kind != KERNEL_ATOM ||
      !g_hash_table_contains(exact->positive, GUINT_TO_POINTER(kernel.term))) {
    return false;
  }
  const VpFrac *part = log_kernel(exact, vp_frac_kernel(ring, number));
  *sum = vp_frac_add(ring, *sum, vp_frac_mul(ring, vp_frac_int(ring, e), part));
  return true;
}

/* log(n/d*y^e...) where all atoms are positive; NULL: some are not known to be. */
static const VpFrac *
log_of_atoms(DaeExact *exact, const VpFrac *a)
{
  VpRing *ring = exact->ring;
  if (a->num.n != 1 || a->num.monos[0].c.sign < 0) {
    return NULL;
  }
  const VpMono *mono = &a->num.monos[0];
  const VpFrac *sum =
      vp_frac_add(ring, log_of_integer(exact, mono->c, 1), log_of_integer(exact, a->den, -1));
  g_autofree int64_t *below = g_new0(int64_t, (size_t)exact->kernels->len + 1);
  for (guint i = 0; a->factors != NULL && i < a->factors->len; i++) {
    VpPower power = g_array_index(a->factors, VpPower, i);
    VpPoly poly = vp_ring_factor(ring, power.kernel);
    int64_t c = 0;
    if (poly.n != 1 || poly.monos[0].n != 1 || poly.monos[0].powers[0].e != 1 ||
        !vp_int_get(poly.monos[0].c, &c) || c != 1) {
      return NULL;
    }
    below[poly.monos[0].powers[0].kernel] += power.e;
  }
  guint n_kernels = exact->kernels->len; /* logarithms are added */
  for (uint32_t i = 0; i < mono->n; i++) {
    uint32_t kernel = mono->powers[i].kernel;
    int64_t e = (int64_t)mono->powers[i].e - below[kernel];
    below[kernel] = 0;
    if (e != 0 && !add_log_of_atom(exact, kernel, e, &sum)) {
      return NULL;
    }
  }
  for (uint32_t kernel = 0; kernel < n_kernels; kernel++) {
    if (below[kernel] != 0 && !add_log_of_atom(exact, kernel, -below[kernel], &sum)) {
      return NULL;
    }
  }
  vp_ring_use(ring, name_log_product);
  return sum;
}

static const VpFrac *
log_of(DaeExact *exact, const VpFrac *a)
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

/* ---- sin, cos ---------------------------------------------------------------------------- */

typedef struct {
  const VpFrac *c, *s;
} Turn;

static Turn
turn_add(VpRing *ring, Turn a, Turn b)
{
  Turn r;
  r.c = vp_frac_sub(ring, vp_frac_mul(ring, a.c, b.c), vp_frac_mul(ring, a.s, b.s));
  r.s = vp_frac_add(ring, vp_frac_mul(ring, a.c, b.s), vp_frac_mul(ring, a.s, b.c));
  return r;
}

/* The angle pi/12 in square roots. */
static Turn
twelfth(DaeExact *exact)
{
  VpRing *ring = exact->ring;
  const VpFrac *two = root_of(exact, vp_frac_int(ring, 2), 1, 2);
  const VpFrac *three = root_of(exact, vp_frac_int(ring, 3), 1, 2);
  const VpFrac *quarter = vp_frac_ratio(ring, vp_int(ring, 1), vp_int(ring, 4));
  const VpFrac *six = vp_frac_mul(ring, two, three);
  Turn turn = {vp_frac_mul(ring, quarter, vp_frac_add(ring, six, two)),
               vp_frac_mul(ring, quarter, vp_frac_sub(ring, six, two))};
  return turn;
}

static Turn
turn_multiple(VpRing *ring, Turn unit, int64_t n)
{
  Turn turn = {vp_frac_int(ring, 1), vp_frac_int(ring, 0)};
  if (n < 0) {
    unit.s = vp_frac_mul(ring, vp_frac_int(ring, -1), unit.s);
  }
  for (int64_t i = 0; i < ABS(n) && !vp_is_spent(ring); i++) {
    turn = turn_add(ring, turn, unit);
  }
  return turn;
}

/* sin and cos of asin(a), atan(a): roots of 1 - a^2, 1 + a^2. */
static bool
turn_of_arc(DaeExact *exact, const VpFrac *key, Turn *turn)
{
  VpRing *ring = exact->ring;
  const VpFrac *one = vp_frac_int(ring, 1);
  const VpFrac *a = dae_kernels_argument(exact, key, KERNEL_ASIN);
  if (a != NULL) {
    turn->s = a;
    turn->c = root_of(exact, vp_frac_sub(ring, one, vp_frac_mul(ring, a, a)), 1, 2);
    return turn->c != NULL;
  }
  a = dae_kernels_argument(exact, key, KERNEL_ATAN);
  if (a == NULL) {
    return false;
  }
  turn->c = root_of(exact, vp_frac_add(ring, one, vp_frac_mul(ring, a, a)), -1, 2);
  turn->s = turn->c == NULL ? NULL : vp_frac_mul(ring, a, turn->c);
  return turn->c != NULL;
}

static bool
turn_of_unit(DaeExact *exact, const VpFrac *key, Unit *unit, Turn *turn)
{
  VpRing *ring = exact->ring;
  if (unit->kernel == UINT32_MAX) {
    DaeTerm angle = dae_term_div(exact->terms, dae_kernels_term(exact, key),
                                 dae_term_int(exact->terms, unit->steps));
    uint32_t cosine = dae_kernels_add(exact, KERNEL_COS, key,
                                      dae_term_call1(exact->terms, DAE_FN_COS, angle));
    uint32_t sine = dae_kernels_add(exact, KERNEL_SIN, key,
                                    dae_term_call1(exact->terms, DAE_FN_SIN, angle));
    const VpFrac *c = vp_frac_kernel(ring, cosine);
    vp_ring_relate(ring, sine, 2,
                   vp_frac_sub(ring, vp_frac_int(ring, 1), vp_frac_mul(ring, c, c)),
                   name_circle);
    g_array_index(exact->kernels, Kernel, cosine).steps = unit->steps;
    g_array_index(exact->kernels, Kernel, sine).steps = unit->steps;
    unit->kernel = cosine; /* the sine is the next */
    unit->kernel_steps = unit->steps;
  }
  turn->c = vp_frac_kernel(ring, unit->kernel);
  turn->s = vp_frac_kernel(ring, unit->kernel + 1);
  return true;
}

static bool
turn_of_part(DaeExact *exact, const Part *part, Turn *turn)
{
  VpRing *ring = exact->ring;
  Turn unit_turn;
  if (dae_kernels_argument(exact, part->key, KERNEL_PI) != NULL && 12 % part->q == 0) {
    vp_ring_use(ring, name_twelfths);
    int64_t k = part->p % (2 * part->q) * (12 / part->q);
    *turn = turn_multiple(ring, twelfth(exact), k);
    return true;
  }
  if (part->q == 1 && turn_of_arc(exact, part->key, &unit_turn)) {
    vp_ring_use(ring, name_arc);
    *turn = turn_multiple(ring, unit_turn, part->p);
    return true;
  }
  Unit *unit = dae_kernels_unit(exact, UNIT_ANGLE, part->key, part->q);
  if (unit == NULL || !turn_of_unit(exact, part->key, unit, &unit_turn)) {
    return false;
  }
  int64_t n = part->p * (unit->kernel_steps / part->q);
  if (n != 1) {
    vp_ring_use(ring, name_angle_multiple);
  }
  *turn = turn_multiple(ring, unit_turn, n);
  return true;
}

static bool
turn_of(DaeExact *exact, const VpFrac *angle, Turn *turn)
{
  VpRing *ring = exact->ring;
  g_autoptr(GArray) parts = dae_kernels_split(exact, angle);
  *turn = (Turn){vp_frac_int(ring, 1), vp_frac_int(ring, 0)};
  if (parts->len > 1) {
    vp_ring_use(ring, name_angle_sum);
  }
  for (guint i = 0; i < parts->len; i++) {
    Turn part;
    if (!turn_of_part(exact, &g_array_index(parts, Part, i), &part)) {
      return false;
    }
    *turn = turn_add(ring, *turn, part);
  }
  return true;
}

/* ---- inverse functions ------------------------------------------------------------------- */

static const VpFrac *
pi_twelfths(DaeExact *exact, int64_t k)
{
  const VpFrac *pi = vp_frac_kernel(exact->ring, dae_kernels_pi(exact));
  return vp_frac_mul(
      exact->ring, pi,
      vp_frac_ratio(exact->ring, vp_int(exact->ring, k), vp_int(exact->ring, 12)));
}

/* asin or atan: the multiple of pi/12 where a is its sine or tangent, or a kernel. */
static const VpFrac *
arc_of(DaeExact *exact, const VpFrac *a, KernelKind kind)
{
  VpRing *ring = exact->ring;
  int64_t limit = kind == KERNEL_ASIN ? 6 : 5;
  for (int64_t k = -limit; k <= limit && dae_kernels_is_constant(exact, a); k++) {
    Turn turn = turn_multiple(ring, twelfth(exact), k);
    const VpFrac *wanted = kind == KERNEL_ASIN ? a : vp_frac_mul(ring, a, turn.c);
    if (vp_frac_equal(ring, wanted, turn.s)) {
      vp_ring_use(ring, name_arc_value);
      return pi_twelfths(exact, k);
    }
  }
  const VpFrac *minus = vp_frac_int(ring, -1);
  bool is_negative = a->num.monos[0].c.sign < 0; /* one of a and -a is kept */
  if (is_negative) {
    vp_ring_use(ring, name_odd);
    a = vp_frac_mul(ring, minus, a);
  }
  uint32_t kernel = dae_kernels_find(exact, kind, a);
  if (kernel == UINT32_MAX) {
    DaeFunction f = kind == KERNEL_ASIN ? DAE_FN_ASIN : DAE_FN_ATAN;
    kernel = dae_kernels_add(exact, kind, a,
                             dae_term_call1(exact->terms, f, dae_kernels_term(exact, a)));
  }
  const VpFrac *value = vp_frac_kernel(ring, kernel);
  return is_negative ? vp_frac_mul(ring, minus, value) : value;
}

/* ---- functions --------------------------------------------------------------------------- */

static const VpFrac *
quotient_of(DaeExact *exact, const VpFrac *a, const VpFrac *b)
{
  const VpFrac *inverse = b == NULL ? NULL : vp_frac_inverse(exact->ring, b);
  exact->is_undefined |= b != NULL && inverse == NULL;
  return a == NULL || inverse == NULL ? NULL : vp_frac_mul(exact->ring, a, inverse);
}

static const VpFrac *
hyperbolic_of(DaeExact *exact, DaeFunction f, const VpFrac *a)
{
  VpRing *ring = exact->ring;
  vp_ring_use(ring, name_by_exp);
  const VpFrac *up = exp_of(exact, a);
  const VpFrac *down = up == NULL ? NULL : vp_frac_inverse(ring, up);
  if (down == NULL) {
    return NULL;
  }
  const VpFrac *half = vp_frac_ratio(ring, vp_int(ring, 1), vp_int(ring, 2));
  const VpFrac *sine = vp_frac_mul(ring, half, vp_frac_sub(ring, up, down));
  const VpFrac *cosine = vp_frac_mul(ring, half, vp_frac_add(ring, up, down));
  return f == DAE_FN_SINH ? sine : f == DAE_FN_COSH ? cosine : quotient_of(exact, sine, cosine);
}

static const VpFrac *
circular_of(DaeExact *exact, DaeFunction f, const VpFrac *a)
{
  Turn turn;
  if (!turn_of(exact, a, &turn)) {
    return NULL;
  }
  if (f == DAE_FN_TAN) {
    vp_ring_use(exact->ring, name_by_exp);
    return quotient_of(exact, turn.s, turn.c);
  }
  return f == DAE_FN_SIN ? turn.s : turn.c;
}

/* abs, sign of something whose sign is known; abs(a)^2 = a^2 otherwise. */
static const VpFrac *
signed_of(DaeExact *exact, DaeTerm t, DaeFunction f, const VpFrac *a)
{
  VpRing *ring = exact->ring;
  int sign = 0;
  if (dae_kernels_sign(exact, dae_term_operand(exact->terms, t, 0), a, &sign)) {
    const VpFrac *s = vp_frac_int(ring, sign);
    return f == DAE_FN_SIGN ? s : vp_frac_mul(ring, s, a);
  }
  if (f == DAE_FN_SIGN) {
    return dae_kernels_opaque(exact, t);
  }
  if (a->num.n > 0 && a->num.monos[0].c.sign < 0) { /* abs(-a) = abs(a) */
    a = vp_frac_mul(ring, vp_frac_int(ring, -1), a);
  }
  uint32_t kernel = dae_kernels_find(exact, KERNEL_ABS, a);
  if (kernel == UINT32_MAX) {
    kernel = dae_kernels_add(exact, KERNEL_ABS, a, t);
    vp_ring_relate(ring, kernel, 2, vp_frac_mul(ring, a, a), name_abs);
  }
  return vp_frac_kernel(ring, kernel);
}

const VpFrac *
dae_kernels_call(DaeExact *exact, DaeTerm t, const VpFrac *a)
{
  VpRing *ring = exact->ring;
  DaeFunction f = dae_term_function(exact->terms, t);
  switch ((int)f) {
  case DAE_FN_SIN:
  case DAE_FN_COS:
  case DAE_FN_TAN:
    return circular_of(exact, f, a);
  case DAE_FN_SINH:
  case DAE_FN_COSH:
  case DAE_FN_TANH:
    return hyperbolic_of(exact, f, a);
  case DAE_FN_EXP:
    return exp_of(exact, a);
  case DAE_FN_LOG:
    return log_of(exact, a);
  case DAE_FN_LOG10:
    vp_ring_use(ring, name_log10);
    return quotient_of(exact, log_of(exact, a), log_of(exact, vp_frac_int(ring, 10)));
  case DAE_FN_ASIN:
    return arc_of(exact, a, KERNEL_ASIN);
  case DAE_FN_ATAN:
    return arc_of(exact, a, KERNEL_ATAN);
  case DAE_FN_ACOS:
    vp_ring_use(ring, name_acos);
    return vp_frac_sub(ring, pi_twelfths(exact, 6), arc_of(exact, a, KERNEL_ASIN));
  case DAE_FN_ABS:
  case DAE_FN_SIGN:
    return signed_of(exact, t, f, a);
  case DAE_FN_NOEVENT:
    return a;
  default:
    return dae_kernels_opaque(exact, t);
  }
}

/* sqrt of a product of even powers and numbers, each base with a known sign: sqrt(a^2) =
 * |a|. NULL: it is none. */
static const VpFrac *
root_of_squares(DaeExact *exact, DaeTerm base)
{
  DaeTerms *terms = exact->terms;
  uint32_t n = 1;
  const DaeTerm *factors = &base;
  if (dae_term_kind(terms, base) == DAE_KIND_PRODUCT) {
    factors = dae_term_operands(terms, base, &n);
  }
  const VpFrac *product = vp_frac_int(exact->ring, 1);
  for (uint32_t i = 0; i < n && product != NULL; i++) {
    int64_t power = 0;
    int sign = 0;
    const VpFrac *part = NULL;
    if (dae_term_is_number(terms, factors[i])) {
      const VpFrac *number = dae_exact_fraction(exact, factors[i], NULL);
      part = number == NULL ? NULL : root_of(exact, number, 1, 2);
    } else if (dae_term_kind(terms, factors[i]) == DAE_KIND_POWER &&
               dae_term_get_int64(terms, dae_term_operand(terms, factors[i], 1), &power) &&
               power % 2 == 0) {
      DaeTerm a = dae_term_operand(terms, factors[i], 0);
      const VpFrac *value = dae_exact_fraction(exact, a, NULL);
      if (value != NULL && dae_kernels_sign(exact, a, value, &sign) && sign != 0) {
        value = vp_frac_mul(exact->ring, vp_frac_int(exact->ring, sign), value);
        part = vp_frac_power(exact->ring, value, power / 2);
      }
    }
    product = part == NULL ? NULL : vp_frac_mul(exact->ring, product, part);
  }
  return product;
}

const VpFrac *
dae_kernels_power(DaeExact *exact, DaeTerm t, const VpFrac *base)
{
  DaeTerm exponent = dae_term_operand(exact->terms, t, 1);
  int64_t n = 0;
  if (dae_term_get_int64(exact->terms, exponent, &n)) {
    const VpFrac *power = vp_frac_power(exact->ring, base, n);
    exact->is_undefined |= power == NULL;
    return power;
  }
  VpInt p;
  VpInt q;
  int64_t small_p = 0;
  int64_t small_q = 0;
  g_autofree char *text = dae_term_is_number(exact->terms, exponent)
                              ? dae_term_to_string(exact->terms, exponent)
                              : NULL;
  if (text == NULL || !vp_int_parse(exact->ring, text, &p, &q) || !vp_int_get(p, &small_p) ||
      !vp_int_get(q, &small_q)) {
    return dae_kernels_opaque(exact, t);
  }
  int64_t g = dae_kernels_gcd(small_p, small_q);
  if (small_p / g == 1 && small_q / g == 2) {
    const VpFrac *root = root_of_squares(exact, dae_term_operand(exact->terms, t, 0));
    if (root != NULL) {
      vp_ring_use(exact->ring, name_square);
      return root;
    }
  }
  return root_of(exact, base, small_p / g, small_q / g);
}

/* ---- what rules ask about kernels -------------------------------------------------------- */

uint32_t
dae_exact_n_kernels(const DaeExact *exact)
{
  return exact->kernels->len;
}

bool
dae_exact_kernel_contains(const DaeExact *exact, uint32_t kernel, DaeTerm atom)
{
  const GArray *atoms = g_array_index(exact->kernels, Kernel, kernel).atoms;
  for (guint i = 0; i < atoms->len; i++) {
    if (g_array_index(atoms, DaeTerm, i) == atom) {
      return true;
    }
  }
  return false;
}

bool
dae_exact_kernel_is_atom(const DaeExact *exact, uint32_t kernel)
{
  return g_array_index(exact->kernels, Kernel, kernel).kind == KERNEL_ATOM;
}

bool
dae_exact_kernel_is_constant(const DaeExact *exact, uint32_t kernel)
{
  return g_array_index(exact->kernels, Kernel, kernel).atoms->len == 0;
}

bool
dae_exact_kernel_inverse(DaeExact *exact, uint32_t kernel, DaeFunction *function,
                         DaeTerm *argument)
{
  const Kernel what = g_array_index(exact->kernels, Kernel, kernel);
  bool is_single = what.key != NULL && what.steps == 1;
  *function = what.kind == KERNEL_EXP    ? DAE_FN_EXP
              : what.kind == KERNEL_LOG  ? DAE_FN_LOG
              : what.kind == KERNEL_ASIN ? DAE_FN_ASIN
                                         : DAE_FN_ATAN;
  if (!is_single || (what.kind != KERNEL_EXP && what.kind != KERNEL_LOG &&
                     what.kind != KERNEL_ASIN && what.kind != KERNEL_ATAN)) {
    return false;
  }
  *argument = dae_kernels_term(exact, what.key);
  return true;
}
