/* Arithmetic modulo the prime 2^61 - 1, values of terms there, and sparse
 * elimination; for the files of this room. */
#ifndef DAE_STRUCTURAL_MODULAR_H
#define DAE_STRUCTURAL_MODULAR_H

#include "structural/sig-priv.h"

#define DAE_PRIME ((UINT64_C(1) << 61) - 1)

__extension__ typedef unsigned __int128 DaeWide;

static inline uint64_t
dae_mod_add(uint64_t a, uint64_t b)
{
  uint64_t sum = a + b;
  return sum >= DAE_PRIME ? sum - DAE_PRIME : sum;
}

static inline uint64_t
dae_mod_mul(uint64_t a, uint64_t b)
{
  DaeWide product = (DaeWide)a * b;
  uint64_t low = (uint64_t)product & DAE_PRIME;
  uint64_t high = (uint64_t)(product >> 61);
  return dae_mod_add(low, high);
}

static inline uint64_t
dae_mod_neg(uint64_t a)
{
  return a == 0 ? 0 : DAE_PRIME - a;
}

uint64_t dae_mod_power(uint64_t base, uint64_t exponent);
uint64_t dae_mod_inverse(uint64_t a); /* a != 0 */

/* Values of terms at one point: a homomorphism from the field of
 * functions that the terms generate. */
typedef struct DaeModPoint DaeModPoint;
DaeModPoint *dae_mod_point_new(DaeTerms *terms, uint64_t seed);
void dae_mod_point_free(DaeModPoint *point);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeModPoint, dae_mod_point_free)
/* false: the term has no value here (division by 0) or is of a kind without a modular image. */
bool dae_mod_point_eval(DaeModPoint *point, DaeTerm t, uint64_t *value);
/* Was a branch of a piecewise term chosen? Another point may choose another one. */
bool dae_mod_point_has_branches(const DaeModPoint *point);
/* After all evaluations: were the functions met (exp, sin, roots, ...) independent of
 * each other, so that values chosen freely for them make sense? Only then a nonzero
 * value proves a nonzero function. */
bool dae_mod_point_is_sound(DaeModPoint *point);

/* Jets modulo the prime: the first coefficients of power series in time (modular_jet.c). */
typedef struct DaeModJets DaeModJets;

typedef struct {
  DaeSig *sig;
  /* per variable: where its coefficients begin, one more at the end */
  const size_t *first;
  const uint64_t *coefficients; /* x_j^(m)/m! */
  uint64_t time;
} DaeModSeries;

DaeModJets *dae_mod_jets_new(const DaeModSeries *series);
void dae_mod_jets_free(DaeModJets *jets);
/* Coefficient q of the series of t. false: not a rational operation, or a division by 0. */
bool dae_mod_jets_eval(DaeModJets *jets, DaeTerm t, uint32_t q, uint64_t *value);
/* Were the irrational numbers among the parameters independent, so that
 * any values may stand for them? */
bool dae_mod_jets_are_sound(DaeModJets *jets);
/* The first n coefficients of a product, an inverse, a square root (modular_series.c); out may
 * be the first factor. false: there is none. */
void dae_mod_series_multiply(const uint64_t *a, const uint64_t *b, uint32_t n, uint64_t *out);
bool dae_mod_series_invert(const uint64_t *a, uint32_t n, uint64_t *out);
bool dae_mod_series_root(const uint64_t *a, uint32_t n, uint64_t *out);

/* A root of sum a[k] u^k, degree at most 8 (modular_root.c). seed: which of
 * several. false: it has none. */
bool dae_mod_root(const uint64_t *a, uint32_t degree, uint64_t seed, uint64_t *root);
/* Value or slope of a function of one unknown; false: it has none there. */
typedef bool (*DaeModFunction)(void *user, uint64_t at, uint64_t *value);
/* A zero of a function that is a polynomial of degree at most 8, checked: the last value asked
 * for is that at the root. false: it has none, or is no such function. */
bool dae_mod_function_root(DaeModFunction value, DaeModFunction slope, void *user,
                           uint64_t seed, uint64_t *root);

/* A full matrix (modular_dense.c). After elimination a row has its pivot, left of it the factors by
 * which the rows before were taken off, right of it the rest, divided by the pivot. */
typedef struct {
  uint32_t n_rows, n_columns, rank;
  uint64_t *a;         /* row by row */
  uint32_t *row_at;    /* by pivot: its row */
  uint32_t *column_at; /* by place: the column that came there; pivots first */
  uint64_t *inverse;   /* by pivot */
} DaeModDense;

void dae_mod_dense_init(DaeModDense *m, uint32_t n_rows, uint32_t n_columns); /* zeros */
void dae_mod_dense_clear(DaeModDense *m);
void dae_mod_dense_eliminate(DaeModDense *m);
/* Square and regular, after elimination. */
void dae_mod_dense_solve(const DaeModDense *m, const uint64_t *rhs, uint64_t *x);

enum { DAE_MOD_MOST_SMALL = 8 }; /* rows of a small system */

bool dae_mod_solve_small(const DaeCsr *csr, const uint64_t *values, const uint64_t *rhs,
                         uint64_t *x);
/* Solves the square system; false: singular. */
bool dae_mod_solve(const DaeCsr *csr, const uint64_t *values, const uint64_t *rhs, uint64_t *x);
/* Eliminates the square matrix (values per entry of csr). Returns the rank. For each row that
 * became zero, the rows that were combined to make it so are appended to null_rows (may be
 * NULL) as GArray of uint32_t, ascending. */
uint32_t dae_mod_eliminate(const DaeCsr *csr, const uint64_t *values, GPtrArray *null_rows);

#endif
