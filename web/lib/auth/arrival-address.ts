/** Whether the authentication service says something in an address, in its query or its fragment. */
export function speaksOfArrival(address: string): boolean {
  return /[?&#](access_token|code|error(_code|_description)?)=/.test(address);
}
