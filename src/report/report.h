/* Results as text, JSON and pictures. A writer takes the result of a stage and a page; it
 * appends to a string and prints nothing. */
#ifndef DAE_REPORT_REPORT_H
#define DAE_REPORT_REPORT_H

#include <glib.h>
#include <stdbool.h>

#include "base/json.h"
#include "model/model.h"

/* What the reader's side can show. */
typedef struct {
  bool color;      /* escape sequences for colours */
  bool unicode;    /* mathematics with Unicode signs */
  bool is_verbose; /* lists in full */
  guint columns;   /* of the terminal; 0: no terminal, no limit */
} DaePage;

/* What an independent checker says of a positive answer. */
typedef struct {
  const char *what; /* "certificate", "start", "reduction" */
  const char *why;  /* what was not confirmed; NULL: it holds */
} DaeVerified;

/* "verified": {"certificate": "holds", ...} in the object that is open; one line each as text. */
void dae_verified_json(DaeJson *json, const DaeVerified *verified, uint32_t n);
void dae_verified_text(GString *out, const DaeVerified *verified, uint32_t n);

typedef enum {
  DAE_STYLE_GOOD,
  DAE_STYLE_BAD,
  DAE_STYLE_WARN,
  DAE_STYLE_DIM,
  DAE_STYLE_BOLD
} DaeStyle;

const char *dae_style_code(DaeStyle style); /* escape sequence that begins it */
/* Appends text, wrapped in the escape sequences of the style when colour is on. */
void dae_page_styled(const DaePage *page, GString *out, DaeStyle style, const char *text);
/* Mathematics where the reader's side can show it. */
DaePrintStyle dae_page_print_style(const DaePage *page);
void dae_page_term(const DaePage *page, GString *out, DaeTerms *terms, DaeTerm t);
void dae_page_text(const DaePage *page, GString *out, const DaeStyled *text);
/* An equation object of the contract: {"index", "text", "line"} are written
 * into the object that is open. */
void dae_report_json_equation(DaeJson *json, DaeTerms *terms, const DaeEquation *equation,
                              uint32_t index);
/* "line 9" in the model's own file, "Basic.mo:9" in another one. */
void dae_report_place(GString *out, DaeSpan span);
/* The same for an equation, with the component whose class has it: "Basic.mo:9, component r1",
 * "line 9, connect". `instances`: the model as read, or NULL. */
void dae_report_equation_place(GString *out, const DaeModel *instances, const DaeTerms *terms,
                               const DaeEquation *equation);

#endif
