#include "report/result.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/json.h"
#include "report/result-priv.h"

bool
dae_result_format_of(const char *path, DaeResultFormat *format)
{
  static const char *const extensions[] = {".csv", ".mat", ".json"};
  for (int i = 0; i < 3; i++) {
    if (g_str_has_suffix(path, extensions[i])) {
      *format = (DaeResultFormat)i;
      return true;
    }
  }
  return false;
}

/* ---- CSV: quoted names, the shortest digits that read back ------------------------------- */

static void
write_quoted(FILE *stream, const char *name)
{
  fputc('"', stream);
  for (; *name != '\0'; name++) {
    if (*name == '"') {
      fputc('"', stream);
    }
    fputc(*name, stream);
  }
  fputc('"', stream);
}

#define HASH_BITS 12 /* of the table of numbers written */

static bool
csv_begin(DaeResult *result)
{
  result->written = g_new0(DaeWritten, 1u << HASH_BITS);
  result->line = g_string_new(NULL);
  write_quoted(result->stream, "time");
  for (uint32_t j = 0; j < result->n; j++) {
    fputc(',', result->stream);
    write_quoted(result->stream, result->names[j]);
  }
  return fputc('\n', result->stream) != EOF;
}

static void
append_number(DaeResult *result, double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  DaeWritten *entry = &result->written[bits * UINT64_C(0x9E3779B97F4A7C15) >> (64 - HASH_BITS)];
  if (entry->bits != bits || entry->text[0] == '\0') {
    entry->bits = bits;
    dae_decimal_shortest(entry->text, value);
  }
  g_string_append(result->line, entry->text);
}

static bool
csv_row(DaeResult *result, double t, const double *values)
{
  g_string_truncate(result->line, 0);
  append_number(result, t);
  for (uint32_t j = 0; j < result->n; j++) {
    g_string_append_c(result->line, ',');
    append_number(result, values[j]);
  }
  g_string_append_c(result->line, '\n');
  return fwrite(result->line->str, 1, result->line->len, result->stream) == result->line->len;
}

static bool
csv_end(DaeResult *result)
{
  g_clear_pointer(&result->written, g_free);
  g_string_free(result->line, TRUE);
  result->line = NULL;
  return fflush(result->stream) == 0;
}

static const DaeResultKind csv_kind = {csv_begin, csv_row, csv_end};

/* ---- JSON: one array per signal, so rows are kept until the end -------------------------- */

static bool
json_begin(DaeResult *result)
{
  result->kept = g_ptr_array_new();
  for (uint32_t j = 0; j <= result->n; j++) {
    g_ptr_array_add(result->kept, g_array_new(FALSE, FALSE, sizeof(double)));
  }
  return true;
}

/* GLib's arrays count bytes in 32 bits. */
static bool
json_row(DaeResult *result, double t, const double *values)
{
  if (result->n_rows > UINT64_C(1) << 28) {
    errno = EFBIG;
    return false;
  }
  g_array_append_val((GArray *)g_ptr_array_index(result->kept, 0), t);
  for (uint32_t j = 0; j < result->n; j++) {
    g_array_append_val((GArray *)g_ptr_array_index(result->kept, j + 1), values[j]);
  }
  return true;
}

static void
json_signal(DaeJson *json, const char *name, const GArray *values)
{
  dae_json_key(json, name);
  dae_json_begin_array(json, true);
  for (guint i = 0; i < values->len; i++) {
    dae_json_double(json, g_array_index(values, double, i));
  }
  dae_json_end_array(json);
}

static bool
json_end(DaeResult *result)
{
  g_autoptr(GString) out = g_string_new(NULL);
  g_autoptr(DaeJson) json = dae_json_new(out);
  dae_json_begin_object(json, false);
  dae_json_key(json, "model");
  dae_json_string(json, result->model);
  dae_json_key(json, "units");
  dae_json_begin_object(json, true);
  for (uint32_t j = 0; j < result->n; j++) {
    if (result->units[j] != NULL) {
      dae_json_key(json, result->names[j]);
      dae_json_string(json, result->units[j]);
    }
  }
  dae_json_end_object(json);
  dae_json_key(json, "data");
  dae_json_begin_object(json, false);
  for (uint32_t j = 0; j <= result->n; j++) {
    json_signal(json, j == 0 ? "time" : result->names[j - 1],
                g_ptr_array_index(result->kept, j));
    if (out->len > 1 << 20) { /* pass on what is there: the text may be long */
      fwrite(out->str, 1, out->len, result->stream);
      g_string_truncate(out, 0);
    }
  }
  dae_json_end_object(json);
  dae_json_end_object(json);
  fwrite(out->str, 1, out->len, result->stream);
  for (uint32_t j = 0; j <= result->n; j++) {
    g_array_free(g_ptr_array_index(result->kept, j), TRUE);
  }
  g_ptr_array_free(result->kept, TRUE);
  return fflush(result->stream) == 0 && ferror(result->stream) == 0;
}

static const DaeResultKind json_kind = {json_begin, json_row, json_end};

/* ---- all formats ---------------------------------------------------------------------------- */

DaeResult *
dae_result_new(DaeResultFormat format, FILE *stream, const char *model,
               const DaeResultColumn *columns, uint32_t n)
{
  static const DaeResultKind *const kinds[] = {&csv_kind, &dae_result_mat, &json_kind};
  DaeResult *result = g_new0(DaeResult, 1);
  result->kind = kinds[format];
  result->stream = stream;
  result->model = g_strdup(model);
  result->n = n;
  result->names = g_new0(char *, n + 1);
  result->units = g_new0(char *, n + 1);
  result->descriptions = g_new0(char *, n + 1);
  result->columns = g_memdup2(columns, n * sizeof *columns);
  for (uint32_t j = 0; j < n; j++) {
    result->names[j] = g_strdup(columns[j].name);
    result->units[j] = g_strdup(columns[j].unit);
    result->descriptions[j] = g_strdup(columns[j].description);
  }
  result->kind->begin(
      result); /* an error stays in the stream and shows at the first row or the end */
  return result;
}

bool
dae_result_row(DaeResult *result, double t, const double *values)
{
  result->t_first = result->n_rows == 0 ? t : result->t_first;
  result->t_last = t;
  result->n_rows++;
  return result->kind->row(result, t, values) && ferror(result->stream) == 0;
}

bool
dae_result_finish(DaeResult *result)
{
  bool ok = result->kind->end(result) && ferror(result->stream) == 0;
  for (uint32_t j = 0; j < result->n; j++) {
    g_free(result->names[j]);
    g_free(result->units[j]);
    g_free(result->descriptions[j]);
  }
  g_free(result->names);
  g_free(result->units);
  g_free(result->descriptions);
  g_free(result->columns);
  g_free(result->own);
  g_free(result->model);
  g_free(result);
  return ok;
}
