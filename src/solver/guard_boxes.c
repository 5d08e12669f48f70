/* Is the polynomial of a step good enough to say where guards are crossed? */
#include "solver/guard_boxes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/bernstein.h"

/* From this level on the guard is evaluated at the ends of boxes. */
#define FIRST_LEVEL 6u
/* A box at whose end it is crossed is taken from this level on: in larger ones it may be crossed
 * several times. */
#define CROSSED_LEVEL 15u
/* Those in which it may be 0 are given up (it touches 0 there, if at all): a millionth of the
 * step. */
#define LAST_LEVEL 20u
/* Enclosures of one guard in one step; of many unknowns they are too wide to be worth as many. */
#define MOST_BOXES 600u
#define MOST_WIDE_BOXES 40u
#define MANY_UNKNOWNS 8u
/* Thresholds of a guard: as much as Newton's method may leave at the stages. */
#define MOST_NOISE 1e5
/* Of the size of an algebraic unknown, where a guard that is not affine depends on it. */
#define RESOLVED 1e-3

/* ---- unknowns without a derivative ------------------------------------------------------- */

/* The part of the power k about the middle, as large as it is in the best case: a monic
 * polynomial of degree k is at least 2/4^k somewhere on [0, 1] [Chebyshev]. */
static double
part_of(const double *b, uint32_t degree, uint32_t k)
{
  double differences[DAE_BERNSTEIN_MOST];
  double derivative = 0.0;
  double scale = 2.0;
  uint32_t left = degree - k;
  memcpy(differences, b, sizeof(double) * (degree + 1));
  for (uint32_t r = 0; r < k; r++) {
    for (uint32_t i = 0; i + r < degree; i++) {
      differences[i] = differences[i + 1] - differences[i];
    }
    scale *= 0.25 * (double)(degree - r) / (double)(r + 1);
  }
  double binomial = 1.0;
  for (uint32_t i = 0; i <= left; i++) {
    derivative += binomial * ldexp(differences[i], -(int)left);
    binomial *= (double)(left - i) / (double)(i + 1);
  }
  return scale * fabs(derivative);
}

/* What the next powers would add: the last two parts, times their share of the two before. A
 * pair, because one of both vanishes where the function is even or odd there. */
static double
interpolation_error(const double *b, uint32_t degree)
{
  const double last = fmax(part_of(b, degree, degree), part_of(b, degree, degree - 1));
  const double before =
      fmax(part_of(b, degree, degree - 2), degree > 3 ? part_of(b, degree, degree - 3) : 0.0);
  return last < before ? last * last / before : last;
}

static void
range_of(const double *b, uint32_t degree, DaeRange *range)
{
  range->low = range->high = b[0];
  for (uint32_t k = 1; k <= degree; k++) {
    range->low = fmin(range->low, b[k]);
    range->high = fmax(range->high, b[k]);
  }
}

static bool
has_algebraic(const DaeRoots *roots, const uint32_t *column, uint32_t n)
{
  for (uint32_t e = 0; e < n; e++) {
    if (roots->is_algebraic[column[e]] != 0) {
      return true;
    }
  }
  return false;
}

/* What the polynomial of an affine guard may miss, in units of noise; 0: that does not matter. */
static double
affine_doubt(const DaeRadau *r, const DaeRoots *roots, uint32_t i)
{
  const uint32_t from = roots->affine_start[i];
  const uint32_t n = roots->affine_start[i + 1] - from;
  double b[DAE_BERNSTEIN_MOST];
  DaeRange range;
  if (!has_algebraic(roots, roots->affine_column + from, n)) {
    return 0.0;
  }
  const uint32_t degree =
      dae_radau_affine(r, roots->affine_constant[i], roots->affine_slope[i],
                       roots->affine_column + from, roots->affine_factor + from, n, b);
  const double threshold = roots->threshold != NULL ? roots->threshold[i] : 0.0;
  const double error = interpolation_error(b, degree);
  for (uint32_t k = 0; k <= degree; k++) {
    b[k] *= roots->side[i];
  }
  range_of(b, degree, &range);
  const bool is_resolved = error <= DAE_FAR_BEYOND * threshold || range.low > error ||
                           range.high < -error; /* or it is crossed for certain */
  return is_resolved ? 0.0 : error / fmax(MOST_NOISE * threshold, DBL_MIN);
}

/* Likewise for the unknowns in a guard that is not affine, by their size. */
static double
other_doubt(const DaeRadau *r, const DaeRoots *roots, uint32_t i)
{
  double doubt = 0.0;
  for (uint32_t e = roots->used_start[i]; e < roots->used_start[i + 1]; e++) {
    const uint32_t column = roots->used_column[e];
    const double factor = 1.0;
    double b[DAE_BERNSTEIN_MOST];
    DaeRange range;
    if (roots->is_algebraic[column] == 0) {
      continue;
    }
    const uint32_t degree = dae_radau_affine(r, 0.0, 0.0, &column, &factor, 1, b);
    range_of(b, degree, &range);
    const double size = fmax(fabs(range.low), fabs(range.high)) + 1e-6 * r->nominal[column];
    const double error = interpolation_error(b, degree) / size;
    doubt = error > RESOLVED ? fmax(doubt, error / RESOLVED) : doubt;
  }
  return doubt;
}

double
dae_guards_doubt(const DaeRadau *r, const DaeRoots *roots)
{
  double doubt = 0.0;
  for (uint32_t i = 0; roots->is_algebraic != NULL && i < roots->n; i++) {
    const bool is_affine = roots->is_affine != NULL && roots->is_affine[i] != 0;
    if (roots->side[i] != 0 && is_affine) {
      doubt = fmax(doubt, affine_doubt(r, roots, i));
    } else if (roots->side[i] != 0 && roots->used_start != NULL) {
      doubt = fmax(doubt, other_doubt(r, roots, i));
    }
  }
  return doubt;
}

/* ---- guards that are not affine ---------------------------------------------------------- */

typedef struct {
  DaeRadau *r;
  const DaeRoots *roots;
  uint32_t i, n; /* guard; unknowns in it */
  uint32_t degree;
  double *coefficients; /* by level, unknown: DAE_BERNSTEIN_MOST each */
  uint32_t n_boxes;
  double from, to; /* theta: the first box at whose end it is crossed, so far; to = 2: none */
} Search;

typedef struct {
  uint32_t level;
  double from, to; /* theta */
} Box;

static double *
coefficients_of(const Search *search, uint32_t level)
{
  return search->coefficients + (size_t)level * search->n * DAE_BERNSTEIN_MOST;
}

/* Can the guard leave its side there? */
static bool
may_cross(Search *search, const Box *box)
{
  const DaeRoots *roots = search->roots;
  const double *b = coefficients_of(search, box->level);
  const DaeCollocation *last = &search->r->last;
  const uint32_t *column = roots->used_column + roots->used_start[search->i];
  for (uint32_t e = 0; e < search->n; e++) {
    range_of(b + (size_t)e * DAE_BERNSTEIN_MOST, search->degree,
             &search->r->root_range[column[e]]);
  }
  search->n_boxes++;
  const DaeRange time = {last->t + box->from * last->h, last->t + box->to * last->h};
  return roots->may_cross(roots->user, search->i, time, search->r->root_range,
                          roots->threshold != NULL ? roots->threshold[search->i] : 0.0);
}

/* Coefficients of the halves of a box: those of the left one at the next level, those of the
 * right one kept one level further. */
static void
halve(const Search *search, uint32_t level, bool left)
{
  const double *b = coefficients_of(search, level);
  double *half = coefficients_of(search, level + 1);
  double other[DAE_BERNSTEIN_MOST];
  for (uint32_t e = 0; e < search->n; e++) {
    const size_t at = (size_t)e * DAE_BERNSTEIN_MOST;
    dae_bernstein_halves(b + at, search->degree, left ? half + at : other,
                         left ? other : half + at);
  }
}

static void
make_room(Search *search)
{
  DaeRadau *r = search->r;
  const size_t wanted = (size_t)(LAST_LEVEL + 2) * search->n * DAE_BERNSTEIN_MOST;
  if (r->root_range == NULL) {
    r->root_range = dae_aligned_new0((r->n + 1) * sizeof(DaeRange));
  }
  if (wanted > r->box_room) {
    free(r->root_boxes);
    r->root_boxes = dae_aligned_new0(wanted * sizeof(double));
    r->box_room = wanted;
  }
  search->coefficients = r->root_boxes;
}

typedef enum { BOX_EXCLUDED, BOX_CROSSED, BOX_SPLIT } BoxKind;

static BoxKind
look_at(Search *search, const Box *box, DaeGuardValue value, void *user)
{
  if (!may_cross(search, box)) {
    return BOX_EXCLUDED;
  }
  const DaeCollocation *last = &search->r->last;
  if (box->level >= FIRST_LEVEL && value(user, last->t + box->to * last->h) < 0.0) {
    search->from = box->from;
    search->to = box->to;
    return box->level >= CROSSED_LEVEL ? BOX_CROSSED : BOX_SPLIT;
  }
  return box->level < LAST_LEVEL ? BOX_SPLIT : BOX_EXCLUDED;
}

/* The box that begins where this one ends: the right half of the smallest one around both. */
static Box
next_box(const Search *search, const Box *box)
{
  uint32_t level = box->level;
  for (double w = box->to - box->from; level > 0 && fmod(box->to / w, 2.0) == 0.0; w *= 2.0) {
    level--;
  }
  halve(search, level - 1, false);
  return (Box){level, box->to, box->to + ldexp(1.0, -(int)level)};
}

DaeBoxVerdict
dae_guard_first_box(DaeRadau *r, const DaeRoots *roots, uint32_t i, DaeGuardValue value,
                    void *user, double *from, double *to)
{
  Search search = {.r = r,
                   .roots = roots,
                   .i = i,
                   .n = roots->used_start[i + 1] - roots->used_start[i],
                   .degree = r->last.tableau->s,
                   .to = 2.0};
  make_room(&search);
  for (uint32_t e = 0; e < search.n; e++) {
    const double factor = 1.0;
    dae_radau_affine(r, 0.0, 0.0, &roots->used_column[roots->used_start[i] + e], &factor, 1,
                     search.coefficients + (size_t)e * DAE_BERNSTEIN_MOST);
  }
  Box box = {0, 0.0, 1.0};
  BoxKind kind = BOX_SPLIT;
  const uint32_t most = search.n > MANY_UNKNOWNS ? MOST_WIDE_BOXES : MOST_BOXES;
  while (search.n_boxes < most) {
    kind = look_at(&search, &box, value, user);
    if (kind == BOX_CROSSED ||
        (kind == BOX_EXCLUDED && (box.to >= 1.0 || box.to >= search.to))) {
      break;
    }
    if (kind == BOX_SPLIT) {
      halve(&search, box.level, true);
      box = (Box){box.level + 1, box.from, box.from + 0.5 * (box.to - box.from)};
    } else {
      box = next_box(&search, &box);
    }
  }
  if (search.to <= 1.0) {
    *from = r->last.t + search.from * r->last.h;
    *to = search.to >= 1.0 ? r->t : r->last.t + search.to * r->last.h;
    return DAE_BOX_CROSSED;
  }
  return kind == BOX_EXCLUDED && box.to >= 1.0 ? DAE_BOX_EXCLUDED : DAE_BOX_OPEN;
}
