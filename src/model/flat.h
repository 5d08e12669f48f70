/* The finished model, as the reader and dae_model_new fill it. */
#ifndef DAE_MODEL_FLAT_H
#define DAE_MODEL_FLAT_H

#include "model/model.h"

typedef struct { /* a variable by which components are connected */
  const char *name;
  bool is_potential, is_flow, is_input; /* neither: an output, or a stream */
  bool is_internal;
  uint32_t n_outside, n_given;
} DaeModelFace;

struct DaeModel {
  const char *name;
  const char *file;
  const char *description;
  GArray *variables;         /* DaeVariable */
  GArray *parameters;        /* DaeParameter */
  GArray *equations;         /* DaeEquation */
  GArray *initial_equations; /* DaeEquation */
  GArray *assertions;        /* DaeAssertion */
  GArray *claims;            /* DaeClaim */
  GArray *claim_atoms;       /* DaeTerm */
  GArray *event_atoms;       /* DaeEventAtom */
  GArray *profiles;          /* DaeTerm: initial points and values of spatialDistribution */
  GArray *whens;             /* DaeWhen; owns what it points to */
  GArray *clocks;            /* DaeClockDefinition */
  GArray *clock_equations;   /* DaeClockEquation */
  GArray *clocked_atoms;     /* DaeClockedAtom */
  GArray *clocked_whens;     /* DaeClockedWhen */
  /* uint32_t: variable j is 2*j + 1, parameter k is 2*k + 2, 0: none */
  GArray *index_of_symbol;
  GArray *closed;    /* DaeTerm per parameter: found values; see flat.c */
  GArray *inputs;    /* DaeInput */
  GArray *instances; /* DaeModelInstance */
  GArray *faces;     /* DaeModelFace */
  DaeExperiment experiment;
  const DaeModel *like; /* the model as written, if `written` is not NULL; borrowed */
  uint32_t *written;    /* by equation: its number there */
  bool has_own_initial; /* initial equations are not those of `like` */
  GStringChunk *strings;
};

DaeModel *dae_flat_new(const char *name, const char *file);
const char *dae_flat_string(DaeModel *model,
                            const char *text); /* copy owned by the model; NULL stays NULL */
/* One more variable after dae_flat_finish. */
void dae_flat_add_variable(DaeModel *model, const DaeVariable *variable);
/* Event atoms and when-clauses of `like`; texts are shared with it. */
void dae_flat_copy_events(DaeModel *model, const DaeModel *like, DaeSubst *replaced);
/* All arrays are filled: makes the index. */
void dae_flat_finish(DaeModel *model);

/* print_routines.c: the functions that the terms of the model call. */
void dae_print_routines(const DaeModel *model, DaeTerms *terms, DaeSharedTerms *shared,
                        GString *out);
/* print_clocks.c */
void dae_print_clock_declarations(const DaeModel *model, const DaeTerms *terms, GString *out);
void dae_print_clock_equations(const DaeModel *model, DaeTerms *terms, GString *out);
/* Before equation i (or behind the last): the end and the begin of clocked when-clauses. */
void dae_print_clocked_when(const DaeModel *model, DaeTerms *terms, uint32_t i, GString *out);
/* print_message.c: a text in quotes; a message as an expression. */
void dae_print_text(GString *out, const char *text);
/* print_files.c: the functions that the calls below need, before the model; the call of one that
 * does something to a file, false: the action is none. */
void dae_print_file_functions(const DaeModel *model, GString *text);
bool dae_print_file_action(DaeTerms *terms, DaeSharedTerms *shared, GString *out,
                           const DaeAction *action);
void dae_print_message(DaeTerms *terms, DaeSharedTerms *shared, GString *out,
                       const char *message);

/* print_whole.c: with products for the powers of an Integer value, as names: that text is read
 * back as Integer. */
DaeTerm dae_whole_as_products(DaeTerms *terms, DaeTerm t);

#endif
