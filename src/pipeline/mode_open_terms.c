/* Which unknowns modes leave open, as terms: exported C has no algebra at hand that could prove it
 * when a mode comes (mode_open.c), so all modes of a block are looked at beforehand.
 *
 * A mode is here what the conditions of the equations are, true or false: 2^k of k conditions,
 * also those that never occur. The answer of each is proved as simulate does it. */
#include "pipeline/mode_structure-priv.h"

/* Blocks with more conditions have no row for open unknowns: such a mode is singular in C. */
enum { MOST_CONDITIONS = 10 };

static bool
is_choice(void *user, const DaeTerms *terms, DaeTerm t)
{
  (void)user;
  return dae_term_kind(terms, t) == DAE_KIND_IF;
}

static void
add_conditions(const DaeTerms *terms, DaeTerm t, GArray *conditions, GHashTable *found)
{
  g_autoptr(GArray) choices = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_nodes(terms, t, is_choice, NULL, choices);
  for (guint i = 0; i < choices->len; i++) {
    DaeTerm condition = dae_term_operand(terms, g_array_index(choices, DaeTerm, i), 0);
    if (g_hash_table_add(found, GUINT_TO_POINTER(condition))) {
      g_array_append_val(conditions, condition);
    }
  }
}

/* (transfer full) */
static GArray *
conditions_of(const DaeModeBlock *block, const DaeTerms *terms)
{
  GArray *conditions = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) found = g_hash_table_new(NULL, NULL);
  for (guint i = 0; i < block->residuals->len; i++) {
    add_conditions(terms, g_array_index(block->residuals, DaeTerm, i), conditions, found);
  }
  for (guint e = 0; e < block->entries->len; e++) {
    add_conditions(terms, g_array_index(block->entries, DaeModeEntry, e).value, conditions,
                   found);
  }
  return conditions;
}

/* is_open[m*n + i]: does mode m, with bit k for condition k, leave column i of n open? */
static void
look_at_modes(const DaeModeStructure *structure, const DaeModeBlock *block,
              const DaeProblem *problem, const GArray *conditions, uint8_t *is_open)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (uint32_t mode = 0; mode < 1u << conditions->len; mode++) {
    g_autoptr(DaeSubst) values = dae_subst_new(terms);
    for (guint k = 0; k < conditions->len; k++) {
      dae_subst_set(values, g_array_index(conditions, DaeTerm, k),
                    dae_term_bool(terms, (mode >> k & 1u) != 0));
    }
    g_autoptr(GArray) columns = dae_mode_block_open_with(structure, block, problem, values);
    for (guint i = 0; i < columns->len; i++) {
      uint32_t column = g_array_index(columns, uint32_t, i) - block->first_open;
      is_open[(size_t)mode * block->open->len + column] = 1;
    }
  }
}

/* A decision for each condition; equal branches are one. */
static DaeTerm
decision(DaeTerms *terms, const GArray *conditions, const uint8_t *is_open, guint n)
{
  uint32_t n_modes = 1u << conditions->len;
  g_autofree DaeTerm *answers = g_new0(DaeTerm, n_modes);
  for (uint32_t mode = 0; mode < n_modes; mode++) {
    answers[mode] = dae_term_int(terms, is_open[(size_t)mode * n]);
  }
  for (guint k = conditions->len; k-- > 0;) {
    for (uint32_t mode = 0; mode < 1u << k; mode++) {
      DaeTerm yes = answers[mode | 1u << k];
      answers[mode] =
          yes == answers[mode]
              ? yes
              : dae_term_if(terms, g_array_index(conditions, DaeTerm, k), yes, answers[mode]);
    }
  }
  return answers[0];
}

void
dae_mode_block_write_open(const DaeModeStructure *structure, DaeModeBlock *block,
                          DaeProblem *problem)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(GArray) conditions = conditions_of(block, terms);
  guint n = block->open->len;
  if (conditions->len > MOST_CONDITIONS) {
    g_array_set_size(block->open, 0);
    return;
  }
  g_autofree uint8_t *is_open = g_new0(uint8_t, ((size_t)n << conditions->len) + 1);
  look_at_modes(structure, block, problem, conditions, is_open);
  g_autoptr(GArray) kept = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (guint i = 0; i < n; i++) {
    DaeTerm answer = decision(terms, conditions, is_open + i, n);
    if (!dae_term_is_zero(terms, answer)) {
      g_array_append_val(kept, g_array_index(block->open, uint32_t, i));
      g_array_append_val(problem->open_terms, answer);
    }
  }
  g_array_set_size(block->open, 0);
  g_array_append_vals(block->open, kept->data, kept->len);
}
