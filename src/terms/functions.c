/* The table of functions: names, arity, behaviour. */
#include <string.h>

#include "terms/terms-priv.h"

#define ANY_ARITY UINT8_MAX /* at least two */

typedef struct {
  const char *name;
  uint8_t arity;
  bool breaks; /* value or derivative may jump */
} FunctionEntry;

static const FunctionEntry functions[DAE_FN_COUNT] = {
    [DAE_FN_SIN] = {"sin", 1, false},
    [DAE_FN_COS] = {"cos", 1, false},
    [DAE_FN_TAN] = {"tan", 1, false},
    [DAE_FN_ASIN] = {"asin", 1, false},
    [DAE_FN_ACOS] = {"acos", 1, false},
    [DAE_FN_ATAN] = {"atan", 1, false},
    [DAE_FN_ATAN2] = {"atan2", 2, false},
    [DAE_FN_SINH] = {"sinh", 1, false},
    [DAE_FN_COSH] = {"cosh", 1, false},
    [DAE_FN_TANH] = {"tanh", 1, false},
    [DAE_FN_EXP] = {"exp", 1, false},
    [DAE_FN_LOG] = {"log", 1, false},
    [DAE_FN_LOG10] = {"log10", 1, false},
    [DAE_FN_ABS] = {"abs", 1, true},
    [DAE_FN_SIGN] = {"sign", 1, true},
    [DAE_FN_MIN] = {"min", 2, true},
    [DAE_FN_MAX] = {"max", 2, true},
    [DAE_FN_FLOOR] = {"floor", 1, true},
    [DAE_FN_CEIL] = {"ceil", 1, true},
    [DAE_FN_INTEGER] = {"integer", 1, true},
    [DAE_FN_MOD] = {"mod", 2, true},
    [DAE_FN_DIV] = {"div", 2, true},
    [DAE_FN_REM] = {"rem", 2, true},
    [DAE_FN_SMOOTH] = {"smooth", 2, false},
    [DAE_FN_NOEVENT] = {"noEvent", 1, false},
    [DAE_FN_HOMOTOPY] = {"homotopy", 2, false},
    [DAE_FN_SEMILINEAR] = {"semiLinear", 3, true},
    [DAE_FN_PI] = {"Modelica.Constants.pi", 0, false},
    [DAE_FN_SELECT] = {"$select", ANY_ARITY, true},
    [DAE_FN_INTERVAL] = {"$interval", 2, true},
    [DAE_FN_LOOKUP] = {"$lookup", 2, true},
    [DAE_FN_ROUTINE] = {"$routine", ANY_ARITY, true},
};

const char *
dae_function_name(DaeFunction function)
{
  DAE_ASSERT(function < DAE_FN_COUNT);
  return functions[function].name;
}

bool
dae_function_find(const char *name, size_t length, DaeFunction *function)
{
  static const char prefix[] = "Modelica.Math.";
  const size_t skip = sizeof prefix - 1;
  if (length > skip && memcmp(name, prefix, skip) == 0) {
    name += skip;
    length -= skip;
  }
  for (int i = 0; i < DAE_FN_PI; i++) {
    if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0) {
      *function = (DaeFunction)i;
      return true;
    }
  }
  return false;
}

bool
dae_function_arity_ok(DaeFunction function, size_t n)
{
  DAE_ASSERT(function < DAE_FN_COUNT);
  uint8_t arity = functions[function].arity;
  return arity == ANY_ARITY ? n >= 2 : arity == n;
}

bool
dae_function_breaks(DaeFunction function)
{
  return functions[function].breaks;
}
