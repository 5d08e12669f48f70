/* The over-determined first-order system with every hidden constraint
 * [HoegerSteinbrecher, ScholzSteinbrecher]:
 *
 *     sum_j E_ij(x,t) der(x_j) = k_i(x,t)     0 = h(x,t)
 *
 * Unknowns: the variables of the model in its order, then the introduced ones ($der_x, ...). No
 * derivative occurs in E, k or h. Invariants: h_x has full row rank at consistent points, [E;
 * h_x] has rank n (eqs. 6, 7 of the paper).
 *
 * How it is found. Every equation is brought into quasi-linear form (transform.c); a derivative
 * that occurs nonlinearly gets an identity der(x) = $der_x, once. The rows are matched with the
 * derivatives they contain (match.c). A row that finds no derivative of its own depends on the
 * rows it can reach: these are eliminated (eliminate.c) and what remains is a constraint.
 * Constraints are differentiated as the offsets of the Sigma-method say, and their derivatives
 * are rows in turn (closure.c). So elimination happens only among rows that share derivatives;
 * chains and meshes stay linear in size. Where a coupled block is too big to be eliminated
 * symbolically, its derivatives become unknowns.
 *
 * For a model that the Sigma-method accepts, independence of the constraints follows from its
 * regular Jacobian (docs/reduction.md); over-determined models are closed under differentiation
 * with a zero test for each candidate. */
#ifndef DAE_QLT_QLT_H
#define DAE_QLT_QLT_H

#include "structural/structural.h"

G_BEGIN_DECLS

typedef struct DaeQlt DaeQlt;

typedef struct { /* where a row comes from: equation and how often it was differentiated */
  uint32_t equation;
  int32_t order;
} DaeQltOrigin;

typedef struct {
  const uint32_t *columns;     /* unknowns with a coefficient, increasing */
  const DaeTerm *coefficients; /* same length */
  uint32_t n;
  DaeTerm rhs;
  const DaeQltOrigin *from;
  uint32_t n_from;
  bool is_identity; /* der(x) = $der_x, introduced */
  /* of a completion: one of the rows that complete the constraints to rank n */
  bool is_selected;
  bool is_reduced; /* without coefficients that are zero on the constraints */
} DaeQltRow;

typedef struct {
  DaeTerm expression; /* 0 = expression */
  int32_t level;
  bool is_hidden;
  bool is_invariant; /* from --invariant */
  bool is_numeric;   /* rank/non-redundancy was only checked numerically */
  bool is_trusted;   /* an invariant that could not be proved to be one */
  bool is_reduced;   /* a row whose coefficients are zero on the other constraints */
  const DaeQltOrigin *from;
  uint32_t n_from;
} DaeQltConstraint;

typedef struct { /* an introduced unknown */
  DaeSymbol symbol;
  DaeTerm meaning; /* der(v) */
} DaeQltIntroduced;

typedef struct { /* an equation or constraint dropped because it follows from others */
  DaeTerm expression;
  const DaeQltOrigin *from;
  uint32_t n_from;
  const char *proof; /* for people */
  bool is_numeric;   /* on the branch of solutions that was looked at only */
  DaeTerm factor;    /* with is_numeric: proved where this is not 0; else DAE_NO_TERM */
} DaeQltDropped;

typedef struct {           /* a coupled set of derivatives and what was done with it */
  const uint32_t *columns; /* the unknowns whose derivatives are coupled, increasing */
  uint32_t n;
  uint64_t estimate;  /* bound on the number of addends of its determinant; UINT64_MAX: huge */
  bool is_eliminated; /* false: its derivatives became unknowns */
} DaeQltBlock;

typedef enum { DAE_ELIMINATE_AUTO, DAE_ELIMINATE_ALWAYS, DAE_ELIMINATE_NEVER } DaeEliminate;

typedef struct {
  DaeEliminate eliminate;
  const DaeTerm *invariants; /* expressions constant along solutions */
  uint32_t n_invariants;
} DaeQltOptions;

/* An invariant I is an expression in the unknowns (derivatives are replaced by what they are
 * identified with) that is constant along solutions. It becomes the constraint 0 = I -
 * $invariant_1 with a PARAMETER symbol $invariant_1 (_2, ...) that stands for the value of I at
 * the start; the caller binds it there (dae_qlt_n_invariants and on).
 *
 * Errors: NEGATIVE (contradictory equations, or the analysis says no), UNDECIDED
 * (budget). sig: status SUCCESS, REPAIRED, or any when the model is over-determined
 * (analyzed with overdetermined_ok). */
DaeQlt *dae_qlt_reduce(DaeAlgebra *algebra, const DaeSig *sig, const DaeQltOptions *options,
                       const DaeReporter *reporter, GError **error);
void dae_qlt_free(DaeQlt *qlt);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeQlt, dae_qlt_free)

const DaeModel *dae_qlt_model(const DaeQlt *qlt);
uint32_t dae_qlt_n_unknowns(const DaeQlt *qlt);
DaeSymbol dae_qlt_unknown(const DaeQlt *qlt, uint32_t j);
uint32_t dae_qlt_n_rows(const DaeQlt *qlt);
const DaeQltRow *dae_qlt_row(const DaeQlt *qlt, uint32_t i);
uint32_t dae_qlt_n_constraints(const DaeQlt *qlt);
const DaeQltConstraint *dae_qlt_constraint(const DaeQlt *qlt, uint32_t i);
uint32_t dae_qlt_n_introduced(const DaeQlt *qlt);
const DaeQltIntroduced *dae_qlt_introduced(const DaeQlt *qlt, uint32_t i);
uint32_t dae_qlt_n_dropped(const DaeQlt *qlt);
const DaeQltDropped *dae_qlt_dropped(const DaeQlt *qlt, uint32_t i);
/* The k-th invariant: the parameter that stands for its start value, and the expression. */
uint32_t dae_qlt_n_invariants(const DaeQlt *qlt);
DaeSymbol dae_qlt_invariant_symbol(const DaeQlt *qlt, uint32_t k);
DaeTerm dae_qlt_invariant_expression(const DaeQlt *qlt, uint32_t k);

/* Terms with parameters that the reduction took as zero (with the values of the parameters) or
 * as not zero: for other values of the parameters it holds where these answers are the same. */
typedef struct {
  DaeTerm term;
  bool is_zero;
} DaeQltDecision;

const DaeQltDecision *dae_qlt_decisions(const DaeQlt *qlt, uint32_t *n);
uint32_t dae_qlt_n_blocks(const DaeQlt *qlt);
const DaeQltBlock *dae_qlt_block(const DaeQlt *qlt, uint32_t b);
/* Identities der(x) = v of the model that were used as such, besides the introduced ones. */
uint32_t dae_qlt_n_model_identities(const DaeQlt *qlt);
int32_t dae_qlt_max_level(const DaeQlt *qlt);
/* Unknowns less constraints (without invariants): the degrees of freedom. */
int64_t dae_qlt_dof(const DaeQlt *qlt);
DaeEliminate
dae_qlt_elimination_used(const DaeQlt *qlt); /* ALWAYS or NEVER where AUTO decided globally */
/* Sizes as nodes of the shared DAG. */
size_t dae_qlt_terms_in(const DaeQlt *qlt);
size_t dae_qlt_terms_out(const DaeQlt *qlt);
/* The same system as a (over-determined) DaeModel, for --format modelica. (transfer full) */
DaeModel *dae_qlt_to_model(const DaeQlt *qlt, DaeTerms *terms);

/* Text and source line of row `row` (the differential rows, then the constraints),
 * for messages. (transfer full) */
char *dae_qlt_describe_row(const DaeQlt *qlt, DaeTerms *terms, uint32_t row);

G_END_DECLS

/* How often an input (a symbol of variability INPUT) is differentiated in the
 * reduced system, or in a term. */
uint32_t dae_qlt_input_order(const DaeQlt *qlt, DaeTerms *terms, DaeSymbol input);
uint32_t dae_qlt_input_order_in(DaeTerms *terms, DaeTerm t, DaeSymbol input);

#endif
