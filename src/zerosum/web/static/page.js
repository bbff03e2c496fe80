// The page's one script. Everything that is pressed carries data-do; it becomes one message {do, value} on one
// wire to the server, which checks it like a stranger's. What comes back replaces regions of the page.
(() => {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const send = (deed, value) => document.querySelector(".wire")?.dispatchEvent(new CustomEvent("zs", { detail: { do: deed, value: value ?? null } }));
  const near = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

  // Theme: what was chosen, else what the machine prefers.
  const theme = localStorage.getItem("zs-theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  const toggleTheme = () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    localStorage.setItem("zs-theme", next);
  };

  const press = (element) => {
    const { do: deed, value } = element.dataset;
    if (deed === "theme") return toggleTheme();
    if (deed === "copy") return copy(element);
    if (deed === "png") return downloadPng(element);
    if (deed === "turn") return piece.turn(Number(value));
    if (deed === "flip") return piece.flip();
    if (deed === "piece") return piece.take(value);
    if (deed === "lay") return piece.lay();
    if (deed === "submit") return submit(element.closest("form"));
    send(deed, value);
  };
  const copy = async (element) => {
    const text = element.dataset.value.startsWith("/") ? location.origin + element.dataset.value : element.dataset.value;
    try { await navigator.clipboard.writeText(text); toast("copied"); } catch { window.prompt("copy this", text); }
  };
  const submit = (form) => send(form.dataset.name, Object.fromEntries(new FormData(form)));

  document.addEventListener("click", (event) => {
    const hit = near(event, ".target");
    if (hit) return send("hit", hit.id);
    const pressed = near(event, "[data-do]");
    if (pressed && !["INPUT", "SELECT", "FORM"].includes(pressed.tagName)) press(pressed);
  });
  document.addEventListener("submit", (event) => { event.preventDefault(); submit(event.target); });
  document.addEventListener("change", (event) => {
    const changed = near(event, "input[data-do], select[data-do]");
    if (changed) send(changed.dataset.do, changed.type === "checkbox" ? String(changed.checked) : changed.value);
  });
  document.addEventListener("input", (event) => {
    const slider = near(event, "input[type=range][data-names]");
    if (slider) { const shown = document.getElementById(slider.dataset.shows); if (shown) shown.textContent = JSON.parse(slider.dataset.names)[slider.value]; }
  });

  // Keys: arrows go through the game, or from cell to cell while the board has the focus.
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const centre = (element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const neighbour = (from, [right, down]) => {
    const [x, y] = centre(from);
    let best = null, least = Infinity;
    for (const other of document.querySelectorAll(".board .target")) {
      if (other === from) continue;
      const [ox, oy] = centre(other), along = (ox - x) * right + (oy - y) * down, aside = Math.abs((ox - x) * down) + Math.abs((oy - y) * right);
      if (along > 2 && along + 2.5 * aside < least) { least = along + 2.5 * aside; best = other; }
    }
    return best;
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName)) return;
    const cell = near(event, ".target");
    if (cell && step[event.key]) { event.preventDefault(); neighbour(cell, step[event.key])?.focus(); return; }
    if (cell && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); return send("hit", cell.id); }
    if (event.key === "Enter" || (event.key === " " && event.target.tagName === "BUTTON")) return;
    if (piece.key(event.key)) return event.preventDefault();
    if (document.querySelector("[data-keys]")) {
      if ([" ", "ArrowUp", "ArrowDown"].includes(event.key)) event.preventDefault();
      if (event.key.length === 1 || event.key.startsWith("Arrow")) send("key", event.key);
    }
  });

  // The expected line is shown while something that tells of it is under the pointer or has the focus.
  const showLine = (on) => document.body.classList.toggle("showing-line", on);
  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, (event) => showLine(!!near(event, ".line-text")));

  // Pieces of several squares: picked from the tray, turned and flipped here, laid where the pointer is.
  const piece = {
    ways: null, way: 0, at: null, name: null,
    data() { const holder = document.querySelector("[data-tray]"); return holder ? JSON.parse(holder.dataset.tray) : null; },
    take(name) { this.name = name; const data = this.data(); this.ways = data ? Object.keys(data.shapes).filter((way) => way.startsWith(name)) : null; this.way = 0; this.mark(); this.draw(); },
    mark() { for (const button of document.querySelectorAll(".tray [data-do=piece]")) button.setAttribute("aria-pressed", String(button.dataset.value === this.name)); },
    key(key) {
      if (!document.querySelector("[data-tray]")) return false;
      if (key === "r") this.turn(1); else if (key === "e") this.turn(-1); else if (key === "f") this.flip(); else return false;
      return true;
    },
    same(shape) { const data = this.data(); const text = JSON.stringify(shape); return this.ways.findIndex((way) => JSON.stringify(data.shapes[way]) === text); },
    normal(squares) { const sorted = squares.sort((a, b) => a[0] - b[0] || a[1] - b[1]); const [r, c] = sorted[0]; return sorted.map(([y, x]) => [y - r, x - c]); },
    change(map) { if (!this.ways) return; const data = this.data(); const next = this.same(this.normal(data.shapes[this.ways[this.way]].map(map))); if (next >= 0) this.way = next; this.draw(); },
    turn(by) { this.change(by > 0 ? ([r, c]) => [c, -r] : ([r, c]) => [-c, r]); },
    flip() { this.change(([r, c]) => [r, -c]); },
    cells() {
      const data = this.data();
      if (!data || !this.ways?.length || !this.at) return null;
      const shape = data.shapes[this.ways[this.way]];
      const middle = [Math.round(shape.reduce((sum, s) => sum + s[0], 0) / shape.length), Math.round(shape.reduce((sum, s) => sum + s[1], 0) / shape.length)];
      const anchor = shape.reduce((best, s) => (Math.hypot(s[0] - middle[0], s[1] - middle[1]) < Math.hypot(best[0] - middle[0], best[1] - middle[1]) ? s : best), shape[0]);
      const first = [this.at[0] - anchor[0], this.at[1] - anchor[1]];
      const legal = data.legal[this.ways[this.way]] || {};
      return { squares: shape.map(([r, c]) => [first[0] + r, first[1] + c]), action: legal[first[0] * data.columns + first[1]], data };
    },
    draw() {
      const svg = document.querySelector(".board [data-tray] svg"); svg?.querySelector(".ghostpiece")?.remove();
      const found = svg && this.cells();
      if (!found) return;
      const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
      group.setAttribute("class", "ghostpiece"); group.setAttribute("transform", svg.querySelector("g[transform]").getAttribute("transform"));
      for (const [r, c] of found.squares) {
        if (r < 0 || c < 0 || r >= found.data.rows || c >= found.data.columns) continue;
        const box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
        for (const [key, value] of Object.entries({ x: c * 40 + 2, y: r * 40 + 2, width: 36, height: 36, fill: found.data.colour, "fill-opacity": found.action === undefined ? .18 : .85, stroke: found.action === undefined ? "#b3261e" : "#111", "stroke-dasharray": found.action === undefined ? "5 4" : "" })) box.setAttribute(key, value);
        group.append(box);
      }
      svg.append(group);
    },
    lay() { const found = this.cells(); if (found && found.action !== undefined) { send("hit", "a" + found.action); this.at = null; } },
    over(event) {
      const svg = near(event, ".board [data-tray] svg"); if (!svg) return false;
      const layer = svg.querySelector("g[transform]"), point = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.getScreenCTM().inverse());
      this.at = [Math.floor(point.y / 40), Math.floor(point.x / 40)]; this.draw(); return true;
    },
  };
  document.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse") piece.over(event); });
  document.addEventListener("pointerup", (event) => {
    const before = JSON.stringify(piece.at);
    if (!piece.over(event)) return;
    if (event.pointerType === "mouse" || before === JSON.stringify(piece.at)) piece.lay();  // a finger taps twice: to see, then to lay
  });
  document.addEventListener("wheel", (event) => { if (piece.ways && near(event, ".board [data-tray]")) { event.preventDefault(); event.shiftKey ? piece.flip() : piece.turn(event.deltaY > 0 ? 1 : -1); } }, { passive: false });

  // What was played last moves into its place: stones fall, discs turn.
  let ply = null;
  const animate = (scene) => {
    const { ply: now, last, turned, falls } = scene.dataset;
    if (now === ply || calm) { ply = now; return; }
    ply = now;
    for (const cell of (last || "").split(",").filter(Boolean)) {
      const mark = scene.querySelector(`[data-cell="${cell}"]`); if (!mark) continue;
      const rows = Number(falls || 0);
      mark.animate(rows ? [{ transform: `translateY(${-40 * rows}px)` }, { transform: "none" }] : [{ opacity: 0 }, { opacity: 1 }], { duration: rows ? 190 : 120, easing: "cubic-bezier(.45,0,1,.7)" });
    }
    for (const cell of (turned || "").split(",").filter(Boolean)) {
      const mark = scene.querySelector(`[data-cell="${cell}"]`);
      if (mark) { mark.style.transformBox = "fill-box"; mark.style.transformOrigin = "center"; mark.animate([{ transform: "scaleX(.1)" }, { transform: "none" }], { duration: 180 }); }
    }
  };
  const downloadPng = async () => {
    const svg = document.querySelector(".board svg"); if (!svg) return;
    const copyOf = svg.cloneNode(true), box = svg.viewBox.baseVal; copyOf.querySelectorAll(".target, .ghosts").forEach((part) => part.remove());
    copyOf.setAttribute("width", box.width * 3); copyOf.setAttribute("height", box.height * 3); copyOf.style.color = getComputedStyle(svg).color;
    const image = new Image(); image.src = "data:image/svg+xml;utf8," + encodeURIComponent(new XMLSerializer().serializeToString(copyOf)); await image.decode();
    const canvas = document.createElement("canvas"); canvas.width = box.width * 3; canvas.height = box.height * 3;
    const pen = canvas.getContext("2d"); pen.fillStyle = getComputedStyle(document.body).backgroundColor; pen.fillRect(0, 0, canvas.width, canvas.height); pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    const link = document.createElement("a"); link.download = "board.png"; link.href = canvas.toDataURL("image/png"); link.click();
  };

  let timer = 0;
  const toast = (text) => {
    document.querySelector(".toast")?.remove();
    const box = document.createElement("div"); box.className = "toast"; box.setAttribute("role", "status"); box.textContent = text; document.body.append(box);
    clearTimeout(timer); timer = setTimeout(() => box.remove(), 3500);
  };
  const download = (name, text, kind) => { const link = document.createElement("a"); link.download = name; link.href = URL.createObjectURL(new Blob([text], { type: kind })); link.click(); };

  // A region that was replaced gets the focus back that one of its parts had, and lists stay where they were.
  let focused = null;
  document.addEventListener("focusin", (event) => { focused = event.target.id || event.target.dataset?.focus || null; });
  const settled = () => {
    const scene = document.querySelector(".board .scene"); if (scene) animate(scene);
    piece.mark(); piece.draw();
    for (const list of document.querySelectorAll(".moves")) { const now = list.querySelector("[aria-current]"); if (now && now.dataset.seen !== "1") { now.dataset.seen = "1"; list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2; } }
    if (focused && document.activeElement === document.body) (document.getElementById(focused) || document.querySelector(`[data-focus="${CSS.escape(focused)}"]`) || document.querySelector(focused.match(/^[ac]\d+$/) ? ".board .target" : "#nothing"))?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => { settled(); observer.takeRecords(); });  // what we changed ourselves is no news
  observer.observe(document.documentElement, { childList: true, subtree: true });
  window.zs = { toast, download, address: (path) => history.replaceState(null, "", path) };
})();
