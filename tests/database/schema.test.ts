import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareCatalogs, readCatalog } from "../../scripts/schema/catalog.ts";
import { emptyDatabase, fromMigrations, fromSchemas } from "../../scripts/schema/databases.ts";
import { nextMigration, refusedByNewerServers } from "../../scripts/schema/next-migration.ts";
import { migrationChecksums, SCHEMAS } from "../../scripts/schema/sources.ts";
import type { Cluster } from "../../server/postgres/cluster.ts";
import { applyMigrations, listMigrations } from "../../server/postgres/migrate.ts";
import { readReleases } from "../../server/postgres/releases.ts";
import { productVersion } from "../../server/product-version.ts";
import { ROOT } from "../../server/root.ts";
import { startTestCluster } from "../harness/cluster.ts";

describe("releases", () => {
  it("keep their migrations as they were", async () => {
    const present = await migrationChecksums();
    const releases = await readReleases();
    expect(releases.size).toBeGreaterThan(0);
    for (const [version, migrations] of releases) {
      expect(present, `release ${version}`).toMatchObject(migrations);
    }
  });

  it("are listed in the changelog, this version's first", async () => {
    const version = await productVersion();
    const changelog = await readFile(new URL("CHANGELOG.md", ROOT), "utf8");
    const told = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, v]) => v);
    expect(told[0]).toBe(version);
    expect(told).toEqual(expect.arrayContaining([...(await readReleases()).keys()]));
  });
});

/** Changes of the schemas, as somebody would make them: each a file, what stood there and what stands there now. */
const CHANGES: readonly (readonly [file: string, from: string, to: string])[] = [
  // A column with its rule, its comment, its index and its right.
  [
    "06_stores.sql",
    "  review_host_confirmed_at timestamptz,\n",
    "  review_host_confirmed_at timestamptz,\n  opening_hours text check (length(opening_hours) <= 500),\n",
  ],
  [
    "06_stores.sql",
    "comment on column public.stores.review_host_confirmed_at",
    "create index stores_opening_hours_idx on public.stores (org_id, opening_hours);\n" +
      "comment on column public.stores.opening_hours is 'Opening hours, as customers read them.';\n" +
      "comment on column public.stores.review_host_confirmed_at",
  ],
  [
    "06_stores.sql",
    "alter table public.stores enable row level security;",
    "alter table public.stores enable row level security;\ngrant update (opening_hours) on public.stores to authenticated;",
  ],
  // A body that generated columns and constraints rest on, a policy, a default, and a table.
  ["02_texts.sql", "length(p_text) <= 80", "length(p_text) <= 90"],
  [
    "05_organizations.sql",
    "private.my_org_ids('billing.read')",
    "private.my_org_ids('billing.manage')",
  ],
  [
    "07_campaigns.sql",
    "play_interval_days smallint not null default 1",
    "play_interval_days smallint not null default 2",
  ],
  [
    "01_foundations.sql",
    "create function private.now_in",
    "create table private.notes (id bigint generated always as identity primary key, body text not null);\n" +
      "alter table private.notes enable row level security;\n" +
      "comment on table private.notes is 'Notes.';\n" +
      "grant select on private.notes to service_role;\n\n" +
      "create function private.now_in",
  ],
  // Another argument is another function.
  [
    "01_foundations.sql",
    "create function private.shard() returns smallint",
    "create function private.shard(p_shards integer default 16) returns smallint",
  ],
  ["01_foundations.sql", "% 16)::smallint", "% p_shards)::smallint"],
  [
    "01_foundations.sql",
    "comment on function private.shard()",
    "comment on function private.shard(integer)",
  ],
];

describe("a change of the schemas", () => {
  let cluster: Cluster;
  let folder: string;

  beforeAll(async () => {
    cluster = await startTestCluster();
    folder = await mkdtemp(join(tmpdir(), "tournavis-schemas-"));
    await cp(fileURLToPath(SCHEMAS), folder, { recursive: true });
  });

  afterAll(async () => {
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  it("is none while nothing changed", async () => {
    const [made, stated] = [await fromMigrations(cluster), await fromSchemas(cluster)];
    expect(await nextMigration(made, stated)).toBeNull();
    await made.sql.end();
    await stated.sql.end();
  });

  it("is made by the migration that is generated from it", async () => {
    for (const [name, from, to] of CHANGES) {
      const file = join(folder, name);
      const text = await readFile(file, "utf8");
      expect(text, name).toContain(from);
      await writeFile(
        file,
        text.replace(from, () => to),
      );
    }
    const made = await fromMigrations(cluster);
    const stated = await fromSchemas(cluster, pathToFileURL(`${folder}/`));
    const wanted = await readCatalog(stated.sql);
    expect(compareCatalogs(await readCatalog(made.sql), wanted)).not.toEqual([]);
    const next = await nextMigration(made, stated);
    // The account that migrates has another name on each server, and owns what it makes.
    expect(next?.text).not.toMatch(/owner to|"postgres"/i);
    await made.sql.begin((transaction) => transaction.unsafe(next?.text ?? "").simple());
    expect(compareCatalogs(await readCatalog(made.sql), wanted)).toEqual([]);
    await made.sql.end();
    await stated.sql.end();
  });

  it("that newer servers refuse is reported: a filled column while a parsed body takes rows of its table", async () => {
    const [made, stated] = [await fromMigrations(cluster), await fromSchemas(cluster)];
    await stated.sql`alter table public.campaigns add column seats integer not null default 4`;
    await stated.sql`alter table public.pre_spin_reviews add column seat text`;
    for (const { sql } of [made, stated]) {
      await sql`
        create function private.is_long(r public.campaigns) returns boolean language sql stable
        return length(r.name) > 40`;
    }
    const warnings = (await nextMigration(made, stated))?.warnings ?? [];
    expect(warnings.filter((warning) => warning.startsWith("refused"))).toContainEqual(
      expect.stringMatching(
        /^refused unless private\.is_long\((public\.)?campaigns\) is dropped .* ADD COLUMN "seats"/,
      ),
    );
    expect(warnings.join("\n")).not.toContain('"seat"');
    await made.sql.end();
    await stated.sql.end();
  });

  it("that newer servers refuse is not among those that there are", async () => {
    const made = await emptyDatabase(cluster);
    const refused: string[] = [];
    for (const migration of await listMigrations()) {
      const text = await readFile(migration.file, "utf8");
      refused.push(...(await refusedByNewerServers(made, text)));
      await applyMigrations(made.sql, [migration]);
    }
    expect(refused).toEqual([]);
    await made.sql.end();
  });

  it("that loses data is reported", async () => {
    const [made, stated] = [await fromMigrations(cluster), await fromSchemas(cluster)];
    await stated.sql`alter table public.notification_preferences drop column push_asked_at`;
    expect((await nextMigration(made, stated))?.warnings).toEqual([
      expect.stringMatching(
        /^loses data: ALTER TABLE .*notification_preferences.* DROP COLUMN .*push_asked_at/,
      ),
    ]);
    await made.sql.end();
    await stated.sql.end();
  });
});
