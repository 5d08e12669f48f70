/* For event_run.c, event_times.c and event_stuck.c only: one run with events. */
#ifndef DAE_PIPELINE_EVENT_RUN_PRIV_H
#define DAE_PIPELINE_EVENT_RUN_PRIV_H

#include "pipeline/chatter.h"
#include "pipeline/events.h"
#include "pipeline/watch.h"
#include "solver/integrator.h"

typedef struct {    /* events of one relation in one direction */
  double t[4];      /* the last ones */
  uint32_t n_close; /* in a row that were close to the one before */
} DaeRecentEvents;

typedef struct {
  DaeProblem *problem;
  DaeInstant *instant;
  DaeTerms *terms;
  const DaeSolverOptions *options;
  DaeOutputPoint output;
  void *user;
  DaeIntegrator *it;
  uint32_t n;
  double t;
  DaeTerm exact; /* NUMBER: the time of the last event, or of the start */
  DaeTerm next;  /* NUMBER: the next time event; DAE_NO_TERM: none */
  bool next_is_known;
  double *x, *xdot;
  double *begin; /* where the last step began */
  uint8_t *states;
  uint64_t outputs; /* number of the next output point */
  double *last;     /* values and slopes of the last point of a grid, until it is put out */
  uint8_t *last_states;
  double last_t;
  DaeRoots roots;
  int8_t *side;
  double *threshold;
  double resolution;     /* of guards, in parts of their scales */
  bool looks_closer;     /* events seemed to accumulate at a loose tolerance */
  uint8_t *is_algebraic; /* by unknown */
  GHashTable *modes;
  DaeSolverStatus status; /* of the last step or restart */
  /* fixed step: operations of events before the step; the most of steps without, with a restart */
  uint64_t operations, most_operations[2];
  bool restarted; /* after the last step */
  bool goes_on;   /* a fixed step: another time event of it follows */
  double
      piece_time; /* of the last change of pieces of delay(...); how many there were just then */
  uint32_t n_pieces_there;
  double turned_back; /* where a step began that was made again up to a turn; how often there */
  uint32_t n_turned_back;
  bool stopped;    /* the receiver of results wants no more */
  bool terminated; /* terminate() */
  bool failed_assertion;
  bool told_skipped; /* that a fixed step passes over something */
  bool told_lost;    /* that it loses events that accumulate */
  double mode_time; /* of the event of this step that changed something continuous; NAN: none */
  double last_mode_time;   /* likewise, of any step */
  DaeRecentEvents *recent; /* by guard, twice: its relation became true, false */
  DaeChatter *chatter;     /* NULL: nothing can chatter but what makes events */
  DaeWatch *watch;         /* NULL: there is nothing to watch */
  DaeStepRecord step;      /* the last one; order 0: none, the method has no records */
  GError **error;
} DaeEventRun;

/* ---- event_output.c ---------------------------------------------------------------------- */

double dae_event_run_output_time(const DaeEventRun *run, uint64_t k);
bool dae_event_run_is_output_time(const DaeEventRun *run, double t);
/* The point of the integrator at t, as results have it; at a t that rounding has put behind its
 * last step, the end of that. These end with false where no more points are wanted, or where an
 * assertion fails. */
bool dae_event_run_put_out_point(DaeEventRun *run, double t);
/* Output points in the last step, up to (not including, where an event is) its end. */
bool dae_event_run_put_out_step(DaeEventRun *run, bool up_to_end);
/* The point that the run stands at, with slopes from the equations. */
bool dae_event_run_put_out_here(DaeEventRun *run);
/* The last point of a grid has one row, with what terminal() changes; so it is kept until then. A
 * fixed step may end behind it: terminal() holds there. */
void dae_event_run_go_to_kept(DaeEventRun *run);
bool dae_event_run_put_out_kept(DaeEventRun *run);    /* as it was; none: true */
bool dae_event_run_put_out_changed(DaeEventRun *run); /* the run's point in its place */

/* ---- event_times.c ----------------------------------------------------------------------- */

bool dae_event_run_has_fixed_step(const DaeEventRun *run);
/* Points of a grid are sums of doubles: times nearer to each other than this are one. */
double dae_event_run_time_slack(const DaeEventRun *run);
bool dae_event_run_has_reached(const DaeEventRun *run, double time);
DaeTerm dae_event_run_exact_time(DaeEventRun *run, double t);
/* The next time event. It is the same one until something happens. */
DaeTerm dae_event_run_next_time(DaeEventRun *run);
/* Is a time event of the last step, of a method with a fixed step, still to be taken? */
bool dae_event_run_is_another_due(DaeEventRun *run);

/* ---- event_skipped.c --------------------------------------------------------------------- */

/* After a fixed step from `begin`: does it pass over positions of relations? A warning says so. */
void dae_event_run_look_for_skipped(DaeEventRun *run, double begin);
/* After an event that changed something continuous: did another one in the same fixed step? */
void dae_event_run_look_for_short_mode(DaeEventRun *run);

/* ---- event_asserted.c -------------------------------------------------------------------- */

/* Does an assertion without events fail in the step from `begin`? Then run->t, run->x,
 * run->xdot are the point at which the first one does. is_event: it ends a little behind an
 * event, whose values are looked at there. */
bool dae_event_run_find_failure(DaeEventRun *run, double begin, bool is_event);

/* ---- event_meet.c ------------------------------------------------------------------------ */

/* Is the state event at run->t the same instant as the time event at `time`? Then its relations
 * wait for that, and the step goes on. */
bool dae_event_run_meets_time(DaeEventRun *run, const DaeStop *stop, double time);

/* ---- event_stuck.c ----------------------------------------------------------------------- */

/* What instants take for 0 is not finer than this. */
#define DAE_FINE_RESOLUTION 1e-10
/* Many events of one relation in no time: they accumulate, or the relation chatters. True: that is
 * so, *error says it. */
bool dae_event_run_is_stuck(DaeEventRun *run, uint32_t guard);

#endif
