/* External functions whose value is needed for sizes: lines of a file, files of a folder, rows and
 * columns of a matrix in a file. */
#include "lang/instance.h"

#include <string.h>

char *
dae_library_full_path(DaeLibrary *library, const char *text)
{
  g_autofree char *resource = library != NULL ? dae_library_resource(library, text) : NULL;
  if (resource == NULL && g_str_has_prefix(text, "file://")) {
    resource = g_strdup(text + strlen("file://"));
  }
  g_autofree char *path = g_canonicalize_filename(resource != NULL ? resource : text, NULL);
  return g_str_has_suffix(text, "/") && !g_str_has_suffix(path, "/")
             ? g_strconcat(path, "/", NULL) /* to which a name may be appended */
             : g_steal_pointer(&path);
}

typedef struct {
  DaeLang *lang;
  const char *texts[2]; /* the first two arguments; NULL: no text */
} Native;

static const DaeEval unknown = {.type = DAE_EVAL_UNKNOWN};

static DaeEval
count_lines(const Native *native)
{
  g_autofree char *text = NULL;
  int64_t n = 0;
  if (!g_file_get_contents(native->texts[0], &text, NULL, NULL)) {
    return unknown;
  }
  for (const char *at = text; *at != '\0'; n++) {
    const char *end = strchr(at, '\n');
    at = end != NULL ? end + 1 : at + strlen(at);
  }
  return dae_eval_integer(n);
}

static DaeEval
count_files(const Native *native)
{
  g_autoptr(GDir) folder = g_dir_open(native->texts[0], 0, NULL);
  int64_t n = 0;
  if (folder == NULL) {
    return unknown;
  }
  while (g_dir_read_name(folder) != NULL) {
    n++;
  }
  return dae_eval_integer(n);
}

static DaeEval
full_path(const Native *native)
{
  g_autofree char *path = dae_library_full_path(native->lang->library, native->texts[0]);
  return dae_eval_string(dae_name_intern(native->lang, path));
}

static DaeEval
matrix_sizes(const Native *native)
{
  const DaeFlattenOptions *options = native->lang->options;
  uint32_t sizes[2] = {0, 0};
  if (options == NULL || options->matrix_size == NULL || native->texts[1] == NULL ||
      !options->matrix_size(native->texts[0], native->texts[1], sizes)) {
    return unknown;
  }
  const DaeEval elements[2] = {dae_eval_integer(sizes[0]), dae_eval_integer(sizes[1])};
  return dae_eval_array(native->lang, elements, 2);
}

static const struct {
  const char *name;
  DaeEval (*value)(const Native *native);
} natives[] = {{"ModelicaInternal_countLines", count_lines},
               {"ModelicaInternal_getNumberOfFiles", count_files},
               {"ModelicaInternal_fullPathName", full_path},
               {"ModelicaIO_readMatrixSizes", matrix_sizes}};

DaeEval
dae_eval_native(const DaeInterpreter *interpreter, const DaeNode *node)
{
  DaeLang *lang = interpreter->lang;
  uint32_t external =
      node->class != 0 ? dae_syntax_class(lang->syntax, node->class)->external : 0;
  if (external == 0) {
    return unknown;
  }
  Native native = {.lang = lang};
  for (uint32_t i = 0; i < MIN(interpreter->locals->len, 2u); i++) {
    const DaeEval *value = &g_array_index(interpreter->locals, DaeLocal, i).value;
    bool is_text = value->type == DAE_EVAL_STRING && value->n_dims == 0;
    native.texts[i] = is_text ? dae_names_text(lang->names, value->string) : NULL;
  }
  uint32_t function = g_array_index(lang->syntax->externals, DaeExternal, external).function;
  const char *name = function != 0 ? dae_names_text(lang->names, function) : "";
  for (size_t i = 0; native.texts[0] != NULL && i < G_N_ELEMENTS(natives); i++) {
    if (strcmp(name, natives[i].name) == 0) {
      return natives[i].value(&native);
    }
  }
  return unknown;
}
