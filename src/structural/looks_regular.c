/* Whether blocks whose determinant no proof decides are regular in doubles, at a point near the
 * start values: no verdict, but enough to begin a simulation, which looks at the same matrices in
 * every step. */
#include "structural/sig-priv.h"

#define MOST_ROWS 300u
#define SMALLEST_PIVOT 1e-9 /* of rows whose largest entry is 1 */
#define N_POINTS 3u

typedef struct {
  DaeAlgebra *algebra;
  uint32_t point;
} Place;

static bool
atom_at(void *user, DaeTerm atom, double *value)
{
  const Place *place = user;
  *value = dae_algebra_point_near_expected(place->algebra, atom, place->point);
  return true;
}

static bool
is_regular_at(DaeSig *sig, const DaeBlockMatrix *matrix, Place *place)
{
  const DaeCsr *csr = matrix->csr;
  uint32_t n = csr->n_rows;
  g_autofree double *a = g_new0(double, (size_t)n *n + 1);
  for (uint32_t i = 0; i < n; i++) {
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      DaeTerm entry = dae_sig_at_values(sig, matrix->value[e]);
      double *value = &a[(size_t)i * n + csr->column[e]];
      if (entry == DAE_NO_TERM ||
          dae_term_eval_double(sig->terms, entry, atom_at, place, value) != DAE_EVAL_OK) {
        return false;
      }
    }
  }
  return dae_plain_is_regular(a, n, SMALLEST_PIVOT);
}

static bool
block_looks_regular(DaeSig *sig, DaeAlgebra *algebra, uint32_t b)
{
  DaeBlockMatrix matrix;
  bool is_regular = false;
  dae_sig_block_matrix(sig, b, &matrix);
  for (uint32_t k = 0; k < N_POINTS && !is_regular && matrix.csr->n_rows <= MOST_ROWS; k++) {
    Place place = {algebra, k};
    is_regular = is_regular_at(sig, &matrix, &place);
  }
  dae_block_matrix_clear(&matrix);
  return is_regular;
}

bool
dae_sig_looks_regular(DaeSig *sig, DaeAlgebra *algebra)
{
  bool is_regular = sig->status == DAE_SIG_UNDECIDED && sig->determinant == DAE_UNKNOWN &&
                    sig->block_zero != NULL && dae_sig_is_open(sig);
  for (uint32_t b = 0; b < sig->fine_form.n_blocks && is_regular; b++) {
    is_regular = sig->block_zero[b] == DAE_NONZERO ||
                 (sig->block_zero[b] == DAE_UNKNOWN && block_looks_regular(sig, algebra, b));
  }
  return is_regular;
}
