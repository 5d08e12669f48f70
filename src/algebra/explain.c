/* One line of evidence for an answer of the zero test. */
#include "algebra/algebra-priv.h"

/* ---- exact values at small points -------------------------------------------------------- */

typedef struct {
  DaeAlgebra *algebra;
  uint32_t point;
} SmallPoint;

/* Small positive integers first, because they are easy to check by hand. */
static DaeTerm
small_value(void *user, DaeTerm atom)
{
  const SmallPoint *p = user;
  return dae_term_int(p->algebra->terms,
                      1 + (int64_t)(dae_atom_random(p->algebra->terms, atom, p->point) % 9));
}

static void
append_number(DaeAlgebra *algebra, DaeTerm number, GString *out)
{
  g_autofree char *text = dae_term_to_string(algebra->terms, number);
  g_string_append(out, text);
}

static void
append_point(DaeAlgebra *algebra, DaeTerm t, DaeAtomNumber value_of, void *user, GString *out)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  const char *separator = " at ";
  for (uint32_t i = 0; i < plan->n; i++) {
    if (!dae_term_is_atom(algebra->terms, plan->node[i])) {
      continue;
    }
    g_string_append(out, separator);
    append_number(algebra, plan->node[i], out);
    g_string_append(out, " = ");
    append_number(algebra, value_of(user, plan->node[i]), out);
    separator = ", ";
  }
}

static bool
explain_by_exact_value(DaeAlgebra *algebra, DaeTerm t, GString *out)
{
  for (uint32_t point = 1; point <= 12; point++) {
    SmallPoint at = {algebra, point};
    DaeTerm value = DAE_NO_TERM;
    if (dae_term_eval_exact(algebra->terms, t, small_value, &at, &value) == DAE_EVAL_OK &&
        dae_term_is_number(algebra->terms, value) && !dae_term_is_zero(algebra->terms, value)) {
      g_string_append(out, "value ");
      append_number(algebra, value, out);
      append_point(algebra, t, small_value, &at, out);
      return true;
    }
  }
  return false;
}

/* ---- balls ------------------------------------------------------------------------------- */

static DaeTerm
ball_point_value(void *user, DaeTerm atom)
{
  const SmallPoint *p = user;
  fmpq_t q;
  fmpq_init(q);
  dae_ball_atom_value(p->algebra, atom, p->point, q);
  DaeTerm t = dae_number_from_fmpq(p->algebra->terms, q);
  fmpq_clear(q);
  return t;
}

/* A power of ten below |ball|. */
static void
append_lower_bound(const arb_t ball, GString *out)
{
  arf_t low;
  fmpz_t exponent;
  arf_init(low);
  fmpz_init(exponent);
  arb_get_abs_lbound_arf(low, ball, 64);
  arf_abs_bound_lt_2exp_fmpz(exponent,
                             low); /* |low| < 2^exponent, so |low| >= 2^(exponent-1) */
  fmpz_sub_ui(exponent, exponent, 1);
  fmpz_t scaled;
  fmpz_init(scaled);
  /* floor(e * log10(2)) or one less: 30102/100000 from below for e >= 0, 30104/100000 for e < 0 */
  fmpz_mul_ui(scaled, exponent, fmpz_sgn(exponent) >= 0 ? 30102 : 30104);
  fmpz_fdiv_q_ui(scaled, scaled, 100000);
  char *text = fmpz_get_str(NULL, 10, scaled);
  g_string_append_printf(out, "|t| >= 1%s%s", fmpz_is_zero(scaled) ? "" : "e",
                         fmpz_is_zero(scaled) ? "" : text);
  flint_free(text);
  fmpz_clear(scaled);
  fmpz_clear(exponent);
  arf_clear(low);
}

static bool
explain_by_ball(DaeAlgebra *algebra, DaeTerm t, GString *out)
{
  g_autoptr(DaePlan) plan = dae_plan_new(algebra, &t, 1, NULL);
  arb_t ball;
  arb_init(ball);
  bool found = false;
  for (slong precision = 128; precision <= DAE_LIMIT_PRECISION && !found; precision *= 4) {
    for (uint32_t point = 0; point < 24 && !found; point++) {
      DaeBallPoint at = {point, precision};
      found = dae_ball_eval(algebra, plan, 1, at, ball) && !arb_contains_zero(ball);
      if (found) {
        SmallPoint where = {algebra, point};
        append_lower_bound(ball, out);
        append_point(algebra, t, ball_point_value, &where, out);
      }
    }
  }
  arb_clear(ball);
  return found;
}

char *
dae_algebra_explain_zero(DaeAlgebra *algebra, DaeTerm t)
{
  GString *out = g_string_new(NULL);
  switch (dae_algebra_is_zero(algebra, t)) {
  case DAE_ZERO:
    g_string_append(out, "normal form 0");
    break;
  case DAE_NONZERO:
    if (!explain_by_exact_value(algebra, t, out) && !explain_by_ball(algebra, t, out)) {
      g_string_append(out, "nonzero image modulo 2^61 - 1");
    }
    break;
  case DAE_UNKNOWN:
    g_string_append(out,
                    "undecided: no normal form 0 and no point with a provably nonzero value");
    break;
  }
  return g_string_free(out, FALSE);
}
