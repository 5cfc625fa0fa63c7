/* The parts of the glTF reader, for gltf*.c alone.
 *
 * A file is a tree of JSON objects that name each other by number. The one idea: nothing is taken
 * out of it but through the calls here, which check it and know its place, so that a refusal says
 * "accessors[3].count is ..." and no number is used unchecked.
 *
 * All calls that can fail return false, or NULL, with the reason in gltf->error.
 */
#ifndef TOOLS_GLTF_H
#define TOOLS_GLTF_H

#include "scene/reader.h"

#include <jansson.h>

/* Part of a buffer, as a view has it, or as it was decompressed. */
typedef struct GltfBytes {
    const uint8_t *bytes; /* NULL: not read yet */
    uint8_t *owned;       /* to be freed, or NULL */
    size_t size;
    size_t stride; /* of a view: from one element to the next; 0: no gaps */
} GltfBytes;

typedef struct Gltf {
    json_t *root;
    const char *folder; /* may be NULL */
    const SceneOptions *options;
    SceneError *error;
    size_t byte_count, budget; /* of the file and its buffers; left of what they may ask for */
    GltfBytes chunk;           /* the binary chunk of a GLB */
    GltfBytes *buffers;        /* read when first needed, as is a view */
    GltfBytes *views;
    int32_t *target_counts;    /* of each mesh; -1: not counted yet */
    struct DracoMesh **dracos; /* of each view, when first needed */
    GltfBytes *decoded;        /* numbers of accessors that Draco had */
    int32_t decoded_count;
    Scene *scene;
} Gltf;

/* ---- JSON with places: gltf_json.c ------------------------------------------------------------
 */

/* An object of the file, and where it is: "meshes[2].primitives[0]". */
typedef struct GltfItem {
    json_t *json;
    char where[160];
} GltfItem;

/* How many things a list at the top of the file has; lists are limited to 2^24. */
bool gltf_count(Gltf *gltf, const char *list, int32_t *count);

/* A thing of a list at the top. */
bool gltf_item(Gltf *gltf, const char *list, int64_t index, GltfItem *item);

/* A member that is an object. False, with no error, if there is none and `must` is false. */
bool gltf_member(Gltf *gltf, const GltfItem *parent, const char *key, bool must, GltfItem *item);

/* A member that is a list, of 0 things if there is none. */
bool gltf_list(Gltf *gltf, const GltfItem *parent, const char *key, json_t **list, int32_t *count);

/* The same as an object: a thing of a member that is a list. */
bool gltf_element(Gltf *gltf, const GltfItem *parent, const char *key, int64_t index,
                  GltfItem *item);

/* A whole number from low to high. */
bool gltf_integer(Gltf *gltf, const GltfItem *parent, const char *key, int64_t low, int64_t high,
                  int64_t *value);
/* The same, but *value stays as it is if there is none. */
bool gltf_optional(Gltf *gltf, const GltfItem *parent, const char *key, int64_t low, int64_t high,
                   int64_t *value);
/* The number of something in a list at the top; -1 if there is none. */
bool gltf_reference(Gltf *gltf, const GltfItem *parent, const char *key, const char *list,
                    int32_t *index);
/* Likewise, of element i of a list that gltf_list() gave. */
bool gltf_reference_at(Gltf *gltf, const GltfItem *parent, const char *key, json_t *list, int32_t i,
                       const char *target, int32_t *index);

/* `count` finite numbers; `out` stays as it is if there are none, and *is_there says so. */
bool gltf_numbers(Gltf *gltf, const GltfItem *parent, const char *key, int32_t count, float *out,
                  bool *is_there);

/* A string, or NULL. */
const char *gltf_string(const GltfItem *parent, const char *key);
bool gltf_is_true(const GltfItem *parent, const char *key);

/* The object of an extension that the item has, or NULL. */
json_t *gltf_extension(const GltfItem *parent, const char *name);

/* ---- Bytes: gltf_buffer.c, gltf_meshopt.c ---------------------------------------------------- */

/* The bytes of a view: of its buffer, which is read if it has not been, or decompressed. */
const GltfBytes *gltf_view(Gltf *gltf, int32_t index);

/* `length` bytes at `offset` of a buffer. */
const uint8_t *gltf_buffer_range(Gltf *gltf, const GltfItem *item, int32_t buffer, int64_t offset,
                                 int64_t length);

/* Decompresses a view that has the extension, named `name`. */
bool gltf_meshopt(Gltf *gltf, const GltfItem *view, const char *name, GltfBytes *bytes);
bool gltf_has_meshopt(void);

void gltf_free_bytes(GltfBytes *bytes, int32_t count);

/* What a URI has: data, or a file beside this one. `bytes->owned` is to be freed, whatever happens.
 */
bool gltf_uri(Gltf *gltf, const GltfItem *item, const char *uri, GltfBytes *bytes);
/* What a data URI holds. */
bool gltf_data_uri(Gltf *gltf, const GltfItem *item, const char *uri, GltfBytes *bytes);

/* ---- Accessors: gltf_accessor.c ----------------------------------------------------------------
 */

typedef enum GltfComponent {
    GLTF_BYTE = 5120,
    GLTF_UNSIGNED_BYTE = 5121,
    GLTF_SHORT = 5122,
    GLTF_UNSIGNED_SHORT = 5123,
    GLTF_UNSIGNED_INT = 5125,
    GLTF_FLOAT = 5126
} GltfComponent;

typedef struct GltfAccessor {
    GltfItem item;
    int32_t count, width; /* elements, numbers in each */
    GltfComponent component;
    bool is_normalized;
    bool has_view;
    const uint8_t *decoded; /* its data, without gaps, out of Draco's; NULL: it has its own */
    bool has_data;          /* from a view, or sparse: else all its numbers are zero */
} GltfAccessor;

/* Checks an accessor without reading its data; `width` is what it must have (16: a matrix). */
bool gltf_accessor(Gltf *gltf, int32_t index, int32_t width, GltfAccessor *accessor);

/* What normalized integers are divided by. */
double gltf_component_scale(GltfComponent component);

/* All its numbers, count * width: as floats, finite, integers normalized where the file says so. */
bool gltf_read_floats(Gltf *gltf, const GltfAccessor *accessor, float *out);
/* As unsigned integers; other types are refused. */
bool gltf_read_integers(Gltf *gltf, const GltfAccessor *accessor, uint32_t *out);

/* ---- Draco: gltf_draco.c ------------------------------------------------------------------------
 */

/* What a primitive has compressed, and which attributes of it are whose. */
typedef struct GltfDraco {
    const struct DracoMesh *mesh; /* NULL: nothing */
    GltfItem attributes;
} GltfDraco;

bool gltf_has_draco(void);
bool gltf_draco_open(Gltf *gltf, const GltfItem *primitive, GltfDraco *draco);

/* Give an accessor the data that Draco has for it, if it has some. */
bool gltf_draco_indices(Gltf *gltf, const GltfDraco *draco, GltfAccessor *indices);
bool gltf_draco_attribute(Gltf *gltf, const GltfDraco *draco, const char *name,
                          GltfAccessor *accessor);
void gltf_draco_close(Gltf *gltf, int32_t view_count);

/* ---- Nodes, meshes, animations -----------------------------------------------------------------
 */

bool gltf_read_nodes(Gltf *gltf); /* gltf_node.c: nodes and skins */
bool gltf_read_parts(Gltf *gltf); /* gltf_mesh.c */
bool gltf_read_clips(Gltf *gltf); /* gltf_clip.c */

/* How parts look: gltf_look.c. A file that is wrong there is no worse for it: what cannot be read
 * is left out, with a note. False: no memory. */
bool gltf_read_looks(Gltf *gltf);

/* A primitive whose vertices and triangles have just become the last ones of a part. */
typedef struct GltfPainted {
    const GltfItem *attributes;
    const GltfDraco *draco;
    int32_t material, vertex_count;
    int32_t first_vertex, first_triangle;
    int64_t triangle_room; /* of the part */
} GltfPainted;
bool gltf_paint(Gltf *gltf, const GltfPainted *painted, ScenePart *part);

/* An attribute, which must be there for each vertex: gltf_mesh.c. */
bool gltf_attribute(Gltf *gltf, const GltfItem *attributes, const char *name, int32_t width,
                    int32_t vertex_count, const GltfDraco *draco, GltfAccessor *accessor);

/* The number of morph targets of a mesh: gltf_mesh.c. */
bool gltf_target_count(Gltf *gltf, int32_t mesh, int32_t *count);

/* A name for something without one: "node 3"; copied. NULL, with an error: no memory. */
char *gltf_name(Gltf *gltf, const GltfItem *item, const char *kind, int32_t number);

/* What cannot be read, by name, and notes on what does nothing here: gltf_extension.c. */
bool gltf_check_extensions(Gltf *gltf);

#endif
