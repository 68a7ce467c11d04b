/** A session, as the authentication service writes it into an address. */
export const TOKEN_PARAMETERS = [
  "access_token",
  "refresh_token",
  "provider_token",
  "provider_refresh_token",
] as const;

const SIGNS = [...TOKEN_PARAMETERS, "code", "error", "error_code", "error_description"];

/** Whether the authentication service says something in an address, in its query or its fragment. */
export function speaksOfArrival({ search, hash }: { search: string; hash: string }): boolean {
  const parts = [new URLSearchParams(search), new URLSearchParams(hash.slice(1))];
  return SIGNS.some((name) => parts.some((parameters) => parameters.has(name)));
}
