import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createApiKey,
  createFactor,
  createOrganization,
  createPasskey,
  createUser,
  type Organization,
  PASSWORD,
  type User,
} from "../harness/fixtures.ts";
import { type Bench, startBench } from "./support/service.ts";

/** The operator's side of accounts, as the official client asks for it with the secret key. */

const SITE = "https://tournavis.exemple.fr";
const NOBODY = "83fd9e20-7a80-46e4-bf29-a86e3d6bbf66";
const NEW_PASSWORD = "quatre petits chats";
/** Of `PASSWORD`, at bcrypt's lowest cost. */
const HASH = "$2b$04$tXd7CxVBSXgV488VDOPWHu5YBQXeB8EpxxP7t5QeXexNylCn6MMRe";

let bench: Bench;
let auth: ReturnType<typeof createClient>["auth"];
let admin: ReturnType<typeof createClient>["auth"]["admin"];
let organization: Organization;
beforeAll(async () => {
  bench = await startBench();
  auth = createClient(SITE, bench.deps.secrets.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, experimental: { passkey: true } },
    global: { fetch: async (input, init) => bench.service.fetch(new Request(input, init)) },
  }).auth;
  admin = auth.admin;
  organization = await createOrganization(bench.database.sql);
});
afterAll(() => bench.stop());

const newEmail = () => `nouveau-${randomUUID().slice(0, 8)}@exemple.fr`;

async function signIn(email: string, password = PASSWORD) {
  const client = bench.client();
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  return { code: error?.code ?? null, token: data.session?.access_token ?? "" };
}

/** Why a token opens nothing any more; null while it does. */
async function refusalOf(token: string): Promise<string | null> {
  const { status, text } = await bench.call("/user", { token });
  return status === 200 ? null : (/"error_code":"(\w+)"/.exec(text)?.[1] ?? text);
}

async function rowOf(id: string) {
  const [row] = await bench.database.sql<{ row: Record<string, unknown> }[]>`
    select to_jsonb(u) as row from auth.users u where u.id = ${id}`;
  return row?.row ?? null;
}

const isMember = async (id: string): Promise<boolean> =>
  (await bench.database.sql`select from public.organization_members where user_id = ${id}`).length >
  0;

/** Everything that the administration could change, as one text. */
async function everything(): Promise<string> {
  const [row] = await bench.database.sql<{ all: string }[]>`
    select concat(
      (select jsonb_agg(u order by u.id) from auth.users u),
      (select jsonb_agg(i order by i.id) from auth.identities i),
      (select jsonb_agg(f order by f.id) from auth.mfa_factors f),
      (select jsonb_agg(k order by k.id) from auth.webauthn_credentials k),
      (select jsonb_agg(s order by s.id) from auth.sessions s),
      (select jsonb_agg(t order by t.id) from auth.one_time_tokens t),
      (select jsonb_agg(o order by o.id) from private.outbox o),
      (select jsonb_agg(e order by e.id) from private.operator_events e)) as all`;
  return row?.all ?? "";
}

describe("who may", () => {
  /** Keys and tokens that open nothing here: what stands in both headers, and the refusal. */
  const intruders: [string, () => Promise<Record<string, string>>, number, string][] = [
    ["nobody's key", async () => ({}), 401, "no_authorization"],
    [
      "the public key alone",
      async () => ({ apikey: bench.deps.secrets.publishableKey }),
      401,
      "no_authorization",
    ],
    [
      "the public key twice",
      async () => ({
        apikey: bench.deps.secrets.publishableKey,
        authorization: `Bearer ${bench.deps.secrets.publishableKey}`,
      }),
      403,
      "not_admin",
    ],
    [
      "an owner's session",
      async () => ({
        apikey: bench.deps.secrets.publishableKey,
        authorization: `Bearer ${(await signIn(organization.users.owner.email)).token}`,
      }),
      403,
      "not_admin",
    ],
    [
      "an owner's session beside the secret key",
      async () => ({
        apikey: bench.deps.secrets.secretKey,
        authorization: `Bearer ${(await signIn(organization.users.owner.email)).token}`,
      }),
      403,
      "not_admin",
    ],
    [
      "an organisation's key",
      async () => {
        const { key } = await createApiKey(bench.database.sql, { orgId: organization.id });
        return { apikey: bench.deps.secrets.publishableKey, authorization: `Bearer ${key}` };
      },
      403,
      "bad_jwt",
    ],
    [
      "a token that says service_role",
      async () => {
        const token = await new SignJWT({ role: "service_role" })
          .setProtectedHeader({ alg: "HS256" })
          .setExpirationTime("1h")
          .sign(new TextEncoder().encode("another secret, also long enough for it"));
        return { apikey: bench.deps.secrets.publishableKey, authorization: `Bearer ${token}` };
      },
      403,
      "bad_jwt",
    ],
  ];

  test.each(intruders)(
    "%s is refused everywhere, and changes nothing",
    async (_, headersOf, status, code) => {
      const { sql } = bench.database;
      const victim = await createUser(sql);
      const factor = await createFactor(sql, victim);
      const passkey = await createPasskey(sql, victim);
      const headers = await headersOf();
      const before = await everything();
      const at = `/admin/users/${victim.id}`;
      const calls: [string, string, unknown?][] = [
        ["GET", "/admin/users"],
        ["POST", "/admin/users", { email: newEmail(), email_confirm: true }],
        ["GET", at],
        ["PUT", at, { password: NEW_PASSWORD }],
        ["DELETE", at],
        ["GET", `${at}/factors`],
        ["DELETE", `${at}/factors/${factor}`],
        ["GET", `${at}/passkeys`],
        ["DELETE", `${at}/passkeys/${passkey}`],
        ["POST", "/invite", { email: newEmail() }],
        ["POST", "/admin/generate_link", { type: "magiclink", email: victim.email }],
      ];
      for (const [method, path, body] of calls) {
        const response = await bench.service.fetch(
          new Request(`${SITE}/auth/v1${path}`, {
            method,
            headers,
            ...(body !== undefined && { body: JSON.stringify(body) }),
          }),
        );
        const answer: unknown = await response.json();
        expect([path, response.status, answer]).toMatchObject([path, status, { error_code: code }]);
      }
      await bench.settle();
      expect(await everything()).toBe(before);
    },
  );

  test("the secret key is enough by itself, as at a hosted project's gateway", async () => {
    const headers = { apikey: bench.deps.secrets.secretKey };
    expect((await bench.call("/admin/users", { headers })).status).toBe(200);
  });
});

test("every change leaves a row of the operator's trail: the key, what, and whom by the identifier", async () => {
  const { sql } = bench.database;
  const events = () => sql<{ action: string; subject_id: string; note: string }[]>`
    select action, subject_id, note from private.operator_events where actor = 'key' order by id`;
  const before = (await events()).length;
  const email = newEmail();
  const made = await admin.createUser({ email, password: NEW_PASSWORD, email_confirm: true });
  const id = made.data.user?.id ?? "";
  const user = { ...(await createUser(sql)) };
  const factor = await createFactor(sql, user);
  await admin.getUserById(id);
  await admin.listUsers();
  await admin.updateUserById(id, { user_metadata: { full_name: "Zoé Invisible" } });
  await admin.generateLink({ type: "magiclink", email });
  await admin.mfa.deleteFactor({ userId: user.id, id: factor });
  const passkey = await createPasskey(sql, user);
  await admin.passkey.deletePasskey({ userId: user.id, passkeyId: passkey });
  const invited = await admin.inviteUserByEmail(newEmail());
  await admin.signOut((await signIn(email, NEW_PASSWORD)).token);
  await admin.deleteUser(user.id, true);
  await admin.deleteUser(id);
  const noted = (await events()).slice(before);
  expect(noted).toEqual([
    { action: "account.created", subject_id: id, note: "email, password, confirmsEmail" },
    { action: "account.changed", subject_id: id, note: "userMetadata" },
    { action: "account.link_made", subject_id: id, note: "magiclink" },
    { action: "account.factor_removed", subject_id: user.id, note: factor },
    { action: "account.passkey_removed", subject_id: user.id, note: passkey },
    { action: "account.invited", subject_id: invited.data.user?.id, note: "" },
    { action: "account.signed_out", subject_id: id, note: "global" },
    { action: "account.emptied", subject_id: user.id, note: "" },
    { action: "account.erased", subject_id: id, note: "" },
  ]);
});

describe("making an account", () => {
  test("that is confirmed lets its person sign in at once", async () => {
    const email = newEmail();
    const { data, error } = await admin.createUser({
      email: email.toUpperCase(),
      password: NEW_PASSWORD,
      email_confirm: true,
      // Nothing is confirmed of a number that nobody gave.
      phone_confirm: true,
      user_metadata: { full_name: "Zoé Martin" },
      app_metadata: { source: "import" },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email,
      role: "authenticated",
      aud: "authenticated",
      user_metadata: { full_name: "Zoé Martin", email_verified: true },
      app_metadata: { provider: "email", providers: ["email"], source: "import" },
      identities: [
        {
          provider: "email",
          identity_data: { email, email_verified: true, phone_verified: false },
        },
      ],
    });
    expect(data.user?.phone_confirmed_at).toBeUndefined();
    expect((await signIn(email, NEW_PASSWORD)).code).toBeNull();
    // Nobody is written to: the operator has said all there is to say.
    expect(await bench.messages(email)).toEqual([]);
  });

  test("that is not confirmed waits, with its metadata as they were given", async () => {
    const email = newEmail();
    const { data } = await admin.createUser({
      email,
      password: NEW_PASSWORD,
      user_metadata: { a: 1 },
    });
    expect(data.user?.user_metadata).toEqual({ a: 1 });
    expect(data.user?.email_confirmed_at).toBeUndefined();
    expect((await signIn(email, NEW_PASSWORD)).code).toBe("email_not_confirmed");
  });

  test("with the hash of another place's password, a number, an identifier and a ban", async () => {
    const email = newEmail();
    const id = randomUUID();
    const { data, error } = await admin.createUser({
      id,
      email,
      phone: "+33 6 12 34 56 78",
      password_hash: HASH,
      email_confirm: true,
      phone_confirm: true,
      ban_duration: "1h30m",
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id, email, phone: "33612345678" });
    expect(data.user?.identities?.map(({ provider }) => provider).sort()).toEqual([
      "email",
      "phone",
    ]);
    expect((await signIn(email)).code).toBe("user_banned");
    bench.advance(91 * 60_000);
    expect((await signIn(email)).code).toBeNull();
  });

  test.each([
    ["neither address nor number", {}, 400, "validation_failed"],
    ["no address", { email: "xx:;x@x.x", password: "azerty" }, 400, "validation_failed"],
    [
      "a password and a hash",
      { email: "a@exemple.fr", password: NEW_PASSWORD, password_hash: HASH },
      400,
      "validation_failed",
    ],
    [
      "a hash that nothing checks",
      { email: "a@exemple.fr", password_hash: "$argon2id$v=19$" },
      400,
      "validation_failed",
    ],
    ["a weak password", { email: "a@exemple.fr", password: "azerty" }, 422, "weak_password"],
    ["no identifier", { email: "a@exemple.fr", id: "un" }, 400, "validation_failed"],
    ["another role", { email: "a@exemple.fr", role: "service_role" }, 400, "validation_failed"],
    ["no duration", { email: "a@exemple.fr", ban_duration: "longtemps" }, 400, "validation_failed"],
    [
      "metadata that no header carries",
      { email: "a@exemple.fr", app_metadata: { a: "é".repeat(4_000) } },
      400,
      "validation_failed",
    ],
  ])("with %s is refused, and makes none", async (_, attributes, status, code) => {
    const before = await everything();
    const { data, error } = await admin.createUser(attributes);
    expect(data.user).toBeNull();
    expect(error).toMatchObject({ status, code });
    expect(await everything()).toBe(before);
  });

  test("with what another account has is refused", async () => {
    const { id, email } = await createUser(bench.database.sql);
    const taken = await admin.createUser({ email: email.toUpperCase() });
    expect(taken.error).toMatchObject({ status: 422, code: "email_exists" });
    const same = await admin.createUser({ email: newEmail(), id });
    expect(same.error).toMatchObject({ status: 422, code: "user_already_exists" });
    await admin.createUser({ phone: "33700000001" });
    const number = await admin.createUser({ phone: "33700000001" });
    expect(number.error).toMatchObject({ status: 422, code: "phone_exists" });
  });

  test("with an address that another account has left makes a new one", async () => {
    const email = newEmail();
    const { data: first } = await admin.createUser({ email, email_confirm: true });
    await admin.updateUserById(first.user?.id ?? "", { email: newEmail() });
    const { data, error } = await admin.createUser({ email });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email });
    expect(data.user?.id).not.toBe(first.user?.id);
  });

  test("twice at once makes one", async () => {
    const email = newEmail();
    const made = await Promise.all([1, 2, 3].map(() => admin.createUser({ email })));
    expect(made.map(({ error }) => error?.code ?? "made").sort()).toEqual([
      "email_exists",
      "email_exists",
      "made",
    ]);
  });
});

describe("looking", () => {
  test("through all accounts, page by page, by when they began", async () => {
    const mark = randomUUID().slice(0, 8);
    const emails: string[] = [];
    for (const number of [1, 2, 3]) {
      const email = `page-${mark}-${number}@exemple.fr`;
      emails.push(email);
      await admin.createUser({ email });
    }
    const first = await admin.listUsers({ page: 1, perPage: 2 });
    expect(first.error).toBeNull();
    expect(first.data.users.map(({ email }) => email)).toEqual([emails[2], emails[1]]);
    const { total } = "total" in first.data ? first.data : { total: 0 };
    const lastPage = Math.ceil(total / 2);
    expect(first.data).toMatchObject({ aud: "authenticated", nextPage: 2 });

    const headers = { apikey: bench.deps.secrets.secretKey };
    const page = await bench.call(`/admin/users?page=2&per_page=2`, { headers });
    expect(page.headers.get("x-total-count")).toBe(String(total));
    expect(page.headers.get("link")).toBe(
      `</admin/users?page=3&per_page=2>; rel="next", </admin/users?page=${lastPage}&per_page=2>; rel="last"`,
    );
    const last = await bench.call(`/admin/users?page=${lastPage}&per_page=2`, { headers });
    expect(last.headers.get("link")).toBe(`</admin/users?page=${lastPage}&per_page=2>; rel="last"`);
    const found = await bench.call(`/admin/users?filter=page-${mark}&sort=created_at%20asc`, {
      headers,
    });
    expect(found.body).toMatchObject({ users: emails.map((email) => ({ email })) });
    // A sign that means « anything » in a pattern stands for itself.
    expect((await bench.call("/admin/users?filter=page_%25", { headers })).body).toMatchObject({
      users: [],
    });
  });

  test.each(["page=-1", "per_page=un", "per_page=0", "sort=email"])(
    "%s is refused",
    async (query) => {
      const headers = { apikey: bench.deps.secrets.secretKey };
      expect(await bench.call(`/admin/users?${query}`, { headers })).toMatchObject({
        status: 400,
        body: { error_code: "validation_failed" },
      });
    },
  );

  test("at one account; without one the answer says so", async () => {
    const { id, email } = await createUser(bench.database.sql);
    expect((await admin.getUserById(id)).data.user).toMatchObject({ id, email });
    const refused = { status: 404, code: "user_not_found" };
    expect((await admin.getUserById(NOBODY)).error).toMatchObject(refused);
    expect((await admin.updateUserById(NOBODY, {})).error).toMatchObject(refused);
    expect((await admin.deleteUser(NOBODY)).error).toMatchObject(refused);
    expect((await admin.mfa.listFactors({ userId: NOBODY })).error).toMatchObject(refused);
    expect((await admin.mfa.deleteFactor({ userId: NOBODY, id: NOBODY })).error).toMatchObject(
      refused,
    );
  });
});

describe("changing an account", () => {
  test("gives it another password: sessions and what was sent before are void", async () => {
    const user = await createUser(bench.database.sql);
    const { token } = await signIn(user.email);
    await bench.client().auth.resetPasswordForEmail(user.email);
    const { data } = await bench.latest(user.email);
    expect((await admin.updateUserById(user.id, { password: NEW_PASSWORD })).error).toBeNull();

    expect(await refusalOf(token)).toBe("session_not_found");
    expect((await signIn(user.email)).code).toBe("invalid_credentials");
    expect((await signIn(user.email, NEW_PASSWORD)).code).toBeNull();
    const used = await bench
      .client()
      .auth.verifyOtp({ email: user.email, token: data.code ?? "", type: "recovery" });
    expect(used.error?.code).toBe("otp_expired");
    const weak = await admin.updateUserById(user.id, { password: "azerty" });
    expect(weak.error).toMatchObject({ status: 422, code: "weak_password" });
    expect((await signIn(user.email, NEW_PASSWORD)).code).toBeNull();
  });

  test("adds metadata and takes it away, of both kinds", async () => {
    const { id } = await createUser(bench.database.sql, { fullName: "Zoé" });
    const { data } = await admin.updateUserById(id, {
      user_metadata: { full_name: null, colour: "jaune" },
      app_metadata: { roles: ["a"] },
    });
    expect(data.user?.user_metadata).toMatchObject({ colour: "jaune" });
    expect(data.user?.user_metadata).not.toHaveProperty("full_name");
    expect(data.user?.app_metadata).toEqual({
      provider: "email",
      providers: ["email"],
      roles: ["a"],
    });
  });

  test("gives it another address at once, unless somebody has it", async () => {
    const user = await createUser(bench.database.sql);
    const other = await createUser(bench.database.sql);
    const taken = await admin.updateUserById(user.id, { email: other.email });
    expect(taken.error).toMatchObject({ status: 422, code: "email_exists" });
    const email = newEmail();
    const { data } = await admin.updateUserById(user.id, { email, email_confirm: true });
    expect(data.user).toMatchObject({ email, identities: [{ identity_data: { email } }] });
    expect((await signIn(user.email)).code).toBe("invalid_credentials");
    expect((await signIn(email)).code).toBeNull();
  });

  test("takes its own address and number for nobody else's", async () => {
    const phone = "33639980120";
    const email = newEmail();
    const { data } = await admin.createUser({ email, phone, email_confirm: true });
    const again = await admin.updateUserById(data.user?.id ?? "", { email, phone });
    expect(again.error).toBeNull();
    expect(again.data.user).toMatchObject({ email, phone });
  });

  test("gives an account without an address one that opens it, once the operator vouches for it", async () => {
    const account = { phone: "33639980121", password: NEW_PASSWORD, phone_confirm: true };
    const { data } = await admin.createUser(account);
    const id = data.user?.id ?? "";
    const email = newEmail();
    await admin.updateUserById(id, { email });
    expect((await signIn(email, NEW_PASSWORD)).code).toBe("email_not_confirmed");
    const other = newEmail();
    await bench.database.sql`update auth.users set email = null where id = ${id}`;
    const vouched = await admin.updateUserById(id, { email: other, email_confirm: true });
    expect(vouched.data.user).toMatchObject({ email: other, phone: account.phone });
    expect((await signIn(other, NEW_PASSWORD)).code).toBeNull();
  });

  test("confirms an address that waits, with the password of its only sign-up", async () => {
    const email = newEmail();
    await bench.client().auth.signUp({ email, password: NEW_PASSWORD });
    const [row] = await bench.database.sql<{ id: string }[]>`
      select id from auth.users where email = ${email}`;
    const { data } = await admin.updateUserById(row?.id ?? "", { email_confirm: true });
    expect(data.user?.email_confirmed_at).toBeTruthy();
    expect((await signIn(email, NEW_PASSWORD)).code).toBeNull();
  });

  test("confirms it without a password where several signed up: nobody knows whose it is", async () => {
    const email = newEmail();
    await bench.client().auth.signUp({ email, password: NEW_PASSWORD });
    await bench.client().auth.signUp({ email, password: "un autre mot de passe" });
    const [row] = await bench.database.sql<{ id: string }[]>`
      select id from auth.users where email = ${email}`;
    await admin.updateUserById(row?.id ?? "", { email_confirm: true });
    expect((await signIn(email, "un autre mot de passe")).code).toBe("invalid_credentials");
    expect((await signIn(email, NEW_PASSWORD)).code).toBe("invalid_credentials");
  });

  test("bans its person from the next request on, and lifts the ban", async () => {
    const user = await createUser(bench.database.sql);
    const { token } = await signIn(user.email);
    const { data } = await admin.updateUserById(user.id, { ban_duration: "24h" });
    expect(data.user).toHaveProperty("banned_until");
    expect(await refusalOf(token)).toBe("session_not_found");
    expect((await signIn(user.email)).code).toBe("user_banned");
    await admin.updateUserById(user.id, { ban_duration: "none" });
    expect((await signIn(user.email)).code).toBeNull();
  });
});

describe("deleting an account", () => {
  test("leaves nothing of it, and its team one fewer", async () => {
    const { sql } = bench.database;
    const { member } = (await createOrganization(sql)).users;
    const { token } = await signIn(member.email);
    expect((await admin.deleteUser(member.id)).error).toBeNull();
    expect(await rowOf(member.id)).toBeNull();
    expect(await isMember(member.id)).toBe(false);
    expect(await refusalOf(token)).toBe("user_not_found");
    expect((await signIn(member.email)).code).toBe("invalid_credentials");
    const trail = await sql`
      select user_id from public.audit_events
      where action = 'member.removed' and subject_id = ${member.id}`;
    expect(trail).toMatchObject([{ user_id: null }]);
  });

  test("softly leaves its row, without anything of its person", async () => {
    const { sql } = bench.database;
    const { cashier } = (await createOrganization(sql)).users;
    await createFactor(sql, cashier);
    await createPasskey(sql, cashier);
    expect((await admin.deleteUser(cashier.id, true)).error).toBeNull();
    const row = await rowOf(cashier.id);
    expect(row).toMatchObject({ email: null, encrypted_password: null, raw_user_meta_data: {} });
    expect(JSON.stringify(row)).not.toContain("exemple.fr");
    expect(await isMember(cashier.id)).toBe(false);
    const emptied = [
      "identities",
      "sessions",
      "mfa_factors",
      "webauthn_credentials",
      "one_time_tokens",
    ];
    for (const table of emptied) {
      expect(await sql`select from auth.${sql(table)} where user_id = ${cashier.id}`).toEqual([]);
    }
    expect((await admin.getUserById(cashier.id)).data.user).toHaveProperty("deleted_at");
    // The address is free again, for somebody new.
    expect((await admin.createUser({ email: cashier.email })).error).toBeNull();
    const revived = await admin.updateUserById(cashier.id, { email: newEmail() });
    expect(revived.error).toMatchObject({ status: 404, code: "user_not_found" });
    expect((await admin.deleteUser(cashier.id)).error).toBeNull();
    expect(await rowOf(cashier.id)).toBeNull();
  });

  test.each([
    ["hard", false],
    ["softly", true],
  ])("%s is refused for an organisation's last owner, who stays as they are", async (_, softly) => {
    const { owner } = (await createOrganization(bench.database.sql)).users;
    const before = await rowOf(owner.id);
    const { error } = await admin.deleteUser(owner.id, softly);
    expect(error).toMatchObject({ status: 409, code: "conflict" });
    expect(await rowOf(owner.id)).toEqual(before);
    expect(await isMember(owner.id)).toBe(true);
    expect((await signIn(owner.email)).code).toBeNull();
  });

  test("is open to an owner beside another one, and to that of an organisation that ends", async () => {
    const { sql } = bench.database;
    const { id, users } = await createOrganization(sql);
    await sql`update public.organization_members set role = 'owner' where user_id = ${users.admin.id}`;
    const both = await Promise.all(
      [users.owner, users.admin].map((user) => admin.deleteUser(user.id)),
    );
    // Of two who go at once one has to stay.
    expect(both.map(({ error }) => error?.code ?? "gone").sort()).toEqual(["conflict", "gone"]);
    await sql`update public.organizations set erase_at = now() + interval '30 days' where id = ${id}`;
    const rest = await Promise.all(
      [users.owner, users.admin].map((user) => admin.deleteUser(user.id)),
    );
    expect(rest.map(({ error }) => error?.code ?? "gone").sort()).toEqual([
      "gone",
      "user_not_found",
    ]);
  });
});

describe("second factors", () => {
  test("are listed and taken away; the person hears of it", async () => {
    const { sql } = bench.database;
    const user: User = await createUser(sql);
    const id = await createFactor(sql, user);
    const listed = await admin.mfa.listFactors({ userId: user.id });
    expect(listed.data?.factors).toMatchObject([{ id, factor_type: "totp", status: "verified" }]);
    expect(JSON.stringify(listed.data)).not.toContain("secret");
    const other = await createUser(sql);
    const foreign = await admin.mfa.deleteFactor({ userId: other.id, id });
    expect(foreign.error).toMatchObject({ status: 404, code: "mfa_factor_not_found" });
    expect((await admin.mfa.deleteFactor({ userId: user.id, id })).error).toBeNull();
    expect((await admin.mfa.listFactors({ userId: user.id })).data?.factors).toEqual([]);
    expect((await bench.latest(user.email)).template).toBe("factor_removed");
  });
});

describe("signing out", () => {
  test.each([
    ["global", ["session_not_found", "session_not_found"]],
    ["local", ["session_not_found", null]],
    ["others", [null, "session_not_found"]],
  ] as const)("%s ends the sessions that it says", async (scope, codes) => {
    const user = await createUser(bench.database.sql);
    // Somebody whose first step alone was taken is signed out by the operator all the same.
    await createFactor(bench.database.sql, user);
    const [one, two] = [await signIn(user.email), await signIn(user.email)];
    expect((await admin.signOut(one.token, scope)).error).toBeNull();
    expect(await Promise.all([one, two].map(({ token }) => refusalOf(token)))).toEqual(codes);
  });

  test("with nonsense for a token is refused", async () => {
    const { error } = await admin.signOut("ceci n'est pas un jeton");
    expect(error).toMatchObject({ status: 403, code: "bad_jwt" });
    expect(error?.message).toMatch(/^invalid JWT/);
  });
});
