/* Tiles: see tiles.h. */
#include "base/tasks.h"
#include "volume/volume.h"

#include <string.h>

/* ---- Memory ---------------------------------------------------------------------------------- */

void pli_tiles_init(PliTiles *tiles)
{
    *tiles = (PliTiles){.drawings = {.item_size = sizeof(PliDrawing)},
                        .scratches = {.item_size = sizeof(PliTileScratch)},
                        .notes = {.item_size = sizeof(PliTileNotes)},
                        .strips = {.item_size = sizeof(PliStrip)}};
}

static void init_scratch(PliTileScratch *scratch)
{
    *scratch = (PliTileScratch){.kept = {.item_size = sizeof(PliantSpan)}};
    pli_sorting_init(&scratch->sorting);
    for (int i = 0; i < 2; i++)
        pli_drawn_init(&scratch->drawn[i]);
    for (int i = 0; i < 3; i++)
        pli_spans_init(&scratch->spans[i]);
}

static void free_scratch(PliTileScratch *scratch, const PliantHost *host)
{
    pli_array_free(&scratch->kept, host);
    pli_sorting_free(&scratch->sorting, host);
    for (int i = 0; i < 2; i++)
        pli_drawn_free(&scratch->drawn[i], host);
    for (int i = 0; i < 3; i++)
        pli_spans_free(&scratch->spans[i], host);
}

void pli_tiles_free(PliTiles *tiles, const PliantHost *host)
{
    for (int64_t i = 0; i < tiles->drawings.count; i++) {
        pli_drawing_free((PliDrawing *)tiles->drawings.items + i, host);
        free_scratch((PliTileScratch *)tiles->scratches.items + i, host);
    }
    pli_array_free(&tiles->drawings, host);
    pli_array_free(&tiles->scratches, host);
    pli_array_free(&tiles->notes, host);
    pli_array_free(&tiles->strips, host);
}

PliantResult pli_tiles_reserve(PliTiles *tiles, int32_t worker_count, const PliantHost *host)
{
    if (worker_count <= tiles->drawings.count)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(&tiles->drawings, host, worker_count));
    PLI_TRY(pli_array_reserve(&tiles->scratches, host, worker_count));
    for (int64_t i = tiles->drawings.count; i < worker_count; i++) {
        pli_drawing_init((PliDrawing *)tiles->drawings.items + i);
        init_scratch((PliTileScratch *)tiles->scratches.items + i);
    }
    tiles->drawings.count = tiles->scratches.count = worker_count;
    return PLIANT_OK;
}

#define DRAWING_ARRAYS(X)                                                                          \
    X(seeing.stack)                                                                                \
    X(seeing.leaves)                                                                               \
    X(seeing.drawn)                                                                                \
    X(seeing.numbers)                                                                              \
    X(fragments)                                                                                   \
    X(notes.walls)                                                                                 \
    X(notes.prisms)                                                                                \
    X(notes.samples)                                                                               \
    X(rows)

#define DRAWN_ARRAYS(X, body)                                                                      \
    X(drawn[body].lists)                                                                           \
    X(drawn[body].tree_parts[0])                                                                   \
    X(drawn[body].tree_parts[1])                                                                   \
    X(drawn[body].leaves)                                                                          \
    X(drawn[body].parts)

#define SCRATCH_ARRAYS(X)                                                                          \
    DRAWN_ARRAYS(X, 0)                                                                             \
    DRAWN_ARRAYS(X, 1)                                                                             \
    X(sorting.starts)                                                                              \
    X(sorting.keys)                                                                                \
    X(sorting.excesses)                                                                            \
    X(spans[0].pixels)                                                                             \
    X(spans[0].spans)                                                                              \
    X(spans[1].pixels)                                                                             \
    X(spans[1].spans)                                                                              \
    X(spans[2].pixels)                                                                             \
    X(spans[2].spans)                                                                              \
    X(kept)

/* In every item of a list. */
#define EVEN(name)                                                                                 \
    do {                                                                                           \
        int64_t most = 0;                                                                          \
        for (int64_t i = 0; i < count; i++)                                                        \
            most = items[i].name.capacity > most ? items[i].name.capacity : most;                  \
        for (int64_t i = 0; i < count; i++)                                                        \
            PLI_TRY(pli_array_reserve_exactly(&items[i].name, host, most));                        \
    } while (0);

static PliantResult even_drawings(PliDrawing *items, int64_t count, const PliantHost *host)
{
    DRAWING_ARRAYS(EVEN)
    return PLIANT_OK;
}

static PliantResult even_scratches(PliTileScratch *items, int64_t count, const PliantHost *host)
{
    SCRATCH_ARRAYS(EVEN)
    return PLIANT_OK;
}

PliantResult pli_tiles_even(PliTiles *tiles, const PliantHost *host)
{
    PLI_TRY(even_drawings(tiles->drawings.items, tiles->drawings.count, host));
    return even_scratches(tiles->scratches.items, tiles->scratches.count, host);
}

/* ---- One strip ------------------------------------------------------------------------------- */

/* A tile with so many fragments is turned into spans by several workers. A view with so many tiles
 * for each worker, or in all, is divided by tiles: many workers within one read its lists many
 * times. */
enum { MIN_DIVIDED_FRAGMENTS = 1 << 16, TILES_PER_WORKER = 4, ENOUGH_TILES = 16 };

/* Strips of a tile that is divided, for each worker, and rows of a strip, at least. */
enum { STRIPS_PER_WORKER = 2, MIN_ROWS = 4 };

/* What is to be found: spans are measured, or captured. */
typedef struct Job {
    PliTiles *tiles;
    const PliSubject *subjects;
    int subject_count;
    const PliantView *view;
    const PliMeasure *measure;
    PliSpans *captured;
    const PliantHost *host; /* of what is captured */
    int64_t max_strips;     /* of a tile */
    bool are_kept_apart;    /* spans of strips are, by workers, and copied when all are known */
} Job;

static PliDrawing *drawing_of(const Job *job, int64_t number)
{
    return (PliDrawing *)job->tiles->drawings.items + number;
}

static PliTileScratch *scratch_of(const Job *job, const PliWorker *worker)
{
    return (PliTileScratch *)job->tiles->scratches.items + worker->number;
}

static PliStrip *strips_of(const Job *job, int64_t tile)
{
    return (PliStrip *)job->tiles->strips.items + tile * job->max_strips;
}

static PliTileNotes *notes_of(const Job *job, int64_t tile)
{
    return (PliTileNotes *)job->tiles->notes.items + tile;
}

/* A tile of which strips are made. */
typedef struct TileJob {
    const Job *job;
    PliTile tile;
    const PliDrawn *drawn; /* of each body */
    PliStrip *strips;
} TileJob;

/* The spans of one body in the rows of a strip. */
static PliantResult find_spans(const TileJob *tile, PliStrip *strip, int subject,
                               PliTileScratch *scratch, const PliWorker *worker,
                               const PliSpanRows *rows)
{
    const PliantView *view = tile->job->view;
    const PliDrawn *drawn = &tile->drawn[subject];
    const PliLines lines = {.lists = drawn->lists.items,
                            .list_count = drawn->lists.count,
                            .first_row = strip->first_row,
                            .near = view->box.low[view->axis] + 0.0f,
                            .far = view->box.high[view->axis] + 0.0f,
                            .ends = drawn->ends,
                            .worker = worker};
    return pli_spans_find(rows, &lines, &scratch->sorting, worker->host, &strip->counts[subject]);
}

/* The spans of all bodies, or of what they have in common. */
static PliantResult find_common(const TileJob *tile, PliStrip *strip, PliTileScratch *scratch,
                                const PliWorker *worker, const PliSpanRows *rows)
{
    PliSpanRows each[2];
    if (tile->job->subject_count == 1) {
        PLI_TRY(find_spans(tile, strip, 0, scratch, worker, rows));
        strip->bad_count = strip->counts[0].bad_count;
        return PLIANT_OK;
    }
    for (int i = 0; i < 2; i++) {
        PLI_TRY(pli_spans_start(&scratch->spans[i], rows->width, rows->height, worker->host));
        each[i] = pli_span_rows(&scratch->spans[i], worker->host);
        PLI_TRY(find_spans(tile, strip, i, scratch, worker, &each[i]));
    }
    return pli_spans_intersect(rows, &each[0], &each[1], &strip->bad_count);
}

static PliantResult measure_strip(const TileJob *tile, PliStrip *strip, PliTileScratch *scratch,
                                  const PliWorker *worker)
{
    PliSpans *spans = &scratch->spans[2];
    PLI_TRY(pli_spans_start(spans, tile->tile.width, strip->row_count, worker->host));
    const PliSpanRows rows = pli_span_rows(spans, worker->host);
    PLI_TRY(find_common(tile, strip, scratch, worker, &rows));
    pli_measure_rows(tile->job->measure, tile->job->view, &tile->tile, strip->first_row, &rows,
                     &strip->extent);
    return PLIANT_OK;
}

static PliSpanRows captured_rows(const TileJob *tile, const PliStrip *strip, PliArray *spans,
                                 const PliantHost *host)
{
    PliSpans *captured = tile->job->captured;
    const int64_t row = tile->tile.row + strip->first_row;
    return (PliSpanRows){tile->tile.width,
                         strip->row_count,
                         (PliPixel *)captured->pixels.items + row * captured->width +
                             tile->tile.column,
                         captured->width,
                         spans,
                         host};
}

static PliantResult capture_strip(const TileJob *tile, PliStrip *strip, PliTileScratch *scratch,
                                  const PliWorker *worker)
{
    const Job *job = tile->job;
    PliArray *spans = job->are_kept_apart ? &scratch->kept : &job->captured->spans;
    const PliSpanRows rows =
        captured_rows(tile, strip, spans, job->are_kept_apart ? worker->host : job->host);
    strip->kept[0] = spans->count;
    PLI_TRY(find_common(tile, strip, scratch, worker, &rows));
    strip->kept[1] = spans->count;
    return PLIANT_OK;
}

/* PliWork. */
static void do_strip(void *data, int32_t index, PliWorker *worker)
{
    const TileJob *tile = data;
    PliStrip *strip = &tile->strips[index];
    PliTileScratch *scratch = scratch_of(tile->job, worker);
    const PliArray *excesses = &scratch->sorting.excesses;
    strip->scratch = scratch;
    strip->excesses[0] = excesses->count;
    strip->result =
        (tile->job->measure ? measure_strip : capture_strip)(tile, strip, scratch, worker);
    strip->excesses[1] = excesses->count;
}

/* ---- One tile -------------------------------------------------------------------------------- */

/* Draws all bodies; fragments of all workers that take part are of this tile. */
static PliantResult draw_tile(const Job *job, const PliTile *tile, PliTileNotes *notes,
                              PliWorker *worker)
{
    PliDrawn *drawn = scratch_of(job, worker)->drawn;
    const int32_t crew = pli_worker_crew_count(worker);
    for (int32_t i = 0; i < crew; i++)
        drawing_of(job, worker->number + i)->fragments.count = 0;
    *notes = (PliTileNotes){0};
    PLI_TRY(pli_worker_check(worker));
    for (int i = 0; i < job->subject_count; i++) {
        PLI_TRY(pli_draw(&drawn[i], drawing_of(job, 0), &job->subjects[i], job->view, tile,
                         job->tiles->divides_everything, worker));
        notes->hidden[i] = drawn[i].hidden;
        memcpy(notes->prisms[i], drawn[i].prisms, sizeof drawn[i].prisms);
        notes->is_regular |= drawn[i].is_regular;
    }
    notes->is_whole = job->subject_count == 1 && drawn[0].is_whole;
    return PLIANT_OK;
}

/* How many strips are made of a tile. */
static int64_t strip_count_of(const Job *job, const TileJob *tile, const PliWorker *worker)
{
    int64_t fragment_count = 0;
    for (int i = 0; i < job->subject_count; i++)
        fragment_count += tile->drawn[i].fragment_count;
    if (pli_worker_crew_count(worker) == 1 ||
        (fragment_count < MIN_DIVIDED_FRAGMENTS && !job->tiles->divides_everything))
        return 1;
    const int64_t most = pli_div_up(tile->tile.height, MIN_ROWS);
    return most < job->max_strips ? most : job->max_strips;
}

/* PliWork. Divides the tile if the worker has a crew. */
static void do_tile(void *data, int32_t index, PliWorker *worker)
{
    const Job *job = data;
    TileJob tile = {.job = job,
                    .tile = pli_tile_of(job->view, index),
                    .drawn = scratch_of(job, worker)->drawn,
                    .strips = strips_of(job, index)};
    PliTileNotes *notes = notes_of(job, index);
    memset(tile.strips, 0, (size_t)job->max_strips * sizeof *tile.strips);
    notes->result = draw_tile(job, &tile.tile, notes, worker);
    if (notes->result != PLIANT_OK)
        return;
    const int64_t count = strip_count_of(job, &tile, worker);
    for (int i = 0; i < job->subject_count; i++)
        pli_drawn_locate(&scratch_of(job, worker)->drawn[i], count > 1);
    for (int64_t i = 0; i < count; i++) {
        const int32_t first = (int32_t)pli_part_begin(i, count, tile.tile.height);
        tile.strips[i].first_row = first;
        tile.strips[i].row_count = (int32_t)pli_part_begin(i + 1, count, tile.tile.height) - first;
    }
    pli_worker_divide(worker, do_strip, &tile, (int32_t)count);
    if (worker->control)
        atomic_fetch_add(&worker->control->done, 1);
}

/* ---- All tiles ------------------------------------------------------------------------------- */

static PliantResult share_bounds(const Job *job, bool are_all, const PliantHost *host)
{
    for (int i = 0; i < job->subject_count; i++) {
        PliBounds *bounds = &job->subjects[i].pose->bounds;
        if (are_all || bounds->tree->leaf_count >= PLI_MIN_WALKED_LEAVES)
            PLI_TRY(pli_bounds_share(bounds, host));
    }
    return PLIANT_OK;
}

/* The first failure in order. */
static PliantResult failure_of(const Job *job, int64_t tile_count)
{
    for (int64_t i = 0; i < tile_count; i++) {
        PLI_TRY(notes_of(job, i)->result);
        for (int64_t k = 0; k < job->max_strips; k++)
            PLI_TRY(strips_of(job, i)[k].result);
    }
    return PLIANT_OK;
}

/* Does all tiles, one after the other or by several workers. */
static PliantResult do_tiles(Job *job, PliWorker *worker)
{
    PliTiles *tiles = job->tiles;
    const int64_t count = pli_tile_count(job->view);
    const int32_t crew = pli_worker_crew_count(worker);
    if (worker->control)
        worker->control->total += count;
    const bool by_tiles = crew > 1 && (count >= TILES_PER_WORKER * crew || count >= ENOUGH_TILES);
    job->are_kept_apart = crew > 1;
    job->max_strips = crew > 1 && !by_tiles ? STRIPS_PER_WORKER * crew : 1;
    PLI_TRY(pli_tiles_reserve(tiles, crew, worker->host));
    PLI_TRY(pli_array_reserve(&tiles->notes, worker->host, count));
    PLI_TRY(pli_array_reserve(&tiles->strips, worker->host, count * job->max_strips));
    for (int32_t i = 0; i < tiles->scratches.count; i++) {
        PliTileScratch *scratch = (PliTileScratch *)tiles->scratches.items + i;
        scratch->kept.count = scratch->sorting.excesses.count = 0;
    }
    if (crew > 1)
        PLI_TRY(share_bounds(job, by_tiles || tiles->divides_everything, worker->body_host));
    if (by_tiles)
        pli_worker_divide(worker, do_tile, job, (int32_t)count);
    for (int64_t i = 0; i < count && !by_tiles; i++) {
        do_tile(job, (int32_t)i, worker);
        PLI_TRY(notes_of(job, i)->result);
    }
    return failure_of(job, count);
}

static PliantResult run(Job *job, PliWorker *worker)
{
    const PliantResult result = do_tiles(job, worker);
    for (int i = 0; i < job->subject_count; i++)
        pli_bounds_unshare(&job->subjects[i].pose->bounds);
    return result;
}

/* Adds up what pixels of a strip wind more than their spans say. */
static void add_excesses(const PliStrip *strip, double *sum)
{
    if (!strip->scratch)
        return;
    const double *excesses = strip->scratch->sorting.excesses.items;
    for (int64_t i = strip->excesses[0]; i < strip->excesses[1]; i++)
        *sum += excesses[i];
}

/* ---- Measuring ------------------------------------------------------------------------------- */

/* Adds what is known of a tile. */
static void measure_tile(const Job *job, int64_t tile, PliMeasure *measure)
{
    const PliTileNotes *notes = notes_of(job, tile);
    double exact = 0, excess = 0;
    for (int64_t k = 0; k < job->max_strips; k++) {
        const PliStrip *strip = &strips_of(job, tile)[k];
        pli_measure_add_extent(measure, &strip->extent);
        measure->bad_count += strip->bad_count;
        add_excesses(strip, &excess);
    }
    measure->hidden +=
        job->subject_count == 1 ? notes->hidden[0] : notes->hidden[0] + notes->hidden[1];
    measure->is_regular |= notes->is_regular;
    if (job->subject_count == 2)
        return;
    for (int i = 0; i < PLI_PRISMS; i++)
        exact += notes->prisms[0][i];
    measure->winding.is_known = notes->is_whole;
    measure->winding.exact += exact;
    measure->winding.excess += excess;
}

PliantResult pli_tiles_measure(PliTiles *tiles, const PliSubject *subjects, int subject_count,
                               const PliantView *view, PliWorker *worker, PliMeasure *measure)
{
    Job job = {.tiles = tiles,
               .subjects = subjects,
               .subject_count = subject_count,
               .view = view,
               .measure = measure};
    PLI_TRY(pli_measure_start(measure, view, pli_div_up(view->width, PLI_TILE), worker->host));
    PLI_TRY(run(&job, worker));
    const int64_t count = pli_tile_count(view);
    for (int64_t i = 0; i < count; i++)
        measure_tile(&job, i, measure);
    return PLIANT_OK;
}

/* ---- Capturing ------------------------------------------------------------------------------- */

/* Copies the spans of a strip behind those that are there. */
static PliantResult append_strip(const Job *job, const PliTile *tile, const PliStrip *strip)
{
    PliSpans *captured = job->captured;
    const int64_t count = strip->kept[1] - strip->kept[0];
    const int64_t end = captured->spans.count + count;
    const TileJob tile_job = {.job = job, .tile = *tile};
    if (end > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_array_reserve(&captured->spans, job->host, end + PLI_SPARE_SPANS));
    const PliSpanRows rows = captured_rows(&tile_job, strip, NULL, NULL);
    const uint32_t moved = (uint32_t)(captured->spans.count - strip->kept[0]);
    for (int32_t j = 0; j < rows.height; j++)
        for (int32_t i = 0; i < rows.width; i++)
            rows.pixels[j * rows.stride + i].first += moved;
    if (count > 0)
        memcpy((PliantSpan *)captured->spans.items + captured->spans.count,
               (const PliantSpan *)strip->scratch->kept.items + strip->kept[0],
               (size_t)count * sizeof(PliantSpan));
    captured->spans.count = end;
    return PLIANT_OK;
}

/* Adds what is known of a tile. */
static PliantResult capture_tile(const Job *job, int64_t number, double hidden[2])
{
    const PliTileNotes *notes = notes_of(job, number);
    const PliTile tile = pli_tile_of(job->view, number);
    PliSpans *captured = job->captured;
    for (int64_t k = 0; k < job->max_strips; k++) {
        const PliStrip *strip = &strips_of(job, number)[k];
        if (job->are_kept_apart)
            PLI_TRY(append_strip(job, &tile, strip));
        for (int i = 0; i < 2; i++) {
            pli_line_counts_add(&captured->counts, &strip->counts[i]);
            captured->counts.bad_count -= strip->counts[i].bad_count;
        }
        captured->counts.bad_count += strip->bad_count;
        if (job->subject_count == 1)
            add_excesses(strip, &captured->winding.excess);
    }
    hidden[0] += notes->hidden[0];
    hidden[1] += notes->hidden[1];
    captured->is_regular |= notes->is_regular;
    captured->winding.is_known = notes->is_whole;
    for (int i = 0; i < PLI_PRISMS && job->subject_count == 1; i++)
        captured->winding.exact += notes->prisms[0][i];
    return PLIANT_OK;
}

PliantResult pli_tiles_capture(PliTiles *tiles, const PliSubject *subjects, int subject_count,
                               const PliantView *view, PliWorker *worker, PliSpans *spans,
                               const PliantHost *host)
{
    Job job = {.tiles = tiles,
               .subjects = subjects,
               .subject_count = subject_count,
               .view = view,
               .captured = spans,
               .host = host};
    double hidden[2] = {0};
    PLI_TRY(pli_spans_start(spans, view->width, view->height, host));
    PLI_TRY(run(&job, worker));
    const int64_t count = pli_tile_count(view);
    for (int64_t i = 0; i < count; i++)
        PLI_TRY(capture_tile(&job, i, hidden));
    spans->hidden = subject_count == 1 ? hidden[0] : hidden[0] + hidden[1];
    return PLIANT_OK;
}
