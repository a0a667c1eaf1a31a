#define _GNU_SOURCE
#include "CRunLoopShims.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>

static int epoll_poll(int set, struct epoll_event *events, int capacity) {
  // Not epoll_wait(3): that is a cancellation point, which costs a tenth of a busy pass, and this never blocks. Newer
  // architectures have no call of that name but this one. The last argument in its full width, of which the rest would be
  // left as it happens to be.
  return (int)syscall(SYS_epoll_pwait, set, events, capacity, 0, NULL, (size_t)0);
}

static int epoll_wait_exactly(int set, struct epoll_event *events, int capacity, const struct timespec *limit) {
  return epoll_pwait2(set, events, capacity, limit, NULL);
}

// glibc has a function for it from 2.36 on.
static int pidfd_open_call(pid_t process, unsigned flags) { return (int)syscall(SYS_pidfd_open, process, flags); }

grl_system_calls grl_system = {
    .epoll_create1 = epoll_create1,
    .epoll_ctl = epoll_ctl,
    .epoll_poll = epoll_poll,
    .epoll_wait = epoll_wait_exactly,
    .eventfd = eventfd,
    .read = read,
    .write = write,
    .timerfd_create = timerfd_create,
    .timerfd_settime = timerfd_settime,
    .ppoll = ppoll,
    .clock_gettime = clock_gettime,
    .pidfd_open = pidfd_open_call,
};

int grl_epoll_create(void) { return grl_system.epoll_create1(EPOLL_CLOEXEC); }

int grl_epoll_control(int set, int operation, int descriptor, uint32_t events, uint64_t tag) {
  struct epoll_event event = {.events = events, .data = {.u64 = tag}};
  return grl_system.epoll_ctl(set, operation, descriptor, &event);
}

// The monotonic clock's reading after so many nanoseconds, or its last one.
static int64_t later(int64_t nanoseconds) {
  int64_t now = grl_now(CLOCK_MONOTONIC);
  return nanoseconds > INT64_MAX - now ? INT64_MAX : now + nanoseconds;
}

int grl_epoll_wait(int set, struct epoll_event *events, int capacity, int64_t nanoseconds) {
  int64_t end = nanoseconds > 0 ? later(nanoseconds) : 0;
  int count;
  while (true) {
    if (nanoseconds == 0) {
      count = grl_system.epoll_poll(set, events, capacity);
    } else {
      struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
      count = grl_system.epoll_wait(set, events, capacity, nanoseconds < 0 ? NULL : &time);
    }
    if (count >= 0) return count;
    if (grl_is_refusal(errno)) {
      // The call came with Linux 5.11: wait for the set with another one. Asked for again each time, which costs little.
      grl_refused(GRL_EPOLL_PWAIT2, errno);
      GPollFD self = {.fd = set, .events = G_IO_IN};
      if (grl_poll(&self, 1, nanoseconds) < 0) return -1;
      nanoseconds = 0;
    } else if (errno != EINTR) {
      return -1;
    } else if (nanoseconds > 0) {
      // A signal is no event of the loop's: whatever its handler made ready is found by waiting again.
      nanoseconds = end - grl_now(CLOCK_MONOTONIC);
      if (nanoseconds < 0) nanoseconds = 0;
    }
  }
}

int grl_eventfd_create(void) { return grl_system.eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int grl_descriptor_error(void) {
  int descriptor = grl_eventfd_create();
  if (descriptor < 0) return errno;
  close(descriptor);
  return 0;
}

int grl_eventfd_signal(int descriptor) {
  uint64_t one = 1;
  while (grl_system.write(descriptor, &one, sizeof one) < 0) {
    // A counter that can hold no more is readable all the same (eventfd(2)).
    if (errno == EAGAIN) return 0;
    if (errno != EINTR) return -1;
  }
  return 0;
}

void grl_eventfd_drain(int descriptor) {
  uint64_t count;
  while (grl_system.read(descriptor, &count, sizeof count) < 0 && errno == EINTR) {
  }
}

int grl_timerfd_create(clockid_t clock) {
  int descriptor = grl_system.timerfd_create(clock, TFD_CLOEXEC | TFD_NONBLOCK);
  if (descriptor >= 0 || !grl_is_refusal(errno)) return descriptor;
  int error = errno;
  descriptor = grl_alarm_create(clock);
  if (descriptor >= 0) grl_refused(GRL_TIMERFD_CREATE, error);
  errno = error;
  return descriptor;
}

void grl_timerfd_close(int descriptor) {
  grl_alarm_forget(descriptor);
  close(descriptor);
}

int grl_timerfd_arm(int descriptor, int64_t nanoseconds) {
  if (grl_alarm_arm(descriptor, nanoseconds)) return 0;
  struct itimerspec when = {
      .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
  return grl_system.timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &when, NULL);
}

int grl_poll(GPollFD *descriptors, unsigned count, int64_t nanoseconds) {
  // GPollFD has the layout of struct pollfd on Linux; GLib itself depends on that.
  struct pollfd *polled = (struct pollfd *)descriptors;
  int64_t end = nanoseconds > 0 ? later(nanoseconds) : 0;
  while (true) {
    struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    int result = grl_system.ppoll(polled, count, nanoseconds < 0 ? NULL : &limit, NULL);
    // A signal is no event of the loop's: whatever its handler made ready is found by polling again.
    if (result >= 0 || errno != EINTR) return result;
    if (nanoseconds > 0) {
      nanoseconds = end - grl_now(CLOCK_MONOTONIC);
      if (nanoseconds < 0) nanoseconds = 0;
    }
  }
}

void grl_nap(int64_t nanoseconds) {
  struct timespec length = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  nanosleep(&length, NULL);
}

static _Thread_local void *slots[GRL_SLOT_COUNT];
static _Atomic uint64_t lastNumber;
_Thread_local uint64_t grl_this_thread;

_Thread_local grl_readings *grl_this_readings;
void grl_thread_use_readings(grl_readings *readings) { grl_this_readings = readings; }

static int64_t *reading_of(const grl_readings *readings, clockid_t clock) {
  const int64_t *reading = clock == CLOCK_MONOTONIC  ? &readings->monotonic
                           : clock == CLOCK_BOOTTIME ? &readings->continuous
                                                     : &readings->wall;
  return (int64_t *)reading;
}

// Relaxed: a reading says nothing about other memory.
int64_t grl_readings_get(const grl_readings *readings, clockid_t clock) {
  return __atomic_load_n(reading_of(readings, clock), __ATOMIC_RELAXED);
}

void grl_readings_set(grl_readings *readings, clockid_t clock, int64_t nanoseconds) {
  __atomic_store_n(reading_of(readings, clock), nanoseconds, __ATOMIC_RELAXED);
}

void *grl_thread_get(grl_slot which) { return slots[which]; }
void grl_thread_set(grl_slot which, void *value) { slots[which] = value; }

uint64_t grl_thread_make_number(void) {
  return grl_this_thread = atomic_fetch_add_explicit(&lastNumber, 1, memory_order_relaxed) + 1;
}

// 0 until it is known. A forked child's thread is its process's first.
static _Thread_local enum { UNKNOWN, FIRST, OTHER } rank;

extern const char *dispatch_queue_get_label(void *queue);

bool grl_thread_has_main_queue(void) {
  // NULL is the queue that the thread works for.
  return strcmp(dispatch_queue_get_label(NULL), "com.apple.main-thread") == 0;
}

void grl_say_that_main_queue_is_served(void) {
  // Preloaded or linked, it is in the global scope.
  void (*say)(void) = dlsym(RTLD_DEFAULT, "grunloop_main_queue_is_served");
  if (say) say();
}

bool grl_thread_is_first(void) {
  if (rank == UNKNOWN) rank = syscall(SYS_gettid) == getpid() ? FIRST : OTHER;
  return rank == FIRST;
}

extern int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *dso);
extern void *__dso_handle;

void grl_thread_at_exit(void (*function)(void *), void *argument) {
  __cxa_thread_atexit_impl(function, argument, &__dso_handle);
}

uint32_t grl_forks;
static void count_fork(void) {
  grl_forks++;
  rank = UNKNOWN;
}
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, count_fork); }

void grl_futex_wait(const void *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

void grl_futex_wake(const void *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

sem_t *grl_thread_semaphore(void) {
  // Zeroed memory is a semaphore of count zero (sem_init(3) does no more). sem_post(3) does not touch one after the
  // waiter may have gone on, so that it may go with its thread.
  static _Thread_local sem_t semaphore;
  return &semaphore;
}

void grl_semaphore_signal(sem_t *semaphore) { sem_post(semaphore); }

bool grl_semaphore_wait(sem_t *semaphore, int64_t nanoseconds) {
  if (nanoseconds < 0) {
    while (sem_wait(semaphore) < 0 && errno == EINTR) {
    }
    return true;
  }
  int64_t end = later(nanoseconds);
  struct timespec until = {.tv_sec = end / 1000000000, .tv_nsec = end % 1000000000};
  int result;
  while ((result = sem_clockwait(semaphore, CLOCK_MONOTONIC, &until)) < 0 && errno == EINTR) {
  }
  return result == 0;
}

void grl_log_warning(const char *message) { g_log("GLibRunLoop", G_LOG_LEVEL_WARNING, "%s", message); }

typedef struct {
  GSource base;
  _Atomic(void *) object;
} ObjectSource;

GSource *grl_source_new(GSourceFuncs *functions) { return g_source_new(functions, sizeof(ObjectSource)); }

void grl_source_set_object(GSource *source, void *object) {
  atomic_store_explicit(&((ObjectSource *)source)->object, object, memory_order_release);
}

void *grl_source_object(GSource *source) {
  return atomic_load_explicit(&((ObjectSource *)source)->object, memory_order_acquire);
}
