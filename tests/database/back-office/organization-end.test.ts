import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { deletionSummary } from "#domain/schemas/settings.ts";
import { become, setUpTestDatabase } from "../../harness/database.ts";
import {
  createOrganization,
  createUser,
  type Organization,
  type User,
} from "../../harness/fixtures.ts";
import { review } from "../../harness/journey.ts";
import { createWorld, readTables, type World } from "../attempts.ts";
import { everythingStored } from "../support/stored.ts";
import { untilWaiting } from "../support/waiting.ts";

/** The end of an organisation: asked for, taken back, and at last nothing of it left. */

const database = setUpTestDatabase();
let world: World;

beforeAll(async () => {
  world = await createWorld(database);
});

async function ask(user: User, statement: string, ...values: (string | null)[]) {
  return database
    .as({ userId: user.id }, async (sql) => {
      const [row] = await sql.unsafe<{ answer: unknown }[]>(statement, values);
      return row?.answer ?? null;
    })
    .catch((error: unknown) => {
      if (error instanceof postgres.PostgresError) return error.code;
      throw error;
    });
}

const end = (user: User, name: string) =>
  ask(user, "select public.end_organization($1) as answer", name);
const keep = (user: User) => ask(user, "select public.keep_organization()::text as answer");

const state = async ({ id }: Pick<Organization, "id">) => {
  const [row] = await database.sql`
    select o.erase_at, s.is_ending, private.is_open(s) as is_open
    from public.organizations o join public.subscriptions s on s.org_id = o.id where o.id = ${id}`;
  return row;
};

/** Tables in which a row mentions something of an organisation. */
async function traces(words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name, schema } of await readTables(database.sql)) {
    if (schema === "auth") continue;
    const [row] = await database.sql.unsafe<{ count: number }[]>(
      `select count(*)::int as count from ${name} t
       where exists (select 1 from unnest($1::text[]) w where t::text like '%' || w || '%')`,
      [[...words]],
    );
    if ((row?.count ?? 0) > 0) found.push(name);
  }
  return found;
}

describe("the end of an organisation", () => {
  it("is asked for by its owner alone, by its name, and closes it to the public at once", async () => {
    const { ours, theirs } = world;
    const stored = await everythingStored(database.sql);
    for (const role of ["admin", "member", "cashier"] as const) {
      expect(await end(ours.users[role], ours.name)).toBe("42501");
      expect(await keep(ours.users[role])).toBe("42501");
    }
    expect(await end(ours.users.owner, theirs.name)).toBe("TV106");
    expect(await end(ours.users.owner, "")).toBe("TV106");
    expect(await everythingStored(database.sql)).toEqual(stored);

    const goes = deletionSummary.parse(
      await ask(ours.users.owner, "select public.deletion_summary($1) as answer", ours.id),
    );
    expect(goes).toMatchObject({ stores: 1, campaigns: 1, customers: 1, reviews: 1, members: 4 });
    await database.sql`
      insert into public.organization_brands (org_id, color) values (${ours.id}, '#1d4ed8')
      on conflict (org_id) do update set color = excluded.color`;
    const endsAt = await end(ours.users.owner, ` ${ours.name} `);
    expect(endsAt).toBeInstanceOf(Date);
    expect(await end(ours.users.owner, ours.name)).toBe("TV107");
    expect(await state(ours)).toMatchObject({ is_ending: true, is_open: false });
    expect(await state(theirs)).toMatchObject({ is_ending: false, is_open: true });
    const page = await database.sql`select public.organization_page(${ours.slug}) as page`;
    expect(page).toMatchObject([{ page: null }]);
    const { outcome } = await review(database.sql, { campaignId: ours.campaignId });
    expect(outcome).toBe("campaign_not_found");
    const mails = await database.sql<{ recipient: string; color: string; day: Date }[]>`
      delete from private.outbox where template = 'organization_end'
      returning recipient, data #>> '{brand,color}' as color, (data #>> '{days,day,at}')::timestamptz as day`;
    for (const { color, day } of mails)
      expect({ color, day }).toEqual({ color: "#1d4ed8", day: endsAt });
    expect(mails.map(({ recipient }) => recipient).sort()).toEqual([
      ours.users.admin.email,
      ours.users.owner.email,
    ]);
  });

  it.each([
    ["a space that does not break", "Café\u00a0de l\u2019Étoile", "Café de l'Étoile"],
    ["a narrow one", "Bravo\u202f!", "Bravo !"],
    ["two of them", "Le \u00a0Bar", "Le Bar"],
  ])("takes a name with %s as a keyboard types it", async (_, name, typed) => {
    const { sql } = database;
    const org = await createOrganization(sql);
    // As it was kept before names were cleaned.
    await sql`alter table public.organizations disable trigger adjust_texts`;
    await sql`update public.organizations set name = ${name} where id = ${org.id}`;
    await sql`alter table public.organizations enable trigger adjust_texts`;
    expect(await end(org.users.owner, typed.slice(0, -1))).toBe("TV106");
    expect(await state(org)).toMatchObject({ erase_at: null });
    expect(await end(org.users.owner, typed)).toBeInstanceOf(Date);
  });

  it("is taken back within 30 days, and nothing was lost", async () => {
    const { ours } = world;
    await database.sql`select private.erase_organizations(1000)`;
    expect(await keep(ours.users.owner)).toBe("");
    expect(await state(ours)).toMatchObject({ erase_at: null, is_ending: false, is_open: true });
    expect(await keep(ours.users.owner)).toBe("");
    const trail = await database.sql`
      select action from public.audit_events
      where org_id = ${ours.id} and action in ('organization.ended', 'organization.kept') order by id`;
    expect(trail.map(({ action }) => action)).toEqual(["organization.ended", "organization.kept"]);
  });

  it("waits until the provider charges no more", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    await sql`
      update public.subscriptions set stripe_subscription_id = 'sub_end', stripe_customer_id = 'cus_end'
      where org_id = ${org.id}`;
    expect(await end(org.users.owner, org.name)).toBe("TV108");
    expect(await state(org)).toMatchObject({ erase_at: null, is_ending: false });
    // Suspended here, the bill is still asked for there.
    await sql`update public.subscriptions set status = 'suspended' where org_id = ${org.id}`;
    expect(await end(org.users.owner, org.name)).toBe("TV108");
    await sql`update public.subscriptions set status = 'canceled' where org_id = ${org.id}`;
    expect(await end(org.users.owner, org.name)).toBeInstanceOf(Date);

    // Whatever came about meanwhile: as long as somebody is charged, it stays, and others go before it.
    await sql`update public.subscriptions set status = 'active' where org_id = ${org.id}`;
    const other = await createOrganization(sql);
    await sql`
      update public.organizations set erase_at = now() - case when id = ${org.id} then interval '2 hours' else '1 hour' end
      where id in (${org.id}, ${other.id})`;
    const left = async () => {
      await sql`select private.erase_organizations(100000)`;
      const rows =
        await sql`select id from public.organizations where id in (${org.id}, ${other.id})`;
      return rows.map(({ id }) => id);
    };
    expect(await left()).toEqual([org.id]);
    expect(await left()).toEqual([org.id]);
    await sql`update public.subscriptions set cancel_at_period_end = true where org_id = ${org.id}`;
    expect(await left()).toEqual([]);
  });

  it("gives its owner no second trial", async () => {
    const { sql } = database;
    const org = await createOrganization(sql, { plan: "free_trial" });
    const [trial] = await sql`
      update public.subscriptions set trial_end = now() - interval '1 day' where org_id = ${org.id} returning trial_end`;
    let { slug, name } = org;
    for (const next of ["bis", "ter"]) {
      expect(await end(org.users.owner, name)).toBeInstanceOf(Date);
      slug = `${org.slug}-${next}`;
      name = `Nouvelle ${next}`;
      await ask(org.users.owner, "select public.create_organization($1, $2) as answer", name, slug);
      const [row] = await sql`
        select s.plan, s.trial_end, private.is_open(s) as is_open
        from public.organizations o join public.subscriptions s on s.org_id = o.id where o.slug = ${slug}`;
      expect(row).toEqual({ plan: "free_trial", trial_end: trial?.trial_end, is_open: false });
    }
  });

  it.each<[string, (owner: User, org: { id: string; name: string }) => Promise<unknown>]>([
    [
      "who left the first one to a colleague",
      async (owner, { id }) => {
        const { sql } = database;
        const colleague = await createUser(sql);
        await sql`
          insert into public.organization_members (org_id, user_id, role) values (${id}, ${colleague.id}, 'owner')`;
        await ask(owner, "select public.leave_organization()::text as answer");
      },
    ],
    [
      "whose first one is erased",
      async (owner, { id, name }) => {
        const { sql } = database;
        await end(owner, name);
        await sql`update public.organizations set erase_at = now() - interval '1 day' where id = ${id}`;
        await sql`select private.erase_organizations(100000)`;
      },
    ],
  ])("is no way to a second trial for somebody %s", async (_, leave) => {
    const { sql } = database;
    const owner = await createUser(sql);
    const open = async () => {
      const slug = `essai-${randomUUID()}`;
      await ask(owner, "select public.create_organization($1, $1) as answer", slug);
      const [row] = await sql<{ id: string; name: string; trial_end: Date }[]>`
        select o.id, o.name, s.trial_end
        from public.organizations o join public.subscriptions s on s.org_id = o.id where o.slug = ${slug}`;
      if (!row) throw new Error("No organisation.");
      return row;
    };
    const first = await open();
    await leave(owner, first);
    expect((await open()).trial_end).toEqual(first.trial_end);
  });

  it("leaves whoever was no owner of it a trial of their own", async () => {
    const { sql } = database;
    const org = await createOrganization(sql, { plan: "free_trial" });
    await sql`update public.subscriptions set trial_end = now() - interval '1 day' where org_id = ${org.id}`;
    expect(await end(org.users.owner, org.name)).toBeInstanceOf(Date);
    const slug = `${org.slug}-bis`;
    await ask(org.users.admin, "select public.create_organization('Nouvelle', $1) as answer", slug);
    const [row] = await sql`
      select private.is_open(s) as is_open
      from public.organizations o join public.subscriptions s on s.org_id = o.id where o.slug = ${slug}`;
    expect(row).toEqual({ is_open: true });
  });

  it("frees its people for another, and nobody before it was asked for", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const found = (user: User, slug: string) =>
      ask(user, "select public.create_organization('Nouvelle', $1) ->> 'slug' as answer", slug);
    expect(await found(org.users.owner, `${org.slug}-bis`)).toBe("TV020");
    expect(await found(org.users.admin, `${org.slug}-ter`)).toBe("TV020");
    await end(org.users.owner, org.name);
    expect(await found(org.users.owner, `${org.slug}-bis`)).toBe(`${org.slug}-bis`);
    expect(await found(org.users.admin, `${org.slug}-ter`)).toBe(`${org.slug}-ter`);
    expect(await state(org)).toMatchObject({ is_ending: true });
    const workspace = await ask(org.users.owner, "select public.my_workspace() as answer");
    expect(workspace).toMatchObject({ organization: { slug: `${org.slug}-bis`, erase_at: null } });
    // Colleagues whose owner is gone may go as well, and one who joins another team brings nothing along.
    expect(await ask(org.users.cashier, "select public.leave_organization()::text as answer")).toBe(
      "",
    );
    const next = await createOrganization(sql);
    const { member } = org.users;
    await ask(
      next.users.owner,
      "select public.invite_member($1, 'cashier', null) as answer",
      member.email,
    );
    const waiting = Object(
      await ask(member, "select public.waiting_invitation() as answer"),
    ) as Record<string, string>;
    expect(
      await ask(
        member,
        "select public.accept_waiting_invitation($1) ->> 'organization' as answer",
        waiting.id ?? null,
      ),
    ).toBe(next.id);
    expect(
      await sql`select user_id from public.organization_members where org_id = ${org.id}`,
    ).toEqual([]);
  });

  it("keeps a trace of who left it for another, and no invitation that they made", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const { owner, admin } = org.users;
    const invited = `${randomUUID()}@exemple.fr`;
    await ask(admin, "select public.invite_member($1, 'cashier', null) as answer", invited);
    await end(owner, org.name);
    await ask(admin, "select public.create_organization('Nouvelle', $1)", `${org.slug}-bis`);
    expect(
      await sql`
        select action, user_id, detail ->> 'name' as name from public.audit_events
        where org_id = ${org.id} and action in ('member.left', 'invitation.withdrawn') order by id`,
    ).toEqual([
      { action: "member.left", user_id: admin.id, name: "Camille Martin" },
      { action: "invitation.withdrawn", user_id: admin.id, name: invited },
    ]);
    const [row] = await sql`select private.users_used(${org.id}) as used`;
    expect(row).toEqual({ used: 3 });
  });

  it("keeps its owner when the end is taken back while they leave it: that waits, and is refused", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const { owner } = org.users;
    await end(owner, org.name);
    const { leaving } = await sql.begin(async (taking) => {
      await become(taking, { userId: owner.id });
      await taking`select public.keep_organization()`;
      const leaving = ask(
        owner,
        "select public.create_organization('Nouvelle', $1) as answer",
        `${org.slug}-bis`,
      );
      await untilWaiting(sql);
      return { leaving };
    });
    expect(await leaving).toBe("TV020");
    expect(await state(org)).toMatchObject({ erase_at: null });
    expect(
      await sql`
        select user_id from public.organization_members where org_id = ${org.id} and role = 'owner'`,
    ).toEqual([{ user_id: owner.id }]);
  });

  it.each([
    {
      leaves: "for another one",
      leave: "select public.create_organization('Nouvelle', $1)",
      refusal: "42501",
    },
    {
      leaves: "by deleting their account",
      leave: "select private.erase_account(auth.uid(), true) where $1 <> ''",
      refusal: "TV011",
    },
  ])("is not kept by an owner who leaves it at that moment $leaves", async ({ leave, refusal }) => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const { owner } = org.users;
    await end(owner, org.name);
    const { keeping } = await sql.begin(async (leaving) => {
      await become(leaving, { userId: owner.id });
      if (refusal === "TV011") await leaving`reset role`;
      await leaving.unsafe(leave, [`${org.slug}-bis`]);
      const keeping = keep(owner);
      await untilWaiting(sql);
      return { keeping };
    });
    expect(await keeping).toBe(refusal);
    expect(await state(org)).toMatchObject({ is_ending: true, is_open: false });
    expect((await state(org))?.erase_at).not.toBeNull();
  });

  it("writes down once who was removed while they left it for another", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const { owner, member } = org.users;
    await end(owner, org.name);
    const { leaving } = await sql.begin(async (removing) => {
      await become(removing, { userId: owner.id });
      await removing`select public.remove_member(${member.id})`;
      const leaving = ask(
        member,
        "select public.create_organization('Nouvelle', $1)::text as answer",
        `${org.slug}-bis`,
      );
      await untilWaiting(sql);
      return { leaving };
    });
    expect(await leaving).toContain("Nouvelle");
    const trail = await sql`
      select action from public.audit_events
      where org_id = ${org.id} and action in ('member.left', 'member.removed')`;
    expect(trail).toEqual([{ action: "member.removed" }]);
  });

  it("leaves nothing in any table, in portions, and spares the others", async () => {
    const { sql } = database;
    const { ours, theirs } = world;
    const words = await sql<{ word: string }[]>`
      select unnest(array[${ours.id}::text, ${ours.slug}, ${ours.name}, ${ours.storeId}::text,
        ${ours.campaignId}::text]) as word
      union select id::text from public.customers where org_id = ${ours.id}
      union select id::text from public.rewards where org_id = ${ours.id}
      union select id::text from public.redemptions where org_id = ${ours.id}`;
    const mine = words.map(({ word }) => word);
    expect((await traces(mine)).length).toBeGreaterThan(15);
    const others = await traces([theirs.id]);
    const kept = async () => {
      const [row] = await sql`
        select (select count(*)::int from public.customers where org_id = ${theirs.id}) as customers,
          (select count(*)::int from public.spins where org_id = ${theirs.id}) as spins,
          (select count(*)::int from public.redemptions where org_id = ${theirs.id}) as codes`;
      return row;
    };
    const before = await kept();
    await sql`
      update public.subscriptions set stripe_customer_id = 'cus_gone' where org_id = ${ours.id}`;
    await end(ours.users.owner, ours.name);
    await sql`update public.organizations set erase_at = now() - interval '1 second' where id = ${ours.id}`;
    expect(await keep(ours.users.owner)).toBe("TV109");
    for (const { id } of [ours, theirs])
      await sql`
        select private.write_prize_mail('prize', 'cliente@exemple.fr', d)
        from public.redemptions d where d.org_id = ${id} and d.customer_id is not null`;
    let portions = 0;
    for (;;) {
      portions += 1;
      // Each portion is a transaction of its own, and any number of processes share them.
      const runs = await Promise.all(
        [1, 2].map(() => sql<{ rows: number }[]>`select private.erase_organizations(7) as rows`),
      );
      if (runs.every(([run]) => run?.rows === 0)) break;
      expect(portions).toBeLessThan(200);
    }
    expect(portions).toBeGreaterThan(3);
    expect(
      await sql`select template from private.outbox where customer like ${`${ours.id} %`}`,
    ).toEqual([]);
    expect(
      (await sql`select 1 from private.outbox where customer like ${`${theirs.id} %`}`).length,
    ).toBeGreaterThan(0);
    // Counters of attempts and visits go within the hour, and messages to members within days, by jobs of
    // their own.
    // Once for all portions.
    expect([
      ...(await sql`
        delete from private.outbox where channel = 'payment' and recipient = 'cus_gone' returning template`),
    ]).toEqual([{ template: "reconcile" }]);
    await sql`delete from private.outbox`;
    await sql`update private.rate_limits set expires_at = now() - interval '1 second'`;
    await sql`update private.recent_scans set scanned_at = now() - interval '1 hour'`;
    await sql`select private.sweep_limits(1000)`;
    expect(await traces(mine)).toEqual(["private.ended_subscriptions"]);
    expect(await traces([theirs.id])).toEqual(others);
    expect(await kept()).toEqual(before);
    const [billed] =
      await sql`select * from private.ended_subscriptions where former_id = ${ours.id}`;
    expect(billed).toMatchObject({ plan: "pro", stripe_customer_id: "cus_gone" });
    // Ten years later that goes as well.
    await sql`update private.ended_subscriptions set ended_at = now() - interval '10 years 1 day'`;
    await sql`select private.sweep_ended_subscriptions(10)`;
    expect(await traces(mine)).toEqual([]);
    // Its people are free.
    const again = await ask(
      ours.users.admin,
      "select public.create_organization('Suite', $1) ->> 'slug' as answer",
      `${ours.slug}-suite`,
    );
    expect(again).toBe(`${ours.slug}-suite`);
  });

  it("takes its people out before anything else goes, and writes to each of them once that it is done", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const { owner, admin, member, cashier } = org.users;
    await end(owner, org.name);
    // One who has left meanwhile has nothing to do with it any more.
    await ask(admin, "select public.leave_organization()::text as answer");
    await sql`update auth.users set email_confirmed_at = null where id = ${member.id}`;
    await sql`update public.organizations set erase_at = now() - interval '1 second' where id = ${org.id}`;
    await sql`delete from private.outbox`;
    await sql`select private.erase_organizations(1)`;
    // A row or two are gone: nobody reads, exports or keeps what is left.
    expect(await sql`select 1 from public.organizations where id = ${org.id}`).toHaveLength(1);
    for (const user of [owner, cashier])
      expect(
        await ask(user, "select public.my_workspace() -> 'organization' as answer"),
      ).toBeNull();
    expect(await keep(owner)).toBe("42501");
    const [begun] = await sql`
      select public.begin_export_organization(${owner.id}, ${owner.id}, 'aal1', ${org.id}, false) as outcome`;
    expect(begun).toEqual({ outcome: "forbidden" });
    for (;;) {
      const [run] = await sql<{ rows: number }[]>`select private.erase_organizations(50) as rows`;
      if (run?.rows === 0) break;
    }
    // Their screens say so as well, as long as the record of a mail is kept; whoever left before or got none reads nothing.
    const isTold = (user: User) =>
      ask(user, "select public.my_workspace() ->> 'has_erased_organization' as answer");
    expect(await Promise.all([owner, cashier, admin, member].map(isTold))).toEqual([
      ...["true", "true"],
      ...["false", "false"],
    ]);
    // Nor does one who has left another team since.
    const next = await createOrganization(sql);
    await sql`
      insert into public.organization_members (org_id, user_id, role) values (${next.id}, ${cashier.id}, 'cashier')`;
    expect(await isTold(cashier)).toBeNull();
    await ask(cashier, "select public.leave_organization()::text as answer");
    expect(await isTold(cashier)).toBe("false");
    const mails = await sql<{ recipient: string; template: string; facts: unknown }[]>`
      delete from private.outbox where channel = 'mail' returning recipient, template, data -> 'facts' as facts`;
    expect(mails.map(({ recipient }) => recipient).sort()).toEqual(
      [owner.email, cashier.email].sort(),
    );
    for (const { template, facts } of mails)
      expect({ template, facts }).toEqual({
        template: "organization_erased",
        facts: { organization: org.name },
      });
  });

  it("leaves its public addresses to nobody: its posters still hang", async () => {
    const { sql } = database;
    const org = await createOrganization(sql);
    const first = `${org.slug}-avant`;
    const [campaign] = await sql<{ slug: string }[]>`
      insert into public.campaigns (org_id, store_id, name, slug)
      values (${org.id}, ${org.storeId}, 'Affichée', ${first}) returning slug`;
    const second = `${org.slug}-apres`;
    await sql`update public.campaigns set slug = ${second} where org_id = ${org.id} and slug = ${campaign?.slug ?? ""}`;
    const renamed = `${org.slug}-nouveau`;
    await sql`update public.organizations set slug = ${renamed} where id = ${org.id}`;
    await sql`update public.organizations set erase_at = now() - interval '1 second' where id = ${org.id}`;
    const stranger = await createUser(sql);
    const shop = await createOrganization(sql);
    const taken = async () => {
      const kept = await everythingStored(sql);
      for (const slug of [org.slug, renamed]) {
        expect(
          await ask(stranger, "select public.create_organization('Autre', $1) as answer", slug),
        ).toBe("23505");
        await expect(
          sql`update public.organizations set slug = ${slug} where id = ${shop.id}`,
        ).rejects.toMatchObject({
          code: "23505",
          detail: "Another organisation has this address, or had it: printed codes lead there.",
        });
        expect(
          await ask(stranger, "select public.is_slug_free('organization', $1) as answer", slug),
        ).toBe(false);
      }
      for (const slug of [first, second]) {
        expect(
          await ask(stranger, "select public.is_slug_free('campaign', $1) as answer", slug),
        ).toBe(false);
        expect(await ask(stranger, "select public.free_slug('campaign', $1) as answer", slug)).toBe(
          `${slug}-2`,
        );
      }
      expect(await everythingStored(sql)).toEqual(kept);
    };
    // After each portion, and at the end.
    for (;;) {
      await taken();
      const [run] = await sql<{ rows: number }[]>`select private.erase_organizations(3) as rows`;
      if (run?.rows === 0) break;
    }
    // Nothing of it can be read where they are kept. What its people are told leaves within days.
    await sql`delete from private.outbox`;
    expect(await traces([org.slug, org.id])).toEqual([]);
    for (const slug of [first, second]) {
      const [added] = await sql`
        insert into public.campaigns (org_id, store_id, name, slug)
        values (${shop.id}, ${shop.storeId}, ${slug}, ${slug}) returning slug`;
      expect(added).toEqual({ slug: `${slug}-2` });
      const pages = await sql`select public.campaign_page(${slug}) as page`;
      expect(pages).toMatchObject([{ page: null }]);
    }
  });
});
