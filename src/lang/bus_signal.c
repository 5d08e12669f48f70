/* Signals: where they come from [MLS, section 9.3]. A set of connected inputs and outputs has at
 * most one source: the output of a part, or an input of the component itself. A signal of an
 * expandable connector is followed through all connectors that are joined, from level to level:
 * it has one source in all of them. */
#include "lang/connect.h"

typedef struct {
  DaeLang *lang;
  uint32_t *of;     /* signal of each member: the first member of it */
  uint32_t *source; /* by signal: 1 + its first source; 0: none */
  uint32_t *taker;  /* by signal: 1 + somebody who takes it */
  uint32_t *top;    /* by signal: 1 + a member of a public connector of the model itself */
  bool
      *is_joined; /* by signal: something else than members of expandable connectors is in it */
  bool *
      is_declared; /* by signal: a declaration says that it is there; an equation may give it */
} Signals;

/* Inside an expandable connector, at any depth. */
static bool
is_in_bus(const DaeLang *lang, const DaeComponent *component)
{
  for (; component != NULL && component->parent != NULL;
       component = component->parent->component) {
    if (dae_node_is_expandable(lang, component->parent)) {
      return true;
    }
  }
  return false;
}

static uint32_t
find(uint32_t *of, uint32_t i)
{
  while (of[i] != i) {
    of[i] = of[of[i]];
    i = of[i];
  }
  return i;
}

/* Both faces of a bus variable are one signal. */
static void
join_faces(const Signals *signals)
{
  struct DaeConnect *connect = signals->lang->connect;
  for (uint32_t i = 0; i < connect->members->len; i++) {
    const DaeMember *member = dae_connect_at(connect, i);
    gpointer key = GSIZE_TO_POINTER(2 * (gsize)member->name);
    gpointer inside = NULL;
    if (member->is_outside && is_in_bus(signals->lang, member->component) &&
        g_hash_table_lookup_extended(connect->index, key, NULL, &inside)) {
      uint32_t a = find(signals->of, i);
      uint32_t b = find(signals->of, GPOINTER_TO_UINT(inside));
      signals->of[MAX(a, b)] = MIN(a, b);
    }
  }
}

static bool
is_top(const DaeLang *lang, const DaeMember *member)
{
  const DaeNode *parent = member->component->parent;
  return parent != NULL && parent->component != NULL &&
         parent->component->parent == lang->model->type &&
         (member->component->flags & DAE_FLAG_PROTECTED) == 0;
}

static void
report_two(const Signals *signals, uint32_t first, uint32_t second)
{
  DaeLang *lang = signals->lang;
  const DaeMember *a = dae_connect_at(lang->connect, first);
  const DaeMember *b = dae_connect_at(lang->connect, second);
  dae_source_error(lang->source, b->pos, "'%s' and '%s' both give this signal",
                   dae_names_text(lang->names, a->name), dae_names_text(lang->names, b->name));
}

static void
note_member(Signals *signals, uint32_t i)
{
  const DaeLang *lang = signals->lang;
  const DaeMember *member = dae_connect_at(lang->connect, i);
  uint32_t flags = member->component->flags;
  uint32_t signal = find(signals->of, i);
  if (dae_bus_is_potential(lang, member->component)) {
    return;
  }
  if (is_in_bus(lang, member->component)) {
    bool is_new = member->component->is_augmented;
    signals->is_declared[signal] = signals->is_declared[signal] || !is_new;
    if (is_top(lang, member) && signals->top[signal] == 0) {
      signals->top[signal] = i + 1;
    }
    return;
  }
  signals->is_joined[signal] = true;
  bool is_input = (flags & DAE_FLAG_INPUT) != 0;
  bool is_output = (flags & DAE_FLAG_OUTPUT) != 0;
  bool is_public = (flags & DAE_FLAG_PROTECTED) == 0;
  bool is_source = member->is_outside ? is_input && is_public : is_output;
  bool is_taker = member->is_outside ? is_output : is_input;
  if (is_source && signals->source[signal] != 0) {
    report_two(signals, signals->source[signal] - 1, i);
  } else if (is_source) {
    signals->source[signal] = i + 1;
  } else if (is_taker && signals->taker[signal] == 0) {
    signals->taker[signal] = i + 1;
  }
}

static void
signals_init(Signals *signals, DaeLang *lang)
{
  struct DaeConnect *connect = lang->connect;
  uint32_t n = connect->members->len;
  *signals = (Signals){.lang = lang};
  signals->of = g_new(uint32_t, n + 1);
  signals->source = g_new0(uint32_t, n + 1);
  signals->taker = g_new0(uint32_t, n + 1);
  signals->top = g_new0(uint32_t, n + 1);
  signals->is_joined = g_new0(bool, n + 1);
  signals->is_declared = g_new0(bool, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    signals->of[i] = dae_connect_find_set(connect, i);
  }
  join_faces(signals);
}

static void
signals_clear(Signals *signals)
{
  g_free(signals->of);
  g_free(signals->source);
  g_free(signals->taker);
  g_free(signals->top);
  g_free(signals->is_joined);
  g_free(signals->is_declared);
}

/* Nobody gives the signal, and no equation can, because it has no declaration: an input of the
 * model if a connector of the model itself has it, else a mistake. */
static void
settle_open(const Signals *signals, uint32_t i)
{
  DaeLang *lang = signals->lang;
  const DaeMember *member = dae_connect_at(lang->connect, i);
  if (signals->top[i] != 0) {
    dae_connect_at(lang->connect, signals->top[i] - 1)->component->flags |= DAE_FLAG_INPUT;
    return;
  }
  const DaeMember *taker = dae_connect_at(lang->connect, signals->taker[i] - 1);
  dae_source_error(
      lang->source, taker->pos,
      "nothing gives the signal '%s' of the expandable connector, which '%s' takes",
      dae_names_text(lang->names, member->name), dae_names_text(lang->names, taker->name));
}

void
dae_bus_check_signals(DaeLang *lang)
{
  Signals signals;
  signals_init(&signals, lang);
  uint32_t n = lang->connect->members->len;
  g_autofree bool *has_bus = g_new0(bool, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const DaeComponent *component = dae_connect_at(lang->connect, i)->component;
    uint32_t signal = find(signals.of, i);
    has_bus[signal] = has_bus[signal] || is_in_bus(lang, component);
    note_member(&signals, i);
  }
  for (uint32_t i = 0; i < n; i++) {
    if (signals.of[i] == i && has_bus[i] && signals.source[i] == 0 && signals.taker[i] != 0 &&
        !signals.is_declared[i]) {
      settle_open(&signals, i);
    }
  }
  signals_clear(&signals);
}

/* ---- array elements -------------------------------------------------------------------------- */

static void
write_zero(DaeLang *lang, const DaeMember *member)
{
  DaeBuiltin builtin = member->component->type->builtin;
  uint32_t pos = member->pos;
  bool is_number = builtin == DAE_BUILTIN_REAL || builtin == DAE_BUILTIN_INTEGER;
  if (!is_number && builtin != DAE_BUILTIN_BOOLEAN) {
    dae_source_error(lang->source, pos, "no connect gives '%s'",
                     dae_names_text(lang->names, member->name));
    return;
  }
  dae_connect_emit(lang, member, pos);
  if (is_number) {
    dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, 0, dae_name_intern(lang, "0"), pos);
  } else {
    dae_syntax_emit(&lang->flat, DAE_OP_BOOLEAN, 0, 0, pos);
  }
  dae_syntax_emit(&lang->flat, DAE_OP_EQUATION, 0, 0, pos);
}

/* All elements of the arrays that are there are members, so that those without a signal are
 * found. */
void
dae_bus_enter_elements(DaeLang *lang)
{
  guint n = lang->connect->members->len;
  for (guint i = 0; i < n; i++) {
    const DaeMember member = *dae_connect_at(lang->connect, i);
    DaeComponent *component = member.component;
    if (!member.is_element || component->is_record ||
        !dae_node_is_expandable(lang, component->parent)) {
      continue;
    }
    for (uint32_t k = 0; k < component->count; k++) {
      uint32_t name = dae_component_element_name(lang, component, k);
      dae_connect_member(lang, component, name, member.is_outside, true, member.pos);
    }
  }
}

void
dae_bus_write_defaults(DaeLang *lang)
{
  Signals signals;
  signals_init(&signals, lang);
  uint32_t n = lang->connect->members->len;
  for (uint32_t i = 0; i < n; i++) {
    const DaeMember *member = dae_connect_at(lang->connect, i);
    if (!is_in_bus(lang, member->component) || member->component->is_referenced) {
      signals.is_joined[find(signals.of, i)] = true;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    const DaeMember *member = dae_connect_at(lang->connect, i);
    bool is_open = signals.of[i] == i && !signals.is_joined[i] && member->is_element &&
                   !member->component->is_record &&
                   !dae_bus_is_potential(lang, member->component);
    if (is_open) {
      write_zero(lang, member);
    }
  }
  signals_clear(&signals);
}
