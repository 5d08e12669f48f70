/* `analyze --plot`: the signature matrix in block triangular order as SVG. Up to LABELLED rows with
 * numbers, names and offsets; up to DRAWN rows one mark per entry; beyond that tiles whose darkness
 * is the number of entries in them, so that the file stays small and readable at 10^5 equations. */
#include <string.h>

#include "report/analyze.h"
#include "report/typeset.h"

enum { LABELLED = 40, DRAWN = 2000, N_TILES = 500, SIDE = 900, MARGIN = 70, KEY_HEIGHT = 56 };

typedef struct {
  const DaeAnalyzeView *view;
  const DaeSig *sig;
  uint32_t *row_place, *column_place; /* where a row or column is drawn */
  uint32_t n_rows, n_columns;
  double cell, top;
  GString *out;
} Drawing;

static void
append_escaped(GString *out, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text(text, -1);
  g_string_append(out, escaped);
}

/* Solution order, equations next to what they solve for; without a transversal: the
 * over-determined part first, the under-determined one last. */
static void
place_in_solution_order(Drawing *g)
{
  const uint32_t *transversal = dae_sig_transversal(g->sig);
  uint32_t at = 0;
  for (uint32_t b = 0; b < dae_sig_n_fine(g->sig); b++) {
    const DaeSigBlock *block = dae_sig_fine(g->sig, b);
    for (uint32_t k = 0; k < block->n_equations; k++) {
      g->row_place[block->equations[k]] = at;
      g->column_place[transversal[block->equations[k]]] = at++;
    }
  }
  for (uint32_t i = 0; i < g->n_rows; i++) {
    if (transversal[i] == UINT32_MAX) {
      g->row_place[i] = at++;
    }
  }
}

static void
place_members(uint32_t *place, uint32_t n, const uint32_t *first, uint32_t n_first,
              const uint32_t *last, uint32_t n_last)
{
  uint32_t at = 0;
  for (uint32_t k = 0; k < n; k++) {
    place[k] = UINT32_MAX;
  }
  for (uint32_t k = 0; k < n_first; k++) {
    place[first[k]] = at++;
  }
  for (uint32_t k = 0; k < n_last; k++) {
    place[last[k]] = n - n_last + k;
  }
  for (uint32_t k = 0; k < n; k++) {
    place[k] = place[k] == UINT32_MAX ? at++ : place[k];
  }
}

static void
place_by_parts(Drawing *g)
{
  const DaeSigBlock *over = dae_sig_overdetermined(g->sig);
  const DaeSigBlock *under = dae_sig_underdetermined(g->sig);
  place_members(g->row_place, g->n_rows, over->equations, over->n_equations, under->equations,
                under->n_equations);
  place_members(g->column_place, g->n_columns, over->variables, over->n_variables,
                under->variables, under->n_variables);
}

static void
draw_rectangle(const Drawing *g, double row, double column, double height, double width,
               const char *style)
{
  g_string_append_printf(g->out,
                         "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" %s/>\n",
                         MARGIN + column * g->cell, g->top + row * g->cell, width * g->cell,
                         height * g->cell, style);
}

static void
draw_text(const Drawing *g, double x, double y, const char *anchor, double size,
          const char *text)
{
  g_string_append_printf(g->out,
                         "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" font-size=\"%.1f\">",
                         x, y, anchor, size);
  append_escaped(g->out, text);
  g_string_append(g->out, "</text>\n");
}

/* Outlines of the blocks that are larger than a mark. */
static void
draw_blocks(const Drawing *g)
{
  uint32_t at = 0;
  uint32_t smallest = g->n_rows > DRAWN ? g->n_rows / 200 : g->n_rows > LABELLED ? 2 : 1;
  for (uint32_t b = 0; b < dae_sig_n_fine(g->sig); b++) {
    uint32_t n = dae_sig_fine(g->sig, b)->n_equations;
    bool is_linear = dae_sig_fine(g->sig, b)->is_linear;
    if (n >= smallest) {
      draw_rectangle(g, at, at, n, n,
                     is_linear ? "fill=\"#dbe9f6\" stroke=\"#4477aa\""
                               : "fill=\"#fbe3d6\" stroke=\"#cc6633\"");
    }
    at += n;
  }
}

static void
draw_parts(const Drawing *g)
{
  const DaeSigBlock *over = dae_sig_overdetermined(g->sig);
  const DaeSigBlock *under = dae_sig_underdetermined(g->sig);
  draw_rectangle(g, 0, 0, over->n_equations, over->n_variables,
                 "fill=\"#f7d6d6\" stroke=\"#aa3333\"");
  draw_rectangle(g, g->n_rows - under->n_equations, g->n_columns - under->n_variables,
                 under->n_equations, under->n_variables, "fill=\"#f6efd0\" stroke=\"#997700\"");
}

static void
draw_marks(const Drawing *g)
{
  size_t n = 0;
  const DaeSigEntry *entries = dae_sig_entries(g->sig, &n);
  const uint32_t *transversal = dae_sig_transversal(g->sig);
  for (size_t k = 0; k < n; k++) {
    double row = g->row_place[entries[k].row];
    double column = g->column_place[entries[k].column];
    bool is_matched = transversal != NULL && transversal[entries[k].row] == entries[k].column;
    if (g->n_rows <= LABELLED && g->n_columns <= LABELLED) {
      g_autofree char *text = g_strdup_printf("%d", entries[k].sigma);
      if (is_matched) {
        draw_rectangle(g, row + 0.12, column + 0.12, 0.76, 0.76,
                       "fill=\"none\" stroke=\"#222222\" stroke-width=\"1.5\"");
      }
      draw_text(g, MARGIN + (column + 0.5) * g->cell, g->top + (row + 0.65) * g->cell, "middle",
                0.5 * g->cell, text);
    } else {
      draw_rectangle(g, row, column, 1, 1,
                     is_matched ? "fill=\"#aa3333\"" : "fill=\"#444444\"");
    }
  }
}

/* Darkness of a tile, 0 (no entry) to 4. */
static uint32_t
shade_of(uint32_t count, double per_tile)
{
  static const double darker_from[] = {0.1, 0.5, 2};
  uint32_t shade = count == 0 ? 0 : 1;
  for (size_t k = 0; k < G_N_ELEMENTS(darker_from) && shade > 0; k++) {
    shade += count / per_tile >= darker_from[k];
  }
  return shade;
}

/* Runs of equal darkness in a row of tiles are one rectangle. */
static void
draw_tile_row(const Drawing *g, const uint32_t *count, double top, double per_tile)
{
  static const char *const styles[] = {"fill=\"#ffffff\"", "fill=\"#bbbbbb\"",
                                       "fill=\"#888888\"", "fill=\"#555555\"",
                                       "fill=\"#111111\""};
  for (uint32_t s = 0; s < N_TILES;) {
    uint32_t first = s;
    uint32_t shade = shade_of(count[first], per_tile);
    while (s < N_TILES && shade_of(count[s], per_tile) == shade) {
      s++;
    }
    if (shade > 0) {
      draw_rectangle(g, top, first * per_tile, per_tile, (s - first) * per_tile, styles[shade]);
    }
  }
}

/* Entries counted in tiles. */
static void
draw_tiles(const Drawing *g)
{
  size_t n = 0;
  const DaeSigEntry *entries = dae_sig_entries(g->sig, &n);
  g_autofree uint32_t *count = g_new0(uint32_t, N_TILES * N_TILES);
  double per_tile = (double)MAX(g->n_rows, g->n_columns) / N_TILES;
  for (size_t k = 0; k < n; k++) {
    uint32_t row = (uint32_t)(g->row_place[entries[k].row] / per_tile);
    uint32_t column = (uint32_t)(g->column_place[entries[k].column] / per_tile);
    count[MIN(row, N_TILES - 1) * N_TILES + MIN(column, N_TILES - 1)]++;
  }
  for (uint32_t r = 0; r < N_TILES; r++) {
    draw_tile_row(g, count + (size_t)r * N_TILES, r * per_tile, per_tile);
  }
}

/* Offsets of a large drawing as a coloured strip: along the right side (c) or below (d); runs
 * of one colour are one rectangle, a tile shows the largest offset in it. */
static void
draw_offset_strip(const Drawing *g, const int32_t *offset, const uint32_t *place, uint32_t n,
                  bool is_side)
{
  static const char *const colours[] = {"#e8e8e8", "#a6cee3", "#1f78b4",
                                        "#6a3d9a", "#e31a1c", "#ff7f00"};
  uint32_t n_tiles = MIN(n, N_TILES);
  g_autofree int32_t *largest = g_new0(int32_t, (size_t)n_tiles + 1);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t tile = (uint32_t)((uint64_t)place[k] * n_tiles / n);
    largest[tile] = MAX(largest[tile], MIN(offset[k], (int32_t)G_N_ELEMENTS(colours) - 1));
  }
  double step = n * g->cell / n_tiles;
  for (uint32_t t = 0; t < n_tiles;) {
    uint32_t first = t;
    while (t < n_tiles && largest[t] == largest[first]) {
      t++;
    }
    double from = (is_side ? g->top : MARGIN) + first * step;
    double length = (t - first) * step;
    double beside =
        6 + (is_side ? MARGIN + g->n_columns * g->cell : g->top + g->n_rows * g->cell);
    g_string_append_printf(
        g->out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
        is_side ? beside : from, is_side ? from : beside, is_side ? 12 : length,
        is_side ? length : 12, colours[largest[first]]);
  }
  for (uint32_t k = 0; is_side && k < G_N_ELEMENTS(colours); k++) { /* what the colours mean */
    double x = MARGIN + 46.0 * k;
    double y = g->top + g->n_rows * g->cell + 40;
    g_autofree char *text =
        g_strdup_printf("%u%s", k, k + 1 < G_N_ELEMENTS(colours) ? "" : "+");
    g_string_append_printf(
        g->out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x,
        y - 10, colours[k]);
    draw_text(g, x + 16, y, "start", 12, text);
  }
}

static void
draw_large_margins(const Drawing *g)
{
  g_autofree char *sizes =
      g_strdup_printf("%u equations (down, c at the right), %u variables (across, d below), "
                      "in solution order",
                      g->n_rows, g->n_columns);
  draw_text(g, MARGIN, g->top - 12, "start", 12, sizes);
  if (dae_sig_c(g->sig) != NULL) {
    draw_offset_strip(g, dae_sig_c(g->sig), g->row_place, g->n_rows, true);
    draw_offset_strip(g, dae_sig_d(g->sig), g->column_place, g->n_columns, false);
  }
}

/* Names that would touch each other stand upright; long ones are cut, the middle goes. */
static void
draw_names(const Drawing *g, double size)
{
  guint longest = 0;
  for (uint32_t j = 0; j < g->n_columns; j++) {
    const char *name = dae_analyze_variable_name(g->view, g->sig, j);
    longest = MAX(longest, dae_text_width(name, strlen(name)));
  }
  bool upright = (longest + 0.5) * 0.62 * size > g->cell;
  glong most = (glong)((g->top - 34) / (0.62 * size));
  for (uint32_t j = 0; j < g->n_columns; j++) {
    const char *name = dae_analyze_variable_name(g->view, g->sig, j);
    double x = MARGIN + (g->column_place[j] + 0.5) * g->cell;
    if (!upright) {
      draw_text(g, x, g->top - 8, "middle", size, name);
      continue;
    }
    glong n = g_utf8_strlen(name, -1);
    g_autofree char *head = g_utf8_substring(name, 0, MIN(n, most / 2));
    g_autofree char *shown =
        n <= most ? g_strdup(name)
                  : g_strconcat(head, "…", g_utf8_offset_to_pointer(name, n - most / 2), NULL);
    g_string_append_printf(g->out,
                           "<text transform=\"translate(%.2f %.2f) rotate(-90)\" "
                           "font-size=\"%.1f\">",
                           x + 0.35 * size, g->top - 8, size);
    append_escaped(g->out, shown);
    g_string_append(g->out, "</text>\n");
  }
}

/* Room above the drawing: more where long names stand upright. */
static double
room_on_top(const Drawing *g)
{
  guint longest = 0;
  double size = MIN(14, 0.45 * g->cell);
  for (uint32_t j = 0; j < g->n_columns && g->n_columns <= LABELLED; j++) {
    const char *name = dae_analyze_variable_name(g->view, g->sig, j);
    longest = MAX(longest, dae_text_width(name, strlen(name)));
  }
  return (longest + 0.5) * 0.62 * size > g->cell
             ? MAX(MARGIN, 40 + MIN(longest, 30) * 0.64 * size)
             : MARGIN;
}

/* Names and offsets at the margins of small drawings, coloured strips at those of large ones. */
static void
draw_margins(const Drawing *g)
{
  const int32_t *c = dae_sig_c(g->sig);
  const int32_t *d = dae_sig_d(g->sig);
  if (g->n_rows > LABELLED || g->n_columns > LABELLED) {
    draw_large_margins(g);
    return;
  }
  double size = MIN(14, 0.45 * g->cell);
  for (uint32_t i = 0; i < g->n_rows; i++) {
    double y = g->top + (g->row_place[i] + 0.65) * g->cell;
    g_autofree char *number = g_strdup_printf("%u", i);
    g_autofree char *offset = c == NULL ? g_strdup("") : g_strdup_printf("c = %d", c[i]);
    draw_text(g, MARGIN - 8, y, "end", size, number);
    draw_text(g, MARGIN + g->n_columns * g->cell + 8, y, "start", size, offset);
  }
  draw_names(g, size);
  for (uint32_t j = 0; j < g->n_columns; j++) {
    double x = MARGIN + (g->column_place[j] + 0.5) * g->cell;
    g_autofree char *offset = d == NULL ? g_strdup("") : g_strdup_printf("d = %d", d[j]);
    draw_text(g, x, g->top + g->n_rows * g->cell + 18, "middle", 0.8 * size, offset);
  }
}

/* What the signs mean, below the drawing. */
static void
draw_key(const Drawing *g, double y)
{
  bool is_matched = dae_sig_transversal(g->sig) != NULL;
  bool is_large = g->n_rows > LABELLED || g->n_columns > LABELLED;
  draw_text(g, MARGIN, y, "start", 11,
            is_large
                ? "Rows are equations, columns variables; a mark: the variable occurs in the "
                  "equation."
                : "Rows are equations, columns variables; a number is the highest derivative "
                  "of the variable there.");
  draw_text(g, MARGIN, y + 16, "start", 11,
            !is_matched ? "Shaded: the parts with too few and with too many equations."
            : is_large
                ? "Red: the equation gives this variable. Shaded: blocks, solved at once, "
                  "in this order."
                : "Framed: the equation gives this variable. Shaded: blocks, solved at "
                  "once, in this order.");
  if (is_matched) {
    draw_text(g, MARGIN, y + 32, "start", 11,
              "c: how often the equation is differentiated; d: the highest derivative of the "
              "variable that is needed.");
  }
}

void
dae_analyze_svg(const DaeAnalyzeView *view, GString *out)
{
  Drawing g = {.view = view, .sig = view->sig, .out = out};
  g_autoptr(GString) headline = g_string_new(NULL);
  g.n_rows = dae_sig_n_rows(g.sig);
  g.n_columns = dae_sig_n_columns(g.sig);
  g.row_place = g_new0(uint32_t, (size_t)g.n_rows + 1);
  g.column_place = g_new0(uint32_t, (size_t)g.n_columns + 1);
  g.cell = MIN(60.0, (double)SIDE / MAX(1, MAX(g.n_rows, g.n_columns)));
  g.top = room_on_top(&g);
  dae_analyze_headline(view, headline);
  double width = 2.0 * MARGIN + MAX(600, g.n_columns * g.cell);
  double height = g.top + MARGIN + g.n_rows * g.cell + KEY_HEIGHT;
  g_string_append_printf(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 "
      "%.0f %.0f\" "
      "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" "
      "shape-rendering=\"geometricPrecision\">\n<title>",
      width, height, width, height);
  append_escaped(out, headline->str);
  g_string_append(out, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
  draw_text(&g, MARGIN, 24, "start", 15, headline->str);
  draw_rectangle(&g, 0, 0, g.n_rows, g.n_columns, "fill=\"none\" stroke=\"#999999\"");
  if (dae_sig_transversal(g.sig) != NULL) {
    place_in_solution_order(&g);
    draw_blocks(&g);
  } else {
    place_by_parts(&g);
    draw_parts(&g);
  }
  if (MAX(g.n_rows, g.n_columns) <= DRAWN) {
    draw_marks(&g);
  } else {
    draw_tiles(&g);
  }
  draw_margins(&g);
  draw_key(&g, height - KEY_HEIGHT + 6);
  g_string_append(out, "</svg>\n");
  g_free(g.row_place);
  g_free(g.column_place);
}
