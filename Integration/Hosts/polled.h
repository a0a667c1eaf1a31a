// What the hosts that poll one descriptor have in common: work for the loop, and what must come of it. A host gives its own
// means of waiting, and runs until it is told to end.
#pragma once

#include <grunloop.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;
  // Calls back on the host's thread after so many milliseconds, once.
  void (*after)(unsigned milliseconds, void (*call)(void));
  void (*quit)(void);
  // How many turns an event of the host's own may cause.
  unsigned turns_for_own_events;
} PolledHost;

// Puts the work into this thread's loop. Returns the descriptor to poll for reading, level-triggered.
int polled_begin(const PolledHost *host);
// To be called when the descriptor is readable.
void polled_turn(void);
// Says what was found. The program's exit code.
int polled_end(void);

G_END_DECLS
