/* Roots, logarithms, absolute values and signs through the irreducible factors of their argument.
 *
 * Where u = c * product f_i^e_i is positive, u = |u|, so log(u) = log|c| + sum e_i log|f_i|
 * and u^r = |c|^r product |f_i|^(r e_i), whatever the signs of the single factors are.
 * Primes and irreducible polynomials are multiplicatively independent, so their roots have
 * no relations but the defining ones. |f| is f where the domain of the term says f >= 0, and
 * the kernel abs(f) otherwise. */
#include "algebra/lower.h"

enum { MOST_EVEN_POWER = 64 };

#define LIMIT_POWER 400       /* of one root kernel */
#define LIMIT_FACTOR_BITS 110 /* integers beyond are not factored into primes */

typedef struct {
  DaeTerm factor;
  slong exponent;
} Factor;

typedef struct {
  fmpq_t constant;
  GArray *factors; /* Factor */
} Factored;

static void
factored_clear(Factored *f)
{
  fmpq_clear(f->constant);
  g_array_unref(f->factors);
}

static bool
append_factors(const DaeRing *ring, const fmpz_mpoly_t p, int sign, Factored *out)
{
  fmpz_mpoly_factor_t f;
  if (!dae_ring_factor(ring, f, p)) {
    return false;
  }
  if (sign > 0) {
    fmpq_mul_fmpz(out->constant, out->constant, f->constant);
  } else {
    fmpq_div_fmpz(out->constant, out->constant, f->constant);
  }
  for (slong i = 0; i < f->num; i++) {
    Factor factor = {dae_ring_poly_term(ring, f->poly + i), sign * fmpz_get_si(f->exp + i)};
    g_array_append_val(out->factors, factor);
  }
  fmpz_mpoly_factor_clear(f, ring->ctx);
  return true;
}

/* a = constant * product of factors. The caller clears out in any case. */
static bool
factor_argument(DaeLower *l, DaeTerm a, Factored *out)
{
  fmpq_init(out->constant);
  fmpq_one(out->constant);
  out->factors = g_array_new(FALSE, FALSE, sizeof(Factor));
  if (dae_term_is_number(l->terms, a)) {
    dae_number_get_fmpq(l->terms, a, out->constant);
    return !fmpq_is_zero(out->constant);
  }
  g_autoptr(DaeRing) ring = dae_ring_new(l->algebra, &a, 1);
  if (ring == NULL) {
    return false;
  }
  fmpz_mpoly_q_t value;
  fmpz_mpoly_q_init(value, ring->ctx);
  bool ok = dae_ring_convert(ring, &a, 1, value) && !fmpz_mpoly_q_is_zero(value, ring->ctx) &&
            append_factors(ring, fmpz_mpoly_q_numref(value), 1, out) &&
            append_factors(ring, fmpz_mpoly_q_denref(value), -1, out);
  fmpz_mpoly_q_clear(value, ring->ctx);
  return ok;
}

/* ---- facts ------------------------------------------------------------------------------- */

static int
known_sign(DaeLower *l, DaeTerm factor)
{
  int sign = GPOINTER_TO_INT(g_hash_table_lookup(l->signs, GUINT_TO_POINTER(factor)));
  if (sign != 0) {
    return sign;
  }
  DaeRange range = dae_sign_range(l->algebra, factor);
  if (range == DAE_RANGE_POSITIVE || range == DAE_RANGE_NONNEGATIVE) {
    return 1;
  }
  if (range == DAE_RANGE_NEGATIVE || range == DAE_RANGE_NONPOSITIVE) {
    return -1;
  }
  return dae_sign_by_ball(l->algebra, factor, &sign) ? sign : 0;
}

static bool
is_never_zero(DaeLower *l, const Factor *factor)
{
  DaeRange range = dae_sign_range(l->algebra, factor->factor);
  return factor->exponent < 0 || range == DAE_RANGE_POSITIVE || range == DAE_RANGE_NEGATIVE;
}

/* The product is > 0 (strict) or >= 0. If all odd factors but one have known signs, that one
 * has a sign too, unless another factor may vanish: where it does, a product that is only >= 0
 * says nothing about the rest. */
static void
learn_from_domain(DaeLower *l, const Factored *f, bool strict)
{
  int sign = fmpq_sgn(f->constant);
  DaeTerm open = DAE_NO_TERM;
  for (guint i = 0; i < f->factors->len; i++) {
    Factor factor = g_array_index(f->factors, Factor, i);
    int known = factor.exponent % 2 == 0 ? 1 : known_sign(l, factor.factor);
    if ((known == 0 && open != DAE_NO_TERM) ||
        (known != 0 && !strict && !is_never_zero(l, &factor))) {
      return;
    }
    if (known == 0) {
      open = factor.factor;
    } else {
      sign *= known;
    }
  }
  if (open != DAE_NO_TERM && sign != 0) {
    g_hash_table_insert(l->signs, GUINT_TO_POINTER(open), GINT_TO_POINTER(sign));
    l->again = true;
  }
}

void
dae_lower_learn(DaeLower *l, const DaeFact *fact)
{
  Factored f;
  if (factor_argument(l, fact->term, &f)) {
    learn_from_domain(l, &f, fact->strict);
  }
  factored_clear(&f);
}

static DaeTerm
absolute_factor(DaeLower *l, DaeTerm factor)
{
  int sign = known_sign(l, factor);
  if (sign > 0) {
    return factor;
  }
  return sign < 0 ? dae_term_neg(l->terms, factor)
                  : dae_term_call1(l->terms, DAE_FN_ABS, factor);
}

/* ---- powers of positive kernels ---------------------------------------------------------- */

/* g^r for g >= 0 (a prime or the absolute value of an irreducible polynomial). */
static DaeTerm
power_of_positive(DaeLower *l, DaeTerm g, const fmpq_t r)
{
  fmpq_t inner;
  fmpq_init(inner);
  DaeTerm result = DAE_NO_TERM;
  DaeKind kind = dae_term_kind(l->terms, g);
  if (kind == DAE_KIND_CALL && dae_term_function(l->terms, g) == DAE_FN_EXP) {
    DaeTerm scaled = dae_term_mul(l->terms, dae_number_from_fmpq(l->terms, r),
                                  dae_term_operand(l->terms, g, 0));
    result = dae_lower_exp(l, scaled);
  } else if (kind == DAE_KIND_POWER &&
             dae_term_is_number(l->terms, dae_term_operand(l->terms, g, 1))) {
    dae_number_get_fmpq(l->terms, dae_term_operand(l->terms, g, 1), inner);
    fmpq_mul(inner, inner, r);
    g = dae_term_operand(l->terms, g, 0);
  } else {
    fmpq_set(inner, r);
  }
  if (result == DAE_NO_TERM && fmpz_is_one(fmpq_denref(inner))) {
    result = dae_term_pow(l->terms, g, dae_number_from_fmpq(l->terms, inner));
  }
  if (result == DAE_NO_TERM) {
    int64_t n = 0;
    DaeTerm unit = DAE_NO_TERM;
    if (dae_lower_count_units(l, DAE_UNIT_ROOT, g, inner, LIMIT_POWER, &n, &unit)) {
      result = dae_term_pow_int(l->terms, dae_term_pow(l->terms, g, unit), n);
    } else {
      result = dae_term_pow(l->terms, g, dae_number_from_fmpq(l->terms, inner));
    }
  }
  fmpq_clear(inner);
  return result;
}

/* Primes of |n|, or |n| itself if it is too big to be factored. */
static void
prime_factors(const fmpz_t n, fmpz_factor_t f)
{
  fmpz_factor_init(f);
  fmpz_t magnitude;
  fmpz_init(magnitude);
  fmpz_abs(magnitude, n);
  if (fmpz_bits(magnitude) <= LIMIT_FACTOR_BITS) {
    fmpz_factor(f, magnitude);
  } else {
    _fmpz_factor_append(f, magnitude, 1);
  }
  fmpz_clear(magnitude);
}

static void
append_prime_powers(DaeLower *l, const fmpz_t n, const fmpq_t r, GArray *product)
{
  fmpz_factor_t f;
  prime_factors(n, f);
  fmpq_t exponent;
  fmpq_init(exponent);
  for (slong i = 0; i < f->num; i++) {
    fmpq_set(exponent, r);
    fmpq_mul_ui(exponent, exponent, f->exp[i]);
    DaeTerm power = power_of_positive(l, dae_number_from_fmpz(l->terms, f->p + i), exponent);
    g_array_append_val(product, power);
  }
  fmpq_clear(exponent);
  fmpz_factor_clear(f);
}

static DaeTerm
product_of_list(DaeLower *l, const GArray *list)
{
  for (guint i = 0; i < list->len; i++) {
    if (g_array_index(list, DaeTerm, i) == DAE_NO_TERM) {
      l->failed = true;
      return DAE_NO_TERM;
    }
  }
  return dae_term_product(l->terms, (const DaeTerm *)(const void *)list->data, list->len);
}

/* |f|^r: even integer powers need no absolute value. */
static DaeTerm
power_of_factor(DaeLower *l, DaeTerm factor, const fmpq_t r)
{
  if (fmpz_is_one(fmpq_denref(r)) && fmpz_is_even(fmpq_numref(r))) {
    return dae_term_pow(l->terms, factor, dae_number_from_fmpq(l->terms, r));
  }
  return power_of_positive(l, absolute_factor(l, factor), r);
}

static DaeTerm
power_of_factored(DaeLower *l, const Factored *f, const fmpq_t exponent)
{
  g_autoptr(GArray) product = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  fmpq_t r;
  fmpq_init(r);
  append_prime_powers(l, fmpq_numref(f->constant), exponent, product);
  fmpq_neg(r, exponent);
  append_prime_powers(l, fmpq_denref(f->constant), r, product);
  for (guint i = 0; i < f->factors->len; i++) {
    Factor factor = g_array_index(f->factors, Factor, i);
    fmpq_set_si(r, factor.exponent, 1);
    fmpq_mul(r, r, exponent);
    DaeTerm power = power_of_factor(l, factor.factor, r);
    g_array_append_val(product, power);
  }
  fmpq_clear(r);
  return product_of_list(l, product);
}

/* ---- the functions ----------------------------------------------------------------------- */

/* (a^n)^exponent = |a|^(n*exponent) of a factor with an even n, where that is a whole power;
 * DAE_NO_TERM: it is no such factor. In the ring cos(x)^2 would become 1 - sin(x)^2, whose
 * root nobody sees. */
static DaeTerm
root_of_even_power(DaeLower *l, DaeTerm factor, const fmpq_t exponent)
{
  int64_t n = 0;
  if (dae_term_kind(l->terms, factor) != DAE_KIND_POWER ||
      !dae_term_get_int64(l->terms, dae_term_operand(l->terms, factor, 1), &n) || n % 2 != 0 ||
      ABS(n) > MOST_EVEN_POWER) {
    return DAE_NO_TERM;
  }
  fmpq_t power;
  fmpq_init(power);
  fmpq_mul_si(power, exponent, n);
  bool is_whole = fmpz_is_one(fmpq_denref(power)) && fmpz_fits_si(fmpq_numref(power));
  int64_t p = is_whole ? fmpz_get_si(fmpq_numref(power)) : 0;
  fmpq_clear(power);
  if (!is_whole) {
    return DAE_NO_TERM;
  }
  DaeTerm a = dae_term_operand(l->terms, factor, 0);
  return dae_term_pow_int(l->terms, p % 2 == 0 ? a : dae_lower_abs(l, a), p);
}

/* The roots of all even powers of a product; *rest: what is left. */
static DaeTerm
take_even_powers(DaeLower *l, DaeTerm base, const fmpq_t exponent, DaeTerm *rest)
{
  DaeTerm roots = dae_term_int(l->terms, 1);
  uint32_t n = 1;
  const DaeTerm *operands = &base;
  if (dae_term_kind(l->terms, base) == DAE_KIND_PRODUCT) {
    operands = dae_term_operands(l->terms, base, &n);
  }
  g_autofree DaeTerm *factors = g_memdup2(operands, n * sizeof *factors);
  *rest = dae_term_int(l->terms, 1);
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm root = root_of_even_power(l, factors[i], exponent);
    roots = root == DAE_NO_TERM ? roots : dae_term_mul(l->terms, roots, root);
    *rest = root == DAE_NO_TERM ? dae_term_mul(l->terms, *rest, factors[i]) : *rest;
  }
  return roots;
}

/* NOLINTBEGIN(misc-no-recursion): once, for a base without even powers */
DaeTerm
dae_lower_root(DaeLower *l, DaeTerm base, const fmpq_t exponent)
{
  DaeTerm rest = base;
  DaeTerm roots = take_even_powers(l, base, exponent, &rest);
  if (rest != base) {
    DaeTerm root = dae_term_is_one(l->terms, rest) ? rest : dae_lower_root(l, rest, exponent);
    return root == DAE_NO_TERM ? root : dae_term_mul(l->terms, roots, root);
  }
  Factored f;
  DaeTerm result = DAE_NO_TERM;
  bool is_negative_number =
      dae_term_is_number(l->terms, base) && dae_term_sign(l->terms, base) < 0;
  if (dae_term_is_zero(l->terms, base) || is_negative_number) {
    return dae_term_pow(l->terms, base, dae_number_from_fmpq(l->terms, exponent));
  }
  if (factor_argument(l, base, &f)) {
    learn_from_domain(l, &f, fmpq_sgn(exponent) < 0);
    result = power_of_factored(l, &f, exponent);
  } else {
    result = dae_term_pow(l->terms, base, dae_number_from_fmpq(l->terms, exponent));
  }
  factored_clear(&f);
  return result;
}

/* NOLINTEND(misc-no-recursion) */

DaeTerm
dae_lower_abs(DaeLower *l, DaeTerm base)
{
  Factored f;
  DaeTerm result = DAE_NO_TERM;
  if (dae_term_is_zero(l->terms, base)) {
    return base;
  }
  if (factor_argument(l, base, &f)) {
    g_autoptr(GArray) product = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    fmpq_abs(f.constant, f.constant);
    DaeTerm constant = dae_number_from_fmpq(l->terms, f.constant);
    g_array_append_val(product, constant);
    for (guint i = 0; i < f.factors->len; i++) {
      Factor factor = g_array_index(f.factors, Factor, i);
      DaeTerm base_term =
          factor.exponent % 2 == 0 ? factor.factor : absolute_factor(l, factor.factor);
      DaeTerm power = dae_term_pow_int(l->terms, base_term, factor.exponent);
      g_array_append_val(product, power);
    }
    result = product_of_list(l, product);
  } else {
    result = dae_term_call1(l->terms, DAE_FN_ABS, base);
  }
  factored_clear(&f);
  return result;
}

DaeTerm
dae_lower_sign(DaeLower *l, DaeTerm base)
{
  Factored f;
  DaeTerm result = DAE_NO_TERM;
  if (factor_argument(l, base, &f)) {
    g_autoptr(GArray) product = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    DaeTerm constant = dae_term_int(l->terms, fmpq_sgn(f.constant));
    g_array_append_val(product, constant);
    for (guint i = 0; i < f.factors->len; i++) {
      Factor factor = g_array_index(f.factors, Factor, i);
      DaeRange range = dae_sign_range(l->algebra, factor.factor);
      DaeTerm sign = range == DAE_RANGE_POSITIVE
                         ? dae_term_int(l->terms, 1)
                         : dae_term_call1(l->terms, DAE_FN_SIGN, factor.factor);
      /* sign takes -1, 0, 1 only: its powers depend on parity alone */
      DaeTerm power = dae_term_pow_int(l->terms, sign, factor.exponent % 2 == 0 ? 2 : 1);
      g_array_append_val(product, power);
    }
    result = product_of_list(l, product);
  } else {
    result = dae_term_call1(l->terms, DAE_FN_SIGN, base);
  }
  factored_clear(&f);
  return result;
}

/* ---- logarithms -------------------------------------------------------------------------- */

/* log of a positive kernel: log(exp(a)) = a, log(g^r) = r*log(g). */
static DaeTerm
log_of_positive(DaeLower *l, DaeTerm g)
{
  DaeKind kind = dae_term_kind(l->terms, g);
  if (kind == DAE_KIND_CALL && dae_term_function(l->terms, g) == DAE_FN_EXP) {
    return dae_term_operand(l->terms, g, 0);
  }
  if (kind == DAE_KIND_POWER) {
    DaeTerm inner = dae_term_call1(l->terms, DAE_FN_LOG, dae_term_operand(l->terms, g, 0));
    return dae_term_mul(l->terms, dae_term_operand(l->terms, g, 1), inner);
  }
  return dae_term_call1(l->terms, DAE_FN_LOG, g);
}

static void
append_prime_logs(DaeLower *l, const fmpz_t n, int sign, GArray *sum)
{
  fmpz_factor_t f;
  prime_factors(n, f);
  for (slong i = 0; i < f->num; i++) {
    DaeTerm part =
        dae_term_call1(l->terms, DAE_FN_LOG, dae_number_from_fmpz(l->terms, f->p + i));
    part = dae_term_mul(l->terms, dae_term_int(l->terms, sign * (int64_t)f->exp[i]), part);
    g_array_append_val(sum, part);
  }
  fmpz_factor_clear(f);
}

DaeTerm
dae_lower_log(DaeLower *l, DaeTerm base)
{
  Factored f;
  DaeTerm result = DAE_NO_TERM;
  bool is_bad_number = dae_term_is_number(l->terms, base) && dae_term_sign(l->terms, base) <= 0;
  if (is_bad_number) {
    return dae_term_call1(l->terms, DAE_FN_LOG, base);
  }
  if (factor_argument(l, base, &f)) {
    learn_from_domain(l, &f, true);
    g_autoptr(GArray) sum = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    append_prime_logs(l, fmpq_numref(f.constant), 1, sum);
    append_prime_logs(l, fmpq_denref(f.constant), -1, sum);
    for (guint i = 0; i < f.factors->len; i++) {
      Factor factor = g_array_index(f.factors, Factor, i);
      DaeTerm part = log_of_positive(l, absolute_factor(l, factor.factor));
      part = dae_term_mul(l->terms, dae_term_int(l->terms, factor.exponent), part);
      g_array_append_val(sum, part);
    }
    result = dae_term_sum(l->terms, (const DaeTerm *)(const void *)sum->data, sum->len);
  } else {
    result = dae_term_call1(l->terms, DAE_FN_LOG, base);
  }
  factored_clear(&f);
  return result;
}
