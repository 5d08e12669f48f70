/* Names that need no declaration: time, the constants of
 * Modelica.Constants, builtin enumerations. */
#include "reader/reader-priv.h"

#include <string.h>

typedef struct {
  const char *name;
  const char *value; /* exact: the values of the SI of 2019 and of Modelica.Constants */
} Constant;

static const Constant constants[] = {
    {"eps", "2.220446049250313e-16"},
    {"small", "2.2250738585072014e-308"},
    {"inf", "1.7976931348623157e308"},
    {"c", "299792458"},
    {"g_n", "9.80665"},
    {"G", "6.67430e-11"},
    {"h", "6.62607015e-34"},
    {"k", "1.380649e-23"},
    {"q", "1.602176634e-19"},
    {"N_A", "6.02214076e23"},
    {"T_zero", "-273.15"},
    {"gamma", "0.57721566490153286061"},
};

static DaeTerm
number(DaeReader *reader, const char *text)
{
  bool negative = *text == '-';
  DaeTerm value = dae_term_decimal(reader->terms, text + negative, strlen(text + negative));
  return negative ? dae_term_neg(reader->terms, value) : value;
}

static DaeTerm
plain_constant(DaeReader *reader, const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS(constants); i++) {
    if (strcmp(name, constants[i].name) == 0) {
      return number(reader, constants[i].value);
    }
  }
  return DAE_NO_TERM;
}

static DaeTerm
times(DaeReader *reader, DaeTerm a, DaeTerm b)
{
  return dae_term_mul(reader->terms, a, b);
}

/* Those that follow from others. */
static DaeTerm
derived_constant(DaeReader *reader, const char *name)
{
  DaeTerms *terms = reader->terms;
  DaeTerm pi = dae_term_pi(terms);
  if (strcmp(name, "pi") == 0) {
    return pi;
  }
  if (strcmp(name, "e") == 0) {
    return dae_term_call1(terms, DAE_FN_EXP, dae_term_int(terms, 1));
  }
  if (strcmp(name, "D2R") == 0) {
    return times(reader, dae_term_ratio(terms, 1, 180), pi);
  }
  if (strcmp(name, "R2D") == 0) {
    return dae_term_div(terms, dae_term_int(terms, 180), pi);
  }
  if (strcmp(name, "R") == 0) {
    return times(reader, plain_constant(reader, "k"), plain_constant(reader, "N_A"));
  }
  if (strcmp(name, "F") == 0) {
    return times(reader, plain_constant(reader, "q"), plain_constant(reader, "N_A"));
  }
  DaeTerm light = plain_constant(reader, "c");
  DaeTerm mu = times(reader, number(reader, "4.00000000220e-7"), pi);
  if (strcmp(name, "mue_0") == 0 || strcmp(name, "mu_0") == 0) {
    return mu;
  }
  if (strcmp(name, "epsilon_0") == 0) {
    return dae_term_div(terms, dae_term_int(terms, 1),
                        times(reader, mu, times(reader, light, light)));
  }
  if (strcmp(name, "sigma") == 0) {
    DaeTerm above = times(reader, dae_term_pow_int(terms, pi, 5),
                          dae_term_pow_int(terms, plain_constant(reader, "k"), 4));
    DaeTerm below = times(reader, dae_term_pow_int(terms, plain_constant(reader, "h"), 3),
                          dae_term_pow_int(terms, light, 2));
    return dae_term_div(terms, times(reader, dae_term_ratio(terms, 2, 15), above), below);
  }
  return DAE_NO_TERM;
}

static bool
find_literal(DaeReader *reader, const char *name, const char *prefix, const char *const *words,
             size_t n, uint32_t enumeration, DaeValue *value)
{
  if (!g_str_has_prefix(name, prefix)) {
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    if (strcmp(name + strlen(prefix), words[i]) == 0) {
      *value =
          dae_value_scalar(DAE_VALUE_ENUMERATION, dae_term_int(reader->terms, (int64_t)i + 1));
      value->enumeration = enumeration;
      return true;
    }
  }
  return false;
}

bool
dae_constant_find(DaeReader *reader, const char *name, DaeValue *value)
{
  static const char *const selects[] = {"never", "avoid", "default", "prefer", "always"};
  static const char *const levels[] = {"warning", "error"};
  if (strcmp(name, "time") == 0) {
    *value = dae_value_scalar(DAE_VALUE_REAL, dae_term_time(reader->terms));
    return true;
  }
  if (find_literal(reader, name, "StateSelect.", selects, 5, DAE_ENUMERATION_STATE_SELECT,
                   value) ||
      find_literal(reader, name, "AssertionLevel.", levels, 2, DAE_ENUMERATION_ASSERTION_LEVEL,
                   value)) {
    return true;
  }
  if (!g_str_has_prefix(name, "Modelica.Constants.")) {
    return dae_literal_find(reader, name, value);
  }
  const char *constant = name + strlen("Modelica.Constants.");
  if (strcmp(constant, "Integer_inf") == 0) {
    *value = dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(reader->terms, INT32_MAX));
    return true;
  }
  DaeTerm term = plain_constant(reader, constant);
  term = term == DAE_NO_TERM ? derived_constant(reader, constant) : term;
  if (term == DAE_NO_TERM) {
    return false;
  }
  *value = dae_value_scalar(DAE_VALUE_REAL, term);
  return true;
}
