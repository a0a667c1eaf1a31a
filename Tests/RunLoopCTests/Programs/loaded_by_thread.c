#include <glib.h>

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* `loaded_by_thread LIBRARY WHO END`: a thread loads the library, which is not linked here. WHO asks for the main loop
 * first, that `thread` or the `first`; END is whether the thread `ends` before the main loop runs, or `stays`. */

static const char *path, *who, *end;
static void *library;
static int is_loaded, warnings;

static gpointer
get_main (void)
{
  gpointer (*function) (void) = dlsym (library, "grunloop_get_main");
  g_assert_nonnull (function);
  return function ();
}

static void *
load (void *argument)
{
  library = dlopen (path, RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    g_error ("%s", dlerror ());
  if (strcmp (who, "thread") == 0)
    get_main ();
  g_atomic_int_set (&is_loaded, TRUE);
  while (strcmp (end, "stays") == 0)
    pause ();
  return NULL;
}

static GLogWriterOutput
listen_to (GLogLevelFlags level, const GLogField *fields, gsize count, gpointer user_data)
{
  g_autofree char *text = g_log_writer_format_fields (level, fields, count, FALSE);
  g_assert_nonnull (strstr (text, "the main queue is not served"));
  g_atomic_int_inc (&warnings);
  /* Whoever hears of it may use the loop. */
  get_main ();
  return G_LOG_WRITER_HANDLED;
}

static void
called (gpointer user_data)
{
  *(int *) user_data += 1;
}

static gboolean
quit (gpointer main_loop)
{
  g_main_loop_quit (main_loop);
  return G_SOURCE_REMOVE;
}

int
main (int argc, char **argv)
{
  g_assert_cmpint (argc, ==, 4);
  path = argv[1];
  who = argv[2];
  end = argv[3];
  alarm (120);
  g_log_set_writer_func (listen_to, NULL, NULL);
  pthread_t thread;
  pthread_create (&thread, NULL, load, NULL);
  while (!g_atomic_int_get (&is_loaded))
    g_usleep (1000);
  if (strcmp (end, "ends") == 0)
    pthread_join (thread, NULL);

  /* All else is as ever on the first thread: GLib drives, and then the library itself. */
  gpointer loop = get_main ();
  gboolean (*perform) (gpointer, gpointer, gpointer, gpointer, gpointer) = dlsym (library, "grunloop_perform");
  int (*run) (gpointer, const char *, gint64, gboolean) = dlsym (library, "grunloop_run_in_mode");
  void (*async) (void *, void *, void (*) (void *)) = dlsym (RTLD_DEFAULT, "dispatch_async_f");
  int calls = 0, queue_calls = 0;
  g_assert_true (perform (loop, called, &calls, NULL, NULL));
  if (async)
    async (dlsym (RTLD_DEFAULT, "_dispatch_main_q"), &queue_calls, called);
  g_autoptr (GMainLoop) main_loop = g_main_loop_new (NULL, FALSE);
  g_timeout_add (50, quit, main_loop);
  g_main_loop_run (main_loop);
  g_assert_cmpint (calls, ==, 1);
  g_assert_true (perform (loop, called, &calls, NULL, NULL));
  g_assert_cmpint (run (loop, "kCFRunLoopDefaultMode", 0, TRUE), ==, 4);
  g_assert_cmpint (calls, ==, 2);
  g_assert_cmpint (warnings, ==, 1);
  /* It stays: its threads and sources still use it. */
  dlclose (library);
  return 0;
}
