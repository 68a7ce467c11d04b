/** Identifier of the place beside a list's search. */
export const LIST_TOOLS = "list-tools";

/** Place beside a list's search, where its table puts the choice of its columns. */
export function ListTools() {
  return <div id={LIST_TOOLS} className="empty:hidden" />;
}
