/* Rewriting and the zero test on random terms: the bytes are a program for a stack machine that builds terms, so that every input is a term.
 * Claims: rewriting keeps the value where both sides can be evaluated; ZERO is never said of a term with a value that is clearly not zero. */
#include <glib.h>
#include <math.h>

#include "algebra/algebra.h"
#include "fuzz.h"
#include "pipeline/pipeline.h"

enum { N_SYMBOLS = 4, DEEPEST = 24 };

typedef struct {
  DaeTerms *terms;
  DaeTerm stack[DEEPEST];
  int depth;
  DaeTerm symbols[N_SYMBOLS];
} Machine;

static void
push(Machine *machine, DaeTerm t)
{
  if (t != DAE_NO_TERM && machine->depth < DEEPEST) {
    machine->stack[machine->depth++] = t;
  }
}

static DaeTerm
pop(Machine *machine)
{
  return machine->depth > 0 ? machine->stack[--machine->depth]
                            : dae_term_int(machine->terms, 1);
}

static void
binary(Machine *machine, int which)
{
  DaeTerms *terms = machine->terms;
  DaeTerm b = pop(machine);
  DaeTerm a = pop(machine);
  DaeTerm (*const operations[])(DaeTerms *, DaeTerm, DaeTerm) = {dae_term_add, dae_term_sub,
                                                                 dae_term_mul, dae_term_div};
  push(machine, operations[which](terms, a, b));
}

static void
step(Machine *machine, uint8_t code)
{
  DaeTerms *terms = machine->terms;
  if (code < 64) {
    push(machine, machine->symbols[code % N_SYMBOLS]);
  } else if (code < 112) {
    push(machine, dae_term_ratio(terms, (int64_t)(code % 12) - 5, code % 3 + 1));
  } else if (code < 176) {
    binary(machine, code % 4);
  } else if (code < 200) {
    push(machine, dae_term_pow_int(terms, pop(machine), (int64_t)(code % 5) - 1));
  } else if (code < 208) {
    push(machine, dae_term_sqrt(terms, pop(machine)));
  } else if (code < 212) {
    DaeTerm b = pop(machine);
    DaeTerm a = pop(machine);
    push(machine,
         dae_term_if(terms, dae_term_relation(terms, (DaeRelation)(code % 4), a, b), a, b));
  } else {
    DaeFunction function = (DaeFunction)(code % DAE_FN_ABS);
    if (dae_function_arity_ok(function, 1)) {
      push(machine, dae_term_call1(terms, function, pop(machine)));
    }
  }
}

static bool
atom_value(void *user, DaeTerm atom, double *value)
{
  const Machine *machine = user;
  static const double values[N_SYMBOLS] = {0.7371, 1.9103, 0.3119, 2.4567};
  for (int i = 0; i < N_SYMBOLS; i++) {
    if (machine->symbols[i] == atom) {
      *value = values[i];
      return true;
    }
  }
  return false;
}

static void
check_term(Machine *machine, DaeTerm t, DaeBudget *budget)
{
  DaeTerms *terms = machine->terms;
  double before = 0;
  double after = 0;
  bool has_value =
      dae_term_eval_double(terms, t, atom_value, machine, &before) == DAE_EVAL_OK &&
      fabs(before) < 1e6;
  DaeTerm rewritten = dae_terms_rewrite(terms, t);
  if (has_value &&
      dae_term_eval_double(terms, rewritten, atom_value, machine, &after) == DAE_EVAL_OK) {
    /* wide: sums may cancel; a wrong rule misses by far more */
    DAE_ASSERT(fabs(before - after) <= 1e-3 * (1 + fabs(before)));
  }
  g_autoptr(DaeAlgebra) algebra = dae_algebra_new(terms, budget);
  if (dae_algebra_is_zero(algebra, t) == DAE_ZERO && has_value) {
    DAE_ASSERT(fabs(before) < 1e-3);
  }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size > 256) {
    return 0;
  }
  dae_init();
  g_autoptr(DaeBudget) budget = dae_budget_new(2, 5000);
  g_autoptr(DaeTerms) terms = dae_terms_new();
  Machine machine = {.terms = terms};
  static const char *const names[N_SYMBOLS] = {"x", "y", "z", "p"};
  for (int i = 0; i < N_SYMBOLS; i++) {
    DaeSymbolKind kind = i < 3 ? DAE_SYMBOL_VARIABLE : DAE_SYMBOL_PARAMETER;
    machine.symbols[i] = dae_term_symbol(terms, dae_terms_add_symbol(terms, kind, names[i]));
  }
  for (size_t i = 0; i < size; i++) {
    step(&machine, data[i]);
  }
  while (machine.depth > 0) {
    DaeTerm t = pop(&machine);
    if (dae_term_size(terms, t) < 60) {
      check_term(&machine, t, budget);
    }
  }
  return 0;
}
