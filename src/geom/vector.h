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

#endif
