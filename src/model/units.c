/* Do the units of an equation fit? Units are dimensions: exponents of the seven base units, exact
 * rationals [MLS, chapter 19]. A number may have any unit; a variable without one says nothing. */
#include <string.h>

#include "model/flat.h"

#define N_BASE 7
#define MAX_DEPTH 1000u
#define MAX_DENOMINATOR 12

typedef enum { UNIT_ANY, UNIT_NUMBER, UNIT_KNOWN } UnitKind;

typedef struct {
  UnitKind kind;
  int32_t exponent[N_BASE]; /* over the common denominator */
  int32_t denominator;
} Unit;

typedef struct {
  const DaeModel *model;
  DaeTerms *terms;
  GHashTable *units; /* text -> Unit */
  GHashTable *known; /* term -> Unit */
  GString *clash;    /* what does not fit in the equation under way */
} Checker;

static const Unit any_unit = {.kind = UNIT_ANY, .denominator = 1};
static const Unit number_unit = {.kind = UNIT_NUMBER, .denominator = 1};
static const Unit one_unit = {.kind = UNIT_KNOWN, .denominator = 1};

/* ---- arithmetic -------------------------------------------------------------------------- */

static int32_t
greatest_divisor(int32_t a, int32_t b)
{
  while (b != 0) {
    int32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

static Unit
reduced(Unit unit)
{
  int32_t divisor = unit.denominator;
  for (int i = 0; i < N_BASE; i++) {
    divisor = greatest_divisor(divisor, unit.exponent[i]);
  }
  for (int i = 0; i < N_BASE && divisor > 1; i++) {
    unit.exponent[i] /= divisor;
  }
  unit.denominator /= MAX(divisor, 1);
  return unit;
}

/* a * b^(n/d). What grows beyond all units says nothing. */
static Unit
multiplied(Unit a, const Unit *b, int32_t n, int32_t d)
{
  int64_t denominator = (int64_t)a.denominator * b->denominator * d;
  if (denominator > 10000) {
    return any_unit;
  }
  for (int i = 0; i < N_BASE; i++) {
    int64_t sum = (int64_t)a.exponent[i] * b->denominator * d +
                  (int64_t)b->exponent[i] * a.denominator * n;
    if (sum > 1000000 || sum < -1000000) {
      return any_unit;
    }
    a.exponent[i] = (int32_t)sum;
  }
  a.denominator = (int32_t)denominator;
  a.kind = UNIT_KNOWN;
  return reduced(a);
}

static bool
is_same(const Unit *a, const Unit *b)
{
  return a->denominator == b->denominator &&
         memcmp(a->exponent, b->exponent, sizeof a->exponent) == 0;
}

static bool
is_one(const Unit *unit)
{
  return is_same(unit, &one_unit);
}

/* ---- texts ------------------------------------------------------------------------------- */

static const struct {
  const char *symbol;
  int8_t exponent[N_BASE]; /* m kg s A K mol cd */
} symbols[] = {
    {"m", {1}},
    {"g", {0, 1}},
    {"s", {0, 0, 1}},
    {"A", {0, 0, 0, 1}},
    {"K", {0, 0, 0, 0, 1}},
    {"mol", {0, 0, 0, 0, 0, 1}},
    {"cd", {0, 0, 0, 0, 0, 0, 1}},
    {"rad", {0}},
    {"sr", {0}},
    {"deg", {0}},
    {"rev", {0}},
    {"Hz", {0, 0, -1}},
    {"Bq", {0, 0, -1}},
    {"N", {1, 1, -2}},
    {"Pa", {-1, 1, -2}},
    {"bar", {-1, 1, -2}},
    {"J", {2, 1, -2}},
    {"eV", {2, 1, -2}},
    {"W", {2, 1, -3}},
    {"VA", {2, 1, -3}},
    {"var", {2, 1, -3}},
    {"C", {0, 0, 1, 1}},
    {"V", {2, 1, -3, -1}},
    {"F", {-2, -1, 4, 2}},
    {"Ohm", {2, 1, -3, -2}},
    {"S", {-2, -1, 3, 2}},
    {"Wb", {2, 1, -2, -1}},
    {"T", {0, 1, -2, -1}},
    {"H", {2, 1, -2, -2}},
    {"lm", {0, 0, 0, 0, 0, 0, 1}},
    {"lx", {-2, 0, 0, 0, 0, 0, 1}},
    {"Gy", {2, 0, -2}},
    {"Sv", {2, 0, -2}},
    {"kat", {0, 0, -1, 0, 0, 1}},
    {"min", {0, 0, 1}},
    {"h", {0, 0, 1}},
    {"d", {0, 0, 1}},
    {"l", {3}},
    {"L", {3}},
    {"t", {0, 1}},
    {"degC", {0, 0, 0, 0, 1}},
    {"degF", {0, 0, 0, 0, 1}},
};

static bool
find_symbol(const char *text, size_t length, Unit *unit)
{
  for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++) {
    if (strlen(symbols[i].symbol) == length && memcmp(symbols[i].symbol, text, length) == 0) {
      *unit = one_unit;
      for (int k = 0; k < N_BASE; k++) {
        unit->exponent[k] = symbols[i].exponent[k];
      }
      return true;
    }
  }
  return false;
}

/* A symbol, or one behind a prefix: k, m, da ... */
static bool
find_unit(const char *text, size_t length, Unit *unit)
{
  if (find_symbol(text, length, unit)) {
    return true;
  }
  if (length > 2 && text[0] == 'd' && text[1] == 'a' &&
      find_symbol(text + 2, length - 2, unit)) {
    return true;
  }
  return length > 1 && strchr("YZEPTGMkhdcmunpfazy", text[0]) != NULL &&
         find_symbol(text + 1, length - 1, unit);
}

/* kg.m2/(s3.A): symbols with exponents, dots between them, one slash. */
static bool
parse_unit(const char *text, Unit *result)
{
  int32_t sign = 1;
  bool in_brackets = false;
  *result = one_unit;
  while (*text != '\0') {
    if (*text == '/' && sign > 0) {
      sign = -1;
      text++;
      in_brackets = *text == '(';
      text += in_brackets ? 1 : 0;
    } else if (*text == '.') {
      text++;
    } else if (*text == ')' && in_brackets) {
      in_brackets = false;
      text++;
    } else if (*text == '1' && !g_ascii_isdigit(text[1])) {
      text++;
    } else {
      size_t length = 0;
      while (g_ascii_isalpha(text[length])) {
        length++;
      }
      Unit factor;
      if (length == 0 || !find_unit(text, length, &factor)) {
        return false;
      }
      text += length;
      char *end = (char *)text;
      int64_t power = *text == '+' || *text == '-' || g_ascii_isdigit(*text)
                          ? g_ascii_strtoll(text, &end, 10)
                          : 1;
      if (power > 100 || power < -100) {
        return false;
      }
      text = end;
      *result = multiplied(*result, &factor, sign * (int32_t)power, 1);
    }
  }
  return result->kind == UNIT_KNOWN;
}

static void
append_unit(GString *out, const Unit *unit)
{
  static const char *const names[N_BASE] = {"m", "kg", "s", "A", "K", "mol", "cd"};
  bool any = false;
  for (int i = 0; i < N_BASE; i++) {
    int32_t n = unit->exponent[i];
    if (n == 0) {
      continue;
    }
    int32_t divisor = greatest_divisor(n, unit->denominator);
    g_string_append_printf(out, "%s%s", any ? "." : "", names[i]);
    if (unit->denominator / divisor != 1) {
      g_string_append_printf(out, "^(%d/%d)", n / divisor, unit->denominator / divisor);
    } else if (n / divisor != 1) {
      g_string_append_printf(out, "%d", n / divisor);
    }
    any = true;
  }
  g_string_append(out, any ? "" : "1");
}

/* ---- terms ------------------------------------------------------------------------------- */

static Unit
unit_of_text(Checker *checker, const char *text)
{
  Unit unit = any_unit;
  if (text == NULL || *text == '\0') {
    return unit;
  }
  const Unit *known = g_hash_table_lookup(checker->units, text);
  if (known != NULL) {
    return *known;
  }
  if (!parse_unit(text, &unit)) {
    unit = any_unit;
  }
  g_hash_table_insert(checker->units, g_strdup(text), g_memdup2(&unit, sizeof unit));
  return unit;
}

static Unit
unit_of_atom(Checker *checker, DaeTerm t)
{
  DaeSymbol symbol = dae_term_get_symbol(checker->terms, t);
  uint32_t k = 0;
  if (dae_model_find_parameter(checker->model, symbol, &k)) {
    return unit_of_text(checker, dae_model_parameter(checker->model, k)->unit);
  }
  if (!dae_model_find_variable(checker->model, symbol, &k)) {
    return any_unit;
  }
  Unit unit = unit_of_text(checker, dae_model_variable(checker->model, k)->unit);
  Unit second = one_unit;
  second.exponent[2] = 1;
  uint32_t order = dae_term_kind(checker->terms, t) == DAE_KIND_VARIABLE
                       ? (uint32_t)dae_term_order(checker->terms, t)
                       : 0;
  return unit.kind == UNIT_KNOWN && order > 0 ? multiplied(unit, &second, -(int32_t)order, 1)
                                              : unit;
}

static Unit unit_of(Checker *checker, DaeTerm t, uint32_t depth);

static void
clash(Checker *checker, DaeTerm a, const Unit *unit_a, DaeTerm b, const Unit *unit_b)
{
  if (checker->clash->len > 0) {
    return; /* one cause, one message */
  }
  g_autofree char *left = dae_term_to_string(checker->terms, a);
  g_string_append_printf(checker->clash, "%.60s has the unit ", left);
  append_unit(checker->clash, unit_a);
  if (b == DAE_NO_TERM) {
    g_string_append(checker->clash, ", a number without unit is needed");
    return;
  }
  g_autofree char *right = dae_term_to_string(checker->terms, b);
  g_string_append_printf(checker->clash, ", %.60s has ", right);
  append_unit(checker->clash, unit_b);
}

/* Operands from `first` on that are added, compared or chosen from: all have one unit. */
static Unit
common_unit(Checker *checker, const DaeTerm *operands, uint32_t first, uint32_t n,
            uint32_t depth)
{
  Unit result = number_unit;
  DaeTerm witness = DAE_NO_TERM;
  for (uint32_t i = first; i < n; i++) {
    Unit unit = unit_of(checker, operands[i], depth + 1);
    if (unit.kind == UNIT_KNOWN && witness != DAE_NO_TERM && !is_same(&unit, &result)) {
      clash(checker, witness, &result, operands[i], &unit);
      return any_unit;
    }
    if (unit.kind == UNIT_KNOWN) {
      result = unit;
      witness = operands[i];
    } else if (unit.kind == UNIT_ANY && witness == DAE_NO_TERM) {
      result = any_unit;
    }
  }
  return result;
}

static Unit
unit_of_product(Checker *checker, const DaeTerm *operands, uint32_t n, uint32_t depth)
{
  Unit result = number_unit;
  for (uint32_t i = 0; i < n; i++) {
    Unit unit = unit_of(checker, operands[i], depth + 1);
    if (unit.kind == UNIT_ANY || result.kind == UNIT_ANY) {
      result = any_unit;
    } else if (unit.kind == UNIT_KNOWN) {
      result = multiplied(result, &unit, 1, 1);
    }
  }
  return result;
}

static Unit
unit_of_power(Checker *checker, const DaeTerm *operands, uint32_t depth)
{
  Unit base = unit_of(checker, operands[0], depth + 1);
  Unit exponent = unit_of(checker, operands[1], depth + 1);
  if (exponent.kind == UNIT_KNOWN && !is_one(&exponent)) {
    clash(checker, operands[1], &exponent, DAE_NO_TERM, NULL);
  }
  for (int32_t d = 1; d <= MAX_DENOMINATOR && base.kind == UNIT_KNOWN; d++) {
    DaeTerm scaled = dae_term_mul(checker->terms, dae_term_int(checker->terms, d), operands[1]);
    int64_t n = 0;
    if (dae_term_is_number(checker->terms, scaled) &&
        dae_term_get_int64(checker->terms, scaled, &n) && n > -1000 && n < 1000) {
      return multiplied(one_unit, &base, (int32_t)n, d);
    }
  }
  return base.kind == UNIT_KNOWN && is_one(&base) ? base
         : base.kind == UNIT_NUMBER               ? number_unit
                                                  : any_unit;
}

static Unit
unit_of_call(Checker *checker, DaeTerm t, const DaeTerm *operands, uint32_t n, uint32_t depth)
{
  DaeFunction function = dae_term_function(checker->terms, t);
  const DaeFunctionFacts *facts = dae_function_facts(function);
  switch ((DaeFunctionUnit)facts->unit) {
  case DAE_UNIT_OF_NUMBER:
    return number_unit;
  case DAE_UNIT_OF_OPERANDS:
    return common_unit(checker, operands, 0, n, depth);
  case DAE_UNIT_OF_VALUE:
    return unit_of(checker, operands[facts->value_operand], depth + 1);
  case DAE_UNIT_OF_RATIO:
    common_unit(checker, operands, 0, n, depth);
    return one_unit;
  case DAE_UNIT_OF_ONE: {
    Unit unit = unit_of(checker, operands[0], depth + 1);
    if (unit.kind == UNIT_KNOWN && !is_one(&unit)) {
      clash(checker, operands[0], &unit, DAE_NO_TERM, NULL);
    }
    return one_unit;
  }
  case DAE_UNIT_OF_ANY:
    break;
  }
  return any_unit;
}

static Unit
find_unit_of(Checker *checker, DaeTerm t, uint32_t depth)
{
  uint32_t n = 0;
  DaeKind kind = dae_term_kind(checker->terms, t);
  if (kind == DAE_KIND_PARAMETER || kind == DAE_KIND_VARIABLE) {
    return unit_of_atom(checker, t);
  }
  if (kind == DAE_KIND_NUMBER || kind == DAE_KIND_BOOLEAN) {
    return number_unit;
  }
  if (kind == DAE_KIND_TIME) {
    Unit second = one_unit;
    second.exponent[2] = 1;
    return second;
  }
  const DaeTerm *few = dae_term_operands(checker->terms, t, &n);
  g_autofree DaeTerm *operands = g_memdup2(few, n * sizeof(DaeTerm));
  switch ((int)kind) {
  case DAE_KIND_SUM:
    return common_unit(checker, operands, 0, n, depth);
  case DAE_KIND_PRODUCT:
    return unit_of_product(checker, operands, n, depth);
  case DAE_KIND_POWER:
    return unit_of_power(checker, operands, depth);
  case DAE_KIND_CALL:
    return unit_of_call(checker, t, operands, n, depth);
  case DAE_KIND_IF:
    unit_of(checker, operands[0], depth + 1);
    return common_unit(checker, operands, 1, n, depth);
  case DAE_KIND_RELATION:
    common_unit(checker, operands, 0, n, depth);
    return number_unit;
  default:
    for (uint32_t i = 0; i < n; i++) { /* and, or, not */
      unit_of(checker, operands[i], depth + 1);
    }
    return number_unit;
  }
}

static Unit
unit_of(Checker *checker, DaeTerm t, uint32_t depth)
{
  const Unit *known = g_hash_table_lookup(checker->known, GUINT_TO_POINTER(t));
  if (known != NULL || depth > MAX_DEPTH) {
    return known != NULL ? *known : any_unit;
  }
  Unit unit = find_unit_of(checker, t, depth);
  if (checker->clash->len == 0) {
    g_hash_table_insert(checker->known, GUINT_TO_POINTER(t), g_memdup2(&unit, sizeof unit));
  }
  return unit;
}

/* lhs = if c then a else b is what the branches of an if-equation became, with lhs = 0 where they
 * have other left sides: each is an equation of its own. */
static void
check_sides(Checker *checker, DaeTerm lhs, DaeTerm rhs, uint32_t depth)
{
  if (dae_term_kind(checker->terms, rhs) != DAE_KIND_IF || depth > MAX_DEPTH) {
    const DaeTerm sides[2] = {lhs, rhs};
    common_unit(checker, sides, 0, 2, depth);
    return;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(checker->terms, rhs, &n);
  const DaeTerm branches[2] = {operands[1], operands[2]};
  unit_of(checker, operands[0], depth);
  check_sides(checker, lhs, branches[0], depth + 1);
  check_sides(checker, lhs, branches[1], depth + 1);
}

static bool
check_equation(Checker *checker, const DaeEquation *equation, const DaeReporter *reporter)
{
  if (equation->has_hidden_units) {
    return true;
  }
  g_string_truncate(checker->clash, 0);
  check_sides(checker, equation->lhs, equation->rhs, 0);
  if (checker->clash->len == 0) {
    return true;
  }
  g_autofree char *message = g_strdup_printf("units do not fit: %s", checker->clash->str);
  DaeDiagnostic diagnostic = {.severity = DAE_WARNING, .span = equation->span};
  diagnostic.file = equation->span.file != 0 ? g_quark_to_string(equation->span.file)
                                             : dae_model_file(checker->model);
  diagnostic.message = message;
  dae_report(reporter, &diagnostic);
  return false;
}

/* The value that its declaration gives to a parameter. */
static bool
check_parameter(Checker *checker, const DaeParameter *parameter, const DaeReporter *reporter)
{
  DaeEquation value = {.lhs = dae_term_parameter(checker->terms, parameter->symbol),
                       .rhs = parameter->value,
                       .span = parameter->span};
  return parameter->value == DAE_NO_TERM || parameter->has_hidden_units ||
         check_equation(checker, &value, reporter);
}

uint32_t
dae_model_check_units(const DaeModel *model, DaeTerms *terms, const DaeReporter *reporter)
{
  Checker checker = {.model = model, .terms = terms, .clash = g_string_new(NULL)};
  uint32_t n = 0;
  checker.units = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  checker.known = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    n += check_parameter(&checker, dae_model_parameter(model, k), reporter) ? 0 : 1;
  }
  for (uint32_t i = 0; i < dae_model_n_equations(model); i++) {
    n += check_equation(&checker, dae_model_equation(model, i), reporter) ? 0 : 1;
  }
  for (uint32_t i = 0; i < dae_model_n_initial_equations(model); i++) {
    n += check_equation(&checker, dae_model_initial_equation(model, i), reporter) ? 0 : 1;
  }
  g_hash_table_destroy(checker.units);
  g_hash_table_destroy(checker.known);
  g_string_free(checker.clash, TRUE);
  return n;
}
