# SPDX-License-Identifier: MIT
# Draws the figures of docs/theory.md into docs/pictures: python3 docs/figures.py
import math
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pictures")
INK, RED, BLUE, PALE = "#333", "#c33", "#36c", "#36c2"


class Drawing:
    def __init__(self, width, height):
        self.width, self.height, self.parts = width, height, []

    def line(self, points, colour=INK, width=1.2, arrow=False, dash=False):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        more = (" stroke-dasharray='4 3'" if dash else "") + (" marker-end='url(#a)'" if arrow else "")
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{more}/>')

    def area(self, points, fill=PALE, edge="none"):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polygon points="{path}" fill="{fill}" stroke="{edge}"/>')

    def text(self, x, y, words, size=14, colour=INK, anchor="middle"):
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}">{words}</text>')

    def write(self, name):
        with open(f"{FOLDER}/{name}.svg", "w", encoding="utf-8") as out:
            size = f'width="{self.width}" height="{self.height}"'
            out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" {size} '
                      'font-family="sans-serif">\n<defs><marker id="a" markerWidth="8" markerHeight="8" refX="6" refY="3" '
                      f'orient="auto"><path d="M0,0 L7,3 L0,6 z" fill="{INK}"/></marker></defs>\n<rect {size} fill="#fff"/>\n'
                      + "\n".join(self.parts) + "\n</svg>\n")


def axes(drawing, x, y, across, up):
    drawing.line([(x - 70, y), (x + 76, y)], arrow=True)
    drawing.line([(x, y + 62), (x, y - 66)], arrow=True)
    drawing.text(x + 84, y + 5, across, anchor="start")
    drawing.text(x + 6, y - 60, up, anchor="start")


def laws():
    """w against the impulse of one row."""
    d = Drawing(720, 210)
    for k, (title, points) in enumerate([
            ("equality: w = 0", [(-66, 0), (66, 0)]),
            ("unilateral: 0 ≤ λ ⊥ w ≥ 0", [(0, -56), (0, 0), (66, 0)]),
            ("box: lo ≤ λ ≤ hi", [(-44, -56), (-44, 0), (44, 0), (44, 56)])]):
        x, y = 110 + 245 * k, 90
        axes(d, x, y, "λ", "w")
        d.line([(x + a, y + b) for a, b in points], RED, 3)
        d.text(x, 185, title)
    d.text(110 + 490 - 58, 106, "lo", 12)
    d.text(110 + 490 + 56, 84, "hi", 12)
    d.write("laws")


def circle(x, y, radius, corners):
    turn = 2 * math.pi / corners
    return [(x + radius * math.cos(turn * k), y + radius * math.sin(turn * k)) for k in range(corners)]


def cone():
    """The impulses of a contact: Coulomb's cone, a pyramid inside, and the plane of the tangents."""
    d = Drawing(640, 260)
    x, y, high, wide, flat = 160, 220, 170, 100, 26
    ring = [(x + wide * math.cos(2 * math.pi * k / 60), y - high + flat * math.sin(2 * math.pi * k / 60)) for k in range(61)]
    d.area(ring, PALE, BLUE)
    d.area([(x, y), (x - wide, y - high), (x + wide, y - high)], "#36c1")
    d.line([(x - wide, y - high), (x, y), (x + wide, y - high)], BLUE, 1.6)
    d.line([(x, y), (x, 14)], arrow=True)
    d.text(x + 8, 24, "λn", anchor="start")
    d.text(x, 248, "cone: |λt| ≤ μ λn")
    x, y, radius = 470, 120, 88
    d.area(circle(x, y, radius, 60), PALE, BLUE)
    facets = circle(x, y, radius, 8)
    d.line(facets + facets[:1], RED, 2)
    d.line([(x - 112, y), (x + 118, y)], arrow=True)
    d.line([(x, y + 108), (x, y - 108)], arrow=True)
    d.text(x + 124, y + 5, "λt1", anchor="start")
    d.text(x + 8, y - 100, "λt2", anchor="start")
    slide = (x + radius * math.cos(0.9), y - radius * math.sin(0.9))
    d.line([(x, y), slide], INK, 2, arrow=True)
    d.line([slide, (slide[0] + 42 * math.cos(0.9), slide[1] - 42 * math.sin(0.9))], INK, 1.2, dash=True)
    d.text(slide[0] - 8, slide[1] - 22, "−wt", 13, anchor="end")
    d.text(x, 248, "from above: cone, and the pyramid of 8 facets", 14)
    d.write("cone")


def attachments():
    """A graph of attachments: joint coordinates, rods on them, bobs on the rods."""
    d = Drawing(640, 170)
    boxes = {"shoulder": (70, 40), "elbow": (70, 120), "upper rod": (250, 40), "lower rod": (250, 120), "first bob": (430, 40),
             "second bob": (430, 120)}
    for master, slave in [("shoulder", "upper rod"), ("upper rod", "lower rod"), ("elbow", "lower rod"),
                          ("upper rod", "first bob"), ("lower rod", "second bob")]:
        (x0, y0), (x1, y1) = boxes[master], boxes[slave]
        d.line([(x0, y0 + 18), (x1, y1 - 20)] if x0 == x1 else [(x0 + 52, y0), (x1 - 54, y1)], arrow=True)
    for name, (x, y) in boxes.items():
        active = x < 100
        d.area([(x - 50, y - 18), (x + 50, y - 18), (x + 50, y + 18), (x - 50, y + 18)], "#fdd" if active else "#def", INK)
        d.text(x, y + 5, name)
    d.text(500, 45, "red: solved for", anchor="start")
    d.text(500, 125, "blue: follows", anchor="start")
    d.write("attachments")


laws()
cone()
attachments()
