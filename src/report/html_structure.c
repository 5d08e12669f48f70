/* Signature matrix, offsets and blocks: figures as text, the matrix and
 * the graph as data of the page. */
#include <string.h>

#include "report/analyze.h"
#include "report/html-priv.h"

enum {
  MOST_GRAPH_BLOCKS = 300, /* as in web/graph.js: the matrix shows larger ones */
  MOST_TABLE = 24,         /* rows and columns of the matrix as a table */
  MOST_FACTORS = 12
};

static const char *
variable_name(const DaeHtmlPage *page, uint32_t j)
{
  const DaeHtmlReport *report = page->report;
  return dae_terms_symbol_name(report->terms,
                               dae_model_variable(dae_sig_model(report->sig), j)->symbol);
}

/* ---- order of rows and columns ----------------------------------------------------------- */

typedef struct {
  GArray *rows, *columns, *starts; /* uint32_t */
  GArray *linear;                  /* uint8_t of each block */
  uint8_t *row_taken, *column_taken;
} Order;

static void
take(GArray *order, uint8_t *taken, uint32_t index)
{
  if (taken[index] == 0) {
    taken[index] = 1;
    g_array_append_val(order, index);
  }
}

/* Blocks in solution order, with the matched entries on the diagonal where there is a matching. */
static void
add_blocks(Order *order, const DaeSig *sig)
{
  const uint32_t *transversal = dae_sig_transversal(sig);
  for (uint32_t b = 0; b < dae_sig_n_fine(sig); b++) {
    const DaeSigBlock *block = dae_sig_fine(sig, b);
    uint8_t linear = block->is_linear;
    g_array_append_val(order->starts, order->rows->len);
    g_array_append_val(order->linear, linear);
    for (uint32_t k = 0; k < block->n_equations; k++) {
      take(order->rows, order->row_taken, block->equations[k]);
      if (transversal != NULL) {
        take(order->columns, order->column_taken, transversal[block->equations[k]]);
      }
    }
    for (uint32_t k = 0; k < block->n_variables; k++) {
      take(order->columns, order->column_taken, block->variables[k]);
    }
  }
  g_array_append_val(order->starts, order->rows->len);
}

static void
add_part(Order *order, const DaeSigBlock *part)
{
  for (uint32_t k = 0; part != NULL && k < part->n_equations; k++) {
    take(order->rows, order->row_taken, part->equations[k]);
  }
  for (uint32_t k = 0; part != NULL && k < part->n_variables; k++) {
    take(order->columns, order->column_taken, part->variables[k]);
  }
}

/* Singular: the under-determined part first, the over-determined one last, as in
 * the Dulmage-Mendelsohn form. */
static void
pack_order(DaeHtmlPage *page)
{
  const DaeSig *sig = page->report->sig;
  uint32_t m = dae_sig_n_rows(sig);
  uint32_t n = dae_sig_n_columns(sig);
  g_autofree uint8_t *row_taken = g_new0(uint8_t, m + 1);
  g_autofree uint8_t *column_taken = g_new0(uint8_t, n + 1);
  g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) linear = g_array_new(FALSE, FALSE, sizeof(uint8_t));
  Order order = {rows, columns, starts, linear, row_taken, column_taken};
  if (dae_sig_status(sig) == DAE_SIG_STRUCTURALLY_SINGULAR) {
    add_part(&order, dae_sig_underdetermined(sig));
  } else {
    add_blocks(&order, sig);
    dae_pack_u32(page->pack, "block_start", (const uint32_t *)(void *)starts->data,
                 starts->len);
    dae_pack_u8(page->pack, "block_linear", (const uint8_t *)linear->data, linear->len);
  }
  const DaeSigBlock *over = dae_sig_overdetermined(sig);
  for (uint32_t k = 0; over != NULL && k < over->n_equations; k++) {
    row_taken[over->equations[k]] |= 2; /* kept for the end */
  }
  for (uint32_t i = 0; i < m; i++) {
    take(rows, row_taken, i);
  }
  for (uint32_t k = 0; over != NULL && k < over->n_equations; k++) {
    if (row_taken[over->equations[k]] == 2) {
      row_taken[over->equations[k]] = 0;
      take(rows, row_taken, over->equations[k]);
    }
  }
  for (uint32_t j = 0; j < n; j++) {
    take(columns, column_taken, j);
  }
  dae_pack_u32(page->pack, "row_order", (const uint32_t *)(void *)rows->data, rows->len);
  dae_pack_u32(page->pack, "column_order", (const uint32_t *)(void *)columns->data,
               columns->len);
}

/* ---- data -------------------------------------------------------------------------------- */

static void
pack_entries(DaeHtmlPage *page)
{
  size_t n = 0;
  const DaeSigEntry *entries = dae_sig_entries(page->report->sig, &n);
  g_autofree uint32_t *rows = g_new(uint32_t, n + 1);
  g_autofree uint32_t *columns = g_new(uint32_t, n + 1);
  g_autofree int8_t *sigmas = g_new(int8_t, n + 1);
  for (size_t k = 0; k < n; k++) {
    rows[k] = entries[k].row;
    columns[k] = entries[k].column;
    sigmas[k] = (int8_t)CLAMP(entries[k].sigma, 0, G_MAXINT8);
  }
  dae_pack_u32(page->pack, "entry_row", rows, n);
  dae_pack_u32(page->pack, "entry_column", columns, n);
  dae_pack_i8(page->pack, "entry_sigma", sigmas, n);
}

static void
pack_equations(DaeHtmlPage *page)
{
  enum { WIDTH = 200 }; /* bytes of each side in a box beside the pointer */

  const DaeHtmlReport *report = page->report;
  uint32_t m = dae_sig_n_rows(report->sig);
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
  g_autofree uint32_t *lines = g_new0(uint32_t, m + 1);
  for (uint32_t i = 0; i < m; i++) {
    const DaeEquation *equation = dae_model_equation(dae_sig_model(report->sig), i);
    GString *text = g_string_new(NULL);
    dae_term_print_limited(report->terms, equation->lhs, text, WIDTH);
    g_string_append(text, " = ");
    dae_term_print_limited(report->terms, equation->rhs, text, WIDTH);
    g_ptr_array_add(texts, g_string_free(text, FALSE));
    lines[i] = dae_html_own_line(&equation->span);
  }
  dae_pack_lines(page->pack, "equation_text", (const char *const *)texts->pdata, m);
  dae_pack_u32(page->pack, "equation_line", lines, m);
}

/* 1: too many equations there, 2: too few. */
static void
pack_parts(DaeHtmlPage *page)
{
  const DaeSig *sig = page->report->sig;
  g_autofree uint8_t *part = g_new0(uint8_t, dae_sig_n_rows(sig) + 1);
  const DaeSigBlock *under = dae_sig_underdetermined(sig);
  const DaeSigBlock *over = dae_sig_overdetermined(sig);
  for (uint32_t k = 0; under != NULL && k < under->n_equations; k++) {
    part[under->equations[k]] = 2;
  }
  for (uint32_t k = 0; over != NULL && k < over->n_equations; k++) {
    part[over->equations[k]] = 1;
  }
  dae_pack_u8(page->pack, "equation_part", part, dae_sig_n_rows(sig));
}

static void
pack_structure(DaeHtmlPage *page)
{
  const DaeSig *sig = page->report->sig;
  uint32_t m = dae_sig_n_rows(sig);
  uint32_t n = dae_sig_n_columns(sig);
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  for (uint32_t j = 0; j < n; j++) {
    g_ptr_array_add(names, (gpointer)variable_name(page, j));
  }
  dae_pack_fact(page->pack, "n_rows", m);
  dae_pack_fact(page->pack, "n_columns", n);
  dae_pack_lines(page->pack, "variable_name", (const char *const *)names->pdata, n);
  pack_equations(page);
  pack_entries(page);
  pack_order(page);
  pack_parts(page);
  if (dae_sig_transversal(sig) != NULL) {
    dae_pack_u32(page->pack, "transversal", dae_sig_transversal(sig), m);
  }
  if (dae_sig_c(sig) != NULL) {
    dae_pack_i32(page->pack, "offset_c", dae_sig_c(sig), m);
    dae_pack_i32(page->pack, "offset_d", dae_sig_d(sig), n);
  }
}

/* ---- text -------------------------------------------------------------------------------- */

static void
write_figures(DaeHtmlPage *page)
{
  const DaeSig *sig = page->report->sig;
  size_t n = 0;
  dae_sig_entries(sig, &n);
  dae_html_printf(page, "<p>%u equation%s, %u variable%s, %zu entr%s in the matrix.",
                  dae_sig_n_rows(sig), dae_sig_n_rows(sig) == 1 ? "" : "s",
                  dae_sig_n_columns(sig), dae_sig_n_columns(sig) == 1 ? "" : "s", n,
                  n == 1 ? "y" : "ies");
  if (dae_sig_transversal(sig) != NULL) {
    uint32_t largest = 0;
    for (uint32_t b = 0; b < dae_sig_n_fine(sig); b++) {
      largest = MAX(largest, dae_sig_fine(sig, b)->n_equations);
    }
    dae_html_printf(page,
                    " They are solved in %u block%s, one after the other; the largest has %u "
                    "equation%s.",
                    dae_sig_n_fine(sig), dae_sig_n_fine(sig) == 1 ? "" : "s", largest,
                    largest == 1 ? "" : "s");
  }
  g_string_append(page->out, "</p>\n");
}

/* A long one is cut: nobody reads it, and the page should not become wider. */
static void
write_short_term(DaeHtmlPage *page, DaeTerm t)
{
  enum { LONGEST = 120 };

  g_autoptr(GString) text = g_string_new(NULL);
  if (dae_term_print_limited(page->report->terms, t, text, LONGEST)) {
    dae_mathml_term(page->report->terms, t, page->out);
    return;
  }
  g_string_append(page->out, "<code>");
  dae_html_text(page, text->str);
  g_string_append(page->out, "</code> (all of it: <code>daetool analyze --format json</code>)");
}

static void
write_factors(DaeHtmlPage *page)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_sig_singular_when(page->report->sig, &n);
  if (n == 0) {
    return;
  }
  g_string_append(page->out, "<p>This holds as long as none of these is 0: ");
  for (uint32_t k = 0; k < MIN(n, MOST_FACTORS); k++) {
    g_string_append(page->out, k > 0 ? ", " : "");
    write_short_term(page, factors[k]);
  }
  if (n > MOST_FACTORS) {
    dae_html_printf(page, " and %u more", n - MOST_FACTORS);
  }
  g_string_append(page->out, ".</p>\n");
}

/* What a positive status rests on, in the words of `daetool analyze`. */
static void
write_certificate(DaeHtmlPage *page)
{
  const DaeHtmlReport *report = page->report;
  const DaePage plain = {0};
  DaeAnalyzeView view = {&plain, report->terms, report->model, report->sig, NULL, NULL};
  g_autoptr(GString) text = g_string_new(NULL);
  if (dae_sig_certificate(report->sig)->kind == DAE_CERTIFICATE_NONE) {
    return;
  }
  dae_certificate_text(text, &view, report->sig);
  g_string_append(page->out, "<p>");
  dae_html_text(page, text->str);
  g_string_append(page->out, "</p>\n");
}

static void
write_repair(DaeHtmlPage *page)
{
  const DaeSig *sig = page->report->sig;
  uint32_t n = dae_sig_n_repair_steps(sig);
  if (n == 0) {
    return;
  }
  g_string_append(page->out, "<h3>Repair</h3>\n<p>As written, the Jacobian of the structure "
                             "is singular. These steps give a model with the same solutions "
                             "and a regular one:</p>\n<ol class=\"proof\">\n");
  for (uint32_t s = 0; s < n; s++) {
    const DaeRepairStep *step = dae_sig_repair_step(sig, s);
    dae_html_printf(page, "<li>equation %u is replaced by ", step->replaced);
    dae_mathml_equation(page->report->terms, step->by_lhs, step->by_rhs, page->out);
    g_string_append(page->out, " <span class=\"why\">");
    dae_html_text(page, step->combination.in[DAE_PRINT_MODELICA]);
    for (uint32_t k = 0; k < step->n_nonzero; k++) {
      g_string_append(page->out, k == 0 ? "; valid where these are not 0: " : ", ");
      dae_mathml_term(page->report->terms, step->nonzero[k], page->out);
    }
    g_string_append(page->out, "</span></li>\n");
  }
  g_string_append(page->out, "</ol>\n");
}

static void
write_matrix(DaeHtmlPage *page)
{
  const DaeSig *sig = page->report->sig;
  g_string_append(
      page->out,
      "<div class=\"tools\"><span role=\"group\" aria-label=\"Order of the matrix\">"
      "<label><input type=\"radio\" name=\"order\" value=\"blocks\" checked> block triangular"
      "</label> <label><input type=\"radio\" name=\"order\" value=\"written\"> as written"
      "</label></span>"
      "<button type=\"button\" id=\"matrix-in\" aria-label=\"zoom in\">+</button>"
      "<button type=\"button\" id=\"matrix-out\" aria-label=\"zoom out\">−</button>"
      "<button type=\"button\" id=\"matrix-fit\">all</button>"
      "<span><span class=\"swatch\" style=\"background:var(--matched)\"></span>chosen: this "
      "equation gives this variable</span>"
      "<span><span class=\"swatch\" style=\"background:var(--entry-high)\"></span>with "
      "derivative</span>"
      "<span><span class=\"swatch\" style=\"background:var(--entry)\"></span>without</span>"
      "<span><span class=\"swatch\" style=\"background:var(--entry-pale)\"></span>known by "
      "then</span>"
      "</div>\n");
  dae_html_printf(
      page,
      "<canvas id=\"matrix\" tabindex=\"0\" role=\"img\" aria-label=\"Signature matrix, %u "
      "equations by %u variables. Arrow keys move, plus and minus zoom, 0 shows all, Enter "
      "goes "
      "to the source line.\"></canvas>\n",
      dae_sig_n_rows(sig), dae_sig_n_columns(sig));
  g_string_append(
      page->out,
      "<p class=\"hint\">Rows are equations, columns are variables; a number is the "
      "highest derivative of the variable in the equation. Drag to move; click, then "
      "turn the wheel to zoom; click an entry to go to its line.</p>\n");
}

/* The matrix of a small model also as a table, for reading aloud and for copying. */
static void
write_table(DaeHtmlPage *page)
{
  const DaeSig *sig = page->report->sig;
  uint32_t m = dae_sig_n_rows(sig);
  uint32_t n = dae_sig_n_columns(sig);
  if (m > MOST_TABLE || n > MOST_TABLE) {
    return;
  }
  const int32_t *c = dae_sig_c(sig);
  const int32_t *d = dae_sig_d(sig);
  size_t n_entries = 0;
  size_t k = 0;
  const DaeSigEntry *entries = dae_sig_entries(sig, &n_entries);
  g_string_append(page->out, "<details><summary>as a table</summary><div class=\"wide\"><table>"
                             "<tr><th scope=\"col\">equation</th>");
  for (uint32_t j = 0; j < n; j++) {
    g_string_append(page->out, "<th scope=\"col\" class=\"n\">");
    dae_html_text(page, variable_name(page, j));
    g_string_append(page->out, "</th>");
  }
  g_string_append(page->out, c != NULL ? "<th scope=\"col\" class=\"n\">differentiated</th>"
                                         "</tr>\n"
                                       : "</tr>\n");
  for (uint32_t i = 0; i < m; i++) {
    dae_html_printf(page, "<tr><th scope=\"row\">%u</th>", i);
    for (uint32_t j = 0; j < n; j++) {
      bool is_there = k < n_entries && entries[k].row == i && entries[k].column == j;
      if (is_there) {
        dae_html_printf(page, "<td class=\"n\">%d</td>", entries[k++].sigma);
      } else {
        g_string_append(page->out, "<td></td>");
      }
    }
    if (c != NULL) {
      dae_html_printf(page, "<td class=\"n\">%d</td>", c[i]);
    }
    g_string_append(page->out, "</tr>\n");
  }
  if (d != NULL) {
    g_string_append(page->out, "<tr><th scope=\"row\">highest derivative needed</th>");
    for (uint32_t j = 0; j < n; j++) {
      dae_html_printf(page, "<td class=\"n\">%d</td>", d[j]);
    }
    g_string_append(page->out, "<td></td></tr>\n");
  }
  g_string_append(page->out, "</table></div></details>\n");
}

static void
write_graph(DaeHtmlPage *page)
{
  const DaeSig *sig = page->report->sig;
  uint32_t n = dae_sig_n_fine(sig);
  if (dae_sig_transversal(sig) == NULL || n < 2) {
    return;
  }
  g_string_append(page->out, "<h3>Blocks: what is solved before what</h3>\n");
  if (n > MOST_GRAPH_BLOCKS) {
    dae_html_printf(
        page,
        "<p>%u blocks are too many for a drawing; the block triangular matrix above "
        "shows the same: a block needs what stands to its left.</p>\n",
        n);
    return;
  }
  g_string_append(page->out, "<div id=\"graph\"></div>\n");
}

void
dae_html_structure(DaeHtmlPage *page)
{
  if (page->report->sig == NULL) {
    return;
  }
  dae_html_begin(page, "structure", "Structure");
  write_figures(page);
  write_factors(page);
  write_certificate(page);
  write_matrix(page);
  write_table(page);
  write_graph(page);
  write_repair(page);
  dae_html_end(page);
  pack_structure(page);
}
