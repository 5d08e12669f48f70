/* Axes: ranges, round ticks and their labels. */
#include <math.h>
#include <string.h>

#include "report/plot-priv.h"

/* 1, 2 or 5 times a power of ten. */
static double
round_step(double raw)
{
  double power = pow(10, floor(log10(raw)));
  double lead = raw / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

/* The next smaller one of the same kind. */
static double
finer_step(double step)
{
  double lead = step / pow(10, floor(log10(step) + 1e-9));
  return step * (lead > 4 ? 0.4 : 0.5);
}

static long
count_ticks(double low, double high, double step)
{
  return lround(floor(high / step + 1e-9) - ceil(low / step - 1e-9)) + 1;
}

static void
choose_logarithmic(DaePlotAxis *axis, double low, double high, double wanted, bool exact)
{
  bool is_short = high - low < 1; /* at least one power of ten is shown */
  axis->low = exact && !is_short ? low : floor(low + 1e-9);
  axis->high = exact && !is_short ? high : ceil(high - 1e-9);
  if (axis->high - axis->low < 1) {
    axis->high = axis->low + 1;
  }
  axis->step = fmax(1, ceil((axis->high - axis->low) / wanted));
}

/* Labels such as 0.0000002 or 1.0000000013 are made short by a common factor or offset. */
static void
choose_labels(DaePlotAxis *axis)
{
  double largest = fmax(fabs(axis->low), fabs(axis->high));
  if (axis->step < 1e-5 * largest) {
    double unit = pow(10, ceil(log10(axis->high - axis->low)));
    axis->offset = round(0.5 * (axis->low + axis->high) / unit) * unit;
    largest = fmax(fabs(axis->low - axis->offset), fabs(axis->high - axis->offset));
  }
  double power = floor(log10(largest) + 1e-9);
  axis->exponent = power >= 5 || power < -3 ? (int)power : 0;
  double lead = floor(log10(axis->step) + 1e-9) - axis->exponent;
  axis->decimals = lead < 0 ? (int)-lead : 0;
}

void
dae_plot_choose_axis(DaePlotAxis *axis, double low, double high, double wanted, bool exact,
                     double noise)
{
  if (axis->is_log) {
    choose_logarithmic(axis, low, high, wanted, exact);
  } else if (axis->kind == DAE_PLOT_BOOLEAN) {
    axis->low = -0.1;
    axis->high = 1.1;
    axis->step = 1;
  } else {
    double middle = 0.5 * (low + high);
    if (!(high - low > fmax(noise, 1e-12) * fabs(middle))) { /* constant, but for errors */
      bool is_whole = middle == 0 || axis->kind == DAE_PLOT_INTEGER;
      double pad = is_whole ? 1 : 0.1 * fabs(middle);
      low = middle - pad;
      high = middle + pad;
    } else if (!exact) {
      double pad = 0.04 * (high - low);
      low -= pad;
      high += pad;
    }
    axis->low = low;
    axis->high = high;
    axis->step = round_step((high - low) / wanted);
    for (int k = 0; k < 2 && count_ticks(low, high, axis->step) < 4; k++) {
      axis->step = finer_step(axis->step);
    }
    if (axis->kind == DAE_PLOT_INTEGER) {
      axis->step = fmax(axis->step, 1);
    }
    choose_labels(axis);
  }
  axis->first = ceil(axis->low / axis->step - 1e-9) * axis->step;
  axis->n_ticks = lround(floor((axis->high - axis->first) / axis->step + 1e-9)) + 1;
}

static double
place_linear(const DaePlotAxis *axis, double v)
{
  return axis->from + (v - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

double
dae_plot_place(const DaePlotAxis *axis, double value)
{
  return place_linear(axis, axis->is_log ? log10(value) : value);
}

double
dae_plot_tick(const DaePlotAxis *axis, long k)
{
  return place_linear(axis, axis->first + (double)k * axis->step);
}

static void
append_raised(GString *out, int number)
{
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  g_autofree char *digits = g_strdup_printf("%d", number);
  for (const char *p = digits; *p != '\0'; p++) {
    g_string_append(out, *p == '-' ? "⁻" : raised[*p - '0']);
  }
}

void
dae_plot_tick_text(const DaePlotAxis *axis, long k, GString *out)
{
  double v = axis->first + (double)k * axis->step;
  if (axis->kind == DAE_PLOT_BOOLEAN && !axis->is_log) {
    g_string_append(out, v > 0.5 ? "true" : "false");
    return;
  }
  if (axis->is_log) {
    g_string_append(out, "10");
    append_raised(out, (int)lround(v));
    return;
  }
  char number[64];
  double shown = (v - axis->offset) / pow(10, axis->exponent);
  if (fabs(v - axis->offset) < 1e-6 * axis->step) {
    shown = 0;
  }
  g_snprintf(number, sizeof number, "%.*f", axis->decimals, shown);
  g_string_append(out, number[0] == '-' ? "−" : "");
  g_string_append(out, number[0] == '-' ? number + 1 : number);
}

void
dae_plot_scale_text(const DaePlotAxis *axis, GString *out)
{
  if (axis->exponent != 0) {
    g_string_append(out, "×10");
    append_raised(out, axis->exponent);
  }
  if (axis->offset != 0) {
    g_string_append_printf(out, "%s%s %.15g", axis->exponent != 0 ? " " : "",
                           axis->offset < 0 ? "−" : "+", fabs(axis->offset));
  }
}
