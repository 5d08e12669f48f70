/* Ground floor: internal checks, source places, diagnostics.
 *
 * Four kinds of trouble, never mixed (docs/architecture.md, "Errors"):
 *   verdicts               are fields of results, not errors;
 *   the user's mistakes    are GErrors (domain DAE_ERROR here) or diagnostics with a place;
 *   numerical trouble      is a return code inside the solver;
 *   our own bugs           end in DAE_ASSERT: one line on standard error, exit code 70.
 */
#ifndef DAE_BASE_BASE_H
#define DAE_BASE_BASE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Internal check, active in every build. */
#define DAE_ASSERT(condition)                                                                  \
  do {                                                                                         \
    if (G_UNLIKELY(!(condition))) {                                                            \
      dae_internal_error(__FILE__, __LINE__, #condition);                                      \
    }                                                                                          \
  } while (0)

/* Prints `daetool: internal error: FILE:LINE: WHAT` and leaves with exit code 70. */
G_NORETURN void dae_internal_error(const char *file, int line, const char *what);

/* Makes GLib's fatal paths (g_error, out of memory) end through dae_internal_error.
 * Idempotent. The home of FLINT has a hook of its own. */
void dae_base_init(void);

/* Zeroed memory on a 64-byte boundary, for vector registers and scratch of
 * evaluators; free() it. Never NULL. */
void *dae_aligned_new0(size_t bytes);

/* The same for large blocks of which little may be used: pages that nothing touches are not made.
 * g_free(*block), which is not what is returned. */
void *dae_aligned_inside(void **block, size_t bytes);

/* The one error domain of the library; cli maps the codes to exit codes in one table. */
#define DAE_ERROR (dae_error_quark())
GQuark dae_error_quark(void);

typedef enum {
  DAE_ERROR_USAGE,       /* the caller's options are wrong                        exit 2 */
  DAE_ERROR_MODEL,       /* the model is wrong; details are in the diagnostics    exit 3 */
  DAE_ERROR_UNSUPPORTED, /* understood, not supported yet                         exit 3 */
  DAE_ERROR_UNDECIDED,   /* a budget (time, memory) ended an analysis             exit 4 */
  DAE_ERROR_NUMERIC,     /* numerical failure                                     exit 5 */
  DAE_ERROR_FILE,        /* a file could not be read or written                   exit 6 */
  DAE_ERROR_NEGATIVE     /* a stage refused because an earlier verdict was "no"   exit 1 */
} DaeErrorCode;

/* A place in a source text. line and column count from 1; 0 means unknown.
 * Columns count bytes; length is at least 1 where the place is known. */
typedef struct {
  uint32_t line;
  uint32_t column;
  uint32_t length;
  GQuark file; /* of the text; 0: the model's own file, or unknown */
} DaeSpan;

/* "line 12", or "Basic.mo:12" of a file that is not the model's own. (transfer full) */
char *dae_span_text(DaeSpan span);

typedef enum { DAE_NOTE, DAE_WARNING, DAE_FAILURE } DaeSeverity;

/* One message. file and source_line are NULL when there is no place. */
typedef struct {
  DaeSeverity severity;
  DaeSpan span;
  const char *file;
  const char *source_line; /* the text of that line, without line end */
  const char *message;
} DaeDiagnostic;

/* Where warnings, errors with places and progress go. Rooms never print: they report. */
typedef struct {
  void (*diagnostic)(void *user, const DaeDiagnostic *diagnostic);
  void (*progress)(void *user, const char *what, double fraction); /* fraction < 0: unknown */
  void *user;
} DaeReporter;

/* Both accept reporter == NULL and NULL members. */
void dae_report(const DaeReporter *reporter, const DaeDiagnostic *diagnostic);
void dae_report_note(const DaeReporter *reporter, const char *format, ...) G_GNUC_PRINTF(2, 3);
void dae_report_warning(const DaeReporter *reporter, const char *format, ...)
    G_GNUC_PRINTF(2, 3);
void dae_report_progress(const DaeReporter *reporter, const char *what, double fraction);

/* A limit on work. Every search asks dae_budget_spent() now and then and answers
 * "unknown" when it is true. A NULL budget never ends. */
typedef struct DaeBudget DaeBudget;
/* 0: no limit of that kind. Seconds only where the user asked for them: what is counted
 * ends alike on every machine. */
DaeBudget *dae_budget_new(double seconds, uint64_t steps);
void dae_budget_free(DaeBudget *budget);
bool dae_budget_spent(DaeBudget *budget); /* counts one step */
/* Counts work that took longer than a step: one step is some ten microseconds. */
void dae_budget_charge(DaeBudget *budget, double steps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeBudget, dae_budget_free)

G_END_DECLS

#endif
