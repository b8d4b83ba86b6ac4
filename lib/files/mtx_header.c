/* SPDX-License-Identifier: MIT */
/* The banner and the size line of a Matrix Market file. */
#include <string.h>

#include "files/mtx.h"

static const char banner[] = "%%matrixmarket";

/* Equal without regard to case; word is lower case. */
static int equals(const char *text, int64_t length, const char *word)
{
    if (length != (int64_t)strlen(word)) return 0;
    for (int64_t i = 0; i < length; i++) {
        char c = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 'a' - 'A') : text[i];
        if (c != word[i]) return 0;
    }
    return 1;
}

int saddle__mtx_is(const char *text, int64_t length)
{
    int64_t size = (int64_t)strlen(banner);
    return length >= size && equals(text, size, banner);
}

/* The next word of the banner's line; its place in words, or count when it is none of them. */
static saddle_status choose(saddle__scan *scan, const char *what, const char *const *words,
                            int count, int *choice)
{
    const char *word = "";
    int64_t length = 0;
    if (!saddle__scan_line_ends(scan)) saddle__scan_word(scan, &word, &length);
    for (*choice = 0; *choice < count; ++*choice)
        if (equals(word, length, words[*choice])) return SADDLE_OK;
    if (length == 0)
        return saddle__scan_fail_at(scan, scan->begin, "the banner ends before the %s", what);
    int shown = length > 32 ? 32 : (int)length;
    return saddle__scan_fail_at(scan, scan->begin, "the %s '%.*s' is not known", what, shown, word);
}

static saddle_status scan_banner(saddle__scan *scan, saddle__mtx_header *header)
{
    static const char *const objects[] = {"matrix"};
    static const char *const formats[] = {"array", "coordinate"};
    static const char *const fields[] = {"real", "integer", "pattern", "double", "complex"};
    static const char *const shapes[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    if (!saddle__mtx_is(scan->begin, scan->end - scan->begin))
        return saddle__scan_fail_at(
            scan, scan->begin, "not a Matrix Market file: it does not begin with %%%%MatrixMarket");
    scan->at = scan->begin + strlen(banner);
    int object, field, shape;
    saddle_status status = choose(scan, "object", objects, 1, &object);
    if (status == SADDLE_OK) status = choose(scan, "format", formats, 2, &header->coordinate);
    if (status == SADDLE_OK) status = choose(scan, "field", fields, 5, &field);
    if (status == SADDLE_OK) status = choose(scan, "symmetry", shapes, 4, &shape);
    if (status != SADDLE_OK) return status;
    if (field == 4 || shape == 3)
        return saddle__scan_fail_at(scan, scan->begin,
                                    "%s matrices are not supported: only real ones",
                                    field == 4 ? fields[field] : shapes[shape]);
    header->field = field == 3 ? SADDLE__MTX_REAL : (saddle__mtx_field)field;
    header->shape = (saddle__mtx_shape)shape;
    if (header->field == SADDLE__MTX_PATTERN && !header->coordinate)
        return saddle__scan_fail_at(scan, scan->begin, "an array cannot be a pattern");
    if (header->field == SADDLE__MTX_PATTERN && header->shape == SADDLE__MTX_SKEW)
        return saddle__scan_fail_at(scan, scan->begin, "a pattern cannot be skew-symmetric");
    if (!saddle__scan_line_ends(scan))
        return saddle__scan_fail_at(scan, scan->begin, "the banner goes on after the symmetry");
    return SADDLE_OK;
}

/* Numbers an array file holds: all, or those of the lower triangle without or with the diagonal. */
static saddle_status count_array(saddle__scan *scan, const char *place, saddle__mtx_header *header)
{
    int64_t rows = header->rows, cols = header->cols, all;
    if (__builtin_mul_overflow(rows, cols, &all))
        return saddle__scan_fail_at(scan, place, "%lld x %lld numbers are more than 64 bits count",
                                    (long long)rows, (long long)cols);
    header->entries = header->shape == SADDLE__MTX_GENERAL     ? all
                      : header->shape == SADDLE__MTX_SYMMETRIC ? rows + (all - rows) / 2
                                                               : (all - rows) / 2;
    return SADDLE_OK;
}

/* Fails unless that many entries fit in what is left: "1 1\n", "1 1 0\n", "0\n" are the
 * shortest. */
static saddle_status expect(saddle__scan *scan, const char *place, const saddle__mtx_header *header)
{
    int64_t least = !header->coordinate ? 2 : header->field == SADDLE__MTX_PATTERN ? 4 : 6;
    int64_t bytes = saddle__scan_remaining(scan);
    if (header->entries <= (bytes + 1) / least) return SADDLE_OK;
    return saddle__scan_fail_at(scan, place,
                                "%lld entries are announced, but only %lld bytes follow",
                                (long long)header->entries, (long long)bytes);
}

saddle_status saddle__mtx_header_scan(saddle__scan *scan, saddle__mtx_header *header)
{
    memset(header, 0, sizeof *header);
    saddle_status status = scan_banner(scan, header);
    if (status != SADDLE_OK) return status;
    saddle__scan_skip_comments(scan, '%');
    const char *place = scan->at;
    status = saddle__scan_size(scan, "number of rows", &header->rows);
    if (status == SADDLE_OK && saddle__scan_line_ends(scan))
        return saddle__scan_fail_at(scan, place, "the size line ends after the rows");
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "number of columns", &header->cols);
    if (status == SADDLE_OK && header->coordinate) {
        if (saddle__scan_line_ends(scan))
            return saddle__scan_fail_at(scan, place,
                                        "the size line ends before the number of entries");
        status = saddle__scan_size(scan, "number of entries", &header->entries);
    }
    if (status != SADDLE_OK) return status;
    if (!saddle__scan_line_ends(scan))
        return saddle__scan_fail_at(scan, place, "the size line goes on after %s",
                                    header->coordinate ? "rows, columns, entries"
                                                       : "rows, columns");
    if (header->shape != SADDLE__MTX_GENERAL && header->rows != header->cols)
        return saddle__scan_fail_at(scan, place, "a symmetric matrix of %lld x %lld",
                                    (long long)header->rows, (long long)header->cols);
    if (!header->coordinate) status = count_array(scan, place, header);
    return status == SADDLE_OK ? expect(scan, place, header) : status;
}

saddle_status saddle__mtx_plausible(const saddle__scan *scan, const saddle__mtx_header *header,
                                    int64_t known)
{
    int64_t bytes = scan->end - scan->begin,
            most = known > SADDLE__MTX_FREE_SIZE ? known : SADDLE__MTX_FREE_SIZE;
    int64_t size = header->rows > header->cols ? header->rows : header->cols;
    if (size <= most || size / SADDLE__MTX_SIZE_PER_BYTE <= bytes) return SADDLE_OK;
    return saddle_fail(scan->context, SADDLE_TOO_LARGE,
                       "%s:%lld: %lld x %lld is too large for a file of %lld bytes: beyond %lld "
                       "rows or columns it needs "
                       "a byte for each %d of them",
                       scan->label, (long long)saddle__scan_line(scan, scan->at),
                       (long long)header->rows, (long long)header->cols, (long long)bytes,
                       (long long)most, SADDLE__MTX_SIZE_PER_BYTE);
}

saddle_status saddle__mtx_end(saddle__scan *scan, const saddle__mtx_header *header)
{
    saddle__scan_warn_of_cut(scan);
    saddle__scan_skip_comments(scan, '%');
    if (scan->at == scan->end) return SADDLE_OK;
    return saddle__scan_fail(scan, "the file goes on after the %lld entries announced",
                             (long long)header->entries);
}
