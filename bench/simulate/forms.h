/* Hand-reduced, hand-written forms of the problems for the peers; each is M y'
 * = f(t, y) with a constant M.
 *
 *   index3   the position constraints as published (RADAU5 of deSolve)
 *   index2   the published equations of the index-2 problems
 *   ggl      positions corrected by multipliers mu, constraints of levels 0 and 1, index 2 (IDA)
 *   index1   accelerations or currents from the constraints of the last level only (IDA, daspk)
 *   ode      no constraint */
#ifndef DAE_BENCH_FORMS_H
#define DAE_BENCH_FORMS_H

#define DAE_PEER_MAX 180

enum { DAE_PEER_RADAU = 1, DAE_PEER_IDA = 2, DAE_PEER_DASPK = 4 };

typedef struct {
  const char *problem, *form;
  int tools; /* that are given this form */
  int n;
  int indices[3]; /* unknowns of index 1, 2, 3, in this order (RADAU5 scales their errors) */
  double t_stop;
  /* of the published model, in the order of the unknowns; mu and
   * helpers at the end are not named */
  const char *names;
  void (*f)(double t, const double *y, double *f);
  /* Start values and the diagonal of M; unknowns not set are 0. */
  void (*start)(double *y, double *mass);
  /* M y' where M is not diagonal (and its entries by rows); NULL: diagonal */
  void (*mass_times)(const double *ydot, double *product);
  const double *ydot;    /* at the start, where it is not f by the diagonal of M; NULL: it is */
  const double *nominal; /* scale of the absolute tolerance; NULL: 1 */
} DaePeerForm;

/* forms_constrained.c: rods, car axis, Fekete */
extern const DaePeerForm dae_peer_constrained[];
extern const int dae_peer_constrained_count;
/* forms_linkages.c: slider crank, Andrews' squeezer */
extern const DaePeerForm dae_peer_linkages[];
extern const int dae_peer_linkages_count;
/* forms_other.c: circuits, reactions, van der Pol */
extern const DaePeerForm dae_peer_others[];
extern const int dae_peer_others_count;

int dae_peer_count(void);
const DaePeerForm *dae_peer_form(int number);
/* Ends the line of a run: " name=value" of each variable. */
void dae_peer_print_end(const DaePeerForm *form, const double *end);

/* y, y', and the diagonal of M at the start; y' = 0 where M has a zero. */
void dae_peer_start(const DaePeerForm *form, double *y, double *ydot, double *mass);
/* M y' - f */
void dae_peer_residual(const DaePeerForm *form, const double *mass, double t, const double *y,
                       const double *ydot, double *r);

#endif
