// A bare epoll loop is the host: its own descriptors beside the run loop's one.
// rule: R11
#include "../polled.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int set, clock_descriptor;
static gboolean is_done;
static void (*pending)(void);

static void watch(int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
  if (epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) != 0) g_error("epoll_ctl: %s", g_strerror(errno));
}

static void after(unsigned milliseconds, void (*call)(void)) {
  struct itimerspec when = {
      .it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L}};
  pending = call;
  timerfd_settime(clock_descriptor, 0, &when, NULL);
}

static void quit(void) { is_done = TRUE; }

int main(void) {
  const PolledHost host = {"epoll", after, quit, 0};
  set = epoll_create1(EPOLL_CLOEXEC);
  clock_descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  int descriptor = polled_begin(&host);
  watch(clock_descriptor);
  watch(descriptor);
  while (!is_done) {
    struct epoll_event ready[8];
    int count = epoll_wait(set, ready, G_N_ELEMENTS(ready), -1);
    for (int i = 0; i < count; i++) {
      if (ready[i].data.fd == descriptor) {
        polled_turn();
      } else {
        guint64 expirations;
        if (read(clock_descriptor, &expirations, sizeof expirations) == sizeof expirations) pending();
        // The host's own call-backs may have begun work of GLib's, which tells nobody.
        grunloop_iterate(grunloop_get_current());
      }
    }
  }
  return polled_end();
}
