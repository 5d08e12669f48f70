/* Sigma as a picture, like in the papers: for systems that fit a screen. */
#include <string.h>

#include "report/analyze-priv.h"
#include "report/typeset.h"

enum {
  PICTURE_SIZE = 16, /* rows and columns */
  PICTURE_TEXT = 60  /* bytes of an equation beside it */
};

static int
width_of_names(const DaeAnalyzeView *view, const DaeSig *sig)
{
  size_t width = 3;
  for (uint32_t j = 0; j < dae_sig_n_columns(sig); j++) {
    const char *name = dae_analyze_variable_name(view, sig, j);
    width = MAX(width, dae_text_width(name, strlen(name)));
  }
  return (int)width;
}

static void
append_centered(GString *out, const char *text, int width)
{
  int length = (int)dae_text_width(text, strlen(text));
  int before = MAX(0, (width - length) / 2);
  g_string_append_printf(out, "%*s%s%*s", before, "", text, MAX(0, width - length - before),
                         "");
}

/* The line between the matrix and the offsets. */
static const char *
bar(const DaeAnalyzeView *view)
{
  return view->page->unicode ? " │" : " |";
}

/* Columns of a picture without the texts of the equations. */
static guint
width_of_picture(const DaeAnalyzeView *view, const DaeSig *sig)
{
  return 6 + dae_sig_n_columns(sig) * ((guint)width_of_names(view, sig) + 1) + 7;
}

/* A line across, where the terminal can draw one: below the names, above d. */
static void
append_rule(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  if (!view->page->unicode) {
    return;
  }
  guint width = width_of_picture(view, sig);
  g_string_append(out, "  ");
  for (guint k = 2; k < width - 1; k++) {
    g_string_append(out, k == width - 6 ? "┼" : "─");
  }
  g_string_append_c(out, '\n');
}

static void
append_picture_row(GString *out, const DaeAnalyzeView *view, const DaeSig *sig, uint32_t i,
                   int width)
{
  size_t n = 0;
  const DaeSigEntry *entries = dae_sig_entries(sig, &n);
  const uint32_t *transversal = dae_sig_transversal(sig);
  size_t e = 0;
  while (e < n && entries[e].row < i) {
    e++;
  }
  g_string_append_printf(out, "  %3u ", i);
  for (uint32_t j = 0; j < dae_sig_n_columns(sig); j++) {
    char cell[32] = ".";
    bool is_boxed = false;
    if (e < n && entries[e].row == i && entries[e].column == j) {
      is_boxed = transversal != NULL && transversal[i] == j;
      g_snprintf(cell, sizeof cell, is_boxed ? "[%d]" : "%d", entries[e].sigma);
      e++;
    }
    g_string_append_c(out, ' ');
    g_autoptr(GString) centred = g_string_new(NULL);
    append_centered(centred, view->page->unicode && cell[0] == '.' ? "·" : cell, width);
    if (is_boxed || cell[0] == '.') {
      dae_page_styled(view->page, out, is_boxed ? DAE_STYLE_BOLD : DAE_STYLE_DIM, centred->str);
    } else {
      g_string_append(out, centred->str);
    }
  }
  g_string_append(out, bar(view));
  if (dae_sig_c(sig) != NULL) {
    g_string_append_printf(out, " %2d ", dae_sig_c(sig)[i]);
  }
  g_string_append_c(out, ' ');
  dae_analyze_equation_text(
      out, view, sig, i,
      dae_analyze_room_for_text(view, width_of_picture(view, sig), PICTURE_TEXT));
  g_string_append_c(out, '\n');
}

/* Rows are equations, columns variables; [ ] is the transversal, c stands on the right, d below. */
void
dae_analyze_picture(GString *out, const DaeAnalyzeView *view, const DaeSig *sig)
{
  int width = width_of_names(view, sig);
  g_string_append(out, "\n      ");
  for (uint32_t j = 0; j < dae_sig_n_columns(sig); j++) {
    g_string_append_c(out, ' ');
    append_centered(out, dae_analyze_variable_name(view, sig, j), width);
  }
  g_string_append_printf(out, "%s%s\n", bar(view), dae_sig_c(sig) != NULL ? "  c" : "");
  append_rule(out, view, sig);
  for (uint32_t i = 0; i < dae_sig_n_rows(sig); i++) {
    append_picture_row(out, view, sig, i, width);
  }
  if (dae_sig_d(sig) != NULL) {
    append_rule(out, view, sig);
    g_string_append(out, "    d ");
    for (uint32_t j = 0; j < dae_sig_n_columns(sig); j++) {
      char cell[32];
      g_snprintf(cell, sizeof cell, "%d", dae_sig_d(sig)[j]);
      g_string_append_c(out, ' ');
      append_centered(out, cell, width);
    }
    g_string_append_printf(out, "%s\n", bar(view));
  }
}

bool
dae_analyze_fits_picture(const DaeAnalyzeView *view, const DaeSig *sig)
{
  uint32_t n = dae_sig_n_columns(sig);
  guint columns = view->page->columns;
  return n > 0 && n <= PICTURE_SIZE && dae_sig_n_rows(sig) <= PICTURE_SIZE &&
         (int)n * (width_of_names(view, sig) + 1) <= 110 &&
         (columns == 0 || width_of_picture(view, sig) + DAE_ANALYZE_SHORTEST_TEXT <= columns);
}
