const SIGNS = ["access_token", "code", "error", "error_code", "error_description"];

/** Whether the authentication service says something in an address, in its query or its fragment. */
export function speaksOfArrival({ search, hash }: { search: string; hash: string }): boolean {
  const parts = [new URLSearchParams(search), new URLSearchParams(hash.slice(1))];
  return SIGNS.some((name) => parts.some((parameters) => parameters.has(name)));
}
