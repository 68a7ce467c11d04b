import { randomUUID } from "node:crypto";
import type { ISql } from "postgres";
import { beforeAll, describe, expect, it } from "vitest";
import { setUpTestDatabase, undone } from "../harness/database.ts";
import {
  createApiKey,
  createCampaign,
  createFactor,
  createOrganization,
  createPasskey,
  createReward,
  createUser,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";

/**
 * Right of access: every column that says something of a person is in their export, or stands here with the reason why it is
 * not. A column that is added fails until it is one or the other.
 */

const database = setUpTestDatabase();
let ours: Organization;

beforeAll(async () => {
  ours = await createOrganization(database.sql);
});

/** Columns that are left out, by reason. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  "opens the account, or proves whose it is": [
    "auth.flow_state.*",
    "auth.mfa_challenges.otp_code",
    "auth.mfa_challenges.web_authn_session_data",
    "auth.mfa_factors.last_webauthn_challenge_data",
    "auth.mfa_factors.secret",
    "auth.mfa_factors.web_authn_aaguid",
    "auth.mfa_factors.web_authn_credential",
    "auth.one_time_tokens.*",
    "auth.refresh_tokens.*",
    "auth.sessions.refresh_token_counter",
    "auth.sessions.refresh_token_hmac_key",
    "auth.users.confirmation_token",
    "auth.users.email_change_token_current",
    "auth.users.email_change_token_new",
    "auth.users.encrypted_password",
    "auth.users.phone_change_token",
    "auth.users.reauthentication_token",
    "auth.users.recovery_token",
    "auth.webauthn_challenges.*",
    "auth.webauthn_credentials.aaguid",
    "auth.webauthn_credentials.attestation_type",
    "auth.webauthn_credentials.backed_up",
    "auth.webauthn_credentials.backup_eligible",
    "auth.webauthn_credentials.credential_id",
    "auth.webauthn_credentials.public_key",
    "auth.webauthn_credentials.sign_count",
    "auth.webauthn_credentials.transports",
    "notification_preferences.unsubscribe_secret",
    "notification_preferences.unsubscribe_token",
    "private.recovery_codes.*",
    "private.totp_steps.*",
    "private.unproven_accounts.*",
  ],
  "serves the platform, and repeats what stands there": [
    "auth.identities.email",
    "auth.identities.provider_id",
    "auth.identities.updated_at",
    "auth.mfa_amr_claims.*",
    "auth.mfa_challenges.created_at",
    "auth.mfa_challenges.verified_at",
    "auth.mfa_factors.updated_at",
    "auth.sessions.aal",
    "auth.sessions.not_after",
    "auth.sessions.scopes",
    "auth.sessions.tag",
    "auth.sessions.updated_at",
    "auth.users.aud",
    "auth.users.confirmation_sent_at",
    "auth.users.confirmed_at",
    "auth.users.deleted_at",
    "auth.users.email_change_confirm_status",
    "auth.users.email_change_sent_at",
    "auth.users.is_anonymous",
    "auth.users.is_sso_user",
    "auth.users.phone_change_sent_at",
    "auth.users.raw_app_meta_data",
    "auth.users.reauthentication_sent_at",
    "auth.users.recovery_sent_at",
    "auth.users.role",
    "auth.users.updated_at",
    "auth.webauthn_credentials.updated_at",
    "notification_preferences.next_report_at",
    "notification_preferences.next_summary_at",
    "organization_members.role_org_key",
    "private.invitations.role_org_key",
    "private.invitations.token_hash",
  ],
  "is in the member's devices (private.export_push_devices)": ["private.push_devices.*"],
  "is somebody else's, or the organisation's: a customer, a code, a colleague, a key": [
    "audit_events.detail",
    "points_spends.*",
    "pre_spin_reviews.*",
    "private.api_keys.*",
    "private.invitations.expires_at",
    "redemption_events.*",
    "redemptions.*",
    "review_actions.*",
  ],
};

/** Tables of people with an account whose rows are asked for by another column than `user_id`. */
const OWNED_BY: Readonly<Record<string, string>> = {
  "auth.mfa_challenges": "factor_id in (select id from auth.mfa_factors where user_id = $1)",
  "auth.users": "id = $1",
  "private.invitations":
    "accepted_by = $1 or email = (select u.email from auth.users u where u.id = $1)",
};

const isLeftOut = (column: string): boolean =>
  Object.values(LEFT_OUT)
    .flat()
    .some(
      (name) => name === column || (name.endsWith(".*") && column.startsWith(name.slice(0, -1))),
    );

/** Columns of every table that refers to an account, or to what is one's own. */
const columnsOfAccounts = (sql: ISql) => sql<{ table: string; column: string; type: string }[]>`
  select c.oid::regclass::text as table, a.attname::text as column, a.atttypid::regtype::text as type
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'p')
    and c.relnamespace = any (array['public', 'private', 'auth']::regnamespace[])
    and (c.oid = 'auth.users'::regclass
      or exists (select from pg_attribute o where o.attrelid = c.oid and o.attname in ('user_id', 'factor_id', 'session_id'))
      or exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and k.confrelid = 'auth.users'::regclass))
    -- Identifiers alone say nothing.
    and a.atttypid <> 'uuid'::regtype
  order by 1, a.attnum`;

describe("somebody with an account", () => {
  it("is given every column of theirs that is not left out for a reason", async () => {
    const { sql } = database;
    const user = await createUser(sql);
    await undone(sql, async (transaction) => {
      await createPasskey(transaction, user);
      const factor = await createFactor(transaction, user);
      const { id: factorId } = typeof factor === "string" ? { id: factor } : factor;
      await transaction`
        update auth.users set phone = '33698765432', phone_confirmed_at = now() - interval '1 day', email_change = 'neuf@exemple.fr',
          phone_change = '33611223344', invited_at = now() - interval '2 days', banned_until = now() - interval '3 days',
          last_sign_in_at = now() - interval '4 days' where id = ${user.id}`;
      await transaction`
        update auth.mfa_factors set friendly_name = 'mon téléphone', phone = '33655443322', last_challenged_at = now() - interval '5 hours'
        where user_id = ${user.id}`;
      await transaction`
        insert into auth.mfa_challenges (id, factor_id, created_at, ip_address)
        values (${randomUUID()}, ${factorId}, now(), '203.0.113.77')`;
      await transaction`
        update auth.sessions set refreshed_at = now() at time zone 'UTC' - interval '7 hours', user_agent = 'Butineur', ip = '203.0.113.9'
        where user_id = ${user.id}`;
      await transaction`
        update auth.identities set last_sign_in_at = now() - interval '6 days' where user_id = ${user.id}`;
      await transaction`
        update auth.webauthn_credentials set last_used_at = now() - interval '9 hours' where user_id = ${user.id}`;
      await transaction`
        insert into public.organization_members (org_id, user_id, role, store_id)
        values (${ours.id}, ${user.id}, 'cashier', ${ours.storeId})`;
      await transaction`
        insert into private.invitations (org_id, email, role, token_hash, expires_at, accepted_at, accepted_by, withdrawn_at)
        values (${ours.id}, 'invitee@exemple.fr', 'cashier', sha256('i'), now(), now() - interval '8 days', ${user.id}, null)`;
      await transaction`
        insert into private.invitations (org_id, email, role, token_hash, expires_at, withdrawn_at)
        values (${ours.id}, ${user.email}, 'cashier', sha256('w'), now(), now() - interval '10 days')`;
      await transaction`
        insert into public.notification_preferences (org_id, user_id, summary, next_summary_at, push_asked_at)
        values (${ours.id}, ${user.id}, 'weekly', now(), now() - interval '9 days')`;
      await transaction`
        insert into private.account_events (user_id, event, session_id) values (${user.id}, 'session_ended', ${randomUUID()})`;
      await transaction`
        insert into private.account_trials (user_id, trial_end) values (${user.id}, now() - interval '11 days')`;
      await transaction`
        select private.audit_as(${ours.id}, ${user.id}, 'member.left', 'member', ${user.id}, '{}')`;
      const { text } = await exported(transaction, "private.export_account($1)", [user.id]);
      const columns = await columnsOfAccounts(transaction);
      const missing: string[] = [];
      for (const { table, column, type } of columns) {
        if (isLeftOut(`${table}.${column}`)) continue;
        // Any « false » would do for another's: the name decides.
        if (type === "boolean") {
          if (!text.includes(`"${column}":`)) missing.push(`${table}.${column}`);
          continue;
        }
        const rows = await transaction.unsafe<{ value: string | null }[]>(
          `select to_jsonb(${column}) #>> '{}' as value from ${table} where ${OWNED_BY[table] ?? "user_id = $1"}`,
          [user.id],
        );
        const values = rows.flatMap(({ value }) => (value === null ? [] : [value]));
        // Nothing planted proves nothing.
        if (!values.some((value) => holds(text, value))) missing.push(`${table}.${column}`);
      }
      expect(missing).toEqual([]);
    });
  });

  it("lacks a column that is added, until it is said why", async () => {
    await undone(database.sql, async (transaction) => {
      await transaction`alter table private.account_events add column place text`;
      const columns = await columnsOfAccounts(transaction);
      const unsaid = columns
        .map(({ table, column }) => `${table}.${column}`)
        .filter((name) => !isLeftOut(name));
      expect(unsaid).toContain("private.account_events.place");
    });
  });

  it("has what they did, and the messages to them, but no customer", async () => {
    const { sql } = database;
    const { id } = ours.users.cashier;
    const { email } = ours.users.cashier;
    await undone(sql, async (transaction) => {
      const key = await createApiKey(transaction, { orgId: ours.id });
      await transaction`update private.api_keys set created_by = ${id} where id = ${key.id}`;
      await transaction`select private.enqueue_mail('daily_summary', ${email}, '{}')`;
      const { data } = await exported(transaction, "private.export_account($1)", [id]);
      expect(data).toMatchObject({
        api_keys: [{ name: expect.any(String) }],
        messages: [{ template: "daily_summary", state: "queued" }],
      });
    });
  });
});

describe("a customer", () => {
  /** Columns of tables with a customer that nobody is told of, by the rule of `export_customer`. */
  const SERVES_THE_PLATFORM = /(_hash|_token|_words|_normalized|_key)$|^(shard|nonce|org_id)$/;

  it("is given every column of every table that names them, what became of their prizes, and why", async () => {
    const { sql } = database;
    const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const rewardId = await createReward(sql, campaign);
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    const email = "bea.export@exemple.fr";
    const { review_id: reviewId } = await review(sql, {
      campaignId: campaign.id,
      email,
      rating: 5,
    });
    await spin(sql, { campaignId: campaign.id, reviewId });
    const [customer] = await sql<{ id: string }[]>`
      select id from public.customers where org_id = ${ours.id} and email = ${email}`;
    const id = customer?.id ?? "";
    await sql`select private.judge_spins(1000)`;
    await sql`
      select private.mark_codes(${ours.id}, ${campaign.id}, 'disposable', 'exemple.fr', 1, array(
        select id from public.redemptions where org_id = ${ours.id} and customer_id = ${id}))`;
    await sql`select private.enqueue_customer_mail(${ours.id}, ${id}, 'prize', ${email}, '{}')`;
    await sql`
      insert into public.redemption_events (org_id, redemption_id, action)
      select org_id, id, 'held' from public.redemptions where org_id = ${ours.id} and customer_id = ${id}`;
    const { data } = await exported(sql, "private.export_customer($1, $2)", [ours.id, id]);
    expect(data).toMatchObject({
      redemption_events: [{ action: "held" }],
      checks: [{ reason: "disposable", is_normal: false }],
      messages: [{ template: "prize", recipient: email, state: "queued" }],
    });
    const tables = await sql<{ table: string; name: string; columns: string[] }[]>`
      select c.oid::regclass::text as table, c.relname::text as name, array_agg(a.attname::text) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind = 'r' and c.relnamespace = any (array['public', 'private']::regnamespace[])
        and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'org_id')
        and (c.relname = 'customers' or exists (
          select from pg_attribute o where o.attrelid = c.oid and o.attname = 'customer_id'))
      group by c.oid, c.relname`;
    for (const { table, name, columns } of tables) {
      const key = name === "customers" ? "id" : "customer_id";
      const rows = await sql.unsafe(`select 1 from ${table} where ${key} = $1`, [id]);
      if (rows.length === 0) continue;
      const wanted = columns.filter((column) => !SERVES_THE_PLATFORM.test(column));
      const [first] = data[name] ?? [];
      expect(Object.keys(first ?? {}), table).toEqual(expect.arrayContaining(wanted));
    }
    expect(tables.map(({ name }) => name)).toContain("device_customers");
    expect(data).toHaveProperty("device_customers");
  });
});

async function exported(sql: ISql, call: string, values: string[]) {
  const [row] = await sql.unsafe<
    { data: Record<string, Record<string, unknown>[]>; text: string }[]
  >(`select ${call} as data, ${call}::text as text`, values);
  if (row === undefined) throw new Error("Nothing was answered.");
  return row;
}

/** Whether an export holds a value, as a text or as a part of one. */
function holds(text: string, value: string): boolean {
  return (
    text.includes(JSON.stringify(value).slice(1, -1)) || text.includes(value.replace(/\/\d+$/, ""))
  );
}
