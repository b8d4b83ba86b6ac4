// SPDX-License-Identifier: MIT
// Run at the end of a page of saddle simulate --view: what a visitor does, and what has to come of it. The names of the
// claims that fail are left in document.body.dataset.claims.
"use strict";
const failed = [];
const claim = (name, holds) => { if (!holds) failed.push(name); };
// pixel of a point of the world, as events count them
function onScreen(p) {
  const v = viewMatrix(), q = [0, 1, 2, 3].map(i => v[i] * p[0] + v[i + 4] * p[1] + v[i + 8] * p[2] + v[i + 12]);
  return [canvas.width * (q[0] / q[3] + 1) / 2, canvas.height * (1 - q[1] / q[3]) / 2];
}
function click(p) {
  const [x, y] = onScreen(p).map(Math.round), at = {offsetX: x, offsetY: y, clientX: x, clientY: y, pointerId: 1};
  drag = {x, y, moved: 0};
  canvas.onpointerup(at);
  return by("info").textContent;
}
function pixels() {
  const all = new Uint8Array(4 * canvas.width * canvas.height);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, all);
  return all;
}
function count(is) {
  const all = pixels();
  let n = 0;
  for (let k = 0; k < all.length; k += 4) if (is(all[k], all[k + 1], all[k + 2])) n++;
  return n;
}
function differs(change) {
  const before = pixels();
  change();
  const after = pixels();
  return before.some((x, k) => x !== after[k]);
}
const toggle = id => { by(id).checked = !by(id).checked; by(id).onchange(); };

show(frames - 1);
claim("something is drawn", count((r, g, b) => Math.abs(r - 244) + Math.abs(g - 244) + Math.abs(b - 242) > 30) > 200);
by("links").checked = by("impulses").checked = false;
data.parts.forEach((part, k) => {
  if (part.kind === "nodes") return;
  const text = click(placeOf(part, shown).slice(12, 15));
  // another part may be in front: one of them is told
  claim(`a click on part ${k} tells a part`, data.parts.some((p, j) => text.includes(`${nameOf(j)} (${p.kind})`)) && text.includes("\nat "));
});
by("links").checked = true;
for (const [k, link] of data.links.entries()) {
  const text = click([...pointsOf(link, shown).subarray(0, 3)]);
  claim(`a click on ${link.kind} ${k} tells a joint or path`, data.links.some(l => text.includes(`(${l.kind})`)) && /reaction|length|attachment/.test(text));
}
if (data.links.length) claim("joints and paths can be hidden", differs(() => toggle("links")));
if (data.links.some(l => l.reaction)) claim("reactions can be hidden", differs(() => toggle("reactions")));
by("links").checked = by("reactions").checked = false;
by("impulses").checked = true;
show(frames - 1);
if (firstArrow() < data.arrowEnd[shown]) {
  const one = impulse(firstArrow());
  const text = click(one.at.map((x, i) => x + 0.02 * radius * one.force[i] / Math.hypot(...one.force)));
  claim("a click on an impulse tells its two parts", text.includes("contact of ") && text.includes("N s"));
  claim("impulses can be hidden", differs(() => toggle("impulses")));
}
if (data.parts.some(p => p.triangles)) {
  const shares = new Array(101).fill(0); // of blue in a colour, whatever light falls on it
  count((r, g, b) => { if (r + g + b < 680) shares[Math.round(100 * b / (r + g + b + 1))]++; return false; });
  claim("the surface has the colours of its displacements", shares.filter(n => n > 20).length > 12);
}
for (const shape of data.parts.flatMap(p => p.shapes)) {
  if (!shape.corners.length) continue;
  const reach = (flat, i, sign) => Math.max(...flat.filter((x, k) => k % 3 === i).map(x => sign * x));
  const drawn = shape.faces.flatMap(k => shape.corners.slice(3 * k, 3 * k + 3));
  claim("the faces of a convex shape reach its farthest corners",
    [0, 1, 2].every(i => [1, -1].every(sign => reach(drawn, i, sign) === reach(shape.corners, i, sign))));
  const counts = spans.filter(s => s.part && s.part.shapes.includes(shape)).map(s => s.mesh.count);
  claim("all faces are drawn", counts.includes(shape.faces.length) && drawn.length === 3 * shape.faces.length);
}
const clock = by("clock").textContent;
by("slider").value = 1;
by("slider").oninput();
claim("the slider moves the time", by("clock").textContent !== clock && Math.abs(parseFloat(by("clock").textContent) - data.time[1]) < 1e-3);
by("energy").onclick({offsetX: by("energy").clientWidth - 8});
claim("a click on a curve moves the time", shown === frames - 1);
document.body.dataset.claims = failed.length ? failed.join("; ") : "all hold";
