import { startClear } from "./clear-parts.ts";

/** The styles that a public page carries within. */
const STYLE = /<style>([\s\S]*?)<\/style>/;

/** Puts the sections of `/en-clair` in front of an element, with the styles of their page, and wakes them. */
export async function bringIn(address: string, place: Element): Promise<void> {
  // Without scopes its styles would change the page around: the link leads there.
  if (!("CSSScopeRule" in window)) return;
  const response = await fetch(address, { headers: { accept: "text/html" } });
  if (!response.ok) return;
  const text = await response.text();
  const [element = "", style = ""] = STYLE.exec(text) ?? [];
  // Without its element: this page's policy knows its own styles alone, and would report another.
  const page = new DOMParser().parseFromString(text.replace(element, ""), "text/html");
  const found = page.querySelector<HTMLElement>("[data-clear]");
  if (!found || !style) return;
  document.adoptedStyleSheets.push(await scoped(style));
  const sections = document.importNode(found, true);
  place.before(sections);
  startClear(sections);
}

/** The styles of a page for its sections alone: a class that both pages have would come after this page's variants of it. */
async function scoped(style: string): Promise<CSSStyleSheet> {
  const sheet = new CSSStyleSheet();
  await sheet.replace(style);
  const rules = Array.from(sheet.cssRules);
  const nests = (rule: CSSRule) => rule instanceof CSSStyleRule || rule instanceof CSSGroupingRule;
  const text = (list: readonly CSSRule[]) => list.map(({ cssText }) => cssText).join("\n");
  // Sizes that this page has no use for are the sections' own; colours by day and by night are the page's.
  const inner = text(rules.filter(nests)).replaceAll(":root, :host", ":scope");
  const outer = text(rules.filter((rule) => !nests(rule)));
  await sheet.replace(`${outer}\n@scope ([data-clear]) {\n${inner}\n}`);
  return sheet;
}
