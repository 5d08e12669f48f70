#include "numeric/numeric.h"
#include "pipeline/pipeline.h"

void
dae_init(void)
{
  dae_base_init();
  dae_algebra_init();
  dae_numeric_init();
}
