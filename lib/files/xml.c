/* SPDX-License-Identifier: MIT */
/* XML into trees of elements.  libxml2 reports the elements of a text in turn (its SAX2
 * interface); only the parser's own state is libxml2's memory. */
#include "files/xml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"

const char *saddle__xml_attribute_of(const saddle__xml_element *element, const char *name)
{
    for (int64_t k = 0; k < element->attributes; k++)
        if (strcmp(element->attribute[k].name, name) == 0) return element->attribute[k].value;
    return NULL;
}

const saddle__xml_element *saddle__xml_child(const saddle__xml_element *element, const char *name)
{
    const saddle__xml_element *child = element->first;
    while (child && strcmp(child->name, name) != 0) child = child->next;
    return child;
}

saddle_status saddle__xml_fail(saddle_context *context, const saddle__xml_element *element,
                               const char *format, ...)
{
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return saddle_fail(context, SADDLE_BAD_FILE, "%s:%lld: %.80s: %s", element->file,
                       (long long)element->line, element->name, reason);
}

void saddle__xml_clear(saddle__xml *xml)
{
    while (xml->newest) {
        saddle__xml_element *element = xml->newest;
        xml->newest = element->older;
        saddle_release(xml->context, element);
    }
}

#ifdef SADDLE_HAVE_XML

#include <libxml/parser.h>
#include <libxml/parserInternals.h>

typedef struct reading {
    saddle__xml *xml;
    const char *label;
    xmlParserCtxtPtr parser;
    saddle__xml_element *root, *open; /* open: the innermost element without its end so far */
    saddle_status status;             /* of the first failure */
} reading;

static void fail(reading *r, int64_t line, const char *reason)
{
    if (r->status == SADDLE_OK)
        r->status = saddle_fail(r->xml->context, SADDLE_BAD_FILE, "%s:%lld: %s", r->label,
                                (long long)line, reason);
    xmlStopParser(r->parser);
}

static void on_error(void *user, xmlErrorPtr error)
{
    reading *r = user;
    char reason[256];
    if (error->level < XML_ERR_ERROR || r->status != SADDLE_OK) return;
    if (error->code == XML_ERR_NO_MEMORY) {
        r->status = saddle_fail(r->xml->context, SADDLE_OUT_OF_MEMORY, "%s: out of memory",
                                r->label);
        return;
    }
    snprintf(reason, sizeof reason, "invalid XML: %s", error->message ? error->message : "");
    reason[strcspn(reason, "\n")] = '\0';
    fail(r, error->line, reason);
}

static void on_doctype(void *user, const xmlChar *name, const xmlChar *public_id,
                       const xmlChar *system_id)
{
    reading *r = user;
    (void)name;
    (void)public_id;
    (void)system_id;
    fail(r, r->parser->input->line, "a DOCTYPE: definitions of entities are not read");
}

/* Bytes of "prefix:name" with the final NUL. */
static size_t name_size(const xmlChar *prefix, const xmlChar *name)
{
    return (prefix ? strlen((const char *)prefix) + 1 : 0) + strlen((const char *)name) + 1;
}

static char *copy_name(const xmlChar *prefix, const xmlChar *name, char **to)
{
    char *begin = *to;
    const size_t size = name_size(prefix, name);
    snprintf(begin, size, "%s%s%s", prefix ? (const char *)prefix : "", prefix ? ":" : "",
             (const char *)name);
    *to += size;
    return begin;
}

/* Appends an element to the children of the open element. */
static void attach(reading *r, saddle__xml_element *element)
{
    saddle__xml_element *parent = r->open;
    element->older = r->xml->newest;
    r->xml->newest = element;
    element->parent = parent;
    element->depth = parent ? (uint8_t)(parent->depth + 1) : 0;
    if (!parent)
        r->root = element;
    else if (parent->last)
        parent->last->next = element;
    else
        parent->first = element;
    if (parent) parent->last = element;
    r->open = element;
}

/* attribute: five pointers each: name, prefix, namespace, begin and end of the value. */
static void on_start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespaces, const xmlChar **namespace, int attributes, int defaulted,
                     const xmlChar **attribute)
{
    reading *r = user;
    size_t bytes = sizeof(saddle__xml_element) +
                   (size_t)attributes * sizeof(saddle__xml_attribute) + name_size(prefix, name);
    (void)uri;
    (void)namespaces;
    (void)namespace;
    (void)defaulted;
    if (r->status != SADDLE_OK) return;
    if (r->open && r->open->depth == UINT8_MAX) {
        fail(r, r->parser->input->line, "elements are nested too deep");
        return;
    }
    for (int k = 0; k < attributes; k++) {
        const xmlChar **at = attribute + 5 * k;
        bytes += name_size(at[1], at[0]) + (size_t)(at[4] - at[3]) + 1;
    }
    saddle__xml_element *element = saddle_allocate(r->xml->context, (int64_t)bytes, 1);
    if (!element) {
        r->status = SADDLE_OUT_OF_MEMORY;
        xmlStopParser(r->parser);
        return;
    }
    element->attribute = (saddle__xml_attribute *)(element + 1);
    element->attributes = attributes;
    char *text = (char *)(element->attribute + attributes);
    element->name = copy_name(prefix, name, &text);
    element->file = r->label;
    element->line = r->parser->input->line;
    for (int k = 0; k < attributes; k++) {
        const xmlChar **at = attribute + 5 * k;
        const size_t length = (size_t)(at[4] - at[3]);
        element->attribute[k].name = copy_name(at[1], at[0], &text);
        element->attribute[k].value = memcpy(text, at[3], length);
        text += length + 1;
    }
    attach(r, element);
}

static void on_end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    reading *r = user;
    (void)name;
    (void)prefix;
    (void)uri;
    if (r->open) r->open = r->open->parent;
}

saddle_status saddle__xml_read(saddle__xml *xml, const char *text, int64_t length,
                               const char *label, saddle__xml_element **root)
{
    reading r = {.xml = xml, .label = label, .status = SADDLE_OK};
    xmlSAXHandler handler;
    *root = NULL;
    memset(&handler, 0, sizeof handler);
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElementNs = on_start;
    handler.endElementNs = on_end;
    handler.internalSubset = on_doctype;
    handler.serror = on_error;
    r.parser = xmlCreatePushParserCtxt(&handler, &r, NULL, 0, NULL);
    if (!r.parser) return saddle_fail(xml->context, SADDLE_OUT_OF_MEMORY, "out of memory");
    xmlCtxtUseOptions(r.parser, XML_PARSE_NONET);
    /* in pieces: libxml2 refuses long ones */
    for (int64_t at = 0; at < length && r.status == SADDLE_OK; at += BUFSIZ) {
        const int64_t rest = length - at;
        xmlParseChunk(r.parser, text + at, rest < BUFSIZ ? (int)rest : BUFSIZ, 0);
    }
    if (r.status == SADDLE_OK) xmlParseChunk(r.parser, NULL, 0, 1);
    if (r.status == SADDLE_OK && (!r.parser->wellFormed || !r.root))
        fail(&r, r.parser->input ? r.parser->input->line : 1, "invalid XML");
    if (r.parser->myDoc) xmlFreeDoc(r.parser->myDoc);
    xmlFreeParserCtxt(r.parser);
    if (r.status == SADDLE_OK) *root = r.root;
    return r.status;
}

#else

saddle_status saddle__xml_read(saddle__xml *xml, const char *text, int64_t length,
                               const char *label, saddle__xml_element **root)
{
    (void)text;
    (void)length;
    *root = NULL;
    return saddle_fail(xml->context, SADDLE_UNSUPPORTED,
                       "%s: this build reads no XML: libxml2 was absent", label);
}

#endif
