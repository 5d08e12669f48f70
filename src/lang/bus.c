/* Expandable connectors [MLS, section 9.1.3].
 *
 * Connects that name a member which is not there wait until all others are known. Then, until
 * nothing changes:
 *   connect(bus.x, y), bus without x    bus gets x, of the type of y
 *   connect(bus, other)                 each gets what only the other has, nested buses likewise
 * A declared member is only potential: it is there if a connect or an expression names it, or
 * the same member of a connector that is joined to this one. After that the members are
 * connected as those of any connector. */
#include <string.h>

#include "lang/connect.h"

typedef struct {
  DaeNode *scope;
  uint32_t pc;
  GArray *locals;
  bool is_done;
} Waiting;

struct DaeBuses {
  GArray *waiting; /* Waiting */
  GArray *links;   /* DaeLink of expandable connectors */
  bool is_used;    /* there are expandable connectors */
};

struct DaeBuses *
dae_buses_new(void)
{
  struct DaeBuses *buses = g_new0(struct DaeBuses, 1);
  buses->waiting = g_array_new(FALSE, TRUE, sizeof(Waiting));
  buses->links = g_array_new(FALSE, TRUE, sizeof(DaeLink));
  return buses;
}

void
dae_buses_free(struct DaeBuses *buses)
{
  for (guint i = 0; i < buses->waiting->len; i++) {
    g_array_free(g_array_index(buses->waiting, Waiting, i).locals, TRUE);
  }
  g_array_free(buses->waiting, TRUE);
  g_array_free(buses->links, TRUE);
  g_free(buses);
}

/* Also behind short classes with modifiers. */
bool
dae_node_is_expandable(const DaeLang *lang, const DaeNode *node)
{
  for (uint32_t i = 0; i < DAE_MAX_NESTING && node != NULL && node->class != 0; i++) {
    const DaeClass *class = dae_syntax_class(lang->syntax, node->class);
    if ((class->flags & DAE_FLAG_EXPANDABLE) != 0) {
      return true;
    }
    bool is_alias =
        (class->flags & DAE_FLAG_SHORT) != 0 && node->bases != NULL && node->bases->len == 1;
    node = is_alias ? node->bases->pdata[0] : NULL;
  }
  return false;
}

void
dae_bus_see(DaeLang *lang)
{
  lang->connect->buses->is_used = true;
}

/* ---- collecting ------------------------------------------------------------------------------ */

void
dae_bus_defer(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals)
{
  Waiting waiting = {.scope = scope, .pc = pc};
  waiting.locals = g_array_new(FALSE, TRUE, sizeof(DaeLocal));
  g_array_append_vals(waiting.locals, locals->data, locals->len);
  g_array_append_val(lang->connect->buses->waiting, waiting);
}

void
dae_bus_link(DaeLang *lang, const DaeLink *link)
{
  const DaeEndpoint *sides[] = {&link->a, &link->b};
  for (size_t i = 0; i < G_N_ELEMENTS(sides); i++) {
    if (sides[i]->node == NULL || !dae_node_is_expandable(lang, sides[i]->node)) {
      dae_source_error(
          lang->source, link->pos,
          "'%s' is an expandable connector and '%s' is not: connect a member of it",
          dae_names_text(lang->names, sides[1 - i]->name),
          dae_names_text(lang->names, sides[i]->name));
      return;
    }
  }
  g_array_append_val(lang->connect->buses->links, *link);
}

/* ---- new members ----------------------------------------------------------------------------- */

static uint32_t
position_in(DaeLang *lang, const DaeEndpoint *endpoint)
{
  const DaeComponent *component = endpoint->component;
  for (uint32_t k = 0; component->n_dims > 0 && k < component->count; k++) {
    if (dae_component_element_name(lang, component, k) == endpoint->name) {
      return k;
    }
  }
  return 0;
}

/* The missing member of one side, like what the other side names. */
static bool
add_missing(DaeLang *lang, const DaeSide *side, const DaeSide *other, uint32_t pos)
{
  if (!side->is_last || other->bus != NULL || other->endpoints->len == 0) {
    return false;
  }
  const DaeEndpoint *first = &g_array_index(other->endpoints, DaeEndpoint, 0);
  if ((first->component->flags & DAE_FLAG_FLOW) != 0) {
    dae_source_error(lang->source, pos, "'%s' is a flow: it cannot be a member of '%s' itself",
                     dae_names_text(lang->names, first->name),
                     dae_names_text(lang->names, side->bus->name));
    return false;
  }
  const uint32_t *dims = other->dims;
  uint32_t n_dims = other->n_dims;
  if (side->n_subscripts > 0) {
    n_dims = MIN(side->n_subscripts, (uint32_t)G_N_ELEMENTS(side->subscripts));
    dims = side->subscripts;
    for (uint32_t d = 0; d < n_dims; d++) {
      if (dims[d] == 0) {
        dae_source_error(lang->source, pos,
                         "the positions in the new member '%s' of '%s' are not known",
                         dae_names_text(lang->names, side->missing),
                         dae_names_text(lang->names, side->bus->name));
        return false;
      }
    }
  }
  DaeComponent *member = dae_component_augment(lang, side->bus, side->missing, first->component,
                                               position_in(lang, first), n_dims, dims, pos);
  if (member != NULL) {
    member->is_growing = side->n_subscripts > 0;
  }
  return member != NULL;
}

/* True: it ran, or a member was made for it. */
static bool
try_once(DaeLang *lang, Waiting *waiting)
{
  DaeSide a;
  DaeSide b;
  uint32_t errors = lang->source->n_errors;
  uint32_t pos = dae_syntax_code(lang->syntax, waiting->pc)->pos;
  dae_side_init(&a);
  dae_side_init(&b);
  bool changed = true;
  if (dae_connect_run(lang, waiting->scope, waiting->pc, waiting->locals, &a, &b)) {
    waiting->is_done = true;
  } else if (a.bus != NULL && b.bus != NULL) {
    changed = false;
  } else {
    changed = a.bus != NULL ? add_missing(lang, &a, &b, pos) : add_missing(lang, &b, &a, pos);
    waiting->is_done = lang->source->n_errors > errors;
  }
  dae_side_clear(&a);
  dae_side_clear(&b);
  return changed;
}

static bool
try_waiting(DaeLang *lang, Waiting *waiting)
{
  bool changed = try_once(lang, waiting);
  if (changed && !waiting->is_done) {
    try_once(lang, waiting); /* in the order of the text */
  }
  return changed;
}

static bool
is_fixed_value(const DaeComponent *component)
{
  return (component->flags & (DAE_FLAG_PARAMETER | DAE_FLAG_CONSTANT)) != 0;
}

/* The component of an element that takes part in the union; NULL: none. */
static DaeComponent *
member_of(DaeLang *lang, DaeElement *element)
{
  DaeComponent *component = element != NULL && element->kind == DAE_ELEMENT_COMPONENT
                                ? dae_component_of(lang, element)
                                : NULL;
  bool takes_part = component != NULL && !component->is_absent && !component->is_outer &&
                    !is_fixed_value(component);
  return takes_part ? component : NULL;
}

static DaeComponent *
namesake(DaeLang *lang, DaeNode *node, const DaeComponent *component)
{
  return member_of(lang, dae_node_element(lang, node, component->element->name));
}

/* Sizes of both, where both may grow or one may. */
static bool
match_sizes(DaeLang *lang, DaeComponent *x, DaeComponent *y)
{
  bool changed = false;
  if (x->n_dims == y->n_dims && x->n_dims > 0) {
    changed = y->is_growing && dae_component_grow(lang, y, x->dims);
    changed = (x->is_growing && dae_component_grow(lang, x, y->dims)) || changed;
  }
  return changed;
}

/* What only x has, y gets too. */
static bool
match(DaeLang *lang, DaeNode *x, DaeNode *y, uint32_t pos, uint32_t depth)
{
  bool changed = false;
  for (guint i = 0; i < x->elements->len && depth < DAE_MAX_NESTING && x != y; i++) {
    DaeComponent *mine = member_of(lang, x->elements->pdata[i]);
    if (mine == NULL || dae_source_is_full(lang->source)) {
      continue;
    }
    DaeComponent *its = namesake(lang, y, mine);
    if (its == NULL && dae_node_element(lang, y, mine->element->name) == NULL) {
      its = dae_component_augment(lang, y, mine->element->name, mine, 0, mine->n_dims,
                                  mine->dims, pos);
      if (its == NULL) {
        return false;
      }
      its->is_growing = mine->is_growing;
      changed = true;
    }
    if (its == NULL) {
      continue;
    }
    changed = match_sizes(lang, mine, its) || changed;
    bool is_nested = !mine->is_leaf && dae_node_is_expandable(lang, mine->type) &&
                     !its->is_leaf && dae_node_is_expandable(lang, its->type);
    for (uint32_t k = 0; is_nested && k < mine->count && k < its->count; k++) {
      changed = match(lang, mine->nodes[k], its->nodes[k], pos, depth + 1) || changed;
    }
  }
  return changed;
}

static void
report_waiting(DaeLang *lang, const Waiting *waiting)
{
  DaeSide a;
  DaeSide b;
  dae_side_init(&a);
  dae_side_init(&b);
  dae_connect_run(lang, waiting->scope, waiting->pc, waiting->locals, &a, &b);
  const DaeSide *side = a.bus != NULL ? &a : &b;
  if (side->bus != NULL) {
    bool both = a.bus != NULL && b.bus != NULL && a.is_last && b.is_last;
    dae_source_error(lang->source, dae_syntax_code(lang->syntax, waiting->pc)->pos,
                     both ? "'%s' has no member '%s', and what it is connected to is declared "
                            "nowhere either"
                          : "'%s' has no member '%s', and no connect makes it",
                     dae_names_text(lang->names, side->bus->name),
                     dae_names_text(lang->names, side->missing));
  }
  dae_side_clear(&a);
  dae_side_clear(&b);
}

/* ---- what is there --------------------------------------------------------------------------- */

bool
dae_bus_is_potential(const DaeLang *lang, const DaeComponent *component)
{
  if (!lang->connect->buses->is_used) {
    return false;
  }
  for (; component != NULL && component->parent != NULL;
       component = component->parent->component) {
    if (component->is_potential) {
      return true;
    }
  }
  return false;
}

static void
appear(DaeLang *lang, DaeComponent *component, bool declares)
{
  component->is_potential = false;
  if (declares) {
    dae_write_component(lang, component, 0, true, 0);
  }
}

void
dae_bus_reference(DaeLang *lang, DaeComponent *component)
{
  component->is_referenced = true;
  if (component->is_potential) {
    appear(lang, component, true);
  }
}

static bool
spread(DaeLang *lang, DaeNode *x, DaeNode *y, bool declares, uint32_t depth)
{
  bool changed = false;
  for (guint i = 0; i < x->elements->len && depth < DAE_MAX_NESTING; i++) {
    DaeComponent *mine = member_of(lang, x->elements->pdata[i]);
    DaeComponent *its = mine != NULL ? namesake(lang, y, mine) : NULL;
    if (its == NULL) {
      continue;
    }
    if (mine->is_potential != its->is_potential) {
      appear(lang, mine->is_potential ? mine : its, declares);
      changed = true;
    }
    its->is_referenced = mine->is_referenced = mine->is_referenced || its->is_referenced;
    bool is_nested = !mine->is_leaf && dae_node_is_expandable(lang, mine->type);
    for (uint32_t k = 0; is_nested && k < mine->count && k < its->count; k++) {
      changed = spread(lang, mine->nodes[k], its->nodes[k], declares, depth + 1) || changed;
    }
  }
  return changed;
}

void
dae_bus_spread(DaeLang *lang, bool declares)
{
  const GArray *links = lang->connect->buses->links;
  for (bool changed = true; changed;) {
    changed = false;
    for (guint i = 0; i < links->len; i++) {
      const DaeLink *link = &g_array_index(links, DaeLink, i);
      changed = spread(lang, link->a.node, link->b.node, declares, 0) || changed;
    }
  }
}

static void
check_no_flow(DaeLang *lang, DaeComponent *member)
{
  if (member->is_leaf && (member->flags & DAE_FLAG_FLOW) != 0) {
    dae_source_error(lang->source,
                     dae_syntax_declaration(lang->syntax, member->element->index)->pos,
                     "'%s' is a flow: an expandable connector has flows only in connectors "
                     "that are its members",
                     dae_names_text(lang->names, member->flat_name));
  }
}

/* All expandable connectors of the model: which of their members are not there, flows of those
 * that are. */
static void
prepare(DaeLang *lang, DaeNode *node, uint32_t depth)
{
  bool is_expandable = dae_node_is_expandable(lang, node);
  for (guint i = 0; i < node->elements->len && depth < DAE_MAX_NESTING; i++) {
    DaeElement *element = node->elements->pdata[i];
    DaeComponent *member =
        element->kind == DAE_ELEMENT_COMPONENT ? dae_component_of(lang, element) : NULL;
    if (member == NULL || member->is_absent || member->is_outer || element->is_removed) {
      continue;
    }
    bool is_bus = !member->is_leaf && dae_node_is_expandable(lang, member->type);
    if (is_expandable && !is_bus && !is_fixed_value(member)) {
      check_no_flow(lang, member);
      member->is_potential = !member->is_used;
      for (uint32_t k = 0; k < member->count && !member->is_leaf && !member->is_record; k++) {
        dae_connect_enter_flows(lang, member->nodes[k], false, 0);
        dae_connect_enter_flows(lang, member->nodes[k], true, 0);
      }
      continue;
    }
    for (uint32_t k = 0; k < member->count && !member->is_leaf && !member->is_record; k++) {
      prepare(lang, member->nodes[k], depth + 1);
    }
  }
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* Signals of arrays one by one: each may come from somewhere else. */
static void
join_arrays(DaeLang *lang, const DaeLink *link, DaeComponent *x, DaeComponent *y)
{
  for (uint32_t k = 0; k < x->count; k++) {
    DaeEndpoint p = {x, NULL, dae_component_element_name(lang, x, k), link->a.is_outside, true};
    DaeEndpoint q = {y, NULL, dae_component_element_name(lang, y, k), link->b.is_outside, true};
    dae_connect_join_endpoints(lang, &p, &q, link->pos);
  }
}

static void
join_buses(DaeLang *lang, const DaeLink *link, uint32_t depth)
{
  for (guint i = 0; i < link->a.node->elements->len && depth < DAE_MAX_NESTING; i++) {
    DaeComponent *x = member_of(lang, link->a.node->elements->pdata[i]);
    DaeComponent *y = x != NULL ? namesake(lang, link->b.node, x) : NULL;
    if (y == NULL) {
      continue;
    }
    bool fits = x->is_leaf == y->is_leaf && x->n_dims == y->n_dims &&
                (x->n_dims == 0 || memcmp(x->dims, y->dims, x->n_dims * sizeof *x->dims) == 0);
    if (!fits) {
      dae_source_error(lang->source, link->pos, "'%s' and '%s' are different members",
                       dae_names_text(lang->names, x->flat_name),
                       dae_names_text(lang->names, y->flat_name));
      continue;
    }
    if (x->is_leaf && x->n_dims > 0) {
      join_arrays(lang, link, x, y);
      continue;
    }
    bool is_bus = !x->is_leaf && dae_node_is_expandable(lang, x->type);
    for (uint32_t k = 0; k < x->count; k++) {
      bool is_variable = x->is_leaf || x->is_record;
      DaeEndpoint p = {x, is_variable ? NULL : x->nodes[k],
                       dae_component_element_name(lang, x, k), link->a.is_outside,
                       x->n_dims > 0 && is_variable};
      DaeEndpoint q = {y, is_variable ? NULL : y->nodes[k],
                       dae_component_element_name(lang, y, k), link->b.is_outside,
                       y->n_dims > 0 && is_variable};
      if (is_bus) {
        DaeLink inner = {p, q, link->pos};
        join_buses(lang, &inner, depth + 1);
      } else {
        dae_connect_join_endpoints(lang, &p, &q, link->pos);
      }
    }
  }
}

void
dae_bus_elaborate(DaeLang *lang)
{
  struct DaeBuses *buses = lang->connect->buses;
  uint32_t errors = lang->source->n_errors;
  if (!buses->is_used) {
    return;
  }
  for (bool changed = true; changed && lang->source->n_errors == errors;) {
    changed = false;
    for (guint i = 0; i < buses->waiting->len; i++) {
      Waiting *waiting = &g_array_index(buses->waiting, Waiting, i);
      changed = (!waiting->is_done && try_waiting(lang, waiting)) || changed;
    }
    for (guint i = 0; i < buses->links->len; i++) {
      const DaeLink link = g_array_index(buses->links, DaeLink, i);
      changed = match(lang, link.a.node, link.b.node, link.pos, 0) || changed;
      changed = match(lang, link.b.node, link.a.node, link.pos, 0) || changed;
    }
  }
  for (guint i = 0; i < buses->waiting->len; i++) {
    const Waiting *waiting = &g_array_index(buses->waiting, Waiting, i);
    if (!waiting->is_done && lang->source->n_errors == errors) {
      report_waiting(lang, waiting);
    }
  }
  prepare(lang, lang->model->type, 0);
  dae_bus_spread(lang, false);
  for (guint i = 0; i < buses->links->len; i++) {
    const DaeLink link = g_array_index(buses->links, DaeLink, i);
    join_buses(lang, &link, 0);
  }
  dae_bus_enter_elements(lang);
}
