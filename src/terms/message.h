/* Texts with values in them: String(x) of an expression whose value is known at run time only.
 *
 * Such a text is a plain string with marks (0x01 … 0x02) that name a term and how its value is
 * written. dae_message_fill() puts values there when the text is told; without a value the
 * expression stands in its place. */
#ifndef DAE_TERMS_MESSAGE_H
#define DAE_TERMS_MESSAGE_H

#include "terms/terms.h"

G_BEGIN_DECLS

#define DAE_TEXT_BETWEEN '\x03'

typedef enum {
  DAE_TEXT_REAL,
  DAE_TEXT_INTEGER,
  DAE_TEXT_BOOLEAN,
  DAE_TEXT_LITERAL,
  DAE_TEXT_CHOICE,   /* of two texts: the first where the value is not 0 */
  DAE_TEXT_NUMBERED, /* the reader's: the value is the number of a text (reader/text_events.c) */
  DAE_TEXT_LATE /* the reader's: a text that is known when all is read (reader/text_late.c) */
} DaeTextKind;

/* String(x, significantDigits, minimumLength, leftJustified) [MLS 3.7.2] */
typedef struct {
  DaeTextKind kind;
  int digits, width;
  bool right;
  const char *form; /* REAL: of printf, without '%', or ""; LITERAL: names, with commas;
                     * CHOICE: two texts with DAE_TEXT_BETWEEN between them */
  DaeTerm when;     /* the value is written where this is not 0; DAE_NO_TERM: always */
} DaeTextFormat;

/* Is this the text of a form that a value is written with, "8.3f", "5d"? */
bool dae_text_form_is_valid(const char *form);
/* A valid one for Integers: a double is rounded. */
bool dae_text_form_is_of_integer(const char *form);
void dae_text_append(GString *out, const DaeTextFormat *format, double value);

/* Appends a mark. */
void dae_message_append_value(GString *out, DaeTerm t, const DaeTextFormat *format);
bool dae_message_has_values(const char *message);
/* Do the texts differ in their marks only? */
bool dae_message_is_like(const char *a, const char *b);

typedef DaeTerm (*DaeMessageMap)(void *user, DaeTerm t); /* DAE_NO_TERM: its text instead */
typedef bool (*DaeMessageValue)(void *user, DaeTerm t, double *value);

/* (transfer full) The same with other terms. */
char *dae_message_map(DaeTerms *terms, const char *message, DaeMessageMap map, void *user);
/* (transfer full) With values; value == NULL: none is known. */
char *dae_message_fill(DaeTerms *terms, const char *message, DaeMessageValue value, void *user);

/* Parts of a message, for printing it as an expression: a text (length > 0) or a term. */
typedef struct {
  const char *text;
  size_t length;
  DaeTerm term;
  DaeTextFormat format; /* of the term; its form is not kept */
} DaeMessagePart;

/* The next part from *at on; false: there is none. */
bool dae_message_next(const DaeTerms *terms, const char **at, DaeMessagePart *part,
                      GString *form);

G_END_DECLS

#endif
