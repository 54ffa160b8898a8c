// While somebody types, Ctrl+Z and Ctrl+Y belong to the text: the browser takes back letters, not the app its last choice.
// A list to choose from counts as text while it is open, or something is typed into it; closed, the keys are the app's.

const TYPED = new Set(["text", "search", "number", "password", "email", "url", "tel", "date", "time"]);
const KEYS = new Set(["z", "y"]);

function typing(at) {
  if (!at) return false;
  if (at.getAttribute("role") === "combobox") return at.getAttribute("aria-expanded") === "true";
  return at.isContentEditable || at.tagName === "TEXTAREA" || (at.tagName === "INPUT" && TYPED.has(at.type));
}

export default function () {
  const ended = new AbortController();
  leadIntoPopovers(ended.signal);                             // popover_keys.js, which stands before this one
  window.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && KEYS.has(event.key.toLowerCase()) && typing(document.activeElement))
      event.stopImmediatePropagation();
  }, {capture: true, signal: ended.signal});
  return () => ended.abort();
}
