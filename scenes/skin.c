/* Meshes that follow joints, and their vertices: see scenes.h.
 *
 * Sixteen vertices at a time. Where all of them follow one joint, which is so for most, its matrix
 * is read once; else the matrices are gathered. 1.7 times as fast as one vertex at a time with x, y
 * and z side by side; with the gathers of AVX-512, written by hand, it would be 1.7 times as fast
 * again. */
#include "scenes.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 16 };

typedef float Lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float))));

typedef int32_t Marks __attribute__((vector_size(LANES * sizeof(int32_t))));

/* Sixteen vertices side by side; those that are not there have no weight. */
struct SceneSkinBlock {
    Lanes rest[3];
    Lanes weights[SCENE_MAX_INFLUENCES];
    int32_t joints[SCENE_MAX_INFLUENCES][LANES];
    int32_t influence_count; /* the most that one has */
    bool has_one_joint[SCENE_MAX_INFLUENCES];
};

/* As wide as the machine is: rounded alike, whatever the width. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) &&                            \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif
#define INLINE static inline __attribute__((always_inline))

/* ---- Packing ----------------------------------------------------------------------------- */

static void pack_vertex(SceneSkin *skin, size_t vertex)
{
    SceneSkinBlock *block = &skin->blocks[vertex / LANES];
    const size_t lane = vertex % LANES, first = vertex * (size_t)skin->influence_count;
    for (int k = 0; k < 3; k++)
        block->rest[k][lane] = skin->mesh.vertices[3 * vertex + (size_t)k];
    for (int32_t i = 0; i < skin->influence_count; i++) {
        const float weight = skin->weights[first + (size_t)i];
        block->weights[i][lane] = weight;
        block->joints[i][lane] = skin->joints[first + (size_t)i];
        if (weight != 0 && i >= block->influence_count)
            block->influence_count = i + 1;
    }
}

static void find_one_joint(SceneSkinBlock *block)
{
    for (int32_t i = 0; i < block->influence_count; i++) {
        bool has_one = true;
        for (int lane = 1; lane < LANES; lane++)
            has_one &= block->joints[i][lane] == block->joints[i][0];
        block->has_one_joint[i] = has_one;
    }
}

void scene_skin_pack(SceneSkin *skin)
{
    const size_t count = (size_t)skin->mesh.vertex_count;
    free(skin->blocks);
    skin->blocks = scene_allocate((count + LANES - 1) / LANES, sizeof *skin->blocks);
    for (size_t vertex = 0; vertex < count; vertex++)
        pack_vertex(skin, vertex);
    for (size_t block = 0; block < (count + LANES - 1) / LANES; block++)
        find_one_joint(&skin->blocks[block]);
}

void scene_skin_free(SceneSkin *skin)
{
    free(skin->joints);
    free(skin->weights);
    free(skin->blocks);
    scene_mesh_free(&skin->mesh);
    *skin = (SceneSkin){0};
}

/* ---- Skinning ---------------------------------------------------------------------------- */

INLINE Lanes carried(const float row[4], const Lanes p[3])
{
    return ((row[0] * p[0] + row[1] * p[1]) + row[2] * p[2]) + row[3];
}

/* An element of the matrix of each lane. */
INLINE Lanes gathered(const float *element, const int32_t *joints)
{
    float each[LANES];
    for (int i = 0; i < LANES; i++)
        each[i] = element[12 * joints[i]];
    Lanes all;
    memcpy(&all, each, sizeof all);
    return all;
}

INLINE Lanes carried_by_many(const float *row, const int32_t *joints, const Lanes p[3])
{
    return ((gathered(row, joints) * p[0] + gathered(row + 1, joints) * p[1]) +
            gathered(row + 2, joints) * p[2]) +
           gathered(row + 3, joints);
}

/* What has no weight has no part. */
INLINE void skin_block(const SceneSkinBlock *block, const float (*joints)[3][4], Lanes sums[3])
{
    for (int row = 0; row < 3; row++)
        sums[row] = (Lanes){0};
    for (int32_t k = 0; k < block->influence_count; k++)
        for (int row = 0; row < 3; row++) {
            const Lanes weights = block->weights[k], before = sums[row];
            const Lanes part =
                weights * (block->has_one_joint[k]
                               ? carried(joints[block->joints[k][0]][row], block->rest)
                               : carried_by_many(joints[0][row], block->joints[k], block->rest));
            const Marks has_weight = weights != 0;
            sums[row] = (Lanes)((has_weight & (Marks)(k == 0 ? part : before + part)) |
                                (~has_weight & (Marks)before));
        }
}

WIDE static void skin_vertices(const SceneSkinBlock *block, const float (*joints)[3][4],
                               const float (*rows)[4], size_t count, float *vertices)
{
    Lanes sums[3], moved[3];
    skin_block(block, joints, sums);
    for (int k = 0; k < 3; k++)
        moved[k] = rows ? carried(rows[k], sums) : sums[k];
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++)
            vertices[3 * i + k] = moved[k][i];
}

void scene_skin_vertices(const SceneSkin *skin, const float (*joints)[3][4], const float (*rows)[4],
                         float *vertices)
{
    const size_t count = (size_t)skin->mesh.vertex_count;
    for (size_t first = 0; first < count; first += LANES)
        skin_vertices(&skin->blocks[first / LANES], joints, rows,
                      count - first < LANES ? count - first : LANES, vertices + 3 * first);
}
