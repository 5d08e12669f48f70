/* Interned names. */
#ifndef DAE_PARSER_NAMES_H
#define DAE_PARSER_NAMES_H

#include "base/base.h"

typedef struct DaeNames DaeNames;
DaeNames *dae_names_new(void); /* the keywords have the ids 1 ... DAE_N_KEYWORDS */
void dae_names_free(DaeNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeNames, dae_names_free)
uint32_t dae_names_intern(DaeNames *names, const char *text, size_t length);
uint32_t dae_names_find(const DaeNames *names, const char *text, size_t length); /* 0: absent */
size_t dae_names_bytes(const DaeNames *names); /* of all texts together */
const char *dae_names_text(const DaeNames *names, uint32_t name);
uint32_t dae_names_length(const DaeNames *names, uint32_t name);
/* What the name means in the scope at hand; 0: nothing. */
uint32_t dae_names_binding(const DaeNames *names, uint32_t name);
void dae_names_bind(DaeNames *names, uint32_t name, uint32_t binding);

#endif
