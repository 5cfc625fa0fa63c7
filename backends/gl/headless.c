/* A context without a window, through EGL: see device.h. */
#include "device.h"

#include <string.h>

PliGlCurrent pli_gl_current(void)
{
    /* epoxy ends the program if it looks for EGL and there is none. */
    if (!epoxy_has_egl())
        return (PliGlCurrent){0};
    return (PliGlCurrent){eglGetCurrentDisplay(), eglGetCurrentSurface(EGL_DRAW),
                          eglGetCurrentSurface(EGL_READ), eglGetCurrentContext()};
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; at && (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* A display that needs no window system, or else the one that there is. It is never terminated:
 * others in this process may have the same. */
static EGLDisplay find_display(void)
{
    EGLDisplay display = EGL_NO_DISPLAY;
    const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (has_word(extensions, "EGL_EXT_platform_base") &&
        has_word(extensions, "EGL_MESA_platform_surfaceless"))
        display =
            eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display && eglInitialize(display, NULL, NULL))
        return display;
    display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    return display && eglInitialize(display, NULL, NULL) ? display : EGL_NO_DISPLAY;
}

/* Any config will do: nothing is drawn to a surface. */
static EGLContext make_context(EGLDisplay display, int major, int minor)
{
    const EGLint wishes[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglChooseConfig(display, wishes, &config, 1, &count) || count < 1)
        return EGL_NO_CONTEXT;
    const EGLint asked[] = {EGL_CONTEXT_MAJOR_VERSION_KHR,
                            major,
                            EGL_CONTEXT_MINOR_VERSION_KHR,
                            minor,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
                            EGL_NONE};
    return eglCreateContext(display, config, EGL_NO_CONTEXT, asked);
}

PliantResult pli_gl_context_create(PliantGl *gl, PliGlCurrent *before)
{
    *before = pli_gl_current();
    EGLDisplay display = epoxy_has_egl() ? find_display() : EGL_NO_DISPLAY;
    if (!display)
        return PLIANT_UNSUPPORTED;
    const EGLenum api = eglQueryAPI();
    EGLContext context = EGL_NO_CONTEXT;
    const char *extensions = eglQueryString(display, EGL_EXTENSIONS);
    if (has_word(extensions, "EGL_KHR_create_context") &&
        has_word(extensions, "EGL_KHR_surfaceless_context") && eglBindAPI(EGL_OPENGL_API)) {
        context = make_context(display, 4, 3);
        if (!context)
            context = make_context(display, 3, 2);
        eglBindAPI(api);
    }
    if (!context)
        return PLIANT_UNSUPPORTED;
    gl->own = (PliGlCurrent){display, EGL_NO_SURFACE, EGL_NO_SURFACE, context};
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return PLIANT_OK;
    eglDestroyContext(display, context);
    gl->own = (PliGlCurrent){0};
    return PLIANT_UNSUPPORTED;
}
