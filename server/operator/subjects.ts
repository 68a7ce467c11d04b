import type { TransactionSql } from "postgres";
import { StartupError } from "../start/startup-error.ts";

/** An identifier as the database keeps it. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The identifier in an argument; null where it is something else. */
export function idIn(argument: string): string | null {
  return UUID.test(argument) ? argument.toLowerCase() : null;
}

/** Argument that a command cannot do without. */
export function required(argument: string | null, what: string): string {
  if (argument === null || argument.trim() === "") {
    throw new StartupError("operator_missing", { what });
  }
  return argument.trim();
}

/** The account of an identifier or an address; null without one. */
export async function findAccount(sql: TransactionSql, name: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from auth.users
    where deleted_at is null and (id = ${idIn(name)} or (email = ${name.toLowerCase()} and not is_sso_user))`;
  return row?.id ?? null;
}

/** The same, held until the transaction ends; refuses a name without a match. */
export async function requireAccount(
  sql: TransactionSql,
  argument: string | null,
): Promise<string> {
  const id = await findAccount(sql, required(argument, "le compte"));
  if (id === null) throw new StartupError("operator_nobody");
  // Before its sessions, as everything that changes an account.
  await sql`select from auth.users where id = ${id} for no key update`;
  return id;
}

/** The customer of an identifier, and whose; null without one. */
export async function findCustomer(
  sql: TransactionSql,
  name: string,
): Promise<{ id: string; orgId: string } | null> {
  const [row] = await sql<{ id: string; org_id: string }[]>`
    select id, org_id from public.customers where id = ${idIn(name)}`;
  return row ? { id: row.id, orgId: row.org_id } : null;
}

/** The organisation of an identifier or a public address; null without one. */
export async function findOrganization(sql: TransactionSql, name: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from public.organizations where id = ${idIn(name)} or slug = ${name}`;
  return row?.id ?? null;
}
