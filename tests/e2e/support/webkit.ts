import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { type Skip, skipAloud } from "../../harness/skip-aloud.ts";
import { portOf } from "../../server/pgbouncer.ts";
import { endChild } from "../../server/program.ts";
import { type EnginePage, type EngineWindow, enginePage, WATCH } from "./engine-page.ts";

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

const started = z.object({ value: z.object({ sessionId: z.string() }) });
const answered = z.object({ value: z.unknown() });
const found = z.object({ [ELEMENT]: z.string() });

/** Starts WebKit with a window as wide as a phone's or a computer's; skips the test where it is not installed. */
export async function openWebKit(
  skip: Skip,
  { width = 390, height = 844 }: EngineWindow = {},
): Promise<EnginePage> {
  const binary = BROWSERS.find(existsSync);
  if (binary === undefined || !existsSync(DRIVER) || !existsSync(SCREEN)) {
    skipAloud(skip, "Debian's webkit2gtk-driver and xvfb are not installed");
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

  const find = async (value: string) => {
    const answer = answered.parse(await call(`${session}/element`, { using: "xpath", value }));
    return `${session}/element/${found.parse(answer.value)[ELEMENT]}`;
  };
  return enginePage({
    async open(url) {
      await call(`${session}/url`, { url });
    },
    async evaluate(script, text = "") {
      const body = { script: `${WATCH} const text = arguments[0]; ${script}`, args: [text] };
      return answered.parse(await call(`${session}/execute/sync`, body)).value;
    },
    async write(xpath, text) {
      const field = await find(xpath);
      await call(`${field}/clear`, {});
      await call(`${field}/value`, { text });
    },
    async click(xpath) {
      await call(`${await find(xpath)}/click`, {});
    },
  });
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
