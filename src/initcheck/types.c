/* Discrete unknowns have few values: an Integer or an enumeration an integer, a Boolean 0 or
 * 1. A run that gives one of them another value has no solution. */
#include <math.h>

#include "initcheck/initcheck-priv.h"

static DaeType
type_of(const DaeTerms *terms, const DaeModel *model, const IcUnknown *unknown)
{
  uint32_t k = 0;
  if (unknown->variable != IC_NONE) {
    return unknown->order == 0 ? dae_model_variable(model, unknown->variable)->type
                               : DAE_TYPE_REAL;
  }
  return dae_model_find_parameter(model, dae_term_get_symbol(terms, unknown->atom), &k)
             ? dae_model_parameter(model, k)->type
             : DAE_TYPE_REAL;
}

/* Is value - k certainly positive (negative)? */
static bool
is_beyond(IcSystem *sys, DaeTerm value, int64_t k, int side)
{
  int sign = 0;
  DaeTerm difference = dae_term_sub(sys->terms, value, dae_term_int(sys->terms, k));
  return dae_algebra_sign(sys->algebra, difference, &sign) && sign == side;
}

/* Between two integers, or outside of the range of the type. */
static bool
is_no_value(IcSystem *sys, DaeType type, DaeTerm value)
{
  double near = 0.0;
  if (type == DAE_TYPE_BOOLEAN &&
      (is_beyond(sys, value, 0, -1) || is_beyond(sys, value, 1, 1))) {
    return true;
  }
  if (type == DAE_TYPE_ENUMERATION && is_beyond(sys, value, 1, -1)) {
    return true;
  }
  if (!ic_numeric_value(sys, value, &near) || !(fabs(near) < 1e15)) {
    return false;
  }
  int64_t below = (int64_t)floor(near);
  return is_beyond(sys, value, below, 1) && is_beyond(sys, value, below + 1, -1);
}

uint32_t
ic_type_failure(IcEngine *engine, GArray *lines)
{
  IcSystem *sys = engine->sys;
  for (guint i = 0; i < sys->discrete->len; i++) {
    uint32_t z = g_array_index(sys->discrete, uint32_t, i);
    const IcUnknown *unknown = &g_array_index(sys->unknowns, IcUnknown, z);
    if (engine->solved_by[z] == IC_NONE) {
      continue;
    }
    g_array_set_size(lines, 0);
    DaeTerm value = ic_engine_reduce(engine, unknown->atom, lines);
    value = value == DAE_NO_TERM || ic_has_unknown(sys, value) ? DAE_NO_TERM
                                                               : ic_at_values(sys, value);
    if (value != DAE_NO_TERM &&
        is_no_value(sys, type_of(sys->terms, sys->model, unknown), value)) {
      return z;
    }
  }
  g_array_set_size(lines, 0);
  return IC_NONE;
}

void
ic_list_discrete(IcSystem *sys)
{
  for (uint32_t z = 0; z < sys->unknowns->len; z++) {
    DaeType type = type_of(sys->terms, sys->model, &g_array_index(sys->unknowns, IcUnknown, z));
    if (type == DAE_TYPE_INTEGER || type == DAE_TYPE_BOOLEAN || type == DAE_TYPE_ENUMERATION) {
      g_array_append_val(sys->discrete, z);
    }
  }
}

static bool
is_beside(DaeType type, double value)
{
  return type != DAE_TYPE_REAL && type != DAE_TYPE_STRING &&
         fabs(value - round(value)) > 1e-6 * fmax(1, fabs(value));
}

char *
ic_value_beside_its_type(DaeTerms *terms, const DaeModel *model, const DaeInit *init,
                         const DaeInitialProblem *problem)
{
  for (uint32_t k = 0; k < dae_initial_n_unknowns(problem); k++) {
    const DaeInitialUnknown *given = dae_initial_unknown(problem, k);
    const IcUnknown unknown = {
        .atom = given->atom, .variable = given->variable, .order = given->order};
    double value = 0;
    if (dae_init_value(init, given->atom, &value) &&
        is_beside(type_of(terms, model, &unknown), value)) {
      g_autofree char *name = dae_term_to_string(terms, given->atom);
      return g_strdup_printf("the solution that was found gives %s the value %.10g, which is "
                             "none of its type",
                             name, value);
    }
  }
  return NULL;
}
