import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bench, startBench } from "./support/service.ts";

/** How the service speaks: keys, shapes of refusals, what anybody may ask. */

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.stop());

const NEW = { email: "nouvelle@exemple.fr", password: "Tr0mbone-velours-42" };

/** A value whose length is there, and cannot be compared with a number: what is JSON may name a field as it likes. */
const NO_NUMBER = { length: { toString: null } };

describe("what anybody may ask", () => {
  test("settings", async () => {
    const { status, body } = await bench.call("/settings");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      external: {
        anonymous_users: false,
        apple: false,
        email: true,
        google: false,
        phone: true,
        github: false,
      },
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      saml_enabled: false,
    });
  });

  test("health", async () => {
    expect(await bench.call("/health")).toMatchObject({ status: 200, body: { name: "GoTrue" } });
  });
});

describe("claims", () => {
  const sign = (header: { alg: string; kid?: string }, key: Parameters<SignJWT["sign"]>[0]) =>
    new SignJWT({ role: "authenticated" })
      .setProtectedHeader(header)
      .setSubject(crypto.randomUUID())
      .setExpirationTime("1h")
      .sign(key);

  test("are checked with the service where a token names no key", async () => {
    const { auth } = bench.client();
    const forged = await sign(
      { alg: "HS256" },
      new TextEncoder().encode("another secret".repeat(3)),
    );
    expect((await auth.getClaims(forged)).error).toMatchObject({ status: 403, code: "bad_jwt" });
  });

  test("are checked by the client where it knows a key: 'Invalid JWT signature'", async () => {
    const [own, other] = await Promise.all([generateKeyPair("ES256"), generateKeyPair("ES256")]);
    const header = { alg: "ES256", kid: "une clé" };
    const jwk = { ...(await exportJWK(own.publicKey)), ...header, kty: "EC", key_ops: ["verify"] };
    const { auth } = bench.client();
    const keys = { jwks: { keys: [jwk] } };
    expect((await auth.getClaims(await sign(header, own.privateKey), keys)).error).toBeNull();
    const forged = await auth.getClaims(await sign(header, other.privateKey), keys);
    expect(forged.error?.message).toBe("Invalid JWT signature");
  });
});

describe("the project's key", () => {
  test.each([
    ["missing", ""],
    ["wrong", "sb_publishable_faux"],
  ])("is asked for: %s", async (_, apikey) => {
    const answer = await bench.call("/settings", { headers: { apikey } });
    expect(answer).toMatchObject({ status: 401, body: { error_code: "no_authorization" } });
  });

  test.each(["sb_publishable_bench", "sb_secret_bench"])("is %s", async (apikey) => {
    expect((await bench.call("/settings", { headers: { apikey } })).status).toBe(200);
  });

  test("may stand in the address", async () => {
    const url = "https://tournavis.exemple.fr/auth/v1/settings?apikey=sb_publishable_bench";
    expect((await bench.service.fetch(new Request(url))).status).toBe(200);
  });
});

describe("a refusal", () => {
  const wrong = { body: { email: "a@exemple.fr", password: "faux" } };

  test("is worded for clients of the present version", async () => {
    const answer = await bench.call("/token?grant_type=password", {
      ...wrong,
      headers: { "x-supabase-api-version": "2024-01-01" },
    });
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.body).toEqual({
      code: "invalid_credentials",
      message: "Invalid login credentials",
    });
    expect(answer.headers.get("x-supabase-api-version")).toBe("2024-01-01");
    expect(answer.headers.get("x-sb-error-code")).toBe("invalid_credentials");
  });

  test("is worded for older clients", async () => {
    const answer = await bench.call("/token?grant_type=password", wrong);
    expect(answer.body).toEqual({
      code: 400,
      error_code: "invalid_credentials",
      msg: "Invalid login credentials",
    });
    expect(answer.headers.has("x-supabase-api-version")).toBe(false);
  });

  test.each([
    ["POST", "/token?grant_type=cookie", {}, 400, "invalid_credentials"],
    ["POST", "/token?grant_type=constructor", {}, 400, "invalid_credentials"],
    ["POST", "/token?grant_type=password", {}, 400, "validation_failed"],
    [
      "POST",
      "/token?grant_type=password",
      { email: "a@exemple.fr", phone: "33612345678" },
      400,
      "validation_failed",
    ],
    ["POST", "/token?grant_type=password", { email: ["a"] }, 400, "validation_failed"],
    ["POST", "/otp", {}, 400, "validation_failed"],
    ["POST", "/otp", { email: "a@exemple.fr", channel: "sms" }, 400, "validation_failed"],
    ["POST", "/otp", { phone: "33612345678", channel: "whatsapp" }, 400, "validation_failed"],
    ["POST", "/recover", {}, 400, "validation_failed"],
    ["POST", "/resend", { email: "a@exemple.fr" }, 400, "validation_failed"],
    ["POST", "/resend", { type: "sms", email: "a@exemple.fr" }, 400, "validation_failed"],
    ["POST", "/verify", { type: "recovery" }, 400, "validation_failed"],
    ["POST", "/verify", { type: "toString", token_hash: "x" }, 400, "validation_failed"],
    ["POST", "/verify", { type: "recovery", token_hash: "x" }, 403, "otp_expired"],
    ["GET", "/verify?type=recovery", undefined, 400, "validation_failed"],
    ["GET", "/reauthenticate", undefined, 401, "no_authorization"],
    ["POST", "/logout", {}, 401, "no_authorization"],
    ["GET", "/admin/users", undefined, 401, "no_authorization"],
    ["GET", "/nowhere", undefined, 404, "not_found"],
  ])("of %s %s %o", async (method, path, body, status, code) => {
    const answer = await bench.call(path, { method, ...(body && { body }) });
    expect(answer).toMatchObject({ status, body: { error_code: code } });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("of what is no JSON", async () => {
    const answer = await bench.service.fetch(
      new Request("https://tournavis.exemple.fr/auth/v1/signup", {
        method: "POST",
        headers: { apikey: "sb_publishable_bench" },
        body: "{email:",
      }),
    );
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error_code: "bad_json" });
  });

  test.each([
    ["the sign NUL", "/token?grant_type=password", { email: "a\0@exemple.fr", password: "x" }],
    ["NUL in a password", "/signup", { email: "a@exemple.fr", password: "tr0mbone\0velours" }],
    ["NUL in a name of a field", "/signup", { ...NEW, data: { "full\0name": "Ana" } }],
    ["lists without end", "/signup", { ...NEW, data: nested(3_000) }],
    ["an object in place of a text, that has no number", "/recover", { email: NO_NUMBER }],
  ])("of what cannot be stored: %s", async (_, path, body) => {
    const before = bench.log.length;
    expect(await bench.call(path, { body })).toMatchObject({
      status: 400,
      body: { error_code: "validation_failed" },
    });
    expect(bench.log.slice(before)).toEqual([]);
  });

  test("mends half a surrogate pair", async () => {
    const body = { ...NEW, email: "moitie@exemple.fr", data: { full_name: "Ana \ud83d" } };
    expect(await bench.call("/signup", { body })).toMatchObject({
      status: 200,
      body: { user_metadata: { full_name: "Ana \ufffd" } },
    });
  });

  test("takes a whole surrogate pair, written in two", async () => {
    const answer = await bench.service.fetch(
      new Request("https://tournavis.exemple.fr/auth/v1/signup", {
        method: "POST",
        headers: { apikey: "sb_publishable_bench" },
        body: JSON.stringify({ ...NEW, data: { full_name: "Ana 🎡" } }).replace(
          "🎡",
          "\\ud83c\\udfa1",
        ),
      }),
    );
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ user_metadata: { full_name: "Ana 🎡" } });
  });
});

/** Objects in objects: JSON in its right, and nothing that a function calling itself should follow. */
function nested(depth: number): object {
  let value = {};
  for (let n = 0; n < depth; n += 1) value = { a: value };
  return value;
}

test("what breaks is logged by its code and shown to nobody", async () => {
  const broken = await startBench();
  try {
    await broken.database.sql`drop table auth.refresh_tokens`;
    const answer = await broken.call("/token?grant_type=refresh_token", {
      body: { refresh_token: "x" },
      headers: { "x-request-id": "appel-1" },
    });
    expect(answer).toMatchObject({ status: 500, body: { error_code: "unexpected_failure" } });
    expect(answer.text).not.toContain("refresh_tokens");
    expect(broken.log).toEqual([{ event: "auth_failed", code: "42P01", requestId: "appel-1" }]);
  } finally {
    await broken.stop();
  }
});

test("pages of other sites may call it: the key and the token are what counts", async () => {
  const answer = await bench.service.fetch(
    new Request("https://tournavis.exemple.fr/auth/v1/signup", {
      method: "OPTIONS",
      headers: {
        origin: "https://ami.exemple.fr",
        "access-control-request-method": "POST",
        "access-control-request-headers": "apikey,content-type,x-supabase-api-version",
      },
    }),
  );
  expect(answer.status).toBe(204);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
});
