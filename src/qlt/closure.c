/* Differentiation as the offsets say, back to quasi-linear form after each order [HoegerSteinbrecher, section 4.4;
 * ScholzSteinbrecher, section 3].
 *
 * Everything lies in the reduced derivative array: a constraint made of equations i differentiated o_i times is
 * differentiated again only if o_i < c_i for all of them. Its derivative has one more order everywhere, so each chain
 * of differentiations is finite. The number of constraints must come out as n - dof: if it does not, and for
 * over-determined models, which have no such number, every constraint is differentiated and every candidate tested
 * until nothing new appears; each new one lowers the dimension of the solution set, so that ends, too. */
#include "qlt/qlt-priv.h"

bool
qlt_is_within_offsets(const QltWork *work, const GArray *from)
{
  const int32_t *c = dae_sig_c(work->sig);
  for (uint32_t k = 0; k < from->len; k++) {
    DaeQltOrigin origin = g_array_index(from, DaeQltOrigin, k);
    if (origin.order >= c[origin.equation]) {
      return false;
    }
  }
  return true;
}

static void
differentiate_constraint(QltWork *work, uint32_t i)
{
  QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
  constraint->is_differentiated = true;
  if (!work->is_checked && !qlt_is_within_offsets(work, constraint->from)) {
    return;
  }
  GArray *from = qlt_origin_differentiate(constraint->from);
  DaeTerm total = dae_term_total(work->terms, constraint->expression);
  QltRow *row = qlt_extract_row(work, qlt_rewrite(work, total), from);
  row->is_auxiliary = true;
  row->rank = QLT_NONE;
  uint32_t number = qlt_store_row(work, row);
  g_queue_push_tail(&work->pending, GUINT_TO_POINTER(number));
}

/* One generation: all constraints that are there and not yet differentiated. false: there were none. */
static bool
differentiate_generation(QltWork *work)
{
  uint32_t n = work->constraints->len;
  bool is_found = false;
  for (uint32_t i = 0; i < n; i++) {
    QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
    if (!constraint->is_differentiated) {
      differentiate_constraint(work, i);
      is_found = true;
    }
  }
  return is_found;
}

/* Settles the pending rows; in a checked run the constraints that came of it are judged. */
static bool
settle_and_judge(QltWork *work, GError **error)
{
  uint32_t n = work->constraints->len;
  return qlt_settle(work, error) &&
         (!work->is_checked || qlt_judge_constraints(work, n, error));
}

static bool
close_under_differentiation(QltWork *work, GError **error)
{
  bool is_growing = true;
  while (is_growing) {
    is_growing = differentiate_generation(work);
    if (!settle_and_judge(work, error)) {
      return false;
    }
    if (work->constraints->len > work->columns->len) {
      g_set_error(error, DAE_ERROR, DAE_ERROR_UNDECIDED,
                  "%u constraints for %u unknowns, and it could not be decided which of them "
                  "are redundant",
                  work->constraints->len, work->columns->len);
      return false;
    }
    if (work->is_checked && !is_growing) {
      qlt_check_blocks(work, &is_growing);
      if (!settle_and_judge(work, error)) {
        return false;
      }
    }
  }
  return true;
}

static bool
has_expected_count(const QltWork *work)
{
  int64_t expected = (int64_t)work->columns->len - dae_sig_dof(work->sig);
  return work->constraints->len == expected;
}

/* After the closure every constraint has been differentiated: a derivative without a row is free, [E; h_x] has
 * rank below n (eq. 7). */
static bool
every_derivative_is_determined(const QltWork *work, GError **error)
{
  g_autoptr(GString) names = g_string_new(NULL);
  uint32_t count = 0;
  for (uint32_t j = 0; j < work->columns->len; j++) {
    const QltColumn *column = qlt_column(work, j);
    if (column->match == QLT_NONE && ++count <= 5) {
      g_string_append_printf(names, "%s%s", count == 1 ? "" : ", ",
                             dae_terms_symbol_name(work->terms, column->symbol));
    }
  }
  if (count == 0) {
    return true;
  }
  g_set_error(error, DAE_ERROR, DAE_ERROR_NEGATIVE, "the equations do not determine %s%s",
              names->str, count > 5 ? " and others" : "");
  return false;
}

bool
qlt_close(QltWork *work, GError **error)
{
  if (!work->is_checked) {
    if (!close_under_differentiation(work, error)) {
      return false;
    }
    if (has_expected_count(work)) {
      return true;
    }
    /* The structure promises another number: a coefficient is zero for the given parameter values or on the
     * solution set. From here on the algebra decides. */
    for (uint32_t i = 0; i < work->constraints->len; i++) {
      QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
      constraint->is_differentiated = qlt_is_within_offsets(work, constraint->from);
    }
    work->is_checked = true;
    if (!qlt_judge_constraints(work, 0, error)) {
      return false;
    }
  }
  return close_under_differentiation(work, error) && qlt_check_constraints(work, error) &&
         every_derivative_is_determined(work, error);
}
