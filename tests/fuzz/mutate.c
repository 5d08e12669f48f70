/* Mutations that keep most of a model's grammar, for libFuzzer: tokens and statements are
 * exchanged, copied, dropped, wrapped in functions, numbers become awkward ones. Plain byte
 * mutations break the syntax nearly always, so that the stages behind the reader would hardly
 * be reached. Half of the calls go to libFuzzer's own mutations. */
#include <glib.h>
#include <string.h>

#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

typedef struct {
  size_t from, to;
} Piece;

static const char *const OPERATORS[] = {" + ", " - ", "*", "/", "^", " = ", " < ", " and "};
static const char *const NUMBERS[] = {"0",   "1",    "-1",   "2",     "1/3",    "0.1",  "1e-9",
                                      "1e9", "1e30", "(-2)", "1e400", "1e-400", "time", "3^20"};
static const char *const WRAPS[] = {
    "sin(",  "cos(", "der(",     "exp(",  "log(", "sqrt(", "abs(",     "(-",        "(",
    "tanh(", "1/(",  "noEvent(", "sign(", "tan(", "(1 + ", "der(der(", "smooth(0, "};
static const char *const STATEMENTS[] = {"\nequation\n",
                                         "\ninitial equation\n",
                                         "Real q(start = 1, fixed = true);",
                                         "parameter Real k = 2;",
                                         "der(q) = -q;",
                                         "0 = q - k;",
                                         "if time > k then q = 1; else q = 2; end if;",
                                         "for i in 1:3 loop w[i] = i; end for;",
                                         "Real w[3];",
                                         "assert(q > 0, \"no\");",
                                         "x^2 + y^2 = 1;",
                                         "when time > 1 then reinit(q, 2); end when;"};

#define PICK(random, list) ((list)[g_rand_int_range((random), 0, G_N_ELEMENTS(list))])

static int
character_class(uint8_t c)
{
  if (g_ascii_isalnum(c) || c == '_' || c == '.') {
    return 1;
  }
  return g_ascii_isspace(c) ? 2 : 0;
}

/* Words, numbers, single signs; white space is skipped. */
static GArray *
split_tokens(const uint8_t *data, size_t size)
{
  GArray *pieces = g_array_new(FALSE, FALSE, sizeof(Piece));
  for (size_t i = 0; i < size;) {
    Piece piece = {i, i + 1};
    int kind = character_class(data[i]);
    while (kind != 0 && piece.to < size && character_class(data[piece.to]) == kind) {
      piece.to++;
    }
    if (kind != 2) {
      g_array_append_val(pieces, piece);
    }
    i = piece.to;
  }
  return pieces;
}

/* From one semicolon to behind the next. */
static GArray *
split_statements(const uint8_t *data, size_t size)
{
  GArray *pieces = g_array_new(FALSE, FALSE, sizeof(Piece));
  Piece piece = {0, 0};
  for (size_t i = 0; i < size; i++) {
    if (data[i] == ';') {
      piece.to = i + 1;
      g_array_append_val(pieces, piece);
      piece.from = i + 1;
    }
  }
  return pieces;
}

/* A window of tokens with balanced parentheses: an operand, as far as one can tell by counting. */
static Piece
pick_operand(GRand *random, const GArray *tokens, const uint8_t *data)
{
  guint first = (guint)g_rand_int_range(random, 0, (gint32)tokens->len);
  guint last = first;
  int open = 0;
  guint wanted = (guint)g_rand_int_range(random, 0, 5);
  for (guint i = first; i < tokens->len; i++) {
    uint8_t c = data[g_array_index(tokens, Piece, i).from];
    open += (c == '(') - (c == ')');
    if (open < 0 || c == ';' || c == '=') {
      break;
    }
    last = i;
    if (open == 0 && i >= first + wanted) {
      break;
    }
  }
  return (Piece){g_array_index(tokens, Piece, first).from,
                 g_array_index(tokens, Piece, last).to};
}

static void
append_piece(GString *out, const uint8_t *data, Piece piece)
{
  g_string_append_len(out, (const char *)data + piece.from, (gssize)(piece.to - piece.from));
}

/* The bytes of what replaces the operand. */
static void
rewrite_operand(GRand *random, const GArray *tokens, const uint8_t *data, Piece old,
                GString *out)
{
  switch (g_rand_int_range(random, 0, 6)) {
  case 0: /* another operand of the text */
    append_piece(out, data, pick_operand(random, tokens, data));
    break;
  case 1:
    g_string_append(out, PICK(random, NUMBERS));
    break;
  case 2: {
    const char *wrap = PICK(random, WRAPS);
    g_string_append(out, wrap);
    append_piece(out, data, old);
    for (const char *c = wrap; *c != '\0'; c++) {
      g_string_append(out, *c == '(' ? ")" : "");
    }
    break;
  }
  case 3:
    append_piece(out, data, old);
    g_string_append(out, PICK(random, OPERATORS));
    append_piece(out, data, pick_operand(random, tokens, data));
    break;
  case 4:
    g_string_append(out, PICK(random, OPERATORS));
    break;
  default: /* dropped */
    break;
  }
}

static void
change_operand(GRand *random, const uint8_t *data, size_t size, GString *out)
{
  g_autoptr(GArray) tokens = split_tokens(data, size);
  if (tokens->len == 0) {
    return;
  }
  Piece old = pick_operand(random, tokens, data);
  append_piece(out, data, (Piece){0, old.from});
  rewrite_operand(random, tokens, data, old, out);
  append_piece(out, data, (Piece){old.to, size});
}

static void
change_statement(GRand *random, const uint8_t *data, size_t size, GString *out)
{
  g_autoptr(GArray) statements = split_statements(data, size);
  if (statements->len == 0) {
    return;
  }
  gint32 n = (gint32)statements->len;
  Piece a = g_array_index(statements, Piece, g_rand_int_range(random, 0, n));
  Piece b = g_array_index(statements, Piece, g_rand_int_range(random, 0, n));
  append_piece(out, data, (Piece){0, a.from});
  switch (g_rand_int_range(random, 0, 4)) {
  case 0: /* copied to here */
    append_piece(out, data, b);
    append_piece(out, data, a);
    break;
  case 1: /* replaced */
    append_piece(out, data, b);
    break;
  case 2:
    g_string_append(out, PICK(random, STATEMENTS));
    append_piece(out, data, a);
    break;
  default: /* dropped */
    break;
  }
  append_piece(out, data, (Piece){a.to, size});
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
  g_autoptr(GRand) random = g_rand_new_with_seed(seed);
  if (size < 4 || g_rand_int_range(random, 0, 2) == 0) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  g_autoptr(GString) out = g_string_sized_new(size + 64);
  if (g_rand_int_range(random, 0, 3) == 0) {
    change_statement(random, data, size, out);
  } else {
    change_operand(random, data, size, out);
  }
  if (out->len == 0 || out->len > max_size) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  memcpy(data, out->str, out->len);
  return out->len;
}
