#include "check.h"

static gpointer
on_thread (gpointer user_data)
{
  GRunLoop *loop = grunloop_get_current ();
  g_assert_true (grunloop_get_current () == loop);
  g_assert_true (loop != grunloop_get_main ());
  g_assert_true (grunloop_is_current (loop));
  g_assert_false (grunloop_is_current (grunloop_get_main ()));
  g_assert_true (grunloop_get_context (loop) == g_main_context_get_thread_default ());
  return grunloop_ref (loop);
}

static void
each_thread_has_one (void)
{
  GRunLoop *loop = grunloop_get_main ();
  g_assert_true (grunloop_get_main () == loop);
  g_assert_true (grunloop_get_current () == loop);
  g_assert_true (grunloop_get_context (loop) == g_main_context_default ());
  g_assert_true (grunloop_is_current (loop));
  g_autoptr (GRunLoop) first = g_thread_join (g_thread_new (NULL, on_thread, NULL));
  g_autoptr (GRunLoop) second = g_thread_join (g_thread_new (NULL, on_thread, NULL));
  g_assert_true (first != second);
}

static gpointer
in_thread_default (gpointer user_data)
{
  GMainContext *context = g_main_context_new ();
  g_main_context_push_thread_default (context);
  g_assert_true (grunloop_get_context (grunloop_get_current ()) == context);
  g_main_context_pop_thread_default (context);
  g_main_context_unref (context);
  return NULL;
}

static void
lives_in_thread_default (void)
{
  g_thread_join (g_thread_new (NULL, in_thread_default, NULL));
}

static void
one_for_each_context (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GRunLoop) loop = grunloop_ref_for_context (context);
  g_autoptr (GRunLoop) again = grunloop_ref_for_context (context);
  g_autoptr (GRunLoop) default_one = grunloop_ref_for_context (NULL);
  g_assert_true (loop == again);
  g_assert_true (default_one == grunloop_get_main ());
  g_assert_true (grunloop_get_context (loop) == context);

  int calls = 0;
  g_assert_true (grunloop_perform (loop, count, &calls, NULL, NULL));
  while (!calls)
    g_main_context_iteration (context, TRUE);
  g_assert_true (grunloop_is_current (loop));
}

static void
describes_itself (void)
{
  g_autofree char *text = grunloop_to_string (grunloop_get_main ());
  g_assert_nonnull (strstr (text, "common modes: default, eventTracking, modalPanel"));
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/each-thread-has-one", each_thread_has_one);
  g_test_add_func ("/lives-in-thread-default", lives_in_thread_default);
  g_test_add_func ("/one-for-each-context", one_for_each_context);
  g_test_add_func ("/describes-itself", describes_itself);
  return g_test_run ();
}
