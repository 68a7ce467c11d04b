import { expect } from "vitest";
import { z } from "zod";
import type { Skip } from "../../harness/skip-aloud.ts";

/** A page in an engine that Playwright's Chromium is not; each action waits until the page allows it. */
export type EnginePage = {
  open(url: string): Promise<void>;
  /** Waits for a text of the page. */
  says(text: string): Promise<void>;
  /** Text of the first element of a selector. */
  textOf(selector: string): Promise<string>;
  /** Types into the field of a label. */
  type(label: string, text: string): Promise<void>;
  /** Presses a button, a link or a tab by its name, or by the start of it. */
  press(name: string): Promise<void>;
  /** Lines that a text of the page takes; 0 where it is not. */
  linesOf(text: string): Promise<number>;
  /** Errors that no script of the page has caught, and breaches of its security policy. */
  faults(): Promise<unknown>;
};

/** Window of a page, in CSS pixels. */
export type EngineWindow = { width?: number; height?: number };

/** Opens an engine; skips the test where it is not installed. */
export type OpenEngine = (skip: Skip, window?: EngineWindow) => Promise<EnginePage>;

/** Actions of an engine's protocol that a page is made of. */
type Protocol = {
  open(url: string): Promise<void>;
  /** Runs a script, whose `text` is given, and answers what it returns. */
  evaluate(script: string, text?: string): Promise<unknown>;
  /** Writes a text in place of that of the element at an XPath; rejects where there is none. */
  write(xpath: string, text: string): Promise<void>;
  /** Clicks the element at an XPath; rejects where there is none, or it takes no clicks yet. */
  click(xpath: string): Promise<void>;
};

/** The page of an engine, by its protocol. */
export function enginePage({ open, evaluate, write, click }: Protocol): EnginePage {
  return {
    open,
    async says(text) {
      await expect
        .poll(() => evaluate("return document.body.innerText"), { timeout: 30_000 })
        .toContain(text);
    },
    textOf: async (selector) =>
      z.string().parse(await evaluate("return document.querySelector(text).textContent", selector)),
    type: (label, text) => eventually(() => write(fieldOf(label), text)),
    press: (name) => eventually(() => click(controlOf(name))),
    linesOf: async (text) => z.number().parse(await evaluate(LINES_OF, text)),
    faults: () => evaluate("return faults"),
  };
}

/** A script that notes the errors of a page from its first run on: no protocol has a way to begin before the page's own. */
export const WATCH = `
  if (!window.faults) {
    window.faults = [];
    addEventListener("error", (event) => faults.push(event.message));
    addEventListener("unhandledrejection", (event) => faults.push(String(event.reason)));
    addEventListener("securitypolicyviolation", (event) => faults.push(event.blockedURI));
  }
`;

/** A script that counts the lines of `text`. */
const LINES_OF = `
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    if (texts.currentNode.data !== text) continue;
    range.selectNodeContents(texts.currentNode);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  }
  return 0;
`;

/** XPath of the field of a label. */
function fieldOf(label: string): string {
  return `//*[@id = //label[starts-with(normalize-space(.), "${label}")]/@for]`;
}

/** XPath of a button or link by its name, or by the start of it. */
function controlOf(name: string): string {
  return `//*[self::button or self::a][not(@disabled or @aria-disabled = "true")][starts-with(normalize-space(.), "${name}") or @aria-label = "${name}"]`;
}

/** Repeats an action until the page allows it: what it is about may not be there yet, or may still move. */
function eventually(action: () => Promise<unknown>) {
  return expect
    .poll(() => action().then(() => "done", String), { timeout: 30_000, interval: 100 })
    .toBe("done");
}
