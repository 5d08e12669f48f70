/* Parsing whole libraries: every .mo file under the given folders into one DaeSyntax.
 *
 *   bench_lang FOLDER ...        one line each: files, MB, classes, errors,
 *                                CPU seconds, MB/s, peak memory */
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "parser/parser.h"

typedef struct {
  DaeSource source;
  DaeSyntax syntax;
  DaeNames *names;
  GPtrArray *kept; /* texts and file names */
  size_t bytes;
  uint32_t n_files;
  uint32_t n_bad;
} Library;

static void
parse_one(Library *library, const char *path)
{
  char *text = NULL;
  gsize length = 0;
  if (!g_file_get_contents(path, &text, &length, NULL)) {
    return;
  }
  char *file = g_strdup(path);
  g_ptr_array_add(library->kept, text);
  g_ptr_array_add(library->kept, file);
  uint32_t base = 0;
  if (!dae_source_add(&library->source, file, text, length, &base)) {
    return;
  }
  DaeParser parser;
  library->source.n_errors = 0;
  dae_parser_init(&parser, &library->source, library->names, &library->syntax, text, length,
                  base);
  dae_parse_file(&parser);
  dae_parser_clear(&parser);
  library->bytes += length;
  library->n_files++;
  library->n_bad += library->source.n_errors > 0 ? 1 : 0;
}

static void
parse_folder(Library *library, const char *root)
{
  g_autoptr(GPtrArray) folders = g_ptr_array_new_with_free_func(g_free);
  g_ptr_array_add(folders, g_strdup(root));
  for (guint i = 0; i < folders->len; i++) {
    g_autoptr(GDir) folder = g_dir_open(folders->pdata[i], 0, NULL);
    const char *entry = NULL;
    while (folder != NULL && (entry = g_dir_read_name(folder)) != NULL) {
      g_autofree char *path = g_build_filename(folders->pdata[i], entry, NULL);
      if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        g_ptr_array_add(folders, g_steal_pointer(&path));
      } else if (g_str_has_suffix(entry, ".mo")) {
        parse_one(library, path);
      }
    }
  }
}

static void
print_diagnostic(void *user, const DaeDiagnostic *diagnostic)
{
  (void)user;
  fprintf(stderr, "%s:%u:%u: %s\n", diagnostic->file, diagnostic->span.line,
          diagnostic->span.column, diagnostic->message);
}

int
main(int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    DaeReporter reporter = {.diagnostic = print_diagnostic};
    Library library = {.names = dae_names_new()};
    library.kept = g_ptr_array_new_with_free_func(g_free);
    dae_source_init(&library.source, argv[i], "", 0, &reporter);
    dae_syntax_init(&library.syntax);
    clock_t start = clock();
    parse_folder(&library, argv[i]);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(
        "%s: %u files, %.1f MB, %u classes, %u with errors, %.3f s, %.1f MB/s, peak %.1f MiB\n",
        argv[i], library.n_files, (double)library.bytes / 1e6, library.syntax.classes->len - 1,
        library.n_bad, seconds, (double)library.bytes / 1e6 / seconds,
        (double)usage.ru_maxrss / 1024.0);
    dae_syntax_clear(&library.syntax);
    dae_source_clear(&library.source);
    dae_names_free(library.names);
    g_ptr_array_free(library.kept, TRUE);
  }
  return 0;
}
