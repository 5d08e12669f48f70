/* Texts: what Modelica.Utilities asks of C. Positions count bytes from 1. */
#include "reader/natives.h"

#include <string.h>

static bool
run_length(DaeForeign *call)
{
  const char *text = dae_foreign_text(call, 0);
  return text != NULL && dae_foreign_return_integer(call, (int64_t)strlen(text));
}

static bool
run_substring(DaeForeign *call)
{
  const char *text = dae_foreign_text(call, 0);
  int64_t from = 0;
  int64_t to = 0;
  if (text == NULL || !dae_foreign_integer(call, 1, &from) ||
      !dae_foreign_integer(call, 2, &to)) {
    return false;
  }
  int64_t length = (int64_t)strlen(text);
  from = MAX(from, 1);
  to = MIN(to, length);
  g_autofree char *part =
      to < from ? g_strdup("") : g_strndup(text + from - 1, (size_t)(to - from + 1));
  return dae_foreign_return_text(call, part, -1);
}

/* 1, 2, 3: less, equal, greater, as Modelica.Utilities.Types.Compare. */
static bool
run_compare(DaeForeign *call)
{
  const char *a = dae_foreign_text(call, 0);
  const char *b = dae_foreign_text(call, 1);
  bool is_sensitive = true;
  if (a == NULL || b == NULL || !dae_foreign_boolean(call, 2, &is_sensitive)) {
    return false;
  }
  int order = is_sensitive ? strcmp(a, b) : g_ascii_strcasecmp(a, b);
  return dae_foreign_return_integer(call, order < 0 ? 1 : order == 0 ? 2 : 3);
}

/* Partow's hash of the bytes, as the C function of the Modelica Standard Library has it: seeds
 * of random numbers are made of it. */
static bool
run_hash(DaeForeign *call)
{
  const char *text = dae_foreign_text(call, 0);
  uint32_t hash = UINT32_C(0xaaaaaaaa);
  for (uint32_t i = 0; text != NULL && text[i] != '\0'; i++) {
    uint32_t byte = (unsigned char)text[i];
    hash ^=
        i % 2 == 0 ? (hash << 7) ^ byte * (hash >> 3) : ~((hash << 11) + (byte ^ hash >> 5));
  }
  return text != NULL && dae_foreign_return_integer(call, (int32_t)hash);
}

static bool
text_and_start(DaeForeign *call, const char **text, size_t *at)
{
  int64_t start = 0;
  *text = dae_foreign_text(call, 0);
  if (*text == NULL || !dae_foreign_integer(call, 1, &start)) {
    return false;
  }
  size_t length = strlen(*text);
  *at = start < 1 ? 0 : MIN((size_t)start - 1, length);
  return true;
}

static size_t
skip_white(const char *text, size_t at)
{
  while (g_ascii_isspace(text[at])) {
    at++;
  }
  return at;
}

static bool
run_skip(DaeForeign *call)
{
  const char *text = NULL;
  size_t at = 0;
  return text_and_start(call, &text, &at) &&
         dae_foreign_return_integer(call, (int64_t)skip_white(text, at) + 1);
}

static bool
set_index(DaeForeign *call, uint32_t i, size_t at)
{
  return dae_foreign_set(
      call, i,
      dae_value_scalar(DAE_VALUE_INTEGER, dae_term_int(call->reader->terms, (int64_t)at + 1)));
}

/* scanReal, scanInteger(string, start, unsigned, next, number): next = start if there is none. */
static bool
scan_number(DaeForeign *call, bool is_integer)
{
  const char *text = NULL;
  size_t start = 0;
  bool is_unsigned = false;
  if (!text_and_start(call, &text, &start) || !dae_foreign_boolean(call, 2, &is_unsigned)) {
    return false;
  }
  size_t at = skip_white(text, start);
  size_t from = at;
  size_t digits = 0;
  if (!is_unsigned && (text[at] == '+' || text[at] == '-')) {
    at++;
  }
  for (; g_ascii_isdigit(text[at]); at++) {
    digits++;
  }
  if (!is_integer && text[at] == '.') {
    for (at++; g_ascii_isdigit(text[at]); at++) {
      digits++;
    }
  }
  if (!is_integer && digits > 0 && (text[at] == 'e' || text[at] == 'E')) {
    size_t exponent = at + 1;
    exponent += text[exponent] == '+' || text[exponent] == '-' ? 1 : 0;
    if (g_ascii_isdigit(text[exponent])) {
      for (at = exponent; g_ascii_isdigit(text[at]);) {
        at++;
      }
    }
  }
  if (is_integer && (text[at] == '.' || text[at] == 'e' || text[at] == 'E')) {
    digits = 0; /* the beginning of a Real is no Integer */
  }
  g_autofree char *part = g_strndup(text + from, digits > 0 ? at - from : 0);
  double value = digits > 0 ? g_ascii_strtod(part, NULL) : 0.0;
  DaeValue number = dae_value_scalar(is_integer ? DAE_VALUE_INTEGER : DAE_VALUE_REAL,
                                     dae_term_from_double(call->reader->terms, value));
  return set_index(call, 3, digits > 0 ? at : start) && dae_foreign_set(call, 4, number);
}

static bool
run_scan_real(DaeForeign *call)
{
  return scan_number(call, false);
}

static bool
run_scan_integer(DaeForeign *call)
{
  return scan_number(call, true);
}

static bool
set_text(DaeForeign *call, uint32_t i, const char *text, size_t length)
{
  return dae_foreign_set(
      call, i,
      dae_value_scalar(DAE_VALUE_STRING, dae_names_intern(call->reader->names, text, length)));
}

static bool
run_scan_identifier(DaeForeign *call)
{
  const char *text = NULL;
  size_t start = 0;
  if (!text_and_start(call, &text, &start)) {
    return false;
  }
  size_t from = skip_white(text, start);
  size_t at = from;
  while (g_ascii_isalpha(text[at]) ||
         (at > from && (g_ascii_isalnum(text[at]) || text[at] == '_'))) {
    at++;
  }
  return set_index(call, 2, at > from ? at : start) &&
         set_text(call, 3, text + from, at - from);
}

static bool
run_scan_string(DaeForeign *call)
{
  const char *text = NULL;
  size_t start = 0;
  if (!text_and_start(call, &text, &start)) {
    return false;
  }
  size_t from = skip_white(text, start);
  size_t at = from;
  if (text[at] == '"') {
    for (at++; text[at] != '\0' && text[at] != '"'; at++) {
      at += text[at] == '\\' && text[at + 1] != '\0' ? 1 : 0;
    }
  }
  if (at == from || text[at] != '"') {
    return set_index(call, 2, start) && set_text(call, 3, "", 0);
  }
  return set_index(call, 2, at + 1) && set_text(call, 3, text + from + 1, at - from - 1);
}

const DaeForeignEntry dae_foreign_strings[] = {
    {"ModelicaStrings_length", 1, run_length},
    {"ModelicaStrings_substring", 3, run_substring},
    {"ModelicaStrings_compare", 3, run_compare},
    {"ModelicaStrings_hashString", 1, run_hash},
    {"ModelicaStrings_skipWhiteSpace", 2, run_skip},
    {"ModelicaStrings_scanReal", 5, run_scan_real},
    {"ModelicaStrings_scanInteger", 5, run_scan_integer},
    {"ModelicaStrings_scanIdentifier", 4, run_scan_identifier},
    {"ModelicaStrings_scanString", 4, run_scan_string},
    {NULL, 0, NULL},
};
