// Whether anybody else uses a main context that was made here.
#pragma once

#include <glib.h>
#include <stdbool.h>

// Whether nobody else holds the context, and no sources are attached to it but those whose functions are one of the two at
// `own`. On its owner's thread. `seen` is 0 at first, and the same variable each time: the sources up to that number need
// not be looked at again. False where that cannot be known.
bool grl_context_is_unused(GMainContext *context, const GSourceFuncs *own, unsigned *seen);
