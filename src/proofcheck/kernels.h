/* Inside of the exact checker: kernels (what polynomials are polynomials in) and the walk over
 * terms (kernels.c), functions and their identities (exact.c, exact_exp.c, exact_turn.c). */
#ifndef DAE_PROOFCHECK_KERNELS_H
#define DAE_PROOFCHECK_KERNELS_H

#include "proofcheck/exact.h"

typedef enum {
  KERNEL_ATOM,
  KERNEL_PI,
  KERNEL_ROOT, /* key^(1/steps) */
  KERNEL_EXP,  /* exp(key/steps) */
  KERNEL_COS,  /* cos(key/steps), and the next kernel is the sine */
  KERNEL_SIN,
  KERNEL_LOG,
  KERNEL_ASIN,
  KERNEL_ATAN,
  KERNEL_ABS,
  KERNEL_SIGN,
  KERNEL_INDICATOR, /* if condition then 1 else 0 */
  KERNEL_OPAQUE     /* any other term: equal to itself only */
} KernelKind;

typedef struct {
  KernelKind kind;
  const VpFrac *key; /* NULL for atoms, pi, opaque ones */
  int64_t steps;
  DaeTerm term;  /* the kernel as a term */
  GArray *atoms; /* DaeTerm: atoms inside */
} Kernel;

typedef enum { UNIT_ROOT, UNIT_EXP, UNIT_ANGLE } UnitKind;

/* exp(a/2) and exp(a/3) are powers of exp(a/6): the finest division that was asked for. When it
 * becomes finer in the middle of a walk the walk is done again. */
typedef struct {
  UnitKind kind;
  const VpFrac *key;
  int64_t steps;
  uint32_t kernel; /* UINT32_MAX: none of this division yet */
  int64_t kernel_steps;
} Unit;

typedef struct { /* p/q * key of a sum */
  const VpFrac *key;
  int64_t p, q;
} Part;

typedef enum { KNOWN_OPEN, KNOWN_FRACTION, KNOWN_TRUE, KNOWN_FALSE } KnownState;

typedef struct {
  KnownState state;
  const VpFrac *frac;
} Known;

typedef struct { /* cosine and sine */
  const VpFrac *c, *s;
} Turn;

struct DaeExact {
  DaeTerms *terms;
  DaeCertifier *signs;
  VpRing *ring;
  GHashTable *bound;
  GHashTable *assumed;  /* condition -> 1: does not hold, 2: holds */
  GHashTable *positive; /* atoms */
  GHashTable *memo;     /* term -> Known */
  GArray *kernels;      /* Kernel */
  GArray *units;        /* Unit */
  bool units_changed;
  bool is_undefined;
  bool compares_assumed;
  /* open min, max, semiLinear and if-terms: in parts, or (at first) kernels of their own, as which
   * they are factors that can be seen */
  bool takes_apart;
  bool has_open_choice;
};

int64_t dae_kernels_gcd(int64_t a, int64_t b);
uint32_t dae_kernels_add(DaeExact *exact, KernelKind kind, const VpFrac *key, DaeTerm term);
uint32_t dae_kernels_find(DaeExact *exact, KernelKind kind,
                          const VpFrac *key); /* or UINT32_MAX */
uint32_t dae_kernels_pi(DaeExact *exact);
Unit *dae_kernels_unit(DaeExact *exact, UnitKind kind, const VpFrac *key, int64_t q);
/* Part: the sum a as p/q times products of kernels. */
GArray *dae_kernels_split(DaeExact *exact, const VpFrac *a);
/* a, when the fraction is a single kernel of that kind with argument
 * a; for pi: anything but NULL. */
const VpFrac *dae_kernels_argument(DaeExact *exact, const VpFrac *key, KernelKind kind);
/* a, when the fraction is exp(a) (a product of powers of exp). */
const VpFrac *dae_kernels_log_of_exp(DaeExact *exact, const VpFrac *frac);
/* A product a = p * rest with p a positive number times powers of exp,
 * not 1: p. NULL: there is none. */
const VpFrac *dae_kernels_positive_part(DaeExact *exact, const VpFrac *a, const VpFrac **rest);
bool dae_kernels_is_constant(const DaeExact *exact, const VpFrac *a);
DaeTerm dae_kernels_term(DaeExact *exact, const VpFrac *a);
const VpFrac *dae_kernels_opaque(DaeExact *exact, DaeTerm t);
/* Sign of t = a where it is known. */
bool dae_kernels_sign(DaeExact *exact, DaeTerm t, const VpFrac *a, int *sign);
/* What the walk over t found; open before it. */
const Known *dae_kernels_known(const DaeExact *exact, DaeTerm t);
void dae_kernels_walk(DaeExact *exact, DaeTerm t);
/* conditions.c. What the relation is, or an `and`, `or`, `not`; what the steps of the proof
 * assumed about a condition, or what it is. */
KnownState dae_conditions_relation(DaeExact *exact, DaeTerm t);
KnownState dae_conditions_logic(DaeExact *exact, DaeTerm t, DaeKind kind);
KnownState dae_conditions_state(const DaeExact *exact, DaeTerm condition);
/* abs, sign, min, max, semiLinear of the arguments a where the condition they stand for is
 * known; NULL: open, or another function. */
const VpFrac *dae_conditions_call(DaeExact *exact, DaeTerm t, const DaeTerm *a);
/* An if-term whose condition is open. */
const VpFrac *dae_conditions_choice(DaeExact *exact, DaeTerm t);
/* exact_switch.c: abs or sign of a; min or max of a and b; semiLinear(x, above, below). NULL:
 * open. */
const VpFrac *dae_kernels_switch(DaeExact *exact, DaeFunction f, const VpFrac *a);
const VpFrac *dae_kernels_pair(DaeExact *exact, DaeFunction f, const VpFrac *a,
                               const VpFrac *b);
const VpFrac *dae_kernels_semi_linear(DaeExact *exact, const VpFrac *x, const VpFrac *above,
                                      const VpFrac *below);
/* exact_turn.c: cosine and sine of an angle; k*pi/12; asin or atan. */
bool dae_kernels_turn_of(DaeExact *exact, const VpFrac *angle, Turn *turn);
const VpFrac *dae_kernels_pi_twelfths(DaeExact *exact, int64_t k);
const VpFrac *dae_kernels_arc_of(DaeExact *exact, const VpFrac *a, KernelKind kind);
/* exact_exp.c: base^(p/q), q > 1; exp(a); log(a) of a positive a. NULL: open. */
const VpFrac *dae_kernels_root_of(DaeExact *exact, const VpFrac *base, int64_t p, int64_t q);
const VpFrac *dae_kernels_exp_of(DaeExact *exact, const VpFrac *a);
const VpFrac *dae_kernels_log_of(DaeExact *exact, const VpFrac *a);
/* exact.c. NULL: open. */
const VpFrac *dae_kernels_call(DaeExact *exact, DaeTerm t, const VpFrac *a);
const VpFrac *dae_kernels_power(DaeExact *exact, DaeTerm t, const VpFrac *base);

#endif
