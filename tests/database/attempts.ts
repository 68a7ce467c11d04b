import postgres, { type ISql, type TransactionSql } from "postgres";
import { become, type Caller, type TestDatabase } from "../harness/database.ts";
import {
  type ApiScope,
  createApiKey,
  createCampaign,
  createOrganization,
  createPointsReward,
  createReward,
  createRole,
  drawWheel,
  type Organization,
  ROLES,
  withoutQuietHours,
} from "../harness/fixtures.ts";
import {
  publicClick,
  redeem,
  review,
  scan,
  spendPoints,
  spin,
  winPoints,
} from "../harness/journey.ts";

/**
 * Tries of what the data API's users could send to the database, and what comes of them. What
 * should come of them stands in `expectations.ts`; what there is to try, in the catalog.
 */

/** Everybody, from nobody to the owner; `stranger` owns another organisation. */
export const ACTORS = ["anon", "stranger", "cashier", "member", "admin", "owner"] as const;
export type Actor = (typeof ACTORS)[number];

export const OPERATIONS = ["select", "insert", "update", "delete"] as const;

/**
 * Outcome of a statement about the rows of our organisation: refused with 42501, no row seen or
 * touched, the actor's own rows only, all rows; or a row of somebody else's organisation was seen.
 */
export type Outcome = "denied" | "none" | "own" | "all" | "leak" | (string & {});

/** Outcomes by actor. */
export type Outcomes = Record<Actor, Outcome>;

/** A table with its ownership columns. */
export type Table = {
  /** With its schema, quoted where needed. */
  name: string;
  schema: string;
  columns: { name: string; isGenerated: boolean }[];
};

/** An SQL function of the API. */
export type ApiFunction = { signature: string; nullCall: string };

/** An organisation with a row in every table. */
type Tenant = Organization & {
  campaignId: string;
  /** A reward that was won, whose codes are `code` and `usedId`. */
  rewardId: string;
  /** A code that can be redeemed at `storeId`. */
  code: string;
  /** Identifier of a code that the cashier has just used. */
  usedId: string;
  /** A group of prizes to check, with the first of these codes. */
  checkId: string;
  /** Somebody who has played, won and spent. */
  customerId: string;
  /** A reward of the catalogue for points. */
  pointsRewardId: string;
  /** A role of its own, which nobody has. */
  roleId: string;
  /** Keys of the API, by scope. */
  keyIds: Record<ApiScope, string>;
};

/** Two organisations with rows in every table. */
export type World = { ours: Tenant; theirs: Tenant };

async function createTenant(sql: ISql): Promise<Tenant> {
  const organization = await createOrganization(sql);
  const { id: orgId, storeId, users } = organization;
  for (const role of ROLES) {
    await sql`
      insert into public.notification_preferences (org_id, user_id) values (${orgId}, ${users[role].id})`;
  }
  await sql`
    insert into public.organization_slug_redirects (slug, org_id)
    values (${`${organization.slug}-avant`}, ${orgId})`;
  const logo = "0123456789abcdef".repeat(2);
  await sql`
    insert into public.organization_brands (org_id, color, logo, logo_width, logo_height)
    values (${orgId}, '#1d4ed8', ${logo}, 300, 100)`;
  await sql`insert into storage.objects (bucket_id, name) values ('logos', ${`${orgId}/${logo}.webp`})`;
  await sql`
    insert into storage.contents (bucket_id, name, body, content_type, cache_control, etag)
    values ('logos', ${`${orgId}/${logo}.webp`}, '\\x00', 'image/webp', 'max-age=1', '"1"')`;
  const campaign = await createCampaign(sql, { orgId, storeId, playIntervalDays: 0 });
  await sql`update public.campaigns set slug = slug || '-renamed' where id = ${campaign.id}`;
  const gift = await createReward(sql, campaign);
  const email = "cliente@exemple.fr";
  await drawWheel(sql, campaign, [{ weight: 100, rewardId: gift }]);
  await scan(sql, { slug: campaign.slug });
  const { review_id: reviewId } = await review(sql, { campaignId: campaign.id, email });
  await publicClick(sql, { reviewId, campaignId: campaign.id });
  await spin(sql, { campaignId: campaign.id, reviewId });
  await sql`
    insert into public.review_actions (org_id, review_id, kind, body)
    select org_id, id, 'note', 'À rappeler' from public.pre_spin_reviews where org_id = ${orgId}`;
  await sql`
    insert into public.answer_templates (org_id, position, name, body)
    values (${orgId}, 1, 'Merci', 'Bonjour {prénom}')`;
  await sql`
    insert into public.public_ratings (org_id, store_id, day, rating, reviews)
    values (${orgId}, ${storeId}, '2026-11-01', 4.4, 118)`;
  const points = await createReward(sql, campaign, { type: "points" });
  await sql`update public.wheel_segments set reward_id = ${points} where campaign_id = ${campaign.id}`;
  const proofs = [await winPoints(sql, { campaignId: campaign.id, email })];
  const tea = await createPointsReward(sql, { orgId });
  await spendPoints(sql, { campaignId: campaign.id, proofs, rewardId: tea.id, cost: tea.cost });
  await sql`update public.wheel_segments set reward_id = ${gift} where campaign_id = ${campaign.id}`;
  await spin(sql, { campaignId: campaign.id, email });
  const codes = await sql<{ id: string; code: string }[]>`
    select id, code from public.redemptions where org_id = ${orgId} order by created_at, id`;
  const [used, available] = codes;
  if (used === undefined || available === undefined) throw new Error("The wheel gave no codes.");
  await withoutQuietHours(sql, campaign);
  await redeem(sql, { userId: users.cashier.id, code: used.code, storeId });
  await sql`select private.judge_spins(100)`;
  await sql`
    select private.mark_codes(${orgId}, ${campaign.id}, 'device', 'hash', 6, array[${used.id}, ${available.id}]::uuid[])`;
  const [check] = await sql<{ id: string }[]>`
    select id from private.check_groups where org_id = ${orgId} and kind = 'device'`;
  if (check === undefined) throw new Error("No group to check.");
  const [customer] = await sql<{ id: string }[]>`
    select id from public.customers where org_id = ${orgId} and email = ${email}`;
  if (customer === undefined) throw new Error("Nobody has played.");
  await sql`
    insert into public.usage_alerts (org_id, month, threshold)
    values (${orgId}, date_trunc('month', now())::date, 80)`;

  const made = {
    roleId: await createRole(sql, { orgId }),
    keyIds: {
      read: (await createApiKey(sql, { orgId })).id,
      redeem: (await createApiKey(sql, { orgId, scope: "redeem", ageDays: 1 })).id,
    },
  };
  const won = { rewardId: gift, code: available.code, usedId: used.id, checkId: check.id };
  const spender = { customerId: customer.id, pointsRewardId: tea.id };
  return { ...organization, campaignId: campaign.id, ...won, ...spender, ...made };
}

/** Fills a database with two organisations that have done everything once. */
export async function createWorld({ sql }: TestDatabase): Promise<World> {
  const world = { ours: await createTenant(sql), theirs: await createTenant(sql) };
  // Figures have rows of both once they are folded.
  await sql`select private.fold_figures(1000)`;
  return world;
}

/** The caller behind an actor. */
function callerOf(world: World, actor: Actor): Caller {
  if (actor === "anon") return "anon";
  if (actor === "stranger") return { userId: world.theirs.users.owner.id };
  return { userId: world.ours.users[actor].id };
}

/** Every table and view but PostgreSQL's own. */
export async function readTables(sql: ISql): Promise<Table[]> {
  return sql<Table[]>`
    select c.oid::regclass::text as name, n.nspname as schema,
      json_agg(json_build_object('name', a.attname, 'isGenerated', a.attgenerated <> '' or a.attidentity <> '')
        order by a.attnum) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    group by c.oid, n.nspname
    order by n.nspname, c.relname`;
}

/** Every function of the API, whatever role may call it, with a call without anybody's identifiers. */
export async function readFunctions(sql: ISql): Promise<ApiFunction[]> {
  return sql<ApiFunction[]>`
    select p.proname || '(' || oidvectortypes(p.proargtypes) || ')' as signature,
      'select ' || p.oid::regproc || '(' || coalesce((
        select string_agg('null::' || format_type(t, null), ', ' order by n)
        from unnest(p.proargtypes) with ordinality as u (t, n)), '') || ')::text as outcome' as "nullCall"
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1`;
}

/** Names of a table's columns that the data API's users may write. */
export async function writableColumns(sql: ISql, { name }: Table, operation: "insert" | "update") {
  const rows = await sql<{ name: string }[]>`
    select a.attname as name from pg_attribute a
    where a.attrelid = ${name}::regclass and a.attnum > 0 and not a.attisdropped
      and has_column_privilege('authenticated', a.attrelid, a.attnum, ${operation})
    order by a.attname`;
  return rows.map((row) => row.name);
}

/** Holds the text of every migration: hashing those takes ten times as long as everything else. */
const BULKY = "supabase_migrations.schema_migrations";

/**
 * Number of rows and a hash of the contents of every table, in one line a table; on demand without
 * the rows of one organisation.
 */
export async function fingerprint(
  sql: ISql,
  tables: readonly Table[],
  without?: { id: string },
): Promise<string[]> {
  const parts = tables.map(({ name, columns }) => {
    const tenantColumn = name === "organizations" ? "id" : "org_id";
    const isKept =
      without !== undefined && columns.some((column) => column.name === tenantColumn)
        ? `${tenantColumn} <> '${without.id}'`
        : "true";
    // Where a row lies and who wrote it last: whatever touches it changes that.
    const row = name === BULKY ? "t.ctid::text || t.xmin" : "t::text";
    return `
      select '${name}: ' || count(*) || ' '
        || coalesce(md5(string_agg(${row}, E'\\n' order by ${row})), '') as line
      from ${name} t where ${isKept}`;
  });
  // Prepared: to plan it takes longer than to run it.
  const rows = await sql.unsafe<{ line: string }[]>(parts.join(" union all "), [], {
    prepare: true,
  });
  return rows.map(({ line }) => line);
}

/** Rows of a table by whose they are. */
type Census = { ours: number; own: number; theirs: number };

/** Which rows of a table are whose, as conditions in SQL. */
type Belonging = { ours: string; own: string; theirs: string };

/** Finds the owner of a table's rows by its tenant column; a table without one is shared. */
function belonging(
  world: World,
  actor: Actor,
  { columns }: Table,
  tenantColumn: string | null,
): Belonging {
  const caller = callerOf(world, actor);
  const has = (column: string) => columns.some(({ name }) => name === column);
  return {
    ours: tenantColumn === null ? "true" : `${tenantColumn} = '${world.ours.id}'`,
    own:
      has("org_id") && has("user_id") && typeof caller !== "string" && "userId" in caller
        ? `org_id = '${world.ours.id}' and user_id = '${caller.userId}'`
        : "false",
    theirs: tenantColumn === null ? "false" : `${tenantColumn} <> '${world.ours.id}'`,
  };
}

async function census(
  sql: ISql,
  { name }: Pick<Table, "name">,
  whose: Belonging,
  hit = "true",
): Promise<Census> {
  const [row] = await sql.unsafe<Census[]>(`
    select count(*) filter (where ${whose.ours})::integer as ours,
      count(*) filter (where ${whose.own})::integer as own,
      count(*) filter (where ${whose.theirs})::integer as theirs
    from ${name} where ${hit}`);
  if (row === undefined) throw new Error("No census.");
  return row;
}

function judge(actor: Actor, all: Census, hit: Census): Outcome {
  // The stranger's own organisation is « theirs »; that its owner rules there is nothing to hide.
  if (hit.theirs > 0 && actor !== "stranger") return "leak";
  if (hit.ours === 0) return "none";
  if (hit.ours === all.ours) return "all";
  if (hit.ours === all.own && hit.own === all.own) return "own";
  return `${hit.ours} of ${all.ours}`;
}

/** Attempt of an actor on a table. Statements name no row, so that only policies choose. */
export type Attempt =
  | { operation: "select" }
  | { operation: "insert"; statement: string }
  | { operation: "update"; column: string; value: string }
  | { operation: "delete" };

async function hits(
  sql: TransactionSql,
  caller: Caller,
  table: Table,
  whose: Belonging,
  attempt: Attempt,
): Promise<Census> {
  const before = await census(sql, table, whose);
  // Rights are all that is asked here: no reference and no limit may stand in the way.
  await sql`set local session_replication_role = replica`;
  await become(sql, caller);
  switch (attempt.operation) {
    case "select": {
      const seen = await census(sql, table, whose);
      await sql`reset role`;
      return seen;
    }
    case "insert": {
      await sql.unsafe(attempt.statement);
      await sql`reset role`;
      const after = await census(sql, table, whose);
      return { ours: before.ours, own: 0, theirs: after.theirs - before.theirs };
    }
    case "update": {
      const { column, value } = attempt;
      await sql.unsafe(`update ${table.name} set ${column} = ${value}`);
      await sql`reset role`;
      return census(sql, table, whose, `${column} = ${value}`);
    }
    case "delete": {
      await sql.unsafe(`delete from ${table.name}`);
      await sql`reset role`;
      const after = await census(sql, table, whose);
      return {
        ours: before.ours - after.ours,
        own: before.own - after.own,
        theirs: before.theirs - after.theirs,
      };
    }
  }
}

/** Runs an attempt in a transaction that goes on, whatever comes of it. */
export async function tryTable(
  sql: TransactionSql,
  world: World,
  actor: Actor,
  {
    table,
    source = table.name,
    tenantColumn,
    attempt,
  }: { table: Table; source?: string; tenantColumn: string | null; attempt: Attempt },
): Promise<Outcome> {
  const whose = belonging(world, actor, table, tenantColumn);
  const all = await census(sql, { name: source }, whose);
  return outcomeOf(sql, async (inner) =>
    judge(actor, all, await hits(inner, callerOf(world, actor), table, whose, attempt)),
  );
}

/** Calls a function of the API, whose one column `outcome` is what comes of it. */
export async function tryFunction(
  sql: TransactionSql,
  world: World,
  actor: Actor,
  call: string,
): Promise<Outcome> {
  return outcomeOf(sql, async (inner) => {
    await become(inner, callerOf(world, actor));
    const [row] = await inner.unsafe<{ outcome: string | null }[]>(call);
    await inner`reset role`;
    return row?.outcome ?? "nothing";
  });
}

async function outcomeOf(
  sql: TransactionSql,
  run: (inner: TransactionSql) => Promise<Outcome>,
): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  await sql
    .savepoint(async (inner) => {
      outcomes.push(await run(inner));
    })
    .catch((error: unknown) => {
      if (!(error instanceof postgres.PostgresError)) throw error;
      outcomes.push(error.code === "42501" ? "denied" : error.code);
    });
  return outcomes[0] ?? "unknown";
}
