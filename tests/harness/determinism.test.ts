import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/**
 * A test answers the same at every hour, on every machine and in every order. Only files that are listed here, each
 * with its reason, use the clock, chance or the speed of the machine.
 */

const root = fileURLToPath(new URL("../../", import.meta.url));

type Way = { pattern: RegExp; instead: string; reasons: Readonly<Record<string, string>> };

const WAYS: Readonly<Record<string, Way>> = {
  "the machine's clock": {
    pattern: /\bDate\.now\(\)|\bnew Date\(\)|\bperformance\.now\(\)/,
    instead: "a fixed instant, a fake clock, or `secondsFromNow` of tests/harness/clock.ts",
    reasons: {
      "tests/harness/clock.ts": "the one home of moments that the database compares with its own",
      "tests/chaos/crowd.ts": "gives up after its patience, and says when it was answered",
      "tests/chaos/run.ts": "measures how long nobody is answered",
      "tests/harness/mailbox.ts": "gives up after its patience",
      "tests/database/support/waiting.ts": "gives up after its patience",
      "tests/run.ts": "tells how long a step took",
      "tests/e2e/sign-in.test.ts": "sets a page's clock hours off",
      "tests/e2e/support/clock.ts": "stops a page's clock a minute ahead",
      "tests/conformance/support/service.ts": "the service's clock begins at an edge of 30 seconds",
      "tests/conformance/client-state.test.ts": "measures pauses, which are never shorter",
      "tests/conformance/enumeration.test.ts": "compares durations, many of them",
      "tests/e2e/hasty-thumb.test.ts": "waits at least so long, with animations at a standstill",
      "tests/e2e/slow-phone.test.ts": "waits at least so long",
      "tests/e2e/wheel-motion.test.ts": "measures a turn, which is never shorter",
      "tests/server/database-loss.test.ts": "prints how soon the first refusal comes",
      "tests/server/failover.test.ts": "measures how long a promotion takes to show",
      "tests/server/http-server.test.ts":
        "tells an end of its own from one after 10 and 30 seconds",
      "tests/server/outbox.test.ts": "tells a stop from one that waits for ever",
      "tests/server/pages.test.ts": "asks after a second, before which nothing is promised",
      "web/lib/input/unsaved-input.test.ts": "a fake clock",
    },
  },
  "time that passes": {
    pattern: /\bwaitForTimeout\(|\bsetTimeout as\b|\bsetTimeout\(/,
    instead: "wait for what is to come (`waitFor`, `expect.poll`), or move a fake clock",
    reasons: {
      "tests/chaos/crowd.ts": "asks again where nobody answers",
      "tests/chaos/processes.ts": "waits for a process to be gone",
      "tests/chaos/run.ts": "strikes at any moment, drawn from the seed",
      "tests/harness/mailbox.ts": "asks again until a mail is there",
      "tests/server/cut-connections.test.ts": "cuts at any moment, drawn from the seed",
      "tests/server/http-server.test.ts": "ends a connection that nobody answers, to fail at all",
      "tests/server/kill.test.ts": "kills at any moment",
      "tests/server/slow-readers.test.ts": "is a reader who takes time",
      "supabase/functions/_shared/http/send-to.test.ts": "a fake clock",
    },
  },
  chance: {
    pattern: /\bMath\.random\(|\brandomInt\(/,
    instead: "the seed (`fast-check`), a serial number, or a name of `randomUUID`",
    reasons: {
      "tests/run.ts": "draws the seed of a deep run, and prints it",
      "tests/server/kill.test.ts": "kills at any moment",
    },
  },
  "a day on which a plan ends": {
    pattern: /\b(?:current_period_end|trial_end|past_due_since|closed_at)\s*=\s*'20[2-4]\d-/,
    instead: "`daysFromNow` of tests/harness/fixtures.ts, or a year that no test sees",
    reasons: {},
  },
  "a port that may be taken": {
    pattern: /\bfreePort\b|\bgetPort\b|\.listen\(\s*(?:[1-9]|port\b)/,
    instead: "listen on port 0, and ask which it is",
    reasons: {
      "tests/harness/line.ts": "opens again where it was, on an address of its own",
    },
  },
  "a clock by which the server in the same process watches its database": {
    pattern: /startTestServer[\s\S]*useFakeTimers\((?:\)|[^)]*"setInterval")/,
    instead: "run the callback of the one interval that is meant",
    reasons: {},
  },
  "a focus that may come a moment later": {
    pattern: /expect\(\s*await [^;]*?=== document\.activeElement/,
    instead: "`waitForFocus` of tests/e2e/support/keyboard.ts",
    reasons: {},
  },
};

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(`${root}${folder}`, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length));
}

it.each(Object.entries(WAYS))("no test depends on %s but for a reason", async (_, way) => {
  const elsewhere = await Promise.all(["web", "server", "supabase/functions"].map(sources));
  const files = [
    ...(await sources("tests")).filter((file) => !import.meta.url.endsWith(file)),
    ...elsewhere.flat().filter((file) => /\.test\.tsx?$/.test(file)),
  ];
  const found: string[] = [];
  for (const file of files) {
    // A file may move from one suite to the other.
    const name = file.replace(".deep.test.", ".test.");
    if (way.pattern.test(await readFile(root + file, "utf8"))) found.push(name);
  }
  expect(found.sort(), `instead: ${way.instead}`).toEqual(Object.keys(way.reasons).sort());
});
