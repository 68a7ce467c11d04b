import * as z from "zod/mini";
import { type FoundThing, foundThing } from "#domain/schemas/found-things.ts";
import { RECENT_KEY, tabMemory } from "../../../lib/device-memory.ts";

const MOST = 5;

const kept = z.object({ userId: z.string(), things: z.array(foundThing) });

/** What somebody opened from the search in this tab, newest first; what another person opened stays theirs. */
export function readRecent(userId: string): readonly FoundThing[] {
  try {
    const found = kept.parse(JSON.parse(tabMemory.read(RECENT_KEY) ?? ""));
    return found.userId === userId ? found.things : [];
  } catch {
    return [];
  }
}

/** Puts something first among what was opened. */
export function keepRecent(userId: string, thing: FoundThing): void {
  const others = readRecent(userId).filter(({ id }) => id !== thing.id);
  const things = [thing, ...others].slice(0, MOST);
  tabMemory.write(RECENT_KEY, JSON.stringify({ userId, things }));
}
