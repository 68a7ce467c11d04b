import type { Asker } from "./claims.ts";
import type { Preferences } from "./preferences.ts";
import type { Row, RunOptions } from "./transaction.ts";

/** A request as the executor needs it. */
export type Asked = {
  method: string;
  url: URL;
  headers: Headers;
  /** Body that was sent; empty for nothing. Read last, once the rest of the request is known to be covered. */
  body: () => Promise<string>;
  /** The keyed hash of the client's address, for functions that count. */
  address: () => string;
};

/** A request with its asker, and the way to run the statement that answers it. */
export type Question = {
  asked: Asked;
  asker: Asker;
  preferences: Preferences;
  /** Runs a statement as the asker: the row that it returns, or the response for its refusal. */
  run(
    statement: { text: string; values: readonly (string | null)[] },
    options: RunOptions,
  ): Promise<Row | Response>;
};
