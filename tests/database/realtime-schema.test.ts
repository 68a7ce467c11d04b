import { expect, it } from "vitest";
import { REALTIME_SQL } from "../../server/postgres/realtime-schema.ts";
import { setUpTestDatabase, undone } from "../harness/database.ts";

const database = setUpTestDatabase();

it("takes an older version's table of pending messages away, whose sequence a promoted standby cannot read", async () => {
  await undone(database.sql, async (sql) => {
    await sql`drop table realtime.pending`;
    await sql`
      create unlogged table realtime.pending (
        id bigint generated always as identity primary key,
        body jsonb not null,
        written_at timestamptz not null default now()
      )`;
    for (let start = 1; start <= 2; start++) {
      await sql.unsafe(REALTIME_SQL);
      await sql`select realtime.hand_over(${sql.json({ start })})`;
    }
    expect(await sql`select body from realtime.pending order by id`).toEqual([
      { body: { start: 1 } },
      { body: { start: 2 } },
    ]);
    expect(
      await sql`select to_regclass('realtime.pending_id_seq') as old, pg_get_serial_sequence('realtime.pending', 'id') as own`,
    ).toEqual([{ old: null, own: null }]);
  });
});
