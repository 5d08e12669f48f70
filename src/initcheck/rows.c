/* Rows of the elimination: made from premises or residuals, with the columns they stand in, and
 * ended as zero, in conflict, or under a condition on parameters. */
#include <math.h>

#include "initcheck/initcheck-priv.h"

void
ic_row_note_column(IcEngine *engine, uint32_t z, uint32_t r)
{
  if (engine->columns[z] == NULL) {
    engine->columns[z] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(engine->touched, z);
  }
  GArray *column = engine->columns[z];
  if (column->len == 0 || g_array_index(column, uint32_t, column->len - 1) != r) {
    g_array_append_val(column, r);
  }
}

static void
note_all_columns(IcEngine *engine, uint32_t r)
{
  const IcForm *form = &ic_engine_row(engine, r)->form;
  if (form->leaves->len == 0) {
    for (guint i = 0; i < form->entries->len; i++) {
      ic_row_note_column(engine, g_array_index(form->entries, IcEntry, i).z, r);
    }
    return;
  }
  g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  ic_form_unknowns(engine->sys, form, inside);
  for (guint i = 0; i < inside->len; i++) {
    ic_row_note_column(engine, g_array_index(inside, uint32_t, i), r);
  }
}

/* A division by zero in a branch that is not taken hurts nobody: that is no contradiction. */
static bool
has_branches(const IcEngine *engine, const IcRow *row)
{
  const IcPremise *premise = &g_array_index(engine->sys->premises, IcPremise, row->premise);
  return premise->residual != DAE_NO_TERM &&
         dae_algebra_outer_condition(engine->sys->algebra, premise->residual) != DAE_NO_TERM;
}

/* The side of the equation so much after the start, with the guesses for its unknowns. */
static bool
value_beside(IcSystem *sys, DaeTerm side, DaeTerm later, double *value)
{
  DaeTerm time = dae_term_add(sys->terms, sys->start_time, later);
  DaeTerm t = dae_term_replace(sys->terms, side, dae_term_time(sys->terms), time);
  return t != DAE_NO_TERM && ic_numeric_value(sys, t, value) && isfinite(*value);
}

/* sin(time)/time at 0: both sides have values beside the start, and these hardly change. Without
 * the limit that says nothing for the equation, but nothing against it either. */
static bool
is_hole(IcEngine *engine, const IcRow *row)
{
  IcSystem *sys = engine->sys;
  const IcPremise *premise = &g_array_index(sys->premises, IcPremise, row->premise);
  const DaeTerm sides[] = {premise->shown_lhs, premise->shown_rhs};
  const DaeTerm near = dae_term_ratio(sys->terms, 1, 10000);
  const DaeTerm far = dae_term_ratio(sys->terms, 1, 1000);
  bool is_bounded = premise->residual == DAE_NO_TERM;
  for (int k = 0; k < 2 && is_bounded; k++) {
    double a = 0;
    double b = 0;
    is_bounded = value_beside(sys, sides[k], near, &a) &&
                 value_beside(sys, sides[k], far, &b) && fabs(a - b) <= 1e-2 * (1 + fabs(b));
  }
  return is_bounded;
}

void
ic_row_set_undefined(IcEngine *engine, uint32_t r)
{
  IcRow *row = ic_engine_row(engine, r);
  if (has_branches(engine, row) || is_hole(engine, row)) {
    row->state = IC_ROW_STUCK;
    return;
  }
  const IcPremise *premise = &g_array_index(engine->sys->premises, IcPremise, row->premise);
  row->state = IC_ROW_CONFLICT;
  row->residual = DAE_NO_TERM;
  /* y = 1/time at 0: another equation for y would not help */
  row->takes_unknown = premise->residual != DAE_NO_TERM
                           ? ic_has_unknown(engine->sys, premise->residual)
                           : !premise->id.is_initial;
  uint32_t line = ic_engine_log(engine, r, IC_LINE_END, DAE_NO_TERM, DAE_NO_TERM);
  ic_engine_line(engine, line)->note = "division by zero";
}

static uint32_t
new_row(IcEngine *engine, uint32_t premise, bool passive, uint32_t line)
{
  IcRow row = {.premise = premise, .passive = passive, .line = line};
  ic_form_init(engine->sys, &row.form);
  row.pending = g_array_ref(engine->sys->no_subs);
  g_array_append_val(engine->rows, row);
  uint32_t r = engine->rows->len - 1;
  g_array_append_val(engine->active, r);
  return r;
}

uint32_t
ic_engine_add(IcEngine *engine, uint32_t premise, bool passive)
{
  const IcPremise *what = &g_array_index(engine->sys->premises, IcPremise, premise);
  uint32_t r = new_row(engine, premise, passive, IC_NONE);
  engine->used_values |= what->used_values;
  if (!ic_form_add_term(engine->sys, &ic_engine_row(engine, r)->form,
                        dae_term_int(engine->sys->terms, 1), what->residual)) {
    ic_row_set_undefined(engine, r);
    return r;
  }
  note_all_columns(engine, r);
  ic_engine_touch(engine, r);
  return r;
}

uint32_t
ic_engine_add_row(IcEngine *engine, uint32_t premise, uint32_t line, DaeTerm residual)
{
  uint32_t r = new_row(engine, premise, false, line);
  ic_engine_row(engine, r)->is_extra = true;
  if (ic_engine_set_residual(engine, r, residual)) {
    ic_engine_touch(engine, r);
  }
  return r;
}

bool
ic_engine_set_residual(IcEngine *engine, uint32_t r, DaeTerm residual)
{
  IcForm *form = &ic_engine_row(engine, r)->form;
  ic_form_reset(engine->sys, form);
  if (!ic_form_add_term(engine->sys, form, dae_term_int(engine->sys->terms, 1), residual)) {
    ic_row_set_undefined(engine, r);
    return false;
  }
  note_all_columns(engine, r);
  return true;
}

/* What must vanish, in the parameters, as a person would write it: the factors of the
 * numerator without repetition. */
static DaeTerm
condition_of(IcSystem *sys, DaeTerm residual)
{
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (!ic_is_constant_in_parameters(sys, residual)) {
    return DAE_NO_TERM;
  }
  if (!dae_algebra_factor(sys->algebra, residual, factors) || factors->len == 0) {
    return ic_tidy(sys, residual);
  }
  DaeTerm kept = dae_term_int(sys->terms, 1);
  for (guint i = 0; i < factors->len; i++) {
    DaeTerm factor = g_array_index(factors, DaeTerm, i);
    int sign = 0;
    if (!dae_algebra_sign(sys->algebra, factor, &sign) || sign == 0) {
      kept = dae_term_mul(sys->terms, kept, factor);
    }
  }
  return ic_tidy(sys, dae_term_is_number(sys->terms, kept) ? residual : kept);
}

static bool
has_parameter_without_value(IcSystem *sys, DaeTerm t)
{
  DaeTerm value = ic_at_values(sys, t);
  return value == DAE_NO_TERM || ic_is_constant_in_parameters(sys, value);
}

void
ic_engine_finish_row(IcEngine *engine, uint32_t r)
{
  IcSystem *sys = engine->sys;
  IcRow *row = ic_engine_row(engine, r);
  DaeTerm residual = row->form.rest;
  DaeTerm zero = dae_term_int(sys->terms, 0);
  row->residual = residual;
  DaeZero always = dae_algebra_is_zero(sys->algebra, residual);
  if (always == DAE_ZERO) {
    row->state = IC_ROW_ZERO;
    ic_engine_log(engine, r, IC_LINE_END, zero, zero);
    return;
  }
  DaeZero here = ic_zero_at_values(sys, residual);
  row->condition = condition_of(sys, residual);
  if (here == DAE_ZERO && ic_zero_as_declared(sys, residual)) {
    row->state = IC_ROW_ZERO;
    row->condition = DAE_NO_TERM;
    ic_engine_log(engine, r, IC_LINE_END, zero, zero);
    return;
  }
  if (here == DAE_ZERO) {
    row->state = IC_ROW_ZERO_GIVEN;
    engine->used_values = true;
    ic_engine_log(engine, r, IC_LINE_END, zero, residual);
    return;
  }
  bool is_open = row->condition != DAE_NO_TERM && has_parameter_without_value(sys, residual);
  if (here == DAE_UNKNOWN && !is_open && ic_settle_constant(engine, r, residual)) {
    return;
  }
  if (here == DAE_UNKNOWN || is_open) {
    row->state = IC_ROW_STUCK;
    return;
  }
  row->state = IC_ROW_CONFLICT;
  bool strict = false;
  bool is_never_zero = row->condition != DAE_NO_TERM &&
                       dae_algebra_definite(sys->algebra, residual, &strict) != 0 && strict;
  if (is_never_zero) { /* whatever the parameters are */
    row->condition = DAE_NO_TERM;
  }
  row->residual = ic_tidy(sys, is_never_zero ? residual : ic_at_values(sys, residual));
  if (dae_term_is_number(sys->terms, row->residual) &&
      dae_term_sign(sys->terms, row->residual) < 0) {
    row->residual = dae_term_neg(sys->terms, row->residual); /* 0 = -1 says the same as 0 = 1 */
  }
  engine->used_values |= row->condition != DAE_NO_TERM;
  ic_engine_log(engine, r, IC_LINE_END, zero, row->residual);
}
