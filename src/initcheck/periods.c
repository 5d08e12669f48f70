/* sin(x) = v has solutions in every period. Those of one period are enough where nothing
 * else tells the periods apart: all rows that are left have x only inside sin, cos and tan,
 * with integer coefficients, and no condition speaks of it. Then x + 2*pi solves them
 * whenever x does. */
#include "initcheck/initcheck-priv.h"

static bool
is_circular(DaeTerms *terms, DaeTerm node)
{
  if (dae_term_kind(terms, node) != DAE_KIND_CALL) {
    return false;
  }
  return dae_function_facts(dae_term_function(terms, node))->is_circular;
}

/* t as a function of the atom has the period 2*pi, as its shape shows. */
static bool
has_period(DaeTerms *terms, DaeTerm t, DaeTerm atom)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    if (!dae_term_contains(terms, node, atom)) {
      continue;
    }
    if (node == atom) {
      return false;
    }
    if (is_circular(terms, node)) {
      int64_t k = 0;
      DaeTerm angle = dae_term_operand(terms, node, 0);
      DaeTerm slope = dae_term_partial(terms, angle, atom);
      if (slope != DAE_NO_TERM && dae_term_get_int64(terms, slope, &k) &&
          !dae_term_has_varying_break(terms, angle)) { /* x + floor(x) has the slope 1, too */
        continue;
      }
    }
    dae_visit_enter(visit, node);
  }
  return true;
}

static bool
depends_on(IcEngine *engine, DaeTerm t, DaeTerm atom)
{
  DaeTerm reduced = ic_engine_reduce(engine, t, NULL);
  return reduced == DAE_NO_TERM || dae_term_contains(engine->sys->terms, reduced, atom);
}

/* Is there a condition, a coefficient taken as nonzero or a discrete unknown that depends on
 * the atom? */
static bool
is_spoken_of(IcEngine *engine, DaeTerm atom)
{
  const IcSystem *sys = engine->sys;
  for (guint i = 0; i < engine->decided->len; i++) {
    DaeTerm condition = g_array_index(engine->decided, IcCondition, i).condition;
    DaeTerm one = dae_term_int(sys->terms, 1);
    if (depends_on(engine, dae_term_if(sys->terms, condition, one, dae_term_int(sys->terms, 0)),
                   atom)) {
      return true;
    }
  }
  for (guint i = 0; i < engine->assumed->len; i++) {
    if (depends_on(engine, g_array_index(engine->assumed, IcAssumption, i).term, atom)) {
      return true;
    }
  }
  for (guint i = 0; i < sys->discrete->len; i++) {
    uint32_t z = g_array_index(sys->discrete, uint32_t, i);
    if (depends_on(engine, g_array_index(sys->unknowns, IcUnknown, z).atom, atom)) {
      return true;
    }
  }
  return false;
}

bool
ic_one_period_is_enough(IcEngine *engine, uint32_t z, DaeTerm angle)
{
  IcSystem *sys = engine->sys;
  DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
  int64_t k = 0;
  DaeTerm slope = dae_term_partial(sys->terms, angle, atom);
  if (slope == DAE_NO_TERM || !dae_term_get_int64(sys->terms, slope, &k) ||
      dae_term_has_varying_break(sys->terms, angle) || (k != 1 && k != -1)) {
    return false; /* sin(2*x) = v has twice as many solutions in a period */
  }
  const GArray *column = engine->columns[z];
  for (guint i = 0; column != NULL && i < column->len; i++) {
    const IcRow *row = ic_engine_row(engine, g_array_index(column, uint32_t, i));
    if (row->state == IC_ROW_ACTIVE &&
        !has_period(sys->terms, ic_form_term(sys, &row->form), atom)) {
      return false;
    }
  }
  return !is_spoken_of(engine, atom);
}
