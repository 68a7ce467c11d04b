import { AsyncLocalStorage } from "node:async_hooks";
import { z } from "zod";
import {
  DATABASE_RETRY_S,
  isDatabaseAway,
} from "../../supabase/functions/_shared/http/database-away.ts";
import { statusOf } from "./statuses.ts";

/** Code with which the library says that it met an error that it does not know, in that error's words. */
const UNKNOWN = "SUP";

/**
 * SQLSTATEs whose details PostgreSQL writes of a row: a function that acts as its owner would show all of it. What a function
 * raises itself it has worded for whoever asks.
 */
const OF_ROWS = ["23502", "23514", "44000"];
const RAISED = "exec_stmt_raise";

/** Error of PostgreSQL when it refuses a statement. */
const databaseError = z
  .object({
    code: z.string().regex(/^[0-9A-Z]{5}$/),
    severity: z.string(),
    message: z.string(),
    detail: z.string().optional(),
    hint: z.string().optional(),
    /** Part of PostgreSQL that refuses. */
    routine: z.string().optional(),
  })
  .transform(({ routine, detail, ...facts }) => ({
    ...facts,
    detail: OF_ROWS.includes(facts.code) && routine !== RAISED ? undefined : detail,
  }));

/** SQLSTATE by which a function words the whole answer itself, which the library knows. */
const WORDED = "PGRST";

/**
 * SQLSTATEs that the library answers as PostgREST does: it knows who asks, and mends what its own statements name
 * otherwise than PostgREST's.
 */
const LEFT_TO_LIBRARY = ["42501", "42703", "42883", WORDED];

/** A failure that is reported in the response and the log beside it: nothing else needs to report it. */
export class ReportedFailure extends Error {
  readonly code: string;
  readonly detail: string | undefined;
  readonly hint: string | undefined;

  constructor(facts: { code: string; message: string; detail?: string; hint?: string }) {
    super(facts.message);
    this.name = "ReportedFailure";
    this.code = facts.code;
    this.detail = facts.detail;
    this.hint = facts.hint;
  }
}

/** The words of a refusal in PostgREST's form. */
type Words = {
  code: string;
  message: string;
  details: string | null | readonly Readonly<Record<string, string>>[];
  hint: string | null;
};

/** Answer of the data API while its database is away, in PostgREST's words. */
export const NO_DATABASE: Words = {
  code: "PGRST001",
  message: "Database client error. Retrying the connection.",
  details: null,
  hint: null,
};

/** A refusal with words of its own: the form in which a function would raise it. */
export function worded(status: number, words: Words): ReportedFailure {
  return new ReportedFailure({
    code: WORDED,
    message: JSON.stringify(words),
    detail: JSON.stringify({ status, headers: {} }),
  });
}

/**
 * Rewords a statement's error so that the library answers as PostgREST does; an unknown error stays
 * as it is.
 */
function told(error: unknown): unknown {
  const refused = databaseError.safeParse(error);
  if (refused.success) {
    const { code, message, detail, hint } = refused.data;
    if (LEFT_TO_LIBRARY.includes(code)) {
      return new ReportedFailure({
        code,
        message,
        ...(detail && { detail }),
        ...(hint && { hint }),
      });
    }
    const words = { code, message, details: detail ?? null, hint: hint ?? null };
    return worded(statusOf(code), words);
  }
  return isDatabaseAway(error) ? worded(503, NO_DATABASE) : error;
}

/** Message and detail of a function that words the whole answer itself, as PostgREST reads them. */
const ownWords = z.object({
  code: z.string(),
  message: z.string(),
  details: z.string().nullish(),
  hint: z.string().nullish(),
});
const ownAnswer = z.object({
  status: z.int().min(200).max(599),
  headers: z.record(z.string(), z.unknown()),
});

function readJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

/**
 * The answer to what a statement of the data API's own executor threw, in the same words as the library's;
 * null where nothing is known of it.
 */
export function answerOf(error: unknown, isAnonymous: boolean): Response | null {
  const refused = databaseError.safeParse(error);
  // An error that ends a connection is no refusal of a statement.
  if (!refused.success || refused.data.severity !== "ERROR") {
    return isDatabaseAway(error) ? refusalResponse(503, NO_DATABASE) : null;
  }
  const { code, message, detail = null, hint = null } = refused.data;
  if (code === WORDED) return answerInOwnWords(message, detail);
  const status = code === "42501" && isAnonymous ? 401 : statusOf(code);
  return refusalResponse(status, { code, message, details: detail, hint });
}

function answerInOwnWords(message: string, detail: string | null): Response {
  const words = ownWords.safeParse(readJson(message)).data;
  const facts = ownAnswer.safeParse(readJson(detail ?? undefined)).data;
  if (!words || !facts) {
    return refusalResponse(500, {
      code: "PGRST121",
      message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
      details: words
        ? detail
          ? `Invalid JSON value for DETAIL: '${detail}'`
          : "DETAIL is missing in the RAISE statement"
        : `Invalid JSON value for MESSAGE: '${message}'`,
      hint: words
        ? "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."
        : "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    });
  }
  const { code, details = null, hint = null } = words;
  const response = refusalResponse(facts.status, { code, message: words.message, details, hint });
  for (const [name, value] of Object.entries(facts.headers)) {
    if (typeof value === "string") response.headers.set(name, value);
  }
  return response;
}

/** Code of the refusal of one row where the answer would have none or several. */
const NOT_ONE_ROW = "PGRST116";

type Context<T, Db> = [vars: unknown, run: (db: Db) => Promise<T>, options?: unknown];

/**
 * Rolls everything back when the number of rows violates the client's limit, as PostgREST does: the library notices after
 * its statement, and commits.
 */
export function takeBackRefused<Db>(connection: {
  withContext<T>(...context: Context<T, Db>): Promise<T>;
}): void {
  const withContext = connection.withContext.bind(connection);
  const run = async <T>(...[vars, answer, options]: Context<T, Db>): Promise<T> => {
    const refused: T[] = [];
    try {
      return await withContext<T>(
        vars,
        async (db) => {
          const given = await answer(db);
          if (!(given instanceof Response) || given.status !== 406) return given;
          if ((await codeOf(given)) !== NOT_ONE_ROW) return given;
          refused.push(given);
          throw new Error("not one row");
        },
        options,
      );
    } catch (error) {
      const [taken] = refused;
      if (taken === undefined) throw error;
      return taken;
    }
  };
  Object.defineProperty(connection, "withContext", { value: run });
}

/** Set while a request of the data API is answered: the storage judges errors of the same connection by their own codes. */
const answering = new AsyncLocalStorage<true>();

/** Answers a request of the data API in a scope where refusals are worded for it. */
export function whileAnswering<T>(answer: () => T): T {
  return answering.run(true, answer);
}

/** Whether the data API answers: each of its refusals is logged once (`refined`), whatever its library prints. */
export function isAnswering(): boolean {
  return answering.getStore() === true;
}

/** Supabase Lite makes « failure of the server » of most SQLSTATEs, with a text of its own; this gives it PostgREST's answers. */
export function reportRefusals(connection: { normalizeDbError(error: unknown): unknown }): void {
  const normalize = connection.normalizeDbError.bind(connection);
  Object.defineProperty(connection, "normalizeDbError", {
    value: (error: unknown) => (answering.getStore() ? told(normalize(error)) : normalize(error)),
  });
}

const refusalBody = z.object({ code: z.string() });

/** Headers of each answer by which pages of other sites may read it. */
export const OPEN_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Content-Range, Content-Location, Preference-Applied",
};

/** A refusal in PostgREST's form. */
export function refusalResponse(status: number, { code, message, details, hint }: Words): Response {
  const body = JSON.stringify({ code, details, hint, message });
  return new Response(body, {
    status,
    headers: {
      ...OPEN_HEADERS,
      "cache-control": "no-store",
      "content-length": String(Buffer.byteLength(body)),
      "content-type": "application/json; charset=utf-8",
    },
  });
}

/** The refusal of an unforeseen error. */
export function unforeseen(): Response {
  return refusalResponse(500, {
    code: "PGRSTX00",
    message: "Internal server error",
    details: null,
    hint: null,
  });
}

/** Code of a refusal of the library; null for one that says nothing, or what must not be disclosed. */
async function codeOf(response: Response): Promise<string | null> {
  const body = refusalBody.safeParse(
    await response
      .clone()
      .json()
      .catch(() => null),
  );
  return body.success && body.data.code !== UNKNOWN ? body.data.code : null;
}

/**
 * A refusal as it leaves: with its code in the header that PostgREST has for it, and without the words of an unforeseen
 * error. `tell` hears of each.
 */
export async function refined(
  response: Response,
  tell: (refusal: { status: number; code: string }) => void,
): Promise<Response> {
  const { status } = response;
  if (status < 400) return response;
  const code = await codeOf(response);
  if (code === null && status < 500) return response;
  const known = code === null ? unforeseen() : response;
  const name = code ?? "PGRSTX00";
  tell({ status, code: name });
  const headers = new Headers(known.headers);
  if (status === 503) headers.set("retry-after", String(DATABASE_RETRY_S));
  headers.set("proxy-status", `PostgREST; error=${name}`);
  return new Response(known.body, { status: known.status, headers });
}
