/* Is it zero? Exact algebra over terms: three-valued zero test, normal forms, elimination.
 *
 * Answers are proofs. ZERO: the normal form as a rational function over independent kernels is
 * 0, with the algebraic relations among kernels (sin^2+cos^2 = 1, roots, exp(a)exp(b) =
 * exp(a+b), ...) used. NONZERO: a certificate at a point where the term is defined: exact
 * value, modular image, or an Arb ball that excludes 0. UNKNOWN otherwise, within the budget.
 * Floating point never decides ZERO. "Zero" means identically zero as a function of the atoms
 * (variables of each order, parameters, time), which are independent, on the domain where the
 * term is defined; for atom-free terms it means the number 0.
 *
 * FLINT and Arb live in this room only. */
#ifndef DAE_ALGEBRA_ALGEBRA_H
#define DAE_ALGEBRA_ALGEBRA_H

#include "base/base.h"
#include "terms/terms.h"

G_BEGIN_DECLS

typedef enum { DAE_ZERO, DAE_NONZERO, DAE_UNKNOWN } DaeZero;
typedef struct DaeAlgebra DaeAlgebra;

void dae_algebra_init(void); /* FLINT's abort handler, once */
/* Answers are remembered: facts about symbols (dae_terms_assume) are to be
 * told before the first question. */
DaeAlgebra *dae_algebra_new(DaeTerms *terms,
                            DaeBudget *budget); /* budget may be NULL; borrowed */
void dae_algebra_free(DaeAlgebra *algebra);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeAlgebra, dae_algebra_free)
DaeTerms *dae_algebra_terms(DaeAlgebra *algebra);
void dae_algebra_set_budget(DaeAlgebra *algebra, DaeBudget *budget);

/* ---- zero test --------------------------------------------------------------------------- */

DaeZero dae_algebra_is_zero(DaeAlgebra *algebra, DaeTerm t);       /* memoized */
bool dae_algebra_equal(DaeAlgebra *algebra, DaeTerm a, DaeTerm b); /* proved equal */
/* Sign of an atom-free or sign-definite term if it can be proved: -1, 0, 1; false otherwise. */
bool dae_algebra_sign(DaeAlgebra *algebra, DaeTerm t, int *sign);
/* 1: t >= 0 for all real values of its atoms for which it is defined, -1: t <= 0, 0: open.
 * strict: it vanishes nowhere. Squares, discriminants and ranges of functions (definite.c). */
int dae_algebra_definite(DaeAlgebra *algebra, DaeTerm t, bool *strict);
/* Has t a value wherever its atoms have one? false: not proved. */
bool dae_algebra_is_total(DaeAlgebra *algebra, DaeTerm t);
/* Has `from` a value wherever `to` has one? false: not proved. */
bool dae_algebra_keeps_domain(DaeAlgebra *algebra, DaeTerm from, DaeTerm to);
/* t, a polynomial, as a number plus squares with factors of one sign: (x - y)^2 + 1. A proof
 * that it vanishes nowhere; DAE_NO_TERM: none was found. */
DaeTerm dae_algebra_squares(DaeAlgebra *algebra, DaeTerm t);

/* ---- normal forms ------------------------------------------------------------------------ */

/* The condition of an if-term of t that has no other around it; DAE_NO_TERM: t has none. */
DaeTerm dae_algebra_outer_condition(DaeAlgebra *algebra, DaeTerm t);
/* t with every if-term of this condition replaced by one of its branches. DAE_NO_TERM: not
 * defined. */
DaeTerm dae_algebra_choose_branch(DaeAlgebra *algebra, DaeTerm t, DaeTerm condition,
                                  bool holds);
/* Simplified term equal to t: cancelled rational function, as a person would write it (the
 * shorter of expanded and factored numerators; t itself when nothing is gained or the budget
 * ends). Never wrong. */
DaeTerm dae_algebra_simplify(DaeAlgebra *algebra, DaeTerm t);
/* Expanded and cancelled numerator, denominator over the kernels: t =
 * numerator/denominator. false: budget. */
bool dae_algebra_fraction(DaeAlgebra *algebra, DaeTerm t, DaeTerm *numerator,
                          DaeTerm *denominator);
/* Irreducible factors of the numerator of t that contain an atom, without multiplicity
 * or numeric factor, each sign-normalized, in structural order; appended to factors
 * (GArray of DaeTerm). false: budget. */
bool dae_algebra_factor(DaeAlgebra *algebra, DaeTerm t, GArray *factors);
/* If t is a polynomial of degree <= 1 in the atom x: t = a*x + b with a,
 * b free of x. false otherwise. */
bool dae_algebra_linear_in(DaeAlgebra *algebra, DaeTerm t, DaeTerm x, DaeTerm *a, DaeTerm *b);

/* The atom is expected near this value: a function of it may have no value (density of a
 * pressure below 0) at points that are chosen without it. Nothing rests on it. */
void dae_algebra_expect(DaeAlgebra *algebra, DaeTerm atom, double value);
/* Has the n by n matrix, row after row, larger pivots than this in doubles, with rows whose
 * largest entry is 1? a is overwritten. */
bool dae_plain_is_regular(double *a, uint32_t n, double smallest);
/* The atom at the k-th of the points near what is expected. */
double dae_algebra_point_near_expected(DaeAlgebra *algebra, DaeTerm atom, uint32_t k);

/* ---- modulo equations ---------------------------------------------------------------------- */

/* Is t zero wherever all of equations[0..n-1] vanish? ZERO: proved by membership in the
 * ideal (or radical) they generate; NONZERO: a certified common zero with t != 0, or
 * non-membership where that is a proof. */
DaeZero dae_algebra_is_zero_modulo(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations,
                                   size_t n);
/* Only one half of that: is there a proof that t is zero at all common zeros, or that it is
 * not at one of them? */
bool dae_algebra_vanishes_modulo(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations,
                                 size_t n);
bool dae_algebra_is_nonzero_modulo(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations,
                                   size_t n);
/* If t = sum q_i * equations_i with term coefficients q_i: fills q (n entries) and returns
 * true. */
bool dae_algebra_cofactors(DaeAlgebra *algebra, DaeTerm t, const DaeTerm *equations, size_t n,
                           DaeTerm *q);

/* ---- matrices of terms (row-major, dense; sparse callers split into blocks first) -------- */

typedef struct {
  uint32_t n_rows;
  uint32_t n_columns;
  DaeTerm *entries; /* n_rows * n_columns, 0-terms are the NUMBER 0 */
} DaeMatrix;

/* Determinant, fraction-free (polynomials through FLINT, independent symbols by
 * minors). DAE_NO_TERM: budget. */
DaeTerm dae_algebra_determinant(DaeAlgebra *algebra, const DaeMatrix *matrix);
/* Is the determinant identically zero? Cheaper than computing it
 * (modular/random exact points first). */
DaeZero dae_algebra_determinant_is_zero(DaeAlgebra *algebra, const DaeMatrix *matrix);
/* Is the determinant proved not to be identically zero by its value at a
 * few points? false: not known. */
bool dae_algebra_is_regular(DaeAlgebra *algebra, const DaeMatrix *matrix);
/* Generic rank. certain == false: some pivot decision was UNKNOWN; the
 * result is then a lower bound. */
uint32_t dae_algebra_rank(DaeAlgebra *algebra, const DaeMatrix *matrix, bool *certain);
/* Basis of the left null space {v : v*A = 0} over the field of rational functions; rows of the
 * result, each with denominators cleared and common factors removed. assumed (may be NULL)
 * receives factors that were taken as nonzero (GArray of DaeTerm). NULL: budget or UNKNOWN
 * pivot. Free with dae_matrix_free. */
DaeMatrix *dae_algebra_left_null(DaeAlgebra *algebra, const DaeMatrix *matrix, GArray *assumed);
/* The same for {v : A*v = 0}, also as rows. */
DaeMatrix *dae_algebra_right_null(DaeAlgebra *algebra, const DaeMatrix *matrix,
                                  GArray *assumed);
/* Solves A*x = b (A square, generically regular) exactly: x as simplified terms. false:
 * singular, UNKNOWN or budget. */
bool dae_algebra_solve(DaeAlgebra *algebra, const DaeMatrix *a, const DaeTerm *b, DaeTerm *x,
                       GArray *assumed);

DaeMatrix *dae_matrix_new(DaeTerms *terms, uint32_t n_rows,
                          uint32_t n_columns); /* all NUMBER 0 */
void dae_matrix_free(DaeMatrix *matrix);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeMatrix, dae_matrix_free)

G_END_DECLS

#endif
