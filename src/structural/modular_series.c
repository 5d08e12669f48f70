/* Products, inverses and square roots of power series modulo the prime, cut off after n
 * coefficients [NedialkovPryce07, section 2]. */
#include "structural/modular.h"

void
dae_mod_series_multiply(const uint64_t *a, const uint64_t *b, uint32_t n, uint64_t *out)
{
  for (uint32_t m = n; m-- > 0;) { /* from the last: out may be a */
    uint64_t sum = 0;
    for (uint32_t k = 0; k <= m; k++) {
      sum = dae_mod_add(sum, dae_mod_mul(a[k], b[m - k]));
    }
    out[m] = sum;
  }
}

bool
dae_mod_series_invert(const uint64_t *a, uint32_t n, uint64_t *out)
{
  if (a[0] == 0) {
    return false;
  }
  uint64_t inverse = dae_mod_inverse(a[0]);
  for (uint32_t m = 0; m < n; m++) {
    uint64_t sum = m == 0 ? 1 : 0;
    for (uint32_t k = 1; k <= m; k++) {
      sum = dae_mod_add(sum, dae_mod_neg(dae_mod_mul(a[k], out[m - k])));
    }
    out[m] = dae_mod_mul(sum, inverse);
  }
  return true;
}

bool
dae_mod_series_root(const uint64_t *a, uint32_t n, uint64_t *out)
{
  uint64_t s = dae_mod_power(a[0], (DAE_PRIME + 1) / 4); /* the prime is 3 modulo 4 */
  if (a[0] == 0 || dae_mod_mul(s, s) != a[0]) {
    return false;
  }
  uint64_t inverse = dae_mod_inverse(dae_mod_add(s, s));
  out[0] = s;
  for (uint32_t m = 1; m < n; m++) {
    uint64_t sum = a[m];
    for (uint32_t k = 1; k < m; k++) {
      sum = dae_mod_add(sum, dae_mod_neg(dae_mod_mul(out[k], out[m - k])));
    }
    out[m] = dae_mod_mul(sum, inverse);
  }
  return true;
}
