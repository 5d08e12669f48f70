/* Do the unknowns without a formula exist for all values of the parameters? Proved without
 * numbers, row by row where a row has one unknown that is not known yet:
 *   - a polynomial whose leading coefficient has one sign: of odd degree, or of even degree where
 *     it takes the other sign somewhere;
 *   - a continuous function that goes to -infinity on one side and to +infinity on the other:
 *     x + exp(x) = c (intermediate values);
 *   - a continuous function of opposite signs at two small integers: x/(1 + x^2) = sin(c)/2;
 * and several rows at once where the map is uniformly monotone: with signs and an order of the rows
 * that make J + J^T - 2*a*I positive definite everywhere it is one-to-one and onto [Minty62];
 * and two polynomials of odd degrees whose leading forms vanish together only at 0 [Borsuk33], or
 * whose resultant has a real root of odd multiplicity.
 * Unknowns that are found are as free as parameters in the rows that are left. */
#include "initcheck/initcheck-priv.h"

enum { MOST_DEGREE = 15, MOST_TOGETHER = 3, MOST_DEPTH = 40 };

/* ---- one unknown --------------------------------------------------------------------------- */

/* The sign of the polynomial's value at a small integer is opposite to that far away. is_odd: it is
 * not 0, so that there is a root of odd multiplicity. */
static bool
changes_sign(IcSystem *sys, DaeTerm t, DaeTerm atom, int far, bool is_odd)
{
  for (int64_t k = -2; k <= 2; k++) {
    bool strict = false;
    DaeTerm value = dae_term_replace(sys->terms, t, atom, dae_term_int(sys->terms, k));
    if (value != DAE_NO_TERM && dae_algebra_definite(sys->algebra, value, &strict) == -far &&
        (strict || !is_odd)) {
      return true;
    }
  }
  return false;
}

/* Has the polynomial a real root, and one of odd multiplicity if asked for? */
static bool
has_polynomial_root(IcSystem *sys, DaeTerm t, DaeTerm atom, bool is_odd)
{
  uint32_t degree = 0;
  DaeTerm leading = t;
  while (degree <= MOST_DEGREE && dae_term_contains(sys->terms, leading, atom)) {
    leading = dae_algebra_simplify(sys->algebra, dae_term_partial(sys->terms, leading, atom));
    degree++;
  }
  bool strict = false;
  int far = degree > MOST_DEGREE ? 0 : dae_algebra_definite(sys->algebra, leading, &strict);
  return far != 0 && strict && (degree % 2 == 1 || changes_sign(sys, t, atom, far, is_odd));
}

/* Has the node a continuous derivative everywhere? */
static bool
is_smooth(IcSystem *sys, DaeTerm t)
{
  DaeTerms *terms = sys->terms;
  DaeKind kind = dae_term_kind(terms, t);
  if (kind == DAE_KIND_POWER) {
    int64_t n = 0;
    bool strict = false;
    DaeTerm base = dae_term_operand(terms, t, 0);
    return dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &n) &&
           (n > 0 || (dae_algebra_definite(sys->algebra, base, &strict) != 0 && strict));
  }
  if (kind != DAE_KIND_CALL) {
    return kind == DAE_KIND_NUMBER || kind == DAE_KIND_PARAMETER || kind == DAE_KIND_VARIABLE ||
           kind == DAE_KIND_TIME || kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT;
  }
  const DaeFunctionFacts *facts = dae_function_facts(dae_term_function(terms, t));
  return facts->kind == DAE_CLASS_CONSTANT ||
         (facts->kind == DAE_CLASS_ANALYTIC && facts->domain == DAE_DOMAIN_ALL);
}

static bool
is_smooth_everywhere(IcSystem *sys, DaeTerm t)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(sys->terms, t);
  for (DaeTerm s = dae_visit_next(visit); s != DAE_NO_TERM; s = dae_visit_next(visit)) {
    if (!is_smooth(sys, s)) {
      return false;
    }
    dae_visit_enter(visit, s);
  }
  return true;
}

/* What a continuous function does where the unknown goes to one of its ends. */
typedef enum {
  TAIL_OPEN,
  TAIL_UP,      /* goes to +infinity */
  TAIL_DOWN,    /* goes to -infinity */
  TAIL_BOUNDED, /* stays in some interval */
  TAIL_ABOVE,   /* stays above some number */
  TAIL_BELOW    /* stays below some number */
} Tail;

typedef struct {
  IcSystem *sys;
  DaeTerm atom;
  bool is_upper; /* the end +infinity */
} End;

static Tail
negated(Tail tail)
{
  switch (tail) {
  case TAIL_UP:
    return TAIL_DOWN;
  case TAIL_DOWN:
    return TAIL_UP;
  case TAIL_ABOVE:
    return TAIL_BELOW;
  case TAIL_BELOW:
    return TAIL_ABOVE;
  case TAIL_BOUNDED:
  case TAIL_OPEN:
    break;
  }
  return tail;
}

static Tail
tail_of_two(Tail a, Tail b)
{
  if (a == TAIL_OPEN || b == TAIL_OPEN) {
    return TAIL_OPEN;
  }
  if (a == TAIL_BOUNDED || b == TAIL_BOUNDED || a == b) {
    return a == TAIL_BOUNDED ? b : a;
  }
  bool both_up = (a == TAIL_UP || a == TAIL_ABOVE) && (b == TAIL_UP || b == TAIL_ABOVE);
  bool both_down = (a == TAIL_DOWN || a == TAIL_BELOW) && (b == TAIL_DOWN || b == TAIL_BELOW);
  return both_up ? TAIL_UP : both_down ? TAIL_DOWN : TAIL_OPEN;
}

static Tail tail_of(const End *end, DaeTerm t, uint32_t depth);

static Tail
tail_of_sum(const End *end, const DaeTerm *operands, uint32_t n, uint32_t depth)
{
  Tail sum = TAIL_BOUNDED;
  for (uint32_t i = 0; i < n && sum != TAIL_OPEN; i++) {
    sum = tail_of_two(sum, tail_of(end, operands[i], depth + 1));
  }
  return sum;
}

/* t or, of a power with a positive exponent, its base. */
static DaeTerm
base_of(const DaeTerms *terms, DaeTerm t)
{
  int64_t n = 0;
  bool is_power = dae_term_kind(terms, t) == DAE_KIND_POWER &&
                  dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &n) && n > 0;
  return is_power ? dae_term_operand(terms, t, 0) : t;
}

/* Polynomials in the atom are made of sums, products and powers. */
static bool
is_polynomial_in(DaeTerms *terms, DaeTerm t, DaeTerm atom)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm s = dae_visit_next(visit); s != DAE_NO_TERM; s = dae_visit_next(visit)) {
    if (s == atom || !dae_term_contains(terms, s, atom)) {
      continue;
    }
    DaeKind kind = dae_term_kind(terms, s);
    if (kind != DAE_KIND_SUM && kind != DAE_KIND_PRODUCT && base_of(terms, s) == s) {
      return false;
    }
    dae_visit_enter(visit, s);
  }
  return true;
}

/* A product of polynomials and of exponentials: does one of these go to 0, faster than any
 * polynomial grows, and no other one anywhere far? */
static bool
is_damped(const End *end, const DaeTerm *operands, uint32_t n, uint32_t depth)
{
  DaeTerms *terms = end->sys->terms;
  bool is_damped = false;
  for (uint32_t i = 0; i < n; i++) {
    if (is_polynomial_in(terms, operands[i], end->atom)) {
      continue;
    }
    DaeTerm base = base_of(terms, operands[i]);
    if (dae_term_kind(terms, base) != DAE_KIND_CALL ||
        dae_term_function(terms, base) != DAE_FN_EXP ||
        !is_polynomial_in(terms, dae_term_operand(terms, base, 0), end->atom) ||
        tail_of(end, dae_term_operand(terms, base, 0), depth + 1) != TAIL_DOWN) {
      return false;
    }
    is_damped = true;
  }
  return is_damped;
}

/* Factors with the atom: all bounded, or all go somewhere, or one alone. */
static Tail
tail_of_factors(const End *end, const DaeTerm *operands, uint32_t n, uint32_t depth)
{
  Tail product = TAIL_BOUNDED;
  bool is_first = true;
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_term_contains(end->sys->terms, operands[i], end->atom)) {
      continue;
    }
    Tail tail = tail_of(end, operands[i], depth + 1);
    bool both_far =
        (product == TAIL_UP || product == TAIL_DOWN) && (tail == TAIL_UP || tail == TAIL_DOWN);
    if (!is_first && !both_far && (product != TAIL_BOUNDED || tail != TAIL_BOUNDED)) {
      return TAIL_OPEN;
    }
    product = is_first || !both_far ? tail : product == tail ? TAIL_UP : TAIL_DOWN;
    is_first = false;
  }
  return product;
}

static Tail
tail_of_product(const End *end, const DaeTerm *operands, uint32_t n, uint32_t depth)
{
  IcSystem *sys = end->sys;
  if (is_damped(end, operands, n, depth)) {
    return TAIL_BOUNDED;
  }
  Tail product = tail_of_factors(end, operands, n, depth);
  for (uint32_t i = 0; i < n && product != TAIL_BOUNDED && product != TAIL_OPEN; i++) {
    bool strict = true;
    int sign = dae_term_contains(sys->terms, operands[i], end->atom)
                   ? 1
                   : dae_algebra_definite(sys->algebra, operands[i], &strict);
    product = sign == 0 ? TAIL_OPEN : sign < 0 ? negated(product) : product;
    if (!strict) { /* it may be 0 */
      product = product == TAIL_UP ? TAIL_ABOVE : product == TAIL_DOWN ? TAIL_BELOW : product;
    }
  }
  return product;
}

static Tail
tail_of_power(const End *end, DaeTerm t, uint32_t depth)
{
  int64_t n = 0;
  if (!dae_term_get_int64(end->sys->terms, dae_term_operand(end->sys->terms, t, 1), &n) ||
      n <= 0) {
    return TAIL_OPEN;
  }
  Tail base = tail_of(end, dae_term_operand(end->sys->terms, t, 0), depth + 1);
  if (base == TAIL_BOUNDED || base == TAIL_OPEN) {
    return base;
  }
  bool is_far = base == TAIL_UP || base == TAIL_DOWN;
  if (n % 2 == 0) {
    return is_far ? TAIL_UP : TAIL_ABOVE;
  }
  return base;
}

static Tail
tail_of_call(const End *end, DaeTerm t, uint32_t depth)
{
  DaeTerms *terms = end->sys->terms;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  Tail inner = n == 1 ? tail_of(end, operands[0], depth + 1) : TAIL_OPEN;
  bool is_any = inner == TAIL_OPEN && n == 1 && is_smooth_everywhere(end->sys, operands[0]);
  switch ((int)dae_term_function(terms, t)) {
  case DAE_FN_SIN:
  case DAE_FN_COS:
  case DAE_FN_ATAN:
  case DAE_FN_TANH: /* of anything that is continuous */
    return inner == TAIL_OPEN && !is_any ? TAIL_OPEN : TAIL_BOUNDED;
  case DAE_FN_EXP:
    return is_any || inner == TAIL_ABOVE            ? TAIL_ABOVE
           : inner == TAIL_OPEN || inner == TAIL_UP ? inner
                                                    : TAIL_BOUNDED;
  case DAE_FN_SINH:
    return inner;
  case DAE_FN_COSH:
  case DAE_FN_ABS:
    return inner == TAIL_OPEN || inner == TAIL_BOUNDED ? inner
           : inner == TAIL_UP || inner == TAIL_DOWN    ? TAIL_UP
                                                       : TAIL_ABOVE;
  default:
    return TAIL_OPEN;
  }
}

/* OPEN where the function may have poles or steps. */
static Tail
tail_of(const End *end, DaeTerm t, uint32_t depth)
{
  DaeTerms *terms = end->sys->terms;
  if (!dae_term_contains(terms, t, end->atom)) {
    return TAIL_BOUNDED;
  }
  if (t == end->atom) {
    return end->is_upper ? TAIL_UP : TAIL_DOWN;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  DaeKind kind = dae_term_kind(terms, t);
  if (depth > MOST_DEPTH) {
    return TAIL_OPEN;
  }
  return kind == DAE_KIND_SUM       ? tail_of_sum(end, operands, n, depth)
         : kind == DAE_KIND_PRODUCT ? tail_of_product(end, operands, n, depth)
         : kind == DAE_KIND_POWER   ? tail_of_power(end, t, depth)
         : kind == DAE_KIND_CALL    ? tail_of_call(end, t, depth)
                                    : TAIL_OPEN;
}

static bool
takes_all_values(IcSystem *sys, DaeTerm t, DaeTerm atom)
{
  End upper = {sys, atom, true};
  End lower = {sys, atom, false};
  Tail at_upper = tail_of(&upper, t, 0);
  Tail at_lower = tail_of(&lower, t, 0);
  return (at_upper == TAIL_UP && at_lower == TAIL_DOWN) ||
         (at_upper == TAIL_DOWN && at_lower == TAIL_UP);
}

/* A continuous function that is nowhere positive at one small integer, whatever the parameters are,
 * and nowhere negative at another one. */
static bool
vanishes_between_integers(IcSystem *sys, DaeTerm t, DaeTerm atom)
{
  if (!is_smooth_everywhere(sys, t)) {
    return false;
  }
  bool has_low = false;
  bool has_high = false;
  for (int64_t k = -2; k <= 2; k++) {
    bool strict = false;
    DaeTerm value = dae_term_replace(sys->terms, t, atom, dae_term_int(sys->terms, k));
    int sign = value == DAE_NO_TERM ? 0 : dae_algebra_definite(sys->algebra, value, &strict);
    has_low |= sign < 0;
    has_high |= sign > 0;
  }
  return has_low && has_high;
}

/* ---- several unknowns ---------------------------------------------------------------------- */

typedef struct {
  IcSystem *sys;
  uint32_t n;
  DaeTerm f[MOST_TOGETHER], x[MOST_TOGETHER];
  uint32_t row[MOST_TOGETHER]; /* a permutation */
  int sign[MOST_TOGETHER];
} Map;

static DaeTerm
slope(const Map *map, uint32_t i, uint32_t j)
{
  DaeTerm t = dae_term_partial(map->sys->terms, map->f[map->row[i]], map->x[j]);
  return t == DAE_NO_TERM || map->sign[i] > 0 ? t : dae_term_neg(map->sys->terms, t);
}

/* Leading minors of J + J^T - I/16, 1 to 3 rows, positive for all values of all atoms. */
static bool
is_monotone(const Map *map)
{
  DaeTerms *terms = map->sys->terms;
  DaeTerm s[MOST_TOGETHER][MOST_TOGETHER];
  for (uint32_t i = 0; i < map->n; i++) {
    for (uint32_t j = 0; j < map->n; j++) {
      DaeTerm a = slope(map, i, j);
      DaeTerm b = slope(map, j, i);
      s[i][j] = a == DAE_NO_TERM || b == DAE_NO_TERM ? DAE_NO_TERM : dae_term_add(terms, a, b);
      if (s[i][j] != DAE_NO_TERM && i == j) {
        s[i][j] = dae_term_sub(terms, s[i][j], dae_term_ratio(terms, 1, 16));
      }
      if (s[i][j] == DAE_NO_TERM) {
        return false;
      }
    }
  }
  for (uint32_t k = 1; k <= map->n; k++) { /* by the first row; only what is not 0 counts */
    DaeTerm minor = s[0][0];
    if (k >= 2) {
      minor = dae_term_sub(terms, dae_term_mul(terms, s[0][0], s[1][1]),
                           dae_term_mul(terms, s[0][1], s[1][0]));
    }
    if (k == 3) {
      DaeTerm p = dae_term_sub(terms, dae_term_mul(terms, s[1][0], s[2][2]),
                               dae_term_mul(terms, s[1][2], s[2][0]));
      DaeTerm q = dae_term_sub(terms, dae_term_mul(terms, s[1][0], s[2][1]),
                               dae_term_mul(terms, s[1][1], s[2][0]));
      DaeTerm r = dae_term_sub(terms, dae_term_mul(terms, s[1][1], s[2][2]),
                               dae_term_mul(terms, s[1][2], s[2][1]));
      minor = dae_term_add(terms, dae_term_mul(terms, s[0][0], r),
                           dae_term_sub(terms, dae_term_mul(terms, s[0][2], q),
                                        dae_term_mul(terms, s[0][1], p)));
    }
    bool strict = false;
    if (dae_algebra_definite(map->sys->algebra, dae_algebra_simplify(map->sys->algebra, minor),
                             &strict) != 1 ||
        !strict) {
      return false;
    }
  }
  return true;
}

static bool
is_onto(Map *map)
{
  static const uint8_t orders[6][MOST_TOGETHER] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                                   {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
  uint32_t n_orders = map->n == 2 ? 2 : 6;
  for (uint32_t i = 0; i < map->n; i++) {
    if (!is_smooth_everywhere(map->sys, map->f[i])) {
      return false;
    }
  }
  for (uint32_t k = 0; k < n_orders; k++) {
    for (uint32_t signs = 0; signs < 1u << map->n; signs++) {
      for (uint32_t i = 0; i < map->n; i++) {
        map->row[i] = orders[k][i];
        map->sign[i] = (signs >> i & 1u) != 0 ? -1 : 1;
      }
      if (is_monotone(map)) {
        return true;
      }
    }
  }
  return false;
}

/* Two polynomials: at a real root of odd multiplicity of their resultant in x the common zeros (x, y)
 * are, with multiplicities, an odd number, and those that are not real come in pairs
 * [CoxLittleOShea, 8.7]. */
static bool
resultant_has_odd_root(const Map *map)
{
  for (uint32_t k = 0; k < 2; k++) {
    DaeTerm result = ic_eliminated(map->sys, map->f, map->x[1 - k]);
    if (result != DAE_NO_TERM && has_polynomial_root(map->sys, result, map->x[k], true)) {
      return true;
    }
  }
  return false;
}

/* ---- all of them --------------------------------------------------------------------------- */

typedef struct {
  IcSystem *sys;
  const GArray *rows; /* DaeTerm: what has to vanish */
  bool *is_done;      /* rows */
  GHashTable *found;  /* unknowns (index + 1) that exist, and vary with the parameters */
} Search;

static void
open_unknowns(const Search *s, DaeTerm t, GArray *out)
{
  const GArray *inside = ic_unknowns_inside(s->sys, t);
  g_array_set_size(out, 0);
  for (guint i = 0; i < inside->len; i++) {
    uint32_t z = g_array_index(inside, uint32_t, i);
    if (!g_hash_table_contains(s->found, GUINT_TO_POINTER(z + 1))) {
      g_array_append_val(out, z);
    }
  }
}

/* A row with one unknown that is open. false: there is none that has a solution. */
static bool
find_single(const Search *s)
{
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (guint r = 0; r < s->rows->len; r++) {
    DaeTerm t = g_array_index(s->rows, DaeTerm, r);
    open_unknowns(s, t, open);
    if (s->is_done[r] || open->len != 1) {
      continue;
    }
    uint32_t z = g_array_index(open, uint32_t, 0);
    DaeTerm atom = g_array_index(s->sys->unknowns, IcUnknown, z).atom;
    if (has_polynomial_root(s->sys, t, atom, false) || takes_all_values(s->sys, t, atom) ||
        vanishes_between_integers(s->sys, t, atom)) {
      s->is_done[r] = true;
      g_hash_table_add(s->found, GUINT_TO_POINTER(z + 1));
      return true;
    }
  }
  return false;
}

/* All rows that are left, at once. */
static bool
find_together(const Search *s)
{
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  Map map = {.sys = s->sys};
  for (guint r = 0; r < s->rows->len; r++) {
    if (s->is_done[r]) {
      continue;
    }
    if (map.n == MOST_TOGETHER) {
      return false;
    }
    map.f[map.n++] = g_array_index(s->rows, DaeTerm, r);
    open_unknowns(s, g_array_index(s->rows, DaeTerm, r), open);
    g_array_append_vals(all, open->data, open->len);
  }
  ic_sort_unique(all);
  if (all->len != map.n || map.n < 2) {
    return map.n == 0;
  }
  for (guint i = 0; i < all->len; i++) {
    map.x[i] = g_array_index(s->sys->unknowns, IcUnknown, g_array_index(all, uint32_t, i)).atom;
  }
  return is_onto(&map) || (map.n == 2 && (ic_odd_forms_meet(s->sys, map.f, map.x) ||
                                          resultant_has_odd_root(&map)));
}

bool
ic_exist_for_all(IcSystem *sys, const GArray *rows)
{
  g_autofree bool *is_done = g_new0(bool, rows->len + 1);
  g_autoptr(GHashTable) found = g_hash_table_new(NULL, NULL);
  Search search = {sys, rows, is_done, found};
  while (find_single(&search)) { /* one row less each time */
  }
  return find_together(&search);
}
