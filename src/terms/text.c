/* Texts around terms in the styles of the printer. */
#include <stdarg.h>

#include "terms/text.h"

void
dae_print_raised(GString *out, uint64_t n)
{
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char digits[32];
  g_snprintf(digits, sizeof digits, "%" G_GUINT64_FORMAT, n);
  for (const char *c = digits; *c != '\0'; c++) {
    g_string_append(out, raised[*c - '0']);
  }
}

void
dae_print_derivative_begin(GString *out, DaePrintStyle style, uint32_t order)
{
  for (uint32_t i = 0; i < order && style == DAE_PRINT_MODELICA; i++) {
    g_string_append(out, "der(");
  }
}

void
dae_print_derivative_end(GString *out, DaePrintStyle style, uint32_t order)
{
  static const char *const primes[] = {"", "′", "″", "‴"};
  if (style == DAE_PRINT_MODELICA) {
    for (uint32_t i = 0; i < order; i++) {
      g_string_append_c(out, ')');
    }
  } else if (order < G_N_ELEMENTS(primes)) {
    g_string_append(out, primes[order]);
  } else {
    g_string_append(out, "⁽");
    dae_print_raised(out, order);
    g_string_append(out, "⁾");
  }
}

const char *
dae_print_times(DaePrintStyle style)
{
  return style == DAE_PRINT_MATH ? "·" : "*";
}

void
dae_styled_clear(DaeStyled *styled)
{
  for (int style = 0; style < DAE_N_PRINT_STYLES; style++) {
    g_clear_pointer(&styled->in[style], g_free);
  }
}

DaeStyledString
dae_styled_string_new(void)
{
  DaeStyledString string;
  for (int style = 0; style < DAE_N_PRINT_STYLES; style++) {
    string.in[style] = g_string_new(NULL);
  }
  return string;
}

DaeStyled
dae_styled_string_end(DaeStyledString *string)
{
  DaeStyled styled;
  for (int style = 0; style < DAE_N_PRINT_STYLES; style++) {
    size_t n = string->in[style]->len + 1;
    char *text = g_string_free(g_steal_pointer(&string->in[style]), FALSE);
    styled.in[style] = g_realloc(text, n); /* without what it grew for: results keep many */
  }
  return styled;
}

DaeStyled
dae_styled_string_copy(const DaeStyledString *string)
{
  DaeStyled styled;
  for (int style = 0; style < DAE_N_PRINT_STYLES; style++) {
    styled.in[style] = g_strdup(string->in[style]->str);
  }
  return styled;
}

void
dae_styled_string_clear(DaeStyledString *string)
{
  DaeStyled styled = dae_styled_string_end(string);
  dae_styled_clear(&styled);
}

void
dae_styled_append(DaeStyledString *string, const char *words)
{
  for (int style = 0; style < DAE_N_PRINT_STYLES; style++) {
    g_string_append(string->in[style], words);
  }
}

void
dae_styled_printf(DaeStyledString *string, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  g_autofree char *words = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  dae_styled_append(string, words);
}

void
dae_styled_append_term(DaeStyledString *string, DaeTerms *terms, DaeTerm t, size_t most)
{
  for (int style = 0; style < DAE_N_PRINT_STYLES; style++) {
    DaePrinting how = {.style = (DaePrintStyle)style, .most = most};
    dae_term_print_styled(terms, t, &how, string->in[style]);
  }
}
