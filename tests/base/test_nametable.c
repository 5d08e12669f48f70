#include "base/nametable.h"

#include <glib.h>
#include <string.h>

#include "unity.h"

static DaeNameTable table;

void
setUp(void)
{
  dae_name_table_init(&table);
}

void
tearDown(void)
{
  dae_name_table_clear(&table);
}

static uint32_t
hash_of(const void *hashes, uint32_t number)
{
  return ((const uint32_t *)hashes)[number];
}

static uint32_t
hash_text(const char *text)
{
  return dae_name_hash(text, strlen(text));
}

/* How many numbers are looked at before this one is found; 0: it is not. */
static uint32_t
looks_for(uint32_t hash, uint32_t wanted)
{
  DaeNameProbe probe = dae_name_probe(&table, hash);
  uint32_t number;
  for (uint32_t k = 1; (number = dae_name_probe_next(&table, &probe)) != 0; k++) {
    if (number == wanted) {
      return k;
    }
  }
  return 0;
}

static void
enter(const uint32_t *hashes, uint32_t number)
{
  dae_name_table_reserve(&table, number, hash_of, hashes);
  DaeNameProbe probe = dae_name_probe(&table, hashes[number]);
  while (dae_name_probe_next(&table, &probe) != 0) {
  }
  dae_name_table_put(&table, &probe, number);
}

static void
test_every_number_is_found_after_growth(void)
{
  enum { N = 100000 };

  g_autofree uint32_t *hashes = g_new0(uint32_t, N + 1);
  uint64_t looks = 0;
  for (uint32_t k = 1; k <= N; k++) {
    g_autofree char *name = g_strdup_printf("section%u.resistor.%c", k / 3, "Riv"[k % 3]);
    hashes[k] = hash_text(name);
    enter(hashes, k);
  }
  for (uint32_t k = 1; k <= N; k++) {
    uint32_t own = looks_for(hashes[k], k);
    TEST_ASSERT_NOT_EQUAL(0, own);
    looks += own;
  }
  TEST_ASSERT_LESS_THAN(N + N / 100, looks); /* other names are passed by their bits */
  TEST_ASSERT_EQUAL(0, looks_for(hash_text("section17.capacitor.v"), 1));
}

/* The last digit chooses the place in a line, whatever stands behind it. */
static void
test_neighbours_lie_in_one_line(void)
{
  const char *const formats[] = {"x[%u]", "A[3,%u]", "section%u.resistor.R", "%u", "pin_%ua"};
  for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
    uint32_t places = 0;
    uint32_t line = 0;
    for (uint32_t k = 170; k < 180; k++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
      g_autofree char *name = g_strdup_printf(formats[i], k);
#pragma GCC diagnostic pop
      uint32_t hash = hash_text(name);
      TEST_ASSERT_TRUE(k == 170 || hash / DAE_NAME_LINE == line);
      line = hash / DAE_NAME_LINE;
      places |= 1u << hash % DAE_NAME_LINE;
    }
    TEST_ASSERT_EQUAL(10, __builtin_popcount(places));
  }
  TEST_ASSERT_NOT_EQUAL(hash_text("x[179]") / DAE_NAME_LINE,
                        hash_text("x[180]") / DAE_NAME_LINE);
}

static void
test_every_character_counts(void)
{
  const char text[] = "a1b2c3d4e5f6g7h8i9jklmnop";
  for (size_t length = 1; length < sizeof text; length++) {
    uint32_t whole = dae_name_hash(text, length);
    for (size_t k = 0; k < length; k++) {
      char other[sizeof text];
      memcpy(other, text, sizeof text);
      other[k] = 'Z';
      TEST_ASSERT_NOT_EQUAL(whole, dae_name_hash(other, length));
    }
    TEST_ASSERT_NOT_EQUAL(whole, dae_name_hash(text, length - 1));
  }
}

/* Hashes that ask for one place of one line all: the search ends, and all are found. */
static void
test_a_crowd_finds_room(void)
{
  enum { N = 1500 };

  g_autofree uint32_t *hashes = g_new0(uint32_t, N + 1);
  for (uint32_t k = 1; k <= N; k++) {
    hashes[k] = 7 + k % 3 * DAE_NAME_LINE;
    enter(hashes, k);
  }
  for (uint32_t k = 1; k <= N; k++) {
    TEST_ASSERT_NOT_EQUAL(0, looks_for(hashes[k], k));
  }
  TEST_ASSERT_EQUAL(0, looks_for(hashes[1], N + 1));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_every_number_is_found_after_growth);
  RUN_TEST(test_neighbours_lie_in_one_line);
  RUN_TEST(test_every_character_counts);
  RUN_TEST(test_a_crowd_finds_room);
  return UNITY_END();
}
