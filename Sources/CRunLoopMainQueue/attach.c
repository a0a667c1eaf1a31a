#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

extern void grl_serve_main_queue(void);

// libdispatch takes the thread that loads it for the main queue's. Loaded later by another thread, this stays quiet.
__attribute__((constructor)) static void attach(void) {
  if (syscall(SYS_gettid) == getpid()) grl_serve_main_queue();
}
