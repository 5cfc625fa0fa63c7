/* volume: what is inside of bodies, as pictures see it.
 *
 * A view looks along an axis at a box, through the middle of each pixel. Triangles over the picture
 * are found through the tree and drawn, whatever kind of body they are of: each gives fragments,
 * which say at which depth the line of a pixel comes in or goes out. Fragments are counted by
 * pixel, then put where they belong and sorted by depth; what lies between the first that comes in
 * and the last that goes out is a span. Spans of two bodies are cut with each other, and summed up.
 *
 * The one idea: a step of the winding belongs to an edge, and the two triangles that share an edge
 * take the same step. So a closed surface leaves every pixel as often as it enters it, exactly
 * (kernels/draw_c.c), and a pixel where it does not is a hole that was found. Nothing is capped: a
 * pixel has as many layers as there are.
 *
 * Large pictures are drawn in tiles, each of which is done before its worker begins another, so
 * that memory is that of a tile for each worker, unless the layers are to be kept. What is found
 * depends neither on the workers nor on the order in which they do their parts: what they find is
 * put together, and what they sum up is added, in the order of tiles, rows and leaves (tiles.h).
 */
#ifndef PLI_VOLUME_H
#define PLI_VOLUME_H

#include "volume/measure.h"
#include "volume/points.h"
#include "volume/regular.h"
#include "volume/tiles.h"

#endif
