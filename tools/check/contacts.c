/* Which triangles intersect, sample by sample: see contacts.h. */
#include "check/contacts.h"
#include "check/inside.h"

#include <stdlib.h>
#include <string.h>

void check_contacts_free(CheckContacts *contacts)
{
    free(contacts->items);
    free(contacts->triangles);
    insides_free(&contacts->insides);
    *contacts = (CheckContacts){0};
}

bool contacts_make_room(CheckContacts *contacts, int64_t pair_count)
{
    if (contacts->count == contacts->capacity) {
        const int64_t capacity = contacts->capacity ? 2 * contacts->capacity : 64;
        CheckContact *items = realloc(contacts->items, (size_t)capacity * sizeof *items);
        if (!items)
            return false;
        contacts->items = items;
        contacts->capacity = capacity;
    }
    int64_t capacity = contacts->triangle_capacity ? contacts->triangle_capacity : 1024;
    while (capacity < contacts->triangle_count + 2 * pair_count)
        capacity *= 2;
    if (capacity == contacts->triangle_capacity)
        return true;
    int32_t *triangles = realloc(contacts->triangles, (size_t)capacity * sizeof *triangles);
    if (!triangles)
        return false;
    contacts->triangles = triangles;
    contacts->triangle_capacity = capacity;
    return true;
}

static int compare(const void *a, const void *b)
{
    const CheckContact *x = a, *y = b;
    if (x->sample != y->sample)
        return x->sample < y->sample ? -1 : 1;
    return (x->pair > y->pair) - (x->pair < y->pair);
}

void contacts_add(CheckContacts *contacts, const CheckContact *contact)
{
    int64_t at = contacts->count++;
    for (; at > 0 && contacts->items[at - 1].sample == contact->sample &&
           contacts->items[at - 1].pair > contact->pair;
         at--)
        contacts->items[at] = contacts->items[at - 1];
    contacts->items[at] = *contact;
}

static bool grow(CheckContacts *contacts, int64_t count, int64_t triangle_count)
{
    CheckContact *items = realloc(contacts->items, (size_t)count * sizeof *items);
    if (!items)
        return false;
    contacts->items = items;
    contacts->capacity = count;
    int32_t *triangles = realloc(contacts->triangles, (size_t)triangle_count * sizeof *triangles);
    if (!triangles)
        return false;
    contacts->triangles = triangles;
    contacts->triangle_capacity = triangle_count;
    return true;
}

bool contacts_merge(CheckContacts *contacts, CheckContacts *other)
{
    if (other->count == 0)
        return true;
    if (contacts->count == 0) {
        check_contacts_free(contacts);
        *contacts = *other;
        *other = (CheckContacts){0};
        return true;
    }
    if (!grow(contacts, contacts->count + other->count,
              contacts->triangle_count + other->triangle_count))
        return false;
    for (int64_t i = 0; i < other->count; i++) {
        CheckContact *item = &contacts->items[contacts->count++];
        *item = other->items[i];
        item->first += contacts->triangle_count;
    }
    memcpy(contacts->triangles + contacts->triangle_count, other->triangles,
           (size_t)other->triangle_count * sizeof *other->triangles);
    contacts->triangle_count += other->triangle_count;
    check_contacts_free(other);
    return true;
}

void contacts_sort(CheckContacts *contacts)
{
    if (contacts->count > 0)
        qsort(contacts->items, (size_t)contacts->count, sizeof *contacts->items, compare);
}
