import type { Sql } from "postgres";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { deriveSecret } from "../config/secrets.ts";
import { StartupError } from "../start/startup-error.ts";
import type { OpenPool } from "./connections.ts";
import { databaseRefusal } from "./database-refusal.ts";
import { canLogIn, loginRoleName, setPassword } from "./login-role.ts";
import { quoteName, quoteText } from "./quote.ts";
import { FUNCTION_TIMEOUT_MS, IDLE_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from "./timeouts.ts";

/** Addresses at a pooler: of the data API and sign-in, and of the server functions. */
export type PooledLogins = { api: string; functions: string };

/** Settings of an account, as PostgreSQL keeps them. */
type Settings = Readonly<Record<string, string>>;

const API: Settings = {
  TimeZone: "UTC",
  idle_in_transaction_session_timeout: String(IDLE_TIMEOUT_MS),
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
};

const FUNCTIONS: Settings = {
  TimeZone: "UTC",
  role: "service_role",
  statement_timeout: String(FUNCTION_TIMEOUT_MS),
};

/**
 * Makes the accounts that log in through a pooler. It refuses the parameters with which a connection begins, and hands one
 * client's connection to the next: so each account has its settings from PostgreSQL itself, whoever connects and when.
 */
export async function openPooledLogins(options: {
  admin: Sql;
  poolUrl: string;
  /** Address of the API's account, without the pooler. */
  loginUrl: string;
  open: OpenPool;
}): Promise<PooledLogins> {
  const { admin, poolUrl, open } = options;
  const login = new URL(options.loginUrl);
  const [row] = await admin<{ database: string }[]>`select current_database() as database`;
  const database = row?.database ?? "";
  const api = { role: decodeURIComponent(login.username), settings: API };
  const functions = { role: loginRoleName(database, "functions"), settings: FUNCTIONS };
  const password = decodeURIComponent(login.password);
  const functionsPassword = deriveSecret(password, "functions");
  try {
    await ensureRole(admin, functions.role, functionsPassword);
    if (!(await canLogIn(addressAt(options.loginUrl, functions.role, functionsPassword)))) {
      await setPassword(admin, functions.role, functionsPassword);
    }
    for (const { role, settings } of [api, functions]) {
      await ensureSettings(admin, { database, role, settings });
    }
    const urls = {
      api: addressAt(poolUrl, api.role, password),
      functions: addressAt(poolUrl, functions.role, functionsPassword),
    };
    await expectSettings(open, urls.api, api);
    await expectSettings(open, urls.functions, functions);
    return urls;
  } catch (error) {
    throw databaseRefusal(error, options.loginUrl);
  }
}

function addressAt(address: string, role: string, password: string): string {
  const url = new URL(address);
  url.username = role;
  url.password = password;
  return url.href;
}

async function ensureRole(admin: Sql, role: string, password: string): Promise<void> {
  await admin.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${role}, 0))`;
    const [existing] = await sql<{ member: boolean }[]>`
      select pg_has_role(oid, 'service_role', 'member') as member from pg_roles where rolname = ${role}`;
    if (existing?.member) return;
    if (!existing) {
      await sql.unsafe(
        `create role ${quoteName(role)} login noinherit nosuperuser nocreatedb nocreaterole
         password ${quoteText(password)}`,
      );
    }
    await sql`grant service_role to ${sql(role)}`;
  });
}

/** Gives an account its settings in this database, where it has not got them. */
async function ensureSettings(
  admin: Sql,
  { database, role, settings }: { database: string; role: string; settings: Settings },
): Promise<void> {
  await admin.begin(async (sql) => {
    // Several processes may come here at once, and PostgreSQL refuses two changes of one account.
    await sql`select pg_advisory_xact_lock(hashtextextended(${role}, 0))`;
    const [row] = await sql<{ settings: string[] }[]>`
      select setconfig as settings from pg_db_role_setting
      where setrole = ${role}::regrole
        and setdatabase = (select oid from pg_database where datname = ${database})`;
    const present = new Set(row?.settings);
    for (const [name, value] of Object.entries(settings)) {
      if (present.has(`${name}=${value}`)) continue;
      await sql.unsafe(
        `alter role ${quoteName(role)} in database ${quoteName(database)} set ${name} = ${quoteText(value)}`,
      );
    }
  });
}

/** Refuses a pooler behind which an account is another one, or without its settings: rights and limits would be others. */
async function expectSettings(
  open: OpenPool,
  url: string,
  { role, settings }: { role: string; settings: Settings },
): Promise<void> {
  const sql = open(url, { max: 1, fetch_types: false });
  try {
    const [row] = await sql<{ account: string; role: string; timeout: string }[]>`
      select session_user as account, current_user as role,
        (select setting from pg_settings where name = 'statement_timeout') as timeout`;
    const found = [row?.account, row?.role, row?.timeout].join(", ");
    const wanted = [role, settings.role ?? role, settings.statement_timeout].join(", ");
    if (found !== wanted) throw new StartupError("pool_account", { account: role, found });
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError("pool_unreachable", { reason: errorCode(error) }, { cause: error });
  } finally {
    await sql.end({ timeout: 1 });
  }
}
