/* Bodies of routines as programs: a routine without loop is evaluated as the text it stands for,
 * operation by operation and on all lanes, once for each of its calls. Loops and what calls
 * itself are left to the interpreter of routines (terms/routines.h). */
#include "eval/eval-priv.h"
#include "eval/kernel.h"

/* Compilers have an entry for each term: so many are made for bodies. */
#define MOST_ENTRIES 200000000u
#define MOST_DEPTH 50u /* routines that call each other */

struct DaeBodies {
  GHashTable *by_number; /* number -> DaeProgramBody *, or NULL: none, or not yet */
  GHashTable *calls;     /* number -> how many of its outputs were asked for */
  uint64_t entries;
  uint64_t written; /* nodes in place of calls */
  uint32_t depth;
};

DaeBodies *
dae_bodies_new(void)
{
  DaeBodies *bodies = g_new0(DaeBodies, 1);
  bodies->by_number =
      g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)dae_program_body_unref);
  bodies->calls = g_hash_table_new(NULL, NULL);
  return bodies;
}

void
dae_bodies_free(DaeBodies *bodies)
{
  if (bodies != NULL) {
    g_hash_table_destroy(bodies->by_number);
    g_hash_table_destroy(bodies->calls);
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
  if (routine.n_states > 0 || dae_terms_routine_method(terms, number) != NULL ||
      bodies->entries > MOST_ENTRIES || bodies->depth >= MOST_DEPTH) {
    return NULL;
  }
  bodies->depth++;
  DaeProgramBody *body = compile_body(terms, &routine, bodies);
  bodies->depth--;
  g_hash_table_insert(bodies->by_number, key, body);
  return body;
}

/* ---- in place of calls ------------------------------------------------------------------- */

/* Calls of a routine from this one on are written out: their operations are alike, so that they
 * become kernels (kernel.h), which cost less than calls of a body one by one. */
#define FIRST_WRITTEN DAE_KERNEL_FEWEST
#define LARGEST_WRITTEN 256u  /* nodes of a body */
#define MOST_WRITTEN 4000000u /* nodes of all bodies that were written out */

static bool
has_calls(const DaeProgram *program)
{
  return dae_program_n_calls(program) > 0;
}

static uint32_t
write_node(DaeProgram *program, const DaeProgram *from, const DaeNode *node,
           const uint32_t *inputs, const uint32_t *map)
{
  uint32_t n = 0;
  uint32_t places[4] = {0, 0, 0, 0};
  DaeOp op = (DaeOp)node->op;
  if (op == DAE_OP_CONST) {
    return dae_program_constant(program, dae_program_constants(from, &n)[node->a]);
  }
  if (op == DAE_OP_INPUT) {
    return inputs[node->a];
  }
  if (op == DAE_OP_INTERVAL || op == DAE_OP_LOOKUP) {
    const double *values = dae_program_data(from, node->d, &n);
    return dae_program_emit_data(program, op, map[node->a], values, n);
  }
  uint32_t arity = dae_program_operands(node, places);
  DAE_ASSERT(arity >= 1 && arity <= 3); /* fusion comes later */
  return dae_program_emit(program, op, map[places[0]], arity > 1 ? map[places[1]] : 0,
                          arity > 2 ? map[places[2]] : 0);
}

bool
dae_body_write(DaeBodies *bodies, const DaeTerms *terms, uint32_t routine,
               const DaeProgramBody *body, DaeProgram *program, const uint32_t *inputs,
               uint32_t k, uint32_t *node)
{
  uint32_t n = 0;
  uint32_t order = 0; /* of the derivative that it is: those are evaluated less often */
  dae_terms_routine_is_unknown(terms, routine, &order);
  gpointer key = GUINT_TO_POINTER(routine);
  uint32_t count = GPOINTER_TO_UINT(g_hash_table_lookup(bodies->calls, key)) + 1;
  g_hash_table_insert(bodies->calls, key, GUINT_TO_POINTER(count));
  if (body == NULL || order > 0 || count < FIRST_WRITTEN || bodies->depth > 0 ||
      has_calls(body->program)) {
    return false;
  }
  const DaeNode *nodes = dae_program_nodes(body->program, &n);
  if (n > LARGEST_WRITTEN || bodies->written + n > MOST_WRITTEN) {
    return false;
  }
  uint32_t map[LARGEST_WRITTEN];
  for (uint32_t i = 0; i < n; i++) {
    map[i] = write_node(program, body->program, &nodes[i], inputs, map);
  }
  bodies->written += n;
  *node = map[body->outputs[k]];
  return true;
}
