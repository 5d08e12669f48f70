/* Is an annotated inverse one? Functions of libraries are often smoothed around zero on both sides
 * by formulas that do not fit together: f(g(y)) is then near y, not y. Values of y around zero are
 * tried; the time is 1, and so is what no equation gives. Large values are not: outside of its
 * range a function has no inverse. */
#include <math.h>

#include "model/flat.h"
#include "reader/inverse.h"

#define MOST_NESTED 40u

typedef struct {
  DaeReader *reader;
  GHashTable *values; /* atom -> double *; NULL: under way */
  DaeTerm result;     /* stands for y */
  double y;
  uint32_t depth;
} Trial;

static bool atom_at(void *user, DaeTerm atom, double *value);

/* What an equation `v = e` says of the variable; 1 where none does. */
static double
find_value(Trial *trial, DaeTerm atom)
{
  const GArray *equations = trial->reader->result->equations;
  double value = 1;
  for (uint32_t i = 0; i < equations->len && trial->depth < MOST_NESTED; i++) {
    const DaeEquation *equation = &g_array_index(equations, DaeEquation, i);
    if (equation->lhs == atom) {
      trial->depth++;
      DaeEvalStatus status =
          dae_term_eval_double(trial->reader->terms, equation->rhs, atom_at, trial, &value);
      trial->depth--;
      return status == DAE_EVAL_OK ? value : 1;
    }
  }
  return value;
}

static double
value_of(Trial *trial, DaeTerm atom)
{
  gpointer key = GUINT_TO_POINTER(atom);
  gpointer found = NULL;
  if (!g_hash_table_lookup_extended(trial->values, key, NULL, &found)) {
    g_hash_table_insert(trial->values, key, NULL);
    double value = find_value(trial, atom);
    found = g_memdup2(&value, sizeof value);
    g_hash_table_insert(trial->values, key, found);
  }
  return found != NULL ? *(const double *)found : 1;
}

static bool
atom_at(void *user, DaeTerm atom, double *value)
{
  Trial *trial = user;
  DaeKind kind = dae_term_kind(trial->reader->terms, atom);
  *value = 1;
  if (atom == trial->result) {
    *value = trial->y;
  } else if (kind == DAE_KIND_VARIABLE) {
    *value = value_of(trial, atom);
  } else if (kind == DAE_KIND_PARAMETER && !dae_reader_double(trial->reader, atom, value)) {
    *value = 1;
  }
  return true;
}

static bool
fails_at(Trial *trial, DaeTerm f, double y)
{
  double value = y;
  trial->y = y;
  return dae_term_eval_double(trial->reader->terms, f, atom_at, trial, &value) == DAE_EVAL_OK &&
         !(fabs(value - y) <=
           DAE_INVERSE_RELATIVE * (fabs(value) + fabs(y)) + DAE_INVERSE_ABSOLUTE);
}

bool
dae_inverse_is_refuted(DaeReader *reader, DaeTerm f, DaeTerm result)
{
  Trial trial = {.reader = reader, .result = result};
  trial.values = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  bool fails = fails_at(&trial, f, 0);
  for (int size = -6; size <= 0 && !fails; size++) {
    double y = 1.25 * pow(10, size);
    fails = fails_at(&trial, f, y) || fails_at(&trial, f, -y);
  }
  g_hash_table_destroy(trial.values);
  return fails;
}
