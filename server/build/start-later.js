// Starts the script of a prerendered page once the page has been seen, or the user does something with it (`data-when`):
// until then nothing shares the line or the processor with it. What is typed and chosen meanwhile the browser's own controls keep; what is pressed is held here,
// and pressed once the page lives (`web/lib/input/early-input.ts`, `web/customer/parts/use-lazy-parts.ts`).
{
  let presses = 0;
  const hold = (event, control) => {
    if (!control?.closest("#root[data-prerendered], [data-waits]")) return false;
    event.preventDefault();
    event.stopPropagation();
    presses += 1;
    control.dataset.pressed = presses;
    return true;
  };
  const ofPress = (event) => {
    // A link to be opened elsewhere is the browser's business.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    hold(event, event.target.closest("button:not([popovertarget]), a[data-held]"));
  };
  addEventListener("click", ofPress, true);
  // Arrows go from one tab to the other, round and round.
  const ofArrow = (event) => {
    const tab = event.target.closest?.("[role=tab]");
    if (!tab || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
    const { firstElementChild, lastElementChild } = tab.parentElement;
    const other =
      event.key === "ArrowRight"
        ? (tab.nextElementSibling ?? firstElementChild)
        : (tab.previousElementSibling ?? lastElementChild);
    if (hold(event, other)) other.focus();
  };
  addEventListener("keydown", ofArrow, true);
  // A password manager sends a form without pressing its button.
  addEventListener("submit", (event) => hold(event, event.target), true);
  const { start, ahead = "", styles = "", when } = document.currentScript.dataset;
  const listed = (text) => text.split(" ").filter(Boolean);
  const parts = listed(ahead);
  const ignore = () => {};
  const breath = () => new Promise((resolve) => setTimeout(resolve));
  const add = (link) => document.head.append(Object.assign(document.createElement("link"), link));
  // One at a time: a touch in between is not kept waiting.
  const preload = async () => {
    for (const href of [start, ...parts]) {
      add({ rel: "modulepreload", href, as: "script" });
      await breath();
    }
  };
  // The content that the script is about to show would be unstyled without these sheets.
  const dress = (href) =>
    new Promise((onload, onerror) => add({ rel: "stylesheet", href, onload, onerror }));
  // A page of one's own, or one whose address (`web/public/early.js`) or content asks for more than is prerendered, starts
  // by itself.
  const { classList } = document.documentElement;
  const isCalledFor = () =>
    when !== "touched" ||
    classList.contains("member") ||
    classList.contains("asks-more") ||
    document.querySelector("[data-starts]") !== null;
  let isStarted = false;
  const go = async () => {
    if (isStarted) return;
    isStarted = true;
    try {
      // Fetched beside each other …
      await preload();
      await Promise.all(listed(styles).map(dress));
      // … and begun one after the other, so that a touch in between is not kept waiting.
      for (const part of [...parts, start]) {
        await import(part);
        await breath();
      }
    } catch {
      // The line was lost: tried again when it is back, or when the user touches the page.
      isStarted = false;
      for (const sign of ["online", "pointerdown"]) addEventListener(sign, go, { once: true });
    }
  };
  // Others have nothing to do before the user does something: their script has loaded by then.
  let isTouched = false;
  let isWatching = false;
  const touch = () => {
    isTouched = true;
    if (isWatching) go();
  };
  for (const sign of ["pointermove", "pointerdown", "keydown", "focusin", "scroll"])
    addEventListener(sign, touch, { once: true, passive: true, capture: true });
  const watch = () => {
    if (isWatching) return;
    isWatching = true;
    // Safari knows no `rel=prefetch`, and Firefox judges it by `default-src`, which allows nothing.
    for (const href of [start, ...parts, ...listed(styles)])
      fetch(href, { priority: "low" })
        .then((answer) => answer.blob())
        .catch(ignore);
    if (isTouched) go();
  };
  const decide = () => (isCalledFor() ? go() : watch());
  // The page is read to its end: a paint may come before.
  const whenRead = () => {
    if (document.readyState !== "loading") decide();
    else document.addEventListener("DOMContentLoaded", decide);
  };
  new PerformanceObserver(whenRead).observe({ type: "paint", buffered: true });
  // A tab in the background is not painted.
  setTimeout(whenRead, 1000);
}
