/* Angles of the exact checker: cosine and sine of sums, multiples and twelfths of pi, and the
 * inverse functions. */
#include "base/base.h"
#include "proofcheck/kernels.h"

static const char name_circle[] = "sin(a)^2 + cos(a)^2 = 1";
static const char name_angle_sum[] = "sin(a + b), cos(a + b)";
static const char name_angle_multiple[] = "sin(n*a), cos(n*a)";
static const char name_twelfths[] = "sin(k*pi/12), cos(k*pi/12)";
static const char name_arc[] = "sin, cos of asin(a), acos(a), atan(a)";
static const char name_arc_value[] = "asin, atan of sin, tan of k*pi/12";
static const char name_odd[] = "asin(-a) = -asin(a), atan(-a) = -atan(a)";

/* ---- sin, cos ---------------------------------------------------------------------------- */

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
  const VpFrac *two = dae_kernels_root_of(exact, vp_frac_int(ring, 2), 1, 2);
  const VpFrac *three = dae_kernels_root_of(exact, vp_frac_int(ring, 3), 1, 2);
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
    turn->c = dae_kernels_root_of(exact, vp_frac_sub(ring, one, vp_frac_mul(ring, a, a)), 1, 2);
    return turn->c != NULL;
  }
  a = dae_kernels_argument(exact, key, KERNEL_ATAN);
  if (a == NULL) {
    return false;
  }
  turn->c = dae_kernels_root_of(exact, vp_frac_add(ring, one, vp_frac_mul(ring, a, a)), -1, 2);
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

bool
dae_kernels_turn_of(DaeExact *exact, const VpFrac *angle, Turn *turn)
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

const VpFrac *
dae_kernels_pi_twelfths(DaeExact *exact, int64_t k)
{
  const VpFrac *pi = vp_frac_kernel(exact->ring, dae_kernels_pi(exact));
  return vp_frac_mul(
      exact->ring, pi,
      vp_frac_ratio(exact->ring, vp_int(exact->ring, k), vp_int(exact->ring, 12)));
}

/* asin or atan: the multiple of pi/12 where a is its sine or tangent, or a kernel. */
const VpFrac *
dae_kernels_arc_of(DaeExact *exact, const VpFrac *a, KernelKind kind)
{
  VpRing *ring = exact->ring;
  int64_t limit = kind == KERNEL_ASIN ? 6 : 5;
  for (int64_t k = -limit; k <= limit && dae_kernels_is_constant(exact, a); k++) {
    Turn turn = turn_multiple(ring, twelfth(exact), k);
    const VpFrac *wanted = kind == KERNEL_ASIN ? a : vp_frac_mul(ring, a, turn.c);
    if (vp_frac_equal(ring, wanted, turn.s)) {
      vp_ring_use(ring, name_arc_value);
      return dae_kernels_pi_twelfths(exact, k);
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
