/* The order of the stages, in one place: text -> model -> structure -> quasi-linear form
 * -> init check -> integrator.
 *
 * A DaePipeline owns the terms and each stage's result; asking for a stage runs the stages
 * before it once. Results are const and live as long as the pipeline. Single-threaded. NULL
 * results come with *error set (domain DAE_ERROR); verdicts such as "structurally singular" are
 * fields of the results, and a later stage that cannot go on from a negative verdict fails with
 * DAE_ERROR_NEGATIVE and the earlier stage's message. */
#ifndef DAE_PIPELINE_PIPELINE_H
#define DAE_PIPELINE_PIPELINE_H

#include "hybrid/hybrid.h"
#include "initcheck/initcheck.h"
#include "qlt/qlt.h"
#include "reader/reader.h"
#include "simplify/simplify.h"
#include "solver/solver.h"
#include "structural/structural.h"

G_BEGIN_DECLS

/* Handlers of all libraries, once per process: nothing aborts, internal
 * errors leave with exit code 70. */
void dae_init(void);
const char *dae_version(void);

typedef struct DaePipeline DaePipeline;

typedef enum {
  DAE_STAGE_READ,
  DAE_STAGE_ANALYZE,
  DAE_STAGE_REDUCE,
  DAE_STAGE_CHECK_INIT,
  DAE_STAGE_START,
  DAE_STAGE_INTEGRATE,
  DAE_STAGE_COUNT
} DaeStage;

/* reporter may be NULL; it is copied, its user data must outlive the pipeline. */
DaePipeline *dae_pipeline_new(const DaeReporter *reporter);
void dae_pipeline_free(DaePipeline *pipeline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaePipeline, dae_pipeline_free)

/* A limit on the search of the following stages (init check, zero tests); NULL: none. Borrowed. */
void dae_pipeline_set_budget(DaePipeline *pipeline, DaeBudget *budget);

/* path "-" reads standard input. Call one of these once, first. */
/* The text of a file, of standard input for "-". (transfer full) NULL: error is set. */
GString *dae_read_whole_file(const char *path, GError **error);
bool dae_pipeline_read_file(DaePipeline *pipeline, const char *path,
                            const DaeReadOptions *options, GError **error);
bool dae_pipeline_read_text(DaePipeline *pipeline, const char *name, const char *text,
                            size_t length, const DaeReadOptions *options, GError **error);

/* Top-level inputs from a table. Its names go into DaeReadOptions.symbols; errors are FILE
 * (it cannot be read) or MODEL. */
typedef struct DaeInputTable DaeInputTable;
DaeInputTable *dae_input_table_read(const char *path, GError **error);
void dae_input_table_free(DaeInputTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeInputTable, dae_input_table_free)
const char *const *dae_input_table_names(const DaeInputTable *table); /* NULL-terminated */
/* The values of the inputs that are symbols, for the problem; borrowed. */
void dae_pipeline_set_input_table(DaePipeline *pipeline, const DaeInputTable *table);
/* How often input i (model.h) is differentiated in the reduced system; 0 before the reduction,
 * and for inputs that are no symbols. */
uint32_t dae_pipeline_input_order(DaePipeline *pipeline, uint32_t i);
/* The same for every input, whatever value it has: the model is read again with inputs that
 * may be any function of time, unless they are symbols here. By the structure (stage ANALYZE:
 * at most that often) or as the reduction finds it (REDUCE); after a model was read.
 * (transfer full) */
DaeInputNeeds *dae_pipeline_input_needs(DaePipeline *pipeline, DaeStage stage);
void dae_input_needs_free(DaeInputNeeds *needs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeInputNeeds, dae_input_needs_free)

/* The text that dae_pipeline_read_file read; NULL before. */
const char *dae_pipeline_source(const DaePipeline *pipeline, size_t *length);

DaeTerms *dae_pipeline_terms(DaePipeline *pipeline);
DaeAlgebra *dae_pipeline_algebra(DaePipeline *pipeline);
const DaeModel *dae_pipeline_model(const DaePipeline *pipeline); /* as read */
const DaeReporter *dae_pipeline_reporter(const DaePipeline *pipeline);
/* By name, in the model as read; O(1). false: there is none, or nothing has been read. */
bool dae_pipeline_find_variable(const DaePipeline *pipeline, const char *name, uint32_t *j);
bool dae_pipeline_find_parameter(const DaePipeline *pipeline, const char *name, uint32_t *k);
/* The model in normal form: what is continuous, what changes at events. Analysis and reduction
 * are of its continuous part, the check of the initialization is of its initial model. */
const DaeHybrid *dae_pipeline_hybrid(DaePipeline *pipeline, GError **error);

/* The following stages work on a smaller model (simplify.h); their results then speak of
 * its equations and variables. Call before the first stage. A negative verdict there is not
 * the last word: the stages begin again with the model as written, whose words are the
 * user's. options may be NULL. */
void dae_pipeline_set_simplify(DaePipeline *pipeline, const DaeSimplifyOptions *options);
/* NULL: the stages work on the model as written. */
const DaeSimplified *dae_pipeline_simplified(const DaePipeline *pipeline);

/* Quotients that have no value at the start, sin(time)/time at 0, are their limits there
 * (initial/limit.h) in the stages that follow; NAN: the start time of the experiment. for_numbers:
 * for a simulation. Counts before the first stage only; the check of the initialization and the
 * problem for the integrator ask for it themselves. */
void dae_pipeline_take_limits(DaePipeline *pipeline, double t_start, bool for_numbers);

/* Options may be NULL (defaults); they count at the first call of a stage only. Before a model
 * has been read: an error (USAGE). */
const DaeSig *dae_pipeline_analyze(DaePipeline *pipeline, const DaeSigOptions *options,
                                   GError **error);
/* Is the certificate of a positive status right? Checked with code of its own. false: *why
 * (transfer full) says what is wrong or not checked. */
bool dae_pipeline_verify_structure(DaePipeline *pipeline, const DaeSig *sig, char **why);
/* The same of a positive verdict about the initialization: one solution begins near the values
 * that were found. True of the other verdicts. */
bool dae_pipeline_verify_start(DaePipeline *pipeline, const DaeInit *init, char **why);
/* The same of a reduction: the certificate of the structure; and at a consistent point of the
 * reduced form the ranks of h_x and [E; h_x] are n - dof and n. */
bool dae_pipeline_verify_reduction(DaePipeline *pipeline, const DaeQlt *qlt, char **why);
/* Were more equations than variables analyzed? Then there is no certificate of a structure, and
 * only a point of the reduced form tells that there are solutions. */
bool dae_pipeline_has_surplus(const DaePipeline *pipeline);
/* (transfer full) More equations than variables may hide constraints that the check of the start
 * does not look for; they are known where the reduction is confirmed. Else why they are not; NULL:
 * they are, or there are no more equations than variables. */
char *dae_pipeline_doubt_surplus(DaePipeline *pipeline);
const DaeQlt *dae_pipeline_reduce(DaePipeline *pipeline, const DaeQltOptions *options,
                                  GError **error);
const DaeInit *dae_pipeline_check_init(DaePipeline *pipeline, const DaeInitOptions *options,
                                       GError **error);
/* *error says that the structure is open. Where the equations contradict each other at the
 * start, that is the better answer, and takes its place. */
void dae_pipeline_explain_open(DaePipeline *pipeline, double t_start, GError **error);
/* The model whose equations analysis and reduction speak of, before a repair. */
const DaeModel *dae_pipeline_analyzed_model(DaePipeline *pipeline);
/* The model whose equations the check speaks of; after dae_pipeline_check_init. */
const DaeModel *dae_pipeline_checked_model(const DaePipeline *pipeline);
/* The time of the start that was checked. */
double dae_pipeline_checked_start(const DaePipeline *pipeline);
/* Its structure; NULL: it was not needed. */
const DaeSig *dae_pipeline_checked_sig(const DaePipeline *pipeline);

double dae_pipeline_seconds(const DaePipeline *pipeline, DaeStage stage); /* CPU time so far */
DaeStage dae_pipeline_stage(
    const DaePipeline
        *pipeline); /* the one under way, or the last one; readable from another thread */

/* ---- numbers ------------------------------------------------------------------------------- */

/* The reduced system with values for its parameters, and a consistent start. */
typedef struct DaeProblem DaeProblem;

typedef struct {
  bool native;     /* compile the tape with the system's C compiler ... */
  bool fixed_step; /* ... for a method with a fixed step */
  double t_start;  /* NAN: from the experiment annotation, else 0 */
  bool literal;    /* relations are taken literally: no events (exported C) */
  /* no other values will be set: parameters are put in as numbers, which fold */
  bool one_run;
  /* to be written as C with an integrator: parameters stay values that can be set, also where there
   * are events */
  bool is_exported;
  /* with what explicit methods need (DaeExplicitUse); not in a model with events */
  bool solved, solved_if_smooth;
} DaeProblemOptions;

/* Needs a positive init check (redundant equations are left out, an under-determined start is
 * completed from start values with a warning that lists what was chosen). (transfer full) */
DaeProblem *dae_pipeline_problem(DaePipeline *pipeline, const DaeProblemOptions *options,
                                 GError **error);
void dae_problem_free(DaeProblem *problem);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeProblem, dae_problem_free)
/* Another value for a parameter (or for the start of a variable, or a constant value for an
 * input that has no expression), as --set gives it when a model is read; the double counts as
 * the exact number it is. It is used from the next dae_problem_restart or dae_problem_simulate
 * on. *error (USAGE): there is no such name, or it cannot be set. */
bool dae_problem_set(DaeProblem *problem, const char *name, double value, GError **error);
/* The consistent start with the values set. What the preparation leant on is tested first:
 * sizes, branches and other values that were used when the model was read, and the conditions
 * under which the reduction is regular; where one does not hold, or where the initialization
 * needs a proof, the model is prepared anew with these values. Results are those of a problem
 * made with them. Everything asked from the problem before is invalid. On failure the problem
 * can only be set again or freed. */
bool dae_problem_restart(DaeProblem *problem, GError **error);
/* How often a model was prepared for this problem: 1 at first. */
uint64_t dae_problem_preparations(const DaeProblem *problem);
uint32_t dae_problem_n(const DaeProblem *problem);
const char *dae_problem_name(const DaeProblem *problem, uint32_t j);        /* of unknown j */
const char *dae_problem_unit(const DaeProblem *problem, uint32_t j);        /* NULL if none */
const char *dae_problem_description(const DaeProblem *problem, uint32_t j); /* NULL if none */
bool dae_problem_is_introduced(const DaeProblem *problem, uint32_t j);      /* $... */
/* What results show: all variables of the model as read, in its order, then the
 * introduced ones. Result k is sign * unknown (true) or computed from several (false).
 * The values live until the next call. */
uint32_t dae_problem_n_results(const DaeProblem *problem);
const char *dae_problem_result_name(const DaeProblem *problem, uint32_t k);
/* NULL if none */
const char *dae_problem_result_unit(const DaeProblem *problem, uint32_t k);
/* likewise */
const char *dae_problem_result_description(const DaeProblem *problem, uint32_t k);
DaeType dae_problem_result_type(const DaeProblem *problem, uint32_t k);
bool dae_problem_result_is_introduced(const DaeProblem *problem, uint32_t k);
bool dae_problem_result_unknown(const DaeProblem *problem, uint32_t k, uint32_t *unknown,
                                int *sign);
/* What the result is, up to its sign: results with one key are one curve. False: a number, which
 * says nothing of others that have the same. */
bool dae_problem_result_curve(const DaeProblem *problem, uint32_t k, uint64_t *key, int *sign);
/* Are two results the same unknown or the same term, so one curve with two names? */
bool dae_problem_results_are_one(const DaeProblem *problem, uint32_t k, uint32_t l);
const double *dae_problem_results(DaeProblem *problem, double t, const double *x);
/* The unknown of that name; false: there is none. */
bool dae_problem_find(const DaeProblem *problem, const char *name, uint32_t *j);
const double *dae_problem_start(const DaeProblem *problem); /* n consistent start values */
const double *dae_problem_start_slopes(const DaeProblem *problem); /* n: x' there */
double
dae_problem_start_residual(const DaeProblem *problem); /* largest scaled constraint residual */
double dae_problem_t_start(const DaeProblem *problem);
const double *dae_problem_nominal(const DaeProblem *problem); /* n */
const DaeEvaluator *dae_problem_evaluator(const DaeProblem *problem);
/* The segment values that hold now, for its set_segment; NULL: it has none. */
const double *dae_problem_segment(const DaeProblem *problem);
/* What the evaluator was made from: all parameters are numbers. Rows as in the reduced system. */
const struct DaeSystemParts *dae_problem_parts(const DaeProblem *problem);
DaeTerms *dae_problem_terms(const DaeProblem *problem);
/* Text and source line of a row of the evaluator (n_diff rows, then constraints),
 * for messages. (transfer full) */
char *dae_problem_describe_row(const DaeProblem *problem, uint32_t row);

/* The problem as C99 text (eval/cgen.h). options: the fixed-step method to write with it; NULL:
 * the functions only, with the interface for other solvers. prefix of all names: NULL takes the
 * model's name. *header and *source are (transfer full). */
bool dae_problem_export(DaeProblem *problem, const DaeSolverOptions *options,
                        const char *prefix, char **header, char **source, GError **error);

/* ---- events ---- */

typedef struct {
  uint64_t time, state; /* events of these kinds */
  uint64_t iterations;  /* of all event instants */
  uint64_t restarts, restarts_avoided;
  uint64_t modes; /* different sets of discrete values in the continuous equations */
  /* fixed-step methods: most operations in one step, with its events and what follows them */
  uint64_t most_operations;
} DaeEventStats;

typedef struct {
  double t;
  const char *kind;    /* "initial", "time", "state", "terminal" */
  const char *cause;   /* relation and line */
  const char *changes; /* "n = 3; closed = true" */
} DaeEventRecord;

typedef void (*DaeEventListener)(void *user, const DaeEventRecord *record);

/* Does the model have anything that makes events? Then its run has statistics of them. */
bool dae_problem_has_events(const DaeProblem *problem);
/* Told of each event while the problem is integrated. */
void dae_problem_set_event_listener(DaeProblem *problem, DaeEventListener listener, void *user);
const DaeEventStats *dae_problem_event_stats(const DaeProblem *problem);

/* Integrates. output gets the unknowns of the problem. Failure: *error (NUMERIC) says time,
 * cause, variables, equations. */
bool dae_problem_simulate(DaeProblem *problem, const DaeSolverOptions *options,
                          DaeOutputPoint output, void *user, DaeSolverStats *stats,
                          GError **error);

G_END_DECLS

#endif
