#define _GNU_SOURCE
#include "CRunLoopShims.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

// The thread that is asked writes into memory that is never freed: it may answer after the asker has given up.
static grl_stack answer;
static sem_t answered;
// What the asker and the handler agree by: whoever moves the state on owns the question and the answer. The semaphore only
// wakes, and may do so for an answer that was had already: what the handler wrote is the asker's once it has read ANSWERED.
enum { NOTHING, ASKED, ANSWERING, ANSWERED };
static _Atomic int state;
static _Atomic pid_t asked;
// Whether that thread has called `grl_stack_allow`.
static bool asked_is_allowed;

// The signal. A detector that ends may still ask while another one begins.
static _Atomic int number;
static int uses;
// Of which process: a forked child has no detector.
static uint32_t process_of_uses;

// From glibc 2.35 on, with libgcc 12 or newer as in every system that has that, the unwinder finds what it needs without a
// lock. Before, it takes the loader's, which the thread that is asked may hold.
#if __GLIBC_PREREQ(2, 35)
extern __typeof__(_dl_find_object) _dl_find_object __attribute__((weak));
static bool finds_without_lock(void) { return _dl_find_object != NULL; }
#else
static bool finds_without_lock(void) { return false; }
#endif

// What follows runs in the thread that is asked, wherever that stands: in malloc, in the loader, in GLib with its locks.
// Nothing here takes a lock, allocates, or makes what is made at first use:
// - Each function was called once before, by `warm_up`, so that the loader has bound it, and the unwinder is loaded.
// - g_main_depth(3) and g_main_current_source(3) read memory of the thread's own. GLib makes that at their first call there,
//   which is `grl_stack_allow`'s: without it they are not called (`asked_is_allowed`).
// - The name of the source may be freed and made anew just here. It is read by the kernel, which says no where we would crash.
static void copy_name(const char *name, char *copy) {
  copy[0] = 0;
  if (name == NULL) return;
  long process = syscall(SYS_getpid);
  size_t length = GRL_SOURCE_NAME - 1, page = 4096;
  // Not over the end of a page: the next one may not be there.
  size_t first = page - (uintptr_t)name % page;
  struct iovec into[2] = {{copy, first < length ? first : length}, {copy + first, first < length ? length - first : 0}};
  struct iovec from[2] = {{(void *)name, into[0].iov_len}, {(void *)(name + first), into[1].iov_len}};
  ssize_t count = 0;
  for (int part = 0; part < 2 && from[part].iov_len > 0; part++) {
    ssize_t done = (ssize_t)syscall(SYS_process_vm_readv, process, into + part, 1L, from + part, 1L, 0L);
    if (done <= 0) break;
    count += done;
  }
  copy[count] = 0;
}

// In its caller, whose frame is the first.
static inline __attribute__((always_inline)) void look(grl_stack *stack, bool is_allowed) {
  stack->count = backtrace(stack->frames, GRL_STACK_DEPTH);
  stack->depth = is_allowed ? g_main_depth() : -1;
  GSource *source = stack->depth > 0 ? g_main_current_source() : NULL;
  copy_name(source != NULL ? g_source_get_name(source) : NULL, stack->source);
}

static void answer_here(int signal) {
  (void)signal;
  int error = errno;
  int expected = ASKED;
  if (atomic_load(&asked) == (pid_t)syscall(SYS_gettid) && atomic_compare_exchange_strong(&state, &expected, ANSWERING)) {
    look(&answer, asked_is_allowed);
    atomic_store(&state, ANSWERED);
    sem_post(&answered);
  }
  errno = error;
}

// On the thread that begins, as the handler does it, but in no handler.
static void warm_up(void) {
  // Once: a detector that ends may still wait on the semaphore.
  static bool is_warm;
  if (is_warm) return;
  is_warm = true;
  static grl_stack first;
  GSource *source = g_idle_source_new();
  g_source_set_name(source, "GRunLoop stack");
  look(&first, true);
  copy_name(g_source_get_name(source), first.source);
  g_main_current_source();
  g_source_unref(source);
  sem_init(&answered, 0, 0);
  sem_post(&answered);
  sem_trywait(&answered);
}

int grl_stack_begin(void) {
  if (!finds_without_lock()) return -1;
  if (process_of_uses != grl_process()) {
    process_of_uses = grl_process();
    uses = 0;
  }
  if (uses > 0) {
    uses++;
    return number;
  }
  warm_up();
  struct sigaction before;
  for (int candidate = SIGRTMAX - 1; candidate > SIGRTMIN; candidate--) {
    if (sigaction(candidate, NULL, &before) != 0) continue;
    // Ignored by us, it may be had again; so may be what the parent had when it forked.
    bool isFree = before.sa_handler == SIG_DFL || before.sa_handler == answer_here ||
                  (before.sa_handler == SIG_IGN && candidate == number);
    if ((before.sa_flags & SA_SIGINFO) != 0 || !isFree) continue;
    // Calls of the thread's that wait go on where the kernel can do that.
    struct sigaction action = {.sa_handler = answer_here, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    if (sigaction(candidate, &action, NULL) != 0) continue;
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
  // Makes what GLib keeps for the thread.
  g_main_depth();
}

bool grl_stack_take(pid_t thread, bool is_allowed, grl_stack *stack, int64_t nanoseconds) {
  asked_is_allowed = is_allowed;
  atomic_store(&asked, thread);
  atomic_store(&state, ASKED);
  if (syscall(SYS_tgkill, getpid(), thread, number) != 0) {
    atomic_store(&state, NOTHING);
    return false;
  }
  while (atomic_load(&state) != ANSWERED) {
    if (grl_semaphore_wait(&answered, nanoseconds)) continue;
    int expected = ASKED;
    if (atomic_compare_exchange_strong(&state, &expected, NOTHING)) return false;
    // It has begun, and will be done soon.
    nanoseconds = -1;
  }
  *stack = answer;
  atomic_store(&state, NOTHING);
  return true;
}

// Not dladdr(3), which waits for the loader's lock: the thread whose stack is to be told of may hold it for good.
bool grl_find_file(uintptr_t address, grl_file *file) {
#if __GLIBC_PREREQ(2, 35)
  struct dl_find_object found;
  if (!finds_without_lock() || _dl_find_object((void *)address, &found) != 0) return false;
  const char *name = found.dlfo_link_map->l_name;
  *file = (grl_file){
      .name = name[0] != 0 ? name : NULL, .base = (uintptr_t)found.dlfo_link_map->l_addr,
      .start = (uintptr_t)found.dlfo_map_start, .end = (uintptr_t)found.dlfo_map_end};
  return true;
#else
  Dl_info info;
  struct link_map *map;
  if (dladdr1((void *)address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0) return false;
  uintptr_t start = (uintptr_t)info.dli_fbase;
  // How far it goes is not told; what it says of itself lies in the first page.
  *file = (grl_file){
      .name = map->l_name[0] != 0 ? map->l_name : NULL,
      .base = (uintptr_t)map->l_addr,
      .start = start,
      .end = start + 4096};
  return true;
#endif
}

const char *grl_program_name(void) { return program_invocation_short_name; }
