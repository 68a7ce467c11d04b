import * as z from "zod/mini";
import { tabMemory } from "./device-memory.ts";

const errand = z.enum(["sign-in", "linking"]);

/** What somebody goes to Google for. */
export type Errand = z.infer<typeof errand>;

const KEY = "tournavis-google";

/** Remembered by the tab that leaves for Google: the next page that it opens here is the way back. */
export const googleErrand = {
  begin: (what: Errand): void => tabMemory.write(KEY, what),
  end(): Errand | null {
    const read = errand.safeParse(tabMemory.read(KEY));
    tabMemory.write(KEY, "");
    return read.success ? read.data : null;
  },
};
