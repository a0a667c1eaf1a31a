#define _GNU_SOURCE
#include "CRunLoopShims.h"

#include <stdatomic.h>
#include <sys/syscall.h>

int grl_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int grl_epoll_control(int set, int operation, int descriptor, uint32_t events, uint64_t tag) {
  struct epoll_event event = {.events = events, .data = {.u64 = tag}};
  return epoll_ctl(set, operation, descriptor, &event);
}

int grl_epoll_poll(int set, uint64_t *tags, uint32_t *events, int capacity) {
  struct epoll_event ready[256];
  int limit = capacity < 256 ? capacity : 256;
  // Not epoll_wait(3): that is a cancellation point, which costs a tenth of a busy pass, and this never blocks.
  int count = (int)syscall(SYS_epoll_wait, set, ready, limit, 0);
  for (int i = 0; i < count; i++) {
    tags[i] = ready[i].data.u64;
    events[i] = ready[i].events;
  }
  return count;
}

int grl_eventfd_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void grl_eventfd_signal(int descriptor) {
  uint64_t one = 1;
  while (write(descriptor, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

void grl_eventfd_drain(int descriptor) {
  uint64_t count;
  while (read(descriptor, &count, sizeof count) < 0 && errno == EINTR) {
  }
}

int grl_timerfd_create(clockid_t clock) { return timerfd_create(clock, TFD_CLOEXEC | TFD_NONBLOCK); }

int grl_timerfd_arm(int descriptor, int64_t nanoseconds, bool cancelledByClockChange) {
  struct itimerspec when = {
      .it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
  int flags = TFD_TIMER_ABSTIME | (cancelledByClockChange ? TFD_TIMER_CANCEL_ON_SET : 0);
  return timerfd_settime(descriptor, flags, &when, NULL);
}

int grl_poll(GPollFD *descriptors, unsigned count, int64_t nanoseconds) {
  // GPollFD has the layout of struct pollfd on Linux; GLib itself depends on that.
  struct pollfd *polled = (struct pollfd *)descriptors;
  int64_t end = nanoseconds > 0 ? grl_now(CLOCK_MONOTONIC) + nanoseconds : 0;
  while (true) {
    struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    int result = ppoll(polled, count, nanoseconds < 0 ? NULL : &limit, NULL);
    // A signal is no event of the loop's: whatever its handler made ready is found by polling again.
    if (result >= 0 || errno != EINTR) return result;
    if (nanoseconds > 0) {
      nanoseconds = end - grl_now(CLOCK_MONOTONIC);
      if (nanoseconds < 0) nanoseconds = 0;
    }
  }
}

static _Thread_local void *slots[GRL_SLOT_COUNT];
static _Thread_local uint64_t number;
static _Atomic uint64_t lastNumber;

void *grl_thread_get(grl_slot which) { return slots[which]; }
void grl_thread_set(grl_slot which, void *value) { slots[which] = value; }

uint64_t grl_thread_number(void) {
  if (number == 0) number = atomic_fetch_add_explicit(&lastNumber, 1, memory_order_relaxed) + 1;
  return number;
}

bool grl_thread_is_first(void) { return syscall(SYS_gettid) == getpid(); }

extern int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *dso);
extern void *__dso_handle;

void grl_thread_at_exit(void (*function)(void *), void *argument) {
  __cxa_thread_atexit_impl(function, argument, &__dso_handle);
}

static _Atomic uint32_t forks;
static void count_fork(void) { atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed); }
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, count_fork); }

uint32_t grl_fork_generation(void) { return atomic_load_explicit(&forks, memory_order_relaxed); }

sem_t *grl_semaphore_create(void) {
  sem_t *semaphore = g_new(sem_t, 1);
  sem_init(semaphore, 0, 0);
  return semaphore;
}

void grl_semaphore_destroy(sem_t *semaphore) {
  sem_destroy(semaphore);
  g_free(semaphore);
}

void grl_semaphore_signal(sem_t *semaphore) { sem_post(semaphore); }

bool grl_semaphore_wait(sem_t *semaphore, int64_t nanoseconds) {
  if (nanoseconds < 0) {
    while (sem_wait(semaphore) < 0 && errno == EINTR) {
    }
    return true;
  }
  int64_t now = grl_now(CLOCK_MONOTONIC);
  int64_t end = nanoseconds > INT64_MAX - now ? INT64_MAX : now + nanoseconds;
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
