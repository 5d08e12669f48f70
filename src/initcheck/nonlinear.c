/* Rows that no linear pivot solves: identities are found zero, factors that cannot vanish are
 * divided out, and an unknown that occurs linearly with a coefficient that cannot vanish is
 * solved for. This is where the paper's "0/0, try another matching" goes away: a coefficient is
 * only divided by when it is known to be nonzero [OchelBachmannCasella, step 7]. */
#include "initcheck/initcheck-priv.h"

/* Is t the same as a known nonzero fact up to a factor that does not vanish? */
static bool
is_fact(IcEngine *engine, DaeTerm factor)
{
  IcSystem *sys = engine->sys;
  for (guint i = 0; i < MIN(engine->facts->len, 64);
       i++) { /* in large models the first ones will do */
    DaeTerm fact = g_array_index(engine->facts, DaeTerm, i);
    bool is_assumed = i >= sys->domain->len; /* by a split: leaves no trace in the lines */
    if (fact == factor) {
      engine->used_assumption |= is_assumed;
      return true;
    }
    DaeTerm reduced = ic_engine_reduce(engine, fact, NULL);
    if (reduced == DAE_NO_TERM || !ic_has_unknown(sys, reduced)) {
      continue;
    }
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    if (!dae_algebra_factor(sys->algebra, reduced, parts)) {
      continue;
    }
    for (guint k = 0; k < parts->len; k++) { /* a product is nonzero: so is each factor */
      DaeTerm part = g_array_index(parts, DaeTerm, k);
      if (part == factor || dae_algebra_equal(sys->algebra, part, factor) ||
          dae_algebra_equal(sys->algebra, dae_term_neg(sys->terms, part), factor)) {
        engine->used_assumption |= is_assumed;
        return true;
      }
    }
  }
  return false;
}

void
ic_note_divided(IcEngine *engine, DaeTerm t)
{
  if (!dae_term_is_number(engine->sys->terms, t)) {
    g_array_append_val(engine->divided, t);
  }
}

static bool
factor_is_nonzero(IcEngine *engine, DaeTerm factor)
{
  IcSystem *sys = engine->sys;
  int sign = 0;
  if (!ic_has_unknown(sys, factor)) {
    ic_note_divided(engine, factor);
    return ic_zero_at_values(sys, factor) == DAE_NONZERO;
  }
  if (dae_algebra_sign(sys->algebra, factor, &sign)) {
    return sign != 0;
  }
  if (ic_range_excludes_zero(sys, factor) || ic_has_no_real_zero(sys, factor)) {
    return true;
  }
  DaeTerm value = ic_at_values(sys, factor);
  if (value != DAE_NO_TERM && value != factor &&
      ((dae_algebra_sign(sys->algebra, value, &sign) && sign != 0) ||
       ic_range_excludes_zero(sys, value))) {
    engine->used_values = true;
    return true;
  }
  return is_fact(engine, factor);
}

bool
ic_known_nonzero(IcEngine *engine, DaeTerm t)
{
  IcSystem *sys = engine->sys;
  if (!ic_has_unknown(sys, t)) {
    ic_note_divided(engine, t);
    return ic_zero_at_values(sys, t) == DAE_NONZERO;
  }
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (!dae_algebra_factor(sys->algebra, t, factors)) {
    return factor_is_nonzero(engine, t);
  }
  for (guint i = 0; i < factors->len; i++) {
    if (!factor_is_nonzero(engine, g_array_index(factors, DaeTerm, i))) {
      return false;
    }
  }
  return true;
}

void
ic_end_row(IcEngine *engine, uint32_t r, IcRowState state, DaeTerm residual)
{
  IcRow *row = ic_engine_row(engine, r);
  DaeTerm zero = dae_term_int(engine->sys->terms, 0);
  row->state = state;
  row->residual = residual;
  row->takes_unknown = state == IC_ROW_CONFLICT && ic_has_unknown(engine->sys, residual);
  ic_engine_log(engine, r, IC_LINE_END, zero, state == IC_ROW_ZERO ? zero : residual);
}

/* Factors of the numerator that may vanish; false: out of budget. */
static bool
vanishing_factors(IcEngine *engine, DaeTerm numerator, GArray *kept)
{
  IcSystem *sys = engine->sys;
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (!dae_algebra_factor(sys->algebra, numerator, factors)) {
    return false;
  }
  for (guint i = 0; i < factors->len; i++) {
    DaeTerm factor = g_array_index(factors, DaeTerm, i);
    if (!factor_is_nonzero(engine, factor)) {
      g_array_append_val(kept, factor);
    }
  }
  return true;
}

/* t as a sum of squares that vanishes nowhere, parameters as symbols first; or DAE_NO_TERM. */
static DaeTerm
as_squares(IcEngine *engine, DaeTerm t)
{
  IcSystem *sys = engine->sys;
  DaeTerm squares = dae_algebra_squares(sys->algebra, t);
  DaeTerm value = squares == DAE_NO_TERM ? ic_at_values(sys, t) : DAE_NO_TERM;
  if (value != DAE_NO_TERM && value != t) {
    squares = dae_algebra_squares(sys->algebra, value);
    engine->used_values |= squares != DAE_NO_TERM;
  }
  return squares;
}

/* The row in its simplest shape. true: the row changed or ended. */
static bool
strip_row(IcEngine *engine, uint32_t r, DaeTerm t)
{
  IcSystem *sys = engine->sys;
  DaeTerm numerator = DAE_NO_TERM;
  DaeTerm denominator = DAE_NO_TERM;
  if (!dae_algebra_fraction(sys->algebra, t, &numerator, &denominator)) {
    return false;
  }
  g_autoptr(GArray) kept = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (!vanishing_factors(engine, numerator, kept)) {
    return false;
  }
  if (kept->len == 0) {
    DaeTerm shown = ic_at_values(sys, t);
    ic_end_row(engine, r, IC_ROW_CONFLICT, ic_tidy(sys, shown == DAE_NO_TERM ? t : shown));
    return true;
  }
  DaeTerm squares = ic_unknowns_inside(sys, t)->len > 1 ? as_squares(engine, t) : DAE_NO_TERM;
  if (squares != DAE_NO_TERM) {
    ic_end_row(engine, r, IC_ROW_CONFLICT, squares);
    return true;
  }
  DaeTerm product =
      dae_term_product(sys->terms, (const DaeTerm *)(void *)kept->data, kept->len);
  if (product == t || product == dae_term_neg(sys->terms, t)) {
    return false;
  }
  IcForm shape;
  ic_form_init(sys, &shape);
  bool is_defined = ic_form_add_term(sys, &shape, dae_term_int(sys->terms, 1), product);
  DaeTerm again = is_defined ? ic_form_term(sys, &shape) : DAE_NO_TERM;
  ic_form_clear(&shape);
  if (again == DAE_NO_TERM || again == t || again == dae_term_neg(sys->terms, t)) {
    return false;
  }
  uint32_t line = ic_engine_log(engine, r, IC_LINE_SCALE, product, dae_term_int(sys->terms, 0));
  DaeTerm factor = dae_term_div(sys->terms, t, product);
  if (factor != DAE_NO_TERM) {
    ic_engine_line(engine, line)->factors = g_new(DaeTerm, 1);
    ic_engine_line(engine, line)->factors[0] = ic_tidy(sys, factor);
  }
  if (ic_engine_set_residual(engine, r, product)) {
    /* factors of algebraic numbers are not unique: the shape that comes of it is kept */
    ic_engine_row(engine, r)->stripped = ic_form_term(sys, &ic_engine_row(engine, r)->form);
    ic_engine_touch(engine, r);
  }
  return true;
}

/* A pivot a*z + b = 0 with unknowns in a, where a cannot vanish. */
static bool
solve_with_nonzero_coefficient(IcEngine *engine, uint32_t r, DaeTerm t)
{
  IcSystem *sys = engine->sys;
  const GArray *inside = ic_unknowns_inside(sys, t);
  for (guint i = 0; i < inside->len; i++) {
    uint32_t z = g_array_index(inside, uint32_t, i);
    DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
    DaeTerm a = DAE_NO_TERM;
    DaeTerm b = DAE_NO_TERM;
    if (!dae_algebra_linear_in(sys->algebra, t, atom, &a, &b) ||
        dae_algebra_is_zero(sys->algebra, a) != DAE_NONZERO || !ic_known_nonzero(engine, a)) {
      continue;
    }
    DaeTerm expr = dae_term_div(sys->terms, dae_term_neg(sys->terms, b), a);
    expr = expr == DAE_NO_TERM ? DAE_NO_TERM : ic_tidy(sys, expr);
    if (expr != DAE_NO_TERM && !dae_term_contains(sys->terms, expr, atom)) {
      ic_engine_pivot(engine, r, z, expr, IC_LINE_SOLVE, NULL);
      return true;
    }
  }
  return false;
}

/* Factoring and solving pay for short rows; long ones are left to the question
 * whether their block is regular. */
bool
ic_is_small(IcSystem *sys, DaeTerm t)
{
  return ic_unknowns_inside(sys, t)->len <= 12 && dae_term_size(sys->terms, t) <= 120;
}

bool
ic_look_at_row(IcEngine *engine, uint32_t r)
{
  IcSystem *sys = engine->sys;
  IcRow *row = ic_engine_row(engine, r);
  DaeTerm t = ic_form_term(sys, &row->form);
  if (dae_algebra_is_zero(sys->algebra, t) == DAE_ZERO) {
    ic_end_row(engine, r, IC_ROW_ZERO, t);
    return true;
  }
  if (!ic_is_small(sys, t)) {
    return false;
  }
  if (t != row->stripped && strip_row(engine, r, t)) {
    return true;
  }
  return !row->passive && solve_with_nonzero_coefficient(engine, r, t);
}

/* Measure: the number of active rows that were not tried in their present shape; a change of
 * shape either removes factors, or solves an unknown. */
bool
ic_nonlinear_step(IcEngine *engine)
{
  uint32_t r = ic_queue_next(engine, IC_STAGE_NONLINEAR);
  for (; r != IC_NONE; r = ic_queue_next(engine, IC_STAGE_NONLINEAR)) {
    if (ic_look_at_row(engine, r)) {
      return true;
    }
  }
  return false;
}
