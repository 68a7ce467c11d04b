import type * as z from "zod/mini";
import type { spinRequest } from "#domain/schemas/journey.ts";
import { anonymousFingerprint, deviceFingerprint, newId, sha256 } from "../identifiers.ts";
import { playIdOf } from "../play-memory.ts";
import type { Contact } from "./play-state.ts";

/** In whose name a spin is asked for. */
export type SpinFor =
  | { by: "review"; reviewId: string }
  | { by: "player"; player: { name: string; contact: Contact } }
  | { by: "test" };

/**
 * The request of a spin. It carries the same key for the same review or player until the
 * answer has come, so that a repeat brings back the first draw. A test says nothing about
 * who tries.
 */
export async function spinRequestFor(
  campaignId: string,
  spinFor: SpinFor,
): Promise<z.input<typeof spinRequest>> {
  const campaign_id = campaignId;
  if (spinFor.by === "test") {
    return { campaign_id, test: true, device_fp: anonymousFingerprint() };
  }
  const device_fp = await deviceFingerprint();
  if (spinFor.by === "review") return { campaign_id, review_id: spinFor.reviewId, device_fp };
  const { name, contact } = spinFor.player;
  const mark = (await sha256(JSON.stringify([name, contact]))).slice(0, 8);
  const play_id = playIdOf(campaignId, mark, newId);
  return { campaign_id, play_id, contact: { name, ...contact }, device_fp };
}
