import { chromium, type Request } from "playwright-core";
import { ensureChromium } from "../tests/harness/chromium.ts";
import type { BenchApp } from "./bench-app.ts";
import { row, say, table } from "./report.ts";

/** One file that a page fetched. */
type Fetched = {
  url: string;
  kind: string;
  /** Compressed body, in bytes. */
  bytes: number;
  headerBytes: number;
  isLater: boolean;
};

/**
 * Weighs a phone's downloads for the first step of the two pages, in Chromium, compressed with
 * gzip: first the files of that step, then those fetched quietly for the next ones.
 */
export async function benchWeight(app: BenchApp): Promise<void> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
  try {
    for (const path of ["/c/banc-7/review", "/c/banc-7/play?entry=libre"]) {
      const context = await browser.newContext({
        viewport: { width: 390, height: 844 },
        locale: "fr-FR",
        extraHTTPHeaders: { "accept-encoding": "gzip" },
      });
      const page = await context.newPage();
      const files: Promise<Fetched>[] = [];
      page.on("requestfinished", (request) => files.push(describe(request)));
      await page.goto(`${app.url}${path}`, { waitUntil: "networkidle" });
      report(path, await Promise.all(files), app.url);
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

async function describe(request: Request): Promise<Fetched> {
  const sizes = await request.sizes();
  const headers = await request.allHeaders();
  return {
    url: request.url(),
    kind: request.resourceType(),
    bytes: sizes.responseBodySize,
    headerBytes: sizes.responseHeadersSize,
    // Chromium names what a page only announces: <link rel="prefetch">.
    isLater: headers["sec-purpose"] === "prefetch" || headers.purpose === "prefetch",
  };
}

function report(path: string, files: Fetched[], origin: string): void {
  const first = files.filter(({ isLater }) => !isLater);
  const later = files.filter(({ isLater }) => isLater);
  const kilobytes = (some: Fetched[]) =>
    (some.reduce((sum, { bytes }) => sum + bytes, 0) / 1000).toFixed(1);
  say(`\n${path}: first load, gzip`);
  table(
    ["", "kB"],
    [
      ...first.map((file) => row(file.url.replace(origin, ""), kilobytes([file]))),
      row("JavaScript", kilobytes(first.filter(({ kind }) => kind === "script"))),
      row(`everything (${first.length} requests)`, kilobytes(first)),
      row(
        "response headers, beside",
        (first.reduce((sum, { headerBytes }) => sum + headerBytes, 0) / 1000).toFixed(1),
      ),
      row(`fetched for later steps (${later.length} requests)`, kilobytes(later)),
      row("third parties", String(files.filter(({ url }) => !url.startsWith(origin)).length)),
    ],
  );
}
