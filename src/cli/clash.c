/* Two results in one file, or a result in the place of the model: the one would be lost.
 * Said before any work is done. */
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/frame.h"
#include "cli/outfile.h"

typedef struct {
  const char *option; /* as the user wrote it; "the model" for the input */
  const char *path;
} Place;

/* Names of one regular file: by the file itself if both exist, else by the resolved path.
 * Devices and pipes may be shared. */
static bool
is_same_file(const char *a, const char *b)
{
  struct stat first;
  struct stat second;
  bool have_first = stat(a, &first) == 0;
  bool have_second = stat(b, &second) == 0;
  if (have_first && have_second) {
    return S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
  }
  if (have_first || have_second) {
    return false;
  }
  g_autofree char *real_a = dae_outfile_resolve(a);
  g_autofree char *real_b = dae_outfile_resolve(b);
  g_autofree char *full_a = g_canonicalize_filename(real_a, NULL);
  g_autofree char *full_b = g_canonicalize_filename(real_b, NULL);
  return strcmp(full_a, full_b) == 0;
}

bool
dae_cli_check_files(DaeCli *cli, const char *model)
{
  Place places[5];
  size_t n = 0;
  places[n++] = (Place){"the model", model};
  static const char *const extra[] = {"plot", "graph"};
  for (size_t i = 0; i < G_N_ELEMENTS(extra); i++) {
    const char *path = dae_cli_string(cli, extra[i]);
    if (path != NULL) {
      places[n++] = (Place){i == 0 ? "--plot" : "--graph", path};
    }
  }
  const char *result = dae_cli_output_file(cli);
  g_autofree char *header = dae_cli_header_file(cli);
  if (result != NULL) {
    places[n++] = (Place){"-o", result};
  }
  if (header != NULL) {
    places[n++] = (Place){"the header", header};
  }
  for (size_t i = 1; i < n; i++) {
    for (size_t k = 0; k < i; k++) {
      if (is_same_file(places[i].path, places[k].path)) {
        dae_cli_usage(cli, "%s %s: this file is also %s, which would be lost", places[i].option,
                      places[i].path, k == 0 ? "the model" : places[k].option);
        return false;
      }
    }
  }
  return true;
}
