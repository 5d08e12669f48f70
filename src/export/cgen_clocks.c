/* Clocks in exported C: sizes, tables, functions and what they cost; the algorithm is clocks.c. */
#include "export/cgen-priv.h"

#define TICK_NEWTON 12u

static const DaeCgenClocks *
clocks_of(const DaeCgen *gen)
{
  return gen->model->events->clocks;
}

static uint32_t
n_slopes(const DaeCgenTickPiece *piece)
{
  return piece->is_explicit ? 0 : piece->slope_start[piece->n];
}

static bool
compile_terms(DaeCgen *gen, const DaeTerm *terms, uint32_t n, uint32_t *at, GError **error)
{
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_compiler_compile(gen->compiler, terms[i], &gen->clock_nodes[(*at)++], error)) {
      return false;
    }
  }
  return true;
}

/* In the order in which their functions are written. */
bool
dae_cgen_compile_clocks(DaeCgen *gen, GError **error)
{
  const DaeCgenClocks *clocks = clocks_of(gen);
  uint32_t n = clocks->n_inputs + 2 * clocks->n_bases + clocks->n_assertions;
  uint32_t at = 0;
  for (uint32_t p = 0; p < clocks->n_pieces; p++) {
    n += clocks->pieces[p].n + n_slopes(&clocks->pieces[p]);
  }
  gen->clock_nodes = g_new0(uint32_t, (size_t)n + 1);
  bool ok = compile_terms(gen, clocks->inputs, clocks->n_inputs, &at, error) &&
            compile_terms(gen, clocks->intervals, clocks->n_bases, &at, error) &&
            compile_terms(gen, clocks->firsts, clocks->n_bases, &at, error) &&
            compile_terms(gen, clocks->assertions, clocks->n_assertions, &at, error);
  for (uint32_t p = 0; ok && p < clocks->n_pieces; p++) {
    const DaeCgenTickPiece *piece = &clocks->pieces[p];
    ok = compile_terms(gen, piece->equations, piece->n, &at, error) &&
         compile_terms(gen, piece->slopes, n_slopes(piece), &at, error);
  }
  return ok;
}

/* ---- header ------------------------------------------------------------------------------ */

typedef struct {
  uint32_t values, slopes, matrix; /* of the largest piece; 1 at least */
} Largest;

static Largest
find_largest(const DaeCgenClocks *clocks)
{
  Largest most = {1, 1, 1};
  for (uint32_t p = 0; p < clocks->n_pieces; p++) {
    const DaeCgenTickPiece *piece = &clocks->pieces[p];
    most.values = MAX(most.values, piece->n);
    most.slopes = MAX(most.slopes, n_slopes(piece));
    most.matrix =
        piece->is_explicit ? most.matrix : MAX(most.matrix, piece->n * (piece->n + 1));
  }
  return most;
}

void
dae_cgen_clock_sizes(const DaeCgen *gen, GString *out)
{
  const DaeCgenClocks *clocks = clocks_of(gen);

  const struct {
    const char *name;
    uint32_t value;
  } sizes[] = {{"N_SUBS", clocks->n_subs},
               {"N_BASES", clocks->n_bases},
               {"N_SAMPLED", clocks->n_inputs},
               {"N_TICK_PIECES", clocks->n_pieces},
               {"N_CLOCKED_ASSERTIONS", clocks->n_assertions}};

  for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
    g_string_append_printf(out, "#define %s_%s %uu\n", gen->upper, sizes[i].name,
                           sizes[i].value);
  }
  g_autofree char *bound =
      g_strdup_printf("/* Newton steps for equations that are solved at a tick */\n"
                      "#ifndef ^_TICK_NEWTON\n#define ^_TICK_NEWTON %uu\n#endif\n\n",
                      TICK_NEWTON);
  dae_cgen_append(gen, out, bound);
}

void
dae_cgen_clock_members(const DaeCgen *gen, GString *out)
{
  const DaeCgenClocks *clocks = clocks_of(gen);
  const Largest most = find_largest(clocks);
  const uint32_t n_bases = clocks->n_bases;
  g_string_append_printf(out, "  double sub_ticks[%u], sub_last[%u];\n", clocks->n_subs,
                         clocks->n_subs);
  g_string_append_printf(out, "  double base_count[%u], base_next[%u], base_value[%u];\n",
                         n_bases, n_bases, 2 * n_bases);
  g_string_append_printf(out, "  double sampled[%u], clock_holds[%u];\n",
                         MAX(clocks->n_inputs, 1), MAX(clocks->n_assertions, 1));
  g_string_append_printf(out, "  double tick_out[%u], tick_entry[%u], tick_matrix[%u];\n",
                         most.values, most.slopes, most.matrix);
  g_string_append_printf(out, "  unsigned char has_ticked[%u], is_ticking[%u], is_due[%u];\n",
                         clocks->n_subs, clocks->n_subs, n_bases);
}

/* ---- tables ------------------------------------------------------------------------------ */

static void
append_subs(const DaeCgen *gen)
{
  const DaeCgenClocks *clocks = clocks_of(gen);
  const uint32_t n = clocks->n_subs;
  g_autofree double *numbers = g_new0(double, 4 * (size_t)n + 1);
  g_autofree uint32_t *places = g_new0(uint32_t, 3 * (size_t)n + 1);
  g_autofree uint8_t *has_ticked = g_new0(uint8_t, (size_t)n + 1);
  for (uint32_t s = 0; s < n; s++) {
    const DaeCgenSubClock *sub = &clocks->subs[s];
    const double of[] = {sub->period, sub->shift, sub->n_ticks, sub->last};
    const uint32_t at[] = {sub->base, sub->interval, sub->first_tick};
    for (uint32_t k = 0; k < 4; k++) {
      numbers[k * n + s] = of[k];
    }
    for (uint32_t k = 0; k < 3; k++) {
      places[k * n + s] = at[k];
    }
    has_ticked[s] = sub->has_ticked;
  }
  static const char *const number_names[] = {"sub_period", "sub_shift", "sub_start",
                                             "sub_last"};
  static const char *const place_names[] = {"sub_base", "sub_interval", "sub_first_tick"};
  for (uint32_t k = 0; k < 4; k++) {
    dae_cgen_double_table(gen, gen->out, "static const", number_names[k], numbers + k * n, n);
  }
  for (uint32_t k = 0; k < 3; k++) {
    dae_cgen_unsigned_table(gen, "static const", place_names[k], places + k * n, n);
  }
  dae_cgen_byte_table(gen, gen->out, "has_ticked", has_ticked, n);
}

static void
append_bases(const DaeCgen *gen)
{
  const DaeCgenClocks *clocks = clocks_of(gen);
  const uint32_t n = clocks->n_bases;
  g_autofree uint8_t *kind = g_new0(uint8_t, (size_t)n + 1);
  g_autofree uint32_t *condition = g_new0(uint32_t, (size_t)n + 1);
  g_autofree double *numbers = g_new0(double, 3 * (size_t)n + 1);
  for (uint32_t b = 0; b < n; b++) {
    kind[b] = (uint8_t)clocks->bases[b].kind;
    condition[b] = clocks->bases[b].condition;
    numbers[b] = clocks->bases[b].resolution;
    numbers[n + b] = clocks->bases[b].count;
    numbers[2 * n + b] = clocks->bases[b].next;
  }
  dae_cgen_byte_table(gen, gen->out, "base_kind", kind, n);
  dae_cgen_unsigned_table(gen, "static const", "base_condition", condition, n);
  dae_cgen_double_table(gen, gen->out, "static const", "base_resolution", numbers, n);
  dae_cgen_double_table(gen, gen->out, "static const", "base_count", numbers + n, n);
  dae_cgen_double_table(gen, gen->out, "static const", "base_next", numbers + 2 * n, n);
}

static void
append_slopes(const DaeCgen *gen)
{
  const DaeCgenClocks *clocks = clocks_of(gen);
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree uint32_t *at = g_new0(uint32_t, (size_t)clocks->n_pieces + 1);
  for (uint32_t p = 0; p < clocks->n_pieces; p++) {
    const DaeCgenTickPiece *piece = &clocks->pieces[p];
    for (uint32_t i = 0; !piece->is_explicit && i < piece->n; i++) {
      for (uint32_t e = piece->slope_start[i]; e < piece->slope_start[i + 1]; e++) {
        g_array_append_val(rows, i);
        g_array_append_val(columns, piece->slope_at[e]);
      }
    }
    at[p + 1] = rows->len;
  }
  dae_cgen_unsigned_table(gen, "static const", "slope_at", at, clocks->n_pieces + 1);
  dae_cgen_unsigned_table(gen, "static const", "slope_row",
                          (const uint32_t *)(void *)rows->data, rows->len);
  dae_cgen_unsigned_table(gen, "static const", "slope_column",
                          (const uint32_t *)(void *)columns->data, columns->len);
}

static void
append_pieces(const DaeCgen *gen)
{
  const DaeCgenClocks *clocks = clocks_of(gen);
  const uint32_t n = clocks->n_pieces;
  g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree uint32_t *at = g_new0(uint32_t, (size_t)n + 1);
  g_autofree uint32_t *size = g_new0(uint32_t, (size_t)n + 1);
  g_autofree uint32_t *sub = g_new0(uint32_t, (size_t)n + 1);
  g_autofree uint8_t *ticks = g_new0(uint8_t, (size_t)n + 1);
  g_autofree uint8_t *is_explicit = g_new0(uint8_t, (size_t)n + 1);
  for (uint32_t p = 0; p < n; p++) {
    const DaeCgenTickPiece *piece = &clocks->pieces[p];
    at[p] = places->len;
    size[p] = piece->n;
    sub[p] = piece->sub;
    ticks[p] = (uint8_t)piece->ticks;
    is_explicit[p] = piece->is_explicit;
    g_array_append_vals(places, piece->places, piece->n);
  }
  dae_cgen_unsigned_table(gen, "static const", "piece_at", at, n);
  dae_cgen_unsigned_table(gen, "static const", "piece_size", size, n);
  dae_cgen_unsigned_table(gen, "static const", "piece_sub", sub, n);
  dae_cgen_byte_table(gen, gen->out, "piece_ticks", ticks, n);
  dae_cgen_byte_table(gen, gen->out, "piece_is_explicit", is_explicit, n);
  dae_cgen_unsigned_table(gen, "static const", "tick_place",
                          (const uint32_t *)(void *)places->data, places->len);
}

/* Values that ticks give, with what they were before the first one: for parameters that are
 * set. */
static void
append_beginning(const DaeCgen *gen)
{
  const DaeCgenClocks *clocks = clocks_of(gen);
  const uint32_t n = gen->model->events->n_discrete;
  g_autofree uint8_t *is_clocked = g_new0(uint8_t, (size_t)n + 1);
  for (uint32_t p = 0; p < clocks->n_pieces; p++) {
    for (uint32_t k = 0; k < clocks->pieces[p].n; k++) {
      is_clocked[clocks->pieces[p].places[k]] = 1;
    }
  }
  if (dae_cgen_n_parameters(gen) > 0) {
    dae_cgen_byte_table(gen, gen->out, "is_clocked", is_clocked, n);
    dae_cgen_double_table(gen, gen->out, "static const", "clock_before", clocks->before, n);
  }
}

void
dae_cgen_clock_data(const DaeCgen *gen)
{
  const DaeCgenClocks *clocks = clocks_of(gen);
  append_subs(gen);
  append_bases(gen);
  append_pieces(gen);
  append_slopes(gen);
  append_beginning(gen);
  dae_cgen_unsigned_table(gen, "static const", "sampled_place", clocks->input_places,
                          clocks->n_inputs);
  dae_cgen_unsigned_table(gen, "static const", "assertion_sub", clocks->assertion_sub,
                          clocks->n_assertions);
  dae_cgen_byte_table(gen, gen->out, "assertion_warns", clocks->assertion_warns,
                      clocks->n_assertions);
  static const char *const none[] = {NULL};
  dae_cgen_string_table(gen, gen->out, "static const", "assertion_message",
                        clocks->n_assertions > 0 ? clocks->assertion_message : none,
                        MAX(clocks->n_assertions, 1));
}

/* ---- functions --------------------------------------------------------------------------- */

static void
append_function(const DaeCgen *gen, const char *name, uint32_t *at, uint32_t n)
{
  dae_cgen_event_function(gen, name, gen->clock_nodes + *at, n, gen->clock_cost);
  *at += n;
}

/* void PREFIX_NAME(unsigned p, ...): that of piece p. */
static void
append_choice(const DaeCgen *gen, const char *name, bool of_slopes)
{
  const DaeCgenClocks *clocks = clocks_of(gen);
  g_autofree char *head = g_strdup_printf(
      "static void\n@_%s(unsigned p, double t, const double *x, const double *xdot, "
      "double *out)\n{\n  switch (p) {\n",
      name);
  dae_cgen_append(gen, gen->out, head);
  for (uint32_t p = 0; p < clocks->n_pieces; p++) {
    if (!of_slopes || !clocks->pieces[p].is_explicit) {
      g_autofree char *line = g_strdup_printf(
          "  case %uu:\n    @_%s_%u(t, x, xdot, out);\n    break;\n", p, name, p);
      dae_cgen_append(gen, gen->out, line);
    }
  }
  dae_cgen_append(gen, gen->out,
                  "  default:\n    (void)t;\n    (void)x;\n    (void)xdot;\n    (void)out;\n"
                  "    break;\n  }\n}\n\n");
}

void
dae_cgen_clock_functions(const DaeCgen *gen)
{
  const DaeCgenClocks *clocks = clocks_of(gen);
  uint32_t at = 0;
  append_function(gen, "sampled", &at, clocks->n_inputs);
  append_function(gen, "clock_intervals", &at, 2 * clocks->n_bases);
  append_function(gen, "clock_assertions", &at, clocks->n_assertions);
  for (uint32_t p = 0; p < clocks->n_pieces; p++) {
    const DaeCgenTickPiece *piece = &clocks->pieces[p];
    g_autofree char *values = g_strdup_printf("tick_values_%u", p);
    append_function(gen, values, &at, piece->n);
    if (!piece->is_explicit) {
      g_autofree char *slopes = g_strdup_printf("tick_slopes_%u", p);
      append_function(gen, slopes, &at, n_slopes(piece));
    }
  }
  append_choice(gen, "tick_values", false);
  append_choice(gen, "tick_slopes", true);
}

/* All clocks at once: each function in each step of Newton's method, and the eliminations. */
uint64_t
dae_cgen_clock_flops(const DaeCgen *gen)
{
  if (gen->model->events == NULL || clocks_of(gen) == NULL) {
    return 0;
  }
  const DaeCgenClocks *clocks = clocks_of(gen);
  uint64_t elimination = 0;
  bool has_implicit = false;
  for (uint32_t p = 0; p < clocks->n_pieces; p++) {
    const uint64_t n = clocks->pieces[p].n;
    has_implicit = has_implicit || !clocks->pieces[p].is_explicit;
    elimination += clocks->pieces[p].is_explicit ? 0 : n * n * n + 4 * n * n + 8 * n;
  }
  const uint64_t once = dae_cgen_all_operations(gen->clock_cost) +
                        8 * ((uint64_t)clocks->n_subs + clocks->n_bases);
  return (has_implicit ? TICK_NEWTON : 1) * (once + elimination);
}
