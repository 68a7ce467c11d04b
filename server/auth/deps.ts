import type { Sql } from "postgres";
import type { ServicesConfig } from "../config/services.ts";
import type { Tokens } from "../tokens/tokens.ts";
import type { PasswordQueue } from "./password-queue.ts";
import type { Refusals } from "./refusals.ts";

/**
 * Settings of the operator: the services that accounts rest on, and the settings that follow from
 * the rest.
 */
export type AuthSettings = Pick<ServicesConfig, "google" | "captcha" | "allowsAnonymous"> & {
  /** Origin under which people reach us, without a final slash: links in mails start with it. */
  siteUrl: string;
  /** Further origins to which a sign-in may lead. */
  redirectAllowList: readonly string[];
  /** Whether text messages are delivered, so that a phone number can be used to sign in. */
  hasPhone: boolean;
  /** Whether a session that is not fresh has to prove who is there before the password changes. */
  requiresReauthentication: boolean;
};

/** Keys that the service needs and must never show. */
type AuthSecrets = {
  publishableKey: string;
  secretKey: string;
};

/** One line of the log, never with personal data. */
type LogEntry = {
  event: string;
  /** Of a failure unless it says otherwise. */
  level?: "info" | "error";
  requestId?: string;
  code?: string;
  method?: string;
};

/** Dependencies of the authentication service: database, clock, log and what else is not its own. */
export type AuthDeps = {
  /** Pool that logs in as the API's own account, with no role set: it reads and writes `auth.*`. */
  sql: Sql;
  now(): Date;
  settings: AuthSettings;
  secrets: AuthSecrets;
  /** Signs and checks access tokens. */
  tokens: Tokens;
  /** Address of the client as far as the proxies in front can be believed; IPv6 by its /64. */
  clientAddress(request: Request): string;
  /** Keyed hash (HMAC-SHA256, hexadecimal) of a value for one purpose. */
  keyedHash(purpose: string, value: string): string;
  /** Queue of passwords to hash and check. */
  passwordQueue: PasswordQueue;
  /** Refusals of addresses by the database, as this process remembers them. */
  refusals: Refusals;
  /** Reaches other houses: the captcha's provider, Google. */
  fetch: typeof fetch;
  /** Continues work after the response, whose timing then reveals nothing about it. */
  later(work: Promise<void>): void;
  log(entry: LogEntry): void;
};
