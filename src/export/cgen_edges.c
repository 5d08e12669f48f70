/* Do derivatives lack values at points where the equations have some? */
#include "export/cgen-priv.h"

/* u^(-1/2), of a root or of asin(u); with an exponent that is known later it may be one. */
static bool
is_steep_power(void *user, const DaeTerms *terms, DaeTerm t)
{
  (void)user;
  int64_t whole = 0;
  if (dae_term_kind(terms, t) != DAE_KIND_POWER) {
    return false;
  }
  const DaeTerm exponent = dae_term_operand(terms, t, 1);
  return !dae_term_is_number(terms, exponent) ||
         (dae_term_sign(terms, exponent) < 0 && !dae_term_get_int64(terms, exponent, &whole));
}

bool
dae_cgen_finds_edges(const DaeTerms *terms, const DaeSystemTerms *system)
{
  static const uint32_t parts[] = {DAE_PART_K, DAE_PART_GX, DAE_PART_GT};
  g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (size_t p = 0; p < G_N_ELEMENTS(parts) && found->len == 0; p++) {
    const GArray *list = system->terms[parts[p]];
    for (uint32_t o = 0; o < list->len && found->len == 0; o++) {
      dae_term_collect_nodes(terms, g_array_index(list, DaeTerm, o), is_steep_power, NULL,
                             found);
    }
  }
  return found->len > 0;
}
