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

/** What was opened from the search, in this tab: names of customers, hence gone when one signs out. */
export const RECENT_KEY = "tournavis-recent";
