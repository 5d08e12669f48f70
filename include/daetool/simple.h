/* daetool for other languages: plain C types, opaque handles, options as text,
 * results as contiguous arrays.
 *
 *     DaetoolModel *model = daetool_read_file("pendulum.mo", "set=L=2");
 *     DaetoolRun *run = daetool_simulate(model, "stop=10;tol=1e-8");
 *     size_t n;
 *     const double *t = daetool_run_time(run, &n);
 *     const double *x = daetool_run_values(run, "x", &n);
 *     if (daetool_error(model) != NULL) puts(daetool_error(model));
 *     daetool_run_free(run);
 *     daetool_free(model);
 *
 * Options are NAME=VALUE pairs separated by semicolons or line ends, with the names of
 * the command line (without the dashes); NULL or "" means none. An option that a
 * function does not know is an error.
 *
 * A call that fails says so: a handle or pointer is NULL (except for the two readers, which
 * always return a handle), an int is not 0. Then daetool_error tells why, until the next call
 * on the same model that can fail. Codes are the exit codes of the program: 1 a negative
 * verdict, 2 options, 3 the model, 4 undecided, 5 numerical failure, 6 a file.
 *
 * Texts and arrays belong to the handle they were asked from and stay valid until it is
 * freed, is given a new value by daetool_set, or the same function is called again. A handle
 * belongs to one thread at a time. */
#ifndef DAETOOL_SIMPLE_H
#define DAETOOL_SIMPLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct DaetoolModel DaetoolModel;
typedef struct DaetoolRun DaetoolRun;

const char *daetool_version(void);

/* ---- models --------------------------------------------------------------------------------- */

/* Options: model=NAME, set=NAME=VALUE (repeatable), input=NAME=EXPR (repeatable). Never
 * NULL: look at daetool_error. */
DaetoolModel *daetool_read_file(const char *path, const char *options);
DaetoolModel *daetool_read_text(const char *text, const char *options);
void daetool_free(DaetoolModel *model); /* NULL is fine */

const char *daetool_error(const DaetoolModel *model); /* of the last call; NULL: it succeeded */
int daetool_error_code(const DaetoolModel *model);    /* 0: it succeeded */
/* Warnings and errors with places since the model was read, one per line; "" if there are none. */
const char *daetool_messages(const DaetoolModel *model);

size_t daetool_n_variables(const DaetoolModel *model); /* 0 when the model could not be read */
const char *daetool_variable_name(const DaetoolModel *model, size_t j); /* NULL: no such j */
const char *daetool_variable_unit(const DaetoolModel *model, size_t j); /* NULL: none */
ptrdiff_t daetool_find_variable(const DaetoolModel *model, const char *name); /* -1: none */

size_t daetool_n_parameters(const DaetoolModel *model);
const char *daetool_parameter_name(const DaetoolModel *model, size_t k); /* NULL: no such k */
/* As a number; NAN for a parameter without one (a text, fixed = false, no value). */
double daetool_parameter_value(const DaetoolModel *model, size_t k);
/* Gives a parameter a value for everything that follows. 0, or a code. */
int daetool_set(DaetoolModel *model, const char *name, double value);

/* ---- what the stages say -------------------------------------------------------------------- */

/* The JSON that the commands print; *length (may be NULL) without the final NUL.
 * Options: analyze no-repair=1, reduce eliminate=…; at the first call. A negative
 * verdict is a result, not an error. */
const char *daetool_analyze_json(DaetoolModel *model, const char *options, size_t *length);
const char *daetool_reduce_json(DaetoolModel *model, const char *options, size_t *length);
const char *daetool_check_init_json(DaetoolModel *model, size_t *length);
int daetool_structural_index(DaetoolModel *model);       /* -1: failed, or singular */
int64_t daetool_degrees_of_freedom(DaetoolModel *model); /* the same */
/* How often equation i is differentiated, and up to which order variable j is determined. */
const int32_t *daetool_equation_offsets(DaetoolModel *model, size_t *n);
const int32_t *daetool_variable_offsets(DaetoolModel *model, size_t *n);

/* ---- numbers -------------------------------------------------------------------------------- */

/* A consistent start: one value per signal, in the order of daetool_signal_name. */
const double *daetool_start_values(DaetoolModel *model, size_t *n);
const char *daetool_signal_name(DaetoolModel *model, size_t j); /* NULL: no such j */

/* Options: start, stop, tol, rtol, atol, interval, intervals, method, order, step, newton,
 * projections, max-steps, native. A run that ends early is returned with what it has;
 * daetool_error tells why. NULL: it did not begin. */
DaetoolRun *daetool_simulate(DaetoolModel *model, const char *options);
void daetool_run_free(DaetoolRun *run); /* NULL is fine */
const double *daetool_run_time(const DaetoolRun *run, size_t *n);
/* All values of one signal; NULL: there is none of that name. */
const double *daetool_run_values(const DaetoolRun *run, const char *name, size_t *n);
/* "steps", "rejected", "newton-iterations", "jacobians", "residual", "t"; NAN for other names. */
double daetool_run_statistic(const DaetoolRun *run, const char *name);

/* The model as C99 text. Options: method, step, stop, prefix; without
 * a method the functions only. */
const char *daetool_export_c(DaetoolModel *model, const char *options, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
