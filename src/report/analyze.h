/* The structure of a model for people and programs: what `daetool analyze` says. */
#ifndef DAE_REPORT_ANALYZE_H
#define DAE_REPORT_ANALYZE_H

#include "report/inputs.h"
#include "report/report.h"
#include "structural/structural.h"

typedef struct {
  const DaePage *page;
  DaeTerms *terms;
  const DaeModel *written; /* the model as read */
  const DaeSig *sig;
  const DaeInputNeeds *inputs; /* NULL: not asked for */
  const DaeVerified *verified; /* NULL: not asked for */
} DaeAnalyzeView;

const char *dae_analyze_status_name(DaeSigStatus status);
/* One line without line end: name, verdict, the numbers that matter most. */
void dae_analyze_headline(const DaeAnalyzeView *view, GString *out);
void dae_analyze_json(const DaeAnalyzeView *view, GString *out);
void dae_analyze_text(const DaeAnalyzeView *view, GString *out);
void dae_analyze_svg(const DaeAnalyzeView *view, GString *out);
/* How the status is known, and what it is with parameters as symbols where
 * that differs (certificate.c). */
void dae_certificate_json(DaeJson *json, const DaeAnalyzeView *view, const DaeSig *sig);
void dae_certificate_text(GString *out, const DaeAnalyzeView *view, const DaeSig *sig);
void dae_symbolic_json(DaeJson *json, const DaeSig *sig);
void dae_symbolic_text(GString *out, const DaeAnalyzeView *view, const DaeSig *sig);
/* Components with too many or too few equations, inputs without a value (blame.c). */
void dae_blame_json(DaeJson *json, const DaeAnalyzeView *view);
void dae_blame_text(const DaeAnalyzeView *view, GString *out);
const char *dae_analyze_variable_name(const DaeAnalyzeView *view, const DaeSig *sig,
                                      uint32_t j);

#endif
