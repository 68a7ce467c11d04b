import type { TransactionSql } from "postgres";
import { fillText } from "../start/fill-text.ts";
import { StartupError } from "../start/startup-error.ts";
import { operatorCopy } from "./operator.copy.ts";
import type { OperatorCommand } from "./operator-command.ts";

/** Writes down what a command did, in its transaction: whose, by the identifier alone. */
export async function noteCommand(
  sql: TransactionSql,
  action: string,
  subjectId: string | null,
  note = "",
): Promise<void> {
  await sql`
    insert into private.operator_events (action, subject_id, note)
    values (${action}, ${subjectId}, ${note})`;
}

/** `trail`: the newest commands, newest first. */
export const showTrail: OperatorCommand = async (sql, { argument }) => {
  if (argument !== null) throw new StartupError("unknown_argument", { argument });
  const events = await sql<
    { actor: string; action: string; subject_id: string | null; note: string; created_at: Date }[]
  >`
    select actor, action, subject_id, note, created_at from private.operator_events
    order by id desc limit 50`;
  await noteCommand(sql, "trail.read", null);
  if (events.length === 0) return operatorCopy.nothing;
  return events
    .map(({ actor, action, subject_id, note, created_at }) =>
      fillText(operatorCopy.event, {
        at: created_at.toISOString(),
        actor: operatorCopy.actors[actor] ?? actor,
        action,
        subject: subject_id ?? "–",
        note,
      }).trimEnd(),
    )
    .join("\n");
};
