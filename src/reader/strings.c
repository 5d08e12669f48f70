/* String(x, ...) [MLS 3.7.2]: the text of a value that is known; else a mark that the value
 * fills when the text is told (terms/message.h). */
#include "reader/calls.h"

#include <string.h>

#include "terms/message.h"

typedef struct {
  const DaeValue *digits, *width, *left, *form;
} Options;

static bool
take_named(const DaeReader *reader, const DaeValue *argument, Options *options)
{
  const struct {
    const char *name;
    const DaeValue **to;
  } names[] = {{"significantDigits", &options->digits},
               {"minimumLength", &options->width},
               {"leftJustified", &options->left},
               {"format", &options->form}};

  for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
    if (strcmp(dae_names_text(reader->names, argument->name), names[i].name) == 0) {
      *names[i].to = argument;
      return true;
    }
  }
  return false;
}

/* String(x, 0, true, 6) in the texts of tools: the digits come last. */
static bool
has_digits_last(const DaeReader *reader, const DaeValue *arguments, uint32_t n)
{
  return n == 4 && dae_syntax_class(reader->syntax, reader->model)->kind == DAE_CLASS_CLASS &&
         arguments[2].name == 0 && arguments[2].type == DAE_VALUE_BOOLEAN &&
         arguments[3].name == 0 && arguments[3].type == DAE_VALUE_INTEGER;
}

/* Those by place: of a Real a format, or its digits before what all have. */
static bool
take_options(DaeReader *reader, const DaeValue *arguments, uint32_t n, Options *options,
             uint32_t pos)
{
  bool is_real = arguments[0].type == DAE_VALUE_REAL;
  const DaeValue **const places[] = {&options->digits, &options->width, &options->left};
  uint32_t at = is_real ? 0 : 1;
  if (is_real && has_digits_last(reader, arguments, n)) {
    *options = (Options){&arguments[3], &arguments[1], &arguments[2], NULL};
    return true;
  }
  for (uint32_t i = 1; i < n; i++) {
    bool good = true;
    if (arguments[i].name != 0) {
      good = take_named(reader, &arguments[i], options);
    } else if (arguments[i].type == DAE_VALUE_STRING) {
      options->form = &arguments[i];
    } else if (at < G_N_ELEMENTS(places)) {
      *places[at++] = &arguments[i];
    } else {
      good = false;
    }
    if (!good) {
      dae_source_error(reader->source, pos, "String has no such argument");
      return false;
    }
  }
  return true;
}

static bool
take_integer(DaeReader *reader, const DaeValue *value, int *to, uint32_t pos)
{
  int64_t number = *to;
  bool good = value == NULL || dae_reader_integer(reader, value, 0, pos, &number);
  *to = (int)CLAMP(number, 0, 1000);
  return good;
}

/* C's formats of numbers [Modelica 3.6, 3.7.2]. */
static bool
read_form(DaeReader *reader, const DaeValue *given, DaeTextFormat *format, uint32_t pos)
{
  bool is_integer = format->kind == DAE_TEXT_INTEGER;
  const char *text =
      given->type == DAE_VALUE_STRING ? dae_names_text(reader->names, given->term) : "";
  text += *text == '%' ? 1 : 0;
  if ((format->kind != DAE_TEXT_REAL && !is_integer) || !dae_text_form_is_valid(text)) {
    dae_source_error(reader->source, pos, "'%s' is no format of %s", text,
                     is_integer                      ? "an Integer"
                     : format->kind == DAE_TEXT_REAL ? "a Real"
                                                     : "this value");
    return false;
  }
  if (!is_integer && dae_text_form_is_of_integer(text)) {
    dae_source_warning(reader->source, pos,
                       "'%s' is a format of an Integer: the Real is rounded", text);
  }
  format->kind = DAE_TEXT_REAL;
  format->form =
      dae_names_text(reader->names, dae_names_intern(reader->names, text, strlen(text)));
  return true;
}

static bool
read_options(DaeReader *reader, const Options *options, DaeTextFormat *format, uint32_t pos)
{
  if (!take_integer(reader, options->digits, &format->digits, pos) ||
      !take_integer(reader, options->width, &format->width, pos)) {
    return false;
  }
  if (options->left != NULL) {
    DaeTerm left = dae_reader_close(reader, options->left->term, false);
    if (options->left->type != DAE_VALUE_BOOLEAN || left == DAE_NO_TERM) {
      dae_source_error(reader->source, pos, "leftJustified is no Boolean that is known");
      return false;
    }
    format->right = !dae_term_get_bool(reader->terms, left);
  }
  return options->form == NULL || read_form(reader, options->form, format, pos);
}

/* The names of an enumeration, with commas between; NULL: it has none here. (transfer full) */
static char *
literal_names(const DaeReader *reader, uint32_t enumeration)
{
  if (enumeration == 0 || enumeration >= reader->syntax->types->len) {
    return NULL;
  }
  const DaeTypeDefinition *type =
      &g_array_index(reader->syntax->types, DaeTypeDefinition, enumeration);
  GString *names = g_string_new(NULL);
  for (uint32_t i = 0; i < type->n_literals; i++) {
    uint32_t name = g_array_index(reader->syntax->literals, uint32_t, type->first_literal + i);
    g_string_append_printf(names, "%s%s", i > 0 ? "," : "",
                           dae_names_text(reader->names, name));
  }
  return g_string_free(names, FALSE);
}

static DaeTextKind
kind_of(const DaeValue *value, bool has_names)
{
  switch ((int)value->type) {
  case DAE_VALUE_BOOLEAN:
    return DAE_TEXT_BOOLEAN;
  case DAE_VALUE_INTEGER:
    return DAE_TEXT_INTEGER;
  case DAE_VALUE_ENUMERATION:
    return has_names ? DAE_TEXT_LITERAL : DAE_TEXT_INTEGER;
  default:
    return DAE_TEXT_REAL;
  }
}

DaeValue
dae_string_apply(DaeReader *reader, const DaeValue *arguments, uint32_t n, uint32_t pos)
{
  const DaeValue *value = &arguments[0];
  if (value->type == DAE_VALUE_RECORD) {
    return dae_overload_string(reader, arguments, n, pos);
  }
  if (value->n_dims > 0 || value->type > DAE_VALUE_RECORD) {
    dae_source_error(reader->source, pos, "String takes one value, this is %s",
                     value->n_dims > 0 ? "an array" : dae_value_type_text(value));
    return dae_value_poison();
  }
  if (value->type == DAE_VALUE_STRING) {
    return *value;
  }
  g_autofree char *names =
      value->type == DAE_VALUE_ENUMERATION ? literal_names(reader, value->enumeration) : NULL;
  Options options = {.digits = NULL};
  DaeTextFormat format = {.kind = kind_of(value, names != NULL), .digits = 6, .form = names};
  if (!take_options(reader, arguments, n, &options, pos) ||
      !read_options(reader, &options, &format, pos)) {
    return dae_value_poison();
  }
  DaeTerm t = dae_discrete_unknown(reader, value->type, value->term);
  g_autoptr(GString) text = g_string_new(NULL);
  if (dae_term_is_number(reader->terms, t)) {
    dae_text_append(text, &format, dae_term_get_double(reader->terms, t));
  } else {
    dae_message_append_value(text, t, &format);
  }
  return dae_value_scalar(DAE_VALUE_STRING,
                          dae_names_intern(reader->names, text->str, text->len));
}

static bool
value_now(void *user, DaeTerm t, double *value)
{
  return dae_reader_double(user, t, value);
}

typedef struct {
  DaeReader *reader;
  bool is_unknown;
} Note;

static bool
note_unknown(void *user, DaeTerm t, double *value)
{
  Note *note = user;
  bool is_known = dae_reader_double(note->reader, t, value);
  note->is_unknown = note->is_unknown || !is_known;
  return is_known;
}

bool
dae_string_is_known(DaeReader *reader, uint32_t name)
{
  const char *text = dae_names_text(reader->names, name);
  Note note = {reader, false};
  if (dae_message_has_values(text)) {
    g_free(dae_message_fill(reader->terms, text, note_unknown, &note));
  }
  return !note.is_unknown;
}

uint32_t
dae_string_known(DaeReader *reader, uint32_t name)
{
  const char *text = dae_names_text(reader->names, name);
  if (!dae_message_has_values(text)) {
    return name;
  }
  g_autofree char *filled = dae_message_fill(reader->terms, text, value_now, reader);
  return dae_names_intern(reader->names, filled, strlen(filled));
}
