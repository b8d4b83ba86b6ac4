/* SPDX-License-Identifier: MIT */
/* XML into trees of elements.  Expat reports the elements of a text in turn; its own memory, beside
 * the context's, holds the parser's state and a tag or comment whose end comes in a later piece. */
#include "files/xml.h"

#include <limits.h>
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

#include <expat.h>

typedef struct reading {
    saddle__xml *xml;
    const char *label;
    XML_Parser parser;
    saddle__xml_element *root, *open; /* open: the innermost element without its end so far */
    saddle_status status;             /* of the first failure */
} reading;

static int64_t line_of(const reading *r)
{
    return (int64_t)XML_GetCurrentLineNumber(r->parser);
}

static void fail(reading *r, const char *reason)
{
    if (r->status == SADDLE_OK)
        r->status = saddle_fail(r->xml->context, SADDLE_BAD_FILE, "%s:%lld: %s", r->label,
                                (long long)line_of(r), reason);
    XML_StopParser(r->parser, XML_FALSE);
}

static void on_doctype(void *user, const XML_Char *name, const XML_Char *system_id,
                       const XML_Char *public_id, int internal_subset)
{
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)internal_subset;
    fail(user, "a DOCTYPE: definitions of entities are not read");
}

static char *copy(const XML_Char *text, char **to)
{
    char *begin = *to;
    const size_t size = strlen(text) + 1;
    memcpy(begin, text, size);
    *to += size;
    return begin;
}

/* Declares a namespace's prefix, and is no attribute of the element. */
static int is_declaration(const XML_Char *name)
{
    return strcmp(name, "xmlns") == 0 || strncmp(name, "xmlns:", 6) == 0;
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

/* attribute: names and values in turn, then NULL. */
static void on_start(void *user, const XML_Char *name, const XML_Char **attribute)
{
    reading *r = user;
    size_t bytes = sizeof(saddle__xml_element) + strlen(name) + 1;
    int64_t attributes = 0;
    if (r->status != SADDLE_OK) return;
    if (r->open && r->open->depth == UINT8_MAX) {
        fail(r, "elements are nested too deep");
        return;
    }
    for (const XML_Char **at = attribute; *at; at += 2) {
        if (is_declaration(at[0])) continue;
        bytes += sizeof(saddle__xml_attribute) + strlen(at[0]) + strlen(at[1]) + 2;
        attributes++;
    }
    saddle__xml_element *element = saddle_allocate(r->xml->context, (int64_t)bytes, 1);
    if (!element) {
        r->status = SADDLE_OUT_OF_MEMORY;
        XML_StopParser(r->parser, XML_FALSE);
        return;
    }
    element->attribute = (saddle__xml_attribute *)(element + 1);
    char *text = (char *)(element->attribute + attributes);
    element->name = copy(name, &text);
    element->file = r->label;
    element->line = line_of(r);
    for (const XML_Char **at = attribute; *at; at += 2) {
        if (is_declaration(at[0])) continue;
        saddle__xml_attribute *to = &element->attribute[element->attributes++];
        to->name = copy(at[0], &text);
        to->value = copy(at[1], &text);
    }
    attach(r, element);
}

static void on_end(void *user, const XML_Char *name)
{
    reading *r = user;
    (void)name;
    if (r->open) r->open = r->open->parent;
}

static void parse(reading *r, const char *text, int64_t length)
{
    /* In pieces, as a length is an int; in few, as Expat before 2.6 reads a tag or comment without
     * its end again with each. */
    const int64_t piece = INT_MAX / 64;
    int64_t at = 0, rest;
    enum XML_Status status;
    do {
        rest = length - at < piece ? length - at : piece;
        status = XML_Parse(r->parser, text + at, (int)rest, at + rest == length);
        at += rest;
    } while (status == XML_STATUS_OK && at < length);
    if (status == XML_STATUS_OK || r->status != SADDLE_OK) return;
    enum XML_Error error = XML_GetErrorCode(r->parser);
    if (error == XML_ERROR_NO_MEMORY) {
        r->status = saddle_fail(r->xml->context, SADDLE_OUT_OF_MEMORY, "%s: out of memory",
                                r->label);
        return;
    }
    char reason[256];
    snprintf(reason, sizeof reason, "invalid XML: %s", XML_ErrorString(error));
    fail(r, reason);
}

saddle_status saddle__xml_read(saddle__xml *xml, const char *text, int64_t length,
                               const char *label, saddle__xml_element **root)
{
    reading r = {.xml = xml, .label = label, .status = SADDLE_OK};
    *root = NULL;
    r.parser = XML_ParserCreate(NULL);
    if (!r.parser) return saddle_fail(xml->context, SADDLE_OUT_OF_MEMORY, "out of memory");
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_start, on_end);
    XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
    parse(&r, text, length);
    XML_ParserFree(r.parser);
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
                       "%s: this build reads no XML: Expat was absent", label);
}

#endif
