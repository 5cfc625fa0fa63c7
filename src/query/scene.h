/* Scene: the bodies that rays are cast at, in a tree over their boxes.
 *
 * The tree has no pointers: bodies are sorted along a curve through the cells of a grid, eight of
 * them make a node, and eight nodes make the next one. It is made anew for each batch of rays: that
 * takes about as long as one pass over the boxes. */
#ifndef PLI_SCENE_H
#define PLI_SCENE_H

#include "pose/pose.h"

/* A body, and the box that it is reached by. */
typedef struct PliSceneBody {
    PliPose *pose;
    PliBox box;
    int32_t number;  /* that the caller knows it by */
    bool is_reached; /* by one of the rays: pli_rays_reach() */
} PliSceneBody;

enum { PLI_SCENE_LEVELS = 11 };

typedef struct PliScene {
    PliArray bodies; /* of PliSceneBody, with rising numbers */
    PliArray order;  /* of int32_t: the bodies as they are in the tree */
    PliArray nodes;  /* of PliBoxes, level by level, those of bodies first */
    int32_t level_count;
    int32_t first_nodes[PLI_SCENE_LEVELS]; /* of each level */
    PliArray keys, scratch;                /* of uint64_t */
} PliScene;

void pli_scene_init(PliScene *scene);
void pli_scene_free(PliScene *scene, const PliantHost *host);

/* Takes all bodies out. */
static inline void pli_scene_clear(PliScene *scene)
{
    scene->bodies.count = 0;
}

/* Adds a body, unless its box is empty or has a NaN. */
PliantResult pli_scene_add(PliScene *scene, PliPose *pose, const PliBox *box, int32_t number,
                           const PliantHost *host);

/* Makes the tree, once all bodies are there. */
PliantResult pli_scene_build(PliScene *scene, const PliantHost *host);

static inline PliSceneBody *pli_scene_body(const PliScene *scene, int32_t body)
{
    return (PliSceneBody *)scene->bodies.items + body;
}

/* The last node is the root. A node of level 0 has bodies for children, others have nodes of the
 * level below. */
static inline int32_t pli_scene_level_of(const PliScene *scene, int32_t node)
{
    int32_t level = scene->level_count - 1;
    while (node < scene->first_nodes[level])
        level--;
    return level;
}

#endif
