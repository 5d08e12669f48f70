/* A term of one free atom without a zero on the real line, found again: the line is cut at points
 * between which the interval of the term, or the one around its value in the middle, keeps off 0;
 * behind the last of them the term is monotone, its derivative again, and so on, until an interval
 * tells. */
#include <math.h>

#include "proofcheck/exact.h"
#include "proofcheck/interval.h"

enum {
  MOST_PIECES = 8000,
  MOST_CUTS = 80, /* of one piece, one in the other */
  MOST_DERIVATIVES = 4,
  MOST_NODES = 200
};

typedef struct {
  DaeTerms *terms;
  GHashTable *bound;
  DaeTerm atom;
  DaeTerm term[MOST_DERIVATIVES + 1]; /* t, t', ...; DAE_NO_TERM beyond those that are short */
  int n_pieces;
} Judge;

static Interval
interval(double low, double high)
{
  return (Interval){low, high, false, false, false};
}

static Interval
values(Judge *judge, int k, double low, double high)
{
  judge->n_pieces++;
  return dae_range_within(judge->terms, judge->bound, judge->term[k], judge->atom,
                          interval(low, high));
}

/* -1, 1, or 0 where it is open. */
static int
side_of_zero(Interval a)
{
  return !dae_interval_excludes_zero(a) ? 0 : a.low >= 0.0 ? 1 : -1;
}

/* Between `from` and infinity, of the sign of `to`, no value is 0. Where t and its derivatives up
 * to order k - 1 are continuous and lead away from 0, only that of order k can turn that. */
static bool
ray_is_free(Judge *judge, double from, double to)
{
  int wanted = 0;
  for (int k = 0; k <= MOST_DERIVATIVES && judge->term[k] != DAE_NO_TERM; k++) {
    Interval all = values(judge, k, fmin(from, to), fmax(from, to));
    int here = side_of_zero(values(judge, k, from, from));
    int everywhere = side_of_zero(all);
    if ((k == 0 && (all.is_empty || everywhere != 0)) || (k > 0 && everywhere == wanted)) {
      return true;
    }
    if (all.is_empty || all.is_partial || here == 0 || (k > 0 && here != wanted)) {
      return false;
    }
    wanted = to > 0.0 ? here : -here;
  }
  return false;
}

static bool
piece_is_free(Judge *judge, double low, double high)
{
  Interval all = values(judge, 0, low, high);
  if (all.is_empty || side_of_zero(all) != 0) {
    return true;
  }
  if (all.is_partial || judge->term[1] == DAE_NO_TERM) {
    return false;
  }
  double middle = low + (high - low) / 2;
  Interval slope = values(judge, 1, low, high);
  Interval away = dae_interval_add(interval(low, high), interval(-middle, -middle));
  Interval change = dae_interval_multiply(slope, away);
  Interval around = dae_interval_add(values(judge, 0, middle, middle), change);
  return !slope.is_partial && side_of_zero(around) != 0;
}

static bool
segment_is_free(Judge *judge, double low, double high)
{
  double cuts[MOST_CUTS + 1];
  int n = 0;
  cuts[n++] = high;
  while (n > 0) {
    if (judge->n_pieces > MOST_PIECES) {
      return false;
    }
    if (piece_is_free(judge, low, cuts[n - 1])) {
      low = cuts[--n];
      continue;
    }
    double cut = low < 0.0 && cuts[n - 1] > 0.0 ? 0.0 : (low + cuts[n - 1]) / 2;
    if (n > MOST_CUTS || cut <= low || cut >= cuts[n - 1]) {
      return false;
    }
    cuts[n++] = cut;
  }
  return true;
}

/* t with what its atoms stand for in their places; DAE_NO_TERM: that goes too deep. */
static DaeTerm
put_in(DaeTerms *terms, GHashTable *bound, DaeTerm t)
{
  enum { DEEPEST = 8 };

  for (int round = 0; round < DEEPEST && t != DAE_NO_TERM; round++) {
    g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
    g_autoptr(DaeSubst) subst = dae_subst_new(terms);
    bool any = false;
    dae_term_collect_parameters(terms, t, atoms);
    dae_term_collect_variables(terms, t, atoms);
    DaeTerm time = dae_term_time(terms);
    g_array_append_val(atoms, time);
    for (guint k = 0; k < atoms->len; k++) {
      DaeTerm atom = g_array_index(atoms, DaeTerm, k);
      gpointer value = g_hash_table_lookup(bound, GUINT_TO_POINTER(atom));
      if (value != NULL && dae_term_contains(terms, t, atom)) {
        dae_subst_set(subst, atom, GPOINTER_TO_UINT(value));
        any = true;
      }
    }
    if (!any) {
      return t;
    }
    t = dae_subst_apply(subst, t);
  }
  return DAE_NO_TERM;
}

/* The one atom of t; DAE_NO_TERM: it has none, or several. */
static DaeTerm
only_atom(DaeTerms *terms, DaeTerm t)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_parameters(terms, t, atoms);
  dae_term_collect_variables(terms, t, atoms);
  DaeTerm time = dae_term_time(terms);
  if (dae_term_contains(terms, t, time)) {
    g_array_append_val(atoms, time);
  }
  return atoms->len == 1 ? g_array_index(atoms, DaeTerm, 0) : DAE_NO_TERM;
}

/* The one function or root through which atoms enter t, below sums, products and whole powers;
 * DAE_NO_TERM: there are several, or none. */
static DaeTerm
only_kernel(const DaeTerms *terms, DaeTerm t)
{
  DaeTerm kernel = DAE_NO_TERM;
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    DaeKind kind = dae_term_kind(terms, node);
    int64_t exponent = 0;
    if (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT ||
        (kind == DAE_KIND_POWER &&
         dae_term_get_int64(terms, dae_term_operand(terms, node, 1), &exponent))) {
      dae_visit_enter(visit, node);
    } else if (kind != DAE_KIND_NUMBER) {
      if (kind != DAE_KIND_CALL || (kernel != DAE_NO_TERM && kernel != node)) {
        return DAE_NO_TERM;
      }
      kernel = node;
    }
  }
  return kernel;
}

static bool
line_is_free(DaeTerms *terms, GHashTable *bound, DaeTerm t)
{
  static const double reaches[] = {2.0, 16.0, 256.0, 65536.0};
  if (t == DAE_NO_TERM || dae_term_has_break(terms, t) ||
      dae_term_size(terms, t) > MOST_NODES) {
    return false;
  }
  Judge judge = {.terms = terms, .bound = bound, .atom = only_atom(terms, t), .term = {t}};
  if (judge.atom == DAE_NO_TERM) {
    return false;
  }
  for (int k = 1; k <= MOST_DERIVATIVES && judge.term[k - 1] != DAE_NO_TERM; k++) {
    DaeTerm next = dae_term_partial(terms, judge.term[k - 1], judge.atom);
    bool is_short = next != DAE_NO_TERM && dae_term_size(terms, next) <= MOST_NODES;
    judge.term[k] = is_short ? next : DAE_NO_TERM;
  }
  double left = 0.0;
  double right = 0.0;
  for (size_t k = 0; k < G_N_ELEMENTS(reaches); k++) {
    left = left == 0.0 && ray_is_free(&judge, -reaches[k], -INFINITY) ? -reaches[k] : left;
    right = right == 0.0 && ray_is_free(&judge, reaches[k], INFINITY) ? reaches[k] : right;
  }
  return left != 0.0 && right != 0.0 && segment_is_free(&judge, left, right);
}

/* Or of no value of its one kernel, as if that could be any number. */
bool
dae_line_excludes_zero(DaeTerms *terms, GHashTable *bound, DaeTerm t)
{
  g_autoptr(GHashTable) nothing = g_hash_table_new(NULL, NULL);
  t = put_in(terms, bound, t);
  if (line_is_free(terms, nothing, t)) {
    return true;
  }
  DaeTerm time = dae_term_time(terms);
  DaeTerm kernel = t == DAE_NO_TERM ? DAE_NO_TERM : only_kernel(terms, t);
  return kernel != DAE_NO_TERM && !dae_term_contains(terms, t, time) &&
         line_is_free(terms, nothing, dae_term_replace(terms, t, kernel, time));
}
