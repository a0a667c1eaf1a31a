#!/usr/bin/env python3
"""Times this library and other loops on the same work. `--smoke`: only sees that each program runs."""
import argparse, json, sys
from runner import chart, running, tables
from runner.workloads import workloads


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--smoke", action="store_true", help="once, with tiny counts; fails if a program does")
    options.add_argument("--repetitions", type=int, default=5)
    options.add_argument("--only", default="", help="workloads whose title holds this")
    options.add_argument("--draw", action="store_true", help="tables and chart once more, from the last results")
    options = options.parse_args()

    folder = running.HERE / "build"
    folder.mkdir(exist_ok=True)
    if options.draw:
        return write(folder, json.loads((folder / "results.json").read_text()))
    running.build()
    chosen = [w for w in workloads() if options.only.lower() in w.title.lower()]
    repetitions = 1 if options.smoke else options.repetitions
    results, failures = running.measure(chosen, repetitions, options.smoke)
    data = tables.summary(chosen, results, repetitions)
    if options.smoke:
        # The figures say nothing; that they can be written does.
        tables.markdown(data), chart.svg(data)
        print(f"{sum(len(w.programs) for w in chosen)} programs ran, {len(failures)} failed")
    else:
        (folder / "results.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
        write(folder, data)
    if failures: sys.exit("\n".join(["", "failed:", *failures]))


def write(folder, data):
    text = tables.markdown(data)
    (folder / "results.md").write_text(text)
    (folder / "results.svg").write_text(chart.svg(data))
    print(text)


main()
