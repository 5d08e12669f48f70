/* Inside the reader. What room lang has parsed (parser/syntax.h) goes through these stages:
 *
 *   scope.c, structure.c       names to entities; sizes and closed
 *                              values of constants and parameters
 *   evaluate.c, equations.c    postfix code to terms, scalar by scalar
 *   model/flat.h               the finished DaeModel
 *
 * An expression is a run of DaeInstruction that ends in DAE_OP_RETURN,
 * executed on a stack of DaeValue. */
#ifndef DAE_READER_READER_PRIV_H
#define DAE_READER_READER_PRIV_H

#include "base/arena.h"
#include "parser/parser.h"
#include "parser/syntax.h"
#include "reader/reader.h"

/* Documented limits (docs/language.md). */
#define DAE_MAX_ELEMENTS (1u << 24) /* scalars of one array, equations of one model */
#define DAE_MAX_DIMENSIONS 16u
#define DAE_MAX_ITERATIONS (1u << 25) /* of all loops together */
#define DAE_MAX_TOTAL_DER 8u /* der(der(...)) of an expression that is not a variable */
#define DAE_MAX_ORDER 10000u

/* ---- values and the scope ---------------------------------------------------------------- */

typedef enum {
  DAE_VALUE_REAL,
  DAE_VALUE_INTEGER,
  DAE_VALUE_BOOLEAN,
  DAE_VALUE_STRING /* term: name id */,
  DAE_VALUE_ENUMERATION /* term: its number */,
  DAE_VALUE_CLOCK /* term: the PARAMETER that stands for it */,
  DAE_VALUE_RECORD /* data: its scalars, see layout */,
  DAE_VALUE_FUNCTION /* term: its class; outputs: arguments bound with it */,
  DAE_VALUE_COLON,
  DAE_VALUE_TUPLE /* outputs: its members */,
  DAE_VALUE_TARGET /* what is assigned; term: index in paths, outputs: its subscripts */,
  DAE_VALUE_HOLE,
  DAE_VALUE_POISON /* an error was reported, or a value is missing: silent */
} DaeValueType;

typedef struct DaeValue DaeValue;
typedef struct DaeLayout DaeLayout;

struct DaeValue {
  DaeValueType type;
  uint8_t n_dims;
  uint8_t n_der; /* total derivatives taken so far */
  bool opaque;   /* sizes are known, values are not (yet) */
  bool no_value; /* opaque because a parameter has no value: no mistake of the reader's text */
  uint32_t name; /* named argument; 0: positional */
  uint32_t enumeration; /* index of its type in syntax->types; builtin ones: see evaluate.c */
  DaeTerm term;         /* n_dims == 0 */
  const uint32_t *dims;
  const DaeTerm *data; /* n_dims > 0: row by row */
  uint32_t count;      /* scalars; records */
  /* a long sum or product that is still growing (chain.c); term is not set yet */
  struct DaeChain *chain;
  const DaeLayout *layout; /* RECORD */
  const DaeValue *outputs; /* all results of a call, this one first; members of a tuple */
  uint32_t n_outputs;
  bool is_incomplete; /* a local of which something has no value yet */
  bool is_bound;      /* an argument that came with a function value */
  /* of an array with missing elements, which are told where they are used: what it is called and
   * where it stands; 0: nothing is missing */
  uint32_t late_name, late_pos;
  bool is_part; /* of what is called so */
  bool
      is_range; /* a tuple: first and last, or first, step and last, of a subscript (cases.c) */
  /* argument of pre, edge, change in an algorithm section: the variable itself */
  const DaeValue *variable;
};

typedef enum {
  DAE_ENTITY_VARIABLE,
  DAE_ENTITY_PARAMETER,
  DAE_ENTITY_CONSTANT,
  DAE_ENTITY_INPUT,
  DAE_ENTITY_GROUP,   /* x where x[1], x[2] ... are declared one by one */
  DAE_ENTITY_RECORD,  /* r where r.x, r.y ... are entities */
  DAE_ENTITY_LITERAL, /* of an enumeration */
  DAE_ENTITY_ITERATOR
} DaeEntityKind;

/* Subscripts of a dimension; from DAE_INDEX_ENUMERATION on: of that enumeration. */
#define DAE_INDEX_INTEGER 0
#define DAE_INDEX_OPEN 1
#define DAE_INDEX_BOOLEAN 2
#define DAE_INDEX_ENUMERATION 3

typedef struct {      /* large models have millions of them: no gaps */
  uint8_t kind;       /* DaeEntityKind */
  uint8_t type;       /* DaeValueType */
  uint8_t state;      /* structure.c: 0 new, 1 under way, 2 done */
  bool is_open : 1;   /* a String variable whose text is being made */
  bool changes : 1;   /* a String variable that changes at events (text_events.c) */
  bool is_late : 1;   /* a String variable whose text is known when all is read (text_late.c) */
  bool is_broken : 1; /* reported: uses are silent */
  bool is_free : 1;
  bool is_element : 1;           /* one element of a group */
  bool is_structural : 1;        /* its value became a size */
  bool is_implicit_constant : 1; /* a variable that cannot change: Integer n = 3 */
  uint16_t n_dims;
  uint16_t n_outer; /* of its dimensions: those of the records around it */
  uint32_t enumeration;
  uint32_t declaration; /* 0: none */
  uint32_t name;
  uint32_t count;    /* scalars */
  uint32_t alias;    /* the type definition it is declared with, in syntax->types; 0: builtin */
  uint32_t override; /* --set or --input of the whole value: index + 1 in overrides; 0: none */
  DaeTerm literal;   /* LITERAL: its number */
  uint32_t record;   /* RECORD: its class */
  uint32_t n_members; /* RECORD: entities behind it that are its members, and theirs */
  uint32_t whole;     /* member of a record: the entity of that */
  uint32_t member;    /* and its name there */
  uint32_t *dims;
  /* by dimension, what its subscripts are: DAE_INDEX_...; NULL: Integers throughout */
  uint32_t *index_types;
  /* what each scalar stands for: its symbol, a folded constant, an input's expression */
  DaeTerm *value;
  DaeSymbol *symbols;  /* variables, parameters, constants */
  DaeTerm *closed;     /* parameters and constants: value without symbols; DAE_NO_TERM: none */
  const char *si_unit; /* of a type of Modelica.Units.SI; NULL: none */
} DaeEntity;

typedef enum { DAE_IF_TRUE, DAE_IF_FALSE, DAE_IF_BOTH } DaeIfMode;

typedef struct {
  DaeIfMode mode;
  DaeTerm condition;
  uint32_t first_root; /* if-expressions: last instruction of the first branch */
  uint32_t equations, equations_middle; /* if-equations: where the branches begin */
  uint32_t assertions, assertions_middle;
  /* in statements */
  uint32_t changes, epoch;
  GArray *taken; /* DaeChange: what the first branch made */
  bool in_else;  /* the second branch is under way */
  DaeTerm left, broken, loop_broken;
  uint32_t actions, actions_middle; /* in when-clauses */
  bool is_when, is_initial;         /* statements: a when, active during the initialization */
} DaeIfFrame;

typedef struct {
  DaeTerm term;
  uint32_t pos;
} DaePlacedTerm;

typedef struct DaeWhenReader DaeWhenReader; /* when.c: the when-clause under way */

typedef struct {
  uint32_t name, old_binding;
  uint32_t position; /* in range */
  uint32_t values;   /* comprehension: stack height below the results */
  DaeValue range;
  DaeValue current;
  DaeTerm broken; /* when a `break` was met; DAE_NO_TERM: never */
} DaeLoopFrame;

typedef struct { /* cases.c: an Integer that is known in the case under way */
  DaeTerm term;
  int64_t least, most; /* equal, or INT64_MIN or INT64_MAX on one side */
} DaeCase;

typedef struct {
  GArray *known;   /* DaeCase */
  DaeCase asked;   /* what the statement under way needs; term DAE_NO_TERM: nothing */
  bool is_outside; /* beyond all cases: the statement is not reached */
  char *misfit;    /* how sizes do not fit in the case under way; NULL: they do */
  uint32_t misfit_pos;
  uint32_t pos;
  uint32_t n_runs; /* of statements, which can be split */
} DaeCases;

typedef struct { /* one --set or --input */
  uint32_t entity;
  uint32_t n_subscripts; /* 0: the whole */
  uint32_t subscripts[DAE_MAX_DIMENSIONS];
  uint32_t code;
  bool is_input;
  char *text; /* as given, with the option's name, for messages */
} DaeOverride;

typedef struct DaeReader {
  DaeTerms *terms;
  DaeSource *source;
  DaeNames *names;
  DaeSyntax *syntax;
  const DaeReadOptions *options;
  struct DaeLibrary *library;
  struct DaeFlat *flat; /* what instantiation made; NULL: the text was flat */
  uint32_t model;       /* class */
  GArray *entities;     /* DaeEntity; 0 unused; binding of a name = index */
  GArray *overrides;    /* DaeOverride */
  GArray *stack;        /* DaeValue */
  guint stack_room;     /* see dae_array_push */
  GArray *ifs;          /* DaeIfFrame */
  GArray *loops;        /* DaeLoopFrame; an iterator's binding is DAE_ITERATOR_BIT + index */
  GArray *whiles;       /* DaeWhileFrame */
  GStringChunk *strings;
  struct DaeArena *arena;   /* lives as long as the reader */
  struct DaeArena *scratch; /* emptied after each statement */
  uint64_t iterations;
  bool is_sizing;    /* stage 1: the value of a parameter becomes a size */
  bool is_measuring; /* stage 1: variables have values that stand for any (measure.c) */
  /* uint8_t, by symbol: parameters whose values decided something for good */
  GArray *structural;
  bool is_structural; /* stage 1: no symbols yet, parameters stand for their closed values */
  const DaeModel *lookup; /* dae_model_parse_expression: names are looked up here */
  GArray *equations;      /* DaeEquation under way */
  GArray *assertions;
  GArray *actions;             /* DaeAction, of the when-clause under way */
  DaeTerm vanished;            /* of the equation under way, see DaeEquation */
  uint32_t n_conditions;       /* of when-statements so far */
  GHashTable *delays;          /* symbol of delay(...) -> its auxiliary variable; NULL: none */
  GArray *delay_equations;     /* DaeEquation of those; NULL: none */
  GHashTable *hoisted;         /* jump of an argument -> its auxiliary variable; NULL: none */
  GArray *hoisted_equations;   /* DaeEquation of those; NULL: none */
  uint32_t when_depth;         /* 1: inside a when-clause */
  DaeWhenReader *when;         /* when.c */
  GArray *pre_places;          /* DaePlacedTerm: pre(v) outside when-clauses */
  GHashTable *atom_of_symbol;  /* symbol of an event atom -> its index + 1 */
  GHashTable *clocked_symbols; /* symbol of a clocked operator -> its index + 1 */
  /* clock of the clocked when-clause under way; DAE_NO_TERM: none */
  DaeTerm clocked_when;
  uint32_t clocked_equations; /* where its equations begin */
  uint32_t clocked_pos;
  bool clocked_is_over;        /* its branch has ended */
  GArray *closed_of_symbol;    /* DaeTerm by symbol; DAE_NO_TERM: none */
  GArray *integer_symbol;      /* uint8_t by symbol: an Integer parameter */
  GHashTable *initial_targets; /* base_modelica.c: names that initial sections give values */
  GHashTable *boolean_symbols; /* set of the symbols of Boolean variables */
  GString *text;               /* scratch */
  GHashTable *types;           /* name -> index in syntax->types */
  GHashTable *functions;       /* name -> class */
  GHashTable *records;         /* name -> class */
  GHashTable *operators;       /* RECORD.'op' -> GArray of classes; NULL: none yet */
  GPtrArray *members;          /* GArray of declarations by class */
  /* name of a function -> GArray of entities (uses.c); NULL: none yet */
  GHashTable *uses;
  /* since the last equation a constant with a unit was put in as a number, or a function called
   * that speaks of units */
  bool has_unit_constants;
  GHashTable *unit_functions; /* class -> does it? NULL: none called yet */
  GHashTable *shared;         /* 2*code + stage -> DaeValue of SHARED; NULL: none yet */
  /* name before a subscript -> GArray of entities (uses.c); NULL: none yet */
  GHashTable *elements;
  GHashTable *literal_types; /* literals.c: name -> type, 0: none; NULL: none asked for */
  GArray *scopes;            /* DaeScope */
  GArray *locals;            /* DaeLocal; the binding of one is DAE_LOCAL_BIT + index */
  DaeTerm *places;           /* 0, 1, 2, ...: where the scalars of a local stand */
  uint32_t n_places;
  GArray *changes;            /* DaeChange: old values that open branches need */
  uint32_t epoch, last_epoch; /* of the branch under way */
  uint32_t n_taken;           /* results of the call under way that may be used, at most */
  uint64_t call_steps, all_steps;
  uint32_t most_terms;   /* of the call under way, which is given up beyond them; 0: no limit */
  bool is_beyond;        /* it was */
  GArray *trace_formals; /* DaeTerm; NULL: none (loops.c) */
  uint32_t n_trace_formals;
  uint32_t n_traces;             /* parts of routines under way */
  GPtrArray *routine_cases;      /* DaeRoutineCase * (recursion.c) */
  struct DaeOpaqueTable *opaque; /* opaque.c */
  uint32_t n_impure_calls;       /* of external functions that are known by name only */
  GHashTable *unknown_functions; /* natives_unknown.c: key -> number of the routine + 1 */
  struct DaeImpure *impure;      /* natives_impure.c; NULL: none */
  struct DaeTexts *texts;        /* text_events.c; NULL: none */
  int64_t real_time;             /* natives_system.c: at its first call; 0: none */
  uint32_t n_temporary;          /* names of files that were made up */
  GArray *inverses;              /* inverse.c; NULL: none */
  DaeTerm unset;                 /* unset.c: the atom; DAE_NO_TERM: not made yet */
  GHashTable *printed;           /* printed.c: class -> number of the routine + 1 */
  bool writes_out;               /* every call is written out */
  GHashTable *recursive;         /* set of the classes that call themselves at run time */
  uint32_t recursion;            /* the class that was just found to do so; 0: none */
  uint32_t trace_first_if, trace_first_loop, trace_first_scope;
  GPtrArray *tables; /* DaeCombi; NULL: none */
  /* names of an algorithm section mean the variables, not their values at this place */
  bool reads_variables;
  /* locals without value may be loaded: outputs of an external function */
  bool takes_incomplete;
  uint32_t
      lenient_scopes; /* so many are open: a binding may need what has no value; 0: none may */
  bool is_unset_needed;  /* that binding does */
  const char *surrender; /* why a call cannot be executed on terms; NULL: it can */
  uint32_t surrender_pos;
  DaeCases cases;
  struct DaeModel *result;
} DaeReader;

/* DaeValue.enumeration of the builtin enumerations */
#define DAE_ENUMERATION_STATE_SELECT UINT32_MAX
#define DAE_ENUMERATION_ASSERTION_LEVEL (UINT32_MAX - 1)
#define DAE_ITERATOR_BIT 0x80000000u
#define DAE_LOCAL_BIT 0x40000000u

/* Is it the index of an entity? */
static inline bool
dae_binding_is_entity(uint32_t binding)
{
  return binding != 0 && (binding & (DAE_ITERATOR_BIT | DAE_LOCAL_BIT)) == 0;
}

/* ---- discrete.c ---- */
/* Boolean, Integer, enumeration or declared discrete. */
bool dae_discrete_is_variable(const DaeReader *reader, const DaeEntity *entity);
/* The condition that a Boolean variable stands for, and back: the
 * number 0 or 1 of any condition. */
DaeTerm dae_discrete_condition(DaeTerms *terms, DaeTerm variable);
DaeTerm dae_discrete_number(const DaeReader *reader, DaeTerm condition);
/* noEvent(c) as a condition: noEvent(if c then 1 else 0) > 1/2; one of parameters stays. */
DaeTerm dae_function_literal_condition(DaeReader *reader, DaeTerm condition);
/* A value of this type as a side of an equation or as a start value: Booleans as numbers. */
DaeTerm dae_discrete_unknown(const DaeReader *reader, DaeValueType type, DaeTerm value);

/* ---- value.c ---- */
DaeValue dae_value_scalar(DaeValueType type, DaeTerm term);
DaeValue dae_value_poison(void);
/* data is not copied; dims is. */
DaeValue dae_value_array(DaeReader *reader, DaeValueType type, uint32_t n_dims,
                         const uint32_t *dims, const DaeTerm *data, uint32_t count);
DaeTerm *dae_value_new_data(DaeReader *reader, uint32_t count); /* in scratch memory */

static inline DaeTerm
dae_value_element(const DaeValue *value, uint32_t i)
{
  return value->n_dims == 0 ? value->term : value->data[i];
}

/* Scalar k of a value, record or not. */
static inline DaeTerm
dae_value_scalar_at(const DaeValue *value, uint32_t k)
{
  return value->n_dims == 0 && value->type != DAE_VALUE_RECORD ? value->term : value->data[k];
}

bool dae_value_is_numeric(const DaeValue *value); /* Real or Integer */
bool dae_value_same_size(const DaeValue *a, const DaeValue *b);
char *
dae_value_size_text(const DaeValue *value); /* "scalar", "[3]", "[2,3]"; (transfer full) */
const char *dae_value_type_text(const DaeValue *value); /* "Real", ... */
bool dae_dimensions_count(uint32_t n_dims, const uint32_t *dims,
                          uint32_t *count); /* false: too many */

/* ---- chain.c: long sums and products in linear time ---- */
/* a op b for scalars where a is already long. False: do it the ordinary way. *good
 * is false if it was reported. */
bool dae_chain_extend(DaeReader *reader, DaeOp op, DaeValue *a, const DaeValue *b, uint32_t pos,
                      bool *good);
void dae_chain_finish(DaeReader *reader,
                      DaeValue *value); /* no chain any more: the term is set */

/* ---- arithmetic.c: operators. On an error they report at pos and return poison. ---- */
DaeValue dae_arithmetic_unary(DaeReader *reader, DaeOp op, DaeValue a, uint32_t pos);
DaeValue dae_arithmetic_binary(DaeReader *reader, DaeOp op, DaeValue a, DaeValue b,
                               uint32_t pos);
DaeTerm dae_arithmetic_scalar(DaeReader *reader, DaeOp op, DaeTerm a, DaeTerm b,
                              uint32_t pos); /* NO_TERM: reported */
DaeValue dae_arithmetic_choose(DaeReader *reader, DaeTerm condition, DaeValue a, DaeValue b,
                               uint32_t pos);

/* ---- arrays.c: constructors and subscripts ---- */
DaeValue dae_array_construct(DaeReader *reader, const DaeValue *elements, uint32_t n,
                             uint32_t pos);
DaeValue dae_array_row(DaeReader *reader, const DaeValue *elements, uint32_t n, uint32_t pos);
DaeValue dae_array_matrix(DaeReader *reader, const DaeValue *rows, uint32_t n, uint32_t pos);
DaeValue dae_array_range(DaeReader *reader, const DaeValue *parts, uint32_t n, uint32_t pos);
DaeValue dae_array_subscript(DaeReader *reader, const DaeValue *array,
                             const DaeValue *subscripts, uint32_t n, const char *name,
                             uint32_t pos);
/* dimension from 1, of the value seen as in cat */
DaeValue dae_array_cat(DaeReader *reader, uint32_t dimension, const DaeValue *arrays,
                       uint32_t n, uint32_t pos);

/* Is it one subscript that is known only at run time? */
bool dae_subscript_varies(DaeReader *reader, const DaeValue *subscript);
/* A vector of subscripts of which some are known only at run time. */
bool dae_subscripts_vary(DaeReader *reader, const DaeValue *subscript);
DaeTerm dae_subscript_number(DaeReader *reader, const DaeValue *subscript); /* from 1 on */

/* ---- functions.c ---- */
/* Brings named arguments to their places. False: reported. */
bool dae_function_order_arguments(DaeReader *reader, const char *name, DaeValue *arguments,
                                  uint32_t n, uint32_t pos);
DaeValue dae_function_apply(DaeReader *reader, uint32_t name, DaeValue *arguments, uint32_t n,
                            uint32_t pos);
/* The builtin of this name, whatever the user defines. */
DaeValue dae_function_apply_builtin(DaeReader *reader, uint32_t name, DaeValue *arguments,
                                    uint32_t n, uint32_t pos);
bool dae_function_is_builtin(const DaeReader *reader, uint32_t name);
DaeValue dae_function_reduce(DaeReader *reader, const char *name, const DaeValue *arguments,
                             uint32_t n, uint32_t pos);
/* sum(e for i in r, j in s): the first n_iterators dimensions of `values` are those of i, j. */
DaeValue dae_function_reduce_arrays(DaeReader *reader, const char *name, const DaeValue *values,
                                    uint32_t n_iterators, uint32_t pos);
DaeValue dae_function_array(DaeReader *reader, const char *name, const DaeValue *arguments,
                            uint32_t n, uint32_t pos, bool *found); /* functions_array.c */

/* ---- evaluate.c ---- */
/* Runs code up to RETURN. True: the results are on the stack. False:
 * reported, nothing is on the stack. */
bool dae_reader_run(DaeReader *reader, uint32_t code);
DaeValue dae_reader_evaluate(DaeReader *reader,
                             uint32_t code); /* one value; poison: reported */
/* A term without symbols for t if there is one: exact, with the closed values of parameters. */
DaeTerm dae_reader_close(DaeReader *reader, DaeTerm t, bool integers_only);
/* The nearest double in place of an exact number that is too long for work in doubles. */
DaeTerm dae_reader_shorten(const DaeReader *reader, DaeTerm t);
bool dae_reader_integer(DaeReader *reader, const DaeValue *value, uint32_t i, uint32_t pos,
                        int64_t *result);
/* The value of a term of numbers and parameters; false: it has none. */
bool dae_reader_double(DaeReader *reader, DaeTerm t, double *value);
bool dae_reader_step(DaeReader *reader, uint32_t *pc);
/* What is known about a condition: all its parts are constants or Integer parameters. */
DaeIfMode dae_reader_decide(DaeReader *reader, DaeTerm condition);
bool dae_reader_begin_if(DaeReader *reader, uint32_t pos);
bool dae_reader_begin_loop(DaeReader *reader, const DaeInstruction *loop, bool *is_empty);
bool dae_reader_next_round(DaeReader *reader, uint32_t pos);
void dae_reader_unwind(DaeReader *reader, uint32_t loops, uint32_t ifs);
DaeValue dae_reader_load(DaeReader *reader, uint32_t name, uint32_t pos);
void dae_reader_unknown_name(DaeReader *reader, uint32_t name, uint32_t pos);

/* ---- constants.c: names that are always there ---- */
bool dae_constant_find(DaeReader *reader, const char *name, DaeValue *value);

/* ---- literals.c: of enumerations that have no name ---- */
bool dae_literal_find(DaeReader *reader, const char *name, DaeValue *value);
/* Is it one of the builtin enumerations, written out as OpenModelica does? */
bool dae_literal_is_builtin(const DaeReader *reader, uint32_t type, uint32_t builtin);

/* ---- type_rules.c: false: reported ---- */
/* Functions that `show` writes have variables and results of type Real only. */
bool dae_reader_is_printed(const DaeReader *reader);
/* Closed value i of a constant is a number, not log(-1). Parameters have other values in other
 * runs: what needs theirs tells where they have none. */
bool dae_rule_has_value(DaeReader *reader, DaeEntity *entity, uint32_t i, uint32_t pos);
/* A constant depends on constants and is fixed; enumeration(:) is no type of a variable. code:
 * that of the value. */
bool dae_rule_declaration(DaeReader *reader, DaeEntity *entity, uint32_t code);
/* A range of numbers, or without a step of Booleans or of one enumeration. */
bool dae_rule_range(DaeReader *reader, const DaeValue *parts, uint32_t n, uint32_t pos);
/* Result i (from 0) of a call may be given to the variable. */
bool dae_rule_result(DaeReader *reader, const DaeValue *variable, const DaeValue *result,
                     uint32_t i, uint32_t pos);

/* ---- equations.c ---- */
void dae_equations_execute(DaeReader *reader,
                           uint32_t code); /* a section, into reader->equations */
/* Statement instructions, called by the interpreter. False: reported. */
bool dae_equations_statement(DaeReader *reader, const DaeInstruction *instruction,
                             uint32_t *pc);
/* f(x) as a statement; gone: when it does not count, or DAE_NO_TERM. */
bool dae_equations_call_statement(DaeReader *reader, const DaeInstruction *instruction,
                                  DaeTerm gone);
/* An error under the conditions of this place: reported if it is
 * certain (false), else an assertion. */
/* When this place is not reached, because of return or break; DAE_NO_TERM: it always is. */
DaeTerm dae_equations_passed_by(const DaeReader *reader);
bool dae_equations_fail(DaeReader *reader, const char *message, uint32_t pos);
/* The assertions of both branches count in their branch only. */
void dae_equations_guard_assertions(DaeReader *reader, const DaeIfFrame *frame);

/* ---- operators.c ---- */
/* pre, edge, change, sample, initial, terminal; *found is false for every other name. */
DaeValue dae_operator_apply(DaeReader *reader, const char *name, const DaeValue *arguments,
                            uint32_t n, uint32_t pos, bool *found);
DaeTerm dae_operator_initial(DaeReader *reader, uint32_t pos); /* the condition initial() */
DaeValue dae_operator_pre(DaeReader *reader, const DaeValue *value, uint32_t pos);
/* The PARAMETER of an atom, which is called as reader->text says. */
DaeTerm dae_operator_atom(DaeReader *reader, const DaeEventAtom *like, bool is_condition,
                          uint32_t pos);
/* An auxiliary variable for delay(...), and the text of a term in which delay(...) is written for
 * them (transfer full). */
DaeTerm dae_operator_delay_variable(DaeReader *reader, DaeTerm value, const char *base,
                                    uint32_t pos);
char *dae_operator_delayed_text(DaeReader *reader, DaeTerm t);
/* transport.c: spatialDistribution(in0, in1, x, positiveVelocity, initialPoints, initialValues) */
DaeValue dae_transport_apply(DaeReader *reader, const DaeValue *arguments, uint32_t n,
                             uint32_t pos);
/* All when-clauses were read: pre() of continuous variables outside of them is an error. */
void dae_operator_check_places(DaeReader *reader);

/* ---- when.c ---- */
DaeWhenReader *dae_when_reader_new(void);
void dae_when_reader_free(DaeWhenReader *when);
/* The condition is on the stack. False: reported. */
bool dae_when_begin(DaeReader *reader, uint32_t pos);
void dae_when_otherwise(DaeReader *reader); /* the branch is over */
void dae_when_end(DaeReader *reader);
void dae_when_abandon(DaeReader *reader); /* after an error: as if it had not begun */
bool dae_when_check_equation(DaeReader *reader, DaeTerm target, uint32_t pos);
void dae_when_merge(DaeReader *reader, const DaeIfFrame *frame);
/* reinit and terminate; *found is false for every other name. */
bool dae_when_statement(DaeReader *reader, const char *name, const DaeValue *arguments,
                        uint32_t n, uint32_t pos, bool *found);
void dae_when_take_assertion(DaeReader *reader);
/* print() is done when the when-clause around it is active or, to a file, at the start; false:
 * it is to be done now. */
bool dae_when_file(DaeReader *reader, DaeFileAct act, const char *message, const char *file,
                   uint32_t pos);
/* when_late.c: assertions of initial sections and terminate() outside as clauses. */
void dae_when_late_clauses(DaeReader *reader);

/* ---- when_statements.c: when in algorithm sections ---- */
/* The condition is on the stack; afterwards the condition at which the
 * branch is active. False: reported. */
bool dae_when_statement_begin(DaeReader *reader, bool *is_initial, uint32_t pos);
/* What the statement before has added to reader->actions, with the conditions around it.
 * gone: when it does not count. Those from `first` on are new. In a when-equation, where a
 * function was called, they stay with it. */
void dae_when_statement_act(DaeReader *reader, DaeTerm gone, uint32_t first);
/* When the statement under way is reached. */
DaeTerm dae_when_statement_path(const DaeReader *reader);
bool dae_when_is_statement(const DaeReader *reader); /* of a when of an algorithm section */
/* A relation, or a function that rounds: inside a when-statement it makes no events. */
DaeTerm dae_when_statement_literal(const DaeReader *reader, DaeTerm t);

/* ---- clocks.c: synchronous elements [language specification, 16] ---- */
/* Clock, previous, hold, sample(u, clock), subSample ...; *found is false for every other call. */
DaeValue dae_clock_apply(DaeReader *reader, const char *name, const DaeValue *arguments,
                         uint32_t n, uint32_t pos, bool *found);
/* a = b of clocks. False: reported. */
bool dae_clock_equate(DaeReader *reader, const DaeValue *a, const DaeValue *b, uint32_t pos);
/* when clock then: its equations are clocked and otherwise like those
 * of a section. False: reported. */
bool dae_clock_when_begin(DaeReader *reader, const DaeValue *clock, uint32_t pos);
void dae_clock_when_end(DaeReader *reader);

/* ---- scope.c, structure.c, overrides.c, instantiate.c ---- */
bool dae_scope_build(DaeReader *reader);
void dae_scope_report_duplicate(DaeReader *reader, uint32_t name, uint32_t pos, uint32_t first);

/* ---- elements.c ---- */
/* uint8_t by declaration: is it one element of an array? (transfer full) */
GArray *dae_elements_find(DaeReader *reader);
/* x[2] as the name of one element: enters the group x. 0: reported. */
uint32_t dae_elements_enter(DaeReader *reader, const DaeDeclaration *declaration);
/* 'm.x' where 'm.x[1]', 'm.x[2]' ... are declared, as Base Modelica may have it: an array of
 * them. False: there are none. */
DaeValue dae_elements_index(DaeReader *reader, const DaeValue *array,
                            const DaeValue *subscripts, const DaeInstruction *instruction);
bool dae_elements_load_quoted(DaeReader *reader, uint32_t name, uint32_t pos, DaeValue *value);
uint32_t dae_scope_find_type(const DaeReader *reader, uint32_t name); /* 0: none */
/* The first enumeration with the same literals: it is the same type, though a class that is
 * instantiated more than once has it more than once [Modelica, 6.7]. */
uint32_t dae_scope_enumeration(const DaeReader *reader, uint32_t type);
/* Type, enumeration, record and alias of the entity from the name of its type. False: reported. */
bool dae_scope_resolve_type(DaeReader *reader, uint32_t name, uint32_t pos, DaeEntity *entity);
bool dae_scope_type_has_dims(const DaeReader *reader, uint32_t name);
bool dae_scope_choose_model(DaeReader *reader, GError **error);
bool dae_overrides_parse(DaeReader *reader, GError **error);
/* Runs the code of an override: messages name the option. */
DaeValue dae_overrides_evaluate(DaeReader *reader, const DaeOverride *override);
/* Index of the element in its array. False: reported. */
bool dae_overrides_index(DaeReader *reader, const DaeOverride *override, uint32_t *index);
/* The value as one of the size of the entity, where a single element is meant. */
DaeValue dae_structure_fit(DaeReader *reader, const DaeEntity *entity, const DaeValue *value);
/* May a value of this type and size be given to the entity? Otherwise reports at pos. */
bool dae_structure_check_value(DaeReader *reader, const DaeEntity *entity,
                               const DaeValue *value, const char *what, uint32_t pos);
void dae_structure_evaluate(DaeReader *reader);
/* The entity that the instruction uses; 0: none. */
/* measure.c: the value of code, of which only the size counts; poison: it cannot be had. */
DaeValue dae_measure(DaeReader *reader, uint32_t code);
bool dae_measure_load(DaeReader *reader, const DaeEntity *entity, DaeValue *value);
uint32_t dae_structure_used_entity(DaeReader *reader, uint32_t pc);
/* instantiate.c and instantiate_inputs.c share these. */
const DaeDeclaration *dae_instantiate_declaration(const DaeReader *reader,
                                                  const DaeEntity *entity);
void dae_instantiate_element_name(const DaeReader *reader, const DaeEntity *entity, uint32_t i,
                                  GString *text);
DaeType dae_instantiate_type(DaeValueType type);
bool dae_instantiate_symbol(DaeReader *reader, DaeSymbolKind kind, const char *name,
                            uint32_t pos, DaeSymbol *symbol);
void dae_instantiate_input(DaeReader *reader, uint32_t index);
void dae_instantiate(DaeReader *reader);
/* Attribute NAME of an entity: its own modifications, then those of its type. NULL: not given. */
const DaeModification *dae_scope_attribute(const DaeReader *reader, const DaeEntity *entity,
                                           const char *name);

void dae_reader_init(DaeReader *reader, DaeTerms *terms, DaeSource *source, DaeNames *names,
                     DaeSyntax *syntax);
void dae_reader_clear(DaeReader *reader);

static inline DaeEntity *
dae_reader_entity(const DaeReader *reader, uint32_t i)
{
  return &g_array_index(reader->entities, DaeEntity, i);
}

#endif
