import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { type RawData, WebSocket } from "ws";
import { z } from "zod";
import { type Skip, skipAloud } from "../../harness/skip-aloud.ts";
import { endChild } from "../../server/program.ts";
import { type EnginePage, type EngineWindow, enginePage, WATCH } from "./engine-page.ts";

/** Firefox as Debian has it (`firefox-esr`), driven by the W3C's WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/). */

const BROWSER = "/usr/bin/firefox-esr";

/** Settings of a profile: the language that pages are asked for in, and nothing that Firefox fetches for itself. */
const SETTINGS = `
user_pref("intl.accept_languages", "fr-FR, fr");
user_pref("app.normandy.enabled", false);
user_pref("browser.safebrowsing.downloads.remote.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");
`;

/** A script that says whether an element takes a click where it stands: nothing lies over it, and it has stopped moving. */
const TAKES_CLICKS = `
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(x + width / 2, y + height / 2);
  const moves = element.getAnimations().some((animation) => animation.playState === "running");
  return !moves && hit !== null && element.contains(hit);
`;

const answer = z.union([
  z.object({ type: z.literal("success"), id: z.number(), result: z.unknown() }),
  z.object({ type: z.literal("error"), id: z.number(), error: z.string(), message: z.string() }),
  z.object({ type: z.literal("event") }),
]);
const tree = z.object({ contexts: z.tuple([z.object({ context: z.string() })], z.unknown()) });
const located = z.object({ nodes: z.array(z.object({ sharedId: z.string() })) });
const evaluated = z.object({ type: z.literal("success"), result: z.object({ value: z.string() }) });

/** Starts Firefox with a page as wide as a phone or a computer; skips the test where it is not installed. */
export async function openFirefox(
  skip: Skip,
  { width = 390, height = 844 }: EngineWindow = {},
): Promise<EnginePage> {
  if (!existsSync(BROWSER)) skipAloud(skip, "Debian's firefox-esr is not installed");
  const call = await startFirefox();
  await call("session.new", { capabilities: {} });
  const { contexts } = tree.parse(await call("browsingContext.getTree", {}));
  const { context } = contexts[0];
  await call("browsingContext.setViewport", { context, viewport: { width, height } });

  /** Runs a script with an element and a text; its answer comes as JSON. */
  const run = async (script: string, element: object = { type: "null" }, text = "") => {
    const told = await call("script.callFunction", {
      functionDeclaration: `(element, text) => { ${WATCH} return JSON.stringify((() => { ${script} })() ?? null); }`,
      arguments: [element, { type: "string", value: text }],
      target: { context },
      awaitPromise: false,
    });
    const found: unknown = JSON.parse(evaluated.parse(told).result.value);
    return found;
  };
  const find = async (value: string) => {
    const locator = { type: "xpath", value };
    const { nodes } = located.parse(
      await call("browsingContext.locateNodes", { context, locator, maxNodeCount: 1 }),
    );
    if (!nodes[0]) throw new Error(`Nothing is ${value}`);
    return { sharedId: nodes[0].sharedId };
  };
  return enginePage({
    async open(url) {
      await call("browsingContext.navigate", { context, url, wait: "complete" });
    },
    evaluate: (script, text) => run(script, undefined, text),
    async write(xpath, text) {
      await run("element.focus(); element.select();", await find(xpath));
      const keys = [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      const actions = [{ type: "key", id: "keyboard", actions: keys }];
      await call("input.performActions", { context, actions });
    },
    async click(xpath) {
      const element = await find(xpath);
      if (!(await run(TAKES_CLICKS, element)))
        throw new Error(`No clicks are taken yet by ${xpath}`);
      const actions = [
        { type: "pointerMove", x: 0, y: 0, origin: { type: "element", element } },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      const pointer = { type: "pointer", id: "mouse", actions };
      await call("input.performActions", { context, actions: [pointer] });
    },
  });
}

/** Sends a command of the protocol; rejects with its error. */
type Call = (method: string, params: object) => Promise<unknown>;

/** Starts Firefox on a profile of its own, and connects to it. */
async function startFirefox(): Promise<Call> {
  const profile = await mkdtemp(join(tmpdir(), "tournavis-firefox-"));
  onTestFinished(() => rm(profile, { recursive: true, force: true }));
  await writeFile(join(profile, "user.js"), SETTINGS);
  const browser = spawn(
    BROWSER,
    ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
    { env: { ...process.env, HOME: profile }, stdio: ["ignore", "ignore", "pipe"] },
  );
  onTestFinished(() => endChild(browser, "SIGTERM"));
  const socket = new WebSocket(`${await addressOf(browser)}/session`);
  await once(socket, "open");
  let sent = 0;
  return (method, params) => {
    sent += 1;
    const id = sent;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      const listen = (data: RawData) => {
        const told = answer.parse(JSON.parse(String(data)));
        if (told.type === "event" || told.id !== id) return;
        socket.off("message", listen);
        if (told.type === "success") resolve(told.result);
        else reject(new Error(`${method}: ${told.error}, ${told.message}`));
      };
      socket.on("message", listen);
      socket.once("close", () => reject(new Error(`${method}: Firefox is gone`)));
    });
  };
}

/** Where a Firefox listens, which it says once it does. */
async function addressOf({ stderr }: ChildProcessByStdio<null, null, Readable>): Promise<string> {
  let address: string | undefined;
  for await (const line of createInterface(stderr)) {
    address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (address) break;
  }
  // Lines that follow are let go: a full pipe would make Firefox wait.
  stderr.resume();
  if (!address) throw new Error("Firefox ended before it listened");
  return address;
}
