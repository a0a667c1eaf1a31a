#include "check.h"

#include <dirent.h>

enum { THREADS = 4, ROUNDS = 2000 };

static int fired_count, performed, gone;

static void
fired (GRunLoopSource *source, gpointer user_data)
{
  g_atomic_int_inc (&fired_count);
}

static gpointer
storms (gpointer loop)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      g_autoptr (GRunLoopSource) source = grunloop_source_new (fired, &gone, count);
      g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (0, FALSE, (GRunLoopTimerFunc) fired, &gone, count);
      g_assert_true (grunloop_add (loop, source, GRUNLOOP_MODE_COMMON, NULL));
      g_assert_true (grunloop_add (loop, timer, GRUNLOOP_MODE_COMMON, NULL));
      grunloop_source_signal (source);
      g_assert_true (grunloop_perform (loop, count, &performed, NULL, NULL));
      g_assert_true (grunloop_perform_and_wait (loop, GRUNLOOP_FOREVER, count, &performed, NULL));
      grunloop_item_invalidate (source);
      grunloop_item_invalidate (timer);
    }
  return NULL;
}

static void
all_call_at_once (void)
{
  Worker worker;
  GThread *threads[THREADS];
  worker_start (&worker);
  for (int i = 0; i < THREADS; i++)
    threads[i] = g_thread_new ("storm", storms, worker.loop);
  for (int i = 0; i < THREADS; i++)
    g_thread_join (threads[i]);
  worker_end (&worker);
  grunloop_unref (worker.loop);
  g_assert_cmpint (performed, ==, 2 * THREADS * ROUNDS);
  g_assert_cmpint (gone, ==, 2 * THREADS * ROUNDS);
}

static int
open_descriptors (void)
{
  int number = 0;
  DIR *folder = opendir ("/proc/self/fd");
  while (readdir (folder))
    number++;
  closedir (folder);
  return number;
}

static gpointer
has_a_loop (gpointer user_data)
{
  grunloop_perform (grunloop_get_current (), count, user_data, NULL, NULL);
  grunloop_run_in_mode (grunloop_get_current (), GRUNLOOP_MODE_DEFAULT, 0, FALSE);
  return NULL;
}

static void
threads_leave_nothing (void)
{
  int calls = 0;
  g_thread_join (g_thread_new (NULL, has_a_loop, &calls));
  int before = open_descriptors ();
  for (int i = 0; i < 500; i++)
    g_thread_join (g_thread_new (NULL, has_a_loop, &calls));
  g_assert_cmpint (open_descriptors (), ==, before);
  g_assert_cmpint (calls, ==, 501);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/all-call-at-once", all_call_at_once);
  g_test_add_func ("/threads-leave-nothing", threads_leave_nothing);
  return g_test_run ();
}
