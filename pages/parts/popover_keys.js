// What pops up stands at the end of the page. Tab leads into it from its button, and out of it to what follows the button.
// While the keyboard is elsewhere, the toolkit takes tabindex from what is in it, and keeps it as data-tabindex.

const OPENED = "[data-testid=stPopoverButton][aria-expanded=true]", POPPED_UP = "[data-testid=stPopoverBody]";
const REACHED = "a[href], button:enabled, input:enabled, textarea:enabled, [tabindex='0']";
const stop = (one) => one.offsetParent && Number(one.dataset.tabindex ?? one.tabIndex) >= 0;

function leadIntoPopovers(signal) {
  window.addEventListener("keydown", (event) => {
    const button = event.key === "Tab" && document.querySelector(OPENED), body = button && document.querySelector(POPPED_UP);
    if (!body) return;
    const within = [...body.querySelectorAll(REACHED)].filter(stop), at = document.activeElement;
    const into = at === button && !event.shiftKey && within[0], back = event.shiftKey && at === within[0] && button;
    if (into || back) {
      event.preventDefault();
      (into || back).focus();
    } else if (!event.shiftKey && at === within.at(-1)) button.focus();       // from where the key then goes on
  }, {capture: true, signal});
}
