/* Random bodies for worlds over ranks: the same on whatever rank they are made.
 *
 * A body is made from the seed of its scene and its number alone, so that each rank makes just its
 * own ones, and rank 0 all of them for the reference. It is a mover (oracle/movers.h), of any kind
 * there is, or a mesh that is cut into parts. */
#ifndef TEST_MPI_CAST_H
#define TEST_MPI_CAST_H

#include "movers.h"

enum { MAX_BODIES = 12, MAX_PARTS = 4 };

typedef struct Member {
    Crowd crowd; /* of its own: its random numbers do not depend on the others */
    Mover mover;
    SceneMesh mesh; /* of one in parts */
    int part_count; /* 0: it is a mover */
    uint64_t key;
    bool is_there[MAX_PARTS]; /* on this rank; a mover is part 0 */
    PliantBody parts[MAX_PARTS];
    PliantBody ends[MAX_PARTS];  /* of parts; that of a mover is its own */
    int32_t *numbers[MAX_PARTS]; /* of their triangles in the whole */
} Member;

/* Which part a triangle is in. */
int member_part_of(const Member *member, int32_t triangle);

/* Draws what the member is. Makes nothing. */
void member_init(Member *member, StageKind kind, uint64_t seed, int number);

/* Makes the parts that are_here says; or the whole, of one in parts, if `is_whole`. */
void member_enter(Member *member, PliantWorld *world, const bool are_here[MAX_PARTS],
                  bool is_whole);

/* Another pose and another end: the next ones, the same on every rank. */
void member_act(Member *member);
void member_leave(Member *member);

#endif
