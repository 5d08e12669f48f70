#include "report/pack.h"

#include <string.h>
#include <zlib.h>

#include "base/base.h"
#include "base/json.h"

/* The page reads the arrays as they lie here; machines where that would need a
 * swap do not run daetool yet. */
G_STATIC_ASSERT(G_BYTE_ORDER == G_LITTLE_ENDIAN);

typedef struct {
  char *name;
  const char *kind; /* as the page calls it */
  size_t offset, length;
} Place;

typedef struct {
  char *name;
  double value;
} Fact;

struct DaePack {
  GByteArray *bytes;
  GArray *places; /* Place */
  GArray *facts;  /* Fact */
};

DaePack *
dae_pack_new(void)
{
  DaePack *pack = g_new0(DaePack, 1);
  pack->bytes = g_byte_array_new();
  pack->places = g_array_new(FALSE, FALSE, sizeof(Place));
  pack->facts = g_array_new(FALSE, FALSE, sizeof(Fact));
  return pack;
}

void
dae_pack_free(DaePack *pack)
{
  if (pack == NULL) {
    return;
  }
  for (guint i = 0; i < pack->places->len; i++) {
    g_free(g_array_index(pack->places, Place, i).name);
  }
  for (guint i = 0; i < pack->facts->len; i++) {
    g_free(g_array_index(pack->facts, Fact, i).name);
  }
  g_array_free(pack->places, TRUE);
  g_array_free(pack->facts, TRUE);
  g_byte_array_free(pack->bytes, TRUE);
  g_free(pack);
}

/* Each array begins at a multiple of 8, as typed arrays ask for. */
static void
add(DaePack *pack, const char *name, const char *kind, const void *data, size_t n, size_t size)
{
  static const guint8 zeros[8] = {0};
  g_byte_array_append(pack->bytes, zeros, (8 - pack->bytes->len % 8) % 8);
  Place place = {g_strdup(name), kind, pack->bytes->len, n};
  size_t bytes = 0;
  DAE_ASSERT(g_size_checked_mul(&bytes, n, size) && bytes < G_MAXUINT / 2);
  if (bytes > 0) {
    g_byte_array_append(pack->bytes, data, (guint)bytes);
  }
  g_array_append_val(pack->places, place);
}

void
dae_pack_i8(DaePack *pack, const char *name, const int8_t *values, size_t n)
{
  add(pack, name, "i8", values, n, 1);
}

void
dae_pack_u8(DaePack *pack, const char *name, const uint8_t *values, size_t n)
{
  add(pack, name, "u8", values, n, 1);
}

void
dae_pack_i32(DaePack *pack, const char *name, const int32_t *values, size_t n)
{
  add(pack, name, "i32", values, n, 4);
}

void
dae_pack_u32(DaePack *pack, const char *name, const uint32_t *values, size_t n)
{
  add(pack, name, "u32", values, n, 4);
}

void
dae_pack_f32(DaePack *pack, const char *name, const float *values, size_t n)
{
  add(pack, name, "f32", values, n, 4);
}

void
dae_pack_f64(DaePack *pack, const char *name, const double *values, size_t n)
{
  add(pack, name, "f64", values, n, 8);
}

void
dae_pack_lines(DaePack *pack, const char *name, const char *const *texts, size_t n)
{
  g_autoptr(GString) all = g_string_new(NULL);
  for (size_t i = 0; i < n; i++) {
    g_autofree char *valid = g_utf8_make_valid(texts[i] != NULL ? texts[i] : "", -1);
    g_strdelimit(valid, "\n\r", ' ');
    g_string_append(all, valid);
    g_string_append_c(all, '\n');
  }
  add(pack, name, "lines", all->str, all->len, 1);
}

void
dae_pack_fact(DaePack *pack, const char *name, double value)
{
  Fact fact = {g_strdup(name), value};
  g_array_append_val(pack->facts, fact);
}

/* gzip without a time stamp: the same data give the same bytes. */
static GByteArray *
compress_bytes(const GByteArray *bytes)
{
  z_stream stream = {0};
  DAE_ASSERT(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9,
                          Z_DEFAULT_STRATEGY) == Z_OK);
  GByteArray *out = g_byte_array_new();
  g_byte_array_set_size(out, (guint)deflateBound(&stream, bytes->len) + 64);
  stream.next_in = bytes->data;
  stream.avail_in = bytes->len;
  stream.next_out = out->data;
  stream.avail_out = out->len;
  DAE_ASSERT(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  g_byte_array_set_size(out, (guint)stream.total_out);
  deflateEnd(&stream);
  return out;
}

static void
write_index(const DaePack *pack, GString *out)
{
  g_autoptr(DaeJson) json = dae_json_new(out);
  dae_json_begin_object(json, true);
  dae_json_key(json, "facts");
  dae_json_begin_object(json, true);
  for (guint i = 0; i < pack->facts->len; i++) {
    const Fact *fact = &g_array_index(pack->facts, Fact, i);
    dae_json_key(json, fact->name);
    dae_json_double(json, fact->value);
  }
  dae_json_end_object(json);
  dae_json_key(json, "arrays");
  dae_json_begin_array(json, true);
  for (guint i = 0; i < pack->places->len; i++) {
    const Place *place = &g_array_index(pack->places, Place, i);
    dae_json_begin_array(json, true);
    dae_json_string(json, place->name);
    dae_json_string(json, place->kind);
    dae_json_int(json, (int64_t)place->offset);
    dae_json_int(json, (int64_t)place->length);
    dae_json_end_array(json);
  }
  dae_json_end_array(json);
  dae_json_end_object(json);
}

void
dae_pack_write(const DaePack *pack, GString *out)
{
  g_autoptr(GByteArray) small = compress_bytes(pack->bytes);
  g_autofree char *text = g_base64_encode(small->data, small->len);
  g_string_append(out, "<script type=\"application/json\" id=\"data-index\">");
  write_index(pack, out);
  g_string_append(out, "</script>\n<script type=\"text/plain\" id=\"data-block\">");
  g_string_append(out, text);
  g_string_append(out, "</script>\n");
}
