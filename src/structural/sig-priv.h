/* The result of the analysis and the steps that fill it; for the files of this room only. */
#ifndef DAE_STRUCTURAL_SIG_PRIV_H
#define DAE_STRUCTURAL_SIG_PRIV_H

#include "structural/graph.h"
#include "structural/structural.h"

/* Sigma of a model, with what the Jacobian needs from it. */
typedef struct {
  DaeCsr *csr; /* weight = order of the derivative */
  /* per entry: partial derivative by that highest derivative; never the number 0. DAE_NO_TERM:
   * nobody has asked; it has no parameters (dae_sigma_derivative) */
  DaeTerm *derivative;
  DaeTerm *residual;    /* per row: lhs - rhs, or DAE_NO_TERM while nobody has asked */
  uint32_t n_cancelled; /* formal occurrences that the zero test has removed */
} DaeSigma;

typedef struct { /* one entry of a row */
  uint32_t column;
  int32_t order;
  DaeTerm derivative;
} DaeSigmaEntry;

/* (transfer full) DaeSigmaEntry, columns ascending: the row of Sigma of one residual. */
GArray *dae_sigma_build_row(DaeAlgebra *algebra, const DaeModel *model, DaeTerm residual);
void dae_sigma_build(DaeAlgebra *algebra, const DaeModel *model, DaeSigma *sigma);
DaeTerm dae_sigma_residual(DaeSigma *sigma, DaeTerms *terms, const DaeModel *model, uint32_t i);
/* Of entry e, in row i. */
DaeTerm dae_sigma_derivative(DaeSigma *sigma, DaeTerms *terms, const DaeModel *model,
                             uint32_t i, size_t e);
void dae_sigma_clear(DaeSigma *sigma);

typedef struct { /* a choice among the modes of a model with discrete values */
  DaeTerm condition;
  bool holds;
} DaeSigCondition;

typedef struct DaeSigConditions DaeSigConditions; /* conditions.c */

struct DaeSig {
  DaeTerms *terms;
  const DaeModel *model;
  DaeModel *owned_model; /* after a repair: the same as model */
  DaeModel *surplus;     /* after a completion: with the rows that were left out; NULL: none */
  GArray *surplus_from;  /* uint32_t */
  DaeSig *original;      /* after a repair */
  DaeSigStatus status;
  DaeSigma sigma;
  DaeSigConditions *conditions; /* NULL: nobody has asked */
  bool wants_whole_point; /* a consistent point has all variables, not only those in doubt */
  GArray *entries;        /* DaeSigEntry */
  uint32_t *transversal, *row_of_column;
  int32_t *c, *d;
  int64_t value, dof;
  int32_t index;
  GArray *jacobian; /* DaeSigJacobianEntry, by row, then column */
  size_t *jacobian_start;
  DaeZero determinant;
  bool is_vanishing_on_solutions; /* determinant ZERO only because of the constraints */
  GArray *singular_when;          /* DaeTerm */
  bool has_all_factors;           /* singular_when is complete */
  DaeBlocks coarse_form, fine_form;
  DaeSigBlock *coarse, *fine;
  uint8_t *block_zero;  /* DaeZero of each fine block */
  bool *block_open;     /* fine blocks whose determinant may vanish at the given values */
  bool *block_in_doubt; /* fine blocks that may have no solution (doubts.c); NULL: not asked */
  uint32_t
      impossible_row; /* has no real solution at the given values; UINT32_MAX: none is known */
  bool lacks_values_only;  /* regular everywhere; open is whether its functions have values */
  DaeTerm impossible_part; /* of it, has no value anywhere; DAE_NO_TERM: it is not that */
  bool is_violated; /* a factor of the determinant is zero at the given parameter values */
  GArray *mode;     /* DaeSigCondition: where factors with zeros in other modes have none */
  DaeSubst *values; /* parameters by their values; made when needed */
  DaeCertificate certificate;
  GPtrArray *certificate_texts; /* char *: what certificate.values points to */
  GArray *certificate_atoms;    /* DaeTerm */
  GArray *certificate_exact;    /* bool */
  bool is_at_values; /* parameters were replaced by their values before the analysis */
  /* the result with parameters as symbols, where this one is at their values */
  DaeSig *symbolic;
  GArray *steps; /* DaeRepairStep */
  /* after a repair: GArray of uint32_t: the original equations of each row */
  GPtrArray *origins;
  GArray *orders; /* after a repair: int32_t, how often they were differentiated at most */
  DaePart over, under, excess, ill_posed;
  DaeSigBlock over_block, under_block, excess_block, ill_posed_block;
  bool is_contradictory;
  bool is_refuted; /* proved elsewhere to have no unique solution: reason says why */
  char *reason;    /* one sentence for people on a negative or undecided verdict, or NULL */
};

/* Without repair: Sigma, transversal, offsets, blocks, Jacobian verdict (analyze.c). */
DaeSig *dae_sig_analyze_once(DaeAlgebra *algebra, const DaeModel *model,
                             const DaeSigOptions *options, const DaeReporter *reporter,
                             GError **error);

/* t at the given parameter values, rewritten; parameters without a value stay.
 * DAE_NO_TERM: not defined there. */
DaeTerm dae_sig_at_values(DaeSig *sig, DaeTerm t);
/* False: t is DAE_NO_TERM or has no value. */
bool dae_sig_number_at_values(DaeSig *sig, DaeTerm t, double *value);
/* A symbol that is constant within a segment only (modes.c). */
bool dae_sig_is_discrete(const DaeSig *sig, DaeTerm atom);
/* Is there one in it, or a parameter without a value or with fixed = false? */
bool dae_sig_has_open_values(const DaeSig *sig, DaeTerm t);
/* Is a term of parameters and open values other than 0 whatever the latter are? If in some
 * modes only, sig->mode has one. */
bool dae_sig_is_nonzero_in_all_modes(DaeSig *sig, DaeAlgebra *algebra, DaeTerm t);
/* An if-term of variables whose branches are all proved to be positive, or all negative, whatever
 * its conditions say. Signs that differ are a fold: max(x, -x) = 0. */
bool dae_sig_keeps_sign_in_cases(DaeAlgebra *algebra, DaeTerm t);
/* Do the given parameter values make an entry of Sigma or a factor of the determinant zero, or
 * choose a branch? Then the structure there is another one (at_values.c). */
bool dae_sig_differs_at_values(DaeSig *sig);
/* (transfer full) The model with its parameters replaced by their values; NULL: an equation
 * is not defined there (*bad). */
DaeModel *dae_sig_model_at_values(DaeSig *sig, const DaeModel *model, uint32_t *bad);
/* How a positive status is known; without a certificate the status
 * becomes UNDECIDED (certificate.c). */
void dae_sig_certify(DaeSig *sig, DaeAlgebra *algebra, const DaeReporter *reporter);
/* A consistent point where the Jacobian is regular, among the reals or modulo a prime. *failed:
 * the fine block where the search ended (point.c, algebraic.c). */
bool dae_sig_find_point(DaeSig *sig, DaeAlgebra *algebra, uint32_t *failed);
bool dae_sig_find_modular_point(DaeSig *sig, uint32_t *failed);

void dae_sig_conditions_free(DaeSigConditions *conditions);
/* The residual of row i; variables that only conditions depend on stand there as what they are. */
DaeTerm dae_sig_settled_residual(DaeSig *sig, uint32_t i);
/* Does row i only say what such a variable is? Known once a residual has been asked for. */
bool dae_sig_only_defines(const DaeSig *sig, uint32_t i);
/* Fills block_in_doubt and impossible_row; false: no block is in doubt (doubts.c). */
bool dae_sig_find_doubts(DaeSig *sig, DaeAlgebra *algebra);
/* Marks the blocks with rows whose functions may have no value: w = 1/x. Those with none at the
 * given parameter values are among them (partial.c). Were there any? */
bool dae_sig_find_partial_blocks(DaeSig *sig, DaeAlgebra *algebra, bool *is_marked);
/* Is a block that depends on others, or has several equations, not linear in what it is solved for
 * at some stage? A determinant without zeros does not say then that it has a solution: exp(x) = -y,
 * y = 2. */
bool dae_sig_is_curved(const DaeSig *sig);
/* (transfer full) The fine blocks that a consistent point has to have: those whose determinant
 * or Jacobian depends on variables or that may have no solution, and all that these need
 * (point_order.c). */
bool *dae_sig_needed_blocks(DaeSig *sig);

typedef struct {            /* groups of blocks, each after those whose variables it needs */
  uint32_t *blocks, *first; /* group k is blocks[first[k]] ... blocks[first[k + 1] - 1] */
  uint32_t *group_of;       /* by column; n: of none */
  int32_t *early;           /* by column: stages that it comes ahead of its own */
  uint32_t n;
} DaePointOrder;

void dae_sig_order_of_point(DaeSig *sig, DaePointOrder *order); /* of the needed blocks */
/* is_taken: which blocks, by number; NULL: all. */
void dae_sig_order_of_blocks(DaeSig *sig, const bool *is_taken, DaePointOrder *order);
void dae_point_order_clear(DaePointOrder *order);
/* guess.c: by column, NAN where there is none; (transfer full). */
double *dae_sig_guesses(DaeSig *sig);

/* Fills jacobian, determinant, block_zero, singular_when, is_linear (jacobian.c). */
void dae_sig_check_jacobian(DaeSig *sig, DaeAlgebra *algebra, const DaeReporter *reporter);
/* Marks the fine blocks that are linear in what they solve for (linear.c). */
void dae_sig_mark_linear_blocks(DaeSig *sig, DaeAlgebra *algebra);
/* Factors of the determinant and whether one vanishes on the solution set (factors.c). */
void dae_sig_find_factors(DaeSig *sig, DaeAlgebra *algebra);

typedef struct { /* an equation, differentiated */
  DaeTerm residual;
  uint32_t row;
  int32_t order;
} DaeSigRelation;

/* (transfer full) DaeSigRelation: what the equations say about the variables of a term alone.
 * *by_column is the transposed Sigma, made at the first call; the caller frees it
 * (relations.c). */
GArray *dae_sig_relations_among(DaeSig *sig, DaeTerm term, DaeCsr **by_column);

/* The entries of the Jacobian in the rows and columns of a fine block, as
 * terms; DaeCsr has no weights. */
typedef struct {
  DaeCsr *csr;
  DaeTerm *value;
} DaeBlockMatrix;

void dae_sig_block_matrix(const DaeSig *sig, uint32_t block, DaeBlockMatrix *matrix);
void dae_block_matrix_clear(DaeBlockMatrix *matrix);
/* Dense copy of some rows (all columns that occur in them, in ascending
 * order, are returned in columns). */
DaeMatrix *dae_block_matrix_rows(DaeTerms *terms, const DaeBlockMatrix *matrix,
                                 const GArray *rows, GArray *columns);

/* Regularity modulo a prime at a point (modular.c). */
typedef enum {
  DAE_MODULAR_REGULAR,
  DAE_MODULAR_SINGULAR,
  DAE_MODULAR_NOT_POSSIBLE
} DaeModularAnswer;

/* REGULAR is a proof that the determinant is not identically zero. SINGULAR is none, but
 * then null_rows (GPtrArray of GArray of uint32_t, smallest first) has the rows that take
 * part in left null vectors there. */
DaeModularAnswer dae_modular_check(DaeTerms *terms, const DaeBlockMatrix *matrix,
                                   GPtrArray *null_rows);

/* Left null vectors of a singular block, exactly; NULL if none is proved.
 * rows: which rows of the block. */
typedef struct {
  GArray *rows; /* uint32_t, inside the block */
  DaeTerm *v;   /* one per row, none is zero */
} DaeNullVector;

void dae_null_vector_free(DaeNullVector *vector);
/* (transfer full) GPtrArray of DaeNullVector; empty if the block could not be proved singular.
 * With `right` the vectors combine columns instead. */
GPtrArray *dae_sig_null_vectors(DaeAlgebra *algebra, const DaeBlockMatrix *matrix, bool right);

/* Converts the model until its Jacobian is nonsingular (repair.c). Takes sig;
 * returns sig or the repaired result. */
DaeSig *dae_sig_repair(DaeSig *sig, DaeAlgebra *algebra, const DaeSigOptions *options,
                       const DaeReporter *reporter);
/* A system without a certificate: with simple factors only (repair_radical.c). The same sig:
 * nothing was gained; else the repaired one, which owns it. */
DaeSig *dae_sig_repair_radicals(DaeSig *sig, DaeAlgebra *algebra, const DaeSigOptions *options,
                                const DaeReporter *reporter);

/* Sets a part's block view after it was filled. */
void dae_sig_view_part(DaeSigBlock *view, const DaePart *part);

#endif
