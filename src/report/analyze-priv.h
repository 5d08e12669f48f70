/* Inside of `analyze` for people: what analyze_text.c and analyze_picture.c share. */
#ifndef DAE_REPORT_ANALYZE_PRIV_H
#define DAE_REPORT_ANALYZE_PRIV_H

#include "report/analyze.h"

enum { DAE_ANALYZE_SHORTEST_TEXT = 16 }; /* bytes of an equation on the narrowest terminal */

void dae_analyze_equation_text(GString *out, const DaeAnalyzeView *view, const DaeSig *sig,
                               uint32_t i, gsize width);
/* Bytes for an equation beside `taken` columns: what is usual, less on a narrow terminal. */
gsize dae_analyze_room_for_text(const DaeAnalyzeView *view, guint taken, gsize usual);
bool dae_analyze_fits_picture(const DaeAnalyzeView *view, const DaeSig *sig);
/* Rows are equations, columns variables; [ ] is the transversal, c stands on the right, d
 * below. */
void dae_analyze_picture(GString *out, const DaeAnalyzeView *view, const DaeSig *sig);

#endif
