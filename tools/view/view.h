/* view: pictures and pages of a scene. Sees scene, check and report; reads nothing of formats. */
#ifndef TOOLS_VIEW_H
#define TOOLS_VIEW_H

#include "check/check.h"

/* One file that opens offline: the model, its animation, red triangles, a timeline for each pair of
 * parts. Fails (false, error) if this build has no page in it, or the stream fails. */
bool page_is_built_in(void);
bool page_write(const Scene *scene, const CheckOptions *options, const Report *report,
                const CheckContacts *contacts, FILE *out, char error[400]);

typedef struct PictureOptions {
    int32_t width, height;
    double yaw, pitch;   /* degrees: where the eye is; 0, 0 is along -z, as glTF's front */
    double zoom;         /* 1: all of the model */
    bool is_see_through; /* parts are drawn so that what is inside shows */
    bool has_self;
} PictureOptions;

PictureOptions picture_options_default(void);

/* A moment of the scene (clip -1: rest) as a PNG, the triangles that touch another part, or their
 * own part, in red. `pairs` are those of a check of that moment (two numbers each, by pair of
 * parts). */
bool picture_write(const Scene *scene, const ScenePose *pose, const Report *report,
                   const CheckContacts *contacts, const PictureOptions *options, const char *path,
                   char error[400]);

#endif
