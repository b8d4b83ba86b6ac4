/* SPDX-License-Identifier: MIT */
/* JSON in one pass: see json_scan.h. */
#include "files/json_scan.h"

#include <stdio.h>
#include <string.h>

#include "base/unset.h"
#include "files/number.h"
#include "files/text.h"

#define MAX_DEPTH 64

/* The unexpected character, or the end of the file. */
static saddle_status fail_wanted(saddle__scan *scan, const char *what, const char *wanted)
{
    if (scan->at == scan->end)
        return saddle__scan_fail(scan, "%s: expected %s, found the end of the file", what, wanted);
    char c = *scan->at >= ' ' && *scan->at <= '~' ? *scan->at : '?';
    return saddle__scan_fail(scan, "%s: expected %s, found '%c'", what, wanted, c);
}

static int next_is(saddle__scan *scan, char c)
{
    saddle__scan_skip_space(scan);
    if (scan->at == scan->end || *scan->at != c) return 0;
    scan->at++;
    return 1;
}

/* 1: the value is null, and has been passed. */
static int is_null(saddle__scan *scan)
{
    saddle__scan_skip_space(scan);
    return saddle__scan_literal(scan, "null");
}

/* ---- brackets ---- */

saddle_status saddle__json_open(saddle__scan *scan, const char *what, char bracket,
                                saddle__json_walk *walk)
{
    *walk = (saddle__json_walk){.scan = scan, .close = bracket == '{' ? '}' : ']'};
    if (next_is(scan, bracket)) return SADDLE_OK;
    return fail_wanted(scan, what, bracket == '{' ? "an object" : "a list");
}

/* ---- strings ---- */

static int hex_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Four hexadecimal digits; -1 on failure. */
static int32_t take_hex(saddle__scan *scan)
{
    int32_t code = 0;
    if (scan->end - scan->at < 4) return -1;
    for (int i = 0; i < 4; i++) {
        int value = hex_value(scan->at[i]);
        if (value < 0) return -1;
        code = 16 * code + value;
    }
    scan->at += 4;
    return code;
}

/* The code point after \u, of two escapes for a surrogate pair; -1 if invalid or U+0000. */
static int32_t take_code_point(saddle__scan *scan)
{
    int32_t code = take_hex(scan);
    if (code < 0xd800 || code > 0xdfff) return code == 0 ? -1 : code;
    if (code > 0xdbff || scan->end - scan->at < 2 || scan->at[0] != '\\' || scan->at[1] != 'u')
        return -1;
    scan->at += 2;
    int32_t low = take_hex(scan);
    if (low < 0xdc00 || low > 0xdfff) return -1;
    return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
}

static int encode(int32_t code, char bytes[4])
{
    static const int first[] = {0, 0x00, 0xc0, 0xe0, 0xf0};
    int count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = count - 1; i > 0; i--, code >>= 6) bytes[i] = (char)(0x80 | (code & 0x3f));
    bytes[0] = (char)(first[count] | code);
    return count;
}

/* One character of a string to at most four bytes; returns the number of bytes, or -1. */
static int take_character(saddle__scan *scan, char bytes[4])
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    bytes[0] = *scan->at++;
    if ((unsigned char)bytes[0] < 0x20) return -1;
    if (bytes[0] != '\\') return 1;
    if (scan->at == scan->end) return -1;
    char c = *scan->at++;
    if (c == 'u') {
        int32_t code = take_code_point(scan);
        return code < 0 ? -1 : encode(code, bytes);
    }
    const char *escape = c ? strchr(escapes, c) : NULL;
    if (!escape) return -1;
    bytes[0] = meant[escape - escapes];
    return 1;
}

/* The bytes of a string, cut to size with a NUL; *length: of the whole string. */
static saddle_status scan_string(saddle__scan *scan, const char *what, char *text, int64_t size,
                                 int64_t *length)
{
    if (!next_is(scan, '"')) return fail_wanted(scan, what, "a string");
    *length = 0;
    while (scan->at < scan->end && *scan->at != '"') {
        char bytes[4];
        int count = take_character(scan, bytes);
        if (count < 0)
            return saddle__scan_fail(scan, "%s: a string with a character that JSON does not allow",
                                     what);
        for (int i = 0; i < count; i++, ++*length)
            if (*length < size - 1) text[*length] = bytes[i];
    }
    if (scan->at == scan->end) return saddle__scan_fail(scan, "%s: a string without end", what);
    scan->at++;
    if (size > 0) text[*length < size ? *length : size - 1] = 0;
    return SADDLE_OK;
}

saddle_status saddle__json_step(saddle__json_walk *walk, int *more)
{
    *more = 0;
    if (next_is(walk->scan, walk->close)) return SADDLE_OK;
    if (walk->begun && !next_is(walk->scan, ','))
        return fail_wanted(walk->scan, "JSON", walk->close == '}' ? "',' or '}'" : "',' or ']'");
    walk->begun = 1;
    *more = 1;
    if (walk->close != '}') return SADDLE_OK;
    int64_t length;
    saddle_status status = scan_string(walk->scan, "key", walk->key, sizeof walk->key, &length);
    if (status == SADDLE_OK && !next_is(walk->scan, ':'))
        status = fail_wanted(walk->scan, "key", "':'");
    return status;
}

saddle_status saddle__json_string_or_null(saddle__scan *scan, const char *what, char **value)
{
    *value = NULL;
    if (is_null(scan)) return SADDLE_OK;
    const char *place = scan->at;
    int64_t length;
    saddle_status status = scan_string(scan, what, NULL, 0, &length);
    if (status != SADDLE_OK) return status;
    *value = saddle_allocate(scan->context, length + 1, 1);
    if (!*value) return SADDLE_OUT_OF_MEMORY;
    scan->at = place;
    status = scan_string(scan, what, *value, length + 1, &length);
    if (status == SADDLE_OK && !saddle__text_is_utf8(*value))
        status = saddle__scan_fail_at(scan, place, "%s: a string that is not UTF-8", what);
    if (status != SADDLE_OK) {
        saddle_release(scan->context, *value);
        *value = NULL;
    }
    return status;
}

/* ---- numbers and words ---- */

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9') p++;
    return p;
}

/* One past a number of JSON's grammar, NULL on failure; *integer: 1 without fraction and exponent.
 */
static const char *number_end(const char *p, const char *end, int *integer)
{
    *integer = 1;
    if (p < end && *p == '-') p++;
    const char *digits = p;
    p = skip_digits(p, end);
    if (p == digits || (*digits == '0' && p - digits > 1)) return NULL;
    if (p < end && *p == '.') {
        const char *fraction = p + 1;
        p = skip_digits(fraction, end);
        *integer = 0;
        if (p == fraction) return NULL;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        const char *exponent = p;
        p = skip_digits(exponent, end);
        *integer = 0;
        if (p == exponent) return NULL;
    }
    return p;
}

saddle_status saddle__json_integer(saddle__scan *scan, const char *what, int64_t *value)
{
    int integer;
    saddle__scan_skip_space(scan);
    const char *next = number_end(scan->at, scan->end, &integer);
    if (!next) return fail_wanted(scan, what, "an integer");
    if (!integer)
        return saddle__scan_fail(scan, "%s: %.*s is not an integer", what,
                                 (int)(next - scan->at > 40 ? 40 : next - scan->at), scan->at);
    if (saddle__integer_parse(scan->at, next, value, &next) != SADDLE__NUMBER_FINITE)
        return saddle__scan_fail(scan, "%s: does not fit 64 bits", what);
    scan->at = next;
    return SADDLE_OK;
}

saddle_status saddle__json_number(saddle__scan *scan, const char *what, double *value)
{
    int integer;
    saddle__scan_skip_space(scan);
    const char *next = number_end(scan->at, scan->end, &integer);
    if (!next) return fail_wanted(scan, what, "a number");
    if (saddle__number_parse(scan->at, next, value, &next) != SADDLE__NUMBER_FINITE)
        return saddle__scan_fail(scan, "%s: too large for a double", what);
    scan->at = next;
    return SADDLE_OK;
}

saddle_status saddle__json_boolean(saddle__scan *scan, const char *what, int *value)
{
    *value = saddle__scan_literal(scan, "true");
    if (*value || saddle__scan_literal(scan, "false")) return SADDLE_OK;
    saddle__scan_skip_space(scan);
    return fail_wanted(scan, what, "true or false");
}

/* ---- skipped values ---- */

static saddle_status skip_value(saddle__scan *scan, int depth);

static saddle_status skip_inside(saddle__scan *scan, char bracket, int depth)
{
    saddle__json_walk walk;
    int more = 1;
    if (depth == MAX_DEPTH)
        return saddle__scan_fail(scan, "JSON: nested more than %d deep", MAX_DEPTH);
    saddle_status status = saddle__json_open(scan, "JSON", bracket, &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more)
        status = skip_value(scan, depth + 1);
    return status;
}

static saddle_status skip_value(saddle__scan *scan, int depth)
{
    int64_t length;
    double number;
    saddle__scan_skip_space(scan);
    if (scan->at < scan->end && (*scan->at == '{' || *scan->at == '['))
        return skip_inside(scan, *scan->at, depth);
    if (scan->at < scan->end && *scan->at == '"')
        return scan_string(scan, "JSON", NULL, 0, &length);
    if (saddle__scan_literal(scan, "true") || saddle__scan_literal(scan, "false") ||
        saddle__scan_literal(scan, "null"))
        return SADDLE_OK;
    return saddle__json_number(scan, "JSON", &number);
}

saddle_status saddle__json_end(saddle__scan *scan)
{
    return saddle__scan_at_end(scan) ? SADDLE_OK : fail_wanted(scan, "JSON", "the end");
}

/* ---- objects by a table ---- */

static saddle_status read_list(saddle__scan *scan, const char *what, saddle__json_type type,
                               saddle__json_list *list)
{
    saddle__json_walk walk;
    char name[SADDLE__JSON_KEY_SIZE + 40];
    int more = 1;
    list->count = 0;
    saddle_status status = saddle__json_open(scan, what, '[', &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK) {
        if ((more && list->count == list->room) || !list->element) {
            int64_t room = 2 * list->room + 8;
            if (saddle__grow(scan->context, &list->element, room, sizeof(int64_t)))
                return SADDLE_OUT_OF_MEMORY;
            list->room = room;
        }
        if (!more) break;
        void *at = (int64_t *)list->element + list->count;
        snprintf(name, sizeof name, "%s: element %lld", what, (long long)list->count + 1);
        status = type == SADDLE__JSON_INTEGERS  ? saddle__json_integer(scan, name, at)
                 : type == SADDLE__JSON_NUMBERS ? saddle__json_number(scan, name, at)
                                                : saddle__json_string_or_null(scan, name, at);
        list->count += status == SADDLE_OK;
    }
    return status;
}

static saddle_status read_size(saddle__scan *scan, const char *what, int64_t most, int64_t *value)
{
    saddle__scan_skip_space(scan);
    const char *place = scan->at;
    saddle_status status = saddle__json_integer(scan, what, value);
    if (status == SADDLE_OK && *value < 0)
        return saddle__scan_fail_at(scan, place, "%s is %lld, less than 0", what,
                                    (long long)*value);
    if (status == SADDLE_OK && most > 0 && *value > most)
        return saddle__scan_fail_at(scan, place, "%s is %lld, more than %lld", what,
                                    (long long)*value, (long long)most);
    return status;
}

static saddle_status read_field(saddle__scan *scan, const char *what,
                                const saddle__json_field *field, void *object)
{
    void *at = (char *)object + field->offset;
    switch (field->type) {
    case SADDLE__JSON_INTEGER: return saddle__json_integer(scan, what, at);
    case SADDLE__JSON_SIZE: return read_size(scan, what, field->most, at);
    case SADDLE__JSON_NUMBER:
        return is_null(scan) ? SADDLE_OK : saddle__json_number(scan, what, at);
    case SADDLE__JSON_BOOLEAN: return saddle__json_boolean(scan, what, at);
    case SADDLE__JSON_STRING:
        saddle_release(scan->context, *(char **)at);
        return saddle__json_string_or_null(scan, what, at);
    case SADDLE__JSON_NOTED: *(int *)at = 1; return skip_value(scan, 0);
    case SADDLE__JSON_OWN: return field->read(scan, what, object);
    default: return read_list(scan, what, field->type, at);
    }
}

saddle_status saddle__json_object(saddle__scan *scan, const char *what,
                                  const saddle__json_field *fields, void *object, unsigned *given)
{
    saddle__json_walk walk;
    int more = 1;
    unsigned seen = 0;
    char quoted[SADDLE__JSON_KEY_SIZE + 2];
    saddle_status status = saddle__json_open(scan, what, '{', &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        int k = 0;
        while (fields[k].key && strcmp(fields[k].key, walk.key) != 0) k++;
        snprintf(quoted, sizeof quoted, "\"%s\"", walk.key);
        if (!fields[k].key)
            status = skip_value(scan, 0);
        else if (seen >> k & 1)
            status = saddle__scan_fail(scan, "%s is given twice", quoted);
        else
            status = read_field(scan, quoted, &fields[k], object);
        seen |= fields[k].key ? 1u << k : 0;
    }
    for (int k = 0; status == SADDLE_OK && fields[k].key; k++)
        if (fields[k].required && !(seen >> k & 1))
            status = saddle__scan_fail(scan, "%s: \"%s\" is missing", what, fields[k].key);
    if (given) *given = seen;
    return status;
}
