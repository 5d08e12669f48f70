#include "kinds.h"

#include <glib.h>

static void
append_chain_forces(GString *text, uint32_t n, char coordinate, char velocity)
{
  for (uint32_t i = 1; i <= n; i++) {
    g_string_append_printf(text, "  m*der(%c%u) = -(%c%u", velocity, i, coordinate, i);
    if (i > 1) {
      g_string_append_printf(text, " - %c%u", coordinate, i - 1);
    }
    g_string_append_printf(text, ")*l%u", i);
    if (i < n) {
      g_string_append_printf(text, " + (%c%u - %c%u)*l%u", coordinate, i + 1, coordinate, i,
                             i + 1);
    }
    g_string_append(text, coordinate == 'y' ? " - m*g;\n" : ";\n");
  }
}

char *
bench_chain(uint32_t n)
{
  GString *text = g_string_new("model Chain\n  parameter Real m = 1;\n  parameter Real L = 1;\n"
                               "  parameter Real g = 9.81;\n");
  for (uint32_t i = 1; i <= n; i++) {
    g_string_append_printf(text, "  Real x%u(start = %u), y%u, u%u, v%u, l%u;\n", i, i, i, i, i,
                           i);
  }
  g_string_append(text, "equation\n");
  for (uint32_t i = 1; i <= n; i++) {
    g_string_append_printf(text, "  der(x%u) = u%u;\n  der(y%u) = v%u;\n", i, i, i, i);
  }
  append_chain_forces(text, n, 'x', 'u');
  append_chain_forces(text, n, 'y', 'v');
  g_string_append(text, "  x1^2 + y1^2 = L^2;\n");
  for (uint32_t i = 2; i <= n; i++) {
    g_string_append_printf(text, "  (x%u - x%u)^2 + (y%u - y%u)^2 = L^2;\n", i, i - 1, i,
                           i - 1);
  }
  g_string_append(text, "end Chain;\n");
  return g_string_free(text, FALSE);
}

char *
bench_ladder(uint32_t n)
{
  GString *text = g_string_new("model Ladder\n  parameter Real C = 1e-6;\n"
                               "  parameter Real D = 2e-6;\n  parameter Real L = 1e-3;\n");
  for (uint32_t i = 1; i <= n; i++) {
    g_string_append_printf(text, "  Real u%u, w%u, c%u, j%u, i%u;\n", i, i, i, i, i);
  }
  g_string_append(text, "equation\n");
  for (uint32_t i = 1; i <= n; i++) {
    g_string_append_printf(text, "  C*der(u%u) = c%u;\n  D*der(w%u) = j%u;\n", i, i, i, i);
    if (i == 1) {
      g_string_append_printf(text, "  L*der(i1) = sin(time) - u1;\n");
    } else {
      g_string_append_printf(text, "  L*der(i%u) = u%u - u%u;\n", i, i - 1, i);
    }
    g_string_append_printf(text, "  i%u", i);
    if (i > 1) {
      g_string_append_printf(text, " + j%u", i - 1);
    }
    if (i < n) {
      g_string_append_printf(text, " - i%u", i + 1);
    }
    g_string_append_printf(text, " - c%u - j%u = 0;\n", i, i);
    if (i < n) {
      g_string_append_printf(text, "  w%u = u%u - u%u;\n", i, i, i + 1);
    } else {
      g_string_append_printf(text, "  w%u = u%u;\n", i, i);
    }
  }
  g_string_append(text, "end Ladder;\n");
  return g_string_free(text, FALSE);
}

char *
bench_relative(uint32_t n)
{
  GString *text =
      g_string_new("model Relative\n  parameter Real m = 1;\n  parameter Real L = 1;\n"
                   "  parameter Real g = 9.81;\n  Real mu;\n");
  for (uint32_t i = 1; i <= n; i++) {
    g_string_append_printf(text, "  Real p%u(start = %g), w%u;\n", i, 0.1 * i, i);
  }
  g_string_append(text, "equation\n");
  for (uint32_t i = 1; i <= n; i++) {
    g_string_append_printf(text, "  der(p%u) = w%u;\n", i, i);
  }
  for (uint32_t i = 1; i <= n; i++) {
    g_string_append(text, "  ");
    for (uint32_t k = 1; k <= n; k++) {
      uint32_t below = n + 1 - MAX(i, k);
      g_string_append_printf(text, "%s%u*m*L^2*cos(p%u - p%u)*der(w%u)", k == 1 ? "" : " + ",
                             below, i, k, k);
    }
    for (uint32_t k = 1; k <= n; k++) {
      uint32_t below = n + 1 - MAX(i, k);
      g_string_append_printf(text, " + %u*m*L^2*sin(p%u - p%u)*w%u^2", below, i, k, k);
    }
    g_string_append_printf(text, " + %u*m*g*L*sin(p%u) + mu*L*cos(p%u) = 0;\n", n + 1 - i, i,
                           i);
  }
  g_string_append(text, "  0 = ");
  for (uint32_t i = 1; i <= n; i++) {
    g_string_append_printf(text, "%ssin(p%u)", i == 1 ? "" : " + ", i);
  }
  g_string_append_printf(text, " - %g;\nend Relative;\n", 0.4 * n);
  return g_string_free(text, FALSE);
}
