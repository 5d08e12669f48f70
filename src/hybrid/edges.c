#include "hybrid/edges.h"

/* What holds in a branch: factor*part >= 0 with a number as factor. A part has no rational factor
 * of its own, so that it is found in 2*(p1 - p2)/rho as well as in p1 - p2. */
typedef struct {
  DaeTerm part;
  bool is_nonnegative; /* else: not positive */
} Fact;

enum { IS_KNOWN = 1, HAS_RELATION = 2, HAS_ROOT = 4, HAS_CHOICE = 8 };

struct DaeEdges {
  DaeTerms *terms;
  GHashTable *contents; /* term -> what is inside of it, the bits above */
};

DaeEdges *
dae_edges_new(DaeTerms *terms)
{
  DaeEdges *edges = g_new0(DaeEdges, 1);
  edges->terms = terms;
  edges->contents = g_hash_table_new(NULL, NULL);
  return edges;
}

void
dae_edges_free(DaeEdges *edges)
{
  if (edges != NULL) {
    g_hash_table_destroy(edges->contents);
    g_free(edges);
  }
}

/* ---- roots ------------------------------------------------------------------------------- */

/* u^p with a positive p that is no whole number, defined from 0 on, or an arc sine or cosine, from
 * -1 to 1. */
static bool
is_root(const DaeTerms *terms, DaeTerm t)
{
  int64_t whole = 0;
  if (dae_term_kind(terms, t) == DAE_KIND_CALL) {
    return dae_term_function(terms, t) == DAE_FN_ASIN ||
           dae_term_function(terms, t) == DAE_FN_ACOS;
  }
  if (dae_term_kind(terms, t) != DAE_KIND_POWER) {
    return false;
  }
  DaeTerm exponent = dae_term_operand(terms, t, 1);
  return dae_term_is_number(terms, exponent) && dae_term_sign(terms, exponent) > 0 &&
         !dae_term_get_int64(terms, exponent, &whole);
}

/* ---- what is inside ---------------------------------------------------------------------- */

static unsigned
contents_of(const DaeEdges *edges, DaeTerm t)
{
  return GPOINTER_TO_UINT(g_hash_table_lookup(edges->contents, GUINT_TO_POINTER(t)));
}

static bool
has_contents(void *self, DaeTerm t)
{
  return (contents_of(self, t) & IS_KNOWN) != 0;
}

/* A root whose operand has conditions of its own stays as it is. */
static unsigned
contents_of_node(const DaeEdges *edges, DaeTerm t, unsigned inside)
{
  DaeKind kind = dae_term_kind(edges->terms, t);
  if (kind == DAE_KIND_RELATION) {
    return inside | HAS_RELATION;
  }
  if (is_root(edges->terms, t)) {
    DaeTerm operand = dae_term_operand(edges->terms, t, 0);
    return (contents_of(edges, operand) & HAS_RELATION) == 0 ? inside | HAS_ROOT : inside;
  }
  if (kind == DAE_KIND_IF && !dae_term_is_literal(edges->terms, t)) {
    unsigned branches = contents_of(edges, dae_term_operand(edges->terms, t, 1)) |
                        contents_of(edges, dae_term_operand(edges->terms, t, 2));
    return (branches & HAS_ROOT) != 0 ? inside | HAS_CHOICE : inside;
  }
  return inside;
}

static void
add_contents(void *self, DaeTerm t)
{
  DaeEdges *edges = self;
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(edges->terms, t, &n);
  unsigned inside = IS_KNOWN;
  for (uint32_t i = 0; i < n; i++) {
    inside |= contents_of(edges, operands[i]);
  }
  g_hash_table_insert(edges->contents, GUINT_TO_POINTER(t),
                      GUINT_TO_POINTER(contents_of_node(edges, t, inside)));
}

static unsigned
contents(DaeEdges *edges, DaeTerm t)
{
  const DaeWalk walk = {.ready = has_contents, .compute = add_contents, .self = edges};
  dae_walk(edges->terms, t, &walk);
  return contents_of(edges, t);
}

static bool
is_wanted_root(void *user, const DaeTerms *terms, DaeTerm t)
{
  return is_root(terms, t) &&
         (contents_of(user, dae_term_operand(terms, t, 0)) & HAS_RELATION) == 0;
}

static bool
is_wanted_choice(void *user, const DaeTerms *terms, DaeTerm t)
{
  return dae_term_kind(terms, t) == DAE_KIND_IF && !dae_term_is_literal(terms, t) &&
         (contents_of(user, t) & HAS_ROOT) != 0;
}

static GArray *
nodes_of(DaeEdges *edges, DaeTerm t, DaeNodeTest is_wanted)
{
  GArray *nodes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_nodes(edges->terms, t, is_wanted, edges, nodes);
  return nodes;
}

/* ---- facts ------------------------------------------------------------------------------- */

/* t = factor*part; a product takes the content out of a sum, so one is made. */
static DaeTerm
part_of(DaeTerms *terms, DaeTerm t, bool *is_positive)
{
  DaeTerm time = dae_term_time(terms);
  DaeTerm product = dae_term_mul(terms, t, time);
  uint32_t n = 0;
  DaeTerm part = dae_term_int(terms, 1);
  *is_positive = true;
  if (dae_term_kind(terms, product) != DAE_KIND_PRODUCT || dae_term_contains(terms, t, time)) {
    return t;
  }
  const DaeTerm *factors = dae_term_operands(terms, product, &n);
  g_autofree DaeTerm *copy = g_memdup2(factors, n * sizeof *factors);
  for (uint32_t i = 0; i < n; i++) {
    if (dae_term_is_number(terms, copy[i])) {
      *is_positive = dae_term_sign(terms, copy[i]) > 0;
    } else if (copy[i] != time) {
      part = dae_term_mul(terms, part, copy[i]);
    }
  }
  return part;
}

static void
add_fact(DaeTerms *terms, GArray *facts, DaeTerm nonnegative)
{
  if (nonnegative == DAE_NO_TERM || dae_term_is_number(terms, nonnegative)) {
    return;
  }
  Fact fact = {.is_nonnegative = true};
  fact.part = part_of(terms, nonnegative, &fact.is_nonnegative);
  g_array_append_val(facts, fact);
}

/* What the relation says, or its opposite. */
static void
relation_facts(DaeTerms *terms, DaeTerm relation, bool holds, GArray *facts)
{
  DaeRelation op = dae_term_relation_op(terms, relation);
  if (op == DAE_REL_EQ || op == DAE_REL_NE) {
    return;
  }
  bool is_less = op == DAE_REL_LT || op == DAE_REL_LE;
  DaeTerm a = dae_term_operand(terms, relation, 0);
  DaeTerm b = dae_term_operand(terms, relation, 1);
  if (dae_term_is_literal_truth(terms, a) || dae_term_is_literal_truth(terms, b)) {
    return;
  }
  add_fact(terms, facts,
           is_less == holds ? dae_term_sub(terms, b, a) : dae_term_sub(terms, a, b));
}

/* What is known where the condition has this value: of `a and b` both where it holds, of
 * `a or b` both opposites where it does not. */
static GArray *
facts_of(DaeTerms *terms, DaeTerm condition, bool holds)
{
  typedef struct {
    DaeTerm t;
    bool holds;
  } Open;

  GArray *facts = g_array_new(FALSE, FALSE, sizeof(Fact));
  g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(Open));
  Open first = {condition, holds};
  g_array_append_val(open, first);
  while (open->len > 0) {
    Open top = g_array_index(open, Open, open->len - 1);
    g_array_set_size(open, open->len - 1);
    DaeKind kind = dae_term_kind(terms, top.t);
    if (kind == DAE_KIND_RELATION) {
      relation_facts(terms, top.t, top.holds, facts);
    } else if (kind == DAE_KIND_NOT || kind == (top.holds ? DAE_KIND_AND : DAE_KIND_OR)) {
      uint32_t n = 0;
      const DaeTerm *operands = dae_term_operands(terms, top.t, &n);
      for (uint32_t i = 0; i < n; i++) {
        Open next = {operands[i], kind == DAE_KIND_NOT ? !top.holds : top.holds};
        g_array_append_val(open, next);
      }
    }
  }
  return facts;
}

/* ---- branches ---------------------------------------------------------------------------- */

/* What is not negative, or not positive: up to its edge, and no further. */
static DaeTerm
closed(DaeTerms *terms, DaeTerm t, bool is_nonnegative)
{
  DaeTerm zero = dae_term_int(terms, 0);
  return dae_term_call2(terms, is_nonnegative ? DAE_FN_MAX : DAE_FN_MIN, t, zero);
}

/* Does the domain of the root end where its operand is this? */
static bool
is_end_of_domain(DaeTerms *terms, DaeTerm root, DaeTerm operand)
{
  int64_t value = 0;
  if (operand == DAE_NO_TERM) {
    return false;
  }
  operand = dae_terms_rewrite(terms, operand); /* one that is held at another edge already */
  if (dae_term_kind(terms, root) == DAE_KIND_POWER) {
    return dae_term_is_zero(terms, operand);
  }
  return dae_term_get_int64(terms, operand, &value) && (value == 1 || value == -1);
}

/* u = edge where the part, c*(u - edge) with a number c, is 0; DAE_NO_TERM: it is of another
 * form. */
static DaeTerm
edge_of(DaeTerms *terms, DaeTerm part, DaeTerm u, bool *rises)
{
  const DaeTerm slope = dae_term_partial(terms, part, u);
  if (slope == DAE_NO_TERM || !dae_term_is_number(terms, slope) ||
      dae_term_is_zero(terms, slope) || dae_term_has_varying_break(terms, part)) {
    return DAE_NO_TERM;
  }
  *rises = dae_term_sign(terms, slope) > 0;
  const DaeTerm edge = dae_term_sub(terms, u, dae_term_div(terms, part, slope));
  return dae_term_contains(terms, edge, u) ? DAE_NO_TERM : edge;
}

/* The operand with u held on its side of the edge, if its domain ends there. */
static DaeTerm
held_at_edge(DaeTerms *terms, DaeTerm root, DaeTerm operand, DaeTerm u, const Fact *fact)
{
  bool rises = true;
  const DaeTerm edge = edge_of(terms, fact->part, u, &rises);
  if (edge == DAE_NO_TERM ||
      !is_end_of_domain(terms, root, dae_term_replace(terms, operand, u, edge))) {
    return operand;
  }
  const DaeTerm beyond =
      closed(terms, dae_term_sub(terms, u, edge), rises == fact->is_nonnegative);
  return dae_term_replace(terms, operand, u, dae_term_add(terms, edge, beyond));
}

static bool
is_size_of_atom(void *user, const DaeTerms *terms, DaeTerm t)
{
  (void)user;
  if (dae_term_kind(terms, t) != DAE_KIND_CALL || dae_term_function(terms, t) != DAE_FN_ABS) {
    return false;
  }
  const DaeKind kind = dae_term_kind(terms, dae_term_operand(terms, t, 0));
  return kind == DAE_KIND_VARIABLE || kind == DAE_KIND_TIME;
}

/* The same with -edge <= u <= edge, for a guard that says abs(u) <= edge. */
static DaeTerm
held_between(DaeTerms *terms, DaeTerm root, DaeTerm operand, DaeTerm size, const Fact *fact)
{
  const DaeTerm u = dae_term_operand(terms, size, 0);
  bool rises = true;
  const DaeTerm edge = edge_of(terms, dae_term_replace(terms, fact->part, size, u), u, &rises);
  if (edge == DAE_NO_TERM || rises == fact->is_nonnegative) {
    return operand;
  }
  const DaeTerm other = dae_term_neg(terms, edge);
  if (!is_end_of_domain(terms, root, dae_term_replace(terms, operand, u, edge)) ||
      !is_end_of_domain(terms, root, dae_term_replace(terms, operand, u, other))) {
    return operand;
  }
  const DaeTerm below = dae_term_call2(terms, DAE_FN_MIN, u, edge);
  return dae_term_replace(terms, operand, u, dae_term_call2(terms, DAE_FN_MAX, below, other));
}

/* Where the guard is not below the root, but the root ends where the guard does: `if x < 1 then
 * sqrt(1 - x^2)`. */
static DaeTerm
held_operand(DaeTerms *terms, DaeTerm root, DaeTerm operand, const Fact *fact)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  const DaeTerm time = dae_term_time(terms);
  dae_term_collect_variables(terms, fact->part, atoms);
  if (dae_term_contains(terms, fact->part, time)) {
    g_array_append_val(atoms, time);
  }
  dae_term_collect_nodes(terms, fact->part, is_size_of_atom, NULL, sizes);
  const DaeTerm given = operand;
  for (guint i = 0; i < sizes->len && operand == given; i++) {
    operand = held_between(terms, root, operand, g_array_index(sizes, DaeTerm, i), fact);
  }
  for (guint i = 0; i < atoms->len && operand == given; i++) {
    operand = held_at_edge(terms, root, operand, g_array_index(atoms, DaeTerm, i), fact);
  }
  return operand != DAE_NO_TERM ? operand : given;
}

/* The operand of a root with closed guards. */
static DaeTerm
closed_operand(DaeTerms *terms, DaeTerm root, const GArray *facts)
{
  DaeTerm operand = dae_term_operand(terms, root, 0);
  for (guint i = 0; i < facts->len; i++) {
    const Fact *fact = &g_array_index(facts, Fact, i);
    DaeTerm closed_part = closed(terms, fact->part, fact->is_nonnegative);
    bool is_positive = true;
    if (dae_term_kind(terms, root) == DAE_KIND_POWER &&
        part_of(terms, operand, &is_positive) == fact->part) { /* 2*p1 - 2*p2 */
      operand = closed(terms, operand, is_positive == fact->is_nonnegative);
    } else if (dae_term_contains(terms, operand, fact->part) &&
               !dae_term_contains(terms, operand, closed_part)) {
      operand = dae_term_replace(terms, operand, fact->part, closed_part);
    } else {
      operand = held_operand(terms, root, operand, fact);
    }
  }
  return operand;
}

/* The root of another operand. */
static DaeTerm
root_of(DaeTerms *terms, DaeTerm root, DaeTerm operand)
{
  return dae_term_kind(terms, root) == DAE_KIND_POWER
             ? dae_term_pow(terms, operand, dae_term_operand(terms, root, 1))
             : dae_term_call1(terms, dae_term_function(terms, root), operand);
}

static DaeTerm
closed_branch(DaeEdges *edges, DaeTerm branch, DaeTerm condition, bool holds)
{
  DaeTerms *terms = edges->terms;
  if ((contents(edges, branch) & HAS_ROOT) == 0) {
    return branch;
  }
  g_autoptr(GArray) roots = nodes_of(edges, branch, is_wanted_root);
  g_autoptr(GArray) facts = facts_of(terms, condition, holds);
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  for (guint i = 0; i < roots->len; i++) {
    DaeTerm root = g_array_index(roots, DaeTerm, i);
    DaeTerm operand = closed_operand(terms, root, facts);
    DaeTerm to = operand != dae_term_operand(terms, root, 0) && operand != DAE_NO_TERM
                     ? root_of(terms, root, operand)
                     : DAE_NO_TERM;
    if (to != DAE_NO_TERM) {
      dae_subst_set(subst, root, to);
    }
  }
  DaeTerm result = dae_subst_apply(subst, branch);
  return result != DAE_NO_TERM ? result : branch;
}

DaeTerm
dae_edges_close(DaeEdges *edges, DaeTerm t)
{
  DaeTerms *terms = edges->terms;
  if (t == DAE_NO_TERM || !dae_term_has_call(terms, t) ||
      (contents(edges, t) & HAS_CHOICE) == 0) {
    return t;
  }
  g_autoptr(GArray) choices = nodes_of(edges, t, is_wanted_choice);
  g_autoptr(DaeSubst) subst = dae_subst_new(terms);
  for (guint i = 0; i < choices->len; i++) { /* inner ones first */
    DaeTerm choice = g_array_index(choices, DaeTerm, i);
    DaeTerm condition = dae_term_operand(terms, choice, 0);
    DaeTerm branches[2];
    bool changes = false;
    for (uint32_t k = 0; k < 2; k++) {
      DaeTerm given = dae_term_operand(terms, choice, 1 + k);
      DaeTerm branch = dae_subst_apply(subst, given);
      branches[k] = closed_branch(edges, branch, condition, k == 0);
      changes = changes || branches[k] != given;
    }
    if (changes) {
      dae_subst_set(subst, choice, dae_term_if(terms, condition, branches[0], branches[1]));
    }
  }
  DaeTerm result = dae_subst_apply(subst, t);
  return result != DAE_NO_TERM ? result : t;
}
