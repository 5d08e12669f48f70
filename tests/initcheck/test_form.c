/* Rows as linear combinations: what goes in comes out, and what is linear is seen as such. */
#include "initcheck/initcheck-priv.h"

#include <unity.h>

#include "inside.h"

static Inside in;

void
setUp(void)
{
  in = inside_new("parameter Real p = 2; parameter Real q = 3; Real x; Real y; Real z; Real w;"
                  "equation der(x) = y; der(y) = z; der(z) = w; der(w) = p*x + q;");
}

void
tearDown(void)
{
  inside_clear(&in);
}

static IcForm
form_of(const char *text)
{
  IcForm form;
  ic_form_init(in.sys, &form);
  TEST_ASSERT_TRUE_MESSAGE(
      ic_form_add_term(in.sys, &form, dae_term_int(in.terms, 1), inside_term(&in, text)), text);
  return form;
}

static void
check_coefficient(const char *text, const char *unknown, const char *expected)
{
  IcForm form = form_of(text);
  DaeTerm c = ic_form_coefficient(&form, inside_unknown(&in, unknown));
  g_autofree char *got = inside_text(&in, c);
  g_autofree char *message = g_strdup_printf("%s by %s: %s", text, unknown, got);
  TEST_ASSERT_TRUE_MESSAGE(inside_equal(&in, c, inside_term(&in, expected)), message);
  ic_form_clear(&form);
}

static void
test_linear_parts_are_found_whatever_their_shape(void)
{
  check_coefficient("3*x + y", "x", "3");
  check_coefficient("3*x + y", "y", "1");
  check_coefficient("p*(x + q*y) - x", "x", "p - 1");
  check_coefficient("p*(x + q*y) - x", "y", "p*q");
  check_coefficient("(x + y)/(p + q)", "y", "1/(p + q)");
  check_coefficient("x/3 - (y - 2*x)/5", "x", "1/3 + 2/5");
  check_coefficient("sin(p)*x + exp(q)*y", "x", "sin(p)");
  check_coefficient("2*(3*(x - y) + 4*(y - z)) + z", "z", "-7");
  check_coefficient("2*(3*(x - y) + 4*(y - z)) + z", "y", "2");
  check_coefficient("der(x) - 5*x", "der(x)", "1");
  check_coefficient("x*y + x", "x", "1");
}

static void
check_shape(const char *text, guint n_entries, guint n_leaves)
{
  IcForm form = form_of(text);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(n_entries, form.entries->len, text);
  TEST_ASSERT_EQUAL_UINT_MESSAGE(n_leaves, form.leaves->len, text);
  for (guint i = 1; i < form.entries->len; i++) {
    TEST_ASSERT_LESS_THAN_UINT_MESSAGE(g_array_index(form.entries, IcEntry, i).z,
                                       g_array_index(form.entries, IcEntry, i - 1).z, text);
  }
  ic_form_clear(&form);
}

static void
test_entries_and_leaves_are_counted(void)
{
  check_shape("1", 0, 0);
  check_shape("p*q + 3", 0, 0);
  check_shape("x", 1, 0);
  check_shape("x + y + z + w", 4, 0);
  check_shape("w + z + y + x", 4, 0);
  check_shape("x*y", 0, 1);
  check_shape("x^2 + x", 1, 1);
  check_shape("sin(x) + cos(y) + x", 1, 2);
  check_shape("sin(x) + 2*sin(x)", 0, 1);
  check_shape("p*sin(x) - p*sin(x) + y", 1, 0);
  check_shape("q*(x + y) - q*x - q*y", 0, 0);
  check_shape("sqrt(x + y) + p", 0, 1);
}

/* ---- two ways: the form as a term is the term -------------------------------------------- */

static const char *const pieces[] = {
    "x",           "y",           "z",           "w",          "p",
    "1/3",         "der(x)",      "x*y",         "sin(x)",     "p*(x - 2*y)",
    "q*(z + w)/7", "(x + y)^2",   "exp(z)*p",    "x/(p + 5)",  "y*w - w*y",
    "2*(x + 3*z)", "sqrt(w + 9)", "p*q*(z - x)", "cos(x + y)", "x*p*q",
};

static DaeTerm
random_sum(GRand *random, int n)
{
  DaeTerm sum = dae_term_int(in.terms, 0);
  for (int i = 0; i < n; i++) {
    DaeTerm factor = dae_term_ratio(in.terms, g_rand_int_range(random, -6, 7),
                                    g_rand_int_range(random, 1, 5));
    int which = g_rand_int_range(random, 0, (int)G_N_ELEMENTS(pieces));
    sum = dae_term_add(in.terms, sum,
                       dae_term_mul(in.terms, factor, inside_term(&in, pieces[which])));
  }
  return sum;
}

static void
check_term(const IcForm *form, DaeTerm expected)
{
  g_autofree char *text = inside_text(&in, expected);
  TEST_ASSERT_TRUE_MESSAGE(inside_equal(&in, ic_form_term(in.sys, form), expected), text);
}

static void
test_a_form_stands_for_its_term(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(11);
  for (int k = 0; k < 200; k++) {
    DaeTerm t = random_sum(random, 1 + k % 7);
    IcForm form;
    ic_form_init(in.sys, &form);
    TEST_ASSERT_TRUE(ic_form_add_term(in.sys, &form, dae_term_int(in.terms, 1), t));
    check_term(&form, t);
    ic_form_clear(&form);
  }
}

static void
test_sums_and_multiples_of_forms_are_those_of_the_terms(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(12);
  for (int k = 0; k < 120; k++) {
    DaeTerm s = random_sum(random, 1 + k % 5);
    DaeTerm t = random_sum(random, 1 + k % 4);
    DaeTerm a = inside_term(&in, k % 2 == 0 ? "p - 4" : "2/3");
    IcForm first;
    IcForm second;
    ic_form_init(in.sys, &first);
    ic_form_init(in.sys, &second);
    TEST_ASSERT_TRUE(ic_form_add_term(in.sys, &first, dae_term_int(in.terms, 1), s));
    TEST_ASSERT_TRUE(ic_form_add_term(in.sys, &second, dae_term_int(in.terms, 1), t));
    ic_form_add_form(in.sys, &first, a, &second);
    check_term(&first, dae_term_add(in.terms, s, dae_term_mul(in.terms, a, t)));
    ic_form_add_form(in.sys, &first, dae_term_neg(in.terms, a), &second);
    check_term(&first, s);
    ic_form_clear(&first);
    ic_form_clear(&second);
  }
}

static void
test_a_form_minus_itself_is_empty(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(13);
  for (int k = 0; k < 60; k++) {
    DaeTerm t = random_sum(random, 5);
    IcForm form;
    ic_form_init(in.sys, &form);
    TEST_ASSERT_TRUE(ic_form_add_term(in.sys, &form, dae_term_int(in.terms, 1), t));
    TEST_ASSERT_TRUE(ic_form_add_term(in.sys, &form, dae_term_int(in.terms, -1), t));
    TEST_ASSERT_EQUAL_UINT(0, form.entries->len);
    TEST_ASSERT_EQUAL_UINT(0, form.leaves->len);
    check_term(&form, dae_term_int(in.terms, 0));
    ic_form_clear(&form);
  }
}

static void
test_taking_an_entry_leaves_the_rest(void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(14);
  uint32_t x = inside_unknown(&in, "x");
  for (int k = 0; k < 80; k++) {
    DaeTerm t = random_sum(random, 6);
    IcForm form;
    ic_form_init(in.sys, &form);
    TEST_ASSERT_TRUE(ic_form_add_term(in.sys, &form, dae_term_int(in.terms, 1), t));
    DaeTerm before = ic_form_coefficient(&form, x);
    DaeTerm taken = ic_form_take_entry(&form, x);
    TEST_ASSERT_EQUAL_UINT32(before, taken);
    TEST_ASSERT_EQUAL_UINT32(DAE_NO_TERM, ic_form_coefficient(&form, x));
    DaeTerm linear = taken == DAE_NO_TERM
                         ? dae_term_int(in.terms, 0)
                         : dae_term_mul(in.terms, taken, inside_term(&in, "x"));
    check_term(&form, dae_term_sub(in.terms, t, linear));
    ic_form_clear(&form);
  }
}

static void
test_all_unknowns_of_a_form_are_listed_once(void)
{
  static const struct {
    const char *text;
    const char *unknowns[5];
  } examples[] = {
      {"x + y", {"x", "y"}},           {"x*y + x", {"x", "y"}},
      {"sin(z)*w + z", {"z", "w"}},    {"p*q", {NULL}},
      {"der(x) + x", {"x", "der(x)"}}, {"sqrt(x + y + z + w)", {"x", "y", "z", "w"}},
  };

  g_autoptr(GArray) got = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) expected = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (size_t i = 0; i < G_N_ELEMENTS(examples); i++) {
    IcForm form = form_of(examples[i].text);
    ic_form_unknowns(in.sys, &form, got);
    g_array_set_size(expected, 0);
    for (int k = 0; k < 5 && examples[i].unknowns[k] != NULL; k++) {
      uint32_t z = inside_unknown(&in, examples[i].unknowns[k]);
      g_array_append_val(expected, z);
    }
    ic_sort_unique(expected);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(expected->len, got->len, examples[i].text);
    for (guint k = 0; k < got->len; k++) {
      TEST_ASSERT_EQUAL_UINT32_MESSAGE(g_array_index(expected, uint32_t, k),
                                       g_array_index(got, uint32_t, k), examples[i].text);
    }
    ic_form_clear(&form);
  }
}

static void
test_who_sits_inside_of_a_leaf(void)
{
  IcForm form = form_of("x + sin(y) + z*w");
  TEST_ASSERT_FALSE(ic_form_leaf_has(in.sys, &form, inside_unknown(&in, "x")));
  TEST_ASSERT_TRUE(ic_form_leaf_has(in.sys, &form, inside_unknown(&in, "y")));
  TEST_ASSERT_TRUE(ic_form_leaf_has(in.sys, &form, inside_unknown(&in, "z")));
  TEST_ASSERT_TRUE(ic_form_leaf_has(in.sys, &form, inside_unknown(&in, "w")));
  ic_form_clear(&form);
}

static void
test_reset_makes_it_zero(void)
{
  IcForm form = form_of("x + sin(y) + 4");
  ic_form_reset(in.sys, &form);
  check_term(&form, dae_term_int(in.terms, 0));
  TEST_ASSERT_TRUE(
      ic_form_add_term(in.sys, &form, dae_term_int(in.terms, 2), inside_term(&in, "z")));
  check_term(&form, inside_term(&in, "2*z"));
  ic_form_clear(&form);
}

/* One unknown for another, in both directions, beside those that stay; and longer solutions. */
static void
test_solutions_are_put_in(void)
{
  static const struct {
    const char *row, *unknown, *solution, *expected;
  } examples[] = {
      {"x + 2*y + 3*w", "x", "5*z", "2*y + 5*z + 3*w"},
      {"y + 2*z + 3*w", "w", "7*x + 1", "21*x + y + 2*z + 3"},
      {"x + 2*y + 3*w", "y", "p*z - q", "x + 2*p*z - 2*q + 3*w"},
      {"x + 2*y + 3*w", "x", "y", "3*y + 3*w"},
      {"x + 2*y + 3*w", "x", "-2*y", "3*w"},
      {"x + 2*y", "x", "4", "2*y + 4"},
      {"x", "x", "w", "w"},
      {"w", "w", "x", "x"},
      {"x + z", "x", "y + sin(w)", "y + z + sin(w)"},
      {"x + z", "x", "y + 3*z + w", "y + 4*z + w"},
      {"x + z", "y", "w", "x + z"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS(examples); i++) {
    IcForm form = form_of(examples[i].row);
    IcForm solution = form_of(examples[i].solution);
    uint32_t z = inside_unknown(&in, examples[i].unknown);
    DaeTerm before = ic_form_coefficient(&form, z);
    TEST_ASSERT_EQUAL_UINT32(before, ic_form_put(in.sys, &form, z, &solution));
    check_term(&form, inside_term(&in, examples[i].expected));
    for (guint k = 1; k < form.entries->len; k++) {
      TEST_ASSERT_LESS_THAN_UINT(g_array_index(form.entries, IcEntry, k).z,
                                 g_array_index(form.entries, IcEntry, k - 1).z);
    }
    ic_form_clear(&form);
    ic_form_clear(&solution);
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(test_linear_parts_are_found_whatever_their_shape);
  RUN_TEST(test_entries_and_leaves_are_counted);
  RUN_TEST(test_a_form_stands_for_its_term);
  RUN_TEST(test_sums_and_multiples_of_forms_are_those_of_the_terms);
  RUN_TEST(test_a_form_minus_itself_is_empty);
  RUN_TEST(test_taking_an_entry_leaves_the_rest);
  RUN_TEST(test_all_unknowns_of_a_form_are_listed_once);
  RUN_TEST(test_who_sits_inside_of_a_leaf);
  RUN_TEST(test_reset_makes_it_zero);
  RUN_TEST(test_solutions_are_put_in);
  return UNITY_END();
}
