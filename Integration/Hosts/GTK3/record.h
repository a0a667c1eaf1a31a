/* What comes in each run, told on the standard output to whoever checks. */

#pragma once

#include <grunloop.h>

typedef enum {
  EVENT_FRAME,   /* the frame clock has had one painted */
  EVENT_ACTOR,   /* a task of the main actor's has woken from a short sleep */
  EVENT_COMMON,  /* timers in the modes of these names */
  EVENT_DEFAULT,
  EVENT_PRIVATE,
  EVENT_ROW,     /* the background work has added one */
  EVENTS
} Event;

void record_start (void (*say_places) (void));
void record_count (Event event);
void record_begin (const char *mode);
void record_end (GRunLoopRunResult result);
char *record_status (void);
void record_say (const char *format, ...) G_GNUC_PRINTF (1, 2);
