// A press on a figure takes the point that lies under it. Plotly takes what the pointer was last seen over: another point or none
// where it has just arrived, and on a telephone, where nothing is hovered over. So the figure is asked once more, right before.
// A finger that is drawn over a picture scrolls the page, which plotly would not let it: it hears of fingers only where they draw a
// box or a line around points, or turn a picture in space. A tap becomes a click by itself.

let pressed = null;                                           // what of a figure takes presses, while one lasts

function ask(event) {
  const figure = pressed?.closest(".js-plotly-plot"), layout = figure?._fullLayout, at = event.changedTouches?.[0] || event;
  if (layout?.clickmode?.includes("select") && figure._dragging && !figure._dragged) {
    const name = layout._uid;
    figure._dragging = false;                                 // else nothing is seen
    layout._uid = `${name}-pressed`;                          // plotly looks 20 times a second at most under one name
    pressed.dispatchEvent(new MouseEvent("mousemove", {clientX: at.clientX, clientY: at.clientY}));
    layout._uid = name;
    figure._dragging = true;
  }
  pressed = null;
}

function scrolls(event) {
  const layout = event.target.closest?.(".js-plotly-plot .draglayer")?.closest(".js-plotly-plot")._fullLayout;
  return layout && !["select", "lasso"].includes(layout.dragmode);
}

function takePresses(signal) {
  for (const begun of ["mousedown", "touchstart"])
    window.addEventListener(begun, (event) => {
      pressed = event.target.closest?.(".nsewdrag");
      if (begun === "touchstart" && scrolls(event)) event.stopPropagation();
    }, {capture: true, passive: true, signal});
  for (const ended of ["mouseup", "touchend"]) window.addEventListener(ended, ask, {capture: true, passive: true, signal});
}
