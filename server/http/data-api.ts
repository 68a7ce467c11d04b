import { errorCopy } from "#domain/errors.copy.ts";
import { type ErrorCode, errorStatus } from "#domain/errors.ts";
import { beginApiRequest, presentedKey } from "../../supabase/functions/_shared/http/api-key.ts";
import { readApiToken } from "../../supabase/functions/_shared/http/api-token.ts";
import { bearerToken } from "../../supabase/functions/_shared/http/bearer.ts";
import type { Deps } from "../../supabase/functions/_shared/http/deps.ts";
import type { Platform } from "../platform.ts";
import type { Secrets } from "../secrets.ts";

/** How long the token holds that takes a key's place within this process, in seconds. */
const INNER_TOKEN_S = 60;

/** Answers `rest/v1`; the address is asked for where it counts. */
export type DataApi = (request: Request, address: () => string) => Promise<Response>;

type DataApiOptions = Pick<Deps, "sql" | "keyedHash" | "now" | "signApiToken"> & {
  /** Comes a moment after the server: its library loads in the background. */
  platform: Promise<Platform>;
  secrets: Pick<Secrets, "jwtSecret" | "publishableKey">;
};

/**
 * The data API, which takes keys of organisations besides the platform's own: each request of one is
 * counted, and goes on with a token that names the key, so that policies know whose it is
 * (docs/decisions/027-keys-of-the-api.md). Whether the key counts, SQL asks again at each statement.
 */
export function createDataApi(options: DataApiOptions): DataApi {
  const { platform } = options;
  return async (request, address) => {
    const by = await askerOf(request, options);
    if (!by) return (await platform).fetch(request);
    const begun = await beginApiRequest(options, by, address());
    if (!begun.ok) return refusal(begun.code, begun.retryAfter);
    const token = await options.signApiToken?.(begun.keyId, INNER_TOKEN_S);
    const headers = new Headers(request.headers);
    headers.set("apikey", options.secrets.publishableKey);
    headers.set("authorization", `Bearer ${token}`);
    return (await platform).fetch(new Request(request, { headers }));
  };
}

/** The key that a request brings, or that its token was exchanged for; null for all other requests. */
async function askerOf(
  request: Request,
  { secrets, now }: DataApiOptions,
): Promise<{ key: string } | { keyId: string } | null> {
  const key = presentedKey(request);
  if (key) return { key };
  const bearer = bearerToken(request);
  const keyId = bearer ? await readApiToken(secrets.jwtSecret, bearer, now()) : null;
  return keyId ? { keyId } : null;
}

/** SQLSTATEs of the same refusals, as the database words them. */
const SQLSTATE: Partial<Record<ErrorCode, string>> = {
  api_key_refused: "TV110",
  api_not_in_plan: "TV111",
};

/** A refusal in the form that the data API gives its own. */
function refusal(code: ErrorCode, retryAfter: number | undefined): Response {
  return Response.json(
    { code: SQLSTATE[code] ?? code, message: errorCopy[code], details: null, hint: null },
    {
      status: errorStatus[code],
      headers: {
        "access-control-allow-origin": "*",
        "cache-control": "no-store",
        ...(retryAfter && { "retry-after": String(retryAfter) }),
      },
    },
  );
}
