/* Inside of initcheck: the initial problem (IcSystem), rows in linear-plus-leaves form
 * (IcForm), the elimination (IcEngine) and its log of lines, from which proofs, conflict
 * sets and certificates are read.
 *
 * Elimination in one picture. Each premise (an equation of the reduced derivative array, an
 * initial equation) becomes a row
 *     sum c_z * z + sum c_N * N + rest = 0
 * with unknowns z, nonlinear leaves N (products, powers, calls with unknowns in them) and a
 * rest without unknowns; all coefficients are free of unknowns, i.e. numbers or expressions in
 * the parameters. A pivot solves a row for one unknown and puts the solution into all other
 * rows. Rows that lose all their unknowns are decided: zero (redundant), zero for the given
 * parameter values only, or nonzero (a conflict). What a row has become is logged as lines; a
 * line names the lines it was made from, so the lines behind a zero or a nonzero row are its
 * proof, and the premises among them the candidates of a conflict set. */
#ifndef DAE_INITCHECK_PRIV_H
#define DAE_INITCHECK_PRIV_H

#include "initcheck/initcheck.h"

#define IC_NONE UINT32_MAX
/* Nodes of long coefficients in the parameters that are simplified before the search
 * starts again with numbers for them. A count, not a time: the same input gives the
 * same answer on every machine. */
#define IC_WORK_LIMIT 30000u
/* The same for the factors of products of parameters, which need no simplification. */
#define IC_FACTOR_LIMIT 30000000u
/* Work on long numbers (dae_terms_long_work) after which a search ends without an answer: exact
 * values of 10^5 bits and more, where a run in small numbers would have ended long ago. */
#define IC_LONG_WORK_LIMIT UINT64_C(200000000)

typedef struct {
  DaeTerm atom;      /* VARIABLE of some order, or a free PARAMETER */
  uint32_t variable; /* index in the model, IC_NONE for a parameter */
  uint32_t order;
  DaeTerm start; /* guess, with parameter values put in; DAE_NO_TERM if none */
  /* the model differentiates the variable more often than `order` times */
  bool is_potential_state;
} IcUnknown;

typedef struct {
  DaeInitPremise id;
  DaeTerm lhs, rhs;             /* prepared: at the start time, dependent parameters replaced */
  DaeTerm residual;             /* lhs - rhs prepared; DAE_NO_TERM: undefined at the start */
  DaeTerm shown_lhs, shown_rhs; /* as written (differentiated) */
  bool used_values;             /* a condition was decided by the given parameter values */
} IcPremise;

typedef struct {
  DaeTerms *terms;
  DaeAlgebra *algebra;
  DaeBudget *budget;
  const DaeModel *model;
  const DaeSig *sig;
  const DaeInitialProblem *problem;
  GArray *unknowns; /* IcUnknown */
  GArray *discrete; /* uint32_t: those of them that are Boolean, Integer or of an enumeration */
  GPtrArray *parts; /* by premise: GArray of DaeTerm, roots and logarithms in it; or NULL */
  GArray *premises; /* IcPremise */
  GHashTable *index;  /* atom -> unknown index + 1 */
  GByteArray *has;    /* per term id: 0 not looked at, 1 no unknown inside, 2 unknowns inside */
  GHashTable *inside; /* leaf -> GArray of uint32_t: the unknowns inside */
  GHashTable *tidy;   /* coefficient -> simplified */
  GHashTable *at_values; /* parametric term -> term at the given parameter values */
  GHashTable *nonzero;   /* parametric term -> DaeZero + 1 at the given values */
  DaeSubst *values;      /* parameters -> given values */
  DaeSubst *dependent;   /* dependent parameters -> expressions in independent ones */
  DaeSubst *at_start;    /* time -> start time */
  DaeTerm start_time;
  GPtrArray *premises_of;   /* GArray of uint32_t, by unknown; made when needed (shorten.c) */
  uint32_t shortening;      /* premises decided for short conflicts so far */
  uint32_t walked;          /* edges followed for them (walks.c) */
  bool writes_all;          /* no rows are set aside (square.c) */
  bool seeks_conflict;      /* of what is decided only contradictions matter (conflict.c) */
  bool at_given_values;     /* parameters were replaced by their values from the beginning */
  bool too_long;            /* coefficients in the parameters have grown beyond IC_WORK_LIMIT */
  uint64_t work;            /* nodes of the coefficients simplified so far */
  uint64_t factors;         /* of the products of parameters so far */
  uint64_t long_work;       /* what dae_terms_long_work said before the search */
  bool is_incomplete;       /* the budget ended while the derivative array was set up */
  GPtrArray *spare_columns; /* arrays of earlier engines, clean, for the next ones */
  GPtrArray *spare_solved;
  /* without entries, leaves, substitutions: shared by all rows that have none */
  GArray *no_entries, *no_leaves, *no_subs;
  GArray *rest, *stack, *with, *without; /* of the term that is being split (form.c) */
  GArray *premise_seen;   /* uint32_t by premise: the walk that saw it last (engine.c) */
  GArray *premise_weight; /* DaeTerm by premise, DAE_NO_TERM between the uses (conflict.c) */
  uint32_t walk;
  GHashTable *domain_seen;
  /* DaeTerm: denominators of the premises, nonzero wherever the model is defined */
  GArray *domain;
  GArray *within; /* DaeTerm: parameters whose declared min or max was used */
} IcSystem;

/* ---- assemble.c, prepare.c: the initial problem ------------------------------------------ */

/* at_given_values: parameters are numbers from the beginning. Borrows sig and problem. */
IcSystem *ic_system_new(DaeAlgebra *algebra, const DaeSig *sig,
                        const DaeInitialProblem *problem, DaeBudget *budget,
                        bool at_given_values);
void ic_system_free(IcSystem *sys);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(IcSystem, ic_system_free)
/* Fills values and dependent (prepare.c); called once by ic_system_new. */
void ic_set_up_parameters(IcSystem *sys);
/* t at the start: wrappers (homotopy, smooth, noEvent) off, dependent parameters replaced, time
 * put in, decidable conditions decided, rewritten. DAE_NO_TERM: undefined there. *used_values
 * is set when parameter values decided. */
DaeTerm ic_prepare(IcSystem *sys, DaeTerm t, bool *used_values);
/* Fills sys->parts: what has a value in a part of the real numbers only (defined.c). */
void ic_list_parts(IcSystem *sys);
/* Has t, at the start by at_start, a part without a value (defined.c)? */
bool ic_undefined_at_start(IcSystem *sys, DaeSubst *at_start, DaeTerm t, bool *used_values);
/* The sign of a term, at the given values if need be; false: it is open. */
bool ic_sign_of(IcSystem *sys, DaeTerm t, int *sign, bool *used_values);
/* A condition as far as it can be decided. */
DaeTerm ic_decide_condition(IcSystem *sys, DaeTerm cond, bool *used_values);
/* Decides the conditions in t that can be decided; t itself when there is nothing to do. */
DaeTerm ic_decide_conditions(IcSystem *sys, DaeTerm t, bool *used_values);
DaeTerm ic_at_values(IcSystem *sys,
                     DaeTerm t); /* parameters replaced by values, rewritten; memoized */
/* Is a term without unknowns zero at the given parameter values? (generic
 * for parameters without value) */
DaeZero ic_zero_at_values(IcSystem *sys, DaeTerm t);
/* Is it zero for all values of the parameters within their declared min and max (declared.c)?
 * The parameters are noted in sys->within. */
bool ic_zero_as_declared(IcSystem *sys, DaeTerm t);
bool ic_has_unknown(IcSystem *sys, DaeTerm t);
const GArray *ic_unknowns_inside(IcSystem *sys, DaeTerm t); /* uint32_t, increasing */
DaeTerm ic_tidy(IcSystem *sys, DaeTerm t);
bool ic_is_constant_in_parameters(IcSystem *sys,
                                  DaeTerm t); /* contains a parameter that is no unknown */
gint ic_compare_numbers(gconstpointer a, gconstpointer b); /* uint32_t, for g_array_sort */
void ic_sort_numbers(GArray *numbers);                     /* uint32_t: increasing */
void ic_sort_unique(GArray *numbers);                      /* the same, each once */
double ic_guess(IcSystem *sys, uint32_t z);
bool ic_numeric_value(IcSystem *sys, DaeTerm t, double *value); /* unknowns at their guesses */

/* ---- form.c: rows ------------------------------------------------------------------------ */

typedef struct {
  uint32_t z;
  DaeTerm c;
} IcEntry;

typedef struct {
  DaeTerm leaf;
  DaeTerm c;
} IcLeaf;

typedef struct {
  GArray *entries; /* IcEntry, increasing z, c never 0 */
  GArray *leaves;  /* IcLeaf */
  DaeTerm rest;
} IcForm;

void ic_form_init(IcSystem *sys, IcForm *form);
void ic_form_clear(IcForm *form);
/* The list, one of its own if it is the one that is shared by all that are empty. */
GArray *ic_own_list(GArray **list, const GArray *shared);
void ic_form_reset(IcSystem *sys, IcForm *form);
/* form += factor * t. false: undefined (division by zero). */
bool ic_form_add_term(IcSystem *sys, IcForm *form, DaeTerm factor, DaeTerm t);
void ic_form_add_form(IcSystem *sys, IcForm *form, DaeTerm factor, const IcForm *other);
DaeTerm ic_form_take_entry(IcForm *form,
                           uint32_t z); /* removes; its coefficient, or DAE_NO_TERM */
DaeTerm ic_form_coefficient(const IcForm *form, uint32_t z);
/* z outside of the leaves replaced by its solution; the coefficient it had, or DAE_NO_TERM. */
DaeTerm ic_form_put(IcSystem *sys, IcForm *form, uint32_t z, const IcForm *solution);
DaeTerm ic_form_term(IcSystem *sys, const IcForm *form);
/* All unknowns of the form, increasing, without repetition; out (uint32_t) is overwritten. */
void ic_form_unknowns(IcSystem *sys, const IcForm *form, GArray *out);
bool ic_form_leaf_has(IcSystem *sys, const IcForm *form, uint32_t z);

/* ---- engine.c: elimination --------------------------------------------------------------- */

typedef enum {
  IC_LINE_SOLVE,  /* z = expr, from a row by a linear pivot */
  IC_LINE_BRANCH, /* z = expr, one of several solutions; or an alternative of a split */
  /* the row divided by factors that cannot vanish, or brought to another shape */
  IC_LINE_SCALE,
  IC_LINE_VALUES,  /* parameter values put in */
  IC_LINE_COMBINE, /* a combination of this row and others with given factors */
  /* balls say that the row vanishes (or does not) at a solution of the others */
  IC_LINE_NUMERIC,
  IC_LINE_END /* the row without unknowns: lhs = rhs is true or false */
} IcLineKind;

typedef struct {
  uint32_t line; /* a SOLVE or BRANCH line whose solution was put in */
  /* row += factor * (row of that line); DAE_NO_TERM when the unknown sat inside a leaf */
  DaeTerm factor;
} IcSub;

typedef struct { /* large systems have hundreds of thousands of them: no gaps */
  uint8_t kind;  /* IcLineKind */
  bool holds;    /* condition */
  uint32_t row;  /* row it belongs to */
  uint32_t base; /* earlier line of the row, or IC_NONE: the premise itself */
  uint32_t n_subs;
  IcSub *subs;
  uint32_t *with; /* COMBINE: other rows' lines; IC_PREMISE_BIT | premise for a bare premise */
  DaeTerm *factors; /* COMBINE: factors of base row, then of with[] */
  uint32_t n_with;
  uint32_t z; /* SOLVE, BRANCH: the unknown; IC_NONE */
  DaeTerm lhs,
      rhs; /* the equation of the line; rhs of a SOLVE line is made on demand: ic_line_rhs */
  /* SOLVE by a coefficient without unknowns: that coefficient; else DAE_NO_TERM */
  DaeTerm pivot;
  uint32_t depth;          /* of the row when the line was written */
  DaeTerm condition;       /* BRANCH: the case that is looked at, or DAE_NO_TERM */
  IcForm *solution;        /* SOLVE, BRANCH: z = solution, in the unknowns of that moment */
  const char *note;        /* static text, or NULL */
  DaeInitNumeric *numeric; /* NUMERIC: what was found where */
} IcLine;

#define IC_PREMISE_BIT 0x80000000u

typedef enum {
  IC_ROW_ACTIVE,
  IC_ROW_PIVOT,
  IC_ROW_ZERO,       /* 0 = 0 for all parameter values */
  IC_ROW_ZERO_GIVEN, /* 0 = 0 for the given values */
  IC_ROW_CONFLICT,
  /* nonlinear, part of a regular square block: determines an unknown without a formula */
  IC_ROW_IMPLICIT,
  /* linear, part of a regular square block that no other row needs: not written out */
  IC_ROW_SQUARE,
  IC_ROW_STUCK /* could not be decided */
} IcRowState;

typedef struct { /* likewise */
  IcForm form;
  GArray *pending; /* IcSub since its line */
  uint32_t premise;
  uint8_t state;       /* IcRowState */
  bool passive;        /* is reduced, never used as a pivot */
  bool is_consequence; /* of other rows: adds nothing to the rank */
  bool takes_unknown;  /* CONFLICT, but would have determined an unknown: no real solution */
  bool is_extra;       /* a consequence or a split part, not a premise by itself */
  uint32_t line;       /* last line, IC_NONE at the beginning */
  /* CONFLICT: at the given values; conditions: the expression in the parameters */
  DaeTerm residual;
  /* ZERO_GIVEN, CONFLICT: what must vanish, in the parameters; DAE_NO_TERM without
   * parameters */
  DaeTerm condition;
  DaeTerm stripped; /* what it was when its factors were last divided out, or DAE_NO_TERM */
  uint32_t version; /* changes with the form: stale heap entries are recognized */
  uint32_t depth;   /* longest chain of solutions behind what the row is now */
} IcRow;

/* Stages that look at single rows when no linear pivot is left. */
typedef enum {
  IC_STAGE_VALUES,
  IC_STAGE_SINGLE, /* rows with one unknown, before rows that are explicit in one of several */
  IC_STAGE_NONLINEAR,
  IC_STAGE_UNIVARIATE,
  IC_STAGE_SWITCH
} IcStage;

#define IC_N_STAGES 5

typedef struct {
  uint64_t key;
  uint32_t row;
  uint32_t version;
} IcCandidate;

typedef struct { /* the chosen alternative of a branch point */
  uint32_t line;
  uint32_t chosen;
  uint32_t n_alternatives;
  bool is_partial; /* there are more: sin(x) = 0 has solutions in every period */
} IcBranch;

typedef struct { /* a coefficient that a split took as nonzero */
  DaeTerm term;
  uint32_t line;
} IcAssumption;

typedef struct { /* a condition that was decided before its unknowns were known */
  DaeTerm condition;
  bool taken;
  uint32_t line;
} IcCondition;

/* Numbers of rows as bits, with a bit for each word of the level below that is not 0. */
enum { IC_SET_LEVELS = 3 };

typedef struct {
  uint64_t *words[IC_SET_LEVELS];
  uint32_t n_words[IC_SET_LEVELS];
} IcRowSet;

typedef struct IcEngine {
  IcSystem *sys;
  GArray *rows;        /* IcRow */
  GPtrArray *lines;    /* IcLine */
  GArray **columns;    /* per unknown: rows that may contain it (uint32_t), NULL if none */
  uint32_t *solved_by; /* per unknown: SOLVE/BRANCH line, or IC_NONE */
  GArray *heap;        /* IcCandidate: linear pivots */
  IcRowSet waiting[IC_N_STAGES]; /* rows that a stage has not looked at yet */
  GArray *facts;                 /* DaeTerm known nonzero */
  GArray *seen;                  /* uint32_t by line: the walk that saw it last */
  uint32_t walk;
  GArray *weight_of_row; /* likewise by row; NULL: never needed */
  const uint32_t *script;
  uint32_t n_script;
  GArray *branches;     /* IcBranch */
  GArray *assumed;      /* IcAssumption */
  bool used_assumption; /* one of them was used to show that a term does not vanish */
  GArray *decided;      /* IcCondition */
  GArray *resultants;   /* DaeTerm: consequences already added */
  GArray *divided;      /* DaeTerm in the parameters: taken as nonzero, beside the pivots */
  bool only_trivial; /* matchings.c: only unknown = constant and unknown = factor * unknown */
  bool out_of_budget;
  bool used_values;    /* some decision needed the given parameter values */
  bool is_numeric;     /* balls decided something */
  uint32_t n_implicit; /* unknowns without a formula, of regular blocks */
  /* those among them of blocks for which no solution was proved to exist */
  uint32_t n_unproved;
  int radius; /* of the balls that solutions of regular blocks were proved in: 10^radius */
  bool no_solution_found; /* a regular block seems to have no real solution */
  bool gave_up;           /* no branch that was tried has a solution, and not all were tried */
  GPtrArray *failed; /* GArray of uint32_t: the scripts of all cases, when all of them fail */
  GArray
      *branch_support; /* premises behind the conflicts of all cases, when all of them fail */
  GHashTable
      *point; /* atom -> double: unknowns of regular blocks, where they are enclosed; or NULL */
  GArray *touched; /* unknowns whose column or solution was set */
  uint32_t n_pivots;
  GArray *square; /* uint32_t, ascending: unknowns of rows that were set aside (square.c) */
  GArray *active; /* uint32_t, increasing: all active rows are among them */
} IcEngine;

IcEngine *ic_engine_new(IcSystem *sys, const uint32_t *script, uint32_t n_script);
void ic_engine_free(IcEngine *engine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(IcEngine, ic_engine_free)
uint32_t ic_engine_add(IcEngine *engine, uint32_t premise, bool passive); /* row number */
uint32_t ic_engine_add_row(IcEngine *engine, uint32_t premise, uint32_t line, DaeTerm residual);
void ic_engine_run(IcEngine *engine);
IcRow *ic_engine_row(const IcEngine *engine, uint32_t r);
IcLine *ic_engine_line(const IcEngine *engine, uint32_t l);
DaeTerm ic_line_rhs(const IcEngine *engine, uint32_t l);
/* For the nonlinear stage. */
uint32_t ic_engine_log(IcEngine *engine, uint32_t r, IcLineKind kind, DaeTerm lhs, DaeTerm rhs);
void ic_engine_touch(IcEngine *engine, uint32_t r); /* form changed: decide or queue it */
bool ic_engine_set_residual(IcEngine *engine, uint32_t r, DaeTerm residual);
/* Solves row r for z = expr (a term in other unknowns) and puts it into all rows. */
void ic_engine_pivot(IcEngine *engine, uint32_t r, uint32_t z, DaeTerm expr, IcLineKind kind,
                     const char *note);
void ic_engine_drain(IcEngine *engine); /* linear pivots until none is left */
bool ic_engine_spent(IcEngine *engine);
void ic_engine_finish_row(IcEngine *engine,
                          uint32_t r); /* no unknowns left: zero, conflict, condition */
uint32_t ic_engine_choose(IcEngine *engine, uint32_t line, uint32_t n, uint32_t preferred);
/* The same where the n alternatives are not all there are. */
uint32_t ic_engine_choose_of_many(IcEngine *engine, uint32_t line, uint32_t n,
                                  uint32_t preferred);
/* t with all solved unknowns replaced, repeatedly. DAE_NO_TERM: undefined. used (may be
 * NULL): lines. */
DaeTerm ic_engine_reduce(IcEngine *engine, DaeTerm t, GArray *used);
/* Premises behind a line (GArray of uint32_t premise numbers, increasing). (transfer full) */
GArray *ic_engine_support(IcEngine *engine, uint32_t line);
/* Begins a walk over premises; does the walk see this one for the first time? */
uint32_t ic_walk_premises(IcSystem *sys);
bool ic_see_premise(IcSystem *sys, uint32_t premise, uint32_t walk);
/* The same for the lines behind it. */
GArray *ic_engine_support_of(IcEngine *engine, const GArray *lines);
/* Lines behind a line, increasing, itself last. (transfer full) */
GArray *ic_engine_lines_behind(IcEngine *engine, uint32_t line);

/* ---- pivots.c: which unknown, and which row first ---------------------------------------- */

/* Kinds of candidates: 0 one unknown, 1 several, all linear; then rows with nonlinear
 * leaves, explicit in an unknown. */
#define IC_KIND_EXPLICIT 2u
#define IC_KIND_SHIFT 60

/* The unknown of the row to solve for, or IC_NONE. */
uint32_t ic_pivot_best(const IcEngine *engine, const IcRow *row);
uint32_t ic_pivot_trivial(const IcEngine *engine, const IcRow *row);
/* Does a coefficient vanish at the given values? Such parts go; false: nothing changed. */
bool ic_pivot_vanishes(IcSystem *sys, const IcForm *form);
bool ic_pivot_put_values(IcEngine *engine, uint32_t r);

/* ---- rows.c ------------------------------------------------------------------------------ */

/* Row r has the unknown z. */
void ic_row_note_column(IcEngine *engine, uint32_t z, uint32_t r);
/* The row divides by zero: a conflict, unless a branch may avoid it. */
void ic_row_set_undefined(IcEngine *engine, uint32_t r);

/* ---- components: active rows that share unknowns (block.c) ------------------------------- */

typedef struct {
  GArray *rows;     /* uint32_t: active, may be pivots */
  GArray *passive;  /* uint32_t */
  GArray *unknowns; /* uint32_t, increasing */
} IcComponent;

GPtrArray *ic_find_components(IcEngine *engine); /* IcComponent */
bool ic_is_small_component(IcEngine *engine, const IcComponent *component);
DaeTerm ic_row_term(IcEngine *engine, uint32_t r);
GArray *ic_rows_without(const GArray *rows, uint32_t without);
/* Logs  result = factors[0] * row r + sum factors[i] * others[i]  as a line of row r. */
void ic_log_combination(IcEngine *engine, uint32_t r, const GArray *others,
                        const DaeTerm *factors, DaeTerm result);
/* Row r follows from the others: they reduce it to zero. */
bool ic_end_by_membership(IcEngine *engine, uint32_t r, const GArray *rows);
/* ---- queue.c: which row next ------------------------------------------------------------- */

void ic_heap_push(GArray *heap, IcCandidate item);
IcCandidate ic_heap_pop(GArray *heap);
void ic_set_add(IcRowSet *set, uint32_t r);
uint32_t ic_set_take_first(IcRowSet *set); /* the smallest, which leaves the set; IC_NONE */
void ic_set_clear(IcRowSet *set);
void ic_queue_row(IcEngine *engine, uint32_t r); /* the row changed: every stage looks again */
/* The active row with the smallest number that the stage has not looked at; IC_NONE:
 * none, or the budget is spent. */
uint32_t ic_queue_next(IcEngine *engine, IcStage stage);

/* The active rows, increasing (uint32_t); valid until rows change. */
const GArray *ic_queue_active(IcEngine *engine);

/* ---- nonlinear.c, univariate.c, block.c -------------------------------------------------- */

/* One pass over the rows that no linear pivot can solve. true: something
 * changed, run linear pivots again. */
bool ic_nonlinear_step(IcEngine *engine);
bool ic_univariate_step(IcEngine *engine);
/* roots.c. Coefficients of t as a polynomial in x, by derivatives at 0; the degree, or -1. c
 * has IC_MAX_DEGREE + 1 places. */
#define IC_MAX_DEGREE 12
int ic_polynomial_coefficients(IcSystem *sys, DaeTerm t, DaeTerm x, DaeTerm *c);
/* A polynomial in one unknown with rational coefficients that vanishes for no real value. */
bool ic_has_no_real_zero(IcSystem *sys, DaeTerm t);
bool ic_single_step(IcEngine *engine);             /* both, for rows with one unknown only */
bool ic_look_at_row(IcEngine *engine, uint32_t r); /* nonlinear.c, one row */
/* periods.c: the rows that are left do not tell x and x + 2*pi apart (x is unknown z); the
 * angle is x or -x plus something. */
bool ic_one_period_is_enough(IcEngine *engine, uint32_t z, DaeTerm angle);
bool ic_switch_step(IcEngine *engine); /* switch.c: conditions on unknowns */
/* Truth of the condition with all solutions put in: 1, 0, or -1 where it is open. used (may
 * be NULL): lines. is_numeric: by the enclosed values of unknowns without a formula, which
 * may not be the only ones. */
int ic_switch_truth(IcEngine *engine, DaeTerm condition, GArray *used, bool *is_numeric);
bool ic_block_step(IcEngine *engine); /* polynomial elimination, membership, splits */
/* settle.c: what is left is a regular block, or decided in balls, or stuck. */
void ic_block_settle(IcEngine *engine);
/* A row without unknowns that no exact method decides: zero to hundreds of digits. */
bool ic_settle_constant(IcEngine *engine, uint32_t r, DaeTerm residual);
bool ic_resultant_step(IcEngine *engine, const GArray *rows);
/* A part of a premise, outside of branches, that has no value at the solution; DAE_NO_TERM: none
 * (defined.c). */
DaeTerm ic_undefined_at_solution(IcEngine *engine, uint32_t *premise_of);
/* A root, logarithm, asin or acos of a real number outside of its domain, whatever is chosen:
 * its argument, with the solutions of `lines` (overwritten) put in, is proved to be there.
 * DAE_NO_TERM: none is known (defined.c). */
DaeTerm ic_outside_domain(IcEngine *engine, uint32_t *premise, GArray *lines);
/* Two polynomials in two unknowns, of odd degrees, whose terms of highest degree vanish together
 * only at 0 (their resultant has no zeros): far away the map turns like an odd one, so it takes
 * every value, by Borsuk's theorem [Borsuk33], whatever the other coefficients are. */
bool ic_odd_forms_meet(IcSystem *sys, const DaeTerm *f, const DaeTerm *x);
/* The resultant of two polynomials in y, one of which has a leading coefficient without unknowns
 * that is never 0: no common zero goes to infinity. DAE_NO_TERM: they are not of that kind. */
DaeTerm ic_eliminated(IcSystem *sys, const DaeTerm *f, DaeTerm y);
/* A further row: a consequence of row r and others (block.c). It never
 * counts as an equation of its own. */
void ic_engine_add_consequence(IcEngine *engine, uint32_t r, const GArray *others,
                               DaeTerm residual);

/* range.c: where the values of a term lie. is_empty: it has none; is_partial: it may have none
 * somewhere. */
typedef struct {
  double low, high;
  bool is_empty, is_partial;
} IcRange;

IcRange ic_range_sum(IcRange a, IcRange b);
IcRange ic_range_product(IcRange a, IcRange b);
/* With the atom in the box, the others anywhere. */
IcRange ic_range_in_box(IcSystem *sys, DaeTerm t, DaeTerm atom, IcRange box);
/* t has no real zero, whatever the unknowns are. */
bool ic_range_excludes_zero(IcSystem *sys, DaeTerm t);
/* line.c: t, in which no other unknown occurs, vanishes for no real value of the atom. */
bool ic_line_excludes_zero(IcSystem *sys, DaeTerm t, DaeTerm atom);
/* nonlinear.c: the row is left as what it is, 0 or never 0. */
void ic_end_row(IcEngine *engine, uint32_t r, IcRowState state, DaeTerm residual);
/* numeric.c: floating point, to find points. Borrows rows and unknowns. */
typedef struct IcSearch IcSearch;
IcSearch *ic_search_new(IcEngine *engine, const GArray *rows, const GArray *unknowns);
void ic_search_free(IcSearch *search);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(IcSearch, ic_search_free)
uint32_t ic_search_n_starts(const IcSearch *search); /* start 0 are the guesses */
/* Least relative residual of all rows that is found from a start (INFINITY: outside the
 * domain); x: the point. Large blocks stay at the start. */
double ic_search_from(IcSearch *search, uint32_t start, double *x);
DaeTerm ic_search_residual(const IcSearch *search, uint32_t i); /* parameters at their values */
/* Which rows are independent at x, earlier ones first: column[i] is the unknown that row i
 * determines, or IC_NONE. The rank; 0 outside of the domain. */
uint32_t ic_search_basis(IcSearch *search, const double *x, uint32_t *column);
bool ic_is_small(IcSystem *sys, DaeTerm t); /* short enough for factors and resultants */
bool ic_known_nonzero(IcEngine *engine, DaeTerm t);
/* t, without unknowns, is taken as nonzero */
void ic_note_divided(IcEngine *engine, DaeTerm t);

/* ---- decide.c ---------------------------------------------------------------------------- */

/* Runs with backtracking over branch points. rows/passive: premise numbers. */
IcEngine *ic_decide(IcSystem *sys, const GArray *premises, const GArray *passive);
/* Is a choice among several behind the line? */
bool ic_hangs_on_branch(IcEngine *engine, uint32_t line);

/* Why a run has no solution: a row in conflict; or a condition that was taken one way (a
 * coefficient that was taken as nonzero) and turns out the other way; or a discrete unknown
 * whose value is none of its type; or an argument outside of the domain of its function. */
typedef struct {
  uint32_t row; /* IC_NONE: one of the others */
  DaeTerm condition;
  bool holds; /* how it was taken */
  uint32_t z; /* the discrete unknown, or IC_NONE */
  /* a part of this premise has no value there; IC_NONE, DAE_NO_TERM: one of the others */
  uint32_t premise;
  DaeTerm part;
  GArray *lines; /* uint32_t: the solutions that were put in */
  GArray *blame; /* uint32_t: branch points, increasing */
  bool is_open;  /* by numbers only: other solutions are not excluded */
} IcFailure;

void ic_failure_free(IcFailure *failure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(IcFailure, ic_failure_free)
/* NULL: the run did not fail, or nothing could have been chosen otherwise. */
IcFailure *ic_find_failure(IcEngine *engine);
/* One run with these choices; the script stays the caller's. */
IcEngine *ic_run_script(IcSystem *sys, const GArray *premises, const GArray *passive,
                        const GArray *script);
/* types.c: a discrete unknown whose value is not one of its type, or IC_NONE; lines: what
 * the value comes from. */
uint32_t ic_type_failure(IcEngine *engine, GArray *lines);
void ic_list_discrete(IcSystem *sys); /* fills sys->discrete */
/* The same where the values are known in numbers only: what to say; NULL: all fit. */
char *ic_value_beside_its_type(DaeTerms *terms, const DaeModel *model, const DaeInit *init,
                               const DaeInitialProblem *problem);

/* ---- conflict.c -------------------------------------------------------------------------- */

/* shorten.c: a smaller conflict near the premises of this one takes its place, if there is
 * one. */
void ic_conflict_shorten(IcSystem *sys, GArray *premises);
const GPtrArray *ic_premises_by_unknown(IcSystem *sys); /* GArrays of uint32_t */
/* The shortest conflict near the premises among those with one or two unknowns and numbers for
 * coefficients (walks.c); empty: none is shorter. (transfer full): uint32_t */
GArray *ic_shortest_walk(IcSystem *sys, const GArray *premises);
/* A minimal subset of premises (in place) that is still in conflict. (transfer full) the
 * engine of the last run: ic_is_conflict says whether the premises alone are in conflict at
 * all. */
IcEngine *ic_conflict_minimize(IcSystem *sys, GArray *premises);
/* Drops the premises whose multiplier in the (linear) combination behind the line is 0.
 * false: not linear. */
bool ic_drop_unused(IcEngine *engine, uint32_t line, GArray *premises);
/* Premises behind a line, without those where that is known. (transfer full) */
GArray *ic_used_premises(IcEngine *engine, uint32_t line);
/* First row in conflict whatever is chosen, or IC_NONE. */
uint32_t ic_conflict_row(IcEngine *engine);
bool ic_is_conflict(IcEngine *engine); /* such a row, or all cases fail */

/* ---- scope.c ------------------------------------------------------------------------------ */

/* Does what was found without the values of the parameters hold for all of them, a real
 * solution included? assumptions: DaeTerm that must not vanish for that; cleared where it
 * does not hold. */
bool ic_holds_for_all(IcEngine *engine, GArray *assumptions);

/* exists.c: have these rows (DaeTerm, regular where the search was) a real solution for all
 * values of the parameters? */
bool ic_exist_for_all(IcSystem *sys, const GArray *rows);

/* ---- prove.c: lines to steps ------------------------------------------------------------- */

/* The steps behind the END line of a row; the last one is the identity (or contradiction) that
 * a reader checks. (transfer full): n_steps DaeInitStep, free with dae_proof_steps_free. */
DaeInitStep *ic_prove(IcEngine *engine, uint32_t r, uint32_t *n_steps);
/* All cases of the engine fail: each with its chain, then the step that says that these were
 * all. */
DaeInitStep *ic_prove_cases(IcEngine *engine, const GArray *premises, uint32_t *n_steps);

/* ---- result ------------------------------------------------------------------------------ */

struct DaeInit {
  DaeInitVerdict verdict;
  bool is_numeric, holds_for_all;
  int64_t potential_states, dof;
  uint32_t n_free_parameters, n_discrete_starts; /* the latter are some of the former */
  uint32_t n_initial, missing;
  bool is_undefined; /* the values that were found are outside of the domain of a function */
  uint32_t n_implicit, n_existence_open;
  int radius;
  GArray *redundant;    /* DaeInitRedundant */
  GArray *conflicts;    /* DaeInitConflict */
  GArray *undetermined; /* DaeTerm */
  GArray *suggested;
  GArray *conditions;
  GArray *assumptions;                          /* DaeTerm */
  GArray *within;                               /* DaeTerm */
  GArray *matchings;                            /* DaeInitMatching */
  uint32_t reduced_unknowns, reduced_equations; /* of --all-matchings */
  GString *dot;
  char *why;
  GHashTable *values; /* atom -> double, or NULL */
};

/* ---- contradictions.c --------------------------------------------------------------------- */

/* r: the row in conflict; IC_NONE: all cases of the run fail. all: the premises of the run.
 * Adds it to the result; false: no minimal set is known. */
bool ic_conflict_record(DaeInit *init, IcEngine *engine, uint32_t r, const GArray *all);
gint ic_conflict_compare(gconstpointer a, gconstpointer b); /* DaeInitConflict */
void ic_conflict_free(gpointer data);

/* square.c: sets rows aside that decide nothing; later, values of their unknowns from those
 * of the others. */
typedef bool (*IcNumber)(void *user, DaeTerm t, double *value);
void ic_set_square_aside(IcEngine *engine);
void ic_square_values(IcEngine *engine, IcNumber number, void *user, double *value,
                      bool *is_known);
/* values.c: numbers for all unknowns that have some. The line of a solution that has none at the
 * given parameters, log(-4) or 1/0; or IC_NONE. */
uint32_t ic_record_values(IcEngine *engine, DaeInit *init);
void ic_note_point(IcEngine *engine, DaeTerm atom, double value);
/* whole.c: as many premises as unknowns have a regular solution; the result says so then. */
bool ic_prove_as_a_whole(IcSystem *sys, DaeInit *init);
/* missing.c: fills undetermined and suggested. */
void ic_find_undetermined(IcEngine *engine, DaeInit *init);

typedef struct {
  const GArray *candidates;       /* uint32_t: unknowns, best first */
  uint32_t n_preferred, n_states; /* the first ones have start values, are potential states */
  uint32_t wanted;
  const bool *depends; /* per unknown: its value is not determined */
} IcChoices;

/* choose.c: as many candidates as wanted that together fix everything near the start values;
 * fewer where that is not found. (transfer full): uint32_t. */
GArray *ic_choose_conditions(IcEngine *engine, const IcChoices *choices);
/* missing.c: by unknown, whether its value depends on one that is free. (transfer full) */
bool *ic_find_open_unknowns(IcEngine *engine, uint32_t missing);
/* choose.c: an equation of the model (a premise) whose row of the Sigma-Jacobian, at the values
 * that were found, follows from others, in floating point; IC_NONE: the equations are regular
 * there. */
uint32_t ic_dependent_equation(IcEngine *engine, const DaeInit *init);
/* The same of all slopes of all premises but those that are left out. */
uint32_t ic_dependent_premise(IcEngine *engine, const DaeInit *init, const bool *is_dropped);
/* The same with several numbers for what was not found: it is dependent whatever these are. */
uint32_t ic_always_dependent_equation(IcEngine *engine, const DaeInit *init);
/* doubts.c: looks at a verdict again, at the point that was found. */
void ic_doubt_verdict(IcEngine *engine, DaeInit *init, const bool *is_dropped,
                      bool has_surplus);
/* switch.c: conditions of switches on unknowns in t are appended; t with every switch on this
 * condition replaced by the branch taken. */
void ic_switch_conditions(IcSystem *sys, DaeTerm t, GArray *conditions);
DaeTerm ic_follow_branch(IcSystem *sys, DaeTerm t, DaeTerm condition, bool taken);
/* edges.c: a condition at whose edge the point found lies, while another branch that meets there is
 * not regular in it; DAE_NO_TERM: there is none. is_dropped: by premise, not needed. */
DaeTerm ic_loose_edge(IcEngine *engine, const DaeInit *init, const bool *is_dropped);
void ic_find_matchings(IcSystem *sys, DaeInit *init); /* matchings.c: --all-matchings */
void ic_write_graph(IcSystem *sys, GString *out);     /* graph.c: Graphviz text */

/* ---- check.c ------------------------------------------------------------------------------ */

/* The facts of a problem, no verdict yet. */
DaeInit *ic_result_new(const IcSystem *sys);
/* One search. NULL: the parameters made it too long; again with their values. */
DaeInit *ic_search(DaeAlgebra *algebra, const DaeSig *sig, const DaeInitOptions *options,
                   bool at_given_values);

/* ---- near.c ------------------------------------------------------------------------------- */

typedef struct IcNear IcNear;

IcNear *ic_near_new(IcSystem *sys);
void ic_near_free(IcNear *near); /* NULL is fine */
/* Premise e and the nearest of those before it, at most so many in all; increasing.
 * (transfer full) */
GArray *ic_near_premises(IcNear *near, uint32_t e, uint32_t most);

/* ---- taken.c ------------------------------------------------------------------------------- */

/* The sign at the given parameter values; what other values may change is noted. false: not
 * known. */
bool ic_sign_at_values(IcEngine *engine, DaeTerm t, int *sign);
/* Is there a real argument at which asin, acos, atan or tanh is v, at the given parameter values?
 * false: not known. */
bool ic_takes_value(IcEngine *engine, DaeFunction function, DaeTerm v, bool *is_taken);

/* ---- written.c ----------------------------------------------------------------------------- */

/* A premise that has no value where the unknowns are as found, in_time_only: of those with time;
 * IC_NONE: all have one, or it is not known. */
uint32_t ic_undefined_as_written(IcSystem *sys, const DaeInit *init, bool in_time_only);

#endif
