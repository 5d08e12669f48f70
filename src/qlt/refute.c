/* A derivative that has no row after the closure is free, [E; h_x] has rank below n
 * [HoegerSteinbrecher, eq. 7]. That is a proof where elimination has kept what the equations say,
 * and where the rows that are left are independent. One real point with both is enough: around
 * it the constraints are a manifold, to which more than one vector field that keeps the rows is
 * tangent, so that more than one solution goes through it. The point is proved to exist
 * (algebra/solution.h), and every divisor is proved not to be zero at it. */
#include "algebra/solution.h"
#include "qlt/qlt-priv.h"

enum { DIGITS = 30 };

#define MOST_WORK 3e7 /* operations on balls of all points together */

typedef struct {
  QltWork *work;
  DaeSolution *solution;
  GArray *constraints; /* DaeTerm, at the values of the parameters */
  GArray *rows;        /* likewise: sum coefficient * der(column) - rhs */
  GArray *unknowns;    /* DaeTerm, by column */
  GArray *derivatives;
} Refutation;

static bool
append_at_values(Refutation *r, GArray *list, DaeTerm t)
{
  DaeTerm value = dae_subst_apply(r->work->values, t);
  if (value != DAE_NO_TERM) {
    g_array_append_val(list, value);
  }
  return value != DAE_NO_TERM;
}

static DaeTerm
residual_of_row(const QltWork *work, const QltRow *row)
{
  DaeTerms *terms = work->terms;
  DaeTerm sum = dae_term_neg(terms, row->rhs);
  for (uint32_t k = 0; k < row->n; k++) {
    DaeTerm x = dae_term_variable(terms, qlt_column(work, row->columns[k])->symbol, 1);
    sum = dae_term_add(terms, sum, dae_term_mul(terms, row->coefficients[k], x));
  }
  return sum;
}

static bool
collect_equations(Refutation *r)
{
  QltWork *work = r->work;
  bool ok = true;
  for (uint32_t i = 0; i < work->constraints->len && ok; i++) {
    const QltConstraint *constraint = g_ptr_array_index(work->constraints, i);
    ok = append_at_values(r, r->constraints, constraint->expression);
  }
  for (uint32_t i = 0; i < work->rows->len && ok; i++) {
    const QltRow *row = qlt_row(work, i);
    ok = !row->is_alive || append_at_values(r, r->rows, residual_of_row(work, row));
  }
  for (uint32_t j = 0; j < work->columns->len; j++) {
    DaeTerm x = dae_term_variable(work->terms, qlt_column(work, j)->symbol, 0);
    DaeTerm derivative = dae_term_variable(work->terms, qlt_column(work, j)->symbol, 1);
    g_array_append_val(r->unknowns, x);
    g_array_append_val(r->derivatives, derivative);
  }
  return ok;
}

/* ---- modes ------------------------------------------------------------------------------- */

/* Do the slopes of a term depend on discrete values? Then a point is about one of its modes. */
static bool
has_discrete_slopes(const QltWork *work, DaeTerm t)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) partials = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bool is_found = false;
  if (qlt_holds_discrete(work, t)) {
    dae_term_gradient(work->terms, t, variables, partials);
  }
  for (guint k = 0; k < partials->len && !is_found; k++) {
    is_found = qlt_holds_discrete(work, g_array_index(partials, DaeTerm, k));
  }
  return is_found;
}

static bool
depends_on_mode(const Refutation *r)
{
  const QltWork *work = r->work;
  bool is_found = false;
  for (guint k = 0; k < work->divisors->len && !is_found; k++) {
    is_found = qlt_holds_discrete(work, g_array_index(work->divisors, DaeTerm, k));
  }
  for (guint i = 0; i < r->constraints->len && !is_found; i++) {
    is_found = has_discrete_slopes(work, g_array_index(r->constraints, DaeTerm, i));
  }
  for (guint i = 0; i < r->rows->len && !is_found; i++) {
    is_found = has_discrete_slopes(work, g_array_index(r->rows, DaeTerm, i));
  }
  return is_found;
}

/* ---- the point --------------------------------------------------------------------------- */

static bool
set_symbols(Refutation *r, const GArray *equations, const QltPoint *point)
{
  DaeTerms *terms = r->work->terms;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bool ok = true;
  for (guint i = 0; i < equations->len; i++) {
    DaeTerm t = g_array_index(equations, DaeTerm, i);
    if (dae_term_has_parameters(terms, t)) {
      dae_term_collect_parameters(terms, t, atoms);
    }
  }
  for (guint k = 0; k < atoms->len && ok; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    double value = qlt_numeric_symbol(r->work, point, atom);
    ok = dae_solution_has(r->solution, atom) ||
         dae_solution_set(r->solution, atom, dae_term_from_double(terms, value));
  }
  return ok;
}

static bool
extend(Refutation *r, const GArray *equations, const GArray *unknowns, const double *near)
{
  const DaeStage stage = {.equations = (const DaeTerm *)(void *)equations->data,
                          .n_equations = equations->len,
                          .unknowns = (const DaeTerm *)(void *)unknowns->data,
                          .n_unknowns = unknowns->len,
                          .near = near};
  return equations->len < unknowns->len && dae_solution_extend(r->solution, &stage);
}

/* Both ranks are full at a point near this one, and no divisor is zero there. */
static bool
is_proved_at(Refutation *r, const QltPoint *point)
{
  DaeTerms *terms = r->work->terms;
  g_autofree double *slopes = g_new0(double, r->derivatives->len + 1);
  bool ok = dae_solution_set(r->solution, dae_term_time(terms),
                             dae_term_from_double(terms, point->time)) &&
            set_symbols(r, r->constraints, point) && set_symbols(r, r->rows, point) &&
            set_symbols(r, r->work->divisors, point) &&
            extend(r, r->constraints, r->unknowns, point->x) &&
            extend(r, r->rows, r->derivatives, slopes);
  for (guint k = 0; k < r->work->divisors->len && ok; k++) {
    DaeTerm divisor =
        dae_subst_apply(r->work->values, g_array_index(r->work->divisors, DaeTerm, k));
    ok = divisor != DAE_NO_TERM && dae_solution_excludes_zero(r->solution, divisor);
  }
  return ok;
}

static bool
find_proved_point(Refutation *r)
{
  double spent = 0;
  bool is_proved = false;
  for (uint32_t k = 0; k < QLT_STARTS && !is_proved && spent < MOST_WORK; k++) {
    QltPoint point = {.x = NULL};
    if (!qlt_numeric_point_from(r->work, (const DaeTerm *)(void *)r->constraints->data,
                                r->constraints->len, k, &point)) {
      continue;
    }
    r->solution = dae_solution_new(r->work->algebra, DIGITS);
    is_proved = is_proved_at(r, &point);
    spent += dae_solution_work(r->solution);
    g_clear_pointer(&r->solution, dae_solution_free);
    g_free(point.x);
  }
  return is_proved;
}

bool
qlt_is_proved_free(QltWork *work)
{
  if (work->has_numeric_drops || work->has_hidden_divisors) {
    return false;
  }
  g_autoptr(GArray) constraints = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) unknowns = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) derivatives = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  Refutation r = {.work = work,
                  .constraints = constraints,
                  .rows = rows,
                  .unknowns = unknowns,
                  .derivatives = derivatives};
  return collect_equations(&r) && !depends_on_mode(&r) && find_proved_point(&r);
}
