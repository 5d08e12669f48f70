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
  GArray *delays;                 /* DaeDelay */
  GArray *delay_atoms;            /* DaeTerm: what the model as read has for them */
  GArray *starts;                 /* DaeDiscreteStart */
  GArray *conditions;             /* DaeHybridCondition */
  GArray *condition_number;       /* uint32_t: of initial equation i of the continuous model */
  /* DaeParameter: discrete Reals found with the continuous unknowns */
  GArray *free_reals;
  /* DaeEquation: what holds them, beside the conditions */
  GArray *free_equations;
  GHashTable *hidden;           /* value of a condition to its hidden Boolean k + 1 */
  GHashTable *place_of_atom;    /* v of discrete value k to 2*k + 1, pre(v) to 2*k + 2 */
  GArray *equation_number;      /* uint32_t: of equation i of the continuous model */
  GArray *discrete_of_variable; /* uint32_t + 1 by variable of the model; 0: continuous */
  DaeSubst *settled;            /* atoms `now` that never change, to their values; NULL: none */
  DaeSubst *twins;              /* discrete variables to their twins */
  DaeClocks *clocks;            /* NULL: none */
  DaeTerm initial_atom, terminal_atom;
  GString *doubt; /* loops with several solutions, for people; NULL: none */
  bool is_trivial;
};

/* when.c: whens written out into hybrid->discrete and hybrid->actions. */
void dae_hybrid_lower_whens(DaeHybrid *hybrid);
/* Adds a discrete value that is no variable of the model; returns its number. */
uint32_t dae_hybrid_add_hidden(DaeHybrid *hybrid, const char *name, DaeTerm value,
                               DaeSpan span);
/* The atom of pre(m) of discrete value k, made at the first request. */
DaeTerm dae_hybrid_pre_of(DaeHybrid *hybrid, uint32_t k);

/* check.c: derivatives and reinits of discrete variables. False: *error. */
bool dae_hybrid_check(const DaeHybrid *hybrid, GError **error);
/* Equations that are not taken and determine nothing. False: *error. */
bool dae_hybrid_check_left(const DaeHybrid *hybrid, const uint8_t *is_taken, GError **error);

/* solve.c: equations of discrete variables, each in solved form. is_taken (by equation) tells
 * which were used, some of them before. False: *error. */
bool dae_hybrid_solve_discrete(DaeHybrid *hybrid, uint8_t *is_taken, GError **error);
/* The value that an equation in solved form gives a variable or pre(v);
 * DAE_NO_TERM: it is not in solved form. */
DaeTerm dae_hybrid_solved_for(DaeTerms *terms, const DaeEquation *equation, DaeTerm variable);
/* whole.c: is the value a whole number whatever its operands are? */
bool dae_hybrid_is_whole(const DaeHybrid *hybrid, DaeTerm value);
/* An Integer variable can have this value. False: *error. */
bool dae_hybrid_check_whole(const DaeHybrid *hybrid, DaeTerm variable, DaeTerm value,
                            DaeSpan span, GError **error);
/* Initial equations that give Integer unknowns a constant that is none. False: *error. */
bool dae_hybrid_check_whole_starts(const DaeHybrid *hybrid, GError **error);
/* variability.c: is t, of the model as read, a value that a discrete variable may have? */
bool dae_hybrid_changes_at_events_only(const DaeHybrid *hybrid, DaeTerm t);
/* The same for many terms that share parts, while it is settled which variables are discrete. */
typedef struct DaeCourses DaeCourses;
DaeCourses *dae_courses_new(const DaeHybrid *hybrid);
void dae_courses_free(DaeCourses *v); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeCourses, dae_courses_free)
bool dae_courses_is_stepwise(DaeCourses *v, DaeTerm t);

/* order.c: sorts hybrid->discrete so that each uses earlier ones; marks loops. False: a
 * loop has no solution (*error). */
bool dae_hybrid_sort(DaeHybrid *hybrid, GError **error);
/* loop_numbers.c: the number of solutions (2: several) of a loop of n numbers. false: it is not one
 * of sums of multiples of each other, or something else decides. */
bool dae_hybrid_count_numbers(const DaeHybrid *hybrid, const uint32_t *members, uint32_t n,
                              uint32_t *n_solutions);

/* delay(e, T) is e at the start. */
void dae_hybrid_put_in_delays(const DaeHybrid *hybrid, DaeSubst *subst);
/* What holds during the initialization: initial() does, terminal() and samples do not, pre(x)
 * is x, delays are what they are at the start. (transfer full) */
DaeSubst *dae_hybrid_phase_values(const DaeHybrid *hybrid);

/* models.c */
void dae_hybrid_make_continuous(DaeHybrid *hybrid, const uint8_t *is_taken);
void dae_hybrid_make_initial(DaeHybrid *hybrid);

/* settled.c: atoms `now` that have one value in all modes, to it; NULL: none. equations (of
 * DaeEquation) are those of the continuous model. (transfer full) */
DaeSubst *dae_hybrid_settled_values(const DaeHybrid *hybrid, const GArray *equations);

/* conditions.c: after the discrete values are sorted, before all that uses them. */
void dae_hybrid_collect_conditions(DaeHybrid *hybrid);

/* initial.c: what gives each discrete value at the start; after the conditions are known, before
 * the models are made. */
void dae_hybrid_plan_initialization(DaeHybrid *hybrid, const uint8_t *is_taken);

void dae_hybrid_set_error(const DaeHybrid *hybrid, DaeSpan span, GError **error,
                          const char *format, ...) G_GNUC_PRINTF(4, 5);

#endif
