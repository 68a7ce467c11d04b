import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SessionClaims } from "../auth/tokens.ts";
import { createChannelRights } from "./channel-rights.ts";
import type { Rights } from "./relay.ts";

/** A channel whose token expires while it is open, with a database that answers as told. */

const ALL: Rights = { reads: true, writes: true, readsPresence: true, writesPresence: true };
const NONE: Rights = { reads: false, writes: false, readsPresence: false, writesPresence: false };

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const now = () => vi.getMockedSystemTime() ?? new Date(0);

const claimsUntil = (exp: number): SessionClaims => ({
  exp,
  sub: "3f0c7a52-6d0b-4b7e-9d35-6a7c1f0e2b11",
  role: "authenticated",
  session_id: "8a1d4c3e-52f7-4f0a-8b9e-0c6d7e1f2a33",
  aal: "aal1",
});

/** A channel's rights; tokens are the second at which they expire. */
function open({ isService = false }: { isService?: boolean } = {}) {
  const database = { answer: ALL };
  const onExpiry = vi.fn();
  const rights = createChannelRights({
    topic: "room",
    isPrivate: true,
    isService,
    relay: { rights: async () => database.answer },
    verifySession: (token) =>
      Number(token) * 1000 > now().getTime() ? claimsUntil(Number(token)) : null,
    now,
    onRights: () => undefined,
    onExpiry,
  });
  return { rights, onExpiry, database };
}

it("ends at the second at which its token does", async () => {
  const { rights, onExpiry } = open();
  expect(await rights.admit("3600")).toBeNull();
  await vi.advanceTimersByTimeAsync(3_599_999);
  expect(onExpiry).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onExpiry).toHaveBeenCalledOnce();
});

it("goes on with a token that is renewed in time, until that one ends", async () => {
  const { rights, onExpiry } = open();
  await rights.admit("3600");
  await vi.advanceTimersByTimeAsync(3_500_000);
  expect(await rights.admit("7100")).toBeNull();
  await vi.advanceTimersByTimeAsync(3_599_999);
  expect(onExpiry).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onExpiry).toHaveBeenCalledOnce();
});

it.each([
  ["none", null],
  ["one of nobody's", "nobody"],
  ["one that has ended", "10"],
])("takes no longer to end for a renewal with %s, which is refused", async (_, token) => {
  const { rights, onExpiry } = open();
  await rights.admit("3600");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await rights.admit(token)).toMatch(/^InvalidJWTToken/);
  await vi.advanceTimersByTimeAsync(3_580_000);
  expect(onExpiry).toHaveBeenCalledOnce();
});

it("has nothing left once the role has fallen, at the next question or renewal", async () => {
  const { rights, database } = open();
  await rights.admit("3600");
  expect(rights.current()).toEqual(ALL);
  database.answer = NONE;
  expect(await rights.ask()).toMatch(/^Unauthorized/);
  expect(rights.current()).toEqual(NONE);
  expect(await rights.admit("7200")).toMatch(/^Unauthorized/);
});

it("never ends for the secret key, nor once it is closed", async () => {
  const service = open({ isService: true });
  expect(await service.rights.admit(null)).toBeNull();
  const closed = open();
  await closed.rights.admit("3600");
  closed.rights.close();
  const late = open();
  const admitting = late.rights.admit("3600");
  late.rights.close();
  await admitting;
  await vi.advanceTimersByTimeAsync(86_400_000);
  for (const { onExpiry } of [service, closed, late]) expect(onExpiry).not.toHaveBeenCalled();
});
