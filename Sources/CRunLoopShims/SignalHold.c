#define _GNU_SOURCE
#include "CRunLoopShims.h"

// GLib sets a signal's action when the first source for it is made, whoever makes it, and resets it to the default when
// the last one is freed. What was there before stands here.
typedef struct {
  // How many sources of ours there are.
  int count;
  // None is left, but somebody else's source of GLib's is: what was there before is still to be given back.
  bool is_owed;
  struct sigaction before;
  // GLib's.
  struct sigaction taken;
} Hold;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Hold holds[NSIG];

// A thread that held the lock is not there in a forked child.
static void unlock_in_child(void) { lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; }
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, unlock_in_child); }

static struct sigaction current(int signal) {
  struct sigaction action;
  sigaction(signal, NULL, &action);
  return action;
}

static bool are_same(struct sigaction one, struct sigaction other) {
  int flags = SA_SIGINFO;
  return one.sa_handler == other.sa_handler && (one.sa_flags & flags) == (other.sa_flags & flags);
}

GSource *grl_signal_source_new(int signal) {
  pthread_mutex_lock(&lock);
  Hold *hold = &holds[signal];
  struct sigaction before = current(signal);
  GSource *source = g_unix_signal_source_new(signal);
  if (hold->count++ == 0) {
    if (!hold->is_owed || !are_same(before, hold->taken)) hold->before = before;
    hold->taken = current(signal);
    hold->is_owed = false;
  }
  pthread_mutex_unlock(&lock);
  return source;
}

void grl_signal_source_free(GSource *source, int signal) {
  pthread_mutex_lock(&lock);
  Hold *hold = &holds[signal];
  struct sigaction now = current(signal);
  g_source_unref(source);
  hold->count--;
  if (!are_same(now, current(signal))) {
    // GLib has reset it. A signal that comes just now has its default effect. What the program has put in GLib's place
    // meanwhile goes on.
    if (!are_same(now, hold->taken)) {
      sigaction(signal, &now, NULL);
    } else if (!are_same(hold->before, hold->taken)) {
      sigaction(signal, &hold->before, NULL);
    }
  } else {
    hold->is_owed = hold->count == 0 && are_same(now, hold->taken) && !are_same(hold->before, hold->taken);
  }
  pthread_mutex_unlock(&lock);
}
