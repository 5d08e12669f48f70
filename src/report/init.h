/* The verdict on an initialization for people and programs: what `daetool check-init` says. */
#ifndef DAE_REPORT_INIT_H
#define DAE_REPORT_INIT_H

#include "initcheck/initcheck.h"
#include "proofcheck/proofcheck.h"
#include "report/report.h"

typedef struct {
  const DaePage *page;
  const DaeInit *init;
  const DaeModel *model; /* that was checked: converted after a repair */
  const DaeSig *sig;     /* its structure; NULL: not known */
  DaeTerms *terms;
  bool with_matchings;
  GString *out;
} DaeInitView;

typedef struct { /* what the proof checker says */
  bool is_wanted;
  DaeProofCounts counts;
  char *why; /* the step that does not follow, or NULL */
  const DaeVerified *verified;
  uint32_t n_verified;
} DaeProofVerdict;

void dae_init_report_text(const DaeInitView *view, const DaeProofVerdict *proofs);
void dae_init_report_json(const DaeInitView *view, const DaeProofVerdict *proofs);

#endif
