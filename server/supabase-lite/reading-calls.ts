import { AsyncLocalStorage } from "node:async_hooks";
import type { AnyAST, ConnectionContextOptions } from "@supabase/lite";

/** Set while a call by its address is answered whose arguments the library gets in a body. */
const reading = new AsyncLocalStorage<true>();

/** Answers a call in a scope where it is one by GET, whatever method the library sees. */
export function whileReading<T>(answer: () => T): T {
  return reading.run(true, answer);
}

type Context<T, Db> = [
  vars: unknown,
  run: (db: Db) => Promise<T>,
  options?: ConnectionContextOptions,
];

/** Has such calls read their arguments as those of an address, change nothing, and tell the function their own method. */
export function readAlone<Db>(connection: {
  onPostgrestAST(ast: AnyAST): Promise<AnyAST>;
  withContext<T>(...context: Context<T, Db>): Promise<T>;
}): void {
  const onPostgrestAST = connection.onPostgrestAST.bind(connection);
  const withContext = connection.withContext.bind(connection);
  const asRead = (ast: AnyAST): AnyAST =>
    reading.getStore() ? { ...ast, httpMethod: "GET" } : ast;
  const whenRead = ({ rpc, ...options }: ConnectionContextOptions): ConnectionContextOptions => ({
    ...options,
    ...(rpc && { rpc: reading.getStore() ? { ...rpc, method: "GET", readOnly: true } : rpc }),
  });
  // Others wrap these methods later.
  Object.defineProperties(connection, {
    onPostgrestAST: { configurable: true, value: (ast: AnyAST) => onPostgrestAST(asRead(ast)) },
    withContext: {
      configurable: true,
      value: <T>(...[vars, run, options = {}]: Context<T, Db>): Promise<T> =>
        withContext(vars, run, whenRead(options)),
    },
  });
}
