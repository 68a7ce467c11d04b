import type { Deps } from "./deps.ts";

/** The bearer token of a request; null without one. */
export function bearerToken({ headers }: Request): string | null {
  return /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
}

/** User of the request's session; null without a valid one. */
export async function signedInUser(
  request: Request,
  { verifyAccessToken }: Pick<Deps, "verifyAccessToken">,
): ReturnType<Deps["verifyAccessToken"]> {
  const token = bearerToken(request);
  return token === null ? null : verifyAccessToken(token);
}
