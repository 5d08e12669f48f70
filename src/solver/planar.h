/* LU of dense real and complex matrices with the real and imaginary parts in planes of their
 * own: for systems that are large enough to fill machine vectors with the columns of one
 * matrix. Small ones are quicker as lanes (dense_stages.c). */
#ifndef DAE_SOLVER_PLANAR_H
#define DAE_SOLVER_PLANAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t n;
  size_t stride;   /* of the rows: n rounded up to whole vectors */
  double *re, *im; /* n x stride; im NULL: a real matrix */
  uint32_t *pivot;
  void *blocks[2]; /* of memory, where the planes begin at the next whole line */
} DaePlanar;

DaePlanar dae_planar_new(uint32_t most, bool is_complex); /* room for `most` rows; zeroed */
void dae_planar_clear(DaePlanar *a);
/* For n <= most rows from now on; the entries are to be filled anew,
 * those beyond column n with zeros. */
void dae_planar_resize(DaePlanar *a, uint32_t n);

/* In place with partial pivoting; false: singular or not finite. */
bool dae_planar_factor(DaePlanar *a);
/* re + i im = solution for this right side; im is not looked at when the matrix is real. */
void dae_planar_solve(const DaePlanar *a, double *re, double *im);

#endif
