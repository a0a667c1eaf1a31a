#include "ContextUse.h"

#include <stddef.h>

enum { WORDS = 32, NEW_REFERENCES = 3 };

// A GTask that has not finished holds its context and nothing else shows it, and GLib tells nobody how many hold one. So
// where it keeps the count is found out, on a context that nobody else knows. Its first 128 bytes are there in every GLib.
static ptrdiff_t find_count(void) {
  GMainContext *context = g_main_context_new();
  const gint *words = (const gint *)context;
  gint before[WORDS];
  for (int index = 0; index < WORDS; index++) before[index] = g_atomic_int_get(&words[index]);
  for (int number = 0; number < NEW_REFERENCES; number++) g_main_context_ref(context);
  ptrdiff_t found = -1;
  for (int index = 0; index < WORDS; index++) {
    gint after = g_atomic_int_get(&words[index]);
    if (after == before[index]) continue;
    found = found < 0 && before[index] == 1 && after == 1 + NEW_REFERENCES ? index : WORDS;
  }
  for (int number = 0; number < NEW_REFERENCES; number++) g_main_context_unref(context);
  if (found >= 0 && found < WORDS && g_atomic_int_get(&words[found]) != 1) found = -1;
  g_main_context_unref(context);
  return found < WORDS ? found : -1;
}

static bool is_held_once(GMainContext *context) {
  static gsize place;
  if (g_once_init_enter(&place)) g_once_init_leave(&place, (gsize)(find_count() + 2));
  if (place == 1) return false;
  return g_atomic_int_get((const gint *)context + (ptrdiff_t)place - 2) == 1;
}

static gboolean never(gpointer unused) { return G_SOURCE_REMOVE; }

bool grl_context_is_unused(GMainContext *context, const GSourceFuncs *own, unsigned *seen) {
  if (!is_held_once(context)) return false;
  // GLib numbers a context's sources as they come.
  GSource *probe = g_timeout_source_new(G_MAXINT);
  g_source_set_callback(probe, never, NULL, NULL);
  guint last = g_source_attach(probe, context);
  g_source_destroy(probe);
  g_source_unref(probe);
  for (guint number = *seen + 1; number < last; number++) {
    const GSource *source = g_main_context_find_source_by_id(context, number);
    if (source != NULL && source->source_funcs != &own[0] && source->source_funcs != &own[1]) return false;
  }
  *seen = last;
  return true;
}
