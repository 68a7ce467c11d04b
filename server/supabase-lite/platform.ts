import type { IntrospectResult } from "@supabase/lite";
import type { Sql } from "postgres";
import { z } from "zod";
import { bearerToken } from "../../supabase/functions/_shared/http/bearer.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Connections } from "../postgres/connections.ts";
import { IDLE_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from "../postgres/timeouts.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { limitAnswers } from "./answer-size.ts";
import { createContents } from "./contents.ts";
import { withFilters } from "./filters.ts";
import { readAlone } from "./reading-calls.ts";
import { refusalResponse, reportRefusals, takeBackRefused, whileAnswering } from "./refusals.ts";
import { readRelations } from "./relations.ts";
import { typeValues } from "./typed-values.ts";
import { writtenTypes } from "./written-types.ts";

/** Supabase Lite on our database: the data API, and the storage. */
export type Platform = {
  /** Answers `rest/v1`. */
  data(request: Request): Promise<Response>;
  /** Answers `storage/v1`. */
  storage(request: Request): Promise<Response>;
  /** Connections of the data API: an account that may become who asks. */
  pool: Sql;
  /** Catalog of the database, as the library has read it. */
  introspect(): Promise<IntrospectResult>;
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
 * Sign-in is none of its business (docs/decisions/013-authentication-service.md): it only reads tokens that were checked.
 */
export async function startPlatform(options: {
  connections: Pick<Connections, "optionsFor" | "lostLately">;
  loginUrl: string;
  secrets: Pick<Secrets, "publishableKey" | "secretKey">;
  /** The secret of the tokens that the library reads: ours, signed anew. */
  librarySecret: string;
  tokens: Pick<Tokens, "handOn">;
  /** Connections that read and write the bytes of files. */
  sql: Sql;
}): Promise<Platform> {
  const { connections, loginUrl, secrets, librarySecret, tokens, sql } = options;
  const [{ App, setExperimental }, { createPostgresConnection }] = await Promise.all([
    import("@supabase/lite"),
    import("@supabase/lite/postgres"),
  ]);

  const connection = createPostgresConnection({
    url: loginUrl,
    postgresOptions: connections.optionsFor(loginUrl, {
      max: POOL_SIZE,
      types: writtenTypes,
      connection: {
        application_name: "tournavis api",
        statement_timeout: STATEMENT_TIMEOUT_MS,
        idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
      },
    }),
  });
  keepPrivileges(connection);
  reportRefusals(connection);
  typeValues(connection);
  readAlone(connection);
  limitAnswers(connection);
  takeBackRefused(connection);
  readRelations(connection);

  const app = new App({
    connection,
    auth: {
      // It knows one secret, and reads what `tokens` hands on; its own routes are not mounted.
      enabled: true,
      jwt_secret: librarySecret,
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
  // No peer address: whatever else is configured, no request counts as an administrator's.
  // The library calls a lost connection many things, from « failure » to « no such function »: they are all the same one.
  const answer = async (request: Request) => {
    const response = await unlessUnable(
      await app.fetch(handOn(request, tokens), { peerAddress: null }),
    );
    if (response.status < 400 || !connections.lostLately()) return response;
    if (response.status >= 500 || (await namesSchema(response))) throw new DatabaseLost();
    return response;
  };
  return {
    data: (request) => whileAnswering(() => withFilters(request, answer)),
    storage: answer,
    pool: connection.driver,
    introspect: () => connection.introspect({ useCache: true }),
    close: () => connection.driver.end({ timeout: CLOSE_S }),
  };
}

/** A request whose token the library can read; one that none of our keys signed stays, for the library to refuse. */
function handOn(request: Request, tokens: Pick<Tokens, "handOn">): Request {
  const token = bearerToken(request);
  const handed = token && tokens.handOn(token);
  if (!handed) return request;
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${handed}`);
  return new Request(request, { headers });
}

/** The library's answer to what it does not do: changed rows of a view, selected as anything but plain columns. */
const unable = z.object({ code: z.literal("PGRSTXXX"), message: z.string() });

/**
 * Answers a feature that the library lacks as the request's failure, as PostgREST words it, and not
 * as this program's.
 */
async function unlessUnable(response: Response): Promise<Response> {
  if (response.status !== 500) return response;
  const said = unable.safeParse(await bodyOf(response)).data;
  if (!said) return response;
  const words = { code: "PGRST127", message: "Feature not implemented", hint: null };
  return refusalResponse(400, { ...words, details: said.message });
}

/** Refusals of what the library does not find in the schema that it has read: perhaps it could not. */
const schemaRefusal = z.object({
  code: z.string().regex(/^(PGRST20\d|PGRST125|42P01|42703|42883)$/),
});

/** Whether an answer says that something is not there. */
async function namesSchema(response: Response): Promise<boolean> {
  return schemaRefusal.safeParse(await bodyOf(response)).success;
}

/** Body of an answer, which can be read again; null for a body that is no JSON. */
function bodyOf(response: Response): Promise<unknown> {
  return response
    .clone()
    .json()
    .catch(() => null);
}

/** A connection ended before an answer was made, which may be wrong therefore. */
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
