/* Canonical text: valid Modelica with as few parentheses as its grammar allows.
 *
 * Modelica's levels, loosest first: if, or, and, not, relation, sum (with a sign), product,
 * power, primary; both sides of a power are primaries. A product prints as numerators over
 * denominators: factors with a negative number as exponent go below the line; a coefficient
 * that is no finite decimal gives its two parts to both sides. Sums print the number last. The
 * printer builds no terms and keeps its own stack.
 */
#include "base/decimal.h"
#include "terms/routines-priv.h"
#include "terms/text.h"

typedef enum {
  ITEM_TEXT,      /* static text */
  ITEM_TERM,      /* a term where at least this level is wanted */
  ITEM_MAGNITUDE, /* a monomial without its sign */
  ITEM_INVERSE,   /* the factor b^(-e) of a factor b^e, e < 0 */
  ITEM_NUMERATOR, /* numerator or denominator of a NUMBER, without sign */
  ITEM_DENOMINATOR,
  ITEM_RAISED /* the size of a whole NUMBER as an exponent */
} ItemKind;

typedef struct {
  ItemKind kind;
  DaePrecedence level;
  DaeTerm term;
  const char *text;
} Item;

typedef struct {
  DaeTerms *terms;
  GString *out;
  GArray *stack;           /* Item, last first */
  GArray *batch;           /* Item, in order of printing, to be put on the stack */
  const GHashTable *names; /* term -> what is printed for it; NULL: nothing else */
  DaeTerm root;            /* is printed itself */
  DaePrintStyle style;
} Printer;

static void
say(Printer *printer, const char *text)
{
  Item item = {.kind = ITEM_TEXT, .text = text};
  g_array_append_val(printer->batch, item);
}

static void
say_item(Printer *printer, ItemKind kind, DaeTerm t, DaePrecedence level)
{
  Item item = {.kind = kind, .level = level, .term = t};
  g_array_append_val(printer->batch, item);
}

static void
say_term(Printer *printer, DaeTerm t, DaePrecedence level)
{
  say_item(printer, ITEM_TERM, t, level);
}

static void
flush_batch(Printer *printer)
{
  for (guint i = printer->batch->len; i > 0; i--) {
    g_array_append_val(printer->stack, g_array_index(printer->batch, Item, i - 1));
  }
  g_array_set_size(printer->batch, 0);
}

/* ---- parts of products ------------------------------------------------------------------- */

static void
say_star(Printer *printer, uint32_t *n_said)
{
  if (*n_said > 0) {
    say(printer, dae_print_times(printer->style));
  }
  (*n_said)++;
}

static void
say_numerator(Printer *printer, DaeTerm number, const DaeTerm *factors, uint32_t n)
{
  const DaeTerms *terms = printer->terms;
  uint32_t said = 0;
  if (number != DAE_NO_TERM) {
    DaeRat value = dae_number_view(terms, number);
    bool quotient = !dae_literal_is_decimal(&value);
    bool unit = value.big == NULL && ABS(value.num) == 1 && (quotient || value.den == 1);
    if (!unit) {
      say_star(printer, &said);
      say_item(printer, quotient ? ITEM_NUMERATOR : ITEM_MAGNITUDE, number, DAE_BINDS_PRIMARY);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    if (!dae_print_goes_below(terms, factors[i])) {
      say_star(printer, &said);
      say_term(printer, factors[i], DAE_BINDS_POWER);
    }
  }
  if (said == 0) {
    say(printer, "1");
  }
}

static void
say_denominator(Printer *printer, DaeTerm number, const DaeTerm *factors, uint32_t n)
{
  const DaeTerms *terms = printer->terms;
  bool quotient = number != DAE_NO_TERM && dae_print_is_quotient(terms, number);
  uint32_t below = quotient ? 1 : 0;
  for (uint32_t i = 0; i < n; i++) {
    below += dae_print_goes_below(terms, factors[i]);
  }
  if (below == 0) {
    return;
  }
  say(printer, below > 1 ? "/(" : "/");
  uint32_t said = 0;
  if (quotient) {
    say_star(printer, &said);
    say_item(printer, ITEM_DENOMINATOR, number, DAE_BINDS_PRIMARY);
  }
  for (uint32_t i = 0; i < n; i++) {
    if (dae_print_goes_below(terms, factors[i])) {
      say_star(printer, &said);
      say_item(printer, ITEM_INVERSE, factors[i], DAE_BINDS_POWER);
    }
  }
  if (below > 1) {
    say(printer, ")");
  }
}

static void
say_magnitude(Printer *printer, DaeTerm t)
{
  const DaeTerms *terms = printer->terms;
  const DaeNode *node = dae_node(terms, t);
  if (node->kind == DAE_KIND_NUMBER) {
    DaeRat value = dae_number_view(terms, t);
    bool is_fraction = false;
    dae_literal_append(printer->out, &value, &is_fraction);
    return;
  }
  if (node->kind != DAE_KIND_PRODUCT && !dae_print_goes_below(terms, t)) {
    say_term(printer, t, DAE_BINDS_PRODUCT);
    return;
  }
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &t, &n);
  DaeTerm number = DAE_NO_TERM;
  if (n > 1 && dae_is_kind(terms, factors[0], DAE_KIND_NUMBER)) {
    number = factors[0];
    factors++;
    n--;
  }
  say_numerator(printer, number, factors, n);
  say_denominator(printer, number, factors, n);
}

/* ---- kinds ------------------------------------------------------------------------------- */

static void
say_summand(Printer *printer, DaeTerm t, bool first)
{
  bool negative = dae_print_is_negative(printer->terms, t);
  if (!first) {
    say(printer, negative ? " - " : " + ");
  } else if (negative) {
    say(printer, "-");
  }
  say_item(printer, ITEM_MAGNITUDE, t, DAE_BINDS_PRODUCT);
}

/* The number goes last, but first where that avoids a leading minus: 1 - x. */
static void
say_sum(Printer *printer, const DaeNode *node)
{
  const DaeTerms *terms = printer->terms;
  const DaeTerm *operands = dae_node_operands(node);
  uint32_t start = dae_is_kind(terms, operands[0], DAE_KIND_NUMBER) ? 1 : 0;
  bool number_first = start == 1 && dae_print_is_negative(terms, operands[1]) &&
                      !dae_print_is_negative(terms, operands[0]);
  if (number_first) {
    say_summand(printer, operands[0], true);
  }
  for (uint32_t i = start; i < node->n; i++) {
    say_summand(printer, operands[i], i == start && !number_first);
  }
  if (start == 1 && !number_first) {
    say_summand(printer, operands[0], false);
  }
}

/* A whole number as exponent that mathematics raises. */
static bool
is_raised(const Printer *printer, DaeTerm exponent, int64_t *n)
{
  return printer->style == DAE_PRINT_MATH && dae_term_get_int64(printer->terms, exponent, n) &&
         *n != INT64_MIN;
}

/* |exponent| as the right side of a power, written out at once where it is a number. */
static void
say_power(Printer *printer, DaeTerm base, DaeTerm exponent, bool inverse)
{
  const DaeTerms *terms = printer->terms;
  int64_t n = 0;
  if (dae_print_is_half(terms, exponent)) {
    say(printer, printer->style == DAE_PRINT_MATH ? "√(" : "sqrt(");
    say_term(printer, base, DAE_BINDS_IF);
    say(printer, ")");
    return;
  }
  if (inverse && exponent == terms->minus_one) {
    say_term(printer, base, DAE_BINDS_POWER);
    return;
  }
  say_term(printer, base, DAE_BINDS_PRIMARY);
  if (is_raised(printer, exponent, &n) && (n >= 0 || inverse)) {
    say_item(printer, ITEM_RAISED, exponent, DAE_BINDS_PRIMARY);
    return;
  }
  say(printer, "^");
  if (!inverse) {
    say_term(printer, exponent, DAE_BINDS_PRIMARY);
    return;
  }
  bool quotient = dae_print_is_quotient(terms, exponent);
  say(printer, quotient ? "(" : "");
  say_item(printer, ITEM_MAGNITUDE, exponent, DAE_BINDS_PRIMARY);
  say(printer, quotient ? ")" : "");
}

static void
say_operands(Printer *printer, const DaeNode *node, const char *separator, DaePrecedence level)
{
  const DaeTerm *operands = dae_node_operands(node);
  for (uint32_t i = 0; i < node->n; i++) {
    if (i > 0) {
      say(printer, separator);
    }
    say_term(printer, operands[i], level);
  }
}

static void say_truth(Printer *printer, DaeTerm t, DaePrecedence context);

/* {x1, x2, x3}[i], of Booleans as such */
static void
say_selection(Printer *printer, const DaeNode *node)
{
  const DaeTerm *operands = dae_node_operands(node);
  bool are_truths = dae_print_selects_truths(printer->terms, node);
  for (uint32_t i = 1; i < node->n; i++) {
    say(printer, i == 1 ? "{" : ", ");
    if (are_truths) {
      say_truth(printer, operands[i], DAE_BINDS_IF);
    } else {
      say_term(printer, operands[i], DAE_BINDS_IF);
    }
  }
  say(printer, "}[");
  say_term(printer, operands[0], DAE_BINDS_IF);
  say(printer, "]");
}

/* $lookup({0, 1.5}, i): written out at once, with digits that read back to the same doubles. */
static void
say_data(Printer *printer, const DaeNode *node)
{
  int64_t number = 0;
  uint32_t n = 0;
  dae_term_get_int64(printer->terms, node->u.few[0], &number);
  const double *values = dae_terms_data(printer->terms, (uint32_t)number, &n);
  g_string_append_printf(printer->out, "%s({", dae_function_name((DaeFunction)node->op));
  for (uint32_t i = 0; i < n; i++) {
    char digits[DAE_DECIMAL_SIZE];
    g_string_append(printer->out, i > 0 ? ", " : "");
    g_string_append(printer->out, dae_decimal_shortest(digits, values[i]));
  }
  g_string_append(printer->out, "}, ");
  say_term(printer, node->u.few[1], DAE_BINDS_IF);
  say(printer, ")");
}

/* 'f#2', also of a function 'f' in quotes. */
void
dae_terms_print_routine(const DaeTerms *terms, uint32_t number, GString *out)
{
  g_autoptr(GString) text = g_string_new("'");
  for (const char *c = dae_terms_routine_name(terms, number); *c != '\0'; c++) {
    if (*c != '\'' && *c != '\\') {
      g_string_append_c(text, *c);
    }
  }
  if (!dae_routine_keeps_name(terms, number)) {
    g_string_append_printf(text, "#%u", number + 1);
  }
  g_string_append_c(text, '\'');
  while (!dae_routine_keeps_name(terms, number) && dae_routine_is_name(terms, text->str)) {
    g_string_truncate(text, text->len - 1);
    g_string_append(text, "#'");
  }
  g_string_append(out, text->str);
}

/* 'f#2'(1, x, y): output 1 of the routine with that name and number. */
static void
say_routine(Printer *printer, const DaeNode *node)
{
  const DaeTerm *operands = dae_node_operands(node);
  int64_t number = 0;
  int64_t k = 0;
  dae_term_get_int64(printer->terms, operands[0], &number);
  dae_term_get_int64(printer->terms, operands[1], &k);
  dae_terms_print_routine(printer->terms, (uint32_t)number, printer->out);
  g_string_append_printf(printer->out, "(%u", (uint32_t)k + 1);
  for (uint32_t i = 2; i < node->n; i++) {
    say(printer, ", ");
    say_term(printer, operands[i], DAE_BINDS_IF);
  }
  say(printer, ")");
}

static void
say_call(Printer *printer, const DaeNode *node)
{
  if (dae_function_facts((DaeFunction)node->op)->takes_data) {
    say_data(printer, node);
    return;
  }
  if (node->op == DAE_FN_SELECT) {
    say_selection(printer, node);
    return;
  }
  if (node->op == DAE_FN_ROUTINE) {
    say_routine(printer, node);
    return;
  }
  say(printer, dae_function_name((DaeFunction)node->op));
  if (node->op == DAE_FN_PI) {
    return;
  }
  say(printer, "(");
  say_operands(printer, node, ", ", DAE_BINDS_IF);
  say(printer, ")");
}

static void
say_variable(Printer *printer, const DaeNode *node)
{
  dae_print_derivative_begin(printer->out, printer->style, node->u.atom.order);
  g_string_append(printer->out, dae_terms_symbol_name(printer->terms, node->u.atom.symbol));
  dae_print_derivative_end(printer->out, printer->style, node->u.atom.order);
}

static void
say_if(Printer *printer, const DaeNode *node)
{
  say(printer, "if ");
  say_term(printer, node->u.few[0], DAE_BINDS_OR);
  say(printer, " then ");
  say_term(printer, node->u.few[1], DAE_BINDS_OR);
  say(printer, " else ");
  say_term(printer, node->u.few[2], DAE_BINDS_IF);
}

/* A condition as a side of a relation or an element of an array; true is 1. */
static void
say_truth(Printer *printer, DaeTerm t, DaePrecedence context)
{
  const DaeNode *node = dae_node(printer->terms, t);
  if (node->kind == DAE_KIND_NUMBER) {
    say(printer, t == printer->terms->one ? "true" : "false");
  } else {
    say_term(printer, node->kind == DAE_KIND_IF ? node->u.few[0] : t, context);
  }
}

static void
say_relation(Printer *printer, const DaeNode *node)
{
  static const char *const symbols[DAE_N_PRINT_STYLES][6] = {
      {" < ", " <= ", " > ", " >= ", " == ", " <> "},
      {" < ", " ≤ ", " > ", " ≥ ", " == ", " ≠ "}};
  DaeTerm symbol = DAE_NO_TERM;
  bool negated = false;
  if (dae_print_is_condition(printer->terms, node, &symbol, &negated)) {
    const DaeNode *truth = dae_node(printer->terms, symbol);
    say(printer, negated ? "not " : "");
    if (truth->kind == DAE_KIND_CALL && truth->op == DAE_FN_NOEVENT) {
      say(printer, "noEvent(");
      say_term(printer, dae_node(printer->terms, truth->u.few[0])->u.few[0], DAE_BINDS_IF);
      say(printer, ")");
    } else {
      say_term(printer, symbol, DAE_BINDS_PRIMARY);
    }
    return;
  }
  bool are_truths = dae_print_compares_truths(printer->terms, node);
  for (int k = 0; k < 2; k++) {
    say(printer, k == 1 ? symbols[printer->style][node->op] : "");
    if (are_truths) {
      say_truth(printer, node->u.few[k], DAE_BINDS_PRIMARY);
    } else {
      say_term(printer, node->u.few[k], DAE_BINDS_SUM);
    }
  }
}

static void
say_kind(Printer *printer, DaeTerm t)
{
  const DaeNode *node = dae_node(printer->terms, t);
  switch ((DaeKind)node->kind) {
  case DAE_KIND_NUMBER:
  case DAE_KIND_PRODUCT:
    say_summand(printer, t, true);
    break;
  case DAE_KIND_BOOLEAN:
    g_string_append(printer->out, node->op != 0 ? "true" : "false");
    break;
  case DAE_KIND_TIME:
    g_string_append(printer->out, "time");
    break;
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
    say_variable(printer, node);
    break;
  case DAE_KIND_POWER:
    if (dae_print_goes_below(printer->terms, t)) {
      say_magnitude(printer, t);
    } else {
      say_power(printer, node->u.few[0], node->u.few[1], false);
    }
    break;
  case DAE_KIND_SUM:
    say_sum(printer, node);
    break;
  case DAE_KIND_CALL:
    say_call(printer, node);
    break;
  case DAE_KIND_IF:
    say_if(printer, node);
    break;
  case DAE_KIND_RELATION:
    say_relation(printer, node);
    break;
  case DAE_KIND_AND:
    say_operands(printer, node, " and ", DAE_BINDS_NOT);
    break;
  case DAE_KIND_OR:
    say_operands(printer, node, " or ", DAE_BINDS_AND);
    break;
  case DAE_KIND_NOT:
    say(printer, "not ");
    say_term(printer, node->u.few[0], DAE_BINDS_PRIMARY);
    break;
  }
}

static void
print_number_part(Printer *printer, DaeTerm number, bool denominator)
{
  mpq_t q;
  mpq_init(q);
  DaeRat value = dae_number_view(printer->terms, number);
  dae_rat_get_mpq(&value, q);
  mpz_abs(mpq_numref(q), mpq_numref(q));
  if (denominator) {
    mpz_swap(mpq_numref(q), mpq_denref(q));
  }
  mpz_set_ui(mpq_denref(q), 1);
  DaeRat part;
  dae_rat_init_mpq(&part, q);
  bool is_fraction = false;
  dae_literal_append(printer->out, &part, &is_fraction);
  dae_rat_clear(&part);
  mpq_clear(q);
}

/* The name that was given for the term. False: there is none. */
static bool
say_name(Printer *printer, DaeTerm t)
{
  const char *name =
      printer->names != NULL && t != printer->root
          ? g_hash_table_lookup((GHashTable *)printer->names, GUINT_TO_POINTER(t))
          : NULL;
  if (name != NULL) {
    g_string_append(printer->out, name);
  }
  return name != NULL;
}

static void
print_item(Printer *printer, const Item *item)
{
  switch (item->kind) {
  case ITEM_TEXT:
    g_string_append(printer->out, item->text);
    break;
  case ITEM_TERM:
    if (say_name(printer, item->term)) {
      break;
    }
    if (dae_term_precedence(printer->terms, item->term) < item->level) {
      g_string_append_c(printer->out, '(');
      say_kind(printer, item->term);
      say(printer, ")");
    } else {
      say_kind(printer, item->term);
    }
    break;
  case ITEM_MAGNITUDE:
    say_magnitude(printer, item->term);
    break;
  case ITEM_INVERSE: {
    const DaeNode *node = dae_node(printer->terms, item->term);
    say_power(printer, node->u.few[0], node->u.few[1], true);
    break;
  }
  case ITEM_NUMERATOR:
  case ITEM_DENOMINATOR:
    print_number_part(printer, item->term, item->kind == ITEM_DENOMINATOR);
    break;
  case ITEM_RAISED: {
    int64_t n = 0;
    dae_term_get_int64(printer->terms, item->term, &n);
    dae_print_raised(printer->out, (uint64_t)ABS(n));
    break;
  }
  }
  flush_batch(printer);
}

/* What counts for the limit: bytes, of mathematics characters. */
static size_t
size_of(const Printer *printer, gsize from)
{
  const GString *out = printer->out;
  return printer->style == DAE_PRINT_MATH
             ? (size_t)g_utf8_strlen(out->str + from, (gssize)(out->len - from))
             : out->len - from;
}

static void
cut(const Printer *printer, gsize start, size_t most)
{
  GString *out = printer->out;
  gsize end = start + most;
  if (printer->style == DAE_PRINT_MATH) {
    end = (gsize)(g_utf8_offset_to_pointer(out->str + start, (glong)most) - out->str);
  }
  while (end > start && ((guchar)out->str[end] & 0xc0) == 0x80) {
    end--; /* not inside a UTF-8 sequence */
  }
  g_string_truncate(out, end);
  g_string_append(out, "...");
}

/* A name or a whole number of a few digits, without the stacks that others need. Proofs of large
 * models print millions of them. False: it is another term, or longer than asked for. */
static bool
print_at_once(Printer *printer, DaeTerm t, size_t most)
{
  const DaeNode *node = dae_node(printer->terms, t);
  gsize start = printer->out->len;
  int64_t number = 0;
  if (node->kind == DAE_KIND_PARAMETER || node->kind == DAE_KIND_VARIABLE) {
    say_variable(printer, node);
  } else if (dae_term_get_int64(printer->terms, t, &number) && number > -1000000000 &&
             number < 1000000000) {
    g_string_append(printer->out, number < 0 ? "-" : "");
    dae_literal_append_size(printer->out, number);
  } else {
    return false;
  }
  if (most > 0 && printer->out->len - start > most) {
    g_string_truncate(printer->out, start);
    return false;
  }
  return true;
}

static bool
print(Printer printer, DaeTerm t, size_t most)
{
  GString *out = printer.out;
  gsize start = out->len;
  size_t size = 0;
  if ((printer.names == NULL || t == printer.root) && print_at_once(&printer, t, most)) {
    return true;
  }
  printer.stack = g_array_new(FALSE, FALSE, sizeof(Item));
  printer.batch = g_array_new(FALSE, FALSE, sizeof(Item));
  say_term(&printer, t, DAE_BINDS_IF);
  flush_batch(&printer);
  bool complete = true;
  while (complete && printer.stack->len > 0) {
    Item item = g_array_index(printer.stack, Item, printer.stack->len - 1);
    gsize from = out->len;
    g_array_set_size(printer.stack, printer.stack->len - 1);
    print_item(&printer, &item);
    if (most > 0) {
      size += size_of(&printer, from);
      complete = size <= most;
    }
  }
  if (!complete) {
    cut(&printer, start, most);
  }
  g_array_free(printer.stack, TRUE);
  g_array_free(printer.batch, TRUE);
  return complete;
}

bool
dae_term_print_styled(DaeTerms *terms, DaeTerm t, const DaePrinting *how, GString *out)
{
  return print(
      (Printer){
          .terms = terms, .out = out, .names = how->names, .root = t, .style = how->style},
      t, how->most);
}

bool
dae_term_print_limited(DaeTerms *terms, DaeTerm t, GString *out, size_t max_bytes)
{
  return print((Printer){.terms = terms, .out = out}, t, max_bytes);
}

void
dae_term_print(DaeTerms *terms, DaeTerm t, GString *out)
{
  dae_term_print_limited(terms, t, out, 0);
}

void
dae_term_print_named(DaeTerms *terms, DaeTerm t, const GHashTable *names, GString *out)
{
  print((Printer){.terms = terms, .out = out, .names = names, .root = t}, t, 0);
}

char *
dae_term_to_string(DaeTerms *terms, DaeTerm t)
{
  GString *out = g_string_new(NULL);
  dae_term_print(terms, t, out);
  return g_string_free(out, FALSE);
}
