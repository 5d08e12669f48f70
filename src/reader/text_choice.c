/* Texts that are chosen at run time: if c then "late" else "early" is a text with a mark
 * (terms/message.h) for the choice. They are told in messages and can be compared with each other:
 * what such a comparison says is a condition. */
#include "reader/calls.h"

#include <string.h>

#include "terms/message.h"

#define MOST_CHOICES 6u /* of which all combinations are compared */

static void
append_guarded_choice(DaeReader *reader, GString *out, DaeTerm condition, const char *text,
                      size_t length)
{
  g_autoptr(GString) form = g_string_new_len(text, (gssize)length);
  DaeTextFormat format = {.kind = DAE_TEXT_CHOICE, .digits = 6, .form = form->str};
  g_string_append_c(form, DAE_TEXT_BETWEEN);
  format.form = form->str;
  if (length > 0) {
    dae_message_append_value(out, dae_discrete_number(reader, condition), &format);
  }
}

void
dae_text_append_guarded(DaeReader *reader, GString *out, DaeTerm condition, const char *text)
{
  DaeTerms *terms = reader->terms;
  g_autoptr(GString) form = g_string_new(NULL);
  DaeMessagePart part;
  while (dae_message_next(terms, &text, &part, form)) {
    if (part.length > 0) {
      append_guarded_choice(reader, out, condition, part.text, part.length);
    } else if (part.format.kind == DAE_TEXT_CHOICE) {
      DaeTerm first = dae_truth_of_number(terms, part.term);
      size_t length = strcspn(form->str, "\x03");
      const char *second = form->str + length + (length < form->len ? 1 : 0);
      append_guarded_choice(reader, out, dae_term_and(terms, condition, first), form->str,
                            length);
      append_guarded_choice(reader, out,
                            dae_term_and(terms, condition, dae_term_not(terms, first)), second,
                            strlen(second));
    } else {
      DaeTerm old = part.format.when;
      DaeTerm all = old == DAE_NO_TERM
                        ? condition
                        : dae_term_and(terms, condition, dae_truth_of_number(terms, old));
      part.format.when = dae_discrete_number(reader, all);
      dae_message_append_value(out, part.term, &part.format);
    }
  }
}

DaeTerm
dae_text_choose(DaeReader *reader, DaeTerm condition, DaeTerm a, DaeTerm b)
{
  const char *first = dae_names_text(reader->names, a);
  const char *second = dae_names_text(reader->names, b);
  DaeTerm numbered = a != b ? dae_text_choose_numbered(reader, condition, a, b) : a;
  if (numbered != DAE_NO_TERM) {
    return numbered;
  }
  g_autoptr(GString) text = g_string_new(NULL);
  if (dae_message_has_values(first) || dae_message_has_values(second)) {
    dae_text_append_guarded(reader, text, condition, first);
    dae_text_append_guarded(reader, text, dae_term_not(reader->terms, condition), second);
  } else {
    g_autofree char *form = g_strdup_printf("%s%c%s", first, DAE_TEXT_BETWEEN, second);
    const DaeTextFormat format = {.kind = DAE_TEXT_CHOICE, .digits = 6, .form = form};
    dae_message_append_value(text, dae_discrete_number(reader, condition), &format);
  }
  return dae_names_intern(reader->names, text->str, text->len);
}

/* ---- comparison ---------------------------------------------------------------------------- */

typedef struct {
  DaeReader *reader;
  GArray *choices; /* DaeTerm: numbers of conditions */
  uint32_t taken;  /* by choice: does it hold? */
  bool is_open;    /* a value other than these is not known */
} Choices;

static void
collect_choices(Choices *choices, uint32_t name)
{
  g_autoptr(GString) form = g_string_new(NULL);
  const char *text = dae_names_text(choices->reader->names, name);
  DaeMessagePart part;
  while (dae_message_next(choices->reader->terms, &text, &part, form)) {
    DaeTerm t = part.length > 0                       ? DAE_NO_TERM
                : part.format.kind == DAE_TEXT_CHOICE ? part.term
                                                      : part.format.when;
    double value = 0;
    bool is_known = t == DAE_NO_TERM || dae_reader_double(choices->reader, t, &value);
    for (uint32_t i = 0; i < choices->choices->len && !is_known; i++) {
      is_known = g_array_index(choices->choices, DaeTerm, i) == t;
    }
    if (!is_known) {
      g_array_append_val(choices->choices, t);
    }
  }
}

static bool
value_of_choice(void *user, DaeTerm t, double *value)
{
  Choices *choices = user;
  for (uint32_t i = 0; i < choices->choices->len; i++) {
    if (g_array_index(choices->choices, DaeTerm, i) == t) {
      *value = choices->taken >> i & 1u;
      return true;
    }
  }
  bool is_known = dae_reader_double(choices->reader, t, value);
  choices->is_open = choices->is_open || !is_known;
  return is_known;
}

static DaeTerm
condition_of(const Choices *choices)
{
  DaeTerms *terms = choices->reader->terms;
  DaeTerm all = DAE_NO_TERM;
  for (uint32_t i = 0; i < choices->choices->len; i++) {
    DaeTerm one = dae_truth_of_number(terms, g_array_index(choices->choices, DaeTerm, i));
    one = (choices->taken >> i & 1u) != 0 ? one : dae_term_not(terms, one);
    all = all == DAE_NO_TERM ? one : dae_term_and(terms, all, one);
  }
  return all != DAE_NO_TERM ? all : dae_term_bool(terms, true);
}

static int
compare_filled(Choices *choices, uint32_t a, uint32_t b)
{
  DaeReader *reader = choices->reader;
  g_autofree char *left = dae_message_fill(reader->terms, dae_names_text(reader->names, a),
                                           value_of_choice, choices);
  g_autofree char *right = dae_message_fill(reader->terms, dae_names_text(reader->names, b),
                                            value_of_choice, choices);
  return strcmp(left, right);
}

DaeTerm
dae_text_compare(DaeReader *reader, DaeRelation relation, uint32_t a, uint32_t b)
{
  Choices choices = {reader, g_array_new(FALSE, FALSE, sizeof(DaeTerm)), 0, false};
  DaeTerm result = dae_term_bool(reader->terms, false);
  collect_choices(&choices, a);
  collect_choices(&choices, b);
  uint32_t n = choices.choices->len;
  for (; n <= MOST_CHOICES && choices.taken < 1u << n; choices.taken++) {
    if (dae_relation_holds(relation, compare_filled(&choices, a, b))) {
      DaeTerm here = condition_of(&choices);
      result = dae_term_kind(reader->terms, result) == DAE_KIND_BOOLEAN
                   ? here
                   : dae_term_or(reader->terms, result, here);
    }
  }
  g_array_free(choices.choices, TRUE);
  return n > MOST_CHOICES || choices.is_open ? DAE_NO_TERM : result;
}

static void
take_choice(Choices *choices, uint32_t name, DaeTextTerm term_of, void *user, DaeTerm *result)
{
  DaeReader *reader = choices->reader;
  g_autofree char *text = dae_message_fill(reader->terms, dae_names_text(reader->names, name),
                                           value_of_choice, choices);
  DaeTerm t = term_of(user, dae_names_intern(reader->names, text, strlen(text)));
  *result = *result == DAE_NO_TERM
                ? t
                : dae_term_if(reader->terms, condition_of(choices), t, *result);
}

DaeTerm
dae_text_each_choice(DaeReader *reader, uint32_t name, DaeTextTerm term_of, void *user)
{
  Choices choices = {reader, g_array_new(FALSE, FALSE, sizeof(DaeTerm)), 0, false};
  DaeTerm result = DAE_NO_TERM;
  collect_choices(&choices, name);
  uint32_t n = choices.choices->len;
  if (n <= MOST_CHOICES) { /* does it have other values? */
    g_free(dae_message_fill(reader->terms, dae_names_text(reader->names, name), value_of_choice,
                            &choices));
  }
  for (; n <= MOST_CHOICES && !choices.is_open && choices.taken < 1u << n; choices.taken++) {
    take_choice(&choices, name, term_of, user, &result);
  }
  g_array_free(choices.choices, TRUE);
  return choices.is_open ? DAE_NO_TERM : result;
}
