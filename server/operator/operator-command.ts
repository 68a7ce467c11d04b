import type { TransactionSql } from "postgres";

/** What a command was given beside its name. */
type Given = { argument: string | null; check: string | null; isSure: boolean };

/** A command of the operator: does its work and notes it in one transaction, and answers what to say. */
export type OperatorCommand = (sql: TransactionSql, given: Given) => Promise<string>;
