/* The size of connectors [MLS, section 9.3.1]: as many flows as other variables that are not
 * input, output, stream, parameter or constant. Only then does a connection give as many equations
 * as the two sides have unknowns. A warning, as in other tools: text books have connectors without
 * flows, and whether a model is balanced is seen in the end. */
#include "lang/connect.h"

typedef struct {
  uint64_t n_flows, n_potentials;
} Balance;

/* The scalars that equalityConstraint gives for an overdetermined type or record. */
static uint64_t
residues_of(DaeLang *lang, const DaeNode *constraint)
{
  uint64_t n = 0;
  for (guint i = 0; i < constraint->elements->len; i++) {
    DaeElement *element = constraint->elements->pdata[i];
    const DaeComponent *output =
        element->kind == DAE_ELEMENT_COMPONENT && (element->flags & DAE_FLAG_OUTPUT) != 0
            ? dae_component_of(lang, element)
            : NULL;
    n += output != NULL ? output->count : 0;
  }
  return n;
}

static void add_members(DaeLang *lang, const DaeNode *node, uint64_t times, uint32_t depth,
                        Balance *balance);

static void
add_component(DaeLang *lang, const DaeComponent *component, uint64_t times, uint32_t depth,
              Balance *balance)
{
  const uint32_t apart = DAE_FLAG_INPUT | DAE_FLAG_OUTPUT | DAE_FLAG_PARAMETER |
                         DAE_FLAG_CONSTANT | DAE_FLAG_STREAM;
  const DaeNode *constraint = NULL;
  if ((component->flags & apart) != 0 || component->is_absent || component->count == 0 ||
      component->type->builtin == DAE_BUILTIN_CLOCK) {
    return;
  }
  constraint = dae_graph_constraint(lang, component);
  if (constraint != NULL) {
    balance->n_potentials += times * residues_of(lang, constraint);
  } else if (component->type->builtin == DAE_BUILTIN_NONE) {
    add_members(lang, component->nodes[0], times * component->count, depth + 1, balance);
  } else if ((component->flags & DAE_FLAG_FLOW) != 0) {
    balance->n_flows += times * component->count;
  } else {
    balance->n_potentials += times * component->count;
  }
}

static void
add_members(DaeLang *lang, const DaeNode *node, uint64_t times, uint32_t depth,
            Balance *balance)
{
  for (guint i = 0; i < node->elements->len && depth < DAE_MAX_NESTING; i++) {
    DaeElement *element = node->elements->pdata[i];
    const DaeComponent *component =
        element->kind == DAE_ELEMENT_COMPONENT && !element->is_removed
            ? dae_component_of(lang, element)
            : NULL;
    if (component != NULL) {
      add_component(lang, component, times, depth, balance);
    }
  }
}

void
dae_check_connector(DaeLang *lang, const DaeNode *node)
{
  const DaeClass *class = dae_syntax_class(lang->syntax, node->class);
  Balance balance = {0};
  if (node->builtin != DAE_BUILTIN_NONE || (class->flags & DAE_FLAG_PARTIAL) != 0) {
    return;
  }
  add_members(lang, node, 1, 0, &balance);
  if (balance.n_flows == balance.n_potentials ||
      !g_hash_table_add(lang->told_places, GUINT_TO_POINTER(class->pos))) {
    return;
  }
  dae_source_warning(
      lang->source, class->pos,
      "the connector '%s' has %" G_GUINT64_FORMAT " flow variable%s and %" G_GUINT64_FORMAT
      " that %s neither flow, input, output nor stream: a connector has as many of "
      "both",
      dae_names_text(lang->names, class->name), balance.n_flows,
      balance.n_flows == 1 ? "" : "s", balance.n_potentials,
      balance.n_potentials == 1 ? "is" : "are");
}
