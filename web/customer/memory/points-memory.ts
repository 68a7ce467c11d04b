import * as z from "zod/mini";
import { MAX_PROOFS } from "#domain/rules/constants.ts";
import type { SpinResult } from "#domain/schemas/journey.ts";
import { DAY_MS } from "#domain/text/durations.ts";
import { recall, remember } from "./storage.ts";

/** Points of every merchant: which are whose is known to the server. */
const KEY = "tournavis:points";

/** As long as a merchant keeps a customer; every win begins it anew. */
const LIFE_MS = 3 * 365 * DAY_MS;

const proof = z.object({ spin_id: z.string(), nonce: z.string() });
type Proof = z.infer<typeof proof>;

/** The turns of this phone that won points, the newest first: what proves whose the points are. */
export function provenTurns(): Proof[] {
  return recall("phone", KEY, z.array(proof)) ?? [];
}

/** Keeps what proves a win of points. */
export function keepPoints({ reward, spin_id, nonce }: SpinResult): void {
  if (reward?.type !== "points") return;
  const others = provenTurns().filter((turn) => turn.spin_id !== spin_id);
  remember("phone", KEY, [{ spin_id, nonce }, ...others].slice(0, MAX_PROOFS), LIFE_MS);
}
