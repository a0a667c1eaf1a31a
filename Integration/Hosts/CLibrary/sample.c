#include <grunloop.h>

/* A worker thread that takes orders. The main thread gives them through a source; the worker says how far it is on the
 * main thread, where a window would show it. In the end the main thread has it stop, and waits for that.
 * rule: E9, G1 */

static GMainLoop *main_loop;

typedef struct
{
  GMutex mutex; /* for what follows */
  GQueue orders;

  int sum; /* the worker's own */
  GRunLoop *loop;
  GRunLoopSource *source;
} Worker;

static void
show (gpointer user_data)
{
  g_print ("the sum is %d now\n", GPOINTER_TO_INT (user_data));
  if (GPOINTER_TO_INT (user_data) == 55)
    g_main_loop_quit (main_loop);
}

static void
take_orders (GRunLoopSource *source, gpointer user_data)
{
  Worker *worker = user_data;
  g_mutex_lock (&worker->mutex);
  while (!g_queue_is_empty (&worker->orders))
    worker->sum += GPOINTER_TO_INT (g_queue_pop_head (&worker->orders));
  g_mutex_unlock (&worker->mutex);
  grunloop_perform (grunloop_get_main (), show, GINT_TO_POINTER (worker->sum), NULL, NULL);
}

static gpointer
work (gpointer user_data)
{
  Worker *worker = user_data;
  worker->loop = grunloop_ref (grunloop_get_current ());
  grunloop_add (worker->loop, worker->source, GRUNLOOP_MODE_DEFAULT, NULL);
  /* Returns once the source, the only one, is invalidated. */
  grunloop_run (worker->loop);
  return NULL;
}

static void
order (Worker *worker, int number)
{
  g_mutex_lock (&worker->mutex);
  g_queue_push_tail (&worker->orders, GINT_TO_POINTER (number));
  g_mutex_unlock (&worker->mutex);
  grunloop_source_signal (worker->source);
}

static void
stop (gpointer user_data)
{
  grunloop_item_invalidate (((Worker *) user_data)->source);
}

static void
tick (GRunLoopTimer *timer, gpointer user_data)
{
  static int number;
  order (user_data, ++number);
  if (number == 10)
    grunloop_item_invalidate (timer);
}

int
main (void)
{
  Worker worker = { 0 };
  g_mutex_init (&worker.mutex);
  g_queue_init (&worker.orders);
  worker.source = grunloop_source_new (take_orders, &worker, NULL);
  GThread *thread = g_thread_new ("worker", work, &worker);

  main_loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (5 * G_TIME_SPAN_MILLISECOND, TRUE, tick, &worker, NULL);
  grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_COMMON, NULL);
  g_main_loop_run (main_loop);

  g_autoptr (GError) error = NULL;
  if (!grunloop_perform_and_wait (worker.loop, 10 * G_TIME_SPAN_SECOND, stop, &worker, &error))
    g_error ("the worker did not stop: %s", error->message);
  g_thread_join (thread);
  grunloop_item_unref (worker.source);
  grunloop_unref (worker.loop);
  g_main_loop_unref (main_loop);
  g_mutex_clear (&worker.mutex);
  return worker.sum == 55 ? 0 : 1;
}
