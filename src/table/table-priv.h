/* What tables of one and of two arguments share. */
#ifndef DAE_TABLE_TABLE_PRIV_H
#define DAE_TABLE_TABLE_PRIV_H

#include "table/table.h"

double dae_table_entry(const DaeCombi *table, uint32_t row, uint32_t column);
DaeTerm dae_table_number(DaeTerms *terms, double value);
/* Element number k of n values. */
DaeTerm dae_table_look_up(DaeTerms *terms, const double *values, uint32_t n, DaeTerm k);
/* The number of the piece: 1 before x[0], n + 1 from x[n-1] on. */
DaeTerm dae_table_piece(DaeTerms *terms, const double *x, uint32_t n, DaeTerm u);
/* u brought into one period. */
DaeTerm dae_table_fold(DaeTerms *terms, double first, double last, DaeTerm u);
/* Undefined outside of the table. */
DaeTerm dae_table_inside_only(DaeTerms *terms, double first, double last, DaeTerm u,
                              DaeTerm value);

#endif
