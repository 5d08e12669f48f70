/* The registry of functions: what is known of a function without looking at terms.
 *
 * A function is a number here and a line in functions.c: its names, its arguments, where it
 * is defined, what its values look like, how it is computed in double precision and written in
 * C. Rooms that need more (a derivative, a ball, an image modulo a prime, an operation of the
 * tape) have a table of their own, indexed by the number. tests/ROOM/test_functions.c goes
 * through the registry and fails where a function has no entry, or one that does not agree with
 * its value here.
 *
 * The checker of proofs takes no facts from here: what it trusts is in its own room
 * (docs/architecture.md). */
#ifndef DAE_BASE_FUNCTIONS_H
#define DAE_BASE_FUNCTIONS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  DAE_FN_SIN,
  DAE_FN_COS,
  DAE_FN_TAN,
  DAE_FN_ASIN,
  DAE_FN_ACOS,
  DAE_FN_ATAN,
  DAE_FN_ATAN2,
  DAE_FN_SINH,
  DAE_FN_COSH,
  DAE_FN_TANH,
  DAE_FN_EXP,
  DAE_FN_LOG,
  DAE_FN_LOG10,
  DAE_FN_ABS,
  DAE_FN_SIGN,
  DAE_FN_MIN,
  DAE_FN_MAX,
  DAE_FN_FLOOR,
  DAE_FN_CEIL,
  DAE_FN_INTEGER,
  DAE_FN_MOD,
  DAE_FN_DIV,
  DAE_FN_REM,
  DAE_FN_SMOOTH,
  DAE_FN_NOEVENT,
  DAE_FN_HOMOTOPY,
  DAE_FN_SEMILINEAR,
  DAE_FN_PI,       /* the constant pi, no operands */
  DAE_FN_SELECT,   /* (i, x1, ..., xn): x_i, a subscript that varies */
  DAE_FN_INTERVAL, /* (data, u): the number of the interval of ascending data that holds u */
  DAE_FN_LOOKUP,   /* (data, i): element i of constant data */
  DAE_FN_ROUTINE,  /* (number, k, x1, ..., xn): output k of a routine (terms/routines.h) */
  DAE_FN_COUNT
} DaeFunction; /* sqrt(x) has no function: it is POWER(x, 1/2); log10 keeps its own */

typedef enum {
  DAE_CLASS_ANALYTIC, /* inside of its domain */
  DAE_CLASS_CHOICE,   /* continuous, analytic pieces: abs, min, max, semiLinear */
  DAE_CLASS_STEP, /* whole numbers, constant between jumps: sign, floor, ceil, integer, div */
  DAE_CLASS_REST, /* of a division, linear between jumps: mod, rem */
  DAE_CLASS_MARK, /* has the value of one operand, and says something about it */
  DAE_CLASS_CONSTANT,
  DAE_CLASS_ELEMENT, /* chosen by a number: select, interval, lookup */
  DAE_CLASS_ROUTINE  /* opaque to algebra: equal operands give equal values, no more */
} DaeFunctionClass;

typedef enum {
  DAE_DOMAIN_ALL,
  DAE_DOMAIN_POSITIVE, /* the first operand */
  DAE_DOMAIN_UNIT,     /* the first operand in [-1, 1] */
  DAE_DOMAIN_POLES,    /* where the cosine of the first operand does not vanish */
  DAE_DOMAIN_DIVISOR,  /* the second operand is not 0 */
  DAE_DOMAIN_INDEX     /* a number of an element; of a routine: where it ends */
} DaeFunctionDomain;

typedef enum { DAE_PARITY_NONE, DAE_PARITY_EVEN, DAE_PARITY_ODD } DaeParity;

/* Strictly, on the whole domain. */
typedef enum { DAE_GROWTH_NONE, DAE_GROWTH_INCREASING, DAE_GROWTH_DECREASING } DaeGrowth;

/* What the sign of the value follows from. */
typedef enum {
  DAE_SIGN_OF_NOTHING, /* any sign */
  DAE_SIGN_OF_POSITIVE,
  DAE_SIGN_OF_NONNEGATIVE,
  DAE_SIGN_OF_OPERAND, /* that of the operand (of a mark: of the one whose value it has) */
  DAE_SIGN_OF_SIZE,    /* 0 where the operand is, else positive */
  DAE_SIGN_OF_EITHER,  /* that of one of two operands */
  DAE_SIGN_OF_LOWER,   /* rounded down */
  DAE_SIGN_OF_UPPER,   /* rounded up */
  DAE_SIGN_OF_EXCESS   /* of the operand over 1 */
} DaeFunctionSign;

/* [Modelica, 3.7.1 and 3.7.2] */
typedef enum {
  DAE_RESULT_REAL,
  DAE_RESULT_INTEGER,
  DAE_RESULT_AS_OPERANDS /* Integer where all operands are */
} DaeFunctionResult;

typedef enum {
  DAE_UNIT_OF_ANY,      /* nothing is known */
  DAE_UNIT_OF_NUMBER,   /* a literal: fits everywhere */
  DAE_UNIT_OF_ONE,      /* operand and value are numbers */
  DAE_UNIT_OF_RATIO,    /* operands of one unit, the value is a number */
  DAE_UNIT_OF_OPERANDS, /* operands and value of one unit */
  DAE_UNIT_OF_VALUE     /* that of the operand whose value it has */
} DaeFunctionUnit;

enum { DAE_ANY_ARITY = UINT8_MAX /* at least two */, DAE_MOST_ARGUMENTS = 3 };

typedef struct {
  const char *name; /* in Modelica; "$..." is not for users */
  uint8_t arity;
  uint8_t kind; /* DaeFunctionClass */
  bool breaks;  /* value or derivative may jump */
  bool rounds;  /* takes the whole part of an operand or of a quotient, which makes an event */
  uint8_t value_operand; /* of a mark */
  bool is_circular;      /* of an angle: the same after a full turn */
  bool picks;            /* the smaller or the larger of two operands */
  bool takes_data;       /* the first operand is the number of constant data (terms/data.c) */
  uint8_t n_fixed;       /* leading operands that are numbers of something, no values */
  uint8_t domain;        /* DaeFunctionDomain */
  uint8_t parity;        /* DaeParity */
  uint8_t growth;        /* DaeGrowth */
  uint8_t sign;          /* DaeFunctionSign */
  bool has_range;        /* analytic functions, sign, pi: */
  double low,
      high;       /* all values lie here; pi and its half are rounded to nearest: widen them */
  bool has_exact; /* f(exact_at) = exact_value, the one rational value at a rational number */
  int8_t exact_at, exact_value;
  uint8_t result;                            /* DaeFunctionResult */
  uint8_t unit;                              /* DaeFunctionUnit */
  const char *arguments[DAE_MOST_ARGUMENTS]; /* names of arguments, where a call may use them */
  /* In double precision; NaN outside of the domain. NULL: it takes more than numbers (data, a
   * routine). */
  double (*value)(const double *x);
  /* In C: the expression of a, b; NULL where it is no single operation. is_guarded: finite for
   * operands that are not, so that undefined operands need a test. c_name: of the function that
   * holds it. */
  const char *c_name, *c_value;
  bool is_guarded;
} DaeFunctionFacts;

const DaeFunctionFacts *dae_function_facts(DaeFunction function);

const char *dae_function_name(DaeFunction function);
/* Plain and Modelica.Math names of what a user may call. */
bool dae_function_find(const char *name, size_t length, DaeFunction *function);
bool dae_function_arity_ok(DaeFunction function, size_t n);

G_END_DECLS

#endif
