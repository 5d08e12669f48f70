/* Operations as C text: each line here says the same as dae_op_apply. */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "eval/eval-priv.h"

/* $a ... $d are operands, @ is the prefix of the helper functions. Functions have theirs from
 * the registry. */
static const char *
pattern_of(DaeOp op)
{
  static const char *const patterns[DAE_OP_COUNT] = {
      [DAE_OP_NEG] = "-$a",
      [DAE_OP_ADD] = "$a + $b",
      [DAE_OP_SUB] = "$a - $b",
      [DAE_OP_MUL] = "$a * $b",
      [DAE_OP_DIV] = "$a / $b",
      [DAE_OP_DIV_GUARDED] = "@divide($a, $b)",
      [DAE_OP_MUL_ADD] = "$c + $a * $b",
      [DAE_OP_MUL_SUB] = "$c - $a * $b",
      [DAE_OP_MUL_RSUB] = "$a * $b - $c",
      [DAE_OP_ADD3] = "($a + $b) + $c",
      [DAE_OP_MUL3] = "($a * $b) * $c",
      [DAE_OP_DOT2] = "$a * $b + $c * $d",
      [DAE_OP_DET2] = "$a * $b - $c * $d",
      [DAE_OP_SQRT] = "sqrt($a)",
      [DAE_OP_POW] = "@pow($a, $b)",
      [DAE_OP_LT] = "@lt($a, $b)",
      [DAE_OP_LE] = "@le($a, $b)",
      [DAE_OP_EQ] = "@eq($a, $b)",
      [DAE_OP_NE] = "@ne($a, $b)",
      [DAE_OP_AND] = "@and($a, $b)",
      [DAE_OP_OR] = "@or($a, $b)",
      [DAE_OP_NOT] = "1.0 - $a",
      [DAE_OP_SELECT] = "@select($a, $b, $c)",
      [DAE_OP_INTERVAL] = "@interval($b, $a)",
      [DAE_OP_LOOKUP] = "@lookup($b, $a)",
      [DAE_OP_GIVE] = "$a",
  };
  return patterns[op];
}

/* Name, arguments and value of the helpers; "defined only" ones are NaN
 * unless all arguments are finite. */
typedef struct {
  DaeOp op;
  const char *name;
  uint32_t arity;
  bool defined_only;
  const char *value;
} Helper;

static const Helper arithmetic[] = {
    {DAE_OP_DIV_GUARDED, "divide", 2, false, "@is_finite(b) ? a / b : @undefined()"},
    {DAE_OP_POW, "pow", 2, true, "pow(a, b)"},
};

static const Helper logic[] = {
    {DAE_OP_LT, "lt", 2, true, "a < b ? 1.0 : 0.0"},
    {DAE_OP_LE, "le", 2, true, "a <= b ? 1.0 : 0.0"},
    {DAE_OP_EQ, "eq", 2, true, "a == b ? 1.0 : 0.0"},
    {DAE_OP_NE, "ne", 2, true, "a != b ? 1.0 : 0.0"},
    {DAE_OP_AND, "and", 2, false, "(a == 0.0 || b == 0.0) ? 0.0 : a * b"},
    {DAE_OP_OR, "or", 2, false, "(a == 1.0 || b == 1.0) ? 1.0 : a + b"},
    {DAE_OP_SELECT, "select", 3, false, "a == 1.0 ? b : (a == 0.0 ? c : @undefined())"},
};

static void
append_pattern(GString *out, const char *pattern, const char *prefix,
               const char *const *operands)
{
  for (const char *p = pattern; *p != '\0'; p++) {
    if (*p == '$') {
      p++;
      DAE_ASSERT(operands != NULL);
      g_string_append(out, operands[*p - 'a']);
    } else if (*p == '@') {
      g_string_append(out, prefix);
    } else {
      g_string_append_c(out, *p);
    }
  }
}

/* The function that the operation is; integer() and floor() are one, any of the two will do. */
static const DaeFunctionFacts *
function_of(DaeOp op)
{
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    if (dae_op_of_function((DaeFunction)f) == op) {
      return dae_function_facts((DaeFunction)f);
    }
  }
  dae_internal_error(__FILE__, __LINE__, "operation without text");
}

void
dae_emit_operation(GString *out, DaeOp op, const char *prefix, const char *const operands[4])
{
  const char *pattern = pattern_of(op);
  if (pattern != NULL) {
    append_pattern(out, pattern, prefix, operands);
    return;
  }
  const DaeFunctionFacts *facts = function_of(op);
  append_pattern(out, facts->is_guarded ? "@" : "", prefix, NULL);
  g_string_append(out, facts->c_name);
  append_pattern(out, facts->arity == 1 ? "($a)" : "($a, $b)", prefix, operands);
}

/* x - x is 0 for a finite x and NaN otherwise: no macro of math.h, so no warning
 * about conversions inside it. */
static void
emit_basics(GString *out, const char *prefix)
{
  append_pattern(out,
                 "static int @is_finite(double x)\n{\n  return (x - x) == 0.0;\n}\n\n"
                 "static double @undefined(void)\n{\n  const double zero = 0.0;\n  return zero "
                 "/ zero;\n}\n\n",
                 prefix, NULL);
}

static void
emit_helper(GString *out, const Helper *helper, const char *prefix)
{
  static const char *const arguments[] = {"", "double a", "double a, double b",
                                          "double a, double b, double c"};
  static const char *const conditions[] = {"", "@is_finite(a)",
                                           "(@is_finite(a) && @is_finite(b))"};
  g_string_append_printf(out, "static double %s%s(%s)\n{\n  return ", prefix, helper->name,
                         arguments[helper->arity]);
  if (helper->defined_only) {
    append_pattern(out, conditions[helper->arity], prefix, NULL);
    g_string_append(out, " ? (");
    append_pattern(out, helper->value, prefix, NULL);
    append_pattern(out, ") : @undefined()", prefix, NULL);
  } else {
    append_pattern(out, helper->value, prefix, NULL);
  }
  g_string_append(out, ";\n}\n\n");
}

/* All helpers in one order: arithmetic, the guarded functions of the registry, logic. */
static GArray *
list_helpers(void)
{
  GArray *all = g_array_new(FALSE, FALSE, sizeof(Helper));
  g_array_append_vals(all, arithmetic, G_N_ELEMENTS(arithmetic));
  for (int f = 0; f < DAE_FN_COUNT; f++) {
    const DaeFunctionFacts *facts = dae_function_facts((DaeFunction)f);
    Helper helper = {dae_op_of_function((DaeFunction)f), facts->c_name, facts->arity, true,
                     facts->c_value};
    if (facts->is_guarded) {
      g_array_append_val(all, helper);
    }
  }
  g_array_append_vals(all, logic, G_N_ELEMENTS(logic));
  return all;
}

/* As dae_data_interval and dae_data_lookup. Data are arrays with their length in front. */
static const char interval_helper[] =
    "static double @interval(const double *data, double u)\n{\n"
    "  const unsigned n = (unsigned)data[0];\n  const double *x = data + 1;\n"
    "  unsigned low = 1u;\n  unsigned high = n;\n"
    "  if (!((u - u) == 0.0)) {\n    return u - u;\n  }\n"
    "  while (low < high) {\n    const unsigned middle = low + (high - low) / 2u;\n"
    "    if (middle < n && x[middle] <= u) {\n      low = middle + 1u;\n    } else {\n"
    "      high = middle;\n    }\n  }\n"
    "  if (low < n) {\n    return (double)low;\n  }\n"
    "  return n > 1u ? (double)(n - 1u) : 1.0;\n}\n\n";

static const char lookup_helper[] =
    "static double @lookup(const double *data, double i)\n{\n"
    "  const double zero = 0.0;\n"
    "  return i >= 1.0 && i <= data[0] && i == floor(i) ? data[(unsigned)i] : zero / "
    "zero;\n}\n\n";

void
dae_emit_helpers(GString *out, const bool *used, const char *prefix)
{
  g_autoptr(GArray) helpers = list_helpers();
  bool has_basics = false;
  for (guint i = 0; i < helpers->len; i++) {
    const Helper *helper = &g_array_index(helpers, Helper, i);
    if (!used[helper->op]) {
      continue;
    }
    const bool is_plain = helper->op == DAE_OP_AND || helper->op == DAE_OP_OR;
    if (!has_basics && !is_plain) {
      emit_basics(out, prefix);
      has_basics = true;
    }
    emit_helper(out, helper, prefix);
  }
  if (used[DAE_OP_INTERVAL]) {
    append_pattern(out, interval_helper, prefix, NULL);
  }
  if (used[DAE_OP_LOOKUP]) {
    append_pattern(out, lookup_helper, prefix, NULL);
  }
}

void
dae_emit_data_array(GString *out, const char *prefix, uint32_t number, const double *values,
                    uint32_t n)
{
  g_string_append_printf(out, "static const double %sdata_%u[] = {\n    %u.0", prefix, number,
                         n);
  for (uint32_t i = 0; i < n; i++) {
    g_string_append(out, i % 6 == 5 ? ",\n    " : ", ");
    dae_emit_double(out, values[i]);
  }
  g_string_append(out, "};\n\n");
}

/* The shortest digits that read back; always with a point or an exponent. */
void
dae_emit_double(GString *out, double value)
{
  if (!isfinite(value)) {
    g_string_append(out, isnan(value) ? "(0.0 / 0.0)"
                                      : (value > 0.0 ? "(1.0 / 0.0)" : "(-1.0 / 0.0)"));
    return;
  }
  char buffer[DAE_DECIMAL_SIZE];
  g_string_append(out, dae_decimal_shortest(buffer, value));
  if (strpbrk(buffer, ".e") == NULL) {
    g_string_append(out, ".0");
  }
}
