/* Libraries: where classes are stored [MLS, section 13.4], files parsed when
 * something in them is asked for. */
#include <string.h>

#include "lang/instance.h"
#include "lang/stand_in.h"
#include "parser/parser.h"

typedef struct {
  uint32_t first[DAE_LIST_SECTIONS + 1], last[DAE_LIST_SECTIONS + 1];
} Lists;

struct DaeLibrary {
  DaeSource source;
  DaeNames *names;
  DaeSyntax syntax;
  GPtrArray *roots;     /* char *: --library, then MODELICAPATH */
  GPtrArray *kept;      /* texts and file names */
  GHashTable *loaded;   /* path -> its first class */
  GHashTable *ends;     /* path -> the class after its last one */
  GHashTable *top;      /* name id -> class */
  uint32_t stand_in;    /* the class Modelica of stand_in.c; 0: not needed so far */
  uint32_t prelude[2];  /* its classes: the first, and the one after the last */
  GHashTable *versions; /* name id -> version wanted (in modifications) */
  GArray *lists;        /* Lists by class */
  GArray *next[DAE_LIST_SECTIONS + 1];
  uint32_t done[DAE_LIST_SECTIONS + 1]; /* entries that are in the lists */
};

static void
add_paths(DaeLibrary *library, const char *const *paths)
{
  for (size_t i = 0; paths != NULL && paths[i] != NULL; i++) {
    if (*paths[i] != '\0') {
      g_ptr_array_add(library->roots, g_strdup(paths[i]));
    }
  }
}

DaeLibrary *
dae_library_new(const char *const *paths, const DaeReporter *reporter)
{
  DaeLibrary *library = g_new0(DaeLibrary, 1);
  library->names = dae_names_new();
  library->roots = g_ptr_array_new_with_free_func(g_free);
  library->kept = g_ptr_array_new_with_free_func(g_free);
  library->loaded = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  library->ends = g_hash_table_new(g_str_hash, g_str_equal); /* keys are those of loaded */
  library->top = g_hash_table_new(NULL, NULL);
  library->versions = g_hash_table_new(NULL, NULL);
  library->lists = g_array_new(FALSE, TRUE, sizeof(Lists));
  for (int i = 0; i <= DAE_LIST_SECTIONS; i++) {
    library->next[i] = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  }
  dae_source_init(&library->source, "", "", 0, reporter);
  dae_syntax_init(&library->syntax);
  add_paths(library, paths);
  const char *path = g_getenv("MODELICAPATH");
  if (path != NULL) {
    g_auto(GStrv) entries = g_strsplit(path, G_SEARCHPATH_SEPARATOR_S, -1);
    add_paths(library, (const char *const *)entries);
  }
  return library;
}

void
dae_library_free(DaeLibrary *library)
{
  if (library == NULL) {
    return;
  }
  for (int i = 0; i <= DAE_LIST_SECTIONS; i++) {
    g_array_free(library->next[i], TRUE);
  }
  g_array_free(library->lists, TRUE);
  g_hash_table_destroy(library->ends);
  g_hash_table_destroy(library->loaded);
  g_hash_table_destroy(library->top);
  g_hash_table_destroy(library->versions);
  g_ptr_array_free(library->roots, TRUE);
  dae_syntax_clear(&library->syntax);
  dae_source_clear(&library->source);
  g_ptr_array_free(library->kept, TRUE);
  dae_names_free(library->names);
  g_free(library);
}

DaeSource *
dae_library_source(DaeLibrary *library)
{
  return &library->source;
}

DaeNames *
dae_library_names(DaeLibrary *library)
{
  return library->names;
}

DaeSyntax *
dae_library_syntax(DaeLibrary *library)
{
  return &library->syntax;
}

/* ---- what belongs to which class --------------------------------------------------------- */

static uint32_t
entries_of(const DaeLibrary *library, DaeList list)
{
  const DaeSyntax *syntax = &library->syntax;
  const GArray *arrays[] = {syntax->classes, syntax->declarations, syntax->extends,
                            syntax->imports, syntax->sections};
  return arrays[list]->len;
}

/* UINT32_MAX: it is no member of anything. */
static uint32_t
owner_of(const DaeLibrary *library, DaeList list, uint32_t i)
{
  const DaeSyntax *syntax = &library->syntax;
  switch (list) {
  case DAE_LIST_CLASSES: {
    const DaeClass *class = dae_syntax_class(syntax, i);
    return (class->flags & DAE_FLAG_IN_MODIFIER) != 0 ? UINT32_MAX : class->parent;
  }
  case DAE_LIST_DECLARATIONS:
    return dae_syntax_declaration(syntax, i)->owner;
  case DAE_LIST_EXTENDS:
    return g_array_index(syntax->extends, DaeExtends, i).owner;
  case DAE_LIST_IMPORTS:
    return g_array_index(syntax->imports, DaeImport, i).owner;
  case DAE_LIST_SECTIONS:
    break;
  }
  return g_array_index(syntax->sections, DaeSection, i).owner;
}

/* Entries are stored as index + 1, so that 0 is the end. */
static void
index_new_entries(DaeLibrary *library)
{
  g_array_set_size(library->lists, library->syntax.classes->len);
  for (int list = 0; list <= DAE_LIST_SECTIONS; list++) {
    uint32_t n = entries_of(library, (DaeList)list);
    g_array_set_size(library->next[list], n);
    uint32_t from = library->done[list];
    from = from == 0 && list <= DAE_LIST_DECLARATIONS ? 1 : from;
    for (uint32_t i = from; i < n; i++) {
      uint32_t owner = owner_of(library, (DaeList)list, i);
      if (owner >= library->lists->len) {
        continue;
      }
      Lists *lists = &g_array_index(library->lists, Lists, owner);
      if (lists->last[list] != 0) {
        g_array_index(library->next[list], uint32_t, lists->last[list] - 1) = i + 1;
      } else {
        lists->first[list] = i + 1;
      }
      lists->last[list] = i + 1;
    }
    library->done[list] = n;
  }
}

uint32_t
dae_library_first(DaeLibrary *library, uint32_t class, DaeList list)
{
  if (library->done[DAE_LIST_CLASSES] != library->syntax.classes->len) {
    index_new_entries(library); /* flat models are read without it */
  }
  return g_array_index(library->lists, Lists, class).first[list];
}

uint32_t
dae_library_next(DaeLibrary *library, uint32_t entry, DaeList list)
{
  return g_array_index(library->next[list], uint32_t, entry - 1);
}

/* ---- files ------------------------------------------------------------------------------- */

static void
note_uses(DaeLibrary *library, uint32_t class)
{
  DaeSyntax *syntax = &library->syntax;
  const DaeClass *entry = dae_syntax_class(syntax, class);
  uint32_t uses = dae_names_intern(library->names, "uses", 4);
  uint32_t version = dae_names_intern(library->names, "version", 7);
  const DaeModification *list =
      dae_syntax_modification(syntax, entry->first_annotation, entry->n_annotations, uses);
  if (list == NULL) {
    return;
  }
  uint32_t at = (uint32_t)(list - (DaeModification *)(void *)syntax->modifications->data);
  for (uint32_t i = at + 1; i <= at + list->n_inner;) {
    const DaeModification *used = dae_syntax_modifier(syntax, i);
    const DaeModification *wanted =
        dae_syntax_modification(syntax, i + 1, used->n_inner, version);
    if (wanted != NULL && wanted->code != 0 &&
        dae_syntax_code(syntax, wanted->code)->op == DAE_OP_STRING) {
      uint32_t at_version =
          (uint32_t)(wanted - (DaeModification *)(void *)syntax->modifications->data);
      g_hash_table_insert(library->versions, GUINT_TO_POINTER(used->name),
                          GUINT_TO_POINTER(at_version));
    }
    i += 1 + used->n_inner;
  }
}

static bool
is_top(const DaeClass *class)
{
  return class->parent == 0 && (class->flags & DAE_FLAG_IN_MODIFIER) == 0;
}

/* Index of the first new class; 0: the text has none. */
static uint32_t
parse_text(DaeLibrary *library, const char *text, size_t length, uint32_t base)
{
  uint32_t first = library->syntax.classes->len;
  DaeParser parser;
  dae_parser_init(&parser, &library->source, library->names, &library->syntax, text, length,
                  base);
  dae_parse_file(&parser);
  dae_parser_clear(&parser);
  for (uint32_t i = first; i < library->syntax.classes->len; i++) {
    const DaeClass *class = dae_syntax_class(&library->syntax, i);
    if (is_top(class)) {
      note_uses(library, i);
    }
  }
  return first < library->syntax.classes->len ? first : 0;
}

static void
add_top(DaeLibrary *library, uint32_t first)
{
  for (uint32_t i = first; first != 0 && i < library->syntax.classes->len; i++) {
    const DaeClass *class = dae_syntax_class(&library->syntax, i);
    if (is_top(class)) {
      g_hash_table_insert(library->top, GUINT_TO_POINTER(class->name), GUINT_TO_POINTER(i));
    }
  }
}

void
dae_library_add_text(DaeLibrary *library, const char *file, const char *text, size_t length)
{
  const DaeReporter *reporter = library->source.reporter;
  dae_source_clear(&library->source);
  dae_source_init(&library->source, file, text, length, reporter);
  add_top(library, parse_text(library, text, length, 0));
}

void
dae_library_add_prelude(DaeLibrary *library, const char *text)
{
  uint32_t base = 0;
  if (g_hash_table_contains(library->loaded, "") ||
      !dae_source_add(&library->source, "builtin", text, strlen(text), &base)) {
    return;
  }
  g_hash_table_insert(library->loaded, g_strdup(""), GUINT_TO_POINTER(1));
  library->prelude[0] = parse_text(library, text, strlen(text), base);
  library->prelude[1] = library->syntax.classes->len;
  add_top(library, library->prelude[0]);
}

bool
dae_library_is_predefined(const DaeLibrary *library, uint32_t class)
{
  return class >= library->prelude[0] && class < library->prelude[1];
}

uint32_t
dae_library_load(DaeLibrary *library, const char *path, const char **folder)
{
  g_autofree char *inside = g_build_filename(path, "package.mo", NULL);
  bool is_folder = g_file_test(inside, G_FILE_TEST_IS_REGULAR);
  const char *file = is_folder ? inside : path;
  *folder = NULL;
  if (is_folder) {
    char *kept = g_strdup(path);
    g_ptr_array_add(library->kept, kept);
    *folder = kept;
  }
  gpointer known = g_hash_table_lookup(library->loaded, file);
  if (known != NULL) {
    return GPOINTER_TO_UINT(known);
  }
  char *text = NULL;
  gsize length = 0;
  if (!g_file_get_contents(file, &text, &length, NULL)) {
    return 0;
  }
  char *name = g_strdup(file);
  g_ptr_array_add(library->kept, text);
  g_ptr_array_add(library->kept, name);
  uint32_t base = 0;
  if (!dae_source_add(&library->source, name, text, length, &base)) {
    return 0;
  }
  uint32_t class = parse_text(library, text, length, base);
  char *key = g_strdup(file);
  g_hash_table_insert(library->loaded, key, GUINT_TO_POINTER(class));
  g_hash_table_insert(library->ends, key, GUINT_TO_POINTER(library->syntax.classes->len));
  return class;
}

/* ---- top classes ------------------------------------------------------------------------- */

/* "Modelica 4.0.0" or "Modelica" for NAME; the version, "" if it has none; NULL: another name. */
static const char *
version_in(const char *entry, const char *name)
{
  size_t length = strlen(name);
  if (strncmp(entry, name, length) != 0) {
    return NULL;
  }
  if (entry[length] == '\0' || strcmp(entry + length, ".mo") == 0) {
    return "";
  }
  return entry[length] == ' ' ? entry + length + 1 : NULL;
}

/* Numbers in versions compare as numbers: 3.2.10 is after 3.2.9. */
static int
compare_versions(const char *a, const char *b)
{
  while (*a != '\0' && *b != '\0') {
    if (g_ascii_isdigit(*a) && g_ascii_isdigit(*b)) {
      guint64 x = g_ascii_strtoull(a, (char **)&a, 10);
      guint64 y = g_ascii_strtoull(b, (char **)&b, 10);
      if (x != y) {
        return x < y ? -1 : 1;
      }
    } else {
      if (*a != *b) {
        return *a < *b ? -1 : 1;
      }
      a++;
      b++;
    }
  }
  return (*a != '\0') - (*b != '\0');
}

/* The entry of the folder that fits best: the wanted version, else no version, else the highest. */
static char *
best_entry(const char *root, const char *name, const char *wanted)
{
  g_autoptr(GDir) folder = g_dir_open(root, 0, NULL);
  char *best = NULL;
  int best_rank = 0;
  const char *entry = NULL;
  while (folder != NULL && (entry = g_dir_read_name(folder)) != NULL) {
    const char *version = version_in(entry, name);
    if (version == NULL) {
      continue;
    }
    int rank = 1;
    if (wanted != NULL && *version != '\0' && g_str_has_prefix(version, wanted)) {
      rank = 3;
    } else if (*version == '\0') {
      rank = 2;
    }
    bool better = rank > best_rank;
    if (rank == best_rank) {
      const char *other = version_in(best, name);
      int order = compare_versions(version, other);
      better = order > 0 || (order == 0 && strcmp(entry, best) < 0);
    }
    if (better) {
      g_free(best);
      best = g_strdup(entry);
      best_rank = rank;
    }
  }
  return best;
}

/* What `uses` of a file says of the library; NULL: nothing. */
static const DaeModification *
wanted_version(const DaeLibrary *library, uint32_t name)
{
  uint32_t at =
      GPOINTER_TO_UINT(g_hash_table_lookup(library->versions, GUINT_TO_POINTER(name)));
  return at != 0 ? dae_syntax_modifier(&library->syntax, at) : NULL;
}

/* Its value, if that is a text; else "". */
static const char *
text_of(const DaeLibrary *library, const DaeModification *modifier)
{
  const DaeInstruction *code = modifier != NULL && modifier->code != 0
                                   ? dae_syntax_code(&library->syntax, modifier->code)
                                   : NULL;
  return code != NULL && code->op == DAE_OP_STRING ? dae_names_text(library->names, code->arg)
                                                   : "";
}

/* conversion(noneFromVersion = "1.0", ...): what was written for that version goes on. */
static bool
needs_no_conversion(const DaeLibrary *library, const DaeClass *class, const char *version)
{
  const DaeSyntax *syntax = &library->syntax;
  uint32_t conversion = dae_names_intern(library->names, "conversion", 10);
  uint32_t none = dae_names_intern(library->names, "noneFromVersion", 15);
  const DaeModification *list = dae_syntax_modification(syntax, class->first_annotation,
                                                        class->n_annotations, conversion);
  for (uint32_t i = 1; list != NULL && i <= list->n_inner; i += 1 + list[i].n_inner) {
    if (list[i].name == none && g_str_equal(text_of(library, &list[i]), version)) {
      return true;
    }
  }
  return false;
}

/* [MLS, section 18.8.3]: another version than the one that a file was written for. */
static void
check_version(DaeLibrary *library, uint32_t number, uint32_t name)
{
  const DaeModification *used = wanted_version(library, name);
  if (number == 0 || used == NULL) {
    return;
  }
  const DaeClass *class = dae_syntax_class(&library->syntax, number);
  uint32_t version = dae_names_intern(library->names, "version", 7);
  const char *wanted = text_of(library, used);
  const char *found =
      text_of(library, dae_syntax_modification(&library->syntax, class->first_annotation,
                                               class->n_annotations, version));
  if (*found != '\0' && !g_str_has_prefix(found, wanted) &&
      !needs_no_conversion(library, class, wanted)) {
    dae_source_warning(&library->source, used->pos,
                       "version %s of '%s' is asked for, the one that was found is %s", wanted,
                       dae_names_text(library->names, name), found);
  }
}

/* A root that is the library itself: a folder with package.mo, or a file. */
static bool
is_named(const char *root, const char *name)
{
  g_autofree char *base = g_path_get_basename(root);
  return version_in(base, name) != NULL;
}

/* Of the classes of a file, of which there may be several, the one with that name; 0: none. */
static uint32_t
class_in_file(DaeLibrary *library, const char *file, uint32_t name)
{
  const char *folder = NULL;
  uint32_t first = dae_library_load(library, file, &folder);
  uint32_t end = GPOINTER_TO_UINT(g_hash_table_lookup(library->ends, file));
  for (uint32_t i = first; first != 0 && i < end; i++) {
    const DaeClass *class = dae_syntax_class(&library->syntax, i);
    if (is_top(class) && class->name == name) {
      return i;
    }
  }
  return 0;
}

static uint32_t
load_from(DaeLibrary *library, const char *root, const char *name, const char **folder)
{
  g_autofree char *inside = g_build_filename(root, "package.mo", NULL);
  uint32_t id = dae_names_intern(library->names, name, strlen(name));
  if (g_file_test(inside, G_FILE_TEST_EXISTS)) {
    uint32_t class = is_named(root, name) ? dae_library_load(library, root, folder) : 0;
    return class != 0 && dae_syntax_class(&library->syntax, class)->name == id ? class : 0;
  }
  if (g_file_test(root, G_FILE_TEST_IS_REGULAR)) {
    return class_in_file(library, root, id);
  }
  const DaeModification *used = wanted_version(library, id);
  g_autofree char *entry = best_entry(root, name, used != NULL ? text_of(library, used) : NULL);
  if (entry == NULL) {
    return 0;
  }
  g_autofree char *path = g_build_filename(root, entry, NULL);
  return dae_library_load(library, path, folder);
}

/* Units, constants and functions, where no library has the package Modelica. */
static uint32_t
load_stand_in(DaeLibrary *library, uint32_t id)
{
  char *text = dae_stand_in_text();
  uint32_t base = 0;
  g_ptr_array_add(library->kept, text);
  if (!dae_source_add(&library->source, DAE_STAND_IN_FILE, text, strlen(text), &base)) {
    return 0;
  }
  library->stand_in = parse_text(library, text, strlen(text), base);
  g_hash_table_insert(library->top, GUINT_TO_POINTER(id), GUINT_TO_POINTER(library->stand_in));
  return library->stand_in;
}

uint32_t
dae_library_stand_in(const DaeLibrary *library)
{
  return library->stand_in;
}

uint32_t
dae_library_load_top(DaeLibrary *library, const char *name, const char **folder)
{
  *folder = NULL;
  uint32_t id = dae_names_intern(library->names, name, strlen(name));
  uint32_t class = GPOINTER_TO_UINT(g_hash_table_lookup(library->top, GUINT_TO_POINTER(id)));
  for (guint i = 0; class == 0 && i < library->roots->len; i++) {
    class = load_from(library, library->roots->pdata[i], name, folder);
    check_version(library, class, id);
  }
  return class == 0 && strcmp(name, "Modelica") == 0 ? load_stand_in(library, id) : class;
}

static void
suggest_file(DaeLibrary *library, const char *file, DaeSuggest *suggest)
{
  uint32_t first = GPOINTER_TO_UINT(g_hash_table_lookup(library->loaded, file));
  uint32_t end = GPOINTER_TO_UINT(g_hash_table_lookup(library->ends, file));
  for (uint32_t i = first; first != 0 && i < end; i++) {
    const DaeClass *class = dae_syntax_class(&library->syntax, i);
    if (is_top(class)) {
      dae_suggest_try(suggest, dae_names_text(library->names, class->name));
    }
  }
}

/* Entries of a folder of libraries: Name, Name 1.2.0, Name.mo. A folder that is a library itself
 * is its own name. */
static void
suggest_folder(DaeLibrary *library, const char *root, DaeSuggest *suggest)
{
  g_autofree char *package = g_build_filename(root, "package.mo", NULL);
  if (!g_file_test(root, G_FILE_TEST_IS_DIR)) {
    suggest_file(library, root, suggest); /* it was loaded when the name was looked for */
    return;
  }
  if (g_file_test(package, G_FILE_TEST_EXISTS)) {
    char *name = g_path_get_basename(root);
    g_ptr_array_add(library->kept, name);
    name[strcspn(name, " .")] = '\0';
    dae_suggest_try(suggest, name);
    return;
  }
  g_autoptr(GDir) folder = g_dir_open(root, 0, NULL);
  const char *entry = NULL;
  while (folder != NULL && (entry = g_dir_read_name(folder)) != NULL) {
    char *name = g_strndup(entry, strcspn(entry, " ."));
    g_ptr_array_add(library->kept, name);
    dae_suggest_try(suggest, name);
  }
}

void
dae_library_suggest_top(DaeLibrary *library, DaeSuggest *suggest)
{
  GHashTableIter iter;
  gpointer key = NULL;
  g_hash_table_iter_init(&iter, library->top);
  while (g_hash_table_iter_next(&iter, &key, NULL)) {
    dae_suggest_try(suggest, dae_names_text(library->names, GPOINTER_TO_UINT(key)));
  }
  for (guint i = 0; i < library->roots->len; i++) {
    suggest_folder(library, library->roots->pdata[i], suggest);
  }
}

/* ---- resources --------------------------------------------------------------------------- */

/* The file that a class was read from; NULL: from the user's text. */
static const char *
file_of(const DaeLibrary *library, uint32_t class)
{
  GHashTableIter iter;
  gpointer file = NULL;
  gpointer value = NULL;
  g_hash_table_iter_init(&iter, library->loaded);
  while (g_hash_table_iter_next(&iter, &file, &value)) {
    if (GPOINTER_TO_UINT(value) == class && *(const char *)file != '\0') {
      return file; /* a file holds one class */
    }
  }
  return NULL;
}

/* [MLS, section 13.5]: modelica://A.B/C is the file C in the folder
 * of A.B, or of A if B has none. */
char *
dae_library_resource(DaeLibrary *library, const char *uri)
{
  const char *scheme = "modelica://";
  const char *slash = g_str_has_prefix(uri, scheme) ? strchr(uri + strlen(scheme), '/') : NULL;
  if (slash == NULL) {
    return NULL;
  }
  g_autofree char *name =
      g_strndup(uri + strlen(scheme), (gsize)(slash - uri) - strlen(scheme));
  g_auto(GStrv) parts = g_strsplit(name, ".", -1);
  const char *ignored = NULL;
  uint32_t class = parts[0] != NULL ? dae_library_load_top(library, parts[0], &ignored) : 0;
  const char *file = class != 0 ? file_of(library, class) : NULL;
  if (file == NULL) {
    return NULL;
  }
  g_autofree char *folder = g_path_get_dirname(file);
  for (size_t i = 1; parts[i] != NULL; i++) {
    char *inner = g_build_filename(folder, parts[i], NULL);
    if (!g_file_test(inner, G_FILE_TEST_IS_DIR)) {
      g_free(inner);
      break;
    }
    g_free(folder);
    folder = inner;
  }
  return g_build_filename(folder, slash + 1, NULL);
}
