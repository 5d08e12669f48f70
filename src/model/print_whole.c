/* Powers of Integers: i*i is i^2 inside, and i^2 is Real in Modelica [MLS, section 10.6.7]. */
#include "model/flat.h"

enum { MOST_FACTORS = 1000 };

static bool
is_power(void *user, const DaeTerms *terms, DaeTerm t)
{
  (void)user;
  int64_t n = 0;
  return dae_term_kind(terms, t) == DAE_KIND_POWER &&
         dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &n) && n > 0 &&
         n <= MOST_FACTORS;
}

/* A symbol that is called i*i. */
static DaeTerm
product_of(DaeTerms *terms, DaeTerm power)
{
  int64_t n = 0;
  DaeTerm base = dae_whole_as_products(terms, dae_term_operand(terms, power, 0));
  g_autofree char *text = dae_term_to_string(terms, base);
  bool is_symbol = dae_term_kind(terms, base) == DAE_KIND_VARIABLE ||
                   dae_term_kind(terms, base) == DAE_KIND_PARAMETER;
  g_autoptr(GString) name = g_string_new(NULL);
  dae_term_get_int64(terms, dae_term_operand(terms, power, 1), &n);
  for (int64_t i = 0; i < n; i++) {
    g_string_append_printf(name, is_symbol ? "%s%s" : "%s(%s)", i > 0 ? "*" : "", text);
  }
  return dae_term_parameter(
      terms, dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, name->str));
}

DaeTerm
dae_whole_as_products(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) powers = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_nodes(terms, t, is_power, NULL, powers);
  for (uint32_t i = powers->len; i-- > 0;) { /* the outer ones first */
    DaeTerm power = g_array_index(powers, DaeTerm, i);
    DaeTerm replaced = dae_term_contains(terms, t, power)
                           ? dae_term_replace(terms, t, power, product_of(terms, power))
                           : t;
    t = replaced != DAE_NO_TERM ? replaced : t;
  }
  return t;
}
