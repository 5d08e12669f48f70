/* The list of all forms and what they share. */
#include "forms.h"

#include <stdio.h>
#include <string.h>

int
dae_peer_count(void)
{
  return dae_peer_constrained_count + dae_peer_linkages_count + dae_peer_others_count;
}

const DaePeerForm *
dae_peer_form(int number)
{
  if (number < dae_peer_constrained_count) {
    return &dae_peer_constrained[number];
  }
  number -= dae_peer_constrained_count;
  return number < dae_peer_linkages_count ? &dae_peer_linkages[number]
                                          : &dae_peer_others[number - dae_peer_linkages_count];
}

void
dae_peer_start(const DaePeerForm *form, double *y, double *ydot, double *mass)
{
  double f[DAE_PEER_MAX];
  memset(y, 0, sizeof(double) * (size_t)form->n);
  memset(mass, 0, sizeof(double) * (size_t)form->n);
  form->start(y, mass);
  form->f(0.0, y, f);
  for (int i = 0; i < form->n; i++) {
    ydot[i] = form->ydot != NULL ? form->ydot[i] : mass[i] != 0.0 ? f[i] / mass[i] : 0.0;
  }
}

void
dae_peer_residual(const DaePeerForm *form, const double *mass, double t, const double *y,
                  const double *ydot, double *r)
{
  double f[DAE_PEER_MAX];
  form->f(t, y, f);
  if (form->mass_times != NULL) {
    form->mass_times(ydot, r);
    for (int i = 0; i < form->n; i++) {
      r[i] -= f[i];
    }
    return;
  }
  for (int i = 0; i < form->n; i++) {
    r[i] = mass[i] * ydot[i] - f[i];
  }
}

void
dae_peer_print_end(const DaePeerForm *form, const double *end)
{
  char names[4096];
  int j = 0;
  snprintf(names, sizeof(names), "%s", form->names);
  for (char *name = strtok(names, " "); name != NULL; name = strtok(NULL, " "), j++) {
    printf(" %s=%.17g", name, end[j]);
  }
  printf("\n");
  fflush(stdout);
}
