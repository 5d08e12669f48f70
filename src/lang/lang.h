/* Modelica with components: libraries, instantiation, the flat form of one class.
 *
 *   DaeLibrary    files, parsed when a name in them is looked up; one DaeSyntax, one
 *                 DaeNames, one DaeSource for all
 *   dae_flatten   one class of it as a flat DaeSyntax, as if the text had been flat
 *                 (parser/syntax.h): the model is class 1, functions, records and package
 *                 constants that it uses stand beside it under their full names */
#ifndef DAE_LANG_LANG_H
#define DAE_LANG_LANG_H

#include "parser/syntax.h"

typedef struct DaeLibrary DaeLibrary;

/* paths: --library entries, NULL-terminated, or NULL; then those of
 * MODELICAPATH. Nothing is read yet. */
DaeLibrary *dae_library_new(const char *const *paths, const DaeReporter *reporter);
void dae_library_free(DaeLibrary *library);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeLibrary, dae_library_free)
/* The user's own text, at place 0; text must live as long as the library. */
void dae_library_add_text(DaeLibrary *library, const char *file, const char *text,
                          size_t length);
/* The file of a URI modelica://PACKAGE/PATH; NULL: it is none, or there is no
 * such package. (transfer full) */
char *dae_library_resource(DaeLibrary *library, const char *uri);
/* What ModelicaInternal_fullPathName makes of a name: the file of a URI, else its absolute path.
 * library may be NULL. (transfer full) */
char *dae_library_full_path(DaeLibrary *library, const char *text);
DaeSource *dae_library_source(DaeLibrary *library);
DaeNames *dae_library_names(DaeLibrary *library);
DaeSyntax *dae_library_syntax(DaeLibrary *library);

typedef struct {
  const DaeSyntax *syntax;
  const DaeNames *names;
  DaeSource *source;
  /* the flat model of another tool: `protected` is a prefix of one declaration there */
  bool is_printed;
} DaeText;

/* The user's own text (the first `length` bytes of the source): classes of one name at its top;
 * is_flat: also what its classes contain, which is checked class by class otherwise. */
void dae_check_text(const DaeText *text, uint32_t length, bool is_flat);

typedef struct {
  /* NULL-terminated "NAME=VALUE": they count for structural parameters */
  const char *const *overrides;
  bool keep_loops; /* overconstrained loops keep all their equations */
  /* rows and columns of a matrix in a file; false: they are not known. NULL: none are */
  bool (*matrix_size)(const char *file, const char *name, uint32_t sizes[2]);
} DaeFlattenOptions;

typedef struct DaeFlat DaeFlat;
/* name: the full name of the class. NULL: mistakes were reported. The result refers to the
 * library, which must outlive it. */
DaeFlat *dae_flatten(DaeLibrary *library, const char *name, const DaeFlattenOptions *options);
void dae_flat_free(DaeFlat *flat);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeFlat, dae_flat_free)
DaeSyntax *dae_flat_syntax(DaeFlat *flat); /* the model is class 1 */
/* `daetool tree`: instances, their types, where each modifier comes from. */
void dae_flat_print_tree(DaeFlat *flat, GString *out);
void dae_flat_write_tree(DaeFlat *flat, GString *out); /* as JSON */

#endif
