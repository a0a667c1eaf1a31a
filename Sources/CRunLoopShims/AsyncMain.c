#include "CRunLoopShims.h"

// From the concurrency runtime's interface of hooks. An original never returns.
typedef __attribute__((swiftcall)) void (*Original)(void);
typedef __attribute__((swiftcall)) void (*Override)(Original original);
extern __attribute__((swiftcall)) void (*swift_task_asyncMainDrainQueue_hook)(Original original, Override override);

static void (*hostOfAsyncMain)(void);

static __attribute__((swiftcall)) void drain(Original original, Override override) {
  (void)override;
  hostOfAsyncMain();
  original();
}

void grl_host_async_main(void (*host)(void)) {
  hostOfAsyncMain = host;
  swift_task_asyncMainDrainQueue_hook = drain;
}
