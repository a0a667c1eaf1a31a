// Time that stands still while code runs, and jumps to the next date when everything sleeps.
//
// The program's own clock_gettime, ppoll, timerfd_settime and so on take the place of the C library's, also for the
// shared libraries that it is linked with. On a thread that has entered a virtual time they answer from that; on every
// other thread they are the real ones. So a scenario of many seconds runs in microseconds, the same way each time.

#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct VTClock VTClock;

typedef struct {
  void *context;
  // Everything sleeps, until `date` at the latest (INT64_MAX: for ever). Does the first thing that happens from outside
  // before that, if any, and says whether it did.
  bool (*happens)(void *context, int64_t date);
  // Nothing will ever happen. Must make the loop's wait end.
  void (*idles)(void *context);
} VTWorld;

// A clock that begins at `start`, in nanoseconds. After `end` nothing more comes. A sleep until a date ends `lateness`
// after it.
VTClock *vt_create(int64_t start, int64_t end, int64_t lateness, VTWorld world);
// From now on the calling thread lives in this time; several threads may, one at a time. NULL: in the real one.
void vt_enter(VTClock *clock);
int64_t vt_now(VTClock *clock);
// Moves the clock on to a date, if it is not past that yet.
void vt_advance(VTClock *clock, int64_t date);
void vt_free(VTClock *clock);
