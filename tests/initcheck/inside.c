#include "inside.h"

#include <math.h>
#include <string.h>
#include <unity.h>

#include "../algebra/expr.h"
#include "reader/reader.h"

static Inside
build(const char *text, bool at_values)
{
  Inside inside = {0};
  GError *error = NULL;
  g_autofree char *whole = g_strdup_printf("model M\n%s\nend M;\n", text);
  dae_algebra_init();
  inside.terms = dae_terms_new();
  inside.algebra = dae_algebra_new(inside.terms, NULL);
  DaeReadOptions read = {0};
  inside.model = dae_model_read(inside.terms, "M", whole, strlen(whole), &read, NULL, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(inside.model, error != NULL ? error->message : text);
  DaeSigOptions structure = dae_sig_default_options;
  structure.overdetermined_ok = true;
  inside.sig = dae_sig_analyze(inside.algebra, inside.model, &structure, NULL, &error);
  TEST_ASSERT_NOT_NULL_MESSAGE(inside.sig, error != NULL ? error->message : text);
  inside.problem = dae_initial_new(inside.terms, inside.sig, NAN);
  inside.sys = ic_system_new(inside.algebra, inside.sig, inside.problem, NULL, at_values);
  return inside;
}

Inside
inside_new(const char *text)
{
  return build(text, false);
}

Inside
inside_new_at_values(const char *text)
{
  return build(text, true);
}

void
inside_clear(Inside *inside)
{
  ic_system_free(inside->sys);
  dae_initial_free(inside->problem);
  dae_sig_free(inside->sig);
  dae_model_free(inside->model);
  dae_algebra_free(inside->algebra);
  dae_terms_free(inside->terms);
}

DaeTerm
inside_term(const Inside *inside, const char *text)
{
  return expr(inside->terms, text);
}

uint32_t
inside_unknown(const Inside *inside, const char *text)
{
  DaeTerm atom = inside_term(inside, text);
  gpointer found = g_hash_table_lookup(inside->sys->index, GUINT_TO_POINTER(atom));
  TEST_ASSERT_NOT_NULL_MESSAGE(found, text);
  return GPOINTER_TO_UINT(found) - 1;
}

bool
inside_equal(const Inside *inside, DaeTerm a, DaeTerm b)
{
  return a != DAE_NO_TERM && b != DAE_NO_TERM &&
         dae_algebra_is_zero(inside->algebra, dae_term_sub(inside->terms, a, b)) == DAE_ZERO;
}

char *
inside_text(const Inside *inside, DaeTerm t)
{
  return t == DAE_NO_TERM ? g_strdup("undefined") : dae_term_to_string(inside->terms, t);
}

double
inside_value(const Inside *inside, const DaeInit *init, const char *text)
{
  double value = 0.0;
  TEST_ASSERT_TRUE_MESSAGE(dae_init_value(init, inside_term(inside, text), &value), text);
  return value;
}
