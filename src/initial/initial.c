#include "initial/initial.h"

#include <math.h>
#include <string.h>

struct DaeInitialProblem {
  DaeTerms *terms;
  const DaeModel *model;
  const DaeSig *sig;              /* NULL: not told yet, or a part */
  const DaeInitialProblem *whole; /* a part: of this problem */
  uint32_t *from;                 /* a part: numbers of the conditions in the whole */
  GArray *unknowns;               /* DaeInitialUnknown */
  GHashTable *index;              /* atom -> unknown + 1 */
  int32_t *c, *d; /* orders of equations and variables, with what conditions ask for */
  uint32_t n_free_parameters, n_discrete_starts; /* the latter are some of the former */
  int64_t dof, potential_states;
  double t_start;
  DaeTerm start_time;
};

/* ---- orders ------------------------------------------------------------------------------- */

/* Highest derivative order of each variable that the model itself contains; -1 where it does
 * not occur. */
static int32_t *
highest_orders_in_model(const DaeSig *sig)
{
  uint32_t n = dae_sig_n_columns(sig);
  int32_t *highest = g_new0(int32_t, n + 1);
  for (uint32_t j = 0; j < n; j++) {
    highest[j] = -1;
  }
  size_t n_entries = 0;
  const DaeSigEntry *entries = dae_sig_entries(sig, &n_entries);
  for (size_t e = 0; e < n_entries; e++) {
    highest[entries[e].column] = MAX(highest[entries[e].column], entries[e].sigma);
  }
  return highest;
}

static int64_t
count_potential_states(const DaeSig *sig)
{
  const DaeSig *written = dae_sig_original(sig) != NULL ? dae_sig_original(sig) : sig;
  g_autofree int32_t *highest = highest_orders_in_model(written);
  int64_t count = 0;
  for (uint32_t j = 0; j < dae_sig_n_columns(written); j++) {
    count += MAX(highest[j], 0);
  }
  return count;
}

/* As often as each equation can be differentiated without meeting derivatives above the given
 * orders. On a transversal that is c [Pryce01]; an equation outside of it has something to say
 * about the others' derivatives as well. */
static int32_t *
derivatives_within(const DaeSig *sig, const int32_t *orders)
{
  uint32_t n_rows = dae_sig_n_rows(sig);
  size_t n_entries = 0;
  const DaeSigEntry *entries = dae_sig_entries(sig, &n_entries);
  int32_t *c = g_new0(int32_t, n_rows + 1);
  for (uint32_t i = 0; i < n_rows; i++) {
    c[i] = -1;
  }
  for (size_t e = 0; e < n_entries; e++) {
    int32_t room = orders[entries[e].column] - entries[e].sigma;
    int32_t *least = &c[entries[e].row];
    *least = *least < 0 ? room : MIN(*least, room);
  }
  for (uint32_t i = 0; i < n_rows; i++) {
    c[i] = MAX(c[i], 0); /* an equation without unknowns */
  }
  return c;
}

static void
set_offsets(DaeInitialProblem *problem)
{
  const DaeSig *sig = problem->sig;
  uint32_t n_rows = dae_sig_n_rows(sig);
  uint32_t n_columns = dae_sig_n_columns(sig);
  if (dae_sig_c(sig) != NULL && dae_sig_d(sig) != NULL && dae_sig_transversal(sig) != NULL) {
    problem->d = g_memdup2(dae_sig_d(sig), sizeof(int32_t) * n_columns);
    problem->c = derivatives_within(sig, problem->d);
    problem->dof = dae_sig_dof(sig);
    return;
  }
  problem->d = highest_orders_in_model(sig);
  problem->c = derivatives_within(sig, problem->d);
  problem->dof = 0;
  for (uint32_t i = 0; i < n_rows; i++) {
    problem->dof -= problem->c[i] + 1;
  }
  for (uint32_t j = 0; j < n_columns; j++) {
    problem->d[j] = MAX(problem->d[j], 0);
    problem->dof += problem->d[j] + 1;
  }
}

/* ---- what conditions ask for ---------------------------------------------------------------- */

/* How far x_j and f_i go beyond d_j and c_i. */
typedef struct {
  int32_t *variable;
  int32_t *equation;
} Extension;

static void
extend_variable(Extension *ext, GArray *work, uint32_t j, int32_t by)
{
  if (by > ext->variable[j]) {
    ext->variable[j] = by;
    g_array_append_val(work, j);
  }
}

static void
demands_of_sides(const DaeInitialProblem *problem, DaeTerm lhs, DaeTerm rhs, Extension *ext,
                 GArray *work)
{
  DaeTerms *terms = problem->terms;
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(terms, lhs, atoms);
  dae_term_collect_variables(terms, rhs, atoms);
  for (guint a = 0; a < atoms->len; a++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, a);
    uint32_t j = 0;
    if (dae_model_find_variable(problem->model, dae_term_get_symbol(terms, atom), &j)) {
      extend_variable(ext, work, j, (int32_t)dae_term_order(terms, atom) - problem->d[j]);
    }
  }
}

/* Sigma does not count what an equation has no slope in. Where that chooses a branch the value
 * hangs on it all the same: x = time*(if der(x) < 1.5 then 2 else 1) holds for no x. */
static void
demands_of_branches(const DaeInitialProblem *problem, Extension *ext, GArray *work)
{
  for (uint32_t i = 0; i < dae_model_n_equations(problem->model); i++) {
    const DaeEquation *equation = dae_model_equation(problem->model, i);
    if (dae_term_has_break(problem->terms, equation->lhs) ||
        dae_term_has_break(problem->terms, equation->rhs)) {
      demands_of_sides(problem, equation->lhs, equation->rhs, ext, work);
    }
  }
}

static void
demands_of_conditions(const DaeInitialProblem *problem, Extension *ext, GArray *work)
{
  for (uint32_t i = 0; i < dae_initial_n_conditions(problem); i++) {
    const DaeInitialEquation condition = dae_initial_condition(problem, i);
    demands_of_sides(problem, condition.lhs, condition.rhs, ext, work);
  }
}

/* Closes the extension under "the matched equation is needed, and all it contains". Ends
 * because no extension exceeds the largest demand: sigma_il + c_i <= d_l. */
static void
close_extension(const DaeInitialProblem *problem, Extension *ext, GArray *work)
{
  const DaeSig *sig = problem->sig;
  const int32_t *c = problem->c;
  const int32_t *d = problem->d;
  const uint32_t *column_of = dae_sig_transversal(sig);
  uint32_t n = dae_sig_n_rows(sig);
  size_t n_entries = 0;
  const DaeSigEntry *entries = dae_sig_entries(sig, &n_entries);
  if (work->len == 0 || column_of == NULL) {
    return;
  }
  g_autofree uint32_t *row_of = g_new(uint32_t, dae_sig_n_columns(sig) + 1);
  g_autofree size_t *row_start = g_new0(size_t, n + 2);
  for (uint32_t j = 0; j < dae_sig_n_columns(sig); j++) {
    row_of[j] = UINT32_MAX; /* with more unknowns than equations some have none */
  }
  for (uint32_t i = 0; i < n; i++) {
    if (column_of[i] < dae_sig_n_columns(sig)) { /* with more equations some have no unknown */
      row_of[column_of[i]] = i;
    }
  }
  for (size_t e = 0; e < n_entries; e++) {
    row_start[entries[e].row + 1]++;
  }
  for (uint32_t i = 0; i < n; i++) {
    row_start[i + 1] += row_start[i];
  }
  while (work->len > 0) {
    uint32_t j = g_array_index(work, uint32_t, work->len - 1);
    g_array_set_size(work, work->len - 1);
    uint32_t i = row_of[j];
    if (i == UINT32_MAX) {
      continue;
    }
    ext->equation[i] = MAX(ext->equation[i], ext->variable[j]);
    for (size_t e = row_start[i]; e < row_start[i + 1]; e++) {
      uint32_t l = entries[e].column;
      extend_variable(ext, work, l, entries[e].sigma + c[i] + ext->equation[i] - d[l]);
    }
  }
}

static void
extend(DaeInitialProblem *problem)
{
  uint32_t n_columns = dae_sig_n_columns(problem->sig);
  uint32_t n_rows = dae_sig_n_rows(problem->sig);
  g_autoptr(GArray) work = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autofree int32_t *by_variable = g_new0(int32_t, n_columns + 1);
  g_autofree int32_t *by_equation = g_new0(int32_t, n_rows + 1);
  Extension ext = {by_variable, by_equation};
  demands_of_branches(problem, &ext, work);
  demands_of_conditions(problem, &ext, work);
  close_extension(problem, &ext, work);
  for (uint32_t j = 0; j < n_columns; j++) {
    problem->d[j] += ext.variable[j];
  }
  for (uint32_t i = 0; i < n_rows; i++) {
    problem->c[i] += ext.equation[i];
  }
}

/* ---- unknowns ------------------------------------------------------------------------------- */

static void
add_unknown(DaeInitialProblem *problem, const DaeInitialUnknown *unknown)
{
  g_array_append_vals(problem->unknowns, unknown, 1);
  g_hash_table_insert(problem->index, GUINT_TO_POINTER(unknown->atom),
                      GUINT_TO_POINTER(problem->unknowns->len));
}

static void
add_variables(DaeInitialProblem *problem)
{
  g_autofree int32_t *highest =
      problem->sig != NULL ? highest_orders_in_model(problem->sig) : NULL;
  for (uint32_t j = 0; j < dae_model_n_variables(problem->model); j++) {
    const DaeVariable *variable = dae_model_variable(problem->model, j);
    bool has_start = variable->start != DAE_NO_TERM;
    for (int32_t k = 0; k <= (problem->d != NULL ? problem->d[j] : 0); k++) {
      DaeInitialUnknown unknown = {
          .atom = dae_term_variable(problem->terms, variable->symbol, (uint32_t)k),
          .variable = j,
          .order = (uint32_t)k,
          .start = k == 0 ? variable->start : DAE_NO_TERM,
          .place = k == 0 && has_start ? variable->start_span : variable->span,
          .is_fixed = k == 0 && variable->fixed,
          .is_potential_state = highest != NULL && k < highest[j]};
      add_unknown(problem, &unknown);
    }
  }
}

static void
add_free_parameters(DaeInitialProblem *problem)
{
  for (uint32_t k = 0; k < dae_model_n_parameters(problem->model); k++) {
    const DaeParameter *parameter = dae_model_parameter(problem->model, k);
    DaeInitialUnknown unknown = {.atom = dae_term_parameter(problem->terms, parameter->symbol),
                                 .variable = DAE_INITIAL_NONE,
                                 .start = parameter->start,
                                 .place = parameter->span};
    if (parameter->is_free) {
      add_unknown(problem, &unknown);
      problem->n_free_parameters++;
      problem->n_discrete_starts += parameter->is_discrete_start;
    }
  }
}

/* ---- the start time ------------------------------------------------------------------------- */

/* The shortest decimal that reads back is what was written: 0.1 is 1/10 again. */
DaeTerm
dae_initial_time_as_written(DaeTerms *terms, double start)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  if (!isfinite(start) || start == 0.0) {
    return dae_term_int(terms, 0);
  }
  for (int digits = 1; digits <= 17; digits++) {
    char format[8];
    g_snprintf(format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd(text, sizeof text, format, fabs(start));
    if (g_ascii_strtod(text, NULL) == fabs(start)) {
      break;
    }
  }
  DaeTerm value = dae_term_decimal(terms, text, strlen(text));
  return start < 0.0 ? dae_term_neg(terms, value) : value;
}

/* ---- the problem ---------------------------------------------------------------------------- */

static void
add_unknowns(DaeInitialProblem *problem)
{
  g_array_set_size(problem->unknowns, 0);
  g_hash_table_remove_all(problem->index);
  problem->n_free_parameters = 0;
  problem->n_discrete_starts = 0;
  add_variables(problem);
  add_free_parameters(problem);
}

DaeInitialProblem *
dae_initial_new_open(DaeTerms *terms, const DaeModel *model, double t_start)
{
  DaeInitialProblem *problem = g_new0(DaeInitialProblem, 1);
  double start = isnan(t_start) ? dae_model_experiment(model)->start : t_start;
  problem->terms = terms;
  problem->model = model;
  problem->unknowns = g_array_new(FALSE, TRUE, sizeof(DaeInitialUnknown));
  problem->index = g_hash_table_new(NULL, NULL);
  problem->t_start = isfinite(start) ? start : 0;
  problem->start_time = dae_initial_time_as_written(terms, start);
  add_unknowns(problem);
  return problem;
}

/* Analysis may have converted the model; what the initialization asks for stays. */
static bool
has_same_conditions(const DaeModel *a, const DaeModel *b)
{
  bool same = dae_model_n_initial_equations(a) == dae_model_n_initial_equations(b);
  for (uint32_t i = 0; same && i < dae_model_n_initial_equations(a); i++) {
    const DaeEquation *one = dae_model_initial_equation(a, i);
    const DaeEquation *other = dae_model_initial_equation(b, i);
    same = one->lhs == other->lhs && one->rhs == other->rhs;
  }
  return same;
}

void
dae_initial_set_structure(DaeInitialProblem *problem, const DaeSig *sig)
{
  DAE_ASSERT(problem->sig == NULL && problem->whole == NULL);
  DAE_ASSERT(has_same_conditions(problem->model, dae_sig_model(sig)));
  problem->model = dae_sig_model(sig);
  problem->sig = sig;
  problem->potential_states = count_potential_states(sig);
  set_offsets(problem);
  extend(problem);
  add_unknowns(problem);
}

bool
dae_initial_has_structure(const DaeInitialProblem *problem)
{
  return problem->sig != NULL;
}

DaeInitialProblem *
dae_initial_new(DaeTerms *terms, const DaeSig *sig, double t_start)
{
  DaeInitialProblem *problem = dae_initial_new_open(terms, dae_sig_model(sig), t_start);
  dae_initial_set_structure(problem, sig);
  return problem;
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* Nothing that the whole asks for may be lost, or be asked for twice. */
static bool
covers_the_whole(const DaeInitialProblem *part, const bool *is_met)
{
  const uint32_t n = dae_initial_n_conditions(part->whole);
  g_autofree bool *is_covered = g_memdup2(is_met, MAX(n, 1u) * sizeof(bool));
  for (uint32_t i = 0; i < dae_initial_n_conditions(part); i++) {
    uint32_t k = part->from[i];
    if (k == DAE_INITIAL_NONE) {
      continue;
    }
    if (k >= n || is_covered[k]) {
      return false;
    }
    is_covered[k] = true;
  }
  for (uint32_t k = 0; k < n; k++) {
    if (!is_covered[k]) {
      return false;
    }
  }
  return true;
}

DaeInitialProblem *
dae_initial_new_part(const DaeInitialProblem *whole, const DaeModel *model,
                     const uint32_t *from, const bool *is_met)
{
  DaeInitialProblem *part = dae_initial_new_open(whole->terms, model, whole->t_start);
  part->whole = whole;
  part->from = g_memdup2(from, (dae_initial_n_conditions(part) + 1) * sizeof(uint32_t));
  DAE_ASSERT(covers_the_whole(part, is_met));
  return part;
}

void
dae_initial_free(DaeInitialProblem *problem)
{
  if (problem == NULL) {
    return;
  }
  g_array_unref(problem->unknowns);
  g_hash_table_unref(problem->index);
  g_free(problem->from);
  g_free(problem->c);
  g_free(problem->d);
  g_free(problem);
}

const DaeModel *
dae_initial_model(const DaeInitialProblem *problem)
{
  return problem->model;
}

uint32_t
dae_initial_n_unknowns(const DaeInitialProblem *problem)
{
  return problem->unknowns->len;
}

const DaeInitialUnknown *
dae_initial_unknown(const DaeInitialProblem *problem, uint32_t i)
{
  return &g_array_index(problem->unknowns, DaeInitialUnknown, i);
}

bool
dae_initial_find(const DaeInitialProblem *problem, DaeTerm atom, uint32_t *i)
{
  gpointer found = g_hash_table_lookup(problem->index, GUINT_TO_POINTER(atom));
  *i = found != NULL ? GPOINTER_TO_UINT(found) - 1 : DAE_INITIAL_NONE;
  return found != NULL;
}

uint32_t
dae_initial_n_discrete_starts(const DaeInitialProblem *problem)
{
  return problem->n_discrete_starts;
}

uint32_t
dae_initial_n_free_parameters(const DaeInitialProblem *problem)
{
  return problem->n_free_parameters;
}

uint32_t
dae_initial_n_conditions(const DaeInitialProblem *problem)
{
  return dae_model_n_initial_equations(problem->model);
}

DaeInitialEquation
dae_initial_condition(const DaeInitialProblem *problem, uint32_t i)
{
  const DaeEquation *equation = dae_model_initial_equation(problem->model, i);
  return (DaeInitialEquation){.is_condition = true,
                              .index = i,
                              .lhs = equation->lhs,
                              .rhs = equation->rhs,
                              .origin = equation->origin,
                              .place = equation->span};
}

const DaeEquation *
dae_initial_written(const DaeInitialProblem *problem, uint32_t i, uint32_t *number)
{
  bool is_whole = problem->whole == NULL || problem->from[i] == DAE_INITIAL_NONE;
  *number = is_whole ? i : problem->from[i];
  return dae_model_written_initial_equation(is_whole ? problem->model : problem->whole->model,
                                            *number);
}

static bool
visit_derivatives(const DaeInitialProblem *problem, uint32_t i, DaeInitialVisit visit,
                  void *user)
{
  const DaeEquation *written = dae_model_equation(problem->model, i);
  DaeInitialEquation equation = {.index = i,
                                 .lhs = written->lhs,
                                 .rhs = written->rhs,
                                 .origin = written->origin,
                                 .place = written->span};
  int32_t last = problem->c != NULL ? problem->c[i] : 0;
  for (;; equation.order++) {
    if (!visit(user, &equation)) {
      return false;
    }
    if (equation.order == last) {
      return true;
    }
    equation.lhs = dae_term_total(problem->terms, equation.lhs);
    equation.rhs = dae_term_total(problem->terms, equation.rhs);
  }
}

/* Slopes in the equation that are unknowns, and atoms that are none. */
typedef struct {
  uint32_t n_slopes, n_others;
} Mentioned;

static Mentioned
count_mentioned(const DaeInitialProblem *problem, const DaeEquation *equation)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  Mentioned mentioned = {0, 0};
  dae_term_collect_variables(problem->terms, equation->lhs, atoms);
  dae_term_collect_variables(problem->terms, equation->rhs, atoms);
  for (guint k = 0; k < atoms->len; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    bool is_known = g_hash_table_contains(problem->index, GUINT_TO_POINTER(atom));
    mentioned.n_slopes += is_known && dae_term_order(problem->terms, atom) > 0;
    mentioned.n_others += !is_known;
  }
  return mentioned;
}

bool
dae_initial_misses_slopes(const DaeInitialProblem *problem)
{
  const uint32_t *from = NULL;
  const DaeModel *surplus = problem->sig != NULL ? dae_sig_surplus(problem->sig, &from) : NULL;
  uint32_t n = surplus != NULL ? dae_model_n_equations(surplus) : 0;
  bool is_missed = false;
  for (uint32_t i = dae_model_n_equations(problem->model); i < n && !is_missed; i++) {
    Mentioned mentioned = count_mentioned(problem, dae_model_equation(surplus, i));
    is_missed = mentioned.n_slopes > 0 && mentioned.n_others > 0;
  }
  return is_missed;
}

/* What a completion left out says something where its Jacobian is singular. An equation with a
 * slope that nothing else speaks of only determines that. */
static bool
visit_surplus(const DaeInitialProblem *problem, DaeInitialVisit visit, void *user)
{
  const uint32_t *from = NULL;
  const DaeModel *surplus = problem->sig != NULL ? dae_sig_surplus(problem->sig, &from) : NULL;
  uint32_t n = surplus != NULL ? dae_model_n_equations(surplus) : 0;
  for (uint32_t i = dae_model_n_equations(problem->model); i < n; i++) {
    const DaeEquation *written = dae_model_equation(surplus, i);
    const DaeInitialEquation equation = {.index = i,
                                         .lhs = written->lhs,
                                         .rhs = written->rhs,
                                         .origin = written->origin,
                                         .place = written->span};
    if (count_mentioned(problem, written).n_others == 0 && !visit(user, &equation)) {
      return false;
    }
  }
  return true;
}

bool
dae_initial_visit(const DaeInitialProblem *problem, DaeInitialVisit visit, void *user)
{
  for (uint32_t i = 0; i < dae_model_n_equations(problem->model); i++) {
    if (!visit_derivatives(problem, i, visit, user)) {
      return false;
    }
  }
  if (!visit_surplus(problem, visit, user)) {
    return false;
  }
  for (uint32_t i = 0; i < dae_initial_n_conditions(problem); i++) {
    const DaeInitialEquation condition = dae_initial_condition(problem, i);
    if (!visit(user, &condition)) {
      return false;
    }
  }
  return true;
}

double
dae_initial_t_start(const DaeInitialProblem *problem)
{
  return problem->t_start;
}

DaeTerm
dae_initial_time(const DaeInitialProblem *problem)
{
  return problem->start_time;
}

int64_t
dae_initial_dof(const DaeInitialProblem *problem)
{
  return problem->dof;
}

int64_t
dae_initial_potential_states(const DaeInitialProblem *problem)
{
  return problem->potential_states;
}
