import type { TransactionSql } from "postgres";
import { z } from "zod";
import { newId } from "./objects.ts";

/** A thing that the sandbox keeps. */
type Kept = { id: string; object: string; [field: string]: unknown };

/** Makes changes of the sandbox take turns until the transaction ends: a real provider has no races either. */
export async function lockSandbox(sql: TransactionSql): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('payment sandbox', 0))`;
}

/** Reads one thing; null when there is none of that kind. */
export async function find<T>(
  sql: TransactionSql,
  kind: string,
  id: string,
  schema: z.ZodType<T>,
): Promise<T | null> {
  const [row] = await sql<{ body: unknown }[]>`
    select body from private.payment_sandbox where id = ${id} and kind = ${kind}`;
  return row ? schema.parse(row.body) : null;
}

/** Reads everything of a kind that belongs to a customer, the newest first. */
export async function listOf<T>(
  sql: TransactionSql,
  kind: string,
  customerId: string,
  schema: z.ZodType<T>,
): Promise<T[]> {
  const rows = await sql<{ body: unknown }[]>`
    select body from private.payment_sandbox
    where kind = ${kind} and customer_id = ${customerId} order by serial desc limit 500`;
  return rows.map(({ body }) => schema.parse(body));
}

/** Writes a thing, new or changed. */
export async function keep(
  sql: TransactionSql,
  thing: Kept,
  customerId: string | null,
): Promise<void> {
  const body = sql.json(z.json().parse(thing));
  await sql`
    insert into private.payment_sandbox (id, kind, customer_id, body)
    values (${thing.id}, ${thing.object.replaceAll(".", "_")}, ${customerId}, ${body})
    on conflict (id) do update set body = excluded.body`;
}

/** Notes that something happened, and has it told to our own endpoint once the transaction commits. */
export async function tell(
  sql: TransactionSql,
  type: string,
  thing: Kept & { customer?: string; created: number },
): Promise<void> {
  const event = {
    id: newId("evt"),
    object: "event",
    type,
    created: thing.created,
    livemode: false,
    data: { object: thing },
  };
  await keep(sql, event, thing.customer ?? thing.id);
  await sql`select private.enqueue_payment_task('sandbox_event', ${event.id})`;
}
