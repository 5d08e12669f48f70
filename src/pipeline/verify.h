/* Certificates that are checked again; inside of the room. */
#ifndef DAE_PIPELINE_VERIFY_H
#define DAE_PIPELINE_VERIFY_H

#include "initial/initial.h"
#include "proofcheck/certify.h"
#include "structural/structural.h"

/* Parameters with a value stand for it. */
void dae_verify_bind_parameters(DaeCertifier *certifier, DaeTerms *terms,
                                const DaeModel *model);
/* Diagonal blocks of the Jacobian of sig, which has to outlive it. */
typedef struct DaeVerifyBlocks DaeVerifyBlocks;

DaeVerifyBlocks *dae_verify_blocks_new(const DaeSig *sig);
void dae_verify_blocks_free(DaeVerifyBlocks *blocks);
/* DaeCertifierEntry of one of them. (transfer full) */
GArray *dae_verify_block_entries(DaeVerifyBlocks *blocks, const DaeSigBlock *block);
/* Is such a matrix regular where everything in it is bound? */
bool dae_verify_is_regular(DaeCertifier *certifier, DaeTerms *terms, const GArray *entries,
                           uint32_t n);
char *dae_verify_say_singular(DaeTerms *terms, const DaeSigBlock *block, const GArray *entries);

/* verify_order.c: have the equations exactly one solution near these values of the atoms?
 * Afterwards the atoms stand for it, exactly or in balls. */
typedef struct {
  const DaeTerm *equations, *atoms; /* n of each */
  const double *values;
  uint32_t n;
  bool is_strict; /* the Jacobian has to be regular there */
} DaeSolutionNear;

bool dae_verify_solution(DaeCertifier *certifier, DaeTerms *terms, const DaeSolutionNear *near,
                         char **why);
/* "the interval Newton operator ...", and where it has no value. (transfer full) */
char *dae_verify_say_open(DaeTerms *terms, const DaeCertifier *certifier);
/* Is the Jacobian regular, fine block by fine block, where everything in it is bound? */
bool dae_verify_blocks_at_box(DaeCertifier *certifier, DaeTerms *terms, const DaeSig *sig,
                              char **why);

/* verify_modular.c: a certificate of the kind ALGEBRAIC. */
bool dae_verify_modular(DaeTerms *terms, const DaeSig *sig, char **why);

#endif
