/* Pictures: where cuts are drawn, what is hot, what shows, that surfaces have no holes. Read back
 * from the PNG. */
#include "handmade.h"
#include "view/raster.h"
#include "view/view.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#ifdef HAS_PNG
#include <png.h>

enum { WIDTH = 160, HEIGHT = 120 };

typedef struct Shot {
    uint8_t pixels[HEIGHT][WIDTH][3];
} Shot;

static const float NOWHERE[3] = {0, 0, 0};

/* A cube, and a bar that is in it with one end, or wholly. */
static Scene *cube_and_bar(float end)
{
    Scene *scene = handmade_scene();
    handmade_box(scene, "cube", -1, NOWHERE, (const float[]){1, 1, 1});
    handmade_box(scene, "bar", -1, (const float[]){0.25F, 0.25F, 0.25F},
                 (const float[]){end, 0.75F, 0.75F});
    return scene;
}

/* Checks a scene at rest, and writes a picture of it. */
static void write_picture(const Scene *scene, const PictureOptions *options, const char *path,
                          PictureView *view)
{
    char error[400] = "";
    CheckOptions check = check_options_default();
    check.keeps_contacts = true;
    Report report;
    CheckContacts found;
    assert_true(check_run(scene, "by hand", &check, &report, &found, error));
    ScenePose *pose = scene_pose_create(scene);
    assert_true(check_pose(scene, &check, &report, 0, pose, error));
    const PictureMoment moment = {scene, &report, &found, 0, pose};
    if (!picture_write(&moment, options, path, view, error))
        fail_msg("%s", error);
    scene_pose_free(pose);
    check_contacts_free(&found);
    report_free(&report);
}

/* Writes a picture and reads it back, in a format of libpng that has alpha if the file has it. */
static void read_picture(const Scene *scene, const PictureOptions *options, PictureView *view,
                         uint32_t format, void *pixels)
{
    char path[] = "/tmp/pliant-picture-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    write_picture(scene, options, path, view);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, options->width);
    assert_int_equal(image.height, options->height);
    assert_int_equal(image.format & PNG_FORMAT_FLAG_ALPHA, format & PNG_FORMAT_FLAG_ALPHA);
    image.format = format;
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    unlink(path);
}

static Shot *shoot_view(const Scene *scene, const PictureOptions *options, PictureView *view)
{
    Shot *shot = calloc(1, sizeof *shot);
    read_picture(scene, options, view, PNG_FORMAT_RGB, shot->pixels);
    return shot;
}

static Shot *shoot(const Scene *scene, const PictureOptions *options)
{
    return shoot_view(scene, options, NULL);
}

static PictureOptions small(void)
{
    PictureOptions options = picture_options_default();
    options.width = WIDTH;
    options.height = HEIGHT;
    return options;
}

/* Yellow to purple, as no part is. */
static bool is_hot(const uint8_t *pixel)
{
    return pixel[0] > pixel[1] + 9 && pixel[0] > 60;
}

/* As dark as nothing else is. */
static bool is_line(const uint8_t *pixel)
{
    return pixel[0] < 50 && pixel[1] < 50 && pixel[2] < 50;
}

/* Light gray, as nothing else is. */
static bool is_background(const uint8_t *pixel)
{
    return pixel[0] > 215 && pixel[1] > 215 && pixel[2] > 215;
}

static int count(const Shot *shot, bool (*is_so)(const uint8_t *))
{
    int found = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        found += is_so(shot->pixels[i / WIDTH][i % WIDTH]);
    return found;
}

/* A bar in a cube, which it leaves to the right. Beyond the line where it comes out nothing is hot,
 * and there is more of the bar: of triangles that go on inside. */
static void heat_ends_at_the_cut(void **state)
{
    (void)state;
    Scene *through = cube_and_bar(2.5F);
    PictureOptions options = small();
    options.yaw = 40;
    options.pitch = 10;
    Shot *shot = shoot(through, &options);
    int last_line = -1, last_hot = -1, last = -1;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const uint8_t *pixel = shot->pixels[y][x];
            last_line = is_line(pixel) && x > last_line ? x : last_line;
            last_hot = is_hot(pixel) && x > last_hot ? x : last_hot;
            last = !is_background(pixel) && x > last ? x : last;
        }
    assert_true(count(shot, is_line) > 50 && count(shot, is_hot) > 100);
    assert_true(last_hot <= last_line + 3);
    assert_true(last > last_line + 20);
    free(shot);
    scene_free(through);
}

static void what_is_apart_has_neither(void **state)
{
    (void)state;
    Scene *apart = handmade_scene();
    handmade_box(apart, "cube", -1, NOWHERE, (const float[]){1, 1, 1});
    handmade_box(apart, "bar", -1, (const float[]){1.25F, 0.25F, 0.25F},
                 (const float[]){2, 0.75F, 0.75F});
    const PictureOptions options = small();
    Shot *shot = shoot(apart, &options);
    assert_int_equal(count(shot, is_hot), 0);
    assert_int_equal(count(shot, is_line), 0);
    free(shot);
    scene_free(apart);
}

/* A thorn in a wall, 0.3 deep. It shows through the side of the wall that it comes in by, and not
 * through that which is 4 before it, unless that is asked for. */
static void what_is_inside_shows_through_what_is_near(void **state)
{
    (void)state;
    Scene *scene = handmade_scene();
    handmade_box(scene, "wall", -1, (const float[]){-1, -1, -4}, (const float[]){1, 1, 0});
    handmade_box(scene, "thorn", -1, (const float[]){-0.5F, -0.5F, -0.3F},
                 (const float[]){0.5F, 0.5F, 1});
    PictureOptions options = small();
    options.yaw = 0;
    options.pitch = 40;
    Shot *front = shoot(scene, &options);
    options.yaw = 180;
    options.pitch = 0;
    Shot *back = shoot(scene, &options);
    options.is_see_through = true;
    Shot *clear = shoot(scene, &options);
    assert_true(count(front, is_hot) > 100);
    assert_int_equal(count(back, is_hot), 0);
    assert_true(count(clear, is_hot) > 500);
    free(front);
    free(back);
    free(clear);
    scene_free(scene);
}

/* A cube seen from the front is a square of one color, in the middle, without a hole along the
 * edges that its triangles share; and it fills as much as it should. */
static void surfaces_have_no_holes(void **state)
{
    (void)state;
    Scene *scene = handmade_scene();
    handmade_box(scene, "cube", -1, NOWHERE, (const float[]){1, 1, 1});
    PictureOptions options = small();
    options.yaw = options.pitch = 0;
    Shot *shot = shoot(scene, &options);
    int low[2] = {WIDTH, HEIGHT}, high[2] = {-1, -1};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (!is_background(shot->pixels[y][x])) {
                low[0] = x < low[0] ? x : low[0];
                high[0] = x > high[0] ? x : high[0];
                low[1] = y < low[1] ? y : low[1];
                high[1] = y > high[1] ? y : high[1];
            }
    assert_true(abs(low[0] + high[0] - (WIDTH - 1)) <= 1);
    assert_true(abs(low[1] + high[1] - (HEIGHT - 1)) <= 1);
    assert_true(abs((high[0] - low[0]) - (high[1] - low[1])) <= 1);
    assert_true(high[1] - low[1] > HEIGHT * 0.88 && high[1] - low[1] < HEIGHT * 0.96);
    for (int y = low[1] + 2; y < high[1] - 1; y++)
        for (int x = low[0] + 2; x < high[0] - 1; x++)
            assert_memory_equal(shot->pixels[y][x], shot->pixels[HEIGHT / 2][WIDTH / 2], 3);
    free(shot);
    scene_free(scene);
}

/* Triangles with a vertex twice are segments, and drawn as lines. */
static void rods_are_lines(void **state)
{
    (void)state;
    int counts[3];
    for (int corner = 0; corner < 3; corner++) { /* none; then the last one, or the second */
        Scene *scene = handmade_scene();
        handmade_box(scene, "cage", -1, NOWHERE, (const float[]){1, 1, 1});
        for (int32_t i = 0; i < scene->parts[0].triangle_count && corner > 0; i++) {
            uint32_t *t = scene->parts[0].triangles + 3 * (size_t)i;
            t[corner == 1 ? 2 : 1] = t[corner == 1 ? 1 : 0];
        }
        PictureOptions options = small();
        Shot *shot = shoot(scene, &options);
        counts[corner] = WIDTH * HEIGHT - count(shot, is_background);
        free(shot);
        scene_free(scene);
    }
    for (int corner = 1; corner < 3; corner++)
        assert_true(counts[corner] > 500 && counts[corner] < counts[0] / 3);
}

/* A square of two triangles whose edges go through the middles of samples: each sample is drawn
 * once, by one of the two. One that is drawn twice would hide more, and one that is not drawn
 * nothing. */
static void shared_edges_are_drawn_once(void **state)
{
    (void)state;
    const int32_t half = RASTER_STEPS / 2, side = half + RASTER_UNIT * 40;
    const RasterTriangle halves[2] = {
        {.x = {half, side, side},
         .y = {half, half, side},
         .nearness = {1, 1, 1},
         .cover = 0.5F,
         .kind = RASTER_VEIL},
        {.x = {half, half, side},
         .y = {half, side, side},
         .nearness = {1, 1, 1},
         .cover = 0.5F,
         .kind = RASTER_VEIL},
    };
    const Raster raster = {.width = 48,
                           .height = 48,
                           .top = {1, 1, 1},
                           .bottom = {1, 1, 1},
                           .triangles = halves,
                           .count = 2};
    static uint8_t pixels[48][48][3];
    assert_true(raster_draw(&raster, pixels[0][0]));
    for (int y = 0; y < 48; y++)
        for (int x = 0; x < 48; x++)
            assert_int_equal(pixels[y][x][0], x < 40 && y < 40 ? 188 : 255);
}

/* A bare picture is the same one, but for the background, of which nothing is left. */
static void a_bare_picture_has_no_background(void **state)
{
    (void)state;
    static uint8_t bare[HEIGHT][WIDTH][4];
    Scene *scene = cube_and_bar(2.5F);
    PictureOptions options = small();
    Shot *shot = shoot(scene, &options);
    options.is_bare = true;
    read_picture(scene, &options, NULL, PNG_FORMAT_RGBA, bare);
    int whole = 0, partly = 0, none = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const uint8_t *pixel = bare[i / WIDTH][i % WIDTH];
        whole += pixel[3] == 255;
        none += pixel[3] == 0;
        partly += pixel[3] > 0 && pixel[3] < 255;
        if (pixel[3] == 255)
            assert_memory_equal(pixel, shot->pixels[i / WIDTH][i % WIDTH], 3);
        if (pixel[3] == 0)
            assert_true(is_background(shot->pixels[i / WIDTH][i % WIDTH]));
    }
    assert_true(whole > 2000 && none > 2000 && partly > 50 && partly < whole / 2);
    free(shot);
    scene_free(scene);
}

/* A larger picture has a legend in its lower left corner: a bar that gets darker from left to
 * right.
 */
static void depth_has_a_legend(void **state)
{
    (void)state;
    enum { LEGEND_WIDTH = 400, LEGEND_HEIGHT = 300 };
    static uint8_t pixels[LEGEND_HEIGHT][LEGEND_WIDTH][3];
    Scene *scene = cube_and_bar(1.5F);
    PictureOptions options = small();
    options.width = LEGEND_WIDTH;
    options.height = LEGEND_HEIGHT;
    read_picture(scene, &options, NULL, PNG_FORMAT_RGB, pixels);
    int longest = 0;
    for (int y = LEGEND_HEIGHT * 3 / 4; y < LEGEND_HEIGHT; y++) {
        int length = 0, last = 800;
        for (int x = 0; x < LEGEND_WIDTH / 2; x++) {
            const int light = 2 * pixels[y][x][0] + 3 * pixels[y][x][1] + pixels[y][x][2] / 2;
            const bool goes_on = is_hot(pixels[y][x]) && light <= last + 1;
            length = goes_on ? length + 1 : 0;
            last = goes_on ? light : 2000;
            longest = length > longest ? length : longest;
        }
    }
    assert_true(longest >= 80); /* of 100: the first are too bright to be told from paper */
    scene_free(scene);
}

/* ---- One finding -------------------------------------------------------------------------------
 */

/* The pair of parts that has contacts, or -1. */
static int32_t pair_of(const Scene *scene, const char *a, const char *b)
{
    CheckOptions check = check_options_default();
    Report report;
    char error[400] = "";
    int32_t found = -1;
    assert_true(check_run(scene, "by hand", &check, &report, NULL, error));
    for (int32_t i = 0; i < report.pair_count; i++)
        if (strcmp(report.parts[report.pairs[i].a].name, a) == 0 &&
            strcmp(report.parts[report.pairs[i].b].name, b) == 0)
            found = i;
    report_free(&report);
    assert_true(found >= 0);
    return found;
}

/* The part of the picture's shorter side that the longer side of a rectangle takes. */
static double fill_of(const Rectangle *box, int32_t width, int32_t height)
{
    return fmax(box->right - box->left, box->bottom - box->top) / (width < height ? width : height);
}

/* Where marks are on the picture, as pixels tell. */
static Rectangle marks_of(const Shot *shot)
{
    Rectangle box = {WIDTH, HEIGHT, -1, -1};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (is_hot(shot->pixels[y][x]) || is_line(shot->pixels[y][x])) {
                box.left = fmin(box.left, x);
                box.right = fmax(box.right, x + 1);
                box.top = fmin(box.top, y);
                box.bottom = fmax(box.bottom, y + 1);
            }
    return box;
}

/* A small pin in a large cube: all of the model shows it as a dot, and the finding fills at least
 * 30 %, where it says that it does. */
static void one_finding_fills_the_picture(void **state)
{
    (void)state;
    Scene *scene = handmade_scene();
    handmade_box(scene, "cube", -1, NOWHERE, (const float[]){10, 10, 10});
    handmade_box(scene, "pin", -1, (const float[]){9.9F, 2, 7}, (const float[]){10.2F, 2.1F, 7.1F});
    PictureOptions options = small();
    PictureView view;
    Shot *all = shoot(scene, &options);
    options.focus = pair_of(scene, "cube", "pin");
    Shot *close = shoot_view(scene, &options, &view);
    const Rectangle dot = marks_of(all), box = marks_of(close);
    assert_true(fill_of(&dot, WIDTH, HEIGHT) < 0.1);
    assert_true(fill_of(&box, WIDTH, HEIGHT) >= 0.3);
    assert_true(fill_of(&view.found, WIDTH, HEIGHT) >= 0.3);
    assert_true(view.found.left > 0 && view.found.right < WIDTH && view.found.top > 0 &&
                view.found.bottom < HEIGHT);
    assert_true(fabs(box.left - view.found.left) < 6 && fabs(box.right - view.found.right) < 6);
    assert_true(fabs(box.top - view.found.top) < 6 && fabs(box.bottom - view.found.bottom) < 6);
    free(all);
    free(close);
    scene_free(scene);
}

/* A cube and a bar with walls on all sides but one: it is seen from there. With a wall on that side
 * too, the walls are veils. */
static void the_finding_is_not_behind_other_parts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        float low[3], high[3];
    } walls[] = {{"front", {-3, -3, 3}, {4, 4, 3.5F}},    {"right", {3, -3, -3}, {3.5F, 4, 4}},
                 {"left", {-3, -3, -3}, {-2.5F, 4, 4}},   {"top", {-3, 3, -3}, {4, 3.5F, 4}},
                 {"bottom", {-3, -3, -3}, {4, -2.5F, 4}}, {"back", {-3, -3, -3}, {4, 4, -2.5F}}};
    for (int count = 5; count <= 6; count++) {
        Scene *scene = cube_and_bar(1.5F);
        for (int i = 0; i < count; i++)
            handmade_box(scene, walls[i].name, -1, walls[i].low, walls[i].high);
        PictureOptions options = small();
        PictureView view;
        options.focus = pair_of(scene, "cube", "bar");
        Shot *shot = shoot_view(scene, &options, &view);
        const double shown = (double)(view.clear + view.through);
        assert_true(shown > 0.75 * (shown + (double)view.hidden));
        free(shot);
        scene_free(scene);
    }
}

/* NULL, and that is said: there is no such file. */
static Scene *read_asset(const char *name)
{
    const char *assets = getenv("PLIANT_ASSETS");
    char path[1000];
    SceneError wrong;
    const SceneOptions options = scene_options_default();
    snprintf(path, sizeof path, "%s/%s", assets ? assets : "", name);
    if (!assets || access(path, R_OK) != 0) {
        printf("skipped: %s is not in PLIANT_ASSETS\n", name);
        return NULL;
    }
    Scene *scene = scene_read(path, &options, &wrong);
    if (!scene)
        fail_msg("%s: %s", path, wrong.text);
    return scene;
}

/* The worst findings of the rest pose of two characters: each fills at least 30 %, is within the
 * picture, and two thirds of its marks are seen. */
static void findings_of_characters_are_seen(void **state)
{
    (void)state;
    static const char *const files[] = {"threejs/RobotExpressive.glb", "kaykit/Knight.glb"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        Scene *scene = read_asset(files[f]);
        CheckOptions check = check_options_default();
        Report report;
        char error[400] = "";
        const char *const rest[] = {"rest"};
        if (!scene)
            continue;
        check.clips = rest;
        check.clip_glob_count = 1;
        check.keeps_contacts = true;
        CheckContacts found;
        assert_true(check_run(scene, files[f], &check, &report, &found, error));
        ScenePose *pose = scene_pose_create(scene);
        assert_true(check_pose(scene, &check, &report, 0, pose, error));
        const PictureMoment moment = {scene, &report, &found, 0, pose};
        int32_t order[1000] = {0}, seen = 0;
        assert_true(report.pair_count < 1000 && report_order(&report, order));
        for (int32_t i = 0; i < report.pair_count && seen < 4; i++) {
            PictureOptions options = small();
            PictureView view;
            options.focus = order[i];
            if (!pair_summary(&report, &report.pairs[order[i]]).is_finding)
                continue;
            assert_true(picture_write(&moment, &options, "/tmp/pliant-picture.png", &view, error));
            assert_true(fill_of(&view.found, WIDTH, HEIGHT) >= 0.3);
            assert_true(view.found.left >= 0 && view.found.right <= WIDTH && view.found.top >= 0 &&
                        view.found.bottom <= HEIGHT);
            const double shown = (double)(view.clear + view.through);
            assert_true(shown > 0.65 * (shown + (double)view.hidden));
            seen++;
        }
        assert_true(seen > 3);
        unlink("/tmp/pliant-picture.png");
        scene_pose_free(pose);
        check_contacts_free(&found);
        report_free(&report);
        scene_free(scene);
    }
}

/* ---- What is refused ---------------------------------------------------------------------------
 */

static void refused(const Scene *scene, const PictureOptions *options, const char *path,
                    const char *said)
{
    char error[400] = "";
    Report report = {.unit = (char[]){""}};
    ScenePose *pose = scene_pose_create(scene);
    SceneError wrong;
    assert_true(scene_pose_at(pose, -1, 0, &wrong));
    const PictureMoment moment = {.scene = scene, .report = &report, .pose = pose};
    assert_false(picture_write(&moment, options, path, NULL, error));
    if (!strstr(error, said))
        fail_msg("\"%s\" says nothing of \"%s\"", error, said);
    scene_pose_free(pose);
}

static void mistakes(void **state)
{
    (void)state;
    Scene *scene = cube_and_bar(0.75F);
    PictureOptions options = small();
    refused(scene, &options, "/nowhere/at/all.png", "/nowhere/at/all.png");
    options.width = 0;
    refused(scene, &options, "/nowhere/at/all.png", "0 by 120");
    options = small();
    options.zoom = NAN;
    refused(scene, &options, "/nowhere/at/all.png", "zoom");
    scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heat_ends_at_the_cut),
        cmocka_unit_test(what_is_apart_has_neither),
        cmocka_unit_test(what_is_inside_shows_through_what_is_near),
        cmocka_unit_test(surfaces_have_no_holes),
        cmocka_unit_test(rods_are_lines),
        cmocka_unit_test(shared_edges_are_drawn_once),
        cmocka_unit_test(a_bare_picture_has_no_background),
        cmocka_unit_test(depth_has_a_legend),
        cmocka_unit_test(one_finding_fills_the_picture),
        cmocka_unit_test(the_finding_is_not_behind_other_parts),
        cmocka_unit_test(findings_of_characters_are_seen),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    puts("skipped: there is no libpng to read pictures with");
    return 77;
}

#endif
