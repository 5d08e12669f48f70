/* Shared by the files of the plot. */
#ifndef DAE_REPORT_PLOT_PRIV_H
#define DAE_REPORT_PLOT_PRIV_H

#include "report/plot.h"

/* One axis: values low..high (their logarithms on a logarithmic one) at the pixels from..to,
 * with ticks at first + k*step. */
typedef struct {
  double low, high, first, step;
  long n_ticks;
  bool is_log;
  DaePlotKind kind; /* integers have ticks at integers only, truth values two */
  double from, to;
  double offset; /* labels show (value - offset) / 10^exponent with so many decimals */
  int exponent, decimals;
} DaePlotAxis;

enum { DAE_PLOT_MAX_PANELS = 12 };

/* The panel of each series, numbered from 0 in the order of their
 * first series; returns how many. */
uint32_t dae_plot_group(const DaePlot *plot, uint32_t *panel_of);

/* Range and round ticks, about `wanted` of them. exact: the axis ends where the data do, else a
 * little beyond. noise: smaller changes, relative to the values, count as none. */
void dae_plot_choose_axis(DaePlotAxis *axis, double low, double high, double wanted, bool exact,
                          double noise);
double dae_plot_place(const DaePlotAxis *axis, double value);
double dae_plot_tick(const DaePlotAxis *axis, long k); /* in pixels */
void dae_plot_tick_text(const DaePlotAxis *axis, long k, GString *out);
/* "×10⁻⁹ + 1": what the labels have to be multiplied with and added
 * to; nothing for plain numbers. */
void dae_plot_scale_text(const DaePlotAxis *axis, GString *out);

/* Text inside of XML. */
void dae_plot_escape(GString *out, const char *text);
/* m3/s as m³/s, N.m as N·m, s-1 as s⁻¹, degC as °C; inside of XML. */
void dae_plot_unit_text(GString *out, const char *unit);
/* Names that are too long for a legend keep their beginning and their end. (transfer full) */
char *dae_plot_short_name(const char *name);

#endif
