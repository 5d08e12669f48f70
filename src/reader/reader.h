/* The reader: text, or a class of a library, in; a scalar model of exact terms out. */
#ifndef DAE_READER_READER_H
#define DAE_READER_READER_H

#include "model/model.h"

G_BEGIN_DECLS

typedef struct {
  const char *model;            /* --model, or NULL */
  const char *const *overrides; /* NULL-terminated "NAME=VALUE" (--set), or NULL */
  const char *const *inputs;    /* NULL-terminated "NAME=EXPR" (--input), or NULL */
  /* NULL-terminated names of inputs that stay symbols unless they have an expression
   * (--input-file), or NULL; names that are no inputs do not matter */
  const char *const *symbols;
  /* all inputs without an expression are, with their start values until others are set */
  bool inputs_are_symbols;
  bool inputs_are_open;         /* all Real inputs are, whatever they are given */
  const char *const *libraries; /* NULL-terminated paths (--library), or NULL */
  bool
      keep_loops; /* overconstrained connection loops keep all their equations (--keep-loops) */
  bool check_annotations; /* claims of annotations are collected */
  /* Exact values that are too long for work in doubles may be rounded: no proof is wanted. */
  bool rounds_long_values;
} DaeReadOptions;

/* text need not end in NUL; text NULL: file is the name of a class in the libraries. file is
 * used in messages. Diagnostics (up to 20 errors, never a cascade) go to reporter; on errors
 * NULL is returned and *error has code MODEL, UNSUPPORTED or USAGE (overrides, inputs). */
DaeModel *dae_model_read(DaeTerms *terms, const char *file, const char *text, size_t length,
                         const DaeReadOptions *options, const DaeReporter *reporter,
                         GError **error);

/* Parses one expression in the name space of the model (for --invariant). NULL reporter: silent. */
DaeTerm dae_model_parse_expression(const DaeModel *model, DaeTerms *terms, const char *text,
                                   const DaeReporter *reporter, GError **error);

G_END_DECLS

#endif
