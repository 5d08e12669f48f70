/* The parts of `daetool analyze`. */
#ifndef DAE_CLI_ANALYZE_PRIV_H
#define DAE_CLI_ANALYZE_PRIV_H

#include "cli/command.h"

typedef struct {
  DaeCli *cli;
  DaeTerms *terms;
  const DaeModel *written; /* the model as read */
  const DaeSig *sig;
} DaeAnalyzeView;

const char *dae_analyze_status_name(DaeSigStatus status);
/* One line without line end: name, verdict, the numbers that matter most. */
void dae_analyze_headline(const DaeAnalyzeView *view, GString *out);
void dae_analyze_json(const DaeAnalyzeView *view, GString *out);
void dae_analyze_text(const DaeAnalyzeView *view, GString *out);
void dae_analyze_svg(const DaeAnalyzeView *view, GString *out);
/* Factors of the determinant that are 0 for the given parameter values (GArray of DaeTerm). (transfer full) */
GArray *dae_analyze_violated_factors(const DaeAnalyzeView *view);
const char *dae_analyze_variable_name(const DaeAnalyzeView *view, const DaeSig *sig,
                                      uint32_t j);

#endif
