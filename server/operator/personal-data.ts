import postgres, { type TransactionSql } from "postgres";
import { fillText } from "../start/fill-text.ts";
import { StartupError } from "../start/startup-error.ts";
import { writeNewFile } from "./new-file.ts";
import { operatorCopy } from "./operator.copy.ts";
import type { OperatorCommand } from "./operator-command.ts";
import { endOrganization, exportOrganization } from "./organizations.ts";
import { findAccount, findCustomer, findOrganization, required } from "./subjects.ts";
import { noteCommand } from "./trail.ts";

/** Of an organisation's last owner, from SQL. */
const LAST_OWNER = "TV104";

/** Somebody whom the law lets ask: with an account, a merchant's customer, or the merchant for the whole organisation. */
type Somebody =
  | { kind: "account"; id: string }
  | { kind: "customer"; id: string; orgId: string }
  | { kind: "organization"; id: string };

/** `export`: everything that is kept of somebody (right of access), as JSON, in the terminal or in a new file. */
export const exportSomebody: OperatorCommand = async (sql, { argument, file }) => {
  // One instant for all tables of an archive.
  await sql`set transaction isolation level repeatable read`;
  const somebody = await requireSomebody(sql, argument);
  if (somebody.kind === "organization") return exportOrganization(sql, somebody.id, file);
  const [row] =
    somebody.kind === "account"
      ? await sql<{ data: unknown }[]>`
          select private.copy_account(${somebody.id}) as data`
      : await sql<{ data: unknown }[]>`
          select private.export_customer(${somebody.orgId}, ${somebody.id}) as data`;
  await noteCommand(sql, `${somebody.kind}.exported`, somebody.id);
  const text = JSON.stringify(row?.data, null, 2);
  if (file === null) return text;
  await writeNewFile(file, [`${text}\n`]);
  return fillText(operatorCopy.exportedPerson, { file });
};

/** `erase`: forgets somebody for good (right to erasure). */
export const eraseSomebody: OperatorCommand = async (sql, { argument, isSure }) => {
  if (!isSure) throw new StartupError("operator_not_confirmed");
  const somebody = await requireSomebody(sql, argument);
  const { id } = somebody;
  if (somebody.kind === "organization") return endOrganization(sql, id);
  if (somebody.kind === "account") await eraseAccount(sql, id);
  else {
    await sql`select private.erase_customer_data(${somebody.orgId}, ${id})`;
    await sql`select private.audit_as(${somebody.orgId}, null, 'customer.erased', 'customer', ${id})`;
  }
  await noteCommand(sql, `${somebody.kind}.erased`, id);
  return somebody.kind === "account" ? operatorCopy.erasedAccount : operatorCopy.erasedCustomer;
};

async function eraseAccount(sql: TransactionSql, id: string): Promise<void> {
  try {
    await sql`select private.erase_account(${id})`;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== LAST_OWNER) throw error;
    throw new StartupError("operator_last_owner", {}, { cause: error });
  }
}

async function requireSomebody(sql: TransactionSql, argument: string | null): Promise<Somebody> {
  const name = required(argument, "le compte, le client ou l'organisation");
  const account = await findAccount(sql, name);
  if (account !== null) return { kind: "account", id: account };
  const customer = await findCustomer(sql, name);
  if (customer !== null) return { kind: "customer", ...customer };
  const organization = await findOrganization(sql, name);
  if (organization === null) throw new StartupError("operator_nobody");
  return { kind: "organization", id: organization };
}
