/* For mode_structure.c and mode_open.c only. */
#ifndef DAE_PIPELINE_MODE_STRUCTURE_PRIV_H
#define DAE_PIPELINE_MODE_STRUCTURE_PRIV_H

#include "pipeline/mode_structure.h"

typedef struct {
  uint32_t row, column; /* in the block */
  DaeTerm value;        /* in unknowns, time and segment atoms */
} DaeModeEntry;

typedef struct {
  uint32_t number; /* of the fine block */
  GArray *entries; /* DaeModeEntry, by row, then column */
  GArray *places;  /* uint32_t: segment values in the entries; found when the atoms are known */
  GHashTable *good; /* GBytes: values at these places in modes that are regular */

  /* mode_open.c; all empty where nothing can be left open */
  GArray *open;            /* uint32_t: columns in the block ... */
  uint32_t first_open;     /* ... and where they begin among the problem's */
  GArray *residuals;       /* DaeTerm by row, as often differentiated as the offsets say */
  GArray *residual_places; /* uint32_t: segment values in the residuals and the entries */
  GHashTable *open_modes;  /* GBytes: values there, to GArray of uint32_t, columns to be held */
} DaeModeBlock;

struct DaeModeStructure {
  const DaeSig *sig;
  GPtrArray *blocks; /* DaeModeBlock */
};

/* The entries of a block with these values. (transfer full) */
DaeMatrix *dae_mode_matrix(const DaeModeStructure *structure, const DaeModeBlock *block,
                           DaeTerms *terms, DaeSubst *values);
/* Adds the places of the segment atoms in these terms, in their order. */
void dae_mode_find_places(const DaeProblem *problem, const DaeTerm *used, guint n,
                          GArray *places);

/* mode_open.c: numbers among the problem's open columns that are held in the mode of these segment
 * values; empty: the mode is regular, or it is singular and not understood. NULL: nothing in
 * the block can be left open. */
const GArray *dae_mode_block_open(const DaeModeStructure *structure, DaeModeBlock *block,
                                  const DaeProblem *problem, const double *segment);

/* The columns to be held in a singular mode; none: the mode is not understood. (transfer full) */
GArray *dae_mode_block_open_with(const DaeModeStructure *structure, const DaeModeBlock *block,
                                 const DaeProblem *problem, DaeSubst *values);

/* mode_open_terms.c, for exported C: which columns are open as terms in the conditions, appended
 * to the problem's; others than these are taken out of block->open. */
void dae_mode_block_write_open(const DaeModeStructure *structure, DaeModeBlock *block,
                               DaeProblem *problem);

#endif
