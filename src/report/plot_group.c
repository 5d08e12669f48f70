/* Which curves share a panel. */
#include <math.h>
#include <stdlib.h>

#include "report/plot-priv.h"

typedef struct {
  uint32_t series;
  uint32_t unit; /* number of its unit and kind, in the order of first use */
  double size;   /* largest absolute value */
} Member;

static double
size_of(const DaePlot *plot, const DaePlotSeries *series)
{
  double size = 0;
  for (size_t i = 0; i < series->n; i++) {
    if (dae_plot_can_draw(plot, series->x[i], series->y[i])) {
      size = fmax(size, fabs(series->y[i]));
    }
  }
  return size;
}

/* By unit, then from large to small; equal ones stay in order. */
static int
compare_members(const void *a, const void *b)
{
  const Member *p = a;
  const Member *q = b;
  if (p->unit != q->unit) {
    return p->unit < q->unit ? -1 : 1;
  }
  if (p->size != q->size) {
    return p->size > q->size ? -1 : 1;
  }
  return p->series < q->series ? -1 : 1;
}

static void
find_units(const DaePlot *plot, uint32_t n, Member *members)
{
  uint32_t n_units = 0;
  for (uint32_t s = 0; s < n; s++) {
    members[s] = (Member){s, n_units, size_of(plot, &plot->series[s])};
    for (uint32_t r = 0; r < s; r++) {
      if (plot->series[r].kind == plot->series[s].kind &&
          g_strcmp0(plot->series[r].unit, plot->series[s].unit) == 0) {
        members[s].unit = members[r].unit;
        break;
      }
    }
    n_units += members[s].unit == n_units;
  }
}

/* Splits the sorted members where the unit changes or a curve is smaller than the largest of
 * its panel by more than the ratio; one that is 0 needs no panel. */
static uint32_t
split(const Member *members, uint32_t n, double ratio, uint32_t *panel_of)
{
  uint32_t panel = 0;
  uint32_t first = 0;
  for (uint32_t k = 0; k < n; k++) {
    if (members[k].unit != members[first].unit ||
        (members[k].size > 0 && members[k].size * ratio < members[first].size)) {
      panel++;
      first = k;
    }
    panel_of[members[k].series] = MIN(panel, DAE_PLOT_MAX_PANELS - 1);
  }
  return panel + 1;
}

static void
number_by_first_use(uint32_t *panel_of, uint32_t n)
{
  uint32_t number[DAE_PLOT_MAX_PANELS];
  uint32_t n_seen = 0;
  for (uint32_t p = 0; p < DAE_PLOT_MAX_PANELS; p++) {
    number[p] = UINT32_MAX;
  }
  for (uint32_t s = 0; s < n; s++) {
    if (number[panel_of[s]] == UINT32_MAX) {
      number[panel_of[s]] = n_seen++;
    }
    panel_of[s] = number[panel_of[s]];
  }
}

uint32_t
dae_plot_group(const DaePlot *plot, uint32_t *panel_of)
{
  uint32_t n = 0; /* followers come last and go where their leaders are */
  while (n < plot->n_series && plot->series[n].like == 0) {
    n++;
  }
  g_autofree Member *members = g_new0(Member, n + 1);
  find_units(plot, n, members);
  qsort(members, n, sizeof *members, compare_members);
  uint32_t n_panels = split(members, n, plot->log_y ? INFINITY : 10, panel_of);
  for (double ratio = 100; n_panels > DAE_PLOT_MAX_PANELS && ratio < 1e13; ratio *= 10) {
    n_panels = split(members, n, ratio, panel_of);
  }
  if (n_panels > DAE_PLOT_MAX_PANELS) { /* many units: the last panel takes all that remain */
    n_panels = split(members, n, INFINITY, panel_of);
  }
  number_by_first_use(panel_of, n);
  for (uint32_t s = n; s < plot->n_series; s++) {
    panel_of[s] = panel_of[plot->series[s].like - 1];
  }
  return MIN(n_panels, DAE_PLOT_MAX_PANELS);
}
