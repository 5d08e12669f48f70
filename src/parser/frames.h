/* The stack of the expression parser: operators that wait for their right side, and open
 * brackets. Shared by parse_expression.c (operators, brackets) and parse_operand.c (what
 * an operator stands between). */
#ifndef DAE_PARSER_FRAMES_H
#define DAE_PARSER_FRAMES_H

#include "parser/parser.h"

typedef enum {
  DAE_FRAME_BASE,
  DAE_FRAME_OPERATOR,
  DAE_FRAME_RANGE,
  DAE_FRAME_IF,
  DAE_FRAME_PAREN,
  DAE_FRAME_CALL,
  DAE_FRAME_ARRAY,
  DAE_FRAME_MATRIX,
  DAE_FRAME_SUBSCRIPT,
  DAE_FRAME_INDEX,
  DAE_FRAME_ITERATOR
} DaeFrameKind;

typedef enum { DAE_PHASE_CONDITION, DAE_PHASE_THEN, DAE_PHASE_ELSE } DaeIfPhase;

/* Precedences, low to high. */
enum {
  DAE_LEVEL_RANGE = 1,
  DAE_LEVEL_OR,
  DAE_LEVEL_AND,
  DAE_LEVEL_NOT,
  DAE_LEVEL_RELATION,
  DAE_LEVEL_ADD,
  DAE_LEVEL_MUL,
  DAE_LEVEL_POW,
  DAE_LEVEL_TIGHT
};

typedef struct {
  uint8_t kind;
  uint8_t op;    /* OPERATOR; CALL: FUNCTION_VALUE or 0 */
  uint8_t level; /* OPERATOR: precedence; IF: phase; CALL: 1: array(e for i in r) */
  bool is_unary;
  bool has_named; /* CALL: an argument by name was read */
  uint32_t pos;
  uint32_t n;     /* complete elements */
  uint32_t start; /* code of the element that is open */
  uint32_t first; /* code of the whole bracket */
  /* CALL: function; SUBSCRIPT: first part; MATRIX: rows; IF: open TEST; ITERATOR: number */
  uint32_t a;
  /* CALL: name of the argument; IF: last ELSE; MATRIX: elements of the row; SUBSCRIPT: parts */
  uint32_t b;
  uint32_t inside; /* index + 1 of the nearest SUBSCRIPT or INDEX frame, for `end` */
} DaeFrame;

typedef struct {
  uint32_t name, n;
} DaePart;

typedef enum { DAE_STEP_FAIL, DAE_STEP_OPERAND, DAE_STEP_OPERATOR, DAE_STEP_DONE } DaeStep;

static inline DaeFrame *
dae_frames_top(const DaeParser *parser)
{
  return &g_array_index(parser->frames, DaeFrame, parser->frames->len - 1);
}

static inline uint32_t
dae_frames_code_length(const DaeParser *parser)
{
  return parser->syntax->code->len;
}

DaeFrame *dae_frames_push(DaeParser *parser, DaeFrameKind kind, uint32_t pos);
void dae_frames_pop(DaeParser *parser);
/* Reports unless the token is an error already. */
DaeStep dae_frames_fail(DaeParser *parser, uint32_t pos, const char *message);
DaeStep dae_frames_close(DaeParser *parser); /* the token is a closing bracket */

DaeStep dae_operand_begin(DaeParser *parser); /* an operand is wanted */
DaeStep dae_operand_open_bracket(DaeParser *parser, DaeFrameKind kind);
/* Subscripts of any value; is_call: they stand directly behind a call. */
DaeStep dae_operand_open_index(DaeParser *parser, bool is_call);
/* `.a.b` behind a bracket: members of the record that it makes. False: reported. */
bool dae_operand_take_members(DaeParser *parser);
DaeStep dae_operand_close_subscript(DaeParser *parser); /* behind its `]` */

#endif
