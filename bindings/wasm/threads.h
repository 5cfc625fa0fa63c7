/* Threads of the package: see threads.c. */
#ifndef WEB_THREADS_H
#define WEB_THREADS_H

#include <pliant/pliant.h>

/* Sets the hooks of a host for memory and tasks, in the build with threads. Others leave it. */
void web_threads_attach(PliantHost *host);

#endif
