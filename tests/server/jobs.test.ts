import { expect, it, onTestFinished } from "vitest";
import { enqueueMail } from "../../server/mail/outbox.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { latestMail } from "../harness/mailbox.ts";
import { startTestServer } from "../harness/server.ts";

const POLL = { timeout: 30_000, interval: 20 };

async function testDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
}

async function start(database: TestDatabase) {
  const server = await startTestServer({ database });
  onTestFinished(() => server.stop());
  return server;
}

it("a job runs once on several servers, and its run is logged with its count", async () => {
  const database = await testDatabase();
  await database.sql.unsafe(`
    create table private.runs (at timestamptz not null default clock_timestamp());
    create function private.note_run(p_limit integer) returns integer language plpgsql as $$
    begin
      insert into private.runs default values;
      return 7;
    end $$;
    insert into private.jobs (name, run_every) values ('note_run', interval '1 day')`);
  const servers = await Promise.all([1, 2, 3].map(() => start(database)));
  const lines = () => servers.flatMap(({ log }) => log.filter(({ job }) => job === "note_run"));
  await expect.poll(lines, POLL).toMatchObject([{ event: "job_ran", rows: 7 }]);
  // Every server has looked by now, and found the other jobs done as well.
  const due = async () => {
    const [row] = await database.sql`
      select count(*)::int as due from private.jobs where next_run_at <= now()`;
    return row?.due;
  };
  await expect.poll(due, POLL).toBe(0);
  expect(await database.sql`select from private.runs`).toHaveLength(1);
  expect(lines()).toHaveLength(1);
});

it("a job that fails is logged with its code, and the server goes on", async () => {
  const database = await testDatabase();
  await database.sql.unsafe(`
    create function private.break_down(p_limit integer) returns integer language plpgsql as $$
    begin
      raise exception 'ana@exemple.fr' using errcode = '22012';
    end $$;
    insert into private.jobs (name, run_every) values ('break_down', interval '1 day')`);
  const server = await start(database);
  await expect
    .poll(() => server.log.find(({ job }) => job === "break_down"), POLL)
    .toMatchObject({ event: "job_failed", level: "error", code: "22012" });
  expect(JSON.stringify(server.log)).not.toContain("ana@");
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

it("mails leave although the connections of the jobs were cut", async () => {
  const database = await testDatabase();
  const server = await start(database);
  const { sql } = database;
  const to = "ana@exemple.fr";
  const write = () => enqueueMail(sql, { template: "password_changed", to, data: {} });
  await write();
  const first = await latestMail(server, to);
  const cut = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'tournavis jobs' and datname = current_database()`;
  // The two of the pool and the one that listens.
  expect(cut.length).toBeGreaterThan(1);
  await write();
  expect(await latestMail(server, to, { after: first })).toMatchObject({ to });
});

it("the figures tell what waits", async () => {
  const database = await testDatabase();
  const server = await start(database);
  const text = await (await fetch(`${server.url}/metrics`)).text();
  expect(text).toContain('background_work{kind="messages",name="queued"} 0');
  expect(text).toContain('background_work{kind="messages",name="failed"} 0');
  expect(text).toContain('background_work{kind="failures",name="expire_codes"} 0');
});
