#include "proofcheck/field.h"

#include <string.h>

#include "base/base.h"

__extension__ typedef unsigned __int128 Wide;

static const uint64_t P = 1797761682352764119u;
static const uint64_t Q1 = 898880841176382059u; /* (P - 1)/2 */
static const uint64_t Q2 = 14981347352939701u;  /* (P + 1)/120 */

typedef struct {
  uint64_t c, s;
} Point; /* c^2 + s^2 = 1 */

static const Point CIRCLE = {1200070256038200671u, 1147123954917305717u}; /* of order Q2 */
static const Point TWELFTH = {942908419250829121u,
                              1036043864251081274u}; /* pi/12, of order 24 */

typedef enum { LAYER_FIELD, LAYER_EXPONENT, LAYER_ANGLE, N_LAYERS } Layer;

struct DaeField {
  DaeTerms *terms;
  uint64_t seed;
  GHashTable *bound; /* atom -> term */
  GHashTable *memo;  /* key (term, layer) -> Entry */
};

typedef struct {
  uint64_t value;
  bool ok;
} Entry;

static uint64_t
modulus(Layer layer)
{
  return layer == LAYER_FIELD ? P : layer == LAYER_EXPONENT ? Q1 : Q2;
}

static uint64_t
mul(uint64_t a, uint64_t b, uint64_t m)
{
  return (uint64_t)((Wide)a * b % m);
}

static uint64_t
add(uint64_t a, uint64_t b, uint64_t m)
{
  return (uint64_t)(((Wide)a + b) % m);
}

static uint64_t
power(uint64_t a, uint64_t e, uint64_t m)
{
  uint64_t r = 1;
  for (; e > 0; e >>= 1) {
    r = (e & 1) != 0 ? mul(r, a, m) : r;
    a = mul(a, a, m);
  }
  return r;
}

uint64_t
dae_field_subtract(uint64_t a, uint64_t b)
{
  return add(a, P - b, P);
}

/* A fixed scrambling of 64 bits (splitmix). */
static uint64_t
scramble(uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static Point
point_add(Point a, Point b)
{
  Point r;
  r.c = dae_field_subtract(mul(a.c, b.c, P), mul(a.s, b.s, P));
  r.s = add(mul(a.c, b.s, P), mul(a.s, b.c, P), P);
  return r;
}

static Point
point_multiple(Point a, uint64_t n)
{
  Point r = {1, 0};
  for (; n > 0; n >>= 1) {
    r = (n & 1) != 0 ? point_add(r, a) : r;
    a = point_add(a, a);
  }
  return r;
}

/* ---- life -------------------------------------------------------------------------------- */

DaeField *
dae_field_new(DaeTerms *terms, uint64_t seed)
{
  DaeField *field = g_new0(DaeField, 1);
  field->terms = terms;
  field->seed = seed;
  field->bound = g_hash_table_new(NULL, NULL);
  field->memo = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  return field;
}

void
dae_field_free(DaeField *field)
{
  if (field != NULL) {
    g_hash_table_unref(field->bound);
    g_hash_table_unref(field->memo);
    g_free(field);
  }
}

void
dae_field_bind(DaeField *field, DaeTerm atom, DaeTerm value)
{
  g_hash_table_insert(field->bound, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(value));
  g_hash_table_remove_all(field->memo);
}

/* ---- evaluation: a stack of (term, layer) whose operands are done first ------------------ */

static gpointer
key_of(DaeTerm t, Layer layer)
{
  return GSIZE_TO_POINTER((gsize)t * N_LAYERS + (gsize)layer + N_LAYERS);
}

typedef struct {
  DaeTerm term;
  Layer layer;
} Job;

static bool
is_circular(DaeFunction function)
{
  return function == DAE_FN_SIN || function == DAE_FN_COS || function == DAE_FN_TAN;
}

static bool
is_exponential(DaeFunction function)
{
  return function == DAE_FN_EXP || function == DAE_FN_SINH || function == DAE_FN_COSH ||
         function == DAE_FN_TANH;
}

/* r for a term r*pi with a rational r that is a multiple of 1/12: r*12 in *twelfths. */
static bool
twelfths_of_pi(const DaeField *field, DaeTerm t, int64_t *twelfths)
{
  DaeTerms *terms = field->terms;
  DaeTerm pi = dae_term_pi(terms);
  if (t != pi &&
      (dae_term_kind(terms, t) != DAE_KIND_PRODUCT || !dae_term_contains(terms, t, pi))) {
    return false;
  }
  DaeTerm ratio = dae_term_div(terms, t, pi);
  return ratio != DAE_NO_TERM &&
         dae_term_get_int64(terms, dae_term_mul(terms, ratio, dae_term_int(terms, 12)),
                            twelfths);
}

/* The angle with bound atoms replaced, so that multiples of pi behind them are seen;
 * chains of bounded length only. */
static DaeTerm
resolve_angle(const DaeField *field, DaeTerm angle)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (int k = 0; k < 50; k++) {
    bool changed = false;
    g_array_set_size(atoms, 0);
    dae_term_collect_variables(field->terms, angle, atoms);
    dae_term_collect_parameters(field->terms, angle, atoms);
    for (guint i = 0; i < atoms->len; i++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, i);
      gpointer bound = g_hash_table_lookup(field->bound, GUINT_TO_POINTER(atom));
      if (bound != NULL) {
        DaeTerm next = dae_term_replace(field->terms, angle, atom, GPOINTER_TO_UINT(bound));
        changed |= next != DAE_NO_TERM;
        angle = next == DAE_NO_TERM ? angle : next;
      }
    }
    if (!changed) {
      break;
    }
  }
  return angle;
}

/* Splits an angle into torsion (multiples of pi/12) and the rest. */
static DaeTerm
split_angle(const DaeField *field, DaeTerm angle, uint64_t *torsion)
{
  DaeTerms *terms = field->terms;
  angle = resolve_angle(field, angle);
  int64_t twelfths = 0;
  int64_t total = 0;
  DaeTerm rest = dae_term_int(terms, 0);
  uint32_t n = 0;
  const DaeTerm *parts = dae_term_parts(terms, DAE_KIND_SUM, &angle, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (twelfths_of_pi(field, parts[i], &twelfths)) {
      total = (total + twelfths % 24) % 24;
    } else {
      rest = dae_term_add(terms, rest, parts[i]);
    }
  }
  *torsion = (uint64_t)((total + 24) % 24);
  return rest;
}

/* What must be known before the job can be done; appended to jobs. */
static void
push_needs(DaeField *field, Job job, GArray *jobs)
{
  DaeTerms *terms = field->terms;
  gpointer bound = g_hash_table_lookup(field->bound, GUINT_TO_POINTER(job.term));
  if (bound != NULL) {
    Job need = {GPOINTER_TO_UINT(bound), job.layer};
    g_array_append_val(jobs, need);
    return;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, job.term, &n);
  DaeKind kind = dae_term_kind(terms, job.term);
  Layer layer = job.layer;
  if (kind == DAE_KIND_CALL && job.layer == LAYER_FIELD && n == 1) {
    DaeFunction function = dae_term_function(terms, job.term);
    if (is_circular(function)) {
      uint64_t torsion = 0;
      Job need = {split_angle(field, operands[0], &torsion), LAYER_ANGLE};
      g_array_append_val(jobs, need);
      return;
    }
    layer = is_exponential(function) ? LAYER_EXPONENT : layer;
  }
  for (uint32_t i = 0; i < n; i++) {
    Job need = {operands[i], layer};
    g_array_append_val(jobs, need);
  }
}

static const Entry *
known(const DaeField *field, DaeTerm t, Layer layer)
{
  static const Entry nothing = {0, false}; /* a circular binding */
  const Entry *entry = g_hash_table_lookup(field->memo, key_of(t, layer));
  return entry == NULL ? &nothing : entry;
}

static bool
number_value(DaeTerms *terms, DaeTerm number, uint64_t m, uint64_t *value)
{
  /* the printed text is a decimal or a fraction of integers: digits mod m */
  g_autofree char *text = dae_term_to_string(terms, number);
  uint64_t parts[2] = {0, 0};
  uint64_t scale = 1;
  int at = 0;
  bool seen_point = false;
  bool negative = false;
  for (const char *c = text; *c != '\0'; c++) {
    if (g_ascii_isdigit(*c)) {
      parts[at] = add(mul(parts[at], 10, m), (uint64_t)(*c - '0'), m);
      scale = seen_point ? mul(scale, 10, m) : scale;
    } else if (*c == '.') {
      seen_point = true;
    } else if (*c == '/') {
      at = 1;
    } else if (*c == '-' && c == text) {
      negative = true;
    } else if (*c == 'e' || *c == 'E') {
      int64_t exponent = g_ascii_strtoll(c + 1, NULL, 10);
      uint64_t ten = power(10, (uint64_t)ABS(exponent), m);
      ten = exponent < 0 ? power(ten, m - 2, m) : ten;
      parts[at] = mul(parts[at], ten, m);
      break;
    } else {
      return false;
    }
  }
  uint64_t denominator = at == 1 ? parts[1] : scale;
  if (denominator == 0) {
    return false;
  }
  uint64_t result = mul(parts[0], power(denominator, m - 2, m), m);
  *value = negative && result != 0 ? m - result : result;
  return true;
}

/* base^exponent in a layer. Integer exponents everywhere; rational ones on squares of the field. */
static bool
power_value(DaeField *field, DaeTerm t, Layer layer, uint64_t *value)
{
  DaeTerms *terms = field->terms;
  DaeTerm exponent = dae_term_operand(terms, t, 1);
  const Entry *base = known(field, dae_term_operand(terms, t, 0), layer);
  uint64_t m = modulus(layer);
  int64_t n = 0;
  if (!base->ok || !dae_term_is_number(terms, exponent)) {
    return false;
  }
  if (dae_term_get_int64(terms, exponent, &n)) {
    if (base->value == 0 && n < 0) {
      return false;
    }
    *value = power(base->value, (uint64_t)ABS(n), m);
    *value = n < 0 ? power(*value, m - 2, m) : *value;
    return true;
  }
  uint64_t e = 0;
  if (layer != LAYER_FIELD || !number_value(terms, exponent, Q1, &e)) {
    return false;
  }
  if (base->value == 0) {
    *value = 0;
    return dae_term_sign(terms, exponent) > 0;
  }
  if (power(base->value, Q1, P) != 1) {
    return false; /* no square: like a negative number under a root */
  }
  *value = power(base->value, e, P);
  return true;
}

static bool
circular_value(const DaeField *field, DaeTerm t, uint64_t *value)
{
  uint64_t torsion = 0;
  DaeTerm rest = split_angle(field, dae_term_operand(field->terms, t, 0), &torsion);
  const Entry *angle = known(field, rest, LAYER_ANGLE);
  if (!angle->ok) {
    return false;
  }
  Point point =
      point_add(point_multiple(CIRCLE, angle->value), point_multiple(TWELFTH, torsion));
  DaeFunction function = dae_term_function(field->terms, t);
  if (function == DAE_FN_TAN && point.c == 0) {
    return false;
  }
  *value = function == DAE_FN_SIN   ? point.s
           : function == DAE_FN_COS ? point.c
                                    : mul(point.s, power(point.c, P - 2, P), P);
  return true;
}

static bool
exponential_value(const DaeField *field, DaeTerm t, uint64_t *value)
{
  const Entry *a = known(field, dae_term_operand(field->terms, t, 0), LAYER_EXPONENT);
  DaeFunction function = dae_term_function(field->terms, t);
  if (!a->ok) {
    return false;
  }
  uint64_t g = mul(987654321987654321u, 987654321987654321u, P); /* a square, so of order Q1 */
  uint64_t up = power(g, a->value, P);
  uint64_t down = power(up, P - 2, P);
  uint64_t half = power(2, P - 2, P);
  uint64_t sinh = mul(dae_field_subtract(up, down), half, P);
  uint64_t cosh = mul(add(up, down, P), half, P);
  if (function == DAE_FN_TANH && cosh == 0) {
    return false;
  }
  *value = function == DAE_FN_EXP    ? up
           : function == DAE_FN_SINH ? sinh
           : function == DAE_FN_COSH ? cosh
                                     : mul(sinh, power(cosh, P - 2, P), P);
  return true;
}

/* Any other function: a value that depends on its name and arguments only. */
static bool
opaque_value(DaeField *field, DaeTerm t, Layer layer, uint64_t *value)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(field->terms, t, &n);
  uint64_t hash = scramble((uint64_t)dae_term_function(field->terms, t) + 77);
  for (uint32_t i = 0; i < n; i++) {
    const Entry *operand = known(field, operands[i], layer);
    if (!operand->ok) {
      return false;
    }
    hash = scramble(hash ^ operand->value);
  }
  *value = hash % modulus(layer);
  return true;
}

static bool
sum_or_product(const DaeField *field, DaeTerm t, Layer layer, uint64_t *value)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(field->terms, t, &n);
  bool is_sum = dae_term_kind(field->terms, t) == DAE_KIND_SUM;
  uint64_t m = modulus(layer);
  uint64_t result = is_sum ? 0 : 1;
  for (uint32_t i = 0; i < n; i++) {
    const Entry *operand = known(field, operands[i], layer);
    if (!operand->ok) {
      return false;
    }
    result = is_sum ? add(result, operand->value, m) : mul(result, operand->value, m);
  }
  *value = result;
  return true;
}

static bool
compute(DaeField *field, Job job, uint64_t *value)
{
  DaeTerms *terms = field->terms;
  gpointer bound = g_hash_table_lookup(field->bound, GUINT_TO_POINTER(job.term));
  if (bound != NULL) {
    const Entry *entry = known(field, GPOINTER_TO_UINT(bound), job.layer);
    *value = entry->value;
    return entry->ok;
  }
  switch (dae_term_kind(terms, job.term)) {
  case DAE_KIND_NUMBER:
    return number_value(terms, job.term, modulus(job.layer), value);
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
    *value =
        scramble(scramble(field->seed + (uint64_t)job.layer) ^ job.term) % modulus(job.layer);
    return true;
  case DAE_KIND_POWER:
    return power_value(field, job.term, job.layer, value);
  case DAE_KIND_PRODUCT:
  case DAE_KIND_SUM:
    return sum_or_product(field, job.term, job.layer, value);
  case DAE_KIND_CALL:
    if (job.layer == LAYER_FIELD && is_circular(dae_term_function(terms, job.term))) {
      return circular_value(field, job.term, value);
    }
    if (job.layer == LAYER_FIELD && is_exponential(dae_term_function(terms, job.term))) {
      return exponential_value(field, job.term, value);
    }
    return opaque_value(field, job.term, job.layer, value);
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_IF:
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    return false;
  }
  return false;
}

bool
dae_field_value(DaeField *field, DaeTerm t, uint64_t *value)
{
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Job));
  g_autoptr(GHashTable) opened = g_hash_table_new(NULL, NULL);
  Job first = {t, LAYER_FIELD};
  g_array_append_val(stack, first);
  while (stack->len > 0) {
    Job job = g_array_index(stack, Job, stack->len - 1);
    gpointer key = key_of(job.term, job.layer);
    if (g_hash_table_contains(field->memo, key)) {
      g_array_set_size(stack, stack->len - 1);
      continue;
    }
    if (g_hash_table_add(opened, key)) {
      push_needs(field, job, stack);
      continue;
    }
    Entry *entry = g_new0(Entry, 1);
    entry->ok = compute(field, job, &entry->value);
    g_hash_table_insert(field->memo, key, entry);
    g_array_set_size(stack, stack->len - 1);
  }
  const Entry *entry = known(field, t, LAYER_FIELD);
  *value = entry->value;
  return entry->ok;
}
