/* Routines of a context: which of their outputs depend on which inputs, and which derivatives. */
#include <string.h>

#include "terms/routines-priv.h"

/* Bits of formals: which ones the value of t depends on, or its derivative where `smoothly`. */
typedef struct {
  DaeTerms *terms;
  uint32_t n, words; /* formals 0 ... n - 1 */
  bool smoothly;
  DaeMemo at;   /* position + 1 in sets */
  GArray *sets; /* uint64_t, `words` each */
} Dependence;

static uint64_t *
set_of(const Dependence *d, DaeTerm t)
{
  uint32_t at = dae_memo_get(&d->at, t);
  DAE_ASSERT(at != 0);
  return &g_array_index(d->sets, uint64_t, (size_t)(at - 1) * d->words);
}

static bool
dependence_ready(void *self, DaeTerm t)
{
  return dae_memo_get(&((Dependence *)self)->at, t) != 0;
}

/* Constant between jumps. */
static bool
is_step_function(DaeFunction f)
{
  return dae_function_facts(f)->kind == DAE_CLASS_STEP || f == DAE_FN_INTERVAL ||
         f == DAE_FN_LOOKUP;
}

/* Does operand i of t count? */
static bool
counts(const Dependence *d, DaeTerm t, uint32_t i)
{
  const DaeTerms *terms = d->terms;
  DaeKind kind = dae_term_kind(terms, t);
  if (kind == DAE_KIND_CALL && dae_term_function(terms, t) == DAE_FN_ROUTINE) {
    uint32_t number = 0;
    uint32_t k = 0;
    dae_term_get_routine(terms, t, &number, &k);
    return i >= 2 && dae_routine_depends(terms, number, k, i - 2, d->smoothly);
  }
  if (!d->smoothly) {
    return true;
  }
  switch ((int)kind) {
  case DAE_KIND_RELATION:
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    return false;
  case DAE_KIND_IF:
    return i > 0;
  case DAE_KIND_CALL: {
    DaeFunction f = dae_term_function(terms, t);
    return !is_step_function(f) && (f != DAE_FN_SELECT || i > 0) &&
           (f != DAE_FN_SMOOTH || i == 1);
  }
  default:
    return true;
  }
}

static void
dependence_compute(void *self, DaeTerm t)
{
  Dependence *d = self;
  uint32_t n = 0;
  const DaeTerm *u = dae_term_operands(d->terms, t, &n);
  uint32_t at = d->sets->len / d->words;
  g_array_set_size(d->sets, d->sets->len + d->words);
  dae_memo_set(&d->at, t, at + 1);
  uint64_t *set = set_of(d, t);
  memset(set, 0, d->words * sizeof *set);
  if (dae_term_kind(d->terms, t) == DAE_KIND_VARIABLE) {
    for (uint32_t i = 0; i < d->n; i++) {
      if (g_array_index(d->terms->formals, DaeTerm, i) == t) {
        set[i / 64] |= (uint64_t)1 << (i % 64);
      }
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    if (counts(d, t, i)) {
      const uint64_t *from = set_of(d, u[i]);
      for (uint32_t w = 0; w < d->words; w++) {
        set[w] |= from[w];
      }
    }
  }
}

static const uint64_t *
dependence_of(Dependence *d, DaeTerm t)
{
  DaeWalk walk = {.ready = dependence_ready, .compute = dependence_compute, .self = d};
  dae_walk(d->terms, t, &walk);
  return set_of(d, t);
}

static bool
has_bit(const uint64_t *set, uint32_t i)
{
  return (set[i / 64] >> (i % 64) & 1u) != 0;
}

/* by_state[s]: the inputs that state s depends on, at least. True: one grew. */
static bool
grow_states(Dependence *d, const DaeRoutine *r, uint64_t *by_state, bool smoothly)
{
  bool grew = false;
  for (uint32_t s = 0; s < r->n_states; s++) {
    uint64_t *set = by_state + (size_t)s * d->words;
    const DaeTerm sources[3] = {r->initial[s], r->next[s],
                                smoothly ? r->initial[s] : r->condition};
    for (uint32_t q = 0; q < G_N_ELEMENTS(sources); q++) {
      const uint64_t *from = dependence_of(d, sources[q]);
      for (uint32_t i = 0; i < d->n; i++) {
        for (uint32_t w = 0; w < d->words && has_bit(from, i); w++) {
          uint64_t more = i < r->n_inputs ? (i / 64 == w ? (uint64_t)1 << (i % 64) : 0)
                                          : by_state[(size_t)(i - r->n_inputs) * d->words + w];
          grew = grew || (more & ~set[w]) != 0;
          set[w] |= more;
        }
      }
    }
  }
  return grew;
}

uint8_t *
dae_routine_find_dependence(DaeTerms *terms, const DaeRoutine *r, bool smoothly)
{
  Dependence d = {.terms = terms,
                  .n = r->n_inputs + r->n_states,
                  .words = (r->n_inputs + r->n_states + 63) / 64,
                  .smoothly = smoothly,
                  .sets = g_array_new(FALSE, FALSE, sizeof(uint64_t))};
  g_autofree uint64_t *by_state = g_new0(uint64_t, (size_t)r->n_states * d.words + 1);
  uint8_t *result = g_new0(uint8_t, (size_t)r->n_inputs * r->n_outputs + 1);
  while (grow_states(&d, r, by_state, smoothly)) {
  }
  for (uint32_t k = 0; k < r->n_outputs; k++) {
    const uint64_t *set = dependence_of(&d, r->outputs[k]);
    for (uint32_t i = 0; i < r->n_inputs; i++) {
      bool depends = has_bit(set, i);
      for (uint32_t s = 0; s < r->n_states && !depends; s++) {
        depends = has_bit(set, r->n_inputs + s) && has_bit(by_state + (size_t)s * d.words, i);
      }
      result[(size_t)k * r->n_inputs + i] = depends ? 1 : 0;
    }
  }
  dae_memo_clear(&d.at);
  g_array_free(d.sets, TRUE);
  return result;
}

bool
dae_routine_depends(const DaeTerms *terms, uint32_t number, uint32_t k, uint32_t i,
                    bool smoothly)
{
  const DaeRoutineEntry *entry = dae_routine_entry(terms, number);
  DAE_ASSERT(k < entry->parts.n_outputs && i < entry->parts.n_inputs);
  const uint8_t *known = smoothly ? entry->moves : entry->depends;
  return known == NULL || known[(size_t)k * entry->parts.n_inputs + i] != 0;
}

bool
dae_terms_routine_depends(const DaeTerms *terms, uint32_t number, uint32_t k, uint32_t i)
{
  return dae_routine_depends(terms, number, k, i, false);
}
