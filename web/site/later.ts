import { startClear } from "./clear-parts.ts";

/** The styles that a public page carries within. */
const STYLE = /<style>([\s\S]*?)<\/style>/;

/** Puts the sections of `/en-clair` in front of an element, with the styles of their page, and wakes them. */
export async function bringIn(address: string, place: Element): Promise<void> {
  const response = await fetch(address, { headers: { accept: "text/html" } });
  if (!response.ok) return;
  const text = await response.text();
  const [element = "", style = ""] = STYLE.exec(text) ?? [];
  // Without its element: this page's policy knows its own styles alone, and would report another.
  const page = new DOMParser().parseFromString(text.replace(element, ""), "text/html");
  const found = page.querySelector<HTMLElement>("[data-clear]");
  if (!found || !style) return;
  const sheet = new CSSStyleSheet();
  await sheet.replace(style);
  document.adoptedStyleSheets.push(sheet);
  const sections = document.importNode(found, true);
  place.before(sections);
  startClear(sections);
}
