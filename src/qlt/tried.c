/* Answers of searches for points that are kept for the next question. */
#include <string.h>

#include "qlt/qlt-priv.h"

void
qlt_search_clear(QltSearch *search)
{
  if (search->t != NULL) {
    g_array_unref(search->t);
  }
  g_free(search->pivot);
  g_free(search->point.x);
  *search = (QltSearch){0};
}

bool
qlt_search_is(const QltSearch *search, const DaeTerm *t, uint32_t n, uint32_t n_zero,
              uint32_t n_columns)
{
  return search->t != NULL && search->t->len == n && search->n_zero == n_zero &&
         search->n_columns == n_columns && memcmp(search->t->data, t, n * sizeof(DaeTerm)) == 0;
}

void
qlt_tried_clear(QltTried *tried)
{
  if (tried->t != NULL) {
    for (guint i = 0; i < tried->points->len; i++) {
      g_free(g_array_index(tried->points, QltPoint, i).x);
    }
    g_array_unref(tried->points);
    g_array_unref(tried->t);
  }
  *tried = (QltTried){0};
}

GArray *
qlt_tried_points(QltTried *tried, const DaeTerm *t, uint32_t n, uint32_t n_columns)
{
  bool is_same = tried->t != NULL && tried->t->len == n && tried->n_columns == n_columns &&
                 (n == 0 || memcmp(tried->t->data, t, n * sizeof(DaeTerm)) == 0);
  if (!is_same) {
    qlt_tried_clear(tried);
    *tried = (QltTried){.t = g_array_new(FALSE, FALSE, sizeof(DaeTerm)),
                        .n_columns = n_columns,
                        .points = g_array_new(FALSE, FALSE, sizeof(QltPoint))};
    if (n > 0) {
      g_array_append_vals(tried->t, t, n);
    }
  }
  return tried->points;
}
