#include "cli/variables.h"

#include <string.h>

#include "base/suggest.h"

/* ---- patterns ---------------------------------------------------------------------------- */

/* One subscript of a pattern, "2", "1:3", ":" or "*", against a number;
 * *p and *name go behind both. */
static bool
fit_subscript(const char **p, const char **name)
{
  char *end = NULL;
  guint64 value = g_ascii_strtoull(*name, &end, 10);
  if (end == *name) {
    return false;
  }
  *name = end;
  guint64 low = 0;
  guint64 high = G_MAXUINT64;
  if (**p == '*') {
    (*p)++;
    return true;
  }
  if (g_ascii_isdigit(**p)) {
    low = high = g_ascii_strtoull(*p, &end, 10);
    *p = end;
  }
  if (**p == ':') {
    (*p)++;
    high = G_MAXUINT64;
    if (g_ascii_isdigit(**p)) {
      high = g_ascii_strtoull(*p, &end, 10);
      *p = end;
    }
  }
  return low <= value && value <= high;
}

/* [1:3, 2] against [2,2]. */
static bool
fit_subscripts(const char **p, const char **name)
{
  for (;;) {
    (*p)++;
    (*name)++;
    while (**p == ' ') {
      (*p)++;
    }
    if (!fit_subscript(p, name)) {
      return false;
    }
    while (**p == ' ') {
      (*p)++;
    }
    if (**p != **name || (**p != ',' && **p != ']')) {
      return false;
    }
    if (**p == ']') {
      (*p)++;
      (*name)++;
      return true;
    }
  }
}

/* The usual matching with one place to return to: the last star. */
bool
dae_variables_fit(const char *pattern, const char *name)
{
  const char *star = NULL;
  const char *back = NULL;
  while (*name != '\0') {
    const char *p = pattern;
    const char *n = name;
    if (*pattern == '*') {
      star = pattern++;
      back = name;
    } else if (*pattern == '[' && *name == '[' && fit_subscripts(&p, &n)) {
      pattern = p;
      name = n;
    } else if (*pattern == *name || (*pattern == '?' && *name != '\0')) {
      pattern++;
      name++;
    } else if (star != NULL) {
      pattern = star + 1;
      name = ++back;
    } else {
      return false;
    }
  }
  while (*pattern == '*') {
    pattern++;
  }
  return *pattern == '\0';
}

/* ---- lists ------------------------------------------------------------------------------- */

/* Commas outside brackets and quotes divide the list. */
static GPtrArray *
split_list(const char *list)
{
  GPtrArray *items = g_ptr_array_new_with_free_func(g_free);
  const char *begin = list;
  bool is_quoted = false;
  guint depth = 0;
  for (const char *p = list;; p++) {
    is_quoted = is_quoted != (*p == '\'');
    depth += !is_quoted && *p == '[';
    depth -= !is_quoted && *p == ']' && depth > 0;
    if (*p == '\0' || (*p == ',' && depth == 0 && !is_quoted)) {
      char *item = g_strndup(begin, (gsize)(p - begin));
      g_ptr_array_add(items, g_strstrip(item));
      begin = p + 1;
    }
    if (*p == '\0') {
      return items;
    }
  }
}

static bool
take(GHashTable *taken, uint32_t k, GArray *chosen)
{
  if (g_hash_table_add(taken, GUINT_TO_POINTER(k + 1))) {
    g_array_append_val(chosen, k);
  }
  return true;
}

static bool
take_fitting(const DaeProblem *problem, const DaeExtras *extras, const char *item,
             GHashTable *taken, GArray *chosen)
{
  bool found = false;
  uint32_t n = dae_problem_n_results(problem);
  for (uint32_t k = 0; k < n; k++) {
    if (dae_variables_fit(item, dae_problem_result_name(problem, k))) {
      found = take(taken, k, chosen);
    }
  }
  bool is_variable = found;
  for (uint32_t i = 0; !is_variable && extras != NULL && i < dae_extras_n(extras); i++) {
    if (dae_variables_fit(item, dae_extras_at(extras, i)->name)) {
      found = take(taken, n + i, chosen);
    }
  }
  return found;
}

static void
complain(DaeCli *cli, const char *option, const DaeProblem *problem, const DaeExtras *extras,
         const char *item)
{
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, item);
  for (uint32_t k = 0; k < dae_problem_n_results(problem); k++) {
    dae_suggest_try(&suggest, dae_problem_result_name(problem, k));
  }
  for (uint32_t i = 0; extras != NULL && i < dae_extras_n(extras); i++) {
    dae_suggest_try(&suggest, dae_extras_at(extras, i)->name);
  }
  bool is_pattern = strpbrk(item, "*?:") != NULL;
  dae_cli_usage(cli, "--%s: %s '%s'%s%s%s", option,
                is_pattern ? "no variable fits" : "the model has no variable", item,
                suggest.best != NULL ? "; did you mean '" : "",
                suggest.best != NULL ? suggest.best : "", suggest.best != NULL ? "'?" : "");
}

bool
dae_variables_choose(DaeCli *cli, const char *option, const DaeProblem *problem,
                     const DaeExtras *extras, const char *list, GArray *chosen)
{
  g_autoptr(GPtrArray) items = split_list(list);
  g_autoptr(GHashTable) taken = g_hash_table_new(NULL, NULL);
  for (guint i = 0; i < items->len; i++) {
    if (!take_fitting(problem, extras, g_ptr_array_index(items, i), taken, chosen)) {
      complain(cli, option, problem, extras, g_ptr_array_index(items, i));
      return false;
    }
  }
  return true;
}
