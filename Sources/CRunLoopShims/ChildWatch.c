#define _GNU_SOURCE
#include "CRunLoopShims.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>

// Not GLib's own source: without pidfd_open(2) that waits for SIGCHLD, takes the program's handler for it away for good,
// and hears nothing where the signal is blocked; and an end whose status the kernel did not keep it tells as success.
typedef struct {
  pthread_mutex_t lock;
  // NULL once it is gone. A thread that waits has no reference to it: before GLib 2.86 that would let it touch a context
  // that is being freed.
  GSource *source;
  pid_t pid;
  _Atomic int uses;
} Wait;

typedef struct {
  GSource source;
  pid_t pid;
  int pidfd;
  // NULL where no thread waits.
  Wait *wait;
  uint32_t process;
} ChildSource;

static void release(Wait *wait) {
  if (atomic_fetch_sub(&wait->uses, 1) > 1) return;
  pthread_mutex_destroy(&wait->lock);
  free(wait);
}

static gboolean child_dispatch(GSource *source, GSourceFunc callback, gpointer data) {
  ChildSource *child = (ChildSource *)source;
  int status = GRL_NO_STATUS;
  pid_t ended;
  do ended = waitpid(child->pid, &status, WNOHANG);
  while (ended < 0 && errno == EINTR);
  if (ended == 0) return G_SOURCE_CONTINUE;
  if (ended < 0) status = GRL_NO_STATUS;
  if (callback != NULL) ((GChildWatchFunc)callback)(child->pid, status, data);
  return G_SOURCE_REMOVE;
}

static void child_finalize(GSource *source) {
  ChildSource *child = (ChildSource *)source;
  if (child->pidfd >= 0) close(child->pidfd);
  // In a forked child the thread that waits is not there, and may hold the lock.
  if (child->wait == NULL || child->process != grl_process()) return;
  pthread_mutex_lock(&child->wait->lock);
  child->wait->source = NULL;
  pthread_mutex_unlock(&child->wait->lock);
  release(child->wait);
}

static GSourceFuncs child_functions = {.dispatch = child_dispatch, .finalize = child_finalize};

// A thread that waits hears of the end whatever the program does with SIGCHLD, and leaves the status where it is.
static void wait_for_end(void *argument) {
  Wait *wait = argument;
  siginfo_t information;
  while (waitid(P_PID, (id_t)wait->pid, &information, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
  pthread_mutex_lock(&wait->lock);
  if (wait->source != NULL) g_source_set_ready_time(wait->source, 0);
  pthread_mutex_unlock(&wait->lock);
  release(wait);
}

static int start_waiting(ChildSource *child) {
  Wait *wait = calloc(1, sizeof *wait);
  if (wait == NULL) return ENOMEM;
  pthread_mutex_init(&wait->lock, NULL);
  wait->source = &child->source;
  wait->pid = child->pid;
  wait->uses = 2;
  int error = grl_thread_start("grunloop-child", wait_for_end, wait);
  if (error != 0) {
    wait->uses = 1;
    release(wait);
  } else {
    child->wait = wait;
  }
  return error;
}

GSource *grl_child_source_new(pid_t pid) {
  GSource *source = g_source_new(&child_functions, sizeof(ChildSource));
  g_source_set_static_name(source, "GRunLoop child");
  ChildSource *child = (ChildSource *)source;
  child->pid = pid;
  child->pidfd = -1;
  child->process = grl_process();
  return source;
}

int grl_child_source_watch(GSource *source) {
  ChildSource *child = (ChildSource *)source;
  if (child->pidfd >= 0 || child->wait != NULL || g_source_get_ready_time(source) >= 0) return 0;
  siginfo_t information = {0};
  int found;
  do found = waitid(P_PID, (id_t)child->pid, &information, WEXITED | WNOHANG | WNOWAIT);
  while (found < 0 && errno == EINTR);
  if (found < 0 || information.si_pid == child->pid) {
    // It has ended; or it is no child of this process any more, and the number may be another process's.
    g_source_set_ready_time(source, 0);
    return 0;
  }
  child->pidfd = grl_system.pidfd_open(child->pid, 0);
  if (child->pidfd < 0) {
    // An old kernel, a sandbox, or no descriptor is left.
    if (grl_is_refusal(errno)) grl_refused(GRL_PIDFD_OPEN, errno);
    return start_waiting(child);
  }
  g_source_add_unix_fd(source, child->pidfd, G_IO_IN);
  return 0;
}
