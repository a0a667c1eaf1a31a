#define _GNU_SOURCE
#include "Internals.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>

// Found by the dynamic linker if the process starts with GLib, so that no lock of the linker's is ever taken for them.
#define WEAK __attribute__((weak, visibility("default")))
extern WEAK GSource *g_source_new(GSourceFuncs *functions, unsigned size);
extern WEAK void g_source_set_name(GSource *source, const char *name);
extern WEAK unsigned g_source_attach(GSource *source, GMainContext *context);
extern WEAK void g_source_set_ready_time(GSource *source, int64_t time);
extern WEAK void g_source_unref(GSource *source);
extern WEAK void g_log(const char *domain, int level, const char *format, ...);

struct glib glib;
// Releasing and acquiring: who sees it sees the functions. If they are written more than once, then the same values.
static atomic_bool isKnown;

bool knows_glib(void) { return atomic_load_explicit(&isKnown, memory_order_acquire); }

static void know(struct glib found) {
  if (!found.source_new || !found.source_set_name || !found.source_attach || !found.source_set_ready_time ||
      !found.source_unref || !found.log)
    return;
  glib = found;
  atomic_store_explicit(&isKnown, true, memory_order_release);
}

__attribute__((constructor)) static void start(void) {
  know((struct glib){
      g_source_new, g_source_set_name, g_source_attach, g_source_set_ready_time, g_source_unref, g_log,
  });
}

void learn_glib(const void *function) {
  if (knows_glib()) return;
  // It was loaded later, and perhaps with RTLD_LOCAL.
  void *object = object_at(function);
  if (!object) return;
  struct glib found;
  *(void **)&found.source_new = dlsym(object, "g_source_new");
  *(void **)&found.source_set_name = dlsym(object, "g_source_set_name");
  *(void **)&found.source_attach = dlsym(object, "g_source_attach");
  *(void **)&found.source_set_ready_time = dlsym(object, "g_source_set_ready_time");
  *(void **)&found.source_unref = dlsym(object, "g_source_unref");
  *(void **)&found.log = dlsym(object, "g_log");
  know(found);
}

void *object_at(const void *address) {
  Dl_info information;
  struct link_map *map = NULL;
  if (!dladdr1(address, &information, (void **)&map, RTLD_DL_LINKMAP) || !map) return NULL;
  // The program itself has no name.
  return dlopen(map->l_name[0] ? map->l_name : NULL, RTLD_LAZY | RTLD_NOLOAD);
}
