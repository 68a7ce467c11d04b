import { readFile } from "node:fs/promises";
import { createContext, runInContext } from "node:vm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ROOT } from "../../server/root.ts";

const ORIGIN = "https://jeu.exemple.fr";
const TIMEOUT_MS = 6000;

const WORKERS = [
  { file: "kept-worker.js", path: "/c/bertille/gain" },
  { file: "till-worker.js", path: "/encaisser" },
];

const sources = new Map<string, string>();
for (const { file } of WORKERS) {
  sources.set(file, await readFile(new URL(`web/public/${file}`, ROOT), "utf8"));
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Fetched = {
  request: { method: string; mode: string; url: string };
  preloadResponse: Promise<undefined>;
  respondWith: (answer: Promise<Response>) => void;
};

/** Answer of a worker to a page's address; `kept` is the page that the phone has put away. */
function answerTo(
  { file, path }: { file: string; path: string },
  { network, kept }: { network: () => Promise<Response>; kept: Response | undefined },
): Promise<Response> {
  const listeners: Record<string, (event: Fetched) => void> = {};
  const worker = createContext({
    URL,
    setTimeout,
    fetch: network,
    caches: { match: async () => kept },
    self: {
      location: { origin: ORIGIN },
      addEventListener: (name: string, listener: (event: Fetched) => void) => {
        listeners[name] = listener;
      },
    },
  });
  runInContext(sources.get(file) ?? "", worker);
  return new Promise((resolve, reject) => {
    listeners.fetch?.({
      request: { method: "GET", mode: "navigate", url: `${ORIGIN}${path}` },
      preloadResponse: Promise.resolve(undefined),
      respondWith: (answer) => void answer.then(resolve, reject),
    });
  });
}

const page = (text: string, status = 200) => new Response(text, { status });

it.each(WORKERS)("$file shows what the network answers, refusals too", async (worker) => {
  for (const status of [200, 404]) {
    const network = async () => page("fresh", status);
    const answer = await answerTo(worker, { network, kept: page("kept") });
    expect(await answer.text()).toBe("fresh");
  }
});

it.each(WORKERS)(
  "$file shows the kept page where a proxy has no server behind it",
  async (worker) => {
    for (const status of [500, 502, 503, 504]) {
      const network = async () => page("Bad Gateway", status);
      const answer = await answerTo(worker, { network, kept: page("kept") });
      expect(await answer.text()).toBe("kept");
    }
  },
);

it.each(WORKERS)(
  "$file shows the kept page without network, and when it sleeps",
  async (worker) => {
    const network = () => Promise.reject(new TypeError("Failed to fetch"));
    expect(await (await answerTo(worker, { network, kept: page("kept") })).text()).toBe("kept");
    const asleep = answerTo(worker, { network: () => new Promise(() => {}), kept: page("kept") });
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(await (await asleep).text()).toBe("kept");
  },
);

it.each(WORKERS)("$file hands on a fault where nothing is kept", async (worker) => {
  const network = async () => page("Bad Gateway", 502);
  const answer = await answerTo(worker, { network, kept: undefined });
  expect(answer.status).toBe(502);
});
