// The run loop of the process's first thread that lies beneath Foundation's, as far as Swift cannot reach it. Core
// Foundation exports these functions on Linux, in no header that a package may import.
#pragma once

#include <stdbool.h>

// A mode by its name of so many bytes, made one of the common ones. Good for ever. NULL if the bytes are no text.
const void *cfrl_common_mode(const char *name, long length);
// The epoll descriptor that is readable while a timer of the mode is due, or the loop was woken; -1 if it is not known.
int cfrl_mode_descriptor(const char *name, long length);
// One pass in a mode, without sleep.
void cfrl_turn(const void *mode);
// Whether this is the thread that the loop belongs to.
bool cfrl_is_current(void);
