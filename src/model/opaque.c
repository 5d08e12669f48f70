/* Functions that are not written out at each call: their body is traced once on formals and
 * becomes a routine (terms/routines.h); a call is a term with the arguments in it.
 *
 * Which calls: those of functions that say so (Inline = false; LateInline or
 * InlineAfterIndexReduction where a derivative or an inverse is given), and of those whose body
 * is found to be larger than DAE_INLINE_BUDGET. Numbers among the arguments stay numbers, which
 * gives a case for each set of them. A result that is small all the same (a constant, an
 * argument) is written out, so that only the large ones are hidden from the algebra. Nothing
 * here reports mistakes: a function that cannot be traced alone is written out, and tells then.
 *
 * Both branches of an if are executed; a call inside one has the condition as its first
 * argument and does nothing without it. */
#include "model/calls.h"

#include <string.h>

#include "terms/routines.h"

#define WRITTEN_SIZE 100u   /* nodes of a result that is written out all the same */
#define MOST_CASES 8u       /* of one function with other numbers; then these are formals */
#define MOST_SCALARS 10000u /* arguments and results of a routine */

/* A result or the violation of an assertion. */
typedef struct {
  DaeTerm
      written; /* in the formals; DAE_NO_TERM: output `at` of the routine, unless it is absent */
  uint32_t at;
  uint8_t type;
  bool is_absent; /* a member without value */
} Result;

typedef struct {
  uint32_t class;
  bool is_failed, is_guarded, has_routine;
  DaeTerm *constants; /* by scalar argument: what it is; DAE_NO_TERM: a formal */
  GArray *inputs;     /* DaeTerm: formals by argument, then parameters that the body uses */
  uint32_t n_formals;
  uint32_t first_term; /* how many there were before it was traced */
  GArray *
      used; /* uint32_t: inputs of the routine, indices in `inputs`; the condition comes before */
  uint32_t number;
  uint32_t n_outputs;
  DaeValue *outputs; /* shapes, in the arena of the reader */
  GArray *results;   /* Result: scalars of the outputs, then assertions */
  GArray *assertions;
} Case;

struct DaeOpaqueTable {
  GHashTable *cases;  /* key -> Case */
  GHashTable *counts; /* class -> number of cases */
  GHashTable *large;  /* class -> scalars of the arguments with which it was found large, + 1 */
};

/* ---- table ----------------------------------------------------------------------------------
 * ----------------- */

static void
free_case(gpointer data)
{
  Case *c = data;
  g_free(c->constants);
  GArray *const lists[] = {c->inputs, c->used, c->results, c->assertions};
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
  table->large = g_hash_table_new(NULL, NULL);
  return table;
}

void
dae_opaque_table_free(DaeOpaqueTable *table)
{
  g_hash_table_destroy(table->cases);
  g_hash_table_destroy(table->counts);
  g_hash_table_destroy(table->large);
  g_free(table);
}

static uint32_t
lookup(GHashTable *table, uint32_t class)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(table, GUINT_TO_POINTER(class)));
}

/* ---- choice ---------------------------------------------------------------------------------
 * ----------------- */

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
  g_autoptr(GArray) scalars = dae_arguments_list(given, n, types);
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
  return c->kind == DAE_CLASS_FUNCTION && c->external == 0 &&
         (c->flags & DAE_FLAG_IMPURE) == 0 && !reader->is_structural &&
         !dae_call_has_annotation(reader, class, "GenerateEvents", true);
}

static bool
asks_for_it(const DaeReader *reader, uint32_t class)
{
  bool is_late = dae_call_has_annotation(reader, class, "LateInline", true) ||
                 dae_call_has_annotation(reader, class, "InlineAfterIndexReduction", true);
  bool is_known = dae_call_annotation(reader, class, "derivative") != NULL ||
                  dae_call_annotation(reader, class, "inverse") != NULL;
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

bool
dae_opaque_found_large(DaeReader *reader, uint32_t class, const DaeValue *const *given)
{
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

/* ---- the body -------------------------------------------------------------------------------
 * ------------------ */

static bool
has_term(const GArray *list, DaeTerm t)
{
  for (uint32_t i = 0; i < list->len; i++) {
    if (g_array_index(list, DaeTerm, i) == t) {
      return true;
    }
  }
  return false;
}

/* Parameters that the body uses beside its arguments become inputs. False: it uses more than
 * that. */
static bool
add_parameters(DaeReader *reader, Case *c, const DaeTerm *list, uint32_t n)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < n; i++) {
    if (dae_term_contains(reader->terms, list[i], dae_term_time(reader->terms))) {
      return false;
    }
    dae_term_collect_variables(reader->terms, list[i], atoms);
    dae_term_collect_parameters(reader->terms, list[i], atoms);
  }
  for (uint32_t i = 0; i < atoms->len; i++) {
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    if (has_term(c->inputs, atom)) {
      continue;
    }
    if (dae_term_kind(reader->terms, atom) != DAE_KIND_PARAMETER) {
      return false;
    }
    g_array_append_val(c->inputs, atom);
  }
  return true;
}

static bool
is_written(DaeReader *reader, DaeTerm t, bool by_size)
{
  DaeKind kind = dae_term_kind(reader->terms, t);
  if (kind == DAE_KIND_NUMBER || kind == DAE_KIND_BOOLEAN ||
      (dae_term_is_parametric(reader->terms, t) &&
       !dae_term_has_parameters(reader->terms, t))) {
    return true;
  }
  return by_size && dae_term_size(reader->terms, t) <= WRITTEN_SIZE;
}

static void
add_result(DaeReader *reader, Case *c, uint8_t type, DaeTerm t, bool by_size, GArray *large)
{
  Result result = {.type = type, .is_absent = t == DAE_NO_TERM};
  if (type == DAE_VALUE_STRING) { /* names, no terms */
    result.written = t;
    result.is_absent = false;
  } else if (!result.is_absent && is_written(reader, t, by_size)) {
    result.written = t;
  } else if (!result.is_absent) {
    DaeTerm number = dae_formal_number(reader, type, t);
    result.at = large->len;
    g_array_append_val(large, number);
  }
  g_array_append_val(c->results, result);
}

static const DaeTerm *
terms_of(const GArray *list)
{
  return (const DaeTerm *)(const void *)list->data;
}

/* s := 0, d := 0; while active and not d loop s := outputs, d := 1 */
static uint32_t
add_guarded(DaeReader *reader, const char *name, DaeTerm active, const GArray *inputs,
            const GArray *outputs)
{
  DaeTerms *terms = reader->terms;
  uint32_t n = outputs->len;
  g_autofree DaeTerm *states = g_new(DaeTerm, n + 1);
  g_autofree DaeTerm *initial = g_new(DaeTerm, n + 1);
  g_autofree DaeTerm *next = g_new(DaeTerm, n + 1);
  for (uint32_t k = 0; k <= n; k++) {
    states[k] = dae_trace_formal(reader);
    initial[k] = dae_term_int(terms, 0);
    next[k] = k < n ? g_array_index(outputs, DaeTerm, k) : dae_term_int(terms, 1);
  }
  DaeRoutine routine = {
      .name = name,
      .inputs = terms_of(inputs),
      .states = states,
      .initial = initial,
      .next = next,
      .outputs = states,
      .condition = dae_term_and(terms, dae_discrete_condition(terms, active),
                                dae_term_not(terms, dae_discrete_condition(terms, states[n]))),
      .n_inputs = inputs->len,
      .n_states = n + 1,
      .n_outputs = n};
  return dae_terms_add_routine(terms, &routine);
}

static void
make_routine(DaeReader *reader, Case *c, const GArray *outputs)
{
  const char *name =
      dae_names_text(reader->names, dae_syntax_class(reader->syntax, c->class)->name);
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) inputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  DaeTerm active = dae_trace_formal(reader);
  if (c->is_guarded) {
    g_array_append_val(inputs, active);
  }
  for (uint32_t k = 0; k < outputs->len; k++) {
    dae_term_collect_variables(reader->terms, g_array_index(outputs, DaeTerm, k), atoms);
    dae_term_collect_parameters(reader->terms, g_array_index(outputs, DaeTerm, k), atoms);
  }
  for (uint32_t i = 0; i < c->inputs->len; i++) {
    DaeTerm input = g_array_index(c->inputs, DaeTerm, i);
    if (has_term(atoms, input)) {
      g_array_append_val(inputs, input);
      g_array_append_val(c->used, i);
    }
  }
  c->has_routine = true;
  if (c->is_guarded) {
    c->number = add_guarded(reader, name, active, inputs, outputs);
    return;
  }
  DaeRoutine routine = {.name = name,
                        .inputs = terms_of(inputs),
                        .outputs = terms_of(outputs),
                        .n_inputs = inputs->len,
                        .n_outputs = outputs->len};
  c->number = dae_terms_add_routine(reader->terms, &routine);
}

/* The shape of an output, kept for as long as the reader lives. */
static DaeValue
shape_of(DaeReader *reader, const DaeValue *value)
{
  DaeValue shape = *value;
  uint32_t *dims = dae_arena_alloc(reader->arena, (value->n_dims + 1u) * sizeof *dims);
  if (value->n_dims > 0) {
    memcpy(dims, value->dims, value->n_dims * sizeof *dims);
  }
  shape.dims = dims;
  shape.data = NULL;
  shape.outputs = NULL;
  shape.n_outputs = 0;
  return shape;
}

static bool
is_same_place(const DaeAssertion *a, const DaeAssertion *b)
{
  return a->span.file == b->span.file && a->span.line == b->span.line &&
         a->span.column == b->span.column && a->is_warning == b->is_warning &&
         g_strcmp0(a->message, b->message) == 0;
}

/* Those of the body; one that is met in several calls inside is one: all of its conditions
 * hold. */
static void
gather_assertions(DaeReader *reader, Case *c, uint32_t first)
{
  for (uint32_t i = first; reader->assertions != NULL && i < reader->assertions->len; i++) {
    DaeAssertion assertion = g_array_index(reader->assertions, DaeAssertion, i);
    uint32_t at = 0;
    while (at < c->assertions->len &&
           !is_same_place(&g_array_index(c->assertions, DaeAssertion, at), &assertion)) {
      at++;
    }
    if (at == c->assertions->len) {
      g_array_append_val(c->assertions, assertion);
    } else {
      DaeTerm *condition = &g_array_index(c->assertions, DaeAssertion, at).condition;
      *condition = dae_term_and(reader->terms, *condition, assertion.condition);
    }
  }
}

static bool
keep_results(DaeReader *reader, Case *c, const DaeValue *outputs, uint32_t n,
             uint32_t first_assertion, bool by_size)
{
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) large = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  c->n_outputs = n;
  c->outputs = dae_arena_alloc(reader->arena, MAX(n, 1u) * sizeof(DaeValue));
  for (uint32_t i = 0; i < n; i++) {
    if (outputs[i].type > DAE_VALUE_RECORD || outputs[i].type == DAE_VALUE_CLOCK) {
      return false;
    }
    c->outputs[i] = shape_of(reader, &outputs[i]);
    for (uint32_t k = 0; k < dae_arguments_count(&outputs[i]); k++) {
      uint8_t type = dae_arguments_type(&outputs[i], k);
      DaeTerm t = dae_value_scalar_at(&outputs[i], k);
      add_result(reader, c, type, t, by_size, large);
      if (type != DAE_VALUE_STRING && t != DAE_NO_TERM) {
        g_array_append_val(all, t);
      }
    }
  }
  gather_assertions(reader, c, first_assertion);
  for (uint32_t i = 0; i < c->assertions->len; i++) {
    DaeTerm condition = g_array_index(c->assertions, DaeAssertion, i).condition;
    g_array_append_val(all, condition);
    add_result(reader, c, DAE_VALUE_BOOLEAN, condition, by_size, large);
  }
  /* a call is a term for each result with all arguments in it: of a matrix product that is more
   * than the text */
  size_t n_operands = (size_t)large->len * c->n_formals;
  if (c->results->len + c->n_formals > MOST_SCALARS ||
      (by_size && n_operands > dae_terms_count(reader->terms) - c->first_term) ||
      !add_parameters(reader, c, terms_of(all), all->len)) {
    return false;
  }
  if (large->len > 0) {
    make_routine(reader, c, large);
  }
  return true;
}

static bool
trace_body(DaeReader *reader, Case *c, const DaeValue *const *given, uint32_t n, bool by_size,
           uint32_t pos)
{
  uint32_t n_outputs = 0;
  uint32_t assertions = reader->assertions != NULL ? reader->assertions->len : 0;
  uint32_t epoch = reader->epoch;
  uint32_t changes = reader->changes->len;
  DaeTraceMark mark;
  dae_trace_begin(reader, &mark);
  const DaeValue **formal = dae_formal_arguments(reader, c->constants, given, n, c->inputs);
  DaeValue *outputs = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof(DaeValue));
  c->n_formals = c->inputs->len;
  c->first_term = dae_terms_count(reader->terms);
  reader->epoch = ++reader->last_epoch;
  bool good = dae_call_begin_scope(reader, c->class, formal, pos) &&
              dae_call_run_body(reader, c->class, outputs, &n_outputs, pos);
  dae_scope_leave(reader);
  reader->epoch = epoch;
  g_array_set_size(reader->changes, changes);
  good = good && keep_results(reader, c, outputs, n_outputs, assertions, by_size);
  dae_trace_end(reader, &mark);
  if (reader->assertions != NULL) {
    g_array_set_size(reader->assertions, assertions);
  }
  return good;
}

/* Silently; what was given up here is found again, and told, where the call is written out. */
static void
trace_case(DaeReader *reader, Case *c, const DaeValue *const *given, uint32_t n, bool by_size,
           uint32_t pos)
{
  uint32_t stack = reader->stack->len;
  uint32_t loops = reader->loops->len;
  uint32_t ifs = reader->ifs->len;
  uint64_t steps = reader->call_steps;
  const char *surrender = reader->surrender;
  uint32_t recursion = reader->recursion;
  dae_source_hush(reader->source);
  c->is_failed = !trace_body(reader, c, given, n, by_size, pos) ||
                 reader->surrender != surrender || reader->recursion != recursion;
  dae_source_speak(reader->source);
  if (c->is_failed) {
    dae_reader_unwind(reader, loops, ifs);
    g_array_set_size(reader->stack, stack);
    reader->surrender = surrender;
    reader->recursion = recursion;
  }
  reader->call_steps = steps;
}

/* ---- calls ----------------------------------------------------------------------------------
 * ------------------- */

typedef struct {
  DaeReader *reader;
  const Case *c;
  GArray *actuals;   /* DaeTerm: in place of the inputs */
  GArray *arguments; /* of the routine */
  DaeSubst *subst;
} Actuals;

static void
begin_actuals(Actuals *a, DaeReader *reader, const Case *c, const GArray *scalars,
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

/* False: it has no value with these arguments. */
static bool
result_at(const Actuals *a, uint32_t k, DaeTerm *t)
{
  const Result *result = &g_array_index(a->c->results, Result, k);
  *t = result->written;
  if (result->is_absent || result->type == DAE_VALUE_STRING) {
    return true;
  }
  if (result->written != DAE_NO_TERM) {
    *t = dae_subst_apply(a->subst, result->written);
  } else {
    *t = dae_formal_value(
        a->reader, result->type,
        dae_term_routine(a->reader->terms, a->c->number, result->at, terms_of(a->arguments)));
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
    if (a->c->is_guarded && g_array_index(a->c->results, Result, k).written == DAE_NO_TERM) {
      /* without the condition the output is 0, which is "violated" */
      condition = dae_term_or(
          reader->terms, condition,
          dae_term_not(
              reader->terms,
              dae_discrete_condition(reader->terms, g_array_index(a->arguments, DaeTerm, 0))));
    }
    assertion.condition = condition;
    g_array_append_val(reader->assertions, assertion);
    dae_when_take_assertion(reader);
  }
  return true;
}

static DaeValue
call_case(DaeReader *reader, const Actuals *a)
{
  const Case *c = a->c;
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

static Case *
new_case(DaeReader *reader, uint32_t class, DaeTerm *constants, bool is_guarded)
{
  Case *c = g_new0(Case, 1);
  c->class = class;
  c->constants = constants;
  c->is_guarded = is_guarded;
  c->inputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  c->used = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  c->results = g_array_new(FALSE, FALSE, sizeof(Result));
  c->assertions = g_array_new(FALSE, TRUE, sizeof(DaeAssertion));
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
  bool by_size = !asks_for_it(reader, class);
  DaeTerm path = dae_trace_path(reader);
  g_autoptr(GArray) types = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  g_autoptr(GArray) scalars = dae_arguments_list(given, n, types);
  g_autofree DaeTerm *constants = choose_constants(reader, class, scalars, types);
  g_autofree char *key = dae_arguments_key(class, given, n, constants);
  char *whole = complete_key(key, path != DAE_NO_TERM, given, n, types);
  Case *c = g_hash_table_lookup(reader->opaque->cases, whole);
  if (c == NULL) {
    c = new_case(reader, class, g_steal_pointer(&constants), path != DAE_NO_TERM);
    trace_case(reader, c, given, n, by_size, pos);
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
