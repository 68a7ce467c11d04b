import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { choiceOf, PERMISSION_LEVELS, permissionsOf } from "#domain/rules/permissions.ts";
import type { Role } from "#domain/rules/roles.ts";
import { invitationPage, team } from "#domain/schemas/team.ts";
import { workspace } from "#domain/schemas/workspace.ts";
import { type Caller, setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  createRole,
  createStore,
  createUser,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { redeem, spin } from "../harness/journey.ts";
import { everythingStored } from "./support/stored.ts";
import { whole } from "./support/whole.ts";

/** Roles of an organisation's own: who makes them, who gives them, what they open, and to whom they stay closed. */

const database = setUpTestDatabase();
let ours: Organization;

beforeEach(async () => {
  ours = await createOrganization(database.sql);
});

const as = (role: Role): Caller => ({ userId: ours.users[role].id });

type Save = { name?: string; description?: string | null; permissions?: string[]; role?: string };

const save = (
  caller: Caller,
  { name = "Vendeur", description = "", permissions = ["codes.redeem"], role }: Save = {},
) =>
  database.as(caller, async (sql) => {
    const [row] = await sql<{ role: string }[]>`
      select public.save_role(${name}, ${description}, ${permissions}, ${role ?? null}) as role`;
    return row?.role ?? "";
  });
const remove = (caller: Caller, role: string | null) =>
  database.as(caller, (sql) => sql`select public.delete_role(${role})`);
const give = (
  caller: Caller,
  member: { id: string },
  role: string,
  storeId: string | null = null,
) =>
  database.as(
    caller,
    (sql) => sql`select public.change_member_role(${member.id}, ${role}, ${storeId})`,
  );
const invite = (
  caller: Caller,
  role: string,
  email = `invite-${randomUUID()}@exemple.fr`,
  storeId: string | null = null,
) => database.as(caller, (sql) => sql`select public.invite_member(${email}, ${role}, ${storeId})`);

const permissionsOfRole = async (role: string) => {
  const rows = await database.sql<{ permission: string }[]>`
    select permission from public.role_permissions where role = ${role} order by permission`;
  return rows.map(({ permission }) => permission);
};
const workspaceOf = (caller: Caller) =>
  database.as(caller, async (sql) => {
    const [row] = await sql<{ answer: unknown }[]>`select public.my_workspace() as answer`;
    return whole(workspace, row?.answer);
  });
const teamOf = (caller: Caller) =>
  database.as(caller, async (sql) => {
    const [row] = await sql<{ answer: unknown }[]>`select public.team(${ours.id}) as answer`;
    return whole(team, row?.answer);
  });
const setPlan = (plan: string) =>
  database.sql`update public.subscriptions set plan = ${plan} where org_id = ${ours.id}`;

/** Expects a refusal with a code, after which everything stored is as it was. */
async function refused(attempt: () => PromiseLike<unknown>, code: string) {
  const before = await everythingStored(database.sql);
  const error: unknown = await attempt().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof postgres.PostgresError)) throw new Error(`Not refused with ${code}.`);
  expect(error.code).toBe(code);
  expect(await everythingStored(database.sql)).toEqual(before);
}

describe("the list of permissions", () => {
  it("is what administrators may do, and what is the owner's alone is not in it", async () => {
    expect(
      Object.values(PERMISSION_LEVELS).flat().toSorted(),
      "PERMISSION_LEVELS in _shared/domain/rules/permissions.ts and the rows of role_permissions differ",
    ).toEqual(await permissionsOfRole("admin"));
  });

  it("goes to and fro between levels and permissions", async () => {
    const all = await permissionsOfRole("admin");
    expect(permissionsOf(choiceOf(all)).toSorted()).toEqual(all);
    expect(permissionsOf(choiceOf([]))).toEqual([]);
    expect(permissionsOf(choiceOf(["campaigns.write"]))).toEqual([
      "campaigns.read",
      "campaigns.write",
    ]);
  });
});

describe("a role of one's own", () => {
  it("is made with what its permissions need, shown, changed and deleted by the owner", async () => {
    const role = await save(as("owner"), {
      name: "  Animation ",
      description: "Prépare les campagnes",
      permissions: ["campaigns.write"],
    });
    expect(await permissionsOfRole(role)).toEqual([
      "activity.read",
      "campaigns.read",
      "campaigns.write",
      "stores.read",
    ]);
    const shown = (await teamOf(as("admin"))).roles;
    expect(shown.map(({ name }) => name)).toEqual([null, null, null, null, "Animation"]);
    expect(shown.at(-1)).toMatchObject({ role, members: 0, has_power: true, may_give: true });

    await save(as("owner"), { name: "Caisse bis", permissions: ["codes.redeem"], role });
    expect(await permissionsOfRole(role)).toEqual(["codes.redeem"]);
    await remove(as("owner"), role);
    expect((await teamOf(as("owner"))).roles).toHaveLength(4);
    const trail = await database.sql<{ action: string; name: string }[]>`
      select action, detail ->> 'name' as name from public.audit_events
      where org_id = ${ours.id} and subject_type = 'role' order by id`;
    expect(trail.map(({ action, name }) => `${action} ${name}`)).toEqual([
      "role.created Animation",
      "role.updated Caisse bis",
      "role.deleted Caisse bis",
    ]);
  });

  it("is enforced at once, everywhere that a given one is", async () => {
    const { member } = ours.users;
    const role = await save(as("owner"), { permissions: ["campaigns.read"] });
    await give(as("admin"), member, role);
    expect(await workspaceOf(as("member"))).toMatchObject({
      organization: { id: ours.id, name: ours.name, erase_at: null },
      stores: [{ id: ours.storeId }],
      role,
      permissions: ["activity.read", "campaigns.read", "stores.read"],
    });
    const rows = (table: string) =>
      database.as(as("member"), async (sql) => (await sql.unsafe(`select from ${table}`)).count);
    expect(await rows("public.stores")).toBe(1);
    expect(await rows("public.customers")).toBe(0);
    expect(await rows("public.roles")).toBe(5);
    await refused(
      () =>
        database.as(
          as("member"),
          (sql) => sql`
            insert into public.campaigns (org_id, store_id, name, slug)
            values (${ours.id}, ${ours.storeId}, 'Volée', 'volee')`,
        ),
      "42501",
    );
    // The role grows, and whoever has it with it.
    await save(as("owner"), { permissions: ["campaigns.write"], role });
    await database.as(
      as("member"),
      (sql) => sql`
        insert into public.campaigns (org_id, store_id, name, slug)
        values (${ours.id}, ${ours.storeId}, 'Permise', ${`permise-${randomUUID()}`})`,
    );
  });

  it("of the till alone is bound to a store, also after it was more for a while", async () => {
    const { sql } = database;
    const { member } = ours.users;
    const elsewhere = await createStore(sql, { orgId: ours.id, name: "Autre magasin" });
    const campaign = await createCampaign(sql, { orgId: ours.id, storeId: elsewhere });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId: await createReward(sql, campaign) }]);
    const codes: string[] = [];
    for (const _ of [1, 2, 3]) {
      const { body } = await spin(sql, { campaignId: campaign.id });
      codes.push(JSON.parse(body ?? "{}").redemption_code);
    }
    const use = (code = "") => redeem(sql, { userId: member.id, code, storeId: elsewhere });
    const undo = async (code = "") => {
      const [row] = await sql<{ id: string }[]>`
        select id from public.redemptions where org_id = ${ours.id} and code = ${code}`;
      await database.as(as("member"), (as) => as`select public.restore_code(${row?.id ?? null})`);
    };
    const role = await save(as("owner"));
    await give(as("owner"), member, role, ours.storeId);
    const email = `invite-${randomUUID()}@exemple.fr`;
    await invite(as("owner"), role, email, ours.storeId);
    /** The stores that they, the team and the invitation name; the till elsewhere opens to them or not. */
    const seen = async () => {
      const { members, invitations } = await teamOf(as("owner"));
      const [mail] = await sql<{ path: string }[]>`
        select data ->> 'path' as path from private.outbox
        where template = 'invitation' and recipient = ${email}`;
      const token = new URL(mail?.path ?? "", "https://site.invalid").searchParams.get("token");
      const [row] = await sql<{ page: unknown }[]>`select public.invitation_page(${token}) as page`;
      return {
        stores: (await workspaceOf(as("member"))).stores.map(({ id }) => id).toSorted(),
        inTeam: members.find(({ id }) => id === member.id)?.store?.id,
        invited: invitations[0]?.store?.id,
        onPage: Object(row?.page).store === null ? "all" : "one",
      };
    };
    const bound = {
      stores: [ours.storeId],
      inTeam: ours.storeId,
      invited: ours.storeId,
      onPage: "one",
    };
    expect(await seen()).toEqual(bound);
    expect((await workspaceOf(as("member"))).permissions).toEqual(["codes.redeem"]);
    expect(await use(codes[0])).toBe("forbidden");

    await save(as("owner"), { permissions: ["rewards.read", "codes.redeem"], role });
    expect(await seen()).toEqual({
      stores: [ours.storeId, elsewhere].toSorted(),
      inTeam: undefined,
      invited: undefined,
      onPage: "all",
    });
    expect(await use(codes[0])).toBe("redeemed");
    await undo(codes[0]);
    expect(await use(codes[1])).toBe("redeemed");

    await save(as("owner"), { role });
    expect(await seen()).toEqual(bound);
    expect(await use(codes[2])).toBe("forbidden");
    await refused(() => undo(codes[1]), "42501");
    // Given anew without a store, it is bound to none.
    await give(as("owner"), member, role);
    expect(await use(codes[2])).toBe("redeemed");
  });

  it("is invited into, and named to whoever follows the link and in the trail", async () => {
    const email = `invite-${randomUUID()}@exemple.fr`;
    const role = await save(as("owner"), { name: "Animation", description: "Les samedis" });
    await invite(as("admin"), role, email);
    const [mail] = await database.sql<{ path: string }[]>`
      select data ->> 'path' as path from private.outbox where recipient = ${email}`;
    const token = new URL(mail?.path ?? "", "https://site.invalid").searchParams.get("token");
    const [row] = await database.sql<{ page: unknown }[]>`
      select public.invitation_page(${token}) as page`;
    expect(invitationPage.parse(row?.page)).toMatchObject({
      role_name: "Animation",
      role_description: "Les samedis",
    });
    await refused(() => remove(as("owner"), role), "TV113");
    const user = await createUser(database.sql, { email });
    await database.as({ userId: user.id }, (sql) => sql`select public.accept_invitation(${token})`);
    await refused(() => remove(as("owner"), role), "TV113");
    await give(as("owner"), user, "cashier");
    await remove(as("owner"), role);
    const trail = await database.sql<{ role: string; former: string | null }[]>`
      select detail ->> 'role' as role, detail ->> 'former_role' as former
      from public.audit_events where org_id = ${ours.id} and detail ? 'role' order by id`;
    expect(trail.map(({ role: to, former }) => [former, to])).toEqual([
      [null, "Animation"],
      [null, "Animation"],
      ["Animation", "cashier"],
    ]);
  });
});

describe("nobody gets more than they have", () => {
  it("by making roles: that is the owner's alone", async () => {
    for (const role of ["admin", "member", "cashier"] as const) {
      await refused(() => save(as(role)), "42501");
    }
    const made = await save(as("owner"));
    await refused(() => save(as("admin"), { role: made }), "42501");
    await refused(() => remove(as("admin"), made), "42501");
  });

  it.each(["owners.manage", "organization.delete", "roles.manage", "organization.export", "a.b"])(
    "by a role with %s",
    async (permission) => {
      await refused(
        () => save(as("owner"), { permissions: ["codes.redeem", permission] }),
        "42501",
      );
    },
  );

  it("by managing the team with a small role", async () => {
    const { member, cashier, admin } = ours.users;
    const leader = await save(as("owner"), {
      name: "Chef d'équipe",
      permissions: ["team.manage", "codes.redeem"],
    });
    const analyst = await save(as("owner"), { name: "Analyste", permissions: ["customers.read"] });
    await give(as("owner"), member, leader);
    const me = as("member");
    for (const role of ["owner", "admin", "member", analyst]) {
      await refused(() => give(me, cashier, role), "42501");
      await refused(() => invite(me, role), "42501");
    }
    await refused(() => give(me, admin, "cashier"), "42501");
    await refused(
      () => database.as(me, (sql) => sql`select public.remove_member(${admin.id})`),
      "42501",
    );
    await give(me, cashier, leader);
    const { roles } = await teamOf(me);
    expect(roles.filter(({ may_give }) => may_give).map(({ role }) => role)).toEqual([
      "cashier",
      leader,
    ]);
  });

  it("by a role of somebody else's", async () => {
    const theirs = await createOrganization(database.sql);
    const foreign = await createRole(database.sql, { orgId: theirs.id });
    await refused(() => give(as("owner"), ours.users.cashier, foreign), "42501");
    await refused(() => invite(as("owner"), foreign), "42501");
    await refused(() => save(as("owner"), { role: foreign }), "42501");
    await refused(() => remove(as("owner"), foreign), "42501");
    for (const given of ["cashier", "owner", null]) {
      await refused(() => remove(as("owner"), given), "42501");
    }
    await refused(() => save(as("owner"), { role: "cashier" }), "42501");
    // Not even by whoever writes the table itself.
    await refused(
      () =>
        database.sql`
          update public.organization_members set role = ${foreign} where user_id = ${ours.users.member.id}`,
      "23503",
    );
  });
});

describe("what a role is made of", () => {
  it.each([
    ["no permission", { permissions: [] }, "42501"],
    ["no name", { name: "  " }, "23514"],
    ["a name too long", { name: "x".repeat(41) }, "23514"],
  ] as const)("is refused with %s", async (_, { ...wrong }, code) => {
    const { permissions, ...rest }: { permissions?: readonly string[]; name?: string } = wrong;
    await refused(
      () => save(as("owner"), { ...rest, ...(permissions && { permissions: [...permissions] }) }),
      code,
    );
  });

  it("has a name that no other one has, whatever its case, and there are 20", async () => {
    await save(as("owner"), { name: "Vendeur" });
    await refused(() => save(as("owner"), { name: "VENDEUR" }), "23505");
    const theirs = await createOrganization(database.sql);
    await database.as(
      { userId: theirs.users.owner.id },
      (sql) => sql`select public.save_role('Vendeur', '', '{codes.redeem}')`,
    );
    for (let n = 2; n <= 20; n += 1) await createRole(database.sql, { orgId: ours.id });
    await refused(() => save(as("owner"), { name: "Le vingt et unième" }), "TV115");
  });
});

describe("without the plan Pro", () => {
  it("who has a role keeps it, and none is made, changed or given; it can be left and deleted", async () => {
    const { member, cashier } = ours.users;
    const role = await save(as("owner"), { permissions: ["campaigns.read"] });
    await give(as("owner"), member, role);
    await setPlan("basic");
    expect((await workspaceOf(as("member"))).permissions).toContain("campaigns.read");
    await refused(() => save(as("owner"), { name: "Autre" }), "TV114");
    await refused(() => save(as("owner"), { role, permissions: ["customers.read"] }), "TV114");
    await refused(() => give(as("owner"), cashier, role), "TV114");
    await refused(() => invite(as("owner"), role), "TV114");
    const shown = await teamOf(as("owner"));
    expect(shown.has_own_roles).toBe(false);
    expect(shown.roles.at(-1)).toMatchObject({ role, has_power: true, may_give: false });
    await give(as("owner"), member, "member");
    await remove(as("owner"), role);
    await setPlan("pro");
    await database.sql`update public.subscriptions set status = 'suspended' where org_id = ${ours.id}`;
    await refused(() => save(as("owner")), "TV085");
  });
});

it("a role that goes takes the invitations along that nobody can follow any more, and no other's", async () => {
  const [gone, kept] = [
    await save(as("owner"), { name: "Vendeur" }),
    await save(as("owner"), { name: "Gérante" }),
  ];
  const invitations: { id: string; role: string }[] = [];
  for (const role of [gone, kept, kept]) {
    await invite(as("owner"), role);
    const [row] = await database.sql<{ id: string }[]>`
      select id from private.invitations where org_id = ${ours.id} order by created_at desc limit 1`;
    invitations.push({ id: row?.id ?? "", role });
  }
  const [first, second] = invitations;
  await refused(() => remove(as("owner"), gone), "TV113");
  for (const one of [first, second]) {
    await database.as(
      as("owner"),
      (sql) => sql`select public.withdraw_invitation(${one?.id ?? ""})`,
    );
  }
  await remove(as("owner"), gone);
  const left = await database.sql<{ role: string }[]>`
    select role from private.invitations where org_id = ${ours.id}`;
  expect(left.map(({ role }) => role)).toEqual([kept, kept]);
});

it("an organisation takes its roles along when it is deleted, and has them in its export", async () => {
  const role = await createRole(database.sql, { orgId: ours.id });
  await give(as("owner"), ours.users.member, role);
  const tables = await database.sql<{ name: string; query: string }[]>`
    select name, query from public.export_organization(${ours.id})
    where name in ('roles', 'role_permissions')`;
  const rows: number[] = [];
  for (const { query } of tables) rows.push((await database.sql.unsafe(query)).count);
  expect(rows.toSorted((a, b) => a - b)).toEqual([1, 3]);
  await database.sql`delete from public.organizations where id = ${ours.id}`;
  expect(await permissionsOfRole(role)).toEqual([]);
});
