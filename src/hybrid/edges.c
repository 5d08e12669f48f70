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

/* u^p with a positive p that is no whole number: defined from 0 on. */
static bool
is_root(const DaeTerms *terms, DaeTerm t)
{
  int64_t whole = 0;
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

/* The operand of a root with closed guards. */
static DaeTerm
closed_operand(DaeTerms *terms, DaeTerm operand, const GArray *facts)
{
  for (guint i = 0; i < facts->len; i++) {
    const Fact *fact = &g_array_index(facts, Fact, i);
    DaeTerm closed_part = closed(terms, fact->part, fact->is_nonnegative);
    bool is_positive = true;
    if (part_of(terms, operand, &is_positive) == fact->part) { /* 2*p1 - 2*p2 */
      operand = closed(terms, operand, is_positive == fact->is_nonnegative);
    } else if (!dae_term_contains(terms, operand, closed_part)) {
      operand = dae_term_replace(terms, operand, fact->part, closed_part);
    }
  }
  return operand;
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
    DaeTerm operand = dae_term_operand(terms, root, 0);
    DaeTerm new_operand = closed_operand(terms, operand, facts);
    DaeTerm exponent = dae_term_operand(terms, root, 1);
    DaeTerm to = new_operand != operand && new_operand != DAE_NO_TERM
                     ? dae_term_pow(terms, new_operand, exponent)
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
