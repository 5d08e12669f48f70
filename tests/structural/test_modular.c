/* Regularity modulo a prime: proofs only where they are proofs, and the
 * same rank as dense elimination. */
#include "analysis.h"
#include "structural/modular.h"

void
setUp(void)
{
}

void
tearDown(void)
{
}

static uint32_t
next_random(uint32_t *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static uint32_t
dense_rank(uint32_t n, uint64_t a[8][8])
{
  uint32_t rank = 0;
  for (uint32_t j = 0; j < n; j++) {
    uint32_t pivot = rank;
    while (pivot < n && a[pivot][j] == 0) {
      pivot++;
    }
    if (pivot == n) {
      continue;
    }
    for (uint32_t k = 0; k < n; k++) {
      uint64_t swap = a[pivot][k];
      a[pivot][k] = a[rank][k];
      a[rank][k] = swap;
    }
    uint64_t inverse = dae_mod_inverse(a[rank][j]);
    for (uint32_t i = rank + 1; i < n; i++) {
      uint64_t factor = dae_mod_mul(a[i][j], inverse);
      for (uint32_t k = 0; k < n; k++) {
        a[i][k] = dae_mod_add(a[i][k], dae_mod_neg(dae_mod_mul(factor, a[rank][k])));
      }
    }
    rank++;
  }
  return rank;
}

static void
test_sparse_elimination_finds_the_rank_and_rows_that_combine_to_zero(void)
{
  uint32_t state = 99;
  for (int run = 0; run < 1000; run++) {
    uint32_t n = 1 + next_random(&state) % 8;
    uint64_t a[8][8];
    uint64_t values[64];
    g_autoptr(DaeCsr) csr = dae_csr_new(n, n, 64, false);
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < n; j++) {
        a[i][j] = next_random(&state) % 3 == 0 ? 1 + next_random(&state) % 2 : 0;
        if (a[i][j] != 0) {
          csr->column[at] = j;
          values[at++] = a[i][j];
        }
      }
      csr->start[i + 1] = at;
    }
    g_autoptr(GPtrArray) null_rows =
        g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    uint32_t rank = dae_mod_eliminate(csr, values, null_rows);
    TEST_ASSERT_EQUAL_UINT32(n - rank, null_rows->len);
    for (guint k = 0; k < null_rows->len; k++) { /* the rows alone are dependent */
      const GArray *rows = g_ptr_array_index(null_rows, k);
      uint64_t part[8][8] = {{0}};
      for (guint r = 0; r < rows->len; r++) {
        memcpy(part[r], a[g_array_index(rows, uint32_t, r)], sizeof part[r]);
      }
      TEST_ASSERT_TRUE(dense_rank(n, part) < rows->len);
    }
    TEST_ASSERT_EQUAL_UINT32(dense_rank(n, a), rank);
  }
}

static bool
is_sound_sum(const char *text)
{
  Analysis a = analyze_text(text);
  g_autoptr(DaeModPoint) point = dae_mod_point_new(a.terms, 1);
  uint64_t value = 0;
  DaeTerm t = dae_model_equation(a.model, 0)->rhs;
  bool is_sound = dae_mod_point_eval(point, t, &value) && dae_mod_point_is_sound(point);
  clear_analysis(&a);
  return is_sound;
}

static void
test_dependent_functions_are_no_proof(void)
{
  TEST_ASSERT_TRUE(is_sound_sum(
      "model A Real x; Real y; equation 0 = exp(x) + exp(x - y); x = y + 1; end A;"));
  TEST_ASSERT_TRUE(is_sound_sum("model A Real x; equation 0 = sin(x)*cos(x) + x^2/3; end A;"));
  TEST_ASSERT_FALSE(is_sound_sum("model A Real x; equation 0 = exp(x) + exp(2*x); end A;"));
  TEST_ASSERT_FALSE(is_sound_sum("model A Real x; equation 0 = x + sin(1); end A;"));
  TEST_ASSERT_FALSE(is_sound_sum("model A Real x; equation 0 = exp(x) + log(x); end A;"));
}

static void
test_sine_and_cosine_lie_on_the_circle(void)
{
  Analysis a = analyze_text("model A Real x; equation 0 = x + sin(x)^2 + cos(x)^2; end A;");
  g_autoptr(DaeModPoint) point = dae_mod_point_new(a.terms, 1);
  uint64_t x = 0;
  uint64_t sum = 0;
  DaeTerm atom = dae_term_variable(a.terms, dae_model_variable(a.model, 0)->symbol, 0);
  TEST_ASSERT_TRUE(dae_mod_point_eval(point, atom, &x));
  TEST_ASSERT_TRUE(dae_mod_point_eval(point, dae_model_equation(a.model, 0)->rhs, &sum));
  TEST_ASSERT_TRUE(dae_mod_add(x, 1) == sum);
  clear_analysis(&a);
}

static uint64_t
image_of(DaeModPoint *point, DaeTerm t)
{
  uint64_t value = 0;
  TEST_ASSERT_TRUE(dae_mod_point_eval(point, t, &value));
  return value;
}

/* Short numbers come from their words, long ones from their text: images obey the same laws. */
static void
test_images_of_numbers_do_not_tell_their_length(void)
{
  Analysis a = analyze_text("model A Real x; equation x = 1; end A;");
  g_autoptr(DaeModPoint) point = dae_mod_point_new(a.terms, 1);
  DaeTerm third = dae_term_ratio(a.terms, -1, 3);
  DaeTerm large = dae_term_pow_int(a.terms, dae_term_int(a.terms, 10), 30);
  DaeTerm both = dae_term_mul(a.terms, third, large); /* does not fit into words */
  TEST_ASSERT_TRUE(dae_mod_mul(image_of(point, third), 3) == dae_mod_neg(1));
  TEST_ASSERT_TRUE(image_of(point, dae_term_ratio(a.terms, 7, 10)) ==
                   dae_mod_mul(7, dae_mod_inverse(10)));
  TEST_ASSERT_TRUE(image_of(point, both) ==
                   dae_mod_mul(image_of(point, third), image_of(point, large)));
  clear_analysis(&a);
}

/* Small systems are solved on the stack, larger ones sparsely: both must fulfil what they solve,
 * and see that a repeated row makes it singular. */
static void
test_solutions_fulfil_their_system_at_every_size(void)
{
  uint32_t state = 7;
  for (uint32_t run = 0; run < 400; run++) {
    uint32_t n = 1 + run % 13;
    g_autoptr(DaeCsr) csr = dae_csr_new(n, n, (size_t)n * n, false);
    uint64_t values[13 * 13];
    uint64_t rhs[13];
    uint64_t x[13];
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < n; j++) {
        if (j == (i + 1) % n || next_random(&state) % 3 == 0) {
          csr->column[at] = j;
          values[at++] = 1 + next_random(&state);
        }
      }
      csr->start[i + 1] = at;
      rhs[i] = next_random(&state);
    }
    bool is_solved = dae_mod_solve(csr, values, rhs, x);
    for (uint32_t i = 0; i < n && is_solved; i++) {
      uint64_t sum = 0;
      for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
        sum = dae_mod_add(sum, dae_mod_mul(values[e], x[csr->column[e]]));
      }
      TEST_ASSERT_TRUE(sum == rhs[i]);
    }
    TEST_ASSERT_TRUE(is_solved);
  }
}

static void
test_a_repeated_row_is_singular_at_every_size(void)
{
  for (uint32_t n = 2; n <= 13; n++) {
    g_autoptr(DaeCsr) csr = dae_csr_new(n, n, (size_t)n * n, false);
    uint64_t values[13 * 13];
    uint64_t rhs[13] = {0};
    uint64_t x[13];
    uint32_t state = n;
    for (uint32_t i = 0; i < n; i++) {
      for (uint32_t j = 0; j < n; j++) {
        csr->column[i * n + j] = j;
        values[i * n + j] = i == n - 1 ? values[j] : 1 + next_random(&state);
      }
      csr->start[i + 1] = (size_t)(i + 1) * n;
    }
    TEST_ASSERT_FALSE(dae_mod_solve(csr, values, rhs, x));
  }
}

int
main(void)
{
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_sparse_elimination_finds_the_rank_and_rows_that_combine_to_zero);
  RUN_TEST(test_dependent_functions_are_no_proof);
  RUN_TEST(test_sine_and_cosine_lie_on_the_circle);
  RUN_TEST(test_images_of_numbers_do_not_tell_their_length);
  RUN_TEST(test_solutions_fulfil_their_system_at_every_size);
  RUN_TEST(test_a_repeated_row_is_singular_at_every_size);
  return UNITY_END();
}
