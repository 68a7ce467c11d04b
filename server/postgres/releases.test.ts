import { expect, test } from "vitest";
import { productVersion } from "../product-version.ts";
import { listMigrations } from "./migrate.ts";
import { readReleases, versionOfSchema } from "./releases.ts";

/** Versions of the migrations that a release brought. */
async function broughtBy(release: string): Promise<string[]> {
  const brought = (await readReleases()).get(release) ?? {};
  return Object.keys(brought).map((name) => name.slice(0, 14));
}

test("a schema is of the newest release that it has whole, until all migrations of this code have run", async () => {
  const first = await broughtBy("1.0.0");
  const second = await broughtBy("1.1.0");
  expect(await versionOfSchema(first)).toBe("1.0.0");
  expect(await versionOfSchema(second.slice(0, -1))).toBe("1.0.0");
  const all = (await listMigrations()).map(({ version }) => version);
  expect(await versionOfSchema(all)).toBe(await productVersion());
  expect(await versionOfSchema(["29990101000000"])).toBe(await productVersion());
});
