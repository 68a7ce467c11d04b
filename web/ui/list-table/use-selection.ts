import { useState } from "react";

/** Selection in a list, by the items' keys. */
type Ticked = Record<string, true>;

/** Selection in a list, whether it is shown as a table or as cards. */
export type ListSelection<Item> = {
  ticked: Ticked;
  onTicked: (change: Ticked | ((before: Ticked) => Ticked)) => void;
  onAll: (isTicked: boolean) => void;
  /** The ticked items, in the list's order: what is ticked and no longer shown is not acted upon. */
  selected: readonly Item[];
  clear: () => void;
};

/** Keeps what is ticked in a list. */
export function useSelection<Item extends { id: string }>(
  items: readonly Item[],
): ListSelection<Item> {
  const [ticked, onTicked] = useState<Ticked>({});
  const clear = () => onTicked({});
  return {
    ticked,
    onTicked,
    onAll: (isTicked) =>
      isTicked ? onTicked(Object.fromEntries(items.map(({ id }) => [id, true]))) : clear(),
    selected: items.filter(({ id }) => ticked[id]),
    clear,
  };
}
