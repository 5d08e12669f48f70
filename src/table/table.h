/* Tables of the Modelica Standard Library (CombiTimeTable, CombiTable1D, CombiTable2D) as
 * terms: their values are looked up in constant data (terms.h), so that derivatives of any
 * order, the zero test and exported code know them like any other term. */
#ifndef DAE_TABLE_TABLE_H
#define DAE_TABLE_TABLE_H

#include "terms/terms.h"

/* In the order of Modelica.Blocks.Types.Smoothness. */
typedef enum {
  DAE_TABLE_LINEAR = 1,
  DAE_TABLE_AKIMA,
  DAE_TABLE_CONSTANT,
  DAE_TABLE_BUTLAND,
  DAE_TABLE_STEFFEN,
  DAE_TABLE_MAKIMA
} DaeSmoothness;

/* Modelica.Blocks.Types.Extrapolation */
typedef enum {
  DAE_TABLE_HOLD_LAST_POINT = 1,
  DAE_TABLE_LAST_TWO_POINTS,
  DAE_TABLE_PERIODIC,
  DAE_TABLE_NO_EXTRAPOLATION
} DaeExtrapolation;

/* Modelica.Blocks.Types.TimeEvents */
typedef enum {
  DAE_TABLE_EVENTS_ALWAYS = 1,
  DAE_TABLE_EVENTS_AT_JUMPS,
  DAE_TABLE_EVENTS_NONE
} DaeTableEvents;

typedef struct {
  double x;
  double c[4];
} DaePiece;

void dae_spline_slopes(const double *x, const double *y, uint32_t n, DaeSmoothness smoothness,
                       double *slopes);
void dae_spline_pieces(const double *x, const double *y, uint32_t n, DaeSmoothness smoothness,
                       DaeExtrapolation extrapolation, DaePiece *pieces);

/* Mixed second derivatives at the points of a grid of n1 by n2 >= 2 by 2 points
 * (table_surface.c). */
void dae_surface_mixed(const double *x, uint32_t n1, const double *y, uint32_t n2,
                       const double *f, double *fxy);

typedef struct {
  uint32_t n_rows, n_columns;
  double *values; /* row by row */
  DaeSmoothness smoothness;
  DaeExtrapolation extrapolation;
  DaeTableEvents events;
  double start_time, shift_time; /* time tables */
  uint32_t n_chosen;
  uint32_t *chosen; /* columns of the outputs, from 1 */
} DaeCombi;

void dae_combi_free(DaeCombi *table);

typedef enum { DAE_COMBI_OF_TIME, DAE_COMBI_OF_ONE, DAE_COMBI_OF_TWO } DaeCombiKind;

/* NULL: the data are in order; else what is wrong with them (transfer full). */
char *dae_combi_check(const DaeCombi *table, DaeCombiKind kind);

/* Output `output` (from 1) of a table of one argument. DAE_NO_TERM: there is no such output. */
DaeTerm dae_combi_value(DaeTerms *terms, const DaeCombi *table, uint32_t output, DaeTerm u);
/* next: the next time event, which decides on which side of a jump the time is. */
DaeTerm dae_combi_time_value(DaeTerms *terms, const DaeCombi *table, uint32_t output,
                             DaeTerm time, DaeTerm next);
DaeTerm dae_combi_next_event(DaeTerms *terms, const DaeCombi *table, DaeTerm time);
DaeTerm dae_combi_grid_value(DaeTerms *terms, const DaeCombi *table, DaeTerm u1, DaeTerm u2);

/* A matrix from a file, text ("#1", `double name(2,3)`) or MATLAB's of version 4, 6 or 7.
 * (transfer full), row by row. */
double *dae_combi_read(const char *file, const char *name, uint32_t *n_rows,
                       uint32_t *n_columns, GError **error);

/* The lines of numbers behind the first n_header lines. (transfer full), row by row. */
double *dae_combi_read_csv(const char *file, char separator, uint32_t n_header,
                           uint32_t *n_rows, uint32_t *n_columns, GError **error);

#endif
