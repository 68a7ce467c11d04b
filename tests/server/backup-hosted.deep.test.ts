import { chmod } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { expect, it, onTestFinished } from "vitest";
import { startProjectDatabase } from "../../scripts/hosted/project-database.ts";
import { openBackup } from "../../server/backup/open-backup.ts";
import { readTables } from "../../server/backup/read-tables.ts";
import { restoreBackup } from "../../server/backup/restore-backup.ts";
import { writeBackup } from "../../server/backup/write-backup.ts";
import { quoteName } from "../../server/postgres/quote.ts";
import { createWorld } from "../database/attempts.ts";
import { temporaryFolder } from "../harness/cluster.ts";
import { createTestDatabase } from "../harness/database.ts";

/** A hosted project's account owns neither accounts nor files, and is no superuser. */
it("a backup goes into a hosted project, with what that one keeps itself left out", async () => {
  const { folder, remove } = await temporaryFolder("tournavis-hosted-restore-");
  onTestFinished(remove);
  await chmod(folder, 0o711);
  const source = await createTestDatabase();
  onTestFinished(() => source.drop());
  await createWorld(source);
  const file = join(folder, "backup.zip");
  await writeBackup({
    adminUrl: source.url,
    file,
    secrets: {},
    passphrase: "une phrase de passe d'essai",
  });
  const project = await startProjectDatabase(folder);
  onTestFinished(() => project.stop());

  const backup = await openBackup(file);
  onTestFinished(() => backup.close());
  const { leftOut } = await restoreBackup(project.url, backup);
  expect(leftOut).toContain("storage.contents");
  expect(leftOut).toContain("auth.sessions");

  const there = postgres(project.adminUrl, { max: 1, onnotice: () => {} });
  onTestFinished(() => there.end());
  const ours = ["public", "private"];
  const accounts = ["auth.users", "auth.identities"];
  for (const { schema, name } of await readTables(source.sql)) {
    if (!ours.includes(schema) && !accounts.includes(`${schema}.${name}`)) continue;
    const question = `select coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as digest
      from ${quoteName(schema, name)} t`;
    expect(await there.unsafe(question), `${schema}.${name}`).toEqual(
      await source.sql.unsafe(question),
    );
  }
});
