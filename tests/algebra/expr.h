/* Reads small expressions for tests: numbers, names (variables; der(x) is their derivative), + -
 * * / ^, functions, sqrt, pi, if c then a else b, relations. Unknown names become variables. */
#ifndef TESTS_ALGEBRA_EXPR_H
#define TESTS_ALGEBRA_EXPR_H

#include "terms/terms.h"

#include <string.h>

typedef struct {
  DaeTerms *terms;
  const char *at;
} ExprReader;

static DaeTerm expr_read_if(ExprReader *r);

static void
expr_skip(ExprReader *r)
{
  while (*r->at == ' ') {
    r->at++;
  }
}

static bool
expr_take(ExprReader *r, const char *token)
{
  expr_skip(r);
  size_t n = strlen(token);
  if (strncmp(r->at, token, n) != 0 ||
      (g_ascii_isalpha(token[0]) && g_ascii_isalnum(r->at[n]))) {
    return false;
  }
  r->at += n;
  return true;
}

static DaeTerm
expr_read_name(ExprReader *r)
{
  const char *start = r->at;
  while (g_ascii_isalnum(*r->at) || *r->at == '_') {
    r->at++;
  }
  g_autofree char *name = g_strndup(start, (gsize)(r->at - start));
  if (strcmp(name, "pi") == 0) {
    return dae_term_pi(r->terms);
  }
  if (strcmp(name, "time") == 0) {
    return dae_term_time(r->terms);
  }
  if (!expr_take(r, "(")) {
    DaeSymbol symbol = 0;
    if (!dae_terms_find_symbol(r->terms, name, &symbol)) {
      symbol = dae_terms_add_symbol(r->terms, DAE_SYMBOL_VARIABLE, name);
    }
    return dae_term_symbol(r->terms, symbol);
  }
  DaeTerm arguments[3];
  size_t n = 0;
  do {
    arguments[n++] = expr_read_if(r);
  } while (n < 3 && expr_take(r, ","));
  g_assert_true(expr_take(r, ")"));
  if (strcmp(name, "sqrt") == 0) {
    return dae_term_sqrt(r->terms, arguments[0]);
  }
  if (strcmp(name, "der") == 0) {
    return dae_term_total(r->terms, arguments[0]);
  }
  DaeFunction function = DAE_FN_SIN;
  g_assert_true(dae_function_find(name, strlen(name), &function));
  return dae_term_call(r->terms, function, arguments, n);
}

static DaeTerm
expr_read_primary(ExprReader *r)
{
  expr_skip(r);
  if (expr_take(r, "(")) {
    DaeTerm t = expr_read_if(r);
    g_assert_true(expr_take(r, ")"));
    return t;
  }
  if (g_ascii_isdigit(*r->at)) {
    const char *start = r->at;
    while (g_ascii_isdigit(*r->at) || *r->at == '.' || *r->at == 'e' ||
           (r->at[-1] == 'e' && (*r->at == '-' || *r->at == '+'))) {
      r->at++;
    }
    return dae_term_decimal(r->terms, start, (size_t)(r->at - start));
  }
  return expr_read_name(r);
}

static DaeTerm
expr_read_power(ExprReader *r)
{
  if (expr_take(r, "-")) {
    return dae_term_neg(r->terms, expr_read_power(r));
  }
  DaeTerm base = expr_read_primary(r);
  if (expr_take(r, "^")) {
    return dae_term_pow(r->terms, base, expr_read_power(r));
  }
  return base;
}

static DaeTerm
expr_read_product(ExprReader *r)
{
  DaeTerm t = expr_read_power(r);
  for (;;) {
    if (expr_take(r, "*")) {
      t = dae_term_mul(r->terms, t, expr_read_power(r));
    } else if (expr_take(r, "/")) {
      t = dae_term_div(r->terms, t, expr_read_power(r));
    } else {
      return t;
    }
  }
}

static DaeTerm
expr_read_sum(ExprReader *r)
{
  DaeTerm t = expr_read_product(r);
  for (;;) {
    if (expr_take(r, "+")) {
      t = dae_term_add(r->terms, t, expr_read_product(r));
    } else if (expr_take(r, "-")) {
      t = dae_term_sub(r->terms, t, expr_read_product(r));
    } else {
      return t;
    }
  }
}

static DaeTerm
expr_read_relation(ExprReader *r)
{
  DaeTerm a = expr_read_sum(r);
  static const char *const text[] = {"<=", ">=", "<", ">"};
  static const DaeRelation relation[] = {DAE_REL_LE, DAE_REL_GE, DAE_REL_LT, DAE_REL_GT};
  for (int i = 0; i < 4; i++) {
    if (expr_take(r, text[i])) {
      return dae_term_relation(r->terms, relation[i], a, expr_read_sum(r));
    }
  }
  return a;
}

static DaeTerm
expr_read_if(ExprReader *r)
{
  if (!expr_take(r, "if")) {
    return expr_read_relation(r);
  }
  DaeTerm condition = expr_read_relation(r);
  g_assert_true(expr_take(r, "then"));
  DaeTerm a = expr_read_if(r);
  g_assert_true(expr_take(r, "else"));
  return dae_term_if(r->terms, condition, a, expr_read_if(r));
}

static inline DaeTerm
expr(DaeTerms *terms, const char *text)
{
  ExprReader r = {terms, text};
  DaeTerm t = expr_read_if(&r);
  expr_skip(&r);
  g_assert_cmpstr(r.at, ==, "");
  return t;
}

#endif
