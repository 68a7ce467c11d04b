import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ReaderLimits } from "../../supabase/functions/_shared/http/send-to.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { createOrganization, giveRole, type Organization } from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Exports whose reader leaves, stops or dawdles, on real sockets: what they hold of the database is free again. */

const PATIENT: ReaderLimits = {
  stalled: 60_000,
  least: { bytes: 0, within: 60_000 },
  whole: 60_000,
  rights: 60_000,
};
const LIMITS = {
  patient: PATIENT,
  stalled: { ...PATIENT, stalled: 200 },
  whole: { ...PATIENT, whole: 400 },
  strict: { ...PATIENT, rights: 0 },
} as const;

let database: TestDatabase;
let organization: Organization;
const servers = new Map<string, TestServer>();

beforeAll(async () => {
  // The adapter writes what breaks an answer off to the console, which a process guards.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  database = await createTestDatabase();
  for (const [name, readerLimits] of Object.entries(LIMITS)) {
    servers.set(name, await startTestServer({ database, readerLimits }));
  }
  organization = await createOrganization(database.sql);
  await database.sql.begin(async (sql) => {
    // Rows as the triggers would leave them: only reading them is asked here.
    await sql`set local session_replication_role = replica`;
    await sql`drop index public.customers_words_idx`;
    // Twelve megabytes that a ZIP makes little shorter: more than the way to a reader holds.
    await sql`
      insert into public.customers (org_id, name, email)
      select ${organization.id}, (select string_agg(md5(n::text || part), '') from generate_series(1, 7) part),
        'client' || n || '@exemple.fr'
      from generate_series(1, 45000) n`;
  });
});
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()));
  await database.drop();
});

function serverWith(limits: keyof typeof LIMITS): TestServer {
  const server = servers.get(limits);
  if (!server) throw new Error("The server has not started.");
  return server;
}

const EXPORTS = [
  ["exports-csv", { type: "customers", filters: {} }],
  ["export-organization", {}],
] as const;

/** Asks for an export on a socket of its own, and answers it when the first bytes are there, paused. */
async function ask(server: TestServer, name: string, order: object): Promise<Socket> {
  const { token } = await server.signIn(organization.users.owner);
  const body = JSON.stringify({ org_id: organization.id, ...order });
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.write(
    [
      `POST /functions/v1/${name} HTTP/1.1`,
      "host: localhost",
      "connection: close",
      `authorization: Bearer ${token}`,
      "content-type: application/json",
      `content-length: ${body.length}`,
      "",
      body,
    ].join("\r\n"),
  );
  const [first]: Buffer[] = await once(socket, "data");
  socket.pause();
  expect(first?.toString("latin1")).toMatch(/^HTTP\/1\.1 200 /);
  return socket;
}

/** Reads on until the server has closed the connection. */
async function drained(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part));
  socket.on("error", () => undefined);
  const closed = once(socket, "close").catch(() => undefined);
  socket.resume();
  await closed;
  return Buffer.concat(parts);
}

/** Whether a file that was sent in chunks has its last one: a line of a CSV may end in a zero as well, not begin with it. */
const hasEnd = (file: Buffer) => file.subarray(-7).toString("latin1") === "\r\n0\r\n\r\n";

/** Transactions of functions that are open. */
const held = () => database.sql`
  select query from pg_stat_activity
  where datname = current_database() and application_name = 'tournavis functions' and xact_start is not null`;

/** Exports that were written down, by who asked for them, oldest first. */
const noted = () => database.sql`
  select actor_name from public.audit_events
  where org_id = ${organization.id} and action in ('data.exported', 'organization.exported') order by id`;

describe.each(EXPORTS)("%s", (name, order) => {
  /** Log lines of this export, once there are any; nothing of the database is held then. */
  const ended = async ({ log }: TestServer) => {
    const lines = () =>
      log.filter((line) => /^export_|failed/.test(line.event) && line.function === name);
    await expect.poll(lines).not.toEqual([]);
    expect(await held()).toEqual([]);
    return lines();
  };
  const line = (code: string) => [
    { event: "export_left", function: name, requestId: expect.any(String), code },
  ];

  it("lets go when its reader stops reading, and breaks the file off", async () => {
    const server = serverWith("stalled");
    const socket = await ask(server, name, order);
    expect(await ended(server)).toEqual(line("reader_stalled"));
    // The bytes sent before are still on their way; the file has no end.
    expect(hasEnd(await drained(socket))).toBe(false);
  });

  it("lets go when its reader trickles for too long, and breaks the file off", async () => {
    const server = serverWith("whole");
    const socket = await ask(server, name, order);
    socket.on("data", () => {
      socket.pause();
      setTimeout(() => socket.resume(), 20);
    });
    const [file, lines] = await Promise.all([drained(socket), ended(server)]);
    expect(lines).toEqual(line("reader_slow"));
    expect(hasEnd(file)).toBe(false);
  });

  it("is written down before its first row, and lets go when its reader leaves", async () => {
    const server = serverWith("patient");
    const before = (await noted()).length;
    const socket = await ask(server, name, order);
    expect(await held()).toHaveLength(1);
    expect((await noted()).slice(before)).toEqual([{ actor_name: "Camille Martin" }]);
    socket.destroy();
    expect(await ended(server)).toEqual(line("reader_gone"));
  });

  it("ends when its reader loses the right to it, and gives its place back", async () => {
    const server = serverWith("strict");
    const socket = await ask(server, name, order);
    await database.sql`delete from auth.sessions where user_id = ${organization.users.owner.id}`;
    const [file, lines] = await Promise.all([drained(socket), ended(server)]);
    expect(lines).toEqual(line("reader_refused"));
    expect(hasEnd(file)).toBe(false);
  });

  it("goes to its end while its reader has the right to it", async () => {
    const server = serverWith("strict");
    const socket = await ask(server, name, order);
    expect(hasEnd(await drained(socket))).toBe(true);
  });
});

it("a list that names customers ends when its reader may no longer see them", async () => {
  const { log, signIn, url } = serverWith("strict");
  const { id: orgId, users } = organization;
  const role = await giveRole(database.sql, users.member, {
    orgId,
    permissions: ["customers.read", "reviews.read"],
  });
  const { token } = await signIn(users.member);
  const left = () =>
    log.filter(({ event, function: name }) => event === "export_left" && name === "exports-csv");
  const before = left().length;
  const asked = await database.sql.begin(async (sql) => {
    // The export has looked at the right, and waits to be written down.
    await sql`lock table public.audit_events in share mode`;
    const answer = fetch(`${url}/functions/v1/exports-csv`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ org_id: orgId, type: "reviews", filters: {} }),
    }).then((response) => response.text());
    await expect
      .poll(
        () => database.sql`
          select from pg_locks where relation = 'public.audit_events'::regclass and not granted`,
      )
      .toHaveLength(1);
    await sql`delete from public.role_permissions where role = ${role} and permission = 'customers.read'`;
    return { answer };
  });
  await expect(asked.answer).rejects.toThrow();
  await expect.poll(() => left().slice(before)).toMatchObject([{ code: "reader_refused" }]);
});
