import { decodeProtectedHeader, jwtVerify } from "jose";
import { expect, it } from "vitest";
import { apiKeyIdOf, apiTokenClaims, signApiToken } from "./api-token.ts";

/** The token that stands for a key of the API for a while, and for nobody. */

const KEY = "0197a1b2-c3d4-4abc-8def-0123456789ab";
const SECRET = "a secret of the tests, which is long enough";
const now = new Date("2026-11-23T10:00:00.900Z");
const IAT = 1_795_428_000;

it("a token of an API key is signed as the platform signs its own, for so many seconds", async () => {
  const token = await signApiToken(SECRET, KEY, { now, seconds: 60 });
  expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", typ: "JWT" });
  const read = (secret: string, at: Date) =>
    jwtVerify(token, new TextEncoder().encode(secret), { currentDate: at });
  const { payload } = await read(SECRET, now);
  expect(payload).toEqual({
    role: "authenticated",
    aud: "authenticated",
    api_key_id: KEY,
    iat: IAT,
    exp: IAT + 60,
  });
  expect(apiKeyIdOf(payload)).toBe(KEY);
  await expect(read("another secret", now)).rejects.toMatchObject({
    code: "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
  });
  await expect(read(SECRET, new Date((IAT + 61) * 1000))).rejects.toMatchObject({
    code: "ERR_JWT_EXPIRED",
  });
});

it.each<[string, unknown]>([
  ["of a person", { sub: KEY }],
  ["of another role", { role: "service_role" }],
  ["for somebody else", { aud: "others" }],
  ["without a key", { api_key_id: undefined }],
  ["with a key that is none", { api_key_id: "demo" }],
])("a token %s stands for no key", (_, change) => {
  const claims = apiTokenClaims(KEY, { now, seconds: 60 });
  expect(apiKeyIdOf(claims)).toBe(KEY);
  expect(apiKeyIdOf(Object.assign({ ...claims }, change))).toBeNull();
  expect(apiKeyIdOf(null)).toBeNull();
});
