import * as z from "zod/mini";
import { forget, recall, recordKey, remember } from "../memory/storage.ts";

const keyOf = (campaignId: string) => recordKey(campaignId, "presence");

/** The pass that this phone has for a campaign; null without one, or once it is over. */
export function recallPass(campaignId: string): string | null {
  return recall("phone", keyOf(campaignId), z.string());
}

/** Keeps a pass as long as it is good; in every tab, since scanning opens another one. */
export function rememberPass(campaignId: string, pass: string, validUntil: Date): void {
  remember("phone", keyOf(campaignId), pass, validUntil.getTime() - Date.now());
}

/** Drops a pass that the server refused. */
export function forgetPass(campaignId: string): void {
  forget("phone", keyOf(campaignId));
}
