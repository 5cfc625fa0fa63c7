/* What the files that write the page share. For this folder alone.
 *
 * The page is a shell (markup, style and script, made when the command is built) around two things
 * that are made here: the facts, a text of JSON, and the blob, bytes that the facts point into. The
 * blob is whole numbers, seven bits a byte, and floats, little-endian; it is compressed as one,
 * where zlib is.
 */
#ifndef TOOLS_PAGE_H
#define TOOLS_PAGE_H

#include "view/view.h"

/* The shell, from tools/web; it is cut where the data goes. */
extern const unsigned char page_shell_head[], page_shell_tail[];
extern const size_t page_shell_head_size, page_shell_tail_size;

/* ---- Bytes: page_bytes.c ------------------------------------------------------------------------
 */

/* Bytes that grow. Once there is no memory they are lost and stay so: asked once, at the end. */
typedef struct PageBytes {
    uint8_t *items;
    size_t count, capacity;
    bool is_lost;
} PageBytes;

void page_bytes_add(PageBytes *bytes, const void *items, size_t count);
void page_bytes_float(PageBytes *bytes, float value);
void page_bytes_varint(PageBytes *bytes, uint64_t value); /* seven bits a byte, low first */
void page_bytes_free(PageBytes *bytes);

/* A table of whole numbers, column after column. Of a column what is written is how far each number
 * is from what the ones before it lead to: the last one (order 1), or the line through the last two
 * (order 2, for motion). Small numbers of either sign make short codes. */
typedef int64_t PageValue(const void *from, size_t row, size_t column);
void page_bytes_columns(PageBytes *bytes, PageValue *value, const void *from, size_t row_count,
                        size_t column_count, int order);

/* The same bytes as one stream of DEFLATE. False: this build has no zlib, or what is packed is
 * lost, since there is no memory. */
bool page_bytes_pack(const PageBytes *bytes, PageBytes *packed);

/* A coordinate as one of 65,535 steps across a box, which is enough for a picture; PAGE_NOWHERE: it
 * is not finite. */
enum { PAGE_NOWHERE = 65535 };
uint16_t page_place(double at, double low, double high);

/* Text for JSON inside of a script element: quoted, and with nothing that could end the element. */
void page_json_string(FILE *out, const char *text);
void page_json_number(FILE *out, double value); /* what is not finite becomes null */
bool page_write_base64(FILE *out, const PageBytes *bytes);

/* ---- What is in the page ------------------------------------------------------------------------
 */

typedef struct Page {
    const Scene *scene;
    const CheckOptions *options;
    const Report *report;
    const CheckContacts *contacts;
    FILE *facts;
    PageBytes blob;
    int32_t *part_of; /* part of the scene, of each part of the report; -1: it has none */
    char *error;      /* 400 characters */
} Page;

/* Each adds members to the facts, with no comma behind the last. */
void page_add_looks(Page *page);                        /* "looks" and "images": page_looks.c */
void page_add_paint(Page *page, const ScenePart *part); /* "paint", to a part: the same */
bool page_add_parts(Page *page);  /* "skins" and "parts": page_parts.c, page_motion.c */
void page_add_found(Page *page);  /* "runs", "pairs" and "contacts": page_found.c */
void page_add_depths(Page *page); /* "joints", "measures" and "depths": page_depths.c */
bool page_add_fits(Page *page);   /* "fits": page_fit.c */

/* Poses the scene at a sample of the report. */
bool page_pose(Page *page, int64_t sample, ScenePose *pose);

/* What moves, at every sample. A track is one thing's values: equal blocks are stored once,
 * whenever they come back, so that what is in its rest pose, and runs that differ in a morph alone,
 * cost little.
 */
typedef struct PageTrack {
    size_t size; /* of a block, in bytes; 0: there is no such thing, and nothing else is there */
    PageBytes blocks;
    uint32_t block_count;
    PageBytes of_sample;     /* the number of the block, 32 bits each */
    uint32_t *corner_places; /* a hash table of blocks, by content: 1 + their number */
    size_t index_count;      /* a power of two, more than twice block_count */
} PageTrack;

typedef struct PageMotion {
    PageTrack *skins;      /* of each skin: three rows of four for each joint */
    PageTrack *transforms; /* of each part: three rows of four */
    PageTrack *weights;    /* of each part: a number for each target */
    PageTrack *cached;     /* of each part: vertices, 16 bits a coordinate within `boxes` */
    double (*boxes)[2][3]; /* of each part, at rest and in all frames of the cache */
} PageMotion;

bool page_motion_create(Page *page, PageMotion *motion);

/* Writes {"table":..,"blocks":..} and stores the track; null where there is none. `reach` is the
 * greatest coordinate of what matrices move. */
typedef enum PageMotionKind { PAGE_MATRICES, PAGE_WEIGHTS, PAGE_CACHED } PageMotionKind;
void page_motion_write(Page *page, const PageTrack *track, PageMotionKind kind, double reach);
void page_motion_free(const Scene *scene, PageMotion *motion);

#endif
