import postgres, { type Sql } from "postgres";
import { sha256 } from "../../supabase/functions/_shared/http/sha256.ts";
import { deriveSecret } from "../config/secrets.ts";
import { quoteName, quoteText } from "./quote.ts";

const NAME_MAX_LENGTH = 63;

/**
 * Name of the account with which the API logs in to one database. Accounts belong to the
 * whole server, so each database has its own: two installations never fight for one.
 */
export function loginRoleName(database: string, prefix = "authenticator"): string {
  const plain = `${prefix}_${database.toLowerCase().replace(/[^a-z0-9]+/g, "_")}`;
  if (plain === `${prefix}_${database}` && plain.length <= NAME_MAX_LENGTH) return plain;
  const mark = sha256(database).slice(0, 8);
  return `${plain.slice(0, NAME_MAX_LENGTH - mark.length - 1)}_${mark}`;
}

/**
 * Password of that account. On an external server it follows from the administrator's,
 * so that processes with data folders of their own agree on it; whoever knows that one
 * could set any other.
 */
export function loginPassword(adminUrl: string, databaseKey: string): string {
  const { password, pathname } = new URL(adminUrl);
  return deriveSecret(password || databaseKey, `authenticator ${pathname}`);
}

/**
 * Makes sure that the API's account exists and answers the address with which it logs in.
 *
 * It is no superuser and owns nothing. It may become `anon`, `authenticated` or
 * `service_role` (each request does) and inherits them, because Supabase Lite reads the
 * schema as itself and sees only what it may use.
 */
export async function openLoginRole(
  admin: Sql,
  adminUrl: string,
  password: string,
): Promise<string> {
  const [row] = await admin<{ database: string }[]>`select current_database() as database`;
  const role = loginRoleName(row?.database ?? "");
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;

  if (!(await isComplete(admin, role))) await completeRole(admin, role, password);
  if (!(await canLogIn(url.href))) await setPassword(admin, role, password);
  return url.href;
}

async function isComplete(admin: Sql, role: string): Promise<boolean> {
  const [row] = await admin<{ complete: boolean }[]>`
    select bool_and(
      pg_has_role(r.oid, 'anon', 'member')
      and pg_has_role(r.oid, 'authenticated', 'member')
      and pg_has_role(r.oid, 'service_role', 'member')
      and not exists (
        select from pg_class c
        where c.relnamespace = 'auth'::regnamespace and c.relkind = 'r'
          and not has_table_privilege(r.oid, c.oid, 'insert')
      )
    ) as complete
    from pg_roles r where r.rolname = ${role}`;
  return row?.complete === true;
}

async function completeRole(admin: Sql, role: string, password: string): Promise<void> {
  await admin.begin(async (sql) => {
    // Several processes may come here at once; what one has done the others find done.
    await sql`select pg_advisory_xact_lock(hashtextextended(${role}, 0))`;
    const [existing] = await sql`select from pg_roles where rolname = ${role}`;
    if (!existing) {
      await sql.unsafe(
        `create role ${quoteName(role)} login inherit nosuperuser nocreatedb nocreaterole
         password ${quoteText(password)}`,
      );
    }
    await sql`grant anon, authenticated, service_role to ${sql(role)}`;
    await sql`grant usage on schema auth to ${sql(role)}`;
    await sql`grant select, insert, update, delete on all tables in schema auth to ${sql(role)}`;
  });
}

/** Whether an account may log in with the password of its address. */
export async function canLogIn(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    await sql`select 1`;
    return true;
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === "28P01") return false;
    throw error;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Gives an account another password. */
export async function setPassword(admin: Sql, role: string, password: string): Promise<void> {
  await admin.unsafe(`alter role ${quoteName(role)} login password ${quoteText(password)}`);
}
