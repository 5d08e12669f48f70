/* Is there a solution at a point that double precision takes for one? More digits tell: at a
 * solution Newton's method goes on to the last of them and Krawczyk's operator proves it; at a
 * multiple root it creeps, but stays and ends; where the functions only tend to 0 it runs away
 * (exp(-x) = 0), where they just miss it it finds no way down (x^2 + 1e-13 = 0), and where the
 * limit lies outside of their domain their derivatives grow without bound on the way to it. */
#include <math.h>
#include <string.h>

#include "algebra/enclose-priv.h"

#define PROOF_PRECISION 173 /* bits: 40 digits, and 40 more */
#define CREEP_PRECISION 400
#define MOST_CREEPING 400 /* steps: at a root of multiplicity 5 an error falls by 4/5 in each */
/* How far a multiple root may lie from the point, in units of the unknowns, and how much its
 * Jacobian may grow on the way. */
#define NEAR 1e-3
#define MOST_GROWTH 10.0
#define AT_REST 1.001 /* on the second half of the way */
/* Relative gains above 2^this: the rows are dependent, whatever the unknowns. */
#define DEPENDENT 100
/* Values so much smaller than their unit are 0 up to rounding. */
#define NEXT_TO_NOTHING 1e-10

/* Values of the equations at x; their Jacobian need not have any: sqrt(x) = 0 at 0. Into
 * is_zero: which of them vanish as far as the digits tell. */
static bool
find_zeros(DaeAlgebra *algebra, const DaeSquareSystem *system, const double *x, bool *is_zero)
{
  uint32_t n = system->n;
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, system->equations, n, NULL);
  arb_ptr at = _arb_vec_init(n);
  arb_ptr values = _arb_vec_init(n);
  for (uint32_t j = 0; j < n; j++) {
    arb_set_d(at + j, x[j]);
  }
  DaeBallBinding binding = {.atoms = system->unknowns, .values = at, .n = n};
  bool ok = dae_ball_eval_bound(algebra, plan, n, &binding, CREEP_PRECISION, values);
  for (uint32_t i = 0; i < n && ok; i++) {
    is_zero[i] = arb_contains_zero(values + i) &&
                 mag_cmp_2exp_si(arb_radref(values + i), -CREEP_PRECISION / 2) < 0;
  }
  _arb_vec_clear(at, n);
  _arb_vec_clear(values, n);
  return ok;
}

static bool
vanishes_at(DaeAlgebra *algebra, const DaeSquareSystem *system, const double *x)
{
  g_autofree bool *is_zero = g_new0(bool, system->n + 1);
  bool vanishes = find_zeros(algebra, system, x, is_zero);
  for (uint32_t i = 0; i < system->n && vanishes; i++) {
    vanishes = is_zero[i];
  }
  return vanishes;
}

static bool
has_values(DaeAlgebra *algebra, const DaeSquareSystem *system, const double *x)
{
  g_autofree bool *is_zero = g_new0(bool, system->n + 1);
  return find_zeros(algebra, system, x, is_zero);
}

/* The smallest values of x become 0; false: there were none. */
static bool
drop_the_smallest(const DaeSquareSystem *system, const double *units, double *x)
{
  bool differs = false;
  for (uint32_t j = 0; j < system->n; j++) {
    if (x[j] != 0 && fabs(x[j]) < NEXT_TO_NOTHING * units[j]) {
      x[j] = 0;
      differs = true;
    }
  }
  return differs;
}

/* At x, or where its smallest values are 0; x is then that point. */
static bool
vanishes_there_or_at_0(DaeAlgebra *algebra, const DaeSquareSystem *system, const double *units,
                       double *x)
{
  memcpy(x, system->near, sizeof(double) * system->n);
  return vanishes_at(algebra, system, x) ||
         (drop_the_smallest(system, units, x) && vanishes_at(algebra, system, x));
}

/* Is x on the way to 0, where the functions have no value? x^1.5*log(x) = 0. */
static bool
leads_out_of_the_domain(DaeAlgebra *algebra, const DaeSquareSystem *system, const double *units,
                        const double *x)
{
  g_autofree double *y = g_memdup2(x, sizeof(double) * system->n);
  return drop_the_smallest(system, units, y) && !has_values(algebra, system, y);
}

/* Does some equation vanish beside x as well? tanh(x) = 1 does at x = 5000, in 400 bits. */
static bool
is_flat_around(DaeAlgebra *algebra, const DaeSquareSystem *system, const double *units,
               const double *x)
{
  uint32_t n = system->n;
  g_autofree double *y = g_new0(double, n + 1);
  g_autofree bool *is_zero = g_new0(bool, n + 1);
  for (int side = 1; side >= -1; side -= 2) {
    for (uint32_t j = 0; j < n; j++) {
      double share =
          1 + 0.1 * (double)(j % 11); /* all different, so that x - y moves as well */
      y[j] = x[j] + side * NEAR * share * (fabs(x[j]) + units[j]);
    }
    if (find_zeros(algebra, system, y, is_zero)) {
      bool any = false;
      for (uint32_t i = 0; i < n; i++) {
        any = any || (is_zero[i] && !dae_term_is_zero(algebra->terms, system->equations[i]));
      }
      return any;
    }
  }
  return false;
}

static void
go_to_near(DaeEncloseWork *work)
{
  for (uint32_t j = 0; j < work->system->n; j++) {
    arb_set_d(work->x + j, work->system->near[j]);
  }
}

static void
keep_jacobian(const DaeEncloseWork *work, double *kept)
{
  for (uint32_t k = work->system->n; k < work->n_roots; k++) {
    kept[k] = fabs(arf_get_d(arb_midref(work->values + k), ARF_RND_NEAR));
  }
}

/* Has some entry grown by this factor since it was kept? What is small beside the largest does
 * not count. */
static bool
has_grown(const DaeEncloseWork *work, const double *kept, double factor)
{
  double largest = 0;
  for (uint32_t k = work->system->n; k < work->n_roots; k++) {
    largest = fmax(largest, kept[k]);
  }
  for (uint32_t k = work->system->n; k < work->n_roots; k++) {
    double now = fabs(arf_get_d(arb_midref(work->values + k), ARF_RND_NEAR));
    if (!(now <= factor * kept[k] + 1e-15 * largest)) {
      return true;
    }
  }
  return false;
}

/* Are the rows dependent at the point? The relative gains J_ij (J^-1)_ji do not change with the
 * units of rows and unknowns [Bristol66]. */
static bool
rows_are_dependent(DaeEncloseWork *work)
{
  uint32_t n = work->system->n;
  arb_mat_t jacobian;
  arb_mat_t inverse;
  arb_mat_init(jacobian, n, n);
  arb_mat_init(inverse, n, n);
  dae_enclose_jacobian(work, jacobian);
  bool dependent = arb_mat_approx_inv(inverse, jacobian, CREEP_PRECISION) == 0;
  arf_t gain;
  arf_init(gain);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n && !dependent; j++) {
      arf_mul(gain, arb_midref(arb_mat_entry(jacobian, i, j)),
              arb_midref(arb_mat_entry(inverse, j, i)), 53, ARF_RND_NEAR);
      dependent = arf_cmpabs_2exp_si(gain, DEPENDENT) > 0;
    }
  }
  arf_clear(gain);
  arb_mat_clear(jacobian);
  arb_mat_clear(inverse);
  return dependent;
}

/* A multiple root needs fewer digits of its place than of its values. */
static bool
is_as_good_as_zero(const DaeEncloseWork *work)
{
  for (uint32_t i = 0; i < work->system->n; i++) {
    if (arf_cmpabs_2exp_si(arb_midref(work->values + i), -CREEP_PRECISION) > 0) {
      return false;
    }
  }
  return true;
}

static bool
stays_near(const DaeEncloseWork *work, const double *units)
{
  for (uint32_t j = 0; j < work->system->n; j++) {
    double was = work->system->near[j];
    double moved = arf_get_d(arb_midref(work->x + j), ARF_RND_NEAR) - was;
    if (!(fabs(moved) <= NEAR * (fabs(was) + units[j]))) {
      return false;
    }
  }
  return true;
}

/* Newton's method to the end, in small steps where the root is a multiple one. On the second half
 * of the way the Jacobian does not change any more at a root: x*log(x) = 0 has none at 0. */
static bool
creeps_to_an_end(DaeEncloseWork *work, const double *units)
{
  uint32_t n = work->system->n;
  g_autofree double *first = g_new0(double, work->n_roots + 1);
  g_autofree double *middle = g_new0(double, work->n_roots + 1);
  arb_mat_t jacobian;
  arb_mat_t step;
  arb_mat_init(jacobian, n, n);
  arb_mat_init(step, n, 1);
  keep_jacobian(work, first);
  keep_jacobian(work, middle);
  bool converged = false;
  bool is_near = true;
  for (uint32_t k = 1; k <= MOST_CREEPING && is_near && !converged; k++) {
    is_near = dae_enclose_step(work, jacobian, step, CREEP_PRECISION, &converged) &&
              stays_near(work, units) && !has_grown(work, first, MOST_GROWTH) &&
              !dae_algebra_spent(work->algebra);
    converged = converged || is_as_good_as_zero(work);
    if (!converged && (k & (k - 1)) == 0) {
      keep_jacobian(work, middle);
    }
  }
  arb_mat_clear(jacobian);
  arb_mat_clear(step);
  return is_near && converged && !has_grown(work, middle, AT_REST);
}

static DaePointAnswer
creep(DaeEncloseWork *work, const double *units)
{
  go_to_near(work);
  if (!dae_enclose_evaluate(work, work->x, CREEP_PRECISION) || rows_are_dependent(work)) {
    return DAE_POINT_OPEN;
  }
  if (creeps_to_an_end(work, units)) {
    return DAE_POINT_MULTIPLE;
  }
  return dae_algebra_spent(work->algebra) ? DAE_POINT_OPEN : DAE_POINT_NONE;
}

/* Newton's method need not find a root at a kink. */
static bool
has_kinks(const DaeTerms *terms, const DaePlan *plan)
{
  for (uint32_t i = 0; i < plan->n; i++) {
    DaeKind kind = dae_term_kind(terms, plan->node[i]);
    if (kind == DAE_KIND_IF) {
      return true;
    }
    const DaeFunctionFacts *facts =
        kind == DAE_KIND_CALL ? dae_function_facts(dae_term_function(terms, plan->node[i]))
                              : NULL;
    if (facts != NULL && (facts->breaks || facts->rounds || facts->kind == DAE_CLASS_ELEMENT ||
                          facts->kind == DAE_CLASS_ROUTINE)) {
      return true;
    }
  }
  return false;
}

static void
take_middle(arb_srcptr box, uint32_t n, double *x)
{
  for (uint32_t j = 0; j < n; j++) {
    x[j] = arf_get_d(arb_midref(box + j), ARF_RND_NEAR);
  }
}

DaePointAnswer
dae_algebra_judge_point(DaeAlgebra *algebra, const DaeSquareSystem *system, const double *units,
                        double *found)
{
  uint32_t n = system->n;
  if (n == 0 || n > DAE_ENCLOSE_MAX) {
    return DAE_POINT_OPEN;
  }
  DaeEncloseWork work;
  DaePointAnswer answer = DAE_POINT_OPEN;
  arb_ptr box = _arb_vec_init(n);
  bool is_smooth = dae_enclose_begin(&work, algebra, system);
  bool has_corners = !is_smooth || has_kinks(algebra->terms, work.plan);
  if (is_smooth && dae_enclose_refine(&work, PROOF_PRECISION) &&
      dae_enclose_prove(&work, PROOF_PRECISION, box)) {
    answer = DAE_POINT_PROVED;
    take_middle(box, n, found);
  } else if (vanishes_there_or_at_0(algebra, system, units, found)) {
    answer = DAE_POINT_MULTIPLE;
  } else if (!has_corners && !has_values(algebra, system, system->near)) {
    answer = DAE_POINT_NONE; /* x*exp(-1/x) at 0, where infinity hides in double precision */
  } else if (!has_corners) {
    answer = creep(&work, units);
    take_middle(work.x, n, found);
  }
  if (answer == DAE_POINT_MULTIPLE && !has_corners &&
      (is_flat_around(algebra, system, units, found) ||
       leads_out_of_the_domain(algebra, system, units, found))) {
    answer = DAE_POINT_NONE;
  }
  dae_enclose_end(&work);
  _arb_vec_clear(box, n);
  return answer;
}

bool
dae_algebra_rounding(DaeAlgebra *algebra, const DaeTerm *equations, uint32_t n,
                     const DaeTermPoint *point, double *errors)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, equations, n, NULL);
  arb_ptr at = _arb_vec_init((slong)point->n);
  arb_ptr values = _arb_vec_init(n);
  for (uint32_t j = 0; j < point->n; j++) {
    arb_set_d(at + j, point->values[j]);
  }
  DaeBallBinding binding = {.atoms = point->atoms, .values = at, .n = point->n};
  bool ok = dae_ball_eval_bound(algebra, plan, n, &binding, 53, values);
  for (uint32_t i = 0; i < n && ok; i++) {
    errors[i] = mag_get_d(arb_radref(values + i));
  }
  _arb_vec_clear(at, (slong)point->n);
  _arb_vec_clear(values, n);
  return ok;
}
