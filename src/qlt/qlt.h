/* The over-determined first-order system with every hidden constraint [HoegerSteinbrecher, ScholzSteinbrecher]:
 *
 *     sum_j E_ij(x,t) der(x_j) = k_i(x,t)     0 = h(x,t)
 *
 * Unknowns: the variables of the model in its order, then the introduced ones ($der_x, ...). No derivative occurs in
 * E, k or h. Invariants: h_x has full row rank generically, [E; h_x] has rank n (eqs. 6, 7 of 000). */
#ifndef DAE_QLT_QLT_H
#define DAE_QLT_QLT_H

#include "structural/structural.h"

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
  bool is_identity;            /* der(x) = $der_x, introduced */
} DaeQltRow;

typedef struct {
  DaeTerm expression;          /* 0 = expression */
  int32_t level;
  bool is_hidden;
  bool is_invariant;           /* from --invariant */
  bool is_numeric;             /* rank/non-redundancy was only checked numerically */
  const DaeQltOrigin *from;
  uint32_t n_from;
} DaeQltConstraint;

typedef struct { /* an introduced unknown */
  DaeSymbol symbol;
  DaeTerm meaning;             /* der(v) */
} DaeQltIntroduced;

typedef struct { /* an equation or constraint dropped because it follows from others */
  DaeTerm expression;
  const DaeQltOrigin *from;
  uint32_t n_from;
  const char *proof;           /* for people */
} DaeQltDropped;

typedef enum { DAE_ELIMINATE_AUTO, DAE_ELIMINATE_ALWAYS, DAE_ELIMINATE_NEVER } DaeEliminate;

typedef struct {
  DaeEliminate eliminate;
  const DaeTerm *invariants;   /* expressions constant along solutions */
  uint32_t n_invariants;
} DaeQltOptions;

/* sig: status SUCCESS, REPAIRED, or any when the model is over-determined (analyzed with overdetermined_ok). */
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
int32_t dae_qlt_max_level(const DaeQlt *qlt);
DaeEliminate dae_qlt_elimination_used(const DaeQlt *qlt); /* ALWAYS or NEVER where AUTO decided globally */
size_t dae_qlt_terms_in(const DaeQlt *qlt);
size_t dae_qlt_terms_out(const DaeQlt *qlt);
/* The same system as a (over-determined) DaeModel, for --format modelica. (transfer full) */
DaeModel *dae_qlt_to_model(const DaeQlt *qlt, DaeTerms *terms);

#endif
