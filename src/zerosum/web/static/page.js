// The page's script. Everything that is pressed carries data-do; it becomes one message {do, value} on one wire to
// the server, which checks it like a stranger's. What comes back replaces regions of the page.
(() => {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const near = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);
  const send = (deed, value) => {
    const message = new CustomEvent("zs", { detail: { do: deed, value: value ?? null } });
    document.querySelector(".wire")?.dispatchEvent(message);
  };

  let fading = 0;
  const toast = (text) => {
    document.querySelector(".toast")?.remove();
    const box = document.createElement("div");
    box.className = "toast";
    box.setAttribute("role", "status");
    box.textContent = text;
    document.body.append(box);
    clearTimeout(fading);
    fading = setTimeout(() => box.remove(), 4500);
  };

  // Theme: what was chosen, else what the machine prefers.
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = localStorage.getItem("zs-theme") || (dark ? "dark" : "light");
  const toggleTheme = () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("zs-theme", root.dataset.theme);
  };

  const copy = async (element) => {
    const value = element.dataset.value;
    const text = value.startsWith("/") ? location.origin + value : value;
    try {
      await navigator.clipboard.writeText(text);
      toast("copied");
    } catch {
      window.prompt("copy this", text);
    }
  };
  const downloadPng = async () => {
    const svg = document.querySelector(".board svg");
    if (!svg) return;
    const drawing = svg.cloneNode(true), { width, height } = svg.viewBox.baseVal, scale = 3;
    drawing.querySelectorAll(".target, .ghosts").forEach((part) => part.remove());
    drawing.setAttribute("width", width * scale);
    drawing.setAttribute("height", height * scale);
    drawing.style.color = getComputedStyle(svg).color;
    const image = new Image();
    image.src = "data:image/svg+xml;utf8," + encodeURIComponent(new XMLSerializer().serializeToString(drawing));
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * scale;
    canvas.height = height * scale;
    const pen = canvas.getContext("2d");
    pen.fillStyle = getComputedStyle(document.body).backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    const link = document.createElement("a");
    link.download = "board.png";
    link.href = canvas.toDataURL("image/png");
    link.click();
  };
  const submit = (form) => send(form.dataset.name, Object.fromEntries(new FormData(form)));

  // A film: of each row of pictures one is shown, the slider says which.
  let running = 0;
  const showFrame = (slider) => {
    for (const row of slider.closest("section").querySelectorAll(".film")) {
      [...row.children].forEach((frame, number) => { frame.hidden = number !== Number(slider.value); });
    }
  };
  const runFilm = (button) => {
    const slider = button.closest("section").querySelector("[data-film]");
    clearInterval(running);
    slider.value = 0;
    showFrame(slider);
    running = setInterval(() => {
      if (!slider.isConnected || slider.value === slider.max) return clearInterval(running);
      slider.stepUp();
      showFrame(slider);
    }, 700);
  };

  // What is pressed: some deeds are done here, all others by the server.
  const pieces = window.zsPieces(send, toast);
  const local = {
    theme: toggleTheme,
    copy,
    png: downloadPng,
    film: runFilm,
    turn: (element) => pieces.turn(Number(element.dataset.value)),
    flip: pieces.flip,
    piece: (element) => pieces.take(element.dataset.value),
    lay: pieces.lay,
    submit: (element) => submit(element.closest("form")),
  };
  const press = (element) => {
    const deed = element.dataset.do;
    if (local[deed]) local[deed](element);
    else send(deed, element.dataset.value);
  };
  const under = (event) => near(event, ".target") ?? near(event, "[data-do]");
  const clicked = (part) => {
    if (part.classList.contains("target")) send("hit", part.id);
    else if (!["INPUT", "SELECT", "FORM"].includes(part.tagName)) press(part);
  };
  document.addEventListener("click", (event) => {
    const part = under(event);
    if (part) clicked(part);
  });
  // Of what is drawn anew between down and up the browser tells no click, though it looks the same to who clicks.
  let held = null;
  document.addEventListener("pointerdown", (event) => { held = under(event); });
  document.addEventListener("pointerup", (event) => {
    const part = under(event);
    if (!held || held.isConnected || part?.id !== held.id) return;
    if (part.dataset.do === held.dataset.do && part.dataset.value === held.dataset.value) clicked(part);
  });
  // A click on the board takes no focus: arrows are to go through the game afterwards. Tab puts it there.
  document.addEventListener("mousedown", (event) => {
    if (near(event, ".target")) event.preventDefault();
  });
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(event.target);
  });
  document.addEventListener("change", (event) => {
    const changed = near(event, "input[data-do], select[data-do]");
    if (changed) send(changed.dataset.do, changed.type === "checkbox" ? String(changed.checked) : changed.value);
  });

  // What is typed into a form of class kept stays when the server draws the form again.
  const typed = new Map();
  document.addEventListener("input", (event) => {
    const field = event.target, slider = near(event, "input[type=range]");
    if (field.form?.classList.contains("kept")) typed.set(field.name, field.value);
    if (slider?.dataset.film !== undefined) showFrame(slider);
    if (slider?.dataset.names) {
      const shown = document.getElementById(slider.dataset.shows);
      if (shown) shown.textContent = JSON.parse(slider.dataset.names)[slider.value];
    }
  });
  // So does what was unfolded: a region that is drawn anew would fold it again.
  const unfolded = new Map();
  const nameOf = (details) => {
    const texts = [];
    for (let part = details; part; part = part.parentElement.closest("details")) {
      texts.push(part.querySelector("summary").textContent);
    }
    return texts.join(" < ");
  };
  document.addEventListener("click", (event) => {
    const folded = near(event, "summary")?.closest("details");
    if (folded) unfolded.set(nameOf(folded), !folded.open);
  });
  const unfold = () => {
    if (!unfolded.size) return;
    for (const details of document.querySelectorAll("details")) {
      const open = unfolded.get(nameOf(details));
      if (open !== undefined && details.open !== open) details.open = open;
    }
  };
  const typeAgain = () => {
    for (const [name, value] of typed) {
      const field = document.querySelector(`form.kept [name="${CSS.escape(name)}"]`);
      if (field && field !== document.activeElement && field.value !== value) field.value = value;
    }
  };

  // Keys: arrows go through the game, or from cell to cell while the board has the focus.
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const centre = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const nearest = (distance) => {
    let best = null, least = Infinity;
    for (const target of document.querySelectorAll(".board .target")) {
      const found = distance(target, ...centre(target));
      if (found < least) [best, least] = [target, found];
    }
    return best;
  };
  const neighbour = (from, [right, down]) => {
    const [x, y] = centre(from);
    return nearest((other, ox, oy) => {
      const along = (ox - x) * right + (oy - y) * down;
      const aside = Math.abs((ox - x) * down) + Math.abs((oy - y) * right);
      return other !== from && along > 2 ? along + 2.5 * aside : Infinity;
    });
  };
  const FIELDS = ["INPUT", "SELECT", "TEXTAREA"];
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || FIELDS.includes(event.target.tagName)) return;
    const { key } = event, cell = near(event, ".target");
    if (cell && steps[key]) {
      event.preventDefault();
      return neighbour(cell, steps[key])?.focus();
    }
    if (cell && (key === "Enter" || key === " ")) {
      event.preventDefault();
      return send("hit", cell.id);
    }
    if (key === "Enter" || (key === " " && near(event, "button, summary, a"))) return;
    if (pieces.key(key)) return event.preventDefault();
    if (document.querySelector("[data-keys]")) {
      if ([" ", "ArrowUp", "ArrowDown"].includes(key)) event.preventDefault();
      if (key.length === 1 || steps[key]) send("key", key);
    }
  });

  // The expected line is shown while something that tells of it is under the pointer or has the focus.
  for (const name of ["pointerover", "focusin"]) {
    document.addEventListener(name, (event) => {
      document.body.classList.toggle("showing-line", !!near(event, ".line-text, .gauge, .candidates"));
    });
  }

  // What was played last moves into its place: stones fall, discs turn.
  let ply = null;
  const animate = (scene) => {
    const { ply: now, last, turned, falls } = scene.dataset;
    if (now === ply || calm) return void (ply = now);
    ply = now;
    const marks = (cells) => (cells || "").split(",").filter(Boolean).map((cell) => scene.querySelector(`[data-cell="${cell}"]`)).filter(Boolean);
    const rows = Number(falls || 0);
    const frames = rows ? [{ transform: `translateY(${-40 * rows}px)` }, { transform: "none" }] : [{ opacity: 0 }, { opacity: 1 }];
    for (const mark of marks(last)) mark.animate(frames, { duration: rows ? 190 : 120, easing: "cubic-bezier(.45,0,1,.7)" });
    for (const mark of marks(turned)) {
      mark.style.transformBox = "fill-box";
      mark.style.transformOrigin = "center";
      mark.animate([{ transform: "scaleX(.1)" }, { transform: "none" }], { duration: 180 });
    }
  };

  // A region that was replaced gets the focus back that one of its parts had: the same part, or on the board, where
  // that is taken now, the open cell nearest to it. Whoever clicks elsewhere has given up the focus.
  let focused = null, spot = [0, 0];
  document.addEventListener("pointerdown", () => { focused = null; });
  document.addEventListener("focusin", (event) => {
    const cell = near(event, ".target"), part = near(event, "[data-focus]");
    focused = cell ? ".board .target" : part ? `[data-focus="${CSS.escape(part.dataset.focus)}"]` : null;
    if (cell) spot = centre(cell);
  });
  const refocus = () => {
    if (!focused || document.activeElement !== document.body) return;
    const near = focused.startsWith(".board") ? nearest((_, x, y) => Math.hypot(x - spot[0], y - spot[1])) : document.querySelector(focused);
    near?.focus({ preventScroll: true });
  };
  const scrollLists = () => {
    for (const list of document.querySelectorAll(".moves")) {
      const now = list.querySelector("[aria-current]");
      if (!now || now.dataset.seen) continue;
      now.dataset.seen = "1";
      list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
  };
  const settled = () => {
    const scene = document.querySelector(".board .scene");
    if (scene) animate(scene);
    pieces.settled();
    scrollLists();
    unfold();
    typeAgain();
    refocus();
  };
  const observer = new MutationObserver(() => {
    settled();
    observer.takeRecords();  // what we changed ourselves is no news
  });
  observer.observe(root, { childList: true, subtree: true });
  window.zs = { toast, address: (path) => history.replaceState(null, "", path) };
})();
