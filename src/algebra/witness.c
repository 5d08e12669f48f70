/* Certified common zeros: all atoms but as many as there are equations get rational values,
 * Newton's method finds a zero in the others, and Krawczyk's operator proves it: K(X) = m - Y
 * f(m) + (I - Y J(X)) (X - m) inside X means that f has a zero in X [Moore, Kearfott, Cloud,
 * Introduction to Interval Analysis, section 8.2]. */
#include "algebra/modulo.h"

#include <math.h>

#define N_STARTS 10
#define N_NEWTON 40
#define PRECISION 192
#define RADIUS_EXPONENT (-60)
#define LIMIT_EQUATIONS 12

typedef struct {
  DaeAlgebra *algebra;
  const DaeReduction *r;
  GArray *atoms;   /* DaeTerm: free atoms first, then the solved ones in order of evaluation */
  uint32_t n_free; /* atoms that are not solved */
  uint32_t k;      /* equations = unknowns */
  uint32_t *unknown; /* positions in atoms */
  DaePlan *plan;     /* roots: the k equations, then the k * n_free Jacobian, row by row */
  arb_ptr value;     /* of the atoms */
} Witness;

static void
append_missing(GArray *list, const GArray *more)
{
  for (guint i = 0; i < more->len; i++) {
    DaeTerm t = g_array_index(more, DaeTerm, i);
    bool present = false;
    for (guint k = 0; k < list->len && !present; k++) {
      present = g_array_index(list, DaeTerm, k) == t;
    }
    if (!present) {
      g_array_append_val(list, t);
    }
  }
}

static void
append_atoms_of(DaeAlgebra *algebra, DaeTerm t, GArray *list)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < plan->n; i++) {
    if (dae_term_is_atom(algebra->terms, plan->node[i])) {
      g_array_append_val(atoms, plan->node[i]);
    }
  }
  append_missing(list, atoms);
}

/* Free atoms in order of first occurrence (equations first), then the
 * solved ones, last solved first. */
static void
list_atoms(Witness *w)
{
  const DaeReduction *r = w->r;
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (guint i = 0; i < r->equations->len; i++) {
    append_atoms_of(w->algebra, g_array_index(r->equations, DaeTerm, i), all);
  }
  append_atoms_of(w->algebra, r->t, all);
  for (guint i = 0; i < r->values->len; i++) {
    append_atoms_of(w->algebra, g_array_index(r->values, DaeTerm, i), all);
  }
  for (guint i = 0; i < all->len; i++) {
    DaeTerm t = g_array_index(all, DaeTerm, i);
    bool is_solved = false;
    for (guint k = 0; k < r->atoms->len && !is_solved; k++) {
      is_solved = g_array_index(r->atoms, DaeTerm, k) == t;
    }
    if (!is_solved) {
      g_array_append_val(w->atoms, t);
    }
  }
  w->n_free = w->atoms->len;
  for (guint k = r->atoms->len; k-- > 0;) {
    g_array_append_val(w->atoms, g_array_index(r->atoms, DaeTerm, k));
  }
}

static void
start_at_point(Witness *w, uint32_t point)
{
  fmpq_t q;
  fmpq_init(q);
  for (uint32_t i = 0; i < w->n_free; i++) {
    dae_ball_atom_value(w->algebra, g_array_index(w->atoms, DaeTerm, i), point, q);
    arb_set_fmpq(w->value + i, q, PRECISION);
    arb_get_mid_arb(w->value + i, w->value + i);
  }
  fmpq_clear(q);
}

static bool
eval_system(Witness *w, arb_ptr out)
{
  DaeBallBinding binding = {.atoms = (const DaeTerm *)(const void *)w->atoms->data,
                            .values = w->value,
                            .n = w->n_free};
  return dae_ball_eval_bound(w->algebra, w->plan, w->k + w->k * w->n_free, &binding, PRECISION,
                             out);
}

/* ---- choosing unknowns ------------------------------------------------------------------- */

static double
magnitude(const arb_t x)
{
  return fabs(arf_get_d(arb_midref(x), ARF_RND_NEAR));
}

/* The largest entry of the open rows; false if all are (nearly) zero. */
static bool
largest_entry(const double *a, const bool *row_done, uint32_t k, uint32_t n, uint32_t *row,
              uint32_t *column)
{
  double largest = 1e-12;
  bool found = false;
  for (uint32_t i = 0; i < k; i++) {
    for (uint32_t j = 0; j < n && !row_done[i]; j++) {
      if (fabs(a[(size_t)i * n + j]) > largest) {
        largest = fabs(a[(size_t)i * n + j]);
        *row = i;
        *column = j;
        found = true;
      }
    }
  }
  return found;
}

/* Columns of the Jacobian by elimination with full pivoting on midpoints. It
 * is only a choice, not a proof. */
static bool
choose_unknowns(Witness *w, arb_srcptr jacobian)
{
  uint32_t k = w->k;
  uint32_t n = w->n_free;
  g_autofree double *a = g_new0(double, (size_t)k *n + 1);
  for (size_t i = 0; i < (size_t)k * n; i++) {
    a[i] = arf_get_d(arb_midref(jacobian + i), ARF_RND_NEAR);
  }
  g_autofree bool *row_done = g_new0(bool, k + 1);
  for (uint32_t step = 0; step < k; step++) {
    uint32_t row = 0;
    uint32_t column = 0;
    if (!largest_entry(a, row_done, k, n, &row, &column)) {
      return false;
    }
    double pivot = a[(size_t)row * n + column];
    row_done[row] = true;
    w->unknown[step] = column;
    for (uint32_t i = 0; i < k; i++) {
      double factor = a[(size_t)i * n + column] / pivot;
      for (uint32_t j = 0; j < n && !row_done[i]; j++) {
        a[(size_t)i * n + j] -= factor * a[(size_t)row * n + j];
      }
    }
  }
  return true;
}

/* ---- Newton ------------------------------------------------------------------------------ */

static void
select_columns(const Witness *w, arb_srcptr system, arb_mat_t jacobian, bool midpoints)
{
  for (uint32_t i = 0; i < w->k; i++) {
    for (uint32_t j = 0; j < w->k; j++) {
      arb_srcptr entry = system + w->k + (size_t)i * w->n_free + w->unknown[j];
      arb_set(arb_mat_entry(jacobian, i, j), entry);
      if (midpoints) {
        arb_get_mid_arb(arb_mat_entry(jacobian, i, j), entry);
      }
    }
  }
}

/* One step; *size is the length of it. */
static bool
newton_step(Witness *w, arb_ptr system, double *size)
{
  if (!eval_system(w, system)) {
    return false;
  }
  arb_mat_t jacobian;
  arb_mat_t step;
  arb_mat_init(jacobian, w->k, w->k);
  arb_mat_init(step, w->k, 1);
  select_columns(w, system, jacobian, true);
  for (uint32_t i = 0; i < w->k; i++) {
    arb_get_mid_arb(arb_mat_entry(step, i, 0), system + i);
  }
  bool ok = arb_mat_solve(step, jacobian, step, PRECISION) != 0;
  *size = 0;
  for (uint32_t i = 0; i < w->k && ok; i++) {
    arb_ptr x = w->value + w->unknown[i];
    arb_sub(x, x, arb_mat_entry(step, i, 0), PRECISION);
    arb_get_mid_arb(x, x);
    *size += magnitude(arb_mat_entry(step, i, 0));
    ok = arb_is_finite(x) && magnitude(x) < 1e8;
  }
  arb_mat_clear(jacobian);
  arb_mat_clear(step);
  return ok;
}

static bool
newton(Witness *w, arb_ptr system)
{
  double size = 1;
  for (int i = 0; i < N_NEWTON && size > 0x1p-120; i++) {
    if (dae_algebra_spent(w->algebra) || !newton_step(w, system, &size)) {
      return false;
    }
  }
  return size <= 0x1p-100;
}

/* ---- Krawczyk ---------------------------------------------------------------------------- */

/* Values of the unknowns are midpoints m on entry; on success they
 * are boxes that contain a zero. */
static bool
krawczyk(Witness *w, arb_ptr system)
{
  uint32_t k = w->k;
  arb_mat_t y;
  arb_mat_t j;
  arb_mat_t f;
  arb_mat_t delta;
  arb_mat_init(y, k, k);
  arb_mat_init(j, k, k);
  arb_mat_init(f, k, 1);
  arb_mat_init(delta, k, 1);
  bool ok = eval_system(w, system);
  select_columns(w, system, j, true);
  ok = ok && arb_mat_inv(y, j, PRECISION) != 0;
  arb_mat_get_mid(y, y);
  for (uint32_t i = 0; i < k && ok; i++) {
    arb_set(arb_mat_entry(f, i, 0), system + i);
    mag_set_ui_2exp_si(arb_radref(arb_mat_entry(delta, i, 0)), 1, RADIUS_EXPONENT);
    arb_add(w->value + w->unknown[i], w->value + w->unknown[i], arb_mat_entry(delta, i, 0),
            PRECISION);
  }
  ok = ok && eval_system(w, system);
  if (ok) {
    select_columns(w, system, j, false);
    arb_mat_mul(f, y, f, PRECISION);
    arb_mat_neg(f, f);
    arb_mat_mul(j, y, j, PRECISION);
    arb_mat_neg(j, j);
    for (uint32_t i = 0; i < k; i++) {
      arb_add_ui(arb_mat_entry(j, i, i), arb_mat_entry(j, i, i), 1, PRECISION);
    }
    arb_mat_t image;
    arb_mat_init(image, k, 1);
    arb_mat_mul(image, j, delta, PRECISION);
    arb_mat_add(image, image, f, PRECISION); /* K(X) - m */
    for (uint32_t i = 0; i < k; i++) {
      ok = ok && arb_contains_interior(arb_mat_entry(delta, i, 0), arb_mat_entry(image, i, 0));
    }
    arb_mat_clear(image);
  }
  arb_mat_clear(y);
  arb_mat_clear(j);
  arb_mat_clear(f);
  arb_mat_clear(delta);
  return ok;
}

/* ---- the witness ------------------------------------------------------------------------- */

static bool
respects_facts(const Witness *w, uint32_t i)
{
  DaeTerms *terms = w->algebra->terms;
  DaeTerm atom = g_array_index(w->atoms, DaeTerm, i);
  DaeKind kind = dae_term_kind(terms, atom);
  if (kind == DAE_KIND_TIME || (kind == DAE_KIND_VARIABLE && dae_term_order(terms, atom) > 0)) {
    return true;
  }
  return dae_terms_assumed(terms, dae_term_get_symbol(terms, atom)) == DAE_SIGN_UNKNOWN ||
         arb_is_positive(w->value + i);
}

static bool
eval_one(Witness *w, DaeTerm t, uint32_t n_bound, arb_t out)
{
  g_autoptr(DaePlan) plan = dae_plan_new(w->algebra, &t, 1, NULL);
  DaeBallBinding binding = {
      .atoms = (const DaeTerm *)(const void *)w->atoms->data, .values = w->value, .n = n_bound};
  return dae_ball_eval_bound(w->algebra, plan, 1, &binding, PRECISION, out);
}

/* The solved atoms follow from the free ones; then t must be provably nonzero. */
static bool
complete_point(Witness *w)
{
  const DaeReduction *r = w->r;
  guint n_solved = r->atoms->len;
  for (guint k = 0; k < n_solved; k++) {
    uint32_t position = w->n_free + k;
    DaeTerm value = g_array_index(r->values, DaeTerm, n_solved - 1 - k);
    if (!eval_one(w, value, position, w->value + position)) {
      return false;
    }
  }
  for (guint i = 0; i < w->atoms->len; i++) {
    if (!respects_facts(w, i)) {
      return false;
    }
  }
  arb_t t;
  arb_init(t);
  bool nonzero = eval_one(w, r->t, w->atoms->len, t) && !arb_contains_zero(t);
  arb_clear(t);
  return nonzero;
}

static bool
try_start(Witness *w, uint32_t point, arb_ptr system)
{
  start_at_point(w, point);
  if (w->k == 0) {
    return complete_point(w);
  }
  return eval_system(w, system) && choose_unknowns(w, system + w->k) && newton(w, system) &&
         krawczyk(w, system) && complete_point(w);
}

static void
make_plan(Witness *w)
{
  DaeTerms *terms = w->algebra->terms;
  const GArray *equations = w->r->equations;
  g_autofree DaeTerm *roots = g_new(DaeTerm, (size_t)w->k * (w->n_free + 1) + 1);
  for (uint32_t i = 0; i < w->k; i++) {
    DaeTerm e = g_array_index(equations, DaeTerm, i);
    roots[i] = e;
    for (uint32_t j = 0; j < w->n_free; j++) {
      roots[w->k + (size_t)i * w->n_free + j] =
          dae_term_partial(terms, e, g_array_index(w->atoms, DaeTerm, j));
    }
  }
  w->plan = dae_plan_new(w->algebra, roots, (size_t)w->k * (w->n_free + 1), NULL);
}

/* Newton and Krawczyk need a differentiable system; at jumps of sign, floor and if the
 * balls are not defined or too wide, but abs, min, max have derivatives only
 * piecewise, so they are left out. */
static bool
is_differentiable(DaeAlgebra *algebra, const GArray *equations)
{
  DaeTerms *terms = algebra->terms;
  g_autoptr(DaePlan) plan = dae_plan_new(
      algebra, (const DaeTerm *)(const void *)equations->data, equations->len, NULL);
  for (uint32_t i = 0; i < plan->n; i++) {
    DaeKind kind = dae_term_kind(terms, plan->node[i]);
    if (kind == DAE_KIND_IF) {
      return false;
    }
    if (kind != DAE_KIND_CALL) {
      continue;
    }
    uint8_t class = dae_function_facts(dae_term_function(terms, plan->node[i]))->kind;
    bool is_smooth = class == DAE_CLASS_ANALYTIC || class == DAE_CLASS_CONSTANT;
    if (!is_smooth) {
      return false;
    }
  }
  return true;
}

bool
dae_modulo_has_witness(DaeAlgebra *algebra, const DaeReduction *r)
{
  if (r->equations->len > LIMIT_EQUATIONS || !is_differentiable(algebra, r->equations)) {
    return false;
  }
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  Witness w = {.algebra = algebra, .r = r, .atoms = atoms, .k = r->equations->len};
  list_atoms(&w);
  if (w.k > w.n_free) {
    return false;
  }
  g_autofree uint32_t *unknown = g_new0(uint32_t, w.k + 1);
  w.unknown = unknown;
  make_plan(&w);
  w.value = _arb_vec_init(atoms->len + 1);
  arb_ptr system = _arb_vec_init((slong)(w.k * (w.n_free + 1)) + 1);
  bool found = false;
  for (uint32_t point = 0; point < N_STARTS && !found && !dae_algebra_spent(algebra); point++) {
    found = try_start(&w, point, system);
  }
  _arb_vec_clear(system, (slong)(w.k * (w.n_free + 1)) + 1);
  _arb_vec_clear(w.value, atoms->len + 1);
  dae_plan_free(w.plan);
  return found;
}
