// The lessons. This script computes nothing: the core has computed all draws, lines and sentences, which are looked up.
(() => {
const {ladder, sizes, close, lessons} = JSON.parse(box("lesson-values").textContent);
const NARROW = matchMedia("(max-width: 40rem)");
let lesson, at, draws, guess, step;             // the open lesson: positions of the settings, number of draws, the guess and its settings

const here = () => lesson.at[at.join()];
const kinds = {CELLS: "cells", DRAW: "draw", MEAN: "mean", LAST: "this draw", GUESS: "your guess", HIGH: "95% to"};
const cells = () => {                                    // a letter per cell, or nothing
  const rows = here().cells[draws], longest = Math.max(...rows.map(row => row[1].length));
  const z = rows.map(row => [...row[1].padEnd(longest, ".")].map(kind => kind === "." ? null : +kind));
  return {z, y: rows.map(row => row[0])};
};

function changed(trace) {                                // the numbers of a trace now
  const {kind, series, x} = trace.meta, now = here(), n = ladder[draws];
  if (kind === kinds.CELLS) return cells();
  if (kind === kinds.GUESS) return {x: guess.x, y: guess.y, text: guess.x.map((_, i) => i === guess.x.length - 1 ? kinds.GUESS : "")};
  const y = now.y[series], place = now.place[series];
  if (kind === kinds.DRAW) return {x: place.slice(0, n), y: y.slice(0, n), marker: {...trace.marker, size: sizes[draws]}};
  if (kind === kinds.MEAN) return {x: [now.x], y: [now.means[series][draws]]};
  if (kind === kinds.LAST) return {x: [x === "place" ? place[n - 1] : now.x], y: [y[n - 1]]};
  return {y: now.lines[series][kind === kinds.HIGH ? 1 : 0]};
}

const across = () => lesson.controls[0].names.map((_, i) => lesson.at[[i, ...at.slice(1)].join()]);   // along the first control
const asked = () => lesson.guess.curve ? at.slice(1).join() : at.join();      // the settings of a guess
const short = (number, digits) => Number(number.toPrecision(digits));

function verdict() {                                     // compares a guess with the known answer, at the settings of the question
  const now = here(), {choices, curve, low, high} = lesson.guess;
  if (guess.at !== asked()) return "";
  if (curve) {
    const every = across(), gaps = every.map((one, i) => Math.abs(guess.value[i] - one.value));
    const mean = gaps.reduce((a, b) => a + b) / gaps.length, worst = gaps.indexOf(Math.max(...gaps));
    return `Your guesses are off by ${short(mean, 2)} on average.${mean <= close * (high - low) ? " That is close." : ""} ` +
      `The difference is largest at ${lesson.controls[0].names[worst]}: you guessed ${short(guess.value[worst], 4)}, ` +
      `the answer is ${every[worst].number}. `;
  }
  const right = choices.length ? guess.value === now.close : guess.value >= now.close[0] && guess.value <= now.close[1];
  const praise = choices.length ? "That is right." : `${now.truth} That is close.`;
  return `You guessed ${guess.value}. ${right ? praise : now.truth} `;
}

function draw() {
  const now = here(), {data, layout} = lesson.figure;
  Plotly.react("plot", data.map(trace => ({...trace, ...changed(trace)})), layout, config);
  say("finding", `${verdict()}${now.sentence} ${now.drawn[draws]}`);
  box("plot").setAttribute("aria-label", box("finding").textContent);
  lesson.controls.forEach((control, i) => slide(`control-${i}`, control.names, at[i]));
  box("one").disabled = draws === ladder.length - 1;
  box("tale").hidden = !lesson.steps.length;
  box("back").disabled = !(step > 0);
  box("next").disabled = step === lesson.steps.length - 1;
  say("step", step === null ? "The story in steps" : `${step + 1} of ${lesson.steps.length}. ${lesson.steps[step].words}`);
}

function ask() {
  guess = null;
  draws = 0;
  step = null;
  box("asked").hidden = false;
  box("answered").hidden = true;
  say("ask", here().ask);
  say("missing", "");
  box("choices").replaceChildren();
  box("before").hidden = !lesson.shown_first;
  if (lesson.shown_first) {
    const {data, layout} = lesson.figure, {margin, annotations, yaxis3} = layout;
    Plotly.react("before", [{...data[0], ...cells()}], {height: 130, margin: {...margin, b: 10}, annotations: annotations.slice(0, 1),
      xaxis: {visible: false}, yaxis: {visible: false}, xaxis3: {...layout.xaxis3}, yaxis3: {...yaxis3, domain: [0, 1]}}, config);
  }
  for (const choice of lesson.guess.choices) {
    const label = make("label", undefined, box("choices"));
    Object.assign(make("input", undefined, label), {type: "radio", name: "guess", value: choice});
    label.append(choice);
  }
  if (lesson.guess.choices.length) return null;
  const {low, high, step: by, curve} = lesson.guess;
  if (curve) return sketch();
  const field = make("input", undefined, box("choices"));
  Object.assign(field, {type: "number", name: "guess", min: low, max: high, step: "any"});
  field.setAttribute("aria-labelledby", "ask");
  return make("span", ` ${low} to ${high}`, box("choices"));
}

function sketch() {                                      // draw a curve by pointer, or by a slider for each of its points
  const {low, high, step: by} = lesson.guess, {label, names} = lesson.controls[0], NS = "http://www.w3.org/2000/svg";
  const WIDE = 600, TALL = 180, EDGE = 30, x = i => (i + 0.5) * WIDE / names.length;
  const y = value => TALL - EDGE - (value - low) / (high - low) * (TALL - 2 * EDGE);
  const picture = document.createElementNS(NS, "svg");
  const mark = (tag, set, text) => {
    const made = document.createElementNS(NS, tag);
    Object.entries(set).forEach(([name, value]) => made.setAttribute(name, value));
    if (text !== undefined) made.textContent = text;
    return picture.appendChild(made);
  };
  Object.entries({viewBox: `0 0 ${WIDE} ${TALL}`, class: "sketch", "aria-hidden": true}).forEach(([name, value]) => picture.setAttribute(name, value));
  [low, high].forEach(value => mark("line", {x1: 0, x2: WIDE, y1: y(value), y2: y(value)}));
  [low, high].forEach(value => mark("text", {x: 2, y: y(value) - 4}, value));
  names.forEach((name, i) => mark("text", {x: x(i), y: TALL - 8, "text-anchor": "middle"}, name));
  const path = mark("polyline", {}), dots = names.map((_, i) => mark("circle", {cx: x(i), r: 8}));
  box("choices").append(picture);
  make("span", `${label}: `, box("choices"));
  const fields = names.map(name => {
    const field = make("input", undefined, make("label", `${name} `, box("choices")));
    Object.assign(field, {type: "range", name: "point", min: low, max: high, step: by, value: (low + high) / 2});
    field.addEventListener("input", shown);
    return field;
  });
  function shown() {
    fields.forEach((field, i) => dots[i].setAttribute("cy", y(+field.value)));
    path.setAttribute("points", fields.map((field, i) => `${x(i)},${y(+field.value)}`).join(" "));
  }
  function follow(event) {
    if (!event.buttons) return;
    const {left, top, width, height} = picture.getBoundingClientRect();
    const i = Math.min(names.length - 1, Math.max(0, Math.floor((event.clientX - left) / width * names.length)));
    fields[i].value = low + (TALL - EDGE - (event.clientY - top) / height * TALL) / (TALL - 2 * EDGE) * (high - low);
    shown();
  }
  for (const name of ["pointerdown", "pointermove"]) picture.addEventListener(name, follow);
  shown();
}

function open(number) {
  lesson = lessons[number];
  at = lesson.controls.map(control => control.at);
  box("lesson").value = number;
  for (const id of ["question", "story", "insight", "source"]) say(id, lesson[id]);
  say("setting", lesson.story);
  box("controls").replaceChildren();
  lesson.controls.forEach((control, i) => {
    const label = make("label", `${control.label}: `, box("controls"));
    make("output", "", label).id = `control-${i}-is`;
    Object.assign(make("input", undefined, label), {type: "range", id: `control-${i}`});
    listen(`control-${i}`, "input", field => { at[i] = +field.value; step = null; }, draw);
  });
  ask();
}

function show(event) {
  event.preventDefault();
  const typed = new FormData(box("form")).get("guess"), drawn = new FormData(box("form")).getAll("point").map(Number);
  const {choices, low, high, curve} = lesson.guess, middle = (low + high) / 2, every = across();
  if (curve) {
    if (drawn.every(height => Math.abs(height - middle) < 1e-9)) return say("missing", "Draw your curve first.");
    const heights = drawn.map((height, i) => every[i].points[0] + every[i].points[1] * height);
    return reveal({value: drawn, x: every.map(one => one.x), y: heights, at: asked()});
  }
  const value = choices.length ? typed : Number(typed);
  if (!typed || !choices.length && !(value >= low && value <= high)) {
    return say("missing", choices.length ? "Enter a guess first." : `Enter a guess from ${low} to ${high}.`);
  }
  const now = here(), points = now.points;
  const [x, y] = choices.length ? points[value] : [now.x, points[0] + points[1] * value];
  return reveal({value, x: [x], y: [y], at: asked()});
}

function reveal(settled) {
  guess = settled;
  box("asked").hidden = true;
  box("answered").hidden = false;
  return draw();
}

function go(to) {
  step = to;
  at = [...lesson.steps[step].at];
  draws = lesson.steps[step].draws;
  draw();
}

options("lesson", lessons.map((one, i) => `${i + 1}. ${one.question}`), 0);
for (const n of [10, 100, 1000].filter(n => ladder.includes(n))) {
  const button = make("button", n.toLocaleString("en"), box("jumps"));
  button.type = "button";
  button.addEventListener("click", () => { draws = ladder.indexOf(n); draw(); });
  box("jumps").append(" ");
}
const wanted = () => Math.max(0, lessons.findIndex(one => `#${one.key}` === location.hash));
listen("lesson", "change", field => { location.hash = lessons[+field.value].key; });
addEventListener("hashchange", () => open(wanted()));
listen("one", "click", () => { draws += 1; }, draw);
listen("again", "click", () => {}, ask);
listen("back", "click", () => go(step - 1));
listen("next", "click", () => go(step === null ? 0 : step + 1));
box("form").addEventListener("submit", show);
open(wanted());
})();
