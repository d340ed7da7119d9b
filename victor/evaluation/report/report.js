"use strict";
// Shows threshold, precision, recall and F of the point of a curve next to the pointer; the arrow
// keys walk along the curve that has the focus.
(() => {
  const curves = JSON.parse(document.getElementById("curves").textContent);
  const VIEW = { width: 640, height: 520 };
  const PAGE_STEP = 20;

  function frameOf(svg) {
    const [left, top, width, height, low] = svg.dataset.frame.split(" ").map(Number);
    return {
      x: (value) => left + ((value - low) / (1 - low)) * width,
      y: (value) => top + ((1 - value) / (1 - low)) * height,
      holds: (line, point) => Math.min(line.recall[point], line.precision[point]) >= low,
    };
  }

  function nearest(lines, frame, x, y) {
    let best = null;
    lines.forEach((line, number) => {
      line.recall.forEach((recall, point) => {
        if (!frame.holds(line, point)) return;
        const distance = Math.hypot(frame.x(recall) - x, frame.y(line.precision[point]) - y);
        if (!best || distance < best.distance) best = { distance, line: number, point };
      });
    });
    return best;
  }

  function inWords(line, point) {
    const shown = (name) => line[name][point].toFixed(4);
    return [
      line.system,
      `threshold ${shown("threshold")}`,
      `precision ${shown("precision")}`,
      `recall ${shown("recall")}`,
      `F ${shown("f1")}`,
    ];
  }

  function follow(svg) {
    const lines = curves[svg.dataset.measure];
    const frame = frameOf(svg);
    const cursor = svg.querySelector(".cursor");
    const readout = svg.parentElement.querySelector(".readout");
    let place = { line: 0, point: lines[0].f1.indexOf(Math.max(...lines[0].f1)) };

    function show(found) {
      const line = lines[found.line];
      const words = inWords(line, found.point);
      place = found;
      cursor.setAttribute("cx", frame.x(line.recall[found.point]));
      cursor.setAttribute("cy", frame.y(line.precision[found.point]));
      cursor.setAttribute("visibility", frame.holds(line, found.point) ? "visible" : "hidden");
      readout.textContent = words.join("\n");
      svg.setAttribute("aria-valuenow", line.threshold[found.point]);
      svg.setAttribute("aria-valuetext", words.join(", "));
    }

    function along(step) {
      const last = lines[place.line].recall.length - 1;
      show({ line: place.line, point: Math.min(Math.max(place.point + step, 0), last) });
    }

    function across(step) {
      const next = (place.line + step + lines.length) % lines.length;
      const old = lines[place.line];
      const threshold = old.threshold[place.point];
      const after = lines[next].threshold.findIndex((value) => value >= threshold);
      show({ line: next, point: Math.max(after, 0) });
    }

    const keys = {
      ArrowRight: () => along(1),
      ArrowLeft: () => along(-1),
      PageUp: () => along(PAGE_STEP),
      PageDown: () => along(-PAGE_STEP),
      Home: () => along(-Infinity),
      End: () => along(Infinity),
      ArrowUp: () => across(-1),
      ArrowDown: () => across(1),
    };

    svg.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * VIEW.width;
      const y = ((event.clientY - box.top) / box.height) * VIEW.height;
      const found = nearest(lines, frame, x, y);
      if (found) show(found);
    });
    svg.addEventListener("focus", () => show(place));
    svg.addEventListener("keydown", (event) => {
      if (!(event.key in keys)) return;
      event.preventDefault();
      keys[event.key]();
    });
  }

  document.querySelectorAll("svg.curve").forEach(follow);
})();
