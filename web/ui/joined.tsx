/**
 * Facts on one line. Each is a name of its own to the browser (`bdi`): one that is read from the right would else change places
 * with the next one, or take a figure behind it along.
 */
export function Joined({ facts }: { facts: readonly string[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: two facts may say the same, and none has a state.
  return facts.flatMap((fact, index) => [index > 0 && " · ", <bdi key={index}>{fact}</bdi>]);
}
