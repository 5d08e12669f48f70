/* The start problem in terms (assemble.c) and in numbers (start.c). */
#ifndef DAE_START_START_PRIV_H
#define DAE_START_START_PRIV_H

#include "start/start.h"

typedef enum {
  DAE_START_FROM_CONSTRAINT,
  DAE_START_FROM_DROPPED,
  DAE_START_FROM_ROW,
  DAE_START_FROM_INITIAL,
  DAE_START_FROM_CHOICE
} DaeStartSourceKind;

typedef struct {
  DaeStartSourceKind kind;
  uint32_t index;
  uint32_t order;
} DaeStartSource;

typedef struct {
  const DaeStartInput *input;
  DaeTerms *terms;
  uint32_t max_order;
  GArray *unknowns;  /* DaeTerm: VARIABLE of some order, or PARAMETER */
  GArray *equations; /* DaeTerm, residuals; only unknowns and lambda occur */
  GArray *what;      /* DaeStartSource, one per equation */
  DaeTerm lambda;    /* PARAMETER of the path; DAE_NO_TERM if homotopy() does not occur */
  double *known;     /* one per unknown: found so far, for start attributes that depend on free
                      * parameters; NULL: nothing yet */
} DaeStartAssembly;

/* The start attribute of an unknown or free parameter, free parameters left; DAE_NO_TERM: none. */
DaeTerm dae_start_attribute(const DaeStartInput *input, DaeTerm atom);
/* Its value before the start is known; 0 without one (has_start tells). */
double dae_start_guess(const DaeStartAssembly *assembly, DaeTerm atom, bool *has_start);

/* Jacobian of the equations, sparse by rows: which unknown (columns)
 * with which derivative (entries). */
typedef struct {
  GArray *row_start, *columns; /* uint32_t */
  GArray *entries;             /* DaeTerm */
} DaeStartPattern;

/* Is every unknown given its number by an equation of its own, x = 3, and is there no other
 * equation? Then these numbers, into x: the Jacobian is a permutation (given.c). */
bool dae_start_take_given(const DaeStartAssembly *assembly, double *x);

/* Improves the guess x by solving, one by one, equations in which one unknown is left (peel.c). */
void dae_start_peel(const DaeStartAssembly *assembly, const DaeStartPattern *pattern,
                    double *x);

/* The start problem in numbers, as the solver wants it. */
typedef struct {
  DaeTape *residual_tape, *jacobian_tape;
  DaeStartPattern pattern;
  uint32_t n, m;
  bool has_lambda;
  double lambda; /* homotopy(): 0 simplified, 1 actual */
  double mu;     /* Newton path: r(x) - (1 - mu) r(x0) */
  double *r0;    /* m; NULL while the path is not walked */
  double *input; /* n + 1 */
  void *scratch; /* of the larger tape */
} DaeStartNumbers;

DaeStartNumbers *dae_start_numbers_new(const DaeStartAssembly *assembly, GError **error);
void dae_start_numbers_free(DaeStartNumbers *numbers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeStartNumbers, dae_start_numbers_free)
/* One of the tapes at x and lambda: 0 ok, > 0 outside the domain. */
int dae_start_run(const DaeStartNumbers *numbers, const DaeTape *tape, const double *x,
                  double *out);
/* As DaeRootProblem wants them; self: DaeStartNumbers. */
int dae_start_residual(const void *self, void *scratch, const double *x, double *r);
int dae_start_jacobian(const void *self, void *scratch, const double *x, double *values);
/* Do all equations hold at x, up to rounding of their terms? */
bool dae_start_holds(const DaeStartNumbers *numbers, const double *x);
/* The Jacobian at x, or a little beside where it has no value: at the edge of a domain, sqrt(x)
 * at 0, derivatives from there serve Newton's iteration as well. */
typedef int (*DaeStartFunction)(const void *self, void *scratch, const double *x, double *out);
int dae_start_jacobian_beside(DaeStartFunction jacobian, const void *self, void *scratch,
                              uint32_t n, const double *x, double *values);

/* Nominal value of unknown j. */
double dae_start_unit(const DaeStartAssembly *assembly, uint32_t j);
/* Where the search begins, and how far the unknowns may move. */
void dae_start_set_guesses(const DaeStartAssembly *assembly, double *x, double *weights);
/* Unknowns without a start value go where the functions have values. */
void dae_start_move_into_domain(const DaeStartAssembly *assembly, DaeStartNumbers *numbers,
                                double *x, const double *weights);
/* Unknowns without a start value begin where they count, so that written ones can stay (guess.c).
 * false: they do so already. */
bool dae_start_leave_dead_rows(const DaeStartAssembly *assembly, DaeStartNumbers *numbers,
                               const double *weights, double *x);
/* How far from the start values that were written, in their units. */
double dae_start_distance(const DaeStartAssembly *assembly, const double *x);
bool dae_start_has_free(const DaeStartAssembly *assembly);
/* Sets `known`: with the values found for the free parameters, do some guesses change? */
bool dae_start_learn_guesses(DaeStartAssembly *assembly, const double *found);

DaePattern dae_start_pattern(const DaeStartNumbers *numbers);
DaeRootResult dae_start_solve(DaeStartNumbers *numbers, const double *weights, double *x);

/* n each: nominal values, how far the unknowns may move, and from where. */
typedef struct {
  double *units, *weights, *guess;
} DaeStartMeasure;

/* Guess number k: all unknowns moved, each differently. */
void dae_start_move_guess(const double *guess, const double *units, uint32_t n, uint32_t k,
                          double *x);

/* The blocks that the start problem falls into (blocks.c); NULL: not every unknown has an
 * equation. is_kept (m): rows to be used; NULL: all. Borrows the first two. */
typedef struct DaeStartBlocks DaeStartBlocks;
DaeStartBlocks *dae_start_blocks_new(const DaeStartAssembly *assembly,
                                     const DaeStartNumbers *numbers, const bool *is_kept);
void dae_start_blocks_free(DaeStartBlocks *blocks); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeStartBlocks, dae_start_blocks_free)
uint32_t dae_start_blocks_count(const DaeStartBlocks *blocks);
/* Rows and columns of block b, in the order of solution; how many; further rows
 * that overdetermine it are left out. */
uint32_t dae_start_block(const DaeStartBlocks *blocks, uint32_t b, const uint32_t **rows,
                         const uint32_t **columns);
/* Solves them one after the other, from the guess x on. False: no solution of block *failed was
 * found; the blocks before it are solved. */
bool dae_start_blocks_solve(DaeStartBlocks *blocks, const DaeStartMeasure *measure, double *x,
                            uint32_t *failed);

/* Unknowns up to which a block is tried again from other guesses. */
#define DAE_START_MOST_MOVED 60
/* y is a solution; where a nearer one to the start values that were written is found, it becomes
 * that (nearest.c). */
void dae_start_pull_back(const DaeRootProblem *problem, const double *guess,
                         const double *units, const double *weights, double *y);

/* Unknowns of a block up to which it is asked whether more digits are needed. */
#define DAE_START_MOST_IN_BLOCK 60
/* Blocks that double precision leaves in doubt at x (doubt.c): numbers of blocks, uint32_t.
 * (transfer full) */
GArray *dae_start_doubtful_blocks(const DaeStartAssembly *assembly,
                                  const DaeStartNumbers *numbers, const DaeStartBlocks *blocks,
                                  const double *units, const double *x);

typedef enum {
  DAE_START_CLEAR,  /* no block is in doubt */
  DAE_START_PROVED, /* those in doubt have solutions, proved; x is there */
  DAE_START_OPEN,   /* multiple roots, kinks, large blocks: nothing speaks against it */
  DAE_START_NOWHERE /* some block has no solution near: the residual only tends to 0 */
} DaeStartJudgement;

/* More digits for what is in doubt (judge.c); the unknowns of a root that they find go to x. */
DaeStartJudgement dae_start_judge(const DaeStartAssembly *assembly,
                                  const DaeStartNumbers *numbers, const DaeStartBlocks *blocks,
                                  const double *units, double *x);

/* Looks whether the root x is degenerate (result->kind); if so, for a regular one from other
 * guesses, which then takes its place. */
void dae_start_leave_degenerate(const DaeStartAssembly *assembly, DaeStartNumbers *numbers,
                                const DaeStartMeasure *measure, double *x,
                                DaeRootResult *result);
/* May the root be one of higher multiplicity, and x a way off it? */
bool dae_start_is_doubtful(const DaeStartAssembly *assembly, const DaeStartNumbers *numbers,
                           const double *x);

/* An equation at the end of its path: lambda = 1. */
DaeTerm dae_start_actual(const DaeStartAssembly *assembly, DaeTerm t);

/* Is there a row, of the blocks that are too large for more digits, that has all but vanished and
 * is solved by nothing near (flat.c)? */
bool dae_start_has_flat_row(const DaeStartNumbers *numbers, const DaeStartBlocks *blocks,
                            const double *weights, const double *x);

/* Without the defaults that init or the input chose for what is missing (unchosen.c); false: none
 * was chosen, or nothing was found, x and result are as they were. */
bool dae_start_find_unchosen(const DaeStartInput *input, const DaeInit *init, double *x,
                             DaeRootResult *result);

DaeStartAssembly *dae_start_assemble(const DaeStartInput *input, const DaeInit *init);
void dae_start_assembly_free(DaeStartAssembly *assembly);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeStartAssembly, dae_start_assembly_free)
/* Degrees of freedom that no initial equation and no choice takes; negative: too many equations. */
int64_t dae_start_missing(const DaeStartAssembly *assembly);
/* Is the Jacobian (values, at the solution x) regular together with a choice of what is
 * missing? The choice is appended to chosen. */
bool dae_start_is_regular(const DaeStartAssembly *assembly, const DaePattern *pattern,
                          const double *values, const double *x, GArray *chosen);
/* Rows (m) that are independent at x and as many as unknowns; NULL: there are not as many, or it
 * is too much work. (transfer full) */
bool *dae_start_independent_rows(const DaeStartNumbers *numbers, const double *x);
/* The wish of a variable; NULL: it has none. */
const DaeStartWish *dae_start_find_wish(const DaeStartInput *input, DaeTerm atom);
char *dae_start_describe(const DaeStartAssembly *assembly, uint32_t row);

#endif
