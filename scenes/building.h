/* What museum.c and living_room.c build with. Every piece is added to the mesh. */
#ifndef SCENES_BUILDING_H
#define SCENES_BUILDING_H

#include "scenes.h"

/* How far the museum and the living room are turned about the vertical. */
#define SCENE_MUSEUM_ANGLE 0.42
#define SCENE_LIVING_ROOM_ANGLE 0.3

/* Two triangles, seen counter-clockwise from where a, b, c, d are. */
void building_quad(SceneMesh *mesh, const double corners[4][3]);

/* A standing wall from one point of the floor plan (x, z) to another, between two heights, seen
 * with the first at the left. */
void building_wall(SceneMesh *mesh, const double from[2], const double to[2], double low,
                   double high);

/* A floor or a ceiling: a rectangle of the plan. */
void building_slab(SceneMesh *mesh, const double low[2], const double high[2], double y,
                   bool looks_up);

/* A closed box, turned about the vertical. */
void building_box(SceneMesh *mesh, const double center[3], const double half[3], double angle);

/* A closed surface of revolution about the vertical: rising or falling keys of u, radius, height,
 * from the top, u from 0 to 1. */
typedef struct BuildingProfile {
    const double (*keys)[3];
    int key_count;
} BuildingProfile;

#define BUILDING_PROFILE(table)                                                                    \
    {                                                                                              \
        table, sizeof(table) / sizeof *(table)                                                     \
    }

void building_lathe(SceneMesh *mesh, int ring_count, int segment_count, BuildingProfile profile,
                    const double foot[3], double size);

/* A cushion: an ellipsoid blown up to nearly a box, turned about x and then about the vertical. */
typedef struct BuildingCushion {
    double center[3], half[3], tilt, angle;
} BuildingCushion;

void building_cushion(SceneMesh *mesh, int ring_count, int segment_count,
                      const BuildingCushion *cushion);

/* A sheet of so many squares each way, where `place` has it: u and v from 0 to 1. */
void building_sheet(SceneMesh *mesh, int u_count, int v_count, ScenePlace *index, const void *data);

#endif
