/* Bodies that follow joints: bounds and vertices from their matrices. See pose.h.
 *
 * A vertex p, at rest or blended, goes to A (w_0 M_0 p + w_1 M_1 p + ...) + a: each of its joints
 * moves it, weights add that up, and the map of the body moves the sum. The vertices of a part of
 * the tree that follow joint j are within a shape S_j, and follow it with a weight from l_j to g_j;
 * the sum of their weights is from s to t. Let h_j be how far A M_j S_j reaches along an axis. Then
 * none of them is beyond
 *   max(s L, t L) + max(l_0 (h_0 - L), g_0 (h_0 - L)) + max(l_1 (h_1 - L), g_1 (h_1 - L)) + ...
 * along it, whatever L is: of a vertex that is w_0 q_0 + w_1 q_1 + ..., with q_j at most h_j, this
 * is at most (w_0 + w_1 + ...) L + w_0 (h_0 - L) + w_1 (h_1 - L) + ..., term by term. Weights need
 * not sum to one for that. The kernel takes the best of two or three L. A part that follows one
 * joint with weight one is bounded by h_0 alone, like a body in its rest pose.
 *
 * Spheres are after Mujika and others, "Real time accurate collision detection for virtual
 * characters": centers are carried by weights. With y_j the image of the center of S_j, and
 * weights v_j between l_j and g_j that sum to u, between s and t, the center of the ball is
 * c = v_0 y_0 + v_1 y_1 + ..., and a vertex differs from it by
 *   (w_0 - v_0) (y_0 - c) + ... + (w_0 + w_1 + ... - u) c, and w_j times a radius each;
 * and by w_0 (y_0 - c) + ... + (w_0 + w_1 + ... - 1) c, and the same.
 *
 * Margins. None of this is the vertex's own expression. Let U be 2^-24, n the joints of a node, W
 * the greatest sum of a vertex's weights, r the reach of what is moved along each axis
 * (morph_bounds.c) and e its margin there, F and D the greatest sums of |coefficients| in a row of
 * A and of any of these M_j, B the greatest coordinate of |M_j| r + |offsets of M_j|, O that of
 * |a|, H = F B, which is no less than any coordinate that A makes of what M_j does, and X = W H +
 * O, no less than any in the world. Along an axis of the world:
 *   - a vertex is rounded by M_j, 4 U B, by up to eight weights, 9 U W B, and by A: less than
 *     14 U W H + 5 U X;
 *   - h_j is a sum of three ends with factors, and an offset. Slabs that share an axis have the
 *     same sign along it, so that the sum of |factors| times |ends| is no more than |A M_j| r,
 *     and no factor loses more than it may to cancellation (slabs.c). The ends were rounded
 *     when they were made, 2 U of themselves, or are sums that are off by e; factors and sums
 *     are rounded: 10 U H + F D e. Since a vertex has no more weight than W, it matters W
 *     times;
 *   - the bound is a sum of n + 1 terms, each of at most 2 W H, rounded twice each, and as n
 *     sums of which none is beyond (2 n + 1) W H: (n (2 n + 1) + 4 n + 2) U W H;
 *   - a and the margin are added to it: 3 U X.
 * Together less than (8 X + (2 n^2 + 5 n + 26) W H) U + W F D e. There is no e without terms. Of
 * balls, the length of a vector is less than twice its greatest coordinate, and:
 *   - c is rounded by (n + 1) U W H, and u differs from the sum of what v_j was rounded to by
 *     (n + 3) U W, which c multiplies: (n + 3) U W W H;
 *   - all lengths, and the sum of the radii, are sums of what is not negative: n + 16 times U
 *     of themselves, which is added where they are made; the rest is as above.
 * Together less than twice (8 X + (2 n^2 + 6 n + 32) max(1, W) W H) U + W F D e, which serves for
 * boxes too, but for the two. Products that underflow are off by 2^-150 each: no more than 3 for
 * each factor and each coordinate that M_j and A make, times what comes after, and 2 n in the
 * end; a factor that does is off by 2^-150 times r, a weight v_j by 2^-150 times H. Together less
 * than (1 + F) (1 + D) (1 + W) (64 + 8 n + 16 |r| + n H) 2^-149. The length of a vector whose
 * squares underflow is off by 2^-73, which a weight multiplies, or how far a sum is from one.
 *
 * All of this holds while nothing overflows, and so where, for all joints, (2 n + 1) max(1, W W)
 * H and X are below 10^36, and all that they are made of; of balls, whose lengths are roots of
 * squares, below 10^17. Elsewhere there are no bounds at all, and it is slow.
 */
#include "mesh_pose/skin.h"
#include "geom/geom.h"
#include "mesh_pose/margins.h"
#include "mesh_pose/mesh_pose.h"

#include <string.h>

/* ---- Memory, and new matrices ---------------------------------------------------------------- */

static bool has_balls(const PliMeshPose *pose)
{
    return pose->shape->morph_tables.bound_kind == PLIANT_BOUND_SPHERE;
}

static PliantResult allocate(PliMeshPose *pose, const PliantHost *host)
{
    PliSkinState *skin = &pose->skin;
    const size_t count = (size_t)pose->shape->skin_tables.joint_count;
    const size_t sums_size = has_balls(pose) ? sizeof(PliJointBall) : 3 * sizeof(PliSlabSum);
    const size_t size = count * (sizeof(PliTransform) + sums_size + sizeof(PliJointSize));
    void *memory = NULL;
    PLI_TRY(pli_allocate(host, size, 1, &memory));
    memset(memory, 0, size); /* touched, so that no frame has to wait for it */
    skin->memory = memory;
    skin->memory_size = size;
    skin->transforms = memory;
    skin->sums = has_balls(pose) ? NULL : (PliSlabSum *)(skin->transforms + count);
    skin->balls = has_balls(pose) ? (PliJointBall *)(skin->transforms + count) : NULL;
    skin->sizes = (PliJointSize *)((char *)(skin->transforms + count) + count * sums_size);
    return PLIANT_OK;
}

PliantResult pli_skin_match(PliMeshPose *pose, const PliMeshPose *other, const PliantHost *host)
{
    PliSkinState *skin = &pose->skin;
    if (!skin->memory)
        PLI_TRY(allocate(pose, host));
    memcpy(skin->transforms, other->skin.transforms,
           (size_t)pose->shape->skin_tables.joint_count * sizeof *skin->transforms);
    skin->has_joints = pose->base.is_transform_new = pose->base.is_stale = true;
    return PLIANT_OK;
}

PliantResult pli_skin_set(PliMeshPose *pose, const PliantTransform *joints, const PliantHost *host)
{
    PliSkinState *skin = &pose->skin;
    if (!skin->memory)
        PLI_TRY(allocate(pose, host));
    for (int32_t j = 0; j < pose->shape->skin_tables.joint_count; j++)
        for (int c = 0; c < 4; c++)
            skin->transforms[j].columns[c] =
                (PliFloat4){joints[j].rows[0][c], joints[j].rows[1][c], joints[j].rows[2][c], 0};
    skin->has_joints = true;
    pose->base.is_transform_new = true;
    return PLIANT_OK;
}

void pli_skin_free(PliMeshPose *pose, const PliantHost *host)
{
    pli_release(host, pose->skin.memory, pose->skin.memory_size, 1);
}

/* ---- A new frame ----------------------------------------------------------------------------- */

/* All coordinates at once. */
typedef double Double4 __attribute__((vector_size(32)));
typedef int64_t Long4 __attribute__((vector_size(32)));

/* The joints that anything follows. */
static PliRange used_joints(const PliMeshPose *pose, const uint16_t **joints)
{
    const PliSkinTables *skin_tables = &pose->shape->skin_tables;
    const bool has_nodes = pose->shape->tree.node_count > 0;
    *joints = has_nodes ? skin_tables->node_joints : skin_tables->leaf_joints;
    return has_nodes ? skin_tables->node_joint_lists[0] : skin_tables->leaf_joint_lists[0];
}

/* The greatest sum of |coefficients| in a row, and the greatest coordinate of what has a reach. */
static void size_of(const PliTransform *transform, const double reach[3], double *row,
                    double *coordinate)
{
    Double4 sizes[4];
    *row = *coordinate = 0;
    for (int c = 0; c < 4; c++)
        sizes[c] =
            (Double4)((Long4) __builtin_convertvector(transform->columns[c], Double4) & INT64_MAX);
    const Double4 sums = (sizes[0] + sizes[1]) + sizes[2];
    const Double4 here =
        ((sizes[3] + sizes[0] * reach[0]) + sizes[1] * reach[1]) + sizes[2] * reach[2];
    for (int k = 0; k < 3; k++) {
        *row = sums[k] > *row ? sums[k] : *row;
        *coordinate = here[k] > *coordinate ? here[k] : *coordinate;
    }
}

/* The margins, by what they are derived from: names are those of the heading. */
static PliMargins derive_margins(const PliMeshPose *pose, double f, double d, double o,
                                 const double reach[3], int32_t term_count)
{
    const double w = pose->shape->skin_tables.skin_sums[0], scale = has_balls(pose) ? 2 : 1;
    const double r = reach[0] + reach[1] + reach[2];
    const double unit = scale * (w > 1 ? w : 1) * w * f * PLI_UNIT;
    const double tiny = scale * (1 + f) * (1 + d) * (1 + w) * PLI_TINY;
    const double length = has_balls(pose) ? (w > 1 ? w : 1) * 0x1p-72 : 0;
    const double at_rest = term_count > 0 ? pli_margin_at_rest(r, term_count) : 0;
    return (PliMargins){
        .base = scale * 8 * PLI_UNIT * o + (64 + 16 * r) * tiny + length,
        .by_count = 8 * tiny + length,
        .by_size = {scale * 8 * PLI_UNIT * w * f + 32 * unit, 6 * unit + f * tiny, 2 * unit},
        .by_row = scale * w * f * at_rest,
        .reach = {reach[0], reach[1], reach[2]}};
}

static double margin_of(const PliMargins *margins, double n, double b, double d)
{
    return (margins->base + n * margins->by_count) +
           b * ((margins->by_size[0] + n * margins->by_size[1]) + n * n * margins->by_size[2]) +
           d * margins->by_row;
}

/* Sets the margins, if they can be relied on. */
static bool set_margins(PliMeshPose *pose, const double reach[3], int32_t term_count)
{
    static const double nowhere[3] = {0, 0, 0};
    PliSkinState *skin = &pose->skin;
    const uint16_t *joints;
    const PliRange used = used_joints(pose, &joints);
    const double all = reach[0] + reach[1] + reach[2], w = pose->shape->skin_tables.skin_sums[0];
    const double most = has_balls(pose) ? 1e17 : PLI_MAX_MAGNITUDE, weight = w > 1 ? w * w : 1;
    double f, o, b = 0, d = 0;
    skin->margins = (PliMargins){0};
    if (!(all < most))
        return false;
    for (int32_t i = used.first; i < used.first + used.count; i++) {
        double row, coordinate;
        size_of(&skin->transforms[joints[i]], reach, &row, &coordinate);
        skin->sizes[joints[i]] = (PliJointSize){pli_rounded_up(coordinate), pli_rounded_up(row)};
        b = coordinate > b ? coordinate : b;
        d = row > d ? row : d;
    }
    size_of(&pose->base.transform, nowhere, &f, &o);
    const double h = f * b, x = w * h + o; /* h itself has to be a number, too */
    if (!((2.0 * used.count + 1) * weight * h < most && x < most && b < most && f < most &&
          f * d < most && weight < most))
        return false;
    skin->margins = derive_margins(pose, f, d, o, reach, term_count);
    return margin_of(&skin->margins, used.count, b, d) < most;
}

static void set_ball(PliMeshPose *pose, int32_t joint)
{
    PliJointBall *ball = &pose->skin.balls[joint];
    double rows[3][3], offset[3];
    pli_combine_joint(&pose->base.transform, &pose->skin.transforms[joint], rows, offset);
    ball->stretch = pli_rounded_up(pli_stretch_of(rows));
    for (int k = 0; k < 3; k++) {
        ball->columns[3][k] = (float)offset[k];
        for (int c = 0; c < 3; c++)
            ball->columns[c][k] = (float)rows[k][c];
    }
}

bool pli_skin_update(PliMeshPose *pose, const double reach[3], int32_t term_count,
                     const PliKernels *kernels)
{
    const uint16_t *joints;
    const PliRange used = used_joints(pose, &joints);
    if (!set_margins(pose, reach, term_count))
        return false;
    if (!has_balls(pose))
        kernels->joint_sums(&pose->base.transform, pose->skin.transforms, joints + used.first,
                            used.count, pli_slab_count(pose->shape->morph_tables.bound_kind),
                            pose->skin.sums);
    for (int32_t i = used.first; i < used.first + used.count && has_balls(pose); i++)
        set_ball(pose, joints[i]);
    return true;
}

/* ---- Bounds, where a node is reached --------------------------------------------------------- */

static float margin_of_node(const PliMeshPose *pose, int32_t node)
{
    const PliSkinTables *skin_tables = &pose->shape->skin_tables;
    const PliRange list = skin_tables->node_joint_lists[node];
    PliJointSize most = {0, 0};
    for (int32_t i = list.first; i < list.first + list.count; i++) {
        const PliJointSize *size = &pose->skin.sizes[skin_tables->node_joints[i]];
        most.coordinate = size->coordinate > most.coordinate ? size->coordinate : most.coordinate;
        most.row = size->row > most.row ? size->row : most.row;
    }
    return pli_rounded_up(margin_of(&pose->skin.margins, list.count, most.coordinate, most.row));
}

static void open_boxes(const PliMeshPose *pose, int32_t node, const float *moves,
                       bool has_only_moves, const PliKernels *kernels, PliBoxes *boxes)
{
    const PliSkinTables *skin_tables = &pose->shape->skin_tables;
    const PliRange list = skin_tables->node_joint_lists[node];
    const float margin = margin_of_node(pose, node);
    PliSkinnedNode skinned = {
        .joint_count = list.count,
        .slab_count = pli_slab_count(skin_tables->bound_kind),
        .joints = skin_tables->node_joints + list.first,
        .sums = pose->skin.sums,
        .parts = skin_tables->skin_parts +
                 pli_skin_part_size(skin_tables->bound_kind) * (size_t)list.first,
        .moves = moves,
        .has_only_moves = has_only_moves,
        .is_uneven = skin_tables->skin_sums[1] > 0x1p-10f,
        .weight_sums = skin_tables->weight_sums + 2 * PLI_GROUP * (size_t)node};
    for (int k = 0; k < 3; k++) {
        skinned.low_offsets[k] = pose->base.transform.columns[3][k] - margin;
        skinned.high_offsets[k] = pose->base.transform.columns[3][k] + margin;
    }
    kernels->skin_boxes(&skinned, boxes);
}

/* One child that follows joints, for balls: its weights, and those in the middle, which are scaled
 * so that they sum to the middle of the sums. */
typedef struct Child {
    const float *parts; /* of the first joint: this child's numbers */
    size_t size;        /* from one joint to the next */
    int32_t joint_count;
    float scale; /* of weights in the middle */
    float least_sum, greatest_sum;
} Child;

static float least_of(const Child *child, int32_t j)
{
    return child->parts[child->size * (size_t)j];
}

static float greatest_of(const Child *child, int32_t j)
{
    return child->parts[child->size * (size_t)j + PLI_GROUP];
}

static float middle_of(const Child *child, int32_t j)
{
    return (least_of(child, j) + greatest_of(child, j)) * child->scale;
}

/* Where the joint has the center of what follows it; and how far that reaches around it. */
static float image_of(const PliMeshPose *pose, const Child *child, int32_t j, int32_t joint,
                      const float *moves, bool has_only_moves, float image[3])
{
    const float *ball = child->parts + child->size * (size_t)j + 2 * PLI_GROUP;
    const PliJointBall *by = &pose->skin.balls[joint];
    float at[4];
    for (int k = 0; k < 4; k++) {
        at[k] = has_only_moves ? 0 : ball[PLI_GROUP * k];
        at[k] += moves ? moves[PLI_GROUP * k] : 0;
    }
    for (int k = 0; k < 3; k++)
        image[k] =
            ((by->columns[0][k] * at[0] + by->columns[1][k] * at[1]) + by->columns[2][k] * at[2]) +
            by->columns[3][k];
    return at[3] * by->stretch;
}

static Child child_of(const PliMeshPose *pose, int32_t node, int c)
{
    const PliSkinTables *skin_tables = &pose->shape->skin_tables;
    const PliRange list = skin_tables->node_joint_lists[node];
    const float *sums = skin_tables->weight_sums + 2 * PLI_GROUP * (size_t)node + (size_t)c;
    const size_t size = pli_skin_part_size(skin_tables->bound_kind);
    Child child = {.parts = skin_tables->skin_parts + size * (size_t)list.first + (size_t)c,
                   .size = size,
                   .joint_count = list.count,
                   .scale = 1,
                   .least_sum = sums[0],
                   .greatest_sum = sums[PLI_GROUP]};
    float whole = 0;
    for (int32_t j = 0; j < list.count; j++)
        whole += middle_of(&child, j);
    child.scale = whole > 0 ? 0.5f * (child.least_sum + child.greatest_sum) / whole : 0;
    return child;
}

static float larger(float x, float y)
{
    return x > y ? x : y;
}

static float length_of(const float v[3])
{
    return sqrtf((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
}

/* What the images of a child's parts say of its ball. */
typedef struct BallSums {
    float center[3];      /* of the images, weighted by the middle weights */
    float radii;          /* the sum of the images' radii, weighted by the greatest weights */
    float largest_radius; /* of an image that anything follows */
    float by_weights;     /* how far weights that are not in the middle can move a vertex */
    float farthest;       /* from the center to the far side of an image */
} BallSums;

/* The center and the radii. */
static BallSums sum_images(const PliMeshPose *pose, const Child *child, const uint16_t *joints,
                           const float *moves, bool has_only_moves)
{
    BallSums sums = {{0}, 0, 0, 0, 0};
    float image[3];
    for (int32_t j = 0; j < child->joint_count; j++) {
        const float weight = greatest_of(child, j);
        const float radius = image_of(pose, child, j, joints[j], moves, has_only_moves, image);
        sums.radii += weight * radius;
        sums.largest_radius = larger(weight > 0 ? radius : 0, sums.largest_radius);
        for (int k = 0; k < 3; k++)
            sums.center[k] += middle_of(child, j) * image[k];
    }
    return sums;
}

/* How far the images are from the center, which is known. */
static void sum_distances(const PliMeshPose *pose, const Child *child, const uint16_t *joints,
                          const float *moves, bool has_only_moves, BallSums *sums)
{
    float image[3];
    for (int32_t j = 0; j < child->joint_count; j++) {
        const float middle = middle_of(child, j), greatest = greatest_of(child, j);
        const float off = larger(greatest - middle, middle - least_of(child, j));
        const float radius = image_of(pose, child, j, joints[j], moves, has_only_moves, image);
        const float apart[3] = {image[0] - sums->center[0], image[1] - sums->center[1],
                                image[2] - sums->center[2]};
        const float distance = length_of(apart);
        sums->by_weights += larger(off, 0) * distance;
        sums->farthest = larger(greatest > 0 ? distance + radius : 0, sums->farthest);
    }
}

/* The ball of one child: writes its center, and returns its radius. The lesser of two: by how far
 * each weight may be off, which is tight where weights hardly differ; and around all images, where
 * there are many. */
static float open_ball(const PliMeshPose *pose, int32_t node, int c, const float *moves,
                       bool has_only_moves, float center[3])
{
    const PliSkinTables *skin_tables = &pose->shape->skin_tables;
    const uint16_t *joints = skin_tables->node_joints + skin_tables->node_joint_lists[node].first;
    const Child child = child_of(pose, node, c);
    BallSums sums = sum_images(pose, &child, joints, moves, has_only_moves);
    sum_distances(pose, &child, joints, moves, has_only_moves, &sums);
    memcpy(center, sums.center, sizeof sums.center);
    const float even_radius = child.greatest_sum * sums.largest_radius;
    const float length = length_of(center);
    float by_weights = sums.by_weights;
    by_weights += sums.radii < even_radius ? sums.radii : even_radius;
    by_weights += 0.5f * (child.greatest_sum - child.least_sum) * length;
    const float around = child.greatest_sum * sums.farthest +
                         larger(child.greatest_sum - 1, 1 - child.least_sum) * length;
    const float radius = around < by_weights ? around : by_weights;
    return radius * (1 + (float)(child.joint_count + 16) * 2 * (float)PLI_UNIT);
}

static void open_balls(const PliMeshPose *pose, int32_t node, const float *moves,
                       bool has_only_moves, PliBoxes *boxes, float *balls)
{
    const float margin = margin_of_node(pose, node);
    for (int c = 0; c < 8; c++) {
        float center[3];
        const float radius =
            margin + open_ball(pose, node, c, moves ? moves + c : NULL, has_only_moves, center);
        for (int k = 0; k < 3; k++) {
            const float at = center[k] + pose->base.transform.columns[3][k];
            balls[PLI_GROUP * k + c] = at;
            boxes->low[k][c] = at - radius;
            boxes->high[k][c] = at + radius;
        }
        balls[3 * PLI_GROUP + c] = radius;
    }
}

void pli_skin_open(const PliMeshPose *pose, int32_t node, const float *moves, bool has_only_moves,
                   const PliKernels *kernels, PliBoxes *boxes, float *balls)
{
    if (has_balls(pose))
        open_balls(pose, node, moves, has_only_moves, boxes, balls);
    else
        open_boxes(pose, node, moves, has_only_moves, kernels, boxes);
}

/* ---- Vertices -------------------------------------------------------------------------------- */

void pli_skin_leaf(const PliMeshPose *pose, int32_t leaf, PliMorphLeaf *blended)
{
    const PliSkinTables *skin_tables = &pose->shape->skin_tables;
    const PliRange list = skin_tables->leaf_joint_lists[leaf];
    blended->joint_count = list.count;
    blended->joints = skin_tables->leaf_joints + list.first;
    blended->joint_transforms = pose->skin.transforms;
    blended->joint_weights =
        skin_tables->leaf_weights + PLI_GROUP * (size_t)skin_tables->leaf_weight_firsts[leaf];
}

static void follow_joints(const PliMeshPose *pose, size_t vertex, float *p)
{
    const PliSkinTables *skin_tables = &pose->shape->skin_tables;
    float sums[3] = {0, 0, 0};
    for (int32_t i = skin_tables->skin_firsts[vertex]; i < skin_tables->skin_firsts[vertex + 1];
         i++) {
        const PliFloat4 *m = pose->skin.transforms[skin_tables->skin_joints[i]].columns;
        for (int k = 0; k < 3; k++)
            sums[k] += skin_tables->skin_weights[i] *
                       (((m[0][k] * p[0] + m[1][k] * p[1]) + m[2][k] * p[2]) + m[3][k]);
    }
    memcpy(p, sums, sizeof sums);
}

void pli_skin_vertices(const PliMeshPose *pose, float *vertices)
{
    const size_t count = (size_t)pose->shape->header->vertex_count;
    for (size_t v = 0; v < count; v++)
        follow_joints(pose, v, vertices + 3 * v);
}
