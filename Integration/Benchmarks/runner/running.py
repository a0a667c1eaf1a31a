"""Builds the programs, runs them and keeps what they say."""
import json, os, shutil, subprocess, sys, time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ENVIRONMENT = dict(os.environ, SWIFT_BACKTRACE="enable=no")
HAS_TASKSET = shutil.which("taskset") is not None and (os.cpu_count() or 1) > 1
SMALL = 200  # a smoke run counts no further


def build():
    subprocess.run(["make", "-C", str(HERE / "peers"), "--no-print-directory"], check=True, stdout=sys.stderr)
    subprocess.run(["swift", "build", "-c", "release"], cwd=HERE, check=True, stdout=sys.stderr)


def command(program, smoke):
    path = HERE / (".build/release/grunloop-bench" if program.peer == "grunloop" else f"peers/build/{program.peer}")
    arguments = [str(min(int(a), SMALL)) if smoke and str(a).isdigit() else str(a) for a in program.arguments]
    pin = ["taskset", "-c", "1"] if program.pinned and HAS_TASKSET else []
    return [*pin, str(path), *arguments]


def start(program, smoke):
    return subprocess.Popen(command(program, smoke), stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)


def finish(program, process, failures, smoke):
    """The program's last line, or None."""
    try:
        out, _ = process.communicate(timeout=10 if smoke else 60)
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    if process.returncode == 0 and lines and lines[-1]["ops"]: return lines[-1]
    failures.append(f"{program}: {f'ended with {process.returncode}' if process.returncode else 'no result'}")
    print("failed:", failures[-1], file=sys.stderr)
    return None


def measure(workloads, repetitions, smoke):
    """Each workload's results: name of the program -> one line, or None, a repetition. And what failed.

    The repetition is the outer loop, so that a change of the machine's mood meets all alike; what is compared with each
    other runs one right after the other."""
    results, failures, began = [{name: [] for name in w.programs} for w in workloads], [], time.time()
    for repetition in range(repetitions):
        before = {}
        for workload, kept in zip(workloads, results):
            programs = workload.programs.items()
            if workload.at_once:
                processes = [start(program, smoke) for _, program in programs]
                lines = [finish(program, process, failures, smoke) for (_, program), process in zip(programs, processes)]
            else:
                # A run can be asked for a second figure by the next workload.
                before = {p: before[p] if p in before else finish(p, start(p, smoke), failures, smoke)
                          for _, p in programs}
                lines = [before[p] for _, p in programs]
            for name, line in zip(kept, lines): kept[name].append(line)
        print(f"repetition {repetition + 1} of {repetitions}: {time.time() - began:.0f} s", file=sys.stderr)
    return results, failures
