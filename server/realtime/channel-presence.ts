import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Relay } from "./relay.ts";
import type { Presence } from "./relay-presences.ts";

/** Longest presence that a client may show, in characters of its JSON. */
const PRESENCE_MAX_LENGTH = 3_000;

const presencePayload = z.object({
  event: z.string(),
  payload: z.record(z.string(), z.unknown()).nullish(),
});

/** The presence that one client shows on one channel. */
type OwnPresence = {
  /** Shows or removes it, as the client's message asks; the status to reply. */
  take(payload: unknown): Promise<"ok" | "error">;
  /** Removes it, where it is shown. */
  remove(): Promise<void>;
};

type OwnPresenceOptions = {
  relay: Relay;
  topic: string;
  /** Key under which the client asked to be shown. */
  key: string;
  isClosed(): boolean;
};

export function createOwnPresence(options: OwnPresenceOptions): OwnPresence {
  const { relay, topic, key, isClosed } = options;
  const ref = randomUUID();
  let isShown = false;

  return {
    async take(payload) {
      const wanted = presencePayload.safeParse(payload);
      if (!wanted.success) return "error";
      if (wanted.data.event === "untrack") {
        if (isShown) await relay.disappear(topic, ref);
        isShown = false;
        return "ok";
      }
      const meta = wanted.data.payload ?? {};
      if (isClosed() || wanted.data.event !== "track") return "error";
      if (JSON.stringify(meta).length > PRESENCE_MAX_LENGTH) return "error";
      // Set before the answer, which may be lost although the database has stored the presence.
      isShown = true;
      await relay.appear(topic, { key, ref, meta });
      // A client that left meanwhile must not stay shown.
      if (isClosed()) await relay.disappear(topic, ref);
      return "ok";
    },
    async remove() {
      if (isShown) await relay.disappear(topic, ref);
    },
  };
}

/** Presences of a channel as the protocol sends them to a client that joins: by key. */
export function presenceState(presences: readonly Presence[]): Record<string, unknown> {
  const state = new Map<string, { metas: unknown[] }>();
  for (const { key, ref, meta } of presences) {
    const shown = state.get(key) ?? { metas: [] };
    shown.metas.push({ ...meta, phx_ref: ref });
    state.set(key, shown);
  }
  return Object.fromEntries(state);
}
