// The functions that the program calls in place of GLib's and the C library's. Each does what the other does, and takes
// note of it.
#define _GNU_SOURCE
#include "Internals.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#define INTERPOSED __attribute__((visibility("default")))

typedef _Atomic(void *) Next;

// The function of this name that the caller would have got. `next` remembers it.
static void *find(Next *next, const char *name, const void *own, const void *caller) {
  // Relaxed: an address, and nothing behind it that is written.
  void *found = atomic_load_explicit(next, memory_order_relaxed);
  if (found) return found;
  found = dlsym(RTLD_NEXT, name);
  // A library that was loaded with RTLD_LOCAL has functions that only it sees.
  void *object = found ? NULL : object_at(caller);
  if (object) found = dlsym(object, name);
  if (!found || found == own) {
    object = dlopen("libglib-2.0.so.0", RTLD_LAZY | RTLD_NOLOAD);
    found = object ? dlsym(object, name) : NULL;
  }
  if (!found) {
    dprintf(STDERR_FILENO, "%s was called, but the process has no GLib\n", name);
    abort();
  }
  atomic_store_explicit(next, found, memory_order_relaxed);
  return found;
}

static void iterates(const void *function) {
  learn_glib(function);
  note_iteration();
}

#define FIND(next, function) find(next, #function, function, __builtin_return_address(0))

INTERPOSED void g_main_loop_run(GMainLoop *loop) {
  static Next next;
  void (*run)(GMainLoop *) = FIND(&next, g_main_loop_run);
  iterates(run);
  run(loop);
}

INTERPOSED gboolean g_main_context_iteration(GMainContext *context, gboolean mayBlock) {
  static Next next;
  gboolean (*iteration)(GMainContext *, gboolean) = FIND(&next, g_main_context_iteration);
  iterates(iteration);
  return iteration(context, mayBlock);
}

INTERPOSED gboolean g_main_context_pending(GMainContext *context) {
  static Next next;
  gboolean (*pending)(GMainContext *) = FIND(&next, g_main_context_pending);
  iterates(pending);
  return pending(context);
}

// Who iterates step by step begins with this one.
INTERPOSED gboolean g_main_context_prepare(GMainContext *context, int *priority) {
  static Next next;
  gboolean (*prepare)(GMainContext *, int *) = FIND(&next, g_main_context_prepare);
  iterates(prepare);
  return prepare(context, priority);
}

// How languages with GObject Introspection come by the functions above: not by their names in the global scope.
INTERPOSED gboolean g_module_symbol(GModule *module, const char *name, void **symbol) {
  static Next next;
  gboolean (*lookUp)(GModule *, const char *, void **) = FIND(&next, g_module_symbol);
  gboolean isFound = lookUp(module, name, symbol);
  if (!isFound || !name || strncmp(name, "g_main_", 7) != 0) return isFound;
  static const char *const names[] = {
      "g_main_loop_run", "g_main_context_iteration", "g_main_context_pending", "g_main_context_prepare"};
  for (int i = 0; i < 4; i++)
    if (strcmp(name, names[i]) == 0) iterates(*symbol);
  return isFound;
}

// The name of the object that a return address is in. Without a lock, where the C library has the function for it.
static const char *name_of_object(void *address) {
#if __GLIBC_PREREQ(2, 35)
  struct dl_find_object found;
  return _dl_find_object(address, &found) == 0 ? found.dlfo_link_map->l_name : "";
#else
  Dl_info information;
  return dladdr(address, &information) ? information.dli_fname : "";
#endif
}

// False for what was closed, and whose number may be a file's, a pipe's or a socket's now. An eventfd has no type.
static bool may_be_eventfd(int descriptor) {
  struct stat file;
  return fstat(descriptor, &file) == 0 && (file.st_mode & S_IFMT) == 0;
}

// libdispatch writes to an eventfd when the main queue has work, for a run loop that polls it. Seen here, the write is
// enough: no descriptor need be watched, read, or guarded against who closes what he does not know.
INTERPOSED int eventfd_write(int descriptor, eventfd_t value) {
  const char *name = name_of_object(__builtin_extract_return_addr(__builtin_return_address(0)));
  const char *slash = strrchr(name, '/');
  bool isDispatchs = strncmp(slash ? slash + 1 : name, "libdispatch.so", 14) == 0;
  int result = 0;
  if (!isDispatchs || may_be_eventfd(descriptor))
    result = write(descriptor, &value, sizeof value) == sizeof value ? 0 : -1;
  if (isDispatchs) {
    int error = errno;
    note_work(name, descriptor);
    errno = error;
  }
  return result;
}
