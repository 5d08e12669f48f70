/* A choice of initial conditions for what is missing. The premises leave a set of consistent
 * values; a choice is good when it fixes a point of that set, regularly, at the start values: x
 * and y of a pendulum never go together, and x = 1, y = 0 asks for y. This is a suggestion, so
 * it is made in floating point: sparse elimination of the gradients of the premises, then of
 * the candidates, the wanted ones first. */
#include <math.h>

#include "initcheck/initcheck-priv.h"

typedef struct {
  uint32_t z;
  double value;
} Slope;

typedef struct {
  IcEngine *engine;
  double *x;        /* per unknown: where the gradients are taken */
  double *work;     /* per unknown: the row that is reduced, 0 elsewhere */
  double *summed;   /* per unknown: sizes of all that was added up to it, cancelled or not */
  bool *is_touched; /* per unknown: in the list `touched` */
  GArray *touched;  /* uint32_t */
  uint32_t *order;  /* per unknown: number of the row whose pivot it is, or IC_NONE */
  GPtrArray *rows;  /* GArray of Slope; the pivot comes first, with value 1 */
  bool is_outside;  /* some gradient has no value */
} Tangent;

static bool
value_of_atom(void *user, DaeTerm atom, double *value)
{
  const Tangent *tangent = user;
  gpointer z = g_hash_table_lookup(tangent->engine->sys->index, GUINT_TO_POINTER(atom));
  *value = z == NULL ? 0.0 : tangent->x[GPOINTER_TO_UINT(z) - 1];
  return z != NULL;
}

static void
free_row(gpointer data)
{
  g_array_unref(data);
}

static Tangent
tangent_new(IcEngine *engine)
{
  uint32_t n = engine->sys->unknowns->len;
  Tangent tangent = {.engine = engine,
                     .x = g_new0(double, n + 1),
                     .work = g_new0(double, n + 1),
                     .summed = g_new0(double, n + 1),
                     .is_touched = g_new0(bool, n + 1),
                     .touched = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                     .order = g_new(uint32_t, n + 1),
                     .rows = g_ptr_array_new_with_free_func(free_row)};
  memset(tangent.order, 0xff, sizeof(uint32_t) * (n + 1)); /* IC_NONE */
  return tangent;
}

static void
tangent_clear(Tangent *tangent)
{
  g_free(tangent->x);
  g_free(tangent->work);
  g_free(tangent->summed);
  g_free(tangent->is_touched);
  g_free(tangent->order);
  g_array_unref(tangent->touched);
  g_ptr_array_unref(tangent->rows);
}

static void
add_to_work(Tangent *tangent, GArray *heap, uint32_t z, double value, double size)
{
  if (!tangent->is_touched[z]) {
    tangent->is_touched[z] = true;
    g_array_append_val(tangent->touched, z);
    if (tangent->order[z] != IC_NONE) {
      ic_heap_push(heap, (IcCandidate){.key = tangent->order[z], .row = z});
    }
  }
  tangent->work[z] += value;
  tangent->summed[z] += size;
}

/* Gradient of a term without solved unknowns into the work; its largest entry,
 * or NAN outside of the domain. */
static double
load_gradient(Tangent *tangent, DaeTerm t, GArray *heap)
{
  IcSystem *sys = tangent->engine->sys;
  DaeTerm here = t == DAE_NO_TERM ? t : ic_at_values(sys, t);
  double largest = here == DAE_NO_TERM ? NAN : 0.0;
  const GArray *inside = here == DAE_NO_TERM ? NULL : ic_unknowns_inside(sys, here);
  for (guint i = 0; inside != NULL && i < inside->len; i++) {
    uint32_t z = g_array_index(inside, uint32_t, i);
    DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
    double slope = 0.0;
    if (dae_term_eval_double(sys->terms, dae_term_partial(sys->terms, here, atom),
                             value_of_atom, tangent, &slope) != DAE_EVAL_OK ||
        !isfinite(slope)) {
      largest = NAN;
      break;
    }
    add_to_work(tangent, heap, z, slope, fabs(slope));
    largest = fmax(largest, fabs(slope));
  }
  return largest;
}

/* Rows contain pivots of later rows only: pivots are removed in the order of their rows. */
static void
reduce_work(Tangent *tangent, GArray *heap)
{
  while (heap->len > 0) {
    uint32_t z = ic_heap_pop(heap).row;
    const GArray *row = g_ptr_array_index(tangent->rows, tangent->order[z]);
    double factor = tangent->work[z];
    for (guint i = 0; i < row->len && factor != 0.0; i++) {
      const Slope *slope = &g_array_index(row, Slope, i);
      add_to_work(tangent, heap, slope->z, -factor * slope->value,
                  tangent->summed[z] * fabs(slope->value));
    }
    tangent->work[z] = 0.0;
  }
}

/* What is left of the gradient becomes a row if it is not small: larger than `least`, and than
 * this share of the numbers whose sum it is. Clears the work. */
static bool
keep_work(Tangent *tangent, double least, double share)
{
  uint32_t best = IC_NONE;
  double size = least;
  for (guint i = 0; i < tangent->touched->len; i++) {
    uint32_t z = g_array_index(tangent->touched, uint32_t, i);
    if (fabs(tangent->work[z]) > fmax(size, share * tangent->summed[z])) {
      size = fabs(tangent->work[z]);
      best = z;
    }
  }
  if (best != IC_NONE) {
    GArray *row = g_array_new(FALSE, FALSE, sizeof(Slope));
    Slope pivot = {best, 1.0};
    g_array_append_val(row, pivot);
    for (guint i = 0; i < tangent->touched->len; i++) {
      Slope slope = {g_array_index(tangent->touched, uint32_t, i), 0.0};
      slope.value = tangent->work[slope.z] / tangent->work[best];
      if (slope.z != best && slope.value != 0.0) {
        g_array_append_val(row, slope);
      }
    }
    tangent->order[best] = tangent->rows->len;
    g_ptr_array_add(tangent->rows, row);
  }
  for (guint i = 0; i < tangent->touched->len; i++) {
    uint32_t z = g_array_index(tangent->touched, uint32_t, i);
    tangent->work[z] = 0.0;
    tangent->summed[z] = 0.0;
    tangent->is_touched[z] = false;
  }
  g_array_set_size(tangent->touched, 0);
  return best != IC_NONE;
}

/* Is the gradient of the term independent of the rows so far, by more than `share` of its
 * size? Then it is one of them. */
static bool
add_if_independent(Tangent *tangent, DaeTerm t, double share)
{
  g_autoptr(GArray) heap = g_array_new(FALSE, FALSE, sizeof(IcCandidate));
  double largest = load_gradient(tangent, t, heap);
  if (isnan(largest)) {
    keep_work(tangent, INFINITY, 0.0);
    return false;
  }
  reduce_work(tangent, heap);
  return keep_work(tangent, share * largest, 0.0);
}

/* Where the gradients are taken. Attempt 0: the values that were found, start values, and what
 * follows from them; then random numbers for unknowns without a start value; then for all,
 * which is right for almost all points. */
static void
set_point(Tangent *tangent, const bool *depends, uint32_t attempt)
{
  IcEngine *engine = tangent->engine;
  IcSystem *sys = engine->sys;
  g_autoptr(GRand) random = g_rand_new_with_seed(20261116u);
  for (uint32_t z = 0; z < sys->unknowns->len; z++) {
    bool has_start = g_array_index(sys->unknowns, IcUnknown, z).start != DAE_NO_TERM;
    double shift = g_rand_double_range(random, 0.1, 1.0);
    tangent->x[z] = ic_guess(sys, z) + (attempt > (has_start ? 1u : 0u) ? shift : 0.0);
  }
  for (guint l = engine->lines->len; l-- > 0 && attempt < 2;) { /* solved later, or never */
    const IcLine *line = ic_engine_line(engine, l);
    if (line->z == IC_NONE || line->solution == NULL || engine->solved_by[line->z] != l) {
      continue;
    }
    const IcUnknown *unknown = &g_array_index(sys->unknowns, IcUnknown, line->z);
    DaeTerm t = ic_at_values(sys, ic_line_rhs(engine, l));
    double value = 0.0;
    bool keep = depends[line->z] && (unknown->start != DAE_NO_TERM || attempt > 0);
    if (!keep && t != DAE_NO_TERM &&
        dae_term_eval_double(sys->terms, t, value_of_atom, tangent, &value) == DAE_EVAL_OK &&
        isfinite(value)) {
      tangent->x[line->z] = value;
    }
  }
}

/* The premises as they are, or (cheaper, on long models) what the search left of them in the
 * unknowns it did not solve. The latter may be singular where the premises are not (0/0).
 * false: the rank is not as high as it should be. */
static bool
add_premises(Tangent *tangent, bool reduced, uint32_t wanted)
{
  IcEngine *engine = tangent->engine;
  IcSystem *sys = engine->sys;
  uint32_t n = reduced ? engine->rows->len : sys->premises->len;
  uint32_t rank = 0;
  uint32_t n_rows = 0;
  for (uint32_t i = 0; i < n && !ic_engine_spent(engine); i++) {
    DaeTerm t = DAE_NO_TERM;
    if (!reduced) {
      t = g_array_index(sys->premises, IcPremise, i).residual;
    } else if (ic_engine_row(engine, i)->state == IC_ROW_IMPLICIT) {
      n_rows++;
      t = ic_engine_reduce(engine, ic_form_term(sys, &ic_engine_row(engine, i)->form), NULL);
    } else {
      continue;
    }
    rank += add_if_independent(tangent, t, 1e-9);
  }
  return rank == (reduced ? n_rows : sys->unknowns->len - wanted);
}

/* First those with start values that stand well on their own, then potential states,
 * then whatever adds something. */
static void
choose_at(Tangent *tangent, const IcChoices *choices, bool reduced, GArray *chosen)
{
  IcEngine *engine = tangent->engine;
  const GArray *candidates = choices->candidates;

  const struct {
    uint32_t end;
    double share;
  } passes[] = {{choices->n_preferred, 1e-2},
                {choices->n_states, 1e-7},
                {choices->n_states, 1e-13},
                {candidates->len, 1e-7},
                {candidates->len, 1e-13}};

  g_autofree bool *is_chosen = g_new0(bool, candidates->len + 1);
  for (uint32_t pass = 0; pass < G_N_ELEMENTS(passes); pass++) {
    for (guint i = 0;
         i < passes[pass].end && chosen->len < choices->wanted && !ic_engine_spent(engine);
         i++) {
      uint32_t z = g_array_index(candidates, uint32_t, i);
      DaeTerm atom = g_array_index(engine->sys->unknowns, IcUnknown, z).atom;
      if (is_chosen[i]) {
        continue;
      }
      DaeTerm t = reduced ? ic_engine_reduce(engine, atom, NULL) : atom;
      if (add_if_independent(tangent, t, passes[pass].share)) {
        is_chosen[i] = true;
        g_array_append_val(chosen, z);
      }
    }
  }
}

GArray *
ic_choose_conditions(IcEngine *engine, const IcChoices *choices)
{
  enum { N_ATTEMPTS = 5, LONGEST = 2000 };

  static const struct {
    uint32_t point;
    bool reduced;
  } attempts[N_ATTEMPTS] = {{0, true}, {0, false}, {1, false}, {2, false}, {2, true}};

  GArray *chosen = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  bool done = false;
  for (uint32_t i = 0; i < N_ATTEMPTS && !done && !ic_engine_spent(engine); i++) {
    if (!attempts[i].reduced && engine->sys->premises->len > LONGEST) {
      continue;
    }
    Tangent tangent = tangent_new(engine);
    g_array_set_size(chosen, 0);
    set_point(&tangent, choices->depends, attempts[i].point);
    bool is_regular = add_premises(&tangent, attempts[i].reduced, choices->wanted);
    if (is_regular || i + 1 == N_ATTEMPTS) {
      choose_at(&tangent, choices, attempts[i].reduced, chosen);
    }
    done = is_regular && chosen->len == choices->wanted;
    tangent_clear(&tangent);
  }
  return chosen;
}

/* ---- singular starts ------------------------------------------------------------------------ */

/* The values that were found. Attempt 0 is for these alone: false where there are none of an
 * unknown. Later attempts put different numbers where nothing was found, or a choice of what may
 * be chosen. */
static bool
set_found_point(Tangent *tangent, const DaeInit *init, uint32_t attempt, const bool *is_open)
{
  IcSystem *sys = tangent->engine->sys;
  g_autoptr(GRand) random = g_rand_new_with_seed(20261119u);
  bool is_known = true;
  for (uint32_t z = 0; z < sys->unknowns->len && is_known; z++) {
    DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
    double shift = g_rand_double_range(random, 0.1, 1.0) * (attempt % 2 == 0 ? 1 : -1);
    bool is_found = dae_init_value(init, atom, &tangent->x[z]);
    if (attempt == 0) {
      is_known = is_found;
    } else if (!is_found || is_open[z]) {
      tangent->x[z] = ic_guess(sys, z) + (attempt - 1) * shift;
    }
  }
  return is_known;
}

/* Only the slopes by which the structure solves the equations count: x_j^(d_j). */
static void
keep_highest(Tangent *tangent, const int32_t *d)
{
  const IcSystem *sys = tangent->engine->sys;
  for (guint i = 0; i < tangent->touched->len; i++) {
    uint32_t z = g_array_index(tangent->touched, uint32_t, i);
    const IcUnknown *unknown = &g_array_index(sys->unknowns, IcUnknown, z);
    if (unknown->variable == IC_NONE || (int32_t)unknown->order != d[unknown->variable]) {
      tangent->work[z] = 0.0;
      tangent->summed[z] = 0.0;
    }
  }
}

/* Does the row of the Sigma-Jacobian follow from those so far (without d: the row of all slopes)?
 * Where it has no value that is open. Each slope is measured by what it was made of, not by the
 * others: a = atan2(y, x) near the origin determines a, however steep it is in x and y. */
static bool
is_dependent(Tangent *tangent, DaeTerm t, const int32_t *d)
{
  g_autoptr(GArray) heap = g_array_new(FALSE, FALSE, sizeof(IcCandidate));
  if (isnan(load_gradient(tangent, t, heap))) {
    keep_work(tangent, INFINITY, 0.0);
    tangent->is_outside = true;
    return false;
  }
  if (d != NULL) {
    keep_highest(tangent, d);
  }
  reduce_work(tangent, heap);
  return !keep_work(tangent, 0.0, 1e-9);
}

/* Does the point lie in the branches that the search took before it knew what they depend on? */
static bool
is_in_branches_taken(Tangent *tangent)
{
  IcEngine *engine = tangent->engine;
  DaeTerms *terms = engine->sys->terms;
  bool is_inside = true;
  for (guint k = 0; k < engine->decided->len && is_inside; k++) {
    const IcCondition *decided = &g_array_index(engine->decided, IcCondition, k);
    DaeTerm here = ic_at_values(engine->sys, decided->condition);
    DaeTerm sides = dae_term_if(terms, here, dae_term_int(terms, 1), dae_term_int(terms, 0));
    double holds = 0.0;
    is_inside =
        here != DAE_NO_TERM && sides != DAE_NO_TERM &&
        dae_term_eval_double(terms, sides, value_of_atom, tangent, &holds) == DAE_EVAL_OK &&
        (holds > 0.5) == decided->taken;
  }
  return is_inside;
}

/* The first equation whose row of the Sigma-Jacobian follows from those before it. */
static uint32_t
dependent_at_point(Tangent *tangent)
{
  const IcSystem *sys = tangent->engine->sys;
  const int32_t *c = dae_sig_c(sys->sig);
  const int32_t *d = dae_sig_d(sys->sig);
  for (uint32_t p = 0; p < sys->premises->len && !ic_engine_spent(tangent->engine); p++) {
    const IcPremise *premise = &g_array_index(sys->premises, IcPremise, p);
    if (!premise->id.is_initial && premise->id.order == c[premise->id.index] &&
        is_dependent(tangent, premise->residual, d)) {
      return p;
    }
  }
  return IC_NONE;
}

static bool
has_offsets(const IcEngine *engine)
{
  const DaeSig *sig = engine->sys->sig;
  return dae_sig_c(sig) != NULL && dae_sig_d(sig) != NULL;
}

uint32_t
ic_dependent_equation(IcEngine *engine, const DaeInit *init)
{
  Tangent tangent = tangent_new(engine);
  bool is_known = has_offsets(engine) && set_found_point(&tangent, init, 0, NULL);
  uint32_t found = is_known ? dependent_at_point(&tangent) : IC_NONE;
  tangent_clear(&tangent);
  return found;
}

uint32_t
ic_dependent_premise(IcEngine *engine, const DaeInit *init, const bool *is_dropped)
{
  const GArray *premises = engine->sys->premises;
  Tangent tangent = tangent_new(engine);
  bool is_known = set_found_point(&tangent, init, 0, NULL);
  uint32_t found = IC_NONE;
  for (uint32_t p = 0;
       p < premises->len && is_known && found == IC_NONE && !ic_engine_spent(engine); p++) {
    DaeTerm residual = g_array_index(premises, IcPremise, p).residual;
    found = !is_dropped[p] && is_dependent(&tangent, residual, NULL) ? p : IC_NONE;
  }
  tangent_clear(&tangent);
  return found;
}

uint32_t
ic_always_dependent_equation(IcEngine *engine, const DaeInit *init)
{
  enum { N_ATTEMPTS = 10, ENOUGH = 4 };

  g_autofree bool *is_open = ic_find_open_unknowns(engine, init->missing);
  uint32_t found = IC_NONE;
  uint32_t n_inside = 0;
  bool is_regular = !has_offsets(engine);
  for (uint32_t k = 1; k <= N_ATTEMPTS && n_inside < ENOUGH && !is_regular; k++) {
    Tangent tangent = tangent_new(engine);
    set_found_point(&tangent, init, k, is_open);
    if (is_in_branches_taken(&tangent)) {
      uint32_t p = dependent_at_point(&tangent);
      is_regular = p == IC_NONE && !tangent.is_outside;
      n_inside += p != IC_NONE;
      found = p == IC_NONE ? found : p;
    }
    tangent_clear(&tangent);
  }
  return is_regular ? IC_NONE : found;
}
