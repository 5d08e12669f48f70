/* How much of the value of a term in double precision may be rounding: each operation adds that of
 * its own result to what its operands bring, to first order. sin(1)^2 + cos(1)^2 - 1 is 2e-16, and
 * its rounding is as large. */
#include <float.h>
#include <math.h>

#include "base/functions.h"
#include "terms/terms.h"

typedef struct {
  double value, error; /* in units of DBL_EPSILON */
} Rounded;

typedef struct {
  DaeTerms *terms;
  DaeAtomValue atom;
  void *user;
  GHashTable *memo; /* term -> place in results + 1 */
  GArray *results;  /* Rounded */
} Rounding;

static Rounded
result_of(const Rounding *r, DaeTerm t)
{
  guint place = GPOINTER_TO_UINT(g_hash_table_lookup(r->memo, GUINT_TO_POINTER(t)));
  return g_array_index(r->results, Rounded, place - 1);
}

static Rounded
sum_of(const Rounding *r, const DaeTerm *operands, uint32_t n)
{
  Rounded sum = {0, 0};
  for (uint32_t i = 0; i < n; i++) {
    Rounded part = result_of(r, operands[i]);
    sum.value += part.value;
    sum.error += part.error + fabs(sum.value);
  }
  return sum;
}

static Rounded
product_of(const Rounding *r, const DaeTerm *operands, uint32_t n)
{
  Rounded product = {1, 0};
  for (uint32_t i = 0; i < n; i++) {
    Rounded factor = result_of(r, operands[i]);
    product.error = product.error * fabs(factor.value) + fabs(product.value) * factor.error;
    product.value *= factor.value;
    product.error += fabs(product.value);
  }
  return product;
}

/* The value moves as it does when one operand after the other moves by its error. */
static double
reach(double (*f)(const double *x), double *x, const Rounded *operand, uint32_t n, double value)
{
  double error = fabs(value);
  for (uint32_t i = 0; i < n; i++) {
    double step = operand[i].error * DBL_EPSILON;
    for (int side = -1; side <= 1 && step > 0; side += 2) {
      x[i] = operand[i].value + side * step;
      double moved = fabs(f(x) - value) / DBL_EPSILON;
      error += isnan(moved) ? INFINITY : moved;
    }
    x[i] = operand[i].value;
  }
  return error;
}

static double
power(const double *x)
{
  return pow(x[0], x[1]);
}

/* Of whatever else there is (conditions, data, routines) the value is taken as it is. */
static Rounded
value_as_it_is(const Rounding *r, DaeTerm t)
{
  Rounded result = {NAN, INFINITY};
  if (dae_term_eval_double(r->terms, t, r->atom, r->user, &result.value) == DAE_EVAL_OK) {
    bool is_exact =
        dae_term_is_number(r->terms, t) && dae_term_from_double(r->terms, result.value) == t;
    result.error = is_exact ? 0 : fabs(result.value);
  }
  return result;
}

static Rounded
operation_of(const Rounding *r, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(r->terms, t, &n);
  DaeKind kind = dae_term_kind(r->terms, t);
  double (*f)(const double *x) = kind == DAE_KIND_POWER ? power : NULL;
  if (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT) {
    return kind == DAE_KIND_SUM ? sum_of(r, operands, n) : product_of(r, operands, n);
  }
  if (kind == DAE_KIND_CALL) {
    const DaeFunctionFacts *facts = dae_function_facts(dae_term_function(r->terms, t));
    bool is_plain = facts->arity == n &&
                    (facts->kind == DAE_CLASS_ANALYTIC || facts->kind == DAE_CLASS_CHOICE);
    f = is_plain ? facts->value : NULL;
  }
  if (f == NULL || n == 0 || n > DAE_MOST_ARGUMENTS) {
    return value_as_it_is(r, t);
  }
  double x[DAE_MOST_ARGUMENTS] = {0};
  Rounded operand[DAE_MOST_ARGUMENTS];
  for (uint32_t i = 0; i < n; i++) {
    operand[i] = result_of(r, operands[i]);
    x[i] = operand[i].value;
  }
  Rounded result = {.value = f(x)};
  result.error = reach(f, x, operand, n, result.value);
  return result;
}

static bool
is_known(void *self, DaeTerm t)
{
  const Rounding *r = self;
  return g_hash_table_contains(r->memo, GUINT_TO_POINTER(t));
}

static const DaeTerm *
asked_operands(void *self, DaeTerm t, uint32_t *n)
{
  const Rounding *r = self;
  DaeKind kind = dae_term_kind(r->terms, t);
  const DaeTerm *operands = dae_term_operands(r->terms, t, n);
  bool is_operation = kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT ||
                      kind == DAE_KIND_POWER || kind == DAE_KIND_CALL;
  *n = is_operation ? *n : 0;
  return operands;
}

static void
compute(void *self, DaeTerm t)
{
  const Rounding *r = self;
  Rounded result = operation_of(r, t);
  g_array_append_val(r->results, result);
  g_hash_table_insert(r->memo, GUINT_TO_POINTER(t), GUINT_TO_POINTER(r->results->len));
}

bool
dae_term_eval_rounded(DaeTerms *terms, DaeTerm t, DaeAtomValue atom, void *user, double *value,
                      double *error)
{
  g_autoptr(GHashTable) memo = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) results = g_array_new(FALSE, FALSE, sizeof(Rounded));
  Rounding rounding = {terms, atom, user, memo, results};
  const DaeWalk walk = {
      .ready = is_known, .operands = asked_operands, .compute = compute, .self = &rounding};
  dae_walk(terms, t, &walk);
  Rounded result = result_of(&rounding, t);
  *value = result.value;
  *error = result.error * DBL_EPSILON;
  return isfinite(*value) && isfinite(*error);
}
