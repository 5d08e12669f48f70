/* External functions whose value is needed for sizes: the lines of a file that readFile() gives. */
#include "lang/instance.h"

#include <string.h>

static int64_t
count_lines(const char *text)
{
  int64_t n = 0;
  for (const char *at = text; *at != '\0'; n++) {
    const char *end = strchr(at, '\n');
    at = end != NULL ? end + 1 : at + strlen(at);
  }
  return n;
}

DaeEval
dae_eval_native(const DaeInterpreter *interpreter, const DaeNode *node)
{
  const DaeEval unknown = {.type = DAE_EVAL_UNKNOWN};
  DaeLang *lang = interpreter->lang;
  uint32_t external =
      node->class != 0 ? dae_syntax_class(lang->syntax, node->class)->external : 0;
  if (external == 0 || interpreter->locals->len == 0) {
    return unknown;
  }
  const DaeEval *path = &g_array_index(interpreter->locals, DaeLocal, 0).value;
  uint32_t function = g_array_index(lang->syntax->externals, DaeExternal, external).function;
  g_autofree char *text = NULL;
  bool is_count =
      function != 0 && path->type == DAE_EVAL_STRING && path->n_dims == 0 &&
      strcmp(dae_names_text(lang->names, function), "ModelicaInternal_countLines") == 0;
  bool is_read = is_count && g_file_get_contents(dae_names_text(lang->names, path->string),
                                                 &text, NULL, NULL);
  return is_read ? dae_eval_integer(count_lines(text)) : unknown;
}
