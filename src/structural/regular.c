#include "structural/regular.h"
#include "structural/modular.h"

bool
dae_is_regular_matrix(DaeTerms *terms, const DaeCsr *csr, const DaeTerm *values)
{
  g_autoptr(DaeModPoint) point = dae_mod_point_new(terms, 1);
  size_t n = dae_csr_nnz(csr);
  g_autofree uint64_t *images = g_new(uint64_t, n + 1);
  for (size_t e = 0; e < n; e++) {
    if (!dae_term_is_number(terms, values[e]) ||
        !dae_mod_point_eval(point, values[e], &images[e])) {
      return false;
    }
  }
  return csr->n_rows == csr->n_columns && dae_mod_eliminate(csr, images, NULL) == csr->n_rows;
}
