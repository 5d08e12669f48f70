/* MATLAB level 4 in the layout of Modelica tools ("binTrans"): Aclass, name, description,
 * dataInfo, data_1, data_2. Everything but Aclass is stored transposed, so that a time
 * point is one contiguous column and rows can be streamed. The number of columns of
 * data_2 is filled in at the end. */
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

static bool
mat_begin(DaeResult *result)
{
  FILE *stream = result->stream;
  write_class(stream);
  write_texts(stream, "name", "time", result->names, result->n);
  write_descriptions(result);
  write_header(stream, TYPE_INT, 4, result->n + 1ull, "dataInfo");
  for (uint32_t j = 0; j <= result->n; j++) {
    /* matrix (0: all, as for time), its row, linear interpolation, not defined outside */
    int32_t info[4] = {j == 0 ? 0 : 2, (int32_t)j + 1, 0, -1};
    fwrite(info, sizeof info, 1, stream);
  }
  write_header(stream, TYPE_DOUBLE, 1, 2, "data_1");
  static const double no_constants[2] = {0, 0};
  fwrite(no_constants, sizeof no_constants, 1, stream);
  result->patch_at = ftello(stream);
  return result->patch_at >= 0 &&
         write_header(stream, TYPE_DOUBLE, result->n + 1ull, 0, "data_2");
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
  return fwrite(&t, sizeof t, 1, result->stream) == 1 &&
         fwrite(values, sizeof(double), result->n, result->stream) == result->n;
}

static bool
mat_end(DaeResult *result)
{
  int32_t columns = (int32_t)result->n_rows;
  return fflush(result->stream) == 0 && result->patch_at >= 0 &&
         fseeko(result->stream, result->patch_at + 8, SEEK_SET) == 0 &&
         fwrite(&columns, sizeof columns, 1, result->stream) == 1 &&
         fflush(result->stream) == 0;
}

const DaeResultKind dae_result_mat = {mat_begin, mat_row, mat_end};
