/* What does the incidence of the model say? The Sigma-method [Pryce01] and what goes with it.
 *
 * Result invariants (status SUCCESS, REPAIRED, JACOBIAN_SINGULAR, UNDECIDED):
 *   c >= 0, d >= 0; d[j] - c[i] >= sigma(i,j), equality on the transversal; (c, d) is the
 *   element-wise least such pair; all arrays in the order of the model text; index = max c +
 *   (some d == 0 ? 1 : 0); dof = sum d - sum c.
 * After a repair `model` of the result is the converted model and `original` the
 * result for the model as written. */
#ifndef DAE_STRUCTURAL_STRUCTURAL_H
#define DAE_STRUCTURAL_STRUCTURAL_H

#include "algebra/algebra.h"
#include "model/model.h"

G_BEGIN_DECLS

typedef struct DaeSig DaeSig;

typedef enum {
  DAE_SIG_SUCCESS,
  DAE_SIG_REPAIRED,
  DAE_SIG_STRUCTURALLY_SINGULAR,
  DAE_SIG_JACOBIAN_SINGULAR,
  DAE_SIG_UNDECIDED
} DaeSigStatus;

typedef struct { /* one entry of sigma */
  uint32_t row, column;
  int32_t sigma;
} DaeSigEntry;

typedef struct
{ /* one entry of the Sigma-Jacobian: d f_i / d x_j^(sigma_ij) where d_j - c_i = sigma_ij */
  uint32_t row, column;
  DaeTerm value;
} DaeSigJacobianEntry;

typedef struct {
  const uint32_t *equations;
  uint32_t n_equations;
  const uint32_t *variables;
  uint32_t n_variables;
  bool is_linear; /* fine blocks: linear in what the block solves for */
} DaeSigBlock;

typedef enum {
  DAE_REPAIR_LINEAR_COMBINATION,
  DAE_REPAIR_EXPRESSION_SUBSTITUTION,
  DAE_REPAIR_RADICAL, /* multiple factors of an equation are taken once */
  /* hidden constraints take the place of equations that follow from the rest */
  DAE_REPAIR_COMPLETION
} DaeRepairMethod;

typedef struct {
  DaeRepairMethod method;
  uint32_t replaced;      /* equation */
  DaeStyled combination;  /* e.g. "der(equation 2) - equation 0", for people */
  DaeTerm by_lhs, by_rhs; /* the new equation */
  const DaeTerm *nonzero; /* where the step is legal: these must not vanish */
  uint32_t n_nonzero;
  int64_t value_before, value_after;
} DaeRepairStep;

/* How a positive status is known [Pryce01]: the Jacobian is regular at a point that satisfies
 * the equations and the derivatives of equation i up to c_i, at the given parameter values. */
typedef enum {
  DAE_CERTIFICATE_NONE,
  DAE_CERTIFICATE_EVERYWHERE, /* the determinant has no real zeros */
  DAE_CERTIFICATE_POINT,      /* a real point, its existence proved */
  /* a point modulo a prime: it lifts to the p-adic numbers, and says nothing of the reals */
  DAE_CERTIFICATE_ALGEBRAIC
} DaeCertificateKind;

typedef struct {
  DaeCertificateKind kind;
  /* POINT: the solution is within 10^radius of the values (decimals) of these atoms: variables,
   * their derivatives, time, and parameters without a value. Atoms that are exact were chosen.
   * Blocks that have no zeros anywhere are left out. */
  const DaeTerm *atoms;
  const char *const *values;
  const bool *is_exact;
  uint32_t n;
  int radius;
  /* ALGEBRAIC */
  uint64_t prime;
  uint32_t seed;
  /* the point: time, and of the variables with is_part x_j^(m)/m!, m <= d_j, from first[j] on.
   * Variables of blocks that are regular everywhere are left out */
  uint64_t time_residue;
  const uint64_t *residues;
  const size_t *first;
  const bool *is_part;
} DaeCertificate;

typedef struct {
  bool repair;   /* try to repair a singular Jacobian (default) */
  bool jacobian; /* false: stop after blocks (integers only), determinant is unknown */
  /* reduce: more equations than unknowns are not singular by themselves */
  bool overdetermined_ok;
  bool no_certificate; /* simulate: a regular point is found in numbers later */
} DaeSigOptions;

extern const DaeSigOptions dae_sig_default_options;

/* model must outlive the result. NULL only on budget/internal limits (*error). */
DaeSig *dae_sig_analyze(DaeAlgebra *algebra, const DaeModel *model,
                        const DaeSigOptions *options, const DaeReporter *reporter,
                        GError **error);
void dae_sig_free(DaeSig *sig);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeSig, dae_sig_free)

/* A system that has the solutions of the model, found by completion (qlt/complete.h). */
typedef struct {
  DaeModel *model;
  GPtrArray *origins; /* GArray of uint32_t: the original equations behind each row */
  GArray *orders;     /* int32_t: how often they were differentiated at most */
  /* bool: rows that are hidden constraints, or have lost coefficients that are always zero */
  GArray *replaced;
  /* DaeTerm: it has more solutions than the model where one of them is zero */
  GArray *nonzero;
  /* The model with the rows that were left out, behind the others; they follow where the Jacobian
   * is regular, and only there. NULL: none were. */
  DaeModel *surplus;
  GArray *surplus_from; /* uint32_t: the equation each of these comes from */
} DaeSigCompletion;

void dae_sig_completion_free(DaeSigCompletion *completion);
/* Of a square system without derivatives, analyzed without its Jacobian: a real point of all
 * variables at which all equations hold and the Jacobian is proved regular becomes the
 * certificate. False: none was found. */
bool dae_sig_find_solution(DaeSig *sig, DaeAlgebra *algebra);
/* Is it open how many degrees of freedom there are, and not because the
 * model is proved to be wrong? */
bool dae_sig_is_open(const DaeSig *sig);
/* It is open only whether functions of the model have values where its equations hold
 * (x = log(a), asin(x) = pi/2): whoever finds the solution sees it. */
bool dae_sig_lacks_values_only(const DaeSig *sig);
/* Is it open because of blocks that are regular in doubles near the start values? No proof. */
bool dae_sig_looks_regular(DaeSig *sig, DaeAlgebra *algebra);
/* Takes sig, which is open, and the completion. The analysis of the completion where that
 * has a certificate, else sig. */
DaeSig *dae_sig_complete(DaeSig *sig, DaeSigCompletion *completion, DaeAlgebra *algebra,
                         const DaeSigOptions *options, const DaeReporter *reporter);
/* Nothing could settle it: the status is UNDECIDED from here on, whatever was tried last. */
void dae_sig_leave_open(DaeSig *sig);
/* Notes a proof from elsewhere that the equations contradict each other or
 * do not determine a variable. */
void dae_sig_refute(DaeSig *sig, const char *reason);

/* After a completion: its model with the rows that were left out, and the equation that each of
 * these comes from. NULL: there are none. */
const DaeModel *dae_sig_surplus(const DaeSig *sig, const uint32_t **from);

DaeSigStatus dae_sig_status(const DaeSig *sig);
const DaeModel *dae_sig_model(
    const DaeSig *sig); /* the model all numbers refer to (converted after a repair) */
const DaeSig *dae_sig_original(const DaeSig *sig); /* NULL unless repaired */
uint32_t dae_sig_n_rows(const DaeSig *sig);
uint32_t dae_sig_n_columns(const DaeSig *sig);
const DaeSigEntry *dae_sig_entries(const DaeSig *sig, size_t *n); /* by row, then column */
const uint32_t *dae_sig_transversal(
    const DaeSig *sig); /* column of each row; NULL when structurally singular */
const int32_t *dae_sig_c(const DaeSig *sig);
const int32_t *dae_sig_d(const DaeSig *sig);
int64_t dae_sig_value(const DaeSig *sig);
int32_t dae_sig_index(const DaeSig *sig);
int64_t dae_sig_dof(const DaeSig *sig);
const DaeSigJacobianEntry *dae_sig_jacobian(const DaeSig *sig, size_t *n);
DaeZero dae_sig_determinant(
    const DaeSig *sig); /* ZERO: singular; of the Sigma-Jacobian on the solution set */
const DaeTerm *dae_sig_singular_when(const DaeSig *sig, uint32_t *n);
/* Is this factor 0 where the discrete values of its conditions are these? They are appended to
 * `atoms` (DaeTerm). False: it is not, or that is not known. */
bool dae_sig_vanishes_in_mode(const DaeSig *sig, DaeAlgebra *algebra, DaeTerm factor,
                              DaeAtomValue value_of, void *user, GArray *atoms);
/* False: the determinant of some large block was proved nonzero but not factored. */
bool dae_sig_has_all_factors(const DaeSig *sig);
uint32_t dae_sig_n_coarse(const DaeSig *sig);
const DaeSigBlock *dae_sig_coarse(const DaeSig *sig, uint32_t b);
uint32_t dae_sig_n_fine(const DaeSig *sig);
const DaeSigBlock *dae_sig_fine(const DaeSig *sig, uint32_t b);
DaeZero dae_sig_fine_determinant(const DaeSig *sig,
                                 uint32_t b); /* of the diagonal block of the Jacobian */
uint32_t dae_sig_n_repair_steps(const DaeSig *sig);
const DaeRepairStep *dae_sig_repair_step(const DaeSig *sig, uint32_t s);
const DaeSigBlock *
dae_sig_overdetermined(const DaeSig *sig); /* Dulmage-Mendelsohn parts; NULL unless singular */
const DaeSigBlock *dae_sig_underdetermined(const DaeSig *sig);
/* The smallest set of equations that is already too many (equations, and the
 * fewer variables they share). */
const DaeSigBlock *dae_sig_smallest_excess(const DaeSig *sig);
/* Ill-posed systems found by the repair: equations that are redundant or
 * contradict each other, NULL if none. */
const DaeSigBlock *dae_sig_ill_posed(const DaeSig *sig, bool *contradictory);
/* After a repair: the equations of the original model behind equation i and the highest order
 * to which one of them was differentiated (none for the definition of an introduced variable).
 * False: equation i is as written. */
bool dae_sig_equation_origin(const DaeSig *sig, uint32_t i, const uint32_t **from, uint32_t *n,
                             int32_t *order);
/* An upper bound of the differentiation index of the model as written (status
 * SUCCESS, REPAIRED): no original equation is differentiated more often, counting
 * what a repair has put into its rows. */
int32_t dae_sig_index_bound(const DaeSig *sig);
/* kind NONE unless the status is SUCCESS or REPAIRED. */
const DaeCertificate *dae_sig_certificate(const DaeSig *sig);
/* Is this discrete value (a parameter that the model does not have) true in the mode in which
 * the determinant was seen to be regular? false: that says nothing about it. */
bool dae_sig_value_in_mode(const DaeSig *sig, DaeTerm atom, bool *value);
/* Were parameters replaced by their values, because the structure there is another one? Then
 * the equations of the model of this result have numbers in their place. */
bool dae_sig_is_at_values(const DaeSig *sig);
/* Does every entry of Sigma stay where it is with these values of the parameters? (m*der(v) =
 * F with m = 0 has no der(v).) */
bool dae_sig_holds_with(const DaeSig *sig, DaeSubst *values);
/* The result with parameters as symbols where the one at their values is another; else NULL. */
const DaeSig *dae_sig_symbolic(const DaeSig *sig);
/* Of a negative result that is a positive one with parameters as symbols: which factors are 0
 * here, "j.J (component j, line 22)", (transfer full); else NULL. `written`: the model as read. */
char *dae_sig_zero_factors(const DaeSig *sig, const DaeModel *written);
/* One sentence for people about a negative or undecided verdict;
 * NULL if there is nothing to add. */
const char *dae_sig_reason(const DaeSig *sig);

/* All invariants above; runs after each analysis. */
bool dae_sig_check(const DaeSig *sig);
void dae_sig_dump(const DaeSig *sig, GString *out);

G_END_DECLS

#endif
