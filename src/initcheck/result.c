/* The verdict object, read by check-init, simulate and the library. */
#include <limits.h>

#include "initcheck/initcheck-priv.h"

void
dae_init_free(DaeInit *init)
{
  if (init == NULL) {
    return;
  }
  g_array_unref(init->redundant);
  g_array_unref(init->conflicts);
  g_array_unref(init->undetermined);
  g_array_unref(init->suggested);
  g_array_unref(init->conditions);
  g_array_unref(init->assumptions);
  g_array_unref(init->within);
  g_array_unref(init->matchings);
  if (init->dot != NULL) {
    g_string_free(init->dot, TRUE);
  }
  g_free(init->why);
  g_clear_pointer(&init->values, g_hash_table_unref);
  g_free(init);
}

DaeInitVerdict
dae_init_verdict(const DaeInit *init)
{
  return init->verdict;
}

const char *
dae_init_verdict_name(DaeInitVerdict verdict)
{
  switch (verdict) {
  case DAE_INIT_WELL_DETERMINED:
    return "well-determined";
  case DAE_INIT_CONSISTENT:
    return "consistent";
  case DAE_INIT_INCONSISTENT:
    return "inconsistent";
  case DAE_INIT_UNDER_DETERMINED:
    return "under-determined";
  case DAE_INIT_MIXED:
    return "mixed";
  case DAE_INIT_UNDECIDED:
    return "undecided";
  }
  return "undecided";
}

static void
append_count(GString *out, const char *before, int64_t n, const char *one, const char *many)
{
  g_string_append_printf(out, "%s%" G_GINT64_FORMAT " %s", before, n, n == 1 ? one : many);
}

char *
dae_init_summary(const DaeInit *init)
{
  GString *out = g_string_new(NULL);
  uint32_t n_parameters = init->n_free_parameters - init->n_discrete_starts;
  append_count(out, "", init->n_initial, "initial equation", "initial equations");
  append_count(out, " for ", init->dof, "degree of freedom", "degrees of freedom");
  if (n_parameters > 0) {
    append_count(out, init->n_discrete_starts > 0 ? ", " : " and ", n_parameters,
                 "free parameter", "free parameters");
  }
  if (init->n_discrete_starts > 0) {
    append_count(out, " and ", init->n_discrete_starts, "discrete variable",
                 "discrete variables");
  }
  g_string_append_printf(out, ": %s", dae_init_verdict_name(init->verdict));
  if (init->redundant->len > 0) {
    g_string_append_printf(out, ", %u redundant", init->redundant->len);
  }
  if (init->conflicts->len > 0) {
    g_string_append_printf(out, ", %u conflict%s", init->conflicts->len,
                           init->conflicts->len == 1 ? "" : "s");
  }
  if (init->missing > 0 && init->verdict != DAE_INIT_UNDECIDED) {
    g_string_append_printf(out, ", %u missing", init->missing);
  }
  return g_string_free(out, FALSE);
}

bool
dae_init_is_numeric(const DaeInit *init)
{
  return init->is_numeric;
}

bool
dae_init_holds_for_all_parameters(const DaeInit *init)
{
  return init->holds_for_all;
}

int64_t
dae_init_potential_states(const DaeInit *init)
{
  return init->potential_states;
}

int64_t
dae_init_dof(const DaeInit *init)
{
  return init->dof;
}

uint32_t
dae_init_n_initial_equations(const DaeInit *init)
{
  return init->n_initial;
}

uint32_t
dae_init_missing(const DaeInit *init)
{
  return init->verdict == DAE_INIT_UNDECIDED ? 0 : init->missing;
}

uint32_t
dae_init_n_redundant(const DaeInit *init)
{
  return init->redundant->len;
}

const DaeInitRedundant *
dae_init_redundant(const DaeInit *init, uint32_t i)
{
  return &g_array_index(init->redundant, DaeInitRedundant, i);
}

uint32_t
dae_init_n_conflicts(const DaeInit *init)
{
  return init->conflicts->len;
}

const DaeInitConflict *
dae_init_conflict(const DaeInit *init, uint32_t i)
{
  return &g_array_index(init->conflicts, DaeInitConflict, i);
}

uint32_t
dae_init_n_undetermined(const DaeInit *init)
{
  return init->undetermined->len;
}

DaeTerm
dae_init_undetermined(const DaeInit *init, uint32_t i)
{
  return g_array_index(init->undetermined, DaeTerm, i);
}

uint32_t
dae_init_n_suggested(const DaeInit *init)
{
  return init->suggested->len;
}

DaeTerm
dae_init_suggested(const DaeInit *init, uint32_t i)
{
  return g_array_index(init->suggested, DaeTerm, i);
}

uint32_t
dae_init_n_assumptions(const DaeInit *init)
{
  return init->assumptions->len;
}

DaeTerm
dae_init_assumption(const DaeInit *init, uint32_t i)
{
  return g_array_index(init->assumptions, DaeTerm, i);
}

uint32_t
dae_init_n_within(const DaeInit *init)
{
  return init->within->len;
}

DaeTerm
dae_init_within(const DaeInit *init, uint32_t i)
{
  return g_array_index(init->within, DaeTerm, i);
}

uint32_t
dae_init_n_conditions(const DaeInit *init)
{
  return init->conditions->len;
}

DaeTerm
dae_init_condition(const DaeInit *init, uint32_t i)
{
  return g_array_index(init->conditions, DaeTerm, i);
}

uint32_t
dae_init_n_matchings(const DaeInit *init)
{
  return init->matchings->len;
}

const DaeInitMatching *
dae_init_matching(const DaeInit *init, uint32_t i)
{
  return &g_array_index(init->matchings, DaeInitMatching, i);
}

DaeProofs
dae_init_proofs(const DaeInit *init)
{
  return (DaeProofs){
      .redundant = (const DaeInitRedundant *)(void *)init->redundant->data,
      .n_redundant = init->redundant->len,
      .conflicts = (const DaeInitConflict *)(void *)init->conflicts->data,
      .n_conflicts = init->conflicts->len,
  };
}

void
dae_init_reduced_size(const DaeInit *init, uint32_t *n_unknowns, uint32_t *n_equations)
{
  *n_unknowns = init->reduced_unknowns;
  *n_equations = init->reduced_equations;
}

static void
add_precision(const DaeInitStep *steps, uint32_t n, DaeInitPrecision *out)
{
  for (uint32_t s = 0; s < n; s++) {
    const DaeInitNumeric *numeric = steps[s].numeric;
    if (numeric == NULL) {
      continue;
    }
    out->digits = out->digits == 0 ? numeric->digits : MIN(out->digits, numeric->digits);
    out->radius = MAX(out->radius, numeric->radius);
    if (!numeric->excludes_zero) {
      out->below = MAX(out->below, numeric->below);
      out->has_zero = true;
    }
  }
}

bool
dae_init_precision(const DaeInit *init, DaeInitPrecision *precision)
{
  *precision = (DaeInitPrecision){.radius = INT_MIN, .below = INT_MIN};
  for (uint32_t i = 0; i < init->redundant->len; i++) {
    const DaeInitRedundant *item = dae_init_redundant(init, i);
    add_precision(item->steps, item->n_steps, precision);
  }
  for (uint32_t i = 0; i < init->conflicts->len; i++) {
    const DaeInitConflict *item = dae_init_conflict(init, i);
    add_precision(item->steps, item->n_steps, precision);
  }
  return precision->digits > 0;
}

uint32_t
dae_init_n_implicit(const DaeInit *init)
{
  return init->n_implicit;
}

bool
dae_init_existence_is_proved(const DaeInit *init, int *radius)
{
  *radius = init->radius;
  return init->n_existence_open == 0;
}

const char *
dae_init_undecided_why(const DaeInit *init)
{
  return init->why;
}

void
dae_init_write_dot(const DaeInit *init, DaeTerms *terms, GString *out)
{
  (void)terms; /* the names are in the text already */
  if (init->dot != NULL) {
    g_string_append(out, init->dot->str);
  }
}
