/* Writers of simulation results: CSV, MATLAB level 4 (.mat), JSON. All hold the same
 * signals: time, then the columns. */
#ifndef DAE_REPORT_RESULT_H
#define DAE_REPORT_RESULT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum { DAE_RESULT_CSV, DAE_RESULT_MAT, DAE_RESULT_JSON } DaeResultFormat;

typedef struct {
  const char *name;
  const char *unit;        /* NULL if none */
  const char *description; /* NULL if none */
  /* A column that is another one, or its negative: `alias` is 1 + the number of that one, which
   * comes before; 0: it is none. MAT files hold its values once. */
  uint32_t alias;
  bool is_negated;
  bool is_constant; /* the same value in all rows; MAT files hold it once */
  double value;
} DaeResultColumn;

typedef struct DaeResult DaeResult;

/* By extension (.csv, .mat, .json); false: none of them. */
bool dae_result_format_of(const char *path, DaeResultFormat *format);
/* stream is the caller's and stays open. MAT needs one that can seek. */
DaeResult *dae_result_new(DaeResultFormat format, FILE *stream, const char *model,
                          const DaeResultColumn *columns, uint32_t n);
/* One complete row; false: the stream does not take it (errno). */
bool dae_result_row(DaeResult *result, double t, const double *values);
/* Whatever follows the rows; frees result. */
bool dae_result_finish(DaeResult *result);

#endif
