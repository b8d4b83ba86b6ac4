/* SPDX-License-Identifier: MIT */
/* Which format a file has.
 *
 * HDF5 and Matrix Market say it themselves; a bundle is a folder.  The other texts are numbers
 * without a name: each reader walks the whole file, and the format is that of the first, in the
 * order below, which it fits from beginning to end.  Where none fits, the message is that of the
 * one that went furthest.
 */
#include "files/detect.h"

#include <string.h>

#include "files/fclib_hdf5.h"
#include "files/mtx.h"
#include "files/number.h"

enum { NEEDS_RHS = 1, TAKES_NO_RHS = 2, NUMBERS_ONLY = 4, BY_NAME = 8 };
enum { MESSAGE_SIZE = 1024 };

static const char VECTOR_OF_LINES[] = "a vector in lines `i v`";

typedef struct text_format {
    saddle_format format;
    saddle__problem_reader *read;
    int when;
} text_format;

/* From the most to the least self-describing; with a right-hand side only those that take one.
 * What a box LCP's numbers mean nothing in the file says: it is known by its name. */
static const text_format texts[] = {
    {SADDLE_FORMAT_SICONOS_LCP, saddle__siconos_lcp_read, TAKES_NO_RHS},
    {SADDLE_FORMAT_SICONOS_RELAY, saddle__siconos_relay_read, TAKES_NO_RHS},
    {SADDLE_FORMAT_SICONOS_MLCP, saddle__siconos_mlcp_read, TAKES_NO_RHS},
    {SADDLE_FORMAT_SICONOS_FC, saddle__siconos_fc_read, TAKES_NO_RHS},
    {SADDLE_FORMAT_SICONOS_GFC, saddle__siconos_gfc_read, TAKES_NO_RHS},
    {SADDLE_FORMAT_SICONOS_GMP, saddle__siconos_gmp_read, TAKES_NO_RHS},
    {SADDLE_FORMAT_SICONOS_MATRIX, saddle__siconos_matrix_problem_read, 0},
    {SADDLE_FORMAT_SICONOS_MATRIX, saddle__siconos_blocks_problem_read, 0},
    {SADDLE_FORMAT_LCP, saddle__lcp_text_read, TAKES_NO_RHS | NUMBERS_ONLY},
    {SADDLE_FORMAT_BOX_LCP, saddle__lcp_box_read, BY_NAME},
    {SADDLE_FORMAT_LCP_TRIPLETS, saddle__lcp_triplets_read, NEEDS_RHS},
};

enum { TEXTS = sizeof texts / sizeof texts[0] };

/* ---- what is no problem file ---- */

static int begins(const saddle__scan *scan, const char *mark, int64_t length)
{
    return scan->end - scan->begin >= length && memcmp(scan->begin, mark, (size_t)length) == 0;
}

/* A noun for files that are certainly something else, NULL otherwise. */
static const char *other_kind(const saddle__scan *scan)
{
    saddle__scan first = saddle__scan_text(NULL, scan->begin, scan->end - scan->begin, scan->label);
    int64_t looked = scan->end - scan->begin < 4096 ? scan->end - scan->begin : 4096;
    if (saddle__scan_at_end(&first)) return "an empty file";
    if (begins(scan, "PK\003\004", 4)) return "a zip archive (npz, docx)";
    if (begins(scan, "\x93NUMPY", 6)) return "a NumPy array";
    if (begins(scan, "MATLAB 5.0 MAT-file", 19)) return "a MATLAB file";
    if (begins(scan, "\x1f\x8b", 2)) return "a gzip-compressed file";
    if (memchr(scan->begin, 0, (size_t)looked)) return "a binary file";
    if (*first.at == '<') return "an XML file";
    if (*first.at == '{') return "a JSON file (a bundle is given as its folder)";
    return NULL;
}

/* What a text of numbers only is that no problem is: lines `i v` with i = 1, 2, .., or one number a
 * line; else NULL. */
static const char *vector_kind(const saddle__scan *scan)
{
    saddle__scan at = saddle__scan_text(NULL, scan->begin, scan->end - scan->begin, scan->label);
    int64_t count = 0;
    int indexed = 1, column = 1;
    while ((indexed || column) && !saddle__scan_at_end(&at)) {
        const char *next;
        double value;
        if (saddle__number_parse(at.at, at.end, &value, &next) == SADDLE__NUMBER_NONE) return NULL;
        if (count % 2 == 0 && value != (double)(count / 2 + 1)) indexed = 0;
        at.at = next;
        if (!saddle__scan_line_ends(&at)) column = 0;
        count++;
    }
    if (indexed && count > 2 && count % 2 == 0) return VECTOR_OF_LINES;
    return column && count > 0 ? "a column of numbers" : NULL;
}

/* ---- walking ---- */

/* 1 = fits.  *reached: where it stopped fitting otherwise.  SADDLE_OUT_OF_MEMORY ends the
 * search. */
static saddle_status walk(const saddle__scan *scan, const text_format *text, int *fits,
                          const char **reached)
{
    saddle__scan at = saddle__scan_text(scan->context, scan->begin, scan->end - scan->begin,
                                        scan->label);
    saddle_status status = text->read(&at, NULL);
    *fits = status == SADDLE_OK;
    *reached = at.at;
    return status == SADDLE_OUT_OF_MEMORY ? status : SADDLE_OK;
}

/* Tokens before place, at most 3 counted. */
static int tokens_before(const saddle__scan *scan, const char *place)
{
    saddle__scan at = saddle__scan_text(NULL, scan->begin, scan->end - scan->begin, scan->label);
    int count = 0;
    while (count < 3 && !saddle__scan_at_end(&at) && at.at < place) {
        const char *word;
        int64_t length;
        saddle__scan_word(&at, &word, &length);
        count++;
    }
    return count;
}

static saddle_status is_other(const saddle__scan *scan, const char *kind)
{
    return saddle_fail(scan->context, SADDLE_BAD_FILE, "%s: not a problem file but %s", scan->label,
                       kind);
}

/* Nothing fits: says why. */
static saddle_status explain(const saddle__scan *scan, int has_rhs, const text_format *furthest,
                             const char *reached)
{
    const char *place, *vector = vector_kind(scan);
    int fits = 0;
    saddle_status status = walk(scan, &texts[TEXTS - 1], &fits, &place); /* the triplets */
    if (status != SADDLE_OK) return status;
    if (fits && !has_rhs)
        return saddle_fail(
            scan->context, SADDLE_BAD_FILE,
            "%s: lines `i j v` of an lcp-triplets problem: it needs q in a second file (rhs)",
            scan->label);
    if (tokens_before(scan, reached) >= 3) {
        saddle__scan again = saddle__scan_text(scan->context, scan->begin, scan->end - scan->begin,
                                               scan->label);
        return furthest->read(&again, NULL); /* for its message */
    }
    return is_other(scan, vector ? vector : "a text of no known format");
}

/* 1 where the first numbers are those of a Siconos problem, whatever comes after: the numbers of a
 * damaged one may by accident be as many as those of an older LCP.
 *     n storage n n   or   dim contacts storage m m with m = dim contacts   or
 *         dim contacts 0 n n n n */
static int claims_siconos(const saddle__scan *scan)
{
    saddle__scan at = saddle__scan_text(NULL, scan->begin, scan->end - scan->begin, scan->label);
    int64_t head[7] = {0};
    int count = 0;
    while (count < 7 && saddle__scan_integer(&at, "", &head[count]) == SADDLE_OK) count++;
    if (count >= 4 && head[0] > 0 && head[1] >= 0 && head[1] <= 2 && head[2] == head[0] &&
        head[3] == head[0])
        return 1;
    int contacts = count >= 5 && head[0] >= 2 && head[0] <= 5 && head[2] >= 0 && head[2] <= 2 &&
                   head[3] > 0 && head[4] == head[3];
    if (!contacts) return 0;
    return (head[3] % head[0] == 0 && head[3] / head[0] == head[1]) ||
           (count == 7 && head[2] == 0 && head[5] == head[3] && head[6] == head[3]);
}

static saddle_status detect_text(const saddle__scan *scan, int has_rhs, saddle_format *format)
{
    const text_format *furthest = &texts[0];
    const char *reached = scan->begin, *place;
    int fits = 0, skipped = BY_NAME | (has_rhs ? TAKES_NO_RHS : NEEDS_RHS) |
                            (claims_siconos(scan) ? NUMBERS_ONLY : 0);
    /* `1 a 2 b` could be an LCP of one row with its answer; it is far more likely q of an
     * lcp-triplets problem */
    if (!has_rhs && vector_kind(scan) == VECTOR_OF_LINES) return is_other(scan, VECTOR_OF_LINES);
    for (int k = 0; k < TEXTS; k++) {
        if (texts[k].when & skipped) continue;
        saddle_status status = walk(scan, &texts[k], &fits, &place);
        if (status != SADDLE_OK) return status;
        *format = texts[k].format;
        if (fits) return SADDLE_OK;
        if (place > reached) {
            reached = place;
            furthest = &texts[k];
        }
    }
    return explain(scan, has_rhs, furthest, reached);
}

/* The walks that fail on the way to one that fits are no failures of the call: the message is put
 * back. */
static void keep_message(const saddle_context *context, char saved[MESSAGE_SIZE])
{
    strncpy(saved, saddle_context_message(context), MESSAGE_SIZE - 1);
    saved[MESSAGE_SIZE - 1] = 0;
}

saddle__problem_reader *saddle__detect_reader(const saddle__scan *scan, saddle_format format)
{
    saddle__problem_reader *first = NULL;
    char saved[MESSAGE_SIZE];
    const char *place;
    int fits = 0;
    keep_message(scan->context, saved);
    for (int k = 0; k < TEXTS && !fits; k++) {
        if (texts[k].format != format) continue;
        if (!first)
            first = texts[k].read;
        else if (walk(scan, &texts[k], &fits, &place) == SADDLE_OK && fits)
            first = texts[k].read;
    }
    (void)saddle_fail(scan->context, SADDLE_OK, "%s", saved);
    return first;
}

saddle_status saddle__detect(saddle__scan *scan, int has_rhs, saddle_format *format)
{
    char saved[MESSAGE_SIZE];
    static const char box_name[] = ".blcp.txt";
    size_t length = strlen(scan->label), tail = sizeof box_name - 1;
    const char *other = other_kind(scan);
    *format = SADDLE_FORMAT_AUTO;
    if (saddle__hdf5_recognise(scan->begin, scan->end - scan->begin))
        *format = SADDLE_FORMAT_FCLIB;
    else if (saddle__mtx_is(scan->begin, scan->end - scan->begin))
        *format = SADDLE_FORMAT_MATRIX_MARKET;
    else if (other)
        return is_other(scan, other);
    else if (length > tail && strcmp(scan->label + length - tail, box_name) == 0)
        *format = SADDLE_FORMAT_BOX_LCP;
    if (*format != SADDLE_FORMAT_AUTO) return SADDLE_OK;
    keep_message(scan->context, saved);
    saddle_status status = detect_text(scan, has_rhs, format);
    return status == SADDLE_OK ? saddle_fail(scan->context, SADDLE_OK, "%s", saved) : status;
}
