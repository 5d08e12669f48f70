/* Records: what they are made of, their members, constructors. A record value is the list of
 * its scalars; inside daetool there are no records. */
#include "reader/calls.h"

#include <string.h>

uint32_t
dae_value_width(const DaeValue *value)
{
  return value->type == DAE_VALUE_RECORD ? value->layout->width : 1;
}

/* Records are the same if their members are, whatever their names:
 * Modelica's records are structural. */
static bool
same_layout(const DaeLayout *a, const DaeLayout *b)
{
  if (a == b) {
    return true;
  }
  if (a->n != b->n || a->width != b->width) {
    return false;
  }
  for (uint32_t i = 0; i < a->n; i++) {
    const DaeMember *x = &a->members[i];
    const DaeMember *y = &b->members[i];
    if (x->name != y->name || x->count != y->count || x->n_dims != y->n_dims ||
        (x->type == DAE_VALUE_RECORD) != (y->type == DAE_VALUE_RECORD)) {
      return false;
    }
  }
  return memcmp(a->types, b->types, a->width) == 0;
}

static bool
fits_layout(const DaeLayout *target, const DaeLayout *layout)
{
  bool fits = target->n == layout->n;
  for (uint32_t i = 0; i < target->n && fits; i++) {
    const DaeMember *x = &target->members[i];
    const DaeMember *y = &layout->members[i];
    fits = x->name == y->name && x->n_dims == y->n_dims && x->type == y->type &&
           (x->count == y->count || x->is_open) &&
           (x->type != DAE_VALUE_RECORD || fits_layout(x->layout, y->layout));
  }
  return fits;
}

bool
dae_record_fits(const DaeValue *target, const DaeValue *value)
{
  return target->type == DAE_VALUE_RECORD && value->type == DAE_VALUE_RECORD &&
         fits_layout(target->layout, value->layout);
}

bool
dae_record_is_open(const DaeValue *record)
{
  bool is_open = false;
  for (uint32_t i = 0; record->type == DAE_VALUE_RECORD && i < record->layout->n; i++) {
    const DaeMember *member = &record->layout->members[i];
    DaeValue inner = {.type = member->type, .layout = member->layout};
    is_open = is_open || member->is_open || dae_record_is_open(&inner);
  }
  return is_open;
}

bool
dae_value_same_shape(const DaeValue *a, const DaeValue *b)
{
  return dae_value_same_size(a, b) &&
         (a->type != DAE_VALUE_RECORD || b->type != DAE_VALUE_RECORD ||
          same_layout(a->layout, b->layout));
}

bool
dae_record_same(const DaeValue *a, const DaeValue *b)
{
  return a->type == DAE_VALUE_RECORD && b->type == DAE_VALUE_RECORD &&
         same_layout(a->layout, b->layout);
}

DaeValue
dae_record_value(DaeReader *reader, const DaeLayout *layout, uint32_t n_dims,
                 const uint32_t *dims, const DaeTerm *data, uint32_t count)
{
  DaeValue value = {.type = DAE_VALUE_RECORD, .layout = layout, .data = data, .count = count};
  value.n_dims = (uint8_t)n_dims;
  if (n_dims > 0) {
    uint32_t *copy = dae_arena_alloc(reader->scratch, n_dims * sizeof(uint32_t));
    memcpy(copy, dims, n_dims * sizeof(uint32_t));
    value.dims = copy;
  }
  return value;
}

/* A value of the type and size of element-by-element data, record or not. */
DaeValue
dae_value_like(DaeReader *reader, const DaeValue *like, uint32_t n_dims, const uint32_t *dims,
               const DaeTerm *data, uint32_t count)
{
  DaeValue value = like->type == DAE_VALUE_RECORD
                       ? dae_record_value(reader, like->layout, n_dims, dims, data, count)
                       : dae_value_array(reader, like->type, n_dims, dims, data, count);
  value.enumeration = like->enumeration;
  return value;
}

DaeValue
dae_value_part(DaeReader *reader, const DaeValue *array, uint32_t n_outer, uint32_t i)
{
  uint32_t inner = 1;
  for (uint32_t d = n_outer; d < array->n_dims; d++) {
    inner *= array->dims[d];
  }
  uint32_t width = dae_value_width(array);
  const DaeTerm *data = array->data + (size_t)i * inner * width;
  return dae_value_like(reader, array, array->n_dims - n_outer, array->dims + n_outer, data,
                        inner);
}

static const DaeMember *
find_member(const DaeLayout *layout, uint32_t name)
{
  for (uint32_t i = 0; i < layout->n; i++) {
    if (layout->members[i].name == name) {
      return &layout->members[i];
    }
  }
  return NULL;
}

static const DaeTerm *
gather_member(DaeReader *reader, const DaeValue *record, const DaeMember *member,
              uint32_t width)
{
  uint32_t each = member->count * width;
  if (record->n_dims == 0) {
    return record->data + member->offset;
  }
  DaeTerm *data = dae_value_new_data(reader, record->count * each);
  for (uint32_t i = 0; i < record->count; i++) {
    memcpy(data + (size_t)i * each,
           record->data + (size_t)i * record->layout->width + member->offset,
           each * sizeof(DaeTerm));
  }
  return data;
}

/* r.x; of an array of records the array of these members. */
DaeValue
dae_record_member(DaeReader *reader, const DaeValue *record, uint32_t name, uint32_t pos)
{
  const char *text = dae_names_text(reader->names, name);
  if (record->type == DAE_VALUE_POISON) {
    return *record;
  }
  if (record->type != DAE_VALUE_RECORD) {
    dae_source_error(reader->source, pos, "'%s' is a member of a record, this is %s", text,
                     dae_value_type_text(record));
    return dae_value_poison();
  }
  const DaeMember *member = find_member(record->layout, name);
  DaeValue constant = member == NULL && record->n_dims == 0
                          ? dae_record_constant(reader, record->layout->class, name, pos)
                          : dae_value_poison();
  if (constant.type != DAE_VALUE_POISON) {
    return constant;
  }
  if (member == NULL) {
    dae_source_error(reader->source, pos, "the record has no member '%s'", text);
    return dae_value_poison();
  }
  uint32_t dims[DAE_MAX_DIMENSIONS];
  uint32_t n_dims = record->n_dims + member->n_dims;
  uint32_t count = 0;
  if (n_dims > DAE_MAX_DIMENSIONS) {
    dae_source_error(reader->source, pos, "more than %u dimensions", DAE_MAX_DIMENSIONS);
    return dae_value_poison();
  }
  for (uint32_t d = 0; d < n_dims; d++) {
    dims[d] = d < record->n_dims ? record->dims[d] : member->dims[d - record->n_dims];
  }
  if (!dae_dimensions_count(n_dims, dims, &count)) {
    dae_source_error(reader->source, pos, "an array of more than %u elements",
                     DAE_MAX_ELEMENTS);
    return dae_value_poison();
  }
  DaeValue like = {.type = member->type, .layout = member->layout};
  like.enumeration = member->enumeration;
  const DaeTerm *data = NULL;
  if (!record->opaque) {
    data = gather_member(reader, record, member, dae_value_width(&like));
  } else {
    data = dae_value_new_data(reader, MAX(count * dae_value_width(&like), 1u));
  }
  DaeValue value = dae_value_like(reader, &like, n_dims, dims, data, count);
  value.opaque = record->opaque;
  value.no_value = record->no_value;
  return value;
}

/* Does the value differ from the member in open sizes only? */
static bool
may_become(const DaeMember *member, const DaeValue *value)
{
  bool is_record = member->type == DAE_VALUE_RECORD && value->type == DAE_VALUE_RECORD;
  return member->n_dims == value->n_dims &&
         (member->is_open || member->count == value->count) &&
         (!is_record || fits_layout(member->layout, value->layout));
}

DaeValue
dae_record_resized(DaeReader *reader, const DaeValue *record, const uint32_t *path,
                   uint32_t n_path, const DaeValue *value)
{
  const DaeLayout *layout = record->layout;
  const DaeMember *changed = record->type == DAE_VALUE_RECORD && record->n_dims == 0
                                 ? find_member(layout, path[0])
                                 : NULL;
  bool is_last = n_path == 1;
  if (changed == NULL || (is_last && !may_become(changed, value))) {
    return dae_value_poison();
  }
  DaeValue *members = dae_arena_alloc(reader->scratch, layout->n * sizeof(DaeValue));
  uint32_t *names = dae_arena_alloc(reader->scratch, layout->n * sizeof(uint32_t));
  for (uint32_t i = 0; i < layout->n; i++) {
    names[i] = layout->members[i].name;
    members[i] = dae_record_member(reader, record, names[i], 0);
    if (&layout->members[i] == changed) {
      DaeValueType type = changed->type;
      members[i] = is_last
                       ? *value
                       : dae_record_resized(reader, &members[i], path + 1, n_path - 1, value);
      members[i].type = members[i].type != DAE_VALUE_POISON ? type : DAE_VALUE_POISON;
    }
    if (members[i].type == DAE_VALUE_POISON) {
      return members[i];
    }
  }
  return dae_record_pack(reader, layout->class, names, members, layout->n);
}

/* ---- layouts ----------------------------------------------------------------------------- */

/* Does the declaration of the member leave a size open, Real x[:]? */
static bool
is_declared_open(DaeReader *reader, uint32_t class, uint32_t name)
{
  uint32_t n = 0;
  const uint32_t *members = class != 0 ? dae_call_members(reader, class, &n) : NULL;
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    const uint32_t codes[] = {d->dims_code, d->type_dims_code};
    for (size_t k = 0; d->name == name && k < G_N_ELEMENTS(codes); k++) {
      for (uint32_t pc = codes[k];
           pc != 0 && dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN; pc++) {
        if (dae_syntax_code(reader->syntax, pc)->op == DAE_OP_COLON) {
          return true;
        }
      }
    }
  }
  return false;
}

/* The layout of a record whose members have these values (sizes and types count). */
const DaeLayout *
dae_layout_new(DaeReader *reader, uint32_t class, const uint32_t *names,
               const DaeValue *members, uint32_t n)
{
  DaeLayout *layout = dae_arena_alloc(reader->arena, sizeof(DaeLayout) + n * sizeof(DaeMember));
  *layout = (DaeLayout){.class = class, .n = n};
  for (uint32_t i = 0; i < n; i++) {
    DaeMember *member = &layout->members[i];
    uint32_t *dims = NULL;
    if (members[i].n_dims > 0) {
      dims = dae_arena_alloc(reader->arena, members[i].n_dims * sizeof(uint32_t));
      memcpy(dims, members[i].dims, members[i].n_dims * sizeof(uint32_t));
    }
    *member = (DaeMember){.name = names[i],
                          .type = members[i].type,
                          .enumeration = members[i].enumeration,
                          .layout = members[i].layout,
                          .n_dims = members[i].n_dims,
                          .dims = dims,
                          .count = members[i].count,
                          .offset = layout->width,
                          .is_open = members[i].n_dims > 0 &&
                                     is_declared_open(reader, class, names[i])};
    layout->width += members[i].count * dae_value_width(&members[i]);
  }
  layout->types = dae_arena_alloc(reader->arena, MAX(layout->width, 1u));
  for (uint32_t i = 0; i < n; i++) {
    uint8_t *types = layout->types + layout->members[i].offset;
    uint32_t width = dae_value_width(&members[i]);
    for (uint32_t k = 0; k < members[i].count * width; k++) {
      types[k] = members[i].type == DAE_VALUE_RECORD ? members[i].layout->types[k % width]
                                                     : (uint8_t)members[i].type;
    }
  }
  return layout;
}

/* A record of these members. */
DaeValue
dae_record_pack(DaeReader *reader, uint32_t class, const uint32_t *names,
                const DaeValue *members, uint32_t n)
{
  const DaeLayout *layout = dae_layout_new(reader, class, names, members, n);
  DaeTerm *data = dae_value_new_data(reader, MAX(layout->width, 1u));
  bool opaque = false;
  bool no_value = false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t count = members[i].count * dae_value_width(&members[i]);
    opaque = opaque || members[i].opaque;
    no_value = no_value || members[i].no_value;
    for (uint32_t k = 0; k < count && !members[i].opaque; k++) {
      data[layout->members[i].offset + k] = dae_value_scalar_at(&members[i], k);
    }
  }
  DaeValue value = dae_record_value(reader, layout, 0, NULL, data, 1);
  value.opaque = opaque;
  value.no_value = no_value;
  return value;
}
