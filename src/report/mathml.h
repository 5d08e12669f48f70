/* Terms as MathML Core: what a browser typesets without any library. */
#ifndef DAE_REPORT_MATHML_H
#define DAE_REPORT_MATHML_H

#include "terms/terms.h"

/* Appends <math>...</math> with the plain text as alttext. A term whose text is longer than
 * DAE_MATHML_LONGEST bytes is not for reading: its beginning is written as code. */
enum { DAE_MATHML_LONGEST = 2400 };

void dae_mathml_term(DaeTerms *terms, DaeTerm t, GString *out);
/* lhs = rhs */
void dae_mathml_equation(DaeTerms *terms, DaeTerm lhs, DaeTerm rhs, GString *out);
/* A name as <mi>: Greek letters by their names, digits at the end,
 * subscripts and what follows _ set low. */
void dae_mathml_name(const char *name, uint32_t order, GString *out);
/* Text for HTML and attributes: & < > " ' escaped, invalid UTF-8 replaced. */
void dae_html_escape(GString *out, const char *text);

#endif
