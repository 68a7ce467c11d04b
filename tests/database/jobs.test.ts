import { randomUUID } from "node:crypto";
import postgres, { type ISql } from "postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { secondsFromNow } from "../harness/clock.ts";
import { setUpTestDatabase, undone } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  createUser,
  daysFromNow,
  drawWheel,
} from "../harness/fixtures.ts";
import { redeem, spin } from "../harness/journey.ts";
import { untilWaiting } from "./support/waiting.ts";

const database = setUpTestDatabase();

type Run = { job: string; rows: number | null; error: string | null };

/** A second ahead: what was just made due is due for certain, by whichever clock. */
const soon = () => secondsFromNow(1);

/** Runs what is due, one job after another, until nothing is. */
async function runDue(now = soon(), sql: ISql = database.sql): Promise<Run[]> {
  const runs: Run[] = [];
  for (;;) {
    const [run] = await sql<(Run | { job: null })[]>`
      select job, rows, error from private.run_next_job(${now})`;
    if (run === undefined || run.job === null) return runs;
    runs.push(run);
  }
}

const allJobs = async () => {
  const rows = await database.sql<{ name: string }[]>`select name from private.jobs`;
  return rows.map(({ name }) => name).sort();
};

const job = async (name: string) => {
  const [row] = await database.sql`
    select *, extract(epoch from next_run_at - last_run_at)::float8 as pause
    from private.jobs where name = ${name}`;
  return row;
};

/** Makes one job due, and no other for a day. */
const makeDue = (name: string) => database.sql`
  update private.jobs
  set next_run_at = case when name = ${name} then now() else now() + interval '1 day' end`;

describe("recurring jobs", () => {
  it("run when they are due, each once, and come again after their time", async () => {
    await database.sql`update private.jobs set next_run_at = now(), failures = 0`;
    const now = soon();
    const runs = await runDue(now);
    expect(runs.map((run) => run.job).sort()).toEqual(await allJobs());
    expect(runs.filter((run) => run.error !== null)).toEqual([]);
    expect(await runDue(now)).toHaveLength(0);
    expect(await runDue(new Date(now.getTime() + 59_000))).toHaveLength(0);
    const next = await runDue(new Date(now.getTime() + 61_000));
    expect(next.map((run) => run.job).sort()).toEqual([
      "expire_codes",
      "fold_figures",
      "judge_spins",
    ]);
  });

  it("run once, however many processes look at the same moment", async () => {
    await database.sql`update private.jobs set next_run_at = now() - interval '1 minute'`;
    const now = soon();
    const pools = Array.from({ length: 8 }, () => postgres(database.url, { max: 1 }));
    onTestFinished(() => Promise.all(pools.map((pool) => pool.end())).then(() => undefined));
    const runs = (await Promise.all(pools.map((pool) => runDue(now, pool)))).flat();
    expect(runs.map((run) => run.job).sort()).toEqual(await allJobs());
  });

  it("are left to the process that runs them, and due again when it dies", async () => {
    await makeDue("expire_codes");
    await undone(database.sql, async (dying) => {
      expect(await runDue(soon(), dying)).toHaveLength(1);
      expect(await runDue()).toHaveLength(0);
    });
    expect(await runDue()).toHaveLength(1);
  });

  it("that fail keep what the others did, tell their code and are tried again later and later", async () => {
    const { sql } = database;
    await sql.unsafe(`
      create function private.break_down(p_limit integer) returns integer language plpgsql as $$
      begin
        delete from private.outbox;
        raise exception 'x' using errcode = '22012';
      end $$;
      insert into private.jobs (name, run_every) values ('break_down', interval '1 hour')`);
    onTestFinished(async () => {
      await sql`delete from private.jobs where name = 'break_down'`;
      await sql`drop function private.break_down(integer)`;
      await sql`delete from private.outbox`;
    });
    await sql`select private.enqueue_mail('recovery', 'a@exemple.fr', '{}')`;
    await sql`update private.jobs set next_run_at = now()`;
    const runs = await runDue();
    expect(runs.filter((run) => run.error !== null)).toEqual([
      { job: "break_down", rows: null, error: "22012" },
    ]);
    expect(runs.length).toBeGreaterThan(1);
    expect(await sql`select from private.outbox`).toHaveLength(1);
    expect(await job("break_down")).toMatchObject({ failures: 1, last_error: "22012", pause: 10 });
    for (const pause of [20, 40, 80]) {
      await makeDue("break_down");
      await runDue();
      expect(await job("break_down")).toMatchObject({ pause });
    }
  });

  it("that cannot finish their portion get ahead by smaller ones, and take more again once they can", async () => {
    const { sql } = database;
    // 300 rows are due, of which a transaction manages 20 in its time; then, all at once.
    await sql.unsafe(`
      create table private.chores (is_done boolean not null default false, most integer not null default 20);
      insert into private.chores select from generate_series(1, 300);
      create function private.do_chores(p_limit integer) returns integer language plpgsql as $$
      declare
        v_count integer;
      begin
        update private.chores set is_done = true where ctid = any (array(
          select ctid from private.chores where not is_done limit p_limit));
        get diagnostics v_count = row_count;
        if v_count > (select most from private.chores limit 1) then
          raise exception 'x' using errcode = '57014';
        end if;
        return v_count;
      end $$;
      insert into private.jobs (name, run_every) values ('do_chores', interval '1 hour')`);
    onTestFinished(async () => {
      await sql`delete from private.jobs where name = 'do_chores'`;
      await sql`drop function private.do_chores(integer)`;
      await sql`drop table private.chores`;
    });
    const done = async () => (await sql`select from private.chores where is_done`).length;
    const runOnce = async () => {
      await makeDue("do_chores");
      return (await runDue())[0];
    };
    const batch = async () => Number((await job("do_chores"))?.batch);

    const errors: (string | null)[] = [];
    do errors.push((await runOnce())?.error ?? null);
    while (errors.at(-1) !== null && errors.length < 10);
    expect(errors).toEqual(["57014", "57014", null]);
    expect(await done()).toBe(15);
    expect(await job("do_chores")).toMatchObject({ failures: 0, pause: 1 });
    await sql`update private.chores set most = 1000`;
    // A run that this machine kept waiting changes nothing; the next one counts.
    while ((await batch()) < 100) {
      await sql`update private.chores set is_done = false`;
      expect((await runOnce())?.error).toBeNull();
    }
    await sql`update private.chores set most = 0, is_done = false`;
    for (let run = 0; run < 8; run += 1) expect((await runOnce())?.error).toBe("57014");
    expect(await batch()).toBe(1);
  });

  it("take portions by how long they took: half where people wait, twice as much where nobody does", async () => {
    const next = async (batch: number, took: string | null, isFull = true) => {
      const [row] = await database.sql<{ batch: number }[]>`
        select private.next_batch(${batch}, ${took}::interval, ${isFull}) as batch`;
      return row?.batch;
    };
    expect(await next(1000, "1.001 s")).toBe(500);
    expect(await next(1000, "1 s")).toBe(1000);
    expect(await next(1000, "0.25 s")).toBe(1000);
    expect(await next(1000, "0.249 s")).toBe(2000);
    // Not more than work was there for, and never more than that.
    expect(await next(1000, "0.1 s", false)).toBe(1000);
    expect(await next(2000, "0.1 s")).toBe(2000);
    // Costs of a run itself do not shrink: 100 rows are done all the same, and fewer only after a failure.
    expect(await next(150, "50 s")).toBe(100);
    expect(await next(7, "50 s")).toBe(7);
    expect(await next(250, null)).toBe(62);
    expect(await next(1, null)).toBe(1);
  });

  it("run although a clock that was years ahead said when, once it is right again", async () => {
    await makeDue("expire_codes");
    const later = daysFromNow(365);
    expect((await runDue(later)).length).toBeGreaterThan(0);
    const [waiting] = await database.sql<{ seconds: number }[]>`
      select private.next_job_in() as seconds`;
    expect(waiting?.seconds).toBeLessThanOrEqual(0);
    expect((await runDue()).map((run) => run.job).sort()).toEqual(await allJobs());
    expect(await runDue()).toHaveLength(0);
    const [calm] = await database.sql<{ seconds: number }[]>`
      select private.next_job_in() as seconds`;
    expect(calm?.seconds).toBeGreaterThan(0);
  });

  it("of a hosted project end one by one: one that hangs, and is cut off, undoes none before it", async () => {
    const { sql } = database;
    await makeDue("sweep_outbox");
    await sql`update private.jobs set next_run_at = now() - interval '1 minute' where name = 'expire_codes'`;
    const caller = postgres(database.url, { max: 1, onnotice: () => {} });
    onTestFinished(() => caller.end());
    const [caught] = await caller<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await undone(sql, async (holder) => {
      await holder`lock table private.outbox in access exclusive mode`;
      const called = caller`call private.run_due_jobs()`.then(
        () => "done",
        (error: unknown) => (error instanceof postgres.PostgresError ? error.code : "lost"),
      );
      await untilWaiting(sql);
      expect(await job("expire_codes")).toMatchObject({ last_error: null, pause: 60 });
      await sql`select pg_terminate_backend(${caught?.pid ?? 0})`;
      expect(await called).not.toBe("done");
    });
    expect(await job("expire_codes")).toMatchObject({ last_error: null, pause: 60 });
    expect(
      await sql`select from private.jobs where name = 'sweep_outbox' and next_run_at <= now()`,
    ).toHaveLength(1);
    await sql`call private.run_due_jobs()`;
    expect(await sql`select from private.jobs where next_run_at <= now()`).toHaveLength(0);
  });
});

describe("codes expire", () => {
  async function wonCode() {
    const { sql } = database;
    const organization = await createOrganization(sql);
    const campaign = await createCampaign(sql, {
      orgId: organization.id,
      storeId: organization.storeId,
    });
    const rewardId = await createReward(sql, campaign);
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    await spin(sql, { campaignId: campaign.id });
    const [code] = await sql<{ id: string; code: string }[]>`
      select id, code from public.redemptions where org_id = ${organization.id}`;
    if (code === undefined) throw new Error("No code was won.");
    const expireAt = (text: string) => sql`
      update public.redemptions set expires_at = now() + ${text}::interval where id = ${code.id}`;
    const status = async () => {
      const [row] = await sql`select status from public.redemptions where id = ${code.id}`;
      return row?.status;
    };
    return { organization, ...code, expireAt, status };
  }

  it("when their last instant has passed, and not before", async () => {
    const [over, running] = [await wonCode(), await wonCode()];
    await over.expireAt("-1 second");
    await running.expireAt("1 hour");
    await makeDue("expire_codes");
    expect([...(await runDue())]).toEqual([{ job: "expire_codes", rows: 1, error: null }]);
    expect(await over.status()).toBe("expired");
    expect(await running.status()).toBe("available");
    expect(await job("expire_codes")).toMatchObject({ last_count: 1, last_error: null, pause: 60 });
  });

  it("but not those that were used", async () => {
    const used = await wonCode();
    const { organization } = used;
    expect(
      await redeem(database.sql, {
        userId: organization.users.cashier.id,
        code: used.code,
        storeId: organization.storeId,
      }),
    ).toBe("redeemed");
    await used.expireAt("-1 second");
    await makeDue("expire_codes");
    await runDue();
    expect(await used.status()).toBe("used");
  });

  it("but not while a till is using them", async () => {
    const code = await wonCode();
    await code.expireAt("-1 second");
    await makeDue("expire_codes");
    await database.sql.begin(async (sql) => {
      await sql`select from public.redemptions where id = ${code.id} for update`;
      expect([...(await runDue())]).toEqual([{ job: "expire_codes", rows: 0, error: null }]);
    });
    await makeDue("expire_codes");
    await runDue();
    expect(await code.status()).toBe("expired");
  });
});

describe("leftovers go", () => {
  it("counts of attempts and visits whose window is over", async () => {
    const { sql } = database;
    await sql`delete from private.rate_limits`;
    await sql`
      insert into private.rate_limits (key, window_start, shard, hits, expires_at) values
        ('over', now(), 0, 1, now() - interval '1 second'), ('open', now(), 0, 1, now() + interval '1 hour')`;
    await sql`
      insert into private.recent_scans (campaign_id, visitor_hash, scanned_at) values
        (${randomUUID()}, 'over', now() - interval '31 minutes'), (${randomUUID()}, 'open', now())`;
    await makeDue("sweep_limits");
    expect(await runDue()).toMatchObject([{ rows: 2 }]);
    expect(await sql`select key from private.rate_limits`).toMatchObject([{ key: "open" }]);
    const scans = await sql`select visitor_hash from private.recent_scans`;
    expect(scans.map((scan) => scan.visitor_hash)).toEqual(["open"]);
  });

  /** Counts and visits that are over, and such that are over in a moment: a transaction has one time. */
  const makeLeftovers = async (sql: ISql) => {
    await sql`delete from private.rate_limits`;
    await sql`delete from private.recent_scans`;
    const moment = sql`interval '1 microsecond'`;
    await sql`
      insert into private.rate_limits (key, window_start, shard, hits, expires_at)
      values ('over', now(), 0, 1, now() - ${moment}), ('open', now(), 0, 1, now())`;
    await sql`
      insert into private.recent_scans (campaign_id, visitor_hash, scanned_at)
      values (${randomUUID()}, 'over', now() - interval '30 minutes'),
        (${randomUUID()}, 'open', now() - interval '30 minutes' + ${moment})`;
  };
  const left = async (sql: ISql) => {
    const rows = await sql<{ key: string }[]>`
      select key from private.rate_limits union all select visitor_hash from private.recent_scans order by 1`;
    return rows.map(({ key }) => key);
  };

  it("counts and visits by the instant", async () => {
    await undone(database.sql, async (sql) => {
      await makeLeftovers(sql);
      expect(await sql`select private.sweep_limits(100) as count`).toMatchObject([{ count: 2 }]);
      expect(await left(sql)).toEqual(["open", "open"]);
    });
  });

  it("counts and visits that nobody holds, so many at a time", async () => {
    const { sql } = database;
    await makeLeftovers(sql);
    await undone(sql, async (holder) => {
      await holder`select 1 from private.rate_limits where key = 'over' for update`;
      await holder`select 1 from private.recent_scans where visitor_hash = 'over' for update`;
      await undone(sql, async (other) => {
        await other`set local lock_timeout = '2s'`;
        await other`select private.sweep_limits(100)`;
        expect((await left(other)).filter((key) => key === "over")).toHaveLength(2);
      });
    });
    await sql`select private.sweep_limits(0)`;
    expect((await left(sql)).filter((key) => key === "over")).toHaveLength(2);
  });

  it("counts, by the way, when an attempt opens a window and the lot says so", async () => {
    await undone(database.sql, async (sql) => {
      const lots: { seed: number; lot: number }[] = [];
      for (let seed = 0; seed < 1; seed += 0.001) {
        await sql`select setseed(${seed})`;
        const [row] = await sql<{ lot: number }[]>`select random() as lot`;
        lots.push({ seed, lot: row?.lot ?? 1 });
      }
      const lucky = lots.find(({ lot }) => lot < 0.01)?.seed ?? Number.NaN;
      const unlucky = lots.find(({ lot }) => lot >= 0.01)?.seed ?? Number.NaN;
      const attempt = async (seed: number, key: string) => {
        await sql`select setseed(${seed})`;
        await sql`select private.count_attempt(array[${key}], '{5}', interval '1 hour')`;
        return (await left(sql)).filter((one) => one === "over").length;
      };
      await makeLeftovers(sql);
      expect(await attempt(unlucky, "a")).toBe(2);
      expect(await attempt(lucky, "a")).toBe(2);
      expect(await attempt(lucky, "b")).toBe(1);
      // Visits are the job's.
      expect(await left(sql)).toEqual(["a", "b", "open", "open", "over"]);
    });
  });

  it("messages that were finished a week ago, never those that wait", async () => {
    const { sql } = database;
    await sql`
      insert into private.outbox (channel, template, recipient, state, created_at, expires_at, settled_at)
      select 'mail', 'recovery', state || age || '@exemple.fr', state, now() - age, now(),
        case when state <> 'queued' then now() - age end
      from unnest('{queued,sent,captured,failed}'::text[]) state,
        unnest('{6 days,8 days}'::interval[]) age`;
    await makeDue("sweep_outbox");
    expect(await runDue()).toMatchObject([{ rows: 3 }]);
    const left = await sql`select state from private.outbox order by created_at, state`;
    expect(left.map(({ state }) => state)).toEqual([
      "queued",
      "captured",
      "failed",
      "queued",
      "sent",
    ]);
    await sql`delete from private.outbox`;
  });

  it("sessions, tokens and unfinished sign-ins, never those that somebody may still need", async () => {
    const { sql } = database;
    const { id: userId } = await createUser(sql, {});
    await sql`delete from auth.sessions`;
    const session = async (columns: Record<string, string | null>) => {
      const id = randomUUID();
      await sql`insert into auth.sessions ${sql({ id, user_id: userId, ...columns })}`;
      return id;
    };
    const ago = (days: number) => secondsFromNow(-days * 86_400).toISOString();
    const kept = [
      await session({ created_at: ago(300), refreshed_at: ago(170) }),
      await session({ created_at: ago(1) }),
      await session({ created_at: ago(10), not_after: ago(0.5) }),
    ];
    await session({ created_at: ago(300), refreshed_at: ago(181) });
    await session({ created_at: ago(181) });
    await session({ created_at: ago(10), not_after: ago(2) });
    const refreshToken = (revoked: boolean, age: number) => sql`
      insert into auth.refresh_tokens ${sql({
        id: randomUUID(),
        token: randomUUID(),
        user_id: userId,
        session_id: kept[0] ?? null,
        revoked,
        updated_at: ago(age),
      })}`;
    await refreshToken(true, 8);
    await refreshToken(true, 6);
    await refreshToken(false, 100);
    for (const age of [0.5, 1.5]) {
      await sql`
        insert into auth.flow_state (id, authentication_method, provider_type, created_at)
        values (${randomUUID()}, 'recovery', 'email', ${ago(age)})`;
      await sql`
        insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at)
        values (${randomUUID()}, ${userId},
          ${age < 1 ? "recovery_token" : "confirmation_token"}, 'hash', 'a', ${ago(age)})`;
      await sql`
        insert into auth.webauthn_challenges (challenge_type, session_data, expires_at)
        values ('authentication', '{}', ${ago(age)})`;
    }
    await makeDue("sweep_accounts");
    expect(await runDue()).toMatchObject([{ rows: 7, error: null }]);
    const sessions = await sql<{ id: string }[]>`select id from auth.sessions`;
    expect(sessions.map(({ id }) => id).sort()).toEqual(kept.sort());
    expect(await sql`select from auth.refresh_tokens`).toHaveLength(2);
    expect(await sql`select from auth.flow_state`).toHaveLength(1);
    expect(await sql`select from auth.one_time_tokens`).toHaveLength(1);
    expect(await sql`select from auth.webauthn_challenges`).toHaveLength(1);
  });
});

it("work that somebody holds is left to them", async () => {
  const { sql } = database;
  const ours = await createOrganization(sql, { plan: "free_trial", trialEnd: daysFromNow(-1) });
  const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
  await createOrganization(sql, { plan: "free_trial", trialEnd: daysFromNow(1) });
  await createOrganization(sql, { currentPeriodEnd: daysFromNow(-9) });
  const unpaid = await createOrganization(sql, { status: "past_due" });
  await sql`
    update public.subscriptions set past_due_since = ${daysFromNow(-9)}, stripe_customer_id = ${unpaid.id}
    where org_id = ${unpaid.id}`;
  await sql`
    insert into private.invitations (org_id, email, role, token_hash, expires_at)
    values (${ours.id}, 'ana@exemple.fr', 'member', sha256('a'), now() - interval '31 days')`;
  await sql`insert into private.recent_figures (org_id, customers) values (${ours.id}, 1)`;
  await sql`
    insert into public.campaign_daily_stats (org_id, campaign_id, store_id, day, shard)
    values (${ours.id}, ${campaign.id}, ${ours.storeId}, '2020-01-01', 0)`;
  const tables = {
    "public.subscriptions": [
      "end_trials",
      "notify_ending_trials",
      "end_periods",
      "suspend_unpaid_plans",
      "reconcile_subscriptions",
    ],
    "private.invitations": ["sweep_invitations"],
    "private.recent_figures": ["fold_figures"],
    "public.campaign_daily_stats": ["fold_days"],
  };
  const jobs = Object.values(tables).flat();
  const runAll = async (other: ISql) => {
    const rows: Record<string, number | undefined> = {};
    for (const name of jobs) {
      const [row] = await other<{ count: number }[]>`select private.${other(name)}(100) as count`;
      rows[name] = row?.count;
    }
    return rows;
  };
  await undone(sql, async (holder) => {
    for (const table of Object.keys(tables)) {
      await holder`select 1 from ${holder(table)} for update`;
    }
    await undone(sql, async (other) => {
      await other`set local lock_timeout = '2s'`;
      expect(await runAll(other)).toEqual(Object.fromEntries(jobs.map((name) => [name, 0])));
    });
  });
  await undone(sql, async (other) => {
    for (const [name, count] of Object.entries(await runAll(other))) {
      expect(count, name).toBeGreaterThan(0);
    }
  });
});
