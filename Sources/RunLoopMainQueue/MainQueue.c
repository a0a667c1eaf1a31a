// A source of GLib's in the default main context, which drains Dispatch's main queue. It is made when both have come:
// work for the queue, and a thread that iterates a context.
#define _GNU_SOURCE
#include "Internals.h"

#include "RunLoopMainQueue.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// What is called of libdispatch. The first two are in no public header; Core Foundation's run loop lives on them.
static struct {
  int (*get_handle)(void);
  void (*drain)(void *unused);
  const char *(*get_label)(void *queue);
  // May be missing.
  bool (*is_fork_of_threads)(void);
} dispatch;

// Sequentially consistent, both: who writes the one and then reads the other sees what came first.
static atomic_bool hasWork, iterates;
// Made once, and then for good, in forked children too. Releasing and acquiring: who sees it sees what it was made of.
static _Atomic(GSource *) source;
// libdispatch's name, as the dynamic linker has it. Its object stays loaded. Releasing and acquiring.
static _Atomic(const char *) nameOfDispatch;
// The main queue's eventfd, once it is known. Relaxed: a number, which nothing is read or written by.
static atomic_int handle = -1;
// The process in which GLibRunLoop serves the queue; 0 in none. Relaxed: it says nothing of anything else.
static atomic_int servedIn;
// Work that came to the wrong thread. Used by whoever has the context.
static bool isLeft;

static bool is_served(void) {
  int process = atomic_load_explicit(&servedIn, memory_order_relaxed);
  return process != 0 && process == getpid();
}

__attribute__((visibility("default"))) void grunloop_main_queue_is_served(void) {
  atomic_store_explicit(&servedIn, getpid(), memory_order_relaxed);
}

// MARK: Which thread.

static bool is_first_thread(void) { return syscall(SYS_gettid) == getpid(); }

// Whether the main queue is bound to this thread, the one that loaded libdispatch.
static bool is_main_queues_thread(void) {
  // For a thread's life; one that has forked has it in the child, too.
  static _Thread_local bool isBound;
  // In a block of another queue the label is that one's.
  if (!isBound) isBound = is_first_thread() && strcmp(dispatch.get_label(NULL), "com.apple.main-thread") == 0;
  return isBound;
}

static void say_why_not(void) {
  static bool isSaid;
  const char *why = NULL;
  if (!is_first_thread())
    why = "the default main context is iterated by another thread than the first";
  else if (strncmp(dispatch.get_label(NULL), "com.apple.root.", 15) == 0)
    why = "Dispatch was loaded by another thread than the first, and took that one for the main thread";
  if (!why || isSaid) return;
  isSaid = true;
  // No warning, which can be made fatal.
  enum { G_LOG_LEVEL_MESSAGE = 1 << 5 };
  glib.log("RunLoopMainQueue", G_LOG_LEVEL_MESSAGE, "the main queue is not served: %s", why);
}

// MARK: The source.

static bool knows_dispatch(void) {
  if (dispatch.drain) return true;
  const char *name = atomic_load_explicit(&nameOfDispatch, memory_order_acquire);
  void *object = name ? dlopen(name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  if (!object) return false;
  *(void **)&dispatch.get_handle = dlsym(object, "_dispatch_get_main_queue_handle_4CF");
  *(void **)&dispatch.get_label = dlsym(object, "dispatch_queue_get_label");
  *(void **)&dispatch.is_fork_of_threads = dlsym(object, "_dispatch_is_fork_of_multithreaded_parent");
  void *drain = dlsym(object, "_dispatch_main_queue_callback_4CF");
  if (!dispatch.get_handle || !dispatch.get_label || !drain) return false;
  atomic_store_explicit(&handle, dispatch.get_handle(), memory_order_relaxed);
  *(void **)&dispatch.drain = drain;
  return true;
}

// Calls on the thread that has the context, so that nothing here needs a lock.

static gboolean prepare(GSource *self, int *timeout) {
  (void)self;
  *timeout = -1;
  return isLeft && is_main_queues_thread() && !is_served();
}

static gboolean check(GSource *self) {
  (void)self;
  return false;
}

static gboolean serve(GSource *self, void *callback, void *data) {
  (void)callback, (void)data;
  // First, so that what is queued from now on is news.
  glib.source_set_ready_time(self, -1);
  isLeft = false;
  if (is_served() || !knows_dispatch()) return true;
  // Nothing of libdispatch's may be touched in such a child.
  if (dispatch.is_fork_of_threads && dispatch.is_fork_of_threads()) return true;
  isLeft = !is_main_queues_thread();
  // In one of the queue's own blocks it returns at once; the block's end sees to the rest.
  if (isLeft) say_why_not(); else dispatch.drain(NULL);
  return true;
}

static void attach_source(void) {
  static GSourceFuncs functions = {prepare, check, serve, NULL, {NULL, NULL}};
  // Larger than a GSource ever is: its layout is part of GLib's interface.
  GSource *made = glib.source_new(&functions, 256);
  glib.source_set_name(made, "Dispatch's main queue");
  glib.source_set_ready_time(made, 0);
  GSource *other = NULL;
  if (atomic_compare_exchange_strong_explicit(&source, &other, made, memory_order_acq_rel, memory_order_acquire))
    glib.source_attach(made, NULL);
  else
    glib.source_unref(made);
}

void note_iteration(void) {
  if (atomic_load_explicit(&iterates, memory_order_relaxed) || !knows_glib()) return;
  atomic_store(&iterates, true);
  if (atomic_load(&hasWork) && !atomic_load_explicit(&source, memory_order_acquire)) attach_source();
}

void note_work(const char *libdispatch, int descriptor) {
  int known = atomic_load_explicit(&handle, memory_order_relaxed);
  // Its other eventfd wakes a thread of its own. Which is which is asked on the main thread, outside of libdispatch.
  if (known >= 0 && known != descriptor) return;
  atomic_store_explicit(&nameOfDispatch, libdispatch, memory_order_release);
  atomic_store(&hasWork, true);
  if (!atomic_load(&iterates) || is_served()) return;
  GSource *made = atomic_load_explicit(&source, memory_order_acquire);
  // Wakes the context.
  if (made) glib.source_set_ready_time(made, 0); else attach_source();
}
