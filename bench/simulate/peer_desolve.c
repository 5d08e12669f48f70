/* The hand-reduced forms as compiled functions for deSolve's radau (f of M y' = f) and daspk
 * (residuals), and what the R script has to know about them. The form in use is chosen before
 * each run: deSolve calls functions by name only. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "forms.h"

static const DaePeerForm *form;
static double mass[DAE_PEER_MAX];
static double begun,
    ended; /* CPU clock at the first call and at the last one at or behind the end */

void peer_f(int *n, double *t, double *y, double *f, double *out, int *ip);
void peer_r(double *t, double *y, double *ydot, double *cj, double *delta, int *ires,
            double *out, int *ip);
void peer_count(int *count);
void peer_choose(int *number, int *n, int *tools, int *indices, double *t_stop, char **words);
void peer_start(double *y, double *ydot, double *diagonal, double *matrix, double *nominal);
void peer_seconds(double *seconds);

static double
cpu_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The integrators' own time, without the R functions around them. */
static inline void
note_call(double t)
{
  if (begun == 0.0) {
    begun = cpu_seconds();
  } else if (t >= form->t_stop * (1.0 - 1e-9)) {
    ended = cpu_seconds();
  }
}

void
peer_f(int *n, double *t, double *y, double *f, double *out, int *ip)
{
  (void)n;
  (void)out;
  (void)ip;
  note_call(*t);
  form->f(*t, y, f);
}

void
peer_r(double *t, double *y, double *ydot, double *cj, double *delta, int *ires, double *out,
       int *ip)
{
  (void)cj;
  (void)ires;
  (void)out;
  (void)ip;
  note_call(*t);
  dae_peer_residual(form, mass, *t, y, ydot, delta);
}

void
peer_count(int *count)
{
  *count = dae_peer_count();
}

/* words: problem, form, names; each with room for 4000 characters */
void
peer_choose(int *number, int *n, int *tools, int *indices, double *t_stop, char **words)
{
  form = dae_peer_form(*number);
  *n = form->n;
  *tools = form->tools;
  *t_stop = form->t_stop;
  memcpy(indices, form->indices, sizeof(form->indices));
  snprintf(words[0], 4000, "%s", form->problem);
  snprintf(words[1], 4000, "%s", form->form);
  snprintf(words[2], 4000, "%s", form->names);
}

void
peer_start(double *y, double *ydot, double *diagonal, double *matrix, double *nominal)
{
  dae_peer_start(form, y, ydot, mass);
  memcpy(diagonal, mass, sizeof(double) * (size_t)form->n);
  for (int j = 0; j < form->n; j++) {
    nominal[j] = form->nominal != NULL ? form->nominal[j] : 1.0;
    double unit[DAE_PEER_MAX] = {0.0};
    unit[j] = 1.0;
    if (form->mass_times != NULL) {
      form->mass_times(unit, matrix + j * form->n); /* a column, as R stores it */
    } else {
      for (int i = 0; i < form->n; i++) {
        matrix[j * form->n + i] = i == j ? mass[i] : 0.0;
      }
    }
  }
}

/* Of the run since the last call of this function. */
void
peer_seconds(double *seconds)
{
  *seconds = ended - begun;
  begun = ended = 0.0;
}
