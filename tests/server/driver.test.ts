import { cp, readFile, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { pathToFileURL } from "node:url";
import postgres, { type Sql } from "postgres";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { checkDriverPatch } from "../../server/postgres/driver-patch.ts";
import { ROOT } from "../../server/root.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import { temporaryFolder } from "./program.ts";

/**
 * Behaviour of the driver when a connection is lost, as `patches/postgres+3.4.9.patch` mends it.
 */

const database = setUpTestDatabase();
beforeAll(async () => {
  await database.sql`create table public.written (text text)`;
});

/** A pool of one connection, whose sockets the test gets to see. */
function openPool(onSocket: (socket: Socket) => void = () => {}): Sql {
  const { hostname, port } = new URL(database.url);
  const options = {
    max: 1,
    backoff: false,
    // Long: whoever waits for it has found the fault.
    connect_timeout: 50,
    socket: () => {
      const socket = connect(Number(port), hostname);
      onSocket(socket);
      return socket;
    },
  };
  const sql = postgres(database.url, options);
  onTestFinished(() => sql.end({ timeout: 0 }));
  return sql;
}

const LOST = { code: "CONNECTION_CLOSED" };

it("goes on after a connection was lost with something to write", async () => {
  let socket: Socket | undefined;
  const sql = openPool((made) => {
    socket = made;
  });
  await sql`select 1`;
  const asked = expect(sql`select 2`.execute()).rejects.toMatchObject(LOST);
  // The driver writes in the next turn of the loop.
  await Promise.resolve();
  socket?.destroy();
  await asked;
  expect(await sql`select 3 as three`).toEqual([{ three: 3 }]);
});

it("goes on after a connection was lost while it asked for the types of arrays", async () => {
  let made = 0;
  const sql = openPool((socket) => {
    made += 1;
    // The first sign of readiness comes with the end of the login.
    if (made === 1)
      socket.once("data", () =>
        socket.once("data", () => socket.once("data", () => socket.destroy())),
      );
  });
  await sql`select 1`.catch((error: unknown) => expect(error).toMatchObject(LOST));
  expect(await sql`select 3 as three`).toEqual([{ three: 3 }]);
});

it("sends nothing more of a transaction that was lost", async () => {
  let socket: Socket | undefined;
  const sql = openPool((made) => {
    socket = made;
  });
  let goOn = () => {};
  const later = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let late: Promise<unknown> = Promise.resolve();
  const first = sql.begin(async (transaction) => {
    await transaction`insert into public.written values ('lost')`;
    socket?.destroy();
    await later;
    late = transaction`insert into public.written values ('late')`.then(
      () => "written",
      (error: { code?: string }) => error.code,
    );
    await late;
  });
  await expect(first).rejects.toMatchObject(LOST);
  // Somebody else's transaction on the connection that came next.
  await sql.begin(async (transaction) => {
    await transaction`insert into public.written values ('kept')`;
    goOn();
    await later;
    await transaction`select pg_sleep(0)`;
    expect(await late).toBe("CONNECTION_CLOSED");
  });
  expect(await sql`select text from public.written`).toEqual([{ text: "kept" }]);
});

it("takes a transaction's end for lost when the connection is", async () => {
  let socket: Socket | undefined;
  const sql = openPool((made) => {
    socket = made;
  });
  const failed = sql.begin(async (transaction) => {
    await transaction`select 1`;
    socket?.destroy();
    // Its own failure has the driver roll back, on a connection that is not there.
    await transaction`select 2`;
  });
  await expect(failed).rejects.toMatchObject(LOST);
  expect(await sql`select 3 as three`).toEqual([{ three: 3 }]);
});

it("takes no reserved connection back that was lost", async () => {
  const sockets: Socket[] = [];
  const sql = openPool((made) => void sockets.push(made));
  const mine = await sql.reserve();
  await mine`select 1`;
  sockets[0]?.destroy();
  await expect(mine`select 2`).rejects.toMatchObject(LOST);
  const yours = await sql.reserve();
  mine.release();
  const asked = sql`select 'waits' as word`.execute();
  expect(await yours`select 'first' as word`).toEqual([{ word: "first" }]);
  yours.release();
  expect(await asked).toEqual([{ word: "waits" }]);
  expect(sockets).toHaveLength(2);
});

it("keeps no place for a reservation that failed", async () => {
  let refuses = true;
  const sql = openPool((socket) => {
    if (refuses) setImmediate(() => socket.destroy(new Error("refused")));
  });
  await expect(sql.reserve()).rejects.toThrow("refused");
  refuses = false;
  const mine = await sql.reserve();
  mine.release();
  expect(await sql`select 3 as three`).toEqual([{ three: 3 }]);
});

it("sends a statement that PostgreSQL has forgotten not once more behind what was sent after it", async () => {
  const sql = openPool();
  const connection = await sql.reserve();
  const ask = (text: string) =>
    connection.unsafe(`select $1::text as ${text}`, ["x"], { prepare: true });
  await Promise.all([ask("one"), ask("two")]);
  await connection.unsafe("deallocate all");
  const asked = [ask("one"), ask("two"), connection.unsafe("select 3 as three")];
  const told = await Promise.allSettled(asked);
  const forgotten = { status: "rejected", reason: expect.objectContaining({ code: "26000" }) };
  expect(told).toEqual([forgotten, forgotten, { status: "fulfilled", value: [{ three: 3 }] }]);
  // They are prepared anew, and each gets its own answer.
  expect(await Promise.all([ask("one"), ask("two")])).toEqual([[{ one: "x" }], [{ two: "x" }]]);
  connection.release();
});

it("the driver is not used without its patch, as npm leaves it where it runs no install script", async () => {
  const folder = await temporaryFolder();
  const root = pathToFileURL(`${folder}/`);
  for (const path of ["patches", "node_modules/postgres"])
    await cp(new URL(path, ROOT), new URL(path, root), { recursive: true });
  await checkDriverPatch(root);

  const source = new URL("node_modules/postgres/src/connection.js", root);
  const patched = await readFile(source, "utf8");
  await writeFile(source, patched.replace("!socket || socket.destroyed", "socket.destroyed"));
  await expect(checkDriverPatch(root)).rejects.toMatchObject({ code: "driver_unpatched" });
});
