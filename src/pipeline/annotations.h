/* Are the annotations of functions true? derivative, inverse, smoothOrder against the
 * bodies. */
#ifndef DAE_PIPELINE_ANNOTATIONS_H
#define DAE_PIPELINE_ANNOTATIONS_H

#include "model/model.h"

G_BEGIN_DECLS

typedef struct {
  uint32_t wrong;  /* with a counterexample, each reported as an error */
  uint32_t proved; /* hold for all arguments */
  uint32_t tried;  /* hold at the points tried; reported as a note where fewer than one was */
  uint32_t unchecked; /* could not be tried anywhere; reported as warnings */
} DaeAnnotationCounts;

/* A model that was read with check_annotations. */
DaeAnnotationCounts dae_annotations_check(const DaeModel *model, DaeTerms *terms,
                                          const DaeReporter *reporter);

G_END_DECLS

#endif
