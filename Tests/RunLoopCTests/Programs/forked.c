#include "check.h"

#include <sys/wait.h>

/* A child that was forked without exec uses its parent's loop. Exits with what is wrong. */
static int
child (GRunLoop *loop, GRunLoopTimer *timer)
{
  g_autoptr (GError) error = NULL;
  int calls = 0;
  if (grunloop_perform (loop, count, &calls, NULL, &error) || !g_error_matches (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_FORKED))
    return 1;
  g_clear_error (&error);
  if (grunloop_perform_and_wait (loop, GRUNLOOP_FOREVER, count, &calls, &error)
      || !g_error_matches (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_FORKED))
    return 2;
  g_clear_error (&error);
  if (grunloop_add (loop, timer, "more", &error) || !g_error_matches (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_FORKED))
    return 3;
  if (CRITICAL (grunloop_run_in_mode, (loop, GRUNLOOP_MODE_DEFAULT, 0, FALSE)) != GRUNLOOP_RUN_REFUSED)
    return 4;
  CRITICAL_DONE ();
  return calls;
}

static void
fired (GRunLoopTimer *timer, gpointer user_data)
{
  *(int *) user_data += 1;
}

static void
the_child_gets_errors (void)
{
  int calls = 0, status = 0;
  GRunLoop *loop = grunloop_get_main ();
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (1, FALSE, fired, &calls, NULL);
  g_assert_true (grunloop_add (loop, timer, GRUNLOOP_MODE_DEFAULT, NULL));
  pid_t pid = fork ();
  if (pid == 0)
    _exit (child (loop, timer));
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  turn_until (&calls);
}

/* A daemon forks first and makes its loops then; loading the library does not make one. */
static void
the_daemon_has_loops (void)
{
  int status = 0;
  pid_t pid = fork ();
  if (pid == 0)
    {
      int calls = 0;
      grunloop_perform (grunloop_get_main (), count, &calls, NULL, NULL);
      turn_until (&calls);
      _exit (calls == 1 ? 0 : 1);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/1-the-daemon-has-loops", the_daemon_has_loops);
  g_test_add_func ("/2-the-child-gets-errors", the_child_gets_errors);
  return g_test_run ();
}
