// Closest points in double, as a user of the peers would write them. After Ericson, Real-Time
// Collision Detection, 5.1.5 and 5.1.9.
#ifndef BENCH_CLOSEST_H
#define BENCH_CLOSEST_H

struct Vector {
    double x, y, z;
};

inline Vector between(const float *p, const float *q)
{
    return {static_cast<double>(p[0]) - q[0], static_cast<double>(p[1]) - q[1],
            static_cast<double>(p[2]) - q[2]};
}

inline double dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// a - s b - t c.
inline Vector combine(Vector a, double s, Vector b, double t, Vector c)
{
    return {a.x - s * b.x - t * c.x, a.y - s * b.y - t * c.y, a.z - s * b.z - t * c.z};
}

inline double clamped(double s)
{
    return s < 0 ? 0 : s > 1 ? 1 : s;
}

// Where on a triangle: a + s (b - a) + t (c - a); or on each of two edges.
struct Place {
    double s, t;
};

inline Place closest_place(Vector ab, Vector ac, Vector ap)
{
    const double b_p = dot(ab, ap), c_p = dot(ac, ap);
    if (b_p <= 0 && c_p <= 0)
        return {0, 0};
    const double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
    const double b_b = b_p - bb, c_b = c_p - bc; // the same from corner b
    if (b_b >= 0 && c_b <= b_b)
        return {1, 0};
    const double b_c = b_p - bc, c_c = c_p - cc; // and from corner c
    if (c_c >= 0 && b_c <= c_c)
        return {0, 1};
    const double c = b_p * c_b - b_b * c_p;
    if (c <= 0 && b_p >= 0 && b_b <= 0)
        return {b_p / bb, 0};
    const double b = b_c * c_p - b_p * c_c;
    if (b <= 0 && c_p >= 0 && c_c <= 0)
        return {0, c_p / cc};
    const double a = b_b * c_c - b_c * c_b, up = c_b - b_b, down = b_c - c_c;
    if (a <= 0 && up >= 0 && down >= 0) {
        const double t = up / (up + down);
        return {1 - t, t};
    }
    const double one = 1 / (a + b + c);
    return {b * one, c * one};
}

// The points a + s e and b + t f of two edges that are closest; w is a - b.
inline Place closest_on_edges(Vector e, Vector f, Vector w)
{
    const double ee = dot(e, e), ff = dot(f, f), ef = dot(e, f), ew = dot(e, w), fw = dot(f, w);
    const double sum = ee * ff - ef * ef;
    double s = sum > 1e-14 * ee * ff ? clamped((ef * fw - ew * ff) / sum) : 0;
    double t = ff > 0 ? (ef * s + fw) / ff : 0;
    if (t < 0 || t > 1) {
        t = clamped(t);
        s = ee > 0 ? clamped((ef * t - ew) / ee) : 0;
    }
    return {s, t};
}

#endif
