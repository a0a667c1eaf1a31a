// GRUNLOOP_PRELOAD=once in the environment: the programs that this one starts are not preloaded.
#define _GNU_SOURCE
#include "Internals.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void leave_environment(void) {
  const char *wish = secure_getenv("GRUNLOOP_PRELOAD");
  if (!wish || strcmp(wish, "once") != 0) return;
  char *list = getenv("LD_PRELOAD");
  Dl_info own;
  if (!list || !dladdr((void *)leave_environment, &own)) return;
  const char *slash = strrchr(own.dli_fname, '/');
  const char *name = slash ? slash + 1 : own.dli_fname;

  // In place, since main's third argument has the same string. What stays is moved to the front.
  char *end = list;
  for (char *entry = list + strspn(list, " :"); *entry;) {
    size_t length = strcspn(entry, " :"), gap = strspn(entry + length, " :");
    const char *before = memrchr(entry, '/', length), *last = before ? before + 1 : entry;
    bool isOwn = (size_t)(entry + length - last) == strlen(name) && strncmp(last, name, strlen(name)) == 0;
    if (!isOwn) {
      if (end != list) *end++ = ':';
      memmove(end, entry, length);
      end += length;
    }
    entry += length + gap;
  }
  *end = 0;
  if (end == list) unsetenv("LD_PRELOAD");
}
