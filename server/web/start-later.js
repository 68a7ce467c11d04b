// Starts the script of a painted page once the page has been seen: until then nothing shares the line or the
// processor with it. What is typed and chosen meanwhile the browser's own controls keep; what is pressed is held here,
// and pressed once the page lives (`web/lib/early-input.ts`, `web/customer/parts/use-later.ts`).
{
  let presses = 0;
  const hold = (event, control) => {
    if (!control?.closest("#root[data-painted], [data-waits]")) return;
    event.preventDefault();
    event.stopPropagation();
    presses += 1;
    control.dataset.pressed = presses;
  };
  const ofPress = (event) =>
    hold(event, event.target.closest("button:not([popovertarget]), a[data-held]"));
  addEventListener("click", ofPress, true);
  // A password manager sends a form without pressing its button.
  addEventListener("submit", (event) => hold(event, event.target), true);
  const { start, ahead } = document.currentScript.dataset;
  const parts = ahead.split(" ").filter(Boolean);
  const breath = () => new Promise((resolve) => setTimeout(resolve));
  let isStarted = false;
  const go = async () => {
    if (isStarted) return;
    isStarted = true;
    try {
      // Fetched beside each other …
      for (const href of [start, ...parts]) {
        document.head.append(
          Object.assign(document.createElement("link"), { rel: "modulepreload", href }),
        );
      }
      // … and begun one after the other, so that a touch in between is not kept waiting.
      for (const part of [...parts, start]) {
        await import(part);
        await breath();
      }
    } catch {
      // The line was lost: tried again when it is back, or when somebody touches the page.
      isStarted = false;
      for (const sign of ["online", "pointerdown"]) addEventListener(sign, go, { once: true });
    }
  };
  // The page is read to its end: a paint may come before.
  const whenRead = () => {
    if (document.readyState !== "loading") go();
    else document.addEventListener("DOMContentLoaded", go);
  };
  new PerformanceObserver(whenRead).observe({ type: "paint", buffered: true });
  // A tab in the background is not painted.
  setTimeout(whenRead, 1000);
}
