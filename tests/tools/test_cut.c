/* Cuts: that segments are on both triangles, and how deep vertices are, where the answer is known.
 */
#include "check/cut.h"
#include "handmade.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A scene in a pose, and its cuts. */
typedef struct Posed {
    Scene *scene;
    ScenePose *pose;
    Cuts *cuts;
} Posed;

static Posed posed(Scene *scene, const char *clip, double time)
{
    Posed all = {.scene = scene, .pose = scene_pose_create(scene)};
    char error[400] = "";
    SceneError wrong;
    int32_t number = -1;
    for (int32_t c = 0; c < scene->clip_count && clip; c++)
        if (strcmp(scene->clips[c].name, clip) == 0)
            number = c;
    assert_true((number >= 0) == (clip != NULL));
    assert_true(scene_pose_at(all.pose, number, time, &wrong));
    all.cuts = cuts_create(scene, error);
    if (!all.cuts || !cuts_pose(all.cuts, all.pose, error))
        fail_msg("%s", error);
    return all;
}

static void release(Posed *all)
{
    cuts_free(all->cuts);
    scene_pose_free(all->pose);
    scene_free(all->scene);
}

/* NULL, and that is said: there is no such file. */
static Scene *read_asset(const char *name)
{
    const char *assets = getenv("PLIANT_ASSETS");
    char path[1000];
    SceneError wrong;
    SceneOptions options = scene_options_default();
    snprintf(path, sizeof path, "%s/%s", assets ? assets : "", name);
    FILE *file = assets ? fopen(path, "rb") : NULL;
    if (!file) {
        printf("skipped: %s is not in PLIANT_ASSETS\n", name);
        return NULL;
    }
    fclose(file);
    Scene *scene = scene_read(path, &options, &wrong);
    if (!scene)
        fail_msg("%s: %s", path, wrong.text);
    return scene;
}

static Cut find(const Posed *all, int32_t a, int32_t b)
{
    const CutQuery query = {.parts = {a, b}};
    char error[400] = "";
    Cut cut;
    if (!cuts_find(all->cuts, &query, &cut, error))
        fail_msg("%s", error);
    return cut;
}

/* ---- Segments -------------------------------------------------------------------------------- */

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double segment_distance(const double p[3], const double a[3], const double b[3])
{
    double ab[3], ap[3];
    subtract(b, a, ab);
    subtract(p, a, ap);
    const double length = dot(ab, ab);
    const double t = length > 0 ? fmin(1, fmax(0, dot(ap, ab) / length)) : 0;
    for (int k = 0; k < 3; k++)
        ap[k] -= t * ab[k];
    return sqrt(dot(ap, ap));
}

/* By the plane if the foot is inside, else by the edges. */
static double triangle_distance(const double p[3], double t[3][3])
{
    double e[3], f[3], d[3], n[3], nearest = INFINITY;
    bool is_inside = true;
    subtract(t[1], t[0], e);
    subtract(t[2], t[0], f);
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    for (int i = 0; i < 3; i++) {
        subtract(t[(i + 1) % 3], t[i], e);
        subtract(p, t[i], d);
        const double cross[3] = {e[1] * d[2] - e[2] * d[1], e[2] * d[0] - e[0] * d[2],
                                 e[0] * d[1] - e[1] * d[0]};
        is_inside &= dot(cross, n) >= 0;
        nearest = fmin(nearest, segment_distance(p, t[i], t[(i + 1) % 3]));
    }
    subtract(p, t[0], d);
    return is_inside && dot(n, n) > 0 ? fabs(dot(d, n)) / sqrt(dot(n, n)) : nearest;
}

static float *vertices_of(const Posed *all, int32_t part)
{
    char error[400] = "";
    float *vertices = malloc(3 * sizeof *vertices * (size_t)all->scene->parts[part].vertex_count);
    if (!cuts_vertices(all->cuts, part, vertices, error))
        fail_msg("%s", error);
    return vertices;
}

/* Both ends of each segment are on both triangles, to a millionth of the coordinates' size. */
static void assert_on_triangles(const Posed *all, int32_t a, int32_t b, const Cut *cut)
{
    const int32_t parts[2] = {a, b};
    for (int side = 0; side < 2; side++) {
        float *vertices = vertices_of(all, parts[side]);
        for (int64_t i = 0; i < cut->segment_count; i++) {
            const uint32_t *corners = all->scene->parts[parts[side]].triangles +
                                      3 * (size_t)cut->segments[i].triangles[side];
            double t[3][3], size = 0;
            for (int c = 0; c < 9; c++) {
                t[c / 3][c % 3] = vertices[3 * (size_t)corners[c / 3] + (size_t)(c % 3)];
                size = fmax(size, fabs(t[c / 3][c % 3]));
            }
            for (int end = 0; end < 2; end++)
                assert_true(triangle_distance(cut->segments[i].ends[end], t) <= 1e-6 * size);
        }
        free(vertices);
    }
}

/* ---- Depths ---------------------------------------------------------------------------------- */

static double largest(const Posed *all, int32_t part, const float *depths)
{
    double most = 0;
    for (int32_t v = 0; v < all->scene->parts[part].vertex_count; v++)
        most = fmax(most, depths[v]);
    return most;
}

static void assert_near(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 0.01 * wanted))
        fail_msg("%g is not within 1 %% of %g", value, wanted);
}

/* Boxes that overlap by 0.3. Vertices of the boxes that are not split are 0.13 deep at most. */
static void boxes_are_as_deep_as_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double vertex_depth;
    } toys[] = {{"toys/over_n1.obj", 0.13}, {"toys/over_n4.obj", 0.3}, {"toys/over_n16.obj", 0.3}};
    for (size_t i = 0; i < sizeof toys / sizeof *toys; i++) {
        Scene *scene = read_asset(toys[i].file);
        if (!scene)
            continue;
        Posed all = posed(scene, NULL, 0);
        Cut cut = find(&all, 0, 1);
        assert_near(cut.depth, 0.3);
        for (int k = 0; k < 2; k++)
            assert_near(largest(&all, k, cut.depths[k]), toys[i].vertex_depth);
        assert_true(cut.segment_count > 0);
        assert_on_triangles(&all, 0, 1, &cut);
        cut_free(&cut);
        release(&all);
    }
}

/* What of a piece has a positive depth, which is linear: its area, of three corners one of which
 * has another sign than the others. */
static double positive_area(const CutPiece *piece)
{
    double corners[3][3], e[3], f[3], share = 1;
    int positive = 0, odd = 0;
    for (int c = 0; c < 3; c++) {
        positive += piece->depths[c] > 0;
        for (int k = 0; k < 3; k++)
            corners[c][k] = piece->corners[c][k];
    }
    while (odd < 2 && (piece->depths[odd] > 0) != (positive == 1))
        odd++;
    if (positive < 3) {
        const double d = piece->depths[odd];
        share = d / (d - piece->depths[(odd + 1) % 3]) * d / (d - piece->depths[(odd + 2) % 3]);
        share = positive == 1 ? share : 1 - share;
    }
    subtract(corners[1], corners[0], e);
    subtract(corners[2], corners[0], f);
    const double area = sqrt(fmax(0, dot(e, e) * dot(f, f) - dot(e, f) * dot(e, f))) / 2;
    return share * area;
}

/* However large triangles are, pieces say where the inside is, and how deep it is there. Each box
 * has 0.87 x 0.83 + 0.3 x 0.83 + 0.3 x 0.87 of its surface in the other one. */
static void pieces_end_at_the_cut(void **state)
{
    (void)state;
    static const char *const toys[] = {"toys/over_n1.obj", "toys/over_n4.obj", "toys/over_n16.obj"};
    for (size_t i = 0; i < sizeof toys / sizeof *toys; i++) {
        Scene *scene = read_asset(toys[i]);
        if (!scene)
            continue;
        Posed all = posed(scene, NULL, 0);
        const CutQuery query = {.parts = {0, 1}, .spacing = 0.05};
        char error[400] = "";
        double areas[2] = {0, 0}, most = 0;
        Cut cut;
        assert_true(cuts_find(all.cuts, &query, &cut, error));
        for (int64_t p = 0; p < cut.piece_count; p++) {
            areas[cut.pieces[p].side] += positive_area(&cut.pieces[p]);
            for (int c = 0; c < 3; c++)
                most = fmax(most, cut.pieces[p].depths[c]);
        }
        assert_near(areas[0], 0.87 * 0.83 + 0.3 * 0.83 + 0.3 * 0.87);
        assert_near(areas[1], 0.87 * 0.83 + 0.3 * 0.83 + 0.3 * 0.87);
        assert_near(most, 0.3);
        assert_int_equal(cut.region_count, 1);
        assert_near(cut.regions[0].depth, 0.3);
        cut_free(&cut);
        release(&all);
    }
}

/* Boxes that touch, that are one, or that are apart have no depth. */
static void what_is_not_inside_has_no_depth(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        bool has_segments;
    } toys[] = {{"toys/stack.obj", true}, {"toys/same.obj", true}, {"toys/nearmiss.obj", false}};
    for (size_t i = 0; i < sizeof toys / sizeof *toys; i++) {
        Scene *scene = read_asset(toys[i].file);
        if (!scene)
            continue;
        Posed all = posed(scene, NULL, 0);
        Cut cut = find(&all, 0, 1);
        assert_true(cut.depth < 1e-6);
        for (int k = 0; k < 2; k++)
            assert_true(largest(&all, k, cut.depths[k]) < 1e-6);
        assert_int_equal(cut.segment_count > 0, toys[i].has_segments);
        assert_on_triangles(&all, 0, 1, &cut);
        cut_free(&cut);
        release(&all);
    }
}

/* A box inside another, one corner of which is in the middle of the other. */
static void what_is_wholly_inside_is_deep(void **state)
{
    (void)state;
    Scene *scene = handmade_scene();
    handmade_box(scene, "outer", -1, (const float[]){0, 0, 0}, (const float[]){2, 2, 2});
    handmade_box(scene, "inner", -1, (const float[]){1, 1, 1}, (const float[]){1.75F, 1.5F, 1.5F});
    Posed all = posed(scene, NULL, 0);
    Cut cut = find(&all, 0, 1);
    assert_int_equal(cut.segment_count, 0);
    assert_near(cut.depth, 1);
    assert_near(largest(&all, 1, cut.depths[1]), 1);
    assert_true(largest(&all, 0, cut.depths[0]) == 0);
    cut_free(&cut);
    release(&all);
}

/* A bar in a cube: with one of their pairs of triangles, and with none. */
static void only_the_pairs_that_are_asked_for_count(void **state)
{
    (void)state;
    Scene *scene = handmade_scene();
    handmade_box(scene, "cube", -1, (const float[]){0, 0, 0}, (const float[]){1, 1, 1});
    handmade_box(scene, "bar", -1, (const float[]){0.75F, 0.25F, 0.25F},
                 (const float[]){1.5F, 0.75F, 0.75F});
    Posed all = posed(scene, NULL, 0);
    Cut whole = find(&all, 0, 1);
    CutQuery query = {.parts = {0, 1}, .pairs = whole.segments[0].triangles, .pair_count = 1};
    char error[400] = "";
    Cut one, none;
    assert_true(cuts_find(all.cuts, &query, &one, error));
    query.pair_count = 0;
    assert_true(cuts_find(all.cuts, &query, &none, error));
    assert_true(whole.segment_count > 1);
    assert_int_equal(one.segment_count, 1);
    assert_near(one.depth, 0.25);
    assert_int_equal(none.segment_count, 0);
    cut_free(&whole);
    cut_free(&one);
    cut_free(&none);
    release(&all);
}

/* Writes a face of a box as n x n squares. */
static void write_face(FILE *out, int n, const double corner[3], int axis, int side, int *vertices)
{
    for (int i = 0; i < (n + 1) * (n + 1); i++) {
        const int across = i % (n + 1), along = i / (n + 1);
        double p[3];
        p[axis] = side;
        p[(axis + 1) % 3] = (double)across / n;
        p[(axis + 2) % 3] = (double)along / n;
        fprintf(out, "v %.9g %.9g %.9g\n", p[0] + corner[0], p[1] + corner[1], p[2] + corner[2]);
    }
    for (int i = 0; i < n * n; i++) {
        const int a = *vertices + 1 + i / n * (n + 1) + i % n, b = a + 1, c = b + n + 1, d = c - 1;
        fprintf(out, "f %d %d %d %d\n", a, side ? b : d, c, side ? d : b);
    }
    *vertices += (n + 1) * (n + 1);
}

/* Two unit boxes that overlap by 0.3, as of the toys, in one part: each is deep in the other, and
 * not in itself. */
static void boxes_of_one_part_are_deep_in_each_other(void **state)
{
    (void)state;
    static const double corners[2][3] = {{0, 0, 0}, {0.7, 0.13, 0.17}};
    char *text = NULL;
    size_t size = 0;
    int vertices = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fputs("o both\n", out);
    for (int i = 0; i < 12; i++)
        write_face(out, 4, corners[i / 6], i % 3, i / 3 % 2, &vertices);
    fclose(out);
    const SceneOptions options = scene_options_default();
    SceneError wrong;
    Scene *scene = scene_read_obj(text, size, &options, &wrong);
    free(text);
    assert_non_null(scene);
    Posed all = posed(scene, NULL, 0);
    const CutQuery query = {.parts = {0, 0}, .spacing = 0.05};
    char error[400] = "";
    double area = 0;
    Cut cut;
    assert_true(cuts_find(all.cuts, &query, &cut, error));
    assert_near(cut.depth, 0.3);
    assert_near(largest(&all, 0, cut.depths[0]), 0.3);
    for (int64_t p = 0; p < cut.piece_count; p++)
        area += positive_area(&cut.pieces[p]);
    assert_near(area, 2 * (0.87 * 0.83 + 0.3 * 0.83 + 0.3 * 0.87));
    assert_on_triangles(&all, 0, 0, &cut);
    cut_free(&cut);
    release(&all);
}

/* Hands of the body in its own torso: 86.8 mm, over all vertices, by brute force. A depth is the
 * distance from the torso alone, and not from the hand's own wrist. No vertex is deeper than the
 * deepest region. */
static void a_hand_is_deep_in_the_chest(void **state)
{
    (void)state;
    Scene *scene = read_asset("makehuman/mh_female_sport.glb");
    if (!scene)
        return;
    Posed all = posed(scene, "arms_cross", 1.0); /* frame 30 */
    for (int32_t p = 0; p < scene->part_count; p++) {
        Cut cut = find(&all, p, p);
        const double most = largest(&all, p, cut.depths[0]);
        assert_true(most <= 1.01 * cut.depth);
        if (strcmp(scene->parts[p].name, "body") == 0) {
            assert_true(cut.depth > 0.080 && cut.depth < 0.095);
            assert_true(most > 0.9 * cut.depth);
        }
        assert_on_triangles(&all, p, p, &cut);
        cut_free(&cut);
    }
    release(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_as_deep_as_they_are),
        cmocka_unit_test(pieces_end_at_the_cut),
        cmocka_unit_test(what_is_not_inside_has_no_depth),
        cmocka_unit_test(what_is_wholly_inside_is_deep),
        cmocka_unit_test(only_the_pairs_that_are_asked_for_count),
        cmocka_unit_test(boxes_of_one_part_are_deep_in_each_other),
        cmocka_unit_test(a_hand_is_deep_in_the_chest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
