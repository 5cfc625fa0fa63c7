/* From where a picture is seen: for this folder alone.
 *
 * The eye is turned about y and then lifted, and sees a middle from a distance. It is never
 * within the model: what is small is made large by a longer lens, not from nearby. */
#ifndef TOOLS_EYE_H
#define TOOLS_EYE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Eye {
    int32_t width, height; /* of the picture */
    double rows[3][3];     /* right, up and toward the eye */
    double middle[3];      /* of the picture, in these */
    double distance;       /* from the eye to the middle */
    double zoom;           /* of the lens */
} Eye;

/* Some points, three floats each. Those that are not finite are left out. */
typedef struct Points {
    float *items;
    int64_t count;
} Points;

/* A rectangle on the screen, in pixels from the upper left. */
typedef struct Rectangle {
    double left, top, right, bottom;
} Rectangle;

/* The diagonal of the box of all points; 0: there are none. */
double points_size(Points points);

void eye_turn(Eye *eye, double yaw, double pitch); /* degrees */

/* Places the eye so that it sees all points, in the middle. False: there are none. */
bool eye_place(Eye *eye, Points all);

/* Places it so that some points take so much of the width or the height. `size` is of the model,
 * before which the eye stays, and which limits how much is magnified. */
void eye_frame(Eye *eye, Points points, double size, double share);

/* Where a point is on the screen: right, down, and its distance from the eye. */
void eye_project(const Eye *eye, const float *point, double place[3]);

/* The rectangle of points on the screen. */
Rectangle eye_rectangle(const Eye *eye, Points points);

/* How long a pixel is, at the middle. */
double eye_pixel(const Eye *eye);

/* Where the eye is, as a point. */
void eye_position(const Eye *eye, double position[3]);

#endif
