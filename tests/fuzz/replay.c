/* Runs a fuzz target over stored inputs: every file of the folders given. Ends with Unity's
 * line; a crash ends the program before it. */
#include <glib.h>
#include <stdio.h>

#include "fuzz.h"

static int
compare_names(gconstpointer a, gconstpointer b)
{
  return g_strcmp0(*(const char *const *)a, *(const char *const *)b);
}

static unsigned
replay_folder(const char *folder)
{
  GDir *dir = g_dir_open(folder, 0, NULL);
  if (dir == NULL) {
    return 0;
  }
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
  for (const char *name = g_dir_read_name(dir); name != NULL; name = g_dir_read_name(dir)) {
    g_ptr_array_add(names, g_build_filename(folder, name, NULL));
  }
  g_dir_close(dir);
  g_ptr_array_sort(names, compare_names);
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *text = NULL;
    gsize length = 0;
    if (g_file_get_contents(g_ptr_array_index(names, i), &text, &length, NULL)) {
      printf("%s\n", (const char *)g_ptr_array_index(names, i));
      fflush(stdout);
      LLVMFuzzerTestOneInput((const uint8_t *)text, length);
    }
  }
  return names->len;
}

int
main(int argc, char **argv)
{
  unsigned count = 0;
  for (int i = 1; i < argc; i++) {
    count += replay_folder(argv[i]);
  }
  printf("%u Tests 0 Failures 0 Ignored\n", count);
  return count > 0 ? 0 : 1;
}
