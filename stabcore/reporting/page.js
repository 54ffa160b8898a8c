// The shared part of the interactive files: texts, controls and the settings of Plotly.
"use strict";
const box = id => document.getElementById(id);
const config = {responsive: true, displayModeBar: false};
function make(tag, text, parent, name) {                 // names are untrusted, so they only become text
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
function slide(id, texts, chosen) {                      // a range over positions of a list, with the chosen entry in words
  Object.assign(box(id), {min: 0, max: texts.length - 1, step: 1, value: chosen});
  box(id).setAttribute("aria-valuetext", texts[chosen]);
  say(`${id}-is`, texts[chosen]);
}
