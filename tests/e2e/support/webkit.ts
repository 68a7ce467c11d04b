import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { portOf } from "../../server/pgbouncer.ts";
import { endChild } from "../../server/program.ts";

/**
 * WebKit, the engine of every browser on an iPhone, as Debian has it (`webkit2gtk-driver`, `xvfb`), driven by the W3C's WebDriver
 * protocol (https://www.w3.org/TR/webdriver2/).
 */

/** An address of this machine's own, whose ports nobody else takes. */
const HOST = "127.83.12.31";
const DRIVER = "/usr/bin/WebKitWebDriver";
const SCREEN = "/usr/bin/Xvfb";
const BROWSERS = ["x86_64", "aarch64"].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`,
);

/** The protocol's name for a reference to an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Notes the errors of a page from the first question to it on: the protocol has no way to begin before its scripts. */
const WATCH = `
  if (!window.faults) {
    window.faults = [];
    addEventListener("error", (event) => faults.push(event.message));
    addEventListener("unhandledrejection", (event) => faults.push(String(event.reason)));
    addEventListener("securitypolicyviolation", (event) => faults.push(event.blockedURI));
  }
`;

const started = z.object({ value: z.object({ sessionId: z.string() }) });
const answered = z.object({ value: z.unknown() });
const found = z.object({ [ELEMENT]: z.string() });

/** A page of WebKit; each action waits until the page allows it. */
export type WebKitPage = {
  open(url: string): Promise<void>;
  /** Waits for a text of the page. */
  says(text: string): Promise<void>;
  /** Text of the first element of a selector. */
  textOf(selector: string): Promise<string>;
  /** Types into the field of a label. */
  type(label: string, text: string): Promise<void>;
  /** Presses a button, a link or a tab by its name, or by the start of it. */
  press(name: string): Promise<void>;
  /** Errors that no script of the page has caught, and breaches of its security policy. */
  faults(): Promise<unknown>;
};

/** Starts WebKit with a window as wide as a phone's or a computer's; skips the test where it is not installed. */
export async function openWebKit(
  skip: (reason: string) => void,
  { width = 390, height = 844 } = {},
): Promise<WebKitPage> {
  const binary = BROWSERS.find(existsSync);
  if (binary === undefined || !existsSync(DRIVER) || !existsSync(SCREEN)) {
    const reason = "Debian's webkit2gtk-driver and xvfb are not installed";
    process.stdout.write(`Skipped: ${reason}.\n`);
    skip(reason);
  }
  const port = await portOf(HOST);
  const display = await startScreen();
  const driver = spawn(DRIVER, [`--host=${HOST}`, `--port=${port}`], {
    // Texts follow the languages of the system; the sandbox needs rights that a container has not.
    env: {
      ...process.env,
      DISPLAY: `:${display}`,
      LC_ALL: "C.UTF-8",
      LANGUAGE: "fr",
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    },
    stdio: "ignore",
  });
  onTestFinished(() => endChild(driver, "SIGTERM"));
  const at = `http://${HOST}:${port}`;
  const call = async (path: string, body?: object) => {
    const response = await fetch(at + path, {
      method: body ? "POST" : "GET",
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  await expect
    .poll(
      () =>
        call("/status").then(
          () => true,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true);
  const capabilities = {
    alwaysMatch: { "webkitgtk:browserOptions": { binary, args: ["--automation"] } },
  };
  const { sessionId } = started.parse(await call("/session", { capabilities })).value;
  const session = `/session/${sessionId}`;
  onTestFinished(async () => {
    await fetch(at + session, { method: "DELETE" });
  });
  await call(`${session}/window/rect`, { width, height });

  const evaluate = async (script: string, args: readonly unknown[] = []) => {
    const body = { script: WATCH + script, args };
    return answered.parse(await call(`${session}/execute/sync`, body)).value;
  };
  const find = async (value: string) => {
    const answer = answered.parse(await call(`${session}/element`, { using: "xpath", value }));
    return `${session}/element/${found.parse(answer.value)[ELEMENT]}`;
  };
  /** Repeats an action until the page allows it: what it is about may not be there yet, or may still move. */
  const eventually = (action: () => Promise<unknown>) =>
    expect
      .poll(() => action().then(() => "done", String), { timeout: 30_000, interval: 100 })
      .toBe("done");
  return {
    async open(url) {
      await call(`${session}/url`, { url });
    },
    async says(text) {
      await expect
        .poll(() => evaluate("return document.body.innerText"), { timeout: 30_000 })
        .toContain(text);
    },
    textOf: async (selector) =>
      z
        .string()
        .parse(
          await evaluate("return document.querySelector(arguments[0]).textContent", [selector]),
        ),
    type: (label, text) =>
      eventually(async () => {
        const field = await find(
          `//*[@id = //label[starts-with(normalize-space(.), ${quoted(label)})]/@for]`,
        );
        await call(`${field}/clear`, {});
        await call(`${field}/value`, { text });
      }),
    press: (name) =>
      eventually(async () => {
        const control = await find(
          `//*[self::button or self::a][not(@disabled or @aria-disabled = "true")][starts-with(normalize-space(.), ${quoted(name)}) or @aria-label = ${quoted(name)}]`,
        );
        await call(`${control}/click`, {});
      }),
    faults: () => evaluate("return faults"),
  };
}

/** A text in XPath. */
function quoted(text: string): string {
  return `"${text}"`;
}

/** Starts a screen that nobody sees; answers its number. */
async function startScreen(): Promise<string> {
  const screen = spawn(
    SCREEN,
    ["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  onTestFinished(() => endChild(screen, "SIGTERM"));
  const [number] = await once(createInterface(screen.stdout), "line");
  return z.string().parse(number);
}
