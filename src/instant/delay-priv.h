/* For delay.c, delay_varying.c and tables.c only: the past of what is delayed. */
#ifndef DAE_INSTANT_DELAY_PRIV_H
#define DAE_INSTANT_DELAY_PRIV_H

#include "instant/instant-priv.h"

#define DAE_NO_BREAK UINT32_MAX

typedef struct {
  double begin, end;
  double until;  /* constant delay: the time at which the next one follows */
  double origin; /* transport: where the polynomial's variable is 0 */
  double c[4];
  uint32_t
      breaks; /* the argument jumps or has a kink where it begins: how often it came around */
} DaePiece;

typedef struct {
  DaeTerm at; /* NUMBER */
  uint32_t round;
} DaeBreak;

typedef enum {
  DAE_TRANSPORT_FINE,
  DAE_TRANSPORT_JUMPS,   /* x jumps at an event */
  DAE_TRANSPORT_TOO_FAST /* all of the pipe flows out in one step */
} DaeTransportFault;

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
  /* an end of a pipe (transport.c); `pieces` are those of both: */
  bool is_transport, is_right;
  uint32_t other;  /* the other end */
  double way;      /* the left end: x when the last piece was made */
  int direction;   /* the left end: of the last motion; 0: none yet */
  bool has_turned; /* in the last step, inside of it: there is another piece in use */
  int turning;     /* the left end: the direction that begins at turn_at, in a step; 0: none */
  double turn_at;
  DaeTransportFault fault;
} DaeOneDelay;

typedef struct DaeDelayReach DaeDelayReach; /* delay_reach.c */

struct DaeDelays {
  DaeDelayReach *reach;
  DaeOneDelay *list;
  uint32_t n;
  DaePointFunctions arguments;
  DaePointFunctions lengths; /* n: of those that vary, else 0 */
  double *left;              /* n: arguments just before the instant */
  double *x, *xdot;          /* work */
};

/* delay_reach.c: what an event reaches without the past. */
DaeDelayReach *dae_delay_reach_new(const DaeInstant *instant, const DaeSystemParts *system);
void dae_delay_reach_free(DaeDelayReach *reach);
/* What depends on this segment value goes on another way; round: as DaeBreak. */
void dae_delay_reach_touch(DaeInstant *instant, uint32_t place, uint32_t round);
/* The least round of what the argument of delay i depends on; DAE_NO_BREAK: nothing has changed. */
uint32_t dae_delay_reach_round(DaeInstant *instant, uint32_t i);
void dae_delay_reach_forget(DaeInstant *instant);

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
/* The pieces near the present are others: which one is that of this time? The tail, if it may
 * be. */
void dae_delay_find_piece(DaeInstant *instant, uint32_t i, double t, const double *x);
/* delays->x := the unknowns a short time after t, by their slopes; the time is returned. */
double dae_delay_look_ahead(DaeInstant *instant, double t, const double *x);
/* What e does just after an event: by the slopes of the unknowns. */
double dae_delay_slope(DaeInstant *instant, uint32_t i, double t, const double *x);
void dae_delay_schedule_varying(DaeInstant *instant, uint32_t i, double t, const double *x,
                                uint32_t breaks);

/* transport.c: the ends of a pipe. Points and values of the start are looked at. */
bool dae_transport_init(DaeInstant *instant, uint32_t i, GError **error);
void dae_transport_begin(DaeInstant *instant, uint32_t left, double t, const double *x);
/* Is the way another one than it was at dae_transport_begin? */
bool dae_transport_began_otherwise(DaeInstant *instant, uint32_t left, double t,
                                   const double *x);
void dae_transport_use_piece(DaeInstant *instant, uint32_t i);
/* The piece of what flows in at this end: where it goes when x turns. */
guint dae_transport_tail(const DaeOneDelay *delay);
/* At an event: does x jump? What flows in has a break (DAE_NO_BREAK: none). */
void dae_transport_schedule(DaeInstant *instant, uint32_t i, double t, const double *x,
                            uint32_t breaks);
bool dae_transport_check(const DaeInstant *instant, uint32_t i, double t, GError **error);
/* transport_turn.c: at the end of a fixed step with a turn in it, the ends are those of the new
 * direction. */
void dae_transport_turn(DaeInstant *instant, uint32_t left);
/* transport_record.c: an accepted step; tolerance is that of the values. */
void dae_transport_record(DaeInstant *instant, uint32_t left, double from, double to,
                          double tolerance, const DaeDenseOutput *dense);

#endif
