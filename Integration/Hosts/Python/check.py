#!/usr/bin/python3
"""PyGObject's main loop drives; Python calls into the library, and is called back on the right thread."""

# rule: G2, G3

import faulthandler
import sys
import threading

import gi

gi.require_version("GLib", "2.0")
from gi.repository import GLib

from grunloop import DEFAULT, Error, Library

ENDED, TIMED_OUT, REFUSED = 0, 1, 5

faulthandler.dump_traceback_later(110, exit=True)
library = Library(sys.argv[1])
main_loop = GLib.MainLoop()
main_thread = threading.current_thread()
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print("not as it must be:", what)


def drive(step):
    """Runs the main loop until the step calls what it is given."""
    step(main_loop.quit)
    main_loop.run()


def items_fire_beside_glibs():
    seen = {"timer": 0, "glib": 0, "source": 0, "activities": set()}

    def step(done):
        def look():
            if seen["timer"] >= 20 and seen["glib"] >= 20 and seen["source"] >= 5 and {2, 4, 32, 64} <= seen["activities"]:
                done()

        def tick(timer):
            expect(threading.current_thread() is main_thread, "a timer fires on the main thread")
            seen["timer"] += 1
            if seen["timer"] % 4 == 0:
                library._source_signal(source)
            look()

        def glib_tick():
            seen["glib"] += 1
            look()
            return GLib.SOURCE_CONTINUE

        def signalled(_):
            seen["source"] += 1

        timer = library.timer(1000, tick)
        source = library.source(signalled)
        observer = library.observer(231, seen["activities"].add)
        for item in (timer, source, observer):
            library.add(library.main(), item)
        step.items = (timer, source, observer)
        step.glib = GLib.timeout_add(1, glib_tick)

    drive(step)
    GLib.source_remove(step.glib)
    before = library.let_go
    for item in step.items:
        library._item_invalidate(item)
        library._item_invalidate(item)
        expect(not library._item_is_valid(item), "an invalidated item is not valid")
        library._item_unref(item)
    expect(library.let_go == before + 3, "each item's data is let go of once")


def threads_get_to_the_main_thread():
    count = 100
    order, waited = [], []

    def worker():
        for number in range(count):
            library.perform(library.main(), lambda number=number: order.append((threading.current_thread(), number)))
        for number in range(count):
            library.perform_and_wait(library.main(), lambda number=number: waited.append(number))
            expect(waited[-1] == number, "performing and waiting waits")
        library.perform(library.main(), main_loop.quit)

    thread = threading.Thread(target=worker)
    drive(lambda done: thread.start())
    thread.join()
    expect(order == [(main_thread, number) for number in range(count)], "performs come in order on the main thread")
    expect(waited == list(range(count)), "what was waited for came in order")


def the_main_thread_gets_to_threads():
    ready = threading.Event()
    place = {}

    def worker():
        place["loop"] = library._ref(library.current())
        library.add(place["loop"], library.timer(3600 * 10**6, lambda _: None), DEFAULT)
        ready.set()
        library._run_in_mode(place["loop"], DEFAULT, 2**63 - 1, False)

    thread = threading.Thread(target=worker)
    thread.start()
    ready.wait()
    loop = place["loop"]
    seen = []
    library.perform_and_wait(loop, lambda: seen.append(threading.current_thread()))
    expect(seen == [thread], "performing and waiting runs on the thread that was asked")
    library._stop(loop)
    thread.join()

    # Waiting first: Python has joined the thread before the system has, and so before the loop's end.
    for call in (library.perform_and_wait, library.perform):
        try:
            call(loop, lambda: seen.append("late"))
            expect(False, "a loop that has ended takes no calls")
        except Error as error:
            expect(error.code == ENDED and "has ended" in str(error), "the error says that the loop has ended")
    expect(seen == [thread], "nothing runs on a loop that has ended")
    library._unref(loop)


def errors_say_what_is_wrong():
    timer = library.timer(1, lambda _: None)
    library._item_invalidate(timer)
    try:
        library.add(library.main(), timer)
        expect(False, "an invalid timer is not added")
    except Error as error:
        expect(error.code == REFUSED and "invalidated" in str(error), "the error says that the timer is invalid")
    library._item_unref(timer)

    seen = []

    def worker():
        try:
            library.perform_and_wait(library.main(), lambda: seen.append("late"), timeout=10_000)
        except Error as error:
            seen.append(error.code)

    # The main loop does not run meanwhile.
    thread = threading.Thread(target=worker)
    thread.start()
    thread.join()
    context = GLib.MainContext.default()
    while context.iteration(False):
        pass
    expect(seen == [TIMED_OUT], "a call that timed out is not made later")


items_fire_beside_glibs()
threads_get_to_the_main_thread()
the_main_thread_gets_to_threads()
errors_say_what_is_wrong()
# A worker's timer was let go of with its thread, and the rest with their items.
expect(not library.held, f"Python holds nothing any more for C, but {len(library.held)} call-backs")
print("FAILED" if failures else "all is well")
sys.exit(1 if failures else 0)
