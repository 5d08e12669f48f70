/* MATLAB files of a matrix, as Modelica.Utilities.Streams.writeRealMatrix writes them: version 4, and
 * level 5 for "6" and "7" (the elements of 7 may be compressed; these are not). Appending replaces
 * a matrix of the same name. */
#include "instant/instant-priv.h"

#include <string.h>

#define HEADER 128u /* bytes, of level 5 */
#define MATRIX_TYPE 14u
#define DOUBLE_TYPE 9u
#define DOUBLE_CLASS 6u

typedef struct {
  int version;
  bool is_appended;
  uint32_t rows, columns;
  double *values; /* row by row */
  const char *name;
} Matrix;

static bool
fail(GError **error, const char *why)
{
  g_set_error_literal(error, DAE_ERROR, DAE_ERROR_NUMERIC, why);
  return false;
}

static bool
parse(const char *text, Matrix *m, GError **error)
{
  char *at = NULL;
  m->version = (int)g_ascii_strtoll(text, &at, 10);
  m->is_appended = g_ascii_strtoll(at, &at, 10) != 0;
  m->rows = (uint32_t)g_ascii_strtoull(at, &at, 10);
  m->columns = (uint32_t)g_ascii_strtoull(at, &at, 10);
  size_t n = (size_t)m->rows * m->columns;
  m->values = g_new(double, MAX(n, 1u));
  for (size_t k = 0; k < n; k++) {
    char *end = at;
    m->values[k] = g_ascii_strtod(at, &end);
    if (end == at) {
      return fail(error, "an element of the matrix has no value");
    }
    at = end;
  }
  m->name = *at == ' ' ? at + 1 : at;
  return true;
}

static void
put(GByteArray *out, const void *data, size_t n)
{
  g_byte_array_append(out, data, (guint)n);
}

static void
put_word(GByteArray *out, uint32_t word)
{
  uint32_t little = GUINT32_TO_LE(word);
  put(out, &little, sizeof little);
}

/* Column by column. */
static void
put_values(GByteArray *out, const Matrix *m)
{
  for (uint32_t j = 0; j < m->columns; j++) {
    for (uint32_t i = 0; i < m->rows; i++) {
      uint64_t bits = 0;
      memcpy(&bits, &m->values[(size_t)i * m->columns + j], sizeof bits);
      bits = GUINT64_TO_LE(bits);
      put(out, &bits, sizeof bits);
    }
  }
}

static void
put_level_4(GByteArray *out, const Matrix *m)
{
  put_word(out, 0); /* doubles, little endian, full */
  put_word(out, m->rows);
  put_word(out, m->columns);
  put_word(out, 0); /* real */
  put_word(out, (uint32_t)strlen(m->name) + 1);
  put(out, m->name, strlen(m->name) + 1);
  put_values(out, m);
}

static void
pad(GByteArray *out)
{
  static const uint8_t zeros[8] = {0};
  put(out, zeros, (8 - out->len % 8) % 8);
}

static void
put_level_5(GByteArray *out, const Matrix *m)
{
  g_autoptr(GByteArray) element = g_byte_array_new();
  put_word(element, 6); /* flags: unsigned words */
  put_word(element, 8);
  put_word(element, DOUBLE_CLASS);
  put_word(element, 0);
  put_word(element, 5); /* sizes: signed words */
  put_word(element, 8);
  put_word(element, m->rows);
  put_word(element, m->columns);
  put_word(element, 1); /* name: bytes */
  put_word(element, (uint32_t)strlen(m->name));
  put(element, m->name, strlen(m->name));
  pad(element);
  put_word(element, DOUBLE_TYPE);
  put_word(element, m->rows * m->columns * 8);
  put_values(element, m);
  put_word(out, MATRIX_TYPE);
  put_word(out, element->len);
  put(out, element->data, element->len);
}

static void
put_header(GByteArray *out)
{
  char text[HEADER - 4];
  const char *words = "MATLAB 5.0 MAT-file, Created by: daetool";
  memset(text, ' ', sizeof text);
  memcpy(text, words, strlen(words));
  memset(text + 116, 0, 8); /* no subsystem */
  put(out, text, sizeof text);
  const uint8_t version[] = {0, 1, 'I', 'M'};
  put(out, version, sizeof version);
}

static uint32_t
word_at(const uint8_t *data, size_t at)
{
  uint32_t word = 0;
  memcpy(&word, data + at, sizeof word);
  return GUINT32_FROM_LE(word);
}

/* The length of the record of level 4 at `at`; 0: it is none. */
static size_t
length_of_record(const uint8_t *data, size_t n, size_t at)
{
  static const uint32_t sizes[] = {8, 4, 4, 2, 2, 1};
  if (n - at < 20) {
    return 0;
  }
  uint32_t type = word_at(data, at);
  uint64_t count = (uint64_t)word_at(data, at + 4) * word_at(data, at + 8);
  uint32_t name = word_at(data, at + 16);
  uint32_t kind = type / 10 % 10;
  if (type >= 1000 || kind >= G_N_ELEMENTS(sizes) || count > n || name == 0 || name > n) {
    return 0;
  }
  uint64_t length = 20 + name + count * sizes[kind] * (word_at(data, at + 12) != 0 ? 2 : 1);
  bool is_whole = length <= n - at && data[at + 20 + name - 1] == 0;
  return is_whole ? (size_t)length : 0;
}

static bool
keep_level_4(GByteArray *out, const Matrix *m, const uint8_t *data, size_t n, GError **error)
{
  for (size_t at = 0; at < n;) {
    size_t length = length_of_record(data, n, at);
    if (length == 0) {
      return fail(error, "what is there is no MATLAB file of version 4");
    }
    if (strcmp((const char *)data + at + 20, m->name) != 0) {
      put(out, data + at, length);
    }
    at += length;
  }
  return true;
}

/* Is the element (of `length` bytes from `at`) a matrix of that name? */
static bool
is_named(const Matrix *m, const uint8_t *data, size_t at, size_t length)
{
  size_t n = strlen(m->name);
  if (word_at(data, at) != MATRIX_TYPE || length < 40) {
    return false;
  }
  size_t sizes = word_at(data, at + 28); /* bytes of the dimensions */
  size_t name = at + 32 + (sizes + 7) / 8 * 8;
  if (sizes > length || name + 8 > at + length) {
    return false;
  }
  uint32_t tag = word_at(data, name);
  bool is_small = tag >> 16 != 0; /* up to four bytes stand in the tag */
  size_t bytes = is_small ? tag >> 16 : word_at(data, name + 4);
  size_t begin = name + (is_small ? 4 : 8);
  return bytes == n && begin + n <= at + length && memcmp(data + begin, m->name, n) == 0;
}

static bool
keep_level_5(GByteArray *out, const Matrix *m, const uint8_t *data, size_t n, GError **error)
{
  if (n < HEADER || data[124] != 0 || data[125] != 1 || memcmp(data + 126, "IM", 2) != 0) {
    return fail(error, "what is there is no MATLAB file of version 6 or 7");
  }
  put(out, data, HEADER);
  for (size_t at = HEADER; at < n;) {
    size_t length = n - at >= 8 ? 8 + (size_t)word_at(data, at + 4) : 0;
    if (length == 0 || length > n - at) {
      return fail(error, "the MATLAB file that is there has no end");
    }
    if (!is_named(m, data, at, length)) {
      put(out, data + at, length);
    }
    at += length;
  }
  return true;
}

/* What stands before the matrix. */
static bool
begin_file(GByteArray *out, const Matrix *m, const char *path, GError **error)
{
  g_autofree char *data = NULL;
  gsize n = 0;
  bool has_more = m->is_appended && g_file_test(path, G_FILE_TEST_EXISTS);
  if (has_more && !g_file_get_contents(path, &data, &n, error)) {
    return false;
  }
  const uint8_t *bytes = (const uint8_t *)data;
  if (n > 0) {
    return m->version == 4 ? keep_level_4(out, m, bytes, n, error)
                           : keep_level_5(out, m, bytes, n, error);
  }
  if (m->version != 4) {
    put_header(out);
  }
  return true;
}

GByteArray *
dae_instant_matrix_file(const char *path, const char *text, GError **error)
{
  Matrix m = {.version = 4};
  GByteArray *out = g_byte_array_new();
  bool good = parse(text, &m, error) && begin_file(out, &m, path, error);
  if (good && m.version == 4) {
    put_level_4(out, &m);
  } else if (good) {
    put_level_5(out, &m);
  } else {
    g_byte_array_unref(out);
    out = NULL;
  }
  g_free(m.values);
  return out;
}
