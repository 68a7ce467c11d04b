import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { latestMail } from "../harness/mailbox.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Signing up with the official client against the running platform, mail included. */

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const anEmail = () => `${randomUUID().slice(0, 8)}@exemple.fr`;
const PASSWORD = "trois petits chats";

test("a new account waits for its link, and the link signs in", async () => {
  const email = anEmail();
  const { auth } = server.client();
  const signedUp = await auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { full_name: "Camille Martin" } },
  });
  expect(signedUp.error).toBeNull();
  expect(signedUp.data.session).toBeNull();
  expect(signedUp.data.user).toMatchObject({
    email,
    role: "authenticated",
    user_metadata: { full_name: "Camille Martin", email_verified: false },
    app_metadata: { provider: "email", providers: ["email"] },
  });
  expect(signedUp.data.user?.identities).toEqual([
    expect.objectContaining({ provider: "email", email }),
  ]);

  const early = await auth.signInWithPassword({ email, password: PASSWORD });
  expect(early.error).toMatchObject({ status: 400, code: "email_not_confirmed" });

  const mail = await latestMail(server, email, { template: "confirmation" });
  expect(mail.links[0]).toContain("/auth/v1/verify?");
  const followed = await fetch(mail.links[0] ?? "", { redirect: "manual" });
  expect(followed.status).toBe(303);
  const target = new URL(followed.headers.get("location") ?? "");
  const fragment = new URLSearchParams(target.hash.slice(1));
  expect(target.origin).toBe(server.running.publicUrl);
  expect(fragment.get("type")).toBe("signup");

  const { data, error } = await auth.setSession({
    access_token: fragment.get("access_token") ?? "",
    refresh_token: fragment.get("refresh_token") ?? "",
  });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({
    id: signedUp.data.user?.id,
    email,
    user_metadata: { full_name: "Camille Martin", email_verified: true },
    identities: [{ provider: "email", identity_data: { email, email_verified: true } }],
  });
  expect(data.user?.email_confirmed_at).toMatch(/^\d{4}-\d\d-\d\dT/);

  const again = await fetch(mail.links[0] ?? "", { redirect: "manual" });
  expect(again.headers.get("location")).toContain("error_code=otp_expired");
  const later = await auth.signInWithPassword({ email, password: PASSWORD });
  expect(later.error).toBeNull();
});

/** The code that belongs to the link of the newest mail; clients may have theirs typed. */
test.each([
  "a@b.fr>",
  "<a@b.test>",
  "a@b.fr;",
  "race@x.fr.",
  "a@b.test%0aBcc:x",
  "a%0a@b.test",
  "a..b@b.test",
  "é@b.test",
  "\u212aevin@b.test",
])("%s is no address to sign up with", async (email) => {
  const users = () => server.database.sql`select count(*)::int from auth.users`;
  const before = await users();
  const { auth } = server.client();
  const { error } = await auth.signUp({ email, password: PASSWORD });
  expect(error).toMatchObject({ status: 400, code: "validation_failed" });
  expect(await users()).toEqual(before);
});

async function codeFor(email: string): Promise<string> {
  await latestMail(server, email);
  const [row] = await server.database.sql<{ code: string }[]>`
    select data ->> 'code' as code from private.outbox
    where recipient = ${email} order by id desc limit 1`;
  return row?.code ?? "";
}

test("the code of the mail confirms as well as its link", async () => {
  const email = anEmail();
  const { auth } = server.client();
  await auth.signUp({ email, password: PASSWORD });
  const typed = await auth.verifyOtp({ email, token: await codeFor(email), type: "signup" });
  expect(typed.error).toBeNull();
  expect(typed.data.session?.user.email).toBe(email);
});

test("the mail is sent again on demand, and replaces the one before", async () => {
  const email = anEmail();
  const { auth } = server.client();
  await auth.signUp({ email, password: PASSWORD });
  const first = await latestMail(server, email, { template: "confirmation" });
  expect((await auth.resend({ type: "signup", email })).error).toBeNull();
  const second = await latestMail(server, email, { template: "confirmation", after: first });
  const [old, fresh] = await Promise.all(
    [first, second].map((mail) => fetch(mail.links[0] ?? "", { redirect: "manual" })),
  );
  expect(old?.headers.get("location")).toContain("otp_expired");
  expect(fresh?.headers.get("location")).toContain("access_token");
});

test("an account that nobody confirmed asks whoever confirms it for a password", async () => {
  const email = anEmail();
  const { auth } = server.client();
  await auth.signUp({ email, password: "le premier mot de passe" });
  const first = await latestMail(server, email);
  await auth.signUp({ email, password: PASSWORD });
  const second = await latestMail(server, email, { after: first });
  const followed = await fetch(second.links[0] ?? "", { redirect: "manual" });
  const { hash } = new URL(followed.headers.get("location") ?? "");
  const token = new URLSearchParams(hash.slice(1)).get("confirm") ?? "";
  const confirmed = await auth.verifyOtp({ type: "signup", token_hash: token });
  expect(confirmed.error).toBeNull();
  const chosen = { password: "une phrase bien à moi", data: { full_name: "Alex" } };
  expect((await auth.updateUser(chosen)).error).toBeNull();
  for (const password of ["le premier mot de passe", PASSWORD]) {
    const old = await auth.signInWithPassword({ email, password });
    expect(old.error?.code).toBe("invalid_credentials");
  }
  const { data } = await auth.signInWithPassword({ email, password: chosen.password });
  expect(data.user?.user_metadata.full_name).toBe("Alex");
  const rows = await server.database.sql`select from auth.users where email = ${email}`;
  expect(rows).toHaveLength(1);
});

test("two sign-ups at once make one account", async () => {
  const email = anEmail();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => server.client().auth.signUp({ email, password: PASSWORD })),
  );
  expect(answers.map(({ error }) => error)).toEqual([null, null, null, null]);
  const rows = await server.database.sql`select from auth.users where email = ${email}`;
  expect(rows).toHaveLength(1);
});

test("a phone and a password make an account that a text message confirms", async () => {
  const phone = "33639980151";
  const { auth } = server.client();
  const signedUp = await auth.signUp({ phone: `+${phone}`, password: PASSWORD });
  expect(signedUp.error).toBeNull();
  expect(signedUp.data.session).toBeNull();
  expect(signedUp.data.user).toMatchObject({
    ...{ email: "", phone },
    app_metadata: { provider: "phone", providers: ["phone"] },
    identities: [{ provider: "phone", identity_data: { phone } }],
    confirmation_sent_at: expect.any(String),
  });
  expect(signedUp.data.user?.identities?.[0]).not.toHaveProperty("email");
  const early = await auth.signInWithPassword({ phone, password: PASSWORD });
  expect(early.error?.code).toBe("phone_not_confirmed");

  const message = await latestMail(server, phone);
  expect(message.channel).toBe("sms");
  const token = /\d{6}/.exec(message.text)?.[0] ?? "";
  const typed = await auth.verifyOtp({ phone, token, type: "sms" });
  expect(typed.error).toBeNull();
  expect(typed.data.user).toMatchObject({
    phone,
    app_metadata: { provider: "phone", providers: ["phone"] },
  });
  const signedIn = await auth.signInWithPassword({ phone: `+${phone}`, password: PASSWORD });
  expect(signedIn.error).toBeNull();

  const second = await auth.signInWithOtp({ phone });
  expect(second.error).toBeNull();
  const code = await latestMail(server, phone, { after: message });
  const again = await auth.verifyOtp({
    phone,
    token: /\d{6}/.exec(code.text)?.[0] ?? "",
    type: "sms",
  });
  expect(again.data.user?.id).toBe(typed.data.user?.id);
});

test("the data API knows the user of our tokens, until they are tampered with", async () => {
  const email = anEmail();
  const client = server.client();
  await client.auth.signUp({ email, password: PASSWORD });
  await client.auth.verifyOtp({ email, token: await codeFor(email), type: "signup" });
  expect((await client.rpc("my_workspace")).error).toBeNull();
  const { data } = await client.auth.getSession();
  const call = (token: string) =>
    fetch(`${server.url}/rest/v1/rpc/my_workspace`, {
      method: "POST",
      headers: {
        apikey: server.running.secrets.publishableKey,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      },
      body: "{}",
    });
  const token = data.session?.access_token ?? "";
  expect((await call(token)).status).toBe(200);
  expect((await call(`${token.slice(0, -6)}AAAAAA`)).status).toBe(401);
});

test.each([
  [{ email: "sans-arobase", password: PASSWORD }, 400, "validation_failed"],
  [{ email: "a@exemple.fr", password: "" }, 400, "validation_failed"],
  [{ email: "a@exemple.fr", password: "court" }, 422, "weak_password"],
  [{ email: "a@exemple.fr", password: "azertyuiop" }, 422, "weak_password"],
  [{ phone: "0612345678", password: PASSWORD }, 400, "validation_failed"],
])("%o is refused and makes no account", async (credentials, status, code) => {
  const count = async () => server.database.sql`select count(*) from auth.users`;
  const before = await count();
  const { error } = await server.client().auth.signUp(credentials);
  expect(error).toMatchObject({ status, code });
  expect(await count()).toEqual(before);
});

test("visitors get no session without an account, unless the operator allows it", async () => {
  const refused = await server.client().auth.signInAnonymously();
  expect(refused.error).toMatchObject({ status: 422, code: "anonymous_provider_disabled" });
  const open = await startTestServer({ env: { ANONYMOUS_SIGN_IN: "1" } });
  try {
    const client = open.client();
    const { data, error } = await client.auth.signInAnonymously();
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ is_anonymous: true, email: "", identities: [] });
    const weak = await client.auth.updateUser({ password: PASSWORD });
    expect(weak.error?.code).toBe("validation_failed");

    const email = anEmail();
    expect((await client.auth.updateUser({ email })).error).toBeNull();
    const mail = await latestMail(open, email, { template: "email_change" });
    await fetch(mail.links[0] ?? "", { redirect: "manual" });
    const { data: named } = await client.auth.getUser();
    expect(named.user).toMatchObject({ id: data.user?.id, email, is_anonymous: false });
  } finally {
    await open.stop();
  }
});
