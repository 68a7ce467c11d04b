import { randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { spinResult } from "#domain/schemas/journey.ts";
import { runBackup } from "../../server/backup/commands.ts";
import type { CommandOptions } from "../../server/config/config.ts";
import { COMMANDS, operate } from "../../server/operator/commands.ts";
import { runKeys } from "../../server/tokens/commands.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createFactor,
  createOrganization,
  createPasskey,
  createReward,
  createSession,
  createUser,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { review, scan, spin } from "../harness/journey.ts";

/** `npm run operator`: what it does, what it refuses, and that each command leaves a trail without anybody's data. */

let database: TestDatabase;
let folder: string;
let organization: Organization;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "tournavis-operator-"));
  // As root, a folder that the database's account cannot enter is moved.
  await chmod(folder, 0o755);
  await mkdir(join(folder, "secrets"));
  await writeFile(join(folder, "secrets", "secret-key"), "sb_secret_of_the_tests\n");
  organization = await createOrganization(database.sql, { name: "Chez Jeanne" });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

const run = (...argv: string[]) =>
  operate({ argv, env: { TOURNAVIS_DATA: folder, DATABASE_URL: database.url }, cwd: folder });

type Event = { action: string; subject_id: string | null; note: string };

const trail = () => database.sql<Event[]>`
  select action, subject_id, note from private.operator_events order by id`;

/** Row of the trail that a command writes beside its work. */
async function noted(work: () => Promise<unknown>): Promise<Event[]> {
  const before = await trail();
  await work();
  return (await trail()).slice(before.length);
}

async function customerOf({ id: orgId, storeId }: Organization, email: string): Promise<string> {
  const { sql } = database;
  const campaign = await createCampaign(sql, { orgId, storeId });
  await review(sql, { campaignId: campaign.id, email });
  const [row] = await sql<{ id: string }[]>`
    select id from public.customers where org_id = ${orgId} and email = ${email}`;
  return row?.id ?? "";
}

async function wonPrize() {
  const { sql } = database;
  const { id: orgId, storeId } = organization;
  const campaign = await createCampaign(sql, { orgId, storeId });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId: await createReward(sql, campaign) }]);
  const { body } = await spin(sql, { campaignId: campaign.id });
  const won = spinResult.parse(JSON.parse(body ?? ""));
  return { code: won.redemption_code, spinId: won.spin_id, nonce: won.nonce };
}

describe("refusals", () => {
  test.each([
    ["an unknown command", ["bannir"], "operator_unknown_command"],
    ["an unknown flag", ["find", "x", "--force"], "unknown_argument"],
    ["a flag of another command", ["suspend", "x", "--yes"], "unknown_argument"],
    ["the flag of a message, of a job", ["jobs", "--again", "all"], "unknown_argument"],
    ["two arguments", ["find", "x", "y"], "unknown_argument"],
    ["an argument where none is read", ["trail", "x"], "unknown_argument"],
    [
      "a message beside those to send again",
      ["messages", "retry", "--again", "all"],
      "unknown_argument",
    ],
    ["whose message, of none", ["messages", "--who"], "operator_missing"],
    ["whose message, of all", ["messages", "retry", "--who"], "operator_missing"],
    ["nothing to find", ["find"], "operator_missing"],
    ["a check that says nothing", ["factors", "x", "--check"], "operator_missing"],
    [
      "a flag in the place of what another says",
      ["export", "x", "--file", "--yes"],
      "operator_missing",
    ],
    ["a value of a flag that has none", ["erase", "x", "--yes=1"], "unknown_argument"],
    ["an account of nobody", ["sessions", "personne@exemple.fr"], "operator_nobody"],
    ["an organisation of nobody", ["suspend", "nulle-part"], "operator_nobody"],
    ["a job that there is not", ["jobs", "dormir"], "operator_unknown_job"],
  ])("%s is refused, and leaves no trail", async (_, argv, code) => {
    const events = await noted(() => expect(run(...argv)).rejects.toMatchObject({ code }));
    expect(events).toEqual([]);
  });

  test("the flag that is not known is the one that is named", async () => {
    await expect(run("factors", "x", "--check", "rappelée hier", "--force")).rejects.toThrow(
      "--force",
    );
  });

  test("without the secret key nothing is done, whatever the database lets in", async () => {
    const { owner } = organization.users;
    const events = await noted(async () => {
      for (const name of ["empty", "none"]) {
        const data = join(folder, name);
        await mkdir(join(data, "secrets"), { recursive: true });
        if (name === "empty") await writeFile(join(data, "secrets", "secret-key"), "\n");
        const env = { TOURNAVIS_DATA: data, DATABASE_URL: database.url };
        const refused = operate({ argv: ["sessions", owner.id], env, cwd: folder });
        await expect(refused).rejects.toMatchObject({ code: "operator_no_secret_key" });
      }
    });
    expect(events).toEqual([]);
    expect(await database.sql`select from auth.sessions where user_id = ${owner.id}`).toHaveLength(
      1,
    );
  });

  test("without the data folder's database it says so", async () => {
    const refused = operate({ argv: ["jobs"], env: { TOURNAVIS_DATA: folder }, cwd: folder });
    await expect(refused).rejects.toMatchObject({ code: "backup_nothing_there" });
  });

  test.each<[string, (options: CommandOptions) => Promise<unknown>, string]>([
    ["operator", (options) => operate({ ...options, argv: ["jobs"] }), "operator_no_secret_key"],
    ["keys", runKeys, "keys_nothing_there"],
    ["backup", runBackup, "backup_nothing_there"],
  ])("the command %s makes no folder where TOURNAVIS_DATA is misspelt", async (_, work, code) => {
    const misspelt = join(folder, "tournvais", "data");
    const refused = work({ argv: [], env: { TOURNAVIS_DATA: misspelt }, cwd: folder });
    await expect(refused).rejects.toMatchObject({ code });
    expect(await readdir(folder)).not.toContain("tournvais");
  });

  test("in a database where no server has been it says so", async () => {
    const other = new URL(database.url);
    other.pathname = "/postgres";
    const env = { TOURNAVIS_DATA: folder, DATABASE_URL: other.href };
    for (const name of ["find", "trail"]) {
      await expect(
        operate({ argv: [name, "x"].slice(0, name === "find" ? 2 : 1), env, cwd: folder }),
      ).rejects.toMatchObject({
        code: "backup_nothing_there",
      });
    }
  });

  test("without an argument it helps", async () => {
    expect(await run()).toContain("npm run operator -- find");
    expect(await run("find", "--help")).toContain("npm run operator -- find");
  });
});

describe("find", () => {
  test("finds by address, and says nothing that was not asked for", async () => {
    const { owner } = organization.users;
    const customer = await customerOf(organization, "ana@exemple.fr");
    const found = await run("find", owner.email.toUpperCase());
    expect(found).toContain(`${owner.id}  owner de ${organization.slug}`);
    expect(found).not.toMatch(/Camille|@/);
    const one = await run("find", "ana@exemple.fr");
    expect(one).toBe(`client        ${customer}  chez ${organization.slug}`);
  });

  test("finds organisations and people by name, and by identifier", async () => {
    const { id, slug } = organization;
    expect(await run("find", "chez jeanne")).toContain(`${id}  ${slug}  « Chez Jeanne »  plan pro`);
    expect(await run("find", slug)).toContain(id);
    const somebody = await createUser(database.sql, { fullName: "Zélie Quatrepoint" });
    expect(await run("find", "quatrepoint")).toContain(`${somebody.id}  « Zélie Quatrepoint »`);
    expect(await run("find", somebody.id)).not.toContain("Zélie");
    expect(await run("find", "100%_personne")).toBe("Rien ne correspond.");
    expect((await trail()).at(-1)).toEqual({ action: "search.made", subject_id: null, note: "" });
  });
});

describe("suspend and resume", () => {
  test("close an organisation to the public and to changes, and open it again", async () => {
    const { sql } = database;
    const shop = await createOrganization(sql);
    const campaign = await createCampaign(sql, { orgId: shop.id, storeId: shop.storeId });
    const isOpen = async () => {
      const [row] = await sql<{ open: boolean; plan: boolean; readable: boolean }[]>`
        select private.is_open(s) as open, private.is_plan_open(s) as plan,
          private.is_readable(s.org_id) as readable
        from public.subscriptions s where s.org_id = ${shop.id}`;
      return row;
    };
    const visit = () => scan(sql, { slug: campaign.slug });
    const before = await visit();

    const events = await noted(() => run("suspend", shop.slug));
    expect(events).toMatchObject([{ action: "organization.suspended", subject_id: shop.id }]);
    // The paid plan goes on, and data stays legible. Everybody of the team is shown why nothing can
    // be changed.
    expect(await isOpen()).toEqual({ open: false, plan: true, readable: true });
    expect(await visit()).not.toBe(before);
    await expect(
      sql`select private.require_plan(${shop.id}, 'campaigns.write')`,
    ).rejects.toMatchObject({
      code: "TV190",
    });
    await expect(sql`select private.require_open_plan(${shop.id})`).rejects.toMatchObject({
      code: "TV190",
    });
    const { owner } = shop.users;
    const [told] = await database.as(
      { userId: owner.id },
      (work) => work<{ plan: unknown }[]>`select public.my_workspace() -> 'plan' as plan`,
    );
    expect(told?.plan).toMatchObject({ is_suspended: true, is_open: false, readable_until: null });
    const [logo] = await sql`
      select public.begin_brand_logo(${owner.id}, s.id, 'aal1', ${shop.id}) as outcome
      from auth.sessions s where s.user_id = ${owner.id} limit 1`;
    expect(logo).toEqual({ outcome: "organization_suspended" });
    expect(await run("find", shop.slug)).toContain("SUSPENDUE depuis le");
    expect(await run("suspend", shop.id)).toContain("rien n'a changé");

    await run("resume", shop.id);
    expect(await isOpen()).toEqual({ open: true, plan: true, readable: true });
    expect(await visit()).toBe(before);
    const noticed = await sql`
      select user_id, action from public.audit_events
      where org_id = ${shop.id} and action in ('organization.suspended', 'organization.resumed') order by id`;
    expect(noticed).toEqual([
      { user_id: null, action: "organization.suspended" },
      { user_id: null, action: "organization.resumed" },
    ]);
    expect(await isOpen()).toMatchObject({ open: true });
  });
});

describe("accounts", () => {
  test("sessions end everywhere", async () => {
    const { sql } = database;
    const user = await createUser(sql);
    await createSession(sql, user);
    const other = await createUser(sql);
    expect(await run("sessions", user.email)).toContain("2");
    expect(await sql`select from auth.sessions where user_id = ${user.id}`).toEqual([]);
    expect(await sql`select from auth.sessions where user_id = ${other.id}`).toHaveLength(1);
    expect((await trail()).at(-1)).toMatchObject({
      action: "account.signed_out",
      subject_id: user.id,
    });
  });

  test("a lost second factor goes after a check that is written down, and the person is notified", async () => {
    const { sql } = database;
    const user = await createUser(sql);
    await createFactor(sql, user);
    await createPasskey(sql, user);
    const state = () => sql`
      select f.id from auth.mfa_factors f join auth.sessions s using (user_id) where f.user_id = ${user.id}`;
    for (const check of [[], ["--check", "  ok  "], ["--check", "x".repeat(501)]]) {
      await expect(run("factors", user.email, ...check)).rejects.toMatchObject({
        code: "operator_check_short",
      });
    }
    expect(await state()).toHaveLength(1);
    const check = "Rappelé au numéro du contrat";
    await run("factors", user.email, "--check", check);
    expect(await state()).toEqual([]);
    expect(await sql`select from auth.webauthn_credentials where user_id = ${user.id}`).toEqual([]);
    const mails = await sql`
      select template from private.outbox where recipient = ${user.email} order by template`;
    expect(mails).toEqual([{ template: "factor_removed" }, { template: "passkey_removed" }]);
    expect((await trail()).at(-1)).toEqual({
      action: "account.factors_removed",
      subject_id: user.id,
      note: check,
    });
  });
});

describe("the law", () => {
  test("a customer is exported with all that is theirs, and erased for good", async () => {
    const { sql } = database;
    const id = await customerOf(organization, "bea@exemple.fr");
    await sql`
      insert into public.review_actions (org_id, review_id, user_id, actor_name, kind, body)
      select r.org_id, r.id, ${organization.users.owner.id}, 'Marie Durand', 'note', 'Allergique aux noix.'
      from public.pre_spin_reviews r where r.customer_id = ${id}`;
    const text = await run("export", id);
    const exported: Record<string, unknown[]> = JSON.parse(text);
    expect(exported).toMatchObject({
      customers: [{ id, email: "bea@exemple.fr" }],
      pre_spin_reviews: [{ rating: 5, customer_name: "Ana Petit" }],
      review_actions: [{ kind: "note", body: "Allergique aux noix." }],
    });
    expect(text).not.toContain("Marie Durand");
    expect(await run("export", id, "--file", "bea.json")).not.toMatch(/bea@/);
    const file = join(folder, "bea.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(exported);
    const refused = await noted(() =>
      expect(run("export", id, "--file", "bea.json")).rejects.toMatchObject({
        code: "operator_file_unwritable",
      }),
    );
    expect(refused).toEqual([]);
    await expect(run("erase", id)).rejects.toMatchObject({ code: "operator_not_confirmed" });
    expect(await sql`select from public.customers where id = ${id}`).toHaveLength(1);
    await run("erase", id, "--yes");
    expect(await sql`select from public.customers where id = ${id}`).toEqual([]);
    expect((await trail()).slice(-2)).toMatchObject([
      { action: "customer.exported", subject_id: id },
      { action: "customer.erased", subject_id: id },
    ]);
  });

  test("somebody with an account is exported without what opens it, and erased; a last owner is not", async () => {
    const { sql } = database;
    const { users } = await createOrganization(sql);
    await createPasskey(sql, users.admin);
    await sql`
      insert into public.notification_preferences (org_id, user_id, push_low_stock, push_asked_at)
      select m.org_id, m.user_id, false, now() from public.organization_members m where m.user_id = ${users.admin.id}`;
    const text = await run("export", users.admin.email);
    expect(JSON.parse(text)).toMatchObject({
      account: { id: users.admin.id, email: users.admin.email },
      membership: [{ role: "admin" }],
      sessions: [{}],
      passkeys: [{ name: expect.stringContaining("clé"), last_used_at: null }],
      notices: [
        { monthly_report: false, push_low_stock: false, push_asked_at: expect.any(String) },
      ],
    });
    expect(text).not.toMatch(/\$2b\$|secret|token|hash/);
    await run("erase", users.admin.email, "--yes");
    expect(await sql`select from auth.users where id = ${users.admin.id}`).toEqual([]);

    const events = await noted(() =>
      expect(run("erase", users.owner.email, "--yes")).rejects.toMatchObject({
        code: "operator_last_owner",
      }),
    );
    expect(events).toEqual([]);
    expect(await sql`select from auth.users where id = ${users.owner.id}`).toHaveLength(1);
  });
});

describe("an organisation, for the law", () => {
  test("is exported whole into a file of the operator's own, which replaces none", async () => {
    const shop = await createOrganization(database.sql);
    await customerOf(shop, "dora@exemple.fr");
    await expect(run("export", shop.slug)).rejects.toMatchObject({ code: "operator_missing" });
    const events = await noted(async () => {
      const said = await run("export", shop.slug, "--file", "tout.zip");
      expect(said).not.toMatch(/dora|@/);
    });
    expect(events).toEqual([{ action: "organization.exported", subject_id: shop.id, note: "" }]);
    const file = join(folder, "tout.zip");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const bytes = await readFile(file);
    // Each table as two files, and what explains them; what is in them: tests/server/export-organization.test.ts.
    expect(bytes.toString("latin1")).toContain("json/clients.json");
    const refused = await noted(() =>
      expect(run("export", shop.id, "--file", "tout.zip")).rejects.toMatchObject({
        code: "operator_file_unwritable",
      }),
    );
    expect(refused).toEqual([]);
    expect(await readFile(file)).toEqual(bytes);
  });

  test("leaves no part of an export that is broken off", async () => {
    const { sql, url } = database;
    const shop = await createOrganization(sql);
    const interruption = new AbortController();
    const { signal } = interruption;
    const env = { TOURNAVIS_DATA: folder, DATABASE_URL: url };
    const argv = ["export", shop.slug, "--file", "partie.zip"];
    const file = join(folder, "partie.zip");
    const events = await noted(() =>
      sql.begin(async (holding) => {
        await holding`lock table public.stores in access exclusive mode`;
        const exporting = operate({ argv, env, cwd: folder, signal });
        exporting.catch(() => undefined);
        for (;;) {
          const { count } = await sql`
            select from pg_stat_activity
            where application_name = 'tournavis operator' and datname = current_database() and wait_event_type = 'Lock'`;
          if (count > 0) break;
        }
        expect((await stat(file)).isFile()).toBe(true);
        interruption.abort();
        await expect(exporting).rejects.toThrow();
      }),
    );
    expect(events).toEqual([]);
    await expect(stat(file)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("is closed at once and erased in 30 days, as when its owner asks; not while it is still charged", async () => {
    const { sql } = database;
    const shop = await createOrganization(sql);
    const state = async () => {
      const [row] = await sql`
        select o.erase_at - now() > interval '29 days' as waits, s.is_ending as ending
        from public.organizations o join public.subscriptions s on s.org_id = o.id where o.id = ${shop.id}`;
      return row;
    };
    await expect(run("erase", shop.slug)).rejects.toMatchObject({ code: "operator_not_confirmed" });
    await sql`
      update public.subscriptions set stripe_customer_id = 'cus_1', stripe_subscription_id = 'sub_1'
      where org_id = ${shop.id}`;
    const events = await noted(() =>
      expect(run("erase", shop.slug, "--yes")).rejects.toMatchObject({
        code: "operator_payments_running",
      }),
    );
    expect(events).toEqual([]);
    expect(await state()).toEqual({ waits: null, ending: false });
    await sql`
      update public.subscriptions set stripe_customer_id = null, stripe_subscription_id = null
      where org_id = ${shop.id}`;
    await run("erase", shop.slug, "--yes");
    expect(await state()).toEqual({ waits: true, ending: true });
    expect((await trail()).at(-1)).toMatchObject({
      action: "organization.erasure_begun",
      subject_id: shop.id,
    });
    const [told] = await sql`
      select count(*)::integer as mails from private.outbox
      where template = 'organization_end' and recipient in (${shop.users.owner.email}, ${shop.users.admin.email})`;
    expect(told).toEqual({ mails: 2 });
    expect(await run("erase", shop.slug, "--yes")).toContain("rien n'a changé");
  });

  test("somebody's export names nobody else in what they did", async () => {
    const { sql } = database;
    const { id, users } = await createOrganization(sql);
    await sql`
      select private.audit_as(${id}, ${users.owner.id}, 'invitation.sent', 'invitation', ${id},
        '{"name": "autre@exemple.fr", "role": "manager", "fields": ["name"]}')`;
    const text = await run("export", users.owner.id);
    expect(JSON.parse(text)).toMatchObject({
      actions: [{ action: "invitation.sent", subject: "invitation", detail: { fields: ["name"] } }],
    });
    expect(text).not.toContain("autre@exemple.fr");
  });
});

describe("work", () => {
  test("jobs are shown, and one is run at once", async () => {
    expect(await run("jobs")).toMatch(/sweep_outbox\s+dernier passage : /);
    const events = await noted(async () => {
      expect(await run("jobs", "sweep_outbox")).toBe("sweep_outbox : 0 lignes.");
    });
    expect(events).toEqual([{ action: "job.run", subject_id: null, note: "sweep_outbox" }]);
    const [job] = await database.sql`
      select last_run_at is not null as ran, next_run_at > now() as later
      from private.jobs where name = 'sweep_outbox'`;
    expect(job).toEqual({ ran: true, later: true });
  });

  test("messages are counted without addresses, and those that wait are tried again at once", async () => {
    const { sql } = database;
    const rows = await sql<{ id: string }[]>`
      select private.enqueue_mail('recovery', 'attend-' || n || '@exemple.fr', '{}') as id
      from generate_series(1, 2) n`;
    const [late, given] = rows;
    await sql`
      update private.outbox set attempts = 1, last_error = 'ECONNREFUSED', next_attempt_at = now() + interval '1 hour'
      where id = ${late?.id ?? ""}`;
    await sql`
      update private.outbox set state = 'failed', settled_at = now(), data = '{}', last_error = 'expired'
      where id = ${given?.id ?? ""}`;
    const shown = await run("messages");
    expect(shown).toContain("abandonné    mail  recovery  1 (dernière erreur : expired)");
    expect(shown).toContain("en attente   mail  recovery  1 (dernière erreur : ECONNREFUSED)");
    expect(shown).not.toContain("@");
    expect(await run("messages", "retry")).toContain("1");
    const [row] = await sql`
      select next_attempt_at <= now() as due from private.outbox where id = ${late?.id ?? ""}`;
    expect(row).toEqual({ due: true });
  });
});

describe("messages that were given up", () => {
  const ADDRESS = "perdu@exemple.fr";

  async function giveUp(template: string, data: Record<string, unknown> = { name: "Ana" }) {
    const { sql } = database;
    const [row] = await sql<{ id: string }[]>`
      select private.enqueue_mail(${template}, ${ADDRESS}, ${sql.json(JSON.parse(JSON.stringify(data)))}) as id`;
    const id = row?.id ?? "";
    await sql`
      update private.outbox set state = 'failed', settled_at = now(), attempts = 3, last_error = 'EENVELOPE_550'
      where id = ${id}`;
    return id;
  }

  const stateOf = async (id: string) => {
    const [row] = await database.sql`select state, data from private.outbox where id = ${id}`;
    return row;
  };

  test("are shown one by one without whom they are for, and that only where it is asked", async () => {
    const id = await giveUp("review_answer");
    const shown = await run("messages");
    expect(shown).toContain(`${id}  review_answer  abandonné le`);
    expect(shown).toContain(`messages --again ${id}`);
    expect(await run("messages", id)).not.toContain("@");
    expect(await run("messages", id, "--who")).toContain(`à ${ADDRESS}`);
    expect((await trail()).slice(-2)).toMatchObject([
      { action: "message.read", subject_id: id },
      { action: "message.address_read", subject_id: id },
    ]);
    await expect(run("messages", "nulle-part")).rejects.toMatchObject({
      code: "operator_unknown_message",
    });
  });

  test("are queued again by their number, all of them where it is asked, and each leaves a trail", async () => {
    const { sql } = database;
    await sql`delete from private.outbox`;
    const [first, second, link] = [
      await giveUp("review_answer"),
      await giveUp("weekly_summary"),
      await giveUp("recovery"),
    ];
    await sql`update private.outbox set expires_at = now() where id = ${link}`;
    const events = await noted(async () => {
      expect(await run("messages", "--again", first)).toContain("de nouveau en attente");
      expect(await run("messages", "--again", link)).toContain("a expiré");
      expect(await run("messages", "--again", "all")).toContain("en attente : 1. Laissés : 1");
    });
    expect(events).toEqual([
      { action: "message.queued_again", subject_id: first, note: "queued" },
      { action: "message.queued_again", subject_id: link, note: "expired" },
      { action: "message.queued_again", subject_id: second, note: "queued" },
    ]);
    expect(await stateOf(first)).toEqual({ state: "queued", data: { name: "Ana" } });
    expect(await stateOf(link)).toMatchObject({ state: "failed" });
    await expect(run("messages", "--again", "nulle-part")).rejects.toMatchObject({
      code: "operator_unknown_message",
    });
  });

  test("about a prize go again while its code waits, and not once it was used", async () => {
    const { sql } = database;
    const { code, spinId, nonce } = await wonPrize();
    const path = `/c/roue/gain#gain=${spinId}.${nonce}`;
    const id = await giveUp("prize", { path, code });
    await sql`update public.redemptions set expires_at = now() - interval '1 minute' where spin_id = ${spinId}`;
    expect(await run("messages", "--again", id)).toContain("expiré");
    expect(await stateOf(id)).toMatchObject({ state: "failed" });
    await sql`update public.redemptions set expires_at = now() + interval '1 day' where spin_id = ${spinId}`;
    expect(await run("messages", "--again", id)).toContain("de nouveau en attente");
  });

  test("go with the customer or the account whom they were for", async () => {
    const { sql } = database;
    const customer = await customerOf(organization, ADDRESS);
    const member = await createUser(sql);
    const [toCustomer, toMember, other] = [
      await giveUp("review_answer"),
      await giveUp("daily_summary"),
      await giveUp("daily_summary"),
    ];
    await sql`update private.outbox set recipient = ${member.email.toUpperCase()} where id = ${toMember}`;
    await sql`update private.outbox set recipient = 'reste@exemple.fr' where id = ${other}`;
    await sql`update private.outbox set customer = ${`${organization.id} ${customer}`} where id = ${toCustomer}`;
    await run("erase", customer, "--yes");
    expect(await stateOf(toCustomer)).toBeUndefined();
    await run("erase", member.id, "--yes");
    expect(await stateOf(toMember)).toBeUndefined();
    expect(await stateOf(other)).toMatchObject({ data: { name: "Ana" } });
    await expect(run("messages", "--again", toMember)).rejects.toMatchObject({
      code: "operator_unknown_message",
    });
  });
});

describe("every command", () => {
  /**
   * Arguments with which each command has an effect; a command that is missing here fails the first
   * test.
   */
  const ARGUMENTS: Readonly<Record<string, (shop: Organization) => Promise<string[]>>> = {
    find: async ({ slug }) => [slug],
    suspend: async ({ slug }) => [slug],
    resume: async ({ slug }) => [slug],
    sessions: async ({ users }) => [users.owner.id],
    factors: async ({ users }) => [users.owner.id, "--check", "Rappelé au numéro du contrat"],
    messages: async () => [],
    jobs: async () => [],
    export: async ({ slug }) => [slug, "--file", `${slug}.zip`],
    erase: async (shop) => [await customerOf(shop, `${shop.slug}@exemple.fr`), "--yes"],
    trail: async () => [],
  };

  test("is known here", () => {
    expect(Object.keys(ARGUMENTS).sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  test.each(Object.keys(ARGUMENTS))(
    "%s needs the secret key and the database's administrator, leaves a trail, and says nothing of anybody",
    async (name) => {
      const { sql } = database;
      const shop = await createOrganization(sql, { name: "Chez Personne" });
      const argv = [name, ...((await ARGUMENTS[name]?.(shop)) ?? [])];
      const nowhere = { TOURNAVIS_DATA: join(folder, "nowhere"), DATABASE_URL: database.url };
      const login = new URL(database.url);
      // Roles are the whole cluster's, which other tests share.
      const role = `nobody_${randomUUID().replaceAll("-", "")}`;
      login.username = role;
      login.password = role;
      await sql.unsafe(`create role ${role} login password '${role}'`);
      onTestFinished(() => sql.unsafe(`drop role ${role}`).then(() => undefined));
      const powerless = { TOURNAVIS_DATA: folder, DATABASE_URL: login.href };
      const refused = await noted(async () => {
        await expect(operate({ argv, env: nowhere, cwd: folder })).rejects.toMatchObject({
          code: "operator_no_secret_key",
        });
        await expect(operate({ argv, env: powerless, cwd: folder })).rejects.toMatchObject({
          code: "operator_no_right",
        });
      });
      expect(refused).toEqual([]);
      const events = await noted(async () => {
        const said = await run(...argv);
        expect(said).not.toMatch(/@|Camille|Ana Petit/);
      });
      expect(events).toHaveLength(1);
    },
  );
});

describe("the trail", () => {
  test("shows the newest commands, by identifiers, and cannot be changed", async () => {
    const user = await createUser(database.sql, { fullName: "Zoé Invisible" });
    await run("sessions", user.email);
    const [newest = ""] = (await run("trail")).split("\n");
    expect(newest).toContain(`commande  account.signed_out  ${user.id}`);
    const [all] = await database.sql<{ text: string }[]>`
      select string_agg(e::text, ' ') as text from private.operator_events e`;
    expect(all?.text).not.toMatch(/@|Invisible|Jeanne/);
    for (const change of [
      "update private.operator_events set note = 'x'",
      "delete from private.operator_events",
    ]) {
      await expect(database.sql.unsafe(change)).rejects.toMatchObject({ code: "TV095" });
    }
  });

  test.each(["anon", "authenticated", "service_role"])("is closed to %s", async (role) => {
    const read = database.sql.begin(async (sql) => {
      await sql`set local role ${sql(role)}`;
      return sql`select from private.operator_events`;
    });
    await expect(read).rejects.toMatchObject({ code: "42501" });
  });
});
