#define _GNU_SOURCE
#include "CFaults.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "CPortShims.h"
#include "SystemCalls.h"

static grl_system_calls kernel;
static int (*kernel_memfd_create)(const char *name, unsigned flags);

static _Thread_local struct {
  int error, skip, count, hits, calls;
} plans[FAULT_CALL_COUNT];

void fault_set(fault_call call, int error, int skip, int count) {
  plans[call].error = error;
  plans[call].skip = skip;
  plans[call].count = count;
  plans[call].hits = 0;
  plans[call].calls = 0;
}

int fault_hits(fault_call call) { return plans[call].hits; }
int fault_calls(fault_call call) { return plans[call].calls; }

static bool fails(fault_call call) {
  plans[call].calls++;
  if (plans[call].count == 0) return false;
  if (plans[call].skip > 0) {
    plans[call].skip--;
    return false;
  }
  if (plans[call].count > 0) plans[call].count--;
  plans[call].hits++;
  errno = plans[call].error;
  return true;
}

static int epoll_create_hook(int flags) { return fails(FAULT_EPOLL_CREATE) ? -1 : kernel.epoll_create1(flags); }

static int epoll_ctl_hook(int set, int operation, int descriptor, struct epoll_event *event) {
  fault_call call = operation == EPOLL_CTL_ADD   ? FAULT_EPOLL_ADD
                    : operation == EPOLL_CTL_MOD ? FAULT_EPOLL_CHANGE
                                                 : FAULT_EPOLL_REMOVE;
  return fails(call) ? -1 : kernel.epoll_ctl(set, operation, descriptor, event);
}

static int epoll_poll_hook(int set, struct epoll_event *events, int capacity) {
  return fails(FAULT_EPOLL_POLL) ? -1 : kernel.epoll_poll(set, events, capacity);
}

static int epoll_wait_hook(int set, struct epoll_event *events, int capacity, const struct timespec *limit) {
  return fails(FAULT_EPOLL_WAIT) ? -1 : kernel.epoll_wait(set, events, capacity, limit);
}

static int eventfd_hook(unsigned value, int flags) { return fails(FAULT_EVENTFD) ? -1 : kernel.eventfd(value, flags); }

static ssize_t read_hook(int descriptor, void *bytes, size_t count) {
  return fails(FAULT_READ) ? -1 : kernel.read(descriptor, bytes, count);
}

static ssize_t write_hook(int descriptor, const void *bytes, size_t count) {
  return fails(FAULT_WRITE) ? -1 : kernel.write(descriptor, bytes, count);
}

static int poll_hook(struct pollfd *descriptors, nfds_t count, const struct timespec *limit, const sigset_t *mask) {
  return fails(FAULT_POLL) ? -1 : kernel.ppoll(descriptors, count, limit, mask);
}

// MARK: Clocks

typedef struct {
  int descriptor;
  int64_t date;  // 0 while it is not set.
} alarm_state;

struct fault_clock {
  clockid_t clock;
  pthread_mutex_t mutex;
  int64_t turned;
  alarm_state alarms[4];
  int count;
};

enum { CLOCKS = 3 };
static _Thread_local fault_clock *clocks[CLOCKS];

static fault_clock *clock_for(clockid_t clock) {
  for (int i = 0; i < CLOCKS; i++) {
    if (clocks[i] && clocks[i]->clock == clock) return clocks[i];
  }
  return NULL;
}

static alarm_state *alarm_for(fault_clock *clock, int descriptor) {
  for (int i = 0; i < clock->count; i++) {
    if (clock->alarms[i].descriptor == descriptor) return &clock->alarms[i];
  }
  return NULL;
}

fault_clock *fault_clock_use(clockid_t which) {
  fault_clock *clock = calloc(1, sizeof *clock);
  clock->clock = which;
  pthread_mutex_init(&clock->mutex, NULL);
  for (int i = 0; i < CLOCKS; i++) {
    if (clocks[i]) continue;
    clocks[i] = clock;
    break;
  }
  return clock;
}

void fault_clock_free(fault_clock *clock) {
  for (int i = 0; i < CLOCKS; i++) {
    if (clocks[i] == clock) clocks[i] = NULL;
  }
  pthread_mutex_destroy(&clock->mutex);
  free(clock);
}

static int clock_hook(clockid_t which, struct timespec *now) {
  int result = kernel.clock_gettime(which, now);
  fault_clock *clock = clock_for(which);
  if (!clock) return result;
  pthread_mutex_lock(&clock->mutex);
  int64_t turned = clock->turned;
  pthread_mutex_unlock(&clock->mutex);
  int64_t reading = now->tv_sec * 1000000000 + now->tv_nsec + turned;
  now->tv_sec = reading / 1000000000;
  now->tv_nsec = reading % 1000000000;
  return result;
}

static int timerfd_create_hook(clockid_t which, int flags) {
  if (fails(FAULT_TIMERFD_CREATE)) return -1;
  int descriptor = kernel.timerfd_create(which, flags);
  fault_clock *clock = clock_for(which);
  if (clock && descriptor >= 0 && clock->count < 4) {
    clock->alarms[clock->count++] = (alarm_state){.descriptor = descriptor};
  }
  return descriptor;
}

// The kernel's alarm for a date of the turned clock.
static int arm(fault_clock *clock, alarm_state *alarm) {
  int64_t date = alarm->date ? alarm->date - clock->turned : 0;
  if (alarm->date && date < 1) date = 1;
  struct itimerspec when = {.it_value = {.tv_sec = date / 1000000000, .tv_nsec = date % 1000000000}};
  return kernel.timerfd_settime(alarm->descriptor, TFD_TIMER_ABSTIME, &when, NULL);
}

static int timerfd_settime_hook(int descriptor, int flags, const struct itimerspec *when, struct itimerspec *before) {
  if (fails(FAULT_TIMERFD_SET)) return -1;
  for (int i = 0; i < CLOCKS; i++) {
    fault_clock *clock = clocks[i];
    alarm_state *alarm = clock ? alarm_for(clock, descriptor) : NULL;
    if (!alarm) continue;
    pthread_mutex_lock(&clock->mutex);
    alarm->date = when->it_value.tv_sec * 1000000000 + when->it_value.tv_nsec;
    int result = arm(clock, alarm);
    pthread_mutex_unlock(&clock->mutex);
    return result;
  }
  return kernel.timerfd_settime(descriptor, flags, when, before);
}

void fault_clock_turn(fault_clock *clock, int64_t nanoseconds) {
  pthread_mutex_lock(&clock->mutex);
  clock->turned += nanoseconds;
  for (int i = 0; i < clock->count; i++) {
    if (clock->alarms[i].date) arm(clock, &clock->alarms[i]);
  }
  pthread_mutex_unlock(&clock->mutex);
}

static int pidfd_open_hook(pid_t process, unsigned flags) {
  return fails(FAULT_PIDFD_OPEN) ? -1 : kernel.pidfd_open(process, flags);
}

static int memfd_create_hook(const char *name, unsigned flags) {
  return fails(FAULT_MEMFD_CREATE) ? -1 : kernel_memfd_create(name, flags);
}

__attribute__((constructor)) static void stand_between(void) {
  kernel = grl_system;
  grl_system = (grl_system_calls){
      .epoll_create1 = epoll_create_hook,
      .epoll_ctl = epoll_ctl_hook,
      .epoll_poll = epoll_poll_hook,
      .epoll_wait = epoll_wait_hook,
      .eventfd = eventfd_hook,
      .read = read_hook,
      .write = write_hook,
      .timerfd_create = timerfd_create_hook,
      .timerfd_settime = timerfd_settime_hook,
      .ppoll = poll_hook,
      .clock_gettime = clock_hook,
      .pidfd_open = pidfd_open_hook,
  };
  kernel_memfd_create = gps_memfd_create;
  gps_memfd_create = memfd_create_hook;
}
