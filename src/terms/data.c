/* Constant data of tables: arrays of doubles in the context, each once, and
 * the terms that look into them. */
#include <math.h>
#include <string.h>

#include "terms/terms-priv.h"

typedef struct {
  uint32_t n;
  double values[];
} DaeData;

static guint
hash_data(gconstpointer key)
{
  const DaeData *data = key;
  const unsigned char *bytes = (const unsigned char *)data->values;
  guint hash = 5381u + data->n;
  for (size_t i = 0; i < data->n * sizeof(double); i++) {
    hash = hash * 33u + bytes[i];
  }
  return hash;
}

static gboolean
same_data(gconstpointer a, gconstpointer b)
{
  const DaeData *x = a;
  const DaeData *y = b;
  return x->n == y->n && memcmp(x->values, y->values, x->n * sizeof(double)) == 0;
}

uint32_t
dae_terms_add_data(DaeTerms *terms, const double *values, uint32_t n)
{
  DAE_ASSERT(n > 0);
  if (terms->data == NULL) {
    terms->data = g_ptr_array_new_with_free_func(g_free);
    terms->data_index = g_hash_table_new(hash_data, same_data);
  }
  DaeData *data = g_malloc(sizeof *data + n * sizeof(double));
  data->n = n;
  memcpy(data->values, values, n * sizeof(double));
  gpointer known = g_hash_table_lookup(terms->data_index, data);
  if (known != NULL) {
    g_free(data);
    return GPOINTER_TO_UINT(known) - 1;
  }
  g_ptr_array_add(terms->data, data);
  g_hash_table_insert(terms->data_index, data, GUINT_TO_POINTER(terms->data->len));
  return terms->data->len - 1;
}

void
dae_data_free_all(DaeTerms *terms)
{
  if (terms->data != NULL) {
    g_hash_table_destroy(terms->data_index);
    g_ptr_array_free(terms->data, TRUE);
  }
}

uint32_t
dae_terms_data_count(const DaeTerms *terms)
{
  return terms->data == NULL ? 0 : terms->data->len;
}

const double *
dae_terms_data(const DaeTerms *terms, uint32_t data, uint32_t *n)
{
  DAE_ASSERT(data < dae_terms_data_count(terms));
  const DaeData *entry = g_ptr_array_index(terms->data, data);
  *n = entry->n;
  return entry->values;
}

DaeTerm
dae_term_interval(DaeTerms *terms, uint32_t data, DaeTerm u)
{
  return dae_term_call2(terms, DAE_FN_INTERVAL, dae_term_int(terms, data), u);
}

DaeTerm
dae_term_lookup(DaeTerms *terms, uint32_t data, DaeTerm index)
{
  return dae_term_call2(terms, DAE_FN_LOOKUP, dae_term_int(terms, data), index);
}

const double *
dae_term_data(const DaeTerms *terms, DaeTerm call, uint32_t *data, uint32_t *n)
{
  int64_t number = 0;
  bool is_known = dae_term_get_int64(terms, dae_term_operand(terms, call, 0), &number);
  DAE_ASSERT(is_known && number >= 0 && number < (int64_t)dae_terms_data_count(terms));
  *data = (uint32_t)number;
  return dae_terms_data(terms, *data, n);
}

/* The number of elements that are <= u, by bisection; between 1 and n - 1. */
double
dae_data_interval(const double *x, uint32_t n, double u)
{
  if (!isfinite(u)) {
    return NAN;
  }
  uint32_t low = 1;
  uint32_t high = n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (middle < n && x[middle] <= u) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return (double)(low < n ? low : (n > 1 ? n - 1 : 1));
}

double
dae_data_lookup(const double *x, uint32_t n, double i)
{
  return i >= 1.0 && i <= (double)n && i == floor(i) ? x[(uint32_t)i - 1] : NAN;
}

DaeTerm
dae_term_select(DaeTerms *terms, DaeTerm index, const DaeTerm *elements, size_t n)
{
  int64_t i = 0;
  if (index == DAE_NO_TERM || n == 0) {
    return DAE_NO_TERM;
  }
  if (dae_term_get_int64(terms, index, &i)) {
    return i >= 1 && i <= (int64_t)n ? elements[i - 1] : DAE_NO_TERM;
  }
  DaeList operands;
  dae_list_init(&operands);
  dae_list_push(&operands, index);
  dae_list_append(&operands, elements, n);
  DaeTerm result = dae_term_call(terms, DAE_FN_SELECT, operands.data, operands.n);
  dae_list_clear(&operands);
  return result;
}
