/* For the files clock_*.c only. */
#ifndef DAE_HYBRID_CLOCKS_PRIV_H
#define DAE_HYBRID_CLOCKS_PRIV_H

#include "hybrid/clocks.h"
#include "hybrid/hybrid-priv.h"

#define DAE_NO_GROUP UINT32_MAX

/* A value that a conversion takes and that is no variable: subSample(a + b, 2) has v = a + b. */
typedef struct {
  uint32_t atom; /* of the model's clocked atoms */
  DaeTerm value; /* a + b */
  uint32_t group;
  DaeTerm now; /* its hidden value */
} DaeClockedExtra;

/* From the clock of one group to that of another. */
typedef struct {
  uint32_t from, to;   /* groups */
  DaeClockedKind kind; /* SUB, SUPER, SHIFT, BACK */
  int64_t counter, resolution;
  DaeSpan span;
} DaeClockRelation;

/* Variables, equations and clocks that are on one clock. */
typedef struct {
  bool is_clocked;
  uint32_t sub;          /* + 1; 0: not clocked */
  DaeTerm ratio, offset; /* of period and shift to those of the root of its component */
  uint32_t component;
  const char *method; /* of integration; NULL: none, inferred */
  DaeSpan method_span;
  DaeSpan why;   /* a place that makes it clocked */
  DaeTerm clock; /* a name of the clock, if it has one */
} DaeClockGroup;

typedef struct { /* an initial equation of a clocked partition: for its first tick */
  uint32_t group;
  DaeEquation equation;
} DaeClockedInitial;

struct DaeClocks {
  DaeTerms *terms;
  const DaeModel *model; /* as read */
  DaeModel *unclocked;   /* clocked variables keep their values */
  /* nodes of the graph: variables, equations, extras, clocks (by their terms) */
  uint32_t n_variables, n_equations;
  GArray *parent;            /* uint32_t */
  GArray *extras;            /* DaeClockedExtra */
  GHashTable *node_of_clock; /* term -> node + 1 */
  GHashTable *atom_of_term;  /* PARAMETER -> index of the clocked atom + 1 */
  GHashTable *pre_of_term;   /* PARAMETER pre(v) -> v */
  GArray *group_of_node;     /* uint32_t */
  GArray *groups;            /* DaeClockGroup */
  GArray *relations;         /* DaeClockRelation */
  GArray *bases;             /* DaeBaseClock */
  GArray *subs;              /* DaeSubClock */
  GArray *sub_group;         /* uint32_t: group of a sub-clock */
  GArray *inputs;            /* DaeClockedInput */
  GArray *blocks;            /* DaeClockedBlock, owns its arrays */
  GArray *assertions;        /* DaeClockedAssertion */
  GArray *initials;          /* DaeClockedInitial */
};

/* clock_graph.c: partitions. False: *error. */
bool dae_clocks_partition(DaeClocks *clocks, GError **error);
/* The clocked atoms that occur in t: indices. (transfer full) */
GArray *dae_clocks_atoms_in(DaeClocks *clocks, DaeTerm t);
uint32_t dae_clocks_group(const DaeClocks *clocks, uint32_t node);
uint32_t dae_clocks_node_of_variable(const DaeClocks *clocks,
                                     DaeTerm variable); /* NO_GROUP: none */
/* The group of the clock of what an atom converts. */
uint32_t dae_clocks_group_of_source(const DaeClocks *clocks, uint32_t atom);
/* The extra of an atom, or NULL. */
DaeClockedExtra *dae_clocks_extra(const DaeClocks *clocks, uint32_t atom);

/* clock_infer.c: when do they tick? */
bool dae_clocks_infer(DaeClocks *clocks, GError **error);

/* clock_model.c: the model in which clocked variables keep their values. */
bool dae_clocks_make_model(DaeClocks *clocks, GError **error);
bool dae_clocks_variable_is_clocked(const DaeClocks *clocks, uint32_t j);

/* clock_blocks.c: after the discrete variables are known. */
bool dae_clocks_make_blocks(DaeClocks *clocks, DaeHybrid *hybrid, GError **error);

/* v = pre(v) of clocked variables: the equations are used up. */
void dae_clocks_take_equations(const DaeClocks *clocks, DaeHybrid *hybrid, uint8_t *is_taken);

/* What is solved in the ticks of a sub-clock, before it is sorted; in atoms. */
typedef struct {
  uint32_t sub;
  DaeTicks ticks;
  GArray *rows;     /* DaeClockedRow */
  GArray *unknowns; /* DaeClockedUnknown */
} DaeClockedSystem;

typedef struct {
  DaeTerm lhs, rhs;
  /* of several that could be left out the lightest ones are; rows of the model have DAE_ROW_MUST */
  int32_t weight;
  DaeSpan span;
} DaeClockedRow;

#define DAE_ROW_MUST 1000

typedef struct {
  DaeTerm atom;
  bool is_real;
} DaeClockedUnknown;

DaeClockedSystem *dae_clocked_system_new(uint32_t sub, DaeTicks ticks);
void dae_clocked_system_free(DaeClockedSystem *system);
void dae_clocked_system_add_row(DaeClockedSystem *system, DaeTerm lhs, DaeTerm rhs,
                                int32_t weight, DaeSpan span);
void dae_clocked_system_add_unknown(DaeClockedSystem *system, DaeTerm atom, bool is_real);

/* A hidden value that keeps its value between ticks: its atom. */
DaeTerm dae_clocks_add_hidden(DaeHybrid *hybrid, const char *name, DaeType type);
/* pre of a discrete value, by its atom. */
DaeTerm dae_clocks_pre(const DaeHybrid *hybrid, DaeTerm now);

/* clock_discretize.c: a partition with der(...) becomes systems of its ticks, by its solver
 * method. rows and unknowns: of the partition, in atoms, der(x) as it is. Without der(...): one
 * system for all ticks. False: *error. */
bool dae_clocks_discretize(DaeClocks *clocks, DaeHybrid *hybrid, uint32_t group,
                           const DaeClockedSystem *partition, GPtrArray *systems,
                           GError **error);

/* A placed error of kind MODEL. */
bool dae_clocks_fail(const DaeClocks *clocks, DaeSpan span, GError **error, const char *format,
                     ...) G_GNUC_PRINTF(4, 5);

/* NULL in *clocks: the model has none. False: *error. */
bool dae_clocks_new(DaeTerms *terms, const DaeModel *model, DaeClocks **clocks, GError **error);
void dae_clocks_free(DaeClocks *clocks);

#endif
