/* What bench/python compares the Python module with: the same query, by the C interface. It is
 * loaded into the same process, so that both run at the same speed of the processor.
 */
#include <pliant/pliant.h>

typedef struct Loop {
    PliantShape *shape;
    PliantWorld *world;
    PliantBody bodies[2];
} Loop;

static Loop loop;

int loop_open(const float *vertices, int32_t vertex_count, const uint32_t *triangles,
              int32_t triangle_count);
int64_t loop_collide(const float *a, const float *b, int32_t vertex_count);

int loop_open(const float *vertices, int32_t vertex_count, const uint32_t *triangles,
              int32_t triangle_count)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){vertices, vertex_count, 0};
    def.triangles = (PliantTriangles){triangles, triangle_count};
    return pliant_shape_create(&def, &loop.shape) != PLIANT_OK ||
           pliant_world_create(NULL, &loop.world) != PLIANT_OK ||
           pliant_body_create(loop.world, loop.shape, &loop.bodies[0]) != PLIANT_OK ||
           pliant_body_create(loop.world, loop.shape, &loop.bodies[1]) != PLIANT_OK;
}

int64_t loop_collide(const float *a, const float *b, int32_t vertex_count)
{
    PliantContacts contacts = pliant_contacts_default();
    pliant_body_borrow_vertices(loop.world, loop.bodies[0], (PliantVertices){a, vertex_count, 0});
    pliant_body_borrow_vertices(loop.world, loop.bodies[1], (PliantVertices){b, vertex_count, 0});
    return pliant_world_collide(loop.world, NULL, &contacts) == PLIANT_OK ? contacts.count : -1;
}
