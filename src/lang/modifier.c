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

/* ---- one entry for each element [MLS, section 7.2.4] ------------------------------------- */

/* `each` of an entry is that of all that it says. */
static const DaeMod *
spread_each(DaeLang *lang, const DaeMod *mod)
{
  DaeMod *copy = new_mod(lang, mod);
  const DaeMod *result = NULL;
  const DaeMod **tail = &result;
  for (const DaeMod *inner = mod->inner; inner != NULL; inner = inner->next) {
    DaeMod *each = new_mod(lang, inner);
    each->is_each = true;
    *tail = each;
    tail = (const DaeMod **)&each->next;
  }
  copy->inner = result;
  copy->is_each = false;
  return copy;
}

static bool
is_twice(const DaeMod *a, const DaeMod *b)
{
  bool has_value = a->value.code != 0 || a->is_break;
  return (has_value && (b->value.code != 0 || b->is_break)) || a->redeclared != 0 ||
         b->redeclared != 0;
}

/* a(x = 1) and a(y = 2) are a(x = 1, y = 2). */
static void
take_in(DaeLang *lang, DaeMod *mod, const DaeMod *other)
{
  if (is_twice(mod, other)) {
    dae_error_once(lang, other->pos, "'%s' is modified twice in this list", other->name);
    return;
  }
  if (mod->is_each != other->is_each) {
    const DaeMod *next = mod->next;
    other = other->is_each && other->inner != NULL ? spread_each(lang, other) : other;
    *mod = mod->is_each && mod->inner != NULL ? *spread_each(lang, mod) : *mod;
    mod->next = next;
  }
  if (other->value.code != 0 || other->is_break) {
    mod->value = other->value;
    mod->is_break = other->is_break;
    mod->is_each = other->is_each;
    mod->is_final = other->is_final;
  }
  const DaeMod **tail = &mod->inner;
  while (*tail != NULL) { /* of this list alone: nobody else knows it yet */
    tail = (const DaeMod **)&((DaeMod *)*tail)->next;
  }
  *tail = other->inner;
}

static void
join_same(DaeLang *lang, const DaeMod **list, uint32_t depth)
{
  for (const DaeMod **at = list; *at != NULL && depth < DAE_MAX_NESTING;) {
    DaeMod *mod = (DaeMod *)*at;
    DaeMod *known = (DaeMod *)dae_mod_find(*list, mod->name);
    if (known != mod) {
      take_in(lang, known, mod);
      *at = mod->next;
    } else {
      at = (const DaeMod **)&mod->next;
    }
  }
  for (const DaeMod *mod = *list; mod != NULL && depth < DAE_MAX_NESTING; mod = mod->next) {
    join_same(lang, &((DaeMod *)mod)->inner, depth + 1);
  }
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
    uint32_t begin = level->at + 1;
    level->at += 1 + entry->n_inner;
    if (entry->is_deselected) { /* seen by the extends-clause */
      continue;
    }
    DaeMod *mod = convert_entry(lang, entry, scope);
    DaeMod *outermost = nest(lang, entry->name, mod);
    *level->tail = outermost;
    level->tail = (const DaeMod **)&outermost->next;
    if (entry->n_inner > 0 && !entry->is_component && !entry->is_class) {
      Level inner = {begin, begin + entry->n_inner, &mod->inner};
      g_array_append_val(levels, inner);
    }
  }
  join_same(lang, &result, 0);
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
  bool says = mod->value.code != 0 || mod->redeclared != 0 || mod->is_break;
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
  dae_warn_redeclared_again(lang, outer, inner);
  if (outer->redeclared != 0) {
    /* what is said inside is weaker than what the new declaration says itself */
    mod.under = dae_mod_combine(lang, outer->under, inner);
    return new_mod(lang, &mod);
  }
  if (mod.value.code == 0 && !mod.is_break) {
    mod.value = inner->value;
    mod.is_break = inner->is_break;
    mod.is_weak = inner->is_weak;
    mod.is_final = mod.is_final || inner->is_final;
  }
  mod.redeclared = inner->redeclared;
  mod.is_class = inner->is_class;
  mod.redeclared_scope = inner->redeclared_scope;
  mod.part = inner->part;
  mod.under = inner->under;
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
    copy->inner = dae_mod_weaken(lang, mod->inner);
    copy->next = NULL;
    *tail = copy;
    tail = (const DaeMod **)&copy->next;
  }
  return result;
}

static const DaeSubscript *
add_index(DaeLang *lang, const DaeSubscript *outer, uint32_t index)
{
  DaeSubscript *subscript = dae_arena_alloc(lang->arena, sizeof *subscript);
  *subscript = (DaeSubscript){.index = index, .outer = outer};
  return subscript;
}

DaeClosure
dae_closure_index(DaeLang *lang, DaeClosure closure, uint32_t index)
{
  closure.subscripts = add_index(lang, closure.subscripts, index);
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
      copy->under = dae_mod_index(lang, mod->under, index);
      if (mod->redeclared != 0 && !mod->is_class) { /* classes have no elements */
        copy->part = add_index(lang, mod->part, index);
      }
    }
    *tail = copy;
    tail = (const DaeMod **)&copy->next;
  }
  return result;
}

const DaeMod *
dae_mod_part(DaeLang *lang, const DaeMod *list, const DaeSubscript *part)
{
  return part == NULL || list == NULL
             ? list
             : dae_mod_index(lang, dae_mod_part(lang, list, part->outer), part->index);
}

/* `each` was about the arrays around: what the entry says is for one element now. Inside, it is
 * about arrays in there too, if there are any [MLS, section 7.2.5]. */
const DaeMod *
dae_mod_without_each(DaeLang *lang, const DaeMod *list, bool is_first)
{
  const DaeMod *result = NULL;
  const DaeMod **tail = &result;
  for (const DaeMod *mod = list; mod != NULL; mod = mod->next) {
    DaeMod *copy = new_mod(lang, mod);
    copy->next = NULL;
    copy->is_each = mod->is_each && !is_first;
    copy->is_spread = true;
    copy->inner = dae_mod_without_each(lang, mod->inner, false);
    *tail = copy;
    tail = (const DaeMod **)&copy->next;
  }
  return result;
}

const DaeMod *
dae_element_own_mods(DaeLang *lang, const DaeElement *element)
{
  const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, element->index);
  const DaeMod *own =
      dae_mod_list(lang, declaration->first_mod, declaration->n_mods, element->home);
  return element->part != NULL
             ? dae_mod_without_each(lang, dae_mod_part(lang, own, element->part), false)
             : own;
}
