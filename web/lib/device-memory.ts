import { DAY_MS } from "#domain/text/durations.ts";

/**
 * Small things kept on the device. Storage may be refused (private windows, full disk): then
 * nothing is remembered, and nothing breaks.
 */
function memory(storage: () => Storage) {
  return {
    read(key: string): string | null {
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    write(key: string, value: string): void {
      try {
        if (value) storage().setItem(key, value);
        else storage().removeItem(key);
      } catch {
        // Forgotten, see above.
      }
    },
  };
}

/** Until the tab closes. */
export const tabMemory = memory(() => sessionStorage);

/** From one visit to the next. */
export const deviceMemory = memory(() => localStorage);

/** Whether the keys of the inbox are off on this device. */
export const SHORTCUTS_KEY = "tournavis-shortcuts";

/**
 * Things that were opened from the search, in this tab: names of customers, hence gone when one
 * signs out.
 */
export const RECENT_KEY = "tournavis-recent";

/**
 * Unsaved text from before a session ended, in this tab: its owner and the time (in milliseconds),
 * then a form a line (`unsaved-input.ts`).
 */
export const UNSAVED_KEY = "tournavis-unsaved";

/** Longest that it is kept, in milliseconds. */
export const UNSAVED_MS = DAY_MS;

/** Erases it unless it is this person's, and no older. */
export function keepUnsavedFor(userId: string): void {
  const [owner, since] = (tabMemory.read(UNSAVED_KEY) ?? "").split(/\s/);
  const isFresh = Date.now() - Number(since) < UNSAVED_MS;
  if (owner !== userId || !isFresh) tabMemory.write(UNSAVED_KEY, "");
}

/** Columns of a list that are hidden on this device. */
export function columnsKey(list: string): string {
  return `tournavis-columns-${list}`;
}
