/* GRunLoop - Apple's documented run loop in a GLib main context, for C and whatever calls C.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * SECTION:grunloop
 * @title: GRunLoop
 * @short_description: run loops with modes, in any GMainContext
 *
 * A #GRunLoop lives in a #GMainContext. Whoever iterates the context, g_main_loop_run(), GTK, a program in Python, or
 * grunloop_run(), runs the loop: its items fire in the documented order, in the modes that they were added to.
 *
 * |[<!-- language="C" -->
 * static void
 * tick (GRunLoopTimer *timer, gpointer user_data)
 * {
 *   g_print ("tick\n");
 * }
 *
 * g_autoptr (GRunLoopTimer) timer = grunloop_timer_new (G_TIME_SPAN_SECOND, TRUE, tick, NULL, NULL);
 * grunloop_add (grunloop_get_main (), timer, GRUNLOOP_MODE_COMMON, NULL);
 * g_main_loop_run (main_loop);
 * ]|
 *
 * # Items # {#items}
 *
 * A timer, source, observer and so on is an item. One set of functions serves them all, as with g_object_ref():
 * grunloop_add(), grunloop_remove(), grunloop_contains() and the grunloop_item_ family take any of them. A loop holds
 * the items that were added to it, so that the creator may let go of its reference at once.
 *
 * # Threads # {#threads}
 *
 * Every function may be called from every thread, but for running, iterating and grunloop_timer_fire(), which are for
 * the loop's own thread. Items may be added from anywhere; their call-backs come on the loop's thread. User data is let
 * go of (#GDestroyNotify) exactly once: on the loop's thread if the item ever was in a loop that still lives; else on
 * the thread that gave up the last reference, invalidated, or made the call that was refused.
 *
 * # Times # {#times}
 *
 * Spans and dates are in microseconds, so that %G_TIME_SPAN_SECOND and its kin, g_get_monotonic_time() and
 * g_get_real_time() serve.
 *
 * # Errors # {#errors}
 *
 * What can fail in a right program sets a #GError of the domain %GRUNLOOP_ERROR. A wrong argument, be it %NULL, a handle
 * that was given up, one of another kind, a mode without a name, or the wrong thread, is a critical warning in the log
 * domain "GLibRunLoop", and the call does nothing. Handles are no addresses: each is looked up before it is used.
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GRunLoop:
 *
 * A run loop. Counted with grunloop_ref() and grunloop_unref().
 */
typedef struct _GRunLoop GRunLoop;

/**
 * GRunLoopTimer:
 *
 * An item that fires when its date has come. Counted with grunloop_item_ref() and grunloop_item_unref().
 */
typedef struct _GRunLoopTimer GRunLoopTimer;

/**
 * GRunLoopSource:
 *
 * An item that the program signals itself. Counted with grunloop_item_ref() and grunloop_item_unref().
 */
typedef struct _GRunLoopSource GRunLoopSource;

/**
 * GRunLoopObserver:
 *
 * An item that is told of the loop's turns. Counted with grunloop_item_ref() and grunloop_item_unref().
 */
typedef struct _GRunLoopObserver GRunLoopObserver;

/**
 * GRunLoopDescriptorSource:
 *
 * An item that fires while a descriptor is ready. Counted with grunloop_item_ref() and grunloop_item_unref().
 */
typedef struct _GRunLoopDescriptorSource GRunLoopDescriptorSource;

/**
 * GRunLoopSignalSource:
 *
 * An item that fires when the process gets a signal. Counted with grunloop_item_ref() and grunloop_item_unref().
 */
typedef struct _GRunLoopSignalSource GRunLoopSignalSource;

/**
 * GRunLoopChildSource:
 *
 * An item that fires when a child process has ended. Counted with grunloop_item_ref() and grunloop_item_unref().
 */
typedef struct _GRunLoopChildSource GRunLoopChildSource;

/**
 * GRunLoopForeignSource:
 *
 * A #GSource as an item. Counted with grunloop_item_ref() and grunloop_item_unref().
 */
typedef struct _GRunLoopForeignSource GRunLoopForeignSource;

/**
 * GRunLoopPerform:
 *
 * A queued call, with which it can be called off. Counted with grunloop_perform_ref() and grunloop_perform_unref().
 */
typedef struct _GRunLoopPerform GRunLoopPerform;

/**
 * GRUNLOOP_MAJOR_VERSION:
 *
 * The first number of the version that this header is of.
 */
#define GRUNLOOP_MAJOR_VERSION (0)

/**
 * GRUNLOOP_MINOR_VERSION:
 *
 * The second number of the version that this header is of.
 */
#define GRUNLOOP_MINOR_VERSION (1)

/**
 * GRUNLOOP_MICRO_VERSION:
 *
 * The third number of the version that this header is of.
 */
#define GRUNLOOP_MICRO_VERSION (0)

/**
 * GRUNLOOP_CHECK_VERSION:
 * @major: the first number
 * @minor: the second number
 * @micro: the third number
 *
 * Whether this header is of the version @major.@minor.@micro or of a later one. The preprocessor knows, too.
 */
#define GRUNLOOP_CHECK_VERSION(major, minor, micro) \
  (GRUNLOOP_MAJOR_VERSION > (major) \
   || (GRUNLOOP_MAJOR_VERSION == (major) && GRUNLOOP_MINOR_VERSION > (minor)) \
   || (GRUNLOOP_MAJOR_VERSION == (major) && GRUNLOOP_MINOR_VERSION == (minor) && GRUNLOOP_MICRO_VERSION >= (micro)))

/**
 * GRUNLOOP_FOREVER:
 *
 * A span without end, and a date that never comes.
 */
#define GRUNLOOP_FOREVER G_MAXINT64

/**
 * GRUNLOOP_MODE_DEFAULT:
 *
 * The mode that a loop is in when nobody chose another one.
 */
#define GRUNLOOP_MODE_DEFAULT "kCFRunLoopDefaultMode"

/**
 * GRUNLOOP_MODE_COMMON:
 *
 * Not a mode but a set of modes: what is added here is in every mode of the set, those that join later included. It
 * starts as default, modal panel and event tracking. A run cannot be in it.
 */
#define GRUNLOOP_MODE_COMMON "kCFRunLoopCommonModes"

/**
 * GRUNLOOP_MODE_MODAL_PANEL:
 *
 * For a run that lasts while a modal dialogue is up.
 */
#define GRUNLOOP_MODE_MODAL_PANEL "NSModalPanelRunLoopMode"

/**
 * GRUNLOOP_MODE_EVENT_TRACKING:
 *
 * For a run that lasts while the user drags, scrolls or has a menu open.
 */
#define GRUNLOOP_MODE_EVENT_TRACKING "NSEventTrackingRunLoopMode"

/**
 * GRUNLOOP_MODE_CONNECTION_REPLY:
 *
 * For a run that waits for one reply and wants to hear of nothing else. Not common.
 */
#define GRUNLOOP_MODE_CONNECTION_REPLY "NSConnectionReplyMode"

/**
 * GRunLoopError:
 * @GRUNLOOP_ERROR_ENDED: the loop has ended with its thread or context
 * @GRUNLOOP_ERROR_TIMED_OUT: the time limit passed; the call will not be made later
 * @GRUNLOOP_ERROR_CANCELLED: the call was cancelled before its turn came
 * @GRUNLOOP_ERROR_FORKED: the loop belongs to the process that this one was forked from
 * @GRUNLOOP_ERROR_WRONG_THREAD: another thread drives the loop's context
 * @GRUNLOOP_ERROR_REFUSED: what was asked cannot be done now; the message says why
 *
 * The codes of %GRUNLOOP_ERROR.
 */
typedef enum {
  GRUNLOOP_ERROR_ENDED,
  GRUNLOOP_ERROR_TIMED_OUT,
  GRUNLOOP_ERROR_CANCELLED,
  GRUNLOOP_ERROR_FORKED,
  GRUNLOOP_ERROR_WRONG_THREAD,
  GRUNLOOP_ERROR_REFUSED
} GRunLoopError;

/**
 * GRUNLOOP_ERROR:
 *
 * The domain of the library's errors.
 */
#define GRUNLOOP_ERROR (grunloop_error_quark ())

/**
 * GRunLoopRunResult:
 * @GRUNLOOP_RUN_REFUSED: a wrong argument or thread; a critical warning said so
 * @GRUNLOOP_RUN_FINISHED: the mode has no source, no timer and no queued perform left
 * @GRUNLOOP_RUN_STOPPED: grunloop_stop() was called
 * @GRUNLOOP_RUN_TIMED_OUT: the time is up
 * @GRUNLOOP_RUN_HANDLED_SOURCE: a source was handled, and the run was asked to return then
 *
 * Why grunloop_run_in_mode() returned. The numbers are Core Foundation's.
 */
typedef enum {
  GRUNLOOP_RUN_REFUSED = 0,
  GRUNLOOP_RUN_FINISHED = 1,
  GRUNLOOP_RUN_STOPPED = 2,
  GRUNLOOP_RUN_TIMED_OUT = 3,
  GRUNLOOP_RUN_HANDLED_SOURCE = 4
} GRunLoopRunResult;

/**
 * GRunLoopActivity:
 * @GRUNLOOP_ENTRY: a run begins
 * @GRUNLOOP_BEFORE_TIMERS: a pass begins: timers will be looked at
 * @GRUNLOOP_BEFORE_SOURCES: signalled sources and performs are about to have their turn
 * @GRUNLOOP_BEFORE_WAITING: the loop is about to sleep; never on a poll
 * @GRUNLOOP_AFTER_WAITING: the loop has woken, and what woke it is not handled yet
 * @GRUNLOOP_EXIT: a run ends, also one that was stopped or timed out
 * @GRUNLOOP_ALL_ACTIVITIES: all of them
 *
 * The moments of a loop's turn. When GLib drives, there is no run that begins or ends, so that %GRUNLOOP_ENTRY and
 * %GRUNLOOP_EXIT come from the program's own runs only.
 */
typedef enum {
  GRUNLOOP_ENTRY = 1 << 0,
  GRUNLOOP_BEFORE_TIMERS = 1 << 1,
  GRUNLOOP_BEFORE_SOURCES = 1 << 2,
  GRUNLOOP_BEFORE_WAITING = 1 << 5,
  GRUNLOOP_AFTER_WAITING = 1 << 6,
  GRUNLOOP_EXIT = 1 << 7,
  GRUNLOOP_ALL_ACTIVITIES = 231
} GRunLoopActivity;

/**
 * GRunLoopClock:
 * @GRUNLOOP_CLOCK_MONOTONIC: g_get_monotonic_time(); stands still while the machine is suspended
 * @GRUNLOOP_CLOCK_CONTINUOUS: as monotonic, and goes on while the machine is suspended (`CLOCK_BOOTTIME`)
 * @GRUNLOOP_CLOCK_WALL: g_get_real_time(); dates follow when somebody sets the clock
 *
 * What a date is measured by.
 */
typedef enum {
  GRUNLOOP_CLOCK_MONOTONIC,
  GRUNLOOP_CLOCK_CONTINUOUS,
  GRUNLOOP_CLOCK_WALL
} GRunLoopClock;

/**
 * GRunLoopFunc:
 * @user_data: (closure): what was given with the function
 *
 * What is performed.
 */
typedef void (*GRunLoopFunc) (gpointer user_data);

/**
 * GRunLoopTimerFunc:
 * @timer: the timer that fires
 * @user_data: (closure): what was given with the function
 *
 * Called when a timer's date has come. The function may run the loop; its own timer is not called again meanwhile.
 */
typedef void (*GRunLoopTimerFunc) (GRunLoopTimer *timer, gpointer user_data);

/**
 * GRunLoopSourceFunc:
 * @source: the source that was signalled
 * @user_data: (closure): what was given with the function
 *
 * Called once for all signals since the last call.
 */
typedef void (*GRunLoopSourceFunc) (GRunLoopSource *source, gpointer user_data);

/**
 * GRunLoopSourceModeFunc:
 * @source: the source
 * @loop: the loop whose mode it joined or left
 * @mode: the mode
 * @user_data: (closure): what was given with the function
 *
 * Called for each mode that a source joins, on the thread that adds it; or leaves.
 */
typedef void (*GRunLoopSourceModeFunc) (GRunLoopSource *source, GRunLoop *loop, const char *mode, gpointer user_data);

/**
 * GRunLoopObserverFunc:
 * @observer: the observer
 * @activity: the one activity that it is told of
 * @user_data: (closure): what was given with the function
 *
 * Called when the loop comes to a point of its turn. The function may add and remove items, signal, perform, stop, and
 * run the loop.
 */
typedef void (*GRunLoopObserverFunc) (GRunLoopObserver *observer, GRunLoopActivity activity, gpointer user_data);

/**
 * GRunLoopDescriptorFunc:
 * @source: the source
 * @events: what its descriptor is ready for
 * @user_data: (closure): what was given with the function
 *
 * Called while a descriptor is ready. With %G_IO_NVAL it was closed, and the source is gone after the call.
 */
typedef void (*GRunLoopDescriptorFunc) (GRunLoopDescriptorSource *source, GIOCondition events, gpointer user_data);

/**
 * GRunLoopSignalFunc:
 * @source: the source
 * @user_data: (closure): what was given with the function
 *
 * Called, not in a signal handler, after the process received a signal. Everything may be done there.
 */
typedef void (*GRunLoopSignalFunc) (GRunLoopSignalSource *source, gpointer user_data);

/**
 * GRunLoopChildFunc:
 * @source: the source, which is gone after the call
 * @wait_status: the child's status in the form of waitpid(2), see g_spawn_check_wait_status(); -1 if it is lost, since
 *   SIGCHLD is ignored or something else in the process waited for the child
 * @user_data: (closure): what was given with the function
 *
 * Called when a child process has ended.
 */
typedef void (*GRunLoopChildFunc) (GRunLoopChildSource *source, int wait_status, gpointer user_data);

GQuark grunloop_error_quark (void);

/* Loops */

/**
 * grunloop_get_main:
 *
 * Gets the loop of the process's first thread, in the global default main context. The first call, which should be that
 * thread's and come before the main loop runs, puts it there; from then on it serves the main queue of libdispatch, and
 * with it Swift's main actor, whoever iterates the context.
 *
 * Returns: (transfer none): the main loop, which stays
 */
GRunLoop *grunloop_get_main (void);

/**
 * grunloop_get_current:
 *
 * Gets this thread's loop, the same at each call. It lives in the thread-default main context, or else in one of its
 * own, which becomes the thread-default one; and ends with the thread.
 *
 * Returns: (transfer none): this thread's loop; another thread that is to keep it needs grunloop_ref()
 */
GRunLoop *grunloop_get_current (void);

/**
 * grunloop_ref_for_context:
 * @context: (nullable): a main context that some thread runs; %NULL is the global default one
 *
 * Gets the loop in a context, the same at each call. It holds no reference to the context, and ends with it or with the
 * thread that drove it: items are cancelled then, and waiting performers get %GRUNLOOP_ERROR_ENDED.
 *
 * Returns: (transfer full): the context's loop
 */
GRunLoop *grunloop_ref_for_context (GMainContext *context);

/**
 * grunloop_ref:
 * @loop: a loop
 *
 * Takes a reference. It keeps the handle good, and not the loop's thread alive.
 *
 * Returns: (transfer full): @loop
 */
GRunLoop *grunloop_ref (GRunLoop *loop);

/**
 * grunloop_unref:
 * @loop: (transfer full): a loop
 *
 * Gives a reference up.
 */
void grunloop_unref (GRunLoop *loop);

/**
 * grunloop_get_context:
 * @loop: a loop
 *
 * Gets the main context that the loop lives in. Other sources may live there, too.
 *
 * Returns: (transfer none): the context; good for as long as it or the loop's thread lives
 */
GMainContext *grunloop_get_context (GRunLoop *loop);

/**
 * grunloop_is_current:
 * @loop: a loop
 *
 * Returns: whether the caller is on the loop's thread
 */
gboolean grunloop_is_current (GRunLoop *loop);

/**
 * grunloop_to_string:
 * @loop: a loop
 *
 * Describes the loop, its modes and what is in them, for a person.
 *
 * Returns: (transfer full): several lines; free with g_free()
 */
char *grunloop_to_string (GRunLoop *loop);

/* Running */

/**
 * grunloop_run:
 * @loop: this thread's loop
 *
 * Runs in the default mode until grunloop_stop(), or until that mode has nothing left to wait for.
 */
void grunloop_run (GRunLoop *loop);

/**
 * grunloop_run_until:
 * @loop: this thread's loop
 * @date: when to return, a g_get_monotonic_time(); one that has passed handles what is ready now, and does not sleep
 *
 * Runs in the default mode until a date; returns sooner on grunloop_stop(), or if the mode has nothing to wait for.
 */
void grunloop_run_until (GRunLoop *loop, gint64 date);

/**
 * grunloop_run_before:
 * @loop: this thread's loop
 * @mode: a mode; only its items fire
 * @date: when to return, a g_get_monotonic_time()
 *
 * Runs until one source was handled, the date has come, or grunloop_stop(). Timers do not end it.
 *
 * Returns: %FALSE if there was nothing to wait for in the mode, so that the loop did not run
 */
gboolean grunloop_run_before (GRunLoop *loop, const char *mode, gint64 date);

/**
 * grunloop_run_in_mode:
 * @loop: this thread's loop
 * @mode: a mode; only its items fire
 * @duration: how long; zero or less is one pass without sleep, %GRUNLOOP_FOREVER has no end
 * @return_after_source_handled: whether to return once a source was handled
 *
 * Runs in a mode. Runs nest: any mode, from any call-back.
 *
 * Returns: why it returned; the larger number if several reasons hold
 */
GRunLoopRunResult grunloop_run_in_mode (GRunLoop *loop,
                                        const char *mode,
                                        GTimeSpan duration,
                                        gboolean return_after_source_handled);

/**
 * grunloop_stop:
 * @loop: a loop
 *
 * Ends the innermost run in progress, once, after its exit observers. With no run in progress it does nothing, and is
 * not remembered. A g_main_loop_run() is ended by g_main_loop_quit().
 */
void grunloop_stop (GRunLoop *loop);

/**
 * grunloop_wake_up:
 * @loop: a loop
 *
 * Ends the loop's sleep, if it sleeps: another pass begins.
 */
void grunloop_wake_up (GRunLoop *loop);

/**
 * grunloop_is_waiting:
 * @loop: a loop
 *
 * Returns: whether the loop sleeps now
 */
gboolean grunloop_is_waiting (GRunLoop *loop);

/**
 * grunloop_get_spin_duration:
 * @loop: a loop
 *
 * Returns: see grunloop_set_spin_duration()
 */
GTimeSpan grunloop_get_spin_duration (GRunLoop *loop);

/**
 * grunloop_set_spin_duration:
 * @loop: a loop
 * @duration: how long the loop looks for work before it sleeps
 *
 * Has the loop look for work for so long before each sleep, without giving its processor away, so that nobody has to wake
 * its thread for what comes meanwhile. It costs a processor's time, and pays where answers come within some ten
 * microseconds. 0 unless set; negative is 0. While GLib drives it does nothing.
 */
void grunloop_set_spin_duration (GRunLoop *loop, GTimeSpan duration);

/* Hosts that are not GLib's */

/**
 * grunloop_get_host_descriptor:
 * @loop: this thread's loop
 * @error: (nullable): where to put what went wrong
 *
 * Gets a descriptor by which any event loop hosts this one: libuv's, Qt's, or the program's own poll(2). It is readable,
 * level-triggered, while the loop's context has something to do; the host then calls grunloop_iterate(). It is the same
 * at each call, and the loop's: do not read or close it.
 *
 * GLib tells nobody that code on this thread, outside of a turn, has attached a #GSource, as g_timeout_add() does: have
 * the host also call grunloop_iterate() before it sleeps, or grunloop_wake_up() after such a call.
 *
 * Returns: the descriptor, or -1
 */
int grunloop_get_host_descriptor (GRunLoop *loop, GError **error);

/**
 * grunloop_iterate:
 * @loop: this thread's loop
 *
 * Lets the loop's whole context have one turn, which never waits, and readies the descriptor for what comes next.
 *
 * Returns: whether anything was ready
 */
gboolean grunloop_iterate (GRunLoop *loop);

/* Modes */

/**
 * grunloop_add_common_mode:
 * @loop: a loop
 * @mode: the name of a mode
 * @error: (nullable): where to put what went wrong
 *
 * Makes a mode one of the common set, for good. It must not have been run as a private one before.
 *
 * Returns: whether it is one now
 */
gboolean grunloop_add_common_mode (GRunLoop *loop, const char *mode, GError **error);

/**
 * grunloop_dup_current_mode:
 * @loop: a loop
 *
 * Returns: (transfer full) (nullable): the mode of the run in progress; the host mode in a call-back that GLib drives;
 *   %NULL outside. Free with g_free()
 */
char *grunloop_dup_current_mode (GRunLoop *loop);

/**
 * grunloop_dup_host_mode:
 * @loop: a loop
 *
 * Returns: (transfer full): the mode that the loop is in when GLib drives it; free with g_free()
 */
char *grunloop_dup_host_mode (GRunLoop *loop);

/**
 * grunloop_set_host_mode:
 * @loop: a loop
 * @mode: the name of a mode
 *
 * Sets the mode that the loop is in when GLib drives it. It is the default one unless set.
 */
void grunloop_set_host_mode (GRunLoop *loop, const char *mode);

/**
 * grunloop_get_keep_alive:
 * @loop: a loop
 *
 * Returns: see grunloop_set_keep_alive()
 */
gboolean grunloop_get_keep_alive (GRunLoop *loop);

/**
 * grunloop_set_keep_alive:
 * @loop: a loop
 * @keep_alive: whether sources that others attached to the context are reason enough for a run to go on
 *
 * Has runs in a common mode go on although the loop has no item there. %FALSE unless set.
 */
void grunloop_set_keep_alive (GRunLoop *loop, gboolean keep_alive);

/**
 * grunloop_get_next_fire_date:
 * @loop: a loop
 * @mode: the name of a mode
 * @clock: (out) (optional): the clock of the date
 * @date: (out) (optional): when the next timer of the mode is due
 *
 * Returns: %FALSE if no timer waits in the mode
 */
gboolean grunloop_get_next_fire_date (GRunLoop *loop, const char *mode, GRunLoopClock *clock, gint64 *date);

/* Performs */

/**
 * grunloop_perform:
 * @loop: a loop
 * @func: what to call on the loop's thread
 * @user_data: what to call it with
 * @notify: (nullable): called when @user_data is not needed any more, whether @func was called or not
 * @error: (nullable): where to put what went wrong
 *
 * Queues a call for the loop's next pass in a common mode, and wakes the loop. Calls are made once, in the order queued;
 * one that is queued by a call waits for a later pass. It counts as a source of the loop.
 *
 * Returns: %FALSE if the loop takes no calls; @notify was called then
 */
gboolean grunloop_perform (GRunLoop *loop,
                           GRunLoopFunc func,
                           gpointer user_data,
                           GDestroyNotify notify,
                           GError **error);

/**
 * grunloop_perform_full:
 * @loop: a loop
 * @modes: (nullable) (array zero-terminated=1): in the first of these modes that the loop is in; %NULL is the common set
 * @delay: at least so long; zero and more make it a timer, a negative span queues it at once
 * @order: among the calls that a pass makes, the lower order goes first
 * @priority: when GLib lets it have its turn, %G_PRIORITY_DEFAULT in most cases
 * @func: what to call on the loop's thread
 * @user_data: what to call it with
 * @notify: (nullable): called when @user_data is not needed any more, whether @func was called or not
 * @perform: (out) (optional) (transfer full): with which it can be called off
 * @error: (nullable): where to put what went wrong
 *
 * Queues a call for chosen modes, perhaps after a delay.
 *
 * Returns: %FALSE if the loop takes no calls; @notify was called then, and @perform is %NULL
 */
gboolean grunloop_perform_full (GRunLoop *loop,
                                const char *const *modes,
                                GTimeSpan delay,
                                int order,
                                int priority,
                                GRunLoopFunc func,
                                gpointer user_data,
                                GDestroyNotify notify,
                                GRunLoopPerform **perform,
                                GError **error);

/**
 * grunloop_perform_and_wait:
 * @loop: a loop
 * @timeout: how long to wait for the call's turn; %GRUNLOOP_FOREVER has no end
 * @func: what to call on the loop's thread; at once if this is that thread
 * @user_data: what to call it with
 * @error: (nullable): where to put what went wrong
 *
 * Makes a call on the loop's thread, in a common mode, and waits until it has returned. It never hangs on a loop that
 * ends. If another program's main loop only stands still, nobody can tell that from a pause: give a time limit there.
 *
 * Returns: %FALSE if the call was not and will not be made
 */
gboolean grunloop_perform_and_wait (GRunLoop *loop,
                                    GTimeSpan timeout,
                                    GRunLoopFunc func,
                                    gpointer user_data,
                                    GError **error);

/**
 * grunloop_perform_cancel:
 * @perform: a queued call
 *
 * Calls it off: it will not be made, unless it has begun.
 */
void grunloop_perform_cancel (GRunLoopPerform *perform);

/**
 * grunloop_perform_ref:
 * @perform: a queued call
 *
 * Returns: (transfer full): @perform
 */
GRunLoopPerform *grunloop_perform_ref (GRunLoopPerform *perform);

/**
 * grunloop_perform_unref:
 * @perform: (transfer full): a queued call
 *
 * Gives a reference up. The call is made all the same.
 */
void grunloop_perform_unref (GRunLoopPerform *perform);

/* Items */

/**
 * grunloop_add:
 * @loop: a loop
 * @item: (type gpointer): a timer, source, observer or other item
 * @mode: the name of a mode, or %GRUNLOOP_MODE_COMMON
 * @error: (nullable): where to put what went wrong
 *
 * Puts an item into a mode; again, with another mode, into that one too. The loop takes a reference. An item lives in
 * one loop for good, the first that it was added to.
 *
 * Returns: whether the item is in the mode now
 */
gboolean grunloop_add (GRunLoop *loop, gpointer item, const char *mode, GError **error);

/**
 * grunloop_remove:
 * @loop: a loop
 * @item: (type gpointer): an item
 * @mode: the name of a mode
 *
 * Takes an item out of a mode; it can be added again. Does nothing if it is not there.
 */
void grunloop_remove (GRunLoop *loop, gpointer item, const char *mode);

/**
 * grunloop_contains:
 * @loop: a loop
 * @item: (type gpointer): an item
 * @mode: the name of a mode
 *
 * Returns: whether the item is in the mode; what is in the common set is in every mode of it
 */
gboolean grunloop_contains (GRunLoop *loop, gpointer item, const char *mode);

/**
 * grunloop_item_ref:
 * @item: (type gpointer): an item
 *
 * Returns: (transfer full) (type gpointer): @item
 */
gpointer grunloop_item_ref (gpointer item);

/**
 * grunloop_item_unref:
 * @item: (type gpointer) (transfer full): an item
 *
 * Gives a reference up. What is in a loop stays there and fires on: its call-backs get a handle that is good while they
 * last, and can be kept with grunloop_item_ref(). The reference that makes it so is not the program's to give up.
 */
void grunloop_item_unref (gpointer item);

/**
 * grunloop_item_invalidate:
 * @item: (type gpointer): an item
 *
 * Takes the item out of all its modes, for good. After it returns no call of its function begins, but for one that
 * another thread is about to make at this very moment. Does nothing the second time.
 */
void grunloop_item_invalidate (gpointer item);

/**
 * grunloop_item_is_valid:
 * @item: (type gpointer): an item
 *
 * Returns: whether the item can still fire
 */
gboolean grunloop_item_is_valid (gpointer item);

/**
 * grunloop_item_ref_loop:
 * @item: (type gpointer): an item
 *
 * Returns: (transfer full) (nullable): the loop that the item was added to, if it ever was
 */
GRunLoop *grunloop_item_ref_loop (gpointer item);

/**
 * grunloop_item_get_order:
 * @item: (type gpointer): an item
 *
 * Returns: the rank among items that are ready at once; the lower one is called first
 */
int grunloop_item_get_order (gpointer item);

/**
 * grunloop_item_get_priority:
 * @item: (type gpointer): an item
 *
 * Returns: when GLib lets it have its turn
 */
int grunloop_item_get_priority (gpointer item);

/* Timers */

/**
 * grunloop_timer_new:
 * @interval: the time between two calls; the first one comes an interval from now
 * @repeats: whether it goes on after the first call; otherwise it is invalid after it
 * @func: what to call
 * @user_data: what to call it with
 * @notify: (nullable): called when @user_data is not needed any more
 *
 * Makes a timer. A repeating one keeps its phase: its dates are the first one plus whole intervals, however late its
 * calls were; dates that were missed are made up for by a single call. An interval of zero or less, with @repeats, is
 * 100 microseconds.
 *
 * Returns: (transfer full): a timer, to be added with grunloop_add()
 */
GRunLoopTimer *grunloop_timer_new (GTimeSpan interval,
                                   gboolean repeats,
                                   GRunLoopTimerFunc func,
                                   gpointer user_data,
                                   GDestroyNotify notify);

/**
 * grunloop_timer_new_full:
 * @clock: the clock of the timer's dates
 * @fire_date: when it first fires, before the machine's start too; -1 is an interval from now
 * @interval: the time between two calls
 * @repeats: whether it goes on after the first call
 * @tolerance: how much later than its date it may fire, so that the loop can share wake-ups
 * @order: among timers of equal dates, the lower order is called first
 * @priority: when GLib lets it have its turn
 * @func: what to call
 * @user_data: what to call it with
 * @notify: (nullable): called when @user_data is not needed any more
 *
 * Makes a timer.
 *
 * Returns: (transfer full): a timer, to be added with grunloop_add()
 */
GRunLoopTimer *grunloop_timer_new_full (GRunLoopClock clock,
                                        gint64 fire_date,
                                        GTimeSpan interval,
                                        gboolean repeats,
                                        GTimeSpan tolerance,
                                        int order,
                                        int priority,
                                        GRunLoopTimerFunc func,
                                        gpointer user_data,
                                        GDestroyNotify notify);

/**
 * grunloop_timer_get_clock:
 * @timer: a timer
 *
 * Returns: the clock of the timer's dates
 */
GRunLoopClock grunloop_timer_get_clock (GRunLoopTimer *timer);

/**
 * grunloop_timer_get_fire_date:
 * @timer: a timer
 *
 * Returns: when the timer fires next, on its clock
 */
gint64 grunloop_timer_get_fire_date (GRunLoopTimer *timer);

/**
 * grunloop_timer_set_fire_date:
 * @timer: a timer
 * @fire_date: on its clock; one that has passed is due at once
 *
 * Moves the next call, also inside the timer's own function; later dates of a repeating timer follow from it.
 */
void grunloop_timer_set_fire_date (GRunLoopTimer *timer, gint64 fire_date);

/**
 * grunloop_timer_get_interval:
 * @timer: a timer
 *
 * Returns: the time between two calls; zero for a one-shot
 */
GTimeSpan grunloop_timer_get_interval (GRunLoopTimer *timer);

/**
 * grunloop_timer_get_repeats:
 * @timer: a timer
 *
 * Returns: whether it fires again and again
 */
gboolean grunloop_timer_get_repeats (GRunLoopTimer *timer);

/**
 * grunloop_timer_get_tolerance:
 * @timer: a timer
 *
 * Returns: how much later than its date it may fire
 */
GTimeSpan grunloop_timer_get_tolerance (GRunLoopTimer *timer);

/**
 * grunloop_timer_set_tolerance:
 * @timer: a timer
 * @tolerance: how much later than its date it may fire; it never fires earlier
 */
void grunloop_timer_set_tolerance (GRunLoopTimer *timer, GTimeSpan tolerance);

/**
 * grunloop_timer_fire:
 * @timer: a timer; if it is in a loop, on that loop's thread
 *
 * Calls the timer's function now. Ends a one-shot; leaves the dates of a repeating timer as they are.
 */
void grunloop_timer_fire (GRunLoopTimer *timer);

/* Sources */

/**
 * grunloop_source_new:
 * @func: what to call
 * @user_data: what to call it with
 * @notify: (nullable): called when @user_data is not needed any more
 *
 * Makes a source that the program signals itself.
 *
 * Returns: (transfer full): a source, to be added with grunloop_add()
 */
GRunLoopSource *grunloop_source_new (GRunLoopSourceFunc func, gpointer user_data, GDestroyNotify notify);

/**
 * grunloop_source_new_full:
 * @order: of the sources that are ready in a pass, the lower order fires first
 * @priority: when GLib lets it have its turn
 * @scheduled: (nullable): called for each mode that the source joins, on the thread that adds it
 * @cancelled: (nullable): called for each mode that it leaves, also when it is invalidated, on the thread that does so,
 *   and when its loop ends
 * @func: what to call
 * @user_data: what to call all three with
 * @notify: (nullable): called when @user_data is not needed any more
 *
 * Makes a source that the program signals itself.
 *
 * Returns: (transfer full): a source, to be added with grunloop_add()
 */
GRunLoopSource *grunloop_source_new_full (int order,
                                          int priority,
                                          GRunLoopSourceModeFunc scheduled,
                                          GRunLoopSourceModeFunc cancelled,
                                          GRunLoopSourceFunc func,
                                          gpointer user_data,
                                          GDestroyNotify notify);

/**
 * grunloop_source_signal:
 * @source: a source
 *
 * Marks the source ready, and wakes its loop. Signals before the next call are one.
 */
void grunloop_source_signal (GRunLoopSource *source);

/**
 * grunloop_source_signal_without_wake_up:
 * @source: a source
 *
 * Marks the source ready, and leaves a sleeping loop asleep until grunloop_wake_up() or another event.
 */
void grunloop_source_signal_without_wake_up (GRunLoopSource *source);

/**
 * grunloop_source_is_signalled:
 * @source: a source
 *
 * Returns: whether it is signalled and not yet called
 */
gboolean grunloop_source_is_signalled (GRunLoopSource *source);

/* Observers */

/**
 * grunloop_observer_new:
 * @activities: what it wants to be told of
 * @repeats: %FALSE takes it out, for good, after its first call
 * @order: the lower order is called first
 * @func: what to call
 * @user_data: what to call it with
 * @notify: (nullable): called when @user_data is not needed any more
 *
 * Makes an observer.
 *
 * Returns: (transfer full): an observer, to be added with grunloop_add()
 */
GRunLoopObserver *grunloop_observer_new (GRunLoopActivity activities,
                                         gboolean repeats,
                                         int order,
                                         GRunLoopObserverFunc func,
                                         gpointer user_data,
                                         GDestroyNotify notify);

/**
 * grunloop_observer_get_activities:
 * @observer: an observer
 *
 * Returns: what it is told of
 */
GRunLoopActivity grunloop_observer_get_activities (GRunLoopObserver *observer);

/**
 * grunloop_observer_get_repeats:
 * @observer: an observer
 *
 * Returns: whether it stays after its first call
 */
gboolean grunloop_observer_get_repeats (GRunLoopObserver *observer);

/* Descriptors */

/**
 * grunloop_descriptor_source_new:
 * @fd: an open descriptor; it remains the caller's
 * @events: what to watch for: %G_IO_IN, %G_IO_PRI, %G_IO_OUT and, for a peer who only stopped sending, %G_IO_HUP
 * @order: of the descriptors that are ready in a pass, the lower order fires first
 * @priority: when GLib lets it have its turn
 * @func: what to call
 * @user_data: what to call it with
 * @notify: (nullable): called when @user_data is not needed any more
 *
 * Makes a source that fires while a descriptor is ready, as poll(2) sees it. Errors and hang-ups are reported whether
 * asked for or not. Invalidate the source before the descriptor is closed.
 *
 * Returns: (transfer full): a source, to be added with grunloop_add()
 */
GRunLoopDescriptorSource *grunloop_descriptor_source_new (int fd,
                                                          GIOCondition events,
                                                          int order,
                                                          int priority,
                                                          GRunLoopDescriptorFunc func,
                                                          gpointer user_data,
                                                          GDestroyNotify notify);

/**
 * grunloop_descriptor_source_get_fd:
 * @source: a source
 *
 * Returns: the descriptor that is watched
 */
int grunloop_descriptor_source_get_fd (GRunLoopDescriptorSource *source);

/**
 * grunloop_descriptor_source_get_events:
 * @source: a source
 *
 * Returns: what is watched for
 */
GIOCondition grunloop_descriptor_source_get_events (GRunLoopDescriptorSource *source);

/**
 * grunloop_descriptor_source_set_events:
 * @source: a source
 * @events: what to watch for; nothing pauses the source
 */
void grunloop_descriptor_source_set_events (GRunLoopDescriptorSource *source, GIOCondition events);

/* Signals and child processes */

/**
 * grunloop_signal_source_new:
 * @signum: `SIGHUP`, `SIGINT`, `SIGTERM`, `SIGUSR1`, `SIGUSR2` or `SIGWINCH`
 * @priority: when GLib lets it have its turn
 * @func: what to call
 * @user_data: what to call it with
 * @notify: (nullable): called when @user_data is not needed any more
 *
 * Makes a source that fires when the process receives a signal. As long as there is one, the signal has no other effect.
 *
 * Returns: (transfer full): a source, to be added with grunloop_add()
 */
GRunLoopSignalSource *grunloop_signal_source_new (int signum,
                                                  int priority,
                                                  GRunLoopSignalFunc func,
                                                  gpointer user_data,
                                                  GDestroyNotify notify);

/**
 * grunloop_signal_source_get_signum:
 * @source: a source
 *
 * Returns: the signal's number
 */
int grunloop_signal_source_get_signum (GRunLoopSignalSource *source);

/**
 * grunloop_child_source_new:
 * @pid: a child of this process; nothing else in the process should wait for it
 * @priority: when GLib lets it have its turn
 * @func: what to call
 * @user_data: what to call it with
 * @notify: (nullable): called when @user_data is not needed any more
 *
 * Makes a source that fires once, when a child process has ended, and is gone then.
 *
 * Returns: (transfer full): a source, to be added with grunloop_add()
 */
GRunLoopChildSource *grunloop_child_source_new (GPid pid,
                                                int priority,
                                                GRunLoopChildFunc func,
                                                gpointer user_data,
                                                GDestroyNotify notify);

/**
 * grunloop_child_source_get_pid:
 * @source: a source
 *
 * Returns: the child's process identifier
 */
GPid grunloop_child_source_get_pid (GRunLoopChildSource *source);

/* Anybody's sources */

/**
 * grunloop_foreign_source_new:
 * @source: a #GSource that is not attached
 *
 * Lets a #GSource of GLib's, GIO's or the program's own be in chosen modes of a loop. What its call-back starts with GIO
 * finishes in the same modes. Removing it from its last mode destroys the #GSource, since that can be attached only
 * once; if it ends by itself, the item is gone.
 *
 * Returns: (transfer full): an item with a reference to @source, to be added with grunloop_add()
 */
GRunLoopForeignSource *grunloop_foreign_source_new (GSource *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GRunLoop, grunloop_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GRunLoopPerform, grunloop_perform_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GRunLoopTimer, grunloop_item_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GRunLoopSource, grunloop_item_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GRunLoopObserver, grunloop_item_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GRunLoopDescriptorSource, grunloop_item_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GRunLoopSignalSource, grunloop_item_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GRunLoopChildSource, grunloop_item_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GRunLoopForeignSource, grunloop_item_unref)

/* The reference has the item's type. */
#if defined(__GNUC__) && !defined(__cplusplus)
#define grunloop_item_ref(item) ((__typeof__ (item)) (grunloop_item_ref) (item))
#endif

G_END_DECLS

#ifdef __cplusplus
/* In C++ flags that are combined are a number, which is no GRunLoopActivity and no GIOCondition any more. */
  inline GRunLoopActivity
  operator| (GRunLoopActivity a, GRunLoopActivity b)
  {
    return static_cast<GRunLoopActivity> (static_cast<unsigned> (a) | static_cast<unsigned> (b));
  }

  inline GRunLoopActivity
  operator& (GRunLoopActivity a, GRunLoopActivity b)
  {
    return static_cast<GRunLoopActivity> (static_cast<unsigned> (a) & static_cast<unsigned> (b));
  }

  inline GRunLoopActivity
  operator^ (GRunLoopActivity a, GRunLoopActivity b)
  {
    return static_cast<GRunLoopActivity> (static_cast<unsigned> (a) ^ static_cast<unsigned> (b));
  }

  /* Of the activities that there are. */
  inline GRunLoopActivity
  operator~ (GRunLoopActivity a)
  {
    return GRUNLOOP_ALL_ACTIVITIES ^ (a & GRUNLOOP_ALL_ACTIVITIES);
  }

  inline GRunLoopActivity &
  operator|= (GRunLoopActivity &a, GRunLoopActivity b)
  {
    return a = a | b;
  }

  inline GRunLoopActivity &
  operator&= (GRunLoopActivity &a, GRunLoopActivity b)
  {
    return a = a & b;
  }

  inline GRunLoopActivity &
  operator^= (GRunLoopActivity &a, GRunLoopActivity b)
  {
    return a = a ^ b;
  }

  /* GIOCondition is GLib's, and gets no operators here: another header may have them. */
  inline GRunLoopDescriptorSource *
  grunloop_descriptor_source_new (int fd,
                                  int events,
                                  int order,
                                  int priority,
                                  GRunLoopDescriptorFunc func,
                                  gpointer user_data,
                                  GDestroyNotify notify)
  {
    return (grunloop_descriptor_source_new) (fd, static_cast<GIOCondition> (events), order, priority, func, user_data,
                                             notify);
  }
#endif
