/* Hashes of answers: see answers.h. */
#include "answers.h"
#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "%s\n", pliant_result_name(result));
    exit(1);
}

void answers_int(uint64_t *hash, int64_t value)
{
    for (int i = 0; i < 8; i++)
        *hash = (*hash ^ ((uint64_t)value >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
}

void answers_floats(uint64_t *hash, const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        answers_int(hash, bits);
    }
}

static void add_two(uint64_t *hash, int32_t high, int32_t low)
{
    answers_int(hash, (int64_t)((uint64_t)(uint32_t)high << 32 | (uint32_t)low));
}

static void hash_pair(uint64_t *hash, const PliantNearPair *pair)
{
    answers_int(hash, (int64_t)pair->body_a.index << 32 | pair->body_b.index);
    answers_int(hash, pair->kind);
    add_two(hash, pair->feature_a, pair->feature_b);
    answers_floats(hash, &pair->distance, 1);
    answers_floats(hash, pair->normal, 3);
    answers_floats(hash, pair->weights, 4);
    answers_int(hash, pair->region);
    for (int i = 0; i < 4; i++)
        answers_int(hash, pair->vertices[i]);
}

void answers_near(uint64_t *hash, const PliantNearPairs *pairs)
{
    answers_int(hash, pairs->count);
    for (int64_t i = 0; i < pairs->count; i++)
        hash_pair(hash, &pairs->items[i]);
}

static void hash_near(uint64_t *hash, PliantWorld *world, const PliantBody *bodies, int body_count)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantDistance distance = pliant_distance_default();
    def.distance = 0.0625f;
    def.includes_self = true;
    must(pliant_world_near(world, &def, &pairs));
    answers_near(hash, &pairs);
    def.is_unique = true;
    must(pliant_world_near(world, &def, &pairs));
    for (int64_t i = 0; i < pairs.count; i++) {
        hash_pair(hash, &pairs.items[i]);
        answers_int(hash, pairs.items[i].pair_count);
    }
    for (int i = 0; i < body_count; i++) {
        must(pliant_bodies_distance(world, bodies[0], bodies[i], NULL, &distance));
        answers_int(hash, distance.is_found);
        hash_pair(hash, &distance.pair);
    }
}

enum { POINTS = 64 };

static void hash_windings(uint64_t *hash, PliantWorld *world, PliantBody body,
                          const float (*points)[3])
{
    PliantWindingNumbers numbers = pliant_winding_numbers_default();
    must(pliant_body_winding_numbers(world, body, (PliantVertices){points[0], POINTS, 0}, NULL,
                                     &numbers));
    for (int64_t i = 0; i < numbers.count; i++) {
        const PliantWindingNumber *number = &numbers.items[i];
        int64_t bits[2];
        memcpy(bits, number, sizeof bits);
        answers_int(hash, bits[0]);
        answers_int(hash, bits[1]);
        answers_int(hash, number->is_inside << 8 | number->flags);
    }
}

static void hash_points_and_rays(uint64_t *hash, PliantWorld *world, const PliantBody *bodies,
                                 int body_count)
{
    SceneRandom random = {1};
    float points[POINTS][3];
    PliantRay rays[POINTS];
    PliantRayDef def = pliant_ray_def_default();
    PliantRayHits hits = pliant_ray_hits_default();
    PliantClosestPoints closest = pliant_closest_points_default();
    for (int i = 0; i < POINTS; i++) {
        rays[i] = (PliantRay){.max = 100};
        for (int k = 0; k < 3; k++) {
            points[i][k] = (float)(4 * scene_random(&random) - 2);
            rays[i].origin[k] = (float)(8 * scene_random(&random) - 4);
            rays[i].direction[k] = points[i][k] - rays[i].origin[k];
        }
    }
    must(
        pliant_world_closest_points(world, (PliantVertices){points[0], POINTS, 0}, NULL, &closest));
    for (int64_t i = 0; i < closest.count; i++) {
        const PliantClosestPoint *point = &closest.items[i];
        answers_int(hash, (int64_t)point->body.index << 32 | (uint32_t)point->triangle);
        answers_floats(hash, &point->distance, 1);
        answers_floats(hash, point->weights, 3);
        answers_floats(hash, point->position, 3);
        answers_int(hash, point->flags);
    }
    for (int i = 0; i < body_count; i++)
        hash_windings(hash, world, bodies[i], (const float(*)[3])points);
    def.kind = PLIANT_ALL_HITS;
    must(pliant_world_cast_rays(world, &def, rays, POINTS, &hits));
    for (int64_t i = 0; i < hits.count; i++) {
        const PliantRayHit *hit = &hits.items[i];
        answers_int(hash, hit->ray);
        answers_int(hash, (int64_t)hit->body.index << 32 | (uint32_t)hit->triangle);
        answers_floats(hash, &hit->t, 1);
        answers_floats(hash, hit->weights, 3);
        answers_int(hash, hit->side);
    }
}

static void hash_hits(uint64_t *hash, PliantWorld *world, const PliantRayHits *hits)
{
    PliantHitPoints points = pliant_hit_points_default();
    must(pliant_hits_points(world, hits, NULL, &points));
    for (int64_t i = 0; i < hits->count; i++) {
        const PliantRayHit *hit = &hits->items[i];
        int32_t joint;
        must(pliant_hit_joint(world, hit, &joint));
        answers_int(hash, hit->ray);
        answers_int(hash, (int64_t)hit->body.index << 32 | (uint32_t)hit->triangle);
        answers_int(hash, joint);
        answers_floats(hash, points.items[i].position, 3);
        answers_floats(hash, points.items[i].normal, 3);
    }
}

void answers_hits(uint64_t *hash, PliantWorld *world, const PliantBody *bodies, int body_count)
{
    SceneRandom random = {2};
    PliantRay rays[POINTS];
    PliantBody ignored[POINTS] = {{0}};
    uint32_t categories[POINTS], collides_with[POINTS];
    PliantRayDef def = pliant_ray_def_default();
    PliantRayHits hits = pliant_ray_hits_default();
    for (int i = 0; i < POINTS; i++) {
        rays[i] = (PliantRay){.max = 100};
        for (int k = 0; k < 3; k++) {
            rays[i].origin[k] = (float)(6 * scene_random(&random) - 3);
            rays[i].direction[k] = (float)(scene_random(&random) - 0.5) - rays[i].origin[k];
        }
        if (i % 3 == 0)
            ignored[i] = bodies[i / 3 % body_count];
        categories[i] = 1u << i % 5;
        collides_with[i] = 3u << i % 4;
    }
    def.ignored = ignored;
    def.ray_categories = categories;
    def.ray_collides_with = collides_with;
    for (int i = 0; i < 9; i++) {
        def.kind = (PliantRayKind)(i % 3);
        def.sides = (PliantRaySides)(i / 3);
        must(pliant_world_cast_rays(world, &def, rays, POINTS, &hits));
        if (def.kind != PLIANT_ANY_HIT)
            hash_hits(hash, world, &hits);
    }
}

static void hash_regions(uint64_t *hash, PliantWorld *world, const PliantContacts *contacts)
{
    PliantRegions regions = pliant_regions_default();
    PliantRegionsDef def = pliant_regions_def_default();
    def.with_vertex_depths = true;
    def.piece_size = 0.5F;
    must(pliant_contacts_regions(world, contacts, &def, &regions));
    for (int64_t i = 0; i < regions.count; i++) {
        const PliantRegion *region = &regions.items[i];
        answers_int(hash, (int64_t)region->body_a.index << 32 | region->body_b.index);
        answers_int(hash, region->curve_count);
        answers_floats(hash, region->normal, 3);
        for (int side = 0; side < 2; side++) {
            const PliantRegionPart *part = &region->parts[side];
            answers_int(hash, region->is_inside[side]);
            answers_int(hash, part->triangle_count << 32 | part->vertex_count);
            answers_floats(hash, &part->depth, 1);
            answers_floats(hash, &part->max_depth, 1);
            answers_floats(hash, part->deepest, 3);
            answers_floats(hash, part->closest, 3);
            add_two(hash, part->deepest_triangle, part->closest_triangle);
        }
    }
    for (int64_t i = 0; i < regions.point_count; i++) {
        answers_floats(hash, regions.points[i].position, 3);
        add_two(hash, regions.points[i].edge, regions.points[i].triangle);
        answers_int(hash, regions.points[i].side);
    }
    for (int64_t i = 0; i < regions.triangle_count; i++)
        answers_int(hash, regions.triangles[i]);
    for (int64_t i = 0; i < regions.vertex_count; i++)
        answers_floats(hash, &regions.vertex_depths[i], 1);
    for (int64_t i = 0; i < regions.piece_count; i++) {
        const PliantRegionPiece *piece = &regions.pieces[i];
        add_two(hash, piece->region << 1 | piece->part, piece->triangle);
        answers_floats(hash, piece->corners[0], 9);
        answers_floats(hash, piece->depths, 3);
    }
}

static void hash_contacts(uint64_t *hash, PliantWorld *world)
{
    PliantCollideDef def = pliant_collide_def_default();
    PliantContacts contacts = pliant_contacts_default();
    PliantIntersections found = pliant_intersections_default();
    def.includes_self = true;
    must(pliant_world_collide(world, &def, &contacts));
    must(pliant_contacts_intersections(world, &contacts, NULL, &found));
    for (int64_t i = 0; i < found.count; i++)
        answers_int(hash, found.items[i].first_point << 8 | found.items[i].point_count);
    for (int64_t i = 0; i < found.point_count; i++) {
        const PliantIntersectionPoint *point = &found.points[i];
        answers_int(hash, point->corners_a << 8 | point->corners_b);
        answers_floats(hash, point->position, 3);
        answers_floats(hash, point->weights_a, 3);
        answers_floats(hash, point->weights_b, 3);
    }
    hash_regions(hash, world, &contacts);
}

void answers_hash(uint64_t *hash, PliantWorld *world, const PliantBody *bodies, int body_count)
{
    hash_near(hash, world, bodies, body_count);
    hash_points_and_rays(hash, world, bodies, body_count);
    hash_contacts(hash, world);
}
