/* Names and what is known about them. The index of a symbol is its declaration rank. */
#include "terms/terms-priv.h"

DaeSymbol
dae_terms_add_symbol(DaeTerms *terms, DaeSymbolKind kind, const char *name)
{
  DAE_ASSERT(name != NULL && !g_hash_table_contains(terms->symbol_index, name));
  DaeSymbol symbol = terms->symbols->len;
  DaeSymbolEntry entry = {.name = g_strdup(name), .kind = kind, .fact = DAE_SIGN_UNKNOWN};
  g_array_append_val(terms->symbols, entry);
  g_hash_table_insert(terms->symbol_index, entry.name, GUINT_TO_POINTER(symbol + 1));
  return symbol;
}

bool
dae_terms_find_symbol(const DaeTerms *terms, const char *name, DaeSymbol *symbol)
{
  guint found = GPOINTER_TO_UINT(g_hash_table_lookup(terms->symbol_index, name));
  if (found != 0 && symbol != NULL) {
    *symbol = found - 1;
  }
  return found != 0;
}

static DaeSymbolEntry *
entry_of(const DaeTerms *terms, DaeSymbol symbol)
{
  DAE_ASSERT(symbol < terms->symbols->len);
  return &g_array_index(terms->symbols, DaeSymbolEntry, symbol);
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
