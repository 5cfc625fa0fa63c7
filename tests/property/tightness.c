/* tightness: how much larger than needed are the boxes of leaves that follow joints?
 *
 * The avatar through two paces of walking: in each frame the areas of all leaf boxes, as the bounds
 * have them before any leaf is evaluated, over those of the boxes of their vertices; and the same
 * for boxes of nodes. Prints "figure KEY VALUE UNIT" as pliant-bench does, which cannot see bounds.
 * Fails if a box does not hold its vertices. */
#include "mesh_pose/mesh_pose.h"
#include "scenes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 24 };

typedef struct Body {
    SceneSkin skin;
    PliantShape *shape;
    PliMeshPose pose;
    PliWorker worker;
    float *vertices;
    PliKernels kernels;
} Body;

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    printf("tightness: %s\n", pliant_result_name(result));
    exit(1);
}

static void make_body(Body *body, PliantBoundKind bound_kind)
{
    body->skin = scene_avatar();
    const SceneSkin *skin = &body->skin;
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.vertices = (PliantVertices){skin->mesh.vertices, skin->mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){skin->mesh.triangles, skin->mesh.triangle_count};
    def.skin = &(PliantSkin){sizeof(PliantSkin), skin->joint_count, skin->influence_count,
                             skin->joints, skin->weights};
    experiments.bound_kind = bound_kind;
    must(pliant_shape_create(&def, &body->shape));
    must(pli_mesh_pose_init(&body->pose, body->shape, &body->shape->host));
    body->vertices = scene_allocate(3 * (size_t)skin->mesh.vertex_count, sizeof(float));
    pli_kernels_fill(&body->kernels, PLIANT_CPU_ALL);
    pli_worker_init(&body->worker, &body->shape->host, &body->kernels);
    must(pli_worker_reserve(&body->worker, 0, pli_mesh_pose_scratch_count(&body->pose)));
}

static void free_body(Body *body)
{
    pli_pose_free(&body->pose.base, &body->shape->host);
    pli_worker_free(&body->worker);
    pliant_shape_release(body->shape);
    scene_skin_free(&body->skin);
    free(body->vertices);
}

static void go_to(Body *body, int frame)
{
    PliantTransform joints[SCENE_AVATAR_JOINTS];
    scene_avatar_pose(&body->skin, (double)frame / FRAMES, 0, (float(*)[3][4])joints);
    must(pli_mesh_pose_set_joints(&body->pose, joints, &body->shape->host));
    pli_pose_update(&body->pose.base, &body->worker);
    pli_pose_vertices(&body->pose.base, body->vertices);
}

/* The box of the vertices of a range of the tree's triangles. */
static PliBox box_of(const Body *body, PliRange range)
{
    PliBox box = {0};
    for (int32_t i = 0; i < 3 * range.count; i++) {
        const int32_t triangle = body->shape->tree.order[range.first + i / 3];
        const float *p =
            body->vertices + 3 * (size_t)body->skin.mesh.triangles[3 * triangle + i % 3];
        for (int k = 0; k < 3; k++) {
            box.low[k] = i == 0 || p[k] < box.low[k] ? p[k] : box.low[k];
            box.high[k] = i == 0 || p[k] > box.high[k] ? p[k] : box.high[k];
        }
    }
    return box;
}

static double area_of(const PliBox *box)
{
    double side[3];
    for (int k = 0; k < 3; k++)
        side[k] = (double)box->high[k] - box->low[k];
    return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
}

static bool holds(const PliBox *box, const PliBox *inner)
{
    for (int k = 0; k < 3; k++)
        if (!(box->low[k] <= inner->low[k] && box->high[k] >= inner->high[k]))
            return false;
    return true;
}

/* Sums of areas: of leaves, and of nodes. */
typedef struct Areas {
    double bounds[2], exact[2];
    int64_t escaped_count;
} Areas;

static void add_children(Body *body, int32_t node, Areas *areas)
{
    const PliTree *tree = &body->shape->tree;
    const PliTreeNode *parent = &tree->nodes[node];
    const PliBoxes *boxes = pli_bounds_of(&body->pose.base.bounds, node, &body->worker, PLI_SIDE_A);
    if (!boxes)
        must(PLIANT_OUT_OF_MEMORY);
    for (int32_t i = 0; i < parent->child_count; i++) {
        const int32_t child = parent->children[i];
        const int is_node = child >= 0;
        const PliBox exact =
            box_of(body, is_node ? tree->nodes[child].range : tree->leaves[~child]);
        PliBox bound;
        for (int k = 0; k < 3; k++) {
            bound.low[k] = boxes->low[k][i];
            bound.high[k] = boxes->high[k][i];
        }
        areas->bounds[is_node] += area_of(&bound);
        areas->exact[is_node] += area_of(&exact);
        areas->escaped_count += !holds(&bound, &exact);
    }
}

static int by_value(const void *x, const void *y)
{
    double p = *(const double *)x, q = *(const double *)y;
    return (p > q) - (p < q);
}

static int64_t run(const char *name, PliantBoundKind bound_kind, bool is_default)
{
    Body body;
    double leaves[FRAMES], nodes[FRAMES];
    int64_t escaped_count = 0;
    make_body(&body, bound_kind);
    for (int frame = 0; frame < FRAMES; frame++) {
        Areas areas = {{0}, {0}, 0};
        go_to(&body, frame);
        for (int32_t node = 0; node < body.shape->tree.node_count; node++)
            add_children(&body, node, &areas);
        leaves[frame] = areas.bounds[0] / areas.exact[0];
        nodes[frame] = areas.bounds[1] / areas.exact[1];
        escaped_count += areas.escaped_count;
    }
    qsort(leaves, FRAMES, sizeof *leaves, by_value);
    qsort(nodes, FRAMES, sizeof *nodes, by_value);
    printf("%-6s leaves %.3f (worst frame %.3f), nodes %.3f, %" PRId64 " boxes too small\n", name,
           leaves[FRAMES / 2], leaves[FRAMES - 1], nodes[FRAMES / 2], escaped_count);
    printf("figure character.tightness.%s %.4g x\n", name, leaves[FRAMES / 2]);
    if (is_default)
        printf("figure character.tightness %.4g x\n", leaves[FRAMES / 2]);
    free_body(&body);
    return escaped_count;
}

int main(void)
{
    int64_t escaped_count = run("dop18", PLIANT_BOUND_DOP18, true);
    escaped_count += run("dop14", PLIANT_BOUND_DOP14, false);
    escaped_count += run("box", PLIANT_BOUND_BOX, false);
    escaped_count += run("sphere", PLIANT_BOUND_SPHERE, false);
    return escaped_count ? 1 : 0;
}
