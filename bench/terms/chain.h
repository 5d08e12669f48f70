/* The chain of n planar pendula in Cartesian coordinates, for any
 * algebra: 5 equations per pendulum.
 *
 * Point i has position (x, y), velocity (u, v), mass m and is tied to point i-1 by a rod of
 * length L with the multiplier f; point 0 is the origin.
 *   der(x) = u,  der(y) = v,
 *   m der(u) = -2 f (x - xp) + 2 fn (xn - x),
 *   m der(v) = -2 f (y - yp) + 2 fn (yn - y) - m g,
 *   (x - xp)^2 + (y - yp)^2 = L^2.
 * The Jacobian is taken with respect to all variables and derivatives that occur. */
#ifndef DAE_BENCH_TERMS_CHAIN_H
#define DAE_BENCH_TERMS_CHAIN_H

#include <stddef.h>

typedef struct {
  double seconds_build;
  double seconds_jacobian;
  size_t n_entries;
  double checksum; /* sum of the entries at a fixed point, where computed */
} ChainResult;

#ifdef __cplusplus
extern "C" {
#endif

ChainResult chain_jacobian_peer(size_t n);

#ifdef __cplusplus
}
#endif

#endif
