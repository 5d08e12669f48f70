/* What a format supplies. */
#ifndef DAE_REPORT_RESULT_PRIV_H
#define DAE_REPORT_RESULT_PRIV_H

#include "base/decimal.h"
#include "report/result.h"

typedef struct { /* a number that was written, and how */
  uint64_t bits;
  char text[DAE_DECIMAL_SIZE];
} DaeWritten;

struct DaeResult {
  const struct DaeResultKind *kind;
  FILE *stream;
  char *model;
  char **names, **units, **descriptions; /* n each, units and descriptions may be NULL inside */
  DaeResultColumn *columns;              /* n; of their texts only the arrays above are used */
  uint32_t n;
  uint64_t n_rows;
  long long patch_at;     /* MAT: where the number of rows stands */
  long long constants_at; /* MAT: where the constants begin */
  uint32_t n_constants;
  double *own; /* MAT: values of a row that are stored */
  uint32_t n_own;
  double t_first, t_last;
  DaeWritten *written; /* CSV: by hash; constants and aliases are laid out once */
  GString *line;       /* CSV: a row */
  GPtrArray *kept;     /* JSON: one GArray of double per signal, time first */
};

typedef struct DaeResultKind {
  bool (*begin)(DaeResult *result);
  bool (*row)(DaeResult *result, double t, const double *values);
  bool (*end)(DaeResult *result);
} DaeResultKind;

extern const DaeResultKind dae_result_mat;

#endif
