/* A consistent point by stages and blocks, as DAETS finds it [NedialkovPryce07, section 4]: stage
 * k = -max d, ..., 0 solves f_i^(k + c_i) = 0 for x_j^(k + d_j), fine block by fine block; before
 * stage 0 there are fewer equations than unknowns, and what is free becomes a simple number near
 * the start values. Each small system is proved to have a solution (algebra/solution.h); that of
 * a block at stage 0 includes the proof that its Jacobian is regular there. */
#include <math.h>
#include <string.h>

#include "algebra/solution.h"
#include "base/base.h"
#include "structural/sig-priv.h"

enum {
  N_ATTEMPTS = 40,
  FIRST_GUESSED = 2, /* from this attempt on variables without a written start follow others */
  N_LOCAL = 3,       /* other places to begin from, for one system */
  DIGITS = 30,
  WIDEST = 0 /* 10^WIDEST: a point of numbers with more digits than those is none to look at */
};

#define CLOSE 0.01    /* relative: away from ties of the values, but where the others put it */
#define MOST_WORK 3e7 /* operations on balls of all attempts together: some seconds */

typedef struct {
  DaeSig *sig;
  DaeAlgebra *algebra;
  DaeTerms *terms;
  DaeSolution *solution;
  DaePointOrder order; /* the fine blocks that take part */
  DaeTerm
      *current;   /* per row: the residual, differentiated as often as the last stage wanted */
  int32_t *times; /* how often that is */
  uint32_t attempt;
  double *guess; /* by column, dae_sig_guesses; NULL: not asked for yet */
  uint32_t *failed;
  double work;
  GArray *discrete; /* DaeTerm: discrete values that the equations hold, each once */
  int32_t *solved;  /* by group: the last stage that was */
} Search;

/* ---- numbers to begin with --------------------------------------------------------------- */

/* Well mixed bits from three numbers (splitmix finalizer). */
static uint64_t
mixed(uint64_t a, uint64_t b, uint64_t c)
{
  uint64_t z = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xd1342543de82ef95) + c + 1;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Between low and high, a multiple of 1/64 of the way. */
static double
simple_between(uint64_t bits, double low, double high)
{
  return low + (high - low) * (double)(1 + bits % 63) / 64.0;
}

static const double RANGES[][2] = {{0.25, 1.25}, {-1.0, 1.0}, {0.5, 4.0},  {-3.0, 3.0},
                                   {0.0, 0.25},  {1.0, 20.0}, {-0.2, 0.2}, {-20.0, 20.0}};

/* Where to look for x_j^(order): at the written start value first, then where the others put it,
 * later around that, then anywhere. */
static double
near_value(const Search *s, uint32_t j, uint32_t order, uint32_t local)
{
  const DaeVariable *variable = dae_model_variable(s->sig->model, j);
  uint32_t row = (s->attempt / 2 + local) % G_N_ELEMENTS(RANGES);
  uint64_t bits = mixed(variable->symbol, order, s->attempt * 16 + local);
  double value = simple_between(bits, RANGES[row][0], RANGES[row][1]);
  double start = 0.0;
  double bound = 0.0;
  if (order > 0) {
    return value;
  }
  bool is_guessed = s->guess != NULL && !isnan(s->guess[j]);
  if (is_guessed) {
    start = s->guess[j];
  }
  if (s->attempt < 8 &&
      (is_guessed || dae_sig_number_at_values(s->sig, variable->start, &start))) {
    bool is_there = local == 0 && (s->attempt == 0 || s->attempt == FIRST_GUESSED);
    double width = s->attempt == FIRST_GUESSED + 1 ? CLOSE : 0.05 * (s->attempt + local);
    width = is_there ? 0.0 : width;
    value = start + width * fmax(fabs(start), 0.1) * simple_between(bits, -1.0, 1.0);
  }
  if (dae_sig_number_at_values(s->sig, variable->min, &bound) && value < bound) {
    value = bound + fabs(value - bound) / (1.0 + fabs(value - bound));
  }
  if (dae_sig_number_at_values(s->sig, variable->max, &bound) && value > bound) {
    value = bound - fabs(value - bound) / (1.0 + fabs(value - bound));
  }
  return value;
}

/* How well its place is known: fixed, written, written as the usual 0, or not at all. */
static uint8_t
rank_of(const Search *s, uint32_t j, uint32_t order)
{
  const DaeVariable *variable = dae_model_variable(s->sig->model, j);
  if (order > 0 || variable->start == DAE_NO_TERM) {
    return 0;
  }
  return variable->fixed ? 3 : dae_term_is_zero(s->terms, variable->start) ? 1 : 2;
}

/* ---- stages ------------------------------------------------------------------------------ */

/* Time and parameters. Those without a value are chosen. */
static bool
set_known(Search *s)
{
  const DaeModel *model = s->sig->model;
  double start = dae_model_experiment(model)->start;
  DaeTerm time =
      isnan(start) ? dae_term_int(s->terms, 0) : dae_term_from_double(s->terms, start);
  if (s->attempt % 2 == 1) { /* an odd moment: the first one may be special */
    time =
        dae_term_add(s->terms, time, dae_term_ratio(s->terms, (int64_t)s->attempt * 3 + 4, 16));
  }
  bool ok = dae_solution_set(s->solution, dae_term_time(s->terms), time);
  for (uint32_t at = 0; at < 2 * dae_model_n_parameters(model) && ok; at++) {
    uint32_t k = at % dae_model_n_parameters(model);
    const DaeParameter *parameter = dae_model_parameter(model, k);
    DaeTerm value = dae_model_parameter_value(model, s->terms, k);
    bool is_late = value != DAE_NO_TERM && dae_term_has_parameters(s->terms, value);
    if (parameter->type == DAE_TYPE_STRING ||
        is_late != (at >= dae_model_n_parameters(model))) {
      continue; /* those that depend on free ones come after them */
    }
    double guess = 0.0;
    if (value == DAE_NO_TERM) {
      uint64_t bits = mixed(parameter->symbol, 7, s->attempt);
      bool has_guess = dae_sig_number_at_values(s->sig, parameter->start, &guess);
      value = has_guess && s->attempt < 4
                  ? dae_term_from_double(s->terms, guess)
                  : dae_term_ratio(s->terms, 17 + (int64_t)(bits % 61), 32);
    }
    DaeKind kind = dae_term_kind(s->terms, value);
    ok = kind == DAE_KIND_BOOLEAN ||
         dae_solution_set(s->solution, dae_term_parameter(s->terms, parameter->symbol), value);
  }
  return ok;
}

/* The order to which x_j occurs in row i; -1: not at all. */
static int32_t
order_in_row(const DaeCsr *csr, uint32_t i, uint32_t j)
{
  for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
    if (csr->column[e] == j) {
      return csr->weight[e];
    }
  }
  return -1;
}

/* The residual of row i without what occurs in it only formally: the zero test has proved that
 * the row does not depend on that, so any value serves. Not so in conditions: a branch depends
 * on its condition, though the derivative is zero. */
static DaeTerm
plain_residual(Search *s, uint32_t i)
{
  DaeTerm residual = dae_sig_settled_residual(s->sig, i);
  if (s->sig->sigma.n_cancelled == 0 || dae_term_has_break(s->terms, residual)) {
    return residual;
  }
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(DaeSubst) subst = dae_subst_new(s->terms);
  dae_term_collect_variables(s->terms, residual, atoms);
  for (guint k = 0; k < atoms->len; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    uint32_t j = 0;
    if (dae_model_find_variable(s->sig->model, dae_term_get_symbol(s->terms, atom), &j) &&
        (int32_t)dae_term_order(s->terms, atom) > order_in_row(s->sig->sigma.csr, i, j)) {
      dae_subst_set(subst, atom, dae_term_ratio(s->terms, 5, 8));
    }
  }
  return dae_subst_apply(subst, residual);
}

/* Differentiates the residual of row i until it is that of this stage. */
static bool
advance_row(Search *s, uint32_t i, int32_t times)
{
  if (s->current[i] == DAE_NO_TERM) {
    s->current[i] = plain_residual(s, i);
    s->times[i] = 0;
  }
  while (s->times[i] < times && s->current[i] != DAE_NO_TERM) {
    s->current[i] = dae_term_total(s->terms, s->current[i]);
    s->times[i]++;
  }
  return s->current[i] != DAE_NO_TERM;
}

static void
note_discrete(Search *s, DaeTerm atom)
{
  for (guint k = 0; k < s->discrete->len; k++) {
    if (g_array_index(s->discrete, DaeTerm, k) == atom) {
      return;
    }
  }
  g_array_append_val(s->discrete, atom);
}

/* Symbols that are constant for now but no parameters of the model: discrete values. 0 and 1
 * serve as truth values, too; those of a mode in which no factor of the determinant is zero
 * come first. */
static void
set_discrete_values(Search *s, const GArray *equations)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (guint i = 0; i < equations->len; i++) {
    DaeTerm equation = g_array_index(equations, DaeTerm, i);
    if (dae_term_has_parameters(s->terms, equation)) {
      dae_term_collect_parameters(s->terms, equation, atoms);
    }
  }
  for (guint k = 0; k < atoms->len; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    if (!dae_solution_has(s->solution, atom)) {
      note_discrete(s, atom);
      bool holds = (mixed(dae_term_get_symbol(s->terms, atom), 3, s->attempt) & 1) == 0;
      if (s->attempt % 4 < 2) { /* time is another one at each second attempt */
        dae_sig_value_in_mode(s->sig, atom, &holds);
      }
      dae_solution_set(s->solution, atom, dae_term_int(s->terms, holds));
    }
  }
}

/* The equations of a block at this stage, what it solves for, and the columns of that. */
static bool
collect_stage(Search *s, uint32_t b, int32_t stage, GArray *equations, GArray *unknowns,
              GArray *columns)
{
  const DaeSig *sig = s->sig;
  const DaeSigBlock *block = &sig->fine[b];
  for (uint32_t k = 0; k < block->n_equations; k++) {
    uint32_t i = block->equations[k];
    if (sig->c[i] + stage >= 0) {
      if (!advance_row(s, i, sig->c[i] + stage)) {
        return false;
      }
      g_array_append_val(equations, s->current[i]);
    }
  }
  for (uint32_t k = 0; k < block->n_variables; k++) {
    uint32_t j = block->variables[k];
    if (sig->d[j] + stage >= 0) {
      DaeTerm x = dae_term_variable(s->terms, dae_model_variable(sig->model, j)->symbol,
                                    (uint32_t)(sig->d[j] + stage));
      g_array_append_val(unknowns, x);
      g_array_append_val(columns, j);
    }
  }
  return true;
}

static bool solve_group_up_to(Search *s, uint32_t group, int32_t stage, uint32_t depth);

/* A variable that occurs in a condition only has no entry in Sigma: its own stage may be later
 * (if v < 1 then x^2 else x, with x'' wanted and v not differentiated). It is solved for now. */
static bool
solve_for_conditions(Search *s, const GArray *equations, const GArray *unknowns, uint32_t depth)
{
  enum { DEEPEST = 20 };

  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bool ok = true;
  for (guint i = 0; i < equations->len; i++) {
    DaeTerm equation = g_array_index(equations, DaeTerm, i);
    if (dae_term_has_break(s->terms, equation)) {
      dae_term_collect_variables(s->terms, equation, atoms);
    }
  }
  for (guint k = 0; k < atoms->len && ok; k++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, k);
    uint32_t j = 0;
    bool is_own = false;
    for (guint n = 0; n < unknowns->len && !is_own; n++) {
      is_own = g_array_index(unknowns, DaeTerm, n) == atom;
    }
    if (!is_own && !dae_solution_has(s->solution, atom) && depth < DEEPEST &&
        dae_model_find_variable(s->sig->model, dae_term_get_symbol(s->terms, atom), &j) &&
        s->order.group_of[j] < s->order.n) {
      int32_t own = (int32_t)dae_term_order(s->terms, atom) - s->sig->d[j];
      ok = solve_group_up_to(s, s->order.group_of[j], own - s->order.early[j], depth + 1);
    }
  }
  return ok;
}

/* The stage of block b when its group is at this one. */
static int32_t
own_stage(const Search *s, uint32_t b, int32_t stage)
{
  return stage + s->order.early[s->sig->fine[b].variables[0]];
}

/* A block that comes ahead, of one equation, is solved together with others that have free
 * unknowns left: that these have a solution says nothing about its own pivot. */
static bool
early_blocks_are_regular(Search *s, uint32_t group, int32_t stage)
{
  const DaeSig *sig = s->sig;
  bool ok = true;
  for (uint32_t k = s->order.first[group]; k < s->order.first[group + 1] && ok; k++) {
    const DaeSigBlock *block = &sig->fine[s->order.blocks[k]];
    if (stage == 0 || own_stage(s, s->order.blocks[k], stage) != 0) {
      continue;
    }
    uint32_t j = block->variables[0];
    DaeTerm x = dae_term_variable(s->terms, dae_model_variable(sig->model, j)->symbol,
                                  (uint32_t)sig->d[j]);
    DaeTerm pivot = dae_term_partial(s->terms, s->current[block->equations[0]], x);
    ok = block->n_equations == 1 && pivot != DAE_NO_TERM &&
         dae_solution_excludes_zero(s->solution, pivot);
  }
  return ok;
}

static bool
solve_group(Search *s, uint32_t group, int32_t stage, uint32_t depth)
{
  g_autoptr(GArray) equations = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) unknowns = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t k = s->order.first[group]; k < s->order.first[group + 1]; k++) {
    uint32_t b = s->order.blocks[k];
    if (own_stage(s, b, stage) <= 0 &&
        !collect_stage(s, b, own_stage(s, b, stage), equations, unknowns, columns)) {
      return false;
    }
  }
  if (unknowns->len == 0) {
    return true;
  }
  set_discrete_values(s, equations);
  if (!solve_for_conditions(s, equations, unknowns, depth)) {
    return false;
  }
  g_autofree double *near = g_new(double, unknowns->len);
  g_autofree uint8_t *rank = g_new(uint8_t, unknowns->len);
  DaeStage system = {.equations = (const DaeTerm *)(void *)equations->data,
                     .n_equations = equations->len,
                     .unknowns = (const DaeTerm *)(void *)unknowns->data,
                     .n_unknowns = unknowns->len,
                     .near = near,
                     .rank = rank};
  bool ok = false;
  for (uint32_t local = 0; local < N_LOCAL && !ok; local++) {
    for (guint k = 0; k < unknowns->len; k++) {
      DaeTerm x = g_array_index(unknowns, DaeTerm, k);
      near[k] = near_value(s, g_array_index(columns, uint32_t, k), dae_term_order(s->terms, x),
                           local);
      rank[k] = rank_of(s, g_array_index(columns, uint32_t, k), dae_term_order(s->terms, x));
    }
    ok = dae_solution_extend(s->solution, &system);
  }
  return ok && early_blocks_are_regular(s, group, stage);
}

/* Solves the stages of the group that are not yet solved, up to this one. */
static bool
solve_group_up_to(Search *s, uint32_t group, int32_t stage, uint32_t depth)
{
  bool ok = true;
  while (ok && s->solved[group] < stage) {
    s->solved[group]++;
    ok = solve_group(s, group, s->solved[group], depth);
  }
  return ok;
}

/* The conditions of a repair hold at the point. */
static bool
steps_hold(Search *s)
{
  for (guint k = 0; k < s->sig->steps->len; k++) {
    const DaeRepairStep *step = &g_array_index(s->sig->steps, DaeRepairStep, k);
    for (uint32_t n = 0; n < step->n_nonzero; n++) {
      if (!dae_solution_excludes_zero(s->solution, step->nonzero[n])) {
        return false;
      }
    }
  }
  return true;
}

static bool
try_point(Search *s)
{
  const DaeSig *sig = s->sig;
  int32_t first = 0;
  for (uint32_t j = 0; j < sig->sigma.csr->n_columns; j++) {
    first = MIN(first, -sig->d[j] - s->order.early[j]);
  }
  for (uint32_t k = 0; k < s->order.n; k++) {
    s->solved[k] = first - 1;
  }
  memset(s->current, 0, sizeof(DaeTerm) * ((size_t)sig->sigma.csr->n_rows + 1));
  if (!set_known(s)) {
    return false;
  }
  for (int32_t stage = first; stage <= 0; stage++) {
    for (uint32_t k = 0; k < s->order.n; k++) {
      if (!solve_group_up_to(s, k, stage, 0)) {
        *s->failed = s->order.blocks[s->order.first[k]];
        return false;
      }
      if (dae_solution_is_spent(s->solution)) {
        return false;
      }
    }
  }
  return steps_hold(s);
}

/* ---- the certificate --------------------------------------------------------------------- */

static void
keep_atom(Search *s, DaeTerm atom)
{
  if (dae_solution_has(s->solution, atom)) {
    bool is_exact = dae_solution_is_given(s->solution, atom);
    g_array_append_val(s->sig->certificate_atoms, atom);
    g_array_append_val(s->sig->certificate_exact, is_exact);
    g_ptr_array_add(s->sig->certificate_texts, dae_solution_text(s->solution, atom));
  }
}

static void
keep_point(Search *s)
{
  DaeSig *sig = s->sig;
  const DaeModel *model = sig->model;
  sig->certificate_atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  sig->certificate_exact = g_array_new(FALSE, FALSE, sizeof(bool));
  sig->certificate_texts = g_ptr_array_new_with_free_func(g_free);
  keep_atom(s, dae_term_time(s->terms));
  for (uint32_t k = 0; k < dae_model_n_parameters(model); k++) {
    DaeTerm value = dae_model_parameter_value(model, s->terms, k);
    if (value == DAE_NO_TERM) {
      keep_atom(s, dae_term_parameter(s->terms, dae_model_parameter(model, k)->symbol));
    }
  }
  for (guint k = 0; k < s->discrete->len; k++) {
    keep_atom(s, g_array_index(s->discrete, DaeTerm, k));
  }
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    for (int32_t order = 0; order <= sig->d[j]; order++) {
      keep_atom(s, dae_term_variable(s->terms, dae_model_variable(model, j)->symbol,
                                     (uint32_t)order));
    }
  }
  sig->certificate.atoms = (const DaeTerm *)(void *)sig->certificate_atoms->data;
  sig->certificate.values = (const char *const *)(void *)sig->certificate_texts->pdata;
  sig->certificate.is_exact = (const bool *)(void *)sig->certificate_exact->data;
  sig->certificate.n = sig->certificate_atoms->len;
  sig->certificate.radius = dae_solution_radius(s->solution);
}

bool
dae_sig_find_point(DaeSig *sig, DaeAlgebra *algebra, uint32_t *failed)
{
  g_autoptr(GArray) discrete = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  Search s = {.sig = sig,
              .algebra = algebra,
              .terms = sig->terms,
              .failed = failed,
              .discrete = discrete};
  s.current = g_new0(DaeTerm, (size_t)sig->sigma.csr->n_rows + 1);
  s.times = g_new0(int32_t, (size_t)sig->sigma.csr->n_rows + 1);
  dae_sig_order_of_point(sig, &s.order);
  s.solved = g_new0(int32_t, (size_t)s.order.n + 1);
  bool found = false;
  for (s.attempt = 0; s.attempt < N_ATTEMPTS && !found && s.work < MOST_WORK; s.attempt++) {
    if (s.attempt == FIRST_GUESSED) {
      s.guess = dae_sig_guesses(sig);
    }
    s.solution = dae_solution_new(algebra, DIGITS);
    dae_solution_limit_work(s.solution, MOST_WORK - s.work);
    found = try_point(&s) && dae_solution_radius(s.solution) < WIDEST;
    if (found) {
      keep_point(&s);
    }
    s.work += dae_solution_work(s.solution);
    dae_solution_free(s.solution);
  }
  g_free(s.guess);
  dae_point_order_clear(&s.order);
  g_free(s.solved);
  g_free(s.current);
  g_free(s.times);
  return found;
}
