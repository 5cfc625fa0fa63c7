/* Points among twelve dolphins: see scenes.h.
 *
 * Dolphins and points move on at the same pace. Of the points, about six in a hundred are inside a
 * dolphin. */
#include "scenes.h"

/* Half the size of the box, whose middle is that of the dolphins. */
static const double half[3] = {2.2, 2, 1.7};
static const double middle[3] = {0, 0.15, 0};

/* Each on a closed path of its own, as far as this from its place. */
static const double reach = 0.25;

void scene_particles(int32_t count, uint64_t seed, int step, float *points)
{
    const double turn = 6.283185307179586;
    const double travel[3] = {0.03 * (step - SCENE_DOLPHIN_STEPS / 2.0), 0, 0};
    SceneRandom random = {seed};
    for (int64_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const double index = 2 * scene_random(&random) - 1, phase = scene_random(&random);
            const double speed = 0.02 + 0.06 * scene_random(&random);
            points[3 * i + k] = (float)(middle[k] + travel[k] + (half[k] - reach) * index +
                                        reach * scene_sin(turn * phase + speed * step));
        }
    }
}
