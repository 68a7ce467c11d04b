import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { MINUTE_MS } from "#domain/text/durations.ts";
import { createUser, type User } from "../harness/fixtures.ts";
import { Device } from "./support/device.ts";
import { addFactor, signIn, tokenOf } from "./support/second-factor.ts";
import { type Bench, startBench } from "./support/service.ts";

/** The key of a device as a second factor: asked for by the official client, answered by a device that may lie. */

const SITE = { origin: "https://tournavis.exemple.fr", rpId: "tournavis.exemple.fr" };
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

async function begin(of: Client = client, friendlyName = "Ordinateur"): Promise<string> {
  const { data, error } = await of.auth.mfa.enroll({ factorType: "webauthn", friendlyName });
  if (error) throw error;
  return data.id;
}

/** The question that the official client gets for a factor. */
async function ask(factorId: string, of: Client = client) {
  const webauthn = { rpId: SITE.rpId, rpOrigins: [SITE.origin] };
  const { data, error } = await of.auth.mfa.challenge({ factorId, webauthn });
  if (error) throw error;
  const { publicKey } = data.webauthn.credential_options;
  const { challenge } = publicKey;
  const bytes =
    "buffer" in challenge ? new Uint8Array(challenge.buffer) : new Uint8Array(challenge);
  return {
    ...{ ...SITE, challengeId: data.id, type: data.webauthn.type, publicKey },
    challenge: Buffer.from(bytes).toString("base64url"),
  };
}

type Question = Awaited<ReturnType<typeof ask>>;
type Answer = ReturnType<Device["create"]> | ReturnType<Device["get"]>;

async function give(factorId: string, { challengeId }: Question, webauthn: Answer, of = client) {
  return bench.call(`/factors/${factorId}/verify`, {
    body: { challenge_id: challengeId, webauthn: { ...webauthn, ...SITE } },
    token: await tokenOf(of),
  });
}

const tokens = z.object({ access_token: z.string(), refresh_token: z.string() });

/** Goes on with the session of an answer. */
async function goOn(answer: { body: unknown }, of = client): Promise<void> {
  const { access_token, refresh_token } = tokens.parse(answer.body);
  const { error } = await of.auth.setSession({ access_token, refresh_token });
  if (error) throw error;
}

/** Adds the key of a device; the session is as strong as can be then. */
async function add(device = new Device()): Promise<{ factorId: string; device: Device }> {
  const factorId = await begin();
  const question = await ask(factorId);
  const answer = await give(factorId, question, device.create(question));
  expect(answer.status).toBe(200);
  await goOn(answer);
  return { factorId, device };
}

async function factorRow(id: string) {
  const [row] = await bench.database.sql<{ status: string; count: number | null }[]>`
    select status, (web_authn_credential #>> '{authenticator,signCount}')::integer as count
    from auth.mfa_factors where id = ${id}`;
  return row;
}

const REFUSED = { status: 422, body: { error_code: "mfa_verification_failed" } };

describe("the key of a device", () => {
  it("is added, and makes the session one of two proofs", async () => {
    const factorId = await begin();
    expect(await factorRow(factorId)).toEqual({ status: "unverified", count: null });
    const question = await ask(factorId);
    expect(question.type).toBe("create");
    expect(question.publicKey).toMatchObject({
      rp: { id: SITE.rpId, name: "Tournavis" },
      user: { name: `${user.email} (deuxième étape)` },
      attestation: "none",
    });
    const answer = await give(factorId, question, new Device().create(question));
    expect(answer.status).toBe(200);
    await goOn(answer);
    expect(decodeJwt(await tokenOf(client))).toMatchObject({
      aal: "aal2",
      amr: expect.arrayContaining([expect.objectContaining({ method: "mfa/webauthn" })]),
    });
    const { data } = await client.auth.mfa.listFactors();
    expect(data?.webauthn).toMatchObject([{ id: factorId, status: "verified" }]);
  });

  it("is asked for at the next sign-in, and counts its uses", async () => {
    const { factorId, device } = await add();
    const later = await signIn(bench.client(), user);
    const level = await later.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
    const question = await ask(factorId, later);
    expect(question.type).toBe("request");
    expect(question.publicKey).toMatchObject({
      rpId: SITE.rpId,
      allowCredentials: [{ type: "public-key" }],
    });
    const answer = await give(factorId, question, device.get(question), later);
    expect(answer.status).toBe(200);
    await goOn(answer, later);
    expect(decodeJwt(await tokenOf(later)).aal).toBe("aal2");
    expect(await factorRow(factorId)).toEqual({ status: "verified", count: 1 });
  });

  it("leaves one proof when it is removed", async () => {
    const { factorId } = await add();
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    expect(await factorRow(factorId)).toBeUndefined();
    await client.auth.refreshSession();
    expect(decodeJwt(await tokenOf(client)).aal).toBe("aal1");
  });

  it("is not offered again to the device that has it", async () => {
    const { device } = await add();
    const question = await ask(await begin(client, "Encore"));
    const { publicKey } = question;
    const excluded = "excludeCredentials" in publicKey ? publicKey.excludeCredentials : [];
    expect(excluded?.map(({ id }) => Buffer.from(new Uint8Array(id as ArrayBuffer)))).toEqual([
      device.id,
    ]);
  });
});

describe("nothing is taken", () => {
  it.each<[string, (question: Question, device: Device) => Answer]>([
    [
      "from another page",
      (question, device) =>
        device.create({ ...question, origin: "https://tournavis.exemple.fr.voleur.net" }),
    ],
    [
      "from a page without encryption",
      (question, device) => device.create({ ...question, origin: "http://tournavis.exemple.fr" }),
    ],
    ["for another name", (question, device) => device.create({ ...question, rpId: "exemple.fr" })],
    [
      "to another question",
      (question, device) => device.create({ ...question, challenge: "AAAA" }),
    ],
    ["of a use where a key is to be made", (question, device) => device.get(question)],
  ])("%s when a key is made", async (_, lie) => {
    const factorId = await begin();
    const question = await ask(factorId);
    expect(await give(factorId, question, lie(question, new Device()))).toMatchObject(REFUSED);
    expect(await factorRow(factorId)).toEqual({ status: "unverified", count: null });
  });

  it.each<[string, (question: Question, device: Device) => Answer]>([
    [
      "from another page",
      (question, device) => device.get({ ...question, origin: "https://autre.exemple.fr" }),
    ],
    [
      "for another name",
      (question, device) => device.get({ ...question, rpId: "autre.exemple.fr" }),
    ],
    ["to another question", (question, device) => device.get({ ...question, challenge: "AAAA" })],
    ["by another device", (question) => new Device().get(question)],
    [
      "by another device under this one's name",
      (question, device) => {
        const { type, credential_response } = new Device().get(question);
        const id = device.id.toString("base64url");
        return { type, credential_response: { ...credential_response, id, rawId: id } };
      },
    ],
    ["by a new key", (question, device) => device.create(question)],
  ])("%s when a key is used", async (_, lie) => {
    const { factorId, device } = await add();
    const later = await signIn(bench.client(), user);
    const question = await ask(factorId, later);
    expect(await give(factorId, question, lie(question, device), later)).toMatchObject(REFUSED);
    expect(decodeJwt(await tokenOf(later)).aal).toBe("aal1");
    expect(await factorRow(factorId)).toEqual({ status: "verified", count: 0 });
  });

  it("of an answer that was taken before", async () => {
    const { factorId, device } = await add();
    const later = await signIn(bench.client(), user);
    const question = await ask(factorId, later);
    const answer = device.get(question);
    expect((await give(factorId, question, answer, later)).status).toBe(200);
    const again = await signIn(bench.client(), user);
    expect(await give(factorId, question, answer, again)).toMatchObject({ status: 422 });
    // Nor to a question of its own.
    const other = await ask(factorId, again);
    expect(await give(factorId, other, answer, again)).toMatchObject(REFUSED);
  });

  it("of a copy, whose count goes back", async () => {
    const { factorId, device } = await add();
    const use = async (count: number) => {
      device.count = count;
      const later = await signIn(bench.client(), user);
      const question = await ask(factorId, later);
      return give(factorId, question, device.get(question), later);
    };
    expect((await use(5)).status).toBe(200);
    expect(await use(5)).toMatchObject(REFUSED);
    expect(await use(2)).toMatchObject(REFUSED);
    expect((await use(6)).status).toBe(200);
  });

  it("of an answer that comes too late", async () => {
    const { factorId, device } = await add();
    const later = await signIn(bench.client(), user);
    const question = await ask(factorId, later);
    bench.advance(6 * MINUTE_MS);
    expect(await give(factorId, question, device.get(question), later)).toMatchObject({
      status: 422,
      body: { error_code: "mfa_challenge_expired" },
    });
  });

  it("of somebody else's key", async () => {
    const { factorId, device } = await add();
    const other = await signIn(bench.client(), await createUser(bench.database.sql));
    // Their factor is not there for others, and their device makes no factor of others.
    const foreign = await bench.call(`/factors/${factorId}/challenge`, {
      body: {},
      token: await tokenOf(other),
    });
    expect(foreign).toMatchObject({ status: 404, body: { error_code: "mfa_factor_not_found" } });
    const own = await begin(other);
    const question = await ask(own, other);
    expect(await give(own, question, device.create(question), other)).toMatchObject(REFUSED);
    expect(await factorRow(own)).toEqual({ status: "unverified", count: null });
  });

  it("of a code in its place, nor of a key in the place of a code", async () => {
    const { factorId } = await add();
    const question = await ask(factorId);
    const token = await tokenOf(client);
    const code = await bench.call(`/factors/${factorId}/verify`, {
      body: { challenge_id: question.challengeId, code: "123456" },
      token,
    });
    expect(code).toMatchObject({ status: 400, body: { error_code: "validation_failed" } });
  });

  it("without the second factor that is there, to add another", async () => {
    await addFactor(client, bench.deps.now(), "Application");
    const thief = await signIn(bench.client(), user);
    const { error } = await thief.auth.mfa.enroll({
      factorType: "webauthn",
      friendlyName: "À moi",
    });
    expect(error?.code).toBe("insufficient_aal");
  });
});
