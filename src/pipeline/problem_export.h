/* Events of a problem as the exporter wants them. */
#ifndef DAE_PIPELINE_PROBLEM_EXPORT_H
#define DAE_PIPELINE_PROBLEM_EXPORT_H

#include "export/export.h"
#include "pipeline/problem-priv.h"

typedef struct DaeExportedClocks DaeExportedClocks;

typedef struct {
  DaeCgenMessages data;
  GArray *words, *start, *parts;
  GStringChunk *texts;
} DaeExportedMessages;

typedef struct {
  DaeCgenEvents data;
  double *segment, *x; /* after the initial event */
  uint8_t *is_when, *is_real, *buffer_kind, *guard_kind, *action_kind;
  double *guard_nominal;
  uint32_t *action_target;
  char **action_message, **assertion_message, **names;
  uint8_t *assertion_kind;
  char *start_message;
  double *tick_start, *tick_interval;
  DaeTerm *guards, *scales, *rates, *left_limits;
  uint32_t *time_buffer;
  DaeTerm *time_guards, *time_rates;
  double *delay_length;
  uint8_t *delay_held, *delay_varies, *is_untied, *is_given;
  DaeTerm *delay_times;
  DaeExportedClocks *clocks; /* NULL: none */
  DaeExportedMessages *messages;
} DaeExportedEvents;

/* NULL: *error says what cannot be written. (transfer full) */
DaeExportedClocks *dae_problem_clocks_as_data(DaeProblem *problem, GError **error);
void dae_exported_clocks_take_state(DaeExportedClocks *clocks, const DaeInstant *instant);
const DaeCgenClocks *dae_exported_clocks_data(const DaeExportedClocks *clocks);
void dae_exported_clocks_free(DaeExportedClocks *clocks);

/* problem_export_messages.c; (transfer full) */
DaeExportedMessages *dae_problem_messages_as_data(DaeProblem *problem, uint32_t n_actions,
                                                  uint32_t n_assertions);
void dae_exported_messages_free(DaeExportedMessages *messages);

/* NULL: *error says what cannot be written, at its place. (transfer full) */
DaeExportedEvents *dae_problem_events_as_data(DaeProblem *problem, GError **error);
void dae_exported_events_free(DaeExportedEvents *events);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeExportedEvents, dae_exported_events_free)

/* The first steps, with events; user is the problem. */
bool dae_problem_run_for_export(void *user, const DaeSolverOptions *options, double *x,
                                DaeSolverResult *result, GError **error);

#endif
