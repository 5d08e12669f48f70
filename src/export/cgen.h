/* A reduced system as C99 text, to compile anywhere: static memory, libm and nothing else,
 * no recursion, bounded loops.
 *
 * Model functions are straight-line code with shared subexpressions, the same operations in the
 * same order as the tape. The fixed-step integrator does what `simulate` does with the same
 * options (solver/multistep.h), either as loops over tables (any size) or, for small models, as
 * one straight-line function for a whole regular step. The text depends on nothing but the
 * arguments: no dates, no addresses, no hash order. Its size is linear in that of the system. */
#ifndef DAE_EXPORT_CGEN_H
#define DAE_EXPORT_CGEN_H

#include "eval/eval.h"

/* A matrix of a step: plain data, as planned by the solver. Entry e is
 * alpha*m[from_m] - h*k[from_k] or gx[from_g] (UINT32_MAX: none); the rest describes
 * the elimination of A^T A (solver/normal.h). */
typedef struct {
  uint32_t n_dynamic, n_rows, n_columns;
  const uint32_t *constraint, *unknown, *from_m, *from_k, *from_g;
  const uint32_t *row_start, *column;
  bool is_diagonal;
  const double *scale; /* by row; NULL: none */
  const uint32_t *order, *entry_start, *entry_column;
  const uint32_t *pair_start, *pair_p, *pair_q, *triple_start, *triple_c, *triple_l;
} DaeCgenMatrix;

typedef enum {
  DAE_CGEN_AB3,
  DAE_CGEN_BDF3,
  DAE_CGEN_EULER,
  DAE_CGEN_IMPLICIT_EULER
} DaeCgenMethod;

typedef struct {
  DaeCgenMethod method;
  double step, t_stop;
  uint32_t newton, projections;
  bool is_coupled;
  bool constant_history;
  bool slopes_need_constraints;
  const uint8_t *is_algebraic;
  DaeCgenMatrix slopes, algebraic, newton_matrix, coupled, norm;
  uint64_t flops, divisions, square_roots; /* of a step by tables */
  uint32_t test_steps;                     /* self-test: so many steps from the start ... */
  const double *test_x;                    /* ... lead here */
} DaeCgenStep;

typedef struct {
  const char *model;                       /* name of the model */
  const char *prefix;                      /* C identifier, lower case */
  const char *version;                     /* of this tool */
  const char *const *names, *const *units; /* n; a unit may be NULL */
  const double *start, *start_slopes;      /* n */
  double t_start;
  const char *const *parameter_names; /* by segment value of the parts */
  const DaeTerm *parameter_terms;     /* in other parameters; DAE_NO_TERM: a value of its own */
  /* n_con: constraints of the square core, see solver/multistep.h; may be NULL */
  const uint8_t *serves;
  const uint8_t *is_algebraic; /* n; may be NULL */
} DaeCgenModel;

/* `--target c` (step may be NULL: functions only) and `--target problem-c` (step is NULL, the
 * interface for other solvers). *header and *source are (transfer full); the source contains
 * the header and compiles alone. */
bool dae_cgen_write(DaeTerms *terms, const DaeSystemParts *parts, const DaeCgenModel *model,
                    const DaeCgenStep *step, char **header, char **source, GError **error);

/* Lower-case C identifier from a model name. (transfer full) */
char *dae_cgen_identifier(const char *name);

#endif
