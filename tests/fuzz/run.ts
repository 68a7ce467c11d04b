import fc from "fast-check";
import { z } from "zod";
import { readCatalog } from "./catalog.ts";
import { type BadRequest, badRequests, type Surface } from "./requests.ts";
import { type RawAnswer, send } from "./send.ts";
import { type Change, watchRows } from "./watch-rows.ts";
import { createWorld, fill, type Target } from "./world.ts";

/** Requests that share a world: enough of them wear its sessions and its limits out. */
const REQUESTS_A_WORLD = 150;

/** A rule that an answer broke. */
type Finding = {
  /** Which request of the run it was, from 0. */
  index: number;
  rule: string;
  request: BadRequest;
  status: number;
  answer: string;
};

/** Observations of a run. */
type Outcome = {
  requests: number;
  /** Answers of each surface, by the hundred of their status: `{ data: { 2: 310, 4: 1204 } }`. */
  statuses: Record<Surface, Record<string, number>>;
  findings: Finding[];
};

/** The program's insides, in any answer. */
const INSIDES =
  /node_modules|\bat .{1,80}\.[jt]s:\d+|\.ts:\d+:\d+|TypeError|ReferenceError|SyntaxError|RangeError|PostgresError|Cannot read propert|is not a function|is not iterable|undefined is not|\[object Object\]|ECONNREFUSED/;

/**
 * The database's words. The data API alone has them: PostgREST answers with PostgreSQL's messages. (« new row violates
 * row-level security policy » is also the storage protocol's own text.)
 */
const DATABASE =
  /SQLSTATE|pg_catalog|postgres|syntax error at|relation "|violates (?!row-level security policy"})|duplicate key|invalid input syntax|invalid byte sequence/i;

/** Forms of refusals: what a program reads of them. */
const forms: Readonly<Partial<Record<Surface, z.ZodType>>> = {
  functions: z.object({ error: z.object({ code: z.string(), message: z.string() }) }),
  // The root of the data API has a message alone.
  data: z.object({ message: z.string() }),
  auth: z.union([
    z.object({ code: z.union([z.string(), z.number()]) }),
    // Of a token's exchange, as OAuth has it.
    z.object({ error: z.string(), error_description: z.string() }),
  ]),
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The rules that an answer breaks. */
function judge(request: BadRequest, answer: RawAnswer, changes: readonly Change[]): string[] {
  const { status, text, contentType } = answer;
  const broken: string[] = [];
  if (status >= 500) broken.push(`answered ${status}`);
  if (status >= 400) {
    const tables = [...new Set(changes.map(({ name }) => name))];
    if (tables.length > 0) broken.push(`refused, and changed ${tables.join(", ")}`);
    const form = forms[request.surface];
    // HTTP itself refuses a target that is no address at all.
    const isAsked = request.method !== "HEAD" && !(status === 400 && text === "");
    if (form && isAsked && !(isJson(text) && form.safeParse(JSON.parse(text)).success)) {
      broken.push("a refusal without a code");
    }
    const isProgram = contentType.includes("html") && request.surface === "pages";
    if (!isProgram && INSIDES.test(text)) broken.push("tells of the program's insides");
    if (!isProgram && request.surface !== "data" && DATABASE.test(text)) {
      broken.push("tells of the database");
    }
  }
  return broken;
}

/** An address of the internet for each request: limits of one are tried elsewhere. */
function addressOf(index: number): string {
  return [10, (index >> 16) & 255, (index >> 8) & 255, index & 255].join(".");
}

/**
 * Sends so many bad requests, one after the other, and judges each answer: no failure of the server, no row changed by
 * what was refused, nothing of the program's insides. A seed means the same requests on any machine.
 */
export async function fuzz(
  target: Target,
  options: { seed: number; count: number; onProgress?: (done: number) => void },
): Promise<Outcome> {
  const { seed, count, onProgress } = options;
  const catalog = await readCatalog(target.sql);
  const requests = fc.sample(badRequests(catalog), { seed, numRuns: count });
  const changesOf = await watchRows(target.sql);
  const outcome: Outcome = {
    requests: count,
    statuses: { functions: {}, data: {}, auth: {}, storage: {}, pages: {} },
    findings: [],
  };
  let world = await createWorld(target);
  for (const [index, request] of requests.entries()) {
    if (index % REQUESTS_A_WORLD === 0) {
      if (index > 0) world = await createWorld(target);
      await changesOf(request.surface);
      onProgress?.(index);
    }
    const { surface, who, method, path, headers, body } = request;
    const asked = {
      method,
      path: fill(path, world.names),
      headers: { ...headers, "x-forwarded-for": addressOf(index), ...world.headers[who] },
      body: body === null ? null : fill(body, world.names),
    };
    const answer = await send(target.url, asked).catch((error: unknown) => ({
      status: 599,
      contentType: "",
      text: String(error),
    }));
    await target.settled();
    const changes = await changesOf(surface);
    const hundred = String(Math.floor(answer.status / 100));
    outcome.statuses[surface][hundred] = (outcome.statuses[surface][hundred] ?? 0) + 1;
    for (const rule of judge(request, answer, changes)) {
      const { status, text } = answer;
      outcome.findings.push({
        index,
        rule,
        request: { ...request, ...asked },
        status,
        answer: text.slice(0, 500),
      });
    }
  }
  return outcome;
}

/** A finding, with all that it takes to fix it: the request and the response. */
export function describeFinding({ index, rule, request, status, answer }: Finding): string {
  const { who, method, path, headers, body } = request;
  const shown = Object.entries(headers)
    .filter(([name]) => name !== "authorization" && name !== "apikey")
    .map(([name, value]) => `${name}: ${value}`);
  return [
    `#${index} ${rule}`,
    `  ${who}: ${method} ${path.slice(0, 400)}`,
    `  ${shown.join(" | ")}`,
    ...(body === null ? [] : [`  ${JSON.stringify(body.slice(0, 400))}`]),
    `  → ${status} ${answer}`,
  ].join("\n");
}
