/* Order conditions of the explicit pairs, tree by tree [HairerNorsettWanner93, II.2]. */
#include "solver/erk_tableau.h"

#include <math.h>
#include <unity.h>

void
setUp(void)
{
}

void
tearDown(void)
{
}

enum { MOST_ORDER = 8, MOST_TREES = 200, MOST_CHILDREN = 7 };

typedef struct {
  int order;
  long double density; /* gamma */
  int n_children, children[MOST_CHILDREN];
} Tree;

typedef struct {
  Tree trees[MOST_TREES];
  int n;
} Forest;

/* All trees whose root has the children so far and more ones, numbered `from` or later, of `left`
 * nodes. */
static void
grow(Forest *forest, Tree *tree, int from, int left)
{
  if (left == 0) {
    TEST_ASSERT_TRUE(forest->n < MOST_TREES);
    Tree *grown = &forest->trees[forest->n];
    *grown = *tree;
    grown->density = tree->order;
    for (int i = 0; i < tree->n_children; i++) {
      grown->density *= forest->trees[tree->children[i]].density;
    }
    forest->n++;
    return;
  }
  const int n = forest->n;
  for (int k = from; k < n && forest->trees[k].order <= left; k++) {
    tree->children[tree->n_children++] = k;
    grow(forest, tree, k, left - forest->trees[k].order);
    tree->n_children--;
  }
}

static void
make_forest(Forest *forest)
{
  forest->n = 0;
  for (int order = 1; order <= MOST_ORDER; order++) {
    Tree tree = {.order = order};
    grow(forest, &tree, 0, order - 1);
  }
}

/* Weights of all trees at each stage: g_i = prod over children of sum_j a_ij g_j(child). */
static void
stage_weights(const Forest *forest, const DaeErkTableau *pair,
              long double g[MOST_TREES][DAE_ERK_STAGES])
{
  const int stages = (int)(pair->s + 1 + pair->n_extra);
  for (int k = 0; k < forest->n; k++) {
    const Tree *tree = &forest->trees[k];
    for (int i = 0; i < stages; i++) {
      long double product = 1.0L;
      for (int c = 0; c < tree->n_children; c++) {
        long double sum = 0.0L;
        for (int j = 0; j < i; j++) {
          sum += (long double)pair->a[i][j] * g[tree->children[c]][j];
        }
        product *= sum;
      }
      g[k][i] = product;
    }
  }
}

static long double
apply(const DaeErkTableau *pair, const long double *weights, const long double *g)
{
  long double sum = 0.0L;
  for (uint32_t i = 0; i <= pair->s + pair->n_extra; i++) {
    sum += weights[i] * g[i];
  }
  return sum;
}

/* Weights of the continuous extension at theta. */
static void
extension_weights(const DaeErkTableau *pair, long double theta, long double *weights)
{
  for (uint32_t i = 0; i < DAE_ERK_STAGES; i++) {
    long double f[3 + DAE_ERK_DENSE] = {0.0L};
    const long double b = i < pair->s ? pair->a[pair->s][i] : 0.0L;
    const long double first = i == 0, last = i == pair->s;
    f[0] = b;
    f[1] = first - b;
    f[2] = 2.0L * b - first - last;
    for (uint32_t k = 0; k < pair->n_dense; k++) {
      f[3 + k] = pair->d[k][i];
    }
    long double sum = 0.0L;
    for (uint32_t k = 3 + pair->n_dense; k-- > 0;) {
      sum = f[k] + (k % 2 == 0 ? 1.0L - theta : theta) * sum;
    }
    weights[i] = theta * sum;
  }
}

static void
there_are_200_trees_of_up_to_8_nodes(void)
{
  static Forest forest;
  make_forest(&forest);
  TEST_ASSERT_EQUAL_INT(200, forest.n);
}

static void
nodes_are_row_sums(void)
{
  for (int p = 0; p < 2; p++) {
    const DaeErkTableau *pair = &dae_erk_tableaus[p];
    for (uint32_t i = 0; i <= pair->s + pair->n_extra; i++) {
      double sum = 0.0;
      for (uint32_t j = 0; j < i; j++) {
        sum += pair->a[i][j];
      }
      TEST_ASSERT_DOUBLE_WITHIN(1e-14, pair->c[i], sum);
    }
    TEST_ASSERT_TRUE(pair->c[pair->s] == 1.0 && pair->c[pair->s - 1] == 1.0);
  }
}

static void
conditions_hold_up_to_the_order_and_not_beyond(void)
{
  static Forest forest;
  static long double g[MOST_TREES][DAE_ERK_STAGES];
  make_forest(&forest);
  for (int p = 0; p < 2; p++) {
    const DaeErkTableau *pair = &dae_erk_tableaus[p];
    long double b[DAE_ERK_STAGES] = {0.0L}, e[DAE_ERK_STAGES], second[DAE_ERK_STAGES];
    const int estimate = p == 0 ? 4 : 5;
    long double beyond = 0.0L, estimated = 0.0L;
    for (uint32_t i = 0; i < DAE_ERK_STAGES; i++) {
      b[i] = i < pair->s && pair->s < DAE_ERK_STAGES ? pair->a[pair->s][i] : 0.0L;
      e[i] = pair->e[i];
      second[i] = pair->e_second[i];
    }
    stage_weights(&forest, pair, g);
    for (int k = 0; k < forest.n; k++) {
      const Tree *tree = &forest.trees[k];
      const double defect = (double)(apply(pair, b, g[k]) - 1.0L / tree->density);
      if (tree->order <= pair->order) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, defect);
      } else {
        beyond = fmaxl(beyond, fabsl((long double)defect));
      }
      if (tree->order <= estimate) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, (double)apply(pair, e, g[k]));
      } else {
        estimated = fmaxl(estimated, fabsl(apply(pair, e, g[k])));
      }
      if (pair->has_second && tree->order <= 3) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0.0, (double)apply(pair, second, g[k]));
      }
    }
    TEST_ASSERT_TRUE(estimated > 1e-6L);
    TEST_ASSERT_TRUE(pair->order == MOST_ORDER || beyond > 1e-6L);
  }
}

static void
extensions_have_one_order_less(void)
{
  static Forest forest;
  static long double g[MOST_TREES][DAE_ERK_STAGES];
  make_forest(&forest);
  for (int p = 0; p < 2; p++) {
    const DaeErkTableau *pair = &dae_erk_tableaus[p];
    stage_weights(&forest, pair, g);
    for (int part = 0; part <= 4; part++) {
      const long double theta = 0.25L * part;
      long double weights[DAE_ERK_STAGES];
      extension_weights(pair, theta, weights);
      for (int k = 0; k < forest.n && forest.trees[k].order < pair->order; k++) {
        const long double exact = powl(theta, forest.trees[k].order) / forest.trees[k].density;
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, (double)exact, (double)apply(pair, weights, g[k]));
      }
    }
  }
}

int
main(void)
{
  UNITY_BEGIN();
  RUN_TEST(there_are_200_trees_of_up_to_8_nodes);
  RUN_TEST(nodes_are_row_sums);
  RUN_TEST(conditions_hold_up_to_the_order_and_not_beyond);
  RUN_TEST(extensions_have_one_order_less);
  return UNITY_END();
}
