/* Local variables of functions, algorithm sections and record constructors.
 *
 * A scope is entered with all its names bound and nothing evaluated; sizes and first values are
 * found when they are asked for, so that declarations may use each other in any order. Each
 * local owns the array of its scalars: loads hand out the array itself, an assignment changes
 * it in place unless an open branch still needs the old one (statements.c). */
#include "reader/calls.h"

#include <string.h>

enum { STATE_NEW, STATE_OPEN, STATE_DONE };

DaeLocal *
dae_local(const DaeReader *reader, uint32_t i)
{
  return &g_array_index(reader->locals, DaeLocal, i);
}

/* ---- scopes ------------------------------------------------------------------------------ */

static void
rebind(DaeReader *reader, uint32_t name, uint32_t *binding)
{
  uint32_t current = dae_names_binding(reader->names, name);
  dae_names_bind(reader->names, name, *binding);
  *binding = current;
}

/* Takes the names of the scope on top out of sight, iterators of its
 * loops first, or puts them back. */
static void
toggle_scope(DaeReader *reader, const DaeScope *scope, bool hide)
{
  uint32_t n_loops = reader->loops->len - scope->first_loop;
  uint32_t n = scope->n_locals + n_loops;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t i = hide ? n - 1 - k : k;
    if (i < scope->n_locals) {
      DaeLocal *local = dae_local(reader, scope->first_local + i);
      rebind(reader, local->name, &local->other_binding);
    } else {
      DaeLoopFrame *frame =
          &g_array_index(reader->loops, DaeLoopFrame, scope->first_loop + i - scope->n_locals);
      rebind(reader, frame->name, &frame->old_binding);
    }
  }
}

static DaeScope *
top_scope(const DaeReader *reader)
{
  return reader->scopes->len == 0
             ? NULL
             : &g_array_index(reader->scopes, DaeScope, reader->scopes->len - 1);
}

/* A scope that sees nothing of the one below (its caller), or one inside
 * of it. Locals are added next. */
DaeScope *
dae_scope_enter(DaeReader *reader, uint32_t class, bool is_inner)
{
  DaeScope *outer = top_scope(reader);
  if (outer != NULL && !is_inner) {
    toggle_scope(reader, outer, true);
  }
  DaeScope scope = {.class = class,
                    .is_inner = is_inner,
                    .first_local = reader->locals->len,
                    .first_loop = reader->loops->len,
                    .first_if = reader->ifs->len,
                    .first_while = reader->whiles->len,
                    .old_equations = reader->equations};
  g_array_append_val(reader->scopes, scope);
  return top_scope(reader);
}

void
dae_scope_leave(DaeReader *reader)
{
  DaeScope scope = *top_scope(reader);
  dae_reader_unwind(reader, scope.first_loop, scope.first_if);
  g_array_set_size(reader->whiles, scope.first_while);
  for (uint32_t i = scope.n_locals; i-- > 0;) {
    DaeLocal *local = dae_local(reader, scope.first_local + i);
    dae_names_bind(reader->names, local->name, local->other_binding);
  }
  g_array_set_size(reader->locals, scope.first_local);
  g_array_set_size(reader->scopes, reader->scopes->len - 1);
  if (top_scope(reader) != NULL && !scope.is_inner) {
    toggle_scope(reader, top_scope(reader), false);
  }
}

/* declaration 0: the value is set by the caller. */
uint32_t
dae_scope_add_local(DaeReader *reader, uint32_t name, uint32_t declaration)
{
  DaeLocal local = {.name = name, .declaration = declaration};
  local.other_binding = dae_names_binding(reader->names, name);
  dae_names_bind(reader->names, name, DAE_LOCAL_BIT | reader->locals->len);
  g_array_append_val(reader->locals, local);
  top_scope(reader)->n_locals++;
  return reader->locals->len - 1;
}

void
dae_local_set(DaeReader *reader, uint32_t index, const DaeValue *value)
{
  DaeLocal *local = dae_local(reader, index);
  uint32_t n = value->count * dae_value_width(value);
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  for (uint32_t k = 0; k < n && !value->opaque; k++) {
    data[k] = dae_value_scalar_at(value, k);
  }
  if (value->type == DAE_VALUE_FUNCTION) {
    local->value = *value;
    local->value.name = 0; /* by which it was given */
  } else {
    local->value =
        dae_value_like(reader, value, value->n_dims, value->dims, data, value->count);
  }
  dae_local_note(local, 0, n);
  local->value.data = data;
  local->value.opaque = value->opaque;
  local->value.no_value = value->no_value;
  local->data = data;
  local->state = STATE_DONE;
  local->epoch = reader->epoch;
}

/* ---- declarations ------------------------------------------------------------------------ */

typedef struct {
  uint32_t n;
  int64_t sizes[DAE_MAX_DIMENSIONS]; /* -1: `:` */
} Sizes;

static bool
append_size(DaeReader *reader, const DaeValue *value, uint32_t pos, Sizes *sizes)
{
  if (sizes->n >= DAE_MAX_DIMENSIONS) {
    dae_source_error(reader->source, pos, "more than %u dimensions", DAE_MAX_DIMENSIONS);
    return false;
  }
  int64_t *size = &sizes->sizes[sizes->n++];
  if (value->type == DAE_VALUE_COLON) {
    *size = -1;
    return true;
  }
  if (dae_value_is_index_type(value)) {
    *size = value->count;
    return true;
  }
  if (value->opaque || value->n_dims > 0 || !dae_reader_integer(reader, value, 0, pos, size)) {
    return false;
  }
  if (*size < 0 || *size > (int64_t)DAE_MAX_ELEMENTS) {
    dae_source_error(reader->source, pos, "a dimension of size %" G_GINT64_FORMAT, *size);
    return false;
  }
  return true;
}

static bool
append_sizes(DaeReader *reader, uint32_t code, uint32_t pos, Sizes *sizes)
{
  uint32_t base = reader->stack->len;
  bool good = code == 0 || dae_reader_run(reader, code);
  for (uint32_t i = base; good && i < reader->stack->len; i++) {
    DaeValue value = g_array_index(reader->stack, DaeValue, i);
    good = append_size(reader, &value, pos, sizes);
  }
  g_array_set_size(reader->stack, base);
  return good;
}

/* All dimensions: after the name, after the type, those of the type's definition. */
static bool
declared_sizes(DaeReader *reader, const DaeDeclaration *declaration, uint32_t alias,
               Sizes *sizes)
{
  if (!append_sizes(reader, declaration->dims_code, declaration->pos, sizes) ||
      !append_sizes(reader, declaration->type_dims_code, declaration->pos, sizes)) {
    return false;
  }
  for (uint32_t steps = 0; alias != 0 && steps < reader->syntax->types->len; steps++) {
    const DaeTypeDefinition *type = dae_syntax_type(reader->syntax, alias);
    if (!append_sizes(reader, type->dims_code, declaration->pos, sizes)) {
      return false;
    }
    alias = type->base != 0 ? dae_scope_find_type(reader, type->base) : 0;
  }
  return true;
}

/* Does the code of dimension d, one of n, name the variable? */
static bool
names_itself(const DaeReader *reader, const DaeDeclaration *declaration, uint32_t d)
{
  uint32_t end = declaration->dims_code;
  while (dae_syntax_code(reader->syntax, end)->op != DAE_OP_RETURN) {
    end++;
  }
  const uint32_t n = declaration->n_dims;
  uint32_t to = dae_syntax_skip_back(reader->syntax, end, n - d - 1);
  for (uint32_t pc = dae_syntax_skip_back(reader->syntax, end, n - d); pc < to; pc++) {
    const DaeInstruction *code = dae_syntax_code(reader->syntax, pc);
    if (code->op == DAE_OP_NAME && code->arg == declaration->name) {
      return true;
    }
  }
  return false;
}

/* Real A[:, size(A, 1)] without a value: its size is 0 by itself, and open in both dimensions. */
static void
begin_open(DaeReader *reader, uint32_t index, const DaeDeclaration *declaration)
{
  uint32_t none[DAE_MAX_DIMENSIONS] = {0};
  DaeValue empty = {.type = DAE_VALUE_REAL};
  bool is_own = false;
  for (uint32_t d = 0; d < declaration->n_dims && declaration->n_dims <= DAE_MAX_DIMENSIONS;
       d++) {
    is_own = is_own || names_itself(reader, declaration, d);
  }
  if (is_own) {
    empty = dae_value_like(reader, &empty, declaration->n_dims, none, NULL, 0);
    dae_local_set(reader, index, &empty);
    dae_local(reader, index)->state = STATE_OPEN;
  }
}

static void
open_own_sizes(const DaeReader *reader, const DaeDeclaration *declaration, Sizes *sizes)
{
  for (uint32_t d = 0; d < declaration->n_dims && d < sizes->n; d++) {
    if (names_itself(reader, declaration, d)) {
      sizes->sizes[d] = -1;
    }
  }
}

/* Nothing assigned yet: every scalar is DAE_NO_TERM. Dimensions `:` are empty
 * until an assignment sets them. */
static bool
empty_value(DaeReader *reader, const DaeEntity *type, const Sizes *sizes,
            const DaeDeclaration *declaration, DaeValue *result)
{
  uint32_t pos = declaration->pos;
  uint32_t dims[DAE_MAX_DIMENSIONS];
  uint32_t count = 0;
  for (uint32_t d = 0; d < sizes->n; d++) {
    dims[d] = sizes->sizes[d] < 0 ? 0 : (uint32_t)sizes->sizes[d];
  }
  if (!dae_dimensions_count(sizes->n, dims, &count)) {
    dae_source_error(reader->source, pos, "an array of more than %u elements",
                     DAE_MAX_ELEMENTS);
    return false;
  }
  DaeValue like = {.type = type->type,
                   .enumeration = type->enumeration,
                   .n_dims = (uint8_t)sizes->n,
                   .dims = dims,
                   .count = count};
  DaeTerm *data = NULL;
  if (type->type == DAE_VALUE_RECORD) {
    data = dae_record_fill(reader, declaration, type->record, &like);
  } else {
    data = dae_value_new_data(reader, MAX(count, 1u));
    for (uint32_t k = 0; k < MAX(count, 1u); k++) {
      data[k] = DAE_NO_TERM;
    }
  }
  if (data == NULL) {
    return false;
  }
  *result = dae_value_like(reader, &like, sizes->n, dims, data, count);
  result->data = data;
  return true;
}

/* A record of another class is one of this if it has all members of it [MLS, section 6.4]. */
static bool
has_all_members(DaeReader *reader, const DaeLocal *local, uint32_t class, const DaeValue *value,
                uint32_t pos)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  if (class == value->layout->class ||
      dae_syntax_class(reader->syntax, class)->kind != DAE_CLASS_RECORD) {
    return true;
  }
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *member = dae_syntax_declaration(reader->syntax, members[i]);
    uint32_t name = member->name;
    bool found = (member->flags & DAE_FLAG_CONSTANT) != 0;
    for (uint32_t k = 0; k < value->layout->n && !found; k++) {
      found = value->layout->members[k].name == name;
    }
    if (!found) {
      dae_source_error(reader->source, pos, "'%s' is another record, this value has no '%s'",
                       dae_names_text(reader->names, local->name),
                       dae_names_text(reader->names, name));
      return false;
    }
  }
  return true;
}

/* Does the value have the declared type and size? Otherwise it is reported. */
static bool
check_local(DaeReader *reader, const DaeLocal *local, const DaeEntity *type, const Sizes *sizes,
            const DaeValue *value, uint32_t pos)
{
  const char *name = dae_names_text(reader->names, local->name);
  DaeValue wanted = {.type = type->type, .enumeration = type->enumeration};
  bool fits = value->type == type->type ||
              (type->type == DAE_VALUE_REAL && value->type == DAE_VALUE_INTEGER);
  if (!fits ||
      (type->type == DAE_VALUE_ENUMERATION && value->enumeration != type->enumeration)) {
    dae_source_error(reader->source, pos, "'%s' is %s, this value is %s", name,
                     dae_value_type_text(&wanted), dae_value_type_text(value));
    return false;
  }
  if (type->type == DAE_VALUE_RECORD &&
      !has_all_members(reader, local, type->record, value, pos)) {
    return false;
  }
  bool same = value->n_dims == sizes->n;
  for (uint32_t d = 0; same && d < sizes->n; d++) {
    same = sizes->sizes[d] < 0 || sizes->sizes[d] == (int64_t)value->dims[d];
  }
  if (!same) {
    g_autofree char *size = dae_value_size_text(value);
    g_autoptr(GString) declared = g_string_new(sizes->n == 0 ? "scalar" : NULL);
    for (uint32_t d = 0; d < sizes->n; d++) {
      g_string_append_c(declared, d == 0 ? '[' : ',');
      if (sizes->sizes[d] < 0) {
        g_string_append_c(declared, ':');
      } else {
        g_string_append_printf(declared, "%" G_GINT64_FORMAT, sizes->sizes[d]);
      }
    }
    g_string_append(declared, sizes->n == 0 ? "" : "]");
    dae_source_error(reader->source, pos, "'%s' has size %s, this value has size %s", name,
                     declared->str, size);
    return false;
  }
  return true;
}

/* x[:]: an assignment sets its size. */
static bool
has_open_size(const Sizes *sizes)
{
  bool is_open = false;
  for (uint32_t d = 0; d < sizes->n; d++) {
    is_open = is_open || sizes->sizes[d] < 0;
  }
  return is_open;
}

/* The value of its binding; *is_unset: none, since it needs a variable without a value. */
static DaeValue
bound_value(DaeReader *reader, const DaeDeclaration *declaration, bool may_be_unset,
            bool *is_unset)
{
  uint32_t outer = reader->lenient_scopes;
  bool outer_needs = reader->is_unset_needed;
  bool is_local =
      (declaration->flags & (DAE_FLAG_INPUT | DAE_FLAG_OUTPUT)) == 0 &&
      dae_syntax_class(reader->syntax, declaration->owner)->kind == DAE_CLASS_FUNCTION;
  reader->lenient_scopes = is_local && may_be_unset ? reader->scopes->len : 0;
  reader->is_unset_needed = false;
  DaeValue value = dae_reader_evaluate(reader, declaration->binding);
  *is_unset = reader->is_unset_needed && value.type == DAE_VALUE_POISON;
  reader->lenient_scopes = outer;
  reader->is_unset_needed = outer_needs;
  return value;
}

/* No value yet, but the size that is declared. */
static bool
begin_empty(DaeReader *reader, uint32_t index, const DaeEntity *type, Sizes *sizes)
{
  DaeValue value = dae_value_poison();
  const DaeDeclaration *declaration =
      dae_syntax_declaration(reader->syntax, dae_local(reader, index)->declaration);
  open_own_sizes(reader, declaration, sizes);
  if (!empty_value(reader, type, sizes, declaration, &value)) {
    return false;
  }
  dae_local_set(reader, index, &value);
  dae_local(reader, index)->has_open_size = has_open_size(sizes);
  return true;
}

/* A value for the local, from an argument or its own binding; NULL: none. */
static bool
begin_local(DaeReader *reader, uint32_t index, const DaeValue *given, uint32_t pos)
{
  const DaeDeclaration *declaration =
      dae_syntax_declaration(reader->syntax, dae_local(reader, index)->declaration);
  DaeEntity type = {.kind = DAE_ENTITY_VARIABLE};
  Sizes sizes = {.n = 0};
  DaeValue value = dae_value_poison();
  bool is_unset = false;
  dae_local(reader, index)->state = STATE_OPEN;
  if (given != NULL) { /* its own sizes may be used in its declaration: size(A, 1) */
    dae_local_set(reader, index, given);
  } else if (declaration->binding == 0) {
    begin_open(reader, index, declaration);
  }
  if (!dae_scope_resolve_type(reader, declaration->type, declaration->type_pos, &type) ||
      !declared_sizes(reader, declaration, type.alias, &sizes)) {
    return false;
  }
  if (given != NULL) {
    value = *given;
  } else if (declaration->binding != 0) {
    bool is_sized = !has_open_size(&sizes) && type.type != DAE_VALUE_RECORD;
    value = bound_value(reader, declaration, is_sized, &is_unset);
    pos = declaration->pos;
  }
  if (given == NULL && (declaration->binding == 0 || is_unset)) {
    return begin_empty(reader, index, &type, &sizes);
  }
  if (value.type == DAE_VALUE_POISON ||
      !check_local(reader, dae_local(reader, index), &type, &sizes, &value, pos)) {
    return false;
  }
  if (type.type == DAE_VALUE_REAL) {
    value.type = DAE_VALUE_REAL;
  }
  dae_local_set(reader, index, &value);
  dae_local(reader, index)->has_open_size = given == NULL && has_open_size(&sizes);
  return true;
}

bool
dae_local_begin(DaeReader *reader, uint32_t index, const DaeValue *given, uint32_t pos)
{
  if (dae_local(reader, index)->state == STATE_DONE && given == NULL) {
    return true;
  }
  if (dae_local(reader, index)->state == STATE_OPEN) {
    dae_source_error(reader->source, pos, "'%s' depends on itself",
                     dae_names_text(reader->names, dae_local(reader, index)->name));
    return false;
  }
  uint32_t lenient =
      reader->lenient_scopes; /* of the binding under way, not of its own sizes */
  reader->lenient_scopes = 0;
  bool good = begin_local(reader, index, given, pos);
  reader->lenient_scopes = lenient;
  return good;
}

/* The value of a local; parts of it may have none. */
DaeValue
dae_local_load(DaeReader *reader, uint32_t index, uint32_t pos)
{
  DaeLocal *local = dae_local(reader, index);
  bool has_no_value =
      local->state == STATE_NEW || (local->state == STATE_OPEN && local->data == NULL);
  if (has_no_value && !dae_local_begin(reader, index, NULL, pos)) {
    return dae_value_poison();
  }
  local = dae_local(reader, index);
  DaeValue value = local->value;
  uint32_t n = value.count * dae_value_width(&value);
  if (value.n_dims == 0 && value.type != DAE_VALUE_RECORD) {
    value.term = local->data[0];
  }
  value.is_incomplete = false;
  for (uint32_t k = 0; k < n && !value.opaque; k++) {
    value.is_incomplete = value.is_incomplete || local->data[k] == DAE_NO_TERM;
  }
  return value;
}
