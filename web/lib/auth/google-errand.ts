import { tabMemory } from "../device-memory.ts";

/** Purposes of a visit to Google. */
export type Errand = "sign-in" | "linking";

const KEY = "tournavis-google";

/** Remembered by the tab that leaves for Google: the next page that it opens here is the way back. */
export const googleErrand = {
  begin: (what: Errand): void => tabMemory.write(KEY, what),
  end(): Errand | null {
    const what = tabMemory.read(KEY);
    tabMemory.write(KEY, "");
    return what === "sign-in" || what === "linking" ? what : null;
  },
};
