// Sysprof's own profiler, of its library, with no source but the one that it always has and that needs no privilege: what
// the program itself tells.
// capture FILE PROGRAM ARGUMENTS… runs the program, and prints the marks: start, duration, group, name and message.
#include <stdio.h>
#include <stdlib.h>
#include <sysprof.h>

static void failed(SysprofProfiler *profiler, const GError *error, gpointer data) {
  fprintf(stderr, "the capture failed: %s\n", error->message);
  exit(1);
}

static void stopped(SysprofProfiler *profiler, gpointer loop) { g_main_loop_quit(loop); }

int main(int count, char **arguments) {
  if (count < 3) return 2;
  SysprofCaptureWriter *writer = sysprof_capture_writer_new(arguments[1], 0);
  if (writer == NULL) return 1;
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  SysprofProfiler *profiler = sysprof_local_profiler_new();
  sysprof_profiler_set_writer(profiler, writer);
  sysprof_profiler_set_whole_system(profiler, FALSE);
  sysprof_profiler_set_spawn(profiler, TRUE);
  sysprof_profiler_set_spawn_inherit_environ(profiler, TRUE);
  sysprof_profiler_set_spawn_argv(profiler, (const char *const *)(arguments + 2));
  g_signal_connect(profiler, "failed", G_CALLBACK(failed), NULL);
  g_signal_connect(profiler, "stopped", G_CALLBACK(stopped), loop);
  sysprof_profiler_start(profiler);
  // It stops when the program ends.
  g_main_loop_run(loop);
  sysprof_capture_writer_flush(writer);

  SysprofCaptureReader *reader = sysprof_capture_reader_new(arguments[1]);
  SysprofCaptureFrameType type;
  if (reader == NULL) return 1;
  while (sysprof_capture_reader_peek_type(reader, &type)) {
    if (type != SYSPROF_CAPTURE_FRAME_MARK) {
      if (!sysprof_capture_reader_skip(reader)) return 1;
      continue;
    }
    const SysprofCaptureMark *mark = sysprof_capture_reader_read_mark(reader);
    if (mark == NULL) return 1;
    printf("%ld\t%ld\t%s\t%s\t%s\n", (long)mark->frame.time, (long)mark->duration, mark->group, mark->name, mark->message);
  }
  return 0;
}
