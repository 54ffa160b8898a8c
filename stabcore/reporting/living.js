// The interactive part of a report. It computes no measure: every number was computed by the core and is looked up in `all`.
(() => {
const BLUE = "#0071B2", PALE = "#9CC9E6", GREY = "#6E7681", AREA = "#CDD2D8", INK = "#1F2328", PAPER = "#FFFFFF", GRID = "#E3E6EA";
const LEADING = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9"];  // Okabe & Ito
const MIN_ROWS = 16, MOST_LISTED = 12;
const all = JSON.parse(box("living-values").textContent);
const now = {size: all.size, step: all.thresholds?.chosen, who: 0, kind: all.panel.kind, share: -1, scenario: all.scenarios?.chosen,
  map: 0, shown: "selections", feature: -1, off: new Set()};                       // the choices, as positions in lists

let waiting = 0;                                         // timer of the other figures, which are drawn once after many steps of a slider
function soon(part) { clearTimeout(waiting); waiting = setTimeout(part); }

// ---- Plotly ----

const axis = more => ({showgrid: false, zeroline: false, fixedrange: true, ticklabeloverflow: "allow", linecolor: GREY, ...more});
// Margins are fixed and labels may overflow, because Plotly would otherwise draw every figure twice to measure them.
const letters = text => `${text}`.replace(/<[^>]*>/g, "").replace(/&\w+;/g, "x").length;
const room = texts => 14 + 7 * Math.max(0, ...texts.map(letters));
const look = (height, margin, more) => ({height, font: {size: 12, color: INK}, paper_bgcolor: PAPER, plot_bgcolor: PAPER, showlegend: false,
  dragmode: false, hovermode: "closest", margin: {l: 8, r: 8, t: 8, b: 8, ...margin}, hoverlabel: {bgcolor: PAPER, font: {color: INK}}, ...more});
const upright = x => ({type: "line", x0: x, x1: x, y0: 0, y1: 1, yref: "y domain", line: {color: INK, width: 1.5, dash: "dot"}});
const sides = (y, names, numbers, range) => ({yaxis: axis({tickvals: y, ticktext: names, range}),   // names left, numbers right of rows
  yaxis2: axis({tickvals: y.slice(0, numbers.length), ticktext: numbers, range, overlaying: "y", side: "right"})});
const beyond = {x: [null], y: [null], yaxis: "y2", hoverinfo: "skip"};                              // an empty trace, without which the numbers are not drawn
const tick = (x, y, size, colour) => ({x, y, mode: "markers", hoverinfo: "skip",
  marker: {symbol: "line-ns-open", size, color: colour, line: {width: 1.2, color: colour}}});
function dots(x, y, low, high, colour, fill, pale, more) {
  const away = (ends, sign) => ends.map((end, i) => end === null ? 0 : sign * (end - x[i]));
  return {x, y, mode: "markers", marker: {size: 10, color: fill, line: {color: colour, width: 2}}, error_x: {type: "data", symmetric: false,
    width: 0, thickness: 3, color: pale, array: away(high, 1), arrayminus: away(low, -1)}, ...more};
}
const percent = share => `${Math.round(100 * share)}%`;
function named(feature, strong) {
  const name = all.short[feature];
  return feature === now.feature ? `<b>★ ${name}</b>` : strong ? `<b>${name}</b>` : name;
}
function line(x, y, colour, more) { return {x, y, mode: "lines", line: {color: colour, width: 2}, hoverinfo: "skip", ...more}; }

// ---- a small panel for each selector: its curve beside that with the outcome shuffled ----

function curves(id, part, x, position, table) {
  const place = part.log ? Math.log10 : value => value;  // on a logarithmic axis, Plotly draws half of a dot
  all.selectors.forEach((name, i) => {
    const card = box(id).children[i], curve = table[name];
    card.hidden = now.off.has(i) || !curve;
    if (card.hidden) return null;
    const at = curve[x].indexOf(position), plot = card.querySelector(".plot"), known = at >= 0 && curve.value[at] !== null;
    const number = card.querySelector("span"), two = value => value === null ? "unknown" : value.toFixed(2);
    number.textContent = known ? curve.text[at] : "";
    number.className = known && curve.clear[at] ? "clear" : "";
    plot.setAttribute("aria-label", `${name}: ` +
      (known ? `stability ${two(curve.value[at])}, noise floor ${two(curve.floor[at])}` : "undefined here"));
    const ink = all.judged ? BLUE : GREY, fill = known && curve.clear[at] ? ink : PAPER;   // filled: clearly above the noise floor
    const dot = {type: "circle", xsizemode: "pixel", ysizemode: "pixel", x0: -5, x1: 5, y0: -5, y1: 5, visible: known,
      xanchor: place(position), yanchor: known ? curve.value[at] : 0, fillcolor: fill, line: {color: ink, width: 2}};
    const shapes = [upright(place(position)), dot];               // which Plotly moves without drawing the curves again
    if (plot.curve === curve) return Plotly.relayout(plot, {shapes});
    plot.curve = curve;
    const along = curve[x].map(place), hover = {hoverinfo: undefined, text: curve[x], hovertemplate: `%{text}: %{y:.2f}<extra></extra>`};
    const band = (low, high, fill) => [line(along, high, fill, {line: {width: 0}}),
      line(along, low, fill, {line: {width: 0}, fill: "tonexty", fillcolor: fill})];
    const traces = [...band(curve.floor_low, curve.floor_high, AREA), line(along, curve.floor, GREY, hover),
      ...band(curve.low, curve.high, all.judged ? "rgba(0,113,178,0.22)" : AREA), line(along, curve.value, ink, hover)];
    const across = x === "k" ? {tickvals: part.ticks.map(place), ticktext: part.ticks} :
      {nticks: 5, range: [part.start, 1]};
    return Plotly.react(plot, traces, look(130, {l: 34, b: 24}, {shapes, xaxis: axis(across),
      yaxis: axis({range: part.range, nticks: 4, showgrid: true, gridcolor: GRID, zeroline: true, zerolinecolor: GREY})}), config);
  });
}
function cards(id, table) {
  for (const name of all.selectors) {
    const card = make("div", undefined, box(id), "card"), head = make("div", undefined, card, "head");
    make("b", name, head);
    make("span", "", head);
    make("div", undefined, card, "plot").setAttribute("role", "img");
    card.hidden = !table[name];
  }
}

// ---- pairs of correlated features ----

function pairs() {
  const part = all.thresholds, entering = [...part.entering[now.step]], lit = now.feature;
  if (lit >= 0) entering.sort((a, b) => b.slice(0, 2).includes(lit) - a.slice(0, 2).includes(lit) || b[2] - a[2]);
  box("pairs").replaceChildren();
  for (const [a, b, rho] of entering.slice(0, MOST_LISTED)) {
    const row = make("tr", undefined, box("pairs"), [a, b].includes(lit) ? "lit" : "");
    [all.features[a], all.features[b], rho.toFixed(3)].forEach(text => make("td", text, row));
  }
  const more = entering.length - MOST_LISTED, count = now.step < part.listed ? "not in this file" : entering.length.toLocaleString("en");
  say("pairs-more", more > 0 ? `and ${more.toLocaleString("en")} more` : "");
  say("pairs-count", `Pairs that enter at this step: ${count}`);
}

// ---- the panel ----

function panel() {
  rules();
  const part = all.panel, limited = limits(), target = limited?.limits[now.share];
  const table = limited ? limited.table : part.tables[now.who][now.size], at = table.at?.[now.share];
  say("panel-finding", target ? target.finding : at.finding);
  say("panel-false", target ? box("panel-false").dataset.limit : at.false);
  const inside = target ? new Set(target.members) : null;
  const in_panel = table.feature.map((feature, i) => inside ? inside.has(feature) : i < at.size);
  const shown = Math.min(table.feature.length, Math.max(MIN_ROWS, in_panel.lastIndexOf(true) + 1));
  const places = [...Array(shown).keys()], y = places.map(i => -i), of = column => places.map(i => column[i]);
  const rest = [...table.frequency.slice(shown), ...table.others], folded = table.feature.length - shown + table.more;
  const lucky = table.luckiest.length > 0;
  const text = places.map(i => `${all.short[table.feature[i]]}: ${percent(table.frequency[i])} ` +
    `[${percent(table.low[i])}, ${percent(table.high[i])}]`);
  const points = (keep, ...colours) => {
    const chosen = places.filter(keep), take = column => chosen.map(i => column[i]);
    return dots(take(table.frequency), take(y), take(table.low), take(table.high), ...colours,
      {text: take(text), hoverinfo: "text", customdata: take(table.feature)});
  };
  const below = [...(folded ? [`${folded.toLocaleString("en")} more`] : []), ...(lucky ? ["Shuffled"] : [])];
  const known = table.shuffled.some(value => value !== null), last = 1 - shown - below.length;
  const traces = [
    {type: "bar", orientation: "h", x: of(table.shuffled), y, width: 0.7, marker: {color: GRID}, hoverinfo: "skip", visible: known},
    {...tick(of(table.shuffled), y, 14, GREY), visible: known},
    ...table.each.map(column => tick(of(column), y, 10, "rgba(31,35,40,0.45)")),
    points(i => in_panel[i], BLUE, BLUE, PALE), points(i => !in_panel[i], GREY, PAPER, AREA),
    tick(rest, rest.map(() => -shown), 14, "rgba(110,118,129,0.6)"),
    {x: table.luckiest, y: table.luckiest.map(() => last), mode: "markers", hoverinfo: "x",
      marker: {symbol: "circle-open", size: 8, color: GREY}}, beyond];
  const across = axis({range: [-0.02, 1.03], tickvals: [0, 0.25, 0.5, 0.75, 1], ticktext: ["0", "25", "50", "75", "100%"], showgrid: true,
    gridcolor: GRID, side: "top"});
  const shapes = target ? [] : [upright(part.shares[now.share])];
  if (lucky) shapes.push({...upright(Math.max(...table.luckiest)), line: {color: GREY, width: 1.5}});
  const names = [...places.map(i => named(table.feature[i], in_panel[i])), ...below], all_y = [...y, ...below.map((_, i) => -shown - i)];
  const aligned = (text, letters) => `${text}`.padStart(letters, "\u2007");         // figure spaces
  const limit = target ? 0 : part.shares[now.share];      // a frequency just below it must not look equal
  const exact = share => share < limit && Math.round(100 * share) / 100 >= limit ? `${Math.floor(1000 * share) / 10}%` : percent(share);
  const numbers = places.map(i => aligned(exact(table.frequency[i]), 4) + (at?.approval.length ? aligned(at.approval[i], 5) : ""));
  Plotly.react("panel-plot", traces, look(60 + 22 * names.length, {l: room(names), r: room(numbers), t: 28}, {shapes, barmode: "overlay", xaxis: across,
    ...sides(all_y, names, numbers, [last - 0.6, 0.6])}), config);
  box("panel-plot").setAttribute("aria-label", box("panel-finding").textContent);
}
const limits = () => all.panel.targets[now.who].find(one => one.kind === now.kind);
function rules() {                                       // the positions of the slider under the chosen rule
  const part = all.panel;
  if (!limits()) now.kind = "threshold";                 // this selector allows no other
  if (box("rule")) box("rule").value = now.kind;
  const values = limits()?.limits.map(limit => limit.value);
  const texts = limits()?.limits.map(limit => limit.words) || part.shares.map(share => `at least ${percent(share)} of runs`);
  const middle = Math.floor(values?.length / 2);
  if (now.share < 0) now.share = !values ? part.chosen : now.kind === part.kind ? values.indexOf(part.value) : middle;
  slide("share", texts, now.share);
}

// ---- scenarios and groups ----

function scenarios() {
  const part = all.scenarios;
  if (!part) return;
  const one = part.each[now.scenario], rows = [...one.selector.keys()].filter(i => !now.off.has(one.selector[i]) && one.value[i] !== null);
  const y = rows.map((_, place) => -place), of = (column, keep = () => true) => rows.filter(keep).map(i => column[i]);
  const at = keep => y.filter((_, place) => keep(rows[place])), floor = i => one.floor[i] !== null, clear = i => one.clear[i] === 1;
  say("scenario-finding", one.finding);
  say("scenario-pairs", part.pairs[now.scenario]);
  const block = (low, high, width, color) => ({type: "bar", orientation: "h", base: of(low, floor), y: at(floor), width, marker: {color},
    x: of(high, floor).map((end, place) => end - of(low, floor)[place]), hoverinfo: "skip"});
  const points = (keep, fill) => dots(of(one.value, keep), at(keep), of(one.low, keep), of(one.high, keep), ...(all.judged ? [BLUE, fill, BLUE] : [GREY, PAPER, GREY]),
    {hovertemplate: "%{x:.2f}<extra></extra>"});
  const traces = [block(one.floor_low, one.floor_high, 0.5, AREA), block(one.floor, one.value, 0.17, PALE),
    tick(of(one.floor, floor), at(floor), 16, GREY), points(clear, BLUE), points(i => !clear(i), PAPER), beyond];
  const numbers = rows.map(i => clear(i) ? `<b>${one.text[i]}</b>` : one.text[i]);
  const names = rows.map(i => all.selector_names[one.selector[i]]), lines = names.flatMap(name => name.split("<br>"));
  Plotly.react("scenario-plot", traces, look(60 + 30 * Math.max(rows.length, 1), {l: room(lines), r: room(numbers), t: 28}, {barmode: "overlay", xaxis: axis({range: part.range,
    side: "top", showgrid: true, gridcolor: GRID, zeroline: true, zerolinecolor: GREY}),
    ...sides(y, names, numbers, [0.4 - Math.max(rows.length, 1), 0.6])}), config);
  box("scenario-plot").setAttribute("aria-label", one.finding);
}

// ---- maps: the selection grid, and importances as the widths of bars ----

function map() {
  const one = all.maps[now.map], importance = now.shown === "importance";
  say("map-finding", importance ? one.importances : one.grid);
  box("map-plot").setAttribute("aria-label", box("map-finding").textContent);
  (importance ? segments : grid)(one);
}
function grid(one) {
  const y = one.feature.map((_, i) => -i), z = one.feature.map(feature => one.runs.map(() => 0)), text = z.map(row => row.map(() => "not selected"));
  one.selected.forEach((places, i) => places.forEach((place, n) => {
    z[i][place] = one.feature[i] === now.feature ? 2 : 1;
    text[i][place] = one.importance.length ? `selected, importance ${one.importance[i][n]}` : "selected";
  }));
  const scale = [[0, "#F1F3F5"], [0.33, "#F1F3F5"], [0.33, "#4D4D4D"], [0.67, "#4D4D4D"], [0.67, BLUE], [1, BLUE]];
  const traces = [{type: "heatmap", z, y, x: one.runs, text, customdata: one.feature.map(feature => one.runs.map(() => feature)),
    xgap: 1, ygap: 1, zmin: 0, zmax: 2, colorscale: scale, showscale: false, hovertemplate: "run %{x}: %{text}<extra></extra>"}, beyond];
  const names = one.feature.map(feature => named(feature));
  Plotly.react("map-plot", traces, look(70 + 17 * y.length, {l: room(names), r: 46, t: 48}, {xaxis: axis({side: "top", title: {text: "Run"}, nticks: 6}),
    ...sides(y, names, one.frequency.map(percent), [0.4 - y.length, 0.6])}), config);
}
function segments(one) {
  const {run, feature, start, width, share} = one.segments, lit = now.feature >= 0, leading = one.feature.slice(0, LEADING.length);
  const colour = i => i < 0 ? AREA : lit ? (i === now.feature ? BLUE : AREA) : LEADING[leading.indexOf(i)] || "#AEB5BD";
  const text = feature.map((i, place) => `${i < 0 ? "all others" : all.short[i]}: ${percent(share[place])} of the importance`);
  const traces = [{type: "bar", orientation: "h", x: width, base: start, y: run, customdata: feature, text, textposition: "none",
    marker: {color: feature.map(colour), line: {width: 0.5, color: PAPER}}, showlegend: false,
    hovertemplate: "run %{y}<br>%{text}<extra></extra>"},
    ...(lit ? [] : leading).map(i => ({type: "bar", x: [null], y: [null], name: all.short[i], marker: {color: colour(i)}}))];
  Plotly.react("map-plot", traces, look(110 + 10 * one.runs.length, {l: 52, b: 44}, {bargap: 0.05, barmode: "overlay", showlegend: !lit,
    legend: {orientation: "h", y: 1.02, yanchor: "bottom", traceorder: "normal"},
    xaxis: axis({title: {text: "Importance"}}), yaxis: axis({autorange: "reversed", title: {text: "Run"}})}), config);
}

// ---- one feature through all figures ----

function tell() {
  const i = now.feature;
  if (i < 0) return say("told", "");
  const table = all.panel.tables[0][now.size], place = table.feature.indexOf(i), sentences = [];
  sentences.push(place < 0 ? `${all.features[i]} is not among the first ${table.feature.length} features.` :
    `${all.features[i]} is selected in ${percent(table.frequency[place])} of runs, place ${place + 1}.`);
  if (all.thresholds) {
    const part = all.thresholds, from = Math.max(now.step, part.listed);
    const partners = part.entering.slice(from).flat().filter(pair => pair[0] === i || pair[1] === i).sort((a, b) => b[2] - a[2])
      .map(pair => all.features[pair[0] === i ? pair[1] : pair[0]]);
    const more = partners.length > 5 ? ` and ${partners.length - 5} more` : "";
    sentences.push(`It counts as one with ${partners.length ? partners.slice(0, 5).join(", ") : "no other feature"}${more}.`);
  }
  say("told", sentences.join(" "));
}
function highlight(name) {
  now.feature = all.features.indexOf(name);
  if (all.thresholds) pairs();
  [panel, map, tell].forEach(part => part());
}

// ---- controls ----

function thresholds() {
  const part = all.thresholds;
  if (!part) return;
  slide("step", part.at.map(at => `|ρ| ≥ ${at.toFixed(2)}`), now.step);
  say("step-finding", part.findings[now.size][now.step]);
  curves("step-cards", part, "threshold", part.at[now.step], part.curves[now.size]);
  pairs();
}
function sizes() {
  if (all.sizes.length > 1) slide("size", all.sizes, now.size);
  if (!all.profile) return;
  say("size-finding", all.profile.findings[now.size]);
  curves("size-cards", all.profile, "k", all.profile.k[now.size], all.profile.curves);
}
function draw() { [panel, thresholds, sizes, scenarios, map, tell].forEach(part => part()); }

box("interactive").hidden = false;
if (box("selectors")) all.selectors.forEach((name, i) => {
  const label = make("label", undefined, box("selectors")), tick = make("input", undefined, label);
  Object.assign(tick, {type: "checkbox", checked: true});
  label.append(name);
  tick.addEventListener("change", () => {
    now.off[tick.checked ? "delete" : "add"](i);
    [thresholds, sizes, scenarios].forEach(part => part());
  });
});
all.features.forEach(name => { make("option", undefined, box("features")).value = name; });
if (all.thresholds) cards("step-cards", all.thresholds.curves[now.size]);
if (all.profile) cards("size-cards", all.profile.curves);
if (all.scenarios) options("scenario", all.scenarios.names, now.scenario);
if (box("map")) options("map", all.selectors, 0);
if (box("who")) options("who", all.panel.whose, 0);
listen("size", "input", control => { now.size = +control.value; }, panel, sizes, tell, () => soon(thresholds));
listen("step", "input", control => { now.step = +control.value; }, thresholds, tell);
listen("who", "change", control => { now.who = +control.value; now.share = now.kind === "threshold" ? now.share : -1; }, panel);
listen("rule", "change", control => { now.kind = control.value; now.share = -1; }, panel);
listen("share", "input", control => { now.share = +control.value; }, panel);
listen("scenario", "change", control => { now.scenario = +control.value; }, scenarios);
listen("map", "change", control => { now.map = +control.value; }, map);
listen("shown", "change", control => { now.shown = control.value; }, map);
listen("feature", "input", control => highlight(control.value));
listen("plain", "click", () => { box("feature").value = ""; highlight(""); });
draw();
for (const id of ["panel-plot", "map-plot"]) box(id).on("plotly_click", click => {
  const clicked = all.features[click.points[0].customdata];
  if (clicked !== undefined) highlight(box("feature").value = clicked);
});
})();
