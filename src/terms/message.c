/* A mark: 0x01, then term|kind|digits|width|right|when|form, then 0x02. A text of the user that
 * looks like one but names no term is left as it is. */
#include "terms/message.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terms/terms-priv.h"

#define BEGIN '\x01'
#define END '\x02'
#define MAX_TEXT 200u  /* bytes of an expression in a message */
#define MAX_WIDTH 1000 /* minimumLength beyond is not followed */

static const char real_conversions[] = "eEfFgG";
static const char integer_conversions[] = "diouxXc";

/* A form of printf without '%' [MLS 3.7.2]. */
typedef struct {
  bool is_left, has_plus, has_blank, is_marked, has_zeros;
  int width, precision; /* -1: none */
  char conversion;      /* 0: it is no form */
} Form;

static Form
read_form(const char *text)
{
  size_t flags = strspn(text, "-+ #0");
  size_t width = strspn(text + flags, "0123456789");
  size_t at = flags + width;
  bool has_precision = text[at] == '.';
  size_t precision = has_precision ? strspn(text + at + 1, "0123456789") : 0;
  Form form = {.is_left = memchr(text, '-', flags) != NULL,
               .has_plus = memchr(text, '+', flags) != NULL,
               .has_blank = memchr(text, ' ', flags) != NULL,
               .is_marked = memchr(text, '#', flags) != NULL,
               .has_zeros = memchr(text, '0', flags) != NULL,
               .precision = -1};
  if (width > 3 || precision > 2) {
    return form;
  }
  form.width = width > 0 ? atoi(text + flags) : 0;
  if (has_precision) {
    form.precision = precision > 0 ? atoi(text + at + 1) : 0;
    at += 1 + precision;
  }
  bool is_known = text[at] != '\0' && text[at + 1] == '\0' &&
                  (strchr(real_conversions, text[at]) != NULL ||
                   strchr(integer_conversions, text[at]) != NULL);
  form.conversion = is_known ? text[at] : '\0';
  return form;
}

bool
dae_text_form_is_valid(const char *form)
{
  return read_form(form).conversion != '\0';
}

bool
dae_text_form_is_of_integer(const char *form)
{
  Form f = read_form(form);
  return f.conversion != '\0' && strchr(integer_conversions, f.conversion) != NULL;
}

/* Digits of an Integer; those without sign are of 32 bits where these are enough. */
static char *
integer_digits(char conversion, int64_t value)
{
  uint64_t bits = value < 0 && value >= INT32_MIN ? (uint32_t)value : (uint64_t)value;
  switch (conversion) {
  case 'c':
    return g_strdup_printf("%c", (int)(bits & 0xffu));
  case 'o':
    return g_strdup_printf("%" PRIo64, bits);
  case 'x':
    return g_strdup_printf("%" PRIx64, bits);
  case 'X':
    return g_strdup_printf("%" PRIX64, bits);
  case 'u':
    return g_strdup_printf("%" PRIu64, bits);
  default:
    return g_strdup_printf("%" PRIu64, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
  }
}

/* What stands before the digits. */
static const char *
integer_prefix(const Form *form, int64_t value)
{
  bool is_signed = form->conversion == 'd' || form->conversion == 'i';
  if (is_signed) {
    return value < 0 ? "-" : form->has_plus ? "+" : form->has_blank ? " " : "";
  }
  if (!form->is_marked || value == 0) {
    return "";
  }
  return form->conversion == 'x'   ? "0x"
         : form->conversion == 'X' ? "0X"
         : form->conversion == 'o' ? "0"
                                   : "";
}

static void
append_integer(GString *out, const Form *form, double number)
{
  int64_t value = fabs(number) < 9e18 ? llround(number) : number < 0 ? INT64_MIN : INT64_MAX;
  g_autofree char *digits = integer_digits(form->conversion, value);
  const char *prefix = integer_prefix(form, value);
  int n = (int)strlen(digits);
  int length = n + (int)strlen(prefix);
  bool is_filled =
      form->has_zeros && !form->is_left && form->precision < 0 && form->conversion != 'c';
  int wanted = is_filled ? form->width - (length - n) : form->precision;
  int zeros = form->conversion != 'c' && wanted > n ? wanted - n : 0;
  int blanks = form->width > length + zeros ? form->width - length - zeros : 0;
  g_string_append_printf(out, "%*s%s", form->is_left ? 0 : blanks, "", prefix);
  for (int i = 0; i < zeros; i++) {
    g_string_append_c(out, '0');
  }
  g_string_append_printf(out, "%s%*s", digits, form->is_left ? blanks : 0, "");
}

static void
append_literal(GString *out, const char *names, double value)
{
  g_auto(GStrv) words = g_strsplit(names, ",", -1);
  uint32_t n = g_strv_length(words);
  if (value >= 1 && value <= n) {
    g_string_append(out, words[(uint32_t)value - 1]);
  } else {
    g_string_append_printf(out, "%.17g", value);
  }
}

static void
append_chosen(GString *out, const char *texts, bool is_first)
{
  const char *between = strchr(texts, DAE_TEXT_BETWEEN);
  const char *end = between != NULL ? between : texts + strlen(texts);
  if (is_first) {
    g_string_append_len(out, texts, end - texts);
  } else {
    g_string_append(out, between != NULL ? between + 1 : "");
  }
}

void
dae_text_append(GString *out, const DaeTextFormat *format, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE + 1100];
  g_autoptr(GString) text = g_string_new(NULL);
  switch (format->kind) {
  case DAE_TEXT_BOOLEAN:
    g_string_append(text, value != 0 ? "true" : "false");
    break;
  case DAE_TEXT_CHOICE:
    append_chosen(text, format->form != NULL ? format->form : "", value != 0);
    break;
  case DAE_TEXT_LITERAL:
    append_literal(text, format->form != NULL ? format->form : "", value);
    break;
  case DAE_TEXT_NUMBERED:
  case DAE_TEXT_LATE:
  case DAE_TEXT_INTEGER:
    g_string_append(text, g_ascii_formatd(number, sizeof number, "%.0f", value));
    break;
  case DAE_TEXT_REAL: {
    if (format->form != NULL && dae_text_form_is_of_integer(format->form)) {
      Form integer = read_form(format->form);
      append_integer(text, &integer, value);
      break;
    }
    g_autofree char *form = format->form != NULL && *format->form != '\0'
                                ? g_strconcat("%", format->form, NULL)
                                : g_strdup_printf("%%.%dg", CLAMP(format->digits, 1, 17));
    g_string_append(text, g_ascii_formatd(number, sizeof number, form, value));
    break;
  }
  }
  int width = MIN(format->width, MAX_WIDTH);
  int blanks = width > (int)text->len ? width - (int)text->len : 0;
  g_string_append_printf(out, "%*s%s%*s", format->right ? blanks : 0, "", text->str,
                         format->right ? 0 : blanks, "");
}

void
dae_message_append_value(GString *out, DaeTerm t, const DaeTextFormat *format)
{
  g_string_append_printf(out, "%c%u|%d|%d|%d|%d|%u|%s%c", BEGIN, t, (int)format->kind,
                         format->digits, format->width, format->right ? 1 : 0, format->when,
                         format->form != NULL ? format->form : "", END);
}

/* The mark at `at`; NULL: it is none. */
static const char *
read_mark(const DaeTerms *terms, const char *at, DaeMessagePart *part, GString *form)
{
  long numbers[6];
  char *end = NULL;
  at++;
  for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
    numbers[i] = strtol(at, &end, 10);
    if (end == at || *end != '|') {
      return NULL;
    }
    at = end + 1;
  }
  const char *close = strchr(at, END);
  if (close == NULL || numbers[0] <= 0 || numbers[0] > (long)terms->count || numbers[1] < 0 ||
      numbers[1] > DAE_TEXT_LATE || numbers[5] < 0 || numbers[5] > (long)terms->count) {
    return NULL;
  }
  g_string_truncate(form, 0);
  g_string_append_len(form, at, close - at);
  if (numbers[1] == DAE_TEXT_REAL && form->len > 0 && !dae_text_form_is_valid(form->str)) {
    return NULL;
  }
  *part = (DaeMessagePart){.term = (DaeTerm)numbers[0],
                           .format = {.kind = (DaeTextKind)numbers[1],
                                      .digits = (int)CLAMP(numbers[2], 1, 17),
                                      .width = (int)CLAMP(numbers[3], 0, MAX_WIDTH),
                                      .right = numbers[4] != 0,
                                      .when = (DaeTerm)numbers[5],
                                      .form = form->str}};
  return close + 1;
}

bool
dae_message_next(const DaeTerms *terms, const char **at, DaeMessagePart *part, GString *form)
{
  if (**at == '\0') {
    return false;
  }
  const char *next = **at == BEGIN ? read_mark(terms, *at, part, form) : NULL;
  if (next == NULL) {
    next = *at + 1 + strcspn(*at + 1, "\x01");
    *part = (DaeMessagePart){.text = *at, .length = (size_t)(next - *at)};
  }
  *at = next;
  return true;
}

bool
dae_message_has_values(const char *message)
{
  return message != NULL && strchr(message, BEGIN) != NULL;
}

bool
dae_message_is_like(const char *a, const char *b)
{
  while (*a != '\0' && *a == *b) {
    bool is_mark = *a == BEGIN;
    a += is_mark ? strcspn(a, "\x02") : 1;
    b += is_mark ? strcspn(b, "\x02") : 1;
  }
  return *a == *b;
}

/* Without a value: the expression, or both texts. */
static void
append_open(DaeTerms *terms, const DaeMessagePart *part, GString *out)
{
  if (part->format.kind != DAE_TEXT_CHOICE) {
    dae_term_print_limited(terms, part->term, out, MAX_TEXT);
    return;
  }
  g_string_append_c(out, '(');
  append_chosen(out, part->format.form, true);
  g_string_append(out, " or ");
  append_chosen(out, part->format.form, false);
  g_string_append_c(out, ')');
}

char *
dae_message_map(DaeTerms *terms, const char *message, DaeMessageMap map, void *user)
{
  g_autoptr(GString) form = g_string_new(NULL);
  GString *out = g_string_new(NULL);
  DaeMessagePart part;
  while (dae_message_next(terms, &message, &part, form)) {
    DaeTerm when = part.length == 0 ? part.format.when : DAE_NO_TERM;
    DaeTerm mapped = when != DAE_NO_TERM ? map(user, when) : DAE_NO_TERM;
    DaeTerm t = part.length == 0 ? map(user, part.term) : DAE_NO_TERM;
    part.format.when = mapped;
    if (part.length > 0) {
      g_string_append_len(out, part.text, (gssize)part.length);
    } else if (t != DAE_NO_TERM && (when == DAE_NO_TERM) == (mapped == DAE_NO_TERM)) {
      dae_message_append_value(out, t, &part.format);
    } else {
      append_open(terms, &part, out);
    }
  }
  return g_string_free(out, FALSE);
}

/* Is this part of the text there? */
static bool
is_there(const DaeMessagePart *part, DaeMessageValue value, void *user)
{
  double x = 1;
  return part->format.when == DAE_NO_TERM || value == NULL ||
         !value(user, part->format.when, &x) || x != 0;
}

char *
dae_message_fill(DaeTerms *terms, const char *message, DaeMessageValue value, void *user)
{
  g_autoptr(GString) form = g_string_new(NULL);
  GString *out = g_string_new(NULL);
  DaeMessagePart part;
  while (message != NULL && dae_message_next(terms, &message, &part, form)) {
    double x = 0;
    if (part.length > 0) {
      g_string_append_len(out, part.text, (gssize)part.length);
    } else if (!is_there(&part, value, user)) {
      continue;
    } else if (value != NULL && value(user, part.term, &x)) {
      dae_text_append(out, &part.format, x);
    } else {
      append_open(terms, &part, out);
    }
  }
  return g_string_free(out, FALSE);
}
