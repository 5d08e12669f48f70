/* Fuzz targets share libFuzzer's entry; replay.c is the driver that
 * runs stored inputs without it. */
#ifndef DAE_TESTS_FUZZ_H
#define DAE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
