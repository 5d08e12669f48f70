/* Start values that the search found, for simulate: from the last line to the first, since a
 * solution speaks of unknowns that were solved later. Unknowns of regular blocks come from
 * their enclosures, what is free from its guess. */
#include <math.h>

#include "initcheck/initcheck-priv.h"
#include "terms/routines.h"

typedef struct {
  IcSystem *sys;
  double *value;
  bool *is_known;
  bool is_outside; /* something has no finite value although all that it is made of has */
} Values;

static bool
atom_value(void *user, DaeTerm atom, double *value)
{
  const Values *values = user;
  gpointer z = g_hash_table_lookup(values->sys->index, GUINT_TO_POINTER(atom));
  if (z != NULL) {
    *value = values->value[GPOINTER_TO_UINT(z) - 1];
    return values->is_known[GPOINTER_TO_UINT(z) - 1];
  }
  return ic_numeric_value(values->sys, atom, value);
}

/* Functions that are only known by name have their values at run time. */
static bool
calls_unknown_routine(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  dae_term_collect_routines(terms, t, numbers);
  for (guint k = 0; k < numbers->len; k++) {
    if (!dae_terms_routine_has_values(terms, g_array_index(numbers, uint32_t, k))) {
      return true;
    }
  }
  return false;
}

static bool
number(void *user, DaeTerm t, double *value)
{
  Values *values = user;
  DaeEvalStatus status = dae_term_eval_double(values->sys->terms, t, atom_value, values, value);
  bool is_finite = status == DAE_EVAL_OK && isfinite(*value);
  bool is_outside = status == DAE_EVAL_DOMAIN || (status == DAE_EVAL_OK && !is_finite);
  values->is_outside |= is_outside && !calls_unknown_routine(values->sys->terms, t);
  return is_finite;
}

static bool
form_value(Values *values, const IcForm *form, double *sum)
{
  bool ok = number(values, form->rest, sum);
  for (guint i = 0; i < form->entries->len && ok; i++) {
    const IcEntry *entry = &g_array_index(form->entries, IcEntry, i);
    double c = 0.0;
    ok = values->is_known[entry->z] && number(values, entry->c, &c);
    *sum += ok ? c * values->value[entry->z] : 0.0;
  }
  for (guint i = 0; i < form->leaves->len && ok; i++) {
    const IcLeaf *leaf = &g_array_index(form->leaves, IcLeaf, i);
    double c = 0.0;
    double x = 0.0;
    ok = number(values, leaf->c, &c) && number(values, leaf->leaf, &x);
    *sum += c * x;
  }
  return ok && isfinite(*sum);
}

void
ic_note_point(IcEngine *engine, DaeTerm atom, double value)
{
  if (engine->point == NULL) {
    engine->point = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  }
  g_hash_table_insert(engine->point, GUINT_TO_POINTER(atom), g_memdup2(&value, sizeof value));
}

/* Unknowns that no line solves: of a regular block, or free. */
static void
set_others(Values *values, const IcEngine *engine)
{
  IcSystem *sys = values->sys;
  for (uint32_t z = 0; z < sys->unknowns->len; z++) {
    if (engine->solved_by[z] != IC_NONE ||
        g_array_binary_search(engine->square, &z, ic_compare_numbers, NULL)) {
      continue;
    }
    DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
    const double *found = engine->point == NULL
                              ? NULL
                              : g_hash_table_lookup(engine->point, GUINT_TO_POINTER(atom));
    values->value[z] = found != NULL ? *found : ic_guess(sys, z);
    values->is_known[z] = true;
  }
}

uint32_t
ic_record_values(IcEngine *engine, DaeInit *init)
{
  IcSystem *sys = engine->sys;
  uint32_t undefined = IC_NONE;
  g_autofree double *value = g_new0(double, sys->unknowns->len + 1);
  g_autofree bool *is_known = g_new0(bool, sys->unknowns->len + 1);
  Values values = {sys, value, is_known, false};
  set_others(&values, engine);
  for (guint l = engine->lines->len; l-- > 0;) {
    const IcLine *line = ic_engine_line(engine, l);
    if (line->z != IC_NONE && engine->solved_by[line->z] == l && line->solution != NULL) {
      is_known[line->z] = form_value(&values, line->solution, &value[line->z]);
      undefined = values.is_outside && undefined == IC_NONE ? l : undefined;
    }
  }
  ic_square_values(engine, number, &values, value, is_known);
  init->values = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  for (uint32_t z = 0; z < sys->unknowns->len; z++) {
    if (is_known[z]) {
      DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
      g_hash_table_insert(init->values, GUINT_TO_POINTER(atom),
                          g_memdup2(&value[z], sizeof(double)));
    }
  }
  return undefined;
}

bool
dae_init_value(const DaeInit *init, DaeTerm atom, double *value)
{
  const double *found =
      init->values == NULL ? NULL : g_hash_table_lookup(init->values, GUINT_TO_POINTER(atom));
  *value = found == NULL ? 0.0 : *found;
  return found != NULL;
}
