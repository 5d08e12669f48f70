/* Sparse LU in lanes: solutions against the matrices, new pivots where the old
 * ones fail, singular matrices. */
#include "solver/sparse_lu.h"

#include <complex.h>
#include <math.h>
#include <string.h>
#include <unity.h>

#define N 40
#define MOST (N * 8)

void
setUp(void)
{
}

void
tearDown(void)
{
}

typedef struct {
  int column_start[N + 1], row[MOST], order[N];
  double a[MOST], b[MOST];
  uint32_t seed;
} Matrix;

static double
random_number(Matrix *m)
{
  m->seed = m->seed * 1664525u + 1013904223u;
  return (double)(m->seed >> 8) / 8388608.0 - 1.0;
}

/* A diagonal, which may be tiny, and up to six other entries in each column. */
static void
fill(Matrix *m, double diagonal)
{
  int at = 0;
  for (int j = 0; j < N; j++) {
    bool taken[N] = {false};
    m->order[j] = (7 * j) % N; /* 7 and 40 have no common factor */
    m->column_start[j] = at;
    taken[j] = true;
    for (int k = 0; k < 6; k++) {
      taken[(int)(fabs(random_number(m)) * (N - 1))] = true;
    }
    for (int i = 0; i < N; i++) {
      if (taken[i]) {
        m->row[at] = i;
        m->a[at] = random_number(m) * (i == j ? diagonal : 1.0);
        m->b[at++] = random_number(m) * (i == j ? diagonal : 1.0);
      }
    }
  }
  m->column_start[N] = at;
}

static DaeSparseLu *
lu_new(const Matrix *m, uint32_t width)
{
  DaeSparseLu *lu = dae_sparse_lu_new(N, m->column_start, m->row, m->order, m->order, width);
  lu->a = m->a;
  lu->b = m->b;
  for (uint32_t l = 0; l < width; l++) {
    lu->re[l] = 3.0 - l;
    lu->im[l] = l == 0 ? 0.0 : 1.5 * l;
  }
  return lu;
}

/* Largest entry of (lambda A + B) x - rhs of one lane, relative to the terms it is made of. */
static double
residual(const DaeSparseLu *lu, uint32_t width, uint32_t lane, const double complex *x,
         const double complex *rhs)
{
  double complex r[N];
  double complex lambda = width == 0 ? 1.0 : lu->re[lane] + lu->im[lane] * I;
  double largest = 0.0;
  double size = 1.0;
  memcpy(r, rhs, sizeof(r));
  for (int j = 0; j < N; j++) {
    for (int e = lu->column_start[j]; e < lu->column_start[j + 1]; e++) {
      double complex term = (lambda * lu->a[e] + lu->b[e]) * x[j];
      r[lu->row[e]] -= term;
      size = fmax(size, cabs(term));
    }
  }
  for (int i = 0; i < N; i++) {
    largest = fmax(largest, cabs(r[i]));
  }
  return largest / size;
}

static void
check_solution(DaeSparseLu *lu, uint32_t width)
{
  size_t stride = width == 0 ? 1 : 2 * width;
  double complex rhs[4][N];
  double complex x[4][N];
  for (int i = 0; i < N; i++) {
    for (uint32_t l = 0; l < (width == 0 ? 1 : width); l++) {
      rhs[l][i] = cos(i + 2.0 * l) + (l == 0 ? 0.0 : sin(3.0 * i)) * I;
      lu->x[stride * lu->place[i] + l] = creal(rhs[l][i]) * lu->row_scale[i];
      if (width > 0) {
        lu->x[stride * lu->place[i] + width + l] = cimag(rhs[l][i]) * lu->row_scale[i];
      }
    }
  }
  dae_sparse_lu_solve(lu, width);
  for (uint32_t l = 0; l < (width == 0 ? 1 : width); l++) {
    for (int k = 0; k < N; k++) {
      double im = width == 0 ? 0.0 : lu->x[stride * k + width + l];
      x[l][lu->column_order[k]] = lu->x[stride * k + l] + im * I;
    }
    TEST_ASSERT_TRUE(residual(lu, width, l, x[l], rhs[l]) < 1e-11);
  }
  for (int i = 0; i < N; i++) {
    lu->x[lu->place[i]] = creal(rhs[0][i]) * lu->row_scale[i];
  }
  dae_sparse_lu_solve_first(lu, width);
  for (int k = 0; k < N; k++) {
    x[0][lu->column_order[k]] = lu->x[k];
  }
  TEST_ASSERT_TRUE(residual(lu, width, 0, x[0], rhs[0]) < 1e-11);
}

static const uint32_t widths[] = {0, 2, 4};

static void
solutions_solve_their_systems(void)
{
  for (uint32_t seed = 1; seed <= 20; seed++) {
    for (int k = 0; k < 3; k++) {
      Matrix m = {.seed = seed};
      fill(&m, 4.0);
      DaeSparseLu *lu = lu_new(&m, widths[k]);
      TEST_ASSERT_TRUE(dae_sparse_lu_factor(lu, widths[k]));
      check_solution(lu, widths[k]);
      dae_sparse_lu_free(lu);
    }
  }
}

/* The same pattern with other values: the pivots of the first are useless, the
 * second has zeros on the diagonal. */
static void
pivots_are_chosen_anew_where_the_old_ones_fail(void)
{
  for (int k = 0; k < 3; k++) {
    Matrix m = {.seed = 5};
    fill(&m, 1e3);
    DaeSparseLu *lu = lu_new(&m, widths[k]);
    TEST_ASSERT_TRUE(dae_sparse_lu_factor(lu, widths[k]));
    int first[N];
    memcpy(first, lu->row_at, sizeof(first));
    m.seed = 5;
    fill(&m, 1e-9);
    TEST_ASSERT_TRUE(dae_sparse_lu_factor(lu, widths[k]));
    TEST_ASSERT_TRUE(memcmp(first, lu->row_at, sizeof(first)) != 0);
    check_solution(lu, widths[k]);
    memcpy(first, lu->row_at, sizeof(first));
    TEST_ASSERT_TRUE(dae_sparse_lu_factor(lu, widths[k]));
    TEST_ASSERT_EQUAL_INT_ARRAY(first, lu->row_at, N);
    check_solution(lu, widths[k]);
    dae_sparse_lu_free(lu);
  }
}

/* A narrower use of the same object, as when the order of the method changes. */
static void
width_may_change_from_one_factorization_to_the_next(void)
{
  Matrix m = {.seed = 9};
  fill(&m, 2.0);
  DaeSparseLu *lu = lu_new(&m, 4);
  const uint32_t sequence[] = {4, 2, 4};
  for (int k = 0; k < 3; k++) {
    TEST_ASSERT_TRUE(dae_sparse_lu_factor(lu, sequence[k]));
    check_solution(lu, sequence[k]);
  }
  dae_sparse_lu_free(lu);
}

static void
singular_matrices_are_refused_and_do_no_harm(void)
{
  for (int k = 0; k < 3; k++) {
    Matrix m = {.seed = 3};
    fill(&m, 2.0);
    DaeSparseLu *lu = lu_new(&m, widths[k]);
    Matrix good = m;
    for (int e = m.column_start[4]; e < m.column_start[5]; e++) {
      m.a[e] = m.b[e] = 0.0;
    }
    TEST_ASSERT_FALSE(dae_sparse_lu_factor(lu, widths[k]));
    memcpy(m.a, good.a, sizeof(m.a));
    memcpy(m.b, good.b, sizeof(m.b));
    TEST_ASSERT_TRUE(dae_sparse_lu_factor(lu, widths[k]));
    check_solution(lu, widths[k]);
    m.b[0] = NAN;
    TEST_ASSERT_FALSE(dae_sparse_lu_factor(lu, widths[k]));
    dae_sparse_lu_free(lu);
  }
}

/* An order that fills too much is given up, and another one serves. */
static void
fill_beyond_the_limit_is_told(void)
{
  Matrix m = {.seed = 11};
  fill(&m, 4.0);
  DaeSparseLu *lu = lu_new(&m, 4);
  lu->fill_limit = 50;
  TEST_ASSERT_FALSE(dae_sparse_lu_factor(lu, 4));
  TEST_ASSERT_TRUE(lu->is_over_limit);
  int order[N];
  for (int k = 0; k < N; k++) {
    order[k] = N - 1 - k;
  }
  dae_sparse_lu_reorder(lu, order, order);
  TEST_ASSERT_TRUE(dae_sparse_lu_factor(lu, 4));
  TEST_ASSERT_EQUAL_INT_ARRAY(order, lu->column_order, N);
  check_solution(lu, 4);
  dae_sparse_lu_free(lu);
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(solutions_solve_their_systems);
  RUN_TEST(pivots_are_chosen_anew_where_the_old_ones_fail);
  RUN_TEST(width_may_change_from_one_factorization_to_the_next);
  RUN_TEST(singular_matrices_are_refused_and_do_no_harm);
  RUN_TEST(fill_beyond_the_limit_is_told);
  return UNITY_END();
}
