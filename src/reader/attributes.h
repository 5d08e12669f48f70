/* Attributes of one declaration, read. */
#ifndef DAE_READER_ATTRIBUTES_H
#define DAE_READER_ATTRIBUTES_H

#include "reader/reader-priv.h"

typedef enum {
  DAE_ATTRIBUTE_START,
  DAE_ATTRIBUTE_FIXED,
  DAE_ATTRIBUTE_MIN,
  DAE_ATTRIBUTE_MAX,
  DAE_ATTRIBUTE_NOMINAL,
  DAE_ATTRIBUTE_UNIT,
  DAE_ATTRIBUTE_DISPLAY_UNIT,
  DAE_ATTRIBUTE_QUANTITY,
  DAE_ATTRIBUTE_STATE_SELECT,
  DAE_ATTRIBUTE_UNBOUNDED,
  DAE_N_ATTRIBUTES
} DaeAttribute;

typedef struct {
  bool given[DAE_N_ATTRIBUTES];
  /* scalar (for all elements) or of the size of the entity */
  DaeValue values[DAE_N_ATTRIBUTES];
} DaeAttributes;

void dae_attributes_read(DaeReader *reader, const DaeEntity *entity, DaeAttributes *attributes);
/* Of element i; DAE_NO_TERM: not given. */
DaeTerm dae_attributes_term(const DaeAttributes *attributes, DaeAttribute attribute,
                            uint32_t i);
bool dae_attributes_bool(DaeReader *reader, const DaeAttributes *attributes,
                         DaeAttribute attribute, uint32_t i, bool otherwise);
const char *dae_attributes_string(const DaeReader *reader, const DaeAttributes *attributes,
                                  DaeAttribute attribute, uint32_t i);

#endif
