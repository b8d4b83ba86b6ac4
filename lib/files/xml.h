/* SPDX-License-Identifier: MIT */
/* XML files as trees of elements in the context's memory; Expat splits the text.
 *
 *     saddle__xml xml = {.context = context};
 *     status = saddle__xml_read(&xml, text, length, "arm.xml", &root);
 *     ...
 *     saddle__xml_clear(&xml);
 *
 * Text between elements, comments and processing instructions are dropped.  A file with a DOCTYPE
 * is refused: no entity is defined or fetched.  Elements are nested at most 255 deep. */
#ifndef SADDLE_FILES_XML_H
#define SADDLE_FILES_XML_H

#include <stdint.h>

#include "saddle/context.h"

typedef struct saddle__xml_attribute {
    const char *name; /* "prefix:name" in a namespace */
    const char *value;
} saddle__xml_attribute;

typedef struct saddle__xml_element saddle__xml_element;
struct saddle__xml_element {
    const char *name;
    const char *file; /* label of the file, borrowed */
    int64_t line;     /* from 1 */
    uint8_t depth;    /* 0 = the root */
    int64_t attributes;
    saddle__xml_attribute *attribute;
    saddle__xml_element *parent, *first, *last, *next;
    saddle__xml_element *older; /* the element made before, in any file */
};

typedef struct saddle__xml { /* all zero but the context = none */
    saddle_context *context;
    saddle__xml_element *newest; /* of all files read */
} saddle__xml;

/* *root: owned by xml, NULL on failure.  label: borrowed as long as xml.  SADDLE_BAD_FILE with
 * "LABEL:LINE: reason"; SADDLE_UNSUPPORTED in a build without Expat; SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__xml_read(saddle__xml *xml, const char *text, int64_t length,
                               const char *label, saddle__xml_element **root);

void saddle__xml_clear(saddle__xml *xml);

/* The value of an attribute; NULL = not given. */
const char *saddle__xml_attribute_of(const saddle__xml_element *element, const char *name);

/* The first child of the name; NULL = none. */
const saddle__xml_element *saddle__xml_child(const saddle__xml_element *element, const char *name);

/* SADDLE_BAD_FILE with "FILE:LINE: NAME: reason". */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
saddle_status
saddle__xml_fail(saddle_context *context, const saddle__xml_element *element, const char *format,
                 ...);

#endif
