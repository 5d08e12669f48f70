/* Calls of the user's functions: arguments to their places, the body executed on terms,
 * results.
 *
 * A call with known arguments is evaluated by the same execution, since terms of numbers are
 * numbers. What is too long or depends on values at run time (a while-loop) is given up
 * here. */
#include "reader/calls.h"

#include <string.h>

#include "base/suggest.h"

#define MAX_DEPTH 200u             /* calls inside calls */
#define MAX_STEPS 2000000u         /* instructions of one call */
#define MAX_STEPS_MODEL 200000000u /* of all calls */

static const char *
class_name(const DaeReader *reader, uint32_t class)
{
  return dae_names_text(reader->names, dae_syntax_class(reader->syntax, class)->name);
}

/* ---- budget ---------------------------------------------------------------------------- */

uint32_t
dae_call_count_inputs(const DaeReader *reader, uint32_t class)
{
  uint32_t n = 0;
  uint32_t count = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    count += (d->flags & DAE_FLAG_INPUT) != 0 ? 1 : 0;
  }
  return count;
}

void
dae_call_give_up(DaeReader *reader, uint32_t pos, const char *why)
{
  if (reader->surrender == NULL) {
    reader->surrender = why;
    reader->surrender_pos = pos;
  }
}

bool
dae_call_count(DaeReader *reader, uint32_t pos)
{
  reader->all_steps++;
  if (reader->most_terms != 0 && dae_terms_count(reader->terms) > reader->most_terms) {
    reader->is_beyond = true;
    dae_call_give_up(reader, pos, "this function makes too many terms of Integer parameters");
    return false;
  }
  if (++reader->call_steps > MAX_STEPS || reader->all_steps > MAX_STEPS_MODEL) {
    dae_call_give_up(reader, pos,
                     "this function takes too many operations at translation (2 000 000 in a "
                     "call): is there a loop without end?");
    return false;
  }
  return true;
}

/* ---- finding functions ----------------------------------------------------------------- */

uint32_t
dae_call_find(const DaeReader *reader, uint32_t name)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(reader->functions, GUINT_TO_POINTER(name)));
}

static void
add_name(DaeReader *reader, GHashTable *table, const char *text, uint32_t class)
{
  uint32_t name = dae_names_intern(reader->names, text, strlen(text));
  if (!g_hash_table_contains(table, GUINT_TO_POINTER(name))) {
    g_hash_table_insert(table, GUINT_TO_POINTER(name), GUINT_TO_POINTER(class));
  }
}

/* `.A.P.f`, where the text has it (Modelica 3.6, 5.3.3): looked up from the top. */
static void
add_global_name(DaeReader *reader, GHashTable *table, const char *full, uint32_t class)
{
  g_autofree char *text = g_strconcat(".", full, NULL);
  if (dae_names_find(reader->names, text, strlen(text)) != 0) {
    add_name(reader, table, text, class);
  }
}

/* Its own name where its parent encloses the model; P.f, A.P.f ... where theirs do. */
static void
register_names(DaeReader *reader, GHashTable *table, uint32_t class)
{
  g_autoptr(GString) text = g_string_new(class_name(reader, class));
  uint32_t parent = dae_syntax_class(reader->syntax, class)->parent;
  for (;;) {
    if (dae_syntax_encloses(reader->syntax, parent, reader->model)) {
      add_name(reader, table, text->str, class);
    }
    if (parent == 0) {
      add_global_name(reader, table, text->str, class);
      return;
    }
    g_string_prepend_c(text, '.');
    g_string_prepend(text, class_name(reader, parent));
    parent = dae_syntax_class(reader->syntax, parent)->parent;
  }
}

static void
free_list(gpointer list)
{
  if (list != NULL) {
    g_array_unref(list);
  }
}

static void
list_parts(DaeReader *reader)
{
  uint32_t n = reader->syntax->classes->len;
  reader->members = g_ptr_array_new_with_free_func(free_list);
  g_ptr_array_set_size(reader->members, (int)n);
  for (uint32_t i = 1; i < reader->syntax->declarations->len; i++) {
    const DaeDeclaration *declaration = dae_syntax_declaration(reader->syntax, i);
    if (declaration->owner == 0 || declaration->owner == reader->model ||
        (declaration->flags & DAE_FLAG_IN_MODIFIER) != 0) {
      continue; /* those of modifiers have no owner */
    }
    DaeClassKind kind = dae_syntax_class(reader->syntax, declaration->owner)->kind;
    if (kind != DAE_CLASS_FUNCTION && kind != DAE_CLASS_RECORD) {
      continue;
    }
    GArray *list = g_ptr_array_index(reader->members, declaration->owner);
    if (list == NULL) {
      list = g_array_new(FALSE, FALSE, sizeof(uint32_t));
      g_ptr_array_index(reader->members, declaration->owner) = list;
    }
    g_array_append_val(list, i);
  }
}

/* A name that a function or record declares twice. */
static void
check_members(DaeReader *reader, uint32_t class)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    if (!g_hash_table_add(known, GUINT_TO_POINTER(d->name))) {
      dae_source_error(reader->source, d->pos, "'%s' is declared twice in '%s'",
                       dae_names_text(reader->names, d->name), class_name(reader, class));
      g_array_index(reader->syntax->classes, DaeClass, class).flags |= DAE_FLAG_BROKEN;
    }
  }
}

void
dae_call_register(DaeReader *reader)
{
  dae_record_take_constructors(reader);
  list_parts(reader);
  for (uint32_t i = 1; i < reader->syntax->classes->len; i++) {
    DaeClassKind kind = dae_syntax_class(reader->syntax, i)->kind;
    if (kind == DAE_CLASS_FUNCTION) {
      check_members(reader, i);
      register_names(reader, reader->functions, i);
    } else if (kind == DAE_CLASS_RECORD) {
      register_names(reader, reader->records, i);
    }
  }
}

/* Declarations of a function or record, in order. */
const uint32_t *
dae_call_members(const DaeReader *reader, uint32_t class, uint32_t *n)
{
  const GArray *list = g_ptr_array_index(reader->members, class);
  *n = list != NULL ? list->len : 0;
  return list != NULL ? (const uint32_t *)(const void *)list->data : NULL;
}

/* ---- arguments ------------------------------------------------------------------------- */

static bool
is_input(const DaeReader *reader, uint32_t class, uint32_t declaration)
{
  const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, declaration);
  if (dae_syntax_class(reader->syntax, class)->kind == DAE_CLASS_RECORD) {
    bool is_fixed = (d->flags & (DAE_FLAG_CONSTANT | DAE_FLAG_FINAL)) != 0 && d->binding != 0;
    return (d->flags & DAE_FLAG_PROTECTED) == 0 && !is_fixed; /* [Modelica, 12.6] */
  }
  return (d->flags & DAE_FLAG_INPUT) != 0;
}

static bool
fail_named(DaeReader *reader, uint32_t class, uint32_t name, uint32_t pos)
{
  const char *text = dae_names_text(reader->names, name);
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, text);
  for (uint32_t i = 0; i < n; i++) {
    if (is_input(reader, class, members[i])) {
      dae_suggest_try(&suggest,
                      dae_names_text(reader->names,
                                     dae_syntax_declaration(reader->syntax, members[i])->name));
    }
  }
  dae_source_error(reader->source, pos, "'%s' has no argument '%s'%s%s%s",
                   class_name(reader, class), text,
                   suggest.best != NULL ? "; did you mean '" : "",
                   suggest.best != NULL ? suggest.best : "", suggest.best != NULL ? "'?" : "");
  return false;
}

/* A record constructor with a value for every member, constants too, as OpenModelica exports
 * them: the constants keep their own values. Their number; 0: it is none. */
static uint32_t
count_constants_given(const DaeReader *reader, uint32_t class, const DaeValue *arguments,
                      uint32_t n)
{
  uint32_t n_members = 0;
  uint32_t constants = 0;
  const uint32_t *members = dae_call_members(reader, class, &n_members);
  bool all_by_place = dae_syntax_class(reader->syntax, class)->kind == DAE_CLASS_RECORD;
  for (uint32_t k = 0; k < n; k++) {
    all_by_place = all_by_place && arguments[k].name == 0;
  }
  for (uint32_t i = 0; i < n_members; i++) {
    constants += is_input(reader, class, members[i]) ? 0 : 1;
  }
  return all_by_place && n == n_members ? constants : 0;
}

/* given[i] is the argument of member i, or NULL. */
static bool
place_arguments(DaeReader *reader, uint32_t class, const DaeValue *arguments, uint32_t n,
                const DaeValue **given, uint32_t pos)
{
  uint32_t n_members = 0;
  const uint32_t *members = dae_call_members(reader, class, &n_members);
  uint32_t next = 0;
  bool has_constants = count_constants_given(reader, class, arguments, n) > 0;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = next;
    if (has_constants && !is_input(reader, class, members[k])) {
      next = k + 1;
      continue;
    }
    if (arguments[k].name != 0) {
      for (at = 0; at < n_members; at++) {
        if (dae_syntax_declaration(reader->syntax, members[at])->name == arguments[k].name &&
            is_input(reader, class, members[at])) {
          break;
        }
      }
      if (at == n_members) {
        return fail_named(reader, class, arguments[k].name, pos);
      }
    } else {
      while (at < n_members && (!is_input(reader, class, members[at]) ||
                                (given[at] != NULL && given[at]->is_bound))) {
        at++;
      }
      next = at + 1;
    }
    if (at >= n_members) {
      dae_source_error(reader->source, pos, "'%s' takes fewer than %u arguments",
                       class_name(reader, class), n);
      return false;
    }
    if (given[at] != NULL) {
      dae_source_error(
          reader->source, pos, "argument '%s' of '%s' is given twice",
          dae_names_text(reader->names,
                         dae_syntax_declaration(reader->syntax, members[at])->name),
          class_name(reader, class));
      return false;
    }
    given[at] = dae_call_name_bound(reader, members[at], &arguments[k]);
  }
  return true;
}

/* Enters the scope of the class with its arguments. False: reported; the scope is entered
 * all the same. */
bool
dae_call_begin_scope(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                     uint32_t pos)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  uint32_t first = dae_scope_enter(reader, class, false)->first_local;
  bool is_record = dae_syntax_class(reader->syntax, class)->kind == DAE_CLASS_RECORD;
  for (uint32_t i = 0; i < n; i++) {
    dae_scope_add_local(reader, dae_syntax_declaration(reader->syntax, members[i])->name,
                        members[i]);
  }
  for (uint32_t i = 0; i < n; i++) {
    if (given[i] != NULL) {
      dae_local_set(reader, first + i, given[i]);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    if (given[i] == NULL && is_input(reader, class, members[i]) && d->binding == 0 &&
        !is_record) {
      dae_source_error(reader->source, pos, "argument '%s' of '%s' is missing",
                       dae_names_text(reader->names, d->name), class_name(reader, class));
      return false;
    }
    if (given[i] != NULL && !dae_local_begin(reader, first + i, given[i], pos)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_local_begin(reader, first + i, NULL, pos)) {
      return false;
    }
    dae_local(reader, first + i)->is_fixed = !is_record && is_input(reader, class, members[i]);
  }
  return true;
}

/* ---- records --------------------------------------------------------------------------- */

/* Constants of a record that have a value in its class are no part of its values. */
static bool
is_stored(const DaeReader *reader, uint32_t declaration)
{
  const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, declaration);
  return (d->flags & DAE_FLAG_CONSTANT) == 0 || d->binding == 0;
}

static DaeValue
construct(DaeReader *reader, uint32_t class, const DaeValue *const *given, bool must_be_whole,
          uint32_t pos)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  DaeValue result = dae_value_poison();
  if (reader->scopes->len >= MAX_DEPTH) {
    dae_source_error(reader->source, pos, "records inside records without end");
    return result;
  }
  bool good = dae_call_begin_scope(reader, class, given, pos);
  uint32_t first = g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).first_local;
  DaeValue *values = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof(DaeValue));
  uint32_t *names = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof(uint32_t));
  uint32_t k = 0;
  for (uint32_t i = 0; good && i < n; i++) {
    if (!is_stored(reader, members[i])) {
      continue;
    }
    names[k] = dae_syntax_declaration(reader->syntax, members[i])->name;
    values[k] = dae_local_load(reader, first + i, pos);
    good = values[k].type != DAE_VALUE_POISON;
    if (good && must_be_whole && values[k].is_incomplete) {
      dae_source_error(reader->source, pos, "member '%s' of '%s' has no value",
                       dae_names_text(reader->names, names[k]), class_name(reader, class));
      good = false;
    }
    k++;
  }
  if (good) {
    result = dae_record_pack(reader, class, names, values, k);
  }
  dae_scope_leave(reader);
  return result;
}

/* A constant of the record class; poison without a report: it has none of this name. */
DaeValue
dae_record_constant(DaeReader *reader, uint32_t class, uint32_t name, uint32_t pos)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  uint32_t at = 0;
  while (at < n && (is_stored(reader, members[at]) ||
                    dae_syntax_declaration(reader->syntax, members[at])->name != name)) {
    at++;
  }
  DaeValue result = dae_value_poison();
  if (at == n || reader->scopes->len >= MAX_DEPTH) {
    return result;
  }
  const DaeValue **given = dae_arena_alloc(reader->scratch, n * sizeof *given);
  memset(given, 0, n * sizeof *given);
  if (dae_call_begin_scope(reader, class, given, pos)) {
    uint32_t first =
        g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1).first_local;
    result = dae_local_load(reader, first + at, pos);
  }
  dae_scope_leave(reader);
  return result;
}

static DaeValue
construct_with(DaeReader *reader, uint32_t class, const DaeValue *arguments, uint32_t n,
               bool must_be_whole, uint32_t pos)
{
  uint32_t n_members = 0;
  dae_call_members(reader, class, &n_members);
  const DaeValue **given = dae_arena_alloc(reader->scratch, MAX(n_members, 1u) * sizeof *given);
  memset(given, 0, MAX(n_members, 1u) * sizeof *given);
  if (!place_arguments(reader, class, arguments, n, given, pos)) {
    return dae_value_poison();
  }
  return construct(reader, class, given, must_be_whole, pos);
}

DaeValue
dae_record_default(DaeReader *reader, uint32_t class, const DaeValue *arguments, uint32_t n,
                   uint32_t pos)
{
  return construct_with(reader, class, arguments, n, false, pos);
}

DaeValue
dae_record_nothing(DaeReader *reader, uint32_t name, uint32_t pos)
{
  uint32_t class =
      name != 0 ? GPOINTER_TO_UINT(g_hash_table_lookup(reader->records, GUINT_TO_POINTER(name)))
                : 0;
  DaeValue one =
      class != 0 ? dae_record_default(reader, class, NULL, 0, pos) : dae_value_poison();
  uint32_t none = 0;
  return one.type == DAE_VALUE_RECORD ? dae_value_like(reader, &one, 1, &none, one.data, 0)
                                      : dae_array_construct(reader, NULL, 0, pos);
}

DaeValue
dae_record_construct(DaeReader *reader, uint32_t class, const DaeValue *arguments, uint32_t n,
                     uint32_t pos)
{
  return construct_with(reader, class, arguments, n, true, pos);
}

/* ---- element by element ---------------------------------------------------------------- */

/* How many dimensions more than declared the arguments have; the arrays must agree in them.
 * False: reported. */
static bool
extra_dimensions(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                 uint32_t *n_extra, const uint32_t **dims, uint32_t pos)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  *n_extra = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (given[i] == NULL) {
      continue;
    }
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    uint32_t declared = d->n_dims + d->n_type_dims;
    if (declared >= given[i]->n_dims || dae_scope_type_has_dims(reader, d->type) ||
        given[i]->type == DAE_VALUE_FUNCTION) {
      continue;
    }
    uint32_t extra = given[i]->n_dims - declared;
    bool fits = *n_extra == 0 || extra == *n_extra;
    for (uint32_t k = 0; fits && *n_extra != 0 && k < extra; k++) {
      fits = given[i]->dims[k] == (*dims)[k];
    }
    if (!fits) {
      dae_source_error(reader->source, pos,
                       "the arrays in this call of '%s' have different sizes",
                       class_name(reader, class));
      return false;
    }
    *n_extra = extra;
    *dims = given[i]->dims;
  }
  return true;
}

static DaeValue
run_elements(DaeReader *reader, uint32_t class, const DaeValue **given, uint32_t n_extra,
             const uint32_t *dims, uint32_t pos)
{
  uint32_t n = 0;
  uint32_t count = 1;
  const uint32_t *members = dae_call_members(reader, class, &n);
  for (uint32_t d = 0; d < n_extra; d++) {
    count *= dims[d];
  }
  DaeValue *results = dae_arena_alloc(reader->scratch, MAX(count, 1u) * sizeof(DaeValue));
  DaeValue *elements = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof(DaeValue));
  const DaeValue **one = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof *one);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < n; k++) {
      const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[k]);
      bool split = given[k] != NULL && given[k]->type != DAE_VALUE_FUNCTION &&
                   given[k]->n_dims > d->n_dims + d->n_type_dims &&
                   !dae_scope_type_has_dims(reader, d->type);
      if (split) {
        elements[k] = dae_value_part(reader, given[k], n_extra, i);
      }
      one[k] = split ? &elements[k] : given[k];
    }
    results[i] = dae_cases_call(reader, class, one, pos);
    results[i].n_outputs = 0;
    if (results[i].type == DAE_VALUE_POISON) {
      return results[i];
    }
  }
  DaeValue flat = dae_array_construct(reader, results, count, pos);
  if (flat.type == DAE_VALUE_POISON || n_extra == 1) {
    return flat;
  }
  uint32_t all[DAE_MAX_DIMENSIONS];
  uint32_t n_all = n_extra + flat.n_dims - 1;
  for (uint32_t d = 0; d < n_all && n_all <= DAE_MAX_DIMENSIONS; d++) {
    all[d] = d < n_extra ? dims[d] : flat.dims[d - n_extra + 1];
  }
  return n_all > DAE_MAX_DIMENSIONS
             ? dae_value_poison()
             : dae_value_like(reader, &flat, n_all, all, flat.data, flat.count);
}

/* ---- the way in ------------------------------------------------------------------------ */

/* function f = g(x = 2): the function behind it. Modifiers become arguments unless the call
 * has them. */
static uint32_t
follow_short(DaeReader *reader, uint32_t class, DaeValue *extra, uint32_t *n_extra,
             uint32_t pos)
{
  for (uint32_t steps = 0; steps < 100; steps++) {
    const DaeClass *c = dae_syntax_class(reader->syntax, class);
    if ((c->flags & DAE_FLAG_SHORT) == 0 || c->definition == 0) {
      return class;
    }
    const DaeTypeDefinition *type = dae_syntax_type(reader->syntax, c->definition);
    for (uint32_t i = 0; i < type->n_mods; i++) {
      const DaeModification m = *dae_syntax_modifier(reader->syntax, type->first_mod + i);
      if (m.code == 0 || m.is_component || m.is_class || *n_extra >= DAE_MAX_EXTRA) {
        continue;
      }
      extra[*n_extra] = dae_reader_evaluate(reader, m.code);
      if (extra[*n_extra].type == DAE_VALUE_POISON) {
        return 0;
      }
      extra[(*n_extra)++].name = m.name;
    }
    uint32_t next = dae_call_find(reader, type->base);
    if (next == 0) {
      dae_source_error(reader->source, pos, "'%s' stands for '%s', which is no function",
                       class_name(reader, class), dae_names_text(reader->names, type->base));
      return 0;
    }
    class = next;
  }
  dae_source_error(reader->source, pos, "'%s' stands for itself", class_name(reader, class));
  return 0;
}

static bool
is_given(const DaeValue *arguments, uint32_t n, uint32_t name)
{
  for (uint32_t i = 0; i < n; i++) {
    if (arguments[i].name == name) {
      return true;
    }
  }
  return false;
}

bool
dae_call_place_arguments(DaeReader *reader, uint32_t class, const DaeValue *arguments,
                         uint32_t n, const DaeValue **given, uint32_t pos)
{
  uint32_t n_members = 0;
  dae_call_members(reader, class, &n_members);
  memset(given, 0, MAX(n_members, 1u) * sizeof *given);
  return place_arguments(reader, class, arguments, n, given, pos);
}

static DaeValue
call_with(DaeReader *reader, uint32_t class, const DaeValue *arguments, uint32_t n,
          uint32_t pos)
{
  uint32_t n_members = 0;
  uint32_t n_extra = 0;
  const uint32_t *dims = NULL;
  dae_call_members(reader, class, &n_members);
  const DaeValue **given = dae_arena_alloc(reader->scratch, MAX(n_members, 1u) * sizeof *given);
  memset(given, 0, MAX(n_members, 1u) * sizeof *given);
  if (!place_arguments(reader, class, arguments, n, given, pos) ||
      !extra_dimensions(reader, class, given, &n_extra, &dims, pos)) {
    return dae_value_poison();
  }
  if (n_extra > 0) {
    return run_elements(reader, class, given, n_extra, dims, pos);
  }
  return dae_cases_call(reader, class, given, pos);
}

DaeValue
dae_call_apply(DaeReader *reader, uint32_t class, const DaeValue *arguments, uint32_t n,
               uint32_t pos)
{
  DaeValue extra[DAE_MAX_EXTRA];
  uint32_t n_extra = 0;
  const char *name = class_name(reader, class);
  if ((dae_syntax_class(reader->syntax, class)->flags & DAE_FLAG_BROKEN) != 0) {
    return dae_value_poison(); /* told where it is written */
  }
  if ((dae_syntax_class(reader->syntax, class)->flags & DAE_FLAG_PARTIAL) != 0) {
    dae_source_error(reader->source, pos, "'%s' is partial: it has no body to call", name);
    return dae_value_poison();
  }
  if (reader->scopes->len >= MAX_DEPTH) {
    dae_source_error(reader->source, pos,
                     "'%s': more than %u calls inside each other: a recursion without end?",
                     name, MAX_DEPTH);
    return dae_value_poison();
  }
  DaeValue *all = dae_arena_alloc(reader->scratch, (n + DAE_MAX_EXTRA) * sizeof(DaeValue));
  uint32_t n_all = n;
  if (n > 0) { /* the stack may move */
    memcpy(all, arguments, n * sizeof(DaeValue));
  }
  if (dae_syntax_class(reader->syntax, class)->derivative != 0) {
    return dae_call_partial(reader, class, all, n, pos);
  }
  class = follow_short(reader, class, extra, &n_extra, pos);
  if (class == 0) {
    return dae_value_poison();
  }
  for (uint32_t i = 0; i < n_extra; i++) {
    if (!is_given(all, n, extra[i].name)) {
      all[n_all++] = extra[i];
    }
  }
  DaeValue result = call_with(reader, class, all, n_all, pos);
  if (result.type != DAE_VALUE_POISON) {
    dae_call_note_units(reader, class, all, n_all);
  }
  if (result.type == DAE_VALUE_POISON && reader->surrender != NULL &&
      reader->scopes->len == 0) {
    dae_source_error(reader->source, pos, "'%s' cannot be executed here: %s", name,
                     reader->surrender);
    dae_source_note(reader->source, reader->surrender_pos, "here");
    reader->surrender = NULL;
  }
  return result;
}

bool
dae_call_check_bound(DaeReader *reader, uint32_t class, const DaeValue *arguments, uint32_t n,
                     uint32_t pos)
{
  uint32_t n_members = 0;
  const uint32_t *members = dae_call_members(reader, class, &n_members);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = 0;
    while (at < n_members &&
           (!is_input(reader, class, members[at]) ||
            dae_syntax_declaration(reader->syntax, members[at])->name != arguments[k].name)) {
      at++;
    }
    if (arguments[k].name != 0 && at == n_members) {
      return fail_named(reader, class, arguments[k].name, pos);
    }
  }
  return true;
}
