/* See painter.h: pixels, as PNG. */
#include "painter.h"

#include <png.h>
#include <string.h>

bool painter_write(const char *path, int width, int height, const unsigned char *pixels)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.format = PNG_FORMAT_RGBA;
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    return png_image_write_to_file(&image, path, 0, pixels, 0, NULL) != 0;
}
