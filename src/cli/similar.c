#include "cli/similar.h"

#include <string.h>

#include "base/suggest.h"

static int
compare_names(gconstpointer a, gconstpointer b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, so that the same folder gives the same answer. */
static GPtrArray *
sorted_models(const char *folder)
{
  GPtrArray *models = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GDir) names = g_dir_open(folder, 0, NULL);
  const char *name = NULL;
  while (names != NULL && (name = g_dir_read_name(names)) != NULL) {
    if (g_str_has_suffix(name, ".mo")) {
      g_ptr_array_add(models, g_strdup(name));
    }
  }
  g_ptr_array_sort(models, compare_names);
  return models;
}

char *
dae_similar_file(const char *path)
{
  if (g_file_test(path, G_FILE_TEST_EXISTS)) {
    return NULL;
  }
  g_autofree char *with_extension = g_strconcat(path, ".mo", NULL);
  if (g_file_test(with_extension, G_FILE_TEST_IS_REGULAR)) {
    return g_steal_pointer(&with_extension);
  }
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *wrong = g_path_get_basename(path);
  g_autoptr(GPtrArray) names = sorted_models(folder);
  DaeSuggest suggest;
  dae_suggest_begin(&suggest, wrong);
  for (guint i = 0; i < names->len; i++) {
    dae_suggest_try(&suggest, g_ptr_array_index(names, i));
  }
  const char *best = suggest.best;
  if (best == NULL) {
    return NULL;
  }
  return g_str_has_prefix(path, "./") || g_strcmp0(folder, ".") != 0
             ? g_build_filename(folder, best, NULL)
             : g_strdup(best);
}
