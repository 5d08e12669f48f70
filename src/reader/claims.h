/* Claims of annotations: inside of the room. */
#ifndef DAE_READER_CLAIMS_H
#define DAE_READER_CLAIMS_H

#include "model/flat.h"
#include "reader/opaque.h"

#define DAE_MOST_SMOOTH 8u /* derivatives that are looked at */

/* Into reader->result. */
void dae_claims_collect(DaeReader *reader);

#endif
