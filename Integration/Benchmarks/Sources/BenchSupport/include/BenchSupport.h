// What the Swift peer shares with the C ones, and the calls that Swift's Glibc module lacks.
#pragma once
#include "../../../peers/bench.h"
#include <signal.h>
#include <sys/prctl.h>

static inline void peer_sharp_timers(void) { prctl(PR_SET_TIMERSLACK, 1UL); }
static inline void peer_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }
