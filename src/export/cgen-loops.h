/* Inside of functions with loops: what cgen_kernels.c and cgen_columns.c share. */
#ifndef DAE_EXPORT_CGEN_LOOPS_H
#define DAE_EXPORT_CGEN_LOOPS_H

#include "eval/kernel.h"
#include "export/cgen-priv.h"

#define DAE_NO_SLOT UINT32_MAX

typedef struct {
  const DaeCgen *gen;
  const DaeCgenFunction *function;
  DaeFused fused;
  DaeKernelPlan *plan; /* NULL: no kernels */
  uint32_t *slot;      /* by node: place in w, or DAE_NO_SLOT */
  uint32_t *output_of; /* by node: its first output + 1 */
  uint8_t *is_read;    /* by node: by something outside of its kernel, or as a second output */
  uint8_t *is_written; /* by output */
  uint32_t n_slots, n_parts, n_tables;
} DaeLoopWriter;

/* An operation on parameters alone, which another function has done? */
bool dae_loop_is_known(const DaeLoopWriter *writer, uint32_t node);
/* The C expression of a value that was computed before. */
void dae_loop_append_node(const DaeLoopWriter *writer, uint32_t node, GString *out);
/* i + first, where the numbers are consecutive; otherwise element i of a table. */
void dae_loop_append_numbers(DaeLoopWriter *writer, const uint32_t *numbers, uint32_t n,
                             GString *out);
/* The number of an element, and the length of the name before it; false: no NAME[NUMBER]. */
bool dae_loop_split_element(const char *text, size_t *length, uint32_t *number);
/* to[targets[k]] = nodes[k] as statements (char *), in any order: loops where places and values go
 * on evenly. */
void dae_loop_append_copies(const DaeLoopWriter *writer, const char *to,
                            const uint32_t *targets, const uint32_t *nodes, uint32_t n,
                            GPtrArray *statements);
/* The expression of a column in instance i; tables that it needs go to the text, copies to
 * `before`. */
void dae_loop_append_column(DaeLoopWriter *writer, const uint32_t *nodes, uint32_t n,
                            GString *before, GString *out);

static inline const char *
dae_loop_prefix(const DaeLoopWriter *writer)
{
  return writer->gen->model->prefix;
}

#endif
