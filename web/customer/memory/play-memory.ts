import * as z from "zod/mini";
import { spinResult } from "#domain/schemas/journey.ts";
import { forget, JOURNEY_LIFE_MS, recall, recordKey, remember } from "./storage.ts";

const contact = z.object({ email: z.optional(z.string()), phone: z.optional(z.string()) });

/** Contents of the fields, valid or not. */
const playDraft = z.object({
  name: z._default(z.string(), ""),
  email: z._default(z.string(), ""),
  phone: z._default(z.string(), ""),
});
export type PlayDraft = z.infer<typeof playDraft>;

const savedPlay = z.union([
  z.object({
    step: z.enum(["name", "contact", "ready"]),
    name: z.string(),
    contact: z.nullable(contact),
    draft: playDraft,
  }),
  z.object({
    step: z.literal("result"),
    result: spinResult,
    /** Of who played; missing where the phone does not know it. */
    firstName: z.optional(z.string()),
  }),
]);
export type SavedPlay = z.infer<typeof savedPlay>;

/** One way to one wheel: after a certain review, without one, or to try it. */
export type PlayPlace = { campaignId: string; way: string };

function keyOf({ campaignId, way }: PlayPlace): string {
  return recordKey(campaignId, `play:${way}`);
}

/** State in which the wheel page of this tab was left. */
export function recallPlay(place: PlayPlace): SavedPlay | null {
  return recall("tab", keyOf(place), savedPlay);
}

/** Keeps what was typed, then what was drawn, in the tab only. */
export function rememberPlay(place: PlayPlace, saved: SavedPlay): void {
  remember("tab", keyOf(place), saved, JOURNEY_LIFE_MS);
}

/** Clears the way for another player. */
export function forgetPlay(place: PlayPlace): void {
  forget("tab", keyOf(place));
}

const pendingSpin = z.object({ playId: z.guid(), mark: z.string() });

function pendingKey(campaignId: string): string {
  return recordKey(campaignId, "spin");
}

/**
 * The key of a spin whose answer has not come yet. It outlives the tab, so that no customer spins
 * twice for a lost network; `mark` distinguishes this player from another one with the same phone.
 */
export function playIdOf(campaignId: string, mark: string, makeId: () => string): string {
  const pending = recall("phone", pendingKey(campaignId), pendingSpin);
  if (pending?.mark === mark) return pending.playId;
  const playId = makeId();
  remember("phone", pendingKey(campaignId), { playId, mark }, JOURNEY_LIFE_MS);
  return playId;
}

/** The answer has come: the next spin is another one. */
export function forgetPlayId(campaignId: string): void {
  forget("phone", pendingKey(campaignId));
}
