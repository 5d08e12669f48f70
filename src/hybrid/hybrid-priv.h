/* For the files of this room only. */
#ifndef DAE_HYBRID_HYBRID_PRIV_H
#define DAE_HYBRID_HYBRID_PRIV_H

#include "hybrid/hybrid.h"

struct DaeHybrid {
  DaeTerms *terms;
  const DaeModel *model;
  DaeModel *continuous, *initial; /* NULL: the model itself */
  GArray *discrete;               /* DaeDiscrete */
  GArray *actions;                /* DaeHybridAction */
  GArray *samples;                /* DaeSample */
  GArray *continuous_pres;        /* DaeContinuousPre */
  GArray *starts;                 /* DaeDiscreteStart */
  GArray *equation_number;        /* uint32_t: of equation i of the continuous model */
  GArray *discrete_of_variable;   /* uint32_t + 1 by variable of the model; 0: continuous */
  DaeSubst *twins;                /* discrete variables to their twins */
  DaeTerm initial_atom, terminal_atom;
  bool is_trivial;
};

/* when.c: whens written out into hybrid->discrete and hybrid->actions. */
void dae_hybrid_lower_whens(DaeHybrid *hybrid);
/* Adds a discrete value that is no variable of the model; returns its number. */
uint32_t dae_hybrid_add_hidden(DaeHybrid *hybrid, const char *name, DaeTerm value, DaeSpan span);
/* The atom of pre(m) of discrete value k, made at the first request. */
DaeTerm dae_hybrid_pre_of(DaeHybrid *hybrid, uint32_t k);

/* solve.c: equations of discrete variables, each in solved form. is_taken (by equation) tells which were used. False: *error. */
bool dae_hybrid_solve_discrete(DaeHybrid *hybrid, uint8_t *is_taken, GError **error);
/* order.c: sorts hybrid->discrete so that each uses earlier ones; marks loops. False: a loop has no solution (*error). */
bool dae_hybrid_sort(DaeHybrid *hybrid, GError **error);

/* models.c */
void dae_hybrid_make_continuous(DaeHybrid *hybrid, const uint8_t *is_taken);
void dae_hybrid_make_initial(DaeHybrid *hybrid, const uint8_t *is_taken);
void dae_hybrid_take_starts(DaeHybrid *hybrid);

void dae_hybrid_set_error(const DaeHybrid *hybrid, DaeSpan span, GError **error,
                          const char *format, ...) G_GNUC_PRINTF(4, 5);

#endif
