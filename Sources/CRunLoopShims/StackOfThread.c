#define _GNU_SOURCE
#include "CRunLoopShims.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>

// The thread that is asked writes into memory that is never freed: it may answer after the asker has given up.
static grl_stack answer;
static sem_t answered;
// What the asker and the handler agree by: whoever moves the state on owns the answer.
enum { NOTHING, ASKED, ANSWERING };
static _Atomic int state;
static _Atomic pid_t asked;

static int number;
static int uses;

// In the thread that is asked, wherever it stands. Nothing here takes a lock or allocates: backtrace(3) has been called
// before, so that it is loaded, and from glibc 2.35 and libgcc 12 on it finds frames without a lock
// (_dl_find_object(3)); g_main_current_source and g_main_depth read memory of the thread's own.
static void answer_here(int signal) {
  (void)signal;
  int error = errno;
  int expected = ASKED;
  if (atomic_load(&asked) == (pid_t)syscall(SYS_gettid) && atomic_compare_exchange_strong(&state, &expected, ANSWERING)) {
    answer.count = backtrace(answer.frames, GRL_STACK_DEPTH);
    answer.depth = g_main_depth();
    answer.source[0] = 0;
    GSource *source = answer.depth > 0 ? g_main_current_source() : NULL;
    const char *name = source != NULL ? g_source_get_name(source) : NULL;
    if (name != NULL) {
      size_t length = 0;
      while (length < GRL_SOURCE_NAME - 1 && name[length] != 0) length++;
      memcpy(answer.source, name, length);
      answer.source[length] = 0;
    }
    sem_post(&answered);
  }
  errno = error;
}

int grl_stack_begin(void) {
  if (uses > 0) {
    uses++;
    return number;
  }
  // The first call loads the unwinder.
  void *here[1];
  backtrace(here, 1);
  struct sigaction before;
  for (int candidate = SIGRTMAX - 1; candidate > SIGRTMIN; candidate--) {
    if (sigaction(candidate, NULL, &before) != 0) continue;
    // Ignored by us, it may be had again.
    bool isFree = before.sa_handler == SIG_DFL || (before.sa_handler == SIG_IGN && candidate == number);
    if ((before.sa_flags & SA_SIGINFO) != 0 || !isFree) continue;
    // Calls of the thread's that wait go on where the kernel can do that.
    struct sigaction action = {.sa_handler = answer_here, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    if (sigaction(candidate, &action, NULL) != 0) continue;
    sem_init(&answered, 0, 0);
    uses = 1;
    return number = candidate;
  }
  return 0;
}

void grl_stack_end(void) {
  if (--uses > 0) return;
  // Not the default action, which ends the process: a signal may still be on its way.
  struct sigaction action = {.sa_handler = SIG_IGN};
  sigaction(number, &action, NULL);
}

void grl_stack_allow(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

bool grl_stack_take(pid_t thread, grl_stack *stack, int64_t nanoseconds) {
  atomic_store(&asked, thread);
  atomic_store(&state, ASKED);
  if (syscall(SYS_tgkill, getpid(), thread, number) != 0) {
    atomic_store(&state, NOTHING);
    return false;
  }
  if (!grl_semaphore_wait(&answered, nanoseconds)) {
    int expected = ASKED;
    if (atomic_compare_exchange_strong(&state, &expected, NOTHING)) return false;
    // It has begun, and will be done soon.
    grl_semaphore_wait(&answered, -1);
  }
  *stack = answer;
  atomic_store(&state, NOTHING);
  return true;
}

bool grl_find_symbol(uintptr_t address, const char **file, uintptr_t *base, const char **name) {
  Dl_info info;
  if (dladdr((void *)address, &info) == 0) return false;
  *file = info.dli_fname;
  *base = (uintptr_t)info.dli_fbase;
  *name = info.dli_sname;
  return true;
}
