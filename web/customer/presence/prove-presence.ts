import type * as z from "zod/mini";
import { type PresencePass, presencePass, type presenceRequest } from "#domain/schemas/presence.ts";
import { type Answer, call } from "../api.ts";
import { deviceFingerprint } from "../memory/identifiers.ts";
import { recallPass, rememberPass } from "./presence-memory.ts";

/** In the place of a pass, where the campaign has stopped asking since the page was opened: a spin is let through with any. */
const NOT_ASKED = "not_asked";

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
  if (answer.ok) {
    const { pass } = answer.value;
    if (pass !== null) rememberPass(campaign_id, pass);
    else if (recallPass(campaign_id) === null) rememberPass(campaign_id, NOT_ASKED);
  }
  return answer;
}
