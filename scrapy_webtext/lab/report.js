"use strict";
(async () => {
  const byId = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const make = (tag, className = "", textContent = "") =>
    Object.assign(document.createElement(tag), { className, textContent });
  const data = JSON.parse(byId("data").textContent);
  const names = Object.keys(data.chosen);
  const blocks = all(".block");
  const [list, details, holder] = ["blocks", "details", "pictures"].map(byId);
  let view = "agreement";
  let pinned = null; // [first, last] block
  let at = null; // what is marked now, [first, last] block
  let plots = [];
  let waiting = null;

  // Colours are names of CSS variables, so that pictures follow light and dark.
  function coloured(value) {
    const style = getComputedStyle(document.documentElement);
    const named = /var\((--[\w-]+)\)/g;
    return JSON.parse(JSON.stringify(value).replace(named, (_, name) => style.getPropertyValue(name).trim()));
  }

  function draw() {
    for (const { element } of plots) window.Plotly.purge(element);
    plots = [];
    holder.replaceChildren();
    for (const picture of data.pictures[view]) {
      const figure = make("figure", "picture");
      const element = make("div", "plot");
      element.style.height = picture.figure.layout.height + "px";
      figure.append(make("h2", "", picture.caption.title), make("p", "", picture.caption.text), element);
      holder.append(figure);
      if (!window.Plotly) continue;
      const layout = coloured(picture.figure.layout);
      const config = { displayModeBar: false, responsive: true, doubleClick: false };
      window.Plotly.newPlot(element, coloured(picture.figure.data), layout, config);
      plots.push({ element, picture, shapes: layout.shapes || [] });
      const found = (event) => event.points.map((point) => point.customdata).find((extent) => extent);
      element.on("plotly_hover", (event) => found(event) && mark(found(event), true, element));
      element.on("plotly_click", (event) => found(event) && pin(found(event), true));
      // Not on plotly_unhover, which comes with every change of a picture.
      element.onmouseleave = () => mark(pinned);
    }
  }

  // Draw the place of the marked blocks as a band in each picture except that under the pointer.
  function band(source) {
    const look = coloured({ type: "rect", layer: "below", fillcolor: "var(--mark-soft)", line: { color: "var(--mark)", width: 1 } });
    for (const { element, picture, shapes } of plots) {
      if (element === source) continue;
      const spans = [];
      for (let b = at?.[0]; b <= at?.[1]; b++) spans.push(...(picture.spans[b] || []));
      const [low, high] = [Math.min(...spans), Math.max(...spans)];
      const place = picture.axis === "x"
        ? { x0: low, x1: high, yref: "paper", y0: 0, y1: 1 }
        : { y0: low, y1: high, xref: "paper", x0: 0, x1: 1 };
      window.Plotly.relayout(element, { shapes: [...shapes, ...(spans.length ? [{ ...look, ...place }] : [])] });
    }
  }

  // Scroll only the list, not the page.
  function scrollTo(block) {
    const [box, outer] = [blocks[block], list].map((element) => element.getBoundingClientRect());
    if (box.top < outer.top || box.bottom > outer.bottom) list.scrollTop += box.top - outer.top - outer.height / 3;
  }

  function classed(name, extent) {
    blocks.forEach((block, n) => block.classList.toggle(name, Boolean(extent) && extent[0] <= n && n <= extent[1]));
  }

  function mark(extent, scroll, source) {
    at = extent;
    classed("marked", at);
    if (at && scroll) scrollTo(at[0]);
    details.replaceChildren(...(at ? describe(...at) : []));
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => band(source));
  }

  function pin(extent, scroll) {
    pinned = String(pinned) === String(extent) ? null : extent;
    classed("pinned", pinned);
    mark(pinned, scroll);
  }

  function describe(first, last) {
    const many = first !== last;
    const text = blocks.slice(first, last + 1).map((block) => block.textContent).join(" ¶ ");
    const where = many ? `blocks ${first} to ${last}` : `block ${first} · ${data.facts[first].join(" · ")}`;
    const jump = make("button", "jump", "Show in the text");
    jump.onclick = () => blocks[first].scrollIntoView({ block: "center" });
    const said = make("ul");
    for (const name of [...names].sort((one, other) => !many && (other === view) - (one === view))) {
      const count = data.chosen[name].filter((n) => first <= n && n <= last).length;
      const item = make("li", count ? "yes" : "no");
      const why = data.why[name][first].join("; ") || (count ? "taken" : "left");
      item.append(make("b", "", name), many ? `: ${count} of ${last - first + 1} blocks taken` : `: ${why}`);
      const signals = make("div", "signals");
      if (!many && name === view) signals.append(...features(name, first));
      item.append(signals);
      said.append(item);
    }
    return [jump, make("p", "where", where), make("p", "excerpt", text.length > 400 ? text.slice(0, 400) + "…" : text), said];
  }

  // A sentence for each feature that decided, with a bar to the right (for main text) or left (against).
  function features(name, block) {
    if (data.unweighed[name].includes(block)) {
      return [make("p", "features of", "It was left out before it was weighed: hidden, or a menu, a footer or the like by its tag.")];
    }
    return data.reasons[name].filter((signal) => signal.blocks[block].length).map((signal) => {
      const rows = signal.blocks[block];
      const greatest = Math.max(...rows.map((row) => Math.abs(row[1])), 1e-9);
      const table = make("table");
      for (const [said, effect] of rows) {
        const row = table.insertRow();
        row.insertCell().textContent = data.sentences[said];
        const side = effect > 0 ? "for" : "against";
        const title = `${side} main text, ${Math.abs(effect)} in log odds`;
        const cell = Object.assign(row.insertCell(), { className: "effect", title });
        cell.append(make("i", side));
        cell.firstChild.style.setProperty("--size", (50 * Math.abs(effect)) / greatest + "%");
      }
      const part = make("div", "features");
      part.append(make("p", "of", signal.why + ":"), table);
      return part;
    });
  }

  function show(name) {
    view = document.body.dataset.view = name;
    for (const tab of all(".switch button")) {
      tab.setAttribute("aria-selected", String(tab.dataset.name === name));
      if (tab.dataset.name === name) tab.parentElement.scrollLeft = tab.offsetLeft - 40;
    }
    for (const row of all(".scores tbody tr")) row.classList.toggle("current", row.dataset.name === name);
    const taken = new Set(data.chosen[name] || data.votes.flatMap((votes, n) => (votes ? [n] : [])));
    blocks.forEach((block, n) => {
      block.classList.toggle("taken", taken.has(n));
      block.classList.toggle("disputed", data.votes[n] > 0 && data.votes[n] < names.length);
      block.style.setProperty("--share", data.votes[n] / names.length);
    });
    const who = name === "agreement" ? "at least one" : name;
    byId("legend").textContent = `${taken.size} of ${blocks.length} blocks taken by ${who}`;
    draw();
    if (at) mark(at);
  }

  function showNamed() {
    const name = decodeURIComponent(location.hash.slice(1));
    show(name in data.pictures ? name : data.opened);
  }

  for (const tab of all("[data-name]")) tab.onclick = () => { location.hash = encodeURIComponent(tab.dataset.name); };
  byId("to-pictures").onclick = () => holder.scrollIntoView({ block: "start" });
  for (const button of all(".filter button")) {
    button.onclick = () => {
      for (const other of all(".filter button")) other.setAttribute("aria-pressed", String(other === button));
      list.dataset.filter = button.dataset.filter;
    };
  }
  blocks.forEach((block, n) => {
    block.onmouseenter = () => mark([n, n]);
    block.onfocus = () => { if (!pinned) mark([n, n]); };
    block.onclick = () => pin([n, n]);
    block.onkeydown = (event) => { if (event.key === "Enter") pin([n, n]); };
  });
  list.onmouseleave = () => mark(pinned);
  document.onkeydown = (event) => { if (event.key === "Escape" && pinned) pin(pinned); };
  addEventListener("hashchange", showNamed);
  matchMedia("(prefers-color-scheme: dark)").onchange = () => show(view);

  // The page opens at the first block that was taken, with what decided it.
  showNamed();
  const first = (data.chosen[view] || [data.votes.findIndex(Boolean)])[0] ?? -1;
  if (first >= 0) pin([first, first], true);
  // The library comes compressed; the policy of the page admits it by its hash.
  const bytes = Uint8Array.from(atob(byId("plotly").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  document.head.append(make("script", "", await new Response(stream).text()));
  show(view);
  document.documentElement.dataset.ready = "true";
})();
