/* The exported integrator: its sizes, tables and the parts of the text that its options need. */
#include <string.h>

#include "export/cgen-priv.h"

static bool
is_explicit(const DaeCgenStep *step)
{
  return step->method == DAE_CGEN_AB3 || step->method == DAE_CGEN_EULER;
}

static uint32_t
order_of(const DaeCgenStep *step)
{
  return step->method == DAE_CGEN_AB3 || step->method == DAE_CGEN_BDF3 ? 3 : 1;
}

static bool
uses_newton(const DaeCgenStep *step)
{
  return !is_explicit(step);
}

static bool
uses_projection(const DaeCgen *gen)
{
  return gen->step->projections > 0 && gen->parts->n_con > 0;
}

static bool
uses_coupled(const DaeCgen *gen)
{
  return uses_projection(gen) && gen->step->is_coupled;
}

static bool
uses_norm(const DaeCgen *gen)
{
  return uses_projection(gen) && !gen->step->is_coupled;
}

static bool
uses_algebraic(const DaeCgen *gen)
{
  return gen->step->algebraic.n_columns > 0 &&
         (is_explicit(gen->step) || uses_projection(gen) || gen->model->events != NULL);
}

static bool
finds_slopes(const DaeCgen *gen)
{
  return (dae_cgen_n_parameters(gen) > 0 && is_explicit(gen->step) &&
          dae_cgen_start_is_small(gen)) ||
         (gen->model->events != NULL && gen->model->events->needs_slopes);
}

/* x' of the differential unknowns: explicit methods, and the side on which an event leaves a
 * relation that stands at 0. */
static bool
finds_rates(const DaeCgen *gen)
{
  return is_explicit(gen->step) ||
         (gen->model->events != NULL && gen->model->events->n_buffers > 0);
}

static bool
needs_derivatives(const DaeCgen *gen)
{
  const DaeCgenEvents *events = gen->model->events;
  return uses_newton(gen->step) || uses_projection(gen) || uses_algebraic(gen) ||
         (events != NULL && (events->has_jumps || events->n_open > 0)) ||
         (finds_rates(gen) && gen->step->slopes_need_constraints);
}

/* The matrices that the options need, at most five. */
typedef struct {
  const char *name;
  const DaeCgenMatrix *matrix;
} NamedMatrix;

static uint32_t
collect_matrices(const DaeCgen *gen, NamedMatrix *list)
{
  uint32_t n = 0;
  if (finds_rates(gen)) {
    list[n++] = (NamedMatrix){"slopes", &gen->step->slopes};
  }
  if (uses_algebraic(gen)) {
    list[n++] = (NamedMatrix){"algebraic", &gen->step->algebraic};
  }
  if (uses_newton(gen->step)) {
    list[n++] = (NamedMatrix){"newton", &gen->step->newton_matrix};
  }
  if (uses_coupled(gen)) {
    list[n++] = (NamedMatrix){"coupled", &gen->step->coupled};
  }
  if (uses_norm(gen)) {
    list[n++] = (NamedMatrix){"norm", &gen->step->norm};
  }
  return n;
}

/* ---- conditional text -------------------------------------------------------------------- */

static bool
feature_is_used(const DaeCgen *gen, const char *name, bool is_unrolled)
{
  const DaeCgenStep *step = gen->step;
  const DaeCgenEvents *events = gen->model->events;

  const struct {
    const char *name;
    bool used;
  } features[] = {
      {"EXPLICIT", is_explicit(step)},
      {"IMPLICIT", !is_explicit(step)},
      {"FIND_RATES", finds_rates(gen)},
      {"RELATIONS", events != NULL && events->n_buffers > 0},
      {"ALGEBRAIC", uses_algebraic(gen)},
      {"NOT_ALGEBRAIC", !uses_algebraic(gen)},
      {"BDF", uses_newton(step) || uses_coupled(gen)},
      {"COUPLED", uses_coupled(gen)},
      {"DERIVATIVES", needs_derivatives(gen)},
      {"EDGES", gen->has_edges && needs_derivatives(gen)},
      {"NORM", uses_norm(gen)},
      {"SLOPES_NEED_CONSTRAINTS", step->slopes_need_constraints},
      {"BY_ORDERS", order_of(step) > 1 && !step->constant_history},
      {"NOT_BY_ORDERS", order_of(step) == 1 || step->constant_history},
      {"PARAMETERS", dae_cgen_n_parameters(gen) > 0},
      {"NO_PARAMETERS", dae_cgen_n_parameters(gen) == 0},
      {"EVENTS", events != NULL},
      {"NO_EVENTS", events == NULL},
      {"EVENT_SLOPES", events != NULL && events->needs_slopes},
      {"LEFT_LIMITS", events != NULL && events->n_left_limits > 0},
      {"NO_LEFT_LIMITS", events == NULL || events->n_left_limits == 0},
      {"TIME_GUARDS", events != NULL && events->n_time > 0},
      {"DELAYS", events != NULL && events->n_delays > 0},
      {"VARYING", events != NULL && dae_cgen_delays_vary(events)},
      {"CLOCKS", events != NULL && events->clocks != NULL},
      {"OPEN", events != NULL && events->n_open > 0},
      {"PRINTS", events != NULL && dae_cgen_has_prints(events)},
      {"WORDS", events != NULL && events->messages.n_words > 0},
      {"NO_WORDS", events == NULL || events->messages.n_words == 0},
      {"CLAIMS", events != NULL && events->n_assertions > 0},
      {"NO_CLAIMS", events == NULL || events->n_assertions == 0},
      {"ENDED_START", events != NULL && events->start_message != NULL},
      {"JUMPS", events != NULL && events->has_jumps},
      {"NO_JUMPS", events == NULL || !events->has_jumps},
      {"FIND_START", dae_cgen_finds_start(gen) ||
                         (events != NULL && events->has_jumps && gen->parts->n_con > 0)},
      {"START_AGAIN", dae_cgen_finds_start(gen)},
      {"FIND_SLOPES", finds_slopes(gen)},
      {"CANNOT_FIND_START", dae_cgen_n_parameters(gen) > 0 && !dae_cgen_start_is_small(gen)},
      {"UNROLLED", is_unrolled},
      {"NOT_UNROLLED", !is_unrolled},
  };

  for (size_t i = 0; i < G_N_ELEMENTS(features); i++) {
    if (strcmp(features[i].name, name) == 0) {
      return features[i].used;
    }
  }
  dae_internal_error(__FILE__, __LINE__, "no such feature");
}

bool
dae_cgen_start_asks(const DaeCgen *gen)
{
  return gen->step != NULL &&
         (gen->model->events != NULL || dae_cgen_finds_start(gen) || finds_slopes(gen) ||
          feature_is_used(gen, "CANNOT_FIND_START", false));
}

/* Lines between %if NAME and %end; such parts may nest. */
static void
append_conditional(const DaeCgen *gen, GString *out, const char *text, bool is_unrolled)
{
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  uint32_t depth = 0;
  uint32_t off_since = 0; /* depth of the outermost part that is left out, or 0 */
  for (char **line = lines; *line != NULL; line++) {
    if (g_str_has_prefix(*line, "%if ")) {
      depth++;
      if (off_since == 0 && !feature_is_used(gen, *line + 4, is_unrolled)) {
        off_since = depth;
      }
    } else if (strcmp(*line, "%end") == 0) {
      off_since = off_since == depth ? 0 : off_since;
      depth--;
    } else if (off_since == 0 && (line[1] != NULL || **line != '\0')) {
      dae_cgen_append(gen, out, *line);
      g_string_append_c(out, '\n');
    }
  }
}

/* All lines of a part whose features are used. */
static void
append_all(const DaeCgen *gen, GString *out, const char *text)
{
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    if (**line != '%' && (line[1] != NULL || **line != '\0')) {
      dae_cgen_append(gen, out, *line);
      g_string_append_c(out, '\n');
    }
  }
}

/* ---- sizes and tables -------------------------------------------------------------------- */

static uint32_t
size_of_entries(const DaeCgenMatrix *matrix)
{
  return matrix->is_diagonal ? 0 : matrix->entry_start[matrix->n_columns];
}

static uint32_t
largest_index(const DaeCgenMatrix *matrix)
{
  uint32_t largest = MAX(matrix->row_start[matrix->n_rows], matrix->n_rows + matrix->n_columns);
  if (!matrix->is_diagonal) {
    const uint32_t n_entries = size_of_entries(matrix);
    largest = MAX(largest, MAX(n_entries, MAX(matrix->pair_start[n_entries],
                                              matrix->triple_start[n_entries])));
  }
  return largest;
}

static bool
needs_wide_indices(const DaeCgen *gen)
{
  NamedMatrix list[5];
  const uint32_t n = collect_matrices(gen, list);
  bool is_wide =
      gen->st.terms[DAE_PART_K]->len > 60000 || gen->st.terms[DAE_PART_GX]->len > 60000;
  for (uint32_t i = 0; i < n; i++) {
    is_wide = is_wide || largest_index(list[i].matrix) > 60000;
  }
  return is_wide;
}

static void
append_define(const DaeCgen *gen, GString *out, const char *name, uint64_t value)
{
  g_string_append_printf(out, "#define %s_%s %" G_GUINT64_FORMAT "u\n", gen->upper, name,
                         value);
}

/* Type of the instance with all its memory. */
static void
append_instance(const DaeCgen *gen, GString *out)
{
  NamedMatrix list[5];
  const uint32_t n = collect_matrices(gen, list);
  uint32_t n_values = 1;
  uint32_t n_entries = 1;
  uint32_t n_columns = 1;
  for (uint32_t i = 0; i < n; i++) {
    const DaeCgenMatrix *matrix = list[i].matrix;
    n_values = MAX(n_values, matrix->row_start[matrix->n_rows]);
    n_entries = MAX(n_entries, size_of_entries(matrix));
    n_columns = MAX(n_columns, MAX(matrix->n_columns, matrix->n_rows));
  }
  const uint32_t size = gen->parts->n;
  dae_cgen_append(gen, out,
                  "/* One simulation; all the memory that it needs. Read t and steps, leave "
                  "the rest alone. */\n"
                  "typedef struct {\n  double t;\n  long steps;\n"
                  "  unsigned shown, at[6], slope_at[5];\n");
  g_string_append_printf(out, "  double x[6][%u], slope[5][%u], q[%u], xdot[%u];\n",
                         MAX(size, 1), MAX(size, 1), MAX(size, 1), MAX(size, 1));
  g_string_append_printf(
      out, "  double m[%u], k[%u], gx[%u], gt[%u], f[%u], g[%u], r[%u], delta[%u];\n",
      MAX(gen->st.terms[DAE_PART_M]->len, 1), MAX(gen->st.terms[DAE_PART_K]->len, 1),
      MAX(gen->st.terms[DAE_PART_GX]->len, 1), MAX(gen->parts->n_con, 1),
      MAX(gen->parts->n_diff, 1), MAX(gen->parts->n_con, 1),
      gen->parts->n_diff + gen->parts->n_con + 1, size + gen->parts->n_con + 1);
  g_string_append_printf(out, "  double a[%u], c[%u], l[%u], d[%u], y[%u];\n", n_values,
                         n_entries, n_entries, n_columns, n_columns);
  if (gen->has_edges) {
    g_string_append_printf(out, "  double beside[%u];\n", MAX(size, 1));
  }
  if (gen->model->events != NULL) {
    dae_cgen_event_members(gen, out);
  }
  dae_cgen_append(gen, out, "} @_instance;\n\n");
}

void
dae_cgen_integrator_header(const DaeCgen *gen, GString *out)
{
  const DaeCgenStep *step = gen->step;
  append_define(gen, out, "NEWTON", step->newton);
  append_define(gen, out, "PROJECTIONS", step->projections);
  append_define(gen, out, "ORDER", order_of(step));
  g_string_append_printf(out, "#define %s_STEP ", gen->upper);
  dae_emit_double(out, step->step);
  g_string_append_printf(out, "\n#define %s_T_STOP ", gen->upper);
  dae_emit_double(out, step->t_stop);
  dae_cgen_append(gen, out,
                  "\n#define ^_DOMAIN 1   /* a function was evaluated outside its domain */\n"
                  "#define ^_SINGULAR 2 /* the equations do not determine the step */\n"
                  "#define ^_NO_START 4 /* the constraints cannot be fulfilled with these "
                  "parameters */\n\n");
  if (gen->model->events != NULL) {
    dae_cgen_event_sizes(gen, out);
  }
  append_instance(gen, out);
  dae_cgen_append(
      gen, out,
      "/* 0: fine; else ^_DOMAIN or ^_SINGULAR, and the instance stands where it was. init "
      "makes the history of the\n"
      " * multistep method: a fixed number of steps, more than one regular step takes. */\n"
      "int @_init(@_instance *s);\n"
      "int @_step(@_instance *s);\n"
      "const double *@_values(const @_instance *s); /* ^_N values at time s->t, in the order "
      "of @_names */\n"
      "int @_self_test(void); /* 0: the functions and some steps give the numbers they gave "
      "when this was written */\n\n");
  if (gen->model->events != NULL) {
    dae_cgen_event_prototypes(gen, out);
  }
}

static void
append_matrix(const DaeCgen *gen, const NamedMatrix *named)
{
  GString *out = gen->out;
  const DaeCgenMatrix *a = named->matrix;
  const uint32_t nnz = a->row_start[a->n_rows];
  const uint32_t n_entries = size_of_entries(a);
  const uint32_t n_constraints = a->constraint != NULL ? a->n_rows - a->n_dynamic : 0;
  const uint32_t n_elimination = a->is_diagonal ? 0 : a->n_columns + 1;

  const struct {
    const char *name;
    const uint32_t *values;
    uint32_t n;
  } tables[] = {
      {"constraint", a->constraint, n_constraints},
      {"unknown", a->unknown, a->unknown != NULL ? a->n_columns : 0},
      {"from_m", a->from_m, a->from_m != NULL ? a->row_start[a->n_dynamic] : 0},
      {"from_k", a->from_k, a->from_k != NULL ? a->row_start[a->n_dynamic] : 0},
      {"from_g", a->from_g, nnz},
      {"row_start", a->row_start, a->n_rows + 1},
      {"column", a->column, nnz},
      {"order", a->order, a->is_diagonal ? 0 : a->n_columns},
      {"entry_start", a->entry_start, n_elimination},
      {"entry_column", a->entry_column, n_entries},
      {"pair_start", a->pair_start, a->is_diagonal ? 0 : n_entries + 1},
      {"pair_p", a->pair_p, a->is_diagonal ? 0 : a->pair_start[n_entries]},
      {"pair_q", a->pair_q, a->is_diagonal ? 0 : a->pair_start[n_entries]},
      {"triple_start", a->triple_start, a->is_diagonal ? 0 : n_entries + 1},
      {"triple_c", a->triple_c, a->is_diagonal ? 0 : a->triple_start[n_entries]},
      {"triple_l", a->triple_l, a->is_diagonal ? 0 : a->triple_start[n_entries]},
  };

  for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
    g_autofree char *name = g_strdup_printf("%s_%s", named->name, tables[i].name);
    dae_cgen_index_table(gen, out, name, tables[i].values, tables[i].n);
  }
  g_autofree char *scale = g_strdup_printf("%s_scale", named->name);
  dae_cgen_double_table(gen, out, "static const", scale, a->scale,
                        a->scale != NULL ? a->n_rows : 0);
  g_string_append_printf(
      out, "static const %s_matrix %s_%s_matrix = {\n    %uu, %uu, %uu, %uu, %uu, %s_%s",
      gen->model->prefix, gen->model->prefix, named->name, a->n_dynamic, a->n_rows,
      a->n_columns, a->is_diagonal ? 1u : 0u, a->scale != NULL ? 1u : 0u, gen->model->prefix,
      scale);
  for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
    g_string_append_printf(out, "%s%s_%s_%s", i % 4 == 0 ? ",\n    " : ", ", gen->model->prefix,
                           named->name, tables[i].name);
  }
  g_string_append(out, "};\n\n");
}

static void
append_coefficients(const DaeCgen *gen, GString *out)
{
  if (uses_newton(gen->step) || uses_coupled(gen)) {
    dae_cgen_append(
        gen, out,
        "static const double @_bdf[4][4] = {{0.0, 0.0, 0.0, 0.0},\n"
        "                                   {1.0, -1.0, 0.0, 0.0},\n"
        "                                   {3.0 / 2.0, -2.0, 1.0 / 2.0, 0.0},\n"
        "                                   {11.0 / 6.0, -3.0, 3.0 / 2.0, -1.0 / 3.0}};\n\n");
  }
  if (is_explicit(gen->step)) {
    dae_cgen_append(
        gen, out,
        "static const double @_adams[4][3] = {{0.0, 0.0, 0.0},\n"
        "                                     {1.0, 0.0, 0.0},\n"
        "                                     {3.0 / 2.0, -1.0 / 2.0, 0.0},\n"
        "                                     {23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0}};\n"
        "static const double @_extrapolation[4][3] = {{0.0, 0.0, 0.0},\n"
        "                                             {1.0, 0.0, 0.0},\n"
        "                                             {2.0, -1.0, 0.0},\n"
        "                                             {3.0, -3.0, 1.0}};\n\n");
    g_autofree uint32_t *flags = g_new0(uint32_t, (size_t)gen->parts->n + 1);
    for (uint32_t j = 0; j < gen->parts->n; j++) {
      flags[j] = gen->step->is_algebraic[j];
    }
    dae_cgen_index_table(gen, out, "is_algebraic", flags, gen->parts->n);
  }
}

static void
append_self_test(const DaeCgen *gen)
{
  const DaeCgenStep *step = gen->step;
  dae_cgen_double_table(gen, gen->out, "static const", "test_x", step->test_x, gen->parts->n);
  g_string_append_printf(gen->out, "#define %s_TEST_STEPS %uu\n\n", gen->upper,
                         step->test_steps);
  dae_cgen_append(gen, gen->out,
                  "int @_self_test(void)\n"
                  "{\n"
                  "  static @_instance s;\n"
                  "  int status = @_test_functions();\n"
                  "  unsigned i;\n"
                  "  if (status == 0) {\n"
                  "    status = @_init(&s);\n"
                  "  }\n"
                  "  for (i = 0u; i + 1u <= ^_TEST_STEPS && status == 0; i++) {\n"
                  "    status = @_step(&s);\n"
                  "  }\n");
  dae_cgen_append(gen, gen->out,
                  gen->model->events != NULL
                      ? "  if (status == 0 || status == ^_TERMINATED) {\n"
                      : "  if (status == 0) {\n");
  dae_cgen_append(gen, gen->out, "    status = @_differs(@_values(&s), @_test_x, ^_N, ");
  /* simulate keeps the past of delay times that change in other pieces than steps */
  dae_cgen_append(gen, gen->out, feature_is_used(gen, "VARYING", false) ? "1e-2" : "1e-9");
  dae_cgen_append(gen, gen->out,
                  ");\n"
                  "  }\n"
                  "  return status;\n"
                  "}\n\n");
}

/* The method for any order and step size, by loops over tables. */
static void
append_by_tables(const DaeCgen *gen, bool is_unrolled)
{
  NamedMatrix list[5];
  const uint32_t n = collect_matrices(gen, list);
  dae_cgen_append(gen, gen->out,
                  needs_wide_indices(gen)
                      ? "typedef unsigned @_index;\n#define ^_NONE 4294967295u\n\n"
                      : "typedef unsigned short @_index;\n#define ^_NONE 65535u\n\n");
  const char *const *texts = dae_cgen_integrator_text();
  append_conditional(gen, gen->out, texts[0], is_unrolled);
  append_coefficients(gen, gen->out);
  for (uint32_t i = 0; i < n; i++) {
    append_matrix(gen, &list[i]);
  }
  for (texts++; *texts != NULL; texts++) {
    append_conditional(gen, gen->out, *texts, is_unrolled);
  }
}

static void
append_costs(const DaeCgen *gen, uint64_t flops, uint64_t divisions, uint64_t square_roots)
{
  /* has something happened? */
  flops += dae_cgen_assertion_flops(gen) + 2 * dae_cgen_guard_flops(gen) +
           dae_cgen_delay_flops(gen) + dae_cgen_time_flops(gen);

  const struct {
    const char *name;
    uint64_t value;
  } constants[] = {{"flops", flops}, {"divisions", divisions}, {"square_roots", square_roots}};

  g_string_append_printf(gen->out,
                         "/* A regular step takes %" G_GUINT64_FORMAT
                         " additions, multiplications and function calls, %" G_GUINT64_FORMAT
                         " divisions,\n * %" G_GUINT64_FORMAT
                         " square roots; always the same%s, and nothing is allocated. */\n",
                         flops, divisions, square_roots,
                         gen->has_edges ? " but where derivatives have no value" : "");
  for (size_t i = 0; i < G_N_ELEMENTS(constants); i++) {
    g_string_append_printf(gen->out,
                           "const unsigned long %s_%s_per_step = %" G_GUINT64_FORMAT "ul;\n",
                           gen->model->prefix, constants[i].name, constants[i].value);
  }
  g_string_append_c(gen->out, '\n');
}

static void
append_events(const DaeCgen *gen, bool is_unrolled)
{
  for (const char *const *text = dae_cgen_event_text(); *text != NULL; text++) {
    append_conditional(gen, gen->out, *text, is_unrolled);
  }
}

void
dae_cgen_find_start(const DaeCgen *gen, GString *out)
{
  if (dae_cgen_finds_start(gen)) {
    append_all(gen, out, dae_cgen_find_start_text());
  }
}

static void
append_event_costs(const DaeCgen *gen, uint64_t flops)
{
  if (gen->model->events != NULL) {
    dae_cgen_event_costs(gen,
                         flops + dae_cgen_assertion_flops(gen) + 2 * dae_cgen_guard_flops(gen) +
                             dae_cgen_delay_flops(gen) + dae_cgen_time_flops(gen),
                         feature_is_used(gen, "BY_ORDERS", false) ? 14 : 0);
  }
}

void
dae_cgen_integrator(const DaeCgen *gen)
{
  DaeTapeCost cost = {0, 0, 0, 0, 0, 0, 0};
  g_autoptr(GString) unrolled = g_string_new(NULL);
  DaeCgen inner = *gen;
  inner.out = unrolled;
  /* the restart after an event and steps at edges are by tables: where a restart is one step, all
   * are */
  const bool may_unroll = (gen->model->events == NULL && !gen->has_edges) ||
                          feature_is_used(gen, "BY_ORDERS", false);
  const bool is_unrolled = may_unroll && dae_cgen_unrolled_step(&inner, &cost);
  if (feature_is_used(gen, "BY_ORDERS", is_unrolled) || !is_unrolled) {
    append_by_tables(gen, is_unrolled);
  }
  if (is_unrolled) {
    append_costs(gen, (uint64_t)cost.adds + cost.multiplies + cost.calls, cost.divides,
                 cost.square_roots);
    append_event_costs(gen, (uint64_t)cost.adds + cost.multiplies + cost.calls);
    g_string_append_len(gen->out, unrolled->str, (gssize)unrolled->len);
  } else {
    append_costs(gen, gen->step->flops, gen->step->divisions, gen->step->square_roots);
    append_event_costs(gen, gen->step->flops);
  }
  append_conditional(gen, gen->out, dae_cgen_find_start_text(), is_unrolled);
  append_conditional(gen, gen->out, dae_cgen_find_slopes_text(), is_unrolled);
  if (gen->model->events != NULL) {
    append_events(gen, is_unrolled);
  }
  append_conditional(gen, gen->out, dae_cgen_start_text(), is_unrolled);
  append_self_test(gen);
  for (const char *const *text = dae_cgen_main_text(); *text != NULL; text++) {
    append_conditional(gen, gen->out, *text, is_unrolled);
  }
}
