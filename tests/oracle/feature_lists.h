/* The features of a body, listed from its triangles alone, for brute force in near queries and
 * sweeps. */
#ifndef TEST_FEATURE_LISTS_H
#define TEST_FEATURE_LISTS_H

#include <pliant/pliant.h>

/* A body at both ends of its way. Borrowed. */
typedef struct FeatureBody {
    PliantBody name;
    const float *start, *end;  /* and one vertex more that is NaN */
    const uint32_t *triangles; /* of a segment: its second vertex twice; of a point: its vertex
                                  thrice; unused: the vertex behind the last */
    const uint32_t *groups;    /* NULL: each vertex is one of its own */
    int32_t vertex_count, triangle_count, first_segment;
    bool has_own_vertices; /* a soup without corners: edges are those of triangles */
    bool are_points;       /* no edges */
} FeatureBody;

typedef struct Feature {
    int32_t id;
    uint32_t names[3];    /* of one, two or three vertices: the lowest of their groups */
    uint32_t vertices[3]; /* these themselves */
    int32_t triangle;     /* whose it is */
    bool is_alone;        /* a vertex without an edge, of triangles whether finite or not */
    bool is_segment;      /* a triangle that is one */
} Feature;

typedef struct Features {
    Feature *vertices, *edges, *triangles;
    int32_t vertex_count, edge_count, triangle_count;
    const float *positions; /* at the start */
} Features;

/* Those of finite triangles. */
Features features_list(const FeatureBody *body);
void features_free(Features *features);

/* The lowest vertex of a vertex's group. */
uint32_t features_name(const FeatureBody *body, uint32_t vertex);

/* May a vertex and a triangle be a pair? Segments are compared by their edges, and with vertices
 * that have none. */
bool features_are_comparable(const Feature *vertex, const Feature *triangle);

/* Do two features of so many vertices each have a name in common? */
bool features_have_common(const Feature *x, int x_count, const Feature *y, int y_count);

void features_copy_points(const Features *features, const Feature *feature, int count,
                          float *points);

#endif
