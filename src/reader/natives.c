/* External functions that daetool has itself: arguments in, results out. What
 * each does is in natives_*.c. */
#include "reader/natives.h"

#include <math.h>
#include <string.h>

bool
dae_foreign_fail(const DaeForeign *call, const char *why)
{
  dae_source_error(call->reader->source, call->pos, "%s: %s", call->name, why);
  return false;
}

bool
dae_foreign_double(const DaeForeign *call, uint32_t i, uint32_t k, double *value)
{
  return dae_reader_double(call->reader, dae_value_scalar_at(&call->arguments[i], k), value) ||
         dae_foreign_fail(call, "an argument is not known at translation");
}

bool
dae_foreign_is_numeric(const DaeForeign *call, uint32_t i)
{
  double value = 0;
  bool is_known = true;
  for (uint32_t k = 0; k < call->arguments[i].count && is_known; k++) {
    is_known =
        dae_reader_double(call->reader, dae_value_scalar_at(&call->arguments[i], k), &value);
  }
  return is_known;
}

bool
dae_foreign_integer(const DaeForeign *call, uint32_t i, int64_t *value)
{
  return dae_reader_integer(call->reader, &call->arguments[i], 0, call->pos, value);
}

bool
dae_foreign_boolean(const DaeForeign *call, uint32_t i, bool *value)
{
  DaeTerm closed = dae_reader_close(call->reader, call->arguments[i].term, false);
  if (closed == DAE_NO_TERM || dae_term_kind(call->reader->terms, closed) != DAE_KIND_BOOLEAN) {
    return dae_foreign_fail(call, "an argument is not known at translation");
  }
  *value = dae_term_get_bool(call->reader->terms, closed);
  return true;
}

const char *
dae_foreign_message(const DaeForeign *call, uint32_t i)
{
  if (call->arguments[i].type != DAE_VALUE_STRING || call->arguments[i].n_dims > 0) {
    dae_foreign_fail(call, "an argument is not a String");
    return NULL;
  }
  return dae_names_text(call->reader->names,
                        dae_string_known(call->reader, call->arguments[i].term));
}

const char *
dae_foreign_text(const DaeForeign *call, uint32_t i)
{
  if (dae_foreign_message(call, i) == NULL) {
    return NULL;
  }
  if (!dae_string_is_known(call->reader, call->arguments[i].term)) {
    dae_foreign_fail(call, "a text has values that are known only at run time");
    return NULL;
  }
  return dae_names_text(call->reader->names,
                        dae_string_known(call->reader, call->arguments[i].term));
}

double *
dae_foreign_doubles(const DaeForeign *call, uint32_t i)
{
  uint32_t n = call->arguments[i].count;
  g_autofree double *values = g_new(double, MAX(n, 1u));
  for (uint32_t k = 0; k < n; k++) {
    if (!dae_foreign_double(call, i, k, &values[k])) {
      return NULL;
    }
  }
  return g_steal_pointer(&values);
}

static bool
set_local(DaeForeign *call, uint32_t name, DaeValue value)
{
  uint32_t binding = name != 0 ? dae_names_binding(call->reader->names, name) : 0;
  if ((binding & DAE_LOCAL_BIT) == 0 || (binding & DAE_ITERATOR_BIT) != 0) {
    return dae_foreign_fail(call, "a result has no variable");
  }
  uint32_t index = binding & ~DAE_LOCAL_BIT;
  DaeValueType type = dae_local(call->reader, index)->value.type;
  uint32_t enumeration = dae_local(call->reader, index)->value.enumeration;
  dae_local_set(call->reader, index, &value);
  if ((type == DAE_VALUE_REAL || type == DAE_VALUE_ENUMERATION) &&
      value.type == DAE_VALUE_INTEGER) { /* in C an enumeration is its number */
    dae_local(call->reader, index)->value.type = type;
    dae_local(call->reader, index)->value.enumeration = enumeration;
  }
  return true;
}

bool
dae_foreign_return(DaeForeign *call, DaeValue value)
{
  return set_local(call, call->result, value);
}

bool
dae_foreign_return_text(DaeForeign *call, const char *text, gssize length)
{
  uint32_t name =
      dae_names_intern(call->reader->names, text, length < 0 ? strlen(text) : (size_t)length);
  return dae_foreign_return(call, dae_value_scalar(DAE_VALUE_STRING, name));
}

bool
dae_foreign_return_integer(DaeForeign *call, int64_t value)
{
  return dae_foreign_return(
      call, dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(call->reader->terms, value)));
}

bool
dae_foreign_set(DaeForeign *call, uint32_t i, DaeValue value)
{
  return set_local(call, call->names[i], value);
}

bool
dae_foreign_set_doubles(DaeForeign *call, uint32_t i, const double *values, bool is_integer)
{
  const DaeValue *like = &call->arguments[i];
  DaeTerm *data = dae_value_new_data(call->reader, MAX(like->count, 1u));
  for (uint32_t k = 0; k < like->count; k++) {
    if (!isfinite(values[k])) {
      return dae_foreign_fail(call, "a result is not finite");
    }
    data[k] = dae_term_from_double(call->reader->terms, values[k]);
  }
  return dae_foreign_set(call, i,
                         dae_value_array(call->reader,
                                         is_integer ? DAE_VALUE_INTEGER : DAE_VALUE_REAL,
                                         like->n_dims, like->dims, data, like->count));
}

/* ---- the call ---------------------------------------------------------------------------- */

static const DaeForeignEntry *
find_entry(const char *name)
{
  const DaeForeignEntry *const tables[] = {
      dae_foreign_strings, dae_foreign_files, dae_foreign_system, dae_foreign_tables,
      dae_foreign_numbers, dae_foreign_lu,    dae_foreign_lapack, dae_foreign_schur,
      dae_foreign_fft,     dae_foreign_impure};
  for (size_t t = 0; t < G_N_ELEMENTS(tables); t++) {
    for (const DaeForeignEntry *entry = tables[t]; entry->name != NULL; entry++) {
      if (strcmp(entry->name, name) == 0) {
        return entry;
      }
    }
  }
  return NULL;
}

static bool
is_lapack(const DaeForeignEntry *entry)
{
  return entry->name[0] == 'd'; /* double precision; all others have longer names */
}

bool
dae_foreign_is_known(const char *name)
{
  return find_entry(name) != NULL;
}

/* The values of the arguments; which of them are plain names. */
static bool
evaluate_arguments(DaeReader *reader, const DaeExternal *external, DaeForeign *call)
{
  uint32_t base = reader->stack->len;
  uint32_t pc = external->code;
  bool good = true;
  bool old = reader->takes_incomplete;
  reader->takes_incomplete = true;
  while (good && pc != 0 && dae_syntax_code(reader->syntax, pc)->op != DAE_OP_RETURN) {
    const DaeInstruction instruction = *dae_syntax_code(reader->syntax, pc);
    good = dae_reader_step(reader, &pc);
    uint32_t height = reader->stack->len - base;
    if (good && height > 0 && height <= DAE_MAX_FOREIGN_ARGUMENTS) {
      call->names[height - 1] = instruction.op == DAE_OP_NAME ? instruction.arg : 0;
    }
  }
  reader->takes_incomplete = old;
  call->n = good ? reader->stack->len - base : 0;
  if (call->n > DAE_MAX_FOREIGN_ARGUMENTS) {
    good = dae_foreign_fail(call, "more than 32 arguments");
  }
  for (uint32_t i = 0; good && i < call->n; i++) {
    dae_chain_finish(reader, &g_array_index(reader->stack, DaeValue, base + i));
    call->arguments[i] = g_array_index(reader->stack, DaeValue, base + i);
  }
  g_array_set_size(reader->stack, base);
  return good;
}

/* Without a list of arguments: the inputs in order, the result is the only output. */
static void
default_arguments(DaeReader *reader, uint32_t class, DaeForeign *call)
{
  uint32_t n = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    if ((d->flags & DAE_FLAG_OUTPUT) != 0) {
      call->result = d->name;
    } else if ((d->flags & DAE_FLAG_INPUT) != 0 && call->n < DAE_MAX_FOREIGN_ARGUMENTS) {
      call->names[call->n] = d->name;
      call->arguments[call->n++] = dae_reader_load(reader, d->name, call->pos);
    }
  }
}

/* external "builtin" y = sin(u) */
static bool
run_builtin(DaeForeign *call, uint32_t function)
{
  DaeValue value =
      dae_function_apply_builtin(call->reader, function, call->arguments, call->n, call->pos);
  return value.type != DAE_VALUE_POISON && dae_foreign_return(call, value);
}

static const char *
last_part(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot != NULL && dot[1] != '\'' ? dot + 1 : name;
}

const char *
dae_foreign_name(const DaeReader *reader, uint32_t class)
{
  const DaeClass *c = dae_syntax_class(reader->syntax, class);
  uint32_t function =
      g_array_index(reader->syntax->externals, DaeExternal, c->external).function;
  return function != 0 ? dae_names_text(reader->names, function)
                       : last_part(dae_names_text(reader->names, c->name));
}

/* The scope of the function is entered; its results go to its locals. */
bool
dae_foreign_run(DaeReader *reader, uint32_t class, uint32_t pos)
{
  const DaeClass *c = dae_syntax_class(reader->syntax, class);
  const DaeExternal external =
      g_array_index(reader->syntax->externals, DaeExternal, c->external);
  DaeForeign call = {.reader = reader, .pos = pos, .result = external.result};
  uint32_t function = external.function;
  call.name = dae_foreign_name(reader, class);
  if (dae_foreign_is_unknown(reader, class)) {
    return dae_foreign_unknown(&call, class);
  }
  if (external.code != 0 || function != 0) {
    if (!evaluate_arguments(reader, &external, &call)) {
      return false;
    }
  } else {
    default_arguments(reader, class, &call);
  }
  const DaeForeignEntry *entry = find_entry(call.name);
  if (entry != NULL && call.n >= entry->n && is_lapack(entry) && dae_foreign_is_empty(&call)) {
    return dae_foreign_run_empty(&call);
  }
  if (entry != NULL && call.n >= entry->n) {
    return entry->run(&call);
  }
  if (entry != NULL) {
    return dae_foreign_fail(&call, "it has too few arguments");
  }
  return run_builtin(&call, dae_names_intern(reader->names, call.name, strlen(call.name)));
}
