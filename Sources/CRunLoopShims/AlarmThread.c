#define _GNU_SOURCE
#include "AlarmThread.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "CRunLoopShims.h"

typedef struct alarm_entry {
  int descriptor;
  clockid_t clock;
  int64_t date;  // INT64_MAX while it is not set.
  struct alarm_entry *next;
} alarm_entry;

// A clock other than the monotonic one is looked at again so often.
static const int64_t longest_trust = 1000000000;

// Guarded by the mutex. The thread is the process's, and a forked child has none of its own, so that all of this begins
// anew there; who holds the mutex in the parent is not known.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static alarm_entry *entries;
static bool has_thread;
// The process that all this is of; 0 before there is anything.
static pid_t owner;

static bool is_ours(void) {
  pid_t process = __atomic_load_n(&owner, __ATOMIC_ACQUIRE);
  return process != 0 && process == getpid();
}

static int64_t later(int64_t now, int64_t length) { return length > INT64_MAX - now ? INT64_MAX : now + length; }

// Under the mutex: rings those whose date has come. Returns the monotonic time of the next look.
static int64_t ring_due(void) {
  int64_t next = INT64_MAX;
  for (alarm_entry *entry = entries; entry; entry = entry->next) {
    if (entry->date == INT64_MAX) continue;
    int64_t rest = entry->date - grl_now(entry->clock);
    if (rest <= 0) {
      entry->date = INT64_MAX;
      grl_eventfd_signal(entry->descriptor);
      continue;
    }
    if (entry->clock != CLOCK_MONOTONIC && rest > longest_trust) rest = longest_trust;
    int64_t look = later(grl_now(CLOCK_MONOTONIC), rest);
    if (look < next) next = look;
  }
  return next;
}

static void ring(void *unused) {
  prctl(PR_SET_TIMERSLACK, 1);
  pthread_mutex_lock(&mutex);
  while (true) {
    int64_t next = ring_due();
    if (next == INT64_MAX) {
      pthread_cond_wait(&changed, &mutex);
    } else {
      struct timespec until = {.tv_sec = next / 1000000000, .tv_nsec = next % 1000000000};
      pthread_cond_clockwait(&changed, &mutex, CLOCK_MONOTONIC, &until);
    }
  }
}

static void begin_anew(void) {
  pid_t process = getpid();
  pid_t before = __atomic_load_n(&owner, __ATOMIC_ACQUIRE);
  if (before == process) return;
  if (before != 0) {
    // A forked child, which has one thread when it makes its first loop.
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    entries = NULL;
    has_thread = false;
  }
  __atomic_store_n(&owner, process, __ATOMIC_RELEASE);
}

int grl_alarm_create(clockid_t clock) {
  alarm_entry *entry = malloc(sizeof *entry);
  if (!entry) return -1;
  int descriptor = grl_eventfd_create();
  if (descriptor < 0) {
    free(entry);
    return -1;
  }
  begin_anew();
  *entry = (alarm_entry){.descriptor = descriptor, .clock = clock, .date = INT64_MAX};
  pthread_mutex_lock(&mutex);
  if (!has_thread) has_thread = grl_thread_start("GRunLoop alarms", ring, NULL) == 0;
  bool is_there = has_thread;
  if (is_there) {
    entry->next = entries;
    entries = entry;
  }
  pthread_mutex_unlock(&mutex);
  if (is_there) return descriptor;
  free(entry);
  close(descriptor);
  return -1;
}

bool grl_alarm_arm(int descriptor, int64_t nanoseconds) {
  if (!is_ours()) return false;
  pthread_mutex_lock(&mutex);
  alarm_entry *entry = entries;
  while (entry && entry->descriptor != descriptor) entry = entry->next;
  if (entry) {
    entry->date = nanoseconds == 0 ? INT64_MAX : nanoseconds;
    // Whatever rang is over, as with a timerfd that is set anew.
    grl_eventfd_drain(descriptor);
    pthread_cond_signal(&changed);
  }
  pthread_mutex_unlock(&mutex);
  return entry != NULL;
}

void grl_alarm_forget(int descriptor) {
  if (!is_ours()) return;
  pthread_mutex_lock(&mutex);
  for (alarm_entry **link = &entries; *link; link = &(*link)->next) {
    alarm_entry *entry = *link;
    if (entry->descriptor != descriptor) continue;
    *link = entry->next;
    free(entry);
    break;
  }
  pthread_mutex_unlock(&mutex);
}
