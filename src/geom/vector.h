/* Vectors in double. */
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

#endif
