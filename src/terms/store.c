/* Arena and unique table: equal heads and operands get equal ids. Knows hashing, no arithmetic. */
#include <string.h>

#include "terms/rules.h"
#include "terms/terms-priv.h"

enum { FIRST_TABLE_SIZE = 1 << 12, POOL_BLOCK = 1 << 16, SYMBOL_BLOCK = 1 << 14 };

/* A cache line of slots, and how many more of them are tried. */
enum { LINE = 8, NEAR = 5 };

/* An empty table that begins with a cache line. */
static void
make_table(DaeTerms *terms, uint32_t size)
{
  terms->table_memory = g_new0(uint32_t, (size_t)size + LINE);
  size_t past = (uintptr_t)terms->table_memory % (LINE * sizeof(uint32_t));
  terms->table = terms->table_memory + (past == 0 ? 0 : LINE - past / sizeof(uint32_t));
  terms->table_size = size;
  dae_differences_forget(terms, size);
}

static uint32_t
mix(uint32_t h, uint32_t word)
{
  uint64_t x = ((uint64_t)h << 32 | word) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(x >> 32) ^ (uint32_t)(x >> 7);
}

DaeTerms *
dae_terms_new(void)
{
  return dae_terms_new_with_seed(0);
}

DaeTerms *
dae_terms_new_with_seed(uint32_t hash_seed)
{
  DaeTerms *terms = g_new0(DaeTerms, 1);
  terms->seed = hash_seed * 2654435761u + 12345u;
  make_table(terms, FIRST_TABLE_SIZE);
  terms->blocks = g_ptr_array_new_with_free_func(g_free);
  terms->bigs = g_ptr_array_new();
  terms->symbols = g_array_new(FALSE, FALSE, sizeof(DaeSymbolEntry));
  terms->symbol_names = g_string_chunk_new(SYMBOL_BLOCK);
  dae_name_table_init(&terms->symbol_table);
  terms->zero = dae_term_int(terms, 0);
  terms->one = dae_term_int(terms, 1);
  terms->minus_one = dae_term_int(terms, -1);
  return terms;
}

void
dae_terms_free(DaeTerms *terms)
{
  if (terms == NULL) {
    return;
  }
  for (uint32_t i = 0; i < terms->n_chunks; i++) {
    g_free(terms->chunks[i]);
  }
  g_free(terms->chunks);
  g_free(terms->table_memory);
  g_free(terms->differences);
  if (terms->branched != NULL) {
    g_hash_table_destroy(terms->branched);
  }
  g_ptr_array_free(terms->blocks, TRUE);
  for (guint i = 0; i < terms->bigs->len; i++) {
    mpq_t *big = g_ptr_array_index(terms->bigs, i);
    mpq_clear(*big);
    g_free(big);
  }
  g_ptr_array_free(terms->bigs, TRUE);
  dae_primitives_clear(terms);
  dae_name_table_clear(&terms->symbol_table);
  g_string_chunk_free(terms->symbol_names);
  g_array_free(terms->symbols, TRUE);
  dae_memo_clear(&terms->totals);
  dae_memo_clear(&terms->rewritten);
  dae_memo_clear(&terms->signs);
  dae_rules_free(terms->rules);
  dae_data_free_all(terms);
  dae_routines_free_all(terms);
  g_clear_pointer(&terms->contributions, g_array_unref);
  g_free(terms->mark);
  g_free(terms->slot);
  g_free(terms);
}

uint32_t
dae_terms_count(const DaeTerms *terms)
{
  return terms->count;
}

size_t
dae_terms_bytes(const DaeTerms *terms)
{
  size_t bytes = sizeof *terms + terms->pool_bytes;
  bytes += (size_t)terms->n_chunks * DAE_CHUNK_SIZE * sizeof(DaeNode);
  bytes += (size_t)terms->table_size * sizeof(uint32_t);
  bytes += (size_t)terms->n_differences * sizeof(DaeDifference);
  bytes += (size_t)terms->mark_size * 2 * sizeof(uint32_t);
  bytes += ((size_t)terms->totals.capacity + terms->rewritten.capacity) * 2 * sizeof(uint32_t);
  return bytes;
}

/* ---- the table ---------------------------------------------------------------------------- */

/* Where a node may lie: in a line that follows that of its neighbours, or in one of the NEAR
 * other lines of its group; where these are full, anywhere (double hashing). A group is what is
 * made and asked for together: nodes of one kind and one number whose newest operands are
 * neighbours, as 3*x[1], 3*x[2], ... A lookup in a large table costs a cache miss otherwise, and
 * the products of one variable with many numbers must not crowd around that variable. Nothing is
 * ever removed: the first empty slot ends a search. */
typedef struct {
  uint32_t at, mask, left, line, hash;
} Probe;

/* member: number of the node in its group, of which neighbours differ. */
static Probe
probe_from(const DaeTerms *terms, uint32_t group, uint32_t member, uint32_t hash)
{
  uint32_t mask = terms->table_size - 1;
  return (Probe){.at = (group * LINE + member) & mask,
                 .mask = mask,
                 .left = (NEAR + 1) * LINE,
                 .line = mix(group, member / LINE),
                 .hash = hash};
}

static Probe
probe_number(const DaeTerms *terms, uint32_t hash)
{
  return probe_from(terms, hash, hash, hash);
}

static Probe
probe_atom(const DaeTerms *terms, DaeSymbol symbol, uint32_t order, uint32_t hash)
{
  return probe_from(terms, 0, 2 * symbol + order, hash);
}

/* Of a long list the last operand: a sum that grows at its end must not look at all of it. */
static Probe
probe_operands(const DaeTerms *terms, DaeKind kind, const DaeTerm *operands, uint32_t n,
               uint32_t hash)
{
  uint32_t first = n > 1 && n <= 4 && dae_is_kind(terms, operands[0], DAE_KIND_NUMBER);
  DaeTerm newest = n > 0 ? operands[n - 1] : hash;
  for (uint32_t i = first; i < n && n <= 4; i++) {
    newest = MAX(newest, operands[i]);
  }
  return probe_from(terms, mix(kind, first > 0 ? operands[0] : 0), newest, hash);
}

static inline void
probe_next(Probe *probe)
{
  if (probe->left == 0) {
    probe->at = (probe->at + (probe->hash >> 7 | 1)) & probe->mask;
  } else if (--probe->left == 0) {
    probe->at = probe->hash & probe->mask;
  } else if (probe->left % LINE != 0) {
    probe->at = (probe->at & ~(uint32_t)(LINE - 1)) | ((probe->at + 1) % LINE);
  } else {
    probe->at = (probe->line * LINE | ((probe->at + 1) % LINE)) & probe->mask;
    probe->line += probe->line >> 16 | 1;
  }
}

/* The next id with this hash, as far as the slots tell: other nodes are passed without a look at
 * them, a cache miss each. DAE_NO_TERM: there is none, and the probe is where it belongs. */
static inline DaeTerm
next_candidate(const DaeTerms *terms, Probe *probe)
{
  uint32_t slot = 0;
  while ((slot = terms->table[probe->at]) != 0) {
    if (((slot ^ probe->hash) & ~probe->mask) == 0) {
      return slot & probe->mask;
    }
    probe_next(probe);
  }
  return DAE_NO_TERM;
}

static void
put(DaeTerms *terms, const Probe *probe, DaeTerm id)
{
  terms->table[probe->at] = (probe->hash & ~probe->mask) | id;
}

static Probe
probe_node(const DaeTerms *terms, const DaeNode *node)
{
  if (node->kind == DAE_KIND_NUMBER) {
    return probe_number(terms, node->hash);
  }
  if (node->kind == DAE_KIND_VARIABLE || node->kind == DAE_KIND_PARAMETER) {
    return probe_atom(terms, node->u.atom.symbol, node->u.atom.order, node->hash);
  }
  return probe_operands(terms, node->kind, dae_node_operands(node), node->n, node->hash);
}

static void
double_table(DaeTerms *terms)
{
  DAE_ASSERT(terms->table_size < UINT32_C(1) << 31);
  g_free(terms->table_memory);
  make_table(terms, 2 * terms->table_size);
  for (DaeTerm id = 1; id <= terms->count; id++) {
    const DaeNode *node = dae_node(terms, id);
    Probe probe = probe_node(terms, node);
    while (terms->table[probe.at] != 0) {
      probe_next(&probe);
    }
    put(terms, &probe, id);
  }
}

static DaeNode *
new_node(DaeTerms *terms, DaeTerm *id)
{
  DAE_ASSERT(terms->count < UINT32_MAX - 1); /* ids are 32 bits wide */
  *id = terms->count + 1;
  uint32_t chunk = *id >> DAE_CHUNK_BITS;
  if (chunk >= terms->n_chunks) {
    if (terms->n_chunks == terms->chunk_capacity) {
      terms->chunk_capacity = MAX(16, terms->chunk_capacity * 2);
      terms->chunks = g_renew(DaeNode *, terms->chunks, terms->chunk_capacity);
    }
    terms->chunks[terms->n_chunks++] = g_new(DaeNode, DAE_CHUNK_SIZE);
  }
  terms->count++;
  return dae_node(terms, *id);
}

/* Makes room for n operands at the end of the pool. */
static void
reserve_pool(DaeTerms *terms, size_t n)
{
  if (n <= terms->pool_left) {
    return;
  }
  size_t size = MAX(2 * n, (size_t)POOL_BLOCK);
  terms->pool = g_new(DaeTerm, size);
  terms->pool_left = size;
  terms->pool_bytes += size * sizeof(DaeTerm);
  g_ptr_array_add(terms->blocks, terms->pool);
}

static DaeTerm *
pool_operands(DaeTerms *terms, uint32_t n)
{
  reserve_pool(terms, n);
  DaeTerm *result = terms->pool;
  terms->pool += n;
  terms->pool_left -= n;
  return result;
}

/* The operands of node and one more. Shares the list of node where it ends at the end of the
 * pool: a sum that grows at its end costs linear time and memory, not quadratic. */
static DaeTerm *
extended_operands(DaeTerms *terms, const DaeNode *node, DaeTerm last)
{
  DaeTerm *list = node->u.many;
  if (list + node->n != terms->pool || terms->pool_left == 0) {
    reserve_pool(terms, (size_t)node->n + 1);
    list = pool_operands(terms, node->n);
    memcpy(list, node->u.many, node->n * sizeof(DaeTerm));
  }
  DaeTerm *end = pool_operands(terms, 1);
  DAE_ASSERT(end == list + node->n);
  *end = last;
  return list;
}

static uint8_t
own_flags(DaeKind kind, uint8_t op)
{
  switch (kind) {
  case DAE_KIND_PARAMETER:
    return DAE_HAS_PARAMETER;
  case DAE_KIND_VARIABLE:
    return DAE_HAS_VARIABLE;
  case DAE_KIND_TIME:
    return DAE_HAS_TIME;
  case DAE_KIND_IF:
  case DAE_KIND_RELATION:
    return DAE_HAS_BREAK | DAE_HAS_CALL;
  case DAE_KIND_CALL:
    return (uint8_t)(DAE_HAS_CALL |
                     (dae_function_facts((DaeFunction)op)->breaks ? DAE_HAS_BREAK : 0));
  case DAE_KIND_NUMBER:
  case DAE_KIND_BOOLEAN:
  case DAE_KIND_POWER:
  case DAE_KIND_PRODUCT:
  case DAE_KIND_SUM:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    return 0;
  }
  return 0;
}

enum { VARYING = DAE_HAS_VARIABLE | DAE_HAS_TIME };

/* Does this node make a term of degree 1 one that is not? */
static bool
bends(DaeKind kind, const DaeOperandFacts *facts)
{
  return kind != DAE_KIND_SUM && facts->n_varying > (kind == DAE_KIND_PRODUCT ? 1 : 0);
}

static uint8_t
all_flags(const DaeTerms *terms, const DaeNode *node, const DaeOperandFacts *facts)
{
  uint8_t flags = facts->flags | own_flags((DaeKind)node->kind, node->op);
  int64_t exponent = 0;
  if (node->kind == DAE_KIND_POWER && !dae_term_get_int64(terms, node->u.few[1], &exponent)) {
    flags |= DAE_HAS_CALL;
  }
  if (exponent < 0) {
    flags |= DAE_HAS_QUOTIENT;
  }
  if (bends((DaeKind)node->kind, facts)) {
    flags |= DAE_HAS_BEND;
  }
  return flags;
}

static void
enter_slot(DaeTerms *terms, DaeTerm id, const Probe *probe)
{
  put(terms, probe, id);
  if (terms->count > terms->table_size / 2) {
    double_table(terms);
  }
}

/* Enters a filled node, flags and all, that is known to be new. */
static void
enter_table(DaeTerms *terms, DaeTerm id, const Probe *probe, const DaeOperandFacts *facts)
{
  DaeNode *node = dae_node(terms, id);
  node->hash = probe->hash;
  dae_order_set_key(terms, node, facts);
  enter_slot(terms, id, probe);
}

static bool
is_node(const DaeNode *node, DaeKind kind, uint8_t op, const DaeTerm *operands, uint32_t n)
{
  return node->kind == kind && node->op == op && node->n == n && kind != DAE_KIND_NUMBER &&
         kind != DAE_KIND_VARIABLE && kind != DAE_KIND_PARAMETER &&
         (n == 0 || memcmp(dae_node_operands(node), operands, n * sizeof(DaeTerm)) == 0);
}

static void
set_operands(DaeTerms *terms, DaeNode *node, const DaeTerm *operands, uint32_t n)
{
  node->n = n;
  if (n > G_N_ELEMENTS(node->u.few)) {
    node->u.many = pool_operands(terms, n);
    memcpy(node->u.many, operands, n * sizeof(DaeTerm));
    return;
  }
  memset(&node->u, 0, sizeof node->u);
  for (uint32_t i = 0; i < n; i++) {
    node->u.few[i] = operands[i];
  }
}

DaeTerm
dae_store_node(DaeTerms *terms, DaeKind kind, uint8_t op, const DaeTerm *operands, uint32_t n)
{
  uint32_t hash = mix(terms->seed, (uint32_t)kind << 8 | op);
  for (uint32_t i = 0; i < n; i++) {
    hash = mix(hash, operands[i]);
  }
  Probe probe = probe_operands(terms, kind, operands, n, hash);
  DaeTerm id = DAE_NO_TERM;
  while ((id = next_candidate(terms, &probe)) != DAE_NO_TERM) {
    const DaeNode *old = dae_node(terms, id);
    if (old->hash == hash && is_node(old, kind, op, operands, n)) {
      return id;
    }
    probe_next(&probe);
  }
  DaeNode *node = new_node(terms, &id);
  node->kind = (uint8_t)kind;
  node->op = op;
  set_operands(terms, node, operands, n);
  DaeOperandFacts facts = dae_order_look(terms, operands, n);
  node->flags = all_flags(terms, node, &facts);
  enter_table(terms, id, &probe, &facts);
  return id;
}

static bool
is_extension(const DaeNode *longer, const DaeNode *node, DaeTerm last)
{
  if (longer->kind != node->kind || longer->op != node->op || longer->n != node->n + 1) {
    return false;
  }
  const DaeTerm *list = longer->u.many;
  return list[node->n] == last &&
         (list == node->u.many || memcmp(list, node->u.many, node->n * sizeof(DaeTerm)) == 0);
}

DaeTerm
dae_store_extended(DaeTerms *terms, DaeTerm t, DaeTerm last)
{
  const DaeNode *node = dae_node(terms, t);
  DAE_ASSERT(node->n > G_N_ELEMENTS(node->u.few));
  uint32_t hash = mix(node->hash, last); /* hashing goes from the first operand to the last */
  Probe probe = probe_operands(terms, node->kind, &last, 1, hash);
  DaeTerm id = DAE_NO_TERM;
  while ((id = next_candidate(terms, &probe)) != DAE_NO_TERM) {
    const DaeNode *old = dae_node(terms, id);
    if (old->hash == hash && is_extension(old, node, last)) {
      return id;
    }
    probe_next(&probe);
  }
  DaeTerm *list = extended_operands(terms, node, last);
  DaeNode *longer = new_node(terms, &id);
  *longer = *node;
  longer->n = node->n + 1;
  longer->u.many = list;
  longer->flags |= dae_node(terms, last)->flags;
  longer->hash = hash;
  dae_order_extend_key(terms, longer, last);
  enter_slot(terms, id, &probe);
  return id;
}

static DaeTerm
find_or_add_number(DaeTerms *terms, const DaeRat *value)
{
  uint32_t hash = dae_rat_hash(value, terms->seed);
  Probe probe = probe_number(terms, hash);
  DaeTerm id = DAE_NO_TERM;
  while ((id = next_candidate(terms, &probe)) != DAE_NO_TERM) {
    if (dae_node(terms, id)->hash == hash && dae_is_kind(terms, id, DAE_KIND_NUMBER)) {
      DaeRat old = dae_number_view(terms, id);
      if (dae_rat_equal(&old, value)) {
        return id;
      }
    }
    probe_next(&probe);
  }
  DaeNode *node = new_node(terms, &id);
  memset(node, 0, sizeof *node);
  node->kind = DAE_KIND_NUMBER;
  node->op = value->big != NULL;
  if (value->big != NULL) {
    node->u.big = dae_bignum_keep(terms, value);
  } else {
    node->u.small.num = value->num;
    node->u.small.den = value->den;
  }
  enter_table(terms, id, &probe, &(DaeOperandFacts){0});
  return id;
}

DaeTerm
dae_store_number(DaeTerms *terms, const DaeRat *value)
{
  terms->long_work += value->big == NULL ? 0 : dae_bignum_work(value);
  if (value->den != 1 || value->num < -DAE_SMALL_INTEGER || value->num > DAE_SMALL_INTEGER) {
    return find_or_add_number(terms, value);
  }
  DaeTerm *known = &terms->small_integers[value->num + DAE_SMALL_INTEGER];
  if (*known == DAE_NO_TERM) {
    *known = find_or_add_number(terms, value);
  }
  return *known;
}

DaeTerm
dae_store_atom(DaeTerms *terms, DaeKind kind, DaeSymbol symbol, uint32_t order)
{
  uint32_t hash = mix(mix(mix(terms->seed, (uint32_t)kind), symbol), order);
  Probe probe = probe_atom(terms, symbol, order, hash);
  DaeTerm id = DAE_NO_TERM;
  while ((id = next_candidate(terms, &probe)) != DAE_NO_TERM) {
    const DaeNode *old = dae_node(terms, id);
    if (old->kind == kind && old->u.atom.symbol == symbol && old->u.atom.order == order) {
      return id;
    }
    probe_next(&probe);
  }
  DaeNode *node = new_node(terms, &id);
  memset(node, 0, sizeof *node);
  node->kind = (uint8_t)kind;
  node->flags = own_flags(kind, 0);
  if (kind == DAE_KIND_PARAMETER &&
      dae_terms_variability(terms, symbol) == DAE_VARIABILITY_INPUT) {
    node->flags |= DAE_HAS_TIME;
  }
  node->u.atom.symbol = symbol;
  node->u.atom.order = order;
  enter_table(terms, id, &probe, &(DaeOperandFacts){0});
  return id;
}

DaeRat
dae_number_view(const DaeTerms *terms, DaeTerm number)
{
  const DaeNode *node = dae_node(terms, number);
  DAE_ASSERT(node->kind == DAE_KIND_NUMBER);
  if (node->op != 0) {
    return (DaeRat){.num = 0, .den = 0, .big = node->u.big};
  }
  return (DaeRat){.num = node->u.small.num, .den = node->u.small.den, .big = NULL};
}

DaeRat
dae_coefficient_view(const DaeTerms *terms, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  if (node->kind == DAE_KIND_NUMBER) {
    return dae_number_view(terms, t);
  }
  if (node->kind == DAE_KIND_PRODUCT) {
    DaeTerm first = dae_node_operands(node)[0];
    if (dae_is_kind(terms, first, DAE_KIND_NUMBER)) {
      return dae_number_view(terms, first);
    }
  }
  return (DaeRat){.num = 1, .den = 1, .big = NULL};
}
