/* Rows with one unknown: polynomials of low degree, and functions that can be inverted. Where
 * there are several solutions the other rows of the same unknown are asked first, then the
 * guess (start value) chooses; the choice is a branch point that the search can come back to
 * (decide.c), and the proof says that it was made. */
#include <math.h>

#include "initcheck/initcheck-priv.h"

#define MAX_SOLUTIONS 4

typedef struct {
  DaeTerm residual[MAX_SOLUTIONS]; /* each: an equation residual = 0 that may replace the row */
  uint32_t n;
  bool decided;  /* false: this row cannot be treated here */
  DaeTerm angle; /* of sin, cos or tan: there are further solutions in other periods */
  const char *note;
} Solutions;

static void
add_solution(Solutions *found, DaeTerm residual)
{
  if (residual != DAE_NO_TERM && found->n < MAX_SOLUTIONS) {
    found->residual[found->n++] = residual;
  }
}

/* Real roots of c2 x^2 + c1 x + c0; *decided is false where the sign of
 * the discriminant is not known. */
static uint32_t
quadratic_roots(IcEngine *engine, const DaeTerm *c, DaeTerm *roots, bool *decided)
{
  IcSystem *sys = engine->sys;
  DaeTerms *terms = sys->terms;
  DaeTerm four_ac =
      dae_term_mul(terms, dae_term_int(terms, 4), dae_term_mul(terms, c[2], c[0]));
  DaeTerm discriminant =
      ic_tidy(sys, dae_term_sub(terms, dae_term_mul(terms, c[1], c[1]), four_ac));
  DaeTerm two_a = dae_term_mul(terms, dae_term_int(terms, 2), c[2]);
  int sign = 0;
  *decided = ic_sign_at_values(engine, discriminant, &sign);
  if (!*decided || sign < 0) {
    return 0;
  }
  DaeTerm minus_b = dae_term_neg(terms, c[1]);
  if (sign == 0) {
    roots[0] = ic_tidy(sys, dae_term_div(terms, minus_b, two_a));
    return 1;
  }
  DaeTerm root = dae_terms_rewrite(terms, dae_term_sqrt(terms, discriminant));
  roots[0] = ic_tidy(sys, dae_term_div(terms, dae_term_sub(terms, minus_b, root), two_a));
  roots[1] = ic_tidy(sys, dae_term_div(terms, dae_term_add(terms, minus_b, root), two_a));
  return 2;
}

/* a with a^n = v: residuals a - root. */
static void
invert_power(IcEngine *engine, DaeTerm a, int64_t n, DaeTerm v, Solutions *found)
{
  DaeTerms *terms = engine->sys->terms;
  int sign = 0;
  if (!ic_sign_at_values(engine, v, &sign)) {
    return;
  }
  found->decided = true;
  if (sign == 0) {
    add_solution(found, a);
    return;
  }
  bool is_even = n % 2 == 0;
  if (is_even && sign < 0) {
    return;
  }
  DaeTerm size = sign < 0 ? dae_term_neg(terms, v) : v;
  DaeTerm root =
      dae_terms_rewrite(terms, dae_term_pow(terms, size, dae_term_ratio(terms, 1, n)));
  DaeTerm plain = sign < 0 ? dae_term_neg(terms, root) : root;
  add_solution(found, dae_term_sub(terms, a, plain));
  if (is_even) {
    add_solution(found, dae_term_add(terms, a, root));
  }
}

/* base^exponent = v. */
static void
invert_power_node(IcEngine *engine, DaeTerm kernel, DaeTerm v, Solutions *found)
{
  IcSystem *sys = engine->sys;
  DaeTerms *terms = sys->terms;
  DaeTerm base = dae_term_operand(terms, kernel, 0);
  DaeTerm exponent = dae_term_operand(terms, kernel, 1);
  int64_t n = 0;
  int sign = 0;
  if (dae_term_get_int64(terms, exponent, &n)) {
    if (n > 0) {
      invert_power(engine, base, n, v, found);
    } else if (ic_sign_at_values(engine, v, &sign)) {
      found->decided = true;
      if (sign != 0) {
        ic_note_divided(engine, v);
        invert_power(engine, base, -n, dae_term_pow_int(terms, v, -1), found);
      }
    }
    return;
  }
  if (!ic_sign_at_values(engine, v, &sign)) {
    return;
  }
  if (!ic_has_unknown(sys, exponent)) { /* a root: its value is not negative */
    found->decided = true;
    if (sign > 0 || (sign == 0 && dae_term_is_number(terms, exponent) &&
                     dae_term_sign(terms, exponent) > 0)) {
      DaeTerm inverse = dae_term_pow_int(terms, exponent, -1);
      ic_note_divided(engine, exponent);
      if (!dae_term_is_number(terms, exponent) || dae_term_sign(terms, exponent) < 0) {
        ic_note_divided(engine, v);
      }
      add_solution(found, dae_term_sub(terms, base, dae_term_pow(terms, v, inverse)));
    }
    return;
  }
  int base_sign = 0;
  if (!ic_has_unknown(sys, base) && ic_sign_at_values(engine, base, &base_sign) &&
      base_sign > 0) {
    found->decided = true;
    if (sign > 0) {
      DaeTerm divisor = dae_term_call1(terms, DAE_FN_LOG, base);
      DaeTerm value = dae_term_div(terms, dae_term_call1(terms, DAE_FN_LOG, v), divisor);
      ic_note_divided(engine, divisor);
      ic_note_divided(engine, base); /* positive, and not 0 for other values either */
      ic_note_divided(engine, v);
      found->decided = value != DAE_NO_TERM;
      add_solution(found, value == DAE_NO_TERM ? value : dae_term_sub(terms, exponent, value));
    }
  }
}

/* The member of first + k*period (k integer) that is nearest to the guess of a. */
static DaeTerm
nearest_period(IcEngine *engine, DaeTerm a, DaeTerm first, DaeTerm period)
{
  IcSystem *sys = engine->sys;
  double guess = 0.0;
  double value = 0.0;
  double step = 0.0;
  if (!ic_numeric_value(sys, a, &guess) || !ic_numeric_value(sys, first, &value) ||
      !ic_numeric_value(sys, period, &step)) {
    return first;
  }
  double k = round((guess - value) / step);
  if (!isfinite(k) || fabs(k) > 1e6 || k == 0.0) {
    return first;
  }
  DaeTerm shift = dae_term_mul(sys->terms, dae_term_int(sys->terms, (int64_t)k), period);
  return dae_term_add(sys->terms, first, shift);
}

static void
invert_circular(IcEngine *engine, DaeFunction function, DaeTerm a, DaeTerm v, Solutions *found)
{
  DaeTerms *terms = engine->sys->terms;
  DaeTerm pi = dae_term_pi(terms);
  DaeTerm two_pi = dae_term_mul(terms, dae_term_int(terms, 2), pi);
  found->angle = a;
  if (function == DAE_FN_TAN) {
    DaeTerm first = dae_terms_rewrite(terms, dae_term_call1(terms, DAE_FN_ATAN, v));
    found->decided = true;
    add_solution(found, dae_term_sub(terms, a, nearest_period(engine, a, first, pi)));
    return;
  }
  int sign = 0;
  DaeTerm outside = dae_term_sub(terms, dae_term_mul(terms, v, v), dae_term_int(terms, 1));
  if (!ic_sign_at_values(engine, outside, &sign)) {
    return;
  }
  found->decided = true;
  if (sign > 0) {
    return;
  }
  DaeFunction inverse = function == DAE_FN_SIN ? DAE_FN_ASIN : DAE_FN_ACOS;
  DaeTerm first = dae_terms_rewrite(terms, dae_term_call1(terms, inverse, v));
  DaeTerm second =
      function == DAE_FN_SIN ? dae_term_sub(terms, pi, first) : dae_term_neg(terms, first);
  add_solution(found, dae_term_sub(terms, a, nearest_period(engine, a, first, two_pi)));
  if (sign < 0) {
    add_solution(found, dae_term_sub(terms, a, nearest_period(engine, a, second, two_pi)));
  }
}

static void
invert_monotone(IcEngine *engine, DaeTerm a, DaeFunction inverse, DaeTerm v, Solutions *found)
{
  DaeTerms *terms = engine->sys->terms;
  DaeTerm value = dae_terms_rewrite(terms, dae_term_call1(terms, inverse, v));
  found->decided = true;
  add_solution(found, dae_term_sub(terms, a, value));
}

/* asin(a) = v, acos(a) = v, atan(a) = v have solutions only for v within the values of these
 * functions: at the given parameter values, and for all of them? */
static void
invert_angle(IcEngine *engine, DaeFunction function, DaeTerm a, DaeTerm v, Solutions *found)
{
  const DaeFunction inverse = function == DAE_FN_ATAN   ? DAE_FN_TAN
                              : function == DAE_FN_ASIN ? DAE_FN_SIN
                                                        : DAE_FN_COS;
  bool is_taken = false;
  found->decided = ic_takes_value(engine, function, v, &is_taken);
  if (found->decided && is_taken) {
    invert_monotone(engine, a, inverse, v, found);
  }
}

/* tanh(a) = v: a = log((1 + v)/(1 - v))/2, -1 < v < 1. */
static void
invert_tanh(IcEngine *engine, DaeTerm a, DaeTerm v, Solutions *found)
{
  DaeTerms *terms = engine->sys->terms;
  DaeTerm one = dae_term_int(terms, 1);
  DaeTerm ratio = dae_term_div(terms, dae_term_add(terms, one, v), dae_term_sub(terms, one, v));
  bool is_taken = false;
  found->decided =
      ic_takes_value(engine, DAE_FN_TANH, v, &is_taken) && !(is_taken && ratio == DAE_NO_TERM);
  if (found->decided && is_taken) {
    ic_note_divided(engine, dae_term_sub(terms, one, dae_term_mul(terms, v, v)));
    DaeTerm twice = dae_terms_rewrite(terms, dae_term_call1(terms, DAE_FN_LOG, ratio));
    add_solution(found,
                 dae_term_sub(terms, a, dae_term_div(terms, twice, dae_term_int(terms, 2))));
  }
}

static void
invert_call(IcEngine *engine, DaeTerm kernel, DaeTerm v, Solutions *found)
{
  DaeTerms *terms = engine->sys->terms;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, kernel, &n);
  DaeFunction function = dae_term_function(terms, kernel);
  int sign = 0;
  if (n != 1) {
    return;
  }
  if (dae_function_facts(function)->is_circular) {
    invert_circular(engine, function, operands[0], v, found);
  } else if (function == DAE_FN_EXP && ic_sign_at_values(engine, v, &sign)) {
    found->decided = true;
    if (sign > 0) {
      ic_note_divided(engine, v); /* a^2 is positive where a is not 0 */
      invert_monotone(engine, operands[0], DAE_FN_LOG, v, found);
    }
  } else if (function == DAE_FN_LOG) {
    invert_monotone(engine, operands[0], DAE_FN_EXP, v, found);
  } else if (function == DAE_FN_LOG10) {
    found->decided = true;
    DaeTerm power = dae_term_pow(terms, dae_term_int(terms, 10), v);
    add_solution(found, dae_term_sub(terms, operands[0], power));
  } else if (function == DAE_FN_ABS && ic_sign_at_values(engine, v, &sign)) {
    found->decided = true;
    if (sign >= 0) {
      add_solution(found, dae_term_sub(terms, operands[0], v));
    }
    if (sign > 0) {
      add_solution(found, dae_term_add(terms, operands[0], v));
    }
  } else if (function == DAE_FN_TANH) {
    invert_tanh(engine, operands[0], v, found);
  } else if (function == DAE_FN_SINH) {
    DaeTerm root = dae_term_sqrt(
        terms, dae_term_add(terms, dae_term_mul(terms, v, v), dae_term_int(terms, 1)));
    invert_monotone(engine, operands[0], DAE_FN_LOG, dae_term_add(terms, v, root), found);
  } else if (function == DAE_FN_ATAN || function == DAE_FN_ASIN || function == DAE_FN_ACOS) {
    invert_angle(engine, function, operands[0], v, found);
  }
}

static void
invert_kernel(IcEngine *engine, DaeTerm kernel, DaeTerm v, Solutions *found)
{
  DaeKind kind = dae_term_kind(engine->sys->terms, kernel);
  if (kind == DAE_KIND_POWER) {
    invert_power_node(engine, kernel, v, found);
  } else if (kind == DAE_KIND_CALL) {
    invert_call(engine, kernel, v, found);
  } else if (kind == DAE_KIND_VARIABLE || kind == DAE_KIND_PARAMETER) {
    found->decided = true;
    add_solution(found, dae_term_sub(engine->sys->terms, kernel, v));
  }
  if (found->n > 1) {
    found->note = "branch chosen by the guess";
  }
}

/* Polynomial in `kernel`, which stands in t as `symbol`: values of the
 * kernel, then of what is inside. */
static void
solve_polynomial(IcEngine *engine, DaeTerm t, DaeTerm symbol, DaeTerm kernel, Solutions *found)
{
  IcSystem *sys = engine->sys;
  DaeTerms *terms = sys->terms;
  DaeTerm c[IC_MAX_DEGREE + 1];
  int degree = ic_polynomial_coefficients(sys, t, symbol, c);
  while (degree > 0 && ic_zero_at_values(sys, c[degree]) == DAE_ZERO) {
    degree--;
  }
  if (degree <= 0 || ic_zero_at_values(sys, c[degree]) != DAE_NONZERO) {
    return;
  }
  ic_note_divided(engine, c[degree]);
  int step = 0; /* common divisor of the exponents: a polynomial in symbol^step */
  for (int k = 1; k <= degree; k++) {
    if (!dae_term_is_zero(terms, c[k])) {
      int a = step;
      int b = k;
      while (b != 0) {
        int r = a % b;
        a = b;
        b = r;
      }
      step = a;
    }
  }
  if (degree == step) {
    DaeTerm v = ic_tidy(sys, dae_term_div(terms, dae_term_neg(terms, c[0]), c[degree]));
    if (degree == 1) {
      invert_kernel(engine, kernel, v, found);
    } else {
      invert_power(engine, kernel, degree, v, found);
      found->note = found->n > 1 ? "branch chosen by the guess" : NULL;
    }
    return;
  }
  if (degree == 2 * step) {
    DaeTerm quadratic[3] = {c[0], c[step], c[degree]};
    DaeTerm roots[2];
    uint32_t n = quadratic_roots(engine, quadratic, roots, &found->decided);
    DaeTerm power = step == 1 ? kernel : dae_term_pow_int(terms, kernel, step);
    for (uint32_t i = 0; i < n; i++) {
      add_solution(found, dae_term_sub(terms, power, roots[i]));
    }
    found->note = n > 1 ? "branch chosen by the guess" : NULL;
  }
}

/* The one nonlinear node through which z enters t; DAE_NO_TERM if there are several. */
static DaeTerm
only_kernel(IcSystem *sys, DaeTerm t, DaeTerm atom)
{
  DaeTerm kernel = DAE_NO_TERM;
  g_autoptr(DaeVisit) visit = dae_visit_new(sys->terms, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    if (!dae_term_contains(sys->terms, node, atom)) {
      continue;
    }
    DaeKind kind = dae_term_kind(sys->terms, node);
    int64_t exponent = 0;
    bool through =
        kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT ||
        (kind == DAE_KIND_POWER &&
         dae_term_get_int64(sys->terms, dae_term_operand(sys->terms, node, 1), &exponent));
    if (through) {
      dae_visit_enter(visit, node);
    } else if (kernel == DAE_NO_TERM || kernel == node) {
      kernel = node;
    } else {
      return DAE_NO_TERM;
    }
  }
  return kernel;
}

static void
solve_row(IcEngine *engine, DaeTerm t, uint32_t z, Solutions *found)
{
  IcSystem *sys = engine->sys;
  DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
  DaeTerm kernel = only_kernel(sys, t, atom);
  DaeTerm numerator = DAE_NO_TERM;
  DaeTerm denominator = DAE_NO_TERM;
  if (kernel == DAE_NO_TERM) {
    return;
  }
  /* time was put in everywhere, so its symbol is free to stand for the kernel */
  DaeTerm symbol = dae_term_time(sys->terms);
  DaeTerm replaced = dae_term_replace(sys->terms, t, kernel, symbol);
  if (replaced == DAE_NO_TERM || dae_term_contains(sys->terms, replaced, atom) ||
      !dae_algebra_fraction(sys->algebra, replaced, &numerator, &denominator)) {
    return;
  }
  solve_polynomial(engine, numerator, symbol, kernel, found);
}

/* Does putting the solution into the other rows of z alone contradict one of them? */
static bool
contradicts_other_row(IcEngine *engine, uint32_t r, uint32_t z, DaeTerm residual)
{
  IcSystem *sys = engine->sys;
  DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, z).atom;
  DaeTerm value = dae_term_sub(sys->terms, atom, residual);
  const GArray *column = engine->columns[z];
  if (dae_term_contains(sys->terms, value, atom)) {
    return false;
  }
  for (guint i = 0; column != NULL && i < column->len; i++) {
    uint32_t other = g_array_index(column, uint32_t, i);
    IcRow *row = ic_engine_row(engine, other);
    if (other == r || row->state != IC_ROW_ACTIVE) {
      continue;
    }
    DaeTerm t = ic_form_term(sys, &row->form);
    if (ic_unknowns_inside(sys, t)->len != 1) {
      continue;
    }
    DaeTerm at = dae_term_replace(sys->terms, t, atom, value);
    if (at == DAE_NO_TERM ||
        ic_zero_at_values(sys, dae_terms_rewrite(sys->terms, at)) == DAE_NONZERO) {
      return true;
    }
  }
  return false;
}

/* Which alternative is nearest to the guess: the smallest residual there. */
static uint32_t
nearest_to_guess(IcEngine *engine, const Solutions *found)
{
  uint32_t best = 0;
  double best_size = INFINITY;
  for (uint32_t i = 0; i < found->n; i++) {
    double size = INFINITY;
    if (ic_numeric_value(engine->sys, found->residual[i], &size) && fabs(size) < best_size) {
      best_size = fabs(size);
      best = i;
    }
  }
  return best;
}

/* The alternative to try first: one that no other row of the unknown contradicts, the
 * nearest to the guess of those. */
static uint32_t
most_promising(IcEngine *engine, uint32_t r, uint32_t z, const Solutions *found)
{
  Solutions kept = *found;
  uint32_t place[MAX_SOLUTIONS] = {0};
  kept.n = 0;
  for (uint32_t i = 0; i < found->n; i++) {
    if (!contradicts_other_row(engine, r, z, found->residual[i])) {
      place[kept.n] = i;
      kept.residual[kept.n++] = found->residual[i];
    }
  }
  return kept.n > 0 ? place[nearest_to_guess(engine, &kept)] : nearest_to_guess(engine, found);
}

static bool
treat_row(IcEngine *engine, uint32_t r, DaeTerm t, uint32_t z)
{
  IcSystem *sys = engine->sys;
  Solutions found = {.n = 0};
  solve_row(engine, t, z, &found);
  if (!found.decided) {
    return false;
  }
  DaeTerm zero = dae_term_int(sys->terms, 0);
  if (found.n == 0) {
    DaeTerm value = ic_at_values(sys, t);
    IcRow *row = ic_engine_row(engine, r);
    row->state = IC_ROW_CONFLICT;
    row->takes_unknown = true;
    row->residual = ic_tidy(sys, value == DAE_NO_TERM ? t : value);
    uint32_t line = ic_engine_log(engine, r, IC_LINE_END, zero, row->residual);
    ic_engine_line(engine, line)->note = "no real solution";
    return true;
  }
  bool is_partial =
      found.angle != DAE_NO_TERM && !ic_one_period_is_enough(engine, z, found.angle);
  bool several = found.n > 1 || found.angle != DAE_NO_TERM;
  uint32_t first = found.n > 1 ? most_promising(engine, r, z, &found) : 0;
  uint32_t line =
      ic_engine_log(engine, r, several ? IC_LINE_BRANCH : IC_LINE_SCALE, zero, zero);
  uint32_t chosen = 0;
  if (is_partial) {
    chosen = ic_engine_choose_of_many(engine, line, found.n, first);
  } else if (several) {
    chosen = ic_engine_choose(engine, line, found.n, first);
  }
  ic_engine_line(engine, line)->lhs = found.residual[chosen];
  ic_engine_line(engine, line)->note = several ? "branch chosen by the guess" : NULL;
  if (ic_engine_set_residual(engine, r, found.residual[chosen])) {
    ic_engine_touch(engine, r);
  }
  return true;
}

/* A value that a row gives by itself goes first: put into the others it makes them shorter,
 * while an unknown that is expressed by others makes them longer. */
bool
ic_single_step(IcEngine *engine)
{
  uint32_t r = ic_queue_next(engine, IC_STAGE_SINGLE);
  for (; r != IC_NONE; r = ic_queue_next(engine, IC_STAGE_SINGLE)) {
    const IcRow *row = ic_engine_row(engine, r);
    DaeTerm t = ic_form_term(engine->sys, &row->form);
    const GArray *inside = ic_unknowns_inside(engine->sys, t);
    if (inside->len != 1 || row->passive) {
      continue;
    }
    if (ic_look_at_row(engine, r) ||
        treat_row(engine, r, t, g_array_index(inside, uint32_t, 0))) {
      return true;
    }
  }
  return false;
}

/* c*f(u) + d = 0 with several unknowns in u and none elsewhere: u =
 * f^-1(-d/c) where f is one-to-one. */
static bool
undo_function(IcEngine *engine, uint32_t r)
{
  IcSystem *sys = engine->sys;
  const IcRow *row = ic_engine_row(engine, r);
  if (row->form.entries->len > 0 || row->form.leaves->len != 1) {
    return false;
  }
  IcLeaf leaf = g_array_index(row->form.leaves, IcLeaf, 0);
  DaeKind kind = dae_term_kind(sys->terms, leaf.leaf);
  if ((kind != DAE_KIND_CALL && kind != DAE_KIND_POWER) ||
      ic_zero_at_values(sys, leaf.c) != DAE_NONZERO) {
    return false;
  }
  ic_note_divided(engine, leaf.c);
  DaeTerm v = dae_term_div(sys->terms, dae_term_neg(sys->terms, row->form.rest), leaf.c);
  Solutions found = {.n = 0};
  invert_kernel(engine, leaf.leaf, ic_tidy(sys, v), &found);
  if (!found.decided || found.n != 1 || found.angle != DAE_NO_TERM) {
    return false;
  }
  ic_engine_log(engine, r, IC_LINE_SCALE, found.residual[0], dae_term_int(sys->terms, 0));
  if (ic_engine_set_residual(engine, r, found.residual[0])) {
    ic_engine_touch(engine, r);
  }
  return true;
}

bool
ic_univariate_step(IcEngine *engine)
{
  uint32_t r = ic_queue_next(engine, IC_STAGE_UNIVARIATE);
  for (; r != IC_NONE; r = ic_queue_next(engine, IC_STAGE_UNIVARIATE)) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->passive) {
      continue;
    }
    DaeTerm t = ic_form_term(engine->sys, &row->form);
    const GArray *inside = ic_unknowns_inside(engine->sys, t);
    if (inside->len == 1 && treat_row(engine, r, t, g_array_index(inside, uint32_t, 0))) {
      return true;
    }
    if (inside->len > 1 && undo_function(engine, r)) {
      return true;
    }
  }
  return false;
}
