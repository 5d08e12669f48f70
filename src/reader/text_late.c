/* String variables that get their text where only running the model's sections tells it: as one of
 * several results, (s, y) = f(x), as a member of a record, in loops of algorithm sections. Until
 * all is read a mark of kind DAE_TEXT_LATE stands for such a text; then messages have the text
 * itself in its place. It is no value that could be compared or decide anything. */
#include "reader/calls.h"

#include "model/flat.h"
#include "reader/attributes.h"
#include "reader/texts-priv.h"
#include "terms/message.h"

static DaeLateText *
late_of_term(const DaeReader *reader, DaeTerm mark)
{
  if (reader->texts == NULL) {
    return NULL;
  }
  uint32_t i =
      GPOINTER_TO_UINT(g_hash_table_lookup(reader->texts->marks, GUINT_TO_POINTER(mark)));
  return i != 0 ? &g_array_index(reader->texts->late, DaeLateText, i - 1) : NULL;
}

/* The variable that the text is and nothing else; NULL: it is something else. */
static DaeLateText *
late_of(const DaeReader *reader, uint32_t name)
{
  g_autoptr(GString) form = g_string_new(NULL);
  const char *at = dae_names_text(reader->names, name);
  DaeMessagePart part;
  bool is_one = dae_message_next(reader->terms, &at, &part, form) && part.length == 0 &&
                part.format.kind == DAE_TEXT_LATE && part.format.when == DAE_NO_TERM &&
                *at == '\0';
  return is_one ? late_of_term(reader, part.term) : NULL;
}

bool
dae_text_has_late(const DaeReader *reader, uint32_t name)
{
  g_autoptr(GString) form = g_string_new(NULL);
  const char *at = dae_names_text(reader->names, name);
  DaeMessagePart part;
  while (dae_message_next(reader->terms, &at, &part, form)) {
    if (part.length == 0 && part.format.kind == DAE_TEXT_LATE) {
      return true;
    }
  }
  return false;
}

/* ---- variables --------------------------------------------------------------------------- */

void
dae_text_register_late(DaeReader *reader, DaeEntity *entity)
{
  const DaeTextFormat format = {.kind = DAE_TEXT_LATE, .digits = 6};
  struct DaeTexts *texts = dae_texts_of(reader);
  entity->value = dae_arena_words(reader->arena, MAX(entity->count, 1u));
  for (uint32_t i = 0; i < entity->count; i++) {
    g_autoptr(GString) text = g_string_new(NULL);
    DaeSymbol symbol = dae_text_symbol(reader, entity, i);
    DaeTerm mark = dae_term_variable(reader->terms, symbol, 0);
    DaeLateText one = {.entity = dae_names_binding(reader->names, entity->name),
                       .start = dae_names_intern(reader->names, "", 0)};
    dae_message_append_value(text, mark, &format);
    entity->value[i] = dae_names_intern(reader->names, text->str, text->len);
    g_array_append_val(texts->late, one);
    g_hash_table_insert(texts->marks, GUINT_TO_POINTER(mark),
                        GUINT_TO_POINTER(texts->late->len));
  }
}

/* Its start values, which it keeps if nothing else gives it a text. */
void
dae_text_start_late(DaeReader *reader, const DaeEntity *entity)
{
  DaeAttributes attributes;
  dae_attributes_read(reader, entity, &attributes);
  for (uint32_t i = 0; i < entity->count; i++) {
    DaeTerm name = dae_attributes_term(&attributes, DAE_ATTRIBUTE_START, i);
    if (name != DAE_NO_TERM) {
      late_of(reader, entity->value[i])->start = name;
    }
  }
}

/* ---- definitions ------------------------------------------------------------------------- */

uint32_t
dae_text_meaning(const DaeReader *reader, uint32_t name)
{
  const DaeLateText *late = late_of(reader, name);
  for (uint32_t n = reader->texts != NULL ? reader->texts->late->len : 0;
       late != NULL && late->text != 0 && n > 0; n--) {
    name = late->text;
    late = late_of(reader, name);
  }
  return name;
}

static bool
is_certain(const DaeReader *reader)
{
  for (uint32_t i = 0; i < reader->ifs->len; i++) {
    if (g_array_index(reader->ifs, DaeIfFrame, i).mode == DAE_IF_BOTH) {
      return false;
    }
  }
  return reader->when_depth == 0 && reader->equations != reader->result->initial_equations;
}

bool
dae_text_define(DaeReader *reader, uint32_t a, uint32_t b, bool *is_defined, uint32_t pos)
{
  *is_defined = false;
  if (reader->texts == NULL || reader->texts->late->len == 0) {
    return true;
  }
  if (reader->when_depth > 0 &&
      (dae_text_is_numbered(reader, a) || dae_text_is_numbered(reader, b))) {
    return true; /* text_events.c */
  }
  const DaeLateText *left = late_of(reader, a);
  a = dae_text_meaning(reader, a);
  b = dae_text_meaning(reader, b);
  DaeLateText *late = late_of(reader, a);
  uint32_t text = b;
  if (late == NULL) {
    late = late_of(reader, b);
    text = a;
  }
  if (a == b || (late == NULL && (left == NULL || is_certain(reader)))) {
    return true;
  }
  if (!is_certain(reader)) {
    dae_source_unsupported(
        reader->source, pos,
        "String variables that equations under a condition known only at run time give their "
        "text, but for one equation in every branch ('%s')",
        dae_names_text(reader->names,
                       dae_reader_entity(reader, (late != NULL ? late : left)->entity)->name));
    if (late != NULL) {
      late->text = late->start; /* said once */
    }
    return false;
  }
  late->text = text;
  *is_defined = true;
  return true;
}

/* Two texts: the same, or told. Values at run time are compared as they are written. In a branch
 * the text of the variable is that of all branches together. */
bool
dae_text_equate(DaeReader *reader, const DaeValue *a, const DaeValue *b, uint32_t pos)
{
  bool same = a->count == b->count;
  bool is_given = false;
  for (uint32_t k = 0; same && k < a->count; k++) {
    if (!dae_text_define(reader, dae_value_element(a, k), dae_value_element(b, k), &is_given,
                         pos)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < reader->ifs->len && reader->when_depth == 0; i++) {
    if (g_array_index(reader->ifs, DaeIfFrame, i).mode == DAE_IF_BOTH) {
      return true;
    }
  }
  for (uint32_t k = 0; same && k < a->count; k++) {
    if (!dae_text_give(reader, dae_value_element(a, k), dae_value_element(b, k), &is_given,
                       pos)) {
      return false;
    }
    if (is_given) {
      continue;
    }
    uint32_t x = dae_text_meaning(reader, dae_value_element(a, k));
    uint32_t y = dae_text_meaning(reader, dae_value_element(b, k));
    same = x == y || (dae_string_is_known(reader, x) && dae_string_is_known(reader, y) &&
                      dae_string_known(reader, x) == dae_string_known(reader, y));
  }
  if (!same) {
    dae_source_error(reader->source, pos, "the texts of this equation are not the same");
  }
  return same;
}

/* ---- when all is read -------------------------------------------------------------------- */

static uint32_t
text_of(DaeReader *reader, DaeLateText *late)
{
  const DaeEntity *entity = dae_reader_entity(reader, late->entity);
  uint32_t pos = dae_syntax_declaration(reader->syntax, entity->declaration)->pos;
  const char *name = dae_names_text(reader->names, entity->name);
  if (late->is_open) {
    dae_source_error(reader->source, pos, "'%s' depends on itself", name);
    return 0;
  }
  if (late->text == 0) {
    dae_source_warning(reader->source, pos,
                       "nothing gives the String variable '%s' a value: it is its start value",
                       name);
    late->text = late->start;
  }
  return late->text;
}

uint32_t
dae_text_open_late(DaeReader *reader, DaeTerm mark)
{
  DaeLateText *late = late_of_term(reader, mark);
  uint32_t text = late != NULL ? text_of(reader, late) : 0;
  if (text != 0) {
    late->is_open = true;
  }
  return text;
}

void
dae_text_close_late(DaeReader *reader, DaeTerm mark)
{
  late_of_term(reader, mark)->is_open = false;
}
