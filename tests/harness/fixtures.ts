import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { ISql } from "postgres";
import type { PrizePicture } from "#domain/rules/prize-picture.ts";
import type { Translations } from "#domain/text/merchant-words.ts";
import { secondsFromNow } from "./clock.ts";

/**
 * Rows to test with, written straight into the tables by the database's administrator. Every maker
 * takes the parts that a test cares about and fills in the rest; names are unique by themselves.
 */

/** Roles of members, as `public.roles` lists them. */
export type Role = "owner" | "admin" | "member" | "cashier";
export const ROLES: readonly Role[] = ["owner", "admin", "member", "cashier"];

/** A user of the authentication service; all of them sign in with `PASSWORD`. */
export type User = { id: string; email: string };
export const PASSWORD = "mot-de-passe-des-essais";

/** Of `PASSWORD`, at bcrypt's lowest cost: hashing it anew for each user would cost more than the test. */
const PASSWORD_HASH = "$2b$04$tXd7CxVBSXgV488VDOPWHu5YBQXeB8EpxxP7t5QeXexNylCn6MMRe";

let serial = 0;

/** A text that no other row of this test file has. */
function unique(prefix: string): string {
  serial += 1;
  return `${prefix}-${serial}-${randomUUID().slice(0, 8)}`;
}

/** A user with a confirmed address, member of nothing, and a session that bears the user's identifier. */
export async function createUser(
  sql: ISql,
  { email = `${unique("utilisateur")}@exemple.fr`, fullName = "Camille Martin" } = {},
): Promise<User> {
  const id = randomUUID();
  const metadata = { full_name: fullName, email, email_verified: true, sub: id };
  await sql`
    insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_user_meta_data, raw_app_meta_data)
    values (${id}, ${email}, ${PASSWORD_HASH}, now(), ${sql.json(metadata)},
      ${sql.json({ provider: "email", providers: ["email"] })})`;
  await sql`
    insert into auth.identities (id, provider, provider_id, user_id, identity_data)
    values (${randomUUID()}, 'email', ${id}, ${id}, ${sql.json(metadata)})`;
  await createSession(sql, { id }, { id });
  return { id, email };
}

/** A session of a user; answers its identifier. */
export async function createSession(
  sql: ISql,
  user: { id: string },
  { id = randomUUID(), aal = "aal1" }: { id?: string; aal?: "aal1" | "aal2" } = {},
): Promise<string> {
  await sql`insert into auth.sessions (id, user_id, aal) values (${id}, ${user.id}, ${aal})`;
  return id;
}

/** A second factor of a user, in use unless told otherwise; answers its identifier. */
export async function createFactor(
  sql: ISql,
  user: { id: string },
  { status = "verified" }: { status?: "verified" | "unverified" } = {},
): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
    values (${id}, ${user.id}, ${unique("téléphone")}, 'totp', ${status}, now(), now())`;
  return id;
}

/** A passkey of a user, which no device holds; answers its identifier. */
export async function createPasskey(sql: ISql, user: { id: string }): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into auth.webauthn_credentials (id, user_id, credential_id, public_key, friendly_name)
    values (${id}, ${user.id}, ${Buffer.from(id)}, ${Buffer.from("no key")}, ${unique("clé")})`;
  return id;
}

/** An organisation with one member of each role and one store. */
export type Organization = {
  id: string;
  name: string;
  slug: string;
  storeId: string;
  users: Record<Role, User>;
};

/** Makes an organisation on a plan (Pro without end unless told otherwise), its team and its store. */
export async function createOrganization(
  sql: ISql,
  {
    name = unique("Boulangerie"),
    plan = "pro",
    status = "active",
    trialEnd = null,
    currentPeriodEnd = null,
    store = {},
  }: {
    name?: string;
    plan?: "free_trial" | "basic" | "pro";
    status?: "active" | "past_due" | "suspended" | "canceled";
    trialEnd?: Date | null;
    currentPeriodEnd?: Date | null;
    store?: Omit<Parameters<typeof createStore>[1], "orgId">;
  } = {},
): Promise<Organization> {
  const slug = unique("org");
  const [row] = await sql<{ id: string }[]>`
    insert into public.organizations (name, slug) values (${name}, ${slug}) returning id`;
  if (row === undefined) throw new Error("No organisation was inserted.");
  // The team of four fits Pro only: the plan asked for is set once they are in.
  await sql`insert into public.subscriptions (org_id, plan) values (${row.id}, 'pro')`;
  const member = async (role: Role): Promise<User> => {
    const user = await createUser(sql, { email: `${role}-${slug}@exemple.fr` });
    await sql`
      insert into public.organization_members (org_id, user_id, role)
      values (${row.id}, ${user.id}, ${role})`;
    return user;
  };
  const users = {
    owner: await member("owner"),
    admin: await member("admin"),
    member: await member("member"),
    cashier: await member("cashier"),
  };
  const trial = trialEnd ?? (plan === "free_trial" ? daysFromNow(14) : null);
  await sql`
    update public.subscriptions
    set plan = ${plan}, status = ${status}, trial_end = ${trial}, current_period_end = ${currentPeriodEnd}
    where org_id = ${row.id}`;
  const storeId = await createStore(sql, { orgId: row.id, ...store });
  return { id: row.id, name, slug, storeId, users };
}

/** A moment so many days ahead (behind when negative). */
export function daysFromNow(days: number): Date {
  return secondsFromNow(days * 86_400);
}

/** A store, in compliant mode with a public reviews page; answers its identifier. */
export async function createStore(
  sql: ISql,
  {
    orgId,
    name = unique("Magasin"),
    googleReviewUrl = "https://g.page/r/magasin",
    reviewMode = "compliant",
    timezone = "Europe/Paris",
  }: {
    orgId: string;
    name?: string;
    googleReviewUrl?: string | null;
    reviewMode?: "compliant" | "gating";
    timezone?: string;
  },
): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.stores (org_id, name, slug, address, google_review_url, review_mode, timezone)
    values (${orgId}, ${name}, ${unique("magasin")}, '1 rue de la Paix, 75002 Paris',
      ${googleReviewUrl}, ${reviewMode}, ${timezone})
    returning id`;
  if (row === undefined) throw new Error("No store was inserted.");
  return row.id;
}

/** A campaign as tests name it. */
export type Campaign = { id: string; orgId: string; storeId: string; slug: string };

/** A campaign that runs, without rewards and without a wheel. */
export async function createCampaign(
  sql: ISql,
  {
    orgId,
    storeId,
    name = unique("Campagne"),
    slug = unique("campagne"),
    active = true,
    startsAt = null,
    endsAt = null,
    playIntervalDays = 1,
  }: {
    orgId: string;
    storeId: string;
    name?: string;
    slug?: string;
    active?: boolean;
    startsAt?: Date | null;
    endsAt?: Date | null;
    playIntervalDays?: number;
  },
): Promise<Campaign> {
  const [row] = await sql<{ id: string; slug: string }[]>`
    insert into public.campaigns (org_id, store_id, name, slug, active, starts_at, ends_at, play_interval_days)
    values (${orgId}, ${storeId}, ${name}, ${slug}, ${active}, ${startsAt}, ${endsAt}, ${playIntervalDays})
    returning id, slug`;
  if (row === undefined) throw new Error("No campaign was inserted.");
  return { id: row.id, orgId, storeId, slug: row.slug };
}

/** Takes the usual quiet hours from a campaign, so that a code used in the small hours is given no reason by them. */
export async function withoutQuietHours(sql: ISql, { id, orgId }: Campaign): Promise<void> {
  await sql`insert into private.check_settings (org_id, campaign_id, quiet_from, quiet_to) values (${orgId}, ${id}, null, null)`;
}

/** Details of a reward, as `rewards.metadata` holds them. */
export type RewardMetadata = {
  discountPercent?: number;
  item?: string;
  points?: number;
  validityDays?: number;
};

/** A gift of unlimited stock that one person may win often; answers its identifier. */
export async function createReward(
  sql: ISql,
  campaign: Pick<Campaign, "id" | "orgId">,
  {
    name = unique("Café offert"),
    type = "gift",
    stock = -1,
    maxPerUser = 100,
    codeTemplate = null,
    active = true,
    metadata = type === "points" ? { points: 50 } : null,
    picture = null,
    translations = {},
    itemTranslations = {},
  }: {
    name?: string;
    type?: "coupon" | "gift" | "points";
    stock?: number;
    maxPerUser?: number;
    codeTemplate?: string | null;
    active?: boolean;
    metadata?: RewardMetadata | null;
    picture?: PrizePicture | null;
    translations?: Translations;
    itemTranslations?: Translations;
  } = {},
): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.rewards
      (org_id, campaign_id, name, type, reward_type, stock, max_per_user, code_template, active, metadata, picture,
        translations, item_translations)
    values (${campaign.orgId}, ${campaign.id}, ${name}, ${type}, ${type}, ${stock}, ${maxPerUser},
      ${codeTemplate}, ${active}, ${metadata === null ? null : sql.json(metadata)}, ${picture},
      ${sql.json(translations)}, ${sql.json(itemTranslations)})
    returning id`;
  if (row === undefined) throw new Error("No reward was inserted.");
  return row.id;
}

/** A reward of the catalogue for points as tests name it. */
export type PointsReward = { id: string; cost: number };

/** A reward for points, without a limit unless told otherwise. */
export async function createPointsReward(
  sql: ISql,
  {
    orgId,
    name = "Thé",
    cost = 20,
    stock = -1,
    active = true,
    translations = {},
  }: {
    orgId: string;
    name?: string;
    cost?: number;
    stock?: number;
    active?: boolean;
    translations?: Translations;
  },
): Promise<PointsReward> {
  const [row] = await sql<{ id: string }[]>`
    insert into public.points_rewards (org_id, name, cost, stock, active, translations)
    values (${orgId}, ${name}, ${cost}, ${stock}, ${active}, ${sql.json(translations)}) returning id`;
  if (row === undefined) throw new Error("No reward was inserted.");
  return { id: row.id, cost };
}

/** One segment of a wheel; without `rewardId` it loses. */
export type Segment = {
  weight: number;
  rewardId?: string;
  label?: string;
  color?: string;
  translations?: Translations;
};

/** Draws a campaign's wheel; the weights must sum to 100. Answers the segments' identifiers in order. */
export async function drawWheel(
  sql: ISql,
  campaign: Pick<Campaign, "id" | "orgId">,
  segments: readonly Segment[],
): Promise<string[]> {
  const rows = segments.map(({ weight, rewardId, label, color, translations }, position) => ({
    org_id: campaign.orgId,
    campaign_id: campaign.id,
    reward_id: rewardId ?? null,
    label: label ?? (rewardId === undefined ? "Pas de chance" : "Gagné"),
    color: color ?? (rewardId === undefined ? "#6B7280" : "#8B5CF6"),
    weight,
    position,
    translations: sql.json(translations ?? {}),
  }));
  const inserted = await sql<{ id: string; position: number }[]>`
    insert into public.wheel_segments ${sql(rows)} returning id, position`;
  return inserted.toSorted((a, b) => a.position - b.position).map(({ id }) => id);
}

/** Right of a key of the API. */
export type ApiScope = "read" | "redeem";

/** A key of the API, as its merchant got it, and its identifier. */
export async function createApiKey(
  sql: ISql,
  {
    orgId,
    scope = "read",
    storeId = null,
    expiresAt = null,
    ageDays = 0,
  }: {
    orgId: string;
    scope?: ApiScope;
    storeId?: string | null;
    expiresAt?: Date | null;
    ageDays?: number;
  },
): Promise<{ id: string; key: string }> {
  const key = `tv_live_${randomBytes(32).toString("base64url")}`;
  const [row] = await sql<{ id: string }[]>`
    insert into private.api_keys (org_id, name, scope, store_id, prefix, key_hash, created_at, expires_at)
    values (${orgId}, ${unique("Clé")}, ${scope}, ${storeId}, ${key.slice(0, 13)},
      ${createHash("sha256").update(key).digest()}, ${daysFromNow(-ageDays)}, ${expiresAt})
    returning id`;
  if (row === undefined) throw new Error("No key was inserted.");
  return { id: row.id, key };
}

/** A role of an organisation's own, with what it needs to read campaigns; answers its identifier. */
export async function createRole(
  sql: ISql,
  {
    orgId,
    name = unique("Rôle"),
    permissions = ["activity.read", "campaigns.read", "stores.read"],
  }: { orgId: string; name?: string; permissions?: readonly string[] },
): Promise<string> {
  const role = randomUUID();
  await sql`insert into public.roles (role, org_id, name) values (${role}, ${orgId}, ${name})`;
  for (const permission of permissions) {
    await sql`
      insert into public.role_permissions (role, org_id, permission) values (${role}, ${orgId}, ${permission})`;
  }
  return role;
}

/** Makes somebody of an organisation what a role of its own permits; answers the role. */
export async function giveRole(
  sql: ISql,
  user: User,
  wanted: { orgId: string; permissions: readonly string[] },
): Promise<string> {
  const role = await createRole(sql, wanted);
  await sql`
    update public.organization_members set role = ${role}
    where org_id = ${wanted.orgId} and user_id = ${user.id}`;
  return role;
}
