// GLib's sources for signals, which leave the signal as they found it.
#pragma once

#include <glib.h>

// g_unix_signal_source_new(3), which notes what the signal did before.
GSource *grl_signal_source_new(int signal);
// Gives back the last reference to one: it is destroyed, has no call-back, and is not being dispatched. With the last one
// for its signal goes what GLib did with that.
void grl_signal_source_free(GSource *source, int signal);
