// System calls that the kernel is too old for, or that a sandbox forbids. The library does something else in their place,
// and says so once in a process.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum { GRL_EPOLL_PWAIT2, GRL_TIMERFD_CREATE, GRL_PIDFD_OPEN, GRL_REFUSAL_COUNT } grl_refusal;

// Whether a call failed because it is not to be had, and not for want of something: ENOSYS is the kernel's word, and
// sandboxes say EPERM.
static inline bool grl_is_refusal(int error) { return error == ENOSYS || error == EPERM; }

// A call was refused with this error. Counts the first time in the process only.
void grl_refused(grl_refusal call, int error);

// A bit for each call whose refusal nobody has said yet.
extern uint32_t grl_unsaid_refusals;
static inline bool grl_has_unsaid_refusals(void) { return __atomic_load_n(&grl_unsaid_refusals, __ATOMIC_RELAXED) != 0; }
// Takes one of these, and the error; GRL_REFUSAL_COUNT if there is none.
grl_refusal grl_take_refusal(int *error);
