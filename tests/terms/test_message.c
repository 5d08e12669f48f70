/* Values in texts: formats, marks, and texts of the user that look like marks. */

#include "terms/message.h"

#include "fixture.h"

static DaeTerms *terms;

void
setUp(void)
{
  terms = fixture_new();
}

void
tearDown(void)
{
  dae_terms_free(terms);
}

static void
expect_text(const DaeTextFormat *format, double value, const char *wanted)
{
  g_autoptr(GString) out = g_string_new(NULL);
  dae_text_append(out, format, value);
  TEST_ASSERT_EQUAL_STRING(wanted, out->str);
}

static void
test_formats(void)
{
  expect_text(&(DaeTextFormat){.kind = DAE_TEXT_REAL, .digits = 3}, 2.0 / 3, "0.667");
  expect_text(&(DaeTextFormat){.kind = DAE_TEXT_REAL, .form = "8.2f"}, 2.0 / 3, "    0.67");
  expect_text(&(DaeTextFormat){.kind = DAE_TEXT_INTEGER, .width = 4}, -7, "-7  ");
  expect_text(&(DaeTextFormat){.kind = DAE_TEXT_INTEGER, .width = 4, .right = true}, 7, "   7");
  expect_text(&(DaeTextFormat){.kind = DAE_TEXT_BOOLEAN}, 1, "true");
  expect_text(&(DaeTextFormat){.kind = DAE_TEXT_LITERAL, .form = "a,b"}, 2, "b");
  expect_text(&(DaeTextFormat){.kind = DAE_TEXT_LITERAL, .form = "a,b"}, 3, "3");

  const struct {
    const char *form, *text;
    double value;
  } integers[] = {{"5d", "  -12", -12},    {"-5d|", NULL, 0},   {"+i", "+7", 7},
                  {"05d", "-0012", -12},   {" d", " 3", 3},     {"6.3d", "   012", 12},
                  {"x", "ffffffff", -1},   {"#X", "0XFF", 255}, {"#o", "017", 15},
                  {"u", "4294967295", -1}, {"3c", "  A", 65},   {"-4d", "5   ", 5},
                  {"d", "3", 2.6},         {"#x", "0", 0},      {"#06x", "0x000c", 12},
                  {"04d", "-123", -123},   {"-04d", "7   ", 7}};

  for (size_t i = 0; i < G_N_ELEMENTS(integers); i++) {
    const char *form = integers[i].form;
    bool is_form = integers[i].text != NULL;
    TEST_ASSERT_EQUAL(is_form, dae_text_form_is_of_integer(form));
    if (is_form) {
      expect_text(&(DaeTextFormat){.kind = DAE_TEXT_REAL, .form = form}, integers[i].value,
                  integers[i].text);
    }
  }
  TEST_ASSERT_FALSE(dae_text_form_is_of_integer("5.0f"));
  TEST_ASSERT_TRUE(dae_text_form_is_valid("+08.3e"));
  TEST_ASSERT_FALSE(dae_text_form_is_valid("s"));
  TEST_ASSERT_FALSE(dae_text_form_is_valid("9999f"));
  TEST_ASSERT_FALSE(dae_text_form_is_valid("5.2fn"));
}

static bool
seven(void *user, DaeTerm t, double *value)
{
  *value = t == *(const DaeTerm *)user ? 7 : 0;
  return t == *(const DaeTerm *)user;
}

static DaeTerm
nothing(void *user, DaeTerm t)
{
  (void)user;
  (void)t;
  return DAE_NO_TERM;
}

static void
test_marks_are_filled(void)
{
  DaeTerm time = dae_term_time(terms);
  g_autoptr(GString) text = g_string_new("at ");
  dae_message_append_value(text, time, &(DaeTextFormat){.kind = DAE_TEXT_REAL, .digits = 6});
  g_string_append(text, " s");
  TEST_ASSERT_TRUE(dae_message_has_values(text->str));
  g_autofree char *filled = dae_message_fill(terms, text->str, seven, &time);
  TEST_ASSERT_EQUAL_STRING("at 7 s", filled);
  g_autofree char *open = dae_message_fill(terms, text->str, NULL, NULL);
  TEST_ASSERT_EQUAL_STRING("at time s", open);
  g_autofree char *mapped = dae_message_map(terms, text->str, nothing, NULL);
  TEST_ASSERT_EQUAL_STRING("at time s", mapped);
}

static void
test_texts_that_only_look_like_marks(void)
{
  static const char *const texts[] = {"\x01",
                                      "\x01 3|",
                                      "\x01 99999999|0|6|0|0|\x02",
                                      "\x01-1|",
                                      "\x01 1|0|6|0|0|%n\x02",
                                      "\x01 1|9|6|0|0|\x02"};
  for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
    g_autofree char *filled = dae_message_fill(terms, texts[i], NULL, NULL);
    TEST_ASSERT_EQUAL_STRING(texts[i], filled);
  }
}

static void
test_likeness_is_that_of_the_texts(void)
{
  TEST_ASSERT_TRUE(dae_message_is_like("a\x01 1|0\x02 b", "a\x01 25|0\x02 b"));
  TEST_ASSERT_FALSE(dae_message_is_like("a\x01 1|0\x02 b", "a\x01 1|0\x02 c"));
  TEST_ASSERT_FALSE(dae_message_is_like("a", "ab"));
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_formats);
  RUN_TEST(test_marks_are_filled);
  RUN_TEST(test_texts_that_only_look_like_marks);
  RUN_TEST(test_likeness_is_that_of_the_texts);
  return UNITY_END();
}
