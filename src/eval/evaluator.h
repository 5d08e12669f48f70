/* An over-determined quasi-linear DAE as pure functions: all that the solver knows of a model.
 *
 *     M(x,t,d) x' = f(x,t,d)   (n_diff rows)        0 = g(x,t,d)   (n_con rows)        x in R^n
 *
 * `self` is immutable and may be shared between threads; `scratch` (scratch_size bytes, aligned
 * to 64, zeroed before its first use) belongs to one thread and one evaluator. No GLib here:
 * someone without it can implement this interface.
 *
 * Segment values d (n_segment of them) are constant during a segment of a run: parameters,
 * discrete values, their pre values, buffers of relations, and of an input that is linear in
 * time its value and slope. set_segment puts them into a scratch, and all evaluations with that
 * scratch use them from then on; what depends on nothing else is computed once, at the next
 * evaluation. So one evaluator serves threads and runs with different values at the same time.
 * A zeroed scratch begins with the values `segment`.
 *
 * Lanes: eval works on `lanes` (1 ... DAE_LANES_MAX) points at once. Lane-interleaved layout:
 * x[j*lanes + l] is unknown j at point l; f, g and the values of M likewise.
 * M and the Jacobians are sparse with fixed patterns in compressed rows: row i has the entries
 * row_start[i] ... row_start[i+1]-1 with columns column[], strictly increasing in a row.
 *
 * Return codes: 0 ok; > 0 outside the domain of a function (log of a negative, ...), try a
 * smaller step; < 0 give up. After > 0, *fault (if the member is not NULL) names the row:
 * 0 ... n_diff-1 are rows of f/M, n_diff ... n_diff+n_con-1 rows of g. */
#ifndef DAE_EVAL_EVALUATOR_H
#define DAE_EVAL_EVALUATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DAE_LANES_MAX 8

typedef struct {
  uint32_t n_rows;
  uint32_t n_columns;
  const uint32_t *row_start; /* n_rows + 1 */
  const uint32_t *column;    /* row_start[n_rows] */
} DaePattern;

/* What eval fills; a NULL member is not wanted. */
typedef struct {
  double *f; /* n_diff * lanes */
  double *g; /* n_con * lanes */
  double *m; /* values of M, nnz(mass) * lanes */
  uint32_t fault;
} DaeOut;

/* What jac fills at one point; a NULL member is not wanted. */
typedef struct {
  double *k;  /* d/dx (f - M x') with x' held fixed; pattern `dynamics` */
  double *gx; /* dg/dx; pattern `constraint` */
  double *gt; /* dg/dt, n_con */
  double *ft; /* d/dt (f - M x') with x' held fixed, n_diff */
  double *m;  /* M itself; pattern `mass` */
  uint32_t fault;
} DaeJac;

/* Operations of one evaluation of a set of parts at one point. */
enum {
  DAE_COST_F = 1,
  DAE_COST_G = 2,
  DAE_COST_M = 4, /* eval */
  DAE_COST_K = 8,
  DAE_COST_GX = 16,
  DAE_COST_GT = 32,
  DAE_COST_FT = 64,
  DAE_COST_JAC_M = 128 /* jac */
};

typedef struct {
  uint64_t flops; /* additions and multiplications */
  uint64_t divisions, square_roots, calls;
} DaeEvalCost;

/* What a value may change with: nothing (it is a number of the model), with new segment values,
 * with the time, with the unknowns. */
enum { DAE_DEPENDS_NOTHING, DAE_DEPENDS_SEGMENT, DAE_DEPENDS_TIME, DAE_DEPENDS_UNKNOWNS };

typedef struct DaeChosen DaeChosen; /* of the implementation */

/* What eval_solved fills; a NULL member is not wanted. */
typedef struct {
  double *stage;      /* the parts of DaeSolved, one after the other: f, b, a, lift */
  double *m;          /* values of M; pattern `mass` */
  double *direct;     /* n_direct */
  double *rest;       /* n_rest: c */
  double *rest_slope; /* dc/dy; pattern `rest` */
} DaeSolvedOut;

/* The same system, solved for x' as far as one evaluation leads. y are the unknowns with a
 * derivative; of the others some follow from y one after the other (`direct`), and the rest l
 * from as many constraints, linear in them:
 *
 *     a(y,t) l = -b(y,t),     M(y,t) y' = f(y,t) + lift(y,t) l,     0 = c(y,t)
 *
 * or, `is_differentiated`, from as many constraints between y, differentiated once: a y' = -b, that
 * is (a M^-1 lift) l = -(b + a M^-1 f). M is square on y. c are the constraints that are left:
 * nothing but y is in them. */
typedef struct {
  uint32_t n_y, n_direct, n_linear, n_rest;
  const uint32_t *y, *direct, *linear; /* unknowns; y increases */
  bool is_differentiated;
  DaePattern a;    /* n_linear x n_linear, or x n_y */
  DaePattern lift; /* n_diff x n_linear */
  DaePattern rest; /* n_rest x n_y, columns by their place in y */
} DaeSolved;

typedef struct DaeEvaluator {
  uint32_t n;
  uint32_t n_diff;
  uint32_t n_con;
  DaePattern mass;       /* n_diff x n */
  DaePattern dynamics;   /* n_diff x n */
  DaePattern constraint; /* n_con x n */
  /* 1 for constraints that were found by differentiation, 0 for those
   * of the model; NULL: not known. */
  const uint8_t *hidden;
  /* The last n_held constraints hold unknowns that some modes leave open: 0 = 0 in other modes. */
  uint32_t n_held;
  size_t scratch_size;
  bool mass_is_constant; /* M depends neither on x nor on t */
  /* eval gives > 0 itself when a value is not finite; otherwise the solver looks */
  bool is_checked;
  uint32_t n_segment;
  const double *segment; /* n_segment, of self; NULL with n_segment == 0 */
  const void *self;
  /* Copies n_segment values into the scratch; cheap where they are those it
   * has. NULL with n_segment == 0. */
  void (*set_segment)(const void *self, void *scratch, const double *segment);
  int (*eval)(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
              DaeOut *out);
  int (*jac)(const void *self, void *scratch, double t, const double *x, const double *xdot,
             DaeJac *out);
  /* Switching functions of relations that were integrated "as written": their signs tell
   * when a switch was crossed. May be NULL with n_switches == 0. */
  uint32_t n_switches;
  int (*switches)(const void *self, void *scratch, double t, const double *x, double *values);
  bool has_choices; /* if-expressions in M or G: their entries jump inside a step */
  /* What each entry of M and of G depends on; NULL: not known, so on the unknowns. */
  const uint8_t *mass_depends, *constraint_depends;
  /* For those who need few entries often: chosen by number in their patterns, then evaluated at
   * one point, those of M first, with the segment values of the scratch. What is chosen belongs to
   * one thread and must not outlive the evaluator. May be NULL, and may give NULL: there are only
   * whole Jacobians. entries_at has the return codes of eval. */
  DaeChosen *(*entries_new)(const void *self, const uint32_t *mass, uint32_t n_mass,
                            const uint32_t *constraint, uint32_t n_constraint);
  int (*entries_at)(const void *self, const void *scratch, DaeChosen *entries, double t,
                    const double *x, double *values);
  void (*entries_free)(DaeChosen *entries); /* NULL is fine */
  /* Adds the cost of the parts (DAE_COST_... bits) to *cost. May be NULL: not known. */
  void (*cost)(const void *self, uint32_t parts, DaeEvalCost *cost);
  /* The solved form, of which only the y in x are read; NULL: there is none, or it is not known.
   * eval_solved has the return codes of eval. */
  const DaeSolved *solved;
  int (*eval_solved)(const void *self, void *scratch, double t, const double *x,
                     const DaeSolvedOut *out);
} DaeEvaluator;

/* A new scratch for a run with these segment values; NULL: those of the evaluator. */
static inline void
dae_evaluator_begin(const DaeEvaluator *evaluator, void *scratch, const double *segment)
{
  if (segment != 0 && evaluator->set_segment != 0) {
    evaluator->set_segment(evaluator->self, scratch, segment);
  }
}

#ifdef __cplusplus
}
#endif

#endif
