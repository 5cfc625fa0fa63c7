/* A generated model: an arm in a tight sleeve, both skinned and morphing.
 *
 * At rest nothing intersects, once vertices are welded. Bent, the arm goes through its sleeve and,
 * at the inside of the elbow, through itself; swollen, it goes through its sleeve. Each part is
 * closed, and split along a seam, as what comes from a modeling program is. Meters, y up, the arm
 * along x.
 */
#ifndef TESTS_ARM_H
#define TESTS_ARM_H

#include <stdint.h>

enum { ARM_PARTS = 2, ARM_JOINTS = 3, ARM_TARGETS = 2 };

/* How fine it is: about 2 * (arm_rings + sleeve_rings) * segments triangles. */
typedef struct ArmDetail {
    int arm_rings, sleeve_rings, segments;
} ArmDetail;

typedef struct ArmPart {
    const char *name, *material;
    float color[3];
    int32_t vertex_count, triangle_count, target_count;
    const char *target_names[ARM_TARGETS];
    float (*positions)[3], (*normals)[3], (*corner_places)[2]; /* places: of a texture */
    float (*targets[ARM_TARGETS])[3];                          /* displacements */
    uint16_t (*joints)[4];
    float (*weights)[4];
    uint32_t (*triangles)[3];
} ArmPart;

typedef struct Arm {
    ArmPart parts[ARM_PARTS]; /* the arm, the sleeve */
} Arm;

ArmDetail arm_detail_default(void);
Arm arm_make(const ArmDetail *detail);
void arm_free(Arm *arm);

/* Where a joint is at rest, along x; its parent is the one before it. */
extern const char *const arm_joint_names[ARM_JOINTS];
extern const float arm_joint_x[ARM_JOINTS];

/* Where the vertices of a part are when its elbow is bent, by an angle in radians. */
void arm_bend(const ArmPart *part, double angle, float (*vertices)[3]);

#endif
