/* Which nodes form kernels (kernel.h): cones, their shapes, and phases in which they run. */
#include <string.h>

#include "eval/kernel.h"

/* A single operation that so many use is done again for each: that is less work than to store it
 * and to read it from memory. */
#define MOST_AGAIN 4u
#define ROUNDS 3u /* of leaving out shapes that are rare in their phase */

/* ---- cones ------------------------------------------------------------------------------- */

typedef struct {
  uint32_t op;       /* and which operands are the same, so that x*x and x*y differ */
  uint32_t parts[4]; /* shapes + 1, or a leaf */
} Shape;

/* Leaves by what they are: columns of one kind tend to lie side by side. A number or a parameter
 * that many cones have is part of the shape, as itself. */
#define LEAF_NUMBER 0xfffffff0u
#define LEAF_STEADY 0xfffffff1u
#define LEAF_INPUT 0xfffffff2u
#define LEAF_VALUE 0xfffffff3u
#define LEAF_ITSELF 0x80000000u /* and the node */
#define OPERATIONS 0xffffu      /* bits of op */

/* Nodes of one loop come in turns with the same few shapes and keys: what was found last is looked
 * at before the table. */
enum { NEAR_BITS = 6, NEAR = 1 << NEAR_BITS };

typedef struct {
  const DaeFused *fused;
  uint32_t *shape; /* by node: + 1, 0: it has none */
  uint32_t *size;  /* by node: steps */
  uint32_t *uses;  /* by node; outputs count twice */
  uint8_t *is_output;
  uint8_t *takes;  /* by node: takes operands into its cone */
  uint8_t *inner;  /* by node: part of the cone of some user */
  uint8_t *chosen; /* by node: root of a cone in a kernel */
  uint32_t *phase; /* by node */
  GArray *shapes;  /* Shape */
  GHashTable *known;
  uint32_t near[NEAR]; /* by hash: a shape + 1, 0: none yet */
} Finder;

static bool
is_plain(const DaeNode *node)
{
  const DaeOp op = (DaeOp)node->op;
  return node->level == DAE_LEVEL_POINT && op != DAE_OP_CONST && op != DAE_OP_INPUT &&
         op != DAE_OP_INTERVAL && op != DAE_OP_LOOKUP && !dae_op_is_of_call(op);
}

static guint
hash_shape(gconstpointer data)
{
  const Shape *shape = data;
  guint hash = shape->op;
  for (uint32_t k = 0; k < 4; k++) {
    hash = (hash ^ shape->parts[k]) * 2654435769u;
    hash ^= hash >> 15;
  }
  return hash;
}

static gboolean
same_shape(gconstpointer a, gconstpointer b)
{
  return memcmp(a, b, sizeof(Shape)) == 0;
}

static uint32_t
number_of_shape(Finder *finder, const Shape *shape)
{
  uint32_t *near = &finder->near[hash_shape(shape) % NEAR];
  if (*near != 0 && same_shape(&g_array_index(finder->shapes, Shape, *near - 1), shape)) {
    return *near;
  }
  uint32_t number = GPOINTER_TO_UINT(g_hash_table_lookup(finder->known, shape));
  if (number == 0) {
    g_array_append_val(finder->shapes, *shape);
    number = finder->shapes->len;
    g_hash_table_insert(finder->known, g_memdup2(shape, sizeof *shape),
                        GUINT_TO_POINTER(number));
  }
  *near = number;
  return number;
}

static void
count_uses(Finder *finder, const DaeTapePlan *plan)
{
  for (uint32_t i = 0; i < finder->fused->n; i++) {
    uint32_t operands[4];
    const uint32_t arity = finder->fused->groups[i] != 0
                               ? dae_program_operands(&finder->fused->nodes[i], operands)
                               : 0;
    for (uint32_t k = 0; k < arity; k++) {
      finder->uses[operands[k]]++;
    }
  }
  for (uint32_t o = 0; o < plan->group_start[plan->n_groups]; o++) {
    finder->uses[plan->outputs[o]] += 2;
    finder->is_output[plan->outputs[o]] = 1;
  }
}

static uint32_t
leaf_kind(const Finder *finder, uint32_t leaf)
{
  const DaeNode *node = &finder->fused->nodes[leaf];
  if (node->op == DAE_OP_CONST || node->level != DAE_LEVEL_POINT) {
    return leaf < LEAF_ITSELF && finder->uses[leaf] >= DAE_KERNEL_FEWEST ? LEAF_ITSELF | leaf
           : node->op == DAE_OP_CONST                                    ? LEAF_NUMBER
                                                                         : LEAF_STEADY;
  }
  return node->op == DAE_OP_INPUT ? LEAF_INPUT : LEAF_VALUE;
}

static bool
is_taken_in(const Finder *finder, uint32_t part)
{
  const uint16_t op = finder->fused->nodes[part].op;
  return finder->shape[part] != 0 && !finder->is_output[part] &&
         (finder->uses[part] == 1 ||
          (finder->uses[part] <= MOST_AGAIN && finder->size[part] == 1 && op <= DAE_OP_MUL3 &&
           op != DAE_OP_DIV && op != DAE_OP_DIV_GUARDED));
}

static bool
is_part(const Finder *finder, uint32_t user, uint32_t operand)
{
  return finder->takes[user] && is_taken_in(finder, operand);
}

/* The cone of node i: what only it uses is taken in, unless that is too much. */
static void
find_cone(Finder *finder, uint32_t i)
{
  uint32_t operands[4];
  const DaeNode *node = &finder->fused->nodes[i];
  const uint32_t arity = dae_program_operands(node, operands);
  uint32_t size = 1;
  for (uint32_t k = 0; k < arity; k++) {
    size += is_taken_in(finder, operands[k]) ? finder->size[operands[k]] : 0;
  }
  finder->takes[i] = size <= DAE_KERNEL_STEPS;
  Shape shape = {.op = node->op};
  for (uint32_t k = 0; k < arity; k++) {
    const uint32_t part = operands[k];
    const bool is_inner = is_part(finder, i, part);
    finder->inner[part] |= is_inner ? 1 : 0;
    shape.parts[k] = is_inner ? finder->shape[part] : leaf_kind(finder, part);
    for (uint32_t q = 0; q < k; q++) {
      shape.op |= operands[q] == part ? (OPERATIONS + 1) << (3 * q + k) : 0;
    }
  }
  finder->size[i] = finder->takes[i] ? size : 1;
  finder->shape[i] = number_of_shape(finder, &shape);
}

static void
find_cones(Finder *finder)
{
  for (uint32_t i = 0; i < finder->fused->n; i++) {
    if (finder->fused->groups[i] != 0 && is_plain(&finder->fused->nodes[i])) {
      find_cone(finder, i);
    }
  }
}

/* ---- phases ------------------------------------------------------------------------------ */

/* Single instructions of a phase run before its kernels. */
static void
find_phases(Finder *finder)
{
  for (uint32_t i = 0; i < finder->fused->n; i++) {
    uint32_t operands[4];
    const uint32_t arity = finder->fused->groups[i] != 0
                               ? dae_program_operands(&finder->fused->nodes[i], operands)
                               : 0;
    finder->phase[i] = 0;
    for (uint32_t k = 0; k < arity; k++) {
      const uint32_t after = finder->phase[operands[k]] + finder->chosen[operands[k]];
      finder->phase[i] = MAX(finder->phase[i], after);
    }
  }
}

/* Of the shape, the groups and the phase of a root; phases beyond what fits are not kernels. */
static uint64_t
key_of(const Finder *finder, uint32_t root)
{
  return ((uint64_t)finder->shape[root] << DAE_GROUPS_MAX | finder->fused->groups[root]) << 24 |
         MIN(finder->phase[root], (1u << 24) - 1);
}

typedef struct {
  gint64 key; /* first: the table hashes it in place */
  uint32_t n;
  GArray *roots;
} Keyed;

typedef struct {
  GHashTable *known; /* the set of Keyed, by key */
  Keyed *near[NEAR];
} Keys;

static void
keys_init(Keys *keys)
{
  *keys = (Keys){.known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL)};
}

static Keyed *
entry_of_key(Keys *keys, uint64_t key)
{
  Keyed **near = &keys->near[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - NEAR_BITS)];
  if (*near == NULL || (*near)->key != (gint64)key) {
    *near = g_hash_table_lookup(keys->known, &key);
  }
  if (*near == NULL) {
    *near = g_new0(Keyed, 1);
    (*near)->key = (gint64)key;
    g_hash_table_add(keys->known, *near);
  }
  return *near;
}

static void
count_keys(const Finder *finder, Keys *keys)
{
  for (uint32_t i = 0; i < finder->fused->n; i++) {
    if (finder->chosen[i]) {
      entry_of_key(keys, key_of(finder, i))->n++;
    }
  }
}

/* Where equations follow from each other one by one (a recurrence), each is in a phase of its own,
 * and none is left. What is left out only makes others wait longer than they must. */
static uint32_t
choose_roots(Finder *finder)
{
  uint32_t n_chosen = 0;
  for (uint32_t i = 0; i < finder->fused->n; i++) {
    finder->chosen[i] = finder->shape[i] != 0 && !finder->inner[i];
  }
  for (uint32_t round = 0; round < ROUNDS; round++) {
    n_chosen = 0;
    if (round > 0) { /* first: shapes that are rare in all */
      find_phases(finder);
    }
    Keys keys;
    keys_init(&keys);
    count_keys(finder, &keys);
    for (uint32_t i = 0; i < finder->fused->n; i++) {
      if (finder->chosen[i]) {
        const uint32_t n = entry_of_key(&keys, key_of(finder, i))->n;
        finder->chosen[i] = n >= DAE_KERNEL_FEWEST && finder->phase[i] < (1u << 24) - 1;
        n_chosen += finder->chosen[i];
      }
    }
    g_hash_table_destroy(keys.known);
  }
  return n_chosen;
}

/* ---- kernels ----------------------------------------------------------------------------- */

typedef struct {
  const Finder *finder;
  GArray *steps;
  uint32_t n_leaves;
} Writer;

/* Columns are counted in the order in which append_leaves lists the leaves. Returns the place of
 * the value; that of a step is its number, marked, since the number of columns is not known yet. */
#define TEMPORARY 0x8000u

static uint16_t
write_steps(Writer *writer, uint32_t number)
{
  const Shape *shape = &g_array_index(writer->finder->shapes, Shape, number - 1);
  DaeKernelStep step = {.op = (uint16_t)(shape->op & OPERATIONS)};
  const uint32_t arity = dae_op_arity((DaeOp)step.op);
  for (uint32_t k = 0; k < arity; k++) {
    step.from[k] = shape->parts[k] < LEAF_ITSELF ? write_steps(writer, shape->parts[k])
                                                 : (uint16_t)writer->n_leaves++;
  }
  g_array_append_val(writer->steps, step);
  return (uint16_t)(TEMPORARY | (writer->steps->len - 1));
}

static void
append_leaves(const Finder *finder, uint32_t root, GArray *leaves)
{
  uint32_t operands[4];
  const uint32_t arity = dae_program_operands(&finder->fused->nodes[root], operands);
  for (uint32_t k = 0; k < arity; k++) {
    if (is_part(finder, root, operands[k])) {
      append_leaves(finder, operands[k], leaves);
    } else {
      g_array_append_val(leaves, operands[k]);
    }
  }
}

/* Columns that are equal in all instances are one; to[column] is its new number. */
static uint32_t
merge_columns(uint32_t *table, uint32_t n_columns, uint32_t n, uint16_t *to)
{
  uint32_t kept = 0;
  for (uint32_t c = 0; c < n_columns; c++) {
    uint32_t *column = table + (size_t)c * n;
    uint32_t same = 0;
    while (same < kept && memcmp(table + (size_t)same * n, column, n * sizeof *column) != 0) {
      same++;
    }
    if (same == kept) {
      memmove(table + (size_t)kept * n, column, n * sizeof *column);
      kept++;
    }
    to[c] = (uint16_t)same;
  }
  return kept;
}

/* to[leaf]: its column */
static void
set_places(GArray *steps, uint32_t n_columns, const uint16_t *to)
{
  for (uint32_t s = 0; s < steps->len; s++) {
    DaeKernelStep *step = &g_array_index(steps, DaeKernelStep, s);
    for (uint32_t k = 0; k < dae_op_arity((DaeOp)step->op); k++) {
      step->from[k] = (step->from[k] & TEMPORARY) != 0
                          ? (uint16_t)(n_columns + (step->from[k] & ~TEMPORARY))
                          : to[step->from[k]];
    }
  }
}

static DaeKernel *
make_kernel(const Finder *finder, GArray *roots)
{
  const uint32_t n = roots->len;
  const uint32_t first = g_array_index(roots, uint32_t, 0);
  DaeKernel *kernel = g_new0(DaeKernel, 1);
  Writer writer = {.finder = finder, .steps = g_array_new(FALSE, FALSE, sizeof(DaeKernelStep))};
  g_autoptr(GArray) leaves = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  write_steps(&writer, finder->shape[first]);
  kernel->n = n;
  kernel->groups = finder->fused->groups[first];
  kernel->phase = finder->phase[first];
  kernel->table = g_new(uint32_t, (size_t)writer.n_leaves * n);
  for (uint32_t i = 0; i < n; i++) {
    g_array_set_size(leaves, 0);
    append_leaves(finder, g_array_index(roots, uint32_t, i), leaves);
    DAE_ASSERT(leaves->len == writer.n_leaves);
    for (uint32_t c = 0; c < writer.n_leaves; c++) {
      kernel->table[(size_t)c * n + i] = g_array_index(leaves, uint32_t, c);
    }
  }
  g_autofree uint16_t *to = g_new(uint16_t, writer.n_leaves);
  kernel->n_columns = merge_columns(kernel->table, writer.n_leaves, n, to);
  set_places(writer.steps, kernel->n_columns, to);
  dae_kernel_set_steps(kernel, (const DaeKernelStep *)(void *)writer.steps->data,
                       writer.steps->len);
  kernel->roots = (uint32_t *)(void *)g_array_free(roots, FALSE);
  g_array_free(writer.steps, TRUE);
  return kernel;
}

static gint
compare_kernels(gconstpointer a, gconstpointer b)
{
  const DaeKernel *const *x = a;
  const DaeKernel *const *y = b;
  if ((*x)->phase != (*y)->phase) {
    return (*x)->phase < (*y)->phase ? -1 : 1;
  }
  return (*x)->roots[0] < (*y)->roots[0] ? -1 : (*x)->roots[0] > (*y)->roots[0];
}

static void
make_kernels(const Finder *finder, DaeKernelPlan *plan)
{
  Keys keys;
  keys_init(&keys);
  g_autoptr(GPtrArray) in_order = g_ptr_array_new();
  for (uint32_t i = 0; i < finder->fused->n; i++) {
    if (finder->chosen[i]) {
      Keyed *keyed = entry_of_key(&keys, key_of(finder, i));
      if (keyed->roots == NULL) {
        keyed->roots = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        g_ptr_array_add(in_order, keyed->roots);
      }
      g_array_append_val(keyed->roots, i);
    }
  }
  g_hash_table_destroy(keys.known);
  for (guint k = 0; k < in_order->len; k++) {
    g_ptr_array_add(plan->kernels, make_kernel(finder, g_ptr_array_index(in_order, k)));
  }
  g_ptr_array_sort(plan->kernels, compare_kernels);
}

/* ---- the plan ---------------------------------------------------------------------------- */

/* Chosen roots are inside, and what is part of inside cones and of nothing else. */
static void
mark_inside(const Finder *finder, DaeKernelPlan *plan)
{
  const DaeFused *fused = finder->fused;
  g_autofree uint8_t *is_read = g_malloc0((size_t)fused->n + 1); /* as a value of its own */
  for (uint32_t i = fused->n; i-- > 0;) {
    uint32_t operands[4];
    const uint32_t arity =
        fused->groups[i] != 0 ? dae_program_operands(&fused->nodes[i], operands) : 0;
    plan->is_inside[i] = finder->chosen[i] || (finder->inner[i] && !is_read[i]);
    for (uint32_t k = 0; k < arity; k++) {
      is_read[operands[k]] |= !plan->is_inside[i] || !is_part(finder, i, operands[k]);
    }
  }
}

/* Counting sort of the single instructions by phase; equal ones keep their order. */
static void
sort_by_phase(const Finder *finder, DaeKernelPlan *plan)
{
  const DaeFused *fused = finder->fused;
  uint32_t most = 0;
  for (uint32_t i = 0; i < fused->n; i++) {
    most = MAX(most, finder->phase[i]);
  }
  g_autofree uint32_t *next = g_new0(uint32_t, (size_t)most + 2);
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < fused->n; i++) {
      if (fused->groups[i] == 0 || plan->is_inside[i] ||
          fused->nodes[i].level != DAE_LEVEL_POINT) {
        continue;
      }
      if (pass == 0) {
        next[finder->phase[i] + 1]++;
        plan->n_order++;
      } else {
        plan->order[next[finder->phase[i]]++] = i;
      }
    }
    for (uint32_t p = 0; p <= most && pass == 0; p++) {
      next[p + 1] += next[p];
    }
    plan->order = pass == 0 ? g_new(uint32_t, (size_t)plan->n_order + 1) : plan->order;
  }
}

static void
finder_clear(Finder *finder)
{
  g_free(finder->shape);
  g_free(finder->size);
  g_free(finder->uses);
  g_free(finder->inner);
  g_free(finder->takes);
  g_free(finder->is_output);
  g_free(finder->chosen);
  g_free(finder->phase);
  g_array_free(finder->shapes, TRUE);
  g_hash_table_destroy(finder->known);
}

DaeKernelPlan *
dae_kernel_plan_new(const DaeFused *fused, const DaeTapePlan *plan)
{
  if (fused->n < DAE_KERNEL_FEWEST) {
    return NULL;
  }
  Finder finder = {.fused = fused,
                   .shape = g_new0(uint32_t, fused->n),
                   .size = g_new0(uint32_t, fused->n),
                   .uses = g_new0(uint32_t, fused->n),
                   .inner = g_new0(uint8_t, fused->n),
                   .takes = g_new0(uint8_t, fused->n),
                   .is_output = g_new0(uint8_t, fused->n),
                   .chosen = g_new0(uint8_t, fused->n),
                   .phase = g_new0(uint32_t, fused->n),
                   .shapes = g_array_new(FALSE, FALSE, sizeof(Shape)),
                   .known = g_hash_table_new_full(hash_shape, same_shape, g_free, NULL)};
  count_uses(&finder, plan);
  find_cones(&finder);
  DaeKernelPlan *kernels = NULL;
  if (choose_roots(&finder) > 0) {
    kernels = g_new0(DaeKernelPlan, 1);
    kernels->kernels = g_ptr_array_new();
    kernels->is_inside = g_new0(uint8_t, fused->n);
    mark_inside(&finder, kernels);
    sort_by_phase(&finder, kernels);
    make_kernels(&finder, kernels);
    kernels->phase_of = g_steal_pointer(&finder.phase);
  }
  finder_clear(&finder);
  return kernels;
}

void
dae_kernel_free(DaeKernel *kernel)
{
  g_free(kernel->steps);
  g_free(kernel->roots);
  g_free(kernel->table);
  g_free(kernel->is_shared);
  g_free(kernel->stretch_start);
  g_free(kernel->stretch_from);
  g_free(kernel->inputs);
  g_free(kernel->targets);
  g_free(kernel);
}

void
dae_kernel_plan_free(DaeKernelPlan *plan)
{
  if (plan != NULL) {
    g_ptr_array_free(plan->kernels, TRUE);
    g_free(plan->is_inside);
    g_free(plan->order);
    g_free(plan->phase_of);
    g_free(plan);
  }
}
