/* "Did you mean ...": the candidate nearest to a misspelt word. */
#ifndef DAE_BASE_SUGGEST_H
#define DAE_BASE_SUGGEST_H

#include <stddef.h>

/* Collects the best candidate one by one, so that the caller needs no array of names. */
typedef struct {
  const char *wrong;
  const char *best; /* NULL: nothing is near enough */
  size_t distance;
} DaeSuggest;

void dae_suggest_begin(DaeSuggest *suggest, const char *wrong);
/* The same for a word of the language: what other languages and textbooks call by this name is
 * the first candidate (sgn: sign, ln: log, pi: Modelica.Constants.pi, t: time). */
void dae_suggest_begin_word(DaeSuggest *suggest, const char *wrong);
/* Keeps the first of the nearest candidates: insertions, deletions, substitutions and swaps of
 * neighbours count one each, a difference in case only counts less than one. Near enough: at most
 * a third of the length, or one letter more or less at the end. Cost O(length^2), long names are
 * skipped. */
void dae_suggest_try(DaeSuggest *suggest, const char *candidate);

#endif
