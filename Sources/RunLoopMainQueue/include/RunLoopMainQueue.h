// Serves Dispatch's main queue, and with it the main actor, where a program iterates GLib's default main context.
// Preloaded or linked, it works by being there: there is nothing to call.
#pragma once

// GLibRunLoop's main loop serves the main queue from now on, in this process. It finds this by dlsym(3).
void grunloop_main_queue_is_served(void);
