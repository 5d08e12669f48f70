/* What no exact method solved: is the block regular, and if not, do the rows that are too
 * many vanish where the others do?
 *
 * The rank is exact. Solutions are enclosed in balls of 60 digits or more (algebra/enclose.h):
 * that a regular block has a real solution is proved so, and a row that is too many is evaluated
 * at the solution of the others. A ball that excludes 0 proves that the row fails at that
 * solution; one that contains 0 says that it vanishes to so many digits, which is no proof, and
 * labelled numeric. Where the others have several solutions, those near the guesses are looked
 * at: one at which all rows vanish makes the block consistent; when all that were found fail,
 * the block is called a conflict, numerically, since further solutions are not excluded. */
#include <math.h>

#include "algebra/enclose.h"
#include "initcheck/initcheck-priv.h"

#define MANY_DIGITS 200
#define SMALL_ENOUGH                                                                           \
  (-50)             /* a row below 10^-50 at the enclosed solution vanishes numerically */
#define MAX_SMALL 6 /* unknowns: all starts are tried, and none that works tells something */

static const uint32_t digits_tried[] = {60, MANY_DIGITS};

typedef struct { /* a solution of independent rows of a component */
  const IcComponent *component;
  GArray *basis;   /* uint32_t: places in component->rows */
  GArray *solved;  /* uint32_t: places in component->unknowns, one per row of the basis */
  GArray *held;    /* uint32_t: places of the others */
  GArray *held_at; /* DaeTerm */
  DaeSubst *at;    /* others -> their values */
  DaeEnclosure *enclosure;
} Solution;

static void
solution_free(Solution *solution)
{
  if (solution == NULL) {
    return;
  }
  g_array_unref(solution->basis);
  g_array_unref(solution->solved);
  g_array_unref(solution->held);
  g_array_unref(solution->held_at);
  dae_subst_free(solution->at);
  dae_enclosure_free(solution->enclosure);
  g_free(solution);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Solution, solution_free)

static DaeTerm
atom_at(const IcEngine *engine, const IcComponent *component, uint32_t place)
{
  uint32_t z = g_array_index(component->unknowns, uint32_t, place);
  return g_array_index(engine->sys->unknowns, IcUnknown, z).atom;
}

/* ---- certificates ------------------------------------------------------------------------ */

/* Place of row r among the sources of a line of row `base` with the others of
 * `rows`: the base is the first. */
static uint32_t
place_of_source(const GArray *rows, uint32_t base, uint32_t r)
{
  uint32_t place = 1;
  for (guint i = 0; i < rows->len; i++) {
    uint32_t at = g_array_index(rows, uint32_t, i);
    if (at == r) {
      return at == base ? 0 : place;
    }
    place += at != base;
  }
  return 0;
}

static DaeInitNumeric *
certificate(IcEngine *engine, const Solution *solution, uint32_t base, const DaeBallSize *size)
{
  const IcComponent *component = solution->component;
  DaeInitNumeric *out = g_new0(DaeInitNumeric, 1);
  out->n_solved = solution->solved->len;
  out->n = out->n_solved + solution->held->len;
  out->atoms = g_new0(DaeTerm, out->n + 1);
  out->values = g_new0(char *, out->n + 1);
  out->rows = g_new0(uint32_t, out->n_solved + 1);
  for (uint32_t i = 0; i < out->n_solved; i++) {
    out->atoms[i] = atom_at(engine, component, g_array_index(solution->solved, uint32_t, i));
    out->values[i] = dae_enclosure_text(solution->enclosure, i);
    uint32_t r =
        g_array_index(component->rows, uint32_t, g_array_index(solution->basis, uint32_t, i));
    out->rows[i] = place_of_source(component->rows, base, r);
  }
  for (guint i = 0; i < solution->held->len; i++) {
    out->atoms[out->n_solved + i] =
        atom_at(engine, component, g_array_index(solution->held, uint32_t, i));
    out->values[out->n_solved + i] =
        dae_term_to_string(engine->sys->terms, g_array_index(solution->held_at, DaeTerm, i));
  }
  out->radius = dae_enclosure_radius(solution->enclosure);
  out->digits = dae_enclosure_digits(solution->enclosure);
  out->excludes_zero = size->excludes_zero;
  out->above = size->above;
  /* the decimals and the radius are rounded outward: room for that */
  out->below = size->below <= -1000000 ? size->below : size->below + 2;
  return out;
}

/* ---- solutions --------------------------------------------------------------------------- */

/* The independent rows at x, and the unknowns they determine; the other unknowns are
 * held at short decimals near x. */
static Solution *
choose_basis(IcEngine *engine, const IcComponent *component, const uint32_t *column,
             const double *x)
{
  IcSystem *sys = engine->sys;
  Solution *solution = g_new0(Solution, 1);
  solution->component = component;
  solution->basis = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  solution->solved = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  solution->held = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  solution->held_at = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  solution->at = dae_subst_new(sys->terms);
  g_autofree bool *is_solved = g_new0(bool, component->unknowns->len + 1);
  for (uint32_t i = 0; i < component->rows->len; i++) {
    if (column[i] != IC_NONE) {
      g_array_append_val(solution->basis, i);
      g_array_append_val(solution->solved, column[i]);
      is_solved[column[i]] = true;
    }
  }
  for (uint32_t k = 0; k < component->unknowns->len; k++) {
    if (!is_solved[k]) {
      char text[G_ASCII_DTOSTR_BUF_SIZE];
      g_ascii_formatd(text, sizeof text, "%.6g", fabs(x[k]));
      DaeTerm value = dae_term_decimal(sys->terms, text, strlen(text));
      value = value == DAE_NO_TERM ? dae_term_int(sys->terms, 0) : value;
      value = x[k] < 0.0 ? dae_term_neg(sys->terms, value) : value;
      g_array_append_val(solution->held, k);
      g_array_append_val(solution->held_at, value);
      dae_subst_set(solution->at, atom_at(engine, component, k), value);
    }
  }
  return solution;
}

/* Encloses the solution of the basis near x. */
static bool
enclose(IcEngine *engine, IcSearch *search, Solution *solution, const double *x,
        uint32_t digits)
{
  uint32_t n = solution->basis->len;
  g_autofree DaeTerm *equations = g_new0(DaeTerm, n + 1);
  g_autofree DaeTerm *unknowns = g_new0(DaeTerm, n + 1);
  g_autofree double *near = g_new0(double, n + 1);
  double nodes = 0.0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t row = g_array_index(solution->basis, uint32_t, i);
    uint32_t place = g_array_index(solution->solved, uint32_t, i);
    equations[i] = dae_subst_apply(solution->at, ic_search_residual(search, row));
    unknowns[i] = atom_at(engine, solution->component, place);
    near[i] = x[place];
    if (equations[i] == DAE_NO_TERM) {
      return false;
    }
    nodes += (double)dae_term_size(engine->sys->terms, equations[i]);
  }
  /* a handful of Newton steps with all derivatives, in long numbers */
  dae_budget_charge(engine->sys->budget, nodes * (n + 1.0) / 10.0);
  DaeSquareSystem system = {equations, unknowns, near, n};
  g_clear_pointer(&solution->enclosure, dae_enclosure_free);
  solution->enclosure = dae_algebra_enclose(engine->sys->algebra, &system, digits);
  return solution->enclosure != NULL;
}

/* Size of a term (parameters at their values) at the solution. */
static bool
size_at(IcEngine *engine, const Solution *solution, DaeTerm t, DaeBallSize *size)
{
  t = dae_subst_apply(solution->at, t);
  return t != DAE_NO_TERM &&
         dae_enclosure_size(engine->sys->algebra, solution->enclosure, t, size);
}

typedef enum { LEFT_OVER_ZERO, LEFT_OVER_FAILS, LEFT_OVER_OPEN } LeftOver;

/* Do the rows outside of the basis vanish at the solution? *worst: the
 * row that fails, or the largest. */
static LeftOver
look_at_left_over(IcEngine *engine, IcSearch *search, const Solution *solution, uint32_t *worst,
                  DaeBallSize *size)
{
  LeftOver all = LEFT_OVER_ZERO;
  guint next = 0;
  *size = (DaeBallSize){.below = -1000000};
  for (uint32_t i = 0; i < solution->component->rows->len; i++) {
    if (next < solution->basis->len && g_array_index(solution->basis, uint32_t, next) == i) {
      next++;
      continue;
    }
    DaeBallSize here = {.below = 1000000};
    if (!size_at(engine, solution, ic_search_residual(search, i), &here)) {
      return LEFT_OVER_OPEN;
    }
    if (here.excludes_zero) {
      *worst = i;
      *size = here;
      return LEFT_OVER_FAILS;
    }
    all = here.below > SMALL_ENOUGH ? LEFT_OVER_OPEN : all;
    if (here.below > size->below) {
      *worst = i;
      *size = here;
    }
  }
  return all;
}

/* ---- the ends of rows -------------------------------------------------------------------- */

/* The residual of a conflict as a short number: its size from below. */
static DaeTerm
power_of_ten(DaeTerms *terms, int exponent)
{
  return dae_term_pow_int(terms, dae_term_int(terms, 10), exponent);
}

static void
end_numerically(IcEngine *engine, uint32_t r, const GArray *rows, DaeInitNumeric *numeric)
{
  IcSystem *sys = engine->sys;
  DaeTerm zero = dae_term_int(sys->terms, 0);
  DaeTerm residual = numeric->excludes_zero ? power_of_ten(sys->terms, numeric->above) : zero;
  g_autoptr(GArray) others = ic_rows_without(rows, r);
  ic_log_combination(engine, r, others, NULL, residual);
  IcRow *row = ic_engine_row(engine, r);
  IcLine *line = ic_engine_line(engine, row->line);
  line->kind = IC_LINE_NUMERIC;
  line->numeric = numeric;
  row->state = numeric->excludes_zero ? IC_ROW_CONFLICT : IC_ROW_ZERO_GIVEN;
  row->residual = residual;
  engine->is_numeric = true;
  for (guint i = 0; i < rows->len; i++) {
    DaeTerm t = ic_row_term(engine, g_array_index(rows, uint32_t, i));
    engine->used_values |= ic_is_constant_in_parameters(sys, t);
  }
  ic_engine_log(engine, r, IC_LINE_END, zero, residual);
}

bool
ic_settle_constant(IcEngine *engine, uint32_t r, DaeTerm residual)
{
  DaeBallSize size = {.below = 1000000};
  DaeTerm value = ic_at_values(engine->sys, residual);
  if (value == DAE_NO_TERM ||
      !dae_algebra_constant_size(engine->sys->algebra, value, MANY_DIGITS, &size) ||
      size.excludes_zero || size.below > SMALL_ENOUGH) {
    return false;
  }
  DaeInitNumeric *numeric = g_new0(DaeInitNumeric, 1);
  numeric->atoms = g_new0(DaeTerm, 1);
  numeric->values = g_new0(char *, 1);
  numeric->rows = g_new0(uint32_t, 1);
  numeric->below = size.below;
  numeric->digits = MANY_DIGITS;
  numeric->radius = -MANY_DIGITS;
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_array_append_val(rows, r);
  end_numerically(engine, r, rows, numeric);
  return true;
}

static void
set_states(IcEngine *engine, const GArray *rows, IcRowState state)
{
  for (guint k = 0; k < rows->len; k++) {
    ic_engine_row(engine, g_array_index(rows, uint32_t, k))->state = state;
  }
}

/* ---- dependent rows ---------------------------------------------------------------------- */

typedef struct {
  Solution *failing; /* the first solution of the basis at which another row fails */
  uint32_t worst;
  DaeBallSize size;
  GPtrArray *seen; /* Solution: all such solutions, to count each once */
} Failures;

static void
note_failure(Failures *failures, Solution *solution, uint32_t worst, DaeBallSize size)
{
  for (guint i = 0; i < failures->seen->len; i++) {
    const Solution *other = g_ptr_array_index(failures->seen, i);
    if (dae_enclosure_overlaps(other->enclosure, solution->enclosure)) {
      solution_free(solution);
      return;
    }
  }
  if (failures->failing == NULL) {
    failures->failing = solution;
    failures->worst = worst;
    failures->size = size;
  }
  g_ptr_array_add(failures->seen, solution);
}

/* All rows outside of the basis vanish: each is redundant. Those of
 * the basis determine unknowns. */
static void
end_consistent(IcEngine *engine, IcSearch *search, const Solution *solution)
{
  const GArray *rows = solution->component->rows;
  guint next = 0;
  for (uint32_t i = 0; i < rows->len; i++) {
    uint32_t r = g_array_index(rows, uint32_t, i);
    if (next < solution->basis->len && g_array_index(solution->basis, uint32_t, next) == i) {
      next++;
      ic_engine_row(engine, r)->state = IC_ROW_IMPLICIT;
      continue;
    }
    DaeBallSize size = {.below = 1000000};
    size_at(engine, solution, ic_search_residual(search, i), &size);
    end_numerically(engine, r, rows, certificate(engine, solution, r, &size));
  }
  engine->n_implicit += solution->basis->len;
  engine->radius = MAX(engine->radius, dae_enclosure_radius(solution->enclosure));
}

static void
end_in_conflict(IcEngine *engine, const Failures *failures)
{
  const Solution *solution = failures->failing;
  const GArray *rows = solution->component->rows;
  uint32_t r = g_array_index(rows, uint32_t, failures->worst);
  DaeInitNumeric *numeric = certificate(engine, solution, r, &failures->size);
  numeric->n_solutions = failures->seen->len;
  set_states(engine, rows, IC_ROW_IMPLICIT);
  end_numerically(engine, r, rows, numeric);
}

/* One start, with more digits where the first do not tell. true: settled. */
static bool
try_start(IcEngine *engine, IcSearch *search, const IcComponent *component, uint32_t start,
          Failures *failures)
{
  g_autofree double *x = g_new0(double, component->unknowns->len + 1);
  g_autofree uint32_t *column = g_new0(uint32_t, component->rows->len + 1);
  if (!isfinite(ic_search_from(search, start, x)) || ic_search_basis(search, x, column) == 0) {
    return false;
  }
  g_autoptr(Solution) solution = choose_basis(engine, component, column, x);
  for (guint d = 0; d < G_N_ELEMENTS(digits_tried); d++) {
    uint32_t worst = 0;
    DaeBallSize size = {.below = 1000000};
    if (!enclose(engine, search, solution, x, digits_tried[d])) {
      return false;
    }
    switch (look_at_left_over(engine, search, solution, &worst, &size)) {
    case LEFT_OVER_ZERO:
      end_consistent(engine, search, solution);
      return true;
    case LEFT_OVER_FAILS:
      note_failure(failures, g_steal_pointer(&solution), worst, size);
      return false;
    case LEFT_OVER_OPEN:
      break;
    }
  }
  return false;
}

static void
free_solution(gpointer data)
{
  solution_free(data);
}

static void
settle_dependent(IcEngine *engine, const IcComponent *component)
{
  g_autoptr(IcSearch) search = ic_search_new(engine, component->rows, component->unknowns);
  g_autoptr(GPtrArray) seen = g_ptr_array_new_with_free_func(free_solution);
  Failures failures = {.seen = seen};
  for (uint32_t k = 0; k < ic_search_n_starts(search) && !ic_engine_spent(engine); k++) {
    if (try_start(engine, search, component, k, &failures)) {
      return;
    }
  }
  if (failures.failing != NULL && !engine->out_of_budget) {
    end_in_conflict(engine, &failures);
    return;
  }
  engine->no_solution_found = true;
  set_states(engine, component->rows, IC_ROW_STUCK);
}

/* ---- regular blocks ---------------------------------------------------------------------- */

/* A solution near the guesses (or, in small blocks, anywhere near), enclosed.
 * *least: the least residual found. */
static Solution *
find_solution(IcEngine *engine, const IcComponent *component, double *least)
{
  g_autoptr(IcSearch) search = ic_search_new(engine, component->rows, component->unknowns);
  g_autofree double *x = g_new0(double, component->unknowns->len + 1);
  g_autofree uint32_t *column = g_new0(uint32_t, component->rows->len + 1);
  *least = INFINITY;
  for (uint32_t k = 0; k < ic_search_n_starts(search) && !ic_engine_spent(engine); k++) {
    double found = ic_search_from(search, k, x);
    *least = fmin(*least, found);
    if (!isfinite(found) || ic_search_basis(search, x, column) != component->rows->len) {
      continue;
    }
    g_autoptr(Solution) solution = choose_basis(engine, component, column, x);
    if (enclose(engine, search, solution, x, digits_tried[0])) {
      *least = 0.0;
      return g_steal_pointer(&solution);
    }
  }
  return NULL;
}

/* The passive row in balls, at the solution of the block. It has to depend on the rows
 * when they leave unknowns open. */
static void
look_at_passive(IcEngine *engine, const Solution *solution, uint32_t r)
{
  DaeBallSize size = {.below = 1000000};
  DaeTerm t = ic_row_term(engine, r);
  DaeTerm here = ic_at_values(engine->sys, t);
  if (ic_engine_row(engine, r)->state == IC_ROW_ACTIVE &&
      size_at(engine, solution, here == DAE_NO_TERM ? t : here, &size) && !size.excludes_zero &&
      size.below <= SMALL_ENOUGH) {
    end_numerically(engine, r, solution->component->rows,
                    certificate(engine, solution, r, &size));
  }
}

static void
note_solution(IcEngine *engine, const Solution *solution)
{
  for (guint i = 0; i < solution->solved->len; i++) {
    uint32_t place = g_array_index(solution->solved, uint32_t, i);
    ic_note_point(engine, atom_at(engine, solution->component, place),
                  dae_enclosure_value(solution->enclosure, i));
  }
  for (guint i = 0; i < solution->held->len; i++) {
    uint32_t place = g_array_index(solution->held, uint32_t, i);
    DaeTerm value = g_array_index(solution->held_at, DaeTerm, i);
    ic_note_point(engine, atom_at(engine, solution->component, place),
                  dae_term_get_double(engine->sys->terms, value));
  }
}

/* A row of one unknown without parameters that vanishes nowhere on the real line. */
static bool
end_without_zero(IcEngine *engine, const IcComponent *component)
{
  IcSystem *sys = engine->sys;
  for (guint i = 0; i < component->rows->len; i++) {
    uint32_t r = g_array_index(component->rows, uint32_t, i);
    DaeTerm t = ic_at_values(sys, ic_row_term(engine, r));
    const GArray *inside = t == DAE_NO_TERM ? NULL : ic_unknowns_inside(sys, t);
    if (inside == NULL || inside->len != 1 || dae_term_has_parameters(sys->terms, t)) {
      continue;
    }
    uint32_t z = g_array_index(inside, uint32_t, 0);
    DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
    if (ic_line_excludes_zero(sys, t, atom)) {
      ic_end_row(engine, r, IC_ROW_CONFLICT, t);
      return true;
    }
  }
  return false;
}

/* A regular block: each row determines an unknown, provided there is a real solution. */
static void
settle_regular(IcEngine *engine, const IcComponent *component)
{
  const bool has_rows = component->rows->len > 0;
  const bool seeks_conflict = engine->sys->seeks_conflict; /* not the solution */
  double least = 0.0;
  g_autoptr(Solution) solution =
      has_rows && !seeks_conflict ? find_solution(engine, component, &least) : NULL;
  /* a large block that is not solved from poor guesses says nothing about its solutions */
  bool seems_empty = solution == NULL && has_rows && component->unknowns->len <= MAX_SMALL;
  if (seems_empty && end_without_zero(engine, component)) {
    return;
  }
  seems_empty = seems_empty && !seeks_conflict;
  engine->no_solution_found |= seems_empty;
  set_states(engine, component->rows, seems_empty ? IC_ROW_STUCK : IC_ROW_IMPLICIT);
  engine->n_implicit += component->rows->len;
  if (solution == NULL) {
    engine->n_unproved += component->rows->len;
    return;
  }
  engine->radius = MAX(engine->radius, dae_enclosure_radius(solution->enclosure));
  note_solution(engine, solution);
  bool is_square = component->rows->len == component->unknowns->len;
  for (guint k = 0; k < component->passive->len && is_square; k++) {
    look_at_passive(engine, solution, g_array_index(component->passive, uint32_t, k));
  }
}

/* ---- all components ---------------------------------------------------------------------- */

/* Generic rank of the Jacobian of the rows with respect to the unknowns. */
static uint32_t
jacobian_rank(IcEngine *engine, const IcComponent *component, bool *certain)
{
  IcSystem *sys = engine->sys;
  g_autoptr(DaeMatrix) jacobian =
      dae_matrix_new(sys->terms, component->rows->len, component->unknowns->len);
  for (guint i = 0; i < component->rows->len; i++) {
    DaeTerm t = ic_row_term(engine, g_array_index(component->rows, uint32_t, i));
    DaeTerm here = ic_at_values(sys, t);
    t = here == DAE_NO_TERM ? t : here;
    for (guint k = 0; k < component->unknowns->len; k++) {
      DaeTerm atom = atom_at(engine, component, k);
      if (dae_term_contains(sys->terms, t, atom)) {
        jacobian->entries[i * component->unknowns->len + k] =
            dae_term_partial(sys->terms, t, atom);
      }
    }
  }
  return dae_algebra_rank(sys->algebra, jacobian, certain);
}

/* Consequences that were not used go: they say nothing new. */
static void
drop_consequences(IcEngine *engine, GArray *rows)
{
  for (guint k = rows->len; k-- > 0;) {
    IcRow *row = ic_engine_row(engine, g_array_index(rows, uint32_t, k));
    if (row->is_consequence) {
      row->state = IC_ROW_ZERO;
      g_array_remove_index(rows, k);
    }
  }
}

void
ic_block_settle(IcEngine *engine)
{
  g_autoptr(GPtrArray) components = ic_find_components(engine);
  engine->radius = -1000000;
  for (guint i = 0; i < components->len; i++) {
    IcComponent *component = g_ptr_array_index(components, i);
    ic_sort_numbers(component->unknowns);
    for (guint k = 0; k < component->passive->len && ic_is_small_component(engine, component);
         k++) {
      ic_end_by_membership(engine, g_array_index(component->passive, uint32_t, k),
                           component->rows);
    }
    drop_consequences(engine, component->rows);
    bool certain = true;
    uint32_t rank = jacobian_rank(engine, component, &certain);
    if (rank == component->rows->len) {
      settle_regular(engine, component);
    } else {
      settle_dependent(engine, component);
    }
    for (guint k = 0; k < component->passive->len; k++) {
      IcRow *row = ic_engine_row(engine, g_array_index(component->passive, uint32_t, k));
      row->state = row->state == IC_ROW_ACTIVE ? IC_ROW_STUCK : row->state;
    }
  }
}
