#include "proofcheck/exact.h"

#include "base/base.h"
#include "proofcheck/kernels.h"

#define WORK_LIMIT 400000u

static const char name_log10[] = "log10(a) = log(a)/log(10)";
static const char name_acos[] = "acos(a) = pi/2 - asin(a)";
static const char name_square[] = "sqrt(a^2) = abs(a)";
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
  const VpFrac *up = dae_kernels_exp_of(exact, a);
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
  if (!dae_kernels_turn_of(exact, a, &turn)) {
    return NULL;
  }
  if (f == DAE_FN_TAN) {
    vp_ring_use(exact->ring, name_by_exp);
    return quotient_of(exact, turn.s, turn.c);
  }
  return f == DAE_FN_SIN ? turn.s : turn.c;
}

/* abs, sign of something whose sign is known, or of products of what is not. */
static const VpFrac *
signed_of(DaeExact *exact, DaeTerm t, DaeFunction f, const VpFrac *a)
{
  VpRing *ring = exact->ring;
  int sign = 0;
  if (dae_kernels_sign(exact, dae_term_operand(exact->terms, t, 0), a, &sign)) {
    const VpFrac *s = vp_frac_int(ring, sign);
    return f == DAE_FN_SIGN ? s : vp_frac_mul(ring, s, a);
  }
  return dae_kernels_switch(exact, f, a);
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
    return dae_kernels_exp_of(exact, a);
  case DAE_FN_LOG:
    return dae_kernels_log_of(exact, a);
  case DAE_FN_LOG10:
    vp_ring_use(ring, name_log10);
    return quotient_of(exact, dae_kernels_log_of(exact, a),
                       dae_kernels_log_of(exact, vp_frac_int(ring, 10)));
  case DAE_FN_ASIN:
    return dae_kernels_arc_of(exact, a, KERNEL_ASIN);
  case DAE_FN_ATAN:
    return dae_kernels_arc_of(exact, a, KERNEL_ATAN);
  case DAE_FN_ACOS:
    vp_ring_use(ring, name_acos);
    return vp_frac_sub(ring, dae_kernels_pi_twelfths(exact, 6),
                       dae_kernels_arc_of(exact, a, KERNEL_ASIN));
  case DAE_FN_ABS:
  case DAE_FN_SIGN:
    return signed_of(exact, t, f, a);
  case DAE_FN_NOEVENT:
    return a;
  default:
    return dae_kernels_opaque(exact, t);
  }
}

/* sqrt of a product of even powers and numbers: sqrt(a^2) = |a|. NULL: it is none. */
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
      part = number == NULL ? NULL : dae_kernels_root_of(exact, number, 1, 2);
    } else if (dae_term_kind(terms, factors[i]) == DAE_KIND_POWER &&
               dae_term_get_int64(terms, dae_term_operand(terms, factors[i], 1), &power) &&
               power % 2 == 0) {
      DaeTerm a = dae_term_operand(terms, factors[i], 0);
      const VpFrac *value = dae_exact_fraction(exact, a, NULL);
      bool is_even = power % 4 == 0; /* |a|^2 = a^2: the sign does not matter */
      bool is_signed = value != NULL && !is_even &&
                       ((dae_kernels_sign(exact, a, value, &sign) && sign != 0) ||
                        dae_range_sign(terms, exact->bound, a, &sign));
      if (is_signed) {
        value = vp_frac_mul(exact->ring, vp_frac_int(exact->ring, sign), value);
      } else if (value != NULL && !is_even) {
        value = dae_kernels_switch(exact, DAE_FN_ABS, value);
      }
      part = value == NULL ? NULL : vp_frac_power(exact->ring, value, power / 2);
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
  return dae_kernels_root_of(exact, base, small_p / g, small_q / g);
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
