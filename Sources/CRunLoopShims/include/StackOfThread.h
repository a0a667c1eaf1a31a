// The stack of another thread, taken by a signal to it.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { GRL_STACK_DEPTH = 64, GRL_SOURCE_NAME = 80 };

typedef struct {
  int count;
  void *frames[GRL_STACK_DEPTH];
  // g_main_depth() there: 0 where GLib dispatches nothing, -1 where that is not known.
  int depth;
  // The name of the GSource that GLib dispatches there; empty if it has none.
  char source[GRL_SOURCE_NAME];
} grl_stack;

// Takes hold of a real-time signal that the program does not use; once for each call of grl_stack_end. Returns its
// number, 0 if there is none, or -1 if this C library cannot tell a stack without a lock.
int grl_stack_begin(void);
void grl_stack_end(void);
// Lets this thread be asked: one that Dispatch started, or that such a thread did, blocks all signals. Without it, a thread
// that blocks nothing answers with its frames only.
void grl_stack_allow(void);
// False if the thread does not answer in time, or is no more. One caller at a time. `is_allowed`: the thread has called
// grl_stack_allow.
bool grl_stack_take(pid_t thread, bool is_allowed, grl_stack *stack, int64_t nanoseconds);

// What the loader knows of an address.
typedef struct {
  // NULL for the program itself.
  const char *name;
  // What is to be added to the file's own addresses, and where all of it lies.
  uintptr_t base, start, end;
} grl_file;
// False if the address is in no file. Takes no lock where grl_stack_begin does not return -1.
bool grl_find_file(uintptr_t address, grl_file *file);
const char *grl_program_name(void);
