/* SUNDIALS IDA with its root finding on the models of this folder, written by hand as F(t, y,
 * y') = 0 with exact Jacobians:
 *
 *     peer_ida CASE TOLERANCE  ->  "CASE TOLERANCE CPU_SECONDS EVENTS ERROR STEPS Y0"
 *
 * ERROR is the largest error of an event time (relay, ball: they are known in closed form), of
 * a value at the end (controllers, counters), or -1 (converter). After an event y' is computed
 * from the equations and the integrator begins anew, as its manual says. */
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>

#include "exact.h"

enum { N_PLANTS = 1000 };

static double
cpu_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the models -------------------------------------------------------------------------- */

typedef struct {
  int on;         /* relay, converter */
  double n;       /* converter: number of the period */
  double *sample; /* controllers: what was sampled; counters: sums */
} Mode;

typedef struct {
  const char *name;
  int n, n_roots, is_diagonal, is_falling;
  double stop, interval; /* of sampling; 0: none */
  void (*slopes)(const Mode *mode, double t, const double *y, double *f);
  void (*jacobian)(const Mode *mode, double (*j)[3]); /* of the slopes, small models */
  void (*roots)(const Mode *mode, double t, const double *y, double *g);
  void (*event)(Mode *mode, double t, double *y, const int *found);
} Model;

static void
relay_slopes(const Mode *mode, double t, const double *y, double *f)
{
  (void)t;
  f[0] = -y[0] + (mode->on ? 2.0 : 0.0);
}

static void
relay_jacobian(const Mode *mode, double (*j)[3])
{
  (void)mode;
  j[0][0] = -1.0;
}

static void
relay_roots(const Mode *mode, double t, const double *y, double *g)
{
  (void)t;
  g[0] = mode->on ? y[0] - 1.1 : y[0] - 0.9;
}

static void
relay_event(Mode *mode, double t, double *y, const int *found)
{
  (void)t;
  (void)y;
  (void)found;
  mode->on = !mode->on;
}

static void
ball_slopes(const Mode *mode, double t, const double *y, double *f)
{
  (void)mode;
  (void)t;
  f[0] = y[1];
  f[1] = -9.81;
}

static void
ball_jacobian(const Mode *mode, double (*j)[3])
{
  (void)mode;
  j[0][1] = 1.0;
}

static void
ball_roots(const Mode *mode, double t, const double *y, double *g)
{
  (void)mode;
  (void)t;
  g[0] = y[0];
}

static void
ball_event(Mode *mode, double t, double *y, const int *found)
{
  (void)mode;
  (void)t;
  (void)found;
  y[1] = fabs(y[1]);
}

static const double coil = 1e-3, capacity = 1e-4, load = 10.0, source = 24.0, period = 5e-5;

static void
converter_slopes(const Mode *mode, double t, const double *y, double *f)
{
  (void)t;
  f[0] = ((mode->on ? source : 0.0) - y[1]) / coil;
  f[1] = (y[0] - y[1] / load) / capacity;
  f[2] = 12.0 - y[1];
}

static void
converter_jacobian(const Mode *mode, double (*j)[3])
{
  (void)mode;
  j[0][1] = -1.0 / coil;
  j[1][0] = 1.0 / capacity;
  j[1][1] = -1.0 / (load * capacity);
  j[2][1] = -1.0;
}

static void
converter_roots(const Mode *mode, double t, const double *y, double *g)
{
  g[0] = t / period - mode->n - (0.4 + 0.02 * (12.0 - y[1]) + 2.0 * y[2]);
}

/* found == NULL: a period ends, which is known in advance. */
static void
converter_event(Mode *mode, double t, double *y, const int *found)
{
  if (found == NULL) {
    mode->n = rint(t / period);
  }
  mode->on = t / period - mode->n < 0.4 + 0.02 * (12.0 - y[1]) + 2.0 * y[2] && found == NULL;
}

static void
controllers_slopes(const Mode *mode, double t, const double *y, double *f)
{
  (void)t;
  for (int k = 0; k < N_PLANTS; k++) {
    f[k] = mode->sample[k] - (1.0 + (k + 1.0) / N_PLANTS) * y[k];
  }
}

static void
controllers_event(Mode *mode, double t, double *y, const int *found)
{
  (void)t;
  (void)found;
  for (int k = 0; k < N_PLANTS; k++) {
    mode->sample[k] = 5.0 * (1.0 - y[k]);
  }
}

static void
counters_slopes(const Mode *mode, double t, const double *y, double *f)
{
  (void)mode;
  (void)t;
  f[0] = y[1];
  f[1] = -y[0];
}

static void
counters_jacobian(const Mode *mode, double (*j)[3])
{
  (void)mode;
  j[0][1] = 1.0;
  j[1][0] = -1.0;
}

static void
counters_event(Mode *mode, double t, double *y, const int *found)
{
  (void)t;
  (void)found;
  for (int k = 0; k < N_PLANTS; k++) {
    mode->sample[k] += (k + 1.0) * y[0];
  }
}

static const Model models[] = {
    {"relay", 1, 1, 0, 0, DAE_RELAY_STOP, 0.0, relay_slopes, relay_jacobian, relay_roots,
     relay_event},
    {"ball", 2, 1, 0, 1, DAE_BALL_STOP, 0.0, ball_slopes, ball_jacobian, ball_roots,
     ball_event},
    {"converter", 3, 1, 0, 0, 1.0, 5e-5, converter_slopes, converter_jacobian, converter_roots,
     converter_event},
    {"controllers", N_PLANTS, 0, 1, 0, 1.0, 0.01, controllers_slopes, NULL, NULL,
     controllers_event},
    {"counters", 2, 0, 0, 0, 10.0, 0.01, counters_slopes, counters_jacobian, NULL,
     counters_event},
};

/* ---- one run ----------------------------------------------------------------------------- */

typedef struct {
  const Model *model;
  Mode mode;
  double *f;
} Run;

static int
residual(realtype t, N_Vector y, N_Vector ydot, N_Vector r, void *user)
{
  Run *run = user;
  run->model->slopes(&run->mode, t, N_VGetArrayPointer(y), run->f);
  for (int j = 0; j < run->model->n; j++) {
    N_VGetArrayPointer(r)[j] = N_VGetArrayPointer(ydot)[j] - run->f[j];
  }
  return 0;
}

static int
jacobian(realtype t, realtype c, N_Vector y, N_Vector ydot, N_Vector r, SUNMatrix matrix,
         void *user, N_Vector a, N_Vector b, N_Vector d)
{
  const Run *run = user;
  double small[3][3] = {{0.0}};
  (void)t, (void)y, (void)ydot, (void)r, (void)a, (void)b, (void)d;
  if (run->model->is_diagonal) {
    for (int k = 0; k < run->model->n; k++) {
      SM_ELEMENT_B(matrix, k, k) = c + 1.0 + (k + 1.0) / N_PLANTS;
    }
    return 0;
  }
  run->model->jacobian(&run->mode, small);
  for (int i = 0; i < run->model->n; i++) {
    for (int j = 0; j < run->model->n; j++) {
      SM_ELEMENT_D(matrix, i, j) = (i == j ? c : 0.0) - small[i][j];
    }
  }
  return 0;
}

static int
roots(realtype t, N_Vector y, N_Vector ydot, realtype *g, void *user)
{
  const Run *run = user;
  (void)ydot;
  run->model->roots(&run->mode, t, N_VGetArrayPointer(y), g);
  return 0;
}

static const Model *
find_model(const char *name)
{
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    if (strcmp(models[i].name, name) == 0) {
      return &models[i];
    }
  }
  return NULL;
}

int
main(int argc, char **argv)
{
  const Model *model = argc > 2 ? find_model(argv[1]) : NULL;
  if (model == NULL) {
    fprintf(stderr, "usage: peer_ida relay|ball|converter|controllers|counters TOLERANCE\n");
    return 2;
  }
  const double tolerance = atof(argv[2]);
  Run run = {.model = model, .mode = {.on = 1}, .f = calloc((size_t)model->n, sizeof(double))};
  run.mode.sample = calloc(N_PLANTS, sizeof(double));
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(model->n, context), ydot = N_VNew_Serial(model->n, context);
  SUNMatrix matrix = model->is_diagonal ? SUNBandMatrix(model->n, 0, 0, context)
                                        : SUNDenseMatrix(model->n, model->n, context);
  SUNLinearSolver solver = model->is_diagonal ? SUNLinSol_Band(y, matrix, context)
                                              : SUNLinSol_Dense(y, matrix, context);
  double *values = N_VGetArrayPointer(y);
  memset(values, 0, sizeof(double) * (size_t)model->n);
  values[0] = strcmp(model->name, "ball") == 0 || strcmp(model->name, "counters") == 0;
  const double begun = cpu_seconds();
  if (model->interval > 0.0) {
    model->event(&run.mode, 0.0, values, NULL);
  }
  model->slopes(&run.mode, 0.0, values, N_VGetArrayPointer(ydot));
  void *ida = IDACreate(context);
  IDAInit(ida, residual, 0.0, y, ydot);
  IDASetUserData(ida, &run);
  IDASStolerances(ida, tolerance, tolerance);
  IDASetLinearSolver(ida, solver, matrix);
  IDASetJacFn(ida, jacobian);
  IDASetMaxNumSteps(ida, 1000000000);
  if (model->n_roots > 0) {
    int down = -1;
    IDARootInit(ida, model->n_roots, roots);
    if (model->is_falling) {
      IDASetRootDirection(ida, &down); /* the way up after an impact is none */
    }
  }
  long events = 0, ticks = 1, steps = 0, all = 0;
  double worst = 0.0;
  for (double t = 0.0; t < model->stop;) {
    double next = model->interval > 0.0 ? (double)ticks * model->interval : model->stop;
    next = next < model->stop * (1.0 - 1e-12) ? next : model->stop;
    IDASetStopTime(ida, next);
    const int code = IDASolve(ida, next, &t, y, ydot, IDA_NORMAL);
    int found[1] = {0};
    if (code < 0) {
      fprintf(stderr, "peer_ida: IDASolve gave %d at t = %.10g\n", code, t);
      return 1;
    }
    const int is_root = code == IDA_ROOT_RETURN;
    if (!is_root && model->interval == 0.0) {
      break;
    }
    if (is_root) {
      IDAGetRootInfo(ida, found);
    }
    worst = fmax(worst, dae_exact_time_error(model->name, events, t));
    events++;
    ticks += is_root ? 0 : 1;
    model->event(&run.mode, t, values, is_root ? found : NULL);
    if (strcmp(model->name, "counters") != 0) { /* nothing continuous changes there */
      model->slopes(&run.mode, t, values, N_VGetArrayPointer(ydot));
      IDAGetNumSteps(ida, &steps);
      all += steps;
      IDAReInit(ida, t, y, ydot);
    }
  }
  const double seconds = cpu_seconds() - begun;
  IDAGetNumSteps(ida, &steps);
  if (model->interval > 0.0) {
    worst = dae_exact_end_error(model->name, values);
  }
  printf("%s %g %.6f %ld %.3e %ld %.17g\n", model->name, tolerance, seconds, events, worst,
         all + steps, values[0]);
  return 0;
}
