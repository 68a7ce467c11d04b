import { errorCopy } from "#domain/errors/errors.copy.ts";
import { type ErrorCode, errorStatus } from "#domain/errors/errors.ts";
import { typeset } from "#domain/text/typeset.ts";
import { beginApiRequest, presentedKey } from "../../supabase/functions/_shared/http/api-key.ts";
import { apiKeyIdOf, apiTokenClaims } from "../../supabase/functions/_shared/http/api-token.ts";
import { bearerToken } from "../../supabase/functions/_shared/http/bearer.ts";
import type { Deps } from "../../supabase/functions/_shared/http/deps.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { isSameText } from "../../supabase/functions/_shared/http/same-text.ts";
import type { Secrets } from "../config/secrets.ts";
import { createAccountQueue } from "../data-api/account-queue.ts";
import { type Asker, askerOfClaims, readAsker } from "../data-api/claims.ts";
import { createExecutor, ROOT } from "../data-api/executor.ts";
import { asFollowed } from "../data-api/preferences.ts";
import type { Asked } from "../data-api/question.ts";
import type { Log } from "../log.ts";
import type { Platform } from "../supabase-lite/platform.ts";
import { refined, refusalResponse } from "../supabase-lite/refusals.ts";
import type { Tokens } from "../tokens/tokens.ts";

/** How long the token holds that takes a key's place within this process, in seconds. */
const INNER_TOKEN_S = 60;

/** `Retry-After` of a refusal, in seconds. */
const RETRY_S = 5;

/** Where a request comes from. */
type Origin = {
  /** Address of its client; asked for where it counts. */
  address: () => string;
  /** Its identifier, as the answer and the log have it. */
  requestId: string | undefined;
};

/** Answers `rest/v1`. */
export type DataApi = (request: Request, origin: Origin) => Promise<Response>;

type DataApiOptions = Pick<Deps, "sql" | "keyedHash" | "now" | "databaseFailed"> & {
  /** Comes a moment after the server: its library loads in the background. */
  platform: Promise<Platform>;
  secrets: Pick<Secrets, "publishableKey" | "secretKey">;
  tokens: Pick<Tokens, "check" | "lend">;
  /** Whether our own executor answers what it can, and not the library: asked at each request, for tests that compare them. */
  isExecuting?: () => boolean;
  log: Log;
};

/**
 * The data API, which takes keys of organisations besides the platform's own: each request of one is
 * counted, and goes on with a token that names the key, so that policies know whose it is
 * (docs/decisions/027-api-keys.md). Whether the key counts, SQL asks again at each statement.
 *
 * A client with nothing but the public key could read and call nothing: it is refused before the library takes
 * their request apart, which can keep everybody waiting for seconds (docs/decisions/046-limits-on-anonymous-requests.md).
 */
export function createDataApi(options: DataApiOptions): DataApi {
  const { secrets, tokens, now, isExecuting = () => true } = options;
  const started = options.platform.then((platform) => ({
    platform,
    execute: createExecutor({
      ...platform,
      onFailure: (error) =>
        options.log({ event: "data_failed", level: "error", code: errorCode(error) }),
    }),
  }));
  // The requests that need it report it.
  started.catch(() => undefined);
  const queue = createAccountQueue();

  const answered = async (request: Request, asker: Asker | null, address: Origin["address"]) => {
    // The library answers with a dummy description, without checking the token.
    if (!asker && new URL(request.url).pathname === ROOT) {
      return answer("PGRST301", "JWT could not be verified", 401);
    }
    const { platform, execute } = await started;
    const asked = once(asPreferred(request), () => options.keyedHash("network address", address()));
    const executed = asker && isExecuting() ? await execute(asked, asker) : null;
    return executed ?? platform.data(withAddress(asked.request(), asked.address));
  };

  const enqueued = async (...[request, asker, address]: Parameters<typeof answered>) => {
    const account = accountOf(request, asker, tokens);
    if (account === null) return answered(request, asker, address);
    const answering = queue.run(account, () => answered(request, asker, address));
    return answering ?? answer("PGRST003", "Too many requests of this account wait", 429, RETRY_S);
  };

  const ask = async (request: Request, asker: Asker | null, { address, requestId }: Origin) => {
    const response =
      refuseUnreadable(request) ?? (await enqueued(request, asker, address).catch(unlessNested));
    return refined(withShortLocation(response), ({ status, code }) => {
      // The watch over the database logs that, once.
      if (status === 503) {
        options.databaseFailed?.(Object.assign(new Error("database refused"), { code }));
        return;
      }
      options.log({
        event: "data_refused",
        ...(status >= 500 && { level: "error" }),
        id: requestId,
        status,
        code,
      });
    });
  };

  return async (asked, origin) => {
    if (!METHODS.has(asked.method)) {
      return answer("PGRST117", `Unsupported HTTP method: ${asked.method}`, 405);
    }
    // The carrier of the answer leaves its body out.
    const request = asked.method === "HEAD" ? new Request(asked, { method: "GET" }) : asked;
    const asker = askerOf(request, options);
    const by = asker && !("api_key_id" in asker.claims) ? null : keyOf(request, options);
    if (!by) return refuseUnread(request, options) ?? ask(request, asker, origin);
    const begun = await beginApiRequest(options, by, origin.address());
    if (!begun.ok) return refusal(begun.code, begun.retryAfter);
    const claims = apiTokenClaims(begun.keyId, { now: now(), seconds: INNER_TOKEN_S });
    const headers = new Headers(request.headers);
    headers.set("apikey", secrets.publishableKey);
    headers.set("authorization", `Bearer ${tokens.lend(claims)}`);
    const inner = new Request(request, { headers });
    return ask(inner, askerOfClaims(claims), origin);
  };
}

/** Methods of PostgREST: of others, such as TRACE, no request can be made anew. */
const METHODS = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]);

/** Longest address that an answer repeats: proxies take 4 kB of headers, and answer 502 beyond that. */
const LOCATION_MAX_LENGTH = 2_000;

/** An answer without an address of its rows that is as long as a list of identifiers. */
function withShortLocation(response: Response): Response {
  const location = response.headers.get("content-location") ?? "";
  if (location.length <= LOCATION_MAX_LENGTH) return response;
  const headers = new Headers(response.headers);
  headers.delete("content-location");
  return new Response(response.body, { status: response.status, headers });
}

/** Programs that the secret key is refused to. */
const BROWSER = /^\s*Mozilla/i;

/**
 * Asker of a request that plainly identifies one; null leaves it to the library to find out, or to
 * name the error.
 */
function askerOf(request: Request, { secrets, tokens }: DataApiOptions): Asker | null {
  const { headers } = request;
  const key = headers.get("apikey");
  const isSecret = key !== null && isSameText(key, secrets.secretKey);
  if (!isSecret && key !== secrets.publishableKey) return null;
  if (isSecret && BROWSER.test(headers.get("user-agent") ?? "")) return null;
  const bearer = bearerToken(request);
  if (isSecret && (bearer === null || bearer === key)) {
    return { role: "service_role", claims: { role: "service_role" } };
  }
  return bearer === null ? null : readAsker(tokens, bearer);
}

/** Account, or API key, that a request acts for; null for anonymous requests, and for the service itself. */
function accountOf(
  request: Request,
  asker: Asker | null,
  tokens: Pick<Tokens, "check">,
): string | null {
  const bearer = bearerToken(request);
  const { sub, api_key_id: keyId } =
    (asker ?? (bearer === null ? null : readAsker(tokens, bearer)))?.claims ?? {};
  return [keyId, sub].find((name) => typeof name === "string") ?? null;
}

/** A request whose body is read once, for either implementation. */
function once(request: Request, address: () => string): Asked & { request(): Request } {
  let read: string | null = null;
  const { method, url, headers } = request;
  return {
    method,
    url: new URL(url),
    headers,
    address,
    body: async () => {
      read ??= await request.text();
      return read;
    },
    request: () =>
      read === null ? request : new Request(url, { method, headers, ...(read && { body: read }) }),
  };
}

/** A request with its preferences as they are followed here. */
function asPreferred(request: Request): Request {
  const prefer = request.headers.get("prefer");
  const kept = prefer && asFollowed(prefer);
  if (kept === prefer) return request;
  const headers = new Headers(request.headers);
  if (kept) headers.set("prefer", kept);
  else headers.delete("prefer");
  return new Request(request, { headers });
}

/** A call of a function with the client's address, which limits count: its keyed hash replaces the client's header. */
function withAddress(request: Request, address: () => string): Request {
  if (request.method !== "POST" || !new URL(request.url).pathname.includes("/rpc/")) return request;
  const headers = new Headers(request.headers);
  headers.set("x-forwarded-for", address());
  return new Request(request, { headers });
}

/** The key that a request brings, or that its token was exchanged for; null for all other requests. */
function keyOf(
  request: Request,
  { tokens }: DataApiOptions,
): { key: string } | { keyId: string } | null {
  const key = presentedKey(request);
  if (key) return { key };
  const bearer = bearerToken(request);
  const keyId = bearer ? apiKeyIdOf(tokens.check(bearer)) : null;
  return keyId ? { keyId } : null;
}

/** Form of a signed token, whose signature the library verifies before anything else. */
const SIGNED = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Most brackets of an address: the library's time for filters within filters grows with their square. */
const MAX_BRACKETS = 50;

/** The answer to what is refused without being read; null for what the platform answers. */
function refuseUnread(request: Request, { secrets }: DataApiOptions): Response | null {
  if (request.method === "OPTIONS") return null;
  const bearer = bearerToken(request);
  const isSigned = bearer !== null && SIGNED.test(bearer);
  const isOurs = [bearer, request.headers.get("apikey")].includes(secrets.secretKey);
  if (!isSigned && !isOurs) return answer("42501", "permission denied", 401);
  // No client of ours sends tables as text, and parsing one would delay every other request.
  if (/csv/i.test(request.headers.get("content-type") ?? "")) {
    return answer("PGRST102", "Content-Type not acceptable: text/csv", 415);
  }
  const { search } = new URL(request.url);
  const brackets = search.split(/\(|%28/i).length - 1;
  return brackets > MAX_BRACKETS ? answer("PGRST100", "too many conditions", 400) : null;
}

/** The answer to a body whose values lie so deep in each other that nothing here can follow; other failures stay. */
function unlessNested(error: unknown): Response {
  if (!(error instanceof RangeError)) throw error;
  return answer("PGRST102", "Empty or invalid json", 400);
}

/** Relation that the path names, or after `rpc/` a function. */
const NAMED = /^\/rest\/v1\/(rpc\/)?([^/]+)$/;

/** A filter by a regular expression with a reference to a part of itself, which can take PostgreSQL exponential time. */
const REFERS_BACK = /\bi?match\b.*\\[1-9]/s;

/** Names that the schema can have. The library fails at others instead of not finding them. */
const NAME = /^[a-z_][a-z0-9_]*$/i;

/** The answer to an address at which the library fails instead of refusing it; null for everything else. */
function refuseUnreadable(request: Request): Response | null {
  if (request.method === "OPTIONS") return null;
  const { pathname, search, searchParams } = new URL(request.url);
  // The library would answer as if nobody might ask for the description of the API.
  if (pathname.endsWith("/") && pathname !== ROOT) {
    return answer("PGRST125", "Invalid path specified in request URL", 404);
  }
  const [, isFunction, name] = NAMED.exec(pathname) ?? [];
  if (name !== undefined && !NAME.test(name)) {
    return isFunction
      ? answer("PGRST202", "Could not find the function in the schema cache", 404)
      : answer("PGRST205", "Could not find the table in the schema cache", 404);
  }
  for (const [name, value] of searchParams) {
    if (REFERS_BACK.test(`${name}=${value}`)) {
      return answer("2201B", "invalid regular expression: it refers back to itself", 400);
    }
  }
  // A quote that is opened and never closed.
  const hasQuotes = /"|%22/.test(search);
  const isOpen = (text: string) => text.split('"').length % 2 === 0;
  return hasQuotes && searchParams.getAll("select").some(isOpen)
    ? answer("PGRST100", "failed to parse select parameter", 400)
    : null;
}

/** SQLSTATEs of the same refusals, as the database words them. */
const SQLSTATE: Partial<Record<ErrorCode, string>> = {
  api_key_refused: "TV110",
  api_not_in_plan: "TV111",
  organization_suspended: "TV190",
  organization_ending: "TV191",
};

/** A refusal of a key of an organisation. */
function refusal(code: ErrorCode, retryAfter: number | undefined): Response {
  return answer(SQLSTATE[code] ?? code, typeset(errorCopy[code]), errorStatus[code], retryAfter);
}

/** A refusal in the form that the data API gives its own. */
function answer(code: string, message: string, status: number, retryAfter?: number): Response {
  const response = refusalResponse(status, { code, message, details: null, hint: null });
  if (retryAfter) response.headers.set("retry-after", String(retryAfter));
  return response;
}
