/* The glTF reader against three.js: for every file below PLIANT_ASSETS, every vertex at rest and at
 * 20 times of every clip, as three/evaluate.mjs has them.
 *
 * The scene is read as the command reads it, welded, and its vertices are asked of the library's
 * bodies, so that the whole way is compared: file, rig, weld, shape, joints. Compared are the
 * corners of triangles, in the file's order, primitive by primitive. The greatest distance of two
 * corners that should be one, over the diagonal of the box around all that three.js has at that
 * moment, must be at most 1e-5. A file that is refused must be one that three.js cannot read
 * without Draco's decoder, and the refusal must name it.
 *
 *     test_three FOLDER [FILE...]     FOLDER: of evaluate.mjs and of node_modules
 */
#include "calls.h"
#include "scene/scene.h"

#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_DIFFERENCE 1e-5
enum { SKIP = 77 };

static void must(bool is_ok, const char *what)
{
    if (is_ok)
        return;
    fprintf(stderr, "test_three: %s failed\n", what);
    exit(1);
}

static void *room(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (!block)
        exit(1);
    return block;
}

/* ---- The oracle -------------------------------------------------------------------------------
 */

typedef struct Oracle {
    pid_t process;
    FILE *out;
} Oracle;

static Oracle oracle_start(const char *folder, const char *path)
{
    int ends[2];
    char script[4096];
    snprintf(script, sizeof script, "%s/evaluate.mjs", folder);
    must(pipe(ends) == 0, "pipe");
    Oracle oracle = {.process = fork()};
    must(oracle.process >= 0, "fork");
    if (oracle.process == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp("node", "node", script, path, "20", (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    oracle.out = fdopen(ends[0], "rb");
    must(oracle.out != NULL, "fdopen");
    return oracle;
}

static void oracle_end(Oracle *oracle)
{
    fclose(oracle->out);
    waitpid(oracle->process, NULL, 0);
}

static void oracle_read(Oracle *oracle, void *out, size_t size)
{
    must(fread(out, 1, size, oracle->out) == size, "reading what three.js says");
}

static uint32_t oracle_number(Oracle *oracle)
{
    uint32_t number;
    oracle_read(oracle, &number, sizeof number);
    return number;
}

/* Whether it read the file; if not, why. */
static bool oracle_is_good(Oracle *oracle, char *why, size_t size)
{
    char word[5] = "";
    oracle_read(oracle, word, 4);
    *why = 0;
    if (strcmp(word, "good") == 0)
        return true;
    size_t length = oracle_number(oracle);
    length = length < size ? length : size - 1;
    oracle_read(oracle, why, length);
    why[length] = 0;
    return false;
}

/* A mesh of three.js, and the part's triangles that are the same. */
typedef struct Mesh {
    int32_t node, primitive;
    uint32_t vertex_count, corner_count;
    uint32_t *corners;
    int32_t part;     /* -1: none has it */
    int32_t *ours;    /* the part's vertex at each corner */
    double *vertices; /* now */
} Mesh;

static Mesh *oracle_meshes(Oracle *oracle, uint32_t *count)
{
    *count = oracle_number(oracle);
    Mesh *meshes = room(*count, sizeof *meshes);
    for (uint32_t i = 0; i < *count; i++) {
        Mesh *mesh = &meshes[i];
        mesh->node = (int32_t)oracle_number(oracle);
        mesh->primitive = (int32_t)oracle_number(oracle);
        mesh->vertex_count = oracle_number(oracle);
        mesh->corner_count = oracle_number(oracle);
        mesh->corners = room(mesh->corner_count, sizeof *mesh->corners);
        mesh->ours = room(mesh->corner_count, sizeof *mesh->ours);
        mesh->vertices = room(mesh->vertex_count, sizeof(double[3]));
        oracle_read(oracle, mesh->corners, mesh->corner_count * sizeof *mesh->corners);
    }
    return meshes;
}

static void free_meshes(Mesh *meshes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(meshes[i].corners);
        free(meshes[i].ours);
        free(meshes[i].vertices);
    }
    free(meshes);
}

/* Finds the mesh's triangles among the parts; false if they are not all there. */
static bool match_mesh(const Scene *scene, Mesh *mesh)
{
    for (int32_t p = 0; p < scene->part_count; p++) {
        const ScenePart *part = &scene->parts[p];
        uint32_t found = 0;
        for (int32_t t = 0; part->node == mesh->node && t < part->triangle_count; t++) {
            if (part->faces[t].primitive != mesh->primitive)
                continue;
            for (int k = 0; k < 3 && found < mesh->corner_count; k++)
                mesh->ours[found++] = (int32_t)part->triangles[3 * (size_t)t + (size_t)k];
        }
        if (found == mesh->corner_count) {
            mesh->part = p;
            return true;
        }
    }
    return false;
}

/* Each mesh has its triangles, and no triangle is left over. */
static bool match_meshes(const Scene *scene, Mesh *meshes, uint32_t count)
{
    int64_t corners = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!match_mesh(scene, &meshes[i]))
            return false;
        corners += meshes[i].corner_count;
    }
    for (int32_t p = 0; p < scene->part_count; p++)
        corners -= 3 * (int64_t)scene->parts[p].triangle_count;
    return corners == 0;
}

/* ---- The library -------------------------------------------------------------------------------
 */

typedef struct Actors {
    const Scene *scene;
    ScenePose *pose;
    PliantWorld *world;
    PliantBody *bodies;
    float **vertices;
} Actors;

static PliantBody make_body(PliantWorld *world, const Scene *scene, const ScenePart *part)
{
    PliantShape *shape;
    PliantBody body;
    PliantShapeDef def = pliant_shape_def_default();
    PliantTarget *targets = room((size_t)part->target_count, sizeof *targets);
    def.vertices = (PliantVertices){part->vertices, part->vertex_count, 0};
    def.triangles = (PliantTriangles){part->triangles, part->triangle_count};
    for (int32_t t = 0; t < part->target_count; t++) {
        size_t first = 3 * (size_t)t * (size_t)part->vertex_count;
        targets[t].vertices = (PliantVertices){part->targets + first, part->vertex_count, 0};
    }
    def.targets = targets;
    def.target_count = part->target_count;
    PliantSkin skin = pliant_skin_default();
    if (part->skin >= 0) {
        skin.joint_count = scene->skins[part->skin].joint_count;
        skin.influence_count = part->influence_count;
        skin.joints = part->joints;
        skin.weights = part->joint_weights;
        def.skin = &skin;
    }
    must(pliant_shape_create(&def, &shape) == PLIANT_OK, "pliant_shape_create");
    must(pliant_body_create(world, shape, &body) == PLIANT_OK, "pliant_body_create");
    pliant_shape_release(shape);
    free(targets);
    return body;
}

static Actors make_actors(const Scene *scene)
{
    Actors actors = {.scene = scene, .pose = scene_pose_create(scene)};
    size_t count = (size_t)scene->part_count;
    must(actors.pose != NULL, "scene_pose_create");
    must(pliant_world_create(NULL, &actors.world) == PLIANT_OK, "pliant_world_create");
    actors.bodies = room(count, sizeof *actors.bodies);
    actors.vertices = room(count, sizeof *actors.vertices);
    for (size_t i = 0; i < count; i++) {
        actors.bodies[i] = make_body(actors.world, scene, &scene->parts[i]);
        actors.vertices[i] = room((size_t)scene->parts[i].vertex_count, sizeof(float[3]));
    }
    return actors;
}

static void free_actors(Actors *actors)
{
    for (int32_t i = 0; i < actors->scene->part_count; i++)
        free(actors->vertices[i]);
    free(actors->vertices);
    free(actors->bodies);
    pliant_world_destroy(actors->world);
    scene_pose_free(actors->pose);
}

static void pose_actors(Actors *actors, int32_t clip, double time)
{
    SceneError error;
    const Scene *scene = actors->scene;
    must(scene_pose_at(actors->pose, clip, time, &error), "scene_pose_at");
    for (int32_t i = 0; i < scene->part_count; i++) {
        const ScenePart *part = &scene->parts[i];
        const PartPose *pose = scene_pose_part(actors->pose, i);
        PliantBody body = actors->bodies[i];
        PliantResult result = pliant_body_set_transform(actors->world, body, &pose->transform);
        if (result == PLIANT_OK && pose->weights)
            result =
                pliant_body_set_weights(actors->world, body, pose->weights, part->target_count);
        if (result == PLIANT_OK && pose->joints)
            result = pliant_body_set_joints(actors->world, body, pose->joints,
                                            scene->skins[part->skin].joint_count);
        if (result == PLIANT_OK)
            result = test_body_vertices(actors->world, body, actors->vertices[i]);
        must(result == PLIANT_OK, "posing a body");
    }
}

/* ---- Comparing ---------------------------------------------------------------------------------
 */

static double diagonal(const Mesh *meshes, uint32_t count)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double square = 0;
    for (uint32_t i = 0; i < count; i++)
        for (size_t c = 0; c < 3 * (size_t)meshes[i].corner_count; c++) {
            double x = meshes[i].vertices[3 * (size_t)meshes[i].corners[c / 3] + c % 3];
            low[c % 3] = fmin(low[c % 3], x);
            high[c % 3] = fmax(high[c % 3], x);
        }
    for (int k = 0; k < 3; k++)
        square += (high[k] - low[k]) * (high[k] - low[k]);
    return sqrt(square);
}

/* The greatest distance of two corners; a NAN is beyond all. */
static double mesh_difference(const Actors *actors, const Mesh *mesh)
{
    double greatest = 0;
    for (uint32_t c = 0; c < mesh->corner_count; c++) {
        const double *wanted = mesh->vertices + 3 * (size_t)mesh->corners[c];
        const float *found = actors->vertices[mesh->part] + 3 * (size_t)mesh->ours[c];
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += (wanted[k] - (double)found[k]) * (wanted[k] - (double)found[k]);
        if (!(sqrt(square) <= greatest))
            greatest = isnan(square) ? INFINITY : sqrt(square);
    }
    return greatest;
}

/* Reads the next moment, and compares it. */
static double compare_moment(Oracle *oracle, Actors *actors, Mesh *meshes, uint32_t count)
{
    double time, greatest = 0;
    int32_t clip = (int32_t)oracle_number(oracle);
    oracle_read(oracle, &time, sizeof time);
    for (uint32_t i = 0; i < count; i++)
        oracle_read(oracle, meshes[i].vertices, meshes[i].vertex_count * sizeof(double[3]));
    pose_actors(actors, clip, time);
    for (uint32_t i = 0; i < count; i++)
        greatest = fmax(greatest, mesh_difference(actors, &meshes[i]));
    return greatest == 0 ? 0 : greatest / diagonal(meshes, count);
}

static bool compare_scene(Oracle *oracle, const Scene *scene, const char *path)
{
    uint32_t count;
    double worst = 0;
    Mesh *meshes = oracle_meshes(oracle, &count);
    bool is_same = match_meshes(scene, meshes, count);
    uint32_t moments = is_same ? oracle_number(oracle) : 0;
    Actors actors = make_actors(scene);
    for (uint32_t i = 0; i < moments; i++)
        worst = fmax(worst, compare_moment(oracle, &actors, meshes, count));
    free_actors(&actors);
    free_meshes(meshes, count);
    if (!is_same)
        printf("%s: its triangles are not those of three.js\n", path);
    else
        printf("%s: %u moments, difference %.2g of the size\n", path, (unsigned)moments, worst);
    return is_same && worst <= MAX_DIFFERENCE;
}

static bool compare_file(const char *folder, const char *path)
{
    char why[400];
    SceneError error = {""};
    SceneOptions options = scene_options_default();
    Oracle oracle = oracle_start(folder, path);
    Scene *scene = scene_read(path, &options, &error);
    bool is_good = oracle_is_good(&oracle, why, sizeof why), is_right;
    if (scene && is_good) {
        is_right = compare_scene(&oracle, scene, path);
    } else {
        printf("%s: refused (%s); three.js: %s\n", path, error.text, why);
        is_right = !is_good && strstr(why, "DRACOLoader") != NULL &&
                   (scene || strstr(error.text, "KHR_draco_mesh_compression") != NULL);
    }
    scene_free(scene);
    oracle_end(&oracle);
    fflush(stdout);
    return is_right;
}

/* ---- The files ------------------------------------------------------------------------------- */

enum { MAX_FILES = 1000 };
static char *files[MAX_FILES];
static size_t file_count;

static int collect(const char *path, const struct stat *state, int kind, struct FTW *index)
{
    static const char *const endings[] = {".glb", ".gltf", ".vrm"};
    const char *dot = strrchr(path, '.');
    (void)state;
    (void)index;
    /* Files without one default scene have no scene that three.js would show: nothing to compare
     * with. */
    if (strstr(path, "/toys/noscene.gltf") || strstr(path, "/toys/twoscenes.gltf"))
        return 0;
    for (size_t i = 0; dot && kind == FTW_F && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0 && file_count < MAX_FILES)
            files[file_count++] = strdup(path);
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool has_three(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/node_modules/three/package.json", folder);
    return access(path, R_OK) == 0;
}

int main(int argc, char **argv)
{
    const char *assets = getenv("PLIANT_ASSETS");
    if (argc < 2)
        return 2;
    if (!has_three(argv[1])) {
        printf("skipped: no three.js; `npm ci` in tests/tools/three brings it\n");
        return SKIP;
    }
    if (argc == 2 && !assets) {
        printf("skipped: PLIANT_ASSETS is not set\n");
        return SKIP;
    }
    for (int i = 2; i < argc; i++)
        must((files[file_count++] = strdup(argv[i])) != NULL, "strdup");
    if (argc == 2)
        must(nftw(assets, collect, 16, FTW_PHYS) == 0, "looking into PLIANT_ASSETS");
    qsort(files, file_count, sizeof *files, by_name);
    size_t wrong = 0;
    for (size_t i = 0; i < file_count; i++) {
        wrong += !compare_file(argv[1], files[i]);
        free(files[i]);
    }
    printf("%zu files, %zu wrong\n", file_count, wrong);
    return wrong != 0 || file_count == 0;
}
