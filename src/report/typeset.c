#include "report/typeset.h"

#include <string.h>

/* ---- mathematics ------------------------------------------------------------------------- */

static bool
starts_name(char c)
{
  return g_ascii_isalpha(c) || c == '_' || c == '$';
}

static bool
is_in_name(char c)
{
  return g_ascii_isalnum(c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

/* The end of 'a quoted name'; NULL if it is not closed. */
static const char *
end_of_quoted(const char *p)
{
  for (p++; *p != '\0' && *p != '\''; p++) {
    if (*p == '\\' && p[1] != '\0') {
      p++;
    }
  }
  return *p == '\'' ? p + 1 : NULL;
}

/* The end of a name with its parts and subscripts, a.b[1].c; NULL if none stands here. */
static const char *
end_of_name(const char *p)
{
  for (;;) {
    if (*p == '\'') {
      p = end_of_quoted(p);
    } else if (starts_name(*p)) {
      while (is_in_name(*p)) {
        p++;
      }
    } else {
      p = NULL;
    }
    if (p != NULL && *p == '[') {
      size_t n = strspn(p + 1, "0123456789, ");
      p = p[n + 1] == ']' ? p + n + 2 : p;
    }
    if (p == NULL || *p != '.' || !(starts_name(p[1]) || p[1] == '\'')) {
      return p;
    }
    p++;
  }
}

static const char *
end_of_number(const char *p)
{
  while (g_ascii_isdigit(*p) || *p == '.') {
    p++;
  }
  if (*p == 'e' &&
      (g_ascii_isdigit(p[1]) || (strchr("+-", p[1]) != NULL && g_ascii_isdigit(p[2])))) {
    p += 2;
    while (g_ascii_isdigit(*p)) {
      p++;
    }
  }
  return p;
}

static void
append_raised(GString *out, const char *digits, gsize n)
{
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (gsize i = 0; i < n; i++) {
    g_string_append(out, raised[digits[i] - '0']);
  }
}

static void
append_primes(GString *out, guint order)
{
  static const char *const primes[] = {"", "′", "″", "‴"};
  if (order < G_N_ELEMENTS(primes)) {
    g_string_append(out, primes[order]);
    return;
  }
  g_autofree char *digits = g_strdup_printf("%u", order);
  g_string_append(out, "⁽");
  append_raised(out, digits, strlen(digits));
  g_string_append(out, "⁾");
}

/* der(der(x)) of a name; returns what follows, NULL if it is something else. */
static const char *
try_derivative(GString *out, const char *p)
{
  guint order = 0;
  for (; g_str_has_prefix(p, "der("); p += 4) {
    order++;
  }
  const char *end = order > 0 ? end_of_name(p) : NULL;
  for (guint i = 0; end != NULL && i < order; i++) {
    if (end[i] != ')') {
      end = NULL;
    }
  }
  if (end == NULL) {
    return NULL;
  }
  g_string_append_len(out, p, end - p);
  append_primes(out, order);
  return end + order;
}

/* ^12 where a whole number is the exponent, ^(4) of an order of differentiation;
 * NULL if it is something else. */
static const char *
try_exponent(GString *out, const char *p)
{
  bool in_parentheses = p[1] == '(';
  const char *digits = p + 1 + in_parentheses;
  gsize n = strspn(digits, "0123456789");
  const char *end = digits + n;
  if (n == 0 || (in_parentheses ? *end != ')' : *end == '.' || *end == 'e')) {
    return NULL;
  }
  g_string_append(out, in_parentheses ? "⁽" : "");
  append_raised(out, digits, n);
  g_string_append(out, in_parentheses ? "⁾" : "");
  return end + in_parentheses;
}

static const char *
append_sign(GString *out, const char *p)
{
  static const struct {
    const char *ascii, *sign;
  } signs[] = {{"*", "·"}, {"<=", "≤"}, {">=", "≥"}, {"<>", "≠"}, {"->", "→"}};

  for (gsize i = 0; i < G_N_ELEMENTS(signs); i++) {
    if (g_str_has_prefix(p, signs[i].ascii)) {
      g_string_append(out, signs[i].sign);
      return p + strlen(signs[i].ascii);
    }
  }
  const char *after = *p == '^' ? try_exponent(out, p) : NULL;
  if (after == NULL) {
    g_string_append_c(out, *p);
    after = p + 1;
  }
  return after;
}

/* A name, a derivative of one, or a root. */
static const char *
append_word(GString *out, const char *p)
{
  const char *after = try_derivative(out, p);
  if (after != NULL) {
    return after;
  }
  after = end_of_name(p);
  if (after == NULL) { /* a quote that is not closed */
    g_string_append_c(out, *p);
    return p + 1;
  }
  if (g_str_has_prefix(p, "sqrt(")) {
    g_string_append(out, "√");
  } else {
    g_string_append_len(out, p, after - p);
  }
  return after;
}

/* 12'' : an equation differentiated twice. */
static const char *
append_number(GString *out, const char *p)
{
  const char *after = end_of_number(p);
  g_string_append_len(out, p, after - p);
  gsize order = strspn(after, "'");
  append_primes(out, (guint)order);
  return after + order;
}

void
dae_typeset_math(GString *out, const char *ascii)
{
  for (const char *p = ascii; *p != '\0';) {
    if (starts_name(*p) || *p == '\'') {
      p = append_word(out, p);
    } else if (g_ascii_isdigit(*p)) {
      p = append_number(out, p);
    } else {
      p = append_sign(out, p);
    }
  }
}

/* ---- lines ------------------------------------------------------------------------------- */

/* What stands at p on the screen; *width gets its columns. Returns what follows. */
static const char *
next_glyph(const char *p, const char *end, guint *width)
{
  *width = 0;
  if (p[0] == '\033' && p + 1 < end && p[1] == '[') {
    for (p += 2; p < end && !g_ascii_isalpha(*p); p++) {
    }
    return p < end ? p + 1 : end;
  }
  gunichar c = g_utf8_get_char_validated(p, end - p);
  if (c == (gunichar)-1 || c == (gunichar)-2) {
    *width = 1;
    return p + 1;
  }
  *width = g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
  return MIN(g_utf8_next_char(p), end);
}

guint
dae_text_width(const char *text, gsize length)
{
  const char *end = text + length;
  guint total = 0;
  while (text < end) {
    guint width = 0;
    text = next_glyph(text, end, &width);
    total += width;
  }
  return total;
}

/* The last space at which a piece of at most `columns` columns can end, the end of the line if
 * all fits, NULL if no space is there. */
static const char *
place_to_break(const char *line, const char *end, guint columns)
{
  const char *space = NULL;
  guint column = 0;
  bool only_spaces = true;
  for (const char *p = line; p < end;) {
    if (*p == ' ' && !only_spaces) {
      space = p;
    }
    only_spaces = only_spaces && *p == ' ';
    guint width = 0;
    p = next_glyph(p, end, &width);
    column += width;
    if (column > columns) {
      return space;
    }
  }
  return end;
}

static void
fold_line(GString *out, const char *line, const char *end, guint columns)
{
  guint indent = 0;
  while (line + indent < end && line[indent] == ' ') {
    indent++;
  }
  indent = MIN(indent + 4, columns / 2);
  guint room = columns;
  while (line < end) {
    const char *stop = place_to_break(line, end, room);
    if (stop == NULL) { /* one long word: the terminal breaks it */
      stop = line + 1 + strcspn(line + 1, " \n");
      stop = MIN(stop, end);
    }
    g_string_append_len(out, line, stop - line);
    while (stop < end && *stop == ' ') {
      stop++;
    }
    if (stop < end) {
      g_string_append_printf(out, "\n%*s", (int)indent, "");
      room = columns - indent;
    }
    line = stop;
  }
}

GString *
dae_text_fold(const char *text, guint columns)
{
  GString *out = g_string_new(NULL);
  while (*text != '\0') {
    const char *end = strchr(text, '\n');
    const char *stop = end == NULL ? text + strlen(text) : end;
    fold_line(out, text, stop, MAX(columns, 20));
    if (end != NULL) {
      g_string_append_c(out, '\n');
    }
    text = end == NULL ? stop : end + 1;
  }
  return out;
}
