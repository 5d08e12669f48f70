/* Numbers of texts: what text_events.c collects and text_resolve.c looks through. */
#ifndef DAE_READER_TEXTS_PRIV_H
#define DAE_READER_TEXTS_PRIV_H

#include "reader/reader-priv.h"

/* No symbol; the first one is 0. */
#define DAE_TEXT_NO_OWNER UINT32_MAX

typedef struct {
  uint32_t name;   /* the text */
  DaeSymbol owner; /* of one with values in it: the only variable that may have it */
} DaeNumberedText;

typedef struct {
  DaeSymbol symbol; /* holds the number of a text */
  uint32_t pos;
  GArray *numbers;     /* DaeTerm: what it is given */
  bool is_read_before; /* pre of it stands in an algorithm section */
} DaeTextHolder;

typedef struct {
  DaeTerm a, b;
  uint32_t pos;
} DaeTextComparison;

typedef struct { /* text_late.c */
  uint32_t entity;
  uint32_t text; /* name; 0: nothing defines it (yet) */
  uint32_t start;
  bool is_open; /* it is being put together */
} DaeLateText;

struct DaeTexts {
  GArray *texts;       /* DaeNumberedText; the number of one is its index + 1 */
  GHashTable *numbers; /* name of a text -> its number */
  GArray *holders;     /* DaeTextHolder */
  GArray *compared;    /* DaeTextComparison */
  uint32_t n_values;   /* variables of values so far */
  GArray *late;        /* DaeLateText */
  GHashTable *marks;   /* term of a mark -> index + 1 in late */
};

struct DaeTexts *dae_texts_of(DaeReader *reader);
/* A symbol for the text of the variable, or of an element of it. */
DaeSymbol dae_text_symbol(DaeReader *reader, const DaeEntity *entity, uint32_t i);
/* The text that a mark stands for, until it is closed; 0: none, reported. */
uint32_t dae_text_open_late(DaeReader *reader, DaeTerm mark);
void dae_text_close_late(DaeReader *reader, DaeTerm mark);

/* NULL: the symbol holds no number of a text. */
DaeTextHolder *dae_text_holder(DaeReader *reader, DaeSymbol symbol);

#endif
