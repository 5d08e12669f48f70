/* Differences that are known: several stages ask for that of the sides of each equation. One is
 * kept at each place; it gives way to the next that falls there. */
#include "terms/terms-priv.h"

/* Slots of the store for each place: an equation makes more terms than that. */
enum { SHARE = 16 };

void
dae_differences_forget(DaeTerms *terms, uint32_t n_slots)
{
  g_free(terms->differences);
  terms->n_differences = n_slots / SHARE;
  terms->differences = g_new0(DaeDifference, terms->n_differences);
}

DaeDifference *
dae_difference_place(DaeTerms *terms, DaeTerm minuend, DaeTerm subtrahend)
{
  uint32_t hash = (minuend * 2654435769u) ^ (subtrahend * 2246822519u);
  return &terms->differences[(hash ^ hash >> 15) & (terms->n_differences - 1)];
}
