#include "report/pack.h"

#include <string.h>
#include <zlib.h>

#include "unity.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

/* The block as the page gets it. */
static GByteArray *
unpack(const char *html)
{
  const char *begin = strstr(html, "id=\"data-block\">") + strlen("id=\"data-block\">");
  g_autofree char *text = g_strndup(begin, (gsize)(strstr(begin, "</script>") - begin));
  gsize n = 0;
  g_autofree guchar *small = g_base64_decode(text, &n);
  GByteArray *out = g_byte_array_new();
  g_byte_array_set_size(out, 1 << 20);
  z_stream stream = {.next_in = small, .avail_in = (uInt)n};
  TEST_ASSERT_EQUAL_INT(Z_OK, inflateInit2(&stream, 15 + 16));
  stream.next_out = out->data;
  stream.avail_out = out->len;
  TEST_ASSERT_EQUAL_INT(Z_STREAM_END, inflate(&stream, Z_FINISH));
  g_byte_array_set_size(out, (guint)stream.total_out);
  inflateEnd(&stream);
  return out;
}

static void
test_arrays_lie_where_the_index_says(void)
{
  const uint32_t numbers[] = {1, 2, 4000000000U};
  const int8_t small[] = {-1, 5, 7};
  const double values[] = {0.5, -2};
  g_autoptr(DaePack) pack = dae_pack_new();
  g_autoptr(GString) html = g_string_new(NULL);
  dae_pack_i8(pack, "small", small, 3);
  dae_pack_u32(pack, "numbers", numbers, 3);
  dae_pack_f64(pack, "values", values, 2);
  dae_pack_fact(pack, "n", 3);
  dae_pack_write(pack, html);
  TEST_ASSERT_NOT_NULL(strstr(html->str, "\"n\": 3"));
  TEST_ASSERT_NOT_NULL(strstr(html->str, "[\"small\", \"i8\", 0, 3]"));
  TEST_ASSERT_NOT_NULL(strstr(html->str, "[\"numbers\", \"u32\", 8, 3]"));
  TEST_ASSERT_NOT_NULL(strstr(html->str, "[\"values\", \"f64\", 24, 2]"));
  g_autoptr(GByteArray) bytes = unpack(html->str);
  TEST_ASSERT_EQUAL_MEMORY(small, bytes->data, 3);
  TEST_ASSERT_EQUAL_MEMORY(numbers, bytes->data + 8, 12);
  TEST_ASSERT_EQUAL_MEMORY(values, bytes->data + 24, 16);
}

static void
test_lines_end_once_each(void)
{
  const char *const texts[] = {"a", "two\nlines", NULL};
  g_autoptr(DaePack) pack = dae_pack_new();
  g_autoptr(GString) html = g_string_new(NULL);
  dae_pack_lines(pack, "texts", texts, 3);
  dae_pack_write(pack, html);
  g_autoptr(GByteArray) bytes = unpack(html->str);
  TEST_ASSERT_EQUAL_UINT(13, bytes->len);
  TEST_ASSERT_EQUAL_MEMORY("a\ntwo lines\n\n", bytes->data, 13);
}

static void
test_the_same_data_give_the_same_bytes(void)
{
  const double values[] = {1, 2, 3};
  g_autoptr(GString) first = g_string_new(NULL);
  g_autoptr(GString) second = g_string_new(NULL);
  for (int k = 0; k < 2; k++) {
    g_autoptr(DaePack) pack = dae_pack_new();
    dae_pack_f64(pack, "values", values, 3);
    dae_pack_write(pack, k == 0 ? first : second);
  }
  TEST_ASSERT_EQUAL_STRING(first->str, second->str);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_arrays_lie_where_the_index_says);
  RUN_TEST(test_lines_end_once_each);
  RUN_TEST(test_the_same_data_give_the_same_bytes);
  return UNITY_END();
}
