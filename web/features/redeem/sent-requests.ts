import { newId } from "#domain/text/new-id.ts";
import { tabMemory } from "../../lib/device-memory.ts";

/** A code at the till of a store. */
export type CodeAtStore = { code: string; storeId: string };

/** Where the tab cannot keep anything, the page does. */
const sent = new Map<string, string>();

function nameOf({ code, storeId }: CodeAtStore): string {
  return `tournavis-till-request ${storeId} ${code}`;
}

/** Identifier of a redemption that was sent and not answered yet, a reload ago perhaps. */
export function unansweredRequest(asked: CodeAtStore): string | null {
  const name = nameOf(asked);
  return tabMemory.read(name) ?? sent.get(name) ?? null;
}

/** Identifier of a redemption: the same until it is answered, so that it is made once and answered once. */
export function requestFor(asked: CodeAtStore): string {
  const id = unansweredRequest(asked) ?? newId();
  const name = nameOf(asked);
  sent.set(name, id);
  tabMemory.write(name, id);
  return id;
}

/** A redemption was answered. */
export function forgetRequest(asked: CodeAtStore): void {
  const name = nameOf(asked);
  sent.delete(name);
  tabMemory.write(name, "");
}
