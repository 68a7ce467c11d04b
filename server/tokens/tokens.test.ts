import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { makeSigningKey } from "./signing-keys.ts";
import { createTokens } from "./tokens.ts";

const NOW = new Date("2026-05-04T10:00:00Z");
const PRESENT = NOW.getTime() / 1000;
const key = makeSigningKey("ES256", { status: "in_use", now: NOW });
const tokens = createTokens({
  ring: { keys: () => [key] },
  librarySecret: "x".repeat(32),
  now: () => NOW,
});

/** A token of an hour that another host has signed, whose clock is so many seconds ahead. */
const signedAhead = (seconds: number) =>
  tokens.sign({ sub: "somebody", iat: PRESENT + seconds, exp: PRESENT + seconds + 3600 });

describe("a token of a host whose clock is ahead", () => {
  it.each([1, 30])("holds: %i s", async (seconds) => {
    const token = await signedAhead(seconds);
    expect(tokens.check(token)).toMatchObject({ sub: "somebody" });
    // The library takes none of later.
    const handed = decodeJwt(tokens.handOn(token) ?? "");
    expect(handed).toEqual({ sub: "somebody", iat: PRESENT, exp: PRESENT + seconds + 3600 });
  });

  it("does not hold where it is ahead by more", async () => {
    const token = await signedAhead(31);
    expect(tokens.check(token)).toBeNull();
    expect(decodeJwt(tokens.handOn(token) ?? "").iat).toBe(PRESENT + 31);
  });

  it("does not begin earlier than its sender meant by more than that", async () => {
    const sign = (nbf: number) => tokens.sign({ sub: "somebody", nbf, exp: PRESENT + 3600 });
    expect(tokens.check(await sign(PRESENT + 30))).not.toBeNull();
    expect(tokens.check(await sign(PRESENT + 31))).toBeNull();
  });
});
