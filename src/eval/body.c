/* Bodies of routines as programs: a routine without loop is evaluated as the text it stands for,
 * operation by operation and on all lanes, once for each of its calls. Loops and what calls
 * itself are left to the interpreter of routines (terms/routines.h). */
#include "eval/eval-priv.h"

/* Compilers have an entry for each term: so many are made for bodies. */
#define MOST_ENTRIES 200000000u
#define MOST_DEPTH 50u /* routines that call each other */

struct DaeBodies {
  GHashTable *by_number; /* number -> DaeProgramBody *, or NULL: none, or not yet */
  uint64_t entries;
  uint32_t depth;
};

DaeBodies *
dae_bodies_new(void)
{
  DaeBodies *bodies = g_new0(DaeBodies, 1);
  bodies->by_number =
      g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)dae_program_body_unref);
  return bodies;
}

void
dae_bodies_free(DaeBodies *bodies)
{
  if (bodies != NULL) {
    g_hash_table_destroy(bodies->by_number);
    g_free(bodies);
  }
}

DaeProgramBody *
dae_program_body_ref(DaeProgramBody *body)
{
  if (body != NULL) {
    g_atomic_int_inc(&body->references);
  }
  return body;
}

void
dae_program_body_unref(DaeProgramBody *body)
{
  if (body != NULL && g_atomic_int_dec_and_test(&body->references)) {
    dae_program_free(body->program);
    g_free(body->outputs);
    g_free(body);
  }
}

static DaeProgramBody *
compile_body(DaeTerms *terms, const DaeRoutine *routine, DaeBodies *bodies)
{
  g_autoptr(DaeProgram) program = dae_program_new();
  g_autoptr(DaeCompiler) compiler = dae_compiler_new(terms, program);
  g_autofree uint32_t *outputs = g_new(uint32_t, routine->n_outputs + 1);
  dae_compiler_share_bodies(compiler, bodies);
  for (uint32_t i = 0; i < routine->n_inputs; i++) {
    dae_compiler_bind(compiler, routine->inputs[i], i, DAE_LEVEL_POINT);
  }
  dae_compiler_announce(compiler, routine->outputs, routine->n_outputs);
  for (uint32_t k = 0; k < routine->n_outputs; k++) {
    if (!dae_compiler_compile(compiler, routine->outputs[k], &outputs[k], NULL)) {
      return NULL;
    }
  }
  DaeProgramBody *body = g_new0(DaeProgramBody, 1);
  *body = (DaeProgramBody){.references = 1,
                           .program = g_steal_pointer(&program),
                           .outputs = g_steal_pointer(&outputs),
                           .n_inputs = routine->n_inputs,
                           .n_outputs = routine->n_outputs};
  return body;
}

DaeProgramBody *
dae_bodies_find(DaeBodies *bodies, DaeTerms *terms, uint32_t number)
{
  gpointer key = GUINT_TO_POINTER(number);
  gpointer known = NULL;
  if (g_hash_table_lookup_extended(bodies->by_number, key, NULL, &known)) {
    return known;
  }
  const DaeRoutine routine = *dae_terms_routine(terms, number);
  bodies->entries += dae_terms_count(terms);
  g_hash_table_insert(bodies->by_number, key, NULL); /* one that calls itself finds this */
  if (routine.n_states > 0 || bodies->entries > MOST_ENTRIES || bodies->depth >= MOST_DEPTH) {
    return NULL;
  }
  bodies->depth++;
  DaeProgramBody *body = compile_body(terms, &routine, bodies);
  bodies->depth--;
  g_hash_table_insert(bodies->by_number, key, body);
  return body;
}
