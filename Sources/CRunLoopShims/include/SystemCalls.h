// The system calls that the library makes, in one table, so that tests can make each of them fail, and turn its clocks.
// Filled in when the library is compiled; nothing but a test writes to it, before it makes a loop.
#pragma once

#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <time.h>

typedef struct {
  int (*epoll_create1)(int flags);
  int (*epoll_ctl)(int set, int operation, int descriptor, struct epoll_event *event);
  // Without a time-out: what is ready now.
  int (*epoll_poll)(int set, struct epoll_event *events, int capacity);
  // epoll_pwait2(2); without a limit it waits without end.
  int (*epoll_wait)(int set, struct epoll_event *events, int capacity, const struct timespec *limit);
  int (*eventfd)(unsigned value, int flags);
  ssize_t (*read)(int descriptor, void *bytes, size_t count);
  ssize_t (*write)(int descriptor, const void *bytes, size_t count);
  int (*timerfd_create)(clockid_t clock, int flags);
  int (*timerfd_settime)(int descriptor, int flags, const struct itimerspec *when, struct itimerspec *before);
  int (*ppoll)(struct pollfd *descriptors, nfds_t count, const struct timespec *limit, const sigset_t *mask);
  int (*clock_gettime)(clockid_t clock, struct timespec *now);
  int (*pidfd_open)(pid_t process, unsigned flags);
} grl_system_calls;

extern grl_system_calls grl_system;
