#define _GNU_SOURCE
#include "CRunLoopShims.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

uint32_t grl_instruments;
static sem_t *_Atomic semaphores[NSIG];
// The threads that serve them are the parent's. A signal that had one of them write would do nothing in the child.
static void forget_instruments(void) {
  grl_instruments = 0;
  for (int signal = 1; signal < NSIG; signal++) {
    if (semaphores[signal] != NULL) grl_semaphore_off_signal(signal);
  }
}

// The process's number, in memory that the kernel gives each child empty, however it was forked: handlers of
// pthread_atfork(3) are not called by _Fork(3) and clone(2).
static _Atomic uint32_t *process_mark;
static _Atomic uint32_t plain_mark;
static void begin_child(void) {
  plain_mark = 0;
  grl_process();
}
__attribute__((constructor)) static void watch_forks(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  bool is_emptied = memory != MAP_FAILED && madvise(memory, page, MADV_WIPEONFORK) == 0;
  process_mark = is_emptied ? memory : &plain_mark;
  *process_mark = (uint32_t)getpid();
  pthread_atfork(NULL, NULL, begin_child);
}

uint32_t grl_process(void) {
  uint32_t process = atomic_load_explicit(process_mark, memory_order_acquire);
  if (__builtin_expect(process != 0, 1)) return process;
  process = (uint32_t)getpid();
  // Before the mark: whoever reads that begins with none.
  forget_instruments();
  atomic_store_explicit(process_mark, process, memory_order_release);
  return process;
}

// Relaxed: see grl_instrumented.
void grl_instruments_change(int change) {
  grl_process();
  __atomic_fetch_add(&grl_instruments, (uint32_t)change, __ATOMIC_RELAXED);
}

// Defined by the module of instruments, where that is linked in.
extern char *grl_instruments_obey_environment(void) __attribute__((weak));

char *grl_instruments_begin(void) {
  static atomic_flag begun = ATOMIC_FLAG_INIT;
  if (grl_instruments_obey_environment == NULL || atomic_flag_test_and_set(&begun)) return NULL;
  return grl_instruments_obey_environment();
}

const char *grl_environment(const char *name) { return secure_getenv(name); }

pid_t grl_thread_id(void) { return (pid_t)syscall(SYS_gettid); }

void grl_thread_name(char *name, size_t capacity) {
  if (pthread_getname_np(pthread_self(), name, capacity) != 0) name[0] = 0;
}

typedef struct {
  void (*function)(void *);
  void *argument;
} Start;

static void *run(void *argument) {
  Start start = *(Start *)argument;
  free(argument);
  start.function(start.argument);
  return NULL;
}

int grl_thread_start(const char *name, void (*function)(void *), void *argument) {
  Start *start = malloc(sizeof *start);
  if (start == NULL) return ENOMEM;
  *start = (Start){function, argument};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // A thread inherits the mask of the one that starts it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int error = pthread_create(&thread, &attributes, run, start);
  if (error == 0) pthread_setname_np(thread, name);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (error != 0) free(start);
  return error;
}

sem_t *grl_semaphore_make(void) {
  sem_t *semaphore = calloc(1, sizeof *semaphore);
  if (semaphore != NULL) sem_init(semaphore, 0, 0);
  return semaphore;
}

void grl_semaphore_free(sem_t *semaphore) {
  sem_destroy(semaphore);
  free(semaphore);
}

static void raise_semaphore(int signal) {
  int error = errno;
  sem_t *semaphore = semaphores[signal];
  if (semaphore != NULL) sem_post(semaphore);
  errno = error;
}

bool grl_semaphore_on_signal(int signal, sem_t *semaphore) {
  struct sigaction before;
  if (signal <= 0 || signal >= NSIG || sigaction(signal, NULL, &before) != 0) return false;
  if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) return false;
  semaphores[signal] = semaphore;
  struct sigaction action = {.sa_handler = raise_semaphore, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  if (sigaction(signal, &action, NULL) == 0) return true;
  semaphores[signal] = NULL;
  return false;
}

void grl_semaphore_off_signal(int signal) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(signal, &action, NULL);
  semaphores[signal] = NULL;
}
