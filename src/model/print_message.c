/* Texts as Modelica writes them; values in messages as String(x, ...). */
#include "model/flat.h"

#include <string.h>

#include "terms/message.h"

static void
append_text(GString *out, const char *text, size_t length)
{
  static const char raw[] = "\"\\\a\b\f\n\r\t\v";
  static const char escaped[] = "\"\\abfnrtv";
  g_string_append_c(out, '"');
  for (size_t i = 0; i < length; i++) {
    const char *found = strchr(raw, text[i]);
    if (found != NULL) {
      g_string_append_c(out, '\\');
      g_string_append_c(out, escaped[found - raw]);
    } else {
      g_string_append_c(out, text[i]);
    }
  }
  g_string_append_c(out, '"');
}

void
dae_print_text(GString *out, const char *text)
{
  append_text(out, text, strlen(text));
}

static void
append_value(DaeTerms *terms, DaeSharedTerms *shared, GString *out, const DaeMessagePart *part)
{
  const DaeTextFormat *format = &part->format;
  g_string_append(out, "String(");
  dae_print_shared(terms, part->term, shared, out);
  if (format->kind == DAE_TEXT_REAL && *format->form != '\0') {
    g_string_append(out, ", format = ");
    dae_print_text(out, format->form);
  } else if (format->kind == DAE_TEXT_REAL && format->digits != 6) {
    g_string_append_printf(out, ", significantDigits = %d", format->digits);
  }
  if (format->width > 0) {
    g_string_append_printf(out, ", minimumLength = %d", format->width);
  }
  g_string_append(out, format->right ? ", leftJustified = false)" : ")");
}

static void
append_condition(DaeTerms *terms, DaeSharedTerms *shared, GString *out, DaeTerm number)
{
  g_string_append(out, "(if ");
  dae_print_shared(terms, dae_truth_of_number(terms, number), shared, out);
  g_string_append(out, " then ");
}

/* (if c then "first" else "second") */
static void
append_choice(DaeTerms *terms, DaeSharedTerms *shared, GString *out, const DaeMessagePart *part)
{
  const DaeTextFormat *format = &part->format;
  if (format->when != DAE_NO_TERM) {
    append_condition(terms, shared, out, format->when);
  }
  if (format->kind == DAE_TEXT_CHOICE) {
    const char *form = format->form;
    size_t first = strcspn(form, "\x03");
    append_condition(terms, shared, out, part->term);
    append_text(out, form, first);
    g_string_append(out, " else ");
    dae_print_text(out, form + first + (form[first] != '\0' ? 1 : 0));
    g_string_append_c(out, ')');
  } else {
    append_value(terms, shared, out, part);
  }
  g_string_append(out, format->when != DAE_NO_TERM ? " else \"\")" : "");
}

void
dae_print_message(DaeTerms *terms, DaeSharedTerms *shared, GString *out, const char *message)
{
  g_autoptr(GString) form = g_string_new(NULL);
  DaeMessagePart part;
  bool any = false;
  while (dae_message_next(terms, &message, &part, form)) {
    g_string_append(out, any ? " + " : "");
    any = true;
    if (part.length > 0) {
      append_text(out, part.text, part.length);
    } else {
      append_choice(terms, shared, out, &part);
    }
  }
  g_string_append(out, any ? "" : "\"\"");
}
