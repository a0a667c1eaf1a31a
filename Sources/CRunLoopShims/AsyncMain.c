#include <pthread.h>

#include "CRunLoopShims.h"

// From the concurrency runtime's interface of hooks. An original never returns.
typedef __attribute__((swiftcall)) void (*Original)(void);
typedef __attribute__((swiftcall)) void (*Override)(Original original);
typedef __attribute__((swiftcall)) void (*Hook)(Original original, Override override);
extern Hook swift_task_asyncMainDrainQueue_hook;

static void (*hostOfAsyncMain)(void);
// Somebody else's, which was there first.
static Hook previous;

// Guards the two below: the main loop may be asked for on any thread.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool isUnhosted;
static void (*listener)(void);

static __attribute__((swiftcall)) void drain(Original original, Override override) {
  if (hostOfAsyncMain) hostOfAsyncMain();
  pthread_mutex_lock(&mutex);
  isUnhosted = true;
  void (*body)(void) = listener;
  pthread_mutex_unlock(&mutex);
  if (body) body();
  if (previous) previous(original, override);
  original();
}

// At the program's start, since the moment may be over when the library is first used.
static __attribute__((constructor)) void install(void) {
  previous = swift_task_asyncMainDrainQueue_hook;
  swift_task_asyncMainDrainQueue_hook = drain;
}

void grl_host_async_main(void (*host)(void)) {
  hostOfAsyncMain = host;
  swift_task_asyncMainDrainQueue_hook = drain;
}

void grl_when_async_main_is_unhosted(void (*body)(void)) {
  pthread_mutex_lock(&mutex);
  listener = body;
  bool isLate = isUnhosted;
  pthread_mutex_unlock(&mutex);
  if (isLate) body();
}
