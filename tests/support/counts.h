/* What a random test has reached, counted by kinds. */
#ifndef TEST_COUNTS_H
#define TEST_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* Prints the counts of all kinds of something; false if one of them is zero. */
bool test_print_counts(const char *name, const int64_t *counts, int size);

#endif
