/* A scalar model of exact terms: what the reader (reader/reader.h) makes of a text, and what repair
 * and reduction make of a model.
 *
 * A DaeModel is immutable. Everything is scalar: arrays are expanded to names x[1], A[2,3];
 * for-equations and array equations to scalars; der() of an expression is differentiated
 * exactly; der(der(x)) is order 2. Parameters stay symbols (PARAMETER terms); constants are
 * folded. Top-level inputs are replaced by their expressions in time.
 * homotopy/smooth/noEvent stay as calls.
 *
 * Numbering (contract): equations from 0: equation sections in text order, then the
 * declaration equations of variables in declaration order. Initial equations: sections, then
 * `fixed = true` starts as declared. */
#ifndef DAE_MODEL_MODEL_H
#define DAE_MODEL_MODEL_H

#include "base/base.h"
#include "terms/terms.h"
#include "terms/text.h"

G_BEGIN_DECLS

typedef struct DaeModel DaeModel;

typedef enum {
  DAE_TYPE_REAL,
  DAE_TYPE_INTEGER,
  DAE_TYPE_BOOLEAN,
  DAE_TYPE_STRING,
  DAE_TYPE_ENUMERATION
} DaeType;

typedef struct {
  DaeSymbol symbol; /* of kind VARIABLE */
  DaeType type;
  bool is_output;
  bool is_protected;
  DaeTerm start;             /* DAE_NO_TERM if absent; an expression in parameters */
  bool fixed;                /* fixed = true */
  DaeTerm min, max, nominal; /* DAE_NO_TERM if absent */
  const char *unit, *display_unit, *quantity, *description; /* NULL if absent */
  int state_select; /* -2 never, -1 avoid, 0 default, 1 prefer, 2 always */
  DaeSpan span;
  bool is_auxiliary; /* made for a when-statement ('$when1'): not among the results */
  /* of the modifier that fixes the start; in a flat text that of the declaration */
  DaeSpan start_span;
  /* changes at events only: Boolean, Integer, enumeration, discrete,
   * or assigned in a when-clause */
  bool is_discrete;
  /* what a repair or a completion introduced it for; DAE_NO_TERM: none of theirs */
  DaeTerm meaning;
} DaeVariable;

typedef struct {
  DaeSymbol symbol; /* of kind PARAMETER */
  DaeType type;
  DaeTerm value; /* expression in other parameters; DAE_NO_TERM if none was given */
  bool is_constant;
  bool is_protected;
  bool is_free;     /* fixed = false: an unknown of the initialization */
  bool is_variable; /* declared as one, of a value that cannot change: Integer n = 3 */
  /* v or pre(v) of a discrete variable at the start (room hybrid), no parameter of the user's */
  bool is_discrete_start;
  /* Its value decided sizes, subscripts or branches: another value needs another reading. */
  bool is_structural;
  bool has_hidden_units; /* constants with units stand as numbers in its value */
  DaeTerm start;         /* guess of a free parameter, or DAE_NO_TERM */
  DaeTerm min, max, nominal;
  const char *unit, *description;
  const char *string_value; /* String parameters */
  DaeSpan span;
} DaeParameter;

typedef enum { DAE_FROM_SECTION, DAE_FROM_DECLARATION, DAE_FROM_FIXED_START } DaeEquationOrigin;

typedef struct {
  DaeTerm lhs, rhs; /* lhs = rhs; residual is lhs - rhs */
  DaeEquationOrigin origin;
  DaeSpan span;
  bool is_discrete;      /* its sides are Boolean, Integer or of an enumeration */
  bool is_connection;    /* made by connects; span is that of one of them */
  bool has_hidden_units; /* constants with units stand as numbers in it */
  /* what it was written with and does not depend on (y in z = 0*y): counts for its clock;
   * DAE_NO_TERM: nothing */
  DaeTerm vanished;
  /* number of the component whose class has it (dae_model_instance); 0: the model itself */
  uint32_t instance;
} DaeEquation;

typedef struct {
  DaeTerm condition;
  const char *message;
  bool is_warning; /* AssertionLevel.warning */
  /* while the model is read (reader/when_late.c): of an initial section; in place of terminate() */
  bool is_initial, is_terminate;
  DaeSpan span;
} DaeAssertion;

/* A top-level input, element by element. */
typedef struct {
  const char *name;
  /* A PARAMETER symbol of variability INPUT in the equations; otherwise its expression in time
   * is there, or its start value. */
  bool is_symbol;
  bool is_real;
  DaeSymbol symbol;
  DaeTerm value; /* what stands for it in the equations; DAE_NO_TERM: it has no value */
  DaeTerm held;  /* a symbol: the value it has while it is given no other */
  DaeType type;
  const char *unit; /* NULL if absent */
  DaeSpan span;
} DaeInput;

/* How often each input is needed differentiated (pipeline.h). */
typedef struct {
  uint32_t n;
  uint32_t *orders; /* by input; NULL: not known */
  char *unknown;    /* why */
} DaeInputNeeds;

/* ---- what events change (docs/events.md) ---- */

typedef enum {
  DAE_ATOM_PRE,      /* pre(of) */
  DAE_ATOM_SAMPLE,   /* sample(start, interval): 1 during its instants, else 0 */
  DAE_ATOM_INITIAL,  /* initial() */
  DAE_ATOM_TERMINAL, /* terminal() */
  DAE_ATOM_DELAY,    /* delay(of, interval, most) */
  DAE_ATOM_TRANSPORT /* an end of spatialDistribution(of, of, interval, ...) */
} DaeEventAtomKind;

/* a value that is given between events; in terms a PARAMETER that prints as it was written */
typedef struct {
  DaeEventAtomKind kind;
  DaeSymbol symbol;
  DaeTerm
      of; /* PRE: the variable; DELAY: the expression; TRANSPORT: what flows in at this end */
  /* SAMPLE; DELAY: interval is the delay; start the longest one where it varies, else
   * DAE_NO_TERM. TRANSPORT: interval is the way x */
  DaeTerm start, interval;
  /* TRANSPORT: the right end, the one at 1; where its initial points begin among the terms of
   * profiles, followed by their values. Both ends of a pipe have the same ones. */
  bool is_right;
  uint32_t profile, n_points;
  DaeSpan span;
} DaeEventAtom;

typedef enum {
  DAE_ACTION_ASSIGN,
  DAE_ACTION_REINIT,
  DAE_ACTION_TERMINATE,
  DAE_ACTION_ASSERT
} DaeActionKind;

typedef enum { /* what an action does to files; `text` is its message with the values of the event */
               DAE_FILE_PRINT, /* appends the text as a line */
               DAE_FILE_MATRIX, /* writes a matrix: "VERSION APPEND ROWS COLUMNS VALUES NAME", row by row */
               DAE_FILE_MKDIR,
               DAE_FILE_RMDIR,
               DAE_FILE_REMOVE,
               DAE_FILE_RENAME, /* to the text */
               DAE_FILE_COPY    /* to the text */
} DaeFileAct;

typedef struct { /* one line of a when-clause */
  DaeActionKind kind;
  DaeTerm condition; /* of the if-equations around it; DAE_NO_TERM: none */
  /* ASSIGN, REINIT: variable and its new value; ASSERT: value is the condition */
  DaeTerm target, value;
  const char *message; /* TERMINATE, ASSERT */
  bool is_warning;     /* ASSERT */
  /* ASSERT with the value false: the message is what print() says, to this file, or to nowhere but
   * the user where it is empty; NULL: it is an assertion */
  const char *print_to;
  DaeFileAct file_act; /* with a file in print_to: what is done with it */
  DaeSpan span;
} DaeAction;

typedef struct {             /* when or elsewhen */
  const DaeTerm *conditions; /* it is active when one of them becomes true */
  uint32_t n_conditions;
  /* initial() is one of them: active during the initialization */
  bool is_initial;
  const DaeAction *actions;
  uint32_t n_actions;
  DaeSpan span;
} DaeWhenBranch;

typedef struct {
  const DaeWhenBranch *branches; /* the first active one counts */
  uint32_t n_branches;
  DaeSpan span;
} DaeWhen;

/* ---- clocks (docs/clocks.md) ---- */

typedef enum {
  DAE_CLOCK_INFERRED, /* Clock() */
  DAE_CLOCK_INTERVAL, /* Clock(interval), Clock(intervalCounter, resolution): always the same */
  /* the same with a clocked variable: it tells the next interval at each tick */
  DAE_CLOCK_VARYING,
  DAE_CLOCK_EVENT,  /* Clock(condition, startInterval) */
  DAE_CLOCK_SOLVER, /* Clock(c, solverMethod) */
  DAE_CLOCK_SUB,    /* subSample, superSample, shiftSample, backSample of a clock */
  DAE_CLOCK_SUPER,
  DAE_CLOCK_SHIFT,
  DAE_CLOCK_BACK
} DaeClockKind;

typedef struct {
  DaeClockKind kind;
  DaeTerm term; /* the PARAMETER that stands for it */
  /* SOLVER, SUB ...: the other clock; EVENT: the condition as a number; VARYING: the variable */
  DaeTerm of;
  DaeTerm interval;            /* INTERVAL: a NUMBER, in seconds; EVENT: startInterval */
  int64_t counter, resolution; /* factor; shiftCounter, backCounter; VARYING: resolution */
  const char *method;          /* SOLVER */
  DaeSpan span;
} DaeClockDefinition;

typedef struct { /* two names of one clock */
  DaeTerm lhs, rhs;
  DaeSpan span;
} DaeClockEquation;

/* a clocked when-clause: equations first ... first + n - 1 of the model are on its clock */
typedef struct {
  DaeTerm clock;
  uint32_t first, n;
  DaeSpan span;
} DaeClockedWhen;

typedef enum {
  DAE_CLOCKED_PREVIOUS,
  DAE_CLOCKED_HOLD,
  DAE_CLOCKED_SAMPLE,
  DAE_CLOCKED_SUB,
  DAE_CLOCKED_SUPER,
  DAE_CLOCKED_SHIFT,
  DAE_CLOCKED_BACK,
  DAE_CLOCKED_NO_CLOCK,
  DAE_CLOCKED_INTERVAL,
  DAE_CLOCKED_FIRST_TICK
} DaeClockedKind;

/* a value of a clocked operator; in terms a PARAMETER that prints as it was written */
typedef struct {
  DaeClockedKind kind;
  DaeSymbol symbol;
  DaeType type;
  /* PREVIOUS, HOLD: a variable; INTERVAL, FIRST_TICK: may be DAE_NO_TERM; Booleans as numbers */
  DaeTerm of;
  DaeTerm clock;               /* SAMPLE; DAE_NO_TERM: inferred */
  int64_t counter, resolution; /* factor (0: inferred); shiftCounter, backCounter */
  DaeSpan span;
} DaeClockedAtom;

/* What an annotation of a function claims (reader/claims.c). */
typedef struct {
  DaeTerm atom;
  DaeTerm min, max; /* numbers, or DAE_NO_TERM */
  bool is_constant; /* smoothOrder says nothing of it: normallyConstant */
} DaeClaimAtom;

typedef enum { DAE_CLAIM_DERIVATIVE, DAE_CLAIM_INVERSE, DAE_CLAIM_SMOOTH } DaeClaimKind;

typedef struct {
  DaeClaimKind kind;
  const char *function;
  const char *other;       /* DERIVATIVE: that function; INVERSE: the argument */
  DaeTerm claimed, actual; /* equal; SMOOTH: actual alone, differentiable `order` times */
  uint32_t order;
  DaeTerm domain;      /* condition under which the functions are defined: their assertions */
  const char *why_not; /* NULL: it can be checked */
  uint32_t first_atom, n_atoms;
  DaeSpan span;
} DaeClaim;

typedef struct { /* experiment annotation; NAN where absent */
  double start, stop, tolerance, interval;
} DaeExperiment;

void dae_model_free(DaeModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeModel, dae_model_free)

const char *dae_model_name(const DaeModel *model);
const char *dae_model_file(const DaeModel *model);
/* The file of a place: that of the library's text where it lies there. */
const char *dae_model_file_of(const DaeModel *model, DaeSpan span);
const char *dae_model_description(const DaeModel *model); /* may be NULL */
uint32_t dae_model_n_variables(const DaeModel *model);
const DaeVariable *dae_model_variable(const DaeModel *model, uint32_t j);
bool dae_model_find_variable(const DaeModel *model, DaeSymbol symbol, uint32_t *j); /* O(1) */
uint32_t dae_model_n_parameters(const DaeModel *model);
const DaeParameter *dae_model_parameter(const DaeModel *model, uint32_t k);
bool dae_model_find_parameter(const DaeModel *model, DaeSymbol symbol, uint32_t *k);
uint32_t dae_model_n_equations(const DaeModel *model);
const DaeEquation *dae_model_equation(const DaeModel *model, uint32_t i);
uint32_t dae_model_n_initial_equations(const DaeModel *model); /* sections, then fixed starts */
const DaeEquation *dae_model_initial_equation(const DaeModel *model, uint32_t i);
uint32_t dae_model_n_assertions(const DaeModel *model);
const DaeAssertion *dae_model_assertion(const DaeModel *model, uint32_t i);
uint32_t dae_model_n_inputs(const DaeModel *model);
const DaeInput *dae_model_input(const DaeModel *model, uint32_t i);
bool dae_model_has_input(const DaeModel *model, const char *name);
const DaeExperiment *dae_model_experiment(const DaeModel *model);
uint32_t dae_model_n_event_atoms(const DaeModel *model);
/* n_points points of [0, 1], then n_points values. */
const DaeTerm *dae_model_profile(const DaeModel *model, const DaeEventAtom *atom);
const DaeEventAtom *dae_model_event_atom(const DaeModel *model, uint32_t i);
/* Clock variables are no variables of the model: they occur here only. */
uint32_t dae_model_n_clocks(const DaeModel *model);
const DaeClockDefinition *dae_model_clock(const DaeModel *model, uint32_t i);
uint32_t dae_model_n_clock_equations(const DaeModel *model);
const DaeClockEquation *dae_model_clock_equation(const DaeModel *model, uint32_t i);
uint32_t dae_model_n_clocked_whens(const DaeModel *model);
const DaeClockedWhen *dae_model_clocked_when(const DaeModel *model, uint32_t i);
uint32_t dae_model_n_clocked_atoms(const DaeModel *model);
const DaeClockedAtom *dae_model_clocked_atom(const DaeModel *model, uint32_t i);
/* A warning for each equation whose sides or terms have different units; their number. */
uint32_t dae_model_check_units(const DaeModel *model, DaeTerms *terms,
                               const DaeReporter *reporter);
/* Only with check_annotations; *atoms: arguments that the terms are functions of. */
uint32_t dae_model_n_claims(const DaeModel *model);
const DaeClaim *dae_model_claim(const DaeModel *model, uint32_t i, const DaeClaimAtom **atoms);
uint32_t dae_model_n_whens(const DaeModel *model);
const DaeWhen *dae_model_when(const DaeModel *model, uint32_t i);

/* Components whose class is a model or block, in the order of the tree; 0 is the model
 * itself. None for a flat text. */
typedef struct {
  const char *name; /* "": the model itself */
  const char *class_name;
  DaeSpan span; /* of its declaration */
} DaeModelInstance;

uint32_t dae_model_n_instances(const DaeModel *model);
const DaeModelInstance *dae_model_instance(const DaeModel *model, uint32_t k);

/* Equations against unknowns of a component [MLS, section 4.8]: each flow variable of its
 * connectors and each connected input has its equation from outside, each flow and output that
 * is connected inside has one from there. */
typedef struct {
  uint32_t instance;
  uint32_t n_unknowns, n_equations, n_from_connections;
  int64_t missing; /* never 0; negative: too many */
} DaeBalance;

/* The components out of balance, (transfer full), of DaeBalance. Such as have overconstrained
 * connectors are left out: their balance is not their own. */
GArray *dae_model_balance(const DaeModel *model, DaeTerms *terms);
/* Inputs of components to which nothing is connected and that no declaration gives a value,
 * (transfer full), uint32_t: variables. */
GArray *dae_model_unconnected_inputs(const DaeModel *model, DaeTerms *terms);
/* These equations depend on each other. If all they speak of is flows, and connections are among
 * them, then flows balance in every component and connection of a part of the model, and nothing
 * there sets the level of the potentials: a sentence that says so and names the connectors,
 * (transfer full); else NULL. */
char *dae_model_floating_hint(const DaeModel *model, DaeTerms *terms, const uint32_t *equations,
                              uint32_t n);

typedef struct { /* variables and equations of a model, by number */
  const uint32_t *variables;
  uint32_t n;
  const uint32_t *equations;
  uint32_t n_equations;
} DaeModelPart;

/* A structurally singular model: its over- and its under-determined part. If
 * the one speaks of potentials and the other of flows, or the other way round, components fix the
 * same thing twice and leave its counterpart open: what says so and names these components,
 * (transfer full); else NULL. */
char *dae_model_exchange_hint(const DaeModel *written, const DaeModel *model, DaeTerms *terms,
                              const DaeModelPart *over, const DaeModelPart *under);
/* Is it the balance of a flow to which nothing is connected? */
bool dae_model_is_open_end(const DaeTerms *terms, const DaeEquation *equation);

/* "component j, line 22": the component that has the variable or parameter of this name
 * (transfer full); NULL: the model itself. */
char *dae_model_owner_text(const DaeModel *model, const char *name);
/* Of the factors those that are 0 for the given values of the parameters, with the components
 * whose parameters they are and their places, as text (transfer full); NULL: none is. */
char *dae_model_zero_factors(const DaeModel *model, DaeTerms *terms, const DaeTerm *factors,
                             uint32_t n);

/* Closed value of a parameter: its expression with all parameters replaced by their values,
 * rewritten (a NUMBER where that is possible; free parameters stay). DAE_NO_TERM: no value (the
 * caller reports it), or free. Memoized. */
DaeTerm dae_model_parameter_value(const DaeModel *model, DaeTerms *terms, uint32_t k);
/* t with all parameters (except free ones) replaced by their closed values. A fresh substitution
 * object with these replacements; (transfer full). Parameters without value stay symbols. */
DaeSubst *dae_model_parameter_subst(const DaeModel *model, DaeTerms *terms);

/* The equation as the user wrote it, and its number there (in, out): the same unless the model
 * was made from another one by leaving equations out (DaeModelParts.written). */
const DaeEquation *dae_model_written_equation(const DaeModel *model, uint32_t *i);
const DaeEquation *dae_model_written_initial_equation(const DaeModel *model, uint32_t i);
/* The condition that a number which is 0 or 1 stands for: Booleans are such numbers inside. */
DaeTerm dae_truth_of_number(DaeTerms *terms, DaeTerm t);
/* Text of an equation, "lhs = rhs". */
void dae_model_print_equation(DaeTerms *terms, const DaeEquation *equation, GString *out);
void dae_model_print_equation_styled(DaeTerms *terms, const DaeEquation *equation,
                                     DaePrintStyle style, GString *out);
/* `daetool show`: flat Modelica that reads back to the same bytes. evaluate: parameters folded. */
void dae_model_print(const DaeModel *model, DaeTerms *terms, bool evaluate, GString *out);

/* Terms that are written as functions with a local variable for each part that is used several
 * times, since their text would be large. */
typedef struct {
  GString *functions; /* their texts */
  uint32_t n;
} DaeSharedTerms;

/* The term as Modelica: its text, or a call of a function that is added to `shared`. */
void dae_print_shared(DaeTerms *terms, DaeTerm t, DaeSharedTerms *shared, GString *out);

/* Programmatic construction for stages that make new models (repair, reduce) and
 * for tests. Copies everything. */
typedef struct {
  const char *name;
  const DaeVariable *variables;
  uint32_t n_variables;
  const DaeParameter *parameters;
  uint32_t n_parameters;
  const DaeEquation *equations;
  uint32_t n_equations;
  const DaeEquation *initial_equations;
  uint32_t n_initial_equations;
  /* file, experiment, description, assertions are taken from it; may be NULL */
  const DaeModel *like;
  const DaeAssertion *assertions; /* NULL: those of `like` */
  uint32_t n_assertions;
  /* pre, sample, when-clauses of `like`, which must then outlive the model, are taken too */
  bool takes_events;
  DaeSubst *replaced;      /* applied to those; NULL: nothing */
  const uint32_t *written; /* n_equations: numbers of these equations in `like`, which must then
                              outlive the model; NULL: they have no other numbers */
  /* with `written`: initial equations are not those of `like`, number by number */
  bool has_own_initial;
} DaeModelParts;

/* Parts that are arrays of DaeVariable, DaeParameter, DaeEquation and DaeEquation, with the
 * name of `like`; the rest is empty. */
DaeModelParts dae_model_parts(const DaeModel *like, const GArray *variables,
                              const GArray *parameters, const GArray *equations,
                              const GArray *initial_equations);
DaeModel *dae_model_new(const DaeModelParts *parts); /* (transfer full) */

G_END_DECLS

#endif
