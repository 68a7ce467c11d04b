import type { Page } from "playwright-core";

/**
 * Screens in CSS pixels, at a zoom of 200 % and, where bars stick that a short screen does not have, without one: a computer
 * of 1280 × 800; a phone, at the narrowest width that WCAG asks for (1.4.10); and the window of a computer at 400 % that it
 * names, which is as low as it is narrow.
 */
export const SCREENS = {
  "computer at 200 %": { width: 640, height: 400 },
  "phone at 200 %": { width: 320, height: 422 },
  "computer at 400 %": { width: 320, height: 256 },
  phone: { width: 390, height: 844 },
  "small phone": { width: 320, height: 568 },
  /** Narrower than what WCAG asks for: letters may be broken there, but nothing may lie on a field. */
  "phone of 390 px at 200 %": { width: 195, height: 422 },
} as const;

/** Width below which a page may be wider than the screen, in CSS pixels (WCAG 1.4.10). */
const NARROWEST = 320;

export type Screen = keyof typeof SCREENS;

/**
 * Parts that a page hides, one line each: width beyond the screen, a dialog or a menu, cut words, and covers of the focused
 * control (WCAG 1.4.10 and 2.4.11), reached forwards and backwards. A field shows whole,
 * any other control in part.
 */
export async function hiddenOn(page: Page, screen: Screen): Promise<string[]> {
  const size = SCREENS[screen];
  await page.setViewportSize(size);
  // A page takes a moment to settle in another width: a long one on a busy machine, where it has to fit.
  const isTooWide = await page
    .waitForFunction((most) => document.documentElement.scrollWidth <= most, size.width, {
      timeout: size.width >= NARROWEST ? 30_000 : 5_000,
    })
    .then(
      () => false,
      () => true,
    );
  const wrong = isTooWide && size.width >= NARROWEST ? [`wider than ${size.width} px`] : [];
  return [...wrong, ...(await page.evaluate(lookAround, NARROWEST))];
}

/** Looks at the page from inside: a key pressed for each of a hundred controls would take minutes. */
async function lookAround(narrowest: number): Promise<string[]> {
  const wrong = new Set<string>();
  const frame = () => document.documentElement.animate([], { duration: 1 }).finished;
  const nameOf = (element: Element) => {
    const words = element.getAttribute("aria-label") ?? element.textContent.trim();
    const named = words || `#${element.id}`;
    return `${element.tagName.toLowerCase()} « ${named.replaceAll(/\s+/g, " ").slice(0, 60)} »`;
  };

  const above = document.querySelector("dialog[open], [role=dialog], [role=menu]");
  const within = above ?? document.body;
  if (above && innerWidth >= narrowest) {
    const { left, right } = above.getBoundingClientRect();
    if (above.scrollWidth > above.clientWidth + 1) wrong.add(`${above.scrollWidth} px in a window`);
    if (left < 0 || right > innerWidth) wrong.add(`window from ${left} to ${right} px`);
  }
  const texts = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    const around = text.parentElement;
    if (!around || text.textContent?.trim() === "") continue;
    if (around.closest(".sr-only, svg, script, style, noscript, option")) continue;
    if (!around.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    range.selectNodeContents(text);
    const words = range.getBoundingClientRect();
    for (let box: Element | null = around; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      if (/auto|scroll/.test(overflowX + overflowY)) break;
      const edge = box.getBoundingClientRect();
      // Text for screen readers alone takes a pixel.
      if (edge.width <= 2) break;
      const isCutAcross = words.left < edge.left - 2 || words.right > edge.right + 2;
      const isCutBelow = words.top < edge.top - 4 || words.bottom > edge.bottom + 4;
      if ((overflowX !== "visible" && isCutAcross) || (overflowY !== "visible" && isCutBelow)) {
        wrong.add(`cut: « ${text.textContent?.trim().slice(0, 60)} »`);
      }
    }
  }

  const controls = [
    ...within.querySelectorAll<HTMLElement>(
      "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex='0']",
    ),
  ].filter((one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }));
  for (const control of [...controls, ...controls.reverse()]) {
    control.focus();
    await Promise.resolve();
    if (document.activeElement !== control) continue;
    for (const passing of control.getAnimations()) passing.finish();
    const isUnseen = control.getBoundingClientRect().width <= 2;
    const shown = isUnseen
      ? (control.closest("label") ?? control.parentElement ?? control)
      : control;
    const { left, right, top, bottom } = shown.getBoundingClientRect();
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    // A browser brings the line in sight that is written on, not the whole of a text of many lines.
    const isField = control.matches("input, select") && !isUnseen;
    const there = [0.2, 0.5, 0.8].map((share) =>
      document.elementFromPoint(x, top + (bottom - top) * share),
    );
    // An element that holds a control does not lie on it: a link that is broken over two lines
    // leaves room for its paragraph.
    const isSeen = (one: Element) =>
      shown.contains(one) || one.contains(shown) || one.closest("label")?.control === control;
    const covers = there.filter((one) => one === null || !isSeen(one));
    if (covers.length >= (isField ? 1 : there.length)) {
      const [cover] = covers;
      const what = cover ? `behind ${nameOf(cover)}` : "out of sight";
      wrong.add(`focus: ${nameOf(control)} ${what}`);
    }
  }
  await frame();
  return [...wrong];
}
