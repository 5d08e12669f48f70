/* Inside the reader. Text goes through five stages, each in files of its own:
 *
 *   lexer.c                    bytes to tokens
 *   parse_*.c                  tokens to declarations and postfix code (no trees: nothing here recurses)
 *   scope.c, structure.c       names to entities; sizes and closed values of constants and parameters
 *   evaluate.c, equations.c    postfix code to terms, scalar by scalar
 *   flat.c, print.c            the finished DaeModel
 *
 * An expression is a run of DaeInstruction that ends in DAE_OP_RETURN, executed on a stack of DaeValue. */
#ifndef DAE_MODEL_MODEL_PRIV_H
#define DAE_MODEL_MODEL_PRIV_H

#include "model/model.h"

/* Documented limits (docs/language.md). */
#define DAE_MAX_ERRORS 20u
#define DAE_MAX_ELEMENTS (1u << 24) /* scalars of one array, equations of one model */
#define DAE_MAX_DIMENSIONS 16u
#define DAE_MAX_ITERATIONS (1u << 25) /* of all loops together */
#define DAE_MAX_OPERANDS ((1u << 24) - 1)
#define DAE_MAX_TOTAL_DER 8u /* der(der(...)) of an expression that is not a variable */
#define DAE_MAX_ORDER 10000u
#define DAE_MAX_PARTS 1000u /* a[i].b[j].c ...: parts of one reference */
#define DAE_NO_PLACE UINT32_MAX

/* ---- source.c: places and messages ------------------------------------------------------------ */

typedef struct {
  const char *file;
  const char *text;
  size_t length;
  const DaeReporter *reporter;
  GArray *lines; /* uint32_t offsets of line starts; made at the first message */
  uint32_t n_errors;
  uint32_t reported[DAE_MAX_ERRORS]; /* their places: one message each */
  uint32_t n_unsupported;            /* of these: "not supported yet" */
  char *first_message;
  char *option_message; /* first mistake in an option's text */
  const char *context;  /* not NULL: an option's text is read; messages have no place */
} DaeSource;

void dae_source_init(DaeSource *source, const char *file, const char *text, size_t length,
                     const DaeReporter *reporter);
void dae_source_clear(DaeSource *source);
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
bool dae_source_is_full(const DaeSource *source); /* 20 errors were reported */

/* ---- names.c: interned names ------------------------------------------------------------------- */

typedef struct DaeNames DaeNames;
DaeNames *dae_names_new(void); /* the keywords have the ids 1 ... DAE_N_KEYWORDS */
void dae_names_free(DaeNames *names);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeNames, dae_names_free)
uint32_t dae_names_intern(DaeNames *names, const char *text, size_t length);
uint32_t dae_names_find(const DaeNames *names, const char *text, size_t length); /* 0: absent */
const char *dae_names_text(const DaeNames *names, uint32_t name);
uint32_t dae_names_count(const DaeNames *names); /* ids are 1 ... count */
/* What the name means in the scope at hand; 0: nothing. */
uint32_t dae_names_binding(const DaeNames *names, uint32_t name);
void dae_names_bind(DaeNames *names, uint32_t name, uint32_t binding);

/* ---- lexer.c --------------------------------------------------------------------------------- */

typedef enum {
  DAE_TOKEN_EOF,
  DAE_TOKEN_ERROR /* already reported */,
  DAE_TOKEN_NAME,
  DAE_TOKEN_NUMBER,
  DAE_TOKEN_STRING,
  DAE_TOKEN_LPAREN,
  DAE_TOKEN_RPAREN,
  DAE_TOKEN_LBRACKET,
  DAE_TOKEN_RBRACKET,
  DAE_TOKEN_LBRACE,
  DAE_TOKEN_RBRACE,
  DAE_TOKEN_COMMA,
  DAE_TOKEN_SEMICOLON,
  DAE_TOKEN_COLON,
  DAE_TOKEN_DOT,
  DAE_TOKEN_EQUALS,
  DAE_TOKEN_ASSIGN,
  DAE_TOKEN_PLUS,
  DAE_TOKEN_MINUS,
  DAE_TOKEN_TIMES,
  DAE_TOKEN_DIVIDE,
  DAE_TOKEN_POWER,
  DAE_TOKEN_DOT_PLUS,
  DAE_TOKEN_DOT_MINUS,
  DAE_TOKEN_DOT_TIMES,
  DAE_TOKEN_DOT_DIVIDE,
  DAE_TOKEN_DOT_POWER,
  DAE_TOKEN_LT,
  DAE_TOKEN_LE,
  DAE_TOKEN_GT,
  DAE_TOKEN_GE,
  DAE_TOKEN_EQ,
  DAE_TOKEN_NE,
  DAE_TOKEN_AT,
  /* keywords, in the order of the table in names.c */
  DAE_TOKEN_ALGORITHM,
  DAE_TOKEN_AND,
  DAE_TOKEN_ANNOTATION,
  DAE_TOKEN_BLOCK,
  DAE_TOKEN_CLASS,
  DAE_TOKEN_CONNECT,
  DAE_TOKEN_CONNECTOR,
  DAE_TOKEN_CONSTANT,
  DAE_TOKEN_DER,
  DAE_TOKEN_DISCRETE,
  DAE_TOKEN_EACH,
  DAE_TOKEN_ELSE,
  DAE_TOKEN_ELSEIF,
  DAE_TOKEN_ELSEWHEN,
  DAE_TOKEN_ENCAPSULATED,
  DAE_TOKEN_END,
  DAE_TOKEN_ENUMERATION,
  DAE_TOKEN_EQUATION,
  DAE_TOKEN_EXPANDABLE,
  DAE_TOKEN_EXTENDS,
  DAE_TOKEN_EXTERNAL,
  DAE_TOKEN_FALSE,
  DAE_TOKEN_FINAL,
  DAE_TOKEN_FLOW,
  DAE_TOKEN_FOR,
  DAE_TOKEN_FUNCTION,
  DAE_TOKEN_IF,
  DAE_TOKEN_IMPORT,
  DAE_TOKEN_IMPURE,
  DAE_TOKEN_IN,
  DAE_TOKEN_INITIAL,
  DAE_TOKEN_INNER,
  DAE_TOKEN_INPUT,
  DAE_TOKEN_LOOP,
  DAE_TOKEN_MODEL,
  DAE_TOKEN_NOT,
  DAE_TOKEN_OPERATOR,
  DAE_TOKEN_OR,
  DAE_TOKEN_OUTER,
  DAE_TOKEN_OUTPUT,
  DAE_TOKEN_PACKAGE,
  DAE_TOKEN_PARAMETER,
  DAE_TOKEN_PARTIAL,
  DAE_TOKEN_PROTECTED,
  DAE_TOKEN_PUBLIC,
  DAE_TOKEN_PURE,
  DAE_TOKEN_RECORD,
  DAE_TOKEN_REDECLARE,
  DAE_TOKEN_REPLACEABLE,
  DAE_TOKEN_STREAM,
  DAE_TOKEN_THEN,
  DAE_TOKEN_TRUE,
  DAE_TOKEN_TYPE,
  DAE_TOKEN_WHEN,
  DAE_TOKEN_WHILE,
  DAE_TOKEN_WITHIN
} DaeTokenKind;

#define DAE_N_KEYWORDS ((uint32_t)(DAE_TOKEN_WITHIN - DAE_TOKEN_ALGORITHM) + 1u)

typedef struct {
  DaeTokenKind kind;
  uint32_t pos; /* offset of the first byte */
  uint32_t length;
  uint32_t name; /* NAME and keywords: the interned (dotted) name */
} DaeToken;

typedef struct {
  DaeSource *source;
  DaeNames *names;
  const char *text;
  size_t length;
  size_t at;
  bool is_cut; /* a comment or string went on to the end of the text; reported */
} DaeLexer;

void dae_lexer_init(DaeLexer *lexer, DaeSource *source, DaeNames *names, const char *text,
                    size_t length);
DaeToken dae_lexer_next(DaeLexer *lexer);

/* ---- what the parser makes --------------------------------------------------------------------- */

typedef enum {
  DAE_OP_RETURN,
  DAE_OP_NUMBER,  /* arg: term; n: 1 if the literal is Real */
  DAE_OP_STRING,  /* arg: name id of the decoded text */
  DAE_OP_BOOLEAN, /* arg: 0 or 1 */
  DAE_OP_NAME,    /* arg: name */
  DAE_OP_ELEMENT, /* arg: name; n subscripts are on the stack */
  DAE_OP_PATH,    /* arg: index in paths; n subscripts are on the stack: a[i].b[j] */
  DAE_OP_COLON,   /* a whole dimension */
  DAE_OP_LAST,    /* `end` in a subscript; arg: name of the array; n: dimension from 1 */
  DAE_OP_CALL,    /* arg: name of the function; n arguments */
  DAE_OP_NAMED,   /* arg: name of the argument on top of the stack */
  DAE_OP_INDEX,   /* n subscripts on top of a value */
  DAE_OP_ARRAY,   /* n elements */
  DAE_OP_ROW,     /* n elements of a matrix row */
  DAE_OP_MATRIX,  /* n rows */
  DAE_OP_TUPLE,   /* n members, n != 1 */
  DAE_OP_RANGE,   /* 2 or 3 operands */
  DAE_OP_NEGATE,
  DAE_OP_PLUS,
  DAE_OP_NOT,
  DAE_OP_ADD,
  DAE_OP_SUB,
  DAE_OP_MUL,
  DAE_OP_DIV,
  DAE_OP_POW,
  DAE_OP_EADD,
  DAE_OP_ESUB,
  DAE_OP_EMUL,
  DAE_OP_EDIV,
  DAE_OP_EPOW,
  DAE_OP_LT,
  DAE_OP_LE,
  DAE_OP_GT,
  DAE_OP_GE,
  DAE_OP_EQ,
  DAE_OP_NE, /* as DaeRelation */
  DAE_OP_AND,
  DAE_OP_OR,
  DAE_OP_TEST, /* if-expression: condition on the stack; arg: way to the code after ELSE */
  DAE_OP_ELSE, /* arg: way to ENDIF */
  DAE_OP_ENDIF,
  DAE_OP_LOOP, /* comprehension: range on the stack; arg: way to the end; ITERATOR follows */
  DAE_OP_ITERATOR, /* arg: name */
  DAE_OP_NEXT,     /* arg: way back to LOOP */
  /* equations */
  DAE_OP_EQUATION,  /* left and right are on the stack */
  DAE_OP_STATEMENT, /* n arguments; arg: name of the function */
  DAE_OP_FOR,       /* like LOOP */
  DAE_OP_ENDFOR,
  DAE_OP_WHETHER, /* if-equation, like TEST */
  DAE_OP_OTHERWISE,
  DAE_OP_ENDWHETHER,
  DAE_OP_UNSUPPORTED /* arg: name id of the text */
} DaeOp;

typedef struct {
  uint32_t op : 8;
  uint32_t n : 24;
  uint32_t arg;
  uint32_t pos;
} DaeInstruction;

typedef enum {
  DAE_FLAG_CONSTANT = 1 << 0,
  DAE_FLAG_PARAMETER = 1 << 1,
  DAE_FLAG_DISCRETE = 1 << 2,
  DAE_FLAG_INPUT = 1 << 3,
  DAE_FLAG_OUTPUT = 1 << 4,
  DAE_FLAG_PROTECTED = 1 << 5,
  DAE_FLAG_FINAL = 1 << 6,
  DAE_FLAG_LITERAL_DIMS = 1 << 7, /* x[1], x[2,3]: integer literals after the name */
  DAE_FLAG_BROKEN = 1 << 8        /* a syntax error was reported in it */
} DaeFlag;

typedef struct { /* attribute = expression */
  uint32_t name;
  uint32_t code;
  uint32_t pos;
} DaeModification;

typedef struct {
  uint32_t name;
  uint32_t pos;
  uint32_t owner; /* class */
  uint32_t type_pos;
  uint32_t type; /* name of the type */
  uint32_t flags;
  uint32_t dims_code; /* dimensions after the name; 0: none */
  uint32_t n_dims;
  uint32_t type_dims_code; /* dimensions after the type */
  uint32_t n_type_dims;
  uint32_t first_mod, n_mods;
  uint32_t binding;     /* code; 0: none */
  uint32_t description; /* name id; 0: none */
} DaeDeclaration;

typedef struct {
  uint32_t name;
  uint32_t pos;
  uint32_t owner;
  uint32_t base; /* name of the type it stands for; 0: enumeration */
  uint32_t dims_code, n_dims;
  uint32_t first_mod, n_mods;
  uint32_t first_literal, n_literals; /* in literals */
} DaeTypeDefinition;

typedef enum { DAE_CLASS_MODEL, DAE_CLASS_CLASS, DAE_CLASS_PACKAGE } DaeClassKind;

typedef struct {
  uint32_t name;
  uint32_t pos;
  DaeClassKind kind;
  uint32_t parent;
  uint32_t description;
  uint32_t experiment[4]; /* code of StartTime, StopTime, Tolerance, Interval; 0: none */
  bool elements; /* annotation(__daetool(elements = true)): x[2] always declares one element */
} DaeClass;

typedef struct {
  uint32_t owner;
  uint32_t code;
  bool is_initial;
  bool is_guess; /* parameter equation: variable and value stay on the stack */
} DaeSection;

typedef struct
{ /* a file, parsed. Index 0 of code, classes, declarations and types is unused. */
  GArray *code;         /* DaeInstruction */
  GArray *declarations; /* DaeDeclaration */
  GArray *modifications;
  GArray *types;    /* DaeTypeDefinition */
  GArray *literals; /* uint32_t names */
  GArray *classes;
  GArray *sections;
  GArray *paths;     /* uint32_t: number of parts, then name and number of subscripts of each */
  GArray *functions; /* uint32_t: names of function definitions */
  GArray *records;   /* uint32_t: names of record definitions */
  bool lost_names;   /* a declaration was so broken that its names are not known */
} DaeSyntax;

void dae_syntax_init(DaeSyntax *syntax);
void dae_syntax_clear(DaeSyntax *syntax);
uint32_t dae_syntax_begin_of(const DaeSyntax *syntax,
                             uint32_t code); /* place of the expression in the text */

static inline DaeInstruction *
dae_syntax_code(const DaeSyntax *syntax, uint32_t at)
{
  return &g_array_index(syntax->code, DaeInstruction, at);
}

static inline DaeDeclaration *
dae_syntax_declaration(const DaeSyntax *syntax, uint32_t i)
{
  return &g_array_index(syntax->declarations, DaeDeclaration, i);
}

/* ---- parse_*.c ---------------------------------------------------------------------------------- */

typedef struct {
  DaeTerms *terms;
  DaeSource *source;
  DaeNames *names;
  DaeSyntax *syntax;
  DaeLexer lexer;
  DaeToken token;    /* the one to look at */
  DaeToken previous; /* the one before it */
  GArray *frames;    /* open operators and brackets of expressions */
  GArray *parts;     /* parts of the references that are open */
  GString *scratch;
  uint32_t n_parts; /* of the reference under way */
  uint64_t moved;   /* instructions moved by comprehensions */
} DaeParser;

void dae_parser_init(DaeParser *parser, DaeTerms *terms, DaeSource *source, DaeNames *names,
                     DaeSyntax *syntax, const char *text, size_t length);
void dae_parser_clear(DaeParser *parser);
void dae_parser_advance(DaeParser *parser);
bool dae_parser_accept(DaeParser *parser, DaeTokenKind kind);
/* Reports `expected WHAT` at the token unless it is an error token. False if the token is another one. */
bool dae_parser_expect(DaeParser *parser, DaeTokenKind kind, const char *what);
void dae_parser_unexpected(DaeParser *parser, const char *expected);
char *dae_parser_describe_token(const DaeParser *parser, DaeToken token); /* (transfer full) */
uint32_t dae_parser_emit(DaeParser *parser, DaeOp op, uint32_t n, uint32_t arg, uint32_t pos);
DaeTokenKind dae_parser_peek(const DaeParser *parser); /* kind of the token after the next */
/* Skips to the `;` at bracket level 0 and over it, or to a keyword that begins something else. */
void dae_parser_recover(DaeParser *parser);
uint32_t dae_parser_string(
    DaeParser *parser); /* the token is a STRING: its decoded text as name; advances */
uint32_t dae_parser_optional_strings(DaeParser *parser); /* "a" + "b"; 0: none */

/* Appends the code of one expression, without RETURN. False: reported. */
bool dae_parse_expression(DaeParser *parser);
/* Code of its own, with RETURN; 0: reported. */
uint32_t dae_parse_expression_code(DaeParser *parser);
/* `[a, b, :]` after the opening bracket was seen but not consumed; one code that leaves *n values. 0: reported. */
uint32_t dae_parse_dimensions(DaeParser *parser, uint32_t *n);
void dae_parse_section(DaeParser *parser, uint32_t owner, bool is_initial);
void dae_parse_annotation(DaeParser *parser,
                          uint32_t owner); /* at `annotation`; owner 0: skip all */
void dae_parse_declaration(DaeParser *parser, uint32_t owner, bool is_protected);
void dae_parse_type(DaeParser *parser, uint32_t owner);                        /* at `type` */
bool dae_parse_modifications(DaeParser *parser, uint32_t *first, uint32_t *n); /* at `(` */
void dae_parse_file(DaeParser *parser);

/* ---- values and the scope ------------------------------------------------------------------------- */

typedef enum {
  DAE_VALUE_REAL,
  DAE_VALUE_INTEGER,
  DAE_VALUE_BOOLEAN,
  DAE_VALUE_STRING /* term: name id */,
  DAE_VALUE_ENUMERATION /* term: its number */,
  DAE_VALUE_COLON,
  DAE_VALUE_TUPLE,
  DAE_VALUE_POISON /* an error was reported, or a value is missing: silent */
} DaeValueType;

typedef struct {
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
  uint32_t count;      /* scalars */
  struct DaeChain
      *chain; /* a long sum or product that is still growing (chain.c); term is not set yet */
} DaeValue;

typedef enum {
  DAE_ENTITY_VARIABLE,
  DAE_ENTITY_PARAMETER,
  DAE_ENTITY_CONSTANT,
  DAE_ENTITY_INPUT,
  DAE_ENTITY_GROUP,   /* x where x[1], x[2] ... are declared one by one */
  DAE_ENTITY_LITERAL, /* of an enumeration */
  DAE_ENTITY_ITERATOR
} DaeEntityKind;

typedef struct {
  DaeEntityKind kind;
  DaeValueType type;
  uint32_t enumeration;
  uint32_t declaration; /* 0: none */
  uint32_t name;
  uint32_t n_dims;
  uint32_t *dims;
  uint32_t count; /* scalars */
  DaeTerm *
      value; /* what each scalar stands for: its symbol, a folded constant, an input's expression */
  DaeSymbol *symbols; /* variables, parameters, constants */
  DaeTerm *closed;    /* parameters and constants: value without symbols; DAE_NO_TERM: none */
  uint32_t alias;    /* the type definition it is declared with, in syntax->types; 0: builtin */
  uint32_t override; /* --set or --input of the whole value: index + 1 in overrides; 0: none */
  DaeTerm literal;   /* LITERAL: its number */
  uint8_t state;     /* structure.c: 0 new, 1 under way, 2 done */
  bool is_broken;    /* reported: uses are silent */
  bool is_free;
  bool is_element;           /* one element of a group */
  bool is_implicit_constant; /* a variable that cannot change: Integer n = 3 */
} DaeEntity;

typedef enum { DAE_IF_TRUE, DAE_IF_FALSE, DAE_IF_BOTH } DaeIfMode;

typedef struct {
  DaeIfMode mode;
  DaeTerm condition;
  uint32_t equations, equations_middle; /* if-equations: where the branches begin */
  uint32_t assertions, assertions_middle;
} DaeIfFrame;

typedef struct {
  uint32_t name, old_binding;
  uint32_t position; /* in range */
  uint32_t values;   /* comprehension: stack height below the results */
  DaeValue range;
  DaeValue current;
} DaeLoopFrame;

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
  uint32_t model;    /* class */
  GArray *entities;  /* DaeEntity; 0 unused; binding of a name = index */
  GArray *overrides; /* DaeOverride */
  GArray *stack;     /* DaeValue */
  GArray *ifs;       /* DaeIfFrame */
  GArray *loops;     /* DaeLoopFrame; an iterator's binding is DAE_ITERATOR_BIT + index */
  GStringChunk *strings;
  struct DaeArena *arena;   /* lives as long as the reader */
  struct DaeArena *scratch; /* emptied after each statement */
  uint64_t iterations;
  bool is_structural; /* stage 1: no symbols yet, parameters stand for their closed values */
  const DaeModel *lookup; /* dae_model_parse_expression: names are looked up here */
  GArray *equations;      /* DaeEquation under way */
  GArray *assertions;
  GArray *closed_of_symbol;    /* DaeTerm by symbol; DAE_NO_TERM: none */
  GArray *integer_symbol;      /* uint8_t by symbol: an Integer parameter */
  GHashTable *boolean_symbols; /* set of the symbols of Boolean variables */
  GString *text;               /* scratch */
  GHashTable *types;           /* name -> index in syntax->types */
  struct DaeModel *result;
} DaeReader;

/* DaeValue.enumeration of the builtin enumerations */
#define DAE_ENUMERATION_STATE_SELECT UINT32_MAX
#define DAE_ENUMERATION_ASSERTION_LEVEL (UINT32_MAX - 1)
#define DAE_ITERATOR_BIT 0x80000000u

typedef struct DaeArena DaeArena;
DaeArena *dae_arena_new(void);
void dae_arena_free(DaeArena *arena);
void *dae_arena_alloc(DaeArena *arena, size_t bytes); /* aligned for anything */
void dae_arena_reset(DaeArena *arena);

/* ---- discrete.c ---- */
/* Boolean, Integer, enumeration or declared discrete. */
bool dae_discrete_is_variable(const DaeReader *reader, const DaeEntity *entity);
/* The condition that a Boolean variable stands for, and back: the number 0 or 1 of any condition. */
DaeTerm dae_discrete_condition(DaeTerms *terms, DaeTerm variable);
DaeTerm dae_discrete_number(const DaeReader *reader, DaeTerm condition);
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

bool dae_value_is_numeric(const DaeValue *value); /* Real or Integer */
bool dae_value_same_size(const DaeValue *a, const DaeValue *b);
char *
dae_value_size_text(const DaeValue *value); /* "scalar", "[3]", "[2,3]"; (transfer full) */
const char *dae_value_type_text(const DaeValue *value); /* "Real", ... */
bool dae_dimensions_count(uint32_t n_dims, const uint32_t *dims,
                          uint32_t *count); /* false: too many */

/* ---- chain.c: long sums and products in linear time ---- */
/* a op b for scalars where a is already long. False: do it the ordinary way. *good is false if it was reported. */
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

/* ---- functions.c ---- */
/* Brings named arguments to their places. False: reported. */
bool dae_function_order_arguments(DaeReader *reader, const char *name, DaeValue *arguments,
                                  uint32_t n, uint32_t pos);
DaeValue dae_function_apply(DaeReader *reader, uint32_t name, DaeValue *arguments, uint32_t n,
                            uint32_t pos);
DaeValue dae_function_array(DaeReader *reader, const char *name, const DaeValue *arguments,
                            uint32_t n, uint32_t pos, bool *found); /* functions_array.c */

/* ---- evaluate.c ---- */
/* Runs code up to RETURN. True: the results are on the stack. False: reported, nothing is on the stack. */
bool dae_reader_run(DaeReader *reader, uint32_t code);
DaeValue dae_reader_evaluate(DaeReader *reader,
                             uint32_t code); /* one value; poison: reported */
/* A term without symbols for t if there is one: exact, with the closed values of parameters. */
DaeTerm dae_reader_close(DaeReader *reader, DaeTerm t, bool integers_only);
bool dae_reader_integer(DaeReader *reader, const DaeValue *value, uint32_t i, uint32_t pos,
                        int64_t *result);
bool dae_reader_step(DaeReader *reader, uint32_t *pc);
bool dae_reader_begin_if(DaeReader *reader, uint32_t pos);
bool dae_reader_begin_loop(DaeReader *reader, const DaeInstruction *loop, bool *is_empty);
bool dae_reader_next_round(DaeReader *reader, uint32_t pos);
void dae_reader_unwind(DaeReader *reader, uint32_t loops, uint32_t ifs);
DaeValue dae_reader_load(DaeReader *reader, uint32_t name, uint32_t pos);
void dae_reader_unknown_name(DaeReader *reader, uint32_t name, uint32_t pos);

/* ---- constants.c: names that are always there ---- */
bool dae_constant_find(DaeReader *reader, const char *name, DaeValue *value);

/* ---- equations.c ---- */
void dae_equations_execute(DaeReader *reader,
                           uint32_t code); /* a section, into reader->equations */
/* Statement instructions, called by the interpreter. False: reported. */
bool dae_equations_statement(DaeReader *reader, const DaeInstruction *instruction,
                             uint32_t *pc);

/* ---- scope.c, structure.c, overrides.c, instantiate.c ---- */
bool dae_scope_build(DaeReader *reader);
bool dae_scope_choose_model(DaeReader *reader, GError **error);
bool dae_overrides_parse(DaeReader *reader, GError **error);
/* Runs the code of an override: messages name the option. */
DaeValue dae_overrides_evaluate(DaeReader *reader, const DaeOverride *override);
/* Index of the element in its array. False: reported. */
bool dae_overrides_index(DaeReader *reader, const DaeOverride *override, uint32_t *index);
/* May a value of this type and size be given to the entity? Otherwise reports at pos. */
bool dae_structure_check_value(DaeReader *reader, const DaeEntity *entity,
                               const DaeValue *value, const char *what, uint32_t pos);
void dae_structure_evaluate(DaeReader *reader);
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
