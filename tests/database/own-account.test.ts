import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { accountCopy, accountDeletion } from "#domain/schemas/own-account.ts";
import { type Caller, setUpTestDatabase, undone } from "../harness/database.ts";
import {
  createApiKey,
  createFactor,
  createOrganization,
  createPasskey,
  createSession,
  createUser,
  type Organization,
  type Role,
  type User,
} from "../harness/fixtures.ts";
import { makePushDevice } from "../harness/push-device.ts";
import { readTables } from "./attempts.ts";
import { everythingStored } from "./support/stored.ts";
import { untilWaiting } from "./support/waiting.ts";
import { whole } from "./support/whole.ts";

/** One's own account: who deletes it, on which proof, and what is left of it. */

const database = setUpTestDatabase();
let ours: Organization;

beforeEach(async () => {
  ours = await createOrganization(database.sql);
});

const MINUTES = 60;

/** Notes that a session's person has proven who they are, so many seconds ago. */
async function prove(sessionId: string, method = "password", secondsAgo = 0): Promise<void> {
  await database.sql`
    insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
    values (${randomUUID()}, ${sessionId}, ${method}, now(), now() - make_interval(secs => ${secondsAgo}))
    on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`;
}

const erase = (caller: Caller, id: string) =>
  database.as(caller, async (sql) => {
    const [row] = await sql<{ outcome: string; retry_after: number | null }[]>`
      select outcome, retry_after from public.delete_account(${id})`;
    return row;
  });
const eraseOwn = async (user: User) => (await erase({ userId: user.id }, user.id))?.outcome;

/** Writes down a sign-in as the hosted platform's own service does; ours keeps no such log. */
async function noteSignIn({ id, email }: User): Promise<void> {
  const payload = { action: "login", actor_id: id, actor_username: email, log_type: "account" };
  await database.sql`
    insert into auth.audit_log_entries (id, payload, created_at, ip_address)
    values (${randomUUID()}, ${database.sql.json(payload)}, now(), '192.0.2.7')`;
}

const summary = (user: User) =>
  database.as({ userId: user.id }, async (sql) => {
    const [row] = await sql<{ answer: unknown }[]>`
      select public.account_deletion_summary() as answer`;
    return whole(accountDeletion, row?.answer);
  });

const exists = async ({ id }: User) =>
  (await database.sql`select from auth.users where id = ${id}`).length === 1;
const ownersOf = (orgId: string) =>
  database.sql`select from public.organization_members where org_id = ${orgId} and role = 'owner'`;
const promote = (user: User) =>
  database.sql`update public.organization_members set role = 'owner' where user_id = ${user.id}`;

/** Expects an answer other than « deleted », after which everything stored is as it was. */
async function keepsEverything(attempt: () => Promise<string | undefined>, answer: string) {
  const before = await everythingStored(database.sql);
  expect(await attempt().catch(codeOf)).toBe(answer);
  expect(await everythingStored(database.sql)).toEqual(before);
}

function codeOf(error: unknown): string {
  if (error instanceof postgres.PostgresError) return error.code;
  throw error;
}

describe("a member who deletes their own account", () => {
  it.each<Role>(["admin", "member", "cashier"])("is gone, as %s", async (role) => {
    const { sql } = database;
    const user = ours.users[role];
    const { endpoint, p256dh, auth } = makePushDevice();
    await sql`
      insert into private.push_devices (org_id, user_id, session_id, endpoint, p256dh, auth, label)
      values (${ours.id}, ${user.id}, ${user.id}, ${endpoint}, ${p256dh}, ${auth}, 'Chrome')`;
    await createSession(sql, user);
    await prove(user.id);
    expect(await eraseOwn(user)).toBe("deleted");
    expect(await exists(user)).toBe(false);
    const left = await sql`
      select 'session' from auth.sessions where user_id = ${user.id}
      union all select 'membership' from public.organization_members where user_id = ${user.id}
      union all select 'device' from private.push_devices where user_id = ${user.id}`;
    expect(left).toEqual([]);
    // The token that deleted it opens nothing, and deletes nothing once more.
    expect(await eraseOwn(user).catch(codeOf)).toBe("TV011");
    const mails = await sql`
      select template, recipient from private.outbox where recipient = ${user.email}`;
    expect(mails).toEqual([{ template: "account_deleted", recipient: user.email }]);
  });

  it("is found nowhere any more but in the mail that says so and under what the team's trail has kept", async () => {
    const { sql } = database;
    await noteSignIn(ours.users.owner);
    const user = await createUser(sql, {
      email: "quitteuse.rare@exemple.fr",
      fullName: "Quirine Delabrousse",
    });
    await sql`
      insert into public.organization_members (org_id, user_id, role) values (${ours.id}, ${user.id}, 'member')`;
    await noteSignIn(user);
    await prove(user.id);
    expect(await eraseOwn(user)).toBe("deleted");
    await sql`delete from private.outbox where template = 'account_deleted'`;
    const found: string[] = [];
    for (const { name } of await readTables(sql)) {
      const rows = await sql.unsafe(
        `select 1 from ${name} r where to_jsonb(r)::text ~* 'quirine|quitteuse\\.rare'`,
      );
      if (rows.length > 0) found.push(name);
    }
    expect(found).toEqual([]);
    expect(await sql`select from auth.audit_log_entries`).toHaveLength(1);
    const trail = await sql`
      select user_id, actor_name, action, subject_id, detail from public.audit_events
      where org_id = ${ours.id} order by id desc limit 1`;
    expect(trail).toEqual([
      {
        user_id: null,
        actor_name: null,
        action: "member.erased",
        subject_id: null,
        detail: { role: "member" },
      },
    ]);
  });

  it("leaves the organisation its keys of the API, and no open invitation of theirs", async () => {
    const { sql } = database;
    const { admin } = ours.users;
    const key = await createApiKey(sql, { orgId: ours.id });
    await sql`update private.api_keys set created_by = ${admin.id} where id = ${key.id}`;
    await database.as(
      { userId: admin.id },
      (as) => as`select public.invite_member('promise@exemple.fr', 'cashier')`,
    );
    expect(await summary(admin)).toMatchObject({ organization: { api_keys: 1 } });
    await prove(admin.id);
    expect(await eraseOwn(admin)).toBe("deleted");
    expect(
      await sql`select created_by, revoked_at from private.api_keys where id = ${key.id}`,
    ).toEqual([{ created_by: null, revoked_at: null }]);
    expect(
      await sql`
        select withdrawn_at is not null as is_withdrawn from private.invitations
        where org_id = ${ours.id} and email = 'promise@exemple.fr'`,
    ).toEqual([{ is_withdrawn: true }]);
  });

  it("needs no organisation", async () => {
    const user = await createUser(database.sql);
    expect(await summary(user)).toEqual({ organization: null, sessions: 1 });
    await prove(user.id, "oauth");
    expect(await eraseOwn(user)).toBe("deleted");
  });
});

describe("the proof", () => {
  it("is one of the last ten minutes, in this session", async () => {
    const { member } = ours.users;
    await keepsEverything(() => eraseOwn(member), "proof_needed");
    await prove(member.id, "password", 10 * MINUTES + 1);
    await keepsEverything(() => eraseOwn(member), "proof_needed");
    // Signed in anew elsewhere: that is the other session's proof.
    await prove(await createSession(database.sql, member));
    await keepsEverything(() => eraseOwn(member), "proof_needed");
    await prove(member.id, "password", 10 * MINUTES - 5);
    expect(await eraseOwn(member)).toBe("deleted");
  });

  it("is none that a clock ahead has dated", async () => {
    const { member } = ours.users;
    await prove(member.id, "password", -11 * MINUTES);
    await keepsEverything(() => eraseOwn(member), "proof_needed");
    await prove(member.id);
    expect(await eraseOwn(member)).toBe("deleted");
  });

  it.each(["token_refresh", "anonymous"])("is not %s", async (method) => {
    const { member } = ours.users;
    await prove(member.id, method);
    await keepsEverything(() => eraseOwn(member), "proof_needed");
  });

  it("is the second factor where there is one, and that one used lately", async () => {
    const { sql } = database;
    const { member } = ours.users;
    await createFactor(sql, member);
    const sessionId = await createSession(sql, member, { aal: "aal2" });
    const strong = { userId: member.id, sessionId, aal: "aal2" as const };
    const attempt = async (caller: Caller) => (await erase(caller, member.id))?.outcome;
    await prove(member.id);
    await keepsEverything(() => attempt({ userId: member.id }), "TV010");
    await prove(sessionId);
    await prove(sessionId, "totp", 10 * MINUTES + 1);
    await keepsEverything(() => attempt(strong), "proof_needed");
    await prove(sessionId, "totp");
    expect(await attempt(strong)).toBe("deleted");
  });

  it("of a session that was ended is worth nothing", async () => {
    const { member } = ours.users;
    await prove(member.id);
    await database.sql`delete from auth.sessions where id = ${member.id}`;
    await keepsEverything(() => eraseOwn(member), "TV011");
  });
});

describe("a proof by what somebody at an open session could have added", () => {
  /** An account of two days, in whose session nobody could have done something else before. */
  async function oldMember(): Promise<User> {
    const { member } = ours.users;
    await database.sql`update auth.users set created_at = now() - interval '2 days' where id = ${member.id}`;
    return member;
  }
  const CHANGES = {
    passkey: ({ id }: User) => createPasskey(database.sql, { id }),
    identity: ({ id }: User) => database.sql`
      insert into auth.identities (id, provider, provider_id, user_id, identity_data)
      values (${randomUUID()}, 'google', ${randomUUID()}, ${id}, '{}')`,
    password: ({ id }: User) =>
      database.sql`update auth.users set encrypted_password = 'another' where id = ${id}`,
    number: ({ id }: User) =>
      database.sql`update auth.users set phone = '33612345678' where id = ${id}`,
    address: ({ id }: User) =>
      database.sql`update auth.users set email = 'autre@exemple.fr' where id = ${id}`,
  } as const;
  const longAgo = ({ id }: User) =>
    database.sql`
      update private.account_events set created_at = created_at - interval '1 day' where user_id = ${id}`;

  it.each([
    ["passkey", "passkey"],
    ["identity", "oauth"],
    ["password", "password"],
    ["number", "otp"],
    ["address", "magiclink"],
  ] as const)("does not count for a day: %s, then %s", async (change, method) => {
    const member = await oldMember();
    await CHANGES[change](member);
    await prove(member.id, method);
    await keepsEverything(() => eraseOwn(member), "proof_too_new");
    await longAgo(member);
    expect(await eraseOwn(member)).toBe("deleted");
  });

  it("does not count either once what was added is removed again", async () => {
    const member = await oldMember();
    await CHANGES.passkey(member);
    await prove(member.id, "passkey");
    await database.sql`delete from auth.webauthn_credentials where user_id = ${member.id}`;
    await keepsEverything(() => eraseOwn(member), "proof_too_new");
  });

  it("is the second factor of an open session", async () => {
    const { sql } = database;
    const member = await oldMember();
    const factor = await createFactor(sql, member, { status: "unverified" });
    await sql`update auth.mfa_factors set status = 'verified' where id = ${factor}`;
    const sessionId = await createSession(sql, member, { aal: "aal2" });
    await prove(sessionId, "totp");
    const attempt = async () =>
      (await erase({ userId: member.id, sessionId, aal: "aal2" }, member.id))?.outcome;
    await keepsEverything(attempt, "proof_too_new");
    await longAgo(member);
    expect(await attempt()).toBe("deleted");
  });

  it.each([
    ["passkey", "otp"],
    ["password", "otp"],
    ["identity", "password"],
    ["passkey", "password"],
  ] as const)("counts where it is of another kind: %s, then %s", async (change, method) => {
    const member = await oldMember();
    await CHANGES[change](member);
    await prove(member.id, method);
    expect(await eraseOwn(member)).toBe("deleted");
  });

  it("counts as the second factor that was there before the password changed", async () => {
    const { sql } = database;
    const member = await oldMember();
    await createFactor(sql, member);
    await longAgo(member);
    await CHANGES.password(member);
    const sessionId = await createSession(sql, member, { aal: "aal2" });
    await prove(sessionId, "totp");
    const answer = await erase({ userId: member.id, sessionId, aal: "aal2" }, member.id);
    expect(answer?.outcome).toBe("deleted");
  });
});

describe("nobody", () => {
  it("deletes another's account, whatever their role", async () => {
    const { owner, admin, member, cashier } = ours.users;
    const stranger = await createUser(database.sql);
    for (const user of [owner, admin, cashier, stranger]) {
      await prove(user.id);
      await keepsEverything(
        async () => (await erase({ userId: user.id }, member.id))?.outcome,
        "42501",
      );
    }
    const key = await createApiKey(database.sql, { orgId: ours.id });
    const attempt = async () => (await erase({ apiKeyId: key.id }, member.id))?.outcome;
    await keepsEverything(attempt, "42501");
    // A session of one person does not become another's by a token that says so.
    const mixed: Caller = { userId: member.id, sessionId: owner.id };
    await keepsEverything(async () => (await erase(mixed, member.id))?.outcome, "TV011");
  });

  it("tries more often than ten times in a quarter of an hour", async () => {
    const { member } = ours.users;
    for (let attempt = 1; attempt <= 10; attempt += 1)
      expect(await eraseOwn(member)).toBe("proof_needed");
    await prove(member.id);
    const refused = await erase({ userId: member.id }, member.id);
    expect(refused?.outcome).toBe("too_many_attempts");
    expect(refused?.retry_after).toBeGreaterThan(0);
    expect(await exists(member)).toBe(true);
  });
});

describe("the last owner", () => {
  it("stays until somebody else owns the organisation", async () => {
    const { owner, admin } = ours.users;
    await prove(owner.id);
    expect(await summary(owner)).toMatchObject({
      organization: { name: ours.name, is_last_owner: true, has_colleagues: true, erase_at: null },
    });
    await keepsEverything(() => eraseOwn(owner), "last_owner");
    await promote(admin);
    expect(await summary(owner)).toMatchObject({ organization: { is_last_owner: false } });
    expect(await eraseOwn(owner)).toBe("deleted");
    expect(await ownersOf(ours.id)).toHaveLength(1);
  });

  it("goes once the organisation waits to be erased, and not while it is still charged", async () => {
    const { sql } = database;
    const { owner } = ours.users;
    await prove(owner.id);
    await sql`update public.organizations set erase_at = now() + interval '30 days' where id = ${ours.id}`;
    // A plan that was paid while the end was asked for: nobody else could cancel it.
    await sql`
      update public.subscriptions set is_ending = true, stripe_subscription_id = ${`sub_${ours.id}`}, status = 'active'
      where org_id = ${ours.id}`;
    expect(await summary(owner)).toMatchObject({ organization: { has_running_payments: true } });
    expect(await summary(owner)).toMatchObject({ organization: { needs_owner: true } });
    await keepsEverything(() => eraseOwn(owner), "last_owner");
    await sql`update public.subscriptions set cancel_at_period_end = true where org_id = ${ours.id}`;
    expect(await summary(owner)).toMatchObject({
      organization: { is_last_owner: true, needs_owner: false },
    });
    expect(await eraseOwn(owner)).toBe("deleted");
  });

  it.each(["both delete", "one deletes while the other leaves"])(
    "of two at once stays: %s",
    async (how) => {
      const { sql } = database;
      const { owner, admin } = ours.users;
      await promote(admin);
      await prove(owner.id);
      await prove(admin.id);
      const other = () =>
        how === "both delete"
          ? eraseOwn(admin)
          : database
              .as({ userId: admin.id }, (as) => as`select public.leave_organization()`)
              .then(() => "left", codeOf);
      // Both wait for the team's lock, which somebody else holds.
      let outcomes: Promise<(string | undefined)[]> = Promise.resolve([]);
      await sql.begin(async (holder) => {
        await holder`select private.lock_team(${ours.id})`;
        outcomes = Promise.all([eraseOwn(owner), other()]);
        await untilWaiting(sql, 2);
      });
      const [first, second] = await outcomes;
      expect([first, second].filter((one) => one === "deleted" || one === "left")).toHaveLength(1);
      expect([first, second].filter((one) => one === "last_owner" || one === "TV104")).toHaveLength(
        1,
      );
      expect(await ownersOf(ours.id)).toHaveLength(1);
    },
  );
});

describe("the copy", () => {
  it("is the operator's export of that account, and of nobody else's", async () => {
    const { sql } = database;
    const { cashier } = ours.users;
    const answer = await database.as({ userId: cashier.id }, async (as) => {
      const [row] = await as`select outcome, retry_after, data from public.copy_account_data()`;
      return accountCopy.parse(row);
    });
    const [operators] = await sql`select private.copy_account(${cashier.id}) as data`;
    expect(answer).toEqual({ outcome: "copied", retry_after: null, data: operators?.data });
    expect(answer.data).toMatchObject({ account: { email: cashier.email }, push_devices: [] });
    expect(JSON.stringify(answer.data)).not.toContain(ours.users.owner.email);
  });

  it("has the sign-ins that the hosted platform writes down, and nobody else's", async () => {
    const { cashier, owner } = ours.users;
    await noteSignIn(cashier);
    await noteSignIn(owner);
    const [copy] = await database.sql`
      select private.copy_account(${cashier.id}) -> 'sign_in_log' as log`;
    expect(copy?.log).toEqual([{ at: expect.any(String), action: "login", address: "192.0.2.7" }]);
  });

  it("finds the deeds and invitations of its account by indexes, in whatever organisation", async () => {
    const { id } = ours.users.cashier;
    const plans = await undone(database.sql, async (sql) => {
      // Rows of organisations that are nowhere: only finding is asked here.
      await sql`set local session_replication_role = replica`;
      await sql`
        insert into public.audit_events (org_id, user_id, action, subject_type)
        select gen_random_uuid(), gen_random_uuid(), 'store.changed', 'store' from generate_series(1, 3000)`;
      await sql`
        insert into private.invitations (org_id, email, role, token_hash, accepted_by)
        select gen_random_uuid(), n || '@exemple.fr', 'member', sha256(convert_to(n::text, 'UTF8')), gen_random_uuid()
        from generate_series(1, 3000) n`;
      await sql`analyze public.audit_events, private.invitations`;
      const plan = async (question: string) =>
        (await sql.unsafe<{ "QUERY PLAN": string }[]>(`explain ${question}`))
          .map((line) => line["QUERY PLAN"])
          .join("\n");
      return [
        await plan(`select from public.audit_events e where e.user_id = '${id}'`),
        await plan(`
          select from private.invitations v
          where v.accepted_by = '${id}' or private.normalize_email(v.email) = 'caisse@exemple.fr'`),
      ];
    });
    expect(plans[0]).toContain("audit_events_own_idx");
    expect(plans[1]).toContain("invitations_accepted_by_idx");
    expect(plans[1]).toContain("invitations_mailbox_idx");
  });

  it("is given ten times an hour", async () => {
    const copy = () =>
      database.as({ userId: ours.users.member.id }, async (as) => {
        const [row] = await as<{ outcome: string }[]>`
          select outcome from public.copy_account_data()`;
        return row?.outcome;
      });
    for (let round = 1; round <= 10; round += 1) expect(await copy()).toBe("copied");
    expect(await copy()).toBe("too_many_attempts");
  });
});
