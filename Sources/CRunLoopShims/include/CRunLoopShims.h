// The few lines of C that Swift 6.3 cannot say on Linux: system calls that its Glibc module lacks, thread-local
// storage, variadic GLib calls, and libdispatch's main-queue entry points.
#pragma once

#include <errno.h>
#include <glib-unix.h>
#include <glib.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "AlarmThread.h"
#include "ChildWatch.h"
#include "ContextUse.h"
#include "Instruments.h"
#include "Refusals.h"
#include "SignalHold.h"
#include "StackOfThread.h"
#include "SystemCalls.h"

// MARK: Descriptors. Each returns -1 and sets errno on failure, as the call behind it does.

int grl_epoll_create(void);
int grl_epoll_control(int set, int operation, int descriptor, uint32_t events, uint64_t tag);
// Waits so many nanoseconds at most (0: not at all; negative: without end), and tells up to `capacity` ready events.
// Signals do not end it.
int grl_epoll_wait(int set, struct epoll_event *events, int capacity, int64_t nanoseconds);
int grl_eventfd_create(void);
// Why the process can have no other descriptor; 0 if it can.
int grl_descriptor_error(void);
int grl_eventfd_signal(int descriptor);
void grl_eventfd_drain(int descriptor);
// Where timerfd_create(2) is refused, the descriptor is one of AlarmThread.h, and used in the same way.
int grl_timerfd_create(clockid_t clock);
void grl_timerfd_close(int descriptor);
// An absolute time in nanoseconds; 0 disarms. If the wall clock is set, the kernel rings when the new one shows the time.
int grl_timerfd_arm(int descriptor, int64_t nanoseconds);
// ppoll(2) with a relative time-out in nanoseconds; a negative one waits without end. Signals do not end it.
int grl_poll(GPollFD *descriptors, unsigned count, int64_t nanoseconds);
// Sleeps about so long; a signal ends it.
void grl_nap(int64_t nanoseconds);

// MARK: Time.

static inline int64_t grl_now(clockid_t clock) {
  struct timespec now;
  grl_system.clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// The readings of a clock that is moved by hand. Its thread alone writes them; every thread may read.
typedef struct {
  int64_t monotonic, continuous, wall;
} grl_readings;
int64_t grl_readings_get(const grl_readings *readings, clockid_t clock);
void grl_readings_set(grl_readings *readings, clockid_t clock, int64_t nanoseconds);
// This thread's, in place of the kernel's clocks; NULL, nearly always.
extern _Thread_local grl_readings *grl_this_readings;
void grl_thread_use_readings(grl_readings *readings);
// What this thread takes for the time.
static inline int64_t grl_time(clockid_t clock) {
  if (__builtin_expect(grl_this_readings != NULL, 0)) return grl_readings_get(grl_this_readings, clock);
  return grl_now(clock);
}

// MARK: Threads.

// This thread's slot `which`; NULL until it is set.
typedef enum { GRL_SLOT_LOOP, GRL_SLOT_PREPARING, GRL_SLOT_HANDLE, GRL_SLOT_COUNT } grl_slot;
void *grl_thread_get(grl_slot which);
void grl_thread_set(grl_slot which, void *value);
extern _Thread_local uint64_t grl_this_thread;
uint64_t grl_thread_make_number(void);
// A number that no other thread of this process ever had or will have; never 0.
static inline uint64_t grl_thread_number(void) {
  return grl_this_thread != 0 ? grl_this_thread : grl_thread_make_number();
}
// Whether this is the process's first thread.
bool grl_thread_is_first(void);
// Calls `function(argument)` when the thread ends, before GLib's and pthread's own per-thread data goes.
void grl_thread_at_exit(void (*function)(void *), void *argument);
// Changed only in a forked child, before it has a second thread.
extern uint32_t grl_forks;
// How often this process is a forked copy: 0 in the process that started.
static inline uint32_t grl_fork_generation(void) { return grl_forks; }

// MARK: Locks.

// Sleeps until woken, if the word still has this value; may return sooner.
void grl_futex_wait(const void *word, uint32_t value);
// Wakes one that sleeps on the word.
void grl_futex_wake(const void *word);
// A moment's rest in a loop that waits for another thread.
static inline void grl_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// MARK: Caches.

// Has the first 192 bytes at an address fetched, for what will soon look there.
static inline void grl_prefetch(const void *object) {
  for (int line = 0; line < 3; line++) __builtin_prefetch((const char *)object + line * 64);
}

// MARK: Semaphores.

// This thread's own.
sem_t *grl_thread_semaphore(void);
void grl_semaphore_signal(sem_t *semaphore);
// False when the time-out (nanoseconds; negative: none) passed first.
bool grl_semaphore_wait(sem_t *semaphore, int64_t nanoseconds);

// MARK: GLib.

// g_log at the level of a warning, in the domain "GLibRunLoop".
void grl_log_warning(const char *message);

// A GSource with room for a pointer. It is stored and loaded with release and acquire, so that whoever dispatches the
// source sees the object as it was made, whatever locks lie between, and the thread sanitizer sees it, too.
GSource *grl_source_new(GSourceFuncs *functions);
void grl_source_set_object(GSource *source, void *object);
void *grl_source_object(GSource *source);

// MARK: libdispatch. In no public header; Core Foundation's run loop on Linux lives on the same two calls.

int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *unused);
// Whether libdispatch takes this thread for the main queue's: the one that loaded it. Not inside another queue's block.
bool grl_thread_has_main_queue(void);
// Has the library RunLoopMainQueue, if it is in this process, leave the main queue to the caller.
void grl_say_that_main_queue_is_served(void);

// MARK: Swift concurrency.

// Has an `async main` call `host` on the main thread at its first suspension, where it would hand that thread to
// Dispatch for good. If `host` returns, that happens after all. (swift_task_asyncMainDrainQueue_hook)
void grl_host_async_main(void (*host)(void));
// Calls `body` once Dispatch has the main thread of an `async main` for good, at once if it has; for one listener.
void grl_when_async_main_is_unhosted(void (*body)(void));
