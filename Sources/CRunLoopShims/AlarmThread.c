#define _GNU_SOURCE
#include "AlarmThread.h"

#include <pthread.h>
#include <stdatomic.h>
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

// The process's. A forked child has no thread of its parent's, which may have held the mutex: it makes its own.
typedef struct {
  pid_t process;
  pthread_mutex_t mutex;
  // What follows is guarded by the mutex.
  pthread_cond_t changed;
  alarm_entry *entries;
  bool has_thread;
} alarm_table;
static alarm_table *_Atomic table;

// NULL before there is any.
static alarm_table *own_table(void) {
  alarm_table *found = atomic_load(&table);
  return found && found->process == getpid() ? found : NULL;
}

// NULL if there is no memory for it.
static alarm_table *make_table(void) {
  alarm_table *found = atomic_load(&table);
  if (found && found->process == getpid()) return found;
  alarm_table *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->process = getpid();
  pthread_mutex_init(&made->mutex, NULL);
  pthread_cond_init(&made->changed, NULL);
  if (atomic_compare_exchange_strong(&table, &found, made)) return made;
  // Another thread of this process was first.
  free(made);
  return found;
}

static int64_t later(int64_t now, int64_t length) { return length > INT64_MAX - now ? INT64_MAX : now + length; }

// Under the mutex: rings those whose date has come. Returns the monotonic time of the next look.
static int64_t ring_due(alarm_table *own) {
  int64_t next = INT64_MAX;
  for (alarm_entry *entry = own->entries; entry; entry = entry->next) {
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

static void ring(void *argument) {
  alarm_table *own = argument;
  prctl(PR_SET_TIMERSLACK, 1);
  pthread_mutex_lock(&own->mutex);
  while (true) {
    int64_t next = ring_due(own);
    if (next == INT64_MAX) {
      pthread_cond_wait(&own->changed, &own->mutex);
    } else {
      struct timespec until = {.tv_sec = next / 1000000000, .tv_nsec = next % 1000000000};
      pthread_cond_clockwait(&own->changed, &own->mutex, CLOCK_MONOTONIC, &until);
    }
  }
}

int grl_alarm_create(clockid_t clock) {
  alarm_table *own = make_table();
  alarm_entry *entry = own ? malloc(sizeof *entry) : NULL;
  if (!entry) return -1;
  int descriptor = grl_eventfd_create();
  if (descriptor < 0) {
    free(entry);
    return -1;
  }
  *entry = (alarm_entry){.descriptor = descriptor, .clock = clock, .date = INT64_MAX};
  pthread_mutex_lock(&own->mutex);
  if (!own->has_thread) own->has_thread = grl_thread_start("GRunLoop alarms", ring, own) == 0;
  bool is_there = own->has_thread;
  if (is_there) {
    entry->next = own->entries;
    own->entries = entry;
  }
  pthread_mutex_unlock(&own->mutex);
  if (is_there) return descriptor;
  free(entry);
  close(descriptor);
  return -1;
}

bool grl_alarm_arm(int descriptor, int64_t nanoseconds) {
  alarm_table *own = own_table();
  if (!own) return false;
  pthread_mutex_lock(&own->mutex);
  alarm_entry *entry = own->entries;
  while (entry && entry->descriptor != descriptor) entry = entry->next;
  if (entry) {
    entry->date = nanoseconds == 0 ? INT64_MAX : nanoseconds;
    // Whatever rang is over, as with a timerfd that is set anew.
    grl_eventfd_drain(descriptor);
    pthread_cond_signal(&own->changed);
  }
  pthread_mutex_unlock(&own->mutex);
  return entry != NULL;
}

void grl_alarm_forget(int descriptor) {
  alarm_table *own = own_table();
  if (!own) return;
  pthread_mutex_lock(&own->mutex);
  for (alarm_entry **link = &own->entries; *link; link = &(*link)->next) {
    alarm_entry *entry = *link;
    if (entry->descriptor != descriptor) continue;
    *link = entry->next;
    free(entry);
    break;
  }
  pthread_mutex_unlock(&own->mutex);
}
