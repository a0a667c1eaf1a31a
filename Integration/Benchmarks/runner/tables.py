"""Medians, ratios and goals; as data and as Markdown."""
import os, platform, statistics, subprocess
from .running import HAS_TASKSET
from .workloads import FIGURES


def spread(values):
    values = [v for v in values if v is not None]
    if not values: return None
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def judge(goal, kept, figure):
    """The ratio of each repetition to the peer's run next to it, so that what both suffered from cancels out."""
    mine, theirs = kept[goal.subject], kept.get(goal.peer, [])
    if goal.peer:
        pairs = [(figure(a), figure(b)) for a, b in zip(mine, theirs) if a and b]
        ratio = spread([a / b for a, b in pairs if a is not None and b])
    else:
        ratio = spread([figure(a) for a in mine if a])
    reached = None if ratio is None or goal.limit is None else ratio["median"] <= goal.limit
    return {"driver": goal.driver, "program": goal.subject, "label": goal.label, "peer": goal.peer, "ratio": ratio,
            "reach": goal.limit, "reached": reached}


def summary(workloads, results, repetitions):
    rows = []
    for workload, kept in zip(workloads, results):
        unit, figure = FIGURES[workload.figure]
        rows.append({
            "workload": workload.title, "unit": unit,
            "programs": {name: {"command": str(workload.programs[name]), "figure": spread([figure(r) for r in lines if r]),
                                "runs": lines} for name, lines in kept.items()},
            "goals": [judge(goal, kept, figure) for goal in workload.goals],
        })
    lines = [r for kept in results for lines in kept.values() for r in lines if r]
    others = [r["extra"]["others_cpu_pct"] for r in lines if r["extra"].get("wall_ms", 0) > 20]
    return {"machine": machine(), "repetitions": repetitions, "others_cpu_pct": statistics.median(others or [0]),
            "workloads": rows}


def machine():
    def first(*command):
        try: return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]
        except (OSError, IndexError): return "unknown"
    with open("/proc/cpuinfo") as info:
        models = [line.split(":", 1)[1].strip() for line in info if line.startswith("model name")]
    return {"cpu": models[0] if models else platform.machine(), "cpus": os.cpu_count(),
            "pinned": HAS_TASKSET, "kernel": platform.release(), "swift": first("swift", "--version"),
            "glib": first("pkg-config", "--modversion", "glib-2.0")}


def number(x):
    return f"{x:,.0f}" if abs(x) >= 100 or x == int(x) else f"{x:.1f}" if abs(x) >= 10 else f"{x:.2f}"


def ranged(s):
    return "–" if s is None else number(s["median"]) + ("" if s["min"] == s["max"] else
                                                       f" ({number(s['min'])}–{number(s['max'])})")


def ratio_text(s):
    return "–" if s is None else f"{s['median']:.3g} × ({s['min']:.3g}–{s['max']:.3g})"


def markdown(data):
    m, judged = data["machine"], [g for w in data["workloads"] for g in w["goals"] if g["reached"] is not None]
    out = ["# Results", "",
           f"{m['cpu']}, {m['cpus']} CPUs, Linux {m['kernel']}, GLib {m['glib']}, {m['swift']}. "
           f"{data['repetitions']} repetitions: the median, and in brackets the least and the most. "
           f"Others used {data['others_cpu_pct']:.0f} % of a CPU meanwhile (median).", "",
           *([] if m["pinned"] else ["No program was pinned to one CPU: `taskset`, or a second CPU, is missing.", ""]),
           f"Reached: {sum(g['reached'] for g in judged)} of {len(judged)}."]
    for w in data["workloads"]:
        out += ["", f"## {w['workload']}", "", f"| | {w['unit']} | ratio to | | reach | |", "|---|--:|---|--:|--:|---|"]
        for name, program in w["programs"].items():
            cells = [name, ranged(program["figure"])]
            goals = [g for g in w["goals"] if g["program"] == name] or [None]
            for g in goals:
                if g is None: rest = ["", "", "", ""]
                elif not g["peer"]: rest = ["", "", f"{g['reach']}", verdict(g)]
                else:
                    reach = "" if g["reach"] is None else f"≤ {g['reach']} ×"
                    rest = [g["peer"], ratio_text(g["ratio"]), reach, verdict(g)]
                out.append("| " + " | ".join(cells + rest) + " |")
                cells = ["", ""]
    return "\n".join(out) + "\n"


def verdict(goal):
    return {True: "reached", False: "**missed**", None: ""}[goal["reached"]]
