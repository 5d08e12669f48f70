/* Rational points that terms are evaluated at: numbered ones, and those near what is expected. */
#include "algebra/algebra-priv.h"

/* Ranges (in units of 1/4) that the numbered points take their values from. */
static const struct {
  int16_t low;
  int16_t high;
} point_range[] = {{2, 6},     {-8, 8},   {0, 4},  {4, 20},       {-4, 4},    {0, 1},
                   {40, 4000}, {-40, 40}, {1, 12}, {-4000, 4000}, {-4000, 0}, {3, 5}};

/* Discrete variables are mostly numbers of phases, gears, positions. */
static bool
is_discrete(const DaeAlgebra *algebra, DaeTerm atom)
{
  DaeKind kind = dae_term_kind(algebra->terms, atom);
  return (kind == DAE_KIND_PARAMETER || kind == DAE_KIND_VARIABLE) &&
         dae_terms_variability(algebra->terms, dae_term_get_symbol(algebra->terms, atom)) ==
             DAE_VARIABILITY_DISCRETE;
}

/* Up to a sixteenth beside the value that is expected. */
static bool
expected_value(DaeAlgebra *algebra, DaeTerm atom, uint32_t point, fmpq_t value)
{
  enum { PARTS = 4096 };

  if (point >= DAE_EXPECTED_POINT && is_discrete(algebra, atom)) {
    fmpq_set_si(value, (point - DAE_EXPECTED_POINT + 1) % DAE_EXPECTED_POINTS, 1);
    return true;
  }
  gpointer found = g_hash_table_lookup(algebra->expected, GUINT_TO_POINTER(atom));
  if (point < DAE_EXPECTED_POINT || found == NULL) {
    return false;
  }
  uint64_t share = 1 + dae_atom_random(algebra->terms, atom, point) % (PARTS / 16);
  fmpq_t factor;
  fmpq_init(factor);
  fmpq_set_si(factor, PARTS + (slong)share, PARTS);
  dae_number_get_fmpq(algebra->terms, GPOINTER_TO_UINT(found), value);
  fmpq_mul(value, value, factor);
  fmpq_clear(factor);
  return true;
}

void
dae_ball_atom_value(DaeAlgebra *algebra, DaeTerm atom, uint32_t point, fmpq_t value)
{
  enum { STEPS = 1021 };

  if (expected_value(algebra, atom, point, value)) {
    return;
  }

  uint32_t row = point % G_N_ELEMENTS(point_range);
  int64_t low = point_range[row].low;
  int64_t high = point_range[row].high;
  DaeKind kind = dae_term_kind(algebra->terms, atom);
  bool has_fact = kind == DAE_KIND_PARAMETER ||
                  (kind == DAE_KIND_VARIABLE && dae_term_order(algebra->terms, atom) == 0);
  bool positive = has_fact && dae_terms_assumed(algebra->terms,
                                                dae_term_get_symbol(algebra->terms, atom)) !=
                                  DAE_SIGN_UNKNOWN;
  int64_t step = 1 + (int64_t)(dae_atom_random(algebra->terms, atom, point) % (STEPS - 1));
  int64_t numerator = low * STEPS + (high - low) * step;
  if (positive) {
    numerator = ABS(numerator);
  }
  numerator += numerator == 0; /* a random point has no zero coordinate */
  fmpq_set_si(value, numerator, 4 * (ulong)STEPS);
}

double
dae_algebra_point_near_expected(DaeAlgebra *algebra, DaeTerm atom, uint32_t k)
{
  fmpq_t q;
  arf_t nearest;
  fmpq_init(q);
  arf_init(nearest);
  dae_ball_atom_value(algebra, atom, DAE_EXPECTED_POINT + k % DAE_EXPECTED_POINTS, q);
  arf_set_fmpz(nearest, fmpq_numref(q));
  arf_div_fmpz(nearest, nearest, fmpq_denref(q), 53, ARF_RND_NEAR);
  double value = arf_get_d(nearest, ARF_RND_NEAR);
  arf_clear(nearest);
  fmpq_clear(q);
  return value;
}

static bool
is_branch(DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  return kind == DAE_KIND_IF ||
         (kind == DAE_KIND_CALL && dae_term_function(terms, t) == DAE_FN_ROUTINE);
}

bool
dae_ball_tries_expected(const DaeAlgebra *algebra, const DaePlan *plan, bool is_defined)
{
  bool is_expected = false;
  bool has_branch = false;
  for (uint32_t i = 0; i < plan->n; i++) {
    is_expected = is_expected ||
                  g_hash_table_contains(algebra->expected, GUINT_TO_POINTER(plan->node[i]));
    has_branch = has_branch || is_branch(algebra->terms, plan->node[i]);
  }
  return is_expected && (has_branch || !is_defined);
}
