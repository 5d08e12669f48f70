/* Routines as print_routines.c writes them, read back: the parts of the text are the parts of
 * the routine, and the name in the text is its name, so that printing it again gives the same
 * text.
 *
 *     function 'f.loop#1'
 *       input Integer k; input Real $1, ...; output Real y;
 *     protected Real $2, next1, ...;
 *     algorithm
 *       $2 := initial; while condition loop next1 := ...; $2 := next1; end while;
 *       if k == 1 then y := ...; end if;
 *       annotation(__daetool(routine = 1));
 *
 * The number in the annotation is that of the outputs. */
#include "reader/natives.h"

#include <string.h>

#include "terms/routines.h"

#define MOST_OUTPUTS 1000000u

typedef struct {
  DaeReader *reader;
  uint32_t class, number;
  uint32_t first;          /* local of the first member */
  uint32_t k, y;           /* locals of the number of the output and of its value */
  GArray *inputs, *states; /* DaeTerm: formals */
  GArray *locals;          /* uint32_t: of the states */
  GArray *initial, *next;  /* DaeTerm */
  GArray *outputs;         /* DaeTerm */
  DaeTerm condition;
} Printed;

/* The number of its outputs; 0: it is no such function. */
static uint32_t
count_outputs(const DaeReader *reader, uint32_t class)
{
  const DaeModification *m = dae_call_annotation(reader, class, "__daetool");
  uint32_t routine = dae_names_find(reader->names, "routine", strlen("routine"));
  for (uint32_t i = 1; m != NULL && routine != 0 && i <= m->n_inner; i++) {
    if (m[i].name == routine && m[i].code != 0 &&
        dae_syntax_code(reader->syntax, m[i].code)->op == DAE_OP_NUMBER) {
      const char *text =
          dae_names_text(reader->names, dae_syntax_code(reader->syntax, m[i].code)->arg);
      return (uint32_t)MIN(g_ascii_strtoull(text, NULL, 10), MOST_OUTPUTS);
    }
  }
  return 0;
}

bool
dae_printed_is_routine(const DaeReader *reader, uint32_t class)
{
  return count_outputs(reader, class) > 0;
}

static const char *
member_name(const DaeReader *reader, uint32_t member)
{
  return dae_names_text(reader->names, dae_syntax_declaration(reader->syntax, member)->name);
}

static const char *
class_name(const DaeReader *reader, uint32_t class)
{
  return dae_names_text(reader->names, dae_syntax_class(reader->syntax, class)->name);
}

static bool
is_input(const DaeReader *reader, uint32_t member)
{
  return (dae_syntax_declaration(reader->syntax, member)->flags & DAE_FLAG_INPUT) != 0;
}

static bool
fail(DaeReader *reader, uint32_t class)
{
  dae_source_error(reader->source, dae_syntax_class(reader->syntax, class)->pos,
                   "'%s' has not the form of a routine that 'show' prints",
                   class_name(reader, class));
  return false;
}

/* ---- parts ------------------------------------------------------------------------------- */

static void
set_local(const Printed *p, uint32_t local, DaeValueType type, DaeTerm t)
{
  const DaeValue value = dae_value_scalar(type, t);
  dae_local_set(p->reader, local, &value);
}

static void
set_states(const Printed *p)
{
  for (uint32_t s = 0; s < p->states->len; s++) {
    set_local(p, g_array_index(p->locals, uint32_t, s), DAE_VALUE_REAL,
              g_array_index(p->states, DaeTerm, s));
  }
}

/* False: one has no value. */
static bool
take_states(const Printed *p, GArray *list)
{
  for (uint32_t s = 0; s < p->locals->len; s++) {
    const DaeLocal *local = dae_local(p->reader, g_array_index(p->locals, uint32_t, s));
    if (local->data == NULL || local->data[0] == DAE_NO_TERM) {
      return false;
    }
    g_array_append_val(list, local->data[0]);
  }
  return true;
}

static bool
take_condition(Printed *p)
{
  GArray *stack = p->reader->stack;
  DaeValue condition = g_array_index(stack, DaeValue, stack->len - 1);
  dae_chain_finish(p->reader, &condition);
  g_array_set_size(stack, stack->len - 1);
  p->condition = condition.term;
  return condition.type == DAE_VALUE_BOOLEAN && condition.n_dims == 0 && !condition.opaque;
}

/* The loop at `head`; the states have their values before it. */
static bool
run_loop(Printed *p, uint32_t from, uint32_t head)
{
  DaeReader *reader = p->reader;
  uint32_t end = head + dae_syntax_code(reader->syntax, head)->arg - 1;
  uint32_t condition = end - dae_syntax_code(reader->syntax, end)->arg;
  if (!dae_statements_run_to(reader, from, condition) || !take_states(p, p->initial)) {
    return false;
  }
  set_states(p);
  return dae_statements_run_to(reader, condition, head) && take_condition(p) &&
         dae_statements_run_to(reader, head + 1, end) && take_states(p, p->next);
}

static bool
run_outputs(const Printed *p, uint32_t from, uint32_t n)
{
  DaeReader *reader = p->reader;
  set_states(p);
  for (uint32_t k = 1; k <= n; k++) {
    set_local(p, p->k, DAE_VALUE_INTEGER, dae_term_int(reader->terms, k));
    if (!dae_statements_run(reader, from)) {
      return false;
    }
    const DaeLocal *y = dae_local(reader, p->y);
    if (y->data == NULL || y->data[0] == DAE_NO_TERM) {
      return false;
    }
    g_array_append_val(p->outputs, y->data[0]);
  }
  return true;
}

/* Where its loop begins, and where the outputs do. */
static uint32_t
find_loop(const DaeReader *reader, uint32_t from, uint32_t *after)
{
  for (uint32_t pc = from; dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN; pc++) {
    const DaeInstruction *instruction = dae_syntax_code(reader->syntax, pc);
    if (instruction->op == DAE_OP_WHILE) {
      *after = pc + instruction->arg;
      return pc;
    }
  }
  *after = from;
  return 0;
}

static uint32_t
code_of(const DaeReader *reader, uint32_t class)
{
  for (uint32_t i = 0; i < reader->syntax->sections->len; i++) {
    const DaeSection *section = &g_array_index(reader->syntax->sections, DaeSection, i);
    if (section->owner == class) {
      return section->code;
    }
  }
  return 0;
}

static bool
run_parts(Printed *p, uint32_t n_outputs)
{
  uint32_t after = 0;
  uint32_t code = code_of(p->reader, p->class);
  uint32_t head = code != 0 ? find_loop(p->reader, code, &after) : 0;
  return code != 0 && (head != 0) == (p->states->len > 0) &&
         (head == 0 || run_loop(p, code, head)) && run_outputs(p, after, n_outputs);
}

/* ---- one routine ------------------------------------------------------------------------- */

/* Formals for the inputs and states; given: by member. */
static bool
sort_members(Printed *p, const DaeValue **given)
{
  DaeReader *reader = p->reader;
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, p->class, &n);
  bool has_k = false;
  bool has_y = false;
  for (uint32_t i = 0; i < n; i++) {
    const char *name = member_name(reader, members[i]);
    DaeValue *value = dae_arena_alloc(reader->scratch, sizeof *value);
    if (is_input(reader, members[i])) {
      bool is_k = strcmp(name, "k") == 0;
      DaeTerm t = is_k ? dae_term_int(reader->terms, 1) : dae_trace_formal(reader);
      *value = dae_value_scalar(is_k ? DAE_VALUE_INTEGER : DAE_VALUE_REAL, t);
      given[i] = value;
      if (is_k) {
        p->k = i;
        has_k = true;
      } else {
        g_array_append_val(p->inputs, t);
      }
    } else if (*name == '$') {
      DaeTerm formal = dae_trace_formal(reader);
      g_array_append_val(p->states, formal);
      g_array_append_val(p->locals, i);
    } else if (strcmp(name, "y") == 0) {
      p->y = i;
      has_y = true;
    }
  }
  return has_k && has_y && p->inputs->len > 0;
}

static void
place_locals(Printed *p)
{
  const GArray *scopes = p->reader->scopes;
  p->first = g_array_index(scopes, DaeScope, scopes->len - 1).first_local;
  p->k += p->first;
  p->y += p->first;
  for (uint32_t s = 0; s < p->locals->len; s++) {
    g_array_index(p->locals, uint32_t, s) += p->first;
  }
}

static const DaeTerm *
terms_of(const GArray *list)
{
  return (const DaeTerm *)(const void *)list->data;
}

/* Only what is computed from the formals can be a part. */
static bool
is_closed(const Printed *p)
{
  DaeTerms *terms = p->reader->terms;
  const GArray *const lists[] = {p->initial, p->next, p->outputs};
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (size_t l = 0; l < G_N_ELEMENTS(lists); l++) {
    for (uint32_t i = 0; i < lists[l]->len; i++) {
      DaeTerm t = g_array_index(lists[l], DaeTerm, i);
      dae_term_collect_variables(terms, t, atoms);
      dae_term_collect_parameters(terms, t, atoms);
      if (dae_term_contains(terms, t, dae_term_time(terms))) {
        return false;
      }
    }
  }
  if (p->states->len > 0) {
    dae_term_collect_variables(terms, p->condition, atoms);
    dae_term_collect_parameters(terms, p->condition, atoms);
  }
  for (uint32_t i = 0; i < atoms->len; i++) {
    bool is_own = false;
    for (uint32_t k = 0; k < p->inputs->len + p->states->len && !is_own; k++) {
      is_own = g_array_index(atoms, DaeTerm, i) ==
               (k < p->inputs->len ? g_array_index(p->inputs, DaeTerm, k)
                                   : g_array_index(p->states, DaeTerm, k - p->inputs->len));
    }
    if (!is_own) {
      return false;
    }
  }
  return true;
}

static bool
define(Printed *p, uint32_t n_outputs, uint32_t pos)
{
  DaeReader *reader = p->reader;
  uint32_t n = 0;
  dae_call_members(reader, p->class, &n);
  const DaeValue **given = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof *given);
  memset(given, 0, MAX(n, 1u) * sizeof *given);
  if (!sort_members(p, given)) {
    return fail(reader, p->class);
  }
  bool is_begun = dae_call_begin_scope(reader, p->class, given, pos);
  place_locals(p);
  bool good = is_begun && run_parts(p, n_outputs);
  dae_scope_leave(reader);
  if (!good || !is_closed(p)) {
    return is_begun ? fail(reader, p->class) : false;
  }
  DaeRoutine routine = {.inputs = terms_of(p->inputs),
                        .states = terms_of(p->states),
                        .initial = terms_of(p->initial),
                        .next = terms_of(p->next),
                        .outputs = terms_of(p->outputs),
                        .condition = p->states->len > 0 ? p->condition : DAE_NO_TERM,
                        .n_inputs = p->inputs->len,
                        .n_states = p->states->len,
                        .n_outputs = n_outputs};
  dae_terms_define_routine(reader->terms, p->number, &routine);
  return true;
}

static bool
trace(Printed *p, uint32_t n_outputs, uint32_t pos)
{
  DaeReader *reader = p->reader;
  GArray **const lists[] = {&p->inputs,  &p->states, &p->locals,
                            &p->initial, &p->next,   &p->outputs};
  DaeTraceMark mark;
  uint32_t epoch = reader->epoch;
  uint32_t changes = reader->changes->len;
  for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
    *lists[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  }
  dae_trace_begin(reader, &mark);
  reader->epoch = ++reader->last_epoch;
  bool good = define(p, n_outputs, pos);
  reader->epoch = epoch;
  g_array_set_size(reader->changes, changes);
  dae_trace_end(reader, &mark);
  for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
    g_array_free(*lists[i], TRUE);
  }
  return good;
}

static uint32_t
count_inputs(const DaeReader *reader, uint32_t class)
{
  uint32_t n = 0;
  uint32_t count = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  for (uint32_t i = 0; i < n; i++) {
    count += is_input(reader, members[i]) ? 1 : 0;
  }
  return count;
}

/* method = "NAME SIZES STEPS": the name, six sizes and the numbers of the outputs that are
 * steps. */
static bool
find_method(const DaeReader *reader, uint32_t class, uint32_t n_inputs, uint32_t n_outputs,
            DaeMethod *method, uint8_t *is_step)
{
  const DaeModification *m = dae_call_annotation(reader, class, "__daetool");
  uint32_t word = dae_names_find(reader->names, "method", strlen("method"));
  const char *text = NULL;
  for (uint32_t i = 1; m != NULL && word != 0 && i <= m->n_inner; i++) {
    if (m[i].name == word && m[i].code != 0 &&
        dae_syntax_code(reader->syntax, m[i].code)->op == DAE_OP_STRING) {
      text = dae_names_text(reader->names, dae_syntax_code(reader->syntax, m[i].code)->arg);
    }
  }
  g_auto(GStrv) words = g_strsplit(text != NULL ? text : "", " ", -1);
  int sizes[DAE_METHOD_SIZES];
  if (g_strv_length(words) <= DAE_METHOD_SIZES) {
    return false;
  }
  for (uint32_t i = 0; i < DAE_METHOD_SIZES; i++) {
    sizes[i] = (int)CLAMP(g_ascii_strtoll(words[i + 1], NULL, 10), -1000, 1000);
  }
  for (char **step = words + 1 + DAE_METHOD_SIZES; *step != NULL; step++) {
    guint64 k = g_ascii_strtoull(*step, NULL, 10);
    if (k >= 1 && k <= n_outputs) {
      is_step[k - 1] = 1;
    }
  }
  return dae_matrix_method(words[0], sizes, method) && method->n_inputs == n_inputs &&
         method->n_outputs == n_outputs;
}

/* Its number; it is made when first called. False: reported. */
static bool
find_number(DaeReader *reader, uint32_t class, uint32_t pos, uint32_t *number)
{
  uint32_t known =
      GPOINTER_TO_UINT(g_hash_table_lookup(reader->printed, GUINT_TO_POINTER(class)));
  uint32_t n_inputs = count_inputs(reader, class);
  uint32_t n_outputs = count_outputs(reader, class);
  if (known != 0) {
    *number = known - 1;
    return true;
  }
  if (n_inputs < 2) {
    return fail(reader, class);
  }
  Printed p = {.reader = reader, .class = class};
  if (dae_syntax_class(reader->syntax, class)->external != 0) {
    g_autofree uint8_t *is_step = g_new0(uint8_t, n_outputs);
    DaeMethod method;
    bool is_method = find_method(reader, class, n_inputs - 1, n_outputs, &method, is_step);
    p.number = is_method
                   ? dae_terms_add_method_routine(reader->terms, class_name(reader, class),
                                                  &method, is_step)
                   : dae_terms_add_unknown_routine(reader->terms, class_name(reader, class),
                                                   n_inputs - 1, n_outputs, is_step);
  } else {
    p.number = dae_terms_declare_routine(reader->terms, class_name(reader, class), n_inputs - 1,
                                         n_outputs);
  }
  dae_terms_keep_routine_name(reader->terms, p.number);
  if (dae_terms_routine_method(reader->terms, p.number) != NULL) {
    dae_method_derive(reader, p.number);
  }
  g_hash_table_insert(reader->printed, GUINT_TO_POINTER(class), GUINT_TO_POINTER(p.number + 1));
  *number = p.number;
  if (dae_syntax_class(reader->syntax, class)->external == 0 && !trace(&p, n_outputs, pos)) {
    g_hash_table_remove(reader->printed, GUINT_TO_POINTER(class));
    return false;
  }
  return true;
}

DaeValue
dae_printed_call(DaeReader *reader, uint32_t class, const DaeValue *const *given, uint32_t pos)
{
  uint32_t n = 0;
  uint32_t number = 0;
  int64_t k = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  g_autoptr(GArray) arguments = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < n; i++) {
    if (!is_input(reader, members[i])) {
      continue;
    }
    if (given[i] == NULL || given[i]->n_dims > 0 || given[i]->opaque ||
        given[i]->type > DAE_VALUE_BOOLEAN) {
      dae_source_error(reader->source, pos, "argument '%s' of '%s' is %s",
                       member_name(reader, members[i]), class_name(reader, class),
                       given[i] == NULL ? "missing" : "no number");
      return dae_value_poison();
    }
    if (strcmp(member_name(reader, members[i]), "k") != 0) {
      DaeTerm t = dae_formal_number(reader, (uint8_t)given[i]->type, given[i]->term);
      g_array_append_val(arguments, t);
    } else if (!dae_reader_integer(reader, given[i], 0, pos, &k)) {
      return dae_value_poison();
    }
  }
  if (!find_number(reader, class, pos, &number)) {
    return dae_value_poison();
  }
  if (k < 1 || k > count_outputs(reader, class)) {
    dae_source_error(reader->source, pos, "'%s' has %u results, there is none of number %d",
                     class_name(reader, class), count_outputs(reader, class), (int)k);
    return dae_value_poison();
  }
  return dae_value_scalar(
      DAE_VALUE_REAL,
      dae_term_routine(reader->terms, number, (uint32_t)k - 1, terms_of(arguments)));
}
