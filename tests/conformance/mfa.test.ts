import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "#domain/text/durations.ts";
import { createUser, type User } from "../harness/fixtures.ts";
import {
  addFactor,
  codeAt,
  enrol,
  signIn,
  takeSecondStep,
  tokenOf,
  wrongCode,
} from "./support/second-factor.ts";
import { type Bench, startBench } from "./support/service.ts";

/** Second factors by an app, driven by the official client. */

const STEP_MS = 30_000;
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
  // Limits count addresses: each test comes from one of its own.
  bench.comeFrom(`198.51.100.${next}`);
  user = await createUser(bench.database.sql);
  client = await signIn(bench.client(), user);
});

const now = () => bench.deps.now();

/** How the client names a refusal. */
function refusal(error: { code?: string | undefined; status?: number | undefined } | null) {
  return error && `${error.status} ${error.code}`;
}

async function factorRows() {
  return bench.database.sql<{ id: string; status: string; secret: string | null }[]>`
    select id, status, secret from auth.mfa_factors where user_id = ${user.id} order by created_at`;
}

async function sessionRows() {
  return bench.database.sql<{ id: string; aal: string; factor_id: string | null }[]>`
    select id, aal, factor_id from auth.sessions where user_id = ${user.id} and id <> ${user.id}
    order by created_at`;
}

describe("mfa.enroll", () => {
  it("answers the secret as text, address and picture, and a factor that waits", async () => {
    const { data, error } = await client.auth.mfa.enroll({
      factorType: "totp",
      friendlyName: "Téléphone de Camille",
      issuer: "Tournavis",
    });
    expect(error).toBeNull();
    if (!data) throw new Error("nothing was answered");
    const { totp, ...rest } = data;
    expect(rest).toEqual({
      id: expect.any(String),
      type: "totp",
      friendly_name: "Téléphone de Camille",
    });
    const uri = new URL(totp.uri ?? "");
    expect(uri.protocol + uri.host).toBe("otpauth:totp");
    expect(decodeURIComponent(uri.pathname)).toBe(`/Tournavis:${user.email}`);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: totp.secret,
      issuer: "Tournavis",
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
    expect(totp.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#]*<\/svg>$/);
    const { data: listed } = await client.auth.mfa.listFactors();
    expect(listed?.totp).toEqual([]);
    expect(listed?.all).toMatchObject([
      {
        id: data?.id,
        status: "unverified",
        factor_type: "totp",
        friendly_name: rest.friendly_name,
      },
    ]);
  });

  it("names the site as the issuer when nobody else is named", async () => {
    const { data } = await client.auth.mfa.enroll({ factorType: "totp" });
    expect(new URL(data?.totp.uri ?? "").searchParams.get("issuer")).toBe("tournavis.exemple.fr");
  });

  it("keeps the secret where a copy of the database does not show it", async () => {
    const { secret } = await enrol(client);
    const [row] = await factorRows();
    expect(row?.secret).not.toContain(secret);
    expect(Buffer.from(row?.secret ?? "", "base64").toString("latin1")).not.toContain(secret);
  });

  it("refuses a second factor of the same name, and an unknown kind", async () => {
    await enrol(client, "Téléphone");
    const same = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "Téléphone" });
    expect(refusal(same.error)).toBe("422 mfa_factor_name_conflict");
    const token = await tokenOf(client);
    const unknown = await bench.call("/factors", { body: { factor_type: "sms" }, token });
    expect([unknown.status, unknown.body]).toMatchObject([
      400,
      { error_code: "validation_failed" },
    ]);
    expect(await factorRows()).toHaveLength(1);
  });

  it("refuses an eleventh, and forgets those that were begun and left", async () => {
    for (let count = 1; count <= 10; count += 1) await enrol(client, `Téléphone ${count}`);
    const eleventh = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "Onze" });
    expect(refusal(eleventh.error)).toBe("422 too_many_enrolled_mfa_factors");
    bench.advance(6 * MINUTE_MS);
    await enrol(client, "Onze");
    expect(await factorRows()).toHaveLength(1);
  });

  it("takes no sign-in for recent that a clock ahead has dated", async () => {
    bench.advance(2 * DAY_MS);
    await signIn(client, user);
    bench.advance(-2 * DAY_MS);
    await client.auth.refreshSession();
    const early = await client.auth.mfa.enroll({ factorType: "totp" });
    expect(refusal(early.error)).toBe("403 recent_sign_in_needed");
    expect(await factorRows()).toHaveLength(0);
    await signIn(client, user);
    expect((await client.auth.mfa.enroll({ factorType: "totp" })).error).toBeNull();
  });

  it("wants a recent sign-in for a first factor, however often the session was refreshed", async () => {
    bench.advance(DAY_MS + MINUTE_MS);
    await client.auth.refreshSession();
    const late = await client.auth.mfa.enroll({ factorType: "totp" });
    expect(refusal(late.error)).toBe("403 recent_sign_in_needed");
    expect(await factorRows()).toHaveLength(0);
    await signIn(client, user);
    await enrol(client);
    expect(await factorRows()).toHaveLength(1);
  });

  it("wants the second factor for another one", async () => {
    await addFactor(client, now(), "Téléphone");
    const thief = await signIn(bench.client(), user);
    const { error } = await thief.auth.mfa.enroll({ factorType: "totp", friendlyName: "Autre" });
    expect(refusal(error)).toBe("403 insufficient_aal");
    expect(await factorRows()).toHaveLength(1);
    await enrol(client, "Tablette");
    expect(await factorRows()).toHaveLength(2);
  });

  it("wants a session", async () => {
    const { error } = await bench.client().auth.mfa.enroll({ factorType: "totp" });
    expect(refusal(error)).toBe("403 bad_jwt");
  });
});

describe("mfa.challenge and mfa.verify", () => {
  it("raise the session, tell it to the page and keep it across refresh", async () => {
    const authenticator = await enrol(client);
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    const before = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(before.data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });
    const oldId = decodeJwt(await tokenOf(client)).session_id;

    const challenge = await client.auth.mfa.challenge({ factorId: authenticator.factorId });
    expect(challenge.data).toEqual({
      id: expect.any(String),
      type: "totp",
      expires_at: Math.floor((now().getTime() + 5 * MINUTE_MS) / 1000),
    });
    const { data, error } = await client.auth.mfa.verify({
      factorId: authenticator.factorId,
      challengeId: challenge.data?.id ?? "",
      code: codeAt(authenticator, now()),
    });
    expect(error).toBeNull();
    expect(data).toMatchObject({ token_type: "bearer", expires_in: 3600, user: { id: user.id } });
    expect(data?.user.factors).toMatchObject([{ id: authenticator.factorId, status: "verified" }]);
    expect(events).toContain("MFA_CHALLENGE_VERIFIED");

    const after = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(after.data).toMatchObject({ currentLevel: "aal2", nextLevel: "aal2" });
    expect(after.data?.currentAuthenticationMethods.map(methodOf).sort()).toEqual([
      "password",
      "totp",
    ]);
    await client.auth.refreshSession();
    const claims = decodeJwt(await tokenOf(client));
    expect(claims).toMatchObject({ aal: "aal2", session_id: oldId });
    expect(claims.amr).toHaveLength(2);
    expect((await client.auth.mfa.listFactors()).data?.totp).toHaveLength(1);
    expect(await bench.latest(user.email)).toMatchObject({ template: "factor_added" });
  });

  it("take a code of the 30 seconds before or after, and none that is older or newer", async () => {
    const authenticator = await enrol(client);
    const { factorId } = authenticator;
    for (const steps of [-2, 2]) {
      const code = codeAt(authenticator, now(), steps);
      const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code });
      expect(refusal(error)).toBe("422 mfa_verification_failed");
    }
    for (const steps of [-1, 0, 1]) {
      const code = codeAt(authenticator, now(), steps);
      const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code });
      expect(error).toBeNull();
    }
  });

  it("take a code once, even by two at once", async () => {
    const authenticator = await addFactor(client, now());
    const { factorId } = authenticator;
    const again = await client.auth.mfa.challengeAndVerify({
      factorId,
      code: codeAt(authenticator, now()),
    });
    expect(refusal(again.error)).toBe("422 mfa_verification_failed");

    bench.advance(STEP_MS);
    const code = codeAt(authenticator, now());
    const thieves = await Promise.all([signIn(bench.client(), user), signIn(bench.client(), user)]);
    const answers = await Promise.all(
      thieves.map((thief) => thief.auth.mfa.challengeAndVerify({ factorId, code })),
    );
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
  });

  it("refuse a wrong code and leave everything as it is", async () => {
    const authenticator = await enrol(client);
    const { factorId } = authenticator;
    for (const code of [wrongCode(authenticator, now()), "12345", "abcdef", "1234567"]) {
      const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code });
      expect(refusal(error)).toBe("422 mfa_verification_failed");
    }
    const empty = await client.auth.mfa.challengeAndVerify({ factorId, code: "" });
    expect(refusal(empty.error)).toBe("400 validation_failed");
    expect(await sessionRows()).toMatchObject([{ aal: "aal1" }]);
    expect(await factorRows()).toMatchObject([{ status: "unverified" }]);
  });

  it("refuse the answer to a question that is old, answered, put elsewhere or for another factor", async () => {
    const first = await addFactor(client, now(), "Téléphone");
    const second = await enrol(client, "Tablette");
    const ask = async (factorId: string) =>
      (await client.auth.mfa.challenge({ factorId })).data?.id ?? "";
    const answer = async (challengeId: string, factorId = first.factorId) => {
      const code = codeAt(factorId === first.factorId ? first : second, now());
      const { error } = await client.auth.mfa.verify({ factorId, challengeId, code });
      return refusal(error);
    };
    const old = await ask(first.factorId);
    bench.advance(5 * MINUTE_MS + 1000);
    expect(await answer(old)).toBe("422 mfa_challenge_expired");
    expect(await answer(await ask(second.factorId))).toBe("422 mfa_factor_not_found");
    expect(await answer(crypto.randomUUID())).toBe("422 mfa_factor_not_found");
    const elsewhere = await ask(first.factorId);
    bench.comeFrom(`203.0.113.${next}`);
    expect(await answer(elsewhere)).toBe("422 mfa_ip_address_mismatch");
    bench.comeFrom(`198.51.100.${next}`);
    const used = await ask(first.factorId);
    expect(await answer(used)).toBeNull();
    bench.advance(STEP_MS);
    expect(await answer(used)).toBe("422 mfa_ip_address_mismatch");
  });

  it("know no factor of somebody else", async () => {
    const authenticator = await addFactor(client, now());
    const stranger = await signIn(bench.client(), await createUser(bench.database.sql));
    const { factorId } = authenticator;
    const challenge = await stranger.auth.mfa.challenge({ factorId });
    expect(refusal(challenge.error)).toBe("404 mfa_factor_not_found");
    const removal = await stranger.auth.mfa.unenroll({ factorId });
    expect(refusal(removal.error)).toBe("404 mfa_factor_not_found");
    const malformed = await client.auth.mfa.challenge({ factorId: crypto.randomUUID() });
    expect(refusal(malformed.error)).toBe("404 mfa_factor_not_found");
    const token = await tokenOf(client);
    const path = await bench.call("/factors/nobody/challenge", { body: {}, token });
    expect([path.status, path.body]).toMatchObject([404, { error_code: "validation_failed" }]);
  });

  it("end the user's sessions that have one proof, and no other", async () => {
    const other = await signIn(bench.client(), user);
    const strong = await signIn(bench.client(), user);
    const authenticator = await addFactor(strong, now());
    expect((await other.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    bench.advance(STEP_MS);
    await signIn(client, user);
    await takeSecondStep(client, authenticator, now());
    expect((await strong.auth.getUser()).error).toBeNull();
    expect(await sessionRows()).toMatchObject([{ aal: "aal2" }, { aal: "aal2" }]);
  });

  it("remove what else was begun", async () => {
    await enrol(client, "Abandonné");
    const { factorId } = await addFactor(client, now(), "Téléphone");
    expect((await factorRows()).map(({ id }) => id)).toEqual([factorId]);
  });
});

/** Ends the short windows of the limits, whose clock is the database's. */
async function passQuarterOfAnHour(): Promise<void> {
  await bench.database.sql`delete from private.rate_limits where key like 'auth mfa %'`;
}

function methodOf(entry: string | { method: string }): string {
  return typeof entry === "string" ? entry : entry.method;
}

describe("mfa.unenroll", () => {
  it("takes the factor, the level of the sessions that rest on it, and the recovery codes", async () => {
    const { factorId } = await addFactor(client, now());
    await bench.database.sql`
      insert into private.recovery_codes (user_id, code_hash)
      values (${user.id}, private.recovery_code_hash(${user.id}, 'A'))`;
    const { data, error } = await client.auth.mfa.unenroll({ factorId });
    expect(error).toBeNull();
    expect(data).toEqual({ id: factorId });
    expect(await factorRows()).toHaveLength(0);
    expect(await sessionRows()).toMatchObject([{ aal: "aal1", factor_id: null }]);
    const codes = await bench.database.sql`
      select from private.recovery_codes where user_id = ${user.id}`;
    expect(codes).toHaveLength(0);
    await client.auth.refreshSession();
    const { data: level } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });
    expect(level?.currentAuthenticationMethods.map(methodOf)).toEqual(["password"]);
    expect(await bench.latest(user.email)).toMatchObject({ template: "factor_removed" });
  });

  it("refuses a session that has not used it", async () => {
    const { factorId } = await addFactor(client, now());
    const thief = await signIn(bench.client(), user);
    const { error } = await thief.auth.mfa.unenroll({ factorId });
    expect(refusal(error)).toBe("422 insufficient_aal");
    expect(await factorRows()).toMatchObject([{ status: "verified" }]);
  });

  it("takes one that was never finished from anybody who is signed in", async () => {
    const { factorId } = await enrol(client);
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    expect(await factorRows()).toHaveLength(0);
    expect(await bench.messages(user.email)).toEqual([]);
  });
});

describe("somebody who has the password and not the factor", () => {
  it("may guess ten times in a quarter of an hour, from wherever", async () => {
    const authenticator = await addFactor(client, now());
    const { factorId } = authenticator;
    const thief = await signIn(bench.client(), user);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      bench.comeFrom(`203.0.${next}.${attempt}`);
      const code = wrongCode(authenticator, now());
      const { error } = await thief.auth.mfa.challengeAndVerify({ factorId, code });
      expect(refusal(error)).toBe("422 mfa_verification_failed");
    }
    const token = await tokenOf(thief);
    const challenge = await thief.auth.mfa.challenge({ factorId });
    const answer = await bench.call(`/factors/${factorId}/verify`, {
      body: { challenge_id: challenge.data?.id, code: codeAt(authenticator, now(), 1) },
      token,
    });
    expect([answer.status, answer.body]).toMatchObject([
      429,
      { error_code: "over_request_rate_limit" },
    ]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await sessionRows()).at(-1)).toMatchObject({ aal: "aal1" });
  });

  it("may guess fifty times a day at most, with pauses in between", async () => {
    const authenticator = await addFactor(client, now());
    const thief = await signIn(bench.client(), user);
    const { factorId } = authenticator;
    const { data: challenge } = await thief.auth.mfa.challenge({ factorId });
    const challengeId = challenge?.id ?? "";
    // Setting the factor up was the first.
    for (let attempt = 2; attempt <= 50; attempt += 1) {
      const code = wrongCode(authenticator, now());
      const { error } = await thief.auth.mfa.verify({ factorId, challengeId, code });
      expect(refusal(error)).toBe("422 mfa_verification_failed");
      await passQuarterOfAnHour();
    }
    const code = codeAt(authenticator, now(), 1);
    const { error } = await thief.auth.mfa.verify({ factorId, challengeId, code });
    expect(refusal(error)).toBe("429 over_request_rate_limit");
    expect((await sessionRows()).at(-1)).toMatchObject({ aal: "aal1" });
  });

  it("gets nothing for the refresh token from before the second step, not even at once", async () => {
    const authenticator = await addFactor(client, now());
    bench.advance(STEP_MS);
    const owner = await signIn(bench.client(), user);
    const stolen = (await owner.auth.getSession()).data.session?.refresh_token ?? "";
    await takeSecondStep(owner, authenticator, now());
    const { data, error } = await bench.client().auth.refreshSession({ refresh_token: stolen });
    expect(data.session).toBeNull();
    expect(refusal(error)).toBe("400 refresh_token_not_found");
    expect((await owner.auth.refreshSession()).error).toBeNull();
  });

  it("changes neither password nor address, with a token of either age", async () => {
    const authenticator = await addFactor(client, now());
    bench.advance(STEP_MS);
    const thief = await signIn(bench.client(), user);
    const early = await tokenOf(thief);
    const change = async (token: string) => {
      const body = { password: "un-autre-mot-de-passe", email: "voleur@exemple.fr" };
      const answer = await bench.call("/user", { method: "PUT", body, token });
      expect([answer.status, answer.body]).toMatchObject([401, { error_code: "insufficient_aal" }]);
    };
    await change(early);
    // The owner's own session is strengthened; a copy of its token from before is not.
    await takeSecondStep(thief, authenticator, now());
    await change(early);
    const [row] = await bench.database.sql`
      select email, email_change from auth.users where id = ${user.id}`;
    expect(row).toEqual({ email: user.email, email_change: null });
  });

  it("finishes no factor that was begun before another one counted", async () => {
    const thief = await signIn(bench.client(), user);
    const { data: planted } = await thief.auth.mfa.enroll({
      factorType: "phone",
      phone: "+33600000001",
    });
    await addFactor(client, now(), "Téléphone");
    await signIn(thief, user);
    const factorId = planted?.id ?? "";
    const challenge = await thief.auth.mfa.challenge({ factorId, channel: "sms" });
    const { data } = await bench.latest("33600000001");
    const code = /\d{6}/.exec(data.body ?? "")?.[0] ?? "";
    const { error } = await thief.auth.mfa.verify({
      factorId,
      challengeId: challenge.data?.id ?? "",
      code,
    });
    expect(refusal(error)).toBe("403 insufficient_aal");
    expect((await factorRows()).filter(({ status }) => status === "verified")).toHaveLength(1);
  });
});

describe("a phone as the second factor", () => {
  const phone = "+33 6 12 34 56 78";
  const digits = "33612345678";

  async function sent(to = digits): Promise<string> {
    const { data } = await bench.latest(to);
    expect(data.body).toMatch(
      /^Tournavis : votre code de connexion est \d{6}\. Il est valable 5 minutes\. Ne le donnez à personne\.$/,
    );
    return /\d{6}/.exec(data.body ?? "")?.[0] ?? "";
  }

  it("gets a code that raises the session once", async () => {
    const { data: factor, error } = await client.auth.mfa.enroll({ factorType: "phone", phone });
    expect(error).toBeNull();
    expect(factor).toEqual({ id: expect.any(String), type: "phone", friendly_name: "", phone });
    const factorId = factor?.id ?? "";
    const challenge = await client.auth.mfa.challenge({ factorId, channel: "sms" });
    expect(challenge.data).toMatchObject({ type: "phone" });
    const challengeId = challenge.data?.id ?? "";
    const code = await sent();
    const wrong = code === "000000" ? "000001" : "000000";
    const failed = await client.auth.mfa.verify({ factorId, challengeId, code: wrong });
    expect(refusal(failed.error)).toBe("422 mfa_verification_failed");
    const verified = await client.auth.mfa.verify({ factorId, challengeId, code });
    expect(verified.error).toBeNull();
    expect(decodeJwt(await tokenOf(client))).toMatchObject({ aal: "aal2" });
    const { data: level } = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level?.currentAuthenticationMethods.map(methodOf)).toContain("mfa/phone");
    const again = await client.auth.mfa.verify({ factorId, challengeId, code });
    expect(refusal(again.error)).toBe("422 mfa_ip_address_mismatch");
    const { data: listed } = await client.auth.mfa.listFactors();
    expect(listed?.phone).toMatchObject([{ id: factorId, phone: digits }]);
    const [stored] = await bench.database.sql`
      select otp_code from auth.mfa_challenges where id = ${challengeId}`;
    expect(stored?.otp_code).not.toContain(code);
  });

  it("gets one code a minute", async () => {
    const { data: factor } = await client.auth.mfa.enroll({
      factorType: "phone",
      phone: "+33611111111",
    });
    const ask = () => client.auth.mfa.challenge({ factorId: factor?.id ?? "", channel: "sms" });
    expect((await ask()).error).toBeNull();
    expect(refusal((await ask()).error)).toBe("429 over_sms_send_rate_limit");
    expect(await bench.messages("33611111111")).toHaveLength(1);
    bench.advance(MINUTE_MS + 1);
    expect((await ask()).error).toBeNull();
    expect(await bench.messages("33611111111")).toHaveLength(2);
  });

  it("has to be a number, and one that is not in use already", async () => {
    const none = await client.auth.mfa.enroll({ factorType: "phone", phone: "06" });
    expect(refusal(none.error)).toBe("400 validation_failed");
    await bench.database.sql`
      insert into auth.mfa_factors (id, user_id, factor_type, status, phone, created_at, updated_at)
      values (gen_random_uuid(), ${user.id}, 'phone', 'verified', ${digits}, now(), now())`;
    const same = await client.auth.mfa.enroll({ factorType: "phone", phone });
    expect(refusal(same.error)).toBe("422 mfa_verified_factor_exists");
  });

  it("is refused where no messages reach anybody", async () => {
    bench.settings.hasPhone = false;
    try {
      const { error } = await client.auth.mfa.enroll({ factorType: "phone", phone });
      expect(refusal(error)).toBe("422 mfa_phone_enroll_not_enabled");
    } finally {
      bench.settings.hasPhone = true;
    }
  });
});
