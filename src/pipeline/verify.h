/* Certificates that are checked again; inside of the room. */
#ifndef DAE_PIPELINE_VERIFY_H
#define DAE_PIPELINE_VERIFY_H

#include "structural/structural.h"

/* verify_modular.c: a certificate of the kind ALGEBRAIC. */
bool dae_verify_modular(DaeTerms *terms, const DaeSig *sig, char **why);

#endif
