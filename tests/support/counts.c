/* Counts of what was reached: see counts.h. */
#include "counts.h"

#include <inttypes.h>
#include <stdio.h>

bool test_print_counts(const char *name, const int64_t *counts, int size)
{
    bool is_complete = true;
    printf("%-10s", name);
    for (int i = 0; i < size; i++) {
        printf(" %" PRId64, counts[i]);
        is_complete &= counts[i] > 0;
    }
    printf("%s\n", is_complete ? "" : ", NOT ALL REACHED");
    return is_complete;
}
