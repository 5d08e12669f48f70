#include <gsl/gsl_errno.h>

#include "numeric/numeric.h"

void
dae_numeric_init(void)
{
  gsl_set_error_handler_off();
}
