/* Enclosures of terms on boxes of time and unknowns (interval.h). A term is taken apart once, into
 * a list in which each entry uses earlier ones; evaluation is a loop over that list. */
#include "instant/enclose.h"

#include <math.h>

#define LARGEST_EXACT 9007199254740992.0 /* 2^53: whole numbers up to it are doubles */

typedef DaeInterval Interval;

typedef enum { FROM_TERM, FROM_TIME, FROM_SEGMENT, FROM_UNKNOWN } Source;

typedef struct {
  DaeTerm term;
  Source source;
  uint32_t place;    /* in the segment, or column */
  uint32_t operands; /* first of them in `operands` */
  uint32_t n;
  Interval value; /* NUMBER: once and for all */
} Step;

struct DaeBound {
  const DaeTerms *terms;
  const DaeInstant *instant; /* NULL: time is the only atom */
  GArray *steps;             /* Step */
  GArray *operands;          /* uint32_t: numbers of steps */
  GArray *columns;           /* uint32_t: unknowns in it */
  Interval *values, *gathered;
};

/* All operands are enclosed in a. */
static Interval
combine(const DaeTerms *terms, DaeTerm t, const Interval *a, uint32_t n)
{
  Interval sum = {0, 0};
  Interval factor = {1, 1};
  switch (dae_term_kind(terms, t)) {
  case DAE_KIND_SUM:
    for (uint32_t i = 0; i < n; i++) {
      sum = dae_interval_sum(sum, a[i]);
    }
    return sum;
  case DAE_KIND_PRODUCT:
    for (uint32_t i = 0; i < n; i++) {
      factor = dae_interval_product(factor, a[i]);
    }
    return factor;
  case DAE_KIND_POWER: {
    DaeTerm exponent = dae_term_operand(terms, t, 1);
    return dae_term_is_number(terms, exponent)
               ? dae_interval_power(a[0], dae_term_get_double(terms, exponent))
               : dae_interval_exponential(a[0], a[1]);
  }
  case DAE_KIND_CALL:
    return dae_interval_call(terms, t, a);
  case DAE_KIND_IF: /* a condition is 0, 1 or open */
    return a[0].low > 0 ? a[1] : a[0].high < 1 ? a[2] : dae_interval_hull(a[1], a[2]);
  case DAE_KIND_RELATION:
    return dae_interval_relation(dae_term_relation_op(terms, t), a[0], a[1]);
  case DAE_KIND_AND:
    for (uint32_t i = 0; i < n; i++) {
      factor = (Interval){fmin(factor.low, a[i].low), fmin(factor.high, a[i].high)};
    }
    return factor;
  case DAE_KIND_OR:
    for (uint32_t i = 0; i < n; i++) {
      sum = (Interval){fmax(sum.low, a[i].low), fmax(sum.high, a[i].high)};
    }
    return sum;
  case DAE_KIND_NOT:
    return (Interval){1 - a[0].high, 1 - a[0].low};
  case DAE_KIND_NUMBER:
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_VARIABLE:
    break;
  }
  return dae_interval_line();
}

/* ---- taking a term apart ----------------------------------------------------------------- */

static bool
is_atom(const DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  return kind == DAE_KIND_NUMBER || kind == DAE_KIND_TIME || kind == DAE_KIND_PARAMETER ||
         kind == DAE_KIND_VARIABLE || kind == DAE_KIND_BOOLEAN;
}

static uint32_t
place_of(const GArray *atoms, DaeTerm t)
{
  for (uint32_t p = 0; p < atoms->len; p++) {
    if (g_array_index(atoms, DaeTerm, p) == t) {
      return p;
    }
  }
  return UINT32_MAX;
}

static uint32_t
column_of(const DaeInstant *instant, DaeTerm t)
{
  for (uint32_t j = 0; j < instant->n; j++) {
    if (instant->parts.unknowns[j] == t) {
      return j;
    }
  }
  return UINT32_MAX;
}

/* Whole numbers are exact: a table at its border is on one piece. */
static Interval
enclose_number(const DaeTerms *terms, DaeTerm t)
{
  const double value = dae_term_get_double(terms, t);
  int64_t whole = 0;
  const bool is_exact = dae_term_get_int64(terms, t, &whole) && fabs(value) <= LARGEST_EXACT;
  return is_exact ? (Interval){value, value} : dae_interval_widened(value, value);
}

/* What is known once and for all, and where the rest is to be looked up. */
static Step
atom_step(DaeBound *enclosure, DaeTerm t)
{
  const DaeInstant *instant = enclosure->instant;
  const DaeTerms *terms = enclosure->terms;
  Step step = {.term = t, .value = dae_interval_line()};
  switch ((int)dae_term_kind(terms, t)) {
  case DAE_KIND_NUMBER:
    step.value = enclose_number(terms, t);
    break;
  case DAE_KIND_BOOLEAN:
    step.value = dae_term_get_bool(terms, t) ? (Interval){1, 1} : (Interval){0, 0};
    break;
  case DAE_KIND_TIME:
    step.source = FROM_TIME;
    break;
  case DAE_KIND_PARAMETER:
    step.place = instant != NULL ? place_of(instant->atoms, t) : UINT32_MAX;
    step.source = step.place != UINT32_MAX ? FROM_SEGMENT : FROM_TERM;
    break;
  default: /* VARIABLE: derivatives are not enclosed */
    step.place = instant != NULL ? column_of(instant, t) : UINT32_MAX;
    step.source = step.place != UINT32_MAX ? FROM_UNKNOWN : FROM_TERM;
    if (step.source == FROM_UNKNOWN) {
      g_array_append_val(enclosure->columns, step.place);
    }
    break;
  }
  return step;
}

static void
add_step(DaeBound *enclosure, GHashTable *number, DaeTerm t)
{
  const DaeTerms *terms = enclosure->terms;
  Step step = {.term = t, .value = dae_interval_line()};
  if (is_atom(terms, t)) {
    step = atom_step(enclosure, t);
  } else {
    const DaeTerm *operands = dae_term_operands(terms, t, &step.n);
    step.operands = enclosure->operands->len;
    for (uint32_t i = 0; i < step.n; i++) {
      uint32_t at =
          GPOINTER_TO_UINT(g_hash_table_lookup(number, GUINT_TO_POINTER(operands[i]))) - 1;
      g_array_append_val(enclosure->operands, at);
    }
  }
  g_array_append_val(enclosure->steps, step);
  g_hash_table_insert(number, GUINT_TO_POINTER(t), GUINT_TO_POINTER(enclosure->steps->len));
}

typedef struct {
  DaeBound *enclosure;
  GHashTable *number; /* term -> its step + 1 */
  uint32_t most;      /* operands of one step */
} Numbering;

static bool
has_step(void *self, DaeTerm t)
{
  return g_hash_table_contains(((const Numbering *)self)->number, GUINT_TO_POINTER(t));
}

static const DaeTerm *
operands_of_step(void *self, DaeTerm t, uint32_t *n)
{
  const DaeTerms *terms = ((const Numbering *)self)->enclosure->terms;
  *n = 0;
  return is_atom(terms, t) ? NULL : dae_term_operands(terms, t, n);
}

static void
number_step(void *self, DaeTerm t)
{
  Numbering *numbering = self;
  uint32_t n = 0;
  operands_of_step(self, t, &n);
  add_step(numbering->enclosure, numbering->number, t);
  numbering->most = MAX(numbering->most, n);
}

static DaeBound *
new_bound(const DaeTerms *terms, const DaeInstant *instant, DaeTerm t)
{
  DaeBound *enclosure = g_new0(DaeBound, 1);
  g_autoptr(GHashTable) number = g_hash_table_new(NULL, NULL);
  enclosure->terms = terms;
  enclosure->instant = instant;
  enclosure->steps = g_array_new(FALSE, FALSE, sizeof(Step));
  enclosure->operands = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  enclosure->columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  Numbering numbering = {enclosure, number, 1};
  const DaeWalk walk = {.ready = has_step,
                        .operands = operands_of_step,
                        .compute = number_step,
                        .self = &numbering,
                        .is_backwards = true};
  dae_walk(terms, t, &walk);
  enclosure->values = g_new0(Interval, enclosure->steps->len + 1);
  enclosure->gathered = g_new0(Interval, numbering.most + 1);
  return enclosure;
}

DaeBound *
dae_bound_new(DaeInstant *instant, DaeTerm t)
{
  return new_bound(instant->terms, instant, t);
}

DaeBound *
dae_bound_of_time(DaeTerms *terms, DaeTerm t)
{
  return new_bound(terms, NULL, t);
}

void
dae_bound_free(DaeBound *enclosure)
{
  if (enclosure != NULL) {
    g_array_free(enclosure->steps, TRUE);
    g_array_free(enclosure->operands, TRUE);
    g_array_free(enclosure->columns, TRUE);
    g_free(enclosure->values);
    g_free(enclosure->gathered);
    g_free(enclosure);
  }
}

const uint32_t *
dae_bound_columns(const DaeBound *enclosure, uint32_t *n)
{
  *n = enclosure->columns->len;
  return (const uint32_t *)(void *)enclosure->columns->data;
}

DaeInterval
dae_bound_at(DaeBound *enclosure, DaeInterval time, const DaeInterval *unknowns)
{
  const DaeInstant *instant = enclosure->instant;
  const Step *steps = (const Step *)(void *)enclosure->steps->data;
  const uint32_t *operands = (const uint32_t *)(void *)enclosure->operands->data;
  uint32_t n = enclosure->steps->len;
  for (uint32_t k = 0; k < n; k++) {
    const Step *step = &steps[k];
    Interval value = step->value;
    if (step->source == FROM_TIME) {
      value = time;
    } else if (step->source == FROM_SEGMENT) {
      value = (Interval){instant->segment[step->place], instant->segment[step->place]};
    } else if (step->source == FROM_UNKNOWN && unknowns != NULL) {
      value = unknowns[step->place];
    } else if (step->n > 0) {
      for (uint32_t i = 0; i < step->n; i++) {
        enclosure->gathered[i] = enclosure->values[operands[step->operands + i]];
      }
      value = combine(enclosure->terms, step->term, enclosure->gathered, step->n);
    } else if (!is_atom(enclosure->terms, step->term)) {
      value = combine(enclosure->terms, step->term, enclosure->gathered, 0); /* pi() */
    }
    enclosure->values[k] = value;
  }
  return enclosure->values[n - 1];
}
