/* A host in C that loads a plug-in in Swift: `host PLUGIN WAY`, where it is loaded `first`, or `late`, while the main loop
 * runs. Prints how often its main actor ticked. */
#include <glib.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char *path;
static int (*count) (void);

static gboolean
load (gpointer nothing)
{
  void *plugin = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (!plugin)
    g_error ("%s", dlerror ());
  ((void (*) (void)) dlsym (plugin, "plugin_start")) ();
  *(void **) &count = dlsym (plugin, "plugin_count");
  return G_SOURCE_REMOVE;
}

static gboolean
look (gpointer loop)
{
  static int looks;
  /* Ten ticks, or a wait in which there would have been many. */
  if ((count && count () >= 10) || ++looks == 100)
    g_main_loop_quit (loop);
  return G_SOURCE_CONTINUE;
}

int
main (int argc, char **argv)
{
  path = argv[1];
  if (argc != 3 || strcmp (argv[2], "late") != 0)
    load (NULL);
  else
    g_timeout_add (20, load, NULL);
  GMainLoop *loop = g_main_loop_new (NULL, FALSE);
  g_timeout_add (20, look, loop);
  g_main_loop_run (loop);
  printf ("%s\n", count && count () >= 10 ? "ticks" : "no ticks");
  return 0;
}
