/* String variables that change at events: when c then s = "on " + String(x); end when.
 *
 * A text gets a number, and a discrete Integer variable of the model holds the number of the text
 * that the String variable has; values in a text are held in discrete variables of their own, so
 * that the text keeps what they were at the event. Where such a variable is read, a mark of kind
 * DAE_TEXT_NUMBERED stands for it. When everything is read, these marks become a choice among the
 * texts that the variable may have: numbers and conditions are all that a model has. */
#include "reader/calls.h"

#include <string.h>

#include "model/flat.h"
#include "reader/attributes.h"
#include "reader/texts-priv.h"
#include "terms/message.h"

struct DaeTexts *
dae_texts_of(DaeReader *reader)
{
  if (reader->texts == NULL) {
    reader->texts = g_new0(struct DaeTexts, 1);
    reader->texts->texts = g_array_new(FALSE, FALSE, sizeof(DaeNumberedText));
    reader->texts->numbers = g_hash_table_new(NULL, NULL);
    reader->texts->holders = g_array_new(FALSE, FALSE, sizeof(DaeTextHolder));
    reader->texts->compared = g_array_new(FALSE, FALSE, sizeof(DaeTextComparison));
    reader->texts->late = g_array_new(FALSE, FALSE, sizeof(DaeLateText));
    reader->texts->marks = g_hash_table_new(NULL, NULL);
  }
  return reader->texts;
}

void
dae_texts_free(struct DaeTexts *texts)
{
  if (texts == NULL) {
    return;
  }
  for (uint32_t i = 0; i < texts->holders->len; i++) {
    g_array_free(g_array_index(texts->holders, DaeTextHolder, i).numbers, TRUE);
  }
  g_array_free(texts->texts, TRUE);
  g_hash_table_destroy(texts->numbers);
  g_array_free(texts->holders, TRUE);
  g_array_free(texts->compared, TRUE);
  g_array_free(texts->late, TRUE);
  g_hash_table_destroy(texts->marks);
  g_free(texts);
}

static uint32_t
number_of_text(DaeReader *reader, uint32_t name, DaeSymbol owner)
{
  struct DaeTexts *texts = dae_texts_of(reader);
  gpointer key = GUINT_TO_POINTER(name);
  uint32_t number = GPOINTER_TO_UINT(g_hash_table_lookup(texts->numbers, key));
  if (number == 0) {
    DaeNumberedText text = {name, owner};
    g_array_append_val(texts->texts, text);
    number = texts->texts->len;
    g_hash_table_insert(texts->numbers, key, GUINT_TO_POINTER(number));
  }
  return number;
}

DaeTextHolder *
dae_text_holder(DaeReader *reader, DaeSymbol symbol)
{
  struct DaeTexts *texts = dae_texts_of(reader);
  for (uint32_t i = 0; i < texts->holders->len; i++) {
    DaeTextHolder *holder = &g_array_index(texts->holders, DaeTextHolder, i);
    if (holder->symbol == symbol) {
      return holder;
    }
  }
  return NULL;
}

static DaeTextHolder *
add_holder(DaeReader *reader, DaeSymbol symbol, uint32_t pos)
{
  DaeTextHolder holder = {symbol, pos, g_array_new(FALSE, FALSE, sizeof(DaeTerm)), false};
  struct DaeTexts *texts = dae_texts_of(reader);
  g_array_append_val(texts->holders, holder);
  return &g_array_index(texts->holders, DaeTextHolder, texts->holders->len - 1);
}

/* ---- variables --------------------------------------------------------------------------- */

static uint32_t
mark_of(DaeReader *reader, DaeTerm number)
{
  const DaeTextFormat format = {.kind = DAE_TEXT_NUMBERED, .digits = 6};
  g_autoptr(GString) text = g_string_new(NULL);
  int64_t n = 0;
  if (dae_term_get_int64(reader->terms, number, &n)) {
    return g_array_index(dae_texts_of(reader)->texts, DaeNumberedText, n - 1).name;
  }
  dae_message_append_value(text, number, &format);
  return dae_names_intern(reader->names, text->str, text->len);
}

/* The term of a text that is one mark and nothing else; DAE_NO_TERM: it is not. */
static DaeTerm
marked_number(const DaeReader *reader, uint32_t name)
{
  g_autoptr(GString) form = g_string_new(NULL);
  const char *at = dae_names_text(reader->names, name);
  DaeMessagePart part;
  return dae_message_next(reader->terms, &at, &part, form) && part.length == 0 &&
                 part.format.kind == DAE_TEXT_NUMBERED && part.format.when == DAE_NO_TERM &&
                 *at == '\0'
             ? part.term
             : DAE_NO_TERM;
}

bool
dae_text_is_numbered(const DaeReader *reader, uint32_t name)
{
  return name != 0 && marked_number(reader, name) != DAE_NO_TERM;
}

/* The variable itself, not its value before. */
static bool
is_variable(const DaeReader *reader, uint32_t name)
{
  DaeTerm t = name != 0 ? marked_number(reader, name) : DAE_NO_TERM;
  return t != DAE_NO_TERM && dae_term_kind(reader->terms, t) == DAE_KIND_VARIABLE;
}

static DaeSymbol
add_symbol(DaeReader *reader, const char *kind, const char *of)
{
  size_t n = strlen(of);
  bool is_quoted = n > 1 && *of == '\'';
  g_autofree char *name = g_strdup_printf("'$%s %.*s'", kind, (int)(is_quoted ? n - 2 : n),
                                          of + (is_quoted ? 1 : 0));
  DaeSymbol symbol = 0;
  while (dae_terms_find_symbol(reader->terms, name, &symbol)) {
    char *longer = g_strconcat("'$", name + 1, NULL);
    g_free(name);
    name = longer;
  }
  return dae_terms_add_symbol(reader->terms, DAE_SYMBOL_VARIABLE, name);
}

static void
add_variable(DaeReader *reader, DaeSymbol symbol, DaeType type, DaeTerm start, uint32_t pos)
{
  DaeVariable variable = {.symbol = symbol,
                          .type = type,
                          .start = start,
                          .fixed = true,
                          .is_protected = true,
                          .is_auxiliary = true,
                          .is_discrete = true,
                          .span = dae_source_span(reader->source, pos)};
  dae_flat_add_variable(reader->result, &variable);
}

DaeSymbol
dae_text_symbol(DaeReader *reader, const DaeEntity *entity, uint32_t i)
{
  const char *name = dae_names_text(reader->names, entity->name);
  if (entity->n_dims > 0) {
    dae_instantiate_element_name(reader, entity, i, reader->text);
    name = reader->text->str;
  }
  return add_symbol(reader, "text", name);
}

void
dae_text_register(DaeReader *reader, DaeEntity *entity, uint32_t pos)
{
  entity->value = dae_arena_words(reader->arena, MAX(entity->count, 1u));
  entity->symbols = dae_arena_words(reader->arena, MAX(entity->count, 1u));
  for (uint32_t i = 0; i < entity->count; i++) {
    entity->symbols[i] = dae_text_symbol(reader, entity, i);
    entity->value[i] = mark_of(reader, dae_term_variable(reader->terms, entity->symbols[i], 0));
    add_holder(reader, entity->symbols[i], pos);
  }
}

void
dae_text_instantiate(DaeReader *reader, const DaeEntity *entity, uint32_t pos)
{
  DaeAttributes attributes;
  dae_attributes_read(reader, entity, &attributes);
  for (uint32_t i = 0; i < entity->count; i++) {
    DaeTerm name = dae_attributes_term(&attributes, DAE_ATTRIBUTE_START, i);
    uint32_t text = name != DAE_NO_TERM ? dae_string_known(reader, name)
                                        : dae_names_intern(reader->names, "", 0);
    DaeTerm start =
        dae_term_int(reader->terms, number_of_text(reader, text, DAE_TEXT_NO_OWNER));
    add_variable(reader, entity->symbols[i], DAE_TYPE_INTEGER, start, pos);
    g_array_append_val(dae_text_holder(reader, entity->symbols[i])->numbers, start);
  }
}

/* ---- numbers of texts -------------------------------------------------------------------- */

static DaeTerm
number_of_choice(void *user, uint32_t name)
{
  DaeReader *reader = user;
  return dae_term_int(reader->terms, number_of_text(reader, name, DAE_TEXT_NO_OWNER));
}

/* The number of a text; DAE_NO_TERM: it has values at run time in it. */
static DaeTerm
number_of(DaeReader *reader, uint32_t name)
{
  struct DaeTexts *texts = dae_texts_of(reader);
  uint32_t known =
      GPOINTER_TO_UINT(g_hash_table_lookup(texts->numbers, GUINT_TO_POINTER(name)));
  DaeTerm marked = known == 0 ? marked_number(reader, name) : DAE_NO_TERM;
  if (known != 0) {
    return dae_term_int(reader->terms, known);
  }
  if (marked != DAE_NO_TERM) {
    return marked;
  }
  if (dae_string_is_known(reader, name)) {
    return number_of_choice(reader, dae_string_known(reader, name));
  }
  return dae_text_each_choice(reader, name, number_of_choice, reader);
}

/* A discrete variable that takes the value here. */
static DaeTerm
hold(DaeReader *reader, const DaeMessagePart *part, DaeTerm value, DaeSymbol owner,
     uint32_t pos)
{
  DaeTerms *terms = reader->terms;
  g_autofree char *kind = g_strdup_printf("value%u of", ++dae_texts_of(reader)->n_values);
  DaeSymbol symbol = add_symbol(reader, kind, dae_terms_symbol_name(terms, owner));
  DaeTerm variable = dae_term_variable(terms, symbol, 0);
  add_variable(reader, symbol, DAE_TYPE_REAL, DAE_NO_TERM, pos);
  if (part->format.kind == DAE_TEXT_NUMBERED && value == part->term) {
    g_array_append_val(add_holder(reader, symbol, pos)->numbers, value);
  }
  if (reader->scopes->len > 0) { /* a section: pre(v) where the statement does not count */
    DaeValue now = dae_value_scalar(DAE_VALUE_REAL, variable);
    value = dae_term_if(terms, dae_when_statement_path(reader), value,
                        dae_operator_pre(reader, &now, pos).term);
  } else {
    dae_when_check_equation(reader, variable, pos);
  }
  DaeEquation equation = {
      .lhs = variable, .rhs = value, .span = dae_source_span(reader->source, pos)};
  g_array_append_val(reader->equations, equation);
  return variable;
}

/* The number of a text whose values are held from here on. */
static DaeTerm
number_with_values(DaeReader *reader, uint32_t name, DaeSymbol owner, uint32_t pos)
{
  g_autoptr(GString) form = g_string_new(NULL);
  g_autoptr(GString) text = g_string_new(NULL);
  g_autofree char *copy = g_strdup(dae_names_text(reader->names, name));
  const char *at = copy;
  DaeMessagePart part;
  while (dae_message_next(reader->terms, &at, &part, form)) {
    if (part.length > 0) {
      g_string_append_len(text, part.text, (gssize)part.length);
      continue;
    }
    DaeTerm held = hold(reader, &part, part.term, owner, pos);
    DaeTextFormat format = part.format;
    if (format.when != DAE_NO_TERM) {
      format.when = hold(reader, &part, format.when, owner, pos);
    }
    dae_message_append_value(text, held, &format);
  }
  uint32_t held = dae_names_intern(reader->names, text->str, text->len);
  return dae_term_int(reader->terms, number_of_text(reader, held, owner));
}

/* What a variable gets; DAE_NO_TERM: reported. */
static DaeTerm
number_for(DaeReader *reader, DaeSymbol owner, uint32_t name, uint32_t pos)
{
  if (dae_text_has_late(reader, name)) {
    dae_source_unsupported(
        reader->source, pos,
        "a text that is one of several results, or a member of a record, for "
        "a String variable that changes at events");
    return DAE_NO_TERM;
  }
  DaeTerm number = number_of(reader, name);
  if (number == DAE_NO_TERM && reader->when_depth > 0) {
    number = number_with_values(reader, name, owner, pos);
  }
  if (number == DAE_NO_TERM) {
    dae_source_unsupported(reader->source, pos,
                           "a text with values that are known only at run time, for a String "
                           "variable that changes at events, outside of when");
    return DAE_NO_TERM;
  }
  g_array_append_val(dae_text_holder(reader, owner)->numbers, number);
  return number;
}

bool
dae_text_give(DaeReader *reader, uint32_t a, uint32_t b, bool *is_given, uint32_t pos)
{
  bool may_give =
      reader->when_depth > 0 || reader->equations == reader->result->initial_equations;
  *is_given = may_give && a != b && (is_variable(reader, a) || is_variable(reader, b));
  if (!*is_given) {
    return true;
  }
  uint32_t target = is_variable(reader, a) ? a : b;
  DaeTerm variable = marked_number(reader, target);
  DaeTerm number = number_for(reader, dae_term_get_symbol(reader->terms, variable),
                              target == a ? b : a, pos);
  if (number == DAE_NO_TERM ||
      (reader->when_depth > 0 && !dae_when_check_equation(reader, variable, pos))) {
    return false;
  }
  uint32_t j = 0;
  if (reader->when_depth == 0 &&
      dae_model_find_variable(reader->result, dae_term_get_symbol(reader->terms, variable),
                              &j)) { /* the start has an equation */
    g_array_index(reader->result->variables, DaeVariable, j).fixed = false;
  }
  DaeEquation equation = {.lhs = variable,
                          .rhs = number,
                          .span = dae_source_span(reader->source, pos),
                          .is_discrete = true};
  g_array_append_val(reader->equations, equation);
  return true;
}

DaeTerm
dae_text_store(DaeReader *reader, uint32_t binding, uint32_t k, DaeTerm text, uint32_t pos)
{
  if (!dae_binding_is_entity(binding) || text == DAE_NO_TERM) {
    return text;
  }
  const DaeEntity *entity = dae_reader_entity(reader, binding);
  if (entity->type != DAE_VALUE_STRING || !entity->changes || k >= entity->count) {
    return text;
  }
  DaeTerm number = number_for(reader, entity->symbols[k], text, pos);
  return number != DAE_NO_TERM ? mark_of(reader, number) : text;
}

DaeEquation
dae_text_equation(DaeReader *reader, const DaeEntity *entity, uint32_t k, uint32_t text,
                  uint32_t pos)
{
  DaeTerm number = number_for(reader, entity->symbols[k], text, pos);
  DaeTerm variable = dae_term_variable(reader->terms, entity->symbols[k], 0);
  return (DaeEquation){.lhs = variable,
                       .rhs = number != DAE_NO_TERM ? number : variable,
                       .span = dae_source_span(reader->source, pos),
                       .is_discrete = true};
}

void
dae_text_note_before(DaeReader *reader, uint32_t text)
{
  DaeTerm variable = marked_number(reader, text);
  DaeTextHolder *holder =
      variable != DAE_NO_TERM && dae_term_kind(reader->terms, variable) == DAE_KIND_VARIABLE
          ? dae_text_holder(reader, dae_term_get_symbol(reader->terms, variable))
          : NULL;
  if (holder != NULL) {
    holder->is_read_before = true;
  }
}

DaeTerm
dae_text_before(DaeReader *reader, uint32_t text, uint32_t pos)
{
  DaeValue value = dae_value_scalar(DAE_VALUE_INTEGER, marked_number(reader, text));
  if (value.term == DAE_NO_TERM) {
    return text;
  }
  DaeValue before = dae_operator_pre(reader, &value, pos);
  return before.type != DAE_VALUE_POISON ? mark_of(reader, before.term) : DAE_NO_TERM;
}

/* ---- reading ----------------------------------------------------------------------------- */

DaeTerm
dae_text_choose_numbered(DaeReader *reader, DaeTerm condition, DaeTerm a, DaeTerm b)
{
  if (!dae_text_is_numbered(reader, a) && !dae_text_is_numbered(reader, b)) {
    return DAE_NO_TERM;
  }
  DaeTerm first = number_of(reader, a);
  DaeTerm second = number_of(reader, b);
  return first != DAE_NO_TERM && second != DAE_NO_TERM
             ? mark_of(reader, dae_term_if(reader->terms, condition, first, second))
             : DAE_NO_TERM;
}

bool
dae_text_compare_numbered(DaeReader *reader, uint32_t a, uint32_t b, DaeTerm numbers[2],
                          uint32_t pos)
{
  if (!dae_text_is_numbered(reader, a) && !dae_text_is_numbered(reader, b)) {
    return false;
  }
  DaeTextComparison comparison = {number_of(reader, a), number_of(reader, b), pos};
  numbers[0] = comparison.a;
  numbers[1] = comparison.b;
  if (comparison.a == DAE_NO_TERM || comparison.b == DAE_NO_TERM) {
    return false;
  }
  g_array_append_val(dae_texts_of(reader)->compared, comparison);
  return true;
}
