/* Matrices from files: text as Modelica's tables write it, MATLAB files of version 4, 6 and 7, and
 * comma-separated values. */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/base.h"
#include "table/table.h"

#define MAX_ENTRIES (1u << 26)

static bool
fail(GError **error, const char *file, const char *why)
{
  g_set_error(error, DAE_ERROR, DAE_ERROR_FILE, "%s: %s", file, why);
  return false;
}

typedef struct {
  const char *file, *name;
  uint32_t n_rows, n_columns;
  double *values;
} Found;

static bool
set_size(Found *found, uint64_t rows, uint64_t columns, GError **error)
{
  if (rows == 0 || columns == 0 || rows > MAX_ENTRIES || columns > MAX_ENTRIES ||
      rows * columns > MAX_ENTRIES) {
    return fail(error, found->file, "a matrix of this size is not read");
  }
  found->n_rows = (uint32_t)rows;
  found->n_columns = (uint32_t)columns;
  found->values = g_new0(double, rows *columns);
  return true;
}

/* ---- text -------------------------------------------------------------------------------- */

static const char *
skip_line(const char *at)
{
  while (*at != '\0' && *at != '\n') {
    at++;
  }
  return *at == '\n' ? at + 1 : at;
}

/* Blanks, commas, semicolons, comments. */
static const char *
skip_blanks(const char *at)
{
  while (*at != '\0') {
    if (*at == '#') {
      at = skip_line(at);
    } else if (g_ascii_isspace(*at) || *at == ',' || *at == ';') {
      at++;
    } else {
      break;
    }
  }
  return at;
}

/* `double name(2, 3)`: at the type. */
static bool
read_heading(const char **at, const char *name, uint64_t *rows, uint64_t *columns,
             bool *is_wanted)
{
  const char *p = *at;
  if (g_str_has_prefix(p, "double ") || g_str_has_prefix(p, "double\t")) {
    p += 7;
  } else if (g_str_has_prefix(p, "float ") || g_str_has_prefix(p, "float\t")) {
    p += 6;
  } else {
    return false;
  }
  while (*p == ' ' || *p == '\t') {
    p++;
  }
  const char *open = p;
  while (*open != '\0' && *open != '(' && *open != '\n') {
    open++;
  }
  if (*open != '(') {
    return false;
  }
  g_autofree char *found = g_strstrip(g_strndup(p, (size_t)(open - p)));
  *is_wanted = strcmp(found, name) == 0;
  char *end = NULL;
  *rows = g_ascii_strtoull(open + 1, &end, 10);
  while (*end == ' ') {
    end++;
  }
  if (*end != ',') {
    return false;
  }
  *columns = g_ascii_strtoull(end + 1, &end, 10);
  while (*end == ' ') {
    end++;
  }
  *at = end + 1;
  return *end == ')';
}

static bool
read_text(Found *found, const char *text, GError **error)
{
  const char *at = skip_line(text);
  while (*(at = skip_blanks(at)) != '\0') {
    uint64_t rows = 0;
    uint64_t columns = 0;
    bool is_wanted = false;
    if (!read_heading(&at, found->name, &rows, &columns, &is_wanted)) {
      at = skip_line(at);
      continue;
    }
    if (!is_wanted) {
      continue;
    }
    if (!set_size(found, rows, columns, error)) {
      return false;
    }
    for (uint64_t i = 0; i < rows * columns; i++) {
      char *end = NULL;
      at = skip_blanks(at);
      found->values[i] = g_ascii_strtod(at, &end);
      if (end == at) {
        return fail(error, found->file, "the matrix has fewer numbers than its size says");
      }
      at = end;
    }
    return true;
  }
  return true;
}

/* ---- MATLAB ------------------------------------------------------------------------------ */

typedef struct {
  const guint8 *data;
  size_t n;
} Bytes;

static bool
take(Bytes *bytes, size_t n, Bytes *part)
{
  if (n > bytes->n) {
    return false;
  }
  *part = (Bytes){bytes->data, n};
  bytes->data += n;
  bytes->n -= n;
  return true;
}

static uint32_t
word(const guint8 *at)
{
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Number i of an array of this kind; kinds of level 5: 1 int8 ... 9 double. */
static double
number_at(const guint8 *data, uint32_t kind, size_t i)
{
  union {
    guint8 bytes[8];
    gint8 i8;
    guint8 u8;
    gint16 i16;
    guint16 u16;
    gint32 i32;
    guint32 u32;
    float f32;
    double f64;
  } u = {{0}};

  static const uint8_t sizes[10] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8};
  memcpy(u.bytes, data + i * sizes[kind], sizes[kind]);
  switch (kind) {
  case 1:
    return u.i8;
  case 2:
    return u.u8;
  case 3:
    return u.i16;
  case 4:
    return u.u16;
  case 5:
    return u.i32;
  case 6:
    return u.u32;
  case 7:
    return (double)u.f32;
  default:
    return u.f64;
  }
}

/* Columns one after the other become rows one after the other. */
static bool
fill(Found *found, const Bytes *data, uint32_t kind, GError **error)
{
  static const uint8_t sizes[10] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8};
  size_t n = (size_t)found->n_rows * found->n_columns;
  if (kind < 1 || kind > 9 || sizes[kind] == 0 || data->n < n * sizes[kind]) {
    return fail(error, found->file, "the matrix is cut off or of an unknown kind");
  }
  for (uint32_t i = 0; i < found->n_rows; i++) {
    for (uint32_t j = 0; j < found->n_columns; j++) {
      found->values[(size_t)i * found->n_columns + j] =
          number_at(data->data, kind, (size_t)j * found->n_rows + i);
    }
  }
  return true;
}

static bool
read_level_4(Found *found, Bytes bytes, GError **error)
{
  static const uint8_t kinds[6] = {9, 7, 5, 3, 4, 2}; /* MATLAB's P of the header */
  static const uint8_t sizes[6] = {8, 4, 4, 2, 2, 1};
  Bytes head;
  Bytes name;
  Bytes data;
  while (take(&bytes, 20, &head)) {
    uint32_t type = word(head.data);
    uint64_t rows = word(head.data + 4);
    uint64_t columns = word(head.data + 8);
    uint32_t kind = type / 10 % 10;
    if (type >= 1000 || kind > 5 || rows * columns > MAX_ENTRIES ||
        !take(&bytes, word(head.data + 16), &name) ||
        !take(&bytes, rows * columns * sizes[kind] * (word(head.data + 12) != 0 ? 2 : 1),
              &data)) {
      return fail(error, found->file, "this is no MATLAB file of level 4 or a cut one");
    }
    if (type % 10 == 0 && name.n == strlen(found->name) + 1 &&
        memcmp(name.data, found->name, name.n) == 0) {
      return set_size(found, rows, columns, error) && fill(found, &data, kinds[kind], error);
    }
  }
  return true;
}

/* One element of level 5: its kind and data; small ones have both in eight bytes. */
static bool
take_element(Bytes *bytes, uint32_t *kind, Bytes *data)
{
  Bytes tag;
  Bytes padding;
  if (!take(bytes, 8, &tag)) {
    return false;
  }
  uint32_t first = word(tag.data);
  if (first >> 16 != 0) {
    *kind = first & 0xffffu;
    *data = (Bytes){tag.data + 4, first >> 16};
    return data->n <= 4;
  }
  *kind = first;
  size_t n = word(tag.data + 4);
  if (!take(bytes, n, data)) {
    return false;
  }
  if (*kind != 15 && n % 8 != 0) {
    take(bytes, MIN(8 - n % 8, bytes->n), &padding);
  }
  return true;
}

static bool read_matrix(Found *found, const char *wanted, Bytes bytes, GError **error);

/* s.x: the field x of the structure s. wanted: what comes after the name of the structure. */
static bool
read_structure(Found *found, const char *wanted, Bytes bytes, GError **error)
{
  uint32_t kind = 0;
  Bytes length;
  Bytes names;
  Bytes field;
  if (!take_element(&bytes, &kind, &length) || length.n != 4 || word(length.data) == 0 ||
      !take_element(&bytes, &kind, &names)) {
    return fail(error, found->file, "a structure of this MATLAB file is broken");
  }
  const char *dot = strchr(wanted, '.');
  size_t n = dot != NULL ? (size_t)(dot - wanted) : strlen(wanted);
  size_t width = word(length.data);
  for (size_t at = 0; at + width <= names.n && take_element(&bytes, &kind, &field);
       at += width) {
    const char *name = (const char *)names.data + at;
    if (n < width && memcmp(name, wanted, n) == 0 && name[n] == '\0' && kind == 14) {
      return read_matrix(found, wanted, field, error);
    }
  }
  return true;
}

/* wanted: its name and, for structures, that of the field. Fields have no names of their own. */
static bool
read_matrix(Found *found, const char *wanted, Bytes bytes, GError **error)
{
  uint32_t kind = 0;
  Bytes flags;
  Bytes dims;
  Bytes name;
  Bytes data;
  if (!take_element(&bytes, &kind, &flags) || flags.n < 8 ||
      !take_element(&bytes, &kind, &dims) || !take_element(&bytes, &kind, &name)) {
    return fail(error, found->file, "a matrix of this MATLAB file is broken");
  }
  uint32_t class = word(flags.data) & 0xffu;
  bool is_complex = (word(flags.data) >> 11 & 1u) != 0;
  const char *dot = strchr(wanted, '.');
  size_t n = class == 2 && dot != NULL ? (size_t)(dot - wanted) : strlen(wanted);
  bool is_wanted = name.n == 0 || (name.n == n && memcmp(name.data, wanted, n) == 0);
  if (class == 2 && dot != NULL && is_wanted) {
    return read_structure(found, dot + 1, bytes, error);
  }
  if (class < 6 || class > 13 || is_complex || dims.n != 8 || !is_wanted) {
    return true; /* another one */
  }
  return take_element(&bytes, &kind, &data) &&
         set_size(found, word(dims.data), word(dims.data + 4), error) &&
         fill(found, &data, kind, error);
}

/* At most 1 GiB; NULL: broken. */
static GByteArray *
inflate_all(const Bytes *data)
{
  g_autoptr(GByteArray) out = g_byte_array_new();
  guint8 buffer[65536];
  z_stream stream = {.next_in = (Bytef *)data->data, .avail_in = (uInt)data->n};
  int status = inflateInit(&stream);
  while (status == Z_OK && out->len < (1u << 30)) {
    stream.next_out = buffer;
    stream.avail_out = sizeof buffer;
    status = inflate(&stream, Z_NO_FLUSH);
    g_byte_array_append(out, buffer, (guint)(sizeof buffer - stream.avail_out));
    if (status == Z_OK && stream.avail_in == 0 && stream.avail_out > 0) {
      status = Z_DATA_ERROR; /* cut off */
    }
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END ? g_steal_pointer(&out) : NULL;
}

static bool
read_level_5(Found *found, Bytes bytes, GError **error)
{
  Bytes head;
  take(&bytes, 128, &head);
  while (bytes.n >= 8 && found->values == NULL) {
    uint32_t kind = 0;
    Bytes data;
    g_autoptr(GByteArray) inflated = NULL;
    if (!take_element(&bytes, &kind, &data)) {
      return fail(error, found->file, "this MATLAB file is cut off");
    }
    if (kind == 15) {
      inflated = inflate_all(&data);
      Bytes inner = {inflated != NULL ? inflated->data : NULL,
                     inflated != NULL ? inflated->len : 0};
      if (!take_element(&inner, &kind, &data)) {
        return fail(error, found->file, "this MATLAB file cannot be decompressed");
      }
    }
    if (kind == 14 && !read_matrix(found, found->name, data, error)) {
      return error == NULL || *error != NULL
                 ? false
                 : fail(error, found->file, "a matrix of this MATLAB file is broken");
    }
  }
  return true;
}

double *
dae_combi_read(const char *file, const char *name, uint32_t *n_rows, uint32_t *n_columns,
               GError **error)
{
  g_autofree char *text = NULL;
  gsize length = 0;
  Found found = {.file = file, .name = name};
  if (!g_file_get_contents(file, &text, &length, error)) {
    return NULL;
  }
  Bytes bytes = {(const guint8 *)text, length};
  bool good = false;
  size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* UTF-8 */
  if (length >= mark + 2 && memcmp(text + mark, "#1", 2) == 0) {
    good = read_text(&found, text + mark, error);
  } else if (length >= 128 && memcmp(text, "MATLAB", 6) == 0) {
    good = read_level_5(&found, bytes, error);
  } else {
    good = read_level_4(&found, bytes, error);
  }
  if (good && found.values == NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_FILE, "%s has no matrix '%s'", file, name);
    good = false;
  }
  if (!good) {
    g_free(found.values);
    return NULL;
  }
  *n_rows = found.n_rows;
  *n_columns = found.n_columns;
  return found.values;
}

/* ---- comma-separated values -------------------------------------------------------------- */

/* Blanks and the separator, as often as they come. */
static const char *
skip_separators(const char *at, char separator)
{
  while (*at == ' ' || *at == '\t' || *at == '\r' || (*at == separator && *at != '\0')) {
    at++;
  }
  return at;
}

/* The numbers of one line; false: there is something else. */
static bool
read_line(const char **at, char separator, GArray *numbers)
{
  const char *p = skip_separators(*at, separator);
  while (*p != '\0' && *p != '\n') {
    char *end = NULL;
    double value = g_ascii_strtod(p, &end);
    const char *next = skip_separators(end, separator);
    if (end == p || (next == end && *end != '\0' && *end != '\n')) {
      return false;
    }
    g_array_append_val(numbers, value);
    p = next;
  }
  *at = *p == '\n' ? p + 1 : p;
  return true;
}

double *
dae_combi_read_csv(const char *file, char separator, uint32_t n_header, uint32_t *n_rows,
                   uint32_t *n_columns, GError **error)
{
  g_autofree char *text = NULL;
  if (!g_file_get_contents(file, &text, NULL, error)) {
    return NULL;
  }
  g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(double));
  const char *at = g_str_has_prefix(text, "\xef\xbb\xbf") ? text + 3 : text; /* UTF-8 */
  uint32_t line = 0;
  for (; line < n_header && *at != '\0'; line++) {
    at = skip_line(at);
  }
  uint32_t width = 0;
  uint32_t rows = 0;
  for (; *at != '\0'; rows++) {
    uint32_t before = numbers->len;
    line++;
    bool good = read_line(&at, separator, numbers) && numbers->len < MAX_ENTRIES;
    uint32_t n = numbers->len - before;
    if (!good || n == 0 || (rows > 0 && n != width)) {
      g_set_error(error, DAE_ERROR, DAE_ERROR_FILE,
                  good ? "%s: line %u has %u numbers, the first one %u"
                       : "%s: line %u has something else than numbers",
                  file, line, n, width);
      return NULL;
    }
    width = n;
  }
  if (rows == 0) {
    fail(error, file, "there are no numbers");
    return NULL;
  }
  *n_rows = rows;
  *n_columns = width;
  return (double *)(void *)g_array_free(g_steal_pointer(&numbers), FALSE);
}
