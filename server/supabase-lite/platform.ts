import { AsyncLocalStorage } from "node:async_hooks";
import type { Sql } from "postgres";
import { isDatabaseAway } from "../../supabase/functions/_shared/http/database-away.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Connections } from "../postgres/connections.ts";
import { IDLE_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from "../postgres/timeouts.ts";
import { createContents } from "./contents.ts";
import { reportRefusals, whileAnswering } from "./refusals.ts";
import { readRelations } from "./relations.ts";
import { typeValues } from "./typed-values.ts";
import { writtenTypes } from "./written-types.ts";

/** Supabase Lite on our database: the data API, and the storage. */
export type Platform = {
  /** Answers `rest/v1`. */
  data(request: Request): Promise<Response>;
  /** Answers `storage/v1`. */
  storage(request: Request): Promise<Response>;
  close(): Promise<void>;
};

/** Connections of the data API; what waits beyond them waits in our queue, not in PostgreSQL. */
const POOL_SIZE = 10;

/** How long its last statements may take when the server stops: without a bound, those whose client left keep it. */
const CLOSE_S = 5;

/**
 * Starts the data API. Its library is loaded here, not before: it takes half a
 * second, and phone pages and server functions need not wait for it.
 *
 * Sign-in is none of its business (docs/decisions/013-authentication-service.md): it only checks tokens.
 */
export async function startPlatform(options: {
  connections: Pick<Connections, "options" | "ended">;
  loginUrl: string;
  secrets: Secrets;
  /** Connections that read and write the bytes of files. */
  sql: Sql;
}): Promise<Platform> {
  const { connections, loginUrl, secrets, sql } = options;
  const [{ App, setExperimental }, { createPostgresConnection }] = await Promise.all([
    import("@supabase/lite"),
    import("@supabase/lite/postgres"),
  ]);

  const connection = createPostgresConnection({
    url: loginUrl,
    postgresOptions: {
      ...connections.options,
      max: POOL_SIZE,
      types: writtenTypes,
      connection: {
        application_name: "tournavis api",
        statement_timeout: STATEMENT_TIMEOUT_MS,
        idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
      },
    },
  });
  noteLosses(connection);
  keepPrivileges(connection);
  reportRefusals(connection);
  typeValues(connection);
  readRelations(connection);

  const app = new App({
    connection,
    auth: {
      // It checks the access tokens that our own service signs; its own routes are not mounted.
      enabled: true,
      jwt_secret: secrets.jwtSecret,
      publishable_key: secrets.publishableKey,
      secret_key: secrets.secretKey,
      enable_signup: false,
    },
    studio: { enabled: false },
    // Its buckets are the migrations' business.
    storage: { enabled: true },
    options: {
      server: { admin: false, disableStudio: true },
    },
  });
  app._storageAdapter = createContents(sql);
  await app.init();
  // Asked for by name at each request, and warned about when it is known at init(): docs/decisions/036 says why we do.
  setExperimental("storage", true);
  // No peer address: whatever else is configured, nobody is taken for an administrator.
  // The library calls a lost connection many things, from « failure » to « no such function »: they are all the same one.
  const answer = async (request: Request) => {
    const before = connections.ended();
    const noted = { isLost: false };
    const response = await losses.run(noted, async () => app.fetch(request, { peerAddress: null }));
    const isDoubtful = response.status >= 500 || response.status === 404;
    if (isDoubtful && (noted.isLost || connections.ended() !== before)) throw new DatabaseLost();
    return response;
  };
  return {
    data: (request) => whileAnswering(() => answer(request)),
    storage: answer,
    close: () => connection.driver.end({ timeout: CLOSE_S }),
  };
}

/** Notes, while a request is answered, that what it asked the database for failed with a connection. */
const losses = new AsyncLocalStorage<{ isLost: boolean }>();

/** What the library asks a connection for. */
type Asked = Record<"introspect" | "withContext", (...parts: never[]) => Promise<unknown>>;

/** Has the library's connection note losses for the request that met them, also where several wait for one answer. */
function noteLosses(connection: Asked): void {
  for (const name of ["introspect", "withContext"] as const) {
    const ask = connection[name].bind(connection);
    const value = async (...parts: never[]) => {
      try {
        return await ask(...parts);
      } catch (error) {
        const noted = losses.getStore();
        if (noted && isDatabaseAway(error)) noted.isLost = true;
        throw error;
      }
    };
    // What reads relations stands in front of it.
    Object.defineProperty(connection, name, { value, configurable: true });
  }
}

/** A connection ended while an answer was made, which may be wrong therefore. */
class DatabaseLost extends Error {
  override readonly name = "DatabaseLost";
  readonly code = "CONNECTION_CLOSED";
}

/**
 * On its first request Supabase Lite would create the roles and grant them everything on
 * every table with row-level security. Ours exist, and their rights are the migrations'
 * business. (The login account could not grant anything anyway, but trying fails.)
 */
function keepPrivileges(connection: object): void {
  Object.defineProperty(connection, "ensureRlsContext", { value: async () => true });
}
