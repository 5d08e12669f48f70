/* Short lists of terms on the C stack. */
#include <string.h>

#include "terms/terms-priv.h"

void
dae_list_grow(DaeList *list, size_t more)
{
  size_t capacity = MAX(list->capacity * 2, list->n + more);
  if (list->data == list->local) {
    list->data = g_new(DaeTerm, capacity);
    memcpy(list->data, list->local, list->n * sizeof(DaeTerm));
  } else {
    list->data = g_renew(DaeTerm, list->data, capacity);
  }
  list->capacity = capacity;
}

void
dae_list_append(DaeList *list, const DaeTerm *data, size_t n)
{
  if (list->capacity - list->n < n) {
    dae_list_grow(list, n);
  }
  if (n > 0) {
    memcpy(list->data + list->n, data, n * sizeof(DaeTerm));
    list->n += n;
  }
}
