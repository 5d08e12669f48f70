/* A benchmark in operations, not seconds: terms built from text to start, and looks at
 * equations while trivial ones are solved. Twice the model may cost little more than twice as
 * much; what grows faster fails here, on every machine alike. */
#include <string.h>

#include "pipeline/pipeline.h"
#include "unity.h"

/* Cost of twice the size over the cost of the size; logarithms and hash tables may add a little. */
#define MOST_GROWTH 2.2

void
setUp(void)
{
}

void
tearDown(void)
{
}

typedef void (*Kind)(GString *text, uint32_t n);

static void
heat_rod(GString *text, uint32_t n)
{
  g_string_append_printf(text,
                         "model A Real T[%u](each start = 0, each fixed = true); equation\n"
                         "der(T[1]) = 1 - 2*T[1] + T[2]; der(T[%u]) = T[%u] - T[%u];\n"
                         "for i in 2:%u loop der(T[i]) = T[i-1] - 2*T[i] + T[i+1]; end for; "
                         "end A;",
                         n, n, n - 1, n, n - 1);
}

/* A state behind connectors in a row, declared against the order of their equations. */
static void
connectors(GString *text, uint32_t n)
{
  g_string_append_printf(text,
                         "model A Real x(start = 1, fixed = true); Real c[%u]; equation\n", n);
  g_string_append_printf(text, "der(x) = -c[1]; c[%u] = x;", n);
  g_string_append_printf(text, "for i in 1:%u loop c[i] + (-c[i+1]) = 0; end for; end A;",
                         n - 1);
}

/* Resistors and capacitors with two pins each, connected to a ladder. */
static void
ladder(GString *text, uint32_t n)
{
  g_string_append_printf(
      text,
      "model A Real rpv[%u], rpi[%u], rnv[%u], rni[%u], cpv[%u], cpi[%u], cnv[%u], cni[%u];\n"
      "Real v[%u](each start = 0, each fixed = true); equation\n"
      "rpv[1] = sin(time);\n",
      n, n, n, n, n, n, n, n, n);
  g_string_append_printf(
      text,
      "for k in 1:%u loop rpi[k] + rni[k] = 0; rpv[k] - rnv[k] = 10*rpi[k];\n"
      "cpi[k] + cni[k] = 0; v[k] = cpv[k] - cnv[k]; cpi[k] = 1/1000*der(v[k]);\n"
      "rnv[k] = cpv[k]; cnv[k] = 0; end for;\n"
      "for k in 1:%u loop rpv[k+1] = rnv[k]; rni[k] + cpi[k] + rpi[k+1] = 0; end for;\n"
      "rni[%u] + cpi[%u] = 0; end A;",
      n, n - 1, n, n);
}

/* A chain of pendula, each hanging on the one before: hidden constraints of two levels. */
static void
pendula(GString *text, uint32_t n)
{
  g_string_append_printf(text,
                         "model A Real x[%u], y[%u], u[%u], v[%u], f[%u]; initial equation\n"
                         "for k in 1:%u loop x[k] = 0.1*0; u[k] = 0; end for; equation\n",
                         n, n, n, n, n, n);
  for (uint32_t k = 1; k <= n; k++) {
    g_autofree char *dx =
        k > 1 ? g_strdup_printf("(x[%u] - x[%u])", k, k - 1) : g_strdup("x[1]");
    g_autofree char *dy =
        k > 1 ? g_strdup_printf("(y[%u] - y[%u])", k, k - 1) : g_strdup("y[1]");
    g_autofree char *up =
        k < n ? g_strdup_printf("f[%u]*(x[%u] - x[%u])", k + 1, k + 1, k) : g_strdup("0");
    g_autofree char *uq =
        k < n ? g_strdup_printf("f[%u]*(y[%u] - y[%u])", k + 1, k + 1, k) : g_strdup("0");
    g_string_append_printf(text,
                           "der(x[%u]) = u[%u]; der(y[%u]) = v[%u]; der(u[%u]) = -f[%u]*%s + "
                           "%s; der(v[%u]) = -f[%u]*%s + %s - 10; %s^2 + %s^2 = 1;\n",
                           k, k, k, k, k, k, dx, up, k, k, dy, uq, dx, dy);
  }
  g_string_append(text, "end A;");
}

/* Heat in a plate of n rows with ten cells each, with its border as variables. */
static void
plate(GString *text, uint32_t n)
{
  g_string_append_printf(
      text,
      "model A constant Integer N = %u; Real T[N, 10](each start = 0, each fixed = true);\n"
      "Real w[N + 2, 12]; equation for i in 1:N, j in 1:10 loop w[i + 1, j + 1] = T[i, j];\n"
      "der(T[i, j]) = w[i, j + 1] + w[i + 2, j + 1] + w[i + 1, j] + w[i + 1, j + 2] - 4*T[i, j]"
      " - T[i, j]^4; end for;\n"
      "for i in 1:N + 2 loop w[i, 1] = 0; w[i, 12] = 0; end for;\n"
      "for j in 2:11 loop w[1, j] = 1; w[N + 2, j] = 0; end for; end A;",
      n);
}

static void
brusselator(GString *text, uint32_t n)
{
  g_string_append_printf(
      text,
      "model A constant Integer N = %u; Real u[N](each start = 1.2, each fixed = true);\n"
      "Real v[N](each start = 3, each fixed = true); Real p[N + 2], q[N + 2]; equation\n"
      "p[1] = 1; p[N + 2] = 1; q[1] = 3; q[N + 2] = 3; for i in 1:N loop\n"
      "p[i + 1] = u[i]; q[i + 1] = v[i];\n"
      "der(u[i]) = 1 + u[i]^2*v[i] - 4*u[i] + (p[i] - 2*u[i] + p[i + 2])/50;\n"
      "der(v[i]) = 3*u[i] - u[i]^2*v[i] + (q[i] - 2*v[i] + q[i + 2])/50; end for; end A;",
      n);
}

/* Masses on rods that hang from the ceiling at both ends. */
static void
loop(GString *text, uint32_t n)
{
  g_string_append_printf(
      text,
      "model A constant Integer N = %u; Real l[N + 1], u[N], v[N];\n"
      "Real x[N](start = {k/2 for k in 1:N});\n"
      "Real y[N](start = {(if mod(k, 2) == 1 then -0.866 else 0) for k in 1:N});\n"
      "equation for i in 1:N loop der(x[i]) = u[i]; der(y[i]) = v[i]; end for;\n",
      n);
  for (uint32_t i = 1; i <= n + 1; i++) {
    for (int k = 0; k < 2 && i <= n; k++) {
      char z = k == 0 ? 'x' : 'y';
      g_autofree char *above = i > 1 ? g_strdup_printf("(%c[%u] - %c[%u])", z, i, z, i - 1)
                                     : g_strdup_printf("%c[1]", z);
      g_autofree char *below =
          i < n ? g_strdup_printf("(%c[%u] - %c[%u])", z, i + 1, z, i)
                : g_strdup_printf("(%s - %c[%u])", k == 0 ? "(N + 1)/2" : "0", z, i);
      g_string_append_printf(text, "der(%c[%u]) = -%s*l[%u] + %s*l[%u]%s;\n",
                             k == 0 ? 'u' : 'v', i, above, i, below, i + 1,
                             k == 0 ? "" : " - 9.81");
    }
    g_autofree char *before =
        i > 1 ? g_strdup_printf("- x[%u])^2 + (", i - 1) : g_strdup(")^2 + (");
    g_autofree char *before_y = i > 1 ? g_strdup_printf("- y[%u])^2", i - 1) : g_strdup(")^2");
    g_autofree char *x = i <= n ? g_strdup_printf("x[%u]", i) : g_strdup("(N + 1)/2");
    g_autofree char *y = i <= n ? g_strdup_printf("y[%u]", i) : g_strdup("0");
    g_string_append_printf(text, "(%s %s%s %s = 1;\n", x, before, y, before_y);
  }
  g_string_append(text, "end A;");
}

typedef struct {
  double terms, work;
} Cost;

/* From text to the reduced system of the smaller model. */
static Cost
cost_of(Kind kind, uint32_t n)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(DaePipeline) pipeline = dae_pipeline_new(NULL);
  kind(text, n);
  TEST_ASSERT_TRUE_MESSAGE(
      dae_pipeline_read_text(pipeline, "growth.mo", text->str, text->len, NULL, NULL),
      text->str);
  dae_pipeline_set_simplify(pipeline, NULL);
  TEST_ASSERT_NOT_NULL(dae_pipeline_reduce(pipeline, NULL, NULL));
  const DaeSimplified *simplified = dae_pipeline_simplified(pipeline);
  TEST_ASSERT_NOT_NULL(simplified);
  return (Cost){dae_terms_count(dae_pipeline_terms(pipeline)),
                (double)dae_simplified_work(simplified)};
}

static void
check_growth(Kind kind, uint32_t n)
{
  Cost small = cost_of(kind, n);
  Cost large = cost_of(kind, 2 * n);
  g_autofree char *counts = g_strdup_printf("terms %g, then %g; looks %g, then %g", small.terms,
                                            large.terms, small.work, large.work);
  TEST_ASSERT_TRUE_MESSAGE(large.terms < MOST_GROWTH * small.terms, counts);
  TEST_ASSERT_TRUE_MESSAGE(large.work < MOST_GROWTH * small.work, counts);
}

static void
test_heat_rod(void)
{
  check_growth(heat_rod, 2000);
}

static void
test_connectors(void)
{
  check_growth(connectors, 2000);
}

static void
test_ladder(void)
{
  check_growth(ladder, 500);
}

static void
test_pendula(void)
{
  check_growth(pendula, 100);
}

static void
test_plate(void)
{
  check_growth(plate, 60);
}

static void
test_brusselator(void)
{
  check_growth(brusselator, 1000);
}

static void
test_loop(void)
{
  check_growth(loop, 15);
}

/* ---- structure --------------------------------------------------------------------------- */

/* n rows of ten nodes with resistors between them and a capacitor at every second one. */
static void
resistor_grid(GString *text, uint32_t n)
{
  g_string_append_printf(
      text,
      "model A constant Integer N = %u; Real v[N, 10], i[N, 9], j[N - 1, 10]; equation\n"
      "for r in 1:N, s in 1:10 loop (if s < 10 then i[r, min(s, 9)] else 0)\n"
      "- (if s > 1 then i[r, max(s - 1, 1)] else 0)\n"
      "+ (if r < N then j[min(r, N - 1), s] else 0) - (if r > 1 then j[max(r - 1, 1), s] else "
      "0)"
      "+ (if mod(r + s, 2) == 0 then der(v[r, s]) else v[r, s]) = 0; end for;\n"
      "for r in 1:N, s in 1:9 loop v[r, s] - v[r, s + 1] = 2*i[r, s]; end for;\n"
      "for r in 1:N - 1, s in 1:10 loop v[r, s] - v[r + 1, s] = 3*j[r, s]; end for; end A;",
      n);
}

/* Five entries in each equation, der(x) or x; the first ones are a transversal. */
static void
random_sparse(GString *text, uint32_t n)
{
  uint32_t state = 42;
  g_string_append_printf(text, "model A Real x[%u]; equation\n", n);
  for (uint32_t i = 0; i < n; i++) {
    g_string_append(text, "0 = 1");
    for (uint32_t k = 0; k < 5; k++) {
      state = state * 1664525u + 1013904223u;
      uint32_t j = k == 0 ? i * 7 % n : (state >> 8) % n;
      g_string_append_printf(text, (state >> 30 & 1) != 0 ? " + %u*x[%u]" : " + %u*der(x[%u])",
                             1 + (state >> 4) % 9, j + 1);
    }
    g_string_append(text, ";\n");
  }
  g_string_append(text, "end A;");
}

/* n rods in relative coordinates with the end held at a height: n^2 entries. */
static void
relative(GString *text, uint32_t n)
{
  g_string_append_printf(text,
                         "model A Real mu, p[%u](start = {k/10 for k in 1:%u}), w[%u];\n"
                         "equation for i in 1:%u loop der(p[i]) = w[i]; end for;\n",
                         n, n, n, n);
  for (uint32_t i = 1; i <= n; i++) {
    g_string_append(text, "0 = ");
    for (uint32_t j = 1; j <= n; j++) {
      uint32_t below = n + 1 - MAX(i, j);
      g_string_append_printf(
          text, "%u*cos(p[%u] - p[%u])*der(w[%u]) + %u*sin(p[%u] - p[%u])*w[%u]^2 + ", below, i,
          j, j, below, i, j, j);
    }
    g_string_append_printf(text, "%u*9.81*sin(p[%u]) + mu*cos(p[%u]);\n", n + 1 - i, i, i);
  }
  g_string_append_printf(text, "0 = sum(sin(p)) - %u*2/5; end A;", n);
}

static double
terms_of_analysis(Kind kind, uint32_t n)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(DaePipeline) pipeline = dae_pipeline_new(NULL);
  kind(text, n);
  TEST_ASSERT_TRUE_MESSAGE(
      dae_pipeline_read_text(pipeline, "growth.mo", text->str, text->len, NULL, NULL),
      text->str);
  const DaeSig *sig = dae_pipeline_analyze(pipeline, NULL, NULL);
  TEST_ASSERT_NOT_NULL(sig);
  TEST_ASSERT_EQUAL_INT(DAE_SIG_SUCCESS, dae_sig_status(sig));
  return dae_terms_count(dae_pipeline_terms(pipeline));
}

static void
check_growth_of_analysis(Kind kind, uint32_t n, double most)
{
  double small = terms_of_analysis(kind, n);
  double large = terms_of_analysis(kind, 2 * n);
  g_autofree char *counts = g_strdup_printf("terms %g, then %g", small, large);
  TEST_ASSERT_TRUE_MESSAGE(large < most * small, counts);
}

static void
test_analysis_of_resistor_grid(void)
{
  check_growth_of_analysis(resistor_grid, 60, MOST_GROWTH);
}

static void
test_analysis_of_random_equations(void)
{
  check_growth_of_analysis(random_sparse, 1000, MOST_GROWTH);
}

static void
test_analysis_of_relative_coordinates(void)
{
  check_growth_of_analysis(relative, 5, 4.4);
}

/* ---- check of the initialization --------------------------------------------------------- */

/* Capacitors along the edges of n x n nodes, all voltages given. */
static void
capacitor_grid(GString *text, uint32_t n)
{
  g_string_append_printf(
      text,
      "model A constant Integer M = %u; Real v[M, M];"
      "Real a[M, M - 1](each start = 0, each fixed = true), i[M, M - 1];"
      "Real b[M - 1, M](each start = 0, each fixed = true), j[M - 1, M]; equation\n"
      "for r in 1:M, s in 1:M loop if r == 1 and s == 1 then v[r, s] = 0; else\n"
      "(if s < M then i[r, min(s, M - 1)] else 0) - (if s > 1 then i[r, max(s - 1, 1)] else 0)"
      "+ (if r < M then j[min(r, M - 1), s] else 0) - (if r > 1 then j[max(r - 1, 1), s] else "
      "0)"
      "+ (if r == M and s == M then v[r, s] - 1 else 0) = 0; end if; end for;\n",
      n);
  g_string_append(text, "for r in 1:M, s in 1:M - 1 loop a[r, s] = v[r, s] - v[r, s + 1];"
                        "(1 + r/10 + s/7)*der(a[r, s]) = i[r, s]; end for;\n"
                        "for r in 1:M - 1, s in 1:M loop b[r, s] = v[r, s] - v[r + 1, s];"
                        "(1 + r/9 + s/8)*der(b[r, s]) = j[r, s]; end for; end A;");
}

static void
parallel_capacitors(GString *text, uint32_t n)
{
  g_string_append_printf(
      text,
      "model A constant Integer N = %u; Real u[N](each start = 4, each fixed = true), i[N];\n"
      "equation for k in 1:N loop (1 + k/10)*der(u[k]) = i[k]; end for;\n"
      "for k in 1:N - 1 loop u[k] = u[k + 1]; end for; u[1] + 5*sum(i) = 10; end A;",
      n);
}

/* Flow without density changes through n x n cells on a staggered grid, all velocities given. */
static void
staggered_flow(GString *text, uint32_t n)
{
  g_string_append_printf(
      text,
      "model A constant Integer M = %u; Real p[M, M];\n"
      "Real u[M - 1, M](each start = 0, each fixed = true);\n"
      "Real v[M, M - 1](each start = 0, each fixed = true); equation\n"
      "for i in 1:M - 1, j in 1:M loop der(u[i, j]) = p[i, j] - p[i + 1, j] - u[i, j]^2;\n"
      "der(v[j, i]) = p[j, i] - p[j, i + 1] - v[j, i]^2; end for;\n"
      "for i in 1:M, j in 1:M loop if i == 1 and j == 1 then p[1, 1] = 0; else\n"
      "(if i < M then u[min(i, M - 1), j] else 0) - (if i > 1 then u[max(i - 1, 1), j] else 0)"
      "+ (if j < M then v[i, min(j, M - 1)] else 0) - (if j > 1 then v[i, max(j - 1, 1)] else "
      "0)"
      "= 0; end if; end for; end A;",
      n);
}

/* Terms that the check makes, and steps of its proofs. */
static Cost
cost_of_check(Kind kind, uint32_t n)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(DaePipeline) pipeline = dae_pipeline_new(NULL);
  kind(text, n);
  TEST_ASSERT_TRUE(
      dae_pipeline_read_text(pipeline, "growth.mo", text->str, text->len, NULL, NULL));
  const DaeInit *init = dae_pipeline_check_init(pipeline, NULL, NULL);
  TEST_ASSERT_NOT_NULL(init);
  TEST_ASSERT_EQUAL_INT(DAE_INIT_CONSISTENT, dae_init_verdict(init));
  double n_steps = 0;
  for (uint32_t i = 0; i < dae_init_n_redundant(init); i++) {
    n_steps += dae_init_redundant(init, i)->n_steps;
  }
  return (Cost){dae_terms_count(dae_pipeline_terms(pipeline)), n_steps};
}

static void
check_growth_of_check(Kind kind, uint32_t n, double most_terms, double most_steps)
{
  Cost small = cost_of_check(kind, n);
  Cost large = cost_of_check(kind, 2 * n);
  g_autofree char *counts = g_strdup_printf("terms %g, then %g; steps %g, then %g", small.terms,
                                            large.terms, small.work, large.work);
  TEST_ASSERT_TRUE_MESSAGE(large.terms < most_terms * small.terms, counts);
  TEST_ASSERT_TRUE_MESSAGE(large.work < most_steps * small.work, counts);
}

/* Twice the nodes along a side: four times the equations, and proofs that go along a row. */
static void
test_check_of_capacitor_grid(void)
{
  check_growth_of_check(capacitor_grid, 10, 5, 9);
}

static void
test_check_of_staggered_flow(void)
{
  check_growth_of_check(staggered_flow, 8, 5, 9);
}

static void
test_check_of_parallel_capacitors(void)
{
  check_growth_of_check(parallel_capacitors, 1000, MOST_GROWTH, MOST_GROWTH);
}

int
main(void)
{
  dae_init();
  UNITY_BEGIN();
  RUN_TEST(test_heat_rod);
  RUN_TEST(test_connectors);
  RUN_TEST(test_ladder);
  RUN_TEST(test_pendula);
  RUN_TEST(test_plate);
  RUN_TEST(test_brusselator);
  RUN_TEST(test_loop);
  RUN_TEST(test_analysis_of_resistor_grid);
  RUN_TEST(test_analysis_of_random_equations);
  RUN_TEST(test_analysis_of_relative_coordinates);
  RUN_TEST(test_check_of_capacitor_grid);
  RUN_TEST(test_check_of_staggered_flow);
  RUN_TEST(test_check_of_parallel_capacitors);
  return UNITY_END();
}
