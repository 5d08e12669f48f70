/* Inside the algebra room: context, plans (linearized DAGs), rings of rational functions,
 * evaluations. Only src/algebra and tests/algebra include this. */
#ifndef DAE_ALGEBRA_ALGEBRA_PRIV_H
#define DAE_ALGEBRA_ALGEBRA_PRIV_H

#include "algebra/algebra.h"

#include "algebra/flint-compat.h"

/* Limits that keep single FLINT calls short: they cannot be interrupted by a budget. */
#define DAE_LIMIT_TERMS 200000 /* length of a polynomial */
#define DAE_LIMIT_GCD 6000     /* length of numerator plus denominator that a GCD is tried on */
#define DAE_LIMIT_FACTOR_DEGREE 60 /* total degree of a polynomial that is factored */
#define DAE_LIMIT_EXPONENT 100000  /* larger integer powers of sums and kernels stay kernels */
#define DAE_LIMIT_KERNELS 4000     /* variables of one polynomial ring */
#define DAE_LIMIT_PRECISION 4096   /* bits of the last ball tried by the zero test */
#define DAE_LIMIT_SPLITS 6 /* nested case distinctions over if-terms and absolute values */

#define DAE_MODULUS UINT64_C(0x1fffffffffffffff) /* 2^61 - 1, prime */

typedef enum { DAE_MOD_NONE, DAE_MOD_VALUE, DAE_MOD_UNDEFINED, DAE_MOD_IRRATIONAL } DaeModState;

/* Allocators of FLINT and GMP that never return NULL (memory.c). */
void dae_algebra_guard_memory(void);

struct DaeAlgebra {
  DaeTerms *terms;
  DaeBudget *budget; /* borrowed, may be NULL */
  nmod_t mod;        /* the prime of the modular images */
  /* Indexed by term id; capacity entries each. */
  uint32_t capacity;
  uint32_t stamp; /* of the walk under way */
  uint32_t *stamps;
  uint32_t *slots;
  uint8_t *zero_memo; /* 0: not asked, else 1 + DaeZero */
  uint8_t *mod_state; /* DaeModState of the image at the fixed random point */
  uint64_t *mod_value;
  double work_left; /* of the question under way, in coefficient products */
  double futile; /* products in bases that proved nothing: later ones get less (groebner.c) */
  /* Balls of terms at point 0, filled on demand; n_balls entries. */
  uint32_t n_balls;
  uint8_t *ball_state;
  arb_ptr ball;
  GHashTable *simplified; /* DaeTerm -> DaeTerm */
  /* DaeTerm -> numerator and denominator as one word, 0 if there is none */
  GHashTable *fractions;
  GHashTable *factors;  /* DaeTerm -> GArray of factors, or NULL if there is none */
  GHashTable *routines; /* number + 1 -> plans of its parts (routine_ball.c); NULL: none */
  uint32_t routine_depth, routine_rounds;
  double routine_left;   /* nodes that routines may still evaluate */
  double ball_nodes;     /* evaluated in balls so far, those inside routines included */
  double ball_limit;     /* of ball_nodes: from there on routines have no values; 0: none */
  bool is_asked;         /* a question of the zero test is under way */
  GHashTable *nonlinear; /* set of (term, atom) that linear_in refused, as one word */
  GHashTable *solved;    /* equation -> how it is solved for an atom (modulo.c) */
  GHashTable *open;      /* questions modulo equations that no ideal answered (modulo.c) */
  GHashTable *expected;  /* atom -> DaeTerm, the number it is expected near */
  struct DaeNormals *normals; /* fractions of terms that were asked for (normal.c) */
};

/* Points from here on are near the expected values, where there are any. */
#define DAE_EXPECTED_POINT UINT32_C(1000)
#define DAE_EXPECTED_POINTS 3u

void dae_algebra_reserve(DaeAlgebra *algebra); /* the arrays reach up to the newest term */
bool dae_algebra_spent(DaeAlgebra *algebra);

/* Rewritten where that can help the normal form: rational terms have nothing to rewrite,
 * and of big terms only the kernels are, because the rules that combine summands cost
 * more there than the ring does. */
DaeTerm dae_algebra_rewrite(DaeAlgebra *algebra, DaeTerm t);

/* Work, as an estimate before each FLINT call: about 2*10^7 units are a second. A question gets
 * an allowance; nested questions draw on that of the outer one. Begin returns what end needs. */
#define DAE_WORK_LINEAR 2e6
#define DAE_WORK_SIMPLIFY 1e7
#define DAE_WORK_NORMAL 5e7
#define DAE_WORK_PROOF 2e8
#define DAE_WORK_ROUTINE 40000.0 /* nodes in routines for one question of the zero test */
#define DAE_WORK_ROUTINE_POINT 4000000.0 /* for one value elsewhere */
double dae_work_begin(DaeAlgebra *algebra, double allowance);
void dae_work_end(DaeAlgebra *algebra, double before);
bool dae_work_spend(DaeAlgebra *algebra, double work); /* false: the allowance is used up */

/* ---- numbers (number.c) ------------------------------------------------------------------ */

void dae_number_get_fmpq(DaeTerms *terms, DaeTerm t, fmpq_t value);
DaeTerm dae_number_from_fmpq(DaeTerms *terms, const fmpq_t value);
DaeTerm dae_number_from_fmpz(DaeTerms *terms, const fmpz_t value);
/* Splits t into a rational factor and the rest: 3*x*y -> (3, x*y), 5 -> (5, 1). */
DaeTerm dae_number_split(DaeTerms *terms, DaeTerm t, fmpq_t coefficient);
/* t is a NUMBER p/q with |p|, q <= limit. */
bool dae_number_is_small(DaeTerms *terms, DaeTerm t, int64_t limit, int64_t *p, int64_t *q);
/* Deterministic pseudo-random bits for an atom (VARIABLE, PARAMETER,
 * TIME) at point number `point`. */
uint64_t dae_atom_random(DaeTerms *terms, DaeTerm atom, uint32_t point);
bool dae_term_is_atom(const DaeTerms *terms, DaeTerm t);

/* ---- plans (plan.c) ------------------------------------------------------------------------ */

/* The DAG below some roots as a list: operands come before their users. Entry i is term node[i]
 * with operands operand[first[i]] ... operand[first[i+1]-1], which are indices into the list. */
typedef struct {
  uint32_t n;
  DaeTerm *node;
  uint32_t *first;
  uint32_t *operand;
  uint32_t *root; /* index of each root */
} DaePlan;

/* is_leaf (may be NULL) tells terms whose operands are not entered. */
typedef bool (*DaePlanLeaf)(DaeTerms *terms, DaeTerm t);
DaePlan *dae_plan_new(DaeAlgebra *algebra, const DaeTerm *roots, size_t n_roots,
                      DaePlanLeaf is_leaf);
/* Terms t with known[t] != 0 are leaves; known reaches up to the newest term. */
DaePlan *dae_plan_new_above(DaeAlgebra *algebra, DaeTerm root, const uint8_t *known);
void dae_plan_free(DaePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaePlan, dae_plan_free)

static inline uint32_t
dae_plan_arity(const DaePlan *plan, uint32_t i)
{
  return plan->first[i + 1] - plan->first[i];
}

static inline const uint32_t *
dae_plan_operands(const DaePlan *plan, uint32_t i)
{
  return plan->operand + plan->first[i];
}

/* ---- images (modular.c, ball.c) -------------------------------------------------------------- */

/* Value of t modulo DAE_MODULUS at the fixed pseudo-random point; memoized for all time. */
DaeModState dae_modular_value(DaeAlgebra *algebra, DaeTerm t, uint64_t *value);

typedef struct {
  uint32_t point; /* number of the rational point */
  slong precision;
} DaeBallPoint;

/* Value of an atom at a point: a rational that respects the sign facts known of the symbol. */
void dae_ball_atom_value(DaeAlgebra *algebra, DaeTerm atom, uint32_t point, fmpq_t value);
/* Random points did not tell: are those near the expected values worth a try? Where there was no
 * value, and where branches and functions may be 0 outside of what they are made for. */
bool dae_ball_tries_expected(const DaeAlgebra *algebra, const DaePlan *plan, bool is_defined);
/* Balls of all roots of the plan. False: one of them is not (provably)
 * defined there, or the budget ended. */
bool dae_ball_eval(DaeAlgebra *algebra, const DaePlan *plan, uint32_t n_roots, DaeBallPoint at,
                   arb_ptr values);

/* Ball of t at point 0 with DAE_BALL_PRECISION bits; NULL if t is not provably
 * defined there. Remembered for all terms, so that a question costs its new nodes.
 * All atoms are positive at point 0. */
#define DAE_BALL_PRECISION 128
arb_srcptr dae_ball_at_point_0(DaeAlgebra *algebra, DaeTerm t);

/* Like dae_ball_eval with the atoms' values given, in the order of the list `atoms`. With an
 * index (atom -> place + 1) the list is not read, and a function that jumps has no value where
 * its ball has the jump inside. */
typedef struct {
  const DaeTerm *atoms;
  arb_srcptr values;
  size_t n;
  GHashTable *index;
} DaeBallBinding;

bool dae_ball_eval_bound(DaeAlgebra *algebra, const DaePlan *plan, uint32_t n_roots,
                         const DaeBallBinding *binding, slong precision, arb_ptr values);

/* An enclosure of f(x) where f is computed from numbers alone; false: there is none
 * (ball_function.c). */
bool dae_ball_function(DaeFunction f, arb_srcptr const *x, slong precision, arb_t out);

/* A call of DAE_FN_ROUTINE; false: a condition in it is not decided, or the budget ended
 * (routine_ball.c). */
bool dae_ball_routine(DaeAlgebra *algebra, DaeTerm call, arb_srcptr arguments, bool is_box,
                      slong precision, arb_t out);

/* ---- rings of rational functions over kernels (ring.c, convert.c) ------------------------ */

/* A polynomial ring whose variables are kernels: atoms, roots, calls, if-terms. kernel[0] is
 * the greatest in the lexicographic order, so that each relation kernel^degree = (polynomial in
 * later kernels) is led by the power; the relations are then a Groebner basis, because their
 * leading monomials are coprime. */
typedef struct {
  DaeAlgebra *algebra;
  uint32_t n;
  DaeTerm *kernel;
  GHashTable *index; /* DaeTerm -> index + 1 */
  fmpz_mpoly_ctx_t ctx;
  uint32_t n_relations;
  uint32_t *relation_kernel; /* index of the kernel reduced by each relation, ascending */
  uint32_t *relation_degree;
  fmpz_mpoly_struct *relation_value; /* what kernel^degree is equal to */
} DaeRing;

/* Ring for the given terms; extra (may be NULL) are atoms that must be
 * variables of it. NULL: limits. */
DaeRing *dae_ring_new(DaeAlgebra *algebra, const DaeTerm *roots, size_t n);
void dae_ring_free(DaeRing *ring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeRing, dae_ring_free)
bool dae_ring_find(const DaeRing *ring, DaeTerm kernel, uint32_t *index);
/* The plan of t goes down to kernels only. Root x^(p/q) counts as kernel x^(1/q). */
bool dae_ring_is_leaf(DaeTerms *terms, DaeTerm t);
/* For a leaf: the kernel and the integer power of it that the leaf is. */
DaeTerm dae_ring_kernel_of(DaeTerms *terms, DaeTerm leaf, int64_t *power);
/* Converts all roots to cancelled fractions; values has n entries, initialized. False: limits,
 * budget, or a division by something that is zero. */
bool dae_ring_convert(DaeRing *ring, const DaeTerm *roots, size_t n,
                      fmpz_mpoly_q_struct *values);
/* Modulo the relations of the kernels. False: the result would be too long (a product of n
 * squares of cosines has 2^n terms); p is then of no use. */
bool dae_ring_reduce(const DaeRing *ring, fmpz_mpoly_t p);
bool dae_ring_reduce_fraction(const DaeRing *ring, fmpz_mpoly_q_t f);
DaeTerm dae_ring_poly_term(const DaeRing *ring, const fmpz_mpoly_t p);
DaeTerm dae_ring_fraction_term(const DaeRing *ring, const fmpz_mpoly_q_t f);
fmpz_mpoly_q_struct *dae_ring_values_new(const DaeRing *ring, size_t n);
void dae_ring_values_free(const DaeRing *ring, fmpz_mpoly_q_struct *values, size_t n);
/* Checked arithmetic: false when the result would pass the limits. */
bool dae_ring_add(const DaeRing *ring, fmpz_mpoly_q_t r, const fmpz_mpoly_q_t a,
                  const fmpz_mpoly_q_t b);
bool dae_ring_mul(const DaeRing *ring, fmpz_mpoly_q_t r, const fmpz_mpoly_q_t a,
                  const fmpz_mpoly_q_t b);
bool dae_ring_pow(const DaeRing *ring, fmpz_mpoly_q_t r, const fmpz_mpoly_q_t a, int64_t n);
/* Irreducible factors (false: limits). f is initialized here on success. */
bool dae_ring_factor(const DaeRing *ring, fmpz_mpoly_factor_t f, const fmpz_mpoly_t p);
bool dae_ring_has_only_atoms(const DaeRing *ring);
/* p as a sum of squares of polynomials, or DAE_NO_TERM: none was found (squares.c). strict: it
 * stays above a positive number. */
DaeTerm dae_squares_find(const DaeRing *ring, const fmpz_mpoly_t p, bool *strict);
/* Is p nowhere negative (*strict: always positive), as a quotient of such sums? */
bool dae_squares_prove(const DaeRing *ring, const fmpz_mpoly_t p, bool *strict);
/* Were both signs seen at a few points? For a hundredth of what proofs that fail cost (trial.c). */
bool dae_trial_takes_both_signs(DaeTerms *terms, DaeTerm t);

/* ---- normal forms (normal.c) ------------------------------------------------------------- */

typedef struct DaeNormal {
  DaeTerm t;
  DaeRing *ring; /* of its kernels */
  fmpz_mpoly_q_t value;
  bool is_converted;
  double failed_with; /* so much work did not do */
} DaeNormal;

DaeNormal *dae_normal_of(DaeAlgebra *algebra, DaeTerm t); /* NULL: limits */
void dae_normal_unref(DaeNormal *normal);
/* Is the value there, for at most so much work? No: limits, budget, or a division by something
 * that is zero. */
bool dae_normal_convert(DaeNormal *normal, double allowance);
/* The value, converted before, over a ring that has all of its kernels. */
void dae_normal_export(const DaeNormal *normal, const DaeRing *to, fmpz_mpoly_q_t value);

typedef struct DaeNormals DaeNormals;
DaeNormals *dae_normals_new(void);
void dae_normals_free(DaeNormals *normals);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeNormal, dae_normal_unref)

/* ---- lowering (lower.c, lower_calls.c) --------------------------------------------------- */

/* A term that is equal to t wherever t is defined, written over independent kernels as far as
 * the room knows relations between them. DAE_NO_TERM: limits or budget. Only for proofs: it
 * may be defined elsewhere too. */
typedef struct {
  DaeTerm term; /* >= 0, or > 0 if strict */
  bool strict;
} DaeFact;

DaeTerm dae_lower(DaeAlgebra *algebra, DaeTerm t, const DaeFact *facts, size_t n_facts);

/* ---- zero test (zero.c, algebraic.c, sign.c) --------------------------------------------- */

typedef enum {
  DAE_RANGE_ANY,
  DAE_RANGE_NONNEGATIVE,
  DAE_RANGE_POSITIVE,
  DAE_RANGE_NONPOSITIVE,
  DAE_RANGE_NEGATIVE
} DaeRange;

/* What the form of t and the assumed facts say about its sign. */
DaeRange dae_sign_range(DaeAlgebra *algebra, DaeTerm t);
/* Sign of a term without atoms, by a ball of at most 256 bits; asks no zero test. */
bool dae_sign_by_ball(DaeAlgebra *algebra, DaeTerm t, int *sign);
/* Exact decision for algebraic numbers (roots and arithmetic of rationals). UNKNOWN:
 * not of that kind, or too big. */
DaeZero dae_algebraic_is_zero(DaeAlgebra *algebra, DaeTerm t);
bool dae_algebraic_value(DaeAlgebra *algebra, DaeTerm t, qqbar_t out); /* false: UNKNOWN */
/* The same for sums of rational multiples of angles or of logarithms (forms.c). */
DaeZero dae_forms_is_zero(DaeAlgebra *algebra, DaeTerm t);
/* Is the normal form of t zero in each of a few cases that cover everything? */
bool dae_cases_prove_zero(DaeAlgebra *algebra, DaeTerm t);
/* ZERO by normal form, or UNKNOWN. */
DaeZero dae_zero_prove(DaeAlgebra *algebra, DaeTerm t);

#endif
