/* What programs do that matters to a guest: `habits WAY`. Prints nothing that depends on time. */
#define _GNU_SOURCE
#include <glib-unix.h>
#include <glib.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int
entries (const char *path)
{
  DIR *folder = opendir (path);
  int count = 0;
  while (readdir (folder))
    count++;
  closedir (folder);
  return count;
}

static void
say_what_there_is (void)
{
  printf ("%d descriptors, %d threads\n", entries ("/proc/self/fd"), entries ("/proc/self/task"));
}

static gboolean
tick (gpointer loop)
{
  static int ticks;
  if (++ticks == 20)
    {
      printf ("20 ticks\n");
      ticks = 0;
      g_main_loop_quit (loop);
      return G_SOURCE_REMOVE;
    }
  return G_SOURCE_CONTINUE;
}

static gpointer
run (gpointer nothing)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  printf ("source %u\n", g_timeout_add (1, tick, loop));
  g_main_loop_run (loop);
  printf ("pending %d\n", g_main_context_pending (NULL));
  say_what_there_is ();
  return nothing;
}

static gboolean
read_some (int fd, GIOCondition condition, gpointer nothing)
{
  char bytes[100];
  printf ("read %zd\n", read (fd, bytes, sizeof bytes));
  return G_SOURCE_REMOVE;
}

/* Closes what it does not know; what it opens gets those numbers. */
static void
close_all_and_run (void)
{
  close_range (3, ~0U, 0);
  int file = open (g_get_tmp_dir (), O_TMPFILE | O_RDWR, 0600), ends[2], counters[6];
  if (pipe (ends) != 0 || write (ends[1], "hello", 5) != 5)
    abort ();
  for (int i = 0; i < 6; i++)
    eventfd_write (counters[i] = eventfd (0, EFD_NONBLOCK), 1);
  g_unix_fd_add (ends[0], G_IO_IN, read_some, NULL);
  run (NULL);
  for (int i = 0; i < 6; i++)
    {
      eventfd_t value = 0;
      eventfd_read (counters[i], &value);
      printf ("counter %d\n", (int) value);
    }
  printf ("file %d\n", (int) lseek (file, 0, SEEK_END));
}

static void
fork_and (void (*body) (void))
{
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      body ();
      fflush (stdout);
      _exit (0);
    }
  int status;
  waitpid (child, &status, 0);
  printf ("child %x\n", status);
}

static void
run_here (void)
{
  run (NULL);
}

static void
step_by_step (void)
{
  GMainContext *context = g_main_context_default ();
  g_assert_true (g_main_context_acquire (context));
  int priority, limit, turns = 0;
  GPollFD fds[8];
  for (; turns < 3; turns++)
    {
      g_main_context_prepare (context, &priority);
      int count = g_main_context_query (context, priority, &limit, fds, 8);
      printf ("%d descriptors to poll, limit %d\n", count, limit);
      g_poll (fds, count, 0);
      if (g_main_context_check (context, priority, fds, count))
        g_main_context_dispatch (context);
    }
  g_main_context_release (context);
  printf ("iteration %d\n", g_main_context_iteration (NULL, FALSE));
}

int
main (int argc, char **argv)
{
  const char *way = argc > 1 ? argv[1] : "";
  alarm (60);
  say_what_there_is ();
  if (strcmp (way, "run") == 0)
    run (NULL);
  else if (strcmp (way, "other-thread") == 0)
    g_thread_join (g_thread_new (NULL, run, NULL));
  else if (strcmp (way, "steps") == 0)
    step_by_step ();
  else if (strcmp (way, "close") == 0)
    close_all_and_run ();
  else if (strcmp (way, "fork") == 0)
    fork_and (run_here);
  else if (strcmp (way, "fork-close") == 0)
    fork_and (close_all_and_run);
  else if (strcmp (way, "run-fork") == 0)
    {
      run (NULL);
      fork_and (run_here);
    }
  else if (strcmp (way, "daemon") == 0)
    {
      /* Says no more on a terminal; the pipe stays. */
      fflush (stdout);
      if (daemon (1, 1) == 0)
        run (NULL);
    }
  else if (strcmp (way, "warn") == 0)
    g_warning ("one");
  else if (strcmp (way, "abort") == 0)
    abort ();
  else
    return 2;
  return 0;
}
