// System calls that fail, and clocks that are turned, as a test asks: for the thread that asks, so that tests run beside
// each other. Linked into a program, it stands between the library and the kernel from the start.
#pragma once

#include <stdint.h>
#include <time.h>

typedef enum {
  FAULT_EPOLL_CREATE,
  FAULT_EPOLL_ADD,
  FAULT_EPOLL_CHANGE,
  FAULT_EPOLL_REMOVE,
  FAULT_EPOLL_POLL,
  FAULT_EPOLL_WAIT,
  FAULT_EVENTFD,
  FAULT_WRITE,
  FAULT_READ,
  FAULT_TIMERFD_CREATE,
  FAULT_TIMERFD_SET,
  FAULT_POLL,
  FAULT_PIDFD_OPEN,
  FAULT_CALL_COUNT
} fault_call;

// On this thread, after `skip` more calls of this kind have gone through, the next `count` fail with `error`; a negative
// count is without end. 0 lets all go through.
void fault_set(fault_call call, int error, int skip, int count);
// How many calls of this kind have failed on this thread since `fault_set`.
int fault_hits(fault_call call);
// How many calls of this kind this thread has made since `fault_set`, those that failed included.
int fault_calls(fault_call call);

// A clock that can be turned. The machine's own goes on.
typedef struct fault_clock fault_clock;

// From now on this thread reads `clock` as a clock of its own, and its alarms ring by that.
fault_clock *fault_clock_use(clockid_t clock);
// Turns it, from any thread, forward or back, as clock_settime(2) does, or a suspended machine for CLOCK_BOOTTIME. As with
// the kernel's, an alarm that is set for an absolute time rings when the new clock shows that.
void fault_clock_turn(fault_clock *clock, int64_t nanoseconds);
// On the thread that uses it.
void fault_clock_free(fault_clock *clock);
