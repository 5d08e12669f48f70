#include "base/suggest.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LONGEST = 64 };

void
dae_suggest_begin(DaeSuggest *suggest, const char *wrong)
{
  suggest->wrong = wrong;
  suggest->best = NULL;
  suggest->distance = SIZE_MAX;
}

void
dae_suggest_begin_word(DaeSuggest *suggest, const char *wrong)
{
  static const struct {
    const char *elsewhere, *here;
  } words[] = {{"sgn", "sign"},
               {"signum", "sign"},
               {"ln", "log"},
               {"fabs", "abs"},
               {"arcsin", "asin"},
               {"arccos", "acos"},
               {"arctan", "atan"},
               {"tg", "tan"},
               {"sqr", "^2"},
               {"pow", "^"},
               {"fmod", "mod"},
               {"ceiling", "ceil"},
               {"round", "floor(x + 0.5)"},
               {"pi", "Modelica.Constants.pi"},
               {"PI", "Modelica.Constants.pi"},
               {"Pi", "Modelica.Constants.pi"},
               {"e", "Modelica.Constants.e"},
               {"power", "^"},
               {"True", "true"},
               {"TRUE", "true"},
               {"False", "false"},
               {"FALSE", "false"},
               {"t", "time"},
               {"d", "der"},
               {"diff", "der"},
               {"ddt", "der"},
               {"derivative", "der"}};

  dae_suggest_begin(suggest, wrong);
  for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
    if (strcmp(wrong, words[i].elsewhere) == 0) {
      suggest->best = words[i].here;
      suggest->distance = 2; /* a name that differs in case only is nearer */
    }
  }
}

/* Optimal string alignment distance, doubled; a difference in case costs 1, everything else 2. */
static size_t
doubled_distance(const char *a, size_t n, const char *b, size_t m)
{
  size_t rows[3][LONGEST + 1];
  size_t *before = rows[0];
  size_t *above = rows[1];
  size_t *here = rows[2];
  for (size_t j = 0; j <= m; j++) {
    above[j] = 2 * j;
  }
  for (size_t i = 1; i <= n; i++) {
    here[0] = 2 * i;
    for (size_t j = 1; j <= m; j++) {
      size_t change = a[i - 1] == b[j - 1]                                     ? 0
                      : g_ascii_tolower(a[i - 1]) == g_ascii_tolower(b[j - 1]) ? 1
                                                                               : 2;
      here[j] = MIN(MIN(above[j] + 2, here[j - 1] + 2), above[j - 1] + change);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        here[j] = MIN(here[j], before[j - 2] + 2);
      }
    }
    size_t *spare = before;
    before = above;
    above = here;
    here = spare;
  }
  return above[m];
}

/* One letter more or less at the end: `pp` for `p`, `R` for `R1`. */
static bool
is_begun(const char *a, size_t n, const char *b, size_t m)
{
  return (n + 1 == m || m + 1 == n) && g_ascii_strncasecmp(a, b, MIN(n, m)) == 0;
}

void
dae_suggest_try(DaeSuggest *suggest, const char *candidate)
{
  size_t n = strlen(suggest->wrong);
  size_t m = strlen(candidate);
  if (n > LONGEST || m > LONGEST) {
    return;
  }
  size_t limit = is_begun(suggest->wrong, n, candidate, m) ? 3 : 1;
  limit = MAX(limit, 2 * (MAX(n, m) / 3));
  size_t distance = doubled_distance(suggest->wrong, n, candidate, m);
  if (distance <= limit && distance < suggest->distance) {
    suggest->distance = distance;
    suggest->best = candidate;
  }
}
