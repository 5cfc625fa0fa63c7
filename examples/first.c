#include <pliant/pliant.h>
#include <stdio.h>

int main(void)
{
    const float vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}; /* a tetrahedron */
    const uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices.data = vertices;
    def.vertices.count = 4;
    def.triangles.data = triangles;
    def.triangles.count = 4;
    PliantShape *shape;
    PliantWorld *world;
    PliantBody a, b;
    if (pliant_shape_create(&def, &shape) || pliant_world_create(NULL, &world) ||
        pliant_body_create(world, shape, &a) || pliant_body_create(world, shape, &b))
        return 1; /* these calls return a PliantResult: 0, PLIANT_OK, or what went wrong */
    PliantTransform at = pliant_transform_identity();
    PliantContacts found = pliant_contacts_default();
    for (float x = 2; found.count == 0; x -= 0.25f) { /* moves b toward a, until they touch */
        at.rows[0][3] = x;
        if (pliant_body_set_transform(world, b, &at) || pliant_world_collide(world, NULL, &found))
            return 1;
        printf("x = %.2f: %d pairs of triangles intersect\n", x, (int)found.count);
    }
    printf("first: triangles %d and %d\n", found.items[0].triangle_a, found.items[0].triangle_b);
    pliant_world_destroy(world);
    pliant_shape_release(shape);
}
