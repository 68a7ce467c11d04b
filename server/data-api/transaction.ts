import type { Sql } from "postgres";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import type { Asker } from "./claims.ts";

/** A statement that answers one row, and the values of its parameters as PostgreSQL reads them. */
type Statement = {
  text: string;
  values: readonly (string | null)[];
  /** Prepared on the connection for the next time; see `prepare-policy.ts`. */
  isPrepared: boolean;
};

/** Facts that functions may read of the request that called them; null where none is called. */
type RequestFacts = { method: string; path: string; headers: string } | null;

/** How a statement is run. */
export type RunOptions = {
  isReading: boolean;
  request: RequestFacts;
  /** Most rows (`total`) with which it is committed: its end waits for its answer then. */
  mostRows?: number | null;
  /** Committed only when its answer has one row (`rows`): its end waits for the answer, too. */
  isOneRow?: boolean;
};

/** The one row that a statement answers: texts. */
export type Row = Readonly<Record<string, string | null>>;

/** SQLSTATE of a prepared statement that PostgreSQL does not know. */
const NOT_PREPARED = "26000";

/** A statement was not run within its transaction, as its asker: nothing of it was done. */
class NothingDone extends Error {
  readonly code = "25P01";
}

/** A statement that affected more rows than the client allows: it was rolled back. */
export class TooManyRows extends Error {
  readonly rows: number;

  constructor(rows: number) {
    super("more rows than asked for");
    this.rows = rows;
  }
}

/** A statement that affected no row or several, where the client expects one: it was rolled back. */
export class NotOneRow extends Error {
  readonly rows: number;

  constructor(rows: number) {
    super("not one row");
    this.rows = rows;
  }
}

/** Column by which each statement says that it was run as who asked. */
export const AS_ASKED = "as_asked";

const IDENTITY = [
  "role",
  "request.jwt.claim.role",
  "request.jwt.claim.sub",
  "request.jwt.claims",
  "storage.operation",
] as const;

const REQUEST = [
  "response.status",
  "response.headers",
  "request.method",
  "request.path",
  "request.headers",
] as const;

/** Settings of this transaction alone: nothing of them is left when it is over, whichever way. */
function settingsOf(names: readonly string[]): string {
  const settings = names.map((name, index) => `set_config('${name}', $${index + 1}, true)`);
  return `select ${settings.join(", ")}`;
}

const SET_IDENTITY = settingsOf(IDENTITY);
const SET_ALL = settingsOf([...IDENTITY, ...REQUEST]);

/**
 * Runs one statement as its asker, in a transaction of its own and in one round trip: nothing waits for an answer before
 * the next message is sent. Whatever fails first is what happened; PostgreSQL refuses all that follows it, and the
 * commit at the end rolls back.
 *
 * Should the transaction not have begun, the statement would run as the account that logs in, which may do more than
 * who asks. Each therefore looks at its role before it does anything (`asRole`), and tells.
 *
 * A pooler's other connection, or `deallocate`, does not know what was prepared: nothing was done, and all is sent once
 * more. After a lost connection nothing is, since it is unknown what was done.
 */
export async function runAs(...request: Parameters<typeof runOnce>): Promise<Row> {
  try {
    return await runOnce(...request);
  } catch (error) {
    if (errorCode(error) !== NOT_PREPARED) throw error;
    return runOnce(...request);
  }
}

async function runOnce(
  pool: Sql,
  { role, claims }: Asker,
  statement: Statement,
  { isReading, request, mostRows = null, isOneRow = false }: RunOptions,
): Promise<Row> {
  const subject = typeof claims.sub === "string" ? claims.sub : "";
  const identity = [role, role, subject, JSON.stringify(claims), ""];
  const settings = request
    ? [...identity, "", "", request.method, request.path, request.headers]
    : identity;
  const isWaiting = mostRows !== null || isOneRow;
  const connection = await pool.reserve();
  const steps = await Promise.allSettled([
    connection.unsafe(isReading ? "begin read only" : "begin"),
    connection.unsafe(request ? SET_ALL : SET_IDENTITY, settings, { prepare: true }),
    connection.unsafe<Row[]>(
      statement.text,
      [...statement.values],
      asPrepared(statement.isPrepared),
    ),
    ...(isWaiting ? [] : [connection.unsafe("commit")]),
  ]);
  const [row] = steps[2].status === "fulfilled" ? steps[2].value : [];
  const rows = Number(row?.rows);
  const total = Number(row?.total);
  const isTooMany = mostRows !== null && !(total <= mostRows);
  const isOther = isOneRow && rows !== 1;
  if (isWaiting) {
    const end = connection.unsafe(isTooMany || isOther ? "rollback" : "commit");
    steps.push(...(await Promise.allSettled([end])));
  }
  connection.release();
  const failed = steps.find((step) => step.status === "rejected");
  if (failed) throw failed.reason;
  if (row?.[AS_ASKED] !== "true") throw new NothingDone("a statement outside its transaction");
  if (isTooMany) throw new TooManyRows(total);
  if (isOther) throw new NotOneRow(rows);
  return row;
}

/** Options of a statement, whose types leave out « simple »: that protocol, the driver's for what has no values, keeps none. */
function asPrepared(isPrepared: boolean): { prepare: boolean; simple: boolean } {
  return { prepare: isPrepared, simple: false };
}

/** Condition without which a statement does nothing: that it is run as a role. */
export function asRole(role: Asker["role"]): string {
  return `current_user = '${role}'`;
}
