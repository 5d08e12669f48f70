/* Texts of a plot: names, units. */
#include <string.h>

#include "report/plot-priv.h"

enum { LONGEST_NAME = 60 /* letters in a legend */ };

void
dae_plot_escape(GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  g_autofree char *escaped = g_markup_escape_text(valid, -1);
  g_string_append(out, escaped);
}

void
dae_plot_unit_text(GString *out, const char *unit)
{
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  g_autoptr(GString) text = g_string_new(NULL);
  if (strcmp(unit, "degC") == 0 || strcmp(unit, "Ohm") == 0) {
    g_string_append(out, unit[0] == 'd' ? "°C" : "Ω");
    return;
  }
  for (const char *p = unit; *p != '\0'; p++) {
    bool after_letter = p > unit && (g_ascii_isalpha(p[-1]) || p[-1] == '-');
    if (g_ascii_isdigit(*p) && after_letter) {
      g_string_append(text, raised[*p - '0']);
    } else if (*p == '-' && after_letter && g_ascii_isdigit(p[1])) {
      g_string_append(text, "⁻");
    } else if (*p == '.' && p > unit && (g_ascii_isalpha(p[1]) || p[1] == '(')) {
      g_string_append(text, "·");
    } else {
      g_string_append_c(text, *p);
    }
  }
  dae_plot_escape(out, text->str);
}

char *
dae_plot_short_name(const char *name)
{
  glong n = g_utf8_validate(name, -1, NULL) ? g_utf8_strlen(name, -1) : 0;
  if (n <= LONGEST_NAME) {
    return g_strdup(name);
  }
  g_autofree char *head = g_utf8_substring(name, 0, LONGEST_NAME / 2);
  return g_strconcat(head, "…", g_utf8_offset_to_pointer(name, n - LONGEST_NAME / 2), NULL);
}
