/* Arena and unique table: equal heads and operands get equal ids. Knows hashing, no arithmetic. */
#include <string.h>

#include "terms/rules.h"
#include "terms/terms-priv.h"

enum { FIRST_TABLE_SIZE = 1 << 12, POOL_BLOCK = 1 << 16, SYMBOL_BLOCK = 1 << 14 };

/* A cache line of slots. */
enum { LINE = 8, NEAR = 5 };

/* An empty table that begins with a cache line. */
static void
make_table(DaeTerms *terms, uint32_t size)
{
  terms->table_memory = g_new0(DaeSlot, (size_t)size + LINE);
  size_t past = (uintptr_t)terms->table_memory % (LINE * sizeof(DaeSlot));
  terms->table = terms->table_memory + (past == 0 ? 0 : LINE - past / sizeof(DaeSlot));
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
  bytes += (size_t)terms->table_size * sizeof(DaeSlot);
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
    while (terms->table[probe.at].id != DAE_NO_TERM) {
      probe_next(&probe);
    }
    terms->table[probe.at] = (DaeSlot){.id = id, .hash = node->hash};
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
bends(const DaeTerms *terms, DaeKind kind, const DaeTerm *operands, uint32_t n)
{
  uint32_t varying = 0;
  for (uint32_t i = 0; i < n && varying < 2; i++) {
    varying += (dae_node(terms, operands[i])->flags & VARYING) != 0 ? 1 : 0;
  }
  return kind != DAE_KIND_SUM && varying > (kind == DAE_KIND_PRODUCT ? 1 : 0);
}

static uint8_t
all_flags(const DaeTerms *terms, DaeKind kind, uint8_t op, const DaeTerm *operands, uint32_t n)
{
  uint8_t flags = own_flags(kind, op);
  for (uint32_t i = 0; i < n; i++) {
    flags |= dae_node(terms, operands[i])->flags;
  }
  int64_t exponent = 0;
  if (kind == DAE_KIND_POWER && !dae_term_get_int64(terms, operands[1], &exponent)) {
    flags |= DAE_HAS_CALL;
  }
  if (exponent < 0) {
    flags |= DAE_HAS_QUOTIENT;
  }
  if ((flags & DAE_HAS_BEND) == 0 && bends(terms, kind, operands, n)) {
    flags |= DAE_HAS_BEND;
  }
  return flags;
}

static void
enter_slot(DaeTerms *terms, DaeTerm id, uint32_t at, uint32_t hash)
{
  terms->table[at] = (DaeSlot){.id = id, .hash = hash};
  if (terms->count > terms->table_size / 3 * 2) {
    double_table(terms);
  }
}

/* Enters a filled node that is known to be new. */
static void
enter_table(DaeTerms *terms, DaeTerm id, uint32_t at, uint32_t hash)
{
  DaeNode *node = dae_node(terms, id);
  node->hash = hash;
  dae_order_set_key(terms, node);
  enter_slot(terms, id, at, hash);
}

DaeTerm
dae_store_node(DaeTerms *terms, DaeKind kind, uint8_t op, const DaeTerm *operands, uint32_t n)
{
  uint32_t hash = mix(terms->seed, (uint32_t)kind << 8 | op);
  for (uint32_t i = 0; i < n; i++) {
    hash = mix(hash, operands[i]);
  }
  Probe probe = probe_operands(terms, kind, operands, n, hash);
  for (; terms->table[probe.at].id != DAE_NO_TERM; probe_next(&probe)) {
    if (terms->table[probe.at].hash != hash) {
      continue;
    }
    const DaeNode *old = dae_node(terms, terms->table[probe.at].id);
    if (old->kind == kind && old->op == op && old->n == n && kind != DAE_KIND_NUMBER &&
        kind != DAE_KIND_VARIABLE && kind != DAE_KIND_PARAMETER &&
        (n == 0 || memcmp(dae_node_operands(old), operands, n * sizeof(DaeTerm)) == 0)) {
      return terms->table[probe.at].id;
    }
  }
  DaeTerm id = DAE_NO_TERM;
  DaeNode *node = new_node(terms, &id);
  node->kind = (uint8_t)kind;
  node->op = op;
  node->n = n;
  node->flags = all_flags(terms, kind, op, operands, n);
  if (n > G_N_ELEMENTS(node->u.few)) {
    node->u.many = pool_operands(terms, n);
    memcpy(node->u.many, operands, n * sizeof(DaeTerm));
  } else {
    memset(&node->u, 0, sizeof node->u);
    for (uint32_t i = 0; i < n; i++) {
      node->u.few[i] = operands[i];
    }
  }
  enter_table(terms, id, probe.at, hash);
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
  for (; terms->table[probe.at].id != DAE_NO_TERM; probe_next(&probe)) {
    if (terms->table[probe.at].hash == hash &&
        is_extension(dae_node(terms, terms->table[probe.at].id), node, last)) {
      return terms->table[probe.at].id;
    }
  }
  DaeTerm id = DAE_NO_TERM;
  DaeTerm *list = extended_operands(terms, node, last);
  DaeNode *longer = new_node(terms, &id);
  *longer = *node;
  longer->n = node->n + 1;
  longer->u.many = list;
  longer->flags |= dae_node(terms, last)->flags;
  longer->hash = hash;
  dae_order_extend_key(terms, longer, last);
  enter_slot(terms, id, probe.at, hash);
  return id;
}

static DaeTerm
find_or_add_number(DaeTerms *terms, const DaeRat *value)
{
  uint32_t hash = dae_rat_hash(value, terms->seed);
  Probe probe = probe_number(terms, hash);
  for (; terms->table[probe.at].id != DAE_NO_TERM; probe_next(&probe)) {
    DaeTerm id = terms->table[probe.at].id;
    if (terms->table[probe.at].hash == hash && dae_is_kind(terms, id, DAE_KIND_NUMBER)) {
      DaeRat old = dae_number_view(terms, id);
      if (dae_rat_equal(&old, value)) {
        return id;
      }
    }
  }
  DaeTerm id = DAE_NO_TERM;
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
  enter_table(terms, id, probe.at, hash);
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
  for (; terms->table[probe.at].id != DAE_NO_TERM; probe_next(&probe)) {
    if (terms->table[probe.at].hash == hash) {
      const DaeNode *old = dae_node(terms, terms->table[probe.at].id);
      if (old->kind == kind && old->u.atom.symbol == symbol && old->u.atom.order == order) {
        return terms->table[probe.at].id;
      }
    }
  }
  DaeTerm id = DAE_NO_TERM;
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
  enter_table(terms, id, probe.at, hash);
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
