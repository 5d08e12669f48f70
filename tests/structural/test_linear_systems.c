/* Random linear systems E x' + A x = b(t), two ways: the degrees of freedom are the degree of
 * det(s E + A), and the system is ill-posed exactly if that determinant is the zero polynomial. */
#include "analysis.h"

enum { MOST = 5 };

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

/* Adds the products along all permutations of the columns not used
 * yet to p (coefficients of s^k). */
static void
expand_determinant(uint32_t n, const int64_t e[MOST][MOST], const int64_t a[MOST][MOST],
                   uint32_t row, uint32_t used, const int64_t *so_far, int64_t *p)
{
  if (row == n) {
    for (uint32_t k = 0; k <= n; k++) {
      p[k] += so_far[k];
    }
    return;
  }
  int64_t sign = 1;
  for (uint32_t j = 0; j < n; j++) {
    if ((used >> j & 1) != 0) {
      continue;
    }
    int64_t next[MOST + 1] = {0};
    for (uint32_t k = 0; k <= n; k++) {
      next[k] = sign * (a[row][j] * so_far[k] + (k > 0 ? e[row][j] * so_far[k - 1] : 0));
    }
    expand_determinant(n, e, a, row + 1, used | 1u << j, next, p);
    sign = -sign; /* the number of unused columns before j decides the sign */
  }
}

static int
degree_of_pencil(uint32_t n, const int64_t e[MOST][MOST], const int64_t a[MOST][MOST])
{
  int64_t one[MOST + 1] = {1};
  int64_t p[MOST + 1] = {0};
  expand_determinant(n, e, a, 0, 0, one, p);
  for (int k = (int)n; k >= 0; k--) {
    if (p[k] != 0) {
      return k;
    }
  }
  return -1;
}

/* E of low rank, A sparse, then rows mixed: structure is lost, the pencil keeps its degree. */
static void
make_system(uint32_t n, int64_t e[MOST][MOST], int64_t a[MOST][MOST], uint32_t *state)
{
  memset(e, 0, sizeof(int64_t) * MOST * MOST);
  memset(a, 0, sizeof(int64_t) * MOST * MOST);
  uint32_t rank = next_random(state) % (n + 1);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      e[i][j] =
          i < rank && next_random(state) % 2 == 0 ? (int64_t)(next_random(state) % 3) - 1 : 0;
      a[i][j] = next_random(state) % 2 == 0 ? (int64_t)(next_random(state) % 3) - 1 : 0;
    }
  }
  for (uint32_t mix = next_random(state) % 4; mix > 0; mix--) {
    uint32_t from = next_random(state) % n;
    uint32_t to = next_random(state) % n;
    for (uint32_t j = 0; from != to && j < n; j++) {
      e[to][j] += e[from][j];
      a[to][j] += a[from][j];
    }
  }
}

static GString *
write_system(uint32_t n, const int64_t e[MOST][MOST], const int64_t a[MOST][MOST])
{
  GString *text = g_string_new("model A\n");
  for (uint32_t j = 0; j < n; j++) {
    g_string_append_printf(text, "Real x%u;\n", j);
  }
  g_string_append(text, "equation\n");
  for (uint32_t i = 0; i < n; i++) {
    g_string_append(text, "0");
    for (uint32_t j = 0; j < n; j++) {
      g_string_append_printf(text, " + (%d)*der(x%u) + (%d)*x%u", (int)e[i][j], j, (int)a[i][j],
                             j);
    }
    g_string_append_printf(text, " = sin(%u*time);\n", i + 1);
  }
  g_string_append(text, "end A;\n");
  return text;
}

static void
test_the_degrees_of_freedom_are_the_degree_of_the_pencil(void)
{
  uint32_t state = 2024;
  int n_repaired = 0;
  int n_ill_posed = 0;
  for (int run = 0; run < 4000; run++) {
    int64_t e[MOST][MOST];
    int64_t a[MOST][MOST];
    uint32_t n = 2 + next_random(&state) % (MOST - 1);
    make_system(n, e, a, &state);
    int degree = degree_of_pencil(n, (const int64_t(*)[MOST])e, (const int64_t(*)[MOST])a);
    g_autoptr(GString) text =
        write_system(n, (const int64_t(*)[MOST])e, (const int64_t(*)[MOST])a);
    Analysis analysis = analyze_text(text->str);
    DaeSigStatus status = dae_sig_status(analysis.sig);
    bool is_positive = status == DAE_SIG_SUCCESS || status == DAE_SIG_REPAIRED;
    TEST_ASSERT_EQUAL_MESSAGE(degree >= 0, is_positive, text->str);
    if (is_positive) {
      TEST_ASSERT_EQUAL_INT64_MESSAGE(degree, dae_sig_dof(analysis.sig), text->str);
    } else if (status == DAE_SIG_JACOBIAN_SINGULAR) {
      TEST_ASSERT_NOT_NULL_MESSAGE(dae_sig_ill_posed(analysis.sig, NULL), text->str);
      n_ill_posed++;
    } else {
      TEST_ASSERT_EQUAL_INT_MESSAGE(DAE_SIG_STRUCTURALLY_SINGULAR, status, text->str);
    }
    n_repaired += status == DAE_SIG_REPAIRED;
    clear_analysis(&analysis);
  }
  TEST_ASSERT_TRUE(n_repaired > 50);
  TEST_ASSERT_TRUE(n_ill_posed > 20);
}

int
main(void)
{
  dae_algebra_init();
  UNITY_BEGIN();
  RUN_TEST(test_the_degrees_of_freedom_are_the_degree_of_the_pencil);
  return UNITY_END();
}
