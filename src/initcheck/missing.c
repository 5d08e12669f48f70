/* What is not determined: the potential states whose values still depend on something free, and
 * a choice among them that fixes everything, preferring those with start values. */
#include "initcheck/initcheck-priv.h"

/* Unknowns that are left free or sit in implicit rows that do not determine them. */
static bool *
mark_free(IcEngine *engine, uint32_t missing)
{
  IcSystem *sys = engine->sys;
  uint32_t n = sys->unknowns->len;
  bool *is_free = g_new0(bool, n + 1);
  g_autofree bool *is_implicit = g_new0(bool, n + 1);
  g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t r = 0; r < engine->rows->len; r++) {
    const IcRow *row = ic_engine_row(engine, r);
    if (row->state == IC_ROW_IMPLICIT || row->state == IC_ROW_SQUARE) {
      ic_form_unknowns(sys, &row->form, inside);
      for (guint i = 0; i < inside->len; i++) {
        is_implicit[g_array_index(inside, uint32_t, i)] = true;
      }
    }
  }
  uint32_t n_plain = 0;
  for (uint32_t z = 0; z < n; z++) {
    is_free[z] = engine->solved_by[z] == IC_NONE && !is_implicit[z];
    n_plain += is_free[z];
  }
  for (uint32_t z = 0; z < n && n_plain < missing; z++) {
    is_free[z] |= is_implicit[z];
  }
  return is_free;
}

static bool
depends_on_free(IcEngine *engine, uint32_t z, const bool *is_free)
{
  DaeTerm atom = g_array_index(engine->sys->unknowns, IcUnknown, z).atom;
  DaeTerm reduced = ic_engine_reduce(engine, atom, NULL);
  if (reduced == DAE_NO_TERM) {
    return false;
  }
  const GArray *inside = ic_unknowns_inside(engine->sys, reduced);
  for (guint i = 0; i < inside->len; i++) {
    if (is_free[g_array_index(inside, uint32_t, i)]) {
      return true;
    }
  }
  return false;
}

/* For each unknown whether its value depends on a free one. A solution names unknowns that were
 * solved later, or never; so the lines are walked backwards. One dependent unknown in a linear
 * solution cannot cancel; with several the solution is reduced to say for certain. */
static bool *
mark_dependent(IcEngine *engine, const bool *is_free)
{
  uint32_t n = engine->sys->unknowns->len;
  bool *depends = g_memdup2(is_free, sizeof(bool) * (n + 1));
  g_autoptr(GArray) inside = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (guint l = engine->lines->len; l-- > 0 && !ic_engine_spent(engine);) {
    const IcLine *line = ic_engine_line(engine, l);
    if (line->z == IC_NONE || line->solution == NULL || engine->solved_by[line->z] != l) {
      continue;
    }
    uint32_t count = 0;
    uint32_t only = 0;
    ic_form_unknowns(engine->sys, line->solution, inside);
    for (guint i = 0; i < inside->len; i++) {
      uint32_t z = g_array_index(inside, uint32_t, i);
      count += depends[z];
      only = depends[z] ? z : only;
    }
    bool is_plain = count == 1 && !ic_form_leaf_has(engine->sys, line->solution, only);
    depends[line->z] = count > 0 && (is_plain || depends_on_free(engine, line->z, is_free));
  }
  return depends;
}

bool *
ic_find_open_unknowns(IcEngine *engine, uint32_t missing)
{
  g_autofree bool *is_free = mark_free(engine, missing);
  return mark_dependent(engine, is_free);
}

/* Keys from here on are algebraic variables without a start value; those with one come
 * after the states that have one. */
enum { WRITTEN = 1000, DEFAULT = 10000, OTHER = 20000 };

/* Small is better: a start value that was written, a potential state or free parameter, the
 * state selection, low order, text order. */
static int
preference(const IcSystem *sys, uint32_t z)
{
  const IcUnknown *unknown = &g_array_index(sys->unknowns, IcUnknown, z);
  int select = unknown->variable == IC_NONE
                   ? 0
                   : dae_model_variable(sys->model, unknown->variable)->state_select;
  int wanted = unknown->is_potential_state || unknown->variable == IC_NONE ? 0 : 1;
  int start = unknown->start == DAE_NO_TERM ? 1 : 0;
  int order = (int)MIN(unknown->order, 100u);
  /* a start value for x, none for der(x) of the same variable: der(x) still
   * comes before algebraic variables */
  int group = wanted == 0 ? (start == 0 ? 0 : DEFAULT) : (start == 0 ? WRITTEN : OTHER);
  return group + (2 - select) * 150 + order;
}

typedef struct {
  int key;
  uint32_t z;
} Choice;

static gint
compare_choices(gconstpointer a, gconstpointer b)
{
  const Choice *x = a;
  const Choice *y = b;
  if (x->key != y->key) {
    return x->key < y->key ? -1 : 1;
  }
  return x->z < y->z ? -1 : x->z > y->z;
}

static bool
is_state(int key)
{
  return key < WRITTEN || (key >= DEFAULT && key < OTHER);
}

void
ic_find_undetermined(IcEngine *engine, DaeInit *init)
{
  IcSystem *sys = engine->sys;
  g_autofree bool *is_free = mark_free(engine, init->missing);
  g_autofree bool *depends = mark_dependent(engine, is_free);
  g_autoptr(GArray) choices = g_array_new(FALSE, FALSE, sizeof(Choice));
  for (uint32_t z = 0; z < sys->unknowns->len; z++) {
    const IcUnknown *unknown = &g_array_index(sys->unknowns, IcUnknown, z);
    bool is_candidate = unknown->order == 0 || unknown->is_potential_state;
    if (is_candidate && depends[z]) {
      Choice choice = {preference(sys, z), z};
      g_array_append_val(choices, choice);
    }
  }
  g_array_sort(choices, compare_choices);
  uint32_t n_states = 0;
  for (guint i = 0; i < choices->len; i++) {
    n_states += is_state(g_array_index(choices, Choice, i).key);
  }
  /* potential states where they are enough; else everything that is free */
  g_autofree bool *listed = g_new0(bool, sys->unknowns->len + 1);
  for (guint i = 0; i < choices->len; i++) {
    const Choice *choice = &g_array_index(choices, Choice, i);
    listed[choice->z] = is_state(choice->key) || n_states < init->missing;
  }
  for (uint32_t z = 0; z < sys->unknowns->len; z++) {
    if (listed[z]) {
      g_array_append_val(init->undetermined, g_array_index(sys->unknowns, IcUnknown, z).atom);
    }
  }
  g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  IcChoices what = {.candidates = candidates, .wanted = init->missing, .depends = depends};
  for (guint i = 0; i < choices->len; i++) {
    g_array_append_val(candidates, g_array_index(choices, Choice, i).z);
    what.n_preferred += g_array_index(choices, Choice, i).key < DEFAULT;
    what.n_states += g_array_index(choices, Choice, i).key < OTHER;
  }
  g_autoptr(GArray) chosen = ic_choose_conditions(engine, &what);
  for (guint i = 0; i < chosen->len; i++) {
    uint32_t z = g_array_index(chosen, uint32_t, i);
    g_array_append_val(init->suggested, g_array_index(sys->unknowns, IcUnknown, z).atom);
  }
}
