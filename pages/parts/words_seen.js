// What stands on the screen behind the dialog of words, told once: sentences, controls, heads of tables, letters of pictures.

const MOST = 100000;                                          // letters

export default function ({data, setStateValue}) {
  const main = document.querySelector("[data-testid=stMain]");
  if (data?.known || !main) return;
  const more = main.querySelectorAll("canvas [role=columnheader], .js-plotly-plot text, input, [role=img]");
  const text = [main.innerText, ...[...more].map((one) => one.value || one.getAttribute("aria-label") || one.textContent)].join("\n");
  setStateValue("text", text.slice(0, MOST));
}
