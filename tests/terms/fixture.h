/* A context with some symbols, and terms written as s-expressions
 * (src/terms/pattern.h), for the tests of terms.
 *
 * Parameters a > 0, b >= 0, k (nothing known); variables x, y, z, and p > 0. */
#ifndef DAE_TESTS_TERMS_FIXTURE_H
#define DAE_TESTS_TERMS_FIXTURE_H

#include "terms/pattern.h"
#include "unity.h"

static inline DaeTerms *
fixture_new(void)
{
  DaeTerms *terms = dae_terms_new();
  DaeSymbol a = dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, "a");
  DaeSymbol b = dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, "b");
  dae_terms_add_symbol(terms, DAE_SYMBOL_PARAMETER, "k");
  dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "x");
  dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "y");
  dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "z");
  DaeSymbol p = dae_terms_add_symbol(terms, DAE_SYMBOL_VARIABLE, "p");
  dae_terms_assume(terms, a, DAE_SIGN_POSITIVE);
  dae_terms_assume(terms, b, DAE_SIGN_NONNEGATIVE);
  dae_terms_assume(terms, p, DAE_SIGN_POSITIVE);
  return terms;
}

/* DAE_NO_TERM if it does not exist. */
static inline DaeTerm
read_term(DaeTerms *terms, const char *text)
{
  DaePattern *pattern = dae_pattern_parse(terms, text);
  DaeMatch none = {.bind = {DAE_NO_TERM}};
  DaeTerm result = dae_pattern_build(terms, pattern, &none);
  dae_pattern_free(pattern);
  return result;
}

static inline void
assert_prints(DaeTerms *terms, const char *expected, DaeTerm t)
{
  TEST_ASSERT_NOT_EQUAL_MESSAGE(DAE_NO_TERM, t, expected);
  g_autofree char *text = dae_term_to_string(terms, t);
  TEST_ASSERT_EQUAL_STRING(expected, text);
}

/* The s-expression prints as expected. */
static inline void
assert_text(DaeTerms *terms, const char *expected, const char *expression)
{
  assert_prints(terms, expected, read_term(terms, expression));
}

/* Both s-expressions give one term. */
static inline void
assert_same(DaeTerms *terms, const char *one, const char *other)
{
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(read_term(terms, one), read_term(terms, other), one);
}

static inline void
assert_different(DaeTerms *terms, const char *one, const char *other)
{
  TEST_ASSERT_NOT_EQUAL_MESSAGE(read_term(terms, one), read_term(terms, other), one);
}

#endif
