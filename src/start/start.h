/* Where may the integration begin? The constraints of the reduced system, the initial equations
 * and the fixed starts, solved together in numbers.
 *
 * Unknowns are the values of the unknowns of the reduced system at the start time, their
 * derivatives up to the highest order that an initial equation asks for, and the free
 * parameters. The search begins at the start attributes (0 without one), improves them by
 * solving equations with one open unknown (peel.c), then takes damped Gauss-Newton steps with a
 * pull to the start values; where that fails, or where homotopy() asks for it, it walks along a
 * path from an easier problem; at last it begins where the check of the initialization proved a
 * solution. A start that is not found is an error that names the equations. */
#ifndef DAE_START_START_H
#define DAE_START_START_H

#include "eval/eval.h"
#include "initcheck/initcheck.h"
#include "numeric/numeric.h"
#include "qlt/qlt.h"

/* A variable that was solved for beforehand and has a start value of its own. */
typedef struct {
  DaeTerm atom;  /* the variable */
  DaeTerm term;  /* what it is in the unknowns */
  DaeTerm value; /* what it should be: a number, or an expression in free parameters */
} DaeStartWish;

/* What a start is looked for in; all borrowed. */
typedef struct {
  DaeTerms *terms;
  const DaeQlt *qlt;
  const DaeModel *model;            /* the one that was reduced (converted after a repair) */
  const DaeInitialProblem *initial; /* of this model, or the part that is continuous */
  DaeSubst *values;                 /* parameters to numbers; free parameters found are added */
  const double *nominal;            /* n: one per unknown of the reduced system */
  double t_start;
  /* conditions atom = guess for what is missing, when init does not tell */
  const DaeTerm *chosen;
  uint32_t n_chosen;
  /* may be chosen as well; a start value that was written goes before a 0 that was not */
  const DaeStartWish *wishes;
  uint32_t n_wishes;
} DaeStartInput;

/* x (n) is the consistent start. init may be NULL: then nothing is chosen for what is missing.
 * false: *error (NUMERIC) names the equations. */
bool dae_start_find(const DaeStartInput *input, const DaeInit *init, double *x,
                    DaeRootResult *result, GError **error);

/* The same without a proof: true where structure and numbers leave no doubt. There are no more
 * initial equations than degrees of freedom, a point was found, and the Jacobian of all
 * equations is regular there; what is missing is chosen among the unknowns (appended to
 * `chosen`, DaeTerm), those that the model differentiates and that have start values first.
 * False: the check of the initialization has to tell; x is then not set. */
bool dae_start_find_regular(const DaeStartInput *input, double *x, DaeRootResult *result,
                            GArray *chosen);

/* The same for many points of one system. */
typedef struct DaeSlopes DaeSlopes;
DaeSlopes *dae_slopes_new(const DaeEvaluator *evaluator);
void dae_slopes_free(DaeSlopes *slopes); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeSlopes, dae_slopes_free)
void dae_slopes_at(DaeSlopes *slopes, const double *segment, double t, const double *x,
                   double *xdot);

/* x' at (t, x) from [E; h_x] x' = [k; -h_t], into slopes (in: a guess; unchanged where the
 * functions have no value). segment: NULL for the values of the evaluator. */
void dae_start_find_slopes_at(const DaeEvaluator *evaluator, const double *segment, double t,
                              const double *x, double *slopes);

/* A double for an expression in parameters; false if it has none. */
bool dae_start_number(const DaeStartInput *input, DaeTerm t, double *value);
/* An expression in parameters with their numbers, the free ones left; DAE_NO_TERM: no value. */
DaeTerm dae_start_closed(const DaeStartInput *input, DaeTerm t);

/* ---- homotopy ------------------------------------------------------------------------------- */

/* Some homotopy() call in t whose operands hold no other one; DAE_NO_TERM if there is none. */
DaeTerm dae_homotopy_find(DaeTerms *terms, DaeTerm t);
/* t with every homotopy(actual, simplified) replaced by actual. */
DaeTerm dae_homotopy_take_actual(DaeTerms *terms, DaeTerm t);

#endif
