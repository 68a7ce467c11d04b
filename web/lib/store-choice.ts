import type { Workspace } from "#domain/schemas/workspace.ts";

type Store = Workspace["stores"][number];

/** Storage key of the store of this till. */
export const STORE_KEY = "tournavis-till-store";

/** The store of this till: the remembered one while it is still among the member's, else the first. */
export function chosenStore(stores: readonly Store[], remembered: string | null): Store | null {
  return stores.find((store) => store.id === remembered) ?? stores[0] ?? null;
}
