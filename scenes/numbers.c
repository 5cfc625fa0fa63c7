/* Random numbers and sines that are the same everywhere: see scenes.h. */
#include "scenes.h"

uint64_t scene_random_bits(SceneRandom *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

double scene_random(SceneRandom *random)
{
    return (double)(scene_random_bits(random) >> 11) * 0x1p-53;
}

uint32_t scene_random_below(SceneRandom *random, uint32_t count)
{
    return (uint32_t)((scene_random_bits(random) >> 32) * count >> 32);
}

double scene_sin(double x)
{
    /* To [-pi/2, pi/2] by a whole number of half turns, pi in two parts; then Taylor to x^17. */
    const double pi_high = 0x1.921fb544p1, pi_low = 0x1.0b4611a626331p-33;
    double turns = x * 0.31830988618379067;
    int64_t n = (int64_t)(turns < 0 ? turns - 0.5 : turns + 0.5);
    double r = (x - (double)n * pi_high) - (double)n * pi_low, s = r * r;
    static const double inverse[] = {1.0 / 272, 1.0 / 210, 1.0 / 156, 1.0 / 110,
                                     1.0 / 72,  1.0 / 42,  1.0 / 20,  1.0 / 6};
    double sum = 1;
    for (int i = 0; i < 8; i++)
        sum = 1 - s * inverse[i] * sum;
    return n & 1 ? -r * sum : r * sum;
}

double scene_cos(double x)
{
    return scene_sin(x + 1.5707963267948966);
}

/* After Rodrigues. */
void scene_rotation(const double axis[3], double angle, double rows[3][3])
{
    double s = scene_sin(angle), c = scene_cos(angle);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rows[i][j] = (1 - c) * axis[i] * axis[j] + (i == j ? c : 0);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        rows[j][k] -= s * axis[i];
        rows[k][j] += s * axis[i];
    }
}

void scene_rotation_product(double first[3][3], double second[3][3], double rows[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rows[i][j] = first[i][0] * second[0][j] + first[i][1] * second[1][j] +
                         first[i][2] * second[2][j];
}

void scene_set_rows(double rotation[3][3], const double position[3], float rows[3][4])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            rows[i][j] = (float)rotation[i][j];
        rows[i][3] = (float)position[i];
    }
}

double scene_rise(double x)
{
    return x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x);
}

double scene_bump(double x)
{
    double rest = 1 - x * x;
    return rest > 0 ? rest * rest : 0;
}

/* The slope at a key is that from the key before to the key after. */
double scene_through(const double *keys, int key_count, int width, int column, double x)
{
    int i = 0;
    while (i < key_count - 2 && x >= keys[(i + 1) * width])
        i++;
    const double *from = keys + i * width, *to = from + width;
    const double *before = i > 0 ? from - width : from;
    const double *after = i < key_count - 2 ? to + width : to;
    double length = to[0] - from[0], t = (x - from[0]) / length;
    double slope = (to[column] - before[column]) / (to[0] - before[0]) * length;
    double end_slope = (after[column] - from[column]) / (after[0] - from[0]) * length;
    double rise = to[column] - from[column];
    return from[column] + t * (slope + t * (3 * rise - 2 * slope - end_slope +
                                            t * (slope + end_slope - 2 * rise)));
}
