/* CheckContacts while they are collected: for this folder alone. */
#ifndef TOOLS_CONTACTS_H
#define TOOLS_CONTACTS_H

#include "check/check.h"

/* Room for one more contact of so many pairs of triangles. False: no memory. */
bool contacts_make_room(CheckContacts *contacts, int64_t pair_count);

/* Adds a contact that there is room for, whose triangles are the last ones. It goes where its pair
 * of parts comes among those of the sample. */
void contacts_add(CheckContacts *contacts, const CheckContact *contact);

/* Adds those of another worker, and leaves nothing there. False: no memory. */
bool contacts_merge(CheckContacts *contacts, CheckContacts *other);

/* Puts contacts of several workers in order. */
void contacts_sort(CheckContacts *contacts);

#endif
