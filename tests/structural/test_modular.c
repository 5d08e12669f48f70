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

/* ---- what is left is eliminated as a full matrix ------------------------------------------- */

enum { N_LARGE = 300, N_CORE = 100 };

/* A chain of scarce rows that ends in a core with an entry in each second place. is_singular:
 * its last row is the sum of two others of it. */
static DaeCsr *
chain_with_core(uint64_t *values, bool is_singular)
{
  DaeCsr *csr = dae_csr_new(N_LARGE, N_LARGE, (size_t)N_LARGE * N_LARGE, false);
  uint64_t(*core)[N_CORE] = g_malloc0(sizeof *core * N_CORE);
  uint32_t state = 17;
  size_t at = 0;
  uint32_t first = N_LARGE - N_CORE;
  for (uint32_t i = 0; i < N_CORE; i++) {
    for (uint32_t j = 0; j < N_CORE; j++) {
      core[i][j] = next_random(&state) % 2 * (1 + next_random(&state));
      if (is_singular && i == N_CORE - 1) {
        core[i][j] = dae_mod_add(core[3][j], core[20][j]);
      }
    }
  }
  for (uint32_t i = 0; i < N_LARGE; i++) {
    for (uint32_t j = 0; j < N_LARGE; j++) {
      bool is_core = i >= first && j >= first;
      uint64_t value = is_core ? core[i - first][j - first] : i == j || i == j + 7 ? 1 + i : 0;
      value = i >= first && j < first ? 0 : value;
      if (value != 0) {
        csr->column[at] = j;
        values[at++] = value;
      }
    }
    csr->start[i + 1] = at;
  }
  g_free(core);
  return csr;
}

static void
test_a_full_core_is_solved(void)
{
  g_autofree uint64_t *values = g_new(uint64_t, (size_t)N_LARGE * N_LARGE);
  g_autoptr(DaeCsr) csr = chain_with_core(values, false);
  uint64_t rhs[N_LARGE];
  uint64_t x[N_LARGE];
  for (uint32_t i = 0; i < N_LARGE; i++) {
    rhs[i] = 3 * i + 1;
  }
  TEST_ASSERT_EQUAL_UINT32(N_LARGE, dae_mod_eliminate(csr, values, NULL));
  TEST_ASSERT_TRUE(dae_mod_solve(csr, values, rhs, x));
  for (uint32_t i = 0; i < N_LARGE; i++) {
    uint64_t sum = 0;
    for (size_t e = csr->start[i]; e < csr->start[i + 1]; e++) {
      sum = dae_mod_add(sum, dae_mod_mul(values[e], x[csr->column[e]]));
    }
    TEST_ASSERT_EQUAL_UINT64(rhs[i], sum);
  }
}

static void
test_null_vectors_of_a_full_core_are_found(void)
{
  static const uint32_t expected[] = {N_LARGE - N_CORE + 3, N_LARGE - N_CORE + 20, N_LARGE - 1};
  g_autofree uint64_t *values = g_new(uint64_t, (size_t)N_LARGE * N_LARGE);
  g_autoptr(DaeCsr) csr = chain_with_core(values, true);
  uint64_t rhs[N_LARGE] = {0};
  uint64_t x[N_LARGE];
  g_autoptr(GPtrArray) null_rows =
      g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
  TEST_ASSERT_EQUAL_UINT32(N_LARGE - 1, dae_mod_eliminate(csr, values, NULL));
  TEST_ASSERT_EQUAL_UINT32(N_LARGE - 1, dae_mod_eliminate(csr, values, null_rows));
  TEST_ASSERT_EQUAL_UINT(1, null_rows->len);
  const GArray *rows = g_ptr_array_index(null_rows, 0);
  TEST_ASSERT_EQUAL_UINT(3, rows->len);
  TEST_ASSERT_EQUAL_UINT32_ARRAY(expected, rows->data, 3);
  TEST_ASSERT_FALSE(dae_mod_solve(csr, values, rhs, x));
}

/* ---- functions of one unknown -------------------------------------------------------------- */

typedef struct {
  uint64_t a[10];
  uint32_t degree;
  uint64_t lie;   /* added to slopes */
  uint64_t asked; /* where its value was asked for last */
} Polynomial;

static bool
polynomial_value(void *user, uint64_t at, uint64_t *value)
{
  Polynomial *f = user;
  f->asked = at;
  *value = 0;
  for (uint32_t k = f->degree + 1; k-- > 0;) {
    *value = dae_mod_add(dae_mod_mul(*value, at), f->a[k]);
  }
  return true;
}

static bool
polynomial_slope(void *user, uint64_t at, uint64_t *value)
{
  const Polynomial *f = user;
  *value = 0;
  for (uint32_t k = f->degree; k > 0; k--) {
    *value = dae_mod_add(dae_mod_mul(*value, at), dae_mod_mul(k, f->a[k]));
  }
  *value = dae_mod_add(*value, f->lie);
  return true;
}

/* The constant coefficient is such that `root` is a root. */
static Polynomial
planted(uint32_t degree, uint64_t root, uint32_t *state)
{
  Polynomial f = {.degree = degree};
  uint64_t value = 0;
  for (uint32_t k = 1; k <= degree; k++) {
    f.a[k] = 1 + next_random(state);
  }
  polynomial_value(&f, root, &value);
  f.a[0] = dae_mod_neg(value);
  return f;
}

static void
test_roots_of_functions_are_roots_whatever_the_slopes_say(void)
{
  uint32_t state = 5;
  for (int run = 0; run < 300; run++) {
    Polynomial f = planted(1 + (uint32_t)run % 8, next_random(&state), &state);
    f.lie = run % 3 == 2 ? 1 + next_random(&state) : 0;
    uint64_t root = 0;
    uint64_t value = 1;
    bool is_found = dae_mod_function_root(polynomial_value, polynomial_slope, &f, 1, &root);
    /* slopes may say that there is none; of many roots none may be split off */
    TEST_ASSERT_TRUE(is_found || f.degree > 2 || f.lie != 0);
    if (is_found) {
      TEST_ASSERT_TRUE(f.asked == root);
      polynomial_value(&f, root, &value);
      TEST_ASSERT_TRUE(value == 0);
    }
  }
}

static void
test_functions_without_roots_have_none(void)
{
  uint64_t root = 0;
  Polynomial square = {.a = {1, 0, 1}, .degree = 2}; /* -1 is no square: the prime is 3 mod 4 */
  Polynomial constant = {.a = {7}, .degree = 0};
  Polynomial high = {.a = {3, 0, 0, 0, 0, 0, 0, 0, 0, 1}, .degree = 9};
  TEST_ASSERT_FALSE(
      dae_mod_function_root(polynomial_value, polynomial_slope, &square, 1, &root));
  TEST_ASSERT_FALSE(
      dae_mod_function_root(polynomial_value, polynomial_slope, &constant, 1, &root));
  TEST_ASSERT_FALSE(dae_mod_function_root(polynomial_value, polynomial_slope, &high, 1, &root));
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
  RUN_TEST(test_a_full_core_is_solved);
  RUN_TEST(test_null_vectors_of_a_full_core_are_found);
  RUN_TEST(test_roots_of_functions_are_roots_whatever_the_slopes_say);
  RUN_TEST(test_functions_without_roots_have_none);
  return UNITY_END();
}
