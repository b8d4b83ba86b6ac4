/* SPDX-License-Identifier: MIT */
/* A file cut off within the last number looks like a file without a final newline: the file is
 * read, with a warning. */
#include "files_support.h"

#include <stdio.h>
#include <string.h>

#include "files/bundle.h"
#include "files/mtx.h"
#include "problem_support.h"

#define COORDINATE "%%MatrixMarket matrix coordinate real general\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

typedef struct heard {
    int warnings;
    char last[256];
} heard;

static void hear(void *user, saddle_log_level level, const char *message)
{
    heard *h = user;
    if (level != SADDLE_LOG_WARNING) return;
    h->warnings++;
    snprintf(h->last, sizeof h->last, "%s", message);
}

static saddle_context *listening(heard *h)
{
    saddle_context_options options = saddle_context_options_default();
    options.log = hear;
    options.log_user = h;
    saddle_context *context;
    memset(h, 0, sizeof *h);
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
    return context;
}

static void assert_warned(const heard *h, const char *text, const char *file, int warnings)
{
    if (h->warnings != warnings)
        fail_msg("%s\n%d warnings, not %d: %s", text, h->warnings, warnings, h->last);
    if (warnings > 0 && (strncmp(h->last, file, strlen(file)) != 0 || !strstr(h->last, "cut off")))
        fail_msg("%s\n%s", text, h->last);
}

typedef struct sample {
    saddle_format format;
    const char *text, *rhs;
} sample;

/* Each ends with the last digit of its last number. */
static const sample problems[] = {
    {SADDLE_FORMAT_MATRIX_MARKET, COORDINATE "1 1 1\n1 1 2.125", NULL},
    {SADDLE_FORMAT_MATRIX_MARKET,
     "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 2", NULL},
    {SADDLE_FORMAT_MATRIX_MARKET, ARRAY "1 1\n2.125", NULL},
    {SADDLE_FORMAT_MATRIX_MARKET, COORDINATE "0 0 0", NULL},
    {SADDLE_FORMAT_SICONOS_LCP, "1 0 1 1 1 1 2 -5.25", NULL},
    {SADDLE_FORMAT_SICONOS_RELAY, "1 0 1 1 1 1 2 -5 -1 1.25", NULL},
    {SADDLE_FORMAT_SICONOS_MLCP, "0 1 1 1 1 5 2 4 -1 -2.25", NULL},
    {SADDLE_FORMAT_SICONOS_MLCP, "1 0 1 1 0 1 2 0 1 0 2 2 2 2 1 0 0 1 -1 -2.25", NULL},
    {SADDLE_FORMAT_SICONOS_GMP,
     "1 4 4 2 2 2 1 4 1 4 3 2 0 1 2 0 1 0 5 1 2 0 0 0 2 0 0 0 2 1 2 3 4 2 4 0.5", NULL},
    {SADDLE_FORMAT_SICONOS_FC, "2 1 0 2 2 2 2 2 0.5 0.5 2 -1 0.5 0.25", NULL},
    {SADDLE_FORMAT_SICONOS_GFC,
     "2 1 0 3 3 3 3 2 0 0 0 1 0 0 0 1 0 3 2 3 2 1 2 3 4 5 6 7 8 9 -1 2 0.25", NULL},
    {SADDLE_FORMAT_SICONOS_MATRIX, "0 2 2 2 2 2 1 1 3", NULL},
    {SADDLE_FORMAT_LCP, "2 2 1 1 2 -5 -6", NULL},
    {SADDLE_FORMAT_BOX_LCP, "2 2 1 1 2 -5 -6 0 -1 1 2", NULL},
    {SADDLE_FORMAT_LCP_TRIPLETS, "1 1 2 1 2 1 2 2 2.5", "1 -5 2 -6\n"},
};

/* What follows the number in the place of nothing, and how many warnings that gives. */
static void read_with(const char *ending, int warnings)
{
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        heard h;
        char text[256];
        saddle_context *context = listening(&h);
        saddle_problem problem;
        snprintf(text, sizeof text, "%s%s", problems[k].text, ending);
        saddle_status status = read_problem_text(context, problems[k].format, text, problems[k].rhs,
                                                 &problem);
        if (status != SADDLE_OK) fail_msg("%s\n%s", text, saddle_context_message(context));
        assert_warned(&h, text, "text:", warnings);
        saddle_problem_clear(&problem);
        saddle_context_free(context);
    }
}

static void a_problem_that_ends_with_its_last_digit_is_read_with_one_warning(void **unused)
{
    (void)unused;
    read_with("", 1);
}

static void white_space_after_the_last_number_is_enough(void **unused)
{
    (void)unused;
    read_with("\n", 0);
    read_with(" ", 0);
    read_with("\r\n\n", 0);
}

static void a_remark_after_the_last_number_is_enough(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"1 0 1 1 1 1 2 -5\nremark",
                                        COORDINATE "1 1 1\n1 1 2\n% comment"};
    for (int k = 0; k < 2; k++) {
        heard h;
        saddle_context *context = listening(&h);
        saddle_problem problem;
        assert_int_equal(read_problem_text(context, SADDLE_FORMAT_AUTO, texts[k], NULL, &problem),
                         SADDLE_OK);
        assert_warned(&h, texts[k], "", 0);
        saddle_problem_clear(&problem);
        saddle_context_free(context);
    }
}

static void a_right_hand_side_and_a_detected_format_warn_alike(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *rhs, *file;
    } cases[] = {
        {COORDINATE "1 1 1\n1 1 2\n", "2.5", "rhs:"},
        {COORDINATE "1 1 1\n1 1 2\n", ARRAY "1 1\n2.5", "rhs:"},
        {"1 1 2\n", "1 -5.5", "rhs:"},
        {"1 0 1 1 1 1 2 -5.25", NULL, "text:"},
        {"2 1 0 2 2 2 2 2 0.5 0.5 2 -1 0.5 0.25", NULL, "text:"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        heard h;
        saddle_context *context = listening(&h);
        saddle_problem problem;
        saddle_status status = read_problem_text(context, SADDLE_FORMAT_AUTO, cases[k].text,
                                                 cases[k].rhs, &problem);
        if (status != SADDLE_OK) fail_msg("%s\n%s", cases[k].text, saddle_context_message(context));
        assert_warned(&h, cases[k].text, cases[k].file, 1);
        saddle_problem_clear(&problem);
        saddle_context_free(context);
    }
}

static void arrays_and_files_of_bundles_warn_by_name(void **unused)
{
    (void)unused;
    static const char *const arrays[] = {ARRAY "1 1\n2.5", COORDINATE "1 1 1\n1 1 2.5", "1\n2.5"};
    heard h;
    saddle_context *context = listening(&h);
    for (int k = 0; k < 3; k++) {
        int64_t rows, cols;
        double *value;
        h.warnings = 0;
        assert_int_equal(parse_array(context, arrays[k], (int64_t)strlen(arrays[k]), "x.mtx", 0,
                                     &rows, &cols, &value),
                         SADDLE_OK);
        assert_warned(&h, arrays[k], "x.mtx:", 1);
        saddle_release(context, value);
    }
    static const char json[] =
        "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 1, \"m\": 0}";
    static const char M[] = COORDINATE "1 1 1\n1 1 2\n", f[] = ARRAY "1 1\n2.5";
    saddle__source_text texts[] = {{"problem.json", json, (int64_t)strlen(json)},
                                   {"M.mtx", M, (int64_t)strlen(M)},
                                   {"f.mtx", f, (int64_t)strlen(f)},
                                   {NULL, NULL, 0}};
    saddle__source source = saddle__source_texts(context, texts, "b");
    saddle_problem problem;
    h.warnings = 0;
    assert_int_equal(saddle__bundle_parse(&source, &problem, NULL), SADDLE_OK);
    saddle__source_close(&source);
    assert_warned(&h, f, "b/f.mtx:", 1);
    saddle_problem_clear(&problem);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_problem_that_ends_with_its_last_digit_is_read_with_one_warning),
        cmocka_unit_test(white_space_after_the_last_number_is_enough),
        cmocka_unit_test(a_remark_after_the_last_number_is_enough),
        cmocka_unit_test(a_right_hand_side_and_a_detected_format_warn_alike),
        cmocka_unit_test(arrays_and_files_of_bundles_warn_by_name),
    };
    return cmocka_run_group_tests_name("cut_off", tests, NULL, NULL);
}
