/** Choices of a select that are things with a name: stores, campaigns, colleagues. */
export function NamedOptions({ of: things }: { of: readonly { id: string; name: string }[] }) {
  return things.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
}
