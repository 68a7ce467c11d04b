import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { brandSettings } from "#domain/schemas/brand-settings.ts";
import { secondsFromNow } from "../harness/clock.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createSession,
  type Organization,
  ROLES,
  type User,
} from "../harness/fixtures.ts";

/** Logo and colour of a merchant: who may change them on which plan, and what becomes of files. */

const database = setUpTestDatabase();
let ours: Organization;
let theirs: Organization;

beforeEach(async () => {
  ours = await createOrganization(database.sql);
  theirs = await createOrganization(database.sql);
});

/** Answer of a member's statement, or the code with which it is refused. */
async function ask(user: User, statement: string, values: (string | null)[]): Promise<unknown> {
  return database
    .as({ userId: user.id }, async (sql) => {
      const [row] = await sql.unsafe<{ answer: unknown }[]>(statement, values);
      return row?.answer ?? "done";
    })
    .catch((error: unknown) => {
      if (error instanceof postgres.PostgresError) return error.code;
      throw error;
    });
}

const setColor = (user: User, orgId: string, color: string | null) =>
  ask(user, "select nullif(public.save_brand_color($1, $2)::text, '') as answer", [orgId, color]);
const upload = (user: User, name: string, bucket = "logo-uploads") =>
  ask(user, "insert into storage.objects (bucket_id, name) values ($1, $2)", [bucket, name]);
const begin = async (user: User, orgId: string, sessionId = user.id) => {
  const [row] = await database.sql<{ outcome: string }[]>`
    select public.begin_brand_logo(${user.id}, ${sessionId}, 'aal1', ${orgId}) as outcome`;
  return row?.outcome;
};

async function brandOf(orgId: string) {
  const [row] =
    await database.sql`select color, logo from public.organization_brands where org_id = ${orgId}`;
  return row ?? null;
}

const PLANS = [
  { plan: "pro", status: "active" },
  { plan: "basic", status: "active" },
  { plan: "free_trial", status: "active" },
  { plan: "pro", status: "suspended" },
  { plan: "pro", status: "canceled" },
] as const;

/** Answers for owners and administrators; everybody else gets the same one on every plan. */
const OUTCOMES: Record<string, { color: string; upload: string; logo: string }> = {
  "pro active": { color: "done", upload: "done", logo: "started" },
  "basic active": { color: "TV150", upload: "42501", logo: "not_in_plan" },
  "free_trial active": { color: "TV150", upload: "42501", logo: "not_in_plan" },
  "pro suspended": { color: "TV085", upload: "42501", logo: "subscription_closed" },
  "pro canceled": { color: "TV085", upload: "42501", logo: "subscription_closed" },
};

describe.each(PLANS)("on the plan $plan, $status", ({ plan, status }) => {
  it("is changed by owners and administrators where the plan includes it, and by nobody else", async () => {
    const { sql } = database;
    const closed = status === "active" ? null : secondsFromNow(0);
    await sql`
      update public.subscriptions set plan = ${plan}, status = ${status}, closed_at = ${closed},
        trial_end = ${plan === "free_trial" ? secondsFromNow(86_400) : null}
      where org_id = ${ours.id}`;
    for (const role of ROLES) {
      const user = ours.users[role];
      const may = role === "owner" || role === "admin";
      const expected = may
        ? OUTCOMES[`${plan} ${status}`]
        : { color: "42501", upload: "42501", logo: "forbidden" };
      expect({
        color: await setColor(user, ours.id, "#1D4ED8"),
        upload: await upload(user, `${ours.id}/${randomUUID()}`),
        logo: await begin(user, ours.id),
      }).toEqual(expected);
    }
    const isIncluded = plan === "pro" && status === "active";
    expect(await brandOf(ours.id)).toEqual(isIncluded ? { color: "#1d4ed8", logo: null } : null);
  });
});

/** Columns that close an organisation, and the reason that its team reads: of several, the first of this list. */
const REASONS = [
  { state: "suspended_at = now()", reason: "organization_suspended", code: "TV190" },
  { state: "is_ending = true", reason: "organization_ending", code: "TV191" },
  { state: "status = 'canceled', closed_at = now()", reason: "subscription_closed", code: "TV085" },
] as const;

it.each(REASONS.map((first, place) => ({ ...first, states: REASONS.slice(place) })))(
  "of an organisation that is closed for several reasons is refused for one, as a key and a screen are: $reason",
  async ({ states, reason, code }) => {
    const { sql } = database;
    await sql.unsafe(
      `update public.subscriptions set plan = 'pro', ${states.map(({ state }) => state).join(", ")} where org_id = $1`,
      [ours.id],
    );
    const { owner } = ours.users;
    expect(await begin(owner, ours.id)).toBe(reason);
    expect(await setColor(owner, ours.id, "#1d4ed8")).toBe(code);
    const team = "select public.invite_member('collegue@exemple.fr', 'member')::text as answer";
    expect(await ask(owner, team, [])).toBe(code);
    const key = "select public.create_api_key('Caisse', 'read')::text as answer";
    expect(await ask(owner, key, [])).toBe(code === "TV085" ? "TV111" : code);
    const [told] = await sql`select private.api_refusal(${ours.id}) as reason`;
    expect(told).toEqual({ reason: code === "TV085" ? "api_not_in_plan" : reason });
  },
);

describe("the brand of another organisation", () => {
  it("is neither seen nor changed, and its folder takes nothing", async () => {
    const stranger = theirs.users.owner;
    await setColor(ours.users.owner, ours.id, "#1d4ed8");
    expect(await setColor(stranger, ours.id, "#000000")).toBe("42501");
    expect(await begin(stranger, ours.id)).toBe("forbidden");
    expect(await upload(stranger, `${ours.id}/${randomUUID()}`)).toBe("42501");
    expect(await ask(stranger, "select public.brand_settings($1)::text as answer", [ours.id])).toBe(
      "42501",
    );
    expect(
      await ask(stranger, "select count(*)::int as answer from public.organization_brands", []),
    ).toBe(0);
    expect(await brandOf(ours.id)).toEqual({ color: "#1d4ed8", logo: null });
  });
});

describe("a picture's name", () => {
  it("is the organisation and a UUID, and nothing else", async () => {
    const { owner } = ours.users;
    const name = `${ours.id}/${randomUUID()}`;
    expect(await upload(owner, name)).toBe("done");
    const refused = [
      ours.id,
      `${ours.id}/`,
      `${ours.id}/logo.png`,
      `${ours.id}/${randomUUID()}/${randomUUID()}`,
      `${ours.id}/../${theirs.id}`,
      `${ours.id.toUpperCase()}/${randomUUID()}`,
      `${randomUUID()}/${randomUUID()}`,
      ` ${ours.id}/${randomUUID()}`,
    ];
    for (const wrong of refused)
      expect([wrong, await upload(owner, wrong)]).toEqual([wrong, "42501"]);
    // Published files are written by the server alone.
    for (const bucket of ["logos", "autre"])
      expect(await upload(owner, name, bucket)).toBe("42501");
    expect(await upload(owner, name)).toBe("23505");
  });
});

describe("a colour", () => {
  it("is #rrggbb or none, and the trail says who changed it, once", async () => {
    const { owner } = ours.users;
    for (const wrong of ["red", "#12345", "#1234567", "#12345g", "url(x)", "#123456;}"]) {
      expect(await setColor(owner, ours.id, wrong)).toBe("23514");
    }
    expect(await brandOf(ours.id)).toBeNull();
    for (const color of ["#1D4ED8", "#1d4ed8", null]) {
      expect(await setColor(owner, ours.id, color)).toBe("done");
    }
    expect(await brandOf(ours.id)).toEqual({ color: null, logo: null });
    const trail = await database.sql`
      select user_id, action from public.audit_events where org_id = ${ours.id} and action like 'brand.%'`;
    expect(trail).toEqual(Array(2).fill({ user_id: owner.id, action: "brand.color_changed" }));
  });

  it("is what the screen shows", async () => {
    await setColor(ours.users.owner, ours.id, "#1d4ed8");
    const answer = await ask(ours.users.admin, "select public.brand_settings($1) as answer", [
      ours.id,
    ]);
    expect(brandSettings.parse(answer)).toEqual({
      organization: ours.name,
      slug: ours.slug,
      included: true,
      brand: { color: "#1d4ed8", logo: null },
      campaign_slug: null,
    });
    const { id: orgId, storeId } = ours;
    const { slug } = await createCampaign(database.sql, { orgId, storeId });
    await createCampaign(database.sql, { orgId, storeId, active: false });
    expect(
      await ask(ours.users.admin, "select public.brand_settings($1) as answer", [orgId]),
    ).toMatchObject({ campaign_slug: slug });
  });
});

describe("a logo", () => {
  it("is begun by one at a time, with a session that goes on and its second factor", async () => {
    const { sql } = database;
    const { owner, admin } = ours.users;
    await sql.begin(async (transaction) => {
      await transaction`select public.begin_brand_logo(${owner.id}, ${owner.id}, 'aal1', ${ours.id})`;
      expect(await begin(admin, ours.id)).toBe("busy");
      const [row] =
        await sql`select count(*)::int as files from public.stale_logo_files(${ours.id})`;
      expect(row).toEqual({ files: 0 });
    });
    expect(await begin(admin, ours.id)).toBe("started");
    expect(await begin(admin, ours.id, randomUUID())).toBe("session_ended");
    const session = await createSession(sql, owner);
    await sql`
      insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
      values (${randomUUID()}, ${owner.id}, 'téléphone', 'totp', 'verified', now(), now())`;
    expect(await begin(owner, ours.id, session)).toBe("second_factor_required");
  });

  it("leaves no file behind: neither one that was never used, nor one of an organisation that is gone", async () => {
    const { sql } = database;
    const logo = "0123456789abcdef".repeat(2);
    const names = [
      `${ours.id}/${logo}.webp`,
      `${ours.id}/${logo}-print.webp`,
      `${ours.id}/${"f".repeat(32)}.webp`,
    ];
    for (const [bucket, name] of [
      ...names.map((name) => ["logos", name] as const),
      ["logo-uploads", `${ours.id}/${randomUUID()}`] as const,
    ]) {
      await sql`
        insert into storage.objects (bucket_id, name, created_at) values (${bucket}, ${name}, now() - interval '2 hours')`;
      await sql`
        insert into storage.contents (bucket_id, name, body, content_type, cache_control, etag)
        values (${bucket}, ${name}, '\\x00', 'image/webp', 'max-age=1', '"1"')`;
    }
    await sql`
      insert into storage.objects (bucket_id, name) values ('logo-uploads', ${`${theirs.id}/${randomUUID()}`})`;
    await sql`
      insert into public.organization_brands (org_id, logo, logo_width, logo_height) values (${ours.id}, ${logo}, 30, 10)`;
    const kept = async (orgId: string) => {
      const rows = await sql`
        select name from storage.objects where name like ${`${orgId}/%`} and bucket_id = 'logos'
        union all select name from storage.contents where name like ${`${orgId}/%`}
        union all select name from storage.objects where name like ${`${orgId}/%`} and bucket_id = 'logo-uploads'`;
      return [...new Set(rows.map(({ name }) => name))].sort();
    };
    await sql`select private.sweep_files(1000)`;
    expect(await kept(ours.id)).toEqual(names.slice(0, 2).sort());
    expect(await kept(theirs.id)).toHaveLength(1);
    await sql`delete from public.organizations where id = ${ours.id}`;
    expect(await kept(ours.id)).toEqual([]);
    expect(await kept(theirs.id)).toHaveLength(1);
  });
});
