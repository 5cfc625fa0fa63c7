/* PLI_TREE_CONNECTED: every node is a connected patch, as far as the mesh is connected. After
 * Larsson and Akenine-Moller, 2001.
 *
 * A patch is divided by walking over it breadth first, twice: once from anywhere, to find an end of
 * it, and once from that end. In the order of the second walk the first half is connected. The rest
 * may fall into pieces, but each of them touches the first half: so all but the largest go there,
 * and two patches remain, to which the same is done until there are enough. If there are more
 * patches than children to begin with, the last child gets several.
 */
#include "tree/split.h"

#include <string.h>

/* Walks over the items of a range that are marked `inside`, from `start` on, marks them `visited`
 * and lists them. Returns how many there are. */
static int32_t walk(PliSplitter *splitter, int32_t start, int32_t inside, int32_t visited,
                    PliSortItem *list)
{
    const PliTreeDef *def = splitter->def;
    int32_t count = 0;
    list[count++].item = start;
    splitter->marks[start] = visited;
    for (int32_t i = 0; i < count; i++) {
        int32_t item = list[i].item;
        for (int32_t n = def->first_neighbors[item]; n < def->first_neighbors[item + 1]; n++) {
            int32_t neighbor = def->neighbors[n];
            if (splitter->marks[neighbor] != inside)
                continue;
            splitter->marks[neighbor] = visited;
            list[count++].item = neighbor;
        }
    }
    return count;
}

/* Marks: items of the range at hand are 1 to 3, all others 0. */
static void mark(PliSplitter *splitter, PliRange range, int32_t value)
{
    for (int32_t i = 0; i < range.count; i++)
        splitter->marks[splitter->order[range.first + i]] = value;
}

/* Lists the connected pieces of the range one after the other in the scratch, each walked from an
 * end of it. Sets the counts of the first `max_count`, what is left over going to the last; and
 * where the largest piece is. Returns how many were counted. */
static int32_t list_pieces(PliSplitter *splitter, PliRange range, int32_t max_count,
                           int32_t *counts, PliRange *largest)
{
    const int32_t *order = splitter->order + range.first;
    PliSortItem *list = splitter->scratch;
    int32_t piece_count = 0, listed = 0;
    *largest = (PliRange){0, 0};
    mark(splitter, range, 1);
    for (int32_t i = 0; i < range.count; i++) {
        if (splitter->marks[order[i]] != 1)
            continue;
        int32_t count = walk(splitter, order[i], 1, 2, list + listed);
        walk(splitter, list[listed + count - 1].item, 2, 3, list + listed);
        if (piece_count < max_count)
            counts[piece_count++] = count;
        else
            counts[piece_count - 1] += count;
        if (count > largest->count)
            *largest = (PliRange){listed, count};
        listed += count;
    }
    mark(splitter, range, 0);
    return piece_count;
}

static void store_list(PliSplitter *splitter, PliRange range, int32_t from)
{
    for (int32_t i = 0; i < range.count; i++)
        splitter->order[range.first + i] = splitter->scratch[from + i].item;
}

/* Puts a connected range into the order of a walk from an end of it. */
static void walk_patch(PliSplitter *splitter, PliRange range)
{
    int32_t count;
    PliRange largest;
    list_pieces(splitter, range, 1, &count, &largest);
    store_list(splitter, range, 0);
}

/* Cuts a connected range, which is in the order of a walk, in two that are connected and are so
 * too. Returns how many items the first one has. */
static int32_t halve(PliSplitter *splitter, PliRange range)
{
    int32_t half = range.count / 2, count;
    PliRange rest = {range.first + half, range.count - half}, largest;
    list_pieces(splitter, rest, 1, &count, &largest);
    int32_t before = largest.first, after = rest.count - before - largest.count;
    store_list(splitter, (PliRange){rest.first, before}, 0);
    store_list(splitter, (PliRange){rest.first + before, after}, before + largest.count);
    store_list(splitter, (PliRange){rest.first + before + after, largest.count}, largest.first);
    int32_t first_count = range.count - largest.count;
    walk_patch(splitter, (PliRange){range.first, first_count});
    return first_count;
}

int32_t pli_split_patch(PliSplitter *splitter, PliRange range, int32_t counts[8])
{
    /* Marks are all zero between calls, and at the first one are made so. */
    if (range.count == splitter->def->item_count)
        memset(splitter->marks, 0, (size_t)range.count * sizeof *splitter->marks);

    int32_t max_count = splitter->def->child_count;
    PliRange unused;
    int32_t part_count = list_pieces(splitter, range, max_count, counts, &unused);
    store_list(splitter, range, 0);
    while (part_count < max_count) {
        /* Halve the largest part, unless none is left that is worth it. */
        int32_t largest = 0, first = range.first;
        for (int32_t i = 1; i < part_count; i++)
            largest = counts[i] > counts[largest] ? i : largest;
        if (counts[largest] <= splitter->def->leaf_size && part_count > 1)
            break;
        for (int32_t i = 0; i < largest; i++)
            first += counts[i];
        int32_t first_count = halve(splitter, (PliRange){first, counts[largest]});
        memmove(counts + largest + 1, counts + largest,
                (size_t)(part_count - largest) * sizeof *counts);
        counts[largest] = first_count;
        counts[largest + 1] -= first_count;
        part_count++;
    }
    return part_count;
}
