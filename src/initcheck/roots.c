/* Polynomials in one unknown: coefficients, and whether there is a real zero at all. The number
 * of real zeros is the number of sign changes that Sturm's sequence loses between minus and
 * plus infinity, all in exact rationals. */
#include "initcheck/initcheck-priv.h"

/* Inside a function or a condition x makes no polynomial, although the derivative of a function
 * with jumps (floor, sign, if) may not contain x; and the derivatives of functions in each other
 * grow with every order. */
static bool
is_inside_function(DaeTerms *terms, DaeTerm t, DaeTerm x)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm at = dae_visit_next(visit); at != DAE_NO_TERM; at = dae_visit_next(visit)) {
    DaeKind kind = dae_term_kind(terms, at);
    if (kind != DAE_KIND_CALL && kind != DAE_KIND_RELATION) {
      dae_visit_enter(visit, at);
    } else if (dae_term_contains(terms, at, x)) {
      return true;
    }
  }
  return false;
}

int
ic_polynomial_coefficients(IcSystem *sys, DaeTerm t, DaeTerm x, DaeTerm *c)
{
  DaeTerm derivative = t;
  DaeTerm zero = dae_term_int(sys->terms, 0);
  int64_t factorial = 1;
  if (is_inside_function(sys->terms, t, x)) {
    return -1;
  }
  for (int k = 0; k <= IC_MAX_DEGREE; k++) {
    DaeTerm at_zero = dae_term_replace(sys->terms, derivative, x, zero);
    if (at_zero == DAE_NO_TERM) {
      return -1;
    }
    at_zero = dae_terms_rewrite(sys->terms, at_zero);
    c[k] = ic_tidy(sys, dae_term_div(sys->terms, at_zero, dae_term_int(sys->terms, factorial)));
    if (!dae_term_contains(sys->terms, derivative, x)) {
      while (k > 0 && dae_term_is_zero(sys->terms, c[k])) {
        k--; /* powers that cancel in a sum that was not expanded */
      }
      return k;
    }
    derivative = ic_tidy(sys, dae_term_partial(sys->terms, derivative, x));
    factorial *= k + 1;
  }
  return -1;
}

typedef struct {
  DaeTerm c[IC_MAX_DEGREE + 1]; /* rational numbers */
  int degree;                   /* -1: zero */
} Rational;

/* Minus the remainder of p by q, as in Sturm's sequence. */
static Rational
negative_remainder(DaeTerms *terms, const Rational *p, const Rational *q)
{
  Rational r = *p;
  while (r.degree >= q->degree) {
    DaeTerm factor = dae_term_div(terms, r.c[r.degree], q->c[q->degree]);
    for (int k = 0; k <= q->degree; k++) {
      DaeTerm *c = &r.c[r.degree - q->degree + k];
      *c = dae_term_sub(terms, *c, dae_term_mul(terms, factor, q->c[k]));
    }
    while (r.degree >= 0 && dae_term_is_zero(terms, r.c[r.degree])) {
      r.degree--;
    }
  }
  for (int k = 0; k <= r.degree; k++) {
    r.c[k] = dae_term_neg(terms, r.c[k]);
  }
  return r;
}

static Rational
derivative(DaeTerms *terms, const Rational *p)
{
  Rational d = {.degree = p->degree - 1};
  for (int k = 0; k <= d.degree; k++) {
    d.c[k] = dae_term_mul(terms, dae_term_int(terms, k + 1), p->c[k + 1]);
  }
  return d;
}

/* Number of different real zeros of p, of degree 1 or more. */
static int
count_real_zeros(DaeTerms *terms, const Rational *p)
{
  Rational before = *p;
  Rational now = derivative(terms, p);
  int at_plus = dae_term_sign(terms, p->c[p->degree]);
  int at_minus = p->degree % 2 == 0 ? at_plus : -at_plus;
  int lost = 0;
  while (now.degree >= 0) {
    int plus = dae_term_sign(terms, now.c[now.degree]);
    int minus = now.degree % 2 == 0 ? plus : -plus;
    lost += (minus != at_minus) - (plus != at_plus);
    at_plus = plus;
    at_minus = minus;
    Rational next = negative_remainder(terms, &before, &now);
    before = now;
    now = next;
  }
  return lost;
}

bool
ic_has_no_real_zero(IcSystem *sys, DaeTerm t)
{
  const GArray *inside = ic_unknowns_inside(sys, t);
  if (inside->len != 1 || dae_term_size(sys->terms, t) > 60) {
    return false;
  }
  DaeTerm atom =
      g_array_index(sys->unknowns, IcUnknown, g_array_index(inside, uint32_t, 0)).atom;
  Rational p = {.degree = -1};
  p.degree = ic_polynomial_coefficients(sys, t, atom, p.c);
  for (int k = 0; k <= p.degree; k++) {
    if (!dae_term_is_number(sys->terms, p.c[k])) {
      return false;
    }
  }
  while (p.degree >= 0 && dae_term_is_zero(sys->terms, p.c[p.degree])) {
    p.degree--;
  }
  return p.degree > 0 && p.degree % 2 == 0 && count_real_zeros(sys->terms, &p) == 0;
}
