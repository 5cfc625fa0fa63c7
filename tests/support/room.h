/* A room: what the tests of volumes begin with. A world with a host of its own, and bodies in it.
 * All of these end the program if they fail. */
#ifndef TEST_ROOM_H
#define TEST_ROOM_H

#include "host.h"
#include "scenes.h"
#include <pliant/pliant.h>

typedef struct Room {
    TestHost host; /* of the world, and of what else is asked for */
    PliantWorld *world;
} Room;

/* In place: the host points to itself. */
void room_open(Room *room);

/* The world holds no memory any more? */
bool room_close(Room *room);

PliantBody room_add_mesh(Room *room, const SceneMesh *mesh);
PliantBody room_add_def(Room *room, const PliantShapeDef *def);

/* Takes the mesh. */
PliantBody room_add(Room *room, SceneMesh mesh);

PliantBody room_add_box(Room *room, float x0, float y0, float z0, float x1, float y1, float z1);

PliantBody room_add_soup(Room *room, const SceneMesh *mesh);

PliantLayers *room_layers(Room *room);

#endif
