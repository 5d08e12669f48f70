/* Calls that say something or change files, as calls of external functions again: a text that is
 * read back does what the model did. */
#include <string.h>

#include "model/flat.h"

typedef struct {
  const char *function, *inputs,
      *call; /* in the text of show; the inputs behind the first one */
} Form;

/* By DaeFileAct. */
static const Form forms[] = {
    [DAE_FILE_PRINT] = {"'$print'", ", text", "ModelicaInternal_print(text, file)"},
    [DAE_FILE_MATRIX] = {"'$matrix'", ", text", "daetool_writeMatrix(text, file)"},
    [DAE_FILE_MKDIR] = {"'$mkdir'", "", "ModelicaInternal_mkdir(file)"},
    [DAE_FILE_RMDIR] = {"'$rmdir'", "", "ModelicaInternal_rmdir(file)"},
    [DAE_FILE_REMOVE] = {"'$removeFile'", "", "ModelicaInternal_removeFile(file)"},
    [DAE_FILE_RENAME] = {"'$rename'", ", text", "ModelicaInternal_rename(file, text)"},
    [DAE_FILE_COPY] = {"'$copyFile'", ", text", "ModelicaInternal_copyFile(file, text)"},
};

/* What is said to the user only is an assertion with a warning. */
static bool
is_file_act(const DaeAction *action)
{
  return action->print_to != NULL && *action->print_to != '\0';
}

void
dae_print_file_functions(const DaeModel *model, GString *text)
{
  bool is_used[G_N_ELEMENTS(forms)] = {false};
  for (uint32_t i = 0; i < dae_model_n_whens(model); i++) {
    const DaeWhen *when = dae_model_when(model, i);
    for (uint32_t b = 0; b < when->n_branches; b++) {
      for (uint32_t k = 0; k < when->branches[b].n_actions; k++) {
        const DaeAction *action = &when->branches[b].actions[k];
        is_used[action->file_act] = is_used[action->file_act] || is_file_act(action);
      }
    }
  }
  for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
    if (is_used[i]) {
      const Form *form = &forms[i];
      g_string_append_printf(text,
                             "impure function %s\n  input String file%s;\nexternal \"C\" %s;\n"
                             "end %s;\n\n",
                             form->function, form->inputs, form->call, form->function);
    }
  }
}

bool
dae_print_file_action(DaeTerms *terms, DaeSharedTerms *shared, GString *out,
                      const DaeAction *action)
{
  if (!is_file_act(action)) {
    return false;
  }
  const Form *form = &forms[action->file_act];
  g_string_append_printf(out, "%s(", form->function);
  dae_print_text(out, action->print_to);
  if (*form->inputs != '\0') {
    g_string_append(out, ", ");
    dae_print_message(terms, shared, out, action->message);
  }
  g_string_append_c(out, ')');
  return true;
}
