/* A term of one unknown that vanishes nowhere on the real line: exp(x) + exp(-x) = 1, exp(x) = x,
 * log(x) = x. Intervals that are halved until the range of the term, or its mean value form
 * [MooreKearfottCloud09, chapter 6], keeps away from 0, up to some distance; from there on the
 * term keeps its sign because its range does, or because its derivative has the sign that leads
 * away from 0, by the same argument for the derivative. The number of intervals is limited. */
#include <math.h>

#include "initcheck/initcheck-priv.h"

enum {
  MOST_BOXES = 2000,
  MOST_HALVINGS = 60,
  MOST_ORDER = 4,  /* of derivatives */
  MOST_NODES = 120 /* of the term and each of them */
};

typedef struct {
  IcSystem *sys;
  DaeTerm atom;
  DaeTerm f[MOST_ORDER + 1]; /* the term and its derivatives; DAE_NO_TERM: not made */
  uint32_t n_boxes;
} Line;

/* f^(k); DAE_NO_TERM: it is too long. */
static DaeTerm
derivative(Line *line, int k)
{
  DaeTerms *terms = line->sys->terms;
  for (int i = 1; i <= k; i++) {
    if (line->f[i] == DAE_NO_TERM && line->f[i - 1] != DAE_NO_TERM) {
      DaeTerm next = dae_term_partial(terms, line->f[i - 1], line->atom);
      bool is_short = next != DAE_NO_TERM && dae_term_size(terms, next) <= MOST_NODES;
      line->f[i] = is_short ? next : DAE_NO_TERM;
    }
  }
  return line->f[k];
}

static IcRange
box_of(double low, double high)
{
  return (IcRange){.low = low, .high = high};
}

static IcRange
range_on(Line *line, int k, double low, double high)
{
  line->n_boxes++;
  return ic_range_in_box(line->sys, line->f[k], line->atom, box_of(low, high));
}

static int
sign_of(IcRange range)
{
  return range.low > 0.0 ? 1 : range.high < 0.0 ? -1 : 0;
}

/* f^(k) has this sign from `end` to infinity in this direction. */
static bool
keeps_sign_beyond(Line *line, int order, double end, int direction, int sign)
{
  for (int k = order; k <= MOST_ORDER && derivative(line, k) != DAE_NO_TERM; k++) {
    IcRange all =
        direction > 0 ? range_on(line, k, end, INFINITY) : range_on(line, k, -INFINITY, end);
    if (sign_of(all) == sign) {
      return true;
    }
    /* continuous, so that it goes where its derivative says */
    if (all.is_partial || all.is_empty || sign_of(range_on(line, k, end, end)) != sign) {
      return false;
    }
    sign *= direction;
  }
  return false;
}

static bool
is_free_beyond(Line *line, double end, int direction)
{
  IcRange all =
      direction > 0 ? range_on(line, 0, end, INFINITY) : range_on(line, 0, -INFINITY, end);
  if (all.is_empty || sign_of(all) != 0) {
    return true;
  }
  int sign = sign_of(range_on(line, 0, end, end));
  return sign != 0 && keeps_sign_beyond(line, 0, end, direction, sign);
}

/* f(m) + f'(box)*(box - m), where f has values in the whole box. */
static bool
mean_value_is_free(Line *line, double low, double high, IcRange value)
{
  if (value.is_partial || derivative(line, 1) == DAE_NO_TERM) {
    return false;
  }
  double middle = low + (high - low) / 2;
  IcRange slope = range_on(line, 1, low, high);
  IcRange way = ic_range_sum(box_of(low, high), box_of(-middle, -middle));
  IcRange mean = ic_range_sum(range_on(line, 0, middle, middle), ic_range_product(slope, way));
  return !slope.is_partial && sign_of(mean) != 0;
}

/* Halves go on a stack; its depth is that of the halving. */
static bool
is_free_between(Line *line, double low, double high)
{
  double ends[MOST_HALVINGS + 2];
  int n = 1;
  ends[0] = high;
  while (n > 0 && line->n_boxes < MOST_BOXES) {
    double end = ends[n - 1];
    IcRange value = range_on(line, 0, low, end);
    if (value.is_empty || sign_of(value) != 0 || mean_value_is_free(line, low, end, value)) {
      low = end;
      n--;
      continue;
    }
    double middle = low < 0.0 && end > 0.0 ? 0.0 : low + (end - low) / 2;
    if (n > MOST_HALVINGS || middle <= low || middle >= end) {
      return false;
    }
    ends[n++] = middle;
  }
  return n == 0;
}

bool
ic_line_excludes_zero(IcSystem *sys, DaeTerm t, DaeTerm atom)
{
  static const double distances[] = {2.0, 16.0, 256.0, 65536.0};
  Line line = {.sys = sys, .atom = atom, .f = {t}};
  double end[2] = {NAN, NAN};
  if (dae_term_has_break(sys->terms, t) || dae_term_size(sys->terms, t) > MOST_NODES) {
    return false;
  }
  for (int side = 0; side < 2; side++) {
    for (size_t k = 0; k < G_N_ELEMENTS(distances) && isnan(end[side]); k++) {
      double far = side == 0 ? -distances[k] : distances[k];
      end[side] = is_free_beyond(&line, far, side == 0 ? -1 : 1) ? far : NAN;
    }
    if (isnan(end[side])) {
      return false;
    }
  }
  return is_free_between(&line, end[0], end[1]);
}
