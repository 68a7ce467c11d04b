import postgres, { type TransactionSql } from "postgres";
import { StartupError } from "../start/startup-error.ts";
import { operatorCopy } from "./operator.copy.ts";
import type { OperatorCommand } from "./operator-command.ts";
import { findAccount, findCustomer, required } from "./subjects.ts";
import { noteCommand } from "./trail.ts";

/** Of an organisation's last owner, from SQL. */
const LAST_OWNER = "TV104";

/** Somebody whom the law lets ask: with an account, or a merchant's customer. */
type Somebody = { kind: "account"; id: string } | { kind: "customer"; id: string; orgId: string };

/** `export`: everything that is kept of somebody (right of access), as JSON. */
export const exportSomebody: OperatorCommand = async (sql, { argument }) => {
  const somebody = await requireSomebody(sql, argument);
  const [row] =
    somebody.kind === "account"
      ? await sql<{ data: unknown }[]>`select private.export_account(${somebody.id}) as data`
      : await sql<{ data: unknown }[]>`
          select private.export_customer(${somebody.orgId}, ${somebody.id}) as data`;
  await noteCommand(sql, `${somebody.kind}.exported`, somebody.id);
  return JSON.stringify(row?.data, null, 2);
};

/** `erase`: forgets somebody for good (right to erasure). */
export const eraseSomebody: OperatorCommand = async (sql, { argument, isSure }) => {
  if (!isSure) throw new StartupError("operator_not_confirmed");
  const somebody = await requireSomebody(sql, argument);
  const { id } = somebody;
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
    // Before the account is locked: whoever joins a team locks that first.
    await sql`select private.release_account(${id})`;
    await sql`delete from auth.flow_state where user_id = ${id}`;
    await sql`delete from auth.users where id = ${id}`;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== LAST_OWNER) throw error;
    throw new StartupError("operator_last_owner", {}, { cause: error });
  }
}

async function requireSomebody(sql: TransactionSql, argument: string | null): Promise<Somebody> {
  const name = required(argument, "le compte ou le client");
  const account = await findAccount(sql, name);
  if (account !== null) return { kind: "account", id: account };
  const customer = await findCustomer(sql, name);
  if (customer === null) throw new StartupError("operator_nobody");
  return { kind: "customer", ...customer };
}
