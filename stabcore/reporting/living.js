// The interactive part of a report. It computes no measure: every number was computed by the core and is looked up in `all`.
"use strict";
(() => {
const BLUE = "#0071B2", PALE = "#9CC9E6", GREY = "#6E7681", AREA = "#CDD2D8", INK = "#1F2328", PAPER = "#FFFFFF";
const MIN_ROWS = 16, MOST_LISTED = 12;
const box = id => document.getElementById(id);
const all = JSON.parse(box("living-values").textContent);
const now = {size: all.size, step: 0, who: 0, share: 0, kind: "threshold", feature: -1, off: new Set()};

// ---- the page: names are hostile, so they only ever become text ----

function make(tag, text, parent, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  if (parent) parent.append(made);
  return made;
}
function say(id, text) { if (box(id).textContent !== text) box(id).textContent = text; }
function listen(id, event, act, ...parts) {
  box(id)?.addEventListener(event, () => { act(box(id)); parts.forEach(part => part()); });
}
function options(id, texts, chosen) {
  texts.forEach((text, i) => { make("option", text, box(id)).value = i; });
  box(id).value = chosen;
}
function slide(id, texts, chosen) {                      // a range over positions of a list, which says what is chosen in words
  Object.assign(box(id), {min: 0, max: texts.length - 1, step: 1, value: chosen});
  box(id).setAttribute("aria-valuetext", texts[chosen]);
  say(`${id}-is`, texts[chosen]);
}

// ---- Plotly ----

const config = {responsive: true, displayModeBar: false};
const axis = more => ({showgrid: false, zeroline: false, fixedrange: true, automargin: true, linecolor: GREY, ...more});
const look = (height, more) => ({height, font: {size: 12, color: INK}, paper_bgcolor: PAPER, plot_bgcolor: PAPER, showlegend: false,
  dragmode: false, hovermode: "closest", margin: {l: 8, r: 8, t: 8, b: 8}, hoverlabel: {bgcolor: PAPER, font: {color: INK}}, ...more});
const upright = x => ({type: "line", x0: x, x1: x, y0: 0, y1: 1, yref: "y domain", line: {color: INK, width: 1.5, dash: "dot"}});
function line(x, y, colour, more) { return {x, y, mode: "lines", line: {color: colour, width: 2}, hoverinfo: "skip", ...more}; }

// ---- a small panel for each selector: its curve beside that with the outcome shuffled ----

function curves(id, part, x, position, format) {
  const table = part.curves[x === "k" ? 0 : now.size], range = part.range;
  all.selectors.forEach((name, i) => {
    const card = box(id).children[i], curve = table[name];
    card.hidden = now.off.has(i) || !curve;
    if (card.hidden) return;
    const at = curve[x].indexOf(position), plot = card.querySelector(".plot"), known = at >= 0 && curve.value[at] !== null;
    const number = card.querySelector("span");
    number.textContent = known ? curve.text[at] : "";
    number.className = known && curve.clear[at] ? "clear" : "";
    const told = known ? format(curve, at) : "undefined here";
    plot.setAttribute("aria-label", `${name}: ${told}`);
    const filled = known && (curve.clear[at] || curve.floor[at] === null);
    const shown = known ? {x: [[position]], y: [[curve.value[at]]], "marker.color": filled ? BLUE : PAPER} : {x: [[]], y: [[]]};
    if (plot.curve === curve) {
      Plotly.update(plot, shown, {"shapes[0].x0": position, "shapes[0].x1": position}, [plot.data.length - 1]);
      return;
    }
    plot.curve = curve;
    const along = curve[x], hover = {hoverinfo: undefined, hovertemplate: `%{x}: %{y:.2f}<extra></extra>`};
    const band = (low, high, fill) => [line(along, high, fill, {line: {width: 0}}),
      line(along, low, fill, {line: {width: 0}, fill: "tonexty", fillcolor: fill})];
    const traces = [...band(curve.floor_low, curve.floor_high, AREA), line(along, curve.floor, GREY, hover),
      ...band(curve.low, curve.high, "rgba(0,113,178,0.22)"), line(along, curve.value, BLUE, hover),
      {x: shown.x[0], y: shown.y[0], mode: "markers", hoverinfo: "skip", cliponaxis: false,
        marker: {size: 10, color: shown["marker.color"], line: {color: BLUE, width: 2}}}];
    const across = x === "k" ? {type: part.log ? "log" : "linear", tickvals: part.ticks, ticktext: part.ticks} :
      {nticks: 5, range: [part.start, 1]};
    Plotly.react(plot, traces, look(130, {shapes: [upright(position)], xaxis: axis(across),
      yaxis: axis({range, nticks: 4, showgrid: true, gridcolor: "#E3E6EA", zeroline: true, zerolinecolor: GREY})}), config);
  });
}
function cards(id, part) {
  const first = part.curves.at(-1);
  for (const name of all.selectors) {
    const card = make("div", undefined, box(id), "card"), head = make("div", undefined, card, "head");
    make("b", name, head);
    make("span", "", head);
    make("div", undefined, card, "plot").setAttribute("role", "img");
    card.hidden = !first[name];
  }
}
const fixed = number => number === null ? "unknown" : number.toFixed(2);
const beside = (curve, at) => `stability ${fixed(curve.value[at])}, noise floor ${fixed(curve.floor[at])}`;

// ---- pairs of correlated features ----

function pairs() {
  const part = all.thresholds, entering = [...part.entering[now.step]], lit = now.feature;
  if (lit >= 0) entering.sort((a, b) => b.slice(0, 2).includes(lit) - a.slice(0, 2).includes(lit) || b[2] - a[2]);
  const rows = box("pairs");
  rows.replaceChildren();
  for (const [a, b, rho] of entering.slice(0, MOST_LISTED)) {
    const row = make("tr", undefined, rows, [a, b].includes(lit) ? "lit" : "");
    make("td", all.features[a], row);
    make("td", all.features[b], row);
    make("td", rho.toFixed(3), row);
  }
  const more = entering.length - MOST_LISTED, unlisted = now.step < part.listed;
  say("pairs-more", unlisted ? "The pairs of this step are not in the file." : more > 0 ? `and ${more.toLocaleString("en")} more` : "");
  say("pairs-count", unlisted ? "Pairs that enter at this step" :
    `Pairs that enter at this step: ${entering.length.toLocaleString("en")}`);
}

// ---- the panel ----

function panel() {
  rules();
  const part = all.panel, limited = limits(), target = limited?.limits[now.share];
  const table = limited ? limited.table : part.tables[now.who][now.size], at = table.at?.[now.share];
  say("panel-finding", target ? target.finding : at.finding);
  say("panel-false", target ? "The limit is an average over many studies of this kind. It uses the rankings, whatever the number of features per run." : at.false);
  const inside = target ? new Set(target.stays) : null;
  const stays = table.feature.map((feature, i) => inside ? inside.has(feature) : i < at.size);
  const shown = Math.min(table.feature.length, Math.max(MIN_ROWS, stays.lastIndexOf(true) + 1));
  const places = [...Array(shown).keys()], y = places.map(i => -i), of = column => places.map(i => column[i]);
  const lit = i => table.feature[i] === now.feature;
  const names = places.map(i => {
    const name = all.short[table.feature[i]];
    return lit(i) ? `<b>★ ${name}</b>` : stays[i] ? `<b>${name}</b>` : name;
  });
  const numbers = places.map(i => `${Math.round(100 * table.frequency[i])}%` + (at?.approval.length ? `   ${at.approval[i]}` : ""));
  const rest = [...table.frequency.slice(shown), ...table.others];
  const text = places.map(i => `${all.short[table.feature[i]]}: ${Math.round(100 * table.frequency[i])}% ` +
    `[${Math.round(100 * table.low[i])}%, ${Math.round(100 * table.high[i])}%]`);
  const points = (keep, colour, fill, pale) => {
    const chosen = places.filter(keep), take = column => chosen.map(i => column[i]);
    return {x: take(table.frequency), y: chosen.map(i => -i), mode: "markers", text: take(text), hoverinfo: "text", customdata: take(table.feature),
      marker: {size: 10, color: fill, line: {color: colour, width: 2}}, error_x: {type: "data", symmetric: false, width: 0, thickness: 3, color: pale,
        array: chosen.map(i => table.high[i] - table.frequency[i]), arrayminus: chosen.map(i => table.frequency[i] - table.low[i])}};
  };
  const tick = (x, y, size, colour) => ({x, y, mode: "markers", hoverinfo: "skip",
    marker: {symbol: "line-ns-open", size, color: colour, line: {width: 1.2, color: colour}}});
  const known = table.shuffled.some(value => value !== null), lucky = table.luckiest.length ? 1 : 0, last = -shown - (rest.length ? 1 : 0);
  const traces = [
    {type: "bar", orientation: "h", x: of(table.shuffled), y, width: 0.7, marker: {color: "#E3E6EA"}, hoverinfo: "skip", visible: known},
    {...tick(of(table.shuffled), y, 14, GREY), visible: known},
    ...table.each.map(column => tick(of(column), y, 10, "rgba(31,35,40,0.45)")),
    points(i => stays[i], BLUE, BLUE, PALE), points(i => !stays[i], GREY, PAPER, AREA),
    tick(rest, rest.map(() => -shown), 14, "rgba(110,118,129,0.6)"),
    {x: table.luckiest, y: table.luckiest.map(() => last), mode: "markers", hoverinfo: "x",
      marker: {symbol: "circle-open", size: 8, color: GREY}},
    {x: [null], y: [null], yaxis: "y2", hoverinfo: "skip"}];
  const below = [...(rest.length ? [`${rest.length.toLocaleString("en")} more`] : []), ...(lucky ? ["Shuffled"] : [])];
  const rows = {tickvals: [...y, ...below.map((_, i) => -shown - i)], range: [-shown - below.length + 0.4, 0.6]};
  const across = axis({range: [-0.02, 1.03], tickvals: [0, 0.25, 0.5, 0.75, 1], ticktext: ["0", "25", "50", "75", "100%"], showgrid: true,
    gridcolor: "#E3E6EA", side: "top"});
  const shapes = target ? [] : [upright(part.shares[now.share])];
  if (lucky) shapes.push({...upright(Math.max(...table.luckiest)), line: {color: GREY, width: 1.5}});
  Plotly.react("panel-plot", traces, look(60 + 22 * (shown + below.length), {shapes, barmode: "overlay", xaxis: across,
    yaxis: axis({...rows, ticktext: [...names, ...below]}),
    yaxis2: axis({...rows, ticktext: numbers, tickvals: y, overlaying: "y", side: "right"})}), config);
  box("panel-plot").setAttribute("aria-label", target ? target.finding : at.finding);
}
const limits = () => all.panel.targets[now.who].find(one => one.kind === now.kind);
function rules() {                                       // the positions of the slider under the chosen rule
  const part = all.panel;
  if (!limits()) now.kind = "threshold";                 // this selector allows no other
  if (box("rule")) box("rule").value = now.kind;
  const values = limits()?.limits.map(limit => limit.value);
  const texts = limits()?.limits.map(limit => limit.words) || part.shares.map(share => `at least ${Math.round(100 * share)}% of runs`);
  if (now.share < 0) now.share = !values ? part.chosen : now.kind === part.kind ? values.indexOf(part.value) : Math.floor(values.length / 2);
  slide("share", texts, now.share);
}

// ---- one feature through all figures ----

function tell() {
  const i = now.feature;
  if (i < 0) return say("told", "");
  const table = all.panel.tables[0][now.size], place = table.feature.indexOf(i), sentences = [];
  sentences.push(place < 0 ? `${all.features[i]} is not among the first ${table.feature.length} features.` :
    `${all.features[i]} is selected in ${Math.round(100 * table.frequency[place])}% of runs, place ${place + 1}.`);
  if (all.thresholds) {
    const part = all.thresholds, from = Math.max(now.step, part.listed);
    const partners = part.entering.slice(from).flat().filter(pair => pair[0] === i || pair[1] === i).sort((a, b) => b[2] - a[2])
      .map(pair => all.features[pair[0] === i ? pair[1] : pair[0]]);
    const more = partners.length > 5 ? ` and ${partners.length - 5} more` : "";
    sentences.push(partners.length ? `It counts as one with ${partners.slice(0, 5).join(", ")}${more}.` : "It counts as one with no other feature.");
  }
  say("told", sentences.join(" "));
}
function highlight(name) {
  now.feature = all.features.indexOf(name);
  panel();
  if (all.thresholds) pairs();
  tell();
}

// ---- controls ----

function thresholds() {
  const part = all.thresholds;
  if (!part) return;
  slide("step", part.at.map(at => `|ρ| ≥ ${at.toFixed(2)}`), now.step);
  say("step-finding", part.findings[now.size][now.step]);
  curves("step-cards", part, "threshold", part.at[now.step], beside);
  pairs();
}
function sizes() {
  if (all.sizes.length > 1) slide("size", all.sizes, now.size);
  if (!all.profile) return;
  say("size-finding", all.profile.findings[now.size]);
  curves("size-cards", all.profile, "k", all.profile.k[now.size], beside);
}
function draw() { [panel, thresholds, sizes, tell].forEach(part => part()); }

box("interactive").hidden = false;
all.selectors.forEach((name, i) => {
  if (!box("selectors")) return;
  const label = make("label", undefined, box("selectors")), tick = make("input", undefined, label);
  Object.assign(tick, {type: "checkbox", checked: true});
  label.append(name);
  tick.addEventListener("change", () => { tick.checked ? now.off.delete(i) : now.off.add(i); thresholds(); sizes(); });
});
all.features.forEach(name => { make("option", undefined, box("features")).value = name; });
if (all.thresholds) {
  now.step = all.thresholds.chosen;
  cards("step-cards", all.thresholds);
}
if (all.profile) {
  all.profile.curves = [all.profile.curves];
  cards("size-cards", all.profile);
}
if (box("who")) options("who", all.panel.whose, 0);
Object.assign(now, {kind: all.panel.kind, share: -1});
if (box("rule")) box("rule").value = now.kind;
listen("size", "input", control => { now.size = +control.value; }, draw);
listen("step", "input", control => { now.step = +control.value; }, thresholds, tell);
listen("who", "change", control => { now.who = +control.value; now.share = now.kind === "threshold" ? now.share : -1; }, panel);
listen("rule", "change", control => { now.kind = control.value; now.share = -1; }, panel);
listen("share", "input", control => { now.share = +control.value; }, panel);
listen("feature", "input", control => highlight(control.value));
listen("plain", "click", () => { box("feature").value = ""; highlight(""); });
draw();
box("panel-plot").on("plotly_click", click => {
  const clicked = all.features[click.points[0].customdata];
  if (clicked === undefined) return;
  box("feature").value = clicked;
  highlight(clicked);
});
})();
