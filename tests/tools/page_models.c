/* Writes pages of small scenes made here, and what each page has to show, for the tests that read
 * them: page_models FOLDER. Exit 77: this build has no page in it.
 *
 * The expected values come from the report and from check_vertices(), not from the page's files. */
#include "check/cut.h"
#include "view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* A test that has no memory ends. */
static void *taken(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

static char *text(const char *words)
{
    size_t size = strlen(words) + 1;
    char *copy = taken(size, 1);
    memcpy(copy, words, size);
    return copy;
}

static Scene *make_scene(int32_t part_count, int32_t node_count, int32_t clip_count)
{
    Scene *scene = taken(1, sizeof *scene);
    scene->format = text("made by hand");
    scene->part_count = part_count;
    scene->node_count = node_count;
    scene->clip_count = clip_count;
    scene->parts = taken((size_t)part_count, sizeof *scene->parts);
    scene->nodes = taken((size_t)node_count, sizeof *scene->nodes);
    scene->clips = taken((size_t)clip_count, sizeof *scene->clips);
    for (int32_t i = 0; i < node_count; i++) {
        scene->nodes[i] = (SceneNode){.name = text("node"),
                                      .parent = -1,
                                      .rotation = {0, 0, 0, 1},
                                      .scale = {1, 1, 1},
                                      .is_in_scene = true};
    }
    return scene;
}

static ScenePart *make_part(Scene *scene, int32_t i, const char *name, int32_t node,
                            int32_t vertex_count, int32_t triangle_count)
{
    ScenePart *part = &scene->parts[i];
    *part = (ScenePart){.name = text(name),
                        .node = node,
                        .skin = -1,
                        .cached = -1,
                        .vertex_count = vertex_count,
                        .triangle_count = triangle_count,
                        .read_count = vertex_count};
    part->vertices = taken((size_t)vertex_count * 3, sizeof(float));
    part->triangles = taken((size_t)triangle_count * 3, sizeof(uint32_t));
    part->faces = taken((size_t)triangle_count, sizeof *part->faces);
    for (int32_t t = 0; t < triangle_count; t++)
        part->faces[t] = (SceneFace){0, t};
    return part;
}

static void make_box(Scene *scene, int32_t i, const char *name, int32_t node, const float half[3])
{
    static const uint32_t corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                            {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                            {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    ScenePart *part = make_part(scene, i, name, node, 8, 12);
    for (int v = 0; v < 8; v++)
        for (int axis = 0; axis < 3; axis++)
            part->vertices[v * 3 + axis] = (v >> axis & 1) ? half[axis] : -half[axis];
    memcpy(part->triangles, corners, sizeof corners);
}

/* A sheet of quads, `across` by `along`, that closes on itself across if it is a tube. */
static void make_sheet(ScenePart *part, int32_t across, int32_t along, bool is_tube)
{
    int32_t quads = is_tube ? across : across - 1, t = 0;
    for (int32_t row = 0; row + 1 < along; row++) {
        for (int32_t k = 0; k < quads; k++) {
            uint32_t a = (uint32_t)(row * across + k);
            uint32_t b = (uint32_t)(row * across + (k + 1) % across);
            uint32_t corners[6] = {a, a + (uint32_t)across, b,
                                   b, a + (uint32_t)across, b + (uint32_t)across};
            memcpy(part->triangles + (size_t)t * 3, corners, sizeof corners);
            t += 2;
        }
    }
}

enum { AROUND = 20, ALONG = 41 };

static float smooth_step(float low, float high, float at)
{
    float share = fminf(1, fmaxf(0, (at - low) / (high - low)));
    return share * share * (3 - 2 * share);
}

/* A tube around the y axis with two joints, which bends at 2, and a target that swells it at 1. */
static void make_tube(Scene *scene, int32_t i, int32_t node)
{
    ScenePart *part = make_part(scene, i, "tube", node, AROUND * ALONG, AROUND * (ALONG - 1) * 2);
    make_sheet(part, AROUND, ALONG, true);
    part->skin = 0;
    part->influence_count = 2;
    part->joints = taken(AROUND * ALONG * 2, sizeof *part->joints);
    part->joint_weights = taken(AROUND * ALONG * 2, sizeof *part->joint_weights);
    part->target_count = 1;
    part->targets = taken(AROUND * ALONG * 3, sizeof(float));
    part->target_names = taken(1, sizeof *part->target_names);
    part->target_names[0] = text("swell");
    part->weights = taken(1, sizeof(float));
    part->weights[0] = 0.1f; /* so that morph and skin are together where it bends */
    for (int32_t v = 0; v < AROUND * ALONG; v++) {
        float angle = 6.2831853f * (float)(v % AROUND) / AROUND;
        int32_t ring = v / AROUND;
        float y = 4.0f * (float)ring / (ALONG - 1);
        float swell = y < 2 ? 0.9f * (1 - fabsf(y - 1)) : 0;
        float *at = part->vertices + (size_t)v * 3, *delta = part->targets + (size_t)v * 3;
        at[0] = 0.5f * cosf(angle);
        at[1] = y;
        at[2] = 0.5f * sinf(angle);
        delta[0] = swell * cosf(angle);
        delta[2] = swell * sinf(angle);
        part->joints[v * 2 + 1] = 1;
        part->joint_weights[v * 2 + 1] = smooth_step(1.6f, 2.4f, y);
        part->joint_weights[v * 2] = 1 - part->joint_weights[v * 2 + 1];
    }
}

static void make_skin(Scene *scene, int32_t first_joint)
{
    scene->skin_count = 1;
    scene->skins = taken(1, sizeof *scene->skins);
    SceneSkin *skin = scene->skins;
    skin->joint_count = 2;
    skin->joints = taken(2, sizeof *skin->joints);
    skin->inverse_binds = taken(2, sizeof *skin->inverse_binds);
    for (int32_t i = 0; i < 2; i++) {
        skin->joints[i] = first_joint + i;
        for (int k = 0; k < 4; k++)
            skin->inverse_binds[i][k * 5] = 1;
    }
    skin->inverse_binds[1][13] = -2;
    scene->nodes[first_joint + 1].parent = first_joint;
    scene->nodes[first_joint + 1].translation[1] = 2;
}

/* There and back in two seconds. */
static void make_clip(SceneClip *clip, const char *name, int32_t node, ScenePath path, int width,
                      const float *rest, const float *far)
{
    *clip = (SceneClip){.name = text(name), .end = 2, .track_count = 1};
    clip->tracks = taken(1, sizeof *clip->tracks);
    SceneTrack *track = clip->tracks;
    *track = (SceneTrack){
        .node = node, .path = path, .ease = SCENE_LINEAR, .key_count = 3, .width = width};
    track->times = taken(3, sizeof(float));
    track->values = taken((size_t)width * 3, sizeof(float));
    for (int key = 0; key < 3; key++) {
        track->times[key] = (float)key;
        memcpy(track->values + (ptrdiff_t)key * width, key == 1 ? far : rest,
               sizeof(float) * (size_t)width);
    }
}

/* A tube that bends into a post and into itself, and swells into a collar with a hostile name. */
static Scene *bend(void)
{
    static const float post[3] = {0.4f, 0.4f, 0.4f}, collar[3] = {0.5f, 0.2f, 0.5f};
    static const float straight[4] = {0, 0, 0, 1}, bent[4] = {0, 0, 0.88f, 0.475f};
    static const float thin = 0, thick = 1;
    Scene *scene = make_scene(4, 5, 2);
    make_tube(scene, 0, 0);
    make_skin(scene, 3);
    make_box(scene, 1, "post", 1, post);
    make_box(scene, 2, "</script><img src=x onerror=alert(1)>\"'&\\\n<!--", 2, collar);
    make_box(scene, 3, "far away", -1, post);
    for (int v = 0; v < 8; v++)
        scene->parts[3].vertices[v * 3] += 4;
    memcpy(scene->nodes[1].translation, (float[3]){-2, 2.5f, 0}, sizeof(float[3]));
    memcpy(scene->nodes[2].translation, (float[3]){1.3f, 1, 0}, sizeof(float[3]));
    make_clip(&scene->clips[0], "Bend", 4, SCENE_ROTATION, 4, straight, bent);
    make_clip(&scene->clips[1], "Swell", 0, SCENE_WEIGHTS, 1, &thin, &thick);
    return scene;
}

/* A sheet of a cache that falls through a box. */
static Scene *cloth(void)
{
    enum { SIDE = 13, FRAMES = 12, COUNT = SIDE * SIDE };
    static const float half[3] = {0.5f, 0.5f, 0.5f};
    Scene *scene = make_scene(2, 0, 1);
    make_box(scene, 0, "box", -1, half);
    ScenePart *part = make_part(scene, 1, "cloth", -1, COUNT, (SIDE - 1) * (SIDE - 1) * 2);
    make_sheet(part, SIDE, SIDE, false);
    part->cached = 0;
    scene->cache = (SceneCache){.vertex_count = COUNT, .frame_count = FRAMES};
    scene->cache.vertices = taken(COUNT * FRAMES * 3, sizeof(float));
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int v = 0; v < COUNT; v++) {
            int row = v / SIDE;
            float *at = scene->cache.vertices + ((size_t)frame * COUNT + (size_t)v) * 3;
            at[0] = (float)(v % SIDE) / 6 - 1;
            at[2] = (float)row / 6 - 1;
            at[1] = 1.2f - 0.1f * (float)frame + 0.1f * sinf(3 * at[0] + 0.5f * (float)frame);
        }
    }
    memcpy(part->vertices, scene->cache.vertices, sizeof(float) * COUNT * 3);
    scene->clips[0] = (SceneClip){
        .name = text("fall"), .end = (FRAMES - 1) / 10.0, .frame_count = FRAMES, .fps = 10};
    return scene;
}

/* One thing that does nothing. */
static Scene *unchanged(void)
{
    static const float half[3] = {1, 2, 0.5f};
    Scene *scene = make_scene(1, 0, 0);
    make_box(scene, 0, "box", -1, half);
    return scene;
}

/* Near the end of floats, and far from the origin for its size. */
static Scene *huge(void)
{
    static const float half[3] = {1e32f, 2e32f, 1e32f};
    Scene *scene = make_scene(2, 0, 0);
    for (int32_t i = 0; i < 2; i++) {
        make_box(scene, i, i ? "one" : "other", -1, half);
        for (int v = 0; v < 24; v++)
            scene->parts[i].vertices[v] += 3e33f + (float)i * 7e31f;
    }
    return scene;
}

/* A body with a thing in its hand, of which there are three. */
static Scene *worn(void)
{
    static const float half[3] = {1, 1, 1}, shield[3] = {0.5f, 0.5f, 0.1f};
    static const char *const names[] = {"shield 1", "shield 2", "shield 3"};
    Scene *scene = make_scene(4, 0, 0);
    make_box(scene, 0, "body", -1, half);
    for (int32_t i = 0; i < 3; i++) {
        make_box(scene, i + 1, names[i], -1, shield);
        for (int v = 0; v < 8; v++) {
            scene->parts[i + 1].vertices[v * 3] += 1.2f - 0.1f * (float)i;
            scene->parts[i + 1].vertices[v * 3 + 1] += 0.1f * (float)i;
        }
    }
    return scene;
}

/* ---- What a page has to show ----------------------------------------------------------------- */

static void expect_pairs(const Report *report, FILE *out)
{
    fputs("\"pairs\":[", out);
    const char *comma = "";
    for (int32_t i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[i];
        if (pair->row_count == 0)
            continue;
        Summary summary = pair_summary(report, pair);
        fprintf(out, "%s{\"index\":%d,\"verdict\":\"%s\",\"worst\":%lld,\"mostPairs\":%lld,", comma,
                i, verdict_word(summary.verdict), (long long)summary.worst,
                (long long)summary.max_pairs);
        fputs("\"fresh\":[", out);
        for (int64_t k = 0; k < pair->row_count; k++)
            fprintf(out, "%s[%lld,%lld]", k ? "," : "", (long long)pair->rows[k].sample,
                    (long long)pair->rows[k].new_pairs);
        fputs("]}", out);
        comma = ",";
    }
    fputs("]", out);
}

/* Red triangles at a sample, by pair and side, each once. */
static void expect_red(const Report *report, const CheckContacts *expected, FILE *out)
{
    fputs(",\"red\":[", out);
    for (int64_t i = 0; i < expected->count; i++) {
        const CheckContact *expected_one = &expected->items[i];
        const ReportPair *pair = &report->pairs[expected_one->pair];
        fprintf(out, "%s{\"pair\":%d,\"sample\":%lld,\"a\":\"%s\",\"pairs\":[", i ? "," : "",
                expected_one->pair, (long long)expected_one->sample,
                pair->a == pair->b ? "self" : "other");
        for (int64_t k = 0; k < expected_one->count * 2; k++)
            fprintf(out, "%s%d", k ? "," : "", expected->triangles[expected_one->first + k]);
        fputs("]}", out);
    }
    fputs("]", out);
}

static void expect_regions(const Report *report, FILE *out)
{
    const char *comma = "";
    fputs(",\"regions\":[", out);
    for (int32_t p = 0; p < report->pair_count; p++) {
        for (int64_t i = 0; i < report->pairs[p].row_count; i++) {
            const ReportRow *row = &report->pairs[p].rows[i];
            for (int32_t k = 0; k < row->region_count; k++) {
                const ReportRegion *region = &row->regions[k];
                fprintf(out,
                        "%s{\"pair\":%d,\"sample\":%lld,\"place\":%d,\"depth\":%.9g,"
                        "\"area\":%.9g,\"inner\":%d,\"joint\":\"%s\"}",
                        comma, p, (long long)row->sample, k, region->depth,
                        region->areas[region->inner], region->inner,
                        region->share_counts[2] ? report->joints[region->shares[2][0].joint] : "");
                comma = ",";
            }
        }
    }
    fputs("]", out);
}

/* The segments of a cut, six numbers each, and which vertices are how deep. */
static void expect_cut(const Scene *scene, const CutQuery *query, const Cut *cut, FILE *out)
{
    fputs("\"segments\":[", out);
    for (int64_t i = 0; i < cut->segment_count * 6; i++)
        fprintf(out, "%s%.9g", i ? "," : "", cut->segments[i / 6].ends[i % 6 / 3][i % 3]);
    fputs("],\"depths\":[", out);
    for (int k = 0; k < (query->parts[0] == query->parts[1] ? 1 : 2); k++) {
        const char *comma = "";
        fputs(k ? ",[" : "[", out);
        for (int32_t v = 0; v < scene->parts[query->parts[k]].vertex_count; v++) {
            if (!(cut->depths[k][v] > 0))
                continue;
            fprintf(out, "%s[%d,%.9g]", comma, v, (double)cut->depths[k][v]);
            comma = ",";
        }
        fputs("]", out);
    }
    fputs("]", out);
}

static bool expect_cuts(const Scene *scene, const CheckOptions *options, const Report *report,
                        const CheckContacts *contacts, FILE *out, char error[400])
{
    ScenePose *pose = scene_pose_create(scene);
    Cuts *cuts = cuts_create(scene, error);
    bool is_found = pose && cuts;
    fputs(",\"cuts\":[", out);
    for (int64_t i = 0; is_found && i < contacts->count; i++) {
        const CheckContact *contact = &contacts->items[i];
        const ReportPair *pair = &report->pairs[contact->pair];
        const CutQuery query = {.parts = {pair->a, pair->b},
                                .pairs = contacts->triangles + contact->first,
                                .pair_count = contact->count};
        Cut cut = {0};
        is_found = check_pose(scene, options, report, contact->sample, pose, error) &&
                   cuts_pose(cuts, pose, error) && cuts_find(cuts, &query, &cut, error);
        if (!is_found)
            break;
        fprintf(out, "%s{\"pair\":%d,\"sample\":%lld,", i ? "," : "", contact->pair,
                (long long)contact->sample);
        expect_cut(scene, &query, &cut, out);
        fputs("}", out);
        cut_free(&cut);
    }
    fputs("]", out);
    cuts_free(cuts);
    scene_pose_free(pose);
    return is_found;
}

static bool expect_vertices(const Scene *scene, const CheckOptions *options, const Report *report,
                            FILE *out, char error[400])
{
    int64_t count = scene_vertex_count(scene) * 3;
    float *vertices = taken((size_t)count, sizeof *vertices);
    ScenePose *pose = scene_pose_create(scene);
    bool is_posed = pose != NULL;
    fputs(",\"vertices\":[", out);
    for (int64_t sample = 0; is_posed && sample < report->sample_count; sample++) {
        is_posed = check_pose(scene, options, report, sample, pose, error) &&
                   check_vertices(scene, pose, vertices, error);
        fputs(sample ? ",[" : "[", out);
        for (int64_t i = 0; is_posed && i < count; i++)
            fprintf(out, "%s%.9g", i ? "," : "", (double)vertices[i]);
        fputs("]", out);
    }
    fputs("]", out);
    scene_pose_free(pose);
    free(vertices);
    return is_posed;
}

typedef struct Written {
    const char *folder, *name, *file;
    bool is_baseline_rest, is_stopped;
} Written;

/* Ends a check early. */
static bool stop_at_five(void *user, int64_t done, int64_t all)
{
    (void)user, (void)all;
    return done < 5;
}

static FILE *opened(const Written *written, const char *ending)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.%s", written->folder, written->name, ending);
    FILE *out = fopen(path, "wb");
    if (!out)
        perror(path);
    return out;
}

static bool write_files(const Written *written, const Scene *scene, const CheckOptions *options,
                        const Report *report, const CheckContacts *contacts, char error[400])
{
    FILE *page = opened(written, "html"), *expected = opened(written, "json");
    bool is_written = page && expected && page_write(scene, options, report, contacts, page, error);
    if (is_written) {
        fprintf(expected, "{\"findings\":%lld,\"samples\":%lld,",
                (long long)report_findings(report), (long long)report->sample_count);
        expect_pairs(report, expected);
        expect_red(report, contacts, expected);
        expect_regions(report, expected);
        is_written = expect_cuts(scene, options, report, contacts, expected, error) &&
                     expect_vertices(scene, options, report, expected, error);
        fputs("}\n", expected);
    }
    if (page)
        is_written = fclose(page) == 0 && is_written;
    if (expected)
        is_written = fclose(expected) == 0 && is_written;
    return is_written;
}

static bool write_model(const Written *written, Scene *scene)
{
    CheckOptions options = check_options_default();
    options.self = CHECK_SELF_ALL;
    options.keeps_contacts = true;
    options.rate = 10;
    options.is_baseline_rest = written->is_baseline_rest;
    options.progress = written->is_stopped ? stop_at_five : NULL;
    options.jobs = written->is_stopped ? 1 : 0;
    options.unit = "m";
    options.alternatives = (const char *const[]){"shield*"};
    options.alternative_count = 1;
    Report report = {0};
    CheckContacts expected = {0};
    char error[400] = "";
    bool is_written = check_run(scene, written->file, &options, &report, &expected, error) &&
                      write_files(written, scene, &options, &report, &expected, error);
    if (!is_written)
        fprintf(stderr, "page_models: %s: %s\n", written->name, error);
    report_free(&report);
    check_contacts_free(&expected);
    scene_free(scene);
    return is_written;
}

int main(int argument_count, char **arguments)
{
    if (!page_is_built_in()) {
        puts("skipped: this build has no page in it");
        return 77;
    }
    if (argument_count != 2)
        return 2;
    const char *folder = arguments[1];
    bool is_written =
        write_model(&(Written){folder, "bend", "models/bend</script>.glb", true, false}, bend()) &&
        write_model(&(Written){folder, "cloth", "cloth.pc2", false, false}, cloth()) &&
        write_model(&(Written){folder, "still", "still.obj", false, false}, unchanged()) &&
        write_model(&(Written){folder, "huge", "huge.obj", false, false}, huge()) &&
        write_model(&(Written){folder, "stopped", "stopped.glb", false, true}, bend()) &&
        write_model(&(Written){folder, "worn", "worn.obj", false, false}, worn());
    return is_written ? 0 : 1;
}
