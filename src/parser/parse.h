/* What the files of the parser tell each other. */
#ifndef DAE_PARSER_PARSE_H
#define DAE_PARSER_PARSE_H

#include "parser/parser.h"

/* Behind `annotation`. What means something is kept as modifiers; the rest is
 * skipped by bytes. False: reported. */
bool dae_parse_annotation(DaeParser *parser, uint32_t *first, uint32_t *n);
bool dae_parse_skip_annotation(DaeParser *parser); /* at `annotation` */
/* At `annotation` of a class, or of its external clause; both count. False: reported. */
bool dae_parse_annotation_of(DaeParser *parser, uint32_t owner);
/* The former with its `;`. */
void dae_parse_class_annotation(DaeParser *parser, uint32_t owner);

bool dae_parse_modifications(DaeParser *parser, uint32_t *first, uint32_t *n); /* at `(` */
bool dae_parse_connect(DaeParser *parser);          /* connect(a, b), at `connect` */
bool dae_parse_one_modification(DaeParser *parser); /* at its name; appended */

/* The component clause behind its prefixes. */
void dae_parse_components(DaeParser *parser, uint32_t owner, uint32_t flags);
/* `[dims]` of a component whose name was read. False: reported. */
bool dae_parse_component_dimensions(DaeParser *parser, DaeDeclaration *declaration);
DaeDeclarationRest *dae_parse_rest_of(DaeParser *parser, DaeDeclaration *declaration);
/* At `(` of an enumeration. */
bool dae_parse_literals(DaeParser *parser, DaeTypeDefinition *type);
/* Behind `=` of a short class: everything up to the modifiers. False: reported. */
bool dae_parse_short_head(DaeParser *parser, DaeClass *class, DaeTypeDefinition *type);
/* A name that may begin with a dot or have blanks around its dots; 0: reported. */
uint32_t dae_parse_name(DaeParser *parser, const char *what);
bool dae_parse_at_word(const DaeParser *parser, const char *word);
/* The flag of a prefix (parameter, final, partial ...); 0: the token is none. */
uint32_t dae_parse_prefix(DaeTokenKind kind);
bool dae_parse_is_class(DaeTokenKind kind, DaeClassKind *which);
void dae_parse_extends(DaeParser *parser, uint32_t owner, bool is_protected); /* at `extends` */
void dae_parse_import(DaeParser *parser, uint32_t owner);                     /* at `import` */
/* at `external` */
void dae_parse_external(DaeParser *parser, uint32_t owner);
/* `<function>(#Real x) => #Real` behind the name of a type: the name of a partial function with
 * these inputs and results. 0: reported. */
bool dae_parse_at_signature(const DaeParser *parser);
uint32_t dae_parse_signature(DaeParser *parser);
/* `partition` or `subpartition (...)` of Base Modelica, up to its sections. */
bool dae_parse_at_partition(const DaeParser *parser);
void dae_parse_partition(DaeParser *parser);
/* Around the equations of a section: they are on the clock of the subpartition; 0: there is none. */
uint32_t dae_partition_begin(DaeParser *parser);
void dae_partition_end(DaeParser *parser, uint32_t when);
/* Loops inside each other, the innermost first, with the code so far as their code: those without a
 * range (FOR or LOOP at loops[i]) get the one that follows from their subscripts, and loops[i] is
 * where they stand then. False: reported. */
bool dae_parse_deduce_ranges(DaeParser *parser, uint32_t *loops, uint32_t n);
/* The text is not flat Modelica because of this word (a keyword's name). */
void dae_parse_mark(DaeParser *parser, uint32_t pos, uint32_t word);

#endif
