import type * as z from "zod/mini";
import { type PresencePass, presencePass, type presenceRequest } from "#domain/schemas/presence.ts";
import { type Answer, call } from "../api.ts";
import { deviceFingerprint } from "../memory/identifiers.ts";
import { rememberPass } from "./presence-memory.ts";

/** Exchanges what the store shows for a pass, which this phone keeps. */
export async function provePresence(
  campaign_id: string,
  proof: string,
): Promise<Answer<PresencePass>> {
  const device_fp = await deviceFingerprint().catch(() => null);
  // The hash's fallback could not be loaded: there is no network.
  if (device_fp === null) return { ok: false, failure: { kind: "network" } };
  const body: z.input<typeof presenceRequest> = { campaign_id, proof, device_fp };
  const answer = await call("presence", presencePass, body);
  if (answer.ok && answer.value.pass !== null) rememberPass(campaign_id, answer.value.pass);
  return answer;
}
