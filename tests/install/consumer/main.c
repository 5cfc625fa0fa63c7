/* What a user's first program would do. */
#include <pliant/pliant.h>
#include <stdio.h>

int main(void)
{
    const float ground[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const float blade[9] = {0.2f, 0.2f, -1, 0.2f, 0.2f, 1, 2, 2, 0};
    const float least[9] = {0.2f, 0.2f, 1e-45f, 0.2f, 0.2f, 1, 2, 2, 1};
    bool is_right =
        pliant_triangles_intersect(ground, blade) && !pliant_triangles_intersect(ground, least);
    printf("pliant %s, %s: %s\n", pliant_version(), pliant_cpu_name(PLIANT_CPU_ALL),
           is_right ? "right" : "WRONG");
    return is_right ? 0 : 1;
}
