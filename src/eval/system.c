/* A quasi-linear system as a DaeEvaluator: tapes for values, Jacobians and switching functions. */
#include <math.h>
#include <string.h>

#include "eval/eval-priv.h"

struct DaeSystem {
  DaeEvaluator evaluator;                      /* its self is this object */
  DaeTape *values;                             /* groups f, g, m */
  DaeTape *jacobians;                          /* groups k, gx, gt, ft, m */
  DaeTape *switches;                           /* one group; NULL without relations */
  DaeTape *stages;                             /* of the solved form; NULL: there is none */
  DaeSolvedTerms *solved;                      /* or NULL */
  size_t values_at, jacobians_at, switches_at; /* their parts of the scratch */
  size_t stages_at;
  double *segment; /* n_segment */
  uint32_t *index; /* storage of the patterns */
  uint8_t *hidden;
  uint8_t *depends; /* of the entries of M, then of G */
};

#define DIFFERENCE 6e-6 /* the cube root of the rounding unit: for central differences */

enum { VALUE_F = 1, VALUE_G = 2, VALUE_M = 4 };

enum { GROUP_GX = 1, GROUP_JACOBIAN_M = 4 }; /* places of groups in the second tape */

enum { JACOBIAN_K = 1, JACOBIAN_GX = 2, JACOBIAN_GT = 4, JACOBIAN_FT = 8, JACOBIAN_M = 16 };

/* ---- segment values ---------------------------------------------------------------------- */

/* Begin of a scratch; n_segment values follow. */
typedef struct {
  uint64_t number; /* 0: those of the system */
} SegmentHead;

static const double *
segment_of(const void *scratch)
{
  return (const double *)(const void *)((const char *)scratch + sizeof(SegmentHead));
}

static size_t
segment_bytes(uint32_t n_segment)
{
  const size_t bytes = sizeof(SegmentHead) + n_segment * sizeof(double);
  return (bytes + 63) / 64 * 64;
}

static void
copy_segment(void *scratch, const double *segment, uint32_t n)
{
  SegmentHead *head = scratch;
  if (head->number > 0 && memcmp(segment_of(scratch), segment, n * sizeof *segment) == 0) {
    return;
  }
  head->number++;
  memcpy((char *)scratch + sizeof(SegmentHead), segment, n * sizeof *segment);
}

static void
set_segment(const void *self, void *scratch, const double *segment)
{
  const DaeSystem *system = self;
  copy_segment(scratch, segment, system->evaluator.n_segment);
}

static DaeTapeInputs
inputs_at(const DaeSystem *system, const void *scratch, const double *t, const double *x,
          const double *xdot)
{
  const SegmentHead *head = scratch;
  return (DaeTapeInputs){.sources = {[DAE_SOURCE_TIME] = t,
                                     [DAE_SOURCE_POINT] = x,
                                     [DAE_SOURCE_SLOPES] = xdot,
                                     [DAE_SOURCE_SEGMENT] = head->number > 0
                                                                ? segment_of(scratch)
                                                                : system->segment},
                         .segment_number = head->number};
}

/* ---- callbacks --------------------------------------------------------------------------- */

static uint32_t
row_of_entry(const DaePattern *pattern, uint32_t entry)
{
  uint32_t low = 0;
  uint32_t high = pattern->n_rows; /* row_start[low] <= entry < row_start[high] */
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (pattern->row_start[middle] <= entry) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

static int
eval_system(const void *self, void *scratch, unsigned lanes, const double *t, const double *x,
            DaeOut *out)
{
  const DaeSystem *system = self;
  const uint32_t groups = (out->f != NULL ? VALUE_F : 0u) | (out->g != NULL ? VALUE_G : 0u) |
                          (out->m != NULL ? VALUE_M : 0u);
  const DaeTapeInputs inputs = inputs_at(system, scratch, t, x, NULL);
  double *const outs[3] = {out->f, out->g, out->m};
  uint32_t fault = 0;
  const int status = dae_tape_eval_groups(system->values, (char *)scratch + system->values_at,
                                          lanes, groups, &inputs, outs, &fault);
  if (status != 0) {
    const uint32_t m_start = system->values->group_start[2];
    out->fault =
        fault < m_start ? fault : row_of_entry(&system->evaluator.mass, fault - m_start);
  }
  return status;
}

static uint32_t
row_of_jacobian_output(const DaeSystem *system, uint32_t output)
{
  const DaeEvaluator *evaluator = &system->evaluator;
  const uint32_t *start = system->jacobians->group_start;
  if (output < start[1]) {
    return row_of_entry(&evaluator->dynamics, output);
  }
  if (output < start[2]) {
    return evaluator->n_diff + row_of_entry(&evaluator->constraint, output - start[1]);
  }
  if (output < start[3]) {
    return evaluator->n_diff + output - start[2];
  }
  if (output < start[4]) {
    return output - start[3];
  }
  return row_of_entry(&evaluator->mass, output - start[4]);
}

/* One of the points beside (t, x): along x', then up, then down, each a little farther the second
 * time. Components move by different amounts, so that differences of equal values change, too; the
 * time moves with them (sqrt(time) at the start), down as well (acos(time) at the end). Its new
 * value. */
static double
step_beside(const DaeSystem *system, double t, const double *x, const double *xdot,
            uint32_t attempt, double *y)
{
  static const double sizes[] = {1e-9, 1e-6};
  const double size = sizes[attempt / 3 % 2];
  for (uint32_t j = 0; j < system->evaluator.n; j++) {
    double along = xdot != NULL ? size * xdot[j] : 0.0;
    double up = size * (1.0 + fabs(x[j])) * (1.0 + (double)(j % 7) / 8.0);
    y[j] = x[j] + (attempt % 3 == 0 ? along : attempt % 3 == 1 ? up : -up);
  }
  return t + (attempt % 3 == 2 ? -size : size) * (1.0 + fabs(t));
}

/* At the edge of a domain functions have values but no derivatives: sqrt(x) at 0, where an
 * empty tank is filled, sqrt(time) at the start. The derivatives close by serve as well, they
 * only steer Newton's iteration. */
static int
eval_jacobians_beside(const DaeSystem *system, void *scratch, double t, const double *x,
                      const double *xdot, uint32_t groups, double *const *outs)
{
  enum { ATTEMPTS = 6 };

  g_autofree double *y = g_new0(double, (size_t)system->evaluator.n + 1);
  int status = 1;
  for (uint32_t attempt = 0; attempt < ATTEMPTS && status != 0; attempt++) {
    const double beside = step_beside(system, t, x, xdot, attempt, y);
    const DaeTapeInputs inputs = inputs_at(system, scratch, &beside, y, xdot);
    status = dae_tape_eval_groups(system->jacobians, (char *)scratch + system->jacobians_at, 1,
                                  groups, &inputs, outs, NULL);
  }
  return status;
}

/* Marks the columns of entries without a value. */
static void
mark_columns(const DaePattern *pattern, const double *values, uint8_t *is_bad)
{
  for (uint32_t e = 0; values != NULL && e < pattern->row_start[pattern->n_rows]; e++) {
    is_bad[pattern->column[e]] = is_bad[pattern->column[e]] || !isfinite(values[e]);
  }
}

/* f - M x' and g at a point; they follow one another in out. */
static int
eval_rows(const DaeSystem *system, void *scratch, double t, const double *y, const double *xdot,
          double *m, double *out)
{
  const DaeEvaluator *ev = &system->evaluator;
  DaeOut values = {.f = out, .g = out + ev->n_diff, .m = ev->mass_is_constant ? NULL : m};
  const int status = eval_system(system, scratch, 1, &t, y, &values);
  for (uint32_t i = 0; values.m != NULL && xdot != NULL && i < ev->n_diff; i++) {
    for (uint32_t e = ev->mass.row_start[i]; e < ev->mass.row_start[i + 1]; e++) {
      out[i] -= m[e] * xdot[ev->mass.column[e]];
    }
  }
  return status;
}

/* The entries of column j without a value, from the rows beside x. */
static void
take_differences(const DaePattern *pattern, uint32_t j, const double *low, const double *high,
                 double distance, double *values)
{
  for (uint32_t i = 0; values != NULL && i < pattern->n_rows; i++) {
    for (uint32_t e = pattern->row_start[i]; e < pattern->row_start[i + 1]; e++) {
      if (pattern->column[e] == j && !isfinite(values[e])) {
        values[e] = (high[i] - low[i]) / distance;
      }
    }
  }
}

/* Far out a derivative may overflow where its function does not: that of 1/(exp(u) + 1) is
 * inf/inf^2 for large u. Differences serve as well where the functions have values. */
static int
eval_jacobians_by_differences(const DaeSystem *system, void *scratch, double t, const double *x,
                              const double *xdot, uint32_t groups, double *const *outs)
{
  const DaeEvaluator *ev = &system->evaluator;
  const uint32_t n_rows = ev->n_diff + ev->n_con;
  const uint32_t rest = groups & ~(uint32_t)(JACOBIAN_K | JACOBIAN_GX);
  const DaeTapeInputs inputs = inputs_at(system, scratch, &t, x, xdot);
  char *own = (char *)scratch + system->jacobians_at;
  if (rest != 0 && dae_tape_eval_groups(system->jacobians, own, 1, rest, &inputs, outs, NULL)) {
    return 1;
  }
  dae_tape_eval_groups(system->jacobians, own, 1, groups & ~rest, &inputs, outs, NULL);
  g_autofree uint8_t *is_bad = g_new0(uint8_t, (size_t)ev->n + 1);
  g_autofree double *y = g_memdup2(x, (size_t)ev->n * sizeof *x);
  g_autofree double *m = g_new0(double, (size_t)ev->mass.row_start[ev->n_diff] + 1);
  g_autofree double *low = g_new0(double, (size_t)n_rows + 1);
  g_autofree double *high = g_new0(double, (size_t)n_rows + 1);
  mark_columns(&ev->dynamics, outs[0], is_bad);
  mark_columns(&ev->constraint, outs[1], is_bad);
  int status = 0;
  for (uint32_t j = 0; j < ev->n && status == 0; j++) {
    const double h = is_bad[j] ? DIFFERENCE * (1.0 + fabs(x[j])) : 0.0;
    if (h > 0.0) {
      y[j] = x[j] - h;
      status = eval_rows(system, scratch, t, y, xdot, m, low);
      y[j] = x[j] + h;
      status = status != 0 ? status : eval_rows(system, scratch, t, y, xdot, m, high);
      y[j] = x[j];
      take_differences(&ev->dynamics, j, low, high, 2 * h, outs[0]);
      take_differences(&ev->constraint, j, low + ev->n_diff, high + ev->n_diff, 2 * h, outs[1]);
    }
  }
  return status;
}

static int
eval_jacobians(const void *self, void *scratch, double t, const double *x, const double *xdot,
               DaeJac *out)
{
  const DaeSystem *system = self;
  const uint32_t groups =
      (out->k != NULL ? JACOBIAN_K : 0u) | (out->gx != NULL ? JACOBIAN_GX : 0u) |
      (out->gt != NULL ? JACOBIAN_GT : 0u) | (out->ft != NULL ? JACOBIAN_FT : 0u) |
      (out->m != NULL ? JACOBIAN_M : 0u);
  const DaeTapeInputs inputs = inputs_at(system, scratch, &t, x, xdot);
  double *const outs[5] = {out->k, out->gx, out->gt, out->ft, out->m};
  uint32_t fault = 0;
  const int status =
      dae_tape_eval_groups(system->jacobians, (char *)scratch + system->jacobians_at, 1, groups,
                           &inputs, outs, &fault);
  if (status != 0) {
    out->fault = row_of_jacobian_output(system, fault);
    return eval_jacobians_beside(system, scratch, t, x, xdot, groups, outs) == 0 ||
                   eval_jacobians_by_differences(system, scratch, t, x, xdot, groups, outs) == 0
               ? 0
               : status;
  }
  return status;
}

static DaeChosen *
choose_entries(const void *self, const uint32_t *mass, uint32_t n_mass,
               const uint32_t *constraint, uint32_t n_constraint)
{
  const DaeSystem *system = self;
  const uint32_t *start = system->jacobians->group_start;
  g_autofree uint32_t *outputs = g_new(uint32_t, (size_t)n_mass + n_constraint + 1);
  for (uint32_t e = 0; e < n_mass; e++) {
    outputs[e] = start[GROUP_JACOBIAN_M] + mass[e];
  }
  for (uint32_t e = 0; e < n_constraint; e++) {
    outputs[n_mass + e] = start[GROUP_GX] + constraint[e];
  }
  return dae_slice_new(system->jacobians, outputs, n_mass + n_constraint);
}

static int
eval_entries(const void *self, const void *scratch, DaeChosen *entries, double t,
             const double *x, double *values)
{
  const DaeTapeInputs inputs = inputs_at(self, scratch, &t, x, NULL);
  return dae_slice_eval(entries, &inputs, values);
}

static int
eval_switches(const void *self, void *scratch, double t, const double *x, double *values)
{
  const DaeSystem *system = self;
  const DaeTapeInputs inputs = inputs_at(system, scratch, &t, x, NULL);
  double *const outs[1] = {values};
  return dae_tape_eval_groups(system->switches, (char *)scratch + system->switches_at, 1, 1,
                              &inputs, outs, NULL);
}

static int
eval_solved(const void *self, void *scratch, double t, const double *x, const DaeSolvedOut *out)
{
  const DaeSystem *system = self;
  const DaeTapeInputs inputs = inputs_at(system, scratch, &t, x, NULL);
  double *const outs[5] = {out->stage, out->m, out->direct, out->rest, out->rest_slope};
  uint32_t groups = 0;
  for (uint32_t g = 0; g < G_N_ELEMENTS(outs); g++) {
    groups |= outs[g] != NULL ? 1u << g : 0u;
  }
  return dae_tape_eval_groups(system->stages, (char *)scratch + system->stages_at, 1, groups,
                              &inputs, outs, NULL);
}

static void
add_cost(const DaeTape *tape, uint32_t groups, DaeEvalCost *cost)
{
  const DaeTapeCost part = dae_tape_cost_of_groups(tape, groups);
  cost->flops += (uint64_t)part.adds + part.multiplies;
  cost->divisions += part.divides;
  cost->square_roots += part.square_roots;
  cost->calls += part.calls;
}

/* The bits of DAE_COST_... are the groups of the two tapes, one after the other. */
static void
cost_of_parts(const void *self, uint32_t parts, DaeEvalCost *cost)
{
  const DaeSystem *system = self;
  add_cost(system->values, parts & 7u, cost);
  add_cost(system->jacobians, parts >> 3, cost);
}

/* ---- construction ------------------------------------------------------------------------ */

typedef struct {
  DaeCompiler *compiler;
  DaeProgram *program;
  const uint32_t *input_source, *input_index;
  bool is_single;
} Builder;

/* A tape whose groups are the given lists of terms. */
static DaeTape *
tape_of_groups(Builder *builder, GArray *const *groups, uint32_t n_groups, GError **error)
{
  uint32_t group_start[DAE_GROUPS_MAX + 1] = {0};
  for (uint32_t g = 0; g < n_groups; g++) {
    group_start[g + 1] = group_start[g] + groups[g]->len;
  }
  g_autofree uint32_t *nodes = g_new(uint32_t, group_start[n_groups]);
  for (uint32_t g = 0; g < n_groups; g++) {
    for (uint32_t o = 0; o < groups[g]->len; o++) {
      const DaeTerm t = g_array_index(groups[g], DaeTerm, o);
      if (!dae_compiler_compile(builder->compiler, t, &nodes[group_start[g] + o], error)) {
        return NULL;
      }
    }
  }
  const DaeTapePlan plan = {.program = builder->program,
                            .outputs = nodes,
                            .group_start = group_start,
                            .n_groups = n_groups,
                            .input_source = builder->input_source,
                            .input_index = builder->input_index,
                            .is_single = builder->is_single};
  return dae_tape_from_program(&plan);
}

/* An if-expression in M or G whose condition is not for an event to change? Those of f change
 * neither of them. */
static bool
has_choices(DaeTerms *terms, const DaeSystemTerms *st)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(terms, DAE_NO_TERM);
  static const int equations[] = {DAE_PART_G, DAE_PART_M};
  for (size_t p = 0; p < G_N_ELEMENTS(equations); p++) {
    const GArray *part = st->terms[equations[p]];
    for (guint i = 0; i < part->len; i++) {
      dae_visit_add(visit, g_array_index(part, DaeTerm, i));
    }
  }
  for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
    if (dae_term_kind(terms, t) == DAE_KIND_IF &&
        dae_term_has_varying_break(terms, dae_term_operand(terms, t, 0))) {
      return true;
    }
    if (dae_term_has_break(terms, t)) {
      dae_visit_enter(visit, t);
    }
  }
  return false;
}

/* The tape of the solved form; without one if there is none. */
static bool
build_stages(DaeSystem *system, DaeTerms *terms, const DaeSystemParts *parts, bool is_single,
             GError **error)
{
  system->solved = dae_solved_new(terms, parts);
  if (system->solved == NULL) {
    return true;
  }
  const uint32_t n_inputs = dae_system_n_inputs(parts);
  g_autofree uint32_t *source = g_new(uint32_t, n_inputs);
  g_autofree uint32_t *index = g_new(uint32_t, n_inputs);
  dae_system_sources(parts, source, index);
  g_autoptr(DaeProgram) program = dae_program_new();
  g_autoptr(DaeCompiler) compiler = dae_compiler_new(terms, program);
  dae_system_bind(compiler, terms, parts);
  GArray *const *groups = dae_solved_groups(system->solved);
  for (uint32_t g = 0; g < DAE_GROUPS_MAX; g++) {
    dae_compiler_announce(compiler, (const DaeTerm *)(const void *)groups[g]->data,
                          groups[g]->len);
  }
  Builder builder = {compiler, program, source, index, is_single};
  system->stages = tape_of_groups(&builder, groups, DAE_GROUPS_MAX, error);
  system->evaluator.solved = dae_solved_form(system->solved);
  system->evaluator.eval_solved = eval_solved;
  return system->stages != NULL;
}

static bool
build_tapes(DaeSystem *system, DaeTerms *terms, const DaeSystemParts *parts,
            const DaeSystemTerms *st, bool is_single, GError **error)
{
  const uint32_t n_inputs = dae_system_n_inputs(parts);
  g_autofree uint32_t *source = g_new(uint32_t, n_inputs);
  g_autofree uint32_t *index = g_new(uint32_t, n_inputs);
  dae_system_sources(parts, source, index);
  g_autoptr(DaeProgram) program = dae_program_new();
  g_autoptr(DaeCompiler) compiler = dae_compiler_new(terms, program);
  dae_system_bind(compiler, terms, parts);
  g_autoptr(GArray) switches = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_system_collect_switches(terms, parts, switches);
  for (uint32_t p = 0; p < DAE_PART_COUNT; p++) {
    dae_compiler_announce(compiler, (const DaeTerm *)(const void *)st->terms[p]->data,
                          st->terms[p]->len);
  }
  Builder builder = {compiler, program, source, index, is_single};
  GArray *const values[3] = {st->terms[DAE_PART_F], st->terms[DAE_PART_G],
                             st->terms[DAE_PART_M]};
  GArray *const jacobians[5] = {st->terms[DAE_PART_K], st->terms[DAE_PART_GX],
                                st->terms[DAE_PART_GT], st->terms[DAE_PART_FT],
                                st->terms[DAE_PART_M]};
  system->values = tape_of_groups(&builder, values, 3, error);
  system->jacobians =
      system->values != NULL ? tape_of_groups(&builder, jacobians, 5, error) : NULL;
  if (system->jacobians == NULL) {
    return false;
  }
  system->evaluator.has_choices = has_choices(terms, st);
  if (switches->len > 0) {
    system->switches = tape_of_groups(&builder, &switches, 1, error);
    system->evaluator.n_switches = switches->len;
    system->evaluator.switches = eval_switches;
  }
  return switches->len == 0 || system->switches != NULL;
}

static DaePattern
copy_pattern(uint32_t **storage, uint32_t n_columns, const GArray *starts,
             const GArray *columns)
{
  uint32_t *start = *storage;
  uint32_t *column = start + starts->len;
  memcpy(start, starts->data, starts->len * sizeof *start);
  if (columns->len > 0) {
    memcpy(column, columns->data, columns->len * sizeof *column);
  }
  *storage = column + columns->len;
  return (DaePattern){starts->len - 1, n_columns, start, column};
}

static void
set_dependence(DaeSystem *system)
{
  DaeEvaluator *evaluator = &system->evaluator;
  const uint32_t n_mass = evaluator->mass.row_start[evaluator->n_diff];
  const uint32_t n_constraint = evaluator->constraint.row_start[evaluator->n_con];
  system->depends = g_malloc0((size_t)n_mass + n_constraint + 1);
  dae_tape_depends(system->jacobians, GROUP_JACOBIAN_M, system->depends);
  dae_tape_depends(system->jacobians, GROUP_GX, system->depends + n_mass);
  evaluator->mass_depends = system->depends;
  evaluator->constraint_depends = system->depends + n_mass;
}

static void
set_evaluator(DaeSystem *system, DaeTerms *terms, const DaeSystemParts *parts,
              const DaeSystemTerms *st)
{
  const size_t n_index = (size_t)st->mass_start->len + st->mass_column->len +
                         st->dynamics_start->len + st->dynamics_column->len +
                         st->constraint_start->len + st->constraint_column->len;
  system->index = g_new(uint32_t, n_index);
  uint32_t *storage = system->index;
  DaeEvaluator *evaluator = &system->evaluator;
  evaluator->n = parts->n;
  evaluator->n_diff = parts->n_diff;
  evaluator->n_con = parts->n_con;
  evaluator->mass = copy_pattern(&storage, parts->n, st->mass_start, st->mass_column);
  evaluator->dynamics =
      copy_pattern(&storage, parts->n, st->dynamics_start, st->dynamics_column);
  evaluator->constraint =
      copy_pattern(&storage, parts->n, st->constraint_start, st->constraint_column);
  evaluator->n_held = parts->n_held;
  if (parts->hidden != NULL) {
    system->hidden = g_memdup2(parts->hidden, parts->n_con);
    evaluator->hidden = system->hidden;
  }
  evaluator->mass_is_constant = true;
  for (uint32_t k = 0; k < st->terms[DAE_PART_M]->len; k++) {
    const DaeTerm entry = g_array_index(st->terms[DAE_PART_M], DaeTerm, k);
    evaluator->mass_is_constant =
        evaluator->mass_is_constant && dae_term_is_parametric(terms, entry);
  }
  evaluator->is_checked = true;
  evaluator->self = system;
  evaluator->eval = eval_system;
  evaluator->jac = eval_jacobians;
  evaluator->cost = cost_of_parts;
  evaluator->entries_new = choose_entries;
  evaluator->entries_at = eval_entries;
  evaluator->entries_free = dae_slice_free;
  set_dependence(system);
  system->segment = g_new0(double, (size_t)parts->n_segment + 1);
  for (uint32_t k = 0; k < parts->n_segment && parts->segment_values != NULL; k++) {
    system->segment[k] = parts->segment_values[k];
  }
  evaluator->n_segment = parts->n_segment;
  evaluator->segment = parts->n_segment > 0 ? system->segment : NULL;
  evaluator->set_segment = parts->n_segment > 0 ? set_segment : NULL;
  system->values_at = segment_bytes(parts->n_segment);
  system->jacobians_at = system->values_at + dae_tape_scratch_size(system->values);
  system->switches_at = system->jacobians_at + dae_tape_scratch_size(system->jacobians);
  system->stages_at = system->switches_at +
                      (system->switches != NULL ? dae_tape_scratch_size(system->switches) : 0);
  evaluator->scratch_size =
      system->stages_at + (system->stages != NULL ? dae_tape_scratch_size(system->stages) : 0);
}

/* Stages and ends of explicit steps. */
static bool
add_native_stages(DaeSystem *system, GError **error)
{
  enum { STAGE = 1, MASS = 2, DIRECT = 4, REST = 8, REST_SLOPE = 16 };

  const uint32_t masses = system->evaluator.mass_is_constant ? 0u : MASS;
  const uint32_t rest = system->evaluator.solved->n_rest > 0 ? REST : 0u;
  const uint32_t sets[] = {STAGE | masses, STAGE | masses | DIRECT | rest, REST | REST_SLOPE};
  system->stages->native = dae_native_new(system->stages, sets, rest != 0 ? 3 : 2, 0, error);
  return system->stages->native != NULL;
}

/* What solvers ask for in their inner loops, and no more, because compiling takes its time. */
static bool
add_native_code(DaeSystem *system, bool fixed_step, GError **error)
{
  const uint32_t stage_values[] = {VALUE_F | VALUE_G |
                                   (system->evaluator.mass_is_constant ? 0u : VALUE_M)};
  static const uint32_t stage_jacobians[] = {JACOBIAN_K | JACOBIAN_GX | JACOBIAN_GT |
                                             JACOBIAN_M};
  static const uint32_t step_values[] = {VALUE_F, VALUE_G, VALUE_F | VALUE_G, VALUE_F | VALUE_M,
                                         VALUE_F | VALUE_G | VALUE_M};
  static const uint32_t step_jacobians[] = {JACOBIAN_GX, JACOBIAN_GX | JACOBIAN_GT,
                                            JACOBIAN_K | JACOBIAN_GX | JACOBIAN_M};
  system->values->native =
      fixed_step
          ? dae_native_new(system->values, step_values, G_N_ELEMENTS(step_values), 0, error)
          : dae_native_new(system->values, stage_values, 1, 1, error);
  if (system->values->native == NULL) {
    return false;
  }
  system->jacobians->native =
      fixed_step ? dae_native_new(system->jacobians, step_jacobians,
                                  G_N_ELEMENTS(step_jacobians), 0, error)
                 : dae_native_new(system->jacobians, stage_jacobians, 1, 0, error);
  return system->jacobians->native != NULL &&
         (system->stages == NULL || add_native_stages(system, error));
}

DaeSystem *
dae_system_new(DaeTerms *terms, const DaeSystemParts *parts, const DaeSystemOptions *options,
               GError **error)
{
  DaeSystemTerms st;
  if (!dae_system_terms_init(&st, terms, parts, error)) {
    return NULL;
  }
  g_autoptr(DaeSystem) system = g_new0(DaeSystem, 1);
  const bool is_single = options != NULL && options->single;
  const bool ok = build_tapes(system, terms, parts, &st, is_single, error) &&
                  (options == NULL || !options->solved ||
                   build_stages(system, terms, parts, is_single, error));
  if (ok) {
    set_evaluator(system, terms, parts, &st);
  }
  dae_system_terms_clear(&st);
  if (!ok || (options != NULL && options->native &&
              !add_native_code(system, options->fixed_step, error))) {
    return NULL;
  }
  return g_steal_pointer(&system);
}

void
dae_system_free(DaeSystem *system)
{
  if (system != NULL) {
    dae_tape_free(system->values);
    dae_tape_free(system->jacobians);
    dae_tape_free(system->switches);
    dae_tape_free(system->stages);
    dae_solved_free(system->solved);
    g_free(system->index);
    g_free(system->hidden);
    g_free(system->depends);
    g_free(system->segment);
    g_free(system);
  }
}

const DaeEvaluator *
dae_system_evaluator(const DaeSystem *system)
{
  return &system->evaluator;
}

void
dae_system_set_segment(DaeSystem *system, const double *segment)
{
  memcpy(system->segment, segment, system->evaluator.n_segment * sizeof *segment);
}
