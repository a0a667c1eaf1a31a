#include "check.h"

#include <poll.h>

/* A host with nothing but poll(2). */

static void
fired (GRunLoopTimer *timer, gpointer user_data)
{
  ++*(int *) user_data;
}

static gboolean
glib_fired (gpointer user_data)
{
  ++*(int *) user_data;
  return G_SOURCE_REMOVE;
}

static void
host_until (int descriptor, const int *done)
{
  while (!g_atomic_int_get (done))
    {
      struct pollfd polled = { .fd = descriptor, .events = POLLIN };
      g_assert_cmpint (poll (&polled, 1, 60000), ==, 1);
      grunloop_iterate (grunloop_get_current ());
    }
}

static gpointer
performs (gpointer user_data)
{
  gpointer *what = user_data;
  g_usleep (5 * G_TIME_SPAN_MILLISECOND);
  g_assert_true (grunloop_perform (what[0], count, what[1], NULL, NULL));
  return NULL;
}

static void
runs_the_whole_context (void)
{
  g_autoptr (GError) error = NULL;
  GRunLoop *loop = grunloop_get_current ();
  int descriptor = grunloop_get_host_descriptor (loop, &error);
  g_assert_no_error (error);
  g_assert_cmpint (descriptor, >=, 0);
  g_assert_cmpint (grunloop_get_host_descriptor (loop, NULL), ==, descriptor);

  int timer_calls = 0, performed = 0, glib_calls = 0;
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (G_TIME_SPAN_MILLISECOND, FALSE, fired, &timer_calls, NULL);
  g_assert_true (grunloop_add (loop, timer, GRUNLOOP_MODE_DEFAULT, NULL));
  host_until (descriptor, &timer_calls);

  gpointer what[] = { loop, &performed };
  GThread *thread = g_thread_new (NULL, performs, what);
  host_until (descriptor, &performed);
  g_thread_join (thread);

  g_timeout_add (1, glib_fired, &glib_calls);
  grunloop_wake_up (loop);
  host_until (descriptor, &glib_calls);
}

static void
is_silent_when_there_is_nothing (void)
{
  GRunLoop *loop = grunloop_get_current ();
  struct pollfd polled = { .fd = grunloop_get_host_descriptor (loop, NULL), .events = POLLIN };
  while (grunloop_iterate (loop))
    ;
  g_assert_cmpint (poll (&polled, 1, 0), ==, 0);
}

static gpointer
elsewhere (gpointer loop)
{
  g_autoptr (GError) error = NULL;
  g_assert_cmpint (grunloop_get_host_descriptor (loop, &error), ==, -1);
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_WRONG_THREAD);
  return NULL;
}

static void
is_for_the_loops_thread (void)
{
  g_thread_join (g_thread_new (NULL, elsewhere, grunloop_get_current ()));
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/runs-the-whole-context", runs_the_whole_context);
  g_test_add_func ("/is-silent-when-there-is-nothing", is_silent_when_there_is_nothing);
  g_test_add_func ("/is-for-the-loops-thread", is_for_the_loops_thread);
  return g_test_run ();
}
