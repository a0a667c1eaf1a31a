// libuv is the host: a uv_poll_t on the run loop's descriptor, and a uv_prepare_t, since libuv's call-backs may begin work
// of GLib's.
// rule: R11
#include "../polled.h"

#include <uv.h>

static uv_timer_t timer;
static void (*pending)(void);

static void fire(uv_timer_t *handle) { pending(); }

static void after(unsigned milliseconds, void (*call)(void)) {
  pending = call;
  uv_timer_start(&timer, fire, milliseconds, 0);
}

static void quit(void) { uv_stop(uv_default_loop()); }

static void readable(uv_poll_t *handle, int status, int events) {
  if (status < 0) g_error("uv_poll: %s", uv_strerror(status));
  polled_turn();
}

static void prepare(uv_prepare_t *handle) { grunloop_iterate(grunloop_get_current()); }

int main(void) {
  const PolledHost host = {"libuv", after, quit, 0};
  uv_loop_t *loop = uv_default_loop();
  uv_poll_t poll;
  uv_prepare_t before_sleep;
  uv_timer_init(loop, &timer);
  uv_poll_init(loop, &poll, polled_begin(&host));
  uv_poll_start(&poll, UV_READABLE, readable);
  uv_prepare_init(loop, &before_sleep);
  uv_prepare_start(&before_sleep, prepare);
  uv_run(loop, UV_RUN_DEFAULT);
  return polled_end();
}
