/* When all is read: which texts String variables that change at events may have (text_events.c),
 * and messages without marks of numbers. */
#include "reader/calls.h"

#include "model/flat.h"
#include "reader/texts-priv.h"
#include "terms/message.h"

#define NOBODY (DAE_TEXT_NO_OWNER - 1)

typedef struct {
  DaeTerm number;
  /* the texts with values may be those of this variable; DAE_TEXT_NO_OWNER: any, NOBODY: none */
  DaeSymbol owner;
} Way;

typedef struct {
  DaeReader *reader;
  GArray *found;      /* uint32_t: numbers of texts */
  GArray *ways;       /* Way */
  bool is_taken_over; /* a text with values that is not the variable's own */
  uint32_t pos;       /* of a variable on the way */
} Collector;

static void
collect_text(Collector *collector, int64_t number, DaeSymbol allowed)
{
  const GArray *texts = collector->reader->texts->texts;
  if (number < 1 || number > (int64_t)texts->len) {
    return;
  }
  DaeSymbol owner = g_array_index(texts, DaeNumberedText, number - 1).owner;
  collector->is_taken_over =
      collector->is_taken_over ||
      (owner != DAE_TEXT_NO_OWNER && allowed != DAE_TEXT_NO_OWNER && owner != allowed);
  for (uint32_t i = 0; i < collector->found->len; i++) {
    if (g_array_index(collector->found, uint32_t, i) == number) {
      return;
    }
  }
  uint32_t n = (uint32_t)number;
  g_array_append_val(collector->found, n);
}

static void
add_way(Collector *collector, DaeTerm number, DaeSymbol owner)
{
  for (uint32_t i = 0; i < collector->ways->len; i++) {
    const Way *way = &g_array_index(collector->ways, Way, i);
    if (way->number == number && way->owner == owner) {
      return;
    }
  }
  Way way = {number, owner};
  g_array_append_val(collector->ways, way);
}

/* A variable, or its value before. */
static DaeSymbol
holder_of(const DaeReader *reader, DaeTerm t, bool *is_before)
{
  DaeKind kind = dae_term_kind(reader->terms, t);
  *is_before = kind == DAE_KIND_PARAMETER;
  if (kind == DAE_KIND_VARIABLE) {
    return dae_term_get_symbol(reader->terms, t);
  }
  if (kind != DAE_KIND_PARAMETER) {
    return DAE_TEXT_NO_OWNER;
  }
  gpointer key = GUINT_TO_POINTER(dae_term_get_symbol(reader->terms, t));
  uint32_t k = GPOINTER_TO_UINT(g_hash_table_lookup(reader->atom_of_symbol, key));
  const DaeEventAtom *atom =
      k != 0 ? &g_array_index(reader->result->event_atoms, DaeEventAtom, k - 1) : NULL;
  return atom != NULL && atom->kind == DAE_ATOM_PRE
             ? dae_term_get_symbol(reader->terms, atom->of)
             : DAE_TEXT_NO_OWNER;
}

/* What a variable was given. In a message it has its own values; as the value of another variable
 * it has none. */
static void
follow_holder(Collector *collector, const DaeTextHolder *holder, const Way *way, DaeSymbol of)
{
  collector->pos = holder->pos;
  if (holder->symbol == of) {
    return; /* it keeps what it has */
  }
  DaeSymbol owner = way->owner == DAE_TEXT_NO_OWNER ? holder->symbol : NOBODY;
  for (uint32_t i = 0; i < holder->numbers->len; i++) {
    add_way(collector, g_array_index(holder->numbers, DaeTerm, i), owner);
  }
}

/* All texts whose numbers the term may be; of: the variable that gets it; none: it is told. */
static void
collect(Collector *collector, DaeTerm number, DaeSymbol of)
{
  DaeTerms *terms = collector->reader->terms;
  g_array_set_size(collector->ways, 0);
  add_way(collector, number, of);
  for (uint32_t k = 0; k < collector->ways->len; k++) {
    const Way way = g_array_index(collector->ways, Way, k);
    int64_t n = 0;
    bool is_before = false;
    if (dae_term_get_int64(terms, way.number, &n)) {
      collect_text(collector, n, way.owner);
      continue;
    }
    DaeSymbol symbol = holder_of(collector->reader, way.number, &is_before);
    const DaeTextHolder *holder =
        symbol != DAE_TEXT_NO_OWNER ? dae_text_holder(collector->reader, symbol) : NULL;
    if (holder != NULL) {
      follow_holder(collector, holder, &way, of);
      continue;
    }
    uint32_t n_operands = 0;
    const DaeTerm *operands = dae_term_operands(terms, way.number, &n_operands);
    bool is_if = dae_term_kind(terms, way.number) == DAE_KIND_IF;
    for (uint32_t i = is_if ? 1 : 0; i < n_operands && (is_if || n_operands == 1); i++) {
      add_way(collector, operands[i], way.owner);
    }
  }
}

static void
collector_init(Collector *collector, DaeReader *reader, uint32_t pos)
{
  *collector = (Collector){reader, g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                           g_array_new(FALSE, FALSE, sizeof(Way)), false, pos};
}

static void
collector_clear(Collector *collector)
{
  g_array_free(collector->found, TRUE);
  g_array_free(collector->ways, TRUE);
}

static void append_resolved(DaeReader *reader, GString *out, const char *message);

static DaeTerm
both(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  return a == DAE_NO_TERM ? b : dae_term_and(terms, a, b);
}

static DaeTerm
value_before(void *user, DaeTerm t)
{
  DaeValue now = dae_value_scalar(DAE_VALUE_REAL, t);
  return dae_operator_pre(user, &now, 0).term;
}

/* Text number n where the guard holds; its values are those before, or those of now. */
static void
append_text(DaeReader *reader, GString *out, uint32_t n, bool is_before, DaeTerm guard)
{
  g_autofree char *text = g_strdup(dae_names_text(
      reader->names, g_array_index(reader->texts->texts, DaeNumberedText, n - 1).name));
  if (is_before) {
    char *earlier = dae_message_map(reader->terms, text, value_before, reader);
    g_free(text);
    text = earlier;
  }
  g_autoptr(GString) own = g_string_new(NULL);
  append_resolved(reader, own, text);
  if (guard == DAE_NO_TERM) {
    g_string_append(out, own->str);
  } else {
    dae_text_append_guarded(reader, out, guard, own->str);
  }
}

static void
append_texts_of(DaeReader *reader, GString *out, DaeTerm variable, bool is_before,
                DaeTerm guard)
{
  DaeTerms *terms = reader->terms;
  Collector collector;
  collector_init(&collector, reader, 0);
  collect(&collector, variable, DAE_TEXT_NO_OWNER);
  for (uint32_t i = 0; i < collector.found->len; i++) {
    uint32_t n = g_array_index(collector.found, uint32_t, i);
    DaeTerm here = dae_term_relation(terms, DAE_REL_EQ, variable, dae_term_int(terms, n));
    append_text(reader, out, n, is_before, both(terms, guard, here));
  }
  collector_clear(&collector);
}

/* The text whose number this is: by its branches, then by what the variables may be. */
static void
append_number(DaeReader *reader, GString *out, DaeTerm number, DaeTerm guard)
{
  DaeTerms *terms = reader->terms;
  int64_t n = 0;
  bool is_before = false;
  uint32_t n_operands = 0;
  if (dae_term_get_int64(terms, number, &n)) {
    append_text(reader, out, (uint32_t)n, false, guard);
    return;
  }
  if (holder_of(reader, number, &is_before) != DAE_TEXT_NO_OWNER) {
    append_texts_of(reader, out, number, is_before, guard);
    return;
  }
  const DaeTerm *operands = dae_term_operands(terms, number, &n_operands);
  if (dae_term_kind(terms, number) == DAE_KIND_IF) {
    const DaeTerm parts[3] = {operands[0], operands[1], operands[2]};
    append_number(reader, out, parts[1], both(terms, guard, parts[0]));
    append_number(reader, out, parts[2], both(terms, guard, dae_term_not(terms, parts[0])));
  } else if (n_operands == 1) {
    append_number(reader, out, operands[0], guard);
  }
}

static void
append_texts(DaeReader *reader, GString *out, const DaeMessagePart *part)
{
  DaeTerm when = part->format.when;
  append_number(reader, out, part->term,
                when != DAE_NO_TERM ? dae_truth_of_number(reader->terms, when) : DAE_NO_TERM);
}

/* The text of a variable that is known by now, where the condition of its mark holds. */
static void
append_late(DaeReader *reader, GString *out, const DaeMessagePart *part)
{
  g_autoptr(GString) own = g_string_new(NULL);
  DaeTerm mark = part->term;
  DaeTerm when = part->format.when;
  uint32_t name = dae_text_open_late(reader, mark);
  if (name == 0) {
    return;
  }
  g_autofree char *text = g_strdup(dae_names_text(reader->names, name));
  append_resolved(reader, own, text);
  dae_text_close_late(reader, mark);
  if (when == DAE_NO_TERM) {
    g_string_append(out, own->str);
  } else {
    dae_text_append_guarded(reader, out, dae_truth_of_number(reader->terms, when), own->str);
  }
}

static void
append_resolved(DaeReader *reader, GString *out, const char *message)
{
  g_autoptr(GString) form = g_string_new(NULL);
  DaeMessagePart part;
  while (dae_message_next(reader->terms, &message, &part, form)) {
    if (part.length > 0) {
      g_string_append_len(out, part.text, (gssize)part.length);
    } else if (part.format.kind == DAE_TEXT_NUMBERED) {
      append_texts(reader, out, &part);
    } else if (part.format.kind == DAE_TEXT_LATE) {
      append_late(reader, out, &part);
    } else {
      dae_message_append_value(out, part.term, &part.format);
    }
  }
}

static const char *
resolved(DaeReader *reader, const char *message)
{
  g_autoptr(GString) out = g_string_new(NULL);
  if (!dae_message_has_values(message)) {
    return message;
  }
  append_resolved(reader, out, message);
  return dae_flat_string(reader->result, out->str);
}

/* Texts with values in them stay with their variable, and are not compared. */
static bool
check_use(DaeReader *reader, DaeTerm number, DaeSymbol holder, bool is_compared, uint32_t pos)
{
  Collector collector;
  collector_init(&collector, reader, pos);
  collect(&collector, number, holder);
  bool has_values = collector.is_taken_over;
  for (uint32_t i = 0; i < collector.found->len; i++) {
    uint32_t n = g_array_index(collector.found, uint32_t, i);
    has_values =
        has_values ||
        (is_compared && g_array_index(reader->texts->texts, DaeNumberedText, n - 1).owner !=
                            DAE_TEXT_NO_OWNER);
  }
  if (has_values) {
    dae_source_unsupported(reader->source, pos,
                           is_compared
                               ? "comparing texts with values that are known only at run time"
                               : "a text with values, of a String variable that changes at "
                                 "events, as a value of another one");
  }
  collector_clear(&collector);
  return !has_values;
}

static bool
has_own_values(const DaeReader *reader, DaeSymbol holder)
{
  const GArray *texts = reader->texts->texts;
  for (uint32_t i = 0; i < texts->len; i++) {
    if (g_array_index(texts, DaeNumberedText, i).owner == holder) {
      return true;
    }
  }
  return false;
}

/* False: reported. */
static bool
check_uses(DaeReader *reader)
{
  const struct DaeTexts *texts = reader->texts;
  bool good = true;
  for (uint32_t i = 0; i < texts->holders->len; i++) {
    const DaeTextHolder *holder = &g_array_index(texts->holders, DaeTextHolder, i);
    if (holder->is_read_before && has_own_values(reader, holder->symbol)) {
      dae_source_unsupported(reader->source, holder->pos,
                             "pre, in an algorithm section, of a String variable whose texts "
                             "have values that are known only at run time");
      good = false;
    }
    for (uint32_t k = 0; k < holder->numbers->len; k++) {
      good &= check_use(reader, g_array_index(holder->numbers, DaeTerm, k), holder->symbol,
                        false, holder->pos);
    }
  }
  for (uint32_t i = 0; i < texts->compared->len; i++) {
    const DaeTextComparison *comparison = &g_array_index(texts->compared, DaeTextComparison, i);
    good &= check_use(reader, comparison->a, DAE_TEXT_NO_OWNER, true, comparison->pos);
    good &= check_use(reader, comparison->b, DAE_TEXT_NO_OWNER, true, comparison->pos);
  }
  return good;
}

void
dae_text_finish(DaeReader *reader)
{
  if (reader->texts == NULL || !check_uses(reader)) {
    return;
  }
  for (uint32_t i = 0; i < reader->assertions->len; i++) {
    DaeAssertion *assertion = &g_array_index(reader->assertions, DaeAssertion, i);
    assertion->message = resolved(reader, assertion->message);
  }
  for (uint32_t i = 0; i < reader->result->whens->len; i++) {
    const DaeWhen *when = dae_model_when(reader->result, i);
    for (uint32_t b = 0; b < when->n_branches; b++) {
      for (uint32_t k = 0; k < when->branches[b].n_actions; k++) {
        DaeAction *action = (DaeAction *)&when->branches[b].actions[k]; /* ours: when.c */
        action->message = resolved(reader, action->message);
      }
    }
  }
}

/* ---- branches of a when-clause ------------------------------------------------------------- */

bool
dae_text_is_auxiliary(const DaeReader *reader, DaeTerm target)
{
  uint32_t j = 0;
  return dae_model_find_variable(reader->result, dae_term_get_symbol(reader->terms, target),
                                 &j) &&
         dae_model_variable(reader->result, j)->is_auxiliary;
}

static bool
is_assigned(const DaeWhenBranch *branch, DaeTerm target)
{
  for (uint32_t i = 0; i < branch->n_actions; i++) {
    if (branch->actions[i].kind == DAE_ACTION_ASSIGN && branch->actions[i].target == target) {
      return true;
    }
  }
  return false;
}

/* The branch keeps the values that only the other one holds. */
static void
keep_values(DaeReader *reader, DaeWhenBranch *branch, const DaeWhenBranch *other, uint32_t pos)
{
  g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(DaeAction));
  for (uint32_t i = 0; i < other->n_actions; i++) {
    DaeAction action = other->actions[i];
    if (action.kind == DAE_ACTION_ASSIGN && !is_assigned(branch, action.target) &&
        dae_text_is_auxiliary(reader, action.target)) {
      DaeValue now = dae_value_scalar(DAE_VALUE_REAL, action.target);
      action.value = dae_operator_pre(reader, &now, pos).term;
      action.span = branch->span;
      g_array_append_val(actions, action);
    }
  }
  if (actions->len > 0) {
    DaeAction *all =
        g_renew(DaeAction, (DaeAction *)branch->actions, branch->n_actions + actions->len);
    for (uint32_t i = 0; i < actions->len; i++) {
      all[branch->n_actions++] = g_array_index(actions, DaeAction, i);
    }
    branch->actions = all;
  }
}

void
dae_text_keep_values(DaeReader *reader, DaeWhenBranch *branches, uint32_t n, uint32_t pos)
{
  for (uint32_t a = 0; reader->texts != NULL && a < n; a++) {
    for (uint32_t b = 0; b < n; b++) {
      keep_values(reader, &branches[a], &branches[b], pos);
    }
  }
}
