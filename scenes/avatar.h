/* What avatar.c, who is at rest, and walk.c, where he walks, share: the joints. */
#ifndef SCENES_AVATAR_H
#define SCENES_AVATAR_H

/* Joints by number: those of the middle, then those of each side. */
enum { HIPS, SPINE_1, SPINE_2, CHEST, NECK, HEAD, JAW, LEFT, SIDE_JOINTS = 23, RIGHT = LEFT + 23 };

/* From LEFT or RIGHT on. */
enum { CLAVICLE, UPPER_ARM, FOREARM, HAND, THIGH, SHIN, FOOT, TOES, FINGER };

enum { FINGERS = 5, FINGER_JOINTS = 3 };

/* The joint that a joint is on, or -1. It has a lesser number. */
int avatar_parent(int joint);

/* Where a joint is at rest. */
void avatar_joint_at(int joint, double point[3]);

#endif
