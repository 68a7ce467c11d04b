import { AuthClient } from "@supabase/auth-js";
import { FunctionsClient } from "@supabase/functions-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import * as z from "zod/mini";
import type { Database } from "../../supabase/types/database.types.ts";
import type { PublicConfig } from "./config.ts";
import { noteWait } from "./retry-after.ts";

/** Timeout of a request: a till on a bad Wi-Fi must see a failure, not wait. */
const TIMEOUT_MS = 15_000;

/** A signal of whichever comes first. Browsers of 2023 lack `AbortSignal.any`. */
function either(one: AbortSignal, other: AbortSignal): AbortSignal {
  const both = new AbortController();
  for (const signal of [one, other]) {
    const end = () => both.abort(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end);
  }
  return both.signal;
}

/** A caller of a function may bring a time-out of their own: a file takes longer. */
const fetchWithTimeout: typeof fetch = async (input, init) => {
  const signal = init?.signal ?? AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(input, { ...init, signal });
  noteWait(response);
  return response;
};

const ending = z.looseObject({ expires_in: z.number(), expires_at: z.number() });

/**
 * Lets a session end by this device's own clock. One that is minutes behind would hold a token for good that has ended, which
 * signs out; one that is an hour ahead would renew it before each call.
 */
const fetchByOwnClock: typeof fetch = async (input, init) => {
  const response = await fetchWithTimeout(input, init);
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  if (response.status !== 200 || !isJson) return response;
  const text = await response.text();
  const { data: session } = ending.safeParse(JSON.parse(text));
  if (!session) return new Response(text, response);
  session.expires_at = Math.round(Date.now() / 1000) + session.expires_in;
  return new Response(JSON.stringify(session), response);
};

/** Under which name the session is kept on the device. */
export const SESSION_KEY = "tournavis-session";

/**
 * The platform's client for this deployment: its own clients of authentication, data and functions, put together as
 * `@supabase/supabase-js` does, without the socket, the storage and the tracing that come with it (decision 021). Its
 * options are for a session beside the one that is kept.
 */
export function createSupabase(
  { supabase_url: url, publishable_key: key }: PublicConfig,
  options: Omit<NonNullable<ConstructorParameters<typeof AuthClient>[0]>, "url"> = {},
) {
  const auth = new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    storageKey: SESSION_KEY,
    flowType: "pkce",
    experimental: { passkey: true },
    fetch: fetchByOwnClock,
    ...options,
  });
  /** Request in the name of the signed-in user: the client renews the token when it is due. */
  const asUser: typeof fetch = async (input, init) => {
    const { data } = await auth.getSession();
    const headers = new Headers(init?.headers);
    headers.set("apikey", key);
    headers.set("Authorization", `Bearer ${data.session?.access_token ?? key}`);
    return fetchWithTimeout(input, { ...init, headers });
  };
  // Reads are tried again by the query client (`query-client.ts`), as calls of functions are. With three more tries of
  // its own for each of those, a lost network would show after half a minute.
  const rest = new PostgrestClient<Database>(`${url}/rest/v1`, {
    schema: "public",
    // The signal of a read only aborts it when its result is not needed any more: the time limit is added here.
    fetch: (input, init) => {
      const patience = AbortSignal.timeout(TIMEOUT_MS);
      return asUser(input, {
        ...init,
        signal: init?.signal ? either(init.signal, patience) : patience,
      });
    },
    retry: false,
  });
  return {
    auth,
    functions: new FunctionsClient(`${url}/functions/v1`, { customFetch: asUser }),
    from: rest.from.bind(rest),
    rpc: rest.rpc.bind(rest),
  };
}

export type Supabase = ReturnType<typeof createSupabase>;
