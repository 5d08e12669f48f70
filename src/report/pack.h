/* Arrays and texts for the page: one block, compressed and in base64, with
 * an index of what lies where. */
#ifndef DAE_REPORT_PACK_H
#define DAE_REPORT_PACK_H

#include <glib.h>
#include <stdint.h>

typedef struct DaePack DaePack;

DaePack *dae_pack_new(void);
void dae_pack_free(DaePack *pack);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaePack, dae_pack_free)

void dae_pack_i8(DaePack *pack, const char *name, const int8_t *values, size_t n);
void dae_pack_u8(DaePack *pack, const char *name, const uint8_t *values, size_t n);
void dae_pack_i32(DaePack *pack, const char *name, const int32_t *values, size_t n);
void dae_pack_u32(DaePack *pack, const char *name, const uint32_t *values, size_t n);
void dae_pack_f32(DaePack *pack, const char *name, const float *values, size_t n);
void dae_pack_f64(DaePack *pack, const char *name, const double *values, size_t n);
/* A list of texts; line ends inside become spaces, invalid UTF-8 is replaced. */
void dae_pack_lines(DaePack *pack, const char *name, const char *const *texts, size_t n);

/* A number that the page reads by name. */
void dae_pack_fact(DaePack *pack, const char *name, double value);

/* The two script elements. */
void dae_pack_write(const DaePack *pack, GString *out);

#endif
