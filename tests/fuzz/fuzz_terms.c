/* Rewriting and the zero test on random terms: the bytes are a program for a stack machine that
 * builds terms, so that every input is a term. Claims, at two points each: rewriting and
 * simplifying keep the value where both sides can be evaluated; ZERO is never said of a term
 * with a value that is clearly not zero, NONZERO never of the difference of two forms of one
 * term; the derivative is the slope; the sign that is proved is that of the value; the
 * canonical form keeps its invariants. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "algebra/algebra.h"
#include "algebra/enclose.h"
#include "fuzz.h"
#include "pipeline/pipeline.h"

enum { N_SYMBOLS = 4, DEEPEST = 24 };

typedef struct {
  DaeTerms *terms;
  DaeTerm stack[DEEPEST];
  int depth;
  DaeTerm symbols[N_SYMBOLS];
} Machine;

static void
push(Machine *machine, DaeTerm t)
{
  if (t != DAE_NO_TERM && machine->depth < DEEPEST) {
    machine->stack[machine->depth++] = t;
  }
}

static DaeTerm
pop(Machine *machine)
{
  return machine->depth > 0 ? machine->stack[--machine->depth]
                            : dae_term_int(machine->terms, 1);
}

static void
binary(Machine *machine, int which)
{
  DaeTerms *terms = machine->terms;
  DaeTerm b = pop(machine);
  DaeTerm a = pop(machine);
  DaeTerm (*const operations[])(DaeTerms *, DaeTerm, DaeTerm) = {dae_term_add, dae_term_sub,
                                                                 dae_term_mul, dae_term_div};
  push(machine, operations[which](terms, a, b));
}

static void
step(Machine *machine, uint8_t code)
{
  DaeTerms *terms = machine->terms;
  if (code < 64) {
    push(machine, machine->symbols[code % N_SYMBOLS]);
  } else if (code < 112) {
    push(machine, dae_term_ratio(terms, (int64_t)(code % 12) - 5, code % 3 + 1));
  } else if (code < 176) {
    binary(machine, code % 4);
  } else if (code < 200) {
    push(machine, dae_term_pow_int(terms, pop(machine), (int64_t)(code % 5) - 1));
  } else if (code < 208) {
    push(machine, dae_term_sqrt(terms, pop(machine)));
  } else if (code < 212) {
    DaeTerm b = pop(machine);
    DaeTerm a = pop(machine);
    push(machine,
         dae_term_if(terms, dae_term_relation(terms, (DaeRelation)(code % 4), a, b), a, b));
  } else if (code <
             216) { /* the top twice: sums that cancel, squares, quotients of equal parts */
    DaeTerm a = pop(machine);
    push(machine, a);
    push(machine, a);
  } else if (code < 218) {
    push(machine,
         dae_term_pow(terms, pop(machine), dae_term_ratio(terms, 2 * (code % 2) + 1, 3)));
  } else if (code < 226) {
    static const DaeFunction two[] = {DAE_FN_ATAN2, DAE_FN_MIN, DAE_FN_MAX};
    DaeTerm b = pop(machine);
    DaeTerm a = pop(machine);
    push(machine, dae_term_call2(terms, two[code % 3], a, b));
  } else {
    DaeFunction function = (DaeFunction)((code - 226) % (DAE_FN_SIGN + 1));
    if (dae_function_arity_ok(function, 1)) {
      push(machine, dae_term_call1(terms, function, pop(machine)));
    }
  }
}

typedef struct {
  const Machine *machine;
  double values[N_SYMBOLS];
} Point;

static const double POINTS[][N_SYMBOLS] = {{0.7371, 1.9103, 0.3119, 2.4567},
                                           {-1.2683, 0.4219, -0.8731, 1.1177}};

static bool
atom_value(void *user, DaeTerm atom, double *value)
{
  const Point *point = user;
  for (int i = 0; i < N_SYMBOLS; i++) {
    if (point->machine->symbols[i] == atom) {
      *value = point->values[i];
      return true;
    }
  }
  return false;
}

/* False: outside the domain, or so large that rounding would hide what is asked. */
static bool
value_at(DaeTerms *terms, DaeTerm t, Point *point, double *value)
{
  return dae_term_eval_double(terms, t, atom_value, point, value) == DAE_EVAL_OK &&
         fabs(*value) < 1e6;
}

/* How far the value moves when the atoms move by some units in the last place of a
 * float: what rounding may do to it. */
static double
spread_at(DaeTerms *terms, DaeTerm t, const Point *point, double value)
{
  double spread = 0;
  for (int sign = -1; sign <= 1; sign += 2) {
    Point moved = *point;
    for (int i = 0; i < N_SYMBOLS; i++) {
      moved.values[i] *= 1 + sign * (1 + 0.3 * i) * 1e-7;
    }
    double there = 0;
    if (!value_at(terms, t, &moved, &there)) {
      return INFINITY;
    }
    spread = fmax(spread, fabs(there - value));
  }
  return spread;
}

/* Do they differ there also in balls of 100 digits? Floats lose 2^127 (1 - sign(y)), and the sign
 * of exp(-1000 y). */
static bool
differ_exactly(DaeAlgebra *algebra, DaeTerm t, DaeTerm form, const Point *point)
{
  DaeTerms *terms = dae_algebra_terms(algebra);
  g_autoptr(DaeSubst) values = dae_subst_new(terms);
  for (int i = 0; i < N_SYMBOLS; i++) {
    dae_subst_set(values, point->machine->symbols[i],
                  dae_term_from_double(terms, point->values[i]));
  }
  DaeTerm difference = dae_subst_apply(values, dae_term_sub(terms, t, form));
  DaeBallSize size;
  return difference != DAE_NO_TERM &&
         dae_algebra_constant_size(algebra, difference, 100, &size) && size.excludes_zero &&
         size.above > -6;
}

/* Two forms of one term have one value, wherever both have one and it does not hang on rounding. */
static void
check_same(DaeAlgebra *algebra, DaeTerm t, DaeTerm form, Point *point)
{
  DaeTerms *terms = dae_algebra_terms(algebra);
  double before = 0;
  double after = 0;
  if (form != DAE_NO_TERM && value_at(terms, t, point, &before) &&
      value_at(terms, form, point, &after)) {
    double spread = spread_at(terms, t, point, before) + spread_at(terms, form, point, after);
    DAE_ASSERT(spread > 1e-3 || fabs(before - after) <= 1e-4 * (1 + fabs(before)) + spread ||
               !differ_exactly(algebra, t, form, point));
  }
}

/* Has a part so huge that the others are lost beside it, as x in cos(x + 3^128)? */
static bool
has_huge_part(DaeTerms *terms, DaeTerm t, Point *point)
{
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  bool is_huge = false;
  g_array_append_val(open, t);
  for (guint i = 0; i < open->len && i < 1000 && !is_huge; i++) {
    DaeTerm part = g_array_index(open, DaeTerm, i);
    double value = 0;
    is_huge = dae_term_eval_double(terms, part, atom_value, point, &value) == DAE_EVAL_OK &&
              fabs(value) > 1e12;
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(terms, part, &n);
    g_array_append_vals(open, operands, n);
  }
  return is_huge;
}

/* The symbolic derivative lies between difference quotients of two widths that agree. */
static void
check_slope(DaeTerms *terms, DaeTerm t, Point *point, int of)
{
  DaeTerm derivative = dae_term_partial(terms, t, point->machine->symbols[of]);
  double slope = 0;
  if (derivative == DAE_NO_TERM || !value_at(terms, derivative, point, &slope)) {
    return;
  }
  double quotient[3];
  static const double widths[] = {1e-3, 1e-4, 3e-4};
  for (int k = 0; k < 3; k++) {
    Point left = *point;
    Point right = *point;
    left.values[of] -= widths[k];
    right.values[of] += widths[k];
    double a = 0;
    double b = 0;
    if (!value_at(terms, t, &left, &a) || !value_at(terms, t, &right, &b) || fabs(a) > 1e3) {
      return;
    }
    quotient[k] = (b - a) / (2 * widths[k]);
  }
  double agree = fmax(fabs(quotient[0] - quotient[1]), fabs(quotient[2] - quotient[1]));
  if (agree < 1e-4 * (1 + fabs(slope)) && spread_at(terms, derivative, point, slope) < 1e-3) {
    DAE_ASSERT(fabs(slope - quotient[1]) < 1e-2 * (1 + fabs(slope)) ||
               (quotient[1] == 0 && has_huge_part(terms, t, point)));
  }
}

/* Functions inside functions of mere numbers, the longest such chain in t: tan of tan of ... of
 * 1 is soon all rounding error in floats, and no symbol is there to be moved. A chain that
 * meets a symbol counts no further. */
typedef struct {
  uint32_t calls, most;
  bool has_symbol;
} Chain;

static Chain
chain_of_calls(DaeTerms *terms, DaeTerm t, GHashTable *seen)
{
  Chain *known = g_hash_table_lookup(seen, GUINT_TO_POINTER(t));
  if (known != NULL) {
    return *known;
  }
  DaeKind kind = dae_term_kind(terms, t);
  Chain chain = {.has_symbol = kind == DAE_KIND_PARAMETER || kind == DAE_KIND_VARIABLE};
  uint32_t n = 0;
  dae_term_operands(terms, t, &n);
  for (uint32_t i = 0; i < n; i++) {
    Chain part = chain_of_calls(terms, dae_term_operands(terms, t, &n)[i], seen);
    chain.calls = MAX(chain.calls, part.calls);
    chain.most = MAX(chain.most, part.most);
    chain.has_symbol = chain.has_symbol || part.has_symbol;
  }
  chain.calls = chain.has_symbol ? 0 : chain.calls + (kind == DAE_KIND_CALL);
  chain.most = MAX(chain.most, chain.calls);
  g_hash_table_insert(seen, GUINT_TO_POINTER(t), g_memdup2(&chain, sizeof chain));
  return chain;
}

static bool
floats_tell_the_sign(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GHashTable) seen = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  return chain_of_calls(terms, t, seen).most <= 4;
}

static bool
has_value_somewhere(DaeTerms *terms, DaeTerm t, Point *points)
{
  bool has_value = false;
  for (size_t i = 0; i < G_N_ELEMENTS(POINTS) && !has_value; i++) {
    double value = 0;
    has_value = dae_term_eval_double(terms, t, atom_value, &points[i], &value) == DAE_EVAL_OK;
  }
  return has_value;
}

static void
check_zero_test(DaeAlgebra *algebra, DaeTerm t, DaeTerm form, Point *points)
{
  DaeTerms *terms = dae_algebra_terms(algebra);
  DaeZero zero = dae_algebra_is_zero(algebra, t);
  for (size_t i = 0; i < G_N_ELEMENTS(POINTS) && zero == DAE_ZERO; i++) {
    double value = 0;
    if (value_at(terms, t, &points[i], &value)) {
      DAE_ASSERT(fabs(value) < 1e-3 || spread_at(terms, t, &points[i], value) > 1e-3 ||
                 !differ_exactly(algebra, t, dae_term_int(terms, 0), &points[i]));
    }
  }
  int sign = 0;
  if (dae_algebra_sign(algebra, t, &sign)) {
    /* of 1/sqrt(1/sin(0)), which has no value, everything may be said */
    DAE_ASSERT(sign == 0 || zero != DAE_ZERO || !has_value_somewhere(terms, t, points));
    double value = 0;
    if (floats_tell_the_sign(terms, t) && value_at(terms, t, &points[0], &value) &&
        fabs(value) > 1e-6 && spread_at(terms, t, &points[0], value) < 1e-7) {
      DAE_ASSERT((value > 0) - (value < 0) == sign ||
                 !differ_exactly(algebra, t, dae_term_int(terms, 0), &points[0]));
    }
  }
  if (form != DAE_NO_TERM) {
    DAE_ASSERT(dae_algebra_is_zero(algebra, dae_term_sub(terms, t, form)) != DAE_NONZERO);
  }
}

static void
check_term(Machine *machine, DaeTerm t, DaeBudget *budget)
{
  DaeTerms *terms = machine->terms;
  Point points[G_N_ELEMENTS(POINTS)];
  DaeTerm rewritten = dae_terms_rewrite(terms, t);
  g_autoptr(DaeAlgebra) algebra = dae_algebra_new(terms, budget);
  DaeTerm simplified = dae_algebra_simplify(algebra, t);
  DaeTerm numerator = DAE_NO_TERM;
  DaeTerm denominator = DAE_NO_TERM;
  DaeTerm fraction = dae_algebra_fraction(algebra, t, &numerator, &denominator)
                         ? dae_term_div(terms, numerator, denominator)
                         : DAE_NO_TERM;
  for (size_t i = 0; i < G_N_ELEMENTS(POINTS); i++) {
    points[i].machine = machine;
    memcpy(points[i].values, POINTS[i], sizeof POINTS[i]);
    check_same(algebra, t, rewritten, &points[i]);
    check_same(algebra, t, simplified, &points[i]);
    check_same(algebra, t, fraction, &points[i]);
    for (int of = 0; of < N_SYMBOLS; of++) {
      check_slope(terms, t, &points[i], of);
    }
  }
  check_zero_test(algebra, t, rewritten, points);
  check_zero_test(algebra, t, simplified, points);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size > 256) {
    return 0;
  }
  dae_init();
  g_autoptr(DaeBudget) budget = dae_budget_new(2, 5000);
  g_autoptr(DaeTerms) terms = dae_terms_new();
  Machine machine = {.terms = terms};
  static const char *const names[N_SYMBOLS] = {"x", "y", "z", "p"};
  for (int i = 0; i < N_SYMBOLS; i++) {
    DaeSymbolKind kind = i < 3 ? DAE_SYMBOL_VARIABLE : DAE_SYMBOL_PARAMETER;
    machine.symbols[i] = dae_term_symbol(terms, dae_terms_add_symbol(terms, kind, names[i]));
  }
  for (size_t i = 0; i < size; i++) {
    step(&machine, data[i]);
  }
  while (machine.depth > 0) {
    DaeTerm t = pop(&machine);
    if (dae_term_size(terms, t) < 60) {
      check_term(&machine, t, budget);
    }
  }
  g_autoptr(GString) why = g_string_new(NULL);
  if (dae_terms_count(terms) < 2000 && !dae_terms_check(terms, why)) {
    dae_internal_error("canonical form", 0, why->str);
  }
  return 0;
}
