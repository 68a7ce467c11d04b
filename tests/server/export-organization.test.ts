import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveOf } from "../../supabase/functions/export-organization/archive.ts";
import { exportOrganizationCopy } from "../../supabase/functions/export-organization/export-organization.copy.ts";
import { createWorld, type World } from "../database/attempts.ts";
import { verdict } from "../database/support/calls.ts";
import { createCampaign, createOrganization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Everything of an organisation as one file: who gets it, that nothing is missing, and what it costs. */

let server: TestServer;
let world: World;

beforeAll(async () => {
  server = await startTestServer();
  world = await createWorld(server.database);
});
afterAll(() => server.stop());

/** The files of a ZIP, read from its central directory. */
function unzip(bytes: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, nameLength] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)];
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const body = bytes.subarray(start, start + packed);
    const isPacked = bytes.readUInt16LE(at + 10) === 8;
    files.set(name, (isPacked ? inflateRawSync(body) : body).toString("utf8"));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

async function take(user: { email: string }, orgId: string) {
  const { token } = await server.signIn(user);
  return fetch(`${server.url}/functions/v1/export-organization`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ org_id: orgId }),
  });
}

const refusal = async (response: Response) =>
  verdict({ status: response.status, body: await response.json() });

const noted = async (orgId: string) => {
  const rows = await server.database.sql`
    select user_id from public.audit_events where org_id = ${orgId} and action = 'organization.exported'`;
  return rows.map(({ user_id }) => user_id);
};

describe("the export of all data", () => {
  it("holds every row of every table of the organisation, as CSV and as JSON, and no other's", async () => {
    const { ours, theirs } = world;
    const response = await take(ours.users.owner, ours.id);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toMatch(
      /filename="tournavis-donnees-\d{4}-\d\d-\d\d\.zip"/,
    );
    const files = unzip(Buffer.from(await response.arrayBuffer()));
    const { sql } = server.database;
    const tables = await sql<{ name: string; key: string }[]>`
      select c.relname as name, a.attname as key
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      join pg_attribute a on a.attrelid = c.oid
        and a.attname = case when c.relname = 'organizations' then 'id' else 'org_id' end
      where c.relkind = 'r'`;
    expect(tables.length).toBeGreaterThan(20);
    const readme = files.get("LISEZMOI.txt") ?? "";
    for (const { name, key } of tables) {
      const file = exportOrganizationCopy.files[name] ?? "";
      // The table's own name is English, which its reader need not know.
      expect([name, file]).toEqual([name, expect.stringMatching(/^[a-z-]+$/)]);
      expect(readme).toContain(`- ${file}\r\n`);
      const [stored] = await sql.unsafe<{ count: number }[]>(
        `select count(*)::int as count from public.${name} where ${key} = $1`,
        [ours.id],
      );
      const rows: unknown = JSON.parse(files.get(`json/${file}.json`) ?? "");
      // Taking it is itself noted, before it begins.
      expect([file, rows]).toEqual([file, expect.any(Array)]);
      expect([file, Array.isArray(rows) && rows.length]).toEqual([file, stored?.count]);
      const lines = (files.get(`csv/${file}.csv`) ?? "").trimEnd().split("\r\n");
      expect([file, lines.length]).toEqual([file, (stored?.count ?? 0) + 1]);
    }
    expect(files.size).toBe(tables.length * 2 + 1);
    const listed = [...readme.matchAll(/^- ([a-z-]+)\r$/gm)].map(([, file]) => file);
    expect(listed).toEqual([...listed].sort());
    expect(listed).toHaveLength(tables.length);
    expect(readme).toMatch(/telles qu'elles étaient le \d\d\/\d\d\/\d{4}\./);
    const customers = files.get("csv/clients.csv") ?? "";
    expect(customers.startsWith("\uFEFF")).toBe(true);
    expect(customers).toContain("cliente@exemple.fr");
    const all = [...files.values()].join("\n");
    expect(all).not.toContain(theirs.id);
    expect(all).not.toMatch(
      /unsubscribe_token|unsubscribe_secret|device_hash|search_words|name_key/,
    );
    expect(await noted(ours.id)).toEqual([ours.users.owner.id]);
  });

  it("is refused to everybody but the owner, and nothing is noted", async () => {
    const { ours, theirs } = world;
    for (const role of ["admin", "member", "cashier"] as const) {
      expect(await refusal(await take(theirs.users[role], theirs.id))).toBe(
        "403 export_owner_only",
      );
    }
    expect(await refusal(await take(ours.users.owner, theirs.id))).toBe("403 export_owner_only");
    const nobody = await server.call("export-organization", { org_id: theirs.id });
    expect(verdict(nobody)).toBe("401 unauthenticated");
    const { token } = await server.signIn(theirs.users.owner);
    const odd = await server.call("export-organization", { org_id: "x" }, { token });
    expect(verdict(odd)).toBe("400 invalid_request");
    expect(await noted(theirs.id)).toEqual([]);
  });

  it("is for every plan, one at a time, and gives its place back when it is broken off", async () => {
    const { sql } = server.database;
    const org = await createOrganization(sql, { plan: "free_trial" });
    const { id: campaignId } = await createCampaign(sql, { orgId: org.id, storeId: org.storeId });
    await sql.begin(async (transaction) => {
      // Rows as the triggers would leave them: only reading them is asked here.
      await transaction`set local session_replication_role = replica`;
      // More than the way to the client holds.
      await transaction`
        insert into public.scan_events (org_id, campaign_id, store_id, source)
        select ${org.id}, ${campaignId}, ${org.storeId}, 'qr' from generate_series(1, 120000)`;
    });
    const first = await take(org.users.owner, org.id);
    const reader = first.body?.getReader();
    await reader?.read();
    expect(await refusal(await take(org.users.owner, org.id))).toBe("429 export_busy");
    // It waits for the client between two portions, instead of filling the memory.
    await expect
      .poll(
        () => sql`
          select state from pg_stat_activity
          where datname = current_database() and query like 'fetch 200 %'`,
      )
      .toMatchObject([{ state: "idle in transaction" }]);
    await reader?.cancel();
    await expect
      .poll(async () => {
        const again = await take(org.users.owner, org.id);
        if (again.status !== 200) await again.body?.cancel();
        else expect(unzip(Buffer.from(await again.arrayBuffer())).size).toBeGreaterThan(40);
        return again.status;
      })
      .toBe(200);
    // The log shows the operator which request it was, and why.
    expect(server.log).toContainEqual({
      event: "export_left",
      function: "export-organization",
      requestId: first.headers.get("x-request-id"),
      code: "reader_gone",
    });
  });
});

it("breaks off, and nothing else does, when a table cannot be read to its end", async () => {
  const broken = {
    name: "spins",
    columns: ["row"],
    query: "select to_json(1 / (2 - n)) as row from generate_series(1, 9) n",
  };
  const outcome = server.database.sql.begin(async (transaction) => {
    const parts = archiveOf(transaction, [broken], "2026-11-21");
    for (let part = await parts.next(); !part.done; ) part = await parts.next();
  });
  await expect(outcome).rejects.toMatchObject({ code: "22012" });
});

it("asks nothing any more once it is broken off: the next of its connection would be asked instead", async () => {
  const { sql } = server.database;
  const waiting = () => sql`
    select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;
  const table = {
    name: "spins",
    columns: ["row"],
    // Its first portion waits for the gate.
    query: "select to_json(1) as row where pg_advisory_xact_lock(7) is null",
  };
  const gate = await sql.reserve();
  await gate`select pg_advisory_lock(7)`;
  const open = await sql.begin(async (transaction) => {
    const parts = archiveOf(transaction, [table], "2026-11-21");
    await parts.next();
    await expect.poll(waiting).toHaveLength(1);
    const cursors = parts
      .return(undefined)
      .then(() => transaction`select name from pg_cursors where name = 'export_rows'`);
    await gate`select pg_advisory_unlock(7)`;
    return await cursors;
  });
  gate.release();
  expect(open).toEqual([]);
});

describe("unsubscribing", () => {
  it("takes the one click of a mail program, and refuses what is no link of ours", async () => {
    const { sql } = server.database;
    const { users, id } = world.ours;
    await sql`
      update public.notification_preferences set low_ratings = true
      where org_id = ${id} and user_id = ${users.owner.id}`;
    const [row] = await sql`
      select unsubscribe_secret as token from public.notification_preferences
      where org_id = ${id} and user_id = ${users.owner.id}`;
    const click = (query: string, method = "POST") =>
      fetch(`${server.url}/functions/v1/unsubscribe?${query}`, {
        method,
        redirect: "manual",
        ...(method === "POST" && {
          body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
        }),
      });
    for (const token of ["1", `${row?.token}0`, String(row?.token).toUpperCase(), ""]) {
      expect((await click(`token=${token}&kind=alert`)).status).toBe(400);
    }
    // Mail programs without the one click open the address in a browser, which leads to the page that asks; others look at links.
    for (const method of ["GET", "HEAD"]) {
      const opened = await click(`token=${row?.token}&kind=alert`, method);
      expect([method, opened.status, opened.headers.get("location")]).toEqual([
        method,
        303,
        `/unsubscribe?token=${row?.token}&kind=alert`,
      ]);
    }
    const broken = await click("token=%0d%0a&kind=alert", "GET");
    expect([broken.status, broken.headers.get("location")]).toEqual([303, "/unsubscribe"]);
    const wanted = () => sql`
      select low_ratings from public.notification_preferences where unsubscribe_secret = ${row?.token}`;
    expect(await wanted()).toMatchObject([{ low_ratings: true }]);
    expect((await click(`token=${row?.token}&kind=alert`)).status).toBe(200);
    expect(await wanted()).toMatchObject([{ low_ratings: false }]);
  });
});
