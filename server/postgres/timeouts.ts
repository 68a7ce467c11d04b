/** Longest statement on a user's behalf, as on a hosted Supabase project for `authenticated`. */
export const STATEMENT_TIMEOUT_MS = 8_000;

/**
 * Longest pause within a transaction. Long, since it is this process that pauses, when it is busy: PostgreSQL then ends the
 * connection, and the library, which still has something to write, ends the process.
 */
export const IDLE_TIMEOUT_MS = 60_000;

/** Longest statement of a server function. */
export const FUNCTION_TIMEOUT_MS = 15_000;
