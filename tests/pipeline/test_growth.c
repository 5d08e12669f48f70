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

int
main(void)
{
  dae_init();
  UNITY_BEGIN();
  RUN_TEST(test_heat_rod);
  RUN_TEST(test_connectors);
  RUN_TEST(test_ladder);
  RUN_TEST(test_pendula);
  return UNITY_END();
}
