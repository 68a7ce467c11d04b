import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, PASSWORD } from "../harness/fixtures.ts";
import { type Bench, startBench } from "./support/service.ts";

/** Log of attempts to sign in: the way, the outcome and the request, and nobody's name. */

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.stop());

test("each attempt is one line with its way and its outcome", async () => {
  const { email } = await createUser(bench.database.sql);
  const headers = { "x-request-id": "une-demande" };
  const sent = async (path: string, body: unknown, method = "POST") => {
    const before = bench.signIns.length;
    await bench.call(path, { headers, method, ...(method === "POST" && { body }) });
    const lines = bench.signIns.slice(before);
    expect(JSON.stringify(lines)).not.toContain(email);
    return lines.map(({ method: way, code, ...rest }) => {
      expect(rest).toEqual({ event: "sign_in", level: "info", requestId: "une-demande" });
      return [way, code];
    });
  };

  expect(await sent("/token?grant_type=password", { email, password: PASSWORD })).toEqual([
    ["password", "ok"],
  ]);
  expect(await sent("/token?grant_type=password", { email, password: "faux-mot" })).toEqual([
    ["password", "invalid_credentials"],
  ]);
  expect(await sent("/token?grant_type=refresh_token", { refresh_token: "inconnu" })).toEqual([
    ["refresh_token", "refresh_token_not_found"],
  ]);
  const code = { auth_code: "inconnu", code_verifier: "v".repeat(43) };
  expect(await sent("/token?grant_type=pkce", code)).toEqual([["pkce", "flow_state_not_found"]]);
  expect(await sent("/verify", { type: "recovery", email, token: "000000" })).toEqual([
    ["code", "otp_expired"],
  ]);
  expect(await sent("/verify", { type: "recovery", token_hash: "inconnu" })).toEqual([
    ["link", "otp_expired"],
  ]);
  expect(await sent("/verify?type=recovery&token=inconnu", null, "GET")).toEqual([
    ["link", "otp_expired"],
  ]);
  expect(await sent("/passkeys/authentication/verify", { challenge_id: "x" })).toEqual([
    ["passkey", expect.any(String)],
  ]);
  expect(await sent("/callback?state=inconnu&code=x", null, "GET")).toEqual([
    ["oauth", "bad_oauth_state"],
  ]);
  expect(await sent("/signup", { data: {} })).toEqual([
    ["anonymous", "anonymous_provider_disabled"],
  ]);
});

test("what is no attempt to sign in is none of these lines", async () => {
  const before = bench.signIns.length;
  await bench.call("/settings");
  await bench.call("/user");
  await bench.call("/recover", { body: { email: "personne@exemple.fr" } });
  expect(bench.signIns).toHaveLength(before);
});
