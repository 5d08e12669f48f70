/* Events in exported C: sizes, tables, functions and what they cost; the algorithm is events.c. */
#include "export/cgen-priv.h"

#include <math.h>

/* Defaults, which the compiler's command line may change. */
#define EVENT_ROUNDS 32u
#define EVENT_NEWTON 6u
/* Discrete Reals that depend on each other: at least so many may do so through unknowns. Those
 * that do so directly are counted; each Newton step has a round for each. */
#define LEAST_REALS 8u
#define REAL_STEPS 6u
/* Statuses of the exported functions; those up to 4 are in cgen_step.c. */
static const char status_text[] =
    "#define ^_NOT_SETTLED 5 /* an event did not end within ^_EVENT_ROUNDS rounds */\n"
    "#define ^_NO_RESTART 6  /* no values after an event fulfil all equations */\n"
    "#define ^_ASSERTION 7   /* an assertion failed: s->message */\n"
    "#define ^_TERMINATED 8  /* terminate(s->message) */\n"
    "#define ^_DELAY_FULL 3  /* more changes than delay(...) has room for, or a delay time "
    "that is\n"
    "                           not between 0 and its maximum */\n\n";

typedef struct {
  const char *function;
  const DaeTerm *terms[3];
  uint32_t n[3];
} Functions;

enum { N_FUNCTIONS = 10 };

static uint32_t
most_reals(const DaeCgenEvents *events)
{
  return MAX(events->n_loop_reals, LEAST_REALS);
}

static uint32_t
event_rounds(const DaeCgenEvents *events)
{
  return EVENT_ROUNDS + REAL_STEPS * events->n_loop_reals;
}

bool
dae_cgen_delays_vary(const DaeCgenEvents *events)
{
  bool any = false;
  for (uint32_t i = 0; i < events->n_delays; i++) {
    any = any || events->delay_varies[i] != 0;
  }
  return any;
}

static void
collect_functions(const DaeCgenEvents *events, Functions list[N_FUNCTIONS])
{
  const uint32_t n = events->n_buffers;
  list[0] = (Functions){"guards", {events->guards, events->scales, events->rates}, {n, n, n}};
  list[1] = (Functions){"discrete", {events->values, NULL, NULL}, {events->n_discrete, 0, 0}};
  list[2] = (Functions){"actions",
                        {events->conditions, events->results, NULL},
                        {events->n_actions, events->n_actions, 0}};
  list[3] = (Functions){
      "left_limits", {events->left_limits, NULL, NULL}, {events->n_left_limits, 0, 0}};
  list[5] = (Functions){"time_guards",
                        {events->time_guards, events->time_rates, NULL},
                        {events->n_time, events->n_time, 0}};
  list[4] = (Functions){"delayed", {events->delayed, NULL, NULL}, {events->n_delays, 0, 0}};
  list[6] = (Functions){"delay_times",
                        {events->delay_times, NULL, NULL},
                        {dae_cgen_delays_vary(events) ? events->n_delays : 0, 0, 0}};
  list[8] = (Functions){"claims", {events->asserted, NULL, NULL}, {events->n_assertions, 0, 0}};
  list[9] = (Functions){
      "words", {events->messages.words, NULL, NULL}, {events->messages.n_words, 0, 0}};
  list[7] = (Functions){"open", {events->open_terms, NULL, NULL}, {events->n_open, 0, 0}};
}

static uint32_t
n_outputs(const Functions *functions)
{
  return functions->n[0] + functions->n[1] + functions->n[2];
}

bool
dae_cgen_compile_events(DaeCgen *gen, GError **error)
{
  Functions list[N_FUNCTIONS];
  uint32_t n = 0;
  collect_functions(gen->model->events, list);
  for (uint32_t f = 0; f < N_FUNCTIONS; f++) {
    n += n_outputs(&list[f]);
  }
  gen->event_nodes = g_new0(uint32_t, (size_t)n + 1);
  n = 0;
  for (uint32_t f = 0; f < N_FUNCTIONS; f++) {
    for (uint32_t k = 0; k < 3; k++) {
      for (uint32_t i = 0; i < list[f].n[k]; i++) {
        if (!dae_compiler_compile(gen->compiler, list[f].terms[k][i], &gen->event_nodes[n++],
                                  error)) {
          return false;
        }
      }
    }
  }
  return gen->model->events->clocks == NULL || dae_cgen_compile_clocks(gen, error);
}

/* ---- header ------------------------------------------------------------------------------ */

static uint32_t
n_shown(const DaeCgenEvents *events)
{
  uint32_t n = 0;
  for (uint32_t k = 0; k < events->n_discrete; k++) {
    n += events->names[k] != NULL ? 1 : 0;
  }
  return n;
}

void
dae_cgen_event_sizes(const DaeCgen *gen, GString *out)
{
  const DaeCgenEvents *events = gen->model->events;

  const struct {
    const char *name;
    uint32_t value;
  } sizes[] = {
      {"N_EVENT", events->n_event},
      {"N_DISCRETE", events->n_discrete},
      {"N_SAMPLES", events->n_samples},
      {"N_LEFT_LIMITS", events->n_left_limits},
      {"N_BUFFERS", events->n_buffers},
      {"N_ACTIONS", events->n_actions},
      {"N_CLAIMS", events->n_assertions},
      {"MOST_REALS", most_reals(events)},
      {"N_ALGEBRAIC", gen->step->algebraic.n_columns},
      {"JUMP_LEVELS", events->jump_levels},
      {"N_SHOWN", n_shown(events)},
      {"AT_PRE", events->at_pre},
      {"AT_SAMPLE", events->at_sample},
      {"AT_LEFT_LIMIT", events->at_left_limit},
      {"AT_TERMINAL", events->at_terminal},
      {"AT_BUFFER", events->at_buffer},
      {"N_TIME", events->n_time},
      {"N_DELAYS", events->n_delays},
      {"AT_DELAY", events->at_delay},
      {"N_OPEN", events->n_open},
      {"AT_OPEN", events->at_open},
  };

  dae_cgen_append(gen, out, status_text);
  for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
    g_string_append_printf(out, "#define %s_%s %uu\n", gen->upper, sizes[i].name,
                           sizes[i].value);
  }
  g_autofree char *bounds = g_strdup_printf(
      "\n/* Work at events is bounded: so many rounds in one step, so many Newton steps in a\n"
      " * round. */\n"
      "#ifndef ^_EVENT_ROUNDS\n#define ^_EVENT_ROUNDS %uu\n#endif\n"
      "#ifndef ^_EVENT_NEWTON\n#define ^_EVENT_NEWTON %uu\n#endif\n\n",
      event_rounds(events), EVENT_NEWTON);
  dae_cgen_append(gen, out, bounds);
  if (events->clocks != NULL) {
    dae_cgen_clock_sizes(gen, out);
  }
}

/* Polynomials that the past of delay i has at most: one for each step that it reaches back, and
 * those at both ends; events may come several to a step. */
static uint32_t
delay_room(const DaeCgen *gen, uint32_t i)
{
  const DaeCgenEvents *events = gen->model->events;
  const uint32_t steps = (uint32_t)ceil(events->delay_length[i] / gen->step->step) + 4;
  return events->delay_held[i] != 0 ? 4 * steps : steps;
}

static uint32_t
all_delay_room(const DaeCgen *gen)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < gen->model->events->n_delays; i++) {
    n += delay_room(gen, i);
  }
  return n;
}

static void
append_delay_members(const DaeCgen *gen, GString *out)
{
  const uint32_t n = gen->model->events->n_delays;
  const uint32_t room = all_delay_room(gen);
  g_string_append_printf(out, "  double piece_begin[%u], piece_until[%u], piece_c[%u][4];\n",
                         room, room, room);
  g_string_append_printf(out, "  unsigned piece_turn[%u];\n", room);
  g_string_append_printf(out, "  unsigned piece_first[%u], piece_count[%u], grid_count[%u];\n",
                         n, n, n);
  g_string_append_printf(out, "  double grid[%u][4], delayed[%u], delayed_left[%u];\n", n, n,
                         n);
  g_string_append(out, "  int delay_is_full;\n");
  if (dae_cgen_delays_vary(gen->model->events)) {
    g_string_append_printf(out, "  unsigned piece_current[%u], has_tail[%u];\n", n, n);
    g_string_append_printf(out, "  double delay_time[%u];\n", n);
  }
}

void
dae_cgen_event_members(const DaeCgen *gen, GString *out)
{
  const DaeCgenEvents *events = gen->model->events;
  const uint32_t n_segment = events->n_event + 1;
  const uint32_t n = MAX(gen->parts->n, 1);
  const uint32_t n_actions = MAX(events->n_actions, 1);
  const uint32_t n_buffers = MAX(events->n_buffers, 1);
  g_string_append_printf(out, "  double segment[%u], before[%u], solved[%u], held[%u];\n",
                         n_segment, n_segment, n_segment, n_segment);
  g_string_append_printf(out, "  double point[%u], left[%u], rate[%u], ahead[%u], taken;\n", n,
                         n, n, n);
  g_string_append_printf(out, "  double begin[%u]; /* of the step */\n", n);
  if (events->n_assertions > 0) {
    g_string_append_printf(out, "  double claim[%u];\n  unsigned char is_told[%u];\n",
                           events->n_assertions, events->n_assertions);
  }
  g_string_append_printf(out, "  double guard[%u], here[%u], threshold[%u];\n", 3 * n_buffers,
                         n_buffers, n_buffers);
  g_string_append_printf(out, "  double target[%u], way[%u]; /* of a path */\n", n,
                         2 * n_buffers);
  g_string_append_printf(out, "  double value[%u], action[%u];\n", MAX(events->n_discrete, 1),
                         2 * n_actions);
  g_string_append_printf(out, "  double limit[%u], tick[%u], reset_value[%u];\n",
                         MAX(events->n_left_limits, 1), MAX(events->n_samples, 1), n_actions);
  g_string_append_printf(out, "  unsigned reset_column[%u], n_resets, n_seen;\n", n_actions);
  g_string_append_printf(out, "  unsigned char is_right[%u], is_crossed[%u], is_moved[%u];\n",
                         n_buffers, n_buffers, n_buffers);
  if (events->n_delays > 0) {
    append_delay_members(gen, out);
  }
  if (events->n_time > 0) {
    g_string_append_printf(out, "  double time_value[%u], touch[%u];\n", 2 * events->n_time,
                           events->n_time);
  }
  if (events->n_open > 0) {
    g_string_append_printf(out, "  double open[%u];\n", events->n_open);
  }
  if (events->messages.n_words > 0) {
    dae_cgen_message_members(gen, out);
  }
  if (events->clocks != NULL) {
    dae_cgen_clock_members(gen, out);
  }
  g_string_append(
      out, "  int has_jumped, has_held, must_solve, is_fresh;\n"
           "  unsigned rounds, most_rounds; /* of the last step, and the most so far */\n"
           "  long events;                  /* so far */\n"
           "  const char *message, *warning; /* of assertions and terminate, the last ones */\n"
           "  unsigned long n_warnings;      /* so far */\n");
}

void
dae_cgen_event_prototypes(const DaeCgen *gen, GString *out)
{
  dae_cgen_append(
      gen, out,
      "/* Events are taken at the end of the step; after one a step makes the history anew.\n"
      " * Discrete value k is s->segment[@_shown[k]], @_shown_names[k]. finish: terminal() "
      "holds. "
      "One\n"
      " * instance at a time: the functions of the model read the discrete values of the one "
      "that\n"
      " * was stepped last. */\n"
      "int @_finish(@_instance *s);\n"
      "extern const unsigned @_shown[];\n"
      "extern const char *const @_shown_names[];\n"
      "/* a step in which events take all their rounds and the history begins anew: at most "
      "*/\n"
      "extern const unsigned long @_flops_per_event_round, @_flops_per_step_most;\n\n");
  if (gen->model->events->has_jumps && gen->parts->n_con > 0 && !dae_cgen_finds_start(gen)) {
    dae_cgen_append(gen, out, "int @_find_start(double t, double *x);\n\n");
  }
}

/* ---- tables ------------------------------------------------------------------------------ */

void
dae_cgen_byte_table(const DaeCgen *gen, GString *out, const char *name, const uint8_t *values,
                    uint32_t n)
{
  dae_cgen_append(gen, out, "static const unsigned char @_");
  g_string_append_printf(out, "%s[%u] = {", name, MAX(n, 1));
  for (uint32_t i = 0; i < n; i++) {
    g_string_append_printf(out, "%s%uu", i == 0 ? "" : i % 24 == 0 ? ",\n  " : ", ", values[i]);
  }
  g_string_append(out, n == 0 ? "0u};\n" : "};\n");
}

static void
append_numbers(const DaeCgen *gen, GString *out, const char *linkage, const char *name,
               const uint32_t *values, uint32_t n)
{
  g_string_append_printf(out, "%sconst unsigned ", linkage);
  dae_cgen_append(gen, out, "@_");
  g_string_append_printf(out, "%s[%u] = {", name, MAX(n, 1));
  for (uint32_t i = 0; i < n; i++) {
    g_string_append_printf(out, "%s%uu", i == 0 ? "" : i % 16 == 0 ? ",\n  " : ", ", values[i]);
  }
  g_string_append(out, n == 0 ? "0u};\n" : "};\n");
}

static void
append_shown(const DaeCgen *gen, GString *out)
{
  const DaeCgenEvents *events = gen->model->events;
  g_autofree uint32_t *places = g_new0(uint32_t, (size_t)events->n_discrete + 1);
  g_autofree const char **names = g_new0(const char *, (size_t)events->n_discrete + 1);
  uint32_t n = 0;
  for (uint32_t k = 0; k < events->n_discrete; k++) {
    if (events->names[k] != NULL) {
      names[n] = events->names[k];
      places[n++] = k;
    }
  }
  append_numbers(gen, out, "", "shown", places, n);
  dae_cgen_string_table(gen, out, "const", "shown_names", names, n);
}

/* By unknown: its place among the algebraic ones + 1. */
static void
append_places(const DaeCgen *gen, GString *out)
{
  const DaeCgenMatrix *matrix = &gen->step->algebraic;
  const uint32_t n = gen->parts->n;
  g_autofree uint32_t *places = g_new0(uint32_t, (size_t)n + 1);
  g_autofree uint8_t *hidden = g_new0(uint8_t, (size_t)gen->parts->n_con + 1);
  for (uint32_t k = 0; k < matrix->n_columns; k++) {
    places[matrix->unknown[k]] = k + 1;
  }
  for (uint32_t i = 0; gen->parts->hidden != NULL && i < gen->parts->n_con; i++) {
    hidden[i] = gen->parts->hidden[i];
  }
  append_numbers(gen, out, "static ", "algebraic_place", places, n);
  dae_cgen_byte_table(gen, out, "hidden", hidden, gen->parts->n_con);
  dae_cgen_byte_table(gen, out, "untied", gen->model->events->is_untied, n);
  dae_cgen_byte_table(gen, out, "is_given", gen->model->events->is_given, gen->parts->n_con);
}

static void
append_delays(const DaeCgen *gen, GString *out)
{
  const DaeCgenEvents *events = gen->model->events;
  g_autofree uint32_t *at = g_new0(uint32_t, (size_t)events->n_delays + 1);
  g_autofree uint32_t *room = g_new0(uint32_t, (size_t)events->n_delays + 1);
  for (uint32_t i = 0; i < events->n_delays; i++) {
    room[i] = delay_room(gen, i);
    at[i + 1] = at[i] + room[i];
  }
  dae_cgen_double_table(gen, out, "static const", "delay_length", events->delay_length,
                        events->n_delays);
  dae_cgen_byte_table(gen, out, "delay_held", events->delay_held, events->n_delays);
  if (dae_cgen_delays_vary(events)) {
    dae_cgen_byte_table(gen, out, "delay_varies", events->delay_varies, events->n_delays);
  }
  append_numbers(gen, out, "static ", "delay_at", at, events->n_delays);
  append_numbers(gen, out, "static ", "delay_room", room, events->n_delays);
  g_autofree uint8_t *is_news = g_new0(uint8_t, (size_t)events->n_event + 1);
  for (uint32_t i = 0; i < events->n_event; i++) {
    const bool is_pre = i >= events->at_pre && i < events->at_pre + events->n_discrete;
    const bool is_delay = i >= events->at_delay && i < events->at_delay + 7 * events->n_delays;
    is_news[i] = !is_pre && !is_delay;
  }
  dae_cgen_byte_table(gen, out, "is_news", is_news, events->n_event);
}

static const char kinds_text[] = "#define ^_REINIT 0u\n"
                                 "#define ^_TERMINATE 1u\n"
                                 "#define ^_ASSERT 2u\n"
                                 "#define ^_WARNING 3u\n"
                                 "#define ^_PRINT 4u\n\n"
                                 "/* the values between events, of the instance under way */\n"
                                 "static const double *@_segment = @_segment_start;\n\n";

void
dae_cgen_event_data(const DaeCgen *gen)
{
  const DaeCgenEvents *events = gen->model->events;
  GString *out = gen->out;
  dae_cgen_double_table(gen, out, "static const", "segment_start", events->start,
                        events->n_event);
  dae_cgen_byte_table(gen, out, "in_system", events->in_system, events->n_event);
  dae_cgen_byte_table(gen, out, "is_when", events->is_when, events->n_discrete);
  dae_cgen_byte_table(gen, out, "is_real", events->is_real, events->n_discrete);
  append_shown(gen, out);
  if (events->n_samples > 0) {
    dae_cgen_double_table(gen, out, "static const", "tick_start", events->tick_start,
                          events->n_samples);
    dae_cgen_double_table(gen, out, "static const", "tick_interval", events->tick_interval,
                          events->n_samples);
  } else {
    dae_cgen_append(gen, out,
                    "static const double @_tick_start[1] = {0.0};\n"
                    "static const double @_tick_interval[1] = {1.0};\n");
  }
  if (events->n_delays > 0) {
    append_delays(gen, out);
  }
  if (events->n_time > 0) {
    g_autofree uint32_t *place = g_new0(uint32_t, (size_t)events->n_buffers + 1);
    for (uint32_t k = 0; k < events->n_time; k++) {
      place[events->time_buffer[k]] = k;
    }
    append_numbers(gen, out, "static ", "time_buffer", events->time_buffer, events->n_time);
    append_numbers(gen, out, "static ", "time_place", place, events->n_buffers);
  }
  dae_cgen_byte_table(gen, out, "buffer_kind", events->buffer_kind, events->n_buffers);
  dae_cgen_byte_table(gen, out, "guard_kind", events->guard_kind, events->n_buffers);
  if (events->n_buffers > 0) {
    dae_cgen_double_table(gen, out, "static const", "guard_nominal", events->guard_nominal,
                          events->n_buffers);
  } else {
    dae_cgen_append(gen, out, "static const double @_guard_nominal[1] = {1.0};\n");
  }
  dae_cgen_byte_table(gen, out, "action_kind", events->action_kind, events->n_actions);
  append_numbers(gen, out, "static ", "action_target", events->action_target,
                 events->n_actions);
  dae_cgen_string_table(gen, out, "static const", "action_message", events->action_message,
                        MAX(events->n_actions, 1));
  if (events->n_assertions > 0) {
    dae_cgen_byte_table(gen, out, "claim_kind", events->assertion_kind, events->n_assertions);
    dae_cgen_string_table(gen, out, "static const", "claim_message", events->assertion_message,
                          events->n_assertions);
  }
  if (events->start_message != NULL) {
    dae_cgen_string_table(gen, out, "static const", "start_message", &events->start_message, 1);
  }
  if (gen->step->algebraic.n_columns > 0 || events->has_jumps) {
    dae_cgen_double_table(gen, out, "static const", "nominal", events->nominal, gen->parts->n);
  }
  if (events->has_jumps) {
    append_places(gen, out);
  }
  if (events->n_open > 0) {
    append_numbers(gen, out, "static ", "open_column", events->open_columns, events->n_open);
  }
  if (events->clocks != NULL) {
    dae_cgen_clock_data(gen);
  }
  dae_cgen_append(gen, out, kinds_text);
}

/* ---- functions --------------------------------------------------------------------------- */

static void
append_input(const void *user, uint32_t input, GString *out)
{
  const DaeCgen *gen = user;
  const uint32_t n = gen->parts->n;
  if (input == 0) {
    g_string_append(out, "t");
  } else if (input <= 2 * n) {
    g_string_append_printf(out, "%s[%u]", input <= n ? "x" : "xdot", (input - 1) % n);
  } else {
    dae_cgen_append_segment(gen, input - 1 - 2 * n, out);
  }
}

void
dae_cgen_event_function(const DaeCgen *gen, const char *name, const uint32_t *outputs,
                        uint32_t n, DaeTapeCost *cost)
{
  static const char *const unused[] = {"t", "x", "xdot", "out", NULL};
  const DaeCgenFunction function = {.program = gen->program,
                                    .outputs = outputs,
                                    .n_outputs = n,
                                    .function = name,
                                    .arguments =
                                        "double t, const double *x, const double *xdot",
                                    .pass = "t, x, xdot",
                                    .result = "double *out",
                                    .pass_result = "out",
                                    .append_input = append_input,
                                    .user = gen,
                                    .is_static = true,
                                    .unused = unused};
  dae_cgen_function(gen, &function, cost);
}

void
dae_cgen_event_functions(const DaeCgen *gen)
{
  Functions list[N_FUNCTIONS];
  uint32_t first = 0;
  collect_functions(gen->model->events, list);
  for (uint32_t f = 0; f < N_FUNCTIONS; f++) {
    const uint32_t n = n_outputs(&list[f]);
    if (n > 0 || f < 3) {
      dae_cgen_event_function(gen, list[f].function, gen->event_nodes + first, n,
                              f == 0   ? gen->guard_cost
                              : f == 5 ? gen->time_cost
                              : f == 8 ? gen->assertion_cost
                                       : gen->event_cost);
    }
    first += n;
  }
  if (gen->model->events->clocks != NULL) {
    dae_cgen_clock_functions(gen);
  }
  if (gen->model->events->messages.n_words > 0) {
    dae_cgen_message_functions(gen);
  }
}

/* Least squares on (unknowns + impulses) with dense normal equations, as jumps.c does it: from
 * where the step ended, to take positions back, and from there. */
static uint64_t
jump_flops(const DaeCgen *gen)
{
  const uint64_t levels = gen->model->events->jump_levels;
  const uint64_t n = levels * gen->parts->n + gen->step->algebraic.n_columns;
  const uint64_t rows = levels * gen->parts->n_diff + (levels + 1) * gen->parts->n_con + n +
                        gen->model->events->n_actions;
  const uint64_t aliases = gen->model->events->n_actions; /* resets of algebraic unknowns */
  return ((2 + levels) * 12 + aliases) * (rows * (n * n + 4 * n) + n * n * n + 4 * n * n);
}

uint64_t
dae_cgen_all_operations(const DaeTapeCost *cost)
{
  return (uint64_t)cost->adds + cost->multiplies + cost->calls + cost->divides +
         cost->square_roots;
}

uint64_t
dae_cgen_guard_flops(const DaeCgen *gen)
{
  return gen->model->events != NULL ? dae_cgen_all_operations(gen->guard_cost) +
                                          4 * (uint64_t)gen->model->events->n_buffers
                                    : 0;
}

uint64_t
dae_cgen_assertion_flops(const DaeCgen *gen)
{
  const DaeCgenEvents *events = gen->model->events;
  return events != NULL && events->n_assertions > 0
             ? dae_cgen_all_operations(gen->assertion_cost)
             : 0;
}

static uint64_t
slopes_flops(const DaeCgen *gen)
{
  const uint64_t n = gen->parts->n;
  return n * n * n + 12 * n * n + 6 * n;
}

/* Discrete Reals that depend on each other: their values twice more, guards, the elimination. */
static uint64_t
real_loop_flops(const DaeCgen *gen)
{
  const DaeCgenEvents *events = gen->model->events;
  const uint64_t n = most_reals(events);
  const uint64_t elimination = 2 * n * n * n + 3 * n * n; /* with what makes its matrix */
  for (uint32_t k = 0; k < events->n_discrete; k++) {
    if (events->is_real[k] != 0) {
      return 2 * dae_cgen_all_operations(gen->event_cost) + dae_cgen_guard_flops(gen) +
             elimination;
    }
  }
  return 0;
}

/* Where in a step do relations of time change their sides? As time_guards.c looks. */
uint64_t
dae_cgen_time_flops(const DaeCgen *gen)
{
  enum { LOOKS = 5, HALVINGS = 2 * 40 + 1, OWN = 8 };

  const uint64_t n = gen->model->events != NULL ? gen->model->events->n_time : 0;
  return n * (LOOKS + HALVINGS) * (dae_cgen_all_operations(gen->time_cost) + OWN);
}

/* Of a step that records what is delayed: its value, the polynomials, the next break. */
uint64_t
dae_cgen_delay_flops(const DaeCgen *gen)
{
  const DaeCgenEvents *events = gen->model->events;
  return events != NULL && events->n_delays > 0
             ? dae_cgen_all_operations(gen->event_cost) + 24 * (uint64_t)events->n_delays +
                   (events->needs_slopes ? slopes_flops(gen) : 0)
             : 0;
}

/* Rounds of three paths and two searches among all positions of relations of unknowns: four
 * solutions for each piece and each position. */
static uint64_t
search_rounds(const DaeCgen *gen)
{
  enum { MOST_SWITCHES = 8, SOLUTIONS = 4, OF_STATES = 2 };

  uint32_t n = 0;
  for (uint32_t b = 0; b < gen->model->events->n_buffers; b++) {
    n += gen->model->events->guard_kind[b] == OF_STATES ? 1 : 0;
  }
  const uint64_t pieces = 4 * (uint64_t)gen->model->events->n_buffers + 8;
  return n > 0 ? SOLUTIONS * (3 * pieces + 2 * (UINT64_C(1) << MIN(n, (uint32_t)MOST_SWITCHES)))
               : 0;
}

/* start_steps: steps by tables of a start. */
void
dae_cgen_event_costs(const DaeCgen *gen, uint64_t flops, uint32_t start_steps)
{
  const DaeCgenEvents *events = gen->model->events;
  const uint64_t tries = /* of a derivative */
      gen->has_edges ? DAE_CGEN_EDGE_ROUNDS + 2 * (uint64_t)gen->parts->n : 1;
  const uint64_t slopes = 2 * tries * gen->step->slopes_flops;
  /* where relations that stand at 0 go */
  const uint64_t ahead = events->n_buffers > 0 ? slopes + 3 * (uint64_t)gen->parts->n : 0;
  /* guards: in a round, where an instant begins and ends, for the next one and the thresholds */
  const uint64_t round =
      dae_cgen_all_operations(gen->event_cost) + 6 * dae_cgen_guard_flops(gen) +
      real_loop_flops(gen) + 2 * dae_cgen_delay_flops(gen) + dae_cgen_time_flops(gen) +
      (events->has_jumps ? jump_flops(gen) : 0) +
      (events->needs_slopes ? 2 * slopes_flops(gen) : 0) + ahead + dae_cgen_clock_flops(gen) +
      (events->n_open > 0 ? tries * gen->step->correction_flops : 0);
  const uint64_t correction = 2 * tries * gen->step->correction_flops;
  const uint64_t restart = start_steps * tries * gen->step->flops + slopes;
  const uint64_t regular = flops + (gen->has_edges ? tries * gen->step->flops : 0);
  g_string_append_printf(
      gen->out,
      "/* With events: a round takes at most flops_per_event_round (guards, discrete values,\n"
      " * actions, unknowns), the history after one %" G_GUINT64_FORMAT ". */\n"
      "const unsigned long %s_flops_per_event_round = %" G_GUINT64_FORMAT
      "ul + %s_EVENT_NEWTON * %" G_GUINT64_FORMAT "ul;\n"
      "const unsigned long %s_flops_per_step_most =\n"
      "    %" G_GUINT64_FORMAT "ul + %" G_GUINT64_FORMAT "ul +\n"
      "    (%s_EVENT_ROUNDS + %" G_GUINT64_FORMAT "ul) * (%" G_GUINT64_FORMAT
      "ul + %s_EVENT_NEWTON * %" G_GUINT64_FORMAT "ul);\n\n",
      restart, gen->model->prefix, round, gen->upper, correction, gen->model->prefix, regular,
      restart, gen->upper, search_rounds(gen), round, gen->upper, correction);
}
