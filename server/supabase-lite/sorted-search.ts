/** Parameters of an address in the order in which `content-location` names them. */
export function sortedSearch(parameters: URLSearchParams): string {
  const sorted = [...parameters].sort(([one], [other]) => one.localeCompare(other));
  return new URLSearchParams(sorted).toString();
}
