/* view: pictures and pages of a scene. Sees scene, check and report; reads nothing of formats. */
#ifndef TOOLS_VIEW_H
#define TOOLS_VIEW_H

#include "check/check.h"
#include "view/eye.h"

/* One file that opens offline: the model, its animation, cuts and depths, a timeline for each pair
 * of parts. Fails (false, error) if this build has no page in it, or the stream fails. */
bool page_is_built_in(void);
bool page_write(const Scene *scene, const CheckOptions *options, const Report *report,
                const CheckContacts *contacts, FILE *out, char error[400]);

typedef struct PictureOptions {
    int32_t width, height;
    double yaw, pitch; /* degrees: where the eye is; 0, 0 is along -z, as glTF's front. NAN: chosen,
                          of all of the model 25 and 12 */
    double zoom;       /* 1: all of the model, or what is framed */
    bool is_see_through; /* parts are drawn so that what is inside shows */
    bool has_self;
    bool is_bare;      /* nothing but the model: no legend, and what is behind it is transparent */
    int32_t focus;     /* a pair of parts of the report, whose deepest place is framed; -1: all */
    int64_t max_pairs; /* of parts with more pairs of triangles, cuts are drawn and no depths: fast;
                          0: depths of all */
} PictureOptions;

PictureOptions picture_options_default(void);

/* What a picture is of: a scene, a check of it, and the pose of one of its samples. */
typedef struct PictureMoment {
    const Scene *scene;
    const Report *report;
    const CheckContacts *contacts; /* or NULL: nothing intersects */
    int64_t sample;
    const ScenePose *pose;
} PictureMoment;

/* What is seen of the place that is framed, for tests: where it is on the picture; and of a
 * small picture, the samples of its marks that are before all surfaces, show through one, or are
 * hidden. Left as it is if there is no such place. */
typedef struct PictureView {
    Rectangle found;
    int64_t clear, through, hidden;
} PictureView;

/* Writes a PNG: parts in muted colors, the depth of what is inside another part as colors with a
 * legend, cuts as lines. Both also show through surfaces that are before them by not more than 1.75
 * times the depth. `view` may be NULL. */
bool picture_write(const PictureMoment *moment, const PictureOptions *options, const char *path,
                   PictureView *view, char error[400]);

#endif
