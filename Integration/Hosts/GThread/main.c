#include <grunloop.h>

#include <dirent.h>

/* A thread of GLib's that knows nothing of the library: it iterates a context of its own, with sources of its own.
 * rule: L3, L5, P3, P7 */

typedef struct
{
  GMainContext *context;
  GMainLoop *main_loop;
  GThread *thread;
  int ticks;
} Other;

static gboolean
tick (gpointer user_data)
{
  g_atomic_int_inc (&((Other *) user_data)->ticks);
  return G_SOURCE_CONTINUE;
}

static gpointer
other_main (gpointer user_data)
{
  Other *other = user_data;
  g_main_context_push_thread_default (other->context);
  g_main_loop_run (other->main_loop);
  g_main_context_pop_thread_default (other->context);
  return NULL;
}

static void
other_start (Other *other)
{
  other->context = g_main_context_new ();
  other->main_loop = g_main_loop_new (other->context, FALSE);
  other->ticks = 0;
  GSource *timeout = g_timeout_source_new (1);
  g_source_set_callback (timeout, tick, other, NULL);
  g_source_attach (timeout, other->context);
  g_source_unref (timeout);
  other->thread = g_thread_new ("other", other_main, other);
}

static void
other_quit (gpointer user_data)
{
  g_main_loop_quit (((Other *) user_data)->main_loop);
}

static void
other_free (Other *other)
{
  g_thread_join (other->thread);
  g_main_loop_unref (other->main_loop);
  g_main_context_unref (other->context);
}

typedef struct
{
  GThread *thread;
  int value;
} Answer;

static void
answer (gpointer user_data)
{
  Answer *answer = user_data;
  answer->thread = g_thread_self ();
  answer->value++;
}

static void
ask_main (gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  grunloop_perform_and_wait (grunloop_get_main (), GRUNLOOP_FOREVER, answer, user_data, &error);
  g_assert_no_error (error);
}

static void
performs_and_waits_both_ways (void)
{
  Other other;
  other_start (&other);
  g_autoptr (GRunLoop) loop = grunloop_ref_for_context (other.context);
  g_autoptr (GRunLoop) again = grunloop_ref_for_context (other.context);
  g_assert_true (loop == again);

  Answer there = { 0 }, here = { 0 };
  for (int i = 1; i <= 500; i++)
    {
      g_autoptr (GError) error = NULL;
      grunloop_perform_and_wait (loop, GRUNLOOP_FOREVER, answer, &there, &error);
      g_assert_no_error (error);
      g_assert_cmpint (there.value, ==, i);
      g_assert_true (there.thread == other.thread);
    }
  /* And back, while the main thread runs its own loop. */
  for (int i = 1; i <= 500; i++)
    {
      g_assert_true (grunloop_perform (loop, ask_main, &here, NULL, NULL));
      while (here.value < i)
        g_main_context_iteration (NULL, TRUE);
      g_assert_true (here.thread == g_thread_self ());
    }
  /* The thread's own sources go on. */
  int ticks = g_atomic_int_get (&other.ticks);
  while (g_atomic_int_get (&other.ticks) < ticks + 10)
    g_usleep (1000);
  grunloop_perform (loop, other_quit, &other, NULL, NULL);
  other_free (&other);
}

static void
fired (GRunLoopTimer *timer, gpointer user_data)
{
  Answer *answer = user_data;
  answer->thread = g_thread_self ();
  g_atomic_int_inc (&answer->value);
}

static void
gone (gpointer user_data)
{
  g_atomic_int_inc ((int *) user_data);
}

static void
its_items_fire_there (void)
{
  Other other;
  other_start (&other);
  g_autoptr (GRunLoop) loop = grunloop_ref_for_context (other.context);
  Answer answer = { 0 };
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (G_TIME_SPAN_MILLISECOND, TRUE, fired, &answer, NULL);
  g_assert_true (grunloop_add (loop, timer, GRUNLOOP_MODE_COMMON, NULL));
  while (g_atomic_int_get (&answer.value) < 10)
    g_usleep (1000);
  g_assert_true (answer.thread == other.thread);
  grunloop_perform (loop, other_quit, &other, NULL, NULL);
  other_free (&other);
}

static void
wait_a_moment_and_quit (gpointer user_data)
{
  g_usleep (10 * G_TIME_SPAN_MILLISECOND);
  other_quit (user_data);
}

static int never_called;

static void
never (gpointer user_data)
{
  g_atomic_int_inc (&never_called);
}

/* The thread ends while others wait for it: they get an error, and nothing hangs. */
static gpointer
waits (gpointer loop)
{
  for (;;)
    {
      g_autoptr (GError) error = NULL;
      Answer there = { 0 };
      if (grunloop_perform_and_wait (loop, GRUNLOOP_FOREVER, answer, &there, &error))
        continue;
      g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_ENDED);
      g_assert_cmpint (there.value, ==, 0);
      return NULL;
    }
}

static void
its_end_releases_those_who_wait (void)
{
  for (int i = 0; i < 20; i++)
    {
      Other other;
      GThread *waiters[3];
      int let_go = 0;
      other_start (&other);
      g_autoptr (GRunLoop) loop = grunloop_ref_for_context (other.context);
      g_autoptr (GRunLoopSource) source = grunloop_source_new ((GRunLoopSourceFunc) never, &let_go, gone);
      g_assert_true (grunloop_add (loop, source, GRUNLOOP_MODE_COMMON, NULL));
      for (guint j = 0; j < G_N_ELEMENTS (waiters); j++)
        waiters[j] = g_thread_new ("waiter", waits, loop);
      grunloop_perform (loop, wait_a_moment_and_quit, &other, NULL, NULL);
      other_free (&other);
      for (guint j = 0; j < G_N_ELEMENTS (waiters); j++)
        g_thread_join (waiters[j]);
      g_assert_false (grunloop_item_is_valid (source));
      g_assert_cmpint (let_go, ==, 1);
      g_autoptr (GError) error = NULL;
      g_assert_false (grunloop_perform (loop, never, NULL, NULL, &error));
      g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_ENDED);
    }
  g_assert_cmpint (never_called, ==, 0);
}

/* A main loop that quit while its thread lives on cannot be told from a pause; that is what the time limit is for. */
static void
a_pause_ends_with_the_time_limit (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GRunLoop) loop = grunloop_ref_for_context (context);
  g_autoptr (GError) error = NULL;
  g_assert_false (grunloop_perform_and_wait (loop, 5 * G_TIME_SPAN_MILLISECOND, never, NULL, &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_TIMED_OUT);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_assert_cmpint (never_called, ==, 0);
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

static void
threads_leave_no_descriptor (void)
{
  its_items_fire_there ();
  int before = open_descriptors ();
  for (int i = 0; i < 50; i++)
    its_items_fire_there ();
  g_assert_cmpint (open_descriptors (), ==, before);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  grunloop_get_main ();
  g_test_add_func ("/performs-and-waits-both-ways", performs_and_waits_both_ways);
  g_test_add_func ("/its-items-fire-there", its_items_fire_there);
  g_test_add_func ("/its-end-releases-those-who-wait", its_end_releases_those_who_wait);
  g_test_add_func ("/a-pause-ends-with-the-time-limit", a_pause_ends_with_the_time_limit);
  g_test_add_func ("/threads-leave-no-descriptor", threads_leave_no_descriptor);
  return g_test_run ();
}
