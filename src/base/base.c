#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
dae_internal_error(const char *file, int line, const char *what)
{
  fprintf(stderr, "daetool: internal error: %s:%d: %s\n", file, line, what);
  fflush(stderr);
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  abort(); /* the fuzzer takes note of this, not of an exit */
#endif
  _Exit(70); /* no exit handlers: whatever they would write may be half done */
}

void *
dae_aligned_new0(size_t bytes)
{
  const size_t whole = MAX((bytes + 63) / 64, 1) * 64;
  void *block = aligned_alloc(64, whole);
  DAE_ASSERT(block != NULL);
  memset(block, 0, whole);
  return block;
}

void *
dae_aligned_inside(void **block, size_t bytes)
{
  *block = g_malloc0(bytes + 64);
  return (char *)*block + (64 - (uintptr_t)*block % 64);
}

static GLogWriterOutput
write_log(GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer user)
{
  if ((level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL)) != 0) {
    const char *message = "GLib";
    for (gsize i = 0; i < n_fields; i++) {
      if (g_strcmp0(fields[i].key, "MESSAGE") == 0) {
        message = fields[i].value;
      }
    }
    dae_internal_error("glib", 0, message);
  }
  return g_log_writer_default(level, fields, n_fields, user);
}

void
dae_base_init(void)
{
  static gsize once = 0;
  if (g_once_init_enter(&once)) {
    g_log_set_writer_func(write_log, NULL, NULL);
    g_once_init_leave(&once, 1);
  }
}

G_DEFINE_QUARK(dae - error - quark, dae_error)

char *
dae_span_text(DaeSpan span)
{
  if (span.file == 0) {
    return g_strdup_printf("line %u", span.line);
  }
  g_autofree char *base = g_path_get_basename(g_quark_to_string(span.file));
  return g_strdup_printf("%s:%u", base, span.line);
}

void
dae_report(const DaeReporter *reporter, const DaeDiagnostic *diagnostic)
{
  if (reporter != NULL && reporter->diagnostic != NULL) {
    reporter->diagnostic(reporter->user, diagnostic);
  }
}

void
dae_report_warning(const DaeReporter *reporter, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  dae_report(reporter, &(DaeDiagnostic){.severity = DAE_WARNING, .message = message});
}

void
dae_report_note(const DaeReporter *reporter, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *message = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  dae_report(reporter, &(DaeDiagnostic){.severity = DAE_NOTE, .message = message});
}

void
dae_report_progress(const DaeReporter *reporter, const char *what, double fraction)
{
  if (reporter != NULL && reporter->progress != NULL) {
    reporter->progress(reporter->user, what, fraction);
  }
}

#define FOREVER 1e12 /* seconds: more would not fit */

struct DaeBudget {
  gint64 deadline; /* microseconds; 0: none */
  uint64_t steps;  /* left; UINT64_MAX: no limit */
  bool spent;
};

DaeBudget *
dae_budget_new(double seconds, uint64_t steps)
{
  DaeBudget *budget = g_new0(DaeBudget, 1);
  if (seconds > 0) {
    budget->deadline = g_get_monotonic_time() + (gint64)(fmin(seconds, FOREVER) * 1e6) + 1;
  }
  budget->steps = steps == 0 ? UINT64_MAX : steps;
  return budget;
}

void
dae_budget_free(DaeBudget *budget)
{
  g_free(budget);
}

bool
dae_budget_spent(DaeBudget *budget)
{
  if (budget == NULL || budget->spent) {
    return budget != NULL;
  }
  if (budget->steps != UINT64_MAX) {
    budget->steps -= budget->steps > 0;
    budget->spent = budget->steps == 0;
  }
  if (!budget->spent && budget->deadline != 0) {
    budget->spent = g_get_monotonic_time() >= budget->deadline;
  }
  return budget->spent;
}

void
dae_budget_charge(DaeBudget *budget, double steps)
{
  if (budget == NULL || budget->steps == UINT64_MAX) {
    return;
  }
  /* the last step is left to be counted: only spent() ends a budget */
  double most = (double)(budget->steps - MIN(budget->steps, 1u));
  budget->steps -= (uint64_t)CLAMP(steps, 0.0, most);
}
