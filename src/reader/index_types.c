/* Subscripts of a dimension that an enumeration or Boolean gives are of that type [MLS 3.6, 10.5].
 * Numbers stand for all of them here: loops over sizes, `end` and the texts of tools have them. */
#include "reader/calls.h"

uint32_t
dae_value_index_type(const DaeValue *value)
{
  return value->type == DAE_VALUE_INTEGER       ? DAE_INDEX_INTEGER
         : value->type == DAE_VALUE_BOOLEAN     ? DAE_INDEX_BOOLEAN
         : value->type == DAE_VALUE_ENUMERATION ? DAE_INDEX_ENUMERATION + value->enumeration
                                                : DAE_INDEX_OPEN;
}

/* Are sizes as the user wrote them? Instantiation and other tools make numbers of them all. */
static bool
has_written_sizes(const DaeReader *reader)
{
  return reader->flat == NULL && !reader->syntax->is_base &&
         dae_syntax_class(reader->syntax, reader->model)->kind == DAE_CLASS_MODEL;
}

static bool
fits(const DaeReader *reader, uint32_t dimension, uint32_t subscript)
{
  bool is_number = subscript == DAE_INDEX_INTEGER || subscript == DAE_INDEX_OPEN;
  bool is_open = dimension == DAE_INDEX_OPEN ||
                 (dimension == DAE_INDEX_INTEGER && !has_written_sizes(reader));
  return is_number || is_open || dimension == subscript;
}

bool
dae_index_types_fit(const DaeReader *reader, const DaeEntity *entity, uint32_t n_before,
                    const DaeValue *subscripts, uint32_t n, uint32_t pos)
{
  const uint32_t *types = entity->index_types;
  for (uint32_t d = 0; d < n && n_before + d < entity->n_dims; d++) {
    uint32_t dimension = types != NULL ? types[n_before + d] : DAE_INDEX_INTEGER;
    if (!fits(reader, dimension, dae_value_index_type(&subscripts[d]))) {
      static const char *const what[] = {"an Integer", "", "a Boolean",
                                         "a value of the enumeration that is its size"};
      dae_source_error(reader->source, pos, "subscript %u of '%s' is not %s", d + 1,
                       dae_names_text(reader->names, entity->name),
                       what[MIN(dimension, (uint32_t)DAE_INDEX_ENUMERATION)]);
      return false;
    }
  }
  return true;
}
