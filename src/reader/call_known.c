/* Parameters as numbers.
 *
 * Parameters are symbols in what a call leaves, also those that are no Reals. A random generator
 * that starts from a seed makes long terms of it, round by round: where a call is large, the values
 * of Integer parameters count (as in sizes and ranges), and what follows from them is computed at
 * once. Where a call of parameters only cannot be written with symbols at all (the bounds of its
 * slices depend on what its matrices hold), all their values count. */
#include "reader/calls.h"

#include <string.h>

static bool
is_symbol(const DaeReader *reader, uint8_t type, DaeTerm t)
{
  return dae_argument_constant(reader, type, t) == DAE_NO_TERM;
}

static bool
is_count(const DaeReader *reader, uint8_t type, DaeTerm t)
{
  return (type == DAE_VALUE_INTEGER || type == DAE_VALUE_BOOLEAN ||
          type == DAE_VALUE_ENUMERATION) &&
         is_symbol(reader, type, t) && dae_term_is_parametric(reader->terms, t);
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

bool
dae_call_is_of_parameters(const DaeReader *reader, uint32_t class, const DaeValue *const *given)
{
  uint32_t n = 0;
  dae_call_members(reader, class, &n);
  g_autoptr(GArray) types = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  g_autoptr(GArray) scalars = dae_arguments_list(reader, given, n, types);
  bool has_symbols = false;
  for (uint32_t k = 0; k < scalars->len; k++) {
    DaeTerm t = g_array_index(scalars, DaeTerm, k);
    bool is_one = is_symbol(reader, g_array_index(types, uint8_t, k), t);
    if (is_one && !dae_term_is_parametric(reader->terms, t)) {
      return false;
    }
    has_symbols = has_symbols || is_one;
  }
  return has_symbols;
}

/* Its number, that of sqrt(2) as a double where doubles will do. */
static DaeTerm
close_scalar(DaeReader *reader, DaeTerm t, bool is_rounded)
{
  DaeTerm closed = dae_reader_close(reader, t, false);
  double value = 0;
  return closed == DAE_NO_TERM && is_rounded && dae_reader_double(reader, t, &value)
             ? dae_term_from_double(reader->terms, value)
             : closed;
}

/* The scalars of a value, counts (or all) as numbers. NULL: one has no value. */
static DaeTerm *
close_scalars(DaeReader *reader, const DaeTerm *scalars, const uint8_t *types, uint32_t n,
              bool all)
{
  DaeTerm *data = dae_value_new_data(reader, n);
  memcpy(data, scalars, n * sizeof *data);
  for (uint32_t k = 0; k < n; k++) {
    if (is_count(reader, types[k], data[k]) || (all && is_symbol(reader, types[k], data[k]))) {
      data[k] = close_scalar(reader, data[k], all && types[k] == DAE_VALUE_REAL);
      if (data[k] == DAE_NO_TERM) {
        return NULL;
      }
    }
  }
  return data;
}

const DaeValue **
dae_call_close(DaeReader *reader, uint32_t class, const DaeValue *const *given, bool all)
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
                                  &g_array_index(types, uint8_t, at), count, all);
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
