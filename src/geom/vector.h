/* Vectors in double: by coordinate, or as three numbers. */
#ifndef PLI_VECTOR_H
#define PLI_VECTOR_H

typedef struct PliVector {
    double x, y, z;
} PliVector;

/* p - q: each coordinate is rounded once. */
static inline PliVector pli_vector(const float *p, const float *q)
{
    return (PliVector){(double)p[0] - q[0], (double)p[1] - q[1], (double)p[2] - q[2]};
}

static inline double pli_dot(PliVector a, PliVector b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline double pli_dot3(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void pli_cross3(const double a[3], const double b[3], double product[3])
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/* Which multiple of e, between 0 and 1, is the closest to v. */
static inline double pli_nearest_multiple(const double v[3], const double e[3])
{
    const double square = pli_dot3(e, e), along = pli_dot3(v, e);
    return !(along > 0) || !(square > 0) ? 0 : along < square ? along / square : 1;
}

/* The squared length of v minus that multiple of e: of a point from an edge. */
static inline double pli_edge_square(const double v[3], const double e[3])
{
    const double t = pli_nearest_multiple(v, e);
    const double rest[3] = {v[0] - t * e[0], v[1] - t * e[1], v[2] - t * e[2]};
    return pli_dot3(rest, rest);
}

#endif
