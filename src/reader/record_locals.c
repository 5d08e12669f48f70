/* Local records, and records in records, before anything is assigned: members have what their
 * class says and what the modifiers of the declaration give them. */
#include "reader/calls.h"

/* What the modifiers of a record give to its members. */
typedef struct {
  uint32_t n;
  DaeValue *values;
  bool *is_shared; /* R r[2](x = {3, 4}): each element has its own */
  bool is_any_shared;
} Given;

/* R a(b(x = 1)): does it give a value inside? What a(x(start = 1)) says is an attribute. */
static bool
gives_inside(const DaeReader *reader, uint32_t class, uint32_t at)
{
  const DaeModification *m = dae_syntax_modifier(reader->syntax, at);
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  bool is_record = false;
  for (uint32_t i = 0; i < n && m->n_inner > 0; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    is_record =
        is_record || (d->name == m->name &&
                      g_hash_table_contains(reader->records, GUINT_TO_POINTER(d->type)));
  }
  for (uint32_t i = 1; is_record && i <= m->n_inner; i++) {
    const DaeModification *inner = dae_syntax_modifier(reader->syntax, at + i);
    if (inner->code != 0) {
      return true;
    }
    i += inner->n_inner;
  }
  return false;
}

static bool
has_these_sizes(const DaeValue *value, const DaeValue *array)
{
  bool same = array->n_dims > 0 && value->n_dims >= array->n_dims;
  for (uint32_t d = 0; same && d < array->n_dims; d++) {
    same = value->dims[d] == array->dims[d];
  }
  return same;
}

/* R r(x = 1, y = 2): the values of its members. False: reported. */
static bool
modifier_values(DaeReader *reader, const DaeDeclaration *declaration, uint32_t class,
                const DaeValue *array, Given *given)
{
  const DaeDeclaration of = *declaration;
  uint32_t room = MAX(of.n_mods, 1u);
  *given = (Given){0};
  given->values = dae_arena_alloc(reader->scratch, room * sizeof *given->values);
  given->is_shared = dae_arena_alloc(reader->scratch, room * sizeof *given->is_shared);
  for (uint32_t i = 0; i < of.n_mods;) {
    const uint32_t at = of.first_mod + i;
    const DaeModification m = *dae_syntax_modifier(reader->syntax, at);
    i += 1 + m.n_inner;
    if (gives_inside(reader, class, at)) {
      dae_source_error(
          reader->source, m.pos,
          "not supported yet: a value inside a member of a local record; give '%s' "
          "as a whole",
          dae_names_text(reader->names, m.name));
      return false;
    }
    if (m.code == 0 || m.is_component || m.is_class) {
      continue;
    }
    DaeValue value = dae_reader_evaluate(reader, m.code);
    if (value.type == DAE_VALUE_POISON) {
      return false;
    }
    value.name = m.name;
    given->is_shared[given->n] = !m.is_each && has_these_sizes(&value, array);
    given->is_any_shared = given->is_any_shared || given->is_shared[given->n];
    given->values[given->n++] = value;
  }
  return true;
}

/* Element k of R r[2](x = {3, 4}). */
static DaeValue
default_record(DaeReader *reader, uint32_t class, const Given *given, const DaeValue *array,
               uint32_t k, uint32_t pos)
{
  DaeValue *values = dae_arena_alloc(reader->scratch, MAX(given->n, 1u) * sizeof *values);
  for (uint32_t i = 0; i < given->n; i++) {
    values[i] = given->is_shared[i]
                    ? dae_value_part(reader, &given->values[i], array->n_dims, k)
                    : given->values[i];
    values[i].name = given->values[i].name;
  }
  return dae_record_default(reader, class, values, given->n, pos);
}

DaeTerm *
dae_record_fill(DaeReader *reader, const DaeDeclaration *declaration, uint32_t class,
                DaeValue *array)
{
  const uint32_t pos = declaration->pos;
  const uint32_t count = array->count;
  const Given none = {0};
  Given given;
  if (!modifier_values(reader, declaration, class, array, &given)) {
    return NULL;
  }
  DaeValue one = default_record(reader, class, count > 0 ? &given : &none, array, 0, pos);
  const DaeValue first = one;
  uint32_t width = one.type != DAE_VALUE_POISON ? dae_value_width(&one) : 0;
  DaeTerm *data = dae_value_new_data(reader, MAX(count * width, 1u));
  data[0] = DAE_NO_TERM;
  for (uint32_t k = 0; k < count && one.type != DAE_VALUE_POISON; k++) {
    if (k > 0 && given.is_any_shared) {
      one = default_record(reader, class, &given, array, k, pos);
    }
    if (one.type != DAE_VALUE_POISON && dae_value_width(&one) != width) {
      dae_source_error(reader->source, pos,
                       "the elements of an array of records differ in size");
      return NULL;
    }
    for (uint32_t i = 0; i < width && one.type != DAE_VALUE_POISON; i++) {
      data[k * width + i] = one.data[i];
    }
  }
  *array = one.type != DAE_VALUE_POISON
               ? dae_value_like(reader, &first, array->n_dims, array->dims, data, count)
               : one;
  return one.type != DAE_VALUE_POISON ? data : NULL;
}
