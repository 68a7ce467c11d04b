import type { Sql } from "postgres";
import type { LogoType } from "../domain/schemas/brand-settings.ts";
import type { EncodedLogo } from "../images/encode-logo.ts";
import type { FileStore } from "./file-store.ts";
import type { Payments } from "./payments.ts";
import type { PublicRatingSource } from "./public-rating-source.ts";
import type { ReaderLimits } from "./send-to.ts";

/** One line of the log: a code and what helps to find the cause, never personal data. */
export type LogEntry = {
  /** Short code of the event: `function_failed`, `export_broken` … */
  event: string;
  level?: "error";
  /** Which function. */
  function?: string;
  /** Identifier of the request, as answered in `x-request-id`. */
  requestId?: string;
  /** SQLSTATE or the library's own code of the cause, else its kind. */
  code?: string;
  /** Name of the constraint that was broken. */
  constraint?: string;
  /** Further facts that are no personal data: a number, the name of a template. */
  [fact: string]: string | number | undefined;
};

/** Claims of an access token about its holder; the database decides whether they are enough. */
export type AccessClaims = {
  userId: string;
  /** Session that the token belongs to; it may have been ended since. */
  sessionId: string;
  /** Assurance level: `aal2` once a second factor was used in that session. */
  aal: string;
};

/** Dependencies of publishing a logo. */
export type Logos = {
  /** The platform's storage. */
  files: FileStore;
  /** Unpacks a picture and packs it anew; null when it cannot be read, « busy » when the machine had no time or room for it. */
  encode: (bytes: Uint8Array<ArrayBuffer>, type: LogoType) => Promise<EncodedLogo | "busy" | null>;
};

/**
 * Dependencies of a handler: database, clock, log and what else is not its own. The embedded server, a Supabase project
 * and the tests each pass their own.
 */
export type Deps = {
  /** Pool whose connections run as `service_role`: it calls the SQL functions granted to that role. */
  sql: Sql;
  /** The present time. */
  now: () => Date;
  /**
   * Claims of a valid access token; null for an expired or forged one, and one without a session.
   */
  verifyAccessToken: (token: string) => Promise<AccessClaims | null>;
  /**
   * Signs a token that represents an API key for so many seconds; null where the project has not
   * been told what its tokens are signed with.
   */
  signApiToken: ((keyId: string, seconds: number) => Promise<string>) | null;
  /** Keyed hash (HMAC-SHA256, hexadecimal), so that the database never holds an address or a device. */
  keyedHash: (purpose: string, value: string) => string;
  /** Address of the client as far as the proxies in front can be believed; IPv6 by its /64. */
  clientAddress: (request: Request) => string;
  /** The payment provider; null where payments are switched off. */
  payments: Payments | null;
  /** Where logos are made and kept; null where the project has not been given the key of its storage. */
  logos: Logos | null;
  /** Origin of the pages, where it is another than that of the functions. */
  siteUrl?: string | undefined;
  /** Where messages of the contact form go; without one the form is closed. */
  contactAddress?: string | null;
  /** Source of the public pages' present ratings; without it merchants type them in. */
  ratingSource?: PublicRatingSource | null;
  /** How long exports wait for their readers; without it as `READER_LIMITS` says. */
  readerLimits?: ReaderLimits;
  /** Told when the database could not be reached or could not write; absent where no process watches the database. */
  databaseFailed?: (error: unknown) => void;
  /** Writes one line of the log. */
  log: (entry: LogEntry) => void;
};

/** A server function. */
export type Handler = (request: Request, deps: Deps) => Promise<Response>;
