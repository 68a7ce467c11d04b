import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { listen } from "./listen.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".css": "text/css",
  ".woff2": "font/woff2",
  ".webp": "image/webp",
};

type Rule = { pattern: RegExp; headers: [string, string][] };

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll("*", ".*").replace(/:\w+/g, "[^/]+")}$`);

function readHeaders(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.split("\n")) {
    const [, name, value] = /^ {2}([\w-]+): (.*)$/.exec(line) ?? [];
    if (line.startsWith("/")) rules.push({ pattern: patternOf(line), headers: [] });
    else if (name && value) rules.at(-1)?.headers.push([name, value]);
  }
  return rules;
}

function readRedirects(text: string) {
  return text.split("\n").flatMap((line) => {
    const [from, to] = line.split(/\s+/);
    return from && to ? [{ pattern: patternOf(from), to }] : [];
  });
}

/** Serves a folder as a static host does, by the `_headers` and `_redirects` in it. */
export async function startStaticHost(folder: string) {
  const read = (name: string) => readFile(join(folder, name), "utf8");
  const rules = readHeaders(await read("_headers"));
  const redirects = readRedirects(await read("_redirects"));
  const missing = { name: "404.html", content: await readFile(join(folder, "404.html")) };
  const find = async (path: string) => {
    for (const name of [path, `${path}.html`, join(path, "index.html")]) {
      const content = await readFile(join(folder, normalize(name))).catch(() => null);
      if (content) return { name, content };
    }
    return null;
  };
  const server = createServer(async (incoming, response) => {
    const { pathname } = new URL(incoming.url ?? "/", "http://localhost");
    const other = redirects.find(({ pattern }) => pattern.test(pathname))?.to;
    const found = (await find(pathname)) ?? (other ? await find(other) : null);
    for (const { pattern, headers } of rules) {
      if (!pattern.test(pathname)) continue;
      for (const [name, value] of headers) {
        // A browser would not come back to this machine without TLS.
        if (name !== "strict-transport-security") response.setHeader(name, value);
      }
    }
    const { name, content } = found ?? missing;
    response.statusCode = found ? 200 : 404;
    response.setHeader("content-type", TYPES[extname(name)] ?? "application/octet-stream");
    response.end(content);
  });
  const port = await listen(server);
  return {
    url: `http://localhost:${port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
