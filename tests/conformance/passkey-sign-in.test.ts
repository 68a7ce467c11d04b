import { createClient } from "@supabase/supabase-js";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "#domain/text/durations.ts";
import { createUser, type User } from "../harness/fixtures.ts";
import { Device } from "./support/device.ts";
import { addFactor, signIn, tokenOf } from "./support/second-factor.ts";
import { type Bench, startBench } from "./support/service.ts";

/** Passkeys that sign in, asked for by the official client, answered by a device that may lie. */

const ORIGIN = "https://tournavis.exemple.fr";
const SITE = { origin: ORIGIN, rpId: "tournavis.exemple.fr" };
let bench: Bench;
let user: User;
let client: ReturnType<Bench["client"]>;
let next = 0;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.stop());

beforeEach(async () => {
  next += 1;
  bench.comeFrom(`198.51.100.${next}`);
  user = await createUser(bench.database.sql);
  client = await signIn(bench.client(), user);
});

type Client = typeof client;
type Error = { code?: string | undefined; status?: number | undefined } | null;
const refusal = (error: Error) => error && `${error.status} ${error.code}`;

/** Request to the device to make a passkey for a session. */
async function askToAdd(of: Client = client) {
  const { data, error } = await of.auth.passkey.startRegistration();
  if (error) throw error;
  const { options, challenge_id: challengeId, expires_at: expiresAt } = data;
  const handle = Buffer.from(options.user.id, "base64url").toString();
  return { ...SITE, challengeId, expiresAt, options, challenge: options.challenge, handle };
}

/** Request to any visitor to sign in. */
async function askToSignIn(of: Client) {
  const { data, error } = await of.auth.passkey.startAuthentication();
  if (error) throw error;
  const { options, challenge_id: challengeId } = data;
  return { ...SITE, challengeId, options, challenge: options.challenge };
}

type Made = ReturnType<Device["create"]>["credential_response"];
type Used = ReturnType<Device["get"]>["credential_response"];

const give = (of: Client, { challengeId }: { challengeId: string }, credential: Made) =>
  of.auth.passkey.verifyRegistration({ challengeId, credential });

const use = (of: Client, { challengeId }: { challengeId: string }, credential: Used) =>
  of.auth.passkey.verifyAuthentication({ challengeId, credential });

/** Adds a passkey of a new device to the account of a session. */
async function add(
  of: Client = client,
  device = new Device({ isVerifying: true }),
): Promise<{ id: string; device: Device; handle: string }> {
  const question = await askToAdd(of);
  device.handle = question.handle;
  const { data, error } = await give(of, question, device.create(question).credential_response);
  if (error) throw error;
  return { id: data.id, device, handle: question.handle };
}

/** Signs a new client in with a device. */
async function signInWith(device: Device, of: Client = bench.client()) {
  const question = await askToSignIn(of);
  const answer = await use(of, question, device.get(question).credential_response);
  return { client: of, question, ...answer };
}

/** State of an account that a passkey could change. */
async function state() {
  const { sql } = bench.database;
  const [row] = await sql<{ keys: unknown; sessions: number }[]>`
    select (select jsonb_agg(jsonb_build_array(friendly_name, sign_count, last_used_at is not null)
        order by created_at, id) from auth.webauthn_credentials where user_id = ${user.id}) as keys,
      (select count(*)::integer from auth.sessions where user_id = ${user.id}) as sessions`;
  return row;
}

const notices = async () =>
  (await bench.messages(user.email)).map(({ template }) => template).reverse();

async function events() {
  const rows = await bench.database.sql<{ event: string }[]>`
    select event from private.account_events where user_id = ${user.id} order by id`;
  return rows.map(({ event }) => event);
}

describe("a passkey", () => {
  it("is added by a signed-in person, who is notified", async () => {
    const before = Math.floor(bench.deps.now().getTime() / 1000);
    const question = await askToAdd();
    expect(question.options).toMatchObject({
      rp: { id: SITE.rpId, name: "Tournavis" },
      user: { name: user.email },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect(question.handle).toBe(user.id);
    expect(question.expiresAt).toBeGreaterThanOrEqual(before + 300);
    const device = new Device({ isVerifying: true });
    const added = await give(client, question, device.create(question).credential_response);
    expect(added.error).toBeNull();
    const { id, created_at } = added.data ?? {};
    expect(added.data).toEqual({ id, created_at, friendly_name: "Clé d’accès" });
    expect((await client.auth.passkey.list()).data).toEqual([added.data]);
    expect(await notices()).toEqual(["passkey_added"]);
    expect(await events()).toEqual(["passkey_added"]);
    // The same device is not asked a second time.
    const { options } = await askToAdd();
    expect(options.excludeCredentials?.map((key) => key.id)).toEqual([
      device.id.toString("base64url"),
    ]);
  });

  it("signs in alone, as one proof, and counts its uses", async () => {
    const { device } = await add();
    const { client: later, data, error, question } = await signInWith(device);
    expect(error).toBeNull();
    expect(question.options).toMatchObject({ rpId: SITE.rpId, userVerification: "required" });
    expect(question.options.allowCredentials ?? []).toEqual([]);
    expect(data?.user?.id).toBe(user.id);
    expect(decodeJwt(await tokenOf(later))).toMatchObject({
      sub: user.id,
      aal: "aal1",
      amr: [{ method: "passkey" }],
    });
    expect((await later.auth.getUser()).data.user?.email).toBe(user.email);
    expect((await later.auth.refreshSession()).error).toBeNull();
    expect(await state()).toMatchObject({ keys: [["Clé d’accès", 1, true]] });
    const [listed] = (await client.auth.passkey.list()).data ?? [];
    expect(listed?.last_used_at).toEqual(expect.any(String));
  });

  it.each([[true], [false]])(
    "is known to be kept elsewhere as well as the device says: %s",
    async (isSynchronised) => {
      const { id, device } = await add(client, new Device({ isVerifying: true, isSynchronised }));
      const kept = async () => {
        const [row] = await bench.database.sql`
          select backup_eligible, backed_up from auth.webauthn_credentials where id = ${id}`;
        return row;
      };
      expect(await kept()).toEqual({ backup_eligible: isSynchronised, backed_up: isSynchronised });
      expect((await signInWith(device)).error).toBeNull();
      expect(await kept()).toEqual({ backup_eligible: isSynchronised, backed_up: isSynchronised });
    },
  );

  it("signs in whoever has confirmed a number, and nobody whose number waits", async () => {
    const { device } = await add();
    const { sql } = bench.database;
    const phone = `3363998${String(next).padStart(4, "0")}`;
    await sql`update auth.users set phone = ${phone} where id = ${user.id}`;
    expect(refusal((await signInWith(device)).error)).toBe("403 phone_not_confirmed");
    await sql`update auth.users set phone_confirmed_at = now() where id = ${user.id}`;
    expect((await signInWith(device)).error).toBeNull();
  });

  it("is not found by what is no identifier", async () => {
    const { data } = await client.auth.getSession();
    const token = data.session?.access_token ?? "";
    for (const method of ["PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { friendly_name: "Téléphone" } : undefined;
      expect(
        await bench.call("/passkeys/aucune", { method, token, ...(body && { body }) }),
      ).toMatchObject({ status: 404, body: { error_code: "validation_failed" } });
    }
  });

  it("does not stand for a second factor", async () => {
    const { device } = await add();
    await addFactor(client, bench.deps.now(), "Application");
    const { client: later, error } = await signInWith(device);
    expect(error).toBeNull();
    const level = await later.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
    // Nor does it manage passkeys in such a session.
    expect(refusal((await later.auth.passkey.startRegistration()).error)).toBe(
      "403 insufficient_aal",
    );
  });

  it("gets another name, of 120 characters at most", async () => {
    const { id: passkeyId } = await add();
    const rename = (friendlyName: string, of = client) =>
      of.auth.passkey.update({ passkeyId, friendlyName });
    expect((await rename("  Mon téléphone ")).data).toMatchObject({
      id: passkeyId,
      friendly_name: "Mon téléphone",
    });
    for (const name of ["", "   ", "x".repeat(121)]) {
      expect(refusal((await rename(name)).error)).toBe("400 validation_failed");
    }
    const other = await signIn(bench.client(), await createUser(bench.database.sql));
    expect((await rename("À moi", other)).error?.status).toBe(404);
    expect(await state()).toMatchObject({ keys: [["Mon téléphone", 0, false]] });
  });

  it("opens nothing any more once it is removed, and its person is notified", async () => {
    const { id: passkeyId, device } = await add();
    const other = await signIn(bench.client(), await createUser(bench.database.sql));
    expect((await other.auth.passkey.delete({ passkeyId })).error?.status).toBe(404);
    expect((await signInWith(device)).error).toBeNull();
    expect((await client.auth.passkey.delete({ passkeyId })).error).toBeNull();
    expect((await client.auth.passkey.list()).data).toEqual([]);
    expect(refusal((await signInWith(device)).error)).toBe("400 webauthn_verification_failed");
    expect(refusal((await client.auth.passkey.delete({ passkeyId })).error)).toBe(
      "404 validation_failed",
    );
    expect(await notices()).toEqual(["passkey_added", "passkey_removed"]);
    expect(await events()).toEqual(["passkey_added", "passkey_removed"]);
  });

  it("is one of ten at most", async () => {
    const questions = [];
    for (let count = 0; count < 11; count += 1) questions.push(await askToAdd());
    const answers = await Promise.all(
      questions.map((question) =>
        give(
          client,
          question,
          new Device({ isVerifying: true }).create(question).credential_response,
        ),
      ),
    );
    const refused = answers.filter(({ error }) => error !== null);
    expect(refused.map(({ error }) => refusal(error))).toEqual(["422 too_many_passkeys"]);
    expect((await client.auth.passkey.list()).data).toHaveLength(10);
    expect(refusal((await client.auth.passkey.startRegistration()).error)).toBe(
      "422 too_many_passkeys",
    );
  });

  it("belongs to one account, and to one use", async () => {
    const { device } = await add();
    const other = await signIn(bench.client(), await createUser(bench.database.sql));
    const question = await askToAdd(other);
    const again = await give(other, question, device.create(question).credential_response);
    expect(refusal(again.error)).toBe("422 webauthn_credential_exists");
    expect((await other.auth.passkey.list()).data).toEqual([]);

    const enrolled = await client.auth.mfa.enroll({
      factorType: "webauthn",
      friendlyName: "Encore",
    });
    const factorId = enrolled.data?.id ?? "";
    const token = await tokenOf(client);
    const { body } = await bench.call(`/factors/${factorId}/challenge`, { body: {}, token });
    expect(body).toMatchObject({
      webauthn: {
        credential_options: { publicKey: { user: { name: `${user.email} (deuxième étape)` } } },
      },
    });
    const asked = body as {
      id: string;
      webauthn: { credential_options: { publicKey: { challenge: string; user: { id: string } } } };
    };
    const { publicKey } = asked.webauthn.credential_options;
    // A device keeps one key for a handle: that of the second factor does not replace this one.
    expect(Buffer.from(publicKey.user.id, "base64url").toString()).not.toBe(user.id);
    const answer = await bench.call(`/factors/${factorId}/verify`, {
      body: {
        challenge_id: asked.id,
        webauthn: device.create({ ...SITE, challenge: publicKey.challenge }),
      },
      token,
    });
    expect(answer).toMatchObject({ status: 422, body: { error_code: "mfa_verification_failed" } });
  });
});

describe("no passkey is added", () => {
  type Question = Awaited<ReturnType<typeof askToAdd>>;
  it.each<[string, (question: Question, device: Device) => Made]>([
    [
      "from another page",
      (question, device) =>
        device.create({ ...question, origin: `${ORIGIN}.voleur.net` }).credential_response,
    ],
    [
      "for another name",
      (question, device) => device.create({ ...question, rpId: "exemple.fr" }).credential_response,
    ],
    [
      "for another question",
      (question, device) => device.create({ ...question, challenge: "AAAA" }).credential_response,
    ],
    [
      "by a device that asked nobody for a finger or a code",
      (question) => new Device().create(question).credential_response,
    ],
  ])("%s", async (_, lie) => {
    const question = await askToAdd();
    const honest = new Device({ isVerifying: true });
    const lied = await give(client, question, lie(question, honest));
    expect(refusal(lied.error)).toBe("400 webauthn_verification_failed");
    // And the question is used up.
    const late = await give(client, question, honest.create(question).credential_response);
    expect(refusal(late.error)).toBe("400 webauthn_challenge_not_found");
    expect(await state()).toMatchObject({ keys: null });
  });

  it("to somebody else's question, nor to that of a sign-in", async () => {
    const other = await signIn(bench.client(), await createUser(bench.database.sql));
    for (const question of [await askToAdd(other), await askToSignIn(other)]) {
      const made = new Device({ isVerifying: true }).create(question).credential_response;
      const { error } = await give(client, question, made);
      expect(refusal(error)).toBe("400 webauthn_challenge_not_found");
    }
  });

  it("a day after the sign-in, nor removed", async () => {
    const { id: passkeyId } = await add();
    bench.advance(DAY_MS + MINUTE_MS);
    await client.auth.refreshSession();
    expect(refusal((await client.auth.passkey.startRegistration()).error)).toBe(
      "403 recent_sign_in_needed",
    );
    expect(refusal((await client.auth.passkey.delete({ passkeyId })).error)).toBe(
      "403 recent_sign_in_needed",
    );
    const recent = await signIn(bench.client(), user);
    expect((await recent.auth.passkey.delete({ passkeyId })).error).toBeNull();
  });

  it("nor removed or named by the password alone where there is a second factor", async () => {
    const { id: passkeyId } = await add();
    await addFactor(client, bench.deps.now(), "Application");
    const thief = await signIn(bench.client(), user);
    const passkeys = thief.auth.passkey;
    const tries = [
      await passkeys.startRegistration(),
      await passkeys.delete({ passkeyId }),
      await passkeys.update({ passkeyId, friendlyName: "À moi" }),
    ];
    for (const { error } of tries) expect(refusal(error)).toBe("403 insufficient_aal");
    expect((await client.auth.passkey.list()).data).toMatchObject([
      { id: passkeyId, friendly_name: "Clé d’accès" },
    ]);
  });

  it("without a session", async () => {
    for (const path of ["registration/options", "registration/verify"]) {
      expect((await bench.call(`/passkeys/${path}`, { body: {} })).status).toBe(401);
    }
    expect((await bench.call("/passkeys")).status).toBe(401);
  });
});

describe("nobody is signed in", () => {
  type Question = Awaited<ReturnType<typeof askToSignIn>>;
  it.each<[string, (question: Question, device: Device) => Used]>([
    [
      "from another page",
      (question, device) =>
        device.get({ ...question, origin: "https://autre.exemple.fr" }).credential_response,
    ],
    [
      "for another name",
      (question, device) =>
        device.get({ ...question, rpId: "autre.exemple.fr" }).credential_response,
    ],
    [
      "by an answer to another question",
      (question, device) => device.get({ ...question, challenge: "AAAA" }).credential_response,
    ],
    [
      "by a device that asked nobody for a finger or a code",
      (question, device) => {
        device.isVerifying = false;
        return device.get(question).credential_response;
      },
    ],
    [
      "by a device that nobody has added",
      (question, device) => {
        const other = new Device({ isVerifying: true });
        other.handle = device.handle;
        return other.get(question).credential_response;
      },
    ],
    [
      "by another device under this one's name",
      (question, device) => {
        const other = new Device({ isVerifying: true });
        other.handle = device.handle;
        const id = device.id.toString("base64url");
        return { ...other.get(question).credential_response, id, rawId: id };
      },
    ],
    [
      "by a key that says it is another account's",
      (question, device) => {
        device.handle = "83fd9e20-7a80-46e4-bf29-a86e3d6bbf66";
        return device.get(question).credential_response;
      },
    ],
    [
      "by a key that does not say whose it is",
      (question, device) => {
        device.handle = "";
        return device.get(question).credential_response;
      },
    ],
    [
      "by a copy, whose count goes back",
      (question, device) => {
        device.count = -1;
        return device.get(question).credential_response;
      },
    ],
  ])("%s", async (name, lie) => {
    const { device } = await add();
    expect((await signInWith(device)).error).toBeNull();
    const before = await state();
    const of = bench.client();
    const question = await askToSignIn(of);
    const { data, error } = await use(of, question, lie(question, device));
    // One refusal for all, whatever does not fit, and whether or not there is such an account.
    expect([name, refusal(error)]).toEqual([name, "400 webauthn_verification_failed"]);
    expect(data?.session ?? null).toBeNull();
    expect(await state()).toEqual(before);
  });

  it("by an answer that was given before, be it at the same moment", async () => {
    const { device } = await add();
    const of = bench.client();
    const question = await askToSignIn(of);
    const answer = device.get(question).credential_response;
    const body = { challenge_id: question.challengeId, credential: answer };
    const before = (await state())?.sessions ?? 0;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => bench.call("/passkeys/authentication/verify", { body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    expect(answers.filter(({ status }) => status === 400)).toMatchObject(
      Array.from({ length: 4 }, () => ({ body: { error_code: "webauthn_challenge_not_found" } })),
    );
    expect((await state())?.sessions).toBe(before + 1);
    // Nor to a question of its own.
    const other = await askToSignIn(of);
    expect(refusal((await use(of, other, answer)).error)).toBe("400 webauthn_verification_failed");
  });

  it("five minutes after the question, nor by the question of a registration", async () => {
    const { device } = await add();
    const of = bench.client();
    const question = await askToSignIn(of);
    bench.advance(5 * MINUTE_MS);
    const answer = device.get(question).credential_response;
    expect(refusal((await use(of, question, answer)).error)).toBe("400 webauthn_challenge_expired");
    const own = await askToAdd();
    expect(refusal((await use(of, own, device.get(own).credential_response)).error)).toBe(
      "400 webauthn_challenge_not_found",
    );
  });

  it("whose account is closed, or whose address nobody has confirmed", async () => {
    const { device } = await add();
    const { sql } = bench.database;
    const before = await state();
    await sql`update auth.users set banned_until = 'infinity' where id = ${user.id}`;
    expect(refusal((await signInWith(device)).error)).toBe("403 user_banned");
    await sql`
      update auth.users set banned_until = null, email_confirmed_at = null where id = ${user.id}`;
    expect(refusal((await signInWith(device)).error)).toBe("403 email_not_confirmed");
    expect(await state()).toEqual(before);
  });

  it.each([
    ["nothing", {}],
    ["no answer", { challenge_id: "0b6f6a0e-1111-4222-8333-444455556666" }],
    ["no identifier", { challenge_id: "abc", credential: {} }],
  ])("by %s", async (_, body) => {
    for (const kind of ["registration", "authentication"]) {
      const token = await tokenOf(client);
      expect(await bench.call(`/passkeys/${kind}/verify`, { body, token })).toMatchObject({
        status: 400,
        body: { error_code: "validation_failed" },
      });
    }
  });

  it("by what is no answer of a device", async () => {
    const of = bench.client();
    const { challengeId } = await askToSignIn(of);
    const { status, body } = await bench.call("/passkeys/authentication/verify", {
      body: { challenge_id: challengeId, credential: { id: 7 } },
    });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error_code: "webauthn_verification_failed" },
    });
  });
});

describe("the operator", () => {
  const admin = () =>
    createClient(ORIGIN, bench.deps.secrets.secretKey, {
      auth: { persistSession: false, autoRefreshToken: false, experimental: { passkey: true } },
      global: { fetch: async (input, init) => bench.service.fetch(new Request(input, init)) },
    }).auth.admin.passkey;

  it("lists and removes the passkeys of an account, whose person is notified", async () => {
    const { id: passkeyId, device } = await add();
    const userId = user.id;
    const listed = await admin().listPasskeys({ userId });
    expect(listed.data).toEqual((await client.auth.passkey.list()).data);
    const other = (await createUser(bench.database.sql)).id;
    expect((await admin().deletePasskey({ userId: other, passkeyId })).error?.status).toBe(404);
    expect((await admin().deletePasskey({ userId, passkeyId })).error).toBeNull();
    expect((await admin().listPasskeys({ userId })).data).toEqual([]);
    expect(refusal((await signInWith(device)).error)).toBe("400 webauthn_verification_failed");
    expect(await notices()).toEqual(["passkey_added", "passkey_removed"]);
  });
});
