"""What is measured: for each workload its programs, how they are compared, and the figure to reach."""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Program:
    """One command line: the peer's binary and its arguments."""
    peer: str
    arguments: tuple
    pinned: bool = False

    def __str__(self):
        return " ".join([self.peer, *map(str, self.arguments)]) + (" (one CPU)" if self.pinned else "")


@dataclass(frozen=True)
class Goal:
    """`subject` in proportion to `peer`; at most `limit`, or None: only reported. Both are names of programs."""
    driver: str
    subject: str
    peer: str
    limit: float | None
    label: str = ""


@dataclass
class Workload:
    title: str
    figure: str
    programs: dict = field(default_factory=dict)
    goals: list = field(default_factory=list)
    at_once: bool = False  # the programs sleep: they are run side by side


# What is taken from a program's line: the unit, and how.
FIGURES = {
    "cpu": ("CPU ns each", lambda r: r["cpu_ns_per_op"]),
    "wall": ("ns each", lambda r: r["ns_per_op"]),
    "hop": ("ns, the median hop", lambda r: r["extra"].get("hop_p50_ns")),
    "late_p50": ("µs late, the median timer", lambda r: r["extra"].get("late_p50_us")),
    "late_p99": ("µs late, the 99th of 100 timers", lambda r: r["extra"].get("late_p99_us")),
    "bytes": ("bytes each", lambda r: r["extra"].get("bytes")),
    # One is the measuring thread's own sleep.
    "wakeups": ("wake-ups in 3 s", lambda r: max(0, r["extra"]["vcsw"] - 1)),
}

SWIFT, GLIB = "Swift drives", "GLib drives"
DRIVERS = {SWIFT: "swift", GLIB: "glib"}
BINARIES = {"libuv": "uv", "libev": "ev"}
MILLION = 1_000_000


def workloads():
    made = []

    def workload(title, figure, what, peers, goals, pinned=False, drivers=(SWIFT, GLIB), **more):
        """`what`: this library's arguments, by label; `peers`: theirs; `goals`: (peer, most for Swift, most for GLib)."""
        w = Workload(title, figure, **more)
        for label, arguments in (what if isinstance(what, dict) else {"": what}).items():
            for driver in drivers:
                name = f"{driver}, {label}" if label else driver
                w.programs[name] = Program("grunloop", (*arguments.split(), DRIVERS[driver]), pinned)
                for peer, *limits in goals:
                    limit = limits[list(DRIVERS).index(driver)]
                    if limit != "-":
                        peer_name = peer.replace("itself", driver)
                        if peer_name != name: w.goals.append(Goal(driver, name, peer_name, limit, label))
        for name, command in peers.items():
            binary, *arguments = command.split()
            w.programs[name] = Program(BINARIES.get(binary, binary), tuple(arguments), pinned)
        made.append(w)

    def spinning(arguments):
        """The workload made last once more, by loops that look for 50 µs before they sleep."""
        name = f"{SWIFT}, spinning"
        made[-1].programs[name] = Program("grunloop", (*arguments.split(), 50, DRIVERS[SWIFT]))
        made[-1].goals.append(Goal(SWIFT, name, SWIFT, None, "spinning"))

    def post_closures(producers, uv, glib, foundation):
        post = f"post {producers} {MILLION}"
        workload(f"Post closures from {'one thread' if producers == 1 else 'two threads'}", "cpu", f"{post} closure",
                 {"libuv": f"libuv {post}", "libuv, a block each": f"libuv {post} boxed",
                  "GLib invoke": f"glib {post} invoke", "Foundation": f"foundation {post}"},
                 [("libuv", uv, uv), ("libuv, a block each", None, None), ("GLib invoke", glib, glib),
                  ("Foundation", foundation, foundation)])

    post_closures(1, 2, 0.08, 0.03)
    post = f"post 1 {MILLION}"
    workload("Post without an allocation", "cpu",
             {"functions": f"{post} function", "Swift jobs": f"{post} job"},
             {"libuv": f"libuv {post}"}, [("libuv", 1.3, 1.3)])
    made[-1].programs["Swift's runtime alone, jobs"] = Program("grunloop", ("post", "1", MILLION, "job-alone", "swift"))
    post_closures(2, 2.5, 0.1, None)
    workload("Post from the loop itself", "cpu", "post_local 200000",
             {"libev": "libev post_local 200000", "GLib source": "glib post_local 200000 flag",
              "libuv": "libuv post_local 200000"},
             [("libev", 1, "-"), ("GLib source", "-", 1.2)])
    workload("An always-ready source, per turn", "cpu", "tick 500000",
             {"GLib source": "glib tick 500000 custom", "libev": "libev tick 500000", "libuv": "libuv tick 500000"},
             [("GLib source", 0.8, 1.2)])
    for pinned in (True, False):
        where = "on one CPU" if pinned else "on all CPUs (the machine's wake-up: not judged)"
        limit = 1.2 if pinned else None
        workload(f"Ping-pong of two loops, {where}", "wall", "pingpong 50000",
                 {"eventfd loop": "raw pingpong 50000 eventfd", "GLib source": "glib pingpong 50000 flag",
                  "libuv": "libuv pingpong 50000", "libev": "libev pingpong 50000"},
                 [("eventfd loop", limit, "-"), ("GLib source", "-", limit)], pinned)
    spinning("pingpong 50000")
    for pinned in (True, False):
        where = "on one CPU" if pinned else "on all CPUs (the machine's wake-up: not judged)"
        workload(f"Perform and wait, {where}", "wall", "wait 50000",
                 {"libev": "libev wait 50000", "GLib invoke": "glib wait 50000 invoke"},
                 [(p, limit if pinned else None, limit if pinned else None)
                  for p, limit in (("libev", 1.2), ("GLib invoke", 0.6))], pinned)
    spinning("wait 50000")
    for pinned in (False, True):
        where = "on one CPU (not judged)" if pinned else "on all CPUs"
        limit = None if pinned else 1.3
        workload(f"To the main actor and back, {where}", "hop", "hop 20000", {"Dispatch": "dispatch hop 20000 main"},
                 [("Dispatch", limit, limit)], pinned)
    for count in (10_000, 100_000):
        fire = f"timers_fire {count}"
        workload(f"{count:,} timers over 100 ms, with 1 ms of tolerance", "cpu", f"{fire} 1000",
                 {"libev": f"libev {fire}", "GLib time-outs": f"glib {fire} timeout-ms",
                  "Foundation": f"foundation {fire}"},
                 [("libev", 1.5, 1.5), ("GLib time-outs", None, None), ("Foundation", None, None)])
    for part in ("p50", "p99"):
        workload(f"Lateness of 1,000 timers without tolerance, {part}", "late_" + part, "timers_fire 1000 0",
                 {"eventfd loop": "raw timers_fire 1000 slack1", "GLib time-outs": "glib timers_fire 1000 timeout-ms"},
                 [("eventfd loop", 1.3, 1.3)])
    workload("A pass while timers wait", "cpu",
             {"none": "timers_idle 0 20000", "100,000": "timers_idle 100000 20000"},
             {"GLib, none": "glib timers_idle 0 20000 idle", "GLib, 100,000": "glib timers_idle 100000 100 idle"},
             [("itself, none", 1.1, 1.1)])
    churn = f"timers_churn 10000 {MILLION} 100"
    workload("Re-arm one of 10,000 timers", "cpu", churn,
             {"libuv": f"libuv {churn}", "libev": f"libev {churn} restart",
              "GLib time-outs": "glib timers_churn 10000 50000 100 recreate"},
             [("libuv", 1, 1), ("libev", None, None)])
    for count in (0, 10_000):
        idle, few = f"fds_idle {count} 20000", f"fds_idle {count} {1000 if count else 20000}"
        workload(f"One ready descriptor among {count:,} silent ones", "cpu", idle,
                 {"libev": f"libev {idle}", "GLib epoll source": f"glib {idle} epoll",
                  "GLib descriptors": f"glib {few} unix_fd"},
                 [("libev", 1.3, "-"), ("GLib epoll source", "-", 1.1)])
    workload("1,000 ready descriptors, each", "cpu", "fds_active 1000 200 drain",
             {"libev": "libev fds_active 1000 200 drain", "GLib descriptors": "glib fds_active 1000 200 drain unix_fd"},
             [("libev", 1.3, 1.3)])
    workload("Switch of mode", "cpu", {"10 items": "mode_switch 10 100000", "10,000 items": "mode_switch 10000 100000"},
             {}, [("itself, 10 items", 1.1, 1.1)])
    workload("Idle for three seconds", "wakeups", "idle_wakeups 3",
             {name: f"{binary} idle_wakeups 3{' serial' if binary == 'dispatch' else ''}" for name, binary in
              {"eventfd loop": "raw", "GLib": "glib", "libuv": "libuv", "libev": "libev", "Dispatch": "dispatch",
               "Foundation": "foundation"}.items()}, [], at_once=True)
    made[-1].goals = [Goal(driver, driver, "", 0) for driver in DRIVERS]
    for pinned in (True, False):
        where = "on one CPU" if pinned else "on all CPUs (the machine's wake-up: not judged)"
        ask = "request 20000 16"
        # 52 bytes: the 16 and what a packet of ports has before them.
        peers = {"seqpacket pair": "seqpacket request 20000 52", "pair in epoll": "seqpacket request 20000 52 epoll",
                 "GDBus pair": f"gdbus {ask} pair", "GDBus bus": f"gdbus {ask} bus"}
        limits = {"seqpacket pair": 1.3, "pair in epoll": None, "GDBus pair": 0.3, "GDBus bus": None}
        workload(f"Request and reply between processes, {where}", "wall", f"{ask} echo", peers,
                 [(p, limit if pinned else None, limit if pinned else None) for p, limit in limits.items()], pinned)
    spinning(f"{ask} echo")
    workload("A message of 64 MiB to another process", "wall", "request 5 67108864 one-way",
             {"memcpy, twice": "seqpacket copies 5 67108864"}, [("memcpy, twice", 1.2, 1.2)])
    # Two million a second.
    workload("Messages between threads", "wall", f"port_messages {MILLION}", {}, [])
    made[-1].goals = [Goal(driver, driver, "", 500) for driver in DRIVERS]
    for what, own in (("timer", True), ("source", False), ("closure", True)):
        memory = f"memory 100000 {what}"
        peers = {"GLib": f"glib {memory}", **({"Foundation": f"foundation {memory}"} if own else {})}
        workload(f"Memory of a waiting {what}", "bytes", memory, peers, [(p, 1, "-") for p in peers], drivers=(SWIFT,))
    return made
