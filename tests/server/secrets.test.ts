import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readMovableSecrets, readSecrets } from "../../server/config/secrets.ts";
import { temporaryFolder } from "./program.ts";

/** Secrets of an installation that systemd keeps sealed: links to where it puts them for the service (docs/deploy-server.md). */

const SEALED = ["database-key", "hash-key", "secret-key"];

/** An installation whose keys were moved elsewhere. */
async function movedKeys() {
  const data = await temporaryFolder();
  const made = await readSecrets(data);
  const credentials = await temporaryFolder();
  for (const name of SEALED) {
    const path = join(data, "secrets", name);
    await writeFile(join(credentials, name), await readFile(path));
    await rm(path);
    await symlink(join(credentials, name), path);
  }
  return { data, credentials, made };
}

describe("keys that lie elsewhere", () => {
  it("are used as those of the folder, and go into backups", async () => {
    const { data, made } = await movedKeys();
    expect(await readSecrets(data)).toEqual(made);
    expect(await readMovableSecrets(data)).toEqual({
      "database-key": made.databaseKey,
      "hash-key": made.hashKey,
      "publishable-key": made.publishableKey,
      "secret-key": made.secretKey,
    });
  });

  it.each(SEALED)(
    "are not made anew, nor left out of a backup, where %s is missing",
    async (name) => {
      const { data, credentials } = await movedKeys();
      await rm(join(credentials, name));
      const refusal = { code: "unreadable_secret" };
      await expect(readSecrets(data)).rejects.toMatchObject(refusal);
      await expect(readMovableSecrets(data)).rejects.toMatchObject(refusal);
      expect(await readdir(credentials)).toEqual(SEALED.filter((each) => each !== name));
      expect((await readdir(join(data, "secrets"))).sort()).toEqual(
        [...SEALED, "publishable-key"].sort(),
      );
    },
  );

  it("that cannot be read end the start", async () => {
    const { data, credentials } = await movedKeys();
    await rm(join(credentials, "hash-key"));
    await mkdir(join(credentials, "hash-key"));
    await expect(readSecrets(data)).rejects.toMatchObject({ code: "EISDIR" });
  });
});
