/* SUNDIALS IDA with KLU on the fields of models.py, written by hand with exact sparse Jacobians:
 *     peer_fields KIND N TOLERANCE FILE
 * prints "CPU_SECONDS STEPS" of the whole run to t = 1 and writes all unknowns at the end to
 * FILE, one a line, in the order of the model. */
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <time.h>

typedef struct {
  char kind; /* r, g, b */
  long n, m; /* unknowns; cells along a side, or substances' cells */
  double d;
} Field;

static double
cpu_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- right-hand sides -------------------------------------------------------------------- */

static void
rod(const Field *f, const double *x, double *y)
{
  long n = f->n;
  for (long i = 0; i < n - 1; i++) {
    y[i] = f->d * ((i > 0 ? x[i - 1] : 1.0) - 2.0 * x[i] + x[i + 1]);
  }
  y[n - 1] = f->d * (x[n - 2] - x[n - 1]);
}

static void
grid(const Field *f, const double *x, double *y)
{
  long m = f->m;
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < m; j++) {
      double c = x[i * m + j], sum = i > 0 ? x[(i - 1) * m + j] : 1.0;
      sum += i + 1 < m ? x[(i + 1) * m + j] : 0.0;
      sum += j > 0 ? x[i * m + j - 1] : 0.0;
      sum += j + 1 < m ? x[i * m + j + 1] : 0.0;
      y[i * m + j] = f->d * (sum - 4.0 * c) - c * c * c * c;
    }
  }
}

static void
brusselator(const Field *f, const double *x, double *y)
{
  long m = f->m;
  const double *u = x, *v = x + m;
  for (long i = 0; i < m; i++) {
    double left = i > 0 ? u[i - 1] : 1.0, right = i + 1 < m ? u[i + 1] : 1.0;
    double below = i > 0 ? v[i - 1] : 3.0, above = i + 1 < m ? v[i + 1] : 3.0;
    y[i] = 1.0 + u[i] * u[i] * v[i] - 4.0 * u[i] + f->d * (left - 2.0 * u[i] + right);
    y[m + i] = 3.0 * u[i] - u[i] * u[i] * v[i] + f->d * (below - 2.0 * v[i] + above);
  }
}

static int
residual(realtype t, N_Vector x, N_Vector slope, N_Vector r, void *user)
{
  const Field *f = user;
  const double *dx = N_VGetArrayPointer(slope);
  double *out = N_VGetArrayPointer(r);
  (void)t;
  (f->kind == 'r' ? rod : f->kind == 'g' ? grid : brusselator)(f, N_VGetArrayPointer(x), out);
  for (long i = 0; i < f->n; i++) {
    out[i] -= dx[i];
  }
  return 0;
}

/* ---- Jacobians, by rows ------------------------------------------------------------------ */

typedef struct {
  sunindextype *start, *column;
  double *value;
  sunindextype n;
} Rows;

static void
put(Rows *rows, long column, double value)
{
  rows->column[rows->n] = column;
  rows->value[rows->n++] = value;
}

static void
fill_row(const Field *f, const double *x, double c, long k, Rows *rows)
{
  long n = f->n, m = f->m;
  double d = f->d;
  if (f->kind == 'r') {
    if (k > 0) {
      put(rows, k - 1, d);
    }
    put(rows, k, (k + 1 < n ? -2.0 * d : -d) - c);
    if (k + 1 < n) {
      put(rows, k + 1, d);
    }
  } else if (f->kind == 'g') {
    if (k >= m) {
      put(rows, k - m, d);
    }
    if (k % m > 0) {
      put(rows, k - 1, d);
    }
    put(rows, k, -4.0 * d - 4.0 * x[k] * x[k] * x[k] - c);
    if (k % m + 1 < m) {
      put(rows, k + 1, d);
    }
    if (k + m < n) {
      put(rows, k + m, d);
    }
  } else {
    long i = k % m;
    double u = x[i], v = x[m + i];
    double uu = 2.0 * u * v - 4.0, uv = u * u, vu = 3.0 - 2.0 * u * v, vv = -u * u;
    if (k >= m) {
      put(rows, i, vu);
    }
    if (i > 0) {
      put(rows, k - 1, d);
    }
    put(rows, k, (k < m ? uu : vv) - 2.0 * d - c);
    if (i + 1 < m) {
      put(rows, k + 1, d);
    }
    if (k < m) {
      put(rows, m + i, uv);
    }
  }
}

static int
jacobian(realtype t, realtype c, N_Vector x, N_Vector slope, N_Vector r, SUNMatrix j,
         void *user, N_Vector a, N_Vector b, N_Vector e)
{
  const Field *f = user;
  Rows rows = {SUNSparseMatrix_IndexPointers(j), SUNSparseMatrix_IndexValues(j),
               SUNSparseMatrix_Data(j), 0};
  (void)t, (void)slope, (void)r, (void)a, (void)b, (void)e;
  for (long k = 0; k < f->n; k++) {
    rows.start[k] = rows.n;
    fill_row(f, N_VGetArrayPointer(x), c, k, &rows);
  }
  rows.start[f->n] = rows.n;
  return 0;
}

/* ---- one run ----------------------------------------------------------------------------- */

int
main(int argc, char **argv)
{
  if (argc < 5) {
    return 2;
  }
  Field f = {argv[1][0], atol(argv[2]), 0, 100.0};
  double tolerance = atof(argv[3]), begun = cpu_seconds();
  if (f.kind == 'g') {
    f.m = lround(sqrt((double)f.n));
    f.n = f.m * f.m;
  } else if (f.kind == 'b') {
    f.m = f.n / 2;
    f.d = 0.02 * (double)((f.m + 1) * (f.m + 1)) / 100.0;
  }
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector x = N_VNew_Serial(f.n, context), slope = N_VNew_Serial(f.n, context);
  N_Vector zero = N_VNew_Serial(f.n, context);
  for (long i = 0; i < f.n; i++) {
    NV_Ith_S(x, i) = f.kind != 'b' ? 0.0 : i < f.m ? 1.2 : 3.0;
    NV_Ith_S(zero, i) = 0.0;
  }
  residual(0.0, x, zero, slope, &f);
  void *ida = IDACreate(context);
  SUNMatrix matrix = SUNSparseMatrix(f.n, f.n, 5 * f.n, CSR_MAT, context);
  SUNLinearSolver solver = SUNLinSol_KLU(x, matrix, context);
  IDAInit(ida, residual, 0.0, x, slope);
  IDASStolerances(ida, tolerance, tolerance);
  IDASetUserData(ida, &f);
  IDASetLinearSolver(ida, solver, matrix);
  IDASetJacFn(ida, jacobian);
  IDASetMaxNumSteps(ida, 1000000);
  IDASetStopTime(ida, 1.0);
  double reached = 0.0;
  if (IDASolve(ida, 1.0, &reached, x, slope, IDA_NORMAL) < 0) {
    return 1;
  }
  long steps = 0;
  IDAGetNumSteps(ida, &steps);
  printf("%.6f %ld\n", cpu_seconds() - begun, steps);
  FILE *file = fopen(argv[4], "w");
  for (long i = 0; file != NULL && i < f.n; i++) {
    fprintf(file, "%.17g\n", NV_Ith_S(x, i));
  }
  return file != NULL && fclose(file) == 0 ? 0 : 6;
}
