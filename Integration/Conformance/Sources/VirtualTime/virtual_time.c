#define _GNU_SOURCE
#include "VirtualTime.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// Each look at the clock is a little later than the one before, so that two of them differ.
static const int64_t tick = 1000;
// CLOCK_REALTIME is the monotonic clock and this. A clock that begins at 1e9 seconds shows 1000 seconds after
// 2001-01-01 then, Core Foundation's zero: so few that its doubles tell nanoseconds.
static const int64_t epoch = (978307200LL + 1000 - 1000000000) * 1000000000LL;

enum { capacity = 16 };

// A timerfd is an eventfd here, written when its date has come: that is seen at once, as a real one's is not.
typedef struct {
  int descriptor;
  int set;  // the epoll descriptor that watches it
  int64_t date;  // INT64_MAX: not armed
} Alarm;

struct VTClock {
  int64_t now, end, lateness;
  VTWorld world;
  Alarm alarms[capacity];
  int count;
};

static _Thread_local VTClock *current;

VTClock *vt_create(int64_t start, int64_t end, int64_t lateness, VTWorld world) {
  VTClock *clock = calloc(1, sizeof *clock);
  clock->now = start;
  clock->end = end;
  clock->lateness = lateness;
  clock->world = world;
  return clock;
}

void vt_enter(VTClock *clock) { current = clock; }
void vt_free(VTClock *clock) { free(clock); }
int64_t vt_now(VTClock *clock) { return clock->now; }

static void goOff(VTClock *clock) {
  for (int index = 0; index < clock->count; index++) {
    Alarm *alarm = &clock->alarms[index];
    if (alarm->date > clock->now) continue;
    alarm->date = INT64_MAX;
    eventfd_write(alarm->descriptor, 1);
  }
}

void vt_advance(VTClock *clock, int64_t date) {
  if (date > clock->now) clock->now = date;
  goOff(clock);
}

static Alarm *alarmOf(int descriptor) {
  if (!current) return NULL;
  for (int index = 0; index < current->count; index++) {
    if (current->alarms[index].descriptor == descriptor) return &current->alarms[index];
  }
  return NULL;
}

// MARK: The C library's functions

static struct timespec timespecOf(int64_t nanoseconds) {
  return (struct timespec){.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
}

int clock_gettime(clockid_t id, struct timespec *time) {
  if (!current) return (int)syscall(SYS_clock_gettime, id, time);
  bool isWall = id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE;
  if (!isWall) current->now += tick;
  *time = timespecOf(current->now + (isWall ? epoch : 0));
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  if (!current) return (int)syscall(SYS_gettimeofday, time, zone);
  int64_t microseconds = (current->now + epoch) / 1000;
  *time = (struct timeval){.tv_sec = microseconds / 1000000, .tv_usec = microseconds % 1000000};
  return 0;
}

int timerfd_create(clockid_t id, int flags) {
  if (!current) return (int)syscall(SYS_timerfd_create, id, flags);
  if (current->count == capacity) abort();
  int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  current->alarms[current->count++] = (Alarm){.descriptor = descriptor, .set = -1, .date = INT64_MAX};
  return descriptor;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *when, struct itimerspec *old) {
  Alarm *alarm = alarmOf(descriptor);
  if (!alarm) return (int)syscall(SYS_timerfd_settime, descriptor, flags, when, old);
  eventfd_t ignored;
  eventfd_read(descriptor, &ignored);
  int64_t date = when->it_value.tv_sec * 1000000000LL + when->it_value.tv_nsec;
  if (!(flags & TFD_TIMER_ABSTIME) && date) date += current->now;
  alarm->date = date ? date : INT64_MAX;
  goOff(current);
  return 0;
}

int epoll_ctl(int set, int operation, int descriptor, struct epoll_event *event) {
  Alarm *alarm = operation == EPOLL_CTL_ADD ? alarmOf(descriptor) : NULL;
  if (alarm) alarm->set = set;
  return (int)syscall(SYS_epoll_ctl, set, operation, descriptor, event);
}

static int look(struct pollfd *descriptors, nfds_t count) {
  struct timespec zero = {0};
  return (int)syscall(SYS_ppoll, descriptors, count, &zero, NULL, 0);
}

static int64_t nextAlarm(const struct pollfd *descriptors, nfds_t count) {
  int64_t next = INT64_MAX;
  for (int index = 0; index < current->count; index++) {
    const Alarm *alarm = &current->alarms[index];
    for (nfds_t polled = 0; polled < count; polled++) {
      int descriptor = descriptors[polled].fd;
      bool isWatched = descriptor == alarm->set || descriptor == alarm->descriptor;
      if (isWatched && alarm->date < next) next = alarm->date;
    }
  }
  return next;
}

// A wait of no more than `timeout` nanoseconds; negative is without end.
static int waitFor(struct pollfd *descriptors, nfds_t count, int64_t timeout) {
  int ready = look(descriptors, count);
  if (ready != 0 || timeout == 0) return ready;
  VTClock *clock = current;
  int64_t limit = timeout < 0 || clock->now > INT64_MAX - timeout ? INT64_MAX : clock->now + timeout;
  for (;;) {
    int64_t alarm = nextAlarm(descriptors, count);
    int64_t date = alarm < limit ? alarm : limit;
    if (date > clock->end) date = INT64_MAX;
    if (!clock->world.happens(clock->world.context, date)) {
      if (date == INT64_MAX) {
        clock->world.idles(clock->world.context);
      } else {
        vt_advance(clock, date + clock->lateness);
      }
    }
    ready = look(descriptors, count);
    if (ready != 0 || limit <= clock->now) return ready;
  }
}

int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  if (!current) {
    struct timespec copy = timeout ? *timeout : (struct timespec){0};
    return (int)syscall(SYS_ppoll, descriptors, count, timeout ? &copy : NULL, mask, 8);
  }
  return waitFor(descriptors, count, timeout ? timeout->tv_sec * 1000000000LL + timeout->tv_nsec : -1);
}

int poll(struct pollfd *descriptors, nfds_t count, int timeout) {
  if (!current) return (int)syscall(SYS_poll, descriptors, count, timeout);
  return waitFor(descriptors, count, timeout < 0 ? -1 : timeout * 1000000LL);
}

int epoll_pwait2(
    int set, struct epoll_event *events, int capacity, const struct timespec *timeout, const sigset_t *mask) {
  if (!current) return (int)syscall(SYS_epoll_pwait2, set, events, capacity, timeout, mask, 8);
  struct pollfd self = {.fd = set, .events = POLLIN};
  int ready = waitFor(&self, 1, timeout ? timeout->tv_sec * 1000000000LL + timeout->tv_nsec : -1);
  return ready <= 0 ? ready : (int)syscall(SYS_epoll_wait, set, events, capacity, 0);
}
