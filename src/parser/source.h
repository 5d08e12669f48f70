/* Source texts, places in them, messages about them.
 *
 * A place is one 32-bit number: the files lie one behind the other in one address space,
 * the first at 0. So an instruction needs no number of its file, and a model of one file
 * has its byte offsets as places. */
#ifndef DAE_PARSER_SOURCE_H
#define DAE_PARSER_SOURCE_H

#include "base/base.h"

#define DAE_MAX_ERRORS 20u
#define DAE_NO_PLACE UINT32_MAX

typedef struct {
  const char *file;
  const char *text;
  size_t length;
  uint32_t base; /* place of its first byte */
  GArray *lines; /* uint32_t offsets of line starts; made at the first message */
  guint line;    /* the last that was asked for: most questions go on from there */
} DaeSourceFile;

typedef struct {
  const char *file; /* of the first text */
  const char *text;
  size_t length;
  GArray *files; /* DaeSourceFile, by base */
  const DaeReporter *reporter;
  uint32_t n_errors;
  bool
      has_hidden_note; /* one was not told, because there are (or seem to be) too many errors */
  uint32_t reported[DAE_MAX_ERRORS]; /* their places: one message each */
  GHashTable *warned;                /* "PLACE MESSAGE" of the warnings: each is told once */
  uint32_t n_unsupported;            /* of these: "not supported yet" */
  char *first_message;
  char *option_message; /* first mistake in an option's text */
  uint32_t hushed;      /* > 0: nothing is reported */
  const char *context;  /* not NULL: an option's text is read; messages have no place */
} DaeSource;

void dae_source_init(DaeSource *source, const char *file, const char *text, size_t length,
                     const DaeReporter *reporter);
/* One more text; file and text must live as long as the source. False: no room for it. */
bool dae_source_add(DaeSource *source, const char *file, const char *text, size_t length,
                    uint32_t *base);
void dae_source_clear(DaeSource *source);
const DaeSourceFile *dae_source_file_of(const DaeSource *source, uint32_t pos);
/* span.file is set unless the place lies in the first text. */
DaeSpan dae_source_span(DaeSource *source, uint32_t pos);
void dae_source_error(DaeSource *source, uint32_t pos, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* "not supported yet: ..." */
void dae_source_unsupported(DaeSource *source, uint32_t pos, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
void dae_source_warning(DaeSource *source, uint32_t pos, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
void dae_source_note(DaeSource *source, uint32_t pos, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* What is said in between is not heard: for what is tried and may fail. May be nested. */
void dae_source_hush(DaeSource *source);
void dae_source_speak(DaeSource *source);
bool dae_source_is_full(const DaeSource *source); /* 20 errors were reported */

#endif
