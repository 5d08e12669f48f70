/* Real y[:] = 2*f(x): the size of a variable that its value gives, before variables have values.
 * Every unknown number is taken as the time and a number of its own, which stand for any number;
 * only the size of the result counts. Where that does not work (a size that depends on an unknown)
 * the caller tells why. */
#include "reader/reader-priv.h"

bool
dae_measure_load(DaeReader *reader, const DaeEntity *entity, DaeValue *value)
{
  if (!reader->is_measuring || entity->kind != DAE_ENTITY_VARIABLE ||
      (entity->type != DAE_VALUE_REAL && entity->type != DAE_VALUE_INTEGER)) {
    return false;
  }
  DaeTerm *data = dae_value_new_data(reader, MAX(entity->count, 1u));
  for (uint32_t i = 0; i < MAX(entity->count, 1u); i++) {
    DaeTerm place = dae_term_int(reader->terms, (int64_t)entity->name * 65536 + i);
    data[i] = dae_term_add(reader->terms, dae_term_time(reader->terms), place);
  }
  value->term = entity->n_dims == 0 ? data[0] : DAE_NO_TERM;
  value->data = data;
  return true;
}

DaeValue
dae_measure(DaeReader *reader, uint32_t code)
{
  uint32_t errors = reader->source->n_errors;
  reader->source->n_errors = DAE_MAX_ERRORS; /* silent: it is only tried */
  reader->is_measuring = true;
  DaeValue value = dae_reader_evaluate(reader, code);
  reader->is_measuring = false;
  reader->source->n_errors = errors;
  value.opaque = value.type != DAE_VALUE_POISON;
  return value;
}
