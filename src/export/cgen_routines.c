/* Routines (terms/routines.h) as C functions.
 *
 *     static void PREFIX_routine_7(const double *x, double *y, int depth)
 *
 * with its parts initial, condition, next and outputs as straight-line functions of the inputs
 * x and the states s. The limits are those of the interpreter: beyond, and where the condition
 * is not defined, all outputs are NaN. */
#include "export/cgen-priv.h"

typedef struct {
  const DaeCgen *gen;
  uint32_t number;
  const DaeRoutine *routine;
} Routine;

static void
append_formal(const void *user, uint32_t input, GString *out)
{
  const Routine *r = user;
  if (input < r->routine->n_inputs) {
    g_string_append_printf(out, "x[%u]", input);
  } else {
    g_string_append_printf(out, "s[%u]", input - r->routine->n_inputs);
  }
}

/* static void PREFIX_routine_7_part(const double *x, const double *s, int depth, double *out) */
static bool
write_part(const Routine *r, const char *part, const DaeTerm *outputs, uint32_t n,
           GError **error)
{
  const DaeCgen *gen = r->gen;
  g_autoptr(DaeProgram) program = dae_program_new();
  g_autoptr(DaeCompiler) compiler = dae_compiler_new(gen->terms, program);
  g_autofree uint32_t *nodes = g_new(uint32_t, n + 1);
  g_autofree char *name = g_strdup_printf("routine_%u_%s", r->number, part);
  g_autofree char *data = g_strdup_printf("%s_%s_", gen->model->prefix, name);
  for (uint32_t i = 0; i < r->routine->n_inputs + r->routine->n_states; i++) {
    dae_compiler_bind(compiler, r->routine->inputs[i], i, DAE_LEVEL_POINT);
  }
  dae_compiler_announce(compiler, outputs, n);
  for (uint32_t k = 0; k < n; k++) {
    if (!dae_compiler_compile(compiler, outputs[k], &nodes[k], error)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < dae_program_n_data(program); i++) {
    uint32_t length;
    const double *values = dae_program_data(program, i, &length);
    dae_emit_data_array(gen->out, data, i, values, length);
  }
  static const char *const unused[] = {"x", "s", "depth", "out", NULL};
  DaeCgenFunction function = {.program = program,
                              .outputs = nodes,
                              .n_outputs = n,
                              .function = name,
                              .arguments = "const double *x, const double *s, int depth",
                              .pass = "x, s, depth",
                              .result = "double *out",
                              .pass_result = "out",
                              .append_input = append_formal,
                              .user = r,
                              .is_static = true,
                              .unused = unused,
                              .depth = "depth + 1",
                              .data_prefix = data};
  dae_cgen_function(gen, &function, NULL);
  return true;
}

/* One that calls itself has at most one round of its loop: x/0 stands for "no value". */
static void
write_loop(const Routine *r)
{
  GString *out = r->gen->out;
  const char *prefix = r->gen->model->prefix;
  uint32_t n = r->routine->n_states;
  g_string_append_printf(
      out,
      "  double s[%u];\n  double next[%u];\n  double goes_on[1];\n"
      "  long rounds = 0;\n  int is_defined = depth < %u;\n"
      "  if (is_defined) {\n    %s_routine_%u_initial(x, x, depth, s);\n  }\n"
      "  while (is_defined) {\n"
      "    %s_routine_%u_condition(x, s, depth, goes_on);\n"
      "    is_defined = !(goes_on[0] != goes_on[0]) && ++rounds <= %uL;\n"
      "    if (!is_defined || goes_on[0] == 0.0) {\n      break;\n    }\n"
      "    %s_routine_%u_next(x, s, depth, next);\n"
      "    for (int i = 0; i < %u; i++) {\n      s[i] = next[i];\n    }\n  }\n",
      n, n, DAE_ROUTINE_MAX_DEPTH, prefix, r->number, prefix, r->number, DAE_ROUTINE_MAX_ROUNDS,
      prefix, r->number, n);
}

/* One that is computed by a method: what is not finite has no value, as in the interpreter. */
static void
write_method(const Routine *r, const DaeMethod *method)
{
  GString *out = r->gen->out;
  const char *prefix = r->gen->model->prefix;
  g_string_append_printf(
      out, "static void %s_routine_%u(const double *x, double *y, int depth)\n{\n", prefix,
      r->number);
  g_string_append(out, "  static const int sizes[] = {");
  for (uint32_t i = 0; i < DAE_METHOD_SIZES; i++) {
    g_string_append_printf(out, "%s%d", i > 0 ? ", " : "", method->sizes[i]);
  }
  g_string_append_printf(
      out,
      "};\n  double work[%u];\n  int places[%u];\n"
      "  int is_defined = 1;\n  int i;\n  (void)depth;\n"
      "  for (i = 0; i < %u; i++) {\n"
      "    is_defined = is_defined && x[i] - x[i] == 0.0;\n  }\n"
      "  for (i = 0; i < %u; i++) {\n    y[i] = (double)NAN;\n  }\n"
      "  if (is_defined) {\n    %s_method_%s(sizes, x, y, work, places);\n  }\n"
      "  for (i = 0; i < %u; i++) {\n"
      "    y[i] = is_defined && y[i] - y[i] == 0.0 ? y[i] : (double)NAN;\n"
      "  }\n}\n\n",
      method->n_work, method->n_places, r->routine->n_inputs, r->routine->n_outputs, prefix,
      method->name, r->routine->n_outputs);
}

/* The text of each method that is used, once. */
static void
write_methods(const DaeCgen *gen, const GArray *numbers)
{
  g_autoptr(GHashTable) written = g_hash_table_new(g_str_hash, g_str_equal);
  for (uint32_t i = 0; i < numbers->len; i++) {
    const DaeMethod *method =
        dae_terms_routine_method(gen->terms, g_array_index(numbers, uint32_t, i));
    if (method == NULL) {
      continue;
    }
    if (g_hash_table_size(written) == 0) {
      dae_cgen_append(gen, gen->out, dae_cgen_method_text(NULL));
    }
    if (g_hash_table_add(written, (gpointer)method->name)) {
      dae_cgen_append(gen, gen->out, dae_cgen_method_text(method->name));
    }
  }
}

static bool
write_routine(const Routine *r, GError **error)
{
  GString *out = r->gen->out;
  const DaeRoutine *routine = r->routine;
  DaeTerms *terms = r->gen->terms;
  const char *prefix = r->gen->model->prefix;
  bool has_loop = routine->n_states > 0;
  const DaeMethod *method = dae_terms_routine_method(terms, r->number);
  if (method != NULL) {
    write_method(r, method);
    return true;
  }
  if (has_loop) {
    DaeTerm condition =
        dae_term_if(terms, routine->condition, dae_term_int(terms, 1), dae_term_int(terms, 0));
    if (!write_part(r, "initial", routine->initial, routine->n_states, error) ||
        !write_part(r, "condition", &condition, 1, error) ||
        !write_part(r, "next", routine->next, routine->n_states, error)) {
      return false;
    }
  }
  if (!write_part(r, "outputs", routine->outputs, routine->n_outputs, error)) {
    return false;
  }
  g_string_append_printf(
      out, "static void %s_routine_%u(const double *x, double *y, int depth)\n{\n", prefix,
      r->number);
  if (has_loop) {
    write_loop(r);
  } else {
    g_string_append_printf(out, "  const int is_defined = depth < %u;\n",
                           DAE_ROUTINE_MAX_DEPTH);
  }
  g_string_append_printf(out,
                         "  if (is_defined) {\n    %s_routine_%u_outputs(x, %s, depth, y);\n"
                         "  } else {\n    for (int i = 0; i < %u; i++) {\n"
                         "      y[i] = (double)NAN;\n    }\n  }\n}\n\n",
                         prefix, r->number, has_loop ? "s" : "x", routine->n_outputs);
  return true;
}

/* ---- the routines that are called ------------------------------------------------------- */

void
dae_cgen_note_call(const DaeCgen *gen, uint32_t routine)
{
  for (uint32_t i = 0; i < gen->called->len; i++) {
    if (g_array_index(gen->called, uint32_t, i) == routine) {
      return;
    }
  }
  g_array_append_val(gen->called, routine);
}

bool
dae_cgen_uses_methods(const DaeCgen *gen)
{
  bool uses = false;
  for (uint32_t i = 0; i < gen->called->len && !uses; i++) {
    uses =
        dae_terms_routine_method(gen->terms, g_array_index(gen->called, uint32_t, i)) != NULL;
  }
  return uses;
}

/* Routines call others, which are then noted behind them. */
static bool
write_bodies(const DaeCgen *gen, GError **error)
{
  for (uint32_t i = 0; i < gen->called->len; i++) {
    uint32_t number = g_array_index(gen->called, uint32_t, i);
    const DaeRoutine parts = *dae_terms_routine(gen->terms, number);
    const Routine r = {gen, number, &parts};
    if (!write_routine(&r, error)) {
      return false;
    }
  }
  return true;
}

bool
dae_cgen_routines(DaeCgen *gen, GError **error)
{
  g_autoptr(GString) bodies = g_string_new(NULL);
  GString *out = gen->out;
  gen->out = bodies;
  bool is_good = write_bodies(gen, error);
  gen->out = out;
  if (!is_good) {
    return false;
  }
  write_methods(gen, gen->called);
  for (uint32_t i = 0; i < gen->called->len; i++) {
    g_string_append_printf(
        out, "static void %s_routine_%u(const double *x, double *y, int depth);\n",
        gen->model->prefix, g_array_index(gen->called, uint32_t, i));
  }
  g_string_append(out, gen->called->len > 0 ? "\n" : "");
  g_string_append_len(out, bodies->str, (gssize)bodies->len);
  return true;
}
