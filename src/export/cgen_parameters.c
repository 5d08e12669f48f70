/* Parameters of exported code: values that can be set, those that follow from them, and
 * what is computed from them once. */
#include <string.h>

#include "export/cgen-priv.h"

/* unknowns and constraints of a start that is found there: the matrices are dense */
#define LARGEST 300u

/* ---- constants --------------------------------------------------------------------------- */

DaeCgenConstants *
dae_cgen_constants_new(const DaeProgram *program, const char *name)
{
  DaeCgenConstants *constants = g_new0(DaeCgenConstants, 1);
  constants->program = program;
  constants->name = name;
  constants->nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  constants->place = g_hash_table_new(NULL, NULL);
  return constants;
}

void
dae_cgen_constants_free(DaeCgenConstants *constants)
{
  if (constants == NULL) {
    return;
  }
  g_array_free(constants->nodes, TRUE);
  g_hash_table_unref(constants->place);
  g_free(constants);
}

uint32_t
dae_cgen_constants_place(DaeCgenConstants *constants, uint32_t node)
{
  gpointer known = g_hash_table_lookup(constants->place, GUINT_TO_POINTER(node + 1));
  if (known != NULL) {
    return GPOINTER_TO_UINT(known) - 1;
  }
  g_array_append_val(constants->nodes, node);
  g_hash_table_insert(constants->place, GUINT_TO_POINTER(node + 1),
                      GUINT_TO_POINTER(constants->nodes->len));
  return constants->nodes->len - 1;
}

typedef struct {
  uint32_t first_input;
} Inputs;

static void
append_parameter(const void *user, uint32_t input, GString *out)
{
  const Inputs *inputs = user;
  g_string_append_printf(out, "p[%u]", input - inputs->first_input);
}

static void
write_function(const DaeCgen *gen, const DaeProgram *program, const GArray *nodes,
               const char *name, uint32_t first_input)
{
  static const char *const unused[] = {"p", "out", NULL};
  const Inputs inputs = {first_input};
  const DaeCgenFunction function = {.program = program,
                                    .outputs = (const uint32_t *)(const void *)nodes->data,
                                    .n_outputs = nodes->len,
                                    .function = name,
                                    .arguments = "const double *p",
                                    .pass = "p",
                                    .result = "double *out",
                                    .pass_result = "out",
                                    .append_input = append_parameter,
                                    .user = &inputs,
                                    .is_static = true,
                                    .unused = unused};
  DaeCgen there = *gen;
  there.out = gen->constant_text;
  if (!dae_cgen_looped_function(&there, &function)) {
    dae_cgen_function(&there, &function, NULL);
  }
}

/* The values of the nodes at the parameters of the problem. */
static void
evaluate(const DaeCgen *gen, const DaeProgram *program, const GArray *nodes,
         uint32_t first_input, double *values)
{
  const uint32_t n_inputs = first_input + gen->parts->n_segment;
  g_autofree uint32_t *source = g_new(uint32_t, n_inputs);
  g_autofree uint32_t *index = g_new0(uint32_t, n_inputs);
  for (uint32_t i = 0; i < n_inputs; i++) {
    source[i] = i < first_input ? DAE_SOURCE_TIME : DAE_SOURCE_SEGMENT;
    index[i] = i < first_input ? 0 : i - first_input;
  }
  const uint32_t group_start[2] = {0, nodes->len};
  const DaeTapePlan plan = {.program = program,
                            .outputs = (const uint32_t *)(const void *)nodes->data,
                            .group_start = group_start,
                            .n_groups = 1,
                            .input_source = source,
                            .input_index = index};
  g_autoptr(DaeTape) tape = dae_tape_from_program(&plan);
  void *scratch = dae_aligned_new0(dae_tape_scratch_size(tape));
  double *const outs[1] = {values};
  const DaeTapeInputs inputs = {.sources = {[DAE_SOURCE_TIME] = &gen->model->t_start,
                                            [DAE_SOURCE_SEGMENT] = gen->parts->segment_values}};
  (void)dae_tape_eval_groups(tape, scratch, 1, 1, &inputs, outs, NULL);
  free(scratch);
}

uint32_t
dae_cgen_n_event(const DaeCgen *gen)
{
  return gen->model->events != NULL ? gen->model->events->n_event : 0;
}

uint32_t
dae_cgen_n_parameters(const DaeCgen *gen)
{
  return gen->parts->n_segment - dae_cgen_n_event(gen);
}

void
dae_cgen_write_constants(const DaeCgen *gen, const DaeCgenConstants *constants,
                         uint32_t first_input)
{
  const uint32_t n = constants != NULL ? constants->nodes->len : 0;
  if (n == 0) {
    return;
  }
  g_autofree double *values = g_new0(double, n);
  g_autofree char *name = g_strdup_printf("compute_%s", constants->name);
  evaluate(gen, constants->program, constants->nodes, first_input, values);
  dae_cgen_double_table(gen, gen->constant_text, "static", constants->name, values, n);
  g_string_append_c(gen->constant_text, '\n');
  write_function(gen, constants->program, constants->nodes, name, first_input);
}

/* ---- setting ----------------------------------------------------------------------------- */

bool
dae_cgen_start_is_small(const DaeCgen *gen)
{
  return gen->parts->n_con <= LARGEST && gen->parts->n <= LARGEST;
}

bool
dae_cgen_finds_start(const DaeCgen *gen)
{
  return dae_cgen_n_parameters(gen) > 0 && gen->parts->n_con > 0 &&
         dae_cgen_start_is_small(gen);
}

void
dae_cgen_parameter_prototypes(const DaeCgen *gen, GString *out)
{
  if (dae_cgen_n_parameters(gen) == 0) {
    return;
  }
  dae_cgen_append(
      gen, out,
      "\n/* Parameters, for all instances together. set: 0, or 1 where there is none of that "
      "name; "
      "parameters that were given\n"
      " * by others follow, until they are set themselves. After it a start has to be found "
      "again "
      "(@_init does that). */\n"
      "extern const char *const @_parameter_names[];\n"
      "extern double @_parameters[]; /* read them; write through @_set or @_set_parameter */\n"
      "int @_set(const char *name, double value);\n"
      "void @_set_parameter(unsigned number, double value);\n");
  if (dae_cgen_finds_start(gen)) {
    dae_cgen_append(gen, out,
                    "/* x becomes the nearest point with g = 0, from where it is. 0: found; 1: "
                    "outside a domain; 2: none found. */\n"
                    "int @_find_start(double t, double *x);\n");
  }
}

void
dae_cgen_parameter_tables(const DaeCgen *gen, GString *out)
{
  const uint32_t n = dae_cgen_n_parameters(gen);
  if (n > 0) {
    dae_cgen_string_table(gen, out, "const", "parameter_names", gen->model->parameter_names, n);
    dae_cgen_double_table(gen, out, "", "parameters",
                          gen->parts->segment_values + dae_cgen_n_event(gen), n);
  }
}

/* The parameters that follow from others, as nodes of the program of the
 * model; places: which they are. */
static bool
compile_followers(const DaeCgen *gen, GArray *nodes, GArray *places, GError **error)
{
  for (uint32_t k = 0; k < dae_cgen_n_parameters(gen); k++) {
    uint32_t node = 0;
    const DaeTerm t = gen->model->parameter_terms[k];
    if (t == DAE_NO_TERM) {
      continue;
    }
    if (!dae_compiler_compile(gen->compiler, t, &node, error)) {
      return false;
    }
    g_array_append_val(nodes, node);
    g_array_append_val(places, k);
  }
  return true;
}

static const char follow_text[] =
    "static void @_follow(void)\n"
    "{\n"
    "  double out[sizeof @_follower / sizeof @_follower[0]];\n"
    "  unsigned i;\n"
    "  @_compute_followers(@_parameters, out);\n"
    "  for (i = 0u; i < sizeof @_follower / sizeof @_follower[0]; i++) {\n"
    "    if (!@_is_set[@_follower[i]]) {\n"
    "      @_parameters[@_follower[i]] = out[i];\n"
    "    }\n"
    "  }\n"
    "}\n\n";

static const char set_text[] = "}\n\n"
                               "int @_set(const char *name, double value)\n"
                               "{\n"
                               "  unsigned k;\n"
                               "  for (k = 0u; k < ^_N_PARAMETERS; k++) {\n"
                               "    if (strcmp(name, @_parameter_names[k]) == 0) {\n"
                               "      @_set_parameter(k, value);\n"
                               "      return 0;\n"
                               "    }\n"
                               "  }\n"
                               "  return 1;\n"
                               "}\n\n";

static void
append_followers(const DaeCgen *gen, const GArray *nodes, const GArray *places)
{
  GString *out = gen->constant_text;
  g_string_append_printf(out, "static const unsigned %s_follower[%u] = {", gen->model->prefix,
                         places->len);
  for (guint i = 0; i < places->len; i++) {
    g_string_append_printf(out, "%s%uu", i > 0 ? ", " : "", g_array_index(places, uint32_t, i));
  }
  g_string_append(out, "};\n");
  write_function(gen, gen->program, nodes, "compute_followers",
                 1 + 2 * gen->parts->n + dae_cgen_n_event(gen));
  dae_cgen_append(gen, out, follow_text);
}

bool
dae_cgen_write_setters(const DaeCgen *gen, GError **error)
{
  GString *out = gen->constant_text;
  g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (dae_cgen_n_parameters(gen) == 0) {
    return true;
  }
  if (!compile_followers(gen, nodes, places, error)) {
    return false;
  }
  dae_cgen_append(gen, out, "static unsigned char @_is_set[^_N_PARAMETERS];\n");
  const bool counts = dae_cgen_start_asks(gen);
  if (counts) {
    dae_cgen_append(gen, out, "static unsigned @_n_set = 0u; /* the exported start holds */\n");
  }
  g_string_append_c(out, '\n');
  if (places->len > 0) {
    append_followers(gen, nodes, places);
  }
  dae_cgen_append(gen, out,
                  "void @_set_parameter(unsigned number, double value)\n"
                  "{\n"
                  "  @_parameters[number] = value;\n"
                  "  @_is_set[number] = 1u;\n");
  dae_cgen_append(gen, out, counts ? "  @_n_set++;\n" : "");
  dae_cgen_append(gen, out, places->len > 0 ? "  @_follow();\n" : "");
  static const char *const tables[] = {"constants", "step_constants"};
  for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
    g_autofree char *call =
        g_strdup_printf("@_compute_%s(@_parameters, @_%s);\n", tables[i], tables[i]);
    g_autofree char *table =
        g_strdup_printf("static double %s_%s[", gen->model->prefix, tables[i]);
    if (strstr(out->str, table) != NULL) {
      g_string_append(out, "  ");
      dae_cgen_append(gen, out, call);
    }
  }
  dae_cgen_append(gen, out, set_text);
  return true;
}
