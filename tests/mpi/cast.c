/* See cast.h. */
#include "cast.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x7fb5d329728ea185);
    x = (x ^ x >> 27) * UINT64_C(0x81dadef4bc2dd44d);
    return x ^ x >> 33;
}

int member_part_of(const Member *member, int32_t triangle)
{
    const bool is_scattered = member->key & 1;
    return is_scattered
               ? (int)(mix(member->key + (uint64_t)triangle) % (uint64_t)member->part_count)
               : (int)((int64_t)triangle * member->part_count / member->mesh.triangle_count);
}

void member_init(Member *member, StageKind kind, uint64_t seed, int number)
{
    *member = (Member){.key = mix(seed * 1000 + (uint64_t)number)};
    stage_init(&member->crowd.stage, kind, seed);
    member->crowd.stage.random.state = mix(member->key + 1);
    member->crowd.stage.body_count = number;
    const bool is_dense = kind == STAGE_whole_soup || kind == STAGE_copies;
    member->crowd.max_triangles = crowd_chance(&member->crowd, 2) || is_dense ? 40 : 200;
    if (crowd_chance(&member->crowd, 4))
        member->part_count = stage_whole(&member->crowd.stage.random, 2, MAX_PARTS);
}

/* ---- In parts ----------------------------------------------------------------------------------
 */

static void create_body(Member *member, int part, const uint32_t *triangles, int32_t count)
{
    PliantWorld *world = member->crowd.world;
    const SceneMesh *mesh = &member->mesh;
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape = NULL;
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){triangles, count};
    crowd_must(pliant_shape_create(&def, &shape));
    crowd_must(pliant_body_create(world, shape, &member->parts[part]));
    crowd_must(pliant_body_create_end(world, member->parts[part], &member->ends[part]));
    pliant_shape_release(shape);
}

static void create_part(Member *member, int part)
{
    const SceneMesh *mesh = &member->mesh;
    uint32_t *triangles = crowd_allocate(12 * (size_t)mesh->triangle_count);
    int32_t *numbers = crowd_allocate(4 * (size_t)mesh->triangle_count);
    int32_t count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        if (member_part_of(member, t) == part) {
            memcpy(triangles + 3 * (size_t)count, mesh->triangles + 3 * (size_t)t, 12);
            numbers[count++] = t;
        }
    member->numbers[part] = numbers;
    member->is_there[part] = count > 0;
    if (count > 0)
        create_body(member, part, triangles, count);
    free(triangles);
}

static void enter_parts(Member *member, const bool are_here[MAX_PARTS], bool is_whole)
{
    SceneMesh *mesh = &member->mesh;
    *mesh = stage_mesh(&member->crowd.stage);
    if (mesh->triangle_count > member->crowd.max_triangles)
        mesh->triangle_count = member->crowd.max_triangles;
    if (is_whole) {
        member->is_there[0] = true;
        create_body(member, 0, mesh->triangles, mesh->triangle_count);
        return;
    }
    for (int part = 0; part < member->part_count; part++)
        if (are_here[part])
            create_part(member, part);
}

/* ---- All ---------------------------------------------------------------------------------------
 */

void member_enter(Member *member, PliantWorld *world, const bool are_here[MAX_PARTS], bool is_whole)
{
    member->crowd.world = world;
    if (member->part_count > 0) {
        enter_parts(member, are_here, is_whole);
        return;
    }
    member->is_there[0] = are_here[0];
    if (!are_here[0])
        return;
    mover_enter(&member->crowd, &member->mover);
    member->parts[0] = member->mover.sides[0].name;
}

void member_act(Member *member)
{
    if (member->part_count == 0) {
        if (member->is_there[0])
            mover_act(&member->crowd, &member->mover);
        return;
    }
    for (int end = 0; end < 2; end++) {
        stage_move(&member->crowd.stage, member->mesh.vertices, member->mesh.vertex_count);
        for (int part = 0; part < MAX_PARTS; part++)
            if (member->is_there[part])
                crowd_must(pliant_body_set_vertices(
                    member->crowd.world, end ? member->ends[part] : member->parts[part],
                    (PliantVertices){member->mesh.vertices, member->mesh.vertex_count, 0}));
    }
}

void member_leave(Member *member)
{
    if (member->part_count == 0 && member->is_there[0])
        mover_leave(&member->crowd, &member->mover);
    for (int part = 0; part < MAX_PARTS && member->part_count > 0; part++) {
        if (member->is_there[part])
            crowd_must(pliant_body_destroy(member->crowd.world, member->parts[part]));
        free(member->numbers[part]);
    }
    if (member->part_count > 0)
        scene_mesh_free(&member->mesh);
}
