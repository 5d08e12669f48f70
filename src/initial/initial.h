/* What has to hold at the start?
 *
 * The initial problem of a model, assembled once: the check of the initialization (initcheck)
 * proves something about it, the search for a start (start) solves it in numbers. Both take
 * conditions, unknowns and guesses from here, so they cannot disagree about them.
 *
 * Of a model with events (hybrid/hybrid.h) the start finds what is discrete first and then, with
 * these values, the continuous unknowns: that is a part of the same problem, and every condition
 * of the whole is either met by the discrete values or in the part.
 *
 *   unknowns    x_j^(k), 0 <= k <= d_j, and the free parameters, each with its guess
 *   equations   f_i^(k), 0 <= k <= c_i: the reduced derivative array [Pryce01]. What the orders
 *               k > 0 say are the hidden constraints; start takes these in the form that the
 *               reduction has brought them to (qlt)
 *   conditions  initial equations of sections, then fixed starts
 *
 * The count of wanted conditions is sum d - sum c plus the free parameters. A condition may speak
 * of x_j^(k) with k > d_j (der() of an algebraic variable), and so may the condition of a branch
 * or a step, in which sigma does not count it. Then the array is extended just as
 * far: x_j by e orders, its matched equation by e orders, and so on for what that equation
 * contains. Each extension adds as many unknowns as equations. */
#ifndef DAE_INITIAL_INITIAL_H
#define DAE_INITIAL_INITIAL_H

#include "structural/structural.h"

G_BEGIN_DECLS

typedef struct DaeInitialProblem DaeInitialProblem;

#define DAE_INITIAL_NONE UINT32_MAX

typedef struct {
  DaeTerm atom;      /* VARIABLE of some order, or a free PARAMETER */
  uint32_t variable; /* its number in the model; DAE_INITIAL_NONE: a parameter */
  uint32_t order;
  DaeTerm start; /* the guess: its start attribute; DAE_NO_TERM: none was written, 0 is taken */
  DaeSpan place; /* where the guess was written, else the declaration */
  bool is_fixed; /* the guess is a condition, too */
  /* the model differentiates the variable more often than `order` times */
  bool is_potential_state;
} DaeInitialUnknown;

typedef struct {
  bool is_condition; /* else an equation of the model */
  uint32_t index;    /* its number in the model, among equations or initial equations */
  int32_t order;     /* so often differentiated; > 0: a hidden constraint */
  DaeTerm lhs, rhs;
  DaeEquationOrigin origin; /* a condition: section or fixed start */
  DaeSpan place;
} DaeInitialEquation;

/* Of the model of sig; t_start: NAN is the start time of its experiment. Borrows sig. */
DaeInitialProblem *dae_initial_new(DaeTerms *terms, const DaeSig *sig, double t_start);
/* The same before the structure is known: unknowns are the variables themselves and the free
 * parameters, there is no derivative array ... */
DaeInitialProblem *dae_initial_new_open(DaeTerms *terms, const DaeModel *model, double t_start);
/* ... until it is told, once. The model of sig has the conditions of the problem's model, number
 * by number, and takes its place. Borrows sig. */
void dae_initial_set_structure(DaeInitialProblem *problem, const DaeSig *sig);
bool dae_initial_has_structure(const DaeInitialProblem *problem);
/* The part of a problem that is left when some of its conditions are met (is_met, by condition of
 * the whole): what it asks of a model that has the other conditions, in its own variables. from:
 * by condition of this model, its number in the whole; DAE_INITIAL_NONE: an equation of the whole
 * that holds a free parameter of this model. Borrows whole and model. */
DaeInitialProblem *dae_initial_new_part(const DaeInitialProblem *whole, const DaeModel *model,
                                        const uint32_t *from, const bool *is_met);
void dae_initial_free(DaeInitialProblem *problem); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeInitialProblem, dae_initial_free)

const DaeModel *dae_initial_model(const DaeInitialProblem *problem);
uint32_t dae_initial_n_unknowns(const DaeInitialProblem *problem);
const DaeInitialUnknown *dae_initial_unknown(const DaeInitialProblem *problem, uint32_t i);
/* Of x_j, whatever its order here, or of a free parameter; false: no unknown. */
bool dae_initial_find(const DaeInitialProblem *problem, DaeTerm atom, uint32_t *i);
uint32_t dae_initial_n_free_parameters(const DaeInitialProblem *problem);
/* Those of them that are no parameters but discrete variables at the start. */
uint32_t dae_initial_n_discrete_starts(const DaeInitialProblem *problem);
uint32_t dae_initial_n_conditions(const DaeInitialProblem *problem);
DaeInitialEquation dae_initial_condition(const DaeInitialProblem *problem, uint32_t i);
/* As it was written, and its number there: those of the whole for a part. */
const DaeEquation *dae_initial_written(const DaeInitialProblem *problem, uint32_t i,
                                       uint32_t *number);
/* All equations, each with its derivatives one after another, then the conditions; differentiated
 * on the way. false: visit returned false and ended it. */
typedef bool (*DaeInitialVisit)(void *user, const DaeInitialEquation *equation);
bool dae_initial_visit(const DaeInitialProblem *problem, DaeInitialVisit visit, void *user);
/* Is there an equation that a completion left out, with slopes of which some are unknowns here
 * and others are not? It is not visited. */
bool dae_initial_misses_slopes(const DaeInitialProblem *problem);

double dae_initial_t_start(const DaeInitialProblem *problem);
/* The start time, exactly as it was written: 0.1 is 1/10. */
DaeTerm dae_initial_time(const DaeInitialProblem *problem);
/* The same for any start time. */
DaeTerm dae_initial_time_as_written(DaeTerms *terms, double start);
/* Degrees of freedom of the equations. For a structurally singular model the orders of the
 * model take the place of d: y = 2*x beside der(x) and der(y) also says der(y) = 2*der(x). */
int64_t dae_initial_dof(const DaeInitialProblem *problem);
/* Unknowns that the model as written differentiates, by orders. */
int64_t dae_initial_potential_states(const DaeInitialProblem *problem);

G_END_DECLS

#endif
