#include <gio/gio.h>
#include <grunloop.h>

#include "swift_side.h"

/* An application in C: a timeout and an idle source of GLib's, a timer of the library's, and a Swift side that computes in
 * the background and ticks on the main actor. It quits when each has had enough turns, and every answer has come.
 * rule: E9, C1, G2, R10 */

enum { TURNS = 50, QUESTIONS = 20 };

typedef struct
{
  GApplication *application;
  GThread *main_thread;
  GThread *flood;
  int glib_ticks, idles, timer_ticks, swift_ticks, dispatched, answers, performed;
  int is_over, flood_is_over;
} Program;

static void
look (Program *program)
{
  g_assert_true (g_thread_self () == program->main_thread);
  if (MIN (program->glib_ticks, program->idles) < TURNS || MIN (program->timer_ticks, program->swift_ticks) < TURNS
      || program->answers < QUESTIONS || program->dispatched < QUESTIONS)
    return;
  program->is_over = TRUE;
  g_application_quit (program->application);
}

static gboolean
glib_tick (gpointer user_data)
{
  ((Program *) user_data)->glib_ticks++;
  look (user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
idle (gpointer user_data)
{
  ((Program *) user_data)->idles++;
  look (user_data);
  return G_SOURCE_CONTINUE;
}

static void
timer_tick (GRunLoopTimer *timer, gpointer user_data)
{
  ((Program *) user_data)->timer_ticks++;
  look (user_data);
}

static int
swift_tick (void *data)
{
  Program *program = data;
  program->swift_ticks++;
  look (program);
  return !program->is_over;
}

static void
dispatched (void *data)
{
  ((Program *) data)->dispatched++;
  look (data);
}

static void
answered (int count, void *data)
{
  g_assert_cmpint (count, ==, 1229);
  ((Program *) data)->answers++;
  look (data);
}

static void
performed (gpointer user_data)
{
  ((Program *) user_data)->performed++;
}

/* Keeps the main loop busy all the time: nobody is to starve for that. */
static gpointer
flood (gpointer user_data)
{
  Program *program = user_data;
  while (!g_atomic_int_get (&program->is_over))
    {
      for (int i = 0; i < 20; i++)
        grunloop_perform (grunloop_get_main (), performed, program, NULL, NULL);
      g_assert_true (grunloop_perform_and_wait (grunloop_get_main (), G_TIME_SPAN_MINUTE, performed, program, NULL));
    }
  g_atomic_int_set (&program->flood_is_over, TRUE);
  g_main_context_wakeup (NULL);
  return NULL;
}

static void
activate (GApplication *application, gpointer user_data)
{
  Program *program = user_data;
  g_application_hold (application);
  g_timeout_add (1, glib_tick, program);
  g_idle_add (idle, program);
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (G_TIME_SPAN_MILLISECOND, TRUE, timer_tick, program, NULL);
  g_assert_true (grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_COMMON, NULL));
  swift_side_start_ticking (swift_tick, program);
  for (int i = 0; i < QUESTIONS; i++)
    {
      swift_side_count_primes (10000, answered, program);
      swift_side_dispatch (dispatched, program);
    }
  program->flood = g_thread_new ("flood", flood, program);
}

int
main (int argc, char **argv)
{
  Program program = { .main_thread = g_thread_self () };
  /* All that the Swift side needs: from here on the main actor lives in this thread's main context. */
  grunloop_get_main ();
  program.application = g_application_new ("org.example.GRunLoop", G_APPLICATION_NON_UNIQUE);
  g_signal_connect (program.application, "activate", G_CALLBACK (activate), &program);
  int status = g_application_run (program.application, argc, argv);
  /* The flood's last question may still wait for its answer. */
  while (!g_atomic_int_get (&program.flood_is_over))
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (program.flood);
  g_print ("turns: GLib's timeout %d, its idle source %d, the timer %d, Swift's task %d; %d answers, %d performs\n",
           program.glib_ticks, program.idles, program.timer_ticks, program.swift_ticks, program.answers,
           program.performed);
  g_object_unref (program.application);
  return status == 0 && program.is_over ? 0 : 1;
}
