/* Soups: see soups.h. One random number a statement: the order within one is the compiler's. */
#include "soups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is in them ----------------------------------------------------------------------------
 */

int32_t soup_vertex_count(const Soup *soup)
{
    return soup->has_corners ? soup->made_count : soup->width * soup->count;
}

/* Room for twice as many places, and as many vertices as these may need. */
static void make_room(Soup *soup, int32_t index_count, int32_t vertex_count)
{
    const size_t width = (size_t)soup->width;
    soup->all_count = soup->count = index_count;
    soup->most = 2 * index_count + 40;
    soup->max_made = soup->has_corners ? vertex_count + soup->most : soup->width * soup->most;
    free(soup->vertices);
    free(soup->corners);
    soup->vertices = scene_allocate((size_t)soup->max_made, 12);
    soup->corners = scene_allocate((size_t)soup->most * width, sizeof *soup->corners);
}

/* Vertices of the mesh as points, or its triangles, or a side of each; points may have a vertex in
 * common, and a segment may be one. */
static void fill(Stage *stage, Soup *soup, const SceneMesh *mesh)
{
    const bool is_points = soup->width == 1;
    make_room(soup, is_points ? mesh->vertex_count : mesh->triangle_count, mesh->vertex_count);
    for (int32_t i = 0; i < soup->width * soup->count; i++) {
        uint32_t any = scene_random_below(&stage->random, (uint32_t)mesh->vertex_count);
        bool is_any = soup->has_corners && stage_whole(&stage->random, 0, 7) == 0;
        const int32_t corner = 3 * (i / soup->width) + i % soup->width;
        uint32_t own = is_points                    ? (is_any ? any : (uint32_t)i)
                       : is_any && soup->width == 2 ? any
                                                    : mesh->triangles[corner];
        soup->corners[i] = soup->has_corners ? own : (uint32_t)i;
        if (!soup->has_corners)
            memcpy(soup->vertices + 3 * (size_t)i, mesh->vertices + 3 * (size_t)own, 12);
    }
    if (soup->has_corners)
        memcpy(soup->vertices, mesh->vertices, 12 * (size_t)mesh->vertex_count);
    soup->made_count = mesh->vertex_count;
}

static void fill_anew(Stage *stage, Soup *soup)
{
    const bool is_few = stage->kind != STAGE_copies && stage->kind != STAGE_points &&
                        stage_whole(&stage->random, 0, 7) == 0;
    SceneMesh mesh = is_few ? stage_few(stage) : stage_mesh(stage);
    fill(stage, soup, &mesh);
    scene_mesh_free(&mesh);
}

/* Many of them are one in ten: they take a lot of memory. */
static int32_t random_levels(SceneRandom *random)
{
    const bool is_any = stage_whole(random, 0, 3) == 0;
    return stage_whole(random, 0, is_any ? PLIANT_MAX_SOUP_LEVELS : 4);
}

static Soup *create_empty(Stage *stage, bool has_corners)
{
    Soup *soup = scene_allocate(1, sizeof *soup);
    soup->def = pliant_soup_def_default();
    soup->def.primitive_kind = (PliantPrimitiveKind)stage_whole(&stage->random, 0, 2);
    soup->experiments = pliant_experiments_default();
    soup->def.experiments = &soup->experiments;
    soup->experiments.soup_kind = (PliantSoupKind)stage_whole(&stage->random, 0, 3);
    soup->experiments.soup_level_count = random_levels(&stage->random);
    static const int32_t widths[] = {
        [PLIANT_TRIANGLES] = 3, [PLIANT_POINTS] = 1, [PLIANT_SEGMENTS] = 2};
    soup->width = widths[soup->def.primitive_kind];
    soup->has_corners = has_corners;
    return soup;
}

Soup *soup_create(Stage *stage)
{
    bool has_corners = stage_whole(&stage->random, 0, 1);
    Soup *soup = create_empty(stage, has_corners);
    fill_anew(stage, soup);
    return soup;
}

Soup *soup_create_points(Stage *stage, const SceneMesh *mesh)
{
    Soup *soup = create_empty(stage, false);
    fill(stage, soup, mesh);
    return soup;
}

void soup_free(Soup *soup)
{
    if (!soup)
        return;
    free(soup->vertices);
    free(soup->corners);
    free(soup);
}

/* ---- What becomes of them -----------------------------------------------------------------------
 */

static float *vertex_of(const Soup *soup, int32_t index, int corner)
{
    const size_t at = (size_t)soup->width * (size_t)index + (size_t)corner;
    return soup->vertices + 3 * (size_t)soup->corners[at];
}

static bool is_empty(const Soup *soup, int32_t index)
{
    return soup->corners[(size_t)soup->width * (size_t)index] == PLIANT_NO_VERTEX;
}

static void scatter(Stage *stage, Soup *soup)
{
    const int32_t size = soup->has_corners ? 1 : soup->width, count = soup_vertex_count(soup);
    for (int32_t first = 0; first < count; first += size)
        stage_shift(stage, soup->vertices + 3 * (size_t)first, size, 0.4);
}

/* A number of places, from one to all or to few. */
static int32_t some_places(Stage *stage, const Soup *soup)
{
    bool is_few = stage_whole(&stage->random, 0, 1);
    int32_t most = is_few && soup->count > 5 ? 5 : soup->count;
    return soup->count == 0 ? 0 : stage_whole(&stage->random, 1, most);
}

static int32_t any_place(Stage *stage, const Soup *soup)
{
    return stage_whole(&stage->random, 0, soup->count - 1);
}

/* Their corners, or where their vertices are. */
static void swap(const Soup *soup, int32_t i, int32_t j)
{
    const size_t width = (size_t)soup->width;
    uint32_t *x = soup->corners + width * (size_t)i, *y = soup->corners + width * (size_t)j;
    for (size_t c = 0; c < width && soup->has_corners; c++) {
        uint32_t corner = x[c];
        x[c] = y[c];
        y[c] = corner;
    }
    for (int c = 0; c < soup->width && !soup->has_corners; c++) {
        float kept[3], *p = vertex_of(soup, i, c), *q = vertex_of(soup, j, c);
        memcpy(kept, p, 12);
        memcpy(p, q, 12);
        memcpy(q, kept, 12);
    }
}

static void swap_lanes(Stage *stage, Soup *soup)
{
    for (int32_t left = some_places(stage, soup); left > 0; left--) {
        int32_t i = any_place(stage, soup);
        int32_t j = any_place(stage, soup);
        if (i != j)
            swap(soup, i, j);
    }
}

/* The corners of an empty place are anything, but for the first. */
static void empty_some(Stage *stage, Soup *soup)
{
    static const uint32_t nothing[] = {PLIANT_NO_VERTEX, 0xfffffffe, 0x7fffffff};
    for (int32_t left = some_places(stage, soup); left > 0; left--) {
        int32_t index = any_place(stage, soup);
        int corner = stage_whole(&stage->random, 0, soup->width - 1);
        int axis = stage_whole(&stage->random, 0, 2);
        if (soup->has_corners)
            memcpy(soup->corners + (size_t)soup->width * (size_t)index, nothing,
                   (size_t)soup->width * sizeof *nothing);
        else
            vertex_of(soup, index, corner)[axis] = NAN;
    }
}

/* A place that is empty, or one more; -1 if there is no room for what would be in it. */
static int32_t claim_index(Stage *stage, Soup *soup)
{
    int32_t index = any_place(stage, soup);
    if (soup->has_corners && soup->made_count == soup->max_made)
        return -1;
    if (is_empty(soup, index))
        return index;
    if (soup->count == soup->most)
        return -1;
    index = soup->count++;
    soup->all_count = soup->count > soup->all_count ? soup->count : soup->all_count;
    return index;
}

/* From the middle of one side to the corner opposite; a point is then there twice. */
static void cut(Soup *soup, int32_t index, int32_t other)
{
    const size_t width = (size_t)soup->width, last = width - 1;
    uint32_t *x = soup->corners + width * (size_t)index;
    uint32_t *y = soup->corners + width * (size_t)other;
    float middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] =
            0.5f * vertex_of(soup, index, 0)[k] + 0.5f * vertex_of(soup, index, (int)last)[k];
    for (size_t c = 0; c < width; c++)
        y[c] = soup->has_corners ? x[c] : (uint32_t)(width * (size_t)other + c);
    for (int c = 0; c < soup->width && !soup->has_corners; c++)
        memcpy(vertex_of(soup, other, c), vertex_of(soup, index, c), 12);
    if (soup->has_corners)
        x[last] = y[0] = (uint32_t)soup->made_count++;
    memcpy(vertex_of(soup, index, (int)last), middle, 12);
    memcpy(vertex_of(soup, other, 0), middle, 12);
}

static void cut_some(Stage *stage, Soup *soup)
{
    for (int32_t left = some_places(stage, soup); left > 0; left--) {
        int32_t index = any_place(stage, soup);
        if (is_empty(soup, index))
            continue;
        int32_t other = claim_index(stage, soup);
        if (other >= 0)
            cut(soup, index, other);
    }
}

static void count_anew(Stage *stage, Soup *soup)
{
    int32_t any = stage_whole(&stage->random, 0, soup->all_count);
    int how = stage_whole(&stage->random, 0, 3);
    soup->count = how == 0 ? 0 : how == 1 ? soup->all_count : any;
}

SoupChange soup_change(Stage *stage, Soup *soup)
{
    SoupChange change = (SoupChange)stage_whole(&stage->random, 0, SOUP_CHANGE_COUNT - 1);
    if (stage->kind == STAGE_points && (change == SOUP_moved || change == SOUP_scattered))
        change = SOUP_none; /* all bodies have the same vertices there */
    if (change == SOUP_moved && soup_vertex_count(soup) > 0)
        stage_move(stage, soup->vertices, soup_vertex_count(soup));
    if (change == SOUP_scattered)
        scatter(stage, soup);
    if (change == SOUP_anew)
        fill_anew(stage, soup);
    if (change == SOUP_swapped)
        swap_lanes(stage, soup);
    if (change == SOUP_cut)
        cut_some(stage, soup);
    if (change == SOUP_fused)
        empty_some(stage, soup);
    if (change == SOUP_counted)
        count_anew(stage, soup);
    return change;
}
