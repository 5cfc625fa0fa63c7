/* A shape: made, refused with a reason, saved, mapped. docs/shapes.md and docs/hello.md quote this.
 */
#include <pliant/pliant.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(void *user, PliantResult result, const char *message)
{
    (void)user;
    printf("%s: %s\n", pliant_result_name(result), message);
}

static void must(PliantResult result)
{
    if (result != PLIANT_OK)
        exit(1);
}

/* A vertex as a renderer has it: the position comes first. */
typedef struct MyVertex {
    float position[3], normal[3];
} MyVertex;

int main(void)
{
    const MyVertex vertices[4] = {
        {{0, 0, 0}, {0}}, {{1, 0, 0}, {0}}, {{0, 1, 0}, {0}}, {{0, 0, 1}, {0}}};
    const uint32_t indices[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

    PliantHost host = pliant_host_default();
    host.report = report;
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices.data = vertices[0].position;
    def.vertices.count = 4;
    def.vertices.stride = sizeof(MyVertex);
    def.triangles.data = indices;
    def.triangles.count = 4;
    def.host = &host;
    uint32_t groups[4]; /* which vertices are one, though they are split at a seam */
    must(pliant_mesh_weld(&def, groups, 4, NULL));
    def.groups = groups;
    PliantShape *shape;
    must(pliant_shape_create(&def, &shape)); /* copies what it keeps */

    /* What is wrong is refused, and said. */
    PliantShapeDef wrong = def;
    wrong.vertices.count = 3;
    PliantShape *none;
    if (pliant_shape_create(&wrong, &none) != PLIANT_BAD_INDEX)
        return 1;

    /* The bytes can be written to a file as they are. Here a copy stands for the mapped file. */
    size_t size;
    const void *data = pliant_shape_data(shape, &size);
    void *mapped_file = aligned_alloc(64, size);
    if (!mapped_file)
        return 1;
    memcpy(mapped_file, data, size);

    PliantShape *mapped;
    must(pliant_shape_map(mapped_file, size, &host, &mapped)); /* checks all, copies nothing */
    PliantShapeInfo info = pliant_shape_info_default();
    must(pliant_shape_info(mapped, &info));
    printf("%d triangles in %zu bytes\n", (int)info.triangle_count, info.byte_size);
    pliant_shape_release(mapped); /* before the file goes */
    pliant_shape_release(shape);
    free(mapped_file);
    return 0;
}
