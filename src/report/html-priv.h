/* Parts of the page. Each appends its section, if there is something to
 * say, and its arrays to the pack. */
#ifndef DAE_REPORT_HTML_PRIV_H
#define DAE_REPORT_HTML_PRIV_H

#include "report/html.h"
#include "report/mathml.h"
#include "report/pack.h"

typedef struct {
  const DaeHtmlReport *report;
  GString *out;
  DaePack *pack;
} DaeHtmlPage;

void dae_html_verdict(DaeHtmlPage *page);
void dae_html_structure(DaeHtmlPage *page);
void dae_html_equations(DaeHtmlPage *page);
/* What changes at events; part of the section of equations. */
void dae_html_discrete(DaeHtmlPage *page);
void dae_html_constraints(DaeHtmlPage *page);
void dae_html_initialization(DaeHtmlPage *page);
void dae_html_components(DaeHtmlPage *page);
void dae_html_run(DaeHtmlPage *page);
void dae_html_source(DaeHtmlPage *page);

bool dae_html_has_components(const DaeHtmlReport *report);

/* <section> with its heading; close with dae_html_end. */
void dae_html_begin(DaeHtmlPage *page, const char *id, const char *title);
void dae_html_end(DaeHtmlPage *page);
void dae_html_text(DaeHtmlPage *page, const char *text); /* escaped */
void dae_html_printf(DaeHtmlPage *page, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* A link to a source line; nothing for line 0. */
void dae_html_line(DaeHtmlPage *page, uint32_t line);
/* The same for a place; of another file (a library) its name is told. */
void dae_html_place(DaeHtmlPage *page, const DaeSpan *span);
uint32_t dae_html_own_line(const DaeSpan *span); /* 0: in another file */
/* ", differentiated twice"; nothing for order 0. */
void dae_html_order(DaeHtmlPage *page, int32_t order);
/* The equation typeset, with its number and a link to its line. */
void dae_html_equation(DaeHtmlPage *page, const DaeEquation *equation, uint32_t index,
                       int32_t order, bool is_initial);

/* The scripts, styles and the font (base64, may be empty) of the page; made
 * from web/ when daetool is built. */
extern const char dae_page_script[], dae_page_style[], dae_page_font[];

#endif
