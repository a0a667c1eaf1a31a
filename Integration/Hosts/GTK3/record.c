#include "record.h"

static const char *const names[EVENTS] = { "frame", "actor", "common", "default", "private", "row" };
static const char *const results[] = { "refused", "finished", "stopped", "timedOut", "handledSource" };

static void (*say_places) (void);
static int counts[EVENTS];
static int counts_before[EVENTS];
static const char *mode;
static gboolean said_alive = TRUE;
/* When the places after the last run have been drawn. */
static int rest_at;

static const char *
short_name (const char *full)
{
  if (full == NULL || g_str_equal (full, GRUNLOOP_MODE_DEFAULT))
    return "default";
  if (g_str_equal (full, GRUNLOOP_MODE_MODAL_PANEL))
    return "modalPanel";
  if (g_str_equal (full, GRUNLOOP_MODE_EVENT_TRACKING))
    return "eventTracking";
  return full;
}

static void
fired (GRunLoopTimer *timer, gpointer event)
{
  record_count (GPOINTER_TO_INT (event));
}

static void
add_timer (Event event, const char *in_mode)
{
  g_autoptr (GRunLoopTimer) timer =
    grunloop_timer_new (20 * G_TIME_SPAN_MILLISECOND, TRUE, fired, GINT_TO_POINTER (event), NULL);
  grunloop_add (grunloop_get_main (), timer, in_mode, NULL);
}

void
record_start (void (*tell) (void))
{
  say_places = tell;
  add_timer (EVENT_COMMON, GRUNLOOP_MODE_COMMON);
  add_timer (EVENT_DEFAULT, GRUNLOOP_MODE_DEFAULT);
  add_timer (EVENT_PRIVATE, "private");
}

static int
since_begin (Event event)
{
  return counts[event] - counts_before[event];
}

void
record_count (Event event)
{
  counts[event]++;
  if (event == EVENT_ROW)
    {
      say_places ();
      record_say ("row %d in %s", counts[event], short_name (mode));
    }
  if (event == EVENT_FRAME && counts[event] == rest_at)
    {
      say_places ();
      record_say ("rest");
    }
  if (!said_alive && since_begin (EVENT_FRAME) >= 10 && since_begin (EVENT_ACTOR) >= 10
      && since_begin (EVENT_COMMON) >= 10)
    {
      said_alive = TRUE;
      say_places ();
      record_say ("alive in %s", short_name (mode));
    }
}

void
record_begin (const char *begun)
{
  mode = begun;
  memcpy (counts_before, counts, sizeof counts);
  said_alive = FALSE;
  record_say ("begin %s", short_name (mode));
}

void
record_end (GRunLoopRunResult result)
{
  g_autoptr (GString) all = g_string_new (NULL);
  for (Event event = 0; event < EVENTS; event++)
    g_string_append_printf (all, " %s=%d", names[event], since_begin (event));
  record_say ("end %s %s%s", short_name (mode), results[result], all->str);
  mode = NULL;
  said_alive = TRUE;
  rest_at = counts[EVENT_FRAME] + 5;
}

char *
record_status (void)
{
  return g_strdup_printf ("frame %d, mode %s", counts[EVENT_FRAME], short_name (mode));
}

void
record_say (const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_print ("%s\n", line);
}
