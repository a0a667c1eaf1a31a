#include "check.h"

static int calls, gone;

static gboolean
fired (gpointer user_data)
{
  calls++;
  return G_SOURCE_CONTINUE;
}

static gboolean
fired_once (gpointer user_data)
{
  calls++;
  return G_SOURCE_REMOVE;
}

static void
let_go (gpointer user_data)
{
  gone++;
}

static void
obeys_its_modes (void)
{
  GRunLoop *loop = grunloop_get_main ();
  calls = gone = 0;
  GSource *idle = g_idle_source_new ();
  g_source_set_callback (idle, fired, NULL, let_go);
  g_autoptr (GRunLoopForeignSource) item = grunloop_foreign_source_new (idle);
  g_source_unref (idle);
  g_assert_true (grunloop_add (loop, item, "player", NULL));
  turn ();
  g_assert_cmpint (calls, ==, 0);
  grunloop_run_in_mode (loop, "player", 0, FALSE);
  g_assert_cmpint (calls, ==, 1);
  grunloop_remove (loop, item, "player");
  g_assert_false (grunloop_item_is_valid (item));
  g_assert_cmpint (gone, ==, 1);
}

static void
is_gone_when_it_ends (void)
{
  calls = gone = 0;
  GSource *idle = g_idle_source_new ();
  g_source_set_callback (idle, fired_once, NULL, let_go);
  g_autoptr (GRunLoopForeignSource) item = grunloop_foreign_source_new (idle);
  g_source_unref (idle);
  g_assert_true (grunloop_add (grunloop_get_main (), item, GRUNLOOP_MODE_COMMON, NULL));
  while (grunloop_item_is_valid (item))
    turn ();
  g_assert_cmpint (calls, ==, 1);
  g_assert_cmpint (gone, ==, 1);
}

static void
attached_elsewhere_is_refused (void)
{
  g_autoptr (GError) error = NULL;
  GSource *idle = g_idle_source_new ();
  g_source_attach (idle, NULL);
  g_autoptr (GRunLoopForeignSource) item = grunloop_foreign_source_new (idle);
  g_assert_false (grunloop_add (grunloop_get_main (), item, GRUNLOOP_MODE_COMMON, &error));
  g_assert_error (error, GRUNLOOP_ERROR, GRUNLOOP_ERROR_REFUSED);
  g_source_destroy (idle);
  g_source_unref (idle);
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/obeys-its-modes", obeys_its_modes);
  g_test_add_func ("/is-gone-when-it-ends", is_gone_when_it_ends);
  g_test_add_func ("/attached-elsewhere-is-refused", attached_elsewhere_is_refused);
  return g_test_run ();
}
