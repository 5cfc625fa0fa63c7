/* Small scenes that pages are made of. Each is to be freed by scene_free(). */
#ifndef TEST_PAGE_SCENES_H
#define TEST_PAGE_SCENES_H

#include "scene/scene.h"

Scene *scene_bend(void);      /* a tube that bends into a post, and swells into a collar */
Scene *scene_cloth(void);     /* a sheet of a cache that falls through a box */
Scene *scene_unchanged(void); /* one thing that does nothing */
Scene *scene_huge(void);      /* near the end of floats, and far from the origin for its size */
Scene *scene_worn(void);      /* a body with one of three shields, and textures */

Scene *
scene_busy(void); /* seven boxes in a row, and many clips that push the first: the last most */

/* Memory, all zero; a test that has none ends. */
void *taken(size_t count, size_t size);

#endif
