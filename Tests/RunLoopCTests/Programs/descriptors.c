#include "check.h"

typedef struct
{
  int done, gone;
  GIOCondition events;
} Record;

static void
ready (GRunLoopDescriptorSource *source, GIOCondition events, gpointer user_data)
{
  Record *record = user_data;
  record->events = events;
  record->done = TRUE;
}

static void
gone (gpointer user_data)
{
  ((Record *) user_data)->gone++;
}

static void
fires_while_ready (void)
{
  Record record = { 0 };
  GRunLoop *loop = grunloop_get_main ();
  int ends[2];
  g_assert_cmpint (pipe (ends), ==, 0);
  g_autoptr (GRunLoopDescriptorSource) source
      = grunloop_descriptor_source_new (ends[0], G_IO_IN, 1, G_PRIORITY_DEFAULT, ready, &record, gone);
  g_assert_cmpint (grunloop_descriptor_source_get_fd (source), ==, ends[0]);
  g_assert_cmpint (grunloop_descriptor_source_get_events (source), ==, G_IO_IN);
  g_assert_true (grunloop_add (loop, source, GRUNLOOP_MODE_DEFAULT, NULL));
  turn ();
  g_assert_false (record.done);
  g_assert_cmpint (write (ends[1], "x", 1), ==, 1);
  turn_until (&record.done);
  g_assert_cmpint (record.events, ==, G_IO_IN);

  /* Nobody has read; but it is paused. */
  grunloop_descriptor_source_set_events (source, 0);
  g_assert_cmpint (grunloop_descriptor_source_get_events (source), ==, 0);
  record = (Record){ 0 };
  turn ();
  g_assert_false (record.done);
  grunloop_descriptor_source_set_events (source, G_IO_IN);
  close (ends[1]);
  turn_until (&record.done);
  while (!(record.events & G_IO_HUP))
    turn ();
  grunloop_item_invalidate (source);
  g_assert_cmpint (record.gone, ==, 1);
  close (ends[0]);
}

static void
closed_one_is_reported (void)
{
  Record record = { 0 };
  int ends[2];
  g_assert_cmpint (pipe (ends), ==, 0);
  g_autoptr (GRunLoopDescriptorSource) source
      = grunloop_descriptor_source_new (ends[0], G_IO_IN, 0, G_PRIORITY_DEFAULT, ready, &record, gone);
  g_assert_true (grunloop_add (grunloop_get_main (), source, GRUNLOOP_MODE_DEFAULT, NULL));
  close (ends[0]);
  close (ends[1]);
  while (!record.gone)
    turn ();
  g_assert_cmpint (record.events & G_IO_NVAL, ==, G_IO_NVAL);
  g_assert_false (grunloop_item_is_valid (source));
}

static void
one_that_is_not_open_is_refused (void)
{
  Record record = { 0 };
  g_autoptr (GError) error = NULL;
  int ends[2];
  g_assert_cmpint (pipe (ends), ==, 0);
  close (ends[0]);
  close (ends[1]);
  g_autoptr (GRunLoopDescriptorSource) source
      = grunloop_descriptor_source_new (ends[0], G_IO_IN, 0, G_PRIORITY_DEFAULT, ready, &record, gone);
  g_assert_false (grunloop_add (grunloop_get_main (), source, GRUNLOOP_MODE_DEFAULT, &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_REFUSED);
  g_assert_nonnull (strstr (error->message, GRUNLOOP_MODE_DEFAULT) ?: strstr (error->message, "\"default\""));
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/fires-while-ready", fires_while_ready);
  g_test_add_func ("/closed-one-is-reported", closed_one_is_reported);
  g_test_add_func ("/one-that-is-not-open-is-refused", one_that_is_not_open_is_refused);
  return g_test_run ();
}
