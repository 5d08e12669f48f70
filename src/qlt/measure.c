/* How long is a term when written out, and how long would it be when expanded?
 * Estimates, in one walk with memo. */
#include "qlt/qlt-priv.h"

#include <math.h>
#include <string.h>

static QltSize
combine(DaeTerms *terms, DaeTerm t, const QltSize *parts, uint32_t n)
{
  QltSize size = {1, 1};
  DaeKind kind = dae_term_kind(terms, t);
  double sum = 0;
  double product = 1;
  for (uint32_t k = 0; k < n; k++) {
    size.written += parts[k].written;
    sum += parts[k].expanded;
    product *= parts[k].expanded;
  }
  int64_t exponent = 0;
  if (kind == DAE_KIND_SUM) {
    size.expanded = sum;
  } else if (kind == DAE_KIND_PRODUCT) {
    size.expanded = product;
  } else if (kind == DAE_KIND_POWER && parts[0].expanded > 1 &&
             dae_term_get_int64(terms, dae_term_operand(terms, t, 1), &exponent)) {
    size.expanded = pow(parts[0].expanded, fmin(fabs((double)exponent), 64));
  }
  return size;
}

typedef struct {
  DaeTerms *terms;
  GHashTable *memo; /* term -> 1 + place in sizes */
  GArray *sizes;    /* QltSize */
  GArray *parts;    /* QltSize: of the operands of one term */
} Measure;

static bool
is_measured(void *self, DaeTerm t)
{
  const Measure *measure = self;
  return g_hash_table_contains(measure->memo, GUINT_TO_POINTER(t));
}

static void
measure_node(void *self, DaeTerm t)
{
  const Measure *measure = self;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(measure->terms, t, &n);
  g_array_set_size(measure->parts, 0);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t place =
        GPOINTER_TO_UINT(g_hash_table_lookup(measure->memo, GUINT_TO_POINTER(operands[k])));
    g_array_append_val(measure->parts, g_array_index(measure->sizes, QltSize, place - 1));
  }
  QltSize size = combine(measure->terms, t, (const QltSize *)(void *)measure->parts->data, n);
  g_array_append_val(measure->sizes, size);
  g_hash_table_insert(measure->memo, GUINT_TO_POINTER(t),
                      GUINT_TO_POINTER(measure->sizes->len));
}

QltSize
qlt_measure(QltWork *work, DaeTerm root)
{
  g_autoptr(GHashTable) memo = g_hash_table_new(NULL, NULL);
  g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof(QltSize));
  g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(QltSize));
  Measure measure = {work->terms, memo, sizes, parts};
  const DaeWalk walk = {.ready = is_measured, .compute = measure_node, .self = &measure};
  dae_walk(work->terms, root, &walk);
  return g_array_index(sizes, QltSize, sizes->len - 1);
}

/* Denominators that are sums multiply when fractions are added: a bound on the addends of the
 * common one. Arguments of functions are not looked into: they stay what they are. */
double
qlt_common_denominator(QltWork *work, DaeTerm root)
{
  g_autoptr(GHashTable) highest = g_hash_table_new(NULL, NULL); /* base -> exponent */
  g_autoptr(DaeVisit) visit = dae_visit_new(work->terms, root);
  double addends = 1;
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    int64_t exponent = 0;
    DaeKind kind = dae_term_kind(work->terms, t);
    if (kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT) {
      dae_visit_enter(visit, t);
    }
    if (kind != DAE_KIND_POWER ||
        !dae_term_get_int64(work->terms, dae_term_operand(work->terms, t, 1), &exponent)) {
      continue;
    }
    dae_visit_enter(visit, t);
    DaeTerm base = dae_term_operand(work->terms, t, 0);
    int known = GPOINTER_TO_INT(g_hash_table_lookup(highest, GUINT_TO_POINTER(base)));
    int size = exponent < 0 ? (int)MIN(-(exponent + 1), 63) + 1 : 0;
    if (size > known && dae_term_kind(work->terms, base) == DAE_KIND_SUM) {
      addends *= pow(qlt_measure(work, base).expanded, size - known);
      g_hash_table_insert(highest, GUINT_TO_POINTER(base), GINT_TO_POINTER(size));
    }
  }
  return addends;
}

/* Rules that look at pairs of addends cost more than linear time; a term beyond this
 * size gains nothing for a reader. */
#define MAX_REWRITTEN 400u

DaeTerm
qlt_rewrite(QltWork *work, DaeTerm t)
{
  return dae_term_size(work->terms, t) <= MAX_REWRITTEN ? dae_terms_rewrite(work->terms, t) : t;
}
