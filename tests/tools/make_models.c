/* Writes the generated models: make_models FOLDER [ARM_RINGS SLEEVE_RINGS SEGMENTS FRAMES] */
#include "models.h"

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 25 };

/* Of an argument, if it is there. */
static int number(char **arguments, int count, int index, int otherwise)
{
    const long value = index < count ? strtol(arguments[index], NULL, 10) : otherwise;
    return value >= 3 && value <= 200 ? (int)value : otherwise;
}

int main(int argument_count, char **arguments)
{
    if (argument_count != 2 && argument_count != 6) {
        fprintf(stderr, "usage: make_models FOLDER [ARM_RINGS SLEEVE_RINGS SEGMENTS FRAMES]\n");
        return 2;
    }
    ArmDetail detail = arm_detail_default();
    detail.arm_rings = number(arguments, argument_count, 2, detail.arm_rings);
    detail.sleeve_rings = number(arguments, argument_count, 3, detail.sleeve_rings);
    detail.segments = number(arguments, argument_count, 4, detail.segments);
    const int frame_count = number(arguments, argument_count, 5, FRAMES);
    if (models_write(arguments[1], &detail, frame_count))
        return 0;
    fprintf(stderr, "make_models: cannot write into %s\n", arguments[1]);
    return 1;
}
