/* Exact arithmetic of the proof checker: integers of any size (GMP's, integers.c), polynomials
 * in numbered kernels, fractions of them.
 *
 * Polynomials and fractions are written for the checker alone. Everything lives in a ring and
 * is freed with it. Nothing is cancelled by greatest common divisors: a fraction is zero
 * exactly when its numerator is, which needs none. A ring counts its work; beyond the limit it
 * says so (vp_is_spent) and all results are meaningless. */
#ifndef DAE_PROOFCHECK_POLY_H
#define DAE_PROOFCHECK_POLY_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint64_t VpLimb;

typedef struct {
  int sign; /* -1, 0, 1 */
  uint32_t n;
  const VpLimb *limbs; /* of GMP: least first; never changed */
} VpInt;

typedef struct {
  uint32_t kernel;
  uint32_t e; /* > 0 */
} VpPower;

typedef struct {
  VpInt c; /* not 0 */
  uint32_t n;
  const VpPower *powers; /* increasing kernels */
} VpMono;

typedef struct {
  uint32_t n;
  const VpMono *monos; /* in a fixed order, each product of kernels once */
} VpPoly;

typedef struct {
  VpPoly num;
  VpInt den;       /* > 0 */
  GArray *factors; /* VpPower: factor numbers of the ring in the denominator; NULL: none */
} VpFrac;

typedef struct VpRing VpRing;

VpRing *vp_ring_new(uint64_t limit);
void vp_ring_free(VpRing *ring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(VpRing, vp_ring_free)
bool vp_is_spent(const VpRing *ring);
gpointer vp_keep(VpRing *ring, gpointer memory); /* freed with the ring */

void vp_count(VpRing *ring, uint64_t amount); /* work that was done */

VpInt vp_int(VpRing *ring, int64_t value);
/* Decimal, with point, exponent or fraction bar, as terms print
 * numbers: numerator and denominator. */
bool vp_int_parse(VpRing *ring, const char *text, VpInt *numerator, VpInt *denominator);
VpInt vp_int_add(VpRing *ring, VpInt a, VpInt b);
VpInt vp_int_mul(VpRing *ring, VpInt a, VpInt b);
VpInt vp_int_neg(VpInt a);
int vp_int_compare(VpInt a, VpInt b);
bool vp_int_get(VpInt a, int64_t *value); /* false: beyond 62 bits */
char *vp_int_text(VpInt a);               /* decimal; (transfer full) */
/* a = q * divisor + rest with a small divisor, for a >= 0. */
uint32_t vp_int_divide_small(VpRing *ring, VpInt a, uint32_t divisor, VpInt *q);

VpPoly vp_poly_add(VpRing *ring, VpPoly a, VpPoly b);
VpPoly vp_poly_mul(VpRing *ring, VpPoly a, VpPoly b);
VpPoly vp_poly_scale(VpRing *ring, VpInt c, VpPoly a);
uint32_t vp_poly_degree(VpPoly a, uint32_t kernel);
/* Coefficient of kernel^e, itself without the kernel. */
VpPoly vp_poly_coefficient(VpRing *ring, VpPoly a, uint32_t kernel, uint32_t e);
VpPoly vp_poly_kernel(VpRing *ring, uint32_t kernel, uint32_t e);
/* a without kernel^e, which all its monomials have. */
VpPoly vp_poly_without(VpRing *ring, VpPoly a, uint32_t kernel, uint32_t e);
/* Remainder of lc(b)^k * a divided by b, both as polynomials in the kernel. */
VpPoly vp_poly_pseudo_remainder(VpRing *ring, VpPoly a, VpPoly b, uint32_t kernel);

/* kernel^degree = value from now on; name: the identity, for the list of those used. */
void vp_ring_relate(VpRing *ring, uint32_t kernel, uint32_t degree, const VpFrac *value,
                    const char *name);
/* Names of the relations that were used, each once. */
const GPtrArray *vp_ring_used(const VpRing *ring);
void vp_ring_use(VpRing *ring, const char *name);

const VpFrac *vp_frac_int(VpRing *ring, int64_t value);
const VpFrac *vp_frac_ratio(VpRing *ring, VpInt numerator, VpInt denominator);
const VpFrac *vp_frac_poly(VpRing *ring, VpPoly num);
const VpFrac *vp_frac_kernel(VpRing *ring, uint32_t kernel);
const VpFrac *vp_frac_add(VpRing *ring, const VpFrac *a, const VpFrac *b);
const VpFrac *vp_frac_sub(VpRing *ring, const VpFrac *a, const VpFrac *b);
const VpFrac *vp_frac_mul(VpRing *ring, const VpFrac *a, const VpFrac *b);
const VpFrac *vp_frac_inverse(VpRing *ring, const VpFrac *a);          /* NULL: of 0 */
const VpFrac *vp_frac_power(VpRing *ring, const VpFrac *a, int64_t e); /* NULL: 0^negative */
bool vp_frac_is_zero(const VpFrac *a);
bool vp_frac_is_number(const VpFrac *a);
bool vp_frac_equal(VpRing *ring, const VpFrac *a, const VpFrac *b);
/* Is a = q*b with a rational q other than 0? Its sign, or 0. */
int vp_frac_multiple(VpRing *ring, const VpFrac *a, const VpFrac *b);
VpPoly vp_ring_factor(const VpRing *ring, uint32_t factor);

#endif
