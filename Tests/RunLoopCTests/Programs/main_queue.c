#include "check.h"

#include <dlfcn.h>

/* Dispatch's main queue, on which Swift's main actor lives, in a program that has only C. Its functions are found in the
 * process, since the program is not linked with Dispatch. */
static void
is_served (void)
{
  void (*async) (void *, void *, void (*) (void *)) = dlsym (RTLD_DEFAULT, "dispatch_async_f");
  void *main_queue = dlsym (RTLD_DEFAULT, "_dispatch_main_q");
  g_assert_nonnull (async);
  g_assert_nonnull (main_queue);
  int calls = 0;
  grunloop_get_main ();
  for (int i = 1; i <= 3; i++)
    {
      async (main_queue, &calls, count);
      g_assert_cmpint (calls, ==, i - 1);
      while (calls < i)
        if (glib_drives)
          g_main_context_iteration (NULL, TRUE);
        else
          grunloop_run_in_mode (grunloop_get_main (), GRUNLOOP_MODE_DEFAULT, GRUNLOOP_FOREVER, TRUE);
    }
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/is-served", is_served);
  return g_test_run ();
}
