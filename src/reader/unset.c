/* Variables of functions that some paths leave without a value.
 *
 * Where one branch gives a value and the other does not, the latter is an atom, `unset`, in the
 * term of the variable. What leads to it is a condition: where the variable is used, its opposite
 * becomes an assertion, and the atom becomes 0. The atom is found nowhere but in the data of
 * locals and in records that functions return: who needs a member of one asserts its value. */
#include "reader/calls.h"

#include <string.h>

#define LAST_ASSERTIONS 8u  /* that are compared with a new one */
#define MOST_CONDITIONS 10u /* of which all combinations are tried */

static DaeScope *
scope_of(const DaeReader *reader)
{
  return reader->scopes->len > 0
             ? &g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1)
             : NULL;
}

DaeTerm
dae_unset_term(DaeReader *reader)
{
  DaeScope *scope = scope_of(reader);
  if (scope == NULL || scope->is_section) {
    return dae_term_int(reader->terms, 0);
  }
  if (reader->unset == DAE_NO_TERM) {
    DaeSymbol symbol =
        dae_terms_add_unlisted_symbol(reader->terms, DAE_SYMBOL_VARIABLE, "$unset");
    dae_terms_set_variability(reader->terms, symbol, DAE_VARIABILITY_CONTINUOUS);
    reader->unset = dae_term_variable(reader->terms, symbol, 0);
  }
  return reader->unset;
}

DaeTerm
dae_unset_of_type(DaeReader *reader, uint8_t type)
{
  DaeTerm unset = dae_unset_term(reader);
  bool is_number = dae_term_is_number(reader->terms, unset); /* of a section: the default */
  switch (type) {
  case DAE_VALUE_STRING:
    return dae_names_intern(reader->names, "", 0);
  case DAE_VALUE_BOOLEAN:
    return is_number ? dae_term_bool(reader->terms, false)
                     : dae_discrete_condition(reader->terms, unset);
  case DAE_VALUE_ENUMERATION:
    return is_number ? dae_term_int(reader->terms, 1) : unset;
  default:
    return unset;
  }
}

bool
dae_unset_is_in(const DaeReader *reader, DaeTerm t)
{
  return reader->unset != DAE_NO_TERM && t != DAE_NO_TERM &&
         dae_term_contains(reader->terms, t, reader->unset);
}

DaeTerm
dae_unset_replace(const DaeReader *reader, DaeTerm t)
{
  return dae_unset_is_in(reader, t)
             ? dae_term_replace(reader->terms, t, reader->unset, dae_term_int(reader->terms, 0))
             : t;
}

/* ---- when there is no value ---------------------------------------------------------------- */

typedef struct {
  const DaeReader *reader;
  GHashTable *conditions; /* term -> when it has no value */
} Paths;

static DaeTerm
path_of(const Paths *paths, DaeTerm t)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(paths->conditions, GUINT_TO_POINTER(t)));
}

static bool
has_path(void *self, DaeTerm t)
{
  return path_of(self, t) != DAE_NO_TERM;
}

static DaeTerm
both(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  DaeTerm yes = dae_term_bool(terms, true);
  return a == yes ? b : b == yes ? a : dae_term_and(terms, a, b);
}

static DaeTerm
either(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  DaeTerm no = dae_term_bool(terms, false);
  return a == no ? b : b == no ? a : dae_term_or(terms, a, b);
}

/* and: where it has no value and what else is joined holds; or: does not hold. */
static DaeTerm
junction_path(const Paths *paths, bool is_and, const DaeTerm *u, uint32_t n)
{
  DaeTerms *terms = paths->reader->terms;
  DaeTerm no = dae_term_bool(terms, false);
  DaeTerm path = no;
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm here = path_of(paths, u[i]);
    for (uint32_t k = 0; k < n && here != no; k++) {
      if (path_of(paths, u[k]) == no) {
        here = both(terms, is_and ? u[k] : dae_term_not(terms, u[k]), here);
      }
    }
    path = either(terms, path, here);
  }
  return path;
}

/* $select(i, a, b, ...): element i has no value. */
static DaeTerm
selection_path(const Paths *paths, const DaeTerm *u, uint32_t n)
{
  DaeTerms *terms = paths->reader->terms;
  DaeTerm no = dae_term_bool(terms, false);
  DaeTerm path = no;
  for (uint32_t i = 1; i < n; i++) {
    DaeTerm here = path_of(paths, u[i]);
    if (here != no) {
      DaeTerm is_this = dae_term_relation(terms, DAE_REL_EQ, u[0], dae_term_int(terms, i));
      path = either(terms, path, both(terms, is_this, here));
    }
  }
  return path;
}

static void
find_path(void *self, DaeTerm t)
{
  const Paths *paths = self;
  DaeTerms *terms = paths->reader->terms;
  DaeTerm no = dae_term_bool(terms, false);
  DaeTerm path = t == paths->reader->unset ? dae_term_bool(terms, true) : no;
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  if (dae_term_kind(terms, t) == DAE_KIND_IF) {
    DaeTerm a = path_of(paths, u[1]);
    DaeTerm b = path_of(paths, u[2]);
    path = either(terms, a != no ? both(terms, u[0], a) : no,
                  b != no ? both(terms, dae_term_not(terms, u[0]), b) : no);
  } else if (dae_term_kind(terms, t) == DAE_KIND_AND ||
             dae_term_kind(terms, t) == DAE_KIND_OR) {
    path = junction_path(paths, dae_term_kind(terms, t) == DAE_KIND_AND, u, n);
  } else if (dae_term_kind(terms, t) == DAE_KIND_CALL &&
             dae_term_function(terms, t) == DAE_FN_SELECT) {
    path = selection_path(paths, u, n);
  } else {
    for (uint32_t i = 0; i < n; i++) {
      path = either(terms, path, path_of(paths, u[i]));
    }
  }
  g_hash_table_insert(paths->conditions, GUINT_TO_POINTER(t), GUINT_TO_POINTER(path));
}

/* Conditions of values have no unset in them: it was replaced where they were loaded. */
static const DaeTerm *
values_of(void *self, DaeTerm t, uint32_t *n)
{
  const Paths *paths = self;
  const DaeTerm *u = dae_term_operands(paths->reader->terms, t, n);
  if (dae_term_kind(paths->reader->terms, t) == DAE_KIND_IF) {
    *n = 2;
    return u + 1;
  }
  return u;
}

DaeTerm
dae_unset_when(const DaeReader *reader, DaeTerm t)
{
  if (!dae_unset_is_in(reader, t)) {
    return dae_term_bool(reader->terms, t == DAE_NO_TERM);
  }
  Paths paths = {reader, g_hash_table_new(NULL, NULL)};
  DaeWalk walk = {
      .ready = has_path, .operands = values_of, .compute = find_path, .self = &paths};
  dae_walk(reader->terms, t, &walk);
  DaeTerm path = path_of(&paths, t);
  g_hash_table_destroy(paths.conditions);
  return path;
}

/* ---- can that be? -------------------------------------------------------------------------- */

typedef struct {
  DaeTerms *terms;
  GArray *atoms;     /* DaeTerm: relations of one direction, and what else is a condition */
  uint32_t choice;   /* by atom: is it true? */
  GHashTable *truth; /* term -> 1 false, 2 true */
} Table;

/* a > b and a >= b are the opposites of a <= b and a < b. */
static DaeTerm
atom_of(DaeTerms *terms, DaeTerm t, bool *is_opposite)
{
  *is_opposite = false;
  if (dae_term_kind(terms, t) != DAE_KIND_RELATION) {
    return t;
  }
  DaeRelation op = dae_term_relation_op(terms, t);
  *is_opposite = op == DAE_REL_GT || op == DAE_REL_GE || op == DAE_REL_NE;
  DaeRelation base = op == DAE_REL_GT   ? DAE_REL_LE
                     : op == DAE_REL_GE ? DAE_REL_LT
                     : op == DAE_REL_NE ? DAE_REL_EQ
                                        : op;
  return *is_opposite ? dae_term_relation(terms, base, dae_term_operand(terms, t, 0),
                                          dae_term_operand(terms, t, 1))
                      : t;
}

static bool
is_junction(const DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  return kind == DAE_KIND_AND || kind == DAE_KIND_OR || kind == DAE_KIND_NOT;
}

static const DaeTerm *
parts_of(void *self, DaeTerm t, uint32_t *n)
{
  const Table *table = self;
  const DaeTerm *u = dae_term_operands(table->terms, t, n);
  *n = is_junction(table->terms, t) ? *n : 0;
  return u;
}

static bool
has_truth(void *self, DaeTerm t)
{
  return g_hash_table_contains(((Table *)self)->truth, GUINT_TO_POINTER(t));
}

static uint32_t
find_atom(Table *table, DaeTerm atom)
{
  uint32_t at = 0;
  while (at < table->atoms->len && g_array_index(table->atoms, DaeTerm, at) != atom) {
    at++;
  }
  if (at == table->atoms->len) {
    g_array_append_val(table->atoms, atom);
  }
  return at;
}

static bool
is_so(const Table *table, DaeTerm t)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(table->truth, GUINT_TO_POINTER(t))) == 2;
}

static void
find_truth(void *self, DaeTerm t)
{
  Table *table = self;
  DaeTerms *terms = table->terms;
  DaeKind kind = dae_term_kind(terms, t);
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(terms, t, &n);
  bool truth = false;
  if (kind == DAE_KIND_BOOLEAN) {
    truth = dae_term_get_bool(terms, t);
  } else if (is_junction(terms, t)) {
    truth = kind == DAE_KIND_AND;
    for (uint32_t i = 0; i < n; i++) {
      bool one = is_so(table, u[i]);
      truth = kind == DAE_KIND_NOT ? !one : kind == DAE_KIND_AND ? truth && one : truth || one;
    }
  } else {
    bool is_opposite = false;
    uint32_t at = find_atom(table, atom_of(terms, t, &is_opposite));
    truth = at < MOST_CONDITIONS && (table->choice >> at & 1u) != 0;
    truth = truth != is_opposite;
  }
  g_hash_table_insert(table->truth, GUINT_TO_POINTER(t), GUINT_TO_POINTER(truth ? 2 : 1));
}

/* Are there values of its conditions, each taken alone, for which it holds? */
static bool
is_possible(DaeTerms *terms, DaeTerm t)
{
  bool is_found = false;
  Table table = {.terms = terms, .atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm))};
  do {
    table.truth = g_hash_table_new(NULL, NULL);
    DaeWalk walk = {
        .ready = has_truth, .operands = parts_of, .compute = find_truth, .self = &table};
    dae_walk(terms, t, &walk);
    is_found = is_so(&table, t) || table.atoms->len > MOST_CONDITIONS;
    g_hash_table_destroy(table.truth);
    table.choice++;
  } while (!is_found && table.choice < 1u << table.atoms->len);
  g_array_free(table.atoms, TRUE);
  return is_found;
}

/* ---- use ----------------------------------------------------------------------------------- */

void
dae_statement_assert(DaeReader *reader, DaeTerm condition, const char *message, uint32_t pos)
{
  DaeTerm gone = reader->scopes->len > 0 ? dae_statement_gone(reader) : DAE_NO_TERM;
  if (reader->assertions == NULL) {
    return;
  }
  condition = gone == DAE_NO_TERM ? condition : dae_term_or(reader->terms, gone, condition);
  uint32_t n = reader->assertions->len;
  for (uint32_t i = n > LAST_ASSERTIONS ? n - LAST_ASSERTIONS : 0; i < n; i++) {
    const DaeAssertion *other = &g_array_index(reader->assertions, DaeAssertion, i);
    if (other->condition == condition && other->message != NULL &&
        strcmp(other->message, message) == 0) {
      return; /* a variable that an expression uses several times */
    }
  }
  DaeAssertion assertion = {.condition = condition,
                            .message = g_string_chunk_insert_const(reader->strings, message),
                            .span = dae_source_span(reader->source, pos)};
  g_array_append_val(reader->assertions, assertion);
  dae_when_take_assertion(reader);
}

static void
assert_value(DaeReader *reader, DaeTerm missing, const char *name, uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  const DaeScope *scope = scope_of(reader);
  DaeTerm path = dae_trace_path(reader);
  if (reader->assertions == NULL ||
      !is_possible(terms, path != DAE_NO_TERM ? both(terms, missing, path) : missing)) {
    return;
  }
  const char *function =
      scope != NULL && !scope->is_section
          ? dae_names_text(reader->names, dae_syntax_class(reader->syntax, scope->class)->name)
          : NULL;
  g_autofree char *message =
      name == NULL ? g_strdup("a member of this record is used without a value")
      : function != NULL
          ? g_strdup_printf("'%s' of '%s' is used without a value", name, function)
          : g_strdup_printf("'%s' is used without a value", name);
  dae_statement_assert(reader, dae_term_not(terms, missing), message, pos);
}

void
dae_unset_settle(DaeReader *reader, DaeValue *value, const char *name, bool is_asserted,
                 uint32_t pos)
{
  bool is_scalar = value->n_dims == 0 && value->type != DAE_VALUE_RECORD;
  if (reader->unset == DAE_NO_TERM || value->opaque || value->type > DAE_VALUE_RECORD ||
      (!is_scalar && value->data == NULL)) {
    return;
  }
  uint32_t n = value->count * dae_value_width(value);
  DaeTerm *data = NULL;
  DaeTerm missing = dae_term_bool(reader->terms, false);
  for (uint32_t k = 0; k < n; k++) {
    DaeTerm t = dae_value_scalar_at(value, k);
    if (dae_statement_scalar_type(value, k) == DAE_VALUE_STRING ||
        !dae_unset_is_in(reader, t)) {
      continue;
    }
    missing = is_asserted ? either(reader->terms, missing, dae_unset_when(reader, t)) : missing;
    if (is_scalar) {
      value->term = dae_unset_replace(reader, t);
      break;
    }
    if (data == NULL) {
      data = dae_value_new_data(reader, n);
      memcpy(data, value->data, n * sizeof *data);
      value->data = data;
    }
    data[k] = dae_unset_replace(reader, t);
  }
  if (missing != dae_term_bool(reader->terms, false)) {
    assert_value(reader, missing, name, pos);
  }
}
