// What stands in for timerfd_create(2) where that is refused: eventfds, and one thread of the process that makes each
// readable when its date has come. As exact as the kernel's on the monotonic clock. On the others, a clock that is set and
// a machine that was suspended are noticed within a second.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

// -1 if there is no descriptor, or no thread, for it.
int grl_alarm_create(clockid_t clock);
// An absolute time in nanoseconds; 0 disarms. False if the descriptor is none of these.
bool grl_alarm_arm(int descriptor, int64_t nanoseconds);
// Lets go of it, before it is closed. Does nothing for other descriptors.
void grl_alarm_forget(int descriptor);
