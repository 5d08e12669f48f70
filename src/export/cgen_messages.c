/* Messages with values: the functions that write them when they are told. */
#include <string.h>

#include "export/cgen-priv.h"
#include "terms/message.h"

enum {
  LONGEST_VALUE = 350, /* "%f" of the largest double */
  LONGEST_TEXT = 4095  /* what comes after is left out */
};

bool
dae_cgen_has_prints(const DaeCgenEvents *events)
{
  bool any = false;
  for (uint32_t i = 0; i < events->n_actions; i++) {
    any = any || events->action_kind[i] == DAE_CGEN_PRINT;
  }
  return any;
}

/* Bytes of the longest message, with the 0 at its end. */
static uint32_t
longest_message(const DaeCgenMessages *messages)
{
  size_t longest = 0;
  for (uint32_t m = 0; m < messages->n_messages; m++) {
    size_t n = 0;
    for (uint32_t i = messages->start[m]; i < messages->start[m + 1]; i++) {
      const DaeCgenPart *part = &messages->parts[i];
      bool is_text = part->kind == DAE_CGEN_TEXT || part->kind == DAE_CGEN_CHOICE;
      n += MAX(is_text ? strlen(part->text) : LONGEST_VALUE, part->width);
    }
    longest = MAX(longest, n);
  }
  return (uint32_t)MIN(longest, LONGEST_TEXT) + 1;
}

void
dae_cgen_message_members(const DaeCgen *gen, GString *out)
{
  const DaeCgenMessages *messages = &gen->model->events->messages;
  const uint32_t size = longest_message(messages);
  g_string_append_printf(out, "  double word[%u];\n", messages->n_words);
  g_string_append_printf(out, "  char message_text[%u], warning_text[%u], print_text[%u];\n",
                         size, size, size);
}

/* ---- writing ----------------------------------------------------------------------------- */

static const char helpers[] =
    "typedef struct {\n"
    "  char *text;\n"
    "  size_t length;\n"
    "} @_writer;\n\n"
    "/* Blanks before or after it make it as long as the width. */\n"
    "static void\n"
    "@_write(@_writer *to, const char *text, int width, int is_right)\n"
    "{\n"
    "  const size_t room = ^_TEXT_SIZE - to->length;\n"
    "  const int n = snprintf(to->text + to->length, room, \"%*s\", is_right != 0 ? width : "
    "-width,\n"
    "                         text);\n"
    "  to->length += n > 0 && (size_t)n < room ? (size_t)n : n > 0 ? room - 1u : 0u;\n"
    "}\n\n";

static const char choose_text[] =
    "static void\n"
    "@_write_choice(@_writer *to, const char *const *texts, unsigned n, double value, int "
    "width,\n"
    "               int is_right)\n"
    "{\n"
    "  char number[400];\n"
    "  (void)snprintf(number, sizeof number, \"%.17g\", value);\n"
    "  @_write(to, value >= 1.0 && value < (double)n + 1.0 ? texts[(unsigned)value - 1u] : "
    "number,\n"
    "          width, is_right);\n"
    "}\n\n";

static bool
has_kind(const DaeCgenMessages *messages, DaeCgenPartKind kind)
{
  bool any = false;
  for (uint32_t i = 0; i < messages->start[messages->n_messages]; i++) {
    any = any || messages->parts[i].kind == kind;
  }
  return any;
}

/* The value of a word in a form: as C has it. */
static void
append_number(const DaeCgenPart *part, GString *out)
{
  const size_t n = strlen(part->text);
  const char conversion = part->text[n - 1];
  g_string_append(out, "    (void)snprintf(part, sizeof part, ");
  if (part->kind == DAE_CGEN_NUMBER) {
    g_string_append_printf(out, "\"%%%s\", word[%u]);\n", part->text, part->word);
  } else if (conversion == 'd' || conversion == 'i') {
    g_string_append_printf(out, "\"%%%.*sll%c\", llround(word[%u]));\n", (int)n - 1, part->text,
                           conversion, part->word);
  } else {
    g_string_append_printf(out, "\"%%%s\", (%s)llround(word[%u]));\n", part->text,
                           conversion == 'c' ? "int" : "unsigned", part->word);
  }
}

static void
append_choice(const DaeCgen *gen, const DaeCgenPart *part, uint32_t i, GString *out)
{
  const char between[] = {DAE_TEXT_BETWEEN, '\0'};
  g_auto(GStrv) texts = g_strsplit(part->text, between, -1);
  g_string_append_printf(out, "    %s_write_choice(to, %s_choice%u, %uu, word[%u], %u, %d);\n",
                         gen->model->prefix, gen->model->prefix, i, g_strv_length(texts),
                         part->word, part->width, part->right ? 1 : 0);
}

static void
append_part(const DaeCgen *gen, const DaeCgenPart *part, uint32_t i, GString *out)
{
  if (part->when != DAE_CGEN_ALWAYS) {
    g_string_append_printf(out, "    if (fabs(word[%u]) > 0.0) {\n", part->when);
  }
  if (part->kind == DAE_CGEN_TEXT) {
    g_string_append_printf(out, "    %s_write(to, ", gen->model->prefix);
    dae_cgen_c_string(out, part->text);
    g_string_append(out, ", 0, 0);\n");
  } else if (part->kind == DAE_CGEN_CHOICE) {
    append_choice(gen, part, i, out);
  } else {
    append_number(part, out);
    g_string_append_printf(out, "    %s_write(to, part, %u, %d);\n", gen->model->prefix,
                           part->width, part->right ? 1 : 0);
  }
  if (part->when != DAE_CGEN_ALWAYS) {
    g_string_append(out, "    }\n");
  }
}

static void
append_choices(const DaeCgen *gen, const DaeCgenMessages *messages)
{
  const char between[] = {DAE_TEXT_BETWEEN, '\0'};
  for (uint32_t i = 0; i < messages->start[messages->n_messages]; i++) {
    if (messages->parts[i].kind == DAE_CGEN_CHOICE) {
      g_auto(GStrv) texts = g_strsplit(messages->parts[i].text, between, -1);
      g_autofree char *name = g_strdup_printf("choice%u", i);
      dae_cgen_string_table(gen, gen->out, "static const", name, (const char *const *)texts,
                            g_strv_length(texts));
    }
  }
}

/* 1: the message has values, which are in `word`, and is written. */
static void
append_writer(const DaeCgen *gen, const DaeCgenMessages *messages)
{
  GString *out = gen->out;
  const bool has_numbers =
      has_kind(messages, DAE_CGEN_NUMBER) || has_kind(messages, DAE_CGEN_WHOLE);
  dae_cgen_append(gen, out,
                  "static void\n"
                  "@_write_message(@_writer *to, unsigned message, const double *word)\n{\n");
  g_string_append_printf(out, "%s  switch (message) {\n",
                         has_numbers ? "  char part[400];\n" : "");
  for (uint32_t m = 0; m < messages->n_messages; m++) {
    if (messages->start[m] < messages->start[m + 1]) {
      g_string_append_printf(out, "  case %uu:\n", m);
      for (uint32_t i = messages->start[m]; i < messages->start[m + 1]; i++) {
        append_part(gen, &messages->parts[i], i, out);
      }
      g_string_append(out, "    break;\n");
    }
  }
  g_string_append(out, "  default:\n    break;\n  }\n}\n\n");
}

void
dae_cgen_message_functions(const DaeCgen *gen)
{
  const DaeCgenMessages *messages = &gen->model->events->messages;
  g_autofree uint8_t *has_words = g_new0(uint8_t, (size_t)messages->n_messages + 1);
  for (uint32_t m = 0; m < messages->n_messages; m++) {
    has_words[m] = messages->start[m] < messages->start[m + 1];
  }
  dae_cgen_append(gen, gen->out, "#define ^_TEXT_SIZE ");
  g_string_append_printf(gen->out, "%uu\n", longest_message(messages));
  dae_cgen_byte_table(gen, gen->out, "has_words", has_words, messages->n_messages);
  append_choices(gen, messages);
  dae_cgen_append(gen, gen->out, helpers);
  if (has_kind(messages, DAE_CGEN_CHOICE)) {
    dae_cgen_append(gen, gen->out, choose_text);
  }
  append_writer(gen, messages);
}
