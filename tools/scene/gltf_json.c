/* JSON with places: every member is checked when it is taken, and a refusal says where it was. */
#include "scene/gltf.h"

#include <math.h>
#include <string.h>

enum { MAX_THINGS = 1 << 24 };

static bool fill_item(GltfItem *item, json_t *json, const char *parent, const char *key,
                      int64_t index)
{
    /* A member's place is cut, not refused, where it is too deep for the sentence. */
    size_t length = 0, room = sizeof item->where;
    item->json = json;
    if (*parent)
        length = (size_t)snprintf(item->where, room, "%.100s.", parent);
    if (index < 0)
        snprintf(item->where + length, room - length, "%.30s", key);
    else
        snprintf(item->where + length, room - length, "%.30s[%lld]", key, (long long)index);
    return true;
}

static bool check_list(Gltf *gltf, const char *where, const char *key, json_t *list, int32_t *count)
{
    const char *dot = *where ? "." : "";
    *count = 0;
    if (!list)
        return true;
    if (!json_is_array(list))
        return scene_fail(gltf->error, "%s%s%s is not a list", where, dot, key);
    if (json_array_size(list) > MAX_THINGS)
        return scene_fail(gltf->error, "%s%s%s has more than %d things", where, dot, key,
                          MAX_THINGS);
    *count = (int32_t)json_array_size(list);
    return true;
}

bool gltf_count(Gltf *gltf, const char *list, int32_t *count)
{
    return check_list(gltf, "", list, json_object_get(gltf->root, list), count);
}

bool gltf_item(Gltf *gltf, const char *list, int64_t index, GltfItem *item)
{
    json_t *json = json_array_get(json_object_get(gltf->root, list), (size_t)index);
    fill_item(item, json, "", list, index);
    if (!json)
        return scene_fail(gltf->error, "there is no %s", item->where);
    if (!json_is_object(json))
        return scene_fail(gltf->error, "%s is not an object", item->where);
    return true;
}

bool gltf_member(Gltf *gltf, const GltfItem *parent, const char *key, bool must, GltfItem *item)
{
    json_t *json = json_object_get(parent->json, key);
    fill_item(item, json, parent->where, key, -1);
    if (json_is_object(json))
        return true;
    if (json)
        return scene_fail(gltf->error, "%s is not an object", item->where);
    return must ? scene_fail(gltf->error, "%s has no %s", parent->where, key) : false;
}

bool gltf_list(Gltf *gltf, const GltfItem *parent, const char *key, json_t **list, int32_t *count)
{
    *list = json_object_get(parent->json, key);
    return check_list(gltf, parent->where, key, *list, count);
}

bool gltf_element(Gltf *gltf, const GltfItem *parent, const char *key, int64_t index,
                  GltfItem *item)
{
    json_t *json = json_array_get(json_object_get(parent->json, key), (size_t)index);
    fill_item(item, json, parent->where, key, index);
    return json_is_object(json) || scene_fail(gltf->error, "%s is not an object", item->where);
}

/* Whole numbers may be written as 3.0 too. */
static bool whole_number(const json_t *json, int64_t *value)
{
    if (json_is_integer(json)) {
        *value = json_integer_value(json);
        return true;
    }
    double real = json_is_real(json) ? json_real_value(json) : 0.5;
    if (!(fabs(real) < 0x1p53) || real != floor(real))
        return false;
    *value = (int64_t)real;
    return true;
}

static bool check_whole(Gltf *gltf, const char *where, const json_t *json, int64_t low,
                        int64_t high, int64_t *value)
{
    int64_t number = 0;
    if (!whole_number(json, &number))
        return scene_fail(gltf->error, "%s is not a whole number", where);
    if (number < low || number > high)
        return scene_fail(gltf->error, "%s is %lld, not from %lld to %lld", where,
                          (long long)number, (long long)low, (long long)high);
    *value = number;
    return true;
}

bool gltf_optional(Gltf *gltf, const GltfItem *parent, const char *key, int64_t low, int64_t high,
                   int64_t *value)
{
    GltfItem member;
    json_t *json = json_object_get(parent->json, key);
    if (!json)
        return true;
    fill_item(&member, json, parent->where, key, -1);
    return check_whole(gltf, member.where, json, low, high, value);
}

bool gltf_integer(Gltf *gltf, const GltfItem *parent, const char *key, int64_t low, int64_t high,
                  int64_t *value)
{
    if (!json_object_get(parent->json, key))
        return scene_fail(gltf->error, "%s has no %s", parent->where, key);
    return gltf_optional(gltf, parent, key, low, high, value);
}

static bool check_reference(Gltf *gltf, const char *where, const json_t *json, const char *list,
                            int32_t *index)
{
    int32_t count;
    int64_t value = 0;
    if (!gltf_count(gltf, list, &count))
        return false;
    if (!whole_number(json, &value))
        return scene_fail(gltf->error, "%s is not a whole number", where);
    if (value < 0 || value >= count)
        return scene_fail(gltf->error, "%s is %lld, and there are %d %s", where, (long long)value,
                          (int)count, list);
    *index = (int32_t)value;
    return true;
}

bool gltf_reference(Gltf *gltf, const GltfItem *parent, const char *key, const char *list,
                    int32_t *index)
{
    GltfItem member;
    json_t *json = json_object_get(parent->json, key);
    *index = -1;
    if (!json)
        return true;
    fill_item(&member, json, parent->where, key, -1);
    return check_reference(gltf, member.where, json, list, index);
}

bool gltf_reference_at(Gltf *gltf, const GltfItem *parent, const char *key, json_t *list, int32_t i,
                       const char *target, int32_t *index)
{
    GltfItem member;
    json_t *json = json_array_get(list, (size_t)i);
    fill_item(&member, json, parent->where, key, i);
    return check_reference(gltf, member.where, json, target, index);
}

bool gltf_numbers(Gltf *gltf, const GltfItem *parent, const char *key, int32_t count, float *out,
                  bool *is_there)
{
    int32_t found;
    json_t *list;
    if (!gltf_list(gltf, parent, key, &list, &found))
        return false;
    *is_there = list != NULL;
    if (!list)
        return true;
    if (found != count)
        return scene_fail(gltf->error, "%s.%s has %d numbers, not %d", parent->where, key,
                          (int)found, (int)count);
    for (int32_t i = 0; i < count; i++) {
        json_t *number = json_array_get(list, (size_t)i);
        float value = json_is_number(number) ? (float)json_number_value(number) : NAN;
        if (!isfinite(value))
            return scene_fail(gltf->error, "%s.%s[%d] is not a finite number", parent->where, key,
                              (int)i);
        out[i] = value;
    }
    return true;
}

const char *gltf_string(const GltfItem *parent, const char *key)
{
    return json_string_value(json_object_get(parent->json, key));
}

bool gltf_is_true(const GltfItem *parent, const char *key)
{
    return json_is_true(json_object_get(parent->json, key));
}

json_t *gltf_extension(const GltfItem *parent, const char *name)
{
    return json_object_get(json_object_get(parent->json, "extensions"), name);
}
