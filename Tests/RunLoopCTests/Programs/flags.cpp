/* Flags combined as a C++ programmer combines them. */
#include <grunloop.h>

#include <unistd.h>

static GRunLoopActivity seen;

static void
observed (GRunLoopObserver *, GRunLoopActivity activity, gpointer)
{
  seen |= activity;
}

static void
readable (GRunLoopDescriptorSource *, GIOCondition events, gpointer user_data)
{
  *static_cast<GIOCondition *> (user_data) = events;
}

static void
activities_are_combined ()
{
  GRunLoop *loop = grunloop_get_main ();
  g_autoptr (GRunLoopObserver) observer
      = grunloop_observer_new (GRUNLOOP_ENTRY | GRUNLOOP_EXIT, TRUE, 0, observed, nullptr, nullptr);
  g_assert_true (grunloop_observer_get_activities (observer) == (GRUNLOOP_ENTRY | GRUNLOOP_EXIT));
  g_assert_true (grunloop_add (loop, observer, GRUNLOOP_MODE_DEFAULT, nullptr));
  grunloop_run_in_mode (loop, GRUNLOOP_MODE_DEFAULT, 0, FALSE);
  g_assert_true (seen == (GRUNLOOP_ENTRY | GRUNLOOP_EXIT));
  grunloop_item_invalidate (observer);

  GRunLoopActivity activities = GRUNLOOP_ALL_ACTIVITIES;
  activities &= ~GRUNLOOP_ENTRY;
  activities ^= GRUNLOOP_EXIT;
  g_assert_true ((activities & (GRUNLOOP_ENTRY | GRUNLOOP_EXIT)) == 0);
  g_assert_true ((activities | GRUNLOOP_ENTRY | GRUNLOOP_EXIT) == GRUNLOOP_ALL_ACTIVITIES);
}

static void
conditions_are_combined ()
{
  GRunLoop *loop = grunloop_get_main ();
  int ends[2];
  g_assert_cmpint (pipe (ends), ==, 0);
  GIOCondition events = static_cast<GIOCondition> (0);
  g_autoptr (GRunLoopDescriptorSource) several
      = grunloop_descriptor_source_new (ends[0], G_IO_IN | G_IO_PRI, 0, 0, readable, &events, nullptr);
  g_autoptr (GRunLoopDescriptorSource) one
      = grunloop_descriptor_source_new (ends[1], G_IO_OUT, 0, 0, readable, nullptr, nullptr);
  g_assert_nonnull (one);
  g_assert_true (grunloop_add (loop, several, GRUNLOOP_MODE_DEFAULT, nullptr));
  g_assert_cmpint (write (ends[1], "x", 1), ==, 1);
  while (events == 0)
    grunloop_run_in_mode (loop, GRUNLOOP_MODE_DEFAULT, G_TIME_SPAN_SECOND, TRUE);
  g_assert_cmpint (events, ==, G_IO_IN);
  grunloop_item_invalidate (several);
}

int
main (int argc, char **argv)
{
  alarm (300);
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/activities-are-combined", activities_are_combined);
  g_test_add_func ("/conditions-are-combined", conditions_are_combined);
  return g_test_run ();
}
