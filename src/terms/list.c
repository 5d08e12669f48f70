/* Short lists of terms on the C stack. */
#include <string.h>

#include "terms/terms-priv.h"

void
dae_list_init(DaeList *list)
{
  list->data = list->local;
  list->n = 0;
  list->capacity = G_N_ELEMENTS(list->local);
}

static void
reserve(DaeList *list, size_t more)
{
  if (list->capacity - list->n >= more) {
    return;
  }
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
dae_list_push(DaeList *list, DaeTerm t)
{
  reserve(list, 1);
  list->data[list->n++] = t;
}

void
dae_list_append(DaeList *list, const DaeTerm *data, size_t n)
{
  reserve(list, n);
  if (n > 0) {
    memcpy(list->data + list->n, data, n * sizeof(DaeTerm));
    list->n += n;
  }
}

void
dae_list_clear(DaeList *list)
{
  if (list->data != list->local) {
    g_free(list->data);
  }
  dae_list_init(list);
}
