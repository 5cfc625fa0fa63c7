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
