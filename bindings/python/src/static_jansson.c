/* jansson compares the stream that it reads with stdin. In Debian's static library it does so in a
 * way that a shared object cannot have, unless it has a stdin of its own. Nothing here reads
 * streams by jansson. Part of wheels only.
 */
extern void *stdin __attribute__((visibility("hidden")));
void *stdin = (void *)0;
