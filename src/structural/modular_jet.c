/* Series of terms modulo the prime: the coefficient of t^q of f(x(t), x'(t), ..., t) is
 * f^(q)/q!, found without the terms of the derivatives, as Taylor methods do
 * [NedialkovPryce07, section 2]. */
#include <string.h>

#include "base/base.h"
#include "structural/modular.h"

enum { SHORT = 8 };

struct DaeModJets {
  DaeModSeries series;
  DaeTerms *terms;
  DaeModPoint *numbers; /* numbers and closed values of parameters */
  uint32_t n_terms;     /* the arrays reach up to there */
  uint32_t *stamp, *place;
  uint32_t now;
  uint8_t *is_constant; /* numbers and parameters whose value is in `constant` */
  uint64_t *constant;
  uint64_t *values; /* jets of the evaluation under way */
  uint32_t n_values, values_room;
  DaeTerm *stack;
  uint32_t n_stack, stack_room;
};

DaeModJets *
dae_mod_jets_new(const DaeModSeries *series)
{
  DaeModJets *jets = g_new0(DaeModJets, 1);
  jets->series = *series;
  jets->terms = series->sig->terms;
  jets->numbers = dae_mod_point_new(jets->terms, 1);
  jets->n_terms = dae_terms_count(jets->terms) + 1;
  jets->stamp = g_new0(uint32_t, jets->n_terms);
  jets->place = g_new0(uint32_t, jets->n_terms);
  jets->is_constant = g_new0(uint8_t, jets->n_terms);
  jets->constant = g_new0(uint64_t, jets->n_terms);
  return jets;
}

void
dae_mod_jets_free(DaeModJets *jets)
{
  dae_mod_point_free(jets->numbers);
  g_free(jets->stamp);
  g_free(jets->place);
  g_free(jets->is_constant);
  g_free(jets->constant);
  g_free(jets->values);
  g_free(jets->stack);
  g_free(jets);
}

static uint64_t *
jet_at(DaeModJets *jets, uint32_t place)
{
  return &jets->values[place];
}

/* A new jet of n zeros. */
static uint32_t
new_jet(DaeModJets *jets, uint32_t n)
{
  uint32_t place = jets->n_values;
  jets->n_values += n;
  if (jets->n_values > jets->values_room) {
    jets->values_room = 2 * jets->n_values;
    jets->values = g_renew(uint64_t, jets->values, jets->values_room);
  }
  memset(jets->values + place, 0, sizeof(uint64_t) * n);
  return place;
}

static void
push(DaeModJets *jets, DaeTerm t)
{
  if (jets->n_stack == jets->stack_room) {
    jets->stack_room = 2 * jets->stack_room + 64;
    jets->stack = g_renew(DaeTerm, jets->stack, jets->stack_room);
  }
  jets->stack[jets->n_stack++] = t;
}

/* Values of parameters that changed the number of terms may be new: the arrays grow. */
static void
reserve(DaeModJets *jets)
{
  uint32_t n = dae_terms_count(jets->terms) + 1;
  if (n > jets->n_terms) {
    n += n / 8; /* some room */
    jets->stamp = g_renew(uint32_t, jets->stamp, n);
    jets->place = g_renew(uint32_t, jets->place, n);
    jets->is_constant = g_renew(uint8_t, jets->is_constant, n);
    jets->constant = g_renew(uint64_t, jets->constant, n);
    memset(jets->stamp + jets->n_terms, 0, sizeof(uint32_t) * (n - jets->n_terms));
    memset(jets->is_constant + jets->n_terms, 0, n - jets->n_terms);
    jets->n_terms = n;
  }
}

static bool
set_number(DaeModJets *jets, DaeTerm t, uint64_t *out)
{
  int64_t small = 0;
  if (dae_term_get_int64(jets->terms, t, &small)) {
    uint64_t size = small < 0 ? -(uint64_t)small : (uint64_t)small;
    *out = small < 0 ? dae_mod_neg(size % DAE_PRIME) : size % DAE_PRIME;
    return true;
  }
  return dae_mod_point_eval(jets->numbers, t, out);
}

static bool
set_parameter(DaeModJets *jets, DaeTerm t, uint64_t *out)
{
  DaeTerm value = dae_sig_at_values(jets->series.sig, t);
  bool is_exact = value != DAE_NO_TERM && dae_mod_point_eval(jets->numbers, value, out);
  reserve(jets);
  return is_exact;
}

static bool
set_constant(DaeModJets *jets, DaeTerm t, DaeKind kind, uint64_t *out)
{
  if (jets->is_constant[t] != 0) {
    *out = jets->constant[t];
    return true;
  }
  bool ok = kind == DAE_KIND_NUMBER ? set_number(jets, t, out) : set_parameter(jets, t, out);
  jets->is_constant[t] = ok;
  jets->constant[t] = *out;
  return ok;
}

/* Coefficient m of x^(s) is a_(m+s) (m+s)!/m!. */
static bool
set_variable(DaeModJets *jets, DaeTerm t, uint32_t n, uint64_t *out)
{
  uint32_t j = 0;
  uint32_t order = dae_term_order(jets->terms, t);
  if (!dae_model_find_variable(jets->series.sig->model, dae_term_get_symbol(jets->terms, t),
                               &j)) {
    return false;
  }
  size_t first = jets->series.first[j];
  size_t length = jets->series.first[j + 1] - first;
  for (uint32_t m = 0; m < n; m++) {
    uint64_t value = m + order < length ? jets->series.coefficients[first + m + order] : 0;
    for (uint32_t k = m + 1; k <= m + order; k++) {
      value = dae_mod_mul(value, k);
    }
    out[m] = value;
  }
  return true;
}

static void
multiply(const uint64_t *a, const uint64_t *b, uint32_t n, uint64_t *out)
{
  for (uint32_t m = n; m-- > 0;) { /* from the last: out may be a */
    uint64_t sum = 0;
    for (uint32_t k = 0; k <= m; k++) {
      sum = dae_mod_add(sum, dae_mod_mul(a[k], b[m - k]));
    }
    out[m] = sum;
  }
}

static bool
invert(const uint64_t *a, uint32_t n, uint64_t *out)
{
  if (a[0] == 0) {
    return false;
  }
  uint64_t inverse = dae_mod_inverse(a[0]);
  for (uint32_t m = 0; m < n; m++) {
    uint64_t sum = m == 0 ? 1 : 0;
    for (uint32_t k = 1; k <= m; k++) {
      sum = dae_mod_add(sum, dae_mod_neg(dae_mod_mul(a[k], out[m - k])));
    }
    out[m] = dae_mod_mul(sum, inverse);
  }
  return true;
}

static bool
root(const uint64_t *a, uint32_t n, uint64_t *out)
{
  uint64_t s = dae_mod_power(a[0], (DAE_PRIME + 1) / 4); /* the prime is 3 modulo 4 */
  if (a[0] == 0 || dae_mod_mul(s, s) != a[0]) {
    return false;
  }
  uint64_t inverse = dae_mod_inverse(dae_mod_add(s, s));
  out[0] = s;
  for (uint32_t m = 1; m < n; m++) {
    uint64_t sum = a[m];
    for (uint32_t k = 1; k < m; k++) {
      sum = dae_mod_add(sum, dae_mod_neg(dae_mod_mul(out[k], out[m - k])));
    }
    out[m] = dae_mod_mul(sum, inverse);
  }
  return true;
}

static bool
set_power(DaeModJets *jets, DaeTerm t, const uint64_t *base, uint32_t n, uint64_t *out)
{
  DaeTerm exponent = dae_term_operand(jets->terms, t, 1);
  int64_t e = 0;
  if (n <= SHORT && dae_term_get_int64(jets->terms, exponent, &e) &&
      e == 2) { /* the most common one */
    multiply(base, base, n, out);
    return true;
  }
  g_autofree uint64_t *b = g_memdup2(base, sizeof(uint64_t) * n);
  g_autofree uint64_t *r = g_new0(uint64_t, n);
  if (!dae_term_is_number(jets->terms, exponent)) {
    return false;
  }
  if (!dae_term_get_int64(jets->terms, exponent, &e)) {
    if (!dae_term_get_int64(jets->terms, dae_term_add(jets->terms, exponent, exponent), &e) ||
        !root(base, n, b)) {
      return false;
    }
    reserve(jets);
  }
  uint64_t size = e < 0 ? -(uint64_t)e : (uint64_t)e;
  r[0] = 1;
  for (; size > 0; size >>= 1) {
    if ((size & 1) != 0) {
      multiply(r, b, n, r);
    }
    multiply(b, b, n, b);
  }
  if (e < 0) {
    return invert(r, n, out);
  }
  memcpy(out, r, sizeof(uint64_t) * n);
  return true;
}

static bool
set_call(DaeModJets *jets, DaeTerm t, uint32_t n, uint64_t *out)
{
  DaeFunction function = dae_term_function(jets->terms, t);
  uint32_t n_operands = 0;
  const DaeTerm *operands = dae_term_operands(jets->terms, t, &n_operands);
  if (function == DAE_FN_PI) { /* transcendental: as good as any number */
    return dae_mod_point_eval(jets->numbers, t, out);
  }
  const DaeFunctionFacts *facts = dae_function_facts(function);
  if (facts->kind != DAE_CLASS_MARK) {
    return false;
  }
  DaeTerm inner = operands[facts->value_operand];
  memcpy(out, jet_at(jets, jets->place[inner]), sizeof(uint64_t) * n);
  return true;
}

/* The jet of a term whose operands have theirs. */
static bool
combine(DaeModJets *jets, DaeTerm t, uint32_t n, uint64_t *out)
{
  DaeKind kind = dae_term_kind(jets->terms, t);
  uint32_t n_operands = 0;
  const DaeTerm *operands = dae_term_operands(jets->terms, t, &n_operands);
  switch (kind) {
  case DAE_KIND_NUMBER:
  case DAE_KIND_PARAMETER:
    return set_constant(jets, t, kind, out);
  case DAE_KIND_TIME:
    out[0] = jets->series.time;
    if (n > 1) {
      out[1] = 1;
    }
    return true;
  case DAE_KIND_VARIABLE:
    return set_variable(jets, t, n, out);
  case DAE_KIND_POWER:
    return set_power(jets, t, jet_at(jets, jets->place[operands[0]]), n, out);
  case DAE_KIND_CALL:
    return set_call(jets, t, n, out);
  case DAE_KIND_SUM:
    for (uint32_t k = 0; k < n_operands; k++) {
      const uint64_t *a = jet_at(jets, jets->place[operands[k]]);
      for (uint32_t m = 0; m < n; m++) {
        out[m] = dae_mod_add(out[m], a[m]);
      }
    }
    return true;
  case DAE_KIND_PRODUCT:
    memcpy(out, jet_at(jets, jets->place[operands[0]]), sizeof(uint64_t) * n);
    for (uint32_t k = 1; k < n_operands; k++) {
      multiply(out, jet_at(jets, jets->place[operands[k]]), n, out);
    }
    return true;
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_IF:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    break;
  }
  return false;
}

/* All at once: a sum of many operands is looked at twice, not once for each. */
static bool
push_missing_operands(DaeModJets *jets, DaeTerm t)
{
  uint32_t n = 0;
  uint32_t before = jets->n_stack;
  const DaeTerm *operands = dae_term_operands(jets->terms, t, &n);
  for (uint32_t k = n; k-- > 0;) {
    if (jets->stamp[operands[k]] != jets->now) {
      push(jets, operands[k]);
    }
  }
  return jets->n_stack > before;
}

bool
dae_mod_jets_eval(DaeModJets *jets, DaeTerm t, uint32_t q, uint64_t *value)
{
  uint32_t n = q + 1;
  bool ok = true;
  uint32_t n_operands = 0;
  dae_term_operands(jets->terms, t, &n_operands);
  reserve(jets);
  if (n_operands == 0 && n <= SHORT) { /* an atom needs no memo */
    uint64_t jet[SHORT] = {0};
    ok = combine(jets, t, n, jet);
    *value = jet[q];
    return ok;
  }
  jets->now++;
  jets->n_values = 0;
  jets->n_stack = 0;
  push(jets, t);
  while (jets->n_stack > 0 && ok) {
    DaeTerm top = jets->stack[jets->n_stack - 1];
    if (jets->stamp[top] != jets->now && push_missing_operands(jets, top)) {
      continue;
    }
    jets->n_stack--;
    if (jets->stamp[top] == jets->now) {
      continue;
    }
    uint32_t place = new_jet(jets, n);
    ok = combine(jets, top, n, jet_at(jets, place));
    jets->stamp[top] = jets->now;
    jets->place[top] = place;
  }
  *value = ok ? jet_at(jets, jets->place[t])[q] : 0;
  return ok;
}

bool
dae_mod_jets_are_sound(DaeModJets *jets)
{
  return dae_mod_point_is_sound(jets->numbers);
}
