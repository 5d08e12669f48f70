/* What Base Modelica has beside full Modelica [MCP-0031, Initialization]: guess values, and
 * functions of its own. Each variable has a guess value, which is its start value. */
#include "reader/calls.h"

#include <string.h>

#include "model/flat.h"

/* ---- guess values ------------------------------------------------------------------------ */

/* Where the start value of the variable or free parameter stands; NULL: it is neither. */
static DaeTerm *
start_of(DaeReader *reader, DaeTerm t)
{
  DaeTerms *terms = reader->terms;
  DaeKind kind = t != DAE_NO_TERM ? dae_term_kind(terms, t) : DAE_KIND_NUMBER;
  uint32_t j = 0;
  if (reader->result == NULL) {
    return NULL;
  }
  if (kind == DAE_KIND_VARIABLE && dae_term_order(terms, t) == 0 &&
      dae_model_find_variable(reader->result, dae_term_get_symbol(terms, t), &j)) {
    return &g_array_index(reader->result->variables, DaeVariable, j).start;
  }
  if (kind == DAE_KIND_PARAMETER &&
      dae_model_find_parameter(reader->result, dae_term_get_symbol(terms, t), &j) &&
      dae_model_parameter(reader->result, j)->is_free) {
    return &g_array_index(reader->result->parameters, DaeParameter, j).start;
  }
  return NULL;
}

static DaeTerm
scalar_number(DaeReader *reader, const DaeValue *value, uint32_t i)
{
  DaeTerm t = dae_value_scalar_at(value, i);
  uint8_t type = dae_statement_scalar_type(value, i);
  return t != DAE_NO_TERM && type != DAE_VALUE_STRING ? dae_discrete_unknown(reader, type, t)
                                                      : DAE_NO_TERM;
}

/* guess(x) in an expression: the start value of a variable, or of all scalars of it. */
static DaeValue
guess_of(DaeReader *reader, const DaeValue *value, uint32_t pos)
{
  uint32_t n = value->count * dae_value_width(value);
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  for (uint32_t i = 0; i < n; i++) {
    DaeTerm *start = start_of(reader, scalar_number(reader, value, i));
    if (start == NULL) {
      dae_source_error(reader->source, pos, "'guess' takes a variable");
      return dae_value_poison();
    }
    data[i] = *start != DAE_NO_TERM ? *start : dae_term_int(reader->terms, 0);
    if (dae_statement_scalar_type(value, i) == DAE_VALUE_BOOLEAN) {
      data[i] = dae_truth_of_number(reader->terms, data[i]);
    }
  }
  return dae_value_like(reader, value, value->n_dims, value->dims, data, value->count);
}

/* parameter equation guess(x) = value, or the same as an initial equation: the start value of x. */
static void
apply_guess(DaeReader *reader, const DaeSection *section)
{
  uint32_t pos = dae_syntax_begin_of(reader->syntax, section->code);
  if (!dae_reader_run(reader, section->code)) {
    return;
  }
  DAE_ASSERT(reader->stack->len == 2);
  DaeValue target = g_array_index(reader->stack, DaeValue, 0);
  DaeValue value = g_array_index(reader->stack, DaeValue, 1);
  g_array_set_size(reader->stack, 0);
  bool is_record = target.type == DAE_VALUE_RECORD;
  bool good = is_record ? dae_record_same(&target, &value)
                        : value.type <= DAE_VALUE_BOOLEAN || value.type == target.type;
  good = good && (value.n_dims == 0 || dae_value_same_size(&target, &value));
  uint32_t width = dae_value_width(&target);
  for (uint32_t i = 0; good && i < target.count * width; i++) {
    DaeTerm *place = start_of(reader, scalar_number(reader, &target, i));
    DaeTerm start = scalar_number(reader, &value, value.n_dims == 0 ? i % width : i);
    good =
        place != NULL && start != DAE_NO_TERM && dae_term_is_parametric(reader->terms, start);
    if (good) {
      *place = start;
    }
  }
  if (!good && target.type != DAE_VALUE_POISON && value.type != DAE_VALUE_POISON) {
    dae_source_error(
        reader->source, pos,
        "guess(x) = value gives a variable a value that depends on parameters only");
  }
  dae_arena_reset(reader->scratch);
}

void
dae_base_apply_guesses(DaeReader *reader)
{
  dae_flat_finish(reader->result); /* variables can be found by their symbols from here on */
  for (uint32_t i = 0; i < reader->syntax->sections->len; i++) {
    DaeSection section = g_array_index(reader->syntax->sections, DaeSection, i);
    if (section.owner == reader->model && section.is_guess) {
      apply_guess(reader, &section);
    }
  }
}

/* ---- parameters without a value ---------------------------------------------------------- */

/* The name that the reference which ends before pc is one of, or of elements of which; 0: it is
 * none, or a member of something. */
static uint32_t
name_before(const DaeReader *reader, uint32_t pc)
{
  const DaeInstruction *last = dae_syntax_code(reader->syntax, pc - 1);
  if (last->op == DAE_OP_NAME || last->op == DAE_OP_ELEMENT) {
    return last->arg;
  }
  const uint32_t *path = last->op == DAE_OP_TARGET
                             ? &g_array_index(reader->syntax->paths, uint32_t, last->arg)
                             : NULL;
  return path != NULL && path[0] == 1 ? path[1] : 0;
}

/* What initial sections give a value: x = e, x := e, guess(x) = e. */
static void
collect_targets(const DaeReader *reader, const DaeSection *section, GHashTable *names)
{
  uint32_t pc = section->code;
  for (; dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN; pc++) {
    uint32_t op = dae_syntax_code(reader->syntax, pc)->op;
    if (op == DAE_OP_EQUATION || op == DAE_OP_ASSIGN) {
      uint32_t right = dae_syntax_skip_back(reader->syntax, pc, 1);
      g_hash_table_add(names, GUINT_TO_POINTER(name_before(reader, right)));
    }
  }
  if (section->is_guess) {
    uint32_t right = dae_syntax_skip_back(reader->syntax, pc, 1);
    g_hash_table_add(names, GUINT_TO_POINTER(name_before(reader, right)));
  }
}

bool
dae_base_is_free(DaeReader *reader, const DaeEntity *entity)
{
  if (!reader->syntax->is_base || entity->kind != DAE_ENTITY_PARAMETER) {
    return false;
  }
  if (reader->initial_targets == NULL) {
    reader->initial_targets = g_hash_table_new(NULL, NULL);
    for (uint32_t i = 0; i < reader->syntax->sections->len; i++) {
      const DaeSection *section = &g_array_index(reader->syntax->sections, DaeSection, i);
      if (section->owner == reader->model && (section->is_guess || section->is_initial)) {
        collect_targets(reader, section, reader->initial_targets);
      }
    }
  }
  return g_hash_table_contains(reader->initial_targets, GUINT_TO_POINTER(entity->name));
}

/* ---- functions --------------------------------------------------------------------------- */

/* Exactly equal parameters, such as those of connectors that were connected. */
static DaeValue
equal_parameters(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  bool good = n == 2;
  for (uint32_t i = 0; good && i < 2; i++) {
    good = dae_value_is_numeric(&arguments[i]) && arguments[i].n_dims == 0 &&
           (arguments[i].opaque || dae_term_is_parametric(reader->terms, arguments[i].term));
  }
  if (!good) {
    dae_source_error(reader->source, pos, "'realParameterEqual' takes two parameters");
    return dae_value_poison();
  }
  DaeValue equal = dae_value_scalar(DAE_VALUE_BOOLEAN, DAE_NO_TERM);
  equal.opaque = arguments[0].opaque || arguments[1].opaque;
  if (!equal.opaque) {
    equal.term =
        dae_term_relation(reader->terms, DAE_REL_EQ, arguments[0].term, arguments[1].term);
  }
  return equal;
}

/* constsize(a, n1, n2) or constsize(a, {n1, n2}): a, which has these as its first sizes. */
static DaeValue
check_sizes(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  bool is_list = n == 2 && arguments[1].n_dims == 1;
  uint32_t n_sizes = is_list ? arguments[1].count : n - 1;
  bool good = n_sizes <= arguments[0].n_dims;
  for (uint32_t d = 0; good && d < n_sizes; d++) {
    int64_t size = 0;
    if (!dae_reader_integer(reader, &arguments[is_list ? 1 : d + 1], is_list ? d : 0, pos,
                            &size)) {
      return dae_value_poison();
    }
    good = arguments[0].dims[d] == size;
  }
  if (!good) {
    g_autofree char *text = dae_value_size_text(&arguments[0]);
    dae_source_error(reader->source, pos, "the array has size %s, not that of 'constsize'",
                     text);
    return dae_value_poison();
  }
  return arguments[0];
}

DaeValue
dae_base_apply(DaeReader *reader, const char *name, const DaeValue *arguments, uint32_t n,
               uint32_t pos, bool *found)
{
  *found = true;
  if (strcmp(name, "guess") == 0 && n == 1) {
    return guess_of(reader, &arguments[0], pos);
  }
  if (strcmp(name, "prioritize") == 0 && n == 2) {
    return arguments[0]; /* a hint for tools that choose; here nothing is left to choose */
  }
  if ((strcmp(name, "pure") == 0 || strcmp(name, "unbox") == 0) && n == 1) {
    return arguments[0]; /* unbox(f(#(x))): OpenModelica's text of calls of arguments */
  }
  if (strcmp(name, "realParameterEqual") == 0) {
    return equal_parameters(reader, arguments, n, pos);
  }
  if (strcmp(name, "constsize") == 0 && n > 1) {
    return check_sizes(reader, arguments, n, pos);
  }
  *found = false;
  return dae_value_poison();
}
