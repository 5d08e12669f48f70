/* Rows as linear combinations: sum c_z * z + sum c_N * N + rest. The coefficients contain no
 * unknown; the leaves N are the parts that are not linear. Splitting distributes a factor
 * without unknowns over sums, so that C*(x + y) - C*x - C*y cancels whatever C is. */
#include "initcheck/initcheck-priv.h"

enum { FIRST_SIZE = 4 }; /* of a list: most rows are short */

void
ic_form_init(IcSystem *sys, IcForm *form)
{
  form->entries = g_array_ref(sys->no_entries);
  form->leaves = g_array_ref(sys->no_leaves);
  form->rest = dae_term_int(sys->terms, 0);
}

void
ic_form_clear(IcForm *form)
{
  g_clear_pointer(&form->entries, g_array_unref);
  g_clear_pointer(&form->leaves, g_array_unref);
}

GArray *
ic_own_list(GArray **list, const GArray *shared)
{
  if (*list == shared) {
    guint size = g_array_get_element_size(*list);
    g_array_unref(*list);
    *list = g_array_sized_new(FALSE, FALSE, size, FIRST_SIZE);
  }
  return *list;
}

void
ic_form_reset(IcSystem *sys, IcForm *form)
{
  g_array_set_size(form->entries, 0);
  g_array_set_size(form->leaves, 0);
  form->rest = dae_term_int(sys->terms, 0);
}

static guint
entry_position(const IcForm *form, uint32_t z)
{
  guint low = 0;
  guint high = form->entries->len;
  if (high > 0 && g_array_index(form->entries, IcEntry, high - 1).z < z) {
    return high; /* rows are mostly built in order */
  }
  while (low < high) {
    guint middle = (low + high) / 2;
    if (g_array_index(form->entries, IcEntry, middle).z < z) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static DaeTerm
add_coefficients(IcSystem *sys, DaeTerm a, DaeTerm b)
{
  return ic_tidy(sys, dae_term_add(sys->terms, a, b));
}

static void
add_entry(IcSystem *sys, IcForm *form, uint32_t z, DaeTerm c)
{
  guint at = entry_position(form, z);
  if (at < form->entries->len && g_array_index(form->entries, IcEntry, at).z == z) {
    IcEntry *entry = &g_array_index(form->entries, IcEntry, at);
    entry->c = add_coefficients(sys, entry->c, c);
    if (dae_term_is_zero(sys->terms, entry->c)) {
      g_array_remove_index(form->entries, at);
    }
    return;
  }
  if (!dae_term_is_zero(
          sys->terms, c)) { /* sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)): only tidying shows it */
    IcEntry entry = {z, c};
    g_array_insert_val(ic_own_list(&form->entries, sys->no_entries), at, entry);
  }
}

static void
add_leaf(IcSystem *sys, IcForm *form, DaeTerm leaf, DaeTerm c)
{
  for (guint i = 0; i < form->leaves->len; i++) {
    IcLeaf *known = &g_array_index(form->leaves, IcLeaf, i);
    if (known->leaf == leaf) {
      known->c = add_coefficients(sys, known->c, c);
      if (dae_term_is_zero(sys->terms, known->c)) {
        g_array_remove_index(form->leaves, i);
      }
      return;
    }
  }
  if (!dae_term_is_zero(sys->terms, c)) {
    IcLeaf item = {leaf, c};
    g_array_append_val(ic_own_list(&form->leaves, sys->no_leaves), item);
  }
}

/* Splits a product into its factors with and without unknowns: *c gets the latter. One factor
 * with unknowns: it is returned; several: their product. */
static DaeTerm
split_product(IcSystem *sys, DaeTerm product, DaeTerm *c, uint32_t *n_inside)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(sys->terms, product, &n);
  GArray *inside = sys->with;
  GArray *outside = sys->without;
  g_array_set_size(inside, 0);
  g_array_set_size(outside, 0);
  for (uint32_t i = 0; i < n; i++) {
    g_array_append_val(ic_has_unknown(sys, operands[i]) ? inside : outside, operands[i]);
  }
  *n_inside = inside->len;
  DaeTerm factor =
      dae_term_product(sys->terms, (const DaeTerm *)(void *)outside->data, outside->len);
  *c = dae_term_mul(sys->terms, *c, factor);
  return dae_term_product(sys->terms, (const DaeTerm *)(void *)inside->data, inside->len);
}

static void
push_operands(IcSystem *sys, GArray *stack, DaeTerm sum, DaeTerm factor)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(sys->terms, sum, &n);
  for (uint32_t i = n; i-- > 0;) {
    IcLeaf item = {operands[i], factor};
    g_array_append_val(stack, item);
  }
}

bool
ic_form_add_term(IcSystem *sys, IcForm *form, DaeTerm factor, DaeTerm t)
{
  GArray *rest = sys->rest;
  GArray *stack = sys->stack;
  if (t == DAE_NO_TERM || factor == DAE_NO_TERM) {
    return false;
  }
  g_array_set_size(rest, 0);
  g_array_set_size(stack, 0);
  IcLeaf first = {t, factor};
  g_array_append_val(stack, first);
  g_array_append_val(rest, form->rest);
  while (stack->len > 0) {
    IcLeaf item = g_array_index(stack, IcLeaf, stack->len - 1);
    g_array_set_size(stack, stack->len - 1);
    DaeTerm node = item.leaf;
    DaeKind kind = dae_term_kind(sys->terms, node);
    if (kind == DAE_KIND_PRODUCT) {
      uint32_t n_inside = 0;
      DaeTerm c = item.c;
      DaeTerm inside = split_product(sys, node, &c, &n_inside);
      if (n_inside == 1) {
        IcLeaf again = {inside, c};
        g_array_append_val(stack, again);
        continue;
      }
      if (n_inside > 1) {
        add_leaf(sys, form, inside, ic_tidy(sys, c));
        continue;
      }
    }
    gpointer z = g_hash_table_lookup(sys->index, GUINT_TO_POINTER(node));
    if (z != NULL) {
      add_entry(sys, form, GPOINTER_TO_UINT(z) - 1, ic_tidy(sys, item.c));
    } else if (!ic_has_unknown(sys, node)) {
      DaeTerm product = dae_term_mul(sys->terms, item.c, node);
      g_array_append_val(rest, product);
    } else if (kind == DAE_KIND_SUM) {
      push_operands(sys, stack, node, item.c);
    } else {
      add_leaf(sys, form, node, ic_tidy(sys, item.c));
    }
  }
  form->rest =
      ic_tidy(sys, dae_term_sum(sys->terms, (const DaeTerm *)(void *)rest->data, rest->len));
  return true;
}

void
ic_form_add_form(IcSystem *sys, IcForm *form, DaeTerm factor, const IcForm *other)
{
  for (guint i = 0; i < other->entries->len; i++) {
    const IcEntry *entry = &g_array_index(other->entries, IcEntry, i);
    add_entry(sys, form, entry->z, ic_tidy(sys, dae_term_mul(sys->terms, factor, entry->c)));
  }
  for (guint i = 0; i < other->leaves->len; i++) {
    const IcLeaf *leaf = &g_array_index(other->leaves, IcLeaf, i);
    add_leaf(sys, form, leaf->leaf, ic_tidy(sys, dae_term_mul(sys->terms, factor, leaf->c)));
  }
  form->rest = add_coefficients(sys, form->rest, dae_term_mul(sys->terms, factor, other->rest));
}

DaeTerm
ic_form_coefficient(const IcForm *form, uint32_t z)
{
  guint at = entry_position(form, z);
  if (at < form->entries->len && g_array_index(form->entries, IcEntry, at).z == z) {
    return g_array_index(form->entries, IcEntry, at).c;
  }
  return DAE_NO_TERM;
}

DaeTerm
ic_form_take_entry(IcForm *form, uint32_t z)
{
  DaeTerm c = ic_form_coefficient(form, z);
  if (c != DAE_NO_TERM) {
    g_array_remove_index(form->entries, entry_position(form, z));
  }
  return c;
}

/* The entry of z becomes one of `by`, which has none yet: what is between moves by one place. A
 * sum over a whole model changes term by term. */
static void
exchange_entry(IcForm *form, uint32_t z, IcEntry by)
{
  IcEntry *entries = &g_array_index(form->entries, IcEntry, 0);
  guint from = entry_position(form, z);
  guint to = entry_position(form, by.z);
  if (to > from) {
    to--;
    memmove(entries + from, entries + from + 1, (to - from) * sizeof(IcEntry));
  } else {
    memmove(entries + to + 1, entries + to, (from - to) * sizeof(IcEntry));
  }
  entries[to] = by;
}

DaeTerm
ic_form_put(IcSystem *sys, IcForm *form, uint32_t z, const IcForm *solution)
{
  DaeTerm c = ic_form_coefficient(form, z);
  if (c == DAE_NO_TERM) {
    return c;
  }
  if (solution->entries->len == 1 && solution->leaves->len == 0) {
    IcEntry by = g_array_index(solution->entries, IcEntry, 0);
    by.c = ic_tidy(sys, dae_term_mul(sys->terms, c, by.c));
    if (!dae_term_is_zero(sys->terms, by.c) && ic_form_coefficient(form, by.z) == DAE_NO_TERM) {
      exchange_entry(form, z, by);
      form->rest =
          add_coefficients(sys, form->rest, dae_term_mul(sys->terms, c, solution->rest));
      return c;
    }
  }
  ic_form_take_entry(form, z);
  ic_form_add_form(sys, form, c, solution);
  return c;
}

DaeTerm
ic_form_term(IcSystem *sys, const IcForm *form)
{
  g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_array_append_val(parts, form->rest);
  for (guint i = 0; i < form->entries->len; i++) {
    const IcEntry *entry = &g_array_index(form->entries, IcEntry, i);
    DaeTerm atom = g_array_index(sys->unknowns, IcUnknown, entry->z).atom;
    DaeTerm part = dae_term_mul(sys->terms, entry->c, atom);
    g_array_append_val(parts, part);
  }
  for (guint i = 0; i < form->leaves->len; i++) {
    const IcLeaf *leaf = &g_array_index(form->leaves, IcLeaf, i);
    DaeTerm part = dae_term_mul(sys->terms, leaf->c, leaf->leaf);
    g_array_append_val(parts, part);
  }
  return dae_term_sum(sys->terms, (const DaeTerm *)(void *)parts->data, parts->len);
}

void
ic_form_unknowns(IcSystem *sys, const IcForm *form, GArray *out)
{
  g_array_set_size(out, 0);
  for (guint i = 0; i < form->entries->len; i++) {
    g_array_append_val(out, g_array_index(form->entries, IcEntry, i).z);
  }
  for (guint i = 0; i < form->leaves->len; i++) {
    const GArray *inside = ic_unknowns_inside(sys, g_array_index(form->leaves, IcLeaf, i).leaf);
    g_array_append_vals(out, inside->data, inside->len);
  }
  if (form->leaves->len == 0) {
    return;
  }
  ic_sort_unique(out);
}

bool
ic_form_leaf_has(IcSystem *sys, const IcForm *form, uint32_t z)
{
  for (guint i = 0; i < form->leaves->len; i++) {
    const GArray *inside = ic_unknowns_inside(sys, g_array_index(form->leaves, IcLeaf, i).leaf);
    for (guint k = 0; k < inside->len; k++) {
      if (g_array_index(inside, uint32_t, k) == z) {
        return true;
      }
    }
  }
  return false;
}
