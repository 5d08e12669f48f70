/* Tables of numbers from CSV files: names in the first row, quoted or not. */
#ifndef DAE_REPORT_TABLE_H
#define DAE_REPORT_TABLE_H

#include "base/base.h"

typedef struct DaeTable DaeTable;

/* Code FILE: not readable, or no such table; the message names the file and the row. */
DaeTable *dae_table_read(const char *path, GError **error);
void dae_table_free(DaeTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeTable, dae_table_free)

size_t dae_table_n_rows(const DaeTable *table);
const char *dae_table_name(const DaeTable *table, uint32_t column);
const double *dae_table_column(const DaeTable *table, uint32_t column);
const double *dae_table_find(const DaeTable *table,
                             const char *name); /* NULL: no such column */

#endif
