import { expect, it } from "vitest";
import { createChannelChanges } from "./channel-changes.ts";
import type { Member } from "./hub.ts";

/** Subscriptions of a channel whose token ends before they begin. */

it("are not counted for a channel that is closed already", async () => {
  const member: Member = {
    connectionId: "one",
    version: "2.0.0",
    channel: "realtime:room",
    hearsBroadcasts: false,
    hearsPresence: false,
    hearsItself: false,
    deliver: () => undefined,
    reset: () => undefined,
  };
  const relay = { watch: async () => [1] };
  const hub = { join: async () => undefined, leave: () => undefined };
  const connection = { subscriptions: 0 };
  let isClosed = false;
  const changes = createChannelChanges({
    asked: [{ event: "*", table: "spins" }],
    member,
    connection,
    hub,
    relay,
    currentClaims: () => ({ role: "service_role" }),
    isClosed: () => isClosed,
  });
  isClosed = true;
  changes.close();
  await changes.start({ role: "service_role" });
  expect(connection.subscriptions).toBe(0);
});
