/* Where variables without a written start value are likely to be: equations and initial equations
 * in which all but one variable have a value give that one, again and again. Fixed starts come
 * first, what they and the initial equations imply second, other written starts last: the energy
 * of a gas follows from its temperature, not from the default 0. Guesses only; nothing is proved
 * of them. */
#include <math.h>

#include "base/base.h"
#include "structural/sig-priv.h"

enum { N_SECANT = 30 };

typedef struct {
  DaeTerm residual;
  uint32_t n_open; /* variables of order 0 that have no value yet */
  bool is_out;     /* derivatives or discrete values occur, or it has served */
} Row;

typedef struct {
  DaeSig *sig;
  DaeTerms *terms;
  double *guess;    /* by column; NAN: none */
  GArray *rows;     /* Row */
  GArray **rows_of; /* by column: uint32_t; NULL: none */
  GArray *ready;    /* uint32_t: rows with one open variable */
  double time;
} Propagation;

static bool
value_of(void *user, DaeTerm atom, double *value)
{
  const Propagation *p = user;
  uint32_t j = 0;
  if (dae_term_kind(p->terms, atom) == DAE_KIND_TIME) {
    *value = p->time;
    return true;
  }
  if (!dae_model_find_variable(p->sig->model, dae_term_get_symbol(p->terms, atom), &j) ||
      isnan(p->guess[j])) {
    return false;
  }
  *value = p->guess[j];
  return true;
}

static bool
residual_at(Propagation *p, DaeTerm residual, uint32_t j, double x, double *value)
{
  p->guess[j] = x;
  bool ok = dae_term_eval_double(p->terms, residual, value_of, p, value) == DAE_EVAL_OK &&
            isfinite(*value);
  p->guess[j] = NAN;
  return ok;
}

/* A zero in x_j by the secant method, from the written start or 1. */
static double
zero_in(Propagation *p, DaeTerm residual, uint32_t j)
{
  double start = 0.0;
  DaeTerm written = dae_model_variable(p->sig->model, j)->start;
  bool has_start = written != DAE_NO_TERM && dae_sig_number_at_values(p->sig, written, &start);
  double a = has_start ? start : 1.0;
  double b = a + 0.01 * fmax(fabs(a), 1.0);
  double at_a = 0.0;
  double at_b = 0.0;
  if (!residual_at(p, residual, j, a, &at_a) || !residual_at(p, residual, j, b, &at_b)) {
    return NAN;
  }
  double first = fmax(fabs(at_a), fabs(at_b));
  for (int k = 0; k < N_SECANT && at_b != 0.0; k++) {
    if (at_a == at_b) {
      return NAN;
    }
    double next = b - at_b * (b - a) / (at_b - at_a);
    a = b;
    at_a = at_b;
    b = next;
    if (!isfinite(b) || !residual_at(p, residual, j, b, &at_b)) {
      return NAN;
    }
    if (fabs(b - a) <= 1e-12 * fabs(b)) {
      break;
    }
  }
  return fabs(at_b) <= 1e-6 * first ? b : NAN;
}

static void
set_guess(Propagation *p, uint32_t j, double value)
{
  p->guess[j] = value;
  for (guint k = 0; p->rows_of[j] != NULL && k < p->rows_of[j]->len; k++) {
    uint32_t r = g_array_index(p->rows_of[j], uint32_t, k);
    Row *row = &g_array_index(p->rows, Row, r);
    if (--row->n_open == 1 && !row->is_out) {
      g_array_append_val(p->ready, r);
    }
  }
}

static void
add_row(Propagation *p, const DaeEquation *equation)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  Row row = {.residual = dae_term_sub(p->terms, equation->lhs, equation->rhs)};
  row.residual =
      row.residual == DAE_NO_TERM ? DAE_NO_TERM : dae_sig_at_values(p->sig, row.residual);
  if (row.residual == DAE_NO_TERM || dae_term_has_parameters(p->terms, row.residual)) {
    return;
  }
  dae_term_collect_variables(p->terms, row.residual, atoms);
  for (guint k = 0; k < atoms->len; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    uint32_t j = 0;
    if (dae_term_order(p->terms, atom) > 0 ||
        !dae_model_find_variable(p->sig->model, dae_term_get_symbol(p->terms, atom), &j)) {
      return;
    }
  }
  uint32_t r = p->rows->len;
  row.n_open = atoms->len;
  for (guint k = 0; k < atoms->len; k++) {
    uint32_t j = 0;
    dae_model_find_variable(
        p->sig->model, dae_term_get_symbol(p->terms, g_array_index(atoms, DaeTerm, k)), &j);
    if (p->rows_of[j] == NULL) {
      p->rows_of[j] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    g_array_append_val(p->rows_of[j], r);
  }
  g_array_append_val(p->rows, row);
  if (row.n_open == 1) {
    g_array_append_val(p->ready, r);
  }
}

/* The variable of the row that has no value. */
static bool
open_variable(Propagation *p, const Row *row, uint32_t *j)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(p->terms, row->residual, atoms);
  for (guint k = 0; k < atoms->len; k++) {
    DaeSymbol symbol = dae_term_get_symbol(p->terms, g_array_index(atoms, DaeTerm, k));
    if (dae_model_find_variable(p->sig->model, symbol, j) && isnan(p->guess[*j])) {
      return true;
    }
  }
  return false;
}

static void
propagate(Propagation *p)
{
  for (guint k = 0; k < p->ready->len; k++) {
    Row *row = &g_array_index(p->rows, Row, g_array_index(p->ready, uint32_t, k));
    uint32_t j = 0;
    if (row->is_out || row->n_open != 1 || !open_variable(p, row, &j)) {
      continue;
    }
    row->is_out = true;
    double value = zero_in(p, row->residual, j);
    if (!isnan(value)) {
      set_guess(p, j, value);
    }
  }
  g_array_set_size(p->ready, 0);
}

static void
take_starts(Propagation *p, bool only_fixed)
{
  const DaeModel *model = p->sig->model;
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    const DaeVariable *variable = dae_model_variable(model, j);
    double start = 0.0;
    if (isnan(p->guess[j]) && (variable->fixed || !only_fixed) &&
        variable->start != DAE_NO_TERM &&
        dae_sig_number_at_values(p->sig, variable->start, &start)) {
      set_guess(p, j, start);
    }
  }
}

double *
dae_sig_guesses(DaeSig *sig)
{
  const DaeModel *model = sig->model;
  uint32_t n = dae_model_n_variables(model);
  double start = dae_model_experiment(model)->start;
  Propagation p = {.sig = sig,
                   .terms = sig->terms,
                   .guess = g_new(double, (size_t)n + 1),
                   .rows = g_array_new(FALSE, FALSE, sizeof(Row)),
                   .rows_of = g_new0(GArray *, (size_t)n + 1),
                   .ready = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                   .time = isnan(start) ? 0.0 : start};
  for (uint32_t j = 0; j < n; j++) {
    p.guess[j] = NAN;
  }
  for (uint32_t k = 0; k < dae_model_n_initial_equations(model); k++) {
    add_row(&p, dae_model_initial_equation(model, k));
  }
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    add_row(&p, dae_model_equation(model, i));
  }
  take_starts(&p, true);
  propagate(&p);
  take_starts(&p, false);
  propagate(&p);
  for (uint32_t j = 0; j < n; j++) {
    if (p.rows_of[j] != NULL) {
      g_array_free(p.rows_of[j], TRUE);
    }
  }
  g_free(p.rows_of);
  g_array_free(p.rows, TRUE);
  g_array_free(p.ready, TRUE);
  return p.guess;
}
