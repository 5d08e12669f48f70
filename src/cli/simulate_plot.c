/* --plot: the chosen variables, sampled inside the steps of the integrator, so that the grid of
 * the results does not show; beside them, if wanted, the same variables of earlier results. */
#include <math.h>
#include <string.h>

#include "cli/simulate-priv.h"
#include "cli/variables.h"
#include "report/plot.h"
#include "report/table.h"

enum {
  MOST_FINE = 2000, /* unknowns: more are not evaluated inside steps */
  FIRST = 8,        /* curves without --variables */
  ACROSS = 1200,    /* points wanted across the plot */
  MOST_IN_STEP = 64,
  LEAST_IN_STEP = 4,
  IN_STRETCHED_STEP = 16, /* where a short time may go far across the plot */
  MOST_STRETCHED = 200000 /* points, then the steps are short enough */
};

struct DaePlotter {
  DaeCli *cli;
  DaeProblem *problem;
  GArray *columns; /* uint32_t: results; the last one is the horizontal axis if there is one */
  GArray *t;       /* double */
  GPtrArray *values; /* GArray of double for each column */
  bool has_x, is_fine;
  bool is_stretched;   /* the horizontal axis is not time, or its logarithm */
  double *x;           /* unknowns inside a step */
  GPtrArray *overlays; /* DaeTable */
  GPtrArray *names;    /* of the curves of overlays, owned */
  double span, rtol;
};

static void
free_array(gpointer array)
{
  g_array_free(array, TRUE);
}

void
dae_plotter_free(DaePlotter *plotter)
{
  if (plotter == NULL) {
    return;
  }
  g_array_free(plotter->columns, TRUE);
  g_array_free(plotter->t, TRUE);
  g_ptr_array_free(plotter->values, TRUE);
  g_ptr_array_free(plotter->overlays, TRUE);
  g_ptr_array_free(plotter->names, TRUE);
  g_free(plotter->x);
  g_free(plotter);
}

/* ---- what is plotted --------------------------------------------------------------------- */

/* Parameters and derivatives are not drawn. */
static void
drop_extras(DaePlotter *plotter)
{
  for (guint i = plotter->columns->len; i-- > 0;) {
    if (g_array_index(plotter->columns, uint32_t, i) >=
        dae_problem_n_results(plotter->problem)) {
      g_array_remove_index(plotter->columns, i);
    }
  }
}

static bool
is_drawn(const DaePlotter *plotter, uint32_t k)
{
  for (guint i = 0; i < plotter->columns->len; i++) {
    uint32_t other = g_array_index(plotter->columns, uint32_t, i);
    if (dae_problem_results_are_one(plotter->problem, other, k)) {
      return true;
    }
  }
  return false;
}

static uint32_t
count_variables(const DaePlotter *plotter)
{
  uint32_t n = 0;
  for (uint32_t k = 0; k < dae_problem_n_results(plotter->problem); k++) {
    n += !dae_problem_result_is_introduced(plotter->problem, k);
  }
  return n;
}

/* All, or of more than eight the first eight; then each curve once, whatever its names: connected
 * components have many. */
static void
choose_first(DaePlotter *plotter, uint32_t x)
{
  uint32_t n = dae_problem_n_results(plotter->problem);
  bool are_few = count_variables(plotter) <= FIRST;
  for (uint32_t k = 0; k < n && plotter->columns->len < FIRST; k++) {
    if (k != x && !dae_problem_result_is_introduced(plotter->problem, k) &&
        (are_few || !is_drawn(plotter, k))) {
      g_array_append_val(plotter->columns, k);
    }
  }
}

static bool
choose_columns(DaePlotter *plotter)
{
  const char *list = dae_cli_string(plotter->cli, "variables");
  const char *x = dae_cli_string(plotter->cli, "plot-x");
  g_autoptr(GArray) horizontal = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (x != NULL &&
      !dae_variables_choose(plotter->cli, "plot-x", plotter->problem, NULL, x, horizontal)) {
    return false;
  }
  if (x != NULL && horizontal->len != 1) {
    dae_cli_usage(plotter->cli, "--plot-x takes one variable, not %u", horizontal->len);
    return false;
  }
  if (list != NULL) {
    g_autoptr(DaeExtras) extras = dae_extras_new(plotter->problem);
    if (!dae_variables_choose(plotter->cli, "variables", plotter->problem, extras, list,
                              plotter->columns)) {
      return false;
    }
    drop_extras(plotter);
    if (plotter->columns->len == 0) {
      dae_cli_usage(plotter->cli, "--plot: none of '%s' is a variable of the model", list);
      return false;
    }
  } else {
    choose_first(plotter, x != NULL ? g_array_index(horizontal, uint32_t, 0) : UINT32_MAX);
  }
  plotter->has_x = x != NULL;
  g_array_append_vals(plotter->columns, horizontal->data, horizontal->len);
  return true;
}

static bool
read_overlays(DaePlotter *plotter, DaeExit *code)
{
  guint n = 0;
  const char *const *paths = dae_cli_strings(plotter->cli, "overlay", &n);
  for (guint i = 0; i < n; i++) {
    GError *error = NULL;
    DaeTable *table = dae_table_read(paths[i], &error);
    if (table == NULL) {
      *code = dae_cli_fail(plotter->cli, error);
      return false;
    }
    g_ptr_array_add(plotter->overlays, table);
  }
  return true;
}

static void
free_table(gpointer table)
{
  dae_table_free(table);
}

DaePlotter *
dae_plotter_new(DaeCli *cli, DaeProblem *problem, const DaeSolverOptions *options,
                DaeExit *code)
{
  DaePlotter *plotter = g_new0(DaePlotter, 1);
  plotter->cli = cli;
  plotter->problem = problem;
  plotter->columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  plotter->t = g_array_new(FALSE, FALSE, sizeof(double));
  plotter->values = g_ptr_array_new_with_free_func(free_array);
  plotter->overlays = g_ptr_array_new_with_free_func(free_table);
  plotter->names = g_ptr_array_new_with_free_func(g_free);
  plotter->span = options->t_stop - options->t_start;
  plotter->rtol = options->rtol;
  plotter->is_fine = options->method == DAE_METHOD_RADAU && dae_problem_n(problem) <= MOST_FINE;
  plotter->x = g_new0(double, dae_problem_n(problem) + 1);
  plotter->is_stretched = dae_cli_string(cli, "plot-x") != NULL || dae_cli_flag(cli, "log-x");
  *code = DAE_EXIT_USAGE;
  if (!choose_columns(plotter) || !read_overlays(plotter, code)) {
    dae_plotter_free(plotter);
    return NULL;
  }
  for (guint s = 0; s < plotter->columns->len; s++) {
    g_ptr_array_add(plotter->values, g_array_new(FALSE, FALSE, sizeof(double)));
  }
  *code = DAE_EXIT_OK;
  return plotter;
}

/* ---- points ------------------------------------------------------------------------------ */

static void
keep(DaePlotter *plotter, double t, const double *results)
{
  g_array_append_val(plotter->t, t);
  for (guint s = 0; s < plotter->columns->len; s++) {
    double value = results[g_array_index(plotter->columns, uint32_t, s)];
    g_array_append_val((GArray *)g_ptr_array_index(plotter->values, s), value);
  }
}

/* A step that ended beyond an event was made again: what was kept of it goes. */
static void
forget_after(DaePlotter *plotter, double t)
{
  guint n = plotter->t->len;
  while (n > 0 && g_array_index(plotter->t, double, n - 1) > t) {
    n--;
  }
  g_array_set_size(plotter->t, n);
  for (guint s = 0; s < plotter->values->len; s++) {
    g_array_set_size(g_ptr_array_index(plotter->values, s), n);
  }
}

/* The first point is the start of the step: after a jump it is another one
 * than the end of the step before. */
void
dae_plotter_step(DaePlotter *plotter, const DaeStepRecord *record)
{
  if (!plotter->is_fine) {
    return;
  }
  double begin = record->t - record->size;
  double wanted = ceil(ACROSS * record->size / fmax(plotter->span, record->size));
  int n = (int)CLAMP(wanted, 1, MOST_IN_STEP);
  n = record->size * 4 * ACROSS > plotter->span ? MAX(n, LEAST_IN_STEP) : n;
  if (plotter->is_stretched && plotter->t->len < MOST_STRETCHED) {
    n = MAX(n, IN_STRETCHED_STEP);
  }
  forget_after(plotter, begin + 1e-9 * record->size);
  for (int k = 0; k <= n; k++) {
    double t = k == n ? record->t : begin + record->size * k / n;
    dae_step_value(record, t, plotter->x);
    keep(plotter, t, dae_problem_results(plotter->problem, t, plotter->x));
  }
}

/* Points of the results lie in the step that was told last: they go between its points, so that
 * nothing is lost that the user asked to see. */
void
dae_plotter_point(DaePlotter *plotter, double t, const double *results)
{
  guint at = plotter->t->len;
  while (at > 0 && g_array_index(plotter->t, double, at - 1) > t) {
    at--;
  }
  g_array_insert_val(plotter->t, at, t);
  for (guint s = 0; s < plotter->columns->len; s++) {
    double value = results[g_array_index(plotter->columns, uint32_t, s)];
    g_array_insert_val((GArray *)g_ptr_array_index(plotter->values, s), at, value);
  }
}

/* ---- the picture ------------------------------------------------------------------------- */

static const double *
column_of(const DaePlotter *plotter, guint s)
{
  return (const double *)(void *)((GArray *)g_ptr_array_index(plotter->values, s))->data;
}

static DaePlotKind
kind_of(const DaePlotter *plotter, uint32_t k)
{
  switch (dae_problem_result_type(plotter->problem, k)) {
  case DAE_TYPE_BOOLEAN:
    return DAE_PLOT_BOOLEAN;
  case DAE_TYPE_INTEGER:
  case DAE_TYPE_ENUMERATION:
    return DAE_PLOT_INTEGER;
  case DAE_TYPE_REAL:
  case DAE_TYPE_STRING:
    return DAE_PLOT_REAL;
  }
  return DAE_PLOT_REAL;
}

static void
add_overlay(DaePlotter *plotter, const DaeTable *table, const char *path, guint n_own,
            GArray *series)
{
  const char *x_name =
      plotter->has_x ? dae_problem_result_name(plotter->problem,
                                               g_array_index(plotter->columns, uint32_t, n_own))
                     : NULL;
  const double *x = x_name == NULL ? dae_table_column(table, 0) : dae_table_find(table, x_name);
  bool found = false;
  for (guint s = 0; x != NULL && s < n_own; s++) {
    uint32_t k = g_array_index(plotter->columns, uint32_t, s);
    const char *name = dae_problem_result_name(plotter->problem, k);
    const double *y = dae_table_find(table, name);
    if (y == NULL) {
      continue;
    }
    g_autofree char *base = g_path_get_basename(path);
    char *label = g_strdup_printf("%s (%s)", name, base);
    g_ptr_array_add(plotter->names, label);
    DaePlotSeries one = {.name = label,
                         .unit = dae_problem_result_unit(plotter->problem, k),
                         .kind = kind_of(plotter, k),
                         .x = x,
                         .y = y,
                         .n = dae_table_n_rows(table),
                         .like = s + 1};
    g_array_append_val(series, one);
    found = true;
  }
  if (!found) {
    dae_cli_warn(plotter->cli, "--overlay %s: it has none of the plotted variables", path);
  }
}

/* Without --variables the first eight are drawn; who looks at the picture should know.
 * (transfer full) */
static char *
note_about_the_rest(const DaePlotter *plotter)
{
  uint32_t n = count_variables(plotter);
  bool is_chosen = dae_cli_string(plotter->cli, "variables") != NULL;
  return is_chosen || n <= plotter->columns->len
             ? NULL
             : g_strdup_printf("%u of %u variables; others with --variables",
                               plotter->columns->len - (plotter->has_x ? 1 : 0), n);
}

static GArray *
make_series(DaePlotter *plotter)
{
  GArray *series = g_array_new(FALSE, FALSE, sizeof(DaePlotSeries));
  guint n = plotter->columns->len - (plotter->has_x ? 1 : 0);
  for (guint s = 0; s < n; s++) {
    uint32_t k = g_array_index(plotter->columns, uint32_t, s);
    DaePlotSeries one = {
        .name = dae_problem_result_name(plotter->problem, k),
        .unit = dae_problem_result_unit(plotter->problem, k),
        .kind = kind_of(plotter, k),
        .x = plotter->has_x ? column_of(plotter, n) : (const double *)(void *)plotter->t->data,
        .y = column_of(plotter, s),
        .n = plotter->t->len,
    };
    g_array_append_val(series, one);
  }
  const char *const *paths = dae_cli_strings(plotter->cli, "overlay", NULL);
  for (guint i = 0; i < plotter->overlays->len; i++) {
    add_overlay(plotter, g_ptr_array_index(plotter->overlays, i), paths[i], n, series);
  }
  return series;
}

/* A logarithmic axis has no place for 0 and below; t = 0 on its time axis is no surprise. */
static void
warn_about_lost_points(DaePlotter *plotter, const DaePlot *plot)
{
  for (uint32_t s = 0; plot->log_y && s < plot->n_series; s++) {
    const DaePlotSeries *series = &plot->series[s];
    size_t n_lost = 0;
    for (size_t i = 0; i < series->n; i++) {
      n_lost += !(series->y[i] > 0);
    }
    if (n_lost > 0) {
      dae_cli_warn(plotter->cli,
                   "--log-y: %zu of %zu points of %s are not positive and not drawn", n_lost,
                   series->n, series->name);
    }
  }
}

bool
dae_plotter_write(DaePlotter *plotter)
{
  g_autoptr(GArray) series = make_series(plotter);
  uint32_t last =
      plotter->has_x ? g_array_index(plotter->columns, uint32_t, plotter->columns->len - 1) : 0;
  g_autofree char *note = note_about_the_rest(plotter);
  DaePlot plot = {
      .note = note,
      .title = dae_model_name(dae_pipeline_model(dae_cli_pipeline(plotter->cli))),
      .x_label = plotter->has_x ? dae_problem_result_name(plotter->problem, last) : "time",
      .x_unit = plotter->has_x ? dae_problem_result_unit(plotter->problem, last) : "s",
      .series = (const DaePlotSeries *)(void *)series->data,
      .n_series = series->len,
      .log_x = dae_cli_flag(plotter->cli, "log-x"),
      .log_y = dae_cli_flag(plotter->cli, "log-y"),
      .noise = plotter->rtol,
  };
  warn_about_lost_points(plotter, &plot);
  g_autoptr(GString) svg = g_string_new(NULL);
  dae_plot_svg(&plot, svg);
  return dae_cli_write_file(plotter->cli, dae_cli_string(plotter->cli, "plot"), svg->str,
                            svg->len);
}
