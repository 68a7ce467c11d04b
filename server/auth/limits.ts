import type { AuthDeps } from "./deps.ts";
import { AuthError } from "./errors.ts";

/** Kind of attempt that is counted; each has limits of its own. */
type LimitKind = keyof typeof LIMITS;

type Limits = {
  /** Attempts of one account from one address, of one account, and of one address. */
  pair: number;
  account: number;
  address: number;
  minutes: number;
  code: "over_request_rate_limit" | "over_email_send_rate_limit" | "over_sms_send_rate_limit";
};

/**
 * Generous to a shop whose staff share one address, slow for who guesses: a six-digit code
 * falls to one guess in a million, and 40 guesses an hour are 25,000 hours.
 */
const LIMITS = {
  sign_in: { pair: 10, account: 50, address: 300, minutes: 10, code: "over_request_rate_limit" },
  sign_up: { pair: 5, account: 10, address: 60, minutes: 60, code: "over_email_send_rate_limit" },
  mail: { pair: 5, account: 5, address: 60, minutes: 15, code: "over_email_send_rate_limit" },
  mail_day: {
    pair: 20,
    account: 20,
    address: 600,
    minutes: 1440,
    code: "over_email_send_rate_limit",
  },
  sms: { pair: 3, account: 3, address: 20, minutes: 15, code: "over_sms_send_rate_limit" },
  sms_day: { pair: 10, account: 10, address: 100, minutes: 1440, code: "over_sms_send_rate_limit" },
  verify: { pair: 10, account: 10, address: 120, minutes: 15, code: "over_request_rate_limit" },
  mfa: { pair: 10, account: 10, address: 120, minutes: 15, code: "over_request_rate_limit" },
  mfa_day: {
    pair: 50,
    account: 50,
    address: 1000,
    minutes: 1440,
    code: "over_request_rate_limit",
  },
  mfa_challenge: {
    pair: 30,
    account: 30,
    address: 300,
    minutes: 15,
    code: "over_request_rate_limit",
  },
  /** Passkeys that are begun, and answers to a question to sign in, which no guess can hit. */
  passkey: { pair: 30, account: 30, address: 300, minutes: 10, code: "over_request_rate_limit" },
  anonymous: { pair: 30, account: 30, address: 30, minutes: 60, code: "over_request_rate_limit" },
} as const satisfies Record<string, Limits>;

const MAIL_LIMITS = ["mail", "mail_day"] as const;
const SMS_LIMITS = ["sms", "sms_day"] as const;

const MESSAGES = {
  over_request_rate_limit: "Request rate limit reached",
  over_email_send_rate_limit: "email rate limit exceeded",
  over_sms_send_rate_limit: "sms rate limit exceeded",
} as const;

/** One attempt: of what, by whom, for which account (an address, a number, an identifier). */
export type Attempt = { kind: LimitKind; request: Request; account?: string };

type LimitDeps = Pick<AuthDeps, "sql" | "keyedHash" | "clientAddress" | "now" | "refusals">;

/**
 * Counts an attempt in the database, outside any transaction (a refusal counts as well), and
 * refuses it beyond the limits. Whether the account exists makes no difference. An address that the
 * database has refused is refused without asking again, until the moment that it named: nothing that an
 * address was counted for is ever forgiven, unlike an account's.
 */
export async function countAttempt(deps: LimitDeps, attempt: Attempt): Promise<void> {
  requireAttempt(deps, attempt.kind, attempt.request);
  const { pair, account, address, minutes, code } = LIMITS[attempt.kind];
  const keys = keysOf(deps, attempt);
  const taken = keys.account === null ? [keys.address] : [keys.address, keys.pair, keys.account];
  const limits = keys.account === null ? [address] : [address, pair, account];
  const asked = deps.now();
  const [row] = await deps.sql<Taken[]>`
    select seconds, refused_key, remaining_ms from private.count_auth_attempt(
      ${taken}::text[], ${limits}::integer[], make_interval(mins => ${minutes}))`;
  if (!row || row.seconds === null) return;
  if (row.refused_key === keys.address && row.remaining_ms !== null) {
    // From before the question: the memory ends no later than the window.
    deps.refusals.remember(keys.address, asked, row.remaining_ms);
  }
  throw refused(code, row.seconds);
}

type Taken = { seconds: number | null; refused_key: string | null; remaining_ms: number | null };

/** Refuses an attempt whose address is known to be refused, before anything is read or asked for it. */
export function requireAttempt(
  deps: Pick<LimitDeps, "keyedHash" | "clientAddress" | "refusals">,
  kind: LimitKind,
  request: Request,
): void {
  const remaining = deps.refusals.remaining(addressKey(deps, kind, request));
  if (remaining !== null)
    throw refused(LIMITS[kind].code, Math.max(1, Math.ceil(remaining / 1000)));
}

function refused(code: Limits["code"], seconds: number): AuthError {
  return new AuthError(429, code, MESSAGES[code], { headers: { "retry-after": String(seconds) } });
}

/**
 * Counts a message before it is written, by who will get it: whatever it is about and from
 * wherever it was asked for, a mailbox or a phone gets few.
 */
export async function countMessage(
  deps: LimitDeps,
  request: Request,
  { kind, value }: { kind: "email" | "phone"; value: string },
): Promise<void> {
  const [often, inADay] = kind === "email" ? MAIL_LIMITS : SMS_LIMITS;
  await countAttempt(deps, { kind: often, request, account: value });
  await countAttempt(deps, { kind: inADay, request, account: value });
}

/** Forgets the attempts of an account from here: the right password was given. */
export async function resetAttempts(deps: LimitDeps, attempt: Attempt): Promise<void> {
  const keys = keysOf(deps, attempt);
  if (keys.account === null) return;
  await deps.sql`select private.reset_auth_attempts(${[keys.pair, keys.account]}::text[])`;
}

function keysOf(
  deps: LimitDeps,
  { kind, request, account }: Attempt,
): { pair: string; account: string | null; address: string } {
  const from = deps.clientAddress(request);
  return {
    pair: keyOf(deps, kind, "pair", `${account ?? ""}\0${from}`),
    account: account === undefined ? null : keyOf(deps, kind, "account", account),
    address: addressKey(deps, kind, request),
  };
}

function addressKey(
  deps: Pick<LimitDeps, "keyedHash" | "clientAddress">,
  kind: LimitKind,
  request: Request,
): string {
  return keyOf(deps, kind, "address", deps.clientAddress(request));
}

function keyOf(
  { keyedHash }: Pick<LimitDeps, "keyedHash">,
  kind: LimitKind,
  scope: "pair" | "account" | "address",
  value: string,
): string {
  return `${kind} ${scope} ${keyedHash("auth limit", value)}`;
}
