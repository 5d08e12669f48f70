/* Redundant or contradictory? A conversion keeps the solutions, so what it brings to light
 * was in the system as written. */
#include "base/base.h"
#include "structural/repair-priv.h"

enum { MOST_RELATIONS = 12 };

static void
append_equation_list(GString *out, const GArray *origins)
{
  g_string_append(out, origins->len == 1 ? "equation" : "equations");
  for (guint k = 0; k < origins->len; k++) {
    const char *between = k == 0 ? "" : k + 1 < origins->len ? "," : " and";
    g_string_append_printf(out, "%s %u", between, g_array_index(origins, uint32_t, k));
  }
}

void
dae_ill_posed_from_constant(const DaeRepair *repair, DaeTerm residual, const GArray *rows,
                            DaeIllPosed *ill_posed)
{
  DaeTerms *terms = repair->terms;
  DaeZero zero = dae_algebra_is_zero(repair->algebra, residual);
  g_autoptr(GString) text = g_string_new(NULL);
  bool only_for_values = false;
  if (zero == DAE_NONZERO && dae_term_is_parametric(terms, residual) &&
      !dae_term_is_number(terms, residual)) {
    /* parameters decide: with the given values it may still be 0 = 0 */
    g_autoptr(DaeSubst) values = dae_model_parameter_subst(repair->first->model, terms);
    DaeTerm value = dae_subst_apply(values, residual);
    zero = value == DAE_NO_TERM ? DAE_UNKNOWN : dae_algebra_is_zero(repair->algebra, value);
    only_for_values = true;
  }
  ill_posed->origins = dae_repair_join_origins(repair, rows);
  ill_posed->is_contradictory = zero == DAE_NONZERO;
  append_equation_list(text, ill_posed->origins);
  g_string_append(text, zero == DAE_ZERO ? " are redundant: combined they give 0 = "
                        : zero == DAE_NONZERO
                            ? " contradict each other: combined they give 0 = "
                            : " are dependent: combined they give 0 = ");
  dae_term_print_limited(terms, residual, text, 200);
  if (only_for_values) {
    g_string_append(text, " (with the given parameter values)");
  }
  ill_posed->reason = g_string_free(g_steal_pointer(&text), FALSE);
}

/* Sigma as it is now, with the rows that were replaced in this round. */
static DaeCsr *
current_matrix(const DaeRepair *repair)
{
  size_t nnz = 0;
  for (guint i = 0; i < repair->rows->len; i++) {
    nnz += ((GArray *)g_ptr_array_index(repair->rows, i))->len;
  }
  DaeCsr *csr = dae_csr_new(repair->rows->len, repair->sig->sigma.csr->n_columns, nnz, true);
  size_t at = 0;
  for (guint i = 0; i < repair->rows->len; i++) {
    const GArray *row = g_ptr_array_index(repair->rows, i);
    for (guint k = 0; k < row->len; k++) {
      csr->column[at] = g_array_index(row, DaeSigmaEntry, k).column;
      csr->weight[at++] = g_array_index(row, DaeSigmaEntry, k).order;
    }
    csr->start[i + 1] = at;
  }
  return csr;
}

/* The residuals of these rows, with parameters and one moment of time put in if wanted: what
 * contradicts itself there has no solution. False if that is not possible. */
static bool
collect_relations(const DaeRepair *repair, const GArray *rows, bool at_values,
                  GArray *relations)
{
  DaeTerms *terms = repair->terms;
  g_autoptr(DaeSubst) values = dae_model_parameter_subst(repair->first->model, terms);
  dae_subst_set(values, dae_term_time(terms),
                dae_term_ratio(terms, 37, 11)); /* any moment but a special one */
  for (guint k = 0; k < rows->len; k++) {
    DaeTerm t = g_array_index(repair->residuals, DaeTerm, g_array_index(rows, uint32_t, k));
    t = at_values ? dae_subst_apply(values, t) : t;
    if (t == DAE_NO_TERM) {
      return false;
    }
    g_array_append_val(relations, t);
  }
  return true;
}

/* Do the excess equations contradict each other, or does one follow from the others? */
static DaeZero
contradiction_among(const DaeRepair *repair, const GArray *rows, bool *is_redundant)
{
  DaeTerm one = dae_term_int(repair->terms, 1);
  DaeZero answer = DAE_UNKNOWN;
  *is_redundant = false;
  for (int at_values = 0; at_values < 2 && rows->len <= MOST_RELATIONS; at_values++) {
    g_autoptr(GArray) relations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    if (!collect_relations(repair, rows, at_values == 1, relations)) {
      continue;
    }
    const DaeTerm *all = (const DaeTerm *)(void *)relations->data;
    answer = dae_algebra_is_zero_modulo(repair->algebra, one, all, relations->len);
    for (guint k = 0; answer != DAE_ZERO && k < relations->len && !*is_redundant; k++) {
      g_autoptr(GArray) others = g_array_copy(relations);
      g_array_remove_index(others, k);
      *is_redundant = dae_algebra_is_zero_modulo(repair->algebra, all[k],
                                                 (const DaeTerm *)(void *)others->data,
                                                 others->len) == DAE_ZERO;
    }
    if (answer == DAE_ZERO || *is_redundant) {
      break;
    }
  }
  return answer;
}

void
dae_ill_posed_from_excess(const DaeRepair *repair, DaeIllPosed *ill_posed)
{
  g_autoptr(DaeCsr) csr = current_matrix(repair);
  g_autofree uint32_t *mate_of_row = g_new(uint32_t, (size_t)csr->n_rows + 1);
  g_autofree uint32_t *mate_of_column = g_new(uint32_t, (size_t)csr->n_columns + 1);
  g_autofree int64_t *c = g_new(int64_t, (size_t)csr->n_rows + 1);
  g_autofree int64_t *d = g_new(int64_t, (size_t)csr->n_columns + 1);
  DaePart over;
  DaePart under;
  DaePart excess;
  DAE_ASSERT(!dae_graph_match(csr, mate_of_row, mate_of_column, c, d, NULL));
  dae_graph_dulmage_mendelsohn(csr, mate_of_row, mate_of_column, &over, &under);
  dae_graph_smallest_excess(csr, &over, &excess);
  bool is_redundant = false;
  DaeZero contradiction = contradiction_among(repair, excess.rows, &is_redundant);
  g_autoptr(GString) text = g_string_new(NULL);
  ill_posed->origins = dae_repair_join_origins(repair, excess.rows);
  ill_posed->is_contradictory = contradiction == DAE_ZERO;
  append_equation_list(text, ill_posed->origins);
  if (ill_posed->is_contradictory) {
    g_string_append(text, " contradict each other");
  } else if (is_redundant) {
    g_string_append(text, " are redundant: one of them follows from the others");
  } else {
    g_string_append(text, " are too many for the variables they determine");
  }
  g_string_append_printf(text, "; rewritten, %u of them are left with %u variable%s",
                         excess.rows->len, excess.columns->len,
                         excess.columns->len == 1 ? "" : "s");
  ill_posed->reason = g_string_free(g_steal_pointer(&text), FALSE);
  dae_part_clear(&over);
  dae_part_clear(&under);
  dae_part_clear(&excess);
}
