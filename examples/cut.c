/* A ball of jelly is cut in two, falls apart and fuses, drawn as SVG: triangles that touch the
 * blade are red.
 *
 *     cut > cut.svg
 *
 * The jelly is a soup. Another number of triangles each time is all the same to it; the triangles
 * that stay keep their places, and the places of those that are gone are empty. */
#include "painter.h"
#include "scenes.h"
#include <pliant/pliant.h>

#include <stdio.h>
#include <stdlib.h>

enum { SUBDIVISIONS = 4, PANELS = 6, PANELS_IN_ROW = 3, PANEL_WIDTH = 400, PANEL_HEIGHT = 320 };

static const int panel_steps[PANELS] = {9, 18, 40, 56, 74, 90};

/* Pieces of jelly have the first two. */
enum { TOUCHING = 2, BLADE };
static const double colours[4][3] = {
    {105, 185, 140}, {235, 185, 95}, {215, 40, 40}, {190, 195, 205}};

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "cut: %s\n", pliant_result_text(result));
    exit(1);
}

static void *allocate(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block)
        exit(1);
    return block;
}

typedef struct Stage {
    PliantWorld *world;
    PliantBody jelly, blade;
} Stage;

static Stage make_stage(const SceneMesh *blade)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices.data = blade->vertices;
    def.vertices.count = blade->vertex_count;
    def.triangles.data = blade->triangles;
    def.triangles.count = blade->triangle_count;
    PliantShape *shape;
    must(pliant_shape_create(&def, &shape));

    Stage stage;
    must(pliant_world_create(NULL, &stage.world));
    must(pliant_body_create_soup(stage.world, NULL, &stage.jelly));
    must(pliant_body_create(stage.world, shape, &stage.blade));
    pliant_shape_release(shape);
    return stage;
}

/* What touches at the step of the scene. The jelly came first, and so is body_a. */
static PliantContacts contacts_at(const Stage *stage, const SceneCut *scene)
{
    PliantPrimitives now = pliant_primitives_default();
    now.vertices.data = scene->vertices;
    now.vertices.count = scene->vertex_count;
    now.corners = scene->corners;
    now.count = scene->place_count;
    must(pliant_body_borrow_primitives(stage->world, stage->jelly, &now));
    PliantTransform transform;
    scene_cut_rows(scene->step, transform.rows);
    must(pliant_body_set_transform(stage->world, stage->blade, &transform));

    PliantContacts hits = pliant_contacts_default();
    must(pliant_world_collide(stage->world, NULL, &hits));
    return hits;
}

/* ---- Drawing ----------------------------------------------------------------------------- */

static size_t add_jelly(const SceneCut *scene, const PliantContacts *hits, const PainterView *view,
                        PainterFace *faces, int32_t *touching_count)
{
    bool *is_touching = (bool *)allocate((size_t)scene->place_count, sizeof *is_touching);
    for (int64_t i = 0; i < hits->count; i++)
        is_touching[hits->items[i].triangle_a] = true;
    size_t count = 0;
    *touching_count = 0;
    for (int32_t place = 0; place < scene->place_count; place++) {
        const uint32_t *numbers = scene->corners + (size_t)3 * (size_t)place;
        if (numbers[0] == PLIANT_NO_VERTEX)
            continue;
        float corners[9];
        for (size_t i = 0; i < 9; i++)
            corners[i] = scene->vertices[(size_t)3 * numbers[i / 3] + i % 3];
        faces[count++] =
            painter_face(view, corners, is_touching[place] ? TOUCHING : scene->pieces[place]);
        *touching_count += is_touching[place];
    }
    free(is_touching);
    return count;
}

static size_t add_blade(const SceneMesh *blade, int step, const PainterView *view,
                        PainterFace *faces)
{
    float rows[3][4], corners[9];
    scene_cut_rows(step, rows);
    for (int32_t t = 0; t < blade->triangle_count; t++) {
        for (size_t i = 0; i < 9; i++) {
            const float *p = blade->vertices + (size_t)3 * blade->triangles[(size_t)3 * t + i / 3];
            const float *row = rows[i % 3];
            corners[i] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
        }
        faces[t] = painter_face(view, corners, BLADE);
    }
    return (size_t)blade->triangle_count;
}

static void draw_panel(const SceneCut *scene, const PliantContacts *hits, int panel)
{
    const int left = panel % PANELS_IN_ROW * PANEL_WIDTH;
    const int top = panel / PANELS_IN_ROW * PANEL_HEIGHT;
    const PainterView view = {0.45, 0.6, 85, left + 0.5 * PANEL_WIDTH, top + 180.0};
    size_t face_count = (size_t)scene->place_count + (size_t)scene->blade.triangle_count;
    PainterFace *faces = (PainterFace *)allocate(face_count, sizeof *faces);
    int32_t touching_count;
    size_t count = add_jelly(scene, hits, &view, faces, &touching_count);
    count += add_blade(&scene->blade, scene->step, &view, faces + count);
    printf("<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"%d %d %d %d\">\n", left,
           top, PANEL_WIDTH, PANEL_HEIGHT, left, top, PANEL_WIDTH, PANEL_HEIGHT);
    painter_draw(faces, count, colours);
    printf(
        "<text x=\"%d\" y=\"%d\" stroke=\"none\">step %d: %d triangles in %d places, %d touch the "
        "blade</text>\n</svg>\n",
        left + 12, top + PANEL_HEIGHT - 12, scene->step, (int)scene->triangle_count,
        (int)scene->place_count, (int)touching_count);
    free(faces);
}

int main(void)
{
    SceneCut scene = scene_cut(SUBDIVISIONS);
    Stage stage = make_stage(&scene.blade);
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" stroke-width=\"0.5\" "
           "stroke-linejoin=\"round\" font-family=\"sans-serif\" font-size=\"12\">\n",
           PANELS_IN_ROW * PANEL_WIDTH, PANELS / PANELS_IN_ROW * PANEL_HEIGHT);
    for (int panel = 0; panel < PANELS; scene_cut_next(&scene)) {
        PliantContacts hits = contacts_at(&stage, &scene);
        if (scene.step == panel_steps[panel])
            draw_panel(&scene, &hits, panel++);
    }
    printf("</svg>\n");
    pliant_world_destroy(stage.world);
    scene_cut_free(&scene);
    return 0;
}
