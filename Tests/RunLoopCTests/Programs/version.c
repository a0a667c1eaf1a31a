/* Which version the header is of. */
#include "check.h"

#if !GRUNLOOP_CHECK_VERSION(0, 1, 0)
#error "the first version was 0.1.0"
#endif

static void
compares (void)
{
  const int major = GRUNLOOP_MAJOR_VERSION, minor = GRUNLOOP_MINOR_VERSION, micro = GRUNLOOP_MICRO_VERSION;

  g_assert_true (GRUNLOOP_CHECK_VERSION (major, minor, micro));
  g_assert_true (GRUNLOOP_CHECK_VERSION (major, minor, micro - 1));
  g_assert_true (GRUNLOOP_CHECK_VERSION (major, minor - 1, micro + 1));
  g_assert_true (GRUNLOOP_CHECK_VERSION (major - 1, minor + 1, micro + 1));
  g_assert_false (GRUNLOOP_CHECK_VERSION (major, minor, micro + 1));
  g_assert_false (GRUNLOOP_CHECK_VERSION (major, minor + 1, micro));
  g_assert_false (GRUNLOOP_CHECK_VERSION (major + 1, minor, micro));
}

int
main (int argc, char **argv)
{
  begin (&argc, &argv);
  g_test_add_func ("/version/compares", compares);
  return g_test_run ();
}
