/* What the parser makes of Modelica text, and what instantiation makes of a
 * class: the same form for both.
 *
 * An expression, an equation section, an algorithm section is a run of DaeInstruction in
 * postfix order that ends in DAE_OP_RETURN: no trees, nothing recurses, 12 bytes an
 * instruction. Jumps are relative ("way").
 *
 * Layout of statements (equations and algorithms alike):
 *
 *   a = b                     a b EQUATION
 *   f(x)                      x STATEMENT(f)
 *   v := e                    TARGET(v) e ASSIGN          subscripts of v come before TARGET
 *   (a, , b) := f(x)          TARGET(a) HOLE TARGET(b) TUPLE(3) x CALL(f) ASSIGN
 *   (a, , b) = f(x)           a HOLE b TUPLE(3) x CALL(f) EQUATION
 *   if c then A elseif d then B else C end if
 *                             c WHETHER A OTHERWISE d WHETHER B OTHERWISE C ENDWHETHER ENDWHETHER
 *   when c then A elsewhen d then B end when
 *                             c WHEN A ELSEWHEN d WHEN B ELSEWHEN ENDWHEN ENDWHEN
 *   for i in r loop A end for r FOR ITERATOR(i) A ENDFOR
 *   while c loop A end while  c WHILE A ENDWHILE
 *
 * WHETHER.arg leads to the code behind its OTHERWISE, OTHERWISE.arg to its ENDWHETHER; WHEN and
 * ELSEWHEN likewise; FOR.arg behind its ENDFOR, ENDFOR.arg back to FOR; WHILE.arg behind its
 * ENDWHILE, ENDWHILE.arg back to the first instruction of the condition. */
#ifndef DAE_PARSER_SYNTAX_H
#define DAE_PARSER_SYNTAX_H

#include "parser/names.h"
#include "parser/source.h"

#define DAE_MAX_OPERANDS ((1u << 24) - 1)
#define DAE_MAX_PARTS 1000u /* a[i].b[j].c ...: parts of one reference */

/* f(x)[k], not (f(x))[k] */
#define DAE_INDEX_OF_CALL 1u

typedef enum {
  DAE_OP_RETURN,
  DAE_OP_NUMBER,  /* arg: name id of the literal's text, "12", "1.5e-3"; n: 1 if it is Real */
  DAE_OP_STRING,  /* arg: name id of the decoded text */
  DAE_OP_BOOLEAN, /* arg: 0 or 1 */
  DAE_OP_NAME,    /* arg: name; a leading dot (.A.b) stays part of the name */
  DAE_OP_ELEMENT, /* arg: name; n subscripts are on the stack */
  DAE_OP_PATH,    /* arg: index in paths; n subscripts are on the stack: a[i].b[j] */
  DAE_OP_COLON,   /* a whole dimension; as the range of a loop: `for i loop` */
  DAE_OP_LAST,    /* `end` in a subscript; arg: name of the array; n: dimension from 1 */
  DAE_OP_CALL,    /* arg: name of the function; n arguments */
  DAE_OP_NAMED,   /* arg: name of the argument on top of the stack */
  DAE_OP_INDEX,   /* n subscripts on top of a value; arg: DAE_INDEX_OF_CALL, or anything else */
  DAE_OP_ARRAY,   /* n elements; none of them: arg is the name of their record, or 0 */
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
  /* arg: way back to LOOP; n: 0, or before the CALL of sum(e for i in r, j in s): iterators */
  DAE_OP_NEXT,
  DAE_OP_HOLE,           /* a member of a tuple that is left out */
  DAE_OP_FUNCTION_VALUE, /* function f(a = 1): arg: name; n named arguments */
  /* arg: code whose value several declarations take parts of: evaluated once */
  DAE_OP_SHARED,
  DAE_OP_MEMBER, /* arg: member of the record on the stack; n: 1: of the text, 0: the reader's */
  /* statements */
  DAE_OP_EQUATION,  /* left and right are on the stack */
  DAE_OP_STATEMENT, /* n arguments; arg: name of the function */
  DAE_OP_FOR,       /* like LOOP */
  DAE_OP_ENDFOR,
  DAE_OP_WHETHER, /* if-equation, like TEST */
  DAE_OP_OTHERWISE,
  DAE_OP_ENDWHETHER,
  DAE_OP_WHEN, /* condition on the stack; arg: way to the code after ELSEWHEN */
  DAE_OP_ELSEWHEN,
  DAE_OP_ENDWHEN,
  DAE_OP_CONNECT, /* two references (NAME, ELEMENT, PATH) are on the stack */
  DAE_OP_TARGET,  /* what is assigned; arg: index in paths; n subscripts are on the stack */
  DAE_OP_ASSIGN,  /* a target (or tuple of them) and the value are on the stack */
  DAE_OP_WHILE,   /* condition on the stack; arg: way behind ENDWHILE */
  DAE_OP_ENDWHILE,
  /* arg: way to the ENDFOR or ENDWHILE of its loop; n: ifs open inside the loop */
  DAE_OP_BREAK,
  DAE_OP_LEAVE,      /* `return` */
  DAE_OP_UNSUPPORTED /* arg: name id of the text */
} DaeOp;

typedef struct {
  uint32_t op : 8;
  uint32_t n : 24;
  uint32_t arg;
  uint32_t pos;
} DaeInstruction;

/* Prefixes of declarations, classes and extends-clauses. */
typedef enum {
  DAE_FLAG_CONSTANT = 1 << 0,
  DAE_FLAG_PARAMETER = 1 << 1,
  DAE_FLAG_DISCRETE = 1 << 2,
  DAE_FLAG_INPUT = 1 << 3,
  DAE_FLAG_OUTPUT = 1 << 4,
  DAE_FLAG_PROTECTED = 1 << 5,
  DAE_FLAG_FINAL = 1 << 6,
  DAE_FLAG_LITERAL_DIMS = 1 << 7, /* x[1], x[2,3]: integer literals after the name */
  DAE_FLAG_BROKEN = 1 << 8,       /* a syntax error was reported in it */
  DAE_FLAG_FLOW = 1 << 9,
  DAE_FLAG_STREAM = 1 << 10,
  DAE_FLAG_INNER = 1 << 11,
  DAE_FLAG_OUTER = 1 << 12,
  DAE_FLAG_REDECLARE = 1 << 13,
  DAE_FLAG_REPLACEABLE = 1 << 14,
  DAE_FLAG_PARTIAL = 1 << 15,
  DAE_FLAG_ENCAPSULATED = 1 << 16,
  DAE_FLAG_EXPANDABLE = 1 << 17,
  DAE_FLAG_PURE = 1 << 18,
  DAE_FLAG_IMPURE = 1 << 19,
  DAE_FLAG_OPERATOR = 1 << 20,      /* operator record, operator function */
  DAE_FLAG_SHORT = 1 << 21,         /* class X = Y: see definition */
  DAE_FLAG_CLASS_EXTENDS = 1 << 22, /* class extends X: the first extends clause has no name */
  DAE_FLAG_IN_MODIFIER = 1 << 23,   /* written in a modifier: no member of its owner */
  DAE_FLAG_TAKEN_APART = 1 << 24,   /* a record whose members are declared behind it, as r.x */
  DAE_FLAG_MEMBER = 1 << 25,        /* such a member */
  DAE_FLAG_HAS_UNIT = 1 << 26       /* a variable of a function whose unit is left out */
} DaeFlag;

/* Modifiers in preorder: an entry, then its n_inner entries. A list of them is (first, n)
 * with n counting all levels; the next one of the same level is at i + 1 + n_inner.
 * Annotations have the same form. */
typedef struct { /* name(inner ...) = expression */
  uint32_t name; /* may be dotted */
  /* 0: none; is_component, is_class: index of the declaration or class instead */
  uint32_t code;
  uint32_t pos;
  uint32_t n_inner : 24;
  uint32_t is_each : 1;
  uint32_t is_final : 1;
  uint32_t is_redeclare : 1;
  uint32_t is_replaceable : 1;
  uint32_t is_component : 1; /* redeclare or replaceable T x ... */
  uint32_t is_class : 1;     /* redeclare or replaceable model X = Y ... */
  uint32_t is_break : 1;     /* = break: what stands below has no value */
  /* `break x` or `break connect(a, b)` of an extends-clause; code: CONNECT of the latter */
  uint32_t is_deselected : 1;
  /* flat model: an attribute of the type of an array, Real[3]: one value for each of them */
  uint32_t is_of_type : 1;
} DaeModification;

typedef struct {                       /* what few declarations have */
  uint32_t condition;                  /* code; 0: none */
  uint32_t constraint, constraint_pos; /* constrainedby: name; 0: none */
  uint32_t first_constraint_mod, n_constraint_mods;
  /* in modifications; only those that mean something */
  uint32_t first_annotation, n_annotations;
} DaeDeclarationRest;

typedef struct {
  uint32_t name;
  uint32_t pos;
  uint32_t owner; /* class */
  uint32_t type_pos;
  uint32_t type; /* name of the type */
  uint32_t flags;
  uint32_t dims_code;      /* dimensions after the name; 0: none */
  uint32_t type_dims_code; /* dimensions after the type */
  uint32_t n_dims : 16;
  uint32_t n_type_dims : 16;
  uint32_t first_mod, n_mods;
  uint32_t binding;     /* code; 0: none */
  uint32_t description; /* name id; 0: none */
  uint32_t rest;        /* in rests; 0: none */
} DaeDeclaration;

typedef struct {
  uint32_t name;
  uint32_t pos;
  uint32_t owner; /* the class in which it is written */
  uint32_t base;  /* name of the type it stands for; 0: enumeration */
  uint32_t base_pos;
  uint32_t flags; /* prefixes before the base: INPUT, OUTPUT, ... */
  uint32_t dims_code, n_dims;
  uint32_t first_mod, n_mods;
  uint32_t first_literal, n_literals; /* in literals */
  uint32_t class;                     /* the class it defines; 0: none (enumeration in place) */
  bool is_open;                       /* enumeration(:) */
} DaeTypeDefinition;

typedef enum {
  DAE_CLASS_MODEL,
  DAE_CLASS_CLASS,
  DAE_CLASS_PACKAGE,
  DAE_CLASS_BLOCK,
  DAE_CLASS_RECORD,
  DAE_CLASS_CONNECTOR,
  DAE_CLASS_TYPE,
  DAE_CLASS_FUNCTION,
  DAE_CLASS_OPERATOR
} DaeClassKind;

typedef struct {
  uint32_t name;
  uint32_t pos;
  DaeClassKind kind;
  uint32_t parent;
  uint32_t flags; /* DaeFlag */
  uint32_t description;
  uint32_t experiment[4]; /* code of StartTime, StopTime, Tolerance, Interval; 0: none */
  bool elements; /* annotation(__daetool(elements = true)): x[2] always declares one element */
  uint32_t definition;                 /* SHORT: index in types */
  uint32_t constraint, constraint_pos; /* constrainedby; 0: none */
  uint32_t first_constraint_mod, n_constraint_mods;
  uint32_t first_annotation, n_annotations; /* in modifications */
  uint32_t derivative;                      /* function x = der(f, a, b): name of f; 0: none */
  uint32_t first_derivative, n_derivatives; /* names a, b in literals */
  uint32_t external;                        /* in externals; 0: none */
  uint32_t within; /* top of a file: the name after `within`; 0: none */
} DaeClass;

typedef struct {
  uint32_t owner;
  uint32_t pos;
  uint32_t base;  /* name; 0: of `class extends X`, the inherited X */
  uint32_t flags; /* PROTECTED */
  uint32_t first_mod, n_mods;
} DaeExtends;

typedef enum {
  DAE_IMPORT_QUALIFIED, /* import A.B; also the members of import A.{B, C} */
  DAE_IMPORT_NAMED,     /* import N = A.B */
  DAE_IMPORT_ALL        /* import A.* */
} DaeImportKind;

typedef struct {
  uint32_t owner;
  uint32_t pos;
  uint32_t name;  /* A.B, without the star */
  uint32_t alias; /* the name it gets here; 0: ALL */
  DaeImportKind kind;
} DaeImport;

typedef struct { /* external "C" y = f(x, n) */
  uint32_t pos;
  uint32_t language; /* name id of the string; 0: "C" */
  uint32_t function; /* name; 0: that of the Modelica function */
  uint32_t result;   /* name; 0: none */
  uint32_t code, n;  /* arguments: n values on the stack; code 0: none given */
} DaeExternal;

typedef struct {
  uint32_t owner;
  uint32_t code;
  uint32_t pos; /* of its first word */
  bool is_initial;
  bool is_guess; /* parameter equation: variable and value stay on the stack */
  bool is_algorithm;
  bool is_connection; /* made by connects */
  uint32_t instance;  /* flat model: in `instances`, whose class has this section */
} DaeSection;

/* flat model: a component whose class is a model or block; 0 is the model itself */
typedef struct {
  uint32_t name;  /* flat name; 0: the model */
  uint32_t class; /* full name of its class */
  uint32_t pos;   /* of its declaration */
} DaeInstance;

typedef enum {
  DAE_FACE_POTENTIAL,
  DAE_FACE_FLOW,
  DAE_FACE_INPUT,
  DAE_FACE_OUTPUT,
  DAE_FACE_STREAM
} DaeFaceKind;

/* Flat model: a variable of a connector, or an input or output; connects are what its component
 * and its surroundings know each other by. */
typedef struct {
  uint32_t name; /* flat name */
  DaeFaceKind kind;
  bool is_internal;   /* of a protected connector: only its own component knows it */
  uint32_t n_outside; /* scalars in connects around the component */
  uint32_t n_given;   /* equations that connects give it */
} DaeFace;

/* A file, parsed; or several; or a flat model. Index 0 of code, classes, declarations, types,
 * rests and externals is unused. */
typedef struct {
  GArray *code;         /* DaeInstruction */
  guint code_room;      /* that is known to be in it, see dae_array_push */
  GArray *declarations; /* DaeDeclaration */
  GArray *rests;        /* DaeDeclarationRest */
  GArray *modifications;
  GArray *types;    /* DaeTypeDefinition: short classes, enumerations */
  GArray *literals; /* uint32_t names */
  GArray *classes;
  GArray *extends;   /* DaeExtends */
  GArray *imports;   /* DaeImport */
  GArray *externals; /* DaeExternal */
  GArray *sections;
  /* DaeInstance, DaeFace: filled when a class is flattened, otherwise empty */
  GArray *instances;
  GArray *faces;
  GArray *paths;   /* uint32_t: number of parts, then name and number of subscripts of each */
  bool lost_names; /* a declaration was so broken that its names are not known */
  bool is_base;    /* the text begins with `//! base` */
  /* extends, connect, redeclare ...: the first that is not flat; 0: none */
  uint32_t nonflat_word;
  uint32_t nonflat_pos;
} DaeSyntax;

void dae_syntax_init(DaeSyntax *syntax);
void dae_syntax_clear(DaeSyntax *syntax);
uint32_t dae_syntax_begin_of(const DaeSyntax *syntax,
                             uint32_t code); /* place of the expression in the text */
/* Is it an Integer literal that fits? */
bool dae_syntax_integer(const DaeNames *names, const DaeInstruction *instruction,
                        int64_t *value);
/* Index of the first instruction of the n values that lie on the stack
 * before the instruction at `at`. */
uint32_t dae_syntax_skip_back(const DaeSyntax *syntax, uint32_t at, uint32_t n);
/* Is class `inner` written inside of `class`, or is it that? 0 is the text, which encloses all. */
bool dae_syntax_encloses(const DaeSyntax *syntax, uint32_t class, uint32_t inner);
/* The entry NAME of a list of modifiers at its first level; NULL: none. */
const DaeModification *dae_syntax_modification(const DaeSyntax *syntax, uint32_t first,
                                               uint32_t n, uint32_t name);

/* Takes the elements from `length` on off an array without a zero behind it: stacks of the parser
 * and the reader are popped for each token, too often to ask GLib. */
static inline void
dae_array_cut(GArray *array, guint length)
{
  DAE_ASSERT(length <= array->len);
  array->len = length;
}

/* Makes room for more elements than there are; returns for how many. */
guint dae_array_widen(GArray *array);

/* Appends, and asks GLib only where the room that is known does not do: an array never gets
 * smaller inside. Others may append and cut too. */
#define dae_array_push(array, room, value)                                                     \
  do {                                                                                         \
    if (G_UNLIKELY((array)->len >= (room))) {                                                  \
      (room) = dae_array_widen(array);                                                         \
    }                                                                                          \
    ((__typeof__(value) *)(void *)(array)->data)[(array)->len++] = (value);                    \
  } while (0)

static inline uint32_t
dae_syntax_emit(DaeSyntax *syntax, DaeOp op, uint32_t n, uint32_t arg, uint32_t pos)
{
  uint32_t at = syntax->code->len;
  DaeInstruction instruction = {.op = op & 0xffu, .n = n & 0xffffffu, .arg = arg, .pos = pos};
  dae_array_push(syntax->code, syntax->code_room, instruction);
  return at;
}

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

static inline DaeClass *
dae_syntax_class(const DaeSyntax *syntax, uint32_t i)
{
  return &g_array_index(syntax->classes, DaeClass, i);
}

static inline DaeTypeDefinition *
dae_syntax_type(const DaeSyntax *syntax, uint32_t i)
{
  return &g_array_index(syntax->types, DaeTypeDefinition, i);
}

static inline DaeModification *
dae_syntax_modifier(const DaeSyntax *syntax, uint32_t i)
{
  return &g_array_index(syntax->modifications, DaeModification, i);
}

#endif
