/* Calls of methods of LAPACK: on numbers at once, else as routines that have their values at
 * run time (terms/routines.h). */
#include "reader/natives.h"

#include <math.h>
#include <string.h>

#define MOST_ROWS ((uint32_t)DAE_MATRIX_MOST_ROWS)
#define MOST_AT_RUN_TIME 2500u /* scalars of one matrix */

/* ---- arguments --------------------------------------------------------------------------- */

bool
dae_foreign_is_matrix(const DaeForeign *call, uint32_t i)
{
  const DaeValue *value = &call->arguments[i];
  return value->n_dims == 2 && value->dims[0] > 0 && value->dims[1] > 0 &&
         value->dims[0] <= MOST_ROWS && value->dims[1] <= MOST_ROWS;
}

bool
dae_foreign_is_square(const DaeForeign *call, uint32_t i)
{
  return dae_foreign_is_matrix(call, i) &&
         call->arguments[i].dims[0] == call->arguments[i].dims[1];
}

bool
dae_foreign_is_vector(const DaeForeign *call, uint32_t i, uint32_t n)
{
  return call->arguments[i].n_dims == 1 && call->arguments[i].count == n;
}

bool
dae_foreign_fail_sizes(const DaeForeign *call)
{
  return dae_foreign_fail(call, "the sizes of the matrices do not fit, or are over 500");
}

bool
dae_foreign_set_info(DaeForeign *call, int info)
{
  return dae_foreign_set(
      call, call->n - 1,
      dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(call->reader->terms, info)));
}

char
dae_foreign_letter(const DaeForeign *call, uint32_t i)
{
  const char *text = dae_foreign_text(call, i);
  return text != NULL ? g_ascii_toupper(*text) : '\0';
}

/* ---- the call ---------------------------------------------------------------------------- */

/* The scalars of all inputs as numbers, Booleans as 0 and 1. */
static GArray *
list_inputs(const DaeForeign *call, const DaeMethodCall *m)
{
  GArray *inputs = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  for (uint32_t i = 0; i < m->n_inputs; i++) {
    const DaeValue *value = &call->arguments[m->inputs[i]];
    for (uint32_t k = 0; k < value->count; k++) {
      DaeTerm t = dae_formal_number(call->reader, value->type, dae_value_scalar_at(value, k));
      g_array_append_val(inputs, t);
    }
  }
  return inputs;
}

/* NULL: not all are numbers. */
static double *
known_numbers(DaeReader *reader, const GArray *inputs)
{
  g_autofree double *numbers = g_new(double, inputs->len + 1);
  for (uint32_t i = 0; i < inputs->len; i++) {
    if (!dae_reader_double(reader, g_array_index(inputs, DaeTerm, i), &numbers[i])) {
      return NULL;
    }
  }
  return g_steal_pointer(&numbers);
}

static uint32_t
count_results(const DaeMethodCall *m, uint8_t *is_step)
{
  uint32_t n = 0;
  for (uint32_t r = 0; r < m->n_results; r++) {
    for (uint32_t k = 0; k < m->results[r].count; k++, n++) {
      if (is_step != NULL) {
        is_step[n] = m->results[r].is_step ? 1 : 0;
      }
    }
  }
  return n;
}

static bool
set_results(DaeForeign *call, const DaeMethodCall *m, const DaeTerm *values)
{
  uint32_t at = 0;
  for (uint32_t r = 0; r < m->n_results; at += m->results[r++].count) {
    const DaeMethodResult *result = &m->results[r];
    DaeValueType type = result->is_step ? DAE_VALUE_INTEGER : DAE_VALUE_REAL;
    if (result->argument == DAE_METHOD_NOWHERE) {
      continue;
    }
    if (result->argument == DAE_METHOD_RETURNED) {
      if (!dae_foreign_return(call, dae_value_scalar(type, values[at]))) {
        return false;
      }
      continue;
    }
    const DaeValue *like = &call->arguments[result->argument];
    if (like->n_dims == 0 && result->count == 1) {
      if (!dae_foreign_set(call, result->argument, dae_value_scalar(type, values[at]))) {
        return false;
      }
    } else if (like->count == result->count) {
      DaeTerm *data = dae_value_new_data(call->reader, MAX(like->count, 1u));
      memcpy(data, values + at, like->count * sizeof(DaeTerm));
      if (!dae_foreign_set(call, result->argument,
                           dae_value_array(call->reader, type, like->n_dims, like->dims, data,
                                           like->count))) {
        return false;
      }
    }
  }
  return true;
}

static bool
run_now(DaeForeign *call, const DaeMethodCall *m, const DaeMethod *method, const double *inputs)
{
  uint32_t n = count_results(m, NULL);
  g_autofree double *outputs = g_new0(double, n + 1);
  g_autofree double *work = g_new0(double, method->n_work);
  g_autofree int *places = g_new0(int, method->n_places);
  g_autofree DaeTerm *values = g_new(DaeTerm, n + 1);
  method->run(method->sizes, inputs, outputs, work, places);
  for (uint32_t k = 0; k < n; k++) {
    if (!isfinite(outputs[k])) {
      return dae_foreign_fail(call, "a result is not finite");
    }
    values[k] = dae_term_from_double(call->reader->terms, outputs[k]);
  }
  return set_results(call, m, values);
}

uint32_t
dae_method_routine(DaeReader *reader, const DaeMethod *method, const uint8_t *is_step)
{
  g_autoptr(GString) key = g_string_new("method ");
  g_string_append(key, method->name);
  for (uint32_t i = 0; i < DAE_METHOD_SIZES; i++) {
    g_string_append_printf(key, " %d", method->sizes[i]);
  }
  g_string_append(key, method->n_continuous == UINT32_MAX ? " all" : "");
  gpointer known = g_hash_table_lookup(reader->unknown_functions, key->str);
  if (known != NULL) {
    return GPOINTER_TO_UINT(known) - 1;
  }
  uint32_t number = dae_terms_add_method_routine(reader->terms, method->name, method, is_step);
  g_hash_table_insert(reader->unknown_functions, g_strdup(key->str),
                      GUINT_TO_POINTER(number + 1));
  dae_method_derive(reader, number);
  return number;
}

static bool
run_later(DaeForeign *call, const DaeMethodCall *m, const DaeMethod *method,
          const GArray *inputs)
{
  DaeReader *reader = call->reader;
  uint32_t n = count_results(m, NULL);
  g_autofree uint8_t *is_step = g_new0(uint8_t, n + 1);
  g_autofree DaeTerm *values = g_new(DaeTerm, n + 1);
  if (inputs->len > 2 * MOST_AT_RUN_TIME || n > 2 * MOST_AT_RUN_TIME) {
    return dae_foreign_fail(call, "a matrix that is known only at run time has over 50 rows");
  }
  count_results(m, is_step);
  uint32_t number = dae_method_routine(reader, method, is_step);
  for (uint32_t k = 0; k < n; k++) {
    values[k] =
        dae_term_routine(reader->terms, number, k, (const DaeTerm *)(const void *)inputs->data);
  }
  return set_results(call, m, values);
}

bool
dae_foreign_run_method(DaeForeign *call, const DaeMethodCall *m)
{
  DaeMethod method;
  g_autoptr(GArray) inputs = list_inputs(call, m);
  if (!dae_matrix_method(m->name, m->sizes, &method)) {
    return dae_foreign_fail_sizes(call);
  }
  DAE_ASSERT(method.n_inputs == inputs->len && method.n_outputs == count_results(m, NULL));
  g_autofree double *numbers = known_numbers(call->reader, inputs);
  return numbers != NULL ? run_now(call, m, &method, numbers)
                         : run_later(call, m, &method, inputs);
}
