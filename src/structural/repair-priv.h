/* Conversion of a model whose Sigma-Jacobian is singular; for repair*.c only. */
#ifndef DAE_STRUCTURAL_REPAIR_PRIV_H
#define DAE_STRUCTURAL_REPAIR_PRIV_H

#include "structural/sig-priv.h"

typedef struct
{ /* the system under conversion; row i of it came from the original equations origin[i] */
  DaeAlgebra *algebra;
  DaeTerms *terms;
  const DaeSig *first; /* of the model as written */
  DaeSig *sig;       /* of the system at the beginning of the round; owned unless it is first */
  GArray *variables; /* DaeVariable */
  GArray *equations; /* DaeEquation */
  GArray *residuals; /* DaeTerm, one per equation */
  GPtrArray *rows; /* GArray of DaeSigmaEntry, one per equation: Sigma after the steps so far */
  GPtrArray *origins; /* GArray of uint32_t, ascending */
  GArray *orders;     /* int32_t: the highest derivative of an original equation in each row */
  GArray *steps;      /* DaeRepairStep */
  int64_t value;      /* Val of Sigma after the steps so far */
  uint32_t n_introduced;
  bool has_names; /* arguments of functions have got names */
} DaeRepair;

typedef enum {
  DAE_STEP_DONE,     /* the system was converted and its value fell */
  DAE_STEP_NONE,     /* this way is not open here */
  DAE_STEP_ILL_POSED /* the conversion shows that the system is redundant or contradictory */
} DaeStepOutcome;

typedef struct {   /* why a system is ill-posed */
  GArray *origins; /* uint32_t: equations of the model as written, ascending */
  bool is_contradictory;
  char *reason;
} DaeIllPosed;

/* Linear combination (repair_lc.c) and expression substitution (repair_es.c) on
 * a fine block of repair->sig. */
DaeStepOutcome dae_repair_combine(DaeRepair *repair, uint32_t block, DaeIllPosed *ill_posed);
/* For a determinant that vanishes on the solutions only: an entry of the Jacobian that the
 * equations make zero is removed by subtracting multiples of these equations (repair_reduce.c). */
DaeStepOutcome dae_repair_reduce(DaeRepair *repair, DaeIllPosed *ill_posed);

/* The same: equations with multiple factors get them once (repair_radical.c). */
DaeStepOutcome dae_repair_radicals(DaeRepair *repair);
/* f of sign(f), abs(f) and max(f, -f), which are 0 exactly where f is; else the factor itself. */
DaeTerm dae_repair_core(DaeTerms *terms, DaeTerm factor);

/* A new residual for one equation, made from several; what all three ways that keep
 * the unknowns have in common. */
typedef struct {
  DaeTerm residual;
  uint32_t replaced;
  DaeStyledString text;
  GArray *nonzero; /* DaeTerm */
  GArray *rows;    /* uint32_t: the equations combined */
  int32_t order;   /* highest derivative of an original equation in it */
} DaeCombination;

void dae_combination_init(DaeCombination *combination);
void dae_combination_clear(DaeCombination *combination);
/* "... + factor*der(equation i)" */
void dae_combination_append(DaeCombination *combination, DaeTerms *terms, DaeTerm factor,
                            uint32_t i, int32_t order);
/* Puts the combination in place if the value falls, or finds the system ill-posed. */
DaeStepOutcome dae_repair_try_combination(DaeRepair *repair, const DaeCombination *combination,
                                          DaeIllPosed *ill_posed);
/* Puts simple factors in place of the equation; false: the value would rise. */
bool dae_repair_place_radical(DaeRepair *repair, const DaeCombination *combination);
/* A residual as a person would write it. */
DaeTerm dae_repair_simplify(DaeAlgebra *algebra, DaeTerm t);

/* Tries the null vector number `attempt`; *has_more says whether there are others. Changes
 * variables and equations only; the caller analyzes the result, keeps it if the value
 * falls and restores them if not. */
DaeStepOutcome dae_repair_substitute(DaeRepair *repair, uint32_t block, guint attempt,
                                     bool *has_more);

/* Names for the arguments of functions with highest derivatives inside, in the singular blocks
 * (repair_name.c); variables and equations only. The value may stay. */
DaeStepOutcome dae_repair_name_arguments(DaeRepair *repair);
/* A variable that is nowhere else: "$sub1.base". */
DaeSymbol dae_repair_new_symbol(DaeRepair *repair, const char *base);

/* Value of the coarse block of row i when its row is replaced by `row`; false: no transversal.
 * The value of the whole system changes by as much: transversals stay inside coarse blocks. */
bool dae_repair_value_with_row(const DaeRepair *repair, uint32_t i, GArray *row,
                               int64_t *change);

/* What kind of ill-posedness is it (ill_posed.c)? A combination of these rows without unknowns,
 * or a system, as it is now in repair, without a transversal. */
void dae_ill_posed_from_constant(const DaeRepair *repair, DaeTerm residual, const GArray *rows,
                                 DaeIllPosed *ill_posed);
void dae_ill_posed_from_excess(const DaeRepair *repair, DaeIllPosed *ill_posed);
/* (transfer full) The original equations behind these rows, each once, ascending. */
GArray *dae_repair_join_origins(const DaeRepair *repair, const GArray *rows);

#endif
