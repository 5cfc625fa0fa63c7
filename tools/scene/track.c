/* Tracks: what glTF's three kinds of keys say between two of them, in double; and which rate keys
 * are at.
 */
#include "scene/arc.h"
#include "scene/reader.h"

#include <math.h>

/* ---- Rotations ------------------------------------------------------------------------------- */

/* Files have rotations of length one but for rounding, which matters where they are 16-bit integers
 * or were written with three digits. glTF does not say what such a rotation means; here, as in
 * three.js, it is taken as it is, and what lies between two of them likewise, so that a file looks
 * here as it does there. Only what is made by adding rotations is brought back to length one. */

static double dot4(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* What has no length is no rotation at all. */
static void normalise(double *q)
{
    double length = sqrt(dot4(q, q));
    for (int i = 0; i < 4; i++)
        q[i] = length > 0 ? q[i] / length : (double)(i == 3);
}

/* Up to this cosine, an angle of 1.8 degrees, the arc is taken for a line: off by less than 10^-6.
 */
#define LINE_COSINE 0.9995

/* From a to b along the shorter arc. */
static void slerp(const double *a, const double *b, double t, double *out)
{
    double cosine = dot4(a, b), sign = cosine < 0 ? -1 : 1;
    bool is_unchanged = a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
    bool is_line = is_unchanged || fabs(cosine) >= LINE_COSINE;
    double angle = is_line ? 0 : arc_angle(fabs(cosine)), sine = arc_sine(angle);
    double from = is_line ? 1 - t : arc_sine((1 - t) * angle) / sine;
    double to = sign * (is_line ? t : arc_sine(t * angle) / sine);
    for (int i = 0; i < 4; i++)
        out[i] = from * a[i] + to * b[i];
    if (is_line && !is_unchanged)
        normalise(out);
}

/* ---- Between keys ---------------------------------------------------------------------------- */

/* The last key that is not after the time; the first, if all are. */
static int32_t find_key(const SceneTrack *track, double time)
{
    int32_t low = 0, high = track->key_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if ((double)track->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The numbers of a key: its value, or of cubic ones the tangent before it (-1) or behind it (1). */
static const float *key_numbers(const SceneTrack *track, int32_t key, int32_t which)
{
    size_t index = track->ease == SCENE_CUBIC ? 3 * (size_t)key + (size_t)(which + 1) : (size_t)key;
    return track->values + index * (size_t)track->width;
}

static void hold(const SceneTrack *track, int32_t key, double *out)
{
    const float *value = key_numbers(track, key, 0);
    for (int32_t i = 0; i < track->width; i++)
        out[i] = (double)value[i];
}

static void blend(const SceneTrack *track, int32_t key, double t, double *out)
{
    const float *a = key_numbers(track, key, 0), *b = key_numbers(track, key + 1, 0);
    if (track->path == SCENE_ROTATION) {
        double from[] = {a[0], a[1], a[2], a[3]}, to[] = {b[0], b[1], b[2], b[3]};
        slerp(from, to, t, out);
        return;
    }
    for (int32_t i = 0; i < track->width; i++)
        out[i] = (1 - t) * (double)a[i] + t * (double)b[i];
}

/* The cubic of Hermite that goes through two values along their tangents, as glTF 2.0 has it. */
static void curve(const SceneTrack *track, int32_t key, double t, double span, double *out)
{
    const float *a = key_numbers(track, key, 0), *leaving = key_numbers(track, key, 1);
    const float *b = key_numbers(track, key + 1, 0), *coming = key_numbers(track, key + 1, -1);
    double t2 = t * t, t3 = t2 * t;
    double on_a = 2 * t3 - 3 * t2 + 1, on_leaving = span * (t3 - 2 * t2 + t);
    double on_b = 3 * t2 - 2 * t3, on_coming = span * (t3 - t2);
    for (int32_t i = 0; i < track->width; i++)
        out[i] = on_a * (double)a[i] + on_leaving * (double)leaving[i] + on_b * (double)b[i] +
                 on_coming * (double)coming[i];
    if (track->path == SCENE_ROTATION)
        normalise(out);
}

void scene_track_at(const SceneTrack *track, double time, double *out)
{
    int32_t key = find_key(track, time);
    double start = (double)track->times[key];
    if (track->ease == SCENE_STEP || key + 1 == track->key_count || time < start) {
        hold(track, key, out);
        return;
    }
    double span = (double)track->times[key + 1] - start, t = (time - start) / span;
    if (track->ease == SCENE_LINEAR)
        blend(track, key, t, out);
    else
        curve(track, key, t, span, out);
}

/* ---- Rates ----------------------------------------------------------------------------------- */

/* Seconds that a key may be off; files keep times in float32. */
#define KEY_SLACK 1e-4

static bool is_at_rate(const SceneClip *clip, double rate)
{
    double least_gap = INFINITY;
    for (int32_t i = 0; i < clip->track_count; i++) {
        const SceneTrack *track = &clip->tracks[i];
        for (int32_t k = 0; k < track->key_count; k++) {
            double time = (double)track->times[k];
            if (fabs(time - round(time * rate) / rate) > KEY_SLACK)
                return false;
            if (k > 0)
                least_gap = fmin(least_gap, time - (double)track->times[k - 1]);
        }
    }
    /* Keys a second apart are at all rates, and show none. */
    return least_gap * rate < 4.5;
}

double scene_tracks_rate(const SceneClip *clip)
{
    static const double rates[] = {24, 25, 30, 48, 50, 60, 120};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (is_at_rate(clip, rates[i]))
            return rates[i];
    return 0;
}

int32_t scene_clip_frames(const SceneClip *clip, double rate, double *used_rate)
{
    if (!(rate > 0))
        rate = clip->fps > 0 ? clip->fps : 30;
    *used_rate = rate;
    /* An end that is a frame's time but for rounding is that frame. */
    double last = ceil((clip->end - clip->start - KEY_SLACK) * rate);
    if (!(last > 0))
        return 1;
    return last < INT32_MAX - 1 ? (int32_t)last + 1 : INT32_MAX;
}
