/* Exported C: header, tables, model functions, tests; the integrator is in cgen_step.c. */
#include "export/cgen.h"

#include <string.h>

#include "export/cgen-priv.h"

/* ---- text -------------------------------------------------------------------------------- */

char *
dae_cgen_identifier(const char *name)
{
  GString *out = g_string_new(NULL);
  for (const char *p = name; *p != '\0'; p++) {
    g_string_append_c(out, g_ascii_isalnum(*p) ? g_ascii_tolower(*p) : '_');
  }
  if (out->len == 0 || g_ascii_isdigit(out->str[0]) || out->str[0] == '_') {
    g_string_prepend(out, "model_");
  }
  return g_string_free(out, FALSE);
}

void
dae_cgen_append(const DaeCgen *gen, GString *out, const char *text)
{
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '@') {
      g_string_append(out, gen->model->prefix);
    } else if (*p == '^') {
      g_string_append(out, gen->upper);
    } else {
      g_string_append_c(out, *p);
    }
  }
}

/* Begins a table and, after each value, breaks lines near column 100. */
static void
begin_table(const DaeCgen *gen, GString *out, const char *type, const char *name, uint32_t n)
{
  g_string_append_printf(out, "%s %s_%s[%u] = {", type, gen->model->prefix, name, MAX(n, 1));
  if (n == 0) {
    g_string_append(out, "0");
  }
}

static void
separate(GString *out, uint32_t i, size_t *line_start)
{
  if (i > 0) {
    g_string_append(out, ",");
  }
  if (out->len - *line_start > 90) {
    g_string_append(out, "\n  ");
    *line_start = out->len;
  } else if (i > 0) {
    g_string_append(out, " ");
  }
}

void
dae_cgen_index_table(const DaeCgen *gen, GString *out, const char *name, const uint32_t *values,
                     uint32_t n)
{
  g_autofree char *type = g_strdup_printf("static const %s_index", gen->model->prefix);
  size_t line_start = out->len;
  begin_table(gen, out, type, name, n);
  for (uint32_t i = 0; i < n; i++) {
    separate(out, i, &line_start);
    if (values[i] == UINT32_MAX) {
      g_string_append_printf(out, "%s_NONE", gen->upper);
    } else {
      g_string_append_printf(out, "%u", values[i]);
    }
  }
  g_string_append(out, "};\n");
}

void
dae_cgen_unsigned_table(const DaeCgen *gen, const char *linkage, const char *name,
                        const uint32_t *values, uint32_t n)
{
  g_autofree char *type = g_strdup_printf("%s unsigned", linkage);
  size_t line_start = gen->out->len;
  begin_table(gen, gen->out, type, name, n);
  for (uint32_t i = 0; i < n; i++) {
    separate(gen->out, i, &line_start);
    g_string_append_printf(gen->out, "%uu", values[i]);
  }
  g_string_append(gen->out, "};\n");
}

void
dae_cgen_double_table(const DaeCgen *gen, GString *out, const char *linkage, const char *name,
                      const double *values, uint32_t n)
{
  g_autofree char *type = g_strdup_printf("%s double", linkage);
  size_t line_start = out->len;
  begin_table(gen, out, type, name, n);
  for (uint32_t i = 0; i < n; i++) {
    separate(out, i, &line_start);
    dae_emit_double(out, values[i]);
  }
  g_string_append(out, n == 0 ? ".0};\n" : "};\n");
}

void
dae_cgen_c_string(GString *out, const char *text)
{
  g_string_append_c(out, '"');
  for (const char *p = text; *p != '\0'; p++) {
    if (*p == '"' || *p == '\\') {
      g_string_append_c(out, '\\');
      g_string_append_c(out, *p);
    } else if ((unsigned char)*p < 32 || (unsigned char)*p > 126 || *p == '?') {
      g_string_append_printf(out, "\\%03o",
                             (unsigned)(unsigned char)*p); /* '?': no trigraphs */
    } else {
      g_string_append_c(out, *p);
    }
  }
  g_string_append_c(out, '"');
}

void
dae_cgen_string_table(const DaeCgen *gen, GString *out, const char *linkage, const char *name,
                      const char *const *values, uint32_t n)
{
  g_autofree char *type = g_strdup_printf("%s char *const", linkage);
  size_t line_start = out->len;
  begin_table(gen, out, type, name, n);
  for (uint32_t i = 0; i < n; i++) {
    separate(out, i, &line_start);
    dae_cgen_c_string(out, values[i] != NULL ? values[i] : "");
  }
  g_string_append(out, "};\n");
}

/* ---- model functions --------------------------------------------------------------------- */

void
dae_cgen_append_segment(const DaeCgen *gen, uint32_t i, GString *out)
{
  const uint32_t n_event = dae_cgen_n_event(gen);
  if (i < n_event) {
    g_string_append_printf(out, "%s_segment[%u]", gen->model->prefix, i);
  } else {
    g_string_append_printf(out, "%s_parameters[%u]", gen->model->prefix, i - n_event);
  }
}

static void
append_model_input(const void *user, uint32_t input, GString *out)
{
  const DaeCgen *gen = user;
  const uint32_t n = gen->parts->n;
  if (input == 0) {
    g_string_append(out, "t");
  } else if (input <= n) {
    g_string_append_printf(out, "x[%u]", input - 1);
  } else if (input <= 2 * n) {
    g_string_append_printf(out, "xdot[%u]", input - 1 - n);
  } else {
    dae_cgen_append_segment(gen, input - 1 - 2 * n, out);
  }
}

typedef struct {
  const char *name, *comment;
  bool has_slopes;
} PartText;

static const PartText part_texts[DAE_PART_COUNT] = {
    [DAE_PART_F] = {"f", "right-hand sides", false},
    [DAE_PART_G] = {"g", "constraints", false},
    [DAE_PART_M] = {"m", "values of the leading matrix", false},
    [DAE_PART_K] = {"k", "values of d/dx (f - M x') with x' fixed", true},
    [DAE_PART_GX] = {"gx", "values of dg/dx", false},
    [DAE_PART_GT] = {"gt", "dg/dt", false},
    [DAE_PART_FT] = {"ft", "d/dt (f - M x') with x' fixed", true},
};

void
dae_cgen_model_functions(const DaeCgen *gen)
{
  static const char *const plain[] = {"t", "x", "out", NULL};
  static const char *const with_slopes[] = {"t", "x", "xdot", "out", NULL};
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    const PartText *text = &part_texts[p];
    const DaeCgenFunction function = {
        .program = gen->program,
        .outputs = gen->nodes[p],
        .n_outputs = gen->st.terms[p]->len,
        .function = text->name,
        .arguments = text->has_slopes ? "double t, const double *x, const double *xdot"
                                      : "double t, const double *x",
        .pass = text->has_slopes ? "t, x, xdot" : "t, x",
        .result = "double *out",
        .pass_result = "out",
        .append_input = append_model_input,
        .user = gen,
        .constants = gen->constants,
        .unused = text->has_slopes ? with_slopes : plain};
    g_string_append_printf(gen->out, "/* %s */\n", text->comment);
    if (!dae_cgen_looped_function(gen, &function)) {
      dae_cgen_function(gen, &function, NULL);
    }
  }
}

static void
append_prototypes(const DaeCgen *gen, GString *out)
{
  dae_cgen_append(gen, out,
                  "/* M(x,t) x' = f(x,t), 0 = g(x,t); sparse matrices by rows: row i has the "
                  "entries @_m_start[i] ...\n"
                  " * @_m_start[i + 1] - 1. A result that is not finite: outside the domain of "
                  "a function. */\n");
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    g_string_append_printf(
        out, "void %s_%s(double t, const double *x, %sdouble *out); /* %u: %s */\n",
        gen->model->prefix, part_texts[p].name,
        part_texts[p].has_slopes ? "const double *xdot, " : "", gen->st.terms[p]->len,
        part_texts[p].comment);
  }
  dae_cgen_append(gen, out,
                  "extern const unsigned @_m_start[], @_m_column[];\n"
                  "extern const unsigned @_k_start[], @_k_column[];\n"
                  "extern const unsigned @_gx_start[], @_gx_column[];\n\n"
                  "extern const char *const @_names[];\n"
                  "extern const char *const @_units[]; /* \"\" where there is none */\n"
                  "extern const double @_start[];        /* consistent, at ^_T_START */\n"
                  "extern const double @_start_slopes[]; /* x' there */\n");
  dae_cgen_parameter_prototypes(gen, out);
}

/* ---- the interface for other solvers ----------------------------------------------------- */

static uint32_t
collect_core(const DaeCgen *gen, uint32_t *rows)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < gen->parts->n_con && gen->model->serves != NULL; i++) {
    if (gen->model->serves[i]) {
      rows[n++] = i;
    }
  }
  return n;
}

static void
append_problem_prototypes(const DaeCgen *gen, GString *out)
{
  dae_cgen_append(
      gen, out,
      "\n/* For solvers. The whole system, over-determined: res = (M x' - f; g), ^_N_DIFF + "
      "^_N_CON rows. Its square core,\n"
      " * index 1: M x' - f and the ^_N_CORE constraints @_core[]. 0: fine, 1: outside the "
      "domain. */\n"
      "int @_residual(double t, const double *x, const double *xdot, double *res);\n"
      "int @_core_residual(double t, const double *x, const double *xdot, double *res);\n"
      "/* d res/dx + cj * d res/dx', dense, column by column: jac[column * ^_N + row]. */\n"
      "int @_core_jacobian(double t, double cj, const double *x, const double *xdot, double "
      "*jac);\n"
      "extern const unsigned @_core[];\n"
      "extern const double @_is_differential[]; /* 1.0, or 0.0 where x' does not occur */\n"
      "int @_self_test(void); /* 0: the functions give the numbers they gave when this was "
      "written */\n");
}

static const char problem_text[] =
    "static int @_all_finite(const double *v, unsigned n)\n"
    "{\n"
    "  double sum = 0.0;\n"
    "  unsigned i;\n"
    "  for (i = 0u; i < n; i++) {\n"
    "    sum += v[i] - v[i];\n"
    "  }\n"
    "  return sum >= 0.0;\n"
    "}\n"
    "\n"
    "static void @_differential_residual(double t, const double *x, const double *xdot, double "
    "*res)\n"
    "{\n"
    "  double m[^_N_M + 1u];\n"
    "  unsigned i;\n"
    "  unsigned e;\n"
    "  @_f(t, x, res);\n"
    "  @_m(t, x, m);\n"
    "  for (i = 0u; i < ^_N_DIFF; i++) {\n"
    "    double sum = -res[i];\n"
    "    for (e = @_m_start[i]; e < @_m_start[i + 1u]; e++) {\n"
    "      sum += m[e] * xdot[@_m_column[e]];\n"
    "    }\n"
    "    res[i] = sum;\n"
    "  }\n"
    "}\n"
    "\n"
    "int @_residual(double t, const double *x, const double *xdot, double *res)\n"
    "{\n"
    "  @_differential_residual(t, x, xdot, res);\n"
    "  @_g(t, x, res + ^_N_DIFF);\n"
    "  return @_all_finite(res, ^_N_DIFF + ^_N_CON) ? 0 : 1;\n"
    "}\n"
    "\n"
    "int @_core_residual(double t, const double *x, const double *xdot, double *res)\n"
    "{\n"
    "  double g[^_N_CON + 1u];\n"
    "  unsigned i;\n"
    "  const unsigned n_core = ^_N_CORE;\n"
    "  @_differential_residual(t, x, xdot, res);\n"
    "  @_g(t, x, g);\n"
    "  for (i = 0u; i < n_core; i++) {\n"
    "    res[^_N_DIFF + i] = g[@_core[i]];\n"
    "  }\n"
    "  return @_all_finite(res, ^_N_DIFF + ^_N_CORE) ? 0 : 1;\n"
    "}\n"
    "\n"
    "int @_core_jacobian(double t, double cj, const double *x, const double *xdot, double "
    "*jac)\n"
    "{\n"
    "  double m[^_N_M + 1u];\n"
    "  double k[^_N_K + 1u];\n"
    "  double gx[^_N_GX + 1u];\n"
    "  unsigned i;\n"
    "  unsigned e;\n"
    "  const unsigned n_core = ^_N_CORE;\n"
    "  for (i = 0u; i < ^_N * ^_N; i++) {\n"
    "    jac[i] = 0.0;\n"
    "  }\n"
    "  @_m(t, x, m);\n"
    "  @_k(t, x, xdot, k);\n"
    "  @_gx(t, x, gx);\n"
    "  for (i = 0u; i < ^_N_DIFF; i++) {\n"
    "    for (e = @_m_start[i]; e < @_m_start[i + 1u]; e++) {\n"
    "      jac[@_m_column[e] * ^_N + i] += cj * m[e];\n"
    "    }\n"
    "    for (e = @_k_start[i]; e < @_k_start[i + 1u]; e++) {\n"
    "      jac[@_k_column[e] * ^_N + i] -= k[e];\n"
    "    }\n"
    "  }\n"
    "  for (i = 0u; i < n_core; i++) {\n"
    "    for (e = @_gx_start[@_core[i]]; e < @_gx_start[@_core[i] + 1u]; e++) {\n"
    "      jac[@_gx_column[e] * ^_N + ^_N_DIFF + i] = gx[e];\n"
    "    }\n"
    "  }\n"
    "  return @_all_finite(jac, ^_N * ^_N) ? 0 : 1;\n"
    "}\n"
    "\n"
    "int @_self_test(void)\n"
    "{\n"
    "  return @_test_functions();\n"
    "}\n";

static void
append_problem(const DaeCgen *gen)
{
  g_autofree uint32_t *rows = g_new0(uint32_t, (size_t)gen->parts->n_con + 1);
  g_autofree double *flags = g_new0(double, (size_t)gen->parts->n + 1);
  dae_cgen_unsigned_table(gen, "const", "core", rows, collect_core(gen, rows));
  for (uint32_t j = 0; j < gen->parts->n; j++) {
    flags[j] = gen->model->is_algebraic != NULL && gen->model->is_algebraic[j] ? 0.0 : 1.0;
  }
  dae_cgen_double_table(gen, gen->out, "const", "is_differential", flags, gen->parts->n);
  g_string_append_c(gen->out, '\n');
  dae_cgen_append(gen, gen->out, problem_text);
}

/* ---- test vectors ------------------------------------------------------------------------ */

/* Values of a part at the start, by the tape. False: not all finite. */
static bool
evaluate_part(const DaeCgen *gen, uint32_t part, double *values)
{
  const uint32_t n_inputs = dae_system_n_inputs(gen->parts);
  g_autofree uint32_t *source = g_new(uint32_t, n_inputs);
  g_autofree uint32_t *index = g_new(uint32_t, n_inputs);
  dae_system_sources(gen->parts, source, index);
  const DaeTapeInputs inputs = {.sources = {[DAE_SOURCE_TIME] = &gen->model->t_start,
                                            [DAE_SOURCE_POINT] = gen->model->start,
                                            [DAE_SOURCE_SLOPES] = gen->model->start_slopes,
                                            [DAE_SOURCE_SEGMENT] = gen->parts->segment_values}};
  const uint32_t group_start[2] = {0, gen->st.terms[part]->len};
  const DaeTapePlan plan = {.program = gen->program,
                            .outputs = gen->nodes[part],
                            .group_start = group_start,
                            .n_groups = 1,
                            .input_source = source,
                            .input_index = index};
  g_autoptr(DaeTape) tape = dae_tape_from_program(&plan);
  void *scratch = dae_aligned_new0(dae_tape_scratch_size(tape));
  double *const outs[1] = {values};
  const bool finite = dae_tape_eval_groups(tape, scratch, 1, 1, &inputs, outs, NULL) == 0;
  free(scratch);
  return finite;
}

static void
append_test_functions(const DaeCgen *gen)
{
  g_autoptr(GString) body = g_string_new(NULL);
  uint32_t largest = 1;
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    const uint32_t n = gen->st.terms[p]->len;
    g_autofree double *values = g_new0(double, (size_t)n + 1);
    if (n > 0 && evaluate_part(gen, p, values)) {
      g_autofree char *name = g_strdup_printf("test_%s", part_texts[p].name);
      dae_cgen_double_table(gen, gen->out, "static const", name, values, n);
      g_string_append_printf(
          body,
          "  @_%s(^_T_START, @_start, %sout);\n  status |= @_differs(out, @_%s, %uu, 1e-11);\n",
          part_texts[p].name, part_texts[p].has_slopes ? "@_start_slopes, " : "", name, n);
      largest = MAX(largest, n);
    }
  }
  dae_cgen_append(
      gen, gen->out,
      "\n/* 0: equal but for rounding. */\n"
      "static int @_differs(const double *a, const double *b, unsigned n, double tolerance)\n"
      "{\n"
      "  int status = 0;\n"
      "  unsigned i;\n"
      "  for (i = 0u; i < n; i++) {\n"
      "    if (!(fabs(a[i] - b[i]) <= tolerance * (1.0 + fabs(b[i])))) {\n"
      "      status = 3;\n"
      "    }\n"
      "  }\n"
      "  return status;\n"
      "}\n\n"
      "/* The model functions at the start. */\n"
      "static int @_test_functions(void)\n{\n");
  g_string_append_printf(gen->out, "  static double out[%u];\n  int status = 0;\n", largest);
  dae_cgen_append(gen, gen->out, body->str);
  g_string_append(gen->out, "  (void)out;\n  return status;\n}\n\n");
}

/* ---- header and source ------------------------------------------------------------------- */

static void
append_size(const DaeCgen *gen, GString *out, const char *name, uint32_t value)
{
  g_string_append_printf(out, "#define %s_%s %uu\n", gen->upper, name, value);
}

static char *
make_header(const DaeCgen *gen)
{
  GString *out = g_string_new(NULL);
  g_string_append_printf(
      out, "/* %s, reduced and written as C99 by daetool %s. Needs libm and %s. */\n",
      gen->model->model, gen->model->version,
      dae_cgen_uses_methods(gen) ? "LAPACK (-llapack -lm)" : "nothing else");
  dae_cgen_append(gen, out, "#ifndef ^_H\n#define ^_H\n\n");
  append_size(gen, out, "N", gen->parts->n);
  append_size(gen, out, "N_DIFF", gen->parts->n_diff);
  append_size(gen, out, "N_CON", gen->parts->n_con);
  append_size(gen, out, "N_M", gen->st.terms[DAE_PART_M]->len);
  append_size(gen, out, "N_K", gen->st.terms[DAE_PART_K]->len);
  append_size(gen, out, "N_GX", gen->st.terms[DAE_PART_GX]->len);
  append_size(gen, out, "N_PARAMETERS", dae_cgen_n_parameters(gen));
  if (gen->step == NULL) {
    g_autofree uint32_t *rows = g_new0(uint32_t, (size_t)gen->parts->n_con + 1);
    append_size(gen, out, "N_CORE", collect_core(gen, rows));
  }
  g_string_append_printf(out, "#define %s_T_START ", gen->upper);
  dae_emit_double(out, gen->model->t_start);
  g_string_append(out, "\n\n");
  append_prototypes(gen, out);
  if (gen->step != NULL) {
    dae_cgen_append(gen, out,
                    "extern const unsigned long @_flops_per_step, @_divisions_per_step, "
                    "@_square_roots_per_step;\n\n");
    dae_cgen_integrator_header(gen, out);
  } else {
    append_problem_prototypes(gen, out);
    g_string_append_c(out, '\n');
  }
  g_string_append(out, "#endif\n");
  return g_string_free(out, FALSE);
}

static void
append_data(const DaeCgen *gen)
{
  const DaeCgenModel *model = gen->model;
  const DaeSystemTerms *st = &gen->st;

  const struct {
    const char *name;
    const GArray *values;
  } patterns[] = {{"m_start", st->mass_start},        {"m_column", st->mass_column},
                  {"k_start", st->dynamics_start},    {"k_column", st->dynamics_column},
                  {"gx_start", st->constraint_start}, {"gx_column", st->constraint_column}};

  for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++) {
    dae_cgen_unsigned_table(gen, "const", patterns[i].name,
                            (const uint32_t *)(const void *)patterns[i].values->data,
                            patterns[i].values->len);
  }
  dae_cgen_string_table(gen, gen->out, "const", "names", model->names, gen->parts->n);
  dae_cgen_string_table(gen, gen->out, "const", "units", model->units, gen->parts->n);
  dae_cgen_double_table(gen, gen->out, "const", "start", model->start, gen->parts->n);
  dae_cgen_double_table(gen, gen->out, "const", "start_slopes", model->start_slopes,
                        gen->parts->n);
  dae_cgen_parameter_tables(gen, gen->out);
  g_string_append_c(gen->out, '\n');
}

static bool
tells_texts(const DaeCgen *gen)
{
  const DaeCgenEvents *events = gen->model->events;
  return events != NULL && (events->messages.n_words > 0 || dae_cgen_has_prints(events));
}

/* What comes after the helper functions is written first: it decides which of them are needed,
 * and which routines and libraries; the header names these. */
static char *
make_source(DaeCgen *gen, char **header, GError **error)
{
  bool used[DAE_OP_COUNT] = {false};
  g_autofree char *prefix = g_strdup_printf("%s_", gen->model->prefix);
  g_autoptr(GString) rest = g_string_new(NULL);
  g_autoptr(GString) constant_text = g_string_new(NULL);
  gen->used = used;
  gen->out = rest;
  gen->constant_text = constant_text;
  dae_cgen_model_functions(gen);
  append_test_functions(gen);
  if (gen->model->events != NULL) {
    dae_cgen_event_functions(gen);
  }
  if (gen->step != NULL) {
    dae_cgen_integrator(gen);
  } else {
    append_problem(gen);
    dae_cgen_find_start(gen, rest);
  }
  dae_cgen_write_constants(gen, gen->constants, 1 + 2 * gen->parts->n);
  if (!dae_cgen_write_setters(gen, error)) {
    return NULL;
  }
  g_autoptr(GString) routines = g_string_new(NULL);
  gen->out = routines;
  if (!dae_cgen_routines(gen, error)) {
    gen->out = NULL;
    return NULL;
  }
  *header = make_header(gen);
  gen->out = g_string_new(*header);
  dae_cgen_append(gen, gen->out,
                  dae_cgen_n_parameters(gen) > 0 ? "\n#include <math.h>\n#include <string.h>\n"
                                                 : "\n#include <math.h>\n");
  g_string_append(gen->out, tells_texts(gen) ? "#include <stdio.h>\n\n" : "\n");
  dae_cgen_append(gen, gen->out,
                  "#if defined(__clang__)\n"
                  "#pragma STDC FP_CONTRACT OFF /* the same numbers on every machine */\n"
                  "#endif\n\n");
  append_data(gen);
  if (gen->model->events != NULL) {
    dae_cgen_event_data(gen);
  }
  dae_emit_helpers(gen->out, used, prefix);
  for (uint32_t i = 0; i < dae_program_n_data(gen->program); i++) {
    uint32_t n;
    const double *values = dae_program_data(gen->program, i, &n);
    dae_emit_data_array(gen->out, prefix, i, values, n);
  }
  g_string_append_len(gen->out, routines->str, (gssize)routines->len);
  g_string_append_len(gen->out, constant_text->str, (gssize)constant_text->len);
  g_string_append_len(gen->out, rest->str, (gssize)rest->len);
  gen->used = NULL;
  return g_string_free(g_steal_pointer(&gen->out), FALSE);
}

static bool
compile_parts(DaeCgen *gen, GError **error)
{
  dae_system_bind(gen->compiler, gen->terms, gen->parts);
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    dae_compiler_announce(gen->compiler, (const DaeTerm *)(const void *)gen->st.terms[p]->data,
                          gen->st.terms[p]->len);
  }
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    gen->nodes[p] = g_new0(uint32_t, (size_t)gen->st.terms[p]->len + 1);
    for (uint32_t o = 0; o < gen->st.terms[p]->len; o++) {
      const DaeTerm t = g_array_index(gen->st.terms[p], DaeTerm, o);
      if (!dae_compiler_compile(gen->compiler, t, &gen->nodes[p][o], error)) {
        return false;
      }
    }
  }
  return true;
}

bool
dae_cgen_write(DaeTerms *terms, const DaeSystemParts *parts, const DaeCgenModel *model,
               const DaeCgenStep *step, char **header, char **source, GError **error)
{
  g_autoptr(GArray) called = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  DaeCgen gen = {
      .terms = terms, .parts = parts, .model = model, .step = step, .called = called};
  if (!dae_system_terms_init(&gen.st, terms, parts, error)) {
    return false;
  }
  gen.has_edges = step != NULL && dae_cgen_finds_edges(terms, &gen.st);
  gen.program = dae_program_new();
  gen.compiler = dae_compiler_new(terms, gen.program);
  gen.upper = g_ascii_strup(model->prefix, -1);
  gen.constants =
      model->events == NULL ? dae_cgen_constants_new(gen.program, "constants") : NULL;
  DaeTapeCost event_cost = {0, 0, 0, 0, 0, 0, 0};
  DaeTapeCost time_cost = {0, 0, 0, 0, 0, 0, 0};
  DaeTapeCost assertion_cost = {0, 0, 0, 0, 0, 0, 0};
  DaeTapeCost guard_cost = {0, 0, 0, 0, 0, 0, 0};
  DaeTapeCost clock_cost = {0, 0, 0, 0, 0, 0, 0};
  gen.event_cost = &event_cost;
  gen.time_cost = &time_cost;
  gen.assertion_cost = &assertion_cost;
  gen.guard_cost = &guard_cost;
  gen.clock_cost = &clock_cost;
  bool ok = compile_parts(&gen, error) &&
            (model->events == NULL || dae_cgen_compile_events(&gen, error));
  if (ok) {
    *source = make_source(&gen, header, error);
    ok = *source != NULL;
  }
  dae_cgen_constants_free(gen.constants);
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    g_free(gen.nodes[p]);
  }
  g_free(gen.event_nodes);
  g_free(gen.clock_nodes);
  g_free(gen.upper);
  dae_compiler_free(gen.compiler);
  dae_program_free(gen.program);
  dae_system_terms_clear(&gen.st);
  return ok;
}
