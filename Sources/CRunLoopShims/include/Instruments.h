// What lets a program see its loops: the switch that the engine looks at, and the system calls of the instruments.
#pragma once

#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// How many instruments are on in this process: traces, stall detectors, loops that collect metrics. 0, nearly always. A
// forked child begins with none.
extern uint32_t grl_instruments;
void grl_instruments_change(int change);
// All that the engine asks while none is on. Relaxed: one that is switched on just now misses a call-back at most.
static inline bool grl_instrumented(void) {
  return __builtin_expect(__atomic_load_n(&grl_instruments, __ATOMIC_RELAXED) != 0, 0);
}

// The number of this process. What instruments note with another one is the parent's: also in a child of _Fork(3) or
// clone(2), of which no handler hears. Costs a load.
uint32_t grl_process(void);

// Has the instruments begin that are linked into the program, once: they obey the environment. What went wrong, to be
// freed; NULL if nothing did, or there are none. Calls no code of the program's.
char *grl_instruments_begin(void);
// A variable of the environment; NULL where the program has more rights than who started it (secure_getenv(3)).
const char *grl_environment(const char *name);

// The kernel's number of this thread.
pid_t grl_thread_id(void);
// Writes this thread's name.
void grl_thread_name(char *name, size_t capacity);
// Starts a detached thread that takes no signals of the program's. Returns an error number.
int grl_thread_start(const char *name, void (*function)(void *), void *argument);

sem_t *grl_semaphore_make(void);
void grl_semaphore_free(sem_t *semaphore);
// Has a signal raise a semaphore. False if the program uses the signal already. One semaphore for each signal.
bool grl_semaphore_on_signal(int signal, sem_t *semaphore);
// Gives the signal its former meaning.
void grl_semaphore_off_signal(int signal);
