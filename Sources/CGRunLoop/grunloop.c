#include "grunloop.h"  // A target needs a file to compile; the functions are written in Swift, in RunLoopC.
