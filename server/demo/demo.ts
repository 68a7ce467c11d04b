import { readFile } from "node:fs/promises";
import type { Sql } from "postgres";
import { z } from "zod";
import { createConfirmedUser } from "../auth/create-user.ts";
import type { Config } from "../config/config.ts";
import { findDemoPassword, readDemoPassword } from "../config/secrets.ts";
import { readPlatformFact, writePlatformFact } from "../postgres/bootstrap.ts";
import { ROOT } from "../root.ts";
import { demoCopy } from "./demo.copy.ts";

/** Address under which the demo's owner signs in. */
const DEMO_EMAIL = "demo@tournavis.fr";

/** Slug of the demo's campaign. */
const DEMO_SLUG = "demo";

/** The shop, then its three months of history. */
const DEMO_SQL = ["demo.sql", "history.sql"].map((name) => new URL(`supabase/demo/${name}`, ROOT));
const FACT = "demo";

/** Outcome of seeding the demo into a new database. */
const demoState = z.enum(["generated-password", "given-password", "declined"]);

/** The demo shop of this installation. */
export type Demo = {
  email: string;
  slug: string;
  /** The password that we made; null where `DEMO_PASSWORD` gave it, or where this folder does not know that of today. */
  password: string | null;
  isPasswordGiven: boolean;
};

/**
 * Makes the demo shop when the database is new and it is wanted, and tells on every
 * start where it is. What was decided on the first start holds: emptying a shop later
 * does not bring the demo back.
 */
export async function ensureDemo(options: {
  config: Pick<Config, "wantsDemo" | "isProduction" | "demoPassword">;
  admin: Sql;
  dataFolder: string;
}): Promise<Demo | null> {
  const { admin, dataFolder } = options;
  const written = await readPlatformFact(admin, FACT);
  const state = demoState.parse(written ?? (await decide(options)));
  if (state === "declined") return null;
  const isPasswordGiven = state === "given-password";
  const password = isPasswordGiven ? null : await presentPassword(admin, dataFolder);
  return { email: DEMO_EMAIL, slug: DEMO_SLUG, password, isPasswordGiven };
}

/** The password in this folder, where it is the account's: another server may have made it, or its owner changed it. */
async function presentPassword(admin: Sql, dataFolder: string): Promise<string | null> {
  const [owner] = await admin<{ hash: string | null }[]>`
    select encrypted_password as hash from auth.users where email = ${DEMO_EMAIL} and not is_sso_user`;
  const password = await findDemoPassword(dataFolder);
  if (password === null || !owner?.hash) return null;
  const { verify } = await import("@node-rs/bcrypt");
  return (await verify(password, owner.hash).catch(() => false)) ? password : null;
}

async function decide({
  config,
  admin,
  dataFolder,
}: Parameters<typeof ensureDemo>[0]): Promise<z.infer<typeof demoState>> {
  return admin.begin(async (sql) => {
    // One of several processes on a new database makes the demo.
    await sql`select pg_advisory_xact_lock(hashtextextended('tournavis demo', 0))`;
    const [made] = await sql<{ value: string }[]>`
      select value from supabase_migrations.platform where key = ${FACT}`;
    if (made) return demoState.parse(made.value);

    const isWanted =
      config.wantsDemo &&
      (!config.isProduction || config.demoPassword !== null) &&
      (await isEmpty(sql));
    if (!isWanted) {
      await writePlatformFact(sql, FACT, "declined");
      return "declined" as const;
    }
    const password = config.demoPassword ?? (await readDemoPassword(dataFolder));
    const owner = await createConfirmedUser(sql, {
      email: DEMO_EMAIL,
      password,
      fullName: demoCopy.ownerName,
    });
    await sql`select set_config('demo.owner', ${owner}, true)`;
    for (const file of DEMO_SQL) await sql.unsafe(await readFile(file, "utf8")).simple();
    const state = config.demoPassword === null ? "generated-password" : "given-password";
    await writePlatformFact(sql, FACT, state);
    return state;
  });
}

/** Whether there is no organisation yet: a merchant's database never gets a demo, even when its beginning is not recorded. */
async function isEmpty(sql: Pick<Sql, "unsafe">): Promise<boolean> {
  const rows = await sql.unsafe("select from public.organizations limit 1");
  return rows.length === 0;
}
