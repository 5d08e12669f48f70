/* Names as a textbook sets them: lambda is the letter, x1 has a low 1, der(x) a dot. */
#include <string.h>

#include "report/mathml.h"

void
dae_html_escape(GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid(text, -1);
  g_autofree char *escaped = g_markup_escape_text(valid, -1);
  g_string_append(out, escaped);
}

static const char *
greek_letter(const char *name, gsize length)
{
  static const struct {
    const char *name, *letter;
  } letters[] = {
      {"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"},
      {"zeta", "ζ"},  {"eta", "η"},   {"theta", "θ"}, {"kappa", "κ"}, {"lambda", "λ"},
      {"mu", "μ"},    {"nu", "ν"},    {"xi", "ξ"},    {"pi", "π"},    {"rho", "ρ"},
      {"sigma", "σ"}, {"tau", "τ"},   {"phi", "φ"},   {"chi", "χ"},   {"psi", "ψ"},
      {"omega", "ω"}, {"Gamma", "Γ"}, {"Delta", "Δ"}, {"Theta", "Θ"}, {"Lambda", "Λ"},
      {"Sigma", "Σ"}, {"Phi", "Φ"},   {"Psi", "Ψ"},   {"Omega", "Ω"}};

  for (gsize i = 0; i < G_N_ELEMENTS(letters); i++) {
    if (strlen(letters[i].name) == length && strncmp(letters[i].name, name, length) == 0) {
      return letters[i].letter;
    }
  }
  return NULL;
}

typedef struct {
  gsize base;      /* bytes of the base */
  const char *low; /* what is set low, or NULL */
  gsize low_length;
} Split;

/* x[1,2] | p_in | x12: base and what is set low. A name with parts, a.b.c, stays whole. */
static Split
split_name(const char *name)
{
  gsize n = strlen(name);
  Split split = {n, NULL, 0};
  const char *bracket = strchr(name, '[');
  const char *line = strchr(name, '_');
  if (name[0] == '\'' || name[0] == '$' || strchr(name, '.') != NULL) {
    return split;
  }
  if (bracket != NULL && name[n - 1] == ']') {
    return (Split){(gsize)(bracket - name), bracket + 1, (gsize)(name + n - 1 - bracket - 1)};
  }
  if (line != NULL && line > name && line[1] != '\0') {
    return (Split){(gsize)(line - name), line + 1, strlen(line + 1)};
  }
  gsize letters = n;
  while (letters > 0 && g_ascii_isdigit(name[letters - 1])) {
    letters--;
  }
  if (letters > 0 && letters < n) {
    return (Split){letters, name + letters, n - letters};
  }
  return split;
}

static void
append_base(GString *out, const char *name, gsize length, uint32_t order)
{
  static const char *const dots[] = {"", "˙", "¨"};
  const char *greek = greek_letter(name, length);
  g_autofree char *base = greek != NULL ? g_strdup(greek) : g_strndup(name, length);
  bool is_letter = g_utf8_validate(base, -1, NULL) && g_utf8_strlen(base, -1) == 1;
  bool has_dots = is_letter && order > 0 && order < G_N_ELEMENTS(dots);
  g_string_append(out, has_dots ? "<mover accent=\"true\"><mi>" : "<mi>");
  dae_html_escape(out, base);
  for (uint32_t k = 0; !has_dots && order < 4 && k < order; k++) {
    g_string_append(out, "′");
  }
  g_string_append(out, "</mi>");
  if (has_dots) {
    g_string_append_printf(out, "<mo>%s</mo></mover>", dots[order]);
  }
}

void
dae_mathml_name(const char *name, uint32_t order, GString *out)
{
  Split split = split_name(name);
  bool is_high = order >= 4; /* x^(4) */
  g_string_append(out, split.low != NULL ? (is_high ? "<msubsup>" : "<msub>")
                       : is_high         ? "<msup>"
                                         : "");
  append_base(out, name, split.base, is_high ? 0 : order);
  if (split.low != NULL) {
    g_autofree char *low = g_strndup(split.low, split.low_length);
    g_string_append(out, "<mtext>");
    dae_html_escape(out, low);
    g_string_append(out, "</mtext>");
  }
  if (is_high) {
    g_string_append_printf(out, "<mtext>(%u)</mtext>", order);
  }
  g_string_append(out, split.low != NULL ? (is_high ? "</msubsup>" : "</msub>")
                       : is_high         ? "</msup>"
                                         : "");
}
