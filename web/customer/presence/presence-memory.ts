import * as z from "zod/mini";
import { MINUTE_MS } from "#domain/text/durations.ts";
import { forget, recall, recordKey, remember } from "../memory/storage.ts";

const keyOf = (campaignId: string) => recordKey(campaignId, "presence");

/** The pass that this phone has for a campaign; null without one, or once it is over. */
export function recallPass(campaignId: string): string | null {
  return recall("phone", keyOf(campaignId), z.string());
}

/** Time that the server lets a pass be good. */
export const PASS_LIFE_MS = 30 * MINUTE_MS;

/**
 * Keeps a pass as long as it is good, by the phone's own clock, which may be an hour off; in every tab, since scanning opens
 * another one.
 */
export function rememberPass(campaignId: string, pass: string): void {
  remember("phone", keyOf(campaignId), pass, PASS_LIFE_MS);
}

/** Drops a pass that the server refused. */
export function forgetPass(campaignId: string): void {
  forget("phone", keyOf(campaignId));
}
