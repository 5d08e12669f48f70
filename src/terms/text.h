/* Terms in texts, in two styles: Modelica for programs, mathematics for the eye. Of mathematics
 * der(x) is x with a prime, whole numbers as exponents are raised, * is a dot, and <=, >=, <> and
 * sqrt have their signs. Names are never changed. */
#ifndef DAE_TERMS_TEXT_H
#define DAE_TERMS_TEXT_H

#include "terms/terms.h"

G_BEGIN_DECLS

typedef enum { DAE_PRINT_MODELICA, DAE_PRINT_MATH, DAE_N_PRINT_STYLES } DaePrintStyle;

typedef struct {
  DaePrintStyle style;
  size_t most;             /* bytes, of mathematics characters; 0: no limit */
  const GHashTable *names; /* as of dae_term_print_named; NULL: none */
} DaePrinting;

/* False: longer than that, cut with "...". */
bool dae_term_print_styled(DaeTerms *terms, DaeTerm t, const DaePrinting *how, GString *out);

/* What stands before and after something that is differentiated so often: der( and ), or
 * primes behind it. */
void dae_print_derivative_begin(GString *out, DaePrintStyle style, uint32_t order);
void dae_print_derivative_end(GString *out, DaePrintStyle style, uint32_t order);
const char *dae_print_times(DaePrintStyle style); /* a star or a dot */
void dae_print_raised(GString *out, uint64_t n);  /* digits as an exponent */

/* A text with terms in it, in all styles at once: results keep it, writers choose. */
typedef struct {
  char *in[DAE_N_PRINT_STYLES];
} DaeStyled;

void dae_styled_clear(DaeStyled *styled);

typedef struct {
  GString *in[DAE_N_PRINT_STYLES];
} DaeStyledString; /* while it is written */

DaeStyledString dae_styled_string_new(void);
DaeStyled dae_styled_string_end(DaeStyledString *string);        /* (transfer full) */
DaeStyled dae_styled_string_copy(const DaeStyledString *string); /* (transfer full) */
void dae_styled_string_clear(DaeStyledString *string);
void dae_styled_append(DaeStyledString *string, const char *words);
void dae_styled_printf(DaeStyledString *string, const char *format, ...) G_GNUC_PRINTF(2, 3);
void dae_styled_append_term(DaeStyledString *string, DaeTerms *terms, DaeTerm t, size_t most);

G_END_DECLS

#endif
