"use strict";
// Shows threshold, precision, recall and F1 of the curve point nearest to the pointer; arrow keys
// move along the focused curve.
(() => {
  const curves = JSON.parse(document.getElementById("curves").textContent);
  const VIEW = { width: 640, height: 520 };
  const PAGE_STEP = 20;

  /** Coordinates of a plot whose axes run from low to 1. */
  function frameOf(svg) {
    const [left, top, width, height, low] = svg.dataset.frame.split(" ").map(Number);
    return {
      x: (value) => left + ((value - low) / (1 - low)) * width,
      y: (value) => top + ((1 - value) / (1 - low)) * height,
      contains: (line, point) => Math.min(line.recall[point], line.precision[point]) >= low,
    };
  }

  /** The visible {line, point}, both indices, nearest to a position, or null. */
  function nearest(lines, frame, x, y) {
    let best = null;
    lines.forEach((line, index) => {
      line.recall.forEach((recall, point) => {
        if (!frame.contains(line, point)) return;
        const distance = Math.hypot(frame.x(recall) - x, frame.y(line.precision[point]) - y);
        if (!best || distance < best.distance) best = { distance, line: index, point };
      });
    });
    return best;
  }

  function describe(line, point) {
    const value = (name) => line[name][point].toFixed(4);
    return [
      line.system,
      `threshold ${value("threshold")}`,
      `precision ${value("precision")}`,
      `recall ${value("recall")}`,
      `F ${value("f1")}`,
    ];
  }

  function makeInteractive(svg) {
    const lines = curves[svg.dataset.measure];
    const frame = frameOf(svg);
    const cursor = svg.querySelector(".cursor");
    const readout = svg.parentElement.querySelector(".readout");
    let current = { line: 0, point: lines[0].f1.indexOf(Math.max(...lines[0].f1)) };

    function show(selected) {
      current = selected;
      const { point } = selected;
      const line = lines[selected.line];
      const description = describe(line, point);
      cursor.setAttribute("cx", frame.x(line.recall[point]));
      cursor.setAttribute("cy", frame.y(line.precision[point]));
      cursor.setAttribute("visibility", frame.contains(line, point) ? "visible" : "hidden");
      readout.textContent = description.join("\n");
      svg.setAttribute("aria-valuenow", line.threshold[point]);
      svg.setAttribute("aria-valuetext", description.join(", "));
    }

    function movePoint(step) {
      const { line, point } = current;
      const last = lines[line].recall.length - 1;
      show({ line, point: Math.min(Math.max(point + step, 0), last) });
    }

    /** Moves to another curve, at the same threshold or the next higher one. */
    function moveLine(step) {
      const threshold = lines[current.line].threshold[current.point];
      const line = (current.line + step + lines.length) % lines.length;
      const point = lines[line].threshold.findIndex((value) => value >= threshold);
      show({ line, point: Math.max(point, 0) });
    }

    const keys = {
      ArrowRight: () => movePoint(1),
      ArrowLeft: () => movePoint(-1),
      PageUp: () => movePoint(PAGE_STEP),
      PageDown: () => movePoint(-PAGE_STEP),
      Home: () => movePoint(-Infinity),
      End: () => movePoint(Infinity),
      ArrowUp: () => moveLine(-1),
      ArrowDown: () => moveLine(1),
    };

    svg.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * VIEW.width;
      const y = ((event.clientY - box.top) / box.height) * VIEW.height;
      const point = nearest(lines, frame, x, y);
      if (point) show(point);
    });
    svg.addEventListener("focus", () => show(current));
    svg.addEventListener("keydown", (event) => {
      if (!(event.key in keys)) return;
      event.preventDefault();
      keys[event.key]();
    });
  }

  document.querySelectorAll("svg.curve").forEach(makeInteractive);
})();
