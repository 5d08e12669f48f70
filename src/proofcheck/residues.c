#include "proofcheck/residues.h"

#include <gmp.h>

#include "terms/bignum.h"

__extension__ typedef unsigned __int128 Wide;

enum { PRIME_ROUNDS = 30 };

typedef struct {
  bool is_known;
  uint64_t value;
} Residue;

struct DaeResidues {
  DaeTerms *terms;
  uint64_t prime;
  GHashTable *bound; /* atom -> term */
  GHashTable *memo;  /* term -> Residue */
};

DaeResidues *
dae_residues_new(DaeTerms *terms, uint64_t prime)
{
  mpz_t p;
  mpz_init_set_ui(p, (unsigned long)prime);
  bool is_prime = prime >> 62 == 0 && mpz_probab_prime_p(p, PRIME_ROUNDS) > 0;
  mpz_clear(p);
  if (!is_prime) {
    return NULL;
  }
  DaeResidues *residues = g_new0(DaeResidues, 1);
  residues->terms = terms;
  residues->prime = prime;
  residues->bound = g_hash_table_new(NULL, NULL);
  residues->memo = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  return residues;
}

void
dae_residues_free(DaeResidues *residues)
{
  if (residues != NULL) {
    g_hash_table_unref(residues->bound);
    g_hash_table_unref(residues->memo);
    g_free(residues);
  }
}

static void
note(DaeResidues *residues, DaeTerm t, Residue residue)
{
  g_hash_table_insert(residues->memo, GUINT_TO_POINTER(t), g_memdup2(&residue, sizeof residue));
}

void
dae_residues_bind(DaeResidues *residues, DaeTerm atom, uint64_t value)
{
  note(residues, atom, (Residue){true, value % residues->prime});
}

void
dae_residues_bind_term(DaeResidues *residues, DaeTerm atom, DaeTerm value)
{
  g_hash_table_insert(residues->bound, GUINT_TO_POINTER(atom), GUINT_TO_POINTER(value));
}

/* ---- arithmetic ---------------------------------------------------------------------------- */

uint64_t
dae_residues_product(const DaeResidues *residues, uint64_t a, uint64_t b)
{
  return (uint64_t)((Wide)a * b % residues->prime);
}

static uint64_t
power(const DaeResidues *residues, uint64_t a, uint64_t n)
{
  uint64_t result = 1;
  for (; n > 0; n >>= 1) {
    result = (n & 1) != 0 ? dae_residues_product(residues, result, a) : result;
    a = dae_residues_product(residues, a, a);
  }
  return result;
}

/* 1/a by Fermat's theorem; a is not 0. */
static uint64_t
inverse(const DaeResidues *residues, uint64_t a)
{
  return power(residues, a, residues->prime - 2);
}

static Residue
residue_of_number(const DaeResidues *residues, DaeTerm t)
{
  mpq_t q;
  mpq_init(q);
  dae_term_get_mpq(residues->terms, t, q);
  uint64_t above = mpz_fdiv_ui(mpq_numref(q), (unsigned long)residues->prime);
  uint64_t below = mpz_fdiv_ui(mpq_denref(q), (unsigned long)residues->prime);
  mpq_clear(q);
  if (below == 0) {
    return (Residue){false, 0};
  }
  return (Residue){true, dae_residues_product(residues, above, inverse(residues, below))};
}

static Residue
known(const DaeResidues *residues, DaeTerm t)
{
  const Residue *found = g_hash_table_lookup(residues->memo, GUINT_TO_POINTER(t));
  return found == NULL ? (Residue){false, 0} : *found;
}

static Residue
residue_of_node(const DaeResidues *residues, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(residues->terms, t, &n);
  DaeKind kind = dae_term_kind(residues->terms, t);
  if (kind == DAE_KIND_NUMBER) {
    return residue_of_number(residues, t);
  }
  if (kind == DAE_KIND_POWER) {
    Residue base = known(residues, operands[0]);
    int64_t e = 0;
    bool ok = base.is_known && dae_term_get_int64(residues->terms, operands[1], &e) &&
              (e > 0 || base.value != 0);
    uint64_t a = ok ? power(residues, base.value, (uint64_t)ABS(e)) : 0;
    return (Residue){ok, ok && e < 0 ? inverse(residues, a) : a};
  }
  if (kind != DAE_KIND_SUM && kind != DAE_KIND_PRODUCT) {
    return (Residue){false, 0};
  }
  Residue result = {true, kind == DAE_KIND_SUM ? 0 : 1};
  for (uint32_t i = 0; i < n && result.is_known; i++) {
    Residue a = known(residues, operands[i]);
    result.is_known = a.is_known;
    result.value = kind == DAE_KIND_SUM
                       ? (uint64_t)(((Wide)result.value + a.value) % residues->prime)
                       : dae_residues_product(residues, result.value, a.value);
  }
  return result;
}

static bool
is_ready(void *self, DaeTerm t)
{
  const DaeResidues *residues = self;
  return g_hash_table_contains(residues->memo, GUINT_TO_POINTER(t));
}

static void
compute(void *self, DaeTerm t)
{
  DaeResidues *residues = self;
  note(residues, t, residue_of_node(residues, t));
}

bool
dae_residues_value(DaeResidues *residues, DaeTerm t, uint64_t *value)
{
  const DaeWalk walk = {.ready = is_ready, .compute = compute, .self = residues};
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_parameters(residues->terms, t, atoms);
  for (guint i = 0; i < atoms->len; i++) { /* values of parameters have no parameters */
    DaeTerm atom = g_array_index(atoms, DaeTerm, i);
    gpointer bound = g_hash_table_lookup(residues->bound, GUINT_TO_POINTER(atom));
    if (bound != NULL && !is_ready(residues, atom)) {
      dae_walk(residues->terms, GPOINTER_TO_UINT(bound), &walk);
      note(residues, atom, known(residues, GPOINTER_TO_UINT(bound)));
    }
  }
  dae_walk(residues->terms, t, &walk);
  Residue residue = known(residues, t);
  *value = residue.value;
  return residue.is_known;
}

bool
dae_residues_is_regular(const DaeResidues *residues, uint64_t *a, uint32_t n)
{
  for (uint32_t k = 0; k < n; k++) {
    uint32_t pivot = k;
    while (pivot < n && a[(size_t)pivot * n + k] == 0) {
      pivot++;
    }
    if (pivot == n) {
      return false;
    }
    for (uint32_t j = k; j < n && pivot != k; j++) {
      uint64_t swap = a[(size_t)k * n + j];
      a[(size_t)k * n + j] = a[(size_t)pivot * n + j];
      a[(size_t)pivot * n + j] = swap;
    }
    uint64_t over = inverse(residues, a[(size_t)k * n + k]);
    for (uint32_t i = k + 1; i < n; i++) {
      uint64_t factor = dae_residues_product(residues, a[(size_t)i * n + k], over);
      for (uint32_t j = k; j < n && factor != 0; j++) {
        uint64_t change = dae_residues_product(residues, factor, a[(size_t)k * n + j]);
        uint64_t old = a[(size_t)i * n + j];
        a[(size_t)i * n + j] = old >= change ? old - change : old + residues->prime - change;
      }
    }
  }
  return true;
}
