/* Stream connectors [MLS, chapter 15]. Beside each stream variable v of a connector
 * there is a variable 'inStream(v)': what would come in by it, mixed from what the
 * other members of its set send.
 *
 *   member j that is inside   sends v_j with the flow -m_j
 *   member k that is outside  sends 'inStream(v_k)' with the flow m_k
 *   inside member i           gets the mixture of the others as 'inStream(v_i)'
 *   outside member q          gets the mixture of the others as v_q
 *
 * A mixture of one is exact, also where the flow is zero. Of several, flows count as
 * max(flow, eps): the mixture has a value where all are zero, and is within eps of the
 * balance elsewhere (section 15.2, the simple regularization). Members that never send, by
 * the bounds of their flow, are left out. */
#include <math.h>
#include <string.h>

#include "lang/connect.h"

#define SMALLEST_FLOW "1e-10"

const DaeNode *
dae_stream_connector(const DaeComponent *stream)
{
  const DaeNode *connector = stream->parent;
  while (connector != NULL && connector->component != NULL && connector->component->is_record &&
         connector->component->n_dims == 0) { /* stream R r */
    connector = connector->component->parent;
  }
  return connector;
}

DaeComponent *
dae_stream_flow(DaeLang *lang, const DaeComponent *stream)
{
  const DaeNode *connector = dae_stream_connector(stream);
  DaeComponent *found = NULL;
  if ((stream->flags & DAE_FLAG_STREAM) == 0 || connector == NULL ||
      (connector->component != NULL && connector->component->is_record)) {
    return NULL;
  }
  for (guint i = 0; i < connector->elements->len; i++) {
    DaeElement *element = connector->elements->pdata[i];
    DaeComponent *member =
        element->kind == DAE_ELEMENT_COMPONENT ? dae_component_of(lang, element) : NULL;
    if (member == NULL || member->is_absent || !member->is_leaf ||
        (member->flags & DAE_FLAG_FLOW) == 0) {
      continue;
    }
    if (found != NULL || member->n_dims > 0) {
      return NULL;
    }
    found = member;
  }
  return found;
}

uint32_t
dae_stream_inside_name(DaeLang *lang, const DaeComponent *stream)
{
  const char *own = dae_names_text(lang->names, stream->element->name);
  bool is_quoted = *own == '\'';
  return dae_name_format(lang, "'inStream(%.*s)'", (int)strlen(own) - (is_quoted ? 2 : 0),
                         own + (is_quoted ? 1 : 0));
}

static uint32_t
inside_variable(DaeLang *lang, const DaeMember *member)
{
  return dae_name_join(lang, member->component->parent->name,
                       dae_stream_inside_name(lang, member->component));
}

/* ---- who sends --------------------------------------------------------------------------- */

static double
bound_of(DaeLang *lang, const DaeComponent *flow, const char *name, double otherwise)
{
  const DaeMod *mod = dae_mod_find(flow->type->attributes, dae_name_intern(lang, name));
  double value = otherwise;
  if (mod != NULL && mod->value.code != 0) {
    DaeEval bound = dae_evaluate(lang, &mod->value);
    value = bound.n_dims == 0 && dae_eval_number(&bound, &value) ? value : otherwise;
  }
  return value;
}

static bool
may_send(DaeLang *lang, const DaeMember *member)
{
  const DaeComponent *flow = dae_stream_flow(lang, member->component);
  return member->is_outside ? bound_of(lang, flow, "max", INFINITY) > 0
                            : bound_of(lang, flow, "min", -INFINITY) < 0;
}

/* ---- equations --------------------------------------------------------------------------- */

static void
emit_value(DaeLang *lang, const DaeMember *member, uint32_t pos)
{
  dae_syntax_emit(&lang->flat, DAE_OP_NAME, 0,
                  member->is_outside ? inside_variable(lang, member) : member->name, pos);
}

static void
emit_weight(DaeLang *lang, const DaeMember *member, uint32_t pos)
{
  const DaeComponent *flow = dae_stream_flow(lang, member->component);
  dae_syntax_emit(&lang->flat, DAE_OP_NAME, 0, flow->flat_name, pos);
  if (!member->is_outside) {
    dae_syntax_emit(&lang->flat, DAE_OP_NEGATE, 0, 0, pos);
  }
  dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, 1, dae_name_intern(lang, SMALLEST_FLOW), pos);
  dae_syntax_emit(&lang->flat, DAE_OP_CALL, 2, dae_name_intern(lang, "max"), pos);
}

static void
emit_mixture(DaeLang *lang, const GArray *senders, uint32_t pos)
{
  DaeSyntax *flat = &lang->flat;
  for (int part = 0; part < 2; part++) {
    for (guint i = 0; i < senders->len; i++) {
      const DaeMember *member =
          dae_connect_at(lang->connect, g_array_index(senders, uint32_t, i));
      emit_weight(lang, member, pos);
      if (part == 0) {
        emit_value(lang, member, pos);
        dae_syntax_emit(flat, DAE_OP_MUL, 0, 0, pos);
      }
      if (i > 0) {
        dae_syntax_emit(flat, DAE_OP_ADD, 0, 0, pos);
      }
    }
  }
  dae_syntax_emit(flat, DAE_OP_DIV, 0, 0, pos);
  dae_syntax_emit(flat, DAE_OP_CALL, 1, dae_name_intern(lang, "noEvent"), pos);
}

static void
declare_inside(DaeLang *lang, const DaeMember *member)
{
  DaeComponent *component = member->component;
  const DaeDeclaration *source =
      dae_syntax_declaration(lang->syntax, component->element->index);
  DaeDeclaration declaration = {.pos = source->pos, .type_pos = source->type_pos, .owner = 1};
  declaration.name = inside_variable(lang, member);
  declaration.type = dae_type_name(lang, component);
  declaration.flags = DAE_FLAG_PROTECTED;
  if (component->n_dims > 0) {
    declaration.dims_code = dae_write_dimensions(lang, component, declaration.pos);
    declaration.n_dims = component->n_dims & 0xffffu;
  }
  declaration.n_mods = dae_write_attributes(lang, component, &declaration.first_mod);
  g_array_append_val(lang->flat.declarations, declaration);
}

static void
write_one(DaeLang *lang, const uint32_t *members, uint32_t n, uint32_t which)
{
  DaeMember *own = dae_connect_at(lang->connect, members[which]);
  g_autoptr(GArray) senders = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t i = 0; i < n; i++) {
    if (i != which && may_send(lang, dae_connect_at(lang->connect, members[i]))) {
      g_array_append_val(senders, members[i]);
    }
  }
  uint32_t pos = own->pos;
  if (own->is_outside) {
    dae_connect_emit(lang, own, pos);
  } else {
    dae_syntax_emit(&lang->flat, DAE_OP_NAME, 0, inside_variable(lang, own), pos);
  }
  if (senders->len == 0) { /* nothing comes in: its own value */
    emit_value(lang, own, pos);
  } else if (senders->len == 1) {
    emit_value(lang, dae_connect_at(lang->connect, g_array_index(senders, uint32_t, 0)), pos);
  } else {
    emit_mixture(lang, senders, pos);
  }
  dae_syntax_emit(&lang->flat, DAE_OP_EQUATION, 0, 0, pos);
}

void
dae_stream_write(DaeLang *lang, const uint32_t *members, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    DaeMember *member = dae_connect_at(lang->connect, members[i]);
    if (dae_stream_flow(lang, member->component) == NULL) {
      dae_source_error(lang->source, member->pos,
                       "the connector of the stream variable '%s' must have one scalar flow",
                       dae_names_text(lang->names, member->name));
      return;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    write_one(lang, members, n, i);
  }
}

void
dae_stream_declare(DaeLang *lang)
{
  for (guint i = 0; i < lang->connect->members->len; i++) {
    const DaeMember member = *dae_connect_at(lang->connect, i);
    if (!member.is_outside && (member.component->flags & DAE_FLAG_STREAM) != 0) {
      declare_inside(lang, &member);
    }
  }
}
