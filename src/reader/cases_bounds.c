/* What an Integer that is known only at run time can be, from the term that it is. */
#include "reader/calls.h"

#define FARTHEST ((int64_t)1 << 40)

typedef struct {
  int64_t least, most;
} Bounds;

typedef struct {
  const DaeReader *reader;
  uint32_t steps; /* left */
} Search;

static bool find(Search *search, DaeTerm t, Bounds *bounds);

static bool
of_sum(Search *search, DaeTerm t, Bounds *bounds)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(search->reader->terms, t, &n);
  *bounds = (Bounds){0, 0};
  for (uint32_t i = 0; i < n; i++) {
    Bounds one;
    if (!find(search, operands[i], &one)) {
      return false;
    }
    bounds->least += one.least;
    bounds->most += one.most;
  }
  return true;
}

/* A number and one factor. */
static bool
of_product(Search *search, DaeTerm t, Bounds *bounds)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(search->reader->terms, t, &n);
  Bounds a;
  Bounds b;
  if (n != 2 || !find(search, operands[0], &a) || !find(search, operands[1], &b) ||
      a.least != a.most || MAX(ABS(b.least), ABS(b.most)) > FARTHEST / MAX(ABS(a.least), 1)) {
    return false;
  }
  int64_t ends[2] = {a.least * b.least, a.least * b.most};
  *bounds = (Bounds){MIN(ends[0], ends[1]), MAX(ends[0], ends[1])};
  return true;
}

/* Of what can be chosen. */
static bool
of_choice(Search *search, DaeTerm t, Bounds *bounds)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(search->reader->terms, t, &n);
  for (uint32_t i = 1; i < n; i++) {
    Bounds one;
    if (!find(search, operands[i], &one)) {
      return false;
    }
    *bounds =
        i == 1 ? one : (Bounds){MIN(bounds->least, one.least), MAX(bounds->most, one.most)};
  }
  return n > 1;
}

/* min and max of one known end are bounded on one side only: both are asked for. */
static bool
of_extreme(Search *search, DaeTerm t, Bounds *bounds)
{
  bool is_min = dae_term_function(search->reader->terms, t) == DAE_FN_MIN;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(search->reader->terms, t, &n);
  for (uint32_t i = 0; i < n; i++) {
    Bounds one;
    if (!find(search, operands[i], &one)) {
      return false;
    }
    Bounds both = {is_min ? MIN(bounds->least, one.least) : MAX(bounds->least, one.least),
                   is_min ? MIN(bounds->most, one.most) : MAX(bounds->most, one.most)};
    *bounds = i == 0 ? one : both;
  }
  return n > 0;
}

static bool
of_call(Search *search, DaeTerm t, Bounds *bounds)
{
  switch ((int)dae_term_function(search->reader->terms, t)) {
  case DAE_FN_SELECT:
    return of_choice(search, t, bounds);
  case DAE_FN_MIN:
  case DAE_FN_MAX:
    return of_extreme(search, t, bounds);
  case DAE_FN_NOEVENT:
    return find(search, dae_term_operand(search->reader->terms, t, 0), bounds);
  default:
    return false;
  }
}

/* min and max of the declaration. */
static bool
of_entity(const DaeReader *reader, const DaeEntity *entity, Bounds *bounds)
{
  static const char *const names[] = {"min", "max"};
  int64_t *const ends[] = {&bounds->least, &bounds->most};
  for (int i = 0; i < 2; i++) {
    const DaeModification *m = dae_scope_attribute(reader, entity, names[i]);
    const DaeInstruction *code =
        m != NULL && m->code != 0 ? dae_syntax_code(reader->syntax, m->code) : NULL;
    bool is_number = code != NULL && code[0].op == DAE_OP_NUMBER && code[0].n == 0 &&
                     code[1].op == DAE_OP_RETURN;
    if (!is_number) {
      return false;
    }
    *ends[i] = g_ascii_strtoll(dae_names_text(reader->names, code[0].arg), NULL, 10);
  }
  return true;
}

static bool
of_variable(const DaeReader *reader, DaeTerm t, Bounds *bounds)
{
  DaeSymbol symbol = dae_term_get_symbol(reader->terms, t);
  for (uint32_t i = 1; i < reader->entities->len; i++) {
    const DaeEntity *entity = dae_reader_entity(reader, i);
    for (uint32_t k = 0; entity->symbols != NULL && k < entity->count; k++) {
      if (entity->symbols[k] == symbol) {
        return of_entity(reader, entity, bounds);
      }
    }
  }
  return false;
}

/* An input or local variable of the function that has this value. */
static bool
of_local(const DaeReader *reader, DaeTerm t, Bounds *bounds)
{
  const DaeScope *scope = reader->scopes->len > 0 ? &g_array_index(reader->scopes, DaeScope,
                                                                   reader->scopes->len - 1)
                                                  : NULL;
  for (uint32_t i = 0; scope != NULL && i < scope->n_locals; i++) {
    const DaeLocal *local = dae_local(reader, scope->first_local + i);
    bool is_it = local->declaration != 0 && local->value.type == DAE_VALUE_INTEGER &&
                 local->value.n_dims == 0 && local->data != NULL && local->data[0] == t;
    if (is_it) {
      const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, local->declaration);
      DaeEntity entity = {.declaration = local->declaration,
                          .alias = dae_scope_find_type(reader, d->type)};
      if (of_entity(reader, &entity, bounds)) {
        return true;
      }
    }
  }
  return false;
}

static bool
find(Search *search, DaeTerm t, Bounds *bounds)
{
  DaeTerms *terms = search->reader->terms;
  int64_t number = 0;
  if (dae_term_get_int64(terms, t, &number) && ABS(number) < FARTHEST) {
    *bounds = (Bounds){number, number};
    return true;
  }
  if (search->steps == 0) {
    return false;
  }
  search->steps--;
  if (of_local(search->reader, t, bounds)) {
    return true;
  }
  switch ((int)dae_term_kind(terms, t)) {
  case DAE_KIND_SUM:
    return of_sum(search, t, bounds);
  case DAE_KIND_PRODUCT:
    return of_product(search, t, bounds);
  case DAE_KIND_IF:
    return of_choice(search, t, bounds);
  case DAE_KIND_CALL:
    return of_call(search, t, bounds);
  case DAE_KIND_VARIABLE:
    return of_variable(search->reader, t, bounds);
  default:
    return false;
  }
}

bool
dae_integer_bounds(const DaeReader *reader, DaeTerm t, int64_t *least, int64_t *most)
{
  enum { MOST_STEPS = 100 }; /* each is a level of the search at most */

  Search search = {reader, MOST_STEPS};
  Bounds bounds = {0, 0};
  bool is_known = find(&search, t, &bounds);
  *least = bounds.least;
  *most = bounds.most;
  return is_known;
}
