/* A structure may be that of one mode only: with `if b then der(x) = y else x = 2 + time` the
 * certificate is a point with b = true, and a model that starts with b = false begins with another
 * index and other degrees of freedom. Told where a factor of the determinant is 0 at the values
 * that the Booleans have at the start. */
#include "pipeline/pipeline-priv.h"

typedef struct {
  const DaeHybrid *hybrid;
  GHashTable *values; /* atom -> double */
} Start;

static bool
value_at_start(void *user, DaeTerm atom, double *value)
{
  const Start *start = user;
  const double *known = g_hash_table_lookup(start->values, GUINT_TO_POINTER(atom));
  *value = known != NULL ? *known : 0;
  return known != NULL;
}

/* Those that depend on nothing but each other; others are not known. */
static void
collect_values(DaeTerms *terms, Start *start)
{
  for (uint32_t i = 0; i < dae_hybrid_n_starts(start->hybrid); i++) {
    const DaeDiscreteStart *given = dae_hybrid_start(start->hybrid, i);
    const DaeDiscrete *discrete = dae_hybrid_discrete(start->hybrid, given->discrete);
    gpointer key = GUINT_TO_POINTER(given->is_pre ? discrete->pre : discrete->now);
    double value = 0;
    if (dae_term_eval_double(terms, given->value, value_at_start, start, &value) ==
        DAE_EVAL_OK) {
      g_hash_table_insert(start->values, key, g_memdup2(&value, sizeof value));
    } else {
      g_hash_table_remove(start->values, key);
    }
  }
}

static char *
name_mode(DaePipeline *pipeline, const Start *start, const GArray *atoms)
{
  GString *text = g_string_new(NULL);
  for (guint k = 0; k < atoms->len; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    double value = 0;
    if (value_at_start((void *)start, atom, &value)) {
      g_autofree char *name = dae_term_to_string(pipeline->terms, atom);
      g_string_append_printf(text, "%s%s = %s", text->len > 0 ? ", " : "", name,
                             value != 0 ? "true" : "false");
    }
  }
  return g_string_free(text, FALSE);
}

void
dae_pipeline_tell_starting_mode(DaePipeline *pipeline)
{
  const DaeSig *sig = pipeline->sig;
  uint32_t n = 0;
  const DaeTerm *factors = dae_sig_singular_when(sig, &n);
  Start start = {.hybrid = pipeline->hybrid};
  start.values = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  collect_values(pipeline->terms, &start);
  for (uint32_t i = 0; i < n && g_hash_table_size(start.values) > 0; i++) {
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    if (!dae_sig_vanishes_in_mode(sig, pipeline->algebra, factors[i], value_at_start, &start,
                                  atoms)) {
      continue;
    }
    g_autofree char *mode = name_mode(pipeline, &start, atoms);
    dae_report_warning(&pipeline->reporter,
                       "the structure is that of another mode than the one in which the model "
                       "starts: with %s the Jacobian is singular, and index and degrees of "
                       "freedom may be others",
                       mode);
    break;
  }
  g_hash_table_unref(start.values);
}
