import type { TransactionSql } from "postgres";
import { fillText } from "../start/fill-text.ts";
import { StartupError } from "../start/startup-error.ts";
import { operatorCopy } from "./operator.copy.ts";
import type { OperatorCommand } from "./operator-command.ts";
import { idIn } from "./subjects.ts";
import { noteCommand } from "./trail.ts";

/** How many of those that were given up are shown one by one. */
const MAX_LISTED = 50;

/**
 * `messages`: what waits and what was given up, without its addresses; with an identifier one of them, its address only with
 * `--who`. `retry` makes all that waits due now; `--again` queues again what was given up.
 */
export const messages: OperatorCommand = async (sql, { argument, again, asksWho }) => {
  const isOne = again === null && argument !== null && argument !== "retry";
  if (asksWho && !isOne) throw new StartupError("operator_missing", { what: "l'envoi" });
  if (again !== null) {
    if (argument !== null) throw new StartupError("unknown_argument", { argument });
    return again === "all" ? sendAllAgain(sql) : sendAgain(sql, again);
  }
  if (argument === "retry") return retryNow(sql);
  if (argument !== null) return showOne(sql, argument, asksWho);
  return showAll(sql);
};

async function retryNow(sql: TransactionSql): Promise<string> {
  const { count } = await sql`
    update private.outbox set next_attempt_at = now()
    where state = 'queued' and attempts > 0 and next_attempt_at > now()`;
  await sql`select pg_notify('tournavis_outbox', '')`;
  await noteCommand(sql, "messages.retried", null);
  return fillText(operatorCopy.retried, { count });
}

async function showAll(sql: TransactionSql): Promise<string> {
  const rows = await sql<
    { state: string; channel: string; template: string; count: number; error: string | null }[]
  >`
    select state, channel, template, count(*)::integer as count,
      (array_agg(last_error order by id desc) filter (where last_error is not null))[1] as error
    from private.outbox where state in ('queued', 'failed')
    group by state, channel, template order by state, channel, template`;
  await noteCommand(sql, "messages.read", null);
  if (rows.length === 0) return operatorCopy.noMessage;
  const counted = rows.map(({ state, error, ...row }) =>
    fillText(operatorCopy.message, {
      ...row,
      state: operatorCopy.states[state] ?? state,
      error: error ?? "–",
    }),
  );
  return [...counted, ...(await givenUp(sql))].join("\n");
}

type GivenUp = {
  id: string;
  template: string;
  attempts: number;
  error: string | null;
  settled_at: Date;
  until: Date;
  verdict: "kept" | "expired" | "emptied";
};

/** The newest messages that were given up, each with whether it can be sent again. */
async function givenUp(sql: TransactionSql): Promise<string[]> {
  const rows = await sql<GivenUp[]>`
    select o.id, o.template, o.attempts, o.last_error as error, o.settled_at,
      case when lasts then o.settled_at + interval '7 days' else o.expires_at end as until,
      case
        when not lasts and o.expires_at <= now() then 'expired'
        when o.data = '{}' and o.channel <> 'payment' then 'emptied'
        else 'kept'
      end as verdict
    from private.outbox o cross join private.is_lasting(o.template) lasts
    where o.state = 'failed' order by o.settled_at desc, o.id limit ${MAX_LISTED}`;
  const [total] = await sql<{ count: number }[]>`
    select count(*)::integer as count from private.outbox where state = 'failed'`;
  const left = (total?.count ?? 0) - rows.length;
  return [
    ...rows.map(({ settled_at, until, error, verdict, ...row }) =>
      fillText(operatorCopy.givenUp, {
        ...row,
        at: settled_at.toISOString(),
        error: error ?? "–",
        verdict: fillText(operatorCopy.given[verdict], { id: row.id, day: until.toISOString() }),
      }),
    ),
    ...(left > 0 ? [fillText(operatorCopy.more, { count: left })] : []),
  ];
}

async function showOne(sql: TransactionSql, argument: string, asksWho: boolean): Promise<string> {
  const [row] = await sql<
    {
      id: string;
      state: string;
      channel: string;
      template: string;
      recipient: string;
      attempts: number;
      error: string | null;
      created_at: Date;
    }[]
  >`
    select id, state, channel, template, recipient, attempts, last_error as error, created_at
    from private.outbox where id = ${idIn(argument)}`;
  if (row === undefined) throw new StartupError("operator_unknown_message");
  await noteCommand(sql, asksWho ? "message.address_read" : "message.read", row.id);
  const { recipient, created_at, error, state, ...message } = row;
  return fillText(operatorCopy.one, {
    ...message,
    state: (operatorCopy.states[state] ?? state).trim(),
    at: created_at.toISOString(),
    error: error ?? "–",
    who: asksWho ? fillText(operatorCopy.who, { recipient }) : "",
  });
}

type Outcome = "unknown" | keyof typeof operatorCopy.again;

async function queueAgain(sql: TransactionSql, id: string | null): Promise<Outcome> {
  const [row] = await sql<{ outcome: Outcome }[]>`select private.queue_again(${id}) as outcome`;
  return row?.outcome ?? "unknown";
}

async function sendAgain(sql: TransactionSql, argument: string): Promise<string> {
  const id = idIn(argument);
  const outcome = await queueAgain(sql, id);
  if (outcome === "unknown") throw new StartupError("operator_unknown_message");
  await noteCommand(sql, "message.queued_again", id, outcome);
  return fillText(operatorCopy.again[outcome], { id: argument });
}

async function sendAllAgain(sql: TransactionSql): Promise<string> {
  const rows = await sql<{ id: string }[]>`
    select id from private.outbox where state = 'failed' order by id`;
  let queued = 0;
  for (const { id } of rows) {
    if ((await queueAgain(sql, id)) !== "queued") continue;
    await noteCommand(sql, "message.queued_again", id, "queued");
    queued += 1;
  }
  if (queued === 0) await noteCommand(sql, "messages.queued_again", null);
  return fillText(operatorCopy.againAll, { queued, left: rows.length - queued });
}
