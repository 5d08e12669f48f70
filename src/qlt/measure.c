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

QltSize
qlt_measure(QltWork *work, DaeTerm root)
{
  DaeTerms *terms = work->terms;
  g_autoptr(GHashTable) memo = g_hash_table_new(NULL, NULL); /* term -> 1 + place in sizes */
  g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof(QltSize));
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(QltSize));
  g_array_append_val(stack, root);
  while (stack->len > 0) {
    DaeTerm t = g_array_index(stack, DaeTerm, stack->len - 1);
    uint32_t n = 0;
    const DaeTerm *operands = dae_term_operands(terms, t, &n);
    uint32_t depth = stack->len;
    g_array_set_size(parts, 0);
    for (uint32_t k = 0; k < n; k++) {
      uint32_t place =
          GPOINTER_TO_UINT(g_hash_table_lookup(memo, GUINT_TO_POINTER(operands[k])));
      if (place == 0) {
        g_array_append_val(stack, operands[k]);
      } else {
        g_array_append_val(parts, g_array_index(sizes, QltSize, place - 1));
      }
    }
    if (stack->len > depth) {
      continue;
    }
    g_array_set_size(stack, depth - 1);
    if (!g_hash_table_contains(memo, GUINT_TO_POINTER(t))) {
      QltSize size = combine(terms, t, (const QltSize *)(void *)parts->data, n);
      g_array_append_val(sizes, size);
      g_hash_table_insert(memo, GUINT_TO_POINTER(t), GUINT_TO_POINTER(sizes->len));
    }
  }
  return g_array_index(sizes, QltSize, sizes->len - 1);
}

/* Rules that look at pairs of addends cost more than linear time; a term beyond this
 * size gains nothing for a reader. */
#define MAX_REWRITTEN 400u

DaeTerm
qlt_rewrite(QltWork *work, DaeTerm t)
{
  return dae_term_size(work->terms, t) <= MAX_REWRITTEN ? dae_terms_rewrite(work->terms, t) : t;
}
