import type { TransactionSql } from "postgres";

/** Writes down what a client with the secret key did, in the same transaction: to which account, and names of what changed. */
export async function noteKeyUse(
  sql: TransactionSql,
  action: string,
  userId: string,
  note = "",
): Promise<void> {
  await sql`select private.note_key_use(${action}, ${userId}, ${note})`;
}
