/* scenes: are the meshes closed, the right way round, and as large as they should be? Do weights
 * and transforms keep to what is said of them? */
#include "scenes.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static int compare_edges(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Each edge once in each direction: closed, and all triangles the same way round. */
static void assert_closed(const SceneMesh *mesh)
{
    size_t count = 3 * (size_t)mesh->triangle_count;
    uint64_t *edges = malloc(2 * count * sizeof *edges), *reversed = edges + count;
    assert_non_null(edges);
    for (size_t c = 0; c < count; c++) {
        uint64_t from = mesh->triangles[c], to = mesh->triangles[c % 3 == 2 ? c - 2 : c + 1];
        edges[c] = from << 32 | to;
        reversed[c] = to << 32 | from;
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    qsort(reversed, count, sizeof *edges, compare_edges);
    assert_memory_equal(edges, reversed, count * sizeof *edges);
    for (size_t c = 1; c < count; c++)
        assert_true(edges[c] != edges[c - 1]);
    free(edges);
}

static double volume_of(const SceneMesh *mesh)
{
    double six_times = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const float *p[3];
        for (int c = 0; c < 3; c++)
            p[c] = mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + c];
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            six_times += (double)p[0][k] * ((double)p[1][l] * p[2][m] - (double)p[1][m] * p[2][l]);
        }
    }
    return six_times / 6;
}

static void test_spheres(void **state)
{
    (void)state;
    static const struct {
        SceneSolid solid;
        int32_t triangle_count;
    } solids[] = {{SCENE_TETRAHEDRON, 4}, {SCENE_OCTAHEDRON, 8}, {SCENE_ICOSAHEDRON, 20}};
    for (size_t s = 0; s < 3; s++) {
        double last = 0;
        for (int n = 0; n <= 4; n++) {
            SceneMesh mesh = scene_sphere(solids[s].solid, n);
            assert_int_equal(mesh.triangle_count, solids[s].triangle_count << 2 * n);
            assert_int_equal(mesh.vertex_count, mesh.triangle_count / 2 + 2); /* Euler */
            assert_closed(&mesh);
            double volume = volume_of(&mesh);
            assert_true(volume > last && volume < 4.18879021); /* toward 4/3 pi from within */
            last = volume;
            scene_mesh_free(&mesh);
        }
        assert_true(last > 4);
    }
}

/* ---- Statues ------------------------------------------------------------------------------ */

static void assert_solid(const SceneMesh *mesh, int32_t triangle_count)
{
    assert_true(mesh->triangle_count > 0.95 * triangle_count);
    assert_true(mesh->triangle_count < 1.05 * triangle_count);
    assert_closed(mesh);
    assert_true(volume_of(mesh) > 0.1);
}

static void test_statues(void **state)
{
    (void)state;
    static const int32_t counts[SCENE_STATUES] = {12000, 50000, 110000, 150000, 520000};
    for (int i = 0; i < SCENE_STATUES; i++) {
        SceneMesh mesh = scene_statue((SceneStatue)i);
        assert_solid(&mesh, counts[i]);
        scene_mesh_free(&mesh);
    }
    for (int i = 0; i < SCENE_STATUE_PAIRS; i++) {
        SceneStatuePair pair = scene_statue_pair(i);
        for (int side = 0; side < 2; side++) {
            const int32_t count = counts[pair.statues[side]];
            assert_true(pair.meshes[side].triangle_count > 0.95 * count);
            assert_true(volume_of(&pair.meshes[side]) > 0.1);
        }
        scene_statue_pair_free(&pair);
    }
}

/* Santa is solid at every step, and moves. Flakes fall, unless they are inside. */
static void test_snow(void **state)
{
    (void)state;
    enum { FLAKES = 1000 };
    SceneMesh santa = scene_small_santa(), now = santa;
    assert_solid(&santa, 10000);
    const size_t size = 3 * (size_t)santa.vertex_count * sizeof(float);
    now.vertices = malloc(size);
    assert_non_null(now.vertices);
    for (int step = 1; step < 100; step += 7) {
        scene_santa_vertices(&santa, step, now.vertices);
        assert_true(volume_of(&now) > 0.8 * volume_of(&santa));
        assert_memory_not_equal(now.vertices, santa.vertices, size);
    }
    free(now.vertices);
    scene_mesh_free(&santa);

    SceneSnow snow = scene_snow(FLAKES, 1);
    uint8_t is_inside[FLAKES] = {0};
    for (int step = 0; step < 100; step++) {
        float before[3 * FLAKES];
        memcpy(before, snow.points, sizeof before);
        is_inside[0] = step == 5;
        scene_snow_next(&snow, is_inside);
        if (step == 5)
            assert_true(snow.points[1] > before[1]);
        for (int i = 1; i < FLAKES; i++)
            assert_true(snow.points[3 * i + 1] < before[3 * i + 1] ||
                        snow.points[3 * i + 1] > 2.5f);
    }
    scene_snow_free(&snow);
}

/* ---- Morphing meshes --------------------------------------------------------------------- */

/* The mesh is closed and the right way round in every reference, and no two are alike. */
static void assert_references(SceneMorph *morph)
{
    assert_true(morph->has_references);
    assert_closed(&morph->mesh);
    SceneMesh mesh = morph->mesh;
    for (int32_t i = 0; i < morph->target_count; i++) {
        const SceneTarget *target = &morph->targets[i];
        assert_int_equal(target->count, morph->mesh.vertex_count);
        assert_null(target->indices);
        mesh.vertices = target->vertices;
        assert_true(volume_of(&mesh) > 0.1);
        for (int32_t j = 0; j < i; j++)
            assert_memory_not_equal(target->vertices, morph->targets[j].vertices,
                                    3 * (size_t)target->count * sizeof(float));
    }
}

static void assert_convex(const float *weights, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        assert_true(weights[i] >= 0 && weights[i] <= 1);
        sum += weights[i];
    }
    assert_true(sum > 1 - 1e-6 && sum < 1 + 1e-6);
}

/* Lengths stay, and nothing is mirrored. */
static void assert_rigid(float rows[3][4])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double square = 0, across = 0;
        for (int c = 0; c < 3; c++) {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            square += (double)rows[i][c] * rows[i][c];
            across +=
                rows[i][c] * ((double)rows[j][d] * rows[k][e] - (double)rows[j][e] * rows[k][d]);
        }
        assert_true(square > 1 - 1e-6 && square < 1 + 1e-6);
        assert_true(across > 1 - 1e-6 && across < 1 + 1e-6);
    }
}

/* FNV-1a, of the bits, four bytes at a time. */
static uint64_t hash_floats(uint64_t hash, const float *floats, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &floats[i], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3;
    }
    return hash;
}

static void test_dolphins(void **state)
{
    (void)state;
    const int32_t counts[SCENE_DOLPHIN_SIZES] = {564, 2256, 9024, 36096, 147456, 589824};
    for (int size = 0; size < SCENE_DOLPHIN_SIZES; size++) {
        assert_int_equal(scene_dolphin_triangles(size), counts[size]);
        if (size == 5)
            continue; /* it takes a while */
        SceneMorph morph = scene_dolphin(size);
        assert_int_equal(morph.mesh.triangle_count, counts[size]);
        assert_int_equal(morph.mesh.vertex_count, counts[size] / 2 + 2);
        assert_references(&morph);
        scene_morph_free(&morph);
    }
    for (int step = 0; step < SCENE_DOLPHIN_STEPS; step++)
        for (int body = 0; body < SCENE_DOLPHINS; body++) {
            float weights[SCENE_DOLPHIN_TARGETS], rows[3][4];
            scene_dolphin_weights(body, step, weights);
            assert_convex(weights, SCENE_DOLPHIN_TARGETS);
            scene_dolphin_rows(body, step, rows);
            assert_rigid(rows);
        }
}

static void test_passing(void **state)
{
    (void)state;
    SceneMorph morph = scene_passing();
    assert_int_equal(morph.mesh.triangle_count, 20480);
    assert_references(&morph);
    for (int step = 0; step < SCENE_PASSING_STEPS; step++) {
        float weights[SCENE_PASSING_TARGETS], rows[3][4];
        scene_passing_weights(step, weights);
        assert_convex(weights, SCENE_PASSING_TARGETS);
        assert_true(weights[0] == 0 || weights[2] == 0);
        for (int body = 0; body < 2; body++) {
            scene_passing_rows(body, step, rows);
            assert_rigid(rows);
        }
    }
    scene_morph_free(&morph);
}

static void test_face(void **state)
{
    (void)state;
    SceneMorph morph = scene_face();
    assert_int_equal(morph.mesh.triangle_count, 40000);
    assert_closed(&morph.mesh);
    assert_true(volume_of(&morph.mesh) > 1);
    assert_false(morph.has_references);
    assert_int_equal(morph.target_count, SCENE_FACE_TARGETS);
    for (int32_t i = 0; i < morph.target_count; i++) {
        const SceneTarget *target = &morph.targets[i];
        assert_in_range(target->count, morph.mesh.vertex_count / 250, morph.mesh.vertex_count / 20);
        for (int32_t j = 1; j < target->count; j++)
            assert_true(target->indices[j - 1] < target->indices[j]);
        assert_true(target->indices[target->count - 1] < (uint32_t)morph.mesh.vertex_count);
    }
    for (int step = 0; step < SCENE_FACE_STEPS; step++) {
        float weights[SCENE_FACE_TARGETS];
        int active_count = 0;
        scene_face_weights(step, weights);
        for (int i = 0; i < SCENE_FACE_TARGETS; i++) {
            assert_true(weights[i] >= 0 && weights[i] <= 1);
            active_count += weights[i] > 0;
        }
        assert_int_equal(active_count, SCENE_FACE_ACTIVE);
    }
    scene_morph_free(&morph);
}

static void test_hand(void **state)
{
    (void)state;
    SceneMesh mesh = scene_hand();
    assert_int_equal(mesh.triangle_count, 4992);
    assert_int_equal(mesh.vertex_count, 4992 / 2 + 2 * 6);
    assert_closed(&mesh);
    assert_true(volume_of(&mesh) > 0.1);
    for (int step = 0; step < SCENE_FACE_STEPS; step++) {
        float rows[3][4];
        scene_hand_rows(step, rows);
        assert_rigid(rows);
    }
    scene_mesh_free(&mesh);
}

/* One vertex by the expression that is documented, written out. */
static void vertex_by_hand(const SceneMorph *morph, const float *weights, const float (*rows)[4],
                           int32_t vertex, float result[3])
{
    volatile float p[3]; /* no wider, and nothing contracted */
    bool is_first = morph->has_references;
    for (int k = 0; k < 3; k++)
        p[k] = morph->has_references ? 0 : morph->mesh.vertices[3 * vertex + k];
    for (int32_t i = 0; i < morph->target_count; i++) {
        const SceneTarget *target = &morph->targets[i];
        int32_t index = target->indices ? 0 : vertex;
        while (target->indices && index < target->count &&
               target->indices[index] != (uint32_t)vertex)
            index++;
        if (weights[i] == 0 || index == target->count)
            continue;
        for (int k = 0; k < 3; k++) {
            volatile float part = weights[i] * target->vertices[3 * index + k];
            p[k] = is_first ? part : p[k] + part;
        }
        is_first = false;
    }
    for (int k = 0; k < 3; k++) {
        volatile float sum = rows[k][0] * p[0], part = rows[k][1] * p[1];
        sum = sum + part;
        part = rows[k][2] * p[2];
        sum = sum + part;
        result[k] = sum + rows[k][3];
    }
}

static void assert_blended(const SceneMorph *morph, const float *weights)
{
    float rows[3][4], expected[3];
    scene_dolphin_rows(7, 123, rows);
    const int32_t vertex_count = morph->mesh.vertex_count;
    float *vertices = malloc(3 * (size_t)vertex_count * sizeof *vertices);
    assert_non_null(vertices);
    scene_morph_vertices(morph, weights, (const float(*)[4])rows, vertices);
    for (int32_t i = 0; i < vertex_count; i += 7) {
        vertex_by_hand(morph, weights, (const float(*)[4])rows, i, expected);
        assert_memory_equal(vertices + 3 * (size_t)i, expected, sizeof expected);
    }
    free(vertices);
}

static void test_blending(void **state)
{
    (void)state;
    SceneMorph dolphin = scene_dolphin(2), face = scene_face();
    const float triples[][SCENE_DOLPHIN_TARGETS] = {
        {0.3f, 0.5f, 0.2f}, {0, 0.6f, 0.4f}, {0.7f, 0, 0.3f}, {0, 0, 1}, {-0.5f, 1.7f, 0}};
    for (size_t i = 0; i < sizeof triples / sizeof *triples; i++)
        assert_blended(&dolphin, triples[i]);
    float weights[SCENE_FACE_TARGETS];
    scene_face_weights(77, weights);
    assert_blended(&face, weights);
    memset(weights, 0, sizeof weights);
    float *vertices = malloc(3 * (size_t)face.mesh.vertex_count * sizeof *vertices);
    assert_non_null(vertices);
    scene_morph_vertices(&face, weights, NULL, vertices); /* at rest, to the bit */
    assert_memory_equal(vertices, face.mesh.vertices,
                        3 * (size_t)face.mesh.vertex_count * sizeof *vertices);
    free(vertices);
    scene_morph_free(&dolphin);
    scene_morph_free(&face);
}

/* ---- Characters -------------------------------------------------------------------------- */

/* Joints rise, weights are in use from the first on, and their sum is one to a few ulp. */
static void assert_weights(const SceneSkin *skin)
{
    const int32_t count = skin->influence_count;
    for (int32_t i = 0; i < skin->mesh.vertex_count; i++) {
        const uint16_t *joints = skin->joints + (size_t)i * (size_t)count;
        const float *weights = skin->weights + (size_t)i * (size_t)count;
        double sum = 0;
        for (int32_t k = 0; k < count; k++) {
            assert_true(weights[k] >= 0 && weights[k] <= 1 && joints[k] < skin->joint_count);
            if (k > 0 && weights[k] > 0)
                assert_true(weights[k - 1] > 0 && joints[k - 1] < joints[k]);
            sum += weights[k];
        }
        assert_true(sum > 1 - 0x1p-22 && sum < 1 + 0x1p-22);
    }
}

/* How low, or high, vertices are along an axis. */
static float end_along(const float *vertices, int32_t vertex_count, int axis, float sign)
{
    float end = sign * vertices[axis];
    for (int32_t i = 1; i < vertex_count; i++)
        end = sign * vertices[3 * i + axis] > end ? sign * vertices[3 * i + axis] : end;
    return sign * end;
}

static void test_avatar(void **state)
{
    (void)state;
    SceneSkin skin = scene_avatar();
    const int32_t count = skin.mesh.vertex_count;
    assert_int_equal(count, 44345);
    assert_int_equal(skin.mesh.triangle_count, 2 * (count - 2 * 20)); /* Euler, of 20 pieces */
    assert_int_equal(skin.joint_count, SCENE_AVATAR_JOINTS);
    assert_int_equal(skin.influence_count, SCENE_AVATAR_INFLUENCES);
    assert_closed(&skin.mesh);
    const double volume = volume_of(&skin.mesh); /* parts that overlap count twice */
    assert_true(volume > 0.05 && volume < 0.09);
    assert_weights(&skin);
    assert_true(end_along(skin.mesh.vertices, count, 1, -1) > -1e-6f);
    assert_true(end_along(skin.mesh.vertices, count, 1, 1) < 1.7501f);
    assert_true(end_along(skin.mesh.vertices, count, 1, 1) > 1.7499f);
    bool has_joint[SCENE_AVATAR_JOINTS] = {false};
    for (int32_t i = 0; i < SCENE_AVATAR_INFLUENCES * count; i++)
        has_joint[skin.joints[i]] |= skin.weights[i] > 0.5f;
    for (int j = 0; j < SCENE_AVATAR_JOINTS; j++)
        assert_true(has_joint[j]);
    scene_skin_free(&skin);
}

/* With fewer triangles it is closed too, as tall, and stands on the same feet. */
static void test_coarse_avatar(void **state)
{
    (void)state;
    static const int triangle_counts[] = {88610, 28974, 10800, 7154};
    for (int divisor = 1; divisor <= 4; divisor++) {
        SceneSkin skin = scene_avatar_coarse(divisor);
        const int32_t count = skin.mesh.vertex_count;
        assert_int_equal(skin.mesh.triangle_count, 2 * (count - 2 * 20));
        assert_int_equal(skin.mesh.triangle_count, triangle_counts[divisor - 1]);
        assert_closed(&skin.mesh);
        assert_weights(&skin);
        float joints[SCENE_AVATAR_JOINTS][3][4];
        float *vertices = scene_allocate((size_t)count, sizeof(float[3]));
        scene_avatar_pose(&skin, 0.3, 0, joints);
        scene_skin_vertices(&skin, (const float(*)[3][4])joints, NULL, vertices);
        const float floor = end_along(vertices, count, 1, -1);
        assert_true(floor > -2e-6f && floor < 2e-6f);
        assert_true(end_along(skin.mesh.vertices, count, 1, 1) > 1.7499f);
        free(vertices);
        scene_skin_free(&skin);
    }
}

/* Matrices do not stretch anything, and feet stand on the floor. */
static void test_walking(void **state)
{
    (void)state;
    SceneSkin skin = scene_avatar();
    const int32_t count = skin.mesh.vertex_count;
    float *vertices = malloc(3 * (size_t)count * sizeof *vertices);
    float joints[SCENE_AVATAR_JOINTS][3][4], rows[3][4];
    assert_non_null(vertices);
    for (int i = 0; i < 20; i++) {
        scene_avatar_pose(&skin, i / 20.0, i % 4 / 3.0, joints);
        for (int j = 0; j < SCENE_AVATAR_JOINTS; j++)
            assert_rigid(joints[j]);
        scene_skin_vertices(&skin, (const float(*)[3][4])joints, NULL, vertices);
        assert_true(end_along(vertices, count, 1, -1) > -2e-6f);
        assert_true(end_along(vertices, count, 1, -1) < 2e-6f);
        assert_true(end_along(vertices, count, 1, 1) > 1.6f);
    }
    for (int visitor = 0; visitor < SCENE_VISITORS; visitor++) {
        scene_visitor_pose(&skin, visitor, 3 * visitor % SCENE_VISITOR_STEPS, joints, rows);
        assert_rigid(rows);
    }
    free(vertices);
    scene_skin_free(&skin);
}

/* First over the floor and off the wall, and in the end a little in both. */
static void test_walk(void **state)
{
    (void)state;
    SceneSkin skin = scene_avatar();
    const int32_t count = skin.mesh.vertex_count;
    float *vertices = malloc(3 * (size_t)count * sizeof *vertices);
    float joints[SCENE_AVATAR_JOINTS][3][4], rows[3][4];
    assert_non_null(vertices);
    for (int room = 0; room < 2; room++)
        for (int step = 0; step < SCENE_WALK_STEPS; step += 7) {
            scene_walk_pose(&skin, (SceneRoom)room, step, joints, rows);
            assert_rigid(rows);
            scene_skin_vertices(&skin, (const float(*)[3][4])joints, (const float(*)[4])rows,
                                vertices);
            const float low = end_along(vertices, count, 1, -1);
            if (step < SCENE_WALK_CLOSE)
                assert_true(low > 0.002f && low < 0.004f);
            if (step >= SCENE_WALK_CLOSE + 17)
                assert_true(low > -0.001f && low < -0.0005f);
        }
    free(vertices);
    scene_skin_free(&skin);
}

/* One vertex by the expression that is documented, written out. */
static void skin_by_hand(const SceneSkin *skin, const float (*joints)[3][4], const float (*rows)[4],
                         int32_t vertex, float result[3])
{
    const float *rest = skin->mesh.vertices + 3 * vertex;
    volatile float p[3] = {0, 0, 0}, q[3]; /* no wider, and nothing contracted */
    for (int32_t i = 0, used = 0; i < skin->influence_count; i++) {
        const float weight = skin->weights[skin->influence_count * vertex + i];
        if (weight == 0)
            continue;
        for (int k = 0; k < 3; k++) {
            const float *row = joints[skin->joints[skin->influence_count * vertex + i]][k];
            volatile float sum = row[0] * rest[0], part = row[1] * rest[1];
            sum = sum + part;
            part = row[2] * rest[2];
            sum = sum + part;
            sum = sum + row[3];
            part = weight * sum;
            p[k] = used ? p[k] + part : part;
        }
        used++;
    }
    for (int k = 0; k < 3; k++) {
        volatile float sum = rows[k][0] * p[0], part = rows[k][1] * p[1];
        sum = sum + part;
        part = rows[k][2] * p[2];
        sum = sum + part;
        q[k] = sum + rows[k][3];
        result[k] = q[k];
    }
}

static void test_skinning(void **state)
{
    (void)state;
    SceneSkin skin = scene_avatar();
    float *vertices = malloc(3 * (size_t)skin.mesh.vertex_count * sizeof *vertices);
    float joints[SCENE_AVATAR_JOINTS][3][4], rows[3][4], expected[3];
    assert_non_null(vertices);
    scene_visitor_pose(&skin, 33, 44, joints, rows);
    scene_skin_vertices(&skin, (const float(*)[3][4])joints, (const float(*)[4])rows, vertices);
    for (int32_t i = 0; i < skin.mesh.vertex_count; i++) {
        skin_by_hand(&skin, (const float(*)[3][4])joints, (const float(*)[4])rows, i, expected);
        assert_memory_equal(vertices + 3 * (size_t)i, expected, sizeof expected);
    }
    free(vertices);
    scene_skin_free(&skin);
}

static double longest_edge(const SceneMesh *mesh, int32_t triangle)
{
    double longest = 0;
    for (int c = 0; c < 3; c++) {
        const float *p = mesh->vertices + 3 * (size_t)mesh->triangles[3 * triangle + c];
        const float *q = mesh->vertices + 3 * (size_t)mesh->triangles[3 * triangle + (c + 1) % 3];
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += ((double)p[k] - q[k]) * ((double)p[k] - q[k]);
        longest = square > longest ? square : longest;
    }
    return longest;
}

/* Twice the area, squared. */
static double area_of(const SceneMesh *mesh, int32_t triangle)
{
    double e[3], f[3], square = 0;
    const float *p[3];
    for (int c = 0; c < 3; c++)
        p[c] = mesh->vertices + 3 * (size_t)mesh->triangles[3 * triangle + c];
    for (int k = 0; k < 3; k++) {
        e[k] = (double)p[1][k] - p[0][k];
        f[k] = (double)p[2][k] - p[0][k];
    }
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        double across = e[l] * f[m] - e[m] * f[l];
        square += across * across;
    }
    return square;
}

/* As many vertices as in the paper, and some triangles larger than who walks there; none without an
 * area, which CGAL could not oracle. */
static void assert_room(SceneMesh mesh, int32_t vertex_count)
{
    assert_int_equal(mesh.vertex_count, vertex_count);
    int32_t large_count = 0;
    for (int32_t t = 0; t < mesh.triangle_count; t++) {
        const uint32_t *c = mesh.triangles + 3 * (size_t)t;
        assert_true(c[0] < (uint32_t)vertex_count && c[1] < (uint32_t)vertex_count &&
                    c[2] < (uint32_t)vertex_count);
        assert_true(area_of(&mesh, t) > 0);
        large_count += longest_edge(&mesh, t) > 1.75 * 1.75;
    }
    assert_in_range(large_count, 20, 200);
    scene_mesh_free(&mesh);
}

static void test_rooms(void **state)
{
    (void)state;
    assert_room(scene_museum(), 9482);
    assert_room(scene_living_room(), 133139);
}

static uint64_t hash_character(void)
{
    SceneSkin skin = scene_avatar();
    SceneMesh rooms[2] = {scene_museum(), scene_living_room()};
    float joints[SCENE_AVATAR_JOINTS][3][4], rows[3][4];
    const int32_t node_slots = skin.mesh.vertex_count * skin.influence_count;
    uint64_t hash = hash_floats(0xcbf29ce484222325, skin.weights, node_slots);
    for (int32_t i = 0; i < node_slots; i++)
        hash = (hash ^ skin.joints[i]) * 0x100000001b3;
    hash = hash_floats(hash, skin.mesh.vertices, 3 * skin.mesh.vertex_count);
    for (int room = 0; room < 2; room++) {
        hash = hash_floats(hash, rooms[room].vertices, 3 * rooms[room].vertex_count);
        scene_mesh_free(&rooms[room]);
        for (int step = 0; step < SCENE_WALK_STEPS; step += 9) {
            scene_walk_pose(&skin, (SceneRoom)room, step, joints, rows);
            hash = hash_floats(hash, &joints[0][0][0], SCENE_AVATAR_JOINTS * 12);
            hash = hash_floats(hash, &rows[0][0], 12);
        }
    }
    for (int visitor = 0; visitor < SCENE_VISITORS; visitor++) {
        scene_visitor_pose(&skin, visitor, 2 * visitor, joints, rows);
        hash = hash_floats(hash, &joints[0][0][0], SCENE_AVATAR_JOINTS * 12);
        hash = hash_floats(hash, &rows[0][0], 12);
    }
    scene_skin_free(&skin);
    return hash;
}

static uint64_t hash_meshes(void)
{
    SceneMorph morphs[3] = {scene_dolphin(2), scene_passing(), scene_face()};
    SceneMesh hand = scene_hand();
    uint64_t hash = hash_floats(0xcbf29ce484222325, hand.vertices, 3 * hand.vertex_count);
    for (int m = 0; m < 3; m++) {
        hash = hash_floats(hash, morphs[m].mesh.vertices, 3 * morphs[m].mesh.vertex_count);
        for (int32_t i = 0; i < morphs[m].target_count; i++)
            hash = hash_floats(hash, morphs[m].targets[i].vertices, 3 * morphs[m].targets[i].count);
        scene_morph_free(&morphs[m]);
    }
    scene_mesh_free(&hand);
    return hash;
}

static uint64_t hash_motion(void)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (int step = 0; step < SCENE_FACE_STEPS; step++) {
        const int body = step % SCENE_DOLPHINS;
        float rows[4][3][4], weights[3], face_weights[SCENE_FACE_TARGETS];
        scene_dolphin_rows(body, step, rows[0]);
        scene_passing_rows(0, step, rows[1]);
        scene_passing_rows(1, step, rows[2]);
        scene_hand_rows(step, rows[3]);
        scene_dolphin_weights(body, step, weights);
        scene_face_weights(step, face_weights);
        hash = hash_floats(hash, &rows[0][0][0], 4 * 3 * 4);
        hash = hash_floats(hash, weights, 3);
        hash = hash_floats(hash, face_weights, SCENE_FACE_TARGETS);
    }
    return hash;
}

static uint64_t hash_statues(void)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (int i = 0; i < SCENE_STATUE_PAIRS; i++) {
        SceneStatuePair pair = scene_statue_pair(i);
        for (int side = 0; side < 2; side++)
            hash =
                hash_floats(hash, pair.meshes[side].vertices, 3 * pair.meshes[side].vertex_count);
        scene_statue_pair_free(&pair);
    }
    return hash;
}

static uint64_t hash_cloths(void)
{
    uint64_t hash = 0xcbf29ce484222325;
    SceneCloth cloths[] = {scene_draped_cloth(), scene_folded_cloth(1.35)};
    for (int i = 0; i < 2; i++) {
        for (int body = 0; body < cloths[i].body_count; body++) {
            SceneMesh *mesh = &cloths[i].meshes[body];
            scene_cloth_vertices(&cloths[i], body, SCENE_CLOTH_STEPS / 2, mesh->vertices);
            hash = hash_floats(hash, mesh->vertices, 3 * mesh->vertex_count);
        }
        scene_cloth_free(&cloths[i]);
    }
    return hash;
}

/* What one machine made once, all must make. */
static void test_same_everywhere(void **state)
{
    (void)state;
    assert_int_equal(hash_meshes(), 0x1b62bb62a43b41fa);
    assert_int_equal(hash_motion(), 0x3b86c33ab8c9c5c9);
    assert_int_equal(hash_character(), 0xc1b9aa9b847679c6);
    assert_int_equal(hash_statues(), 0x3183bb717d1bb921);
    assert_int_equal(hash_cloths(), 0x9f4e4b9fb10bba1e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_statues),
        cmocka_unit_test(test_snow),
        cmocka_unit_test(test_dolphins),
        cmocka_unit_test(test_passing),
        cmocka_unit_test(test_face),
        cmocka_unit_test(test_hand),
        cmocka_unit_test(test_blending),
        cmocka_unit_test(test_avatar),
        cmocka_unit_test(test_coarse_avatar),
        cmocka_unit_test(test_walking),
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_skinning),
        cmocka_unit_test(test_rooms),
        cmocka_unit_test(test_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
