/* For delay.c, delay_varying.c and tables.c only: the past of what is delayed. */
#ifndef DAE_INSTANT_DELAY_PRIV_H
#define DAE_INSTANT_DELAY_PRIV_H

#include "instant/instant-priv.h"

#define DAE_NO_BREAK UINT32_MAX

typedef struct {
  double begin, end;
  double until; /* constant delay: the time at which the next one follows */
  double c[4];
  uint32_t
      breaks; /* the argument jumps or has a kink where it begins: how often it came around */
} DaePiece;

typedef struct {
  DaeTerm at; /* NUMBER */
  uint32_t round;
} DaeBreak;

typedef struct {
  DaeTerm exact; /* NUMBER: T; DAE_NO_TERM: it varies */
  double length;
  bool is_held;   /* its argument changes at events only */
  GArray *pieces; /* DaePiece */
  guint current;  /* piece in use */
  GArray *breaks; /* DaeBreak: events to come, in order */
  /* constant delay: the last piece holds beyond its end, as far as its error is nothing beside the
   * tolerance; steps may then be longer than T */
  bool is_extended;
  double fit; /* largest distance of the last piece from the argument, over what it may be */
  /* fixed steps: the argument at the last points since a break, the last one first */
  double grid[4];
  uint32_t n_grid;
  /* the delay time varies: */
  bool is_varying;
  double most;           /* longest delay time */
  uint32_t low, high;    /* buffers: the delayed time is in the piece */
  bool has_tail;         /* the last piece goes on from the present, until the step is made */
  uint32_t pending, met; /* break of the next piece; break of this instant */
} DaeOneDelay;

struct DaeDelays {
  DaeOneDelay *list;
  uint32_t n;
  DaePointFunctions arguments;
  DaePointFunctions lengths; /* n: of those that vary, else 0 */
  double *left;              /* n: arguments just before the instant */
  double *x, *xdot;          /* work */
};

/* delay.c */
void dae_delay_use_piece(DaeInstant *instant, uint32_t i);

/* delay_varying.c: the first piece; after a step or an event what is ahead of the present;
 * the piece of this time. True: another one than before. */
void dae_delay_begin_varying(DaeInstant *instant, uint32_t i, double t, double value);
void dae_delay_cut_tail(DaeOneDelay *delay);
/* From t on e goes on as the cubic c; length 0: not known how far. */
void dae_delay_add_tail(DaeInstant *instant, uint32_t i, double t, const double *c,
                        double length);
/* Is it longer than what a tail has at least, as a straight line? */
bool dae_delay_is_beyond_least(const DaeInstant *instant, uint32_t i, double t, double length);
bool dae_delay_move_varying(DaeInstant *instant, uint32_t i, double t, const double *x);
/* The pieces near the present are others: which one is that of this time? The tail, if it may be. */
void dae_delay_find_piece(DaeInstant *instant, uint32_t i, double t, const double *x);
/* What e does just after an event: by the slopes of the unknowns. */
double dae_delay_slope(DaeInstant *instant, uint32_t i, double t, const double *x);
void dae_delay_schedule_varying(DaeInstant *instant, uint32_t i, double t, const double *x,
                                uint32_t breaks);

#endif
