/* What the programs have in common. Each is a C program that knows nothing of Swift; `glib` as its argument has GLib drive
 * the loop, anything else grunloop_run_in_mode(). GLib's test functions make every unexpected warning fatal. */
#pragma once

#include <grunloop.h>

#include <locale.h>
#include <string.h>
#include <unistd.h>

static gboolean glib_drives G_GNUC_UNUSED;

static void G_GNUC_UNUSED
begin (int *argc, char ***argv)
{
  alarm (300);
  glib_drives = *argc > 1 && strcmp ((*argv)[1], "glib") == 0;
  g_test_init (argc, argv, NULL);
}

/* Turns this thread's loop until something has happened. */
static void G_GNUC_UNUSED
turn_until (const int *done)
{
  GRunLoop *loop = grunloop_get_current ();
  /* Nothing else may wait; but for this the mode would be empty, and a run return at once. */
  grunloop_set_keep_alive (loop, TRUE);
  while (!*done)
    {
      if (glib_drives)
        g_main_context_iteration (grunloop_get_context (loop), TRUE);
      else
        grunloop_run_in_mode (loop, GRUNLOOP_MODE_DEFAULT, 50 * G_TIME_SPAN_MILLISECOND, TRUE);
    }
}

/* Handles what is ready now. */
static void G_GNUC_UNUSED
turn (void)
{
  GRunLoop *loop = grunloop_get_current ();
  for (int i = 0; i < 4; i++)
    {
      if (glib_drives)
        g_main_context_iteration (grunloop_get_context (loop), FALSE);
      else
        grunloop_run_in_mode (loop, GRUNLOOP_MODE_DEFAULT, 0, FALSE);
    }
}

static void G_GNUC_UNUSED
count (gpointer user_data)
{
  g_atomic_int_inc ((int *) user_data);
}

/* A thread that runs its loop until told. */
typedef struct
{
  GThread *thread;
  GRunLoop *loop;
  int is_ready, is_told;
} Worker;

static void G_GNUC_UNUSED
worker_told (gpointer user_data)
{
  ((Worker *) user_data)->is_told = TRUE;
}

static gpointer G_GNUC_UNUSED
worker_main (gpointer user_data)
{
  Worker *worker = user_data;
  worker->loop = grunloop_ref (grunloop_get_current ());
  g_atomic_int_set (&worker->is_ready, TRUE);
  turn_until (&worker->is_told);
  return NULL;
}

static void G_GNUC_UNUSED
worker_start (Worker *worker)
{
  memset (worker, 0, sizeof *worker);
  worker->thread = g_thread_new ("worker", worker_main, worker);
  while (!g_atomic_int_get (&worker->is_ready))
    g_usleep (100);
}

/* The loop's reference remains. */
static void G_GNUC_UNUSED
worker_end (Worker *worker)
{
  g_assert_true (grunloop_perform (worker->loop, worker_told, worker, NULL, NULL));
  g_thread_join (worker->thread);
}

/* A call that is to be told off in the log, by its name, and that does nothing else. */
#define CRITICAL(function, arguments)                                                                                  \
  (g_test_expect_message ("GLibRunLoop", G_LOG_LEVEL_CRITICAL, #function ": assertion '*' failed"),                    \
   function arguments)
#define CRITICAL_DONE() g_test_assert_expected_messages ()
