"use strict";
(async () => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const names = Object.keys(data.chosen);
  const chosen = Object.fromEntries(names.map((name) => [name, new Set(data.chosen[name])]));
  const blocks = Array.from({ length: data.blocks }, (_, number) => byId("b" + number));
  const details = byId("details");
  const narrow = matchMedia("(max-width: 60rem)"); // where page and pictures share one column
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  let view = "agreement";
  let pinned = null; // [first, last] block
  let plots = [];

  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // The library comes compressed; the policy of the page admits it by its hash.
  async function loadPlotly() {
    const bytes = Uint8Array.from(atob(byId("plotly").textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = make("script", "", await new Response(stream).text());
    document.head.append(script);
    return window.Plotly;
  }

  // Colours are names of CSS variables, so that pictures follow light and dark.
  function coloured(value) {
    const style = getComputedStyle(document.documentElement);
    const walk = (v) => {
      if (typeof v === "string" && v.startsWith("var(--")) return style.getPropertyValue(v.slice(4, -1)).trim();
      if (Array.isArray(v)) return v.map(walk);
      if (v && typeof v === "object") return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, walk(x)]));
      return v;
    };
    return walk(value);
  }

  const AXIS = {
    color: "var(--muted)", gridcolor: "var(--line)", zerolinecolor: "var(--line)",
    fixedrange: true, ticks: "", tickfont: { size: 11 },
  };
  function layoutOf(picture) {
    const own = picture.figure.layout;
    return coloured({
      ...own,
      height: picture.height,
      margin: { l: 52, r: 12, t: 10, b: 44, ...own.margin },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: "system-ui, sans-serif", size: 12, color: "var(--muted)" },
      showlegend: false,
      dragmode: false,
      hovermode: picture.axis === "y" || own.yaxis.tickvals ? "closest" : "x",
      hoverdistance: 60,
      barmode: "overlay",
      xaxis: { ...AXIS, ...own.xaxis },
      yaxis: { ...AXIS, ...own.yaxis },
    });
  }

  function draw() {
    for (const { element } of plots) window.Plotly?.purge(element);
    plots = [];
    const holder = byId("pictures");
    holder.replaceChildren();
    for (const picture of data.pictures[view]) {
      const figure = make("figure", "picture");
      figure.style.margin = "0";
      const element = make("div", "plot");
      element.style.height = picture.height + "px";
      figure.append(make("h2", "", picture.title), make("p", "", picture.text), element);
      holder.append(figure);
      if (!window.Plotly) continue;
      const layout = layoutOf(picture);
      const config = { displayModeBar: false, responsive: true, doubleClick: false };
      window.Plotly.newPlot(element, coloured(picture.figure.data), layout, config);
      plots.push({ element, picture, shapes: layout.shapes || [] });
      element.on("plotly_hover", (event) => {
        const at = event.points.map((p) => p.customdata).find((c) => c);
        if (at) mark(at, true, element);
      });
      // Not on plotly_unhover, which comes with every change of a picture.
      element.onmouseleave = () => mark(pinned, false);
      element.on("plotly_click", (event) => {
        const at = event.points.map((p) => p.customdata).find((c) => c);
        if (at) pin(at, true);
      });
    }
  }

  // Where the marked blocks lie, as a band behind each picture; not behind the one under the
  // pointer.
  function band(source) {
    const colours = coloured({ fill: "var(--mark-soft)", line: "var(--mark)" });
    for (const { element, picture, shapes } of plots.filter((plot) => plot.element !== source)) {
      const found = [];
      if (at) {
        const spans = [];
        for (let b = at[0]; b <= at[1]; b++) if (picture.spans[b]) spans.push(picture.spans[b]);
        if (spans.length) {
          const low = Math.min(...spans.map((s) => s[0]));
          const high = Math.max(...spans.map((s) => s[1]));
          const place = picture.axis === "x"
            ? { x0: low, x1: high, yref: "paper", y0: 0, y1: 1 }
            : { y0: low, y1: high, xref: "paper", x0: 0, x1: 1 };
          found.push({ type: "rect", layer: "below", fillcolor: colours.fill, line: { color: colours.line, width: 1 }, ...place });
        }
      }
      window.Plotly.relayout(element, { shapes: [...shapes, ...found] });
    }
  }

  let at = null; // what is marked now, [first, last] block
  let marked = [];
  let waiting = null;
  function mark(wanted, scroll, source) {
    at = wanted;
    for (const element of marked) element.classList.remove("marked");
    marked = at ? blocks.slice(at[0], at[1] + 1) : [];
    for (const element of marked) element.classList.add("marked");
    if (scroll && marked.length && !narrow.matches) marked[0].scrollIntoView({ block: "nearest" });
    tell(at);
    if (waiting) cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => { waiting = null; band(source); });
  }

  function pin(at, scroll) {
    const same = pinned && at && pinned[0] === at[0] && pinned[1] === at[1];
    for (const element of document.querySelectorAll(".pinned")) element.classList.remove("pinned");
    pinned = same ? null : at;
    if (pinned) for (let b = pinned[0]; b <= pinned[1]; b++) blocks[b].classList.add("pinned");
    mark(pinned, scroll);
  }

  function tell(at) {
    if (!at) {
      details.replaceChildren();
      return;
    }
    const [first, last] = at;
    const text = blocks.slice(first, last + 1).map((b) => b.textContent).join(" ¶ ");
    const many = first !== last;
    const where = make("p", "where", many
      ? `blocks ${first} to ${last}`
      : `block ${first} · ${data.facts[first][0]} · ${data.facts[first][1]}`);
    const shown = make("p", "excerpt", text.length > 400 ? text.slice(0, 400) + "…" : text);
    const list = make("ul");
    for (const name of view === "agreement" || many ? names : [view, ...names.filter((n) => n !== view)]) {
      const taken = Array.from({ length: last - first + 1 }, (_, n) => chosen[name].has(first + n));
      const count = taken.filter(Boolean).length;
      const item = make("li", count ? "yes" : "no");
      item.append(make("b", "", name));
      const words = many
        ? `: ${count} of ${taken.length} blocks taken`
        : (data.why[name][first].length ? ": " + data.why[name][first].join("; ") : count ? ": taken" : ": left");
      item.append(words);
      list.append(item);
      if (!many && name === view) {
        const reasons = features(name, first);
        if (reasons) item.append(reasons);
      }
    }
    const jump = make("button", "jump", "Show in the text");
    jump.addEventListener("click", () => blocks[first].scrollIntoView({ block: "center" }));
    details.replaceChildren(where, shown, list, jump);
  }

  // A sentence for each feature that decided, with a bar: to the right for main text, to the left
  // against it.
  function features(name, block) {
    const known = data.reasons[name] || [];
    const found = known.filter((signal) => signal.blocks[block].length);
    if (data.unweighed[name].includes(block)) return make("p", "features of", "It was left out before it was weighed: hidden, or a menu, a footer or the like by its tag.");
    if (!found.length) return null;
    const all = make("div", "features");
    for (const signal of found) {
      const rows = signal.blocks[block];
      const greatest = Math.max(...rows.map((row) => Math.abs(row[1])), 1e-9);
      all.append(make("p", "of", signal.why + ":"));
      const table = make("table");
      for (const [said, effect] of rows) {
        const row = table.insertRow();
        row.insertCell().textContent = data.sentences[said];
        const cell = row.insertCell();
        cell.className = "effect";
        const bar = make("i", effect > 0 ? "for" : "against");
        bar.style.setProperty("--size", (50 * Math.abs(effect)) / greatest + "%");
        cell.append(bar);
        cell.title = `${effect > 0 ? "for" : "against"} main text, ${Math.abs(effect)} in log odds`;
      }
      all.append(table);
    }
    return all;
  }

  function show(name) {
    view = name;
    document.body.dataset.view = name;
    for (const tab of document.querySelectorAll(".switch button")) {
      tab.setAttribute("aria-selected", String(tab.dataset.name === name));
      if (tab.dataset.name === name) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    for (const row of document.querySelectorAll(".scores tbody tr")) {
      row.classList.toggle("current", row.dataset.name === name);
    }
    let taken = 0;
    blocks.forEach((element, number) => {
      const votes = data.votes[number];
      const isTaken = name === "agreement" ? votes > 0 : chosen[name].has(number);
      taken += isTaken;
      element.classList.toggle("taken", isTaken);
      element.classList.toggle("disputed", votes > 0 && votes < names.length);
      element.style.setProperty("--share", votes / Math.max(names.length, 1));
    });
    byId("legend").textContent = name === "agreement"
      ? `${taken} of ${blocks.length} blocks taken by at least one`
      : `${taken} of ${blocks.length} blocks taken by ${name}`;
    draw();
    if (at) mark(at, false);
  }

  for (const tab of document.querySelectorAll("[data-name]")) {
    tab.addEventListener("click", () => {
      location.hash = encodeURIComponent(tab.dataset.name);
    });
  }
  byId("to-pictures").addEventListener("click", () => byId("pictures").scrollIntoView({ block: "start" }));
  for (const button of document.querySelectorAll(".filter button")) {
    button.addEventListener("click", () => {
      for (const other of document.querySelectorAll(".filter button")) {
        other.setAttribute("aria-pressed", String(other === button));
      }
      byId("blocks").dataset.filter = button.dataset.filter;
    });
  }
  blocks.forEach((element, number) => {
    element.addEventListener("mouseenter", () => mark([number, number], false));
    element.addEventListener("focus", () => { if (!pinned) mark([number, number], false); });
    element.addEventListener("click", () => pin([number, number], false));
    element.addEventListener("keydown", (event) => { if (event.key === "Enter") pin([number, number], false); });
  });
  byId("blocks").addEventListener("mouseleave", () => mark(pinned, false));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && pinned) pin(pinned, false);
  });

  const wanted = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    show(names.includes(name) || name === "agreement" ? name : data.opened);
  };
  addEventListener("hashchange", wanted);
  scheme.addEventListener("change", () => show(view));
  wanted();
  // The page opens at the first block that was taken, on a laptop with what decided it.
  const first = chosen[view] ? data.chosen[view][0] : data.votes.findIndex(Boolean);
  if (first >= 0) {
    if (narrow.matches) {
      if (blocks[first].getBoundingClientRect().bottom > innerHeight) blocks[first].scrollIntoView({ block: "center" });
    } else {
      blocks[first].scrollIntoView({ block: "center" });
      pin([first, first], false);
    }
  }
  try {
    await loadPlotly();
    show(view);
  } catch (error) {
    byId("pictures").prepend(make("p", "hint", "This browser cannot unpack the pictures; the text works without them."));
  }
  document.documentElement.dataset.ready = "true";
})();
