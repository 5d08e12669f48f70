/* Names and what is known about them. The index of a symbol is its declaration rank. */
#include <string.h>

#include "terms/terms-priv.h"

static DaeSymbolEntry *
entry_of(const DaeTerms *terms, DaeSymbol symbol)
{
  DAE_ASSERT(symbol < terms->symbols->len);
  return &g_array_index(terms->symbols, DaeSymbolEntry, symbol);
}

/* FNV-1a, mixed at the end: the table looks at the low bits. */
static uint32_t
hash_name(const char *name)
{
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (const char *c = name; *c != '\0'; c++) {
    h = (h ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  }
  return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

/* An entry of the table is symbol + 1, which needs the bits of the mask only (the table is at most
 * half full), and above these bits of the hash: other names are passed without a look at them. */
static DaeSymbol
symbol_at(const DaeTerms *terms, uint32_t at)
{
  return (terms->symbol_table[at] & (terms->symbol_table_size - 1)) - 1;
}

static uint32_t
entry_for(const DaeTerms *terms, DaeSymbol symbol, uint32_t hash)
{
  return (hash & ~(terms->symbol_table_size - 1)) | (symbol + 1);
}

/* Where the name is in the table, or the empty place where it belongs. */
static uint32_t
place_of_name(const DaeTerms *terms, const char *name, uint32_t hash)
{
  uint32_t mask = terms->symbol_table_size - 1;
  uint32_t at = hash & mask;
  for (; terms->symbol_table[at] != 0; at = (at + 1) & mask) {
    if (((terms->symbol_table[at] ^ hash) & ~mask) != 0) {
      continue;
    }
    const DaeSymbolEntry *entry = entry_of(terms, symbol_at(terms, at));
    if (entry->hash == hash && strcmp(entry->name, name) == 0) {
      break;
    }
  }
  return at;
}

static void
double_symbol_table(DaeTerms *terms)
{
  uint32_t old_size = terms->symbol_table_size;
  g_autofree uint32_t *old = terms->symbol_table;
  DAE_ASSERT(old_size < UINT32_C(1) << 31);
  terms->symbol_table_size = 2 * old_size;
  terms->symbol_table = g_new0(uint32_t, terms->symbol_table_size);
  for (uint32_t i = 0; i < old_size; i++) {
    if (old[i] != 0) {
      DaeSymbol symbol = (old[i] & (old_size - 1)) - 1;
      uint32_t hash = entry_of(terms, symbol)->hash;
      uint32_t at = hash & (terms->symbol_table_size - 1);
      while (terms->symbol_table[at] != 0) {
        at = (at + 1) & (terms->symbol_table_size - 1);
      }
      terms->symbol_table[at] = entry_for(terms, symbol, hash);
    }
  }
}

bool
dae_terms_enter_symbol(DaeTerms *terms, DaeSymbolKind kind, const char *name, DaeSymbol *symbol)
{
  DAE_ASSERT(name != NULL);
  while (terms->symbols->len >=
         terms->symbol_table_size / 2) { /* unlisted ones need bits, too */
    double_symbol_table(terms);
  }
  uint32_t hash = hash_name(name);
  uint32_t at = place_of_name(terms, name, hash);
  if (terms->symbol_table[at] != 0) {
    *symbol = symbol_at(terms, at);
    return false;
  }
  *symbol = terms->symbols->len;
  DaeSymbolEntry entry = {.name = g_string_chunk_insert(terms->symbol_names, name),
                          .hash = hash,
                          .kind = kind,
                          .variability = kind == DAE_SYMBOL_PARAMETER
                                             ? DAE_VARIABILITY_PARAMETER
                                             : DAE_VARIABILITY_CONTINUOUS,
                          .fact = DAE_SIGN_UNKNOWN};
  g_array_append_val(terms->symbols, entry);
  terms->symbol_table[at] = entry_for(terms, *symbol, hash);
  return true;
}

DaeSymbol
dae_terms_add_symbol(DaeTerms *terms, DaeSymbolKind kind, const char *name)
{
  DaeSymbol symbol = 0;
  bool is_new = dae_terms_enter_symbol(terms, kind, name, &symbol);
  DAE_ASSERT(is_new);
  return symbol;
}

DaeSymbol
dae_terms_add_unlisted_symbol(DaeTerms *terms, DaeSymbolKind kind, const char *name)
{
  DAE_ASSERT(name != NULL);
  DaeSymbolEntry entry = {.name = g_string_chunk_insert(terms->symbol_names, name),
                          .kind = kind,
                          .fact = DAE_SIGN_UNKNOWN};
  g_array_append_val(terms->symbols, entry);
  return terms->symbols->len - 1;
}

bool
dae_terms_find_symbol(const DaeTerms *terms, const char *name, DaeSymbol *symbol)
{
  uint32_t at = place_of_name(terms, name, hash_name(name));
  if (terms->symbol_table[at] == 0) {
    return false;
  }
  if (symbol != NULL) {
    *symbol = symbol_at(terms, at);
  }
  return true;
}

const char *
dae_terms_symbol_name(const DaeTerms *terms, DaeSymbol symbol)
{
  return entry_of(terms, symbol)->name;
}

DaeSymbolKind
dae_terms_symbol_kind(const DaeTerms *terms, DaeSymbol symbol)
{
  return entry_of(terms, symbol)->kind;
}

void
dae_terms_set_condition(DaeTerms *terms, DaeSymbol symbol)
{
  entry_of(terms, symbol)->is_condition = true;
}

bool
dae_terms_is_condition(const DaeTerms *terms, DaeSymbol symbol)
{
  return entry_of(terms, symbol)->is_condition;
}

uint32_t
dae_terms_symbol_count(const DaeTerms *terms)
{
  return terms->symbols->len;
}

void
dae_terms_assume(DaeTerms *terms, DaeSymbol symbol, DaeSignFact fact)
{
  DaeSymbolEntry *entry = entry_of(terms, symbol);
  if (entry->fact != fact) {
    entry->fact = fact;
    dae_memo_clear(&terms->rewritten);
    dae_memo_clear(&terms->signs);
  }
}

DaeSignFact
dae_terms_assumed(const DaeTerms *terms, DaeSymbol symbol)
{
  return entry_of(terms, symbol)->fact;
}

void
dae_terms_set_variability(DaeTerms *terms, DaeSymbol symbol, DaeVariability variability)
{
  entry_of(terms, symbol)->variability = variability;
}

DaeVariability
dae_terms_variability(const DaeTerms *terms, DaeSymbol symbol)
{
  return entry_of(terms, symbol)->variability;
}

DaeSymbol
dae_terms_input_derivative(DaeTerms *terms, DaeSymbol input, uint32_t k)
{
  DaeSymbol symbol = input;
  for (uint32_t i = 0; i < k; i++) {
    g_autofree char *name = g_strdup_printf("der(%s)", dae_terms_symbol_name(terms, symbol));
    if (!dae_terms_find_symbol(terms, name, &symbol)) {
      symbol = dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, name);
      dae_terms_set_variability(terms, symbol, DAE_VARIABILITY_INPUT);
    }
  }
  return symbol;
}

bool
dae_terms_is_derivative_of(const DaeTerms *terms, DaeSymbol symbol, DaeSymbol of,
                           uint32_t *order)
{
  const char *name = dae_terms_symbol_name(terms, symbol);
  uint32_t k = 0;
  size_t length = strlen(name);
  const char *end = name + length;
  while (g_str_has_prefix(name, "der(") && end > name && end[-1] == ')') {
    name += strlen("der(");
    end--;
    k++;
  }
  const char *wanted = dae_terms_symbol_name(terms, of);
  *order = k;
  return strlen(wanted) == (size_t)(end - name) &&
         memcmp(wanted, name, (size_t)(end - name)) == 0 &&
         (k == 0 || dae_terms_variability(terms, of) == DAE_VARIABILITY_INPUT);
}
