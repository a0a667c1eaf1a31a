#include "check.h"

#include <signal.h>
#include <sys/wait.h>

static int done, status, gone;

static void
received (GRunLoopSignalSource *source, gpointer user_data)
{
  g_assert_cmpint (grunloop_signal_source_get_signum (source), ==, SIGUSR1);
  done = TRUE;
}

static void
ended (GRunLoopChildSource *source, int wait_status, gpointer user_data)
{
  g_assert_cmpint (grunloop_child_source_get_pid (source), ==, *(GPid *) user_data);
  status = wait_status;
  done = TRUE;
}

static void
let_go (gpointer user_data)
{
  gone++;
}

static void
a_signal_is_a_source (void)
{
  done = gone = 0;
  g_autoptr (GRunLoopSignalSource) source
      = grunloop_signal_source_new (SIGUSR1, G_PRIORITY_DEFAULT, received, NULL, let_go);
  g_assert_true (grunloop_add (grunloop_get_main (), source, GRUNLOOP_MODE_COMMON, NULL));
  raise (SIGUSR1);
  turn_until (&done);
  grunloop_item_invalidate (source);
  turn ();
  g_assert_cmpint (gone, ==, 1);
}

static void
a_childs_end_is_one_too (void)
{
  done = gone = 0;
  char *argv[] = { "/bin/sh", "-c", "exit 7", NULL };
  GPid pid;
  g_assert_true (g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL));
  g_autoptr (GRunLoopChildSource) source
      = grunloop_child_source_new (pid, G_PRIORITY_DEFAULT, ended, &pid, let_go);
  g_assert_true (grunloop_add (grunloop_get_main (), source, GRUNLOOP_MODE_COMMON, NULL));
  turn_until (&done);
  g_assert_cmpint (WEXITSTATUS (status), ==, 7);
  g_assert_false (grunloop_item_is_valid (source));
  turn ();
  g_assert_cmpint (gone, ==, 1);
}

static void
one_never_added_lets_go_too (void)
{
  gone = 0;
  grunloop_item_unref (grunloop_signal_source_new (SIGUSR2, G_PRIORITY_DEFAULT, received, NULL, let_go));
  g_assert_cmpint (gone, ==, 1);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/a-signal-is-a-source", a_signal_is_a_source);
  g_test_add_func ("/a-childs-end-is-one-too", a_childs_end_is_one_too);
  g_test_add_func ("/one-never-added-lets-go-too", one_never_added_lets_go_too);
  return g_test_run ();
}
