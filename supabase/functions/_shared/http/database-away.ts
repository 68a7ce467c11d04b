import { errorCode } from "./error-code.ts";

/** Codes of the driver and of the system that mean « no answer from PostgreSQL ». */
const UNANSWERED =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|DATABASE_AWAY|E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/;

/**
 * SQLSTATEs of a PostgreSQL that cannot serve at present: connection failures, shutdown, crash of another backend, start, too
 * many connections, and a primary that has become a standby.
 */
const UNABLE = /^(08\w{3}|57P0[123]|53300|25006)$/;

/** Whether something failed because the database could not be reached: another try may succeed. What it did before is not known. */
export function isDatabaseAway(error: unknown): boolean {
  const code = errorCode(error);
  return UNANSWERED.test(code) || UNABLE.test(code);
}

/** Whether something could not be written because the database's disk is full. */
export function isDiskFull(error: unknown): boolean {
  return errorCode(error) === "53100";
}

/** Whether something failed for a reason that is the database's, and passes. */
export function isDatabaseUnable(error: unknown): boolean {
  return isDatabaseAway(error) || isDiskFull(error);
}

/** SQLSTATEs of a statement that a time limit, a deadlock or a conflict with another one has ended. */
const GIVEN_UP = /^(57014|40001|40P01|55P03)$/;

/** Whether a statement was ended, with nothing written, because others stood in its way: another try may succeed. */
export function isGivenUp(error: unknown): boolean {
  return GIVEN_UP.test(errorCode(error));
}

/** When to try again, in seconds. */
export const DATABASE_RETRY_S = 2;
