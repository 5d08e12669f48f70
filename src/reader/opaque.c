/* Functions that are not written out at each call: their body is traced once on formals and
 * becomes a routine (terms/routines.h); a call is a term with the arguments in it.
 *
 * Which calls: those of functions that say so (Inline = false; LateInline or
 * InlineAfterIndexReduction where a derivative without noDerivative is given), and of those
 * whose body is found to be larger than DAE_INLINE_BUDGET. Numbers among the arguments stay
 * numbers, which gives a case for each set of them. A result that is small all the same (a
 * constant, an argument) is written out, so that only the large ones are hidden from the
 * algebra. Nothing here reports mistakes: a function that cannot be traced alone is written
 * out, and tells then.
 *
 * Both branches of an if are executed; a call inside one has the condition as its first
 * argument and does nothing without it. */
#include "reader/opaque.h"

#include <string.h>

#include "reader/inverse.h"
#include "terms/message.h"
#include "terms/routines.h"

#define WRITTEN_SIZE 100u /* nodes of a result that is written out all the same */
#define WRITTEN_OFTEN 8u  /* the same in a function that is not large, but called often */
#define TINY_CALL 20u     /* new terms of a call that is always written out */
#define MOST_CASES 8u     /* of one function with other numbers; then these are formals */

struct DaeOpaqueTable {
  GHashTable *cases;  /* key -> DaeOpaqueCase */
  GHashTable *counts; /* class -> number of cases */
  GHashTable *made;   /* class -> terms that its calls have made so far */
  GHashTable *large;  /* class -> scalars of the arguments with which it was found large, + 1 */
};

/* ---- table ------------------------------------------------------------------------------- */

static void
free_case(gpointer data)
{
  DaeOpaqueCase *c = data;
  g_free(c->constants);
  GArray *const lists[] = {c->inputs, c->used, c->results, c->assertions, c->values, c->names};
  for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
    g_array_free(lists[i], TRUE);
  }
  g_free(c);
}

DaeOpaqueTable *
dae_opaque_table_new(void)
{
  DaeOpaqueTable *table = g_new0(DaeOpaqueTable, 1);
  table->cases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_case);
  table->counts = g_hash_table_new(NULL, NULL);
  table->made = g_hash_table_new(NULL, NULL);
  table->large = g_hash_table_new(NULL, NULL);
  return table;
}

void
dae_opaque_table_free(DaeOpaqueTable *table)
{
  g_hash_table_destroy(table->cases);
  g_hash_table_destroy(table->counts);
  g_hash_table_destroy(table->made);
  g_hash_table_destroy(table->large);
  g_free(table);
}

static uint32_t
lookup(GHashTable *table, uint32_t class)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(table, GUINT_TO_POINTER(class)));
}

/* ---- choice ------------------------------------------------------------------------------ */

static uint32_t
count_given(const DaeReader *reader, uint32_t class, const DaeValue *const *given)
{
  uint32_t n = 0;
  uint32_t count = 0;
  dae_call_members(reader, class, &n);
  for (uint32_t i = 0; i < n; i++) {
    count += given[i] != NULL ? dae_arguments_count(given[i]) : 0;
  }
  return count;
}

static bool
all_known(const DaeReader *reader, uint32_t class, const DaeValue *const *given)
{
  uint32_t n = 0;
  dae_call_members(reader, class, &n);
  g_autoptr(GArray) types = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  g_autoptr(GArray) scalars = dae_arguments_list(reader, given, n, types);
  for (uint32_t k = 0; k < scalars->len; k++) {
    if (dae_argument_constant(reader, g_array_index(types, uint8_t, k),
                              g_array_index(scalars, DaeTerm, k)) == DAE_NO_TERM) {
      return false;
    }
  }
  return true;
}

/* Has it a body of its own that may stand alone? */
static bool
may_be_opaque(const DaeReader *reader, uint32_t class)
{
  const DaeClass *c = dae_syntax_class(reader->syntax, class);
  return c->kind == DAE_CLASS_FUNCTION &&
         (c->external == 0 || dae_foreign_is_unknown(reader, class)) &&
         (c->flags & DAE_FLAG_IMPURE) == 0 && !reader->writes_out && !reader->is_structural &&
         !dae_call_has_annotation(reader, class, "GenerateEvents", true);
}

static bool
asks_for_it(const DaeReader *reader, uint32_t class)
{
  bool is_late = dae_call_has_annotation(reader, class, "LateInline", true) ||
                 dae_call_has_annotation(reader, class, "InlineAfterIndexReduction", true);
  bool is_known = dae_derivative_is_usable(reader, class);
  if (dae_foreign_is_unknown(reader, class)) {
    return is_known;
  }
  return is_late ? is_known : dae_call_has_annotation(reader, class, "Inline", false);
}

bool
dae_opaque_is_wanted(const DaeReader *reader, uint32_t class, const DaeValue *const *given)
{
  uint32_t large = lookup(reader->opaque->large, class);
  bool is_large = large != 0 && count_given(reader, class, given) + 1 >= large;
  return (is_large || asks_for_it(reader, class)) && may_be_opaque(reader, class) &&
         !all_known(reader, class, given);
}

/* So many calls that all of them together are large. */
static bool
is_frequent(const DaeReader *reader, uint32_t class)
{
  return lookup(reader->opaque->made, class) > DAE_INLINE_CALLS_BUDGET;
}

static bool
has_large_tree(const DaeReader *reader, const DaeValue *result)
{
  uint32_t n_outputs = MAX(result->n_outputs, 1u);
  for (uint32_t i = 0; i < n_outputs; i++) {
    const DaeValue *output = result->n_outputs > 0 ? &result->outputs[i] : result;
    uint32_t n = output->type <= DAE_VALUE_RECORD ? output->count * dae_value_width(output) : 0;
    for (uint32_t k = 0; k < n && !output->opaque; k++) {
      DaeTerm t = dae_value_scalar_at(output, k);
      if (dae_statement_scalar_type(output, k) == DAE_VALUE_REAL && t != DAE_NO_TERM &&
          dae_term_tree_size(reader->terms, t) > DAE_INLINE_TREE) {
        return true;
      }
    }
  }
  return false;
}

/* A function with a loop at run time that has an inverse: as a whole it can be solved by that. */
static bool
is_to_be_inverted(const DaeReader *reader, uint32_t class, const DaeValue *result)
{
  g_autoptr(GArray) routines = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (dae_inverse_is_given(reader, class) && !dae_foreign_is_unknown(reader, class) &&
      result->n_outputs <= 1 && result->type == DAE_VALUE_REAL && result->n_dims == 0) {
    dae_term_collect_routines(reader->terms, result->term, routines);
  }
  return routines->len > 0;
}

bool
dae_opaque_found_large(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                       uint32_t n_new, const DaeValue *result)
{
  uint32_t made = lookup(reader->opaque->made, class);
  made += n_new >= TINY_CALL ? MIN(n_new, UINT32_MAX - made) : 0;
  g_hash_table_insert(reader->opaque->made, GUINT_TO_POINTER(class), GUINT_TO_POINTER(made));
  bool is_large =
      n_new >= TINY_CALL && (n_new > DAE_INLINE_BUDGET || is_frequent(reader, class) ||
                             has_large_tree(reader, result));
  if (!is_large && !is_to_be_inverted(reader, class, result)) {
    return false;
  }
  if (!may_be_opaque(reader, class) || all_known(reader, class, given)) {
    return false;
  }
  uint32_t count = count_given(reader, class, given) + 1;
  uint32_t known = lookup(reader->opaque->large, class);
  if (known == 0 || count < known) {
    g_hash_table_insert(reader->opaque->large, GUINT_TO_POINTER(class),
                        GUINT_TO_POINTER(count));
  }
  return true;
}

/* Integer parameters decide sizes and conditions: they stay what they are, as numbers do. */
static DaeTerm *
choose_constants(const DaeReader *reader, uint32_t class, const GArray *scalars,
                 const GArray *types)
{
  bool is_many = lookup(reader->opaque->counts, class) >= MOST_CASES;
  DaeTerm *constants = g_new0(DaeTerm, scalars->len + 1);
  for (uint32_t k = 0; k < scalars->len; k++) {
    DaeTerm t = g_array_index(scalars, DaeTerm, k);
    uint8_t type = g_array_index(types, uint8_t, k);
    constants[k] = dae_argument_constant(reader, type, t);
    if (constants[k] == DAE_NO_TERM && type != DAE_VALUE_REAL &&
        dae_term_is_parametric(reader->terms, t)) {
      constants[k] = t;
    } else if (is_many && type == DAE_VALUE_REAL && constants[k] != DAE_ARGUMENT_NONE) {
      constants[k] = DAE_NO_TERM;
    }
  }
  return constants;
}

/* ---- calls ------------------------------------------------------------------------------- */

typedef struct {
  DaeReader *reader;
  const DaeOpaqueCase *c;
  GArray *actuals;   /* DaeTerm: in place of the inputs */
  GArray *arguments; /* of the routine */
  DaeSubst *subst;
} Actuals;

static void
begin_actuals(Actuals *a, DaeReader *reader, const DaeOpaqueCase *c, const GArray *scalars,
              const GArray *types, DaeTerm path)
{
  *a = (Actuals){.reader = reader, .c = c};
  a->actuals = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  a->arguments = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  a->subst = dae_subst_new(reader->terms);
  for (uint32_t k = 0; k < scalars->len; k++) {
    if (c->constants[k] == DAE_NO_TERM) {
      DaeTerm t = dae_formal_number(reader, g_array_index(types, uint8_t, k),
                                    g_array_index(scalars, DaeTerm, k));
      g_array_append_val(a->actuals, t);
    }
  }
  for (uint32_t i = 0; i < c->inputs->len; i++) {
    DaeTerm input = g_array_index(c->inputs, DaeTerm, i);
    if (i >= a->actuals->len) {
      g_array_append_val(a->actuals, input);
    } else {
      dae_subst_set(a->subst, input, g_array_index(a->actuals, DaeTerm, i));
    }
  }
  if (c->is_guarded) {
    DaeTerm active = dae_discrete_number(reader, path);
    g_array_append_val(a->arguments, active);
  }
  for (uint32_t i = 0; i < c->used->len; i++) {
    uint32_t at = g_array_index(c->used, uint32_t, i);
    g_array_append_val(a->arguments, g_array_index(a->actuals, DaeTerm, at));
  }
}

static void
end_actuals(Actuals *a)
{
  g_array_free(a->actuals, TRUE);
  g_array_free(a->arguments, TRUE);
  dae_subst_free(a->subst);
}

static DaeTerm
actual_value(void *user, DaeTerm t)
{
  const Actuals *a = user;
  return dae_subst_apply(a->subst, t);
}

/* A text with values of the formals in it gets those of the arguments. */
static DaeTerm
actual_text(const Actuals *a, DaeTerm name)
{
  DaeReader *reader = a->reader;
  const char *text = dae_names_text(reader->names, name);
  if (!dae_message_has_values(text)) {
    return name;
  }
  g_autofree char *filled = dae_message_map(reader->terms, text, actual_value, (void *)a);
  return dae_names_intern(reader->names, filled, strlen(filled));
}

/* False: it has no value with these arguments. */
static bool
result_at(const Actuals *a, uint32_t k, DaeTerm *t)
{
  const DaeOpaqueResult *result = &g_array_index(a->c->results, DaeOpaqueResult, k);
  *t = result->written;
  if (result->type == DAE_VALUE_STRING && !result->is_absent && *t != DAE_NO_TERM) {
    *t = actual_text(a, *t);
  }
  if (result->is_absent || result->type == DAE_VALUE_STRING) {
    return true;
  }
  if (result->written != DAE_NO_TERM) {
    *t = dae_subst_apply(a->subst, result->written);
  } else {
    *t = dae_formal_value(a->reader, result->type,
                          dae_term_routine(a->reader->terms, a->c->number, result->at,
                                           (const DaeTerm *)(const void *)a->arguments->data));
  }
  return *t != DAE_NO_TERM;
}

static bool
take_assertions(const Actuals *a, uint32_t k)
{
  DaeReader *reader = a->reader;
  for (uint32_t i = 0; i < a->c->assertions->len && reader->assertions != NULL; i++, k++) {
    DaeAssertion assertion = g_array_index(a->c->assertions, DaeAssertion, i);
    DaeTerm condition = DAE_NO_TERM;
    if (!result_at(a, k, &condition)) {
      return false;
    }
    if (a->c->is_guarded &&
        g_array_index(a->c->results, DaeOpaqueResult, k).written == DAE_NO_TERM) {
      /* without the condition the output is 0, which is "violated" */
      condition = dae_term_or(
          reader->terms, condition,
          dae_term_not(
              reader->terms,
              dae_discrete_condition(reader->terms, g_array_index(a->arguments, DaeTerm, 0))));
    }
    assertion.condition = condition;
    g_autofree char *message =
        dae_message_map(reader->terms, assertion.message, actual_value, (void *)a);
    assertion.message = g_string_chunk_insert_const(reader->strings, message);
    g_array_append_val(reader->assertions, assertion);
    dae_when_take_assertion(reader);
  }
  return true;
}

static DaeValue
call_case(DaeReader *reader, const Actuals *a)
{
  const DaeOpaqueCase *c = a->c;
  DaeValue *values = dae_arena_alloc(reader->scratch, MAX(c->n_outputs, 1u) * sizeof(DaeValue));
  uint32_t at = 0;
  for (uint32_t i = 0; i < c->n_outputs; i++) {
    const DaeValue *shape = &c->outputs[i];
    uint32_t n = dae_arguments_count(shape);
    DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
    for (uint32_t k = 0; k < n; k++) {
      if (!result_at(a, at++, &data[k])) {
        return dae_value_poison();
      }
    }
    values[i] = *shape;
    values[i].data = data;
    if (shape->n_dims == 0 && shape->type != DAE_VALUE_RECORD) {
      values[i].term = data[0];
    }
  }
  if (!take_assertions(a, at) || c->n_outputs == 0) {
    return dae_value_poison();
  }
  DaeValue result = values[0];
  if (c->n_outputs > 1) {
    result.outputs = values;
    result.n_outputs = c->n_outputs;
  }
  return result;
}

static DaeOpaqueCase *
new_case(DaeReader *reader, uint32_t class, DaeTerm *constants, bool is_guarded)
{
  DaeOpaqueCase *c = g_new0(DaeOpaqueCase, 1);
  c->class = class;
  c->constants = constants;
  c->is_guarded = is_guarded;
  c->inputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  c->used = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  c->results = g_array_new(FALSE, FALSE, sizeof(DaeOpaqueResult));
  c->assertions = g_array_new(FALSE, TRUE, sizeof(DaeAssertion));
  c->values = g_array_new(FALSE, FALSE, sizeof(DaeValue));
  c->names = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  uint32_t count = lookup(reader->opaque->counts, class) + 1;
  g_hash_table_insert(reader->opaque->counts, GUINT_TO_POINTER(class), GUINT_TO_POINTER(count));
  return c;
}

/* Types of the arguments count as well. */
static char *
complete_key(const char *key, bool is_guarded, const DaeValue *const *given, uint32_t n,
             const GArray *types)
{
  GString *whole = g_string_new(is_guarded ? "?" : "");
  g_string_append(whole, key);
  for (uint32_t i = 0; i < n; i++) {
    if (given[i] != NULL && given[i]->type == DAE_VALUE_RECORD) {
      g_string_append_printf(whole, "r%u,", given[i]->layout->class);
    }
  }
  for (uint32_t k = 0; k < types->len; k++) {
    g_string_append_c(whole, (char)('A' + g_array_index(types, uint8_t, k)));
  }
  return g_string_free(whole, FALSE);
}

DaeValue
dae_call_as_opaque(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                   uint32_t pos)
{
  uint32_t n = 0;
  dae_call_members(reader, class, &n);
  bool is_whole = asks_for_it(reader, class) || dae_inverse_is_given(reader, class);
  uint32_t written = is_whole ? 0 : is_frequent(reader, class) ? WRITTEN_OFTEN : WRITTEN_SIZE;
  DaeTerm path = dae_trace_path(reader);
  g_autoptr(GArray) types = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  g_autoptr(GArray) scalars = dae_arguments_list(reader, given, n, types);
  g_autofree DaeTerm *constants = choose_constants(reader, class, scalars, types);
  g_autofree char *key = dae_arguments_key(class, given, n, constants);
  char *whole = complete_key(key, path != DAE_NO_TERM, given, n, types);
  DaeOpaqueCase *c = g_hash_table_lookup(reader->opaque->cases, whole);
  if (c == NULL) {
    c = new_case(reader, class, g_steal_pointer(&constants), path != DAE_NO_TERM);
    dae_opaque_trace(reader, c, given, n, written, pos);
    g_hash_table_insert(reader->opaque->cases, g_steal_pointer(&whole), c);
  }
  g_free(whole);
  if (c->is_failed) {
    return dae_value_poison();
  }
  Actuals actuals;
  begin_actuals(&actuals, reader, c, scalars, types, path);
  uint32_t assertions = reader->assertions != NULL ? reader->assertions->len : 0;
  DaeValue result = call_case(reader, &actuals);
  if (result.type == DAE_VALUE_POISON && reader->assertions != NULL) {
    g_array_set_size(reader->assertions, MIN(assertions, reader->assertions->len));
  }
  end_actuals(&actuals);
  return result;
}
