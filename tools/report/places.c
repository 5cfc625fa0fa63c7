/* Names of joints as places of a body: see places.h.
 *
 * A name is split at signs, digits and capitals: "mixamorig:LeftUpLeg" is mixamorig, left,
 * up, leg. One word may be a side, some are prefixes, and what is left names a limb. Two limbs that
 * share a region have a joint in common: a thigh and a lower leg the knee. */
#include "report/places.h"

#include <stdio.h>
#include <string.h>

typedef enum Limb {
    NO_LIMB,
    HIPS,
    THIGH,
    LOWER_LEG,
    FOOT,
    TOES,
    TORSO,
    SHOULDER,
    UPPER_ARM,
    FOREARM,
    HAND,
    NECK,
    HEAD,
    LIMB_COUNT
} Limb;

enum { NO_SIDE, LEFT, RIGHT, SIDE_COUNT };

static const struct {
    const char *name;
    bool has_sides; /* without one it is not known what it is */
} limbs[LIMB_COUNT] = {
    [HIPS] = {"hips", false},          [THIGH] = {"thigh", true},
    [LOWER_LEG] = {"lower leg", true}, [FOOT] = {"foot", true},
    [TOES] = {"toes", true},           [TORSO] = {"torso", false},
    [SHOULDER] = {"shoulder", true},   [UPPER_ARM] = {"upper arm", true},
    [FOREARM] = {"forearm", true},     [HAND] = {"hand", true},
    [NECK] = {"neck", false},          [HEAD] = {"head", false},
};

/* What rigs call them, without signs, digits and capitals. */
static const struct {
    const char *word;
    Limb limb;
} words[] = {
    {"pelvis", HIPS},        {"hips", HIPS},       {"hip", HIPS},          {"thigh", THIGH},
    {"upleg", THIGH},        {"upperleg", THIGH},  {"calf", LOWER_LEG},    {"shin", LOWER_LEG},
    {"lowerleg", LOWER_LEG}, {"leg", LOWER_LEG},   {"foot", FOOT},         {"ball", TOES},
    {"toe", TOES},           {"toes", TOES},       {"toebase", TOES},      {"spine", TORSO},
    {"chest", TORSO},        {"torso", TORSO},     {"clavicle", SHOULDER}, {"shoulder", SHOULDER},
    {"upperarm", UPPER_ARM}, {"arm", UPPER_ARM},   {"lowerarm", FOREARM},  {"forearm", FOREARM},
    {"hand", HAND},          {"palm", HAND},       {"thumb", HAND},        {"index", HAND},
    {"middle", HAND},        {"ring", HAND},       {"pinky", HAND},        {"findex", HAND},
    {"fmiddle", HAND},       {"fring", HAND},      {"fpinky", HAND},       {"handthumb", HAND},
    {"handindex", HAND},     {"handmiddle", HAND}, {"handring", HAND},     {"handpinky", HAND},
    {"neck", NECK},          {"head", HEAD},
};

static const struct {
    Limb a, b;
    const char *name;
    bool has_sides;
} common_joints[] = {
    {THIGH, LOWER_LEG, "knee", true}, {UPPER_ARM, FOREARM, "elbow", true},
    {FOREARM, HAND, "wrist", true},   {LOWER_LEG, FOOT, "ankle", true},
    {HIPS, THIGH, "hip", true},       {SHOULDER, UPPER_ARM, "shoulder", true},
    {TORSO, THIGH, "hip", true},      {TORSO, UPPER_ARM, "armpit", true},
    {NECK, HEAD, "neck", false},
};

/* ---- One name -------------------------------------------------------------------------------- */

typedef struct Named {
    char letters[32]; /* of the limb */
    int side;
    bool has_digits;
} Named;

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

static void add_word(Named *named, const char *word, size_t length)
{
    static const char *const prefixes[] = {"mixamorig", "def", "org", "b"};
    static const char *const sides[][2] = {{"l", "left"}, {"r", "right"}};
    char lower[sizeof named->letters];
    const size_t used = strlen(named->letters);
    if (used + length >= sizeof named->letters)
        return;
    for (size_t i = 0; i < length; i++)
        lower[i] = is_small(word[i]) ? word[i] : (char)(word[i] - 'A' + 'a');
    lower[length] = 0;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strcmp(lower, prefixes[i]) == 0)
            return;
    for (int side = LEFT; side <= RIGHT; side++)
        if (strcmp(lower, sides[side - LEFT][0]) == 0 ||
            strcmp(lower, sides[side - LEFT][1]) == 0) {
            named->side = side;
            return;
        }
    memcpy(named->letters + used, lower, length + 1);
}

static bool is_letter(char c)
{
    return is_small(c) || (c >= 'A' && c <= 'Z');
}

/* A capital begins a word, but not among capitals: "DEF" is one, "LArm" are two. */
static size_t word_length(const char *at)
{
    size_t length = 1;
    while (is_letter(at[length]) &&
           (is_small(at[length]) || (!is_small(at[length - 1]) && !is_small(at[length + 1]))))
        length++;
    return length;
}

static Named split_name(const char *name)
{
    Named named = {.side = NO_SIDE};
    while (*name) {
        if (!is_letter(*name)) {
            named.has_digits |= *name >= '0' && *name <= '9';
            name++;
            continue;
        }
        const size_t length = word_length(name);
        add_word(&named, name, length);
        name += length;
    }
    return named;
}

/* "Leg" is the lower one, unless legs are counted. */
static Limb limb_of(const char *name, int *side)
{
    const Named named = split_name(name);
    *side = named.side;
    if (named.has_digits && strcmp(named.letters, "leg") == 0)
        return NO_LIMB;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, named.letters) == 0) {
            const bool has_sides = limbs[words[i].limb].has_sides;
            *side = has_sides ? named.side : NO_SIDE;
            return has_sides && named.side == NO_SIDE ? NO_LIMB : words[i].limb;
        }
    return NO_LIMB;
}

/* ---- A region -------------------------------------------------------------------------------- */

typedef struct Shares {
    double of[LIMB_COUNT][SIDE_COUNT];
} Shares;

typedef struct Spot {
    Limb limb;
    int side;
    double share;
} Spot;

/* The largest but for one. */
static Spot largest(const Shares *shares, const Spot *but)
{
    Spot best = {NO_LIMB, NO_SIDE, 0};
    for (int limb = NO_LIMB + 1; limb < LIMB_COUNT; limb++)
        for (int side = 0; side < SIDE_COUNT; side++)
            if (shares->of[limb][side] > best.share &&
                !(but && but->limb == (Limb)limb && but->side == side))
                best = (Spot){(Limb)limb, side, shares->of[limb][side]};
    return best;
}

/* Is it as much at the other side of the body? Then neither is the place. */
static bool is_on_both(const Shares *shares, const Spot *spot)
{
    return spot->side != NO_SIDE &&
           shares->of[spot->limb][LEFT + RIGHT - spot->side] > spot->share / 2;
}

static void put(int side, const char *name, char text[PLACE_ROOM])
{
    static const char *const sides[] = {[NO_SIDE] = "", [LEFT] = "left ", [RIGHT] = "right "};
    snprintf(text, PLACE_ROOM, "%s%s", sides[side], name);
}

/* The joint that two limbs have in common. */
static bool put_common_joint(const Spot *a, const Spot *b, char text[PLACE_ROOM])
{
    const int side = a->side == NO_SIDE ? b->side : a->side;
    if (a->side != NO_SIDE && b->side != NO_SIDE && a->side != b->side)
        return false;
    for (size_t i = 0; i < sizeof common_joints / sizeof *common_joints; i++)
        if ((common_joints[i].a == a->limb && common_joints[i].b == b->limb) ||
            (common_joints[i].a == b->limb && common_joints[i].b == a->limb)) {
            put(common_joints[i].has_sides ? side : NO_SIDE, common_joints[i].name, text);
            return true;
        }
    return false;
}

/* A limb is the place with most of the region, and the joint of two where each has a quarter. */
#define HALF 0.5
#define QUARTER 0.25

void place_of(const Report *report, const ReportRegion *region, char text[PLACE_ROOM])
{
    Shares shares = {0};
    *text = 0;
    for (int32_t i = 0; i < region->share_counts[2]; i++) {
        const ReportShare *share = &region->shares[2][i];
        int side;
        const Limb limb = limb_of(report->joints[share->joint], &side);
        shares.of[limb][side] += limb == NO_LIMB ? 0 : share->share;
    }
    const Spot first = largest(&shares, NULL), second = largest(&shares, &first);
    if (first.limb == NO_LIMB || is_on_both(&shares, &first))
        return;
    if (second.share >= QUARTER && !is_on_both(&shares, &second) &&
        put_common_joint(&first, &second, text))
        return;
    if (first.share >= HALF)
        put(first.side, limbs[first.limb].name, text);
}
