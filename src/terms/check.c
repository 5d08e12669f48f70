/* Verifies the invariants of the canonical form for every term of a context. */
#include "terms/terms-priv.h"

static bool
fails(GString *why, const char *what)
{
  if (why != NULL && why->len == 0) {
    g_string_append(why, what);
  }
  return false;
}

static bool
has_kind(const DaeTerms *terms, DaeTerm t, DaeKind kind)
{
  return dae_is_kind(terms, t, kind);
}

static bool
check_sum(const DaeTerms *terms, const DaeTerm *u, uint32_t n, GString *why)
{
  uint32_t start = has_kind(terms, u[0], DAE_KIND_NUMBER) ? 1 : 0;
  if (n < 2 || u[0] == terms->zero) {
    return fails(why, "sum of one operand or with 0");
  }
  for (uint32_t i = start; i < n; i++) {
    if (has_kind(terms, u[i], DAE_KIND_SUM) || has_kind(terms, u[i], DAE_KIND_NUMBER)) {
      return fails(why, "sum in a sum or a number that is not first");
    }
    if (i > start && dae_order_monomials(terms, u[i - 1], u[i]) >= 0) {
      return fails(why, "summands not in order");
    }
  }
  return true;
}

static bool
is_primitive(DaeTerms *terms, DaeTerm sum)
{
  DaeRat content;
  dae_primitive_compute(terms, sum, &content);
  bool result = dae_rat_is_int(&content, 1);
  dae_rat_clear(&content);
  return result;
}

static DaeTerm
base_of(const DaeTerms *terms, DaeTerm factor)
{
  return has_kind(terms, factor, DAE_KIND_POWER) ? dae_term_operand(terms, factor, 0) : factor;
}

static bool
check_product(DaeTerms *terms, const DaeTerm *u, uint32_t n, GString *why)
{
  uint32_t start = has_kind(terms, u[0], DAE_KIND_NUMBER) ? 1 : 0;
  if (n < 2 || u[0] == terms->zero || u[0] == terms->one) {
    return fails(why, "product of one operand or with 0 or 1");
  }
  for (uint32_t i = start; i < n; i++) {
    if (has_kind(terms, u[i], DAE_KIND_PRODUCT) || has_kind(terms, u[i], DAE_KIND_NUMBER)) {
      return fails(why, "product in a product or a number that is not first");
    }
    if (has_kind(terms, u[i], DAE_KIND_SUM) && (n == 2 && start == 1)) {
      return fails(why, "number times sum");
    }
    if (has_kind(terms, u[i], DAE_KIND_SUM) && !is_primitive(terms, u[i])) {
      return fails(why, "a factor is a sum that is not primitive");
    }
    if (i > start &&
        dae_order_bases(terms, base_of(terms, u[i - 1]), base_of(terms, u[i])) >= 0) {
      return fails(why, "factors not in order of their bases");
    }
  }
  return true;
}

/* Powers that were not taken apart: no power below, no sign. */
static bool
check_whole_power(const DaeTerms *terms, DaeTerm base, GString *why)
{
  if (has_kind(terms, base, DAE_KIND_POWER)) {
    return fails(why, "integer power of a power");
  }
  return !dae_power_base_is_negative(terms, base) ||
         fails(why, "integer power of a base with a sign");
}

static bool
check_power(DaeTerms *terms, const DaeTerm *u, GString *why)
{
  if (u[1] == terms->zero || u[1] == terms->one || u[0] == terms->one) {
    return fails(why, "trivial power");
  }
  int64_t n = 0;
  bool is_integer = dae_term_get_int64(terms, u[1], &n);
  if (is_integer && (n > DAE_POWER_MOST_SPLIT || n < -DAE_POWER_MOST_SPLIT)) {
    if (!check_whole_power(terms, u[0], why)) {
      return false;
    }
  } else if (is_integer) {
    DaeKind kind = dae_term_kind(terms, u[0]);
    if (kind == DAE_KIND_PRODUCT || kind == DAE_KIND_POWER) {
      return fails(why, "integer power of a product or power");
    }
    if (kind == DAE_KIND_SUM && !is_primitive(terms, u[0])) {
      return fails(why, "integer power of a sum that is not primitive");
    }
  }
  if (has_kind(terms, u[0], DAE_KIND_NUMBER) && has_kind(terms, u[1], DAE_KIND_NUMBER) &&
      dae_term_pow(terms, u[0], u[1]) != dae_store_node(terms, DAE_KIND_POWER, 0, u, 2)) {
    return fails(why, "power of numbers that can be folded");
  }
  return true;
}

static bool
check_junction(const DaeTerms *terms, DaeKind kind, const DaeTerm *u, uint32_t n, GString *why)
{
  for (uint32_t i = 0; i < n; i++) {
    if (has_kind(terms, u[i], kind) ||
        (i > 0 && dae_term_compare(terms, u[i - 1], u[i]) >= 0)) {
      return fails(why, "and/or not flat or not in order");
    }
  }
  return n >= 2 || fails(why, "and/or of one operand");
}

static bool
check_number(const DaeTerms *terms, DaeTerm t, GString *why)
{
  DaeRat value = dae_number_view(terms, t);
  DaeRat copy;
  dae_rat_init_copy(&copy, &value);
  DaeRat zero;
  dae_rat_init_int(&zero, 0);
  dae_rat_add(&copy, &zero); /* normalizes */
  bool result = dae_rat_equal(&copy, &value);
  dae_rat_clear(&copy);
  return result || fails(why, "number not in lowest terms or not in its small form");
}

static bool
check_term(DaeTerms *terms, DaeTerm t, GString *why)
{
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (u[i] == DAE_NO_TERM || u[i] >= t) {
      return fails(why, "an operand is not older than its user");
    }
  }
  DaeKind kind = dae_term_kind(terms, t);
  switch (kind) {
  case DAE_KIND_NUMBER:
    return check_number(terms, t, why);
  case DAE_KIND_SUM:
    return check_sum(terms, u, n, why);
  case DAE_KIND_PRODUCT:
    return check_product(terms, u, n, why);
  case DAE_KIND_POWER:
    return check_power(terms, u, why);
  case DAE_KIND_AND:
  case DAE_KIND_OR:
    return check_junction(terms, kind, u, n, why);
  case DAE_KIND_CALL:
    return dae_function_arity_ok(dae_term_function(terms, t), n) || fails(why, "arity");
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
  case DAE_KIND_IF:
  case DAE_KIND_RELATION:
  case DAE_KIND_NOT:
    return true;
  }
  return false;
}

bool
dae_terms_check(DaeTerms *terms, GString *why)
{
  uint32_t count = terms->count;
  for (DaeTerm t = 1; t <= count; t++) {
    if (!check_term(terms, t, why)) {
      if (why != NULL) {
        g_string_append(why, ": ");
        dae_term_print_limited(terms, t, why, 2000);
      }
      return false;
    }
  }
  return true;
}
