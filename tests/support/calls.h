/* Calls of the library in one expression, for tests. */
#ifndef TEST_CALLS_H
#define TEST_CALLS_H

#include <pliant/pliant.h>

/* A query of one kind, for the time of one call. */
#define TEST_QUERY(query_kind)                                                                     \
    (&(const PliantCollideDef){.struct_size = sizeof(PliantCollideDef), .kind = (query_kind)})

static inline PliantShapeInfo test_shape_info(const PliantShape *shape)
{
    PliantShapeInfo info = pliant_shape_info_default();
    if (pliant_shape_info(shape, &info) != PLIANT_OK)
        __builtin_trap();
    return info;
}

/* The vertices of a body, for which there is room. */
static inline PliantResult test_body_vertices(const PliantWorld *world, PliantBody body,
                                              float *vertices)
{
    PliantBodyInfo info = pliant_body_info_default();
    const PliantResult result = pliant_body_info(world, body, &info);
    return result == PLIANT_OK ? pliant_body_vertices(world, body, vertices, info.vertex_count)
                               : result;
}

/* How many of a body's triangles are in no contact, since a coordinate is no number. */
static inline int64_t test_nonfinite_count(PliantWorld *world, PliantBody body)
{
    int64_t count = -1;
    if (pliant_body_nonfinite_count(world, body, &count) != PLIANT_OK)
        __builtin_trap();
    return count;
}

/* Are two contacts those of the same triangles, of bodies with the same index? Their worlds may
 * differ. */
static inline bool test_is_same_contact(const PliantContact *x, const PliantContact *y)
{
    return x->body_a.index == y->body_a.index && x->body_b.index == y->body_b.index &&
           x->triangle_a == y->triangle_a && x->triangle_b == y->triangle_b;
}

#endif
