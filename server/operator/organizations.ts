import type { TransactionSql } from "postgres";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { exportDay } from "../../supabase/functions/_shared/http/export.ts";
import { archiveOf } from "../../supabase/functions/export-organization/archive.ts";
import type { ExportTable } from "../../supabase/functions/export-organization/rows.ts";
import { fillText } from "../start/fill-text.ts";
import { StartupError } from "../start/startup-error.ts";
import { writeNewFile } from "./new-file.ts";
import { operatorCopy } from "./operator.copy.ts";
import type { OperatorCommand } from "./operator-command.ts";
import { findOrganization, required } from "./subjects.ts";
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
  const id = await findOrganization(sql, name);
  if (id === null) throw new StartupError("operator_nobody");
  const [row] = await sql<{ changed: boolean }[]>`
    select private.suspend_organization(${id}, ${isSuspended}) as changed`;
  await noteCommand(sql, isSuspended ? "organization.suspended" : "organization.resumed", id);
  if (!row?.changed) return operatorCopy.already;
  return isSuspended ? operatorCopy.suspendDone : operatorCopy.resumeDone;
}

/** Refusals of an end, from SQL. */
const ALREADY_ENDING = "TV107";
const PAYMENTS_RUNNING = "TV108";

/** `erase` of an organisation: begins the same 30 days as when its owner asks, so that it can be undone. */
export async function endOrganization(sql: TransactionSql, id: string): Promise<string> {
  // Before any row, as in end_organization.
  await sql`select private.lock_billing(${id})`;
  const day = await sql
    .savepoint(async (work) => {
      const [row] = await work<{ day: string }[]>`
        select to_char(private.begin_end(${id}, null, null), 'YYYY-MM-DD') as day`;
      return row?.day ?? null;
    })
    .catch((error: unknown) => {
      const code = errorCode(error);
      if (code === PAYMENTS_RUNNING) {
        throw new StartupError("operator_payments_running", {}, { cause: error });
      }
      if (code === ALREADY_ENDING) return null;
      throw error;
    });
  await noteCommand(sql, "organization.erasure_begun", id);
  return day === null ? operatorCopy.already : fillText(operatorCopy.endingDone, { day });
}

/** `export` of an organisation: the same archive as its owner downloads, in a file that the operator's account alone reads. */
export async function exportOrganization(
  sql: TransactionSql,
  id: string,
  file: string | null,
): Promise<string> {
  if (file === null) throw new StartupError("operator_missing", { what: "--file archive.zip" });
  await noteCommand(sql, "organization.exported", id);
  await sql`
    select private.audit_as(${id}, null, 'organization.exported', 'organization', ${id},
      (select jsonb_build_object('name', name) from public.organizations where id = ${id}))`;
  const tables = await sql<ExportTable[]>`
    select name, columns, query from public.export_organization(${id})`;
  await writeNewFile(file, archiveOf(sql, tables, exportDay(new Date())));
  return fillText(operatorCopy.exportedTo, { file });
}
