/* Pictures: what is red, what shows, that surfaces have no holes. Read back from the PNG. */
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

/* A picture of a scene at rest as it is checked. */
static Shot *shoot(const Scene *scene, const PictureOptions *options)
{
    char path[] = "/tmp/pliant-picture-XXXXXX", error[400] = "";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    CheckOptions check = check_options_default();
    check.keeps_contacts = true;
    Report report;
    CheckContacts expected;
    assert_true(check_run(scene, "by hand", &check, &report, &expected, error));
    ScenePose *pose = scene_pose_create(scene);
    assert_true(check_pose(scene, &check, &report, 0, pose, error));
    if (!picture_write(scene, pose, &report, &expected, options, path, error))
        fail_msg("%s", error);
    png_image image = {.version = PNG_IMAGE_VERSION};
    Shot *shot = calloc(1, sizeof *shot);
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, shot->pixels, 0, NULL));
    unlink(path);
    scene_pose_free(pose);
    check_contacts_free(&expected);
    report_free(&report);
    return shot;
}

static PictureOptions small(void)
{
    PictureOptions options = picture_options_default();
    options.width = WIDTH;
    options.height = HEIGHT;
    return options;
}

static bool is_red(const uint8_t *pixel)
{
    return pixel[0] > 100 && pixel[1] < pixel[0] * 2 / 3 && pixel[2] < pixel[0] * 2 / 3;
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

static void intersecting_triangles_are_red(void **state)
{
    (void)state;
    Scene *apart = cube_and_bar(0.75F), *through = cube_and_bar(1.5F);
    const PictureOptions options = small();
    Shot *quiet = shoot(apart, &options), *loud = shoot(through, &options);
    assert_int_equal(count(quiet, is_red), 0);
    assert_true(count(loud, is_red) > 500);
    free(quiet);
    free(loud);
    scene_free(apart);
    scene_free(through);
}

/* The end of the bar that is inside shows through the cube, and only if it is asked for. */
static void what_is_inside_can_be_shown(void **state)
{
    (void)state;
    Scene *scene = cube_and_bar(1.0F); /* its end lies in a face of the cube */
    PictureOptions options = small();
    options.yaw = -60; /* that face is behind */
    Shot *solid = shoot(scene, &options);
    options.is_see_through = true;
    Shot *clear = shoot(scene, &options);
    assert_true(count(solid, is_red) < 10); /* marks are lifted a little: along the outline */
    assert_true(count(clear, is_red) > 500);
    free(solid);
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

/* A square of two triangles whose edges go through the middles of samples: each sample is drawn
 * once, by one of the two. One that is drawn twice would hide more, and one that is not drawn
 * nothing. */
static void shared_edges_are_drawn_once(void **state)
{
    (void)state;
    const int32_t half = RASTER_STEPS / 2, side = half + RASTER_UNIT * 40;
    const RasterTriangle halves[2] = {
        {.x = {half, side, side}, .y = {half, half, side}, .nearness = {1, 1, 1}, .cover = 0.5F},
        {.x = {half, half, side}, .y = {half, side, side}, .nearness = {1, 1, 1}, .cover = 0.5F},
    };
    const Raster raster = {.width = 48,
                           .height = 48,
                           .is_see_through = true,
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

static void refused(const Scene *scene, const PictureOptions *options, const char *path,
                    const char *said)
{
    char error[400] = "";
    Report report = {0};
    ScenePose *pose = scene_pose_create(scene);
    SceneError wrong;
    assert_true(scene_pose_at(pose, -1, 0, &wrong));
    assert_false(picture_write(scene, pose, &report, NULL, options, path, error));
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
        cmocka_unit_test(intersecting_triangles_are_red),
        cmocka_unit_test(what_is_inside_can_be_shown),
        cmocka_unit_test(surfaces_have_no_holes),
        cmocka_unit_test(shared_edges_are_drawn_once),
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
