/* Integer parameters as numbers.
 *
 * Parameters are symbols in what a call leaves, also those that are no Reals. A random generator
 * that starts from a seed makes long terms of it, round by round: where a call is large, the values
 * of such parameters count (as in sizes and ranges), and what follows from them is computed at
 * once. */
#include "reader/calls.h"

#include <string.h>

static bool
is_count(const DaeReader *reader, uint8_t type, DaeTerm t)
{
  return (type == DAE_VALUE_INTEGER || type == DAE_VALUE_BOOLEAN ||
          type == DAE_VALUE_ENUMERATION) &&
         dae_argument_constant(reader, type, t) == DAE_NO_TERM &&
         dae_term_is_parametric(reader->terms, t);
}

bool
dae_call_has_counts(const DaeReader *reader, uint32_t class, const DaeValue *const *given)
{
  uint32_t n = 0;
  dae_call_members(reader, class, &n);
  g_autoptr(GArray) types = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  g_autoptr(GArray) scalars = dae_arguments_list(reader, given, n, types);
  for (uint32_t k = 0; k < scalars->len; k++) {
    if (is_count(reader, g_array_index(types, uint8_t, k),
                 g_array_index(scalars, DaeTerm, k))) {
      return true;
    }
  }
  return false;
}

/* The scalars of a value, counts as numbers. NULL: one has no value. */
static DaeTerm *
close_scalars(DaeReader *reader, const DaeTerm *scalars, const uint8_t *types, uint32_t n)
{
  DaeTerm *data = dae_value_new_data(reader, n);
  memcpy(data, scalars, n * sizeof *data);
  for (uint32_t k = 0; k < n; k++) {
    if (is_count(reader, types[k], data[k])) {
      data[k] = dae_reader_close(reader, data[k], false);
      if (data[k] == DAE_NO_TERM) {
        return NULL;
      }
    }
  }
  return data;
}

const DaeValue **
dae_call_close_counts(DaeReader *reader, uint32_t class, const DaeValue *const *given)
{
  uint32_t n = 0;
  dae_call_members(reader, class, &n);
  g_autoptr(GArray) types = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  g_autoptr(GArray) scalars = dae_arguments_list(reader, given, n, types);
  const DaeValue **closed = dae_arena_alloc(reader->scratch, MAX(n, 1u) * sizeof *closed);
  uint32_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t count = given[i] != NULL ? dae_arguments_count(given[i]) : 0;
    closed[i] = given[i];
    if (count == 0) {
      continue;
    }
    DaeTerm *data = close_scalars(reader, &g_array_index(scalars, DaeTerm, at),
                                  &g_array_index(types, uint8_t, at), count);
    if (data == NULL) {
      return NULL;
    }
    DaeValue *value = dae_arena_alloc(reader->scratch, sizeof *value);
    *value = dae_arguments_with(reader, given[i], data);
    closed[i] = value;
    at += count;
  }
  return closed;
}
