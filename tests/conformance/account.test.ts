import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "#domain/text/durations.ts";
import { createConfirmedUser } from "../../server/auth/create-user.ts";
import { hashAtOnce } from "../../server/auth/passwords.ts";
import { unknownOperator } from "../../supabase/functions/_shared/domain/schemas/operator.ts";
import { renderMail } from "../../supabase/functions/_shared/messages/render.ts";
import { createOrganization, createUser, PASSWORD, type User } from "../harness/fixtures.ts";
import { type Bench, startBench } from "./support/service.ts";

/** Changes of a signed-in user to the account. */

let bench: Bench;
beforeAll(async () => {
  bench = await startBench({ settings: { requiresReauthentication: true } });
});
afterAll(() => bench.stop());

async function signIn(user?: User) {
  const known = user ?? (await createUser(bench.database.sql));
  const client = bench.client();
  const { error } = await client.auth.signInWithPassword({
    email: known.email,
    password: PASSWORD,
  });
  if (error !== null) throw error;
  return { user: known, client, auth: client.auth };
}

async function hashOf({ id }: User): Promise<string> {
  const [row] = await bench.database.sql<{ hash: string }[]>`
    select encrypted_password as hash from auth.users where id = ${id}`;
  return row?.hash ?? "";
}

async function follow(url: string | undefined): Promise<URL> {
  const response = await bench.service.fetch(new Request(url ?? "", { redirect: "manual" }));
  return new URL(response.headers.get("location") ?? "");
}

describe("a password", () => {
  test.each([
    ["court", "length", "Password should be at least 6 characters."],
    [
      "azertyuiop",
      "pwned",
      "Password is known to be weak and easy to guess, please choose a different one.",
    ],
    // A French word and a French name, each with its accents or without.
    ...["boulangerie", "Géraldine", "maitresse"].map((word) => [
      word,
      "pwned",
      "Password is known to be weak and easy to guess, please choose a different one.",
    ]),
    [
      "PassWord1",
      "pwned",
      "Password is known to be weak and easy to guess, please choose a different one.",
    ],
  ])("%s is refused", async (password, reason, message) => {
    const { user, auth } = await signIn();
    const before = await hashOf(user);
    const { error } = await auth.updateUser({ password });
    expect(error).toMatchObject({
      status: 422,
      code: "weak_password",
      message,
      reasons: [reason],
    });
    expect(await hashOf(user)).toBe(before);
  });

  test("that is a word of its context is refused, at a sign-up and in an account", async () => {
    const { sql } = bench.database;
    const { users } = await createOrganization(sql, { name: "Épicerie du Vieux-Lavoir" });
    const { user, auth } = await signIn(users.owner);
    const before = await hashOf(user);
    await sql`
      update auth.users
      set email = 'zoe.kerbrat29@vieuxlavoir.fr', raw_user_meta_data = '{"full_name": "Zoé Kerbrat"}'
      where id = ${user.id}`;
    for (const password of [
      "Tournavis!",
      "2026-tournavis-1",
      "epicerieduvieuxlavoir",
      "Lavoir2026",
      "kerbrat75",
      "kerbrat-zoé",
      "zoe.kerbrat29@vieuxlavoir.fr",
      "Zoe.Kerbrat29",
    ]) {
      const { error } = await auth.updateUser({ password });
      expect([password, error]).toMatchObject([password, { code: "weak_password" }]);
    }
    expect(await hashOf(user)).toBe(before);
    const email = "anouk.sevrin@exemple.fr";
    const options = { data: { full_name: "Anouk Sevrin" } };
    for (const password of ["sevrin1975", "anouksevrin", "tournavis"]) {
      const { error } = await bench.client().auth.signUp({ email, password, options });
      expect([password, error]).toMatchObject([password, { code: "weak_password" }]);
    }
    expect(await sql`select from auth.users where email = ${email}`).toHaveLength(0);
  });

  test("that has more than a word of its context is taken", async () => {
    const { sql } = bench.database;
    const { users } = await createOrganization(sql, { name: "Le Comptoir" });
    const { auth } = await signIn(users.owner);
    for (const password of ["tournavis et ses tambours", "comptoir-de-zinc", "le42le42le"]) {
      expect([password, (await auth.updateUser({ password })).error]).toEqual([password, null]);
    }
  });

  test("of several French words is nobody's favourite", async () => {
    const { auth } = await signIn();
    const { error } = await auth.updateUser({ password: "boulangerie-Géraldine" });
    expect(error).toBeNull();
  });

  test("of more than 72 bytes is refused: the end of it would not count", async () => {
    const { auth } = await signIn();
    const { error } = await auth.updateUser({ password: "é".repeat(37) });
    expect(error).toMatchObject({ status: 400, code: "validation_failed" });
    const longest = "une phrase bien à moi, é".padEnd(70, "abcdefghij");
    expect(Buffer.byteLength(longest)).toBe(72);
    expect((await auth.updateUser({ password: longest })).error).toBeNull();
  });

  test("has to be another one", async () => {
    const { user, auth } = await signIn();
    const before = await hashOf(user);
    const { error } = await auth.updateUser({ password: PASSWORD });
    expect(error).toMatchObject({
      status: 422,
      code: "same_password",
      message: "New password should be different from the old password.",
    });
    expect(await hashOf(user)).toBe(before);
  });

  test("changed here ends the sessions elsewhere", async () => {
    const { user, auth } = await signIn();
    const elsewhere = await signIn(user);
    expect((await auth.updateUser({ password: "une phrase bien à moi" })).error).toBeNull();
    expect((await auth.getUser()).error).toBeNull();
    expect((await elsewhere.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  });

  test("voids a link that was sent before it was changed", async () => {
    const { user, auth } = await signIn();
    await bench.client().auth.resetPasswordForEmail(user.email);
    const { data } = await bench.latest(user.email);
    await auth.updateUser({ password: "une phrase bien à moi" });
    expect((await follow(data.url)).hash).toContain("otp_expired");
  });

  test("hashed by a hosted project signs in", async () => {
    const { user } = await signIn();
    await bench.database.sql`
      update auth.users set encrypted_password = ${(await hashOf(user)).replace("$2b$", "$2a$")}
      where id = ${user.id}`;
    expect((await signIn(user)).user.id).toBe(user.id);
  });
});

describe("a session older than ten minutes", () => {
  const NEXT = "une phrase bien à moi";

  test("changes the password with the present one, or with the code of a mail", async () => {
    for (const proof of ["password", "code"]) {
      const { user, auth } = await signIn();
      expect((await auth.updateUser({ password: "une première phrase" })).error).toBeNull();
      bench.advance(10 * 60_000 + 1000);
      await auth.refreshSession();
      const before = await hashOf(user);
      const without = await auth.updateUser({ password: NEXT });
      expect(without.error).toMatchObject({ status: 400, code: "current_password_required" });
      expect(await hashOf(user)).toBe(before);
      await auth.reauthenticate();
      const nonce = (await bench.latest(user.email)).data.code ?? "";
      const given = proof === "code" ? { nonce } : { current_password: "une première phrase" };
      expect((await auth.updateUser({ password: NEXT, ...given })).error).toBeNull();
      expect(await hashOf(user)).not.toBe(before);
    }
  });

  test("is one that a clock ahead has dated, too", async () => {
    bench.advance(DAY_MS / 2);
    const { user, auth } = await signIn();
    bench.advance(-DAY_MS / 2);
    await auth.refreshSession();
    const before = await hashOf(user);
    const without = await auth.updateUser({ password: NEXT });
    expect(without.error).toMatchObject({ status: 400, code: "current_password_required" });
    expect(await hashOf(user)).toBe(before);
  });

  test("that began with a forgotten password needs no more for as long as its link held", async () => {
    const { user } = await signIn();
    const { auth } = bench.client();
    await auth.resetPasswordForEmail(user.email);
    const token = (await bench.latest(user.email)).data.code ?? "";
    await auth.verifyOtp({ type: "recovery", email: user.email, token });
    bench.advance(59 * 60_000);
    await auth.refreshSession();
    expect((await auth.updateUser({ password: NEXT })).error).toBeNull();
  });
});

describe("a session older than a day", () => {
  test("is one that a clock more than a day ahead has dated, too", async () => {
    bench.advance(2 * DAY_MS);
    const { user, auth } = await signIn();
    bench.advance(-2 * DAY_MS);
    await auth.refreshSession();
    const before = await hashOf(user);
    const without = await auth.updateUser({ password: "une phrase bien à moi" });
    expect(without.error).toMatchObject({ status: 400, code: "reauthentication_needed" });
    expect(await hashOf(user)).toBe(before);
  });

  test("changes the password only with the code of a mail", async () => {
    const { user, auth } = await signIn();
    bench.advance(DAY_MS + MINUTE_MS);
    await auth.refreshSession();
    const before = await hashOf(user);
    const without = await auth.updateUser({ password: "une phrase bien à moi" });
    expect(without.error).toMatchObject({ status: 400, code: "reauthentication_needed" });

    expect((await auth.reauthenticate()).error).toBeNull();
    const message = await bench.latest(user.email);
    expect(message.template).toBe("reauthentication");
    const code = message.data.code ?? "";
    const wrong = await auth.updateUser({
      password: "une phrase bien à moi",
      nonce: code === "000000" ? "000001" : "000000",
    });
    expect(wrong.error).toMatchObject({ status: 422, code: "reauthentication_not_valid" });
    expect(await hashOf(user)).toBe(before);

    const right = await auth.updateUser({ password: "une phrase bien à moi", nonce: code });
    expect(right.error).toBeNull();
    const twice = await auth.updateUser({ password: "une autre phrase à moi", nonce: code });
    expect(twice.error?.code).toBe("reauthentication_not_valid");
  });
});

describe("a code that proves who is there", () => {
  const ask = (token: string) => bench.call("/reauthenticate", { token });

  test.each([
    ["an address", "email_not_confirmed", { email_confirmed_at: null }],
    ["a number", "phone_not_confirmed", { email: null, phone: "33639980150" }],
  ])("is not sent to %s that nobody has confirmed", async (_, code, change) => {
    const { user, client } = await signIn();
    const { sql } = bench.database;
    await sql`update auth.users set ${sql(change)} where id = ${user.id}`;
    const { data } = await client.auth.getSession();
    expect(await ask(data.session?.access_token ?? "")).toMatchObject({
      status: 422,
      body: { error_code: code },
    });
    for (const to of [user.email, "33639980150"]) expect(await bench.messages(to)).toEqual([]);
  });

  test("goes to the number of whoever has no address, and changes the password", async () => {
    const phone = "33639980151";
    const { user, auth } = await signIn();
    const { sql } = bench.database;
    await sql`
      update auth.users set email = null, phone = ${phone}, phone_confirmed_at = now()
      where id = ${user.id}`;
    bench.advance(DAY_MS + MINUTE_MS);
    await auth.refreshSession();
    expect((await auth.reauthenticate()).error).toBeNull();
    const nonce = /\d{6}/.exec((await bench.latest(phone)).data.body ?? "")?.[0] ?? "";
    const changed = await auth.updateUser({ password: "une phrase bien à moi", nonce });
    expect(changed.error).toBeNull();
  });

  test("is refused to a visitor, who has neither", async () => {
    bench.settings.allowsAnonymous = true;
    const { data } = await bench.client().auth.signInAnonymously();
    bench.settings.allowsAnonymous = false;
    expect(await ask(data.session?.access_token ?? "")).toMatchObject({
      status: 400,
      body: { error_code: "validation_failed" },
    });
  });
});

describe("an e-mail address", () => {
  const newAddress = () => `nouvelle-${crypto.randomUUID().slice(0, 8)}@exemple.fr`;

  test.each([[["old", "new"]], [["new", "old"]]])(
    "changes when both mailboxes agree: %s",
    async (order) => {
      const { user, auth } = await signIn();
      const email = newAddress();
      const asked = await auth.updateUser({ email });
      expect(asked.data.user).toMatchObject({ email: user.email, new_email: email });

      const mails = { old: await bench.latest(user.email), new: await bench.latest(email) };
      for (const { data } of Object.values(mails)) {
        expect(data).toMatchObject({ email: user.email, newEmail: email });
      }
      const urls = { old: mails.old.data.url, new: mails.new.data.url };
      const [first, second] = order.map((which) => (which === "old" ? urls.old : urls.new));
      const half = await follow(first);
      expect(new URLSearchParams(half.hash.slice(1)).get("message")).toBe(
        "Confirmation link accepted. Please proceed to confirm link sent to the other email",
      );
      expect((await auth.getUser()).data.user?.email).toBe(user.email);
      expect((await follow(first)).hash).toContain("otp_expired");

      expect((await follow(second)).hash).toContain("access_token");
      const { data } = await auth.getUser();
      expect(data.user).toMatchObject({ email, identities: [{ identity_data: { email } }] });
      expect(data.user?.user_metadata).toMatchObject({ email, email_verified: true });
      expect(data.user?.new_email).toBeUndefined();
      const told = await bench.latest(user.email);
      expect(told.template).toBe("email_changed");
      const mail = await renderMail(
        { ...told, recipient: user.email },
        { siteUrl: "https://tournavis.exemple.fr", operator: unknownOperator },
      );
      expect(mail.text).toContain(`est désormais ${email}.`);
      const signedIn = await bench.client().auth.signInWithPassword({ email, password: PASSWORD });
      expect(signedIn.error).toBeNull();
    },
  );

  test("changes by the codes as well", async () => {
    const { user, auth } = await signIn();
    const email = newAddress();
    await auth.updateUser({ email });
    for (const address of [user.email, email]) {
      const token = (await bench.latest(address)).data.code ?? "";
      const typed = await auth.verifyOtp({ email: address, token, type: "email_change" });
      expect(typed.error).toBeNull();
    }
    expect((await auth.getUser()).data.user?.email).toBe(email);
  });

  test("that somebody has is refused without a word, and stays theirs", async () => {
    const other = await createUser(bench.database.sql);
    const { user, auth } = await signIn();
    const taken = await auth.updateUser({ email: other.email });
    const free = await auth.updateUser({ email: newAddress() });
    expect(taken.error).toBeNull();
    expect(Object.keys(taken.data.user ?? {})).toEqual(Object.keys(free.data.user ?? {}));
    expect(await bench.messages(other.email)).toEqual([]);
    expect((await auth.getUser()).data.user?.email).toBe(user.email);
  });

  test("that somebody took meanwhile is refused at the end", async () => {
    const { user, auth } = await signIn();
    const email = newAddress();
    await auth.updateUser({ email });
    const [mine, theirs] = [await bench.latest(user.email), await bench.latest(email)];
    await createUser(bench.database.sql, { email });
    await follow(mine.data.url);
    expect((await follow(theirs.data.url)).hash).toContain("email_exists");
    expect((await auth.getUser()).data.user?.email).toBe(user.email);
  });

  test("is sent again on demand", async () => {
    const { user, auth } = await signIn();
    const email = newAddress();
    await auth.updateUser({ email });
    const first = await bench.latest(email);
    const { error } = await auth.resend({ type: "email_change", email: user.email });
    expect(error).toBeNull();
    await bench.settle();
    expect((await bench.latest(email)).data.url).not.toBe(first.data.url);
  });
});

describe("a phone", () => {
  let numbers = 0;
  const newNumber = () => {
    numbers += 1;
    return `3363998017${numbers}`;
  };

  test("is added with the code of a text message", async () => {
    const { auth } = await signIn();
    const phone = newNumber();
    const asked = await auth.updateUser({ phone });
    expect(asked.data.user).toMatchObject({ phone: "", new_phone: phone });
    const { data } = await bench.latest(phone);
    const token = /\d{6}/.exec(data.body ?? "")?.[0] ?? "";
    expect(data.body).toBe(
      `Tournavis : votre code est ${token}. Il est valable 10 minutes. Ne le donnez à personne.`,
    );
    const typed = await auth.verifyOtp({ phone, token, type: "phone_change" });
    expect(typed.error).toBeNull();
    expect(typed.data.user).toMatchObject({ phone });
    expect(typed.data.user?.app_metadata.providers?.sort()).toEqual(["email", "phone"]);
    const signedIn = await bench.client().auth.signInWithPassword({ phone, password: PASSWORD });
    expect(signedIn.error).toBeNull();
  });

  test("has ten minutes to answer", async () => {
    const { auth } = await signIn();
    const phone = newNumber();
    await auth.updateUser({ phone });
    const token = /\d{6}/.exec((await bench.latest(phone)).data.body ?? "")?.[0] ?? "";
    bench.advance(11 * 60_000);
    const typed = await auth.verifyOtp({ phone, token, type: "phone_change" });
    expect(typed.error?.code).toBe("otp_expired");
  });
});

test("a phone number that somebody has is refused without a word, and stays theirs", async () => {
  const phone = "33639980160";
  const other = await createUser(bench.database.sql);
  await bench.database.sql`
    update auth.users set phone = ${phone}, phone_confirmed_at = now() where id = ${other.id}`;
  const { user, auth } = await signIn();
  const asked = await auth.updateUser({ phone });
  expect(asked.error).toBeNull();
  expect(asked.data.user).toMatchObject({ id: user.id, phone: "", new_phone: phone });
  expect(await bench.messages(phone)).toEqual([]);
});

test("a weak password of earlier days signs in, with a hint", async () => {
  const user = await createUser(bench.database.sql);
  await bench.database.sql`
    update auth.users set encrypted_password = ${await hashAtOnce("azertyuiop")}
    where id = ${user.id}`;
  const { data, error } = await bench
    .client()
    .auth.signInWithPassword({ email: user.email, password: "azertyuiop" });
  expect(error).toBeNull();
  expect(data.weakPassword).toMatchObject({ reasons: ["pwned"] });
});

test("an account that needs no confirmation signs in at once, and stays as it was made", async () => {
  const made = { email: "Patronne.Demo@exemple.fr", password: PASSWORD, fullName: "Odette" };
  const { sql } = bench.deps;
  const id = await sql.begin((one) => createConfirmedUser(one, made));
  const again = { ...made, password: "un autre mot de passe", fullName: "Personne" };
  expect(await sql.begin((one) => createConfirmedUser(one, again))).toBe(id);
  const email = made.email.toLowerCase();
  const { data } = await bench.client().auth.signInWithPassword({ email, password: PASSWORD });
  expect(data.user).toMatchObject({
    ...{ id, email },
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: { full_name: "Odette", email, email_verified: true },
    identities: [{ provider: "email", identity_data: { email, email_verified: true } }],
  });
});

describe("an address that nobody confirmed", () => {
  // An invited person is known by an address: naming it may not be enough to be taken for them.
  test("opens no session for whoever signs up with it", async () => {
    const client = bench.client();
    const email = `invitee-${randomUUID()}@exemple.fr`;
    const signUp = await client.auth.signUp({ email, password: PASSWORD });
    expect(signUp.data.session).toBeNull();
    const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
    expect(error).toMatchObject({ status: 400, code: "email_not_confirmed" });
    expect(data.session).toBeNull();
    const sessions = await bench.database.sql`
      select from auth.sessions s join auth.users u on u.id = s.user_id where u.email = ${email}`;
    expect(sessions).toHaveLength(0);
  });

  test("is confirmed by no link to an address that the account had before", async () => {
    const { sql } = bench.database;
    const email = `avant-${randomUUID()}@exemple.fr`;
    const next = `apres-${randomUUID()}@exemple.fr`;
    await bench.client().auth.signUp({ email, password: PASSWORD });
    const { url } = (await bench.latest(email)).data;
    await sql`update auth.users set email = ${next} where email = ${email}`;
    const followed = await bench.service.fetch(new Request(url ?? "", { redirect: "manual" }));
    expect(followed.headers.get("location")).not.toContain("access_token");
    expect(await sql`select email_confirmed_at from auth.users where email = ${next}`).toEqual([
      { email_confirmed_at: null },
    ]);
  });

  test("stands in no token of whoever asks to change to it", async () => {
    const { user, auth } = await signIn();
    const email = `invitee-${randomUUID()}@exemple.fr`;
    expect((await auth.updateUser({ email })).error).toBeNull();
    const { data } = await auth.refreshSession();
    expect(data.user).toMatchObject({ email: user.email, new_email: email });
    const payload = data.session?.access_token.split(".")[1] ?? "";
    const claims = Buffer.from(payload, "base64url").toString();
    expect(claims).toContain(user.email);
    expect(claims).not.toContain(email);
  });
});

describe("what a person tells about themselves", () => {
  test("is kept beside what was known before", async () => {
    const { auth } = await signIn();
    await auth.updateUser({ data: { langue: "fr" } });
    const { data } = await auth.updateUser({ data: { full_name: "Dominique" } });
    expect(data.user?.user_metadata).toMatchObject({ full_name: "Dominique", langue: "fr" });
  });

  test("stands in their mails without the spaces around it", async () => {
    const email = `espaces-${randomUUID()}@exemple.fr`;
    const options = { data: { full_name: "  Zoé Lambert " } };
    await bench.client().auth.signUp({ email, password: PASSWORD, options });
    expect((await bench.latest(email)).data.name).toBe("Zoé Lambert");
  });

  test("is short: it travels with every call", async () => {
    const { auth } = await signIn();
    expect((await auth.updateUser({ data: { a: "x".repeat(3_000) } })).error).toBeNull();
    const more = await auth.updateUser({ data: { b: "x".repeat(3_000) } });
    expect(more.error).toMatchObject({ status: 400, code: "validation_failed" });
    const signedUp = await bench.client().auth.signUp({
      email: "bavarde@exemple.fr",
      password: PASSWORD,
      options: { data: { a: "x".repeat(4_000) } },
    });
    expect(signedUp.error).toMatchObject({ status: 400, code: "validation_failed" });
  });

  test("gives no rights", async () => {
    const { user, client, auth } = await signIn();
    const claims = {
      role: "service_role",
      is_super_admin: true,
      app_metadata: { role: "admin" },
      aal: "aal2",
      email: "patron@exemple.fr",
      email_verified: true,
      sub: "00000000-0000-4000-8000-000000000000",
    };
    const { data } = await auth.updateUser({ data: claims });
    expect(data.user).toMatchObject({
      id: user.id,
      role: "authenticated",
      email: user.email,
      app_metadata: { provider: "email", providers: ["email"] },
    });
    expect(data.user?.user_metadata).toMatchObject({ email: user.email, sub: user.id });
    await auth.refreshSession();
    const token = (await client.auth.getSession()).data.session?.access_token ?? "";
    const payload = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(payload).toMatchObject({
      sub: user.id,
      role: "authenticated",
      aal: "aal1",
      email: user.email,
      app_metadata: { provider: "email" },
    });
  });

  test("does not reach the metadata that rights rest on", async () => {
    const { user, client } = await signIn();
    const token = (await client.auth.getSession()).data.session?.access_token ?? "";
    const answer = await bench.call("/user", {
      method: "PUT",
      token,
      body: { app_metadata: { role: "admin" } },
    });
    expect(answer).toMatchObject({ status: 403, body: { error_code: "not_admin" } });
    const [row] = await bench.database.sql`
      select raw_app_meta_data as data from auth.users where id = ${user.id}`;
    expect(row).toEqual({ data: { provider: "email", providers: ["email"] } });
  });
});

test("with a second factor, a session without it changes nothing and ends no other", async () => {
  const { user, client, auth } = await signIn();
  await bench.database.sql`
    insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at, secret)
    values (gen_random_uuid(), ${user.id}, 'totp', 'verified', now(), now(), 'secret')`;
  const before = await hashOf(user);
  for (const change of [
    { password: "une phrase bien à moi" },
    { email: "autre@exemple.fr" },
    { phone: "33639980000" },
    { data: { langue: "fr" } },
  ]) {
    const { error } = await auth.updateUser(change);
    expect(error).toMatchObject({ status: 401, code: "insufficient_aal" });
  }
  expect(await hashOf(user)).toBe(before);
  const sessions = () => bench.database.sql`
    select id from auth.sessions where user_id = ${user.id} order by id`;
  const open = await sessions();
  const { data } = await client.auth.getSession();
  const token = data.session?.access_token ?? "";
  for (const scope of ["others", "global"] as const) {
    expect(await bench.call(`/logout?scope=${scope}`, { method: "POST", token })).toMatchObject({
      status: 422,
      body: { error_code: "insufficient_aal" },
    });
    // The client says so as well, and keeps its session.
    expect((await auth.signOut({ scope })).error?.code).toBe("insufficient_aal");
  }
  expect(await sessions()).toEqual(open);
  expect((await auth.signOut({ scope: "local" })).error).toBeNull();
  expect(await sessions()).toHaveLength(open.length - 1);
});
