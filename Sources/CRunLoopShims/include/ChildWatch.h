// The end of a child process, as a source of GLib's.
#pragma once

#include <glib.h>
#include <sys/types.h>

// A source whose call-back is a GChildWatchFunc, called once.
GSource *grl_child_source_new(pid_t pid);
// Before it is attached, one call at a time: has it hear of the end. Returns an error number if it cannot. Does nothing
// the second time.
int grl_child_source_watch(GSource *source);

// What it says where the kernel has not kept the status: no status that a process can end with, as WIFEXITED and
// WIFSIGNALED have it.
enum { GRL_NO_STATUS = -1 };
