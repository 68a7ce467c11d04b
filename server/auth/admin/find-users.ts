import type { ISql } from "postgres";
import { USER_COLUMNS, type UserRow } from "../users.ts";

/** Any account with this identifier, also one of which nothing but its row is left. */
export async function findAnyUser(sql: ISql, id: string): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`
    select ${sql(USER_COLUMNS)} from auth.users where id = ${id}`;
  return row ?? null;
}

/** The same, held until the transaction ends. */
export async function lockAnyUser(sql: ISql, id: string): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`
    select ${sql(USER_COLUMNS)} from auth.users where id = ${id} for update`;
  return row ?? null;
}

/** Which accounts an operator looks for, and which part of them. */
export type UserPage = { filter: string; isAscending: boolean; limit: number; offset: number };

/** Accounts by when they began, also those of which nothing but their row is left; and how many there are. */
export async function listUsers(
  sql: ISql,
  { filter, isAscending, limit, offset }: UserPage,
): Promise<{ users: UserRow[]; total: number }> {
  const pattern = `%${filter.replace(/[\\%_]/g, "\\$&")}%`;
  const wanted =
    filter === ""
      ? sql`true`
      : sql`(email like ${pattern} or raw_user_meta_data ->> 'full_name' ilike ${pattern})`;
  const [row] = await sql<{ total: number }[]>`
    select count(*)::integer as total from auth.users where ${wanted}`;
  const users = await sql<UserRow[]>`
    select ${sql(USER_COLUMNS)} from auth.users where ${wanted}
    order by ${isAscending ? sql`created_at, id` : sql`created_at desc, id desc`}
    limit ${limit} offset ${offset}`;
  return { users, total: row?.total ?? 0 };
}
