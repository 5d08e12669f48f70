#include "base/functions.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

#define VALUE(NAME, EXPRESSION)                                                                \
  static double NAME##_value(const double *x)                                                  \
  {                                                                                            \
    return EXPRESSION;                                                                         \
  }

VALUE(sin, sin(x[0]))
VALUE(cos, cos(x[0]))
VALUE(tan, tan(x[0]))
VALUE(asin, asin(x[0]))
VALUE(acos, acos(x[0]))
VALUE(atan, atan(x[0]))
VALUE(sinh, sinh(x[0]))
VALUE(cosh, cosh(x[0]))
VALUE(tanh, tanh(x[0]))
VALUE(exp, exp(x[0]))
VALUE(log, log(x[0]))
VALUE(log10, log10(x[0]))
VALUE(abs, fabs(x[0]))
VALUE(sign, (double)((x[0] > 0.0) - (x[0] < 0.0)))
VALUE(floor, floor(x[0]))
VALUE(ceil, ceil(x[0]))
VALUE(first, x[0])
VALUE(second, x[1])
VALUE(min, x[0] <= x[1] ? x[0] : x[1])
VALUE(max, x[0] >= x[1] ? x[0] : x[1])
/* 0 at the origin, where any angle would satisfy its definition [MLS, section 3.7.3]. */
VALUE(atan2, x[0] == 0.0 && x[1] == 0.0 ? 0.0 : atan2(x[0], x[1]))
VALUE(mod, x[1] == 0.0 ? NAN : x[0] - floor(x[0] / x[1]) * x[1])
VALUE(div, x[1] == 0.0 ? NAN : trunc(x[0] / x[1]))
VALUE(rem, x[1] == 0.0 ? NAN : x[0] - trunc(x[0] / x[1]) * x[1])
VALUE(semilinear, x[0] * (x[0] >= 0.0 ? x[1] : x[2]))

static double
pi_value(const double *x)
{
  (void)x;
  return G_PI;
}

/* Fields that are not named are 0: not broken, everywhere defined, of any sign, Real, of any
 * unit. */
#define RANGE(LOW, HIGH) .has_range = true, .low = (LOW), .high = (HIGH)
#define EXACT(AT, VALUE) .has_exact = true, .exact_at = (AT), .exact_value = (VALUE)
#define ANALYTIC(NAME, ...)                                                                    \
  {                                                                                            \
    .name = #NAME, .arity = 1, .kind = DAE_CLASS_ANALYTIC, .unit = DAE_UNIT_OF_ONE,            \
    .value = NAME##_value, .c_name = #NAME, .c_value = #NAME "(a)", __VA_ARGS__                \
  }
#define ROUNDED(NAME, ARITY, CLASS, ...)                                                       \
  {                                                                                            \
    .name = #NAME, .arity = (ARITY), .kind = (CLASS), .breaks = true, .rounds = true,          \
    __VA_ARGS__                                                                                \
  }
#define OF_DIVISION                                                                            \
  .domain = DAE_DOMAIN_DIVISOR, .result = DAE_RESULT_AS_OPERANDS, .is_guarded = true

static const DaeFunctionFacts functions[DAE_FN_COUNT] = {
    [DAE_FN_SIN] =
        ANALYTIC(sin, .is_circular = true, .parity = DAE_PARITY_ODD, RANGE(-1, 1), EXACT(0, 0)),
    [DAE_FN_COS] = ANALYTIC(cos, .is_circular = true, .parity = DAE_PARITY_EVEN, RANGE(-1, 1),
                            EXACT(0, 1)),
    [DAE_FN_TAN] = ANALYTIC(tan, .is_circular = true, .domain = DAE_DOMAIN_POLES,
                            .parity = DAE_PARITY_ODD, RANGE(-INFINITY, INFINITY), EXACT(0, 0)),
    [DAE_FN_ASIN] = ANALYTIC(asin, .domain = DAE_DOMAIN_UNIT, .parity = DAE_PARITY_ODD,
                             .growth = DAE_GROWTH_INCREASING, .sign = DAE_SIGN_OF_OPERAND,
                             RANGE(-G_PI_2, G_PI_2), EXACT(0, 0)),
    [DAE_FN_ACOS] = ANALYTIC(acos, .domain = DAE_DOMAIN_UNIT, .growth = DAE_GROWTH_DECREASING,
                             .sign = DAE_SIGN_OF_NONNEGATIVE, RANGE(0, G_PI), EXACT(1, 0)),
    [DAE_FN_ATAN] = ANALYTIC(atan, .parity = DAE_PARITY_ODD, .growth = DAE_GROWTH_INCREASING,
                             .sign = DAE_SIGN_OF_OPERAND, RANGE(-G_PI_2, G_PI_2), EXACT(0, 0),
                             .is_guarded = true),
    [DAE_FN_ATAN2] = {.name = "atan2",
                      .arity = 2,
                      .kind = DAE_CLASS_ANALYTIC,
                      .unit = DAE_UNIT_OF_RATIO,
                      RANGE(-G_PI, G_PI),
                      .value = atan2_value,
                      .c_name = "atan2",
                      .c_value = "a == 0.0 && b == 0.0 ? 0.0 : atan2(a, b)",
                      .is_guarded = true},
    [DAE_FN_SINH] =
        ANALYTIC(sinh, .parity = DAE_PARITY_ODD, .growth = DAE_GROWTH_INCREASING,
                 .sign = DAE_SIGN_OF_OPERAND, RANGE(-INFINITY, INFINITY), EXACT(0, 0)),
    [DAE_FN_COSH] = ANALYTIC(cosh, .parity = DAE_PARITY_EVEN, .sign = DAE_SIGN_OF_POSITIVE,
                             RANGE(1, INFINITY), EXACT(0, 1)),
    [DAE_FN_TANH] =
        ANALYTIC(tanh, .parity = DAE_PARITY_ODD, .growth = DAE_GROWTH_INCREASING,
                 .sign = DAE_SIGN_OF_OPERAND, RANGE(-1, 1), EXACT(0, 0), .is_guarded = true),
    [DAE_FN_EXP] = ANALYTIC(exp, .growth = DAE_GROWTH_INCREASING, .sign = DAE_SIGN_OF_POSITIVE,
                            RANGE(0, INFINITY), EXACT(0, 1), .is_guarded = true),
    [DAE_FN_LOG] =
        ANALYTIC(log, .domain = DAE_DOMAIN_POSITIVE, .growth = DAE_GROWTH_INCREASING,
                 .sign = DAE_SIGN_OF_EXCESS, RANGE(-INFINITY, INFINITY), EXACT(1, 0)),
    [DAE_FN_LOG10] =
        ANALYTIC(log10, .domain = DAE_DOMAIN_POSITIVE, .growth = DAE_GROWTH_INCREASING,
                 .sign = DAE_SIGN_OF_EXCESS, RANGE(-INFINITY, INFINITY), EXACT(1, 0)),
    [DAE_FN_ABS] = {.name = "abs",
                    .arity = 1,
                    .kind = DAE_CLASS_CHOICE,
                    .breaks = true,
                    .parity = DAE_PARITY_EVEN,
                    .sign = DAE_SIGN_OF_SIZE,
                    .result = DAE_RESULT_AS_OPERANDS,
                    .unit = DAE_UNIT_OF_OPERANDS,
                    .value = abs_value,
                    .c_name = "fabs",
                    .c_value = "fabs(a)"},
    [DAE_FN_SIGN] = {.name = "sign",
                     .arity = 1,
                     .kind = DAE_CLASS_STEP,
                     .breaks = true,
                     .parity = DAE_PARITY_ODD,
                     .sign = DAE_SIGN_OF_OPERAND,
                     RANGE(-1, 1),
                     .result = DAE_RESULT_INTEGER,
                     .value = sign_value,
                     .c_name = "sign",
                     .c_value = "a > 0.0 ? 1.0 : (a < 0.0 ? -1.0 : 0.0)",
                     .is_guarded = true},
    [DAE_FN_MIN] = {.picks = true,
                    .name = "min",
                    .arity = 2,
                    .kind = DAE_CLASS_CHOICE,
                    .breaks = true,
                    .sign = DAE_SIGN_OF_EITHER,
                    .result = DAE_RESULT_AS_OPERANDS,
                    .unit = DAE_UNIT_OF_OPERANDS,
                    .value = min_value,
                    .c_name = "min",
                    .c_value = "a < b ? a : b",
                    .is_guarded = true},
    [DAE_FN_MAX] = {.picks = true,
                    .name = "max",
                    .arity = 2,
                    .kind = DAE_CLASS_CHOICE,
                    .breaks = true,
                    .sign = DAE_SIGN_OF_EITHER,
                    .result = DAE_RESULT_AS_OPERANDS,
                    .unit = DAE_UNIT_OF_OPERANDS,
                    .value = max_value,
                    .c_name = "max",
                    .c_value = "a > b ? a : b",
                    .is_guarded = true},
    [DAE_FN_FLOOR] = ROUNDED(floor, 1, DAE_CLASS_STEP, .sign = DAE_SIGN_OF_LOWER,
                             .value = floor_value, .c_name = "floor", .c_value = "floor(a)"),
    [DAE_FN_CEIL] = ROUNDED(ceil, 1, DAE_CLASS_STEP, .sign = DAE_SIGN_OF_UPPER,
                            .value = ceil_value, .c_name = "ceil", .c_value = "ceil(a)"),
    [DAE_FN_INTEGER] = ROUNDED(integer, 1, DAE_CLASS_STEP, .sign = DAE_SIGN_OF_LOWER,
                               .result = DAE_RESULT_INTEGER, .value = floor_value,
                               .c_name = "floor", .c_value = "floor(a)"),
    [DAE_FN_MOD] = ROUNDED(mod, 2, DAE_CLASS_REST, OF_DIVISION, .value = mod_value,
                           .c_name = "mod", .c_value = "a - floor(a / b) * b"),
    [DAE_FN_DIV] = ROUNDED(div, 2, DAE_CLASS_STEP, OF_DIVISION, .value = div_value,
                           .c_name = "quotient", .c_value = "trunc(a / b)"),
    [DAE_FN_REM] = ROUNDED(rem, 2, DAE_CLASS_REST, OF_DIVISION, .value = rem_value,
                           .c_name = "rem", .c_value = "a - trunc(a / b) * b"),
    [DAE_FN_SMOOTH] = {.name = "smooth",
                       .arity = 2,
                       .kind = DAE_CLASS_MARK,
                       .value_operand = 1,
                       .sign = DAE_SIGN_OF_OPERAND,
                       .unit = DAE_UNIT_OF_VALUE,
                       .arguments = {"p", "expr"},
                       .value = second_value},
    [DAE_FN_NOEVENT] = {.name = "noEvent",
                        .arity = 1,
                        .kind = DAE_CLASS_MARK,
                        .sign = DAE_SIGN_OF_OPERAND,
                        .result = DAE_RESULT_AS_OPERANDS,
                        .unit = DAE_UNIT_OF_VALUE,
                        .value = first_value},
    [DAE_FN_HOMOTOPY] = {.name = "homotopy",
                         .arity = 2,
                         .kind = DAE_CLASS_MARK,
                         .sign = DAE_SIGN_OF_OPERAND,
                         .arguments = {"actual", "simplified"},
                         .value = first_value},
    [DAE_FN_SEMILINEAR] = {.name = "semiLinear",
                           .arity = 3,
                           .kind = DAE_CLASS_CHOICE,
                           .breaks = true,
                           .arguments = {"x", "positiveSlope", "negativeSlope"},
                           .value = semilinear_value},
    [DAE_FN_PI] = {.name = "Modelica.Constants.pi",
                   .kind = DAE_CLASS_CONSTANT,
                   .sign = DAE_SIGN_OF_POSITIVE,
                   RANGE(G_PI, G_PI),
                   .unit = DAE_UNIT_OF_NUMBER,
                   .value = pi_value},
    [DAE_FN_SELECT] = {.name = "$select",
                       .arity = DAE_ANY_ARITY,
                       .kind = DAE_CLASS_ELEMENT,
                       .breaks = true,
                       .domain = DAE_DOMAIN_INDEX},
    [DAE_FN_INTERVAL] = {.takes_data = true,
                         .n_fixed = 1,
                         .name = "$interval",
                         .arity = 2,
                         .kind = DAE_CLASS_ELEMENT,
                         .breaks = true,
                         .sign = DAE_SIGN_OF_POSITIVE},
    [DAE_FN_LOOKUP] = {.takes_data = true,
                       .n_fixed = 1,
                       .name = "$lookup",
                       .arity = 2,
                       .kind = DAE_CLASS_ELEMENT,
                       .breaks = true,
                       .domain = DAE_DOMAIN_INDEX},
    [DAE_FN_ROUTINE] = {.n_fixed = 2,
                        .name = "$routine",
                        .arity = DAE_ANY_ARITY,
                        .kind = DAE_CLASS_ROUTINE,
                        .breaks = true,
                        .domain = DAE_DOMAIN_INDEX},
};

const DaeFunctionFacts *
dae_function_facts(DaeFunction function)
{
  DAE_ASSERT(function < DAE_FN_COUNT);
  return &functions[function];
}

const char *
dae_function_name(DaeFunction function)
{
  return dae_function_facts(function)->name;
}

static bool
is_for_users(const DaeFunctionFacts *facts)
{
  return facts->name[0] != '$' && facts->kind != DAE_CLASS_CONSTANT;
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
  for (int i = 0; i < DAE_FN_COUNT; i++) {
    const DaeFunctionFacts *facts = &functions[i];
    if (is_for_users(facts) && strlen(facts->name) == length &&
        memcmp(facts->name, name, length) == 0) {
      *function = (DaeFunction)i;
      return true;
    }
  }
  return false;
}

bool
dae_function_arity_ok(DaeFunction function, size_t n)
{
  uint8_t arity = dae_function_facts(function)->arity;
  return arity == DAE_ANY_ARITY ? n >= 2 : arity == n;
}
