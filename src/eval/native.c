/* Tapes as native code: C text through the system's compiler into a shared object.
 *
 * The code works on the register file of the interpreter: constants and inputs are already
 * there, outputs are left there. Operation for operation the same arithmetic, without
 * contraction and without the compiler's own library functions, so the results are the same
 * bits. Long tapes are cut into functions of bounded size, because compilers need more than
 * linear time for one long function. */
#include <dlfcn.h>
#include <glib/gstdio.h>
#include <string.h>

#include "eval/eval-priv.h"

#define CHUNK 400u
#define N_WIDTHS 3u
#define MOST_LOOP_STEPS 50000u /* of all routines with loops that are compiled */

static const unsigned widths[N_WIDTHS] = {1, 4, 8};

typedef void (*NativeFunction)(double *registers, int from);

struct DaeNative {
  void *library;
  NativeFunction functions[1u << DAE_GROUPS_MAX][N_WIDTHS];
};

void
dae_native_free(DaeNative *native)
{
  if (native != NULL) {
    if (native->library != NULL) {
      dlclose(native->library);
    }
    g_free(native);
  }
}

static uint32_t
number_of_width(unsigned width)
{
  uint32_t w = 0;
  while (w < N_WIDTHS && widths[w] != width) {
    w++;
  }
  return w;
}

bool
dae_native_knows(const DaeNative *native, uint32_t groups, unsigned width)
{
  const uint32_t w = number_of_width(width);
  return w < N_WIDTHS && native->functions[groups][w] != NULL;
}

void
dae_native_run(const DaeNative *native, uint32_t groups, unsigned width, DaeLevel from,
               double *registers)
{
  native->functions[groups][number_of_width(width)](registers, (int)from);
}

/* ---- text -------------------------------------------------------------------------------- */

typedef struct {
  GString *out;
  const char *name;   /* of the functions: the groups, or b and the number of a body */
  const char *prefix; /* of the names of data */
  GHashTable *bodies; /* tape of a body -> its number + 1 */
  GHashTable *loops;  /* DaeRoutineCode -> its number + 1 */
  const DaeTape *tape;
  const DaeVariant *variant;
  uint32_t *defined_by; /* by register: instruction + 1 that wrote it last, 0: a leaf */
  bool *is_stored;      /* by instruction: needed outside its chunk */
  uint32_t n_inputs;    /* of a body */
  bool is_short;        /* a body in one piece */
  unsigned width;
} Text;

/* Chunks do not cross the end of a level, because those of a level are left out
 * when their values are known. */
static uint32_t
chunks_to(const Text *text, uint32_t level)
{
  uint32_t n = 0;
  uint32_t from = 0;
  for (uint32_t l = 0; l <= level; l++) {
    n += (text->variant->instructions_to[l] - from + CHUNK - 1) / CHUNK;
    from = text->variant->instructions_to[l];
  }
  return n;
}

static uint32_t
chunk_of(const Text *text, uint32_t i)
{
  const uint32_t *to = text->variant->instructions_to;
  const uint32_t level = i < to[0] ? 0 : (i < to[1] ? 1 : 2);
  return level == 0 ? i / CHUNK : chunks_to(text, level - 1) + (i - to[level - 1]) / CHUNK;
}

static void
instruction_operands(const DaeInstruction *instruction, uint32_t *registers)
{
  registers[0] = instruction->a;
  registers[1] = instruction->b;
  registers[2] = instruction->c;
  registers[3] = instruction->d;
}

static void
store_leaves(Text *text, const DaeKernel *kernel)
{
  for (uint32_t c = 0; c < kernel->n_columns; c++) {
    for (uint32_t i = 0; i < (kernel->is_shared[c] ? 1 : kernel->n); i++) {
      const uint32_t by = text->defined_by[dae_kernel_leaf(kernel, i, c)];
      if (by != 0) {
        text->is_stored[by - 1] = true;
      }
    }
  }
}

static void
find_stored(Text *text, uint32_t groups)
{
  for (uint32_t i = 0; i < text->variant->n_instructions; i++) {
    const DaeInstruction *instruction = &text->variant->instructions[i];
    uint32_t registers[4];
    instruction_operands(instruction, registers);
    if (instruction->op == DAE_OP_RUN) {
      continue; /* it reads its frame */
    }
    if (instruction->op == DAE_OP_KERNEL) {
      store_leaves(text, dae_instruction_kernel(instruction));
      continue; /* its results are nobody else's registers */
    }
    text->is_stored[i] = instruction->op == DAE_OP_GIVE;
    for (uint32_t k = 0; k < dae_op_arity((DaeOp)instruction->op); k++) {
      const uint32_t by = text->defined_by[registers[k]];
      if (by != 0 && chunk_of(text, by - 1) != chunk_of(text, i)) {
        text->is_stored[by - 1] = true;
      }
    }
    text->defined_by[instruction->to] = i + 1;
  }
  for (uint32_t g = 0; g < text->tape->n_groups; g++) {
    for (uint32_t o = text->tape->group_start[g];
         (groups >> g & 1u) != 0 && o < text->tape->group_start[g + 1]; o++) {
      const uint32_t by = text->defined_by[text->tape->outputs[o]];
      if (by != 0) {
        text->is_stored[by - 1] = true;
      }
    }
  }
}

static bool
is_vector_operation(DaeOp op)
{
  return (op <= DAE_OP_DET2 && op != DAE_OP_DIV_GUARDED) || op == DAE_OP_GIVE;
}

/* Calls of routines without a body, each code once. */
static void
collect_codes(const DaeTape *tape, GHashTable *known, GPtrArray *codes)
{
  for (uint32_t i = 0; i < tape->n_calls; i++) {
    const DaeRoutineCode *code = tape->calls[i].code;
    if (tape->calls[i].body == NULL && !g_hash_table_contains(known, code)) {
      g_ptr_array_add(codes, (gpointer)code);
      g_hash_table_insert(known, (gpointer)code, GUINT_TO_POINTER(codes->len));
    }
  }
  for (uint32_t i = 0; i < tape->n_bodies; i++) {
    collect_codes(tape->bodies[i].tape, known, codes);
  }
}

/* Loops and recursion: functions dae_run_I of the text, by their code; where that would be long
 * the table stays empty, and the interpreter runs them. */
static GHashTable *
write_loops(GString *out, const DaeTape *tape)
{
  GHashTable *known = g_hash_table_new(NULL, NULL);
  g_autoptr(GPtrArray) codes = g_ptr_array_new();
  collect_codes(tape, known, codes);
  if (codes->len == 0 || !dae_routine_code_write((const DaeRoutineCode *const *)codes->pdata,
                                                 codes->len, MOST_LOOP_STEPS, out)) {
    g_hash_table_remove_all(known);
  }
  return known;
}

/* Routines without a body, lane by lane: the text is loaded into this process only. */
static void
write_run(Text *text, const DaeInstruction *instruction)
{
  const DaeTapeCall *call = dae_instruction_call(instruction);
  if (call->body != NULL) {
    g_string_append_printf(text->out, "run_b%u_%u(r + %u, r + %u);\n",
                           GPOINTER_TO_UINT(g_hash_table_lookup(text->bodies, call->body)) - 1,
                           text->width, call->block, instruction->to);
    return;
  }
  void (*const run)(const DaeTapeCall *, double *, uint32_t, unsigned, DaeRoutineFunction) =
      dae_tape_call_run;
  uintptr_t address = 0;
  memcpy(&address, &run, sizeof address);
  uint32_t loop = GPOINTER_TO_UINT(g_hash_table_lookup(text->loops, call->code));
  g_autofree char *function =
      loop != 0 ? g_strdup_printf("dae_run_%u", loop - 1) : g_strdup("0");
  g_string_append_printf(
      text->out,
      "((void (*)(const void *, double *, unsigned, unsigned, void (*)(const double *, double "
      "*)))%" G_GUINT64_FORMAT "ull)((const void *)%" G_GUINT64_FORMAT
      "ull, (double *)(void *)r, %u, %u, %s);\n",
      (uint64_t)address, (uint64_t)(uintptr_t)call, instruction->to, text->width, function);
}

/* A kernel is compiled already. */
static void
write_kernel(Text *text, const DaeInstruction *instruction)
{
  void (*const run)(const DaeKernel *, unsigned, double *) = dae_kernel_run;
  uintptr_t address = 0;
  memcpy(&address, &run, sizeof address);
  g_string_append_printf(
      text->out,
      "((void (*)(const void *, unsigned, double *))%" G_GUINT64_FORMAT
      "ull)((const void *)%" G_GUINT64_FORMAT "ull, %u, (double *)(void *)r);\n",
      (uint64_t)address, (uint64_t)(uintptr_t)dae_instruction_kernel(instruction), text->width);
}

/* In a body numbers are numbers and arguments are local variables. */
static bool
append_leaf(const Text *text, uint32_t place, bool by_lane, GString *name)
{
  const DaeTape *tape = text->tape;
  if (!text->is_short) {
    return false;
  }
  if (place < tape->n_constants) {
    g_string_append_c(name, '(');
    dae_emit_double(name, tape->constants[place]);
    g_string_append_c(name, ')');
    return true;
  }
  if (place < tape->n_constants + tape->full.n_loads) {
    g_string_append_printf(name, "x%u%s", place, by_lane ? "[l]" : "");
    return true;
  }
  return false;
}

static void
append_operand(const Text *text, uint32_t i, uint32_t place, uint32_t by, bool by_lane,
               GString *name)
{
  if (by != 0 && chunk_of(text, by - 1) == chunk_of(text, i)) {
    g_string_append_printf(name, "t%u%s", by - 1, by_lane ? "[l]" : "");
  } else if (!append_leaf(text, place, by_lane, name)) {
    g_string_append_printf(name, "r[%u]%s", place, by_lane ? "[l]" : "");
  }
}

/* Numbers alone, as in a body that gives a constant: such an expression is no vector. */
static bool
has_numbers_only(const Text *text, DaeOp op, const uint32_t *registers)
{
  bool is_number = text->is_short;
  uint32_t n =
      op == DAE_OP_GIVE ? 1 : dae_op_arity(op); /* its second one is what comes before */
  for (uint32_t k = 0; k < n && is_number; k++) {
    is_number = registers[k] < text->tape->n_constants;
  }
  return is_number;
}

static void
write_instruction(Text *text, uint32_t i)
{
  const DaeInstruction *instruction = &text->variant->instructions[i];
  const DaeOp op = (DaeOp)instruction->op;
  if (op == DAE_OP_RUN) {
    write_run(text, instruction);
    return;
  }
  if (instruction->op == DAE_OP_KERNEL) {
    write_kernel(text, instruction);
    return;
  }
  uint32_t registers[4];
  GString *names[4];
  const char *operands[4];
  instruction_operands(instruction, registers);
  const bool by_lane =
      text->width > 1 && (!is_vector_operation(op) || has_numbers_only(text, op, registers));
  for (uint32_t k = 0; k < 4; k++) {
    names[k] = g_string_new(NULL);
    if (k == 1 && (op == DAE_OP_INTERVAL || op == DAE_OP_LOOKUP)) {
      g_string_append_printf(names[k], "%sdata_%u", text->prefix, instruction->d);
    } else if (k < dae_op_arity(op)) {
      append_operand(text, i, registers[k], text->defined_by[registers[k]], by_lane, names[k]);
    }
    operands[k] = names[k]->str;
  }
  if (by_lane) {
    g_string_append_printf(text->out,
                           "V%u t%u; for (int l = 0; l < %u; l++) t%u[l] = ", text->width, i,
                           text->width, i);
  } else {
    g_string_append_printf(text->out, "V%u t%u = ", text->width, i);
  }
  dae_emit_operation(text->out, op, "dae_", operands);
  g_string_append(text->out, ";\n");
  for (uint32_t k = 0; k < 4; k++) {
    g_string_free(names[k], TRUE);
  }
  if (text->is_stored[i]) {
    g_string_append_printf(text->out, "r[%u] = t%u;\n", instruction->to, i);
  }
  text->defined_by[instruction->to] = i + 1;
}

/* A register written at the end of a chunk may still be read there through r: stores wait for
 * nothing, because the allocation reuses a register only after its last reader. */
static uint32_t
write_parts(Text *text)
{
  const uint32_t n = text->variant->n_instructions;
  const uint32_t n_chunks = n == 0 ? 0 : chunk_of(text, n - 1) + 1;
  memset(text->defined_by, 0, text->tape->n_registers * sizeof *text->defined_by);
  uint32_t i = 0;
  for (uint32_t chunk = 0; chunk < n_chunks; chunk++) {
    g_string_append_printf(text->out, "static void part_%s_%u_%u(V%u *restrict r)\n{\n",
                           text->name, text->width, chunk, text->width);
    for (; i < n && chunk_of(text, i) == chunk; i++) {
      write_instruction(text, i);
    }
    g_string_append(text->out, "}\n");
  }
  return n_chunks;
}

static void
write_function(Text *text)
{
  const uint32_t n_chunks = write_parts(text);
  g_string_append_printf(text->out, "void run_%s_%u(double *r, int from)\n{\n", text->name,
                         text->width);
  for (uint32_t chunk = 0; chunk < n_chunks; chunk++) {
    const char *when = chunk < chunks_to(text, DAE_LEVEL_SEGMENT) ? "if (from < 1) "
                       : chunk < chunks_to(text, DAE_LEVEL_TIME)  ? "if (from < 2) "
                                                                  : "";
    g_string_append_printf(text->out, "%spart_%s_%u_%u((void *)r);\n", when, text->name,
                           text->width, chunk);
  }
  /* GCC does that by itself from -O2 on; without it the caller's scalar code is slow */
  if (text->width > 1) {
    g_string_append(text->out, "#ifdef __AVX__\n__builtin_ia32_vzeroupper();\n#endif\n");
  }
  g_string_append(text->out, "}\n");
}

static void
begin_body(const Text *text)
{
  g_string_append_printf(text->out,
                         "__attribute__((noinline)) static void run_%s_%u(V%u *r, V%u *f)\n{\n",
                         text->name, text->width, text->width, text->width);
}

/* Where output k is at the end of a body in one piece. */
static void
append_result(const Text *text, uint32_t k)
{
  const uint32_t place = text->tape->outputs[k];
  const uint32_t by = text->defined_by[place];
  g_autoptr(GString) name = g_string_new(NULL);
  if (by != 0) {
    g_string_append_printf(name, "t%u", by - 1);
  } else if (!append_leaf(text, place, false, name)) {
    g_string_append_printf(name, "r[%u]", place);
  }
  const bool is_number = by == 0 && place < text->tape->n_constants;
  g_string_append_printf(text->out, is_number ? "f[%u] = %s + (V%u){0};\n" : "f[%u] = %s;\n",
                         text->n_inputs + k, name->str, text->width);
}

/* Registers r of the body, frame f of the call. */
static void
write_short_body(Text *text)
{
  const DaeTape *tape = text->tape;
  memset(text->defined_by, 0, tape->n_registers * sizeof *text->defined_by);
  begin_body(text);
  for (uint32_t i = 0; i < tape->full.n_loads; i++) {
    g_string_append_printf(text->out, "const V%u x%u = f[%u];\n", text->width,
                           tape->full.loads[i].to, tape->full.loads[i].index);
  }
  for (uint32_t i = 0; i < text->variant->n_instructions; i++) {
    write_instruction(text, i);
  }
  for (uint32_t k = 0; k < tape->group_start[1]; k++) {
    append_result(text, k);
  }
  g_string_append(text->out, "}\n");
}

static void
write_long_body(Text *text)
{
  const DaeTape *tape = text->tape;
  const uint32_t n_chunks = write_parts(text);
  begin_body(text);
  for (uint32_t i = 0; i < tape->full.n_loads; i++) {
    g_string_append_printf(text->out, "r[%u] = f[%u];\n", tape->full.loads[i].to,
                           tape->full.loads[i].index);
  }
  for (uint32_t chunk = 0; chunk < n_chunks; chunk++) {
    g_string_append_printf(text->out, "part_%s_%u_%u(r);\n", text->name, text->width, chunk);
  }
  for (uint32_t k = 0; k < tape->group_start[1]; k++) {
    g_string_append_printf(text->out, "f[%u] = r[%u];\n", text->n_inputs + k, tape->outputs[k]);
  }
  g_string_append(text->out, "}\n");
}

static void
write_set(Text text, uint32_t groups, bool is_wide, void (*write)(Text *text))
{
  text.variant = dae_tape_variant(text.tape, groups);
  text.defined_by = g_new0(uint32_t, (size_t)text.tape->n_registers + 1);
  text.is_stored = g_new0(bool, (size_t)text.variant->n_instructions + 1);
  find_stored(&text, groups);
  for (uint32_t w = 0; w < (is_wide ? N_WIDTHS : 1); w++) {
    text.width = widths[w];
    write(&text);
  }
  g_free(text.defined_by);
  g_free(text.is_stored);
}

static void
mark_used(const DaeTape *tape, bool *used)
{
  for (uint32_t i = 0; i < tape->full.n_instructions; i++) {
    if (tape->full.instructions[i].op < DAE_OP_COUNT) {
      used[tape->full.instructions[i].op] = true;
    }
  }
  for (uint32_t i = 0; i < tape->n_bodies; i++) {
    mark_used(tape->bodies[i].tape, used);
  }
}

/* Bodies come before those that call them. */
static void
write_bodies(GString *out, const DaeTape *tape, GHashTable *bodies, GHashTable *loops)
{
  for (uint32_t i = 0; i < tape->n_calls; i++) {
    const DaeTape *body = tape->calls[i].body;
    if (body == NULL || g_hash_table_contains(bodies, body)) {
      continue;
    }
    write_bodies(out, body, bodies, loops);
    uint32_t number = g_hash_table_size(bodies);
    g_autofree char *name = g_strdup_printf("b%u", number);
    g_autofree char *prefix = g_strdup_printf("dae_b%u_", number);
    g_hash_table_insert(bodies, (gpointer)body, GUINT_TO_POINTER(number + 1));
    for (uint32_t k = 0; k < body->n_data; k++) {
      dae_emit_data_array(out, prefix, k, body->data[k]->values, body->data[k]->n);
    }
    Text text = {.out = out,
                 .name = name,
                 .prefix = prefix,
                 .bodies = bodies,
                 .loops = loops,
                 .n_inputs = tape->calls[i].n_inputs,
                 .tape = body};
    text.is_short = body->full.n_instructions <= CHUNK;
    write_set(text, 1, true, text.is_short ? write_short_body : write_long_body);
  }
}

static char *
native_text(const DaeTape *tape, const uint32_t *group_sets, uint32_t n_sets, uint32_t n_wide)
{
  /* there are no dead stores to find, and looking for them is a third of GCC's work */
  GString *out = g_string_new("#if defined(__GNUC__) && !defined(__clang__)\n"
                              "#pragma GCC optimize(\"no-tree-dse\", \"no-dse\")\n#endif\n"
                              "#include <math.h>\ntypedef double V1;\n");
  bool used[DAE_OP_COUNT] = {false};
  mark_used(tape, used);
  g_string_append(out, "#define sqrt __builtin_sqrt\n#define fabs __builtin_fabs\n");
  for (uint32_t w = 1; w < N_WIDTHS; w++) {
    g_string_append_printf(out,
                           "typedef double V%u __attribute__((vector_size(%u), may_alias));\n",
                           widths[w], widths[w] * 8);
  }
  dae_emit_helpers(out, used, "dae_");
  for (uint32_t i = 0; i < tape->n_data; i++) {
    dae_emit_data_array(out, "dae_", i, tape->data[i]->values, tape->data[i]->n);
  }
  g_autoptr(GHashTable) bodies = g_hash_table_new(NULL, NULL);
  g_autoptr(GHashTable) loops = write_loops(out, tape);
  write_bodies(out, tape, bodies, loops);
  for (uint32_t s = 0; s < n_sets; s++) {
    g_autofree char *name = g_strdup_printf("%u", group_sets[s]);
    Text text = {.out = out,
                 .name = name,
                 .prefix = "dae_",
                 .bodies = bodies,
                 .loops = loops,
                 .tape = tape};
    write_set(text, group_sets[s], s < n_wide, write_function);
  }
  return g_string_free(out, FALSE);
}

/* ---- compiling and loading --------------------------------------------------------------- */

static bool
compile_file(const char *source, const char *object, GError **error)
{
  const char *compiler = g_getenv("CC");
  g_autoptr(GPtrArray) arguments = g_ptr_array_new();
  g_auto(GStrv) words = NULL;
  if (!g_shell_parse_argv(compiler != NULL && *compiler != '\0' ? compiler : "cc", NULL, &words,
                          error)) {
    return false;
  }
  for (char **word = words; *word != NULL; word++) {
    g_ptr_array_add(arguments, *word);
  }
  static const char *const options[] = {
      "-O1", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno", "-fno-builtin", "-w"};
  for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
    g_ptr_array_add(arguments, (char *)options[i]);
  }
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) { /* as the interpreter does */
    g_ptr_array_add(arguments, (char *)"-mavx512f");
    g_ptr_array_add(arguments, (char *)"-mprefer-vector-width=512");
  } else if (__builtin_cpu_supports("avx2")) {
    g_ptr_array_add(arguments, (char *)"-mavx2");
  }
#endif
  const char *const rest[] = {"-o", object, source, "-lm", NULL};
  for (size_t i = 0; i < G_N_ELEMENTS(rest); i++) {
    g_ptr_array_add(arguments, (char *)rest[i]);
  }
  g_autofree char *errors = NULL;
  int status = 0;
  if (!g_spawn_sync(NULL, (char **)arguments->pdata, NULL,
                    G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, &errors,
                    &status, error)) {
    g_prefix_error(error, "--native needs a C compiler (CC chooses one; without --native none "
                          "is needed): ");
    return false;
  }
  if (!g_spawn_check_wait_status(status, error)) {
    g_prefix_error(error, "%s: ", g_strstrip(errors));
    return false;
  }
  return true;
}

static DaeNative *
load_functions(const char *object, const uint32_t *group_sets, uint32_t n_sets, uint32_t n_wide,
               GError **error)
{
  void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_FILE, "the compiled model cannot be loaded: %s",
                dlerror());
    return NULL;
  }
  DaeNative *native = g_new0(DaeNative, 1);
  native->library = library;
  for (uint32_t s = 0; s < n_sets; s++) {
    for (uint32_t w = 0; w < (s < n_wide ? N_WIDTHS : 1); w++) {
      g_autofree char *name = g_strdup_printf("run_%u_%u", group_sets[s], widths[w]);
      void *symbol = dlsym(library, name);
      memcpy(&native->functions[group_sets[s]][w], &symbol, sizeof symbol);
    }
  }
  return native;
}

DaeNative *
dae_native_new(const DaeTape *tape, const uint32_t *group_sets, uint32_t n_sets,
               uint32_t n_wide, GError **error)
{
  g_autoptr(GError) cause = NULL;
  g_autofree char *folder = g_dir_make_tmp("daetool-XXXXXX", &cause);
  DaeNative *native = NULL;
  if (folder != NULL) {
    g_autofree char *source = g_build_filename(folder, "model.c", NULL);
    g_autofree char *object = g_build_filename(folder, "model.so", NULL);
    g_autofree char *text = native_text(tape, group_sets, n_sets, n_wide);
    if (g_file_set_contents(source, text, -1, &cause) && compile_file(source, object, &cause)) {
      native = load_functions(object, group_sets, n_sets, n_wide, &cause);
    }
    g_unlink(source);
    g_unlink(object);
    g_rmdir(folder);
  }
  if (native == NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_FILE, "no native code: %s", cause->message);
  }
  return native;
}
