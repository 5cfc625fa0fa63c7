/* base: results, mistakes, defs, cpu features. */
#include "base/base.h"
#include "host.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static void test_results(void **state)
{
    (void)state;
    assert_int_equal(PLIANT_OK, 0);
    assert_string_equal(pliant_result_name(PLIANT_OK), "PLIANT_OK");
    assert_string_equal(pliant_result_name(PLIANT_BAD_INDEX), "PLIANT_BAD_INDEX");
    assert_string_equal(pliant_result_name((PliantResult)-1), "PLIANT_UNKNOWN");
    assert_string_equal(pliant_result_name(PLIANT_RESULT_COUNT), "PLIANT_UNKNOWN");
    for (int r = 0; r < PLIANT_RESULT_COUNT; r++)
        assert_true(strlen(pliant_result_text((PliantResult)r)) > 5);
}

static void test_version(void **state)
{
    (void)state;
    int major, minor, patch;
    assert_int_equal(sscanf(pliant_version(), "%d.%d.%d", &major, &minor, &patch), 3);
    assert_int_equal(major, PLIANT_VERSION_MAJOR);
    assert_int_equal(minor, PLIANT_VERSION_MINOR);
    assert_int_equal(patch, PLIANT_VERSION_PATCH);
}

static PliantResult half(const PliantHost *host, int value, int *out)
{
    const PliCall call = PLI_CALL(host);
    PLI_CHECK(&call, value % 2 == 0, PLIANT_BAD_ARGUMENT, "value is %d, which is odd", value);
    *out = value / 2;
    return PLIANT_OK;
}

static void test_check_reports(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    int out = -1;
    assert_int_equal(half(&host.host, 4, &out), PLIANT_OK);
    assert_int_equal(host.reports, 0);
    assert_int_equal(half(&host.host, 5, &out), PLIANT_BAD_ARGUMENT);
    assert_int_equal(out, 2);
    assert_int_equal(host.reports, 1);
    assert_int_equal(host.result, PLIANT_BAD_ARGUMENT);
    assert_string_equal(host.message, "half: value is 5, which is odd");
}

static void test_long_message_is_cut_not_lost(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    char text[1000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    const PliCall call = PLI_CALL(&host.host);
    pli_mistake(&call, PLIANT_BAD_DEF, "%s", text);
    assert_int_equal(strlen(host.message), 255);
}

/* A host without a size is never called: its fields are not what they seem. */
static void test_host_without_size_is_not_called(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    host.host.struct_size = 0;
    assert_null(PLI_CALL(&host.host).host);
    assert_null(PLI_CALL(NULL).host);
    assert_string_equal(PLI_CALL(NULL).function, "test_host_without_size_is_not_called");
    assert_int_equal(pliant_host_default().struct_size, sizeof(PliantHost));
}

typedef struct Def {
    size_t struct_size;
    size_t first, second;
} Def;

static void test_record_of_older_and_newer_callers(void **state)
{
    (void)state;
    const Def defaults = {sizeof(Def), 1, 2};
    struct {
        Def def;
        int64_t unknown;
    } newer = {{sizeof newer, 7, 8}, 0};

    Def def = defaults;
    const size_t first = offsetof(Def, second);
    assert_true(pli_record_read(&def, sizeof def, first, &newer, sizeof newer));
    assert_int_equal(def.first, 7);
    assert_int_equal(def.second, 8);
    newer.unknown = 1; /* asks for something that this library cannot do */
    def = defaults;
    assert_false(pli_record_read(&def, sizeof def, first, &newer, sizeof newer));
    assert_int_equal(def.first, 7); /* what is known can be used to say what is not */

    struct {
        size_t struct_size, first;
    } older = {sizeof older, 9};
    def = defaults;
    assert_true(pli_record_read(&def, sizeof def, first, &older, older.struct_size));
    assert_int_equal(def.first, 9);
    assert_int_equal(def.second, 2);

    /* Sizes that cannot be true: none, too short, between two fields, beyond all reason. */
    static const size_t wrong[] = {0, sizeof(size_t), sizeof(Def) - sizeof(size_t) / 2,
                                   sizeof(Def) + 1, (size_t)-8};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        def = defaults;
        assert_false(pli_record_read(&def, sizeof def, first, &newer, wrong[i]));
        assert_int_equal(def.first, 1);
    }
}

static void test_record_is_written_as_far_as_it_goes(void **state)
{
    (void)state;
    const Def known = {sizeof(Def), 7, 8};
    const size_t first = offsetof(Def, second);
    struct {
        size_t struct_size, first, canary;
    } older = {2 * sizeof(size_t), 1, 99};
    assert_true(pli_record_write(&older, first, &known, sizeof known));
    assert_int_equal(older.struct_size, 2 * sizeof(size_t));
    assert_int_equal(older.first, 7);
    assert_int_equal(older.canary, 99);

    struct {
        Def def;
        int64_t unknown;
    } newer = {{sizeof newer, 1, 2}, 3};
    assert_true(pli_record_write(&newer, first, &known, sizeof known));
    assert_int_equal(newer.def.struct_size, sizeof newer);
    assert_int_equal(newer.def.second, 8);
    assert_int_equal(newer.unknown, 3);

    static const size_t wrong[] = {0, sizeof(size_t), sizeof(Def) - sizeof(size_t) / 2,
                                   sizeof(Def) + 1, (size_t)-8};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Def def = {wrong[i], 1, 2};
        assert_false(pli_record_is_writable(&def, first));
        assert_false(pli_record_write(&def, first, &known, sizeof known));
        assert_int_equal(def.first, 1);
    }
}

static void test_cpu_names(void **state)
{
    (void)state;
    assert_string_equal(pliant_cpu_name(PLIANT_CPU_NONE), "c");
    assert_string_equal(pliant_cpu_name(PLIANT_CPU_ALL), pliant_cpu_name(pliant_cpu_features()));
#ifdef PLIANT_SCALAR
    assert_int_equal(pliant_cpu_features(), PLIANT_CPU_NONE);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_check_reports),
        cmocka_unit_test(test_long_message_is_cut_not_lost),
        cmocka_unit_test(test_record_of_older_and_newer_callers),
        cmocka_unit_test(test_host_without_size_is_not_called),
        cmocka_unit_test(test_record_is_written_as_far_as_it_goes),
        cmocka_unit_test(test_cpu_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
