/* Differentiation as the offsets say, back to quasi-linear form after each order
 * [HoegerSteinbrecher, section 4.4; ScholzSteinbrecher, section 3].
 *
 * Everything lies in the reduced derivative array. Equation i differentiated o times belongs to
 * stage o - c_i of the Sigma-method [Pryce01]; what is made of several belongs to the latest of
 * their stages. Rows enter stage by stage, from -max c to 0, so that a row is only freed of its
 * derivatives by rows of its own or an earlier stage: then the constraint it becomes can be
 * differentiated as often as the offsets promise, once per stage that is left.
 *
 * The number of constraints must come out as n - dof. If it does not, and for
 * over-determined models, which have no such number, every constraint is differentiated and
 * every candidate tested until nothing new appears; each new one lowers the dimension of the
 * solution set, so that ends, too. */
#include "qlt/qlt-priv.h"

/* Up to this many unknowns the promise of the structure is checked at points. */
#define MAX_VERIFIED 300u

/* The identities of the model are left out: der(x) = v makes v a name for der(x) at every stage. */
int32_t
qlt_stage(const QltWork *work, const GArray *from)
{
  const int32_t *c = dae_sig_c(work->sig);
  int32_t stage = INT32_MIN;
  for (uint32_t k = 0; k < from->len; k++) {
    DaeQltOrigin origin = g_array_index(from, DaeQltOrigin, k);
    if (!work->is_identity[origin.equation]) {
      stage = MAX(stage, origin.order - c[origin.equation]);
    }
  }
  return stage;
}

static void
differentiate_constraint(QltWork *work, uint32_t i)
{
  QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
  constraint->is_differentiated = true;
  GArray *from = qlt_origin_differentiate(constraint->from);
  DaeTerm total = dae_term_total(work->terms, constraint->expression);
  QltRow *row = qlt_extract_row(work, qlt_rewrite(work, total), from);
  row->is_auxiliary = true;
  row->rank = QLT_NONE;
  uint32_t number = qlt_store_row(work, row);
  g_queue_push_tail(&work->pending, GUINT_TO_POINTER(number));
}

/* All constraints that are there, of a stage before `stage` (or any, in a checked run), and not
 * yet differentiated. false: there were none. */
static bool
differentiate_generation(QltWork *work, int32_t stage)
{
  uint32_t n = work->constraints->len;
  bool is_found = false;
  for (uint32_t i = 0; i < n; i++) {
    QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
    if (!constraint->is_differentiated &&
        (work->is_checked || qlt_stage(work, constraint->from) < stage)) {
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

/* Rows of the equations that enter at this stage. */
static void
enter_equations(QltWork *work, int32_t stage)
{
  for (uint32_t k = 0; k < work->waiting->len; k++) {
    uint32_t i = g_array_index(work->waiting, uint32_t, k);
    const QltRow *row = qlt_row(work, i);
    if (MAX(qlt_stage(work, row->from), work->first_stage) == stage) {
      g_queue_push_tail(&work->pending, GUINT_TO_POINTER(i));
    }
  }
}

/* All rows, those without derivatives first: where they say that a coefficient is zero (c = 0 in
 * c*der(x) = i) it is no pivot. */
static bool
enter_all_equations(QltWork *work, GError **error)
{
  for (int has_derivatives = 0; has_derivatives <= 1; has_derivatives++) {
    for (uint32_t k = 0; k < work->waiting->len; k++) {
      uint32_t i = g_array_index(work->waiting, uint32_t, k);
      if ((qlt_row(work, i)->n > 0) == (has_derivatives == 1)) {
        g_queue_push_tail(&work->pending, GUINT_TO_POINTER(i));
      }
    }
    if (!settle_and_judge(work, error)) {
      return false;
    }
  }
  return true;
}

static bool
close_by_stages(QltWork *work, GError **error)
{
  const int32_t *c = dae_sig_c(work->sig);
  for (uint32_t i = 0; i < dae_sig_n_rows(work->sig); i++) {
    work->first_stage = MIN(work->first_stage, -c[i]);
  }
  for (int32_t stage = work->first_stage; stage <= 0; stage++) {
    /* equations before derivatives of constraints: where both could be a pivot, E keeps its row */
    enter_equations(work, stage);
    do {
      if (!qlt_settle(work, error)) {
        return false;
      }
    } while (differentiate_generation(work, stage));
  }
  return true;
}

static bool
close_under_differentiation(QltWork *work, GError **error)
{
  bool is_growing = true;
  while (is_growing) {
    is_growing = differentiate_generation(work, 0);
    if (!settle_and_judge(work, error)) {
      return false;
    }
    if (work->constraints->len > work->columns->len) {
      g_set_error(error, DAE_ERROR, DAE_ERROR_UNDECIDED,
                  "%u constraints for %u unknowns, and it could not be decided which of them "
                  "are redundant; see 'daetool analyze'",
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

static bool
has_free_derivative(const QltWork *work)
{
  for (uint32_t j = 0; j < work->columns->len; j++) {
    if (qlt_column(work, j)->match == QLT_NONE) {
      return true;
    }
  }
  return false;
}

/* After the closure every constraint has been differentiated: a derivative without a row is
 * free, [E; h_x] has rank below n (eq. 7). */
static bool
every_derivative_is_determined(QltWork *work, GError **error)
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
  bool is_proved = qlt_is_proved_free(work);
  g_set_error(error, DAE_ERROR, is_proved ? DAE_ERROR_NEGATIVE : DAE_ERROR_UNDECIDED,
              is_proved ? "the equations do not determine %s%s"
                        : "it could not be decided whether the equations determine %s%s",
              names->str, count > 5 ? " and others" : "");
  return false;
}

bool
qlt_close(QltWork *work, GError **error)
{
  if (work->is_checked) {
    if (!enter_all_equations(work, error)) {
      return false;
    }
  } else {
    if (!close_by_stages(work, error)) {
      return false;
    }
    bool is_small = work->columns->len <= MAX_VERIFIED;
    if (has_expected_count(work) && !(is_small && qlt_numeric_is_singular(work))) {
      return true;
    }
    /* The structure promises something else: a coefficient is zero for the given parameter
     * values or on the solution set. From here on the algebra decides. */
    work->is_checked = true;
    if (!qlt_judge_constraints(work, 0, error)) {
      return false;
    }
  }
  bool is_growing = true;
  while (is_growing) {
    if (!close_under_differentiation(work, error) || !qlt_check_constraints(work, error)) {
      return false;
    }
    is_growing = has_free_derivative(work);
    if (is_growing && !qlt_add_radicals(work, &is_growing, error)) {
      return false;
    }
  }
  return every_derivative_is_determined(work, error);
}
