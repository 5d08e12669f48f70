/* MATLAB level 4 in the layout of Modelica tools ("binTrans"): Aclass, name, description,
 * dataInfo, data_1, data_2. Everything but Aclass is stored transposed, so that a time
 * point is one contiguous column and rows can be streamed. The number of columns of
 * data_2 and the times in data_1 are filled in at the end. */
#include <errno.h>
#include <string.h>

#include "report/result-priv.h"

enum { TYPE_DOUBLE = 0, TYPE_INT = 20, TYPE_TEXT = 51 }; /* little endian; 51: bytes as text */

static bool
write_header(FILE *stream, int32_t type, uint64_t rows, uint64_t columns, const char *name)
{
  int32_t header[5] = {type, (int32_t)rows, (int32_t)columns, 0, (int32_t)strlen(name) + 1};
  return fwrite(header, sizeof header, 1, stream) == 1 &&
         fwrite(name, strlen(name) + 1, 1, stream) == 1;
}

static bool
write_class(FILE *stream)
{
  static const char *const lines[4] = {"Atrajectory", "1.1", "", "binTrans"};
  write_header(stream, TYPE_TEXT, 4, 11, "Aclass");
  for (size_t column = 0; column < 11; column++) {
    for (size_t row = 0; row < 4; row++) {
      fputc(column < strlen(lines[row]) ? lines[row][column] : 0, stream);
    }
  }
  return ferror(stream) == 0;
}

/* Texts as columns of one width, filled up with NUL. */
static bool
write_texts(FILE *stream, const char *name, const char *first, char *const *texts, uint32_t n)
{
  size_t width = MAX(strlen(first), 1);
  for (uint32_t j = 0; j < n; j++) {
    width = MAX(width, texts[j] != NULL ? strlen(texts[j]) : 0);
  }
  write_header(stream, TYPE_TEXT, width, n + 1ull, name);
  g_autofree char *cell = g_malloc0(width + 1);
  for (uint32_t j = 0; j <= n; j++) {
    const char *text = j == 0 ? first : texts[j - 1] != NULL ? texts[j - 1] : "";
    size_t length = strlen(text);
    /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): cells are padded, not terminated */
    memcpy(cell, text, length);
    memset(cell + length, 0, width - length);
    fwrite(cell, 1, width, stream);
  }
  return ferror(stream) == 0;
}

/* "angle of the arm [rad]" */
static bool
write_descriptions(DaeResult *result)
{
  g_autofree char **texts = g_new0(char *, result->n + 1);
  for (uint32_t j = 0; j < result->n; j++) {
    const char *text = result->descriptions[j] != NULL ? result->descriptions[j] : "";
    const char *unit = result->units[j];
    texts[j] = unit != NULL && unit[0] != '\0'
                   ? g_strdup_printf("%s%s[%s]", text, text[0] != '\0' ? " " : "", unit)
                   : g_strdup(text);
  }
  bool ok = write_texts(result->stream, "description", "Time [s]", texts, result->n);
  for (uint32_t j = 0; j < result->n; j++) {
    g_free(texts[j]);
  }
  return ok;
}

/* Matrix (0: all, as for time; 1: constants; 2: what varies), row of it, negative for the negative
 * of a row, linear interpolation, not defined outside (constants: held). */
static void
write_info(DaeResult *result)
{
  g_autofree int32_t *row = g_new0(int32_t, result->n + 1);
  int32_t time_info[4] = {0, 1, 0, -1};
  int32_t n_own = 1;
  int32_t n_constants = 1;
  write_header(result->stream, TYPE_INT, 4, result->n + 1ull, "dataInfo");
  fwrite(time_info, sizeof time_info, 1, result->stream);
  for (uint32_t j = 0; j < result->n; j++) {
    const DaeResultColumn *column = &result->columns[j];
    bool is_alias = column->alias != 0 && !column->is_constant;
    if (is_alias) {
      row[j] = column->is_negated ? -row[column->alias - 1] : row[column->alias - 1];
    } else {
      row[j] = column->is_constant ? ++n_constants : ++n_own;
    }
    int32_t info[4] = {column->is_constant ? 1 : 2, row[j], 0, column->is_constant ? 0 : -1};
    fwrite(info, sizeof info, 1, result->stream);
  }
  result->n_own = (uint32_t)n_own - 1;
  result->n_constants = (uint32_t)n_constants - 1;
}

/* At the first and the last time, which are filled in at the end. */
static void
write_constants(DaeResult *result)
{
  write_header(result->stream, TYPE_DOUBLE, result->n_constants + 1ull, 2, "data_1");
  result->constants_at = ftello(result->stream);
  for (int part = 0; part < 2; part++) {
    fwrite(part == 0 ? &result->t_first : &result->t_last, sizeof(double), 1, result->stream);
    for (uint32_t j = 0; j < result->n; j++) {
      if (result->columns[j].is_constant) {
        fwrite(&result->columns[j].value, sizeof(double), 1, result->stream);
      }
    }
  }
}

static bool
mat_begin(DaeResult *result)
{
  FILE *stream = result->stream;
  write_class(stream);
  write_texts(stream, "name", "time", result->names, result->n);
  write_descriptions(result);
  write_info(result);
  write_constants(result);
  result->own = g_new0(double, result->n_own + 1);
  result->patch_at = ftello(stream);
  return result->patch_at >= 0 &&
         write_header(stream, TYPE_DOUBLE, result->n_own + 1ull, 0, "data_2");
}

/* The format counts columns in 32 bits: a longer run ends with an error instead of a
 * file that hides its last rows. */
static bool
mat_row(DaeResult *result, double t, const double *values)
{
  if (result->n_rows > (uint64_t)INT32_MAX) {
    errno = EFBIG;
    return false;
  }
  uint32_t n = 0;
  result->own[n++] = t;
  for (uint32_t j = 0; j < result->n; j++) {
    if (result->columns[j].alias == 0 && !result->columns[j].is_constant) {
      result->own[n++] = values[j];
    }
  }
  return fwrite(result->own, sizeof(double), n, result->stream) == n;
}

static bool
write_at(FILE *stream, long long at, const void *data, size_t size)
{
  return at >= 0 && fseeko(stream, at, SEEK_SET) == 0 && fwrite(data, size, 1, stream) == 1;
}

static bool
mat_end(DaeResult *result)
{
  int32_t columns = (int32_t)result->n_rows;
  FILE *stream = result->stream;
  long long second =
      result->constants_at + (long long)((result->n_constants + 1ull) * sizeof(double));
  return fflush(stream) == 0 && result->constants_at >= 0 &&
         write_at(stream, result->patch_at + 8, &columns, sizeof columns) &&
         write_at(stream, result->constants_at, &result->t_first, sizeof(double)) &&
         write_at(stream, second, &result->t_last, sizeof(double)) && fflush(stream) == 0;
}

const DaeResultKind dae_result_mat = {mat_begin, mat_row, mat_end};
