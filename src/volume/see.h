/* Seeing: which triangles of a body are over a picture. */
#ifndef PLI_SEE_H
#define PLI_SEE_H

#include "tree/visit.h"
#include "volume/view.h"

/* What one worker needs to see a body. */
typedef struct PliSeeing {
    PliArray stack;   /* of int32_t: parts of a tree to be visited */
    PliArray leaves;  /* of int32_t: leaves over the picture */
    PliArray drawn;   /* of uint64_t: a bit for each triangle that was, if they are divided */
    PliArray numbers; /* of int32_t: which these are */
} PliSeeing;

void pli_seeing_init(PliSeeing *seeing);
void pli_seeing_free(PliSeeing *seeing, const PliantHost *host);

/* Triangles of a leaf, of which those are meant whose bits are set. */
typedef struct PliSeen {
    float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    uint32_t bits;
    int64_t max_pixels; /* that they can have in all */
} PliSeen;

typedef PliantResult PliTake(const PliSeen *seen, const PliPicture *picture, PliWorker *worker,
                             void *to);

/* A leaf that speaks for others: regular.c. */
typedef struct PliSample {
    float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    int32_t count;
} PliSample;

/* What leaves say besides. Each term is kept, because sums are to be added up in the order of the
 * leaves, whichever worker saw them. */
typedef struct PliNotes {
    PliArray walls;   /* of float: what each wall may hide */
    PliArray prisms;  /* of float: PLI_PRISMS of each leaf that begins in the picture */
    PliArray samples; /* of PliSample */
} PliNotes;

/* How a body is seen, and who receives what is seen. */
typedef struct PliViewQuery {
    PliPicture picture;
    float slack;         /* how much larger boxes of triangles are taken, in pixels */
    float node_slack;    /* and those of all else */
    PliSide side;        /* for which the worker counts */
    PliNotes *notes;     /* unless it is NULL */
    bool has_prisms;     /* these are noted too */
    int64_t sample_step; /* so is one leaf in so many */
    PliTake *take;
    void *to;
} PliViewQuery;

/* Appends the children of a node that are over the picture to seeing->leaves, and to seeing->stack,
 * which is of PliVisitPart. */
PliantResult pli_see_children(PliSeeing *seeing, PliPose *pose, int32_t node,
                              const PliViewQuery *look, PliWorker *worker);

/* Appends the leaves over the picture that are in a part of the tree, a node or a complemented
 * leaf, to seeing->leaves, in an order that depends on the tree and the bounds alone. */
PliantResult pli_see_part(PliSeeing *seeing, PliPose *pose, int32_t part, const PliViewQuery *look,
                          PliWorker *worker);

/* Hands out the triangles over the picture of the leaves `begin` to `end` - 1, each once. */
PliantResult pli_see_leaves(PliSeeing *seeing, PliPose *pose, const PliViewQuery *look,
                            const PliArray *leaves, int64_t begin, int64_t end, PliWorker *worker);

/* Hands out every triangle of a body, as it is now, that may be over the picture, once; its bounds
 * hold. */
PliantResult pli_see_all(PliSeeing *seeing, PliPose *pose, const PliViewQuery *look,
                         PliWorker *worker);

#endif
