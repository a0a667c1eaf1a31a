"""The ratios as one picture, for light and dark pages."""
import math
from html import escape

STYLE = """
.page { fill: #ffffff; stroke: #d0d7de } .text { fill: #1f2328 } .dim { fill: #59636e } .grid { stroke: #e4e8ec }
.one { stroke: #8c959f } .swift { fill: #e8590c } .glib { fill: #2f7ed8 } .target { stroke: #1f2328 }
@media (prefers-color-scheme: dark) {
  .page { fill: #0d1117; stroke: #30363d } .text { fill: #e6edf3 } .dim { fill: #9198a1 } .grid { stroke: #21262d }
  .one { stroke: #6e7681 } .swift { fill: #f0883e } .glib { fill: #58a6ff } .target { stroke: #e6edf3 }
}
text { font: 12px -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", Helvetica, Arial, sans-serif }
.title { font-size: 15px; font-weight: 600 } .small { font-size: 10px } .end { text-anchor: end } .mid { text-anchor: middle }
"""
LEFT, WIDTH, RIGHT, TOP, BAR, ROW = 380, 440, 70, 96, 9, 29
LEAST, MOST = 0.005, 10.0  # the ends of the scale, which is logarithmic: half and twice are as far from 1


def x(ratio):
    return LEFT + WIDTH * math.log(min(max(ratio, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)


def rows(data):
    """(workload, its peers, goal by driver) for each comparison that is judged; both drivers share a row."""
    found = {}
    for w in data["workloads"]:
        for place, label in enumerate(dict.fromkeys(g["label"] for g in w["goals"])):
            mine = [g for g in w["goals"] if g["label"] == label and g["peer"] and g["reach"] is not None and g["ratio"]]
            for driver in dict.fromkeys(g["driver"] for g in mine):
                for index, g in enumerate(g for g in mine if g["driver"] == driver):
                    found.setdefault((w["workload"], label, index), {})[driver] = g
    for (title, label, _), goals in found.items():
        peers = dict.fromkeys(g["peer"].replace(g["driver"] + ", ", "itself, ") for g in goals.values())
        yield f"{title}: {label}" if label else title, " / ".join(peers), goals


def svg(data):
    out, y = [], TOP
    for title, peers, goals in rows(data):
        out.append(f'<text class="text end" x="{LEFT - 10}" y="{y + 8}">{escape(title)}</text>')
        out.append(f'<text class="dim small end" x="{LEFT - 10}" y="{y + 20}">to {escape(peers)}</text>')
        for place, driver in enumerate(("Swift drives", "GLib drives")):
            if driver not in goals: continue
            g, top = goals[driver], y + place * (BAR + 2)
            ratio, target = g["ratio"]["median"], x(g["reach"])
            left, right = sorted((x(1), x(ratio)))
            out.append(f'<rect class="{driver.split()[0].lower()}" x="{left:.1f}" y="{top}" rx="1.5" '
                       f'width="{max(2, right - left):.1f}" height="{BAR}"/>')
            out.append(f'<line class="target" x1="{target:.1f}" x2="{target:.1f}" y1="{top - 1}" y2="{top + BAR + 1}" '
                       'stroke-width="2.5"/>')
            mark = "" if g["reached"] else " ✗"
            out.append(f'<text class="dim small" x="{max(right, target) + 6:.1f}" y="{top + 8}">'
                       f'{ratio:.3g} ×{mark}</text>')
        y += ROW
    grid = []
    for tick in (0.01, 0.03, 0.1, 0.3, 1, 3, 10):
        kind = 'one" stroke-width="1.5' if tick == 1 else "grid"
        grid.append(f'<line class="{kind}" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP - 8}" y2="{y}"/>')
        grid.append(f'<text class="dim small mid" x="{x(tick):.1f}" y="{TOP - 13}">{tick:g} ×</text>')
    width, height = LEFT + WIDTH + RIGHT, y + 14
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        "<title>What GRunLoop needs, in proportion to other loops</title>", f"<style>{STYLE}</style>",
        f'<rect class="page" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="6"/>',
        '<text class="text title" x="18" y="30">What GRunLoop needs, in proportion to other loops</text>',
        f'<text class="dim" x="18" y="50">Left of 1 × is less than the peer needs; logarithmic; medians of {data["repetitions"]} runs</text>',
        f'<rect class="swift" x="{LEFT + 110}" y="40" width="18" height="{BAR}" rx="1.5"/>',
        f'<text class="text" x="{LEFT + 134}" y="49">Swift drives</text>',
        f'<rect class="glib" x="{LEFT + 230}" y="40" width="18" height="{BAR}" rx="1.5"/>',
        f'<text class="text" x="{LEFT + 254}" y="49">GLib drives</text>',
        f'<line class="target" x1="{LEFT + 350}" x2="{LEFT + 350}" y1="38" y2="51" stroke-width="2.5"/>',
        f'<text class="text" x="{LEFT + 359}" y="49">to reach</text>',
    ]
    return "\n".join([*head, *grid, *out, "</svg>"]) + "\n"
