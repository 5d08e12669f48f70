/* Inside of ticks: what ticks.c makes and ticks_run.c executes. */
#ifndef DAE_INSTANT_TICKS_PRIV_H
#define DAE_INSTANT_TICKS_PRIV_H

#include "instant/instant-priv.h"
#include "instant/ticks.h"

typedef struct { /* consecutive explicit blocks, or one that is implicit */
  uint32_t sub;
  DaeTicks ticks;
  bool is_explicit;
  uint32_t n;
  DaeTerm *unknowns;
  DaeTerm *equations; /* in segment atoms */
  uint32_t *places;
  DaePointFunctions functions; /* values, or residuals */
  /* implicit */
  DaePointFunctions slopes; /* d residual / d unknown, by rows */
  DaeTerm *slope_terms;
  uint32_t *row_start, *column;
  DaeSpan span;
} DaeTickPiece;

typedef struct {
  DaeTerm period, shift;
  DaeTerm next; /* NUMBER, of a periodic base; DAE_NO_TERM: the first one is to be found */
  uint32_t interval, first_tick; /* places */
  bool ticks;                    /* now */
  bool has_ticked;
  bool is_told;
  double last; /* time of its last tick */
} DaeTickSub;

typedef struct {
  int64_t count; /* ticks so far */
  uint32_t condition;
  bool is_due;
  DaeTerm next; /* VARYING: NUMBER */
  DaePointFunctions interval, first;
  DaeTerm interval_term, first_term;
} DaeTickBase;

struct DaeTicking {
  DaeInstant *instant;
  const DaeClocks *clocks;
  DaeTerms *terms;
  GPtrArray *pieces; /* DaeTickPiece */
  DaeTickSub *subs;
  uint32_t n_subs;
  DaeTickBase *bases;
  uint32_t n_bases;
  DaeTerm start;       /* NUMBER: when the run began */
  DaeTerm until;       /* NUMBER: when it ends; DAE_NO_TERM: not known yet */
  GArray *input_terms; /* DaeTerm */
  uint32_t *input_places;
  DaePointFunctions inputs;
  GArray *asserted; /* DaeTerm: 1 where it holds */
  DaePointFunctions assertions;
};

#endif
