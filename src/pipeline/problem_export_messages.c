/* Messages with values as data for exported C: of actions, of assertions and of clocked ones. */
#include <string.h>

#include "pipeline/problem_export.h"
#include "terms/message.h"

typedef struct {
  DaeProblem *problem;
  DaeExportedMessages *messages;
  GHashTable *words; /* term -> its number + 1 */
} Collector;

void
dae_exported_messages_free(DaeExportedMessages *messages)
{
  if (messages != NULL) {
    g_array_free(messages->words, TRUE);
    g_array_free(messages->start, TRUE);
    g_array_free(messages->parts, TRUE);
    g_string_chunk_free(messages->texts);
    g_free(messages);
  }
}

/* DAE_NO_TERM: the text of the expression stands in its place. Derivatives are not known where
 * nothing but a message asks for them. */
static DaeTerm
exported_value(void *user, DaeTerm t)
{
  const Collector *collector = user;
  const DaeTerms *terms = dae_pipeline_terms(collector->problem->pipeline);
  DaeTerm value = dae_instant_told_value(collector->problem->instant, t);
  return value != DAE_NO_TERM && !dae_term_has_derivatives(terms, value) ? value : DAE_NO_TERM;
}

static uint32_t
word_of(Collector *collector, DaeTerm t)
{
  gpointer key = GUINT_TO_POINTER(t);
  guint known = GPOINTER_TO_UINT(g_hash_table_lookup(collector->words, key));
  if (known > 0) {
    return known - 1;
  }
  g_array_append_val(collector->messages->words, t);
  g_hash_table_insert(collector->words, key, GUINT_TO_POINTER(collector->messages->words->len));
  return collector->messages->words->len - 1;
}

/* The texts of an enumeration are separated as those of a choice are. */
static char *
between_texts(const char *names)
{
  char *texts = g_strdup(names);
  for (char *at = texts; *at != '\0'; at++) {
    *at = *at == ',' ? DAE_TEXT_BETWEEN : *at;
  }
  return texts;
}

/* How the value is written; a truth value counts from 1 as well. */
static char *
form_of(DaeTerms *terms, const DaeTextFormat *format, DaeCgenPartKind *kind, DaeTerm *value)
{
  const char *form = format->form != NULL ? format->form : "";
  const bool is_form = *form != '\0';
  DaeTerm one = dae_term_int(terms, 1);
  *kind = DAE_CGEN_NUMBER;
  switch (format->kind) {
  case DAE_TEXT_BOOLEAN:
  case DAE_TEXT_CHOICE:
    *kind = DAE_CGEN_CHOICE;
    *value =
        dae_term_if(terms, dae_truth_of_number(terms, *value), one, dae_term_int(terms, 2));
    return format->kind == DAE_TEXT_CHOICE ? g_strdup(form) : between_texts("true,false");
  case DAE_TEXT_LITERAL:
    *kind = DAE_CGEN_CHOICE;
    return between_texts(form);
  case DAE_TEXT_INTEGER:
  case DAE_TEXT_NUMBERED:
  case DAE_TEXT_LATE:
    return g_strdup(".0f");
  case DAE_TEXT_REAL:
    break;
  }
  *kind = is_form && dae_text_form_is_of_integer(form) ? DAE_CGEN_WHOLE : DAE_CGEN_NUMBER;
  return is_form ? g_strdup(form) : g_strdup_printf(".%dg", format->digits);
}

static void
add_part(Collector *collector, const DaeMessagePart *from)
{
  DaeTerms *terms = dae_pipeline_terms(collector->problem->pipeline);
  DaeExportedMessages *messages = collector->messages;
  const DaeTextFormat *format = &from->format;
  DaeCgenPart part = {.kind = DAE_CGEN_TEXT, .when = DAE_CGEN_ALWAYS};
  if (from->length > 0) {
    part.text = g_string_chunk_insert_len(messages->texts, from->text, (gssize)from->length);
  } else {
    DaeTerm value = from->term;
    g_autofree char *form = form_of(terms, format, &part.kind, &value);
    part.text = g_string_chunk_insert(messages->texts, form);
    part.word = word_of(collector, value);
    part.when =
        format->when != DAE_NO_TERM ? word_of(collector, format->when) : DAE_CGEN_ALWAYS;
    part.width = (uint32_t)MAX(format->width, 0);
    part.right = format->right;
  }
  g_array_append_val(messages->parts, part);
}

static void
add_message(Collector *collector, const char *message)
{
  DaeTerms *terms = dae_pipeline_terms(collector->problem->pipeline);
  GArray *parts = collector->messages->parts;
  if (message != NULL && dae_message_has_values(message)) {
    g_autofree char *mapped = dae_message_map(terms, message, exported_value, collector);
    g_autoptr(GString) form = g_string_new(NULL);
    const char *at = mapped;
    DaeMessagePart part;
    while (dae_message_next(terms, &at, &part, form)) {
      add_part(collector, &part);
    }
  }
  g_array_append_val(collector->messages->start, parts->len);
}

DaeExportedMessages *
dae_problem_messages_as_data(DaeProblem *problem, uint32_t n_actions, uint32_t n_assertions)
{
  DaeExportedMessages *messages = g_new0(DaeExportedMessages, 1);
  g_autoptr(GHashTable) words = g_hash_table_new(NULL, NULL);
  Collector collector = {problem, messages, words};
  const DaeHybrid *hybrid = problem->pipeline->hybrid;
  const DaeClocks *clocks = dae_hybrid_clocks(hybrid);
  const uint32_t none = 0;
  messages->words = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  messages->start = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  messages->parts = g_array_new(FALSE, FALSE, sizeof(DaeCgenPart));
  messages->texts = g_string_chunk_new(256);
  g_array_append_val(messages->start, none);
  for (uint32_t i = 0; i < n_actions; i++) {
    add_message(&collector, dae_hybrid_action(hybrid, i)->message);
  }
  for (uint32_t i = 0; i < n_assertions; i++) {
    add_message(&collector, dae_model_assertion(problem->model, i)->message);
  }
  for (uint32_t i = 0; clocks != NULL && i < dae_clocks_n_assertions(clocks); i++) {
    add_message(&collector, dae_clocks_assertion(clocks, i)->assertion.message);
  }
  messages->data = (DaeCgenMessages){
      .n_words = messages->words->len,
      .words = (const DaeTerm *)(void *)messages->words->data,
      .n_messages = messages->start->len - 1,
      .start = (const uint32_t *)(void *)messages->start->data,
      .parts = (const DaeCgenPart *)(void *)messages->parts->data,
  };
  return messages;
}
