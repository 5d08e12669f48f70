/* The table of methods, and the memory that they need. */
#include "matrix/matrix.h"

#include <math.h>
#include <string.h>

#include "matrix/methods.inc"

typedef struct {
  uint32_t inputs, outputs;
} Counts;

typedef struct {
  const char *name;
  void (*run)(const int *, const double *, double *, double *, int *);
  uint32_t n_dimensions;        /* of its sizes that are rows and columns */
  bool (*is_good)(const int *); /* the other sizes; NULL: they are 0, or 1, or not used */
  Counts (*count)(const uint32_t *);
} Entry;

/* ---- how many scalars: methods.inc says which ----------------------------------------------- */

static Counts
count_dgeev(const uint32_t *s)
{
  return (Counts){s[0] * s[0], 2 * s[0] + (s[1] != 0 ? s[0] * s[0] : 0) + 1};
}

static Counts
count_eigen(const uint32_t *s)
{
  return (Counts){s[0] * s[0], 5 * s[0] * s[0]};
}

static Counts
count_dgesvd(const uint32_t *s)
{
  uint32_t vectors = s[2] != 0 ? s[0] * s[0] + s[1] * s[1] : 0;
  return (Counts){s[0] * s[1], MIN(s[0], s[1]) + vectors + 1};
}

static Counts
count_dgeqp3(const uint32_t *s)
{
  return (Counts){s[0] * s[1], s[0] * s[1] + s[1] + MIN(s[0], s[1]) + 1};
}

static Counts
count_dgeqrf(const uint32_t *s)
{
  return (Counts){s[0] * s[1], s[0] * s[1] + MIN(s[0], s[1]) + 1};
}

static Counts
count_dorgqr(const uint32_t *s)
{
  return (Counts){s[0] * s[1] + s[2], s[0] * s[1] + 1};
}

static Counts
count_dgehrd(const uint32_t *s)
{
  return (Counts){s[0] * s[0], s[0] * s[0] + s[0]};
}

static Counts
count_dorghr(const uint32_t *s)
{
  return (Counts){s[0] * s[0] + s[0] - 1, s[0] * s[0] + 1};
}

static Counts
count_dhseqr(const uint32_t *s)
{
  return (Counts){2 * s[0] * s[0], 2 * s[0] * s[0] + 5 * s[0] + 1};
}

static Counts
count_dgees(const uint32_t *s)
{
  return (Counts){s[0] * s[0], 2 * s[0] * s[0] + 2 * s[0] + 1};
}

static Counts
count_dtrsen(const uint32_t *s)
{
  return (Counts){2 * s[0] * s[0] + s[0], 2 * s[0] * s[0] + 2 * s[0] + 4};
}

static Counts
count_dtrsyl(const uint32_t *s)
{
  return (Counts){s[0] * s[0] + s[1] * s[1] + s[0] * s[1], s[0] * s[1] + 2};
}

static Counts
count_dgglse(const uint32_t *s)
{
  return (Counts){s[0] * s[1] + s[2] * s[1] + s[0] + s[2], s[1] + 1};
}

static Counts
count_dgecon(const uint32_t *s)
{
  return (Counts){s[0] * s[0] + 1, 2};
}

static Counts
count_dgels(const uint32_t *s)
{
  uint32_t right = MAX(s[0], s[1]) * s[2];
  return (Counts){s[0] * s[1] + right, right + 1};
}

static Counts
count_dgelsy(const uint32_t *s)
{
  uint32_t right = MAX(s[0], s[1]) * s[2];
  return (Counts){s[0] * s[1] + right + 1, right + 2};
}

static Counts
count_dgesv(const uint32_t *s)
{
  return (Counts){s[0] * s[0] + s[0] * s[1], s[0] * s[1] + 1};
}

static Counts
count_dpotrf(const uint32_t *s)
{
  return (Counts){s[0] * s[0], s[0] * s[0] + 1};
}

static Counts
count_dlange(const uint32_t *s)
{
  return (Counts){s[0] * s[1], 1};
}

/* ---- sizes that LAPACK takes ---------------------------------------------------------------- */

static bool
good_reflections(const int *s)
{
  return s[2] <= s[1] && s[1] <= s[0];
}

static bool
good_range(const int *s)
{
  return s[1] >= 1 && s[1] <= s[2] && s[2] <= s[0];
}

static bool
good_choice(const int *s)
{
  return s[2] >= 0 && s[2] <= 2;
}

static bool
good_order(const int *s)
{
  return s[1] == 'N' || s[1] == 'E' || s[1] == 'V' || s[1] == 'B';
}

static bool
good_sign(const int *s)
{
  return s[4] == 1 || s[4] == -1;
}

static bool
good_constraints(const int *s)
{
  return s[2] <= s[1] && s[1] <= s[0] + s[2];
}

static bool
good_norm(const int *s)
{
  return s[2] > 0 && s[2] < 128 && strchr("M1OIFE", s[2]) != NULL;
}

static const Entry entries[] = {
    {"dgeev", model_method_dgeev, 1, NULL, count_dgeev},
    {"eigen", model_method_eigen, 1, NULL, count_eigen},
    {"dgesvd", model_method_dgesvd, 2, NULL, count_dgesvd},
    {"dgeqp3", model_method_dgeqp3, 2, NULL, count_dgeqp3},
    {"dgeqrf", model_method_dgeqrf, 2, NULL, count_dgeqrf},
    {"dorgqr", model_method_dorgqr, 3, good_reflections, count_dorgqr},
    {"dgehrd", model_method_dgehrd, 1, good_range, count_dgehrd},
    {"dorghr", model_method_dorghr, 1, good_range, count_dorghr},
    {"dhseqr", model_method_dhseqr, 1, good_choice, count_dhseqr},
    {"dgees", model_method_dgees, 1, NULL, count_dgees},
    {"dtrsen", model_method_dtrsen, 1, good_order, count_dtrsen},
    {"dtrsyl", model_method_dtrsyl, 2, good_sign, count_dtrsyl},
    {"dgglse", model_method_dgglse, 3, good_constraints, count_dgglse},
    {"dgecon", model_method_dgecon, 1, NULL, count_dgecon},
    {"dgels", model_method_dgels, 3, NULL, count_dgels},
    {"dgelsy", model_method_dgelsy, 3, NULL, count_dgelsy},
    {"dgesv", model_method_dgesv, 2, NULL, count_dgesv},
    {"dpotrf", model_method_dpotrf, 1, NULL, count_dpotrf},
    {"dlange", model_method_dlange, 2, good_norm, count_dlange},
};

/* Outputs that do not jump where the method is regular. The signs of vectors, which element of
 * one is made real, and the order of columns are LAPACK's choice, which changes from matrix to
 * matrix. */
static uint32_t
count_continuous(const DaeMethod *method)
{
  if (strcmp(method->name, "dgeev") == 0) {
    return 2 * (uint32_t)method->sizes[0];
  }
  if (strcmp(method->name, "dgesvd") == 0) {
    return (uint32_t)MIN(method->sizes[0], method->sizes[1]);
  }
  return strcmp(method->name, "dgeqp3") == 0 || strcmp(method->name, "dgeqrf") == 0
             ? 0
             : UINT32_MAX;
}

/* LAPACK counts with ints. */
static bool
are_good(const Entry *entry, const int *sizes)
{
  for (uint32_t i = 0; i < entry->n_dimensions; i++) {
    bool may_be_zero = i == 2 && entry->run == model_method_dorgqr;
    if (sizes[i] > DAE_MATRIX_MOST_ROWS || sizes[i] < (may_be_zero ? 0 : 1)) {
      return false;
    }
  }
  return entry->is_good == NULL || entry->is_good(sizes);
}

bool
dae_matrix_method(const char *name, const int sizes[DAE_METHOD_SIZES], DaeMethod *method)
{
  const Entry *entry = NULL;
  for (size_t i = 0; i < G_N_ELEMENTS(entries); i++) {
    entry = strcmp(entries[i].name, name) == 0 ? &entries[i] : entry;
  }
  if (entry == NULL || !are_good(entry, sizes)) {
    return false;
  }
  uint32_t most = 1;
  uint32_t counted[DAE_METHOD_SIZES];
  *method = (DaeMethod){.name = entry->name, .run = entry->run};
  for (uint32_t i = 0; i < DAE_METHOD_SIZES; i++) {
    method->sizes[i] = sizes[i];
    counted[i] = (uint32_t)sizes[i];
    most = i < entry->n_dimensions ? MAX(most, counted[i]) : most;
  }
  const Counts counts = entry->count(counted);
  method->n_inputs = counts.inputs;
  method->n_outputs = counts.outputs;
  /* at most four matrices, and vectors for LAPACK to work in */
  method->n_work = 4 * most * most + 48 * most + 64;
  method->n_places = most * most + 4 * most + 16;
  method->n_continuous = count_continuous(method);
  return true;
}
