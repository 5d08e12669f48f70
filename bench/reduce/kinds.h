/* Model texts of any size for bench_reduce. (transfer full) */
#ifndef BENCH_REDUCE_KINDS_H
#define BENCH_REDUCE_KINDS_H

#include <stdint.h>

char *bench_chain(uint32_t n); /* masses on rods, Cartesian: index 3, 5 n equations */
char *bench_ladder(
    uint32_t
        n); /* LC ladder with a loop of capacitors in each section: index 2, 5 n equations */
char *bench_relative(
    uint32_t
        n); /* chain of n pendula by angles, tip on a line: index 3, coupled accelerations */

#endif
