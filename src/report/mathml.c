/* The same levels as the text printer (terms/print.c), with fractions, roots and raised
 * exponents in place of signs. Its own stack: the depth of a term is the user's. */
#include "report/mathml.h"

#include <string.h>

typedef enum {
  ITEM_TEXT,      /* static text */
  ITEM_TERM,      /* a term where at least this level is wanted */
  ITEM_MAGNITUDE, /* a monomial without its sign */
  ITEM_INVERSE,   /* b^(-e) of a factor b^e, e < 0 */
  ITEM_ABOVE,     /* numerator or denominator of a number p/q, without sign */
  ITEM_BELOW
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
  GArray *stack; /* Item, last first */
  GArray *batch; /* Item, in order, to be put on the stack */
} Writer;

static void
say(Writer *writer, const char *text)
{
  Item item = {.kind = ITEM_TEXT, .text = text};
  g_array_append_val(writer->batch, item);
}

static void
say_item(Writer *writer, ItemKind kind, DaeTerm t, DaePrecedence level)
{
  Item item = {.kind = kind, .level = level, .term = t};
  g_array_append_val(writer->batch, item);
}

static void
flush_batch(Writer *writer)
{
  for (guint i = writer->batch->len; i > 0; i--) {
    g_array_append_val(writer->stack, g_array_index(writer->batch, Item, i - 1));
  }
  g_array_set_size(writer->batch, 0);
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* 12.5, 1/3 as a fraction, 1e-7 as a power of ten; without sign. */
static void
append_number(Writer *writer, DaeTerm number)
{
  g_autofree char *text = dae_term_to_string(writer->terms, number);
  const char *digits = text[0] == '-' ? text + 1 : text;
  const char *slash = strchr(digits, '/');
  const char *power = strchr(digits, 'e');
  if (slash != NULL) {
    g_string_append_printf(writer->out, "<mfrac><mn>%.*s</mn><mn>%s</mn></mfrac>",
                           (int)(slash - digits), digits, slash + 1);
  } else if (power != NULL) {
    g_string_append_printf(writer->out,
                           "<mrow><mn>%.*s</mn><mo>·</mo><msup><mn>10</mn><mn>%s%s</mn></msup>"
                           "</mrow>",
                           (int)(power - digits), digits, power[1] == '-' ? "−" : "",
                           power + 1 + (power[1] == '-' || power[1] == '+'));
  } else {
    g_string_append_printf(writer->out, "<mn>%s</mn>", digits);
  }
}

/* p or q of p/q. */
static void
append_number_part(Writer *writer, DaeTerm number, bool below)
{
  g_autofree char *text = dae_term_to_string(writer->terms, number);
  const char *digits = text[0] == '-' ? text + 1 : text;
  const char *slash = strchr(digits, '/');
  g_string_append_printf(writer->out, "<mn>%.*s</mn>",
                         below ? (int)strlen(slash + 1) : (int)(slash - digits),
                         below ? slash + 1 : digits);
}

static bool
is_quotient(const Writer *writer, DaeTerm number)
{
  g_autofree char *text = dae_term_to_string(writer->terms, number);
  return strchr(text, '/') != NULL;
}

static bool
is_number(const Writer *writer, DaeTerm t)
{
  return dae_term_kind(writer->terms, t) == DAE_KIND_NUMBER;
}

/* The sign of the rational factor. */
static bool
is_negative(const Writer *writer, DaeTerm t)
{
  if (dae_term_kind(writer->terms, t) == DAE_KIND_PRODUCT) {
    t = dae_term_operand(writer->terms, t, 0);
  }
  return is_number(writer, t) && dae_term_sign(writer->terms, t) < 0;
}

/* A power with a negative number as exponent stands below the line of a fraction. */
static bool
goes_below(const Writer *writer, DaeTerm t)
{
  if (dae_term_kind(writer->terms, t) != DAE_KIND_POWER) {
    return false;
  }
  DaeTerm exponent = dae_term_operand(writer->terms, t, 1);
  return is_number(writer, exponent) && dae_term_sign(writer->terms, exponent) < 0;
}

static bool
is_half(const Writer *writer, DaeTerm exponent)
{
  DaeTerm twice = dae_term_mul(writer->terms, exponent, dae_term_int(writer->terms, 2));
  int64_t value = 0;
  return is_number(writer, exponent) && dae_term_get_int64(writer->terms, twice, &value) &&
         (value == 1 || value == -1);
}

/* As in text, but that fractions, roots and raised exponents hold together by themselves. */
static DaePrecedence
level_of(const Writer *writer, DaeTerm t)
{
  DaeKind kind = dae_term_kind(writer->terms, t);
  if (kind == DAE_KIND_NUMBER) {
    return is_negative(writer, t) ? DAE_BINDS_SUM : DAE_BINDS_PRIMARY;
  }
  if (kind == DAE_KIND_POWER) {
    return goes_below(writer, t) || !is_half(writer, dae_term_operand(writer->terms, t, 1))
               ? DAE_BINDS_PRODUCT
               : DAE_BINDS_PRIMARY;
  }
  return dae_term_precedence(writer->terms, t);
}

/* ---- products ------------------------------------------------------------------------------- */

static void
say_times(Writer *writer, uint32_t *said)
{
  if ((*said)++ > 0) {
    say(writer, "<mo>⁢</mo><mspace width=\"0.14em\"/>"); /* invisible times */
  }
}

/* The part of a number that stands on this side of the line, if it is not 1. */
static bool
say_number_part(Writer *writer, DaeTerm number, bool below, uint32_t *said)
{
  bool quotient = number != DAE_NO_TERM && is_quotient(writer, number);
  if (number == DAE_NO_TERM || (below && !quotient)) {
    return false;
  }
  if (!quotient) {
    say_times(writer, said);
    say_item(writer, ITEM_MAGNITUDE, number, DAE_BINDS_PRODUCT);
    return true;
  }
  g_autofree char *text = dae_term_to_string(writer->terms, number);
  if (!below && (g_str_has_prefix(text, "1/") || g_str_has_prefix(text, "-1/"))) {
    return false;
  }
  say_times(writer, said);
  say_item(writer, below ? ITEM_BELOW : ITEM_ABOVE, number, DAE_BINDS_PRODUCT);
  return true;
}

/* Factors above (or below) the line; a lone one needs no parentheses inside a fraction. */
static void
say_factors(Writer *writer, DaeTerm number, const DaeTerm *factors, uint32_t n, bool below,
            bool in_fraction)
{
  uint32_t said = 0;
  uint32_t n_here = say_number_part(writer, number, below, &said) ? 1 : 0;
  for (uint32_t i = 0; i < n; i++) {
    n_here += goes_below(writer, factors[i]) == below;
  }
  DaePrecedence level = in_fraction && n_here == 1 ? DAE_BINDS_IF : DAE_BINDS_PRODUCT;
  for (uint32_t i = 0; i < n; i++) {
    if (goes_below(writer, factors[i]) == below) {
      say_times(writer, &said);
      say_item(writer, below ? ITEM_INVERSE : ITEM_TERM, factors[i], level);
    }
  }
  if (said == 0) {
    say(writer, "<mn>1</mn>");
  }
}

static bool
is_unit(const Writer *writer, DaeTerm number)
{
  int64_t value = 0;
  return dae_term_get_int64(writer->terms, number, &value) && (value == 1 || value == -1);
}

static void
say_magnitude(Writer *writer, DaeTerm t)
{
  if (is_number(writer, t)) {
    append_number(writer, t);
    return;
  }
  if (dae_term_kind(writer->terms, t) != DAE_KIND_PRODUCT && !goes_below(writer, t)) {
    say_item(writer, ITEM_TERM, t, DAE_BINDS_PRODUCT);
    return;
  }
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(writer->terms, DAE_KIND_PRODUCT, &t, &n);
  DaeTerm number = DAE_NO_TERM;
  if (n > 1 && is_number(writer, factors[0])) {
    number = is_unit(writer, factors[0]) ? DAE_NO_TERM : factors[0];
    factors++;
    n--;
  }
  bool has_below = number != DAE_NO_TERM && is_quotient(writer, number);
  for (uint32_t i = 0; i < n; i++) {
    has_below = has_below || goes_below(writer, factors[i]);
  }
  say(writer, has_below ? "<mfrac><mrow>" : "<mrow>");
  say_factors(writer, number, factors, n, false, has_below);
  if (has_below) {
    say(writer, "</mrow><mrow>");
    say_factors(writer, number, factors, n, true, true);
  }
  say(writer, has_below ? "</mrow></mfrac>" : "</mrow>");
}

/* ---- kinds ---------------------------------------------------------------------------------- */

static void
say_summand(Writer *writer, DaeTerm t, bool first)
{
  bool negative = is_negative(writer, t);
  if (!first || negative) {
    say(writer, first ? "<mo form=\"prefix\">−</mo>" : negative ? "<mo>−</mo>" : "<mo>+</mo>");
  }
  say_item(writer, ITEM_MAGNITUDE, t, DAE_BINDS_PRODUCT);
}

/* As in the text: the number last, but first where that avoids a leading minus. */
static void
say_sum(Writer *writer, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(writer->terms, t, &n);
  uint32_t start = is_number(writer, operands[0]) ? 1 : 0;
  bool number_first =
      start == 1 && is_negative(writer, operands[1]) && !is_negative(writer, operands[0]);
  say(writer, "<mrow>");
  if (number_first) {
    say_summand(writer, operands[0], true);
  }
  for (uint32_t i = start; i < n; i++) {
    say_summand(writer, operands[i], i == start && !number_first);
  }
  if (start == 1 && !number_first) {
    say_summand(writer, operands[0], false);
  }
  say(writer, "</mrow>");
}

/* inverse: b^(-e) for e < 0. */
static void
say_power(Writer *writer, DaeTerm t, bool inverse, DaePrecedence level)
{
  DaeTerm base = dae_term_operand(writer->terms, t, 0);
  DaeTerm exponent = dae_term_operand(writer->terms, t, 1);
  if (inverse) {
    exponent = dae_term_neg(writer->terms, exponent);
  }
  if (is_half(writer, exponent)) {
    say(writer, "<msqrt>");
    say_item(writer, ITEM_TERM, base, DAE_BINDS_IF);
    say(writer, "</msqrt>");
  } else if (dae_term_is_one(writer->terms, exponent)) {
    say_item(writer, ITEM_TERM, base, level);
  } else {
    say(writer, "<msup><mrow>");
    say_item(writer, ITEM_TERM, base, DAE_BINDS_PRIMARY);
    say(writer, "</mrow><mrow>");
    say_item(writer, ITEM_TERM, exponent, DAE_BINDS_IF);
    say(writer, "</mrow></msup>");
  }
}

static void
say_operands(Writer *writer, DaeTerm t, const char *separator, DaePrecedence level)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(writer->terms, t, &n);
  for (uint32_t i = 0; i < n; i++) {
    say(writer, i > 0 ? separator : "");
    say_item(writer, ITEM_TERM, operands[i], level);
  }
}

/* The name of the function is what the text printer writes before the parenthesis. */
static void
say_call(Writer *writer, DaeTerm t)
{
  uint32_t n = 0;
  dae_term_operands(writer->terms, t, &n);
  DaeFunction function = dae_term_function(writer->terms, t);
  if (function == DAE_FN_PI) {
    say(writer, "<mi>π</mi>");
    return;
  }
  if (function == DAE_FN_ABS) {
    say(writer, "<mrow><mo>|</mo>");
    say_operands(writer, t, "", DAE_BINDS_IF);
    say(writer, "<mo>|</mo></mrow>");
    return;
  }
  g_autoptr(GString) text = g_string_new(NULL);
  dae_term_print_limited(writer->terms, t, text, 200);
  g_autofree char *name = g_strndup(text->str, strcspn(text->str, "("));
  g_string_append(writer->out, "<mrow><mi mathvariant=\"normal\">");
  dae_html_escape(writer->out, name);
  g_string_append(writer->out, "</mi><mo>⁡</mo><mo>(</mo>"); /* function application */
  say_operands(writer, t, "<mo>,</mo>", DAE_BINDS_IF);
  say(writer, "<mo>)</mo></mrow>");
}

static void
say_if(Writer *writer, DaeTerm t)
{
  say(writer, "<mrow><mo>{</mo><mtable columnalign=\"left\"><mtr><mtd>");
  say_item(writer, ITEM_TERM, dae_term_operand(writer->terms, t, 1), DAE_BINDS_IF);
  say(writer, "</mtd><mtd><mtext>if&#160;</mtext>");
  say_item(writer, ITEM_TERM, dae_term_operand(writer->terms, t, 0), DAE_BINDS_OR);
  say(writer, "</mtd></mtr><mtr><mtd>");
  say_item(writer, ITEM_TERM, dae_term_operand(writer->terms, t, 2), DAE_BINDS_IF);
  say(writer, "</mtd><mtd><mtext>else</mtext></mtd></mtr></mtable></mrow>");
}

static void
say_relation(Writer *writer, DaeTerm t)
{
  static const char *const signs[] = {"<mo>&lt;</mo>", "<mo>≤</mo>", "<mo>&gt;</mo>",
                                      "<mo>≥</mo>",    "<mo>=</mo>", "<mo>≠</mo>"};
  DaeTerm symbol = DAE_NO_TERM;
  bool negated = false;
  if (dae_term_is_truth(writer->terms, t, &symbol, &negated)) {
    say(writer, negated ? "<mo>¬</mo>" : "");
    say_item(writer, ITEM_TERM, symbol, DAE_BINDS_PRIMARY);
    return;
  }
  say_item(writer, ITEM_TERM, dae_term_operand(writer->terms, t, 0), DAE_BINDS_SUM);
  say(writer, signs[dae_term_relation_op(writer->terms, t)]);
  say_item(writer, ITEM_TERM, dae_term_operand(writer->terms, t, 1), DAE_BINDS_SUM);
}

static void
say_kind(Writer *writer, DaeTerm t)
{
  DaeTerms *terms = writer->terms;
  DaeKind kind = dae_term_kind(terms, t);
  switch (kind) {
  case DAE_KIND_NUMBER:
  case DAE_KIND_PRODUCT:
    say_summand(writer, t, true);
    break;
  case DAE_KIND_BOOLEAN:
    say(writer, dae_term_get_bool(terms, t) ? "<mi>true</mi>" : "<mi>false</mi>");
    break;
  case DAE_KIND_TIME:
    say(writer, "<mi>t</mi>");
    break;
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
    dae_mathml_name(dae_terms_symbol_name(terms, dae_term_get_symbol(terms, t)),
                    kind == DAE_KIND_VARIABLE ? dae_term_order(terms, t) : 0, writer->out);
    break;
  case DAE_KIND_POWER:
    if (goes_below(writer, t)) {
      say_magnitude(writer, t);
    } else {
      say_power(writer, t, false, DAE_BINDS_PRIMARY);
    }
    break;
  case DAE_KIND_SUM:
    say_sum(writer, t);
    break;
  case DAE_KIND_CALL:
    say_call(writer, t);
    break;
  case DAE_KIND_IF:
    say_if(writer, t);
    break;
  case DAE_KIND_RELATION:
    say_relation(writer, t);
    break;
  case DAE_KIND_AND:
    say_operands(writer, t, "<mo>∧</mo>", DAE_BINDS_NOT);
    break;
  case DAE_KIND_OR:
    say_operands(writer, t, "<mo>∨</mo>", DAE_BINDS_AND);
    break;
  case DAE_KIND_NOT:
    say(writer, "<mo>¬</mo>");
    say_item(writer, ITEM_TERM, dae_term_operand(terms, t, 0), DAE_BINDS_PRIMARY);
    break;
  }
}

/* Does it hold a fraction or a case distinction? Then its parentheses grow. */
static bool
is_tall(const Writer *writer, DaeTerm t)
{
  g_autoptr(GString) text = g_string_new(NULL);
  dae_term_print_limited(writer->terms, t, text, 200);
  return strchr(text->str, '/') != NULL || strstr(text->str, "if ") != NULL;
}

static void
write_item(Writer *writer, const Item *item)
{
  switch (item->kind) {
  case ITEM_TEXT:
    g_string_append(writer->out, item->text);
    break;
  case ITEM_TERM: {
    bool needs = level_of(writer, item->term) < item->level;
    bool tall = needs && is_tall(writer, item->term);
    g_string_append(writer->out, !needs ? ""
                                 : tall ? "<mrow><mo>(</mo>"
                                        : "<mrow><mo stretchy=\"false\">(</mo>");
    say_kind(writer, item->term);
    say(writer, !needs ? ""
                : tall ? "<mo>)</mo></mrow>"
                       : "<mo stretchy=\"false\">)</mo></mrow>");
    break;
  }
  case ITEM_MAGNITUDE:
    say_magnitude(writer, item->term);
    break;
  case ITEM_INVERSE:
    say_power(writer, item->term, true, item->level);
    break;
  case ITEM_ABOVE:
  case ITEM_BELOW:
    append_number_part(writer, item->term, item->kind == ITEM_BELOW);
    break;
  }
  flush_batch(writer);
}

static void
write_inner(DaeTerms *terms, DaeTerm t, GString *out)
{
  Writer writer = {terms, out, g_array_new(FALSE, FALSE, sizeof(Item)),
                   g_array_new(FALSE, FALSE, sizeof(Item))};
  say_item(&writer, ITEM_TERM, t, DAE_BINDS_IF);
  flush_batch(&writer);
  while (writer.stack->len > 0) {
    Item item = g_array_index(writer.stack, Item, writer.stack->len - 1);
    g_array_set_size(writer.stack, writer.stack->len - 1);
    write_item(&writer, &item);
  }
  g_array_free(writer.stack, TRUE);
  g_array_free(writer.batch, TRUE);
}

/* False: too long to be typeset; its beginning is in text. */
static bool
print_text(DaeTerms *terms, DaeTerm t, GString *text)
{
  return t == DAE_NO_TERM || dae_term_print_limited(terms, t, text, DAE_MATHML_LONGEST);
}

static void
open_math(GString *out, const char *text)
{
  g_string_append(out, "<math alttext=\"");
  dae_html_escape(out, text);
  g_string_append(out, "\">");
}

void
dae_mathml_term(DaeTerms *terms, DaeTerm t, GString *out)
{
  g_autoptr(GString) text = g_string_new(NULL);
  if (!print_text(terms, t, text)) {
    g_string_append(out, "<code>");
    dae_html_escape(out, text->str);
    g_string_append(out, "</code>");
    return;
  }
  open_math(out, text->str);
  write_inner(terms, t, out);
  g_string_append(out, "</math>");
}

void
dae_mathml_equation(DaeTerms *terms, DaeTerm lhs, DaeTerm rhs, GString *out)
{
  g_autoptr(GString) text = g_string_new(NULL);
  bool fits = print_text(terms, lhs, text);
  g_string_append(text, " = ");
  fits = print_text(terms, rhs, text) && fits;
  if (!fits) {
    g_string_append(out, "<code>");
    dae_html_escape(out, text->str);
    g_string_append(out, "</code>");
    return;
  }
  open_math(out, text->str);
  write_inner(terms, lhs, out);
  g_string_append(out, "<mo>=</mo>");
  write_inner(terms, rhs, out);
  g_string_append(out, "</math>");
}
