// Nothing here is seen from outside the library.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

// GLib's types, of which this needs no more: the library neither needs GLib to be built nor brings it into a process.
typedef struct GMainContext GMainContext;
typedef struct GMainLoop GMainLoop;
typedef struct GModule GModule;
typedef struct GSource GSource;
typedef int gboolean;

typedef struct {
  gboolean (*prepare)(GSource *source, int *timeout);
  gboolean (*check)(GSource *source);
  gboolean (*dispatch)(GSource *source, void *callback, void *data);
  void (*finalize)(GSource *source);
  void *reserved[2];
} GSourceFuncs;

// MARK: GLib.c

// What is called of GLib. All there once `knows_glib()`.
extern struct glib {
  GSource *(*source_new)(GSourceFuncs *functions, unsigned size);
  void (*source_set_name)(GSource *source, const char *name);
  unsigned (*source_attach)(GSource *source, GMainContext *context);
  void (*source_set_ready_time)(GSource *source, int64_t time);
  void (*source_unref)(GSource *source);
  void (*log)(const char *domain, int level, const char *format, ...);
} glib;

bool knows_glib(void);
// From the library that has this function, which is one of GLib's.
void learn_glib(const void *function);

// The object that an address is in, for dlsym(3). It is never closed. NULL if there is none.
void *object_at(const void *address);

// MARK: MainQueue.c

// Somebody is about to iterate a context of GLib's. Safe on every thread.
void note_iteration(void);
// libdispatch has written to one of its eventfds, and so perhaps has work for the main queue. Safe on every thread, and
// with any lock of others held: it takes none of the dynamic linker's.
void note_work(const char *libdispatch, int descriptor);

#pragma GCC visibility pop
