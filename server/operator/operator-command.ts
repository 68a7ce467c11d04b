import type { TransactionSql } from "postgres";

/** Arguments of a command beside its name. */
type Given = {
  argument: string | null;
  check: string | null;
  isSure: boolean;
  /** Message to send again, or « all ». */
  again: string | null;
  /** Whether a message's address is asked for. */
  asksWho: boolean;
  /** File to write. */
  file: string | null;
};

/** A command of the operator: does its work and notes it in one transaction, and answers what to say. */
export type OperatorCommand = (sql: TransactionSql, given: Given) => Promise<string>;
