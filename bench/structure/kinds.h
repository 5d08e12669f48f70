/* Signature matrices of the benchmark's kinds of model, in natural and in shuffled order. */
#ifndef DAE_BENCH_STRUCTURE_KINDS_H
#define DAE_BENCH_STRUCTURE_KINDS_H

#include "structural/graph.h"

typedef enum {
  KIND_LADDER,
  KIND_PIPE,
  KIND_GRID,
  KIND_PENDULA,
  KIND_RANDOM,
  N_KINDS
} BenchKind;

const char *bench_kind_name(BenchKind kind);
/* About n equations. (transfer full) */
DaeCsr *bench_make_kind(BenchKind kind, uint32_t n, bool shuffled);
/* A flat Modelica model with that signature matrix: linear, coefficients 1 ... 9. */
GString *bench_write_model(const DaeCsr *csr);

#endif
