#include "pipeline/pipeline.h"

const char *
dae_version(void)
{
  return DAE_VERSION; /* from the file VERSION, through meson.build */
}
