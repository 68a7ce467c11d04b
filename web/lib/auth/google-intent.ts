import { tabMemory } from "../device-memory.ts";

/** Why the browser goes to Google: to sign in, or to link an account. */
export type GoogleIntent = "sign-in" | "linking";

const KEY = "tournavis-google";

/** Remembered in the tab that leaves for Google, for the page that it comes back to. */
export const googleIntent = {
  begin: (what: GoogleIntent): void => tabMemory.write(KEY, what),
  end(): GoogleIntent | null {
    const what = tabMemory.read(KEY);
    tabMemory.write(KEY, "");
    return what === "sign-in" || what === "linking" ? what : null;
  },
};
