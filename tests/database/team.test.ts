import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { INVITATION_DAYS } from "#domain/rules/constants.ts";
import { ROLES, type Role } from "#domain/rules/roles.ts";
import { invitationPage, team, waitingInvitation } from "#domain/schemas/team.ts";
import { secondsFromNow } from "../harness/clock.ts";
import { become, type Caller, setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  createUser,
  drawWheel,
  type Organization,
  type User,
} from "../harness/fixtures.ts";
import { redeem, spin } from "../harness/journey.ts";
import { everythingStored } from "./support/stored.ts";
import { untilWaiting } from "./support/waiting.ts";
import { whole } from "./support/whole.ts";

/** Members and invitations: who gets in, as what, how many, and what everybody may do about it. */

const database = setUpTestDatabase();
let ours: Organization;

beforeEach(async () => {
  ours = await createOrganization(database.sql);
});

const callerOf = (user: User): Caller => ({ userId: user.id });
const as = (role: Role): Caller => callerOf(ours.users[role]);
const address = () => `invite-${randomUUID()}@exemple.fr`;

const invite = (caller: Caller, email: string, role = "cashier", storeId: string | null = null) =>
  database.as(caller, async (sql) => {
    const [row] = await sql<{ id: string }[]>`
      select public.invite_member(${email}, ${role}, ${storeId}) as id`;
    return row?.id ?? "";
  });
const resend = (caller: Caller, id: string) =>
  database.as(caller, (sql) => sql`select public.resend_invitation(${id})`);
const withdraw = (caller: Caller, id: string) =>
  database.as(caller, (sql) => sql`select public.withdraw_invitation(${id})`);
const accept = (caller: Caller, token: string) =>
  database.as(caller, (sql) => sql`select public.accept_invitation(${token}) as answer`);
const waiting = (caller: Caller) =>
  database.as(caller, async (sql) => {
    const [row] = await sql<{ waiting: unknown }[]>`
      select public.waiting_invitation() as waiting`;
    return whole(waitingInvitation, row?.waiting);
  });
const acceptWaiting = (caller: Caller, id: string) =>
  database.as(caller, (sql) => sql`select public.accept_waiting_invitation(${id})`);
const changeRole = (caller: Caller, id: string, role: string, storeId: string | null = null) =>
  database.as(caller, (sql) => sql`select public.change_member_role(${id}, ${role}, ${storeId})`);
const remove = (caller: Caller, id: string) =>
  database.as(caller, (sql) => sql`select public.remove_member(${id})`);
const leave = (caller: Caller) =>
  database.as(caller, (sql) => sql`select public.leave_organization()`);
const transfer = (caller: Caller, id: string) =>
  database.as(caller, (sql) => sql`select public.transfer_ownership(${id})`);

const readTeam = (caller: Caller, orgId = ours.id) =>
  database.as(caller, async (sql) => {
    const [row] = await sql<{ team: unknown }[]>`select public.team(${orgId}) as team`;
    return whole(team, row?.team);
  });

/** Token in the link of the newest mail to an address. */
async function tokenFor(email: string): Promise<string> {
  const [mail] = await database.sql<{ path: string }[]>`
    select data ->> 'path' as path from private.outbox
    where template = 'invitation' and recipient = ${email} order by id desc limit 1`;
  const token = mail && new URL(mail.path, "https://site.invalid").searchParams.get("token");
  if (!token) throw new Error("No invitation was sent there.");
  return token;
}

async function page(token: string) {
  const [row] = await database.sql<{ page: unknown }[]>`
    select public.invitation_page(${token}) as page`;
  return whole(invitationPage, row?.page);
}

/** Invites somebody; answers the invitation, its token, and the account of that address. */
async function invited(role: Role = "member", storeId: string | null = null) {
  const email = address();
  const id = await invite(as("owner"), email, role, storeId);
  const user = await createUser(database.sql, { email, fullName: "Nadia Besson" });
  return { id, email, user, token: await tokenFor(email) };
}

const setPlan = (plan: string) =>
  database.sql`
    update public.subscriptions set plan = ${plan}, trial_end = now() + interval '9 days'
    where org_id = ${ours.id}`;

const expire = (id: string) =>
  database.sql`update private.invitations set expires_at = now() - interval '1 second' where id = ${id}`;

const actions = async () => {
  const rows = await database.sql<{ action: string }[]>`
    select action from public.audit_events
    where org_id = ${ours.id} and user_id is not null order by id`;
  return rows.map(({ action }) => action);
};

/** Expects a refusal with a code, after which everything stored is as it was. */
async function refused(attempt: () => PromiseLike<unknown>, code: string, detail?: string) {
  const before = await everythingStored(database.sql);
  const error: unknown = await attempt().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof postgres.PostgresError)) throw new Error(`Not refused with ${code}.`);
  expect(error.code).toBe(code);
  if (detail !== undefined) expect(error.detail).toBe(detail);
  expect(await everythingStored(database.sql)).toEqual(before);
}

describe("an invitation", () => {
  it("is sent, shown to whoever has its link, accepted, and written down", async () => {
    const email = `  Invite-${randomUUID()}@Exemple.FR `;
    await invite(as("admin"), email, "cashier", ours.storeId);
    const plain = email.trim().toLowerCase();
    const token = await tokenFor(plain);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(await page(token)).toMatchObject({
      state: "open",
      organization: ours.name,
      email: plain,
      role: "cashier",
      inviter: "Camille Martin",
      store: expect.any(String),
    });
    const [stored] = await database.sql<{ text: string }[]>`
      select string_agg(i::text, ' ') as text from private.invitations i where i.org_id = ${ours.id}`;
    expect(stored?.text).not.toContain(token);

    const user = await createUser(database.sql, { email: plain, fullName: "Nadia Besson" });
    await accept(callerOf(user), token);
    const { members, invitations, used } = await readTeam(as("owner"));
    expect(members.find(({ id }) => id === user.id)).toMatchObject({
      name: "Nadia Besson",
      email: plain,
      role: "cashier",
      store: { id: ours.storeId },
    });
    expect(invitations).toEqual([]);
    expect(used).toBe(5);
    expect(await actions()).toEqual(["invitation.sent", "member.joined"]);
    const [settings] = await database.sql`
      select email from public.notification_preferences where user_id = ${user.id}`;
    expect(settings).toEqual({ email: true });
  });

  it("opens once: a repeat by the same person changes nothing, anybody else is refused", async () => {
    const { user, token } = await invited();
    await accept(callerOf(user), token);
    const before = await everythingStored(database.sql);
    await accept(callerOf(user), token);
    expect(await everythingStored(database.sql)).toEqual(before);
    const stranger = await createUser(database.sql);
    await refused(() => accept(callerOf(stranger), token), "TV098");
    expect(await page(token)).toEqual({ state: "accepted", organization: ours.name });
    // Nor does it open again for whoever was removed since.
    await remove(as("owner"), user.id);
    await refused(() => accept(callerOf(user), token), "TV098");
  });

  it("opens for one of several clicks at once", async () => {
    const { user, token } = await invited();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => accept(callerOf(user), token)),
    );
    expect(new Set(answers.map((rows) => JSON.stringify(rows))).size).toBe(1);
    const rows =
      await database.sql`select from public.organization_members where user_id = ${user.id}`;
    expect(rows).toHaveLength(1);
    expect((await actions()).filter((action) => action === "member.joined")).toHaveLength(1);
  });

  it("is for the invited address alone", async () => {
    const { token, id } = await invited();
    const stranger = await createUser(database.sql);
    await refused(() => accept(callerOf(stranger), token), "TV101");
    const byPhone = await createUser(database.sql);
    await database.sql`
      update auth.users set email = null, phone = '33612345678', phone_confirmed_at = now() where id = ${byPhone.id}`;
    await refused(() => accept(callerOf(byPhone), token), "TV101");
    expect((await readTeam(as("owner"))).invitations).toMatchObject([{ id }]);
  });

  it("is not taken by an unverified e-mail: who only names the address takes nobody's place", async () => {
    const { user, token, email } = await invited();
    await database.sql`update auth.users set email_confirmed_at = null where id = ${user.id}`;
    await refused(() => accept(callerOf(user), token), "TV102");
    // Nor does asking to change to the address, or saying so in one's profile.
    const pretender = await createUser(database.sql);
    await database.sql`
      update auth.users set email_change = ${email},
        raw_user_meta_data = raw_user_meta_data || ${database.sql.json({ email, email_verified: true })}
      where id = ${pretender.id}`;
    await refused(() => accept(callerOf(pretender), token), "TV101");
    await database.sql`update auth.users set email_confirmed_at = now() where id = ${user.id}`;
    await accept(callerOf(user), token);
  });

  it("opens nothing without a session, with an ended one, or with half of one", async () => {
    const { user, token } = await invited();
    await refused(() => accept("anon", token), "42501");
    await refused(() => accept({ userId: user.id, sessionId: randomUUID() }, token), "TV011");
    await database.sql`
      insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
      values (${randomUUID()}, ${user.id}, 'téléphone', 'totp', 'verified', now(), now())`;
    await refused(() => accept(callerOf(user), token), "TV010");
  });

  it.each([
    ["organization_suspended", "TV190", { suspended_at: secondsFromNow(0), is_ending: true }],
    [
      "organization_ending",
      "TV191",
      { is_ending: true, status: "canceled", closed_at: secondsFromNow(0) },
    ],
    ["subscription_closed", "TV085", { status: "canceled", closed_at: secondsFromNow(0) }],
    ["subscription_closed", "TV085", { plan: "free_trial", trial_end: secondsFromNow(-60) }],
    // Four members and an invitation, of two.
    ["user_limit_reached", "TV002", { plan: "free_trial", trial_end: secondsFromNow(60) }],
  ])("says %s before it is accepted: joining is refused with %s", async (closed, code, state) => {
    const { user, token, id } = await invited();
    const open = await page(token);
    expect(open).toMatchObject({ state: "open", closed: null });
    expect(await waiting(callerOf(user))).toMatchObject({ closed: null });
    await database.sql`update public.subscriptions set ${database.sql(state)} where org_id = ${ours.id}`;
    const before = await everythingStored(database.sql);
    expect(await page(token)).toEqual({ ...open, closed });
    expect(await waiting(callerOf(user))).toMatchObject({ id, closed });
    expect(await everythingStored(database.sql)).toEqual(before);
    await refused(() => accept(callerOf(user), token), code);
    await refused(() => acceptWaiting(callerOf(user), id), code);
    // A link that opens nothing any more tells nothing of the organisation but its name.
    await expire(id);
    expect(await page(token)).toEqual({ state: "expired", organization: ours.name });
  });

  it("says nothing of a plan whose payment is late: its team still takes people in", async () => {
    const { user, token } = await invited();
    await database.sql`
      update public.subscriptions set status = 'past_due', past_due_since = now() - interval '1 day'
      where org_id = ${ours.id}`;
    expect(await page(token)).toMatchObject({ state: "open", closed: null });
    await accept(callerOf(user), token);
    expect((await readTeam(as("owner"))).members.map((member) => member.id)).toContain(user.id);
  });

  it("is refused to whoever belongs to an organisation already, and kept", async () => {
    const email = address();
    const elsewhere = await createOrganization(database.sql);
    await database.sql`update auth.users set email = ${email} where id = ${elsewhere.users.owner.id}`;
    // Inviting tells nobody that the address has an account.
    await invite(as("owner"), email, "member");
    const token = await tokenFor(email);
    await refused(() => accept(callerOf(elsewhere.users.owner), token), "TV020");
    expect((await page(token)).state).toBe("open");
  });

  it("is open to everybody of an organisation that waits to be erased", async () => {
    const { sql } = database;
    const elsewhere = await createOrganization(sql);
    const { owner, admin } = elsewhere.users;
    await sql`update public.organizations set erase_at = now() + interval '30 days' where id = ${elsewhere.id}`;
    for (const user of [owner, admin]) {
      await invite(as("owner"), user.email, "member");
      await accept(callerOf(user), await tokenFor(user.email));
    }
    const places = await sql`
      select org_id, role from public.organization_members where user_id = any (${[owner.id, admin.id]})`;
    expect(places).toEqual([
      { org_id: ours.id, role: "member" },
      { org_id: ours.id, role: "member" },
    ]);
  });

  it("that was withdrawn, has expired or was sent again opens nothing", async () => {
    const withdrawn = await invited();
    await withdraw(as("admin"), withdrawn.id);
    await refused(() => accept(callerOf(withdrawn.user), withdrawn.token), "TV099");
    expect((await page(withdrawn.token)).state).toBe("withdrawn");
    await refused(() => withdraw(as("admin"), withdrawn.id), "TV098");
    await refused(() => resend(as("admin"), withdrawn.id), "TV098");

    const expired = await invited();
    await expire(expired.id);
    await refused(() => accept(callerOf(expired.user), expired.token), "TV100");
    expect((await page(expired.token)).state).toBe("expired");

    await resend(as("owner"), expired.id);
    const fresh = await tokenFor(expired.email);
    expect(fresh).not.toBe(expired.token);
    await refused(() => accept(callerOf(expired.user), expired.token), "TV098");
    expect(await page(expired.token)).toEqual({ state: "unknown", organization: null });
    await accept(callerOf(expired.user), fresh);
    const [resent] = await database.sql`
      select detail from public.audit_events
      where org_id = ${ours.id} and action = 'invitation.resent' order by id desc limit 1`;
    expect(resent).toMatchObject({ detail: { name: expired.email, role: "member" } });
  });

  it("ends at the instant that it says", async () => {
    const { id } = await invited();
    const states = await database.sql.begin(async (sql) => {
      const at = async (instant: string) => {
        const [row] = await sql<{ state: string }[]>`
          with i as (
            update private.invitations set expires_at = now() + ${instant}::interval where id = ${id} returning *
          ) select private.invitation_state(i::private.invitations) as state from i`;
        return row?.state;
      };
      return [await at("1 microsecond"), await at("0")];
    });
    expect(states).toEqual(["open", "expired"]);
  });

  it.each<[string, (org: Organization) => Promise<unknown>]>([
    ["was removed", ({ users }) => remove({ userId: users.owner.id }, users.admin.id)],
    [
      "has less power",
      ({ users }) => changeRole({ userId: users.owner.id }, users.admin.id, "member"),
    ],
    ["left", ({ users }) => leave({ userId: users.admin.id })],
  ])("of somebody who %s opens nothing, and is withdrawn", async (_, change) => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const friend = await createUser(sql);
    const hired = await createUser(sql);
    await invite({ userId: org.users.admin.id }, friend.email, "admin");
    const token = await tokenFor(friend.email);
    await invite({ userId: org.users.owner.id }, hired.email, "admin");
    await change(org);
    expect((await page(token)).state).toBe("withdrawn");
    await refused(() => accept({ userId: friend.id }, token), "TV099");
    const { members, invitations } = await readTeam({ userId: org.users.owner.id }, org.id);
    expect(members.map(({ id }) => id)).not.toContain(friend.id);
    expect(invitations.map(({ email }) => email)).toEqual([hired.email]);
    const withdrawn = await sql`
      select detail ->> 'name' as name from public.audit_events
      where org_id = ${org.id} and action = 'invitation.withdrawn'`;
    expect(withdrawn).toEqual([{ name: friend.email }]);
  });

  it("to be an owner goes with the ownership, one to be less stays", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const [heir, clerk] = [await createUser(sql), await createUser(sql)];
    await invite({ userId: org.users.owner.id }, heir.email, "owner");
    await invite({ userId: org.users.owner.id }, clerk.email, "admin");
    await transfer({ userId: org.users.owner.id }, org.users.admin.id);
    const { invitations } = await readTeam({ userId: org.users.admin.id }, org.id);
    expect(invitations.map(({ email }) => email)).toEqual([clerk.email]);
  });

  it("opens nothing once the account of who invited is gone", async () => {
    const { user, token, id } = await invited();
    await database.sql`update private.invitations set invited_by = null where id = ${id}`;
    await refused(() => accept(callerOf(user), token), "TV099");
  });

  it("that was withdrawn keeps its moment when its address is invited again", async () => {
    const { id, email } = await invited();
    await withdraw(as("admin"), id);
    const [before] = await database.sql`
      update private.invitations set withdrawn_at = now() - interval '2 days', expires_at = now() - interval '1 day'
      where id = ${id} returning withdrawn_at`;
    await invite(as("admin"), email, "member");
    expect(
      await database.sql`select withdrawn_at from private.invitations where id = ${id}`,
    ).toEqual([before]);
  });

  it("that is sent again while its former link is followed opens by the new one alone", async () => {
    const { id, email, user, token } = await invited();
    const following = await database.as(as("owner"), async (sql) => {
      await sql`select public.resend_invitation(${id})`;
      const outcome = accept(callerOf(user), token).then(
        () => "joined",
        (error: unknown) => (error instanceof postgres.PostgresError ? error.code : error),
      );
      await untilWaiting(database.sql);
      return { outcome };
    });
    expect(await following.outcome).toBe("TV098");
    await accept(callerOf(user), await tokenFor(email));
  });

  it("lasts as long as pages and mails say, and as long again once it is sent anew", async () => {
    const { id } = await invited();
    const lasts = async () => {
      const [row] = await database.sql<{ days: number }[]>`
        select extract(epoch from expires_at - sent_at)::float8 / 86400 as days
        from private.invitations where org_id = ${ours.id}`;
      return row?.days;
    };
    expect(await lasts()).toBe(INVITATION_DAYS);
    await database.sql`
      update private.invitations set sent_at = now() - interval '2 days', expires_at = now() - interval '1 day'
      where id = ${id}`;
    await database.as(as("owner"), (sql) => sql`select public.resend_invitation(${id})`);
    expect(await lasts()).toBe(INVITATION_DAYS);
  });

  it("is not made twice, nor for a member; one that has expired makes room", async () => {
    const { email, id } = await invited();
    await refused(() => invite(as("admin"), email.toUpperCase()), "TV097");
    await refused(() => invite(as("admin"), ours.users.member.email), "TV096");
    await expire(id);
    const again = await invite(as("admin"), email, "member");
    expect((await readTeam(as("admin"))).invitations.map((i) => i.id)).toEqual([again]);
  });

  it.each([
    "",
    "   ",
    "camille",
    "a@b",
    "a b@exemple.fr",
    "<a@b.test>",
    "a@b.test%0aBcc:x",
    "é@b.test",
    "race2@x.test.",
  ])("is not sent to « %s »", async (email) => {
    await refused(() => invite(as("owner"), email), "23514");
  });

  it("is not sent to one mailbox more than five times a day", async () => {
    const { id, email } = await invited();
    for (let n = 0; n < 4; n += 1) await resend(as("owner"), id);
    await refused(() => resend(as("owner"), id), "PGRST");
    await withdraw(as("owner"), id);
    await refused(() => invite(as("owner"), email), "PGRST");
    const elsewhere = await createOrganization(database.sql);
    await refused(() => invite(callerOf(elsewhere.users.owner), email), "PGRST");
  });

  it("is one of few in an hour, of an organisation and of who invites, whichever they make", async () => {
    const busy = await createOrganization(database.sql, { plan: "pro" });
    const owner = callerOf(busy.users.owner);
    const inviteMany = async (caller: Caller) => {
      for (let n = 1; n <= 45; n += 1) {
        const error = await invite(caller, `${randomUUID()}@exemple.fr`).then(
          () => null,
          (reason: unknown) => reason,
        );
        if (error instanceof postgres.PostgresError) return { n, error };
      }
      throw new Error("Never refused.");
    };
    // Exact on one connection; others may let a few more through.
    const inviteAtOnce = (count: number) =>
      database.as(callerOf(ours.users.owner), async (sql) => {
        for (let n = 0; n < count; n += 1)
          await sql`select public.invite_member(${address()}, 'cashier')`;
      });
    await expect(inviteAtOnce(21)).rejects.toThrow("TV103");
    await inviteAtOnce(20);
    const { n, error } = await inviteMany(owner);
    expect(n).toBeGreaterThan(20);
    expect(JSON.parse(error.message)).toMatchObject({ code: "TV103" });
    expect(JSON.parse(error.detail ?? "")).toMatchObject({
      status: 429,
      headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
    });
    await expect(invite(callerOf(busy.users.admin), `${randomUUID()}@exemple.fr`)).rejects.toThrow(
      "TV103",
    );
    await database.sql`
      update public.organization_members set org_id = ${ours.id}, role = 'admin'
      where org_id = ${busy.id} and user_id = ${busy.users.owner.id}`;
    await expect(invite(owner, `${randomUUID()}@exemple.fr`)).rejects.toThrow("TV103");
  });

  it("goes 30 days after its time", async () => {
    const { id } = await invited();
    const { id: kept } = await invited();
    await database.sql`
      update private.invitations set expires_at = now() - interval '30 days 1 hour' where id = ${id}`;
    await database.sql`
      update private.invitations set expires_at = now() - interval '29 days' where id = ${kept}`;
    await database.sql`select private.sweep_invitations(100)`;
    const rows = await database.sql`select id from private.invitations where org_id = ${ours.id}`;
    expect(rows).toMatchObject([{ id: kept }]);
  });
});

describe("the plan's users", () => {
  it("count members and invitations that wait, and free a place with each that goes", async () => {
    await setPlan("basic");
    const id = await invite(as("owner"), address());
    expect(await readTeam(as("owner"))).toMatchObject({ used: 5, limit: 5 });
    await refused(() => invite(as("owner"), address()), "TV002", "5");
    await withdraw(as("owner"), id);
    const second = await invite(as("owner"), address());
    await expire(second);
    await invite(as("owner"), address());
    // The place of an expired one is gone.
    await refused(() => resend(as("owner"), second), "TV002", "5");
    await remove(as("owner"), ours.users.member.id);
    await resend(as("owner"), second);
  });

  it("are two where no plan says how many", async () => {
    await database.sql`delete from public.subscriptions where org_id = ${ours.id}`;
    await refused(() => invite(as("owner"), address()), "TV002", "2");
    expect(await readTeam(as("owner"))).toMatchObject({ used: 4, limit: 2 });
  });

  it("hold when many invite at once", async () => {
    await setPlan("basic");
    await remove(as("owner"), ours.users.member.id);
    const pools = Array.from({ length: 8 }, () => postgres(database.url, { max: 1 }));
    try {
      const outcomes = await Promise.allSettled(
        pools.map((pool, n) =>
          pool.begin(async (sql) => {
            const role: Role = n % 2 ? "owner" : "admin";
            await sql`select set_config('request.jwt.claim.sub', ${ours.users[role].id}, true),
              set_config('request.jwt.claims', ${JSON.stringify({
                sub: ours.users[role].id,
                session_id: ours.users[role].id,
                aal: "aal1",
              })}, true), set_config('role', 'authenticated', true)`;
            await sql`select public.invite_member(${address()}, 'cashier')`;
          }),
        ),
      );
      const failures = outcomes.flatMap((o) => (o.status === "rejected" ? [o.reason.code] : []));
      expect(failures).toEqual(Array(6).fill("TV002"));
      expect(await readTeam(as("owner"))).toMatchObject({ used: 5, limit: 5 });
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
    }
  });

  it("hold for an acceptance after a change to a smaller plan", async () => {
    const { user, token } = await invited();
    await setPlan("free_trial");
    await refused(() => accept(callerOf(user), token), "TV002", "2");
  });

  it("let the last invited person in", async () => {
    await setPlan("basic");
    const { user, token } = await invited();
    expect(await page(token)).toMatchObject({ state: "open", closed: null });
    expect(await waiting(callerOf(user))).toMatchObject({ closed: null });
    await accept(callerOf(user), token);
    expect(await readTeam(as("owner"))).toMatchObject({ used: 5, limit: 5 });
  });
});

describe("who may change the team", () => {
  const outcome = async (attempt: () => PromiseLike<unknown>) =>
    attempt().then(
      () => "done",
      (error: unknown) => (error instanceof postgres.PostgresError ? error.code : "?"),
    );

  it.each([
    // caller, then invite as owner, admin, member, cashier
    ["owner", ["done", "done", "done", "done"]],
    ["admin", ["42501", "done", "done", "done"]],
    ["member", ["42501", "42501", "42501", "42501"]],
    ["cashier", ["42501", "42501", "42501", "42501"]],
  ] as const)("%s invites", async (caller, expected) => {
    const outcomes = [];
    for (const role of ROLES)
      outcomes.push(await outcome(() => invite(as(caller), address(), role)));
    expect(outcomes).toEqual(expected);
  });

  it.each([
    // caller, then gives « member » to the owner, the admin, the member, the cashier
    ["owner", ["TV104", "done", "done", "done"]],
    ["admin", ["42501", "done", "done", "done"]],
    ["member", ["42501", "42501", "42501", "42501"]],
    ["cashier", ["42501", "42501", "42501", "42501"]],
  ] as const)("%s changes roles", async (caller, expected) => {
    const outcomes: [Role, string][] = [];
    for (const role of ["owner", "cashier", "member", "admin"] as const) {
      const target = ours.users[role].id;
      outcomes.push([role, await outcome(() => changeRole(as(caller), target, "member"))]);
    }
    const inOrder = ROLES.map((role) => outcomes.find(([name]) => name === role)?.[1]);
    expect(inOrder).toEqual(expected);
  });

  it.each([
    // caller, then removes the owner, the admin, the member, the cashier
    ["owner", ["42501", "done", "done", "done"]],
    ["admin", ["42501", "done", "done", "done"]],
    ["member", ["42501", "42501", "42501", "42501"]],
    ["cashier", ["42501", "42501", "42501", "42501"]],
  ] as const)("%s removes", async (caller, expected) => {
    const outcomes: Record<string, string> = {};
    for (const role of ["owner", "cashier", "member", "admin"] as const) {
      outcomes[role] = await outcome(() => remove(as(caller), ours.users[role].id));
    }
    expect(ROLES.map((role) => outcomes[role])).toEqual(expected);
  });

  it("is not an admin where owners are concerned", async () => {
    await refused(() => changeRole(as("admin"), ours.users.member.id, "owner"), "42501");
    await refused(() => changeRole(as("admin"), ours.users.admin.id, "owner"), "42501");
    await refused(() => transfer(as("admin"), ours.users.admin.id), "42501");
    const id = await invite(as("owner"), address(), "owner");
    await refused(() => resend(as("admin"), id), "42501");
    await refused(() => withdraw(as("admin"), id), "42501");
    await withdraw(as("owner"), id);
  });

  it("is nobody from elsewhere, whatever they name", async () => {
    const elsewhere = await createOrganization(database.sql);
    const stranger = callerOf(elsewhere.users.owner);
    const { id } = await invited();
    await refused(() => resend(stranger, id), "TV098");
    await refused(() => withdraw(stranger, id), "TV098");
    await refused(() => changeRole(stranger, ours.users.member.id, "cashier"), "42501");
    await refused(() => remove(stranger, ours.users.member.id), "42501");
    await refused(() => transfer(stranger, ours.users.member.id), "42501");
    await refused(() => readTeam(stranger), "42501");
    await refused(() => invite(stranger, address(), "cashier", ours.storeId), "42501");
    const homeless = await createUser(database.sql);
    await refused(() => invite(callerOf(homeless), address()), "42501");
    await refused(() => leave(callerOf(homeless)), "42501");
  });

  it("reads how many keys of the API each made that still open, and nobody else does", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const theirs = await createOrganization(sql);
    const add = (orgId: string, key: { expires?: Date; revoked?: Date } = {}) => sql`
      insert into private.api_keys (org_id, name, scope, prefix, key_hash, created_by, expires_at, revoked_at)
      values (${orgId}, 'Caisse', 'read', 'tv_live_abcd', sha256(gen_random_uuid()::text::bytea), ${org.users.admin.id},
        ${key.expires ?? null}, ${key.revoked ?? null})`;
    await add(org.id);
    await add(org.id, { expires: secondsFromNow(3600) });
    await add(org.id, { expires: secondsFromNow(-1) });
    await add(org.id, { revoked: secondsFromNow(-1) });
    await add(theirs.id);
    const keysFor = async (user: User) => {
      const { members } = await readTeam({ userId: user.id }, org.id);
      return members.map(({ id, api_keys: keys }) => (id === org.users.admin.id ? keys : -keys));
    };
    expect((await keysFor(org.users.owner)).filter((keys) => keys !== 0)).toEqual([2]);
    expect((await keysFor(org.users.member)).filter((keys) => keys !== 0)).toEqual([]);
  });

  it("gives no role that does not exist", async () => {
    await refused(() => invite(as("owner"), address(), "superuser"), "42501");
    await refused(() => changeRole(as("owner"), ours.users.member.id, "superuser"), "42501");
  });
});

describe("the owner", () => {
  it("who is the last one neither leaves nor becomes less, and may stay what they are", async () => {
    await refused(() => leave(as("owner")), "TV104");
    await refused(() => changeRole(as("owner"), ours.users.owner.id, "admin"), "TV104");
    await changeRole(as("owner"), ours.users.owner.id, "owner");
  });

  it("hands over in one step", async () => {
    await transfer(as("owner"), ours.users.cashier.id);
    const { members } = await readTeam(as("owner"));
    const roleOf = (id: string) => members.find((m) => m.id === id)?.role;
    expect(roleOf(ours.users.cashier.id)).toBe("owner");
    expect(roleOf(ours.users.owner.id)).toBe("admin");
    await refused(() => transfer(as("owner"), ours.users.member.id), "42501");
    await leave(as("owner"));
    expect(await actions()).toEqual(["organization.transferred", "member.left"]);
  });

  it("does not hand over to themselves or to somebody who is no member", async () => {
    const stranger = await createUser(database.sql);
    await refused(() => transfer(as("owner"), ours.users.owner.id), "42501");
    await refused(() => transfer(as("owner"), stranger.id), "42501");
  });

  it("whose account is deleted leaves another one behind", async () => {
    const release = (id: string) => database.sql`select private.release_account(${id})`;
    await refused(() => release(ours.users.owner.id), "TV104");
    await changeRole(as("owner"), ours.users.admin.id, "owner");
    await release(ours.users.owner.id);
    const { members } = await readTeam(as("admin"));
    expect(members.filter(({ role }) => role === "owner").map(({ id }) => id)).toEqual([
      ours.users.admin.id,
    ]);
    await refused(() => release(ours.users.admin.id), "TV104");
  });

  it("of two who leave at once stays", async () => {
    await changeRole(as("owner"), ours.users.admin.id, "owner");
    const outcomes = await Promise.allSettled([leave(as("owner")), leave(as("admin"))]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const rows = await database.sql`
      select from public.organization_members where org_id = ${ours.id} and role = 'owner'`;
    expect(rows).toHaveLength(1);
  });
});

describe("a member who is removed", () => {
  it("sees and does nothing more with the session they have", async () => {
    const caller = as("member");
    const seen = () =>
      database.as(
        caller,
        (sql) => sql`select id from public.customers union select id from public.stores`,
      );
    expect(await seen()).not.toHaveLength(0);
    await remove(as("admin"), ours.users.member.id);
    expect(await seen()).toHaveLength(0);
    await refused(() => readTeam(caller), "42501");
    const [row] = await database.as(caller, (sql) => sql`select public.my_workspace() as w`);
    expect(row).toMatchObject({ w: { organization: null, permissions: [] } });
    expect(await actions()).toEqual(["member.removed"]);
  });

  /** Organisation whose end of access the screens of somebody without one name. */
  const endedFor = (user: User) =>
    database.as(callerOf(user), async (sql) => {
      const [row] = await sql<{ name: string | null }[]>`
        select public.my_workspace() ->> 'ended_access' as name`;
      return row?.name;
    });
  const mailsTo = (user: User) => database.sql`
    select data, expires_at - created_at = interval '2 days' as lasts from private.outbox
    where template = 'access_ended' and recipient = ${user.email}`;

  it("hears of it by mail and on their screens, by the organisation's name and nobody's", async () => {
    const { member, cashier } = ours.users;
    expect(await endedFor(member)).toBeNull();
    await remove(as("admin"), member.id);
    expect(await endedFor(member)).toBe(ours.name);
    expect(await mailsTo(member)).toEqual([
      {
        data: {
          name: "Camille Martin",
          brand: null,
          facts: { organization: ours.name },
        },
        lasts: true,
      },
    ]);
    expect(await endedFor(cashier)).toBeNull();
    expect(await mailsTo(cashier)).toEqual([]);
    // A refused removal writes nothing.
    await refused(() => remove(as("admin"), ours.users.owner.id), "42501");
    expect(await mailsTo(ours.users.owner)).toEqual([]);
  });

  it("reads of it for 30 days, and no more once they were back and left by themselves", async () => {
    const { sql } = database;
    const { member } = ours.users;
    const past = (age: string) =>
      sql.begin(async (own) => {
        await own`set local session_replication_role = replica`;
        await own`
        update public.audit_events set created_at = now() - ${age}::interval
        where org_id = ${ours.id} and subject_id = ${member.id} and action = 'member.removed'`;
      });
    await remove(as("owner"), member.id);
    await past("29 days 23 hours");
    expect(await endedFor(member)).toBe(ours.name);
    await past("30 days 1 hour");
    expect(await endedFor(member)).toBeNull();
    await past("1 hour");
    await invite(as("owner"), member.email, "member");
    await accept(callerOf(member), await tokenFor(member.email));
    expect(await endedFor(member)).toBeNull();
    await leave(callerOf(member));
    expect(await endedFor(member)).toBeNull();
    expect(await mailsTo(member)).toHaveLength(1);
  });

  it("gets no mail where there is no confirmed address, and none for leaving or an erased account", async () => {
    const { sql } = database;
    const { admin, member, cashier } = ours.users;
    await sql`update auth.users set email_confirmed_at = null where id = ${member.id}`;
    await remove(as("owner"), member.id);
    await leave(callerOf(cashier));
    await sql`select private.erase_account(${admin.id})`;
    expect(
      await sql`
        select recipient from private.outbox
        where template = 'access_ended' and recipient in (${member.email}, ${cashier.email}, ${admin.email})`,
    ).toEqual([]);
    expect(await endedFor(member)).toBe(ours.name);
  });
});

describe("a cashier with a store", () => {
  it("sees and serves that store alone", async () => {
    const { sql } = database;
    const annexeId = await createStore(sql, { orgId: ours.id, name: "Annexe" });
    const codes: string[] = [];
    for (const storeId of [ours.storeId, annexeId]) {
      const campaign = await createCampaign(sql, { orgId: ours.id, storeId, playIntervalDays: 0 });
      const rewardId = await createReward(sql, campaign);
      await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
      await spin(sql, { campaignId: campaign.id, name: "Léa Roy", email: "lea@exemple.fr" });
      const [won] = await sql<{ code: string }[]>`
        select code from public.redemptions where org_id = ${ours.id} order by id desc limit 1`;
      codes.push(won?.code ?? "");
    }
    const [here = "", there = ""] = codes;
    await changeRole(as("owner"), ours.users.cashier.id, "cashier", annexeId);
    const cashier = as("cashier");
    const [row] = await database.as(
      cashier,
      (as) => as`select public.my_workspace() -> 'stores' as stores`,
    );
    expect(row).toMatchObject({ stores: [{ id: annexeId, name: "Annexe" }] });
    const use = (code: string, storeId: string) =>
      redeem(sql, { userId: ours.users.cashier.id, code, storeId });
    expect(await use(here, ours.storeId)).toBe("forbidden");
    await refused(
      () => database.as(cashier, (as) => as`select public.lookup_code(${here}, ${ours.storeId})`),
      "42501",
    );
    expect(await use(there, annexeId)).toBe("redeemed");
    // A code that another till has used is not theirs to give back.
    await redeem(sql, { userId: ours.users.owner.id, code: here, storeId: ours.storeId });
    const idOf = async (code: string) => {
      const [found] = await sql<{ id: string }[]>`
        select id from public.redemptions where org_id = ${ours.id} and code = ${code}`;
      return found?.id ?? "";
    };
    const hereId = await idOf(here);
    await refused(
      () => database.as(cashier, (as) => as`select public.restore_code(${hereId})`),
      "42501",
    );
    const thereId = await idOf(there);
    await database.as(cashier, (as) => as`select public.restore_code(${thereId})`);
  });

  it("keeps the store from being deleted, and is bound to none once they see all", async () => {
    const { sql } = database;
    const storeId = await createStore(sql, { orgId: ours.id, name: "Annexe" });
    await changeRole(as("owner"), ours.users.cashier.id, "cashier", storeId);
    await refused(
      () => database.as(as("owner"), (as) => as`select public.remove_store(${storeId}, false)`),
      "TV140",
    );
    await changeRole(as("owner"), ours.users.cashier.id, "member", storeId);
    const { members } = await readTeam(as("owner"));
    expect(members.find(({ id }) => id === ours.users.cashier.id)).toMatchObject({ store: null });
    await sql`update public.stores set archived_at = now() where id = ${storeId}`;
    await refused(
      () => changeRole(as("owner"), ours.users.cashier.id, "cashier", storeId),
      "42501",
    );
    await sql`delete from public.organizations where id = ${ours.id}`;
  });
});

describe("the team", () => {
  it("is read by the team, invitations by whoever manages them, and by no till", async () => {
    await invited();
    expect((await readTeam(as("admin"))).invitations).toHaveLength(1);
    const seen = await readTeam(as("member"));
    expect(seen.invitations).toEqual([]);
    expect(seen.members.map(({ role }) => role)).toEqual(["owner", "admin", "member", "cashier"]);
    await refused(() => readTeam(as("cashier")), "42501");
  });
});

describe("somebody who was invited and has lost the mail", () => {
  it("sees the team that waits, and joins it without the link", async () => {
    const user = await createUser(database.sql);
    expect(await waiting(callerOf(user))).toBeNull();
    const id = await invite(as("admin"), user.email.toUpperCase(), "member");
    expect(await waiting(callerOf(user))).toMatchObject({
      id,
      organization: ours.name,
      role: "member",
      inviter: "Camille Martin",
    });
    await acceptWaiting(callerOf(user), id);
    const { members, invitations } = await readTeam(as("owner"));
    expect(members.find((member) => member.id === user.id)?.role).toBe("member");
    expect(invitations).toEqual([]);
    expect(await waiting(callerOf(user))).toBeNull();
    // A repeat, whose answer was lost, answers the same.
    await acceptWaiting(callerOf(user), id);
  });

  it("counts for a role as long as the invitation can be accepted", async () => {
    const waitingFor = async (role: Role) =>
      (await readTeam(as("owner"))).roles.find((one) => one.role === role)?.invitations;
    const [one, two, three] = [await invited(), await invited(), await invited()];
    await invited("cashier");
    expect([await waitingFor("member"), await waitingFor("cashier")]).toEqual([3, 1]);
    await acceptWaiting(callerOf(one.user), one.id);
    expect(await waitingFor("member")).toBe(2);
    await withdraw(as("owner"), two.id);
    expect(await waitingFor("member")).toBe(1);
    await expire(three.id);
    expect([await waitingFor("member"), await waitingFor("cashier")]).toEqual([0, 1]);
  });

  it("sees the newest of several teams that wait, and joins the one that it chooses", async () => {
    const elsewhere = await createOrganization(database.sql);
    for (const chosen of [ours, elsewhere]) {
      const user = await createUser(database.sql);
      const older = await invite(as("owner"), user.email);
      const newer = await invite(callerOf(elsewhere.users.owner), user.email);
      expect(await waiting(callerOf(user))).toMatchObject({ id: newer });
      await acceptWaiting(callerOf(user), chosen === ours ? older : newer);
      expect(
        await database.sql`select org_id from public.organization_members where user_id = ${user.id}`,
      ).toEqual([{ org_id: chosen.id }]);
    }
  });

  it("joins one of two teams at once: every other way in waits, and hears that one belongs to a team", async () => {
    const user = await createUser(database.sql);
    const elsewhere = await createOrganization(database.sql);
    await invite(as("owner"), user.email);
    const first = await tokenFor(user.email);
    const id = await invite(callerOf(elsewhere.users.owner), user.email);
    const second = await tokenFor(user.email);
    const { others } = await database.sql.begin(async (sql) => {
      await become(sql, callerOf(user));
      await sql`select public.accept_invitation(${first})`;
      const ways = [acceptWaiting(callerOf(user), id), accept(callerOf(user), second)];
      const outcomes = Promise.allSettled(ways);
      await untilWaiting(database.sql, ways.length);
      return { others: outcomes };
    });
    const codes = (await others).map((other) => other.status === "rejected" && other.reason.code);
    expect(codes).toEqual(["TV020", "TV020"]);
  });

  it("hears nothing before the address is confirmed, nor of others' invitations", async () => {
    const [user, stranger] = [
      await createUser(database.sql),
      await createUser(database.sql, { email: address() }),
    ];
    const id = await invite(as("owner"), user.email);
    await database.sql`update auth.users set email_confirmed_at = null where id = ${user.id}`;
    expect(await waiting(callerOf(user))).toBeNull();
    expect(await waiting(callerOf(stranger))).toBeNull();
    const before = await everythingStored(database.sql);
    await expect(acceptWaiting(callerOf(user), id)).rejects.toMatchObject({ code: "TV102" });
    await expect(acceptWaiting(callerOf(stranger), id)).rejects.toMatchObject({ code: "TV098" });
    expect(await everythingStored(database.sql)).toEqual(before);
    await withdraw(as("owner"), id);
    await database.sql`update auth.users set email_confirmed_at = now() where id = ${user.id}`;
    expect(await waiting(callerOf(user))).toBeNull();
    await expect(acceptWaiting(callerOf(user), id)).rejects.toMatchObject({ code: "TV099" });
  });
});

it("nobody new joins a team whose plan is over; who belongs to it may still go", async () => {
  const user = await createUser(database.sql);
  const id = await invite(as("owner"), user.email);
  const token = await tokenFor(user.email);
  await database.sql`
    update public.subscriptions set status = 'canceled', closed_at = now() where org_id = ${ours.id}`;
  const before = await readTeam(as("owner"));
  await expect(invite(as("owner"), address())).rejects.toMatchObject({ code: "TV085" });
  await refused(() => resend(as("owner"), id), "TV085");
  await expect(accept(callerOf(user), token)).rejects.toMatchObject({ code: "TV085" });
  expect(await readTeam(as("owner"))).toEqual(before);
  await remove(as("owner"), ours.users.cashier.id);
  await withdraw(as("owner"), id);
  expect((await readTeam(as("owner"))).used).toBe(3);
});
