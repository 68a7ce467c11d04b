import type { TransactionSql } from "postgres";
import { StartupError } from "../start/startup-error.ts";
import { operatorCopy } from "./operator.copy.ts";
import type { OperatorCommand } from "./operator-command.ts";
import { idIn, required } from "./subjects.ts";
import { noteCommand } from "./trail.ts";

/** `suspend`: closes an organisation to the public, and its back-office to changes. */
export const suspendOrganization: OperatorCommand = (sql, { argument }) =>
  change(sql, argument, { isSuspended: true });

/** `resume`: opens both again. */
export const resumeOrganization: OperatorCommand = (sql, { argument }) =>
  change(sql, argument, { isSuspended: false });

async function change(
  sql: TransactionSql,
  argument: string | null,
  { isSuspended }: { isSuspended: boolean },
): Promise<string> {
  const name = required(argument, "l'organisation");
  const [organization] = await sql<{ id: string }[]>`
    select id from public.organizations where id = ${idIn(name)} or slug = ${name}`;
  if (organization === undefined) throw new StartupError("operator_nobody");
  const { id } = organization;
  const [row] = await sql<{ changed: boolean }[]>`
    select private.suspend_organization(${id}, ${isSuspended}) as changed`;
  await noteCommand(sql, isSuspended ? "organization.suspended" : "organization.resumed", id);
  if (!row?.changed) return operatorCopy.already;
  return isSuspended ? operatorCopy.suspendDone : operatorCopy.resumeDone;
}
