/* Series of terms modulo the prime: the coefficient of t^q of f(x(t), x'(t), ..., t) is
 * f^(q)/q!, found without the terms of the derivatives, as Taylor methods do
 * [NedialkovPryce07, section 2]. */
#include <string.h>

#include "base/base.h"
#include "structural/modular.h"

enum { SHORT = 8 };

/* ATOM_CONSTANT: a number, or a parameter with a value; ATOM_VARIABLE: where the coefficient of
 * a variable or derivative is, times 256, and its order; ATOM_NONE: not looked at, or no atom. */
typedef enum { ATOM_NONE, ATOM_CONSTANT, ATOM_VARIABLE } Atom;

typedef struct {
  DaeTerm t;
  bool is_ready; /* its operands were pushed: they have their jets when it is on top again */
} Visit;

struct DaeModJets {
  DaeModSeries series;
  DaeTerms *terms;
  DaeModPoint *numbers; /* numbers and closed values of parameters */
  uint32_t n_terms;     /* the arrays reach up to there */
  uint32_t *stamp, *place;
  uint32_t now;
  uint8_t *atom; /* Atom: what `constant` has */
  uint64_t *constant;
  uint64_t *values; /* jets of the evaluation under way */
  uint32_t n_values, values_room;
  Visit *stack;
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
  jets->atom = g_new0(uint8_t, jets->n_terms);
  jets->constant = g_new0(uint64_t, jets->n_terms);
  return jets;
}

void
dae_mod_jets_free(DaeModJets *jets)
{
  dae_mod_point_free(jets->numbers);
  g_free(jets->stamp);
  g_free(jets->place);
  g_free(jets->atom);
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
    jets->stack = g_renew(Visit, jets->stack, jets->stack_room);
  }
  jets->stack[jets->n_stack++] = (Visit){t, false};
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
    jets->atom = g_renew(uint8_t, jets->atom, n);
    jets->constant = g_renew(uint64_t, jets->constant, n);
    memset(jets->stamp + jets->n_terms, 0, sizeof(uint32_t) * (n - jets->n_terms));
    memset(jets->atom + jets->n_terms, 0, n - jets->n_terms);
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
  if (jets->atom[t] == ATOM_CONSTANT) {
    *out = jets->constant[t];
    return true;
  }
  bool ok = kind == DAE_KIND_NUMBER ? set_number(jets, t, out) : set_parameter(jets, t, out);
  jets->atom[t] = ok ? ATOM_CONSTANT : ATOM_NONE;
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

static bool
set_power(DaeModJets *jets, DaeTerm t, const uint64_t *base, uint32_t n, uint64_t *out)
{
  DaeTerm exponent = dae_term_operand(jets->terms, t, 1);
  int64_t e = 0;
  if (n <= SHORT && dae_term_get_int64(jets->terms, exponent, &e) &&
      e == 2) { /* the most common one */
    dae_mod_series_multiply(base, base, n, out);
    return true;
  }
  g_autofree uint64_t *b = g_memdup2(base, sizeof(uint64_t) * n);
  g_autofree uint64_t *r = g_new0(uint64_t, n);
  if (!dae_term_is_number(jets->terms, exponent)) {
    return false;
  }
  if (!dae_term_get_int64(jets->terms, exponent, &e)) {
    if (!dae_term_get_int64(jets->terms, dae_term_add(jets->terms, exponent, exponent), &e) ||
        !dae_mod_series_root(base, n, b)) {
      return false;
    }
    reserve(jets);
  }
  uint64_t size = e < 0 ? -(uint64_t)e : (uint64_t)e;
  r[0] = 1;
  for (; size > 0; size >>= 1) {
    if ((size & 1) != 0) {
      dae_mod_series_multiply(r, b, n, r);
    }
    dae_mod_series_multiply(b, b, n, b);
  }
  if (e < 0) {
    return dae_mod_series_invert(r, n, out);
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
      dae_mod_series_multiply(out, jet_at(jets, jets->place[operands[k]]), n, out);
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

static bool
is_atom(const DaeModJets *jets, DaeTerm t)
{
  uint32_t n = 0;
  dae_term_operands(jets->terms, t, &n);
  return n == 0;
}

static bool
set_jet(DaeModJets *jets, DaeTerm t, uint32_t n)
{
  uint32_t place = new_jet(jets, n);
  bool ok = combine(jets, t, n, jet_at(jets, place));
  jets->stamp[t] = jets->now;
  jets->place[t] = place;
  return ok;
}

/* Operands without a jet: atoms get theirs, the others are pushed, all at once (a sum of many
 * operands is looked at twice, not once for each). false: an atom has none. */
static bool
prepare_operands(DaeModJets *jets, DaeTerm t, uint32_t n)
{
  uint32_t n_operands = 0;
  const DaeTerm *operands = dae_term_operands(jets->terms, t, &n_operands);
  for (uint32_t k = n_operands; k-- > 0;) {
    DaeTerm operand = operands[k];
    if (jets->stamp[operand] == jets->now) {
      continue;
    }
    if (!is_atom(jets, operand)) {
      push(jets, operand);
      continue;
    }
    if (!set_jet(jets, operand, n)) {
      return false;
    }
    operands = dae_term_operands(jets->terms, t, &n_operands); /* values may be new terms */
  }
  return true;
}

static void
begin(DaeModJets *jets)
{
  jets->now++;
  jets->n_values = 0;
  jets->n_stack = 0;
}

/* ---- values: coefficient 0 ----------------------------------------------------------------- */

/* Notes where the value of an atom is. false: not an atom, or one without a value. */
static bool
note_atom(DaeModJets *jets, DaeTerm t)
{
  DaeKind kind = dae_term_kind(jets->terms, t);
  uint32_t j = 0;
  uint64_t value = 0;
  if (kind == DAE_KIND_NUMBER || kind == DAE_KIND_PARAMETER) {
    return set_constant(jets, t, kind, &value);
  }
  if (kind != DAE_KIND_VARIABLE ||
      !dae_model_find_variable(jets->series.sig->model, dae_term_get_symbol(jets->terms, t),
                               &j)) {
    return false;
  }
  uint32_t order = dae_term_order(jets->terms, t);
  size_t first = jets->series.first[j];
  if (order > UINT8_MAX || order >= jets->series.first[j + 1] - first) {
    return false;
  }
  jets->atom[t] = ATOM_VARIABLE;
  jets->constant[t] = (first + order) << 8 | order;
  return true;
}

/* The value of an operand that is an atom or has its value; x^(s) is a_s s!. */
static uint64_t
operand_value(const DaeModJets *jets, DaeTerm t)
{
  if (jets->atom[t] == ATOM_NONE) {
    return jets->values[jets->place[t]];
  }
  uint64_t at = jets->constant[t];
  if (jets->atom[t] == ATOM_CONSTANT) {
    return at;
  }
  uint64_t value = jets->series.coefficients[at >> 8];
  for (uint64_t k = 2; k <= (at & UINT8_MAX); k++) {
    value = dae_mod_mul(value, k);
  }
  return value;
}

/* The value of a sum, a product or a square, the most common terms; false: another one. */
static bool
simple_value(const DaeModJets *jets, DaeTerm t, uint64_t *out)
{
  uint32_t n = 0;
  int64_t e = 0;
  const DaeTerm *operands = dae_term_operands(jets->terms, t, &n);
  DaeKind kind = dae_term_kind(jets->terms, t);
  if (kind == DAE_KIND_POWER && dae_term_get_int64(jets->terms, operands[1], &e) && e == 2) {
    uint64_t base = operand_value(jets, operands[0]);
    *out = dae_mod_mul(base, base);
    return true;
  }
  if (kind != DAE_KIND_SUM && kind != DAE_KIND_PRODUCT) {
    return false;
  }
  uint64_t value = operand_value(jets, operands[0]);
  for (uint32_t k = 1; k < n; k++) {
    uint64_t operand = operand_value(jets, operands[k]);
    value = kind == DAE_KIND_SUM ? dae_mod_add(value, operand) : dae_mod_mul(value, operand);
  }
  *out = value;
  return true;
}

/* Pushes the operands that have no value yet. */
static bool
push_operands(DaeModJets *jets, DaeTerm t)
{
  uint32_t n = 0;
  uint32_t before = jets->n_stack;
  const DaeTerm *operands = dae_term_operands(jets->terms, t, &n);
  for (uint32_t k = n; k-- > 0;) {
    if (jets->atom[operands[k]] == ATOM_NONE && jets->stamp[operands[k]] != jets->now) {
      push(jets, operands[k]);
    }
  }
  return jets->n_stack > before;
}

/* The jet of t alone: that of an atom in the way of the longer ones. */
static bool
set_value(DaeModJets *jets, DaeTerm t)
{
  uint32_t place = new_jet(jets, 1);
  jets->stamp[t] = jets->now;
  jets->place[t] = place;
  uint64_t value = 0;
  if (simple_value(jets, t, &value)) {
    jets->values[place] = value;
    return true;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(jets->terms, t, &n);
  for (uint32_t k = 0; k < n; k++) { /* atoms have no jets */
    if (jets->atom[operands[k]] != ATOM_NONE) {
      uint32_t own = new_jet(jets, 1);
      jets->place[operands[k]] = own;
      jets->values[own] = operand_value(jets, operands[k]);
    }
  }
  return combine(jets, t, 1, jet_at(jets, place));
}

static bool
eval_value(DaeModJets *jets, DaeTerm t, uint64_t *value)
{
  bool ok = true;
  begin(jets);
  push(jets, t);
  while (jets->n_stack > 0 && ok) {
    Visit *visit = &jets->stack[jets->n_stack - 1];
    DaeTerm top = visit->t;
    bool is_ready = visit->is_ready;
    bool is_known = jets->atom[top] != ATOM_NONE || jets->stamp[top] == jets->now ||
                    (!is_ready && note_atom(jets, top));
    visit->is_ready = true;
    if (is_known) {
      jets->n_stack--;
    } else if (is_ready || !push_operands(jets, top)) {
      jets->n_stack--;
      ok = set_value(jets, top);
    }
  }
  *value = ok ? operand_value(jets, t) : 0;
  return ok;
}

/* ---- evaluation -------------------------------------------------------------------------- */

bool
dae_mod_jets_eval(DaeModJets *jets, DaeTerm t, uint32_t q, uint64_t *value)
{
  uint32_t n = q + 1;
  bool ok = true;
  reserve(jets);
  if (q == 0) {
    return eval_value(jets, t, value);
  }
  if (n <= SHORT && is_atom(jets, t)) { /* it needs no memo */
    uint64_t jet[SHORT] = {0};
    ok = combine(jets, t, n, jet);
    *value = jet[q];
    return ok;
  }
  begin(jets);
  push(jets, t);
  while (jets->n_stack > 0 && ok) {
    Visit *visit = &jets->stack[jets->n_stack - 1];
    DaeTerm top = visit->t;
    bool is_ready = visit->is_ready;
    visit->is_ready = true;
    if (jets->stamp[top] == jets->now) {
      jets->n_stack--;
      continue;
    }
    uint32_t before = jets->n_stack;
    ok = is_ready || prepare_operands(jets, top, n);
    if (ok && jets->n_stack == before) {
      jets->n_stack--;
      ok = set_jet(jets, top, n);
    }
  }
  *value = ok ? jet_at(jets, jets->place[t])[q] : 0;
  return ok;
}

bool
dae_mod_jets_are_sound(DaeModJets *jets)
{
  return dae_mod_point_is_sound(jets->numbers);
}
