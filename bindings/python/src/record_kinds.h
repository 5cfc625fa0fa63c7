/* The kinds of arrays that go out: tables of fields. */
#ifndef RECORD_KINDS_H
#define RECORD_KINDS_H

#include "binding.h"

typedef struct Field {
    const char *name;
    const char *stem;   /* of two fields of the structured array; NULL: it is one */
    const char *format; /* as numpy writes it: "i4" */
    size_t offset;
    Py_ssize_t shape[2], strides[2]; /* of one item; a length of 0 is none */
    const char *doc;
} Field;

typedef struct Attribute {
    const char *name, *doc; /* NULL: none */
} Attribute;

typedef struct Kind {
    const char *name;
    size_t size;
    const Field *fields;
    bool is_answer; /* of a query: it has a stamp and can be limited */
    Attribute flag; /* one more fact about all items */
    Attribute extras[MAX_EXTRAS];
    const char *doc;
} Kind;

extern const Kind record_kinds[RECORD_KINDS];

#endif
