/* What a user's first program with the OpenGL backend would do. */
#include <pliant/gl.h>
#include <stdio.h>

int main(void)
{
    PliantGl *gl = NULL;
    PliantResult result = pliant_gl_create_headless(NULL, &gl);
    printf("pliant %s, OpenGL: %s\n", pliant_version(), pliant_result_text(result));
    pliant_gl_destroy(gl);
    return result == PLIANT_OK || result == PLIANT_UNSUPPORTED ? 0 : 1;
}
