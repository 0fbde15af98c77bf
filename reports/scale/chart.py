"""Draws throughput against cores, relative to one core, on logarithmic axes: python3 reports/scale/chart.py SCALE.json CHART.svg"""

import json
import math
import statistics
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, BOTTOM, MOST = 520, 360, 60, 310, 16
NAMES = {"gate": "gate of one kernel", "fuzz": "shards of fuzz", "check": "check of one product"}
COLORS = {"gate": "#0072b2", "fuzz": "#d55e00", "check": "#009e73"}


def place(cores, ratio):
    """Returns the place of a ratio: one factor of two is as long on both axes."""
    step = (BOTTOM - 30) / math.log2(MOST)
    return LEFT + step * math.log2(cores), BOTTOM - step * math.log2(ratio)


def line(points, color, dashes=""):
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{text}" fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"/>'


def label(x, y, text, color="#444", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}" text-anchor="{anchor}">{text}</text>'


measured = json.loads(Path(sys.argv[1]).read_text())
parts = ['<rect width="100%" height="100%" fill="#fff"/>']
for value in (1, 2, 4, 8, 16):
    x, y = place(value, value)
    parts.append(f'<path d="M{LEFT} {y:.1f}H{place(MOST, 1)[0]:.1f}M{x:.1f} {BOTTOM}V30" stroke="#ddd"/>')
    parts.append(label(LEFT - 8, y + 4, f"{value}×", anchor="end"))
    parts.append(label(x, BOTTOM + 18, str(value), anchor="middle"))
parts.append(label(place(4, 1)[0], BOTTOM + 38, "cores", anchor="middle"))
parts.append(line([place(1, 1), place(MOST, MOST)], "#999", "4 4"))
parts.append(label(*place(MOST, MOST), " linear"))
for name, rates in measured.items():
    if name not in NAMES:
        continue
    medians = sorted((int(cores), statistics.median(all_rates)) for cores, all_rates in rates.items())
    points = [place(cores, rate / medians[0][1]) for cores, rate in medians]
    parts.append(line(points, COLORS[name]))
    parts.extend(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{COLORS[name]}"/>' for x, y in points)
    parts.append(label(points[-1][0] + 8, points[-1][1] + 4, NAMES[name], COLORS[name]))
head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">'
Path(sys.argv[2]).write_text(head + "".join(parts) + "</svg>\n")
