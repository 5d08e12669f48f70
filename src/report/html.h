/* A model in one HTML page: verdict and what to do next, structure, hidden constraints,
 * initialization, solution, source.
 *
 * The page needs no network and no other file. What a person reads stands in it as HTML and
 * MathML; the matrix, the curves and a long source are drawn by its scripts (web/) from one
 * compressed block of data. Parts that were not reached are left out. */
#ifndef DAE_REPORT_HTML_H
#define DAE_REPORT_HTML_H

#include "initcheck/initcheck.h"
#include "qlt/qlt.h"
#include "structural/structural.h"

typedef struct {
  DaeSeverity severity;
  uint32_t line; /* 0: none */
  char *text;
} DaeHtmlMessage;

typedef struct {
  const char *label, *value;
} DaeHtmlFigure;

typedef struct {
  double t, size;
  int order;
  uint32_t newton;
} DaeHtmlStep;

typedef struct {
  double t;
  const char *kind;            /* "initial", "time", "state", "terminal" */
  const char *cause, *changes; /* relation and line; new values of discrete variables */
} DaeHtmlEvent;

/* A simulation: n_points times, then n_curves runs of n_points values. */
typedef struct {
  const char *const *names, *const *units; /* n_curves each; a unit may be NULL */
  const uint8_t *kinds;          /* n_curves: 0 Real, 1 Integer or enumeration, 2 Boolean */
  uint32_t n_curves, n_left_out; /* left out: too many for a page */
  const double *time, *values;
  size_t n_points;
  const DaeHtmlEvent *events;
  size_t n_events;
  const DaeHtmlStep *steps;
  size_t n_steps;
  const double *residual_time, *residual;
  size_t n_residuals;
  const DaeHtmlFigure *figures; /* statistics */
  size_t n_figures;
  double tolerance;
  const char *status; /* "radau: completed at t = 10" */
} DaeHtmlRun;

typedef struct {
  const char *name;      /* of the model, or of its file when that could not be read */
  DaeTerms *terms;       /* NULL with model */
  const DaeModel *model; /* NULL: not readable, the messages say why */
  /* Its continuous equations, as the analysis numbers them; NULL: not analyzed. */
  const DaeModel *analyzed;
  const char *source;
  size_t source_length;
  const DaeSig *sig;          /* NULL: not reached */
  const DaeQlt *qlt;          /* same */
  const DaeInit *init;        /* same */
  const DaeModel *init_model; /* the one that was checked; NULL with init */
  const DaeHtmlRun *run;      /* same */
  const char *failure;        /* what ended the work before its end; NULL: nothing did */
  const DaeHtmlMessage *messages;
  size_t n_messages;
  const char *command, *version;
  const char *watch_stamp; /* the page reloads when another stamp is there; NULL: it does not */
} DaeHtmlReport;

/* False: the program was built without the page (meson option report). */
bool dae_html_is_available(void);
void dae_html_write(const DaeHtmlReport *report, GString *out);

#endif
