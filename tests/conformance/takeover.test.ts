import { createHash, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  createFactor,
  createOrganization,
  createPasskey,
  createSession,
} from "../harness/fixtures.ts";
import { type Bench, startBench } from "./support/service.ts";

/**
 * A stranger and the owner of an address, or of a number, in every order of sign-ups and messages, over HTTP alone. What the
 * stranger gave never opens the account that the owner confirms, and what the owner gave does.
 */

const STRANGERS = "le mot de passe du voleur";
const OWNERS = "une phrase bien à moi";
const PROOF = { verifier: randomBytes(42).toString("base64url") };
const challenge = {
  code_challenge: createHash("sha256").update(PROOF.verifier).digest("base64url"),
  code_challenge_method: "s256",
};
/** The stranger's, whose verifier the owner never has. */
const otherChallenge = {
  code_challenge: createHash("sha256").update("somebody else's").digest("base64url"),
  code_challenge_method: "s256",
};

const session = z.object({ access_token: z.string(), user: z.object({ id: z.string() }) });

let bench: Bench;
let serial = 0;
beforeAll(async () => {
  bench = await startBench({ settings: { allowsAnonymous: true, requiresReauthentication: true } });
});
afterAll(() => bench.stop());

function newEmail(): string {
  serial += 1;
  bench.comeFrom(`198.51.100.${serial}`);
  return `proprietaire-${randomUUID().slice(0, 8)}@exemple.fr`;
}

async function post(path: string, body: unknown): Promise<void> {
  expect(await bench.call(path, { body })).toMatchObject({ status: 200 });
  await bench.settle();
}

const strangerSignsUp = (email: string, more = {}) =>
  post("/signup", { email, password: STRANGERS, data: { full_name: "Voleur" }, ...more });
const ownerSignsUp = (email: string, more = {}) =>
  post("/signup", { email, password: OWNERS, data: { full_name: "Alex" }, ...more });

/** Opens the link of the newest mail; answers where it leads. */
async function open(email: string, by: "browser" | "program" = "browser"): Promise<URL> {
  const { data } = await bench.latest(email);
  const headers = by === "browser" ? { accept: "text/html,application/xhtml+xml" } : {};
  const response = await bench.service.fetch(new Request(data.url ?? "", { headers }));
  expect(response.status).toBe(303);
  return new URL(response.headers.get("location") ?? "");
}

const fragmentOf = (url: URL) => new URLSearchParams(url.hash.slice(1));

/** Rights of an account's person afterwards, and the data known of them. */
async function standing(email: string) {
  const [row] = await bench.database.sql<{ confirmed: boolean; name: string | null }[]>`
    select email_confirmed_at is not null as confirmed, raw_user_meta_data ->> 'full_name' as name
    from auth.users where email = ${email}`;
  const status = async (password: string) =>
    (await bench.call("/token?grant_type=password", { body: { email, password } })).status;
  return { ...row, owner: await status(OWNERS), stranger: await status(STRANGERS) };
}

const WAITING = { confirmed: false, owner: 400, stranger: 400 };
const OWNED = { confirmed: true, name: "Alex", owner: 200, stranger: 400 };

/** As the page does that asks for a name and a password: the link's token first, then what was given. */
async function giveOwn(email: string, location: URL): Promise<void> {
  expect(fragmentOf(location).get("access_token")).toBeNull();
  expect(await standing(email)).toMatchObject(WAITING);
  const body = { type: "signup", token_hash: fragmentOf(location).get("confirm") };
  const verified = await bench.call("/verify", { body });
  expect(verified.status).toBe(200);
  expect(await standing(email)).toMatchObject({ confirmed: true, name: null, stranger: 400 });
  await choose(session.parse(verified.body).access_token);
  expect(await standing(email)).toMatchObject(OWNED);
}

async function choose(token: string): Promise<void> {
  const body = { password: OWNERS, data: { full_name: "Alex" } };
  expect((await bench.call("/user", { method: "PUT", token, body })).status).toBe(200);
}

function exchange(location: URL) {
  const body = { auth_code: location.searchParams.get("code"), code_verifier: PROOF.verifier };
  return bench.call("/token?grant_type=pkce", { body });
}

/** The code of the newest mail. */
async function codeFor(to: string): Promise<string> {
  const { data } = await bench.latest(to);
  return data.code ?? /\d{6}/.exec(data.body ?? "")?.[0] ?? "";
}

describe("a link that the owner opens", () => {
  test.each([
    ["after the stranger alone", {}],
    ["after the stranger alone, who waits for its code", otherChallenge],
  ])("%s asks for a name and a password before anything else", async (_, more) => {
    const email = newEmail();
    await strangerSignsUp(email, more);
    const location = await open(email);
    expect(location.pathname).toBe("code_challenge" in more ? "/" : "/auth");
    await giveOwn(email, location);
  });

  test.each(["browser", "program"] as const)(
    "after both signed up asks the same, of a %s",
    async (by) => {
      for (const order of [
        [strangerSignsUp, ownerSignsUp],
        [ownerSignsUp, strangerSignsUp],
      ]) {
        const email = newEmail();
        for (const signUp of order) await signUp(email);
        await giveOwn(email, await open(email, by));
      }
    },
  );

  test("keeps the owner's password where the owner's browser signed up last", async () => {
    const email = newEmail();
    await strangerSignsUp(email);
    await ownerSignsUp(email, challenge);
    const location = await open(email);
    expect(await standing(email)).toMatchObject(WAITING);
    expect((await exchange(location)).status).toBe(200);
    expect(await standing(email)).toEqual(OWNED);
  });

  test("keeps nothing of a stranger who signed up after the owner's browser", async () => {
    const email = newEmail();
    await ownerSignsUp(email, challenge);
    await strangerSignsUp(email, otherChallenge);
    const location = await open(email);
    expect(await exchange(location)).toMatchObject({
      status: 400,
      body: { error_code: "bad_code_verifier" },
    });
    await giveOwn(email, location);
  });

  test("keeps nothing of a stranger who signs up between the link and its code", async () => {
    const email = newEmail();
    await ownerSignsUp(email, challenge);
    const location = await open(email);
    await strangerSignsUp(email);
    expect(await exchange(location)).toMatchObject({
      status: 404,
      body: { error_code: "flow_state_not_found" },
    });
    expect(await standing(email)).toMatchObject(WAITING);
  });

  test("keeps nothing of the stranger whose mail the owner has sent again", async () => {
    const email = newEmail();
    await strangerSignsUp(email);
    await post("/resend", { type: "signup", email, ...challenge });
    const exchanged = await exchange(await open(email));
    expect(await standing(email)).toMatchObject({ confirmed: true, name: null, stranger: 400 });
    await choose(session.parse(exchanged.body).access_token);
    expect(await standing(email)).toMatchObject(OWNED);
  });

  test("keeps the password of the only sign-up, in the browser that signed up, also sent again", async () => {
    const email = newEmail();
    await ownerSignsUp(email, challenge);
    await post("/resend", { type: "signup", email, ...otherChallenge });
    // Opened twice, as by a program that looks at links first.
    await open(email);
    expect((await exchange(await open(email))).status).toBe(200);
    expect(await standing(email)).toEqual(OWNED);
    expect(fragmentOf(await open(email)).get("error_code")).toBe("otp_expired");
  });

  test("keeps the password of the only sign-up for a program, as on the hosted platform", async () => {
    const email = newEmail();
    await ownerSignsUp(email);
    expect(fragmentOf(await open(email, "program")).get("access_token")).toBeTruthy();
    expect(await standing(email)).toEqual(OWNED);
  });
});

describe("another message that the owner asked for", () => {
  test.each([
    ["a forgotten password", "/recover", "recovery"],
    ["a sign-in without a password", "/otp", "signup"],
  ])("%s, typed, keeps nothing of the stranger", async (_, path, type) => {
    const email = newEmail();
    await strangerSignsUp(email);
    await post(path, { email });
    const typed = await bench.call("/verify", {
      body: { type, email, token: await codeFor(email) },
    });
    expect(typed.status).toBe(200);
    expect(await standing(email)).toMatchObject({ confirmed: true, name: null, stranger: 400 });
    await choose(session.parse(typed.body).access_token);
    expect(await standing(email)).toMatchObject(OWNED);
  });

  test("a forgotten password ends sessions and second factors that somebody left", async () => {
    const email = newEmail();
    await strangerSignsUp(email);
    const [user] = await bench.database.sql<{ id: string }[]>`
      select id from auth.users where email = ${email}`;
    if (user === undefined) throw new Error("No account.");
    // Rows as an earlier version, or another service on the same tables, could have left them.
    await createFactor(bench.database.sql, user);
    await createPasskey(bench.database.sql, user);
    await createSession(bench.database.sql, user);
    await post("/recover", { email });
    const fragment = fragmentOf(await open(email));
    await choose(fragment.get("access_token") ?? "");
    expect(await standing(email)).toMatchObject(OWNED);
    const left = await bench.database.sql`
      select id from auth.mfa_factors where user_id = ${user.id}
      union all select id from auth.webauthn_credentials where user_id = ${user.id}`;
    expect(left).toHaveLength(0);
  });
});

test("a code that is typed keeps nothing of either, once both signed up", async () => {
  const email = newEmail();
  await ownerSignsUp(email);
  await strangerSignsUp(email);
  const body = { type: "signup", email, token: await codeFor(email) };
  expect((await bench.call("/verify", { body })).status).toBe(200);
  expect(await standing(email)).toEqual({ confirmed: true, name: null, owner: 400, stranger: 400 });
});

test("the code of a text message keeps nothing of a stranger who signed up with the number", async () => {
  newEmail();
  const phone = "33639980150";
  await post("/signup", { phone, password: STRANGERS });
  await post("/signup", { phone, password: OWNERS });
  const body = { type: "sms", phone, token: await codeFor(phone) };
  const typed = await bench.call("/verify", { body });
  const signIn = async (password: string) =>
    (await bench.call("/token?grant_type=password", { body: { phone, password } })).status;
  expect([await signIn(STRANGERS), await signIn(OWNERS)]).toEqual([400, 400]);
  await choose(session.parse(typed.body).access_token);
  expect([await signIn(STRANGERS), await signIn(OWNERS)]).toEqual([400, 200]);
});

describe("an invitation that waits for the address", () => {
  async function invite(email: string): Promise<{ orgId: string; id: string }> {
    const organization = await createOrganization(bench.database.sql);
    const [row] = await bench.database.sql<{ id: string }[]>`
      insert into private.invitations (org_id, email, role, token_hash, invited_by)
      values (${organization.id}, ${email}, 'admin', sha256(convert_to(${email}, 'UTF8')), ${organization.users.owner.id})
      returning id`;
    return { orgId: organization.id, id: row?.id ?? "" };
  }

  /** Answer of the data API to a token, in its own words. */
  async function accept(token: string, id: string): Promise<string> {
    const claims = z
      .object({ sub: z.string(), session_id: z.string() })
      .parse(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()));
    const caller = { userId: claims.sub, sessionId: claims.session_id };
    return bench.database
      .as(caller, async (sql) => {
        const [row] = await sql`select public.waiting_invitation() as found`;
        const before = row?.found === null ? "unseen" : "seen";
        await sql`select public.accept_waiting_invitation(${id})`;
        return before;
      })
      .catch((error: { code?: string }) => error.code ?? "failed");
  }

  const signInAs = async (email: string, password: string) => {
    const { body } = await bench.call("/token?grant_type=password", { body: { email, password } });
    return session.parse(body).access_token;
  };

  test("is not for somebody whose account took the address on", async () => {
    const [email, own] = [newEmail(), newEmail()];
    const { id } = await invite(email);
    await strangerSignsUp(own);
    await open(own, "program");
    const token = await signInAs(own, STRANGERS);
    const asked = await bench.call("/user", { method: "PUT", token, body: { email } });
    expect(asked.status).toBe(200);
    await open(own);
    expect(fragmentOf(await open(email)).get("type")).toBe("email_change");
    expect((await bench.call("/user", { token })).body).toMatchObject({ email });
    expect(await accept(token, id)).toBe("TV102");
  });

  test("is not for a visitor who took the address on", async () => {
    const email = newEmail();
    const { id } = await invite(email);
    const { access_token: token } = session.parse((await bench.call("/signup", { body: {} })).body);
    await bench.call("/user", { method: "PUT", token, body: { email } });
    await open(email);
    expect((await bench.call("/user", { token })).body).toMatchObject({ email });
    expect(await accept(token, id)).toBe("TV102");
  });

  test("is not for the password of a sign-up that a program confirmed, but for that link's session", async () => {
    const email = newEmail();
    const { id } = await invite(email);
    await strangerSignsUp(email);
    const fragment = fragmentOf(await open(email, "program"));
    expect(await accept(await signInAs(email, STRANGERS), id)).toBe("TV102");
    expect(await accept(fragment.get("access_token") ?? "", id)).toBe("seen");
  });

  test("is for whoever confirmed the address with a password of their own", async () => {
    const email = newEmail();
    const { id } = await invite(email);
    await strangerSignsUp(email);
    await ownerSignsUp(email);
    await giveOwn(email, await open(email));
    expect(await accept(await signInAs(email, OWNERS), id)).toBe("seen");
  });
});

test("a verifier that goes out in the clear is refused wherever it is read", async () => {
  const email = newEmail();
  const plain = { code_challenge: PROOF.verifier, code_challenge_method: "plain" };
  for (const [path, body] of [
    ["/signup", { email, password: OWNERS, ...plain }],
    ["/otp", { email, ...plain }],
    ["/recover", { email, ...plain }],
    ["/resend", { type: "signup", email, ...plain }],
  ] as const) {
    expect(await bench.call(path, { body })).toMatchObject({
      status: 400,
      body: { error_code: "validation_failed" },
    });
  }
  expect(await bench.messages(email)).toEqual([]);
});
