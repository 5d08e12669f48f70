/* Unknowns that a mode leaves open.
 *
 * Two brakes that hold one shaft: each says a = 0 and gives a torque for it. One equation is the
 * other once more, and only the sum of the torques is determined. Such a mode has a solution, as
 * many as there are ways to share the load, and all of them move the same way. One is taken: the
 * torque of one brake keeps the value that it had before.
 *
 * That is done only with a proof. Left null vectors of the Sigma-Jacobian in the mode combine its
 * equations, differentiated as the offsets say, to 0 = 0 exactly; so nothing hidden is missed. The
 * right null vectors touch no derivative, so that no state is left open, and unknowns that are
 * open and held leave none. Everything else stays refused (mode_structure.c).
 *
 * For each unknown that conditions can take out of all its equations the system has a row
 *     0 = flag*u - value
 * with segment values flag and value, both 0 where u is determined. */
#include "pipeline/mode_structure-priv.h"

#include <math.h>

/* Is there a branch without it? */
static bool
may_vanish(DaeTerms *terms, DaeTerm value)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, value);
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(terms, t, &n);
    for (uint32_t i = 1; i < n && dae_term_kind(terms, t) == DAE_KIND_IF; i++) {
      if (dae_term_is_number(terms, operands[i]) && dae_term_sign(terms, operands[i]) == 0) {
        return true;
      }
    }
    dae_visit_enter(visit, t);
  }
  return false;
}

/* Columns of undifferentiated unknowns all of whose entries may vanish. */
static void
find_open_columns(const DaeModeStructure *structure, DaeModeBlock *block, DaeTerms *terms)
{
  const DaeSigBlock *fine = dae_sig_fine(structure->sig, block->number);
  g_autofree uint8_t *stays = g_new0(uint8_t, fine->n_variables + 1);
  for (guint e = 0; e < block->entries->len; e++) {
    const DaeModeEntry *entry = &g_array_index(block->entries, DaeModeEntry, e);
    if (stays[entry->column] == 0 && !may_vanish(terms, entry->value)) {
      stays[entry->column] = 1;
    }
  }
  for (uint32_t k = 0; k < fine->n_variables; k++) {
    if (stays[k] == 0 && dae_sig_d(structure->sig)[fine->variables[k]] == 0) {
      g_array_append_val(block->open, k);
    }
  }
}

static DaeTerm
atom_of(const DaeProblem *problem, uint32_t variable)
{
  return dae_term_variable(dae_pipeline_terms(problem->pipeline),
                           dae_model_variable(problem->model, variable)->symbol, 0);
}

static bool
find_unknown(const DaeProblem *problem, DaeTerm atom, uint32_t *column)
{
  for (uint32_t j = 0; j < problem->unknowns->len; j++) {
    if (g_array_index(problem->unknowns, DaeTerm, j) == atom) {
      *column = j;
      return true;
    }
  }
  return false;
}

/* Those that were solved for are none. */
static void
keep_unknowns(const DaeModeStructure *structure, DaeModeBlock *block, const DaeProblem *problem)
{
  const DaeSigBlock *fine = dae_sig_fine(structure->sig, block->number);
  for (guint i = block->open->len; i-- > 0;) {
    uint32_t variable = fine->variables[g_array_index(block->open, uint32_t, i)];
    uint32_t column = 0;
    if (!find_unknown(problem, atom_of(problem, variable), &column)) {
      g_array_remove_index(block->open, i);
    }
  }
}

static DaeTerm
new_atom(DaeTerms *terms, const char *name)
{
  return dae_term_parameter(terms,
                            dae_terms_add_unlisted_symbol(terms, DAE_SYMBOL_PARAMETER, name));
}

/* 0 = flag*u - value */
static void
add_row(DaeProblem *problem, uint32_t column, DaeTerm unknown)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  uint8_t is_hidden = 0;
  DaeTerm flag = new_atom(terms, "open");
  DaeTerm value = new_atom(terms, "held");
  DaeTerm row = dae_term_sub(terms, dae_term_mul(terms, flag, unknown), value);
  g_array_append_val(problem->open_columns, column);
  g_array_append_val(problem->open_atoms, flag);
  g_array_append_val(problem->open_atoms, value);
  g_array_append_val(problem->constraints, row);
  g_array_append_val(problem->hidden, is_hidden);
}

/* An equation of the block as the Jacobian was made from it. */
static DaeTerm
residual_of(const DaeModeStructure *structure, DaeProblem *problem, uint32_t row)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  const DaeEquation *equation = dae_model_equation(problem->model, row);
  DaeTerm value =
      dae_subst_apply(problem->values, dae_term_sub(terms, equation->lhs, equation->rhs));
  if (value == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  value = dae_buffers_put_in(problem->buffers, dae_homotopy_take_actual(terms, value),
                             equation->span);
  for (int32_t k = 0; k < dae_sig_c(structure->sig)[row] && value != DAE_NO_TERM; k++) {
    value = dae_term_total(terms, value);
  }
  return value;
}

static bool
take_residuals(const DaeModeStructure *structure, DaeProblem *problem, DaeModeBlock *block)
{
  const DaeSigBlock *fine = dae_sig_fine(structure->sig, block->number);
  for (uint32_t k = 0; k < fine->n_equations; k++) {
    DaeTerm residual = residual_of(structure, problem, fine->equations[k]);
    if (residual == DAE_NO_TERM) {
      return false;
    }
    g_array_append_val(block->residuals, residual);
  }
  return true;
}

void
dae_mode_structure_add_open(DaeModeStructure *structure, DaeProblem *problem)
{
  /* one alone that the equations leave open can only be a mistake */
  enum { FEWEST = 2 };

  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  for (guint b = 0; structure != NULL && problem->buffers != NULL && b < structure->blocks->len;
       b++) {
    DaeModeBlock *block = g_ptr_array_index(structure->blocks, b);
    const DaeSigBlock *fine = dae_sig_fine(structure->sig, block->number);
    find_open_columns(structure, block, terms);
    if (block->open->len < FEWEST || !take_residuals(structure, problem, block)) {
      g_array_set_size(block->open, 0);
      continue;
    }
    keep_unknowns(structure, block, problem);
    block->first_open = problem->open_columns->len;
    if (problem->options.is_exported) {
      dae_mode_block_write_open(structure, block, problem);
    }
    for (guint i = 0; i < block->open->len; i++) {
      DaeTerm atom = atom_of(problem, fine->variables[g_array_index(block->open, uint32_t, i)]);
      uint32_t column = 0;
      bool found = find_unknown(problem, atom, &column);
      DAE_ASSERT(found);
      add_row(problem, column, atom);
    }
  }
}

/* ---- one mode ----------------------------------------------------------------------------- */

static void
find_residual_places(DaeModeBlock *block, const DaeProblem *problem)
{
  g_autoptr(GArray) terms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_vals(terms, block->residuals->data, block->residuals->len);
  for (guint e = 0; e < block->entries->len; e++) {
    g_array_append_val(terms, g_array_index(block->entries, DaeModeEntry, e).value);
  }
  dae_mode_find_places(problem, (const DaeTerm *)(void *)terms->data, terms->len,
                       block->residual_places);
}

/* Conditions and whole numbers are those of the mode, other values stay symbols. */
static bool
is_number_here(double value)
{
  enum { LARGEST = 1000 };

  return fabs(value) <= LARGEST && value == floor(value);
}

static GBytes *
key_of(const DaeModeBlock *block, const double *segment)
{
  g_autoptr(GArray) key = g_array_new(FALSE, FALSE, sizeof(double));
  for (guint i = 0; i < block->residual_places->len; i++) {
    double value = segment[g_array_index(block->residual_places, uint32_t, i)];
    value = is_number_here(value) ? value : 0.5;
    g_array_append_val(key, value);
  }
  return g_bytes_new(key->data, key->len * sizeof(double));
}

/* Does each left null vector combine the equations to 0 = 0? */
static bool
is_redundant(const DaeModeBlock *block, DaeAlgebra *algebra, DaeTerms *terms,
             const DaeMatrix *left, DaeSubst *values)
{
  for (uint32_t v = 0; v < left->n_rows; v++) {
    g_autofree DaeTerm *summands = g_new0(DaeTerm, left->n_columns + 1);
    for (uint32_t i = 0; i < left->n_columns; i++) {
      DaeTerm residual = dae_subst_apply(values, g_array_index(block->residuals, DaeTerm, i));
      if (residual == DAE_NO_TERM) {
        return false;
      }
      summands[i] = dae_term_mul(terms, left->entries[(size_t)v * left->n_columns + i],
                                 dae_terms_rewrite(terms, residual));
    }
    if (dae_algebra_is_zero(algebra, dae_term_sum(terms, summands, left->n_columns)) !=
        DAE_ZERO) {
      return false;
    }
  }
  return true;
}

/* No derivative of an unknown is left open. */
static bool
leaves_states_alone(const DaeModeStructure *structure, const DaeModeBlock *block,
                    DaeTerms *terms, const DaeMatrix *right)
{
  const DaeSigBlock *fine = dae_sig_fine(structure->sig, block->number);
  for (uint32_t v = 0; v < right->n_rows; v++) {
    for (uint32_t k = 0; k < right->n_columns; k++) {
      DaeTerm entry = right->entries[(size_t)v * right->n_columns + k];
      bool is_zero = dae_term_is_number(terms, entry) && dae_term_sign(terms, entry) == 0;
      if (!is_zero && dae_sig_d(structure->sig)[fine->variables[k]] > 0) {
        return false;
      }
    }
  }
  return true;
}

/* As many open columns as there are null vectors, so that no null vector is 0 on all of them; the
 * first that fit. False: there are not so many. */
static bool
choose_columns(const DaeModeBlock *block, DaeAlgebra *algebra, DaeTerms *terms,
               const DaeMatrix *right, GArray *chosen)
{
  uint32_t n = right->n_rows;
  g_autoptr(DaeMatrix) part = dae_matrix_new(terms, n, n);
  for (guint i = 0; i < block->open->len && chosen->len < n; i++) {
    uint32_t column = g_array_index(block->open, uint32_t, i);
    for (uint32_t v = 0; v < n; v++) {
      part->entries[(size_t)v * n + chosen->len] =
          right->entries[(size_t)v * right->n_columns + column];
    }
    bool certain = false;
    if (dae_algebra_rank(algebra, part, &certain) == chosen->len + 1) {
      uint32_t number = block->first_open + i;
      g_array_append_val(chosen, number);
    } else {
      for (uint32_t v = 0; v < n; v++) {
        part->entries[(size_t)v * n + chosen->len] = dae_term_int(terms, 0);
      }
    }
  }
  return chosen->len == n;
}

GArray *
dae_mode_block_open_with(const DaeModeStructure *structure, const DaeModeBlock *block,
                         const DaeProblem *problem, DaeSubst *values)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  DaeAlgebra *algebra = dae_pipeline_algebra(problem->pipeline);
  GArray *chosen = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(DaeMatrix) matrix = dae_mode_matrix(structure, block, terms, values);
  if (dae_algebra_is_regular(algebra, matrix)) {
    return chosen;
  }
  g_autoptr(GArray) assumed = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(DaeMatrix) left = dae_algebra_left_null(algebra, matrix, assumed);
  g_autoptr(DaeMatrix) right = dae_algebra_right_null(algebra, matrix, assumed);
  bool is_open = left != NULL && right != NULL && assumed->len == 0 && right->n_rows > 0 &&
                 left->n_rows == right->n_rows &&
                 leaves_states_alone(structure, block, terms, right) &&
                 is_redundant(block, algebra, terms, left, values) &&
                 choose_columns(block, algebra, terms, right, chosen);
  if (!is_open) {
    g_array_set_size(chosen, 0);
  }
  return chosen;
}

static GArray *
columns_in_mode(const DaeModeStructure *structure, const DaeModeBlock *block,
                const DaeProblem *problem, const double *segment)
{
  DaeTerms *terms = dae_pipeline_terms(problem->pipeline);
  g_autoptr(DaeSubst) values = dae_subst_new(terms);
  for (guint i = 0; i < block->residual_places->len; i++) {
    uint32_t p = g_array_index(block->residual_places, uint32_t, i);
    if (is_number_here(segment[p])) {
      dae_subst_set(values, problem->parts.segment[p], dae_term_from_double(terms, segment[p]));
    }
  }
  return dae_mode_block_open_with(structure, block, problem, values);
}

const GArray *
dae_mode_block_open(const DaeModeStructure *structure, DaeModeBlock *block,
                    const DaeProblem *problem, const double *segment)
{
  if (block->open->len == 0) {
    return NULL;
  }
  if (block->residual_places->len == 0) {
    find_residual_places(block, problem);
  }
  g_autoptr(GBytes) key = key_of(block, segment);
  GArray *columns = g_hash_table_lookup(block->open_modes, key);
  if (columns == NULL) {
    columns = columns_in_mode(structure, block, problem, segment);
    g_hash_table_insert(block->open_modes, g_steal_pointer(&key), columns);
  }
  return columns;
}

void
dae_mode_structure_find_open(DaeModeStructure *structure, const DaeProblem *problem,
                             const double *segment, uint8_t *is_open)
{
  for (guint b = 0; b < structure->blocks->len; b++) {
    const GArray *columns = dae_mode_block_open(
        structure, g_ptr_array_index(structure->blocks, b), problem, segment);
    for (guint i = 0; columns != NULL && i < columns->len; i++) {
      is_open[g_array_index(columns, uint32_t, i)] = 1;
    }
  }
}
