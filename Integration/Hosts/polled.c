// Three things in a row: timers come at their dates, 100,000 posts of another thread all come, and a loop that waits
// wakes its host not once. Then GLib work that the host's own call-backs begin, if the host turns before it sleeps.
#include "polled.h"

#include <time.h>

#define TICKS 50
#define POSTS 100000
#define IDLE_MILLISECONDS 1000

static const PolledHost *host;
static GRunLoop *loop;
static int failures;
static guint turns;

static void expect(gboolean condition, const char *message) {
  if (condition) return;
  g_printerr("%s: %s\n", host->name, message);
  failures++;
}

static gint64 processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

// MARK: A loop that waits.

static guint turns_before;
static gint64 processor_before;

static gboolean foreign_came(gpointer data) {
  g_print("%s: what GLib code began in a call-back of the host's came\n", host->name);
  host->quit();
  return G_SOURCE_REMOVE;
}

static void woken(void) {
  guint vain = turns - turns_before;
  gint64 used = processor_time() - processor_before;
  g_print("%s: %u turns and %" G_GINT64_FORMAT " us of processor time in %d ms of rest\n", host->name, vain, used,
          IDLE_MILLISECONDS);
  expect(vain <= host->turns_for_own_events, "the descriptor of a loop that waits was readable");
  // A host that spins uses all that there is.
  expect(used < IDLE_MILLISECONDS * 1000 / 4, "a host whose loop waits does not rest");
  g_timeout_add(20, foreign_came, NULL);
}

static void rest(void) {
  turns_before = turns;
  processor_before = processor_time();
  host->after(IDLE_MILLISECONDS, woken);
}

// MARK: Posts.

static GThread *poster;
static int received;
static int foreign_received;

static void posts_came(void) {
  if (received + foreign_received < POSTS) return;
  g_print("%s: %d posts came, and %d of them as GLib's idle sources\n", host->name, received + foreign_received,
          foreign_received);
  expect(received + foreign_received == POSTS, "a post came twice");
  // Its last call may still have a wake-up to give.
  g_thread_join(poster);
  // What else the turn has left is over by then.
  host->after(50, rest);
}

static void receive(gpointer data) {
  received++;
  posts_came();
}

static gboolean receive_idle(gpointer data) {
  foreign_received++;
  posts_came();
  return G_SOURCE_REMOVE;
}

static gpointer post(gpointer data) {
  for (int number = 0; number < POSTS; number++) {
    if (number % 10 == 0) {
      g_autoptr(GSource) idle = g_idle_source_new();
      g_source_set_priority(idle, G_PRIORITY_DEFAULT);
      g_source_set_callback(idle, receive_idle, NULL, NULL);
      g_source_attach(idle, grunloop_get_context(loop));
    } else {
      grunloop_perform(loop, receive, NULL, NULL, NULL);
    }
    // Now and then the host is to fall asleep just as something comes.
    if (number % 100 == 0) g_usleep(g_random_int_range(0, 30));
  }
  return NULL;
}

// MARK: Timers.

static gint64 date, latest, sum;
static int ticks;

static void tick(GRunLoopTimer *timer, gpointer data) {
  gint64 lateness = g_get_monotonic_time() - date;
  expect(lateness >= 0, "a timer came before its date");
  latest = MAX(latest, lateness);
  sum += lateness;
  if (++ticks < TICKS) {
    date = g_get_monotonic_time() + 5000;
    grunloop_timer_set_fire_date(timer, date);
    return;
  }
  grunloop_item_invalidate(timer);
  g_print("%s: %d dates, %" G_GINT64_FORMAT " us late on average, %" G_GINT64_FORMAT " us at most\n", host->name, ticks,
          sum / TICKS, latest);
  poster = g_thread_new("poster", post, NULL);
}

int polled_begin(const PolledHost *polled_host) {
  host = polled_host;
  loop = grunloop_get_current();
  g_autoptr(GError) error = NULL;
  int descriptor = grunloop_get_host_descriptor(loop, &error);
  if (descriptor < 0) g_error("%s", error->message);
  date = g_get_monotonic_time() + 5000;
  // Each call moves the next one.
  g_autoptr(GRunLoopTimer) timer = grunloop_timer_new_full(GRUNLOOP_CLOCK_MONOTONIC, date, G_TIME_SPAN_DAY, TRUE, 0, 0,
                                                           G_PRIORITY_DEFAULT, tick, NULL, NULL);
  grunloop_add(loop, timer, GRUNLOOP_MODE_COMMON, NULL);
  return descriptor;
}

void polled_turn(void) {
  turns++;
  grunloop_iterate(loop);
}

int polled_end(void) { return failures == 0 ? 0 : 1; }
