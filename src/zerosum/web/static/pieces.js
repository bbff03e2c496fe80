// Pieces of several squares: picked from the tray, turned and flipped here, laid where the pointer or the arrows
// put them. What may be laid where comes with the board, in data-tray; the server is told the move alone.
window.zsPieces = (send, toast) => {
  const CELL = 40;  // of the drawing, in its own units
  const SVG = "http://www.w3.org/2000/svg";
  let name = null;  // of the piece
  let ways = [];  // in which it can lie
  let way = 0;
  let at = null;  // the cell under the piece's middle, [row, column]

  const data = () => {
    const holder = document.querySelector("[data-tray]");
    return holder ? JSON.parse(holder.dataset.tray) : null;
  };
  const normal = (squares) => {
    const sorted = squares.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const [row, column] = sorted[0];
    return sorted.map(([r, c]) => [r - row, c - column]);
  };
  const middle = (shape) => {
    const mean = [0, 1].map((axis) => shape.reduce((sum, square) => sum + square[axis], 0) / shape.length);
    const far = (square) => Math.hypot(square[0] - mean[0], square[1] - mean[1]);
    return shape.reduce((best, square) => (far(square) < far(best) ? square : best), shape[0]);
  };

  const take = (wanted) => {
    const tray = data();
    if (!tray) return;
    name = wanted;
    ways = Object.keys(tray.shapes).filter((key) => key.startsWith(name));
    way = Math.max(0, ways.findIndex((key) => tray.legal[key]));
    const first = Object.keys(tray.legal[ways[way]] || {})[0];
    if (first !== undefined) {
      const [row, column] = middle(tray.shapes[ways[way]]);
      at = [Math.floor(first / tray.columns) + row, (first % tray.columns) + column];
    }
    mark();
    draw();
  };
  const change = (map) => {
    const tray = data();
    if (!tray || !ways.length) return;
    const wanted = JSON.stringify(normal(tray.shapes[ways[way]].map(map)));
    const next = ways.findIndex((key) => JSON.stringify(tray.shapes[key]) === wanted);
    if (next >= 0) way = next;
    draw();
  };
  const turn = (by) => change(by > 0 ? ([r, c]) => [c, -r] : ([r, c]) => [-c, r]);
  const flip = () => change(([r, c]) => [r, -c]);

  // The squares that the piece would cover, and the action that this would be, if any.
  const placed = () => {
    const tray = data();
    if (!tray || !at || !tray.shapes[ways[way]]) return null;
    const shape = tray.shapes[ways[way]];
    const [row, column] = middle(shape);
    const first = [at[0] - row, at[1] - column];
    const inside = first[1] >= 0 && first[1] < tray.columns;
    const action = inside ? (tray.legal[ways[way]] || {})[first[0] * tray.columns + first[1]] : undefined;
    return { squares: shape.map(([r, c]) => [first[0] + r, first[1] + c]), action, tray };
  };
  const mark = () => {
    for (const button of document.querySelectorAll(".tray [data-do=piece]")) {
      button.setAttribute("aria-pressed", String(button.dataset.value === name));
    }
  };
  const draw = () => {
    const svg = document.querySelector(".board [data-tray] svg");
    svg?.querySelector(".ghostpiece")?.remove();
    const found = svg && placed();
    if (!found) return;
    const fits = found.action !== undefined;
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", fits ? "ghostpiece" : "ghostpiece unfit");
    group.setAttribute("transform", svg.querySelector("g[transform]").getAttribute("transform"));
    for (const [row, column] of found.squares) {
      if (row < 0 || column < 0 || row >= found.tray.rows || column >= found.tray.columns) continue;
      const box = document.createElementNS(SVG, "rect");
      const looks = { x: column * CELL + 2, y: row * CELL + 2, width: CELL - 4, height: CELL - 4, fill: found.tray.colour };
      for (const [key, value] of Object.entries(looks)) box.setAttribute(key, value);
      group.append(box);
    }
    svg.append(group);
  };
  const lay = () => {
    const found = placed();
    if (!found) return;
    if (found.action === undefined) return toast("it does not fit there: own pieces touch at corners only");
    send("hit", "a" + found.action);
    at = null;
  };
  const key = (pressed) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[pressed];
    if (!document.querySelector("[data-tray]")) return false;
    if (pressed === "r") turn(1);
    else if (pressed === "e") turn(-1);
    else if (pressed === "f") flip();
    else if (step && at) { at = [at[0] + step[0], at[1] + step[1]]; draw(); }
    else if (pressed === "l") lay();
    else return false;
    return true;
  };

  const over = (event) => {
    const svg = event.target instanceof Element ? event.target.closest(".board [data-tray] svg") : null;
    if (!svg) return false;
    const screen = svg.querySelector("g[transform]").getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(screen.inverse());
    at = [Math.floor(point.y / CELL), Math.floor(point.x / CELL)];
    draw();
    return true;
  };
  document.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse") over(event); });
  document.addEventListener("pointerup", (event) => {
    const before = JSON.stringify(at);
    // A finger taps twice: to see where the piece would lie, then to lay it.
    if (over(event) && name && (event.pointerType === "mouse" || before === JSON.stringify(at))) lay();
  });
  document.addEventListener("wheel", (event) => {
    if (!ways.length || !(event.target instanceof Element) || !event.target.closest(".board [data-tray]")) return;
    event.preventDefault();
    if (event.shiftKey) flip();
    else turn(event.deltaY > 0 ? 1 : -1);
  }, { passive: false });

  return { take, turn, flip, lay, key, settled: () => { mark(); draw(); } };
};
