/* The code of routines as C, to be compiled and loaded into this process: step for step what
 * routine_run.c does, with the same limits, so that the values are the same bits. Functions of
 * the registry are called by their address.
 *
 *     static void dae_routine_K(const double *x, double *y, struct dae_budget *b)
 *
 * Registers are local variables, which a compiler keeps in those of the machine. */
#include <math.h>
#include <string.h>

#include "terms/routine-code.h"

typedef struct {
  const DaeRoutineCode *code;
  GHashTable *numbers; /* code -> K + 1 */
  GString *out;
} Writer;

static uint32_t
number_of(const Writer *w, const DaeRoutineCode *code)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(w->numbers, code)) - 1;
}

static void
write_function(const Writer *w, const DaeRoutineStep *s)
{
  const DaeFunctionFacts *facts = dae_function_facts((DaeFunction)s->fn);
  uintptr_t address = 0;
  memcpy(&address, &facts->value, sizeof address);
  g_string_append_printf(
      w->out, "{ const double a[%d] = {r%u, r%u, r%u}; r%u = ", DAE_MOST_ARGUMENTS, s->a,
      facts->arity > 1 ? s->b : s->a, facts->arity > 2 ? s->c : s->a, s->to);
  g_string_append(w->out, "a[0] != a[0]");
  if (facts->arity == 2) {
    g_string_append(w->out, " || a[1] != a[1]");
  }
  g_string_append_printf(
      w->out, " ? NAN : D(((double (*)(const double *))%" G_GUINT64_FORMAT "ull)(a)); }\n",
      (uint64_t)address);
}

static void
write_relation(const Writer *w, const DaeRoutineStep *s)
{
  static const char *const signs[] = {
      [DAE_REL_LT] = "<",  [DAE_REL_LE] = "<=", [DAE_REL_GT] = ">",
      [DAE_REL_GE] = ">=", [DAE_REL_EQ] = "==", [DAE_REL_NE] = "!="};
  g_string_append_printf(w->out,
                         "r%u = r%u != r%u || r%u != r%u ? NAN : r%u %s r%u ? 1.0 : 0.0;\n",
                         s->to, s->a, s->a, s->b, s->b, s->a, signs[s->fn], s->b);
}

static void
write_list(const Writer *w, const uint32_t *list, uint32_t n, const char *name)
{
  g_string_append_printf(w->out, "const double %s[%u] = {", name, n);
  for (uint32_t i = 0; i < n; i++) {
    g_string_append_printf(w->out, "%sr%u", i > 0 ? ", " : "", list[i]);
  }
  g_string_append(w->out, "};\n");
}

static void
write_element(const Writer *w, const DaeRoutineStep *s)
{
  g_string_append(w->out, "{ ");
  write_list(w, w->code->lists + s->b, s->c, "e");
  g_string_append_printf(
      w->out,
      "r%u = r%u >= 1.0 && r%u <= %u.0 && r%u == __builtin_floor(r%u) ? e[(unsigned)r%u - 1] "
      ": NAN; }\n",
      s->to, s->a, s->a, s->c, s->a, s->a, s->a);
}

static void
write_data(const Writer *w, const DaeRoutineStep *s, bool is_lookup)
{
  double (*const function)(const double *, uint32_t, double) =
      is_lookup ? dae_data_lookup : dae_data_interval;
  uintptr_t address = 0;
  memcpy(&address, &function, sizeof address);
  g_string_append_printf(
      w->out,
      "r%u = ((double (*)(const double *, unsigned, double))%" G_GUINT64_FORMAT
      "ull)((const double *)%" G_GUINT64_FORMAT "ull, %u, r%u);\n",
      s->to, (uint64_t)address, (uint64_t)(uintptr_t)w->code->data[s->b].values,
      w->code->data[s->b].n, s->a);
}

static void
write_call(const Writer *w, const DaeRoutineStep *s)
{
  const DaeRoutineCode *callee = w->code->callees[s->a];
  g_string_append(w->out, "{ ");
  write_list(w, w->code->lists + s->b, callee->n_inputs, "c");
  g_string_append_printf(w->out, "double o[%u];\ndae_routine_%u(c, o, b);\n", callee->n_outputs,
                         number_of(w, callee));
  for (uint32_t k = 0; k < callee->n_outputs; k++) {
    g_string_append_printf(w->out, "r%u = o[%u]; ", s->to + k, k);
  }
  g_string_append(w->out, "}\n");
}

static void
write_step(const Writer *w, const DaeRoutineStep *s)
{
  GString *out = w->out;
  switch ((DaeStepKind)s->kind) {
  case DAE_STEP_ADD:
    g_string_append_printf(out, "r%u = D(r%u + r%u);\n", s->to, s->a, s->b);
    break;
  case DAE_STEP_MULTIPLY:
    g_string_append_printf(out, "r%u = D(r%u * r%u);\n", s->to, s->a, s->b);
    break;
  case DAE_STEP_DIVIDE:
    g_string_append_printf(out, "r%u = D(1.0 / r%u);\n", s->to, s->a);
    break;
  case DAE_STEP_INTEGER:
    g_string_append_printf(out, "r%u = dae_integer_power(r%u, %uu);\n", s->to, s->a, s->c);
    break;
  case DAE_STEP_ROOT:
    g_string_append_printf(out, "r%u = __builtin_sqrt(r%u);\n", s->to, s->a);
    break;
  case DAE_STEP_POWER:
    g_string_append_printf(out, "r%u = r%u != r%u || r%u != r%u ? NAN : D(pow(r%u, r%u));\n",
                           s->to, s->a, s->a, s->b, s->b, s->a, s->b);
    break;
  case DAE_STEP_FUNCTION:
    write_function(w, s);
    break;
  case DAE_STEP_CHOOSE:
    g_string_append_printf(out, "r%u = r%u != r%u ? NAN : r%u != 0.0 ? r%u : r%u;\n", s->to,
                           s->a, s->a, s->a, s->b, s->c);
    break;
  case DAE_STEP_RELATION:
    write_relation(w, s);
    break;
  case DAE_STEP_AND:
    g_string_append_printf(out, "r%u = dae_junction(r%u, r%u, 0.0);\n", s->to, s->a, s->b);
    break;
  case DAE_STEP_OR:
    g_string_append_printf(out, "r%u = dae_junction(r%u, r%u, 1.0);\n", s->to, s->a, s->b);
    break;
  case DAE_STEP_NOT:
    g_string_append_printf(out, "r%u = r%u != r%u ? NAN : r%u == 0.0 ? 1.0 : 0.0;\n", s->to,
                           s->a, s->a, s->a);
    break;
  case DAE_STEP_ELEMENT:
    write_element(w, s);
    break;
  case DAE_STEP_INTERVAL:
    write_data(w, s, false);
    break;
  case DAE_STEP_LOOKUP:
    write_data(w, s, true);
    break;
  case DAE_STEP_CALL:
    write_call(w, s);
    break;
  }
}

static void
write_steps(const Writer *w, uint32_t from, uint32_t to)
{
  for (uint32_t i = from; i < to; i++) {
    write_step(w, &w->code->steps[i]);
  }
}

/* All states change at once. */
static void
write_states(const Writer *w, const uint32_t *from)
{
  const DaeRoutineCode *code = w->code;
  uint32_t first = code->n_constants + code->n_inputs;
  g_string_append(w->out, "{ ");
  write_list(w, from, code->n_states, "f");
  for (uint32_t s = 0; s < code->n_states; s++) {
    g_string_append_printf(w->out, "r%u = f[%u]; ", first + s, s);
  }
  g_string_append(w->out, "}\n");
}

static void
write_loop(const Writer *w)
{
  const DaeRoutineCode *code = w->code;
  write_steps(w, 0, code->initial_end);
  write_states(w, code->initial);
  g_string_append(w->out, "for (;;) {\n");
  write_steps(w, code->initial_end, code->condition_end);
  g_string_append_printf(w->out,
                         "if (r%u != r%u || ++b->rounds > %uu) { goto fail; }\n"
                         "if (r%u == 0.0) { break; }\n",
                         code->condition, code->condition, DAE_ROUTINE_MAX_ROUNDS,
                         code->condition);
  write_steps(w, code->condition_end, code->next_end);
  write_states(w, code->next);
  g_string_append(w->out, "}\n");
}

static void
write_registers(const Writer *w)
{
  const DaeRoutineCode *code = w->code;
  for (uint32_t i = 0; i < code->n_constants; i++) {
    if (isnan(code->constants[i])) {
      g_string_append_printf(w->out, "const double r%u = NAN;\n", i);
    } else {
      char text[64];
      g_snprintf(text, sizeof text, "%a", code->constants[i]);
      g_string_append_printf(w->out, "const double r%u = %s;\n", i,
                             isinf(code->constants[i]) ? "HUGE_VAL" : text);
    }
  }
  for (uint32_t i = 0; i < code->n_inputs; i++) {
    g_string_append_printf(w->out, "const double r%u = D(x[%u]);\n", code->n_constants + i, i);
  }
  for (uint32_t i = code->n_constants + code->n_inputs; i < code->n_registers; i++) {
    g_string_append_printf(w->out, "double r%u = 0.0;\n", i);
  }
}

/* By the address of its code. */
static void
write_method(const Writer *w)
{
  void (*const function)(const DaeRoutineCode *, const double *, double *) =
      dae_routine_run_method;
  uintptr_t address = 0;
  memcpy(&address, &function, sizeof address);
  g_string_append_printf(
      w->out,
      "((void (*)(const void *, const double *, double *))%" G_GUINT64_FORMAT
      "ull)((const void *)%" G_GUINT64_FORMAT "ull, x, y);\n"
      "b->depth--;\nreturn;\n}\nout:\nfor (int k = 0; k < %u; k++) { y[k] = NAN; }\n}\n",
      (uint64_t)address, (uint64_t)(uintptr_t)w->code, w->code->n_outputs);
}

static void
write_routine(const Writer *w)
{
  const DaeRoutineCode *code = w->code;
  g_string_append_printf(w->out,
                         "static void dae_routine_%u(const double *x, double *y, "
                         "struct dae_budget *b)\n{\n"
                         "if (b->depth >= %uu || ++b->rounds > %uu) { goto out; }\n"
                         "b->depth++;\n{\n",
                         number_of(w, code), DAE_ROUTINE_MAX_DEPTH, DAE_ROUTINE_MAX_ROUNDS);
  if (code->is_method) {
    write_method(w);
    return;
  }
  write_registers(w);
  if (code->n_states > 0) {
    write_loop(w);
  }
  write_steps(w, code->next_end, code->n_steps);
  for (uint32_t k = 0; k < code->n_outputs; k++) {
    g_string_append_printf(w->out, "y[%u] = r%u;\n", k, code->outputs[k]);
  }
  g_string_append_printf(w->out,
                         "b->depth--;\nreturn;\n}\n%sout:\n"
                         "for (int k = 0; k < %u; k++) { y[k] = NAN; }\n}\n",
                         code->n_states > 0 ? "fail:\nb->depth--;\n" : "", code->n_outputs);
}

static const char helpers[] =
    "struct dae_budget { unsigned rounds, depth; };\n"
    "static inline double D(double v) { return __builtin_isfinite(v) ? v : NAN; }\n"
    "static double dae_integer_power(double base, unsigned exponent)\n{\n"
    "double result = 1.0;\n"
    "for (; exponent > 0; exponent >>= 1) {\n"
    "result = (exponent & 1u) != 0 ? result * base : result;\n"
    "base *= exponent > 1 ? base : 1.0;\n}\nreturn D(result);\n}\n"
    "static inline double dae_junction(double a, double b, double deciding)\n{\n"
    "if (a == deciding || b == deciding) { return deciding; }\n"
    "return a != a || b != b ? NAN : 1.0 - deciding;\n}\n";

static void
add_code(GPtrArray *all, GHashTable *numbers, const DaeRoutineCode *code)
{
  if (!g_hash_table_contains(numbers, code)) {
    g_ptr_array_add(all, (gpointer)code);
    g_hash_table_insert(numbers, (gpointer)code, GUINT_TO_POINTER(all->len));
  }
}

/* The codes and all that they call. */
static GPtrArray *
list_codes(const DaeRoutineCode *const *codes, uint32_t n, GHashTable *numbers)
{
  GPtrArray *all = g_ptr_array_new();
  for (uint32_t i = 0; i < n; i++) {
    add_code(all, numbers, codes[i]);
  }
  for (uint32_t i = 0; i < all->len; i++) {
    const DaeRoutineCode *code = g_ptr_array_index(all, i);
    for (uint32_t k = 0; k < code->n_callees; k++) {
      add_code(all, numbers, code->callees[k]);
    }
  }
  return all;
}

bool
dae_routine_code_write(const DaeRoutineCode *const *codes, uint32_t n, uint32_t most_steps,
                       GString *out)
{
  g_autoptr(GHashTable) table = g_hash_table_new(NULL, NULL);
  g_autoptr(GPtrArray) all = list_codes(codes, n, table);
  uint64_t steps = 0;
  for (uint32_t i = 0; i < all->len; i++) {
    steps += ((const DaeRoutineCode *)g_ptr_array_index(all, i))->n_steps;
  }
  if (steps > most_steps) {
    return false;
  }
  g_string_append(out, helpers);
  for (uint32_t i = 0; i < all->len; i++) {
    g_string_append_printf(
        out, "static void dae_routine_%u(const double *, double *, struct dae_budget *);\n", i);
  }
  for (uint32_t i = 0; i < all->len; i++) {
    write_routine(&(Writer){g_ptr_array_index(all, i), table, out});
  }
  for (uint32_t i = 0; i < n; i++) {
    g_string_append_printf(out,
                           "static void dae_run_%u(const double *x, double *y)\n{\n"
                           "struct dae_budget b = {0, 0};\ndae_routine_%u(x, y, &b);\n}\n",
                           i, GPOINTER_TO_UINT(g_hash_table_lookup(table, codes[i])) - 1);
  }
  return true;
}
