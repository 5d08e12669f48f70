#include "pipeline/pipeline.h"

void
dae_init(void)
{
  dae_base_init();
  dae_algebra_init();
}
