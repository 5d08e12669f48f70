/* Independent check of a reduction: the constraints h are exactly the
 * projection of the derivative array.
 *   nothing missing:  at points with h = 0 the derivative array of the model as written has
 *                     a solution with these values;
 *   nothing invented: every h vanishes at numerical solutions of the derivative array. */
#ifndef TESTS_QLT_PROJECTION_H
#define TESTS_QLT_PROJECTION_H

#include "fixture.h"
#include "points.h"

static inline DaeTerm
with_values(Fixture *f, DaeSubst *values, DaeTerm t)
{
  DaeTerm result = dae_subst_apply(values, t);
  TEST_ASSERT_NOT_EQUAL(DAE_NO_TERM, result);
  (void)f;
  return result;
}

/* All equations of the model that was read, each differentiated as often as `orders` says. */
static inline GArray *
derivative_array(Fixture *f, DaeSubst *values, const int32_t *orders)
{
  GArray *rows = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < dae_model_n_equations(f->model); i++) {
    const DaeEquation *equation = dae_model_equation(f->model, i);
    DaeTerm t = with_values(f, values, dae_term_sub(f->terms, equation->lhs, equation->rhs));
    for (int32_t order = 0; order <= orders[i]; order++) {
      g_array_append_val(rows, t);
      t = dae_term_total(f->terms, t);
    }
  }
  return rows;
}

static inline GArray *
constraint_rows(Fixture *f, DaeSubst *values)
{
  GArray *rows = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < dae_qlt_n_constraints(f->qlt); i++) {
    DaeTerm t = with_values(f, values, dae_qlt_constraint(f->qlt, i)->expression);
    g_array_append_val(rows, t);
  }
  return rows;
}

/* The derivative of a model variable that unknown j of the reduced system is. */
static inline DaeTerm
meaning_of(Fixture *f, DaeSymbol symbol)
{
  for (uint32_t i = 0; i < dae_qlt_n_introduced(f->qlt); i++) {
    if (dae_qlt_introduced(f->qlt, i)->symbol == symbol) {
      return dae_qlt_introduced(f->qlt, i)->meaning;
    }
  }
  return dae_term_variable(f->terms, symbol, 0);
}

static inline double
start_of(Fixture *f, DaeSubst *values, DaeTerm atom)
{
  uint32_t j = 0;
  int64_t integer = 0;
  if (dae_term_order(f->terms, atom) > 0 ||
      !dae_model_find_variable(f->model, dae_term_get_symbol(f->terms, atom), &j)) {
    return 0;
  }
  DaeTerm start = dae_model_variable(f->model, j)->start;
  if (start == DAE_NO_TERM) {
    return 0;
  }
  start = dae_terms_rewrite(f->terms, with_values(f, values, start));
  if (dae_term_get_int64(f->terms, start, &integer)) {
    return (double)integer;
  }
  return dae_term_is_number(f->terms, start) ? dae_term_get_double(f->terms, start) : 0.5;
}

static inline void
set_random(Fixture *f, DaeSubst *values, System *s, uint32_t attempt)
{
  s->state = 4711u + 101u * attempt;
  for (uint32_t k = 0; k < s->unknowns->len; k++) {
    double start = start_of(f, values, g_array_index(s->unknowns, DaeTerm, k));
    if (!s->is_fixed[k]) {
      s->x[k] = start + 0.2 * (1 + 0.3 * attempt) * (1 + fabs(start)) * system_random(s);
    }
  }
}

/* Late points fail for models with fast sources and diodes (exp(35)), where doubles see
 * no rank: then a time near 0. */
static inline double
time_of(uint32_t attempt)
{
  return attempt < 6 ? 0.2 + 0.01 * attempt : 1e-6 * attempt;
}

static inline double
largest_value(const System *s)
{
  double largest = 0;
  for (uint32_t k = 0; k < s->unknowns->len; k++) {
    largest = fmax(largest, fabs(s->x[k]));
  }
  return largest;
}

/* Third derivatives of a 10 kHz source times diodes (ring modulator) span more digits
 * than a double has: no verdict. */
static inline bool
is_beyond_doubles(const System *s)
{
  return largest_value(s) > 1e10;
}

/* 1: checked, 0: no point found, -1: failed. */
static inline int
check_nothing_missing(Fixture *f, DaeSubst *values, const GArray *array)
{
  g_autoptr(GArray) rows = constraint_rows(f, values);
  System *h = system_new(f->terms, rows);
  System *a = system_new(f->terms, array);
  int verdict = 0;
  for (uint32_t attempt = 0; attempt < 12 && verdict < 1; attempt++) {
    uint32_t rank = 0;
    h->time = a->time = time_of(attempt);
    set_random(f, values, h, attempt);
    if (system_solve(h, &rank) > 1e-9) {
      continue;
    }
    memset(a->is_fixed, 0, a->unknowns->len);
    set_random(f, values, a, attempt);
    for (uint32_t j = 0; j < dae_qlt_n_unknowns(f->qlt); j++) {
      DaeSymbol symbol = dae_qlt_unknown(f->qlt, j);
      int from = system_find(h, dae_term_variable(f->terms, symbol, 0));
      int to = system_find(a, meaning_of(f, symbol));
      if (from >= 0 && to >= 0) {
        a->x[to] = h->x[from];
        a->is_fixed[to] = true;
      } else if (to >= 0) {
        a->is_fixed[to] = true; /* free in h: any value will do */
      }
    }
    double residual = system_solve(a, &rank);
    verdict = residual < 1e-7 ? 1 : residual == HUGE_VAL || is_beyond_doubles(a) ? verdict : -1;
  }
  system_free(h);
  system_free(a);
  return verdict;
}

static inline int
check_nothing_invented(Fixture *f, DaeSubst *values, const GArray *array)
{
  g_autoptr(GArray) rows = constraint_rows(f, values);
  System *h = system_new(f->terms, rows);
  System *a = system_new(f->terms, array);
  int verdict = 0;
  for (uint32_t attempt = 0; attempt < 12 && verdict == 0; attempt++) {
    uint32_t rank = 0;
    h->time = a->time = time_of(attempt);
    set_random(f, values, a, attempt);
    if (system_solve(a, &rank) > 1e-9 || largest_value(a) > 1e6) {
      continue; /* none, or on the way to infinity */
    }
    verdict = 1;
    for (uint32_t k = 0; k < h->unknowns->len; k++) {
      DaeSymbol symbol = dae_term_get_symbol(f->terms, g_array_index(h->unknowns, DaeTerm, k));
      int place = system_find(a, meaning_of(f, symbol));
      h->x[k] = place >= 0 ? a->x[place] : 0;
    }
    g_autofree double *jacobian =
        g_new(double, (size_t)(rows->len + 1) * (h->unknowns->len + 1));
    if (!system_evaluate(h, jacobian)) {
      verdict = 0;
      continue;
    }
    for (uint32_t i = 0; i < rows->len; i++) {
      double value = jacobian[(size_t)i * (h->unknowns->len + 1) + h->unknowns->len];
      if (fabs(value) > 1e-6) {
        g_autofree char *text =
            dae_term_to_string(f->terms, dae_qlt_constraint(f->qlt, i)->expression);
        printf("invented (%g): %s\n", value, text);
        verdict = -1;
      }
    }
  }
  system_free(h);
  system_free(a);
  return verdict;
}

/* Offsets of the model as written; for an over-determined or repaired
 * model the deepest level for all. */
static inline int32_t *
choose_orders(Fixture *f)
{
  uint32_t n = dae_model_n_equations(f->model);
  int32_t *orders = g_new0(int32_t, n + 1);
  bool is_plain =
      dae_sig_status(f->sig) == DAE_SIG_SUCCESS && n == dae_model_n_variables(f->model);
  for (uint32_t i = 0; i < n; i++) {
    orders[i] = is_plain ? dae_sig_c(f->sig)[i] : dae_qlt_max_level(f->qlt) + 2;
  }
  /* a Sigma-Jacobian that vanishes on the solution set promises too little:
   * then the reduction went further */
  for (uint32_t i = 0; i < dae_qlt_n_constraints(f->qlt); i++) {
    const DaeQltConstraint *constraint = dae_qlt_constraint(f->qlt, i);
    for (uint32_t k = 0; k < constraint->n_from; k++) {
      int32_t *order = &orders[constraint->from[k].equation];
      *order = MAX(*order, constraint->from[k].order);
    }
  }
  return orders;
}

/* Every column of [E; h_x] is needed and h_x has full row rank at a point on h (eqs. 6, 7). */
static inline bool
has_full_ranks(Fixture *f, DaeSubst *values, bool *is_checked)
{
  g_autoptr(GArray) h_rows = constraint_rows(f, values);
  System *h = system_new(f->terms, h_rows);
  uint32_t rank = 0;
  bool is_full = false;
  *is_checked = false;
  for (uint32_t attempt = 0; attempt < 12 && !is_full; attempt++) {
    h->time = time_of(attempt);
    set_random(f, values, h, attempt);
    if (system_solve(h, &rank) < 1e-9) {
      *is_checked = true;
      is_full = rank == h_rows->len;
    }
  }
  system_free(h);
  return is_full;
}

#endif
