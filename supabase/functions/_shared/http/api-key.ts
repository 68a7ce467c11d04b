import type { ErrorCode } from "../domain/errors/errors.ts";
import { API_KEY_START } from "../domain/schemas/api-keys.ts";
import { bearerToken } from "./bearer.ts";
import type { Deps } from "./deps.ts";
import { sha256 } from "./sha256.ts";

/**
 * The key of the API that a request brings, where the platform's clients put theirs; null without
 * one. Never in the address: addresses are written down.
 */
export function presentedKey(request: Request): string | null {
  const presented = [bearerToken(request), request.headers.get("apikey")];
  return presented.find((key) => key?.startsWith(API_KEY_START)) ?? null;
}

/** Hash of a key, by which the database knows it. */
export function hashOfKey(key: string): string {
  return sha256(key);
}

/** A request that may go on, or why not. */
export type ApiRequest =
  | { ok: true; keyId: string }
  | { ok: false; code: ErrorCode; retryAfter?: number };

/** Reasons of the database (`private.api_key_refusal`) why a key opens nothing. */
export type KeyRefusal =
  | "api_key_refused"
  | "api_not_in_plan"
  | "organization_suspended"
  | "organization_ending";

type RequestRow = {
  outcome: "accepted" | KeyRefusal | "too_many_attempts";
  key_id: string | null;
  retry_after: number | null;
};

/** Asks the database whether a request with a key, or with a token that names one, may go on; it is counted there. */
export async function beginApiRequest(
  { sql, keyedHash }: Pick<Deps, "sql" | "keyedHash">,
  by: { key: string } | { keyId: string },
  address: string,
): Promise<ApiRequest> {
  const hash = "key" in by ? hashOfKey(by.key) : null;
  const id = "keyId" in by ? by.keyId : null;
  const [row] = await sql<RequestRow[]>`
    select outcome, key_id, retry_after
    from public.begin_api_request(${hash}, ${id}, ${keyedHash("api guess", address)})`;
  if (row?.outcome === "accepted" && row.key_id) return { ok: true, keyId: row.key_id };
  const code = row && row.outcome !== "accepted" ? row.outcome : "internal_error";
  return { ok: false, code, ...(row?.retry_after && { retryAfter: row.retry_after }) };
}
