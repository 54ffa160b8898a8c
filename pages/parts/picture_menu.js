// The camera in the tool bar of a figure: a menu of PNG (300 dpi) and SVG, as wide as a column or a page of a journal.
// The picture is the one on screen, zoom included, in light colours; it is made in this browser and sent to nobody.

const INCH = 25.4, CSS = 96, DPI = 300;                       // millimetres; pixels an inch on screen and on paper
const SIZES = [["png", 85], ["png", 170], ["svg", 85], ["svg", 170]];
const GRID = "#E3E3E3", INK = "#1A1A1A", GREY = "#4D4D4D";
const AXIS = {gridcolor: GRID, linecolor: GREY, zerolinecolor: GRID, tickfont: {color: GREY, size: 11}, title: {font: {color: INK, size: 12}}};
const LIGHT = {layout: {font: {color: INK, size: 12, family: "Arial, Helvetica, sans-serif"},
  xaxis: AXIS, yaxis: AXIS, scene: {xaxis: AXIS, yaxis: AXIS, zaxis: AXIS}, coloraxis: {colorbar: {tickfont: {color: GREY}}}}};
const RESOLUTION = [0, 0, 0, 9, 112, 72, 89, 115, 0, 0, 46, 35, 0, 0, 46, 35, 1, 120, 165, 63, 118];      // chunk pHYs: 300 dpi
const ROW = 11, SCREEN = 12, SMALL = 7;                       // pixels of a row with a name; letters of names on screens, and small
const HEAD = 33;                                              // bytes of a PNG before its first chunk but one

let passing = false;

function save(blob, name) {
  const link = Object.assign(document.createElement("a"), {href: URL.createObjectURL(blob), download: name});
  passing = true;
  document.body.append(link);
  link.click();
  link.remove();
  passing = false;
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

async function withResolution(blob) {
  const bytes = await blob.arrayBuffer();
  return new Blob([bytes.slice(0, HEAD), new Uint8Array(RESOLUTION), bytes.slice(HEAD)], {type: blob.type});
}

// A matrix of a thing with itself, so many rows as meta says, has square cells on paper, however wide: what it takes for that.
function square(figure, pixels) {
  const {_size: plot, width, height, meta, yaxis} = figure._fullLayout;
  if (!meta) return {height, axes: {}};
  const beside = width - plot.w, row = (pixels - beside) / meta, named = yaxis.showticklabels && row < ROW;
  const side = pixels - (named ? beside * SMALL / SCREEN : beside), {xaxis: x, yaxis: y} = figure.layout;
  return {height: Math.round(height - plot.h + side), axes: {xaxis: {...x, constrain: "domain", constraintoward: "left"},
    yaxis: {...y, scaleanchor: "x", constrain: "domain", constraintoward: "top", ...(named && {tickfont: {size: SMALL}})}}};
}

// Plotly's own button saves what is drawn now; it copies the layout at once, which is therefore another one only meanwhile. Its
// colours are those of paper already.
function take(camera, format, width) {
  const figure = camera.closest(".js-plotly-plot"), layout = figure.layout, options = figure._context.toImageButtonOptions;
  const pixels = Math.round(width / INCH * CSS), dots = Math.round(width / INCH * DPI);
  const shape = square(figure, pixels), usual = {...options}, before = {...layout};
  const axes = Object.keys(layout).filter(name => /^[xy]axis\d*$/.test(name)).map(name => [name, {...layout[name],
    ...shape.axes[name], title: {...layout[name].title, font: undefined, standoff: undefined}}]);
  const address = URL.createObjectURL;
  let made = null;
  URL.createObjectURL = (blob) => { made = blob; return address.call(URL, blob); };
  const restore = () => { URL.createObjectURL = address; document.removeEventListener("click", caught, true); };
  const caught = async (event) => {
    const link = event.target.closest?.("a[download]");
    if (passing || !link) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    restore();
    save(format === "png" ? await withResolution(made) : made, link.download);
  };
  document.addEventListener("click", caught, true);
  setTimeout(restore, 60000);
  Object.assign(options, {format, width: pixels, height: shape.height, scale: format === "png" ? (dots + 0.001) / pixels : 1,
    filename: `${usual.filename || "picture"} - ${width} mm`});
  Object.assign(layout, {template: LIGHT, font: undefined, ...Object.fromEntries(axes)});
  passing = true;
  camera.click();
  passing = false;
  for (const [now, then] of [[layout, before], [options, usual]]) {
    for (const name of Object.keys(now)) delete now[name];
    Object.assign(now, then);
  }
}

function menu(camera, signal) {
  document.querySelector(".picture-menu")?.remove();
  const box = document.createElement("div"), style = getComputedStyle(document.querySelector(".stApp") || document.body);
  box.className = "picture-menu";
  box.setAttribute("role", "menu");
  box.setAttribute("aria-label", "Save this picture");
  Object.assign(box.style, {position: "absolute", zIndex: 1000000, background: style.backgroundColor, color: style.color, font: style.font,
    border: "1px solid #8A8A8A", borderRadius: "0.4rem", padding: "0.25rem", boxShadow: "0 2px 8px rgba(0,0,0,0.25)"});
  for (const [format, width] of SIZES) {
    const item = document.createElement("button");
    item.textContent = `${format.toUpperCase()}, ${width} mm wide${format === "png" ? ", 300 dpi" : ""}`;
    item.setAttribute("role", "menuitem");
    Object.assign(item.style, {display: "block", width: "100%", textAlign: "left", padding: "0.3rem 0.6rem", border: "0", background: "none",
      color: "inherit", font: "inherit", cursor: "pointer"});
    item.onclick = () => { box.remove(); camera.focus(); take(camera, format, width); };
    box.append(item);
  }
  document.body.append(box);
  const at = camera.getBoundingClientRect();
  box.style.left = `${Math.max(4, Math.min(at.right - box.offsetWidth, innerWidth - box.offsetWidth - 4)) + scrollX}px`;
  box.style.top = `${at.bottom + 4 + scrollY}px`;
  box.querySelector("button").focus();
  const step = {ArrowDown: 1, ArrowUp: -1};
  box.addEventListener("keydown", (event) => {
    const items = [...box.children];
    if (event.key === "Escape" || event.key === "Tab") { box.remove(); camera.focus(); }         // Tab goes on from there
    if (event.key in step) {
      event.preventDefault();
      items[(items.indexOf(document.activeElement) + step[event.key] + items.length) % items.length].focus();
    }
  }, {signal});
}

export default function () {
  const ended = new AbortController(), signal = ended.signal;
  takePresses(signal);                                        // picture_presses.js, which stands before this one
  document.addEventListener("click", (event) => {
    if (passing) return;
    const camera = event.target.closest?.(".modebar-btn[data-title^='Download plot']");
    if (!event.target.closest?.(".picture-menu")) document.querySelector(".picture-menu")?.remove();
    if (!camera) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    menu(camera, signal);
  }, {capture: true, signal});
  return () => { ended.abort(); document.querySelector(".picture-menu")?.remove(); };
}
