#ifndef DAE_BENCH_PEER_MUMPS_H
#define DAE_BENCH_PEER_MUMPS_H

#include "structural/graph.h"

/* The value of a highest-value transversal, by MUMPS; false: there is none. */
bool bench_mumps_match(const DaeCsr *csr, int64_t *value);

#endif
