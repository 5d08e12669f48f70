/* Names and what is known about them. The index of a symbol is its declaration rank. */
#include <string.h>

#include "terms/terms-priv.h"

static DaeSymbolEntry *
entry_of(const DaeTerms *terms, DaeSymbol symbol)
{
  DAE_ASSERT(symbol < terms->symbols->len);
  return &g_array_index(terms->symbols, DaeSymbolEntry, symbol);
}

/* In the table is symbol + 1. */
static uint32_t
hash_of(const void *terms, uint32_t number)
{
  return entry_of(terms, number - 1)->hash;
}

/* Is the name in the table? Otherwise the probe is where it belongs. */
static bool
find(const DaeTerms *terms, const char *name, DaeNameProbe *probe, DaeSymbol *symbol)
{
  uint32_t hash = dae_name_hash(name, strlen(name));
  *probe = dae_name_probe(&terms->symbol_table, hash);
  uint32_t number = 0;
  while ((number = dae_name_probe_next(&terms->symbol_table, probe)) != 0) {
    const DaeSymbolEntry *entry = entry_of(terms, number - 1);
    if (entry->hash == hash && strcmp(entry->name, name) == 0) {
      *symbol = number - 1;
      return true;
    }
  }
  return false;
}

bool
dae_terms_enter_symbol(DaeTerms *terms, DaeSymbolKind kind, const char *name, DaeSymbol *symbol)
{
  DAE_ASSERT(name != NULL);
  DaeNameProbe probe;
  dae_name_table_reserve(&terms->symbol_table, terms->symbols->len + 1, hash_of, terms);
  if (find(terms, name, &probe, symbol)) {
    return false;
  }
  *symbol = terms->symbols->len;
  DaeSymbolEntry entry = {.name = g_string_chunk_insert(terms->symbol_names, name),
                          .hash = probe.hash,
                          .kind = kind,
                          .variability = kind == DAE_SYMBOL_PARAMETER
                                             ? DAE_VARIABILITY_PARAMETER
                                             : DAE_VARIABILITY_CONTINUOUS,
                          .fact = DAE_SIGN_UNKNOWN};
  g_array_append_val(terms->symbols, entry);
  dae_name_table_put(&terms->symbol_table, &probe, *symbol + 1);
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
  DaeNameProbe probe;
  DaeSymbol found = 0;
  bool is_there = find(terms, name, &probe, &found);
  if (is_there && symbol != NULL) {
    *symbol = found;
  }
  return is_there;
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
