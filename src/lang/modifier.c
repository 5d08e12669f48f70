/* Modifiers as closures [MLS, section 7.2]: lists, merging, distribution
 * over arrays. All are immutable. */
#include "lang/instance.h"

static DaeMod *
new_mod(DaeLang *lang, const DaeMod *like)
{
  DaeMod *mod = dae_arena_alloc(lang->arena, sizeof *mod);
  *mod = *like;
  return mod;
}

/* a.b.c = x is a(b(c = x)). */
static DaeMod *
nest(DaeLang *lang, uint32_t name, DaeMod *mod)
{
  uint32_t rest = 0;
  uint32_t first = dae_name_split(lang, name, &rest);
  if (rest == 0) {
    mod->name = first;
    return mod;
  }
  DaeMod outer = {.name = first, .pos = mod->pos, .inner = nest(lang, rest, mod)};
  return new_mod(lang, &outer);
}

typedef struct {
  uint32_t at, end;
  const DaeMod **tail;
} Level;

static DaeMod *
convert_entry(DaeLang *lang, const DaeModification *entry, DaeNode *scope)
{
  DaeMod mod = {.pos = entry->pos,
                .is_each = entry->is_each,
                .is_final = entry->is_final,
                .is_break = entry->is_break};
  if (entry->is_component || entry->is_class) {
    mod.redeclared = entry->code;
    mod.is_class = entry->is_class;
    mod.redeclared_scope = scope;
  } else if (entry->code != 0) {
    mod.value = (DaeClosure){entry->code, entry->pos, scope, NULL, NULL};
  }
  return new_mod(lang, &mod);
}

const DaeMod *
dae_mod_list(DaeLang *lang, uint32_t first, uint32_t n, DaeNode *scope)
{
  const DaeMod *result = NULL;
  if (n == 0) {
    return NULL;
  }
  g_autoptr(GArray) levels = g_array_new(FALSE, TRUE, sizeof(Level));
  Level base = {first, first + n, &result};
  g_array_append_val(levels, base);
  while (levels->len > 0) {
    Level *level = &g_array_index(levels, Level, levels->len - 1);
    if (level->at >= level->end) {
      g_array_set_size(levels, levels->len - 1);
      continue;
    }
    const DaeModification *entry = dae_syntax_modifier(lang->syntax, level->at);
    DaeMod *mod = convert_entry(lang, entry, scope);
    DaeMod *outermost = nest(lang, entry->name, mod);
    const DaeMod *same = dae_mod_find(result, outermost->name);
    if (same != NULL && levels->len == 1) { /* a.b = 1, a.c = 2: one entry for a */
      if (same->value.code != 0 && outermost->value.code != 0) {
        dae_error_once(lang, outermost->pos, "'%s' is modified twice in this list",
                       outermost->name);
      }
      DaeMod *first_one = (DaeMod *)same;
      const DaeMod *next = first_one->next;
      *first_one = *dae_mod_combine(lang, same, outermost);
      first_one->next = next;
    } else {
      *level->tail = outermost;
      level->tail = (const DaeMod **)&outermost->next;
    }
    uint32_t begin = level->at + 1;
    level->at += 1 + entry->n_inner;
    if (entry->n_inner > 0 && !entry->is_component && !entry->is_class) {
      Level inner = {begin, begin + entry->n_inner, &mod->inner};
      g_array_append_val(levels, inner);
    }
  }
  return result;
}

const DaeMod *
dae_mod_find(const DaeMod *list, uint32_t name)
{
  while (list != NULL && list->name != name) {
    list = list->next;
  }
  return list;
}

bool
dae_mod_says(const DaeMod *mod)
{
  bool says = mod->value.code != 0 || mod->redeclared != 0;
  for (const DaeMod *inner = mod->inner; inner != NULL && !says; inner = inner->next) {
    says = dae_mod_says(inner);
  }
  return says;
}

const DaeMod *
dae_mod_combine(DaeLang *lang, const DaeMod *outer, const DaeMod *inner)
{
  if (outer == NULL || inner == NULL) {
    return outer != NULL ? outer : inner;
  }
  DaeMod mod = *outer;
  dae_check_not_final(lang, outer, inner);
  if (mod.value.code == 0 && !mod.is_break) {
    mod.value = inner->value;
    mod.is_weak = inner->is_weak;
    mod.is_final = mod.is_final || inner->is_final;
  }
  if (mod.redeclared == 0) {
    mod.redeclared = inner->redeclared;
    mod.is_class = inner->is_class;
    mod.redeclared_scope = inner->redeclared_scope;
  }
  mod.inner = dae_mod_merge(lang, outer->inner, inner->inner);
  return new_mod(lang, &mod);
}

const DaeMod *
dae_mod_merge(DaeLang *lang, const DaeMod *outer, const DaeMod *inner)
{
  if (outer == NULL || inner == NULL) {
    return outer != NULL ? outer : inner;
  }
  const DaeMod *result = NULL;
  const DaeMod **tail = &result;
  for (const DaeMod *mod = outer; mod != NULL; mod = mod->next) {
    DaeMod *copy = new_mod(lang, dae_mod_combine(lang, mod, dae_mod_find(inner, mod->name)));
    copy->next = NULL;
    *tail = copy;
    tail = (const DaeMod **)&copy->next;
  }
  for (const DaeMod *mod = inner; mod != NULL; mod = mod->next) {
    if (dae_mod_find(outer, mod->name) == NULL) {
      DaeMod *copy = new_mod(lang, mod);
      copy->next = NULL;
      *tail = copy;
      tail = (const DaeMod **)&copy->next;
    }
  }
  return result;
}

const DaeMod *
dae_mod_weaken(DaeLang *lang, const DaeMod *list)
{
  const DaeMod *result = NULL;
  const DaeMod **tail = &result;
  for (const DaeMod *mod = list; mod != NULL; mod = mod->next) {
    DaeMod *copy = new_mod(lang, mod);
    copy->is_weak = true;
    copy->next = NULL;
    *tail = copy;
    tail = (const DaeMod **)&copy->next;
  }
  return result;
}

DaeClosure
dae_closure_index(DaeLang *lang, DaeClosure closure, uint32_t index)
{
  DaeSubscript *subscript = dae_arena_alloc(lang->arena, sizeof *subscript);
  *subscript = (DaeSubscript){.index = index, .outer = closure.subscripts};
  closure.subscripts = subscript;
  return closure;
}

DaeClosure
dae_closure_member(DaeLang *lang, DaeClosure closure, uint32_t name)
{
  DaeSubscript *subscript = dae_arena_alloc(lang->arena, sizeof *subscript);
  *subscript = (DaeSubscript){.member = name, .outer = closure.subscripts};
  closure.subscripts = subscript;
  return closure;
}

/* The modifiers of element INDEX of an array of components: each value is
 * indexed unless it is `each`. */
const DaeMod *
dae_mod_index(DaeLang *lang, const DaeMod *list, uint32_t index)
{
  const DaeMod *result = NULL;
  const DaeMod **tail = &result;
  for (const DaeMod *mod = list; mod != NULL; mod = mod->next) {
    DaeMod *copy = new_mod(lang, mod);
    copy->next = NULL;
    if (!mod->is_each) {
      if (mod->value.code != 0) {
        copy->value = dae_closure_index(lang, mod->value, index);
      }
      copy->inner = dae_mod_index(lang, mod->inner, index);
    }
    *tail = copy;
    tail = (const DaeMod **)&copy->next;
  }
  return result;
}
