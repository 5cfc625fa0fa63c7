/* Boxes of a tree: put side by side, moved, and merged from the leaves up. See pose.h. */
#include "pose/pose.h"

void pli_boxes_set(PliBoxes *boxes, const PliBox *children, int32_t count)
{
    const PliFloat4 none = {NAN, NAN, NAN, NAN};
    for (int32_t first = 0; first < 8; first += 4) {
        PliFloat4 low[4], high[4];
        for (int32_t i = 0; i < 4; i++) {
            low[i] = first + i < count ? children[first + i].low : none;
            high[i] = first + i < count ? children[first + i].high : none;
        }
        pli_store_columns(low, boxes->low[0] + first, boxes->low[1] + first, boxes->low[2] + first);
        pli_store_columns(high, boxes->high[0] + first, boxes->high[1] + first,
                          boxes->high[2] + first);
    }
}

/* The least and the greatest of m * x for x in low .. high, as they round. */
static void scale(float m, float low, float high, float *least, float *greatest)
{
    *least = m * (m < 0 ? high : low);
    *greatest = m * (m < 0 ? low : high);
}

/* The nearest number that is finite. */
static float nearest_finite(float x)
{
    x = x > -FLT_MAX ? x : -FLT_MAX;
    return x < FLT_MAX ? x : FLT_MAX;
}

/* A box of nothing, such as that of vertices which are all NaN, stays one. */
static bool is_empty(const float low[3], const float high[3])
{
    return !(low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2]);
}

/* One coordinate of a moved box. Ends that are not finite belong to vertices that are not, whose
 * triangles are in no pair: they are brought in to the largest number, so that zero times infinity
 * cannot be. Sums of huge numbers can still be infinity minus infinity: then there is no bound. */
static void move_end(const PliMap *map, int k, const float low[3], const float high[3],
                     float *moved_low, float *moved_high)
{
    float least[3], greatest[3];
    for (int j = 0; j < 3; j++)
        scale(map->columns[j][k], nearest_finite(low[j]), nearest_finite(high[j]), &least[j],
              &greatest[j]);
    float offset = map->columns[3][k];
    float l = ((least[0] + least[1]) + least[2]) + offset;
    float h = ((greatest[0] + greatest[1]) + greatest[2]) + offset;
    *moved_low = l <= INFINITY ? l : -INFINITY;
    *moved_high = h >= -INFINITY ? h : INFINITY;
}

PliBox pli_box_moved(const PliMap *map, const PliBox *box)
{
    float low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = box->low[k];
        high[k] = box->high[k];
    }
    PliBox moved = pli_box_empty();
    for (int k = 0; k < 3 && !is_empty(low, high); k++) {
        float l, h;
        move_end(map, k, low, high, &l, &h);
        moved.low[k] = l;
        moved.high[k] = h;
    }
    return moved;
}

void pli_boxes_move(const PliMap *map, PliBoxes *boxes)
{
    for (int i = 0; i < 8; i++) {
        float low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = boxes->low[k][i];
            high[k] = boxes->high[k][i];
        }
        for (int k = 0; k < 3 && !is_empty(low, high); k++)
            move_end(map, k, low, high, &boxes->low[k][i], &boxes->high[k][i]);
    }
}

PliBox pli_bounds_from_leaves(const PliTree *tree, const PliVertexSets *sets,
                              const PliVertexView *vertices, const PliKernels *kernels,
                              PliBox *scratch, PliBoxes *boxes)
{
    PliBox *leaf_boxes = scratch, *node_boxes = scratch + tree->leaf_count;
    kernels->box_lists(vertices, sets->numbers, sets->leaf_lists, tree->leaf_count, leaf_boxes);
    for (int32_t n = tree->node_count - 1; n >= 0; n--) {
        const PliTreeNode *node = &tree->nodes[n];
        PliBox children[8], all = pli_box_empty();
        for (int32_t c = 0; c < node->child_count; c++) {
            int32_t child = node->children[c];
            children[c] = child < 0 ? leaf_boxes[~child] : node_boxes[child];
            pli_box_add(&all, &children[c]);
        }
        pli_boxes_set(&boxes[n], children, node->child_count);
        node_boxes[n] = all;
    }
    return tree->node_count > 0 ? node_boxes[0] : leaf_boxes[0];
}

void pli_rest_boxes(const PliantShape *shape, PliBox *scratch, PliBoxes *boxes)
{
    PliKernels kernels;
    pli_kernels_fill(&kernels, PLIANT_CPU_NONE);
    PliVertexView vertices = {(const char *)shape->vertices, 3 * sizeof(float),
                              (uint32_t)shape->header->vertex_count};
    pli_bounds_from_leaves(&shape->tree, &shape->sets, &vertices, &kernels, scratch, boxes);
}
