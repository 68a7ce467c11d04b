import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINUTE_MS } from "#domain/text/durations.ts";
import { createUser, PASSWORD } from "../harness/fixtures.ts";
import { type Bench, startBench } from "./support/service.ts";

/** Links of mails: one hour, once, to our own pages only. */

const SITE = "https://tournavis.exemple.fr";

/** An access token, as it stands in a fragment. */
const A_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

let bench: Bench;
beforeAll(async () => {
  bench = await startBench({ settings: { redirectAllowList: ["https://ami.exemple.fr"] } });
});
afterAll(() => bench.stop());

/** Follows a link of a mail as a browser would; answers where it leads. */
async function follow(url: string | undefined, headers: HeadersInit = {}): Promise<URL> {
  const request = new Request(url ?? "", { redirect: "manual", headers });
  const response = await bench.service.fetch(request);
  expect(response.status).toBe(303);
  return new URL(response.headers.get("location") ?? "");
}

const fragmentOf = (url: URL) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)));

async function askForRecovery(redirectTo = `${SITE}/auth/reset-password`) {
  const user = await createUser(bench.database.sql);
  const client = bench.client();
  const { error } = await client.auth.resetPasswordForEmail(user.email, { redirectTo });
  expect(error).toBeNull();
  return { user, client, message: await bench.latest(user.email) };
}

describe("a forgotten password", () => {
  test("keeps its link until somebody presses a button, whatever opens it as a page", async () => {
    const { user, message } = await askForRecovery();
    const headers = { accept: "text/html,application/xhtml+xml" };
    const open = () => follow(message.data.url, headers);
    const [first, second] = [await open(), await open()];
    expect(second.href).toBe(first.href);
    expect(`${first.origin}${first.pathname}${first.search}`).toBe(`${SITE}/auth/reset-password`);
    const token = new URL(message.data.url ?? "").searchParams.get("token") ?? "";
    expect(fragmentOf(first)).toEqual({ recovery: token });

    // Another browser than the one that asked, which holds no verifier.
    const client = bench.client();
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    const opened = await client.auth.verifyOtp({ type: "recovery", token_hash: token });
    expect(opened.data.user?.id).toBe(user.id);
    expect(events).toContain("PASSWORD_RECOVERY");
    expect((await client.auth.updateUser({ password: "quatre petits chats" })).error).toBeNull();

    const again = await bench.client().auth.verifyOtp({ type: "recovery", token_hash: token });
    expect(again.error?.code).toBe("otp_expired");
    expect(fragmentOf(await open())).toMatchObject({ error_code: "otp_expired" });
  });

  test("is opened by its link where it leads to another page, as on the hosted platform", async () => {
    const { message } = await askForRecovery(`${SITE}/dashboard`);
    const target = await follow(message.data.url, { accept: "text/html" });
    expect(fragmentOf(target)).toHaveProperty("access_token");
  });

  test("is replaced through the mail; what was open before is closed", async () => {
    const { user, client, message } = await askForRecovery();
    expect(message.template).toBe("recovery");
    const elsewhere = bench.client();
    await elsewhere.auth.signInWithPassword({ email: user.email, password: PASSWORD });

    const target = await follow(message.data.url);
    expect(`${target.origin}${target.pathname}`).toBe(`${SITE}/auth/reset-password`);
    const fragment = fragmentOf(target);
    expect(fragment).toMatchObject({ type: "recovery", token_type: "bearer", expires_in: "3600" });
    await client.auth.setSession({
      access_token: fragment.access_token ?? "",
      refresh_token: fragment.refresh_token ?? "",
    });
    const updated = await client.auth.updateUser({ password: "quatre petits chats" });
    expect(updated.error).toBeNull();
    expect((await bench.latest(user.email)).template).toBe("password_changed");

    expect((await client.auth.getUser()).error).toBeNull();
    expect((await elsewhere.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
    const old = await bench
      .client()
      .auth.signInWithPassword({ email: user.email, password: PASSWORD });
    expect(old.error?.code).toBe("invalid_credentials");
    const fresh = await bench
      .client()
      .auth.signInWithPassword({ email: user.email, password: "quatre petits chats" });
    expect(fresh.error).toBeNull();
  });

  test("can be replaced by typing the code", async () => {
    const { user, client, message } = await askForRecovery();
    const { data, error } = await client.auth.verifyOtp({
      email: user.email,
      token: message.data.code ?? "",
      type: "recovery",
    });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(user.id);
    const again = await client.auth.verifyOtp({
      email: user.email,
      token: message.data.code ?? "",
      type: "recovery",
    });
    expect(again.error).toMatchObject({ status: 403, code: "otp_expired" });
  });

  test("keeps its link for one hour", async () => {
    const { message } = await askForRecovery();
    bench.advance(59 * MINUTE_MS);
    expect(fragmentOf(await follow(message.data.url)).access_token).toMatch(A_TOKEN);
  });

  test("has to be asked for again after an hour", async () => {
    const { user, client, message } = await askForRecovery();
    bench.advance(61 * MINUTE_MS);
    const target = await follow(message.data.url);
    expect(fragmentOf(target)).toEqual({
      error: "access_denied",
      error_code: "otp_expired",
      error_description: "Email link is invalid or has expired",
      sb: "",
    });
    const typed = await client.auth.verifyOtp({
      email: user.email,
      token: message.data.code ?? "",
      type: "recovery",
    });
    expect(typed.error).toMatchObject({ status: 403, code: "otp_expired" });
  });

  test("opens once; the link that came before it never again", async () => {
    const { user, client, message } = await askForRecovery();
    await client.auth.resetPasswordForEmail(user.email);
    const second = await bench.latest(user.email);
    expect(fragmentOf(await follow(message.data.url)).error_code).toBe("otp_expired");
    expect(fragmentOf(await follow(second.data.url)).access_token).toMatch(A_TOKEN);
    expect(fragmentOf(await follow(second.data.url)).error_code).toBe("otp_expired");
  });

  test("keeps nothing in the database that would open an account", async () => {
    const { message } = await askForRecovery();
    const token = new URL(message.data.url ?? "").searchParams.get("token") ?? "";
    const [row] = await bench.database.sql<{ found: boolean }[]>`
      select exists (
        select from auth.one_time_tokens t
        where position(${token} in t::text) > 0 or position(${message.data.code ?? ""} in t.token_hash) = 1
      ) as found`;
    expect(row?.found).toBe(false);
  });
});

describe("the target of a link", () => {
  test.each([
    ["another site", "https://voleur.example/auth"],
    ["our name before another site's", `${SITE}.voleur.example/`],
    ["our name as a user's", `${SITE.replace("://", "://tournavis@")}:443@voleur.example/`],
    ["our site with a user's name", SITE.replace("://", "://moi:secret@")],
    ["another scheme", "http://tournavis.exemple.fr/auth"],
    ["another port", `${SITE}:8443/`],
    ["a script", "javascript:alert(1)"],
    ["half an address", "//voleur.example"],
    ["nothing", ""],
  ])("is our start page instead of %s", async (_, redirectTo) => {
    const { message } = await askForRecovery(redirectTo);
    const target = await follow(message.data.url);
    expect(target.origin).toBe(SITE);
    expect(target.pathname).toBe("/");
  });

  test("may be a page of ours or of a site that the operator allowed", async () => {
    for (const page of [`${SITE}/auth/reset-password?etape=2`, "https://ami.exemple.fr/retour"]) {
      const { message } = await askForRecovery(page);
      const target = await follow(message.data.url);
      expect(`${target.origin}${target.pathname}${target.search}`).toBe(page);
    }
  });

  test("cannot be changed in the link itself", async () => {
    const { message } = await askForRecovery();
    const url = new URL(message.data.url ?? "");
    url.searchParams.set("redirect_to", "https://voleur.example/");
    expect((await follow(url.href)).origin).toBe(SITE);
  });
});

describe("a link of a client that asks for a code (PKCE)", () => {
  test("brings a code that only this client exchanges, once", async () => {
    const user = await createUser(bench.database.sql);
    const client = bench.client("pkce");
    await client.auth.resetPasswordForEmail(user.email, { redirectTo: `${SITE}/auth/callback` });
    const target = await follow((await bench.latest(user.email)).data.url);
    const code = target.searchParams.get("code") ?? "";
    expect(code).not.toBe("");
    expect(target.hash).toBe("");

    const stranger = bench.client("pkce");
    await stranger.auth.resetPasswordForEmail((await createUser(bench.database.sql)).email);
    expect((await stranger.auth.exchangeCodeForSession(code)).error).toMatchObject({
      status: 400,
      code: "bad_code_verifier",
    });

    const exchanged = await client.auth.exchangeCodeForSession(code);
    expect(exchanged.error).toBeNull();
    expect(exchanged.data.user?.id).toBe(user.id);
    const amr = JSON.parse(
      Buffer.from(exchanged.data.session?.access_token.split(".")[1] ?? "", "base64url").toString(),
    ).amr;
    expect(amr).toMatchObject([{ method: "recovery" }]);

    const again = await bench.call("/token?grant_type=pkce", {
      body: { auth_code: code, code_verifier: "x".repeat(56) },
    });
    expect(again).toMatchObject({ status: 404, body: { error_code: "flow_state_not_found" } });
  });

  test("brings a code whose session ends when it is exchanged again, by who has its verifier too", async () => {
    const user = await createUser(bench.database.sql);
    const verifier = "w".repeat(43);
    const code_challenge = createHash("sha256").update(verifier).digest("base64url");
    await bench.call("/recover", {
      body: { email: user.email, code_challenge, code_challenge_method: "s256" },
    });
    const target = await follow((await bench.latest(user.email)).data.url);
    const auth_code = target.searchParams.get("code") ?? "";
    // 256 random bits, where a UUID has 122.
    expect(auth_code).toMatch(/^[\w-]{43}$/);
    const exchange = (code_verifier: string) =>
      bench.call("/token?grant_type=pkce", { body: { auth_code, code_verifier } });
    const sessions = async () =>
      (
        await bench.database.sql`
          select from auth.sessions where user_id = ${user.id} and id <> user_id`
      ).length;
    const refused = { status: 404, body: { error_code: "flow_state_not_found" } };

    expect(await exchange(verifier)).toMatchObject({ status: 200 });
    // A code that was seen in an address alone ends nothing.
    expect(await exchange("x".repeat(43))).toMatchObject(refused);
    expect(await sessions()).toBe(1);
    expect(await exchange(verifier)).toMatchObject(refused);
    expect(await sessions()).toBe(0);
    expect(await exchange(verifier)).toMatchObject(refused);
  });

  test("takes the verifier for its hash alone, whatever a hosted project's row says", async () => {
    const user = await createUser(bench.database.sql);
    const verifier = "v".repeat(43);
    const code_challenge = createHash("sha256").update(verifier).digest("base64url");
    await bench.call("/recover", {
      body: { email: user.email, code_challenge, code_challenge_method: "s256" },
    });
    const target = await follow((await bench.latest(user.email)).data.url);
    const exchange = () =>
      bench.call("/token?grant_type=pkce", {
        body: { auth_code: target.searchParams.get("code"), code_verifier: verifier },
      });
    const { sql } = bench.database;
    await sql`
      update auth.flow_state set code_challenge_method = 'plain' where user_id = ${user.id}`;
    expect(await exchange()).toMatchObject({
      status: 400,
      body: { error_code: "bad_code_verifier" },
    });
    await sql`
      update auth.flow_state set code_challenge_method = 's256' where user_id = ${user.id}`;
    expect(await exchange()).toMatchObject({ status: 200, body: { user: { id: user.id } } });
  });

  test("brings a code for five minutes", async () => {
    const user = await createUser(bench.database.sql);
    const client = bench.client("pkce");
    await client.auth.signInWithOtp({ email: user.email });
    const target = await follow((await bench.latest(user.email)).data.url);
    bench.advance(6 * MINUTE_MS);
    const late = await client.auth.exchangeCodeForSession(target.searchParams.get("code") ?? "");
    expect(late.error?.code).toBe("flow_state_expired");
  });

  test("says in the query as well what went wrong", async () => {
    const user = await createUser(bench.database.sql);
    await bench.client("pkce").auth.resetPasswordForEmail(user.email);
    const { data } = await bench.latest(user.email);
    bench.advance(61 * MINUTE_MS);
    const target = await follow(data.url);
    expect(target.searchParams.get("error_code")).toBe("otp_expired");
    expect(fragmentOf(target).error_code).toBe("otp_expired");
  });

  test("does not become a session in the address when its mark is cut off", async () => {
    const user = await createUser(bench.database.sql);
    await bench.client("pkce").auth.resetPasswordForEmail(user.email);
    const { data } = await bench.latest(user.email);
    const target = await follow(data.url?.replace("token=pkce_", "token="));
    expect(fragmentOf(target).error_code).toBe("otp_expired");
  });

  test.each([
    [
      { code_challenge: "x".repeat(43) },
      "PKCE flow requires code_challenge_method and code_challenge",
    ],
    [
      { code_challenge: "court", code_challenge_method: "s256" },
      "code challenge has to be between 43 and 128 characters",
    ],
    [
      { code_challenge: "x".repeat(129), code_challenge_method: "s256" },
      "code challenge has to be between 43 and 128 characters",
    ],
    [
      { code_challenge: "é".repeat(43), code_challenge_method: "s256" },
      "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes",
    ],
  ])("refuses the challenge %o", async (challenge, msg) => {
    const answer = await bench.call("/recover", {
      body: { email: "quelquun@exemple.fr", ...challenge },
    });
    expect(answer).toMatchObject({ status: 400, body: { error_code: "validation_failed", msg } });
  });

  test.each([43, 128])("takes a challenge of %i characters", async (length) => {
    const code_challenge = "x".repeat(length);
    const { status } = await bench.call("/recover", {
      body: { email: "quelquun@exemple.fr", code_challenge, code_challenge_method: "s256" },
    });
    expect(status).toBe(200);
  });
});

describe("a magic link", () => {
  test("signs an account in, and makes one for a stranger", async () => {
    for (const email of [(await createUser(bench.database.sql)).email, "inconnue@exemple.fr"]) {
      const client = bench.client();
      expect((await client.auth.signInWithOtp({ email })).error).toBeNull();
      const message = await bench.latest(email);
      const { data, error } = await client.auth.verifyOtp({
        email,
        token: message.data.code ?? "",
        type: "email",
      });
      expect(error).toBeNull();
      expect(data.user?.email).toBe(email);
    }
  });

  test("makes no account when none is wanted, and does not say so", async () => {
    const email = "jamais@exemple.fr";
    const { error } = await bench
      .client()
      .auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    expect(error).toBeNull();
    expect(await bench.messages(email)).toEqual([]);
    expect(await bench.database.sql`select from auth.users where email = ${email}`).toHaveLength(0);
  });

  test("takes away the password of a stranger who signed up with the address first", async () => {
    const email = "visee@exemple.fr";
    await bench.client().auth.signUp({ email, password: "mot de passe du voleur" });
    const owner = bench.client();
    await owner.auth.resetPasswordForEmail(email);
    const { data } = await bench.latest(email);
    expect(fragmentOf(await follow(data.url)).access_token).toMatch(A_TOKEN);
    const thief = await bench
      .client()
      .auth.signInWithPassword({ email, password: "mot de passe du voleur" });
    expect(thief.error?.code).toBe("invalid_credentials");
  });
});

test("codes belong to the mailbox that they were sent to", async () => {
  const { message } = await askForRecovery();
  const other = await createUser(bench.database.sql);
  const stolen = await bench.client().auth.verifyOtp({
    email: other.email,
    token: message.data.code ?? "",
    type: "recovery",
  });
  expect(stolen.error?.code).toBe("otp_expired");
});

test("a program that only looks whether a link is there does not use it up", async () => {
  const { message } = await askForRecovery();
  const url = message.data.url ?? "";
  const looked = await bench.service.fetch(new Request(url, { method: "HEAD" }));
  expect(looked.status).toBe(204);
  expect(fragmentOf(await follow(url)).access_token).toMatch(A_TOKEN);
});
