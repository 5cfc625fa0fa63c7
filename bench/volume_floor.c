/* The floor of a volume: see volumes.h.
 *
 * Which triangles are over the picture is computed before, and not timed. The bodies' vertices
 * have a float more at their end than there are, as a corner is loaded with the float behind it. */
#include "triangle_box.h"
#include "volumes.h"

#include <stdlib.h>

static bool is_over(const PliantView *view, const SceneMesh *mesh, const uint32_t *corners)
{
    for (int i = 1; i < 3; i++) {
        const int k = ((int)view->axis + i) % 3;
        int below = 0, above = 0;
        for (int c = 0; c < 3; c++) {
            const float x = mesh->vertices[3 * (size_t)corners[c] + (size_t)k];
            below += x < view->box.low[k];
            above += x > view->box.high[k];
        }
        if (below == 3 || above == 3)
            return false;
    }
    return true;
}

VolumeFloor volume_floor(const VolumeBed *bed, const PliantView *view)
{
    VolumeFloor pass = {.bed = bed};
    size_t most = 0;
    for (int i = 0; i < bed->body_count; i++) {
        const SceneMesh *mesh = &bed->meshes[i];
        const size_t count = (size_t)mesh->triangle_count;
        pass.corners[i] = bench_allocate(count, 3 * sizeof(uint32_t));
        for (size_t t = 0; t < count; t++)
            if (is_over(view, mesh, mesh->triangles + 3 * t))
                memcpy(pass.corners[i] + 3 * pass.counts[i]++, mesh->triangles + 3 * t,
                       3 * sizeof(uint32_t));
        most = count > most ? count : most;
    }
    pass.boxes = bench_allocate(6 * most + 1, sizeof(float));
    return pass;
}

void volume_floor_free(VolumeFloor *pass)
{
    for (int i = 0; i < pass->bed->body_count; i++)
        free(pass->corners[i]);
    free(pass->boxes);
}

void volume_floor_boxes(void *data)
{
    VolumeFloor *pass = data;
    for (int i = 0; i < pass->bed->body_count; i++) {
        const float *vertices = pass->bed->vertices[i];
        const uint32_t *corners = pass->corners[i];
        for (int64_t t = 0; t < pass->counts[i]; t++, corners += 3)
            store_box(triangle_box(vertices + 3 * (size_t)corners[0],
                                   vertices + 3 * (size_t)corners[1],
                                   vertices + 3 * (size_t)corners[2]),
                      pass->boxes + 6 * t);
    }
}
